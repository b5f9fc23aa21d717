"""Results that know their labels: which ones they are, how they print, and what pandas gets."""

import functools
import math
from collections import Counter
from fractions import Fraction
from unittest import mock

import numpy as np
import pytest
from backends import BACKENDS, SIZE, transfers_to_host
from only_for import only_for
from packages import pd

import gpuval
from gpuval import Contingency
from gpuval.display.text import text_width
from gpuval.measures.label_scores import ClassScores, ClusterScores, LabelScores

TRUE = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
PRED = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
"""Simovici's example, whose values are in `test_oracles`."""

EXAMPLE = {
    "cluster_precision": [2 / 4, 2 / 3, 4 / 5],
    "cluster_recall": [2 / 5, 2 / 5, 4 / 4],
    "cluster_f_score": [4 / 9, 1 / 2, 8 / 9],
    "class_adjusted_wallace_scores": [3 / 47, -29 / 235, 1],
    "cluster_adjusted_wallace_scores": [3 / 47, 3 / 47, 103 / 235],
    "class_jaccard_scores": [2 / 5, 2 / 6, 4 / 5],
    "cluster_jaccard_scores": [2 / 5, 2 / 6, 4 / 5],
    "prediction_strength_scores": [1 / 3, 1 / 5, 1],
}
OF_EACH = {name: "cluster" if name.startswith("cluster") else "class" for name in EXAMPLE}
"""What each of them has scores of."""
PLURAL = {"class": "classes", "cluster": "clusters"}
BEST_CLASS = {name: [2, 2, 3] for name in ("cluster_precision", "cluster_recall", "cluster_f_score")}
"""Of the cluster 1, which has two samples of each of two classes, it is the larger class."""

HOSTILE = ["<script>", "\x1b[31m", "a\nb", "\N{PILE OF POO}" * 30, "x" * 10_000, "‮right", "é́", "\ud800", ""]


def lines_of(result) -> list[str]:
    """The lines of what is printed, which are safe and fit a terminal."""
    lines = repr(result).split("\n")
    assert all(text_width(line) <= 80 for line in lines), repr(result)
    assert not any(ord(x) < 32 or x in "\x7f\x9b‮" or 0xD800 <= ord(x) < 0xE000 for line in lines for x in line)
    return lines


# Scores of classes, clusters and labels


@pytest.mark.parametrize("name", EXAMPLE)
def test_labels_and_scores(name, backend):
    """Those that occur where the size is found, and all numbers below it where it is given."""
    field = PLURAL[OF_EACH[name]]
    labels = backend.array(TRUE), backend.array(PRED)
    options = [{}, SIZE] if backend.finds_sizes else [SIZE]
    for size in options:
        found = getattr(gpuval, name)(*labels, **size)
        best = {"class": BEST_CLASS[name]} if name in BEST_CLASS else {}
        assert found._fields == (field, *["classes"] * len(best), "scores")
        expected = np.full(SIZE[f"n_{field}"], np.nan if name.startswith("prediction") or "wallace" in name else 0.0)
        expected[1:4] = EXAMPLE[name]
        wanted = expected if size else expected[1:4]
        assert backend.numpy(found[0]).tolist() == (list(range(len(expected))) if size else [1, 2, 3])
        assert type(found[0]) is type(found.scores) is type(labels[0])
        np.testing.assert_allclose(backend.numpy(found.scores), wanted, rtol=1e-12 if backend.has_float64 else 1e-5)
        first, *lines = lines_of(found)
        rows, (empty, spread, *_) = lines[: len(wanted)], lines[len(wanted) :]
        assert first.split() == [OF_EACH[name], *best, "score"]
        n_scores = np.count_nonzero(~np.isnan(wanted))
        assert (empty, spread.partition(":")[0]) == ("", f"{n_scores} {field}")
        if best:
            classes = [-1, *best["class"], *[-1] * (len(expected) - 4)] if size else best["class"]
            assert type(found.classes) is type(labels[0])
            assert backend.numpy(found.classes).tolist() == classes
            assert [int(row.split()[1]) for row in rows] == classes
        assert [row.split()[:: 1 + len(best)] for row in rows] == [
            [str(x), f"{y:.3f}"] for x, y in zip(range(len(wanted)) if size else (1, 2, 3), wanted, strict=True)
        ]


