"""The jackknife: standard errors from the scores without each sample, which are as many as non-empty cells."""

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
    """Standard error, bias and interval of scores, from the scores without each sample: exact, nothing is drawn.

    With t the score of all n samples, t_ij that without a sample of cell (i, j), and m = sum_ij n_ij t_ij / n: the
    variance is (n - 1)/n sum_ij n_ij (t_ij - m)^2, the bias (n - 1)(m - t) ([1]_, equations 11.5 and 11.11, not checked
    against the text), and the interval t -+ z SE, which may leave the range of the score. A sample of one cell is like
    any other of it, so there is one score for each non-empty cell; those of pairs, information and overlap are found
    from what leaving out a sample changes, in as many steps as cells, all others from K tables of K cells.

    It is the interval to take for measures of information, as the bootstrap shifts them by as much as they are biased
    already; below about 5 samples for each cell of the table, r m cells, the bias outgrows the standard error. For
    others :func:`bootstrap` is nearer to its level. It takes samples for independent: cells of one donor are not, which
    ``groups`` is for; and it says nothing of labels that were found from the same data.

    Parameters
    ----------
    metrics
        The name of a measure, full or short as for :func:`evaluate`, or a function of a table, of NumPy, that gives a
        number; or several, as for :func:`evaluate`.
    labels_true, labels_pred
        Two label vectors, shape (n_samples,), or a :class:`Contingency` in place of both; of counts.
    confidence_level
        Between 0 and 1.
    groups
        The group of each sample, shape (n_samples,), such as its donor (about ten or more): then groups are left
        out, one at a time.
    sample_weight, ignore_labels, n_classes, n_clusters
        As for :meth:`Contingency.from_labels`; weights are of an integer type, and count samples.
    **options
        Those of the measure, if it is one.

    Returns
    -------
    ScoreEstimate or ScoreEstimates
        Of one measure its estimate, of several a mapping from their names. Standard error, bias and interval are NaN
        for fewer than 2 samples. The standard error is 0 where all samples lie in one cell, and where the clusters are
        the classes: there, too, it says nothing of what is rare. A host step: the counts of the table are transferred.

    Raises
    ------
    TypeError, ValueError
        As :func:`evaluate`; weights that are no counts; a level outside of (0, 1); fewer than two groups.

    References
    ----------
    .. [1] B. Efron and R. J. Tibshirani, "An introduction to the bootstrap", 1993.

    Examples
    --------
    The standard error of a perfect score is 0, and that of a score near 0 is not:

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
