"""What all accumulators have in common: any batches, in any order, are one call, and nothing but sums is kept."""

from __future__ import annotations

import copy
import functools
import io
import json
import pickle
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import ModuleType
from typing import Any

import internal_oracles
import interval_cases
import interval_oracles
import multilabel_cases
import numpy as np
import pytest
import ranking_cases
import torch
from backends import BACKENDS, as_on_a_device, jax_values_refused, transfers_to_host
from oracles import ORACLES, WeightedTable, table_of
from torch_operations import TorchOperations

import gpuval
from gpuval import METRICS, Accumulator, InternalAccumulator, intervals, multilabel, ranking
from gpuval.intervals import IntervalAccumulator
from gpuval.multilabel import MultilabelAccumulator
from gpuval.ranking import RankingAccumulator
from gpuval.ranking import names as ranking_names
from gpuval.registry.families import DEFAULT_METRICS

F, NAN = Fraction, float("nan")


@dataclass(frozen=True)
class Example:
    """An accumulator with its settings, samples for it, and their scores.

    ``columns`` are arguments of ``update``, with a row for each sample; their ``n_parts`` parts have one shape, as JAX
    compiles for each. ``result`` names the property that is read, ``scores`` are those of its value by their names, and
    ``definition()`` is what they are of all samples, exactly; ``relative`` is how far they may be from it, with float64
    and without, if not as far as ``Backend.assert_close`` says. ``empty`` are other forms of no samples, and
    ``n_orders`` is how many random orders are tried. ``sizes`` are the settings where a backend does not do what is
    named by ``needs``; None if no settings are needed.
    """

    kind: type
    settings: dict[str, Any]
    columns: dict[str, np.ndarray]
    definition: Callable[[], dict[str, Any]]
    result: str = "scores"
    scores: Callable[[Any], dict[str, Any]] = dict
    relative: tuple[float, float] | None = None
    empty: tuple[dict[str, Any], ...] = field(default=())
    n_parts: int = 3
    n_orders: int = 1
    sizes: dict[str, Any] | None = None
    needs: str = "finds_sizes"

    def __repr__(self) -> str:
        return self.kind.__name__

    @functools.cached_property
    def exact(self) -> dict[str, Any]:
        return self.definition()

    def on(self, backend: Any) -> Example:
        """Itself; or with sizes that are given, where the backend cannot find them."""
        return self if self.sizes is None or getattr(backend, self.needs) else replace(self, settings=self.sizes)

    def new(self) -> Any:
        return self.kind(**self.settings)

    @property
    def parts(self) -> list[np.ndarray]:
        """The rows of batches of one shape."""
        return np.split(np.arange(len(next(iter(self.columns.values())))), self.n_parts)

    def batch(self, backend: Any, rows: Any, **others: Any) -> dict[str, Any]:
        columns = {name: x[rows] for name, x in (self.columns | others).items()}
        return {name: backend.array(x) if len(x) else none(backend, x) for name, x in columns.items()}

    def updated(self, backend: Any, accumulator: Any, parts: Any = None) -> Any:
        for rows in self.parts if parts is None else parts:
            accumulator.update(**self.batch(backend, rows))
        return accumulator

    def scores_of(self, accumulator: Any) -> dict[str, Any]:
        return self.scores(getattr(accumulator, self.result))

    def assert_exact(self, backend: Any, accumulator: Any) -> dict[str, Any]:
        """The scores of an accumulator, which are checked."""
        scores = self.scores_of(accumulator)
        assert list(scores) == list(self.exact)
        for name, exact in self.exact.items():
            if self.relative is None:
                backend.assert_close(scores[name], exact, name)
            else:
                rel = self.relative[not backend.has_float64]
                assert float(backend.numpy(scores[name])) == pytest.approx(exact, rel=rel)
        return scores


def none(backend, x):
    """An array like ``x`` without rows."""
    return backend.array(np.zeros((1, *x.shape[1:]), x.dtype))[:0, ...]


def values(backend, scores):
    """The scores as text, which tells them apart to the last bit."""
    return repr({name: backend.numpy(x).tolist() for name, x in scores.items()})


def values_of(example, backend, accumulator):
    return values(backend, example.scores_of(accumulator))


def plain(backend, x):
    """A state, with the values of its arrays."""
    if isinstance(x, Mapping):
        return {name: plain(backend, x[name]) for name in sorted(x)}
    if isinstance(x, list | tuple):
        return [plain(backend, y) for y in x]
    return backend.numpy(x).tolist() if hasattr(x, "shape") else x


def state_of(backend, accumulator):
    """All that an accumulator holds, as text, in which NaN is equal to itself.

    But not the range of the labels of tables: it is of those batches only whose labels were looked at.
    """
    state = {name: x for name, x in accumulator.state_dict().items() if name != "furthest"}
    return repr(plain(backend, state))


def arrays_in(x: Any, seen: set[int] | None = None) -> Iterator[Any]:
    """The arrays that an object holds, however deep."""
    seen = set() if seen is None else seen
    if id(x) in seen or isinstance(x, type | ModuleType | np.generic | str):
        return
    seen.add(id(x))
    if hasattr(x, "shape") and hasattr(x, "dtype"):
        yield x
    elif type(x) is dict or isinstance(x, list | tuple):
        for y in x.values() if isinstance(x, dict) else x:
            yield from arrays_in(y, seen)
    elif type(x).__module__.startswith("gpuval."):
        yield from arrays_in(getattr(x, "__dict__", {}), seen)


# ---- examples --------------------------------------------------------------------------------------

RNG = np.random.default_rng(0)
SIZED = {"n_classes": 8, "n_clusters": 7}
TABLE_SCORES = [name for name in DEFAULT_METRICS if not METRICS[name].measure.needs_counts]


def table(settings, weights=None):
    true, pred = (np.random.default_rng(seed).integers(0, size, 60).astype(np.int32) for seed, size in ((1, 8), (2, 7)))
    columns = {"labels_true": true, "labels_pred": pred} | ({} if weights is None else {"sample_weight": weights})

    def definition():
        weighed = weights is not None and weights.dtype.kind == "f"
        copies = np.arange(60) if weights is None or weighed else np.repeat(np.arange(60), weights)
        counted = WeightedTable(true, pred, weights) if weighed else table_of(true[copies], pred[copies])
        return {x: float(ORACLES[x](counted)) for x in TABLE_SCORES}

    return Example(
        *(Accumulator, settings, columns, definition, "table"),
        lambda table: {name: getattr(gpuval, name)(table) for name in TABLE_SCORES},
        sizes=SIZED,
        needs="lists_cells",
    )


N, D, K = 240, 3, 5
X_RNG = np.random.default_rng(9)
X = X_RNG.normal(size=(N, D)) + 3 * X_RNG.normal(size=(K, D))[X_RNG.integers(0, K, N)] + 100
LABELS = X_RNG.integers(0, K, N)
COPIES, SHARES = X_RNG.integers(0, 3, N), X_RNG.random(N)


def moments(settings, weights=None, ignored=None):
    x, labels, own = (None if y is None else y[ignored != LABELS] for y in (X, LABELS, weights))
    if own is not None and own.dtype.kind == "i":
        (x, labels), own = internal_oracles.repeated(x, labels.tolist(), own), None
    exact = {"calinski": float(internal_oracles.calinski_harabasz(x, list(labels), own))}
    columns = {"X": X, "labels": LABELS} | ({} if weights is None else {"sample_weight": weights})
    return Example(
        *(InternalAccumulator, settings, columns, lambda: exact, "moments"),
        lambda moments: {"calinski": gpuval.calinski_harabasz_score(moments)},
        relative=(1e-12, 1e-4),
        n_parts=4,
        n_orders=4,
        sizes=settings or {"n_clusters": K},
    )


