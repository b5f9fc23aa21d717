"""Checks the links of the site after each build, without a network; a fault is a warning.

Every link, anchor, picture, style and script has to exist within the site. Links to other sites are counted, not
opened; a picture, a style or a script of another site is a fault.
"""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

_ATTRIBUTES = {"a": "href", "link": "href", "img": "src", "script": "src", "iframe": "src", "source": "srcset"}
_ELSEWHERE = {"canonical", "alternate"}
"""Kinds of ``link`` that no browser loads."""


class Page(HTMLParser):
    """What a page links to, what it loads, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.anchors = {"", "top"}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what an element refers to."""
        found = {name: value or "" for name, value in attrs}
        self.anchors |= {found[name] for name in ("id", "name") if name in found}
        if tag == "link" and _ELSEWHERE & set(found.get("rel", "").split()):
            return
        if "srcset" in found:
            self.loaded += [part.split()[0] for part in found["srcset"].split(",")]
        if tag in _ATTRIBUTES and _ATTRIBUTES[tag] in found and tag != "source":
            (self.links if tag == "a" else self.loaded).append(found[_ATTRIBUTES[tag]])


def _pages_in(folder: Path) -> list[Path]:
    """The pages, without templates that themes leave in ``_static``."""
    return sorted(x for x in folder.rglob("*.html") if "_static" not in x.relative_to(folder).parts)


def check(folder: Path) -> tuple[list[str], list[str]]:
    """The faults of a site, and the addresses of other sites that it links to."""
    folder = folder.resolve()
    pages = {path: Page(path.read_text(encoding="utf-8")) for path in _pages_in(folder)}
    faults, others = [], set()
    if not pages:
        faults.append(f"{folder} has no pages")

    for path, page in pages.items():
        where = path.relative_to(folder).as_posix()
        for link in [*page.links, *page.loaded]:
            parts = urlsplit(link)
            if parts.scheme in ("data", "mailto"):
                continue
            if parts.scheme or parts.netloc:
                others.add(link)
                if link in page.loaded:
                    faults.append(f"{where} loads {link} from another site")
                continue
            target = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
            target = target / "index.html" if target.is_dir() else target
            if not target.is_file() or not target.is_relative_to(folder):
                faults.append(f"{where} links to {link}, which does not exist")
            elif target in pages and link in page.links and unquote(parts.fragment) not in pages[target].anchors:
                faults.append(f"{where} links to {link}: the page has no such anchor")
    return sorted(set(faults)), sorted(others)


def setup(app: Any) -> dict[str, Any]:
    """Check the site when it is built."""
    from sphinx.util import logging

    def check_site(app: Any, error: Exception | None) -> None:
        if error is None and app.builder.name == "html":
            logger = logging.getLogger(__name__)
            faults, others = check(Path(app.outdir))
            for fault in faults:
                logger.warning(fault)
            logger.info("links: %s faults; %s addresses of other sites, not opened", len(faults), len(others))

    app.connect("build-finished", check_site, priority=900)
    return {"parallel_read_safe": True}
