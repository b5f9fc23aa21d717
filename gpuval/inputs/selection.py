"""Which samples count, and how much: sample weights, and labels whose samples are ignored."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from numbers import Integral, Number
from typing import Any

import numpy as np

from gpuval.engines.backends import Backend, backend_of, is_array
from gpuval.inputs.codes import Scale, is_ordered
from gpuval.inputs.containers import as_data, dense, float_of, is_real_number
from gpuval.inputs.labels import Vector, check_alike, check_one_dimensional
from gpuval.inputs.options import library_if_loaded
from gpuval.inputs.strings import is_hashable, is_missing, sort_labels
from gpuval.numerics import Array

# Weights


def read_weights(sample_weight: Any, *vectors: Vector) -> Array | None:
    """Read the weights of the samples, in the widest type of their kind, and check their type, shape and place."""
    if sample_weight is None:
        return None
    name = "sample_weight"
    if isinstance(sample_weight, np.ma.MaskedArray) and np.ma.is_masked(sample_weight):
        masked = int(np.count_nonzero(np.ma.getmaskarray(sample_weight)))
        raise ValueError(
            f"{name} must not have masked values, got {masked} of {sample_weight.size}; sample_weight.filled(0) leaves "
            "those samples out"
        )
    data, values = as_data(sample_weight, name)
    check_one_dimensional(data, name)
    backend = backend_of(data)
    if values is not None or backend.kind(data) == "other":
        dtype = getattr(sample_weight, "dtype", data.dtype if values is None else values.dtype)
        raise TypeError(f"{name} must hold real numbers and none missing, got dtype {dtype}")
    for vector in vectors:
        check_alike(vector, Vector(name, sample_weight, data))
    return backend.widened(data)


# Labels to ignore


@dataclass  # not frozen, as ``Vector``
class LabelsToIgnore:
    """The labels to ignore on each side; true if there are any."""

    true: tuple[Any, ...] = ()
    pred: tuple[Any, ...] = ()
    are_checked: bool = field(default=False, compare=False, kw_only=True)
    """Whether ``check`` has been called with all vectors, of which parts are read again."""

    @classmethod
    def read(cls, ignore_labels: Any) -> LabelsToIgnore:
        """What users give: labels of both sides, or a mapping with those of each; what has been read stays as it is."""
        if ignore_labels is None:
            return _NONE_TO_IGNORE
        if isinstance(ignore_labels, LabelsToIgnore):
            return ignore_labels
        if not isinstance(ignore_labels, Mapping):
            labels = read_ignored(ignore_labels)
            return cls(labels, labels)
        for side in ignore_labels:
            if side not in ("true", "pred"):
                raise ValueError(f"ignore_labels must have no keys but 'true' and 'pred', got {side!r}")
        sides = ((side, ignore_labels.get(side)) for side in ("true", "pred"))
        return cls(*(read_ignored(labels, f"ignore_labels[{side!r}]") for side, labels in sides))

    def __bool__(self) -> bool:
        return bool(self.true or self.pred)

    def standard_form(self) -> LabelsToIgnore:
        """The same in a standard form, so that settings can be compared."""
        return LabelsToIgnore(standard_labels(self.true), standard_labels(self.pred))

    def as_setting(self) -> list[Any] | dict[str, list[Any]]:
        """What users would give: one list if it is that of both sides, else one for each side that has labels."""
        if self.true == self.pred:
            return list(self.true)
        return {side: list(x) for side, x in (("true", self.true), ("pred", self.pred)) if x}

    def check(self, true: Iterable[Vector], pred: Iterable[Vector]) -> None:
        """``check_ignored``, of each side by itself if other labels are ignored there."""
        if self.are_checked:
            return
        if self.true == self.pred:
            check_ignored(self.true, *true, *pred)
        else:
            check_ignored(self.true, *true, name="ignore_labels['true']")
            check_ignored(self.pred, *pred, name="ignore_labels['pred']")

    def check_by_dtype(self, true: dict[str, Any], pred: dict[str, Any]) -> None:
        """The same for labels in Dask, by their dtypes, if all of these are NumPy numbers."""
        dtypes = {name: getattr(x, "dtype", None) for name, x in (true | pred).items()}
        if all(isinstance(dtype, np.dtype) and dtype.kind in "biuf" for dtype in dtypes.values()):
            self.check(*([Vector(name, None, np.zeros(1, dtypes[name])) for name in side] for side in (true, pred)))


_NONE_TO_IGNORE = LabelsToIgnore()


def read_ignored(ignore_labels: Any, name: str = "ignore_labels") -> tuple[Any, ...]:
    """The labels to ignore, the argument ``name``, as a tuple; a single label is allowed, None ignores nothing."""
    if ignore_labels is None:
        return ()
    if isinstance(ignore_labels, Mapping):
        raise TypeError(
            f"{name} must be one label or a sequence of labels, as labels have no sides here, got {ignore_labels!r}"
        )
    if is_array(ignore_labels):
        ignore_labels = _to_list(ignore_labels, name)
    is_one = isinstance(ignore_labels, str | bytes) or not isinstance(ignore_labels, Iterable)
    labels = (ignore_labels,) if is_one else tuple(_to_list(x, name) if is_array(x) else x for x in ignore_labels)
    for label in labels:
        if not is_hashable(label):
            raise TypeError(f"{name} must be one label or a sequence of labels, got {label!r} as one of them")
    return labels


def read_ignored_numbers(ignored: Any, name: str) -> tuple[Any, ...]:
    """The numbers to ignore, sorted and without repeats; a None among them is NaN, None alone ignores nothing."""
    if ignored is None:
        return ()
    is_one = isinstance(ignored, str | bytes | Mapping) or not isinstance(ignored, Iterable)
    is_one = is_one or getattr(ignored, "ndim", 1) == 0
    values = [ignored] if is_one else list(ignored)
    values = [_to_list(x, name) if is_array(x) and not x.shape else x for x in values]
    for x in values:
        if is_array(x) or not (is_real_number(x) or is_missing(x)):
            raise TypeError(f"{name} must be a number or several numbers, got {x!r}")
    return standard_labels(x if isinstance(x, Integral) or is_missing(x) else float_of(x, name) for x in values)


def standard_labels(labels: Iterable[Any]) -> tuple[Any, ...]:
    """Labels to ignore in a standard form, so that settings can be compared.

    Equal labels occur once, and all are sorted. Whole numbers are Python integers. None stands for all missing labels,
    because NaN is not equal to itself.
    """
    distinct = dict.fromkeys(None if is_missing(x) else _whole(x) for x in labels)
    return (None,) * (None in distinct) + tuple(sort_labels([x for x in distinct if x is not None]))


def _whole(label: Any) -> Any:
    """A label that equals an integer as this integer; any other label unchanged."""
    number = _real(label)
    if number is None or abs(number) == math.inf:
        return label
    return int(number) if number == int(number) else label


def _to_list(x: Array, name: str) -> Any:
    """An array as a list, or as one label if it has no dimension; what is masked is a missing label, as in labels.

    Times stay those of NumPy, as some of them would become integers in a list.
    """
    backend = backend_of(x)
    if backend.kind(dense(x, name)) == "other" and not backend.on_host:
        raise TypeError(f"{name} must hold integers, booleans or real numbers, got dtype {x.dtype}")
    host = x if isinstance(x, np.ma.MaskedArray) else backend.to_host(x)
    if host.dtype.kind not in "mM":
        return host.tolist()
    host = np.where(np.ma.getmaskarray(host), np.array("NaT", host.dtype), np.asarray(host))
    return list(host) if host.ndim else host[()]


def check_ignored(labels: tuple[Any, ...], *vectors: Vector, name: str = "ignore_labels") -> None:
    """Check that each label to ignore has a type that one of the vectors could hold; any other type is a mistake."""
    for label in labels:
        if not any(_could_hold(vector, label) for vector in vectors):
            names = [vector.name for vector in vectors[:2]] + ["the others"] * (len(vectors) > 2)
            raise TypeError(
                f"{name} must be of a type that {' or '.join(names)} could hold, got {label!r} of type "
                f"{type(label).__name__}; their labels are {_kinds_of(vectors)}"
            )


def _could_hold(vector: Vector, label: Any) -> bool:
    if is_missing(label) or vector.size == 0:
        return True
    if vector.values is None:
        return kind_of_label(label) == "numbers"
    if str(getattr(vector.given, "dtype", None)).lower() == "object":
        return True
    return len(vector.values) == 0 or any(kind_of_label(x) == kind_of_label(label) for x in vector.values.tolist())


def _kinds_of(vectors: tuple[Vector, ...]) -> str:
    kinds = ["numbers" if x.values is None else kind_of_label(x.values.tolist()[0]) for x in vectors]
    return " and ".join(dict.fromkeys(kinds))


def kind_of_label(label: Any) -> str:
    """What a label is: "text", "bytes", "numbers" or "objects"; labels of two kinds are never equal."""
    if isinstance(label, str):
        return "text"
    if isinstance(label, bytes):
        return "bytes"
    is_number = isinstance(label, Number | np.bool_) and not isinstance(label, np.timedelta64)
    return "numbers" if is_number else "objects"


def ignore_mask(vector: Vector, labels: tuple[Any, ...]) -> Array | None:
    """Where the label of ``vector`` is among ``labels``; None if its type can hold none of them."""
    if vector.values is not None:
        return _code_mask(vector.data, vector.values.tolist(), labels)
    mask = None
    for label in labels:
        is_label = _equal(vector.data, label, vector.backend)
        if is_label is not None:
            mask = is_label if mask is None else mask | is_label
    return mask


def scale_of(vector: Vector, ignored: tuple[Any, ...]) -> Scale:
    """The declared order of the labels of a vector, without those to ignore."""
    if vector.values is None or not is_ordered(vector.given):
        return None
    labels = vector.values
    mask = ignore_mask(replace(vector, data=np.arange(len(labels))), ignored)
    return tuple((labels if mask is None else labels[~mask]).tolist()) or None


def _code_mask(data: np.ndarray[Any, Any], values: list[Any], labels: tuple[Any, ...]) -> Array | None:
    """Where codes into ``values`` are among ``labels``; -1 is a missing label."""
    wanted = _with_pandas_times([x for x in labels if not is_missing(x)])
    codes = [i for i, value in enumerate(values) if value in wanted]
    if any(map(is_missing, labels)):
        codes.append(-1)
    return np.isin(data, codes) if codes else None


def _with_pandas_times(labels: list[Any]) -> set[Any]:
    """The labels, and NumPy's times also as those of pandas, which are equal to them but hash differently."""
    pandas = library_if_loaded("pandas")
    times = [] if pandas is None else [x for x in labels if isinstance(x, np.datetime64 | np.timedelta64)]
    return {*labels, *(pandas.Timestamp(x) if isinstance(x, np.datetime64) else pandas.Timedelta(x) for x in times)}


def _equal(data: Array, label: Any, backend: Backend) -> Array | None:
    """Where numbers equal ``label``; None if their type cannot hold it, because a comparison could then wrap around."""
    xp, kind = backend.xp, backend.kind(data)
    if is_missing(label):
        return xp.isnan(data) if kind == "real" else None
    number = _real(label)
    if number is None:
        return None
    if kind == "real":
        numbers = xp.finfo(data.dtype)
        if math.inf > abs(number) > float(numbers.max):
            return None
        is_rounded = isinstance(number, Integral) and abs(int(number)) > 2 / float(
            numbers.eps
        )  # maybe to another label
        return None if is_rounded else data == float(number)
    if kind == "bool":
        return (data if number else ~data) if number in (0, 1) else None
    limits = xp.iinfo(data.dtype)
    if not (limits.min <= number <= limits.max and number == int(number)):
        return None
    return backend.equals(data, int(number))


def _real(label: Any) -> Any:
    """The real number that a label is equal to, whatever its type; None if there is none."""
    if kind_of_label(label) != "numbers":
        return None
    if isinstance(label, complex | np.complexfloating):
        return label.real if label.imag == 0 else None
    return label.item() if isinstance(label, np.generic) else label
