"""Several labels for each sample: measures of predicted labels, scores and probabilities, by class and on average."""

# Written by .ci/stubs.py.

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from gpuval.evaluation.multilabel.accumulator import MultilabelAccumulator as MultilabelAccumulator
from gpuval.evaluation.multilabel.result import MultilabelScores as MultilabelScores
from gpuval.metrics.multilabel.label_counts import LabelCounts as LabelCounts
from gpuval.metrics.multilabel.thresholds import predicted_labels as predicted_labels

__all__ = [
    "LabelCounts",
    "MultilabelAccumulator",
    "MultilabelScores",
    "average_precision_score",
    "balanced_accuracy_score",
    "evaluate",
    "f_score",
    "hamming_loss",
    "log_loss",
    "macro_average_probability_rate",
    "mean_absolute_error",
    "mean_probability_rate",
    "mean_squared_error",
    "precision_score",
    "predicted_labels",
    "recall_score",
    "roc_auc_score",
]

def average_precision_score(
    y_true: Any,
    y_score: Any,
    *,
    average: Literal["macro", "weighted", "micro", "samples", None] = "macro",
    mask: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "nan",
) -> Any:
    """Mean over the samples that have a class of the precision at the threshold of each.

    The sum over the thresholds k, which are the different scores from the largest on, of (R_k - R_(k-1)) P_k, with the
    precision P_k and the recall R_k of the samples that score at least as high ([1]_, not checked against the text).
    Samples of equal scores stand at one threshold. Higher is better, 1 where all that have the class score above all
    others; above 0, and near the share of samples that have the class for scores that say nothing. Only the order of
    the scores counts: they are never transformed.

    Parameters
    ----------
    y_true
        The labels: a matrix of 0 and 1, shape (n_samples, n_classes); or a vector, of one class, or, with a matrix
        ``y_score``, of the class of each sample, an integer from 0 to below n_classes.
    y_score
        The score of each class, any real number but NaN, of shape (n_samples, n_classes), or
        (n_samples,) for one class; of the same library and on the same device.
    average
        "macro", the mean over the classes; "weighted", that mean weighted by how many samples have each class; "micro",
        the value of all entries at once; "samples", the mean over the samples of the value of each; None, for the value
        of each class.
    mask
        Which labels are known, booleans of the shape of ``y_true``: the others do not count.
    sample_weight
        Weights, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1, of labels that do not count.
    on_undefined
        What 0/0 is, by default "nan": "zero", "one", "nan", or "skip", to leave it out of means.

    Returns
    -------
    score
        In the library and on the device of ``y_true``; with ``average=None`` shape (n_classes,). No unit.

    References
    ----------
    .. [1] C. D. Manning, P. Raghavan and H. Schütze, "Introduction to Information Retrieval", 2008.
    """

def balanced_accuracy_score(
    y_true: Any,
    y_pred: Any = None,
    *,
    definition: Literal[
        "recall", "min_precision_recall", "min_recall_specificity", "mean_recall_specificity"
    ] = "recall",
    adjusted: bool = False,
    mask: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "skip",
) -> Any:
    """Mean over the classes of how right the predictions are of each, so that large classes count no more than small.

    With the precision P, the recall R and the specificity S = TN / (TN + FP) of a class, the mean of R ([1]_, not
    checked against the text), of min(P, R) ([2]_, not checked against the text), of min(R, S) ([3]_, not checked
    against the text), or of (R + S)/2 ([4]_, not checked against the text). Higher is better, 1 where all labels are
    right; from 0 to 1.

    Parameters
    ----------
    y_true
        The labels: a matrix of 0 and 1, shape (n_samples, n_classes); or one label for each sample, shape (n_samples,),
        of any kind that :meth:`gpuval.Contingency.from_labels` takes; or a :class:`LabelCounts` in place of all that
        it is made of. Dask may hold them, with whole rows in each block.
    y_pred
        The predicted labels, of the same shape, library and device.
    definition
        "recall", that of scikit-learn and for two classes the mean of sensitivity and specificity;
        "min_precision_recall", known as class balance accuracy; "min_recall_specificity"; or "mean_recall_specificity".
    adjusted
        Whether the mean recall is to be 0 for predictions by chance, (R - 1/k) / (1 - 1/k) of the k classes that occur:
        from -1/(k - 1) to 1. Only for ``definition="recall"``, of one label for each sample.
    mask
        Which labels are known, booleans of the shape of ``y_true``: the others do not count.
    sample_weight
        Weights, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1, of labels that do not count.
    n_classes
        The number of classes where ``y_true`` has one label for each sample, from 0 to below it: with it nothing leaves
        the device to find it out, and what is wrong there makes the score NaN.
    on_undefined
        What 0/0 is, by default "skip": "zero", "one", "nan", or "skip", to leave it out of means.

    Returns
    -------
    score
        A number in the library and on the device of the labels. No unit.

    References
    ----------
    .. [1] K. H. Brodersen, C. S. Ong, K. E. Stephan and J. M. Buhmann, "The balanced accuracy and its posterior
       distribution", ICPR 2010.
    .. [2] L. Mosley, "A balanced approach to the multi-class imbalance problem", dissertation, Iowa State University,
       2013.
    .. [3] A. Dyakonov, "Loss functions and quality functionals, part 3: multi-class problems, ranking, clustering",
       lecture, 2020.
    .. [4] R. J. Urbanowicz and J. H. Moore, "ExSTraCS 2.0: description and evaluation of a scalable learning classifier
       system", Evolutionary Intelligence 8, 2015.
    """

