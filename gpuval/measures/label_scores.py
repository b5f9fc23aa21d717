"""Named tuples of labels and their scores: how they are printed, and how they become pandas objects."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gpuval.display.tables import columns_of_labels
from gpuval.display.text import align_columns, number_text
from gpuval.engines.backends import to_host
from gpuval.inputs.options import require_extra
from gpuval.numerics import NDArray
from gpuval.table.labels import label_index

_LABELS = {"classes": "class", "clusters": "cluster", "labels": "label", "queries": "query"}
"""The fields of labels, and what one of them is called."""

_OF_EACH = {
    "counts": "count",
    "label_batches": "batches",
    "label_scores": "score",
    "label_standard_errors": "standard_error",
    "query_scores": "score",
    "scores": "score",
}
"""The fields that have a number for each label, and what one of them is called; other fields are of all labels."""


class ClassScores(NamedTuple):
    """The score of each class. It is a named tuple of ``classes`` and ``scores``, which prints as a table."""

    classes: Any
    """The sorted classes, shape (n_classes,): of NumPy, or of the library of the scores if they are numbers."""
    scores: Any
    """The score of each class, shape (..., n_classes); leading dimensions are a batch of tables."""

    def to_pandas(self) -> Any:
        """The scores as a pandas Series, by class (copies to the host)."""
        return pandas_by_label(self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray:
        """The scores only, for NumPy functions (copies to the host if they are on a device)."""
        return np.array(to_host(self.scores), dtype=dtype, copy=copy)

    def __repr__(self) -> str:
        return text_by_label(self)


class ClusterScores(NamedTuple):
    """The score of each cluster. It is a named tuple of ``clusters`` and ``scores``, which prints as a table."""

    clusters: Any
    """The sorted clusters, shape (n_clusters,): of NumPy, or of the library of the scores if they are numbers."""
    scores: Any
    """The score of each cluster, shape (..., n_clusters); leading dimensions are a batch of tables."""

    def to_pandas(self) -> Any:
        """The scores as a pandas Series, by cluster (copies to the host)."""
        return pandas_by_label(self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray:
        """The scores only, for NumPy functions (copies to the host if they are on a device)."""
        return np.array(to_host(self.scores), dtype=dtype, copy=copy)

    def __repr__(self) -> str:
        return text_by_label(self)


class BestClassScores(NamedTuple):
    """The best class of each cluster and its score. It is a named tuple of three arrays, which prints as a table."""

    clusters: Any
    """The sorted clusters, shape (n_clusters,): of NumPy, or of the library of the scores if they are numbers."""
    classes: Any
    """The best class of each cluster, shape (..., n_clusters): its label, or -1 for a cluster without samples."""
    scores: Any
    """The score of each cluster, shape (..., n_clusters); leading dimensions are a batch of tables."""

    def to_pandas(self) -> Any:
        """The classes and the scores as a pandas DataFrame, by cluster (copies to the host)."""
        return pandas_by_label(self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray:
        """The scores only, for NumPy functions (copies to the host if they are on a device)."""
        return np.array(to_host(self.scores), dtype=dtype, copy=copy)

    def __repr__(self) -> str:
        return text_by_label(self)


class LabelScores(NamedTuple):
    """The score of each label. It is a named tuple of ``labels`` and ``scores``, which prints as a table."""

    labels: Any
    """The sorted labels, shape (n_labels,): of NumPy, or of the library of the scores if they are numbers."""
    scores: Any
    """The score of each label, shape (n_labels,)."""

    def to_pandas(self) -> Any:
        """The scores as a pandas Series, by label (copies to the host)."""
        return pandas_by_label(self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray:
        """The scores only, for NumPy functions (copies to the host if they are on a device)."""
        return np.array(to_host(self.scores), dtype=dtype, copy=copy)

    def __repr__(self) -> str:
        return text_by_label(self)


def pandas_by_label(result: Any) -> Any:
    """A named tuple as a pandas object, by label: a Series if there is one number for each label, else a DataFrame.

    If there are several fields of labels, the first one is the index.
    """
    with require_extra("to_pandas()", "pandas"):
        import pandas as pd

    fields = result._asdict()
    first, *others = (name for name in fields if name in _LABELS)
    numbers = {_OF_EACH[name]: to_host(x) for name, x in fields.items() if name in _OF_EACH}
    shape = next(iter(numbers.values())).shape
    if len(shape) != 1:
        raise ValueError(f"to_pandas() needs the scores of a single table, got a batch of shape {shape[:-1]}")
    index = label_index(pd, fields[first], _LABELS[first])
    columns = {_LABELS[name]: label_index(pd, fields[name], _LABELS[name]) for name in others} | numbers
    if len(columns) == 1:
        ((name, values),) = columns.items()
        return pd.Series(values, index=index, name=name, copy=True)
    return pd.DataFrame(columns, index=index, copy=True)


def text_by_label(result: Any) -> str:
    """The text of a named tuple: a table by label, below its other fields; in plain form if values are not known."""
    try:
        return _table(result)
    except Exception:  # inside a compiled graph, and of a tree of something else than arrays
        return f"{type(result).__name__}({', '.join(f'{name}={x!r}' for name, x in result._asdict().items())})"


def _table(result: Any) -> str:
    fields = {name: to_host(x) for name, x in result._asdict().items()}
    labels = {_LABELS[name]: x for name, x in fields.items() if name in _LABELS}
    numbers = {_OF_EACH[name]: x for name, x in fields.items() if name in _OF_EACH}
    if any(x.shape != next(iter(labels.values())).shape for x in (labels | numbers).values()):
        raise ValueError("scores of a batch have more dimensions than their labels")
    of_each = columns_of_labels([*labels, *numbers], [*labels.values(), *numbers.values()], len(labels))
    of_all = [[name, number_text(x.item())] for name, x in fields.items() if name not in _LABELS | _OF_EACH]
    return "\n\n".join(["\n".join(map("  ".join, align_columns(of_all))), of_each] if of_all else [of_each])
