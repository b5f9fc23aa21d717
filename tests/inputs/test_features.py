"""What is known of the samples of internal measures, how often their values are looked at, and how halves are read."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from backends import as_on_a_device, transfers_to_host

from gpuval.inputs.features import as_float, with_squares


@pytest.mark.parametrize(("scale", "looks"), [(1.0, 1), (1e200, 2), (1e-200, 2)])
def test_the_range_of_samples_is_looked_at_once_for_all_and_once_for_those_that_count(scale, looks):
    samples = torch.tensor([[1.0, -2.0], [0.5, 0.25]], dtype=torch.float64) * scale
    with as_on_a_device(), transfers_to_host() as copied:
        found = with_squares(samples, torch.tensor([True, True]))
    assert len(copied) == looks
    assert np.isfinite((found**2).numpy()).all()
    assert (found[0, 1] / found[0, 0]).item() == -2.0
    assert (found[0, 1] ** 2).item() > 1e-100


@pytest.mark.parametrize("place", [np.s_[:], np.s_[::3, 1:]])
def test_bfloat16_is_read_as_it_is(place):
    """Each of its numbers, among them infinities, NaN, zeros of both signs and those that are not normal."""
    bits = torch.arange(-(1 << 15), 1 << 15).to(torch.int16).reshape(256, 256)
    given = bits.view(torch.bfloat16)[place]
    expected = given.to(torch.float32).view(torch.int32)
    is_nan = torch.isnan(given)
    read = as_float(given)
    assert torch.equal(torch.isnan(read), is_nan)
    assert torch.equal(read.view(torch.int32)[~is_nan], expected[~is_nan])
