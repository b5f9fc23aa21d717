"""gpuval.anndata.stability: the result is that of plain vectors, and what is stored survives a file."""

from __future__ import annotations

import inspect

import anndata
import numpy as np
import pandas as pd
import pytest

import gpuval
import gpuval.anndata
from gpuval.anndata import stability

RUNS = {
    "leiden_0.4_1": "00001111",
    "leiden_0.4_2": "11110000",
    "leiden_0.4_3": "0000111 ",
    "leiden_1.0_1": "00112233",
    "leiden_1.0_2": "01012323",
    "leiden_1.0_3": "01102332",
}
"""Blanks are cells that a run left out."""


def cells(**more):
    obs = pd.DataFrame({name: pd.Categorical([x.strip() or None for x in text]) for name, text in RUNS.items()})
    return anndata.AnnData(obs=obs.assign(**more).set_index(obs.index.astype(str)))


def assert_same(found, expected):
    pd.testing.assert_frame_equal(found.to_pandas(), expected.to_pandas())
    pd.testing.assert_frame_equal(found.to_pandas("clusters"), expected.to_pandas("clusters"))


def test_the_result_is_that_of_the_columns():
    adata = cells()
    assert_same(stability(adata, "leiden_*", random_state=0), gpuval.stability(adata.obs, random_state=0))
    own = adata.gpuval.stability(["leiden_1.0_*"], names="leiden_{setting}_{run}")
    assert (list(own), own[1.0].n_runs) == ([1.0], 3)


def test_arguments_are_those_of_the_library():
    adata = cells(manual=list("00001111"), fine=list("00112233"))
    options = {"metrics": ["ami"], "confidence_level": 0.5, "ignore_labels": "3", "n_resamples": 9, "random_state": 1}
    found = stability(adata, "leiden_*", reference={0.4: "manual", 1.0: "fine"}, **options)
    columns = {name: adata.obs[name] for name in RUNS}
    reference = {0.4: adata.obs["manual"], 1.0: adata.obs["fine"]}
    assert_same(found, gpuval.stability(columns, reference=reference, **options))
    of_library = set(inspect.signature(gpuval.stability).parameters) - {"labelings"}
    of_door = set(inspect.signature(stability).parameters) - {"adata", "clusterings", "key_added", "cells"}
    assert of_door == of_library


def test_labels_of_all_cells_are_the_reference():
    found = stability(cells(**{"leiden_0.4": list("00001111"), "leiden_1.0": list("01230123")}), "leiden_*")
    assert [x.reference for x in found.values()] == [None, None]
    assert found[1.0].clusters.sizes.tolist() == [2, 2, 2, 2]


def test_what_is_stored_comes_back_from_a_file(tmp_path):
    adata = cells()
    found = stability(adata, "leiden_*", key_added="stability", cells=1.0)
    adata.write_h5ad(tmp_path / "cells.h5ad")
    back = anndata.read_h5ad(tmp_path / "cells.h5ad")
    stored = back.uns["stability"]
    assert stored["sentence"] == found.sentence()
    assert stored["notes"].split("\n") == list(found.notes)
    settings = stored["settings"]
    assert list(settings.index) == ["0.4", "1.0"]
    assert settings["ambiguous"].tolist() == [x.ambiguous for x in found.values()]
    assert settings["reference"].tolist() == [x.reference for x in found.values()]
    clusters = stored["clusters"]
    assert clusters["setting"].tolist() == ["0.4"] * 2 + ["1.0"] * 4
    assert clusters["jaccard"].tolist() == found.to_pandas("clusters")["jaccard"].tolist()
    assert back.obs["stability_consistency"].tolist() == found[1.0].consistency.tolist()
    assert "stability_consistency" not in cells().obs


def test_labels_of_all_kinds_can_be_stored(tmp_path):
    """References that are no runs, and settings with one run, of which little is known."""
    adata = cells(leiden_2_1=np.arange(8) % 2, **{"leiden_0.4": list("00001111")})
    stability(adata, "leiden_*", key_added="stability")
    adata.write_h5ad(tmp_path / "cells.h5ad")
    settings = anndata.read_h5ad(tmp_path / "cells.h5ad").uns["stability"]["settings"]
    assert settings["reference"].tolist()[0] == ""
    assert np.isnan(settings["element_centric_score"].tolist()[2])


WRONG = [
    (lambda x: stability(x, "leiden_*_1"), ValueError, "clusterings must have two runs or more of a setting"),
    (lambda x: stability(x, "louvain*"), ValueError, "clusterings must be columns of adata.obs, got 'louvain"),
    (lambda x: stability(x, ["leiden_*", "other"]), ValueError, "names must say where the setting and the run stand"),
    (lambda x: stability(x, "leiden_*", names="x_{setting}_{run}"), ValueError, "names must fit all columns"),
    (lambda x: stability(x, "leiden_*", reference={0.4: "absent"}), ValueError, "reference must be a column of"),
    (lambda x: stability(x, "leiden_*", reference={0.4: "other"}), ValueError, "reference must have labels of each"),
    (lambda x: stability(x, "leiden_*", reference=dict.fromkeys([0.4, 1, 2], "other")), ValueError, "reference must "),
    (lambda x: stability(x, "leiden_*", cells=0.4), ValueError, "cells must not be given without key_added"),
    (lambda x: stability(x, "leiden_*", cells=3, key_added="a"), ValueError, r"cells must be one of the settings \[0"),
    (lambda x: stability(x[:5], "leiden_*", key_added="a"), ValueError, "key_added must not be given for a view"),
    (lambda x: stability(x.obs, "leiden_*"), TypeError, "adata must be an AnnData or a MuData, got DataFrame"),
]


@pytest.mark.parametrize(("call", "kind", "message"), WRONG)
def test_mistakes_are_explained(call, kind, message):
    with pytest.raises(kind, match=f"^{message}"):
        call(cells(other=list("01010101")))


@pytest.mark.parametrize("key", ["0.4", 0.4, "0.40"])
def test_settings_are_numbers_or_texts_of_these(key):
    adata = cells(manual=list("00001111"), fine=list("00112233"))
    found = stability(adata, "leiden_*", reference={key: "manual", "1": "fine"}, cells=key, key_added="x")
    assert adata.obs["x_consistency"].tolist() == found[0.4].consistency.tolist()
    assert [x.reference for x in found.values()] == [None, None]


def test_names_of_nothing_are_noted_unless_they_are_ignored(recwarn):
    adata = cells(leiden_2_1=[*"0101010", "NA"])
    stability(adata, "leiden_*", ignore_labels="NA")
    assert not recwarn
    with pytest.warns(UserWarning, match=r"^clusterings have the label 'NA', .* ignore_labels='NA' takes it for"):
        stability(adata, "leiden_*")


def test_nothing_is_stored_if_something_is_wrong():
    adata = cells()
    with pytest.raises(ValueError, match="metrics must be symmetric"):
        stability(adata, "leiden_*", metrics="homogeneity", key_added="stability", cells=0.4)
    assert ("stability" in adata.uns, "stability_consistency" in adata.obs) == (False, False)


def test_what_is_no_labels_is_left_out_of_a_pattern():
    adata = cells(leiden_1_score=np.linspace(0, 1, 8))
    with pytest.warns(UserWarning, match=r"clusterings leave out columns .*\n- adata.obs\['leiden_1_score'\]"):
        found = stability(adata, "leiden_*")
    assert list(found) == [0.4, 1.0]
