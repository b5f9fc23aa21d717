"""The page of all measures has every public name that measures or helps to measure, once, by a role that fits it."""

from __future__ import annotations

import functools
import inspect
import json
import re
from pathlib import Path

import pytest

import gpuval
from gpuval.__main__ import main

TEXT = (Path(__file__).parents[2] / "docs" / "measures.md").read_text(encoding="utf-8")
ROLES = re.findall(r"\{(func|class)\}`~gpuval\.([\w.]+)`", "".join(TEXT.partition("\n## ")[1:]))

OTHERS = {
    *("METRICS", "INTERNAL_METRICS", "Comparison", "Evaluation", "PairwiseScores", "Verdict"),
    *("ScoreDifference", "ScoreDifferences", "ScoreEstimate", "ScoreEstimates", "BestLabeling", "BestLabelings"),
    *("Report", "PermutationTest", "PermutationTests", "IntegrationScores", "IntegrationComparison"),
    *("Runs", "GapStatistic", "PredictionStrength", "Stability", "SettingStability", "ClusterStability", "RunScores"),
}
"""What these functions take and give."""


def names_in(module):
    """The listed names of a module, "" for gpuval itself."""
    split = [name.rpartition(".") for _, name in ROLES]
    return sorted(name for parent, _, name in split if parent == module)


def test_every_measure_is_on_the_page_once():
    assert names_in("") == sorted(set(gpuval.__all__) - OTHERS)


def test_so_is_every_name_of_the_other_modules():
    assert names_in("plots") == sorted(x for x in gpuval.plots.__all__ if x.startswith("plot_"))
    assert names_in("ranking") == sorted(set(gpuval.ranking.__all__) - {"RankingScores"})
    assert names_in("multilabel") == sorted(set(gpuval.multilabel.__all__) - {"MultilabelScores"})
    assert names_in("intervals") == sorted(gpuval.intervals.__all__)


@pytest.mark.parametrize(("role", "name"), ROLES)
def test_the_role_fits(role, name):
    found = functools.reduce(getattr, name.split("."), gpuval)
    assert inspect.isclass(found) == (role == "class")


def test_which_scores_are_better_if_lower(capsys):
    assert main(["metrics", "--format", "json"]) == 0
    measures = json.loads(capsys.readouterr().out)
    lower = {x["name"] for x in measures if x["name"].endswith("_score") and x["better"] == "lower"}
    said = TEXT.partition("- For a `*_score` higher is better")[2].partition("\n\n")[0]
    assert set(re.findall(r"gpuval\.(\w+_score)`", said)) == lower


def test_each_family_has_an_introduction():
    families = TEXT.split("\n## ")[1:]
    assert len(families) == 21
    for family in families:
        _, introduction, names = family.strip().split("\n\n")
        assert introduction.endswith((".", "?"))
        assert names.startswith("{")
