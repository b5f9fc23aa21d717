"""Where columns and embeddings lie: in backed and lazy files, with Dask, sparse, in frames, on devices, in MuData."""

from __future__ import annotations

from types import SimpleNamespace

import anndata
import array_api_strict as strict
import dask.array as da
import h5py
import mudata
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import sklearn.metrics as sk
import torch
import xarray as xr
from anndata_cells import X_PCA, N, blood

from gpuval.anndata import evaluate
from gpuval.engines import backends

pytestmark = [
    pytest.mark.filterwarnings("ignore:zarr v3 autosharding:UserWarning"),
    pytest.mark.filterwarnings("ignore:Writing zarr v2 data:UserWarning"),
    pytest.mark.filterwarnings(
        "ignore:(This setting will be removed|zarr v3 will become the only option) in 0.14:DeprecationWarning"
    ),
    pytest.mark.filterwarnings("ignore:Consolidated metadata"),
]

LEIDEN = ["leiden_1.0", "leiden_0.5", "leiden_0.2"]
ASKED = {"embedding": "X_pca", "metrics": ["ari", "asw", "ch"], "by": "batch", "ignore_labels": ["Dendritic"]}
EXPECTED = evaluate(blood(), "bulk_labels", LEIDEN, **ASKED).to_pandas()


def check(adata, **options):
    found = evaluate(adata, "bulk_labels", LEIDEN, **ASKED | options).to_pandas()
    pd.testing.assert_frame_equal(found, EXPECTED, rtol=1e-5)


# Files


def h5ad(tmp_path, **parts):
    adata = blood()
    for name, value in parts.items():
        setattr(adata, name, value)
    adata.write_h5ad(tmp_path / "cells.h5ad")
    return tmp_path / "cells.h5ad"


def lazy_zarr(tmp_path):
    path = tmp_path / "cells.zarr"
    adata = blood()
    adata.obsm["X_other"] = X_PCA[:, :2] + 1
    with anndata.settings.override(zarr_write_format=3):
        adata.write_zarr(path)
    return path


