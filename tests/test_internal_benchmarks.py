"""The table of internal measures: the same numbers on both sides, wrong scores told, few rounds of what takes long."""

import dataclasses
import json
import math

import numpy as np
import pytest
import sklearn.metrics

import gpuval
from benchmarks import timing
from benchmarks.internal import __main__ as command
from benchmarks.internal import cell as cells_of
from benchmarks.internal import reasons, sampled
from benchmarks.internal.cell import OURS, PEER, Cell, measured, measured_again
from benchmarks.internal.points import GROUPS, MOST_BYTES, SMOKE, Point
from benchmarks.internal.samples import ENTRIES, KINDS, given
from benchmarks.internal.table import line, markdown

EVERY = [point for points in GROUPS.values() for point in points]
POINT = Point("silhouette_score", "blobs", 60, 2, 3, "float64", "euclidean")


def test_the_points_are_those_of_the_regions():
    assert len(EVERY) >= 300
    assert GROUPS.keys() == SMOKE.keys()
    for points in (EVERY, [point for points in SMOKE.values() for point in points]):
        assert len({point.name for point in points}) == len(points)
        assert {point.kind for point in points} == set(KINDS)
        assert {"euclidean", "cosine", "sqeuclidean", "cityblock", "correlation", "precomputed"} <= {
            point.metric for point in points
        }
    for point in EVERY:
        assert hasattr(sklearn.metrics, point.measure)
        assert 2 * point.n_clusters <= point.n_samples
        is_sparse = point.kind.startswith("sparse")
        assert is_sparse or 8 * point.n_samples * point.n_features <= MOST_BYTES


def as_numpy(x):
    x = x.toarray() if hasattr(x, "toarray") else x
    return x.detach().double().numpy() if hasattr(x, "detach") else np.asarray(x, dtype=np.float64)


@pytest.mark.parametrize("point", [x for points in SMOKE.values() for x in points], ids=lambda point: point.name)
def test_both_sides_have_the_same_numbers_whenever_they_are_asked_for(point):
    made, again = given(point), given(point)
    sides = [made.ours, made.theirs, again.ours]
    for X, labels in sides:
        width = point.n_samples if point.metric == "precomputed" else point.n_features
        assert tuple(X.shape) == (point.n_samples, width)
        np.testing.assert_array_equal(as_numpy(X), as_numpy(made.ours[0]))
        np.testing.assert_array_equal(as_numpy(labels), as_numpy(made.ours[1]))
        assert set(as_numpy(labels)) == set(range(point.n_clusters))
    assert str(made.ours[0].dtype).removeprefix("torch.") == point.dtype
    assert isinstance(made.theirs[1], np.ndarray)
    assert getattr(made.ours[0], "requires_grad", False) == (point.kind == "gradient")


def of_kind(kind, **changes):
    return given(dataclasses.replace(POINT, kind=kind, **changes)).ours


def test_what_the_kinds_are():
    X, labels = of_kind("blobs")
    distances, same = of_kind("distances")
    np.testing.assert_array_equal(same, labels)
    np.testing.assert_allclose(distances, np.linalg.norm(X[:, None] - X, axis=2), atol=1e-7)
    ordered, in_order = of_kind("distances, sorted")
    np.testing.assert_array_equal(in_order, np.sort(labels))
    np.testing.assert_array_equal(ordered, distances[np.ix_(*[np.argsort(labels, kind="stable")] * 2)])
    for offset in (30, 1000):
        X, labels = of_kind(f"far {offset}", n_samples=1000)
        is_far = X[:, 0] > offset / 2
        np.testing.assert_allclose(X[is_far].mean(axis=0) - X[~is_far].mean(axis=0), offset, atol=0.5)
        assert np.bincount(labels[is_far], minlength=3).min() > 100  # each label in both groups
        assert np.bincount(labels[~is_far], minlength=3).min() > 100
    X, _ = of_kind("sparse text", n_features=5000)
    assert 0.9 * ENTRIES < X.nnz / X.shape[0] <= ENTRIES  # a word may be drawn twice
    assert X.min() >= 0
    X, _ = of_kind("sparse tenth", n_features=500)
    assert X.nnz / math.prod(X.shape) == pytest.approx(0.1, abs=0.01)
    assert X.min() >= 0


