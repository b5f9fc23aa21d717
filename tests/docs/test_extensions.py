"""What the site's own roles and directives make of a page, and what they warn of."""

import io
import os

import pytest
from extensions_of_the_site import ROOT, extension

import gpuval

pytestmark = [pytest.mark.site, pytest.mark.filterwarnings("ignore:.*Check CHANGES for Sphinx API modifications")]


@pytest.fixture
def build(tmp_path):
    """Builds a page, and gives its HTML and the warnings."""
    from sphinx.application import Sphinx

    extension("repository")

    def html_and_warnings(text, more=()):
        (tmp_path / "index.md").write_text(f"# Page\n\n{text}\n", encoding="utf-8")
        settings = {
            "extensions": ["myst_parser", "repository", "flowchart", *more],
            "myst_fence_as_directive": ["mermaid"],
            "html_theme": "basic",
        }
        warnings, out = io.StringIO(), tmp_path / "out"
        streams = {"status": None, "warning": warnings}
        app = Sphinx(tmp_path, None, out, out / "doctrees", "html", settings, **streams, warningiserror=True)
        app.build()
        told = [x for x in warnings.getvalue().splitlines() if "is already registered" not in x]
        assert app.statuscode == bool(warnings.getvalue())
        return (out / "index.html").read_text(encoding="utf-8"), "\n".join(told)

    return html_and_warnings


def test_a_file_of_the_repository(build):
    html, warnings = build("{repo}`examples/dask_zarr.py` {repo}`the benchmark <benchmarks>`")
    assert 'href="https://github.com/gpuval/gpuval/blob/main/examples/dask_zarr.py"' in html
    assert 'href="https://github.com/gpuval/gpuval/tree/main/benchmarks"' in html
    assert warnings == ""


def test_no_such_file_of_the_repository(build):
    _, warnings = build("{repo}`examples/no_such_file.py`")
    assert "index.md:3: WARNING: no such file in the repository: examples/no_such_file.py" in warnings


def test_links_of_an_included_file(build, tmp_path):
    path = os.path.relpath(ROOT / "CONTRIBUTING.md", tmp_path)
    html, _ = build(f'```{{include}} {path}\n:start-after: "<!-- adding -->"\n```')
    assert 'href="https://github.com/gpuval/gpuval/blob/main/tests/references.md"' in html


def test_dead_links_of_a_page(build):
    _, warnings = build("[a file](../no_such_file.md)")
    assert "index.md links to ../no_such_file.md, which does not exist in the repository" in warnings


def test_a_dead_link_of_the_built_site(build):
    """A warning after the build, too, makes it fail."""
    extension("site_links")
    _, warnings = build('<a href="nowhere.html">x</a>', ["site_links"])
    assert "WARNING: index.html links to nowhere.html, which does not exist" in warnings
    assert build("[x](#page)", ["site_links"])[1] == ""


def test_signatures_and_citations_are_mended():
    body = '<dl class="py"><dt class="sig x"><dl><dd>a</dd></dl></dt><dd>b</dd></dl><p role="doc-biblioentry">c</p>'
    assert extension("accessible_html").mended(body) == (
        '<dl class="py"><dt class="sig x"><span class="sig-lines"><span class="sig-line">a</span></span></dt>'
        '<dd>b</dd></dl><p role="listitem">c</p>'
    )


def test_a_flowchart(build):
    html, warnings = build('```mermaid\nflowchart LR\n    a -- "x < y" --> b\n    b -- "z" --> c\n```')
    assert '<ol class="flowchart"><li><b>a</b></li><li><b>b</b><span>x &lt; y</span></li>' in html
    assert "<li><b>c</b><span>z</span></li></ol>" in html
    assert warnings == ""


@pytest.mark.parametrize(
    "lines", ["graph TD", 'flowchart LR\na -- "x" --> b\na -- "y" --> c', "flowchart LR\na --> b", "flowchart LR"]
)
def test_other_flowcharts_are_errors(build, lines):
    _, warnings = build(f"```mermaid\n{lines}\n```")
    assert "index.md:3: ERROR" in warnings


def test_a_module_that_is_on_no_page_of_the_api_stops_the_build(monkeypatch):
    pages = extension("api_pages").pages
    assert "functions/gpuval.adjusted_rand_score" in pages()
    monkeypatch.setitem(gpuval._NAMES, "metrics.new", ("new_score",))
    with pytest.raises(ValueError, match="a module of public names is in no family"):
        pages()


def test_docstrings_keep_their_text():
    lines = ["The norm |x - m|, ``a | b``.", "", ">>> a | b", "1 | 2", "", ".. [1] L. Hubert, 1985.", ".. [2] X, 1985."]
    extension("api_pages")._keep_text(None, "function", "f", None, None, lines)
    assert lines[0] == r"The norm \|x - m\|, ``a | b``."
    assert lines[1:5] == ["", ">>> a | b", "1 | 2", ""]
    assert lines[5:] == [r".. [1] L\. Hubert, 1985.", ".. [2] X, 1985."]
