"""The gap statistic and the bends of the inertia: values by their definitions, and samples of known clusters."""

import math
import re

import numpy as np
import pytest
from packages import pd
from scipy import sparse

import gpuval

W = [100, 40, 20, 16, 14]
REFERENCES = [[110, 60, 40, 30, 24], [90, 50, 36, 28, 20], [100, 56, 42, 26, 22]]
GAPS = [
    *(-0.00335011195116714706, 0.321693632014529023, 0.674290396730480543),
    *(0.557910754379832544, 0.449218856138158874),
]
ERRORS = [
    *(0.0946366123272705975, 0.0867901319712395757, 0.0742804998792181766),
    *(0.0674727481925513749, 0.0859768790381808957),
]
"""In 18 digits, by fractions."""

RNG = np.random.default_rng(0)
CLUSTERED = np.concatenate([RNG.normal(place, 0.1, size=(20, 2)) for place in ([0, 0], [4, 0], [0, 4])])
ONE_CLUSTER = RNG.normal(size=(60, 2))


def k_means(X, k):
    from sklearn.cluster import KMeans

    return KMeans(k, n_init=2, random_state=0).fit_predict(X)


def test_values_of_the_definition():
    found = gpuval.GapStatistic([1, 2, 3, 4, 5], W, REFERENCES, n_samples=20)
    np.testing.assert_allclose(found.gap, GAPS, rtol=1e-12)
    np.testing.assert_allclose(found.standard_error, ERRORS, rtol=1e-12)
    assert found.choice == 3
    assert found.near_best == (3,)
    assert found.bends() == {"chord": 2, "second_difference": 2, "hartigan": 3}
    assert found[3] == found.gap[2]
    assert list(found) == [1, 2, 3, 4, 5]


def test_the_result_in_other_forms():
    found = gpuval.GapStatistic([1, 2, 3, 4, 5], W, REFERENCES, n_samples=20)
    frame = found.to_pandas()
    assert frame.index.tolist() == [1, 2, 3, 4, 5]
    assert frame.loc[3].to_dict() == found.to_dict()[3]
    assert found.to_dict()[3]["log_inertia"] == math.log(20)
    assert "3 is the first setting whose gap reaches that of the next one" in found.sentence()
    assert "<td" in found._repr_html_()
    assert "first setting" in found._repr_html_()
    with pytest.raises(KeyError):
        found[6]


def test_no_setting_qualifies():
    # Gaps of 1, 2 and 3 without spread: each is above the one before.
    found = gpuval.GapStatistic([1, 2, 3], np.exp([-1, -2, -3]), [[1.0] * 3] * 2, n_samples=9)
    assert found.choice is None
    assert found.near_best == (3,)
    assert found.sentence().startswith("No setting up to 3 has a gap that reaches that of the next one")


def test_one_setting_has_nothing_to_be_compared_with():
    found = gpuval.GapStatistic([2], [4.0], [[5.0]], n_samples=9)
    assert found.choice is None
    assert found.bends() == {"chord": None, "second_difference": None, "hartigan": None}


def test_an_inertia_of_0_has_no_gap():
    found = gpuval.GapStatistic([1, 2, 3], [4, 1, 0], [[5, 2, 1]] * 2, n_samples=3)
    assert found.gap[:2].tolist() == pytest.approx([math.log(5 / 4), math.log(2)])
    assert math.isnan(found.gap[2])
    assert math.isnan(found.standard_error[2])
    assert found.log_inertia[2] == -math.inf
    assert found.near_best == (2,)
    assert "\N{EN DASH}" in repr(found)


def test_straight_and_flat_curves_have_no_elbow():
    for curve in ([3, 2, 1], [2, 2, 2]):
        bends = gpuval.GapStatistic([1, 2, 3], curve, [[5, 4, 3]], n_samples=9).bends()
        assert (bends["chord"], bends["second_difference"]) == (None, None)
    assert gpuval.GapStatistic([0.1, 0.5, 3], W[:3], [[5, 4, 3]], n_samples=9).bends()["hartigan"] is None


