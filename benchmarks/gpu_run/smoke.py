"""Every kernel, and labels of every library, once against NumPy: the first thing to run on a GPU."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

import cupy
import numpy as np

import gpuval
from benchmarks.device import PLATFORM, STANDS_IN, fewer
from benchmarks.gpu_run.run import Run
from gpuval import Contingency
from gpuval.engines.cuda import kernels, statistics, tabulate
from gpuval.numerics.hypergeometric import mean_deviance_and_loss

NDArray = np.ndarray[Any, Any]

DTYPES = [
    *(("int8", "int8"), ("int8", "int32"), ("uint16", "uint16")),
    *(("int32", "int32"), ("bool", "int32"), ("int64", "int64")),
]
"""Of the labels of classes and of clusters."""

SCORES = (
    *("adjusted_rand_score", "v_measure_score", "adjusted_mutual_info_score", "fowlkes_mallows_score"),
    *("normalized_mutual_info_score", "rand_score", "purity_score", "mutual_info_score"),
)
SIZE = {"n_classes": 30, "n_clusters": 40}

rng = np.random.default_rng(0)


def machine(run: Run) -> str:
    """What there is."""
    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    versions = {"cupy": cupy.__version__, "nvrtc": cupy.cuda.nvrtc.getVersion(), "numpy": np.__version__}
    with contextlib.suppress(ImportError):
        import torch

        versions["torch"] = torch.__version__
    run.facts |= {"device": name, "chip": str(kernels.device(0)), "versions": versions}
    return f"{name}, {kernels.device(0)}, {versions}"


def compiling(run: Run) -> str:
    """The kernels that the parts below need, by many threads; the sum is what one thread would take."""
    pairs = sorted({(_width(a), _width(b)) for a, b in DTYPES})
    instances: list[tuple[str, ...]]
    instances = [("joint", "joint_global", *pair) for pair in pairs]
    for pair in pairs:
        for name in ("joint_shared", "joint_global_sums"):
            instances += [("joint", name, *pair, weight) for weight in ("gpuval::One", "u64", "double")]
        instances += [("limits", name, *pair) for name in ("limits", "furthest")]
        instances += [("keys", "keys_of", *pair, key) for key in ("u32", "u64")]
        instances += [("keys", name, *pair) for name in ("bucket_sizes", "deal_keys")]
        instances += [("cached", "joint_cached", *pair), ("listed", "list_cells", *pair)]
    instances += [("runs", name, key) for name in ("count_runs", "write_runs") for key in ("u32", "u64")]
    for real in ("float", "double"):
        for metric in ("gpuval::Euclidean", "gpuval::Cityblock"):
            instances += [("distances", "cluster_means", real, metric, w) for w in ("gpuval::One", "double")]
            instances += [("distances", "cluster_extremes", real, metric)]
    for file in ("margins", "pairs", "information", "overlaps", "expected"):
        instances += [(file, name.removeprefix("gpuval::")) for name in kernels.plain_kernels(file)]

    of_both = [(instance, are_aligned) for instance in instances for are_aligned in (False, True)]
    texts = [x for x in of_both if not x[1] or x[0][0] in ("joint", "limits")]

    def compiled(text: tuple[tuple[str, ...], bool]) -> tuple[float, str | None]:
        instance, are_aligned = text
        start = time.perf_counter()
        spills = kernels.kernel(*instance, are_aligned=are_aligned).local_size_bytes
        word = f"{instance}, {are_aligned=}: {spills} bytes of local memory" if spills else None
        return time.perf_counter() - start, word

    with ThreadPoolExecutor(12) as pool:
        found = list(pool.map(compiled, texts))
    seconds, spilling = sum(x for x, _ in found), [word for _, word in found if word]
    run.facts["compiled"] = {"kernels": len(texts), "seconds of one thread": seconds}
    return f"{len(texts)} kernels, {seconds:.1f} s of one thread; spills: {', '.join(spilling) or 'none'}"


def _width(dtype: str) -> str:
    return kernels.width_of(np.dtype("uint8" if dtype == "bool" else dtype))


# Each kernel against NumPy


def limits(run: Run) -> None:
    """The smallest and the largest labels, from starts that are aligned and that are not."""
    for dtypes in DTYPES:
        for n in (1, 3, 33, _most(run)):
            x, y = (_labels(dtype, n) for dtype in dtypes)
            wanted = tuple((int(v.min()), int(v.max())) for v in (x, y))
            for on in (cupy.asarray, shifted):
                found = tabulate.limits_of(on(x), on(y))
                assert found == wanted, (dtypes, n, found, wanted)
    big = cupy.asarray(np.array([0, 2**64 - 1, 7], dtype=np.uint64))
    assert tabulate.limits_of(big, big) == ((0, 2**64 - 1),) * 2


def tables(run: Run) -> str:
    """Tables of each kernel that the plan chooses, with and without weights, and with labels outside."""
    shapes = [(1, 1), (4, 4), (30, 40), (240, 242), (300, 250)]
    if not STANDS_IN:
        shapes[3:] = [(100, 120), (240, 242), (1000, 1000), (5000, 5000)]
    chosen = set()
    for shape in shapes:
        for dtypes in DTYPES if shape != (5000, 5000) else [("int32", "int32")]:
            for n in (5, 1000, _most(run)):
                _check_tables(shape, dtypes, n)
                launch = kernels.launch_for(n, shape[0] * shape[1], 4, kernels.device(0), lambda _: 32)
                chosen.add(launch.kernel)
    shape, n = (120, 130) if STANDS_IN else (1000, 1000), _most(run)
    for bounds in ({"_FEWEST_GLOBAL": 1}, {"_FEWEST_GLOBAL": 1, "FEWEST_CACHED": 1}):  # so few would go straight
        with mock.patch.multiple(kernels, **bounds):
            chosen.add(kernels.launch_for(n, shape[0] * shape[1], 4, kernels.device(0), lambda _: 32).kernel)
            for dtypes in DTYPES:
                _check_tables(shape, dtypes, n)
    assert chosen == {"cached", "global", "shared", "straight"}, chosen
    return f"ok: {sorted(chosen)}"


def _check_tables(shape: tuple[int, int], dtypes: tuple[str, str], n: int) -> None:
    x, y = (_labels(dtype, n, size) for dtype, size in zip(dtypes, shape, strict=True))
    if n == 1000 and x.dtype != bool:
        x[::7], y[::5] = min(shape[0], np.iinfo(x.dtype).max), 0  # outside
    inside = (x.astype(np.int64) < shape[0]) & (y.astype(np.int64) < shape[1])
    cells = (x.astype(np.int64) * shape[1] + y)[inside]
    for weights in (None, rng.integers(0, 9, n), rng.integers(0, 1000, n) / 8):
        given = None if weights is None else cupy.asarray(weights)
        wanted = np.bincount(cells, None if weights is None else weights[inside], shape[0] * shape[1])
        for on in (cupy.asarray, shifted):
            found, outside = tabulate.dense_counts(on(x), on(y), range(shape[0]), range(shape[1]), given)
            same(found.reshape(-1), wanted, f"{dtypes} {shape} {n} {on}", 0 if weights is None else 1e-13)
            assert int(outside) == n - inside.sum(), (dtypes, shape, n, on)


def furthest(run: Run) -> None:
    """Which labels were seen, once some are outside."""
    x, y = (cupy.asarray(np.array(labels)) for labels in ([0, -7, 5, 2], [0, 1, 2, 2**62]))
    counts, outside = cupy.zeros((3, 3), dtype=np.int64), cupy.zeros((), dtype=np.int64)
    lowest = cupy.asarray(np.full(4, 2**63 - 1))
    tabulate.add_to(counts, outside, x, y, range(3), range(3))
    tabulate.lower_bounds(lowest, outside, x, y)
    assert int(outside) == 3
    assert host(lowest).tolist() == [-7, ~5, 0, ~(2**62)]


def listed(run: Run) -> None:
    """Cells by sorts: keys of 32 and 64 bits, dealt into buckets, in blocks that are merged, and beside slots."""
    for dtype, size, are_dealt in (
        *(("int32", 50, False), ("int64", 70_000, False), ("int32", 70_000, True), ("int64", 200_000, True)),
    ):
        with mock.patch.object(tabulate, "are_dealt", return_value=are_dealt):
            _check_listed(run, dtype, size)
    with mock.patch.object(tabulate, "_SORTED_AT_ONCE", _most(run) // 3):
        _check_listed(run, "int32", 300)
    for slots in (kernels.Slots(1 << 12, spare=256, share=1), kernels.Slots(1 << 12, spare=0, share=64)):  # and too few
        for dtype, size in (("int8", 100), ("int32", 300), ("int64", 70_000)):
            with mock.patch.object(tabulate, "slots_for", return_value=slots):
                _check_listed(run, dtype, size)


def _check_listed(run: Run, dtype: str, size: int) -> None:
    n = _most(run)
    x, y = (np.where(rng.random(n) < 0.5, 1, rng.integers(0, size, n)).astype(dtype) for _ in range(2))
    runs = tabulate.runs_of(shifted(x), shifted(y), range(size), range(size))
    distinct, times = np.unique(x.astype(np.int64) * size + y, return_counts=True)
    assert runs is not None
    same(runs.rows * size + runs.columns, distinct, f"{dtype} {size}")
    same(runs.counts, times, f"{dtype} {size}")


def sums_of_tables(run: Run) -> None:
    """Margins, pairs, information and overlaps, of dense and of listed cells, against Python's integers and NumPy."""
    widest = fewer(900, 3), fewer(1100, 1)
    for shape, most in (((1, 1), 9), ((7, 500), 100), ((65, 257), 2**20), (widest, 5)):
        counts = rng.integers(0, most, shape) * (rng.random(shape) < 0.6)
        on_device = cupy.asarray(counts)
        rows, columns, total = margins = statistics.margins_of(on_device)
        n = int(counts.sum())
        same(rows, counts.sum(1), "rows")
        same(columns, counts.sum(0), "columns")
        assert int(total) == n
        squares = [sum(int(v) ** 2 for v in x.reshape(-1)) for x in (counts, counts.sum(1), counts.sum(0))]
        both, true, pred = squares[0] - n, squares[1] - squares[0], squares[2] - squares[0]
        neither = n * n + squares[0] - squares[1] - squares[2]
        wanted = [both, true, pred, neither, both * neither - true * pred, true - pred]
        same(statistics.pair_parts(on_device, *margins), [float(v) for v in wanted], f"pairs {shape}", 1e-15)
        mutual = gpuval.mutual_info_score(Contingency.from_counts(counts))
        dense = host(statistics.information_parts(on_device, *margins))
        i, j = np.nonzero(counts)
        cells, *places = (cupy.asarray(v) for v in (counts[i, j], i, j))
        sparse = host(statistics.information_parts(cells, *margins, *places))
        np.testing.assert_allclose(dense, sparse, rtol=1e-12, atol=1e-15)
        assert abs(dense[0] - mutual) <= 1e-14 + 1e-12 * mutual, (shape, dense[0], mutual)
        largest = [counts.max(axis).sum() / n for axis in (0, 1)] if n else [1, 1]
        same(statistics.overlap_parts(on_device, *margins)[:2], np.asarray(largest), f"largest {shape}", 1e-15)


