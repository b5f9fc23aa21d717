"""The same call gives the same bits each time, on several cores, whichever thread is ready first."""

import time
from functools import partial

import numpy as np
import pytest
from internal_oracles import METRICS as DISTANCES
from scipy.spatial import KDTree

import gpuval
from gpuval.numerics import parallel

RNG = np.random.default_rng(5)
LABELS = RNG.integers(0, 3, 4000)
X = RNG.normal(size=(4000, 8)) + 2.0 * LABELS[:, None]
OTHERS = np.where(RNG.random(4000) < 0.3, RNG.integers(0, 3, 4000), LABELS)
WEIGHTS = RNG.random(4000)
FINE = LABELS * 80 + RNG.integers(0, 80, 4000)
"""Labels of many classes."""


@pytest.fixture(autouse=True)
def uneven(monkeypatch):
    """Three threads, also where BLAS has one, that begin each item a little later, each time another while."""
    monkeypatch.setattr(parallel, "allowed_threads", lambda: 3)
    monkeypatch.setattr(parallel, "blas_threads", lambda: 3)
    inside, random = parallel._map_on_threads, np.random.default_rng()

    def mapped(function, *others):
        def late(item):
            time.sleep(random.uniform(0, 0.003))
            return function(item)

        return inside(late, *others)

    monkeypatch.setattr(parallel, "_map_on_threads", mapped)


def nearest():
    distances, indices = KDTree(X).query(X, 31)
    return indices[:, 1:], distances[:, 1:]


CALLS = {
    **{
        name: partial(measure, FINE) if measure.measure.of_one_labeling else partial(measure, LABELS, FINE)
        for name, measure in gpuval.METRICS.items()
    },
    **{name: partial(measure, X, OTHERS) for name, measure in gpuval.INTERNAL_METRICS.items()},
    **{metric: partial(gpuval.silhouette_samples, X, OTHERS, metric=metric) for metric in DISTANCES},
    **{
        f"{metric}, weighted": partial(gpuval.silhouette_samples, X, OTHERS, metric=metric, sample_weight=WEIGHTS)
        for metric in DISTANCES
    },
    "several labelings": partial(gpuval.silhouette_scores, X, [OTHERS, LABELS, FINE]),
    "some rows": partial(gpuval.silhouette_score, X, OTHERS, sample_size=500, random_state=0),
    "lisi": lambda: gpuval.lisi_samples(nearest(), OTHERS),
    "kbet": lambda: gpuval.kbet_samples(nearest(), OTHERS),
    "null tables": partial(gpuval.standardized_mutual_info_score, LABELS, FINE, random_state=0, n_resamples=99),
    "components": partial(gpuval.pcr_score, X, OTHERS),
}


@pytest.mark.parametrize("name", CALLS)
def test_calls(name):
    assert len({np.asarray(CALLS[name]()).tobytes() for _ in range(8)}) == 1
