"""Scores of measures (a number, an array, or a tuple of these): how they print and compare, and counts beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuval.display.tables import Printable, ResultMapping, TextTable, Value
from gpuval.display.text import number_text, readable_name
from gpuval.engines.backends import backend_of, is_array, is_dask, to_host
from gpuval.inputs.options import require_extra
from gpuval.numerics import Array
from gpuval.registry.families import measure_named
from gpuval.table.labels import labels_on_host, pandas_index
from gpuval.table.table import Table


class ByMeasure(ResultMapping[Any, Value]):
    """What there is of each measure, by the name that it has; a short name finds that of its measure, too."""

    def __init__(self, found: Mapping[Any, Value]) -> None:
        self._found: dict[Any, Value] = dict(found)

    def __getitem__(self, name: Any) -> Value:
        full = name if name in self._found else self._full(name)
        return self._found[full if full in self._found else name]

    def _full(self, name: Any) -> Any:
        if not isinstance(name, str):
            return name
        measure = measure_named(name)
        return name if measure is None else measure.name

    def __iter__(self) -> Iterator[Any]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def _tables(self) -> Sequence[Printable]:
        rows = [[readable_name(name), one_line_text(found)] for name, found in self.items()]
        return [TextTable(["", ""], rows, left=(0, 1))]


def is_number(x: Any) -> bool:
    """Whether ``x`` is a number of Python or NumPy."""
    return isinstance(x, float | int) or (isinstance(x, np.generic) and x.dtype.kind in "biuf")


def is_score(x: Any) -> bool:
    """Whether ``x`` is what a measure may give."""
    if isinstance(x, tuple):
        return all(map(is_score, x))
    return is_number(x) or is_array(x)


def parts(scores: Mapping[Any, Any]) -> Iterator[tuple[Any, Any]]:
    """The scores by their names, and those of a tuple by ``name.part``: a field of a named one, else its place."""
    for name, score in scores.items():
        if isinstance(score, tuple):
            fields = getattr(score, "_fields", range(len(score)))
            yield from parts({f"{name}.{field}": x for field, x in zip(fields, score, strict=True)})
        else:
            yield name, score


def plain(score: Any) -> Any:
    """A score as a Python number, or nested lists of them (a copy to the host)."""
    return to_host(score).tolist() if _is_of_a_library(score) else score


def host_value(score: Any) -> Any:
    """A score as a number of Python or an array of NumPy; itself where it has no value yet, as inside jax.jit."""
    if not _is_of_a_library(score):
        return score
    try:
        host = to_host(score)
    except (TypeError, RuntimeError):  # those of jax.jit and of torch.func.vmap
        return score
    return host if host.ndim else host.item()


def score_line(score: Any) -> str:
    """A score in one line: as :func:`number_text` writes it, if it is a float."""
    value = host_value(score)
    return number_text(value) if isinstance(value, float) else one_line_text(value)


def short_number(x: Any) -> str:
    """A number of any library, as :func:`number_text` writes it."""
    return number_text(float(plain(x)))


def equal(x: Any, y: Any) -> bool:
    """Whether two scores are the same, wherever they are; NaN equals itself only."""
    if isinstance(x, tuple) and isinstance(y, tuple):
        return len(x) == len(y) and all(map(equal, x, y))
    return x is y or bool(plain(x) == plain(y))


def index_of_names(pd: Any, names: Iterable[Any], levels: Sequence[str] = ()) -> Any:
    """Names as an index of pandas; ``levels`` say what they are, and several that each name has a part of each.

    Tuples are its levels if all names are tuples of one length; else pandas would keep no more than the first parts.
    """
    names = list(names)
    lengths = {len(name) if isinstance(name, tuple) else 0 for name in names}
    if len(levels) > 1 or (len(lengths) == 1 and lengths != {0}):
        parts_of_names = list(zip(*names, strict=True)) or [() for _ in levels]
        columns = [pandas_index(pd, list(part), tupleize_cols=False) for part in parts_of_names]
        return pd.MultiIndex.from_arrays(columns, names=levels if len(levels) == len(columns) else None)
    index = pandas_index(pd, names, tupleize_cols=False)
    return index.rename(levels[0]) if len(levels) == 1 else index


def one_line_text(x: Any) -> str:
    """What is written of it, with a space wherever there are more, or a new line."""
    return " ".join(str(x).split())


def _is_of_a_library(x: Any) -> bool:
    return isinstance(x, np.generic) or is_array(x)


# The counts of an evaluation: its classes, its clusters and its samples.

_FEW = 1 << 12
"""Sizes of classes, or of clusters, that are kept until somebody asks how many there are."""


@dataclass(frozen=True, eq=False)
class SampleCounts:
    """How many classes, clusters and samples there are, as arrays or numbers: looked at when somebody asks."""

    classes: Any
    """Their number; or their sizes, where some may have no samples; None where there is no truth."""
    clusters: Any
    """The same of clusters."""
    total: Any
    """How many samples count, or what they weigh together."""
    n_given: int | None = None
    """How many samples there were, if that is known and none has a weight."""
    of_classes: tuple[Any, Any] | None = None
    """The labels of the classes and their sizes, if they are few; None where there is no truth."""

    @classmethod
    def of_table(cls, table: Table, n_given: int | None = None) -> SampleCounts | None:
        """What a table has counted; None for a batch of tables."""
        if len(table.shape) != 2:
            return None
        n_classes, n_clusters = table.shape
        of_classes = (table.classes, table.class_sizes) if n_classes <= _FEW else None
        if table.fixed:
            numbers = _sizes_or_number(table.class_sizes), _sizes_or_number(table.cluster_sizes)
            return cls(*numbers, table.total, n_given, of_classes)
        return cls(n_classes, n_clusters, table.total, n_given, of_classes)

    @classmethod
    def from_labeling(cls, table: Table, n_given: int | None = None) -> SampleCounts:
        """The same of one labeling, from its table with a single cluster: without classes."""
        n_labels = _sizes_or_number(table.class_sizes) if table.fixed else table.shape[0]
        return cls(None, n_labels, table.total, n_given)

    def numbers(self) -> dict[str, int | float] | None:
        """The counts by their names (copies to the host); None where arrays have no values yet, as inside jax.jit."""
        try:
            total = to_host(self.total).item()
            found: dict[str, int | float] = {} if self.classes is None else {"n_classes": _number_of(self.classes)}
            found |= {"n_clusters": _number_of(self.clusters), "n_samples": total}
        except (TypeError, RuntimeError):
            return None
        return found if self.n_given is None else found | {"n_dropped": self.n_given - total}

    def class_sizes(self) -> dict[Any, int | float]:
        """The size of each class by its label (copies to the host); empty where there are many, or no values yet."""
        if self.of_classes is None:
            return {}
        labels, sizes = self.of_classes
        try:
            return dict(zip(labels_on_host(labels).tolist(), to_host(sizes).tolist(), strict=True))
        except (TypeError, RuntimeError):
            return {}


def _sizes_or_number(sizes: Array) -> Array:
    """The sizes, if they are few; else how many are above 0, which does not keep them in memory."""
    return sizes if sizes.shape[0] <= _FEW else backend_of(sizes).count_true(sizes > 0)


def _number_of(sizes: Any) -> int:
    if isinstance(sizes, int):
        return sizes
    host = to_host(sizes)
    return int((host > 0).sum() if host.ndim else host)


def number_of_labels(labels: Any) -> int | None:
    """How many labels a vector has; None for what does not tell, such as a table, or an array of Dask."""
    shape = getattr(labels, "shape", None)
    if isinstance(labels, Table) or is_dask(labels):
        return None
    if shape is not None:
        return shape[0] if len(shape) == 1 else None
    return len(labels) if isinstance(labels, Sized) else None


def number_given(labels_true: Any, sample_weight: Any) -> int | None:
    """How many samples were given, if each counts once and the labels tell; else None."""
    return None if sample_weight is not None else number_of_labels(labels_true)


# The names of the counts that are shown next to the scores of a labeling.

COUNTS = ("n_classes", "n_clusters", "n_samples", "n_dropped")
"""The names of the counts, in the order in which they stand before scores."""


# A mapping from the names of measures to their results.


class ResultsByName(ByMeasure[Value]):
    """Results by the names of their measures, each with ``to_dict()``; prints as a table."""

    def to_pandas(self) -> Any:
        """The numbers as a pandas DataFrame with a row for each measure (copies to the host)."""
        with require_extra("to_pandas()", "pandas"):
            import pandas as pd

        rows = [result.to_dict() for result in self.values()]  # type: ignore[attr-defined]
        return pd.DataFrame(rows, index=pandas_index(pd, list(self), tupleize_cols=False))
