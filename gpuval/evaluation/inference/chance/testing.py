"""Permutation tests of one table: which functions can be tested, and how."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from gpuval.evaluation.inference.chance.null_scores import (
    Tails,
    drawn_scores,
    mean_and_deviation,
    standardized,
    statistic_of,
    tails_of,
)
from gpuval.evaluation.inference.chance.pearson import check_squares, mean_and_deviation_by_moments, p_value_of_pairs
from gpuval.evaluation.inference.chance.results import PermutationTest, PermutationTests
from gpuval.evaluation.inference.direction import direction_of
from gpuval.evaluation.inference.reading import CountedLabels
from gpuval.evaluation.inference.scoring import Functions, scores_of_all
from gpuval.numerics import NDArray


def check_asked(functions: dict[Any, Callable[..., Any]], method: str, is_some: bool) -> dict[Any, Callable[..., Any]]:
    """The functions that can be tested; one of another kind is an error, unless they stand for all or for the default.

    Parameters
    ----------
    functions
        By their names.
    method
        "sampling" or "moments".
    is_some
        Whether nobody has named each of them.
    """
    testable = {name: function for name, function in functions.items() if direction_of(function)}
    if method == "moments":
        testable = {name: function for name, function in testable.items() if statistic_of(function) == "pairs"}
    wrong = next((name for name in functions if name not in testable), None)
    if wrong is None or is_some:
        return testable
    if not direction_of(functions[wrong]):
        raise ValueError(f"metrics must be measures of which some scores are better than others, got {wrong!r}")
    raise ValueError(
        f"metrics must go by the pairs together in both partitions for method='moments', got {wrong!r}; "
        "use method='sampling'"
    )


def tested_by_tables(
    functions: Functions, counted: CountedLabels, n_resamples: int, random: np.random.Generator
) -> PermutationTests:
    """The tests of functions by random tables."""
    table = counted.table
    check_squares(table)
    scores = scores_of_all(functions, table)
    sums, null = drawn_scores(functions, table, n_resamples, random)
    return PermutationTests(
        {
            name: tested(counted, scores[name], null[name], tails_of(function, table, sums, scores[name], null[name]))
            for name, function in functions.items()
        }
    )


def tested(counted: CountedLabels, score: float, null: NDArray, tails: Tails) -> PermutationTest:
    """The test of one score by those of random tables."""
    mean, deviation = mean_and_deviation(null)
    numbers = score, tails.p_value, tails.mid_p_value, standardized(score, mean, deviation), mean, deviation
    return PermutationTest(*map(counted.back, numbers), len(null))  # type: ignore[call-arg]


def tested_by_moments(functions: Functions, counted: CountedLabels) -> PermutationTests:
    """The tests of functions that go by pairs, by moments."""
    table = counted.table
    check_squares(table)
    p = p_value_of_pairs(table)
    found = {}
    for name, score in scores_of_all(functions, table).items():
        mean, deviation = mean_and_deviation_by_moments(functions[name], table)
        numbers = score, p, p, standardized(score, mean, deviation), mean, deviation
        found[name] = PermutationTest(*map(counted.back, numbers), 0)  # type: ignore[call-arg]
    return PermutationTests(found)
