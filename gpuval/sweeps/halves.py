"""Rules by two halves of the samples: prediction strength, and the instability of Lange and others."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from gpuval.engines.backends import is_sparse, to_host
from gpuval.inputs.features import as_array, as_float, check_finite, check_shape
from gpuval.inputs.options import check_count, check_probability, generator
from gpuval.metrics.external.matching import classification_error_distance
from gpuval.metrics.external.per_class import prediction_strength_score
from gpuval.numerics import NDArray
from gpuval.numerics.parallel import slices
from gpuval.results.settings import joined_names
from gpuval.sweeps.calls import call_named
from gpuval.sweeps.clusterers import compact_labels, read_clusterer
from gpuval.sweeps.curves import SettingCurve, are_numbers
from gpuval.sweeps.repetition import Runs, repeat_calls
from gpuval.sweeps.rows import n_samples_of, take_samples
from gpuval.table.contingency import Contingency

__all__ = ["PredictionStrength", "prediction_strength"]

_RANDOM_TABLES = 100
"""Pairs of random labelings, for the instability that chance gives."""

_CELLS = 1 << 22
"""How many distances from samples to means are in memory at once."""

_Assign = Callable[[NDArray, Any, Any, Any], NDArray]
"""The labels of some samples for other ones: of the labels, the rows that have them, other rows and the setting."""


class PredictionStrength(SettingCurve):
    """The prediction strength of each setting: the result of :func:`prediction_strength`, where it is defined.

    A mapping from settings to mean strengths, which prints as a table.

    Attributes
    ----------
    settings
        The settings, in increasing order if they are numbers.
    strength
        The mean over the splits, shape (n_settings,).
    standard_error
        Its standard error over the splits, shape (n_settings,); NaN for a single split.
    instability
        Lange's instability, shape (n_settings,): 0 is best, and 1 is as unstable as random labels. NaN for one cluster.
    by_split
        The strength of each split, shape (n_settings, n_splits).
    threshold
        What the strength has to reach.
    reaching
        A tuple of the settings whose mean plus standard error reaches the threshold.
    choice
        The last of them; None if there is none.

    Examples
    --------
    >>> import gpuval
    >>> X = [[0.0], [0.1], [0.2], [0.3], [5.0], [5.1], [5.2], [5.3]]
    >>> found = gpuval.prediction_strength(lambda X, k: X[:, 0] * k // 6, X, [1, 2], n_splits=2, random_state=0)
    >>> dict(found), found.choice
    ({1: 1.0, 2: 1.0}, 2)
    """

    def __init__(self, settings: Any, by_split: NDArray, instability: NDArray, threshold: float) -> None:
        self.settings, self.by_split, self.instability = tuple(settings), by_split, instability
        self.threshold = threshold
        n_splits = by_split.shape[1]
        self.strength = by_split.mean(axis=1)
        self.standard_error = np.full(len(self.settings), math.nan)
        if n_splits > 1:
            self.standard_error = by_split.std(axis=1, ddof=1) / math.sqrt(n_splits)
        reach = self.strength + (self.standard_error if n_splits > 1 else 0) >= threshold
        self.reaching = tuple(setting for setting, is_reaching in zip(self.settings, reach, strict=True) if is_reaching)
        self.choice = self.reaching[-1] if self.reaching else None

    @property
    def columns(self) -> Mapping[str, NDArray]:
        """The numbers of each setting by their names."""
        return {"strength": self.strength, "standard_error": self.standard_error, "instability": self.instability}

    def sentence(self) -> str:
        """The setting that the rule of Tibshirani and Walther takes, and the others that reach the threshold."""
        what = f"a strength that, with its standard error, reaches {self.threshold:g}"
        if self.choice is None:
            return f"No setting has {what}."
        others = joined_names(self.reaching[:-1])
        return (
            f"{joined_names([self.choice])} is the last setting with {what} (rule of Tibshirani and Walther)"
            f"{f'; so have {others}' * bool(others)}."
        )


def prediction_strength(
    fit: Any,
    X: Any,
    settings: Any,
    *,
    n_splits: int = 20,
    predict: Callable[[Any, NDArray, Any], Any] | None = None,
    threshold: float = 0.8,
    groups: Any = None,
    n_jobs: int = 1,
    random_state: Any = None,
    progress: bool = False,
) -> PredictionStrength:
    """Prediction strength of settings: whether the clusters of one half of the samples hold in the other half.

    The samples are split at random into two halves, and both are clustered. Each sample of the test half is assigned to
    a cluster of the other half, that with the nearest mean. For a cluster j of the test half with a_j samples, let n_ij
    be the number of its samples that are assigned to cluster i. ``sum_i n_ij (n_ij - 1) / (a_j (a_j - 1))`` is the
    share of its pairs of samples that stay together. The strength of a split is the least share over the clusters of
    two or more samples, and the mean of that with the halves exchanged ([1]_, equation 2.1); that of a setting is the
    mean over the splits. 1 is best. The rule takes the largest setting whose strength plus its standard error over the
    splits reaches ``threshold``; for numbers of clusters, 0.8 to 0.9 is usual.

    The instability is another number of the same splits: the share of samples of the test half whose cluster and
    assigned cluster differ, if the clusters are matched in the best way (:func:`classification_error_distance`),
    divided by what random labels of as many clusters give ([2]_, section 2). Lower is better. It is not defined for one
    cluster, of which it can say nothing.

    Parameters
    ----------
    fit
        A function ``fit(X, setting, seed)``, or ``fit(X, setting)``, an estimator of scikit-learn, or a name, as in
        :func:`repeat_clustering`. Noise counts as a cluster.
    X
        The samples, as there. For any but arrays, data frames of numbers and sparse matrices ``predict`` must be given.
    settings
        The settings, as there, such as numbers of clusters.
    n_splits
        The number of random splits.
    predict
        A function ``predict(X_train, labels_train, X_test)`` that assigns each sample of the test half to a cluster of
        the other half, if not the nearest mean shall decide.
    threshold
        What the strength has to reach, above 0 and below 1.
    groups
        A value for each sample, such as its donor: each half has whole groups.
    n_jobs
        How many calls run at once, on threads; -1 is as many as the process may use, by
        default up to 8 (``GPUVAL_NUM_THREADS``).
    random_state
        A seed or a generator of NumPy.
    progress
        Whether to show a progress bar (tqdm).

    Returns
    -------
    PredictionStrength
        A mapping from settings to strengths, from 0 to 1, in NumPy: 1 for one cluster, NaN if there is a split of which
        all clusters have one sample.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above; the message names it.

    References
    ----------
    .. [1] R. Tibshirani and G. Walther, "Cluster validation by prediction strength", Journal of Computational and
       Graphical Statistics 14, 2005.
    .. [2] T. Lange, V. Roth, M. L. Braun and J. M. Buhmann, "Stability-based validation of clustering solutions",
       Neural Computation 16, 2004.

    Examples
    --------
    Two clusters, of which the setting 3 divides one at random:

    >>> import gpuval
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = np.concatenate([rng.normal(place, 0.1, size=(50, 2)) for place in (0, 3)])
    >>> def fit(X, k, seed):
    ...     return (X[:, 0] > 1.5) * np.random.default_rng(seed).integers(1, k, size=len(X))
    >>> gpuval.prediction_strength(fit, X, [2, 3], random_state=0)
    setting  strength  standard error  instability
    2           1.000           0.000        0.000
    3           0.476           0.008        0.372
    <BLANKLINE>
    2 is the last setting with a strength that, with its standard error, reaches 0.8
    (rule of Tibshirani and Walther).
    """
    n_splits, threshold = check_count("n_splits", n_splits), check_probability("threshold", threshold)
    clusterer, random = read_clusterer(fit, X, settings), generator(random_state)
    assign = _NearestMeans(clusterer.X) if predict is None else _Predictions(clusterer.X, predict)
    runs = repeat_calls(
        clusterer,
        2 * n_splits,
        "halves",
        groups=groups,
        n_jobs=n_jobs,
        random_state=random,
        progress=progress,
        with_full=False,
    )
    ordered = sorted(runs.settings) if are_numbers(runs.settings) else runs.settings
    strengths, instabilities, chance = np.empty((len(ordered), n_splits)), np.empty(len(ordered)), _Chance(random)
    for place, setting in enumerate(ordered):
        tables = [_table_of_half(runs, setting, run, assign) for run in range(2 * n_splits)]
        of_halves = [float(prediction_strength_score(table)) for table in tables]
        strengths[place] = np.asarray(of_halves).reshape(n_splits, 2).mean(axis=1)
        error, by_chance = sum(map(classification_error_distance, tables)), sum(map(chance.error, tables))
        instabilities[place] = float(error) / by_chance if by_chance else math.nan
    return PredictionStrength(ordered, strengths, instabilities, threshold)


def _table_of_half(runs: Runs, setting: Any, run: int, assign: _Assign) -> Contingency:
    """The table of the clusters of a half, and of those of the other half to which its samples are assigned."""
    (labels, rows), train = runs.labels_of(setting, run), runs.labels_of(setting, run ^ 1)
    found, i = np.unique(assign(*train, rows, setting), return_inverse=True)
    own, j = np.unique(labels, return_inverse=True)
    counts = np.bincount(j * len(found) + i, minlength=len(own) * len(found))
    return Contingency.from_counts(counts.reshape(len(own), len(found)))


class _Chance:
    """The error of two random labelings: of each sample both labels are drawn, each of them as likely as the others."""

    def __init__(self, random: np.random.Generator) -> None:
        self._random = random
        self._errors: dict[tuple[int, ...], float] = {}

    def error(self, table: Contingency) -> float:
        """Its mean for as many samples, rows and columns as a table has."""
        size = (int(table.total), *table.shape)
        if size not in self._errors:
            n_cells = table.shape[0] * table.shape[1]
            drawn = self._random.multinomial(size[0], np.full(n_cells, 1 / n_cells), size=_RANDOM_TABLES)
            errors = classification_error_distance(Contingency.from_counts(drawn.reshape(-1, *table.shape)))
            self._errors[size] = float(np.mean(errors))
        return self._errors[size]


class _Predictions:
    """Assigns samples to clusters by the user's function."""

    def __init__(self, X: Any, predict: Callable[[Any, NDArray, Any], Any]) -> None:
        self._X, self._predict = X, predict

    def __call__(self, labels: NDArray, train: NDArray, test: NDArray, setting: Any) -> NDArray:
        where = f"setting {joined_names([setting])}"
        samples = take_samples(self._X, test)
        with call_named(f"predict, {where}"):
            assigned = self._predict(take_samples(self._X, train), labels, samples)
        return compact_labels(assigned, n_samples_of(samples), where, "predict")


class _NearestMeans:
    """Assigns samples to the clusters with the nearest means, on the host."""

    def __init__(self, X: Any) -> None:
        self._X = X if is_sparse(X) else as_float(to_host(as_array(X, "X")))
        check_shape(self._X)
        check_finite(self._X)

    def __call__(self, labels: NDArray, train: NDArray, test: NDArray, setting: Any) -> NDArray:
        names, codes = np.unique(labels, return_inverse=True)
        means = _means(self._X[train], codes, len(names))
        centre = means.mean(axis=0)
        means -= centre
        squares = np.square(means).sum(axis=1) / 2
        nearest: list[NDArray] = [
            (squares - (_dense(self._X[test[part]]) - centre) @ means.T).argmin(axis=1)
            for part in slices(len(test), max(1, _CELLS // max(means.shape)))
        ]
        found: NDArray = names[np.concatenate(nearest)]
        return found


def _means(X: Any, codes: NDArray, n_clusters: int) -> NDArray:
    from scipy.sparse import csr_array

    members = csr_array((np.ones(len(codes)), codes, np.arange(len(codes) + 1)), shape=(len(codes), n_clusters))
    means: NDArray = _dense(members.T @ X) / np.bincount(codes)[:, None]
    return means


def _dense(rows: Any) -> NDArray:
    found: NDArray = rows.toarray() if is_sparse(rows) else rows
    return found
