"""The block at the top of a page: what is found, how far the best labelings are apart, and what to be careful about."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

from gpuval.display.digits import BEHIND, HIGHEST, NONE, TIED, count_text, gap_text
from gpuval.reporting.scores_table import ScoresOfLabelings
from gpuval.reporting.sentences import name_text
from gpuval.results.inferences import ENDS, ends_text
from gpuval.results.verdict import Verdict, Voice

_PLACES = {
    "groups": "groups",
    "classes": "classes",
    "clusters": "scores",
    "donors": "groups",
    "luck": "scores",
    "alike": "pairs",
    "ignored": "data",
    "silhouettes": "silhouettes",
}
"""The section where it is seen what a caution is about."""

_FILLS = {HIGHEST: "best", TIED: "tie"}
_WORDS = {HIGHEST: "{}", TIED: "not told apart from the {}", BEHIND: "behind the {}"}


class LinkedCaution(NamedTuple):
    """What to be careful about, and the section where it is seen; empty if there is none."""

    text: str
    place: str


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
    ends: str
    """What the best scores are called."""
    sentences: Sequence[str]
    voices: Sequence[tuple[str, str]]
    """The short name of each voice, and what it counts alike."""
    rows: Sequence[VoiceRow]
    cautions: Sequence[LinkedCaution]


def verdict_block(verdict: Verdict, scores: ScoresOfLabelings, unit: str, keys: Collection[str]) -> VerdictBlock:
    """The block of a verdict; ``keys`` are the addresses of the sections that the page has."""
    ends = ends_text(x.direction for x in verdict.voices)
    voices = [(x.title, counts_text(x, unit)) for x in verdict.voices]
    rows = [_row(name, verdict, scores) for name in verdict.labelings] if len(scores.names) > 1 else []
    places = {about: place if place in keys else "" for about, place in _PLACES.items()}
    cautions = [LinkedCaution(x.text, places[x.about]) for x in verdict.cautions]
    return VerdictBlock(verdict.headline, ends, verdict.sentences[1:], voices, rows, cautions)


def counts_text(voice: Voice, unit: str) -> str:
    """What a measure counts alike, such as "each cell"; empty for other measures."""
    return f"each {unit if voice.counts == 'sample' else voice.counts}" if voice.counts else ""


def _row(name: Any, verdict: Verdict, scores: ScoresOfLabelings) -> VoiceRow:
    n_clusters = scores.clusters.get(name, "")
    clusters = f"{count_text(n_clusters)} cluster{'s' * (n_clusters != 1)}" if n_clusters != "" else ""
    cells = [_cell(name, voice, scores) for voice in verdict.voices]
    return VoiceRow(name_text(name), clusters, cells, name in (scores.chosen,))


def _cell(name: Any, voice: Voice, scores: ScoresOfLabelings) -> VoiceCell:
    mark, gap = voice.mark(name), voice.gaps.get(name, math.nan)
    if mark == HIGHEST:
        text = scores.text_of(voice.name, name)
    elif math.isnan(gap):
        return VoiceCell("", NONE, "", "no score")
    else:
        text = gap_text(gap, scores.decimals_of(voice.name))
    return VoiceCell(mark, text, _FILLS.get(mark, ""), _WORDS.get(mark, "").format(ENDS[voice.direction]))
