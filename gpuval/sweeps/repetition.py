"""A clusterer that is run again and again, for several settings: the labels of each run."""

from __future__ import annotations

import os
import warnings
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import numpy as np

from gpuval.display.tables import Paragraph, Printable, ResultMapping
from gpuval.inputs.options import check_count, check_option, generator, level_of_user, require_extra
from gpuval.numerics import NDArray
from gpuval.sweeps.calls import Call, CallFolder, call_named, make_calls, read_jobs
from gpuval.sweeps.clusterers import Clusterer, compact_labels, read_clusterer
from gpuval.sweeps.rows import RESAMPLINGS, RowDraws

__all__ = ["Runs", "repeat_clustering"]


class Runs(ResultMapping[tuple[Any, int], Any]):
    """The labels of repeated clusterings: the result of :func:`repeat_clustering`.

    A mapping from (setting, run) to a masked array of NumPy with the label of each sample, shape (n_samples,). Samples
    that the run did not draw are masked; noise that the clusterer found has its own label, such as -1. Calls that
    failed are not in it.

    Attributes
    ----------
    settings
        The settings, in the order in which they were given.
    n_runs
        How many runs each setting has.
    n_samples
        How many samples there are.
    resampling
        How the runs differ: "subsample", "bootstrap", "seeds", "noise" or "halves".
    rows
        For each run the rows that it drew, sorted; None where it has all of them. They are the same for all settings.
    full
        A mapping from settings to the labels of all samples, shape (n_samples,).
    failures
        A mapping from (setting, run) to the exception of a call that failed; the run is None for all samples.

    Examples
    --------
    >>> import gpuval
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [9.0], [9.1]]
    >>> runs = gpuval.repeat_clustering(lambda X, width: X[:, 0] // width, X, [3, 5], n_runs=4, random_state=0)
    >>> runs
    2 settings, 4 runs of each: subsamples of 6 of 8 samples
    >>> runs[5, 0].tolist()
    [0, 0, 0, None, 1, 1, 1, None]
    >>> runs.full[5]
    array([0, 0, 0, 1, 1, 1, 1, 1], dtype=int16)
    """

    def __init__(
        self,
        settings: Sequence[Any],
        rows: Sequence[NDArray | None],
        labels: Mapping[tuple[Any, int], NDArray],
        full: Mapping[Any, NDArray],
        n_samples: int,
        resampling: str,
        failures: Mapping[tuple[Any, int | None], Exception],
    ) -> None:
        self.settings, self.rows, self.full, self.failures = tuple(settings), tuple(rows), full, failures
        self.n_runs, self.n_samples, self.resampling = len(self.rows), n_samples, resampling
        self._labels = labels

    def labels_of(self, setting: Any, run: int) -> tuple[NDArray, NDArray | None]:
        """The labels of a run, and the rows that have them; None is all rows."""
        return self._labels[setting, run], self.rows[run]

    def __getitem__(self, key: tuple[Any, int]) -> Any:
        labels, rows = self.labels_of(*key)
        if rows is None:
            return np.ma.masked_array(labels)
        of_all, mask = np.zeros(self.n_samples, dtype=labels.dtype), np.ones(self.n_samples, dtype=bool)
        of_all[rows], mask[rows] = labels, False
        return np.ma.masked_array(of_all, mask)

    def __iter__(self) -> Iterator[tuple[Any, int]]:
        return iter(self._labels)

    def __len__(self) -> int:
        return len(self._labels)

    def to_pandas(self, names: str = "{setting}_{run}") -> Any:
        """A pandas DataFrame with a column for each run, missing where it drew no sample, and one for all samples.

        Parameters
        ----------
        names
            The names of the columns, such as ``"leiden_{setting}_{run}"``; those of all samples end behind the setting.
        """
        with require_extra("to_pandas()", "pandas"):
            import pandas as pd

        whole = names.partition("{setting}")[0] + "{setting}"
        columns = {names.format(setting=setting, run=run): labels for (setting, run), labels in self.items()}
        columns |= {whole.format(setting=setting): np.ma.masked_array(labels) for setting, labels in self.full.items()}
        arrays = {name: pd.array(x.data, dtype="Int64") for name, x in columns.items()}
        for name, labels in columns.items():
            arrays[name][np.ma.getmaskarray(labels)] = pd.NA
        return pd.DataFrame(arrays)

    def _tables(self) -> Sequence[Printable]:
        sizes = sorted({len(rows) for rows in self.rows if rows is not None})
        drawn = f"{sizes[0]:,}{f' to {sizes[-1]:,}' * (len(sizes) > 1)} of" if sizes else "all"
        text = (
            f"{len(self.settings):,} setting{'s' * (len(self.settings) > 1)}, {self.n_runs:,} runs of each: "
            f"{RESAMPLINGS[self.resampling]} of {drawn} {self.n_samples:,} samples"
            f"{f'; {len(self.failures):,} calls failed' * bool(self.failures)}"
        )
        return [Paragraph(text)]


