"""Measures of classification where a sample may have several labels (or one of several classes).

Each measure takes the true labels ``y_true``, a matrix of 0 and 1 with a row for each sample and a column for each
class, dense or sparse, or label sets; and either predicted labels ``y_pred`` or scores ``y_score``. ``average`` says
how the values of the classes become one score: "macro", "micro", "weighted", "samples", or None for the value of each
class. :func:`evaluate` computes several measures and averages at once:

- of predicted labels: :func:`precision_score`, :func:`recall_score`, :func:`f_score` (F1),
  :func:`balanced_accuracy_score` and :func:`hamming_loss`; :func:`predicted_labels` turns scores into labels;
- of the order of scores: :func:`roc_auc_score` (AUC) and :func:`average_precision_score` (AP);
- of probabilities: :func:`log_loss`, :func:`mean_squared_error` (Brier score), :func:`mean_absolute_error`,
  :func:`mean_probability_rate` and :func:`macro_average_probability_rate`.

:class:`LabelCounts` holds counts for several calls, and :class:`MultilabelAccumulator` takes batches.

Examples
--------
>>> from gpuval import multilabel
>>> labels, predicted = [[1, 0], [1, 1], [0, 1]], [[1, 0], [0, 1], [1, 1]]
>>> float(multilabel.precision_score(labels, predicted))
0.75
"""

# Written by .ci/generate.py.

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

