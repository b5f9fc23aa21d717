"""The table in adata.uns: what it has, that files give it back bit for bit, and what becomes of views."""

from __future__ import annotations

import anndata
import numpy as np
import pandas as pd
import pytest
from anndata_cells import N, blood

from gpuval.anndata import evaluate

pytestmark = [
    # What anndata and zarr say of formats to come, wherever something is written.
    pytest.mark.filterwarnings("ignore:zarr v3 autosharding:UserWarning"),
    pytest.mark.filterwarnings("ignore:Writing zarr v2 data:UserWarning"),
    pytest.mark.filterwarnings(
        "ignore:(This setting will be removed|zarr v3 will become the only option) in 0.14:DeprecationWarning"
    ),
    pytest.mark.filterwarnings("ignore:Consolidated metadata"),
]

LEIDEN = ["leiden_1.0", "leiden_0.2"]
BY_PATHS = np.asarray(["CD4+/CD45RA+", "…ü\n\t\x1b[31m", "", "1.0"])[np.arange(N) % 4]

ASKED = {
    "scores": {},
    "of one clustering": {"clusterings": "leiden_0.2"},
    "intervals": {"metrics": ["ari", "nmi"], "confidence_level": 0.9, "n_resamples": 49, "random_state": 0},
    "by text": {"by": "type", "metrics": ["ari"]},
    "by numbers": {"by": "copies", "metrics": ["ari"]},
    "by booleans, with intervals": {
        "by": "even",
        "metrics": ["ari", "nmi"],
        "confidence_level": 0.9,
        "n_resamples": 49,
        "random_state": 0,
    },
    "samples": {"embedding": "pca", "metrics": ["ari", "asw"]},
    "samples alone": {"label": None, "embedding": "pca", "by": "batch"},
    "weights": {"sample_weight": "weight"},
    "own names": {"metrics": {"NMI cluster/label": "nmi", "é ": "ari", 3: "vi", ("a", "b"): "acc", "x\0": "purity"}},
    "NaN": {"embedding": "pca", "clusterings": ["one", "leiden_0.2"], "metrics": ["asw", "ari"]},
    "integers and a large one": {"metrics": {"pairs": lambda table: 3, "large": lambda table: 1 << 70}},
    "tuples": {"metrics": ["ari", lambda table: (0.5, True)]},
}


def cells():
    adata = blood()
    adata.obs["type"] = BY_PATHS
    adata.obs["even"] = np.arange(N) % 2 == 0
    adata.obs["weight"] = np.linspace(0, 2, N)
    adata.obs["one"] = 0
    return adata


def stored(adata, **options):
    options = {"label": "bulk_labels", "clusterings": LEIDEN, "key_added": "gpuval"} | options
    return evaluate(adata, **options)


@pytest.mark.parametrize("asked", ASKED)
@pytest.mark.parametrize("kind", ["h5ad", "zarr 2", "zarr 3"])
def test_files_give_back_the_table_bit_for_bit(asked, kind, tmp_path):
    adata = cells()
    stored(adata, **ASKED[asked])
    table = adata.uns["gpuval"].copy()
    path = tmp_path / "cells"
    if kind == "h5ad":
        adata.write_h5ad(path)
        found = anndata.read_h5ad(path).uns["gpuval"]
    else:
        with anndata.settings.override(zarr_write_format=int(kind[-1])):
            adata.write_zarr(path)
        found = anndata.read_zarr(path).uns["gpuval"]
    pd.testing.assert_frame_equal(found, table, check_exact=True, check_freq=False)
    assert list(found.index) == list(table.index)
    for name in table:
        if table[name].dtype.kind == "f":
            assert found[name].to_numpy().tobytes() == table[name].to_numpy().tobytes()
    assert all(type(name) is str for name in [*table.columns, *table.index, table.index.name])
    assert {column.dtype.kind for _, column in table.items()} <= set("fiO")