@pytest.mark.parametrize("labels", [[-7, 10**12, 3], ["b", "a", "c"], [True, False, True], [2.0, 1.0, 7.0]])
def test_labels_of_any_kind(labels):
    true = [labels[0]] * 2 + [labels[1]] * 3 + [labels[2]] * 4
    sizes = Counter(true)
    scores = gpuval.cluster_precision([0] * 9, true)
    assert scores.clusters.tolist() == sorted(sizes)
    frame = gpuval.cluster_recall([0] * 9, true).to_pandas()
    assert (frame.columns.to_list(), frame.index.name) == (["class", "score"], "cluster")
    assert frame["score"].to_dict() == pytest.approx({label: size / 9 for label, size in sizes.items()})
    series = gpuval.cluster_adjusted_wallace_scores([0] * 9, true).to_pandas()
    assert (series.name, series.index.name) == ("score", "cluster")
    assert gpuval.cluster_f_score(true, [5] * 9).classes.tolist() == [labels[2]]


def test_labels_of_pandas():
    labels = pd.Series(["low", "high", None, "high"], dtype=pd.CategoricalDtype(["low", "mid", "high"], ordered=True))
    found = gpuval.cluster_precision([0, 1, 1, 0], labels, ignore_labels=[None]).to_pandas()
    assert found.to_dict("index") == {"high": {"class": 0, "score": 0.5}, "low": {"class": 0, "score": 1.0}}
    assert set(gpuval.cluster_precision(labels, [0, 1, 1, 1], ignore_labels=[None]).classes) == {"low", "high"}
    found = gpuval.class_adjusted_wallace_scores(labels, [0, 1, 1, 1], ignore_labels=[None])
    assert set(found.classes.tolist()) == {"low", "high"}


@pytest.mark.parametrize("name", EXAMPLE)
def test_labels_of_a_table_are_not_its_own_memory(name):
    table = Contingency.from_labels(["a", "b", "b"], [9, 9, 5])
    found = getattr(gpuval, name)(table)
    found[0][:] = found[0][::-1].copy()
    assert (table.classes.tolist(), table.clusters.tolist()) == (["a", "b"], [5, 9])


@pytest.mark.parametrize("name", EXAMPLE)
def test_in_compiled_graphs(name):
    import jax
    import torch

    measure = functools.partial(getattr(gpuval, name), **SIZE)
    wanted = measure(np.asarray(TRUE), np.asarray(PRED))
    printed = []

    def shown(*labels):
        found = measure(*labels)
        printed.append(repr(found))
        return found

    with jax.enable_x64(True):
        labels = jax.numpy.asarray(TRUE), jax.numpy.asarray(PRED)
        for found in (
            jax.jit(shown)(*labels),
            jax.tree.map(lambda x: x[1], jax.vmap(shown)(*np.stack([labels] * 2, 1))),
        ):
            for x, y in zip(found, wanted, strict=True):
                np.testing.assert_allclose(np.asarray(x), y, rtol=1e-12)
    assert [text.partition("(")[0] for text in printed] == [type(wanted).__name__] * 2
    labels = torch.asarray(TRUE), torch.asarray(PRED)
    compiled = torch.compile(measure, fullgraph=True, backend="eager")(*labels)
    mapped = torch.func.vmap(measure)(*(torch.stack([x, x]) for x in labels))
    for found in (compiled, type(wanted)(*(x[1] for x in mapped))):
        for x, y in zip(found, wanted, strict=True):
            np.testing.assert_allclose(x.numpy(), y, rtol=1e-12)


