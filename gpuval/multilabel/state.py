"""The state of batches of labels, which adds up: exact counts, compensated sums, and rows of scores."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gpuval.engines import engine_of
from gpuval.engines.backends import backend_of, move_to
from gpuval.inputs.labels import are_same_names
from gpuval.measures.means import place_of_sums
from gpuval.multilabel.counts import text_of_classes
from gpuval.multilabel.settings import MultilabelSettings
from gpuval.numerics import Array
from gpuval.numerics.stable import add_sums
from gpuval.streaming.checkpoints import check_names, checkpoint_array, has_samples, read_array

State = dict[str, Any]
"""What is known of samples, by name; a name that is missing stands for no samples.

counts: for each class the true and false positives and the false and true negatives, integers, shape (4, n_classes).
support: for each class how many samples have it, integers, shape (n_classes,).
bins: the positive and the negative entries by bin of their scores, integers, shape (2, n_classes, n_bins).
real_counts, real_support, real_bins: the same of real weights, compensated: a sum, and what rounding has left of it.
sums: of measures whose quotients add up the numerator, the denominator and the weight of the positive entries of each
class, compensated, shape (2, n_measures, 3, n_classes).
samples: of measures the sums of the values of samples, times weights, and of weights, compensated, (2, 2, n_measures).
broken: for each kind of predictions that was read for which classes something is wrong, shape (n_kinds, n_classes).
rows: the rows of all batches, a tuple of ``ScoreRows``.
"""

POSITIVE, NEGATIVE = 1, 2
"""What entries of rows are; 0 stands for those that do not count."""


class ScoreRows(NamedTuple):
    """The scores of some samples, what they are of, and the weights of the samples."""

    scores: Array
    """In their own type, shape (n, n_classes)."""
    labels: Array
    """Bytes, of the same shape: ``POSITIVE``, ``NEGATIVE``, or 0."""
    weights: Array | None
    """Shape (n,)."""


def _add_compensated(x: Array, y: Array) -> Array:
    return add_sums(x, y, backend_of(x).xp)


WAYS: dict[str, Callable[[Any, Any], Any]] = {
    "counts": operator.add,
    "real_counts": _add_compensated,
    "support": operator.add,
    "real_support": _add_compensated,
    "bins": operator.add,
    "real_bins": _add_compensated,
    "sums": _add_compensated,
    "samples": _add_compensated,
    "broken": operator.or_,
    "rows": operator.add,
}
"""How what has a name is added up."""


def shapes_of(settings: MultilabelSettings, n_classes: int) -> dict[str, tuple[int, ...]]:
    """The shape of all arrays of a state but rows, by their names."""
    shapes: dict[str, tuple[int, ...]] = {
        "broken": (len(settings.kinds), n_classes),
        "support": (n_classes,),
        "real_support": (2, n_classes),
    }
    if settings.names_of_kind("counts"):
        shapes |= {"counts": (4, n_classes), "real_counts": (2, 4, n_classes)}
    if settings.has_bins:
        n_bins = settings.n_bins or 0
        shapes |= {"bins": (2, n_classes, n_bins), "real_bins": (2, 2, n_classes, n_bins)}
    if n_sums := len(settings.names_of_kind("sums")):
        shapes["sums"] = (2, n_sums, 3, n_classes)
    if n_of_samples := len(settings.of_samples):
        shapes["samples"] = (2, 2, n_of_samples)
    return shapes


def sum_of_states(x: State, y: State) -> State:
    """What is known of the samples of both."""
    return x | {name: WAYS[name](x[name], part) if name in x else part for name, part in y.items()}


def state_of_numbers(name: str, x: Array) -> State:
    """The "counts", "support" or "bins" of a batch: added up exactly, if they are integers and of 64 bits."""
    backend = backend_of(x)
    if backend.kind(x) == "integer" and backend.widest(x).is_64bit:
        return {name: x}
    return {f"real_{name}": with_compensation(backend.as_real(x, x))}


def with_compensation(x: Array) -> Array:
    """Real numbers of which nothing has been lost by rounding yet."""
    xp = backend_of(x).xp
    return xp.stack([x, xp.zeros_like(x)])


def number_of(state: State, name: str) -> Array:
    """The "counts", "support" or "bins" of all samples: integers, if all weights were."""
    whole, real = state.get(name), state.get(f"real_{name}")
    if real is None:
        return whole
    total = real[0, ...] + real[1, ...]
    return total if whole is None else backend_of(whole).as_real(whole, whole) + total


@dataclass(frozen=True)
class MultilabelState:
    """What is known of samples, and of what kind these are."""

    state: State
    classes: Any
    """The label of each class: a range, if classes are columns or integers from 0."""
    is_multiclass: bool
    """Whether each sample has exactly one class and is predicted one."""
    given: Array
    """An array without elements of the library and on the device of what users give."""
    columns: tuple[Any, ...] | None = None
    """The columns of data frames, which are the names of the classes; None of what has no columns."""

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return len(self.classes)

    def with_samples_of(self, other: MultilabelState) -> MultilabelState:
        """What is known of the samples of both."""
        is_multiclass = self.is_multiclass and other.is_multiclass
        columns = other.columns if self.columns is None else self.columns
        return MultilabelState(sum_of_states(self.state, other.state), self.classes, is_multiclass, self.given, columns)


def check_goes_together(own: MultilabelState, new: MultilabelState, name: str) -> None:
    """Check that samples have the classes of those before, and scores of a type that these can be put beside."""
    if own.n_classes != new.n_classes and isinstance(own.classes, range) and isinstance(new.classes, range):
        raise ValueError(
            f"{name} must have as many classes as the batches before ({own.n_classes}), got {new.n_classes}"
        )
    if list(own.classes) != list(new.classes):
        classes = [text_of_classes(x.classes) for x in (own, new)]
        raise ValueError(
            f"{name} must have the classes of the batches before, {classes[0]}, got {classes[1]}; n_classes= takes "
            "labels from 0 to below it, of which batches may have some"
        )
    if own.columns is not None and new.columns is not None and not are_same_names(own.columns, new.columns):
        raise ValueError(
            f"{name} must have the columns of the batches before, {text_of_classes(own.columns)}, got "
            f"{text_of_classes(new.columns)}; reorder them"
        )
    rows = [x.state["rows"][0].scores for x in (own, new) if "rows" in x.state]
    if len(rows) > 1:
        check_types_of_scores(rows[0], rows[1], "y_score" if name == "y_true" else name)


def check_types_of_scores(own: Array, new: Array, name: str) -> None:
    """Check that scores can be put beside those before: these are of one type, or both are floats."""
    kinds = {backend_of(x).kind(x) for x in (own, new)}
    if own.dtype != new.dtype and kinds != {"real"}:
        types = " and ".join(sorted(str(x.dtype) for x in (own, new)))
        raise TypeError(f"{name} must have scores of one dtype in all batches, or floats, got {types}")


def move_to_state(x: Array, given: Array) -> Array:
    """An array of a batch in the library and on the device of the state: kernels count in CuPy, whatever is given."""
    place, found = place_of_sums(given), place_of_sums(x)
    return found if backend_of(found) is backend_of(place) else engine_of(place).back(found, place)


def join_rows(parts: tuple[ScoreRows, ...]) -> ScoreRows:
    """All rows as one; the scores in the widest type, and weights of 1 where others have weights."""
    xp = backend_of(parts[0].scores).xp
    types = {x.scores.dtype for x in parts}
    dtype = parts[0].scores.dtype if len(types) == 1 else xp.result_type(*types)
    scores = xp.concat([xp.astype(x.scores, dtype, copy=False) for x in parts])
    labels = xp.concat([x.labels for x in parts])
    known = [x.weights for x in parts if x.weights is not None]
    if not known:
        return ScoreRows(scores, labels, None)
    kind = known[0].dtype if len({x.dtype for x in known}) == 1 else xp.result_type(*{_real_type(x) for x in known})
    weights = [
        xp.ones_like(x.labels[:, 0], dtype=kind) if x.weights is None else xp.astype(x.weights, kind, copy=False)
        for x in parts
    ]
    return ScoreRows(scores, labels, xp.concat(weights))


def _real_type(x: Array) -> Any:
    """The type of weights of which others have another: the widest float."""
    return backend_of(x).widest(x).float


# Checkpoints of labels and scores, which are checked before they change anything.

_PARTS = "classes", "columns", "is_multiclass", "given"
_OTHERS = (*WAYS, *ScoreRows._fields)
"""What a checkpoint of samples always has, and what some of them have."""

_KINDS = {"counts": "integer", "support": "integer", "bins": "integer", "broken": "bool"}
_WORDS = {"integer": "integers", "real": "floats", "bool": "booleans"}


def checkpoint_entries(held: MultilabelState) -> dict[str, Any]:
    """What is held, in arrays of the library of the batches; of NumPy, if that has no 64 bits for all that is kept."""
    given = held.given
    like = given if backend_of(given).widest(given).is_64bit else None
    state = {name: checkpoint_array(x, like) for name, x in held.state.items() if name != "rows"}
    if "rows" in held.state:
        rows = join_rows(held.state["rows"])._asdict()
        state |= {name: None if x is None else checkpoint_array(x, like) for name, x in rows.items()}
    classes = len(held.classes) if isinstance(held.classes, range) else [_plain(x) for x in held.classes]
    columns = None if held.columns is None else [_plain(x) for x in held.columns]
    others = {
        "classes": classes,
        "columns": columns,
        "is_multiclass": held.is_multiclass,
        "given": checkpoint_array(given),
    }
    return state | others


def read_state(state: Mapping[str, Any], settings: MultilabelSettings) -> MultilabelState | None:
    """What :func:`checkpoint_entries` gave, where batches of its library are kept; None if there are no samples."""
    if not has_samples(state, _PARTS, _OTHERS):
        return None
    given = read_array(state, "given", (0,))
    place = place_of_sums(given)
    classes = _read_classes(state["classes"])
    shapes = shapes_of(settings, len(classes))
    found: dict[str, Any] = {
        name: move_to(_read(state, name, shape, _KINDS.get(name, "real")), place)
        for name, shape in shapes.items()
        if name in state
    }
    missing = [x for x in shapes if x != "broken" and x not in found and x not in _alternatives(found)]
    check_names(state, missing)
    if settings.keeps_rows:
        found["rows"] = (_read_rows(state, len(classes), place),)
    columns = None if state["columns"] is None else tuple(state["columns"])
    return MultilabelState(found, classes, bool(state["is_multiclass"]), backend_of(given).copied(given), columns)


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


def _read_rows(state: Mapping[str, Any], n_classes: int, place: Array) -> ScoreRows:
    check_names(state, ("scores", "labels", "weights"))
    scores = read_array(state, "scores")
    n = scores.shape[0] if len(scores.shape) == 2 else 0
    scores = read_array(state, "scores", (n, n_classes))
    labels = _read(state, "labels", (n, n_classes), "integer")
    weights = None if state["weights"] is None else read_array(state, "weights", (n,))
    return ScoreRows(
        move_to(scores, place), move_to(labels, place), None if weights is None else move_to(weights, place)
    )


def _plain(label: Any) -> Any:
    return label.item() if isinstance(label, np.generic) else label
