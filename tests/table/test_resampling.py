"""Resampled tables: those without a sample, draws with replacement and their pairs of copies, joint cells."""

from __future__ import annotations

import functools
import itertools
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from only_for import only_for

import gpuval
from gpuval import METRICS, Contingency
from gpuval.inference.estimation import _scores_without_samples, sampler_of
from gpuval.inference.inputs import read_counted, scores_of
from gpuval.metrics.external.beta_entropies import BETA_ENTROPIES
from gpuval.metrics.external.element_centric import ELEMENTS
from gpuval.metrics.external.matching import MATCHING
from gpuval.table.labelings import read_labelings
from gpuval.table.pairs import count_pairs
from gpuval.table.resampling import cells, draws, joint
from gpuval.table.resampling.cells import CellsNeededError
from gpuval.table.resampling.joint import joint_cells, sum_matrix
from gpuval.table.resampling.leave_one_out import statistics_left_out, tables_left_out
from gpuval.table.self_pairs import pairs_of_copies

S = [[2, 1, 0], [2, 2, 1], [0, 0, 4]]


def listed(counts):
    return cells.cells_on_host(Contingency.from_counts(np.asarray(counts)).compact(), "the test")


def some_tables():
    random = np.random.default_rng(0)
    for trial in range(150):
        counts = random.integers(0, random.integers(2, 6), random.integers(1, 6, 2))
        counts = counts * (random.random(counts.shape) < 0.4) if trial % 3 == 0 else counts
        if counts.sum() > 1:
            yield listed(counts)
    yield listed([[5]])
    yield listed(np.eye(4, dtype=int))
    yield listed(1 + 9 * np.eye(4, dtype=int))
    yield listed([[1_000_000_000, 3], [2, 2_000_000_000]])


# Without one sample


@functools.cache
def some_tables_and_those_left_out():
    return [(table, list(tables_left_out(table))) for table in some_tables()]


def test_the_scores_without_each_sample_of_simovicis_table():
    table = listed(S)
    exact = [Fraction(*x) for x in [(336, 1271), (103, 323), (16, 49), (37, 125), (9, 20), (36, 245)]]
    found = _scores_without_samples({"ari": gpuval.adjusted_rand_score}, table)["ari"]
    np.testing.assert_allclose(found, np.asarray(exact, dtype=float), rtol=1e-14)


READ_CELLS = {
    name
    for name, metric in METRICS.items()
    if metric.measure.family in (BETA_ENTROPIES, ELEMENTS, MATCHING)
    or name.startswith("adjusted_bcubed")
    or name in ("entropy", "joint_entropy")
}
"""Measures that read more of a table than statistics: they are found of tables with cells."""


@pytest.mark.parametrize("name", sorted(METRICS))
def test_what_leaving_a_sample_out_changes(name):
    for table, those_left_out in some_tables_and_those_left_out():
        real = scores_of({name: METRICS[name]}, those_left_out)[name]
        np.testing.assert_allclose(
            _scores_without_samples({name: METRICS[name]}, table)[name], real, atol=2e-13, rtol=1e-12
        )
        if name in READ_CELLS:
            with pytest.raises(CellsNeededError):
                METRICS[name](statistics_left_out(table))


def test_a_formula_that_reads_cells_is_told():
    batch = statistics_left_out(listed(S))
    for name in ("counts", "cells", "class_sizes", "cluster_sizes", "shape"):
        with pytest.raises(CellsNeededError):
            getattr(batch, name)
    with pytest.raises(AttributeError):
        batch.nothing


def test_many_cells_take_no_more_than_their_number():
    random = np.random.default_rng(0)
    n = 200_000
    table = cells.cells_on_host(
        Contingency.from_labels(random.integers(0, 90_000, n), random.integers(0, 90_000, n)), ""
    )
    assert len(table.counts) > 190_000
    found = _scores_without_samples(
        {"ari": METRICS["adjusted_rand_score"], "vi": METRICS["variation_of_information"]}, table
    )
    place = int(np.argmax(table.counts))
    counts = table.counts.copy()
    counts[place] -= 1
    (without,) = cells.tables_of(table, counts[None])
    assert found["ari"][place] == pytest.approx(gpuval.adjusted_rand_score(without), abs=1e-15)
    assert found["vi"][place] == pytest.approx(gpuval.variation_of_information(without), rel=1e-14)


# Tables of other counts


@pytest.mark.parametrize("most", [0, 1 << 16])
def test_tables_of_other_counts(most, monkeypatch):
    monkeypatch.setattr(cells, "_MOST_DENSE", most)
    monkeypatch.setattr(cells, "_BLOCK", 30)
    table = listed(S)
    others = np.random.default_rng(0).integers(0, 3, (11, 6))
    expected = []
    for row in others:
        dense = np.zeros((3, 3), dtype=int)
        dense[table.cells.class_of, table.cells.cluster_of] = row
        expected.append(gpuval.normalized_mutual_info_score(Contingency.from_counts(dense)))
    found = list(cells.tables_of(table, others))
    assert len(found) == (4 if most else 11)
    scores = scores_of({"nmi": gpuval.normalized_mutual_info_score}, found)["nmi"]
    np.testing.assert_allclose(scores, expected, atol=1e-15)


