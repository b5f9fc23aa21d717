"""Two label vectors and their weights: checked against each other, and encoded; ignored samples are left out."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from gpuval.engines import Engine, engine_of
from gpuval.engines.backends import Backend, backend_of, to_host
from gpuval.inputs.codes import (
    Codes,
    Scale,
    as_integers,
    check_labels_have_values,
    codes_below_size,
    encode,
    fits,
    with_spare,
)
from gpuval.inputs.labels import Labels, Vector, check_alike, factorize_vector, read_labels
from gpuval.inputs.options import out_of_range, sum_range_text
from gpuval.inputs.selection import LabelsToIgnore, check_ignored, ignore_mask, read_ignored, read_weights, scale_of
from gpuval.inputs.strings import as_text
from gpuval.numerics import Array
from gpuval.numerics.parallel import limits

Limits = tuple[int, int] | None


@dataclass(eq=False)  # not frozen, as ``Vector``
class Samples:
    """What a table is built from, after all checks of types and shapes."""

    true: Vector
    pred: Vector
    weights: Array | None
    ignore: LabelsToIgnore
    only_true: bool = False
    """Whether ``pred`` only stands in: one labeling by itself."""
    are_all: bool = False
    """Whether these are all samples of a call, of which some must count; of a batch or a block none may."""
    backend: Backend = field(init=False, repr=False)
    """The array library of both vectors."""
    all_count_once: bool = field(init=False, repr=False)
    """Whether no sample has a weight of its own, and none is to be left out."""

    def __post_init__(self) -> None:
        self.backend = self.true.backend
        self.all_count_once = self.weights is None and not self.ignore

    @property
    def engine(self) -> Engine:
        """The engine that counts them."""
        return engine_of(self.true.data, self.pred.data)

    @property
    def names(self) -> str:
        """The names of the label vectors."""
        return self.true.name if self.only_true else f"{self.true.name} and {self.pred.name}"

    def host_view(self) -> Samples | None:
        """The samples as NumPy views, if the labels are integers of another library that lie in the host's memory."""
        backend, weights = self.backend, self.weights
        if backend.on_host or not backend.kind(self.true.data) == backend.kind(self.pred.data) == "integer":
            return None
        true, pred = backend.host_view(self.true.data), backend.host_view(self.pred.data)
        if true is None or pred is None or np.uint64 in (true.dtype, pred.dtype):  # which PyTorch cannot compare
            return None
        if weights is not None:
            weights = backend.host_view(weights)
            if weights is None:
                return None
        vectors = self.true.with_data(true), self.pred.with_data(pred)
        return Samples(*vectors, weights, self.ignore, self.only_true, self.are_all)


def read_samples(
    labels_true: Labels, labels_pred: Labels, sample_weight: Any, ignore_labels: Any, *, are_all: bool = False
) -> Samples:
    """Read both vectors and the weights, and make all checks that do not look at the values."""
    samples = read_block(labels_true, labels_pred, sample_weight, ignore_labels)
    if samples.all_count_once:
        return samples
    samples.ignore.check((samples.true,), (samples.pred,))
    return replace(samples, are_all=True) if are_all else samples


def read_block(
    labels_true: Labels, labels_pred: Labels, sample_weight: Any = None, ignore_labels: Any = None
) -> Samples:
    """Read a block of the samples; a block need not have labels of the types of those to ignore."""
    true = read_labels(labels_true, "labels_true")
    pred = read_labels(labels_pred, "labels_pred")
    check_alike(true, pred)
    weights = read_weights(sample_weight, true, pred)
    return Samples(true, pred, weights, LabelsToIgnore.read(ignore_labels))


def read_labeling(labels: Labels, sample_weight: Any, ignore_labels: Any) -> Samples:
    """Read all samples of one label vector, with a single cluster as the other side."""
    samples = read_block_of_one(labels, sample_weight, ignore_labels)
    if samples.all_count_once:
        return samples
    check_ignored(samples.ignore.true, samples.true)
    return replace(samples, are_all=True)


def read_block_of_one(labels: Labels, sample_weight: Any = None, ignore_labels: Any = None) -> Samples:
    """Read a block of the samples of one label vector, with a single cluster as the other side."""
    vector = read_labels(labels, "labels")
    xp = vector.backend.xp
    one = Vector("labels", None, xp.zeros_like(vector.data, dtype=xp.uint8))
    weights = read_weights(sample_weight, vector)
    return Samples(vector, one, weights, LabelsToIgnore(true=read_ignored(ignore_labels)), only_true=True)