def repeat_clustering(
    fit: Any,
    X: Any,
    settings: Any,
    *,
    n_runs: int = 20,
    share: float = 0.8,
    resampling: Literal["subsample", "bootstrap", "seeds", "noise", "halves"] = "subsample",
    noise: float | None = None,
    groups: Any = None,
    n_jobs: int = 1,
    folder: str | os.PathLike[str] | None = None,
    on_error: Literal["raise", "skip"] = "raise",
    random_state: Any = None,
    progress: bool = False,
) -> Runs:
    """Repeat a clustering on parts of the samples, for several settings, such as resolutions or numbers of clusters.

    The rows of a run are drawn once and used for every setting. So settings are compared on the same samples, and
    differences between them are not those of the draws. One more call for each setting has all samples.

    Parameters
    ----------
    fit
        A function ``fit(X, setting, seed)``, or ``fit(X, setting)``, of some of the samples, that returns a label for
        each. The seed is given to an argument called ``seed`` or ``random_state``, or to a third one without a default.
        Or an estimator of scikit-learn, which is cloned for each call; ``random_state`` is set where it has one. Or
        "scanpy.leiden" or "rapids.leiden", for AnnData: each call finds the neighbours among the cells of the run, by
        ``obsm["X_pca"]``, and then Leiden clusters of which the setting is the resolution.
    X
        The samples: an array of any library, a sparse matrix, a data frame, AnnData, or anything with a length whose
        rows ``X[rows]`` takes. ``fit`` gets the same kind of object, on the same device.
    settings
        The values of the setting. For an estimator they are those of ``n_clusters``, or, as a mapping with one key, of
        the parameter of that name: ``{"eps": [0.3, 0.5]}``.
    n_runs
        How many times each setting is run. With "halves" it is even.
    share
        The share of samples, or of groups, that a subsample has, above 0 and below 1.
    resampling
        How runs differ. "subsample": each run has a share of the samples, drawn without replacement. "bootstrap": as
        many as there are, drawn with replacement; those that were drawn are clustered once each, as copies would be
        neighbours of each other. "seeds": all samples, only the seed differs; such runs agree more than runs of other
        samples would. "noise": all samples, plus normal noise. "halves": runs 0 and 1 are the two halves of a random
        split, runs 2 and 3 of the next one, and so on.
    noise
        With "noise", the standard deviation of the noise, as a share of that of each feature. For arrays only.
    groups
        A value for each sample, such as its donor, shape (n_samples,): whole groups are drawn in place of samples.
    n_jobs
        How many calls run at once, on threads; -1 is as many as the process may use, by default up
        to 8 (``GPUVAL_NUM_THREADS``). It helps where ``fit`` leaves Python's interpreter while it works, as NumPy and
        much of scikit-learn do. It does not help a ``fit`` that is written in Python, or one that keeps all cores or
        the GPU busy by itself.
    folder
        A folder in which the labels of each call are kept as soon as it is done. After an interrupt, the same call with
        this folder goes on where it was; with a larger ``n_runs`` it adds runs. Use a folder for one ``fit`` and one
        ``X``, as these are not compared.
    on_error
        What happens if ``fit`` fails: "raise" raises its exception again, with the run and the setting in front, and
        "skip" leaves the call out, with a warning.
    random_state
        A seed or a generator of NumPy, for rows, noise and the seeds of ``fit``; the seed of a run is the same for all
        settings. None draws other ones each time; with ``folder`` those of the calls that are there.
    progress
        Whether to show a progress bar (tqdm).

    Returns
    -------
    Runs
        A mapping from (setting, run) to labels, integers in NumPy: text of integers becomes these, and other labels
        their places among the sorted ones of the call.

    Raises
    ------
    TypeError, ValueError
        If an argument is not as described above, or ``fit`` returns labels of another number of samples, or missing
        ones; the message names the argument, or the run and the setting. Write noise as a label of its own, such as -1.

    Examples
    --------
    >>> import gpuval
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2], [9.0], [9.1]]
    >>> def fit(X, k):
    ...     return (X[:, 0] * k / 10).round()
    >>> gpuval.repeat_clustering(fit, X, [2, 3], n_runs=10, resampling="bootstrap", random_state=0)
    2 settings, 10 runs of each: bootstrap samples of 4 to 6 of 8 samples

    An error names the call:

    >>> gpuval.repeat_clustering(lambda X, k: [0, 1], X, [2], random_state=0)
    Traceback (most recent call last):
        ...
    ValueError: fit must return a label for each of the 6 rows, got 2 (run 0, setting 2)
    """
    check_option("on_error", on_error, ("raise", "skip"))
    return repeat_calls(
        read_clusterer(fit, X, settings),
        check_count("n_runs", n_runs, 2),
        resampling,
        share=share,
        noise=noise,
        groups=groups,
        n_jobs=n_jobs,
        folder=folder,
        skips=on_error == "skip",
        random_state=random_state,
        progress=progress,
    )