from gpuval.multilabel.accumulator import MultilabelAccumulator as MultilabelAccumulator
from gpuval.multilabel.counts import LabelCounts as LabelCounts
from gpuval.multilabel.evaluation import MultilabelScores as MultilabelScores
from gpuval.multilabel.thresholds import predicted_labels as predicted_labels

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
    """Mean, over the samples that have a class, of the precision at the threshold of each (AP).

    For each class, let the thresholds be the different scores, sorted from the largest on, with k = 1, 2, ... for the
    first, the second and so on. Let P_k be the precision and R_k the recall if all samples that score at least the k-th
    threshold are predicted to have the class; R_0 is 0. The value is the sum over k of (R_k - R_(k-1)) P_k ([1]_).
    Samples with equal scores share one threshold. Only the order of the scores matters, so they are never transformed.
    It summarises the precision-recall curve. Use it in place of :func:`roc_auc_score` when few samples have the class.

    Parameters
    ----------
    y_true
        The true labels. Give a matrix of 0 and 1, shape (n_samples, n_classes), where 1 says that the sample has the
        class, dense or sparse; or a vector of 0 and 1, for one class; or, with a matrix ``y_score``, a vector with the
        class of each sample, an integer from 0 to n_classes - 1, or sets of such integers.
    y_score
        The score of each class for each sample: any real number but NaN. Shape (n_samples, n_classes), or
        (n_samples,) for one class; of the library and on the device of ``y_true``. In a sparse matrix a score that is
        not stored is 0; beside a dense ``y_true`` it becomes dense, too.
    average
        "macro": the mean over the classes; "weighted": the mean over the classes, weighted by how many samples have
        each class; "micro": one value for all entries of the matrix together; "samples": the mean over the samples of
        the value of each sample; None: no average, the value of each class.
    mask
        Which labels are known: booleans of the shape of ``y_true``. Labels where it is False do not count. Not for
        sparse matrices and label sets.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1. Labels with such a value do not count.
    on_undefined
        The value where the formula is 0/0, by default "nan": "zero", "one", "nan", or "skip", which leaves it out
        of means.

    Returns
    -------
    score
        A score in the library and on the device of the labels; with ``average=None``, the values of the classes, shape
        (n_classes,). Above 0 and up to 1, higher is better; 1 if all samples that have the class score above all
        others. For scores without information, it is near the share of the samples that have the class. No unit.

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
    """Mean over the classes of how well each is predicted, so that a large class counts as much as a small one.

    For each class, let TP, FP, TN and FN be the numbers of true and false positives and of true and false negatives.
    Let P = TP / (TP + FP) be the precision, R = TP / (TP + FN) the recall, and S = TN / (TN + FP) the specificity of
    the class. The score is the mean over the classes of R ([1]_), of min(P, R) ([2]_), of min(R, S) ([3]_), or of (R +
    S) / 2 ([4]_), as ``definition`` says. Use it in place of accuracy when the classes have very different sizes.

    Parameters
    ----------
    y_true
        The true labels. Give a matrix of 0 and 1, shape (n_samples, n_classes), where 1 says that the sample has the
        class, dense or sparse; or label sets, such as ``[{12, 35, 200}, {54, 55}]``; or one label for each sample,
        shape (n_samples,), of any type that :meth:`gpuval.Contingency.from_labels` takes; or a :class:`LabelCounts`,
        which replaces all the arguments that it was made of. Dask arrays are read in blocks of whole rows.
        :meth:`LabelCounts.from_labels` says which rows are label sets.
    y_pred
        The predicted labels, with the shape, the library and the device of ``y_true``.
    definition
        Which value of a class the mean is taken of. "recall" is R: this is the score of scikit-learn, and for two
        classes the mean of sensitivity and specificity. "min_precision_recall" is min(P, R), known as class balance
        accuracy. "min_recall_specificity" is min(R, S), and "mean_recall_specificity" is (R + S) / 2.
    adjusted
        Whether to adjust for chance, so that random predictions have the expected score 0. The score is then (R - 1/k)
        / (1 - 1/k), where R is the mean recall and k the number of classes that occur; it ranges from -1/(k - 1) to 1.
        Only for ``definition="recall"``, and one label for each sample.
    mask
        Which labels are known: booleans of the shape of ``y_true``. Labels where it is False do not count. Not for
        sparse matrices and label sets.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1. Labels with such a value do not count.
    n_classes
        The number of classes, if ``y_true`` has one label or a label set for each sample and the labels are integers
        from 0 to ``n_classes - 1``. Of vectors nothing then leaves the device to find this number out, and invalid
        labels there make the score NaN.
    on_undefined
        The value where the formula is 0/0, by default "skip": "zero", "one", "nan", or "skip", which leaves it out
        of means.

    Returns
    -------
    score
        A number in the library and on the device of the labels. From 0 to 1 (but see ``adjusted``), higher is better; 1
        if all labels are right. No unit.

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
    | Mapping[Any, str | Callable[..., Any]]
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
    mask
        Which labels are known: booleans of the shape of ``y_true``. Labels where it is False do not count. Not for
        sparse matrices and label sets.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1. Labels with such a value do not count.

    Returns
    -------
    MultilabelScores
        A mapping from names such as "f1_macro" to scores, each in the library and on the device of ``y_true``. It
        prints as a table. It also has ``per_class``, the values of the classes, and ``support``, the number of samples
        of each class.
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
    """Weighted harmonic mean of the precision and the recall of a class (F score; F1 for ``beta=1``).

    For each class, let TP, FP and FN be the numbers of true positives, false positives and false negatives, as in
    :func:`precision_score` and :func:`recall_score`, and let b be ``beta``. The value is (1 + b^2) TP / ((1 + b^2) TP +
    b^2 FN + FP) ([1]_). For b = 1 it is also known as the Dice coefficient. Use it when precision and recall both
    matter. ``average`` decides how the values of the classes become one score: macro-F1 counts all classes the same,
    micro-F1 all labels.

    Parameters
    ----------
    y_true
        The true labels. Give a matrix of 0 and 1, shape (n_samples, n_classes), where 1 says that the sample has the
        class, dense or sparse; or label sets, such as ``[{12, 35, 200}, {54, 55}]``; or one label for each sample,
        shape (n_samples,), of any type that :meth:`gpuval.Contingency.from_labels` takes; or a :class:`LabelCounts`,
        which replaces all the arguments that it was made of. Dask arrays are read in blocks of whole rows.
        :meth:`LabelCounts.from_labels` says which rows are label sets.
    y_pred
        The predicted labels, with the shape, the library and the device of ``y_true``.
    average
        "macro": the mean over the classes; "weighted": the mean over the classes, weighted by how many samples have
        each class; "micro": one value for all entries of the matrix together; "samples": the mean over the samples of
        the value of each sample; "geometric": the geometric mean over the classes; "macro_of_means": the value computed
        from the mean precision and the mean recall; None: no average, the value of each class.
    beta
        How many times as important recall is as precision: from 0, which gives the precision, to infinity, which gives
        the recall.
    mask
        Which labels are known: booleans of the shape of ``y_true``. Labels where it is False do not count. Not for
        sparse matrices and label sets.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1. Labels with such a value do not count.
    n_classes
        The number of classes, if ``y_true`` has one label or a label set for each sample and the labels are integers
        from 0 to ``n_classes - 1``. Of vectors nothing then leaves the device to find this number out, and invalid
        labels there make the score NaN.
    on_undefined
        The value where the formula is 0/0, by default "zero": "zero", "one", "nan", or "skip", which leaves it out
        of means.

    Returns
    -------
    score
        A score in the library and on the device of the labels; with ``average=None``, the values of the classes, shape
        (n_classes,). From 0 to 1, higher is better; 1 if all labels are right. Symmetric for ``beta=1``. No unit.

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

    For each class, let TP, FP, TN and FN be the numbers of true and false positives and of true and false negatives.
    The loss is (FP + FN) / (TP + FP + FN + TN). By default all labels of all samples are counted together ([1]_). If
    each sample has exactly one label, given as a vector, it is the share of the samples whose label is wrong: 1 minus
    the accuracy. Use it when every single label of a sample counts the same.

    Parameters
    ----------
    y_true
        The true labels. Give a matrix of 0 and 1, shape (n_samples, n_classes), where 1 says that the sample has the
        class, dense or sparse; or label sets, such as ``[{12, 35, 200}, {54, 55}]``; or one label for each sample,
        shape (n_samples,), of any type that :meth:`gpuval.Contingency.from_labels` takes; or a :class:`LabelCounts`,
        which replaces all the arguments that it was made of. Dask arrays are read in blocks of whole rows.
        :meth:`LabelCounts.from_labels` says which rows are label sets.
    y_pred
        The predicted labels, with the shape, the library and the device of ``y_true``.
    average
        "macro": the mean over the classes; "weighted": the mean over the classes, weighted by how many samples have
        each class; "micro": one value for all entries of the matrix together; "samples": the mean over the samples of
        the value of each sample; None: no average, the value of each class.
    mask
        Which labels are known: booleans of the shape of ``y_true``. Labels where it is False do not count. Not for
        sparse matrices and label sets.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1. Labels with such a value do not count.
    n_classes
        The number of classes, if ``y_true`` has one label or a label set for each sample and the labels are integers
        from 0 to ``n_classes - 1``. Of vectors nothing then leaves the device to find this number out, and invalid
        labels there make the score NaN.
    on_undefined
        The value where the formula is 0/0, by default "zero": "zero", "one", "nan", or "skip", which leaves it out
        of means.

    Returns
    -------
    loss
        A loss in the library and on the device of the labels; with ``average=None``, the values of the classes, shape
        (n_classes,). From 0 to 1, lower is better; 0 if all labels are right. Symmetric. No unit.

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
    """Mean negative logarithm of the probabilities that were predicted for the labels (log loss, cross-entropy).

    Let m be the number of samples, y_ij the label of sample i and class j, 0 or 1, and a_ij the predicted probability
    of this class. The loss is -(1/m) times the sum over i and j of y_ij log a_ij ([1]_), with the natural logarithm:
    the cross-entropy if each sample has one label. If a sample can have several labels, use ``form="binary"``: the mean
    over all entries of -(y log a + (1 - y) log(1 - a)), the binary cross-entropy. The default form ignores the classes
    that a sample does not have, so that it would become smaller if all probabilities were raised.

    Parameters
    ----------
    y_true
        The true labels. Give a matrix of 0 and 1, shape (n_samples, n_classes), where 1 says that the sample has the
        class, dense or sparse; or a vector of 0 and 1, for one class; or, with a matrix ``y_score``, a vector with the
        class of each sample, an integer from 0 to n_classes - 1, or sets of such integers. Dask arrays are
        read in blocks of whole rows.
    y_score
        The score of each class for each sample: a probability from 0 to 1. Shape (n_samples, n_classes), or
        (n_samples,) for one class; of the library and on the device of ``y_true``. In a sparse matrix a score that is
        not stored is 0; beside a dense ``y_true`` it becomes dense, too.
    form
        "categorical" or "binary", see above. If the scores are a vector or have one column, it is "binary" in any case.
    from_logits
        Whether ``y_score`` holds logits, which are finite numbers. In the categorical form, their softmax over the
        classes that count gives the probabilities; in the binary form, their sigmoid. The logarithms are computed
        without computing the probabilities, so none of them is the logarithm of 0.
    eps
        Probabilities are clipped to the range from ``eps`` to 1 - ``eps``. By default, it is the machine epsilon of the
        type of the scores (for half precision, that of 32 bits). With 0, the loss is infinite if a label has the
        probability 0.
    mask
        Which labels are known: booleans of the shape of ``y_true``. Labels where it is False do not count. Not for
        sparse matrices and label sets.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1. Labels with such a value do not count.
    on_undefined
        The value where the formula is 0/0, by default "nan": "zero", "one", "nan", or "skip", which leaves it out
        of means.

    Returns
    -------
    loss
        A number in the library and on the device of ``y_true``. 0 or more, lower is better; 0 if all labels have the
        probability 1. The unit is the nat.

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
    """Mean over the classes of the mean probability that was predicted for the class where it is true (MAPR).

    Let y_ij be the label of sample i and class j, 0 or 1, and a_ij the predicted probability of this class. The value
    of class j is the sum over i of y_ij a_ij, divided by the sum over i of y_ij, and the score is the mean over the
    classes ([1]_). Use it in place of :func:`mean_probability_rate` when the classes have very different sizes.

    Parameters
    ----------
    y_true
        The true labels. Give a matrix of 0 and 1, shape (n_samples, n_classes), where 1 says that the sample has the
        class, dense or sparse; or a vector of 0 and 1, for one class; or, with a matrix ``y_score``, a vector with the
        class of each sample, an integer from 0 to n_classes - 1, or sets of such integers. Dask arrays are
        read in blocks of whole rows.
    y_score
        The score of each class for each sample: a probability from 0 to 1. Shape (n_samples, n_classes), or
        (n_samples,) for one class; of the library and on the device of ``y_true``. In a sparse matrix a score that is
        not stored is 0; beside a dense ``y_true`` it becomes dense, too.
    mask
        Which labels are known: booleans of the shape of ``y_true``. Labels where it is False do not count. Not for
        sparse matrices and label sets.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1. Labels with such a value do not count.
    on_undefined
        The value where the formula is 0/0, by default "skip": "zero", "one", "nan", or "skip", which leaves it out
        of means.

    Returns
    -------
    score
        A number in the library and on the device of ``y_true``. From 0 to 1, higher is better; 1 if all true labels
        have the probability 1. No unit.

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
    """Mean of the absolute differences between labels and scores (MAE).

    An entry is one sample with one class. Let y be the label of an entry, 0 or 1, and a its score. The loss is the mean
    of abs(y - a) over the entries, by default over all of them ([1]_). Use it in place of :func:`mean_squared_error`
    when a few large errors shall not dominate.

    Parameters
    ----------
    y_true
        The true labels. Give a matrix of 0 and 1, shape (n_samples, n_classes), where 1 says that the sample has the
        class, dense or sparse; or a vector of 0 and 1, for one class; or, with a matrix ``y_score``, a vector with the
        class of each sample, an integer from 0 to n_classes - 1, or sets of such integers. Dask arrays are
        read in blocks of whole rows.
    y_score
        The score of each class for each sample: any finite number. Shape (n_samples, n_classes), or
        (n_samples,) for one class; of the library and on the device of ``y_true``. In a sparse matrix a score that is
        not stored is 0; beside a dense ``y_true`` it becomes dense, too.
    average
        "macro": the mean over the classes; "weighted": the mean over the classes, weighted by how many samples have
        each class; "micro": one value for all entries of the matrix together; "samples": the mean over the samples of
        the value of each sample; None: no average, the value of each class.
    mask
        Which labels are known: booleans of the shape of ``y_true``. Labels where it is False do not count. Not for
        sparse matrices and label sets.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1. Labels with such a value do not count.
    on_undefined
        The value where the formula is 0/0, by default "zero": "zero", "one", "nan", or "skip", which leaves it out
        of means.

    Returns
    -------
    loss
        A loss in the library and on the device of ``y_true``; with ``average=None``, the values of the classes, shape
        (n_classes,). 0 or more, lower is better; 0 if the scores are equal to the labels. The unit is that of the
        scores.

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
    """Mean over the samples of the probability that was predicted for their true label (MPR).

    Let m be the number of samples, y_ij the label of sample i and class j, 0 or 1, and a_ij the predicted probability
    of this class. The score is 1/m times the sum over i and j of y_ij a_ij ([1]_). A sample with several labels counts
    the sum of their probabilities. Use it for a score of probabilities that is easier to read than :func:`log_loss`.

    Parameters
    ----------
    y_true
        The true labels. Give a matrix of 0 and 1, shape (n_samples, n_classes), where 1 says that the sample has the
        class, dense or sparse; or a vector of 0 and 1, for one class; or, with a matrix ``y_score``, a vector with the
        class of each sample, an integer from 0 to n_classes - 1, or sets of such integers. Dask arrays are
        read in blocks of whole rows.
    y_score
        The score of each class for each sample: a probability from 0 to 1. Shape (n_samples, n_classes), or
        (n_samples,) for one class; of the library and on the device of ``y_true``. In a sparse matrix a score that is
        not stored is 0; beside a dense ``y_true`` it becomes dense, too.
    mask
        Which labels are known: booleans of the shape of ``y_true``. Labels where it is False do not count. Not for
        sparse matrices and label sets.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1. Labels with such a value do not count.
    on_undefined
        The value where the formula is 0/0, by default "nan": "zero", "one", "nan", or "skip", which leaves it out
        of means.

    Returns
    -------
    score
        A number in the library and on the device of ``y_true``. If each sample has one label, from 0 to 1; higher is
        better; 1 if all true labels have the probability 1. No unit.

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
    """Mean of the squared differences between labels and scores (MSE; of probabilities, the Brier score).

    An entry is one sample with one class. Let y be the label of an entry, 0 or 1, and a its score. The loss is the mean
    of (y - a)^2 over the entries, by default over all of them ([1]_). Use it when the scores are probabilities and
    large errors are to count most.

    Parameters
    ----------
    y_true
        The true labels. Give a matrix of 0 and 1, shape (n_samples, n_classes), where 1 says that the sample has the
        class, dense or sparse; or a vector of 0 and 1, for one class; or, with a matrix ``y_score``, a vector with the
        class of each sample, an integer from 0 to n_classes - 1, or sets of such integers. Dask arrays are
        read in blocks of whole rows.
    y_score
        The score of each class for each sample: any finite number. Shape (n_samples, n_classes), or
        (n_samples,) for one class; of the library and on the device of ``y_true``. In a sparse matrix a score that is
        not stored is 0; beside a dense ``y_true`` it becomes dense, too.
    average
        "macro": the mean over the classes; "weighted": the mean over the classes, weighted by how many samples have
        each class; "micro": one value for all entries of the matrix together; "samples": the mean over the samples of
        the value of each sample; None: no average, the value of each class.
    mask
        Which labels are known: booleans of the shape of ``y_true``. Labels where it is False do not count. Not for
        sparse matrices and label sets.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1. Labels with such a value do not count.
    on_undefined
        The value where the formula is 0/0, by default "zero": "zero", "one", "nan", or "skip", which leaves it out
        of means.

    Returns
    -------
    loss
        A loss in the library and on the device of ``y_true``; with ``average=None``, the values of the classes, shape
        (n_classes,). 0 or more, lower is better; 0 if the scores are equal to the labels. The unit is the square of the
        unit of the scores.

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
    """Share of the samples predicted to have a class that do have it (precision, positive predictive value).

    For each class, let TP be the number of true positives, that is, samples that have the class and are predicted to
    have it; and FP the number of false positives, samples that do not have the class but are predicted to have it. The
    precision is TP / (TP + FP) ([1]_). Use it when a wrongly predicted class is costly. ``average`` decides how the
    values of the classes become one score.

    Parameters
    ----------
    y_true
        The true labels. Give a matrix of 0 and 1, shape (n_samples, n_classes), where 1 says that the sample has the
        class, dense or sparse; or label sets, such as ``[{12, 35, 200}, {54, 55}]``; or one label for each sample,
        shape (n_samples,), of any type that :meth:`gpuval.Contingency.from_labels` takes; or a :class:`LabelCounts`,
        which replaces all the arguments that it was made of. Dask arrays are read in blocks of whole rows.
        :meth:`LabelCounts.from_labels` says which rows are label sets.
    y_pred
        The predicted labels, with the shape, the library and the device of ``y_true``.
    average
        "macro": the mean over the classes; "weighted": the mean over the classes, weighted by how many samples have
        each class; "micro": one value for all entries of the matrix together; "samples": the mean over the samples of
        the value of each sample; "geometric": the geometric mean over the classes; None: no average, the value of each
        class.
    mask
        Which labels are known: booleans of the shape of ``y_true``. Labels where it is False do not count. Not for
        sparse matrices and label sets.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1. Labels with such a value do not count.
    n_classes
        The number of classes, if ``y_true`` has one label or a label set for each sample and the labels are integers
        from 0 to ``n_classes - 1``. Of vectors nothing then leaves the device to find this number out, and invalid
        labels there make the score NaN.
    on_undefined
        The value where the formula is 0/0, by default "zero": "zero", "one", "nan", or "skip", which leaves it out
        of means.

    Returns
    -------
    score
        A score in the library and on the device of the labels; with ``average=None``, the values of the classes, shape
        (n_classes,). From 0 to 1, higher is better; 1 if all predicted labels are right. Not symmetric: exchanging
        labels and predictions gives :func:`recall_score`. No unit.

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
    """Share of the samples that have a class which are predicted to have it (recall, sensitivity, true positive rate).

    For each class, let TP be the number of true positives, that is, samples that have the class and are predicted to
    have it; and FN the number of false negatives, samples that have the class but are not predicted to have it. The
    recall is TP / (TP + FN) ([1]_). Use it when missing a class is costly. ``average`` decides how the values of the
    classes become one score.

    Parameters
    ----------
    y_true
        The true labels. Give a matrix of 0 and 1, shape (n_samples, n_classes), where 1 says that the sample has the
        class, dense or sparse; or label sets, such as ``[{12, 35, 200}, {54, 55}]``; or one label for each sample,
        shape (n_samples,), of any type that :meth:`gpuval.Contingency.from_labels` takes; or a :class:`LabelCounts`,
        which replaces all the arguments that it was made of. Dask arrays are read in blocks of whole rows.
        :meth:`LabelCounts.from_labels` says which rows are label sets.
    y_pred
        The predicted labels, with the shape, the library and the device of ``y_true``.
    average
        "macro": the mean over the classes; "weighted": the mean over the classes, weighted by how many samples have
        each class; "micro": one value for all entries of the matrix together; "samples": the mean over the samples of
        the value of each sample; "geometric": the geometric mean over the classes; None: no average, the value of each
        class.
    mask
        Which labels are known: booleans of the shape of ``y_true``. Labels where it is False do not count. Not for
        sparse matrices and label sets.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1. Labels with such a value do not count.
    n_classes
        The number of classes, if ``y_true`` has one label or a label set for each sample and the labels are integers
        from 0 to ``n_classes - 1``. Of vectors nothing then leaves the device to find this number out, and invalid
        labels there make the score NaN.
    on_undefined
        The value where the formula is 0/0, by default "zero": "zero", "one", "nan", or "skip", which leaves it out
        of means.

    Returns
    -------
    score
        A score in the library and on the device of the labels; with ``average=None``, the values of the classes, shape
        (n_classes,). From 0 to 1, higher is better; 1 if every class is found in all the samples that have it. Not
        symmetric: exchanging labels and predictions gives :func:`precision_score`. No unit.

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
    """Area under the ROC curve: how likely a sample with the class has a larger score than one without it (AUC, AUROC).

    For each class, let P be the number of samples that have the class and N the number of those that do not, so that
    there are P N pairs of one of each. Let C be the number of pairs in which the sample with the class has the larger
    score, and T the number of pairs with equal scores. The area is (C + T/2) / (P N) ([1]_). Samples count by their
    weights. Only the order of the scores matters, so they are never transformed. Use it to judge scores before a
    threshold is chosen.

    Parameters
    ----------
    y_true
        The true labels. Give a matrix of 0 and 1, shape (n_samples, n_classes), where 1 says that the sample has the
        class, dense or sparse; or a vector of 0 and 1, for one class; or, with a matrix ``y_score``, a vector with the
        class of each sample, an integer from 0 to n_classes - 1, or sets of such integers.
    y_score
        The score of each class for each sample: any real number but NaN. Shape (n_samples, n_classes), or
        (n_samples,) for one class; of the library and on the device of ``y_true``. In a sparse matrix a score that is
        not stored is 0; beside a dense ``y_true`` it becomes dense, too.
    average
        "macro": the mean over the classes; "weighted": the mean over the classes, weighted by how many samples have
        each class; "micro": one value for all entries of the matrix together; "samples": the mean over the samples of
        the value of each sample; None: no average, the value of each class.
    mask
        Which labels are known: booleans of the shape of ``y_true``. Labels where it is False do not count. Not for
        sparse matrices and label sets.
    sample_weight
        The weight of each sample, shape (n_samples,), not negative.
    ignore_labels
        One value of ``y_true`` or several, such as -1. Labels with such a value do not count.
    on_undefined
        The value where the formula is 0/0, by default "nan": "zero", "one", "nan", or "skip", which leaves it out
        of means.

    Returns
    -------
    score
        A score in the library and on the device of the labels; with ``average=None``, the values of the classes, shape
        (n_classes,). From 0 to 1, higher is better; 1 if all samples that have the class score above all others, 1/2
        for scores without information. No unit.

    References
    ----------
    .. [1] J. A. Hanley and B. J. McNeil, "The meaning and use of the area under a receiver operating characteristic
       (ROC) curve", Radiology 143, 1982.
    """
