"""Read and check the columns and the embedding with which clusterings are evaluated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from gpuval.anndata.chosen import read_clusterings
from gpuval.anndata.columns import check_annotated, check_obs_column, column_names, read_columns, title_of
from gpuval.anndata.embeddings import read_embedding
from gpuval.evaluation.clustering.registry import check_same_names, compares_names
from gpuval.evaluation.clustering.samples.asked import AskedOfBoth, read_external_and_internal
from gpuval.evaluation.inference.beside_scores.asked import read_intervals
from gpuval.inputs.selection import Ignored
from gpuval.metrics._common.naming import called, without_ignoring
from gpuval.table.contingency import Contingency
from gpuval.table.labelings import read_labelings


class AskedOfAnnData(NamedTuple):
    """What is to be evaluated by what, by the names of columns and keys."""

    label: str | None
    clusterings: Any
    embedding: str | None
    metrics: Any
    by: str | None
    groups: str | None
    sample_weight: str | None
    ignore_labels: Ignored
    confidence_level: float | None
    n_resamples: int
    random_state: Any

    def with_metrics_listed(self) -> AskedOfAnnData:
        """The same with measures that can be read twice."""
        return self._replace(metrics=list(self.metrics)) if isinstance(self.metrics, Iterator) else self

    def check(self, names: Any) -> AskedOfBoth:
        """Check what is told before anything is read, and tell external measures from internal ones."""
        beside = {"label": self.label, "by": self.by, "groups": self.groups, "sample_weight": self.sample_weight}
        for argument, name in beside.items():
            if name is not None:
                check_obs_column(name, argument, names)
        if self.label is None and self.embedding is None:
            raise TypeError("label must be a column of adata.obs, got None; without label, embedding= must be given")
        with called(**{"labels_true must": "label must", "X must": "embedding must"}):
            asked = read_external_and_internal(
                self.metrics,
                has_truth=self.label is not None,
                has_weights=self.sample_weight is not None,
                has_samples=self.embedding is not None,
            )
            read_intervals(self.confidence_level, self.groups, self.n_resamples, self.random_state)
        return asked


class ReadOfAnnData(NamedTuple):
    """What was read."""

    clusters: Mapping[str, Any]
    columns: Mapping[str | None, Any]
    """Those beside the clusterings, by their names; None for what is not asked for."""
    X: Any
    titles: Mapping[str, str]
    """What messages call each argument of the library."""


def checked_names(adata: Any) -> Any:
    """The names of the columns of what is annotated."""
    check_annotated(adata)
    return column_names(adata)


def read_anndata(adata: Any, asked: AskedOfAnnData, names: Any, measures: AskedOfBoth) -> ReadOfAnnData:
    """Read the columns and the embedding that are named, and no others."""
    beside = asked.label, asked.by, asked.groups, asked.sample_weight
    columns = {None: None} | read_columns(adata, beside)
    why_unfit = _lack_of_names(columns, asked) if compares_names(measures.external.values()) else None
    clusters = read_clusterings(adata, asked.clusterings, names, beside, asked.ignore_labels.pred, why_unfit)
    _check_values(columns, asked.by, asked.groups)
    titles = {f"labelings[{name!r}]": title_of(name) for name in clusters}
    titles |= _titles_beside(asked)
    X = None
    if asked.embedding is not None:
        X, titles["X"] = read_embedding(adata, asked.embedding)
    return ReadOfAnnData(clusters, columns, X, titles)


def _titles_beside(asked: AskedOfAnnData) -> dict[str, str]:
    titles = {"labels_true": "label" if asked.label is None else title_of(asked.label)}
    return titles | ({} if asked.sample_weight is None else {"sample_weight": title_of(asked.sample_weight)})


def _lack_of_names(columns: Mapping[str | None, Any], asked: AskedOfAnnData) -> Callable[[str, Any], str | None]:
    """What is wrong with a column whose labels are to be compared by their names; None if nothing is."""

    def lack(name: str, column: Any) -> str | None:
        options = {"sample_weight": columns[asked.sample_weight], "ignore_labels": asked.ignore_labels}
        titles = {"labels_pred": title_of(name)} | _titles_beside(asked)
        with called(**titles):
            table = Contingency.from_labels(columns[asked.label], column, **options)
        try:
            check_same_names(table)
        except ValueError:
            others = titles["labels_true"]
            return (
                f"{title_of(name)} must have a label of {others}, got none; cohen_kappa_score compares their names: "
                "give the clusters the names of classes, or leave it out"
            )
        return None

    return lack


def _check_values(columns: Any, *names: str | None) -> None:
    """Check that columns say of every cell what it belongs to."""
    with without_ignoring():
        read_labelings({title_of(name): columns[name] for name in names if name is not None}, None, None, None, None)
