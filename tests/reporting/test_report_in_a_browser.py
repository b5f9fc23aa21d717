"""Reports in Chromium: no errors, tables that sort, labels as text, and nothing that keeps somebody from using them."""

import csv
import io
import re
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hostile_text import HIDDEN, label_sets
from in_chromium import faults_of_axe, started, watched
from page_checks import (
    WIDTHS,
    cues_at_the_end,
    cut_texts,
    faults_of,
    open_details,
    small_texts,
    too_many_nodes,
    whole_columns,
    wider_than_the_screen,
    without_a_cue,
)
from report_cells import LEIDEN, PCA, PHASE, TRUTH

import gpuval
from gpuval.display.colors import contrast

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def chromium():
    with started() as browser:
        yield browser


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    path = tmp_path_factory.mktemp("cells") / "report.html"
    gpuval.report(TRUTH, LEIDEN, X=PCA, by=PHASE, unit="cell", title="Cells", output=path)
    return path


@pytest.fixture
def opened(chromium):
    """Opens the page of a path, which asks for nothing else."""
    with watched(chromium, lambda path: path.as_uri(), lambda url, page: url == page) as open_page:
        yield open_page


def wait_until(page, condition):
    """Wait for what a page does a little later; its policy lets no other script wait in it."""
    for _ in range(100):
        if page.evaluate(condition):
            return
        page.wait_for_timeout(20)
    raise AssertionError(condition)


def rows_of(page, kind):
    return page.locator(f"table.{kind}").first.locator("tbody tr")


def names_in(page, kind):
    return rows_of(page, kind).locator("th").all_inner_texts()


def values_in(page, kind, column):
    return [float(x.split()[0].replace(",", "")) for x in cells_in(page, kind, column)]


def cells_in(page, kind, column):
    return rows_of(page, kind).locator(f"td:nth-child({column + 1})").all_inner_texts()


def head_of(page, kind, name):
    return page.locator(f"table.{kind}").first.locator("thead th").filter(has=page.get_by_role("button", name=name))


def test_tables_are_sorted_by_a_press_on_a_head(opened, cells):
    page = opened(cells)
    before = names_in(page, "scores")
    ami, clusters, db = (head_of(page, "scores", x) for x in ("AMI", "clusters", "DB ↓"))
    assert ami.get_attribute("aria-sort") == "descending"  # it comes so
    clusters.get_by_role("button").click()
    assert values_in(page, "scores", 1) == sorted(LEIDEN.nunique(), reverse=True)
    assert clusters.get_attribute("aria-sort") == "descending"
    assert ami.get_attribute("aria-sort") is None
    assert "sorted by clusters, descending" in page.get_by_role("status").inner_text()
    clusters.get_by_role("button").click()
    assert values_in(page, "scores", 1) == sorted(LEIDEN.nunique())
    db.get_by_role("button").click()  # the better first: lower ones
    values = values_in(page, "scores", 9)
    assert values == sorted(values)
    page.locator("table.scores").get_by_role("button", name="labeling").click()
    assert names_in(page, "scores") == sorted(before)


def test_numbers_are_sorted_as_numbers(opened, tmp_path):
    """Texts would have 1,000 before 20, and 9 after 10."""
    true = np.repeat(np.arange(4), [1000, 20, 9, 100])
    path = tmp_path / "report.html"
    gpuval.report(true, {"x": true}, metrics=["ari"], confidence_level=None, output=path)
    page = opened(path)
    head = head_of(page, "labels", "samples").get_by_role("button")
    head.click()
    cells = [x.split()[-1] for x in cells_in(page, "labels", 1)]
    assert cells == ["1,000", "100", "20", "9"]
    head.click()
    assert [x.split()[-1] for x in cells_in(page, "labels", 1)] == cells[::-1]


def test_a_keyboard_is_enough(opened, cells):
    page = opened(cells, viewport={"width": 390, "height": 800})
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the report"
    seen = set()
    for _ in range(80):
        page.keyboard.press("Tab")
        seen.add(page.evaluate("document.activeElement.tagName + '.' + document.activeElement.className"))
        if page.evaluate("document.activeElement.closest('thead') !== null"):
            break
    page.keyboard.press("Enter")
    assert page.locator("[aria-sort]").count() == 1
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline not in ("none", "")
    assert {"A.", "BUTTON.more-columns", "DIV.scroll"} <= seen
    page.locator(".more-columns:visible").first.focus()
    page.keyboard.press("Enter")
    wait_until(page, "document.querySelector('table.scores').closest('.scroll').scrollLeft > 50")


