"""The result of comparing two clusterings: a difference of scores with its interval and its p-value."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from gpuval.evaluation.results.scores import plain, rounded
from gpuval.inputs.options import needed

__all__ = ["ScoreDifference"]


@dataclass(frozen=True, eq=False, repr=False)
class ScoreDifference:
    """The difference of two scores with its uncertainty: the result of :func:`compare_scores`.

    Its numbers are in the library and on the device of the labels.

    Attributes
    ----------
    first, second
        The scores of the two clusterings.
    difference
        ``first - second``, also if lower scores are better.
    low, high
        The ends of the confidence interval of the difference.
    standard_error
        An estimate of the standard deviation that the difference would have over other samples of the same population:
        by the jackknife; for the methods "percentile" and "basic", which need no jackknife, that of the replicates.
    z
        The difference divided by its standard error; 0 if the difference is 0, NaN if only the standard error is 0.
    p_value
        How likely a difference as large as this, in either direction, is if there is none. NaN for the method
        "jackknife" if the difference is not 0 and its standard error is 0: the difference is then the same whichever
        sample is left out, which does not tell how it would vary.
    better
        "first" or "second"; or "" if the interval contains 0, if ``p_value`` is NaN, or if the measure has no better
        direction. The interval excludes 0 where ``p_value`` is at most 1 less the level; for the bootstrap the two may
        disagree by one resample.
    confidence_level
        The share of such intervals that contain the true difference. One of several by :func:`compare_many_scores`: the
        share of data sets in which all of them do; ``p_value`` is then the family-wise one.
    method
        The method by which the interval was found.
    replicates
        The differences of the resampled tables, shape (n_resamples,); None if they were not kept or nothing was drawn.

    Examples
    --------
    >>> import gpuval
    >>> gpuval.compare_scores([0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 0], method="jackknife")
    1.000 [1.000, 1.000], p = nan
    >>> truth, first, second = [0, 0, 0, 1, 1, 1] * 9, [0, 0, 0, 1, 1, 2] * 9, [0, 0, 1, 1, 2, 2] * 9
    >>> gpuval.compare_scores(truth, first, second, method="jackknife")
    0.342 [0.094, 0.591], p = 0.0077: first is better
    """

    first: Any
    second: Any
    difference: Any
    low: Any
    high: Any
    standard_error: Any
    z: Any
    p_value: Any
    better: str
    confidence_level: float
    method: str
    replicates: Any = None

    def __repr__(self) -> str:
        which = f": {self.better} is better" if self.better else ""
        interval = f"{rounded(self.difference)} [{rounded(self.low)}, {rounded(self.high)}]"
        return f"{interval}, p = {float(plain(self.p_value)):.2g}{which}"

    def to_dict(self) -> dict[str, Any]:
        """The numbers as Python numbers, without the replicates (copies to the host)."""
        names = [field.name for field in fields(self) if field.name != "replicates"]
        return {name: plain(getattr(self, name)) for name in names}

    def to_pandas(self) -> Any:
        """The numbers as a pandas Series (copies to the host), without the replicates."""
        with needed("to_pandas()", "pandas"):
            import pandas as pd

        return pd.Series(self.to_dict(), dtype=object, name="difference")
