"""Tables of tensors by the kernels: how arrays come in and results go out, with CPU tensors in the place of CUDA's."""

import re
import types
from unittest import mock

import cupy
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from backends import as_on_a_device

import cupy_on_cpu
import gpuval
from cupy_on_cpu import compiler, launched_own
from gpuval import Contingency
from gpuval.engines import Engine, engine_of
from gpuval.engines.backends import backend_of
from gpuval.engines.backends.jax import JAX
from gpuval.engines.backends.torch import TorchBackend
from gpuval.engines.cuda import kernels
from gpuval.engines.cuda.engine import Cuda

DTYPES = [np.int8, np.int64, np.uint8, np.int32, np.bool_]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("layout", [None, "dense", "cells"])
def test_labels_of_unknown_range(dtype, layout, library):
    rng = np.random.default_rng(1)
    low = 0 if dtype in (np.bool_, np.uint8) else -3
    true, pred = (rng.integers(low, high, 400).astype(dtype) for high in (2, 9))
    table = Contingency.from_labels(library(true), library(pred), layout=layout)
    wanted = Contingency.from_labels(true, pred, layout=layout)
    np.testing.assert_array_equal(np.asarray(gpuval.contingency_matrix(table)), wanted.to_array())
    assert type(table.counts) is type(library(true))
    assert any("limits" in name for name in launched_own())
    assert any(("keys_of" if layout == "cells" else "joint") in name for name in launched_own())
    np.testing.assert_allclose(float(gpuval.adjusted_rand_score(table)), gpuval.adjusted_rand_score(wanted))


@pytest.mark.parametrize("dtype", DTYPES)
def test_tables_of_given_size(dtype, library):
    rng = np.random.default_rng(2)
    true, pred = (rng.integers(0, 2, 300).astype(dtype) for _ in range(2))
    score = gpuval.adjusted_rand_score(library(true), library(pred), n_classes=4, n_clusters=300)
    assert float(score) == pytest.approx(gpuval.adjusted_rand_score(true, pred), abs=1e-15)
    joint, *others = launched_own()
    assert "joint" in joint
    assert others == [f"gpuval::{x}" for x in ("margins", "pair_sums", "pair_parts", "formula")]


def test_labels_that_are_not_contiguous(library):
    columns = library(np.array([[0, 7], [1, 7], [1, 7], [2, 8]]))
    table = Contingency.from_labels(columns[:, 0], columns[:, 1], layout="dense")
    assert np.asarray(table.to_array()).tolist() == [[1, 0], [2, 0], [0, 1]]
    assert any("joint" in name for name in launched_own())


def test_labels_outside_are_counted(library):
    true, pred = library(np.array([0, 1, 5, -1])), library(np.array([0, 0, 0, 0]))
    table = Contingency.from_labels(true, pred, n_classes=2, n_clusters=1)
    assert int(table.invalid) == 2
    assert np.isnan(float(gpuval.rand_score(table)))


@pytest.mark.parametrize("weight", [0, 0.0])
def test_weights_of_which_none_counts(weight, library):
    """No sample is left: such a table has no score, also where a kernel has counted it."""
    labels = library(np.array([0, 1, 1])), library(np.array([0, 1, 0]))
    given = {"sample_weight": library(np.full(3, weight)), "n_classes": 2, "n_clusters": 2}
    for name in ("adjusted_rand_score", "purity_score", "normalized_mutual_info_score"):
        assert np.isnan(float(getattr(gpuval, name)(*labels, **given)))
    assert any("joint" in name for name in launched_own())


def test_places_of_32_bits_are_not_for_kernels(library):
    """They read those of listed cells as 64 bits."""
    counts, class_of, cluster_of = (np.array(x) for x in ([5, 1, 7], [0, 0, 1], [0, 1, 1]))
    wanted = gpuval.normalized_mutual_info_score(Contingency.from_cells(counts, class_of, cluster_of, (2, 2)))
    for dtype, is_for_kernels in ((np.int64, True), (np.int32, False)):
        cupy_on_cpu.forget()
        places = (library(x.astype(dtype)) for x in (class_of, cluster_of))
        score = gpuval.normalized_mutual_info_score(Contingency.from_cells(library(counts), *places, (2, 2)))
        assert float(score) == pytest.approx(wanted, rel=1e-13)
        assert any("information" in name for name in launched_own()) is is_for_kernels


