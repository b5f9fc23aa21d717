"""The benchmark tells a wrong value, a missing peer and a slow one; what it measures is not tested."""

import ast
import dataclasses
import importlib
import itertools
import json
import math
import os
import re
import shlex
import subprocess
import sys
import time
from collections import Counter
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import gpuval
from benchmarks import __main__ as command
from benchmarks import against, backends, device, gpu, gpu_run, memory, report, timing
from benchmarks.backends import BACKENDS
from benchmarks.calls import Call
from benchmarks.case import CPU, FLOOR, MEMORY, Case, Own, at_least, at_most
from benchmarks.cases import CASES, SMOKE
from benchmarks.compare import Options, rows_of, start_rows
from benchmarks.first_calls import first_call_of_jax, first_calls
from benchmarks.first_calls import main as first_calls_in_turn
from benchmarks.gpu_run import __main__ as gpu_run_command
from benchmarks.gpu_run import run as gpu_run_parts
from benchmarks.loops import ARI_GIVEN, LOOPS, NMI_GIVEN, OF_TENSORS, READ, READ_GROWING
from benchmarks.measures import ARI, ARI_NMI_ACC, MEASURES, NMI, TABLE
from benchmarks.peers import PEERS, Peer
from benchmarks.steps import STEPS
from benchmarks.workloads import Workload

SMALL = Workload("good", 100, 5, 5)
CASE = Case(SMALL, ARI, {"right": at_least(1e9), "wrong": at_least(0), "slow": at_least(2)})
QUICK = Options(budget=0, with_memory=False)
ROOT = Path(memory.__file__).parent.parent


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
    right = Peer("right", "numpy", lambda: {measure: MEASURES[measure]()})
    monkeypatch.setitem(PEERS, "right", right)
    assert command.main(options) == 0
    monkeypatch.setitem(PEERS, "right", Peer("right", "numpy", lambda: {measure: lambda true, pred: 0.5}))
    assert command.main(options) == 1
    assert "differs: 0.5 there" in capsys.readouterr().err


def test_an_unknown_name_is_an_error(capsys):
    with pytest.raises(SystemExit):
        command.main(["--peers", "sklearn"])
    assert "--peers: must be names out of scikit-learn, genieclust" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        command.main(["--workloads", "nothing-*"])
    assert "--workloads must match one of blobs-" in capsys.readouterr().err


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
        assert case.measure in {**MEASURES, **LOOPS}
        assert all(own.measure in {**MEASURES, **LOOPS} for own in case.own)
        assert set(case.aimed_at) <= set(BACKENDS)
        assert set(case.peers or ()) <= set(PEERS)
        assert set(case.backends) <= set(BACKENDS)
        assert set(case.targets) <= {*PEERS, FLOOR, MEMORY, *(own.name for own in case.own)}
    names = {case.workload: case.workload.name for case in (*SMOKE, *CASES)}
    assert len(set(names.values())) == len(names)
    assert max(case.workload.n_samples for case in SMOKE) < 10**7


@pytest.mark.parametrize(
    "kind", ["random", "sorted", "skewed", "good", "step", "object", "fixed", "categorical", "hashes", "real"]
)
def test_labels_are_of_their_size_and_the_same_again(kind):
    workload = Workload("real", 700, 10, 11) if kind == "real" else Workload(kind, 2000, 7, 5, "int32")
    codes = workload.codes()
    for side, again, size in zip(codes, workload.codes(), (workload.n_classes, workload.n_clusters), strict=True):
        np.testing.assert_array_equal(side, again)
        assert side.dtype == workload.dtype
        assert side.shape == (workload.n_samples,)
        np.testing.assert_array_equal(np.unique(side), np.arange(size))
    assert gpuval.contingency_matrix(*workload.labels(codes)).tolist() == gpuval.contingency_matrix(*codes).tolist()


def test_hashes_are_of_the_whole_range():
    workload = Workload("hashes", 2000, 1000, 1000)
    true, _ = workload.labels(workload.codes())
    assert true.dtype == np.int64
    np.testing.assert_allclose([true.min(), true.max()], [-(2.0**63), 2.0**63], rtol=0.02)


@pytest.mark.parametrize("n_samples", [0, 1, 700, 10**6])
def test_the_floor_reads_both_arrays_once(n_samples):
    """On as many threads as there are."""
    true, pred = np.arange(n_samples), np.arange(n_samples, dtype=np.int32) % 7
    assert sum(map(int, BACKENDS["numpy"].floor((true, pred)).value())) == int(true.sum()) + int(pred.sum())


def test_half_of_the_labels_of_a_step_agree():
    workload = Workload("step", 4096, 1000, 1000)
    true, pred = workload.codes()
    assert workload.name == "step-4096-k1000"
    assert np.mean(true == pred) == pytest.approx(0.5, abs=0.05)


