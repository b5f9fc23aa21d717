"""Adds up the states of labels and scores of all processes of ``torch.distributed``.

First each tells all others in a few numbers what it has; from these all draw the same conclusion, errors included.
"""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.backends import move_to
from gpuval.measures.means import place_of_sums
from gpuval.multilabel.settings import MultilabelSettings
from gpuval.multilabel.state import (
    MultilabelState,
    ScoreRows,
    State,
    join_rows,
    shapes_of,
    sum_of_states,
)
from gpuval.numerics import Array
from gpuval.streaming.processes import Processes, digest_of

_TYPES = ("bool", *(f"{sign}int{bits}" for bits in (8, 16, 32, 64) for sign in ("", "u")), "float32", "float64")
"""The types that scores are exchanged in; those of half precision as 32 bits, which hold them exactly."""

_TYPES_OF = {"counts": "int64", "support": "int64", "bins": "int64", "broken": "uint8"}
"""The types that arrays are exchanged in; those that are missing as floats."""

_WEIGHTS = ("nothing", "int64", "float64")


class _Header(NamedTuple):
    """What a process has, in numbers."""

    settings: int
    has_some: int = 0
    n_classes: int = 0
    are_numbered: int = 1
    columns: int = 0
    """A number that stands for the columns of data frames; 0 for none."""
    is_multiclass: int = 1
    names: int = 0
    """A bit for each name of a state that is there."""
    n_rows: int = 0
    type_of_scores: int = 0
    type_of_weights: int = 0


def gather_state(
    settings: MultilabelSettings, held: MultilabelState | None, given: Array | None, group: Any
) -> MultilabelState | None:
    """What all processes hold, where ``given`` lies (in PyTorch, if there is none); None if none holds anything."""
    processes = Processes(group, given)
    rows = None if held is None or "rows" not in held.state else join_rows(held.state["rows"])
    own = _header(settings, held, rows)
    numbers = processes.gather(processes.tensor(np.asarray(own, dtype=np.int64)))
    headers = [_Header(*x.tolist()) for x in numbers]
    _check(settings, headers)
    having = [x for x in headers if x.has_some]
    if not having:
        return None
    n_classes = having[0].n_classes
    states = _exchange_arrays(settings, {} if held is None else held.state, n_classes, headers, processes)
    kept = _exchange_rows(rows, n_classes, headers, processes) if settings.keeps_rows else [None] * len(headers)
    if given is None:
        given = processes.tensor(np.zeros(0, dtype=np.int64))
    place = place_of_sums(given)
    for state, part in zip(states, kept, strict=True):
        if part is not None:
            state["rows"] = (part,)
    parts = [{name: _move(x, place) for name, x in state.items()} for state in states]
    is_multiclass = all(x.is_multiclass for x in having)
    columns = None if held is None else held.columns
    return MultilabelState(functools.reduce(sum_of_states, parts), range(n_classes), is_multiclass, given, columns)


def _header(settings: MultilabelSettings, held: MultilabelState | None, rows: ScoreRows | None) -> _Header:
    header = _Header(digest_of(tuple(settings.as_dict().items())))
    if held is None:
        return header
    names = sum(1 << i for i, name in enumerate(shapes_of(settings, 1)) if name in held.state)
    header = header._replace(
        has_some=1,
        n_classes=held.n_classes,
        are_numbered=int(isinstance(held.classes, range)),
        columns=0 if held.columns is None else digest_of(held.columns),
        is_multiclass=int(held.is_multiclass),
        names=names,
    )
    if rows is None:
        return header
    weights = "nothing" if rows.weights is None else _exchange_type(rows.weights)
    return header._replace(
        n_rows=int(rows.scores.shape[0]),
        type_of_scores=_TYPES.index(_exchange_type(rows.scores)),
        type_of_weights=_WEIGHTS.index(weights.replace("int32", "int64").replace("float32", "float64")),
    )


def _exchange_type(x: Array) -> str:
    name = str(x.dtype).rpartition(".")[2]
    return name if name in _TYPES else "float32"


def _check(settings: MultilabelSettings, headers: list[_Header]) -> None:
    """Check that what the processes have goes together."""
    if len({x.settings for x in headers}) > 1:
        raise ValueError(f"{', '.join(settings.as_dict())} must be the same in all processes, got different ones")
    having = [x for x in headers if x.has_some]
    if not all(x.are_numbered for x in having):
        raise ValueError(
            "n_classes must be given for one label for each sample in several processes, for labels from 0 to below "
            "it, got None"
        )
    sizes = sorted({x.n_classes for x in having})
    if len(sizes) > 1:
        raise ValueError(f"y_true must have as many classes in all processes, got {', '.join(map(str, sizes))}")
    if len({x.columns for x in having} - {0}) > 1:
        raise ValueError("y_true must have the same columns in all processes, got different ones")
    types = sorted({_TYPES[x.type_of_scores] for x in having if x.n_rows})
    if len(types) > 1 and not all(x.startswith("float") for x in types):
        raise TypeError(f"y_score must have one dtype in all processes, got {' and '.join(types)}")


def _exchange_arrays(
    settings: MultilabelSettings, own: State, n_classes: int, headers: list[_Header], processes: Processes
) -> list[State]:
    """The arrays of all processes, by their names, but rows."""
    states: list[State] = [{} for _ in headers]
    for i, (name, shape) in enumerate(shapes_of(settings, n_classes).items()):
        has_it = [bool(x.names >> i & 1) for x in headers]
        if not any(has_it):
            continue
        dtype = _TYPES_OF.get(name, "float64")
        x = own.get(name, np.zeros(shape, dtype=dtype))
        for state, part, is_there in zip(states, processes.gather(processes.tensor(x, dtype)), has_it, strict=True):
            if is_there:
                state[name] = part != 0 if name == "broken" else part
    return states


def _exchange_rows(
    rows: ScoreRows | None, n_classes: int, headers: list[_Header], processes: Processes
) -> list[ScoreRows | None]:
    """The rows of all processes, which may be none; None of one that had no batch."""
    scores_as = _TYPES[max((x.type_of_scores for x in headers if x.n_rows), default=0)]
    weights_as = _WEIGHTS[max(x.type_of_weights for x in headers)]
    nothing = np.zeros(0, dtype=np.uint8)
    scores, labels, weights = (nothing, nothing, None) if rows is None else rows
    n_rows = [x.n_rows for x in headers]
    all_scores = processes.gather_numbers(scores, scores_as, [n * n_classes for n in n_rows])
    all_labels = processes.gather_numbers(labels, "uint8", [n * n_classes for n in n_rows])
    all_weights: list[Any] = [None] * len(headers)
    if weights_as != "nothing":
        lengths = [n if x.type_of_weights else 0 for n, x in zip(n_rows, headers, strict=True)]
        all_weights = processes.gather_numbers(nothing if weights is None else weights, weights_as, lengths)
    return [
        ScoreRows(x.reshape(-1, n_classes), y.reshape(-1, n_classes), w if header.type_of_weights else None)
        if header.has_some
        else None
        for x, y, w, header in zip(all_scores, all_labels, all_weights, headers, strict=True)
    ]


def _move(x: Any, place: Array) -> Any:
    """What was exchanged, where the state lies."""
    if isinstance(x, tuple):
        return tuple(ScoreRows(*(None if y is None else move_to(y, place) for y in rows)) for rows in x)
    return move_to(x, place)