def heads_without_a_scope(page):
    return page.locator("th:not([scope])").count() + page.locator("tbody tr > :first-child:not(th)").count()


def test_heads_have_a_scope(opened, cells, tmp_path):
    assert heads_without_a_scope(opened(cells)) == 0
    path = tmp_path / "report.html"
    path.write_text(cells.read_text(encoding="utf-8").replace('<th scope="row"', "<th"), encoding="utf-8")
    assert heads_without_a_scope(opened(path)) > 0


@pytest.mark.parametrize("width", WIDTHS)
def test_everything_has_its_place(opened, cells, width):
    assert faults_of(opened(cells, viewport={"width": width, "height": 900})) == {}


def test_which_columns_are_seen_as_a_whole(opened, cells):
    names = ["labeling", "clusters", "AMI", "ARI", "NCA", "compl.", "homog.", "silh.", "CH", "DB ↓"]
    assert whole_columns(opened(cells, viewport={"width": 1280, "height": 900})) == names
    page = opened(cells, viewport={"width": 390, "height": 900})
    assert whole_columns(page) == names[:4]
    first = page.locator("table.scores tbody th").first
    before = first.bounding_box()["x"]
    assert page.locator(".more-columns:visible").first.inner_text() == "6 more columns →"
    cues_at_the_end(page)
    assert first.bounding_box()["x"] == before  # it stays
    assert page.locator("table.scores td").last.bounding_box()["x"] < 390


def test_without_scripts_there_is_always_a_shade(opened, cells):
    page = opened(cells, viewport={"width": 390, "height": 900}, java_script_enabled=False)
    shades = page.locator(".wide:visible").all()
    assert shades
    assert all(x.evaluate("x => getComputedStyle(x, '::after').display") == "block" for x in shades)


FAULTS = {
    wider_than_the_screen: ".verdict { width: 3000px; }",
    without_a_cue: ".wide::after { display: none !important; }",
    cut_texts: "svg text { transform: translateX(5000px); }",
    small_texts: ".note { font-size: 10px; }",
    whole_columns: "td.voice { min-width: 40rem; }",
}


@pytest.mark.parametrize("check", FAULTS, ids=lambda x: x.__name__)
def test_a_fault_of_a_page_is_found(opened, cells, tmp_path, check):
    path = tmp_path / "report.html"
    path.write_text(cells.read_text(encoding="utf-8").replace("</style>", f"{FAULTS[check]}</style>"), encoding="utf-8")
    pages = [opened(x, viewport={"width": 390, "height": 900}) for x in (cells, path)]
    right, wrong = (check(page) for page in pages)
    if check is whole_columns:
        assert right[:3] == ["labeling", "clusters", "AMI"]
        assert wrong == ["labeling", "clusters"]
    else:
        assert not right
        assert wrong


def test_a_cue_that_stays_at_the_end_is_found(opened, cells, tmp_path):
    path = tmp_path / "report.html"
    html = cells.read_text(encoding="utf-8").replace("button.hidden = !isMore;", "button.hidden = false;")
    policy = re.sub("script-src 'sha256-[^']*'", "script-src 'unsafe-inline'", html)
    path.write_text(policy, encoding="utf-8")
    assert cues_at_the_end(opened(path, viewport={"width": 390, "height": 900})) > 0


def test_too_many_nodes_are_found(opened, tmp_path):
    path = tmp_path / "page.html"
    path.write_text(f"<!DOCTYPE html><title>x</title><svg>{'<g></g>' * 20_001}</svg>", encoding="utf-8")
    assert too_many_nodes(opened(path)) == 1


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


