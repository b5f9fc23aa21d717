"""What makes two partitions disagree, by its definition: pairs of samples, one by one."""

import random
from itertools import combinations

import numpy as np
import pytest

from gpuval import Contingency
from gpuval.reporting.overlaps import Overlaps


def causes_by_pairs(true, pred):
    """Of each class the pairs that are apart, of each cluster those that are together, as shares of all of these."""
    found = {}
    for i, j in combinations(range(len(true)), 2):
        if true[i] == true[j] and pred[i] != pred[j]:
            found["split", true[i]] = found.get(("split", true[i]), 0) + 1
        if true[i] != true[j] and pred[i] == pred[j]:
            found["merged", pred[i]] = found.get(("merged", pred[i]), 0) + 1
    total = sum(found.values())
    return {key: count / total for key, count in found.items()}


@pytest.mark.parametrize("seed", range(20))
def test_shares_are_those_of_pairs(seed):
    source = random.Random(seed)
    true = [source.choice("abcd") for _ in range(40)]
    pred = [source.randrange(source.randint(1, 6)) for _ in range(40)]
    overlaps = Overlaps.of(Contingency.from_labels(true, pred))
    found = {(x.kind, x.label): x.share for x in overlaps.causes}
    assert found == pytest.approx(causes_by_pairs(true, pred), abs=1e-12)
    shares = [x.share for x in overlaps.causes]
    assert shares == sorted(shares, reverse=True)


def test_the_same_partition_has_no_causes():
    assert Overlaps.of(Contingency.from_labels(list("aabbc"), list("xxyyz"))).causes == []
    weights = np.random.default_rng(0).random(5)
    assert Overlaps.of(Contingency.from_labels(list("aabbc"), list("xxyyz"), sample_weight=weights)).causes == []


def test_what_is_said_of_labels():
    true, pred = list("aaaab") + ["c"] * 4, [0, 0, 0, 1, 1, 2, 2, 2, 2]
    overlaps = Overlaps.of(Contingency.from_labels(true, pred))
    a, b, c = overlaps.class_spreads
    assert (a.label, a.size, a.n_parts) == ("a", 4, 2)
    assert [(x.label, x.share) for x in a.parts] == [(0, 0.75), (1, 0.25)]
    assert a.best_f == pytest.approx(2 * 3 / (4 + 3))
    assert (b.parts[0].label, b.parts[0].share, b.best_f) == (1, 1.0, pytest.approx(2 / 3))
    assert c.best_f == 1
    assert [(x.label, x.size, x.n_parts) for x in overlaps.cluster_spreads] == [(0, 3, 1), (1, 2, 2), (2, 4, 1)]


def test_weights_count():
    overlaps = Overlaps.of(Contingency.from_labels([0, 0, 1], [0, 1, 1], sample_weight=[0.5, 0.25, 0.25]))
    (split, merged) = (next(x for x in overlaps.causes if x.kind == kind) for kind in ("split", "merged"))
    assert split.share == pytest.approx(0.5 * 0.25 / (0.5 * 0.25 + 0.25 * 0.25))
    assert merged.share == pytest.approx(0.25 * 0.25 / (0.5 * 0.25 + 0.25 * 0.25))
    assert overlaps.class_spreads[0].size == 0.75


def test_many_labels_are_no_dense_table():
    labels = np.arange(50_000)
    overlaps = Overlaps.of(Contingency.from_labels(labels, labels // 2))
    assert overlaps.causes[0].share == pytest.approx(1 / 25_000)
