"""A measure is added by its formula with what is declared of it, its definition, and ``.ci/generate.py``.

In a copy of the project a measure is added to each family: an existing one under another name, so that nothing but the
three steps is new. All tests that then run it are to pass, and to fail where something false is declared.
"""

import ast
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent


class Added(NamedTuple):
    """A measure whose code is taken, and the file of its definition, if that is found by its name."""

    module: str
    measure: str
    definition: str | None = None


FAMILIES = {
    "two labelings": Added("metrics/external/pair_counting.py", "rand_score", "oracles.py"),
    "one labeling": Added("metrics/external/beta_entropies.py", "gini_index", "oracles.py"),
    "samples": Added("metrics/internal/dunn.py", "dunn_index"),
    "graphs": Added("metrics/graph.py", "coverage_score"),
    "integration": Added("metrics/integration/lisi.py", "ilisi_score"),
    "rankings": Added("ranking/retrieval.py", "recall_at_n", "ranking_oracles.py"),
    "several labels": Added("multilabel/predicted.py", "hamming_loss", "multilabel_oracles.py"),
    "intervals": Added("intervals/similarity.py", "sorensen_score", "interval_oracles.py"),
}
NAMES = {family: f"trial_{added.measure}" for family, added in FAMILIES.items()}
TESTS = ["tests/metrics", "tests/ranking", "tests/multilabel", "tests/intervals", "tests/test_declared_directions.py"]
OF_PUBLIC_NAMES = [
    "tests/test_generated.py",
    "tests/test_help.py",
    "tests/test_signatures.py",
    "tests/docs/test_measures_page.py",
]


def source_of(text, name):
    """The source of a function with its decorators, and its row in a table of values, if there is one."""
    function = next(x for x in ast.parse(text).body if getattr(x, "name", "") == name)
    first = min([function.lineno, *(x.lineno for x in function.decorator_list)])
    return "\n".join(text.splitlines()[first - 1 : function.end_lineno])