def test_floats_that_are_counts_are_counts():
    table = listed(np.asarray(S, dtype=float))
    assert table.is_integer
    assert table.counts.tolist() == [2, 1, 2, 2, 1, 4]


# Draws


def all_draws(n, size):
    """All ways to draw n samples from n in so many cells, by how many each has."""
    for bars in itertools.combinations(range(n + size - 1), size - 1):
        edges = (-1, *bars, n + size - 1)
        yield tuple(b - a - 1 for a, b in itertools.pairwise(edges))


@pytest.mark.parametrize("counts", [(2, 1, 2), (4, 1), (1, 1, 1, 1)])
def test_pairs_of_copies_by_all_draws(counts):
    """Without pairs of copies, the pairs of a draw are (n - 1)/n of those of the samples, on average."""
    n = sum(counts)
    mean, together = Fraction(0), sum(x * (x - 1) for x in counts)
    for drawn in all_draws(n, len(counts)):
        ways = Fraction(math.factorial(n), math.prod(map(math.factorial, drawn)))
        chance = ways * math.prod(Fraction(x, n) ** m for x, m in zip(counts, drawn, strict=True))
        copies = draws._copies_in(np.asarray([drawn]), np.asarray(counts))[0]
        exact = sum(Fraction(m * (m - 1), x) for m, x in zip(drawn, counts, strict=True))
        assert float(copies) == pytest.approx(float(exact), rel=1e-15)
        mean += chance * (sum(m * (m - 1) for m in drawn) - exact)
    assert mean == Fraction(together * (n - 1), n)


@pytest.mark.parametrize("poisson", [False, True])
def test_draws_of_samples(poisson):
    counts = np.asarray([5, 1, 30, 64])
    sampler = draws.sampler_of_samples(counts, poisson=poisson)
    drawn, copies = sampler(np.random.default_rng(0), 4000)
    assert (drawn.sum(axis=1) == 100).all() != poisson
    error = 4 * np.sqrt(counts / 4000)
    assert (abs(drawn.mean(axis=0) - counts) < error).all()
    np.testing.assert_allclose(copies[:, 0], (drawn * (drawn - 1) / counts).sum(axis=1))
    assert sampler(np.random.default_rng(0), 1).counts.shape == (1, 4)
    assert draws.sampler_of_samples(counts, distinct=False)(np.random.default_rng(0), 3).copies is None


@pytest.mark.parametrize("few", [0, 100])
def test_samples_that_are_drawn_one_by_one_and_at_once_have_the_same_law(few, monkeypatch):
    """Means n p, variances n p (1 - p) and covariances -n p q of a multinomial."""
    monkeypatch.setattr(draws, "_FEW", few)
    monkeypatch.setattr(draws, "_AT_ONCE", 30)
    counts = np.asarray([5, 1, 30, 64])
    drawn = draws.sample_units(counts)(np.random.default_rng(0), 20_000)
    assert (drawn.sum(axis=1) == 100).all()
    shares = counts / 100
    exact = 100 * (np.diag(shares) - np.outer(shares, shares))
    assert (abs(drawn.mean(axis=0) - counts) < 4 * np.sqrt(np.diag(exact) / 20_000)).all()
    np.testing.assert_allclose(np.cov(drawn.T), exact, atol=0.9)
    called = []
    monkeypatch.setattr(draws, "_draw_one_by_one", lambda *arguments: called.append(1) or counts)
    draws.sample_units(counts)(np.random.default_rng(0), 2)
    assert len(called) == (2 if few else 0)


def test_pairs_of_two_copies_of_a_group_are_left_out():
    random = np.random.default_rng(0)
    true, pred, donor = (random.integers(0, k, 40) for k in (3, 4, 5))
    counted = read_counted("the test", true, pred, donor, None, None, None, None)
    times = np.asarray([[2, 0, 3, 1, 1], [1, 1, 1, 1, 1], [5, 0, 0, 0, 0]])

    class Fixed:
        def multinomial(self, n, shares, size):
            assert (n, size) == (5, 3)
            return times

    drawn = sampler_of(counted)(Fixed(), 3)
    (batch,) = cells.tables_of(counted.table, *drawn)
    pairs = count_pairs(batch)
    for i, weights in enumerate(times):
        samples = np.repeat(np.arange(40), weights[donor])
        copy = np.concatenate([np.arange(weights[donor[s]]) for s in range(40)])
        both, true_only, pred_only, neither = 0, 0, 0, 0
        for a, b in itertools.permutations(range(len(samples)), 2):
            s, t = samples[a], samples[b]
            if donor[s] == donor[t] and copy[a] != copy[b]:
                continue  # of two copies of one group
            kind = bool(true[s] == true[t]), bool(pred[s] == pred[t])
            both += kind == (True, True)
            true_only += kind == (True, False)
            pred_only += kind == (False, True)
            neither += kind == (False, False)
        found = [float(np.asarray(x)[i]) for x in (pairs.both, pairs.true_only, pairs.pred_only, pairs.neither)]
        assert found == [both, true_only, pred_only, neither]


