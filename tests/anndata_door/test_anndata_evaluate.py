"""gpuval.anndata.evaluate: the scores are those of plain vectors, and every argument is a name."""

from __future__ import annotations

import copy
import inspect
import pickle
from functools import partial

import anndata
import numpy as np
import pandas as pd
import pytest
import sklearn.metrics as sk
from anndata_cells import X_PCA, N, blood

import gpuval
import gpuval.anndata
from gpuval.anndata import evaluate

ADATA = blood()
OBS = ADATA.obs
LEIDEN = ["leiden_1.0", "leiden_0.5", "leiden_0.2"]


def test_scores_are_those_of_scikit_learn():
    found = evaluate(ADATA, "bulk_labels", LEIDEN, embedding="X_pca", metrics=["ari", "nmi", "asw", "db"])
    assert list(found) == LEIDEN
    for name, scores in found.items():
        assert scores["ari"] == pytest.approx(sk.adjusted_rand_score(OBS["bulk_labels"], OBS[name]), abs=1e-12)
        nmi = sk.normalized_mutual_info_score(OBS["bulk_labels"], OBS[name])
        assert scores["nmi"] == pytest.approx(nmi, abs=1e-12)
        assert scores["silhouette_score"] == pytest.approx(sk.silhouette_score(X_PCA, OBS[name]), abs=1e-5)
        assert scores["davies_bouldin_score"] == pytest.approx(sk.davies_bouldin_score(X_PCA, OBS[name]), rel=1e-5)


@pytest.mark.parametrize(
    ("columns", "others"),
    [
        ({}, {}),
        ({"sample_weight": "copies"}, {"metrics": ["ari", "vi"]}),
        ({"by": "batch"}, {"metrics": ["ari", "vi"]}),
        ({"groups": "donor"}, {"metrics": ["ari"], "confidence_level": 0.9, "n_resamples": 99, "random_state": 3}),
        ({}, {"ignore_labels": ["Dendritic", None, "0"]}),
        ({"embedding": "X_pca"}, {"metrics": {"cosine": partial(gpuval.silhouette_score, metric="cosine")}}),
        ({"embedding": "X_pca", "by": "batch"}, {"metrics": ["ari", "ch"], "progress": False}),
    ],
)
def test_arguments_are_those_of_compare(columns, others):
    found = evaluate(ADATA, "bulk_labels", LEIDEN[:2], **columns, **others)
    vectors = {{"embedding": "X"}.get(argument, argument): OBS.get(name, X_PCA) for argument, name in columns.items()}
    expected = gpuval.compare(OBS["bulk_labels"], OBS[LEIDEN[:2]], **vectors, **others)
    assert list(found) == list(expected)
    pd.testing.assert_frame_equal(found.to_pandas(), expected.to_pandas(), check_exact=True)
    assert repr(found.best) == repr(expected.best)


def test_several_annotations_are_references():
    names, others = ["bulk_labels", "leiden_0.2"], {"metrics": ["ari", "vi"], "ignore_labels": {"true": "Dendritic"}}
    adata = ADATA.copy()
    found = evaluate(adata, names, LEIDEN[:2], confidence_level=0.9, random_state=3, key_added="scores", **others)
    expected = gpuval.compare(OBS[names], OBS[LEIDEN[:2]], confidence_level=0.9, random_state=3, **others)
    pd.testing.assert_frame_equal(found.to_pandas(), expected.to_pandas(), check_exact=True)
    references = [x.references["ari"] for x in found.values()]
    assert adata.uns["scores"]["adjusted_rand_score.reference"].tolist() == references
    assert set(references) <= set(names)
    # The clusters of leiden_0.2 are unions of these, which is what homogeneity asks for.
    found = evaluate(ADATA, names, ["leiden_1.0"], metrics=["homogeneity"])
    assert found["leiden_1.0"].references == {"homogeneity_score": "leiden_0.2"}
    found = evaluate(adata, iter(names), LEIDEN[:2], metrics=["ari", "asw"], embedding="X_pca", key_added="both")
    assert [x for x in adata.uns["both"] if x.endswith("reference")] == ["adjusted_rand_score.reference"]
    with pytest.raises(ValueError, match=r"^label must be a column of adata\.obs, got 'bulk_label'"):
        evaluate(ADATA, ["bulk_labels", "bulk_label"], LEIDEN)
    with pytest.raises(ValueError, match=r"^label must have at least one column of adata\.obs, got none"):
        evaluate(ADATA, [], LEIDEN)
    with pytest.raises(ValueError, match=r"^adata\.obs\['partly'\] must not have missing labels"):
        evaluate(ADATA, ["bulk_labels", "partly"], LEIDEN)


