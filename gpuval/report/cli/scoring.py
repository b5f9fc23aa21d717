"""Scores of label columns, and why a column that only a pattern names is left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gpuval.report.cli.columns import weights_of_column
from gpuval.report.cli.ignored_labels import Label, has_label
from gpuval.report.cli.options import Metrics
from gpuval.report.files.columns import Frame, Series

if TYPE_CHECKING:
    from gpuval.table.contingency import Contingency

Scores = Mapping[str, Mapping[str, float]]
"""What there is to say of every labeling: labeling -> count or metric -> number."""

COUNTS = ("n_classes", "n_clusters", "n_samples", "n_dropped")
"""What is said of a labeling before its scores: whole numbers, of the samples that are not dropped."""


class _NoLabelsError(ValueError):
    """Why a column holds no labels: a sentence without its subject, the column."""


def score_columns(
    frame: Frame,
    true: str,
    preds: Sequence[str],
    named: Sequence[str],
    metrics: Metrics,
    ignored: Sequence[Label] = (),
    weight: str | None = None,
) -> tuple[Scores, dict[str, str]]:
    """Score the columns ``preds``; of those that hold no labels, and are not ``named`` one by one, say why not."""
    from gpuval.report.evaluation import evaluate

    weights = None if weight is None else weights_of_column(frame[weight])
    scores: dict[str, dict[str, float]] = {}
    left_out = {}
    _about_column(frame[true], _check_missing, ignored)
    for name in preds:
        if name in named:
            table, n_samples = _about_column(frame[name], _table, frame[true], ignored, weights)
        else:
            try:
                _check_text(frame[name])
                table, n_samples = _table(frame[name], frame[true], ignored, weights)
            except _NoLabelsError as error:
                left_out[name] = str(error)
                continue
        counts = int(table.n_classes), int(table.n_clusters), n_samples, len(frame) - n_samples
        scores[name] = dict(zip(COUNTS, counts, strict=True)) | dict(evaluate(table, metrics=metrics))
    return scores, left_out


def _about_column(column: Series, function: Callable[..., Any], *others: Any) -> Any:
    """Call the function of the column and others; an error says which column it is about."""
    try:
        return function(column, *others)
    except _NoLabelsError as error:
        raise ValueError(f"column {column.name!r} {error}") from None


def _check_missing(column: Series, ignored: Sequence[Label]) -> None:
    """Check that each sample has a label, unless those without one are ignored."""
    count = 0 if None in ignored else int(column.isna().sum())
    if count:
        raise _NoLabelsError(f"has no label in {count} of {len(column)} rows; --ignore NaN drops those samples")


def _check_text(column: Series) -> None:
    """Check that a text is no measured number: clusters may be called 1.1 and 1.2, if their column is named in full."""
    import pandas as pd

    categories = column.cat.categories if hasattr(column.dtype, "categories") else None
    if categories is None or pd.api.types.infer_dtype(categories) != "string":
        return
    numbers = pd.to_numeric(categories, errors="coerce")
    is_whole = numbers % 1 == 0
    if not (numbers.isna().any() or is_whole.all()):
        example = categories[is_whole.argmin()]
        raise _NoLabelsError(f"holds continuous values, such as {example}; give its full name to take them for labels")


def _table(pred: Series, true: Series, ignored: Sequence[Label], weights: Any) -> tuple[Contingency, int]:
    """The table of the samples that are not dropped, and how many these are."""
    from gpuval.table.contingency import Contingency

    _check_missing(pred, ignored)
    if ignored:
        is_counted = ~(has_label(true, ignored) | has_label(pred, ignored))
        if not is_counted.any():  # nothing against nothing scores 1, and nobody means that
            raise ValueError(f"--ignore leaves no sample of {pred.name!r}")
        true, pred, weights = true[is_counted], pred[is_counted], None if weights is None else weights[is_counted]
    if weights is not None and not weights.any():
        raise ValueError(f"--weight must not be 0 for all samples of {pred.name!r} that --ignore leaves")
    try:
        return Contingency.from_labels(true, pred, sample_weight=weights), len(pred)
    except (TypeError, ValueError) as error:
        subject, _, rest = str(error).partition(" ")
        if subject == "labels_pred":
            raise _NoLabelsError(rest) from None
        names = {"labels_true": f"column {true.name!r}", "sample_weight": "--weight"}
        raise ValueError(f"{names.get(subject, subject)} {rest}") from None