def test_scores_of_integers_with_copies_leave_them_out():
    counts = np.asarray(S)
    copies = pairs_of_copies(np.float64(2.5), np.float64(1.0), np.float64(0.5), np.float64(3.0))
    table = Contingency.from_counts(counts)
    with_copies = replace(table, self_pairs=copies)
    whole, found = count_pairs(table), count_pairs(with_copies)
    for name, gone in {"both": 2.5, "true_only": 1.0, "pred_only": 0.5, "neither": 3.0}.items():
        assert getattr(found, name) == getattr(whole, name) - gone
    assert found.excess == found.both * found.neither - found.true_only * found.pred_only
    assert gpuval.normalized_mutual_info_score(with_copies) == gpuval.normalized_mutual_info_score(table)


def test_chunks_do_not_depend_on_anything_but_the_seed():
    parts = [list(draws.chunks(1000, 1000, np.random.default_rng(3))) for _ in range(2)]
    assert sum(size for _, size in parts[0]) == 1000
    assert len(parts[0]) > 2
    for (a, m), (b, k) in zip(*parts, strict=True):
        assert m == k
        assert a.integers(1 << 60) == b.integers(1 << 60)
    other = next(iter(draws.chunks(1000, 1000, np.random.default_rng(4))))[0]
    assert other.integers(1 << 60) != next(draws.chunks(1000, 1000, np.random.default_rng(3)))[0].integers(1 << 60)


# Joint cells


_FEW, _MANY = {}, {"sizes": (8, 9, 40)}


@pytest.mark.parametrize("case", [_FEW, _MANY, {"_MOST_CODES": 30}, {"_MOST_TRANSFERRED": 1}])
@only_for(lambda backend: backend.finds_sizes)  # no label can be encoded else without its size
def test_joint_cells(backend, case, monkeypatch):
    """Few codes are counted; many, those that do not fit together, and on devices some, are renumbered first."""
    case = dict(case)
    sizes = case.pop("sizes", (4, 3, 5))
    for name, value in case.items():
        monkeypatch.setattr(joint, name, value)
    random = np.random.default_rng(0)
    vectors = [random.integers(3, 3 + k, 60) for k in sizes]
    weights = random.integers(0, 4, 60)
    read = read_labelings(
        {f"labels {i}": backend.array(x) for i, x in enumerate(vectors)}, backend.array(weights), [4], None, None
    )
    found = joint_cells(read)
    kept = np.all([x != 4 for x in vectors], axis=0)
    by_hand = {}
    for *key, weight in zip(*(x[kept].tolist() for x in vectors), weights[kept].tolist(), strict=True):
        by_hand[tuple(key)] = by_hand.get(tuple(key), 0) + weight
    keys = zip(
        *([labels[c] for c in codes] for labels, codes in zip(found.labels, found.codes, strict=True)), strict=True
    )
    filled = {key: weight for key, weight in by_hand.items() if weight}
    assert {tuple(map(int, k)): int(c) for k, c in zip(keys, found.counts, strict=True)} == filled
    table, cell_of = found.table(0, 2)
    a, b = (vectors[i][kept] for i in (0, 2))
    whole = Contingency.from_labels(a, b, sample_weight=weights[kept])
    assert gpuval.adjusted_rand_score(table) == pytest.approx(gpuval.adjusted_rand_score(whole), abs=1e-15)
    assert (found.counts @ sum_matrix(cell_of, len(table.counts)) == table.counts).all()


@pytest.mark.parametrize("weights", [None, np.arange(5000) % 3])
def test_samples_of_few_codes_are_counted_without_a_sort(weights, monkeypatch):
    """A sort took ten times as long as all else that ``by`` needs."""
    random = np.random.default_rng(1)
    true, pred, by = (random.integers(0, k, 5000) for k in (5, 6, 3))
    called = []
    unique = np.unique
    monkeypatch.setattr(joint, "_distinct", lambda *_: called.append("distinct"))
    monkeypatch.setattr(np, "unique", lambda x, **options: called.append(len(x)) or unique(x, **options))
    found = gpuval.evaluate(true, pred, ["ari"], by=by, sample_weight=weights)
    assert called
    assert max(called) <= 5 * 6 * 3
    for value, scores in found.items():
        here = by == value
        own = None if weights is None else weights[here]
        assert scores == gpuval.evaluate(true[here], pred[here], ["ari"], sample_weight=own)
