"""What a warp issues in a loop: that it is read rightly from a cubin, and how much it is of the kernels of labels."""

import loops
import pytest
from kernel_costs import BEFORE, KERNELS, cost, samples
from nvrtc import compile_kernels

LOOP = """
__global__ void f(const int4* x, int n, int* out) {
  int sum = threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    const int4 four = x[i];
    BODY
  }
  out[threadIdx.x] = sum;
}
"""


def turn_of(body, tmp_path):
    source = tmp_path / "loop.cu"
    source.write_text(LOOP.replace("BODY", body))
    compiled = compile_kernels(source, ["f"], "sm_90")
    return loops.turn(loops.instructions(compiled.cubin, compiled.lowered["f"]))


def test_instructions_of_a_loop(tmp_path):
    """Each multiplication more is an instruction more; so is each atomic, which is counted, too."""
    few, many = (turn_of(" ".join(["sum = sum * four.x + four.y;"] * times), tmp_path) for times in (8, 40))
    assert few[0] == many[0] == 0
    assert many[1] - few[1] == 32
    assert 8 < few[1] < 20


def test_the_way_with_the_most_atomics_counts(tmp_path):
    atomics, length = turn_of("sum += four.x; if (sum & 1) { atomicAdd(out + four.y, sum); sum ^= four.z; }", tmp_path)
    assert atomics == 1
    none, without = turn_of("sum += four.x;", tmp_path)
    assert none == 0
    assert length > without


def test_a_kernel_without_a_loop_is_an_error(tmp_path):
    source = tmp_path / "plain.cu"
    source.write_text("__global__ void f(const int* x, int* out) { out[0] = x[0]; }")
    compiled = compile_kernels(source, ["f"], "sm_90")
    with pytest.raises(ValueError, match="no loop that loads"):
        loops.turn(loops.instructions(compiled.cubin, compiled.lowered["f"]))


def test_samples_of_a_turn():
    assert samples("joint_shared<u8, u8, gpuval::One>") == 32
    assert samples("joint_shared<u8, u8, gpuval::One>", BEFORE) == 16
    assert samples("joint_shared<u32, u32, double>") == samples("joint_shared<u32, u32, double>", BEFORE) == 8


@pytest.mark.parametrize(
    ("kernel", "before"),
    [
        ("joint_shared<u8, u8, gpuval::One>", 33.75),  # 540 for 512 samples, without those that a predicate turns off
        ("joint_shared<u16, u16, gpuval::One>", 40.0),
        ("joint_shared<u32, u32, gpuval::One>", 37.8),
        ("joint_shared<u64, u64, gpuval::One>", 41.1),
        ("joint_global<u32, u32>", 39.6),
        ("limits<u8, u8>", 24.8),
        ("keys_of<u64, u64, u64>", 24.0),
    ],
)
def test_instructions_of_the_kernels(kernel, before):
    """Of labels of one byte fewer than half of those at the revision ``BEFORE``, of others fewer than those."""
    assert kernel in KERNELS
    _, now = cost(kernel)
    assert now < before / 2 if "u8, u8" in kernel else now < before
