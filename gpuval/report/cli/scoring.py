"""Scores of label columns, with their intervals, and why a column that only a pattern names is left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gpuval.report.cli.columns import weights_of_column
from gpuval.report.cli.ignored_labels import Label, has_label
from gpuval.report.cli.options import Metrics
from gpuval.report.files.columns import Frame, Series

if TYPE_CHECKING:
    from gpuval.report.inference.estimation.estimates import ScoreEstimate
    from gpuval.table.contingency import Contingency

Scores = Mapping[Any, Mapping[str, "float | ScoreEstimate"]]
"""What there is to say of every labeling, or of every (labeling, value of --by): count or metric -> number."""

COUNTS = ("n_classes", "n_clusters", "n_samples", "n_dropped")
"""What is said of a labeling before its scores: whole numbers, of the samples that are not dropped."""


@dataclass(frozen=True)
class WhatToScore:
    """What is asked for of the columns, beside the true labels and the clusters."""

    metrics: Metrics = None
    ignored: Sequence[Label] = ()
    weight: str | None = None
    by: str | None = None
    groups: str | None = None
    level: float | None = None
    n_resamples: int = 999
    seed: int = 0


@dataclass(frozen=True)
class Report:
    """The scores, which labeling is the best, as sentences, and the columns that are no labels, with the reason."""

    scores: Scores
    best: Sequence[str]
    left_out: Mapping[str, str]


class _NoLabelsError(ValueError):
    """Why a column holds no labels: a sentence without its subject, the column."""


def score_columns(frame: Frame, true: str, preds: Sequence[str], named: Sequence[str], asked: WhatToScore) -> Report:
    """Score the columns ``preds``; of those that hold no labels, and are not ``named`` one by one, say why not."""
    weights = None if asked.weight is None else weights_of_column(frame[asked.weight])
    _about_column(frame[true], _check_missing, asked.ignored)
    for option, name in (("--by", asked.by), ("--groups", asked.groups)):
        _check_values(frame, option, name)
    whole, left_out = _scored(frame, true, preds, named, asked, weights)
    parts = list(_parts(frame, asked.by))
    found: dict[Any, Mapping[str, Any]] = {}
    for value, rows in parts:
        scores: Mapping[str, Mapping[str, Any]] = whole
        if value is not None:
            own = None if weights is None else weights[rows]
            try:
                scores, _ = _scored(frame.iloc[rows], true, list(whole), list(whole), asked, own)
            except ValueError as error:
                raise ValueError(f"{error} where {asked.by!r} is {value}") from None
        found |= {(name if value is None else (name, value)): numbers for name, numbers in scores.items()}
    best: list[str] = []
    if asked.level is not None and whole:
        found, best = _with_intervals(found, parts, frame, true, list(whole), asked, weights)
    in_order = sorted(found, key=lambda key: preds.index(key[0])) if asked.by is not None else found
    return Report({key: found[key] for key in in_order}, best, left_out)


def _scored(
    frame: Frame, true: str, preds: Sequence[str], named: Sequence[str], asked: WhatToScore, weights: Any
) -> tuple[dict[str, Mapping[str, Any]], dict[str, str]]:
    """The counts and the scores of each column of labels, and why others are none."""
    from gpuval.report.clustering.evaluation import evaluate

    scores: dict[str, Mapping[str, Any]] = {}
    left_out = {}
    for name in preds:
        if name in named:
            table, n_samples = _about_column(frame[name], _table, frame[true], asked.ignored, weights)
        else:
            try:
                _check_text(frame[name])
                table, n_samples = _table(frame[name], frame[true], asked.ignored, weights)
            except _NoLabelsError as error:
                left_out[name] = str(error)
                continue
        counts = int(table.n_classes), int(table.n_clusters), n_samples, len(frame) - n_samples
        scores[name] = dict(zip(COUNTS, counts, strict=True)) | dict(evaluate(table, metrics=asked.metrics))
    return scores, left_out


def _parts(frame: Frame, by: str | None) -> Iterator[tuple[str | None, Any]]:
    """The places of the rows of each value of a column, in order; of all, by the value None."""
    if by is None:
        yield None, slice(None)
        return
    places = frame.groupby(by, sort=True, observed=True).indices
    for value in sorted(places):
        yield str(value), places[value]


def _with_intervals(
    found: Mapping[Any, Mapping[str, Any]],
    parts: Sequence[tuple[str | None, Any]],
    frame: Frame,
    true: str,
    preds: Sequence[str],
    asked: WhatToScore,
    weights: Any,
) -> tuple[dict[Any, Mapping[str, Any]], list[str]]:
    """The same with the estimates in the place of scores, and which labeling is best by each metric."""
    import numpy as np

    from gpuval.report.clustering.evaluation import compare

    def kept(name: str) -> Series:
        """A column with the labels that are ignored missing, as the library takes them."""
        column = frame[name]
        return column.astype("category").where(~has_label(column, asked.ignored)) if asked.ignored else column

    part_of = np.zeros(len(frame), dtype=np.int64)
    for place, (_, rows) in enumerate(parts):
        part_of[rows] = place
    try:
        comparison = compare(
            kept(true),
            {name: kept(name) for name in preds},
            asked.metrics,
            sample_weight=weights,
            ignore_labels=[None] if asked.ignored else None,
            confidence_level=asked.level,
            groups=None if asked.groups is None else frame[asked.groups],
            by=None if asked.by is None else part_of,
            n_resamples=asked.n_resamples,
            random_state=asked.seed,
        )
    except ValueError as error:
        subject, _, rest = str(error).partition(" ")
        names = {"groups": f"the values of --groups {asked.groups!r}", "sample_weight": "--weight"}
        raise ValueError(f"{names.get(subject, subject)} {rest}") from None
    if asked.by is None:
        evaluations: Mapping[Any, Any] = comparison
    else:
        evaluations = {(name, parts[place][0]): scores for (name, place), scores in comparison.items()}
    estimates: dict[Any, Mapping[str, Any]] = {
        key: {**numbers, **(evaluations[key].intervals or {})} for key, numbers in found.items()
    }
    return estimates, _sentences(comparison.best or {}, parts, asked.by)


def _sentences(best: Mapping[Any, Any], parts: Sequence[tuple[str | None, Any]], by: str | None) -> list[str]:
    """Which labeling is best by each metric, for one value of --by after the other."""
    if by is None:
        return [f"{metric}: {x.sentence()}" for metric, x in best.items()]
    in_order = sorted(best.items(), key=lambda item: item[0][1])
    return [f"{parts[place][0]}: {metric}: {x.sentence()}" for (metric, place), x in in_order]


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


def _check_values(frame: Frame, option: str, name: str | None) -> None:
    """Check that each sample has a value in the column that an option names, which says what it belongs to."""
    if name is None:
        return
    values = frame[name]
    count = int(values.isna().sum())
    if count:
        raise ValueError(f"{option} {name!r} must have a value in every row, got none in {count} of {len(frame)}")
    example = next(iter(values[values % 1 != 0]), None) if values.dtype.kind == "f" else _measured_number(values)
    if example is not None:
        raise ValueError(f"{option} {name!r} must hold whole numbers or text, got {example}")


def _check_text(column: Series) -> None:
    """Check that a text is no measured number: clusters may be called 1.1 and 1.2, if their column is named in full."""
    example = _measured_number(column)
    if example is not None:
        raise _NoLabelsError(f"holds continuous values, such as {example}; give its full name to take them for labels")


def _measured_number(column: Series) -> str | None:
    """The first category of a column of texts that is no whole number, if all of them are numbers; else None."""
    import pandas as pd

    categories = column.cat.categories if hasattr(column.dtype, "categories") else None
    if categories is None or pd.api.types.infer_dtype(categories) != "string":
        return None
    numbers = pd.to_numeric(categories, errors="coerce")
    is_whole = numbers % 1 == 0
    return None if numbers.isna().any() or is_whole.all() else categories[is_whole.argmin()]


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