def rankings(settings, weighed=True):
    names = ("average_precision_score", "reciprocal_rank_score", "precision_at_n@2", "recall_at_n@2", "cumulative_gain")
    exact = ranking_cases.batched_means(weighed=weighed, skip=settings["on_undefined"] == "skip")
    columns = {"y_true": ranking_cases.BATCHED_ROWS, "y_score": ranking_cases.BATCHED_SCORES}
    columns |= {"sample_weight": ranking_cases.BATCHED_WEIGHTS} if weighed else {}
    nothing = np.zeros(0, dtype=int)
    vectors = {"y_true": nothing, "y_score": nothing, "queries": nothing}
    return Example(
        *(RankingAccumulator, {"metrics": ranking_cases.BATCHED_METRICS} | settings),
        *(columns, lambda: dict(zip(names, exact, strict=True))),
        empty=(vectors, vectors | {"n_queries": 0}),
    )


PAIRS = (*interval_cases.UNDEFINED, *interval_cases.PAIRS)[:30]
PAIR_WEIGHTS, PAIR_MASK = interval_cases.WEIGHTS[:30], interval_cases.MASK[:30]
CALLS = {
    call: functools.partial(getattr(intervals, name), **options) if options else name
    for call, (name, options) in interval_oracles.CALLS.items()
}
"""Every measure of intervals, and inclusion with all of its options."""


def lengths(undefined, weighed=True):
    true, pred = interval_cases.arrays(PAIRS)
    more = {"mask": np.asarray(PAIR_MASK), "sample_weight": np.asarray(PAIR_WEIGHTS)} if weighed else {}
    weights = [F(w) * m for w, m in zip(PAIR_WEIGHTS, PAIR_MASK, strict=True)] if weighed else None
    exact = {x: interval_oracles.mean(interval_cases.values(x, PAIRS), weights, undefined) for x in CALLS}
    columns = {"true_intervals": true, "pred_intervals": pred} | more
    return Example(IntervalAccumulator, {"metrics": CALLS, "on_undefined": undefined}, columns, lambda: exact)


def labels(settings, weights=None, thresholds=(F(1, 2),) * 4, n_bins=None):
    """Areas are those of bins, if there are some: the scores of one bin are tied, but in the mean over the samples."""
    averages = multilabel_cases.BATCHED_AVERAGES
    scores = multilabel_cases.BATCHED_SCORES
    above = tuple(tuple(F(x >= t) for x, t in zip(row, thresholds, strict=True)) for row in scores)
    in_bins = scores if n_bins is None else [[F(min(int(x * n_bins), n_bins - 1)) for x in row] for row in scores]
    weights = None if weights is None else weights * 3
    columns = {"y_true": np.asarray(multilabel_cases.BATCHED_LABELS), "y_score": multilabel_cases.floats(scores)}
    nothing = np.zeros(0, dtype=int)

    def of_measure(full, average):
        if full in multilabel_cases.OF_LABELS:
            return above
        return in_bins if full in multilabel_cases.OF_SCORES and average != "samples" else scores

    def definition():
        return {
            f"{name} of each class" if average is None else f"{name}_{average}": multilabel_cases.batched(
                *(full, average),
                scores=of_measure(full, average),
                weights=weights,
                undefined=settings.get("on_undefined"),
            )
            for each in (averages, [None])
            for name, full in multilabel_cases.SHORT.items()
            for average in each
        }

    return Example(
        *(
            MultilabelAccumulator,
            {"metrics": multilabel_cases.SHORT, "averages": averages, "n_bins": n_bins} | settings,
        ),
        *(columns | ({} if weights is None else {"sample_weight": np.asarray(weights)}), definition),
        scores=lambda scores: {**scores, **{f"{name} of each class": x for name, x in scores.per_class.items()}},
        empty=(
            {"y_true": np.zeros((0, 4), dtype=int), "y_score": np.zeros((0, 4)), "sample_weight": nothing},
            {"y_true": nothing, "y_score": np.zeros((0, 4))},  # as the class of each sample
        ),
    )


EVERY_WEIGHT = {"": None, " of copies": COPIES, " of shares": SHARES}
REAL = RNG.integers(0, 64, 60) / 16  # whose sums are exact
OF_LABELS = {"threshold": [0.5, 0.25, 0.5, 0.75], "ignore_labels": [7, -1], "on_undefined": "skip"}
THRESHOLDS = tuple(map(F, OF_LABELS["threshold"]))
EXAMPLES = {
    **{f"table{x}": table(SIZED, w) for x, w in (("", None), (" of weights", REAL))},
    **{f"growing table{x}": table({}, w) for x, w in (("", None), (" of weights", REAL))},
    **{f"moments{x}": moments({"n_clusters": K, "ignore_labels": 4}, w, 4) for x, w in EVERY_WEIGHT.items()},
    **{f"growing moments{x}": moments({}, w) for x, w in EVERY_WEIGHT.items()},
    "rankings": rankings({"ties": "stable", "ignore_relevance": [7, -1], "on_undefined": "skip"}),
    "intervals": lengths("skip"),
    **{
        f"labels{' in bins' * (n_bins is not None)}{x}": labels(OF_LABELS, w, thresholds=THRESHOLDS, n_bins=n_bins)
        for n_bins in (None, 9)
        for x, w in (("", None), (" of weights", multilabel_cases.WEIGHTS))
    },
}
SETTINGS = {
    "table of integer weights": table(SIZED, RNG.integers(0, 5, 60)),
    "growing table of integer weights": table({}, RNG.integers(0, 5, 60)),
    **{f"moments of all labels{x}": moments({"n_clusters": K}, w) for x, w in EVERY_WEIGHT.items()},
    **{f"rankings {x} {w}": rankings({"on_undefined": x}, w) for x in ("zero", "skip") for w in (False, True)},
    **{f"intervals {x} {w}": lengths(x, w) for x in ("zero", "one", "skip") for w in (False, True)},
    **{
        f"labels {x} {w}": labels({"on_undefined": x}, w)
        for x in (None, "skip")
        for w in (None, multilabel_cases.WEIGHTS, (1, 0, 4, 2, 1, 3))
    },
}
del SETTINGS["intervals skip True"]  # which is an example already
KINDS = {str(x): x for x in EXAMPLES.values()}
"""One example of each accumulator."""
MEANS = (RankingAccumulator, IntervalAccumulator)
"""The accumulators that hold the sums of one value for each sample."""

of_examples = pytest.mark.parametrize("example", EXAMPLES.values(), ids=EXAMPLES)
of_kinds = pytest.mark.parametrize("example", KINDS.values(), ids=KINDS)


def of(*names):
    """Some of the examples: those whose names begin with one of ``names``."""
    chosen = {x: y for x, y in EXAMPLES.items() if x.startswith(names)}
    return pytest.mark.parametrize("example", chosen.values(), ids=chosen)


def test_there_are_intervals_without_a_value():
    """Whose weight is above 0."""
    undefined = [x is None for x in interval_cases.values("jaccard_score", PAIRS)]
    assert sum(undefined) == len(interval_cases.UNDEFINED)
    assert any(w * m for w, m, x in zip(PAIR_WEIGHTS, PAIR_MASK, undefined, strict=True) if x)
    accumulator = lengths("skip").updated(BACKENDS["numpy"], IntervalAccumulator())
    assert np.isnan(list(accumulator.scores.values())).all()


# ---- batches ---------------------------------------------------------------------------------------


def orders(example, backend):
    """Random parts in random order, also of one sample and of none; of one shape, where each shape is compiled."""
    n = sum(map(len, example.parts))
    for seed in range(example.n_orders):
        rng = np.random.default_rng(seed)
        order = rng.permutation(n)
        if backend.compiles:
            yield np.split(order, example.n_parts)
            return
        n_cuts = 7 if example.n_orders > 1 else 2
        parts = np.split(order, [1, *np.sort(rng.choice(np.arange(2, n), n_cuts, replace=False)).tolist()])
        yield [*parts[:3], order[:0], *parts[3:]]


@pytest.mark.parametrize("example", (EXAMPLES | SETTINGS).values(), ids=EXAMPLES | SETTINGS)
def test_any_batches_in_any_order_are_one_call(backend, example):
    """And the scores are of the library and on the device of the batches."""
    example = example.on(backend)
    like = backend.array(next(x for x in example.columns.values() if x.dtype.kind != "b"))
    for parts in orders(example, backend):
        accumulator = example.updated(backend, example.new(), parts)
        for name, score in example.assert_exact(backend, accumulator).items():
            exact = example.exact[name]
            backend.assert_at_home(score, like, (len(exact),) if isinstance(exact, list) else ())


