"""Tables of counts on the host, with functions and groups of samples, as users give them; and scores of many tables."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, is_dask, move_to, to_host
from gpuval.engines.cells import DenseCells
from gpuval.inputs.labels import check_indexes
from gpuval.measures.requests import Metrics, name_of
from gpuval.measures.result import hide_ignore_advice
from gpuval.metrics.external._metric import as_table
from gpuval.numerics import Array, NDArray
from gpuval.registry.families import measure_of
from gpuval.registry.requests import read_metric, read_metrics
from gpuval.results.inferences import ScoreEstimate
from gpuval.results.scores import is_number
from gpuval.table.contingency import Contingency
from gpuval.table.labelings import Labeling, read_labelings
from gpuval.table.resampling.cells import CellsNeededError, TablesWithoutCells, as_users_know_it, cells_on_host
from gpuval.table.resampling.joint import JointCells, joint_cells
from gpuval.table.table import Table


@dataclass(frozen=True, eq=False)
class ScoreFunctions:
    """The functions that are asked for."""

    functions: dict[Any, Callable[..., Any]]
    is_one: bool
    """Whether one was asked for, not a collection of them: then its result is given by itself."""


def read_asked(metrics: Metrics, options: dict[str, Any]) -> ScoreFunctions:
    """The functions that ``metrics`` stands for; options are for a single one."""
    if not (callable(metrics) or (isinstance(metrics, str) and metrics.lower() != "all")):
        if options:
            raise TypeError(
                f"{next(iter(options))}= is an option of one measure, got several; give functools.partial(measure, ...)"
            )
        return ScoreFunctions(read_metrics(metrics)[0], False)
    function = read_metric(metrics, "metrics must be names of measures", "functions of a table", options)
    return ScoreFunctions({name_of(function): with_options(function, options)}, True)


def with_options(function: Callable[..., Any], options: dict[str, Any]) -> Callable[..., Any]:
    """A measure with its options."""
    return functools.partial(function, **options) if options else function


@dataclass(frozen=True, eq=False)
class TableWithGroups:
    """A table of counts on the host, with listed cells, and the groups of its samples, if they were given."""

    table: Contingency
    like: Array
    """An array of the library, and on the device, of the labels."""
    groups: Any = None
    """The counts of each group in the cells of the table, shape (n_groups, n_cells): a sparse matrix of SciPy."""
    known_scores: dict[int, tuple[Any, float]] = field(default_factory=dict)
    """Each function whose score is known, by its id, and the score."""
    scores_without: dict[int, tuple[Any, NDArray]] = field(default_factory=dict)
    """Each function that was asked for, by its id, and its scores without each unit."""

    @property
    def n_units(self) -> int:
        """How many samples there are, or how many groups of them: what is drawn or left out."""
        return int(self.table.total) if self.groups is None else int(self.groups.shape[0])

    def scores(self, functions: Functions, argument: str = "metrics") -> dict[Any, float]:
        """The score of each function for all samples; those that are known are not computed again."""
        new = {name: x for name, x in functions.items() if id(x) not in self.known_scores}  # a user's may have no hash
        self.keep_scores(new, scores_of_all(new, self.table, argument))
        return {name: self.known_scores[id(x)][1] for name, x in functions.items()}

    def keep_scores(self, functions: Functions, scores: Mapping[Any, Any]) -> None:
        """Keep scores of this table: numbers of the host, by the names of their functions."""
        self.known_scores.update({id(functions[name]): (functions[name], float(x)) for name, x in scores.items()})

    def estimate(
        self,
        level: float,
        method: str,
        score: float,
        low: float,
        high: float,
        standard_error: float,
        bias: float,
        acceleration: float,
        replicates: NDArray | None = None,
    ) -> ScoreEstimate:
        """A score with its uncertainty, in the library and on the device of the labels."""
        numbers = [self.back(x) for x in (score, low, high, standard_error, bias, acceleration)]
        return ScoreEstimate(*numbers, level, method, None if replicates is None else self.back(replicates))  # type: ignore[call-arg]

    def back(self, x: Any) -> Any:
        """A number, or an array, of the host in the library and on the device of the labels."""
        return to_library(self.like, x)


def to_library(like: Array, x: Any) -> Any:
    """A number, or an array, of the host in the library and on the device of another array."""
    backend = backend_of(like)
    if backend.on_host:
        return np.float64(x) if np.ndim(x) == 0 else x
    return backend.from_host(np.asarray(x, dtype=np.float64), like)


def read_counted(
    use: str,
    labels_true: Any,
    labels_pred: Any,
    groups: Any,
    sample_weight: Any,
    ignore_labels: Any,
    n_classes: int | None,
    n_clusters: int | None,
) -> TableWithGroups:
    """The table of two label vectors, or the one that is given; ``use`` begins the messages about it."""
    if groups is None:
        table = as_table(labels_true, labels_pred, sample_weight, ignore_labels, n_classes, n_clusters)
        return TableWithGroups(cells_on_host(table, use), table.counts)
    if isinstance(labels_true, Contingency):
        raise TypeError("groups must be given with labels, got a table, which does not know them")
    if n_classes is not None or n_clusters is not None:
        raise TypeError("n_classes= and n_clusters= cannot be given with groups=, as the labels are looked at")
    labelings = read_with_groups(
        {"labels_true": labels_true, "labels_pred": labels_pred}, groups, sample_weight, ignore_labels
    )
    counted, _ = table_at_place(joint_cells(labelings), 0, 1, 2, labelings[0].vector.data)
    check_groups(counted.n_units)
    return counted


def check_groups(n_groups: int) -> None:
    """Check that there is more than one group to draw, or to leave out."""
    if n_groups < 2:
        raise ValueError(f"groups must have at least two values, got {n_groups}")


def table_at_place(
    joint: JointCells, row: int, column: int, groups: int | None, like: Array
) -> tuple[TableWithGroups, NDArray]:
    """The table of the labelings at two places, and to which of its cells each joint cell belongs.

    ``groups`` is the place of the groups of the samples, if there are any.
    """
    table, cell_of = joint.table(row, column)
    grouped = None if groups is None else _counts_of_groups(joint, groups, cell_of, len(table.counts))
    return TableWithGroups(table, like, grouped), cell_of


def read_with_groups(
    named: dict[str, Any], groups: Any, sample_weight: Any, ignore_labels: Any, name: str = "groups"
) -> list[Labeling]:
    """Labelings, first the true labels, and the group of each sample as the last of them; no group is ignored."""
    check_in_memory(f"with {name}", *named.values(), groups)
    labelings = read_labelings(named, sample_weight, ignore_labels, None, None, n_true=1)
    return labelings if groups is None else [*labelings, read_beside(labelings[0], named, groups, name)]


def read_beside(labeling: Labeling, named: Mapping[str, Any], values: Any, name: str) -> Labeling:
    """What there is of each sample beside its labels, such as its group; no value is ignored.

    ``named`` are all labels as they were given, and ``labeling`` is one of them.
    """
    with hide_ignore_advice():
        (others,) = read_labelings({name: values}, None, None, None, None)
    first, codes = labeling.vector, others.encoded
    if others.vector.size != first.size:
        raise ValueError(f"{name} must have as many samples as {first.name} ({first.size}), got {others.vector.size}")
    check_indexes(**named, **{name: values})
    if backend_of(codes.codes) is not first.backend:  # donors may be names, on the host, of cells on a GPU
        codes = replace(codes, codes=move_to(codes.codes, first.data))
    return replace(others, codes=codes)


def check_in_memory(use: str, *labels: Any) -> None:
    """Check that labels are no collections of Dask; ``use`` begins the message."""
    for each in labels:
        if is_dask(each):
            raise TypeError(f"{use} labels must be in memory, got {type(each).__name__}; compute() them")


def _counts_of_groups(joint: JointCells, place: int, cell_of: NDArray, n_cells: int) -> Any:
    """The counts of each group that occurs, which is the labeling at a place, in the cells of a table."""
    from scipy.sparse import coo_matrix

    _, group_of = np.unique(joint.codes[place], return_inverse=True)
    shape = int(group_of.max(initial=-1)) + 1, n_cells
    return coo_matrix((joint.counts, (group_of, cell_of)), shape=shape).tocsr()


# Scores of many tables: of a batch of them at once, or one after the other.


Functions = Mapping[Any, Callable[..., Any]]


@np.errstate(over="ignore", invalid="ignore")
def less(first: Any, second: Any, rounding: float = 2.0**-44) -> NDArray:
    """Scores less other scores; 0 where they are the same infinity, or the same but for rounding.

    ``rounding`` is what it may be of the smaller one of two, or of 1: so a number is never near an infinite one.
    """
    difference = np.asarray(first - second)
    near = np.abs(difference) <= rounding * np.maximum(1.0, np.minimum(np.abs(first), np.abs(second)))
    return np.where((first == second) | (near & np.isfinite(difference)), 0.0, difference)


def scores_of(functions: Functions, tables: Iterable[Contingency]) -> dict[Any, NDArray]:
    """The scores of each function for all tables, which come as single ones or as batches, shape (n_tables,)."""
    found: dict[Any, list[NDArray]] = {name: [] for name in functions}
    for table in tables:
        for name, function in functions.items():
            found[name].append(_scores(function, name, table))
    return {name: np.concatenate(parts) if parts else np.zeros(0) for name, parts in found.items()}


def scores_of_all(functions: Functions, table: Contingency, argument: str = "metrics") -> dict[Any, float]:
    """The score of each function for the table of all samples, with listed cells."""
    whole = as_users_know_it(table)
    return {name: _score_of(function, name, whole, argument) for name, function in functions.items()}


def _score_of(function: Callable[..., Any], name: Any, table: Contingency, argument: str = "metrics") -> float:
    """The score of one table: one number, or an error that names the argument and the function."""
    score = function(table)
    if not is_number(score) and getattr(score, "shape", None) != ():
        raise TypeError(f"{argument} must give one number for a table, got {type(score).__name__} from {name!r}")
    return float(score if is_number(score) else to_host(score))


def _scores(function: Callable[..., Any], name: Any, table: Contingency) -> NDArray:
    if len(table.shape) == 2:
        return np.asarray([_score_of(function, name, table)])
    if measure_of(function) is not None:
        return np.asarray(function(table), dtype=np.float64)
    return np.asarray([_score_of(function, name, single) for single in _singles(table)])


def scores_of_statistics(function: Callable[..., Any], batch: TablesWithoutCells) -> NDArray | None:
    """The scores of tables that have statistics alone; None if the function reads cells, or is a user's."""
    if measure_of(function) is None:
        return None
    try:
        return np.asarray(function(batch), dtype=np.float64)
    except CellsNeededError:
        return None


def _singles(batch: Contingency) -> Iterable[Contingency]:
    """Each table of a batch: users' functions may take one only."""
    for i, counts in enumerate(batch.counts):
        own = None if batch.self_pairs is None else batch.self_pairs[i]
        labels = batch.classes, batch.clusters
        table = Table.of(DenseCells(counts), *labels, fixed=True, self_pairs=own, scales=batch.scales)
        yield Contingency.from_table(table)
