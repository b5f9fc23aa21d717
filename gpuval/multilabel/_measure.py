"""Turns a formula of columns into a public measure: its arguments, its docstring, and the score it returns."""

from __future__ import annotations

import functools
import inspect
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from gpuval.engines import sum_over_blocks
from gpuval.engines.backends import backend_of, is_dask, to_host
from gpuval.inputs.options import as_number, check_flag, check_known_options, check_not_negative, check_option
from gpuval.measures.documents import publish
from gpuval.measures.means import BlockSums, MeanSums
from gpuval.measures.measure import Family
from gpuval.measures.result import Formula, OnUndefined, as_result, check_on_undefined
from gpuval.multilabel._averages import (
    ColumnCounts,
    Quotients,
    Source,
    check_average,
    means_of_samples,
    values_to_average,
)
from gpuval.multilabel._inputs import AVERAGES, Definition, Kind, LabelInputs, LabelMeasure, MeasureSetup, OfMeans
from gpuval.multilabel.arrays import What
from gpuval.multilabel.counts import Counts
from gpuval.multilabel.entries import check_some_label_counts, is_vector
from gpuval.numerics import Array
from gpuval.numerics.stable import sum_with_weights, sums_for_means

_LABELS = """\
    y_true
        The true labels. Give a matrix of 0 and 1, shape (n_samples, n_classes), where 1 says that the sample has the
        class, dense or sparse; or label sets, such as ``[{12, 35, 200}, {54, 55}]``; or one label for each sample,
        shape (n_samples,), of any type that :meth:`gpuval.Contingency.from_labels` takes; or a :class:`LabelCounts`,
        which replaces all the arguments that it was made of. Dask arrays are read in blocks of whole rows.
        :meth:`LabelCounts.from_labels` says which rows are label sets.
    y_pred
        The predicted labels, with the shape, the library and the device of ``y_true``.
"""
_SCORES = """\
    y_true
        The true labels. Give a matrix of 0 and 1, shape (n_samples, n_classes), where 1 says that the sample has the
        class, dense or sparse; or a vector of 0 and 1, for one class; or, with a matrix ``y_score``, a vector with the
        class of each sample, an integer from 0 to n_classes - 1, or sets of such integers.{blocks}
    y_score
        The score of each class for each sample: {what}. Shape (n_samples, n_classes), or
        (n_samples,) for one class; of the library and on the device of ``y_true``. In a sparse matrix a score that is
        not stored is 0; beside a dense ``y_true`` it becomes dense, too.
"""
_WHAT = {
    "scores": "any real number but NaN",
    "numbers": "any finite number",
    "probabilities": "a probability from 0 to 1",
}
_AVERAGE = {
    "macro": "the mean over the classes",
    "weighted": "the mean over the classes, weighted by how many samples have each class",
    "geometric": "the geometric mean over the classes",
    "macro_of_means": "the value computed from the mean precision and the mean recall",
    "micro": "one value for all entries of the matrix together",
    "samples": "the mean over the samples of the value of each sample",
    None: "no average, the value of each class",
}
COMMON_OF_LABELS = """\
    mask
        Which labels are known: booleans of the shape of ``y_true``. Labels where it is False do not count. Not for
        sparse matrices and label sets.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1. Labels with such a value do not count.
"""
_SIZE = """\
    n_classes
        The number of classes, if ``y_true`` has one label or a label set for each sample and the labels are integers
        from 0 to ``n_classes - 1``. Of vectors nothing then leaves the device to find this number out, and invalid
        labels there make the score NaN.
"""
_UNDEFINED = """\
    on_undefined
        The value where the formula is 0/0, by default "{default}": "zero", "one", "nan", or "skip", which leaves it out
        of means.
"""


_OF_ALL = ("y_true", "mask", "sample_weight", "ignore_labels", "on_undefined")
_NAMES = {True: (*_OF_ALL, "y_pred", "n_classes"), False: (*_OF_ALL, "y_score")}
"""The arguments of measures of counts, and of others, besides ``average``."""


