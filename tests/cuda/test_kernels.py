"""The kernels of the package, compiled for every architecture: each instance there is, without spilling."""

import itertools
from importlib.resources import files

import pytest
from fake_cupy import WIDTHS, instances
from nvrtc import ARCHITECTURES, compile_kernels

JOINT = instances(itertools.product(WIDTHS, repeat=2))
SOURCES = {"joint.cu": JOINT, "expected.cu": ["gpuval::expected_sums"]}


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("source", SOURCES)
def test_every_instance_compiles_and_none_spills(source, architecture):
    path = files("gpuval._tabulate.cuda").joinpath(source)
    compiled = compile_kernels(path, SOURCES[source], architecture, ["-default-device"])  # which CuPy adds
    assert set(compiled.resources) == set(SOURCES[source])
    spilling = {name: x for name, x in compiled.resources.items() if x.spill_stores or x.spill_loads or x.stack}
    assert not spilling
