"""The result of a permutation test, and a mapping of several: they print as a table and convert to pandas."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from gpuval.evaluation.inference.results_by_name import ResultsByName
from gpuval.evaluation.results.scores import plain, rounded
from gpuval.inputs.options import needed

__all__ = ["PermutationTest", "PermutationTests"]


@dataclass(frozen=True, eq=False, repr=False)
class PermutationTest:
    """A score compared with the scores of permuted labels: the result of :func:`permutation_test`.

    Its numbers are in the library and on the device of the labels.

    Attributes
    ----------
    score
        The score of the table.
    p_value
        The probability of a score that is as good or better, by chance.
    mid_p_value
        The same, but scores that are exactly as good count one half; by chance, it is 1/2 on average.
    z
        (``score`` - ``null_mean``) / ``null_standard_deviation``; NaN if the standard deviation is 0.
    null_mean, null_standard_deviation
        The mean and the standard deviation of the scores of permuted labels.
    n_resamples
        The number of random tables that were drawn; 0 for the method "moments".
    family_wise_p_value
        For one of several labelings: the probability that any of them is as many standard deviations above its mean, by
        chance. None for a single labeling.
    false_discovery_p_value
        For one of several labelings: its p-value, adjusted by the method of Benjamini and Hochberg. None for a single
        labeling.

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
        """The numbers as Python numbers, without those that are None (copies to the host)."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        return {name: plain(value) for name, value in values.items() if value is not None}

    def to_pandas(self) -> Any:
        """The numbers as a pandas Series (copies to the host)."""
        with needed("to_pandas()", "pandas"):
            import pandas as pd

        return pd.Series(self.to_dict(), dtype=object, name="permutation_test")


class PermutationTests(ResultsByName[PermutationTest]):
    """The test of each measure, or of each labeling, by its name; prints as a table."""
