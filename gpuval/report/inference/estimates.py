"""A score with its uncertainty, and those of several measures: they print as a table and go to pandas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any

from gpuval.inputs.options import needed
from gpuval.report.registry import SHORT_NAMES
from gpuval.report.scores import plain, rounded
from gpuval.report.text_tables import aligned

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


class ResultsByName(Mapping[Any, Any]):
    """Results by the names of their measures, each with ``to_dict()``; prints as a table.

    As in an :class:`Evaluation`, a short name finds the result of its measure, too.
    """

    def __init__(self, results: Mapping[Any, Any]) -> None:
        self._results = dict(results)

    def __getitem__(self, name: Any) -> Any:
        full = SHORT_NAMES.get(name.lower()) if isinstance(name, str) and name not in self._results else None
        return self._results[full if full in self._results else name]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def __repr__(self) -> str:
        rows = [[str(name), repr(result)] for name, result in self.items()]
        return (
            "\n".join("  ".join(row).rstrip() for row in aligned(rows, 2)) if rows else f"{type(self).__name__}({{}})"
        )

    def to_pandas(self) -> Any:
        """The numbers as a pandas DataFrame with a row for each measure (copies to the host)."""
        with needed("to_pandas()", "pandas"):
            import pandas as pd

        rows = [result.to_dict() for result in self.values()]
        return pd.DataFrame(rows, index=pd.Index(list(self), tupleize_cols=False))


class ScoreEstimates(ResultsByName):
    """The estimate of each measure by its name; prints as a table.

    As in an :class:`Evaluation`, a short name finds the estimate of its measure, too.
    """
