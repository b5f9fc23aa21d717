"""Embeddings in ``adata.obsm`` scored as integrations of the batches in ``adata.obs``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any

from gpuval.anndata.chosen import read_clusterings
from gpuval.anndata.columns import check_annotated, check_obs_column, column_names, read_columns, title_of
from gpuval.anndata.embeddings import embedding_in_memory, find_embedding, is_in_memory
from gpuval.anndata.names import listed_names
from gpuval.anndata.stored import check_key_added, plain_names
from gpuval.evaluation.integration.comparison import IntegrationComparison
from gpuval.evaluation.integration.measures import scores_of_embedding
from gpuval.evaluation.integration.reading import (
    Annotations,
    EmbeddedCells,
    Options,
    read_annotations,
    read_cells,
    read_scoring_options,
)
from gpuval.evaluation.integration.search import N_NEIGHBORS, Search, is_search, neighbors_by
from gpuval.geometry.neighbors.graphs.components import Connection
from gpuval.inputs.matrices.features import check_shape
from gpuval.metrics._common.naming import called

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
    """Score embeddings of cells from several batches: what each keeps of biology, and what it takes of batches.

    It is :func:`gpuval.integration_scores` of each embedding: the ten scores that scib-metrics' ``Benchmarker`` finds
    by default, by the same names, with their means and the total. Of files that are backed or read lazily, only the
    columns and the embeddings that are named are read.

    Parameters
    ----------
    adata
        An AnnData or a MuData of n_obs cells, or a view of one.
    batch, label
        The columns of ``adata.obs`` that hold the batch and the label of each cell, such as its type. All cells count:
        none may miss either.
    embeddings
        A key of ``adata.obsm``, such as "X_scVI", or several: arrays of shape (n_obs, n_features). Unless there are
        such keys, "pca" is "X_pca", and "X" is ``adata.X``.
    neighbors
        How the nearest neighbours of each cell in an embedding are found: by an "exact" search, scikit-learn's; by
        "pynndescent", the approximate one that the ``Benchmarker`` takes, faster for more than about 10^5 cells; or by
        a function, called with the embedding and the number of neighbours, the cell itself among them, that gives the
        pair (indices, distances), or an object with these attributes. Or what there is already: a mapping from each of
        the embeddings to anything that ``neighbors`` of :func:`gpuval.integration_scores` may be.
    unintegrated
        The key of ``adata.obsm`` of the cells before the integration, such as "X_pca"; without it, the comparison of
        regressions is left out.
    clusterings
        Clusterings for NMI and ARI: columns of ``adata.obs``, patterns such as "leiden_*", or several of both; for
        other clusterings of each embedding, a mapping from all of these to such names. By default the clusters of
        k-means.
    n_neighbors, connection, alpha, most_batches, random_state
        As for :func:`gpuval.integration_scores`.
    key_added
        A key of ``adata.uns``, into which the scores are put as a DataFrame that files of AnnData hold: ``to_pandas()``
        of the result, with names as files have them. What was there is overwritten. Not for a view, as anndata would
        copy all of it.
    progress
        Whether to show bars, of tqdm, for silhouettes.

    Returns
    -------
    IntegrationComparison
        A mapping from the embeddings to their :class:`gpuval.IntegrationScores`, with ``to_pandas()``: the scores in
        columns, as of ``Benchmarker.get_results()``. The scores of each are of the library and on the device of the
        embedding.

    Raises
    ------
    TypeError, ValueError
        A name that is no column or key; columns and embeddings that are not as above; a key to add for a view; and as
        :func:`gpuval.integration_scores`: before the first embedding is scored, but for the values of what is in files,
        and for libraries and devices that do not go together.
        Messages call columns ``adata.obs['batch']``, embeddings ``adata.obsm['X_scVI']``, and what a mapping has
        for one ``neighbors['X_scVI']``.
    ImportError
        Without scikit-learn or pynndescent, where these are to search.

    Notes
    -----
    Searches by name are on the host. For an embedding on a GPU ``neighbors`` is a mapping, or a function such as one
    that calls cuML's ``NearestNeighbors``.

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
    Bio conservation      0.9794       0.9916
      Isolated labels          -            -
      KMeans NMI          1.0000       1.0000
      KMeans ARI          1.0000       1.0000
      Silhouette label    0.9176       0.9665
      cLISI               1.0000       1.0000
    Batch correction      0.2179       0.9675
      BRAS                0.5893       0.9513
      iLISI               0.0000       0.9265
      KBET                0.0000       0.9600
      Graph connectivity  0.5000       1.0000
      PCR comparison      0.0000       0.9999
    Total                 0.6748       0.9820
    <BLANKLINE>
    Isolated labels: no label is isolated: all are in all batches
    """
    check_annotated(adata)
    names = column_names(adata)
    for argument, name in {"batch": batch, "label": label}.items():
        check_obs_column(name, argument, names)
    keys = list(dict.fromkeys(listed_names(embeddings, "embeddings must be keys of adata.obsm", "key of adata.obsm")))
    if not isinstance(neighbors, Mapping) and not is_search(neighbors):
        raise TypeError(
            "neighbors must be 'exact', 'pynndescent', a function that searches, or a mapping from embeddings to "
            f"neighbours, got {type(neighbors).__name__}"
        )
    searches = _of_each(neighbors, "neighbors", keys)
    asked = _of_each(clusterings, "clusterings", keys)
    check_key_added(adata, key_added)
    options = read_scoring_options(n_neighbors, connection, alpha, most_batches, random_state, progress)
    with called(embedding="embeddings"):
        held = {key: find_embedding(adata, key) for key in keys}
    with called(embedding="unintegrated"):
        held_before, title_before = (None, "") if unintegrated is None else find_embedding(adata, unintegrated)

    columns = read_columns(adata, [batch, label])
    _check_none_missing(columns)
    titles = {"batch": title_of(batch), "label": title_of(label), "unintegrated": title_before}
    annotations = {}
    for name, given in dict(asked.values()).items():
        with called(**{"clusterings must": f"{name} must"}):
            clusters = {} if given is None else read_clusterings(adata, given, names, (batch, label), None)
        _check_none_missing(clusters)
        annotations[name] = _annotations(columns[label], columns[batch], clusters, titles, options)
    ways, in_memory = {}, {}
    for key, (samples, title) in held.items():
        name, given = searches[key]
        with _titled({"X": title}):
            ways[key] = neighbors_by(given, name, len(columns[label]), max(options.n_neighbors))
            if is_in_memory(samples):
                in_memory[key] = read_cells(samples)
            else:
                check_shape(samples)

    before = embedding_in_memory(held_before)

    def cells_of(key: str) -> EmbeddedCells:
        if key in in_memory:
            return in_memory.pop(key)
        samples, title = held[key]
        return read_cells(before if title == title_before else embedding_in_memory(samples))

    found = {}
    for key, (_, title) in held.items():
        of_clusterings, _ = asked[key]
        with _titled(titles | {"X": title}):
            # The cells have no name here, so that those of one embedding are freed before others are read.
            found[key] = scores_of_embedding(cells_of(key), annotations[of_clusterings], ways[key], before, options)
    comparison = IntegrationComparison(found)
    if key_added is not None:
        adata.uns[key_added] = plain_names(comparison.to_pandas())
    return comparison


def _of_each(given: Any, argument: str, keys: Sequence[str]) -> dict[str, tuple[str, Any]]:
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
    with _titled({**titles, **{f"clusterings[{name!r}]": title_of(name) for name in clusterings}}):
        return read_annotations(label, batch, named, len(label), options.most_batches)


def _titled(titles: Mapping[str, str]) -> AbstractContextManager[None]:
    """Within, messages say of each argument what it must be by its title."""
    return called(**{f"{name} must": f"{title} must" for name, title in titles.items()})


def _check_none_missing(columns: Mapping[str, Any]) -> None:
    """Check that columns say of every cell what it belongs to, as all cells count."""
    for name, column in columns.items():
        if n_missing := int(column.isna().sum()):
            title = title_of(name)
            raise ValueError(
                f"{title} must not have missing labels (NaN, None), got {n_missing} of {len(column)}; "
                f"adata[{title}.notna()] has the others"
            )