def test_a_target_is_a_bound_of_either_side():
    assert at_least(4).met(4)
    assert not at_least(4).met(3.9)
    assert at_most(4).met(4)
    assert not at_most(4).met(4.1)


# A turn, and calls that keep a state.


class Clock:
    """A clock that stands still but for what is said to take time."""

    def __init__(self, monkeypatch):
        self.now = 0.0
        monkeypatch.setattr(timing.time, "perf_counter", lambda: self.now)

    def taking(self, *seconds, log=None):
        """What takes these times in turn, and writes down that it ran."""
        times = itertools.cycle(seconds)

        def run():
            self.now += next(times)
            if log is not None:
                log.append("run")

        return run


def test_short_calls_are_repeated_in_a_turn(monkeypatch):
    monkeypatch.setattr(timing, "TURN", 2**-10)
    clock, log = Clock(monkeypatch), []
    assert timing.turn(Call(clock.taking(timing.TURN * 3 / 8, timing.TURN / 8, log=log))) == timing.TURN / 8
    assert len(log) == 4
    assert timing.turn(Call(clock.taking(10.0, log=log))) == 10
    assert len(log) == 5


def test_a_state_is_reset_before_each_turn_outside_of_the_clock(monkeypatch):
    monkeypatch.setattr(timing, "TURN", 2**-10)  # of which all sums are exact
    clock, log = Clock(monkeypatch), []

    def reset():
        clock.now += 64 * timing.TURN
        log.append("reset")

    call = Call(clock.taking(timing.TURN / 2, log=log), reset, read=lambda _: pytest.fail("a value is not timed"))
    seconds = timing.in_turn({"steps": call}, budget=0)
    assert seconds == {"steps": [timing.TURN / 2] * timing.FEWEST}
    assert log == ["reset", "run", "run"] * timing.FEWEST


def test_the_value_of_a_call_is_that_of_one_run():
    """Whatever it has kept before."""
    kept = []
    call = Call(lambda: kept.append(1), kept.clear, lambda _: len(kept))
    call.run()
    assert call.value() == call.value() == 1


STEP = Workload("step", 100, 5, 5)


def loop_peer(score, log):
    """A peer that keeps batches in a list, and returns their score."""

    def made(labels):
        batches = []
        return Call(lambda: log.append("run") or batches.append(labels), batches.clear, lambda _: score(*batches[-1]))

    return Peer("other", "numpy", dict, loops=lambda: {"Accumulator.update": made}, notes={"Accumulator.update": "hm"})


def test_a_peer_that_keeps_a_state_is_compared_by_its_value():
    case = Case(STEP, "Accumulator.update", {"other": at_most(1e9)})
    log = []
    (row,) = rows_of(case, BACKENDS["numpy"], [loop_peer(gpuval.adjusted_rand_score, log)], QUICK)
    assert row.quotient == "gpuval / other"  # a bound from above is of gpuval's time
    assert row.ratio.median == pytest.approx(np.median(np.divide(row.seconds["gpuval"], row.seconds["other"])))
    assert row.ratio.median > 1
    assert row.met is True
    assert row.note == "hm"
    assert len(log) > timing.FEWEST + 1  # repeated within a turn
    (row,) = rows_of(case, BACKENDS["numpy"], [loop_peer(gpuval.rand_score, log)], QUICK)
    assert row.differs
    assert row.ratio is None


def test_another_call_of_gpuval_that_must_have_the_same_value():
    other = Own("another", STEP, NMI, is_same=True)
    same = Own("found", STEP, ARI, is_same=True)
    rows = list(rows_of(Case(STEP, ARI_GIVEN, own=(other, same), peers=()), BACKENDS["numpy"], PEERS.values(), QUICK))
    assert [(row.quotient, row.differs, bool(row.ratio)) for row in rows] == [
        ("gpuval / another", True, False),
        ("gpuval / found", False, True),
    ]
    assert rows[0].note.startswith("differs: ")


@pytest.mark.parametrize(("difference", "differs"), [(1e-9, True), (1e-14, False)])
def test_how_near_two_values_of_gpuval_must_be(difference, differs, monkeypatch):
    monkeypatch.setitem(MEASURES, "nearly", lambda: lambda *labels: gpuval.adjusted_rand_score(*labels) + difference)
    case = Case(STEP, ARI, own=(Own("nearly", STEP, "nearly", is_same=True),), peers=())
    (row,) = rows_of(case, BACKENDS["numpy"], [], QUICK)
    assert row.differs == differs


def test_a_case_may_name_its_peers_and_the_backends_that_a_target_is_of():
    peers = [peer("one", gpuval.adjusted_rand_score), peer("two", gpuval.adjusted_rand_score)]
    case = Case(SMALL, ARI, {"two": at_least(1e9)}, aimed_at=("torch",), peers=("two",))
    met = {}
    for backend in ("numpy", "torch"):
        (row,) = rows_of(case, BACKENDS[backend], peers, QUICK)
        assert row.quotient == "two / gpuval"
        met[backend] = row.met
    assert met == {"numpy": None, "torch": False}


