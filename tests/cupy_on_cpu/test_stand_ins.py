"""The stand-ins find what a GPU would do to host code that is wrong."""

import inspect
import textwrap

import cupy
import numpy as np
import pytest

import cupy_on_cpu
import gpuval
from gpuval.engines.cuda import kernels, statistics, tabulate

TRUE, PRED = np.random.default_rng(3).integers(0, 4, (2, 201))
SIZE = {"n_classes": 4, "n_clusters": 4}


@pytest.fixture
def planted(monkeypatch, checked):
    """What writes a fault into a function of a module."""

    def plant(module, name, old, new):
        text = textwrap.dedent(inspect.getsource(getattr(module, name)))
        assert text.count(old) == 1
        found = {}
        exec(
            compile("from __future__ import annotations\n" + text.replace(old, new), module.__file__, "exec"),
            vars(module),
            found,
        )
        monkeypatch.setattr(module, name, found[name])

    return plant


def score(**size):
    return float(gpuval.adjusted_rand_score(cupy.asarray(TRUE)[1:], cupy.asarray(PRED)[1:], **size))


def fault_of(error):
    return "\n".join([str(error.value), *getattr(error.value, "__notes__", ())])


WANTED = gpuval.adjusted_rand_score(TRUE[1:], PRED[1:])


def test_without_a_fault(checked):
    assert score(**SIZE) == score() == pytest.approx(WANTED, abs=1e-15)


def test_a_wrong_attribute_name(planted):
    planted(tabulate, "limits_of", "run.num_regs", "run.num_registers")
    with pytest.raises(AttributeError, match="num_registers"):
        score()


def test_a_launch_with_too_many_threads(checked, monkeypatch):
    monkeypatch.setattr(statistics, "_TABLE_BLOCK", 2048)
    with pytest.raises(cupy.cuda.driver.CUDADriverError, match="a launch with 2048 threads of a block"):
        score(**SIZE)


def test_a_launch_with_too_much_shared_memory(checked):
    given = cupy.zeros(1, dtype=np.int32), np.uint32(0), cupy.zeros(1, dtype=np.int32)
    with pytest.raises(
        cupy.cuda.driver.CUDADriverError, match="60000 bytes of shared memory, of which 49152 are allowed"
    ):
        first()((1,), (32,), given, shared_mem=60_000)


def test_a_read_beyond_a_buffer(planted):
    planted(statistics, "pair_parts", "np.uint64(x.size)", "np.uint64(x.size + 1)")
    with pytest.raises(cupy.cuda.runtime.CUDARuntimeError) as error:
        score(**SIZE)
    assert "pair_sums" in fault_of(error)
    assert "reads" in fault_of(error)


def test_a_missing_wait(planted):
    """The host reads what the device has still to write, and finds no labels there."""
    planted(
        tabulate, "limits_of", "found.get()", "found.get(out=__import__('cupyx').empty_pinned(4, 'u8'), blocking=False)"
    )
    assert score() != pytest.approx(WANTED, abs=0.01)


def test_labels_that_another_stream_has_still_to_write():
    there, here = cupy.cuda.Stream(non_blocking=True), cupy.cuda.Stream(non_blocking=True)
    with there:
        labels = cupy.zeros(100, dtype=np.int64)
        labels += 7
    with here:
        early = labels.get(stream=here)
        here.wait_event(there.record())
        late = labels.get(stream=here)
    assert (late == 7).all()
    assert not (early == 7).any()


def test_a_kernel_that_is_not_aligned(checked, monkeypatch):
    monkeypatch.setattr(tabulate, "_are_aligned", lambda a, b: True)
    labels = cupy.zeros(5001, dtype=np.int32)
    with pytest.raises(cupy.cuda.runtime.CUDARuntimeError) as error:
        float(gpuval.adjusted_rand_score(labels[1:], labels[:-1], **SIZE))
    assert "align" in fault_of(error)


def test_an_option_that_nvrtc_does_not_know(checked, monkeypatch):
    monkeypatch.setattr(kernels, "OPTIONS", ("--std=c++17", "--fast"))
    with pytest.raises(cupy.cuda.compiler.CompileException, match="unrecognized option --fast"):
        score(**SIZE)


NOT_THERE = {
    "cusolver": (lambda: cupy.linalg.svd(cupy.eye(3)), "module 'cupy_backends.cuda.libs.cusolver' has no attribute"),
    "curand": (lambda: cupy.random.lognormal(size=2), "module 'cupy_backends.cuda.libs.curand' has no attribute"),
    "a runtime's function": (lambda: cupy.cuda.profiler.start(), "cudaErrorInsufficientDriver"),
    "cublas": (lambda: cupy.ones((2, 2), "e") @ cupy.ones((2, 2), "e"), "CUBLAS_STATUS_NOT_SUPPORTED"),
}


@pytest.mark.parametrize("what", NOT_THERE)
def test_what_is_not_there_says_so(what):
    call, message = NOT_THERE[what]
    with pytest.raises(Exception, match=message):
        call()