@pytest.mark.parametrize("name", ["torch", "strict", "jax"])
def test_nothing_is_copied_to_the_host_before_it_is_shown(name):
    backend = BACKENDS[name]
    with backend.mode(), transfers_to_host() as copied:
        for measure in (gpuval.cluster_precision, gpuval.class_adjusted_wallace_scores):
            found = measure(backend.array(TRUE), backend.array(PRED), **SIZE)
            assert copied == []
            assert len(lines_of(found)) >= 1 + found.scores.shape[0] + 2  # the lines of the spread
            assert len(copied) == len(found)
            copied.clear()


def test_trees_of_anything_print():
    import jax

    found = gpuval.cluster_precision(TRUE, PRED)
    for leaf in (None, "x", 3, object(), jax.ShapeDtypeStruct((3,), "f4")):
        assert repr(jax.tree.map(lambda _, leaf=leaf: leaf, found)).startswith("BestClassScores(clusters=")


def test_batches():
    counts = np.asarray([[[3, 1], [0, 2]], [[1, 1], [1, 1]]])
    found = gpuval.cluster_precision(Contingency.from_counts(counts))
    assert found.clusters.tolist() == [0, 1]
    np.testing.assert_allclose(found.scores, [[1, 2 / 3], [1 / 2, 1 / 2]])
    assert found.classes.tolist() == [[0, 1], [0, 0]]  # of equal classes the first
    assert repr(found).startswith("BestClassScores(")
    with pytest.raises(ValueError, match=r"needs the scores of a single table, got a batch of shape \(2,\)"):
        found.to_pandas()
    with pytest.raises(ValueError, match=r"spread\(\) needs the scores of a single table, got a batch of shape \(2,\)"):
        found.spread()


def test_long_tables_leave_out_the_middle():
    assert len(lines_of(gpuval.cluster_precision(range(20), range(20)))) == 23
    lines = lines_of(gpuval.cluster_precision(range(1000), range(1000)))
    names = [line.split()[0] for line in lines[1:-2]]
    assert names == [*map(str, range(10)), "...", *map(str, range(990, 1000))]


def test_hostile_labels():
    objects = np.asarray(HOSTILE * 2, dtype=object)  # text of pandas 3 has no surrogates
    for labels in (HOSTILE * 2, objects, pd.Categorical(pd.Series(objects, dtype=object))):
        for found in (
            gpuval.cluster_precision(TRUE + TRUE[:6], labels),
            gpuval.class_adjusted_wallace_scores(labels, TRUE + TRUE[:6]),
            gpuval.match_labels(labels, HOSTILE * 2),
            Contingency.from_labels(labels, HOSTILE * 2),
            Contingency.from_labels(labels, HOSTILE * 2, layout="cells"),
        ):
            text = "\n".join(lines_of(found))
            assert r"\x1b[31m" in text
            assert "xxx…" in text
        assert set(gpuval.cluster_precision(TRUE + TRUE[:6], labels).to_pandas().index) == set(HOSTILE)


def test_a_label_that_cannot_be_written():
    class Label:
        def __init__(self, n):
            self.n = n

        def __lt__(self, other):
            return self.n < other.n

        def __str__(self):
            raise RuntimeError("no text")

    one, two = Label(1), Label(2)
    labels = np.empty(2, dtype=object)
    labels[:] = one, two
    assert lines_of(gpuval.cluster_precision([0, 0], labels))[1].split() == ["<Label>", "0", "1.000"]


# How far the scores of labels lie apart


@only_for(lambda backend: backend.finds_sizes)
def test_the_spread_of_scores(backend):
    """Of 1/2, 2/3 and 4/5, Simovici's example."""
    scores = [Fraction(1, 2), Fraction(2, 3), Fraction(4, 5)]
    mean = sum(scores) / 3
    variance = sum((x - mean) ** 2 for x in scores) / 3
    found = gpuval.cluster_precision(backend.array(TRUE), backend.array(PRED))
    spread = found.spread()
    tolerance = 1e-12 if backend.has_float64 else 1e-6
    assert (spread.least_label, spread.most_label, spread.n_undefined) == (1, 3, 0)
    expected = [mean, math.sqrt(variance), scores[0], scores[-1]]
    numbers = [spread.mean, spread.standard_deviation, spread.least, spread.most]
    np.testing.assert_allclose(numbers, np.asarray(expected, dtype=float), rtol=tolerance)
    assert {type(x) for x in numbers} == {float}
    text = "3 clusters: mean 0.656, sd 0.123; least 0.500 (1), most 0.800 (3)"
    assert lines_of(found)[-2:] == ["", text]
    assert found.to_pandas().shape == (3, 2)


