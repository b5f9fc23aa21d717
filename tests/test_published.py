"""The numbers of speed that users read are those of the runs, and the README's keep the targets."""

import copy
import json
import math
import re
from dataclasses import replace
from types import SimpleNamespace

import pytest

from benchmarks import growth, pictures, published
from benchmarks.arguments import command_text
from benchmarks.case import Target
from benchmarks.cases import CASES
from benchmarks.compare import Options
from benchmarks.growth import PICTURES, READING
from benchmarks.peers import Peer
from benchmarks.published import GROWTH, LINES, RUNS, kept, lines_of, main, read, row_of, speeds, time_text

RUN = {name: read(name) for name in RUNS}
ROWS = [row for run in RUN.values() for row in run["rows"]]
SHOWN = [(line, opponent) for line in LINES if line.is_in_readme for opponent in line.opponents]


def targets(row):
    """The targets that the benchmark has for a row now."""
    cases = [case for case in CASES if (case.workload.name, case.measure) == (row["workload"], row["measure"])]
    found = [case.targets.get(name) for case in cases for name in row["quotient"].split(" / ") if name != "gpuval"]
    return [str(target) for target in found if target and row["backend"] in cases[0].aimed_at]


def test_what_is_published_is_what_was_measured():
    assert main(["--check"]) == 0


def test_another_number_is_found(monkeypatch, capsys):
    changed = copy.deepcopy({**RUN, GROWTH: read(GROWTH)})
    line, opponent = SHOWN[0]
    row_of(changed[RUNS[0]]["rows"], line, opponent)["ratio"]["median"] *= 2
    monkeypatch.setattr(published, "read", changed.get)
    assert main(["--check"]) == 1
    said = capsys.readouterr().err
    for name in ("README.md", "docs/benchmarks.md", f"benchmarks/results/{RUNS[0]}.md"):
        assert f"{name} is not what python -m benchmarks.published writes" in said


@pytest.mark.parametrize(("line", "opponent"), SHOWN)
def test_the_readme_and_the_targets_agree(line, opponent):
    """A row has the target of today, and says so if it is missed."""
    row = row_of(ROWS, line, opponent)
    assert targets(row) == ([row["target"]] if row["target"] else [])
    if row["target"]:
        sign, bound = row["target"].split()
        met = Target(float(bound), sign == ">=").met(row["ratio"]["median"])
        (told,) = (x for x in speeds(RUN.values()).splitlines() if x.startswith(f"| {line.text} |"))
        number = re.search(rf"{re.escape(opponent)}[^,]*\({re.escape(row['target'])}(, missed)?\)", told)
        assert (number[1] is None) is met


def test_a_row_of_another_value_has_no_ratio():
    """torchmetrics overflows: where the score is nearly 0, it returns another one."""
    (line,) = (line for line in LINES if "torchmetrics" in line.opponents and line.workload == published.LARGE)
    row = row_of(ROWS, line, "torchmetrics")
    assert row["differs"]
    assert row["ratio"] is None


def test_ratios_are_numbers():
    assert all(row["ratio"] is None or math.isfinite(row["ratio"]["median"]) for row in ROWS)
    assert all(isinstance(x, float) for row in ROWS for x in row.get("seconds", {}).values())


# The page for users.


def row(quotient, ratio, seconds=None, **options):
    """A row of a run."""
    made = {"workload": published.SMALL, "measure": "adjusted_rand_score", "backend": "numpy", "quotient": quotient}
    made |= {"ratio": ratio and {"median": ratio}, "differs": False, "target": None, "met": None, "note": ""}
    return {**made, "seconds": seconds or {}, **options}


def test_a_run_is_kept_with_the_medians_of_times():
    run = {"date": "today", "rows": [row("igraph / gpuval", 2.0, {"igraph": [5.0, 1.0, 3.0], "gpuval": [1.0, 2.0]})]}
    (found,) = kept(run)["rows"]
    assert found == {**run["rows"][0], "seconds": {"igraph": 3.0, "gpuval": 1.5}}
    assert kept(run)["date"] == "today"


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (60.1, "60 s"),
        (4.97, "5 s"),
        (0.9996, "1 s"),
        (0.25, "250 ms"),
        (1e-3, "1 ms"),
        (3.4e-5, "34 µs"),
        (2e-7, "0.2 µs"),
    ],
)
def test_times_are_in_units_that_are_read_easily(seconds, text):
    assert time_text(seconds) == text


def test_users_read_times_and_how_many_times_as_long(monkeypatch):
    line = published.Line("a score", published.SMALL, "adjusted_rand_score", ("igraph", "genieclust", "one measure"))
    monkeypatch.setattr(published, "LINES", (line,))
    rows = [
        row("igraph / gpuval", 2.5, {"igraph": 0.5, "gpuval": 0.2}),
        row("gpuval / genieclust", 4.0, {"genieclust": 0.05, "gpuval": 0.2}, target=">= 3"),
        row("gpuval / one measure", 4.0),
    ]
    assert published.instead([{"rows": rows}]).splitlines()[2:] == [
        "| a score | igraph | 500 ms | 200 ms | 2.5 |",
        "| a score | genieclust | 50 ms | 200 ms | 0.25 |",
    ]
    rows[0] |= {"differs": True, "ratio": None}
    assert "| a score | igraph | other value | – | – |" in published.instead([{"rows": rows}])


