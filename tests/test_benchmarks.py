"""The benchmark tells a wrong value, a missing peer and a slow one; what it measures is not tested."""

import json
import os
import subprocess
import sys
import time
from contextlib import nullcontext
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest

import gpuval
from benchmarks import __main__ as command
from benchmarks import device, gpu, memory, report, timing
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


# The cases of a GPU, on the CPU: what their code does, not what it measures.


def on_the_host(**options):
    def seconds(call):
        start = time.perf_counter()
        call()
        return time.perf_counter() - start

    given = {"xp": np, "seconds": seconds, "waiting": lambda: None, "replay": lambda call: call, **options}

    def add_by_label(sums, distances, labels):
        np.add.at(sums, (slice(None), labels), distances)

    given |= {"multiply_adds": 1e9, "add_by_label": add_by_label}
    return device.Device(name="the host", forbidden=nullcontext, free=0, **given)


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
    monkeypatch.setattr(device, "gpu", on_the_host)
    assert command.main(["--gpu", "--smoke", "--json", str(tmp_path / "rows.json")]) == 1  # one peer is wrong
    written = json.loads((tmp_path / "rows.json").read_text())
    assert written["machine"]["gpu"]["name"] == "the host"
    assert written["machine"]["gpu"]["copied_bytes_per_second"] > 0
    rows = written["rows"]
    assert [row["quotient"] for row in rows if row["differs"]] == ["torchmetrics / gpuval"]
    targets = [row["target"] for row in rows]
    assert targets.count(">= 0.7") == 9
    for target, times in {">= 0.5": 1, "<= 15": 1, "<= 4": 1, ">= 4": 1, ">= 40": 1, ">= 10": 1, ">= 20": 3}.items():
        assert targets.count(target) == times
    assert targets.count("<= 1") == 4  # of 20 ms and, three times, of 60 us
    assert [row["target"] for row in rows if row["measure"] == "silhouette_score"] == ["<= 3", ">= 3"]
    (loop,) = (row for row in rows if "lower bound" in row["note"])
    assert loop["target"] == ">= 1000"
    assert loop["ratio"]["rounds"] == 1
    assert len(capsys.readouterr().out.splitlines()) == len(rows) + 3


@pytest.mark.parametrize("kind", ["random", "sorted", "mostly one", "good"])
def test_labels_that_are_made_on_the_device(kind, monkeypatch):
    monkeypatch.setattr(device, "_BLOCK", 1000)
    true, pred = on_the_host().labels(kind, 2500, (20, 10), "int8")
    assert true.dtype == pred.dtype == np.int8
    assert set(true) == set(range(20))
    assert set(pred) == set(range(10))
    agree = np.mean(true % 10 == pred)
    largest = np.bincount(true.astype(int) * 10 + pred).max() / 2500
    assert (agree > 0.85) == (kind in ("good", "mostly one"))
    assert (largest > 0.85) == (kind == "mostly one")
    assert bool(np.all(true[1:] >= true[:-1])) == (kind == "sorted")


def test_a_wrong_table_on_a_gpu_is_an_error(monkeypatch):
    bench = gpu.Bench(on_the_host(), gpu.SMOKE)
    wrong = gpuval.Contingency.from_counts(np.ones((4, 4), np.int64))
    monkeypatch.setattr(bench, "_table", lambda *_: lambda: wrong)
    with pytest.raises(AssertionError, match="is wrong"):
        bench.share_of_bandwidth("random", (4, 4), None)


def test_no_gpu_is_an_error_with_a_word(monkeypatch, capsys):
    def none():
        raise RuntimeError("no GPU: CuPy finds none")

    monkeypatch.setattr(device, "gpu", none)
    with pytest.raises(SystemExit):
        command.main(["--gpu"])
    assert "--gpu needs a GPU and CuPy: no GPU" in capsys.readouterr().err
