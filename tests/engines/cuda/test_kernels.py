"""The kernels of the package, compiled for every architecture, without spilling."""

import itertools
import sys
import types

import pytest
from kernel_instances import WIDTHS, instances
from nvrtc import ARCHITECTURES, compile_once, unoptimised, version

from gpuval.engines.cuda.kernels import OPTIONS, options_of, source

OF_LABELS = ("joint", "limits")
"""Those with a text of their own for labels that begin at a multiple of 16 bytes."""
WITH_ALL_PAIRS = "sm_90"
"""The architecture on which every pair of widths is compiled."""


def pairs_of(architecture: str) -> list[tuple[str, str]]:
    """The widths of two label vectors: each once on either side, in pairs that differ by architecture."""
    if architecture == WITH_ALL_PAIRS:
        return list(itertools.product(WIDTHS, repeat=2))
    shift = ARCHITECTURES.index(architecture) % len(WIDTHS)
    return list(zip(WIDTHS, WIDTHS[shift:] + WIDTHS[:shift], strict=True))


KERNELS = {architecture: instances(pairs_of(architecture)) for architecture in ARCHITECTURES}
FILES = list(KERNELS[WITH_ALL_PAIRS])
SOME_PAIRS = KERNELS["sm_89"]
"""With two widths that differ."""


@pytest.fixture(autouse=True)
def cupy(monkeypatch):
    """CuPy, which says the version of NVRTC and nothing else."""
    nvrtc = types.SimpleNamespace(getVersion=version)
    monkeypatch.setitem(sys.modules, "cupy", types.SimpleNamespace(cuda=types.SimpleNamespace(nvrtc=nvrtc)))


def test_every_pair_of_widths_is_compiled_on_two_architectures():
    """And every width on either side on all of them."""
    pairs = [pair for architecture in ARCHITECTURES for pair in pairs_of(architecture)]
    assert all(pairs.count(pair) >= 2 for pair in itertools.product(WIDTHS, repeat=2))
    for architecture in ARCHITECTURES:
        assert [set(side) for side in zip(*pairs_of(architecture), strict=True)] == [set(WIDTHS)] * 2


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize("file", FILES)
def test_the_instances_compile_and_none_spills(file, architecture, tmp_path):
    check(file, KERNELS[architecture][file], architecture, options_of(file), tmp_path)


@pytest.mark.parametrize("file", OF_LABELS)
def test_those_for_labels_that_begin_where_loads_do(file, tmp_path):
    check(file, SOME_PAIRS[file], "sm_90", options_of(file, are_aligned=True), tmp_path)


@pytest.mark.parametrize("file", FILES)
def test_without_options_that_older_versions_of_nvrtc_do_not_have(file, tmp_path):
    """Where ``--minimal`` is all that they lack, the optimiser must be given the same code as with it."""
    names = SOME_PAIRS[file]
    if options_of(file) == (*OPTIONS, "--minimal"):  # kernels of labels, which take long to optimise
        given = written(file, tmp_path), names, "sm_90"
        assert unoptimised(*given, as_cupy_does(OPTIONS)) == unoptimised(*given, as_cupy_does(options_of(file)))
    else:
        check(file, names, "sm_90", OPTIONS, tmp_path)


def written(file, folder):
    path = folder / f"{file}.cu"
    path.write_text(source(file), encoding="utf-8")  # as CuPy gets it, which finds no file beside it
    return path


def as_cupy_does(options):
    return ["-default-device", "-ftz=true", *(x for x in options if x not in OPTIONS)]


def check(file, names, architecture, options, folder):
    compiled = compile_once(written(file, folder), names, architecture, as_cupy_does(options))
    assert set(compiled.resources) == set(names)
    spilling = {name: x for name, x in compiled.resources.items() if x.spill_stores or x.spill_loads or x.stack}
    assert not spilling
