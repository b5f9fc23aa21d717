"""What each public function takes of a device: no more than the table of ``benchmarks/results/launches.md`` says."""

from pathlib import Path

import cupy
import pytest

import gpuval
from cupy_on_cpu import launches
from cupy_on_cpu.arrays import lazy_parts
from gpuval.engines import lazily
from gpuval.measures.measure import measures_in
from gpuval.metrics.graph import GRAPHS

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results" / "launches.md"

OF_THE_HOST = {"bootstrap", "compare", "evaluate", "evaluate with X", "jackknife", "permutation_test"}
"""Functions that read tables on the host, or measures that do."""


def looks_at_values(measure):
    """Whether it copies a value to the host, or waits, though it is told the sizes of its input.

    Of neighbours and edges it does, as an index that is wrong is an error.
    """
    of_indices = measure.family is GRAPHS or measure.needs == "the neighbours of samples"
    return measure.host_steps > 0 or of_indices or measure.name == "pair_count_moments"


LOOKS = OF_THE_HOST | {x.name for x in measures_in(gpuval) if looks_at_values(x)}


def rows():
    """Of each function, and whether sizes are given, what the table says."""
    found = {}
    for line in RESULTS.read_text().splitlines():
        if line.startswith("| gpuval."):
            name, sized, *numbers = (x.strip() for x in line.strip("|").split("|"))
            found[name, sized == "yes"] = dict(zip(launches.COLUMNS, map(int, numbers), strict=True))
    return found


ROWS = rows()
ONE_SCORE = {
    f"gpuval.{name}": getattr(gpuval, name).__module__
    for name in gpuval.__all__
    if getattr(getattr(gpuval, name), "__module__", "").startswith(
        ("gpuval.metrics.external", "gpuval.metrics.internal")
    )
}
"""Measures of tables and of samples, and their modules."""
CALLS = {(name, sized): call for name, sized, call in launches.calls(cupy)}


def test_the_table_has_all_public_functions():
    assert set(ROWS) == set(CALLS)


@pytest.mark.parametrize(("name", "sized"), CALLS, ids=lambda x: x if isinstance(x, str) else ("sized" if x else ""))
def test_no_more_than_the_table_says(name, sized):
    found = launches.counted(CALLS[name, sized])
    more = {x: (found[x], most) for x, most in ROWS[name, sized].items() if found[x] > most}
    assert not more, f"found, and in {RESULTS.name}: {more}"
    looks = found["copies to the host"] + found["copies to the device"] + found["waits"] > 0
    if sized:
        assert looks == (name.removeprefix("gpuval.") in LOOKS)
    assert not [*lazy_parts(CALLS[name, sized](), set())]


def test_a_lazy_array_in_a_result_is_found():
    x = lazily(cupy.arange(3))
    assert [*lazy_parts({"a": [(1, x)]}, set())] == [x]


def test_scores_are_few_kernels():
    """Of a table of given size 10 at most, and of samples and labels 60."""
    most = {"gpuval.metrics.external": 10, "gpuval.metrics.internal": 60}
    found = {name: ROWS[name, sized]["launches"] for name, sized in ROWS if sized and name in ONE_SCORE}
    del found["gpuval.element_centric_samples"]  # a number for each sample, not for a table
    assert len(found) > 70
    assert not {x: n for x, n in found.items() if n > next(y for z, y in most.items() if ONE_SCORE[x].startswith(z))}


def test_an_adjusted_rand_score_of_given_size_is_four_kernels():
    found = launches.counted(CALLS["gpuval.adjusted_rand_score", True])
    assert found["launches"] <= 4
    assert found["of CuPy"] == 0