# By hand: cells 2, 1 and 3 of six samples. 4 pairs are in one cell, 6 in one class, 7 in one cluster, 15 are there.
BY_HAND = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 1, 1]
ARI_BY_HAND = float((4 - Fraction(6 * 7, 15)) / (Fraction(6 + 7, 2) - Fraction(6 * 7, 15)))
_MUTUAL = sum(n / 6 * math.log(n * 6 / (3 * size)) for n, size in ((2, 2), (1, 4), (3, 4)))
NMI_BY_HAND = 2 * _MUTUAL / (math.log(2) - sum(n / 6 * math.log(n / 6) for n in (2, 4)))
VALUES_BY_HAND = {
    **dict.fromkeys(LOOPS, ARI_BY_HAND),
    NMI_GIVEN: NMI_BY_HAND,
    "ClusteringMetric(nmi)": NMI_BY_HAND,
    "ClusteringMetric(nmi, ari, acc)": [NMI_BY_HAND, ARI_BY_HAND],
    ARI_NMI_ACC: [ARI_BY_HAND, NMI_BY_HAND, 5 / 6],
}


@pytest.mark.parametrize(
    ("measure", "library"),
    [(x, name) for x, name in itertools.product(VALUES_BY_HAND, CPU) if x not in OF_TENSORS or name == "torch"],
)
def test_what_a_loop_calls_by_hand(measure, library):
    """Once, and again after another batch."""
    on, workload = BACKENDS[library], Workload("step", 6, 3, 3)
    with on.mode():
        call = on.call(measure, on.labels(tuple(np.asarray(x) for x in BY_HAND)), workload)
        assert on.host(call.value()).tolist() == pytest.approx(VALUES_BY_HAND[measure])
        call.run()
        assert on.host(call.value()).tolist() == pytest.approx(VALUES_BY_HAND[measure])


@pytest.mark.filterwarnings("ignore:Sparse invariant checks:UserWarning")  # of torchmetrics' sparse table
@pytest.mark.parametrize("name", ["scikit-learn", "torchmetrics"])
def test_what_peers_call_in_a_loop_by_hand(name):
    other, labels = PEERS[name], tuple(np.asarray(x) for x in BY_HAND)
    measures = [measure for measure in VALUES_BY_HAND if other.offers(STEP, measure)]
    assert set(measures) >= {ARI_GIVEN, NMI_GIVEN, ARI_NMI_ACC}
    assert (set(measures) == set(VALUES_BY_HAND) - {READ, READ_GROWING}) == (name == "torchmetrics")
    for measure in measures:
        value = other.call(measure, other.prepare(labels, "cpu")).value()
        assert np.asarray(value).tolist() == pytest.approx(VALUES_BY_HAND[measure], rel=1e-6), measure


def test_metrics_of_torchmetrics_are_for_its_tensors(monkeypatch):
    assert BACKENDS["torch"].offers(STEP, "ClusteringMetric.update")
    assert not BACKENDS["numpy"].offers(STEP, "ClusteringMetric.update")
    assert BACKENDS["numpy"].offers(STEP, "Accumulator.update")
    monkeypatch.setattr(backends, "find_spec", lambda name: None)
    assert not BACKENDS["torch"].offers(STEP, "ClusteringMetric.update")
    assert BACKENDS["torch"].offers(STEP, "Accumulator.update")


def test_the_steps_that_are_compared():
    """Each batch and table with each target of a step, on the arrays that the peer has."""
    found = Counter(
        (opponent, str(target), case.aimed_at)
        for case in STEPS
        for opponent, target in case.targets.items()
        if case.workload.n_classes <= 1000
    )
    steps = {(case.workload.n_samples, case.workload.n_classes) for case in STEPS}
    assert steps == set(itertools.product((256, 1024, 4096), (10, 100, 1000, 3000)))
    assert found == {
        ("scikit-learn", ">= 1.5", ("numpy",)): 9 * 5,
        ("torchmetrics", ">= 1.5", ("torch",)): 9 * 8,
        ("torchmetrics", "<= 1.2", ("torch",)): 9 * 2,
        ("sizes found", "<= 1.2", CPU): 9 * 2,
    }
    assert {case.measure for case in SMOKE} >= {"Accumulator.update", "ClusteringMetric.update", ARI_NMI_ACC, READ}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the high-water mark is reset by Linux only")
def test_the_peak_of_memory_is_what_a_call_takes():
    """In a process of its own, as in the benchmark: this one may have 32 MB to spare, which would not count."""
    code = """if True:
        import numpy as np
        from benchmarks.memory import peak_on_host
        print(peak_on_host(lambda: np.ones(4 * 10**6).sum()), peak_on_host(lambda: None))
    """
    environment = {**os.environ, "MALLOC_MMAP_THRESHOLD_": "65536"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, check=True, capture_output=True)
    peak, nothing = map(int, done.stdout.split())
    assert peak == pytest.approx(32e6, rel=0.1)
    assert nothing < 10**6


