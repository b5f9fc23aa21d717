"""Launches that the device takes, and that leave no sample out."""

import itertools

import pytest

from gpuval.engines.cuda.kernels import MOST_THREADS, Device, goes_straight, grid_for, launch_for, slots_for

H100 = Device(processors=132, threads=2048, shared=227 << 10, shared_of_processor=228 << 10, registers=1 << 16)
TURING = Device(processors=40, threads=1024, shared=64 << 10, shared_of_processor=64 << 10, registers=1 << 16)
SAMPLES = [1, 31, 10**3, 10**5, 10**7, 2**31]
CELLS = [1, 4, 100, 511, 12_000, 16_383, 16_384, 58_000, 58_113, 10**6, 6 * 10**6, 10**8]


REGISTERS = [16, 32, 33, 40, 54, 58, 64, 65, 72]


def planned(n_samples, n_cells, counter, device, registers):
    return launch_for(n_samples, n_cells, counter, device, lambda kernel: registers)


def are_resident(blocks, launch, registers, device):
    """Whether a processor runs so many blocks at once, by the rules of CUDA's occupancy calculator."""
    warps = launch.block // 32
    units = -(-registers * 32 // 256)  # of 256 registers, for each warp; a quarter of a processor has 64 of them
    most = 4 * (device.registers // 4 // 256 // units)
    return (
        blocks * warps <= most
        and blocks * launch.block <= device.threads
        and blocks * (launch.shared + 1024) * (launch.shared > 0) <= device.shared_of_processor
    )


@pytest.mark.parametrize("device", [H100, TURING], ids=["sm_90", "sm_75"])
def test_launches_are_within_the_device(device):
    for n, cells, counter, registers in itertools.product(SAMPLES, CELLS, (4, 8), REGISTERS):
        launch = planned(n, cells, counter, device, registers)
        assert launch.kernel in ("shared", "straight", "cached", "global")
        assert launch.block % 32 == 0
        assert 32 <= launch.block <= MOST_THREADS
        assert launch.block * -(-registers // 8) * 8 <= device.registers
        assert 1 <= launch.grid < 2**31
        if launch.kernel == "shared":
            assert launch.shared == (cells | 1) * counter * launch.copies <= device.shared
            assert launch.copies == 1 or launch.shared <= 16 << 10
            assert launch.block % launch.copies == 0
        elif launch.kernel == "cached":
            slots = launch.shared // 8
            assert slots.bit_count() == 1
            assert launch.shared <= device.shared
            assert 2 * (launch.shared + 1024) <= device.shared_of_processor
            assert launch.block <= 448  # the bound of the kernel
            assert 2 * launch.block <= device.threads
            assert n >= 8 * slots * launch.grid
        else:
            assert launch.shared == 0


@pytest.mark.parametrize("registers", REGISTERS)
@pytest.mark.parametrize("cells", CELLS)
def test_all_blocks_of_a_large_vector_run_at_once(cells, registers):
    """And one more would not, but of those with a cache, of which a processor gets two."""
    launch = planned(10**9, cells, 4, H100, registers)
    blocks, rest = divmod(launch.grid, H100.processors)
    assert rest == 0
    assert are_resident(blocks, launch, registers, H100)
    assert launch.kernel == "cached" or not are_resident(blocks + 1, launch, registers, H100)


def test_what_a_large_vector_gets():
    """Tables of 12,000 and of 58,000 cells are counted in shared memory, and of larger ones what comes often."""
    tiny, medium, large, larger = (planned(10**9, cells, 4, H100, 32) for cells in (100, 12_000, 58_000, 10**6))
    assert (tiny.kernel, tiny.copies) == ("shared", 32)
    assert tiny.grid == 132 * 4
    assert (medium.kernel, medium.copies) == ("shared", 1)
    assert medium.grid == 132 * 4
    assert (large.kernel, large.grid) == ("shared", 132)
    assert (larger.kernel, larger.grid, larger.shared) == ("cached", 132 * 2, 8 << 13)
    few, with_weights = planned(10**6, 10**6, 4, H100, 32), planned(10**9, 10**6, 8, H100, 32)
    assert (few.kernel, with_weights.kernel, with_weights.grid) == ("global", "straight", 132 * 8)
    assert planned(10**8, 10**9, 4, H100, 32).kernel == "straight"
    assert planned(10**9, 10**6, 4, TURING, 32).shared == 8 << 11


def test_what_is_counted_before_a_sort():
    """Of many samples: keys of 8 bytes and counts of 4 take an eighth of an L2 cache of 50 MB."""
    assert slots_for(10**7) is None
    slots = slots_for(10**8)
    assert slots.number.bit_count() == 1
    assert 6e6 < 12 * slots.number < 6.3e6


@pytest.mark.parametrize(
    ("registers", "tiny", "medium", "larger"),
    [
        (32, (4, 512), (4, 512), 8),
        (54, (2, 512), (2, 512), 4),
        (58, (2, 512), (2, 512), 4),
        (72, (1, 896), (1, 896), 3),
    ],
)
def test_registers_of_a_kernel_count(registers, tiny, medium, larger):
    """65,536 of a processor: for 54 a thread 36 warps, for 58 32, and for 72 28."""
    launches = [planned(10**9, cells, 4, H100, registers) for cells in (100, 12_000)]
    assert [(x.grid // 132, x.block) for x in launches] == [tiny, medium]
    assert grid_for(10**9, 4, 256, H100, registers) == 132 * larger


def test_few_samples_go_straight_into_the_table():
    """Below 524,288, and of more those that are fewer than an eighth of the cells."""
    assert goes_straight(1, 1)
    assert goes_straight(524_287, 10)
    assert not goes_straight(524_288, 8 * 524_288)
    assert goes_straight(524_288, 8 * 524_288 + 1)


@pytest.mark.parametrize("cells", [30 * 40, 100 * 120, 240 * 242])
def test_no_processor_counts_alone(cells):
    """From 8 samples a cell on a table is in shared memory, where 16 blocks count, and 32 blocks 4 times the samples.

    Below that all processors add to the cache: a block has 1,024 samples, until as many blocks run as can at once.
    """
    most = 132 * (1 if cells == 240 * 242 else 2)
    for n in (1000, 1 << 14, 8 * cells - 1, 8 * cells, 32 * cells, 128 * cells, 10**6, 10**7):
        launch = planned(n, cells, 4, H100, 58)
        assert (launch.kernel == "shared") == (n >= 8 * cells)
        if launch.kernel == "shared":
            assert launch.grid == min(most, int((32 * n / cells) ** 0.5), -(-n // (4 * launch.block)))
        else:
            assert launch.grid == min(132 * 4, -(-n // 1024))
    assert [planned(n * 12_000, 12_000, 4, H100, 58).grid for n in (8, 32, 128, 512)] == [16, 32, 64, 128]


def test_grids():
    assert grid_for(1, 4, 256, H100) == 1
    assert grid_for(4 * 256 * 7 + 1, 4, 256, H100) == 8
    assert grid_for(10**9, 4, 256, H100) == 132 * 8
