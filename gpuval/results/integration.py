"""The scores of an embedding, with the means of both groups, and those of several embeddings side by side."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from gpuval.display.digits import NONE, USUAL_DECIMALS, bar_text, score_text
from gpuval.display.html import HtmlCell, HtmlRow, html_table
from gpuval.display.tables import Printable, ResultMapping, TextTable
from gpuval.display.text import Block, column_blocks, readable_name, shorten_middle, text_width, visible, wrap
from gpuval.inputs.options import require_extra
from gpuval.results.scores import plain
from gpuval.table.labels import pandas_index

__all__ = ["IntegrationComparison", "IntegrationScores"]

_BIO, _BATCH, _TOTAL = "Bio conservation", "Batch correction", "Total"

_WIDEST_NAME = 40
"""Of a score that is printed beside a reason."""

_SHARES = {_BIO: 0.6, _BATCH: 0.4}
"""What each group makes of the total."""


class IntegrationScores(ResultMapping[str, Any]):
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
    Bio conservation  0.700  ███████░░░
      cLISI           0.900  █████████░
      KMeans NMI      0.500  █████░░░░░
    Batch correction  0.200  ██░░░░░░░░
      iLISI           0.200  ██░░░░░░░░
      PCR comparison      –  needs unintegrated=
    Total             0.500  █████░░░░░
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

    def _tables(self) -> Sequence[Printable]:
        rows = []
        for group, names in self.groups.items():
            rows.append([group, *self._score_and_bar(group)])
            rows += [
                [f"  {name}", NONE, self.left_out[name]]
                if name in self.left_out
                else [f"  {name}", *self._score_and_bar(name)]
                for name in names
            ]
        return [_ScoresAndReasons([*rows, [_TOTAL, *self._score_and_bar(_TOTAL)]])]

    def _score_and_bar(self, name: str) -> tuple[str, str]:
        score = float(plain(self[name]))
        return score_text(score, USUAL_DECIMALS), bar_text(score)

    def to_dict(self) -> dict[str, float]:
        """The scores as a dictionary of Python numbers (copies to the host)."""
        return {name: float(plain(score)) for name, score in self.items()}

    def to_pandas(self) -> Any:
        """The scores as a pandas Series (copies to the host)."""
        with require_extra("to_pandas()", "pandas"):
            import pandas as pd

        return pd.Series(self.to_dict(), name="score")


class _ScoresAndReasons(NamedTuple):
    """Names, scores, and a bar, or why there is no score."""

    rows: Sequence[Sequence[str]]

    def blocks(self) -> list[Block]:
        """A line for each score; a reason goes on below itself."""
        names = [shorten_middle(visible(name), _WIDEST_NAME) for name, *_ in self.rows]
        cells = [[name, score] for name, (_, score, _) in zip(names, self.rows, strict=True)]
        ((_, *scores),) = column_blocks([["", ""], *cells])
        room = max(map(text_width, scores)) + 2
        block = []
        for score, (*_, reason) in zip(scores, self.rows, strict=True):
            first, *rest = wrap(reason, room).split("\n")
            block += [f"{score}  {first.strip()}".rstrip(), *rest]
        return [block]

    def html(self) -> str:
        """The same as a table."""
        return TextTable(["", "", ""], self.rows, left=(0, 2)).html()


def _mean(scores: list[Any]) -> Any:
    return sum(scores[1:], scores[0]) / len(scores) if scores else float("nan")


# The scores of several embeddings side by side.

_WIDEST_EMBEDDING = 24
_KIND, _OF_MEANS = "Metric Type", "Aggregate score"
"""What scib-metrics calls the row of groups, and the group of their means."""


class IntegrationComparison(ResultMapping[str, IntegrationScores]):
    """A mapping from the names of several embeddings to their scores; prints as a table.

    In a notebook, the best embedding by each score is bold.

    Examples
    --------
    >>> from gpuval import IntegrationComparison, IntegrationScores
    >>> of_pca = IntegrationScores({"cLISI": 1.0}, {"iLISI": 0.1, "KBET": 0.2})
    >>> of_scvi = IntegrationScores({"cLISI": 0.9}, {"iLISI": 0.7, "KBET": 0.4})
    >>> found = IntegrationComparison({"X_pca": of_pca, "X_scVI": of_scvi})
    >>> found
                      X_pca  X_scVI
    Bio conservation  1.000   0.900
      cLISI           1.000   0.900
    Batch correction  0.150   0.550
      iLISI           0.100   0.700
      KBET            0.200   0.400
    Total             0.660   0.760
    >>> found.to_pandas()["Total"].idxmax()
    'X_scVI'
    """

    def __init__(self, scores: Mapping[str, IntegrationScores]) -> None:
        self._scores = dict(scores)

    def __getitem__(self, embedding: str) -> IntegrationScores:
        return self._scores[embedding]

    def __iter__(self) -> Iterator[str]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    def to_pandas(self, *, metric_type: bool = False) -> Any:
        """The scores as a pandas DataFrame (copies to the host), with the layout of ``Benchmarker.get_results()``.

        Parameters
        ----------
        metric_type
            Whether to add a last row, "Metric Type", with the group of each score, as scib-metrics does. The columns
            then hold objects.

        Returns
        -------
        pandas.DataFrame
            A row for each embedding and a column for each score: first the scores of bio conservation, then those of
            batch correction, then "Batch correction", "Bio conservation" and "Total". NaN for a score that was left
            out.
        """
        with require_extra("to_pandas()", "pandas"):
            import pandas as pd

        groups = self._groups()
        kinds = {name: group for group, names in groups.items() for name in names}
        kinds |= dict.fromkeys([*sorted(groups), _TOTAL] if groups else [], _OF_MEANS)
        rows = [scores.to_dict() for scores in self.values()]
        cells = [[row.get(name, math.nan) for name in kinds] for row in rows]
        index = pandas_index(pd, [*self], name="Embedding", tupleize_cols=False)
        frame = pd.DataFrame(cells, index=index, columns=[*kinds], dtype=float)
        if not metric_type:
            return frame
        last = pd.DataFrame([list(kinds.values())], index=pandas_index(pd, [_KIND], name="Embedding"), columns=[*kinds])
        return pd.concat([frame.astype(object), last])

    def _groups(self) -> dict[str, list[str]]:
        """The names of the scores of each group, over all embeddings."""
        groups: dict[str, list[str]] = {}
        for scores in self.values():
            for group, names in scores.groups.items():
                groups[group] = list(dict.fromkeys([*groups.get(group, []), *names]))
        return groups

    def _tables(self) -> Sequence[Printable]:
        lines = [line for group, names in self._groups().items() for line in (group, *(f"  {name}" for name in names))]
        columns = [scores.to_dict() for scores in self.values()]
        rows = {line: [column.get(line.strip(), math.nan) for column in columns] for line in [*lines, _TOTAL]}
        return [_SideBySide([readable_name(name) for name in self], rows, self._notes())]

    def _notes(self) -> list[str]:
        """Why scores were left out, and for which embeddings, if not for all."""
        found: dict[tuple[str, str], list[Any]] = {}
        for embedding, scores in self.items():
            for reason in scores.left_out.items():
                found.setdefault(reason, []).append(embedding)
        return [
            f"{name}: {reason}" if len(of) == len(self) else f"{name} of {', '.join(map(readable_name, of))}: {reason}"
            for (name, reason), of in found.items()
        ]


class _SideBySide(NamedTuple):
    """Scores in rows, embeddings in columns, and the notes below."""

    embeddings: list[str]
    rows: Mapping[str, Sequence[float]]
    notes: Sequence[str]

    def blocks(self) -> list[Block]:
        """Blocks of lines of text."""
        cells = [[name, *map(_text, values)] for name, values in self.rows.items()]
        notes = [line for note in self.notes for line in wrap(note).split("\n")]
        return [
            *column_blocks([["", *self.embeddings], *cells], widest_head=_WIDEST_EMBEDDING),
            *([notes] if notes else []),
        ]

    def html(self) -> str:
        """A table for a notebook."""
        rows = [HtmlRow([name], list(_cells(values))) for name, values in self.rows.items()]
        return html_table(["", *self.embeddings], rows, note="; ".join(self.notes))


def _text(value: float) -> str:
    return score_text(value, USUAL_DECIMALS)


def _cells(values: Sequence[float]) -> Iterator[HtmlCell]:
    """The values as cells of the table, the largest of several in bold."""
    best = max((x for x in values if not math.isnan(x)), default=math.nan)
    for value in values:
        yield HtmlCell(_text(value), title=repr(value), is_best=len(values) > 1 and value == best)
