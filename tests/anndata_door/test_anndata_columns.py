"""Columns of obs: which are chosen by names and patterns, which types they may have, and what is said of wrong ones."""

from __future__ import annotations

import re
from functools import partial

import anndata
import numpy as np
import pandas as pd
import pytest
from anndata_cells import X_PCA, N, blood

import gpuval
import gpuval.anndata
from gpuval.anndata import evaluate

ADATA = blood()
OF_ALL = "'bulk_labels', 'leiden_1.0', 'leiden_0.5', 'leiden_0.2', 'leiden_score', 'batch', 'donor', 'copies', 'partly'"


def chosen(clusterings, label="bulk_labels", **options):
    return list(evaluate(ADATA, label, clusterings, metrics=["purity"], **options))


# Which columns


@pytest.mark.parametrize(
    ("clusterings", "expected"),
    [
        ("leiden_0.5", ["leiden_0.5"]),
        (["leiden_0.2", "leiden_1.0"], ["leiden_0.2", "leiden_1.0"]),
        ("leiden_?.?", ["leiden_1.0", "leiden_0.5", "leiden_0.2"]),
        (["leiden_0.[25]", "leiden_1*"], ["leiden_0.5", "leiden_0.2", "leiden_1.0"]),
        (["leiden_0.2", "leiden_?.?", "leiden_0.2"], ["leiden_0.2", "leiden_1.0", "leiden_0.5"]),
        (pd.Index(["leiden_0.2", "batch"]), ["leiden_0.2", "batch"]),
        (np.asarray(["leiden_0.2"]), ["leiden_0.2"]),
        ((x for x in ["leiden_0.2"]), ["leiden_0.2"]),
        (["bulk_labels"], ["bulk_labels"]),
    ],
)
def test_columns_are_chosen_in_the_order_asked_for_each_once(clusterings, expected):
    assert chosen(clusterings) == expected


def test_patterns_leave_out_the_columns_of_other_arguments():
    with pytest.warns(UserWarning, match="leiden_score"):
        found = chosen("*", ignore_labels=[None], sample_weight="copies")
    assert found == ["leiden_1.0", "leiden_0.5", "leiden_0.2", "batch", "donor", "partly"]
    with pytest.warns(UserWarning, match="leiden_score"):
        found = {name for name, _ in chosen("*", ignore_labels=[None], by="batch", label="donor")}
    assert found == {"bulk_labels", "leiden_1.0", "leiden_0.5", "leiden_0.2", "copies", "partly"}


def test_patterns_leave_out_what_holds_no_labels_and_say_why_where_the_user_is():
    with pytest.warns(UserWarning, match="^clusterings leave out") as warned:
        found = evaluate(ADATA, "bulk_labels", ["*"], metrics=["purity"])
    (warning,) = warned
    assert str(warning.message) == (
        "clusterings leave out columns that a pattern matches:\n"
        f"- adata.obs['leiden_score'] must hold whole numbers, got {OBS_SCORE[1]}; continuous values are no labels\n"
        "- adata.obs['partly'] must not have missing labels (NaN, None), got 30 of 700; ignore_labels=[None] drops "
        "those samples"
    )
    assert warning.filename == __file__
    assert list(found) == ["leiden_1.0", "leiden_0.5", "leiden_0.2", "batch", "donor", "copies"]
    with pytest.warns(UserWarning, match="^clusterings leave out") as warned:
        ADATA.gpuval.evaluate("bulk_labels", "leiden*", metrics=["purity"])
    assert warned[0].filename == __file__


OBS_SCORE = ADATA.obs["leiden_score"].tolist()


@pytest.mark.parametrize("dtype", [object, "Int64", "float64", "category", "string"])
def test_patterns_leave_out_columns_whose_labels_are_all_missing(dtype):
    adata = blood()
    adata.obs["leiden_none"] = pd.Series([None] * N, adata.obs_names, dtype=dtype)
    message = (
        "clusterings leave out columns that a pattern matches:\n- adata.obs['leiden_none'] must have labels, got 700 "
        "missing ones"
    )
    with pytest.warns(UserWarning, match="^clusterings leave out") as warned:
        found = evaluate(adata, "bulk_labels", "leiden_[!s]*", metrics=["ari"], ignore_labels=[None])
    assert [str(x.message) for x in warned] == [message]
    assert found == evaluate(adata, "bulk_labels", "leiden_?.?", metrics=["ari"], ignore_labels=[None])
    with pytest.raises(ValueError, match=r"^ignore_labels must leave at least one sample of"):
        evaluate(adata, "bulk_labels", "leiden_none", metrics=["ari"], ignore_labels=[None])


