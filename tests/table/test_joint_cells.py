"""Joint cells of several labelings: what they count."""

import numpy as np
import pytest

import gpuval
from gpuval.table.labelings import read_labelings
from gpuval.table.resampling import joint

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
    with pytest.raises(ValueError, match=rf"sample_weight must count samples .*, got {weights[-1]}"):
        gpuval.jackknife("ari", TRUE, PRED, groups=GROUPS, sample_weight=weights)


@pytest.mark.parametrize("estimate", [gpuval.jackknife, gpuval.bootstrap])
def test_labels_without_samples_have_no_groups(estimate):
    with pytest.raises(ValueError, match="groups must have at least two values, got 0"):
        estimate("ari", [], [], groups=[])


def test_labels_without_samples_have_no_parts():
    assert not gpuval.evaluate([], [], by=[])


def test_no_samples_beside_many_labels(monkeypatch):
    """Codes are renumbered, of which there are none."""
    empty = np.zeros(0, dtype=np.int64)
    monkeypatch.setattr(joint, "_MOST_CODES", 1)
    given = dict.fromkeys("abc", empty)
    cells = joint.joint_cells(read_labelings(given, None, None, None, None))
    assert [x.tolist() for x in (*cells.codes, cells.counts)] == [[]] * 4
