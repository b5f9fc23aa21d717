"""Samples held by Dask: of each block come its moments, and the score is that of all samples at once."""

from __future__ import annotations

import functools

import dask
import dask.array as da
import dask.dataframe as dd
import internal_oracles as oracles
import numpy as np
import pandas as pd
import pytest
from internal_cases import OF_MEANS
from only_for import only_for

import gpuval

RNG = np.random.default_rng(12)
N, D, K = 300, 4, 6
LABELS = RNG.integers(0, K, N)
X = RNG.normal(size=(N, D)) + RNG.normal(size=(K, D))[LABELS] + 50
COPIES, SHARES = RNG.integers(0, 4, N), RNG.random(N)


@pytest.fixture(params=OF_MEANS)
def name(request):
    return request.param


def expected_of(name, rows=slice(None), weights=None):
    samples, labels = X[rows], LABELS[rows].tolist()
    if weights is not None and weights.dtype.kind == "i":
        samples, labels = oracles.repeated(samples, labels, weights)
        weights = None
    given = tuple(map(tuple, samples.tolist())), tuple(labels), None if weights is None else tuple(weights)
    return pytest.approx(exact(name, *given), rel=1e-12)


@functools.cache  # the same samples are held in many ways
def exact(name, samples, labels, weights):
    return float(getattr(oracles, name)(samples, labels, weights))


def held(chunks_of_x=90, chunks_of_labels=90, labels=LABELS):
    return da.from_array(X, chunks=chunks_of_x), da.from_array(labels, chunks=chunks_of_labels)


@pytest.mark.parametrize(
    "chunks", [((N, D), N), ((100, D), 100), ((37, D), 211), ((1, D), 299), ((80, 1), 80), ((N, 3), 7)]
)
@pytest.mark.parametrize("size", [{}, {"n_clusters": K}, {"n_clusters": K + 3}])
@only_for(lambda chunks, size: chunks[0][0] != 1 or not size)
def test_arrays(name, chunks, size):
    """Also of chunks that do not go together, and of features in several chunks."""
    found = OF_MEANS[name](*held(*chunks), **size)
    assert type(found) is np.float64
    assert found == expected_of(name)


@pytest.mark.parametrize("weights", [COPIES, SHARES], ids=["copies", "shares"])
@pytest.mark.parametrize("size", [{}, {"n_clusters": K}])
def test_weights(name, weights, size):
    found = OF_MEANS[name](*held(70, 110), sample_weight=da.from_array(weights, chunks=45), **size)
    assert found == expected_of(name, weights=weights)


@pytest.mark.parametrize("size", [{}, {"n_clusters": K}])
def test_ignored_labels(name, size):
    """Of which a block may have nothing else."""
    labels = np.sort(LABELS)
    found = OF_MEANS[name](*held(40, 40, labels), ignore_labels=[0, 5], **size)
    rows = ~np.isin(labels, [0, 5])
    wanted = exact(name, tuple(map(tuple, X[rows].tolist())), tuple(labels[rows].tolist()), None)
    assert found == pytest.approx(wanted, rel=1e-12)


@pytest.mark.parametrize("labels", [LABELS - 3, 10**12 * LABELS, LABELS.astype(str), LABELS.astype(float)])
def test_labels_that_are_not_in_every_block(name, labels):
    order = np.argsort(LABELS, kind="stable")
    found = OF_MEANS[name](da.from_array(X[order], chunks=25), da.from_array(labels[order], chunks=25))
    assert found == expected_of(name)


def test_frames(name):
    frame = pd.DataFrame(X, columns=list("abcd")).assign(label=pd.Categorical(LABELS.astype(str)))
    frames = dd.from_pandas(frame, npartitions=5)
    assert OF_MEANS[name](frames[list("abcd")], frames["label"]) == expected_of(name)


def test_delayed_partitions(name):
    """What reads a file for each."""
    cuts = [slice(0, 10), slice(10, 200), slice(200, N)]
    parts = [[dask.delayed(x[cut]) for cut in cuts] for x in (X, LABELS, SHARES)]
    assert OF_MEANS[name](*parts[:2]) == expected_of(name)
    assert OF_MEANS[name](*parts[:2], sample_weight=parts[2]) == expected_of(name, weights=SHARES)


def test_chunks_of_unknown_length(name):
    samples, labels = held()
    kept = labels > 0
    assert OF_MEANS[name](samples[kept], labels[kept]) == expected_of(name, rows=LABELS > 0)


def test_no_worker_gets_more_than_a_block(name):
    """Of samples; what comes together are moments. Blocks are read once for each round."""
    seen = []

    def spied(block):
        seen.append(block.shape)
        return block

    samples, labels = held()
    given = samples.rechunk((20, D)).map_blocks(spied, dtype=float, meta=X[:0])
    with dask.config.set(scheduler="sync"):
        found = OF_MEANS[name](given, labels)
    assert found == expected_of(name)
    assert max(rows for rows, _ in seen) == 20
    assert len(seen) == 15 * {"davies_bouldin": 2, "pbm": 3}.get(name, 1)


def test_what_comes_together_is_as_large_as_the_centres(monkeypatch):
    from gpuval.geometry import blocks

    sizes, build = [], blocks._moments_of_block

    def spied(*args, **options):
        found = build(*args, **options)
        sizes.append(max(getattr(x, "size", 0) for x in vars(found).values()))
        return found

    monkeypatch.setattr(blocks, "_moments_of_block", spied)
    gpuval.calinski_harabasz_score(*held())
    assert max(sizes) == K * D


def test_an_accumulator_takes_them_too():
    accumulator = gpuval.InternalAccumulator(ignore_labels=1)
    half = N // 2
    for part in (slice(0, half), slice(half, N)):
        accumulator.update(*(da.from_array(x[part], chunks=40) for x in (X, LABELS)))
    assert gpuval.calinski_harabasz_score(accumulator.moments) == expected_of("calinski_harabasz", LABELS != 1)


def test_too_few_clusters(name):
    samples, labels = held(labels=np.zeros(N, dtype=int))
    if name in ("inertia", "ball_hall"):  # which one cluster has, too
        assert np.isclose(
            OF_MEANS[name](samples, labels), ((X - X.mean(axis=0)) ** 2).sum() / (1 if name == "inertia" else N)
        )
        return
    with pytest.raises(ValueError, match=r"Number of labels is 1\."):
        OF_MEANS[name](samples, labels)
    assert np.isnan(OF_MEANS[name](samples, labels, on_degenerate="nan"))


def test_what_is_not_finite_is_told(name):
    samples = X.copy()
    samples[123, 2] = np.nan
    with pytest.raises(ValueError, match=r"X must be finite, got nan in row 23, column 2 \(in a block of Dask"):
        OF_MEANS[name](da.from_array(samples, chunks=50), da.from_array(LABELS, chunks=50))