def test_programs_are_timed_without_what_an_empty_one_takes():
    programs = {"nothing": "pass", "much": "sum(range(10**7))"}
    seconds = timing.programs_in_turn(programs, 2)
    assert [len(times) for times in seconds.values()] == [2, 2]
    assert min(seconds["much"]) > 0.05 > max(seconds["nothing"])


def test_the_rows_of_new_processes(monkeypatch):
    taken = {"import numpy": [2.0, 2.0], "import": [0.2, 0.2], "import, first score": [3.0, 3.0]}
    monkeypatch.setattr(timing, "programs_in_turn", lambda programs, rounds: {name: taken[name] for name in programs})
    rows = {row.measure: row for row in start_rows(2)}
    assert {name: row.ratio.median for name, row in rows.items()} == {"import": 0.1, "import, first score": 1.5}
    assert rows["import, first score"].met is False
    assert all(row.quotient == "gpuval / import numpy" for row in rows.values())


# Two checkouts.

ARI_ROW = ["--rows", "random-1e3-*/adjusted_rand_score/numpy", "--pairs", "1", "--rounds", "2", "--again", "0"]


@pytest.fixture
def other_checkout(tmp_path):
    """This checkout, with functions that replace its own."""

    def make(text):
        (tmp_path / "gpuval").mkdir()
        own = ROOT / "gpuval" / "__init__.py"
        again = f"__path__ = [{str(own.parent)!r}]\nexec(open({str(own)!r}, encoding='utf-8').read())\n"
        (tmp_path / "gpuval" / "__init__.py").write_text(again + text)
        return tmp_path

    return make


def test_a_call_of_two_checkouts(other_checkout, capsys, tmp_path):
    score = "time.sleep(0.01); return __getattr__('adjusted_rand_score')(*labels)"
    other = other_checkout(f"import time\ndef adjusted_rand_score(*labels): {score}\n")
    assert against.main([str(other), *ARI_ROW, "--json", str(tmp_path / "rows.json")]) == 0
    (row,) = json.loads((tmp_path / "rows.json").read_text())["rows"]
    assert row["ratio"]["median"] < 0.5
    assert row["ratio"]["rounds"] == 2
    assert min(row["seconds"]["there"]) >= 0.01
    assert row["note"] == ""
    assert "here / there" in capsys.readouterr().out


def test_another_value_or_none_of_a_checkout(other_checkout, capsys):
    other = other_checkout("def adjusted_rand_score(*labels): return 2.0\n")
    assert against.main([str(other), *ARI_ROW, "--bound", "1e9"]) == 1
    assert "the values differ" in capsys.readouterr().out
    (other / "gpuval" / "__init__.py").write_text("raise ImportError('too old')\n")
    assert against.main([str(other), *ARI_ROW]) == 1
    assert "fails there: ImportError: too old" in capsys.readouterr().out


def test_a_measure_that_a_checkout_does_not_have(other_checkout, capsys, tmp_path):
    """Only its own rows fail."""
    other = other_checkout("_MODULE_OF.pop('dunn_index')\n")
    rows = ["--smoke", "--rows", "blobs-*/dunn_index/numpy,random-1e3-*/adjusted_rand_score/numpy", *ARI_ROW[2:]]
    assert against.main([str(other), *rows, "--bound", "1e9", "--json", str(tmp_path / "rows.json")]) == 1
    notes = {row["measure"]: row["note"] for row in json.loads((tmp_path / "rows.json").read_text())["rows"]}
    missing = "fails there: AttributeError: module 'gpuval' has no attribute 'dunn_index'"
    assert notes == {"dunn_index": missing, "adjusted_rand_score": ""}
    assert missing in capsys.readouterr().out


def test_a_state_of_two_checkouts(capsys):
    rows = ["--smoke", "--rows", "step-*/*.update/torch", *ARI_ROW[2:], "--bound", "1e9"]
    assert against.main([str(ROOT), *rows]) == 0
    lines = capsys.readouterr().out.splitlines()[1:]
    assert {line.split()[1] for line in lines} == {"Accumulator.update", "ClusteringMetric.update"}


def test_a_row_that_differs_once_differs(monkeypatch, capsys):
    """Also where it is repeated as it is slow, and has the same value then."""
    are_same = iter([False, True, True])
    seconds = {"here": [2.0, 2.0], "there": [1.0, 1.0]}
    monkeypatch.setattr(against.Start, "measured", lambda *_: (seconds, next(are_same)))
    assert against.main([str(ROOT), "--rows", "new process/import/numpy"]) == 1
    assert next(are_same, None) is None
    _, line = capsys.readouterr().out.splitlines()
    assert "the values differ" in line