def evaluate(
    y_true: Any,
    y_score: Any = None,
    y_pred: Any = None,
    *,
    metrics: str
    | Callable[..., Any]
    | Iterable[str | Callable[..., Any]]
    | Mapping[str, str | Callable[..., Any]]
    | None = None,
    averages: Literal["macro", "weighted", "micro", "samples", "geometric", "macro_of_means"]
    | Iterable[Literal["macro", "weighted", "micro", "samples", "geometric", "macro_of_means"]]
    | None = None,
    threshold: Any = 0.5,
    at_least_one: bool = False,
    mask: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] | None = None,
    classes: Any = None,
) -> MultilabelScores:
    """Evaluate many measures of labels and what is predicted of them, for each class and on average.

    Labels and predictions are read and counted once, and the values of the classes are found once for all averages.

    Parameters
    ----------
    y_true
        The labels: a matrix of 0 and 1, shape (n_samples, n_classes); or a vector, of one class, or, with a matrix
        ``y_score``, of the class of each sample, an integer from 0 to below n_classes; or, without ``y_score``, one
        label of any kind for each sample. Or a :class:`LabelCounts` in place of all that it is made of.
    y_score
        The score of each class, of shape (n_samples, n_classes), or (n_samples,) for one class; of the same library and
        on the same device. Measures of probabilities take them from 0 to 1.
    y_pred
        The predicted labels, of the shape of ``y_true``; by default those that :func:`predicted_labels` gives.
    metrics
        Names of measures of :mod:`gpuval.multilabel`, full, without "_score", or short (below), in any case, where "f2"
        is F with ``beta=2``; or functions: such a measure, or a ``functools.partial`` of it with its options. A mapping
        names them anew. By default "precision", "recall", "f1", "roc_auc", "average_precision" and "hamming_loss", and
        "all" stands for all measures: of both, those that can be found of what is given.
    averages
        Which averages each measure has, if it has them: "macro", "weighted", "micro", "samples", "geometric" and
        "macro_of_means". By default the first four, without "samples" where there are no rows.
    threshold, at_least_one
        How labels are predicted where there is no ``y_pred``: as by :func:`predicted_labels`.
    n_classes
        The number of classes where ``y_true`` and ``y_pred`` have one label for each sample, from 0 to below it: with
        it nothing leaves the device to find it out.
    on_undefined
        What 0/0 is: "zero", "one", "nan", or "skip", to leave it out of means. By default as each measure has it.
    classes
        A name for each class; by default the columns of a data frame, the labels of vectors, or numbers from 0.
    mask
        Which labels are known, booleans of the shape of ``y_true``: the others do not count.
    sample_weight
        Weights, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1, of labels that do not count.

    Returns
    -------
    MultilabelScores
        A mapping from names such as "f1_macro" to scores, each in the library and on the device of ``y_true``; with
        ``per_class``, the values of the classes, and ``support``, how many samples have each class.
    """

