"""The matrices that measures of several labels a sample are tested on: of few shapes, as JAX compiles for each."""

from __future__ import annotations

import inspect
from fractions import Fraction
from functools import cache
from typing import Any

import multilabel_oracles as oracles
import numpy as np
from backends import Backend

import gpuval.multilabel
from gpuval.measures.measure import measures_in, usual_names

F = Fraction

L = (
    ((1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 1, 0)),
    ((F(3, 4), 0, F(1, 4)), (0, F(1, 2), F(1, 4)), (F(1, 4), 1, F(1, 4)), (0, F(1, 4), F(3, 4))),
)
"""The lecture's labels and scores."""

Q = ((2, 2, 0), (1, 1, 1), (0, 1, 2))
"""A contingency table of three classes: rows are the true ones."""
Q_LABELS = tuple(zip(*((i, j) for i, row in enumerate(Q) for j, n in enumerate(row) for _ in range(n)), strict=True))
"""Two vectors of labels that have this table."""

TP, FP = (2, 5, 10), (2, 10, 40)
"""Right and wrong positives of three classes."""

SHAPE = (6, 4)
WEIGHTS = (0.5, 3, 0, 1.25, 2, 1)


def _random(seed: int, levels: int, share: float = 0.5) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """Labels, and scores of a few levels from 0 to 1, of which some are tied."""
    random = np.random.default_rng(seed)
    labels = (random.random(SHAPE) < share).astype(int)
    scores = random.integers(0, levels + 1, SHAPE)
    return (
        tuple(tuple(row) for row in labels.tolist()),
        tuple(tuple(F(x, levels) for x in row) for row in scores.tolist()),
    )


_ROW = (F(1, 4), F(1, 2), 0, 1)
MATRICES = {
    "ties": _random(1, 4),
    "few ties": _random(2, 64),
    "rare": _random(3, 8, 0.2),
    "one-sided": (
        ((1, 0, 1, 0), (1, 0, 0, 0), (1, 0, 1, 0), (1, 0, 0, 1), (1, 0, 0, 0), (1, 0, 1, 0)),
        ((F(1, 2), 0, 1, 0), _ROW, _ROW, (1, 1, 0, 1), (0, 0, F(1, 8), F(1, 4)), (1, 1, 1, 0)),
    ),
    "nothing": (((0,) * 4,) * 6, (_ROW, (0,) * 4) * 3),
    "everything": (((1,) * 4,) * 6, (_ROW, (0,) * 4) * 3),
    "perfect": (((1, 0, 1, 0), (0, 1, 0, 1)) * 3, ((1, 0, 1, F(1, 4)), (F(1, 8), F(1, 2), 0, 1)) * 3),
    "worst": (((1, 0, 1, 0), (0, 1, 0, 1)) * 3, ((0, 1, F(1, 4), 1), (1, 0, 1, F(1, 8))) * 3),
}
"""Labels and scores, all of which every float holds; predictions are what is 1/2 or more."""

MASK = tuple(tuple(row) for row in (np.random.default_rng(5).random(SHAPE) < 0.7).tolist())
"""Which entries are known."""


def predicted(scores: tuple[tuple[F, ...], ...]) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(int(x >= F(1, 2)) for x in row) for row in scores)


def floats(rows: tuple[tuple[F, ...], ...]) -> np.ndarray:
    return np.asarray([[float(x) for x in row] for row in rows])


# ---- measures of columns -------------------------------------------------------------------------

OF_ONE_SCORE = [
    x.name for x in measures_in(gpuval.multilabel) if "average" not in inspect.signature(x.function).parameters
]
"""Measures without averages."""
OF_LABELS = [
    name
    for name in usual_names(measures_in(gpuval.multilabel))
    if getattr(gpuval.multilabel, name).definition.kind == "counts"
]
OF_SCORES = ("roc_auc_score", "average_precision_score")
OF_NUMBERS = ("mean_squared_error", "mean_absolute_error")
MEASURES = (*OF_LABELS, *OF_SCORES, *OF_NUMBERS)

_COMMON = (None, "macro", "micro", "weighted", "samples")
AVERAGES = dict.fromkeys(MEASURES, _COMMON)
AVERAGES |= dict.fromkeys(("precision_score", "recall_score"), (*_COMMON, "geometric"))
AVERAGES["f_score"] = (*_COMMON, "geometric", "macro_of_means")

ON_UNDEFINED = {name: "nan" if name in OF_SCORES else "zero" for name in MEASURES}
"""What 0/0 is if nothing is said."""


def given(name: str, case: str, backend: Backend) -> tuple[Any, Any]:
    """Labels, and what a measure takes beside them."""
    labels, scores = MATRICES[case]
    predictions = np.asarray(predicted(scores)) if name in OF_LABELS else floats(scores)
    return backend.array(labels), backend.array(predictions)


@cache
def exact(
    name: str,
    case: str,
    average: str | None,
    *,
    is_weighted: bool = False,
    is_masked: bool = False,
    on_undefined: str | None = None,
    **options: Any,
) -> Any:
    """The value by definition."""
    labels, scores = MATRICES[case]
    return oracles.value(
        name,
        labels,
        predicted(scores) if name in OF_LABELS else scores,
        average,
        weights=WEIGHTS if is_weighted else None,
        mask=MASK if is_masked else None,
        on_undefined=on_undefined or ON_UNDEFINED[name],
        **options,
    )


# ---- batches -------------------------------------------------------------------------------------

BATCHES = ("ties", "few ties", "rare")
"""Three batches of one shape."""
BATCHED_LABELS = [row for case in BATCHES for row in MATRICES[case][0]]
BATCHED_SCORES = [row for case in BATCHES for row in MATRICES[case][1]]
SHORT = dict(zip(("precision", "recall", "f1", "hamming_loss"), OF_LABELS, strict=True))
SHORT |= dict(zip(("roc_auc", "average_precision"), OF_SCORES, strict=True))
SHORT |= {name: name for name in OF_NUMBERS}
"""Measures by the names that scores have."""
BATCHED_AVERAGES = ("macro", "weighted", "micro", "samples")


def batched(
    name: str,
    average: str | None,
    *,
    labels: Any = BATCHED_LABELS,
    scores: Any = BATCHED_SCORES,
    mask: Any = None,
    weights: Any = None,
    undefined: str | None = None,
) -> Any:
    """The value of a measure of all samples of the three batches."""
    values = predicted(scores) if name in OF_LABELS else scores
    undefined = undefined or ON_UNDEFINED[name]
    return oracles.value(name, labels, values, average, mask=mask, weights=weights, on_undefined=undefined)
