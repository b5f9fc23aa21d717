"""Samples and labels of any kind, in any order in memory; and what may be done to them without a change of a score."""

from __future__ import annotations

from fractions import Fraction

import internal_oracles as oracles
import numpy as np
import pytest
import torch
from backends import BACKENDS
from compiling import output_on_devices
from internal_cases import D, K, N, calls_of, oracle_of
from only_for import only_for
from packages import da, pd, pl
from scipy import sparse

import gpuval
from gpuval.metrics.internal import centres, dunn, silhouette

METRICS = oracles.METRICS
RNG = np.random.default_rng(11)
WHOLE = RNG.integers(-4, 5, (N, D))
X, LABELS = WHOLE.astype(float), RNG.permutation(np.arange(N) % K)

CALLS = {
    call: (getattr(gpuval, call.partition("-")[0]), options)
    for call, options in {
        **{f"silhouette_samples-{x}": {"metric": x} for x in METRICS},
        **calls_of([centres, silhouette, dunn], METRICS),
    }.items()
}
"""All measures with all metrics."""


def expected_of(call, samples=X, labels=LABELS):
    """The definition, which has seen neither arrays of any kind nor an order in memory."""
    name, _, metric = call.partition("-")
    names = labels.tolist()
    if metric not in METRICS:
        return float(getattr(oracles, "_of_".join(filter(None, (oracle_of(name), metric))))(samples, names))
    distances = oracles.distances(samples, metric)
    if name == "silhouette_samples":
        return np.asarray([float(x) for x in oracles.silhouettes(distances, names)])
    return float(getattr(oracles, name.split("_")[0])(distances, names))


def assert_expected(call, samples, labels, expected, rtol=1e-12):
    measure, options = CALLS[call]
    found = measure(samples, labels, **options)
    found = found.numpy() if isinstance(found, torch.Tensor) else np.asarray(found)
    np.testing.assert_allclose(found, expected, rtol=rtol, atol=rtol, err_msg=call)


@pytest.fixture(scope="module")
def expected():
    return {call: expected_of(call) for call in CALLS}


# ---- samples -------------------------------------------------------------------------------------


def mapped(x, tmp_path):
    file = np.memmap(tmp_path / "x", dtype=x.dtype, mode="w+", shape=x.shape)
    file[:] = x
    file.flush()
    return np.memmap(tmp_path / "x", dtype=x.dtype, mode="r", shape=x.shape)


def frozen(x):
    x = x.copy()
    x.flags.writeable = False
    return x


class Convertible:
    """Something of another library that can become an array of NumPy."""

    def __init__(self, x):
        self._x = x

    def __array__(self, dtype=None, copy=None):
        return np.array(self._x, dtype=dtype)


SAMPLES = {
    "lists": lambda x, _: x.tolist(),
    "tuples": lambda x, _: tuple(map(tuple, x.tolist())),
    "rows of arrays": lambda x, _: list(x),
    "int8": lambda x, _: x.astype(np.int8),
    "int64": lambda x, _: x.astype(np.int64),
    "uint16": lambda x, _: (x + 4).astype(np.uint16),
    "float16": lambda x, _: x.astype(np.float16),
    "float32": lambda x, _: x.astype(np.float32),
    "columns first": lambda x, _: np.asfortranarray(x),
    "every second": lambda x, _: np.repeat(np.repeat(x, 2, axis=0), 3, axis=1)[::2, ::3],
    "backwards": lambda x, _: x[::-1, ::-1].copy()[::-1, ::-1],
    "other order of bytes": lambda x, _: x.astype(">f8"),
    "other order of bytes in 32 bits": lambda x, _: x.astype(">f4"),
    "other order of bytes in integers": lambda x, _: x.astype(">i4"),
    "mapped from a file": mapped,
    "not writeable": lambda x, _: frozen(x),
    "convertible": lambda x, _: Convertible(x),
    "pandas": lambda x, _: pd.DataFrame(x, index=range(9, 9 + N)),
    "pandas, of several types": lambda x, _: pd.DataFrame({"a": x[:, 0].astype(int)}).join(pd.DataFrame(x[:, 1:])),
    "polars": lambda x, _: pl.DataFrame(x),
    "torch": lambda x, _: torch.asarray(x),
    "torch, integers": lambda x, _: torch.asarray(x).to(torch.int32),
    "torch, bfloat16": lambda x, _: torch.asarray(x).to(torch.bfloat16),
    "torch, half": lambda x, _: torch.asarray(x).to(torch.float16),
    "torch, transposed": lambda x, _: torch.asarray(x.T.copy()).T,
    "csr": lambda x, _: sparse.csr_array(x),
    "csc": lambda x, _: sparse.csc_matrix(x),
    "coo": lambda x, _: sparse.coo_array(x),
    "lil": lambda x, _: sparse.lil_matrix(x),
    "csr, 32 bits": lambda x, _: sparse.csr_array(x.astype(np.float32)),
    "csr, integers": lambda x, _: sparse.csr_array(x.astype(np.int32)),
    "csr, stored twice": lambda x, _: doubled(x),
}