OF_USUAL_SETTINGS = {x: SETTINGS[x] for x in ("rankings zero False", "labels None None")}


@pytest.mark.parametrize("example", (EXAMPLES | OF_USUAL_SETTINGS).values(), ids=EXAMPLES | OF_USUAL_SETTINGS)
def test_batches_of_which_nothing_counts_change_nothing(backend, example):
    """Without samples, to the last bit, where sums are added in order; and with samples whose weights are 0."""
    example = example.on(backend)
    whole = values_of(example, backend, example.updated(backend, example.new()))
    weightless = example.batch(backend, example.parts[0], sample_weight=np.zeros(sum(map(len, example.parts))))
    empty = [
        {name: none(backend, x) if isinstance(x, np.ndarray) else x for name, x in batch.items()}
        for batch in (example.batch(BACKENDS["numpy"], []), *example.empty)
    ]
    for batches in (empty, [weightless]):
        accumulator = example.new()
        for batch in batches:
            accumulator.update(**batch)
        if example.kind in MEANS:
            assert np.isnan([float(backend.numpy(x)) for x in accumulator.scores.values()]).all()
        example.updated(backend, accumulator)
        for batch in batches:
            accumulator.update(**batch)
        scores = example.assert_exact(backend, accumulator)
        if batches is empty and backend.adds_in_order:
            assert values(backend, scores) == whole


OF_MEANS = "an accumulator must have had an update before its scores are read, got none"
OF_NO_UPDATE = dict.fromkeys((RankingAccumulator, IntervalAccumulator, MultilabelAccumulator), OF_MEANS)
OF_NO_UPDATE[InternalAccumulator] = "an accumulator must have samples before its moments are read, got no update"


@of("moments", "growing moments", "rankings", "intervals", "labels")
def test_without_an_update_there_are_no_scores(example):
    """As at first: after a reset, and after the state of a new one. An accumulator of tables warns instead."""
    numpy, message = BACKENDS["numpy"], OF_NO_UPDATE[example.kind]
    reset, loaded, merged = (
        example.updated(numpy, example.new()),
        example.updated(numpy, example.new()),
        example.new(),
    )
    reset.reset()
    loaded.load_state_dict(pickled(example.new().state_dict()))
    merged.merge(example.new())
    for accumulator in (example.new(), reset, loaded, merged):
        with pytest.raises(ValueError, match=f"^{re.escape(message)}"):
            example.scores_of(accumulator)


SAME, APART = {x: [[0, 1]] for x in ("true_intervals", "pred_intervals")}, [[2, 3]]
LONG_SUMS = {
    "rankings": (RankingAccumulator, {"metrics": "hit_rate"}, {"y_true": [[1]]}, {"y_true": [[0]]}),
    "intervals": (IntervalAccumulator, {"metrics": "jaccard"}, SAME, SAME | {"pred_intervals": APART}),
    "labels": (
        *(MultilabelAccumulator, {"metrics": ["f1", "mse"], "averages": "samples"}),
        *({"y_true": [[1]], "y_score": [[1.0]]}, {"y_true": [[0]], "y_score": [[1.0]]}),
    ),
}


@pytest.mark.parametrize("case", LONG_SUMS)
def test_many_small_batches_lose_no_digits(case):
    """In 32 bits 2^24 + 1 = 2^24: sums of weights would stand still."""
    backend = BACKENDS["strict-no-float64"]
    kind, settings, first, others = LONG_SUMS[case]
    accumulator, merged = kind(**settings), kind(**settings)
    for batch, weight, times in ((first, 2.0**24, 1), (others, 1.0, 100)):
        for _ in range(times):
            arrays = {name: backend.array(x) for name, x in (batch | {"sample_weight": np.asarray([weight])}).items()}
            accumulator.update(**arrays)
    for _ in range(10):
        merged.merge(accumulator)
    wanted = Fraction(2**24, 2**24 + 100)
    assert 1 - wanted > 2**-18  # it would be 1, if the sum stood still
    for one in (accumulator, merged):
        score, *error = (float(backend.numpy(x)) for x in one.scores.values())
        assert abs(score - wanted) < 2**-23
        assert len(error) == (case == "labels")
        assert all(abs(x - (1 - wanted)) < 2**-40 for x in error)


# ---- sums ------------------------------------------------------------------------------------------


@of_examples
def test_merge(backend, example):
    """The other accumulator stays as it is, and what is added to it later is not seen."""
    example = example.on(backend)
    first, second = (example.updated(backend, example.new(), x) for x in (example.parts[:1], example.parts[1:]))
    before = state_of(backend, second)
    merged = example.new()
    for other in (first, example.new(), second):
        merged.merge(other)
    first.merge(second)
    first.merge(example.new())
    assert state_of(backend, second) == before
    example.updated(backend, second, example.parts[:1])
    whole = example.updated(backend, example.new())
    if example.kind is Accumulator:
        for one in (first, merged):
            assert state_of(backend, one) == state_of(backend, whole)  # as all of these sums are exact
    assert values(backend, example.assert_exact(backend, first)) == values_of(example, backend, merged)


WHOLE_COPIES = {"copy": copy.copy, "deepcopy": copy.deepcopy, "pickle": lambda x: pickle.loads(pickle.dumps(x))}


@of_examples
@pytest.mark.parametrize("way", WHOLE_COPIES)
@pytest.mark.parametrize("name", ["numpy", "torch", "torch-host"])
def test_a_copy_goes_on_by_itself(name, way, example):
    backend = BACKENDS[name]
    with backend.mode():
        accumulator = example.updated(backend, example.new(), example.parts[:1])
        other = WHOLE_COPIES[way](accumulator)
        whole = state_of(backend, example.updated(backend, accumulator, example.parts[1:]))
        assert state_of(backend, other) != whole
        assert state_of(backend, example.updated(backend, other, example.parts[1:])) == whole
        assert state_of(backend, accumulator) == whole


@of_examples
@pytest.mark.parametrize("name", ["numpy", "torch", "torch-host"])
def test_a_reset_begins_anew(name, example):
    backend = BACKENDS[name]
    with backend.mode():
        accumulator = example.updated(backend, example.new())
        whole = state_of(backend, accumulator)
        example.updated(backend, accumulator)
        accumulator.reset()
        assert state_of(backend, example.updated(backend, accumulator)) == whole


@of_examples
@pytest.mark.parametrize("name", ["numpy", "torch", "torch-host"])
def test_what_was_read_stays(name, example):
    """The result, and a state also once it is loaded."""
    backend = BACKENDS[name]
    with backend.mode():
        accumulator, loaded = example.updated(backend, example.new(), example.parts[:1]), example.new()
        result, state = getattr(accumulator, example.result), accumulator.state_dict()
        before, scores = repr(plain(backend, state)), values_of(example, backend, accumulator)
        loaded.load_state_dict(state)
        for one in (accumulator, loaded):
            example.updated(backend, one)
            assert values_of(example, backend, one) != scores
        assert values(backend, example.scores(result)) == scores
        assert repr(plain(backend, state)) == before


@of_examples
@pytest.mark.parametrize("name", ["numpy", "torch", "torch-host"])
def test_a_buffer_that_is_used_again(name, example):
    """What a batch was held in may be filled with the next one."""
    backend = BACKENDS[name]
    with backend.mode():
        accumulator, buffers = example.new(), example.batch(backend, example.parts[0])
        for rows in example.parts:
            for argument, x in example.batch(backend, rows).items():
                buffers[argument][...] = x
            accumulator.update(**buffers)
        for x in buffers.values():
            x[...] = 0
        assert state_of(backend, accumulator) == state_of(backend, example.updated(backend, example.new()))


READ = {Accumulator: ("table", "unchecked_table"), MultilabelAccumulator: ("scores", "errors", "counts")}
"""All that can be read of an accumulator, if it is more than the result."""


