"""The stand-in for a device finds what a device would do to host code that is wrong."""

import types

import fake_cupy
import fake_device
import numpy as np
import pytest
from emulator import EmulatorError, build, emulate
from fake_device import on_device

from gpuval.engines.cuda import plan, table, tabulate

pytestmark = pytest.mark.usefixtures("emulated")


def of_the_library(text):
    """A function that stands in the library, as far as it says."""
    module = types.ModuleType("gpuval.somewhere")
    module.np = np
    exec(f"def look(x):\n    return {text}", module.__dict__)
    return module.look


LOOKS = ["float(x)", "int(x)", "bool(x)", "[0, 1][x]", "x.tolist()", "x.item()", "np.asarray(x)", "np.array(x)"]


@pytest.mark.parametrize("look", LOOKS)
def test_the_library_sees_no_value_but_by_get(look):
    one = on_device(1)
    with pytest.raises(TypeError, match=r"seen by get\(\) alone"):
        of_the_library(look)(one)
    fake_device.seen.clear()
    of_the_library(look.replace("x", "x.get()"))(one)
    assert fake_device.seen == [()]
    eval(look, {"x": one, "np": np})  # a test sees them


def test_the_library_does_not_go_through_an_array():
    with pytest.raises(TypeError, match=r"seen by get\(\) alone"):
        of_the_library("[y for y in x]")(on_device([1, 2]))


def test_one_number_is_an_array():
    x = on_device([3, 4])
    for found in (x.sum(), x[0], x[-1], x.sum() + 1, x.reshape(2, 1)[1, 0], np.add(x[0], x[1])):
        assert isinstance(found, fake_device.ndarray)
        assert found.shape == ()
    x[1:][0] += 1
    assert x.get().tolist() == [3, 5]


def test_memory_is_handed_out_again():
    """With nothing in it that could be taken for a result."""
    first = on_device(np.arange(1000.0))
    place = first.ctypes.data
    assert place % 256 == 0
    kept = first[5:]
    del first
    assert kept.get()[0] == 5
    del kept
    again = fake_device.placed(np.empty(1000), filled=False)
    assert again.ctypes.data == place
    assert set(again.get().tobytes()) == {fake_device.PATTERN}


def test_a_kernel_that_adds_to_memory_that_was_not_cleared_is_found(monkeypatch):
    import cupy

    def of_margins(counts):
        return [x.get().tolist() for x in table.margins_of(counts)]

    counts = on_device(np.ones((2, 3), np.int64))
    assert of_margins(counts) == [[3, 3], [2, 2, 2], 6]
    monkeypatch.setattr(cupy, "zeros", cupy.empty)
    assert of_margins(counts) != [[3, 3], [2, 2, 2], 6]


def test_what_a_busy_device_is_told_waits():
    counts = on_device(np.ones((2, 3), np.int64))
    event = fake_cupy.Event(block=True, disable_timing=True)
    with fake_device.busy():
        total = table.margins_of(counts)[2]
        event.record()
        assert not event.done
        place = counts.ctypes.data
        del counts  # CuPy's own memory goes back in the order of the stream
        assert on_device(np.zeros((2, 3), np.int64)).ctypes.data != place
        for wrong in (total.get, lambda: total + 1):
            with pytest.raises(AssertionError):
                wrong()
    assert total.get() == 6


def test_no_memory_has_no_address(tmp_path):
    """A kernel that looks at an array of size 0 is found; at a part of another of that size it is, too."""
    source = tmp_path / "first.cu"
    source.write_text("__global__ void first(const int* x, int* out) { out[0] = x[0]; }")
    module, out = build(source, ["first"]), np.zeros(1, np.int32)
    nothing, behind = on_device(np.zeros(0, np.int32)), on_device(np.ones(3, np.int32))[3:]
    for x, fault in ((nothing, "access through a null pointer"), (behind, "argument 0, which has 0 bytes")):
        with pytest.raises(EmulatorError, match=fault):
            emulate(module, "first", 1, 1, 0, [fake_device.as_argument(x)(), out])


def test_a_block_of_more_registers_than_a_processor_has_is_found(monkeypatch):
    """What is planned has fewer threads then."""
    labels, sides = on_device(np.zeros(20_000, np.int32)), (range(240), range(242))
    monkeypatch.setattr(fake_cupy._Function, "num_regs", 129)
    with pytest.raises(AssertionError, match="66048 registers"):
        fake_cupy._Function("gpuval::margins", "")((1,), (512,), ())
    monkeypatch.setattr(plan, "_SAMPLES_PER_CELL", 0)  # in shared memory
    tabulate.counted(labels, labels, *sides)