def test_rows_of_checkouts_are_sorted_and_slow_ones_repeated(monkeypatch, capsys):
    here = {"import": 1.2, "import, first score": 0.5}
    asked = []

    def seconds(start, checkouts, options):
        asked.append(start.name)
        return {"here": [here[start.name]] * 2, "there": [1.0, 1.0]}, True

    monkeypatch.setattr(against.Start, "measured", seconds)
    assert against.main([str(ROOT), "--rows", "new process/*"]) == 1
    assert asked == ["import", "import, first score", "import", "import"]
    lines = capsys.readouterr().out.splitlines()[1:]
    assert [line.split()[:3] for line in lines] == [["new", "process", "import"], ["new", "process", "import,"]]
    assert re.search(r"1\.2 \(1\.2 to 1\.2\) +6 ", lines[0])  # the rounds of three times


def test_what_is_chosen_of_two_checkouts():
    named = ["/".join(x.names) for x in against._chosen(CASES, ["numpy", "torch"], ["*"])]
    assert len(set(named)) == len(named)
    assert "new process/import, first score/numpy" in named
    assert "random-1e3-10x10-int64/adjusted_rand_score/torch" in named
    assert not any(name.startswith("object-") and name.endswith("torch") for name in named)
    assert "step-256-k10/ClusteringMetric.update/torch" in named
    assert "step-256-k10/ClusteringMetric.update/numpy" not in named
    assert [x.names for x in against._chosen(SMOKE, ["jax"], ["*/adjusted_mutual_info_score/*"])] == [
        ("random-1e3-10x10-int64", "adjusted_mutual_info_score", "jax")
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere"], "PATH must be a folder that has the package gpuval, got nowhere"),
        ([str(ROOT), "--backends", "mlx"], "--backends: must be names out of numpy, torch"),
        ([str(ROOT), "--rows", "nothing"], "--rows must match a row"),
    ],
)
def test_what_cannot_be_compared(arguments, message, capsys):
    with pytest.raises(SystemExit):
        against.main(arguments)
    assert message in capsys.readouterr().err


# The cases of a GPU, on the CPU: what their code does, not what it measures.


@pytest.fixture
def torchmetrics(monkeypatch):
    """A stand-in, whose adjusted mutual information takes longer than it may."""
    module = ModuleType("torchmetrics.functional")
    module.clustering = SimpleNamespace(
        adjusted_rand_score=gpuval.adjusted_rand_score,
        normalized_mutual_info_score=gpuval.normalized_mutual_info_score,
        v_measure_score=gpuval.homogeneity_score,
        adjusted_mutual_info_score=lambda pred, true: time.sleep(5),
    )
    monkeypatch.setitem(sys.modules, "torchmetrics.functional", module)
    monkeypatch.setattr(gpu, "find_spec", lambda name: name)