@of_examples
@pytest.mark.parametrize("name", ["numpy", "torch", "torch-host"])
def test_what_is_read_is_not_the_accumulator(name, example):
    """Its arrays are copies, or cannot be written into, as those of tables of NumPy; of NumPy, means are numbers."""
    backend = BACKENDS[name]
    with backend.mode():
        accumulator = example.updated(backend, example.new())
        before = state_of(backend, accumulator)
        for result in READ.get(example.kind, (example.result,)):
            read = getattr(accumulator, result)
            arrays = [*arrays_in(read), *(arrays_in(example.scores(read)) if result == example.result else [])]
            has_arrays = sum(bool(np.prod(x.shape)) for x in arrays) > 2 or result == "errors"
            assert has_arrays == (name != "numpy" or example.kind not in MEANS)
            for x in arrays:
                if not isinstance(x, np.ndarray) or x.flags.writeable:
                    x[...] = 55
            assert state_of(backend, accumulator) == before


def memory_of(x):
    """How many elements are kept for an array: those of the array of which it is a part."""
    if hasattr(x, "untyped_storage"):
        return x.untyped_storage().nbytes() // x.element_size()
    base = getattr(x, "base", None)
    return int(np.prod(x.shape)) if base is None else base.size


@of("moments", "rankings", "intervals", "labels in bins")
def test_nothing_of_a_batch_is_kept(backend, example):
    """Of tables, samples wait to be counted together; and labels without bins are kept."""
    accumulator, shapes = example.new(), []
    for _ in range(3):
        example.updated(backend, accumulator)
        arrays = [x for x in arrays_in(accumulator) if not str(x.device).startswith("meta")]
        shapes.append(sorted(tuple(x.shape) for x in arrays))
        for x in arrays:
            assert memory_of(x) <= np.prod(x.shape)
    assert shapes[0] == shapes[1] == shapes[2]
    n_scores = len(example.exact)
    if example.kind in MEANS:
        assert shapes[0] == [(0,), (2, 2, n_scores)]
    if example.kind is InternalAccumulator:
        assert max(np.prod(shape) for shape in shapes[0]) == K * D


TENSORS = BACKENDS["torch-host"].array
REPRESENTED = {
    "table": (
        *(lambda: Accumulator(2, 3), "Accumulator(2 classes x 3 clusters{})"),
        *({"labels_true": [0], "labels_pred": [1]}, ", numpy"),
    ),
    "growing table": (*(Accumulator, "Accumulator(growing{})", {"labels_true": [0], "labels_pred": [1]}, ", numpy"),),
    "moments": (
        *(lambda: InternalAccumulator(3), "InternalAccumulator(3 clusters{})"),
        *({"X": TENSORS(np.eye(3)), "labels": TENSORS([0, 1, 2])}, ", torch"),
    ),
    "growing moments": (
        *(InternalAccumulator, "InternalAccumulator(growing{})"),
        *({"X": np.eye(3), "labels": np.asarray([0, 1, 2])}, ", numpy"),
    ),
    "rankings": (
        lambda: RankingAccumulator(["ndcg@10", "map"]),
        *("RankingAccumulator([ndcg_score@10, average_precision_score]{})", {"y_true": [[1, 0]]}, ", numpy"),
    ),
    "intervals": (
        *(lambda: IntervalAccumulator(["jaccard", "simpson"]), "IntervalAccumulator([jaccard_score, simpson_score]{})"),
        *({"true_intervals": [0, 4], "pred_intervals": [1, 7]}, ", numpy"),
    ),
    "labels": (
        lambda: MultilabelAccumulator(["f1", "log_loss"], ["macro", "micro"]),
        "MultilabelAccumulator([f1_macro, f1_micro, log_loss]{})",
        *({"y_true": [[1, 0]], "y_score": [[0.5, 0.25]]}, ", 2 classes, numpy"),
    ),
}


@pytest.mark.parametrize("case", REPRESENTED)
def test_what_it_says_of_itself(case):
    new, text, batch, known = REPRESENTED[case]
    accumulator = new()
    assert repr(accumulator) == text.format("")
    accumulator.update(**batch)
    assert repr(accumulator) == text.format(known)


# ---- on a device -----------------------------------------------------------------------------------


def quiet_moments():
    arguments = [{"X": torch.asarray(X), "labels": torch.asarray(LABELS)}] * 2
    weighed = [(InternalAccumulator(K, ignore_labels=2), w) for w in (None, COPIES, SHARES)]
    updates = [
        (x, batch | ({} if w is None else {"sample_weight": torch.asarray(w)}))
        for x, w in weighed
        for batch in arguments
    ]
    return updates, (InternalAccumulator(), arguments[0])  # without the number of clusters


def quiet_rankings():
    reciprocal = functools.partial(ranking.expected_reciprocal_rank, max_relevance=9)
    # The expected reciprocal rank needs what only all batches tell.
    measures = sorted(set(ranking_names.READER.measures) - {"expected_reciprocal_rank"})
    accumulator = RankingAccumulator([*measures, reciprocal], ignore_relevance=-1)
    rows, scores, weights = (
        torch.asarray(x[:3])
        for x in (ranking_cases.BATCHED_ROWS, ranking_cases.BATCHED_SCORES, ranking_cases.BATCHED_WEIGHTS)
    )
    vectors = {"y_true": rows.reshape(-1), "y_score": scores.reshape(-1)}
    vectors["queries"] = torch.arange(3).repeat_interleave(4)
    matrices = {"y_true": rows, "y_score": scores, "sample_weight": weights, "mask": rows < 9}
    batches = [matrices, vectors | {"n_queries": 3, "n_relevant": 12}] * 2
    return [(accumulator, x) for x in batches], (accumulator, vectors)  # to find out how many queries there are


def quiet_labels(n_bins=None):
    labels, scores = (torch.asarray(np.asarray(x, dtype=float)) for x in multilabel_cases.MATRICES["ties"])
    weights, classes = torch.asarray(multilabel_cases.WEIGHTS), torch.tensor([0, 1, 2, 3, 0, 1])
    averages = multilabel_cases.BATCHED_AVERAGES
    matrices = MultilabelAccumulator("all", averages, n_bins=n_bins, ignore_labels=-1)
    vectors = MultilabelAccumulator(["f1", "hamming_loss"], ["macro", "micro"], n_classes=4)
    updates = [
        (matrices, {"y_true": labels, "y_score": scores, "sample_weight": weights, "mask": labels < 9}),
        (matrices, {"y_true": labels, "y_score": scores, "y_pred": labels > 0}),
        (matrices, {"y_true": classes, "y_score": scores}),
        (vectors, {"y_true": classes, "y_pred": classes.flip(0)}),
    ]
    noisy = MultilabelAccumulator("f1", "macro"), {"y_true": classes, "y_pred": classes}
    return updates * 2, noisy  # to find out which classes there are


def quiet_intervals():
    example = EXAMPLES["intervals"]
    batches = [example.batch(BACKENDS["torch"], rows) for rows in example.parts]
    accumulators = example.new(), IntervalAccumulator()
    return [(y, x) for x in batches for y in accumulators], (RankingAccumulator("map"), quiet_rankings()[1][1])


QUIET = {
    "moments": quiet_moments,
    "rankings": quiet_rankings,
    "intervals": quiet_intervals,
    "labels": quiet_labels,
    "labels in bins": functools.partial(quiet_labels, n_bins=5),
}


@pytest.mark.parametrize("case", QUIET)
def test_an_update_reads_no_value(case):
    """No operation of PyTorch waits for the device, also of other forms of batches; nor where scores are read."""
    updates, (noisy, batch) = QUIET[case]()
    with as_on_a_device(), transfers_to_host() as copied, TorchOperations() as called:
        for accumulator, arguments in updates:
            accumulator.update(**arguments)
        scores = [score for x, _ in updates for score in scores_in(x)]
    assert called.counter
    assert called.waits == 0
    assert not copied
    assert all(type(x) is torch.Tensor for x in scores)
    with as_on_a_device(), transfers_to_host() as copied:
        noisy.update(**batch)
    assert copied  # so it would be seen
    with TorchOperations() as called:
        float(scores[0])
    assert called.waits


