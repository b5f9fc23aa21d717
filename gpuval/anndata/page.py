"""Make a page about clusterings in ``adata.obs``."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, Literal

from gpuval.anndata.names import listed_names
from gpuval.anndata.reading import AskedOfAnnData, checked_names, read_anndata
from gpuval.evaluation._common.columns import matching_columns
from gpuval.evaluation.clustering.arguments import Metrics
from gpuval.inputs.selection import Ignored
from gpuval.metrics._common.naming import called
from gpuval.reporting.building import report as report_of_labels
from gpuval.reporting.result import Report

__all__ = ["report"]


def report(
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
    confidence_level: float | None = 0.95,
    n_resamples: int = 999,
    random_state: Any = 0,
    details: str | Iterable[str] | None = None,
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
    metrics, confidence_level, n_resamples, random_state, sample_size, title, output, progress
        As in :func:`gpuval.report`.
    details
        A clustering, or several, or patterns: each cell type and each cluster is shown for these. By default the best
        clustering.

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
    >>> found.summary[-1]
    'leiden_0.5 is the same partition as the classes.'
    """
    beside = by, groups, sample_weight, Ignored.read(ignore_labels)
    level = None if label is None else confidence_level
    asked = AskedOfAnnData(
        label, clusterings, embedding, metrics, *beside, level, n_resamples, random_state
    ).with_metrics_listed()
    names = checked_names(adata)
    measures = asked.check(names)
    read = read_anndata(adata, asked, names, measures)
    with called(**read.titles):
        return report_of_labels(
            read.columns[label],
            read.clusters,
            X=read.X,
            by=read.columns[by],
            groups=read.columns[groups],
            metrics=asked.metrics,
            sample_weight=read.columns[sample_weight],
            ignore_labels=asked.ignore_labels,
            confidence_level=level,
            n_resamples=n_resamples,
            random_state=random_state,
            details=None if details is None else _chosen(details, list(read.clusters)),
            sample_size=sample_size,
            title=title,
            about={} if embedding is None else {"embedding": embedding},
            output=output,
            progress=progress,
        )


def _chosen(details: Any, clusterings: Sequence[str]) -> list[str]:
    """The clusterings that names and patterns stand for."""
    texts = listed_names(details, "details must be names of clusterings, or patterns of them", "name of a clustering")
    return [name for text in texts for name in matching_columns(text, "details", clusterings, {}, "clusterings")]
