"""The gap statistic: how far the inertia lies below that of samples without clusters; and the bends of its curve."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import numpy as np

from gpuval.engines.backends import backend_of, is_sparse, move_to, to_host
from gpuval.inputs.features import as_array, as_float, check_finite, check_shape
from gpuval.inputs.options import check_count, check_option, generator
from gpuval.metrics.internal.centres import inertia
from gpuval.numerics import Array, NDArray
from gpuval.results.settings import joined_names
from gpuval.sweeps.calls import call_named, make_calls, read_jobs
from gpuval.sweeps.clusterers import compact_labels, read_clusterer
from gpuval.sweeps.curves import SettingCurve, are_numbers

__all__ = ["GapStatistic", "gap_statistic"]

_ENOUGH = 10
"""Hartigan's rule of thumb: one more cluster is worth it while his number is larger."""

_FLAT = 1e-9
"""Heights over a curve, as shares of its fall, that are rounding."""


class GapStatistic(SettingCurve):
    """The gap of each setting: the result of :func:`gap_statistic`, where it is defined.

    A mapping from settings to gaps, which prints as a table. It can also be made from curves of the inertia that are
    there already.

    Parameters
    ----------
    settings
        The settings, numbers in increasing order.
    inertia
        The inertia W of the samples for each setting, shape (n_settings,).
    references
        The inertia of each reference set, shape (n_references, n_settings).
    n_samples
        How many samples there are.

    Attributes
    ----------
    settings, inertia, n_samples, n_references
        As above.
    log_inertia
        The logarithm of W, shape (n_settings,).
    expected
        Its mean over the reference sets, shape (n_settings,).
    gap
        ``expected - log_inertia``, shape (n_settings,); NaN where W is 0.
    standard_error
        The standard error s of the gap by the draw of the reference sets, shape (n_settings,); NaN for a single set.
    choice
        The first setting whose gap is at least ``gap - s`` of the next one; None if there is none.
    near_best
        A tuple of the settings whose ``gap + s`` reaches the largest gap.

    Examples
    --------
    >>> import gpuval
    >>> W, references = [100, 40, 20, 16, 14], [[110, 60, 40, 30, 24], [90, 50, 36, 28, 20], [100, 56, 42, 26, 22]]
    >>> found = gpuval.GapStatistic([1, 2, 3, 4, 5], W, references, n_samples=20)
    >>> found
    setting     gap  standard error  log inertia  expected
    1        −0.003           0.095         4.61      4.60
    2         0.322           0.087         3.69      4.01
    3         0.674           0.074         3.00      3.67
    4         0.558           0.067         2.77      3.33
    5         0.449           0.086         2.64      3.09
    <BLANKLINE>
    3 is the first setting whose gap reaches that of the next one, less its standard
    error. Within a standard error of the largest gap: 3. Bends of the inertia,
    which samples without clusters have, too: 2 (chord), 2 (second difference), 3
    (hartigan).
    >>> found.choice, found.bends()
    (3, {'chord': 2, 'second_difference': 2, 'hartigan': 3})
    """

    def __init__(self, settings: Any, inertia: Any, references: Any, n_samples: int) -> None:
        self.settings, self.n_samples = tuple(settings), n_samples
        self.inertia, of_references = np.asarray(inertia, dtype=np.float64), np.asarray(references, dtype=np.float64)
        if not self.settings or not are_numbers(self.settings) or list(self.settings) != sorted(set(self.settings)):
            raise ValueError(f"settings must be numbers in increasing order, got {list(self.settings)}")
        if self.inertia.shape != (len(self.settings),):
            raise ValueError(f"inertia must have shape ({len(self.settings)},), got {self.inertia.shape}")
        if of_references.ndim != 2 or of_references.shape[1:] != self.inertia.shape or not len(of_references):
            wanted = f"(n_references, {len(self.settings)})"
            raise ValueError(f"references must have shape {wanted}, got {of_references.shape}")
        self.n_references = len(of_references)
        with np.errstate(divide="ignore", invalid="ignore"):
            self.log_inertia, logs = np.log(self.inertia), np.log(of_references)
            self.expected = logs.mean(axis=0)
            spread = logs.std(axis=0) * math.sqrt(1 + 1 / self.n_references)
        is_known = np.isfinite(self.log_inertia) & np.isfinite(self.expected)
        self.gap = np.where(is_known, self.expected, np.nan) - np.where(is_known, self.log_inertia, np.nan)
        self.standard_error = np.where(is_known & (self.n_references > 1), spread, np.nan)
        ends = (self.gap - self.standard_error)[1:]
        is_enough = zip(self.settings, self.gap[:-1] >= ends, strict=False)
        self.choice = next((setting for setting, is_chosen in is_enough if is_chosen), None)
        largest = max(self.gap[is_known], default=math.nan)
        is_near = self.gap + self.standard_error >= largest
        self.near_best = tuple(setting for setting, near in zip(self.settings, is_near, strict=True) if near)

    @property
    def columns(self) -> Mapping[str, NDArray]:
        """The numbers of each setting by their names."""
        return {
            "gap": self.gap,
            "standard_error": self.standard_error,
            "log_inertia": self.log_inertia,
            "expected": self.expected,
        }

    def bends(self) -> dict[str, Any]:
        """Where the curve of the inertia bends most, by three rules; None where a rule names no setting.

        "chord": the setting at which the curve lies farthest below the line between its ends, both axes scaled to 0 to
        1. "second_difference": the setting k with the largest ``W_(k-1) - 2 W_k + W_(k+1)``. "hartigan": the first k
        with ``(W_k / W_(k+1) - 1) (n_samples - k - 1) <= 10``, if the settings are the numbers of clusters k, k + 1,
        and so on. They often contradict one another, and a curve of samples without clusters bends, too: they are
        remarks, no reason to take a number of clusters.
        """
        k, W = np.asarray(self.settings, dtype=np.float64), self.inertia
        names: list[Any] = [None, None, None]
        if len(k) > 2 and W[0] != W[-1]:
            heights = (k[-1] - k) / (k[-1] - k[0]) - (W - W[-1]) / (W[0] - W[-1])
            seconds = (W[:-2] - 2 * W[1:-1] + W[2:]) / abs(W[0] - W[-1])
            names[0] = self.settings[int(heights.argmax())] if heights.max() > _FLAT else None
            names[1] = self.settings[int(seconds.argmax()) + 1] if seconds.max() > _FLAT else None
        if k[0] >= 1 and k[0] % 1 == 0 and (np.diff(k) == 1).all():
            with np.errstate(divide="ignore", invalid="ignore"):
                numbers = (W[:-1] / W[1:] - 1) * (self.n_samples - k[:-1] - 1)
            names[2] = next((x for x, number in zip(self.settings, numbers, strict=False) if number <= _ENOUGH), None)
        return dict(zip(("chord", "second_difference", "hartigan"), names, strict=True))

    def sentence(self) -> str:
        """The setting that the rule takes, those that are about as good, and where the inertia bends."""
        if self.choice is None:
            first = f"No setting up to {joined_names(self.settings[-1:])} has a gap that reaches that of the next one"
        else:
            first = f"{joined_names([self.choice])} is the first setting whose gap reaches that of the next one"
        marks = {rule.replace("_", " "): x for rule, x in self.bends().items() if x is not None}
        bends = ", ".join(f"{joined_names([x])} ({rule})" for rule, x in marks.items()) or "none"
        near = joined_names(self.near_best) or "none"
        return (
            f"{first}, less its standard error. Within a standard error of the largest gap: {near}. Bends of the "
            f"inertia, which samples without clusters have, too: {bends}."
        )


