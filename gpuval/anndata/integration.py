"""Score embeddings in ``adata.obsm`` as integrations of the batches in ``adata.obs``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from gpuval.anndata.columns import (
    check_annotated,
    check_obs_column,
    column_names,
    embedding_in_memory,
    find_embedding,
    is_in_memory,
    list_names,
    read_clusterings,
    read_columns,
    title_of,
)
from gpuval.anndata.stored import check_key_added, plain_names
from gpuval.evaluation.integration import (
    Annotations,
    CellEmbedding,
    Options,
    read_annotations,
    read_cells,
    read_scoring_options,
    scores_of_embedding,
)
from gpuval.evaluation.neighbor_search import N_NEIGHBORS, Search, is_search, neighbors_by
from gpuval.geometry.neighbors.components import Connection
from gpuval.inputs.features import check_shape
from gpuval.measures.result import rename_arguments
from gpuval.results.integration import IntegrationComparison

__all__ = ["integration_scores"]


def integration_scores(
    adata: Any,
    batch: str,
    label: str,
    embeddings: str | Iterable[str],
    *,
    neighbors: Search | Callable[[Any, int], Any] | Mapping[str, Any] = "exact",
    unintegrated: str | None = None,
    clusterings: str | Iterable[str] | Mapping[str, Any] | None = None,
    n_neighbors: Sequence[int] = N_NEIGHBORS,
    connection: Connection = "weak",
    alpha: float = 0.05,
    most_batches: int | None = None,
    random_state: Any = 0,
    key_added: str | None = None,
    progress: bool = False,
) -> IntegrationComparison:
    """Score embeddings of cells from several batches: how well each keeps cell types and removes batch effects.

    This is :func:`gpuval.integration_scores` for each embedding: the ten scores that ``Benchmarker`` of scib-metrics
    computes by default, under the same names, with the means of both groups and the total. If the object is backed by a
    file or read lazily, only the named columns and embeddings are read.

    Parameters
    ----------
    adata
        An AnnData or a MuData of n_obs cells, or a view of one.
    batch, label
        The columns of ``adata.obs`` with the batch and the label of each cell, such as its cell type. All cells count,
        so neither may have missing values.
    embeddings
        A key of ``adata.obsm``, such as "X_scVI", or several: arrays of shape (n_obs, n_features). "pca" stands for
        "X_pca" if there is no key "pca", and "X" for ``adata.X`` if there is no key "X".
    neighbors
        How to find the nearest neighbours of each cell in an embedding:

        - "exact": the search of scikit-learn;
        - "pynndescent": the approximate search that the ``Benchmarker`` uses, faster for more than about 10^5 cells;
        - a function of the embedding and the number of neighbours, including the cell itself; it returns the pair
          (indices, distances), or an object with these attributes;
        - a mapping from each embedding to its neighbours, in any form that :func:`gpuval.integration_scores` takes.
    unintegrated
        The key of ``adata.obsm`` with the cells before the integration, such as "X_pca". Without it, the PCR comparison
        is left out.
    clusterings
        Clusterings for NMI and ARI: columns of ``adata.obs``, patterns such as "leiden_*", or several of both. If each
        embedding has clusterings of its own, give a mapping from all embeddings to such names. By default, k-means.
    n_neighbors, connection, alpha, most_batches, random_state
        As in :func:`gpuval.integration_scores`.
    key_added
        A key of ``adata.uns`` under which the scores are stored, as a DataFrame that AnnData files can hold:
        ``to_pandas()`` of the result, with names that files can have. An existing entry is overwritten. Not possible
        for a view, because anndata would copy the whole object.
    progress
        Whether to show progress bars (tqdm) for silhouettes.

    Returns
    -------
    IntegrationComparison
        A mapping from the embeddings to their :class:`gpuval.IntegrationScores`. Its ``to_pandas()`` has the scores in
        columns, like ``Benchmarker.get_results()``. The scores of each embedding are in its array library, on its
        device.

    Raises
    ------
    TypeError, ValueError
        If there are no cells; if a name is not that of a column or key; if columns or embeddings are not as described
        above; if ``key_added`` is given for a view; and as :func:`gpuval.integration_scores` does. This is checked
        before the first embedding is scored, except the values of arrays in files, and whether libraries and devices
        fit together. Messages call columns ``adata.obs['batch']``, embeddings ``adata.obsm['X_scVI']``, and an entry of
        a mapping ``neighbors['X_scVI']``.
    ImportError
        If scikit-learn or pynndescent is to search, and is not installed.

    Notes
    -----
    The searches that have a name run on the host. For an embedding on a GPU, ``neighbors`` is a mapping, or a function
    such as one that calls cuML's ``NearestNeighbors``.

    Examples
    --------
    Two batches that are apart, and the same cells without what sets these apart:

    >>> import anndata, numpy as np, pandas as pd
    >>> import gpuval.anndata
    >>> random = np.random.default_rng(0)
    >>> columns = {"cell_type": ["B"] * 200 + ["T"] * 200, "batch": ["1", "2"] * 200}
    >>> obs = pd.DataFrame(columns, index=[f"cell {i}" for i in range(400)])
    >>> X = random.normal(size=(400, 5)) + 20.0 * (obs["cell_type"] == "T").to_numpy()[:, None]
    >>> obsm = {"X_pca": X + 5.0 * (obs["batch"] == "2").to_numpy()[:, None], "X_corrected": X}
    >>> adata = anndata.AnnData(obs=obs, obsm=obsm)
    >>> gpuval.anndata.integration_scores(adata, "batch", "cell_type", ["X_pca", "X_corrected"], unintegrated="X_pca")
                          X_pca  X_corrected
    Bio conservation      0.979        0.992
      Isolated labels         –            –
      KMeans NMI          1.000        1.000
      KMeans ARI          1.000        1.000
      Silhouette label    0.918        0.966
      cLISI               1.000        1.000
    Batch correction      0.218        0.968
      BRAS                0.589        0.951
      iLISI               0.000        0.927
      KBET                0.000        0.960
      Graph connectivity  0.500        1.000
      PCR comparison      0.000        1.000
    Total                 0.675        0.982
    <BLANKLINE>
    Isolated labels: no label is isolated: all are in all batches
    """
    check_annotated(adata)
    names = column_names(adata)
    for argument, name in {"batch": batch, "label": label}.items():
        check_obs_column(name, argument, names)
    keys = list(dict.fromkeys(list_names(embeddings, "embeddings must be keys of adata.obsm", "key of adata.obsm")))
    if not isinstance(neighbors, Mapping) and not is_search(neighbors):
        raise TypeError(
            "neighbors must be 'exact', 'pynndescent', a function that searches, or a mapping from embeddings to "
            f"neighbours, got {type(neighbors).__name__}"
        )
    searches = _entry_by_key(neighbors, "neighbors", keys)
    asked = _entry_by_key(clusterings, "clusterings", keys)
    check_key_added(adata, key_added)
    options = read_scoring_options(n_neighbors, connection, alpha, most_batches, random_state, progress)
    with rename_arguments(embedding="embeddings"):
        held = {key: find_embedding(adata, key) for key in keys}
    with rename_arguments(embedding="unintegrated"):
        held_before, title_before = (None, "") if unintegrated is None else find_embedding(adata, unintegrated)

    columns = read_columns(adata, [batch, label])
    _check_none_missing(columns)
    titles = {"batch": title_of(batch), "label": title_of(label), "unintegrated": title_before}
    annotations = {}
    for name, given in dict(asked.values()).items():
        with rename_arguments(**{"clusterings must": f"{name} must"}):
            clusters = {} if given is None else read_clusterings(adata, given, names, (batch, label), ())
        _check_none_missing(clusters)
        annotations[name] = _annotations(columns[label], columns[batch], clusters, titles, options)
    ways, in_memory = {}, {}
    for key, (samples, title) in held.items():
        name, given = searches[key]
        with _use_titles({"X": title}):
            ways[key] = neighbors_by(given, name, len(columns[label]), max(options.n_neighbors))
            if is_in_memory(samples):
                in_memory[key] = read_cells(samples)
            else:
                check_shape(samples)

    before = embedding_in_memory(held_before)

    def cells_of(key: str) -> CellEmbedding:
        if key in in_memory:
            return in_memory.pop(key)
        samples, title = held[key]
        return read_cells(before if title == title_before else embedding_in_memory(samples))

    found = {}
    for key, (_, title) in held.items():
        of_clusterings, _ = asked[key]
        with _use_titles(titles | {"X": title}):
            # The cells have no name here, so that those of one embedding are freed before others are read.
            found[key] = scores_of_embedding(cells_of(key), annotations[of_clusterings], ways[key], before, options)
    comparison = IntegrationComparison(found)
    if key_added is not None:
        adata.uns[key_added] = plain_names(comparison.to_pandas())
    return comparison


def _entry_by_key(given: Any, argument: str, keys: Sequence[str]) -> dict[str, tuple[str, Any]]:
    """What messages call what is given for each embedding, and that itself: an entry of a mapping, or the same."""
    if not isinstance(given, Mapping):
        return dict.fromkeys(keys, (argument, given))
    if missing := [key for key in keys if key not in given]:
        raise ValueError(
            f"{argument} must have an entry for each of the embeddings, got none for {', '.join(map(repr, missing))}"
        )
    return {key: (f"{argument}[{key!r}]", given[key]) for key in keys}


def _annotations(
    label: Any, batch: Any, clusterings: Mapping[str, Any], titles: Mapping[str, str], options: Options
) -> Annotations:
    """What columns say of the cells."""
    named = {f"clusterings[{name!r}]": column for name, column in clusterings.items()}
    with _use_titles({**titles, **{f"clusterings[{name!r}]": title_of(name) for name in clusterings}}):
        return read_annotations(label, batch, named, len(label), options.most_batches)


def _use_titles(titles: Mapping[str, str]) -> AbstractContextManager[None]:
    """Within, messages say of each argument what it must be by its title."""
    return rename_arguments(**{f"{name} must": f"{title} must" for name, title in titles.items()})


def _check_none_missing(columns: Mapping[str, Any]) -> None:
    """Check that columns say of every cell what it belongs to, as all cells count."""
    for name, column in columns.items():
        if n_missing := int(column.isna().sum()):
            title = title_of(name)
            raise ValueError(
                f"{title} must not have missing labels (NaN, None), got {n_missing} of {len(column)}; "
                f"adata[{title}.notna()] has the others"
            )
