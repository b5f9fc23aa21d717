"""What ``python .ci/generate.py`` writes is as the code is now, and differences are found."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

PLANTED = {
    "gpuval/_index.py": (r'        "rand_score",\n', ""),
    "gpuval/intervals/__init__.py": (r'    "simpson_score",\n', ""),
    "gpuval/multilabel/__init__.py": (r'    "log_loss",\n', ""),
    "gpuval/ranking/__init__.py": (r'    "dcg_score",\n', ""),
    "gpuval/__init__.py": (r"\brand_score \(RI, R\), ", ""),
    "gpuval/evaluation/evaluation.py": (r"    dunn +dunn_index\n", ""),
    "gpuval/ranking/evaluation.py": (r"rr, mrr", "mrr    "),
    "gpuval/multilabel/evaluation.py": (r"    mae +mean_absolute_error\n", ""),
    "gpuval/__init__.pyi": (r"def rand_score\(", "def rand_index("),
    "gpuval/intervals/__init__.pyi": (r"def jaccard_score\(", "def jaccard_index("),
    "gpuval/multilabel/__init__.pyi": (r"def f_score\(", "def f_index("),
    "gpuval/ranking/__init__.pyi": (r"def hit_rate\(", "def hit_score("),
    "README.md": (r"\d+(?= measures in all)", "7"),
    "docs/measures.md": (r",\s\{func\}`~gpuval.adjusted_bcubed_f_score`", ""),
    "docs/which-measure.md": (r"(~gpuval.purity_score`) \| no", r"\1 | yes"),
}
"""For each text what is replaced in it, and by what."""


def ran(root, *options):
    """What the command prints in a folder, and its exit status."""
    command = [sys.executable, ".ci/generate.py", *options]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True)
    return done.stdout + done.stderr, done.returncode


@pytest.fixture
def copied(tmp_path):
    """A folder with all that the command reads and writes."""
    ignored = shutil.ignore_patterns("__pycache__")
    for folder in (".ci", "gpuval"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=ignored)
    (tmp_path / "docs").mkdir()
    for path in ("README.md", "pyproject.toml", "docs/measures.md", "docs/which-measure.md"):
        shutil.copy(ROOT / path, tmp_path / path)
    return tmp_path


def test_all_is_as_it_would_be_written():
    assert ran(ROOT, "--check") == ("", 0), "python .ci/generate.py writes it"


def test_differences_are_found_and_written(copied):
    right = {path: (copied / path).read_text(encoding="utf-8") for path in PLANTED}
    for path, (pattern, instead) in PLANTED.items():
        wrong, n = re.subn(pattern, instead, right[path])
        assert n >= 1, path
        (copied / path).write_text(wrong, encoding="utf-8")
    differing, status = ran(copied, "--check")
    assert (re.findall(r"^--- (.+)$", differing, re.MULTILINE), status) == (list(PLANTED), 1)
    assert ran(copied) == ("".join(f"wrote {path}\n" for path in PLANTED), 0)
    assert {path: (copied / path).read_text(encoding="utf-8") for path in PLANTED} == right


def test_a_new_module_of_measures_is_in_the_index(copied):
    path = copied / "gpuval" / "metrics" / "external" / "other.py"
    path.write_text('__all__ = ["other_score", "another_score"]\n', encoding="utf-8")
    ran(copied)
    index = (copied / "gpuval" / "_index.py").read_text(encoding="utf-8")
    entry = '    "metrics.external.other": (\n        "another_score",\n        "other_score",\n    ),\n'
    assert f'    "metrics.external.tables": ("contingency_matrix",),\n{entry}' in index
