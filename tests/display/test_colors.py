"""Colours are told apart by all eyes, and each class and cluster has its own by the rules."""

import numpy as np
import pytest
from colour_vision import MATRICES, lab, least_distance, oklab
from matplotlib.colors import to_rgb

from gpuval.display.colors import (
    AGREE,
    CATEGORIES,
    DARK_GROUND,
    LINES,
    OTHERS,
    class_colors,
    cluster_colors,
    contrast,
    edge_of,
    main_classes,
    text_on,
)

LEAST = 0.05
"""In OKLab, where black and white are 1 apart."""


def rgb(colors):
    return [to_rgb(x) for x in colors]


@pytest.mark.parametrize("vision", MATRICES)
def test_no_two_categories_look_alike_to_any_eyes(vision):
    assert len(set(CATEGORIES)) == 24
    assert least_distance(rgb(CATEGORIES), vision) >= LEAST


@pytest.mark.parametrize("vision", MATRICES)
def test_the_documented_distances(vision):
    documented = {"normal": 0.106, "protanopia": 0.066, "deuteranopia": 0.060, "tritanopia": 0.051}
    assert round(least_distance(rgb(CATEGORIES), vision), 3) == documented[vision]


@pytest.mark.parametrize("near", ["#0A72B2", "#E6A500", "#5A1478"])
def test_a_colour_like_another_is_found(near):
    assert least_distance(rgb((*CATEGORIES, near)), "normal") < LEAST


def test_red_and_green_of_one_lightness_are_found():
    red_and_green = [(0.79, 0.36, 0.20), (0.47, 0.55, 0.17)]
    assert least_distance(red_and_green, "normal") > 3 * LEAST
    assert min(least_distance(red_and_green, x) for x in ("deuteranopia", "protanopia")) < LEAST


def test_colours_that_are_known_in_lab_and_oklab():
    # White, black, and primaries of sRGB: by the definition of CIE Lab, and as Ottosson's page gives them for OKLab.
    primaries = [(1, 1, 1), (0, 0, 0), (1, 0, 0), (0, 0, 1)]
    expected = [[100, 0, 0], [0, 0, 0], [53.24, 80.09, 67.20], [32.30, 79.19, -107.86]]
    np.testing.assert_allclose(lab(primaries), expected, atol=0.05)
    expected = [[1, 0, 0], [0, 0, 0], [0.628, 0.225, 0.126], [0.452, -0.032, -0.312]]
    np.testing.assert_allclose(oklab(primaries), expected, atol=0.001)


@pytest.mark.parametrize("vision", MATRICES)
def test_the_neutral_colours_are_no_category(vision):
    for neutral in (OTHERS, AGREE):
        seen = oklab(rgb([neutral, *CATEGORIES]), vision)
        assert np.linalg.norm(seen[1:] - seen[0], axis=1).min() > 0.015


@pytest.mark.parametrize("vision", MATRICES)
def test_lines_are_seen_on_both_grounds_and_told_apart(vision):
    assert least_distance(rgb(LINES), vision) > 0.045
    for color in LINES:
        assert contrast(color, "#FFFFFF") >= 3
        assert contrast(color, DARK_GROUND) >= 3


# Contrasts


def test_contrasts_that_are_known():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.005)
    assert contrast("#FFFFFF", "#767676") == pytest.approx(4.54, abs=0.005)


def test_text_is_read_on_all_colours():
    grid = [f"#{r:02X}{g:02X}{b:02X}" for r in range(0, 256, 15) for g in range(0, 256, 15) for b in range(0, 256, 15)]
    for color in grid:
        text = {"black": "#000000", "white": "#FFFFFF"}
        assert contrast(color, text[text_on(color)]) >= 4.5


@pytest.mark.parametrize("dark", [False, True])
def test_edges_are_seen(dark):
    ground = DARK_GROUND if dark else "#FFFFFF"
    for color in (*CATEGORIES, OTHERS, AGREE, "#FFFFFF", "#000000"):
        assert contrast(edge_of(color, dark), ground) >= 3
    assert edge_of("#646464") == "#464646"  # at 70 %
    assert edge_of("#646464", dark=True) == "#929292"  # with 30 % of white: 100 + 0.3 * 155


# Classes and clusters


def test_classes_have_colours_by_size():
    assert class_colors([2, 9, 2, 5]) == [CATEGORIES[i] for i in (2, 0, 3, 1)]
    assert class_colors([]) == []
    assert class_colors(range(24)) == list(CATEGORIES[::-1])


def test_of_many_classes_the_largest_and_those_spoken_of_have_colours():
    sizes = [100 - i for i in range(30)]
    assert class_colors(sizes) == [*CATEGORIES[:12], *[OTHERS] * 18]
    found = class_colors(sizes, named=[29, 3, 20])
    assert found[:12] == list(CATEGORIES[:12])
    assert (found[20], found[29]) == CATEGORIES[12:14]
    assert found.count(OTHERS) == 16
    assert class_colors(sizes, named=range(30)) == [*CATEGORIES, *[OTHERS] * 6]


def test_colours_of_the_user_are_taken():
    assert class_colors([1, 2, 3], ["#00ff00", "#abc", "#12345678"]) == ["#00FF00", "#AABBCC", "#123456"]
    with pytest.raises(ValueError, match=r"chosen must have a colour for each of 2 classes, got 1"):
        class_colors([1, 2], ["#000000"])
    for wrong in ("green", "#12", 7):
        with pytest.raises(ValueError, match=f"in hexadecimal digits, such as '#0072B2', got {wrong!r}"):
            class_colors([1], [wrong])


def test_clusters_have_shades_of_their_main_class():
    counts = np.array([[60, 50, 40, 30, 20, 10, 0, 0], [0, 0, 0, 0, 0, 0, 70, 0]])
    shades = ["#505050", "#7C7C7C", "#3C3C3C", "#9F9F9F", "#2C2C2C", "#505050"]  # 80 + 25 % of 175, 80 less 25 %, ...
    assert cluster_colors(counts, ["#505050", "#0072B2"]) == [*shades, "#0072B2", OTHERS]
    assert cluster_colors(counts[:, ::-1], ["#505050", "#0072B2"]) == [OTHERS, "#0072B2", *shades[::-1]]
    assert cluster_colors(counts, [OTHERS, "#0072B2"]) == [*[OTHERS] * 6, "#0072B2", OTHERS]
    assert cluster_colors(np.zeros((0, 2)), []) == [OTHERS, OTHERS]


def test_main_classes_do_not_depend_on_the_order_of_classes():
    counts = np.array([[3, 0, 1], [3, 5, 1], [0, 4, 9]])
    assert main_classes(counts).tolist() == [1, 1, 2]
    assert main_classes(counts[::-1]).tolist() == [1, 1, 0]
