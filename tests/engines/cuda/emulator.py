"""Run the kernels of a CUDA file on the CPU: ``emulator.hpp`` under g++, called with NumPy arrays.

A fault of a kernel - a barrier that not all threads reach, a race, an access out of bounds - is an ``EmulatorError``.
"""

from __future__ import annotations

import atexit
import ctypes
import fcntl
import functools
import hashlib
import operator
import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

HERE = Path(__file__).parent
GUARD = 1 << 16  # between the copies of two arrays: what is near an array is no other one
ALIGNMENT = 256  # of what cudaMalloc gives

Kind = Literal["checked", "address", "plain"]

# Of #pragma unroll, of helpers that these instantiations do not use, and of int compared with threadIdx.
ALLOWED = ("-Wno-unknown-pragmas", "-Wno-unused-function", "-Wno-sign-compare")
WARNINGS = ("-Wall", "-Wextra", "-Werror", *ALLOWED)
# addr2line (binutils 2.40) takes files for others in the DWARF 5 of the linked library; it reads lines and no more.
COMMON = ("-O1", "-gdwarf-4", "-g1", "-std=c++17", "-fPIC", "-fvisibility=hidden", *WARNINGS)
UNDEFINED = ("-fsanitize=undefined", "-fno-sanitize=vptr", "-fno-sanitize-recover=undefined")
OF_KERNELS = {
    "checked": (
        "-fsanitize=thread",
        "--param=tsan-distinguish-volatile=1",
        "--param=tsan-instrument-func-entry-exit=0",
        *UNDEFINED,
    ),
    "address": ("-fsanitize=address", *UNDEFINED),
    "plain": UNDEFINED,
}
OF_RUNTIME = {"checked": ("-O2", "-DGPUVAL_CHECKED"), "address": ("-fsanitize=address",), "plain": ("-O2",)}
OF_LINKER = ("-shared", "-nostdlib")
"""Kernels are linked to the emulator's library alone, where ``emulator_checks.cpp`` answers ThreadSanitizer's calls."""

SOURCE = """\
#include "emulator.hpp"
namespace {{  // without it g++ cannot put the shared arrays of inline functions and of others into one section
#include "{source}"
}}
"""

ENTRIES = """\
#define GPUVAL_EXPORT extern "C" __attribute__((visibility("default")))
extern char __start_gpuval_shared[] __attribute__((weak, visibility("hidden")));
extern char __stop_gpuval_shared[] __attribute__((weak, visibility("hidden")));
using gpuval_emulator::Entry;
static void (*const run[])(void**) = {{{run}}};
static const char* (*const declared[])() = {{{declared}}};
GPUVAL_EXPORT const char* gpuval_declared(unsigned kernel) {{ return declared[kernel](); }}
GPUVAL_EXPORT const char* gpuval_launch(unsigned kernel, const gpuval_emulator::Launch* how, void** arguments) {{
  return gpuval_emulator::launch(*how, {{__start_gpuval_shared, __stop_gpuval_shared}}, run[kernel], arguments);
}}
"""


class EmulatorError(Exception):
    """The emulated device found a fault of the kernel or of its launch."""


class BuildError(Exception):
    """g++ refused the kernel, and the message is its output; or the kernel has shared memory that is not watched."""


class Index3(ctypes.Structure):
    _fields_ = [(axis, ctypes.c_uint) for axis in "xyz"]


class Region(ctypes.Structure):
    _fields_ = [("begin", ctypes.c_void_p), ("size", ctypes.c_uint64), ("writable", ctypes.c_uint64)]


class Launch(ctypes.Structure):
    _fields_ = [
        ("grid", Index3),
        ("block", Index3),
        ("shared_bytes", ctypes.c_uint64),
        ("seed", ctypes.c_uint64),
        ("checks", ctypes.c_uint64),
        ("seconds", ctypes.c_double),
        ("regions", ctypes.POINTER(Region)),
        ("n_regions", ctypes.c_uint64),
    ]