@pytest.mark.parametrize("kind", [ClassScores, ClusterScores, LabelScores])
def test_scores_that_are_not_defined_have_no_part_in_the_spread(kind):
    labels = np.asarray(["a", "b", "c", "d", "e"])
    found = kind(labels, np.asarray([np.nan, 0.25, 1.0, 0.25, np.nan]))
    spread = found.spread()
    assert spread == (0.5, math.sqrt(Fraction(1, 8)), 0.25, "b", 1.0, "c", 2)
    assert type(spread.least_label) is str
    text = f"3 {found._fields[0]}: mean 0.500, sd 0.354; 2 without a score; least 0.250 (b), most 1.000 (c)"
    assert lines_of(found)[-2:] == text.replace("score; ", "score\n").split("\n")
    one = kind(labels[:3], np.asarray([np.nan, 0.25, np.nan]))
    assert one.spread()[2:] == (0.25, "b", 0.25, "b", 2)
    assert one.spread().mean == 0.25
    assert math.isnan(one.spread().standard_deviation)
    assert len(lines_of(one)) == 4
    none = kind(labels[:3], np.full(3, np.nan)).spread()
    assert np.isnan([none.mean, none.standard_deviation, none.least, none.most]).all()
    assert (none.least_label, none.most_label, none.n_undefined) == (None, None, 3)
    assert len(lines_of(kind(labels[:2], np.asarray([0.0, 1.0])))) == 3
    endless = kind(labels, np.asarray([np.inf, 0.0, 1.0, 0.0, 0.0]))
    assert endless.spread().most_label == "a"
    assert "sd nan" in lines_of(endless)[-1]


def test_the_spread_keeps_times():
    times = np.asarray(["2024-01-01", "2024-01-02", "2024-01-03"], dtype="datetime64[ns]")
    found = ClusterScores(times, np.asarray([0.0, 0.5, 1.0]))
    assert found.spread().most_label == times[2]
    assert lines_of(found)[-1].endswith("most 1.000 (2024-01-03)")


# What return_per_label gives, and pairs of labels


def test_scores_of_labels():
    from scipy.sparse import csr_array

    X = np.asarray([[0.0], [1.0], [10.0], [11.0], [12.0], [30.0]])
    labels = ["a", "a", "b", "b", "b", "c"]
    found = gpuval.inertia(X, labels, return_per_label=True)  # 2 (1/2)^2, and 1 + 1
    assert lines_of(found)[:6] == ["score  2.500", "", "label  score", "a      0.500", "b      2.000", "c      0.000"]
    assert found.to_pandas().to_dict() == pytest.approx({"a": 0.5, "b": 2.0, "c": 0.0})
    found = gpuval.silhouette_label(X, labels, return_per_label=True)
    frame = found.to_pandas()
    assert frame.columns.to_list() == ["score", "standard_error"]
    assert frame.index.to_list() == ["a", "b", "c"]
    assert frame["score"].to_list() == found.label_scores.tolist()
    lines = lines_of(found)
    assert [line.split()[0] for line in lines if line] == ["score", "standard_error", "label", "a", "b", "c", "3"]
    path = csr_array(np.eye(4, k=1) + np.eye(4, k=-1))  # of four samples in a row: an edge of each label is cut
    found = gpuval.conductance_scores(path, ["x", "x", "y", "y"])
    assert found.to_pandas().to_dict() == pytest.approx({"x": 1 / 3, "y": 1 / 3})
    assert lines_of(found)[1:] == ["x      0.333", "y      0.333"]


