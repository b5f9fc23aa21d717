"""What comparing two clusterings gives: a difference with its interval and its p-value."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from gpuval.evaluation.results.scores import plain, rounded
from gpuval.inputs.options import needed

__all__ = ["ScoreDifference"]


@dataclass(frozen=True, eq=False, repr=False)
class ScoreDifference:
    """The difference of two scores with its uncertainty; numbers of the labels' library, on their device.

    Attributes
    ----------
    first, second
        The scores of the two clusterings.
    difference
        ``first - second``, whichever way the measure is better.
    low, high
        The ends of the confidence interval of the difference.
    standard_error
        The standard deviation that the difference would have over other samples of the same population: by the
        jackknife; of the methods "percentile" and "basic", which need no jackknife, that of the replicates.
    z
        The difference by its standard error; 0 where there is no difference, NaN where there is one and the standard
        error is 0.
    p_value
        How often so large a difference, in either direction, is seen where there is none. NaN of the method "jackknife"
        where the difference is not 0 and its standard error is: the difference is the same whichever sample is left
        out, which tells nothing of how it would vary. Of the bootstrap it counts resampled differences, while
        ``better`` follows the interval: near the confidence level they may disagree.
    better
        "first" or "second", or "" where the interval contains 0, ``p_value`` is NaN, or the measure has no better
        direction. It follows the interval, while ``p_value`` of the bootstrap counts resampled differences: near the
        confidence level they may disagree.
    confidence_level
        How often such intervals contain the difference.
    method
        How the interval was found.
    replicates
        The differences of resampled tables, shape (n_resamples,); None where they were not kept, or nothing was drawn.

    Examples
    --------
    >>> import gpuval
    >>> gpuval.compare_scores([0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 0, 0], method="jackknife")
    1.000 [1.000, 1.000], p = nan
    >>> truth, first, second = [0, 0, 0, 1, 1, 1] * 9, [0, 0, 0, 1, 1, 2] * 9, [0, 0, 1, 1, 2, 2] * 9
    >>> gpuval.compare_scores(truth, first, second, method="jackknife")
    0.342 [0.100, 0.585], p = 0.0056: first is better
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
        """The numbers as those of Python (copies to the host), without the replicates."""
        names = [field.name for field in fields(self) if field.name != "replicates"]
        return {name: plain(getattr(self, name)) for name in names}

    def to_pandas(self) -> Any:
        """The numbers as a pandas Series (copies to the host), without the replicates."""
        with needed("to_pandas()", "pandas"):
            import pandas as pd

        return pd.Series(self.to_dict(), dtype=object, name="difference")
