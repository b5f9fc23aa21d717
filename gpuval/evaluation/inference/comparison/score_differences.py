"""The result of comparing many clusterings: their scores, their ranks, and the differences of all pairs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from gpuval.display.mappings import NamedResults, Shown, ShownTable
from gpuval.display.safe_text import shown_name
from gpuval.evaluation.inference.comparison.score_difference import ScoreDifference
from gpuval.evaluation.inference.estimation.estimates import ScoreEstimates
from gpuval.evaluation.results.scores import plain
from gpuval.inputs.options import needed
from gpuval.numerics import Array
from gpuval.table.labels import pandas_index

__all__ = ["ScoreDifferences"]


class ScoreDifferences(NamedResults[tuple[Any, Any], ScoreDifference]):
    """The differences of all pairs of clusterings: the result of :func:`compare_many_scores`. It prints as a table.

    ``found[a, b]`` is the :class:`ScoreDifference` of the clusterings named a and b: the score of a minus that of b.
    Its interval, its p-value and ``better`` are of all pairs together: they are family-wise.
    Both orders of two names are found; iteration gives the pairs with the better clustering first. The table is sorted
    from the best clustering on. It shows the scores, and their differences to the best one with family-wise p-values.

    Attributes
    ----------
    scores
        A mapping from names, in the order in which they were given, to the :class:`ScoreEstimate` of each clustering.
    ranks
        A mapping from names to ranks: 1 for the best clustering; equal scores have the same rank.
    ranking
        The names, from the best clustering on.
    best
        The name of the best clustering.
    p_values, p_family_wise, p_false_discovery
        The p-values of all pairs, shape (n_labelings, n_labelings), in the order of ``scores``, with 1 on the diagonal:
        not adjusted; adjusted family-wise; and adjusted for the false discovery rate. :func:`compare_many_scores`
        explains the adjustments.

    Examples
    --------
    >>> import gpuval
    >>> truth = [0, 0, 0, 1, 1, 1, 2, 2, 2] * 3
    >>> labelings = {"coarse": [x > 0 for x in truth], "exact": truth, "mixed": [0, 0, 1, 1, 1, 2, 2, 2, 0] * 3}
    >>> found = gpuval.compare_many_scores(truth, labelings, method="jackknife")
    >>> found.ranking
    ['exact', 'coarse', 'mixed']
    >>> found["exact", "mixed"].better
    'first'
    """

    def __init__(
        self,
        scores: ScoreEstimates,
        ranks: Mapping[Any, int],
        differences: Mapping[tuple[Any, Any], ScoreDifference],
        p_values: Array,
        p_family_wise: Array,
        p_false_discovery: Array,
    ) -> None:
        self.scores = scores
        self.ranks = dict(ranks)
        self.ranking = sorted(scores, key=self.ranks.__getitem__)
        self.p_values = p_values
        self.p_family_wise = p_family_wise
        self.p_false_discovery = p_false_discovery
        self._differences = dict(differences)

    @property
    def best(self) -> Any:
        """The name of the best clustering."""
        return self.ranking[0]

    @property
    def to_best(self) -> dict[Any, ScoreDifference]:
        """The difference of each other clustering to the best one."""
        return {name: self[name, self.best] for name in self.ranking[1:]}

    @property
    def to_next(self) -> dict[Any, ScoreDifference]:
        """The difference of each clustering to the next one of the ranking; the last one has none."""
        return {name: self[name, other] for name, other in zip(self.ranking, self.ranking[1:], strict=False)}

    def __getitem__(self, names: tuple[Any, Any]) -> ScoreDifference:
        exchanged = self._differences.get(names[::-1]) if isinstance(names, tuple) else None
        return self._differences[names] if exchanged is None else _exchanged(exchanged)

    def __iter__(self) -> Iterator[tuple[Any, Any]]:
        return iter(self._differences)

    def __len__(self) -> int:
        return len(self._differences)

    def _tables(self) -> Sequence[Shown]:
        rows = [[shown_name(x), repr(self.scores[x]), *self._beside_the_best(x)] for x in self.ranking]
        return [ShownTable(["", "score", "difference to the best", "p (family-wise)"], rows, left=(0, 1, 2))]

    def _beside_the_best(self, name: Any) -> list[str]:
        if name in self.ranking[:1]:  # NaN is in it, but does not equal itself
            return ["", ""]
        interval, _, _ = repr(self[name, self.best]).partition(", p = ")
        return [interval, f"{self._adjusted(self.p_family_wise)[name]:.2g}"]

    def _adjusted(self, p_values: Array) -> dict[Any, float]:
        """The p-values of the best clustering and each other one."""
        row: list[float] = plain(p_values)[list(self.scores).index(self.best)]
        return dict(zip(self.scores, row, strict=True))

    def to_pandas(self) -> Any:
        """A pandas DataFrame with a row for each clustering, from the best one on (copies to the host).

        It has the rank and the score with its interval and standard error, then the difference to the best clustering
        with its interval and p-values. These are NaN for the best clustering itself.
        """
        with needed("to_pandas()", "pandas"):
            import pandas as pd

        family, discoveries = self._adjusted(self.p_family_wise), self._adjusted(self.p_false_discovery)
        rows = []
        for name in self.ranking:
            score = self.scores[name].to_dict()
            row = {"rank": self.ranks[name]} | {key: score[key] for key in ("score", "low", "high", "standard_error")}
            if name not in self.ranking[:1]:
                to_best = self[name, self.best].to_dict()
                row |= {"difference": to_best["difference"]}
                row |= {f"difference_{key}": to_best[key] for key in ("low", "high")}
                row |= {"p_value": to_best["p_value"]}
                row |= {"p_family_wise": family[name], "p_false_discovery": discoveries[name]}
            rows.append(row)
        return pd.DataFrame(rows, index=pandas_index(pd, self.ranking, tupleize_cols=False))


def _exchanged(x: ScoreDifference) -> ScoreDifference:
    """The difference of the second and the first; 0 is subtracted from, not negated, so that no -0 is seen."""
    return replace(
        x,
        first=x.second,
        second=x.first,
        difference=0 - x.difference,
        low=0 - x.high,
        high=0 - x.low,
        z=0 - x.z,
        better={"first": "second", "second": "first"}.get(x.better, ""),
    )