@pytest.mark.parametrize("as_iterator", [False, True])
def test_labels_to_ignore_of_one_side(as_iterator):
    """Noise of the annotation is called as one of the clusters is; a clustering of this cluster alone is left out."""
    adata = blood()
    adata.obs["type"] = adata.obs["bulk_labels"].cat.rename_categories({"Dendritic": "0"})
    adata.obs["leiden_only"] = pd.Categorical(["0"] * N)
    kept = (adata.obs["type"] != "0").to_numpy()
    ignored = {"true": iter("0") if as_iterator else "0"}
    found = evaluate(adata, "type", "leiden_?.?", metrics=["ari"], ignore_labels=ignored)
    expected = evaluate(adata[kept], "type", "leiden_?.?", metrics=["ari"])
    assert [float(x["ari"]) for x in found.values()] == [float(x["ari"]) for x in expected.values()]
    assert list(found) == ["leiden_1.0", "leiden_0.5", "leiden_0.2"]
    assert "leiden_only" in evaluate(adata, "type", "leiden_[!s]*", metrics=["ari"], ignore_labels={"true": "0"})
    with pytest.warns(UserWarning, match=r"adata.obs\['leiden_only'\] must have labels that are not ignored, got 700"):
        found = evaluate(adata, "type", "leiden_[!s]*", metrics=["ari"], ignore_labels={"pred": iter("0")})
    assert "leiden_only" not in found
    with pytest.raises(ValueError, match=r"ignore_labels must have no key 'true' without label, got"):
        evaluate(adata, None, "leiden_1.0", embedding="X_pca", metrics=["asw"], ignore_labels={"true": "0"})


def test_columns_of_patterns_are_encoded_once(monkeypatch):
    encoded = []
    encode = gpuval.table.labelings.encode

    def noted(vector, *arguments):
        encoded.append(vector.name)
        return encode(vector, *arguments)

    monkeypatch.setattr("gpuval.table.labelings.encode", noted)
    assert chosen(["leiden_?.?", "batch"]) == ["leiden_1.0", "leiden_0.5", "leiden_0.2", "batch"]
    assert len(encoded) == len(set(encoded)) == 5


def test_a_column_whose_name_is_a_pattern_is_that_column():
    adata = blood()
    adata.obs["leiden_*"] = adata.obs["batch"]
    assert list(evaluate(adata, "bulk_labels", "leiden_*")) == ["leiden_*"]
    assert list(evaluate(adata, "bulk_labels", "leiden_[*]")) == ["leiden_*"]


# Types of columns

