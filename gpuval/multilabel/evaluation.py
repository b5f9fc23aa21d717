"""Several measures of labels and predictions, which are read and counted only once."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gpuval.display.tables import Printable, ResultMapping, TextTable
from gpuval.display.text import number_text, readable_name
from gpuval.engines.backends import to_host
from gpuval.engines.backends.pytrees import as_tree
from gpuval.inputs.options import require_extra
from gpuval.inputs.strings import is_hashable
from gpuval.measures.documents import document_parameters
from gpuval.measures.label_scores import FEWEST_SPREAD, ScoreSpread, spread_of
from gpuval.measures.requests import Metrics, is_all
from gpuval.measures.result import OnUndefined, as_result, check_on_undefined
from gpuval.multilabel._inputs import LabelInputs
from gpuval.multilabel._measure import COMMON_OF_LABELS, OfBlocks, are_in_blocks, scores_over_blocks
from gpuval.multilabel.counts import COUNTS, LabelCounts
from gpuval.multilabel.entries import is_vector
from gpuval.multilabel.names import (
    READER,
    Averages,
    MultilabelRequest,
    canonical,
    names_of_probabilities,
    read_averages,
    score_names,
)
from gpuval.numerics import Array
from gpuval.results.scores import ByMeasure, equal, plain, score_line
from gpuval.table.labels import pandas_index

__all__ = ["MultilabelScores", "evaluate"]


@document_parameters("", COMMON_OF_LABELS)
def evaluate(
    y_true: Any,
    y_score: Any = None,
    y_pred: Any = None,
    *,
    metrics: Metrics = None,
    averages: Averages = None,
    threshold: Any = 0.5,
    at_least_one: bool = False,
    mask: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    on_undefined: OnUndefined | None = None,
    classes: Any = None,
) -> MultilabelScores:
    """Compute several measures of labels and predictions, for each class and on average.

    Labels and predictions are read and counted once, and the values of the classes are computed once for all averages.

    Parameters
    ----------
    y_true
        The true labels. Give a matrix of 0 and 1, shape (n_samples, n_classes), where 1 says that the sample has the
        class, dense or sparse; or label sets; or a vector of 0 and 1, for one class; or, with a matrix ``y_score``, a
        vector with the class of each sample, an integer from 0 to n_classes - 1; or, without ``y_score``, one label of
        any type for each sample. Or a :class:`LabelCounts`, which replaces all the arguments that it was made of.
    y_score
        The score of each class for each sample, shape (n_samples, n_classes), or (n_samples,) for one class; of the
        library and on the device of ``y_true``. Measures of probabilities need scores from 0 to 1.
    y_pred
        The predicted labels, with the shape of ``y_true``; by default those that :func:`predicted_labels` makes of
        ``y_score``.
    metrics
        Names of measures of :mod:`gpuval.multilabel`, in upper or lower case: full, without "_score", or short (see
        Notes); "f2" is F with ``beta=2``. Or the functions themselves, or a ``functools.partial`` of one with its
        options. A mapping gives the measures new names. "all" stands for all measures. By default "precision",
        "recall", "f1", "roc_auc", "average_precision" and "hamming_loss". The default and "all" leave out measures that
        need something that was not given.
    averages
        The averages to compute, for each measure that has them: "macro", "weighted", "micro", "samples", "geometric"
        and "macro_of_means". By default the first four, but without "samples" if there is no matrix, whose rows are the
        samples.
    threshold, at_least_one
        How scores become predicted labels if there is no ``y_pred``, as for :func:`predicted_labels`. For sparse scores
        the threshold must be above 0, and ``at_least_one`` False.
    n_classes
        The number of classes, if ``y_true`` and ``y_pred`` are vectors or sets of integers from 0 to ``n_classes - 1``.
        Of vectors nothing then leaves the device to find this number out.
    on_undefined
        The value where a formula is 0/0: "zero", "one", "nan", or "skip", which leaves it out of means. By default each
        measure uses its own default.
    classes
        A name for each class; by default the columns of a data frame, the labels of vectors, or numbers from 0 on.

    Returns
    -------
    MultilabelScores
        A mapping from names such as "f1_macro" to scores, each in the library and on the device of ``y_true``. It
        prints as a table. It also has ``per_class``, the values of the classes, and ``support``, the number of samples
        of each class.

    Raises
    ------
    TypeError, ValueError
        For a name that no measure has, and for no measures; for a measure that needs scores if there are none; for an
        average that none of the measures has; and for everything that a measure raises.

    Notes
    -----
    Before the result is printed, only the number of classes of vectors leaves the device. For Dask arrays, counts and
    sums are added up block by block; "roc_auc" and "average_precision" are not sums, so they are left out by default.

    The short names of measures, besides full names without "_score", and names such as "f1", "f2" and "f0.5":

    ==========  ==============================
    short       measure
    ==========  ==============================
    auc         roc_auc_score
    ap          average_precision_score
    hamming     hamming_loss
    mse, brier  mean_squared_error
    mae         mean_absolute_error
    mpr         mean_probability_rate
    mapr        macro_average_probability_rate
    ==========  ==============================

    Examples
    --------
    >>> from gpuval import multilabel
    >>> labels = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]
    >>> scores = [[0.75, 0, 0.25], [0, 0.5, 0.25], [0.25, 1, 0.25], [0, 0.25, 0.75]]
    >>> found = multilabel.evaluate(labels, scores, classes=["cat", "dog", "owl"])
    >>> found
              precision  recall     f1  roc_auc
    cat           1.000   0.500  0.667    0.625
    dog           0.500   0.500  0.500    0.500
    owl           0.000   0.000  0.000    0.333
    macro         0.500   0.333  0.389    0.486
    weighted      0.600   0.400  0.467    0.517
    micro         0.500   0.400  0.444    0.529
    samples       0.500   0.500  0.500    0.562
    <BLANKLINE>
              average_precision  hamming_loss  support
    cat                   0.750         0.250        2
    dog                   0.583         0.500        2
    owl                   0.250         0.500        1
    macro                 0.528         0.417
    weighted              0.583         0.400
    micro                 0.428         0.417
    samples               0.729         0.417
    <BLANKLINE>
    of the classes      mean     sd  least   most  least of  most of
    precision          0.500  0.408  0.000  1.000  owl       cat
    recall             0.333  0.236  0.000  0.500  owl       cat
    f1                 0.389  0.283  0.000  0.667  owl       cat
    roc_auc            0.486  0.119  0.333  0.625  owl       cat
    average_precision  0.528  0.208  0.250  0.750  owl       cat
    hamming_loss       0.417  0.118  0.250  0.500  cat       dog
    >>> float(found["roc_auc_samples"])
    0.5625
    >>> found.per_class["precision"].tolist()
    [1.0, 0.5, 0.0]
    >>> found.spread("recall").least_label
    'owl'

    Other measures and averages, for predicted labels without scores:

    >>> multilabel.evaluate(["cat", "dog", "cat"], y_pred=["cat", "cat", "cat"], metrics=["f1", "f2"], averages="macro")
              f1     f2  support
    cat    0.800  0.909        2
    dog    0.000  0.000        1
    macro  0.400  0.455
    """
    if on_undefined is not None:
        check_on_undefined(on_undefined)
    if y_score is None and y_pred is None and not isinstance(y_true, LabelCounts):
        raise TypeError("y_score or y_pred must be given, got neither")
    if n_classes is not None and y_score is not None:
        raise TypeError(f"n_classes must be left out where y_score says how many there are, got {n_classes!r}")
    in_blocks = are_in_blocks(y_true, y_score, y_pred)
    asked = _computable_measures(READER.read(metrics), metrics, y_true, y_score, in_blocks=in_blocks)
    if y_score is None or y_pred is not None or not any(one.definition.kind == "counts" for one in asked.values()):
        _check_not_predicting(threshold=threshold, at_least_one=at_least_one)
    names = score_names(asked, read_averages(averages, asked))
    for score, (name, average) in tuple(names.items()):
        if average == "samples" and not _has_rows(asked[name], y_true, y_score, y_pred):
            if averages is not None:
                raise ValueError("averages must be others than 'samples' without matrices, whose rows the samples are")
            del names[score]
        elif average == "weighted" and averages is None and "false_negatives" in _unknown_counts(y_true):
            del names[score]
    wanted = {name: one.wanted(on_undefined) for name, one in asked.items()}
    given = {
        "y_true": y_true,
        "y_score": y_score,
        "y_pred": y_pred,
        "threshold": threshold,
        "at_least_one": at_least_one,
        "n_classes": n_classes,
        "mask": mask,
        "sample_weight": sample_weight,
        "ignore_labels": ignore_labels,
        "of_probabilities": names_of_probabilities(asked),
    }
    found: LabelInputs | OfBlocks
    if in_blocks:
        of_samples = [wanted[name] for name, average in names.values() if average == "samples"]
        found = scores_over_blocks(tuple(wanted.values()), of_samples, given)
    else:
        found = LabelInputs(**given)
        for one in wanted.values():
            found.read(one)
    return MultilabelScores.of_measures(
        asked,
        names,
        lambda name, average: found.score(wanted[name], average),
        found.support,
        _names_of_classes(classes, found.classes, y_true, y_score, y_pred),
        found.prototype,
    )


def _check_not_predicting(**options: Any) -> None:
    """Check that nothing says how labels are predicted of scores, where no measure reads such labels."""
    for name, default in (("threshold", 0.5), ("at_least_one", False)):
        is_default = isinstance(options[name], float | bool) and options[name] == default
        if not is_default:
            raise TypeError(
                f"{name} must be left out where no measure reads labels that are predicted of scores, got "
                f"{options[name]!r}"
            )


def _computable_measures(
    asked: dict[str, MultilabelRequest], metrics: Metrics, y_true: Any, y_score: Any, *, in_blocks: bool
) -> dict[str, MultilabelRequest]:
    """The measures that can be found of what is given, which must be all of those that are named."""
    has_scores = y_score is not None and not isinstance(y_true, LabelCounts)
    kinds = ("counts", *(("sums",) if has_scores else ()), *(("curves",) if has_scores and not in_blocks else ()))
    if metrics is None or is_all(metrics):
        unknown = _unknown_counts(y_true)
        can_be_found = {name: one for name, one in asked.items() if one.definition.kind in kinds}
        return {name: one for name, one in can_be_found.items() if unknown.isdisjoint(one.definition.of_counts)}
    for name, one in asked.items():
        if one.definition.kind != "counts" and not has_scores:
            raise TypeError(f"y_score must be given for {name}, which needs scores, got None")
    return asked


def _unknown_counts(y_true: Any) -> set[str]:
    """The names of the counts that were given without numbers."""
    return {x for x in COUNTS if isinstance(y_true, LabelCounts) and getattr(y_true, x) is None}


def _has_rows(one: MultilabelRequest, y_true: Any, y_score: Any, y_pred: Any) -> bool:
    """Whether what a measure reads has a row for each sample."""
    predicted = y_pred if one.definition.kind == "counts" and y_pred is not None else y_score
    return not (isinstance(y_true, LabelCounts) or is_vector(predicted))


def _names_of_classes(classes: Any, known: Any, *given: Any) -> Any:
    """The names that are given, or the columns of a data frame, or what classes are called otherwise."""
    if classes is None:
        frame = next((x for x in given if hasattr(x, "columns")), None)
        return known if frame is None else tuple(frame.columns)
    given_names = classes.tolist() if hasattr(classes, "tolist") else classes
    if isinstance(given_names, str | bytes | Mapping | set | frozenset) or not hasattr(given_names, "__len__"):
        raise TypeError(f"classes must be a sequence with the name of each class, got {classes!r}")
    names = tuple(given_names)
    if len(names) != len(known):
        raise ValueError(f"classes must have a name for each class ({len(known)}), got {len(names)}")
    for name in names:
        if not is_hashable(name):
            raise TypeError(f"classes must have names that are strings or other hashable values, got {name!r}")
    repeated = next((name for name, times in Counter(names).items() if times > 1), None)
    if repeated is not None:
        raise ValueError(f"classes must have names that differ, got {repeated!r} twice")
    return names


# The result of ``gpuval.multilabel.evaluate``: scores of classes and averages, which print as a table.

_MOST_CLASSES = 12
"""How many classes a table has at most before those in the middle are left out."""


class _OfClasses(ByMeasure[Any]):
    """The values of the classes, by the name of the measure."""

    def _full(self, name: Any) -> Any:
        return canonical(name) if isinstance(name, str) else name


@as_tree
@dataclass(frozen=True, eq=False, repr=False)
class MultilabelScores(ResultMapping[str, Any]):
    """Scores of labels by names such as "f1_macro": the result of :func:`evaluate`. It prints as a table.

    A name consists of the name of the measure, or the one that a mapping gave it, and the average: "roc_auc_micro". If
    a measure has only one score, its name is enough: "log_loss". Other names of a measure find its scores, too:
    ``scores["auc_micro"]``. For JAX and PyTorch it is a tree of its numbers, so a function under ``jax.jit`` can return
    it. Two results are equal if they have the same names, the same scores and the same values of the classes, on
    whatever devices these are.

    Examples
    --------
    >>> from gpuval import multilabel
    >>> labels, scores = [[1, 0], [0, 1], [1, 1]], [[0.9, 0.2], [0.4, 0.1], [0.8, 0.7]]
    >>> found = multilabel.evaluate(labels, scores, metrics=["recall", "auc", "log_loss"], averages=["macro", "micro"])
    >>> found
           recall  roc_auc  support
    0       1.000    1.000        2
    1       0.500    0.500        2
    macro   0.750    0.750
    micro   0.750    0.750
    <BLANKLINE>
    log_loss  0.996
    >>> round(float(found["auc_micro"]), 4), found.per_class["recall"], found.support
    (0.75, array([1. , 0.5]), array([2, 2]))
    """

    names: tuple[str, ...]
    """The names of the scores."""
    places: tuple[tuple[str, str | None], ...]
    """For each score the name of its measure and the average; None for a measure that has only one score."""
    values_of_names: list[Any]
    """The score of each name."""
    measures: tuple[str, ...]
    """The names of the measures that have a value for each class."""
    values_of_measures: list[Any]
    """For each of these measures the values of the classes, shape (n_classes,)."""
    support: Any
    """How many samples have each class, or their weight, shape (n_classes,)."""
    classes: Any
    """The name of each class."""

    @property
    def per_class(self) -> Mapping[str, Any]:
        """The values of the classes, shape (n_classes,), by the name of each measure that has such values."""
        return _OfClasses(dict(zip(self.measures, self.values_of_measures, strict=True)))

    def __getitem__(self, name: Any) -> Any:
        for known in (name, self._full(name)):
            if known in self.names:
                return self.values_of_names[self.names.index(known)]
        raise KeyError(name)

    def _full(self, name: Any) -> Any:
        """The name of a score, of any that its measure has, with the average at its end."""
        if not isinstance(name, str):
            return name
        ends = (f"_{average}" for _, average in self.places if average is not None)
        end = next((x for x in ends if name.lower().endswith(x)), "")
        return canonical(name[: len(name) - len(end)]) + end

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        if isinstance(other, MultilabelScores) and not self._has_classes_of(other):
            return False
        return set(self) == set(other) and all(equal(score, other[name]) for name, score in self.items())

    def _has_classes_of(self, other: MultilabelScores) -> bool:
        """Whether the classes are the same, and their values."""
        own, others = self.per_class, other.per_class
        return (
            list(self.classes) == list(other.classes)
            and equal(self.support, other.support)
            and set(own) == set(others)
            and all(equal(own[name], others[name]) for name in own)
        )

    def _tables(self) -> Sequence[Printable]:
        n_classes, half = len(self.classes), _MOST_CLASSES // 2
        shown: list[int | None] = [*range(n_classes)]
        if n_classes > _MOST_CLASSES:
            shown = [*range(half), None, *range(n_classes - half, n_classes)]
        names = ["..." if i is None else readable_name(self.classes[i]) for i in shown]
        columns = self._columns(lambda values: _cell_texts(values, shown), score_line, "")
        rows = list(map(list, zip([*names, *self._rows_of_averages()], *columns.values(), strict=True)))
        tables = [TextTable(["", *columns], rows)] if self.measures else []
        if len(self.classes) >= FEWEST_SPREAD:
            tables += self._spread_table()
        single = [[name, score_line(score)] for name, score in self.single.items()]
        return [*tables, TextTable(["", ""], single)] if single else tables

    def _spread_table(self) -> list[TextTable]:
        """How far the values of the classes lie apart, a row for each measure; none inside a compiled graph."""
        rows = []
        with contextlib.suppress(TypeError, RuntimeError):
            for measure in self.measures:
                mean, deviation, least, worst, most, best, _ = self.spread(measure)
                labels = ["" if x is None or least == most else readable_name(x) for x in (worst, best)]
                numbers = map(number_text, (mean, deviation, least, most))
                rows.append([measure, *numbers, *labels])
        heads = ["of the classes", "mean", "sd", "least", "most", "least of", "most of"]
        return [TextTable(heads, rows, (0, 5, 6))] if rows else []

    def spread(self, name: str) -> ScoreSpread:
        """The mean of the values of the classes of a measure, their standard deviation, the lowest and the highest.

        It copies them to the host. The classes count the same, and those without a value (NaN) are left out. Raises
        ValueError for a measure that is not there, or that has no values of the classes.
        """
        own = self.per_class
        if name not in own:
            raise ValueError(f"name must be one of {', '.join(own) or 'no measures'}, got {name!r}")
        return spread_of(self.classes, own[name])

    def to_dict(self) -> dict[str, Any]:
        """The scores as Python numbers (copies to the host), without the values of the classes (:attr:`per_class`)."""
        return {name: plain(score) for name, score in self.items()}

    def to_pandas(self) -> Any:
        """The whole table as a pandas DataFrame (copies to the host).

        It has a row for each class and for each average, a column for each measure, and the column ``support``. A value
        is missing where a measure does not have the average. A measure with only one score has a column, too, with its
        score in the last row, "score".
        """
        with require_extra("to_pandas()", "pandas"):
            import pandas as pd

        columns = self._columns(plain, plain, None)
        rows = [*self.classes, *self._rows_of_averages(*["score"] * bool(self.single))]
        if self.single:
            missing = [None] * (len(rows) - 1)
            columns = {name: [*cells, None] for name, cells in columns.items()}
            columns |= {name: [*missing, plain(score)] for name, score in self.single.items()}
        support = columns.pop("support")
        is_real = any(isinstance(x, float) for x in support)
        index, names = (pandas_index(pd, x, tupleize_cols=False) for x in (rows, list(columns)))
        table = pd.DataFrame(columns, index=index, columns=names, dtype="float64")
        table["support"] = pd.array(support, dtype="Float64" if is_real else "Int64")
        return table

    @property
    def averages(self) -> tuple[str, ...]:
        """The averages that the scores have."""
        return tuple(dict.fromkeys(average for _, average in self.places if average is not None))

    def _rows_of_averages(self, *others: str) -> list[str]:
        """What rows below those of the classes are called: otherwise than a class."""
        classes = set(map(readable_name, self.classes))
        return [f"{name} (of all)" if name in classes else name for name in (*self.averages, *others)]

    @property
    def single(self) -> dict[str, Any]:
        """The scores of the measures that have only one score."""
        scores = zip(self.names, self.places, self.values_of_names, strict=True)
        return {name: score for name, (_, average), score in scores if average is None}

    def for_tree(self) -> MultilabelScores:
        """The scores that are taken apart into a tree: with the names of the classes in a tuple, which is no array."""
        return self if isinstance(self.classes, range) else replace(self, classes=tuple(self.classes))

    @classmethod
    def of_measures(
        cls,
        asked: Mapping[str, MultilabelRequest],
        names: Mapping[str, tuple[str, str | None]],
        value: Callable[[str, str | None], Array],
        support: Array,
        classes: Sequence[Any],
        given: Array,
    ) -> MultilabelScores:
        """The scores of some names, each with its measure and average, as ``score_names`` gives them.

        ``value`` finds the score of a measure and an average, None for the values of the classes, or for the one score
        of a measure that has no others; these go to the library and the device of ``given``.
        """
        measures = tuple(name for name, one in asked.items() if one.definition.averages)
        return cls(
            tuple(names),
            tuple(names.values()),
            [as_result(value(*place), given) for place in names.values()],
            measures,
            [as_result(value(name, None), given) for name in measures],
            as_result(support, given),
            classes,
        )

    def _columns(
        self, of_classes: Callable[[Any], list[Any]], of_score: Callable[[Any], Any], missing: Any
    ) -> dict[str, list[Any]]:
        """For each measure with values of the classes the cells of these, and of each average; then the support."""
        scores = dict(zip(self.places, self.values_of_names, strict=True))
        columns = {}
        for measure, values in zip(self.measures, self.values_of_measures, strict=True):
            places = [(measure, average) for average in self.averages]
            columns[measure] = of_classes(values) + [of_score(scores[x]) if x in scores else missing for x in places]
        return columns | {"support": of_classes(self.support) + [missing] * len(self.averages)}


def _cell_texts(values: Any, shown: Sequence[int | None]) -> list[str]:
    """Values of some classes, and dots for None; of arrays without values yet, inside jax.jit, what they say."""
    with contextlib.suppress(TypeError, RuntimeError):
        values = to_host(values)
    return ["..." if i is None else score_line(values[..., i]) for i in shown]
