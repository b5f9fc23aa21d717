"""What ``evaluate`` and ``compare`` return: scores by their names, which print as a table and go to pandas."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from gpuval.engines.backends import trees
from gpuval.inputs.options import needed
from gpuval.report.registry import SHORT_NAMES
from gpuval.report.scores import equal, parts, plain, printed
from gpuval.report.text_tables import aligned

__all__ = ["Comparison", "Evaluation"]


class Evaluation(Mapping[Any, Any]):
    """Scores by the name of their measure; prints as a table.

    The names are the full ones of the measures, or those that a mapping gave them; a short name finds the score of its
    measure, too. For JAX and PyTorch it is a tree of its scores, which ``jax.jit`` gives back. Two evaluations are
    equal if they have the same names and the same scores, wherever these are. Where a measure gives a tuple of scores,
    what is printed and ``to_dict()`` have an entry ``name.part`` for each part.

    Examples
    --------
    >>> import gpuval
    >>> scores = gpuval.evaluate([0, 0, 1, 1], [1, 1, 0, 0], ["adjusted_rand_score", "purity_score"])
    >>> scores
    adjusted_rand_score  1.0000
    purity_score         1.0000
    >>> float(scores["ari"])
    1.0
    """

    def __init__(self, scores: Mapping[Any, Any]) -> None:
        trees.register(Evaluation)
        self._scores = dict(scores)

    def __getitem__(self, name: Any) -> Any:
        full = SHORT_NAMES.get(name.lower()) if isinstance(name, str) and name not in self._scores else None
        return self._scores[full if full in self._scores else name]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        return set(self) == set(other) and all(equal(score, other[name]) for name, score in self.items())

    def __repr__(self) -> str:
        lines = [(str(name), printed(score)) for name, score in parts(self)]
        width = max((len(name) for name, _ in lines), default=0)
        return "\n".join(f"{name:<{width}}  {score}" for name, score in lines) or "Evaluation({})"

    def to_dict(self) -> dict[Any, Any]:
        """The scores as Python numbers, and arrays as nested lists (copies to the host)."""
        return {name: plain(score) for name, score in parts(self)}

    def to_pandas(self) -> Any:
        """The scores as a pandas Series, of what ``to_dict()`` has (copies to the host)."""
        with needed("to_pandas()", "pandas"):
            import pandas as pd

        scores = self.to_dict()
        return pd.Series(list(scores.values()), index=_index(pd, scores), name="score")


class Comparison(Mapping[Any, Evaluation]):
    """The evaluation of each labeling by its name; prints as a table with a row for each labeling.

    Examples
    --------
    >>> import gpuval
    >>> labelings = {"good": [1, 1, 0, 0], "bad": [0, 1, 0, 1]}
    >>> gpuval.compare([0, 0, 1, 1], labelings, ["adjusted_rand_score", "purity_score"])
          adjusted_rand_score  purity_score
    good               1.0000        1.0000
    bad               -0.5000        0.5000
    """

    def __init__(self, evaluations: Mapping[Any, Evaluation]) -> None:
        trees.register(Comparison)
        self._evaluations: dict[Any, Evaluation] = dict(evaluations)

    def __getitem__(self, name: Any) -> Evaluation:
        return self._evaluations[name]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._evaluations)

    def __len__(self) -> int:
        return len(self._evaluations)

    def __repr__(self) -> str:
        if not self:
            return "Comparison({})"
        printed_scores = [{str(part): printed(score) for part, score in parts(scores)} for scores in self.values()]
        metrics = list(dict.fromkeys(part for row in printed_scores for part in row))
        rows = [["", *metrics]]
        for name, row in zip(self, printed_scores, strict=True):
            rows.append([str(name), *(row.get(metric, "") for metric in metrics)])
        return "\n".join(map("  ".join, aligned(rows)))

    def to_pandas(self) -> Any:
        """The scores as a pandas DataFrame (copies to the host).

        A row for each labeling, and a column for each entry of an evaluation's ``to_dict()``.
        """
        with needed("to_pandas()", "pandas"):
            import pandas as pd

        rows = [scores.to_dict() for scores in self.values()]
        metrics = list(dict.fromkeys(metric for row in rows for metric in row))
        cells = [[row.get(metric) for metric in metrics] for row in rows]
        return pd.DataFrame(cells, index=_index(pd, self), columns=_index(pd, metrics))


def _index(pd: Any, names: Iterable[Any]) -> Any:
    """Names as an index of pandas.

    Tuples are its levels if all names are tuples of one length; else pandas would keep no more than the first parts.
    """
    names = list(names)
    lengths = {len(name) if isinstance(name, tuple) else 0 for name in names}
    return pd.Index(names, tupleize_cols=len(lengths) == 1)
