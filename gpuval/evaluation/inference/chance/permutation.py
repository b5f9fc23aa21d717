"""The permutation test: whether a score is better than the scores of labels that are independent of each other."""

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
    """Permutation test of a score: how likely is a score as good as this, or better, by chance.

    Use it to tell whether two labelings have anything in common. The null hypothesis is that they are independent,
    given the sizes of their groups: every permutation of one of them is equally likely. Let M be ``n_resamples``, the
    number of random tables with these sizes (:func:`random_tables`), and b the number of them whose score is as good or
    better. Then p = (b + 1) / (M + 1) ([1]_, not checked against the text). So p is at least 1 / (M + 1) and never 0;
    and under the null hypothesis p is at most alpha with a probability of at most alpha, whatever M is.

    All measures are tested with the same tables. With fixed sizes of the groups, many measures rise and fall together,
    and have the same p-value: all measures of pairs except ``mcnemar_index`` depend only on the number of pairs that
    are together in both labelings, and all entropies only on the mutual information.

    Do not use it for labels that were made from the same data, because they are dependent by construction. It says
    little for large n: with 10^5 samples, nearly any two labelings are significantly dependent, and z, or an interval
    (:func:`bootstrap`), says more.

    Parameters
    ----------
    metrics
        One measure, as a name (full or short, see :func:`evaluate`) or as a function that takes a :class:`Contingency`
        of NumPy and returns a number, where higher is better; or several measures, as for :func:`evaluate`.
    labels_true, labels_pred
        Two label vectors, shape (n_samples,); or a :class:`Contingency` of counts as ``labels_true``, in place of both.
        With one measure, ``labels_pred`` may hold several labelings: a mapping from names to label vectors, or a list
        or tuple of label vectors, whose names are then 0, 1, ... All of them are compared with the same permuted
        ``labels_true``, and get p-values that are adjusted for the number of labelings, too.
    n_resamples
        The number of random tables that are drawn.
    method
        "sampling"; or "moments", for measures that depend only on the number of pairs that are together in both
        labelings. "moments" draws nothing. It approximates the distribution of this number by the gamma distribution
        with the same mean, variance and skewness (Pearson's type III; [2]_, not checked against the text). Its p-value
        approximates the mid-p-value; the error is a few percent of p at p = 0.01, and larger for very unequal sizes and
        for smaller p.
    random_state
        A seed, or a NumPy generator. The same seed gives the same p-values on every backend and any number of cores.
    sample_weight, ignore_labels, n_classes, n_clusters
        As for :meth:`Contingency.from_labels`. Weights must be of an integer type; each counts that many samples.
    **options
        Options of the measure, if there is only one.

    Returns
    -------
    PermutationTest or PermutationTests
        The test of one measure; or, for several measures, a mapping from their names to tests. p is 1 if all tables
        with these sizes are equally good: if a labeling has one single group, or groups of single samples. NaN if a
        function returns NaN. An infinite score is better, or worse, than all that are finite.

        For several labelings it is a mapping from their names to tests. They also have the probability that the best of
        all the labelings, measured in standard deviations, is as good by chance ([3]_, not checked against the text),
        and p-values that are adjusted for the false discovery rate ([4]_, not checked against the text). This function
        runs on the host: the counts of the table are transferred, and tables are drawn and scored there.

    Raises
    ------
    TypeError, ValueError
        For everything that :func:`evaluate` raises; for weights that are not counts; for a measure without a better
        direction; for "moments" with a measure that does not depend only on pairs; and for several measures together
        with several labelings.

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