def doubled(x):
    """Each number as the sum of two entries, which is what a sparse matrix may be before it is made canonical."""
    row, column = np.indices(x.shape).reshape(2, -1)
    parts = np.concatenate([x.ravel() - 1, np.ones(x.size)])
    return sparse.csr_array(sparse.coo_array((parts, (np.tile(row, 2), np.tile(column, 2))), shape=x.shape))


@pytest.mark.parametrize("kind", SAMPLES)
def test_samples_of_any_kind(kind, tmp_path, expected):
    samples = SAMPLES[kind](X, tmp_path)
    labels = torch.asarray(LABELS) if kind.startswith("torch") else LABELS
    for call, value in expected.items():
        if kind == "uint16" and "cosine" in call:
            continue  # they were moved, and cosines are those of angles at the origin
        before = np.array(np.asarray(samples)) if kind == "columns first" else None
        exactness = 1e-12 if "float16" not in kind and "32" not in kind and "half" not in kind else 1e-5
        assert_expected(call, samples, labels, value, exactness)
        if before is not None:
            np.testing.assert_array_equal(samples, before)


def test_raw_duplicate_entries_of_a_sparse_matrix(expected):
    """``sum_duplicates`` was never called."""
    column = np.tile(np.arange(D), N)
    parts = np.stack([X.ravel() - 1, np.ones(X.size)], axis=1).ravel()
    indices, starts = np.repeat(column, 2), np.arange(N + 1) * 2 * D
    raw = sparse.csr_array((parts, indices, starts), shape=X.shape)
    assert not raw.has_canonical_format
    for call, value in expected.items():
        assert_expected(call, raw, LABELS, value)


def test_booleans():
    """True is 1, and a distance is that of numbers."""
    for call in CALLS:
        expected = expected_of(call, (X > 0).astype(float))
        assert_expected(call, X > 0, LABELS, expected)
        if np.ndim(expected) == 0:
            assert_expected(call, torch.asarray(X > 0), torch.asarray(LABELS), expected)


def test_half_precision_is_read_to_the_last_digit():
    """The numbers of float16 as they are, in the arithmetic of a wider type."""
    half = RNG.normal(size=(N, D)).astype(np.float16)
    for call in CALLS:
        assert_expected(call, half, LABELS, expected_of(call, half.astype(float)), 1e-5)


def test_large_integers_are_numbers():
    """Whose squares are beyond the integers."""
    large = WHOLE * 2**40
    for call in CALLS:
        assert_expected(call, large, LABELS, expected_of(call, large.astype(float)))