def test_the_table_is_of_the_scores():
    adata = cells()
    options = {"metrics": ["ari", "nmi"], "confidence_level": 0.9, "n_resamples": 49, "random_state": 0}
    scores = stored(adata, embedding="pca", **options)
    table = adata.uns["gpuval"]
    assert table.index.tolist() == LEIDEN
    assert table.index.name == "labeling"
    names = ["adjusted_rand_score", "normalized_mutual_info_score"]
    ends = [f"{name}{end}" for name in names for end in ("", ".low", ".high")]
    assert table.columns.tolist() == ["n_classes", "n_clusters", "n_samples", "n_dropped", *ends]
    for name in LEIDEN:
        assert table.loc[name, "n_clusters"] == adata.obs[name].nunique()
        assert table.loc[name, ["n_classes", "n_samples", "n_dropped"]].tolist() == [10, N, 0]
        for metric in names:
            estimate = scores[name].intervals[metric]
            expected = [float(scores[name][metric]), float(estimate.low), float(estimate.high)]
            assert table.loc[name, [metric, f"{metric}.low", f"{metric}.high"]].tolist() == expected
    assert table["n_clusters"].dtype == np.int64


def test_rows_of_each_value_have_it_as_text():
    adata = cells()
    scores = stored(adata, by="even", metrics=["ari"])
    table = adata.uns["gpuval"]
    assert table.index.tolist() == [name for name in LEIDEN for _ in range(2)]
    assert table["even"].tolist() == ["False", "True"] * 2
    assert table["adjusted_rand_score"].tolist() == [float(x["ari"]) for x in scores.values()]
    one = table.set_index("even", append=True)["adjusted_rand_score"]
    assert one["leiden_0.2", "True"] == scores["leiden_0.2", True]["ari"]


def test_names_of_columns_are_such_as_files_have():
    adata = cells()
    stored(adata, metrics={"NMI cluster/label": "nmi", "x\0\ud800": "ari"})
    assert adata.uns["gpuval"].columns.tolist()[4:] == ["NMI cluster|label", "x\\x00\\ud800"]


@pytest.mark.parametrize("kind", ["h5ad", "zarr"])
def test_odd_names_of_clusterings_are_texts(kind, tmp_path):
    adata = cells()
    names = ["a/b", "../x", ".", " ", "…\n\t\x1b", "_index", "NaN", "1.0"]
    for name in names:
        adata.obs[name] = adata.obs["leiden_0.2"]
    stored(adata, clusterings=names, metrics=["ari"], by="type")
    other = anndata.AnnData(np.zeros((2, 1)), uns={"gpuval": adata.uns["gpuval"]})
    getattr(other, f"write_{kind}")(tmp_path / "cells")
    found = getattr(anndata, f"read_{kind}")(tmp_path / "cells").uns["gpuval"]
    pd.testing.assert_frame_equal(found, adata.uns["gpuval"], check_exact=True)
    assert found.index.tolist() == [name for name in names for _ in range(4)]
    assert found["type"].tolist() == sorted(set(BY_PATHS)) * len(names)


def test_an_undefined_score_is_nan():
    adata = cells()
    stored(adata, clusterings=["one"], embedding="pca", metrics=["asw", "ari"])
    assert np.isnan(adata.uns["gpuval"].loc["one", "silhouette_score"])
    assert adata.uns["gpuval"].loc["one", "adjusted_rand_score"] == 0


def test_what_is_several_numbers_is_left_out_with_a_warning():
    adata = cells()
    with pytest.warns(UserWarning, match=r"^adata.uns has no scores that are several numbers: 'sizes'$") as warned:
        found = stored(adata, metrics={"sizes": lambda table: table.cluster_sizes, "ari": "ari"})
    assert warned[0].filename == __file__
    assert found["leiden_1.0"]["sizes"].sum() == N
    assert adata.uns["gpuval"].columns.tolist()[4:] == ["ari"]