def test_the_cases_of_a_gpu(torchmetrics, monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(device, "gpu", device.on_the_host)
    assert command.main(["--gpu", "--smoke", "--json", str(tmp_path / "rows.json")]) == 1  # one peer is wrong
    written = json.loads((tmp_path / "rows.json").read_text())
    assert written["machine"]["gpu"]["name"] == "the host"
    assert written["machine"]["gpu"]["copied_bytes_per_second"] > 0
    rows = written["rows"]
    assert [row["quotient"] for row in rows if row["differs"]] == ["torchmetrics / gpuval"]
    targets = [row["target"] for row in rows]
    assert targets.count(">= 0.7") == 11
    for target, times in {">= 0.5": 1, "<= 15": 1, "<= 4": 1, ">= 4": 1, ">= 40": 1, ">= 10": 1, ">= 20": 3}.items():
        assert targets.count(target) == times
    assert [row["quotient"] for row in rows if row["target"] == "<= 1"] == [
        "gpuval / 20 ms",  # AMI of a table
        *("gpuval / 60 us", "gpuval / 60 us", "gpuval / 150 us", "gpuval / 60 us"),  # CuPy, PyTorch twice, CUDA graph
        "gpuval / 0.3 s",  # the first one
    ]
    shares = {(row["measure"], row["workload"]) for row in rows if row["target"] == ">= 0.7"}
    assert {(TABLE, "random-4e3-30x40-int8"), (f"{TABLE}, labels[1:]", "random-4e3-30x40-int32")} <= shares
    assert [row["target"] for row in rows if row["measure"] == "silhouette_score"] == ["<= 3", ">= 3"]
    (loop,) = (row for row in rows if "lower bound" in row["note"])
    assert loop["target"] == ">= 1000"
    assert loop["ratio"]["rounds"] == 1
    assert len(capsys.readouterr().out.splitlines()) == len(rows) + 3


@pytest.mark.parametrize("kind", ["random", "sorted", "mostly one", "good"])
def test_labels_that_are_made_on_the_device(kind, monkeypatch):
    monkeypatch.setattr(device, "_BLOCK", 1000)
    true, pred = device.on_the_host().labels(kind, 2500, (20, 10), "int8")
    assert true.dtype == pred.dtype == np.int8
    assert set(true) == set(range(20))
    assert set(pred) == set(range(10))
    agree = np.mean(true % 10 == pred)
    largest = np.bincount(true.astype(int) * 10 + pred).max() / 2500
    assert (agree > 0.85) == (kind in ("good", "mostly one"))
    assert (largest > 0.85) == (kind == "mostly one")
    assert bool(np.all(true[1:] >= true[:-1])) == (kind == "sorted")


def test_a_wrong_table_on_a_gpu_is_an_error(monkeypatch):
    bench = gpu.Bench(device.on_the_host(), gpu.SMOKE)
    wrong = gpuval.Contingency.from_counts(np.ones((4, 4), np.int64))
    monkeypatch.setattr(bench, "_table", lambda *_: lambda: wrong)
    with pytest.raises(AssertionError, match="is wrong"):
        bench.share_of_bandwidth("random", (4, 4), None)


def test_the_share_of_the_bandwidth_of_labels_from_an_odd_start(monkeypatch):
    """The bytes of what is read, by the seconds and by the bandwidth."""
    bench = gpu.Bench(device.on_the_host(), gpu.SMOKE)
    given = []
    monkeypatch.setattr(bench, "_of_table", lambda labels, shape: given.append(labels) or [0.5])
    bench.bandwidth = 1000
    row = bench.share_of_bandwidth("random", (4, 4), at_least(0.7), "int8", 1)
    (labels,) = given
    whole = bench.device.labels("random", gpu.SMOKE.most, (4, 4), "int8")
    for side, all_of_it in zip(labels, whole, strict=True):
        np.testing.assert_array_equal(side, all_of_it[1:])
    assert row.ratio.median == 2 * (gpu.SMOKE.most - 1) / 1000 / 0.5


def test_the_score_of_few_samples_by_its_bounds(monkeypatch):
    on = device.on_the_host()
    bench = gpu.Bench(dataclasses.replace(on, replay=lambda call: lambda: 0.5), gpu.SMOKE)
    monkeypatch.setattr(device.Device, "seconds_each", lambda *_: 120e-6)
    rows = {(row.measure.removeprefix(f"{ARI}, "), row.quotient): row for row in bench.single_scores()}
    met = {name: row.met for name, row in rows.items()}
    assert met == {
        ("CuPy", "gpuval / 60 us"): False,
        ("PyTorch", "gpuval / 60 us"): False,
        ("PyTorch", "gpuval / 150 us"): True,
        ("CUDA graph", "gpuval / 60 us"): None,
    }
    assert rows["PyTorch", "gpuval / 150 us"].ratio.median == pytest.approx(120 / 150)
    assert rows["CUDA graph", "gpuval / 60 us"].differs  # a graph that gives another value


def test_the_first_score_of_a_process_is_taken_when_its_kernels_are_on_disk(monkeypatch):
    seconds, caches = iter([9.0, 0.15, 0.15, 0.15]), set()

    def first_calls(library, cache):
        caches.add((library, cache))
        return {"ari": next(seconds)}

    monkeypatch.setattr(gpu, "first_calls", first_calls)
    row = gpu.Bench(device.on_the_host(), gpu.SMOKE).first_score()
    assert row.ratio.median == row.ratio.high == pytest.approx(0.5)
    assert len(caches) == 1
    assert next(iter(caches))[0] == "numpy"


def test_the_first_calls_of_a_process(tmp_path):
    """Each after those before it: the report finds what the score has imported."""
    seconds = first_calls("numpy", str(tmp_path))
    assert list(seconds) == ["library", "import", "ari", "evaluate", "silhouette"]
    assert min(seconds.values()) > 0
    with pytest.raises(RuntimeError, match="No module named 'no_such_library'"):
        first_calls("no_such_library", str(tmp_path))


def test_first_calls_beside_imports(capsys):
    pytest.importorskip("pandas")
    first_calls_in_turn(["--rounds", "1"])
    rows = capsys.readouterr().out.splitlines()
    assert [row.split(" | ")[2] for row in rows[2:]] == ["import of numpy", "import of pandas"]
    assert all(float(row.split(" | ")[4]) > 0.5 for row in rows[2:])


def test_the_first_call_of_jax():
    seconds, busy, n_compiled = first_call_of_jax("gpuval.adjusted_rand_score(a, b); jax.jit(lambda x: x + 1)(X)")
    assert seconds > 0 < busy
    assert n_compiled >= 1


def test_no_gpu_is_an_error_with_a_word(monkeypatch, capsys):
    def none():
        raise RuntimeError("no GPU: CuPy finds none")

    monkeypatch.setattr(device, "gpu", none)
    with pytest.raises(SystemExit):
        command.main(["--gpu"])
    assert "--gpu needs a GPU and CuPy: no GPU" in capsys.readouterr().err


# The first run on a GPU, as far as it can be tried without one.

GPU_RUN = Path(gpu_run.__file__).parent


def missing_names(text):
    """The names of gpuval that a file imports, reads of a module, or patches there, and that do not exist."""
    modules = {}
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name.partition(".")[0] == "gpuval":
                    module = importlib.import_module(alias.name)
                    modules[alias.asname or "gpuval"] = module if alias.asname else gpuval
        elif isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] == "gpuval":
            if not has_module(node.module):
                yield node.module
                continue
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                if has_module(name):
                    modules[alias.asname or alias.name] = importlib.import_module(name)
                elif not hasattr(importlib.import_module(node.module), alias.name):
                    yield name
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Attribute(ast.Name(module), name) if module in modules:
                pass
            case ast.Call(ast.Attribute(_, "object"), [ast.Name(module), ast.Constant(name), *_]) if module in modules:
                pass
            case _:
                continue
        if not hasattr(modules[module], name):
            yield f"{modules[module].__name__}.{name}"