def check_any_left(is_any: bool, n_samples: int, names: str, *, ignores: bool, weighs: bool) -> None:
    """Raise if there were samples and none of them counts: ``is_any`` is whether one does.

    ``names`` are the label vectors; ``ignores`` is whether labels were ignored, and ``weighs`` whether samples had
    weights.
    """
    if is_any or not n_samples:
        return
    if not weighs:
        raise ValueError(
            f"ignore_labels must leave at least one sample of {names}, got none left of {n_samples}; ignore fewer "
            "labels"
        )
    left = " that ignore_labels leaves" if ignores else ""
    raise ValueError(
        f"sample_weight must be above 0 for at least one sample of {names}{left}, got none of {n_samples}; give those "
        "that count a weight above 0"
    )


def check_samples_left(samples: Samples, is_any: bool, *, weighs: bool = True) -> None:
    """``check_any_left`` for all samples of a call; ``weighs`` says whether their weights have been looked at."""
    if samples.are_all:
        weighs = weighs and samples.weights is not None
        check_any_left(is_any, samples.true.size, samples.names, ignores=bool(samples.ignore), weighs=weighs)


def encode_samples(
    samples: Samples, n_classes: int | None, n_clusters: int | None
) -> tuple[Codes, Codes, Array | None]:
    """Codes and weights of the samples that count, with the size of the table found in one transfer."""
    backend, sizes = samples.backend, "n_classes" if samples.only_true else "n_classes and n_clusters"
    is_sized = n_classes is not None and n_clusters is not None
    required = "layout must be 'dense' or None, not 'cells'," if is_sized else f"{sizes} must be given"
    for x, what in ((samples.true.data, "labels"), (samples.pred.data, "labels"), (samples.weights, "weights")):
        if x is not None:
            backend.check_known(x, required, what)
    for vector in (samples.true, samples.pred):
        check_labels_have_values(vector)
    true, pred, weights = _drop_ignored(samples)
    check_samples_left(samples, true.size > 0, weighs=False)
    true, pred = as_integers(true), as_integers(pred)
    true_limits, pred_limits, is_any = _ranges_of(true, pred, weights)
    check_samples_left(samples, is_any)
    return (
        encode(true, true_limits, n_classes, "n_classes", scale_of(true, samples.ignore.true)),
        encode(pred, pred_limits, n_clusters, "n_clusters", scale_of(pred, samples.ignore.pred)),
        weights,
    )


def codes_of_given_size(
    samples: Samples, n_classes: int, n_clusters: int, like: Array | None = None
) -> tuple[Codes, Codes, Array | None, Array]:
    """Codes of integers from 0 to one below the given sizes, without a look at the values: no data leave the device.

    A sample that does not count has the spare code of the classes. The function also returns the weights (0 for such a
    sample) and the number of invalid samples: those outside the table, with a label that is not whole, or with a
    negative weight. The limits of the sum of the weights are those of the device of ``like``, which by default is that
    of the weights.
    """
    true, pred, weights, backend = samples.true, samples.pred, samples.weights, samples.backend
    xp = backend.xp
    fine = fits(true, n_classes) & fits(pred, n_clusters)
    if weights is not None:
        fine = fine & is_weight(weights)
    counted = fine
    ignored = are_ignored(samples)
    if ignored is not None:
        counted, fine = fine & ~ignored, fine | ignored
    broken = backend.count_true(~fine)
    if weights is not None:
        weights = xp.where(counted, weights, xp.zeros_like(weights))
        broken = broken + xp.astype(out_of_range(weights, like=like), broken.dtype)
    rows, columns = codes_below_size(true, n_classes, counted), codes_below_size(pred, n_clusters, counted)
    return with_spare(rows, counted), columns, weights, broken


def how_many_count(samples: Samples, total: Array) -> int:
    """The number of samples without a label to ignore, if the host knows it; else the number of all samples.

    ``total`` is the sum of their table, which is this number if they are on the host and have no weights.
    """
    if not (samples.backend.on_host and samples.ignore):
        return samples.true.size
    if samples.weights is None:
        return int(total)
    mask = are_ignored(samples)
    return samples.true.size - (0 if mask is None else int(np.count_nonzero(mask)))


def are_ignored(samples: Samples) -> Array | None:
    """Which samples have a label to ignore; None if none can have one."""
    if not samples.ignore:
        return None
    a = ignore_mask(samples.true, samples.ignore.true)
    b = ignore_mask(samples.pred, samples.ignore.pred)
    return a | b if a is not None and b is not None else (b if a is None else a)