def test_without_an_annotation_there_are_internal_measures_alone():
    found = evaluate(ADATA, None, LEIDEN, embedding="X_pca")
    assert list(found["leiden_0.2"]) == ["silhouette_score", "calinski_harabasz_score", "davies_bouldin_score"]
    expected = sk.calinski_harabasz_score(X_PCA, OBS["leiden_0.2"])
    assert found["leiden_0.2"]["calinski_harabasz_score"] == pytest.approx(expected, rel=1e-5)


def test_metrics_may_be_given_once_only():
    assert list(evaluate(ADATA, "bulk_labels", "leiden_1.0", metrics=(x for x in ["ari"]))["leiden_1.0"])


# Errors of users' own measures


class TwoPartsError(ValueError):
    """An error that a message alone does not make."""

    def __init__(self, part, reason):
        super().__init__(part, reason)
        self.part = part


class ThreePartsError(TypeError):
    def __str__(self):
        return "labels_true, in three parts"


@pytest.mark.parametrize(
    "error", [TwoPartsError("labels_true", "is odd"), ThreePartsError("a"), ValueError("labels_true", 3), TypeError(7)]
)
def test_errors_of_own_measures_pass_as_they_are(error):
    def own_measure(table):
        raise error

    arguments, text = error.args, str(error)
    with pytest.raises(type(error)) as raised:
        evaluate(ADATA, "bulk_labels", "leiden_1.0", metrics={"own": own_measure})
    assert raised.value is error
    assert (error.args, str(error)) == (arguments, text)
    assert raised.traceback[-1].name == "own_measure"


def test_the_line_of_an_own_measure_is_in_the_traceback():
    def own_measure(table):
        try:
            return {}["rate"]
        except KeyError as error:
            raise ValueError("the rate must be known") from error

    with pytest.raises(ValueError, match=r"^the rate must be known$") as raised:
        evaluate(ADATA, "bulk_labels", "leiden_1.0", metrics={"own": own_measure})
    assert raised.traceback[-1].name == "own_measure"
    assert isinstance(raised.value.__cause__, KeyError)


# Names of embeddings


@pytest.mark.parametrize("key", ["X_pca", "pca"])
def test_an_embedding_goes_by_its_key_or_by_that_of_scanpy(key):
    found = evaluate(ADATA, None, "leiden_1.0", embedding=key, metrics="asw")
    expected = sk.silhouette_score(X_PCA, OBS["leiden_1.0"])
    assert found["leiden_1.0"]["silhouette_score"] == pytest.approx(expected, abs=1e-5)


def test_a_key_is_what_it_says_where_the_other_is_there_too():
    adata = blood()
    adata.obsm["pca"], adata.obsm["X"] = -(X_PCA[:, ::-1] ** 3), X_PCA[:, :3]
    adata.X = X_PCA[:, :2]
    for key in ("pca", "X", "X_pca"):
        found = evaluate(adata, None, "leiden_1.0", embedding=key, metrics="ch")["leiden_1.0"]
        expected = sk.calinski_harabasz_score(adata.obsm[key], OBS["leiden_1.0"])
        assert found["calinski_harabasz_score"] == pytest.approx(expected, rel=1e-4)
    del adata.obsm["X"]
    found = evaluate(adata, None, "leiden_1.0", embedding="X", metrics="ch")["leiden_1.0"]
    expected = sk.calinski_harabasz_score(X_PCA[:, :2], OBS["leiden_1.0"])
    assert found["calinski_harabasz_score"] == pytest.approx(expected, rel=1e-4)


# The accessor


