"""Embeddings in AnnData scored as integrations: each as by arrays, whatever holds them; wrong calls."""

from __future__ import annotations

import sys
import warnings
from types import ModuleType

import anndata
import numpy as np
import pandas as pd
import pytest
import torch
from anndata_cells import X_PCA, N, blood
from scipy import sparse

import gpuval
import gpuval.anndata
from gpuval.anndata import integration_scores

RANDOM = np.random.default_rng(0)
BATCH = RANDOM.choice(["one", "other", "third"], N)
CENTRED = X_PCA - np.stack([X_PCA[x == BATCH].mean(axis=0) for x in ("one", "other", "third")])[
    np.unique(BATCH, return_inverse=True)[1]
].astype(np.float32)


def cells():
    adata = blood()
    batch = BATCH.copy()
    batch[(adata.obs["bulk_labels"] == "CD34+") & (batch == "third")] = "one"  # a label that a batch is without
    adata.obs["batch"] = pd.Categorical(batch, categories=["other", "one", "third", "nowhere"])
    adata.obsm["X_centred"] = CENTRED.copy()
    return adata


ADATA = cells()
LABEL, IN_BATCH = (ADATA.obs[x].astype(str).to_numpy() for x in ("bulk_labels", "batch"))


def nearest(X, k):
    """The nearest of each cell by all distances: indices and distances."""
    apart = np.sqrt(np.maximum(((X[:, None, :].astype(np.float64) - X[None]) ** 2).sum(axis=2), 0))
    indices = np.argsort(apart, axis=1, kind="stable")[:, :k]
    return indices, np.take_along_axis(apart, indices, axis=1)


FOUND = {"X_pca": nearest(X_PCA, 90), "X_centred": nearest(CENTRED, 90)}


def of_arrays(key, **options):
    X = {"X_pca": X_PCA, "X_centred": CENTRED}[key]
    return gpuval.integration_scores(X, IN_BATCH, LABEL, **{"neighbors": FOUND[key], "unintegrated": X_PCA} | options)


def assert_same(found, expected, rel=1e-12):
    assert list(found) == list(expected)
    for name, value in expected.to_dict().items():
        assert float(found[name]) == pytest.approx(value, rel=rel, nan_ok=True), name
    assert found.left_out == expected.left_out


# ---- values --------------------------------------------------------------------------------------


def test_each_embedding_is_as_by_arrays():
    found = integration_scores(
        ADATA, "batch", "bulk_labels", ["X_pca", "X_centred"], neighbors=FOUND, unintegrated="X_pca"
    )
    assert list(found) == ["X_pca", "X_centred"]
    for key in found:
        assert_same(found[key], of_arrays(key))
    assert found["X_pca"].left_out == {}
    assert found["X_pca"]["PCR comparison"] == 0 < found["X_centred"]["PCR comparison"]


def test_options_go_through():
    options = {"n_neighbors": (5, 9, 20), "connection": "strong", "alpha": 0.2, "most_batches": 3, "random_state": 5}
    found = integration_scores(ADATA, "batch", "bulk_labels", "X_pca", neighbors=FOUND, **options)
    assert_same(found["X_pca"], of_arrays("X_pca", unintegrated=None, **options))


def test_without_neighbours_the_search_is_exact():
    found = integration_scores(ADATA, "batch", "bulk_labels", "pca", unintegrated="pca")
    assert list(found) == ["pca"]
    assert_same(found["pca"], of_arrays("X_pca"), rel=1e-6)  # distances in 32 bits there


def test_a_search_that_is_given():
    asked = []

    def search(X, k):
        asked.append((X.shape, k))
        return nearest(X, k)

    found = integration_scores(ADATA, "batch", "bulk_labels", ["X_pca", "X_centred"], neighbors=search)
    assert asked == [(X_PCA.shape, 90)] * 2
    assert_same(found["X_centred"], of_arrays("X_centred", unintegrated=None))

    class Results:  # as scib-metrics has them
        def __init__(self, indices, distances):
            self.indices, self.distances = indices, distances

    again = integration_scores(
        ADATA, "batch", "bulk_labels", "X_pca", neighbors=lambda X, k: Results(*nearest(X, k)), n_neighbors=(2, 3, 4)
    )
    assert_same(again["X_pca"], of_arrays("X_pca", unintegrated=None, n_neighbors=(2, 3, 4)))