def label_masks(samples: Samples, rows: range, columns: range) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Which labels of the rows and of the columns, integers from the first to the last, are not to be ignored."""

    def keep_mask(vector: Vector, labels: range, ignore: tuple[Any, ...]) -> np.ndarray[Any, Any]:
        values = labels.start + np.arange(len(labels))  # not arange(start, stop): `stop` may be beyond int64
        values = values.astype(np.bool_) if vector.backend.kind(vector.data) == "bool" else values
        mask = ignore_mask(replace(vector, data=values), ignore)
        return np.ones(len(values), np.bool_) if mask is None else ~mask

    return keep_mask(samples.true, rows, samples.ignore.true), keep_mask(samples.pred, columns, samples.ignore.pred)


def _drop_ignored(samples: Samples) -> tuple[Vector, Vector, Array | None]:
    ignored = are_ignored(samples)
    true, pred, weights = samples.true, samples.pred, samples.weights
    if ignored is None:
        return true, pred, weights
    keep = ~ignored
    return (
        replace(true, data=true.data[keep]),
        replace(pred, data=pred.data[keep]),
        None if weights is None else weights[keep],
    )


def _ranges_of(true: Vector, pred: Vector, weights: Array | None) -> tuple[Limits, Limits, bool]:
    """The ranges of both vectors, and whether a weight is above 0, in one transfer; raises if one is wrong."""
    if true.size == 0:
        return None, None, True
    a, b, backend = true.data, pred.data, true.backend
    if backend.on_host:
        is_any = check_weights(weights)
        return limits(a), limits(b), is_any
    xp = backend.xp
    numbers = [xp.min(a), xp.max(a), xp.min(b), xp.max(b)]
    if weights is not None:
        numbers += [_are_weights(weights), xp.any(weights != 0)]
    low_a, high_a, low_b, high_b, *of_weights = _host_integers(numbers, backend)
    if weights is not None and not of_weights[0]:
        check_weights(weights)
    return (low_a, high_a), (low_b, high_b), all(of_weights)


def _host_integers(values: list[Array], backend: Backend) -> list[int]:
    """Integers and booleans on the host: in one transfer, unless some are too large for that."""
    xp, wide = backend.xp, backend.widest(values[0]).int
    integers = [xp.astype(x, wide) if backend.kind(x) == "bool" else x for x in values]
    if any(xp.iinfo(x.dtype).max > xp.iinfo(wide).max for x in integers):
        return [int(to_host(x)) for x in integers]
    return [int(x) for x in to_host(xp.stack([xp.astype(x, wide) for x in integers]))]


def codes_of(labels: Array, scale: Scale = None) -> Codes:
    """The codes of the labels of a table, which have been checked before: in the order of their scale on the host."""
    vector = Vector("labels", labels, labels)
    if scale and vector.backend.on_host:
        place = {label: i for i, label in enumerate(scale)}
        codes = np.asarray([place[x] for x in labels.tolist()], dtype=np.int64)
        values = np.asarray(scale) if labels.dtype.kind in "iu" else as_text(np.fromiter(scale, object, len(scale)))
        return Codes(codes, len(scale), values, scale=scale)
    if vector.backend.on_host and labels.dtype.kind not in "iu":
        vector = factorize_vector(vector)
    return replace(encode(vector, label_limits(vector), None, ""), scale=scale)


def label_limits(vector: Vector) -> Limits:
    """The smallest and the largest label of a vector; None if it is empty or holds codes."""
    if vector.size == 0 or vector.values is not None:
        return None
    xp, data = vector.backend.xp, vector.data
    low, high = (int(x) for x in to_host(xp.stack([xp.min(data), xp.max(data)])))
    return low, high


def limits_and_number(vector: Vector, keep: Array) -> tuple[Limits, int]:
    """The smallest and the largest label, and how many samples are kept, in one transfer."""
    if vector.size == 0:
        return None, 0
    if vector.values is not None:
        return None, int(np.count_nonzero(keep))
    backend, data = vector.backend, vector.data
    xp = backend.xp
    low, high, number = _host_integers([xp.min(data), xp.max(data), backend.count_true(keep)], backend)
    return (low, high), number


def check_weights(weights: Array | None) -> bool:
    """Raise if weights are not valid (a host step on a device); return whether one of them is above 0."""
    if weights is None:
        return True
    backend = backend_of(weights)
    both = [_are_weights(weights), backend.xp.any(weights != 0)]
    are_weights, is_any = both if backend.on_host else to_host(backend.xp.stack(both))
    if are_weights:
        return bool(is_any)
    host = to_host(weights)
    broken = host[~is_weight(host)]
    if len(broken):
        raise ValueError(f"sample_weight must be finite and not negative, got {broken[0]}")
    is_largest = backend.kind(weights) == "integer" and host.max() == np.iinfo(host.dtype).max
    found = f"{'at least ' * bool(is_largest)}{sum(host.tolist())}"
    raise ValueError(f"sample_weight must add up to {sum_range_text(weights)}, got {found}; scale the weights")


def _are_weights(weights: Array) -> Array:
    return backend_of(weights).xp.all(is_weight(weights)) & ~out_of_range(weights)


def is_weight(weights: Array) -> Array:
    """Where a number is finite and not negative."""
    return (weights >= 0) & (weights < float("inf")) if backend_of(weights).kind(weights) == "real" else weights >= 0
