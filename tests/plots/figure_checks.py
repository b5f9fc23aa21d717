"""Checks of the text of a figure, some of which may be turned: it is read, on the canvas, and not over other text."""

import itertools

import numpy as np
import readable


def drawn_texts(figure):
    """The texts that are drawn, each once."""
    return [text for text, *_ in readable.drawn_texts(figure)]


def corners(text):
    """The corners of a text in pixels, also of one that is turned about its anchor."""
    angle = text.get_rotation()
    if angle % 90 == 0 or text.get_rotation_mode() != "anchor":
        return text.get_window_extent().corners()[[0, 1, 3, 2]]
    anchor = text.get_transform().transform(text.get_position())
    text.set_rotation(0)
    box = text.get_window_extent().corners()[[0, 1, 3, 2]]
    text.set_rotation(angle)
    cosine, sine = np.cos(np.deg2rad(angle)), np.sin(np.deg2rad(angle))
    return anchor + (box - anchor) @ np.array([[cosine, sine], [-sine, cosine]])


def overlap(first, second, slack=1.5):
    """Whether two convex quadrilaterals have more than so many pixels in common."""
    for polygon in (first, second):
        for a, b in itertools.pairwise([*polygon, polygon[0]]):
            normal = np.array([b[1] - a[1], a[0] - b[0]])
            if not normal.any():
                continue
            normal = normal / np.hypot(*normal)
            one, other = first @ normal, second @ normal
            if min(one.max(), other.max()) - max(one.min(), other.min()) <= slack:
                return False
    return True


def check_texts(figure):
    """Fail if a text is too small, leaves the canvas, or covers another one."""
    texts = drawn_texts(figure)
    assert texts
    small = [x.get_text() for x in texts if x.get_fontsize() < readable.SMALLEST - 0.01]
    assert not small, f"too small: {small[:5]}"
    places = [corners(x) for x in texts]
    low, high = figure.bbox.get_points()
    out = [x.get_text() for x, at in zip(texts, places, strict=True) if (at < low - 1).any() or (at > high + 1).any()]
    assert not out, f"outside the canvas: {out[:5]}"
    pairs = itertools.combinations(zip(texts, places, strict=True), 2)
    over = [(a.get_text(), b.get_text()) for (a, of_a), (b, of_b) in pairs if overlap(of_a, of_b)]
    assert not over, f"over each other: {over[:5]}"
