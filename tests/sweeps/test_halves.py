"""Prediction strength and instability: values by their definitions, rules for other halves, and degenerate clusters."""

import math

import numpy as np
import pytest
from packages import pd
from scipy import sparse

import gpuval

TRUE, PRED = np.asarray([0, 0, 0, 0, 1, 1, 1, 2, 2, 2]), np.asarray([0, 0, 0, 1, 1, 1, 1, 1, 2, 2])
HALVES = np.repeat([0, 1], 10)

RNG = np.random.default_rng(0)
CLUSTERED = np.concatenate([RNG.normal(place, 0.1, size=(30, 2)) for place in ([0, 0], [4, 0], [0, 4])])


def two_halves(labels, others, size=10):
    """The strength of two halves of which each has its own labels, and is predicted to have those of the other one."""
    both = np.concatenate([labels, others])
    twin = (np.arange(2 * size) + size) % (2 * size)
    return gpuval.prediction_strength(
        lambda X, _: both[X[:, 0]],
        np.arange(2 * size)[:, None],
        [3],
        n_splits=2,
        predict=lambda X_train, labels_train, X_test: both[twin[X_test[:, 0]]],
        groups=np.repeat([0, 1], size),
        random_state=0,
    )


def test_values_of_the_definition():
    found = two_halves(TRUE, PRED)
    assert found[3] == pytest.approx(19 / 60, rel=1e-12)  # 1/3, and 3/10 with the halves exchanged
    assert found.by_split.tolist() == [[found[3]] * 2]
    assert found.standard_error.tolist() == [0.0]


def test_the_instability_is_a_share_of_that_of_random_labels():
    # One of four samples differs; of two labels of each of four samples, drawn at random, 5 of 16 do.
    found = two_halves([0, 0, 1, 1], [0, 0, 0, 1], 4)
    assert found.instability[0] == pytest.approx((1 / 4) / (5 / 16), rel=0.2)
    assert two_halves([0, 0, 1, 1], [5, 5, 2, 2], 4).instability.tolist() == [0.0]  # names do not matter


def test_clusters_of_one_sample_and_a_single_cluster():
    of_one = two_halves(range(4), range(4), 4)
    assert math.isnan(of_one[3])
    assert of_one.choice is None
    assert of_one.sentence() == "No setting has a strength that, with its standard error, reaches 0.8."
    assert two_halves([0, 0, 0, 1], [0, 0, 0, 1], 4)[3] == 1.0  # that of the three
    single = two_halves([0] * 4, [7] * 4, 4)
    assert single[3] == 1.0
    assert math.isnan(single.instability[0])


def k_means(X, k, seed):
    from sklearn.cluster import KMeans

    return KMeans(k, n_init=2, random_state=seed).fit_predict(X)


def test_the_last_setting_that_reaches_the_threshold_is_chosen():
    found = gpuval.prediction_strength(k_means, CLUSTERED, [5, 4, 3, 2, 1], n_splits=4, random_state=0)
    assert found.settings == (1, 2, 3, 4, 5)
    assert found[1] == found[3] == 1.0
    assert found[4] < 0.8
    assert found.choice == 3
    assert 3 in found.reaching
    assert found.sentence().startswith("3 is the last setting with a strength")
    assert found.to_pandas().loc[3, "instability"] == 0.0
    assert "instability" in repr(found)
    again = gpuval.prediction_strength(k_means, CLUSTERED, [5, 4, 3, 2, 1], n_splits=4, random_state=0, n_jobs=2)
    assert np.array_equal(found.by_split, again.by_split)


def test_settings_without_an_order_stay_as_they_are():
    found = gpuval.prediction_strength(
        lambda X, by: X[:, 0 if by == "first" else 1] > 2, CLUSTERED, ["second", "first"], n_splits=1
    )
    assert found.settings == ("second", "first")
    assert found.choice == "first"
    assert np.isnan(found.standard_error).all()


@pytest.mark.parametrize("make", [lambda x: pd.DataFrame(x), sparse.csr_matrix, sparse.coo_array])
def test_frames_and_sparse_matrices(make):
    def fit(X, k):
        rows = X.toarray() if sparse.issparse(X) else X.to_numpy()
        return (rows[:, 0] > 2) + 2 * (rows[:, 1] > 2)

    found = gpuval.prediction_strength(fit, make(CLUSTERED), [3], n_splits=2)
    assert found[3] == 1.0


def test_arrays_of_any_library(backend):
    samples = backend.array(CLUSTERED.astype(np.float32))

    def fit(X, _):
        rows = backend.numpy(X)
        assert type(X) is type(samples)
        return backend.array((rows[:, 0] > 2) + 2 * (rows[:, 1] > 2))

    assert gpuval.prediction_strength(fit, samples, [3], n_splits=2)[3] == 1.0


def test_wrong_predictions():
    def short(X_train, labels_train, X_test):
        return [0]

    with pytest.raises(ValueError, match=r"^predict must return a label for each of the 45 rows, got 1 \(setting 2"):
        gpuval.prediction_strength(k_means, CLUSTERED, [2], n_splits=1, predict=short)
    with pytest.raises(ValueError, match=r"^threshold must be above 0 and below 1, got 2$"):
        gpuval.prediction_strength(k_means, CLUSTERED, [2], threshold=2)