@pytest.mark.parametrize("size", [{}, {"n_classes": 2, "n_clusters": 2}])
def test_on_the_stream_and_in_the_memory_of_torch(size, library, memory_of_torch):
    """All that is launched, and all that is allocated on the device; for JAX on CuPy's own stream."""
    labels, is_torch = library(np.array([0, 1, 1])), library is torch.tensor
    cupy_on_cpu.forget()
    memory_of_torch.number = 0
    gpuval.evaluate(labels, labels, **size)
    assert cupy_on_cpu.is_only_stream(memory_of_torch.stream.ptr if is_torch else cupy.cuda.Stream.null.ptr)
    if is_torch:
        assert memory_of_torch.number == cupy_on_cpu.counts()["allocations"] > 0
    else:
        assert memory_of_torch.number == 0


@pytest.mark.parametrize("library", ["torch"], indirect=True)
def test_results_are_in_the_memory_of_torch(library, memory_of_torch):
    labels = library(np.array([0, 1, 1]))
    table = Contingency.from_labels(labels, labels, n_classes=2, n_clusters=2)
    assert table.counts.data_ptr() in memory_of_torch.taken


@pytest.mark.parametrize(("size", "copies"), [({"n_classes": 2, "n_clusters": 2}, 0), ({}, 1)])
def test_what_is_copied_to_the_host(size, copies, library):
    """The smallest and largest labels, where no size is given, and nothing else until the score is looked at."""
    labels = library(np.array([0, 1, 1]))
    cupy_on_cpu.forget()
    gpuval.adjusted_rand_score(labels, labels, **size)
    counts = cupy_on_cpu.counts()
    assert counts["copies to the host"] == copies
    if library is torch.tensor:
        assert counts["waits"] == copies  # and for JAX a thread waits until its arrays are read


WEIGHTS = {
    "integer": np.array([1, 2, 0, 4, 5]),
    "real": np.array([0.5, 0.25, 0, 4, 5]),
    "float32": np.array([0.5, 0.25, 1, 4, 5], dtype=np.float32),
}


@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("size", [{}, {"n_classes": 4, "n_clusters": 2}])
def test_weights(weights, size, library):
    true, pred = np.array([0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 1])
    given = {"sample_weight": WEIGHTS[weights]}
    for name in ("v_measure_score", "adjusted_rand_score", "purity_score"):
        measure = getattr(gpuval, name)
        found = measure(library(true), library(pred), sample_weight=library(WEIGHTS[weights]), **size)
        assert float(found) == pytest.approx(measure(true, pred, **given), abs=1e-14)
    assert any("joint" in name for name in launched_own())


@pytest.mark.parametrize("bad", [[1, -1, 1], [1, np.nan, 1], [1, np.inf, 1], [1, 1e300, 1]])
def test_weights_that_are_none(bad, library):
    labels, weights = library(np.array([0, 1, 2])), library(np.array(bad))
    with pytest.raises(ValueError, match="sample_weight must"):
        gpuval.v_measure_score(labels, labels, sample_weight=weights)
    table = Contingency.from_labels(labels, labels, sample_weight=weights, n_classes=3, n_clusters=3)
    assert int(table.invalid) == 1
    assert np.isnan(float(gpuval.v_measure_score(table)))


def test_weights_outside_the_table(library):
    """A sample that does not count for two reasons is one sample."""
    labels, weights = library(np.array([0, 5, 5, 1])), library(np.array([1, -1, 2, -3]))
    table = Contingency.from_labels(labels, labels, sample_weight=weights, n_classes=2, n_clusters=2)
    assert int(table.invalid) == 3


IGNORED = [-1, 0, 2, [-1, 1], [1, 2], 99, float("nan"), {"true": -1}, {"true": 0, "pred": [-1, 1]}]


@pytest.mark.parametrize("ignored", IGNORED)
@pytest.mark.parametrize("layout", ["dense", "cells"])
def test_labels_to_ignore(ignored, layout, library):
    true, pred = np.array([0, 1, 1, 2, 2, -1, -1, 2]), np.array([0, 0, 1, 1, -1, -1, 0, 2])
    table = Contingency.from_labels(library(true), library(pred), ignore_labels=ignored, layout=layout)
    wanted = Contingency.from_labels(true, pred, ignore_labels=ignored)
    found = table.compact()
    np.testing.assert_array_equal(np.asarray(found.to_array()), wanted.to_array())
    for ours, theirs in ((found.classes, wanted.classes), (found.clusters, wanted.clusters)):
        np.testing.assert_array_equal(np.asarray(ours), np.asarray(theirs))
    assert float(gpuval.v_measure_score(table)) == pytest.approx(gpuval.v_measure_score(wanted), abs=1e-14)
    assert any(("keys" if layout == "cells" else "joint") in name for name in launched_own())


