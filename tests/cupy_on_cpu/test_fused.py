"""Scores whose formula is one kernel: the values of NumPy, from a few launches."""

import cupy
import numpy as np
import pytest
from nvrtc import compile_kernels
from properties import rows_of

import cupy_on_cpu
import gpuval
from cupy_on_cpu import compiler, launched_own
from gpuval import Contingency
from gpuval.engines.cuda import kernels
from gpuval.engines.cuda.arithmetic import fusion
from gpuval.engines.cuda.arithmetic.fusion import NotSymbolicError, Program, Symbols
from gpuval.measures.measure import measures_in
from gpuval.metrics.external import information as information_measures
from gpuval.metrics.external import pair_counting as pair_measures

COUNTS = [
    [[5, 1, 0], [2, 7, 3], [0, 0, 4]],
    [[3, 0], [0, 4]],
    [[1, 1], [1, 1]],
    [[6]],
    [[0, 0], [0, 0]],
    [[2, 2, 2]],
]
OF_CELLS = {"adjusted_fowlkes_mallows_score", "joint_entropy"}
"""Those that read more of a table than its pairs and its information."""
FUSED = {
    str(row): row
    for measure in measures_in(information_measures, pair_measures)
    for row in rows_of(measure)
    if row.values != "matrix" and not row.of_one_labeling and row.name not in OF_CELLS
}


def as_list(value):
    return [float(x) for x in value] if isinstance(value, tuple) else [float(value)]


@pytest.mark.parametrize("name", FUSED)
def test_every_formula(name, library, monkeypatch):
    row = FUSED[name]
    monkeypatch.setattr(compiler, "kind", "plain")
    for counts in COUNTS:
        cupy_on_cpu.forget()
        found = row.of_table(Contingency.from_counts(library(np.array(counts))))
        wanted = row.of_table(Contingency.from_counts(np.array(counts)))
        assert type(found) is type(wanted) if isinstance(wanted, tuple) else type(found) is type(library([1.0]))
        assert as_list(found) == pytest.approx(as_list(wanted), rel=1e-13, abs=1e-15)
        assert ("gpuval::formula" in launched_own()) == all(isinstance(x, str) for x in row.options.values())


def test_the_launches_of_a_score(library):
    labels = library(np.array([0, 1, 1, 2])), library(np.array([0, 0, 1, 2]))
    gpuval.adjusted_rand_score(*labels, n_classes=3, n_clusters=3)
    cupy_on_cpu.forget()
    gpuval.adjusted_rand_score(*labels, n_classes=3, n_clusters=3)
    joint, *others = launched_own()
    assert "joint" in joint
    assert others == [f"gpuval::{name}" for name in ("margins", "pair_sums", "formula")]


def test_what_is_found_for_one_score_is_found_once(library):
    table = Contingency.from_counts(library(np.array(COUNTS[0])))
    cupy_on_cpu.forget()
    gpuval.adjusted_mutual_info_score(table)
    assert launched_own().count("gpuval::information_parts") == 1
    assert table.results is None
    cupy_on_cpu.forget()
    gpuval.adjusted_mutual_info_score(table)
    assert launched_own().count("gpuval::information_parts") == 1  # in the next one again: it may lie in a graph


def test_a_host_step_is_kept_with_the_table(library):
    table = Contingency.from_counts(library(np.array(COUNTS[0])))
    for name in ("clustering_accuracy", "normalized_clustering_accuracy"):
        getattr(gpuval, name)(table)
    assert len(table.__dict__["_on_host"]) == 1


def test_a_table_that_is_invalid(library):
    labels = library(np.array([0, 1, 5]))
    for name in ("rand_score", "homogeneity_completeness_v_measure"):
        value = getattr(gpuval, name)(labels, labels, n_classes=3, n_clusters=3)
        assert np.isnan(as_list(value)).all()
        assert "gpuval::formula" in launched_own()


@pytest.mark.parametrize("name", ["van_dongen_distance", "clustering_accuracy", "joint_entropy"])
def test_what_reads_more_of_a_table_goes_another_way(name, library):
    found = getattr(gpuval, name)(Contingency.from_counts(library(np.array(COUNTS[0]))))
    assert float(found) == pytest.approx(getattr(gpuval, name)(Contingency.from_counts(COUNTS[0])), abs=1e-15)
    assert "gpuval::formula" not in launched_own()


