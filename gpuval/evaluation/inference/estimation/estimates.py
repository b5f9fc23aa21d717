"""A score with its uncertainty, and a mapping of several: they print as a table and convert to pandas."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from gpuval.evaluation.inference.results_by_name import ResultsByName
from gpuval.evaluation.results.scores import plain, rounded
from gpuval.inputs.options import needed

__all__ = ["ScoreEstimate", "ScoreEstimates"]


@dataclass(frozen=True, eq=False, repr=False)
class ScoreEstimate:
    """A score with its standard error and its interval: the result of :func:`bootstrap` and :func:`jackknife`.

    Its numbers are in the library and on the device of the labels.

    Attributes
    ----------
    score
        The score of all samples.
    low, high
        The ends of the confidence interval, which are within the range of the measure.
    standard_error
        An estimate of the standard deviation that the score would have over other samples of the same population.
    bias
        An estimate of how much larger the score is, on average, than its limit for more and more samples.
    acceleration
        How fast the standard error changes with the score, by the jackknife; NaN if no method needed it.
    confidence_level
        The share of such intervals that contain the limit.
    method
        The method by which the interval was found.
    replicates
        The scores of the resampled tables, shape (n_resamples,); None for the jackknife.

    Examples
    --------
    >>> import gpuval
    >>> estimate = gpuval.jackknife("ari", [0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 0, 1, 1, 2, 2, 2])
    >>> estimate
    0.619 [-0.390, 1.000]
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
        """The numbers as Python numbers, without the replicates (copies to the host)."""
        names = [field.name for field in fields(self) if field.name != "replicates"]
        return {name: plain(getattr(self, name)) for name in names}

    def to_pandas(self) -> Any:
        """The numbers as a pandas Series (copies to the host), without the replicates."""
        with needed("to_pandas()", "pandas"):
            import pandas as pd

        return pd.Series(self.to_dict(), dtype=object, name="estimate")


class ScoreEstimates(ResultsByName[ScoreEstimate]):
    """The estimate of each measure by its name; prints as a table.

    A short name such as "ari" finds the estimate of its measure, too, as in an :class:`Evaluation`.
    """