FAR = 2**53
LINE = [[FAR], [FAR + 1], [FAR + 8], [FAR + 9]]
"""As floats, the second is where the first is, and the last where the third is."""
HALVES = [0, 0, 1, 1]
OF_LINE = float((Fraction(15, 17) + Fraction(13, 15)) / 2)
"""The silhouettes of 0, 1, 8 and 9: 1 - 1/8.5 at the ends, 1 - 1/7.5 within."""

INTEGERS = {
    "list": list,
    "int64": lambda x: np.asarray(x, dtype=np.int64),
    "uint64": lambda x: np.asarray(x, dtype=np.uint64) + np.uint64(2**63),
    "below 0": lambda x: -np.asarray(x, dtype=np.int64),
    "int64 of torch": torch.tensor,
    "uint64 of torch": lambda x: torch.tensor(x, dtype=torch.uint64),
    "lists of two types": lambda x: [[np.int64(x[0][0])], [np.uint64(x[1][0])], *x[2:]],
    "pandas": lambda x: pd.DataFrame(x, columns=["a"], dtype="Int64"),
    "two types of pandas": lambda x: pd.DataFrame(x, columns=["a"]).assign(b=np.zeros(4, dtype=np.uint64)),
    "two types of polars": lambda x: pl.DataFrame(
        {"a": [y for row in x for y in row], "b": pl.Series([7] * 4, dtype=pl.UInt64)}
    ),
}


@pytest.mark.parametrize("kind", INTEGERS)
def test_integers_that_floats_do_not_hold(kind):
    samples = INTEGERS[kind](LINE)
    assert float(gpuval.silhouette_score(samples, HALVES)) == pytest.approx(OF_LINE, rel=1e-15)
    assert float(gpuval.silhouette_score(samples, HALVES, n_clusters=2)) == pytest.approx(OF_LINE, rel=1e-15)
    assert float(gpuval.inertia(samples, HALVES)) == pytest.approx(1, rel=1e-15)
    found = gpuval.evaluate(HALVES, HALVES, ["silhouette", "inertia"], X=samples)
    assert [float(x) for x in found.values()] == pytest.approx([OF_LINE, 1], rel=1e-15)
    of_many = gpuval.silhouette_scores(samples, {"a": HALVES, "b": [0, 0, 0, 1]}, ignore_labels=[7])
    assert float(of_many[0]) == pytest.approx(OF_LINE, rel=1e-15)


def test_integers_that_floats_do_not_hold_in_every_library(backend):
    """Whatever the widest float is, and where values stay on the device."""
    digits = 53 if backend.has_float64 else 24
    dtype = np.int64 if backend.has_int64 else np.int32
    samples, labels = backend.of(WHOLE.astype(dtype) + dtype(2**digits)), backend.of(LABELS.astype(dtype))
    exactness = 1e-12 if backend.has_float64 else 1e-5
    for call in ("silhouette_score-euclidean", "silhouette_score-cityblock", "calinski_harabasz_score"):
        measure, options = CALLS[call]
        for more in ({"n_clusters": K}, {}) if backend.finds_sizes else ({"n_clusters": K},):
            found = measure(samples, labels, **options, **more)
            np.testing.assert_allclose(backend.numpy(found), expected_of(call), rtol=exactness)


