"""What the page about the number of clusters says of its cells, and of the simulations that it quotes."""

from __future__ import annotations

import inspect
import re

import numpy as np
import pytest
from guide_pages import DOCS, PAGES, ran, rows

import gpuval

PAGE = "how-many-clusters.md"
RESULTS = (DOCS.parent / "benchmarks" / "results" / "2026-11-29-stability.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def names():
    return ran(PAGE).names


@pytest.mark.parametrize("heading", ["criterion", "runs"])
def test_tables_are_those_of_the_results(heading):
    lines = [f"| {' | '.join(row)} |" for row in rows(PAGE, heading)]
    assert len(lines) > 7
    assert "\n".join(lines) in RESULTS


def test_seeds_agree_more_than_subsamples():
    printed, _ = ran(PAGE).that_has(PAGE, 'for way in ("seeds", "subsample")')
    seeds, subsamples = (float(re.search(r"[\d.]+", line)[0]) for line in printed.splitlines())
    assert seeds > subsamples


def test_agreement_is_the_mean_of_all_pairs_of_runs(names):
    runs, score = names["runs"], names["found"][5].scores["ari"]
    scores = []
    for a in range(20):
        for b in range(a):
            first, second = runs[5, a], runs[5, b]
            both = ~(first.mask | second.mask)
            scores.append(gpuval.adjusted_rand_score(first.data[both], second.data[both]))
    assert score.mean == pytest.approx(np.mean(scores), rel=1e-12)


def test_one_half_of_the_dendritic_cells_dissolves(names):
    found, types = names["found"], names["cells"]["bulk_labels"].to_numpy()
    eight, seven = found[8].labels, found[7].labels
    clusters = found[8].clusters
    assert clusters.often_dissolved() == [7]
    jaccards = []
    for run in range(20):
        labels = names["runs"][8, run]
        cluster = ~labels.mask & (eight == 7)
        others = (~labels.mask & (labels.data == x) for x in range(8))
        jaccards.append(max((cluster & x).sum() / (cluster | x).sum() for x in others))
    assert clusters.jaccard[7] == pytest.approx(np.mean(jaccards), rel=1e-12)
    assert clusters.dissolved[7] == np.mean(np.asarray(jaccards) <= 0.5) > 0.5
    assert set(types[eight == 7]) == {"Dendritic"}
    (parent,) = set(seven[eight == 7])
    (sibling,) = set(eight[seven == parent]) - {7}
    assert (types[eight == sibling] == "Dendritic").mean() > 0.9


def test_natural_killer_cells(names):
    _, scores = ran(PAGE).that_has(PAGE, "killers = ")
    assert scores[8] > scores[7] + 0.1


def test_a_square(names):
    quarters = names["quarters"]
    assert quarters.best["element_centric_score"].name == 4
    printed, _ = ran(PAGE).that_has(PAGE, "gpuval.gap_statistic(")
    assert [line[:2] for line in printed.splitlines()] == ["1 ", "1 "]


def test_options_of_functions_exist():
    """Each `name=` of the page, outside of code."""
    functions = gpuval.repeat_clustering, gpuval.stability, gpuval.gap_statistic
    known = {x for function in functions for x in inspect.signature(function).parameters}
    text = re.sub(r"^```.*?^```", "", PAGES[PAGE], flags=re.DOTALL | re.MULTILINE)
    assert set(re.findall(r"`(\w+)=`", text)) <= known
