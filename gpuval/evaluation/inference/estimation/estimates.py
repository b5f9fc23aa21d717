"""A score with its uncertainty, and those of several measures: they print as a table and go to pandas."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from gpuval.evaluation.inference.results_by_name import ResultsByName
from gpuval.evaluation.results.scores import plain, rounded
from gpuval.inputs.options import needed

__all__ = ["ScoreEstimate", "ScoreEstimates"]


@dataclass(frozen=True, eq=False, repr=False)
class ScoreEstimate:
    """A score, its standard error and its confidence interval; numbers of the labels' library, on their device.

    Attributes
    ----------
    score
        The score of all samples.
    low, high
        The ends of the confidence interval.
    standard_error
        The standard deviation that the score would have over other samples of the same population.
    bias
        How much larger the score is than its limit for ever more samples, on average, as far as resampling tells.
    acceleration
        How fast the standard error changes with the score, by the jackknife; NaN where it was not asked for.
    confidence_level
        How often such intervals contain the limit.
    method
        How the interval was found.
    replicates
        The scores of resampled tables, shape (n_resamples,); None for the jackknife.

    Examples
    --------
    >>> import gpuval
    >>> estimate = gpuval.jackknife("ari", [0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 0, 1, 1, 2, 2, 2])
    >>> estimate
    0.619 [-0.217, 1.455]
    """

    score: Any
    low: Any
    high: Any
    standard_error: Any
    bias: Any
    acceleration: Any
    confidence_level: float
    method: str
    replicates: Any = None

    def __repr__(self) -> str:
        return f"{rounded(self.score)} [{rounded(self.low)}, {rounded(self.high)}]"

    def to_dict(self) -> dict[str, Any]:
        """The numbers as those of Python (copies to the host), without the replicates."""
        names = [field.name for field in fields(self) if field.name != "replicates"]
        return {name: plain(getattr(self, name)) for name in names}

    def to_pandas(self) -> Any:
        """The numbers as a pandas Series (copies to the host), without the replicates."""
        with needed("to_pandas()", "pandas"):
            import pandas as pd

        return pd.Series(self.to_dict(), dtype=object, name="estimate")


class ScoreEstimates(ResultsByName[ScoreEstimate]):
    """The estimate of each measure by its name; prints as a table.

    As in an :class:`Evaluation`, a short name finds the estimate of its measure, too.
    """
