"""From a formula of columns to a public measure: its arguments, its docstring, and how its score goes out."""

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
        The labels: a matrix of 0 and 1, shape (n_samples, n_classes); or one label for each sample, shape (n_samples,),
        of any kind that :meth:`gpuval.Contingency.from_labels` takes; or a :class:`LabelCounts` in place of all that
        it is made of. Dask may hold them, with whole rows in each block.
    y_pred
        The predicted labels, of the same shape, library and device.
"""
_SCORES = """\
    y_true
        The labels: a matrix of 0 and 1, shape (n_samples, n_classes); or a vector, of one class, or, with a matrix
        ``y_score``, of the class of each sample, an integer from 0 to below n_classes.{blocks}
    y_score
        The score of each class, {what}, of shape (n_samples, n_classes), or
        (n_samples,) for one class; of the same library and on the same device.
"""
_WHAT = {
    "scores": "any real number but NaN",
    "numbers": "any finite number",
    "probabilities": "a probability from 0 to 1",
}
_AVERAGE = {
    "macro": "the mean over the classes",
    "weighted": "that mean weighted by how many samples have each class",
    "geometric": "their geometric mean",
    "macro_of_means": "the value of the mean precision and the mean recall",
    "micro": "the value of all entries at once",
    "samples": "the mean over the samples of the value of each",
    None: "for the value of each class",
}
COMMON_OF_LABELS = """\
    mask
        Which labels are known, booleans of the shape of ``y_true``: the others do not count.
    sample_weight
        Weights, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1, of labels that do not count.
"""
_SIZE = """\
    n_classes
        The number of classes where ``y_true`` has one label for each sample, from 0 to below it: with it nothing leaves
        the device to find it out, and what is wrong there makes the score NaN.
"""
_UNDEFINED = """\
    on_undefined
        What 0/0 is, by default "{default}": "zero", "one", "nan", or "skip", to leave it out of means.
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
    reads_true_negatives: bool = False,
) -> Callable[[Formula], LabelMeasure]:
    """Make a public measure of a formula ``f(columns, *, options)`` that gives two numbers for each column.

    They are a numerator and a denominator. A formula of counts gets a :class:`LabelCounts` in place of columns.
    """

    def made(formula: Formula) -> LabelMeasure:
        definition = Definition(
            formula, kind, reads, averages, average, on_undefined, of_means, of_one_label, reads_true_negatives
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
        each = "; ".join(f"{x!r}, {_AVERAGE[x]}".replace("'", '"') for x in definition.averages)
        average = "    average\n" + _wrapped(f"{each}.")
    size = _SIZE if definition.kind == "counts" else ""
    texts = [labels, average, "", COMMON_OF_LABELS, size, _UNDEFINED.format(default=definition.on_undefined)]
    return documented(*(x for i, x in enumerate(texts) if x or i == 2))(measure)


def _of_scores_and_labels(definition: Definition) -> str:
    blocks = "" if definition.kind == "curves" else " Dask may hold\n        them, with whole rows in each block."
    return _SCORES.format(what=_WHAT[definition.reads], blocks=blocks)


def _wrapped(text: str) -> str:
    return textwrap.fill(text, 120, initial_indent=" " * 8, subsequent_indent=" " * 8) + "\n"