def test_integers_that_floats_do_not_hold_and_that_nothing_moves():
    """Angles, and what is added up by batches or blocks, are of the numbers themselves: an error, no rounded number."""
    message = (
        r"^X must hold integers that are at most 2\^53 from 0, as floats do not hold all others, got 9007199254740993"
    )
    line, labels = np.asarray(LINE), np.asarray(HALVES)
    apart = np.abs(line - line.T) + np.where(line == line.T, 0, FAR)
    accumulator = gpuval.InternalAccumulator(2)
    wrong = {
        "cosine": lambda: gpuval.silhouette_score(line, labels, metric="cosine"),
        "correlation": lambda: gpuval.silhouette_score(line, labels, metric="correlation"),
        "sparse": lambda: gpuval.inertia(sparse.csr_array(line), labels),
        "distances": lambda: gpuval.silhouette_score(apart, labels, metric="precomputed"),
        "sparse distances": lambda: gpuval.silhouette_score(sparse.csr_array(apart), labels, metric="precomputed"),
        "batches": lambda: accumulator.update(line, labels),
        "blocks": lambda: gpuval.inertia(da.from_array(line, chunks=4), da.from_array(labels, chunks=4)),
        "cells": lambda: gpuval.integration_scores(line, labels, labels),
    }
    for kind, call in wrong.items():
        with pytest.raises(ValueError, match=message):
            pytest.fail(f"{kind}: {call()}")
    with pytest.raises(
        ValueError, match=r"^X must hold integers that are at most 2\^53 from the least of their feature"
    ):
        gpuval.inertia([[0], [FAR + 1], [0], [0]], labels)
    with pytest.raises(ValueError, match=r"^X must hold integers that fit in 64 bits, or in 64-bit floats"):
        gpuval.inertia(pd.DataFrame({"time": line[:, 0], "value": 0.5}), labels)
    assert gpuval.inertia(line.astype(float), labels) == 0, "floats are what they are"


def test_integers_that_floats_do_not_hold_and_that_are_not_looked_at():
    torch_labels = torch.tensor(HALVES)
    compiled = torch.compile(gpuval.inertia, fullgraph=True, backend="aot_eager")
    assert float(compiled(torch.tensor(LINE), torch_labels, n_clusters=2)) == pytest.approx(1, rel=1e-15)
    assert torch.isnan(compiled(torch.tensor([[0], [FAR + 1], [0], [0]]), torch_labels, n_clusters=2))


def test_integers_that_floats_do_not_hold_and_that_do_not_count():
    with_others = np.asarray([*LINE, [-(2**63)], [2**63 - 1]])
    assert gpuval.inertia(with_others, [*HALVES, -1, -1], ignore_labels=-1) == pytest.approx(1, rel=1e-15)
    assert gpuval.inertia(with_others, [*HALVES, 0, 0], sample_weight=[1] * 4 + [0] * 2) == pytest.approx(1, rel=1e-15)
    apart = np.abs(np.subtract.outer([0, 1, 8, 9, 0], [0, 1, 8, 9, 0]))
    apart[4] = apart[:, 4] = 2**60 + 1
    for given in (apart, sparse.csr_array(apart)):
        options = {"metric": "precomputed", "ignore_labels": -1, "absent": 0 if given is not apart else None}
        assert gpuval.silhouette_score(given, [*HALVES, -1], **options) == pytest.approx(OF_LINE, rel=1e-15)


# ---- labels --------------------------------------------------------------------------------------

NAMES = np.asarray(["b", "a", "", "naïve T"])

OF_ANY_KIND = {
    "list": lambda x: x.tolist(),
    "tuple": lambda x: tuple(x.tolist()),
    "generator": lambda x: (label for label in x.tolist()),
    "int8": lambda x: x.astype(np.int8),
    "unsigned": lambda x: x.astype(np.uint64),
    "floats": lambda x: x.astype(float),
    "other order of bytes": lambda x: x.astype(">i8"),
    "negative": lambda x: x - 7,
    "wide gaps": lambda x: np.asarray([0, -(2**62), 2**62, 5])[x],
    "gaps": lambda x: 3 * x + 10,
    "text": lambda x: NAMES[x],
    "list of text": lambda x: NAMES[x].tolist(),
    "bytes": lambda x: np.asarray([b"b", b"a", b"", b"c"])[x],
    "objects": lambda x: NAMES.astype(object)[x],
    "mixed": lambda x: [["a", 7, b"x", 2.0][label] for label in x],
    "Series": lambda x: pd.Series(x, index=range(100, 100 + len(x))),
    "Series of text": lambda x: pd.Series(NAMES[x]),
    "nullable": lambda x: pd.Series(x, dtype="Int64"),
    "Categorical": lambda x: pd.Categorical(NAMES[x], categories=["zzz", *NAMES]),
    "Series of categories": lambda x: pd.Series(pd.Categorical(NAMES[x])),
    "Index": lambda x: pd.Index(NAMES[x]),
    "polars": lambda x: pl.Series(x),
    "polars text": lambda x: pl.Series(NAMES[x].tolist()),
    "polars categories": lambda x: pl.Series(NAMES[x].tolist()).cast(pl.Categorical),
    "every second": lambda x: np.repeat(x, 2)[::2],
}