def test_the_accessor_is_the_function():
    found = ADATA.gpuval.evaluate("bulk_labels", LEIDEN, metrics=["ari"])
    assert found == evaluate(ADATA, "bulk_labels", LEIDEN, metrics=["ari"])
    parameters = list(inspect.signature(evaluate).parameters.values())
    assert list(inspect.signature(ADATA.gpuval.evaluate).parameters.values()) == parameters[1:]
    assert ADATA.gpuval.evaluate.__doc__ == evaluate.__doc__


def test_the_accessor_of_a_copy_is_of_the_copy():
    adata = blood()
    adata.gpuval.evaluate("bulk_labels", "leiden_1.0", metrics=["ari"])
    other = pickle.loads(pickle.dumps(adata))
    for one in (adata.copy(), other, adata[:100]):
        one.obs = one.obs.assign(bulk_labels=one.obs["leiden_1.0"])
        assert one.gpuval.evaluate("bulk_labels", "leiden_1.0", metrics=["ari"])["leiden_1.0"]["ari"] == 1
    assert adata.gpuval.evaluate("bulk_labels", "leiden_1.0", metrics=["ari"])["leiden_1.0"]["ari"] < 1
    assert b"gpuval" not in pickle.dumps(adata)


@pytest.mark.parametrize(
    "copied", [copy.copy, copy.deepcopy, anndata.AnnData.copy, lambda x: pickle.loads(pickle.dumps(x))]
)
def test_an_accessor_that_was_looked_at_is_not_that_of_a_copy(copied):
    adata = blood()
    method = adata.gpuval.evaluate
    other = copied(adata)
    other.obs = other.obs.assign(bulk_labels=other.obs["leiden_1.0"])
    assert other.gpuval.adata is other
    assert other.gpuval.evaluate("bulk_labels", "leiden_1.0", metrics=["ari"])["leiden_1.0"]["ari"] == 1
    assert method("bulk_labels", "leiden_1.0", metrics=["ari"])["leiden_1.0"]["ari"] < 1
    assert b"gpuval" not in pickle.dumps(adata)


def test_the_accessor_is_registered_once():
    import importlib

    accessor = anndata.AnnData.gpuval
    importlib.reload(gpuval.anndata)
    assert anndata.AnnData.gpuval is accessor


# A user's story


def test_which_resolution_fits_the_annotation(tmp_path):
    """Read a file, compare resolutions by batch, keep the table in the file, and read it again."""
    blood().write_h5ad(tmp_path / "cells.h5ad")

    adata = anndata.read_h5ad(tmp_path / "cells.h5ad")
    with pytest.raises(ValueError, match=r"adata.obs\['partly'\] must not have missing labels"):
        adata.gpuval.evaluate("partly", "leiden_0*")
    with pytest.warns(UserWarning, match=r"adata.obs\['leiden_score'\] must hold whole numbers") as warned:
        scores = adata.gpuval.evaluate(
            "partly",
            "leiden_*",
            embedding="X_pca",
            metrics=["ari", "asw"],
            by="batch",
            ignore_labels=[None],
            confidence_level=0.95,
            random_state=0,
            key_added="gpuval",
        )
    assert len(warned) == 1
    adata.write_h5ad(tmp_path / "cells.h5ad")

    table = anndata.read_h5ad(tmp_path / "cells.h5ad").uns["gpuval"]
    assert table.index.tolist() == [name for name in LEIDEN for _ in range(2)]
    assert table["batch"].tolist() == ["one", "other"] * 3
    for (name, batch), row in zip(scores, table.to_dict("records"), strict=True):
        cells = (OBS["batch"] == batch) & OBS["partly"].notna()
        true, pred = OBS["partly"][cells], OBS[name][cells]
        assert row["adjusted_rand_score"] == pytest.approx(sk.adjusted_rand_score(true, pred), abs=1e-12)
        assert row["adjusted_rand_score.low"] < row["adjusted_rand_score"] < row["adjusted_rand_score.high"]
        assert row["silhouette_score"] == pytest.approx(sk.silhouette_score(X_PCA[cells], pred), abs=1e-5)
        counts = true.nunique(), pred.nunique(), int(cells.sum())
        assert (row["n_classes"], row["n_clusters"], row["n_samples"]) == counts
    assert table["n_samples"].iloc[:2].sum() == N - 30
    assert table["n_dropped"].iloc[:2].sum() == 30
    assert np.isfinite(table.drop(columns="batch").to_numpy()).all()
