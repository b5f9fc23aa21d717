"""The checker of links finds what is dead, and what comes from elsewhere."""

import pytest
from extensions_of_the_site import extension

check = extension("site_links").check

HEAD = '<link rel="canonical" href="https://example.org/">'


def faults_of(tmp_path, body):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "index.html").write_text('<p id="here">A page</p>', encoding="utf-8")
    (tmp_path / "a picture.png").write_bytes(b"")
    (tmp_path / "page.html").write_text(HEAD + body, encoding="utf-8")
    return check(tmp_path)[0]


@pytest.mark.parametrize(
    "body",
    [
        '<a href="folder/index.html#here">page</a>',
        '<a href="folder/">folder</a>',
        '<a href="#top">top</a>',
        '<h1 id="x">x</h1><a href="#x">x</a>',
        '<img src="a%20picture.png">',
        '<img srcset="a%20picture.png, a%20picture.png 2x">',
        '<img src="data:image/png;base64,AA">',
        '<a href="https://example.org/">example</a>',
        '<a href="mailto:someone@example.org">mail</a>',
    ],
)
def test_what_exists(tmp_path, body):
    assert faults_of(tmp_path, body) == []


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        ('<a href="other.html">other</a>', "page.html links to other.html, which does not exist"),
        ('<a href="#y">y</a>', "page.html links to #y: the page has no such anchor"),
        (
            '<a href="folder/index.html#there">page</a>',
            "page.html links to folder/index.html#there: the page has no such anchor",
        ),
        ('<img src="b.png">', "page.html links to b.png, which does not exist"),
        ('<img srcset="b.png 2x">', "page.html links to b.png, which does not exist"),
        ('<a href="../../etc/hostname">out</a>', "page.html links to ../../etc/hostname, which does not exist"),
        (
            '<script src="https://example.org/x.js"></script>',
            "page.html loads https://example.org/x.js from another site",
        ),
        (
            '<link rel="stylesheet" href="//example.org/x.css">',
            "page.html loads //example.org/x.css from another site",
        ),
    ],
)
def test_what_is_dead_or_comes_from_elsewhere(tmp_path, body, fault):
    assert faults_of(tmp_path, body) == [fault]


def test_a_site_without_pages(tmp_path):
    assert check(tmp_path)[0] == [f"{tmp_path.resolve()} has no pages"]


def test_other_sites_are_listed(tmp_path):
    (tmp_path / "page.html").write_text('<a href="https://example.org/">example</a>', encoding="utf-8")
    assert check(tmp_path) == ([], ["https://example.org/"])