def f_score(
    y_true: Any,
    y_pred: Any = None,
    *,
    average: Literal["macro", "weighted", "micro", "samples", "geometric", "macro_of_means", None] = "macro",
    beta: float = 1.0,
    mask: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
) -> Any:
    """Weighted harmonic mean of the precision and the recall of a class.

    (1 + beta^2) TP / ((1 + beta^2) TP + beta^2 FN + FP), of the true positives, the false negatives and the false
    positives of a class ([1]_, not checked against the text). Higher is better, 1 where all labels are right; from 0 to
    1. Symmetric for ``beta=1``.

    Parameters
    ----------
    y_true
        The labels: a matrix of 0 and 1, shape (n_samples, n_classes); or one label for each sample, shape (n_samples,),
        of any kind that :meth:`gpuval.Contingency.from_labels` takes; or a :class:`LabelCounts` in place of all that
        it is made of. Dask may hold them, with whole rows in each block.
    y_pred
        The predicted labels, of the same shape, library and device.
    average
        "macro", the mean over the classes; "weighted", that mean weighted by how many samples have each class; "micro",
        the value of all entries at once; "samples", the mean over the samples of the value of each; "geometric", their
        geometric mean; "macro_of_means", the value of the mean precision and the mean recall; None, for the value of
        each class.
    beta
        How many times as important recall is as precision, from 0 for the precision to infinity for the recall.
    mask
        Which labels are known, booleans of the shape of ``y_true``: the others do not count.
    sample_weight
        Weights, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1, of labels that do not count.
    n_classes
        The number of classes where ``y_true`` has one label for each sample, from 0 to below it: with it nothing leaves
        the device to find it out, and what is wrong there makes the score NaN.
    on_undefined
        What 0/0 is, by default "zero": "zero", "one", "nan", or "skip", to leave it out of means.

    Returns
    -------
    score
        In the library and on the device of the labels; with ``average=None`` shape (n_classes,). No unit.

    References
    ----------
    .. [1] C. J. van Rijsbergen, "Information Retrieval", 2nd edition, 1979.
    .. [2] J. Opitz and S. Burst, "Macro F1 and Macro F1", arXiv:1911.03347, 2019.
    """

def hamming_loss(
    y_true: Any,
    y_pred: Any = None,
    *,
    average: Literal["macro", "weighted", "micro", "samples", None] = "micro",
    mask: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
) -> Any:
    """Share of the labels that are wrong.

    (FP + FN) / (TP + FP + FN + TN), by default of all labels of all samples ([1]_, not checked against the text); of
    one label for each sample the share of the samples whose label is wrong. Lower is better, 0 where all labels are
    right; from 0 to 1. Symmetric.

    Parameters
    ----------
    y_true
        The labels: a matrix of 0 and 1, shape (n_samples, n_classes); or one label for each sample, shape (n_samples,),
        of any kind that :meth:`gpuval.Contingency.from_labels` takes; or a :class:`LabelCounts` in place of all that
        it is made of. Dask may hold them, with whole rows in each block.
    y_pred
        The predicted labels, of the same shape, library and device.
    average
        "macro", the mean over the classes; "weighted", that mean weighted by how many samples have each class; "micro",
        the value of all entries at once; "samples", the mean over the samples of the value of each; None, for the value
        of each class.
    mask
        Which labels are known, booleans of the shape of ``y_true``: the others do not count.
    sample_weight
        Weights, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1, of labels that do not count.
    n_classes
        The number of classes where ``y_true`` has one label for each sample, from 0 to below it: with it nothing leaves
        the device to find it out, and what is wrong there makes the score NaN.
    on_undefined
        What 0/0 is, by default "zero": "zero", "one", "nan", or "skip", to leave it out of means.

    Returns
    -------
    loss
        In the library and on the device of the labels; with ``average=None`` shape (n_classes,). No unit.

    References
    ----------
    .. [1] G. Tsoumakas and I. Katakis, "Multi-label classification: an overview", International Journal of Data
       Warehousing and Mining 3, 2007.
    """

