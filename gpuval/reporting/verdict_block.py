"""The block at the top of a page: what is found, how far the best labelings are apart, and what to be careful about."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gpuval.display.digits import BEHIND, HIGHEST, TIED, count_text, gap_text
from gpuval.reporting.scores_table import ScoresOfLabelings
from gpuval.reporting.sentences import name_text
from gpuval.results.scores import plain

_MOST_ROWS = 4
"""Labelings in the small table."""


class Caution(NamedTuple):
    """What to be careful about, and the section where it is seen; empty if there is none."""

    text: str
    place: str = ""


class VoiceCell(NamedTuple):
    """A score or a gap, with its sign."""

    mark: str
    text: str
    fill: str
    about: str


class VoiceRow(NamedTuple):
    """A labeling and its gap to the highest one by each voice."""

    name: str
    clusters: str
    cells: Sequence[VoiceCell]
    is_chosen: bool


class VerdictBlock(NamedTuple):
    """All that the block shows."""

    headline: str
    sentences: Sequence[str]
    voices: Sequence[tuple[str, str]]
    """The short name of each voice, and what it counts alike."""
    rows: Sequence[VoiceRow]
    cautions: Sequence[Caution]


def verdict_block(verdict: Any, scores: ScoresOfLabelings, cautions: Sequence[Caution]) -> VerdictBlock:
    """The block of a verdict."""
    voices = [(x.short, x.counts) for x in verdict.voices]
    rows = [] if len(scores.names) < 2 else [_row(name, verdict, scores) for name in _names(verdict)]
    return VerdictBlock(verdict.headline, verdict.sentences[1:], voices, rows, cautions)


def _names(verdict: Any) -> list[Any]:
    """The labelings that are highest by a voice, then those that no voice tells apart from them, if these are few."""
    highest = list(dict.fromkeys(x.best for x in verdict.voices if x.best is not None))
    core = [x for x in verdict.core if x not in highest]
    return highest + core * (len(highest) + len(core) <= _MOST_ROWS)


def _row(name: Any, verdict: Any, scores: ScoresOfLabelings) -> VoiceRow:
    n_clusters = scores.clusters.get(name, "")
    clusters = f"{count_text(n_clusters)} cluster{'s' * (n_clusters != 1)}" if n_clusters != "" else ""
    cells = [_cell(name, voice, scores) for voice in verdict.voices]
    return VoiceRow(name_text(name), clusters, cells, name in (scores.chosen,))


def _cell(name: Any, voice: Any, scores: ScoresOfLabelings) -> VoiceCell:
    if voice.best is None:
        return VoiceCell("", "\N{EN DASH}", "", "no score")
    if name in (voice.best,):
        return VoiceCell(HIGHEST, scores.text_of(voice.name, name), "best", "highest")
    gap = _gap(name, voice, scores)
    text = "\N{EN DASH}" if math.isnan(gap) else gap_text(gap, scores.decimals_of(voice.name))
    if voice.best_set is None or math.isnan(gap):
        return VoiceCell("", text, "", "")
    is_tied = name in voice.best_set
    said = "not told apart from the highest" if is_tied else "behind the highest"
    return VoiceCell(TIED if is_tied else BEHIND, text, "tie" if is_tied else "", said)


def _gap(name: Any, voice: Any, scores: ScoresOfLabelings) -> float:
    """How far a score is from the highest one, for the samples of both."""
    gaps: Mapping[Any, Any] = voice.gaps or {}
    if name in gaps:
        return -float(plain(gaps[name].difference))
    numbers = scores.numbers[voice.name]
    return numbers[name].score - numbers[voice.best].score if name in numbers else math.nan
