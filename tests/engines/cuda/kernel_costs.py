"""A table of what the kernels that read labels take: registers, and instructions of a warp for 32 samples.

``python tests/engines/cuda/kernel_costs.py > benchmarks/results/kernels.md``, in the project's root, compares the
working tree with the revision ``BEFORE``. It needs NVRTC and no GPU, and counts what ``loops.turn`` says, for sm_90.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import loops
from nvrtc import compile_kernels

BEFORE = "8f79a83"
FOLDER = "gpuval/engines/cuda"
BYTES = {"u8": 1, "u16": 2, "u32": 4, "u64": 8, "double": 8, "gpuval::One": 0}
PAIRS = ["u8, u8", "u16, u16", "u32, u32", "u64, u64", "u8, u32", "u64, u32"]
KERNELS = [
    *(f"joint_shared<{pair}, gpuval::One>" for pair in PAIRS),
    *(f"joint_shared<{pair}, {weight}>" for pair in ("u8, u8", "u32, u32", "u64, u64") for weight in ("u64", "double")),
    *(f"joint_global<{pair}>" for pair in PAIRS[2:4]),
    *(f"joint_global_sums<{pair}, gpuval::One>" for pair in PAIRS[2:4]),
    *(f"limits<{pair}>" for pair in PAIRS),
    *(f"keys_of<{pair}, {key}>" for pair in PAIRS[2:4] for key in ("u32", "u64")),
    *(f"{kernel}<{pair}>" for kernel in ("bucket_sizes", "deal_keys") for pair in PAIRS[2:4]),
    *(f"write_runs<{key}>" for key in ("u32", "u64")),
]

NEW = {f"{name}<{pair}>": samples for name, samples in (("joint_cached", 8), ("list_cells", 4)) for pair in PAIRS[2:4]}
"""Those that were not there before, and of how many samples a thread reads the labels in one turn."""

HEAD = """\
# What the kernels that read labels take

`python tests/engines/cuda/kernel_costs.py` wrote this: kernels compiled for sm_90 by NVRTC, read and not run.
Instructions are those that a warp issues in one turn of the loop over the samples, divided by the 32 samples of each of
the turn's rounds: of labels that are aligned and all inside, each of another cell than the one before it, which is the
way with the most atomics. Instructions that a predicate turns off count: they are issued. "Before" is {before}.

| kernel | registers before | after | instructions for 32 samples before | after | after / before |
| --- | --- | --- | --- | --- | --- |
"""


def sizes(kernel: str) -> tuple[int, ...]:
    return tuple(BYTES[x] for x in re.findall(r"u\d+|double|gpuval::One", kernel.partition("<")[2]))


def files_of(revision: str | None) -> list[str]:
    """The library's CUDA files of a revision, or of the working tree, which need not be a repository."""
    if revision is None:
        return [path.as_posix() for path in sorted(Path(FOLDER).rglob("*")) if path.is_file()]
    return _git("ls-tree", "-r", "--name-only", revision, FOLDER).split()


def reader(revision: str | None) -> Callable[[str], str]:
    """What reads a file of a revision, or of the working tree."""
    if revision is None:
        return lambda path: Path(path).read_text(encoding="utf-8")
    return lambda path: _git("show", f"{revision}:{path}")


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], capture_output=True, text=True, check=True).stdout


def source_of(kernel: str, revision: str | None) -> str:
    """The text of the file that has a kernel, with what it includes."""
    read = reader(revision)

    def whole(path: str) -> str:
        folder = path.rpartition("/")[0]
        return re.sub(r'^#include "(.+)"$', lambda found: whole(f"{folder}/{found[1]}"), read(path), flags=re.M)

    for path in files_of(revision):
        if path.endswith(".cu") and re.search(rf"__global__[^;{{]*\b{kernel.partition('<')[0]}\(", read(path)):
            return whole(path)
    raise ValueError(f"no file has the kernel {kernel}")


def samples(kernel: str, revision: str | None = None) -> int:
    """Of how many samples, or sorted keys, a thread reads the labels in one turn of its loop."""
    if kernel in NEW:
        return NEW[kernel]
    name, widest = kernel.partition("<")[0], max(sizes(kernel))
    if name == "deal_keys":
        return 8
    if name in ("bucket_sizes", "write_runs", "keys_of") and revision == BEFORE:
        return 1
    if name in ("bucket_sizes", "write_runs"):
        return 8 if name == "bucket_sizes" else 4
    if revision != BEFORE:
        return {1: 16, 2: 8, 4: 4, 8: 4}[widest] * (1 if sum(sizes(kernel)) > 20 else 4 if widest == 4 else 2)
    of_labels, packs = max(sizes(kernel)[:2]), {1: 1, 2: 1, 4: 4, 8: 2}
    most = 1 if name == "limits" else 2 if sizes(kernel)[2:] == (8,) else 4
    return {1: 16, 2: 8, 4: 4, 8: 4}[of_labels] * min(packs[of_labels], most)


def cost(kernel: str, revision: str | None = None) -> tuple[int, float]:
    """The registers of a kernel, and the instructions that a warp issues for 32 samples."""
    name = f"gpuval::{kernel}"
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kernels.cu"
        path.write_text(source_of(kernel, revision), encoding="utf-8")
        compiled = compile_kernels(path, [name], "sm_90", ["-default-device"])
    _, length = loops.turn(loops.instructions(compiled.cubin, compiled.lowered[name]))
    return compiled.resources[name].registers, length / samples(kernel, revision)


def rows() -> Iterator[str]:
    for kernel in KERNELS:
        (old_registers, old), (registers, new) = cost(kernel, BEFORE), cost(kernel)
        words = old_registers, registers, f"{old:.1f}", f"{new:.1f}", f"{new / old:.2f}"
        yield f"| `{kernel.replace('gpuval::', '')}` | {' | '.join(map(str, words))} |\n"
    for kernel in NEW:
        registers, new = cost(kernel)
        yield f"| `{kernel}` | | {registers} | | {new:.1f} | |\n"


if __name__ == "__main__":
    print(HEAD.format(before=BEFORE) + "".join(rows()), end="")
