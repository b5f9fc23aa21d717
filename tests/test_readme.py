"""Every block of code in the README runs, and what it says of the results is true."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gpuval

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"(?:<!-- (\w+) -->\n)?```(\w+)\n(.*?)```", README, re.DOTALL)
PYTHON = [code for _, language, code in BLOCKS if language == "python"]


def ran(*arguments):
    found = subprocess.run([sys.executable, "-m", "gpuval", *arguments], capture_output=True, text=True)
    assert found.returncode == 0, found.stderr
    return found.stdout


def test_there_is_code():
    assert len(PYTHON) == 5
    assert {language for _, language, _ in BLOCKS} == {"python", "sh"}
    assert {mark for mark, _, _ in BLOCKS} == {"", "demo", "tests"}


def test_it_is_short():
    assert len(README.split()) <= 1200


@pytest.mark.parametrize("code", PYTHON)
def test_python(code, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # one of them writes a page
    exec(compile(code, "README.md", "exec"), {})


def test_the_two_commands():
    """The demo runs here without its installation; the command of the tests is what .ci/run installs with."""
    marked = {mark: code for mark, _, code in BLOCKS if mark}
    demo = marked["demo"].strip().split(" && ")
    assert demo[1:] == ['.venv/bin/pip install ".[cli]"', ".venv/bin/gpuval demo"]
    assert "This installs gpuval and scores a clustering of 700 real cells" in README
    assert "`.venv/bin/gpuval demo --report` opens" in README  # .venv is not active then
    (demonstrated,) = json.loads(ran("demo", "--format", "json")).values()
    assert demonstrated["n_samples"] == 700
    assert "<!-- tests -->" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert marked["tests"].strip().endswith("&& .venv/bin/pytest -n auto --dist worksteal")


def test_values_in_comments():
    """Values by definition: of the first example the partitions are equal; see `tests/oracles.py` for the second."""
    assert gpuval.adjusted_rand_score(["a", "a", "b", "b"], [1, 1, 0, 0]) == 1
    assert gpuval.adjusted_rand_score([0, 0, 1, -1], [7, 7, 9, 9], ignore_labels=-1) == 1
    # Homogeneity: H(true) = 1.5 bits, of which 0.5 are left open; completeness 1; so 2 (2/3) / (2/3 + 1).
    assert gpuval.v_measure_score(["a", "a", "b", "c"], [0, 0, 1, 1]) == pytest.approx(0.8, abs=1e-15)
    (code,) = (x for x in PYTHON if "scores.verdict" in x)
    before, _, _ = code.partition("report =")
    exec(compile(before, "README.md", "exec"), found := {})
    assert found["scores"].verdict.headline in " ".join(re.sub(r"^# ", "", code, flags=re.M).split())
    assert found["clusterings"].shape == (700, 7)


def test_links_lead_somewhere():
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert [x for x in links if not (ROOT / x).exists()] == []
    assert len([x for x in links if x.startswith("docs/")]) > 15
