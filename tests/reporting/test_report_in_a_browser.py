"""Reports in Chromium: no errors, tables that sort, labels as text, and nothing that keeps somebody from using them."""

from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hostile_text import HIDDEN, label_sets
from in_chromium import faults_of_axe, started, watched
from report_cells import LEIDEN, PCA, PHASE, TRUTH

import gpuval

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def chromium():
    with started() as browser:
        yield browser


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    path = tmp_path_factory.mktemp("cells") / "report.html"
    gpuval.report(TRUTH, LEIDEN, X=PCA, by=PHASE, title="Cells", output=path)
    return path


@pytest.fixture
def opened(chromium):
    """Opens the page of a path, which asks for nothing else."""
    with watched(chromium, lambda path: path.as_uri(), lambda url, page: url == page) as open_page:
        yield open_page


def names_in(page, table):
    return page.locator("table").nth(table).locator("tbody th").all_inner_texts()


def values_in(page, table, column):
    cells = page.locator("table").nth(table).locator(f"tbody tr td:nth-child({column + 1})")
    return [float(x.split()[0]) for x in cells.all_inner_texts()]


def test_tables_are_sorted_by_a_press_on_a_head(opened, cells):
    page = opened(cells)
    before = names_in(page, 0)
    clusters = page.locator("table").first.get_by_role("button", name="clusters")
    clusters.click()
    assert values_in(page, 0, 1) == sorted(LEIDEN.nunique(), reverse=True)
    head = page.locator("table").first.locator("thead th").nth(1)
    assert head.get_attribute("aria-sort") == "descending"
    assert "sorted by clusters, descending" in page.get_by_role("status").inner_text()
    clusters.click()
    assert values_in(page, 0, 1) == sorted(LEIDEN.nunique())
    page.locator("table").first.get_by_role("button", name="labeling").click()
    assert names_in(page, 0) == sorted(before)
    assert head.get_attribute("aria-sort") is None


def test_numbers_are_sorted_as_numbers(opened, tmp_path):
    """Texts would have 1,000 before 20, and 9 after 10."""
    true = np.repeat(np.arange(4), [1000, 20, 9, 100])
    path = tmp_path / "report.html"
    gpuval.report(true, {"x": true}, metrics=["ari"], confidence_level=None, output=path)
    page = opened(path)
    table = page.locator("table").nth(1)
    table.get_by_role("button", name="samples", exact=True).click()
    cells = table.locator("tbody tr td:nth-child(2)").all_inner_texts()
    assert cells == ["1,000", "100", "20", "9"]
    table.get_by_role("button", name="samples", exact=True).click()
    assert table.locator("tbody tr td:nth-child(2)").all_inner_texts() == cells[::-1]


def test_a_keyboard_is_enough(opened, cells):
    page = opened(cells)
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the report"
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert page.url.endswith("#section1")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.tagName") == "BUTTON":
            break
    page.keyboard.press("Enter")
    assert page.locator("[aria-sort]").count() == 1
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline not in ("none", "")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_no_fault(opened, cells, scheme, width):
    page = opened(cells, color_scheme=scheme, viewport={"width": width, "height": 900})
    assert faults_of_axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_axe_finds_a_fault(opened, cells, tmp_path):
    path = tmp_path / "report.html"
    html = cells.read_text(encoding="utf-8")
    path.write_text(html.replace("--faint: #566072", "--faint: #d0d0d0").replace('lang="en"', ""), encoding="utf-8")
    found = {name for name, *_ in faults_of_axe(opened(path))}
    assert {"color-contrast", "html-has-lang"} <= found


def test_dark_pages_are_dark_with_their_figures(opened, cells):
    def colours(page):
        text = page.locator("svg text").first.evaluate("x => getComputedStyle(x).fill")
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        patch = page.locator("svg path").first.evaluate("x => getComputedStyle(x).fill")
        return text, ground, patch

    light, dark = (colours(opened(cells, color_scheme=scheme)) for scheme in ("light", "dark"))
    for text, ground, patch in (light, dark):
        assert patch == ground != text
    assert light != dark


def test_all_is_printed(opened, cells):
    """Nothing is wider than paper, and a print has the page's text."""
    page = opened(cells, viewport={"width": 703, "height": 1000})  # A4 without its margins of 12 mm, at 96 dots an inch
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("document.documentElement.scrollWidth") <= 703
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.locator("nav").is_hidden()
    assert len(page.pdf(format="A4")) > 10_000


def test_without_scripts_all_is_there(opened, cells):
    page = opened(cells, java_script_enabled=False)
    assert page.locator("table").count() == 4
    assert page.locator("figure svg").count() == 8


