"""Compile the kernels of a CUDA file with NVRTC, which needs no GPU and no driver, and read what they take."""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import os
import pickle
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from ctypes import byref, c_char_p, c_int, c_size_t, c_void_p
from dataclasses import dataclass
from pathlib import Path

import cubin
from emulator import digest, once, session_directory

FOLDER = "GPUVAL_NVRTC"
"""The variable of the environment that names the folder of an NVRTC to use in place of the installed one."""

ARCHITECTURES = ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120")


class CompileError(Exception):
    """NVRTC refused the kernel; the message is its log."""


@dataclass(frozen=True)
class Resources:
    """What one instantiation takes on one architecture; memory in bytes, that of the stack and of spills a thread's."""

    registers: int
    shared: int
    stack: int
    spill_stores: int
    spill_loads: int


@dataclass(frozen=True)
class Compiled:
    """What a file became for one architecture, by name expressions."""

    architecture: str
    cubin: bytes
    log: str
    lowered: dict[str, str]
    resources: dict[str, Resources]


@functools.cache
def library() -> ctypes.CDLL:
    if folder := os.environ.get(FOLDER):
        roots = [Path(folder, "nvidia")]
    else:
        spec = importlib.util.find_spec("nvidia")
        roots = [Path(x) for x in (spec.submodule_search_locations or ())] if spec else []
    found = [path for root in roots for path in sorted(root.glob("*/lib/libnvrtc.so.*"))]
    if not found:
        raise ImportError("the tests of CUDA kernels need NVRTC: pip install nvidia-cuda-nvrtc")
    loaded = ctypes.CDLL(str(found[-1]))
    loaded.nvrtcGetErrorString.restype = c_char_p
    return loaded


def _call(function: str, *arguments: object) -> None:
    code = getattr(library(), function)(*arguments)
    if code:
        raise RuntimeError(f"{function}: {library().nvrtcGetErrorString(code).decode()}")


def version() -> tuple[int, int]:
    major, minor = c_int(), c_int()
    _call("nvrtcVersion", byref(major), byref(minor))
    return major.value, minor.value


def _bytes(program: c_void_p, what: str) -> bytes:
    size = c_size_t()
    _call(f"nvrtcGet{what}Size", program, byref(size))
    buffer = ctypes.create_string_buffer(size.value)
    _call(f"nvrtcGet{what}", program, buffer)
    return buffer.raw


def _number(pattern: str, text: str) -> int:
    found = re.search(pattern, text)
    return int(found[1]) if found else 0


def read_log(log: str) -> dict[str, Resources]:
    """The resources of each kernel by its lowered name, from what ``ptxas -v`` prints."""
    parts = re.split(r"Compiling entry function '([^']+)' for '[^']+'", log)[1:]
    found = {}
    for name, text in zip(parts[::2], parts[1::2], strict=True):
        if not re.search(r"Used \d+ registers", text) or "bytes stack frame" not in text:
            raise ValueError(f"ptxas says nothing of {name} that can be read: {text}")
        found[name] = Resources(
            registers=_number(r"Used (\d+) registers", text),
            shared=_number(r"(\d+) bytes smem", text),
            stack=_number(r"(\d+) bytes stack frame", text),
            spill_stores=_number(r"(\d+) bytes spill stores", text),
            spill_loads=_number(r"(\d+) bytes spill loads", text),
        )
    return found


@contextmanager
def _compiled(source: Path, names: Sequence[str], architecture: str, options: Sequence[str]) -> Iterator[c_void_p]:
    """A program of NVRTC that has been compiled."""
    program = c_void_p()
    text = source.read_bytes()
    _call("nvrtcCreateProgram", byref(program), c_char_p(text), c_char_p(source.name.encode()), 0, None, None)
    try:
        for name in names:
            _call("nvrtcAddNameExpression", program, c_char_p(name.encode()))
        given = (f"--gpu-architecture={architecture}", "--std=c++17", f"--include-path={source.resolve().parent}")
        all_options = [x.encode() for x in (*given, *options)]
        code = library().nvrtcCompileProgram(
            program, c_int(len(all_options)), (c_char_p * len(all_options))(*all_options)
        )
        if code:
            message = library().nvrtcGetErrorString(code).decode()
            raise CompileError(f"{message} for {architecture}\n{_log(program)}")
        yield program
    finally:
        _call("nvrtcDestroyProgram", byref(program))


def _log(program: c_void_p) -> str:
    return _bytes(program, "ProgramLog").rstrip(b"\0").decode()


def compile_kernels(source: Path, names: Sequence[str], architecture: str, options: Sequence[str] = ()) -> Compiled:
    """Compile the instantiations ``names`` of the kernels in ``source`` for one architecture."""
    with _compiled(source, names, architecture, ["--ptxas-options=-v", *options]) as program:
        log, image = _log(program), _bytes(program, "CUBIN")
        lowered = {}
        for name in names:
            result = c_char_p()
            _call("nvrtcGetLoweredName", program, c_char_p(name.encode()), byref(result))
            lowered[name] = (result.value or b"").decode()
    read = read_log(log)
    _compare(read, cubin.attributes(image))
    return Compiled(architecture, image, log, lowered, {name: read[lowered[name]] for name in names})


def compile_once(source: Path, names: Sequence[str], architecture: str, options: Sequence[str] = ()) -> Compiled:
    """``compile_kernels`` of a text that includes no file; what was compiled is kept for further runs."""
    own = [Path(path).read_bytes() for path in (__file__, cubin.__file__)]
    key = digest(own, version(), source.read_bytes(), tuple(names), architecture, tuple(options))

    def make(path: Path) -> None:
        path.write_bytes(pickle.dumps(compile_kernels(source, names, architecture, options)))

    return pickle.loads(once(session_directory() / f"nvrtc-{key}.pickle", make).read_bytes())  # type: ignore[no-any-return]


def _compare(read: dict[str, Resources], told: dict[str, dict[int, int]]) -> None:
    """Two sources, so that a log that is worded anew is an error rather than a kernel without spills."""
    for name, kernel in read.items():
        pair = (told[name][cubin.REGISTERS], told[name][cubin.STACK])
        if pair != (kernel.registers, kernel.stack):
            raise ValueError(
                f"{name}: the log says {kernel}, the cubin {pair[0]} registers and {pair[1]} bytes of stack"
            )


def compile_for_all(
    source: Path, names: Sequence[str], architectures: Sequence[str] = ARCHITECTURES
) -> dict[str, Compiled]:
    return {x: compile_kernels(source, names, x) for x in architectures}