def test_memory_is_filled_before_and_after(checked):
    x = cupy.empty(1000, dtype=np.uint8)
    assert set(x.get().tolist()) == {0xA5}


def test_what_is_counted():
    x = cupy.asarray(TRUE)
    float((x + 1).sum())
    cupy_on_cpu.forget()
    y = x + 1
    assert cupy_on_cpu.counts() == {"launches": 1}
    assert len(cupy_on_cpu.launched()) == 1
    y.get()
    assert cupy_on_cpu.counts() == {"launches": 1, "copies to the host": 1, "waits": 1}


def test_a_graph():
    """What was captured is done again, with what is there then."""
    stream = cupy.cuda.Stream(non_blocking=True)
    with stream:
        x = cupy.ones(5)
        stream.begin_capture()
        x += 1
        graph = stream.end_capture()
        for _ in range(3):
            graph.launch()
    stream.synchronize()
    assert (x.get() == 4).all()


def test_a_sort_on_a_stream():
    """It comes behind what the stream has still to do, and a fault of that is told."""
    with cupy.cuda.Stream(non_blocking=True):
        x = cupy.asarray(np.arange(100))
        x *= -1
        x.sort()
        assert (x.get() == np.arange(-99, 1)).all()


def test_a_fault_before_a_sort(planted):
    planted(statistics, "pair_parts", "np.uint64(x.size)", "np.uint64(x.size + 1)")
    counts = cupy.ones((2, 3), dtype=np.int64)
    statistics.pair_parts(counts, *statistics.margins_of(counts))
    with pytest.raises(cupy.cuda.runtime.CUDARuntimeError) as error:
        cupy.zeros(5).sort()
    assert "reads 8 bytes at byte 48 of argument 0" in fault_of(error)
    assert ".cu:" in fault_of(error)


def test_a_kernel_that_adds_to_memory_that_was_not_cleared(checked, monkeypatch):
    def margins():
        return [x.get().tolist() for x in statistics.margins_of(cupy.asarray([[1, 1, 1], [1, 1, 1]]))]

    assert margins() == [[3, 3], [2, 2, 2], 6]
    monkeypatch.setattr(cupy, "zeros", cupy.empty)
    assert margins() != [[3, 3], [2, 2, 2], 6]


def first():
    """A kernel."""
    text = "__global__ void first(const unsigned* x, unsigned i, int* out) { out[0] = x[i]; }"
    return cupy.RawModule(code=text, options=(), name_expressions=("first",)).get_function("first")


@pytest.mark.parametrize("are_checked", [False, True])
def test_no_memory_has_no_address(are_checked, request):
    """A kernel that looks at an array of size 0 is found."""
    if are_checked:
        request.getfixturevalue("checked")
    first()((1,), (1,), (cupy.zeros(0, np.int32), np.uint32(0), cupy.zeros(1, np.int32)))
    with pytest.raises(cupy.cuda.runtime.CUDARuntimeError) as error:
        cupy.cuda.runtime.deviceSynchronize()
    assert "access through a null pointer" in fault_of(error)


def test_a_block_of_more_registers_than_a_processor_has(checked, monkeypatch):
    """What is planned has fewer threads then."""
    labels, sides = cupy.zeros(20_000, dtype=np.int32), (range(240), range(242))
    monkeypatch.setattr(kernels, "_SAMPLES_PER_CELL", 0)  # counted in shared memory
    cupy_on_cpu.device().gpuval_set_registers(129)
    try:
        with pytest.raises(cupy.cuda.driver.CUDADriverError, match="blocks take 66048 registers"):
            first()((1,), (512,), (labels, np.uint32(0), labels))
        counts, _ = tabulate.dense_counts(labels, labels, *sides)
        assert int(counts[0, 0]) == 20_000
        assert "joint_shared" in cupy_on_cpu.launched_own()[-1]
    finally:
        cupy_on_cpu.device().gpuval_set_registers(72)


WRONG_ARGUMENTS = {
    "must be of u4, got int64": (np.int64, slice(None), np.uint32),
    "must be contiguous": (np.int32, slice(None, None, 2), np.uint32),
    "must be of u4, got uint64": (np.int32, slice(None), np.uint64),
    "must be of <class 'numpy.generic'>, got <class 'int'>": (np.int32, slice(None), int),
}


@pytest.mark.parametrize("message", WRONG_ARGUMENTS)
def test_an_argument_that_a_kernel_does_not_declare(message, checked):
    dtype, part, number = WRONG_ARGUMENTS[message]
    run, out = first(), cupy.zeros(1, np.int32)
    run((1,), (1,), (cupy.arange(6, dtype=np.int32), np.uint32(3), out))
    assert int(out[0]) == 3
    with pytest.raises(AssertionError, match=message):
        run((1,), (1,), (cupy.arange(6, dtype=dtype)[part], number(3), out))