def faint_marks(page):
    """The signs, bars and edges that are not seen on their ground: text is for axe to check, these need 3 to 1."""
    colors = ("ground", "best", "tie", "raised", "accent", "whisker", "warn", "faint", "ink")
    script = "x => getComputedStyle(document.documentElement).getPropertyValue('--' + x).trim()"
    of = {x: page.evaluate(script, x) for x in colors}
    grounds = ("ground", "best", "tie", "raised")
    pairs = [(x, on, 3.0) for x in ("accent", "whisker") for on in grounds]
    pairs += [("ink", on, 4.5) for on in grounds] + [("warn", "raised", 4.5), ("faint", "ground", 4.5)]
    found = [(x, on) for x, on, least in pairs if contrast(of[x], of[on]) < least]
    edges = page.evaluate(
        "[...document.querySelectorAll('.stack span')].map(x => getComputedStyle(x).getPropertyValue('--e').trim())"
    )
    assert len(set(edges)) > 7
    return found + [edge for edge in set(edges) if contrast(edge, of["ground"]) < 3]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_marks_and_edges_are_seen_on_their_ground(opened, cells, scheme):
    assert faint_marks(opened(cells, color_scheme=scheme)) == []


def test_marks_and_edges_that_are_not_seen_are_found(opened, cells, tmp_path):
    path = tmp_path / "report.html"
    faint = ":root { --whisker: #dddddd; } .c1 { --e: #fafafa !important; }"
    path.write_text(cells.read_text(encoding="utf-8").replace("</style>", f"{faint}</style>"), encoding="utf-8")
    found = faint_marks(opened(path, color_scheme="light"))
    assert ("whisker", "ground") in found
    assert "#fafafa" in found


FILLS = """() => {
  const ground = getComputedStyle(document.body).backgroundColor;
  const texts = [...document.querySelectorAll("svg text")].filter(x => x.getClientRects().length);
  return [ground, texts.map(x => [x.textContent, getComputedStyle(x).fill])];
}"""


def faint_texts(page):
    """The texts of figures that are hardly read on the page; black and white ones are on a fill that was looked at."""
    ground, texts = page.evaluate(FILLS)

    def color_of(said):
        numbers = [float(x) for x in re.findall(r"[\d.]+", said)][:3]
        scale = 255 if said.startswith("color(") else 1
        return "#" + "".join(f"{round(x * scale):02x}" for x in numbers)

    on_fill = ("#000000", "#ffffff")
    return [(x, y) for x, y in texts if color_of(y) not in on_fill and contrast(color_of(y), color_of(ground)) < 4.5]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_of_figures_are_read_on_both_grounds(opened, cells, tmp_path, scheme):
    assert faint_texts(opened(cells, color_scheme=scheme)) == []
    path = tmp_path / "report.html"
    faint = "svg text { fill: #777777 !important; }"
    path.write_text(cells.read_text(encoding="utf-8").replace("</style>", f"{faint}</style>"), encoding="utf-8")
    assert faint_texts(opened(path, color_scheme=scheme)) != []


def test_dark_pages_are_dark_with_their_figures(opened, cells):
    def colours(page):
        text = page.locator("figure .wide svg text").first.evaluate("x => getComputedStyle(x).fill")
        ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
        patch = page.locator(".wide figure svg path, figure .wide svg path").first.evaluate(
            "x => getComputedStyle(x).fill"
        )
        return text, ground, patch

    light, dark = (colours(opened(cells, color_scheme=scheme)) for scheme in ("light", "dark"))
    for text, ground, patch in (light, dark):
        assert patch == ground != text
    assert light != dark


def test_without_scripts_all_is_there(opened, cells):
    page = opened(cells, java_script_enabled=False)
    assert page.locator("table").count() == 5
    assert page.locator("button:visible").count() == page.locator("thead th[data-kind] button:visible").count()
    assert page.locator("table.scores tbody tr:visible").count() == 7


def test_more_rows_are_shown_when_somebody_asks(opened, tmp_path):
    path = tmp_path / "report.html"
    true = np.arange(600) % 4
    rng = np.random.default_rng(0)
    labelings = {f"k{i}": np.where(rng.random(600) < i / 40, rng.integers(0, 4, 600), true) for i in range(30)}
    gpuval.report(true, labelings, metrics=["ami"], confidence_level=None, output=path)
    page = opened(path)
    rows = page.locator("table.scores tbody tr:visible")
    assert rows.count() == 12
    page.get_by_role("searchbox").first.fill("k1")
    assert {x[:2] for x in names_in(page, "scores") if x} >= {"k1"}
    assert all("k1" in x for x in rows.locator("th").all_inner_texts())
    page.get_by_role("searchbox").first.fill("")
    page.get_by_role("button", name="18 more").click()
    assert rows.count() == 30
    assert page.get_by_role("button", name="18 more").count() == 0
    assert opened(path, java_script_enabled=False).locator("table.scores tbody tr:visible").count() == 30


