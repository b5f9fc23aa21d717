"""The kernels of the package, compiled for every architecture: each instance there is, without spilling."""

from importlib.resources import files

import pytest
from nvrtc import ARCHITECTURES, compile_kernels

WIDTHS = ["u8", "u16", "u32", "u64", "gpuval::Bool"]
PAIRS = [f"{a}, {b}" for a in WIDTHS for b in WIDTHS]
JOINT = [
    *(f"gpuval::joint_shared<{pair}, {weight}>" for pair in PAIRS for weight in ("gpuval::One", "u64", "double")),
    *(f"gpuval::joint_global<{pair}>" for pair in PAIRS),
    *(f"gpuval::joint_global_sums<{pair}, {weight}>" for pair in PAIRS for weight in ("u64", "double")),
    *(f"gpuval::limits<{pair}>" for pair in PAIRS),
    *(f"gpuval::keys_of<{pair}, {key}>" for pair in PAIRS for key in ("u32", "u64")),
    *(f"gpuval::{name}<{key}>" for name in ("count_runs", "write_runs") for key in ("u32", "u64")),
]
SOURCES = {"joint.cu": JOINT, "expected.cu": ["gpuval::expected_sums"]}


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("source", SOURCES)
def test_every_instance_compiles_and_none_spills(source, architecture):
    path = files("gpuval._tabulate.cuda").joinpath(source)
    compiled = compile_kernels(path, SOURCES[source], architecture, ["-default-device"])
    assert set(compiled.resources) == set(SOURCES[source])
    spilling = {name: x for name, x in compiled.resources.items() if x.spill_stores or x.spill_loads or x.stack}
    assert not spilling
