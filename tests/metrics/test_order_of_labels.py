"""Measures that depend on an order of the labels take it from what the data declare, and have no other."""

import functools
import json
import pickle
from dataclasses import replace

import numpy as np
import pytest
from oracles import ORACLES
from packages import pd, pl

import gpuval
from gpuval import Accumulator, Contingency, cohen_kappa_score
from gpuval.inputs.codes import extend_scale, merge_orders

GRADES = ["low", "fair", "mid", "high"]
"""In an order that is not that of the alphabet; nobody gives the second one."""
CODES = [0, 2, 3, 3, 0, 2, 2, 3, 0] * 3, [0, 3, 3, 2, 2, 2, 0, 3, 0] * 3
TEXTS = [[GRADES[x] for x in side] for side in CODES]
KINDS = ["linear", "quadratic"]
COSTS = [[0, 1, 5, 9], [2, 0, 2, 4], [7, 3, 0, 1], [9, 6, 1, 0]]


def expected(weights, true=CODES[0], pred=CODES[1], size=4):
    """By the definition, of places on the scale."""
    table = [[0] * size for _ in range(size)]
    for i, j in zip(true, pred, strict=True):
        table[i][j] += 1
    return float(ORACLES["cohen_kappa_score"](table, weights=weights))


def assert_is(found, weights, **others):
    assert float(found) == pytest.approx(expected(weights, **others), rel=1e-12)


def ordered(labels, categories=GRADES):
    return pd.Categorical(labels, categories=categories, ordered=True)


def frame(true=CODES[0], pred=CODES[1]):
    """The counts of all grades, also of the empty one."""
    found = pd.DataFrame(0, index=GRADES, columns=GRADES)
    for i, j in zip(true, pred, strict=True):
        found.iloc[i, j] += 1
    return found


def kappa(weights="quadratic", **options):
    return functools.partial(cohen_kappa_score, weights=weights, **options)


def test_the_worked_example():
    """Three grades in five samples: 4/7 by their codes, where the alphabet gives -2/7."""
    grades = ["low", "mid", "high"]
    true, pred = ["low", "mid", "high", "high", "low"], ["low", "high", "high", "mid", "mid"]
    found = cohen_kappa_score(ordered(true, grades), ordered(pred, grades), weights="quadratic")
    assert found == pytest.approx(4 / 7, rel=1e-14)
    counts = pd.crosstab(ordered(true, grades), ordered(pred, grades))
    assert cohen_kappa_score(Contingency.from_counts(counts), weights="quadratic") == pytest.approx(4 / 7, rel=1e-14)
    assert cohen_kappa_score(true, pred, weights="quadratic", labels=grades) == pytest.approx(4 / 7, rel=1e-14)


@pytest.mark.parametrize(("weights", "value"), [("quadratic", 2 / 3), ("linear", 4 / 7)])
def test_the_worked_example_of_given_size(weights, value, backend):
    true, pred = backend.array([0, 1, 3]), backend.array([0, 3, 3])
    sizes = {"n_classes": 4, "n_clusters": 4}
    backend.assert_close(cohen_kappa_score(true, pred, weights=weights, **sizes), value)
    places = np.arange(4)
    costs = np.abs(places[:, None] - places[None, :]) ** (2 if weights == "quadratic" else 1)
    backend.assert_close(cohen_kappa_score(true, pred, weights=costs, **sizes), value)
    counts = np.zeros((4, 4), dtype=np.int64)
    counts[[0, 1, 3], [0, 3, 3]] = 1
    backend.assert_close(cohen_kappa_score(Contingency.from_counts(backend.array(counts)), weights=weights), value)
    accumulator = Accumulator(4, 4)
    accumulator.update(true, pred)
    backend.assert_close(cohen_kappa_score(accumulator.table, weights=weights), value)


def _enums(labels):
    return pl.Series(labels, dtype=pl.Enum(GRADES))


def _dask(labels):
    import dask.dataframe as frames

    return frames.from_pandas(pd.Series(ordered(labels)), npartitions=3)


