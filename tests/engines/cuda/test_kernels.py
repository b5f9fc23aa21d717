"""The kernels of the package, compiled for every architecture, without spilling.

With ``GPUVAL_NVRTC`` it is the NVRTC of that folder that compiles, with the options that gpuval has for its version.
"""

import itertools
import sys
import types

import nvrtc
import pytest
from kernel_instances import WIDTHS, instances
from nvrtc import ARCHITECTURES, CompileError, compile_kernels, compile_once

from gpuval.engines.cuda import kernels
from gpuval.engines.cuda.arithmetic.fusion import Program, Symbols
from gpuval.engines.cuda.kernels import OPTIONS, options_of, source

OF_LABELS = ("joint", "limits")
"""Those with a text of their own for labels that begin at a multiple of 16 bytes."""
WITH_ALL_PAIRS = "sm_90"
"""The architecture on which every pair of widths is compiled."""


_LEVELS = "--Ofast-compile=mid", "--Ofast-compile=min"
REFUSED = {
    (12, 0): ("--minimal", "--Ofast-compile=max", *_LEVELS),
    (12, 4): ("--Ofast-compile=max", *_LEVELS),
    (12, 8): _LEVELS,
    (12, 9): (),
    (13, 0): (),
}
"""Options that a version of NVRTC does not know: what it said of each by itself."""


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
    """CuPy, which says the version of the NVRTC that compiles, and nothing else."""
    made = types.SimpleNamespace(cuda=types.SimpleNamespace(nvrtc=types.SimpleNamespace(getVersion=nvrtc.version)))
    monkeypatch.setitem(sys.modules, "cupy", made)
    return made


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


@pytest.mark.parametrize("version", REFUSED)
def test_no_version_of_nvrtc_is_given_what_it_refuses(version, cupy, monkeypatch):
    monkeypatch.setattr(cupy.cuda.nvrtc, "getVersion", lambda: version)
    given = {option for file in FILES for option in options_of(file)} | set(kernels.options_of_texts())
    assert given == set(kernels.all_options())  # what the trial is compiled with
    assert given.isdisjoint(REFUSED[version])
    assert ("--minimal" in given) == (version >= (12, 8))
    assert ("--Ofast-compile=mid" in given) == (version >= (12, 9))


def test_the_text_of_a_formula_compiles(tmp_path):
    program, xp = Program(), Symbols()
    x, y = program.add_input("double"), program.add_input("bool")
    text, _ = program.kernel("formula", [xp.where(y, xp.sqrt(x) / 2, xp.maximum(-x, 1.5))], may_be_invalid=True)
    path, names = tmp_path / "formula.cu", ["gpuval::formula"]
    path.write_text(text)
    options = as_cupy_does(kernels.options_of_texts())
    assert set(compile_kernels(path, names, "sm_89", options).resources) == set(names)


def test_the_trial_asks_for_the_compiler_and_for_its_headers(tmp_path):
    """NVRTC refuses it where there are no headers, and takes it where they are."""
    path = tmp_path / "trial.cu"
    path.write_text(kernels._TRIAL)
    given = path, ["gpuval_trial"], "sm_89", as_cupy_does(kernels.all_options())
    with pytest.raises(CompileError, match="cannot open source file"):
        compile_kernels(*given)
    (tmp_path / "cuda_fp16.h").write_text("struct __half;")
    assert compile_kernels(*given).lowered == {"gpuval_trial": "gpuval_trial"}


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