@pytest.mark.parametrize(
    ("ignored", "error"),
    [
        ([0, 1, 2, -1], (ValueError, "ignore_labels must leave at least one sample of labels_true and labels_pred")),
        ("unknown", (TypeError, "ignore_labels must be of a type that labels_true or labels_pred could hold")),
    ],
)
@pytest.mark.parametrize("layout", ["dense", "cells"])
def test_labels_to_ignore_that_cannot_be(ignored, error, layout, library):
    true, pred = np.array([0, 1, 1, 2, 2, -1, -1, 2]), np.array([0, 0, 1, 1, -1, -1, 0, 2])
    with pytest.raises(error[0], match=error[1]):
        Contingency.from_labels(library(true), library(pred), ignore_labels=ignored, layout=layout)


def test_an_accumulator_counts_into_its_table(library):
    """By the kernel, in the memory it has; arrays of JAX are never written into."""
    rng = np.random.default_rng(4)
    true, pred = rng.integers(0, 7, 300), rng.integers(0, 5, 300)
    accumulator = gpuval.Accumulator(7, 5)
    for weights in (None, np.arange(100)):
        cupy_on_cpu.forget()
        for start in (0, 100, 200):
            columns = [library(x[start : start + 100]) for x in (true, pred)]
            accumulator.update(*columns, None if weights is None else library(weights))
        assert sum("joint" in name for name in launched_own()) == 3
    wanted = 1 + np.tile(np.arange(100), 3)
    whole = Contingency.from_labels(true, pred, sample_weight=wanted, n_classes=7, n_clusters=5)
    np.testing.assert_array_equal(np.asarray(accumulator.table.to_array()), whole.to_array())
    if library is torch.tensor:
        place = accumulator._sums.counts.data_ptr()
        accumulator.reset()
        accumulator.update(*map(library, (true, pred)))
        assert accumulator._sums.counts.data_ptr() == place
        assert "margins" not in "".join(launched_own()[-1:])
    accumulator.update(library(np.array([9])), library(np.array([-3])))
    with pytest.raises(
        ValueError, match=r"got 1 samples .*; labels_true range from [09] to 9, labels_pred from -3 to (-3|4)"
    ):
        _ = accumulator.table


def test_weights_that_come_round_to_small_sums(library):
    accumulator = gpuval.Accumulator(2, 2)
    labels = library(np.array([0, 0, 0, 0, 1]))
    accumulator.update(labels, labels, library(np.array([2**62] * 4 + [3])))
    with pytest.raises(ValueError, match="not too large in sum"):
        _ = accumulator.table


def test_a_table_of_narrow_integers_goes_another_way(library):
    counts, rows, columns = (np.array(x, dtype=np.int32) for x in ([3, 1, 2], [0, 0, 1], [0, 1, 1]))
    table = Contingency.from_cells(*map(library, (counts, rows, columns)), (2, 2))
    wanted = gpuval.v_measure_score(Contingency.from_counts([[3, 1], [0, 2]]))
    assert float(gpuval.v_measure_score(table)) == pytest.approx(wanted, abs=1e-14)


def test_labels_to_ignore_of_one_labeling_and_of_booleans(library):
    labels = np.array([0, 1, 1, -1])
    assert float(gpuval.entropy(library(labels), ignore_labels=-1)) == pytest.approx(gpuval.entropy([0, 1, 1]))
    flags = np.array([True, False, True, False])
    table = Contingency.from_labels(library(flags), library(flags), ignore_labels=True)
    assert table.compact().to_array().tolist() == [[2]]


