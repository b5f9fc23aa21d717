"""The result of ``gpuval.multilabel.evaluate``: scores of classes and averages, which print as a table."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gpuval.display.mappings import NamedResults, Shown, ShownTable
from gpuval.display.safe_text import shown_name
from gpuval.engines.backends import to_host
from gpuval.engines.backends.trees import as_tree
from gpuval.evaluation.multilabel.names import AskedLabelMeasure, canonical
from gpuval.evaluation.results.scores import ByMeasure, equal, plain, printed
from gpuval.inputs.options import needed
from gpuval.metrics._common.result import finished
from gpuval.numerics import Array
from gpuval.table.labels import pandas_index

__all__ = ["MultilabelScores"]

_MOST_CLASSES = 12
"""How many classes a table has at most before those in the middle are left out."""


class _OfClasses(ByMeasure[Any]):
    """The values of the classes, by the name of the measure."""

    def _full(self, name: Any) -> Any:
        return canonical(name) if isinstance(name, str) else name


@as_tree
@dataclass(frozen=True, eq=False, repr=False)
class MultilabelScores(NamedResults[str, Any]):
    """Scores of labels by names such as "f1_macro": the result of :func:`evaluate`. It prints as a table.

    A name consists of the name of the measure, or the one that a mapping gave it, and the average: "roc_auc_micro". If
    a measure has only one score, its name is enough: "log_loss". Other names of a measure find its scores, too:
    ``scores["auc_micro"]``. For JAX and PyTorch it is a tree of its numbers, so a function under ``jax.jit`` can return
    it. Two results are equal if they have the same names, the same scores and the same values of the classes, on
    whatever devices these are.

    Examples
    --------
    >>> from gpuval import multilabel
    >>> labels, scores = [[1, 0], [0, 1], [1, 1]], [[0.9, 0.2], [0.4, 0.1], [0.8, 0.7]]
    >>> found = multilabel.evaluate(labels, scores, metrics=["recall", "auc", "log_loss"], averages=["macro", "micro"])
    >>> found
           recall  roc_auc  support
    0      1.0000   1.0000        2
    1      0.5000   0.5000        2
    macro  0.7500   0.7500
    micro  0.7500   0.7500
    <BLANKLINE>
    log_loss  0.9959
    >>> round(float(found["auc_micro"]), 4), found.per_class["recall"], found.support
    (0.75, array([1. , 0.5]), array([2, 2]))
    """

    names: tuple[str, ...]
    """The names of the scores."""
    places: tuple[tuple[str, str | None], ...]
    """For each score the name of its measure and the average; None for a measure that has only one score."""
    values_of_names: list[Any]
    """The score of each name."""
    measures: tuple[str, ...]
    """The names of the measures that have a value for each class."""
    values_of_measures: list[Any]
    """For each of these measures the values of the classes, shape (n_classes,)."""
    support: Any
    """How many samples have each class, or their weight, shape (n_classes,)."""
    classes: Any
    """The name of each class."""

    @property
    def per_class(self) -> Mapping[str, Any]:
        """The values of the classes, shape (n_classes,), by the name of each measure that has such values."""
        return _OfClasses(dict(zip(self.measures, self.values_of_measures, strict=True)))

    def __getitem__(self, name: Any) -> Any:
        for known in (name, self._full(name)):
            if known in self.names:
                return self.values_of_names[self.names.index(known)]
        raise KeyError(name)

    def _full(self, name: Any) -> Any:
        """The name of a score, of any that its measure has, with the average at its end."""
        if not isinstance(name, str):
            return name
        ends = (f"_{average}" for _, average in self.places if average is not None)
        end = next((x for x in ends if name.lower().endswith(x)), "")
        return canonical(name[: len(name) - len(end)]) + end

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        if isinstance(other, MultilabelScores) and not self._has_classes_of(other):
            return False
        return set(self) == set(other) and all(equal(score, other[name]) for name, score in self.items())

    def _has_classes_of(self, other: MultilabelScores) -> bool:
        """Whether the classes are the same, and their values."""
        own, others = self.per_class, other.per_class
        return (
            list(self.classes) == list(other.classes)
            and equal(self.support, other.support)
            and set(own) == set(others)
            and all(equal(own[name], others[name]) for name in own)
        )

    def _tables(self) -> Sequence[Shown]:
        n_classes, half = len(self.classes), _MOST_CLASSES // 2
        shown: list[int | None] = [*range(n_classes)]
        if n_classes > _MOST_CLASSES:
            shown = [*range(half), None, *range(n_classes - half, n_classes)]
        names = ["..." if i is None else shown_name(self.classes[i]) for i in shown]
        columns = self._columns(lambda values: _printed(values, shown), printed, "")
        rows = list(map(list, zip([*names, *self._rows_of_averages()], *columns.values(), strict=True)))
        tables = [ShownTable(["", *columns], rows)] if self.measures else []
        single = [[name, printed(score)] for name, score in self.single.items()]
        return [*tables, ShownTable(["", ""], single)] if single else tables

    def to_dict(self) -> dict[str, Any]:
        """The scores as Python numbers (copies to the host), without the values of the classes (:attr:`per_class`)."""
        return {name: plain(score) for name, score in self.items()}

    def to_pandas(self) -> Any:
        """The whole table as a pandas DataFrame (copies to the host).

        It has a row for each class and for each average, a column for each measure, and the column ``support``. A value
        is missing where a measure does not have the average. A measure with only one score has a column, too, with its
        score in the last row, "score".
        """
        with needed("to_pandas()", "pandas"):
            import pandas as pd

        columns = self._columns(plain, plain, None)
        rows = [*self.classes, *self._rows_of_averages(*["score"] * bool(self.single))]
        if self.single:
            missing = [None] * (len(rows) - 1)
            columns = {name: [*cells, None] for name, cells in columns.items()}
            columns |= {name: [*missing, plain(score)] for name, score in self.single.items()}
        support = columns.pop("support")
        is_real = any(isinstance(x, float) for x in support)
        index, names = (pandas_index(pd, x, tupleize_cols=False) for x in (rows, list(columns)))
        table = pd.DataFrame(columns, index=index, columns=names, dtype="float64")
        table["support"] = pd.array(support, dtype="Float64" if is_real else "Int64")
        return table

    @property
    def averages(self) -> tuple[str, ...]:
        """The averages that the scores have."""
        return tuple(dict.fromkeys(average for _, average in self.places if average is not None))

    def _rows_of_averages(self, *others: str) -> list[str]:
        """What rows below those of the classes are called: otherwise than a class."""
        classes = set(map(shown_name, self.classes))
        return [f"{name} (of all)" if name in classes else name for name in (*self.averages, *others)]

    @property
    def single(self) -> dict[str, Any]:
        """The scores of the measures that have only one score."""
        scores = zip(self.names, self.places, self.values_of_names, strict=True)
        return {name: score for name, (_, average), score in scores if average is None}

    def for_tree(self) -> MultilabelScores:
        """The scores that are taken apart into a tree: with the names of the classes in a tuple, which is no array."""
        return self if isinstance(self.classes, range) else replace(self, classes=tuple(self.classes))

    @classmethod
    def of_measures(
        cls,
        asked: Mapping[str, AskedLabelMeasure],
        names: Mapping[str, tuple[str, str | None]],
        value: Callable[[str, str | None], Array],
        support: Array,
        classes: Sequence[Any],
        given: Array,
    ) -> MultilabelScores:
        """The scores of some names, each with its measure and average, as ``score_names`` gives them.

        ``value`` finds the score of a measure and an average, None for the values of the classes, or for the one score
        of a measure that has no others; these go to the library and the device of ``given``.
        """
        measures = tuple(name for name, one in asked.items() if one.definition.averages)
        return cls(
            tuple(names),
            tuple(names.values()),
            [finished(value(*place), given) for place in names.values()],
            measures,
            [finished(value(name, None), given) for name in measures],
            finished(support, given),
            classes,
        )

    def _columns(
        self, of_classes: Callable[[Any], list[Any]], of_score: Callable[[Any], Any], missing: Any
    ) -> dict[str, list[Any]]:
        """For each measure with values of the classes the cells of these, and of each average; then the support."""
        scores = dict(zip(self.places, self.values_of_names, strict=True))
        columns = {}
        for measure, values in zip(self.measures, self.values_of_measures, strict=True):
            places = [(measure, average) for average in self.averages]
            columns[measure] = of_classes(values) + [of_score(scores[x]) if x in scores else missing for x in places]
        return columns | {"support": of_classes(self.support) + [missing] * len(self.averages)}


def _printed(values: Any, shown: Sequence[int | None]) -> list[str]:
    """Values of some classes, and dots for None; of arrays without values yet, inside jax.jit, what they say."""
    with contextlib.suppress(TypeError, RuntimeError):
        values = to_host(values)
    return ["..." if i is None else printed(values[..., i]) for i in shown]
