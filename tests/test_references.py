"""The docstrings' references: each cited, spelled as in references.md, its places checked there or marked as not."""

import ast
import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from properties import NOT_MEASURES

import gpuval
from gpuval import intervals, multilabel, ranking
from gpuval.measures.measure import measures_in

PACKAGE = Path(gpuval.__file__).parent
LIST = Path(__file__).parent / "references.md"

OWN_DEFINITIONS = {x.name for x in measures_in(gpuval) if x.values == "matrix"}
"""What needs no source: tables and their order, defined by the docstring itself."""

NO_MEASURES_OF_RANKINGS = {"Ranked", "RankingAccumulator", "RankingScores", "evaluate"}
"""The public names of ``gpuval.ranking`` that are no measures."""
NO_MEASURES_OF_LABELS = {"LabelCounts", "MultilabelAccumulator", "MultilabelScores", "evaluate"}
"""The public names of ``gpuval.multilabel`` that are no measures."""

KIND = r"(?:equation|section|table|page|chapter|definition|theorem)"
NUMBER = r"\d[\w.]*\b"
PLACE = rf"{KIND}s? {NUMBER}(?:(?:, | and | to ){NUMBER})*"
UNCHECKED = ", not checked against the text"
YEAR = r"(?:19|20)\d\d"
BY_AUTHORS = rf"(?P<names>[A-Z]\w+(?:(?:, [A-Z]\w+)* and [A-Z]\w+| et al\.)?) (?P<year>{YEAR})"
"""A source named by its authors in the text: "Chan, Golub and LeVeque 1983"."""

CITED = re.compile(rf"(?:\[(?P<number>\d+)\]_|{BY_AUTHORS})(?:, (?P<places>{PLACE})(?P<mark>{UNCHECKED})?)?")


class Docstring(NamedTuple):
    """Its text in one line, without the references, and these, by their numbers."""

    text: str
    references: dict[str, str]


def read(docstring: str) -> Docstring:
    text, _, rest = re.sub(r"References\n *-+\n", "\f", docstring).partition("\f")
    section, _, after = rest.partition("\n\n")
    entries = re.split(r"^ *\.\. \[(\d+)\] ", section, flags=re.MULTILINE)[1:]
    numbers, references = entries[::2], [" ".join(x.split()) for x in entries[1::2]]
    return Docstring(" ".join(f"{text} {after}".split()), dict(zip(numbers, references, strict=True)))


