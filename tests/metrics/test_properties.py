"""Every public measure is declared, what is promised of it is kept, and a false promise is found out."""

from __future__ import annotations

import functools
import inspect
from dataclasses import replace
from math import inf

import pytest
from hypothesis import Phase, given, seed, settings
from hypothesis import strategies as st
from oracles import DEGENERATE, ORACLES, VARIANTS
from properties import (
    CHECKS,
    MEASURES,
    NOT_MEASURES,
    OF_CHANCE,
    OF_TABLES,
    SCORES,
    SMALL,
    Row,
)

import gpuval
from gpuval.measures.measure import find_measures

ROWS = {str(row): row for row in MEASURES}


@st.composite
def labelings(draw):
    """Two labelings of up to 12 samples: anything from one cluster to all singletons, alike or not."""
    n = draw(st.integers(0, 12))
    true = draw(labels(n))
    pred = draw(st.one_of(labels(n), nearly(true)))
    return true, pred


def labels(n):
    return st.integers(1, 6).flatmap(lambda k: st.lists(st.integers(-1, k - 2), min_size=n, max_size=n))


def nearly(true):
    """The same labels but for one sample."""
    if not true:
        return st.just([])
    return st.tuples(st.integers(0, len(true) - 1), st.integers(-1, 4)).map(
        lambda change: [*true[: change[0]], change[1], *true[change[0] + 1 :]]
    )


# ---- the table -----------------------------------------------------------------------------------


def test_every_public_function_of_the_formulas_is_declared():
    """What is not declared is no function, or of a module that has no formulas; its own name is that of no measure."""
    functions = [getattr(gpuval, name) for name in NOT_MEASURES if inspect.isfunction(getattr(gpuval, name))]
    assert [x.__name__ for x in functions if x.__module__.startswith("gpuval.metrics.")] == []
    assert len(functions) > 5
    assert {measure.name for measure in find_measures("metrics.")} == set(gpuval.__all__) - NOT_MEASURES


def test_measures_of_tables_are_in_modules_of_tables():
    names = {x.name for x in find_measures("metrics.external") if x.values != "samples"}
    assert {x.name for x in OF_TABLES} == names - OF_CHANCE
    assert names > OF_CHANCE
    assert len(ROWS) == len(MEASURES)


def test_the_rows_have_every_variant_of_the_oracles():
    rows = [(row.name, dict(row.options)) for row in MEASURES]
    assert [variant for variant in VARIANTS if variant not in rows] == []
    assert {row.name for row in SCORES} == set(ORACLES)


def test_measures_of_one_number_are_the_metrics():
    """``METRICS`` is what ``evaluate`` takes by name: exactly the measures of clusterings that are one number."""
    assert {row.name for row in MEASURES if row.values == "one" and not row.reads_names} == set(gpuval.METRICS)


def test_every_public_name_is_there():
    assert [name for name in gpuval.__all__ if not hasattr(gpuval, name)] == []
    assert len(set(gpuval.__all__)) == len(gpuval.__all__)


# ---- the promises --------------------------------------------------------------------------------


