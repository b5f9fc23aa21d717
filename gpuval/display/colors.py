"""The colours of classes, clusters and lines: one for each class wherever it is shown, told apart by all eyes.

The first seven of ``CATEGORIES`` are those of Okabe and Ito (2008) but for black, which is no colour on a dark page.
Each further one is the colour farthest from those before it, among the 18 x 18 x 18 colours of an even grid in sRGB
whose lightness is between 0.36 and 0.88 and whose chroma is above 0.05. Distances and these two are those of OKLab
(of B. Ottosson). There are four distances of two colours: to eyes with all cones, and to eyes without those for long,
for middle and for short waves (by the matrices of Machado and others). They are divided by 1, 0.6, 0.6 and 0.45, as
colours differ less to eyes that lack some cones; then the smallest one counts. White, the ground of dark pages and the
grey of others are among the colours to be far from. So any two of the 24 are at least 0.106 apart to eyes with all
cones, and 0.066, 0.060 and 0.051 to the others.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

CATEGORIES = (
    *("#0072B2", "#E69F00", "#009E73", "#D55E00", "#CC79A7", "#56B4E9", "#F0E442", "#870F5A"),
    *("#3C00A5", "#8700FF", "#00F0B4", "#784B00", "#8778FF", "#C31E96", "#C3D2FF", "#A54B5A"),
    *("#96C378", "#780F00", "#F000D2", "#FF3C69", "#0F4B69", "#FF78D2", "#002DD2", "#5A0F78"),
)
"""Many are faint on white or on a dark ground: what is filled with them has the edge ``edge_of`` says."""

OTHERS = "#9A9A9A"
"""The colour of all others together."""

AGREE = "#C9CED6"
"""The colour of what is as expected, where only the rest is of interest."""

LINES = (
    *("#0072B2", "#C68900", "#009E73", "#D55E00", "#8778FF"),
    *("#C31E96", "#8893B2", "#A54B5A", "#F000D2", "#FF3C69"),
)
"""Those of ``CATEGORIES`` that have a contrast of 3 to 1 to white and to a dark ground, some after they were darkened.