def repeat_calls(
    clusterer: Clusterer,
    n_runs: int,
    resampling: str,
    *,
    groups: Any,
    n_jobs: Any,
    random_state: Any,
    progress: bool,
    share: Any = 0.5,
    noise: Any = None,
    folder: str | os.PathLike[str] | None = None,
    skips: bool = False,
    with_full: bool = True,
) -> Runs:
    """The runs, with or without the calls of all samples."""
    n_threads, done = read_jobs(n_jobs), CallFolder(folder)
    if resampling == "halves" and n_runs % 2:
        raise ValueError(f"n_runs must be even with resampling='halves', got {n_runs}")
    new_seed = int(generator(random_state).integers(2**63))
    seed = new_seed if random_state is not None or done.seed is None else done.seed
    draws = RowDraws(clusterer.X, resampling, share, noise, groups, seed)
    done.check(
        {
            "settings": list(map(repr, clusterer.settings)),
            "n_samples": draws.n_samples,
            "resampling": resampling,
            "share": draws.share,
            "noise": draws.noise,
            "groups": None if draws.groups is None else zlib.crc32(draws.groups.tobytes()),
            "seed of random_state": seed,
        }
    )
    rows = [draws.rows(run) for run in range(n_runs)]
    runs = [*range(n_runs), *([None] if with_full else [])]
    calls = [Call(run, place, setting) for run in runs for place, setting in enumerate(clusterer.settings)]

    def labels_of(call: Call) -> NDArray | Exception:
        found = done.read(call)
        if found is not None:
            return found
        own = None if call.run is None else rows[call.run]
        try:
            with call_named(call):
                labels = clusterer.fit(draws.samples(call.run, own), call.setting, draws.seed(call.run))
            found = compact_labels(labels, draws.n_samples if own is None else len(own), str(call))
        except Exception as error:
            if not skips:
                raise
            return error.with_traceback(None)  # which would keep the samples of the call
        done.write(call, found)
        return found

    results = dict(zip(calls, make_calls(labels_of, calls, n_threads, progress, "calls"), strict=True))
    failures = {call: x for call, x in results.items() if isinstance(x, Exception)}
    if failures:
        _warn(failures, len(calls))
    found = {call: x for call, x in results.items() if not isinstance(x, Exception)}
    return Runs(
        clusterer.settings,
        rows,
        {(call.setting, call.run): x for call, x in found.items() if call.run is not None},
        {call.setting: x for call, x in found.items() if call.run is None},
        draws.n_samples,
        resampling,
        {(call.setting, call.run): x for call, x in failures.items()},
    )


def _warn(failures: Mapping[Call, Exception], n_calls: int) -> None:
    """Tell of calls that failed; without any other one, raise."""
    call, error = next(iter(failures.items()))
    text = f"{type(error).__name__}: {error}" + f" ({call})" * (str(call) not in str(error))
    if len(failures) == n_calls:
        raise ValueError(f"fit must not fail in all {n_calls} calls, got first {text}") from error
    message = f"{len(failures)} of {n_calls} calls of fit failed and are left out (failures has them), first {text}"
    warnings.warn(message, RuntimeWarning, stacklevel=level_of_user())
