"""The emulator itself: each primitive against a plain computation, and that each fault of a kernel is found."""

import os
import subprocess
import sys
from pathlib import Path

import compiling
import emulator
import numpy as np
import pytest
from emulator import BuildError, EmulatorError, build, emulate

KERNELS = Path(__file__).parent / "kernels"
TYPES = {"int": np.int32, "unsigned": np.uint32, "long long": np.int64, "unsigned long long": np.uint64}
FLOATS = {"float": np.float32, "double": np.float64}
ADDED = ("int", "unsigned", "unsigned long long", "float", "double")
PRIMITIVES = [
    *("where_am_i", "votes", "reduces", "block_votes", "swaps", "bits", "order", "vectors", "through_warp", "turns"),
    *("handshake", "block_sums<int, long long>", "as_double", "of_bytes", "shared_addresses"),
    *(f"{kernel}<{x}>" for kernel in ("match", "shuffles") for x in TYPES | FLOATS),
    *(f"sums<{x}>" for x in ADDED),
    *(f"extremes<{x}>" for x in TYPES),
]
FAULTS = [
    *("barrier_in_branch", "barriers_of_two_branches", "lane_that_returned", "lane_that_does_not_come"),
    *("not_in_own_mask", "two_operations", "shuffle_from_outside", "writes_shared", "no_barrier", "lost_updates"),
    *("shared_unwritten", "adds_unwritten", "endless", "write_to_const", "divides", "at_index", "loads_16"),
]
SEEDS = [0, 1, 2, 3]


def built(name, kind="checked"):
    return build(KERNELS / f"{name}.cu", {"primitives": PRIMITIVES, "faults": FAULTS}[name], kind)


@pytest.fixture(scope="module")
def primitives():
    return built("primitives")


@pytest.fixture(scope="module")
def faults():
    return built("faults")


def numbers(dtype, n=64, low=0, high=50):
    return np.random.default_rng(5).integers(low, high, n).astype(dtype)


