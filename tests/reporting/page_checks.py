"""What must hold for a page in Chromium, whatever it is about: each check returns what is wrong."""

WIDTHS = (390, 768, 1280, 1920)
SMALLEST_TEXT = 11
"""Pixels."""

MOST_NODES = 20_000
"""Elements of all figures of a page together."""

_OPEN_ALL = "document.querySelectorAll('details').forEach(x => { x.open = true })"

_SMALL_TEXTS = """least => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.textContent.trim() || parent.closest("script, style, title") || !parent.getClientRects().length) continue;
    const matrix = parent instanceof SVGElement ? parent.getScreenCTM() : null;
    const scale = matrix === null ? 1 : Math.hypot(matrix.a, matrix.b);
    const size = parseFloat(getComputedStyle(parent).fontSize) * scale;
    if (size < least - 0.05) found.push([node.textContent.trim().slice(0, 30), size]);
  }
  return found;
}"""

_UNCUED = """() => {
  const found = [];
  for (const wide of document.querySelectorAll(".wide")) {
    const scroll = wide.querySelector(".scroll");
    if (!scroll.clientWidth || scroll.closest("details:not([open])")) continue;
    const name = scroll.getAttribute("aria-label");
    const isMore = scroll.scrollWidth > scroll.clientWidth + 1;
    const button = wide.querySelector(".more-columns");
    const hasShade = getComputedStyle(wide, "::after").display !== "none";
    const says = /^\\d+ more columns? →$|^more →$/.test(button.textContent);
    const cues = [wide.hasAttribute("data-right"), hasShade, !button.hidden && says];
    if (cues.some(cue => cue !== isMore)) found.push([name, isMore, cues]);
  }
  return found;
}"""

_TO_THE_END = """() => {
  for (const scroll of document.querySelectorAll(".wide .scroll")) scroll.scrollLeft = scroll.scrollWidth;
}"""

_AT_THE_END = """() => [...document.querySelectorAll(".wide")].filter(wide => {
  const scroll = wide.querySelector(".scroll");
  const isShown = scroll.clientWidth > 0;
  return isShown && (wide.hasAttribute("data-right") || !wide.querySelector(".more-columns").hidden);
}).length"""

_WHOLE_HEADS = """() => {
  const scroll = document.querySelector("table.scores").closest(".scroll");
  const end = scroll.getBoundingClientRect().left + scroll.clientWidth;
  const heads = [...scroll.querySelectorAll("thead tr:last-child th")];
  return heads.filter(x => x.getBoundingClientRect().right <= end + 0.5).map(x => x.innerText.split("\\n")[0]);
}"""

_N_NODES = "document.querySelectorAll('svg *').length"

_CUT = """() => [...document.querySelectorAll("svg")].filter(x => x.getClientRects().length && x.querySelector("text"))
  .flatMap(svg => {
    const box = svg.getBoundingClientRect();
    return [...svg.querySelectorAll("text")].filter(text => {
      const own = text.getBoundingClientRect();
      return own.width && (own.left < box.left - 1 || own.right > box.right + 1
        || own.top < box.top - 1 || own.bottom > box.bottom + 1);
    }).map(text => text.textContent);
  })"""


def open_details(page):
    """Open all that is closed."""
    page.evaluate(_OPEN_ALL)
    page.wait_for_timeout(50)


def wider_than_the_screen(page):
    """By how many pixels the page is wider than what is seen of it."""
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


def small_texts(page, least=SMALLEST_TEXT):
    """The texts that are smaller, and how large they are, in pixels of the screen."""
    return page.evaluate(_SMALL_TEXTS, least)


def without_a_cue(page):
    """The tables and figures that are wider than their place and do not say so, or say so and are not."""
    return page.evaluate(_UNCUED)


def cues_at_the_end(page):
    """How many say that there is more where there is none: after each has been moved to its end."""
    page.evaluate(_TO_THE_END)
    page.wait_for_timeout(100)
    return page.evaluate(_AT_THE_END)


def whole_columns(page):
    """The columns of the table of scores that are seen as a whole."""
    return page.evaluate(_WHOLE_HEADS)


def cut_texts(page):
    """The texts that reach out of their figure."""
    return page.evaluate(_CUT)


def too_many_nodes(page):
    """How many elements figures have beyond what a browser draws at once."""
    return max(0, page.evaluate(_N_NODES) - MOST_NODES)


def faults_of(page):
    """All that is wrong at the width of the page, by the name of the check."""
    checks = (wider_than_the_screen, without_a_cue, cut_texts, too_many_nodes, small_texts)
    found = {check.__name__: check(page) for check in checks}
    open_details(page)
    found |= {f"{check.__name__} of what was closed": check(page) for check in checks}
    found["cues_at_the_end"] = cues_at_the_end(page)
    return {name: wrong for name, wrong in found.items() if wrong}