DECLARED = {
    "categorical": ordered,
    "series": lambda labels: pd.Series(ordered(labels)),
    "index": lambda labels: pd.CategoricalIndex(ordered(labels)),
    "enum of polars": _enums,
    "dask": _dask,
}


@pytest.mark.parametrize("weights", [*KINDS, COSTS], ids=str)
@pytest.mark.parametrize("form", DECLARED)
def test_ordered_categories_are_the_scale_also_where_they_are_empty(form, weights):
    true, pred = map(DECLARED[form], TEXTS)
    assert_is(cohen_kappa_score(true, pred, weights=weights), weights)
    assert_is(cohen_kappa_score(Contingency.from_labels(true, pred, layout="cells"), weights=weights), weights)


@pytest.mark.parametrize("weights", [*KINDS, COSTS], ids=str)
def test_one_side_declares_the_scale_of_both(weights):
    true, pred = TEXTS
    assert_is(cohen_kappa_score(ordered(true), pred, weights=weights), weights)
    assert_is(cohen_kappa_score(true, ordered(pred), weights=weights), weights)
    fewer = ordered(pred, ["low", "mid", "high"])
    assert_is(cohen_kappa_score(ordered(true), fewer, weights=weights), weights)


@pytest.mark.parametrize("weights", [*KINDS, COSTS], ids=str)
def test_a_frame_of_counts_is_in_the_order_of_its_rows(weights):
    table = Contingency.from_counts(frame())
    assert_is(cohen_kappa_score(table, weights=weights), weights)
    full = pd.crosstab(pd.Series(ordered(TEXTS[0])), pd.Series(ordered(TEXTS[1])))  # without empty grades
    assert_is(cohen_kappa_score(Contingency.from_counts(full), weights=weights), weights)
    turned = frame().iloc[::-1, ::-1]
    assert_is(cohen_kappa_score(Contingency.from_counts(turned), weights="linear"), "linear")


@pytest.mark.parametrize("weights", [*KINDS, COSTS], ids=str)
def test_labels_are_the_scale(weights, backend):
    assert_is(cohen_kappa_score(*TEXTS, weights=weights, labels=GRADES), weights)
    assert_is(cohen_kappa_score(*map(ordered, TEXTS), weights=weights, labels=np.asarray(GRADES)), weights)
    if backend.finds_sizes:
        names = np.asarray([7, -2, 4, 0])  # in no order of numbers
        true, pred = (backend.array(names[np.asarray(x)]) for x in CODES)
        score = cohen_kappa_score(true, pred, weights=weights, labels=names.tolist())
        backend.assert_close(score, expected(weights))


def test_undeclared_numbers_are_ranked_among_those_that_occur():
    """As in scikit-learn, also for categories in another order."""
    true, pred = ([(10, 20, 30, 70)[x] for x in side] for side in CODES)
    ranks = [[(0, None, 1, 2)[x] for x in side] for side in CODES]
    unordered = [pd.Categorical(x, categories=[70, 10, 30, 20]) for x in (true, pred)]
    for kind in KINDS:
        value = expected(kind, *ranks, size=3)
        assert cohen_kappa_score(true, pred, weights=kind) == pytest.approx(value, rel=1e-12)
        assert cohen_kappa_score(*unordered, weights=kind) == pytest.approx(value, rel=1e-12)


def test_what_is_ignored_is_not_on_the_scale():
    grades = ["low", "unknown", "mid", "high"]
    true, pred = ([grades[x] for x in (*side, 1, 1)] for side in CODES)
    ranks = [[(0, None, 1, 2)[x] for x in side] for side in CODES]
    both = ordered(true, grades), ordered(pred, grades)
    for kind in KINDS:
        value = pytest.approx(expected(kind, *ranks, size=3), rel=1e-12)
        assert cohen_kappa_score(*both, weights=kind, ignore_labels="unknown") == value
        assert gpuval.compare(both[0], {"a": both[1]}, {"k": kappa(kind)}, ignore_labels=["unknown"])["a"]["k"] == value