def scores_in(accumulator):
    if isinstance(accumulator, InternalAccumulator):
        return [gpuval.calinski_harabasz_score(accumulator.moments)]
    if isinstance(accumulator, Accumulator):
        return [gpuval.adjusted_rand_score(accumulator.unchecked_table)]
    return list(accumulator.scores.values())


OF_JAX = {x: y for x, y in EXAMPLES.items() if not x.startswith("growing")}
OF_JAX |= {x: SETTINGS[x] for x in ("rankings zero True", "intervals zero True", "labels None None")}


@pytest.mark.parametrize("example", OF_JAX.values(), ids=OF_JAX)
def test_an_update_of_jax_reads_no_value(example):
    backend = BACKENDS["jax"]
    with backend.mode():
        batches = [example.batch(backend, rows) for rows in example.parts]
        accumulator = example.new()
        with jax_values_refused(), transfers_to_host() as copied:
            for batch in batches:
                accumulator.update(**batch)
            if example.kind in MEANS:
                _ = accumulator.scores
        assert not copied


RIGHT = {
    "table": ({"n_classes": 2, "n_clusters": 2}, {"labels_true": [0, 1, 1], "labels_pred": [0, 1, 0]}),
    "moments": ({"n_clusters": 3}, {"X": [[0.0], [1.0], [2.0], [4.0]], "labels": [0, 0, 1, 2]}),
    "rankings": (
        {"metrics": ["map", "precision@1"], "on_undefined": "skip"},
        {"y_true": [[1, 0]], "y_score": [[2.0, 1.0]]},
    ),
    "intervals": (
        {"metrics": ["jaccard", "ochiai"], "on_undefined": "skip"},
        {"true_intervals": [[0.0, 4.0]], "pred_intervals": [[1.0, 7.0]]},
    ),
    "labels": (
        {"metrics": ["f1", "auc"], "averages": "macro"},
        {"y_true": [[1, 0], [0, 1]], "y_score": [[0.75, 0.5], [0.25, 0.5]]},
    ),
}
WRONG_ON_A_DEVICE = [
    ("table", {"labels_true": [0, 2, 1]}),
    ("table", {"labels_pred": [0, -1, 1]}),
    ("table", {"sample_weight": [1.0, -1.0, 1.0]}),
    ("table", {"sample_weight": [1.0, NAN, 1.0]}),
    ("moments", {"labels": [0, 0, 3, 2]}),
    ("moments", {"sample_weight": [-1.0, 1.0, 1.0, 1.0]}),
    ("moments", {"X": [[0.0], [NAN], [2.0], [4.0]]}),
    ("moments", {"X": [[0.0], [-np.inf], [2.0], [4.0]]}),
    ("rankings", {"y_true": [[1, -1]]}),
    ("rankings", {"y_score": [[np.nan, 1.0]]}),
    ("rankings", {"y_true": [1, 0], "y_score": [2.0, 1.0], "queries": [0, 1], "n_queries": 1}),
    ("rankings", {"sample_weight": [-1.0]}),
    ("rankings", {"n_relevant": [0]}),
    ("intervals", {"true_intervals": [[4.0, 1.0]]}),
    ("intervals", {"pred_intervals": [[NAN, 1.0]]}),
    ("intervals", {"sample_weight": [-1.0]}),
    ("intervals", {"sample_weight": [NAN]}),
    ("labels", {"y_true": [[1, 0], [0, 2]]}),
    ("labels", {"y_score": [[NAN, 0.5], [0.25, 0.5]]}),
    ("labels", {"sample_weight": [-1.0, 1.0]}),
]
INFINITE_SUMS = [
    ("table", {"labels_pred": [0, 1, 1], "sample_weight": [1.0, 1.5e308, 1.5e308]}),
    ("moments", {"X": [[1.5e308], [1.5e308], [2.0], [4.0]]}),
]
ON_DEVICES = [(name, *x) for name in ("torch", "jax") for x in WRONG_ON_A_DEVICE]
ON_DEVICES += [("torch", *x) for x in INFINITE_SUMS]  # in 32 bits the samples would be infinite themselves


@pytest.mark.parametrize(("name", "case", "wrong"), ON_DEVICES)
def test_what_is_wrong_on_a_device_is_nan(name, case, wrong):
    """Whatever comes before it and after it; also once a state is loaded."""
    backend, (settings, right) = BACKENDS[name], RIGHT[case]
    kind = EXAMPLES[case].kind
    with backend.mode():
        accumulator, loaded = kind(**settings), kind(**settings)
        for batch in (right, right | wrong, right):
            accumulator.update(**{x: backend.array(y) if isinstance(y, list) else y for x, y in batch.items()})
        loaded.load_state_dict(accumulator.state_dict())
        for one in (accumulator, loaded):
            assert np.isnan([float(backend.numpy(x)) for x in scores_in(one)]).all()


def contexts():
    """Where gradients or inference mode might be kept: on a device, and on the host."""
    return {
        "device": as_on_a_device,
        "host": BACKENDS["torch-host"].mode,
        "none": torch.no_grad,
        "all": torch.enable_grad,
    }


def labels_of_all_measures():
    """The scores are those of one call, as all of them are exact elsewhere."""
    metrics = [*multilabel_cases.SHORT, "log_loss", "mean_probability_rate"]
    metrics += ["macro_average_probability_rate", "balanced_accuracy"]
    options = {"metrics": metrics, "averages": multilabel_cases.BATCHED_AVERAGES}
    columns = EXAMPLES["labels of weights"].columns
    return Example(MultilabelAccumulator, options, columns, lambda: dict(multilabel.evaluate(**columns, **options)))


WITH_GRADIENTS = EXAMPLES | {"labels of all measures": labels_of_all_measures()}


@pytest.mark.parametrize("example", WITH_GRADIENTS.values(), ids=WITH_GRADIENTS)
@pytest.mark.parametrize("context", ["device", "host", "none", "all"])
def test_gradients_and_inference_mode_are_not_kept(context, example):
    """What is computed in inference mode may be a tensor of it in places, but not once more was added outside."""
    backend = BACKENDS["torch"]

    def with_gradients(rows):
        batch = example.batch(backend, rows)
        if example.kind in MEANS and "sample_weight" in batch:  # elsewhere integers are copies of samples
            batch["sample_weight"] = batch["sample_weight"].double()
        return {name: x.clone().requires_grad_() * 1 if x.is_floating_point() else x for name, x in batch.items()}

    first, second, third = example.parts[0], example.parts[1], np.concatenate(example.parts[2:])
    with contexts()[context]():
        accumulator, other, loaded = example.new(), example.new(), example.new()
        accumulator.update(**with_gradients(first))
        state = accumulator.state_dict()
        with torch.inference_mode():
            other.update(**example.batch(backend, third))
            held = [*arrays_in(other)] if example.kind is not InternalAccumulator else []
            accumulator.update(**example.batch(backend, second))
            held += arrays_in(accumulator) if example.kind in (Accumulator, *MEANS) else []
            loaded.load_state_dict(state)
            loaded.update(**example.batch(backend, second))
        assert not any(map(is_of_a_mode, held))
        accumulator.merge(other)
        loaded.update(**with_gradients(third))
        assert not any(map(is_of_a_mode, arrays_in(accumulator)))
        for one in (accumulator, loaded):
            copy.deepcopy(one)
            example.assert_exact(backend, one)
            one.reset()
            example.assert_exact(backend, example.updated(backend, one))


def is_of_a_mode(x):
    """Whether PyTorch has a gradient of an array, or refuses to use it outside of inference mode."""
    return isinstance(x, torch.Tensor) and (x.requires_grad or x.is_inference())


# ---- within JAX ------------------------------------------------------------------------------------

DERIVED = {
    x: EXAMPLES[x]
    for x in (
        *("table of weights", "growing table of weights", "moments of shares", "growing moments of shares"),
        *("rankings", "intervals", "labels of weights", "labels in bins of weights"),
    )
}
of_derived = pytest.mark.parametrize("example", DERIVED.values(), ids=DERIVED)


