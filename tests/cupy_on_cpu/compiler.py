"""In the place of CuPy's module of NVRTC: kernels are compiled by g++, for the emulator.

Texts without ``#include`` are gpuval's, and are built as ``emulator.build`` does it; all others are CuPy's, which need
CUDA's headers. What is "compiled" is a text that says which library the driver has to load (see ``driver.cpp``); that
is built or found when it is loaded, so that the same kernels run with and without checks.
"""

from __future__ import annotations

import functools
import re
import types
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from emulator import HERE as EMULATOR
from emulator import OF_LINKER, BuildError, Module, build, digest, entries_of, once, run_gxx, runtime, session_directory

from .extensions import replaced

HERE = Path(__file__).parent
OWN_FLAGS = "-O1", "-std=c++17", "-fPIC", "-fvisibility=hidden", "-w", "-fpermissive", "-fwrapv", "-fno-strict-aliasing"

kind = "plain"
"""How kernels of gpuval are built that are launched from now on: see ``emulator.build``."""


class NVRTCError(RuntimeError):
    """A text was refused; the log says why."""


@dataclass
class _Program:
    source: str
    names: list[str] = field(default_factory=list)
    image: bytes = b""
    log: str = ""


_programs: dict[int, _Program] = {}
_texts: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {}
"""By the name of its library: a text, its kernels, and its options for g++."""


def getVersion() -> tuple[int, int]:
    return 13, 0


def getSupportedArchs() -> list[int]:
    return [75, 80, 90]


def createProgram(source: str, name: str, headers: Sequence[str], include_names: Sequence[str]) -> int:
    number = len(_programs) + 1
    _programs[number] = _Program(source)
    return number


def destroyProgram(number: int) -> None:
    _programs[number] = _Program("")


def addNameExpression(number: int, name: str) -> None:
    _programs[number].names.append(name)


def getLoweredName(number: int, name: str) -> str:
    return name


def compileProgram(number: int, options: Sequence[str]) -> None:
    program = _programs[number]
    try:
        flags = _flags(options)
    except ValueError as error:
        program.log = str(error)
        raise NVRTCError from error
    text = program.source
    names = tuple(program.names) or tuple(
        re.findall(r"__global__\s+void\s+(?:__launch_bounds__\([^)]*\)\s*)?(\w+)\s*\(", text)
    )
    key = digest(text, names, flags)
    _texts[key] = text, names, flags
    try:
        library(key)
    except BuildError as error:
        program.log = str(error)
        raise NVRTCError from error
    program.image = "\n".join(["gpuval", key, str(_checks(text)), *names]).encode() + b"\0"


def _checks(text: str) -> int:
    """What the emulator looks at, by the numbers of ``emulator_runtime.hpp``: of CuPy's kernels barriers alone.

    The threads of a kernel that does not wait run one after the other; but not those of a kernel of gpuval's that has
    shared memory, so that writes behind its end are found.
    """
    races, uninitialised, sequential, returned_arrive = 1, 2, 4, 8
    waits = "_sync" in text
    if "#include" in text:
        return returned_arrive if waits else sequential
    has_shared_memory = "__shared__" in text or "GPUVAL_SHARED" in text
    return races | uninitialised | (0 if waits or has_shared_memory else sequential)


def getPTX(number: int) -> bytes:
    return _programs[number].image


getCUBIN = getPTX  # noqa: N816


def getProgramLog(number: int) -> str:
    return _programs[number].log


KNOWN_OPTION = re.compile(
    r"--std=c\+\+\d\d|-std=c\+\+\d\d|-arch=\w+|--gpu-architecture=\w+|-ftz=(true|false)|--fmad=(true|false)|--prec-sqrt=(true|false)"
    r"|--minimal|--Ofast-compile=(min|mid|max)|--device-as-default-execution-space|--pch"
)


def _flags(options: Sequence[str]) -> tuple[str, ...]:
    """What g++ is given of NVRTC's options; NVRTC refuses options that it does not know."""
    unknown = [x for x in options if not x.startswith(("-D", "-I")) and not KNOWN_OPTION.fullmatch(x)]
    if unknown:
        raise ValueError(f"nvrtc: error: unrecognized option {', '.join(unknown)} found")
    return tuple(x for x in options if x.startswith(("-D", "-I")))


def library(key: str) -> Path:
    """The library of a text, built as ``kind`` says."""
    return _library(key, kind)


@functools.cache
def _library(key: str, kind: Any) -> Path:
    text, names, flags = _texts[key]
    if "#include" in text:
        return _built_for_cupy(text, names, flags)
    path = once(session_directory() / f"text-{digest(text)}.cu", lambda own: own.write_text(text, encoding="utf-8"))
    return build(path, names, kind, flags).library


@functools.cache
def parameters(text: str, names: tuple[str, ...], name: str) -> list[tuple[str, str]]:
    """Of each parameter of a kernel, of a text that was compiled with these kernels: see ``emulator.Module``."""
    key = next(key for key, known in _texts.items() if known[:2] == (text, names))
    return Module(library(key), names, "plain").parameters(names.index(name))


@functools.cache
def headers_of_cuda() -> tuple[str, ...]:
    """Where g++ finds CuPy's headers and CUDA's, neither of which is imported for that."""
    (cupy,), roots = (find_spec(x).submodule_search_locations for x in ("cupy", "nvidia"))
    folders = [folder for root in roots for folder in sorted(Path(root).glob("*/include"))]
    own = f"{cupy}/_core/include"
    return tuple(
        f"-I{folder}" for folder in (own, *(f"{own}/cupy/_cccl/{x}" for x in ("libcudacxx", "thrust", "cub")), *folders)
    )


def module(real: types.ModuleType) -> types.ModuleType:
    """The module ``real`` of CuPy, with the functions that are here."""
    made = replaced(real, {name: globals()[name] for name in real.__pyx_capi__ if name in globals()})
    made.NVRTCError = NVRTCError  # type: ignore[attr-defined]
    return made


@functools.cache
def _header() -> Path:
    """The folder with what all kernels of CuPy include, compiled."""
    key = digest(
        (HERE / "cupy_kernels.hpp").read_text(),
        *(x.read_text() for x in sorted(EMULATOR.glob("emulator*.hpp"))),
        headers_of_cuda(),
    )
    folder = session_directory() / f"headers-{key}"
    folder.mkdir(exist_ok=True)
    arguments = (
        *OWN_FLAGS,
        *headers_of_cuda(),
        f"-I{EMULATOR}",
        "-x",
        "c++-header",
        str(HERE / "cupy_kernels.hpp"),
        "-o",
    )
    once(folder / "cupy_kernels.hpp.gch", lambda own: run_gxx(*arguments, str(own)))
    return folder


def _built_for_cupy(text: str, names: tuple[str, ...], flags: tuple[str, ...]) -> Path:
    # Memory that is shared and whose size a launch says.
    text = re.sub(r"extern\s+__shared__\s+([\w ]+?)\s+(\w+)\s*\[\s*\]\s*;", r"GPUVAL_SHARED(\1, \2);", text)
    text += "\n" + entries_of(names)
    header, emulator = _header(), runtime("plain")

    def made(own: Path) -> None:
        source = own.with_suffix(".cpp")
        source.write_text(text, encoding="utf-8")
        include = ("-include", str(header / "cupy_kernels.hpp"), *headers_of_cuda(), f"-I{EMULATOR}")
        run_gxx(*OWN_FLAGS, *include, *flags, *OF_LINKER, str(source), emulator, "-o", str(own))
        source.unlink()

    return once(session_directory() / f"cupy-{digest(text, flags, header.name, emulator)}.so", made)
