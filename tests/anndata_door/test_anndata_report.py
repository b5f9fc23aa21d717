"""``gpuval.anndata.report``: the page of the columns, as ``gpuval.report`` makes it."""

import re
import warnings

import anndata
import numpy as np
import pandas as pd
import pytest
from anndata_cells import blood
from report_pages import Page

import gpuval
import gpuval.anndata

FEW = {"metrics": ["ari", "asw"], "n_resamples": 19}
LEIDEN = ["leiden_1.0", "leiden_0.5", "leiden_0.2"]


def page_of(found):
    return re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", "", found.html)


@pytest.fixture(autouse=True)
def quiet():
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "clusterings leave out columns", UserWarning)
        yield


def test_the_page_is_that_of_the_columns():
    adata = blood()
    beside = {"by": "batch", "groups": "donor", "sample_weight": "copies"}
    found = gpuval.anndata.report(adata, "bulk_labels", "leiden_*", embedding="pca", **beside, **FEW, sample_size=100)
    expected = gpuval.report(
        adata.obs["bulk_labels"],
        adata.obs[LEIDEN],
        X=adata.obsm["X_pca"],
        **{argument: adata.obs[name] for argument, name in beside.items()},
        **FEW,
        sample_size=100,
        about={"embedding": "pca"},
        unit="cell",
        coordinates=pd.DataFrame(adata.obsm["X_pca"][:, :2], columns=["pca 1", "pca 2"]),
    )
    assert page_of(found) == page_of(expected)


def test_classes_have_the_colours_that_they_have_in_other_plots_of_the_cells():
    """Those of scanpy, in ``uns``, in the order of the categories; names of colours become digits."""
    adata = blood()
    types = adata.obs["bulk_labels"].cat.categories
    own = [f"#12{10 * place:02x}34" for place in range(len(types) - 1)]
    adata.uns["bulk_labels_colors"] = np.array([*own, "red"])
    found = gpuval.anndata.report(adata, "bulk_labels", "leiden_1.0", **{**FEW, "metrics": ["ari"]})
    colors = dict(zip(types, [*own, "#ff0000"], strict=True))
    assert all(color in found.html for color in colors.values())
    adata.uns["bulk_labels_colors"] = np.array(own)  # of one category none is known
    assert own[0] not in gpuval.anndata.report(adata, "bulk_labels", "leiden_1.0", **{**FEW, "metrics": ["ari"]}).html


def test_the_accessor():
    adata = blood()
    found = adata.gpuval.report("bulk_labels", "leiden_*", **{**FEW, "metrics": ["ari"]})
    assert (
        found.summary == gpuval.anndata.report(adata, "bulk_labels", "leiden_*", **{**FEW, "metrics": ["ari"]}).summary
    )


def test_a_file_that_is_backed(tmp_path):
    blood().write_h5ad(tmp_path / "cells.h5ad")
    adata = anndata.read_h5ad(tmp_path / "cells.h5ad", backed="r")
    found = gpuval.anndata.report(adata, "bulk_labels", LEIDEN, embedding="X_pca", **FEW)
    assert page_of(found) == page_of(gpuval.anndata.report(blood(), "bulk_labels", LEIDEN, embedding="X_pca", **FEW))
    adata.file.close()


def test_details_are_names_and_patterns():
    adata = blood()
    found = gpuval.anndata.report(adata, "bulk_labels", LEIDEN, metrics=["ari"], details=["leiden_0.*"], n_resamples=9)
    assert [x for x in Page(found.html).headings if x.startswith("Each class")] == [
        *("Each class in leiden_0.5", "Each class in leiden_0.2"),
    ]
    with pytest.raises(ValueError, match=r"^details must be .* clusterings, got 'leiden_9'"):
        gpuval.anndata.report(adata, "bulk_labels", LEIDEN, metrics=["ari"], details="leiden_9")
    with pytest.raises(TypeError, match=r"^details must be names of clusterings, or patterns of them, got int"):
        gpuval.anndata.report(adata, "bulk_labels", LEIDEN, metrics=["ari"], details=3)


def test_internal_measures_alone():
    found = gpuval.anndata.report(blood(), None, LEIDEN, embedding="X_pca")
    assert found.summary[0].startswith("Highest silhouette: leiden_")


def test_where_cells_are_drawn():
    """Coordinates that are made to be drawn, in their order; else the embedding, which is where scores are measured."""
    adata = blood()

    def axes(**given):
        page = Page(gpuval.anndata.report(adata, "bulk_labels", LEIDEN[:1], **FEW, **given).html)
        return [x for x in page.svg_texts if x.endswith("→")]

    assert {x[:-1].strip() for x in axes(embedding="pca")} == {"pca 1", "pca 2"}
    rng = np.random.default_rng(0)
    adata.obsm["X_draw_graph_fa"], adata.obsm["X_tsne"] = rng.normal(size=(2, adata.n_obs, 2))
    assert {x[:-1].strip() for x in axes(embedding="pca")} == {"X_tsne 1", "X_tsne 2"}
    adata.obsm["X_umap"] = rng.normal(size=(adata.n_obs, 3))
    assert {x[:-1].strip() for x in axes(embedding="pca")} == {"X_umap 1", "X_umap 2"}
    assert {x[:-1].strip() for x in axes(embedding="pca", coordinates="tsne")} == {"tsne 1", "tsne 2"}
    with pytest.raises(ValueError, match=r"^coordinates must be a key of adata\.obsm, got 'no'"):
        axes(embedding="pca", coordinates="no")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"label": "no"}, r"label must be a column of adata\.obs, got 'no'"),
        ({"label": None}, r"label must be a column of adata\.obs, got None; without label"),
        ({"embedding": "no"}, "embedding must be a key of"),
        ({"label": "partly"}, r"adata\.obs\['partly'\] must not have missing labels"),
        ({"output": "no/folder/x.html"}, "output must be a file that can be written"),
        ({"metrics": ["asw"]}, "embedding must be given for silhouette_score"),
        ({"sample_weight": "leiden_score"}, r"adata\.obs\['leiden_score'\] must count samples where there are"),
    ],
)
def test_errors_name_columns_and_arguments(change, message):
    arguments = {"label": "bulk_labels", "clusterings": LEIDEN, "metrics": ["ari"], **change}
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        gpuval.anndata.report(blood(), arguments.pop("label"), arguments.pop("clusterings"), **arguments)


def test_the_data_is_left_as_it_is():
    adata = blood()
    before = adata.copy()
    gpuval.anndata.report(adata, "bulk_labels", LEIDEN, metrics=["ari"], n_resamples=9)
    assert adata.obs.equals(before.obs)
    assert list(adata.uns) == list(before.uns)
