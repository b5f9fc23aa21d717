"""Kernels on as many processors as an H100 has: blocks that get few samples, or none, and sums over many blocks."""

import cupy
import mpmath
import numpy as np
import pytest
from hypergeometric_oracles import exact

from cupy_on_cpu import compiler
from cupy_on_cpu.arrays import on_device
from gpuval.engines.cuda import statistics, tabulate
from gpuval.engines.cuda.kernels import device


@pytest.fixture(autouse=True)
def many_processors(set_processors, monkeypatch):
    set_processors(132, 2048)
    monkeypatch.setattr(compiler, "kind", "plain")
    assert device(0).processors == 132


@pytest.mark.parametrize("shape", [(3, 4), (500, 500)])
def test_counts_and_limits(shape):
    """Of so many samples that there are some hundred blocks."""
    rng = np.random.default_rng(1)
    x, y = (rng.integers(0, size, 150_001).astype(np.int32) for size in shape)
    given = on_device(x, 1), on_device(y)
    found, outside = tabulate.dense_counts(*given, *map(range, shape))
    wanted = np.bincount(x.astype(np.int64) * shape[1] + y, minlength=shape[0] * shape[1]).reshape(shape)
    np.testing.assert_array_equal(found.get(), wanted)
    assert int(outside) == 0
    assert tabulate.limits_of(*given) == tuple((int(z.min()), int(z.max())) for z in (x, y))


def test_runs():
    x, y = np.random.default_rng(2).integers(0, 2**20, (2, 100_003))
    runs = tabulate.runs_of(on_device(x), on_device(y), range(2**20), range(2**20))
    wanted, times = np.unique(np.stack([x, y]), axis=1, return_counts=True)
    np.testing.assert_array_equal(cupy.stack(runs).get(), [*wanted, times])


@pytest.mark.parametrize("shape", [(2, 3), (300, 400)])
def test_sums_of_a_table(shape):
    counts = np.random.default_rng(3).integers(0, 100, shape)
    sums = counts.sum(axis=1), counts.sum(axis=0), counts.sum()
    for found, wanted in zip(statistics.margins_of(on_device(counts)), sums, strict=True):
        np.testing.assert_array_equal(found.get(), wanted)
    given = [on_device(x) for x in (counts, *sums)]
    both = int((counts**2).sum()) - int(counts.sum())
    assert statistics.pair_parts(*given).get()[0] == both
    n, of_all = int(counts.sum()), counts[counts > 0]
    expectation = np.outer(sums[0], sums[1])[counts > 0] / n
    mutual = float(mpmath.fsum(int(k) * mpmath.log(k / e) for k, e in zip(of_all, expectation, strict=True))) / n
    assert statistics.information_parts(*given).get()[0] == pytest.approx(mutual, rel=1e-12)


def test_expected_sums():
    """Fewer pairs than blocks that the device runs at once, and a block for each four of them."""
    sizes = np.arange(1, 31), np.arange(5, 25)
    sides = [(on_device(x), None) for x in sizes]
    parts, _ = statistics.expectation_parts(*sides, on_device(200), on_device(2.0), on_device(1.0))
    wanted = sum(exact(int(a), int(b), 200) for a in sizes[0] for b in sizes[1]) / 200
    assert parts.get()[0] == pytest.approx(float(wanted), rel=1e-13)


def test_distances():
    points = np.random.default_rng(4).normal(size=(600, 3))
    edges, masses = np.array([0, 200, 600]), np.array([200.0, 400])
    codes = np.repeat([0, 1], [200, 400])
    means = statistics.cluster_means(
        *map(on_device, (points, codes, points, edges)), None, on_device(masses), "cityblock"
    )
    apart = np.abs(points[:, None] - points[None]).sum(axis=2)
    own = np.where(codes == 0, apart[:, :200].sum(axis=1), apart[:, 200:].sum(axis=1))
    np.testing.assert_allclose(means.get()[0], own, rtol=1e-13)
