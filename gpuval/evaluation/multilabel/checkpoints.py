"""Checkpoints of labels and scores, which are checked before they change anything."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, moved
from gpuval.evaluation.multilabel.settings import MultilabelSettings
from gpuval.evaluation.multilabel.state import WAYS, Held, KeptRows, joined_rows, place_of_state, shapes_of
from gpuval.numerics import Array
from gpuval.streaming.checkpoints import check_names, has_samples, read_array, stored

_PARTS = "classes", "columns", "is_multiclass", "given"
_OTHERS = (*WAYS, *KeptRows._fields)
"""What a checkpoint of samples always has, and what some of them have."""

_KINDS = {"counts": "integer", "support": "integer", "bins": "integer", "broken": "bool"}
_WORDS = {"integer": "integers", "real": "floats", "bool": "booleans"}


def stored_held(held: Held) -> dict[str, Any]:
    """What is held, in arrays of the library of the batches; of NumPy, if that has no 64 bits for all that is kept."""
    given = held.given
    like = given if backend_of(given).widest(given).is_64bit else None
    state = {name: stored(x, like) for name, x in held.state.items() if name != "rows"}
    if "rows" in held.state:
        rows = joined_rows(held.state["rows"])._asdict()
        state |= {name: None if x is None else stored(x, like) for name, x in rows.items()}
    classes = len(held.classes) if isinstance(held.classes, range) else [_plain(x) for x in held.classes]
    columns = None if held.columns is None else [_plain(x) for x in held.columns]
    others = {"classes": classes, "columns": columns, "is_multiclass": held.is_multiclass, "given": stored(given)}
    return state | others


def read_held(state: Mapping[str, Any], settings: MultilabelSettings) -> Held | None:
    """What :func:`stored_held` gave, where batches of its library are kept; None if there are no samples."""
    if not has_samples(state, _PARTS, _OTHERS):
        return None
    given = read_array(state, "given", (0,))
    place = place_of_state(given)
    classes = _read_classes(state["classes"])
    shapes = shapes_of(settings, len(classes))
    found: dict[str, Any] = {
        name: moved(_read(state, name, shape, _KINDS.get(name, "real")), place)
        for name, shape in shapes.items()
        if name in state
    }
    missing = [x for x in shapes if x != "broken" and x not in found and x not in _alternatives(found)]
    check_names(state, missing)
    if settings.keeps_rows:
        found["rows"] = (_read_rows(state, len(classes), place),)
    columns = None if state["columns"] is None else tuple(state["columns"])
    return Held(found, classes, bool(state["is_multiclass"]), backend_of(given).copied(given), columns)


def _alternatives(found: Mapping[str, Any]) -> set[str]:
    """What may be missing beside these: whole numbers of batches beside real ones, and the other way round."""
    return {f"real_{name}" for name in found} | {name.removeprefix("real_") for name in found}


def _read_classes(classes: Any) -> Any:
    if isinstance(classes, int | np.integer) and not isinstance(classes, bool) and classes > 0:
        return range(int(classes))
    if isinstance(classes, list | tuple) and classes:
        return list(classes)
    raise ValueError(f"state must have classes as their number or their labels, got {classes!r}")


def _read(state: Mapping[str, Any], name: str, shape: tuple[int, ...] | None, kind: str) -> Array:
    x = read_array(state, name, shape)
    if backend_of(x).kind(x) != kind:
        raise ValueError(f"state must have {name} of {_WORDS[kind]}, got dtype {x.dtype}")
    return x


def _read_rows(state: Mapping[str, Any], n_classes: int, place: Array) -> KeptRows:
    check_names(state, ("scores", "labels", "weights"))
    scores = read_array(state, "scores")
    n = scores.shape[0] if len(scores.shape) == 2 else 0
    scores = read_array(state, "scores", (n, n_classes))
    labels = _read(state, "labels", (n, n_classes), "integer")
    weights = None if state["weights"] is None else read_array(state, "weights", (n,))
    return KeptRows(moved(scores, place), moved(labels, place), None if weights is None else moved(weights, place))


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label