def test_indices(primitives):
    out = np.zeros(3 * 2 * 2 * 4 * 3 * 2, np.uint32)
    emulate(primitives, "where_am_i", (3, 2, 2), (4, 3, 2), 0, [out])
    assert out.reshape(12, 24).tolist() == [[block * 10000 + thread for thread in range(24)] for block in range(12)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("mask", [0xFFFFFFFF, 0x0000FFFF, 0x80000001])
def test_votes(primitives, mask, seed):
    p = numbers(np.int32, 64, 0, 3)
    p[32:] = 2  # all of the second warp
    ballot, any_, all_ = np.zeros(64, np.uint32), np.zeros(64, np.int32), np.zeros(64, np.int32)
    emulate(primitives, "votes", 1, 64, 0, [p, mask, ballot, any_, all_], seed=seed)
    for i in range(64):
        lanes = [k for k in range(32) if mask >> k & 1]
        if i % 32 in lanes:
            true = [k for k in lanes if p[i // 32 * 32 + k]]
            assert (ballot[i], any_[i], all_[i]) == (sum(1 << k for k in true), bool(true), true == lanes)


@pytest.mark.parametrize(("name", "dtype"), (TYPES | FLOATS).items())
def test_match_any(primitives, name, dtype):
    x, out = numbers(dtype, 64, 0, 6), np.zeros(64, np.uint32)
    emulate(primitives, f"match<{name}>", 1, 64, 0, [x, out])
    assert out.tolist() == [sum(1 << k for k in range(32) if x[i // 32 * 32 + k] == x[i]) for i in range(64)]


@pytest.mark.parametrize("width", [32, 8])
@pytest.mark.parametrize(("name", "dtype"), (TYPES | FLOATS).items())
def test_shuffles(primitives, name, dtype, width):
    x, by = np.arange(64).astype(dtype) * 3, 5
    results = [np.zeros(64, dtype) for _ in range(4)]
    emulate(primitives, f"shuffles<{name}>", 2, 32, 0, [x, by, width, *results])
    first, at = np.arange(64) // width * width, np.arange(64) % width
    sources = (by % width, np.where(at >= by, at - by, at), np.where(at + by < width, at + by, at), at ^ by)
    for result, source in zip(results, sources, strict=True):
        assert result.tolist() == x[first + source].tolist()


def test_reductions(primitives):
    x = numbers(np.uint32, 64, 0, 2**32)
    results = [np.zeros(64, np.uint32) for _ in range(3)]
    emulate(primitives, "reduces", 1, 64, 0, [x, *results])
    for result, of in zip(results, (lambda w: sum(map(int, w)) % 2**32, min, max), strict=True):
        assert result.tolist() == [of(x[i // 32 * 32 :][:32]) for i in range(64)]


@pytest.mark.parametrize("p", [np.zeros(40), np.ones(40), np.arange(40) % 3])
def test_barriers_that_vote(primitives, p):
    results = [np.zeros(40, np.int32) for _ in range(3)]
    emulate(primitives, "block_votes", 1, 40, 0, [p.astype(np.int32), *results], seed=3)
    for result, expected in zip(results, (np.any(p), np.all(p), np.count_nonzero(p)), strict=True):
        assert result.tolist() == [expected] * 40


@pytest.mark.parametrize("name", ADDED)
def test_atomic_add(primitives, name):
    dtype = (TYPES | FLOATS)[name]
    x, total = numbers(dtype), np.zeros(1, dtype)
    emulate(primitives, f"sums<{name}>", 2, 32, 0, [x, total], seed=1)
    assert total[0] == x.sum()


@pytest.mark.parametrize("name", TYPES)
def test_atomic_min_and_max(primitives, name):
    x = numbers(TYPES[name], low=-50 if "unsigned" not in name else 3)
    low, high = x[:1].copy(), x[:1].copy()
    emulate(primitives, f"extremes<{name}>", 2, 32, 0, [x, low, high], seed=1)
    assert (low[0], high[0]) == (x.min(), x.max())


@pytest.mark.parametrize("seed", SEEDS)
def test_compare_and_swap_and_exchange(primitives, seed):
    x, total, last, taken = np.arange(1, 65, dtype=np.uint64), *(np.zeros(n, np.uint64) for n in (1, 1, 64))
    emulate(primitives, "swaps", 2, 32, 0, [x, total, last, taken], seed=seed)
    assert total[0] == 64 * 65 // 2
    assert sorted([*taken, last[0]]) == list(range(65))


def test_bits(primitives):
    x = np.array([0, 1, 2**31, 2**32, 2**63, 2**64 - 1, 0x00F0_0000_0000, 12345], np.uint64)
    out = np.zeros((8, 6), np.int32)
    emulate(primitives, "bits", 1, 8, 0, [x, out])
    for v, row in zip(map(int, x), out.tolist(), strict=True):
        w = v % 2**32
        first = [(y & -y).bit_length() for y in (w, v)]
        assert row == [w.bit_count(), v.bit_count(), *first, 32 - w.bit_length(), 64 - v.bit_length()]


def test_bytes_of_words(primitives):
    x, y = numbers(np.uint32, 64, 0, 2**32), numbers(np.uint32, 64, 0, 2**32)[::-1].copy()
    out = np.zeros((64, 4), np.uint32)
    emulate(primitives, "of_bytes", 1, 64, 0, [x, y, out])
    for v, w, row in zip(x, y, out.tolist(), strict=True):
        both = [*v.tobytes(), *w.tobytes()]
        words, of_w = np.frombuffer(v.tobytes(), "u2").tolist(), both[4:]
        chosen = [both[int(w) >> 4 * i & 7] for i in range(4)]
        assert row[0] == int.from_bytes(bytes([both[2], both[6], both[3], both[7]]), "little")
        assert row[1] == int.from_bytes(bytes(chosen), "little")
        assert row[2] == 9 + words[0] * of_w[0] + words[1] * of_w[1]
        assert row[3] == 9 + words[0] * of_w[2] + words[1] * of_w[3]


def test_addresses_in_shared_memory(primitives):
    out = np.zeros(8, np.uint32)
    emulate(primitives, "shared_addresses", 1, 8, 32, [out])
    assert out.tolist() == [i ^ 2 for i in range(8)]


def test_a_double_of_its_bits(primitives):
    x, out = np.array([0.0, -1.5, np.inf, 1e-310]), np.zeros(4)
    emulate(primitives, "as_double", 1, 4, 0, [x.view(np.int64), out])
    assert out.tolist() == x.tolist()


def test_min_and_max(primitives):
    a, b = numbers(np.int32, low=-9), numbers(np.int32, low=-9)[::-1].copy()
    low, high = np.zeros(64, np.int32), np.zeros(64, np.int32)
    emulate(primitives, "order", 1, 64, 0, [a, b, low, high])
    assert (low.tolist(), high.tolist()) == (np.minimum(a, b).tolist(), np.maximum(a, b).tolist())


def test_vectors_of_16_bytes(primitives):
    x, y, out = numbers(np.int32, 40), numbers(np.int16, 80), np.zeros((10, 2), np.int64)
    emulate(primitives, "vectors", 1, 10, 0, [x, y, out])
    assert out[:, 0].tolist() == (x.reshape(10, 4).sum(1) + y.reshape(10, 8).sum(1)).tolist()
    assert out[:, 1].tolist() == x.view(np.int64)[::2].tolist()


@pytest.mark.parametrize(("x", "y"), [(1, 0), (0, 1), (2, 0), (0, 4)])
def test_misaligned_vectors_are_found(primitives, x, y):
    arrays = [numbers(np.int32, 44)[x:], numbers(np.int16, 88)[y:], np.zeros(20, np.int64)]
    with pytest.raises(EmulatorError, match=r"misaligned access: needs 16 bytes.*primitives\.cu:\d+"):
        emulate(primitives, "vectors", 1, 10, 0, arrays)


@pytest.mark.parametrize("seed", SEEDS)
def test_shared_memory_of_both_kinds(primitives, seed):
    x, out, used = numbers(np.int32, 600), np.zeros(5, np.int64), np.zeros(5, np.uint32)
    emulate(primitives, "block_sums<int, long long>", 5, 128, 128 * 8, [x, 600, out, used], seed=seed)
    assert out.tolist() == [int(x[i : i + 128].sum()) for i in range(0, 600, 128)]
    assert used.tolist() == [128, 128, 128, 128, 88]


@pytest.mark.parametrize("seed", SEEDS)
def test_syncwarp_orders_shared_memory(primitives, seed):
    x, out = numbers(np.int32, 32), np.zeros(32, np.int32)
    emulate(primitives, "through_warp", 1, 32, 128, [x, out], seed=seed)
    assert out.tolist() == x.reshape(16, 2)[:, ::-1].ravel().tolist()


@pytest.mark.parametrize("seed", SEEDS)
def test_a_thread_may_wait_for_another(primitives, seed):
    flag, out = np.zeros(1, np.int32), np.zeros(1, np.int32)
    emulate(primitives, "handshake", 1, 2, 0, [flag, out], seed=seed)
    assert out[0] == 7


def turns(module, seed):
    out = np.zeros(96, np.uint32)
    emulate(module, "turns", 1, 32, 0, [3, np.zeros(1, np.uint32), out], seed=seed)
    return out.tolist()


def test_the_seed_draws_the_order(primitives):
    orders = [turns(primitives, seed) for seed in range(6)]
    assert orders == [turns(primitives, seed) for seed in range(6)]
    assert len(set(map(tuple, orders))) == 6
    for seed, order in enumerate(orders):  # an odd seed changes threads at atomics, an even one does not
        in_one_go = all(len(set(order[i : i + 3])) == 1 for i in range(0, 96, 3))
        assert in_one_go == (seed % 2 == 0)


I32, U32 = np.int32, np.uint32


@pytest.mark.parametrize(
    ("kernel", "args", "message"),
    [
        ("barrier_in_branch", [I32], "divergent __syncthreads"),
        ("barriers_of_two_branches", [I32], "divergent __syncthreads"),
        ("lane_that_returned", [U32], "names lane 3, but that has returned"),
        ("lane_that_does_not_come", [U32], "deadlock: thread"),
        ("not_in_own_mask", [U32], "does not name the calling lane 3"),
        ("two_operations", [I32], "__any_sync.*__all_sync|__all_sync.*__any_sync"),
        ("shuffle_from_outside", [I32], "reads lane 20, which the mask 0x0000ffff does not name"),
        ("writes_shared", [100, I32], "writes 1 bytes, 0 past the end of its 100 bytes of dynamic shared memory"),
        ("no_barrier", [I32, I32], r"(race in|no thread of the block has written).*faults\.cu:\d+"),
        ("shared_unwritten", [I32], "no thread of the block has written"),
        ("adds_unwritten", [], r"updates atomically byte 0 of shared memory, which no thread .*faults\.cu:\d+"),
        ("write_to_const", [I32], "writes argument 0, which is read-only"),
        ("divides", [0, I32], "division by zero"),
        ("at_index", [64, I32], r"writes 4 bytes at byte 256 of argument 1, which has 256 bytes \(faults\.cu:\d+\)"),
        ("at_index", [-1, I32], "writes 4 bytes at byte -4 of argument 1"),
    ],
)
@pytest.mark.parametrize("seed", SEEDS)
def test_faults_are_found(faults, kernel, args, message, seed):
    arrays = [np.zeros(64, x) if isinstance(x, type) else x for x in args]
    with pytest.raises(EmulatorError, match=message):
        emulate(faults, kernel, 1, 32, 100 if kernel == "writes_shared" else 128, arrays, seed=seed)


def test_a_race_is_found_where_the_order_hides_it(faults):
    arrays = [np.zeros(32, I32), np.zeros(32, I32)]
    for seed in range(20):
        with pytest.raises(EmulatorError, match="race in dynamic shared memory"):
            emulate(faults, "no_barrier", 1, 32, 128, arrays, seed=seed, uninitialised=False)


def test_a_missing_barrier_gives_wrong_results(faults):
    x, out = np.arange(32, dtype=I32), np.zeros(32, I32)
    emulate(faults, "no_barrier", 1, 32, 128, [x, out], races=False, uninitialised=False)
    assert out.tolist() != x[::-1].tolist()
    assert -0x32323233 in out.tolist()  # what 0xCDCDCDCD is


def test_odd_seeds_lose_updates(faults):
    count = np.zeros(2, I32)
    for seed in (0, 1):
        emulate(faults, "lost_updates", 1, 32, 0, [count[seed:], np.zeros(1, U32)], seed=seed)
    assert count[0] == 32
    assert count[1] < 32


def test_an_endless_kernel_ends(faults):
    with pytest.raises(EmulatorError, match=r"did not end within 0\.2 s"):
        emulate(faults, "endless", 1, 2, 0, [np.zeros(1, U32)], seconds=0.2)


@pytest.mark.parametrize("kind", ["checked", "plain"])
def test_a_launch_after_one_that_failed(kind):
    """Of another library, and with more threads."""
    faults, primitives = built("faults", kind), built("primitives", kind)
    for seed in SEEDS:
        with pytest.raises(EmulatorError, match="divergent __syncthreads"):
            emulate(faults, "barrier_in_branch", 1, 32, 0, [np.zeros(32, I32)], seed=seed)
        test_shared_memory_of_both_kinds(primitives, seed)
        if kind == "checked":
            with pytest.raises(EmulatorError, match=r"reads byte \d+ of shared memory"):
                emulate(faults, "shared_unwritten", 1, 32, 0, [np.zeros(32, I32)], seed=seed)


def one_after_the_other():
    """What is found in sequence, each time before a launch with fibres."""
    faults, primitives = built("faults", "plain"), built("primitives", "plain")
    given = {
        "divides": (0, np.zeros(1, I32)),
        "endless": (np.zeros(1, U32),),
        "barrier_in_branch": (np.zeros(32, I32),),
    }
    for seed in (0, 1):
        for name, args in given.items():
            with pytest.raises(EmulatorError) as found:
                emulate(faults, name, 1, 32, 0, args, seed=seed, sequential=True, seconds=0.2)
            test_shared_memory_of_both_kinds(primitives, seed)
            yield str(found.value)
        count = np.zeros(1, I32)
        emulate(faults, "lost_updates", 1, 32, 0, [count, np.zeros(1, U32)], seed=seed, sequential=True)
        yield f"{count[0]} updates"


def test_threads_that_run_one_after_the_other():
    """In a process that has launched nothing before."""
    program = "import test_emulator; print(*test_emulator.one_after_the_other(), sep='\\n')"
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment)
    assert ran.returncode == 0, ran.stderr
    first = ["division by zero", "did not end within 0.2 s", "waits, in a launch whose threads run one after the other"]
    lines = ran.stdout.splitlines()
    assert len(lines) == 8
    for line, words in zip(lines, [*first, "32 updates"] * 2, strict=True):
        assert words in line


@pytest.mark.parametrize(
    ("grid", "block", "shared", "message"),
    [
        (1, 1025, 0, "at most 1024 threads"),
        (1, (32, 32, 2), 0, "at most 1024 threads"),
        (1, 32, 227 * 1024 + 1, "at most 232448 bytes of shared memory, got 232449"),
        (0, 32, 0, "no device takes a grid"),
    ],
)
def test_launches_that_no_device_takes(faults, grid, block, shared, message):
    with pytest.raises(EmulatorError, match=message):
        emulate(faults, "at_index", grid, block, shared, [0, np.zeros(1, I32)])


def test_arguments_must_be_what_the_kernel_declares(faults):
    with pytest.raises(TypeError, match="argument 1 of at_index must be of int32, as the kernel declares, got int64"):
        emulate(faults, "at_index", 1, 1, 0, [0, np.zeros(1, np.int64)])
    with pytest.raises(OverflowError):
        emulate(faults, "at_index", 1, 1, 0, [2**31, np.zeros(1, I32)])
    with pytest.raises(TypeError, match="takes 2 arguments, got 1"):
        emulate(faults, "at_index", 1, 1, 0, [0])
    with pytest.raises(EmulatorError, match="null pointer"):
        emulate(faults, "at_index", 1, 1, 0, [0, None])


@pytest.mark.parametrize(
    "body", ["atomicAdd(x, 1LL);", "x[0] = __activemask();", "extern __shared__ int raw[]; x[0] = raw[0];"]
)
def test_what_cuda_or_the_macro_lacks_does_not_compile(tmp_path, body):
    source = tmp_path / "bad.cu"
    source.write_text(f"__global__ void f(long long* x) {{ {body} }}")
    with pytest.raises(BuildError):
        build(source, ["f"])


@pytest.mark.parametrize("kind", ["checked", "address", "plain"])
@pytest.mark.parametrize(
    ("template", "name"),
    [
        ("template <class T> __global__ void f(int* x) { BODY }", "f<int>"),
        ("template <class T> struct A { static __device__ void f(int* x) { BODY } };", "A<int>::f"),
    ],
)
def test_shared_arrays_that_it_would_not_see_are_refused(tmp_path, template, name, kind):
    source = tmp_path / "unseen.cu"
    body = "__shared__ int room[4]; room[threadIdx.x % 4] = x[0]; __syncthreads(); x[0] = room[0];"
    source.write_text(template.replace("BODY", body))
    with pytest.raises(BuildError, match=rf"function that is no template.*\n{name}\(int\*\)::room$"):
        build(source, [name], kind)


def test_plain_builds_check_what_lies_behind_shared_memory():
    module = build(KERNELS / "faults.cu", ["writes_shared", "loads_16"], "plain")
    emulate(module, "writes_shared", 1, 32, 100, [99, np.zeros(1, I32)])
    with pytest.raises(EmulatorError, match="wrote byte 100 of its 100 bytes of dynamic shared memory"):
        emulate(module, "writes_shared", 1, 32, 100, [100, np.zeros(1, I32)])
    with pytest.raises(EmulatorError, match="misaligned access: needs 16 bytes"):
        emulate(module, "loads_16", 1, 1, 0, [np.zeros(8, I32)[1:], np.zeros(4, I32)])


def test_address_sanitizer_in_a_process_of_its_own():
    module = build(KERNELS / "faults.cu", ["writes_shared", "at_index", "lane_that_returned"], "address")
    out = np.zeros(4, I32)
    emulate(module, "at_index", 1, 1, 0, [3, out])
    assert out.tolist() == [0, 0, 0, 1]
    with pytest.raises(EmulatorError, match="AddressSanitizer: use-after-poison"):
        emulate(module, "writes_shared", 1, 32, 104, [104, out])
    with pytest.raises(EmulatorError, match="has returned"):
        emulate(module, "lane_that_returned", 1, 32, 0, [np.zeros(32, U32)])


def test_what_is_built_is_there_for_all_processes_of_the_run(tmp_path):
    """One that finds the library needs no g++; what was refused is not there."""
    assert emulator.BUILDS == compiling.BUILDS
    assert str(emulator.session_directory()) == os.environ[emulator.BUILDS]
    source = tmp_path / "plain.cu"
    source.write_text("__global__ void f(int *x) { x[0] = 7; }\n__global__ void g(int *x) { x[0] = y; }")
    code = f"""if True:
        from pathlib import Path
        import emulator
        print(emulator.build(Path({str(source)!r}), ["f"], "plain").library)
    """

    def run(**environment):
        command = [sys.executable, "-c", code]
        environment = {**os.environ, "PYTHONPATH": str(Path(emulator.__file__).parent), **environment}
        return subprocess.run(command, capture_output=True, text=True, env=environment)

    assert "BuildError" in run().stderr
    source.write_text("__global__ void f(int *x) { x[0] = 7; }")
    built = run()
    assert Path(built.stdout.strip()).exists(), built.stderr
    without = run(PATH=str(tmp_path))
    assert without.stdout == built.stdout, without.stderr
    source.write_text("__global__ void f(int *x) { x[0] = 8; }")
    assert "No such file or directory: 'g++'" in run(PATH=str(tmp_path)).stderr