WAYS = {
    "dense": Contingency.dense,
    "listed": Contingency.listed,
    "compact": Contingency.compact,
    "transposed twice": lambda table: table.transposed().transposed(),
    "pickled": lambda table: pickle.loads(pickle.dumps(table)),
    "added": lambda table: table + Contingency.from_labels(ordered([]), ordered([])),
    "added to part": lambda table: _in_parts(ordered),
    "added to what does not declare it": lambda table: _in_parts(lambda labels: labels),
}


def _in_parts(read):
    first, second = (Contingency.from_labels(*x) for x in _batches(read))
    return first + second


def _batches(read=ordered):
    return [
        [ordered(x[:10]) for x in TEXTS],
        [read(x[10:]) for x in TEXTS],
    ]


@pytest.mark.parametrize("way", WAYS)
def test_the_scale_survives(way):
    table = WAYS[way](Contingency.from_labels(*map(ordered, TEXTS)))
    for weights in (*KINDS, COSTS):
        assert_is(cohen_kappa_score(table, weights=weights), weights)
    assert table.compact().classes.tolist() == ["low", "mid", "high"]


@pytest.mark.parametrize("library", ["torch", "jax"])
def test_the_scale_survives_in_a_tree(library):
    counts = frame()
    counts.index = counts.columns = [3, 1, 0, 2]
    table = Contingency.from_counts(counts)
    if library == "torch":
        from torch.utils import _pytree as tree

        leaves, form = tree.tree_flatten(table)
        again = tree.tree_unflatten(leaves, form)
    else:
        import jax

        leaves, form = jax.tree.flatten(table)
        again = jax.tree.unflatten(form, leaves)
    assert_is(cohen_kappa_score(again, weights="linear"), "linear")


def test_the_scale_survives_in_accumulators():
    accumulator, other = Accumulator(), Accumulator()
    first, second = _batches()
    accumulator.update(*first)
    other.update(*second)
    accumulator.merge(other)
    assert_is(cohen_kappa_score(accumulator.table, weights="linear"), "linear")
    loaded = Accumulator()
    loaded.load_state_dict(json.loads(json.dumps(accumulator.state_dict())))
    assert_is(cohen_kappa_score(loaded.table, weights="linear"), "linear")
    assert repr(loaded.table) == repr(accumulator.table)
    state = accumulator.state_dict()
    with pytest.raises(ValueError, match=r"state must have scales with all labels of each side, got \['low'\]"):
        Accumulator().load_state_dict({**state, "scales": [["low"], None]})


def checked(seen):
    """A function of tables that compares the score of each with the definition on the whole scale."""

    def score(table):
        places = [np.asarray([GRADES.index(x) for x in labels]) for labels in (table.classes, table.clusters)]
        counts = np.zeros((4, 4), dtype=np.int64)
        counts[np.ix_(*places)] = table.to_array()
        found = float(cohen_kappa_score(table, weights="quadratic"))
        definition = ORACLES["cohen_kappa_score"](counts.tolist(), weights="quadratic")
        assert found == pytest.approx(float(definition), rel=1e-12, abs=1e-12)
        seen.append(counts)
        return found

    return score


def test_resamples_keep_the_scale_where_they_lack_a_grade():
    true, pred = (x[:9] for x in TEXTS)
    labels = ordered(true), ordered(pred)
    other = ordered(pred[::-1])
    for run in (
        lambda f: gpuval.bootstrap(f, *labels, n_resamples=30, random_state=1),
        lambda f: gpuval.jackknife(f, *labels),
        lambda f: gpuval.permutation_test(f, *labels, n_resamples=20, random_state=1),
        lambda f: gpuval.compare_scores(labels[0], labels[1], other, f, n_resamples=20, random_state=1),
        lambda f: gpuval.evaluate(*labels, {"f": f}, by=[0, 1, 2] * 3),
        lambda f: gpuval.evaluate(*labels, {"f": f}, groups=[0, 1, 2] * 3, confidence_level=0.9, n_resamples=20),
    ):
        seen = []
        run(checked(seen))
        assert len(seen) > 2
    assert gpuval.jackknife(kappa(), *labels).score == gpuval.jackknife(checked([]), *labels).score


