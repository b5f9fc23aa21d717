"""Names of labels, gaps between them and labels without samples change no test and no interval."""

from __future__ import annotations

import numpy as np
import pytest
from packages import pd

import gpuval

SEED = {"n_resamples": 39, "random_state": 0}


def scores_of_one(true, pred, metrics, **options):
    """Without the line above them, which says how many samples are ignored."""
    return repr(gpuval.compare(true, {"b": pred}, metrics, **options)).partition("\n")[2]


CALLS = {
    "a permutation test": lambda f, t, a, b, g, o: gpuval.permutation_test(f, t, b, **SEED, **o),
    "permutation tests": lambda f, t, a, b, g, o: gpuval.permutation_test(f, t, {"a": a, "b": b}, **SEED, **o),
    "two, drawn": lambda f, t, a, b, g, o: gpuval.compare_scores(t, a, b, f, method="bca", **SEED, **o),
    "two, left out": lambda f, t, a, b, g, o: gpuval.compare_scores(t, a, b, f, method="jackknife", groups=g, **o),
    "many": lambda f, t, a, b, g, o: gpuval.compare_many_scores(t, {"a": a, "b": b}, f, groups=g, **SEED, **o),
    "bootstrap": lambda f, t, a, b, g, o: gpuval.bootstrap(f, t, b, groups=g, **SEED, **o),
    "jackknife": lambda f, t, a, b, g, o: gpuval.jackknife(f, t, b, **o),
    "intervals": lambda f, t, a, b, g, o: scores_of_one(t, b, {"x": f}, confidence_level=0.9, **SEED, **o),
}
RENAMED = {
    "gaps": lambda x: np.asarray([-7, 0, 5, 90])[x],
    "unused categories": lambda x: pd.Categorical.from_codes(2 * x, list("abcdefghi")),
}


def mean_of_cells(table):
    """A function that sees rows and columns without samples."""
    return float(table.to_array().mean())


@pytest.mark.parametrize("function", ["ari", "vi", "clustering_accuracy", mean_of_cells])
@pytest.mark.parametrize("call", CALLS)
def test_names_gaps_and_labels_without_samples_change_nothing(call, function):
    random = np.random.default_rng(0)
    truth = random.integers(0, 3, 60)
    vectors = [np.where(random.random(60) < share, truth, random.integers(0, 3, 60)) for share in (1, 0.5, 0.7, 0)]
    wanted = repr(CALLS[call](function, *vectors, {}))
    for kind, renamed in RENAMED.items():
        assert repr(CALLS[call](function, *map(renamed, vectors), {})) == wanted, kind
    # Labels that only samples have that are ignored in another labeling.
    longer = [np.append(x, [1, 3]) for x in vectors]
    longer[2][-2:] = -9
    assert repr(CALLS[call](function, *longer, {"ignore_labels": -9})) == wanted
