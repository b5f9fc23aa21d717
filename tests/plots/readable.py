"""Whether the text of a figure can be read: large enough, within the figure, and none over another."""

from __future__ import annotations

from unittest.mock import patch

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.text import Text

SMALLEST = 8.25
"""Points: 11 pixels."""


def drawn_texts(figure):
    """The texts that are drawn, and where each is, in pixels: (text, left, bottom, right, top)."""
    found = {}
    draw = Text.draw

    def record(text, renderer, *args, **kwargs):
        if text.get_visible() and text.get_text().strip():
            found[id(text)] = text
        return draw(text, renderer, *args, **kwargs)

    canvas = FigureCanvasAgg(figure)
    with patch.object(Text, "draw", record):
        canvas.draw()
    renderer = canvas.get_renderer()
    return [(x, *x.get_window_extent(renderer).extents) for x in found.values()]


def faults_of_text(figure):
    """What is wrong with the text of a figure, a sentence for each fault."""
    texts = drawn_texts(figure)
    width, height = figure.bbox.width, figure.bbox.height
    for text, *_ in texts:
        if text.get_fontsize() < SMALLEST:
            yield f"{text.get_text()!r} is small: {text.get_fontsize():.2f} points"
        if text.get_rotation() % 90:
            yield f"{text.get_text()!r} is slanted"
    for text, left, bottom, right, top in texts:
        if left < -0.5 or bottom < -0.5 or right > width + 0.5 or top > height + 0.5:
            yield f"{text.get_text()!r} is not within the figure"
    for i, (text, left, bottom, right, top) in enumerate(texts):
        for other, left2, bottom2, right2, top2 in texts[:i]:
            if min(right, right2) - max(left, left2) > 1.0 and min(top, top2) - max(bottom, bottom2) > 1.0:
                yield f"{text.get_text()!r} and {other.get_text()!r} overlap"
