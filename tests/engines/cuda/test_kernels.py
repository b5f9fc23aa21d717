"""The kernels of the package, compiled for every architecture: each instance there is, without spilling."""

import itertools

import pytest
from fake_cupy import PAIRS, WIDTHS, instances
from nvrtc import ARCHITECTURES, compile_kernels

from gpuval.engines.cuda.kernels import source

KERNELS = instances(itertools.product(WIDTHS, repeat=2))
LIKE_SM_80 = ("sm_86", "sm_89")
"""They have its instructions and as many registers: for them some pairs of widths, with every width on both sides."""


def kernels_of(file: str, architecture: str) -> list[str]:
    return (instances(PAIRS) if architecture in LIKE_SM_80 else KERNELS)[file]


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("file", KERNELS)
def test_every_instance_compiles_and_none_spills(file, architecture, tmp_path):
    path = tmp_path / f"{file}.cu"
    path.write_text(source(file), encoding="utf-8")  # as CuPy gets it, which finds no file beside it
    names = kernels_of(file, architecture)
    compiled = compile_kernels(path, names, architecture, ["-default-device", "-ftz=true"])  # which CuPy adds
    assert set(compiled.resources) == set(names)
    spilling = {name: x for name, x in compiled.resources.items() if x.spill_stores or x.spill_loads or x.stack}
    assert not spilling