def expectation(run: Run) -> None:
    """The expected mutual information, and conditional entropy of the classes: sizes one by one, and counted."""
    a, b = rng.integers(1, 90, (2, fewer(150, 20)))
    n = 80 * len(a)
    both = mean_deviance_and_loss(*(x.astype(float) for x in (a[:, None], b[None, :])), np.float64(n), np.True_, np)
    known = [cupy.asarray(x) for x in (np.int64(n), 2.0, 1.0)]  # the second conditional entropy is the smaller one
    for counted in (False, True):
        sides = (np.unique(x, return_counts=True) if counted else (x, None) for x in (a, b))
        given = [(cupy.asarray(x), None if times is None else cupy.asarray(times)) for x, times in sides]
        found, is_settled = statistics.expectation_parts(*given, *known)
        same(found, np.asarray([x.sum() / n for x in both]), "expected", 1e-11)
        assert not bool(is_settled)


def points(run: Run) -> None:
    """Mean and extreme distances to clusters, two metrics and two types, with empty clusters."""
    m, d = fewer(1500, 130), fewer(50, 19)
    labels = np.sort(np.minimum(rng.integers(0, 25, m), rng.integers(0, 200, m)))
    edges = np.searchsorted(labels, np.arange(28))
    masses, present = np.bincount(labels, minlength=27).astype(float), np.unique(labels)
    own = present[None, :] == labels[:, None]
    together = labels[:, None] == labels[None, :]
    for dtype, rtol in (("float32", 2e-6), ("float64", 1e-12)):
        X = rng.normal(10, 1, (m, d)).astype(dtype)
        apart = X[:, None, :].astype(float) - X[None, :, :]
        x, codes, borders, sizes = map(cupy.asarray, (X, labels, edges, masses))
        for metric, far in (("euclidean", np.sqrt((apart**2).sum(2))), ("cityblock", np.abs(apart).sum(2))):
            sums = np.add.reduceat(far, edges[present], axis=1)
            means = sums / masses[present]
            nearest, furthest_ = np.where(own, np.inf, means).min(1), np.where(own, -np.inf, means).max(1)
            wanted = np.stack([sums[own], nearest, furthest_, np.where(own, 0, sums).sum(1)])
            for weights in (None, cupy.asarray(np.ones(m))):
                found = statistics.cluster_means(x, codes, x, borders, weights, sizes, metric)
                same(found, wanted, f"means {dtype} {metric}", rtol)
            ends = [np.where(together, np.inf, far).min(1), np.where(together, far, 0).max(1)]
            same(
                statistics.cluster_extremes(x, codes, x, borders, metric),
                np.stack(ends),
                f"extremes {dtype} {metric}",
                rtol,
            )


