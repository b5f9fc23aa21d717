"""Columns of ``adata.obs`` and embeddings with which clusterings are evaluated: found by name or pattern, and read."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

from gpuval.engines.backends import is_dask
from gpuval.evaluation.internal_scores import MeasureSelection, read_external_and_internal
from gpuval.inference.with_intervals import read_intervals
from gpuval.inputs.codes import as_integers, fill_ignored
from gpuval.inputs.columns import check_column, find_columns, name_hints, why_measured
from gpuval.inputs.containers import is_of, type_of
from gpuval.inputs.labels import read_labels
from gpuval.inputs.options import level_of_user
from gpuval.inputs.selection import LabelsToIgnore, ignore_mask
from gpuval.inputs.strings import is_missing
from gpuval.measures.result import hide_ignore_advice, rename_arguments
from gpuval.registry.families import check_same_names, compares_names
from gpuval.table.contingency import Contingency
from gpuval.table.labelings import read_labelings


class AnnDataRequest(NamedTuple):
    """What is to be evaluated by what, by the names of columns and keys."""

    label: str | Sequence[str] | None
    clusterings: Any
    embedding: str | None
    metrics: Any
    by: str | None
    groups: str | None
    sample_weight: str | None
    ignore_labels: LabelsToIgnore
    confidence_level: float | None
    n_resamples: int
    random_state: Any

    def with_lists(self) -> AnnDataRequest:
        """The same with measures and labels that can be read twice."""
        metrics, label = (list(x) if isinstance(x, Iterator) else x for x in (self.metrics, self.label))
        return self._replace(metrics=metrics, label=label)

    @property
    def labels(self) -> list[str]:
        """The columns of the true labels; none for internal measures alone."""
        if self.label is None:
            return []
        return list_names(self.label, "label must be the name of a column of adata.obs", "column of adata.obs")

    def check(self, names: Any) -> MeasureSelection:
        """Check what is told before anything is read, and tell external measures from internal ones."""
        beside = {"by": self.by, "groups": self.groups, "sample_weight": self.sample_weight}
        for argument, name in [*(("label", x) for x in self.labels), *beside.items()]:
            if name is not None:
                check_obs_column(name, argument, names)
        if self.label is None and self.embedding is None:
            raise TypeError("label must be a column of adata.obs, got None; without label, embedding= must be given")
        with rename_arguments(**{"labels_true must": "label must", "X must": "embedding must"}):
            asked = read_external_and_internal(
                self.metrics,
                has_truth=self.label is not None,
                has_weights=self.sample_weight is not None,
                has_samples=self.embedding is not None,
            )
            read_intervals(self.confidence_level, self.groups, self.n_resamples, self.random_state)
        return asked


class _ReadOfAnnData(NamedTuple):
    """What was read."""

    truth: Any
    """The true labels, or several references by their names; None without any."""
    clusters: Mapping[str, Any]
    columns: Mapping[str | None, Any]
    """Those beside the clusterings, by their names; None for what is not asked for."""
    X: Any
    titles: Mapping[str, str]
    """What messages call each argument of the library."""


def read_column_names(adata: Any) -> Any:
    """The names of the columns of what is annotated."""
    check_annotated(adata)
    return column_names(adata)


def read_anndata(adata: Any, asked: AnnDataRequest, names: Any, measures: MeasureSelection) -> _ReadOfAnnData:
    """Read the columns and the embedding that are named, and no others."""
    beside = *asked.labels, asked.by, asked.groups, asked.sample_weight
    columns = {None: None} | read_columns(adata, beside)
    is_one = asked.label is None or isinstance(asked.label, str)
    truths = {name: columns[name] for name in asked.labels}
    truth = next(iter(truths.values()), None) if is_one else truths
    why_unfit = _lack_of_names(columns, asked) if compares_names(measures.external.values()) else None
    clusters = read_clusterings(adata, asked.clusterings, names, beside, asked.ignore_labels.pred, why_unfit)
    _check_values(columns, asked.by, asked.groups)
    titles = {f"labelings[{name!r}]": title_of(name) for name in clusters}
    titles |= _titles_beside(asked)
    X = None
    if asked.embedding is not None:
        X, titles["X"] = _read_embedding(adata, asked.embedding)
    return _ReadOfAnnData(truth, clusters, columns, X, titles)


def _titles_beside(asked: AnnDataRequest, label: str | None = None) -> dict[str, str]:
    """What messages call the columns that are no clusterings; ``label`` is that of the true labels in question."""
    titles = {f"labels_true[{name!r}]": title_of(name) for name in asked.labels}
    label = asked.label if isinstance(asked.label, str) else label
    titles |= {"labels_true": "label" if label is None else title_of(label)}
    return titles | ({} if asked.sample_weight is None else {"sample_weight": title_of(asked.sample_weight)})


def _lack_of_names(columns: Mapping[str | None, Any], asked: AnnDataRequest) -> Callable[[str, Any], str | None]:
    """What is wrong with a column whose labels are to be compared by their names; None if nothing is."""

    def lack(name: str, column: Any) -> str | None:
        options = {"sample_weight": columns[asked.sample_weight], "ignore_labels": asked.ignore_labels}
        for label in asked.labels:
            with rename_arguments(labels_pred=title_of(name), **_titles_beside(asked, label)):
                table = Contingency.from_labels(columns[label], column, **options)
            try:
                check_same_names(table)
            except ValueError:
                return (
                    f"{title_of(name)} must have a label of {title_of(label)}, got none; cohen_kappa_score compares "
                    "their names: give the clusters the names of classes, or leave it out"
                )
        return None

    return lack


def _check_values(columns: Any, *names: str | None) -> None:
    """Check that columns say of every cell what it belongs to."""
    with hide_ignore_advice():
        read_labelings({title_of(name): columns[name] for name in names if name is not None}, None, None, None, None)


# Choose which columns of ``adata.obs`` are the clusterings, by names and by patterns.


def read_clusterings(
    adata: Any,
    clusterings: Any,
    names: Sequence[str],
    others: Iterable[str | None],
    ignore: tuple[Any, ...],
    why_unfit: Callable[[str, Any], str | None] | None = None,
) -> dict[str, Any]:
    """The clusterings by their names, in the given order, each once.

    ``names`` are the names of all columns, and ``others`` the columns of other arguments. Patterns leave out the
    columns of other arguments. They also leave out columns that hold no labels, or miss some that are not to
    ``ignore``; a warning says why. ``why_unfit`` tells what else is wrong with the labels of a column, or None; it is
    an error of a column that is named.
    """
    must = "clusterings must be names of columns of adata.obs, or patterns such as 'leiden_*'"
    asked = list_names(clusterings, must, "name of a column of adata.obs")
    taken = set(others)
    matches = {text: _matches(text, names, taken) for text in asked}
    columns = read_columns(adata, (name for found in matches.values() for name in found))
    named = {text for text in asked if text in names}
    left_out = {}
    for name, x in columns.items():
        if name not in named and (reason := _why_no_labels(name, x, ignore)) is not None:
            left_out[name] = reason
        elif why_unfit is not None and (reason := why_unfit(name, x)) is not None:
            if name in named:
                raise ValueError(reason)
            left_out[name] = reason
    kept = {name: x for name, x in columns.items() if name not in left_out}
    said = "".join(f"\n- {reason}" for reason in left_out.values())
    for text, found in matches.items():
        if left_out.keys() >= set(found):
            raise ValueError(f"clusterings must be columns of labels, got {text!r}, which matches none:{said}")
    if left_out:
        warnings.warn(f"clusterings leave out columns that a pattern matches:{said}", stacklevel=level_of_user())
    return kept


def _matches(text: str, names: Sequence[str], others: Container[str | None]) -> list[str]:
    """The columns that a name or a pattern stands for."""
    found = find_columns(text, "clusterings", names, others, "adata.obs")
    for name in found:
        check_obs_column(name, "clusterings", names)
    return found


def _why_no_labels(name: str, column: Any, ignore: tuple[Any, ...]) -> str | None:
    """What is wrong with a column as labels; None if nothing is. ``ignore`` are the labels that do not count."""
    try:
        vector = read_labels(column, title_of(name))
        is_ignored = ignore_mask(vector, ignore)
        is_missing_label = ignore_mask(vector, tuple(filter(is_missing, ignore))[:1])
        if is_missing_label is not None and is_missing_label.any():
            if is_missing_label.all():
                return f"{vector.name} must have labels, got {vector.size} missing ones"
            vector = fill_ignored(vector, is_missing_label)
        as_integers(vector)
        if is_ignored is not None and vector.size and is_ignored.all():
            return f"{vector.name} must have labels that are not ignored, got {vector.size} that are all ignored"
    except (TypeError, ValueError) as error:
        return str(error)
    reason = why_measured(column)
    return None if reason is None else f"{vector.name} {reason}"


# Read columns of ``adata.obs`` by their names, and only those.


def check_annotated(adata: Any) -> None:
    """Check that there are cells, with annotations and embeddings, as AnnData and MuData have them."""
    if not all(hasattr(adata, name) for name in ("obs", "obsm", "uns")):
        raise TypeError(f"adata must be an AnnData or a MuData, got {type(adata).__name__}")
    if not adata.obs.shape[0]:  # nothing against nothing scores 1, and nobody means that
        raise ValueError("adata must have at least one cell, got none")


def column_names(adata: Any) -> list[str]:
    """The names of the columns of ``adata.obs`` that are text; columns with other names cannot be used.

    They are in the order of the columns. In a file that is read lazily there is no order, because they are made of a
    set.
    """
    columns = set(adata.obs.columns)
    return [name for name in adata.obs if isinstance(name, str) and name in columns]


def check_obs_column(name: Any, argument: str, names: Sequence[str]) -> None:
    """Check that an argument is the name of one column."""
    if not isinstance(name, str):
        raise TypeError(f"{argument} must be the name of a column of adata.obs, got {type_of(name)}")
    check_column(name, argument, names, "adata.obs")
    if names.count(name) > 1:
        raise ValueError(f"{argument} must be one column of adata.obs, got {name!r}, which {names.count(name)} have")


def title_of(name: str) -> str:
    """What messages call a column."""
    return f"adata.obs[{name!r}]"


def read_columns(adata: Any, names: Iterable[str | None]) -> dict[str, Any]:
    """The columns of these names as Series of pandas; None stands for none.

    Of a file that is read lazily, whose columns are xarray's, no others are read.
    """
    wanted = list(dict.fromkeys(name for name in names if name is not None))
    obs = adata.obs
    if hasattr(type(obs), "to_memory"):  # a frame of pandas may have a column of this name
        obs = obs[wanted].to_memory()
    return {name: obs[name] for name in wanted}


# Find an embedding by its name: an array of ``adata.obsm``, or ``adata.X``.

_OF_MODALITIES = "one of a modality is such as 'rna:X_pca', if that has all cells in the same order"


def _read_embedding(adata: Any, key: Any) -> tuple[Any, str]:
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
        raise ValueError(f"embedding must be a key of adata.obsm, got {key!r}{name_hints(key, list(places), notes)}")
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
    return _reader_of(_plain_array(x)) is None


def embedding_in_memory(x: Any) -> Any:
    """What is in a file, or held by Dask, in memory; anything else as it is."""
    x = _plain_array(x)
    read = _reader_of(x)
    return x if read is None else read()


def _plain_array(x: Any) -> Any:
    """The array that xarray holds beside the names of its dimensions; anything else as it is."""
    return x.data if is_of("xarray", x, "DataArray") else x


def _reader_of(x: Any) -> Callable[[], Any] | None:
    """What reads or computes x; None for what is in memory."""
    if is_dask(x):
        return cast(Callable[[], Any], x.compute)
    if hasattr(x, "to_memory"):  # sparse matrices in files, and frames that are read lazily
        return cast(Callable[[], Any], x.to_memory)
    return (lambda: x[...]) if hasattr(x, "chunks") else None  # arrays in files: of h5py and Zarr


# Read one name, or several names.


def list_names(given: Any, must: str, one: str) -> list[str]:
    """The names; one alone is a list of it.

    ``must`` is what messages say of names, such as "embeddings must be keys of adata.obsm", and ``one`` what one is.
    """
    if _is_of_cells(given):
        raise TypeError(f"{must}, got {type_of(given)}")
    is_list = isinstance(given, Iterable) and not isinstance(given, str | bytes | Mapping)
    names = list(given) if is_list else [given]
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"{must}, got {type_of(name)}")
    if not names:
        raise ValueError(f"{must.partition(' must')[0]} must have at least one {one}, got none")
    return names


def _is_of_cells(given: Any) -> bool:
    """Whether there are values of cells instead of names, which an Index or an array of text may hold."""
    if not hasattr(given, "dtype"):
        return False
    return hasattr(given, "index") or getattr(given, "ndim", 1) != 1 or not all(isinstance(x, str) for x in given)