def test_resamples_of_numbers_keep_those_that_occur():
    """Ranks are among the labels of all samples, and not among those that a resample happens to have."""
    ranks = [[(0, None, 1, 2)[x] for x in side[:9]] for side in CODES]
    labels = [[(1, None, 4, 9)[x] for x in side[:9]] for side in CODES]
    by_ranks = gpuval.bootstrap(kappa(), *ranks, n_resamples=50, random_state=3)
    assert gpuval.bootstrap(kappa(), *labels, n_resamples=50, random_state=3).low == by_ranks.low
    assert gpuval.compare_scores(labels[0], labels[1], labels[0], kappa(), n_resamples=50, random_state=3).low == (
        gpuval.compare_scores(ranks[0], ranks[1], ranks[0], kappa(), n_resamples=50, random_state=3).low
    )


def test_evaluations_take_the_order():
    true, pred = map(ordered, TEXTS)
    assert_is(gpuval.evaluate(true, pred, {"k": kappa()})["k"], "quadratic")
    assert_is(gpuval.compare(true, {"a": pred}, {"k": kappa()})["a"]["k"], "quadratic")
    assert_is(gpuval.pairwise([true, pred], kappa()).scores[0, 1], "quadratic")
    assert_is(gpuval.evaluate(true, pred, [kappa()], confidence_level=0.9)[f"{kappa_name()}"], "quadratic")


def kappa_name():
    return "cohen_kappa_score(weights='quadratic')"


def test_the_metric_of_torchmetrics_has_all_grades():
    import torch

    from gpuval.torchmetrics import ClusteringMetric

    metric = ClusteringMetric(kappa(), n_classes=4, n_clusters=4)
    true, pred = map(torch.tensor, CODES)
    metric.update(pred, true)
    assert_is(metric.compute(), "quadratic")


def test_columns_of_anndata_have_their_order():
    import anndata

    import gpuval.anndata

    obs = pd.DataFrame({"a": ordered(TEXTS[0]), "b": ordered(TEXTS[1])}, index=[f"c{i}" for i in range(27)])
    cells = anndata.AnnData(np.zeros((27, 1)), obs=obs)
    assert_is(gpuval.anndata.evaluate(cells, "a", "b", metrics={"k": kappa()})["b"]["k"], "quadratic")


def test_costs_with_names_need_no_order():
    costs = pd.DataFrame(COSTS, index=GRADES, columns=GRADES)
    mixed = costs.loc[["mid", "low", "high", "fair"], ["high", "fair", "low", "mid"]]
    for labels in (TEXTS, [ordered(x) for x in TEXTS], [pd.Categorical(x) for x in TEXTS]):
        assert_is(cohen_kappa_score(*labels, weights=mixed), COSTS)
    assert_is(cohen_kappa_score(*TEXTS, weights=mixed, labels=GRADES), COSTS)


NO_ORDER = "must be for labels that have one order on both sides, got "
GIVE = "; give all labels in their order as labels=, or ordered categories"


@pytest.mark.parametrize("weights", KINDS)
def test_text_has_no_order(weights):
    for labels in (
        TEXTS,
        [np.asarray(x) for x in TEXTS],
        [pd.Series(x) for x in TEXTS],
        [pd.Categorical(x) for x in TEXTS],
    ):
        with pytest.raises(ValueError) as raised:
            cohen_kappa_score(*labels, weights=weights)
        assert str(raised.value) == f"weights={weights!r} {NO_ORDER}labels without one, such as 'high'{GIVE}"
        assert_is(cohen_kappa_score(*labels), None)
    with pytest.raises(ValueError, match="weights without the names of the labels must be for labels that have one"):
        cohen_kappa_score(*TEXTS, weights=[[0, 1, 2], [1, 0, 2], [2, 2, 0]])