# Labels of each library


def scores_of_cupy(run: Run) -> None:
    _check_scores(cupy.asarray, "cupy")
    with cupy.cuda.Stream(non_blocking=True):
        _check_scores(cupy.asarray, "cupy on a stream")


def scores_of_torch(run: Run) -> None:
    import torch

    on = partial(torch.asarray, device=PLATFORM)
    _check_scores(on, "torch")
    if not STANDS_IN:
        with torch.cuda.stream(torch.cuda.Stream()):
            _check_scores(on, "torch on a stream")


def scores_of_jax(run: Run) -> None:
    """In 64 and in 32 bits, and with memory that JAX would use again too early if nobody kept it."""
    import jax

    with jax.enable_x64(True):
        gpu = jax.devices(PLATFORM)[0]
        _check_scores(lambda x: jax.device_put(x, gpu), "jax")
        for _ in range(200):
            x = jax.device_put(np.arange(100_000) % 7, gpu)
            counts = Contingency.from_labels(x + 0, x, n_classes=7, n_clusters=7).counts
            del x
            assert int(counts[1, 1]) == 14286
    with jax.enable_x64(False):
        true, pred = _pair()
        found = gpuval.adjusted_rand_score(*(jax.device_put(v.astype(np.int32), gpu) for v in (true, pred)))
        assert abs(float(found) - gpuval.adjusted_rand_score(true, pred)) < 1e-5
        labels = np.repeat(np.arange(100), 3)  # few samples a cluster: what a product in TF32 loses shows
        X = (rng.normal(0, 1, (300, 8)) + rng.normal(0, 3, (100, 8))[labels]).astype(np.float32)
        score = gpuval.davies_bouldin_score
        wanted, found = score(X, labels), float(score(jax.device_put(X, gpu), jax.device_put(labels, gpu)))
        run.facts["jax float32 davies_bouldin, relative error"] = error = abs(found / wanted - 1)
        assert error < 2e-6, f"davies_bouldin_score in 32 bits of JAX: {found}, must be {wanted}: a product in TF32?"