def renamed(source, name):
    """The code of a measure under its new name, and without the short names and places that are taken."""
    declared, function = re.split(r"^(?=def )", source, maxsplit=1, flags=re.M)
    declared = re.sub(r"\b(short=\([^()]*\)|(usual|usual_n|title)=[^,()\n]+),? ?", "", declared).replace(", )", ")")
    return re.sub(rf"\b{name}\b", f"trial_{name}", declared + function)


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """The copy, in which each family has one more measure, and ``generate.py`` has run."""
    root = tmp_path_factory.mktemp("copied")
    for folder in (".ci", "docs", "examples", "gpuval", "tests", "benchmarks"):
        shutil.copytree(ROOT / folder, root / folder, ignore=shutil.ignore_patterns("__pycache__", "build"))
    for path in (*ROOT.glob("*.md"), ROOT / "pyproject.toml", ROOT / "CITATION.cff"):
        shutil.copy(path, root)
    for added in FAMILIES.values():
        add(root / "gpuval" / added.module, added.measure)
        path = root / "gpuval" / added.module
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r"__all__ = \[", f'__all__ = ["trial_{added.measure}", ', text), encoding="utf-8")
        if added.definition:
            add(root / "tests" / added.definition, added.measure)
    done = subprocess.run([sys.executable, ".ci/generate.py"], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return root


def add(path, name):
    """Add a copy of a function to its file, and of the row that it has in a table of values there."""
    text = path.read_text(encoding="utf-8")
    text = re.sub(
        rf'^    "{name}": .*,$', lambda row: f"{row[0]}\n{row[0].replace(name, f'trial_{name}')}", text, flags=re.M
    )
    function = f"\n\n{renamed(source_of(text, name), name)}\n" if re.search(rf"^def {name}\(", text, re.M) else ""
    path.write_text(text + function, encoding="utf-8")


def ran(root, *command):
    """The exit status of Python in the copy, and what it prints."""
    environment = os.environ | {"PYTHONPATH": str(root)}
    done = subprocess.run([sys.executable, *command], cwd=root, capture_output=True, text=True, env=environment)
    return done.returncode, done.stdout + done.stderr


def passed_tests(root, *options):
    """What the tests of the added measures say: the exit status, the output, and how many passed."""
    quiet = ("-q", "--full", "-p", "no:cacheprovider", "--backends=numpy", "-k", "trial")
    status, out = ran(root, "-m", "pytest", *quiet, *options)
    passed = re.search(r"(\d+) passed", out)
    return status, out, int(passed[1]) if passed else 0


def test_it_is_found_by_its_name_everywhere(copied):
    program = (
        "import gpuval; from gpuval import ranking, multilabel, intervals;"
        "print(*gpuval.METRICS, *gpuval.INTERNAL_METRICS, *gpuval.__all__, *ranking.__all__, *multilabel.__all__,"
        " *intervals.__all__)"
    )
    _, names = ran(copied, "-c", program)
    _, listed = ran(copied, "-m", "gpuval", "metrics")
    texts = [(copied / x).read_text(encoding="utf-8") for x in ("docs/measures.md", "gpuval/__init__.pyi")]
    for family, name in NAMES.items():
        assert name in names.split()
        assert re.search(rf"^  ([a-z]+\.)?{name}\b", listed, re.MULTILINE), name
        if family not in ("rankings", "several labels", "intervals"):
            assert all(name in text for text in texts), name
    assert "trial_rand_score" in (copied / "docs" / "which-measure.md").read_text(encoding="utf-8")


def test_all_tests_of_it_pass(copied):
    status, out, passed = passed_tests(copied, *TESTS)
    assert status == 0, out[-3000:]
    assert passed > 100
    for name in NAMES.values():
        assert name in ran(copied, "-m", "pytest", "--co", "-q", "--full", "--backends=numpy", "-k", name, *TESTS)[1], (
            name
        )


def test_what_is_written_and_documented_is_right(copied):
    status, out = ran(copied, "-m", "pytest", "-q", "--full", "-p", "no:cacheprovider", *OF_PUBLIC_NAMES)
    assert status == 0, out[-3000:]


FALSE = {
    "lower is better": ("two labelings", 'better="lower"'),
    "it is no metric": ("two labelings", "is_metric=False"),
    "the range is wider": ("two labelings", "range=(-1.0, 1.0)"),
    "the range is narrower": ("two labelings", "range=(0.25, 1.0)"),
    "it is not symmetric": ("two labelings", "exchanged=None"),
    "it is corrected for chance": ("two labelings", "adjusted=True"),
    "of samples": ("samples", 'better="lower"'),
    "of a graph": ("graphs", 'better="lower"'),
    "of cells": ("integration", 'better="lower"'),
    "of a ranking": ("rankings", "range=(0.0, 0.25)"),
    "of several labels": ("several labels", 'better="higher"'),
    "of intervals": ("intervals", "range=(0.0, 0.25)"),
}
"""What is declared of the measure of a family and is not true."""


@pytest.mark.parametrize("false", FALSE)
def test_what_is_false_is_found_out(copied, false):
    family, declaration = FALSE[false]
    module, name = copied / "gpuval" / FAMILIES[family].module, NAMES[family]
    right = module.read_text(encoding="utf-8")
    before, decorator, function = re.split(
        rf"(@measure\([^@]*)(?=\ndef {name}\(|\n@document[^@]*\ndef {name}\()", right
    )
    known = declaration.partition("=")[0]
    decorator = re.sub(rf"\b{known}=(\([^()]*\)|lambda [^:]*:[^@]*|[^,()\n]+),? ?(?=[^@]*\)$)", "", decorator)
    wrong = re.sub(r",?\s*\)$", f", {declaration})", decorator)
    module.write_text(before + wrong + function, encoding="utf-8")
    try:
        tests = ["tests/test_declared_directions.py", *(["tests/metrics"] if family == "two labelings" else [])]
        status, out, _ = passed_tests(copied, *tests)
    finally:
        module.write_text(right, encoding="utf-8")
    assert status == 1, out[-3000:]
    assert "AssertionError" in out
    assert name in out
