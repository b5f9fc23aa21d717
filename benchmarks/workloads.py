"""Pairs of label vectors to measure on, or samples and their labels; the same name always makes the same."""

from __future__ import annotations

import csv
from dataclasses import dataclass, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

import gpuval

NDArray = np.ndarray[Any, Any]
Pair = tuple[Any, Any]

STRINGS = ("object", "fixed", "categorical")
"""Kinds whose labels are text: these are for the host, and for peers that take text."""


AGREEING = {"good": 0.9, "step": 0.5}
"""Kinds of which a share of the labels agrees."""


@dataclass(frozen=True)
class Workload:
    """Two label vectors by their description.

    kind
        "random" (independent, uniform), "sorted" (random, in the order of the classes), "skewed" (independent, group k
        as frequent as 1 / k), "noise" (random, a tenth of the clusters -1), "good" (nine labels of ten agree), "step"
        (half of them agree: a batch in the middle of a training), "real" (the labels that ship with gpuval), or random
        labels as "object" strings, "fixed"-width strings, a pandas "categorical" or "hashes", which are integers of
        the whole range of their type; or "blobs": samples around the centres of their clusters, and their labels as
        int64.
    """

    kind: str
    n_samples: int
    n_classes: int
    n_clusters: int
    dtype: str = "int64"
    n_features: int = 0

    @property
    def name(self) -> str:
        """What selects the workload in a command."""
        if self.kind == "step":
            return f"step-{self.n_samples}-k{self.n_clusters}"
        samples = f"{self.n_samples:.0e}".replace("e+0", "e")
        if self.n_features:
            return f"{self.kind}-{samples}-d{self.n_features}-k{self.n_clusters}-{self.dtype}"
        return f"{self.kind}-{samples}-{self.n_classes}x{self.n_clusters}-{self.dtype}"

    @property
    def _sizes(self) -> tuple[int, int]:
        return self.n_classes, self.n_clusters

    @property
    def is_text(self) -> bool:
        """Whether the labels are text."""
        return self.kind in STRINGS

    def absent(self) -> str | None:
        """Why there can be no such labels here."""
        return "pandas is not installed" if self.kind == "categorical" and not find_spec("pandas") else None

    def tiny(self) -> Workload:
        """The same kind of labels, few of them."""
        if self.kind == "real":
            return self
        return replace(self, n_samples=1000, n_classes=min(10, self.n_classes), n_clusters=min(10, self.n_clusters))

    def codes(self) -> tuple[NDArray, NDArray]:
        """The labels as integers, from 0 or -1; of blobs the samples and their labels."""
        if self.kind == "blobs":
            return _blobs(self)
        if self.kind == "real":
            return _shipped(self.dtype)
        rng = np.random.default_rng(0)
        if self.kind == "skewed":
            true, pred = (_skewed(rng, size, self.n_samples).astype(self.dtype) for size in self._sizes)
        else:
            true, pred = (rng.integers(0, size, self.n_samples, dtype=self.dtype) for size in self._sizes)
        if self.kind == "sorted":
            order = np.argsort(true, kind="stable")
            return true[order], pred[order]
        if self.kind == "noise":
            return true, np.where(rng.random(self.n_samples) < 0.1, pred.dtype.type(-1), pred)
        if self.kind in AGREEING:
            return true, np.where(rng.random(self.n_samples) < AGREEING[self.kind], true % self.n_clusters, pred)
        return true, pred

    def labels(self, codes: tuple[NDArray, NDArray]) -> Pair:
        """The labels as their kind has them."""
        if self.kind == "hashes":
            true, pred = (_hashes(size, self.dtype)[x] for x, size in zip(codes, self._sizes, strict=True))
            return true, pred
        if not self.is_text:
            return codes
        texts = [np.asarray([f"cell type {i:05}" for i in range(size)]) for size in self._sizes]
        true, pred = (_text(self.kind, x, names) for x, names in zip(codes, texts, strict=True))
        return true, pred


def blobs(n_samples: int, n_features: int, n_clusters: int, dtype: str = "float32") -> Workload:
    """Samples around the centres of their clusters, which are twice as far apart as the samples of one."""
    return Workload("blobs", n_samples, n_clusters, n_clusters, dtype, n_features)


def size_in_bytes(labels: Pair) -> int:
    """What the inputs take: of objects their references, of categoricals their codes."""
    return sum(int((x.codes if hasattr(x, "codes") else x).nbytes) for x in labels)


def _text(kind: str, codes: NDArray, names: NDArray) -> Any:
    if kind == "categorical":
        import pandas as pd

        return pd.Categorical.from_codes(codes, categories=names.astype(object))
    return (names.astype(object) if kind == "object" else names)[codes]


def _blobs(workload: Workload) -> Pair:
    return around_centres(2, workload.n_samples, workload.n_features, workload.n_clusters, workload.dtype)


def around_centres(spread: float, n_samples: int, n_features: int, n_clusters: int, dtype: str) -> Pair:
    """Samples, and the labels of the centres that they are around; ``spread`` of these, and 1 of samples around one."""
    rng = np.random.default_rng(0)
    centres = spread * rng.standard_normal((n_clusters, n_features))
    labels = rng.integers(0, n_clusters, n_samples)
    X = rng.standard_normal((n_samples, n_features), dtype=np.float32)
    return (X + centres[labels]).astype(dtype), labels


def _hashes(size: int, dtype: str) -> NDArray:
    """Labels without an order that could be seen in them, in their order, as that of the codes is."""
    limits = np.iinfo(dtype)
    return np.sort(np.random.default_rng(size).integers(limits.min, limits.max, size, dtype=dtype))


def _skewed(rng: np.random.Generator, size: int, n_samples: int) -> NDArray:
    shares = 1 / np.arange(1, size + 1)
    places = np.searchsorted(np.cumsum(shares / shares.sum()), rng.random(n_samples))
    return np.minimum(places, size - 1)  # the shares may add up to a little less than 1


def _shipped(dtype: str) -> tuple[NDArray, NDArray]:
    (path,) = Path(gpuval.__file__).parent.rglob("pbmc68k_reduced.csv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    true, pred = (
        np.unique([row[column] for row in rows], return_inverse=True)[1].astype(dtype)
        for column in ("bulk_labels", "louvain")
    )
    return true, pred