@functools.cache
def drawn():
    """What promises are tried on, drawn once: degenerate labelings, and 20 of all sizes; small ones come first."""
    pairs = []

    @seed(1)
    @settings(max_examples=400, phases=[Phase.generate], derandomize=False, database=None)
    @given(labelings())
    def draw(pair):
        if pair not in pairs:
            pairs.append(pair)

    def size(pair):
        return len(pair[0]), sum(map(len, map(set, pair)))

    draw()
    pairs.sort(key=size)
    return sorted([*DEGENERATE.values(), *(pairs[i * (len(pairs) - 1) // 19] for i in range(20))], key=size)


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("row", ROWS)
def test_promise(row, check):
    for pair in drawn():
        CHECKS[check](ROWS[row], *pair)


def test_the_labelings_that_are_drawn_are_of_all_kinds():
    pairs = drawn()
    sizes = {len(true) for true, _ in pairs}
    assert sizes >= {0, 1, 2, 4, 12}
    assert len(sizes) > 7
    for kind in (
        lambda true, pred: true == pred,
        lambda true, pred: sum(x != y for x, y in zip(true, pred, strict=True)) == 1,
        lambda true, pred: len(set(true)) > 3 < len(set(pred)),
        lambda true, pred: len(set(pred)) == 1,
        lambda true, pred: -1 in true,
    ):
        assert sum(len(true) > 4 and kind(true, pred) for true, pred in pairs) > 0


@pytest.mark.parametrize("row", [name for name, row in ROWS.items() if not row.symmetric and not row.of_one_labeling])
def test_what_is_declared_not_symmetric_is_not(row):
    assert_not_symmetric(ROWS[row])


def assert_not_symmetric(row):
    assert refutes("exchanged", replace(row, exchanged="same"))


@pytest.mark.parametrize("row", [name for name, row in ROWS.items() if row.reads_names])
def test_what_is_declared_to_depend_on_the_names_does(row):
    assert_reads_names(ROWS[row])


def assert_reads_names(row):
    assert refutes("relabelled", replace(row, reads_names=False))


@pytest.mark.parametrize("row", [name for name, row in ROWS.items() if row.identical is None])
def test_what_is_declared_to_have_no_one_value_for_identical_partitions_has_none(row):
    assert_no_value_of_identical(ROWS[row])


def assert_no_value_of_identical(row):
    assert all(refutes("identical", replace(row, identical=value)) for value in (0.0, 1.0))


@pytest.mark.parametrize("row", [name for name, row in ROWS.items() if row.compares_partitions and row.better])
def test_the_other_direction_is_refuted(row):
    other = {"higher": "lower", "lower": "higher"}[ROWS[row].better]
    assert refutes("direction", replace(ROWS[row], better=other))


@pytest.mark.parametrize("row", [name for name, row in ROWS.items() if row.compares_partitions and not row.better])
def test_what_has_no_direction_is_best_at_neither_end(row):
    assert_no_direction(ROWS[row])


def assert_no_direction(row):
    """Equal partitions are not higher than others of the same sizes; if they are lower, they have no one value."""
    higher, lower = (not refutes("direction", replace(row, better=x)) for x in ("higher", "lower"))
    assert lower or not higher, f"{row} is higher the better"
    assert higher or not lower or row.identical is None, f"{row} is lower the better"


# ---- a false promise is found out ----------------------------------------------------------------


def refutes(check: str, row: Row) -> bool:
    """Whether the check finds the row to be false on small partitions."""
    for pair in SMALL:
        try:
            CHECKS[check](row, *pair)
        except AssertionError:
            return True
    return False


FALSE = [
    ("bounds", "adjusted_rand_score", {"range": (0.0, 1.0)}),
    ("bounds", "mirkin_distance", {"range": (0.0, 1.0)}),
    ("bounds", "beta_mutual_info-beta=0", {"range": (0.0, inf)}),
    ("best", "rand_score", {"better": "lower"}),
    ("best", "variation_of_information", {"identical": 1.0}),
    ("direction", "rand_score", {"better": "lower"}),
    ("direction", "mutual_info_score", {"better": "lower"}),
    ("direction", "joint_entropy", {"better": "higher"}),
    ("identical", "entropy", {"identical": 0.0}),
    ("identical", "fowlkes_mallows_score", {"identical": 0.0}),
    ("exchanged", "homogeneity_score", {"exchanged": "same"}),
    ("exchanged", "homogeneity_score", {"exchanged": ("purity_score", {})}),
    ("exchanged", "v_measure_score-beta=0.0", {"exchanged": ("completeness_score", {})}),
    ("exchanged", "mcnemar_index", {"exchanged": "same"}),
    ("exchanged", "rand_score", {"exchanged": "negated"}),
    ("exchanged", "normalized_confusion_matrix", {"exchanged": "transposed"}),
    ("relabelled", "cohen_kappa_score", {"reads_names": False}),
    ("kind", "cluster_recall", {"values": "one"}),
    ("kind", "rand_score", {"values": "clusters"}),
    ("kind", "rand_score", {"values": "several"}),
    ("kind", "rand_score", {"values": "matrix"}),
    ("counts", "adjusted_mutual_info_score", {"needs_counts": False}),
    ("counts", "adjusted_rand_score", {"needs_counts": True}),
    ("arguments", "entropy", {"of_one_labeling": False}),
]


@pytest.mark.parametrize(("check", "row", "change"), FALSE)
def test_a_false_promise_is_found_out(check, row, change):
    assert not refutes(check, ROWS[row])
    if check == "arguments":  # the arguments that the row names are not those of the function
        with pytest.raises(AssertionError):
            CHECKS[check](replace(ROWS[row], **change), [0], [0])
    else:
        assert refutes(check, replace(ROWS[row], **change))


@pytest.mark.parametrize(
    ("check", "row", "change"),
    [
        (assert_not_symmetric, "rand_score", {"exchanged": None}),
        (assert_reads_names, "rand_score", {"reads_names": True}),
        (assert_no_value_of_identical, "rand_score", {"identical": None}),
        (assert_no_value_of_identical, "conditional_entropy", {"identical": None}),
        (assert_no_direction, "rand_score", {"better": ""}),
        (assert_no_direction, "mutual_info_score", {"better": ""}),
        (assert_no_direction, "conditional_entropy", {"better": ""}),
    ],
)
def test_a_promise_that_is_not_made_but_kept_is_found_out(check, row, change):
    with pytest.raises(AssertionError):
        check(replace(ROWS[row], **change))


@pytest.mark.parametrize(
    ("check", "broken"),
    [
        ("order", lambda true, pred, **_: float(true[0] if true else 0)),
        ("weights", lambda true, pred, **_: float(len(true))),
        ("bounds", lambda true, pred, **_: float("nan")),
        ("bounds", lambda true, pred, **_: inf),
        ("layouts", lambda true, pred=None, **_: 0.0 if pred is None else 1.0),
    ],
)
def test_a_broken_measure_is_found_out(check, broken):
    assert refutes(check, replace(ROWS["rand_score"], function=broken, range=(0.0, inf)))
