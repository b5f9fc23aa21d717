"""The data and the settings of a report, as names and values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gpuval.display.label_tables import label_text
from gpuval.display.safe_text import visible
from gpuval.evaluation.results.shown_scores import measures_of
from gpuval.inputs.strings import is_missing
from gpuval.reporting.page.content import Content
from gpuval.reporting.words.names import name_of_series, name_text

Facts = Mapping[str, str]


def facts_of(content: Content, about: Mapping[Any, Any], notes: Sequence[str], versions: Facts) -> Mapping[str, Facts]:
    """Names and values below their headings; headings without values are left out."""
    found: dict[str, Facts] = {
        "About": {name_text(name): visible(str(value)) for name, value in about.items()},
        "Data": _data(content),
        "Settings": _settings(content),
        "Notes": {f"{place}.": visible(note) for place, note in enumerate(notes, 1)},
        "Versions": versions,
    }
    return {heading: facts for heading, facts in found.items() if facts}


def _data(content: Content) -> Facts:
    given, shown = content.asked.given, content.scores[content.best]
    facts = {"samples": shown.samples} if shown.samples else {}
    if content.truth is not None:
        facts["true labels"] = f"{name_text(content.truth)} ({shown.counts.get('n_classes', 'unknown')} classes)"
    facts["labelings"] = ", ".join(map(name_text, content.scores))
    if given.X is not None:
        shape = getattr(given.X, "shape", None)
        facts["X (samples x features)"] = "given" if shape is None else " x ".join(f"{n:,}" for n in shape)
    beside = {"by": given.by, "groups": given.groups, "weights": given.sample_weight}
    facts |= {name: name_text(name_of_series(x, "given")) for name, x in beside.items() if x is not None}
    if given.ignore_labels:
        facts["ignored labels"] = _ignored(given.ignore_labels.as_setting())
    return facts


def _ignored(labels: list[Any] | dict[str, list[Any]]) -> str:
    """The labels that are ignored on both sides, or on each."""
    if isinstance(labels, list):
        return ", ".join("missing ones" if is_missing(x) else label_text(x) for x in labels)
    sides = {"true": "true labels", "pred": "labelings"}
    return "; ".join(f"{_ignored(own)} ({sides[side]})" for side, own in labels.items())


def _settings(content: Content) -> Facts:
    asked = content.asked
    facts = {"measures": ", ".join(name_text(x) for x in measures_of(list(content.scores.values())))}
    facts["order of the labelings"] = f"by {name_text(content.measure)}"
    level, n_resamples = asked.given.level, asked.given.n_resamples
    if level is not None and asked.measures.external:
        facts["intervals"] = (
            f"level {level}: by the jackknife for measures of information and overlap, by the bootstrap with "
            f"{n_resamples} resamples for others"
        )
    if asked.silhouette is not None:
        n_drawn = asked.n_drawn
        facts["silhouettes"] = "of all samples" if n_drawn is None else f"of {n_drawn:,} samples, drawn at random"
    facts["random state"] = label_text(asked.given.random_state)
    return facts
