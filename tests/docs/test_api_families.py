"""Every public name is on one page of the API, and a new one needs no change of the site."""

from collections import Counter

import pytest
from extensions_of_the_site import extension

import gpuval
import gpuval.anndata
import gpuval.torchmetrics

FAMILIES = [family for group in extension("api_families").GROUPS.values() for family in group]


def names_on_pages():
    return Counter(f"{module}.{name}" for family in FAMILIES for module, name in family.names())


def test_each_public_name_is_on_one_page():
    public = {f"gpuval.{name}" for name in gpuval.__all__}
    namespaces = ("anndata", "torchmetrics", *gpuval._NAMESPACES)
    public |= {f"gpuval.{x}.{name}" for x in namespaces for name in getattr(gpuval, x).__all__}
    assert names_on_pages() == dict.fromkeys(public, 1)


def test_a_new_measure_is_on_the_page_of_its_module(monkeypatch):
    module = "metrics.external.overlap"
    monkeypatch.setitem(gpuval._NAMES, module, (*gpuval._NAMES[module], "new_score"))
    assert names_on_pages()["gpuval.new_score"] == 1


@pytest.mark.parametrize("family", FAMILIES, ids=lambda x: x.slug)
def test_families_have_names(family):
    assert family.names()
