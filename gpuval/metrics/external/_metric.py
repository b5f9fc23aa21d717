"""Turns a formula of the contingency table into a public measure of labels.

A measure is written as a pure function of the table. ``table_measure`` adds the arguments that build a table from
labels. So no measure validates labels, and none knows an array library.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, Protocol, cast

from gpuval.engines.backends import outside_of_graphs
from gpuval.inputs.options import check_known_options, check_option
from gpuval.measures.documents import WEIGHTS, publish
from gpuval.measures.measure import Exchanged, Measure, Values
from gpuval.measures.result import Formula, as_result
from gpuval.numerics import Array
from gpuval.table.contingency import Contingency
from gpuval.table.labels import labels_at, labels_beside
from gpuval.table.reading import from_labels, use_table, use_table_of_one
from gpuval.table.table import Side, Table

_LABELS_TRUE = """\
    labels_true
        The reference labels (classes), shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency` in place of both label vectors.
    labels_pred
        The predicted labels (clusters), shape (n_samples,), of the same library and on the same device as
        ``labels_true``. Leave it out if a table is given.
"""
_LABELS = """\
    labels
        The labels, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes. Or a
        :class:`Contingency`; then ``of`` names its side.
"""
_BUILDING = f"""\
{WEIGHTS}\
    ignore_labels
        One label or several, of the same types as the labels, for example the label of noise. Samples with such a label
        {{side}}do not count.{{apart}}
        If no sample is left, there is an error (on a device, with ``n_classes``, it is NaN).
    {{sizes}}
        With {{them}}, no data are copied from the device to find out the size of the contingency table.
"""
_TWO_SIDES = {
    "side": "on either side ",
    "apart": " To keep a cluster that is called like the noise of a reference, name the side:\n"
    '        ``{"true": 0}``. Both sides may have labels of their own: ``{"true": [0, None], "pred": -1}``.',
    "sizes": "n_classes, n_clusters\n"
    "        The numbers of classes and of clusters, if the labels are integers from 0 to one below these numbers.",
    "them": "both",
}
_ONE_SIDE = {
    "side": "",
    "apart": "",
    "sizes": "n_classes\n        The number of different labels, if they are integers from 0 to one below this number.",
    "them": "it",
}


_RESULTS = {"classes": "ClassScores", "clusters": "ClusterScores", "best_classes": "BestClassScores"}
"""By the kind of values what these are returned in, together with labels."""


class Metric(Protocol):
    """A measure of a table or of two label vectors."""

    __name__: str
    __signature__: inspect.Signature
    measure: Measure
    """What is declared of it."""
    formula: Formula | None
    """The formula of a table, if an engine may evaluate it together with those of other measures; else None."""

    def __call__(
        self,
        labels_true: Any,
        labels_pred: Any = None,
        *,
        sample_weight: Any = None,
        ignore_labels: Any = None,
        n_classes: int | None = None,
        n_clusters: int | None = None,
        **options: Any,
    ) -> Any:
        """Evaluate the measure."""


class LabelingMetric(Protocol):
    """A measure of one label vector, or of one side of a table."""

    __name__: str
    measure: Measure
    """What is declared of it."""
    formula: Formula | None

    def __call__(
        self,
        labels: Any,
        *,
        of: Side = "true",
        sample_weight: Any = None,
        ignore_labels: Any = None,
        n_classes: int | None = None,
        **options: Any,
    ) -> Any:
        """Evaluate the measure."""


def table_measure(
    formula: Formula,
    values: Values = "one",
    of_one_labeling: bool = False,
    in_library: bool = False,
    host_steps: int = 0,
) -> Formula | Metric | LabelingMetric:
    """Make a public measure of a formula ``f(table, *, options)``, or of one labeling ``f(partition, *, options)``.

    The engine of the table evaluates it, and may give the formula a table in NumPy, whatever the library of the labels
    is. One that needs the arrays ``in_library``, as it takes or returns some, gets the table as it is; if it also has
    ``host_steps``, it breaks a graph of torch.compile only once, and not at each value that it reads. Values for each
    of the "classes" or "clusters" are returned together with their labels. These are the labels that occur, or all
    labels if the size of the table was given. A formula of "best_classes" returns the values of clusters and the rows
    of their best classes, whose labels are returned, too.
    """
    if values == "samples":  # which reads the labels itself
        return formula
    if of_one_labeling:
        return _labeling_measure(formula)
    return _measure_in_library(formula, host_steps > 0) if in_library else _measure(formula, values)


def exchanged_f(name: str, recall: str | None = None) -> Callable[[float], Exchanged]:
    """What an F of precision and recall becomes with the arguments exchanged, by its beta.

    With 0 it is the recall; without ``recall`` it is not, as the F is 0 where the other one is.
    """
    of_zero: Exchanged = (recall, {}) if recall else None
    return lambda beta: "same" if beta == 1 else (name, {"beta": 1 / beta}) if beta else of_zero


def other_side(side: Side) -> Side:
    """The other one of the two sides of a table."""
    return "pred" if side == "true" else "true"


def _measure(formula: Formula, values: Values) -> Metric:
    def score_labels(labels_true: Any, labels_pred: Any, *building: Any, options: dict[str, Any]) -> Any:
        def use(table: Table, like: Array | None) -> Any:
            table = table.with_none_left_invalid()
            if values in _RESULTS:
                return _scores_by_label(values, formula, table, options, like)
            return as_result(table.engine.score(formula, table, options, like), like)

        if isinstance(labels_true, Contingency):
            return use(_read_table(labels_true, labels_pred, building), None)
        return use_table(use, labels_true, labels_pred, *building)

    public = _public(formula, score_labels)
    if values in _RESULTS:
        public.__signature__ = public.__signature__.replace(return_annotation=_RESULTS[values])
    else:
        public.formula = formula
    return public


def _scores_by_label(
    values: Values, formula: Formula, table: Table, options: dict[str, Any], like: Array | None
) -> Any:
    """The score of each class or cluster of a table, with the labels."""
    from gpuval.measures.label_scores import BestClassScores, ClassScores, ClusterScores  # only now: few need them

    if like is not None:  # it is no single kernel: of CuPy's functions each would be compiled when it is first used
        table = table.mapped(lambda x: as_result(x, like))
    table = table.occurring()
    scores = as_result(table.engine.score(formula, table, options))
    if values == "classes":
        return ClassScores(labels_beside(table.classes, table.counts), scores)
    clusters = labels_beside(table.clusters, table.counts)
    if values == "clusters":
        return ClusterScores(clusters, scores)
    scores, places = scores
    return BestClassScores(clusters, labels_beside(labels_at(table.classes, places), table.counts), scores)


def _measure_in_library(formula: Formula, is_host_step: bool) -> Metric:
    @functools.wraps(formula)
    def score_table(*arguments: Any, options: dict[str, Any]) -> Any:
        table = as_table(*arguments)
        if is_host_step and not table.backend.is_known(table.total):
            raise TypeError(
                f"{formula.__name__} looks at values on the host, and inside jax.jit, jax.vmap, jax.grad and "
                "torch.func.vmap there are none: return the table from there, and score it outside"
            )
        table = table.engine.for_evaluation(table)
        return as_result(table.engine.where_valid(formula(table, **options), table))

    return _public(formula, outside_of_graphs(score_table) if is_host_step else score_table)


def _public(formula: Formula, evaluated: Callable[..., Any]) -> Metric:
    @functools.wraps(formula)
    def score(
        labels_true: Any,
        labels_pred: Any = None,
        *,
        sample_weight: Any = None,
        ignore_labels: Any = None,
        n_classes: int | None = None,
        n_clusters: int | None = None,
        **options: Any,
    ) -> Any:
        if options:
            check_known_options(options, formula)
        return evaluated(labels_true, labels_pred, sample_weight, ignore_labels, n_classes, n_clusters, options=options)

    public = cast(Metric, _publish(score, formula, _LABELS_TRUE + _BUILDING.format(**_TWO_SIDES)))
    public.formula = None
    return public


def _labeling_measure(formula: Callable[..., Any]) -> LabelingMetric:

    def side_score(table: Table, *, of: Side, **options: Any) -> Any:
        return formula(table.side(of), **options)

    @functools.wraps(formula)
    def score(
        labels: Any,
        *,
        of: Side = "true",
        sample_weight: Any = None,
        ignore_labels: Any = None,
        n_classes: int | None = None,
        **options: Any,
    ) -> Any:
        check_known_options(options, formula)
        check_option("of", of, ("true", "pred"))
        building = (sample_weight, ignore_labels, n_classes)
        is_table = isinstance(labels, Contingency)

        def use(table: Table, like: Array | None) -> Any:
            table, side = table.with_none_left_invalid(), of if is_table else "true"
            return as_result(table.engine.score(side_score, table, {"of": side, **options}, like), like)

        if is_table:
            _check_unused(building)
            return use(labels, None)
        return use_table_of_one(use, labels, *building)

    public = cast(LabelingMetric, _publish(score, formula, _LABELS + _BUILDING.format(**_ONE_SIDE)))
    public.formula = None
    return public


def as_table(labels_true: Any, labels_pred: Any = None, *building: Any) -> Contingency:
    """The contingency table of the labels, in their library and on their device; or the table that was given."""
    if isinstance(labels_true, Contingency):
        table = _read_table(labels_true, labels_pred, building)
    else:
        table = Contingency.from_table(from_labels(labels_true, labels_pred, *building))
    return table.with_none_left_invalid()


def _read_table(table: Contingency, labels_pred: Any, building: tuple[Any, ...]) -> Contingency:
    if labels_pred is not None:
        raise TypeError(f"labels_pred must be left out when a table is given, got {type(labels_pred).__name__}")
    _check_unused(building)
    return table


def _check_unused(building: tuple[Any, ...]) -> None:
    names = ("sample_weight", "ignore_labels", "n_classes", "n_clusters")
    for name, value in zip(names, building, strict=False):
        if value is not None:
            raise TypeError(f"{name}= cannot be given with a table: give it to Contingency.from_labels")


def _publish(score: Any, formula: Formula, parameters: str) -> Any:
    return publish(
        score, formula, (parameters, ""), returned=formula.__annotations__.get("return", inspect.Signature.empty)
    )