def log_loss(
    y_true: Any,
    y_score: Any,
    *,
    form: Literal["categorical", "binary"] = "categorical",
    from_logits: bool = False,
    eps: float | Literal["auto"] = "auto",
    mask: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "nan",
) -> Any:
    """Mean logarithm of the probabilities that labels were given, negative.

    -(1/m) sum_ij y_ij log a_ij, of m samples i and their labels j ([1]_, not checked against the text):
    the cross-entropy of one label for each sample. With several labels for a sample it says nothing of those that the
    sample does not have, so that raising all probabilities lowers it; the mean over all entries of
    -(y log a + (1 - y) log(1 - a)), ``form="binary"``, does. Lower is better, 0 where all labels have the probability
    1; not negative. In nats.

    Parameters
    ----------
    y_true
        The labels: a matrix of 0 and 1, shape (n_samples, n_classes); or a vector, of one class, or, with a matrix
        ``y_score``, of the class of each sample, an integer from 0 to below n_classes. Dask may hold
        them, with whole rows in each block.
    y_score
        The score of each class, a probability from 0 to 1, of shape (n_samples, n_classes), or
        (n_samples,) for one class; of the same library and on the same device.
    form
        "categorical" or "binary"; of one column, as of vectors, it is "binary" in any case.
    from_logits
        Whether ``y_score`` holds logits: finite numbers, whose softmax over the classes that count, or in the binary
        form whose sigmoid, are the probabilities. The logarithms are found without these, so that none is that of 0.
    eps
        Probabilities are taken to be from ``eps`` to 1 - ``eps``: by default the machine epsilon of the type of the
        scores, of half precision that of 32 bits. With 0 the loss of a label that was given the probability 0 is
        infinite.
    mask
        Which labels are known, booleans of the shape of ``y_true``: the others do not count.
    sample_weight
        Weights, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1, of labels that do not count.
    on_undefined
        What 0/0 is, by default "nan": "zero", "one", "nan", or "skip", to leave it out of means.

    Returns
    -------
    loss
        A number in the library and on the device of ``y_true``.

    References
    ----------
    .. [1] C. M. Bishop, "Pattern Recognition and Machine Learning", 2006.
    """

def macro_average_probability_rate(
    y_true: Any,
    y_score: Any,
    *,
    mask: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "skip",
) -> Any:
    """Mean over the classes of the mean probability that samples with the class were given it.

    The mean over the classes j of sum_i y_ij a_ij / sum_i y_ij ([1]_, not checked against the text). Higher is better,
    1 where all labels have the probability 1; from 0 to 1.

    Parameters
    ----------
    y_true
        The labels: a matrix of 0 and 1, shape (n_samples, n_classes); or a vector, of one class, or, with a matrix
        ``y_score``, of the class of each sample, an integer from 0 to below n_classes. Dask may hold
        them, with whole rows in each block.
    y_score
        The score of each class, a probability from 0 to 1, of shape (n_samples, n_classes), or
        (n_samples,) for one class; of the same library and on the same device.
    mask
        Which labels are known, booleans of the shape of ``y_true``: the others do not count.
    sample_weight
        Weights, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1, of labels that do not count.
    on_undefined
        What 0/0 is, by default "skip": "zero", "one", "nan", or "skip", to leave it out of means.

    Returns
    -------
    score
        A number in the library and on the device of ``y_true``. No unit.

    References
    ----------
    .. [1] C. Ferri, J. Hernández-Orallo and R. Modroiu, "An experimental comparison of performance measures for
       classification", Pattern Recognition Letters 30, 2009.
    """

def mean_absolute_error(
    y_true: Any,
    y_score: Any,
    *,
    average: Literal["macro", "weighted", "micro", "samples", None] = "micro",
    mask: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
) -> Any:
    """Mean of the absolute differences of labels and scores.

    The mean of abs(y - a) over the entries, by default all of them ([1]_, not checked against the text). Lower is
    better, 0 where scores are the labels; not negative. The unit is that of the scores.

    Parameters
    ----------
    y_true
        The labels: a matrix of 0 and 1, shape (n_samples, n_classes); or a vector, of one class, or, with a matrix
        ``y_score``, of the class of each sample, an integer from 0 to below n_classes. Dask may hold
        them, with whole rows in each block.
    y_score
        The score of each class, any finite number, of shape (n_samples, n_classes), or
        (n_samples,) for one class; of the same library and on the same device.
    average
        "macro", the mean over the classes; "weighted", that mean weighted by how many samples have each class; "micro",
        the value of all entries at once; "samples", the mean over the samples of the value of each; None, for the value
        of each class.
    mask
        Which labels are known, booleans of the shape of ``y_true``: the others do not count.
    sample_weight
        Weights, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1, of labels that do not count.
    on_undefined
        What 0/0 is, by default "zero": "zero", "one", "nan", or "skip", to leave it out of means.

    Returns
    -------
    loss
        In the library and on the device of ``y_true``; with ``average=None`` shape (n_classes,).

    References
    ----------
    .. [1] C. Ferri, J. Hernández-Orallo and R. Modroiu, "An experimental comparison of performance measures for
       classification", Pattern Recognition Letters 30, 2009.
    """

