"""How long measures of several labels take beside scikit-learn and torchmetrics; medians."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from benchmarks import timing
from benchmarks.calls import Call
from benchmarks.multilabel import peers
from benchmarks.multilabel.labels import Matrices, Shape, Sizes, matrices, vectors
from gpuval import multilabel

HEAD = "| call | of | beside | ratio | quartiles | ms | aimed at |\n| --- | --- | --- | --- | --- | --- | --- |"


class Case(NamedTuple):
    """A call of gpuval, and the same by a peer; ``theirs`` is None if that is not installed."""

    call: str
    of: str
    peer: str
    theirs: peers.Peer | None
    ours: Callable[[], Any]
    aim: str
    read_theirs: Callable[[Any], Any] = float
    read_ours: Callable[[Any], Any] = float


def lines(sizes: Sizes, rounds: int) -> Iterator[str]:
    """A line for each comparison."""
    yield HEAD
    for case in _cases(sizes):
        yield _line(case, rounds)


def _cases(sizes: Sizes) -> Iterator[Case]:
    for shape, aim in ((sizes.long, "at least 2"), (sizes.wide, "at least 5")):
        given = matrices(shape)
        yield from _curves(given, shape, aim)
        yield from _counts(given, shape)
        yield from _losses(given, shape)
        yield from _samples(given, shape)
    given = matrices(sizes.rows)
    for name in ("roc_auc_score", "average_precision_score"):
        yield _of_both(name, given.as_types(np.int64), sizes.rows, "-", average="samples")
    yield from _vectors(sizes.long)


def _curves(given: Matrices, shape: Shape, aim: str) -> Iterator[Case]:
    for dtype in (np.float64, np.float32):
        of_type = given.as_types(np.int64, dtype)
        for name in ("roc_auc_score", "average_precision_score"):
            yield _of_both(name, of_type, shape, aim, average="macro")


def _counts(given: Matrices, shape: Shape) -> Iterator[Case]:
    for dtype in (np.int64, np.bool_):
        true, pred, _ = given.as_types(dtype)
        of = f"{shape}, {np.dtype(dtype)}"
        found = partial(multilabel.LabelCounts.from_labels, true, pred)
        case = Case("LabelCounts", of, "torchmetrics", None, found, "at least 5", read_ours=peers.four_of)
        theirs, read = peers.counts_of_torchmetrics(true, pred), peers.four_of_torchmetrics
        yield case._replace(theirs=theirs, read_theirs=read)
        theirs, read = peers.of_sklearn("multilabel_confusion_matrix", true, pred), peers.four_of_sklearn
        yield case._replace(peer="scikit-learn", theirs=theirs, read_theirs=read, aim="-")
    yield _of_f(*given.as_types(np.int64)[:2], f"{shape}, int64", "macro")


def _losses(given: Matrices, shape: Shape) -> Iterator[Case]:
    true, pred, scores = given.as_types(np.int64)
    theirs = peers.of_sklearn("hamming_loss", true, pred)
    yield _beside_sklearn("hamming_loss", f"{shape}, int64", theirs, partial(multilabel.hamming_loss, true, pred))
    for name in ("mean_squared_error", "mean_absolute_error"):
        yield _of_both(name, given.as_types(np.int64), shape, "-")
    one = np.argmax(scores * true, axis=1)  # one label for each sample, as the categorical form is for
    labels = np.zeros_like(true)
    labels[np.arange(shape.n_samples), one] = 1
    yield _of_both("log_loss", Matrices(labels, pred, scores), shape, "-")


def _samples(given: Matrices, shape: Shape) -> Iterator[Case]:
    """Means over the samples; of curves alone, as scikit-learn goes through the samples one by one."""
    yield _of_f(*given.as_types(np.int64)[:2], f"{shape}, int64", "samples")
    for name in ("roc_auc_score", "average_precision_score"):
        case = _of_both(name, given.as_types(np.int64), shape, "-", average="samples")
        yield case._replace(peer="not compared", theirs=None)


def _vectors(shape: Shape) -> Iterator[Case]:
    true, pred = vectors(shape)
    yield _of_f(true, pred, f"{shape.n_samples} of {shape.n_classes} classes, int64", "macro")


def _of_both(name: str, given: Matrices, shape: Shape, aim: str, **options: Any) -> Case:
    """A measure that has one name here and in scikit-learn."""
    of = ", ".join([str(shape), str(given.scores.dtype), *options.values()])
    theirs = peers.of_sklearn(name, given.true, given.scores, **options)
    ours = partial(getattr(multilabel, name), given.true, given.scores, **options)
    return _beside_sklearn(name, of, theirs, ours, aim)


def _of_f(true: Any, pred: Any, of: str, average: str) -> Case:
    """Precision, recall and F, of one object of counts, or for "samples" of labels; scikit-learn finds all at once."""
    names = ("precision_score", "recall_score", "f_score")

    def ours() -> list[float]:
        given = (true, pred) if average == "samples" else (multilabel.LabelCounts.from_labels(true, pred),)
        return [float(getattr(multilabel, name)(*given, average=average)) for name in names]

    theirs = peers.of_sklearn("precision_recall_fscore_support", true, pred, average=average, zero_division=0)
    case = _beside_sklearn("precision, recall, F", f"{of}, {average}", theirs, ours)
    return case._replace(read_theirs=lambda found: found[:3], read_ours=list)


def _beside_sklearn(call: str, of: str, theirs: Any, ours: Callable[[], Any], aim: str = "-") -> Case:
    return Case(call, of, "scikit-learn", theirs, ours, aim)


def _line(case: Case, rounds: int) -> str:
    calls = {"gpuval": Call(case.ours)} | ({} if case.theirs is None else {"peer": Call(case.theirs)})
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn's, of its defaults
        found = {name: call.run() for name, call in calls.items()}
        if "peer" in found:
            values = case.read_ours(found["gpuval"]), case.read_theirs(found["peer"])
            np.testing.assert_allclose(*values, rtol=1e-9, atol=1e-12)
        seconds = timing.in_turn(calls, 0.0, rounds, timing.PAUSE)
    ms = {name: f"{1000 * timing.spread(x).median:.3g}" for name, x in seconds.items()}
    if case.theirs is None:
        absent = case.peer if case.peer == "not compared" else f"{case.peer}: not installed"
        return f"| {case.call} | {case.of} | {absent} | | | {ms['gpuval']} | {case.aim} |"
    ratio = timing.quotients(seconds, "peer", "gpuval")
    quartiles = f"{ratio.low:.3g} to {ratio.high:.3g}"
    return (
        f"| {case.call} | {case.of} | {case.peer} | {ratio.median:.3g} | {quartiles} | {ms['peer']}, {ms['gpuval']} "
        f"| {case.aim} |"
    )