def test_neighbours_of_each_embedding_in_other_forms():
    given = {"X_pca": gpuval.Neighbors.from_knn(*FOUND["X_pca"]), "X_centred": nearest}
    found = integration_scores(ADATA, "batch", "bulk_labels", ["X_pca", "X_centred"], neighbors=given)
    for key in found:
        assert_same(found[key], of_arrays(key, unintegrated=None))


def test_pynndescent_has_the_options_of_scib_metrics(monkeypatch):
    asked = []

    class NNDescent:
        def __init__(self, X, **options):
            asked.append(options)
            self.neighbor_graph = nearest(X, options["n_neighbors"])

    module = ModuleType("pynndescent")
    module.NNDescent = NNDescent
    monkeypatch.setitem(sys.modules, "pynndescent", module)
    found = integration_scores(ADATA, "batch", "bulk_labels", "X_pca", neighbors="pynndescent", unintegrated="X_pca")
    assert_same(found["X_pca"], of_arrays("X_pca"))
    assert asked[0] == {
        "n_neighbors": 90,
        "random_state": 0,
        "n_jobs": -1,
        "n_trees": 6,  # 5 + round(sqrt(700) / 20)
        "n_iters": 9,  # log2 of 700
        "max_candidates": 60,
        "low_memory": True,
        "compressed": False,
    }


@pytest.mark.parametrize("given", ["leiden_*", ["leiden_0.5", "leiden_1.0", "leiden_0.2"]])
@pytest.mark.filterwarnings("ignore:clusterings leave out")
def test_clusterings_are_columns(given):
    columns = {x: ADATA.obs[x].astype(str).to_numpy() for x in ("leiden_1.0", "leiden_0.5", "leiden_0.2")}
    found = integration_scores(ADATA, "batch", "bulk_labels", "X_pca", neighbors=FOUND, clusterings=given)["X_pca"]
    assert_same(found, of_arrays("X_pca", unintegrated=None, clusterings=columns))
    assert "Clustering NMI" in found


def test_clusterings_of_each_embedding():
    given = {"X_pca": "leiden_1.0", "X_centred": ["leiden_0.2"]}
    found = integration_scores(ADATA, "batch", "bulk_labels", list(given), neighbors=FOUND, clusterings=given)
    for key, name in (("X_pca", "leiden_1.0"), ("X_centred", "leiden_0.2")):
        nmi = gpuval.normalized_mutual_info_score(LABEL, ADATA.obs[name].astype(str).to_numpy())
        assert float(found[key]["Clustering NMI"]) == pytest.approx(float(nmi), rel=1e-12)


# ---- what holds the cells ------------------------------------------------------------------------


def as_frame(X):
    return pd.DataFrame(X, index=ADATA.obs_names, columns=[f"PC{i}" for i in range(X.shape[1])])


@pytest.mark.parametrize("kind", [np.asfortranarray, as_frame, sparse.csr_matrix, lambda X: X.astype(np.float64)])
def test_embeddings_of_all_kinds(kind):
    adata = cells()
    adata.obsm["X_pca"] = kind(X_PCA)
    given = {"unintegrated": "X_pca"}
    if sparse.issparse(adata.obsm["X_pca"]):
        given = {}  # which the comparison of regressions does not take
    found = integration_scores(adata, "batch", "bulk_labels", "X_pca", neighbors=FOUND, **given)
    assert_same(found["X_pca"], of_arrays("X_pca", **({} if given else {"unintegrated": None})), rel=1e-5)
    by_search = integration_scores(adata, "batch", "bulk_labels", "X_pca", n_neighbors=(3, 4, 5))["X_pca"]
    assert_same(by_search, of_arrays("X_pca", unintegrated=None, n_neighbors=(3, 4, 5)), rel=1e-5)


def test_tensors_keep_their_library():
    class Annotated:
        obs, obsm, uns = ADATA.obs, {"X_pca": torch.asarray(X_PCA)}, {}

    found = integration_scores(Annotated(), "batch", "bulk_labels", "X_pca", neighbors=FOUND)
    assert isinstance(found["X_pca"]["BRAS"], torch.Tensor)
    assert_same(found["X_pca"], of_arrays("X_pca", unintegrated=None), rel=1e-5)
    searched = integration_scores(Annotated(), "batch", "bulk_labels", "X_pca")
    assert_same(searched["X_pca"], of_arrays("X_pca", unintegrated=None), rel=1e-5)