def test_isolated_labels():
    labels, batch = ["a", "a", "b", "b", "c", "c"], [0, 1, 0, 0, 1, 1]
    found = gpuval.isolated_labels_score(labels, batch, clusterings=labels, return_per_label=True)
    assert found.to_pandas().to_dict("index") == {x: {"score": 1.0, "batches": 1} for x in "bc"}
    assert lines_of(found)[-2:] == ["b      1.000        1", "c      1.000        1"]


def test_queries():
    found = gpuval.ranking.reciprocal_rank_score(
        [1, 0, 0, 1], [2, 1, 2, 1], ["u", "u", "v", "v"], return_per_query=True
    )
    assert lines_of(found) == ["score  0.750", "", "query  score", "u      1.000", "v      0.500"]
    assert found.to_pandas().to_dict() == {"u": 1.0, "v": 0.5}


@only_for(lambda backend: backend.finds_sizes)
def test_matched_labels(backend):
    found = gpuval.match_labels(backend.array([5, 5, 5, 7, 7, 9]), backend.array([1, 1, 2, 2, 2, 1]))
    assert found.to_pandas().to_dict("index") == {5: {"cluster": 1, "count": 2}, 7: {"cluster": 2, "count": 2}}
    assert lines_of(found) == ["class  cluster  count", "5      1            2", "7      2            2"]
    long = gpuval.match_labels(["x" * 200, "y"], ["z" * 300, "w"])
    assert {len(line) for line in lines_of(long)} <= {79, 80}  # two labels of one length


# Pairs of labelings


@only_for(lambda backend: backend.finds_sizes)
def test_pairwise(backend):
    labelings = {"one": [0, 0, 1, 1], "two": [0, 0, 0, 0], "three": [0, 1, 2, 3]}
    held = {name: backend.array(x) for name, x in labelings.items()}
    found = gpuval.pairwise(held, "PURITY")
    expected = [[1, 0.5, 1], [1, 1, 1], [0.5, 0.25, 1]]
    assert (found.names, found.metric) == (("one", "two", "three"), "purity_score")
    assert type(found.scores) is type(held["one"])
    assert backend.numpy(found.scores).tolist() == expected
    frame = found.to_pandas()
    assert frame.index.to_list() == frame.columns.to_list() == list(labelings)
    assert frame.to_numpy().tolist() == expected
    first, names, *rows = lines_of(found)
    assert (first, names.split()) == ("purity_score", list(labelings))
    assert [row.split() for row in rows] == [
        [name, *(f"{x:.3f}" for x in row)] for name, row in zip(labelings, expected, strict=True)
    ]


def test_pairwise_is_an_array_for_numpy():
    import torch

    found = gpuval.pairwise([torch.tensor(TRUE), torch.tensor(PRED)], "rand_score")
    assert found.names == (0, 1)
    array = np.asarray(found)
    assert array.dtype == np.float64
    assert array.tolist() == found.scores.tolist()
    assert np.asarray(found, dtype=np.float32).dtype == np.float32
    copy = np.array(found)
    copy[:] = 0
    assert found.scores[0, 0] == 1
    assert gpuval.pairwise([TRUE, PRED], lambda _: 1).metric == "<lambda>"


def test_pairwise_is_a_tree():
    import jax
    import torch.utils._pytree

    found = gpuval.pairwise({"a": jax.numpy.asarray(TRUE), "b": jax.numpy.asarray(PRED)})
    twice = jax.jit(lambda x: jax.tree.map(lambda scores: 2 * scores, x))(found)
    assert (twice.names, twice.metric) == (found.names, found.metric)
    np.testing.assert_allclose(np.asarray(twice), 2 * np.asarray(found))
    for tree_map in (jax.tree.map, torch.utils._pytree.tree_map):
        assert repr(tree_map(lambda _: None, found)).startswith("PairwiseScores(names=('a', 'b'), scores=None")


def test_pairs_of_many_labelings_with_hostile_names():
    names = [*HOSTILE, *range(40), None, ("a", 1)]
    found = gpuval.pairwise(dict.fromkeys(names, TRUE))
    lines = lines_of(found)
    assert lines[1].endswith("...")
    assert (len(lines), lines[-1]) == (2 + 20 + 1, "...")
    assert found.to_pandas().shape == (len(names), len(names))
    levels = gpuval.pairwise({("a", 1): TRUE, ("a", 2): PRED}).to_pandas()
    assert levels.index.nlevels == levels.columns.nlevels == 2


