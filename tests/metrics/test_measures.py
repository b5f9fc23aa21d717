"""Every measure with every option on every backend, in both layouts, with the size found and given: exact values."""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from itertools import product

import numpy as np
import pytest
from backends import BATCH, SIZE, N, assert_close, is_close, transfers_to_host
from only_for import only_for
from oracles import (
    ORACLES,
    agreement_table_of,
    all_partitions,
    best_matching,
    larger_side,
    pair_sets_similarity,
    pairs,
    same_partition,
    table_for,
    table_of,
)
from packages import pd
from properties import COSTS, SCORES, Row, same

import gpuval
from gpuval import Contingency

SCORE_ROWS = {str(row): row for row in SCORES}


def exact(row: Row, table) -> object:
    """The exact value; here too for options that the oracles do not have."""
    if row.name == "simplified_pair_sets_index" and row.options:
        if same_partition(table):
            return Fraction(1)
        return Fraction(pair_sets_similarity(table) - 1, larger_side(table) - 1)
    return ORACLES[row.name](table, **row.options)


# ---- the cases -----------------------------------------------------------------------------------


def labels_of(counts) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Labels with these counts, class by class and cluster by cluster."""
    pairs_of_labels = [(i, j) for i, row in enumerate(counts) for j, count in enumerate(row) for _ in range(count)]
    return tuple(i for i, _ in pairs_of_labels), tuple(j for _, j in pairs_of_labels)


def _random(n, n_classes, n_clusters):
    rng = np.random.default_rng(20)
    return tuple(rng.integers(0, n_classes, n).tolist()), tuple(rng.integers(0, n_clusters, n).tolist())


def _gaps():
    """Labels whose size, when it is found, is the one that is given."""
    true, pred = _random(N, 3, 4)
    return tuple((-3, 0, 4)[x] for x in true), tuple((-2, 0, 3, 4)[x] for x in pred)


def _far():
    true, pred = _random(N, 3, 3)
    return tuple((-1_000_000, 5, 900_000)[x] for x in true), tuple((5, 70_000, 900_000)[x] for x in pred)


CASES = {
    "random": _random(N, 3, 4),
    "rectangular": labels_of([[0, 9, 0, 17, 3, 0], [11, 0, 6, 0, 0, 14]]),
    "tall": labels_of([[13, 0], [0, 9], [5, 6], [0, 17], [10, 0]]),
    "nearly_identical": labels_of([[20, 0, 0], [0, 15, 0], [0, 1, 24]]),
    "nearly_independent": labels_of([[6, 5, 5], [5, 5, 5], [5, 5, 5], [5, 5, 4]]),
    "skewed": labels_of([[56, 1, 0], [1, 1, 0], [0, 0, 1]]),
    "gaps": _gaps(),
    "far_apart": _far(),
}


WITH_GAPS = "gaps"
"""The one case whose size is found on the backends that compile for every shape."""


def test_all_cases_have_one_number_of_samples():
    """So that what is compiled for one of them is there for all."""
    assert {len(labels) for case in CASES.values() for labels in case} == {N}


def renumbered(name: str) -> tuple[list[int], list[int]]:
    """The labels of a case as their ranks among the labels of both sides."""
    true, pred = CASES[name]
    ranks = {label: rank for rank, label in enumerate(sorted({*true, *pred}))}
    return [ranks[x] for x in true], [ranks[x] for x in pred]


def found_on(backend) -> list[str]:
    """The cases whose sizes are found on a backend."""
    if not backend.finds_sizes:
        return []
    return [
        name for name in CASES if (backend.sorts or name != "far_apart") and (not backend.compiles or name == WITH_GAPS)
    ]


@cache
def exact_of_case(row: str, name: str):
    return exact(SCORE_ROWS[row], table_for(SCORE_ROWS[row].name, *CASES[name]))


@cache
def tables(backend, name: str) -> dict[str, Contingency]:
    """The table of a case in every way that the backend has; the measures of it share the statistics that they read."""
    given, found = ([backend.array(x) for x in labels] for labels in (renumbered(name), CASES[name]))
    ways = {"size given": (given, SIZE)}
    if name in found_on(backend):
        ways["size found"] = (found, {})
        if backend.lists_cells:
            ways["cells, size found"] = (found, {"layout": "cells"})
            if not backend.compiles:
                ways["cells, size given"] = (given, {**SIZE, "layout": "cells"})
    return {way: Contingency.from_labels(*labels, **options).with_results() for way, (labels, options) in ways.items()}


def values(row: Row, backend, name: str):
    """The value in every way that the backend has: (the way, the value, an input to compare it with).

    Two vectors of labels become a table in the same way for every measure, so each gets labels of two cases only, once
    with the size given and once with the size found; measures of one vector get those of all cases.
    """
    for way, table in tables(backend, name).items():
        yield way, row.of_table(table), table.counts
    if name == "random" or row.of_one_labeling:
        true, pred = (backend.array(x) for x in renumbered(name))
        yield "labels, size given", row.of_labels(true, pred, **SIZE), true
    if (name == WITH_GAPS or row.of_one_labeling) and name in found_on(backend):
        true, pred = (backend.array(x) for x in CASES[name])
        yield "labels, size found", row.of_labels(true, pred), true


def without_spare(row: Row, way: str, found: np.ndarray, name: str) -> np.ndarray:
    """Values for each class or cluster without those of the ones that do not occur."""
    if not row.of_groups or "given" not in way:
        return found
    labels = renumbered(name)[row.groups == "clusters"]
    occur = np.isin(np.arange(SIZE[f"n_{row.groups}"]), labels)
    assert np.array_equal(found[~occur], np.full(np.sum(~occur), row.of_nothing), equal_nan=True)
    return found[occur]


@pytest.mark.by_default
@pytest.mark.parametrize("row", SCORE_ROWS)
def test_measure_is_exact(row, backend):
    measure = SCORE_ROWS[row]
    for name in CASES:
        expected = exact_of_case(row, name)
        for way, value, like in values(measure, backend, name):
            for part in value if isinstance(value, tuple) else (value,):
                backend.assert_at_home(part, like, tuple(part.shape) if measure.of_groups else ())
            found = without_spare(measure, way, backend.numpy(value), name)
            assert_close(found, expected, f"{row} of {name}, {way}", float64=backend.has_float64)


@pytest.mark.parametrize("value", [0.5, 1e-3, 3.0, 1e-15, 1000.0])
def test_the_comparison_tells_a_wrong_digit(value):
    step = 2e-14 * max(1.0, value) if value >= 0.1 else 2e-12 * value
    assert is_close(value, Fraction(value))
    assert not is_close(value + step, Fraction(value))
    assert not is_close(value - step, Fraction(value))
    assert not is_close(float("nan"), Fraction(value))
    assert is_close(value + 1e-6, Fraction(value), float64=False)
    assert not is_close(value + 2e-5 * max(1, value), Fraction(value), float64=False)


def test_the_comparison_tells_a_wrong_shape():
    with pytest.raises(AssertionError):
        assert_close(np.asarray([1.0]), 1)
    with pytest.raises(AssertionError):
        assert_close(np.asarray(1.0), [1])
    with pytest.raises(AssertionError):
        assert_close(np.asarray([1.0, 1.0]), [1])


@pytest.mark.parametrize("row", SCORE_ROWS)
def test_plain_sequences_give_what_numpy_gives(row):
    measure = SCORE_ROWS[row]
    true, pred = CASES["gaps"]
    values = [measure.of_labels(make(true), make(pred)) for make in (list, tuple, np.asarray)]
    for value in values:
        assert type(value) is type(values[-1])
        assert measure.values != "one" or isinstance(value, float)
        assert same(value, values[-1])


# ---- a matrix of costs ---------------------------------------------------------------------------


def test_kappa_with_a_matrix_of_costs(backend):
    true, pred = _random(N, 3, 3)
    expected = ORACLES["cohen_kappa_score"](agreement_table_of(true, pred), weights=COSTS)
    for costs in (np.asarray(COSTS), backend.array(COSTS), COSTS):
        sizes = {"n_classes": 3, "n_clusters": 3}
        given = gpuval.cohen_kappa_score(backend.array(true), backend.array(pred), weights=costs, **sizes)
        backend.assert_close(given, expected)
        if backend.finds_sizes:
            found = gpuval.cohen_kappa_score(backend.array(true), backend.array(pred), weights=costs)
            backend.assert_close(found, expected)


@only_for(lambda backend: backend.finds_sizes)
def test_kappa_with_a_matrix_of_costs_for_labels_with_gaps(backend):
    true, pred = _random(N, 3, 3)
    expected = ORACLES["cohen_kappa_score"](agreement_table_of(true, pred), weights=COSTS)
    true, pred = ([(-4, 3, 20)[x] for x in labels] for labels in (true, pred))
    value = gpuval.cohen_kappa_score(backend.array(true), backend.array(pred), weights=np.asarray(COSTS))
    backend.assert_close(value, expected)


GAPS = [0, 2, 5, 5, 2, 0, 6, 5, 2, 0] * 6, [2, 2, 5, 0, 2, 0, 5, 3, 6, 3] * 6
"""Labels that do not use 1 and 4."""


@pytest.mark.parametrize("weights", [None, "linear", "quadratic"])
def test_kappa_of_a_given_size_is_of_all_labels_below_it(weights, backend):
    """Where the size is found, it is of those that occur."""
    true, pred = (backend.array(x) for x in GAPS)
    expected = ORACLES["cohen_kappa_score"](agreement_table_of(*GAPS), weights=weights)
    if backend.finds_sizes:
        backend.assert_close(gpuval.cohen_kappa_score(true, pred, weights=weights), expected, "size found")
    expected = ORACLES["cohen_kappa_score"](_square(*GAPS), weights=weights)

    def score(true, pred):
        return gpuval.cohen_kappa_score(true, pred, weights=weights, **SIZE)

    backend.assert_close(score(true, pred), expected, "size given")
    if backend.name.startswith("jax"):
        import jax

        backend.assert_close(jax.jit(score)(true, pred), expected, "compiled")


def _square(true, pred, size=8):
    """The table of all labels below a size."""
    table = [[0] * size for _ in range(size)]
    for i, j in zip(true, pred, strict=True):
        table[i][j] += 1
    return table


def test_kappa_of_a_batch_is_of_all_labels_of_its_size(backend):
    shifted = [1 + (x > 2) * 3 for x in GAPS[0]], [x % 3 + 4 for x in GAPS[1]]
    both = (GAPS, shifted) * 3
    counts = np.zeros(BATCH, dtype=np.int64)
    for table, labels in zip(counts.reshape(-1, *BATCH[2:]), both, strict=True):
        np.add.at(table, labels, 1)
    table = Contingency.from_counts(backend.array(counts))
    for weights in ("linear", "quadratic"):
        expected = [ORACLES["cohen_kappa_score"](_square(*x), weights=weights) for x in both]
        found = gpuval.cohen_kappa_score(table, weights=weights)
        assert found.shape == BATCH[:2]
        assert_close(backend.numpy(found).reshape(-1), expected, weights, float64=backend.has_float64)


def test_kappa_with_a_matrix_of_costs_for_all_labels_of_the_given_size(backend):
    costs = [[(3 * i + 5 * j) % 7 if i != j else 0 for j in range(8)] for i in range(8)]
    expected = ORACLES["cohen_kappa_score"](_square(*GAPS), weights=costs)
    for held in (costs, backend.array(costs)):
        true, pred = (backend.array(x) for x in GAPS)
        score = gpuval.cohen_kappa_score(true, pred, weights=held, n_classes=8, n_clusters=8)
        backend.assert_close(score, expected)


@pytest.mark.parametrize("broken", [-1.0, float("nan"), float("inf")])
@only_for(lambda backend: backend.name != "numpy")
def test_kappa_of_broken_costs_on_a_device_is_nan_and_they_are_not_looked_at(broken, backend):
    costs, fine = backend.array([[0.0, broken], [1.0, 0.0]]), backend.array([[0.0, 0.5], [1.0, 0.0]])
    labels = backend.array([0, 0, 1, 1])

    size = {"n_classes": 2, "n_clusters": 2}
    with transfers_to_host() as copied:
        scores = [gpuval.cohen_kappa_score(labels, labels, weights=x, **size) for x in (costs, fine)]
    assert not copied
    assert np.isnan(backend.numpy(scores[0]))
    assert backend.numpy(scores[1]) == 1


# ---- options at their limits ---------------------------------------------------------------------


LIMITS = {
    "pair_f_score": ("pair_precision_score", "pair_recall_score"),
    "bcubed_f_score": ("bcubed_precision_score", "bcubed_recall_score"),
    "v_measure_score": ("homogeneity_score", "completeness_score"),
}
"""Weighted means, and what they are for the smallest and the largest beta."""


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize("beta", [0, 1e-320, 1e-200, 1e20, 1e200, 1.7e308])
def test_means_of_extreme_weights_are_their_limits(name, beta, backend):
    case = CASES["rectangular"]
    expected = ORACLES[LIMITS[name][beta > 1]](table_of(*case))
    labels = [backend.array(x) for x in case]
    backend.assert_close(getattr(gpuval, name)(*labels, beta=beta, **SIZE), expected)


def test_the_v_measure_at_its_limits(backend):
    """0 gives homogeneity, but 0 where completeness is 0; and the other way round."""
    one, two = backend.array([0, 0, 0, 0]), backend.array([0, 0, 1, 1])
    crossed = backend.array([0, 1, 0, 1])
    for true, pred, homogeneity, completeness in (
        (one, two, 1, 0),
        (two, one, 0, 1),
        (two, crossed, 0, 0),
        (two, two, 1, 1),
        (one, one, 1, 1),
    ):
        for beta in (0, 1e200):
            scores = gpuval.homogeneity_completeness_v_measure(true, pred, beta=beta, **SIZE)
            backend.assert_close(scores, [homogeneity, completeness, min(homogeneity, completeness)])


@pytest.mark.parametrize("beta", [1e20, 1e200, 1.7e308])
def test_beta_entropies_of_an_endless_order(beta, backend):
    """(1 - sum p^b) / (1 - 2^(1-b)): each p below 1 leaves nothing, so it tells one group from several."""
    case, one = CASES["rectangular"], [0] * len(CASES["rectangular"][0])
    true, pred, whole = (backend.array(x) for x in (*case, one))
    backend.assert_close(gpuval.beta_entropy(true, beta=beta, n_classes=8), 1)
    backend.assert_close(gpuval.beta_entropy(whole, beta=beta, n_classes=8), 0)
    for other, joint, left, shared, distance in ((pred, 1, 0, 1, 0), (whole, 1, 1, 0, 1)):
        options = {"beta": beta, **SIZE}
        backend.assert_close(gpuval.beta_joint_entropy(true, other, **options), joint)
        backend.assert_close(gpuval.beta_conditional_entropy(true, other, **options), left)
        backend.assert_close(gpuval.beta_mutual_info(true, other, **options), shared)
        backend.assert_close(gpuval.beta_entropy_distance(true, other, **options), distance)


@pytest.mark.parametrize("two", [2, 2.0, np.int64(2), np.uint8(2), np.float32(2), np.array(2), Fraction(2)], ids=repr)
def test_options_may_be_numbers_of_any_kind(two):
    assert gpuval.entropy([0, 0, 1, 1], base=two) == 1.0
    assert gpuval.variation_of_information([0, 0, 1, 1], [0, 1, 0, 1], base=two) == 2.0
    assert gpuval.beta_entropy([0, 0, 1, 1], beta=two) == 1.0


def test_the_base_of_nats():
    for base in (None, math.e, np.float64(math.e)):
        assert gpuval.entropy([0, 0, 1, 1], base=base) == math.log(2)


def test_integers_beyond_the_floats_are_not_finite():
    for measure, option in ((gpuval.v_measure_score, "beta"), (gpuval.joint_entropy, "base")):
        with pytest.raises(ValueError, match=f"{option} must be .*finite"):
            measure([0, 1], [0, 1], **{option: 10**400})


# ---- values that are no scores -------------------------------------------------------------------


@pytest.mark.parametrize("name", CASES)
@only_for(lambda name, backend: name in found_on(backend))
def test_tables_and_matchings_are_right(name, backend):
    true, pred = CASES[name]
    table = table_of(true, pred)
    device = tuple(backend.array(x) for x in (true, pred))
    ways = [device, (Contingency.from_labels(*device, layout="dense"),)]
    if backend.lists_cells:
        ways.append((Contingency.from_labels(*device, layout="cells"),))
    for arguments in ways:
        assert_right_tables(table, true, pred, arguments, backend)


@pytest.mark.parametrize("name", CASES)
def test_tables_and_matchings_of_given_size_are_right(name, backend):
    true, pred = renumbered(name)
    table = [[0] * SIZE["n_clusters"] for _ in range(SIZE["n_classes"])]
    for i, j in zip(true, pred, strict=True):
        table[i][j] += 1
    device = backend.array(true), backend.array(pred)
    given = Contingency.from_labels(*device, **SIZE)
    assert_right_tables(table, true, pred, (given,), backend)


def assert_right_tables(table, true, pred, arguments, backend) -> None:
    both, true_only, pred_only, neither = pairs(table)
    found = backend.numpy(gpuval.pair_confusion_matrix(*arguments))
    assert np.array_equal(found, [[2 * neither, 2 * pred_only], [2 * true_only, 2 * both]])

    found = backend.numpy(gpuval.contingency_matrix(*arguments))
    assert np.array_equal(found, table)
    assert found.dtype == (np.int64 if backend.has_int64 else np.int32)

    best, k = best_matching(table), max(len(table), len(table[0]))
    matching = gpuval.match_labels(*arguments)
    classes, clusters, counts = (backend.numpy(x).tolist() for x in matching)
    assert sum(counts) == best
    assert all(counts)
    assert len(set(classes)) == len(set(clusters)) == len(classes)
    samples = list(zip(true, pred, strict=True))
    assert [samples.count(pair) for pair in zip(classes, clusters, strict=True)] == counts

    order = backend.numpy(gpuval.normalizing_permutation(*arguments))
    assert sorted(order.tolist()) == list(range(k))
    padded = np.pad(np.asarray(table), ((0, 0), (0, k - len(table[0]))))
    found = backend.numpy(gpuval.normalized_confusion_matrix(*arguments))
    assert np.array_equal(found, padded[:, order])
    assert np.trace(found) == best


MATCHED = [1, 0, 5, 0]
"""Clusters to be relabelled, of which 1 and 0 are matched."""


@pytest.mark.parametrize(
    ("classes", "unmatched", "dtype"),
    [
        (["aa", "b"], -1, object),
        (["aa", "b"], None, object),
        (["aa", "b"], math.nan, object),
        (["aa", "b"], b"none", object),
        (["aa", "b"], "none", "<U4"),
        (["aa", "b"], np.str_("none"), "<U4"),
        ([b"aa", b"b"], b"none", "S4"),
        ([3, 7], -1, np.int64),
        ([3, 7], np.int8(-1), np.int64),
        ([3, 7], 2**70, object),
        ([3, 7], "none", object),
        ([3, 7], None, object),
        ([3, 7], math.nan, object),
        ([3, 7], (1, 2), object),
        ([3, "b"], -1, object),
        (np.array([2**63, 2**63 + 1], dtype=np.uint64), -1, object),
        (np.array([2**63, 2**63 + 1], dtype=np.uint64), np.uint8(1), np.uint64),
    ],
    ids=repr,
)
def test_relabelling_keeps_the_labels_as_they_are(classes, unmatched, dtype):
    matching = gpuval.match_labels(classes, [1, 0])
    first, second = np.asarray(classes, dtype=object)
    found = matching.relabel(MATCHED, unmatched)
    assert found.dtype == dtype
    expected = [first, second, unmatched, second]
    for x, y in zip(found.tolist(), expected, strict=True):
        assert x is y or (x == y and isinstance(x, str | bytes | tuple) == isinstance(y, str | bytes | tuple))
    matched = matching.relabel([1, 0, 0], unmatched)
    assert matched.tolist() == [first, second, second]
    assert matched.dtype == matching.classes.dtype
    assert matching.relabel([], unmatched).dtype == matching.classes.dtype


def test_relabelling_takes_labels_of_any_kind():
    days = pd.Categorical(pd.to_datetime(["2020-01-02", "2020-01-01", None]))
    matching = gpuval.match_labels(["x", "y", "y"], days, ignore_labels=[None])
    assert matching.relabel(days, "none").tolist() == ["x", "y", "none"]
    mixed = [1, "1", 2.0, None]
    matching = gpuval.match_labels([4, 5, 6, 7], mixed, ignore_labels=[None])
    assert matching.relabel(mixed).tolist() == [4, 5, 6, -1]
    assert matching.relabel(np.array([2, 1, 3])).tolist() == [6, 4, -1]
    back = gpuval.match_labels(days, ["x", "y", "y"], ignore_labels=[None])
    assert back.relabel(["y", "x"]).tolist() == [days[1], days[0]]


# ---- batches of tables ---------------------------------------------------------------------------


def _batch():
    rng = np.random.default_rng(3)
    counts = rng.integers(0, 5, BATCH)
    counts[0, 1] = 0  # no samples
    counts[0, 2, :, 1] = 0  # a cluster without samples
    counts[1, 0] = np.eye(SIZE["n_classes"], SIZE["n_clusters"], dtype=np.int64) * 5  # the same partition twice
    counts[1, 1, :, 1:] = 0  # one cluster
    return counts


@cache
def batch_and_each(backend) -> tuple[Contingency, dict[tuple[int, int], Contingency]]:
    """A batch of tables, and each of them by itself, by its place."""
    counts = _batch()
    each = {place: of_counts(backend, counts[place]) for place in product(range(2), range(3))}
    return of_counts(backend, counts), each


def of_counts(backend, counts) -> Contingency:
    """A table, of which the measures share the statistics that they read."""
    return Contingency.from_counts(backend.array(counts)).with_results()


@pytest.mark.parametrize("row", SCORE_ROWS)
def test_a_batch_of_tables_gives_the_scores_of_each(row, backend):
    measure = SCORE_ROWS[row]
    table, each = batch_and_each(backend)
    batch = measure.of_table(table)
    several = batch if isinstance(batch, tuple) else (batch,)
    shape = (2, 3, SIZE[f"n_{measure.groups}"]) if measure.of_groups else (2, 3)
    for part in several:
        backend.assert_at_home(part, table.counts, shape)
    for place, of_one in each.items():
        single = backend.numpy(measure.of_table(of_one))
        parts = [backend.numpy(part)[place] for part in several]
        found = np.asarray(parts) if isinstance(batch, tuple) else parts[0]
        tolerance = 2e-14 if backend.has_float64 else 1e-5
        is_near = np.abs(found - single) <= tolerance * np.maximum(1.0, np.abs(single))
        assert np.all(is_near | np.isnan(found) & np.isnan(single)), f"{row} at {place}"


# ---- all pairs of partitions ---------------------------------------------------------------------


def canonical(table) -> tuple:
    """The table with rows and columns in an order of their own: nearly always one for all orders."""
    for _ in range(3):
        table = sorted(map(list, zip(*sorted(table), strict=True)))
        table = [list(row) for row in zip(*table, strict=True)]
    return tuple(map(tuple, table))


@cache
def exact_of_table(row: str, table):
    return exact(SCORE_ROWS[row], table)


@cache
def small_tables(largest: int) -> dict:
    """Every table that two partitions of up to so many items have, with an example."""
    tables = {}
    for n in range(largest + 1):
        for true, pred in product(all_partitions(n), repeat=2):
            tables.setdefault((n, tuple(map(tuple, table_of(true, pred)))), (true, pred))
    return tables


@cache
def small_batches(largest: int) -> list[tuple[list, list, Contingency]]:
    """All these tables, with their canonical ones: those of one shape in a batch."""
    of_shape = {}
    for _, table in small_tables(largest):
        of_shape.setdefault((len(table), len(table[0]) if table else 0), []).append(table)
    return [
        (
            several,
            [canonical(table) for table in several],
            Contingency.from_counts(np.asarray(several, np.int64).reshape(len(several), *shape)),
        )
        for shape, several in of_shape.items()
    ]


@cache
def one_of_each_order(largest: int) -> list[tuple[tuple, tuple, Contingency]]:
    """Of tables that differ by the order of rows and columns: one, its canonical table, and that of its labels."""
    seen = {canonical(table): (table, pair) for (_, table), pair in small_tables(largest).items()}
    return [(table, key, Contingency.from_labels(*pair)) for key, (table, pair) in seen.items()]


@cache
def doubles_of_table(row: str, table) -> tuple[float, ...]:
    value = exact_of_table(row, table)
    return tuple(map(float, value)) if isinstance(value, list | tuple) else (float(value),)


def check_values(row: str, found, tables, keys) -> None:
    """Compare the values of many tables: with doubles, and those that are not the same nearly with exact numbers."""
    values = [np.ravel(value) for value in found]
    doubles = [doubles_of_table(row, key) for key in keys]
    assert list(map(len, values)) == list(map(len, doubles)), f"the values of {row}: their number"
    value, double = (np.concatenate([*map(np.asarray, x), np.zeros(0)]) for x in (values, doubles))
    near = np.abs(value - double) <= 0.9e-14 * np.where(np.abs(double) < 0.01, 100 * np.abs(double), 1.0)
    near |= np.isnan(value) & np.isnan(double)
    places = np.repeat(np.arange(len(values)), list(map(len, values)))
    for i in set(places[~near].tolist()):
        assert_close(np.asarray(found[i]), exact_of_table(row, keys[i]), f"{row} of {tables[i]}")


@pytest.mark.parametrize("row", [name for name, row in SCORE_ROWS.items() if not row.reads_names])
def test_all_pairs_of_partitions_of_up_to_6_items(row):
    """Each table in a batch of its shape, and those of different rows and columns by themselves."""
    measure = SCORE_ROWS[row]
    in_order = measure.of_groups
    for tables, keys, batch in small_batches(6):
        scores = measure.of_table(batch)
        scores = np.stack(scores, axis=-1) if isinstance(scores, tuple) else scores
        check_values(row, scores, tables, tables if in_order else keys)
    tables, keys, singles = zip(*one_of_each_order(6), strict=True)
    check_values(row, [measure.of_table(x) for x in singles], tables, tables if in_order else keys)


def test_a_wrong_digit_of_one_table_is_found():
    tables = [((1, 1), (0, 2)), ((2, 0), (0, 1))]
    values = [float(exact_of_table("rand_score", table)) for table in tables]
    check_values("rand_score", values, tables, tables)
    for wrong in (values[0] * (1 + 3e-14), float("nan"), np.asarray([values[0]] * 2)):
        with pytest.raises(AssertionError, match=r"must be|their number"):
            check_values("rand_score", [wrong, values[1]], tables, tables)


@pytest.mark.parametrize("row", [name for name, row in SCORE_ROWS.items() if row.reads_names])
def test_all_pairs_of_labelings_of_up_to_5_items(row):
    """Where the names count: all pairs of partitions, one of them with names that begin elsewhere."""
    measure = SCORE_ROWS[row]
    for n in range(6):
        for true, pred in product(all_partitions(n), repeat=2):
            named = tuple(2 * x - 1 for x in pred)
            for other in (pred, named):
                table = tuple(map(tuple, agreement_table_of(true, other)))
                value = measure.of_labels(np.asarray(true, dtype=np.int64), np.asarray(other, dtype=np.int64))
                assert_close(np.asarray(value), exact_of_table(row, table), f"{row} of {true, other}")
