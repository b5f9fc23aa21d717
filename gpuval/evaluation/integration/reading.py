"""The input of integration scores, read and checked before anything is computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, get_args

from gpuval.engines.backends import backend_of, to_host
from gpuval.evaluation.integration.search import read_n_neighbors
from gpuval.geometry.moments import listed
from gpuval.geometry.neighbors.graphs.components import Connection
from gpuval.geometry.progress import import_tqdm
from gpuval.inputs.limits import check_size
from gpuval.inputs.matrices.features import check_finite, read_features
from gpuval.inputs.matrices.integers import in_floats
from gpuval.inputs.options import check_option, check_probability, generator
from gpuval.metrics._common.naming import without_ignoring
from gpuval.metrics.integration.isolated_labels import isolated_labels_score
from gpuval.metrics.internal._result import OnDegenerate
from gpuval.numerics import Array
from gpuval.table.labelings import Labeling, read_labelings


class Options(NamedTuple):
    """How scores are found."""

    n_neighbors: tuple[int, int, int]
    connection: Connection
    alpha: float
    most_batches: int | None
    random_state: Any
    progress: bool


class EmbeddedCells(NamedTuple):
    """An embedding of cells."""

    X: Any
    """As it was given."""
    like: Array
    """What scores are like."""
    rows: Any
    """Finite floats, or a sparse matrix of such."""


class Annotations(NamedTuple):
    """What is known of the cells, whatever their embedding is."""

    labels: Array
    """Integers that stand for ``names``."""
    batches: Array
    names: list[Any]
    clusterings: list[Labeling]
    """The labels, then each clustering; empty without clusterings."""
    isolated: Any
    """The isolated labels, as :func:`isolated_labels_score` gives them, by any score."""
    has_two_batches: bool
    """Whether there are so many, or more."""


def read_scoring_options(
    n_neighbors: Any, connection: Any, alpha: Any, most_batches: Any, random_state: Any, progress: Any
) -> Options:
    """The options, each checked as what takes it does."""
    numbers = read_n_neighbors(n_neighbors)
    check_option("connection", connection, get_args(Connection))
    level = check_probability("alpha", alpha)
    most = None if most_batches is None else check_size(most_batches, "most_batches")
    generator(random_state)
    if progress:
        import_tqdm()
    return Options(numbers, connection, level, most, random_state, progress)


def read_cells(X: Any) -> EmbeddedCells:
    """An embedding with a cell at least, all of them finite."""
    with without_ignoring():
        like, rows, _ = read_features(X, 0, False)
    if not rows.shape[0]:
        raise ValueError(f"X must have at least one cell, got shape {tuple(rows.shape)}")
    rows, _ = in_floats(rows, None, may_move=False, looks=True)
    check_finite(rows)
    return EmbeddedCells(X, like, rows)


def read_annotations(
    label: Any, batch: Any, clusterings: Mapping[str, Any], n_cells: int, most_batches: int | None
) -> Annotations:
    """Labels and batches as integers, clusterings by their names, and the isolated labels: once for all measures."""
    with without_ignoring():
        found = read_labelings({"label": label, "batch": batch}, None, None, None, None)
        if (size := found[0].vector.size) != n_cells:
            raise ValueError(f"label must have as many samples as X ({n_cells}), got {size}")
        labels, batches = (x.codes for x in found if x.codes is not None)
        named = {"label": labels.codes, **clusterings}
        several = read_labelings(named, None, None, None, None) if clusterings else []
    isolated = _isolated(labels.codes, batches.codes, most_batches)
    xp = backend_of(batches.codes).xp
    has_two_batches = bool(to_host(xp.any(batches.codes != batches.codes[:1])))
    return Annotations(labels.codes, batches.codes, listed(labels.values), several, isolated, has_two_batches)


def _isolated(labels: Array, batches: Array, most_batches: int | None) -> Any:
    """Which labels are isolated is the same for any score of theirs, such as one of the labels as a clustering."""
    if_none: OnDegenerate = "nan" if most_batches is None else "raise"
    return isolated_labels_score(
        labels, batches, clusterings=labels, most_batches=most_batches, on_degenerate=if_none, return_per_label=True
    )
