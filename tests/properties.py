"""The public measures of tables, with each option that changes what is promised of them: the rows ``MEASURES``.

What is promised is declared beside the formulas. ``checks`` has one function for each promise; each takes a row and two
labelings and raises AssertionError where the promise is broken.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from functools import cache
from itertools import product
from typing import Any

import numpy as np
from oracles import all_partitions

import gpuval
from gpuval import Contingency
from gpuval.measures.measure import Measure, declared, measures_in

OF_CHANCE = {"pair_count_moments", "standardized_mutual_info_score"}
"""Those that describe all permutations: their definitions take too long here, and are in `test_standardized`."""

COSTS = [[0.0, 1.0, 4.0], [0.5, 0.0, 2.0], [3.0, 1.0, 0.0]]
"""Costs of disagreement on three labels that no pattern makes."""


def without_labels(value: Any) -> Any:
    """A value, or of the scores of classes or clusters the array alone."""
    return value.scores if hasattr(value, "scores") else value


@dataclass(frozen=True, eq=False)
class Row(Measure):
    """What is declared of a measure with some options, and how tests call it."""

    @property
    def of_groups(self) -> bool:
        """Whether there is a value for each class or for each cluster."""
        return self.values in ("classes", "clusters", "best_classes")

    @property
    def groups(self) -> str:
        """Which of the two has a value each, if any has."""
        return "classes" if self.values == "classes" else "clusters"

    @property
    def symmetric(self) -> bool:
        """Whether exchanging the arguments changes nothing."""
        return self.exchanged == "same"

    @property
    def jits(self) -> bool:
        """Whether it can be traced: what needs no value on the host can."""
        return self.host_steps == 0

    def of_table(self, table: Contingency) -> Any:
        """The value of a table."""
        return without_labels(self.function(table, **self.options))

    def of_labels(self, labels_true: Any, labels_pred: Any, **building: Any) -> Any:
        """The value of two label vectors; of the one it is about, for a measure of one labeling."""
        if not self.of_one_labeling:
            return without_labels(self.function(labels_true, labels_pred, **self.options, **building))
        n_clusters = building.pop("n_clusters", None)
        if self.options.get("of") != "pred":
            return self.function(labels_true, **self.options, **building)
        if n_clusters is not None:
            building["n_classes"] = n_clusters
        return self.function(labels_pred, **self.options, **building)

    def __str__(self) -> str:
        return self.name + "".join(f"-{key}={value}" for key, value in self.options.items())


def rows_of(measure: Measure) -> Iterator[Row]:
    """A measure with all that is tried of it: each option with its default, which is left out, and with its values."""
    row = Row(**{x.name: getattr(measure, x.name) for x in fields(measure)})
    for options in product(*([{}, *({name: x} for x in values)] for name, values in measure.tried.items())):
        yield row.with_options({name: x for option in options for name, x in option.items()})  # type: ignore[misc]


NOT_MEASURES = {name for name in gpuval.__all__ if declared(getattr(gpuval, name)) is None}
"""The public names that are no measures."""

OF_TABLES = [x for x in measures_in(gpuval) if x.family.of_two and x.values != "samples" and x.name not in OF_CHANCE]
"""The measures of two label vectors whose definitions are in `oracles`."""

MEASURES = [row for measure in OF_TABLES for row in rows_of(measure)]

SCORES = [row for row in MEASURES if row.values not in ("matrix", "matching")]
"""The measures whose values are scores: floats that the oracles know."""


# ---- the checks ----------------------------------------------------------------------------------

Labels = Sequence[int]


def flat(value: Any) -> np.ndarray:
    """All numbers of a value."""
    parts = value if isinstance(value, tuple) else (value,)
    return np.concatenate([np.asarray(x).reshape(-1) for x in parts])


def defined(row: Row, value: Any) -> np.ndarray:
    """All numbers of a value but those of classes or clusters that have none."""
    found = flat(value).astype(float)
    return found[~np.isnan(found)] if np.isnan(row.of_nothing) else found


def same(x: Any, y: Any) -> bool:
    """Whether two values are the same, to the last bit."""
    x, y = flat(x), flat(y)
    return x.dtype == y.dtype and x.shape == y.shape and bool(np.all((x == y) | (x != x) & (y != y)))


def near(x: Any, y: Any, row: Row | None = None) -> bool:
    """Whether two values are the same but for rounding (and for order, where there is one for each group)."""
    x, y = flat(x), flat(y)
    if row is not None and row.of_groups:
        x, y = np.sort(x), np.sort(y)
    if x.shape != y.shape:
        return False
    return bool(np.all((np.abs(x - y) <= 2e-14 * np.maximum(1.0, np.abs(y))) | (x != x) & (y != y)))


_VALUES: dict[tuple[Any, ...], Any] = {}


def value_of(row: Row, true: Labels, pred: Labels) -> Any:
    """The value of two labelings, which all checks of a measure begin with: found once."""
    key = (row.function, str(row), row.of_one_labeling, tuple(true), tuple(pred))
    if key not in _VALUES:
        _VALUES[key] = row.of_labels(true, pred)
    return _VALUES[key]


@cache
def table_of_labels(true: tuple[int, ...], pred: tuple[int, ...], layout: str) -> Contingency:
    """The table of two labelings, made once for all measures."""
    return Contingency.from_labels(true, pred, layout=layout)


def check_bounds(row: Row, true: Labels, pred: Labels) -> None:
    value = defined(row, value_of(row, true, pred))
    assert np.all(np.isfinite(value)), f"{row}{true, pred} is {value}"
    assert np.all((row.range[0] <= value) & (value <= row.range[1])), f"{row}{true, pred} = {value} is out of bounds"


def check_best(row: Row, true: Labels, pred: Labels) -> None:
    """The same partition twice has the best value (if it has one value at all)."""
    if row.best is not None:
        assert row.identical in (None, row.best), f"{row}: identical partitions must be best"


def check_direction(row: Row, true: Labels, pred: Labels) -> None:
    """Of classes and clusters of the same sizes none are better than the same ones; of several values the mean is."""
    if row.better and not row.of_one_labeling:
        moved = [*true[1:], *true[:1]]
        same, other = (defined(row, row.of_labels(true, x)) for x in (true, moved))
        gain = (same.mean() - other.mean() if len(same) and len(other) else 0) * (1 if row.better == "higher" else -1)
        assert not gain < -1e-14, f"{row} of {true} and {moved} is better by {-gain} than of {true} twice"


def check_identical(row: Row, true: Labels, pred: Labels) -> None:
    twin = [7 - 2 * x for x in true] if not row.reads_names else true
    value = defined(row, row.of_labels(true, twin))
    if row.identical is not None:
        assert np.all(value == row.identical), f"{row} of {true} twice is {value}"


def check_exchanged(row: Row, true: Labels, pred: Labels) -> None:
    value, other = value_of(row, true, pred), row.of_labels(pred, true)
    match row.exchanged:
        case None:
            return
        case "same":
            assert near(value, other), f"{row}{true, pred} is {value}, and {other} with the arguments exchanged"
        case "negated":
            assert near(value, -other), f"{row}{true, pred} is {value}, and {other} with the arguments exchanged"
        case "transposed":
            assert np.array_equal(value, other.T), f"{row}{true, pred} is not transposed"
        case name, options:
            twin = without_labels(getattr(gpuval, name)(true, pred, **options))
            assert near(other, twin), f"{row}{pred, true} is {other}, and {name} with the arguments exchanged {twin}"


def check_relabelled(row: Row, true: Labels, pred: Labels) -> None:
    if not row.reads_names:
        renamed = [11 * (x % 3) - x for x in true], [1000 - 37 * x for x in pred]
        value, other = value_of(row, true, pred), row.of_labels(*renamed)
        assert near(other, value, row), f"{row}{true, pred} is {value}, and {other} with other names"


def check_order(row: Row, true: Labels, pred: Labels) -> None:
    """Unweighted results do not depend on the order of the samples, to the last bit."""
    shuffle = np.random.default_rng(len(true)).permutation(len(true))
    value = value_of(row, true, pred)
    other = row.of_labels([true[i] for i in shuffle], [pred[i] for i in shuffle])
    assert same(value, other), f"{row}{true, pred} is {value}, and {other} with the samples shuffled"


def check_weights(row: Row, true: Labels, pred: Labels) -> None:
    """An integer weight counts as that many samples (none, too)."""
    weights = [(3 * i + 1) % 4 for i in range(len(true))]
    repeated = [[x for x, times in zip(labels, weights, strict=True) for _ in range(times)] for labels in (true, pred)]
    value = row.of_labels(true, pred, sample_weight=np.asarray(weights, dtype=np.int64))
    other = row.of_labels(*repeated)
    assert same(value, other), f"{row}{true, pred} is {value} weighted, and {other} repeated"


def check_counts(row: Row, true: Labels, pred: Labels) -> None:
    """Weights that are no whole numbers are an error where a measure needs counts, and nowhere else."""
    if len(true) == 0:
        return
    message = None
    try:
        row.of_labels(true, pred, sample_weight=np.full(len(true), 0.5))
    except ValueError as error:
        message = str(error)
    if row.needs_counts:
        assert message is not None, f"{row} takes halves of samples"
        assert "count" in message, f"{row} says {message}"
    else:
        assert message is None, f"{row} says {message}"


def check_layouts(row: Row, true: Labels, pred: Labels) -> None:
    """Both layouts of the table, and the labels themselves, give the same value."""
    direct = value_of(row, true, pred)
    for layout in ("dense", "cells"):
        value = row.of_table(table_of_labels(tuple(true), tuple(pred), layout))
        assert type(value) is type(direct), f"{row}{true, pred} is {direct!r}, and {value!r} of the {layout}"
        assert near(value, direct), f"{row}{true, pred} is {direct}, and {value} of the {layout}"


def check_kind(row: Row, true: Labels, pred: Labels) -> None:
    """One number is a Python float; the others are what ``values`` says."""
    value = value_of(row, true, pred)
    if row.values == "one":
        assert isinstance(value, float), f"{row} is a {type(value)}"
    elif row.values in ("several", "matching"):
        assert isinstance(value, tuple), f"{row} is a {type(value)}"
        assert len(value) == 3, f"{row} has {len(value)} parts"
    elif row.of_groups:
        groups = set(true if row.values == "classes" else pred)
        assert value.shape == (len(groups),), f"{row} has the shape {value.shape}"
    else:
        assert row.values == "matrix", f"{row.values} is no kind of value"
        assert isinstance(value, np.ndarray), f"{row} is a {type(value)}"
        assert value.ndim == (1 if row.name == "normalizing_permutation" else 2), f"{row} has the shape {value.shape}"


def check_arguments(row: Row, true: Labels, pred: Labels) -> None:
    first = "labels" if row.of_one_labeling else "labels_true"
    parameters = list(inspect.signature(row.function).parameters)
    assert parameters[0] == first, f"{row} takes {parameters}"
    assert ("labels_pred" in parameters) != row.of_one_labeling, f"{row} takes {parameters}"


CHECKS: dict[str, Callable[[Row, Labels, Labels], None]] = {
    name.removeprefix("check_"): value for name, value in list(globals().items()) if name.startswith("check_")
}
"""The checks by the name of what they check."""


def by_module(rows: Iterable[Row]) -> dict[str, list[Row]]:
    """The rows of the measures of each module."""
    found: dict[str, list[Row]] = {}
    for row in rows:
        found.setdefault(row.function.__module__.rpartition(".")[2], []).append(row)
    return found


def scores_of(rows: list[Row], true: Any, pred: Any, **building: Any) -> dict[str, Any]:
    """Each row of one table of the labels; of the labels themselves the first row of each way to read them.

    All measures of two vectors read them in one way, and each measure of one labeling reads either of them. The table
    keeps what its statistics find: each of them is traced once, and not once a row.
    """
    table = Contingency.from_labels(true, pred, **building).with_results()
    found, ways = {}, set()
    for row in rows:
        way = (row.name, row.options.get("of")) if row.of_one_labeling else "two vectors"
        found[str(row)] = row.of_table(table) if way in ways else row.of_labels(true, pred, **building)
        ways.add(way)
    return found


SMALL = [pair for n in range(5) for pair in product(all_partitions(n), repeat=2)]
"""All pairs of partitions of up to 4 items: enough to refute nearly every false promise."""