@dataclass(frozen=True)
class Module:
    """The kernels of one file, by the names that CUDA calls name expressions."""

    library: Path
    names: tuple[str, ...]
    kind: Kind

    @functools.cached_property
    def loaded(self) -> ctypes.CDLL:
        library = ctypes.CDLL(str(self.library))
        library.gpuval_launch.restype = library.gpuval_declared.restype = ctypes.c_char_p
        return library

    def parameters(self, kernel: int) -> list[tuple[str, str]]:
        """Of each parameter "in" or "out" (a pointer to what is const or not) or "scalar", and NumPy's code."""
        words = self.loaded.gpuval_declared(kernel).decode().split()
        return list(zip(words[::2], words[1::2], strict=True))


BUILDS = "GPUVAL_EMULATOR_BUILDS"
"""The variable of the environment that names the folder of what was built, for all processes and further runs."""


@functools.cache
def session_directory() -> Path:
    """That of the run, or one of this process and those that it starts."""
    if not os.environ.get(BUILDS):
        folder = tempfile.mkdtemp(prefix="gpuval-emulator-")
        atexit.register(shutil.rmtree, folder, ignore_errors=True)
        os.environ[BUILDS] = folder
    return Path(os.environ[BUILDS]).absolute()  # libraries name others by their paths