NUMBERS = np.arange(N) % 5
KINDS = {
    "categories": pd.Categorical.from_codes(NUMBERS, list("abcdef")),
    "categories in any order": pd.Categorical([f"{x}" for x in NUMBERS], categories=list("40213")),
    "integers": NUMBERS,
    "small integers": NUMBERS.astype(np.uint8),
    "integers that may miss": pd.array(NUMBERS, dtype="Int64"),
    "whole floats": NUMBERS.astype(np.float64),
    "objects": NUMBERS.astype(str).astype(object),
    "texts": pd.array([f"{x}" for x in NUMBERS], dtype="string"),
    "texts of arrow": pd.array([f"{x}" for x in NUMBERS], dtype="string[pyarrow]"),
    "categories of numbers": pd.Categorical(NUMBERS / 4),
    "booleans": NUMBERS == 0,
    "booleans that may miss": pd.array(NUMBERS == 0, dtype="boolean"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_labels_of_all_kinds(kind):
    adata = blood()
    adata.obs["found"] = KINDS[kind]
    codes = (NUMBERS == 0).astype(int) if "booleans" in kind else NUMBERS
    expected = gpuval.adjusted_rand_score(adata.obs["bulk_labels"].to_numpy(), codes)
    options = {"metrics": ["ari"], "key_added": "gpuval"}
    assert evaluate(adata, "bulk_labels", "found", **options)["found"]["ari"] == pytest.approx(expected, abs=1e-12)
    assert evaluate(adata, "found", "bulk*", **options)["bulk_labels"]["ari"] == pytest.approx(expected, abs=1e-12)
    assert adata.uns["gpuval"].loc["bulk_labels", "n_classes"] == len(set(codes))
    by = evaluate(adata, "bulk_labels", "leiden_1.0", metrics=["ari"], by="found")
    assert len(by) == len(set(codes))


@pytest.mark.parametrize("missing", [np.nan, None, pd.NA])
def test_missing_labels_of_all_kinds(missing):
    adata = blood()
    adata.obs["found"] = pd.Series([missing, *NUMBERS[1:].tolist()], index=adata.obs_names, dtype=object)
    adata.obs["as_categories"] = adata.obs["found"].astype("category")
    adata.obs["as_numbers"] = adata.obs["found"].astype("Int64")
    adata.obs["as_floats"] = adata.obs["as_numbers"].astype("Float64").to_numpy(np.float64, na_value=np.nan)
    expected = gpuval.adjusted_rand_score(adata.obs["bulk_labels"].to_numpy()[1:], NUMBERS[1:])
    for name in ("found", "as_categories", "as_numbers", "as_floats"):
        with pytest.raises(ValueError, match=rf"^adata.obs\['{name}'\] must not have missing .*got 1 of 700; ignore"):
            evaluate(adata, "bulk_labels", name)
        with pytest.raises(ValueError, match=rf"^adata.obs\['{name}'\] must not have missing .*got 1 of 700; ignore"):
            evaluate(adata, name, "bulk_labels")
        found = evaluate(adata, "bulk_labels", name, metrics=["ari"], ignore_labels=[None])[name]
        assert found["ari"] == pytest.approx(expected, abs=1e-12)


# What is said of wrong ones

WRONG = {
    "label": (
        ("bulk_label", "leiden_1.0"),
        {},
        f"label must be a column of adata.obs, got 'bulk_label' (did you mean 'bulk_labels'?); it has {OF_ALL}",
    ),
    "clustering": (
        ("bulk_labels", ["leiden_1.0", "liden_0.5"]),
        {},
        (
            "clusterings must be a column of adata.obs, got 'liden_0.5' (did you mean 'leiden_0.5' or 'leiden_0.2' or "
            f"'leiden_1.0'?); it has {OF_ALL}"
        ),
    ),
    "pattern": (
        ("bulk_labels", "louvain*"),
        {},
        f"clusterings must be columns of adata.obs, got 'louvain*', which matches none; it has {OF_ALL}",
    ),
    "pattern of other arguments": (
        ("bulk_labels", "bulk*"),
        {},
        (
            "clusterings must be columns of adata.obs that are given for nothing else, got 'bulk*', which matches "
            "no more than 'bulk_labels'"
        ),
    ),
    "pattern of no labels": (
        ("bulk_labels", ["leiden_1.0", "*_score"]),
        {},
        (
            "clusterings must be columns of labels, got '*_score', which matches none:\n"
            "- adata.obs['leiden_score'] must hold "
            f"whole numbers, got {OBS_SCORE[1]}; continuous values are no labels"
        ),
    ),
    "no labels": (
        ("bulk_labels", "leiden_score"),
        {},
        f"adata.obs['leiden_score'] must hold whole numbers, got {OBS_SCORE[1]}; continuous values are no labels",
    ),
    "annotation without labels": (
        ("leiden_score", "leiden_1.0"),
        {},
        f"adata.obs['leiden_score'] must hold whole numbers, got {OBS_SCORE[1]}; continuous values are no labels",
    ),
    "none": (("bulk_labels", []), {}, "clusterings must have at least one name of a column of adata.obs, got none"),
    "no name": (
        ("bulk_labels", [3]),
        {},
        "clusterings must be names of columns of adata.obs, or patterns such as 'leiden_*', got int",
    ),
    "a column as clusterings": (
        ("bulk_labels", ADATA.obs["copies"]),
        {},
        "clusterings must be names of columns of adata.obs, or patterns such as 'leiden_*', got pandas.Series",
    ),
    "a column of text as clusterings": (
        ("bulk_labels", ADATA.obs["donor"]),
        {},
        "clusterings must be names of columns of adata.obs, or patterns such as 'leiden_*', got pandas.Series",
    ),
    "labels as clusterings": (
        ("bulk_labels", np.arange(N)),
        {},
        "clusterings must be names of columns of adata.obs, or patterns such as 'leiden_*', got numpy.ndarray",
    ),
    "columns as clusterings": (
        ("bulk_labels", [ADATA.obs["copies"]]),
        {},
        "clusterings must be names of columns of adata.obs, or patterns such as 'leiden_*', got pandas.Series",
    ),
    "a column as annotation": (
        (ADATA.obs["bulk_labels"], "leiden_1.0"),
        {},
        "label must be the name of a column of adata.obs, got pandas.Series",
    ),
    "mapping": (
        ("bulk_labels", {"a": "b"}),
        {},
        "clusterings must be names of columns of adata.obs, or patterns such as 'leiden_*', got dict",
    ),
    "an annotation that is no name": (
        (["bulk_labels", 1], "leiden_1.0"),
        {},
        "label must be the name of a column of adata.obs, got int",
    ),
    "nothing to compare with": (
        (None, "leiden_1.0"),
        {},
        "label must be a column of adata.obs, got None; without label, embedding= must be given",
    ),
    "by": (
        ("bulk_labels", "leiden_1.0"),
        {"by": "donors"},
        f"by must be a column of adata.obs, got 'donors' (did you mean 'donor'?); it has {OF_ALL}",
    ),
    "by with missing values": (
        ("bulk_labels", "leiden_1.0"),
        {"by": "partly", "ignore_labels": [None]},
        "adata.obs['partly'] must not have missing labels (NaN, None), got 30 of 700",
    ),
    "by of continuous values": (
        ("bulk_labels", "leiden_1.0"),
        {"by": "leiden_score"},
        f"adata.obs['leiden_score'] must hold whole numbers, got {OBS_SCORE[1]}; continuous values are no labels",
    ),
    "groups without a level": (
        ("bulk_labels", "leiden_1.0"),
        {"groups": "donor"},
        "groups must be given with confidence_level: intervals draw whole groups; by= scores each by itself",
    ),
    "weights": (
        ("bulk_labels", "leiden_1.0"),
        {"sample_weight": "donor"},
        "adata.obs['donor'] must hold real numbers and none missing, got dtype category",
    ),
    "weights below 0": (
        ("bulk_labels", "leiden_1.0"),
        {"sample_weight": "less"},
        "adata.obs['less'] must be finite and not negative, got -1",
    ),
    "ignored labels": (
        ("bulk_labels", "leiden_1.0"),
        {"ignore_labels": b"X", "embedding": "X_pca"},
        (
            "ignore_labels must be of a type that adata.obs['bulk_labels'] or adata.obs['leiden_1.0'] could hold, "
            "got b'X' of type bytes; their labels are text"
        ),
    ),
    "embedding": (
        ("bulk_labels", "leiden_1.0"),
        {"embedding": "X_pcs"},
        "embedding must be a key of adata.obsm, got 'X_pcs' (did you mean 'X_pca'?); it has 'X_pca'",
    ),
    "an array as embedding": (
        ("bulk_labels", "leiden_1.0"),
        {"embedding": X_PCA},
        "embedding must be a key of adata.obsm, got numpy.ndarray",
    ),
    "embedding with NaN": (
        ("bulk_labels", "leiden_1.0"),
        {"embedding": "X_nan"},
        "adata.obsm['X_nan'] must be finite, got nan in row 0, column 0",
    ),
    "internal measures without an embedding": (
        ("bulk_labels", "leiden_1.0"),
        {"metrics": ["ari", "asw"]},
        "embedding must be given for silhouette_score, got None; without it there are external measures alone",
    ),
    "external measures without an annotation": (
        (None, "leiden_1.0"),
        {"embedding": "pca", "metrics": "ari"},
        "label must be given for adjusted_rand_score, got None; without it there are internal measures alone",
    ),
    "intervals without an annotation": (
        (None, "leiden_1.0"),
        {"embedding": "pca", "confidence_level": 0.9},
        "confidence_level must be None without label: internal measures have no intervals",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_arguments(name):
    arguments, options, message = WRONG[name]
    adata = ADATA
    if name in ("weights below 0", "embedding with NaN"):
        adata = blood()
        adata.obs["less"] = -1
        adata.obsm["X_nan"] = np.full((N, 2), np.nan)
    with pytest.raises((TypeError, ValueError)) as raised:
        evaluate(adata, *arguments, **options)
    assert str(raised.value) == message


def test_kappa_is_of_names_that_both_columns_have():
    lack = (
        "must have a label of adata.obs['bulk_labels'], got none; cohen_kappa_score compares their names: give the "
        "clusters the names of classes, or leave it out"
    )
    for metrics in ("kappa", ["ari", partial(gpuval.cohen_kappa_score, weights=None)]):
        with pytest.raises(ValueError) as raised:
            evaluate(ADATA, "bulk_labels", ["partly", "leiden_1.0"], ignore_labels=[None], metrics=metrics)
        assert str(raised.value) == f"adata.obs['leiden_1.0'] {lack}"
    adata = blood()
    adata.obs["leiden_named"] = adata.obs["bulk_labels"]
    with pytest.warns(UserWarning, match="^clusterings leave out") as warned:
        found = evaluate(adata, "bulk_labels", "leiden_*", metrics=["ari", "kappa"], by="batch")
    assert {name for name, _ in found} == {"leiden_named"}
    said = str(warned[0].message).splitlines()[1:]
    assert [x for x in said if "kappa" in x] == [f"- adata.obs['leiden_{x}'] {lack}" for x in ("1.0", "0.5", "0.2")]
    with pytest.raises(
        ValueError, match=r"^clusterings must be columns of labels, got 'leiden_0\*', which matches none"
    ):
        evaluate(ADATA, "bulk_labels", "leiden_0*", metrics="kappa")
    assert list(evaluate(ADATA, "bulk_labels", "leiden_0*", metrics="ari")) == ["leiden_0.5", "leiden_0.2"]
    assert evaluate(ADATA, "bulk_labels", "bulk_labels", metrics="kappa")["bulk_labels"]["cohen_kappa_score"] == 1


def test_a_long_list_of_columns_is_cut():
    obs = pd.DataFrame({f"c{i}": [0, 1] for i in range(20)}, index=["a", "b"])
    with pytest.raises(ValueError, match=r"got 'zzz'; it has 'c0', .*'c11', \.\.\. \(20 in all\)$"):
        evaluate(anndata.AnnData(obs=obs), "zzz", "c*")


def test_two_columns_of_one_name():
    obs = pd.DataFrame([[0, 1], [1, 0]], columns=["c", "c"], index=["a", "b"])
    message = "clusterings must be one column of adata.obs, got 'c', which 2 have"
    for clusterings in ("c", "c*"):
        with pytest.raises(ValueError, match=message):
            evaluate(anndata.AnnData(obs=obs.assign(t=0)), "t", clusterings)


@pytest.mark.parametrize("adata", ["cells.h5ad", None, pd.DataFrame({"a": [1]})])
def test_what_is_no_anndata(adata):
    with pytest.raises(TypeError, match=f"^adata must be an AnnData or a MuData, got {type(adata).__name__}$"):
        evaluate(adata, "a", "a")


def test_patterns_leave_out_counts_unless_they_are_named():
    adata = blood()
    adata.obs["n_genes"] = 200 + np.arange(N) % 347
    adata.obs["kmeans"] = np.arange(N) % 30
    message = (
        "adata.obs['n_genes'] looks like counts or numbers of samples, as it has 347 different whole numbers from 200 "
        "to 546; give its full name to take them for labels"
    )
    with pytest.warns(UserWarning, match=re.escape(message)):
        found = evaluate(adata, "bulk_labels", ["[kn]*"], metrics=["ari"])
    assert list(found) == ["kmeans"]
    assert list(evaluate(adata, "bulk_labels", ["n_genes", "[kn]*"], metrics=["ari"])) == ["n_genes", "kmeans"]
    with pytest.raises(ValueError, match=r"^clusterings must be columns of labels, got 'n_[*]', which matches none"):
        evaluate(adata, "bulk_labels", "n_*", metrics=["ari"])


@pytest.mark.parametrize("is_copied", [False, True])
def test_no_cells_are_an_error(is_copied):
    """A filter that no cell passes gave scores of 1, in silence."""
    cells = ADATA[ADATA.obs["bulk_labels"] == "nothing"]
    cells = cells.copy() if is_copied else cells
    labels = cells, "bulk_labels", ["leiden_1.0", "leiden_0.5"]
    calls = [
        lambda: evaluate(*labels),
        lambda: evaluate(*labels, by="batch", confidence_level=0.9),
        lambda: evaluate(cells, None, "leiden_*", embedding="pca"),
        lambda: cells.gpuval.evaluate(*labels[1:]),
        lambda: gpuval.anndata.report(*labels),
        lambda: cells.gpuval.report(*labels[1:]),
        lambda: gpuval.anndata.integration_scores(cells, "batch", "bulk_labels", "X_pca"),
        lambda: cells.gpuval.integration_scores("batch", "bulk_labels", "X_pca"),
    ]
    for call in calls:
        with pytest.raises(ValueError, match=r"^adata must have at least one cell, got none$"):
            call()
    assert gpuval.evaluate([], [], ["ari"])["ari"] == 1  # of arrays it is a convention


def test_columns_without_a_name_cannot_be_asked_for():
    adata = anndata.AnnData(obs=pd.DataFrame({"a": [0, 1], 3: [0, 1], "b": [1, 0]}, index=["x", "y"]))
    assert list(evaluate(adata, "a", "*")) == ["b"]
    with pytest.raises(ValueError, match=r"got 'c'; it has 'a', 'b'$"):
        evaluate(adata, "a", "c")


def test_control_characters_in_names_are_escaped():
    adata = blood()
    adata.obs["x\x1b[31m"] = np.linspace(0, 1, N)
    with pytest.raises(ValueError, match=r"^adata.obs\['x\\x1b\[31m'\] must hold whole"):
        evaluate(adata, "bulk_labels", "x\x1b[31m")
    with pytest.raises(ValueError, match=r"'partly', 'x\\x1b\[31m'$"):
        evaluate(adata, "nothing", "x\x1b[31m")


def test_options_are_checked_before_anything_is_read():
    class Untouched:
        obsm, uns = {"X_pca": None}, {}
        read = False

        @property
        def obs(self):
            class Columns:
                columns, shape = ("a", "b"), (2, 2)

                def __iter__(self):
                    return iter(self.columns)

                def __getitem__(self, name):
                    raise AssertionError("a column was read")

            return Columns()

    for options in ({"metrics": "arri"}, {"confidence_level": 3}, {"n_resamples": 0, "confidence_level": 0.9}):
        with pytest.raises(ValueError, match=r"^(metrics|confidence_level|n_resamples) must"):
            evaluate(Untouched(), "a", "b", **options)


def test_patterns_leave_out_columns_whose_labels_are_all_ignored():
    """As a sweep of HDBSCAN may have them, where all cells are noise."""
    adata = blood()
    adata.obs["leiden_noise"] = -1
    message = "adata.obs['leiden_noise'] must have labels that are not ignored, got 700 that are all ignored"
    with pytest.warns(UserWarning, match=re.escape(message)):
        found = evaluate(adata, "bulk_labels", "leiden_[!s]*", metrics=["ari"], ignore_labels=[-1])
    assert found == evaluate(adata, "bulk_labels", "leiden_?.?", metrics=["ari"], ignore_labels=[-1])
    with pytest.raises(ValueError, match=r"^ignore_labels must leave at least one sample of"):
        evaluate(adata, "bulk_labels", "leiden_noise", metrics=["ari"], ignore_labels=[-1])