# Tables


@pytest.mark.parametrize("layout", ["dense", "cells"])
@only_for(lambda backend, layout: backend.lists_cells or (layout == "dense" and backend.finds_sizes))
def test_a_table_shows_its_counts(backend, layout):
    labels = backend.array([10, 10, 20, 40, 40]), backend.array([3, 3, 3, 5, 3])
    first, *counts = lines_of(Contingency.from_labels(*labels, layout=layout))
    assert first.startswith("Contingency(")
    assert [x.split() for x in counts] == [["3", "5"], ["10", "2", "0"], ["20", "1", "0"], ["40", "1", "1"]]
    given = Contingency.from_labels(backend.array([0, 0, 2]), backend.array([1, 1, 0]), n_classes=3, n_clusters=2)
    assert [x.split() for x in lines_of(given)[1:]] == [["0", "1"], ["0", "0", "2"], ["1", "0", "0"], ["2", "1", "0"]]


def test_a_corner_of_a_large_table():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 30, 5000), rng.integers(0, 50, 5000) * 10**9
    counts = Contingency.from_labels(*labels).to_array()
    for layout in ("dense", "cells"):
        _, names, *rows, last = lines_of(Contingency.from_labels(*labels, layout=layout))
        shown = [row.split() for row in rows]
        n = len(names.split()) - 1
        assert names.split() == [*(str(i * 10**9) for i in range(n)), "..."]
        assert (len(rows), last) == (12, "...")
        assert shown == [[str(i), *map(str, counts[i, :n]), "..."] for i in range(12)]
    assert len(lines_of(Contingency.from_labels(range(12), range(12)))) == 14


def test_a_table_of_millions_of_classes_is_not_made_dense():
    labels = np.arange(3_000_000)
    table = Contingency.from_labels(labels, labels[::-1])
    with mock.patch.object(Contingency, "dense", side_effect=AssertionError):
        lines = lines_of(table)
    assert lines[2].split()[:2] == ["0", "0"]


def test_tables_without_known_counts_show_one_line():
    import jax
    import torch

    shown = []

    @jax.jit
    def traced(table):
        shown.append(repr(table))
        return table.total

    traced(Contingency.from_labels(jax.numpy.asarray(TRUE), jax.numpy.asarray(PRED), **SIZE))
    meta = torch.zeros(3, dtype=torch.int64, device="meta")
    shown.append(repr(Contingency.from_labels(meta, meta, **SIZE)))
    shown.append(repr(Contingency.from_counts(np.ones((2, 3, 4)))))
    shown.append(repr(Contingency.from_labels([], [])))
    assert all(text.startswith("Contingency(") and "\n" not in text for text in shown)
    table = Contingency.from_labels(TRUE, PRED)
    assert repr(jax.tree.map(lambda _: None, table)) == "Contingency(DenseCells(counts=None))"


def test_real_weights_and_text():
    table = Contingency.from_labels(["a", "b", "b"], [1, 1, 2], sample_weight=[0.5, 0.25, 1e9])
    assert [x.split() for x in lines_of(table)[1:]] == [
        ["1", "2"],
        ["a", "0.500", "0.000"],
        ["b", "0.250", "1e+09"],
    ]


# Frames


@only_for(lambda backend: backend.finds_sizes)
def test_frames(backend):
    labels = backend.array([10, 10, 20, 40, 40]), backend.array([3, 3, 3, 5, 3])
    frame = gpuval.contingency_matrix(*labels, as_frame=True)
    assert (frame.index.name, frame.columns.name) == ("class", "cluster")
    assert frame.to_dict("index") == {10: {3: 2, 5: 0}, 20: {3: 1, 5: 0}, 40: {3: 1, 5: 1}}
    assert frame.equals(Contingency.from_labels(*labels).to_pandas())
    frame = gpuval.contingency_matrix(*labels, eps=0.5, as_frame=True)
    assert frame.loc[20].to_dict() == {3: 1.5, 5: 0.5}
    frame = gpuval.normalized_confusion_matrix(*labels, as_frame=True)
    assert frame.index.to_list() == [10, 20, 40]
    assert frame.columns.to_list() == [3, None, 5]
    assert frame.to_numpy().tolist() == [[2, 0, 0], [1, 0, 0], [1, 0, 1]]