@pytest.mark.parametrize("space", ["pca", "box"])
def test_the_right_number_of_clusters_is_chosen(space):
    options = {"n_references": 5, "space": space, "random_state": 0}
    found = gpuval.gap_statistic(k_means, CLUSTERED, [5, 4, 3, 2, 1], **options)
    assert found.settings == (1, 2, 3, 4, 5)
    assert found.choice == 3
    exact = [math.log(gpuval.inertia(CLUSTERED, k_means(CLUSTERED, k))) for k in found.settings]
    np.testing.assert_allclose(found.log_inertia, exact, rtol=1e-12)
    assert gpuval.gap_statistic(k_means, ONE_CLUSTER, [1, 2, 3], **options).choice == 1


def test_reference_sets_fill_the_box():
    turn = np.asarray([[1, 1], [-1, 1]]) / math.sqrt(2)
    samples = RNG.uniform(size=(60, 2)) * [10, 1]
    sets = []

    def note(X, _):
        sets.append(X)
        return np.zeros(len(X), dtype=int)

    gpuval.gap_statistic(note, samples @ turn + 5, [1], space="pca", random_state=0)
    assert len(sets) == 21
    spans = [np.ptp(X @ turn.T, axis=0) for X in sets[1:]]  # along axes that are about those of the samples
    assert np.mean(spans, axis=0) == pytest.approx([10, 1], rel=0.15)
    centred = np.concatenate(sets[1:]) - sets[0].mean(axis=0)
    assert abs(centred).max() < 10
    gpuval.gap_statistic(note, samples, [1], space="box", random_state=0)
    drawn = np.concatenate(sets[22:])
    assert (drawn.min(axis=0) >= samples.min(axis=0)).all()
    assert (drawn.max(axis=0) <= samples.max(axis=0)).all()


def test_sets_stay_in_the_library_of_the_samples(backend):
    samples = backend.array(CLUSTERED.astype(np.float32))
    kinds = set()

    def fit(X, k):
        kinds.add((type(X), X.dtype))
        return backend.array((backend.numpy(X)[:, 0] * k // 5).astype(np.int64))

    found = gpuval.gap_statistic(fit, samples, [1, 2], n_references=2, random_state=0)
    assert kinds == {(type(samples), samples.dtype)}
    alike = gpuval.gap_statistic(
        lambda X, k: X[:, 0] * k // 5, CLUSTERED.astype(np.float32), [1, 2], n_references=2, random_state=0
    )
    np.testing.assert_allclose(found.gap, alike.gap, rtol=1e-4, atol=1e-5)


def test_frames_and_estimators():
    from sklearn.cluster import KMeans

    frame = pd.DataFrame(CLUSTERED)
    assert gpuval.gap_statistic(KMeans(n_init=1), frame, [2, 3, 4], n_references=5, random_state=0).choice == 3


def one(X, _):
    return [0] * len(X)


WRONG = [
    ((one, sparse.csr_array(ONE_CLUSTER), [1]), "X must be dense, as the reference sets are, got csr_array"),
    ((one, ONE_CLUSTER * math.nan, [1]), "X must be finite"),
    ((one, ONE_CLUSTER, ["a"]), "settings must be numbers, got ['a']"),
    (
        (lambda X, _: [0], ONE_CLUSTER, [1]),
        "fit must return a label for each of the 60 rows, got 1 (the samples,",
    ),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG)
def test_wrong_arguments(arguments, message):
    with pytest.raises((TypeError, ValueError), match=f"^{re.escape(message)}"):
        gpuval.gap_statistic(*arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([2, 1], [1, 2], [[1, 2]], 3), "settings must be numbers in increasing order, got [2, 1]"),
        (([1, 2], [1], [[1, 2]], 3), "inertia must have shape (2,), got (1,)"),
        (([1, 2], [1, 2], [1, 2], 3), "references must have shape (n_references, 2), got (2,)"),
    ],
)
def test_wrong_curves(arguments, message):
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        gpuval.GapStatistic(*arguments)
