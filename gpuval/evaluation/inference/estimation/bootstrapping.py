"""The bootstrap: intervals from the scores of tables whose samples are drawn from those that there are."""

from __future__ import annotations

from typing import Any, Literal

from gpuval.engines.backends import outside_of_graphs
from gpuval.evaluation.clustering.arguments import Metrics
from gpuval.evaluation.inference.estimation.estimates import ScoreEstimate, ScoreEstimates
from gpuval.evaluation.inference.estimation.intervals import check_level
from gpuval.evaluation.inference.estimation.resampled import Method, bootstrapped, sampler_of
from gpuval.evaluation.inference.reading import read_asked, read_counted
from gpuval.inputs.options import check_option, check_resamples, generator

__all__ = ["bootstrap"]


@outside_of_graphs
def bootstrap(
    metrics: Metrics,
    labels_true: Any,
    labels_pred: Any = None,
    *,
    n_resamples: int = 999,
    method: Method = "bca",
    confidence_level: float = 0.95,
    resampling: Literal["multinomial", "poisson"] = "multinomial",
    pairs: Literal["distinct", "all"] = "distinct",
    groups: Any = None,
    random_state: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
    **options: Any,
) -> ScoreEstimate | ScoreEstimates:
    """Confidence intervals of scores, from tables of n samples that are drawn with replacement from the n there are.

    A sample lies in a cell, so a resample is a multinomial draw of the cells' counts: many tables are drawn and scored
    at once, and no label is looked at again.

    Pairs of two copies of one sample are together in both partitions, whatever these are. They do not count by default:
    of m samples drawn from the n_ij of a cell, m (m - 1) / (2 n_ij) pairs are of copies, on average. Where they do
    (``pairs="all"``, as if the labels were resampled), scores of pairs centre on that of a table of which each sample
    is paired with itself, too, and with many clusters their intervals miss the score altogether.

    Measures of information are biased by about (K - r - m + 1) / (2 n), for K non-empty cells, and resampling adds
    as much again; so do copies in measures of overlap, such as BCubed, which count them. Prefer :func:`jackknife`
    for both, and neither below about 5 samples for each of the r m cells. Samples are taken for independent: cells
    of one donor are not, and with them as samples intervals are far too narrow (``groups``). Labels that were found
    from the same data make no interval wider.

    Parameters
    ----------
    metrics
        The name of a measure, full or short as for :func:`evaluate`, or a function of a table, of NumPy, that gives a
        number; or several, as for :func:`evaluate`.
    labels_true, labels_pred
        Two label vectors, shape (n_samples,), or a :class:`Contingency` in place of both; of counts.
    n_resamples
        How many tables are drawn.
    method
        "percentile": the quantiles of the scores of the tables. "basic": these, reflected at the score. "bca":
        bias-corrected and accelerated ([1]_, section 14.3, not checked against the text), which is the nearest to its
        level; by percentiles, where all scores are on one side of that of all samples.
    confidence_level
        Between 0 and 1.
    resampling
        "multinomial", or "poisson": each sample is drawn Poisson(1) times, independently, so that n varies ([2]_, not
        checked against the text).
    pairs
        "distinct" or "all": whether pairs of copies are left out.
    groups
        The group of each sample, shape (n_samples,), such as its donor (about ten or more): then groups are drawn,
        with all their samples, and of two copies of a group no pairs are counted.
    random_state
        A seed or a generator of NumPy; the same seed gives the same interval, on every backend.
    sample_weight, ignore_labels, n_classes, n_clusters
        As for :meth:`Contingency.from_labels`; weights are of an integer type, and count samples.
    **options
        Those of the measure, if it is one.

    Returns
    -------
    ScoreEstimate or ScoreEstimates
        Of one measure its estimate, of several a mapping from their names, of the same tables. Tables in which a class
        has died out are scored as any table. The interval has no width, and the standard error is 0, where all scores
        are the same: for clusters that are the classes, for instance, which does not mean that no error is possible.
        NaN for fewer than 2 samples, and where a function gives NaN for a table. A host step: the counts of the table
        are transferred, and drawn and scored on the host.

    Raises
    ------
    TypeError, ValueError
        As :func:`evaluate`; weights that are no counts; a level outside of (0, 1); fewer than two groups, or than one
        resample; an unknown method.

    References
    ----------
    .. [1] B. Efron and R. J. Tibshirani, "An introduction to the bootstrap", 1993.
    .. [2] N. Chamandy, O. Muralidharan, A. Najmi and S. Naidu, "Estimating uncertainty for massive data streams",
       technical report, 2012.

    Examples
    --------
    >>> import gpuval
    >>> gpuval.bootstrap("ari", [0, 0, 1, 1, 2, 2], [1, 1, 0, 0, 2, 2], random_state=0)
    1.000 [1.000, 1.000]
    >>> estimate = gpuval.bootstrap("ari", [0, 0, 0, 1, 1, 1] * 5, [0, 1, 0, 1, 0, 1] * 5, random_state=0)
    >>> bool(estimate.low < 0 < estimate.high)
    True
    """
    asked, level = read_asked(metrics, options), check_level(confidence_level)
    check_option("method", method, ("bca", "percentile", "basic"))
    check_option("resampling", resampling, ("multinomial", "poisson"))
    check_option("pairs", pairs, ("distinct", "all"))
    n_resamples, random = check_resamples(n_resamples), generator(random_state)
    building = sample_weight, ignore_labels, n_classes, n_clusters
    counted = read_counted("the bootstrap", labels_true, labels_pred, groups, *building)
    sampler = sampler_of(counted, poisson=resampling == "poisson", distinct=pairs == "distinct")
    estimates = bootstrapped(asked, counted, sampler, n_resamples, method, level, random)
    return next(iter(estimates.values())) if asked.is_one else estimates