def test_an_earlier_table_is_overwritten():
    adata = cells()
    adata.uns["other"] = 3
    stored(adata, by="batch")
    stored(adata, clusterings="leiden_0.2", metrics=["ari"])
    assert adata.uns["gpuval"].shape == (1, 5)
    assert adata.uns["other"] == 3


def test_nothing_is_added_without_a_key():
    adata = cells()
    before = list(adata.obs), list(adata.obsm)
    evaluate(adata, "bulk_labels", LEIDEN, embedding="pca")
    assert (list(adata.obs), list(adata.obsm)) == before
    assert not adata.uns


NOT_A_NAME = "must have different names, which columns of adata.uns['gpuval'] can have, got"
NOT_FREE = "must be a column whose name no other column of adata.uns['gpuval'] has, got"
WRONG = [
    ({"key_added": "a/b"}, "key_added must be a name that files can have, without a slash, got 'a/b'"),
    ({"key_added": ""}, "key_added must be a name that files can have, without a slash, got ''"),
    ({"key_added": True}, "key_added must be a key of adata.uns, a text, got bool"),
    ({"metrics": {"n_clusters": "ari"}}, f"metrics {NOT_A_NAME} 'n_clusters'"),
    ({"metrics": {"a/b": "ari", "a|b": "nmi"}}, f"metrics {NOT_A_NAME} 'a|b'"),
    ({"metrics": {"a": "ari", "a.low": "nmi"}, "confidence_level": 0.9}, f"metrics {NOT_A_NAME} 'a.low'"),
    ({"metrics": {"a.high": "ari", "a": "nmi"}, "confidence_level": 0.9}, f"metrics {NOT_A_NAME} 'a.high'"),
    ({"metrics": {"batch": "ari"}, "by": "batch"}, f"by {NOT_FREE} 'batch'; rename it in adata.obs"),
    ({"by": "labeling"}, f"by {NOT_FREE} 'labeling'; rename it in adata.obs"),
    ({"by": "n_samples"}, f"by {NOT_FREE} 'n_samples'; rename it in adata.obs"),
    ({"by": "a/b", "metrics": {"a|b": "ari"}}, f"by {NOT_FREE} 'a/b'; rename it in adata.obs"),
    (
        {"by": "a.low", "metrics": {"a": "ari"}, "confidence_level": 0.9},
        f"by {NOT_FREE} 'a.low'; rename it in adata.obs",
    ),
    ({"metrics": {"_index": "ari"}}, f"metrics {NOT_A_NAME} '_index'"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_what_cannot_be_stored_is_told_before_anything_is_counted(options, message, monkeypatch):
    monkeypatch.setattr("gpuval.anndata.evaluation.compare", None)
    adata = cells()
    for name in ("labeling", "n_samples", "a/b", "a.low"):
        adata.obs[name] = adata.obs["batch"]
    with pytest.raises((TypeError, ValueError)) as raised:
        stored(adata, **options)
    assert str(raised.value).removesuffix("; give a mapping from other names to measures") == message
    assert not adata.uns


# Views


def test_a_view_is_evaluated_and_stays_a_view():
    adata = cells()
    view = adata[adata.obs["batch"] == "one"]
    found = evaluate(view, "bulk_labels", LEIDEN, embedding="pca", metrics=["ari", "asw"])
    assert found == evaluate(view.copy(), "bulk_labels", LEIDEN, embedding="pca", metrics=["ari", "asw"])
    assert view.is_view


def test_nothing_is_written_into_a_view(monkeypatch):
    adata = cells()
    view = adata[:300]
    with pytest.raises(ValueError, match=r"^key_added must not be given for a view of an AnnData, .*give adata"):
        stored(view)
    assert view.is_view
    assert not adata.uns
    copy = view.copy()
    stored(copy)
    assert copy.uns["gpuval"]["n_samples"].tolist() == [300, 300]
