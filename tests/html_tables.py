"""Reads the HTML of results, and fails for anything in it that is not theirs."""

import re
from html.parser import HTMLParser

STYLES = {"text-align", "white-space", "font-size", "opacity", "padding-left", "max-width", "overflow-x"}
STYLES |= {"position", "left", "background"}
"""Nothing of colours: a table is read in dark and in light notebooks."""

GROUND = "var(--jp-layout-color0,var(--vscode-editor-background,Canvas))"
"""What backgrounds are of: the ground of the notebook, and a shadow in the grey between both."""
SHADOW = "rgba(128,128,128,.35)"
COLOUR = re.compile(r"#|rgb|hsl|color|white|black|gr[ae]y|red|green|blue")


class Tables(HTMLParser):
    """The rows of all tables, with the texts and the titles of their cells, and what stands beside the tables.

    Headings of several columns are in ``spans``, each with how many columns it has.
    """

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.rows, self.titles, self.bold, self.notes, self.spans = [], [], [], [], []
        self._open, self._is_span = [], False
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        assert tag in ("table", "thead", "tbody", "tr", "th", "td", "b", "span", "div")
        attributes = dict(attrs)
        assert set(attributes) <= {"style", "title", "colspan", "scope", "tabindex", "role", "aria-label"}
        style = attributes.get("style", "")
        assert all(x.partition(":")[0] in STYLES for x in style.split(";") if x)
        grounds = "".join(x for x in style.split(";") if x.startswith("background"))
        assert not COLOUR.search(grounds.replace(GROUND, "").replace(SHADOW, "")), grounds
        self._open.append(tag)
        if tag == "tr":
            self.rows.append([])
            self.titles.append([])
        if attributes.get("scope") == "colgroup":
            self.spans.append(["", int(attributes.get("colspan", 1))])
            self._is_span = True
        if tag in ("th", "td"):
            self.rows[-1].append("")
            self.titles[-1].append(attributes.get("title", ""))

    def handle_endtag(self, tag):
        assert self._open.pop() == tag
        if tag == "tr" and self._is_span:
            self._is_span = False
            self.titles.pop()
            for span, text in zip(self.spans, filter(None, self.rows.pop()), strict=True):
                span[0] = text

    def handle_data(self, data):
        if "tr" in self._open:
            self.rows[-1][-1] += data
            if "b" in self._open:
                self.bold.append((len(self.rows) - 1, len(self.rows[-1]) - 1))
        elif "div" in self._open and "table" not in self._open:
            self.notes.append(data)
        else:
            assert not data.strip()

    def handle_comment(self, data):
        raise AssertionError(data)

    handle_decl = handle_pi = unknown_decl = handle_comment
