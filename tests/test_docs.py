"""The pages of docs/: every code cell runs, and what they link to and name exists."""

from __future__ import annotations

import functools
import importlib
import re

import pytest
from guide_pages import DOCS, PAGES, blocks, cells, ran

import gpuval
from benchmarks.growth import PICTURES

GUIDES = [
    *("coming-from-genieclust", "coming-from-scib-metrics", "coming-from-scikit-learn", "coming-from-torchmetrics"),
    *("command-line", "intervals", "many-processes", "multilabel", "plots-and-reports", "rankings", "single-cells"),
    *("how-many-clusters", "statistics", "training-loops", "without-a-reference"),
]

NOT_RUN_BY_THE_SITE = {"coming-from-scib-metrics.md": 1, "training-loops.md": 2}
"""How many blocks of Python are no cells, on which pages; tests of these pages run them."""

RESULTS = [path.stem for path in (DOCS.parent / "benchmarks" / "results").glob("*.md")]
OF_RESULTS = {f"benchmarks/growth-{picture.name}-{x}.svg" for picture in PICTURES for x in ("light", "dark")} | {
    f"benchmarks/{'gpu' if x == 'README' else re.sub(r'^[0-9-]{10}-', '', x)}.md" for x in RESULTS
}
"""What the build of the site makes: a page for each file of results, and pictures of how times grow."""


def test_the_guides_are_pages_that_have_code():
    for guide in GUIDES:
        assert cells(f"{guide}.md") or guide == "command-line", guide


@pytest.mark.parametrize("name", [name for name in PAGES if cells(name)])
def test_cells_run(name):
    assert ran(name).names
    assert PAGES[name].startswith("---\nfile_format: mystnb\nkernelspec:\n  name: python3\n")


@pytest.mark.parametrize("guide", GUIDES)
def test_other_python_is_known(guide):
    name = f"{guide}.md"
    assert len(blocks(name, "python")) == NOT_RUN_BY_THE_SITE.get(name, 0)
    kinds = re.findall(r"^```(?! *$)(.+)$", PAGES[name], re.MULTILINE)
    assert set(kinds) <= {"{code-cell} python", "python", "sh"}


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name):
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", PAGES[name])
    assert [x for x in links if x not in OF_RESULTS and not (DOCS / x).exists()] == []
    files = re.findall(r"\{repo\}`([^`]+)`", PAGES[name])
    assert [x for x in files if not (DOCS.parent / x).exists()] == []


@pytest.mark.parametrize("guide", GUIDES)
def test_another_page_links_to_it(guide):
    others = [text for name, text in PAGES.items() if name != f"{guide}.md"]
    assert any(f"]({guide}.md" in text for text in others)


@pytest.mark.parametrize("name", PAGES)
def test_roles_name_what_is_public(name):
    """{func}`gpuval.jackknife`, and the like."""
    for role, target in re.findall(r"\{(func|class|meth|mod)\}`~?([\w.]+)`", PAGES[name]):
        package, *path = target.split(".")
        assert package == "gpuval"
        found = functools.reduce(_member, path, gpuval)
        assert role != "class" or isinstance(found, type), target
        assert role not in ("func", "meth") or callable(found), target


def _member(owner, name):
    """What an import or an attribute gives."""
    return getattr(owner, name, None) or importlib.import_module(f"{owner.__name__}.{name}")
