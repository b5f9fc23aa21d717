"""Fill in the template of the page."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Mapping
from importlib.resources import files
from typing import Any

from gpuval.inputs.options import needed

_QUOTED = re.compile("\N{LEFT DOUBLE QUOTATION MARK}[^\N{LEFT DOUBLE QUOTATION MARK}]*?\N{RIGHT DOUBLE QUOTATION MARK}")
"""A name in a sentence."""


def check_rendering() -> None:
    """Check that the packages with which a page is made are installed, before anything is computed."""
    with needed("gpuval.report", "report"):
        import jinja2  # noqa: F401
        import matplotlib  # noqa: F401


def filled_template(content: Mapping[str, Any]) -> str:
    """The page: all text except figures is escaped, and a browser runs no script except the page's own."""
    with needed("gpuval.report", "report"):
        from jinja2 import Environment, StrictUndefined
        from markupsafe import Markup, escape

    def breakable(text: str) -> Markup:
        """Text that may break into lines within long names."""
        return Markup(escape(text).replace("_", Markup("_<wbr>")))

    def isolated(text: str) -> Markup:
        """Text in which names in quotation marks do not change the order around them if they run from right to left."""
        return Markup(_QUOTED.sub(r"<bdi>\g<0></bdi>", str(escape(text))))

    script = _text_of("report.js")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    environment = Environment(
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["drawn"] = Markup  # SVG that matplotlib has escaped
    environment.filters["breakable"] = breakable
    environment.filters["isolated"] = isolated
    page = environment.from_string(_text_of("report.html.jinja"))
    return page.render(style=Markup(_text_of("report.css")), script=Markup(script), script_digest=digest, **content)


def _text_of(name: str) -> str:
    return (files("gpuval.reporting.page") / name).read_text(encoding="utf-8")