def label_measure(
    formula: Formula,
    kind: Kind,
    reads: What = "labels",
    averages: tuple[str | None, ...] = AVERAGES,
    average: str | None = "macro",
    on_undefined: OnUndefined = "zero",
    of_means: OfMeans | None = None,
    of_one_label: Formula | None = None,
    of_counts: tuple[str, ...] = (),
) -> LabelMeasure:
    """Make a public measure of a formula ``f(columns, *, options)`` that gives two numbers for each column.

    They are a numerator and a denominator. A formula of counts gets a :class:`LabelCounts` in place of columns.
    """
    definition = Definition(formula, kind, reads, averages, average, on_undefined, of_means, of_one_label, of_counts)
    of_average = inspect.Parameter("average", inspect.Parameter.KEYWORD_ONLY, default=average)
    score = (_measure_of_labels if kind == "counts" else _measure_of_scores)(definition, on_undefined)
    public = publish(cast(LabelMeasure, score), formula, _documents(definition), (of_average,) if averages else ())
    public.definition, public.formula, public.on_undefined = definition, formula, on_undefined
    return public


LABELS = Family("multilabel (several labels of each sample)", label_measure)


def _measure_of_labels(definition: Definition, default: OnUndefined) -> Callable[..., Any]:
    @functools.wraps(definition.formula)
    def score(
        y_true: Any,
        y_pred: Any = None,
        *,
        mask: Any = None,
        sample_weight: Any = None,
        ignore_labels: Any = None,
        n_classes: int | None = None,
        on_undefined: OnUndefined = default,
        **options: Any,
    ) -> Any:
        average, wanted = _read(definition, on_undefined, options)
        building = {"mask": mask, "sample_weight": sample_weight, "ignore_labels": ignore_labels}
        given = {"y_true": y_true, "y_pred": y_pred, "n_classes": n_classes, **building}
        return _compute_score(wanted, average, given)

    return score


def _measure_of_scores(definition: Definition, default: OnUndefined) -> Callable[..., Any]:
    @functools.wraps(definition.formula)
    def score(
        y_true: Any,
        y_score: Any,
        *,
        mask: Any = None,
        sample_weight: Any = None,
        ignore_labels: Any = None,
        on_undefined: OnUndefined = default,
        **options: Any,
    ) -> Any:
        average, wanted = _read(definition, on_undefined, options)
        building = {"mask": mask, "sample_weight": sample_weight, "ignore_labels": ignore_labels}
        return _compute_score(wanted, average, {"y_true": y_true, "y_score": y_score, **building})

    return score


def _compute_score(wanted: MeasureSetup, average: str | None, given: dict[str, Any]) -> Any:
    """The score of labels and predictions, by the names of the arguments of :class:`LabelInputs`."""
    if are_in_blocks(given["y_true"], given.get("y_score"), given.get("y_pred")):
        blocks = scores_over_blocks([wanted], [wanted] if average == "samples" else [], given)
        return as_result(blocks.score(wanted, average), blocks.prototype)
    labels = LabelInputs(**given)
    score = labels.score(wanted, average)
    return as_result(score, labels.prototype)


def _read(
    definition: Definition, on_undefined: OnUndefined, options: dict[str, Any]
) -> tuple[str | None, MeasureSetup]:
    """The average, and the measure with what 0/0 is and the options of the formula."""
    own = dict(options)
    check_on_undefined(on_undefined)
    average, others = definition.average, _NAMES[definition.kind == "counts"]
    if definition.averages:
        average = own.pop("average", average)
        check_average(average, definition.averages)
        others = ("average", *others)
    return average, MeasureSetup(definition, read_label_options(own, definition.formula, others), on_undefined)


def _documents(definition: Definition) -> tuple[str, ...]:
    """The texts of the parameters, "" in place of those of the formula."""
    labels = _LABELS if definition.kind == "counts" else _scores_text(definition)
    average: tuple[str, ...] = ()
    if definition.averages:
        each = "; ".join(f"{x!r}: {_AVERAGE[x]}".replace("'", '"') for x in definition.averages)
        average = ("    average\n" + _wrap(f"{each}."),)
    size = (_SIZE,) if definition.kind == "counts" else ()
    return (labels, *average, "", COMMON_OF_LABELS, *size, _UNDEFINED.format(default=definition.on_undefined))


