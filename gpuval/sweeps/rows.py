"""The rows of samples of any kind: how many there are, and some of them; and which ones a run draws."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, is_array, is_dask, is_sparse, move_to, to_host
from gpuval.geometry.points import take_rows
from gpuval.inputs.codes import as_integers
from gpuval.inputs.features import as_float, check_shape
from gpuval.inputs.labels import read_labels
from gpuval.inputs.options import check_not_negative, check_option, check_probability
from gpuval.numerics import NDArray

RESAMPLINGS = {
    "subsample": "subsamples",
    "bootstrap": "bootstrap samples",
    "seeds": "other seeds",
    "noise": "other noise",
    "halves": "halves",
}
"""How runs differ, and what they are called."""


def read_rows(X: Any) -> Any:
    """Samples of which some rows can be taken: lists as an array, sparse matrices by rows."""
    if is_dask(X):
        raise TypeError(f"X must be in memory, got data of Dask ({type(X).__name__}); compute() it")
    if is_sparse(X):
        return X.tocsr()
    X = np.asarray(X) if isinstance(X, list | tuple) else X
    has_rows = hasattr(X, "__getitem__") and (hasattr(X, "shape") or hasattr(X, "__len__"))
    if not has_rows or isinstance(X, str | bytes | dict) or getattr(X, "shape", None) == ():
        raise TypeError(f"X must have rows that X[rows] takes, got {type(X).__name__}")
    return X


def n_samples_of(X: Any) -> int:
    """How many samples there are."""
    return int(X.shape[0]) if hasattr(X, "shape") else len(X)


def take_samples(X: Any, rows: NDArray | None) -> Any:
    """The samples of these rows, as what ``X`` is; None is all of them. Of AnnData a copy, which may be written to."""
    if hasattr(X, "obsm"):
        return X.copy() if rows is None else X[rows].copy()
    if rows is None:
        return X
    if hasattr(X, "iloc"):
        return X.iloc[rows]
    return take_rows(X, move_to(rows, X)) if is_array(X) else X[rows]


class RowDraws:
    """The rows of each run, and the noise: all by a seed and the number of the run alone."""

    def __init__(self, X: Any, resampling: str, share: Any, noise: Any, groups: Any, seed: int) -> None:
        check_option("resampling", resampling, tuple(RESAMPLINGS))
        self._X, self._resampling, self._seed = X, resampling, seed
        self.share = check_probability("share", share)
        self.n_samples = n_samples_of(X)
        self.groups = None if groups is None else self._codes_of(groups)
        n_units = self.n_samples if self.groups is None else int(self.groups.max()) + 1
        if n_units < 2:
            what = "X must have at least two samples" if groups is None else "groups must have at least two values"
            raise ValueError(f"{what}, got {n_units}")
        self._n_units = n_units
        self.noise = self._read_noise(noise)

    def _codes_of(self, groups: Any) -> NDArray:
        if self._resampling in ("seeds", "noise"):
            raise ValueError(f"groups must be None with resampling={self._resampling!r}, which draws no samples")
        vector = as_integers(read_labels(groups, "groups"))
        if vector.size != self.n_samples:
            raise ValueError(f"groups must have a value for each of the {self.n_samples} samples, got {vector.size}")
        return np.unique(to_host(vector.data), return_inverse=True)[1]

    def _read_noise(self, noise: Any) -> float | None:
        if self._resampling != "noise":
            if noise is not None:
                raise ValueError(f"noise must be None without resampling='noise', got {noise!r}")
            return None
        if noise is None:
            raise ValueError("noise must be a share of standard deviations with resampling='noise', got None")
        if not is_array(self._X):
            raise TypeError(f"X must be an array with resampling='noise', got {type(self._X).__name__}")
        check_shape(self._X)
        self._X = as_float(self._X)
        self._deviations = to_host(backend_of(self._X).xp.std(self._X, axis=0))
        return check_not_negative("noise", noise)

    def _generator(self, run: int | None, purpose: int) -> np.random.Generator:
        """Random numbers of a run: other ones for each purpose, and the same however many runs there are."""
        return np.random.default_rng([self._seed, purpose, 0 if run is None else run + 1])

    def rows(self, run: int) -> NDArray | None:
        """The rows that a run draws, sorted; None is all of them."""
        n = self._n_units
        if self._resampling == "subsample":
            units = self._generator(run, 0).permutation(n)[: min(max(1, round(self.share * n)), n - 1)]
        elif self._resampling == "bootstrap":
            units = np.unique(self._generator(run, 0).integers(n, size=n))
        elif self._resampling == "halves":
            units = np.array_split(self._generator(run // 2, 0).permutation(n), 2)[run % 2]
        else:
            return None
        if self.groups is not None:
            units = np.flatnonzero(np.isin(self.groups, units))
        narrow = np.int32 if self.n_samples < 2**31 else np.int64
        return np.sort(units).astype(narrow)

    def samples(self, run: int | None, rows: NDArray | None) -> Any:
        """The samples of a run, with its noise if there is any; a run of None has all of them as they are."""
        if self.noise is None or run is None:
            return take_samples(self._X, rows)
        xp = backend_of(self._X).xp
        noise = self._generator(run, 1).standard_normal(tuple(self._X.shape)) * (self.noise * self._deviations)
        return self._X + xp.astype(move_to(noise, self._X), self._X.dtype)

    def seed(self, run: int | None) -> int:
        """The seed of the clusterer in a run: the same for all settings."""
        return int(self._generator(run, 2).integers(2**31))
