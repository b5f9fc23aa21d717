"""Computes the state of one batch of labels and predictions, which is all that is kept of it."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from gpuval.engines.backends import backend_of, is_array
from gpuval.multilabel._averages import values_to_average
from gpuval.multilabel._inputs import LabelInputs
from gpuval.multilabel.counts import LabelCounts
from gpuval.multilabel.entries import SETS, is_vector
from gpuval.multilabel.label_sets import is_label_sets
from gpuval.multilabel.listed import ListedEntries
from gpuval.multilabel.names import names_of_probabilities
from gpuval.multilabel.reading import AnyEntries
from gpuval.multilabel.settings import MultilabelSettings
from gpuval.multilabel.state import (
    NEGATIVE,
    POSITIVE,
    MultilabelState,
    ScoreRows,
    State,
    move_to_state,
    state_of_numbers,
    with_compensation,
)
from gpuval.numerics.stable import sum_with_weights, sums_for_means
from gpuval.streaming.checkpoints import constants


def state_of_batch(
    settings: MultilabelSettings, y_true: Any, y_score: Any, y_pred: Any, mask: Any, sample_weight: Any
) -> MultilabelState:
    """What is known of the samples of a batch, which may be none; nothing of it is a view of what was given.

    Of classes nothing is known of labels that name each class, where there are none, and of lists without rows.
    """
    named = {"y_true": y_true, "y_score": y_score, "y_pred": y_pred, "mask": mask, "sample_weight": sample_weight}
    read = constants(named.values(), "return the labels and the scores from there")
    arguments, arrays = dict(zip(named, read, strict=True)), [x for x in read if is_array(x)]
    _check_arguments(settings, y_true, y_score, y_pred)
    are_vectors = is_vector(y_true) and is_vector(y_pred)
    are_sets = y_score is None and is_label_sets(y_true) and is_label_sets(y_pred)
    given = LabelInputs(
        **arguments,
        threshold=settings.threshold,
        at_least_one=settings.at_least_one,
        n_classes=settings.n_classes if are_vectors or are_sets else None,
        ignore_labels=settings.ignore_labels or None,
        are_all=False,
        of_probabilities=names_of_probabilities(settings.measures),
    )
    with backend_of(arrays[0]).lasting() if arrays else nullcontext():
        state = _counts(settings, given) | _sums(settings, given) | _samples(settings, given)
        state |= _curves(settings, given) | state_of_numbers("support", given.support) | _broken(settings, given)
        is_multiclass = bool(settings.names_of_kind("counts")) and given.label_counts.of_classes.is_multiclass
        has_shape = any(hasattr(x, "shape") for x in (y_true, y_score, y_pred)) or len(y_true) > 0
        classes = given.classes if has_shape else range(0)
        if settings.n_classes is not None and len(classes) not in (0, settings.n_classes):
            hint = SETS if isinstance(y_true, list | tuple) and not is_vector(y_true) else ""
            raise ValueError(f"y_true must be of n_classes={settings.n_classes} classes, got {len(classes)}{hint}")
        columns = next((tuple(x.columns) for x in (y_true, y_score, y_pred) if hasattr(x, "columns")), None)
        state = {name: x if name == "rows" else move_to_state(x, given.prototype) for name, x in state.items()}
        return MultilabelState(
            state, classes, is_multiclass, backend_of(given.prototype).copied(given.prototype[:0]), columns
        )


def _check_arguments(settings: MultilabelSettings, y_true: Any, y_score: Any, y_pred: Any) -> None:
    """Check that there is what the measures read."""
    if isinstance(y_true, LabelCounts):
        raise TypeError("y_true must be labels in batches, got LabelCounts; add them up by +")
    of_scores = [name for name, one in settings.measures.items() if one.definition.kind != "counts"]
    if y_score is None and of_scores:
        raise ValueError(f"y_score must be given for {', '.join(of_scores)}, got None")
    if y_score is None and y_pred is None:
        raise ValueError("y_pred must be given, or y_score, of which labels are predicted, got neither")
    if settings.of_samples and is_vector(y_true) and is_vector(y_pred if y_score is None else y_score):
        raise ValueError(
            "averages must be others than 'samples' without matrices, whose rows samples are, got "
            f"{', '.join(settings.averages)}"
        )


def _counts(settings: MultilabelSettings, given: LabelInputs) -> State:
    """How often each class is predicted, rightly and wrongly."""
    if not settings.names_of_kind("counts"):
        return {}
    counts = given.label_counts.of_classes
    four = counts.true_positives, counts.false_positives, counts.false_negatives, counts.true_negatives
    return state_of_numbers("counts", counts.backend.xp.stack(four))


def _sums(settings: MultilabelSettings, given: LabelInputs) -> State:
    """Of measures whose quotients add up the parts of these."""
    found = [given.source(settings.wanted(name)).of("classes") for name in settings.names_of_kind("sums")]
    if not found:
        return {}
    xp = found[0].backend.xp
    parts = [xp.stack([x.numerators, x.denominators, x.positives]) for x in found]
    return {"sums": with_compensation(xp.stack(parts))}


def _samples(settings: MultilabelSettings, given: LabelInputs) -> State:
    """The sums of the values of samples, and of their weights."""
    wanted = [settings.wanted(name) for name in settings.of_samples]
    if not wanted:
        return {}
    found = [values_to_average(given.source(one), "samples", one.on_undefined) for one in wanted]
    xp = backend_of(found[0][0]).xp
    return {"samples": sums_for_means((sum_with_weights(*x, xp) for x in found), xp)}


def _curves(settings: MultilabelSettings, given: LabelInputs) -> State:
    """Of areas under curves how many entries have a score in each bin, or all entries."""
    if settings.keeps_rows:
        return {"rows": (_rows_of(given.entries("scores")),)}
    if not settings.has_bins:
        return {}
    columns = given.entries("scores").columns("classes")
    both = columns.binned(settings.n_bins or 0, *settings.score_range)
    return state_of_numbers("bins", columns.backend.xp.stack(both))


def _broken(settings: MultilabelSettings, given: LabelInputs) -> State:
    """For which classes something is wrong, where values are not looked at."""
    found = [
        given.label_counts.of_classes.broken if kind == "labels" else given.entries(kind).columns("classes").broken
        for kind in settings.kinds
    ]
    known = [x for x in found if x is not None]
    if not known:
        return {}
    xp = backend_of(known[0]).xp
    return {"broken": xp.stack([xp.zeros_like(known[0]) if x is None else x for x in found])}


def _rows_of(entries: AnyEntries) -> ScoreRows:
    """The scores of all entries, and what these are, in memory of their own."""
    if isinstance(entries, ListedEntries):
        raise ValueError("n_bins must be given for areas under curves of sparse y_score in batches, got None")
    backend = entries.backend
    xp, uint8 = backend.xp, backend.xp.uint8
    labels = xp.astype(entries.positives, uint8) * POSITIVE + xp.astype(entries.negatives, uint8) * NEGATIVE
    weights = None if entries.weights is None else backend.copied(entries.weights)
    return ScoreRows(backend.copied(entries.values), labels, weights)
