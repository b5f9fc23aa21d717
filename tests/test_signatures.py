"""What type checkers and editors see: the stubs, and calls that are right or wrong for mypy and for pyright.

basedpyright is pyright's engine with all that it needs in one package.
"""

import inspect
import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from importlib import import_module
from pathlib import Path
from typing import get_overloads

import pytest

ROOT = Path(__file__).parent.parent
CALLS = ROOT / "tests" / "typed_calls"
STUBS = sorted((ROOT / "gpuval").rglob("*.pyi"))
DOORS = ("gpuval", "gpuval.ranking", "gpuval.multilabel", "gpuval.intervals")


def output_of(*command, cwd=ROOT):
    """What a module of Python prints that imports this gpuval."""
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    ran = subprocess.run([sys.executable, "-m", *command], cwd=cwd, env=environment, capture_output=True, text=True)
    assert ran.returncode in (0, 1), ran.stdout + ran.stderr
    return ran.stdout


# The stubs.


def told_by_stubtest(module, folder):
    """What mypy's stubtest says of stubs in a folder; modules without a stub are types by themselves."""
    (folder / "mypy.ini").write_text("[mypy]\nignore_missing_imports = True\nfollow_imports = skip\n")
    told = output_of("mypy.stubtest", module, "--concise", "--mypy-config-file", "mypy.ini", cwd=folder)
    return [line for line in told.splitlines() if not line.endswith("failed to find stubs")]


@pytest.fixture
def copied_stubs(tmp_path):
    for path in STUBS:
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(exist_ok=True)
        shutil.copy(path, copy)
    return tmp_path


def test_stubs_agree_with_the_runtime(copied_stubs):
    assert {path.parent.name for path in STUBS} == {x.rpartition(".")[2] for x in DOORS}
    assert told_by_stubtest("gpuval", copied_stubs) == []


def test_a_stub_that_does_not_agree_is_found(copied_stubs):
    path = copied_stubs / "gpuval" / "ranking" / "__init__.pyi"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("    max_relevance: float", "    most_relevance: float"), encoding="utf-8")
    assert told_by_stubtest("gpuval.ranking", copied_stubs) == [
        'gpuval.ranking.expected_reciprocal_rank is inconsistent, runtime does not have parameter "most_relevance"',
        'gpuval.ranking.expected_reciprocal_rank is inconsistent, stub does not have parameter "max_relevance"',
    ]


# Right and wrong calls.

TAKE_OPTIONS_OF_MEASURES = {
    "gpuval.bootstrap",
    "gpuval.compare_many_scores",
    "gpuval.compare_scores",
    "gpuval.jackknife",
    "gpuval.permutation_test",
}
"""Their other options are those of a measure, which may be any function."""


def unknown_options():
    """A file of calls of every public function, each with an option that it does not have."""
    lines = ["from typing import Any", *(f"import {door}" for door in DOORS), "def calls(x: Any) -> None:"]
    for door in DOORS:
        module = import_module(door)
        for name in module.__all__:
            public = getattr(module, name)
            if inspect.isfunction(public) and f"{door}.{name}" not in TAKE_OPTIONS_OF_MEASURES:
                parameters = inspect.signature(public).parameters.values()
                required = [f"{x.name}=x" for x in parameters if x.default is x.empty]
                named = name if get_overloads(public) else "no_option"  # what messages name
                lines.append(f"    {door}.{name}({', '.join([*required, 'no_option=x'])})  # error: {named}")
    return "\n".join(lines) + "\n"


def errors_of_mypy(folder):
    told = output_of("mypy", *map(str, sorted(folder.glob("*.py"))))
    return re.findall(r"(\w+\.py):(\d+): error: (.+)", told)


def errors_of_pyright(folder):
    (folder / "pyrightconfig.json").write_text(json.dumps({"typeCheckingMode": "strict", "extraPaths": [str(ROOT)]}))
    told = json.loads(output_of("basedpyright", "--pythonpath", sys.executable, "--outputjson", cwd=folder))
    for found in told["generalDiagnostics"]:
        if found["severity"] == "error":
            yield Path(found["file"]).name, found["range"]["start"]["line"] + 1, found["message"]


CHECKERS = {"mypy": errors_of_mypy, "pyright": errors_of_pyright}


@pytest.mark.parametrize("checker", CHECKERS)
def test_wrong_calls_alone_are_errors(checker, tmp_path):
    for path in CALLS.glob("*.py"):
        shutil.copy(path, tmp_path)
    (tmp_path / "unknown_options.py").write_text(unknown_options())
    told = defaultdict(list)
    for file, line, message in CHECKERS[checker](tmp_path):
        told[file, int(line)].append(message)
    wrong = {
        (path.name, number): line.partition("  # error: ")[2]
        for path in tmp_path.glob("*.py")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if "  # error: " in line
    }
    assert len(wrong) > 150
    assert {place: told[place] for place in told if place not in wrong} == {}  # right calls that are errors
    assert {place for place in wrong if place not in told} == set()  # wrong calls that are none
    assert {place: told[place] for place, word in wrong.items() if not any(word in x for x in told[place])} == {}


def test_right_calls_run():
    import matplotlib.pyplot as plt

    path = CALLS / "right.py"
    names = {"__name__": "right"}
    exec(compile(path.read_text(encoding="utf-8"), path, "exec"), names)
    calls = [x for x in names.values() if inspect.isfunction(x) and not inspect.signature(x).parameters]
    assert len(calls) == 6
    for call in calls:
        call()
    plt.close("all")