def gap_statistic(
    fit: Any,
    X: Any,
    settings: Any,
    *,
    n_references: int = 20,
    space: Literal["pca", "box"] = "pca",
    n_jobs: int = 1,
    random_state: Any = None,
    progress: bool = False,
) -> GapStatistic:
    """Gap statistic: how far the inertia of clusters lies below that of samples without clusters.

    Let W_k be the inertia (:func:`inertia`) of the clusters that ``fit`` finds in X with the setting k, such as the
    number of clusters, and W*_k that of a reference set of as many samples, drawn uniformly where those of X lie. The
    gap is ``Gap_k = mean(log W*_k) - log W_k``, the mean over B reference sets ([1]_, equation 3). Its standard error
    is ``s_k = sd_k sqrt(1 + 1/B)``, where sd_k is the standard deviation of log W*_k over the reference sets, with the
    divisor B. The rule takes the smallest k with ``Gap_k >= Gap_(k+1) - s_(k+1)`` ([1]_, section 4).

    The rule looks for compact clusters of about the same size, as k-means does; long or nested clusters mislead it. The
    function clusGap of the R package cluster gives other numbers: the divisor B - 1, and by default distances that are
    not squared.

    Parameters
    ----------
    fit
        A function ``fit(X, setting, seed)``, or ``fit(X, setting)``, of samples, that returns a label for each, or an
        estimator of scikit-learn, as in :func:`repeat_clustering`. Noise counts as a cluster.
    X
        The samples, shape (n_samples, n_features): an array of any library, or a data frame of numbers. ``fit`` gets
        arrays, in the library and on the device of X.
    settings
        Numbers of clusters, or other numbers; they are sorted. For another parameter of an estimator a mapping:
        ``{"n_components": [1, 2, 3]}``.
    n_references
        The number B of reference sets, at least 2.
    space
        Where they are drawn: "pca" is the box of the samples along their principal axes, and "box" that along the
        features.
    n_jobs
        How many sets are clustered at once, on threads; -1 is as many as the process may use, by
        default up to 8 (``GPUVAL_NUM_THREADS``).
    random_state
        A seed or a generator of NumPy, for the reference sets and the seeds of ``fit``.
    progress
        Whether to show a progress bar (tqdm).

    Returns
    -------
    GapStatistic
        A mapping from settings to gaps, in NumPy; its ``choice`` is what the rule takes, None if no setting does.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above; the message names it.

    References
    ----------
    .. [1] R. Tibshirani, G. Walther and T. Hastie, "Estimating the number of clusters in a data set via the gap
       statistic", Journal of the Royal Statistical Society B 63, 2001.

    Examples
    --------
    >>> import gpuval
    >>> import numpy as np
    >>> def halves(X, k):  # k parts of equal numbers along the first feature
    ...     return X[:, 0].argsort().argsort() * k // len(X)
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(place, 0.1, size=(50, 2)) for place in (0, 3)])
    >>> gpuval.gap_statistic(halves, X, [1, 2, 3, 4], random_state=0).choice
    2

    Samples without clusters:

    >>> gpuval.gap_statistic(halves, rng.uniform(size=(100, 2)), [1, 2, 3, 4], random_state=0).choice
    1
    """
    check_option("space", space, ("pca", "box"))
    n_references, n_threads = check_count("n_references", n_references, 2), read_jobs(n_jobs)
    if is_sparse(X):
        raise TypeError(f"X must be dense, as the reference sets are, got {type(X).__name__}")
    X = as_array(X, "X")
    check_shape(X)
    X = as_float(X)
    check_finite(X)
    clusterer = read_clusterer(fit, X, settings)
    if not are_numbers(clusterer.settings):
        raise ValueError(f"settings must be numbers, got {list(clusterer.settings)}")
    ordered = sorted(clusterer.settings)
    seed, draw = int(generator(random_state).integers(2**63)), _References(X, space)

    def inertias_of(number: int) -> list[float]:
        random = np.random.default_rng([seed, number])
        samples, of_fit = X if number == 0 else draw(random), int(random.integers(2**31))
        found = []
        for setting in ordered:
            where = f"{'the samples' if number == 0 else f'reference set {number}'}, setting {joined_names([setting])}"
            with call_named(where):
                labels = clusterer.fit(samples, setting, of_fit)
            codes = compact_labels(labels, int(X.shape[0]), where)
            found.append(float(to_host(inertia(samples, move_to(codes, samples)))))
        return found

    first, *others = make_calls(inertias_of, range(n_references + 1), n_threads, progress, "sets")
    return GapStatistic(ordered, first, others, int(X.shape[0]))


class _References:
    """Draws sets of samples uniformly from a box around those of ``X``, along its features or its principal axes."""

    def __init__(self, X: Array, space: str) -> None:
        self._like = X
        host = to_host(X).astype(np.float64)
        self._centre = host.mean(axis=0)
        host -= self._centre
        self._axes = np.linalg.svd(host, full_matrices=False)[2] if space == "pca" else None
        along = host if self._axes is None else host @ self._axes.T
        self._low, self._high = along.min(axis=0), along.max(axis=0)

    def __call__(self, random: np.random.Generator) -> Array:
        along = random.uniform(self._low, self._high, size=(int(self._like.shape[0]), len(self._low)))
        samples = along if self._axes is None else along @ self._axes
        return backend_of(self._like).xp.astype(move_to(samples + self._centre, self._like), self._like.dtype)