def once(target: Path, make: Callable[[Path], object]) -> Path:
    """A file of that folder: the first process makes it, under another name until it is whole, and others wait."""
    if target.exists():
        return target
    with target.with_name(f"{target.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not target.exists():
            own = target.with_name(f"{target.stem}-{os.getpid()}{target.suffix}")
            make(own)
            own.replace(target)
    return target


seconds_compiling = 0.0
"""Of processor time, by g++ for this process."""


def run_gxx(*arguments: str) -> None:
    global seconds_compiling
    before = os.times()
    done = subprocess.run(["g++", *arguments], capture_output=True, text=True, check=False)
    after = os.times()
    seconds_compiling += after.children_user - before.children_user + after.children_system - before.children_system
    if done.returncode:
        raise BuildError(done.stderr)


def refuse_unwatched(target: str) -> None:
    """Raise if a variable of the kernels is not in the section of shared memory: g++ drops that of templates' own."""
    symbols = subprocess.run(["nm", "--demangle", target], capture_output=True, text=True, check=True).stdout
    inside = "(anonymous namespace)::"  # as all of the kernels' file, and nothing of the driver
    found = re.findall(rf"^\w+ b {re.escape(inside)}(.+)$", symbols, re.M)
    if found:
        names = "\n".join(name.replace(inside, "") for name in found)
        rule = "a shared array must stand in a function that is no template"
        raise BuildError(f"{rule}: the emulator would see no access to\n{names}")


@functools.cache
def _own() -> str:
    """A number for the emulator's own text, this module among it."""
    return digest(*(path.read_text() for path in sorted(HERE.glob("emulator*"))))


def digest(*texts: object) -> str:
    return hashlib.sha256(repr(texts).encode()).hexdigest()[:16]


@functools.cache
def runtime(kind: Kind) -> str:
    """The library that all kernels share."""
    sources = (str(HERE / f"{part}.cpp") for part in ("emulator", "emulator_checks"))
    arguments = (*COMMON, *OF_RUNTIME[kind], "-shared", *sources, "-o")
    return str(once(session_directory() / f"emulator-{kind}-{_own()}.so", lambda path: run_gxx(*arguments, str(path))))


@functools.cache
def header(kind: Kind) -> Path:
    """The folder with what all kernels include, compiled."""
    folder = session_directory() / f"header-{kind}-{_own()}"
    folder.mkdir(exist_ok=True)
    arguments = (*COMMON, *OF_KERNELS[kind], "-w", "-x", "c++-header", str(HERE / "emulator.hpp"), "-o")
    once(folder / "emulator.hpp.gch", lambda path: run_gxx(*arguments, str(path)))
    return folder


@functools.cache
def _build(text: str, source: Path, names: tuple[str, ...], kind: Kind, options: tuple[str, ...]) -> Module:
    folders = (source.parent, HERE) if "#include" in text else ()
    included = [path.read_text() for folder in folders for path in sorted(folder.glob("*.cuh"))]
    key = digest(_own(), source.name, text, included, names, kind, options)
    library = runtime(kind)  # made anew where a cache has kept the kernel without it

    def linked(path: Path) -> None:
        driver = SOURCE.format(source=source) + entries_of(names)
        text_of_driver = path.with_suffix(".cpp")
        text_of_driver.write_text(driver)
        include = (f"-I{header(kind)}", f"-I{HERE}", f"-I{source.parent}")
        files = (str(text_of_driver), library, "-o", str(path))
        run_gxx(*COMMON, *OF_KERNELS[kind], *options, *include, *OF_LINKER, *files)
        text_of_driver.unlink()
        if any(word in x for x in (text, *included) for word in ("__shared__", "static")):
            refuse_unwatched(str(path))

    return Module(once(session_directory() / f"{source.stem}-{key}.so", linked), names, kind)


def entries_of(names: Sequence[str]) -> str:
    """What stands behind kernels, so that they are called by their numbers."""
    entries = [f"Entry<&{name}>" for name in names]
    run, declared = (", ".join(f"&{entry}::{what}" for entry in entries) for what in ("run", "declared"))
    return ENTRIES.format(run=run, declared=declared)


def build(source: Path, names: Sequence[str], kind: Kind = "checked", options: Sequence[str] = ()) -> Module:
    """Compile the instantiations ``names`` of the kernels in ``source``, once in a session.

    "checked" finds faults as exceptions; "address" runs each launch in a process of its own under AddressSanitizer;
    "plain" is fast and finds only barriers and masks, undefined operations, and writes behind shared memory.
    """
    source = source.resolve()
    return _build(source.read_text(), source, tuple(names), kind, tuple(options))


def root_of(array: np.ndarray) -> np.ndarray:
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


class Memory:
    """Copies of arrays on the device; a view lies in the copy of its base, where it lies in its base."""

    def __init__(self, guard: int, alignment: int) -> None:
        self.guard, self.alignment = guard, alignment
        self.copies: dict[int, tuple[np.ndarray, int, int, int]] = {}
        self.kept: list[np.ndarray] = []

    def address(self, array: np.ndarray) -> int:
        root = root_of(array)
        low, high = np.lib.array_utils.byte_bounds(root)
        size = high - low if root.size else 0
        if id(root) not in self.copies:
            room = np.full(size + 2 * self.guard + self.alignment, 0xEE, np.uint8)
            self.kept.append(room)
            begin = room.ctypes.data + self.guard
            begin += -begin % self.alignment
            ctypes.memmove(begin, low, size)
            self.copies[id(root)] = (root, begin, low, size)
        return self.copies[id(root)][1] + array.ctypes.data - low

    def copy_back(self) -> None:
        for root, begin, low, size in self.copies.values():
            if root.flags.writeable:
                ctypes.memmove(low, begin, size)


def as_scalar(value: Any, code: str, where: str) -> Any:
    if code[0] == "V":
        data = bytes(value)
        if len(data) != int(code[1:]):
            raise TypeError(f"{where} must have {code[1:]} bytes, got {len(data)}")
        return ctypes.create_string_buffer(data, len(data))
    if code[0] == "f":
        return (ctypes.c_float if code == "f4" else ctypes.c_double)(float(value))
    number = operator.index(bool(value) if code == "b1" else value)
    return np.ctypeslib.as_ctypes(np.asarray(np.dtype(code).type(number)))


def check_array(array: Any, code: str, where: str) -> np.ndarray:
    if not isinstance(array, np.ndarray) or not array.flags.c_contiguous:
        raise TypeError(f"{where} must be a contiguous NumPy array, got {type(array).__name__}")
    if code[0] in "iufb" and f"{array.dtype.kind}{array.dtype.itemsize}" != code:
        raise TypeError(f"{where} must be of {np.dtype(code)}, as the kernel declares, got {array.dtype}")
    return array


def as_index(size: int | Sequence[int]) -> Index3:
    sizes = (size,) if isinstance(size, int) else tuple(size)
    return Index3(*sizes, *(1,) * (3 - len(sizes)))


def with_line(message: str, library: Path) -> str:
    def line(match: re.Match[str]) -> str:
        after = hex(int(match[1], 16) - 1)  # the address that a call returns to may be of the next line
        found = subprocess.run(["addr2line", "-e", str(library), after], capture_output=True, text=True, check=False)
        return f"({found.stdout.split(' ')[0].strip().rpartition('/')[2] or 'unknown line'})"

    return re.sub(r"\[pc (0x[0-9a-f]+)\]", line, message)


def emulate(
    module: Module,
    name: str,
    grid: int | Sequence[int],
    block: int | Sequence[int],
    shared_bytes: int,
    args: Sequence[Any],
    *,
    seed: int = 0,
    races: bool = True,
    uninitialised: bool = True,
    sequential: bool = False,
    seconds: float = 60.0,
) -> None:
    """Launch the kernel and wait for it; arrays are arguments that are pointers, ``None`` is the null pointer.

    An array that owns its data lies on a multiple of 256 bytes, a view where it lies in its base. The seed draws the
    order of the threads and blocks; where it is odd, threads also take turns at every atomic. ``sequential`` says that
    no thread waits for another, so that those of a "plain" kernel run one after the other.
    """
    if module.kind == "address" and "GPUVAL_UNDER_ASAN" not in os.environ:
        how = {"seed": seed, "races": races, "uninitialised": uninitialised, "seconds": seconds}
        return _emulate_apart(module, name, grid, block, shared_bytes, args, how)
    kernel = module.names.index(name)
    parameters = module.parameters(kernel)
    if len(args) != len(parameters):
        raise TypeError(f"{name} takes {len(parameters)} arguments, got {len(args)}")
    # AddressSanitizer's own red zones lie exactly around an allocation.
    memory = Memory(0, 1) if module.kind == "address" else Memory(GUARD, ALIGNMENT)
    regions = (Region * len(args))()
    values = []
    for i, (argument, (role, code)) in enumerate(zip(args, parameters, strict=True)):
        where = f"argument {i} of {name}"
        if role == "scalar":
            values.append(as_scalar(argument, code, where))
        elif argument is None:
            values.append(ctypes.c_void_p(None))
        else:
            array = check_array(argument, code, where)
            address = memory.address(array)
            regions[i] = Region(address, array.nbytes, role == "out" and array.flags.writeable)
            values.append(ctypes.c_void_p(address))
    pointers = (ctypes.c_void_p * len(args))(*(ctypes.addressof(value) for value in values))
    checks = races | uninitialised << 1 | sequential << 2
    launch = Launch(as_index(grid), as_index(block), shared_bytes, seed, checks, seconds, regions, len(args))
    error = module.loaded.gpuval_launch(kernel, ctypes.byref(launch), pointers)
    memory.copy_back()
    if error is not None:
        raise EmulatorError(with_line(error.decode(), module.library))
    return None


def _emulate_apart(module: Module, name: str, grid: Any, block: Any, shared_bytes: int, args: Any, how: Any) -> None:
    """In a process with AddressSanitizer loaded first, which it needs, and which it may end."""
    call = pickle.dumps((module.library, module.names, name, grid, block, shared_bytes, list(args), how))
    library = subprocess.run(["g++", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True)
    environment = os.environ | {
        "LD_PRELOAD": library.stdout.strip(),
        "ASAN_OPTIONS": "detect_leaks=0",  # CPython keeps what it has
        "PYTHONMALLOC": "malloc",
        "GPUVAL_UNDER_ASAN": "1",
    }
    command = [sys.executable, str(Path(__file__).resolve())]
    done = subprocess.run(command, input=call, capture_output=True, env=environment, check=False, timeout=120)
    if done.returncode:
        raise EmulatorError(done.stderr.decode())
    error, results = pickle.loads(done.stdout)
    for array, result in zip(args, results, strict=True):
        if isinstance(array, np.ndarray) and array.flags.writeable:
            array[...] = result
    if error:
        raise EmulatorError(error)


def _answer() -> None:
    library, names, name, grid, block, shared_bytes, args, how = pickle.load(sys.stdin.buffer)
    error = None
    try:
        emulate(Module(library, names, "address"), name, grid, block, shared_bytes, args, **how)
    except EmulatorError as raised:
        error = str(raised)
    sys.stdout.buffer.write(pickle.dumps((error, args)))


if __name__ == "__main__":
    _answer()
