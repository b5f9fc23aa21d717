"""Turns a formula of columns into a public measure: its arguments, its docstring, and the score it returns."""

from __future__ import annotations

import functools
import inspect
import textwrap
from collections.abc import Callable
from typing import Any, cast

from gpuval.metrics._common.documents import documented
from gpuval.metrics._common.options import Formula, OnUndefined, check_on_undefined
from gpuval.metrics._common.result import finished
from gpuval.metrics.multilabel._labels.given_arrays import What
from gpuval.metrics.multilabel._measures.averages import check_average
from gpuval.metrics.multilabel._measures.blocks import are_in_blocks, found_in_blocks
from gpuval.metrics.multilabel._measures.definition import AVERAGES, Definition, Kind, LabelMeasure, OfMeans, Wanted
from gpuval.metrics.multilabel._measures.given import GivenLabels
from gpuval.metrics.multilabel._measures.options import read_label_options

_LABELS = """\
    y_true
        The true labels. Give a matrix of 0 and 1, shape (n_samples, n_classes), where 1 says that the sample has the
        class; or one label for each sample, shape (n_samples,), of any type that :meth:`gpuval.Contingency.from_labels`
        takes; or a :class:`LabelCounts`, which replaces all the arguments that it was made of. Dask arrays are read in
        blocks of whole rows.
    y_pred
        The predicted labels, with the shape, the library and the device of ``y_true``.
"""
_SCORES = """\
    y_true
        The true labels. Give a matrix of 0 and 1, shape (n_samples, n_classes), where 1 says that the sample has the
        class; or a vector of 0 and 1, for one class; or, with a matrix ``y_score``, a vector with the class of each
        sample, an integer from 0 to n_classes - 1.{blocks}
    y_score
        The score of each class for each sample: {what}. Shape (n_samples, n_classes), or
        (n_samples,) for one class; of the library and on the device of ``y_true``.
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
        Which labels are known: booleans of the shape of ``y_true``. Labels where it is False do not count.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1. Labels with such a value do not count.
"""
_SIZE = """\
    n_classes
        The number of classes, if ``y_true`` has one label for each sample and the labels are integers from 0 to
        ``n_classes - 1``. Nothing then leaves the device to find this number out, and invalid labels there make the
        score NaN.
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
    *,
    kind: Kind,
    reads: What = "labels",
    averages: tuple[str | None, ...] = AVERAGES,
    average: str | None = "macro",
    on_undefined: OnUndefined = "zero",
    of_means: OfMeans | None = None,
    of_one_label: Formula | None = None,
    of_counts: tuple[str, ...] = (),
) -> Callable[[Formula], LabelMeasure]:
    """Make a public measure of a formula ``f(columns, *, options)`` that gives two numbers for each column.

    They are a numerator and a denominator. A formula of counts gets a :class:`LabelCounts` in place of columns.
    """

    def made(formula: Formula) -> LabelMeasure:
        definition = Definition(
            formula, kind, reads, averages, average, on_undefined, of_means, of_one_label, of_counts
        )
        public = cast(LabelMeasure, _of_labels(definition) if kind == "counts" else _of_scores(definition))
        public.definition = definition
        public.__signature__ = _signature(public)  # type: ignore[attr-defined]
        return _with_documents(public)

    return made


def _of_labels(definition: Definition) -> Callable[..., Any]:
    @functools.wraps(definition.formula)
    def score(
        y_true: Any,
        y_pred: Any = None,
        *,
        mask: Any = None,
        sample_weight: Any = None,
        ignore_labels: Any = None,
        n_classes: int | None = None,
        **options: Any,
    ) -> Any:
        average, wanted = _read(definition, options)
        building = {"mask": mask, "sample_weight": sample_weight, "ignore_labels": ignore_labels}
        given = {"y_true": y_true, "y_pred": y_pred, "n_classes": n_classes, **building}
        return _scored(wanted, average, given)

    return score


def _of_scores(definition: Definition) -> Callable[..., Any]:
    @functools.wraps(definition.formula)
    def score(
        y_true: Any,
        y_score: Any,
        *,
        mask: Any = None,
        sample_weight: Any = None,
        ignore_labels: Any = None,
        **options: Any,
    ) -> Any:
        average, wanted = _read(definition, options)
        building = {"mask": mask, "sample_weight": sample_weight, "ignore_labels": ignore_labels}
        return _scored(wanted, average, {"y_true": y_true, "y_score": y_score, **building})

    return score


def _scored(wanted: Wanted, average: str | None, given: dict[str, Any]) -> Any:
    """The score of labels and predictions, by the names of the arguments of :class:`GivenLabels`."""
    if are_in_blocks(given["y_true"], given.get("y_score"), given.get("y_pred")):
        blocks = found_in_blocks([wanted], [wanted] if average == "samples" else [], given)
        return finished(blocks.score(wanted, average), blocks.given)
    labels = GivenLabels(**given)
    score = labels.score(wanted, average)
    return finished(score, labels.given)


def _read(definition: Definition, options: dict[str, Any]) -> tuple[str | None, Wanted]:
    """The average, and the measure with what 0/0 is and the options of the formula."""
    own = dict(options)
    undefined = own.pop("on_undefined", definition.on_undefined)
    check_on_undefined(undefined)
    average, others = definition.average, _NAMES[definition.kind == "counts"]
    if definition.averages:
        average = own.pop("average", average)
        check_average(average, definition.averages)
        others = ("average", *others)
    return average, Wanted(definition, read_label_options(own, definition.formula, others), undefined)


def _signature(measure: LabelMeasure) -> inspect.Signature:
    """The parameters of labels, the options of the formula, and those that all measures have."""
    definition = measure.definition
    outer = inspect.signature(measure, follow_wrapped=False).parameters.values()
    given = [x for x in outer if x.kind is not x.VAR_KEYWORD]
    own = [x for x in inspect.signature(definition.formula).parameters.values() if x.kind is x.KEYWORD_ONLY]
    keyword = inspect.Parameter.KEYWORD_ONLY
    average = [inspect.Parameter("average", keyword, default=definition.average)] if definition.averages else []
    undefined = inspect.Parameter("on_undefined", keyword, default=definition.on_undefined)
    first = [x for x in given if x.kind is not keyword]
    return inspect.Signature([*first, *average, *own, *(x for x in given if x.kind is keyword), undefined])


def _with_documents(measure: LabelMeasure) -> LabelMeasure:
    definition = measure.definition
    labels = _LABELS if definition.kind == "counts" else _of_scores_and_labels(definition)
    average = ""
    if definition.averages:
        each = "; ".join(f"{x!r}: {_AVERAGE[x]}".replace("'", '"') for x in definition.averages)
        average = "    average\n" + _wrapped(f"{each}.")
    size = _SIZE if definition.kind == "counts" else ""
    texts = [labels, average, "", COMMON_OF_LABELS, size, _UNDEFINED.format(default=definition.on_undefined)]
    return documented(*(x for i, x in enumerate(texts) if x or i == 2))(measure)


def _of_scores_and_labels(definition: Definition) -> str:
    blocks = "" if definition.kind == "curves" else " Dask arrays are\n        read in blocks of whole rows."
    return _SCORES.format(what=_WHAT[definition.reads], blocks=blocks)


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 120, initial_indent=" " * 8, subsequent_indent=" " * 8) + "\n"