def mean_probability_rate(
    y_true: Any,
    y_score: Any,
    *,
    mask: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "nan",
) -> Any:
    """Mean over the samples of the probabilities that their labels were given.

    (1/m) sum_ij y_ij a_ij, of m samples i and their labels j ([1]_, not checked against the text). Of one label for
    each sample from 0 to 1, and higher is better, 1 where all labels have the probability 1; a sample of several labels
    has the sum of their probabilities.

    Parameters
    ----------
    y_true
        The labels: a matrix of 0 and 1, shape (n_samples, n_classes); or a vector, of one class, or, with a matrix
        ``y_score``, of the class of each sample, an integer from 0 to below n_classes. Dask may hold
        them, with whole rows in each block.
    y_score
        The score of each class, a probability from 0 to 1, of shape (n_samples, n_classes), or
        (n_samples,) for one class; of the same library and on the same device.
    mask
        Which labels are known, booleans of the shape of ``y_true``: the others do not count.
    sample_weight
        Weights, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1, of labels that do not count.
    on_undefined
        What 0/0 is, by default "nan": "zero", "one", "nan", or "skip", to leave it out of means.

    Returns
    -------
    score
        A number in the library and on the device of ``y_true``. No unit.

    References
    ----------
    .. [1] C. Ferri, J. Hernández-Orallo and R. Modroiu, "An experimental comparison of performance measures for
       classification", Pattern Recognition Letters 30, 2009.
    """

def mean_squared_error(
    y_true: Any,
    y_score: Any,
    *,
    average: Literal["macro", "weighted", "micro", "samples", None] = "micro",
    mask: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
) -> Any:
    """Mean of the squared differences of labels and scores.

    The mean of (y - a)^2 over the entries, by default all of them ([1]_, not checked against the text). Of
    probabilities it is the Brier score. Lower is better, 0 where scores are the labels; not negative. The unit is that
    of the scores, squared.

    Parameters
    ----------
    y_true
        The labels: a matrix of 0 and 1, shape (n_samples, n_classes); or a vector, of one class, or, with a matrix
        ``y_score``, of the class of each sample, an integer from 0 to below n_classes. Dask may hold
        them, with whole rows in each block.
    y_score
        The score of each class, any finite number, of shape (n_samples, n_classes), or
        (n_samples,) for one class; of the same library and on the same device.
    average
        "macro", the mean over the classes; "weighted", that mean weighted by how many samples have each class; "micro",
        the value of all entries at once; "samples", the mean over the samples of the value of each; None, for the value
        of each class.
    mask
        Which labels are known, booleans of the shape of ``y_true``: the others do not count.
    sample_weight
        Weights, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1, of labels that do not count.
    on_undefined
        What 0/0 is, by default "zero": "zero", "one", "nan", or "skip", to leave it out of means.

    Returns
    -------
    loss
        In the library and on the device of ``y_true``; with ``average=None`` shape (n_classes,).

    References
    ----------
    .. [1] G. W. Brier, "Verification of forecasts expressed in terms of probability", Monthly Weather Review 78, 1950.
    """

def precision_score(
    y_true: Any,
    y_pred: Any = None,
    *,
    average: Literal["macro", "weighted", "micro", "samples", "geometric", None] = "macro",
    mask: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
) -> Any:
    """Share of the samples that are predicted to have a class that have it.

    TP / (TP + FP), of the true and the false positives of a class ([1]_, not checked against the text). Higher is
    better, 1 where all that are predicted have the class; from 0 to 1. Exchanged labels and predictions give
    :func:`recall_score`.

    Parameters
    ----------
    y_true
        The labels: a matrix of 0 and 1, shape (n_samples, n_classes); or one label for each sample, shape (n_samples,),
        of any kind that :meth:`gpuval.Contingency.from_labels` takes; or a :class:`LabelCounts` in place of all that
        it is made of. Dask may hold them, with whole rows in each block.
    y_pred
        The predicted labels, of the same shape, library and device.
    average
        "macro", the mean over the classes; "weighted", that mean weighted by how many samples have each class; "micro",
        the value of all entries at once; "samples", the mean over the samples of the value of each; "geometric", their
        geometric mean; None, for the value of each class.
    mask
        Which labels are known, booleans of the shape of ``y_true``: the others do not count.
    sample_weight
        Weights, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1, of labels that do not count.
    n_classes
        The number of classes where ``y_true`` has one label for each sample, from 0 to below it: with it nothing leaves
        the device to find it out, and what is wrong there makes the score NaN.
    on_undefined
        What 0/0 is, by default "zero": "zero", "one", "nan", or "skip", to leave it out of means.

    Returns
    -------
    score
        In the library and on the device of the labels; with ``average=None`` shape (n_classes,). No unit.

    References
    ----------
    .. [1] C. J. van Rijsbergen, "Information Retrieval", 2nd edition, 1979.
    """