@pytest.mark.parametrize("kind", OF_ANY_KIND)
def test_labels_of_any_kind(kind, expected):
    for call, value in expected.items():
        assert_expected(call, X, OF_ANY_KIND[kind](LABELS), value)


def check_on_the_host(backend, kind, expected):
    samples = backend.array(X)
    for name in ("silhouette_score-euclidean", "dunn_index-euclidean", "calinski_harabasz_score"):
        measure, options = CALLS[name]
        found = measure(samples, OF_ANY_KIND[kind](LABELS), **options)
        backend.assert_at_home(found, samples)
        exactness = 1e-12 if backend.has_float64 else 1e-5
        np.testing.assert_allclose(backend.numpy(found), expected[name], rtol=exactness)


@pytest.mark.parametrize("kind", ["list", "text", "wide gaps", "int8"])
@only_for(lambda backend, kind: backend.finds_sizes and (not backend.compiles or kind == "text"))
def test_labels_on_the_host(backend, kind, expected):
    """With samples on a device."""
    check_on_the_host(backend, kind, expected)


@pytest.mark.parametrize("name", ["numpy", "strict", "strict-no-float64", "strict-no-x64", "torch", "torch-host"])
@pytest.mark.parametrize("kind", ["Series of categories", "polars text"])
def test_labels_in_a_data_frame_on_the_host(name, kind, expected):
    """Beside an embedding on a device; a GPU is not asked for, as the labels come there as those of a list do."""
    with BACKENDS[name].mode():
        check_on_the_host(BACKENDS[name], kind, expected)


@pytest.mark.parametrize("name", ["torch", "strict", "jax"])
def test_weights_on_the_host_go_with_labels_there(name, expected):
    backend = BACKENDS[name]
    with backend.mode():
        found = gpuval.calinski_harabasz_score(backend.array(X), LABELS.tolist(), sample_weight=[1] * N)
        value = expected["calinski_harabasz_score"]
        np.testing.assert_allclose(backend.numpy(found), value, rtol=1e-12 if backend.has_float64 else 1e-5)


# ---- what changes nothing ------------------------------------------------------------------------

NORMAL = RNG.normal(size=(N, D))


@pytest.mark.parametrize("call", CALLS)
def test_names_and_order_of_the_clusters(call):
    expected = expected_of(call, NORMAL)
    for names in ([3, 2, 1, 0], [9, 4, 5, 1]):
        assert_expected(call, NORMAL, np.asarray(names)[LABELS], expected)


@pytest.mark.parametrize("call", CALLS)
def test_the_order_of_the_samples(call):
    expected, order = expected_of(call, NORMAL), np.random.default_rng(1).permutation(N)
    moved = expected[order] if np.ndim(expected) else expected
    assert_expected(call, NORMAL[order], LABELS[order], moved)


@pytest.mark.parametrize("call", CALLS)
def test_the_order_of_the_features(call):
    assert_expected(call, NORMAL[:, ::-1], LABELS, expected_of(call, NORMAL))


@pytest.mark.parametrize("call", [x for x in CALLS if "cosine" not in x and "correlation" not in x])
def test_where_the_origin_is(call):
    """Moved by whole numbers, of which no digit is lost."""
    coarse = np.round(NORMAL * 2**20) / 2**20
    assert_expected(call, coarse + 2.0**20 * np.arange(1, D + 1), LABELS, expected_of(call, coarse))