def test_hostile_labels_are_text(opened, tmp_path):
    """Labels, names of labelings, values and titles of a hundred hostile sets, and one of 10,000 letters."""
    labels = [x for found in label_sets(seed=22, n_sets=100) for x in found]
    labels = list(dict.fromkeys(["<script>alert(1)</script>", "&amp;", "\N{DNA DOUBLE HELIX}", "x" * 10_000, *labels]))
    n = len(labels)
    true = pd.Series([*labels, *labels], name="<img src=x onerror=alert(1)>")
    by = pd.Series([labels[i % 7] for i in range(2 * n)], name="</script><script>alert(2)</script>")
    labelings = {labels[0]: [*labels[::-1], *labels], labels[1]: [*labels, *labels[:1] * n]}
    path = tmp_path / "report.html"
    title = "</title><script>alert(3)</script>"
    about = {"<b>": "</dd><script>alert(4)</script>"}
    X = np.random.default_rng(0).normal(size=(2 * n, 2))
    options = {"X": X, "by": by, "metrics": ["ari", "asw"], "n_resamples": 9}
    gpuval.report(true, labelings, **options, title=title, about=about, details=labels[:2], output=path)
    page = opened(path)
    assert page.locator("script").count() == 1
    assert page.locator("img, b, i, iframe, object, embed, foreignObject").count() == 0
    assert page.locator("h1").inner_text() == title
    assert page.title() == title
    text = page.locator("body").inner_text()
    for label in ("<script>alert(1)</script>", "&amp;", "\N{DNA DOUBLE HELIX}", "<img src=x onerror=alert(1)>"):
        assert label in text, label
    assert not HIDDEN.search(page.locator("body").text_content().replace("\n", ""))
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280
    page.locator("table").first.get_by_role("button").first.click()
    assert faults_of_axe(page) == []


def test_names_are_sorted_by_the_numbers_at_their_ends(opened, tmp_path):
    path = tmp_path / "report.html"
    true = np.arange(90) % 3
    names = ["leiden_0.5", "leiden_0.25", "leiden_10", "leiden_-2", "a"]
    gpuval.report(true, dict.fromkeys(names, true), metrics=["ari"], confidence_level=None, output=path)
    page = opened(path)
    page.locator("table").first.get_by_role("button", name="labeling").click()
    assert names_in(page, 0) == ["a", "leiden_-2", "leiden_0.25", "leiden_0.5", "leiden_10"]


def test_infinite_scores_are_sorted(opened, tmp_path):
    X, path = [[0.0, 0.0], [1.0, 1.0]] * 20, tmp_path / "report.html"
    labelings = {"b": [0, 0, 1, 1] * 10, "a": [0, 1] * 20, "c": [0, 1, 1, 1] * 10}
    gpuval.report(None, labelings, X=X, metrics=["ch", "dunn"], output=path)
    page = opened(path)
    head = page.locator("table").first.get_by_role("button", name="dunn_index")
    head.click()
    assert names_in(page, 0)[0] == "a"
    head.click()
    assert names_in(page, 0)[-1] == "a"


def test_links_of_a_page_within_a_notebook_stay_in_it(opened, tmp_path):
    path = tmp_path / "notebook.html"
    found = gpuval.report([0, 0, 1, 1] * 9, [[0, 1, 1, 1] * 9], metrics=["ari"], n_resamples=9)
    path.write_text(f"<!DOCTYPE html><title>A notebook</title>{found._repr_html_()}", encoding="utf-8")
    page = opened(path)
    frame = page.frames[1]
    frame.get_by_role("link", name="Data and settings").click()
    frame.wait_for_function("scrollY > 0")
    assert frame.locator("h1").inner_text() == "Clusterings against true labels"


@pytest.mark.parametrize("width", [390, 1280])
def test_long_names_leave_room_for_numbers(opened, tmp_path, width):
    path = tmp_path / "report.html"
    true = pd.Series(np.arange(90) % 3, name="t" * 300)
    by = pd.Series([f"{'v' * 100}{i % 2}" for i in range(90)], name="b" * 300)
    labelings = {f"{'n' * 200}{i}": np.arange(90) % (2 + i) for i in range(3)}
    about = {"f" * 200: "g" * 1000}
    gpuval.report(true, labelings, by=by, metrics=["ari", "ami"], n_resamples=9, about=about, output=path)
    page = opened(path, viewport={"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") == width
    for table in page.locator("table").all():
        name = table.locator("tbody th").first.bounding_box()
        assert name["width"] < 0.6 * width
        heads = [x.bounding_box() for x in table.locator("thead button").all()]
        assert all(a["x"] + a["width"] <= b["x"] + 1 for a, b in pairwise(heads))


def test_names_that_are_written_from_the_right(opened, tmp_path):
    """The share behind a name stays behind it: "name" (3 %), and not (% 3) "name"."""
    path = tmp_path / "report.html"
    true = ["\u05e9\u05dc\u05d5\u05dd"] * 30 + ["b"] * 60
    gpuval.report(true, {"x": [0] * 90}, metrics=["ari"], n_resamples=9, output=path)
    page = opened(path)
    item = page.locator(".summary li").last
    name = item.locator("bdi", has_text="\u05e9").bounding_box()
    after = page.evaluate(
        """() => {
          const names = [...document.querySelectorAll(".summary li:last-child bdi")];
          const text = names.find(x => /[\\u0590-\\u05ff]/.test(x.textContent)).nextSibling;
          const range = document.createRange();
          range.setStart(text, 1);
          range.setEnd(text, 3);
          return range.getBoundingClientRect().x;
        }"""
    )
    assert after >= name["x"] + name["width"]


def test_what_a_page_runs_or_asks_for_is_found(opened, tmp_path):
    """The checks of the others can fail."""
    path = tmp_path / "page.html"
    path.write_text("<script>console.error('seen'); fetch('https://example.org/x')</script>", encoding="utf-8")
    opened(path).wait_for_timeout(300)
    assert any("seen" in x for x in opened.faults)
    assert any("example.org" in x for x in opened.faults)
    opened.faults.clear()