def test_orders_that_contradict_each_other_are_shown():
    true, pred = TEXTS
    for other, orders in (
        (["high", "mid", "fair", "low"], "('low', 'fair', 'mid', 'high') and ('high', 'mid', 'fair', 'low')"),
        (["low", "mid", "best", "high"], "('low', 'fair', 'mid', 'high') and ('low', 'mid', 'best', 'high')"),
    ):
        both = ordered(true), ordered(pred, other)
        if "best" in other:
            assert cohen_kappa_score(*both, weights="linear") > 0  # best lies between mid and high
            continue
        with pytest.raises(ValueError) as raised:
            cohen_kappa_score(*both, weights="linear")
        assert str(raised.value) == f"weights='linear' {NO_ORDER}{orders}{GIVE}"
        assert_is(cohen_kappa_score(*both), None)
        assert_is(cohen_kappa_score(*both, weights="linear", labels=GRADES), "linear")
    with pytest.raises(ValueError) as raised:
        cohen_kappa_score(ordered(true), [*pred[:-1], "best"], weights="linear")
    lacks = "('low', 'fair', 'mid', 'high'), which lacks 'best'"
    assert str(raised.value) == f"weights='linear' {NO_ORDER}{lacks}{GIVE}"


def test_sums_of_tables_with_different_orders_say_so():
    true, pred = TEXTS
    table = Contingency.from_labels(ordered(true), ordered(pred))
    other = Contingency.from_labels(*(ordered(x, GRADES[::-1]) for x in TEXTS))
    with pytest.raises(ValueError, match="got tables that were added and declare different ones; give all labels"):
        cohen_kappa_score(table + other, weights="linear")
    assert_is(cohen_kappa_score(table + other), None)
    assert_is(cohen_kappa_score(table + other, weights="linear", labels=GRADES), "linear")


def test_labels_that_are_no_scale():
    with pytest.raises(
        ValueError, match="labels must have all labels of the table, got none for 'mid'; add it, or leave"
    ):
        cohen_kappa_score(*TEXTS, weights="linear", labels=["low", "high"])
    with pytest.raises(ValueError, match="labels must have each label once, got 'low' twice"):
        cohen_kappa_score(*TEXTS, weights="linear", labels=["low", *GRADES])
    with pytest.raises(TypeError, match="labels must be a vector"):
        cohen_kappa_score(*TEXTS, weights="linear", labels="low")


@pytest.mark.parametrize(
    ("first", "second", "order"),
    [
        ("abc", "abc", "abc"),
        ("abcd", "ad", "abcd"),
        ("ab", "bc", "abc"),
        ("bd", "abcd", "abcd"),
        ("ab", "ac", ""),
        ("ab", "ba", ""),
        ("abc", "cab", ""),
        ("ab", "cd", ""),
        ([1, 3], [0, 2, 3], [0, 1, 2, 3]),
        ([3, 1], [3, 2], ""),
        ([3, 2, 1], [3, 1], [3, 2, 1]),
    ],
)
def test_two_orders_make_one_if_there_is_only_one(first, second, order):
    assert merge_orders(tuple(first), tuple(second)) == merge_orders(tuple(second), tuple(first)) == tuple(order)


def test_a_scale_gets_the_labels_that_have_a_place_on_it():
    assert extend_scale(("b", "a"), ["a"]) == ("b", "a")
    assert extend_scale(("b", "a"), ["c"]) == ()
    assert extend_scale((1, 4), [3, 2]) == (1, 2, 3, 4)
    assert extend_scale((4, 1), [3]) == ()


def test_tables_and_counts_of_labels_are_printed_in_the_order():
    table = Contingency.from_labels(*map(ordered, TEXTS))
    assert [line.split()[0] for line in repr(_in_parts(ordered)).splitlines()[2:]] == ["low", "mid", "high"]
    assert repr(_in_parts(ordered)) == repr(table)
    counts = gpuval.multilabel.LabelCounts.from_labels(*map(ordered, TEXTS))
    assert list(counts.classes) == ["low", "mid", "high"]  # what does not occur is no label to average over


def test_numbers_in_another_order_keep_it_in_another_library():
    """Their labels become a range there, which has an order of its own: a process without samples has such a table."""
    import torch

    numbers = (3, 7, 1, 2)
    labels = [torch.tensor([numbers[x] for x in side]) for side in CODES]
    table = replace(Contingency.from_labels(*labels), scales=(numbers, numbers))
    assert isinstance(table.classes, range)
    assert_is(cohen_kappa_score(table, weights="linear"), "linear")