def test_files_are_read_as_far_as_named(tmp_path):
    path = tmp_path / "cells.h5ad"
    adata = cells()
    adata.write_h5ad(path)
    backed = anndata.read_h5ad(path, backed="r")
    options = {"neighbors": FOUND, "unintegrated": "X_pca"}
    assert_same(integration_scores(backed, "batch", "bulk_labels", "X_pca", **options)["X_pca"], of_arrays("X_pca"))
    backed.file.close()


def test_a_lazy_store(tmp_path):
    path = tmp_path / "cells.zarr"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of anndata and zarr
        cells().write_zarr(path)
        lazy = anndata.experimental.read_lazy(path)
        found = integration_scores(lazy, "batch", "bulk_labels", "X_pca", neighbors=FOUND, unintegrated="X_pca")
    assert_same(found["X_pca"], of_arrays("X_pca"))


class CountedKeys(dict):
    """Embeddings that note which are computed."""

    def __init__(self, embeddings):
        super().__init__(embeddings)
        self.computed = []

    def __getitem__(self, key):
        return self.InFile(super().__getitem__(key), lambda: self.computed.append(key))

    class InFile:
        def __init__(self, values, note):
            self.values, self.note, self.shape = values, note, values.shape

        def to_memory(self):
            self.note()
            return self.values


def test_each_embedding_is_read_once():
    class Annotated:
        obs, obsm, uns = ADATA.obs, CountedKeys({"X_pca": X_PCA, "X_centred": CENTRED}), {}

    given = {"neighbors": {"pca": FOUND["X_pca"], "X_centred": FOUND["X_centred"]}, "unintegrated": "X_pca"}
    found = integration_scores(Annotated(), "batch", "bulk_labels", ["pca", "X_centred"], **given)
    assert sorted(Annotated.obsm.computed) == ["X_centred", "X_pca"]
    assert_same(found["pca"], of_arrays("X_pca"))
    assert_same(found["X_centred"], of_arrays("X_centred"))


def test_a_view():
    view = ADATA[::2]
    found = integration_scores(view, "batch", "bulk_labels", "X_pca", neighbors=nearest)
    expected = gpuval.integration_scores(
        X_PCA[::2], IN_BATCH[::2], LABEL[::2], neighbors=nearest(np.ascontiguousarray(X_PCA[::2]), 90)
    )
    assert_same(found["X_pca"], expected)
    assert view.is_view


def test_the_accessor():
    found = ADATA.gpuval.integration_scores("batch", "bulk_labels", "X_pca", neighbors=FOUND, unintegrated="X_pca")
    assert_same(found["X_pca"], of_arrays("X_pca"))


# ---- what is kept --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["h5ad", "zarr"])
def test_the_table_survives_a_file(kind, tmp_path):
    adata, path = cells(), tmp_path / f"cells.{kind}"
    found = integration_scores(
        adata, "batch", "bulk_labels", ["X_pca", "X_centred"], neighbors=FOUND, key_added="integration"
    )
    table = adata.uns["integration"]
    pd.testing.assert_frame_equal(table, found.to_pandas())
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of anndata and zarr
        getattr(adata, f"write_{kind}")(path)
    read = getattr(anndata, f"read_{kind}")(path).uns["integration"]
    pd.testing.assert_frame_equal(read, table, check_index_type=False, check_exact=True, check_column_type=False)
    assert np.isnan(read["PCR comparison"]).all()


@pytest.mark.parametrize("kind", ["h5ad", "zarr"])
def test_odd_names_of_embeddings_are_texts_in_files(kind, tmp_path):
    adata, path = cells(), tmp_path / f"cells.{kind}"
    names = ["a/b", "NUL\0", "\ud800", "…\n\x1b", "_index"]
    for name in names:
        adata.obsm[name] = X_PCA
    given = dict.fromkeys(names, FOUND["X_pca"])
    found = integration_scores(adata, "batch", "bulk_labels", names, neighbors=given, key_added="integration")
    table = adata.uns["integration"]
    assert table.index.tolist() == ["a/b", "NUL\\x00", "\\ud800", "…\n\x1b", "_index"]
    assert table.index.name == "Embedding"
    assert found.to_pandas().index.tolist() == names
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of anndata and zarr
        getattr(anndata.AnnData(uns={"integration": table}), f"write_{kind}")(path)
        read = getattr(anndata, f"read_{kind}")(path).uns["integration"]
    pd.testing.assert_frame_equal(read, table, check_index_type=False, check_exact=True, check_column_type=False)


