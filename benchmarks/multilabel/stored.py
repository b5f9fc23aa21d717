"""Time and memory of measures of label sets and sparse matrices, five labels for each sample, beside scikit-learn."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from time import perf_counter
from typing import Any

import numpy as np
import sklearn.metrics as sk
from scipy.sparse import csr_array
from sklearn.preprocessing import MultiLabelBinarizer

from benchmarks.multilabel.labels import Shape
from benchmarks.multilabel.memory import peak
from gpuval import multilabel

HEAD = """\
| call | of | value | s | beyond the inputs, of their memory | aimed at | scikit-learn: s, memory |
| --- | --- | --- | --- | --- | --- | --- |"""
N_LABELS = 5


def lines(shape: Shape) -> Iterator[str]:
    """A line for each call; values of scikit-learn are compared first."""
    yield HEAD
    true, pred = _label_rows(shape)
    scores = np.random.default_rng(1).random(pred.shape, dtype=np.float32)
    given = [_csr(x, np.ones(x.shape, dtype=np.int8), shape) for x in (true, pred)]
    scored = [given[0], _csr(pred, scores, shape)]
    sets = [[set(row) for row in x.tolist()] for x in (true, pred)]
    for average in ("micro", "macro", "samples"):
        name = f'f_score, "{average}"'
        options = {"average": average, "zero_division": 0}
        yield _line(name, "CSR", shape, partial(multilabel.f_score, average=average), given, partial(_f1, **options))
        yield _line(
            name, "sets", shape, partial(multilabel.f_score, average=average), sets, partial(_f1_of_sets, **options)
        )
    yield _line("hamming_loss", "CSR", shape, multilabel.hamming_loss, given, sk.hamming_loss)
    yield _line("hamming_loss", "sets", shape, partial(multilabel.hamming_loss, n_classes=shape.n_classes), sets)
    for measure in (multilabel.average_precision_score, multilabel.roc_auc_score):
        for average in ("micro", "macro", "samples"):
            score = partial(measure, average=average, on_undefined="skip")
            yield _line(f'{measure.__name__}, "{average}"', "CSR, float32", shape, score, scored)
    for measure in (multilabel.mean_squared_error, partial(multilabel.log_loss, form="binary")):
        name = getattr(measure, "__name__", 'log_loss, "binary"')
        yield _line(name, "CSR, float32", shape, measure, scored)


def _line(
    name: str, of: str, shape: Shape, call: Callable[..., Any], given: list[Any], peer: Callable[..., Any] | None = None
) -> str:
    size = sum(map(_bytes_of, given))
    value, seconds = _fastest(partial(call, *given))
    share = peak(partial(call, *given)) / size
    beside = "not taken: it would need all entries" if "score, " in name and peer is None else "-"
    if peer is not None:
        other, taken = _fastest(partial(peer, *given))
        if abs(other - value) > 1e-10:
            raise ValueError(f"{name} of {of} must be that of scikit-learn, {other}, got {value}")
        beside = f"{taken:.3g}, {peak(partial(peer, *given)) / size:.2f}"
    return f"| {name} | {shape}, {of} | {value:.6g} | {seconds:.3g} | {share:.2f} | at most 10 | {beside} |"


def _fastest(call: Callable[[], Any]) -> tuple[float, float]:
    """The value of a call, and the seconds of the fastest of three."""
    times = []
    for _ in range(3):
        start = perf_counter()
        value = float(call())
        times.append(perf_counter() - start)
    return value, min(times)


def _label_rows(shape: Shape) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The labels of each sample, sorted, and what is predicted: half of them, and others."""
    rng = np.random.default_rng(0)
    n, k = shape
    true, others = (
        np.sort(rng.integers(0, k - N_LABELS + 1, (n, N_LABELS)), axis=1) + np.arange(N_LABELS) for _ in range(2)
    )
    pred = np.sort(np.where(rng.random(true.shape) < 0.5, true, others), axis=1)
    has_repeated = (pred[:, 1:] == pred[:, :-1]).any(axis=1)
    pred[has_repeated] = others[has_repeated]
    return true, pred


def _csr(columns: np.ndarray[Any, Any], values: np.ndarray[Any, Any], shape: Shape) -> Any:
    starts = np.arange(shape.n_samples + 1, dtype=np.int32) * N_LABELS
    return csr_array((values.ravel(), columns.astype(np.int32).ravel(), starts), shape=tuple(shape))


def _bytes_of(x: Any) -> int:
    """The bytes of the arrays of a matrix, or of sets and the integers in them."""
    if isinstance(x, list):
        return sys.getsizeof(x) + sum(sys.getsizeof(row) + sum(map(sys.getsizeof, row)) for row in x)
    return int(x.data.nbytes + x.indices.nbytes + x.indptr.nbytes)


def _f1(true: Any, pred: Any, **options: Any) -> Any:
    return sk.f1_score(true, pred, **options)


def _f1_of_sets(true: Any, pred: Any, **options: Any) -> Any:
    binarizer = MultiLabelBinarizer(sparse_output=True).fit([*true, *pred])
    return sk.f1_score(binarizer.transform(true), binarizer.transform(pred), **options)
