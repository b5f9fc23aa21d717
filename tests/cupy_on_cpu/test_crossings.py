"""How often arrays cross between the libraries, and how many kernels are launched: what a score takes on the host."""

from collections import Counter

import cupy
import numpy as np
import pytest

import cupy_on_cpu
import gpuval
from cupy_on_cpu import launched_own
from cupy_on_cpu.arrays import on_device
from gpuval.engines.backends.jax import JaxBackend
from gpuval.engines.backends.torch import TorchBackend

SIZE = {"n_classes": 5, "n_clusters": 4}
TRUE, PRED = np.random.default_rng(3).integers(0, 4, (2, 1000))


@pytest.fixture
def crossings(monkeypatch):
    """How many arrays have come in and gone out, and how often CuPy was entered."""
    counted = Counter()

    def counting(kind, name):
        method = getattr(kind, name)

        def counted_call(self, *args):
            counted[name] += 1
            return method(self, *args)

        monkeypatch.setattr(kind, name, counted_call)

    for kind in (TorchBackend, JaxBackend):
        for name in ("to_cupy", "from_cupy", "entered"):
            counting(kind, name)
    return counted


def launched_of_cupy():
    return [x for x in cupy_on_cpu.launched() if not x.startswith("gpuval::")]


@pytest.mark.parametrize("size", [SIZE, {}])
@pytest.mark.parametrize("name", ["rand_score", "v_measure_score", "adjusted_mutual_info_score", "purity_score"])
def test_a_score_crosses_once(name, size, library, crossings):
    score = getattr(gpuval, name)
    found = score(library(TRUE), library(PRED), **size)
    assert float(found) == pytest.approx(score(TRUE, PRED), rel=1e-12)
    assert type(found) is type(library(TRUE))
    assert crossings == {"entered": 1, "to_cupy": 2, "from_cupy": 1}


def test_several_numbers_of_one_score(library, crossings):
    found = gpuval.homogeneity_completeness_v_measure(library(TRUE), library(PRED), **SIZE)
    assert list(map(float, found)) == pytest.approx(list(gpuval.homogeneity_completeness_v_measure(TRUE, PRED)))
    assert crossings == {"entered": 1, "to_cupy": 2, "from_cupy": 1}


def test_a_measure_that_is_no_kernel_goes_through_the_library_of_the_labels(library):
    """Of CuPy's functions each would be compiled when it is first used."""
    for name in ("pair_sets_index", "van_dongen_distance", "cluster_precision"):
        found = getattr(gpuval, name)(library(TRUE), library(PRED), **SIZE)
        wanted = getattr(gpuval, name)(TRUE, PRED, **SIZE)
        for x, y in zip(*([x] if name != "cluster_precision" else x for x in (found, wanted)), strict=True):
            np.testing.assert_allclose(np.asarray(x), y, rtol=1e-12)
            assert type(x) is type(library(TRUE))
    assert launched_own()
    assert not launched_of_cupy()


def test_what_an_evaluation_shares_is_found_once(library):
    cupy_on_cpu.forget()
    found = gpuval.evaluate(library(TRUE), library(PRED), **SIZE)
    assert cupy_on_cpu.counts()["copies to the host"] == 0
    for name, score in gpuval.evaluate(TRUE, PRED).items():
        assert float(found[name]) == pytest.approx(float(score), rel=1e-12), name
        assert type(found[name]) is type(library(TRUE))
    assert len(launched_own()) <= 16
    assert max(Counter(launched_own()).values()) == 1


def test_many_labelings(library):
    """Each pair of labelings is one evaluation."""
    found = gpuval.compare(library(TRUE), {"a": library(PRED), "b": library(TRUE)}, **SIZE)
    assert float(found["b"]["adjusted_rand_score"]) == 1
    assert Counter(launched_own())["gpuval::formula"] == 2