@pytest.mark.parametrize("call", [x for x in CALLS if "correlation" in x])
def test_the_origin_and_the_unit_of_each_sample(call):
    """Correlations do not know them; none of these sums and products is rounded."""
    rng = np.random.default_rng(3)
    coarse = np.round(NORMAL * 2**20) / 2**20
    moved = coarse * 2.0 ** rng.integers(-60, 60, (N, 1)) + 0.0
    moved += 2.0**20 * rng.integers(-9, 10, (N, 1)) * 2.0 ** np.frexp(np.abs(moved).max(axis=1, keepdims=True))[1]
    assert_expected(call, moved, LABELS, expected_of(call, coarse))


@pytest.mark.parametrize("call", [x for x in CALLS if "cityblock" not in x and "correlation" not in x])
def test_how_the_axes_lie(call):
    rotation, _ = np.linalg.qr(np.random.default_rng(2).normal(size=(D, D)))
    assert_expected(call, NORMAL @ rotation, LABELS, expected_of(call, NORMAL))


SCALES = {np.float64: (2.0**-500, 1e-150, 1e-3, 1e3, 1e150, 2.0**500), np.float32: (1e-30, 1e-18, 1e18, 1e30)}


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize(("kind", "scale"), [(kind, scale) for kind, scales in SCALES.items() for scale in scales])
def test_the_unit_of_the_samples(call, kind, scale):
    """The squares of distances may be beyond the floats: no score is."""
    scaled = (NORMAL * scale).astype(kind)
    with np.errstate(over="raise", invalid="raise", divide="raise"):
        assert_expected(call, scaled, LABELS, expected_of(call, scaled), 1e-11 if kind is np.float64 else 1e-5)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("scale", [1e-150, 1e150])
def test_the_unit_of_the_samples_on_a_device(call, scale):
    backend = BACKENDS["torch"]
    measure, options = CALLS[call]
    with backend.mode():
        found = measure(backend.array(NORMAL * scale), backend.array(LABELS), **options)
    np.testing.assert_allclose(backend.numpy(found), expected_of(call, NORMAL * scale), rtol=1e-11, atol=1e-11)


# ---- samples on several devices of JAX --------------------------------------------------------------

SHARDED = """
import jax, numpy as np, gpuval
from jax.sharding import Mesh, NamedSharding, PartitionSpec as P

rng = np.random.default_rng(0)
X, labels = rng.normal(size=(16, 3)), np.arange(16) % 3
mesh = Mesh(jax.devices(), ("samples",))
with jax.enable_x64(True):
    by_row, whole = NamedSharding(mesh, P("samples", None)), NamedSharding(mesh, P())
    for of_X, of_labels in ((by_row, NamedSharding(mesh, P("samples"))), (by_row, whole), (whole, whole)):
        x, y = jax.device_put(X, of_X), jax.device_put(labels, of_labels)
        calls = [(gpuval.silhouette_samples, {"metric": metric}) for metric in ("euclidean", "cosine")]
        for score in (gpuval.dunn_index, gpuval.calinski_harabasz_score, gpuval.davies_bouldin_score):
            calls.append((score, {}))
        for score, how in calls:
            wanted = score(X, labels, **how)
            for given, size in ((y, {"n_clusters": 3}), (labels, {"n_clusters": 3}), (y, {})):
                np.testing.assert_allclose(np.asarray(score(x, given, **how, **size)), wanted, rtol=1e-12)
        alone = {"n_clusters": 3, "on_degenerate": "nan"}
        assert np.isnan(float(gpuval.calinski_harabasz_score(x, 0 * labels, **alone)))
        accumulator = gpuval.InternalAccumulator(3)
        accumulator.update(x, y)
        accumulator.update(x, y)
        np.testing.assert_array_equal(np.asarray(accumulator.moments.masses), 2 * np.bincount(labels))
print("equal")
"""


def test_sharded_samples():
    assert output_on_devices(SHARDED) == ["equal"]
