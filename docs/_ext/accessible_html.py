"""Mends what Sphinx writes that screen readers cannot read: lists in the heads of signatures, and citations."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx

_SIGNATURE = re.compile(r'<dt class="sig .*?</dt>', re.DOTALL)


def mended(body: str) -> str:
    """A signature of several lines is no list of definitions, and a citation is an item of its list."""
    body = _SIGNATURE.sub(_without_lists, body)
    return body.replace('role="doc-biblioentry"', 'role="listitem"')


def _without_lists(signature: re.Match[str]) -> str:
    text = signature[0].replace("<dl>", '<span class="sig-lines">').replace("</dl>", "</span>")
    return text.replace("<dd>", '<span class="sig-line">').replace("</dd>", "</span>")


def _mend(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    if "body" in context:
        context["body"] = mended(context["body"])


def setup(app: Sphinx) -> dict[str, Any]:
    """Mend the text of each page before its template is filled."""
    app.connect("html-page-context", _mend)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
