"""The permutation test: whether a score is better than that of labels that have nothing to do with one another."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from gpuval.engines.backends import outside_of_graphs
from gpuval.evaluation.clustering.arguments import Metrics, are_labelings
from gpuval.evaluation.inference.chance.many import labelings_tested
from gpuval.evaluation.inference.chance.results import PermutationTest, PermutationTests
from gpuval.evaluation.inference.chance.testing import check_asked, tested_by_moments, tested_by_tables
from gpuval.evaluation.inference.reading import read_asked, read_counted
from gpuval.inputs.options import check_option, check_resamples, generator

__all__ = ["permutation_test"]


@outside_of_graphs
def permutation_test(
    metrics: Metrics,
    labels_true: Any,
    labels_pred: Any = None,
    *,
    n_resamples: int = 999,
    method: Literal["sampling", "moments"] = "sampling",
    random_state: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
    **options: Any,
) -> PermutationTest | PermutationTests:
    """Probability of a score as good as this, or better, if the labels are permuted.

    Null hypothesis: the two labelings are independent, given the sizes of their groups; each permutation of one of them
    is as likely as any other. Of m random tables with these sizes (:func:`random_tables`) b are as good or better, and
    p = (b + 1) / (m + 1) ([1]_, not checked against the text): it is never 0, at least 1 / (m + 1), and at most alpha
    with a probability of at most alpha by chance, whatever m is. All measures are tested with the same tables. With
    fixed sizes many of them go up and down together: all measures of pairs but ``mcnemar_index`` with the pairs
    together in both partitions, all entropies with the mutual information; such measures have one p-value.

    It is not for labels that were made from the same data, which are dependent by construction; nor for large n: with
    10^5 samples next to any two labelings are found dependent, and z, or an interval (:func:`bootstrap`), says more.

    Parameters
    ----------
    metrics
        The name of a measure, full or short as for :func:`evaluate`, or a function of a table, of NumPy, that gives a
        number, the higher the better; or several, as for :func:`evaluate`.
    labels_true, labels_pred
        Two label vectors, shape (n_samples,), or a :class:`Contingency` in place of both; of counts. With one measure,
        ``labels_pred`` may be a mapping from names to label vectors, or a list or tuple of label vectors, of which the
        names are 0, 1, ...: all of them are compared with the same permuted ``labels_true``, and get p-values for all
        of them together, too.
    n_resamples
        How many random tables are drawn.
    method
        "sampling"; or "moments", for measures that go up and down with the pairs together in both partitions: by the
        gamma law that has the mean, the variance and the skewness of their number (Pearson's type III; [2]_, not
        checked against the text), of which nothing is drawn. It stands for the mid-p-value, and is off by a few percent
        of itself at p = 0.01, by more for very unequal sizes and beyond.
    random_state
        A seed or a generator of NumPy; the same seed gives the same p-values, on every backend and number of cores.
    sample_weight, ignore_labels, n_classes, n_clusters
        As for :meth:`Contingency.from_labels`; weights are of an integer type, and count samples.
    **options
        Those of the measure, if it is one.

    Returns
    -------
    PermutationTest or PermutationTests
        Of one measure its test, of several a mapping from their names. p is 1 where all tables of the sizes are as
        good: one group, or single samples. NaN where a function gives NaN. Of several labelings a mapping from their
        names, with the probability that the best of them all, in standard deviations, is as good by chance ([3]_,
        not checked against the text), and p-values adjusted for the rate of false discoveries ([4]_, not
        checked against the text). A host step: the counts of the table are transferred, and tables are drawn and scored
        on the host.

    Raises
    ------
    TypeError, ValueError
        As :func:`evaluate`; weights that are no counts; a measure of which no scores are better than others; "moments"
        for a measure that does not go by pairs; several measures of several labelings.

    References
    ----------
    .. [1] B. Phipson and G. K. Smyth, "Permutation p-values should never be zero: calculating exact p-values when
       permutations are randomly drawn", Statistical Applications in Genetics and Molecular Biology 9, 2010.
    .. [2] P. W. Mielke and K. J. Berry, "Permutation methods: a distance function approach", 2nd edition, 2007.
    .. [3] P. H. Westfall and S. S. Young, "Resampling-based multiple testing", 1993.
    .. [4] Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate: a practical and powerful approach to
       multiple testing", Journal of the Royal Statistical Society B 57, 1995.

    Examples
    --------
    >>> import gpuval
    >>> true, pred = [0, 0, 0, 1, 1, 1, 1, 2, 2, 2], [0, 0, 1, 1, 1, 1, 2, 2, 2, 2]
    >>> test = gpuval.permutation_test("ari", true, pred, random_state=0)
    >>> bool(test.p_value < 0.05)
    True
    >>> float(gpuval.permutation_test("ari", true, [0] * 10).p_value)
    1.0
    >>> list(gpuval.permutation_test("ari", true, {"good": pred, "bad": [0, 1] * 5}, random_state=0))
    ['good', 'bad']
    """
    check_option("method", method, ("sampling", "moments"))
    asked, n_resamples, random = read_asked(metrics, options), check_resamples(n_resamples), generator(random_state)
    building = sample_weight, ignore_labels, n_classes, n_clusters
    is_some = metrics is None or (isinstance(metrics, str) and metrics.lower() == "all")
    functions = check_asked(asked.functions, method, is_some)
    if are_labelings(labels_pred):
        if method == "moments":
            raise ValueError("method must be 'sampling' for several labelings, got 'moments'")
        if n_classes is not None or n_clusters is not None:
            raise TypeError("n_classes= and n_clusters= cannot be given with several labelings, which are looked at")
        return labelings_tested(functions, labels_true, labels_pred, n_resamples, random, sample_weight, ignore_labels)
    counted = read_counted("the permutation test", labels_true, labels_pred, None, *building)
    counted = replace(counted, table=counted.table.compact())  # so that a seed gives the same, however it was built
    if method == "moments":
        tests = tested_by_moments(functions, counted)
    else:
        tests = tested_by_tables(functions, counted, n_resamples, random)
    return next(iter(tests.values())) if asked.is_one else tests
