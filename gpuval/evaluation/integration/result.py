"""The result of ``integration_scores``: scores by their names, the means of both groups, and what was left out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gpuval.display.mappings import NamedResults, Shown, ShownTable
from gpuval.display.safe_text import shortened_inside, text_width, visible
from gpuval.display.text_tables import Block, in_blocks, wrapped
from gpuval.evaluation.results.scores import plain, printed
from gpuval.inputs.options import needed

__all__ = ["IntegrationScores"]

_BIO, _BATCH, _TOTAL = "Bio conservation", "Batch correction", "Total"

_WIDEST_NAME = 40
"""Of a score that is printed beside a reason."""

_SHARES = {_BIO: 0.6, _BATCH: 0.4}
"""What each group makes of the total."""


class IntegrationScores(NamedResults[str, Any]):
    """A mapping from names to the scores of an integration, with the names of scib-metrics; prints as a table.

    It also has the mean of each group, "Bio conservation" and "Batch correction", and the "Total": 0.6 of the first
    mean plus 0.4 of the second. A score that has no value is NaN, does not count in a mean, and is in ``left_out``. If
    no score of a group has a value, the mean of the group and the total are NaN.

    Attributes
    ----------
    groups
        The names of the scores of each group.
    left_out
        A mapping from the scores that do not count in a mean to the reasons.
    by_label
        A mapping from the scores that are computed for each label to the scores of the labels: Python numbers, by the
        names of the labels.

    Examples
    --------
    >>> from gpuval import IntegrationScores
    >>> bio, batch = {"cLISI": 0.9, "KMeans NMI": 0.5}, {"iLISI": 0.2, "PCR comparison": float("nan")}
    >>> scores = IntegrationScores(bio, batch, {"PCR comparison": "needs unintegrated="})
    >>> scores
    Bio conservation  0.7000
      cLISI           0.9000
      KMeans NMI      0.5000
    Batch correction  0.2000
      iLISI           0.2000
      PCR comparison       -  needs unintegrated=
    Total             0.5000
    >>> scores["Total"]
    0.5
    """

    def __init__(
        self,
        bio: Mapping[str, Any],
        batch: Mapping[str, Any],
        left_out: Mapping[str, str] | None = None,
        by_label: Mapping[str, Mapping[Any, float]] | None = None,
    ) -> None:
        groups = {_BIO: bio, _BATCH: batch}
        self.groups = {group: tuple(scores) for group, scores in groups.items()}
        self.left_out = dict(left_out or {})
        self.by_label = {name: dict(scores) for name, scores in (by_label or {}).items()}
        means = {
            group: _mean([score for name, score in scores.items() if name not in self.left_out])
            for group, scores in groups.items()
        }
        total = sum(_SHARES[group] * mean for group, mean in means.items())
        self._found: dict[str, Any] = {**bio, **batch, **means, _TOTAL: total}

    def __getitem__(self, name: str) -> Any:
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def _tables(self) -> Sequence[Shown]:
        rows = []
        for group, names in self.groups.items():
            rows.append([group, printed(self[group]), ""])
            rows += [
                [f"  {name}", "-" if name in self.left_out else printed(self[name]), self.left_out.get(name, "")]
                for name in names
            ]
        return [_ScoresAndReasons([*rows, [_TOTAL, printed(self[_TOTAL]), ""]])]

    def to_dict(self) -> dict[str, float]:
        """The scores as a dictionary of Python numbers (copies to the host)."""
        return {name: float(plain(score)) for name, score in self.items()}

    def to_pandas(self) -> Any:
        """The scores as a pandas Series (copies to the host)."""
        with needed("to_pandas()", "pandas"):
            import pandas as pd

        return pd.Series(self.to_dict(), name="score")


class _ScoresAndReasons(NamedTuple):
    """Names, scores, and why there is none."""

    rows: Sequence[Sequence[str]]

    def blocks(self) -> list[Block]:
        """A line for each score; a reason goes on below itself."""
        names = [shortened_inside(visible(name), _WIDEST_NAME) for name, *_ in self.rows]
        cells = [[name, score] for name, (_, score, _) in zip(names, self.rows, strict=True)]
        ((_, *scores),) = in_blocks([["", ""], *cells])
        room = max(map(text_width, scores)) + 2
        block = []
        for score, (*_, reason) in zip(scores, self.rows, strict=True):
            first, *rest = wrapped(reason, room).split("\n")
            block += [f"{score}  {first.strip()}".rstrip(), *rest]
        return [block]

    def html(self) -> str:
        """The same as a table."""
        return ShownTable(["", "", ""], self.rows, left=(0, 2)).html()


def _mean(scores: list[Any]) -> Any:
    return sum(scores[1:], scores[0]) / len(scores) if scores else float("nan")
