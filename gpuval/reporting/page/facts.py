"""The data and the settings of a report, as names and values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gpuval.display.label_tables import label_text
from gpuval.display.safe_text import visible
from gpuval.evaluation.results.shown_scores import measures_of
from gpuval.reporting.page.content import Content
from gpuval.reporting.page.versions import versions
from gpuval.reporting.words.names import name_text

Facts = Mapping[str, str]


def facts_of(content: Content, about: Mapping[str, Any], notes: Sequence[str]) -> Mapping[str, Facts]:
    """Names and values below their headings; what there is not is left out."""
    data = _data(content) | {visible(str(name)): visible(str(value)) for name, value in about.items()}
    found: dict[str, Facts] = {"Data": data, "Settings": _settings(content)}
    if notes:
        found["Notes"] = {f"{place}.": visible(note) for place, note in enumerate(notes, 1)}
    return found | {"Versions": versions()}


def _data(content: Content) -> dict[str, str]:
    asked, shown = content.asked, content.scores[content.best]
    facts = {"samples": shown.samples} if shown.samples else {}
    if content.truth is not None:
        facts["true labels"] = f"{name_text(content.truth)} ({shown.counts.get('n_classes', 'unknown')} classes)"
    facts["labelings"] = ", ".join(map(name_text, content.scores))
    shape = getattr(asked.X, "shape", None)
    if asked.X is not None:
        facts["samples in space"] = "given" if shape is None else " x ".join(f"{n:,}" for n in shape)
    beside = {"by": asked.by, "groups": asked.groups, "weights": asked.sample_weight}
    facts |= {name: label_text(getattr(x, "name", None) or "given") for name, x in beside.items() if x is not None}
    if asked.ignore_labels is not None:
        facts["ignored labels"] = label_text(asked.ignore_labels)
    return facts


def _settings(content: Content) -> dict[str, str]:
    asked = content.asked
    facts = {"measures": ", ".join(name_text(x) for x in measures_of(list(content.scores.values())))}
    facts["order of the labelings"] = f"by {name_text(content.measure)}"
    if asked.level is not None:
        facts["intervals"] = (
            f"level {asked.level}: the jackknife for measures of information and overlap, else the bootstrap with "
            f"{asked.n_resamples} resamples"
        )
    if asked.X is not None:
        size = asked.silhouette_sample_size
        facts["silhouettes"] = "of all samples" if size is None else f"of {size:,} samples, drawn at random"
    facts["random state"] = label_text(asked.random_state)
    return facts
