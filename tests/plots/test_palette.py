"""Lines are told apart, and the map of numbers goes from light to dark."""

import numpy as np
import pytest
from colour_vision import MATRICES, lab

from gpuval.plots._axes import map_of_numbers


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
