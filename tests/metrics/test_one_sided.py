"""Measures that get better by splitting clusters alone, or by joining them: no labeling is the best by one of these."""

import numpy as np
import pytest

from gpuval.registry.families import OF_EVALUATIONS

RANDOM = np.random.default_rng(0)
MEASURES = {name: x for name, x in OF_EVALUATIONS.items() if x.better and not x.reads_names}
SIZES = [(RANDOM.integers(2, 5), RANDOM.integers(2, 6)) for _ in range(60)]
CASES = [(RANDOM.integers(0, n_classes, 24), RANDOM.integers(0, n_clusters, 24)) for n_classes, n_clusters in SIZES]
HALVES = {
    "adjusted_wallace_score",
    "adjusted_bcubed_precision_score",
    "adjusted_bcubed_recall_score",
    "pair_precision_score",
}
"""They ask of one side only, but neither singletons nor one cluster are perfect: chance is taken away, or singletons
have no pair."""
OF_EITHER_SIDE = "pair_simpson_score"
"""It takes the better one of pair precision and recall, so that one cluster is perfect, whatever the classes are. There
is no measure of the other side: exchanged, it is the same."""


def score(measure, true, pred):
    """A score of which higher ones are better."""
    return float(measure.function(true, pred)) * (1 if measure.better == "higher" else -1)


def split(pred, place):
    """Some samples of the first cluster in one of their own."""
    return np.where((pred == pred[0]) & (np.arange(len(pred)) % (2 + place % 3) == 0), 99, pred)


def gets_better_alone(measure):
    """Whether the best score is that of one cluster, or of singletons, whatever the classes are, or every split helps.

    Or every split harms.
    """
    best = None if measure.best is None else measure.best * (1 if measure.better == "higher" else -1)
    for trivial in (np.zeros(24, int), np.arange(24)):
        if best is not None and all(score(measure, true, trivial) == pytest.approx(best) for true, _ in CASES):
            return True
    changes = []
    for place, (true, pred) in enumerate(CASES):
        changes.append(score(measure, true, split(pred, place)) - score(measure, true, pred))
    return min(changes) > -1e-9 or max(changes) < 1e-9


def check(name):
    measure = MEASURES[name]
    assert measure.is_one_sided == (gets_better_alone(measure) or name in HALVES)


@pytest.mark.parametrize("name", MEASURES)
def test_one_sided_are_those_that_get_better_by_the_number_of_clusters(name):
    check(name)


@pytest.mark.parametrize("name", ["purity_score", "mutual_info_score", "adjusted_rand_score"])
def test_another_declaration_is_seen(name, monkeypatch):
    measure = MEASURES[name]
    other = not measure.is_one_sided
    monkeypatch.setattr(type(measure), "is_one_sided", property(lambda self: other))
    with pytest.raises(AssertionError):
        check(name)


def test_halves_are_of_both_sides():
    """Where a measure asks of one side, another asks the same of the other one; else it says so itself."""
    halves = {name for name, x in MEASURES.items() if isinstance(x.exchanged, tuple)}
    assert {name for name in MEASURES if MEASURES[name].is_one_sided} - halves == {
        "mutual_info_score", "beta_mutual_info", "russell_rao_score", "prediction_strength_score", OF_EITHER_SIDE,
    }  # fmt: skip
    assert not any(MEASURES[name].voice for name in MEASURES if MEASURES[name].is_one_sided)
    assert [x.name for x in sorted(MEASURES.values(), key=lambda x: x.voice) if x.voice] == [
        "adjusted_mutual_info_score", "adjusted_rand_score", "normalized_clustering_accuracy",
    ]  # fmt: skip
