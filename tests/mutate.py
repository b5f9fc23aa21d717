"""Puts small faults into gpuval, one at a time, and says which tests find each: how good are the tests?

Run by hand, never by pytest, in the folder of the repository::

    python tests/mutate.py --list                            # the faults
    python tests/mutate.py --first                           # only the tests that know each part best: minutes
    python tests/mutate.py --out default.jsonl               # and then all tests that `pytest` runs by default
    python tests/mutate.py --tier full --out full.jsonl      # and then all that `pytest --full` runs: hours
    python tests/mutate.py --join default.jsonl full.jsonl   # a table with a column for each of them

Each fault of `faults.txt` is an edit of one file. The script works on a copy of the tree in a temporary folder: it
makes the edit, runs the tests named with the fault, and if they pass all others, and undoes the edit. A fault is found
if a test fails, if the tests cannot even be collected, or if they do not end in time. Tests are run without a fault,
too: one that fails anyway finds nothing. Several runs may go on at once, such as the parts `--shard 1/2` and
`--shard 2/2`. With `--root` and `--plain` an older commit is measured, whose tests have no option `--full`.

Tests in `tests/cupy_on_cpu` run over the stand-ins of that folder: for faults with such tests, run this script with an
environment that has CuPy.

A fault that no test finds asks for a test. One that nobody could notice is none: take it out of `faults.txt`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parents[1]
ABOUT_FAULTS = "tests/test_mutate.py"
"""It tests the list of faults, and would fail with any of them."""
OVER_STAND_INS = "tests/cupy_on_cpu"
"""Its tests are run by itself."""


class Fault(NamedTuple):
    name: str
    """What is wrong, in words."""
    file: str
    """Below gpuval/."""
    tests: str
    """Those that most likely find it, below tests/, with blanks between them."""
    old: str
    """A text that occurs once in the file."""
    new: str


def read_faults(file: Path) -> tuple[Fault, ...]:
    """What a file in the form of ``faults.txt`` has, whose first lines say what that is."""

    def of_block(block: str) -> Fault:
        first, tests, *edit = block.split("\n")
        file, _, name = first.partition(": ")
        old, new = ("\n".join(line[2:] for line in edit if line[:2] == sign) for sign in ("- ", "+ "))
        return Fault(name, file, tests, old, new)

    _, *blocks = file.read_text().strip().split("\n\n")
    return tuple(map(of_block, blocks))


FAULTS = read_faults(HERE / "tests" / "faults.txt")


class StopError(Exception):
    """Something is wrong with the script, its list or the tree, so that no result would mean anything."""


def with_fault(fault: Fault, root: Path) -> str:
    """The text of its file with the fault."""
    file = root / "gpuval" / fault.file
    text = file.read_text() if file.exists() else ""
    if text.count(fault.old) != 1:
        raise StopError(
            f"{fault.name!r}: gpuval/{fault.file} has {text.count(fault.old)} times {fault.old!r}, not once"
        )
    return text.replace(fault.old, fault.new)


class Tests:
    """The tests of a tier, run on a copy of the tree; ``most`` is the time in seconds that a run may take."""

    def __init__(self, copy: Path, tier: str, others: Sequence[str], most: float) -> None:
        self._copy, self._tier, self._others, self._most = copy, tier, others, most

    def first_failure(self, tests: Iterable[str] | None) -> str | None:
        """The node id of the first of some tests that fails, or of all tests; None if they pass."""
        of_tier = [*["--full"] * (self._tier == "full"), *self._others]
        if tests is None:
            return self._first(
                ["-m", "pytest"], [*of_tier, "-n", "2", "--dist", "worksteal", f"--ignore={ABOUT_FAULTS}"]
            )
        named = list(tests)
        over_stand_ins = [test for test in named if test.startswith(f"{OVER_STAND_INS}/")]
        others = [test for test in named if test not in over_stand_ins]
        found = self._first(["-m", "pytest"], [*of_tier, *self._within_tier(others)], True) if others else None
        return self._first([OVER_STAND_INS], over_stand_ins) if over_stand_ins and found is None else found

    def _first(self, program: list[str], chosen: list[str], are_named: bool = False) -> str | None:
        options = ["-x", "-q", "-p", "no:cacheprovider", *chosen]
        code, said = self._run([sys.executable, *program, *options])
        if code is None:
            return "timeout"
        failed = re.search(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", said, re.MULTILINE)
        if code == 0:
            return None
        if code == 5 and are_named and self._tier == "default":
            return None  # none of the tests that are named is in this tier
        if code in (1, 2) and failed:  # 2 if tests cannot be collected, and from the processes of pytest-xdist
            return failed[1] if "::" in failed[1] else f"collection of {failed[1]}"
        if code < 0 and -code not in (signal.SIGKILL, signal.SIGTERM):  # as where memory is short
            return f"crash by signal {-code}"
        raise StopError(f"{' '.join([*program, *options])}\nended with {code}:\n{said[-3000:]}")

    def _within_tier(self, tests: list[str]) -> list[str]:
        """Arguments of pytest for some tests: by -k, as what is named by "::" runs in any tier."""
        if self._tier != "default":
            return tests
        named = [test.partition("[")[0].partition("::") for test in tests]
        files = list(dict.fromkeys(file for file, _, _ in named))
        functions = dict.fromkeys(function for _, _, function in named)
        return files if "" in functions else [*files, "-k", " or ".join(functions)]

    def _run(self, command: Sequence[str]) -> tuple[int | None, str]:
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
        # Also programs that tests start, such as the command line, take the package of the copy.
        environment = {**os.environ, "PATH": path, "PYTHONPATH": str(self._copy)}
        with tempfile.TemporaryFile("w+") as output:  # no pipe, which what outlives the run would hold open
            run = subprocess.Popen(
                command, cwd=self._copy, env=environment, stdout=output, stderr=output, start_new_session=True
            )
            try:
                code = run.wait(self._most)
            except subprocess.TimeoutExpired:
                code = None
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(run.pid, signal.SIGKILL)  # the processes of its session, which are all its own
                run.wait()
            output.seek(0)
            return code, output.read()


@contextmanager
def copied(root: Path) -> Iterator[Path]:
    """A folder with the files of a tree that git knows, as they are now."""
    names = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, text=True, check=True).stdout
    with tempfile.TemporaryDirectory(prefix="gpuval-mutate-") as folder:
        for name in filter(None, names.split("\0")):
            if (root / name).is_file():
                (Path(folder) / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(root / name, Path(folder) / name)
        yield Path(folder)


@contextmanager
def edited(fault: Fault, copy: Path) -> Iterator[None]:
    """Within it, the copy has the fault."""
    file = copy / "gpuval" / fault.file
    before, text = file.read_text(), with_fault(fault, copy)

    def write(text: str) -> None:
        file.write_text(text)
        for compiled in (file.parent / "__pycache__").glob(f"{file.stem}.*"):  # which may look as new as the text
            compiled.unlink()

    write(text)
    try:
        yield
    finally:
        write(before)


def paths(faults: Iterable[Fault]) -> list[str]:
    return list(dict.fromkeys(f"tests/{test}" for fault in faults for test in fault.tests.split()))


def measured(faults: Sequence[Fault], tests: Tests, copy: Path, asked: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """For each fault what is found by which test, and in how many seconds."""
    if not asked.trust and (failed := tests.first_failure(paths(faults))):
        raise StopError(f"{failed} fails without a fault")
    fine: set[str] = set()
    for fault in faults:
        start = time.monotonic()
        with edited(fault, copy):
            found = tests.first_failure(paths([fault]))
            is_by_others = found is None and not asked.first
            if is_by_others:
                found = tests.first_failure(None)
        seconds = round(time.monotonic() - start, 1)
        if is_by_others and found is not None and "::" in found and not asked.trust and found not in fine:
            if tests.first_failure([found]) is not None:
                raise StopError(f"{found} fails without a fault, too")
            fine.add(found)
        tier = asked.tier + " (named tests)" * asked.first
        yield {"name": fault.name, "tier": tier, "found": found, "seconds": seconds}


def table(results: Iterable[dict[str, Any]]) -> str:
    """In Markdown: a row for each fault, a column for each tier, and how many faults are found."""
    found = {(x["name"], x["tier"]): x["found"] for x in results}
    names, tiers = (list(dict.fromkeys(x)) for x in zip(*found, strict=True))

    def cell(name: str, tier: str) -> str:
        if (name, tier) not in found:
            return ""
        test = found[name, tier] or ("-" if tier.endswith(" (named tests)") else "**survived**")
        return test.replace("|", "\\|")

    lines = [
        ["fault", *tiers],
        ["---"] * (1 + len(tiers)),
        *([name, *(cell(name, x) for x in tiers)] for name in names),
    ]
    rows = "".join(f"| {' | '.join(line)} |\n" for line in lines)
    sums = [[x is not None for (_, tier), x in found.items() if tier == one] for one in tiers]
    return rows + "".join(f"\n{tier}: {sum(x)} of {len(x)} faults found\n" for tier, x in zip(tiers, sums, strict=True))


def chosen(asked: argparse.Namespace) -> list[Fault]:
    faults = [x for x in FAULTS if not asked.only or any(part in f"{x.file}: {x.name}" for part in asked.only)]
    part, number = map(int, asked.shard.split("/"))
    if not (faults and 1 <= part <= number):
        raise StopError(f"no fault is chosen by --only {asked.only} and --shard {asked.shard}")
    return faults[part - 1 :: number]


def read_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    add = parser.add_argument
    add("--tier", choices=("default", "full"), default="default", help="the tests of `pytest`, or of `pytest --full`")
    add("--plain", dest="tier", action="store_const", const="plain", help="all tests of a tree that has no tiers")
    add("--only", action="append", metavar="PART", help="faults whose name or file has this text; may be repeated")
    add("--first", action="store_true", help="run only the tests that are named with each fault")
    add("--shard", default="1/1", metavar="I/N", help="every N-th fault, from the I-th on")
    add("--root", type=Path, default=HERE, help="the tree whose package and tests are taken")
    add("--trust", action="store_true", help="do not look whether tests fail without a fault")
    add("--timeout", type=float, help="seconds that a run may take; by default 1800, and 4 hours for all tests")
    add(
        "--pytest",
        dest="options",
        action="append",
        default=[],
        metavar="OPTION",
        help="such as --pytest=--backends=numpy",
    )
    add("--out", type=Path, help="append a line of JSON for each fault to this file")
    add("--list", action="store_true", help="print the faults")
    add("--join", nargs="+", type=Path, metavar="FILE", help="print the table of such files")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> None:
    asked = read_arguments(arguments)
    if asked.join:
        print(table(json.loads(line) for file in asked.join for line in file.read_text().splitlines()))
        return
    faults = chosen(asked)
    if asked.list:
        print("\n".join(f"{x.file}: {x.name}" for x in faults))
        return
    results = []
    with copied(asked.root) as copy:
        for fault in faults:
            with_fault(fault, copy)
        most = asked.timeout or (1800 if asked.first or asked.tier == "default" else 4 * 3600)
        for result in measured(faults, Tests(copy, asked.tier, asked.options, most), copy, asked):
            results.append(result)
            print(
                f"{result['name']}: {result['found'] or 'not found'} ({result['seconds']} s)",
                file=sys.stderr,
                flush=True,
            )
            if asked.out:
                with asked.out.open("a") as out:
                    out.write(json.dumps(result) + "\n")
    print(table(results))


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the folder and the tests that run go, too
    try:
        main()
    except StopError as error:
        sys.exit(f"mutate.py: {error}")
