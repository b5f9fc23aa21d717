"""Several measures of labels and predictions, which are read and counted only once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from gpuval.evaluation._common.names import is_all
from gpuval.evaluation.multilabel.names import (
    AskedLabelMeasure,
    Averages,
    MultilabelMetrics,
    names_of_probabilities,
    read_averages,
    read_multilabel_metrics,
    score_names,
)
from gpuval.evaluation.multilabel.result import MultilabelScores
from gpuval.inputs.strings import is_hashable
from gpuval.metrics._common.documents import documented
from gpuval.metrics._common.options import OnUndefined, check_on_undefined
from gpuval.metrics.multilabel._labels.counts import COUNTS
from gpuval.metrics.multilabel._labels.entries import is_vector
from gpuval.metrics.multilabel._measures.blocks import OfBlocks, are_in_blocks, found_in_blocks
from gpuval.metrics.multilabel._measures.given import GivenLabels
from gpuval.metrics.multilabel._measures.public import COMMON_OF_LABELS
from gpuval.metrics.multilabel.label_counts import LabelCounts

__all__ = ["evaluate"]


@documented("", COMMON_OF_LABELS)
def evaluate(
    y_true: Any,
    y_score: Any = None,
    y_pred: Any = None,
    *,
    metrics: MultilabelMetrics = None,
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
        class; or a vector of 0 and 1, for one class; or, with a matrix ``y_score``, a vector with the class of each
        sample, an integer from 0 to n_classes - 1; or, without ``y_score``, one label of any type for each sample. Or a
        :class:`LabelCounts`, which replaces all the arguments that it was made of.
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
        How scores become predicted labels if there is no ``y_pred``, as for :func:`predicted_labels`.
    n_classes
        The number of classes, if ``y_true`` and ``y_pred`` are vectors of integers from 0 to ``n_classes - 1``. Nothing
        then leaves the device to find this number out.
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

    The short names of measures:

    ========================  ==============================
    short                     measure
    ========================  ==============================
    precision, recall         precision_score, recall_score
    f1, f2, f0.5              f_score, of such a beta
    auc, roc_auc              roc_auc_score
    ap, average_precision     average_precision_score
    balanced_accuracy         balanced_accuracy_score
    hamming                   hamming_loss
    mse, brier                mean_squared_error
    mae                       mean_absolute_error
    mpr                       mean_probability_rate
    mapr                      macro_average_probability_rate
    ========================  ==============================

    Examples
    --------
    >>> from gpuval import multilabel
    >>> labels = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]]
    >>> scores = [[0.75, 0, 0.25], [0, 0.5, 0.25], [0.25, 1, 0.25], [0, 0.25, 0.75]]
    >>> found = multilabel.evaluate(labels, scores, classes=["cat", "dog", "owl"])
    >>> found
              precision  recall      f1  roc_auc
    cat          1.0000  0.5000  0.6667   0.6250
    dog          0.5000  0.5000  0.5000   0.5000
    owl          0.0000  0.0000  0.0000   0.3333
    macro        0.5000  0.3333  0.3889   0.4861
    weighted     0.6000  0.4000  0.4667   0.5167
    micro        0.5000  0.4000  0.4444   0.5286
    samples      0.5000  0.5000  0.5000   0.5625
    <BLANKLINE>
              average_precision  hamming_loss  support
    cat                  0.7500        0.2500        2
    dog                  0.5833        0.5000        2
    owl                  0.2500        0.5000        1
    macro                0.5278        0.4167
    weighted             0.5833        0.4000
    micro                0.4278        0.4167
    samples              0.7292        0.4167
    >>> float(found["roc_auc_samples"])
    0.5625
    >>> found.per_class["precision"].tolist()
    [1.0, 0.5, 0.0]

    Other measures and averages, for predicted labels without scores:

    >>> multilabel.evaluate(["cat", "dog", "cat"], y_pred=["cat", "cat", "cat"], metrics=["f1", "f2"], averages="macro")
               f1      f2  support
    cat    0.8000  0.9091        2
    dog    0.0000  0.0000        1
    macro  0.4000  0.4545
    """
    if on_undefined is not None:
        check_on_undefined(on_undefined)
    if y_score is None and y_pred is None and not isinstance(y_true, LabelCounts):
        raise TypeError("y_score or y_pred must be given, got neither")
    if n_classes is not None and y_score is not None:
        raise TypeError(f"n_classes must be left out where y_score says how many there are, got {n_classes!r}")
    in_blocks = are_in_blocks(y_true, y_score, y_pred)
    asked = _found_of(read_multilabel_metrics(metrics), metrics, y_true, y_score, in_blocks=in_blocks)
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
    found: GivenLabels | OfBlocks
    if in_blocks:
        of_samples = [wanted[name] for name, average in names.values() if average == "samples"]
        found = found_in_blocks(tuple(wanted.values()), of_samples, given)
    else:
        found = GivenLabels(**given)
        for one in wanted.values():
            found.read(one)
    return MultilabelScores.of_measures(
        asked,
        names,
        lambda name, average: found.score(wanted[name], average),
        found.support,
        _names_of_classes(classes, found.classes, y_true, y_score, y_pred),
        found.given,
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


def _found_of(
    asked: dict[str, AskedLabelMeasure], metrics: MultilabelMetrics, y_true: Any, y_score: Any, *, in_blocks: bool
) -> dict[str, AskedLabelMeasure]:
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


def _has_rows(one: AskedLabelMeasure, y_true: Any, y_score: Any, y_pred: Any) -> bool:
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
