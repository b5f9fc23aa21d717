"""A finished report: the page, and the scores that it shows."""

from __future__ import annotations

import os
import webbrowser
from collections.abc import Sequence
from html import escape
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

from gpuval.display.files import why_not_writable, write_whole
from gpuval.display.text import wrap
from gpuval.results.evaluations import Comparison

__all__ = ["Report"]


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
        return f'<iframe srcdoc="{page}" title="Report" style="width:100%;height:40rem;border:0"></iframe>'


# Check the path of a file for a page.


def read_path(path: Any, name: str) -> Path:
    """The path that an argument of this name gives, if a file can be written there."""
    if not isinstance(path, str | os.PathLike):
        raise TypeError(f"{name} must be the path of a file, got {type(path).__name__}")
    problem = why_not_writable(Path(path))
    if problem:
        raise ValueError(f"{name} must be a file that can be written, got {str(path)!r}: {problem}")
    return Path(path)
