"""Clusters of any size at any distance: none spoils the others, and no score is silently wrong where squares fail."""

from __future__ import annotations

import functools

import dask.array as da
import internal_oracles as oracles
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from backends import as_on_a_device
from internal_cases import OF_MEANS
from scipy import sparse

import gpuval

RNG = np.random.default_rng(3)
X, LABELS = RNG.normal(size=(24, 3)), np.arange(24) % 3
FAR = np.asarray([0.0, 0.0, 1.0])[LABELS][:, None]
PAIRS = np.asarray([0, 0, 1, 1, 2, 2])


def column(*values):
    return np.asarray(values)[:, None]


TINY = "units 1e-150 and 1"
CASES = {
    "far": (column(0, 1, 10, 11, 1e16, 1.001e16), PAIRS),
    "far by 1e7": (column(0, 1, 10, 11, 1e7, 1.1e7), PAIRS),
    "two near each other, far from one": (column(0, 1, 1e15, 1e15 + 1, 1e15 + 4, 1e15 + 6), PAIRS),
    "fill values": (X + 9.97e36 * FAR, LABELS),
    "one large cluster": (X * (1 + 1e200 * FAR), LABELS),
    **{f"unit {unit}": (X * unit, LABELS) for unit in (1e-300, 1e-200, 1e200, 1e300)},
    TINY: (X * np.where(FAR, 1, 1e-150), LABELS),
}
MEASURES = {
    name: measure for name, measure in OF_MEANS.items() if np.isclose(measure(2 * X, LABELS), measure(X, LABELS))
}
"""Those that no unit changes."""


OF_PAIRS = "davies_bouldin", "xie_beni"
"""Those of the distances between means."""


@functools.cache  # all ways have the same cases
def exact(name, case):
    x, y = CASES[case]
    return float(getattr(oracles, name)(x, y.tolist()))


def in_a_graph(measure, x, y):
    with jax.enable_x64(x.dtype == np.float64):
        return jax.jit(lambda a, b: measure(a, b, n_clusters=3))(jnp.asarray(x), jnp.asarray(y))


def on_a_device(measure, x, y):
    with as_on_a_device():
        return measure(torch.asarray(x), torch.asarray(y), n_clusters=3)


def of_blocks(measure, x, y):
    return measure(da.from_array(x, chunks=(7, -1)), da.from_array(y, chunks=7))


WAYS = {
    "numpy": lambda measure, x, y: measure(x, y),
    "sparse": lambda measure, x, y: measure(sparse.csr_array(x), y),
    "device": on_a_device,
    "graph": in_a_graph,
    "dask": of_blocks,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", MEASURES)
def test_of_any_scale(name, case, way):
    """A device may say that it does not know, where distances are beyond each other's floats."""
    x, y = CASES[case]
    found = float(WAYS[way](MEASURES[name], x, y))
    may_be_none = way in ("device", "graph") and name in OF_PAIRS and case in ("one large cluster", TINY)
    assert found == pytest.approx(exact(name, case), rel=1e-11) or (may_be_none and np.isnan(found))


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", MEASURES)
def test_in_32_bits(name, case):
    """Right, or none: squares of the samples are beyond these floats, and so may be the score."""
    x, y = CASES[case]
    with np.errstate(over="ignore"):
        x = x.astype(np.float32)
    found = float(in_a_graph(MEASURES[name], x, y))
    if not np.isfinite(x).all():
        assert np.isnan(found)
        return
    expected = float(np.float64(getattr(oracles, name)(x, y.tolist())))
    beyond = expected > float(np.finfo(np.float32).max) and found == np.inf
    assert found == pytest.approx(expected, rel=1e-5) or beyond or (case == "fill values" and np.isnan(found))


@pytest.mark.parametrize("unit", [1e-30, 1e-25, 1e15, 1e30])
@pytest.mark.parametrize("name", MEASURES)
def test_units_in_32_bits(name, unit):
    x = (X * unit).astype(np.float32)
    expected = float(getattr(oracles, name)(x, LABELS.tolist()))
    assert float(in_a_graph(MEASURES[name], x, LABELS)) == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, torch.asarray])
def test_batches_of_any_scale(form, case):
    """Of batches, of their sums, and of what is read back from a checkpoint."""
    x, y = CASES[case]
    first, second = gpuval.InternalAccumulator(), gpuval.InternalAccumulator()
    for rows in np.array_split(np.arange(len(x)), 4):
        (first if rows[0] % 2 else second).update(form(x[rows]), y[rows])
    first.merge(second)
    read = gpuval.InternalAccumulator()
    read.load_state_dict(first.state_dict())
    expected = float(oracles.calinski_harabasz(x, y.tolist()))
    assert float(gpuval.calinski_harabasz_score(read.moments)) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_sums_beyond_the_floats_are_refused(form):
    with pytest.raises(ValueError, match="X must be of numbers whose sums are floats, got larger ones; scale them"):
        gpuval.InternalAccumulator().update(form(np.full((9, 2), 1e308)), LABELS[:9])


def test_a_cluster_far_away_makes_no_others_one():
    """The other way round: means that are one but for rounding still have no likeness, near zero and far from it."""
    half = np.round(64 * RNG.normal(size=(6, 2))) / 64 + 0.1
    for place in (0.0, 1e6):
        one, other = place + np.concatenate([half, -half]), place - 3 * np.concatenate([half, -half])
        x = np.concatenate([one, other, one + 1e10])
        y = np.repeat([0, 1, 2], 12)
        wanted = oracles.davies_bouldin(np.concatenate([one, one + 1e10]), [0] * 12 + [1] * 12)
        assert gpuval.davies_bouldin_score(x, y) < 1e-6
        assert wanted < 1e-6


def test_a_unit_keeps_what_is_small():
    x, y = column(0, 1, 10, 11, 1e200, 1.001e200), PAIRS
    expected = float(oracles.silhouette(oracles.distances(x, "euclidean"), y.tolist()))
    assert gpuval.silhouette_score(x, y) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_a_spread_of_few_roundings(dtype):
    """Samples that differ in their last digits alone, far from those of other clusters and beside each other."""
    ulp = float(np.spacing(dtype(1e6)))
    near = 1e6 + ulp * RNG.integers(0, 9, (20, 3))
    x = np.concatenate([X, near, near + 16 * ulp]).astype(dtype)
    y = np.concatenate([LABELS * 0, np.full(20, 1), np.full(20, 2)])
    for name, measure in MEASURES.items():
        expected = float(getattr(oracles, name)(x, y.tolist()))
        assert float(measure(x, y)) == pytest.approx(expected, rel=1e-12)
        if dtype == np.float64:
            assert float(on_a_device(measure, x, y)) == pytest.approx(expected, rel=1e-6)