def test_frames_of_text_and_of_given_size():
    frame = gpuval.normalized_confusion_matrix(["a", "a", "b"], ["z", "z", "y"], as_frame=True)
    assert (frame.index.to_list(), frame.columns.to_list()) == (["a", "b"], ["z", "y"])
    assert frame.to_numpy().tolist() == [[2, 0], [0, 1]]
    options = {"n_classes": 2, "n_clusters": 3, "as_frame": True}
    frame = gpuval.normalized_confusion_matrix([0, 1], [2, 0], **options)
    assert (frame.index.to_list(), frame.columns.to_list()) == ([0, 1], [2, 0, 1])
    frame = gpuval.contingency_matrix([0, 1], [2, 0], dtype=np.float32, **options)
    assert frame.to_numpy().tolist() == [[0, 0, 1], [1, 0, 0]]
    assert set(frame.dtypes) == {np.dtype(np.float32)}


def test_wrong_frames():
    batch = Contingency.from_counts(np.ones((2, 3, 4), dtype=int))
    with pytest.raises(ValueError, match="as_frame must be False when sparse=True, got True"):
        gpuval.contingency_matrix(TRUE, PRED, sparse=True, as_frame=True)
    with pytest.raises(ValueError, match=r"a single table is needed for a DataFrame, got a batch of shape \(2,\)"):
        gpuval.contingency_matrix(batch, as_frame=True)
    for measure in (gpuval.contingency_matrix, gpuval.normalized_confusion_matrix):
        with pytest.raises(TypeError, match="as_frame must be True or False, got 1"):
            measure(TRUE, PRED, as_frame=1)


# As NumPy and people take them.


def test_numpy_takes_scores_of_groups_without_their_labels():
    """Of [0, 0, 1] in [0, 1, 1]: cluster 0 is pure, half of cluster 1 is of one class."""
    found = gpuval.cluster_precision([0, 0, 1], [5, 7, 7])
    assert np.asarray(found).tolist() == [1.0, 0.5]
    assert np.mean(found) == 0.75
    assert np.mean(gpuval.class_adjusted_wallace_scores([0, 0, 1, 1], [1, 1, 0, 0])) == 1.0
    assert np.asarray(found, dtype=np.float32).dtype == np.float32


def test_the_ends_of_long_names_are_shown():
    names = [f"leiden_resolution_{i}.5" for i in range(3)]
    shown = str(gpuval.pairwise({name: [0, 1, 1, i] for i, name in enumerate(names)}))
    heads = shown.splitlines()[1].split()
    assert [head[-3:] for head in heads] == ["0.5", "1.5", "2.5"]


def test_names_of_several_parts_and_no_minus_before_0():
    shown = str(gpuval.pairwise({("leiden", 0.5): [0, 1], ("leiden", 1.0): [1, 0]}, lambda table: table.total * -0.0))
    assert shown.splitlines()[1].split("  ")[-1] == "leiden, 1.0"
    assert "-0.000" not in shown
    assert "0.000" in shown


def test_small_numbers_are_not_shown_as_0():
    table = gpuval.Contingency.from_counts(np.asarray([[1e-6, 2.5e-6], [4.9e-5, 5e-5]]))
    assert "0    1e-06  2.5e-06" in repr(table)
    assert "1  4.9e-05    5e-05" in repr(table)
    assert " 0.000 " not in repr(table)
    found = gpuval.compare(None, {"a": [0, 0, 1, 1]}, ["wcss"], X=np.asarray([[0.0], [1e-4], [1.0], [1.0001]]))
    assert "1.00e−08" in repr(found)
    assert "1.00e−08" in found._repr_html_()