def known_sources() -> dict[str, set[str]]:
    """The checked places of each source of the list."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("|")]
    return {source: set(filter(None, places.split("; "))) for source, _, places, _ in rows[2:]}


def single_places(places: str) -> list[str]:
    """["equation 5.6", "equation 5.13"] of "equations 5.6 and 5.13"."""
    kind = re.findall(KIND, places)[0]
    return [f"{kind} {number}" for number in re.findall(rf"\b{NUMBER}", places)]


def source_by_authors(names: str, year: str, known: dict[str, set[str]]) -> str | None:
    """The one source of that year with all these names among its authors."""
    authors = re.findall(r"[A-Z]\w+", names)
    fits = [x for x in known if year in x and all(re.search(rf"\b{a}\b", x.split('"')[0]) for a in authors)]
    return fits[0] if len(fits) == 1 else None


def complaints(docstring: str, known: dict[str, set[str]]) -> list[str]:
    text, references = read(docstring)
    found = [f"not in references.md: {x}" for x in references.values() if x not in known]
    found += [f"no year: {x}" for x in references.values() if not re.search(rf"{YEAR}\.$", x)]
    if list(references) != [str(i + 1) for i in range(len(references))]:
        found.append(f"numbered {list(references)}")
    found += [f"[{n}] is not cited" for n in references if f"[{n}]_" not in text]
    for x in CITED.finditer(text):
        source = references.get(x["number"]) if x["number"] else source_by_authors(x["names"], x["year"], known)
        if source is None:
            found.append(f"no such reference: {x[0]}")
        elif x["places"]:
            is_checked = set(single_places(x["places"])) <= known.get(source, set())
            if is_checked == bool(x["mark"]):
                found.append(f"{'checked, and marked as not' if is_checked else 'not checked'}: {x[0]}")
    elsewhere = CITED.sub("", text)
    return found + [f"a place without a source before it: {x}" for x in re.findall(rf"\b{KIND}s? {NUMBER}", elsewhere)]


@cache
def docstrings() -> dict[str, str]:
    """Of all modules, classes and functions, by where they stand."""
    documented = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Module
    return {
        f"{path.relative_to(PACKAGE)}:{getattr(node, 'lineno', 1)}": text
        for path in sorted(PACKAGE.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, documented) and (text := ast.get_docstring(node, clean=False))
    }


def test_there_are_references():
    assert len(known_sources()) > 40
    assert sum(len(read(text).references) for text in docstrings().values()) > 70


def test_references_of_the_docstrings():
    found = {place: complaints(text, known_sources()) for place, text in docstrings().items()}
    assert {place: x for place, x in found.items() if x} == {}


def test_every_public_measure_names_a_source():
    without = {name for name in gpuval.__all__ if not read(getattr(gpuval, name).__doc__ or "").references}
    assert without - NOT_MEASURES == OWN_DEFINITIONS
    without = {name for name in ranking.__all__ if not read(getattr(ranking, name).__doc__ or "").references}
    assert without == NO_MEASURES_OF_RANKINGS
    without = {name for name in multilabel.__all__ if not read(getattr(multilabel, name).__doc__ or "").references}
    assert without == NO_MEASURES_OF_LABELS
    without = {name for name in intervals.__all__ if not read(getattr(intervals, name).__doc__ or "").references}
    assert without == {"IntervalAccumulator"}


def test_nothing_in_the_list_is_left_over():
    known = known_sources()
    code = " ".join(path.read_text(encoding="utf-8") for path in PACKAGE.rglob("*.py"))
    named = {x for text in docstrings().values() for x in read(text).references.values()}
    named |= {source_by_authors(x["names"], x["year"], known) for x in re.finditer(BY_AUTHORS, code)}
    assert set(known) - named == set()


def test_the_list_is_in_order():
    assert list(known_sources()) == sorted(known_sources())


KNOWN = {'A. One and B. Two, "Title", Journal 3, 2001.': {"equation 4"}, 'C. Three, "Book", 1999.': set()}
RIGHT = """A value.

    a / b ([1]_, equation 4), and c (Three 1999, pages 5 and 6, not checked against the text).

    References
    ----------
    .. [1] A. One and B. Two, "Title",
       Journal 3, 2001.

    Examples
    --------
    """


def test_a_right_docstring_has_no_complaint():
    assert complaints(RIGHT, KNOWN) == []


@pytest.mark.parametrize(
    ("right", "wrong", "complaint"),
    [
        ('"Title"', '"Another title"', 'not in references.md: A. One and B. Two, "Another title", Journal 3, 2001.'),
        ("Journal 3, 2001", "Journal 3", "no year"),
        (".. [1]", ".. [2]", "numbered ['2']"),
        ("[1]_, equation 4", "as known", "[1] is not cited"),
        ("[1]_, equation 4", "[2]_, equation 4", "no such reference: [2]_, equation 4"),
        ("equation 4)", "equation 5)", "not checked: [1]_, equation 5"),
        ("equation 4)", "equation 4, not checked against the text)", "checked, and marked as not: [1]_, equation 4"),
        ("6, not checked against the text)", "6)", "not checked: Three 1999, pages 5 and 6"),
        ("Three 1999", "Three 1998", "no such reference: Three 1998"),
        ("[1]_, equation 4", "[1]_; equation 4", "a place without a source before it: equation 4"),
    ],
)
def test_a_wrong_docstring_has_a_complaint(right, wrong, complaint):
    assert right in RIGHT
    assert [x for x in complaints(RIGHT.replace(right, wrong), KNOWN) if x.startswith(complaint)]
