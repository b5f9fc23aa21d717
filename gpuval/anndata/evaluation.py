"""Clusterings in ``adata.obs`` evaluated against an annotation, and in an embedding."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from gpuval.anndata.reading import AskedOfAnnData, checked_names, read_anndata
from gpuval.anndata.stored import check_key_added, stored_table
from gpuval.evaluation.clustering.arguments import Metrics
from gpuval.evaluation.clustering.evaluation import compare
from gpuval.evaluation.results.evaluations import Comparison
from gpuval.metrics._common.naming import called

__all__ = ["evaluate"]


def evaluate(
    adata: Any,
    label: str | None,
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

    It is :func:`gpuval.compare` of columns of ``adata.obs``. Of files that are backed or read lazily, only the columns
    and the embedding that are named are read. ``import gpuval.anndata`` also gives every AnnData the method
    ``adata.gpuval.evaluate(label, clusterings, ...)``, with anndata 0.12 or later.

    Parameters
    ----------
    adata
        An AnnData or a MuData of n_obs cells, or a view of one. The columns of a MuData are such as "rna:leiden".
    label
        The column of ``adata.obs`` that holds the annotation, the true labels, such as "cell_type". None with
        ``embedding``: internal measures alone.
    clusterings
        A column of ``adata.obs``, a shell pattern such as "leiden_*", or several of both. Patterns leave out the
        columns of other arguments, and those that are no labels (continuous values, missing labels that are not
        ignored, or ignored ones alone): a warning says why.
    embedding
        A key of ``adata.obsm``, an array of shape (n_obs, n_features), for internal measures of the clusterings in it;
        it stays on its device. Unless there are such keys, "pca" is "X_pca", and "X" is ``adata.X``. Of a MuData it may
        be one of a modality that has all cells in their order, such as "rna:X_pca". What Dask holds is computed.
    metrics
        As for :func:`gpuval.compare`.
    by
        A column of ``adata.obs``, such as "batch": the cells of each value are evaluated by themselves, in the order of
        the categories, or of the values if it has none.
    groups
        A column of ``adata.obs``, such as "donor": intervals are of other donors, not of other cells of the same ones.
    sample_weight
        A column of ``adata.obs`` with the weight of each cell.
    ignore_labels
        One label or several: cells with such a label, as annotation or as cluster, do not count; None among several
        stands for missing ones.
    confidence_level, n_resamples, random_state
        As for :func:`gpuval.evaluate`: each score of the annotation gets an interval, too.
    key_added
        A key of ``adata.uns``, into which the scores are put as a DataFrame that files of AnnData hold (Notes); what
        was there is overwritten. Not for a view, as anndata would copy all of it.
    progress
        As for :func:`gpuval.compare`.

    Returns
    -------
    Comparison
        A mapping from the names of the clusterings to evaluations, with ``to_pandas()``; with ``by`` from (name,
        value). With ``confidence_level`` it has ``best``, by the names of the measures; with ``by`` from (measure,
        value).

    Raises
    ------
    TypeError, ValueError
        A name that is no column or key; a column that holds no labels, or misses some that are not ignored; a key to
        add for a view; and as :func:`gpuval.compare`. Messages call columns ``adata.obs['cell_type']``.

    Notes
    -----
    The table in ``adata.uns[key_added]`` has a row for each clustering, by the name of the index "labeling"; with
    ``by`` one for each clustering and value, and a column of the values as text, which has the name of ``by``. Its
    other columns are the counts ``n_classes``, ``n_clusters``, ``n_samples`` and, if known, ``n_dropped``, the scores,
    and with ``confidence_level`` the ends of their intervals, ``name.low`` and ``name.high``. A slash in the name of a
    column is written "|", as files take it for the border of two names. Each column must have a name of its own.

    Examples
    --------
    >>> import anndata, pandas as pd
    >>> import gpuval.anndata
    >>> columns = {"cell_type": ["B", "B", "T", "T"], "leiden_0.5": list("0011"), "leiden_1.0": list("0012")}
    >>> adata = anndata.AnnData(obs=pd.DataFrame(columns, index=["c1", "c2", "c3", "c4"]))
    >>> gpuval.anndata.evaluate(adata, "cell_type", "leiden_*", metrics=["ari", "v"], key_added="gpuval")
                clusters  adjusted_rand_score  v_measure_score
    leiden_0.5         2               1.0000           1.0000
    leiden_1.0         3               0.5714           0.8000
    >>> adata.uns["gpuval"]["n_clusters"].to_dict()
    {'leiden_0.5': 2, 'leiden_1.0': 3}
    """
    beside = by, groups, sample_weight, ignore_labels
    asked = AskedOfAnnData(
        label, clusterings, embedding, metrics, *beside, confidence_level, n_resamples, random_state
    ).with_metrics_listed()
    names = checked_names(adata)
    measures = asked.check(names)
    check_key_added(adata, key_added, measures.names, by, has_intervals=confidence_level is not None)
    read = read_anndata(adata, asked, names)
    with called(**read.titles):
        comparison = compare(
            read.columns[label],
            read.clusters,
            asked.metrics,
            sample_weight=read.columns[sample_weight],
            ignore_labels=ignore_labels,
            confidence_level=confidence_level,
            groups=read.columns[groups],
            by=read.columns[by],
            n_resamples=n_resamples,
            random_state=random_state,
            X=read.X,
            progress=progress,
        )
    if key_added is not None:
        adata.uns[key_added] = stored_table(comparison, by)
    return comparison