def test_options_are_checked_and_kept_apart(library, monkeypatch):
    table = Contingency.from_counts(library(np.array(COUNTS[0])))
    with pytest.raises(ValueError, match="average_method must be one of"):
        gpuval.normalized_mutual_info_score(table, average_method=["min"])
    with pytest.raises(ValueError, match="beta must be"):
        gpuval.v_measure_score(table, beta=-1)
    cupy_on_cpu.forget()
    values = [float(gpuval.v_measure_score(table, beta=beta)) for beta in (0.1, 1, 3, 0.1)]
    assert values == pytest.approx(
        [gpuval.v_measure_score(COUNTS_0, beta=beta) for beta in (0.1, 1, 3, 0.1)], rel=1e-14
    )
    assert "gpuval::formula" not in launched_own()  # a sweep compiles nothing


COUNTS_0 = Contingency.from_counts(COUNTS[0])


def test_every_text_compiles(library, monkeypatch, tmp_path):
    """As CuPy would: it is the only check of the text that no other compiler stands in for."""
    texts, made = set(), kernels.kernel_of_text
    monkeypatch.setattr(fusion, "kernel_of_text", lambda code, name: texts.add(code) or made(code, name))
    monkeypatch.setattr(compiler, "kind", "plain")
    for row in [*FUSED.values()][::4]:
        row.of_table(Contingency.from_counts(library(np.array(COUNTS[0]))))
    assert len(texts) > 5
    for i, text in enumerate(texts):
        path = tmp_path / f"{i}.cu"
        path.write_text(text)
        compiled = compile_kernels(path, ["gpuval::formula"], "sm_90", ["--fmad=false", "-default-device"])
        assert compiled.resources["gpuval::formula"].stack == 0


# Symbols


def test_a_program_has_what_its_results_need():
    program = Program()
    a, b, c = (program.add_input(kind) for kind in ("double", "bool", "double"))
    _ = c * 3
    text, taken = program.kernel("f", [Symbols().where(b, 1 / a, -2.5), 7], may_be_invalid=False)
    assert taken == [0, 1]
    assert text == (
        "namespace gpuval {\n"
        "__global__ void f(const double* in0, const unsigned char* in1, double* out) {\n"
        "  const double x0 = *in0;\n"
        "  const bool x1 = *in1 != 0;\n"
        "  const double x4 = (1.0) / x0;\n"
        "  const double x5 = x1 ? x4 : (-2.5);\n"
        "  out[0] = x5;\n"
        "  out[1] = (7.0);\n"
        "}\n}\n"
    )


@pytest.mark.parametrize(
    "use",
    [bool, float, lambda x: Symbols().log2(x), lambda x: x + "1", lambda x: x * float("inf"), lambda x: x == None],  # noqa: E711
    ids=["branch", "value", "function", "text", "infinite", "nothing"],
)
def test_what_is_no_arithmetic_is_told(use):
    with pytest.raises(NotSymbolicError):
        use(Program().add_input("double"))


def test_every_operation(checked):
    """Against Python's."""

    def all_of(x, y, flag, xp):
        return [
            x + y, 2 - x, x - y, 3 * x, x * y, x / y, 1 / x, -x, xp.sqrt(y), xp.abs(x),
            xp.minimum(x, y), xp.maximum(x, 0.5), xp.where(x < y, x, y), xp.where(x <= -1.5, 1, 0.0),
            xp.where((x > y) | flag, 1.0, 2.0), xp.where((x >= y) & flag, 1.0, 2.0), xp.where(~flag, 1.0, 2.0),
            xp.where(x == -1.5, 1.0, 2.0), xp.where(x != -1.5, 1.0, 2.0), xp.where(flag, x, 0.0), x + np.float64(2),
            1 + x, np.int64(3) * y, x < y,
        ]  # fmt: skip

    program = Program()
    results = all_of(*(program.add_input(kind) for kind in ("double", "double", "bool")), Symbols())
    text, _ = program.kernel("formula", results, may_be_invalid=True)
    for x, y, flag in ((-1.5, 4.0, True), (2.0, 0.3, False)):
        found = fusion.launch_formula(text, [cupy.asarray(z) for z in (x, y, flag, 0)], len(results))
        wanted = all_of(np.float64(x), np.float64(y), np.bool_(flag), np)
        np.testing.assert_array_equal(found.get(), np.array(wanted, dtype=float))
