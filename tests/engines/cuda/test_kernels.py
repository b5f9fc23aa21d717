"""The kernels of the package, compiled for every architecture, without spilling."""

import itertools

import pytest
from fake_cupy import PAIRS, WIDTHS, instances
from nvrtc import ARCHITECTURES, compile_kernels

from gpuval.engines.cuda.kernels import OPTIONS, options_of, source

KERNELS = instances(itertools.product(WIDTHS, repeat=2))
OF_LABELS = ("joint", "limits")
"""Those with a text of their own for labels that begin at a multiple of 16 bytes."""
SOME_PAIRS = instances(PAIRS)
"""With every width on both sides."""
WITH_ALL_PAIRS = ("sm_75", "sm_90", "sm_120")
"""The oldest architecture, the newest, and one between."""


def kernels_of(file: str, architecture: str) -> list[str]:
    return (KERNELS if architecture in WITH_ALL_PAIRS else SOME_PAIRS)[file]


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("file", KERNELS)
def test_the_instances_compile_and_none_spills(file, architecture, emulated, tmp_path):
    check(file, kernels_of(file, architecture), architecture, options_of(file), tmp_path)


@pytest.mark.parametrize("file", OF_LABELS)
def test_those_for_labels_that_begin_where_loads_do(file, emulated, tmp_path):
    check(file, SOME_PAIRS[file], "sm_90", options_of(file, are_aligned=True), tmp_path)


@pytest.mark.parametrize("file", KERNELS)
def test_without_options_that_older_versions_of_nvrtc_do_not_have(file, tmp_path):
    check(file, SOME_PAIRS[file], "sm_90", OPTIONS, tmp_path)


def check(file, names, architecture, options, folder):
    path = folder / f"{file}.cu"
    path.write_text(source(file), encoding="utf-8")  # as CuPy gets it, which finds no file beside it
    own = [x for x in options if x not in OPTIONS]
    compiled = compile_kernels(path, names, architecture, ["-default-device", "-ftz=true", *own])  # as CuPy does
    assert set(compiled.resources) == set(names)
    spilling = {name: x for name, x in compiled.resources.items() if x.spill_stores or x.spill_loads or x.stack}
    assert not spilling
