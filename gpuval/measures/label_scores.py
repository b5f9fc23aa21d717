"""Named tuples of labels and their scores: how they are printed, and how they become pandas objects."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from gpuval.display.digits import for_terminal
from gpuval.display.tables import columns_of_labels, short_label
from gpuval.display.text import WIDTH, align_columns, number_text, text_width
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

_SPREAD_OUT = ("label_scores", "scores")
"""The fields whose spread is printed, if there are at least as many scores:"""
FEWEST_SPREAD = 3
_LONGEST_LABEL = 16
"""In the line of the spread."""


class ScoreSpread(NamedTuple):
    """How far the scores of some labels lie apart. Each label counts the same; undefined scores (NaN) are left out."""

    mean: float
    """The mean of the scores; NaN if there is none. It is the macro average if each label has samples."""
    standard_deviation: float
    """The root of the mean squared deviation from the mean; NaN for fewer than two scores.

    The divisor is the number of scores, n, and not n - 1: the labels are all that there are, and no sample of others.
    """
    least: float
    """The lowest score; NaN if there is none."""
    least_label: Any
    """The first label that has it; None if there is none."""
    most: float
    """The highest score; NaN if there is none."""
    most_label: Any
    """The first label that has it; None if there is none."""
    n_undefined: int
    """How many labels have no score."""


class ClassScores(NamedTuple):
    """The score of each class. It is a named tuple of ``classes`` and ``scores``, which prints as a table."""

    classes: Any
    """The sorted classes, shape (n_classes,): of NumPy, or of the library of the scores if they are numbers."""
    scores: Any
    """The score of each class, shape (..., n_classes); leading dimensions are a batch of tables."""

    def to_pandas(self) -> Any:
        """The scores as a pandas Series, by class (copies to the host)."""
        return pandas_by_label(self)

    def spread(self) -> ScoreSpread:
        """The mean of the scores, their standard deviation, the lowest and the highest (copies to the host)."""
        return spread_of(self.classes, self.scores)

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

    def spread(self) -> ScoreSpread:
        """The mean of the scores, their standard deviation, the lowest and the highest (copies to the host)."""
        return spread_of(self.clusters, self.scores)

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

    def spread(self) -> ScoreSpread:
        """The mean of the scores, their standard deviation, the lowest and the highest (copies to the host)."""
        return spread_of(self.clusters, self.scores)

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

    def spread(self) -> ScoreSpread:
        """The mean of the scores, their standard deviation, the lowest and the highest (copies to the host)."""
        return spread_of(self.labels, self.scores)

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


def spread_of(labels: Any, scores: Any) -> ScoreSpread:
    """How far the scores of labels lie apart (copies to the host)."""
    values = to_host(scores)
    if values.ndim != 1:
        raise ValueError(f"spread() needs the scores of a single table, got a batch of shape {values.shape[:-1]}")
    values = values.astype(np.float64)
    places = np.flatnonzero(~np.isnan(values))
    some = values[places]
    if not some.size:
        return ScoreSpread(np.nan, np.nan, np.nan, None, np.nan, None, len(values))
    least, most = places[some.argmin()], places[some.argmax()]
    with np.errstate(all="ignore"):  # of infinite scores
        mean, deviation = float(some.mean()), float(some.std()) if some.size > 1 else np.nan
    ends = [(float(values[place]), _label_at(labels, place)) for place in (least, most)]
    return ScoreSpread(mean, deviation, *ends[0], *ends[1], len(values) - len(some))


def _label_at(labels: Any, place: int) -> Any:
    """A label as a value of Python, but for times."""
    label = labels[place] if isinstance(labels, range | tuple | list) else to_host(labels)[place]
    return label.item() if isinstance(label, np.generic) and label.dtype.kind not in "mM" else label


def text_by_label(result: Any) -> str:
    """The text of a named tuple: a table by label, below its other fields; in plain form if values are not known.

    Below the table of three scores of labels or more is their spread.
    """
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
    spread = next((_spread_text(fields, name) for name in _SPREAD_OUT if name in fields), "")
    parts = ["\n".join(map("  ".join, align_columns(of_all)))] * bool(of_all) + [of_each] + [spread] * bool(spread)
    return "\n\n".join(parts)


def _spread_text(fields: dict[str, Any], of_each: str) -> str:
    """One line of the spread of the scores, or two where that is too wide; none of few scores."""
    kind = next(name for name in fields if name in _LABELS)
    spread = spread_of(fields[kind], fields[of_each])
    n_scores = len(fields[of_each]) - spread.n_undefined
    if n_scores < FEWEST_SPREAD:
        return ""
    mean, deviation, least, most = map(number_text, (spread.mean, spread.standard_deviation, spread.least, spread.most))
    undefined = f"; {spread.n_undefined} without a score" if spread.n_undefined else ""
    first = f"{n_scores} {kind}: mean {mean}, sd {deviation}{undefined}"
    least_label, most_label = (short_label(x, _LONGEST_LABEL) for x in (spread.least_label, spread.most_label))
    second = f"least {least} ({least_label}), most {most} ({most_label})"
    line = f"{first}; {second}"
    return for_terminal(line if text_width(line) <= WIDTH else f"{first}\n{second}")