def has_module(name):
    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # its parent is none, or no package
        return False


@pytest.mark.parametrize("path", sorted((ROOT / "benchmarks").rglob("*.py")), ids=lambda path: path.name)
def test_names_of_gpuval_that_benchmarks_use_exist(path):
    assert list(missing_names(path.read_text(encoding="utf-8"))) == []


def test_a_name_that_has_moved_is_found():
    text = """if True:
        import gpuval, gpuval.table as other
        from gpuval.engines.cuda import kernels, tabulate as count
        from gpuval.engines import moved
        from gpuval.moved.deep import name
        from gpuval.engines.cuda.kernels import Device, Lost
        gpuval.rand_score, gpuval.no_score, kernels.launch_for, count.dense_counts, count.recounted, other.nothing
        mock.patch.object(count, "are_dealt"), mock.patch.object(kernels, "are_cut")
    """
    assert sorted(missing_names(text)) == [
        "gpuval.engines.cuda.kernels.Lost",
        "gpuval.engines.cuda.kernels.are_cut",
        "gpuval.engines.cuda.tabulate.recounted",
        "gpuval.engines.moved",
        "gpuval.moved.deep",
        "gpuval.no_score",
        "gpuval.table.nothing",
    ]


def test_the_text_that_tune_replaces_is_in_the_kernels(monkeypatch):
    from gpuval.engines.cuda.kernels import source

    monkeypatch.setitem(sys.modules, "cupy", ModuleType("cupy"))
    monkeypatch.delitem(sys.modules, "benchmarks.gpu_run.tune", raising=False)
    tune = importlib.import_module("benchmarks.gpu_run.tune")
    monkeypatch.delitem(sys.modules, "benchmarks.gpu_run.tune")
    assert source("joint").count(tune.MATCH) == 1


def test_a_part_that_fails_stops_no_other(capsys, tmp_path):
    def wrong(run):
        raise ValueError("not the\nsame")

    def right(run):
        run.keep("table", share=0.5)
        run.keep("another", share=0.25)

    run = gpu_run_parts.Run(json=tmp_path / "found.json", seconds=60)
    assert run.all([wrong, right]) == 1
    first, *_, last = capsys.readouterr().out.splitlines()
    assert "FAILED ValueError: not the same at " in first
    assert last.startswith("FAILED: wrong; ")
    timings = {"table": {"share": 0.5}, "another": {"share": 0.25}}
    assert json.loads((tmp_path / "found.json").read_text()) == {"failed": ["wrong"], "timings": timings}
    late, begun = gpu_run_parts.Run(seconds=0), []
    assert late.all([right, lambda run: begun.append(run)]) == 0
    assert list(late.facts["timings"]) == ["table"]
    assert "out of time" in capsys.readouterr().out
    assert not begun  # no part after the one in which the time was over


SCRIPT = (GPU_RUN / "run.sh").read_text(encoding="utf-8")
PLAN = (GPU_RUN / "README.md").read_text(encoding="utf-8")
LIMITS = {name: int(seconds) for name, seconds in re.findall(r"\[(\w+)\]=(\d+)", SCRIPT)}
CALLS = re.findall(r"^bash benchmarks/gpu_run/run\.sh ([\w ]+?) *# (\d+) s", PLAN, re.M)
LEASE, CALL, START = 900, 600, 60
"""Seconds for which a machine is lent, that one command may take, and that pass before the first one."""


def test_the_steps_of_a_first_run_are_told():
    told = re.findall(r"^\| `(\w+)` \| (\d+)", PLAN, re.M)
    assert {name: int(seconds) for name, seconds in told} == LIMITS
    assert [name for name, _ in told] == [name for call, _ in CALLS for name in call.split()]
    for path in re.findall(r"tests/[\w/.]+", SCRIPT):
        assert (ROOT / path).exists(), path
    for of in re.findall(r"^  for of in (.*); do$", SCRIPT, re.M)[0].split():
        part, kernel = of.split(":")
        assert f"def {part}(run: Run)" in (GPU_RUN / "timings.py").read_text(encoding="utf-8")
        sources = ROOT / "gpuval" / "engines" / "cuda" / "sources"
        assert any(re.search(rf"\b{kernel}\(", path.read_text(encoding="utf-8")) for path in sources.iterdir()), kernel