def test_what_kernels_do_not_count_goes_another_way(library):
    """Labels far apart, labels of floats, and weights and ignored labels at once: with the same result."""
    true, pred = np.array([0, 1, 1, 2, 2]), np.array([0, 0, 1, 1, 1])
    cases = [
        ((true, pred), {"sample_weight": np.array([1, 2, 3, 4, 5]), "ignore_labels": 1}),
        ((true * 10**9, pred), {}),
        ((true.astype(float), pred), {}),
        ((true, pred), {"ignore_labels": 0, "n_classes": 3, "n_clusters": 2}),
    ]
    for labels, options in cases:
        moved = {name: library(x) if isinstance(x, np.ndarray) else x for name, x in options.items()}
        score = gpuval.v_measure_score(*map(library, labels), **moved)
        assert float(score) == pytest.approx(gpuval.v_measure_score(*labels, **options), abs=1e-14)
        assert not any("joint" in name or "keys" in name for name in launched_own())


def test_a_device_without_64_bits(jax_on_device):
    with jax.enable_x64(False):
        like = jnp.asarray([1, 2])
        found = JAX.from_cupy(cupy.asarray([3, 4]), like)
        assert found.dtype == jnp.int32
        assert found.tolist() == [3, 4]


@pytest.mark.parametrize("library", ["torch"], indirect=True)
def test_weights_that_ask_for_a_gradient_are_not_for_kernels(library):
    """The sums of the library have one, those of kernels have none."""
    labels, weights = torch.asarray([0, 1, 1, 0]), torch.asarray([0.5, 1.0, 2.0, 1.5], dtype=torch.float64)
    size = {"n_classes": 2, "n_clusters": 2}
    for given, is_for_kernels in ((weights, True), (weights.clone().requires_grad_(), False)):
        cupy_on_cpu.forget()
        table = Contingency.from_labels(labels, labels, sample_weight=given, **size)
        assert any("joint" in name for name in launched_own()) is is_for_kernels
        assert table.counts.requires_grad is not is_for_kernels
    assert torch.autograd.grad(table.counts[1, 1], given)[0].tolist() == [0, 1, 1, 0]


@pytest.mark.parametrize("size", [{}, {"n_classes": 12, "n_clusters": 20}])
def test_the_adjusted_mutual_information(size, library):
    """Of distinct sizes, or of all of them where nothing may leave the device."""
    rng = np.random.default_rng(3)
    true, pred = rng.integers(0, 12, 500), rng.integers(0, 20, 500) // 2
    for name in ("adjusted_mutual_info_score", "expected_mutual_info"):
        score = getattr(gpuval, name)(library(true), library(pred), **size)
        assert type(score) is type(library(true))
        assert float(score) == pytest.approx(getattr(gpuval, name)(true, pred), rel=1e-12)
    assert "gpuval::expected_sums" in launched_own()


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_distances_to_clusters(dtype, library):
    """Two clusters on a line, at 0 and 1, and at 4 and 6; the second one's columns count twice."""
    points = library(np.array([[0], [1], [4], [6]], dtype=dtype))
    given = points, library(np.array([0, 0, 1, 1])), points, library(np.array([0, 2, 4]))
    engine = engine_of(points)
    for weights, factor in ((None, 1), (library(np.array([1.0, 1, 2, 2])), 2)):
        masses = library(np.array([2.0, 2 * factor]))
        means = engine.cluster_means(*given, weights, masses, "cityblock")
        others = [10 * factor, 8 * factor, 7, 11]
        wanted = [[1, 1, 2 * factor, 2 * factor], [5, 4, 3.5, 5.5], [5, 4, 3.5, 5.5], others]
        assert type(means) is type(points)
        assert means.tolist() == wanted
    extremes = engine.cluster_extremes(*given, "euclidean")
    assert type(extremes) is type(points)
    assert extremes.tolist() == [[4, 3, 3, 5], [1, 1, 2, 2]]


def test_points_without_64_bits_are_not_for_kernels(monkeypatch):
    monkeypatch.setattr(kernels, "are_on_one_gpu", lambda *_: True)
    monkeypatch.setattr("gpuval.engines.cuda.engine.are_on_one_gpu", lambda *_: True)

    def has_distances(x, metric="euclidean"):
        return Cuda(backend_of(x)).has_distances(x, metric)

    assert has_distances(torch.zeros((2, 1)))
    assert not has_distances(torch.zeros((2, 1)), "cosine")
    assert not has_distances(torch.zeros((2, 1), requires_grad=True))  # no gradient comes back from there
    with jax.enable_x64(False):
        assert not has_distances(jnp.zeros((2, 1)))


def test_only_arrays_on_a_gpu_are_for_kernels():
    for x in (np.arange(3), torch.arange(3), jnp.arange(3)):
        assert not kernels.are_on_one_gpu(x, x)
        assert not Cuda(backend_of(x)).has_distances(x[:, None], "euclidean")
        assert not isinstance(engine_of(x), Cuda)
        assert isinstance(engine_of(x), Engine)


