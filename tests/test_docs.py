"""Every block of code in docs/ runs, and what it names is there."""

from __future__ import annotations

import functools
import inspect
import re
from pathlib import Path

import matplotlib.pyplot as plt
import pytest
import sklearn.metrics as sk

import gpuval

DOCS = Path(__file__).parent.parent / "docs"
PAGES = {path.name: path.read_text(encoding="utf-8") for path in sorted(DOCS.glob("*.md"))}
BLOCKS = {name: re.findall(r"```python\n(.*?)```", text, re.DOTALL) for name, text in PAGES.items()}


def test_there_is_code():
    assert sum(map(len, BLOCKS.values())) == 14


@functools.cache
def names_of(name):
    """What there is after all blocks of a page, one after the other: a later one goes on where one before ended."""
    names = {}
    for code in BLOCKS[name]:
        exec(compile(code, name, "exec"), names)
    plt.close("all")
    return names


@pytest.mark.parametrize("name", [name for name, blocks in BLOCKS.items() if blocks])
def test_python(name):
    assert names_of(name)


def test_the_table_of_the_page_of_scib_metrics_is_of_its_scores():
    names = names_of("coming-from-scib-metrics.md")
    totals = {name: float(scores["Total"]) for name, scores in names["found"].items()}
    assert names["table"]["Total"].to_dict() == totals
    assert totals["X_pca"] < totals["X_centred"] == pytest.approx(float(names["scores"]["Total"]), rel=1e-12)
    pca, again = names["found"]["X_pca"], names["again"]["X_pca"]
    assert float(again["iLISI"]) == pytest.approx(float(pca["iLISI"]), rel=1e-12)


def test_the_page_of_anndata_is_of_its_scores():
    names = names_of("anndata.md")
    adata, obs = names["adata"], names["adata"].obs
    assert names["table"].index.tolist() == [f"leiden_{x}" for x in (0.1, 0.2, 0.4, 0.7, 1.0, 1.5, 2.0)]
    expected = [sk.adjusted_rand_score(obs["cell_type"], obs[name]) for name in names["table"].index]
    assert names["table"]["adjusted_rand_score"].tolist() == pytest.approx(expected, abs=1e-12)
    expected = [sk.silhouette_score(adata.obsm["X_pca"], obs[name]) for name in names["table"].index]
    assert names["table"]["silhouette_score"].tolist() == pytest.approx(expected, abs=1e-9)
    assert names["best"]["ari"].name == names["table"]["adjusted_rand_score"].idxmax()
    assert names["kept"]["n_samples"].tolist() == [501, 17, 182] * 7  # cells in G1, G2M and S


def test_the_page_of_anndata_calls_what_is_public():
    """The calls in the second column of its table run."""
    names = names_of("anndata.md")
    rows = [x.strip("|").split(" | ") for x in PAGES["anndata.md"].splitlines() if x.startswith("| ")][1:]
    calls = [call for row in rows for call in re.findall(r"`(evaluate\(.*?\))`", row[1])]
    assert len(calls) == 3
    for call in calls:
        assert eval(call, {"evaluate": names["gpuval"].anndata.evaluate, "adata": names["adata"]})
    parameters = inspect.signature(names["gpuval"].anndata.evaluate).parameters
    options = [option for row in rows for option in re.findall(r"(\w+)=", row[1])]
    assert set(options) <= set(parameters)


@pytest.mark.parametrize("name", PAGES)
def test_links_lead_somewhere(name):
    links = re.findall(r"\]\(([^)#:]+)\)", PAGES[name])
    assert [x for x in links if not (DOCS / x).exists()] == []
    assert f"docs/{name}" in (DOCS.parent / "README.md").read_text(encoding="utf-8")


def test_the_page_of_scib_metrics_names_what_is_public():
    """The calls in the second column of its table are of public functions, with arguments that they have."""
    rows = [x.split(" | ") for x in PAGES["coming-from-scib-metrics.md"].splitlines() if x.startswith("| `")]
    calls = [call for row in rows for call in re.findall(r"`([a-z_]+)\(([^`]*)\)`", row[1])]
    assert len(calls) > 15
    of_anndata = [call for row in rows for call in re.findall(r"`gpuval\.anndata\.([a-z_]+)\(([^`]*)\)`", row[1])]
    assert [name for name, _ in of_anndata] == ["integration_scores"]
    calls += [(f"anndata.{name}", arguments) for name, arguments in of_anndata]
    for name, arguments in calls:
        parameters = inspect.signature(functools.reduce(getattr, name.split("."), gpuval)).parameters
        assert set(re.findall(r"(\w+)=", arguments)) <= set(parameters), name


def test_the_page_of_rankings_names_what_is_public():
    """The calls in the third column of its table, and the names in its first two, which are those of the peers."""
    import sklearn.metrics
    import torchmetrics.functional.retrieval
    import torchmetrics.retrieval

    from gpuval import ranking

    rows = [
        [x.strip() for x in line.strip("|").split("|")]
        for line in PAGES["rankings.md"].splitlines()
        if line.startswith("| ")
    ]
    calls = [re.fullmatch(r"`(\w+)\((.*)\)`", row[2]) for row in rows]
    calls = [call.groups() for call in calls if call]
    assert len(calls) == 8
    for name, arguments in calls:
        parameters = set(inspect.signature(getattr(ranking, name)).parameters)
        assert {x.strip(" =") for x in arguments.split(",")} <= parameters, name
    of_torchmetrics = re.findall(r"`(\w*[Rr]etrieval\w+)", "".join(row[0] for row in rows))
    assert len(of_torchmetrics) == 14
    for name in of_torchmetrics:
        assert hasattr(torchmetrics.functional.retrieval, name) or hasattr(torchmetrics.retrieval, name), name
    of_sklearn = re.findall(r"`(\w+_score)\(", "".join(row[1] for row in rows))
    assert len(of_sklearn) == 4
    for name in of_sklearn:
        assert hasattr(sklearn.metrics, name), name


def test_the_page_of_several_labels_names_what_is_public():
    """The calls in the third column of its table, and the names in its first two, which are those of the peers."""
    import sklearn.metrics
    import torchmetrics.functional.classification

    from gpuval import multilabel

    rows = [
        [x.strip() for x in line.strip("|").split("|")]
        for line in PAGES["multilabel.md"].splitlines()
        if line.startswith("| ")
    ]
    calls = [call for row in rows for call in re.findall(r"`([\w.]+)\(([^`]*)\)`", row[2])]
    assert len(calls) == 14
    for name, arguments in calls:
        function = functools.reduce(getattr, name.split("."), multilabel)
        assert {x.strip(" =") for x in arguments.split(",")} <= set(inspect.signature(function).parameters), name
    of_sklearn = re.findall(r"`(\w+_(?:score|loss|matrix|error|support))`", "".join(row[0] for row in rows))
    assert len(of_sklearn) == 14
    for name in of_sklearn:
        assert hasattr(sklearn.metrics, name), name
    of_torchmetrics = re.findall(r"`(multi(?:label|class)_[a-z0-9_]+)`", "".join(row[1] for row in rows))
    assert len(of_torchmetrics) == 13
    for name in of_torchmetrics:
        assert hasattr(torchmetrics.functional.classification, name), name