What comes too near to an earlier one by that is left out.
"""

WARNING, WARNING_ON_DARK = "#B3261E", "#FF8A80"
"""The colour of text that warns, on a light and on a dark ground."""

DARK_GROUND = "#14181F"
"""The ground of dark pages."""

_IN_FOCUS = 12
"""How many classes have a colour of their own by their size, if there are more than colours."""

_SHADES = ((1.0, 0.0), (1.0, 0.25), (0.0, 0.25), (1.0, 0.45), (0.0, 0.45))
"""For the first, second, ... cluster of a class: what is mixed into the colour of the class (1: white), how much."""

_LEAST_OF_EDGES = 3.0
"""The contrast of an edge to the ground."""

_HEX = re.compile("#([0-9a-fA-F]{3}|[0-9a-fA-F]{6}(?:[0-9a-fA-F]{2})?)")


def class_colors(sizes: Iterable[float], chosen: Sequence[str] | None = None, named: Iterable[int] = ()) -> list[str]:
    """The colour of each class: by falling size, the first of equal ones first.

    Parameters
    ----------
    sizes
        The number of samples of each class.
    chosen
        The user's colours, one for each class, in hexadecimal digits; they are taken as they are.
    named
        The places of classes that are spoken of. They have a colour even where there are more than 24 classes: then
        only these and the twelve largest have one.

    Returns
    -------
    list of str
        A colour for each class, such as "#0072B2".

    Raises
    ------
    ValueError
        If ``chosen`` does not have one colour for each class.

    Examples
    --------
    >>> class_colors([5, 20, 1])
    ['#E69F00', '#0072B2', '#009E73']
    """
    counts = np.asarray(list(sizes), dtype=float)
    if chosen is not None:
        if len(chosen) != len(counts):
            raise ValueError(f"chosen must have a colour for each of {len(counts)} classes, got {len(chosen)}")
        return [_hex_of(_parts(color)) for color in chosen]
    order = np.argsort(-counts, kind="stable").tolist()
    if len(order) > len(CATEGORIES):
        largest = order[:_IN_FOCUS]
        spoken_of = {*named} - {*largest}
        order = [*largest, *(place for place in order if place in spoken_of)]
    colors = [OTHERS] * len(counts)
    for place, color in zip(order, CATEGORIES, strict=False):
        colors[place] = color
    return colors


def cluster_colors(counts: Any, colors_of_classes: Sequence[str]) -> list[str]:
    """The colour of each cluster: a shade of that of its main class, to which most of its samples belong.

    Of the clusters of one main class, the one with most of its samples has the colour itself. The second is 25 %
    lighter, the third 25 % darker, the fourth 45 % lighter, the fifth 45 % darker; all further ones have the colour
    itself again. Of two classes that share equally many samples with a cluster, the larger one is its main class.

    Parameters
    ----------
    counts
        The number of samples that each class and each cluster share, shape (n_classes, n_clusters).
    colors_of_classes
        The colour of each class, as :func:`class_colors` gives them.

    Returns
    -------
    list of str
        A colour for each cluster; ``OTHERS`` for those of classes of this colour, and for those without samples.

    Examples
    --------
    >>> import numpy as np
    >>> cluster_colors(np.array([[9, 0, 4], [0, 7, 1]]), ["#000000", "#0072B2"])
    ['#000000', '#0072B2', '#404040']
    """
    counts = np.asarray(counts)
    colors = [OTHERS] * counts.shape[1]
    if not counts.size:
        return colors
    mains = main_classes(counts)
    shared = counts[mains, np.arange(counts.shape[1])]
    n_before = [0] * len(colors_of_classes)
    for cluster in np.argsort(-shared, kind="stable").tolist():
        main = int(mains[cluster])
        if shared[cluster] > 0:
            colors[cluster] = _shade(colors_of_classes[main], n_before[main])
            n_before[main] += 1
    return colors


def main_classes(counts: Any) -> Any:
    """The place of the class that most samples of each cluster belong to; of equal ones the larger class.

    Of ``counts``, shape (n_classes, n_clusters).
    """
    by_size = np.argsort(-counts.sum(axis=1), kind="stable")
    return by_size[counts[by_size].argmax(axis=0)]


def _shade(color: str, place: int) -> str:
    """The colour of a cluster by its place among those of its class."""
    if color == OTHERS or place >= len(_SHADES):
        return color
    target, share = _SHADES[place]
    return _mix(color, target, share)


def edge_of(color: str, dark: bool = False) -> str:
    """The edge of what is filled with a colour: darker, or on a dark ground lighter, until it is seen there."""
    ground = DARK_GROUND if dark else "#FFFFFF"
    share = 0.3
    while contrast(edge := _mix(color, float(dark), share), ground) < _LEAST_OF_EDGES:
        share += 0.05
    return edge


def text_on(color: str) -> str:
    """Black or white, whichever has the larger contrast to a colour: 4.58 to 1 at least."""
    return "black" if contrast(color, "#000000") >= contrast(color, "#FFFFFF") else "white"


def contrast(color: str, other: str) -> float:
    """The ratio of the luminances of two colours, from 1 to 21 (the contrast ratio of WCAG 2.2)."""
    low, high = sorted(map(_luminance, (color, other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(color: str) -> float:
    red, green, blue = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in _parts(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _mix(color: str, target: float, share: float) -> str:
    """A colour with a share of black (0) or white (1) in it."""
    return _hex_of([(1.0 - share) * part + share * target for part in _parts(color)])


def _parts(color: str) -> list[float]:
    """Red, green and blue, from 0 to 1."""
    if not isinstance(color, str) or not (match := _HEX.fullmatch(color)):
        raise ValueError(f"colours must be in hexadecimal digits, such as '#0072B2', got {color!r}")
    digits = match[1] if len(match[1]) > 3 else "".join(2 * digit for digit in match[1])
    return [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]


def _hex_of(parts: Iterable[float]) -> str:
    return "#" + "".join(f"{round(255 * part):02X}" for part in parts)
