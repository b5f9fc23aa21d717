"""The benchmark tells a wrong value, a missing peer and a slow one; what it measures is not tested."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import gpuval
from benchmarks import __main__ as command
from benchmarks import memory, report, timing
from benchmarks.backends import BACKENDS
from benchmarks.cases import CASES, FLOOR, MEMORY, SMOKE, Case, at_least, at_most
from benchmarks.compare import Options, rows_of
from benchmarks.measures import ARI, MEASURES
from benchmarks.peers import PEERS, Peer
from benchmarks.workloads import Workload

SMALL = Workload("good", 100, 5, 5)
CASE = Case(SMALL, ARI, {"right": at_least(1e9), "wrong": at_least(0), "slow": at_least(2)})
QUICK = Options(budget=0, with_memory=False)


def peer(name, function, **options):
    return Peer(name, "numpy", lambda: {ARI: function}, **options)


def row_against(other):
    (row,) = rows_of(CASE, BACKENDS["numpy"], [other], QUICK)
    return row


def test_a_peer_with_the_same_value_is_timed():
    row = row_against(peer("right", gpuval.adjusted_rand_score))
    assert row.quotient == "right / gpuval"
    assert row.ratio.rounds == timing.FEWEST
    assert row.ratio.low <= row.ratio.median <= row.ratio.high
    assert row.met is False
    assert set(row.seconds) == {"right", "gpuval", "floor"}


def test_a_peer_with_another_value_is_reported_and_not_timed():
    row = row_against(peer("wrong", lambda true, pred: 10.46))
    assert row.differs
    assert row.ratio is None
    assert row.met is None
    assert not row.seconds
    assert "10.46 there" in row.note
    assert repr(float(gpuval.adjusted_rand_score(*SMALL.codes()))) + " here" in row.note
    assert row.note in report.line(row)


@pytest.mark.parametrize(
    "value", [np.nan, np.ones(3), gpuval.adjusted_rand_score(*SMALL.codes()) + 1e-9], ids=["nan", "shape", "a little"]
)
def test_what_else_is_another_value(value):
    assert row_against(peer("wrong", lambda true, pred: value)).differs


def test_a_peer_that_fails_or_refuses_has_a_word():
    def fail(true, pred):
        raise ValueError("too many cells\nand more")

    assert row_against(peer("wrong", fail)).note == "fails: ValueError: too many cells"
    refusing = peer("wrong", fail, refuses=lambda workload, measure: "not run: too large")
    assert row_against(refusing).note == "not run: too large"


def test_a_run_that_is_long_is_the_only_one(monkeypatch):
    monkeypatch.setattr(timing, "LONG", 0.02)
    runs = []

    def slow(true, pred):
        runs.append(time.sleep(0.03))
        return gpuval.adjusted_rand_score(true, pred)

    row = row_against(peer("slow", slow))
    assert len(runs) == row.ratio.rounds == 1
    assert "one run" in row.note
    assert row.met is True


def test_an_absent_peer_is_skipped_with_a_word(monkeypatch, capsys, tmp_path):
    monkeypatch.setitem(PEERS, "nobody", Peer("nobody", "no_such_module", dict))
    options = ["--peers", "nobody", "--workloads", "real-*", "--no-memory"]
    assert command.main([*options, "--json", str(tmp_path / "rows.json")]) == 0
    assert "nobody skipped: not installed" in capsys.readouterr().out
    assert json.loads((tmp_path / "rows.json").read_text())["absent"] == {"nobody": "not installed"}
    assert command.main([*options, "--smoke"]) == 1  # nothing was compared
    assert "FAILED: no value" in capsys.readouterr().err


def test_a_peer_that_does_not_import_has_a_word():
    def functions():
        raise ImportError("a library of its own is missing")

    assert Peer("broken", "numpy", functions).absent() == "not usable: a library of its own is missing"


def test_a_smoke_run_with_another_value_fails(monkeypatch, capsys):
    options = ["--smoke", "--peers", "right", "--workloads", "skewed-*", "--no-memory"]
    measure = next(case.measure for case in SMOKE if case.workload.kind == "skewed")
    right = Peer("right", "numpy", lambda: {measure: MEASURES[measure]})
    monkeypatch.setitem(PEERS, "right", right)
    assert command.main(options) == 0
    monkeypatch.setitem(PEERS, "right", Peer("right", "numpy", lambda: {measure: lambda true, pred: 0.5}))
    assert command.main(options) == 1
    assert "differs: 0.5 there" in capsys.readouterr().err


def test_an_unknown_name_is_an_error(capsys):
    with pytest.raises(SystemExit):
        command.main(["--peers", "sklearn"])
    assert "'sklearn' is none of scikit-learn" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        command.main(["--workloads", "nothing-*"])
    assert "--workloads must match one of categorical-" in capsys.readouterr().err


def test_a_run_that_is_stopped_keeps_its_rows(monkeypatch, tmp_path):
    def stopped(*_args):
        yield row_against(peer("right", gpuval.adjusted_rand_score))
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "rows_of", stopped)
    with pytest.raises(KeyboardInterrupt):
        command.main(["--workloads", "real-*", "--peers", "", "--json", str(tmp_path / "rows.json")])
    assert len(json.loads((tmp_path / "rows.json").read_text())["rows"]) == 1


def test_the_json_has_what_is_needed_to_read_it_later():
    rows = [row_against(peer("right", gpuval.adjusted_rand_score)), row_against(peer("wrong", lambda *labels: 2.0))]
    record = json.loads(json.dumps(report.record(rows, {}, "python -m benchmarks")))
    assert set(record) == {"command", "date", "machine", "versions", "tolerances", "absent", "rows"}
    assert {"gpuval", "python", "numpy"} <= set(record["versions"])
    assert {"platform", "architecture", "cpus"} <= set(record["machine"])
    timed, different = record["rows"]
    assert timed["workload"] == "good-1e2-5x5-int64"
    assert set(timed["ratio"]) == {"median", "low", "high", "rounds"}
    assert timed["target"] == ">= 1e+09"
    assert timed["met"] is False
    assert different["differs"] is True
    assert different["ratio"] is None


def test_there_are_cases_and_all_can_be_run():
    assert SMOKE
    assert CASES
    for case in (*SMOKE, *CASES):
        assert case.measure in MEASURES
        assert set(case.backends) <= set(BACKENDS)
        assert set(case.targets) <= {*PEERS, FLOOR, MEMORY, *(own.name for own in case.own)}
    names = {case.workload: case.workload.name for case in (*SMOKE, *CASES)}
    assert len(set(names.values())) == len(names)
    assert max(case.workload.n_samples for case in SMOKE) < 10**7


@pytest.mark.parametrize("kind", ["random", "sorted", "skewed", "good", "object", "fixed", "categorical", "real"])
def test_labels_are_of_their_size_and_the_same_again(kind):
    workload = Workload("real", 700, 10, 11) if kind == "real" else Workload(kind, 2000, 7, 5, "int32")
    codes = workload.codes()
    for side, again, size in zip(codes, workload.codes(), (workload.n_classes, workload.n_clusters), strict=True):
        np.testing.assert_array_equal(side, again)
        assert side.dtype == workload.dtype
        assert side.shape == (workload.n_samples,)
        np.testing.assert_array_equal(np.unique(side), np.arange(size))
    assert gpuval.contingency_matrix(*workload.labels(codes)).tolist() == gpuval.contingency_matrix(*codes).tolist()


def test_a_target_is_a_bound_of_either_side():
    assert at_least(4).met(4)
    assert not at_least(4).met(3.9)
    assert at_most(4).met(4)
    assert not at_most(4).met(4.1)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the high-water mark is reset by Linux only")
def test_the_peak_of_memory_is_what_a_call_takes():
    """In a process of its own, as in the benchmark: this one may have 32 MB to spare, which would not count."""
    code = """if True:
        import numpy as np
        from benchmarks.memory import peak_on_host
        print(peak_on_host(lambda: np.ones(4 * 10**6).sum()), peak_on_host(lambda: None))
    """
    environment = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "65536"}
    root = Path(memory.__file__).parent.parent
    done = subprocess.run([sys.executable, "-c", code], cwd=root, env=environment, check=True, capture_output=True)
    peak, nothing = map(int, done.stdout.split())
    assert peak == pytest.approx(32e6, rel=0.1)
    assert nothing < 10**6
