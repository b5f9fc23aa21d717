"""What is wrong with the artists of plots: colours that repeat, areas that are not proportional, wrong numbers."""

from __future__ import annotations

import numpy as np
from matplotlib.collections import PathCollection, PolyCollection
from matplotlib.colors import to_hex


def polygons(ax):
    """The collections of a flow: ribbons, bars of the classes, bars of the clusters."""
    return [x for x in ax.collections if isinstance(x, PathCollection | PolyCollection)]


def hex_colors(collection):
    return [to_hex(x).upper() for x in collection.get_facecolors()]


def heights(collection):
    return np.array([np.ptp(x.vertices[:, 1]) for x in collection.get_paths()])


def bars_beside(ax, side):
    """The colour and the length of each bar above a confusion matrix ("top") or at its right."""
    patches = ax.child_axes[0 if side == "top" else 1].patches
    lengths = [x.get_height() if side == "top" else x.get_width() for x in patches]
    return [to_hex(x.get_facecolor()).upper() for x in patches], np.array(lengths)


def repeated(items):
    """The items that are there twice."""
    return sorted({x for x in items if items.count(x) > 1})


def not_proportional(areas, numbers, least=0.0):
    """The places whose area is more than 2 % off what the largest has for each sample, and that are not enlarged."""
    areas, numbers = np.asarray(areas, dtype=float), np.asarray(numbers, dtype=float)
    expected = areas.max() * numbers / numbers.max()
    is_enlarged = np.isclose(areas, least) & (expected <= least)
    return np.flatnonzero(~is_enlarged & (np.abs(areas - expected) > 0.02 * expected)).tolist()


def texts_in_cells(display):
    """The texts in the cells of a heatmap, by row and column."""
    texts = [x for x in display.ax_.texts if x.get_transform() == display.ax_.transData]
    return {x.get_position()[::-1]: x for x in texts}


def faults_of_numbers(display, normalize="class"):
    """What is wrong with the numbers of a confusion matrix of shares, a sentence for each fault."""
    n_rows, n_columns = display.counts.shape
    in_cells = texts_in_cells(display)
    for text in display.ax_.texts:
        if text.get_text() in ("0", "0.00", "0 %"):
            yield f"{text.get_text()!r} is written"
    shares = display.values(normalize)
    for which in range(n_rows if normalize == "class" else n_columns):
        whole = shares[which] if normalize == "class" else shares[:, which]
        places = [(which, i) if normalize == "class" else (i, which) for i in range(len(whole))]
        numbers = {i: int(in_cells[x].get_text()) for i, x in enumerate(places) if x in in_cells}
        rest = sum(share for i, share in enumerate(whole) if i not in numbers)
        if abs(sum(numbers.values()) + 100 * rest - 100) > 0.5 * len(numbers) + 1e-9:
            yield f"{which} adds up to {sum(numbers.values()) + 100 * rest:.1f}"
        bold = [i for i, x in enumerate(places) if x in in_cells and in_cells[x].get_fontweight() == "bold"]
        if bold != [int(whole.argmax())]:
            yield f"{which} has bold numbers at {bold}"