def test_statistics_do_not_outlive_an_evaluation(library):
    table = gpuval.Contingency.from_labels(library(TRUE), library(PRED), **SIZE)
    for _ in range(2):
        cupy_on_cpu.forget()
        gpuval.evaluate(table)
        assert launched_own().count("gpuval::information_parts") == 1
    assert table.results is None


def test_a_function_of_a_user_gets_arrays_of_cupy():
    seen = []

    def own(table):
        seen.extend([table.counts, table.class_sizes, table.total])
        return 0.5

    gpuval.evaluate(on_device(TRUE), on_device(PRED), metrics={"own": own, "ari": gpuval.adjusted_rand_score}, **SIZE)
    assert {type(x) for x in seen} == {cupy.ndarray}


@pytest.mark.parametrize("size", [SIZE, {}])
def test_labels_of_cupy(size, checked):
    """From labels to scores, and nothing of it is looked at on the host but the range of labels and the matching."""
    labels = on_device(TRUE), on_device(PRED)
    cupy_on_cpu.forget()
    found = gpuval.evaluate(*labels, **size)
    assert cupy_on_cpu.counts()["copies to the host"] == (1 if size else 2)
    for name, score in gpuval.evaluate(TRUE, PRED).items():
        assert isinstance(found[name], cupy.ndarray), name
        assert float(found[name]) == pytest.approx(float(score), rel=1e-12), name
    of_tables = Counter(launched_own())
    assert of_tables.pop("gpuval::arithmetic", 0) <= 2  # of the matching's scores, which the host has begun
    assert max(of_tables.values()) == 1


@pytest.mark.parametrize("size", [SIZE, {}])
@pytest.mark.parametrize("name", ["adjusted_rand_score", "adjusted_mutual_info_score", "purity_score"])
def test_a_score_of_labels_of_cupy_compiles_nothing_of_its_own(name, size, checked):
    """Neither functions nor operators of CuPy, each of which it would compile: only what ``test_first_call`` counts."""
    labels = on_device(TRUE), on_device(PRED)
    cupy_on_cpu.forget()
    score = getattr(gpuval, name)(*labels, **size)
    assert cupy_on_cpu.counts()["copies to the host"] == (0 if size else 1)
    assert launched_own()
    assert not launched_of_cupy()
    assert float(score.get()) == pytest.approx(getattr(gpuval, name)(TRUE, PRED), rel=1e-12)


@pytest.mark.parametrize("sides", [(40, 3), (3, 40)])
def test_tables_whose_sizes_are_sorted_and_others(sides, library, monkeypatch):
    """Whichever comes first: one text is for both."""
    from gpuval.engines.cuda import engine

    monkeypatch.setattr(engine, "_MANY_PAIRS", 100)
    rng = np.random.default_rng(4)
    for side in sides:
        true, pred = rng.integers(0, side, (2, 500))
        for call in (gpuval.adjusted_mutual_info_score, lambda *x: gpuval.evaluate(*x)["adjusted_mutual_info_score"]):
            cupy_on_cpu.forget()
            assert float(call(library(true), library(pred))) == pytest.approx(float(call(true, pred)), rel=1e-11)
            assert launched_own().count("gpuval::expected_parts") == 1
            assert launched_own().count("gpuval::information_parts") == 1


def test_what_goes_out_begins_where_xla_wants_it(library, monkeypatch):
    """XLA refuses memory that does not begin at a multiple of 16 bytes."""
    starts = []
    for kind in (TorchBackend, JaxBackend):
        method = kind.from_cupy

        def watched(self, x, like, method=method):
            starts.append(x.data.ptr)
            return method(self, x, like)

        monkeypatch.setattr(kind, "from_cupy", watched)
    gpuval.evaluate(library(TRUE), library(PRED), **SIZE)
    gpuval.homogeneity_completeness_v_measure(library(TRUE), library(PRED))
    gpuval.adjusted_mutual_info_score(gpuval.Contingency.from_labels(library(TRUE), library(PRED)))
    gpuval.expected_mutual_info(library(TRUE), library(PRED), base=2.0)
    assert starts
    assert not any(start % 16 for start in starts)
