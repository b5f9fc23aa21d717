"""NVRTC's compilation of kernels, and that what it says of them is read rightly."""

from pathlib import Path

import nvrtc
import pytest
from nvrtc import ARCHITECTURES, CompileError, compile_for_all, compile_kernels

KERNELS = Path(__file__).parent / "kernels"


@pytest.fixture(scope="module")
def compiled():
    return compile_for_all(KERNELS / "resources.cu", ["many_values<128>", "many_values<8>", "fixed_shared"])


def test_all_architectures_compile(compiled):
    assert tuple(compiled) == ARCHITECTURES
    assert len({x.cubin for x in compiled.values()}) == len(ARCHITECTURES)
    assert {x.lowered["many_values<8>"] for x in compiled.values()} == {"_Z11many_valuesILi8EEvPKfPfi"}


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_spill_is_seen_and_only_where_it_is(compiled, architecture):
    many, few, fixed = compiled[architecture].resources.values()
    # 65536 registers for 1024 threads: 128 values do not fit into 64 registers, 8 do.
    assert many.registers <= 64
    assert many.stack > 0
    assert many.spill_stores >= 4 * (128 - 64)
    assert many.spill_loads >= 4 * (128 - 64)
    assert (few.stack, few.spill_stores, few.spill_loads) == (0, 0, 0)
    assert 8 < few.registers <= 64
    assert (few.shared, fixed.shared) == (0, 64 * 4)


@pytest.mark.parametrize("architecture", ["sm_80", "sm_120"])
def test_what_the_emulator_runs_compiles(architecture):
    names = [
        "block_sums<int, long long>",
        "match<double>",
        "shuffles<unsigned long long>",
        "reduces",
        "vectors",
        "swaps",
    ]
    result = compile_kernels(KERNELS / "primitives.cu", names, architecture)
    assert set(result.resources) == set(names)
    assert all(x.spill_stores == 0 for x in result.resources.values())


def refused(tmp_path, text):
    source = tmp_path / "bad.cu"
    source.write_text(text)
    with pytest.raises(CompileError) as raised:
        compile_kernels(source, ["f"], "sm_90")
    return str(raised.value)


def test_a_compile_error_has_its_log(tmp_path):
    assert 'identifier "q" is undefined' in refused(tmp_path, "__global__ void f(int* p) { p[0] = q; }")


def test_atomic_add_of_long_long_is_refused(tmp_path):
    log = refused(tmp_path, "__global__ void f(long long* p) { atomicAdd(p, 1LL); }")
    assert "no instance of overloaded function" in log
    assert "atomicAdd" in log


def test_a_log_that_disagrees_with_the_cubin_is_an_error(compiled):
    one = compiled["sm_90"]
    read = nvrtc.read_log(one.log.replace("Used ", "Used 1"))
    with pytest.raises(ValueError, match="the log says"):
        nvrtc._compare(read, nvrtc.cubin.attributes(one.cubin))


def test_a_missing_wheel_is_an_error(monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    nvrtc.library.cache_clear()
    with pytest.raises(ImportError, match="pip install nvidia-cuda-nvrtc"):
        nvrtc.library()
    nvrtc.library.cache_clear()