def of_jax(example):
    """The samples, of which all that may be a float is one."""
    import jax.numpy as jnp

    return {
        name: jnp.asarray(x).astype("float32" if name == "sample_weight" else jnp.asarray(x).dtype)
        for name, x in example.columns.items()
    }


@of_derived
def test_batches_inside_a_derivative_of_jax(example):
    """Their values are taken, and no derivative goes through them: the sums are those outside."""
    import jax
    import jax.numpy as jnp

    inside, outside, columns = example.new(), example.new(), of_jax(example)
    floats = {name: x for name, x in columns.items() if jnp.issubdtype(x.dtype, jnp.floating)}

    def loss(floats):
        inside.update(**columns | floats)
        return sum(jnp.sum(jnp.where(jnp.isfinite(x), x, 0) ** 2) for x in floats.values())

    derivatives = jax.grad(loss)(floats)
    for name, x in floats.items():
        np.testing.assert_array_equal(derivatives[name], jnp.where(jnp.isfinite(x), 2 * x, 0))
    outside.update(**columns)
    numpy = BACKENDS["numpy"]
    assert state_of(numpy, inside) == state_of(numpy, outside)
    assert example.scores_of(inside)


INSTEAD = {
    Accumulator: "build tables with n_classes= and n_clusters= there and add them up",
    InternalAccumulator: "return the samples and the labels from there",
    RankingAccumulator: (
        "return the values of the queries from there (return_per_query=True), or update it with a Ranked that was made "
        "there"
    ),
    IntervalAccumulator: "return the values of the samples from there (return_per_sample=True)",
    MultilabelAccumulator: "return the labels and the scores from there",
}
TRACED = [
    pytest.param(example, name, transformed, id=f"{x} {name} {transformed}")
    for x, example in {**DERIVED, "table": EXAMPLES["table"], "growing table": EXAMPLES["growing table"]}.items()
    for transformed in ("jit", "vmap")
    for name in (*example.columns, "all", *["none"] * (transformed == "jit"))
]


@pytest.mark.parametrize(("example", "argument", "transformed"), TRACED)
def test_what_jax_traces_is_refused(example, argument, transformed):
    """Its values are not known, and sums are not to outlive the trace; jax.jit traces what is made of others, too."""
    import jax

    columns, numpy = of_jax(example), BACKENDS["numpy"]
    traced = columns if argument == "all" else {name: x for name, x in columns.items() if name == argument}
    message = f"an accumulator cannot be updated inside jax.jit or jax.vmap: {INSTEAD[example.kind]}"
    arguments = {name: x[None] for name, x in traced.items()} if transformed == "vmap" else traced
    blank, accumulator = example.new(), example.new()
    accumulator.update(**columns)
    for one in (blank, accumulator):
        before = state_of(numpy, one)

        def update(traced, one=one):
            one.update(**columns | traced)
            return traced

        with pytest.raises(TypeError, match=f"^{re.escape(message)}"):  # JAX may add a note to it
            getattr(jax, transformed)(update)(arguments)
        assert state_of(numpy, one) == before


@pytest.mark.parametrize("transformed", ["jit", "vmap", "grad"])
def test_weights_of_a_ranked_that_jax_traces(transformed):
    """Those of a derivative are taken by their values, as weights beside the labels are."""
    import jax

    accumulator, weights = RankingAccumulator("map"), jax.numpy.ones(2)
    labels, scores = jax.numpy.asarray([[1, 0], [0, 1]]), jax.numpy.asarray([[2.0, 1.0], [2.0, 1.0]])

    def update(weights):
        accumulator.update(ranking.Ranked.from_scores(labels, scores, sample_weight=weights))
        return jax.numpy.sum(weights**2)

    if transformed == "grad":
        assert jax.grad(update)(weights).tolist() == [2, 2]
        assert accumulator.scores == {"average_precision_score": 0.75}
        return
    with pytest.raises(TypeError, match=r"^an accumulator cannot be updated inside"):
        getattr(jax, transformed)(update)(weights if transformed == "jit" else weights[None])
    assert repr(accumulator) == repr(RankingAccumulator("map"))


COMPILED = {
    "rankings": (SETTINGS["rankings zero False"], 1),
    "intervals": (SETTINGS["intervals skip False"], 0),
    "labels": (SETTINGS["labels None None"], 0),
    "labels in bins": (EXAMPLES["labels in bins"], 0),
}


@pytest.mark.parametrize("case", COMPILED)
@pytest.mark.parametrize("context", ["device", "host"])
def test_an_update_is_compiled(context, case):
    """Also where the sums lie in NumPy outside of the graph; and where the first batch was not compiled."""
    (example, n_before), backend = COMPILED[case], BACKENDS["torch"]
    with contexts()[context]():
        accumulator = example.updated(backend, example.new(), example.parts[:n_before])
        step = torch.compile(lambda batch: accumulator.update(**batch), backend="eager")
        for rows in example.parts[n_before:]:
            step(example.batch(backend, rows))
        example.assert_exact(backend, accumulator)


# ---- checkpoints -----------------------------------------------------------------------------------


def pickled(x):
    return pickle.loads(pickle.dumps(x))


def in_json(x):
    return json.loads(json.dumps(x))


def through_torch(state):
    """With ``torch.load`` as it is safe, which is its default."""
    file = io.BytesIO()
    torch.save(state, file)
    return torch.load(io.BytesIO(file.getvalue()), weights_only=True)


WAYS = {"numpy": [pickled, in_json, through_torch], "strict": [], "jax": [pickled], "jax-x64": [pickled]}
WAYS |= {"torch": [pickled, through_torch], "torch-host": [pickled, through_torch]}


@of_examples
@pytest.mark.parametrize("name", WAYS)
def test_a_state_goes_on(name, example):
    """As if there had been no checkpoint; what comes to the first accumulator later is of no consequence."""
    backend = BACKENDS[name]
    with backend.mode():
        whole = example.updated(backend, example.new())
        state_of_whole, scores = state_of(backend, whole), example.scores_of(whole)
        for through in [lambda state: state, copy.deepcopy, *WAYS[name]]:
            half, other = example.updated(backend, example.new(), example.parts[:-1]), example.new()
            before, state = state_of(backend, half), half.state_dict()
            other.load_state_dict(through(state))
            assert state_of(backend, other) == before
            assert repr(plain(backend, other.state_dict())) == repr(plain(backend, state))
            example.updated(backend, half, example.parts[:1])
            example.updated(backend, other, example.parts[-1:])
            found = example.scores_of(other)
            assert (state_of(backend, other), values(backend, found)) == (state_of_whole, values(backend, scores))
            assert [type(x) for x in found.values()] == [type(x) for x in scores.values()]


SPELLINGS = [[NAN, -1, 0.5], np.asarray([0.5, NAN, -1.0, NAN]), (0.5, None, np.asarray(-1)), (-1.0, None, NAN, 0.5)]
SPELLED = [(case, x) for case in ("table", "growing table", "moments", "rankings", "labels") for x in SPELLINGS]
SPELLED += [("rankings", (Fraction(1, 2), None, np.asarray(-1)))]  # labels may be fractions, and relevances are numbers


def calinski_of_twice(rows):
    return float(internal_oracles.calinski_harabasz(np.tile(X[rows], (2, 1)), np.tile(LABELS[rows], 2).tolist()))