def test_the_calls_of_a_first_run_fit_into_the_time_of_a_machine():
    """Each is stopped in time, and those of a lease together."""
    for call, seconds in CALLS:
        assert sum(LIMITS[name] for name in call.split()) == int(seconds) <= CALL
    for lease in PLAN.split("```sh")[1:3]:
        assert START + sum(int(seconds) for seconds in re.findall(r"# (\d+) s", lease)) <= LEASE


@pytest.mark.parametrize("steps", [[], ["rest"], ["smoke", "rest"], ["smoke", "rest=3"]])
def test_a_step_that_there_is_not(steps):
    wrong = subprocess.run(
        ["bash", str(GPU_RUN / "run.sh"), *steps], env={**os.environ, "OUT": os.devnull}, check=False
    )
    assert wrong.returncode == 2


def test_the_commands_up_to_the_table_are_in_order():
    """The results have the commands of the plan, the table comes last, and its file is the one to keep."""
    text = (ROOT / "benchmarks" / "results" / "README.md").read_text(encoding="utf-8")
    calls = re.findall(r"^bash benchmarks/gpu_run/run\.sh ([\w ]+?) *#", text, re.M)
    assert calls == [call for call, _ in CALLS][: len(calls)]
    assert calls[-1] == "bench"
    assert text.index("run.sh bench") < text.index("\ncp build/gpu/benchmarks.json ") < text.index("## The table")


@pytest.fixture
def programs(tmp_path):
    """Stand-ins that write down what the script runs: a Python without plugins of pytest, and tools that run it."""
    (tmp_path / "python").write_text(f'#!/bin/sh\n[ "$1" = -c ] && exit 1\necho "$@" >>{tmp_path}/commands\n')
    for tool in ("compute-sanitizer", "ncu"):
        (tmp_path / tool).write_text('#!/bin/sh\nwhile [ "$1" != -m ]; do shift; done\nexec python "$@"\n')
    for name in ("python", "compute-sanitizer", "ncu"):
        (tmp_path / name).chmod(0o755)
    return tmp_path


def run_by_the_script(programs, *steps):
    """The commands of Python that it runs."""
    environment = {"PATH": f"{programs}:{os.environ['PATH']}", "PYTHON": "python", "OUT": str(programs / "out")}
    script = ["bash", str(GPU_RUN / "run.sh"), *steps]
    ran = subprocess.run(script, env=environment, check=True, capture_output=True, text=True)
    assert re.findall(r"^== (\w+): \d+ s$", ran.stdout, re.M) == [step.partition("=")[0] for step in steps]
    return [shlex.split(line) for line in (programs / "commands").read_text().splitlines()]


@pytest.mark.parametrize("step", LIMITS)
def test_what_a_step_of_the_script_runs(step, programs):
    commands = run_by_the_script(programs, step)
    assert len(commands) == {"measures": 2, "counters": 5}.get(step, 1)
    for dash, module, *arguments in commands:
        assert dash == "-m"
        if module == "benchmarks":
            assert command._parser().parse_args(arguments).gpu
        elif module == "pytest":
            assert arguments[:2] == ["-m", "gpu"]
            assert "-n" not in arguments
        else:
            assert module == "benchmarks.gpu_run"
            found = gpu_run_command._parser().parse_args(arguments)
            text = (GPU_RUN / f"{found.step}.py").read_text(encoding="utf-8")
            assert set(found.only or ()) <= set(re.findall(r"^def (\w+)\(run: Run\)", text, re.M))
            assert found.small == (step in ("memcheck", "racecheck", "initcheck"))


def test_several_steps_of_the_script(programs):
    """One after the other, each in its own time."""
    first, second = run_by_the_script(programs, "tune=50", "bench")
    assert first[1:5] == ["benchmarks.gpu_run", "tune", "--seconds", "30"]
    assert second[1:3] == ["benchmarks", "--gpu"]


def test_a_step_that_fails_does_not_stop_the_next(programs):
    (programs / "python").write_text(
        f'#!/bin/sh\necho "$@" >>{programs}/commands\ncase "$@" in *tune*) exit 3;; esac\n'
    )
    with pytest.raises(subprocess.CalledProcessError) as raised:
        run_by_the_script(programs, "tune", "bench")
    assert raised.value.returncode == 3
    assert len((programs / "commands").read_text().splitlines()) == 2


def test_the_time_of_the_host_is_measured():
    command = [sys.executable, "-m", "benchmarks.host_time", "--rounds", "1"]
    ran = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, timeout=120)
    launches = {line.split()[0]: int(line.split()[1]) for line in ran.stdout.splitlines()}
    assert launches == {"ARI": 4, "evaluate": 10}