def test_a_backed_file(tmp_path):
    adata = anndata.read_h5ad(h5ad(tmp_path), backed="r")
    check(adata)
    check(adata, key_added="gpuval")  # into memory alone: the file is read only
    assert len(adata.uns["gpuval"]) == 6
    half = evaluate(adata[: N // 2], "bulk_labels", LEIDEN, metrics=["ari"])
    assert half == evaluate(blood()[: N // 2], "bulk_labels", LEIDEN, metrics=["ari"])
    adata.file.close()


@pytest.mark.parametrize("kind", ["dense", "sparse"])
def test_the_matrix_of_a_backed_file(kind, tmp_path):
    X = X_PCA if kind == "dense" else sp.csr_matrix(np.where(X_PCA > 1, X_PCA, 0))
    adata = blood()
    adata = anndata.AnnData(X, obs=adata.obs)
    adata.write_h5ad(tmp_path / "cells.h5ad")
    expected = sk.calinski_harabasz_score(X if kind == "dense" else X.toarray(), adata.obs["leiden_1.0"])
    backed = anndata.read_h5ad(tmp_path / "cells.h5ad", backed="r")
    lazy = anndata.experimental.read_lazy(tmp_path / "cells.h5ad")
    for one in (adata, backed, backed[np.arange(N)], lazy):
        found = evaluate(one, None, "leiden_1.0", embedding="X", metrics="ch")
        assert found["leiden_1.0"]["calinski_harabasz_score"] == pytest.approx(expected, rel=1e-4)
    backed.file.close()


@pytest.mark.parametrize(("part", "value"), [("indices", -3), ("indices", 1 << 30), ("indptr", 1 << 30)])
def test_a_sparse_matrix_of_a_file_that_leads_elsewhere(part, value, tmp_path):
    anndata.AnnData(sp.csr_matrix(X_PCA), obs=blood().obs).write_h5ad(tmp_path / "cells.h5ad")
    with h5py.File(tmp_path / "cells.h5ad", "a") as file:
        file["X"][part][7] = value
    backed = anndata.read_h5ad(tmp_path / "cells.h5ad", backed="r")
    for one in (anndata.read_h5ad(tmp_path / "cells.h5ad"), backed):
        with pytest.raises(ValueError, match=r"(indptr|indices) of adata\.X must "):
            evaluate(one, None, "leiden_1.0", embedding="X", metrics="ch")
    backed.file.close()
    with pytest.raises(ValueError, match=r"adata\.X|broadcast"):  # Dask reads it by indptr
        evaluate(
            anndata.experimental.read_lazy(tmp_path / "cells.h5ad"), None, "leiden_1.0", embedding="X", metrics="ch"
        )


def test_a_lazy_file(tmp_path):
    for path in (h5ad(tmp_path), lazy_zarr(tmp_path)):
        adata = anndata.experimental.read_lazy(path)
        check(adata)
        check(adata, key_added="gpuval")
        assert len(adata.uns["gpuval"]) == 6
        half = evaluate(adata[: N // 2], "bulk_labels", LEIDEN, embedding="X_pca", metrics=["ari"])
        assert half == evaluate(blood()[: N // 2], "bulk_labels", LEIDEN, metrics=["ari"])


def test_columns_of_a_pattern_are_in_the_order_of_a_lazy_file(tmp_path):
    names = [f"leiden_{x}" for x in "qwertzuiopasdfghjkl"]
    adata = blood()[:10].copy()
    adata.obs = pd.DataFrame(dict.fromkeys(["bulk_labels", *names], adata.obs["bulk_labels"]))
    adata.write_h5ad(tmp_path / "cells.h5ad")
    lazy = anndata.experimental.read_lazy(tmp_path / "cells.h5ad")
    for one in (adata, lazy, lazy[:5]):
        assert [*evaluate(one, "bulk_labels", "leiden_*", metrics=["ari"])] == names


def test_labels_of_all_kinds_in_a_lazy_file(tmp_path):
    adata = blood()
    numbers = np.arange(N) % 3
    adata.obs["integers"] = pd.array([None, *numbers[1:].tolist()], dtype="Int64")
    adata.obs["booleans"] = pd.array([None, *(numbers[1:] == 0).tolist()], dtype="boolean")
    adata.obs["texts"] = numbers.astype(str)
    adata.obs["numbers"] = numbers
    adata.obs["unused"] = pd.Categorical.from_codes([-1, *numbers[1:].tolist()], list("abcd"))
    adata.write_h5ad(tmp_path / "cells.h5ad")
    names = ["integers", "booleans", "texts", "numbers", "unused"]
    found = evaluate(
        anndata.experimental.read_lazy(tmp_path / "cells.h5ad"), "partly", names, ignore_labels=[None], metrics=["ari"]
    )
    assert found == evaluate(adata, "partly", names, ignore_labels=[None], metrics=["ari"])
    with pytest.raises(ValueError, match=r"^adata.obs\['unused'\] must not have missing labels .* got 1 of 700"):
        evaluate(anndata.experimental.read_lazy(tmp_path / "cells.h5ad"), "bulk_labels", "unused")


def test_no_more_of_a_lazy_file_is_read_than_what_is_named(tmp_path):
    path = lazy_zarr(tmp_path)
    adata = anndata.experimental.read_lazy(path)
    others = ["obs/leiden_score", "obs/donor/codes", "obs/partly/codes", "obs/copies", "obsm/X_other"]
    for other in others:
        for chunk in (path / other / "c").rglob("*"):
            if chunk.is_file():
                chunk.write_bytes(b"no chunk")
    check(adata)
    with pytest.raises(Exception, match=r"(?i)zstd|decompress|frame|shard"):
        evaluate(adata, "bulk_labels", ["copies"])
    with pytest.raises(Exception, match=r"(?i)zstd|decompress|frame|shard"):
        evaluate(adata, "bulk_labels", LEIDEN, embedding="X_other")


# Kinds of embeddings


@pytest.mark.parametrize("is_view", [False, True])
@pytest.mark.parametrize("kind", ["Dask", "Dask of sparse", "CSR", "CSC", "CSR array", "frame", "Fortran", "xarray"])
def test_embeddings_of_all_kinds(kind, is_view):
    adata = blood()
    held = {
        "Dask": lambda x: da.from_array(x, chunks=(100, 20)),
        "Dask of sparse": lambda x: da.from_array(x, chunks=(100, 50)).map_blocks(sp.csr_matrix),
        "CSR": sp.csr_matrix,
        "CSC": sp.csc_matrix,
        "CSR array": sp.csr_array,
        "frame": lambda x: pd.DataFrame(x, index=adata.obs_names, columns=[f"PC{i}" for i in range(x.shape[1])]),
        "Fortran": np.asfortranarray,
        "xarray": lambda x: xr.DataArray(x, dims=["cells", "components"]),
    }[kind]
    adata.obsm["X_pca"] = held(X_PCA)
    check(adata[np.arange(N)] if is_view else adata)


# On a device: anndata itself takes no arrays but CuPy's there, so what has the attributes of one stands for it.


def on_device(x):
    return SimpleNamespace(obs=blood().obs, obsm={"X_pca": x}, uns={})


def test_an_embedding_on_a_device_stays_there(monkeypatch):
    device = strict.Device("device1")
    adata = on_device(strict.asarray(X_PCA, device=device))
    with pytest.raises(RuntimeError, match="device1"):
        np.asarray(adata.obsm["X_pca"])
    copied = []
    backend = type(backends.backend_of(adata.obsm["X_pca"]))
    to_host = backend.to_host

    def counted(self, x):
        copied.append(x.size)
        return to_host(self, x)

    monkeypatch.setattr(backend, "to_host", counted)
    found = evaluate(adata, "bulk_labels", "leiden_1.0", embedding="pca", metrics=["asw", "ch", "ari"])["leiden_1.0"]
    assert found["silhouette_score"].device == device
    expected = sk.silhouette_score(X_PCA, adata.obs["leiden_1.0"])
    assert float(found["silhouette_score"]) == pytest.approx(expected, abs=1e-5)
    assert copied
    assert max(copied) <= N


def test_a_tensor_as_embedding():
    adata = on_device(torch.asarray(X_PCA))
    found = evaluate(adata, "bulk_labels", LEIDEN, embedding="pca", metrics=["asw"], key_added="gpuval")
    assert isinstance(found["leiden_1.0"]["asw"], torch.Tensor)
    expected = [sk.silhouette_score(X_PCA, adata.obs[name]) for name in LEIDEN]
    assert adata.uns["gpuval"]["silhouette_score"].tolist() == pytest.approx(expected, abs=1e-5)


# MuData


def without_pulling():
    """A context in which MuData does not copy columns of its modalities by itself."""
    if hasattr(mudata, "settings"):  # since 0.4
        return mudata.settings.override(pull_on_update=False)
    return mudata.set_options(pull_on_update=False)


@pytest.fixture
def mdata():
    rna, prot = blood(), blood()
    rna.var_names, prot.var_names = ["a", "b"], ["c", "d"]
    rna.obs, prot.obs = rna.obs[LEIDEN], prot.obs[["bulk_labels", "batch"]]
    with without_pulling():
        both = mudata.MuData({"rna": rna, "prot": prot})
        both.pull_obs()
        both.obsm["X_mofa"] = X_PCA
        yield both


def test_mudata(mdata, tmp_path):
    names = [f"rna:{name}" for name in LEIDEN]
    options = {"embedding": "mofa", "by": "prot:batch", "key_added": "gpuval"}
    found = evaluate(mdata, "prot:bulk_labels", "rna:leiden_*", **ASKED | options)
    assert list(dict.fromkeys(name for name, _ in found)) == names
    np.testing.assert_allclose(found.to_pandas().to_numpy(), EXPECTED.to_numpy(), rtol=1e-5)
    mdata.write_h5mu(tmp_path / "cells.h5mu")
    again = mudata.read_h5mu(tmp_path / "cells.h5mu").uns["gpuval"]
    pd.testing.assert_frame_equal(again, mdata.uns["gpuval"], check_exact=True)


def test_embeddings_of_modalities(mdata):
    mdata["prot"].obsm["X_pca"] = X_PCA[:, :5].copy()
    expected = {"rna": X_PCA, "prot": X_PCA[:, :5]}
    for modality, X in expected.items():
        score = sk.calinski_harabasz_score(X, mdata.obs["rna:leiden_1.0"])
        for key in (f"{modality}:X_pca", f"{modality}:pca"):
            found = evaluate(mdata, None, "rna:leiden_1.0", embedding=key, metrics=["ch"])
            assert found["rna:leiden_1.0"]["ch"] == pytest.approx(score, rel=1e-5)
    mdata["prot"].obsm["X_pca"][0, 0] = np.nan
    with pytest.raises(ValueError, match=r"^adata.mod\['prot'\].obsm\['X_pca'\] must be finite"):
        evaluate(mdata, None, "rna:leiden_1.0", embedding="prot:X_pca")


def test_which_cells_a_modality_has_is_no_embedding(mdata):
    for key in ("rna", "prot"):
        with pytest.raises(
            ValueError, match=rf"^embedding must be a key of adata.obsm, got '{key}'.*; it has 'X_mofa', 'rna:X_pca'"
        ):
            evaluate(mdata, None, "rna:leiden_1.0", embedding=key)


@pytest.mark.parametrize("cells", [np.arange(N)[:-1], np.arange(N)[::-1]])
def test_modalities_of_other_cells_have_no_embedding_of_all(cells):
    rna, prot = blood(), blood()[cells].copy()
    rna.var_names, prot.var_names = ["a", "b"], ["c", "d"]
    with without_pulling():
        both = mudata.MuData({"rna": rna, "prot": prot})
        both.pull_obs()
    with pytest.raises(
        ValueError, match=r"^embedding must be a key of adata.obsm, got 'prot:X_pca'.*; it has 'rna:X_pca'$"
    ):
        evaluate(both, None, "rna:leiden_1.0", embedding="prot:X_pca")


def test_mudata_has_no_matrix_and_views_too(mdata):
    with pytest.raises(
        ValueError,
        match=r"^embedding must be .* got 'X'; one of a modality .*; it has 'X_mofa', 'rna:X_pca', 'prot:X_pca'$",
    ):
        evaluate(mdata, None, "rna:leiden_1.0", embedding="X")
    with pytest.raises(ValueError, match=r"^key_added must not be given for a view"):
        evaluate(mdata[: N // 2], "prot:bulk_labels", "rna:leiden_1.0", key_added="gpuval")
