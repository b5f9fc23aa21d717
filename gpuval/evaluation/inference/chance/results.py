"""A score beside what is expected by chance, and those of several measures: they print as a table and go to pandas."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from gpuval.evaluation.inference.results_by_name import ResultsByName
from gpuval.evaluation.results.scores import plain, rounded
from gpuval.inputs.options import needed

__all__ = ["PermutationTest", "PermutationTests"]


@dataclass(frozen=True, eq=False, repr=False)
class PermutationTest:
    """A score, and how it compares with those of permuted labels; numbers of the labels' library, on their device.

    Attributes
    ----------
    score
        The score of the table.
    p_value
        The probability of a score that is as good or better, by chance.
    mid_p_value
        The same with half the probability of one that is as good: 1/2 on average, by chance.
    z
        The score less ``null_mean``, as a multiple of ``null_standard_deviation``; NaN where that is 0.
    null_mean, null_standard_deviation
        Of the scores of permuted labels.
    n_resamples
        How many random tables were drawn; 0 for moments.
    family_wise_p_value
        Of one of several labelings: the probability that any of them is as far above its mean, in standard deviations.
        None for a single one.
    false_discovery_p_value
        Of one of several labelings: its p-value, adjusted by Benjamini and Hochberg. None for a single one.

    Examples
    --------
    >>> import gpuval
    >>> test = gpuval.permutation_test("ari", [0, 0, 0, 1, 1, 1] * 3, [0, 0, 1, 1, 1, 1] * 3, random_state=0)
    >>> test
    0.414, p = 0.005, z = 5.76
    """

    score: Any
    p_value: Any
    mid_p_value: Any
    z: Any
    null_mean: Any
    null_standard_deviation: Any
    n_resamples: int
    family_wise_p_value: Any = None
    false_discovery_p_value: Any = None

    def __repr__(self) -> str:
        family = "" if self.family_wise_p_value is None else f" ({rounded(self.family_wise_p_value)} of all)"
        return f"{rounded(self.score)}, p = {rounded(self.p_value)}{family}, z = {float(plain(self.z)):.2f}"

    def to_dict(self) -> dict[str, Any]:
        """The numbers as those of Python (copies to the host), without those that are None."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: plain(value) for name, value in values.items() if value is not None}

    def to_pandas(self) -> Any:
        """The numbers as a pandas Series (copies to the host)."""
        with needed("to_pandas()", "pandas"):
            import pandas as pd

        return pd.Series(self.to_dict(), dtype=object, name="permutation_test")


class PermutationTests(ResultsByName[PermutationTest]):
    """The test of each measure, or of each labeling, by its name; prints as a table."""
