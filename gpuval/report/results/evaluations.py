"""What ``evaluate`` and ``compare`` return: scores by their names, which print as a table and go to pandas."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

from gpuval.display.text_tables import aligned
from gpuval.engines.backends import trees
from gpuval.inputs.options import needed
from gpuval.report.inference.beside_scores.best_labeling import BestLabelings
from gpuval.report.inference.estimation.estimates import ScoreEstimate, ScoreEstimates
from gpuval.report.results.scores import ByMeasure, equal, index_of_names, parts, plain, printed

__all__ = ["Comparison", "Evaluation"]

_OF_INTERVALS = ("low", "high", "standard_error")


class Evaluation(ByMeasure[Any]):
    """Scores by the name of their measure; prints as a table.

    The names are the full ones of the measures, or those that a mapping gave them; a short name finds the score of its
    measure, too. For JAX and PyTorch it is a tree of its scores, without intervals, which ``jax.jit`` gives back. Two
    evaluations are equal if they have the same names and the same scores, wherever these are. Where a measure gives a
    tuple of scores, what is printed and ``to_dict()`` have an entry ``name.part`` for each part.

    Attributes
    ----------
    intervals
        The :class:`ScoreEstimate` of each measure that gives one number, by the same names; None without
        ``confidence_level``.

    Examples
    --------
    >>> import gpuval
    >>> scores = gpuval.evaluate([0, 0, 1, 1], [1, 1, 0, 0], ["adjusted_rand_score", "purity_score"])
    >>> scores
    adjusted_rand_score  1.0000
    purity_score         1.0000
    >>> float(scores["ari"])
    1.0

    With a level, intervals are printed beside the scores:

    >>> labels = [0, 0, 0, 1, 1, 1, 2, 2], [0, 0, 0, 1, 1, 2, 2, 2]
    >>> scores = gpuval.evaluate(*labels, ["nmi"], confidence_level=0.95)
    >>> scores
    normalized_mutual_info_score  0.779 [0.367, 1.192]
    >>> round(float(scores.intervals["nmi"].standard_error), 3)
    0.21
    """

    def __init__(self, scores: Mapping[Any, Any], intervals: ScoreEstimates | None = None) -> None:
        trees.register(Evaluation)
        super().__init__(scores)
        self.intervals = intervals

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        return set(self) == set(other) and all(equal(score, other[name]) for name, score in self.items())

    def __repr__(self) -> str:
        lines = [(str(name), text) for name, text in self.shown()]
        width = max((len(name) for name, _ in lines), default=0)
        return "\n".join(f"{name:<{width}}  {score}" for name, score in lines) or "Evaluation({})"

    def shown(self) -> Iterator[tuple[Any, str]]:
        """What is printed of each score, or of each part of one: four decimals, or three and the interval."""
        estimates = self._estimates()
        for name, score in parts(self):
            yield name, repr(estimates[name]) if name in estimates else printed(score)

    def to_dict(self) -> dict[Any, Any]:
        """The scores as Python numbers, and arrays as nested lists (copies to the host).

        With intervals there are ``name.low``, ``name.high`` and ``name.standard_error``, too.
        """
        return self.numbers(*_OF_INTERVALS)

    def numbers(self, *fields: str) -> dict[Any, Any]:
        """The scores as Python numbers; after each that has an interval, these fields of its estimate."""
        estimates = self._estimates()
        found = {}
        for name, score in parts(self):
            found[name] = plain(score)
            if name in estimates:
                found |= {f"{name}.{field}": plain(getattr(estimates[name], field)) for field in fields}
        return found

    def to_pandas(self) -> Any:
        """The scores as a pandas Series (copies to the host).

        With intervals a DataFrame with a row for each measure, or for each part of its score, and the columns score,
        low, high and standard_error.
        """
        with needed("to_pandas()", "pandas"):
            import pandas as pd

        scores = self.numbers()
        index = index_of_names(pd, scores)
        if self.intervals is None:
            return pd.Series(list(scores.values()), index=index, name="score")
        estimates = self._estimates()
        columns = {"score": list(scores.values())} | {
            field: [plain(getattr(estimates[name], field)) if name in estimates else math.nan for name in scores]
            for field in _OF_INTERVALS
        }
        return pd.DataFrame(columns, index=index)

    def _estimates(self) -> dict[Any, ScoreEstimate]:
        return {} if self.intervals is None else dict(self.intervals)


class Comparison(Mapping[Any, Evaluation]):
    """The evaluation of each labeling by its name; prints as a table with a row for each labeling.

    Attributes
    ----------
    best
        Of each measure the :class:`BestLabeling`: which labeling has the best score, and how far it is ahead of the
        next one; None without ``confidence_level``, and where there is no more than one labeling.

    Examples
    --------
    >>> import gpuval
    >>> labelings = {"good": [1, 1, 0, 0], "bad": [0, 1, 0, 1]}
    >>> gpuval.compare([0, 0, 1, 1], labelings, ["adjusted_rand_score", "purity_score"])
          adjusted_rand_score  purity_score
    good               1.0000        1.0000
    bad               -0.5000        0.5000
    """

    def __init__(self, evaluations: Mapping[Any, Evaluation], best: BestLabelings | None = None) -> None:
        trees.register(Comparison)
        self._evaluations: dict[Any, Evaluation] = dict(evaluations)
        self.best = best

    def __getitem__(self, name: Any) -> Evaluation:
        return self._evaluations[name]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._evaluations)

    def __len__(self) -> int:
        return len(self._evaluations)

    def __repr__(self) -> str:
        if not self:
            return "Comparison({})"
        printed_scores = [{str(part): text for part, text in scores.shown()} for scores in self.values()]
        metrics = list(dict.fromkeys(part for row in printed_scores for part in row))
        rows = [["", *metrics]]
        for name, row in zip(self, printed_scores, strict=True):
            rows.append([str(name), *(row.get(metric, "") for metric in metrics)])
        return "\n".join(map("  ".join, aligned(rows)))

    def to_pandas(self) -> Any:
        """The scores as a pandas DataFrame (copies to the host).

        A row for each labeling, and a column for each measure, or for each part of its score; with intervals there are
        ``name.low`` and ``name.high``, too.
        """
        with needed("to_pandas()", "pandas"):
            import pandas as pd

        rows = [scores.numbers("low", "high") for scores in self.values()]
        metrics = list(dict.fromkeys(metric for row in rows for metric in row))
        cells = [[row.get(metric) for metric in metrics] for row in rows]
        return pd.DataFrame(cells, index=index_of_names(pd, self), columns=index_of_names(pd, metrics))
