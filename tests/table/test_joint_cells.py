"""Joint cells of several labelings: what they count."""

import numpy as np
import pytest

import gpuval

TRUE, PRED, GROUPS = [0, 0, 1, 1, 2, 2, 0, 1], [0, 1, 1, 1, 2, 2, 0, 0], [0, 0, 1, 1, 2, 2, 3, 3]


def test_samples_that_weigh_nothing_are_in_no_cell():
    """With groups of single samples the jackknife is that of samples, whichever way the table is counted."""
    weights = [1, 1, 1, 1, 1, 1, 0, 0]
    for metric in ("ari", "mi"):
        by_group = gpuval.jackknife(metric, TRUE, PRED, groups=range(8), sample_weight=weights)
        by_sample = gpuval.jackknife(metric, TRUE[:6], PRED[:6])
        np.testing.assert_allclose(by_group.standard_error, by_sample.standard_error, rtol=1e-12)


@pytest.mark.parametrize("weights", [[0.5] * 8, [2.0] * 8, [1.0] * 7 + [1.5]])
def test_weights_that_are_no_counts(weights):
    with pytest.raises(ValueError, match=rf"sample_weight must count samples, .*, got {weights[-1]}"):
        gpuval.jackknife("ari", TRUE, PRED, groups=GROUPS, sample_weight=weights)
