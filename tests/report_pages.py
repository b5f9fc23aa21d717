"""Reads a report as a browser does, and fails for anything in it that is not its own."""

import re
from html.parser import HTMLParser

VOID = {"meta", "link", "wbr", "br", "img", "input"}
TAGS = {
    *("html", "head", "meta", "link", "title", "style", "script", "body", "header", "main", "footer", "nav", "section"),
    *("h1", "h2", "h3", "p", "a", "ul", "li", "div", "span", "figure", "figcaption", "table", "caption", "thead"),
    *(
        "tbody",
        "tr",
        "th",
        "td",
        "button",
        "dl",
        "dt",
        "dd",
        "wbr",
        "bdi",
        "strong",
        "small",
        "details",
        "summary",
        "pre",
    ),
    "input",
    *("svg", "g", "path", "text", "tspan", "defs", "use", "clippath", "rect", "image", "style", "circle", "title"),
}
OF_LINKS = ("href", "src", "srcset", "action", "data", "poster", "xlink:href", "background", "formaction")


class Page(HTMLParser):
    """The tables, the texts of the figures, and the sections of a report."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tables, self.svg_texts, self.headings, self.summary, self.facts = [], [], [], [], {}
        self.ids, self.n_scripts, self.policy, self.titles, self.captions = [], 0, "", [], []
        self.classes, self.csv, self.has_spans, self.paragraphs = [], [], [], []
        self._open, self._last, self._is_verdict = [], None, False
        self.feed(text)
        self.close()
        assert self._open == [], self._open
        assert len(set(self.ids)) == len(self.ids)
        assert self.n_scripts == 1
        assert "default-src 'none'" in self.policy

    def handle_starttag(self, tag, attrs):
        assert tag in TAGS, tag
        attributes = dict(attrs)
        assert not any(name.startswith("on") for name in attributes), attributes
        for name in OF_LINKS:
            if name in attributes:
                assert attributes[name].startswith(("#", "data:")), attributes
        assert "url(" not in re.sub(r"url\(#[^)]*\)", "", attributes.get("style") or "")
        if "id" in attributes:
            self.ids.append(attributes["id"])
        self.n_scripts += tag == "script"
        if attributes.get("http-equiv") == "Content-Security-Policy":
            self.policy = attributes["content"]
        self.titles += [attributes[x] for x in ("title", "aria-label") if attributes.get(x)]
        if tag == "table":
            self.tables.append([])
            self.classes.append([])
            self.captions.append("")
            self.has_spans.append(False)
        if attributes.get("class") == "spans":
            self.has_spans[-1] = True
        if tag == "tr":
            self.tables[-1].append([])
            self.classes[-1].append([])
        if tag in ("th", "td"):
            self.tables[-1][-1].append("")
        for name, found in (("h2", self.headings), ("text", self.svg_texts), ("p", self.paragraphs)):
            if tag == name:
                found.append("")
        if tag == "section":
            self._is_verdict = attributes.get("class") == "verdict"
        if tag in ("p", "li") and self._is_verdict and self._within("section"):
            self.summary.append("")
        if tag == "pre":
            self.csv.append("")
        if tag in ("th", "td"):
            self.classes[-1][-1].append((attributes.get("class") or "").split())
        if tag == "dt":
            self._last = ""
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self._open.pop() == tag
        if tag == "dt":
            self.facts[self._last] = ""

    def handle_data(self, data):
        if self._within("th") or self._within("td"):
            self.tables[-1][-1][-1] += data
        found_in = (("h2", self.headings), ("caption", self.captions), ("text", self.svg_texts), ("p", self.paragraphs))
        for tag, found in found_in:
            if self._within(tag):
                found[-1] += data
        if (self._within("p") or self._within("li")) and self._is_verdict and self._within("section"):
            self.summary[-1] += data
        if self._within("pre"):
            self.csv[-1] += data
        if self._within("dt"):
            self._last += data
        if self._within("dd"):
            self.facts[self._last] += data

    def _within(self, tag):
        return tag in self._open

    def handle_comment(self, data):
        raise AssertionError(data)

    handle_pi = unknown_decl = handle_comment

    def handle_decl(self, decl):
        assert decl == "DOCTYPE html"

    @property
    def texts(self):
        """All that is shown of users' text."""
        cells = [cell for table in self.tables for row in table for cell in row]
        return [
            *cells,
            *self.svg_texts,
            *self.headings,
            *self.captions,
            *self.summary,
            *self.csv,
            *self.paragraphs,
            *self.titles,
            *self.facts.values(),
        ]
