"""Pages of the built site in Chromium: they fit, they load nothing from elsewhere, and anybody can use them."""

import functools
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from extensions_of_the_site import BUILD, SITE
from in_chromium import faults_of_axe, started, watched

pytestmark = pytest.mark.site

PAGES = (
    "index",
    "which-measure",
    "single-cells",
    "api/index",
    "api/pairs",
    "api/functions/gpuval.adjusted_rand_score",
    "api/classes/gpuval.Contingency",
    "auto_gallery/index",
    "auto_gallery/plot_2_sweep",
    "architecture",
    "benchmarks",
)


class Silent(SimpleHTTPRequestHandler):
    """Serves files without a word."""

    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def address():
    """Where the built site is served."""
    assert (SITE / "index.html").exists(), f"the site must be built: {BUILD}"
    with ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Silent, directory=SITE)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.fixture(scope="module")
def chromium():
    with started() as browser:
        yield browser


@pytest.fixture
def opened(chromium, address):
    """Opens a page of the site, which asks for nothing from elsewhere."""

    def is_of_the_site(url, page):
        return url.startswith((f"{address}/", "data:", "blob:"))

    with watched(chromium, f"{address}/{{}}".format, is_of_the_site, ("error", "warning")) as open_page:
        yield open_page


def faults_of(page):
    """What axe finds, without ``preload``, with which it loads styles again from addresses that it finds wrongly."""
    return faults_of_axe(page, preload=False)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("name", PAGES)
def test_pages_fit_and_have_no_fault(opened, name, width, scheme):
    page = opened(f"{name}.html", color_scheme=scheme, viewport={"width": width, "height": 900})
    assert page.evaluate("document.documentElement.dataset.theme") == scheme
    assert page.evaluate("document.documentElement.scrollWidth") == width
    cut = page.evaluate(
        """width => [...document.querySelectorAll("h1, h2, h3, .prev-next-title, .lead")]
          .filter(x => x.getBoundingClientRect().right > width).map(x => x.textContent)""",
        width,
    )
    assert cut == []
    assert faults_of(page) == []


def test_a_search_finds_a_measure(opened):
    page = opened("search.html?q=adjusted_rand_score")
    link = page.locator("#search-results a[href*='gpuval.adjusted_rand_score']").first
    link.wait_for(timeout=20_000)
    assert link.is_visible()


def test_the_measure_for_rare_types_is_two_links_from_the_start(opened):
    page = opened("index.html")
    page.get_by_role("link", name="Which measure?").first.click()
    assert page.url.endswith("which-measure.html")
    page.locator("table").first.get_by_role("link", name="Imbalanced classes").click()
    assert page.url.endswith("#imbalanced-classes-unknown-number-of-clusters")
    section = page.locator("#imbalanced-classes-unknown-number-of-clusters")
    section.get_by_role("heading").first.wait_for(timeout=5_000)
    assert "AMI" in section.inner_text()


def copied(page, text):
    """What the button of the first block with this text copies."""
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    block = page.locator("div.highlight", has_text=text).first
    block.hover()
    block.locator("button.copybtn").click()
    block.locator("button.copybtn.success").wait_for()
    return page.evaluate("navigator.clipboard.readText()")


@pytest.mark.parametrize(
    ("name", "text", "runs"),
    [
        ("which-measure", "pbmc68k_reduced", "scores = gpuval.compare("),
        ("api/functions/gpuval.cluster_f_score", ">>> from", "from gpuval import cluster_f_score\n"),
    ],
)
def test_copied_code_runs(opened, name, text, runs):
    code = copied(opened(f"{name}.html"), text)
    assert runs in code
    exec(code, {})


def test_what_a_page_runs_or_asks_for_is_found(opened):
    """The checks of the others can fail."""
    page = opened("index.html")
    page.evaluate("console.error('seen'); fetch('https://example.org/x').catch(() => 0)")
    page.wait_for_timeout(300)
    page.evaluate("document.body.style.minWidth = '3000px'; document.documentElement.lang = ''")
    assert page.evaluate("document.documentElement.scrollWidth") > 1280
    assert "html-has-lang" in {name for name, *_ in faults_of(page)}
    assert any("seen" in x for x in opened.faults)
    assert any("example.org" in x for x in opened.faults)
    opened.faults.clear()