def test_nothing_is_kept_unless_asked():
    adata = cells()
    integration_scores(adata, "batch", "bulk_labels", "X_pca", neighbors=FOUND)
    assert dict(adata.uns) == {}


# ---- wrong calls ---------------------------------------------------------------------------------


def with_obs(**columns):
    adata = cells()
    for name, values in columns.items():
        adata.obs[name] = values
    return adata


def with_nan():
    adata = cells()
    adata.obsm["X_pca"][3, 4] = np.nan
    return adata


def call(adata=ADATA, batch="batch", label="bulk_labels", embeddings="X_pca", **options):
    return integration_scores(adata, batch, label, embeddings, **options)


WRONG = {
    "batch": (
        lambda: call(batch="batches"),
        (ValueError, r"^batch must be a column of adata\.obs, got 'batches' \(did you mean 'batch'\?\)"),
    ),
    "label": (
        lambda: call(label=3),
        (TypeError, r"^label must be the name of a column of adata\.obs, got int$"),
    ),
    "key": (
        lambda: call(embeddings=["X_pca", "X_scvi"], neighbors=nearest),
        (ValueError, r"^embeddings must be a key of adata\.obsm, got 'X_scvi'.*it has 'X_pca', 'X_centred'$"),
    ),
    "no key": (
        lambda: call(embeddings=[]),
        (ValueError, r"^embeddings must have at least one key of adata\.obsm, got none$"),
    ),
    "key of another type": (
        lambda: call(embeddings=[3]),
        (TypeError, r"^embeddings must be keys of adata\.obsm, got int$"),
    ),
    "an array as key": (
        lambda: call(embeddings=X_PCA),
        (TypeError, r"^embeddings must be keys of adata\.obsm, got numpy\.ndarray$"),
    ),
    "arrays as keys": (
        lambda: call(embeddings=[X_PCA]),
        (TypeError, r"^embeddings must be keys of adata\.obsm, got numpy\.ndarray$"),
    ),
    "an array as unintegrated": (
        lambda: call(unintegrated=X_PCA),
        (TypeError, r"^unintegrated must be a key of adata\.obsm, got numpy\.ndarray$"),
    ),
    "unintegrated": (
        lambda: call(unintegrated="X_before"),
        (ValueError, r"^unintegrated must be a key of adata\.obsm, got 'X_before'"),
    ),
    "missing": (
        lambda: call(with_obs(batch=[None, *IN_BATCH[1:]])),
        (
            ValueError,
            (
                r"^adata\.obs\['batch'\] must not have missing labels \(NaN, None\), got 1 of 700; "
                r"adata\[adata\.obs\['batch'\]\.notna\(\)\] has the others$"
            ),
        ),
    ),
    "missing label": (
        lambda: call(with_obs(bulk_labels=pd.Categorical([None, None, *LABEL[2:]]))),
        (
            ValueError,
            (
                r"^adata\.obs\['bulk_labels'\] must not have missing labels \(NaN, None\), got 2 of 700; "
                r"adata\[adata\.obs\['bulk_labels'\]\.notna\(\)\] has the others$"
            ),
        ),
    ),
    "missing clusters": (
        lambda: call(clusterings="partly"),
        (
            ValueError,
            (
                r"^adata\.obs\['partly'\] must not have missing labels \(NaN, None\), got 30 of 700; "
                r"adata\[adata\.obs\['partly'\]\.notna\(\)\] has the others$"
            ),
        ),
    ),
    "continuous": (
        lambda: call(with_obs(bulk_labels=np.linspace(0, 1, N))),
        (ValueError, r"^adata\.obs\['bulk_labels'\] must hold whole numbers, got "),
    ),
    "not finite": (
        lambda: call(with_nan()),
        (ValueError, r"^adata\.obsm\['X_pca'\] must be finite, got nan in row 3, column 4$"),
    ),
    "not finite before": (
        lambda: call(with_nan(), embeddings="X_centred", neighbors=FOUND, unintegrated="X_pca"),
        (ValueError, r"^adata\.obsm\['X_pca'\] must be finite, got nan in row 3, column 4$"),
    ),
    "neighbours of one": (
        lambda: call(embeddings=["X_pca", "X_centred"], neighbors={"X_pca": FOUND["X_pca"]}),
        (ValueError, r"^neighbors must have an entry for each of the embeddings, got none for 'X_centred'$"),
    ),
    "neighbours without names": (
        lambda: call(neighbors=FOUND["X_pca"]),
        (
            TypeError,
            (
                r"^neighbors must be 'exact', 'pynndescent', a function that searches, or a mapping from embeddings to "
                r"neighbours, got tuple$"
            ),
        ),
    ),
    "few neighbours": (
        lambda: call(neighbors={"X_pca": nearest(X_PCA, 20)}),
        (ValueError, r"^neighbors\['X_pca'\] must have 89 nearest neighbours of each cell, without itself, got 19; "),
    ),
    "few cells": (
        lambda: call(ADATA[:60]),
        (
            ValueError,
            (
                r"^adata\.obsm\['X_pca'\] must have more than 89 cells to search for the 89 nearest neighbours of "
                r"each, got 60; a smaller n_neighbors is possible, and changes the scores$"
            ),
        ),
    ),
    "one cell too few": (
        lambda: call(ADATA[:89], neighbors=nearest),
        (ValueError, r"^adata\.obsm\['X_pca'\] must have more than 89 cells .*, got 89; a smaller n_neighbors "),
    ),
    "a search": (
        lambda: call(neighbors="annoy"),
        (ValueError, r"^neighbors must be one of 'exact', 'pynndescent', got 'annoy'$"),
    ),
    "most_batches": (
        lambda: call(neighbors=FOUND, most_batches=1),
        (ValueError, r"^most_batches must be at least the number of batches of one label \(2\), got 1; "),
    ),
    "clusterings": (
        lambda: call(neighbors=FOUND, clusterings="leiden_score"),
        (ValueError, r"^adata\.obs\['leiden_score'\] must hold whole numbers, got "),
    ),
    "clusterings of one": (
        lambda: call(neighbors=FOUND, clusterings={"X_centred": "leiden_*"}),
        (ValueError, r"^clusterings must have an entry for each of the embeddings, got none for 'X_pca'$"),
    ),
    "a view": (
        lambda: call(ADATA[:300], key_added="x"),
        (ValueError, r"^key_added must not be given for a view"),
    ),
    "a frame": (
        lambda: call(ADATA.obs),
        (TypeError, r"^adata must be an AnnData or a MuData, got DataFrame$"),
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_call_raises_one_clear_error(case):
    call, (kind, message) = WRONG[case]
    with pytest.raises(kind, match=message):
        call()


def test_names_are_checked_before_anything_is_searched():
    def search(X, k):
        raise AssertionError("it was called")

    wrong = {"key_added": "a/b"}, {"embeddings": ["X_pca", "X_scvi"]}, {"unintegrated": "X_before"}
    for options in (*wrong, {"adata": with_obs(batch=[None, *IN_BATCH[1:]])}):
        with pytest.raises(ValueError, match=r"key_added|embeddings|unintegrated|missing"):
            call(neighbors=search, **options)


FAULTS_OF_THE_SECOND = {
    "misspelt": (
        {"clusterings": {"X_pca": "leiden_0.2", "X_centred": "lieden_0.2"}},
        r"^clusterings\['X_centred'\] must be a column of adata\.obs, got 'lieden_0\.2' \(did you mean",
    ),
    "missing clusters": (
        {"clusterings": {"X_pca": "leiden_0.2", "X_centred": "partly"}},
        r"^adata\.obs\['partly'\] must not have missing labels",
    ),
    "continuous": (
        {"clusterings": {"X_pca": "leiden_0.2", "X_centred": "leiden_score"}},
        r"^adata\.obs\['leiden_score'\] must hold whole numbers",
    ),
    "name": (
        {"neighbors": {"X_centred": "exakt"}},
        r"^neighbors\['X_centred'\] must be one of 'exact', 'pynndescent', got 'exakt'$",
    ),
    "given neighbours": (
        {"neighbors": {"X_centred": (FOUND["X_pca"][0] - 1, FOUND["X_pca"][1])}},
        r"^neighbors\['X_centred'\]\.indices must be from 0 to below the number of samples \(700\), got -1 ",
    ),
    "few neighbours": (
        {"neighbors": {"X_centred": nearest(X_PCA, 20)}},
        r"^neighbors\['X_centred'\] must have 89 nearest neighbours of each cell, without itself, got 19; ",
    ),
    "no neighbours": ({"neighbors": {"X_centred": 3}}, r"^neighbors\['X_centred'\] must be a Neighbors, .*, got int$"),
    "cells": ({"cells": np.full((N, 3), np.nan)}, r"^adata\.obsm\['X_centred'\] must be finite, got nan in row 0, "),
    "shape": ({"cells": np.ones((N, 3, 2))}, r"^adata\.obsm\['X_centred'\] must be two-dimensional"),
    "connection": ({"connection": "strnog"}, r"^connection must be one of 'weak', 'strong', got 'strnog'$"),
    "before": ({"unintegrated": "X_nan"}, r"^adata\.obsm\['X_nan'\] must be finite, got nan in row 0, column 0$"),
}


@pytest.mark.parametrize("case", FAULTS_OF_THE_SECOND)
def test_faults_of_the_second_embedding_are_told_before_the_first_is_scored(case):
    def search(X, k):
        raise AssertionError("it was called")

    options, message = FAULTS_OF_THE_SECOND[case]
    cells = options.get("cells", CENTRED)
    neighbors = {"X_pca": search, "X_centred": search} | options.get("neighbors", {})
    others = {name: x for name, x in options.items() if name not in ("cells", "neighbors")}

    class Annotated:
        obs, obsm, uns = ADATA.obs, {"X_pca": X_PCA, "X_centred": cells, "X_nan": np.full((N, 2), np.nan)}, {}

    with pytest.raises((TypeError, ValueError), match=message):
        call(Annotated(), embeddings=["X_pca", "X_centred"], neighbors=neighbors, **others)


def test_embeddings_in_files_are_read_one_at_a_time():
    class Annotated:
        obs, obsm, uns = ADATA.obs, CountedKeys({"X_pca": X_PCA, "X_centred": CENTRED}), {}

    read = []

    def search(X, k):
        read.append(list(Annotated.obsm.computed))
        return nearest(X, k)

    call(Annotated(), embeddings=["X_pca", "X_centred"], neighbors=search)
    assert read == [["X_pca"], ["X_pca", "X_centred"]]


def test_the_shape_of_embeddings_in_files_is_checked_before_any_is_read():
    class Annotated:
        obs, obsm, uns = ADATA.obs, CountedKeys({"X_pca": X_PCA, "X_centred": np.ones((N, 3, 2))}), {}

    with pytest.raises(ValueError, match=r"^adata\.obsm\['X_centred'\] must be two-dimensional"):
        call(Annotated(), embeddings=["X_pca", "X_centred"])
    assert Annotated.obsm.computed == []


def test_what_a_search_finds_is_called_by_the_key_of_the_search():
    given = {"X_pca": FOUND["X_pca"], "X_centred": lambda X, k: (FOUND["X_pca"][0][:9], FOUND["X_pca"][1][:9])}
    with pytest.raises(ValueError, match=r"^neighbors\['X_centred'\]\.indices must be from 0 to below"):
        call(embeddings=["X_pca", "X_centred"], neighbors=given)


def test_a_search_is_not_called_with_cells_that_are_not_finite():
    def search(X, k):
        raise AssertionError("it was called")

    with pytest.raises(ValueError, match=r"^adata\.obsm\['X_pca'\] must be finite, got nan in row 3, column 4$"):
        call(with_nan(), neighbors=search)


def test_cells_at_few_places():
    adata = cells()
    adata.obsm["X_onehot"] = np.eye(2)[np.arange(N) % 2]
    found = call(adata, embeddings="X_onehot")["X_onehot"]
    assert found["cLISI"] < 1


def test_what_a_search_says_of_missing_labels_stays():
    def search(X, k):
        raise ValueError("my cells must not have missing labels")

    with pytest.raises(ValueError, match=r"^my cells must not have missing labels$") as raised:
        call(neighbors=search)
    assert raised.traceback[-1].name == "search"
