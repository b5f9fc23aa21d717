"""Launches that the device takes, and that leave no sample out."""

import itertools

import pytest

from gpuval.engines.cuda.plan import MOST_THREADS, Device, grid_for, launch_for

H100 = Device(processors=132, threads=2048, shared=227 << 10, shared_of_processor=228 << 10)
TURING = Device(processors=40, threads=1024, shared=64 << 10, shared_of_processor=64 << 10)
SAMPLES = [1, 31, 10**3, 10**5, 10**7, 2**31]
CELLS = [1, 4, 100, 511, 12_000, 16_383, 16_384, 58_000, 58_113, 10**6, 6 * 10**6, 10**8]


@pytest.mark.parametrize("device", [H100, TURING], ids=["sm_90", "sm_75"])
def test_launches_are_within_the_device(device):
    for n, cells, counter in itertools.product(SAMPLES, CELLS, (4, 8)):
        launch = launch_for(n, cells, counter, device)
        assert launch.kernel in ("shared", "global")
        assert launch.block % 32 == 0
        assert 32 <= launch.block <= MOST_THREADS
        assert 1 <= launch.grid < 2**31
        if launch.kernel == "shared":
            assert launch.shared == (cells | 1) * counter * launch.copies <= device.shared
            assert launch.copies == 1 or launch.shared <= 16 << 10
            assert launch.block % launch.copies == 0
        else:
            assert launch.shared == 0


def test_what_a_large_vector_gets():
    """Tables of 12,000 and of 58,000 cells are counted in shared memory, larger ones by atomics beyond it."""
    tiny, medium, large, larger = (launch_for(10**9, cells, 4, H100) for cells in (100, 12_000, 58_000, 10**6))
    assert (tiny.kernel, tiny.copies) == ("shared", 32)
    assert tiny.grid == 132 * 8
    assert (medium.kernel, medium.copies) == ("shared", 1)
    assert medium.grid == 132 * 4
    assert (large.kernel, large.grid) == ("shared", 132)
    assert (larger.kernel, larger.grid) == ("global", 132 * 8)


def test_few_samples_are_not_counted_in_many_tables():
    """A block would clear and empty more cells than it counts."""
    assert launch_for(1000, 10_000, 4, H100).kernel == "global"
    launch = launch_for(10**5, 10_000, 4, H100)
    assert launch.kernel == "shared"
    assert launch.grid <= 2


def test_grids():
    assert grid_for(1, 4, 256, H100) == 1
    assert grid_for(4 * 256 * 7 + 1, 4, 256, H100) == 8
    assert grid_for(10**9, 4, 256, H100) == 132 * 8