def jax_behind_a_product(run: Run) -> None:
    """What JAX reads of gpuval's results only later, behind a long product, while CuPy goes on with other labels.

    Nothing refers to a result by then: if it were CuPy's memory, the next labels would have been counted there.
    """
    import jax

    pairs = [_pair() for _ in range(8)]  # with more, JAX lets the host wait until some are computed
    wanted = [np.bincount(40 * true + pred, minlength=1200).reshape(30, 40) for true, pred in pairs]
    with jax.enable_x64(True):
        gpu = jax.devices(PLATFORM)[0]
        labels = [[jax.device_put(v, gpu) for v in pair] for pair in pairs]
        side = fewer(4096, 64)
        matrix = jax.device_put(np.full((side, side), 1 / side, dtype=np.float32), gpu)
        power = jax.jit(lambda x: jax.lax.fori_loop(0, 40, lambda _, y: y @ x, x))
        for _ in range(20):
            waited_for = power(matrix)
            tables = [Contingency.from_labels(x, y, **SIZE).counts + 0 for x, y in labels]
            scores = [gpuval.adjusted_rand_score(x, y, **SIZE) + 0 for x, y in labels]
            for i, pair in enumerate(pairs):
                same(tables[i], wanted[i], f"table {i} behind a product")
                assert abs(float(scores[i]) - gpuval.adjusted_rand_score(*pair)) < 1e-13, f"score {i} behind a product"
            assert abs(float(waited_for[0, 0]) * side - 1) < 1e-2


