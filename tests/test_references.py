"""The docstrings' references: each cited, spelled as in references.md, which says whether its places were checked."""

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
ROOT = Path(__file__).parent.parent
LIST = ROOT / "tests" / "references.md"

OWN_DEFINITIONS = {x.name for x in measures_in(gpuval) if x.values == "matrix"}
"""What needs no source: tables and their order, defined by the docstring itself."""

NO_MEASURES_OF_RANKINGS = {"Ranked", "RankingAccumulator", "RankingScores", "evaluate"}
"""The public names of ``gpuval.ranking`` that are no measures."""
NO_MEASURES_OF_LABELS = {"LabelCounts", "MultilabelAccumulator", "MultilabelScores", "evaluate"}
"""The public names of ``gpuval.multilabel`` that are no measures."""

KIND = r"(?:equation|section|table|page|chapter|definition|theorem)"
NUMBER = r"\d[\w.]*\b"
PLACE = rf"{KIND}s? {NUMBER}(?:(?:, | and | to ){NUMBER})*"
MARK = re.compile(r"not\s+checked\s+against\s+the\s+text")
"""What stands in references.md only, once for each source, and neither in docstrings nor on pages."""
YEAR = r"(?:19|20)\d\d"
BY_AUTHORS = rf"(?P<names>[A-Z]\w+(?:(?:, [A-Z]\w+)* and [A-Z]\w+| et al\.)?) (?P<year>{YEAR})"
"""A source named by its authors in the text: "Chan, Golub and LeVeque 1983"."""

CITED = re.compile(rf"(?:\[(?P<number>\d+)\]_|{BY_AUTHORS})(?:, (?P<places>{PLACE}))?")


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
    """The places of each source of the list: those that were checked, and the others."""
    lines = LIST.read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines if line.startswith("|")]
    return {source: places_of_a_row(checked, others) for source, _, checked, others, _ in rows[2:]}


def places_of_a_row(checked: str, others: str) -> set[str]:
    places = [x for column in (checked, others) for x in column.split("; ") if x]
    assert len(set(places)) == len(places), f"a place is there twice: {places}"
    return set(places)


def single_places(places: str) -> list[str]:
    """["equation 5.6", "equation 5.13"] of "equations 5.6 and 5.13"."""
    kind = re.findall(KIND, places)[0]
    return [f"{kind} {number}" for number in re.findall(rf"\b{NUMBER}", places)]


def source_by_authors(names: str, year: str, known: dict[str, set[str]]) -> str | None:
    """The one source of that year with all these names among its authors."""
    authors = re.findall(r"[A-Z]\w+", names)
    fits = [x for x in known if year in x and all(re.search(rf"\b{a}\b", x.split('"')[0]) for a in authors)]
    return fits[0] if len(fits) == 1 else None


def named_places(docstring: str, known: dict[str, set[str]]) -> list[tuple[str, str | None, list[str]]]:
    """Of each citation: its text, the source, None for one that the docstring does not list, and its places."""
    text, references = read(docstring)
    return [
        (
            x[0],
            references.get(x["number"]) if x["number"] else source_by_authors(x["names"], x["year"], known),
            single_places(x["places"]) if x["places"] else [],
        )
        for x in CITED.finditer(text)
    ]


def complaints(docstring: str, known: dict[str, set[str]]) -> list[str]:
    text, references = read(docstring)
    found = [f"not in references.md: {x}" for x in references.values() if x not in known]
    found += [f"no year: {x}" for x in references.values() if not re.search(rf"{YEAR}\.$", x)]
    if list(references) != [str(i + 1) for i in range(len(references))]:
        found.append(f"numbered {list(references)}")
    found += [f"[{n}] is not cited" for n in references if f"[{n}]_" not in text]
    for cited, source, places in named_places(docstring, known):
        if source is None:
            found.append(f"no such reference: {cited}")
        elif not set(places) <= known.get(source, set()):
            found.append(f"not in references.md: {cited}")
    found += [f"a mark: {x}" for x in MARK.findall(docstring)]
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


def test_every_place_of_the_list_is_named_by_a_docstring():
    known = known_sources()
    named = [x for text in docstrings().values() for x in named_places(text, known)]
    left = {
        source: places.difference(*(x for _, cited, x in named if cited == source)) for source, places in known.items()
    }
    assert {source: x for source, x in left.items() if x} == {}


def test_pages_have_no_marks():
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted(PACKAGE.rglob("*.pyi"))]
    assert len(pages) > 20
    assert [str(x) for x in pages if MARK.search(x.read_text(encoding="utf-8"))] == []


def test_a_place_of_the_list_is_there_once():
    assert places_of_a_row("equation 4", "equation 5; section 1") == {"equation 4", "equation 5", "section 1"}
    with pytest.raises(AssertionError, match="twice"):
        places_of_a_row("equation 4", "equation 4")


def test_the_list_is_in_order():
    assert list(known_sources()) == sorted(known_sources())


KNOWN = {
    'A. One and B. Two, "Title", Journal 3, 2001.': {"equation 4"},
    'C. Three, "Book", 1999.': {"page 5", "page 6"},
}
RIGHT = """A value.

    a / b ([1]_, equation 4), and c (Three 1999, pages 5 and 6).

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
        ("equation 4)", "equation 5)", "not in references.md: [1]_, equation 5"),
        ("pages 5 and 6)", "pages 5 and 7)", "not in references.md: Three 1999, pages 5 and 7"),
        ("equation 4)", "equation 4, not checked against\n    the text)", "a mark: not checked"),
        ("Three 1999", "Three 1998", "no such reference: Three 1998"),
        ("[1]_, equation 4", "[1]_; equation 4", "a place without a source before it: equation 4"),
    ],
)
def test_a_wrong_docstring_has_a_complaint(right, wrong, complaint):
    assert right in RIGHT
    assert [x for x in complaints(RIGHT.replace(right, wrong), KNOWN) if x.startswith(complaint)]
