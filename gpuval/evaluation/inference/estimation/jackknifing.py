"""The jackknife: standard errors from the scores with each sample left out, one for each non-empty cell."""

from __future__ import annotations

from typing import Any

from gpuval.engines.backends import outside_of_graphs
from gpuval.evaluation.clustering.arguments import Metrics
from gpuval.evaluation.inference.estimation.estimates import ScoreEstimate, ScoreEstimates
from gpuval.evaluation.inference.estimation.intervals import check_level
from gpuval.evaluation.inference.estimation.left_out import jackknifed
from gpuval.evaluation.inference.reading import read_asked, read_counted

__all__ = ["jackknife"]


@outside_of_graphs
def jackknife(
    metrics: Metrics,
    labels_true: Any,
    labels_pred: Any = None,
    *,
    confidence_level: float = 0.95,
    groups: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
    **options: Any,
) -> ScoreEstimate | ScoreEstimates:
    """Standard error, bias and confidence interval of scores by the jackknife: each sample is left out once.

    The result is exact; nothing is drawn at random. Let n be the number of samples, t the score of all of them, n_ij
    the number of samples in the cell (i, j) of the table (class i and cluster j), and t_ij the score without one sample
    of this cell. Let m be the mean of these scores, the sum over i and j of n_ij t_ij / n. The variance is (n - 1)/n
    times the sum over i and j of n_ij (t_ij - m)^2, and the bias is (n - 1)(m - t) ([1]_, equations 11.5 and 11.11, not
    checked against the text). The standard error SE is the square root of the variance. The interval reaches from t - q
    SE to t + q SE, where q is the quantile of Student's distribution for the level, with n - 1 degrees of freedom. For
    groups, n is their number. The interval is cut at the ends of the range of the measure.

    All samples of one cell are alike, so one score is needed for each cell that is not empty. For measures of pairs, of
    information and of overlap, it is found from what changes when a sample is left out, in as many steps as there are
    cells. For all other measures, as many tables are scored as there are such cells.

    Prefer it to :func:`bootstrap` for measures of information, because the bootstrap adds their bias a second time.
    With fewer than about 5 samples for each cell of the table (number of classes times number of clusters), the bias is
    larger than the standard error. For other measures, the intervals of :func:`bootstrap` are nearer to their level.
    Samples must be independent. The cells of one donor are not; use ``groups``. If labels were found from the same
    data, the interval does not include this uncertainty.

    Parameters
    ----------
    metrics
        One measure, as a name (full or short, see :func:`evaluate`) or as a function that takes a :class:`Contingency`
        of NumPy and returns a number; or several measures, as for :func:`evaluate`.
    labels_true, labels_pred
        Two label vectors, shape (n_samples,); or a :class:`Contingency` of counts as ``labels_true``, in place of both.
    confidence_level
        A number between 0 and 1.
    groups
        The group of each sample, shape (n_samples,), such as its donor. Then whole groups are left out, one at a time.
        Five groups or more are needed: in simulations with 5 to 30 groups, intervals of level 0.95 of the ARI, the NMI
        and the AMI contained the truth in 0.92 to 0.96 of the data sets.
    sample_weight, ignore_labels, n_classes, n_clusters
        As for :meth:`Contingency.from_labels`. Weights must be of an integer type; each counts that many samples.
    **options
        Options of the measure, if there is only one.

    Returns
    -------
    ScoreEstimate or ScoreEstimates
        The estimate of one measure; or, for several measures, a mapping from their names to estimates. Standard error,
        bias and interval are NaN for fewer than 2 samples, and if a function returns NaN or an infinite number for a
        table. The standard error is 0 if all samples lie in one cell, or if the clusters are exactly the classes; here,
        too, this does not mean that errors are impossible. This function runs on the host: the counts of the table are
        transferred.

    Raises
    ------
    TypeError, ValueError
        For everything that :func:`evaluate` raises; for weights that are not counts; for a ``confidence_level`` outside
        of (0, 1); and for fewer than two groups.

    References
    ----------
    .. [1] B. Efron and R. J. Tibshirani, "An introduction to the bootstrap", 1993.

    Examples
    --------
    The standard error of a perfect score is 0; that of a score near 0 is larger:

    >>> import gpuval
    >>> gpuval.jackknife("ari", [0, 0, 1, 1, 2, 2], [1, 1, 0, 0, 2, 2])
    1.000 [1.000, 1.000]
    >>> estimate = gpuval.jackknife("ari", [0, 0, 0, 1, 1, 1], [0, 1, 0, 1, 0, 1])
    >>> bool(estimate.low < 0 < estimate.high)
    True
    """
    asked, level = read_asked(metrics, options), check_level(confidence_level)
    building = sample_weight, ignore_labels, n_classes, n_clusters
    counted = read_counted("the jackknife", labels_true, labels_pred, groups, *building)
    estimates = jackknifed(asked, counted, level)
    return next(iter(estimates.values())) if asked.is_one else estimates