def test_a_point_with_the_same_score_is_timed_for_its_rounds():
    cell = measured(POINT, 4, 60)
    assert cell.ratio.rounds == 4
    assert cell.ratio.median == np.median(np.divide(cell.seconds[PEER], cell.seconds[OURS]))
    assert not cell.note
    assert not cell.is_wrong


def test_a_point_that_takes_long_has_one_round():
    assert measured(POINT, 4, 0).ratio.rounds == 1


@pytest.mark.parametrize(
    ("dtype", "difference", "is_wrong"),
    [("float64", 2e-6, True), ("float64", 5e-7, False), ("float32", 2e-3, True), ("float32", 5e-4, False)],
)
@pytest.mark.parametrize("score", [0.5, 0.01, 1e-4])
def test_how_near_both_scores_must_be(score, dtype, difference, is_wrong, monkeypatch):
    monkeypatch.setattr(sklearn.metrics, "silhouette_score", lambda *_args, **_options: score)
    ours = score + difference * max(score, 0.01)
    monkeypatch.setattr(gpuval, "silhouette_score", lambda *_args, **_options: ours, raising=False)
    cell = measured(dataclasses.replace(POINT, dtype=dtype), 1, 60)
    assert cell.is_wrong == is_wrong
    assert (cell.ratio is None) == is_wrong
    assert cell.note == (f"differs: {score!r} there, {ours!r} here" if is_wrong else "")


@pytest.mark.parametrize("wrong", [np.nan, np.ones(3)], ids=["nan", "shape"])
def test_what_else_is_another_score(wrong, monkeypatch):
    monkeypatch.setattr(gpuval, "silhouette_score", lambda *_args, **_options: wrong, raising=False)
    assert measured(POINT, 1, 60).is_wrong


@pytest.mark.parametrize(("library", "name", "is_wrong"), [(gpuval, OURS, True), (sklearn.metrics, PEER, False)])
def test_what_a_library_refuses(library, name, is_wrong, monkeypatch):
    def refuse(*_args, **_options):
        raise ValueError("not of this form\nand more")

    monkeypatch.setattr(library, "silhouette_score", refuse, raising=False)
    cell = measured(POINT, 1, 60)
    assert cell.note == f"{name} refuses: ValueError: not of this form"
    assert cell.is_wrong == is_wrong
    assert cell.ratio is None


def test_rounds_are_no_more_than_asked_for():
    calls = {"a": timing.Call(lambda: None)}
    assert len(timing.in_turn(calls, 60, 2)["a"]) == 2
    assert len(timing.in_turn(calls, 0, 2)["a"]) == 2


TWICE, HALF = {PEER: [0.2, 0.4, 0.3], OURS: [0.1, 0.2, 0.15]}, {PEER: [0.1], OURS: [0.2]}
FAST, SLOW = dataclasses.replace(POINT, n_samples=100), dataclasses.replace(POINT, n_samples=300)
LEVEL = {PEER: [0.2, 0.2], OURS: [0.1, 0.2]}
WRONG = Cell(POINT, note="differs: 1 there, 2 | 3 here", is_wrong=True)
RECORD = {"date": "today", "machine": {"cpus": 2, "gpu": None}, "versions": {"gpuval": "1"}, "command": "a command"}


@pytest.mark.parametrize(
    ("found", "rounds"),
    [([TWICE, HALF], 3), ([HALF, LEVEL], 3), ([HALF, HALF, TWICE], 5), ([HALF, HALF, HALF, TWICE], 3)],
)
def test_what_is_slower_is_measured_again(found, rounds, monkeypatch):
    """Until it is not, or twice: all rounds count."""
    cells = iter([Cell(POINT, seconds) for seconds in found])
    monkeypatch.setattr(cells_of, "measured", lambda *_: next(cells))
    assert measured_again(POINT, 5, 60, 2).ratio.rounds == rounds


def test_another_score_when_it_is_measured_again(monkeypatch):
    cells = iter([Cell(POINT, HALF), WRONG])
    monkeypatch.setattr(cells_of, "measured", lambda *_: next(cells))
    assert measured_again(POINT, 5, 60, 2) is WRONG


