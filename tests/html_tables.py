"""Reads the HTML of results, and fails for anything in it that is not theirs."""

from html.parser import HTMLParser

STYLES = {"text-align", "white-space", "font-size", "opacity", "padding-left"}
"""Nothing of colours: a table is read in dark and in light notebooks."""


class Tables(HTMLParser):
    """The rows of all tables, with the texts and the titles of their cells, and what stands beside the tables."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.rows, self.titles, self.bold, self.beside, self.notes = [], [], [], [], []
        self._open = []
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        assert tag in ("table", "thead", "tbody", "tr", "th", "td", "b", "span", "div")
        attributes = dict(attrs)
        assert set(attributes) <= {"style", "title", "colspan", "scope"}
        assert all(x.partition(":")[0] in STYLES for x in attributes.get("style", "").split(";") if x)
        self._open.append(tag)
        if tag == "tr":
            self.rows.append([])
            self.titles.append([])
        if tag in ("th", "td"):
            self.rows[-1].append("")
            self.titles[-1].append(attributes.get("title", ""))

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        if "tr" in self._open:
            self.rows[-1][-1] += data
            if "b" in self._open:
                self.bold.append((len(self.rows) - 1, len(self.rows[-1]) - 1))
        elif "div" in self._open:
            self.notes.append(data)
        else:
            assert not data.strip()

    def handle_comment(self, data):
        raise AssertionError(data)

    handle_decl = handle_pi = unknown_decl = handle_comment