def _scores_text(definition: Definition) -> str:
    blocks = "" if definition.kind == "curves" else " Dask arrays are\n        read in blocks of whole rows."
    return _SCORES.format(what=_WHAT[definition.reads], blocks=blocks)


def _wrap(text: str) -> str:
    return textwrap.fill(text, 120, initial_indent=" " * 8, subsequent_indent=" " * 8) + "\n"


# The options of measures of labels: what is wrong with them is said before anything is found.

_ELSEWHERE = {
    "zero_division": "on_undefined",
    "preds": "y_pred",
    "target": "y_true",
    "y_proba": "y_score",
    "y_prob": "y_score",
    "num_labels": "n_classes",
    "num_classes": "n_classes",
    "ignore_index": "ignore_labels",
    "multioutput": "average",
    "multilabel": "form",
    "nan_policy": "on_undefined",
}
"""What other libraries call arguments, and what these are called here."""

_HINTS = {
    "threshold": "predicted_labels(y_score, threshold) makes labels of scores",
    "labels": "the classes are the columns, or the sorted labels",
    "pos_label": "average=None gives the value of each class",
    "num_labels": "the classes are the columns, or the sorted labels",
    "num_classes": "the classes are the columns, or the sorted labels",
    "top_k": "predicted_labels(y_score, threshold) makes labels of scores",
    "multi_class": "each class is one against all others",
    "max_fpr": "the whole curve counts",
    "thresholds": "all scores are thresholds; MultilabelAccumulator(n_bins=...) has some of them",
    "normalize": "the mean over the samples times their number is the sum",
}
"""What to do in place of options of other libraries that there are not."""

CHOICES: dict[str, tuple[str, ...]] = {
    "form": ("categorical", "binary"),
    "definition": ("recall", "min_precision_recall", "min_recall_specificity", "mean_recall_specificity"),
}
"""The values of options that have few."""

_FLAGS = ("from_logits", "adjusted")


def read_label_options(options: dict[str, Any], formula: Formula, others: tuple[str, ...]) -> dict[str, Any]:
    """The options that were given to a measure, as its formula takes them; ``others`` are those besides."""
    check_known_options(options, formula, _ELSEWHERE, others, _HINTS)
    found = dict(options)
    for name, x in options.items():
        if name in CHOICES:
            check_option(name, x, CHOICES[name])
        elif name in _FLAGS:
            check_flag(name, x)
        elif name == "beta":
            found[name] = _read_beta(x)
        elif name == "eps" and not (isinstance(x, str) and x == "auto"):
            found[name] = _read_eps(x)
    return found


def _read_beta(beta: Any) -> float:
    """How many times as important recall is as precision; it may be infinite."""
    number = as_number("beta", beta)
    return number if number == float("inf") else check_not_negative("beta", beta)


def _read_eps(eps: Any) -> float:
    number = check_not_negative("eps", eps)
    if number >= 0.5:
        raise ValueError(f'eps must be "auto", or from 0 to below 0.5, got {eps!r}')
    return number


# Scores of rows that Dask holds, of which each block gives counts and sums.

_ROWS = ("y_true", "y_score", "y_pred", "mask", "sample_weight")
"""The arguments that have something for each sample."""


@dataclass(frozen=True)
class _Sums:
    """What some blocks add up to."""

    of_classes: dict[int, Quotients]
    """What measures of scores find of the classes, by their places among those that are wanted."""
    of_samples: dict[int, MeanSums]
    """Sums for the means over the samples, by the places of the measures."""
    counts: Counts | None
    """If a measure reads them."""
    support: Array

    def __add__(self, other: _Sums) -> _Sums:
        return _Sums(
            {i: x + other.of_classes[i] for i, x in self.of_classes.items()},
            {i: x + other.of_samples[i] for i, x in self.of_samples.items()},
            None if self.counts is None or other.counts is None else self.counts + other.counts,
            self.support + other.support,
        )


