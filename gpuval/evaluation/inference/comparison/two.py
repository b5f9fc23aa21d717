"""Two clusterings against one truth."""

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
    method: PairedMethod = "bca",
    confidence_level: float = 0.95,
    groups: Any = None,
    random_state: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    **options: Any,
) -> ScoreDifference:
    """Compare the scores of two clusterings of the same samples: their difference, its interval and p-value.

    Samples are resampled, each with its three labels, and both clusterings are scored on the same resamples. So what
    makes a sample hard for both is in both scores, and not in their difference: two intervals that overlap may belong
    to a difference that is beyond doubt. The samples that have the same three labels are alike; they are counted once,
    and the tables of both clusterings are sums of these counts.

    The null hypothesis is that over the population of samples both clusterings have the same score, whatever it is.
    With B resampled differences d*, the p-value of the bootstrap is 2 min(1 + #{d* <= 0}, 1 + #{d* >= 0}) / (B + 1),
    and at most 1: the level at which an interval of percentiles would end at 0. That of the jackknife is of a normal
    distribution, for the difference by its standard error ([1]_, not checked against the text). Clusterings that have
    the same score in every resample differ by exactly 0, with p = 1. By the jackknife, where the difference is not 0
    and is the same whichever sample is left out, p is NaN: that tells nothing of how it would vary. ``better`` follows
    the interval, and the p-value of the bootstrap counts resampled differences: near the confidence level they may
    disagree.

    When not to use it:

    - samples that are not independent, such as the cells of some donors: then p-values are far too small. Give the
      donors as ``groups``, which are resampled as wholes;
    - a reference that was made from the same data, or by one of the two methods: what is tested is agreement with this
      reference on more of such samples, not which clustering is right;
    - the uncertainty of the clustering itself: the clusterings are fixed, nothing is clustered again;
    - as a test of a clustering against chance.

    Predictions must not be exchanged between the two clusterings sample by sample, as tests of two classifiers do
    ([2]_, not checked against the text): cluster 1 of one clustering has nothing to do with cluster 1 of the other, and
    labels that are exchanged for some samples make a partition that neither method has found.

    Parameters
    ----------
    labels_true
        The reference labels, shape (n_samples,).
    first, second
        The labels of the two clusterings, shape (n_samples,).
    metric
        The name of a measure, full or short as for :func:`evaluate`, or a function of a table, of NumPy, that gives a
        number, the higher the better, whatever the function is called.
    n_resamples
        How many times samples are drawn; the smallest p-value is 2 / (n_resamples + 1).
    method
        "bca", "percentile" or "basic", as for :func:`bootstrap`, or "jackknife": nothing is drawn, and the interval is
        normal. Prefer it for measures of information, as for :func:`jackknife`.
    confidence_level
        Between 0 and 1.
    groups
        The group of each sample, shape (n_samples,), such as its donor: then groups are drawn or left out, with all
        their samples.
    random_state
        A seed or a generator of NumPy; the same seed gives the same interval, on every backend.
    sample_weight, ignore_labels
        As for :meth:`Contingency.from_labels`; weights are of an integer type, and count samples. A sample that is
        ignored in one of the three is left out of all.
    **options
        Those of the measure.

    Returns
    -------
    ScoreDifference
        The difference ``first - second``, also of distances, of which lower is better: ``better`` says which of the two
        is. Pairs of copies of one sample, or of one group, are left out, as in :func:`bootstrap`. NaN for fewer than 2
        samples. The interval has no width where the difference is the same in all resamples. A host step: the counts
        are transferred, and drawn and scored on the host.

    Raises
    ------
    TypeError, ValueError
        Labels that are no vectors of one length, or weights that are no counts; a name that no measure has, or a
        function that gives something else than one number; a level outside of (0, 1), fewer than two groups, or than
        one resample, an unknown method.

    References
    ----------
    .. [1] B. Efron and R. J. Tibshirani, "An introduction to the bootstrap", 1993.
    .. [2] Q. McNemar, "Note on the sampling error of the difference between correlated proportions or percentages",
       Psychometrika 12, 1947.

    Examples
    --------
    Clusters of other names are the same clusters; a perfect clustering is better than one at random:

    >>> import gpuval
    >>> truth = [0, 0, 0, 1, 1, 1] * 5
    >>> gpuval.compare_scores(truth, [0, 1, 1, 2, 2, 0] * 5, [7, 5, 5, 9, 9, 7] * 5, random_state=0)
    0.000 [0.000, 0.000], p = 1
    >>> gpuval.compare_scores(truth, truth, [0, 1, 0, 1, 0, 1] * 5, random_state=0).better
    'first'

    A difference between two clusterings that is not more than noise, with 12 samples:

    >>> truth = [1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2]
    >>> one = [1, 3, 2, 2, 3, 1, 2, 1, 3, 2, 3, 2]
    >>> other = [2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1]
    >>> gpuval.compare_scores(truth, one, other, method="jackknife")
    0.296 [-0.338, 0.929], p = 0.36
    """
    how = read_resampling(metric, options, method, confidence_level, n_resamples, random_state)
    named = {"first": first, "second": second}
    found = uncertain_scores(read_paired(labels_true, named, groups, sample_weight, ignore_labels), how)
    return found.back(found.difference(0, 1))
