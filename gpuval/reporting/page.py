"""The page of a report: the facts about it, the template with all of them, and the finished report."""

from __future__ import annotations

import base64
import hashlib
import os
import platform
import re
import webbrowser
from collections.abc import Mapping, Sequence
from html import escape
from importlib.metadata import PackageNotFoundError, version
from importlib.resources import files
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from gpuval import __version__
from gpuval.display.colors import edge_of
from gpuval.display.files import why_not_writable, write_whole
from gpuval.display.tables import label_text
from gpuval.display.text import join_texts, visible, wrap
from gpuval.inputs.options import require_extra
from gpuval.inputs.strings import is_missing
from gpuval.reporting.content import Content
from gpuval.reporting.sections import Facts, Section
from gpuval.reporting.sentences import measure_text, name_of_series, name_text
from gpuval.results.evaluations import Comparison

__all__ = ["Report"]


_QUOTED = re.compile("\N{LEFT DOUBLE QUOTATION MARK}[^\N{LEFT DOUBLE QUOTATION MARK}]*?\N{RIGHT DOUBLE QUOTATION MARK}")
"""A name in a sentence."""


def check_rendering() -> None:
    """Check that the packages with which a page is made are installed, before anything is computed."""
    with require_extra("gpuval.report", "report"):
        import jinja2  # noqa: F401
        import matplotlib  # noqa: F401


def fill_template(content: Mapping[str, Any]) -> str:
    """The page: all text except figures is escaped, and a browser runs no script except the page's own."""
    with require_extra("gpuval.report", "report"):
        from jinja2 import Environment, StrictUndefined
        from markupsafe import Markup, escape

    def breakable(text: str) -> Markup:
        """Text that may break into lines within long names."""
        return Markup(escape(text).replace("_", Markup("_<wbr>")))

    def isolate(text: str) -> Markup:
        """Text in which names in quotation marks do not change the order around them if they run from right to left."""
        return Markup(_QUOTED.sub(r"<bdi>\g<0></bdi>", str(escape(text))))

    colors: dict[str, str] = {}

    def colored(color: str) -> str:
        """The class of what is filled with a colour."""
        return colors.setdefault(color, f"c{len(colors)}")

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
    environment.filters["isolated"] = isolate
    environment.filters["colored"] = colored
    page = environment.from_string(_text_of("report.html.jinja"))
    style = Markup(_text_of("report.css"))
    sections = content["sections"]
    given = {**content, "rows": _rows_of(sections)}
    html = page.render(style=style, script=Markup(script), script_digest=digest, palette=_PALETTE, **given)
    return html.replace(_PALETTE, _style_of_colors(colors), 1)


_PALETTE = "/* colours */"
"""What the colours of the page, which are known when it is filled, stand in place of."""


def _style_of_colors(colors: Mapping[str, str]) -> str:
    """The fill of each colour by its class, and its edge on light and on dark pages."""
    light = "".join(f".{name}{{--c:{color};--e:{edge_of(color)}}}" for color, name in colors.items())
    dark = "".join(f".{name}{{--e:{edge_of(color, dark=True)}}}" for color, name in colors.items())
    return f"{light}\n@media screen and (prefers-color-scheme: dark) {{{dark}}}"


def _rows_of(sections: Sequence[Section]) -> list[list[Section]]:
    """Sections in rows: one that stands beside another is in its row."""
    rows: list[list[Section]] = []
    for section in sections:
        if section.is_beside and rows and len(rows[-1]) == 1 and rows[-1][0].key == "sweep":
            rows[-1].append(section)
        else:
            rows.append([section])
    return rows


def _text_of(name: str) -> str:
    return (files("gpuval.reporting") / name).read_text(encoding="utf-8")


# The data and the settings of a report, as names and values.

Named = Mapping[str, str]


def data_section(content: Content, about: Mapping[Any, Any], notes: Sequence[str], of_packages: Named) -> Section:
    """The data, the settings and the versions, closed; headings without values are left out."""
    found: dict[str, Named] = {
        "About": {name_text(name): visible(str(value)) for name, value in about.items()},
        "Data": _data(content),
        "Settings": _settings(content),
        "Notes": {f"{place}.": visible(note) for place, note in enumerate(notes, 1)},
        "Versions": of_packages,
    }
    parts = [Facts(title, list(values.items())) for title, values in found.items() if values]
    return Section("data", "Data, settings and versions", parts, is_closed=True)


def _data(content: Content) -> Named:
    given, shown = content.asked.given, content.comparison[content.chosen].shown()
    facts = {"samples": shown.samples} if shown.samples else {}
    if content.truth is not None:
        names = ", ".join(map(name_text, content.references)) or name_text(content.truth)
        classes = f" ({shown.counts.get('n_classes', 'unknown')} classes)" * (not content.references)
        facts["references" if content.references else "true labels"] = f"{names}{classes}"
    facts["labelings"] = ", ".join(map(name_text, content.comparison))
    if given.X is not None:
        shape = getattr(given.X, "shape", None)
        facts["X (samples x features)"] = "given" if shape is None else " x ".join(f"{n:,}" for n in shape)
    beside = {"by": given.by, "groups": given.groups, "weights": given.sample_weight}
    facts |= {name: name_text(name_of_series(x, "given")) for name, x in beside.items() if x is not None}
    if given.ignore_labels:
        facts["ignored labels"] = _ignore_text(given.ignore_labels.as_setting())
    return facts


