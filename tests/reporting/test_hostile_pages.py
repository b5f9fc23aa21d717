"""Labels, names and values that are hostile to HTML and SVG are text in a report."""

import pytest
from hostile_pages import check_page, pages_of
from report_pages import Page

PAGES = pages_of(seed=0, n_sets=300)


@pytest.mark.parametrize("number", range(len(PAGES)))
def test_hostile_text_is_text(number):
    check_page(PAGES[number], number)


SHELL = (
    '<html><head><meta http-equiv="Content-Security-Policy" content="default-src \'none\'"></head><body>{}'
    "<script></script></body></html>"
)


def test_a_page_of_its_own_elements_is_read():
    assert Page(SHELL.format('<table><tr><td>a &lt;b&gt;</td></tr></table><p id="x">y</p>')).tables == [[["a <b>"]]]


@pytest.mark.parametrize(
    "fault",
    [
        "<img>",
        "<script></script>",
        "<!-- -->",
        '<p id="x"></p><p id="x"></p>',
        '<p onclick="x"></p>',
        '<a href="https://example.org">x</a>',
        '<p style="background:url(https://example.org)"></p>',
        "<p>",
        "<iframe></iframe>",
    ],
)
def test_a_fault_of_a_page_is_found(fault):
    with pytest.raises(AssertionError):
        Page(SHELL.format(fault))
