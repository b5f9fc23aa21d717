"""``help(gpuval)``: what to do first, and every public name, before the list of the modules."""

import doctest
import inspect
import pydoc
import re

import pytest

import gpuval
from gpuval.measures.documents import document_parameters

MOST_LINES = 80
"""Lines of the docstring of the module."""


def before_the_modules(text):
    """What ``help`` shows before the list of the package's modules."""
    before, found, _ = text.partition("\nPACKAGE CONTENTS\n")
    assert found
    return before


def names_missing(text):
    return sorted(name for name in (*gpuval.__all__, *gpuval._NAMESPACES) if not re.search(rf"\b{name}\b", text))


SHOWN = pydoc.plain(pydoc.render_doc(gpuval))


def test_every_public_name_comes_before_the_modules():
    assert names_missing(before_the_modules(SHOWN)) == []


def test_a_name_that_is_missing_is_found():
    text = before_the_modules(SHOWN)
    assert names_missing(re.sub(r"\brand_score\b", "", text)) == ["rand_score"]
    assert "rand_score" in re.sub(r"\brand_score\b", "", text)  # within adjusted_rand_score, which is no mention of it


def test_every_name_in_the_docstring_is_public():
    words = set(re.findall(r"\b[a-z]+(?:_[a-z]+)+\b", inspect.getdoc(gpuval)))
    assert words - set(gpuval.__all__) == set()


def test_it_opens_with_what_to_do_first():
    doc = inspect.getdoc(gpuval)
    assert re.findall(r"^>>> .*gpuval\.(\w+)\(", doc, re.MULTILINE) == ["adjusted_rand_score", "evaluate", "compare"]
    assert doc.index(">>> gpuval.compare(") < doc.index("rand_score (ARI, AR)")


def test_the_first_calls_are_right():
    failed, tried = doctest.testmod(gpuval)
    assert failed == 0
    assert tried >= 4


def test_it_is_short():
    assert len(inspect.getdoc(gpuval).splitlines()) <= MOST_LINES


@pytest.mark.parametrize("indent", ["    ", ""])
def test_common_parameters_are_inserted_whether_python_keeps_the_indent(indent):
    """Python 3.13 and later remove the indent of docstrings when they compile them."""

    def measure():
        pass

    lines = ["Summary.", "", *(indent + x for x in ("Parameters", "----------", "own", "    Its own.")), ""]
    measure.__doc__ = "\n".join([*lines, *(indent + x for x in ("Returns", "-------", "float"))])
    document = document_parameters("    common\n        Of all.\n", "")(measure).__doc__
    sections = ["Parameters\n----------\ncommon\n    Of all.\nown\n    Its own.", "Returns\n-------\nfloat"]
    assert document == "\n\n".join(["Summary.", *sections])