def test_scores_are_copied_with_all_digits(opened, cells):
    page = opened(cells, permissions=["clipboard-read", "clipboard-write"])
    page.locator("section.of-scores").get_by_role("button", name="Copy as CSV").first.click()
    wait_until(page, "document.getElementById('status').textContent === 'Copied as CSV'")
    heads, *rows = csv.reader(io.StringIO(page.evaluate("navigator.clipboard.readText()")))
    expected = gpuval.compare(TRUTH, LEIDEN, ["ami"])
    place = heads.index("adjusted_mutual_info_score")
    assert {row[0]: float(row[place]) for row in rows} == {name: float(x["ami"]) for name, x in expected.items()}


def test_a_link_opens_what_is_closed(opened, cells):
    page = opened(cells)
    assert not page.locator("dt").first.is_visible()
    page.get_by_role("link", name="Data, settings and versions").click()
    assert page.locator("dt").first.is_visible()


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
    page.locator("table.scores").get_by_role("button").first.click()
    open_details(page)
    assert faults_of_axe(page) == []


def test_names_are_sorted_by_the_numbers_at_their_ends(opened, tmp_path):
    path = tmp_path / "report.html"
    true = np.arange(90) % 3
    names = ["leiden_0.5", "leiden_0.25", "leiden_10", "leiden_-2", "a"]
    gpuval.report(true, dict.fromkeys(names, true), metrics=["ari"], confidence_level=None, output=path)
    page = opened(path)
    page.locator("table.scores").get_by_role("button", name="labeling").click()
    assert names_in(page, "scores") == ["a", "leiden_-2", "leiden_0.25", "leiden_0.5", "leiden_10"]


def test_infinite_scores_are_sorted(opened, tmp_path):
    X, path = [[0.0, 0.0], [1.0, 1.0]] * 20, tmp_path / "report.html"
    labelings = {"b": [0, 0, 1, 1] * 10, "a": [0, 1] * 20, "c": [0, 1, 1, 1] * 10}
    gpuval.report(None, labelings, X=X, metrics=["ch", "dunn"], output=path)
    page = opened(path)
    head = page.locator("table.scores").get_by_role("button", name="Dunn")
    head.click()
    assert names_in(page, "scores")[0] == "a"
    head.click()
    assert names_in(page, "scores")[-1] == "a"


def test_links_of_a_page_within_a_notebook_stay_in_it(opened, tmp_path):
    path = tmp_path / "notebook.html"
    found = gpuval.report([0, 0, 1, 1] * 9, [[0, 1, 1, 1] * 9], metrics=["ari"], n_resamples=9)
    path.write_text(f"<!DOCTYPE html><title>A notebook</title>{found._repr_html_()}", encoding="utf-8")
    page = opened(path)
    frame = page.frames[1]
    frame.get_by_role("link", name="Data, settings and versions").click()
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
    open_details(page)
    for table in page.locator(".wide table").all():
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
    item = page.locator("section.of-classes p", has=page.locator("bdi")).first
    name = item.locator("bdi", has_text="\u05e9").bounding_box()
    after = page.evaluate(
        """() => {
          const names = [...document.querySelectorAll("section.of-classes p bdi")];
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


def test_a_notebook_shows_a_short_report_in_full_and_opens_it_in_a_tab(chromium, tmp_path):
    """The frame is as high as its page, at most 800 px; the button shows the same page by itself."""
    found = gpuval.report(TRUTH, LEIDEN.iloc[:, :1], metrics=["ari"], confidence_level=None)
    path = tmp_path / "notebook.html"
    path.write_text(f"<!DOCTYPE html><meta charset=utf-8>{found._repr_html_()}", encoding="utf-8")
    page = chromium.new_page()
    page.goto(path.as_uri())
    frame = page.locator("iframe")
    page.wait_for_function("document.querySelector('iframe').contentDocument.querySelector('h1')")
    assert 0 < frame.bounding_box()["height"] <= 800
    with page.expect_popup() as opened:
        page.get_by_role("button", name="open in a tab").click()
    opened.value.wait_for_selector("h1")
    assert opened.value.locator("h1").inner_text() == page.frames[1].locator("h1").inner_text()
    page.close()
