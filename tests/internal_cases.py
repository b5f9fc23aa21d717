"""Samples and clusters that are hard in some way, and their exact scores, found once each."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

import internal_oracles as oracles
import numpy as np
from oracles import mp

import gpuval
from gpuval.measures.measure import measures_in
from gpuval.metrics.internal import centres

N, D, K = 40, 5, 4


def _normal(rng, n=N, d=D, k=K):
    return rng.normal(size=(n, d)), rng.permutation(np.arange(n) % k)


def normal(rng):
    return _normal(rng)


def far(rng):
    """Spread 1 around 10^4: the squares of the samples are 10^8 times those of their differences."""
    X, labels = _normal(rng)
    return X + 1e4, labels


def tight(rng):
    """Spread 10^-3 around centres that are 10^3 apart."""
    X, labels = _normal(rng)
    return 1e-3 * X + 1e3 * rng.normal(size=(K, D))[labels], labels


def outlier(rng):
    X, labels = _normal(rng)
    X[17] = 1e5
    return X, labels


def duplicates(rng):
    """Few places, and many samples in each: distances of 0 within clusters and between them."""
    X, labels = _normal(rng)
    return np.round(X / 2), labels


def collinear(rng):
    _, labels = _normal(rng)
    return rng.integers(-9, 10, (N, 1)) * np.arange(1.0, D + 1), labels


def some_are_zero(rng):
    """Without a direction: in a cluster of their own, among others, and alone in their cluster."""
    X, labels = _normal(rng)
    X[labels == 0] = 0
    X[np.flatnonzero(labels == 1)[::2]] = 0
    X[np.flatnonzero(labels == 2)[0]] = 0
    return X, labels


def some_are_constant(rng):
    """Features that are all equal have no correlation, whatever is left when a rounded mean is taken from them."""
    X, labels = _normal(rng)
    same = rng.normal(size=(N, 1)) * np.ones(D)
    X[labels == 0] = same[labels == 0]
    for rows in (np.flatnonzero(labels == 1)[::2], np.flatnonzero(labels == 2)[:1]):
        X[rows] = same[rows]
    return X, labels


def one_mean(rng):
    """Two clusters that have one mean exactly, and two others, so that no sum of theirs is exact."""
    X, labels = _normal(rng)
    labels.sort()
    place, half = np.round(8 * X[0]) / 8, np.round(64 * X[: N // K // 2]) / 64
    X[labels == 0], X[labels == 1] = place + np.concatenate([half, -half]), place - 2 * np.concatenate([half, -half])
    return X, labels


def one_feature(rng):
    return _normal(rng, d=1)


def two_features(rng):
    return _normal(rng, d=2, k=2)


def many_features(rng):
    return _normal(rng, n=24, d=50, k=3)


def singles(rng):
    """Clusters of one sample beside others."""
    X, _ = _normal(rng, n=30)
    return X, rng.permutation(np.repeat(np.arange(8), [1, 1, 1, 12, 1, 9, 4, 1]))


def tiny(rng):
    """Many clusters of two samples or three."""
    X, _ = _normal(rng, n=60, d=3)
    return X, rng.permutation(np.arange(60) % 27)


CASES: dict[str, Callable] = {
    f.__name__: f
    for f in (
        normal,
        far,
        tight,
        outlier,
        duplicates,
        collinear,
        some_are_zero,
        some_are_constant,
        one_mean,
        one_feature,
        two_features,
        many_features,
        singles,
        tiny,
    )
}
OF_ONE_SHAPE = (
    "normal",
    "far",
    "tight",
    "outlier",
    "duplicates",
    "collinear",
    "some_are_zero",
    "some_are_constant",
    "one_mean",
)
"""Those of N samples in D features and K clusters, for what compiles for each shape."""


@functools.cache
def case(name: str, bits: int = 64) -> tuple[np.ndarray, np.ndarray]:
    """The samples, as they stand in so many bits, and their clusters."""
    X, labels = CASES[name](np.random.default_rng(list(CASES).index(name)))
    return X.astype(f"f{bits // 8}"), labels


@functools.cache
def distances(name: str, metric: str, bits: int = 64) -> oracles.Matrix:
    """The exact distances of a case; "precomputed" are the Euclidean ones, rounded to what is handed in."""
    if metric == "precomputed":
        return oracles.exact(precomputed(name, bits))
    return oracles.distances(case(name, bits)[0], metric)


@functools.cache
def precomputed(name: str, bits: int = 64) -> np.ndarray:
    return np.asarray(distances(name, "euclidean", bits)).astype(f"f{bits // 8}")


@functools.cache
def silhouettes(name: str, metric: str, bits: int = 64) -> np.ndarray:
    labels = case(name)[1].tolist()
    return np.asarray([float(x) for x in oracles.silhouettes(distances(name, metric, bits), labels)])


@functools.cache
def exact(name: str, measure: str, metric: str | None = None, bits: int = 64) -> float:
    """The score of a case."""
    X, labels = case(name, bits)
    if metric is not None:
        return float(getattr(oracles, measure)(distances(name, metric, bits), labels.tolist()))
    return float(getattr(oracles, measure)(X, labels.tolist()))


@functools.cache
def between_batches(name: str, metric: str, bits: int, rescale: bool, between: str) -> float:
    """The silhouette of the batches of a case."""
    labels, batch = case(name)[1].tolist(), batches(name).tolist()
    return float(oracles.silhouette_batch(distances(name, metric, bits), labels, batch, rescale, between))


def batches(name: str) -> np.ndarray:
    """Batches within the clusters: of some, all cells are of one; of others, each is of its own."""
    labels = case(name)[1]
    batch = np.random.default_rng(3).integers(0, 3, len(labels))
    batch[labels == 0] = 1
    of_own = np.flatnonzero(labels == 1)
    batch[of_own] = np.arange(len(of_own))
    return batch


def off_by(found: float, exact: float) -> float:
    """How far a score is from the exact one: absolutely below 1, else relatively."""
    if np.isinf(exact):
        return 0.0 if found == exact else np.inf
    if np.isnan(found):
        return np.inf
    return float(abs(mp.mpf(found) - mp.mpf(exact)) / max(1, abs(exact)))


# ---- measures ------------------------------------------------------------------------------------


def oracle_of(name: str) -> str:
    """What the oracles call a measure."""
    return name.removesuffix("_score").removesuffix("_index")


def calls_of(modules: Iterable[ModuleType], metrics: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The measures of modules that are one number, with each distance that they take and what is tried of them.

    By the name of the measure and that of the distance or value: its options.
    """
    found: dict[str, dict[str, Any]] = {}
    for measure in (x for x in measures_in(*modules) if x.values == "one"):
        takes_metric = "metric" in inspect.signature(measure.function).parameters
        found |= {f"{measure.name}-{x}": {"metric": x} for x in metrics} if takes_metric else {measure.name: {}}
        found |= {f"{measure.name}-{x}": {option: x} for option, values in measure.tried.items() for x in values}
    return found


OF_MEANS = {oracle_of(x.name): x.function for x in measures_in(centres)}
"""The measures of the means of clusters, by what the oracles call them."""
OF_CENTRES = OF_MEANS | {"xie_beni_of_samples": functools.partial(centres.xie_beni_index, separation="samples")}
"""And one of the distances between samples."""


def takes_a_distance(function: Callable) -> bool:
    """Whether a measure takes samples and labels, and nothing more for any distance."""
    parameters = list(inspect.signature(function).parameters)
    return parameters[:2] == ["X", "labels"] and "metric" in parameters and not {"batch", "n_features"} & {*parameters}


BY_METRIC = [x.function for x in measures_in(gpuval) if takes_a_distance(x.function)]
"""The measures that depend on a distance."""