def test_users_read_where_others_are_faster():
    rows = [
        row("igraph / gpuval", 0.5, {"igraph": 1e-5, "gpuval": 2e-5}),
        row("gpuval / torchmetrics", 2.0, backend="torch"),
        *(row("igraph / gpuval", 1.5), row("gpuval / torchmetrics", 0.5), row("gpuval / all at once", 9.0)),
        *(row("gpuval / floor", 3.0), row("scikit-learn / gpuval", None, differs=True)),
    ]
    assert published.slower([{"rows": rows}]).splitlines()[2:] == [
        "| 1,000, 10 x 10 | `adjusted_rand_score` | numpy | igraph | 10 µs | 20 µs | 0.5 |",
        "| 1,000, 10 x 10 | `adjusted_rand_score` | torch | torchmetrics | – | – | 0.5 |",
    ]
    assert published.slower([{"rows": rows[2:]}]) == "No other library was faster in any row."


def test_conditions_that_are_the_same_are_told_once():
    names = published.conditions(RUN).splitlines()
    assert len(names) == len({published._conditions(run) for run in RUN.values()}) < len(RUN)
    assert all(names[0].count(f"(benchmarks/{name}.md)") for name in ("labels", "samples"))


# How the time grows.


def test_a_small_run_of_all_pictures(monkeypatch, tmp_path):
    first = [replace(picture, of_threads=picture.of_threads[:1]) for picture in growth.SMOKE]
    monkeypatch.setattr(growth, "SMOKE", first)
    monkeypatch.setattr(growth, "_numbers_of_threads", lambda: [1])
    assert growth.main(["--smoke", "--json", str(tmp_path / "growth.json")]) == 0
    run = json.loads((tmp_path / "growth.json").read_text(encoding="utf-8"))
    for picture in growth.SMOKE:
        lines = lines_of(run, picture)
        if picture.of_threads:
            assert {name: list(points) for name, points in lines.items()} == {"100 x 100": [1]}
            continue
        at = [x for x, _ in picture.cases]
        assert list(lines)[:2] == ["gpuval", "scikit-learn"]
        assert (READING in lines) is (picture.name == "samples")
        assert all(list(points) == at and min(points.values()) > 0 for points in lines.values())


def test_threads_are_those_of_new_processes(monkeypatch):
    asked = []

    def run(command, env, **_):
        asked.append((env["OMP_NUM_THREADS"], growth.Workload(**json.loads(command[-1]))))
        return SimpleNamespace(stdout=f"[{4 / int(env['OMP_NUM_THREADS'])}]")

    monkeypatch.setattr(growth, "_numbers_of_threads", lambda: [1, 2])
    monkeypatch.setattr(growth.subprocess, "run", run)
    (picture,) = (x for x in growth.SMOKE if x.of_threads)
    points = list(growth.points_of(picture, None, 3))
    assert [(point.x, point.seconds.median, point.seconds.rounds) for point in points] == [(1, 4.0, 3), (2, 2.0, 3)] * 2
    assert asked == [(n, workload) for workload in picture.of_threads for n in ("1", "2") * 3]  # in turn


@pytest.mark.parametrize(("cores", "numbers"), [(1, [1]), (2, [1, 2]), (6, [1, 2, 4, 6]), (8, [1, 2, 4, 8])])
def test_how_many_threads_are_tried(cores, numbers, monkeypatch):
    monkeypatch.setattr(growth.os, "sched_getaffinity", lambda _: range(cores), raising=False)
    assert growth._numbers_of_threads() == numbers


def test_a_peer_with_another_value_ends_a_run_of_pictures(monkeypatch):
    wrong = Peer("genieclust", "numpy", lambda: {"adjusted_rand_score": lambda *_: 2.0})
    monkeypatch.setitem(growth.PEERS, "genieclust", wrong)
    with pytest.raises(ValueError, match="random-1e3-100x100-int64, adjusted_rand_score, genieclust / gpuval: differs"):
        list(growth.points_of(growth.SMOKE[0], Options(0.0, with_memory=False), 1))


@pytest.mark.parametrize("picture", PICTURES, ids=[picture.name for picture in PICTURES])
def test_pictures_name_their_lines_and_places(picture):
    lines = lines_of(read(GROWTH), picture)
    light, dark = (pictures.draw(picture.along, lines, dark=x) for x in (False, True))
    assert light == pictures.draw(picture.along, lines, dark=False) != dark
    for drawn in (light, dark):
        told = re.findall("<!-- (.*) -->", drawn)  # what matplotlib writes beside the shapes of letters
        assert picture.along in told
        assert len([x for x in told if (x[-1] == "s" and x[:-2].strip().isdecimal()) or x[-2:] in ("ms", "µs")]) >= 2
        assert {name.split()[0].replace(",000", "k") for name in lines} <= {x.split()[0] for x in told}
    assert "#e6eaf0" in dark
    assert "#e6eaf0" not in light


def test_commands_of_runs_name_no_folder_of_one_machine():
    assert command_text("benchmarks", ["--budget", "2", "--json", "/a/folder/rows.json"]).endswith("--json rows.json")
    for path in sorted(published.RESULTS.glob("*.json")):
        assert " /" not in json.loads(path.read_text(encoding="utf-8"))["command"]