IGNORING = {
    "table": (
        *(Accumulator, {"n_classes": 2, "n_clusters": 2}, "ignore_labels", "ignore the same labels"),
        [{"labels_true": [0, -1, 1], "labels_pred": [0, 1, 1]}],
        lambda x: x.table.to_array().tolist() == [[2, 0], [0, 2]],
    ),
    "growing table": (
        *(Accumulator, {}, "ignore_labels", "ignore the same labels"),
        [{"labels_true": [0, -1, 1], "labels_pred": [0, 1, 1]}],
        lambda x: x.table.to_array().tolist() == [[2, 0], [0, 2]],
    ),
    "moments": (
        *(InternalAccumulator, {"n_clusters": K}, "ignore_labels", "have the same n_clusters and ignore_labels"),
        [{"X": X, "labels": np.where(LABELS == 3, -1, LABELS)}],
        lambda x: scores_in(x) == pytest.approx([calinski_of_twice(LABELS != 3)], rel=1e-12),
    ),
    "rankings": (
        *(RankingAccumulator, {"metrics": "mrr"}, "ignore_relevance", "have the same ignore_relevance"),
        [{"y_true": [[NAN, -1, 0.5, 0, 1]]}, {"y_true": [[1, NAN, -1, 0.5, 0]]}],
        lambda x: x.scores == {"reciprocal_rank_score": 0.75},  # (1/2 + 1)/2
    ),
    "labels": (
        *(
            MultilabelAccumulator,
            {"metrics": "recall", "averages": "macro"},
            "ignore_labels",
            "have the same ignore_labels",
        ),
        [
            {"y_true": [[1, 0.5], [-1, 1.0]], "y_score": [[1.0, 0.0], [0.0, 0.0]]},
            {"y_true": [[1, NAN]], "y_score": [[0.0, 0.0]]},
        ],
        lambda x: dict(x.scores) == {"recall_macro": 0.25},  # 1/2 of the first class, none of the second
    ),
}


@pytest.mark.parametrize("through", [in_json, pickled, through_torch])
@pytest.mark.parametrize(("case", "ignored"), SPELLED)
def test_what_is_ignored_is_the_same_however_it_is_written(case, ignored, through):
    """Also NaN, which is not equal to itself, and no longer the same object after it was in a file."""
    kind, settings, setting, message, batches, is_right = IGNORING[case]
    whole, half = (kind(**settings, **{setting: x}) for x in ([-1, NAN, 0.5], ignored))
    for batch in batches:
        half.update(**batch)
    whole.load_state_dict(through(half.state_dict()))
    whole.merge(half)
    assert is_right(whole)
    before = state_of(BACKENDS["numpy"], half)
    for others in ([-1, 0.5], [-1, NAN, 0.25], None):
        other = kind(**settings, **{setting: others})
        with pytest.raises(ValueError, match=f"{message} to be merged, got .*None, -1, 0.5.* and "):
            half.merge(other)
        with pytest.raises(ValueError, match=rf"the same {setting}=\[.*\], got \[None, -1, 0.5\]$"):
            other.load_state_dict(through(half.state_dict()))
    assert state_of(BACKENDS["numpy"], half) == before


def overwrite(stored):
    """Write 0 into all arrays of a state: those of NumPy are lists of their values."""
    for x in stored.values():
        if isinstance(x, dict):
            x["values"][:] = [0] * len(x["values"])
        elif hasattr(x, "shape"):
            x[...] = 0


@of_examples
@pytest.mark.parametrize("name", ["numpy", "torch", "torch-host"])
def test_a_state_is_a_copy(name, example):
    """Of what the accumulator holds; and a copy is made of it again where it is loaded."""
    backend = BACKENDS[name]
    with backend.mode():
        accumulator = example.updated(backend, example.new())
        before = state_of(backend, accumulator), values_of(example, backend, accumulator)
        overwrite(accumulator.state_dict())
        for _ in range(2):
            state = accumulator.state_dict()
            whole = repr(plain(backend, state))
            accumulator.load_state_dict(state)
            overwrite(state)
            assert repr(plain(backend, state)) != whole
            assert (state_of(backend, accumulator), values_of(example, backend, accumulator)) == before
            overwrite(accumulator.state_dict())


OF_ONE = {"dtype": "<f8", "shape": [2, 2, 1], "values": [1.0, 2.0, 0.0, 0.0]}
COUNTS = {"dtype": "<i8", "shape": [4, 1], "values": [1, 0, 0, 1]}
"""Sums and counts as states of NumPy have them."""
SMALL = {
    "table": (Accumulator, (2, 2), ([0, 1, 1], [0, 1, 1])),
    "growing table": (Accumulator, (), ([0, 1, 1], [0, 1, 1])),
    "moments": (InternalAccumulator, (K,), (X, LABELS)),
    "growing moments": (InternalAccumulator, (), (X, LABELS)),
    "rankings": (RankingAccumulator, ("map",), ([[0, 1]],)),
    "intervals": (IntervalAccumulator, ("jaccard",), ([[0, 4]], [[0, 2]])),
    "labels": (MultilabelAccumulator, (["f1", "auc"], "macro"), ([[1], [0]], [[0.5], [0.25]])),
}
OTHER = "state must be of an accumulator with the same "
BROKEN = [
    ("table", {"counts": np.ones((2, 3), int)}, ValueError, "state must have counts of shape (2, 2), got (2, 3)"),
    (
        *("table", {"counts": np.asarray([[-1, 0], [0, -2]])}, ValueError),
        "state must have counts that are finite and not negative, got -2",
    ),
    ("moments", {"masses": np.ones(7)}, ValueError, "state must have masses of shape (5,), got (7,)"),
    (
        *("moments", {"masses": np.full(K, -1.0)}, ValueError),
        "state must have masses of numbers that are finite and at least 0, got -1.0 to -1.0",
    ),
    (
        *("moments", {"masses": np.full(K, NAN)}, ValueError),
        "state must have masses of numbers that are finite and at least 0, got nan to nan",
    ),
    ("moments", {"masses": None}, TypeError, "state must have masses as an array, got NoneType"),
    ("moments", {"places": np.ones((3, 5))}, ValueError, "state must have places of shape (5, 5), got (3, 5)"),
    (
        *("moments", {"offsets": np.full((K, D), np.inf)}, ValueError),
        "state must have offsets of numbers that are finite, got inf to inf",
    ),
    ("moments", {"spreads": np.ones((K, 1))}, ValueError, "state must have spreads of shape (5,), got (5, 1)"),
    (
        *("moments", {"spreads": np.full(K, -1.0)}, ValueError),
        "state must have spreads of numbers that are finite and at least 0, got -1.0 to -1.0",
    ),
    (
        *("moments", {"errors": np.full(K, NAN)}, ValueError),
        "state must have errors of numbers that are finite and at least 0, got nan to nan",
    ),
    (
        *("moments", {"invalid": np.asarray(0), "offsets": np.full((K, D), NAN), "masses": np.full(K, -1.0)}),
        *(ValueError, "state must have masses of numbers that are at least 0, got -1.0 to -1.0"),
    ),
    ("moments", {"n_counted": np.asarray(["a"])}, ValueError, "state must have n_counted of shape (), got (1,)"),
    ("moments", {"given": None}, TypeError, "state must have given as an array, got NoneType"),
    ("growing moments", {"values": 3}, TypeError, "state must have values as a list of labels, got int"),
    (
        *("growing moments", {"values": ["a", "b", "c"]}, ValueError),
        "state must have masses of shape (3,), got (5,)",
    ),
    (
        *("rankings", {"metrics": ["map"]}, ValueError),
        f"{OTHER}metrics=['average_precision_score: average_precision_score()'], got ['map']",
    ),
    ("rankings", {"ties": "stable"}, ValueError, f"{OTHER}ties=None, got stable"),
    ("rankings", {"on_undefined": "skip"}, ValueError, f"{OTHER}on_undefined=None, got skip"),
    ("rankings", {"ignore_relevance": [0]}, ValueError, f"{OTHER}ignore_relevance=[], got [0]"),
    (
        *("intervals", {"metrics": ["iou"]}, ValueError),
        f"{OTHER}metrics=['jaccard_score: jaccard_score()'], got ['iou']",
    ),
    ("intervals", {"on_undefined": "skip"}, ValueError, f"{OTHER}on_undefined=None, got skip"),
    *(
        (case, *change)
        for case in ("rankings", "intervals")
        for change in (
            ({"sums": 3}, TypeError, "state must have sums as an array, got int"),
            (
                *({"sums": OF_ONE | {"shape": [4, 1]}}, ValueError),
                "state must have sums of shape (2, 2, 1), got (4, 1)",
            ),
            ({"sums": OF_ONE | {"dtype": "<i8"}}, ValueError, "state must have sums of floats, got dtype int64"),
        )
    ),
    ("labels", {"n_bins": 5}, ValueError, f"{OTHER}n_bins=None, got 5"),
    ("labels", {"averages": ["micro"]}, ValueError, f"{OTHER}averages=['macro'], got ['micro']"),
    ("labels", {"counts": 3}, TypeError, "state must have counts as an array, got int"),
    (
        *("labels", {"counts": COUNTS | {"shape": [1, 4]}}, ValueError),
        "state must have counts of shape (4, 1), got (1, 4)",
    ),
    (
        *("labels", {"counts": COUNTS | {"dtype": "<f8"}}, ValueError),
        "state must have counts of integers, got dtype float64",
    ),
    ("labels", {"classes": 0}, ValueError, "state must have classes as their number or their labels, got 0"),
    ("labels", {"scores": np.ones((2, 3))}, ValueError, "state must have scores of shape (2, 1), got (2, 3)"),
    ("labels", {"labels": np.ones((2, 1))}, ValueError, "state must have labels of integers, got dtype float64"),
    *(
        (case, {"given": np.ones(3)}, ValueError, "state must have given of shape (0,), got (3,)")
        for case in ("rankings", "intervals", "labels")
    ),
    *((case, None, TypeError, "state must be a mapping, as state_dict() gives it, got NoneType") for case in SMALL),
]


