"""Scores of columns of labels, and why a column that matches a pattern is left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from gpuval.cli.asked.columns import weights_of_column
from gpuval.cli.files.columns import Frame
from gpuval.cli.scoring.arguments import said_of_options
from gpuval.cli.scoring.intervals_of_columns import with_intervals
from gpuval.cli.scoring.labels import (
    NoLabelsError,
    NothingLeftError,
    about_column,
    check_labels,
    check_not_measured,
    check_values,
    table_of_columns,
)
from gpuval.cli.scoring.scored import ScoresOfColumns, WhatToScore
from gpuval.cli.scoring.with_samples import internal_scores
from gpuval.cli.steps import Steps
from gpuval.evaluation.results.counts import COUNTS

if TYPE_CHECKING:
    from gpuval.table.contingency import Contingency


def score_columns(
    frame: Frame, true: str | None, preds: Sequence[str], named: Sequence[str], asked: WhatToScore, steps: Steps
) -> ScoresOfColumns:
    """Score the columns ``preds``; of those that hold no labels, and are not ``named`` one by one, say why not.

    Without ``true`` there are internal scores alone.
    """
    weights = checked_weights(frame, true, asked)
    steps.begin("scoring columns", len(preds))
    whole, left_out = _scored(frame, true, preds, named, asked, weights, steps)
    found: Mapping[Any, Mapping[str, Any]] = whole
    apart: Any = None
    best: list[str] = []
    notes: list[str] = []
    if asked.by is not None:
        found, apart, notes = _scored_apart(frame, true, list(whole), asked.by, asked, weights, steps)
    if asked.level is not None and whole and true is not None:
        steps.begin("resampling for intervals")
        found, best, told = with_intervals(found, apart, frame, true, list(whole), asked, weights)
        notes = list(dict.fromkeys([*notes, *told]))
    if asked.samples is not None and asked.metrics.internal and whole:
        steps.begin("scoring samples")
        of_samples = internal_scores(asked.samples, apart, frame, true, list(whole), asked, weights)
        found = {key: _in_order({**numbers, **of_samples[key]}, asked) for key, numbers in found.items()}
    in_order = sorted(found, key=lambda key: preds.index(key[0])) if asked.by is not None else found
    return ScoresOfColumns({key: found[key] for key in in_order}, best, left_out, notes)


def checked_weights(frame: Frame, true: str | None, asked: WhatToScore) -> Any:
    """The weights, if there are any; that the columns beside the clusters hold what they must is checked before."""
    weights = None if asked.weight is None else weights_of_column(frame[asked.weight])
    if true is not None:
        about_column(frame[true], check_labels, asked.ignored.true)
    for option, name in (("--by", asked.by), ("--groups", asked.groups)):
        check_values(frame, option, name)
    return weights


def _in_order(numbers: Mapping[str, Any], asked: WhatToScore) -> Mapping[str, Any]:
    """The counts, and the scores in the order asked for."""
    names = [name for name in numbers if name in COUNTS] + list(asked.metrics.in_order)
    return {name: numbers[name] for name in names} if asked.metrics.in_order else numbers


def _scored(
    frame: Frame,
    true: str | None,
    preds: Sequence[str],
    named: Sequence[str],
    asked: WhatToScore,
    weights: Any,
    steps: Steps,
    *,
    are_part: bool = False,
) -> tuple[dict[str, Mapping[str, Any]], dict[str, str]]:
    """The counts and the external scores of each column of labels, and why others are none.

    If the samples ``are_part`` of those whose names have been compared, they need have no names in common.
    """
    from gpuval.evaluation.clustering.evaluation import evaluate

    scores: dict[str, Mapping[str, Any]] = {}
    left_out: dict[str, str] = {}
    for name, counted, n_samples in tables_of_columns(frame, true, preds, named, asked, weights, left_out):
        table = replace(counted, fixed=True) if are_part else counted
        if (lack := _lack_of_names(table, true, asked)) is not None:
            if name in named:
                raise ValueError(f"column {name!r} {lack}")
            left_out[name] = lack
            continue
        counts = int(table.n_classes), int(table.n_clusters), n_samples, len(frame) - n_samples
        numbers: dict[str, Any] = dict(zip(COUNTS, counts, strict=True))
        if true is None:
            del numbers["n_classes"]
        elif asked.metrics.external is None or len(asked.metrics.external):
            numbers |= evaluate(table, metrics=asked.metrics.external)
        scores[name] = numbers
        steps.advance()
    return scores, left_out


def _lack_of_names(table: Contingency, true: str | None, asked: WhatToScore) -> str | None:
    """Why a column cannot be compared by the names of its labels, if a measure asks for that; else None."""
    from gpuval.evaluation.clustering.registry import OF_SAME_NAMES, check_same_names

    compared = [x for x in asked.metrics.external or () if x in OF_SAME_NAMES]
    try:
        if compared and true is not None:
            check_same_names(table)
    except ValueError:
        return f"has no label in common with column {true!r}, and {compared[0]} compares their names"
    return None


def tables_of_columns(
    frame: Frame,
    true: str | None,
    preds: Sequence[str],
    named: Sequence[str],
    asked: WhatToScore,
    weights: Any,
    left_out: dict[str, str],
) -> Iterator[tuple[str, Contingency, int]]:
    """Each column of labels with its table and the number of samples in it; why others are none is ``left_out``.

    A column that is ``named`` one by one must be one of labels.
    """
    for name in preds:
        truth = frame[name if true is None else true]
        if name in named:
            table, n_samples = about_column(frame[name], table_of_columns, truth, asked.ignored, weights)
        else:
            try:
                check_not_measured(frame[name])
                table, n_samples = table_of_columns(frame[name], truth, asked.ignored, weights)
            except NoLabelsError as error:
                left_out[name] = str(error)
                continue
        yield name, table, n_samples


def _scored_apart(
    frame: Frame, true: str | None, preds: Sequence[str], by: str, asked: WhatToScore, weights: Any, steps: Steps
) -> tuple[dict[Any, Mapping[str, Any]], Any, list[str]]:
    """The same of each (column, value of --by) that has samples that count, these values as categories, and notes."""
    import numpy as np
    import pandas as pd

    from gpuval.evaluation.inference.beside_scores.lacking import told_of_no_samples

    parts = {str(value): rows for value, rows in frame.groupby(by, sort=True, observed=True).indices.items()}
    steps.begin(f"scoring columns by {by}", len(parts) * len(preds))
    found: dict[Any, Mapping[str, Any]] = {}
    place_of = np.zeros(len(frame), dtype=np.int64)
    for place, (value, rows) in enumerate(parts.items()):
        place_of[rows] = place
        part, own = frame.iloc[rows], None if weights is None else weights[rows]
        for name in preds:
            try:
                scores, _ = _scored(part, true, [name], [name], asked, own, steps, are_part=True)
            except NothingLeftError:
                steps.advance()
                continue
            except ValueError as error:
                raise ValueError(f"{error} where {by!r} is {value}") from None
            found[name, value] = scores[name]
    told = told_of_no_samples(preds, parts, found)
    return found, pd.Categorical.from_codes(place_of, list(parts)), [said_of_options(told, asked)] if told else []
