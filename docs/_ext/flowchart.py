"""Draws a chain of a Mermaid flowchart as a list of HTML, so that a page needs no script and nothing from a network."""

from __future__ import annotations

import re
from html import escape
from itertools import pairwise
from typing import Any, ClassVar

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

_EDGE = re.compile(r'\s*(\w+) -- "(.+)" --> (\w+)\s*')


class Flowchart(SphinxDirective):
    """The lines of a block ``mermaid``: ``flowchart LR``, then edges ``a -- "text" --> b``, each from the last node."""

    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {}

    def run(self) -> list[nodes.Node]:
        """An ordered list of the nodes, each with the text of the edge that leads to it."""
        head, *lines = self.content
        edges = [_EDGE.fullmatch(line) for line in lines]
        if head.strip() != "flowchart LR" or not edges or None in edges:
            raise self.error('only chains are drawn: "flowchart LR", then lines \'a -- "text" --> b\'')
        found = [edge.groups() for edge in edges if edge]
        if any(before[2] != after[0] for before, after in pairwise(found)):
            raise self.error("each edge has to begin where the one before ends")
        items = [f"<li><b>{escape(found[0][0])}</b></li>"]
        items += [f"<li><b>{escape(node)}</b><span>{_breakable(text)}</span></li>" for _, text, node in found]
        return [nodes.raw("", f'<ol class="flowchart">{"".join(items)}</ol>', format="html")]


def _breakable(text: str) -> str:
    """Names of modules may break behind their dots."""
    return escape(text).replace(".", ".<wbr>")


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the directive."""
    app.add_directive("mermaid", Flowchart)
    return {"parallel_read_safe": True}