def recall_score(
    y_true: Any,
    y_pred: Any = None,
    *,
    average: Literal["macro", "weighted", "micro", "samples", "geometric", None] = "macro",
    mask: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "zero",
) -> Any:
    """Share of the samples that have a class that are predicted to have it.

    TP / (TP + FN), of the true positives and the false negatives of a class ([1]_, not checked against the text).
    Higher is better, 1 where all that have the class are found; from 0 to 1. Exchanged labels and predictions give
    :func:`precision_score`.

    Parameters
    ----------
    y_true
        The labels: a matrix of 0 and 1, shape (n_samples, n_classes); or one label for each sample, shape (n_samples,),
        of any kind that :meth:`gpuval.Contingency.from_labels` takes; or a :class:`LabelCounts` in place of all that
        it is made of. Dask may hold them, with whole rows in each block.
    y_pred
        The predicted labels, of the same shape, library and device.
    average
        "macro", the mean over the classes; "weighted", that mean weighted by how many samples have each class; "micro",
        the value of all entries at once; "samples", the mean over the samples of the value of each; "geometric", their
        geometric mean; None, for the value of each class.
    mask
        Which labels are known, booleans of the shape of ``y_true``: the others do not count.
    sample_weight
        Weights, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1, of labels that do not count.
    n_classes
        The number of classes where ``y_true`` has one label for each sample, from 0 to below it: with it nothing leaves
        the device to find it out, and what is wrong there makes the score NaN.
    on_undefined
        What 0/0 is, by default "zero": "zero", "one", "nan", or "skip", to leave it out of means.

    Returns
    -------
    score
        In the library and on the device of the labels; with ``average=None`` shape (n_classes,). No unit.

    References
    ----------
    .. [1] C. J. van Rijsbergen, "Information Retrieval", 2nd edition, 1979.
    """

def roc_auc_score(
    y_true: Any,
    y_score: Any,
    *,
    average: Literal["macro", "weighted", "micro", "samples", None] = "macro",
    mask: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    on_undefined: Literal["zero", "one", "nan", "skip"] = "nan",
) -> Any:
    """Area under the ROC curve: the chance that of two samples the one with the class has the larger score.

    (C + T/2) / (P N), of the P samples that have the class and the N that do not, the C pairs of both kinds of which
    the one with the class has the larger score, and the T pairs of equal scores ([1]_, not checked against the text);
    samples count by their weights. Higher is better, 1 where all that have the class score above all others; from 0 to
    1, and 1/2 for scores that say nothing. Only the order of the scores counts: they are never transformed.

    Parameters
    ----------
    y_true
        The labels: a matrix of 0 and 1, shape (n_samples, n_classes); or a vector, of one class, or, with a matrix
        ``y_score``, of the class of each sample, an integer from 0 to below n_classes.
    y_score
        The score of each class, any real number but NaN, of shape (n_samples, n_classes), or
        (n_samples,) for one class; of the same library and on the same device.
    average
        "macro", the mean over the classes; "weighted", that mean weighted by how many samples have each class; "micro",
        the value of all entries at once; "samples", the mean over the samples of the value of each; None, for the value
        of each class.
    mask
        Which labels are known, booleans of the shape of ``y_true``: the others do not count.
    sample_weight
        Weights, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1, of labels that do not count.
    on_undefined
        What 0/0 is, by default "nan": "zero", "one", "nan", or "skip", to leave it out of means.

    Returns
    -------
    score
        In the library and on the device of ``y_true``; with ``average=None`` shape (n_classes,). No unit.

    References
    ----------
    .. [1] J. A. Hanley and B. J. McNeil, "The meaning and use of the area under a receiver operating characteristic
       (ROC) curve", Radiology 143, 1982.
    """
