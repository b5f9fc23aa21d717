"""What the pages about AnnData, scib-metrics and plots say of their cells."""

from __future__ import annotations

import functools
import inspect
import re

import pytest
import sklearn.metrics as sk
from guide_pages import PAGES, blocks, cells, ran, rows

import gpuval

RESOLUTIONS = [f"leiden_{x}" for x in (0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0)]


@pytest.fixture
def names():
    return ran("single-cells.md").names


def test_scores_are_those_of_sklearn(names):
    adata, scores = names["adata"], names["scores"]
    table = scores.to_pandas()
    assert table.index.tolist() == RESOLUTIONS
    for metric in ("adjusted_rand_score", "adjusted_mutual_info_score", "homogeneity_score", "completeness_score"):
        expected = [getattr(sk, metric)(adata.obs["cell_type"], adata.obs[name]) for name in RESOLUTIONS]
        assert table[metric].tolist() == pytest.approx(expected, abs=1e-12)
    _, internal = ran("single-cells.md").that_has("single-cells.md", "evaluate(adata, None")
    expected = [sk.silhouette_score(adata.obsm["X_pca"], adata.obs[name]) for name in RESOLUTIONS]
    assert internal.to_pandas()["silhouette_score"].tolist() == pytest.approx(expected, abs=1e-9)


def test_what_is_said_of_the_best(names):
    """ARI is higher by more than noise at 0.1, AMI by no more than noise."""
    best = names["sure"].best
    assert best["ari"].name == "leiden_0.1" == names["scores"].to_pandas()["adjusted_rand_score"].idxmax()
    assert "no more than noise" not in best["ari"].sentence()
    assert "no more than noise" in best["ami"].sentence()


def test_counts(names):
    assert names["kept"]["n_samples"].tolist() == [501, 17, 182] * 7  # cells in G1, G2M and S
    _, without = ran("single-cells.md").that_has("single-cells.md", "ignore_labels=[None]")
    dendritic = int((names["adata"].obs["cell_type"] == "Dendritic").sum())
    assert without["n_samples"].tolist() == [700 - dendritic]
    assert without["n_dropped"].tolist() == [dendritic]


def test_the_table_calls_what_is_public(names):
    """The calls in the second column of the table of the page run."""
    of_here = [row[1] for row in rows("single-cells.md", "elsewhere")]
    calls = [call for text in of_here for call in re.findall(r"`(evaluate\(.*?\))`", text)]
    assert len(calls) == 3
    for call in calls:
        assert eval(call, {"evaluate": names["gpuval"].anndata.evaluate, "adata": names["adata"]})
    parameters = inspect.signature(names["gpuval"].anndata.evaluate).parameters
    assert {option for text in of_here for option in re.findall(r"(\w+)=", text)} <= set(parameters)


def test_the_table_of_scib_metrics_is_of_its_scores():
    names = ran("coming-from-scib-metrics.md").names
    totals = {name: float(scores["Total"]) for name, scores in names["found"].items()}
    assert names["table"]["Total"].to_dict() == totals
    assert totals["X_pca"] < totals["X_centred"] == pytest.approx(float(names["scores"]["Total"]), rel=1e-12)
    pca, again = names["found"]["X_pca"], names["again"]["X_pca"]
    assert float(again["iLISI"]) == pytest.approx(float(pca["iLISI"]), rel=1e-12)


def test_the_page_of_scib_metrics_names_what_is_public():
    """The calls in the second column of its table are of public functions, with arguments that they have."""
    of_here = [row[1] for row in rows("coming-from-scib-metrics.md", "scib-metrics")]
    calls = [call for text in of_here for call in re.findall(r"`([a-z_]+)\(([^`]*)\)`", text)]
    assert len(calls) > 15
    of_anndata = [call for text in of_here for call in re.findall(r"`gpuval\.anndata\.([a-z_]+)\(([^`]*)\)`", text)]
    assert [name for name, _ in of_anndata] == ["integration_scores"]
    calls += [(f"anndata.{name}", arguments) for name, arguments in of_anndata]
    for name, arguments in calls:
        parameters = inspect.signature(functools.reduce(getattr, name.split("."), gpuval)).parameters
        assert set(re.findall(r"(\w+)=", arguments)) <= set(parameters), name


def test_the_benchmarker_is_called_with_the_same_arguments():
    """The block that is no cell: its columns and embeddings are those of the call beside it."""
    (code,) = blocks("coming-from-scib-metrics.md", "python")
    (call,) = (x for x in cells("coming-from-scib-metrics.md") if "unintegrated=" in x and "found" in x)
    compile(code, "Benchmarker", "exec")
    assert re.findall(r'"\w+"', code) == [x for x in re.findall(r'"\w+"', call) if x != '"strong"']


def test_every_plot_is_drawn_and_in_the_table():
    name = "plots-and-reports.md"
    code = "".join(cells(name))
    table = {function.strip("`"): display.strip("`") for function, display in rows(name, "function")}
    public = set(gpuval.plots.__all__)
    assert set(table) == {x for x in public if x.startswith("plot_")}
    assert set(table.values()) == public - set(table)
    assert all(f"plots.{function}(" in code for function in table)


def test_the_reader_of_a_report_finds_its_words():
    text, page = ran("plots-and-reports.md").names["report"], PAGES["plots-and-reports.md"]
    assert "depends on what should count" in str(text)
    assert "depends" in page
    assert "*agrees best*" in page
    assert "*ahead of ... by*" in page
