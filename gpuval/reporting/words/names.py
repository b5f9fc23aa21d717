"""The names of labels, measures and shares in a report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from gpuval.display.label_tables import seen_name
from gpuval.reporting.found.overlaps import Part

_WIDEST = 60
"""The largest width of a name in a table or a sentence."""

_IN_WORDS = {
    "adjusted_mutual_info_score": "AMI",
    "adjusted_rand_score": "ARI",
    "bcubed_f_score": "BCubed F",
    "calinski_harabasz_score": "Calinski-Harabasz",
    "davies_bouldin_score": "Davies-Bouldin",
    "dbcv_score": "DBCV",
    "dunn_index": "Dunn index",
    "f_measure_score": "F-measure",
    "fowlkes_mallows_score": "FMI",
    "normalized_mutual_info_score": "NMI",
    "rand_score": "RI",
    "v_measure_score": "V-measure",
}
"""The names of measures in sentences, where these are not just the function's name without underscores."""


def name_text(label: Any) -> str:
    """A label or a name in one line, shortened if it is long; in quotes if it would be invisible."""
    return seen_name(label, _WIDEST)


def quoted(label: Any) -> str:
    """The name of a label in the quotation marks of a sentence."""
    return f"\N{LEFT DOUBLE QUOTATION MARK}{name_text(label)}\N{RIGHT DOUBLE QUOTATION MARK}"


def name_of_series(labels: Any, otherwise: str) -> Any:
    """The name of a Series, if the labels are one that has a name."""
    name = getattr(labels, "name", None) if hasattr(labels, "to_frame") else None
    return otherwise if name is None or name == "" else name


def measure_text(name: Any) -> str:
    """A measure in a sentence."""
    if isinstance(name, str) and name in _IN_WORDS:
        return _IN_WORDS[name]
    return name_text(str(name).removesuffix("_score").replace("_", " "))


def share_text(share: float) -> str:
    """A share in percent."""
    if 0 < share < 0.01:
        return "under 1 %"
    return f"{min(share, 0.99) if share < 1 else share:.0%}".replace("%", " %")


def parts_text(parts: Sequence[Part], n_parts: int) -> str:
    """Labels with their shares, and the number of the others among all ``n_parts``."""
    said = [f"{quoted(x.label)} ({share_text(x.share)})" for x in parts]
    more = n_parts - len(parts)
    return enumerated([*said, f"{more} more"] if more > 0 else said)


def enumerated(texts: Iterable[str]) -> str:
    """Texts with commas between them, and "and" before the last."""
    *before, last = texts
    return f"{', '.join(before)} and {last}" if before else last


def count_text(number: float) -> str:
    """A count, or what samples weigh, with commas between thousands."""
    return f"{number:,}" if isinstance(number, int) else f"{number:,.4g}" if number < 9999.5 else f"{number:,.0f}"