def test_no_cupy_no_kernels(monkeypatch):
    """A tensor that is on a GPU, as far as it says, where there is no CuPy, or no GPU that CuPy finds."""
    monkeypatch.setattr(TorchBackend, "is_on_gpu", lambda self, x: True)
    x = torch.arange(3)
    kernels.has_cupy.cache_clear()
    monkeypatch.setattr(kernels, "find_spec", lambda name: None)
    assert not kernels.are_on_one_gpu(x, x)
    kernels.has_cupy.cache_clear()
    monkeypatch.setattr(kernels, "find_spec", lambda name: name)
    assert kernels.are_on_one_gpu(x, x)
    for module, name, value in ((cupy, "is_available", lambda: False), (cupy.cuda.runtime, "is_hip", True)):
        kernels.has_cupy.cache_clear()
        with monkeypatch.context() as patch:
            patch.setattr(module, name, value)
            assert not kernels.are_on_one_gpu(x, x)
    kernels.has_cupy.cache_clear()


MISSING = [OSError("libnvrtc is missing"), RuntimeError("Failed to find the headers of CUDA")]


@pytest.mark.parametrize("missing", MISSING, ids=["compiler", "headers"])
def test_a_cupy_that_cannot_compile_is_told_of_once(missing, monkeypatch):
    """Labels go through their own library then, and none of its scores raises."""
    monkeypatch.setattr(TorchBackend, "is_on_gpu", lambda self, x: True)
    compile_ = mock.Mock(side_effect=missing)
    monkeypatch.setattr(cupy, "RawKernel", lambda *_: types.SimpleNamespace(compile=compile_))
    kernels.has_cupy.cache_clear()
    labels = torch.asarray([0, 1, 1])
    with as_on_a_device():
        with pytest.warns(UserWarning, match=rf"(?s)CuPy is not usable: {missing}.*cupy-cuda13x\[ctk\]"):
            assert float(gpuval.adjusted_rand_score(labels, labels)) == 1
        assert not kernels.are_on_one_gpu(labels)
    assert compile_.call_count == 1
    kernels.has_cupy.cache_clear()


@pytest.mark.parametrize("option", ["--minimal", "--Ofast-compile=mid", "--Ofast-compile=min", "--prec-sqrt=false"])
def test_an_option_that_the_compiler_refuses_is_found_by_the_trial(option, monkeypatch):
    """Else each score would fail later, when its kernels are compiled."""
    known = compiler.KNOWN_OPTION
    assert known.fullmatch(option)
    monkeypatch.setattr(compiler, "KNOWN_OPTION", re.compile(f"(?!{option})(?:{known.pattern})"))
    monkeypatch.setattr(kernels, "_TRIAL", f"{kernels._TRIAL} // {option}")  # CuPy has kept what it compiled before
    kernels.has_cupy.cache_clear()
    with pytest.warns(UserWarning, match=f"CuPy is not usable: nvrtc: error: unrecognized option {option} found"):
        assert not kernels.has_cupy()
    kernels.has_cupy.cache_clear()


def test_labels_without_memory_are_not_for_kernels(monkeypatch):
    """Those of torch.func.vmap, on whichever side; on the CPU here, in the place of a GPU."""
    plain = types.SimpleNamespace(type="cuda")
    backend = backend_of(torch.zeros(1))
    seen = []

    def look(x):
        seen.append([backend.is_on_gpu(as_of_a_gpu(x)), backend.is_on_gpu(as_of_a_gpu(torch.arange(3)))])
        return x

    def as_of_a_gpu(x):
        return types.SimpleNamespace(device=plain, data_ptr=x.data_ptr)

    torch.func.vmap(look)(torch.arange(6).reshape(2, 3))
    assert seen == [[False, True]]


def test_narrow_integers_of_jax_are_not_for_kernels(monkeypatch):
    gpu = types.SimpleNamespace(platform="gpu")
    for dtype, is_for_kernels in ((jnp.int4, False), (jnp.int8, True), (jnp.bool_, True)):
        array = jnp.zeros(3, dtype=dtype)
        monkeypatch.setattr(type(array), "devices", lambda self: [gpu])
        assert backend_of(array).is_on_gpu(array) is is_for_kernels
        monkeypatch.undo()