def _ignore_text(labels: list[Any] | dict[str, list[Any]]) -> str:
    """The labels that are ignored on both sides, or on each."""
    if isinstance(labels, list):
        return ", ".join("missing ones" if is_missing(x) else label_text(x) for x in labels)
    sides = {"true": "true labels", "pred": "labelings"}
    return "; ".join(f"{_ignore_text(own)} ({sides[side]})" for side, own in labels.items())


def _settings(content: Content) -> Named:
    asked = content.asked
    facts = {"measures": ", ".join(name_text(x) for x in content.scores.numbers)}
    facts["order of the labelings"] = f"by {name_text(content.measure)}"
    level, n_resamples = asked.given.level, asked.given.n_resamples
    if level is not None and asked.measures.external:
        methods = {
            name: x.method for scores in content.comparison.values() for name, x in (scores.intervals or {}).items()
        }
        drawn = [
            measure_text(name, content.scores.measures[name])
            for name, method in methods.items()
            if method != "jackknife"
        ]
        rest = "; others by the jackknife" if len(drawn) < len(methods) else ""
        how = f"{join_texts(drawn)} by the bootstrap, {n_resamples} resamples{rest}" if drawn else "by the jackknife"
        facts["intervals"] = f"level {level}: {how}"
    if asked.silhouette is not None:
        n_drawn = asked.n_drawn
        facts["silhouettes"] = "of all samples" if n_drawn is None else f"of {n_drawn:,} samples, drawn at random"
    facts["random state"] = label_text(asked.given.random_state)
    return facts


# The versions of the packages with which a report was made.

_PACKAGES = ("numpy", "scipy", "matplotlib", "pandas", "anndata")


def versions() -> dict[str, str]:
    """The versions of gpuval, of Python, and of the installed packages with which it computes and draws."""
    found = {"gpuval": __version__, "Python": platform.python_version()}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


# A finished report: the page, and the scores that it shows.


_FIT = "this.style.height = Math.min(800, this.contentDocument.documentElement.scrollHeight + 2) + 'px'"
"""What a notebook runs, if it is trusted, when the page is loaded: a short one takes no more room than it needs."""

_OPEN = (
    "window.open(window.URL.createObjectURL("
    "new Blob([this.previousSibling.srcdoc.replace(/<base[^>]*>/, '')], {type: 'text/html'})))"
)
"""What its button runs: the same page by itself, whose links lead to its own places."""


class Report:
    """A page about clusterings; it prints as its summary, and a notebook shows the whole page.

    Attributes
    ----------
    html
        The page: a text that needs no other file and no network.
    summary
        The findings, as a list of sentences.
    scores
        The :class:`Comparison` that the page shows.
    """

    def __init__(self, html: str, summary: Sequence[str], scores: Comparison) -> None:
        self.html = html
        self.summary = list(summary)
        self.scores = scores

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the page to a file; an existing file is replaced as a whole.

        Parameters
        ----------
        path
            The path of the file, such as "report.html".

        Returns
        -------
        pathlib.Path
            The path of the file.
        """
        found = read_path(path, "path")
        write_whole(found, self.html)
        return found

    def open(self) -> Path:
        """Show the page in a browser; returns the temporary file with the page, which is not deleted."""
        with NamedTemporaryFile("w", encoding="utf-8", suffix=".html", prefix="gpuval-", delete=False) as file:
            file.write(self.html)
        webbrowser.open(Path(file.name).as_uri())
        return Path(file.name)

    def __repr__(self) -> str:
        return "\n".join(f"- {wrap(sentence, 2).strip()}" for sentence in self.summary)

    def _repr_html_(self) -> str:
        # Links within the page are to the page, not to the notebook around it.
        page = escape(self.html.replace("<head>", '<head>\n<base href="about:srcdoc">', 1))
        style = "width:100%;height:800px;border:0"
        frame = f'<iframe srcdoc="{page}" title="Report" style="{style}" onload="{escape(_FIT)}"></iframe>'
        return f'<div>{frame}<button type="button" onclick="{escape(_OPEN)}">open in a tab</button></div>'


# Check the path of a file for a page.


def read_path(path: Any, name: str) -> Path:
    """The path that an argument of this name gives, if a file can be written there."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"{name} must be the path of a file, got {type(path).__name__}")
    problem = why_not_writable(Path(path))
    if problem:
        raise ValueError(f"{name} must be a file that can be written, got {str(path)!r}: {problem}")
    return Path(path)
