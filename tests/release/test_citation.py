"""CITATION.cff says what pyproject.toml and the package say."""

import yaml
from extras import PROJECT, ROOT

import gpuval

CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_it_has_what_the_format_requires():
    assert CITATION["cff-version"] == "1.2.0"
    assert CITATION["type"] == "software"
    assert {"message", "title", "authors"} <= set(CITATION)


def test_it_is_of_this_package():
    assert CITATION["title"].startswith("gpuval: ")
    assert CITATION["version"] == gpuval.__version__
    assert CITATION["license"] == PROJECT["license"]
    assert CITATION["authors"] == PROJECT["authors"]
    assert CITATION["url"] == PROJECT["urls"]["Homepage"]
    assert CITATION["repository-code"] == PROJECT["urls"]["Source"]
    assert set(CITATION["keywords"]) <= set(PROJECT["keywords"])
