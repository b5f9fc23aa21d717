"""Find an embedding by its name: an array of ``adata.obsm``, or ``adata.X``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from gpuval.engines.backends import is_dask
from gpuval.evaluation._common.columns import beside
from gpuval.inputs.containers import is_of, type_of

_OF_MODALITIES = "one of a modality is such as 'rna:X_pca', if that has all cells in the same order"


def read_embedding(adata: Any, key: Any) -> tuple[Any, str]:
    """The samples of a key, on their device, and what messages call them."""
    held, title = find_embedding(adata, key)
    return embedding_in_memory(held), title


def find_embedding(adata: Any, key: Any) -> tuple[Any, str]:
    """The object that holds the samples of a key, not read yet, and the name that messages give it.

    "pca" stands for "X_pca" if there is no key "pca", as in scanpy, and "X" for ``adata.X`` if there is no key "X".
    """
    if not isinstance(key, str):
        raise TypeError(f"embedding must be a key of adata.obsm, got {type_of(key)}")
    places = _places(adata)
    modality, colon, name = key.rpartition(":")
    for full in (key, f"X_{key}", f"{modality}{colon}X_{name}"):
        if full in places:
            holder, title, inside = places[full]
            return holder.obsm[inside], f"{title}.obsm[{inside!r}]"
    X = getattr(adata, "X", None) if key == "X" else None
    if X is None:
        notes = [_OF_MODALITIES] if hasattr(adata, "mod") else []
        raise ValueError(f"embedding must be a key of adata.obsm, got {key!r}{beside(key, list(places), notes)}")
    return X, "adata.X"


def _places(adata: Any) -> dict[str, tuple[Any, str, str]]:
    """The possible keys: for each the object in whose obsm it is, the name that messages give that, and the key there.

    A MuData's own obsm also says, under the names of the modalities, which cells these have: such an entry is no
    embedding. An embedding of a modality that has all cells in the same order has a key such as "rna:X_pca".
    """
    modalities = getattr(adata, "mod", {})
    places = {key: (adata, "adata", key) for key in adata.obsm if key not in modalities}
    for name, modality in modalities.items():
        if modality.obs_names.equals(adata.obs_names):
            places |= {f"{name}:{key}": (modality, f"adata.mod[{name!r}]", key) for key in modality.obsm}
    return places


def is_in_memory(x: Any) -> bool:
    """Whether there is nothing to read or to compute."""
    return _reader_of(_without_names(x)) is None


def embedding_in_memory(x: Any) -> Any:
    """What is in a file, or held by Dask, in memory; anything else as it is."""
    x = _without_names(x)
    read = _reader_of(x)
    return x if read is None else read()


def _without_names(x: Any) -> Any:
    """The array that xarray holds beside the names of its dimensions; anything else as it is."""
    return x.data if is_of("xarray", x, "DataArray") else x


def _reader_of(x: Any) -> Callable[[], Any] | None:
    """What reads or computes x; None for what is in memory."""
    if is_dask(x):
        return cast(Callable[[], Any], x.compute)
    if hasattr(x, "to_memory"):  # sparse matrices in files, and frames that are read lazily
        return cast(Callable[[], Any], x.to_memory)
    return (lambda: x[...]) if hasattr(x, "chunks") else None  # arrays in files: of h5py and Zarr
