"""Comparison of the scores of two clusterings against the same true labels."""

from __future__ import annotations

from typing import Any

from gpuval.engines.backends import outside_of_graphs
from gpuval.evaluation.clustering.arguments import Metric
from gpuval.evaluation.inference.comparison.paired import read_paired
from gpuval.evaluation.inference.comparison.score_difference import ScoreDifference
from gpuval.evaluation.inference.comparison.uncertain import PairedMethod, read_resampling, uncertain_scores

__all__ = ["compare_scores"]


@outside_of_graphs
def compare_scores(
    labels_true: Any,
    first: Any,
    second: Any,
    metric: Metric = "adjusted_rand_score",
    *,
    n_resamples: int = 999,
    method: PairedMethod | None = None,
    confidence_level: float = 0.95,
    groups: Any = None,
    random_state: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    **options: Any,
) -> ScoreDifference:
    """Compare the scores of two clusterings of the same samples: their difference, its interval and its p-value.

    Use it to tell whether one method is really better than another one, or only on these samples. Samples are resampled
    together with their three labels, and both clusterings are scored on the same resamples. What makes a sample hard
    for both clusterings is then in both scores, and cancels in their difference. So a difference may be beyond doubt
    even if the intervals of the two scores overlap. Samples with the same three labels are counted once, and the tables
    of both clusterings are sums of these counts.

    The null hypothesis is that both clusterings have the same score in the population of samples. The p-value is 1 less
    the level at which the interval would end at 0. For the jackknife, the difference divided by its standard error is
    compared with Student's distribution with N - 1 degrees of freedom, where N is the number of samples, or of groups
    ([1]_, not checked against the text). For the bootstrap, that level is found from the shares of resampled
    differences that are at most, or at least, 0, with the data as one more of them. If both clusterings have the same
    score in every resample, the difference is exactly 0 and p = 1. For the jackknife, p is NaN if the difference is not
    0 but is the same whichever sample is left out, because this does not tell how it would vary.

    When not to use it:

    - for samples that are not independent, such as the cells of a few donors: p-values are then far too small. Give the
      donors as ``groups``, which are resampled as a whole;
    - if the true labels were made from the same data, or by one of the two methods: the test is about the agreement
      with these labels on more such samples, not about which clustering is right;
    - for the uncertainty of the clustering itself: the clusterings are fixed, and nothing is clustered again;
    - to test a clustering against chance: see :func:`permutation_test`.

    Some tests of two classifiers exchange their predictions sample by sample ([2]_, not checked against the text). This
    must not be done with clusterings: cluster 1 of one clustering has nothing to do with cluster 1 of the other one,
    and exchanging the labels of some samples makes a clustering that neither method has found.

    Parameters
    ----------
    labels_true
        The true labels, shape (n_samples,).
    first, second
        The labels of the two clusterings, shape (n_samples,).
    metric
        The name of a measure, full or short as for :func:`evaluate`; or a function that takes a :class:`Contingency` of
        NumPy and returns a number. For a function, higher is better, whatever its name is.
    n_resamples
        How many times samples are drawn. The smallest p-value is 2 / (n_resamples + 1).
    method
        "bca", "percentile" or "basic", as for :func:`bootstrap`; or "jackknife", which draws nothing, see
        :func:`jackknife`. None takes what :func:`evaluate` takes: "jackknife" for ``groups`` and for measures of
        information, beta-entropies and overlap, else "bca".
    confidence_level
        A number between 0 and 1.
    groups
        The group of each sample, shape (n_samples,), such as its donor (five groups or more). Then whole groups are
        drawn or left out, with all their samples.
    random_state
        A seed, or a NumPy generator. The same seed gives the same interval on every backend.
    sample_weight, ignore_labels
        As for :meth:`Contingency.from_labels`. Weights must be of an integer type; each counts that many samples. A
        sample that is ignored in one of the three label vectors is left out of all of them.
    **options
        Options of the measure.

    Returns
    -------
    ScoreDifference
        The difference ``first - second``, also for distances, where lower is better; ``better`` says which of the two
        is better. Pairs of copies of one sample, or of one group, do not count, as in :func:`bootstrap`. NaN for fewer
        than 2 samples; of infinite differences no p-value is known. The interval has no width if the difference is the
        same in all resamples. This function runs on the host: the counts are transferred, and tables are drawn and
        scored there.

    Raises
    ------
    TypeError, ValueError
        For labels that are not vectors of one length, and for weights that are not counts; for a name that no measure
        has, and for a function that does not return one number; for a ``confidence_level`` outside of (0, 1); for fewer
        than two groups or fewer than one resample; and for an unknown method.

    References
    ----------
    .. [1] B. Efron and R. J. Tibshirani, "An introduction to the bootstrap", 1993.
    .. [2] Q. McNemar, "Note on the sampling error of the difference between correlated proportions or percentages",
       Psychometrika 12, 1947.

    Examples
    --------
    Only the names of the clusters differ, so the difference is 0. Then a perfect clustering, which is better than one
    that mixes the classes:

    >>> import gpuval
    >>> truth = [0, 0, 0, 1, 1, 1] * 5
    >>> gpuval.compare_scores(truth, [0, 1, 1, 2, 2, 0] * 5, [7, 5, 5, 9, 9, 7] * 5, random_state=0)
    0.000 [0.000, 0.000], p = 1
    >>> gpuval.compare_scores(truth, truth, [0, 1, 0, 1, 0, 1] * 5, random_state=0).better
    'first'

    With 12 samples, the difference between two clusterings is not more than noise:

    >>> truth = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> one = [1, 3, 2, 2, 3, 1, 2, 1, 3, 2, 3, 2]
    >>> other = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> gpuval.compare_scores(truth, one, other, method="jackknife")
    0.296 [-0.416, 1.007], p = 0.38
    """
    how = read_resampling(metric, options, method, confidence_level, n_resamples, random_state, groups)
    named = {"first": first, "second": second}
    found = uncertain_scores(read_paired(labels_true, named, groups, sample_weight, ignore_labels), how)
    return found.back(found.difference(0, 1))