WITHOUT_CUPY = """import sys; sys.modules["cupy"] = None
import numpy as np, gpuval, jax, torch
rng = np.random.default_rng(0)
true, pred, X = rng.integers(0, 30, 10_000), rng.integers(0, 40, 10_000), rng.normal(0, 1, (500, 8))
jax.config.update("jax_enable_x64", True)
for on in (lambda x: torch.asarray(x, device=sys.argv[1]), lambda x: jax.device_put(x, jax.devices(sys.argv[1])[0])):
    for score in (gpuval.adjusted_rand_score, gpuval.adjusted_mutual_info_score, gpuval.v_measure_score):
        for size in ({}, {"n_classes": 30, "n_clusters": 40}):
            assert abs(float(score(on(true), on(pred), **size)) - score(true, pred)) < 1e-12, score
    found = float(gpuval.silhouette_score(on(X), on(true[:500])))
    assert abs(found - gpuval.silhouette_score(X, true[:500])) < 1e-12, found
"""
"""Scores of both libraries in a process that finds no CuPy."""


def without_cupy(run: Run) -> None:
    """Arrays of PyTorch and JAX go through their own functions."""
    how = {"cwd": Path(__file__).parents[2], "capture_output": True, "text": True, "timeout": 100, "check": False}
    ran = subprocess.run([sys.executable, "-c", WITHOUT_CUPY, PLATFORM], **how)
    assert ran.returncode == 0, ran.stderr[-300:]


def same_digits(run: Run) -> str:
    """Scores of the same arrays, twice: those of labels are of counts, and must be the same to the last digit."""
    x, y = map(cupy.asarray, _pair(fewer(200_003)))
    n = fewer(3000, 100)
    few, X = slice(n), cupy.asarray(rng.normal(0, 1, (n, 20)))
    first, again = ({name: float(v) for name, v in gpuval.evaluate(x, y).items()} for _ in range(2))
    np.testing.assert_equal(again, first)
    first, again = ({name: float(v) for name, v in gpuval.evaluate(x[few], y[few], X=X).items()} for _ in range(2))
    differ = [name for name, value in first.items() if not np.array_equal(again[name], value, equal_nan=True)]
    for name in differ:
        np.testing.assert_allclose(again[name], first[name], rtol=1e-9, err_msg=name)
    return f"ok; with samples, other digits of: {', '.join(differ) or 'none'}"


def casts(run: Run) -> str:
    """Integers beyond a type must wrap, as gpuval relies on that; what NaN and large numbers become is told only."""
    import jax
    import torch

    beyond, odd = np.array([2**63, 2**64 - 1], dtype=np.uint64), np.array([np.nan, np.inf, -np.inf, 1e30, -1e30])
    with jax.enable_x64(True):
        gpu, on = jax.devices(PLATFORM)[0], partial(torch.asarray, device=PLATFORM)
        found = {
            "cupy": [cupy.asarray(v).astype("int64").get() for v in (beyond, odd)],
            "torch": [on(v).to(torch.int64).cpu().numpy() for v in (beyond, odd)],
            "jax": [np.asarray(jax.device_put(v, gpu).astype("int64")) for v in (beyond, odd)],
        }
    run.facts["NaN, inf, -inf, 1e30 and -1e30 as int64"] = {name: x[1].tolist() for name, x in found.items()}
    for name, (wrapped, _) in found.items():
        assert wrapped.tolist() == [-(2**63), -1], (name, wrapped)
    return "; ".join(f"{name}: NaN is {x[1][0]}, 1e30 {x[1][3]}" for name, x in found.items())


def components(run: Run) -> None:
    """Principal components, by cuSOLVER: regression on few of them, from CuPy and PyTorch."""
    import torch

    batch = rng.integers(0, 4, 500)
    X = rng.normal(0, 1, (500, 12)) * np.arange(1, 13) + batch[:, None]
    wanted = gpuval.pcr_score(X, batch, n_components=5)
    for on in (cupy.asarray, partial(torch.asarray, device=PLATFORM)):
        found = float(gpuval.pcr_score(on(X), on(batch), n_components=5))
        assert abs(found - wanted) < 1e-10, (found, wanted)


