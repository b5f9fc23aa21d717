"""The embedding that is named: an array of ``adata.obsm``, or ``adata.X``."""

from __future__ import annotations

from typing import Any

from gpuval.engines.backends import is_dask
from gpuval.inputs.containers import is_of, type_of
from gpuval.report._common.columns import beside


def read_embedding(adata: Any, key: Any) -> tuple[Any, str]:
    """The samples of a key, on their device, and what messages call them."""
    held, title = find_embedding(adata, key)
    return embedding_in_memory(held), title


def find_embedding(adata: Any, key: Any) -> tuple[Any, str]:
    """What holds the samples of a key, none of which are read, and what messages call it.

    Without a key "pca" its name is that of "X_pca", as in scanpy; without a key "X" it is ``adata.X``.
    """
    if not isinstance(key, str):
        raise TypeError(f"embedding must be a key of adata.obsm, got {type_of(key)}")
    for full in (key, f"X_{key}"):
        if full in adata.obsm:
            return adata.obsm[full], f"adata.obsm[{full!r}]"
    X = getattr(adata, "X", None) if key == "X" else None
    if X is None:
        raise ValueError(f"embedding must be a key of adata.obsm, got {key!r}{beside(key, list(adata.obsm))}")
    return X, "adata.X"


def is_in_memory(x: Any) -> bool:
    """Whether there is nothing to read or to compute."""
    x = x.data if is_of("xarray", x, "DataArray") else x
    return not (is_dask(x) or hasattr(x, "to_memory") or hasattr(x, "chunks"))


def embedding_in_memory(x: Any) -> Any:
    """What is in a file, or held by Dask, in memory; anything else as it is."""
    x = x.data if is_of("xarray", x, "DataArray") else x
    if is_dask(x):
        return x.compute()
    if hasattr(x, "to_memory"):  # sparse matrices in files, and frames that are read lazily
        return x.to_memory()
    return x[...] if hasattr(x, "chunks") else x  # arrays in files: of h5py and Zarr