@dataclass(frozen=True)
class OfBlocks:
    """The scores of rows that Dask holds."""

    wanted: Sequence[MeasureSetup]
    sums: _Sums

    @property
    def prototype(self) -> Array:
        """What results are like."""
        return self.sums.support

    def score(self, wanted: MeasureSetup, average: str | None) -> Array:
        """The score of one of the measures that are wanted: of shape (), or (n_classes,) without an average."""
        place = self.wanted.index(wanted)
        if average == "samples":
            return means_of_samples(self.sums.of_samples[place].array, wanted.on_undefined)[0, ...]
        if self.sums.counts is not None and wanted.definition.kind == "counts":
            return wanted.score_of(ColumnCounts(self.sums.counts), average)
        found = self.sums.of_classes[place]
        return wanted.score(Source(lambda of: found if of == "classes" else found.total(), None), average)

    @property
    def classes(self) -> Any:
        """The label of each class: a range, if classes are columns."""
        counts, support = self.sums.counts, self.sums.support
        return range(int(support.shape[0])) if counts is None else counts.classes

    @property
    def support(self) -> Array:
        """How many samples have each class, or their weight."""
        return self.sums.support


def are_in_blocks(y_true: Any, y_score: Any, y_pred: Any) -> bool:
    """Whether Dask holds rows; one label for each sample is counted as that of clusterings is."""
    if y_score is None and is_vector(y_true) and is_vector(y_pred):
        return False
    return any(is_dask(x) for x in (y_true, y_score, y_pred))


def scores_over_blocks(
    wanted: Sequence[MeasureSetup], of_samples: Sequence[MeasureSetup], given: dict[str, Any]
) -> OfBlocks:
    """The scores of measures, of arguments of :class:`LabelInputs` of which Dask holds whole rows in each block.

    Of those ``of_samples`` the mean over the samples is wanted, too.
    """
    for one in wanted:
        if one.definition.kind == "curves":
            name = one.definition.formula.__name__
            raise TypeError(
                f"y_true must be in memory for {name}, which compares the scores of all samples, got one that Dask "
                "holds: compute y_true and y_score, or give blocks to a MultilabelAccumulator(n_bins=...)"
            )
    rows = {name: given[name] for name in _ROWS if given.get(name) is not None}
    whole = {name: x for name, x in given.items() if name not in _ROWS}
    build = functools.partial(_sums_of_block, wanted, of_samples, whole)
    matrices = tuple(name for name, x in rows.items() if getattr(x, "ndim", 1) == 2)
    found: BlockSums[_Sums] = sum_over_blocks(build, rows, matrices)
    n_samples, n_with_known, n_with_weight = found.numbers
    if found.sums is None:
        raise ValueError("y_true must have at least one sample and one class, got none")
    check_some_label_counts(
        n_samples,
        is_any_weight=n_with_weight > 0,
        is_any_known=n_with_known > 0,
        mask=given["mask"],
        ignore_labels=given["ignore_labels"],
    )
    return OfBlocks(wanted, found.sums)


def _sums_of_block(
    wanted: Sequence[MeasureSetup], of_samples: Sequence[MeasureSetup], whole: dict[str, Any], **block: Any
) -> BlockSums[_Sums]:
    """The sums of a block, how many samples it has, and whether it has a label that counts, and a weight above 0."""
    n_samples, weights = len(block["y_true"]), block.get("sample_weight")
    if not n_samples:
        return BlockSums(None, (0, 0, 0))
    given = LabelInputs(**{**dict.fromkeys(_ROWS), **block}, **whole, are_all=False)
    sums = _sums_of(given, wanted, of_samples)
    is_any_weight = weights is None or bool(to_host((weights != 0).any()))
    return BlockSums(sums, (n_samples, int(given.is_any_known()), int(is_any_weight)))


def _sums_of(given: LabelInputs, wanted: Sequence[MeasureSetup], of_samples: Sequence[MeasureSetup]) -> _Sums:
    """The sums of the samples of a block."""
    of_classes, means, counts = {}, {}, None
    for i, one in enumerate(wanted):
        source = given.source(one)
        if one in of_samples:
            values, weights = values_to_average(source, "samples", one.on_undefined)
            xp = backend_of(values).xp
            means[i] = MeanSums(sums_for_means([sum_with_weights(values, weights, xp)], xp))
        if one.definition.kind == "counts":
            counts = given.label_counts.of_classes
        else:
            of_classes[i] = source.of("classes")
    return _Sums(of_classes, means, counts, given.support)
