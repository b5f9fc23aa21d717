"""Optional packages: what is said where one is missing, and what the extras bring."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from extras import EXTRAS, brought_by

import gpuval
from gpuval.inputs.options import require_extra

# What is said where one is missing.

COMMAND = "from gpuval.__main__ import main; sys.exit(main(['demo']))"
COMMAND_OF_A_PAGE = "import gpuval.__main__ as m; sys.exit(m.main(['demo', '--report', '-o', '-']))"

MISSING = [
    ("pandas", "gpuval.evaluate([0, 1], [0, 1]).to_pandas()", "to_pandas()", "pandas"),
    ("pandas", "gpuval.compare([0, 1], [[0, 1]]).to_pandas()", "to_pandas()", "pandas"),
    ("pandas", "gpuval.Contingency.from_labels([0, 1], [0, 1]).to_pandas()", "to_pandas()", "pandas"),
    ("tqdm", "gpuval.silhouette_score([[0.0], [1.0], [5.0]], [0, 0, 1], progress=True)", "progress=True", "progress"),
    ("torch", "import gpuval.torchmetrics", "gpuval.torchmetrics", "torchmetrics"),
    ("torchmetrics", "import gpuval.torchmetrics", "gpuval.torchmetrics", "torchmetrics"),
    ("anndata", "import gpuval.anndata", "gpuval.anndata", "anndata"),
    ("matplotlib", "import gpuval.plots", "gpuval.plots", "plots"),
    ("matplotlib", "gpuval.report([0, 1], [[0, 1]])", "gpuval.report", "report"),
    ("jinja2", "gpuval.report([0, 1], [[0, 1]])", "gpuval.report", "report"),
    ("jinja2", COMMAND_OF_A_PAGE, "gpuval.report", "report"),
    ("torch", "gpuval.Accumulator().all_reduce(group=0)", "all_reduce()", "torch"),
    ("torch", "gpuval.InternalAccumulator(n_clusters=2).all_reduce(group=0)", "all_reduce()", "torch"),
    ("pyarrow", COMMAND, "reading text", "cli"),
    ("pandas", COMMAND, "reading text", "cli"),
]

ABSENT = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == {library!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Absent())
import gpuval
"""


def last_line_without(library, code):
    """What a process writes last on stderr that cannot import ``library``."""
    program = ABSENT.format(library=library) + code
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert ran.returncode != 0
    return ran.stderr.strip().splitlines()[-1]


@pytest.mark.parametrize(("library", "code", "use", "extra"), MISSING)
def test_a_missing_package_is_told_with_the_extra_that_brings_it(library, code, use, extra):
    said = last_line_without(library, code).removeprefix("ImportError: ").removeprefix("gpuval: ")
    assert said == f'{use} needs {library}: pip install "gpuval[{extra}]"'
    assert library in {x.name for x in brought_by(extra)}


@pytest.mark.parametrize("library", ["click", "rich"])
def test_the_command_without_its_packages(library):
    said = last_line_without(library, COMMAND)
    assert said == 'gpuval: the command line needs click and rich: pip install "gpuval[cli]"'
    assert {"click", "rich"} <= {x.name for x in brought_by("cli")}


def test_a_package_that_is_there_and_broken_is_told_apart():
    broken = ImportError("no libc10", name="torch._C")
    with pytest.raises(ImportError) as raised, require_extra("all_reduce()", "torch"):
        raise broken
    told = 'all_reduce() needs torch, whose import fails (no libc10): pip install "gpuval[torch]"'
    assert (str(raised.value), raised.value.__cause__) == (told, broken)


# Every import of an optional library says what it is for, or is reached with arrays of that library only.

OF_ITS_ARRAYS = ("engines.", "numerics.parallel")
"""Modules that see the library's own arrays, or do without it."""
OF_THE_COMMAND = ("cli.", "__main__")
"""The command, which checks in one place."""
ALWAYS_THERE = {"numpy", "scipy", "array_api_compat", "gpuval", "__future__", *sys.stdlib_module_names}


def unguarded_imports(tree):
    guarded = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.With) and "require_extra(" in ast.unparse(block.items[0])
        for node in ast.walk(block)
    }
    for node in ast.walk(tree):
        names = [x.name for x in node.names] if isinstance(node, ast.Import) else []
        names += [node.module] if isinstance(node, ast.ImportFrom) else []
        yield from (x for x in names if x.partition(".")[0] not in ALWAYS_THERE and id(node) not in guarded)


def sources():
    package = Path(gpuval.__file__).parent
    for path in sorted(package.rglob("*.py")):
        yield ".".join(path.relative_to(package).with_suffix("").parts), path.read_text(encoding="utf-8")


def test_every_import_of_an_optional_library_says_what_it_is_for():
    found = {
        name: imports
        for name, source in sources()
        if not name.startswith(OF_ITS_ARRAYS + OF_THE_COMMAND)
        and (imports := list(unguarded_imports(ast.parse(source))))
    }
    # Processes imports torch first of all, and so does its only user.
    assert found == {"streaming.processes": ["torch"] * 4}


def test_an_import_that_says_nothing_is_found():
    assert list(unguarded_imports(ast.parse("def f():\n    import pandas as pd"))) == ["pandas"]
    assert list(unguarded_imports(ast.parse("with require_extra('f()', 'pandas'):\n    import pandas"))) == []


def test_every_extra_that_is_named_is_there():
    named = {
        extra for _, source in sources() for extra in re.findall(r'\b(?:require_extra|missing)\(.*, "(\w+)"\)', source)
    }
    assert {"pandas", "progress", "torch", "torchmetrics", "cli"} <= named
    named |= {extra for _, source in sources() for extra in re.findall(r"gpuval\[(\w+)\]", source)}
    assert named <= set(EXTRAS)


# The extra `all`.

OF_NO_USER = {"all", "test", "lint", "docs", "browser", "cuda12", "cuda13", "cupy-on-cpu"}
"""`all` itself, what develops gpuval, and what needs a GPU."""


def test_all_is_everything_but_the_gpu_and_the_tools():
    others = set(EXTRAS) - OF_NO_USER
    assert {str(x) for x in brought_by("all")} == {str(x) for extra in others for x in brought_by(extra)}
    assert {x.name for x in brought_by("pandas")} == {"pandas"}
