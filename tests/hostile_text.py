"""Sets of labels that are hostile to terminals, HTML, Markdown and spreadsheets; the same ones for the same seed."""

import random
import re
import unicodedata
from functools import cache

from rich.cells import cell_len

HIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
"""Letters that must not be shown: controls, ends of lines, what turns the direction of writing, and half letters."""

PIECES = [
    "<script>alert(1)</script>",
    '"><img onerror=x>',
    "&lt;",
    "&#124;",
    "</td></tr></table>",
    "<!--",
    "]]>",
    "'",
    '"',
    '""',
    "\x1b[31m",
    "\x1b]0;title\x07",
    "\x9b31m",
    "\r",
    "\n",
    "\r\n",
    "\t",
    "\0",
    "\x7f",
    "\x85",
    "\u202e",
    "\u2067a\u2069",
    "\u200f",
    "\u2028",
    "\u2029",
    "\ud800",
    "\udfff",
    "e\u0301",
    "a" + "\u0308" * 9,
    "\u0903",
    "\u200b",
    "\ufeff",
    "\xad",
    "\u0600",
    "\N{DNA DOUBLE HELIX}",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "\U0001f1e9\U0001f1ea",
    "\u2764\ufe0f",
    "1\ufe0f\u20e3",
    "\U0001f44d\U0001f3fd",
    "漢字",
    "\uff21",
    "\uff71",
    "각",
    "\u3000",
    "\xa0",
    "=cmd|' /C calc'!A0",
    "+1+1",
    "-1",
    "@SUM(A1)",
    "\uff1d1",
    " =1",
    "|",
    "\\|",
    "\\",
    "\\\\",
    "`",
    "```",
    "*a*",
    "_b_",
    "~~c~~",
    "![x](http://x.y/z.png)",
    "[a](javascript:alert(1))",
    "---",
    "# h",
    "$x$",
    "[bold]",
    "[/bold]",
    "[link=http://x.y]",
    "{0}",
    "%s",
    ",",
    ";",
    "a/b",
    "B cell",
    "nan",
    "None",
    "True",
    "0",
    "1.5",
]


def columns_of(text):
    """How many columns a text takes at most, as two sources say that are not ours: the tables of Python and of rich."""
    return len(text) if text.isascii() else max(sum(map(_columns_of_letter, text)), cell_len(text))


@cache
def _columns_of_letter(letter):
    is_format = unicodedata.category(letter) == "Cf" and unicodedata.bidirectional(letter) in ("BN", "ON")
    if letter not in "\xad\ufe0f" and (is_format or unicodedata.category(letter) in ("Mn", "Me")):
        return 0
    return 1 + (unicodedata.east_asian_width(letter) in "WF")


def check_line(line, width=80):
    """No letters that are hidden, and no more columns than there are."""
    assert not HIDDEN.search(line), ascii(line)
    assert 2 * len(line) <= width or columns_of(line) <= width, ascii(line)


def label_sets(seed, n_sets, most=5):
    """So many sets of at least two labels, each a list of other texts."""
    source = random.Random(seed)
    return [_label_set(source, most) for _ in range(n_sets)]


def _label_set(source, most):
    found = {}
    for _ in range(source.randint(2, most)):
        found[_text(source)] = None
    if source.random() < 0.2:  # like another but for case or spaces
        text = source.choice(list(found))
        found[source.choice([text.upper(), text.swapcase(), f" {text}", f"{text} ", f"{text}\n"])] = None
    if source.random() < 0.1:
        found[""] = None
    while len(found) < 2:
        found[f"{len(found)}{_text(source)}"] = None
    return source.sample(list(found), len(found))


def _text(source):
    piece = source.choice(PIECES)
    chance = source.random()
    if chance < 0.4:
        return piece
    if chance < 0.8:
        return source.choice(["", " ", "x"]).join([piece, *source.choices(PIECES, k=source.randint(1, 3))])
    if chance < 0.99:
        return piece * source.randint(2, 60)
    return (piece * 10_000)[:10_000]
