"""Colours are told apart by all eyes, and the map of numbers goes from light to dark."""

import numpy as np
import pytest
from colour_vision import MATRICES, lab, least_difference
from matplotlib.colors import to_rgb

from gpuval.plots._axes import CATEGORIES, LINE_COLORS, color_of, line_style, map_of_numbers, text_on

LEAST = 20.0
"""Ten times what is just noticed."""


@pytest.mark.parametrize("vision", MATRICES)
@pytest.mark.parametrize("palette", [CATEGORIES, LINE_COLORS])
def test_neighbours_of_the_palette_differ_to_all_eyes(palette, vision):
    assert least_difference([to_rgb(x) for x in palette], vision) > LEAST


@pytest.mark.parametrize("vision", MATRICES)
def test_no_two_colours_look_the_same(vision):
    seen = lab([to_rgb(x) for x in CATEGORIES], vision)
    apart = np.linalg.norm(seen[:, None] - seen[None], axis=2) + 100 * np.eye(len(seen))
    assert apart.min() > 7.0


def test_red_and_green_of_one_lightness_are_found():
    red_and_green = [(0.79, 0.36, 0.20), (0.47, 0.55, 0.17)]
    assert least_difference(red_and_green, "normal") > 2 * LEAST
    assert min(least_difference(red_and_green, x) for x in ("deuteranopia", "protanopia")) < LEAST


def test_lab_of_colours_that_are_known():
    # White, black, and the primaries of sRGB, by the definition of CIE Lab.
    found = lab([(1, 1, 1), (0, 0, 0), (1, 0, 0), (0, 0, 1)])
    expected = [[100, 0, 0], [0, 0, 0], [53.24, 80.09, 67.20], [32.30, 79.19, -107.86]]
    np.testing.assert_allclose(found, expected, atol=0.05)


@pytest.mark.parametrize("vision", MATRICES)
@pytest.mark.parametrize("falls", [False, True])
def test_the_map_of_numbers_is_monotone_in_lightness(falls, vision):
    lightness = lab(map_of_numbers(falls=falls)(np.linspace(0, 1, 256)), vision)[:, 0]
    steps = np.diff(lightness) * (1 if falls else -1)
    assert (steps > -1e-9).all()
    assert abs(lightness[0] - lightness[-1]) > 60


def test_a_map_that_is_not_monotone_is_found():
    from matplotlib import colormaps

    lightness = lab(colormaps["jet"](np.linspace(0, 1, 256)))[:, 0]
    assert (np.diff(lightness) > 0).any()
    assert (np.diff(lightness) < 0).any()


def test_text_is_read_on_all_of_the_map():
    colors = map_of_numbers()(np.linspace(0, 1, 64))
    lightness = lab(colors)[:, 0]
    of_text = np.array([100.0 if text_on(x) == "white" else 0.0 for x in colors])
    assert np.abs(of_text - lightness).min() > 35


def test_places_repeat_the_colours_and_no_line_is_like_another():
    assert color_of(0) == color_of(len(CATEGORIES))
    styles = [(x["color"], x["marker"]) for x in map(line_style, range(63))]
    assert len(set(styles)) == 63
