"""Every block of code in docs/ runs, and what it names is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import gpuval

DOCS = Path(__file__).parent.parent / "docs"
PAGES = {path.name: path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("*.md"))}
BLOCKS = [
    pytest.param(code, id=f"{name}-{i}")
    for name, text in PAGES.items()
    for i, code in enumerate(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
]


def test_there_is_code():
    assert len(BLOCKS) == 2


@pytest.mark.parametrize("code", BLOCKS)
def test_python(code):
    exec(compile(code, "docs", "exec"), {})


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name):
    links = re.findall(r"\]\(([^)#:]+)\)", PAGES[name])
    assert [x for x in links if not (DOCS / x).exists()] == []
    assert f"docs/{name}" in (DOCS.parent / "README.md").read_text(encoding="utf-8")


def test_the_page_of_scib_metrics_names_what_is_public():
    """The calls in the second column of its table are of public functions, with arguments that they have."""
    import inspect

    rows = [x.split(" | ") for x in PAGES["coming-from-scib-metrics.md"].splitlines() if x.startswith("| `")]
    calls = [call for row in rows for call in re.findall(r"`([a-z_]+)\(([^`]*)\)`", row[1])]
    assert len(calls) > 15
    for name, arguments in calls:
        parameters = inspect.signature(getattr(gpuval, name)).parameters
        assert set(re.findall(r"(\w+)=", arguments)) <= set(parameters), name
