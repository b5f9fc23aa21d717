"""Clusterings in ``adata.obs`` evaluated against an annotation and in an embedding: scores, and a page about them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from gpuval.anndata.columns import (
    AnnDataRequest,
    embedding_in_memory,
    find_embedding,
    list_names,
    read_anndata,
    read_column_names,
)
from gpuval.anndata.stored import ENDS, check_key_added, score_table
from gpuval.evaluation.evaluation import compare
from gpuval.inputs.columns import find_columns
from gpuval.inputs.options import require_extra
from gpuval.inputs.selection import LabelsToIgnore
from gpuval.measures.requests import Metrics
from gpuval.measures.result import rename_arguments
from gpuval.reporting.building import report as report_of_labels
from gpuval.reporting.coordinates import axis_names, first_columns, key_to_draw
from gpuval.reporting.page import Report
from gpuval.results.evaluations import Comparison
from gpuval.results.settings import Stability

__all__ = ["evaluate", "report"]


def evaluate(
    adata: Any,
    label: str | Sequence[str] | None,
    clusterings: str | Iterable[str],
    *,
    embedding: str | None = None,
    metrics: Metrics = None,
    by: str | None = None,
    groups: str | None = None,
    sample_weight: str | None = None,
    ignore_labels: Any = None,
    confidence_level: float | None = None,
    n_resamples: int = 999,
    random_state: Any = None,
    key_added: str | None = None,
    progress: bool = False,
) -> Comparison:
    """Evaluate clusterings of cells against an annotation, and in an embedding.

    This is :func:`gpuval.compare` for columns of ``adata.obs``. If the object is backed by a file or read lazily, only
    the named columns and the named embedding are read. ``import gpuval.anndata`` also gives every AnnData the method
    ``adata.gpuval.evaluate(label, clusterings, ...)``.

    Parameters
    ----------
    adata
        An AnnData or a MuData of n_obs cells, or a view of one. Columns of a MuData have names such as "rna:leiden".
    label
        The column of ``adata.obs`` with the annotation (the true labels), such as "cell_type"; or a list of several
        columns, such as annotations of different detail: each score is then that of the one which fits best, as in
        :func:`gpuval.evaluate`. None, together with ``embedding``, for internal measures only.
    clusterings
        A column of ``adata.obs``, a shell pattern such as "leiden_*", or several of both. Patterns leave out the
        columns of other arguments. They also leave out columns that hold no labels: continuous values, missing labels
        that are not ignored, or only ignored labels; and columns of numbers that look like counts, such as "n_genes":
        more than 20 different whole numbers that are not most of 0, 1, 2, ..., or that have fewer than two cells each
        on average. For Cohen's kappa, which compares names, they leave out columns that share no label with ``label``.
        A warning says why.
    embedding
        A key of ``adata.obsm``, an array of shape (n_obs, n_features), for internal measures of the clusterings in it.
        It stays on its device. "pca" stands for "X_pca" if there is no key "pca", and "X" for ``adata.X`` if there is
        no key "X". In a MuData, an embedding of a modality that has all cells in the same order has a key such as
        "rna:X_pca". Dask arrays are computed.
    metrics
        As in :func:`gpuval.compare`.
    by
        A column of ``adata.obs``, such as "batch": the cells of each value are evaluated separately, in the order of
        the categories, or of the values if the column has no categories.
    groups
        A column of ``adata.obs``, such as "donor": intervals then say how scores would vary with other donors, not with
        other cells of the same donors.
    sample_weight
        A column of ``adata.obs`` with the weight of each cell.
    ignore_labels
        One label or several: cells with such a label, as annotation or as cluster, do not count. None among several
        stands for missing labels. A mapping names the side: ``{"true": "unknown"}`` is of the annotation alone, and
        ``{"pred": -1}`` of the clusters.
    confidence_level, n_resamples, random_state
        As in :func:`gpuval.evaluate`: each score against the annotation also gets a confidence interval.
    key_added
        A key of ``adata.uns`` under which the scores are stored, as a DataFrame that AnnData files can hold (see
        Notes). An existing entry is overwritten. Not possible for a view, because anndata would copy the whole object.
    progress
        As in :func:`gpuval.compare`.

    Returns
    -------
    Comparison
        A mapping from the names of the clusterings (with ``by``, from (name, value)) to evaluations, with
        ``to_pandas()``. Its ``best`` is a mapping from the names of the measures (with ``by``, from (measure, value))
        to the best clustering.

    Raises
    ------
    TypeError, ValueError
        If there are no cells; if a name is not that of a column or key; if a column holds no labels, or misses some
        that are not ignored; if ``key_added`` is given for a view; and as :func:`gpuval.compare` does. Messages call
        columns ``adata.obs['cell_type']``.

    Notes
    -----
    The table in ``adata.uns[key_added]`` has a row for each clustering; the name of its index is "labeling". With
    ``by`` it has a row for each clustering and value, and a column, named as ``by``, with the values as text. The other
    columns are the counts ``n_classes``, ``n_clusters``, ``n_samples`` and, if known, ``n_dropped``, then the scores,
    with ``confidence_level`` the ends of their intervals, ``name.low`` and ``name.high``, and with several columns of
    labels ``name.reference``, the one that fits best. A slash in the name of a column is written "|", because a slash
    separates names in such files. Each column must have a name of its own.

    Examples
    --------
    >>> import anndata, pandas as pd
    >>> import gpuval.anndata
    >>> columns = {"cell_type": ["B", "B", "T", "T"], "leiden_0.5": list("0011"), "leiden_1.0": list("0012")}
    >>> adata = anndata.AnnData(obs=pd.DataFrame(columns, index=["c1", "c2", "c3", "c4"]))
    >>> gpuval.anndata.evaluate(adata, "cell_type", "leiden_*", metrics=["ari", "v"], key_added="gpuval")
    2 labelings against cell_type: 4 cells, 2 classes
                clusters  adjusted_rand_score  v_measure_score
    leiden_0.5         2  1.000 ●              1.000 ●
    leiden_1.0         3  0.571                0.800
    ● highest
    >>> adata.uns["gpuval"]["n_clusters"].to_dict()
    {'leiden_0.5': 2, 'leiden_1.0': 3}
    """
    beside = by, groups, sample_weight, LabelsToIgnore.read(ignore_labels)
    asked = AnnDataRequest(
        label, clusterings, embedding, metrics, *beside, confidence_level, n_resamples, random_state
    ).with_lists()
    names = read_column_names(adata)
    measures = asked.check(names)
    fields = [*ENDS] * (confidence_level is not None) + ["reference"] * (not isinstance(label, str | None))
    check_key_added(adata, key_added, measures.names, by, fields)
    read = read_anndata(adata, asked, names, measures)
    with rename_arguments(**read.titles):
        comparison = compare(
            read.truth,
            read.clusters,
            asked.metrics,
            sample_weight=read.columns[sample_weight],
            ignore_labels=asked.ignore_labels,
            confidence_level=confidence_level,
            groups=read.columns[groups],
            by=read.columns[by],
            n_resamples=n_resamples,
            random_state=random_state,
            X=read.X,
            progress=progress,
        )
    comparison.subject = comparison.subject._replace(unit="cell")
    if key_added is not None:
        adata.uns[key_added] = score_table(comparison, by)
    return comparison


# Make a page about clusterings in ``adata.obs``.


def report(
    adata: Any,
    label: str | Sequence[str] | None,
    clusterings: str | Iterable[str],
    *,
    embedding: str | None = None,
    coordinates: str | None = None,
    metrics: Metrics = None,
    by: str | None = None,
    groups: str | None = None,
    sample_weight: str | None = None,
    ignore_labels: Any = None,
    confidence_level: float | None = 0.95,
    n_resamples: int = 999,
    random_state: Any = 0,
    details: str | Iterable[str] | None = None,
    stability: Stability | None = None,
    sample_size: int | Literal["auto"] | None = "auto",
    title: str | None = None,
    output: str | os.PathLike[str] | None = None,
    progress: bool = False,
) -> Report:
    """Make an HTML page about clusterings of cells: findings in words, scores, plots, and each cell type and cluster.

    This is :func:`gpuval.report` for columns of ``adata.obs``, which are read as by :func:`gpuval.anndata.evaluate`.
    Every AnnData also has the method ``adata.gpuval.report(label, clusterings, ...)``. It needs the extra
    ``report``.

    Parameters
    ----------
    adata, label, clusterings, embedding, by, groups, sample_weight, ignore_labels
        As in :func:`gpuval.anndata.evaluate`.
    coordinates
        The key of ``adata.obsm`` whose first two columns are where the cells are drawn. By default that of a UMAP, of a
        t-SNE or of a drawn graph ("X_umap", "X_tsne", "X_draw_graph_fa"), else ``embedding``.
    metrics, confidence_level, n_resamples, random_state, sample_size, title, output, progress
        As in :func:`gpuval.report`.
    details
        A clustering, or several, or patterns: each cell type and each cluster is shown for these. By default the best
        clustering.
    stability
        What :func:`gpuval.anndata.stability` returns for several runs of each resolution: the page also says how stable
        these are.

    Returns
    -------
    Report
        It has ``html``, ``summary`` and ``scores``. ``save(path)`` writes it into a file, ``open()`` shows it in a
        browser, and a notebook shows it as it is.

    Raises
    ------
    TypeError, ValueError
        As :func:`gpuval.anndata.evaluate` and :func:`gpuval.report` do.
    ImportError
        If the extra ``report`` is not installed.

    Examples
    --------
    >>> import anndata, pandas as pd
    >>> import gpuval.anndata
    >>> columns = {"cell_type": list("BBTT") * 9, "leiden_0.5": list("0011") * 9, "leiden_1.0": list("0012") * 9}
    >>> adata = anndata.AnnData(obs=pd.DataFrame(columns, index=[f"cell{i}" for i in range(36)]))
    >>> found = gpuval.anndata.report(adata, "cell_type", "leiden_*", metrics=["ari"])
    >>> found.summary[0]
    'leiden_0.5 agrees best: ARI 1.00, ahead of leiden_1.0 by 0.26 (0.07–0.44).'
    """
    beside = by, groups, sample_weight, LabelsToIgnore.read(ignore_labels)
    level = None if label is None else confidence_level
    asked = AnnDataRequest(
        label, clusterings, embedding, metrics, *beside, level, n_resamples, random_state
    ).with_lists()
    names = read_column_names(adata)
    measures = asked.check(names)
    read = read_anndata(adata, asked, names, measures)
    with rename_arguments(**read.titles):
        return report_of_labels(
            read.truth,
            read.clusters,
            X=read.X,
            coordinates=_coordinates(adata, coordinates, embedding),
            by=read.columns[by],
            groups=read.columns[groups],
            metrics=asked.metrics,
            sample_weight=read.columns[sample_weight],
            ignore_labels=asked.ignore_labels,
            confidence_level=level,
            n_resamples=n_resamples,
            random_state=random_state,
            details=None if details is None else _select_clusterings(details, list(read.clusters)),
            stability=stability,
            sample_size=sample_size,
            unit="cell",
            colors=_colors_of_classes(adata, asked.labels, read.columns),
            title=title,
            about={} if embedding is None else {"embedding": embedding},
            output=output,
            progress=progress,
        )


def _colors_of_classes(adata: Any, labels: Sequence[str], columns: Mapping[Any, Any]) -> dict[Any, str] | None:
    """The colours that scanpy's plots have given the categories of columns; None if they are not there, or not all."""
    found: dict[Any, Any] = {}
    for label in labels:
        categories: Any = getattr(getattr(columns[label], "dtype", None), "categories", ())
        colors: Any = adata.uns.get(f"{label}_colors", ())
        if not len(categories) or len(colors) != len(categories):
            return None
        found |= dict(zip(categories, colors, strict=True))
    if not found:
        return None
    with require_extra("gpuval.report", "report"):
        from matplotlib.colors import is_color_like, to_hex

    return {x: to_hex(color) for x, color in found.items()} if all(map(is_color_like, found.values())) else None


def _coordinates(adata: Any, key: str | None, embedding: str | None) -> Any:
    """Two columns of an embedding, called by its key: of the key, else of one that is made to be drawn."""
    found = key if key is not None else key_to_draw(adata.obsm.keys()) or embedding
    if found is None:
        return None
    with rename_arguments(**{"embedding must": "coordinates must"} if key is not None else {}):
        held, _ = find_embedding(adata, found)
    drawn_at = first_columns(embedding_in_memory(held))
    return None if drawn_at is None else drawn_at._replace(names=axis_names([found]))


def _select_clusterings(details: Any, clusterings: Sequence[str]) -> list[str]:
    """The clusterings that names and patterns stand for."""
    texts = list_names(details, "details must be names of clusterings, or patterns of them", "name of a clustering")
    return [name for text in texts for name in find_columns(text, "details", clusterings, {}, "clusterings")]
