"""Scores of columns of labels: against the truth, in an embedding, with intervals; and which columns are left out."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from gpuval.cli.columns import weights_of_column
from gpuval.cli.files.columns import Frame, Series
from gpuval.cli.ignored_labels import IgnoreOptions, Label, has_label
from gpuval.cli.requests import REFERENCE, Embedding, Emphasis, ScoresOfColumns, WhatToScore, said_of_options
from gpuval.cli.terminal import Steps
from gpuval.display.digits import CAUTION
from gpuval.inputs.columns import why_measured
from gpuval.results.scores import COUNTS

if TYPE_CHECKING:
    from gpuval.results.evaluations import Comparison, Evaluation
    from gpuval.table.contingency import Contingency


def score_columns(
    frame: Frame, trues: Sequence[str], preds: Sequence[str], named: Sequence[str], asked: WhatToScore, steps: Steps
) -> ScoresOfColumns:
    """Score the columns ``preds``; of those that hold no labels, and are not ``named`` one by one, say why not.

    Of several columns of true labels each score is of the one that fits best; without any there are internal scores.
    """
    weights = frame_weights(frame, trues, asked)
    steps.begin("scoring columns", len(preds) * max(1, len(trues)))
    whole, left_out, _ = _external_scores(frame, trues, preds, named, asked, weights, steps)
    found: Mapping[Any, Mapping[str, Any]] = whole
    apart: Any = None
    best: list[str] = []
    emphasis = Emphasis()
    notes: list[str] = []
    if asked.by is not None:
        found, apart, small, notes = _score_by_value(frame, trues, list(whole), asked.by, asked, weights, steps)
        emphasis = Emphasis(small=small)
    if asked.level is not None and whole and trues:
        steps.begin("resampling for intervals")
        found, comparison, told = _with_intervals(found, apart, frame, trues, list(whole), asked, weights)
        best = _sentences(comparison, apart)
        marks = comparison.marks()
        emphasis = Emphasis(marks, emphasis.small, comparison.marks_common_samples(marks))
        notes = list(dict.fromkeys([*notes, *told]))
    if asked.samples is not None and asked.metrics.internal and whole:
        steps.begin("scoring samples")
        of_samples = _internal_scores(asked.samples, apart, frame, trues, list(whole), asked, weights)
        found = {key: _sort_scores({**numbers, **of_samples[key]}, asked) for key, numbers in found.items()}
    in_order = sorted(found, key=lambda key: preds.index(key[0])) if asked.by is not None else found
    return ScoresOfColumns({key: found[key] for key in in_order}, best, emphasis, left_out, notes)


def frame_weights(frame: Frame, trues: Sequence[str], asked: WhatToScore) -> Any:
    """The weights, if there are any; that the columns beside the clusters hold what they must is checked before."""
    weights = None if asked.weight is None else weights_of_column(frame[asked.weight])
    for true in trues:
        _about_column(frame[true], _check_labels, asked.ignored.true)
    for option, name in (("--by", asked.by), ("--groups", asked.groups)):
        _check_values(frame, option, name)
    return weights


def _sort_scores(numbers: Mapping[str, Any], asked: WhatToScore) -> Mapping[str, Any]:
    """The counts, and the scores in the order asked for."""
    if not asked.metrics.in_order:
        return numbers
    names = [x for name in asked.metrics.in_order for x in (name, f"{name}.{REFERENCE}")]
    return {name: numbers[name] for name in [*COUNTS, REFERENCE, *names] if name in numbers}


class _ScoredColumn(NamedTuple):
    """What a column of labels has against one column of true labels."""

    counts: Mapping[str, Any]
    evaluation: Evaluation
    is_small: bool
    """Whether it has few samples."""


def _external_scores(
    frame: Frame,
    trues: Sequence[str],
    preds: Sequence[str],
    named: Sequence[str],
    asked: WhatToScore,
    weights: Any,
    steps: Steps,
    *,
    are_part: bool = False,
) -> tuple[dict[str, Mapping[str, Any]], dict[str, str], set[str]]:
    """The counts and the external scores of each column of labels, why others are none, and which have few samples.

    If the samples ``are_part`` of those whose names have been compared, they need have no names in common, and some
    columns of true labels may have none of these samples.
    """
    found: dict[str, dict[int, _ScoredColumn]] = {name: {} for name in preds}
    left_out: dict[str, str] = {}
    lack: _NoSampleError | None = None
    for place, true in enumerate(trues or [None]):
        try:
            for name, x in _score_columns(frame, true, preds, named, asked, weights, left_out, are_part=are_part):
                found[name][place] = x
                steps.advance()
        except _NoSampleError as error:
            if not are_part:
                raise
            lack = error
    kept = {name: x for name, x in found.items() if x and name not in left_out}
    if lack is not None and not kept:
        raise lack
    scores = {name: _best_scores(x, trues, asked) for name, x in kept.items()}
    return scores, left_out, {name for name, x in kept.items() if all(y.is_small for y in x.values())}


def _score_columns(
    frame: Frame,
    true: str | None,
    preds: Sequence[str],
    named: Sequence[str],
    asked: WhatToScore,
    weights: Any,
    left_out: dict[str, str],
    *,
    are_part: bool,
) -> Iterator[tuple[str, _ScoredColumn]]:
    """The same of one column of true labels; why columns are no labels is ``left_out``."""
    from gpuval.evaluation.evaluation import evaluate
    from gpuval.results.evaluations import Evaluation
    from gpuval.results.scores import SampleCounts

    for name, counted, n_samples in tables_of_columns(frame, true, preds, named, asked, weights, left_out):
        table = replace(counted, fixed=True) if are_part else counted
        if (lack := _lack_of_names(table, true, asked)) is not None:
            if name in named:
                raise ValueError(f"column {name!r} {lack}")
            left_out[name] = lack
            continue
        counts = int(table.n_classes), int(table.n_clusters), n_samples, len(frame) - n_samples
        of_names: dict[str, Any] = dict(zip(COUNTS, counts, strict=True))
        scores = Evaluation({})
        if true is None:
            del of_names["n_classes"]
        elif asked.metrics.has_external:
            scores = evaluate(table, metrics=asked.metrics.external)
        is_small = are_part and Evaluation({}, None, SampleCounts.of_table(table)).shown().is_small
        yield name, _ScoredColumn(of_names, scores, is_small)


def _best_scores(by_place: Mapping[int, _ScoredColumn], trues: Sequence[str], asked: WhatToScore) -> Mapping[str, Any]:
    """The counts and scores of a column; of several columns of true labels those of the one that fits best."""
    from gpuval.results.evaluations import TableMeasures
    from gpuval.results.references import best_evaluation

    if len(trues) < 2:
        ((counts, scores, _),) = by_place.values()
        return dict(counts) | dict(scores)
    voices = TableMeasures.read(asked.metrics.external).voices if asked.metrics.has_external else ()
    best = best_evaluation(trues, {place: x.evaluation for place, x in by_place.items()}, voices)
    if best.chosen is None:  # there are internal measures alone
        return {name: x for name, x in next(iter(by_place.values())).counts.items() if name != "n_classes"}
    lead = best.chosen.lead
    found = dict(by_place[list(trues).index(lead)].counts) | {REFERENCE: lead}
    for name, score in best.items():
        found |= {name: score, f"{name}.{REFERENCE}": best.chosen.of_measures[name]}
    return found


def _lack_of_names(table: Contingency, true: str | None, asked: WhatToScore) -> str | None:
    """Why a column cannot be compared by the names of its labels, if a measure asks for that; else None."""
    from gpuval.registry.families import OF_SAME_NAMES, check_same_names

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
            table, n_samples = _about_column(frame[name], _table_of_columns, truth, asked.ignored, weights)
        else:
            try:
                _check_not_measured(frame[name])
                table, n_samples = _table_of_columns(frame[name], truth, asked.ignored, weights)
            except _NoLabelsError as error:
                left_out[name] = str(error)
                continue
        yield name, table, n_samples


def _score_by_value(
    frame: Frame, trues: Sequence[str], preds: Sequence[str], by: str, asked: WhatToScore, weights: Any, steps: Steps
) -> tuple[dict[Any, Mapping[str, Any]], Any, set[Any], list[str]]:
    """The same of each (column, value of --by) that has samples that count, and what these values say.

    That are the values as categories, those pairs that have few samples, and notes.
    """
    import numpy as np
    import pandas as pd

    from gpuval.inference.with_intervals import no_samples_message

    parts = {str(value): rows for value, rows in frame.groupby(by, sort=True, observed=True).indices.items()}
    steps.begin(f"scoring columns by {by}", len(parts) * len(preds) * max(1, len(trues)))
    found: dict[Any, Mapping[str, Any]] = {}
    small = set()
    place_of = np.zeros(len(frame), dtype=np.int64)
    for place, (value, rows) in enumerate(parts.items()):
        place_of[rows] = place
        part, own = frame.iloc[rows], None if weights is None else weights[rows]
        for name in preds:
            try:
                scores, _, are_few = _external_scores(part, trues, [name], [name], asked, own, steps, are_part=True)
            except _NoSampleError:
                steps.advance()
                continue
            except ValueError as error:
                raise ValueError(f"{error} where {by!r} is {value}") from None
            found[name, value] = scores[name]
            if are_few:
                small.add((name, value))
    told = no_samples_message(preds, parts, found)
    notes = [said_of_options(told, asked)] if told else []
    return found, pd.Categorical.from_codes(place_of, list(parts)), small, notes


# Internal scores of columns, from the coordinates of an embedding.


def _internal_scores(
    samples: Embedding,
    apart: Any,
    frame: Frame,
    trues: Sequence[str],
    preds: Sequence[str],
    asked: WhatToScore,
    weights: Any,
) -> dict[Any, Mapping[str, Any]]:
    """The internal scores of each labeling, or of each (labeling, value of --by).

    ``apart`` has the value of --by of each sample, as categories.
    """
    from gpuval.evaluation.evaluation import compare

    try:
        comparison = compare(
            truth_of_columns(frame, trues, asked),
            {name: as_given(frame[name], asked.ignored.pred) for name in preds},
            asked.metrics.internal,
            sample_weight=weights,
            ignore_labels=[None] if asked.ignored else None,
            by=apart,
            X=samples.X,
        )
    except (TypeError, ValueError) as error:
        raise ValueError(said_of_options(str(error), asked)) from None
    return {key: {name: float(score) for name, score in scores.items()} for key, scores in comparison.items()}


# Intervals of the scores of columns, and which labeling is the best.


def _with_intervals(
    found: Mapping[Any, Mapping[str, Any]],
    apart: Any,
    frame: Frame,
    trues: Sequence[str],
    preds: Sequence[str],
    asked: WhatToScore,
    weights: Any,
) -> tuple[dict[Any, Mapping[str, Any]], Comparison, list[str]]:
    """The same with the estimates in the place of scores, the comparison that they are of, and notes.

    ``apart`` has the value of --by of each sample, as categories.
    """
    from gpuval.evaluation.evaluation import compare

    try:
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", UserWarning)
            comparison = compare(
                truth_of_columns(frame, trues, asked),
                {name: as_given(frame[name], asked.ignored.pred) for name in preds},
                asked.metrics.external,
                sample_weight=weights,
                ignore_labels=[None] if asked.ignored else None,
                confidence_level=asked.level,
                groups=None if asked.groups is None else frame[asked.groups],
                by=apart,
                n_resamples=asked.n_resamples,
                random_state=asked.seed,
            )
    except ValueError as error:
        raise ValueError(said_of_options(str(error), asked)) from None
    evaluations: Mapping[Any, Any] = comparison
    estimates: dict[Any, Mapping[str, Any]] = {
        key: {**numbers, **(evaluations[key].intervals or {})} for key, numbers in found.items()
    }
    notes = [said_of_options(str(x.message), asked) for x in told if x.category is UserWarning]
    comparison.subject = comparison.subject._replace(unit=asked.unit)
    return estimates, comparison, notes


def _sentences(comparison: Comparison, apart: Any) -> list[str]:
    """The verdict; with --by which of several labelings is best by each metric, for each value with enough samples."""
    if apart is None:
        verdict = comparison.verdict
        return [" ".join(verdict.sentences), *(f"{CAUTION} {x.text}" for x in verdict.cautions)]
    best: Mapping[Any, Any] = comparison.leads or {}
    are_small: dict[Any, dict[Any, bool]] = {}
    for (name, value), evaluation in comparison.items():
        are_small.setdefault(value, {})[name] = evaluation.shown().is_small
    said: dict[Any, list[str]] = {value: [] for value in apart.categories if len(are_small.get(value, ())) > 1}
    for (metric, value), x in best.items():
        if not are_small[value][x.name]:
            said[value].append(f"{value}: {metric}: {x.sentence()}")
    lack = f"too few {comparison.subject.unit}s, or a single class, to tell which is the best"
    for value, texts in said.items():
        if not texts and any(are_small[value].values()):
            texts.append(f"{value}: {lack}")
    return [text for texts in said.values() for text in texts]


# Checks that a column holds labels, and builds the table of two columns.


class _NoLabelsError(ValueError):
    """Why a column holds no labels: a sentence without its subject, the column."""


class _NoSampleError(_NoLabelsError):
    """No sample counts."""


def _about_column(column: Series, function: Callable[..., Any], *others: Any) -> Any:
    """Call the function of the column and others; an error says which column it is about."""
    try:
        return function(column, *others)
    except _NoLabelsError as error:
        raise type(error)(f"column {column.name!r} {error}") from None


def _check_labels(column: Series, ignored: Sequence[Label]) -> None:
    """Check that each sample has a label, unless those without one are ignored, and that none is bytes."""
    _check_text(column)
    count = 0 if None in ignored else int(column.isna().sum())
    if count:
        raise _NoLabelsError(f"has no label in {count} of {len(column)} rows; --ignore NaN drops those samples")


def _check_text(column: Series) -> None:
    """Check that values are no bytes, which are left only where they are no text."""
    from pandas.api.types import infer_dtype

    values = column.cat.categories if hasattr(column.dtype, "categories") else column
    if infer_dtype(values) == "bytes":
        example = next(x for x in values if isinstance(x, bytes) and x.decode(errors="replace").encode() != x)
        raise _NoLabelsError(f"has text that is not in UTF-8, such as {example!r}")


def _check_values(frame: Frame, option: str, name: str | None) -> None:
    """Check that each sample has a value in the column that an option names, which says what it belongs to."""
    if name is None:
        return
    values = frame[name]
    _about_column(values, _check_text)
    count = int(values.isna().sum())
    if count:
        raise ValueError(
            f"{option} {name!r} must have a value in every row, got none in {count} of {len(frame)}; fill these in, or "
            "take the rows out of the file"
        )
    example = _first_value_between(values)
    if example is not None:
        raise ValueError(f"{option} {name!r} must hold whole numbers or text, got {example}")


def _check_not_measured(column: Series) -> None:
    """Check that a column is none of measured numbers, in text, too, or of counts: a pattern takes what it fits.

    Clusters may be called 1.1 and 1.2, or 100 and 200, if their column is named in full.
    """
    example = _first_fraction(column)
    if example is not None:
        raise _NoLabelsError(f"holds continuous values, such as {example}; give its full name to take them for labels")
    reason = why_measured(column)
    if reason is not None:
        raise _NoLabelsError(reason)


def why_no_labels(column: Series) -> str | None:
    """Why a pattern leaves out a column of which labels may be missing; None if it has labels."""
    example = _first_value_between(column)
    if example is not None:
        return f"holds continuous values, such as {example}"
    if (reason := why_measured(column)) is not None:
        return reason
    try:
        _check_labels(column, [None])
    except _NoLabelsError as error:
        return str(error)
    return None if column.notna().any() else "has no labels"


def _first_value_between(column: Series) -> Any:
    """The first value between two whole numbers, of a column of numbers or of texts that are numbers; else None."""
    if column.dtype.kind == "f":
        return next(iter(column[column.notna() & (column % 1 != 0)]), None)
    return _first_fraction(column)


def _first_fraction(column: Series) -> str | None:
    """The first category of a column of texts that is no whole number, if all of them are numbers; else None."""
    import pandas as pd

    categories = column.cat.categories if hasattr(column.dtype, "categories") else None
    if categories is None or pd.api.types.infer_dtype(categories) != "string":
        return None
    numbers = pd.to_numeric(categories, errors="coerce")
    is_whole = numbers % 1 == 0
    return None if numbers.isna().any() or is_whole.all() else categories[is_whole.argmin()]


def _table_of_columns(pred: Series, true: Series, ignored: IgnoreOptions, weights: Any) -> tuple[Contingency, int]:
    """The table of the samples that count, and how many these are."""
    from gpuval.table.contingency import Contingency

    _check_labels(pred, ignored.pred)
    is_counted = ~(has_label(true, ignored.true) | has_label(pred, ignored.pred)) if ignored else None
    if is_counted is not None and not is_counted.any():  # nothing against nothing scores 1, and nobody means that
        raise _NoSampleError(f"has no sample {ignored.that_leave}")
    if weights is not None:
        is_counted = weights > 0 if is_counted is None else is_counted & (weights > 0)
        if not is_counted.any():
            raise _NoSampleError(f"has no sample{f' {ignored.that_leave}' if ignored else ''} of a --weight above 0")
    if is_counted is not None:
        true, pred, weights = true[is_counted], pred[is_counted], None if weights is None else weights[is_counted]
    try:
        return Contingency.from_labels(true, pred, sample_weight=weights), len(pred)
    except (TypeError, ValueError) as error:
        subject, _, rest = str(error).partition(" ")
        if subject == "labels_pred" or pred.name == true.name:
            raise _NoLabelsError(rest) from None
        names = {"labels_true": f"column {true.name!r}", "sample_weight": "--weight"}
        raise ValueError(f"{names.get(subject, subject)} {rest}") from None


def as_given(column: Series, ignored: Sequence[Label]) -> Series:
    """A column with the labels that are ignored missing, as the library takes them."""
    return column.astype("category").where(~has_label(column, ignored)) if ignored else column


def truth_of_columns(frame: Frame, trues: Sequence[str], asked: WhatToScore) -> Any:
    """The column of true labels, or several by their names, as the library takes them; None without any."""
    if not trues:
        return None
    given = {true: as_given(frame[true], asked.ignored.true) for true in trues}
    return given if len(trues) > 1 else given[trues[0]]