def small(case):
    kind, settings, batch = SMALL[case]
    accumulator = kind(*settings)
    accumulator.update(*batch)
    return accumulator


@pytest.mark.parametrize(("case", "change", "error", "message"), BROKEN)
def test_a_state_that_is_broken_changes_nothing(case, change, error, message):
    accumulator, numpy = small(case), BACKENDS["numpy"]
    before = state_of(numpy, accumulator)
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        accumulator.load_state_dict(None if change is None else accumulator.state_dict() | change)
    assert state_of(numpy, accumulator) == before


PARTS = [(case, name) for case in SMALL for name in small(case).state_dict()]


@pytest.mark.parametrize(("case", "name"), PARTS)
def test_a_state_without_a_part_changes_nothing(case, name):
    accumulator, numpy, (kind, settings, _) = small(case), BACKENDS["numpy"], SMALL[case]
    before, state = state_of(numpy, accumulator), accumulator.state_dict()
    del state[name]
    is_setting = name in kind(*settings).state_dict()
    message = f"{OTHER}{name}=" if is_setting else f"state must have {name}, got {', '.join(state)}"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}{'' if is_setting else '$'}"):
        accumulator.load_state_dict(state)
    assert state_of(numpy, accumulator) == before


@pytest.mark.parametrize(("case", "name"), PARTS)
def test_a_state_of_one_part_changes_nothing(case, name):
    """It is not that of an accumulator without samples, which has no part; so the settings alone are one."""
    accumulator, numpy, (kind, settings, _) = small(case), BACKENDS["numpy"], SMALL[case]
    before, blank = state_of(numpy, accumulator), kind(*settings).state_dict()
    if name not in blank:
        with pytest.raises(ValueError, match=rf"^state must have .*, got {', '.join(blank)}, {name}$"):
            accumulator.load_state_dict(blank | {name: accumulator.state_dict()[name]})
        assert state_of(numpy, accumulator) == before
    accumulator.load_state_dict(blank)
    assert accumulator.state_dict() == blank or case == "table"  # whose memory is kept


# ---- what is refused -------------------------------------------------------------------------------


@of_examples
def test_batches_that_do_not_go_together(example):
    """They change nothing, nor does a first batch that is refused."""
    numpy, strict, host = (BACKENDS[x] for x in ("numpy", "strict", "strict-fixed-shapes"))
    first = next(iter(example.columns))
    accumulator, on_device = example.new(), example.new()
    weights = np.full(len(example.columns[first]), -1.0)
    with pytest.raises(ValueError, match="sample_weight"):
        accumulator.update(**example.batch(numpy, example.parts[0], sample_weight=weights))
    assert repr(accumulator) == repr(example.new())
    example.updated(numpy, accumulator)
    before = state_of(numpy, accumulator)
    message = f"{first} must be of the array library of the accumulator (numpy), got "
    with pytest.raises(TypeError, match=f"^{re.escape(message)}(torch|Tensor)$"):
        accumulator.update(**example.batch(BACKENDS["torch-host"], example.parts[0]))
    example.updated(strict, on_device)
    with pytest.raises(ValueError, match=rf"^{first} must be on the device of the accumulator \(.*device1.*\), got "):
        example.updated(host, on_device)
    message = "other must be of the array library of the accumulator (numpy), got "
    with pytest.raises(TypeError, match=f"^{re.escape(message)}(array_api_strict|Accumulator)$"):
        accumulator.merge(on_device)
    with pytest.raises(ValueError, match="sample_weight"):
        accumulator.update(**example.batch(numpy, example.parts[0], sample_weight=weights))
    assert state_of(numpy, accumulator) == before
    example.assert_exact(strict, on_device)


def of_another_width():
    accumulator = InternalAccumulator()
    accumulator.update(X[:, :1], LABELS)
    return accumulator


UNDEFINED = "on_undefined must be one of 'zero', 'one', 'nan', 'skip', got 'none'"
SAME_SETTINGS = "accumulators must have the same "
MESSAGES = [
    *((case, lambda x: x.merge(3), TypeError, None) for case in SMALL),
    *(
        (case, lambda x: type(x)("map" if case == "rankings" else None, on_undefined="none"), ValueError, UNDEFINED)
        for case in ("rankings", "intervals", "labels")
    ),
    (
        *("table", lambda x: x.merge(Accumulator(2, 3)), ValueError),
        f"{SAME_SETTINGS}sizes to be merged, got (2, 2) and (2, 3)",
    ),
    (
        *("growing moments", lambda x: x.merge(of_another_width()), ValueError),
        "other must have as many features in each batch (3), got 1",
    ),
    (
        *("moments", lambda x: x.merge(InternalAccumulator(4)), ValueError),
        f"{SAME_SETTINGS}n_clusters and ignore_labels to be merged, got 5, () and 4, ()",
    ),
    (
        *("rankings", lambda x: x.merge(RankingAccumulator("map", ties="stable")), ValueError),
        f"{SAME_SETTINGS}ties to be merged, got None and stable",
    ),
    (
        *("rankings", lambda x: x.merge(RankingAccumulator("mrr")), ValueError),
        (
            f"{SAME_SETTINGS}metrics to be merged, got ['average_precision_score: average_precision_score()'] and "
            "['reciprocal_rank_score: reciprocal_rank_score()']"
        ),
    ),
    (
        *("intervals", lambda x: x.merge(IntervalAccumulator("jaccard", on_undefined="skip")), ValueError),
        f"{SAME_SETTINGS}on_undefined to be merged, got None and skip",
    ),
    (
        *("intervals", lambda x: x.merge(IntervalAccumulator("ochiai")), ValueError),
        (
            f"{SAME_SETTINGS}metrics to be merged, got ['jaccard_score: jaccard_score()'] and "
            "['ochiai_score: ochiai_score()']"
        ),
    ),
    (
        *("labels", lambda x: x.merge(MultilabelAccumulator(["f1", "auc"], "macro", n_bins=5)), ValueError),
        f"{SAME_SETTINGS}n_bins to be merged, got None and 5",
    ),
]


@pytest.mark.parametrize(("case", "call", "error", "message"), MESSAGES)
def test_what_is_refused_changes_nothing(case, call, error, message):
    accumulator, numpy = small(case), BACKENDS["numpy"]
    before, kind = state_of(numpy, accumulator), type(accumulator).__name__
    if message is None:
        message = f"other must be a{'n' * (kind[0] in 'AI')} {kind}, got int"
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        call(accumulator)
    assert state_of(numpy, accumulator) == before


@of_kinds
def test_one_process_is_itself(example):
    accumulator = example.new()
    assert accumulator.all_reduce() is accumulator
    with pytest.raises(RuntimeError, match=r"^torch\.distributed must be initialised before all_reduce"):
        accumulator.all_reduce(group=object())
