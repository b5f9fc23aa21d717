"""Run the parts of a step in Python: ``python -m benchmarks.gpu_run smoke``, or ``timings``, or ``tune``.

A part that fails is told of and does not stop the others; the exit code is 1 then.
"""

from __future__ import annotations

import argparse
import importlib
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.arguments import names
from benchmarks.gpu_run.run import Run

STEPS = ("smoke", "timings", "tune")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the parts that are asked for, in order."""
    parser = _parser()
    asked = parser.parse_args(arguments)
    try:
        step: Any = importlib.import_module(f"benchmarks.gpu_run.{asked.step}")
    except ModuleNotFoundError as error:
        parser.error(f"a run on a GPU needs {error.name}")
    unknown = set(asked.only or ()) - {part.__name__ for part in step.PARTS}
    if unknown:
        parser.error(f"--only must be names out of {', '.join(part.__name__ for part in step.PARTS)}")
    if asked.small:
        _allocate_each_array()
    run = Run(small=asked.small, seconds=asked.seconds, json=asked.json)
    return run.all(part for part in step.PARTS if asked.only is None or part.__name__ in asked.only)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.gpu_run", description=__doc__)
    parser.add_argument("step", choices=STEPS)
    parser.add_argument("--only", type=names, metavar="PART,...", help="these parts only")
    parser.add_argument("--small", action="store_true", help="memory of its own for each array, smaller sizes of smoke")
    parser.add_argument("--seconds", type=float, default=math.inf, help="after which no timing begins")
    parser.add_argument("--json", type=Path, metavar="PATH", help="write what was found, after each part")
    return parser


def _allocate_each_array() -> None:
    """Take CuPy's pool away, so that a sanitizer sees where each array ends."""
    import cupy

    cupy.cuda.set_allocator(None)


if __name__ == "__main__":
    sys.exit(main())