def _check_scores(on: Callable[[NDArray], Any], word: str) -> None:
    """Scores of labels that ``on`` brings to the device, with their size given and not."""
    true, pred = _pair()
    for dtype in (np.int64, np.int32, np.uint8):
        x, y = (on(v.astype(dtype)) for v in (true, pred))
        for name in SCORES if dtype is np.int64 else SCORES[:2]:
            score = getattr(gpuval, name)
            for size in (SIZE, {}):
                found, wanted = float(score(x, y, **size)), float(score(true, pred))
                assert abs(found - wanted) <= 1e-13, (word, name, dtype, size, found, wanted)
    x, y = on(true > 12), on(pred > 20)
    assert abs(float(gpuval.adjusted_rand_score(x, y)) - gpuval.adjusted_rand_score(true > 12, pred > 20)) < 1e-14
    nothing = on(np.zeros(0, dtype=np.int64))
    assert float(gpuval.adjusted_rand_score(nothing, nothing, n_classes=3, n_clusters=2)) == 1, word
    assert float(gpuval.adjusted_rand_score(nothing, nothing)) == 1, word
    scattered = on(true * 10**9 - 5)  # goes through a sort of the library's own
    found = float(gpuval.v_measure_score(scattered, on(pred)))
    assert abs(found - gpuval.v_measure_score(true, pred)) < 1e-13, word


def nothing_waits(run: Run) -> None:
    """With the size given the host waits for nothing: PyTorch raises where it would."""
    import torch

    x, y = (torch.asarray(v, device=PLATFORM) for v in _pair())
    accumulator = gpuval.Accumulator(30, 40, like=x)

    def scores() -> None:
        for name in SCORES:
            getattr(gpuval, name)(x, y, **SIZE)
        accumulator.update(x, y)
        gpuval.adjusted_rand_score(accumulator.unchecked_table)

    scores()  # compiles
    with run.device.forbidden():
        scores()


def cuda_graphs(run: Run) -> None:
    """Scores and an update, captured once and replayed with other labels."""
    import torch

    x, y = (torch.asarray(v, device=PLATFORM) for v in _pair())
    accumulator = gpuval.Accumulator(30, 40, like=x)

    def step() -> list[Any]:
        accumulator.update(x, y)
        scores = [getattr(gpuval, name)(x, y, **SIZE) for name in SCORES[:2]]
        return [*scores, gpuval.adjusted_rand_score(accumulator.unchecked_table)]

    replay = run.device.replay(step)
    accumulator.reset()
    pairs = [_pair() for _ in range(3)]
    for i, (true, pred) in enumerate(pairs):
        x.copy_(torch.asarray(true))
        y.copy_(torch.asarray(pred))
        *scores, of_all = replay()
        for name, value in zip(SCORES[:2], scores, strict=True):
            assert abs(float(value) - getattr(gpuval, name)(true, pred)) < 1e-13, name
        wanted = gpuval.adjusted_rand_score(*(np.concatenate(side) for side in zip(*pairs[: i + 1], strict=True)))
        assert abs(float(of_all) - wanted) < 1e-13, f"the accumulator after {i + 1} batches"
    assert int(accumulator.table.total) == 30_000


# What they share


def host(x: Any) -> NDArray:
    return x.get() if hasattr(x, "get") else np.asarray(x)


def same(found: Any, wanted: Any, word: str, rtol: float = 0.0) -> None:
    np.testing.assert_allclose(host(found), wanted, rtol=rtol, atol=0, err_msg=word)


def shifted(x: NDArray) -> Any:
    """On the device, at a start that no pack of 16 bytes is aligned to."""
    room = cupy.zeros(len(x) + 1, dtype=x.dtype)
    room[1:] = cupy.asarray(x)
    return room[1:]


def _most(run: Run) -> int:
    """Samples of the largest cases."""
    return fewer(200_003 if run.small else 1_000_003, 3001)


def _labels(dtype: str, n: int, size: int | None = None) -> NDArray:
    """Labels below the size, or all that the type has."""
    if dtype == "bool":
        return rng.random(n) < 0.5
    info = np.iinfo(dtype)
    if size is None:
        return rng.integers(info.min, info.max, n, dtype=dtype, endpoint=True)
    return rng.integers(0, min(size, int(info.max) + 1), n).astype(dtype)


def _pair(n: int = 10_000) -> tuple[NDArray, NDArray]:
    return rng.integers(0, 30, n), rng.integers(0, 40, n)


PARTS = (
    *(machine, compiling, limits, tables, furthest, listed, sums_of_tables, expectation, points),
    *(scores_of_cupy, scores_of_torch, scores_of_jax, jax_behind_a_product, nothing_waits, cuda_graphs),
    *(without_cupy, same_digits, casts, components),
)
