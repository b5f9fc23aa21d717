"""Concordance ratio: the definition by pairs on every backend, and queries that have no pair."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from backends import as_on_a_device, assert_close, transfers_to_host
from packages import sk

from gpuval.ranking import Ranked, concordance_ratio

RELEVANCES = [[3, 2, 0, 0, 1, 0], [0, 0, 1, 3, 0, 2], [1, 1, 0, 0, 0, 2], [0, 1, 0, 0, 0, 0]]
SCORES = [[6, 5, 4, 3, 2, 1], [2, 2, 2, 2, 1, 1], [1, 1, 1, 1, 1, 1], [3, 3, 2, 2, 1, 1]]
MISSING = [[True] * 6, [True] * 6, [True, True, False, True, True, True], [True] * 6]


def definition(relevances, scores):
    """Over all pairs of a relevant and an irrelevant document; None without any."""
    pairs = [
        Fraction((a > b) - (a < b) + 1, 2)
        for g, a in zip(relevances, scores, strict=True)
        for h, b in zip(relevances, scores, strict=True)
        if g > 0 and h == 0
    ]
    return sum(pairs) / len(pairs) if pairs else None


def exact():
    return [definition(x, y) for x, y in zip(RELEVANCES, SCORES, strict=True)]


def test_worked_value():
    assert definition([1, 0, 0, 1, 0], [5, 4, 3, 2, 1]) == Fraction(4, 6)
    assert_close(np.asarray(concordance_ratio([1, 0, 0, 1, 0])), Fraction(4, 6))


@pytest.mark.by_default
def test_definition(backend):
    relevances, scores = backend.array(RELEVANCES), backend.array(SCORES)
    score, _, of_queries = concordance_ratio(relevances, scores, return_per_query=True)
    backend.assert_close(of_queries, exact())
    backend.assert_close(score, sum(exact()) / 4)
    backend.assert_at_home(score, relevances)


def test_documents_that_do_not_count(backend):
    mask = backend.of(np.asarray(MISSING))
    found = concordance_ratio(backend.array(RELEVANCES), backend.array(SCORES), mask=mask, return_per_query=True)
    values = exact()
    values[2] = definition([1, 1, 0, 0, 2], [1] * 5)
    backend.assert_close(found.query_scores, values)


def test_in_the_order_as_given(backend):
    found = concordance_ratio(backend.array(RELEVANCES), backend.array(SCORES), ties="stable", return_per_query=True)
    backend.assert_close(found.query_scores, [definition(x, [6, 5, 4, 3, 2, 1]) for x in RELEVANCES])


def test_many_lists_of_numpy_against_the_area_under_the_curve():
    rng = np.random.default_rng(2)
    for _ in range(60):
        relevances, scores = rng.integers(0, 2, 12), rng.integers(0, 5, 12)
        value = definition(relevances.tolist(), scores.tolist())
        found = concordance_ratio(relevances, scores)
        assert_close(np.asarray(found), math.nan if value is None else value)
        if value is not None:
            assert float(found) == pytest.approx(sk.roc_auc_score(relevances, scores), abs=1e-14)


ONE_KIND = [[0, 0, 0], [1, 1, 2], [1, 0, 0]]
"""No relevant document, no other, and both."""


def test_queries_without_a_pair(backend):
    values = {"nan": math.nan, "zero": 0, "one": 1, "skip": math.nan}
    means = {"nan": math.nan, "zero": Fraction(1, 3), "one": 1, "skip": 1}
    relevances = backend.array(ONE_KIND)
    for on_undefined, value in values.items():
        found = concordance_ratio(relevances, on_undefined=on_undefined, return_per_query=True)
        backend.assert_close(found.query_scores, [value, value, 1], on_undefined)
        backend.assert_close(found.score, means[on_undefined], on_undefined)
    backend.assert_close(concordance_ratio(relevances), math.nan)


def test_relevant_documents_that_a_list_lacks_are_in_no_pair():
    ranked = Ranked.from_scores(RELEVANCES, SCORES, n_relevant=6)
    assert concordance_ratio(ranked) == concordance_ratio(RELEVANCES, SCORES)


def test_it_has_no_options_of_its_own():
    with pytest.raises(TypeError) as raised:
        concordance_ratio(RELEVANCES, SCORES, n=3)
    assert str(raised.value) == (
        "concordance_ratio() got an unexpected keyword argument 'n'; it has no options of its own"
    )


def test_nothing_leaves_a_device(backend):
    relevances, scores = backend.array(RELEVANCES), backend.array(SCORES)
    with as_on_a_device(), transfers_to_host() as copied:
        concordance_ratio(relevances, scores)
    assert copied == []


def test_compiled_by_jax():
    import jax

    with jax.enable_x64(True):
        relevances, scores = jax.numpy.asarray(RELEVANCES), jax.numpy.asarray(SCORES)
        assert_close(np.asarray(jax.jit(concordance_ratio)(relevances, scores)), sum(exact()) / 4)
        assert_close(np.asarray(jax.jit(jax.vmap(concordance_ratio))(relevances, scores)), exact())


def test_compiled_by_torch():
    import torch

    compiled = torch.compile(concordance_ratio, fullgraph=True, backend="eager")
    assert_close(compiled(torch.tensor(RELEVANCES), torch.tensor(SCORES)).numpy(), sum(exact()) / 4)