def test_the_table(monkeypatch):
    monkeypatch.setitem(reasons.REASONS, "*/euclidean/*/n300/*", "a reason")
    groups = {"one": [Cell(FAST, TWICE), Cell(SLOW, HALF)], "another": [WRONG]}
    lines = markdown(groups, RECORD).splitlines()
    assert {"- date: today", "- device: cpus 2", "- versions: gpuval 1", "- command: `a command`"} <= set(lines)
    rows = [[cell.strip() for cell in x.replace("\\|", "/").split("|")[1:-1]] for x in lines if x[:1] == "|"]
    assert rows[2:5] == [
        ["one", "2", "0.50", "1.25", "1", "0"],
        ["another", "1", "-", "-", "0", "1"],
        ["all", "3", "0.50", "1.25", "1", "1"],
    ]
    first = ["silhouette_score", "euclidean", "blobs"]
    assert rows[7:9] == [
        [*first, "100", "2", "3", "float64", "300", "150", "2.00", "3", ""],
        [*first, "300", "2", "3", "float64", "100", "200", "0.50", "1", "a reason"],
    ]
    assert rows[11] == [*first, "60", "2", "3", "float64", "-", "-", "-", "-", "differs: 1 there, 2 / 3 here"]
    assert line(Cell(SLOW, HALF)) == f"{SLOW.name}: 0.5 a reason"
    monkeypatch.delitem(reasons.REASONS, "*/euclidean/*/n300/*")
    assert "not known" in line(Cell(SLOW, HALF))


def test_each_reason_is_of_some_point():
    for pattern, text in reasons.REASONS.items():
        assert text in {reasons.reason(point) for point in EVERY}, pattern


@pytest.fixture
def few(monkeypatch):
    """Two groups of one point each."""
    monkeypatch.setattr(command, "SMOKE", {"euclidean": (POINT,), "samples": (FAST,)})


def test_a_run_that_is_stopped_goes_on(few, monkeypatch, tmp_path, capsys):
    cells, table = tmp_path / "cells", tmp_path / "table.md"
    options = ["--smoke", "--cells", str(cells), "--markdown", str(table)]
    assert command.main([*options, "--groups", "samples"]) == 0
    kept = json.loads(cells.read_text())
    assert kept["point"]["n_samples"] == 100
    assert capsys.readouterr().out.count("\n") == 1
    asked_for = []

    def measured_now(point, *options):
        asked_for.append(point)
        return measured_again(point, *options)

    monkeypatch.setattr(command, "measured_again", measured_now)
    assert command.main(options) == 0
    assert asked_for == [POINT]
    assert len(cells.read_text().splitlines()) == 2
    text = table.read_text()
    assert text.index("## Euclidean") < text.index("## Samples")
    assert f"| {1000 * kept['seconds'][PEER][0]:.3g} |" in text


def test_the_exit_code_tells_of_another_score_and_of_none(few, monkeypatch, capsys):
    assert command.main(["--smoke"]) == 0
    monkeypatch.setattr(command, "measured_again", lambda point, *_: WRONG if point is POINT else Cell(point, HALF))
    assert command.main(["--smoke"]) == 1
    assert WRONG.note in capsys.readouterr().out
    monkeypatch.setattr(command, "measured_again", lambda point, *_: Cell(point, note="refused"))
    assert command.main(["--smoke"]) == 1


def test_an_unknown_group_is_an_error(capsys):
    with pytest.raises(SystemExit):
        command.main(["--groups", "others"])
    assert "--groups: must be names out of euclidean, other-distances" in capsys.readouterr().err


@pytest.mark.parametrize(("of_a_sample", "code"), [(0.1, 0), (10.0, 1)])
def test_a_sample_that_takes_longer_than_its_share_fails(of_a_sample, code, monkeypatch, capsys):
    def least(function):
        if function.func is not gpuval.silhouette_score:
            return 0.001
        return of_a_sample if "sample_size" in function.keywords else 10.0

    monkeypatch.setattr(sampled, "SIZE", sampled.SMALL)
    monkeypatch.setattr(sampled, "_least", least)
    assert sampled.main([]) == code
    assert len(capsys.readouterr().out.splitlines()) == 1 + len(sampled.SHARES)
