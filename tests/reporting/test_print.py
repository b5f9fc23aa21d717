"""Reports as they are printed: pages of A4, text that can be read, and nothing cut."""

import re

import pytest
from in_chromium import started, watched
from page_checks import small_texts
from report_cells import LEIDEN, PCA, PHASE, TRUTH

import gpuval

pytestmark = pytest.mark.browser

SHEET, SHEET_HEIGHT = 703, 1031
"""Pixels of A4 within margins of 12 mm."""

SMALLEST_IN_PRINT = 7.5 * 96 / 72


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    path = tmp_path_factory.mktemp("cells") / "report.html"
    gpuval.report(TRUTH, LEIDEN, X=PCA, by=PHASE, unit="cell", title="700 blood cells", output=path)
    return path


@pytest.fixture(scope="module")
def chromium():
    with started() as browser:
        yield browser


@pytest.fixture
def printed(chromium):
    """Opens a page as it is printed."""
    with watched(chromium, lambda path: path.as_uri(), lambda url, page: url == page) as open_page:

        def open_print(path):
            page = open_page(path, viewport={"width": SHEET, "height": SHEET_HEIGHT})
            page.emulate_media(media="print", color_scheme="dark")
            return page

        yield open_print


def n_pages(page):
    return len(re.findall(rb"/Type\s*/Page\b(?!s)", page.pdf(format="A4", prefer_css_page_size=True)))


BEYOND = """limit => [...document.querySelectorAll("td, th, svg, p, pre")].filter(x => {
  const box = x.getBoundingClientRect();
  return box.width && box.right > limit + 1;
}).map(x => x.textContent.slice(0, 40))"""


def changed(cells, tmp_path, style):
    path = tmp_path / "report.html"
    html = cells.read_text(encoding="utf-8")
    path.write_text(html.replace("</style>", f"@media print {{ {style} }}</style>"), encoding="utf-8")
    return path


CLASSES_ALONE = ".of-classes { break-before: page; break-after: page; }"
"""The style that gives the classes a page of their own."""


def empty_pages(page):
    """How much longer the printed pages are together than what is on them."""
    return n_pages(page) - page.evaluate("document.body.getBoundingClientRect().height") / SHEET_HEIGHT


def test_the_demo_has_three_pages(printed, cells, tmp_path):
    assert n_pages(printed(cells)) <= 3
    assert n_pages(printed(changed(cells, tmp_path, CLASSES_ALONE))) > 3


def test_no_page_is_nearly_empty(printed, cells, tmp_path):
    """What is left empty on all pages together is less than 60 % of one, so that each is filled to 40 % or more."""
    assert empty_pages(printed(cells)) < 0.6
    assert empty_pages(printed(changed(cells, tmp_path, CLASSES_ALONE))) > 0.6


def test_text_is_large_enough_to_be_read(printed, cells, tmp_path):
    assert small_texts(printed(cells), SMALLEST_IN_PRINT) == []
    assert small_texts(printed(changed(cells, tmp_path, "figcaption { font-size: 6pt; }")), SMALLEST_IN_PRINT)


def test_nothing_is_cut(printed, cells, tmp_path):
    page = printed(cells)
    assert page.evaluate(BEYOND, SHEET) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= SHEET
    assert printed(changed(cells, tmp_path, "td.voice { min-width: 80mm; }")).evaluate(BEYOND, SHEET)


def test_the_first_page_has_verdict_scores_and_samples(printed, cells):
    page = printed(cells)
    tops = {
        x: page.locator(x).first.bounding_box()["y"]
        for x in (".verdict", ".of-scores", ".of-embedding", ".of-sweep", ".of-groups", ".of-classes")
    }
    assert list(tops) == sorted(tops, key=tops.__getitem__)
    box = page.locator(".of-embedding").bounding_box()
    assert box["y"] + box["height"] <= SHEET_HEIGHT


def test_what_only_a_screen_needs_is_not_printed(printed, cells):
    page = printed(cells)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    for hidden in ("nav", "button.link", ".more-columns", "input"):
        assert page.locator(f"{hidden}:visible").count() == 0
    assert page.locator("table.scores tbody tr:visible").count() == 7
    marks = page.locator("td.best").first.evaluate("x => getComputedStyle(x).printColorAdjust")
    assert marks == "exact"
