"""The promise of accuracy, on tables made to break it: 1e-14 absolutely and 1e-12 relatively, for up to 10^10 samples.

Absolutely for values of at most 1 (above that the last digit of a float is larger), relatively always. Exact values
come from Python integers, fractions and 60 digits.
"""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import comb, nextafter
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from compiling import as_users_do
from oracles import ORACLES, VARIANTS, expected_cell, mp, real, same_partition, sizes_of
from oracles import pairs as exact_pairs
from properties import without_labels
from scipy import sparse

import gpuval
from gpuval import Contingency
from gpuval.measures.measure import declared, measures_in
from gpuval.metrics.external import (
    agreement,
    beta_entropies,
    element_centric,
    information,
    matching,
    overlap,
    pair_counting,
    per_class,
    standardized,
)
from gpuval.numerics.hypergeometric import mean_deviance_and_loss

Table = list[list[int]]

ABSOLUTE = 1e-14
RELATIVE = 1e-12
N = 10**10

# ---- tables --------------------------------------------------------------------------------------


def independent(class_sizes: list[int], cluster_sizes: list[int]) -> Table:
    """What independence would give, rounded."""
    n = sum(class_sizes)
    return [[(a * b + n // 2) // n for b in cluster_sizes] for a in class_sizes]


def nudged(table: Table, by: int) -> Table:
    """The same sizes, a little off independence."""
    table = [list(row) for row in table]
    for i, j, sign in ((0, 0, 1), (1, 1, 1), (0, 1, -1), (1, 0, -1)):
        table[i][j] += sign * by
    return table


def single_samples(n: int, *more: tuple[int, int]) -> Table:
    """Every sample its own class and its own cluster, and a few more."""
    table = [[int(i == j) for j in range(n)] for i in range(n)]
    for i, j in more:
        table[i][j] += 1
    return table


def _tables() -> dict[str, Table]:
    rng = random.Random(3)
    even = independent([3 * 10**9, 5 * 10**9, 2 * 10**9], [10**9, 4 * 10**9, 5 * 10**9])
    uneven = independent([3141592653, 2718281828, 4140125519], [1234567891, 5432109876, 3333322233])
    quarter = [[N // 4] * 2] * 2
    return {
        "independent": even,
        "independent_small": [[6, 10], [12, 20], [3, 5]],
        "independent_rounded": uneven,
        "information_of_1e-12": nudged(uneven, 1_700),
        "information_of_1e-9": nudged(uneven, 54_000),
        "near_independent_small": nudged(independent([317, 411, 999], [100, 627, 1000]), 2),
        "adjusted_rand_of_1e-9": nudged(quarter, 80_000),
        "adjusted_rand_of_-1e-10": nudged(quarter, 1),
        "information_as_expected": nudged(quarter, 25_000),
        "one_moved": [[5 * 10**9, 0, 0], [1, 3 * 10**9 - 1, 0], [0, 0, 2 * 10**9]],
        "one_moved_of_two": [[5 * 10**9, 0], [1, 5 * 10**9 - 1]],
        "one_moved_small": [[50, 0, 0], [1, 29, 0], [0, 0, 20]],
        "two_exchanged": [[5 * 10**9 - 1, 1], [1, 5 * 10**9 - 1]],
        "giant": [[N - 5, 1, 1], [1, 0, 0], [0, 1, 0], [1, 0, 0]],
        "giant_shares_one": [[N - 3, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]],
        "giant_against_giant": [[N - 2, 1], [1, 0]],
        "skewed": [
            [N // 7, 123456, 1, 0],
            [77777, N // 5, 0, 99],
            [1, 2, 3, 4],
            [0, 10**6, 10**3, 1],
            [5, 5, 5, 10**7],
        ],
        "as_many_pairs": [
            [2 * 10**9 + 1, 10**9, 0],
            [3, 3 * 10**9, 10**9],
            [10**9 - 3, 1, 2 * 10**9 - 2],
        ],
        "scattered": [[(7 * i * j + i + 3 * j) % 5 for j in range(9)] for i in range(8)],
        "single_samples": single_samples(20, (0, 1), (2, 5)),
        "few_single_samples": single_samples(9, (0, 1), (2, 5)),
        "single_samples_and_pairs": single_samples(20, (0, 0), (5, 5), (5, 5)),
        "large": [[rng.randint(0, 10**8) for _ in range(6)] for _ in range(5)],
        "powers": [[int(10 ** rng.uniform(0, 9)) * (rng.random() < 0.7) for _ in range(6)] for _ in range(6)],
    }


TABLES = _tables()


def square(table: Table) -> Table:
    """With empty rows or columns, so that both sides have the same labels."""
    size = max(len(table), len(table[0]))
    return [[*row, *[0] * (size - len(row))] for row in table] + [[0] * size] * (size - len(table))


# ---- measures ------------------------------------------------------------------------------------

Options = tuple[tuple[str, Any], ...]
BETAS = (0.0, 0.5, 1 - 1e-9, 1 + 1e-9, 0.995, 1.005, 1.5, 3, 20)
MEASURES: list[tuple[str, Options]] = list(
    dict.fromkeys(
        [
            *((name, tuple(options.items())) for name, options in VARIANTS),
            *((x.name, (("beta", beta),)) for x in measures_in(beta_entropies) if "beta" in x.tried for beta in BETAS),
        ]
    )
)
MODULES = (
    pair_counting,
    per_class,
    information,
    beta_entropies,
    overlap,
    element_centric,
    matching,
    standardized,
    agreement,
)
ON_HOST = {*matching.__all__} - {"van_dongen_distance"}
ADJUSTED_BCUBED = {"adjusted_bcubed_precision_score": "pred", "adjusted_bcubed_recall_score": "true"}
"""Which side's groups are counted."""
DIFFERENCES = {"adjusted_mutual_info_score", "adjusted_bcubed_f_score", *ADJUSTED_BCUBED}
"""Differences of rounded sums: relatively to these sums, not to the score, the errors are small."""


@cache
def exact(table: str, name: str, options: Options) -> list[Any]:
    """The exact value, or values, in 60 digits."""
    counts = square(TABLES[table]) if name == "cohen_kappa_score" else TABLES[table]
    value = ORACLES[name](counts, **dict(options))
    return [real(x) for x in (value if isinstance(value, list) else [value])]


def numbers(value: Any) -> list[float]:
    parts = value if isinstance(value, tuple) else np.asarray(value).reshape(-1)
    return [float(x) for x in parts]


def is_accurate(value: float, wanted: Any, *, rounding: float = 0.0) -> bool:
    """Whether an error is within the promise, or within ``rounding``, if that is more than the relative one.

    ``is_close`` of ``backends``, for small tables, asks for 1e-14 of values above 1, too. Here such values are of up to
    10^10 samples, sums and products of large numbers, and are promised relatively only; and 0 must be 0 exactly in what
    is wanted, where ``is_close`` takes for 0 what 60 digits leave of it.
    """
    if mp.isnan(wanted):
        return bool(np.isnan(value))
    error = abs(mp.mpf(value) - wanted)
    if abs(wanted) <= 1 and not error <= ABSOLUTE:
        return False
    return bool(wanted == 0 or error <= max(RELATIVE * abs(wanted), rounding))


def rounding_of(table: str, name: str, options: Options) -> float:
    """Four units in the last place of what is subtracted in a score that is a difference, else 0."""
    if name not in DIFFERENCES or same_partition(TABLES[table]):
        return 0.0
    if name == "adjusted_bcubed_f_score":  # its derivatives by precision and recall are at most 2
        return 2 * sum(rounding_of(table, x, ()) for x in ADJUSTED_BCUBED)
    if name in ADJUSTED_BCUBED:
        (wanted,), groups = exact(table, name, ()), sizes_of(TABLES[table], ADJUSTED_BCUBED[name])
        beyond, by_chance = sum(groups) - len(groups), len(groups) - 1
        small = abs(wanted) + 2 * real(Fraction(by_chance, beyond)) if beyond else 0
        return float(4 * 2.0**-52 * min(1 + abs(1 - wanted), small))
    (wanted,) = exact(table, name, options)
    mutual, expected = (exact(table, x, ())[0] for x in ("mutual_info_score", "expected_mutual_info"))
    if wanted == 0 or mutual == expected:
        return 0.0
    room = (mutual - expected) / wanted
    left = min(exact(table, "entropy", (("of", side),))[0] for side in ("true", "pred")) - expected
    smaller = min(exact(table, "conditional_entropy", (("given", side),))[0] for side in ("true", "pred"))
    return float(4 * 2.0**-52 * min(mutual + expected, left + smaller) / abs(room))


def assert_accurate(value: Any, table: str, name: str, options: Options, where: str) -> None:
    got, wanted = numbers(value), exact(table, name, options)
    assert len(got) == len(wanted)
    rounding = rounding_of(table, name, options)
    for x, y in zip(got, wanted, strict=True):
        assert is_accurate(x, y, rounding=rounding), (
            f"{name}{dict(options)} of {table} ({where}): {x!r}, exactly {mp.nstr(y, 20)}, "
            f"off by {mp.nstr(x - y, 3)}, relatively {mp.nstr((x - y) / y if y else mp.inf, 3)}"
        )


def test_every_measure_is_here():
    named = {name for name, _ in MEASURES}
    assert named == set(ORACLES)
    assert {*gpuval.METRICS, "cohen_kappa_score"} <= named
    assert named <= {name for module in MODULES for name in module.__all__}


def test_the_tables_are_what_they_are_called():
    assert exact("independent", "mutual_info_score", ()) == [0]
    for table, low, high in (
        ("information_of_1e-12", 5e-13, 2e-12),
        ("information_of_1e-9", 5e-10, 2e-9),
        ("independent_rounded", 1e-23, 1e-18),
    ):
        assert low < exact(table, "mutual_info_score", ())[0] < high
    assert 5e-10 < exact("adjusted_rand_of_1e-9", "adjusted_rand_score", ())[0] < 2e-9
    assert abs(exact("information_as_expected", "adjusted_mutual_info_score", ())[0]) < 1e-14
    assert max(sum(map(sum, table)) for table in TABLES.values()) == N
    assert min(sum(map(sum, table)) for table in TABLES.values()) < 30


def test_the_checker_can_fail():
    good, bad = 0.5, 0.5 + 3e-14
    assert is_accurate(good, mp.mpf(0.5))
    assert not is_accurate(bad, mp.mpf(0.5))
    assert is_accurate(2 + 1e-13, mp.mpf(2))
    assert not is_accurate(2 + 1e-11, mp.mpf(2))
    assert not is_accurate(1.0001e-9, mp.mpf(1e-9))
    assert is_accurate(nextafter(1e-9, 1), mp.mpf(1e-9))
    assert not is_accurate(float("nan"), mp.mpf(0))
    table = Contingency.from_counts(TABLES["information_of_1e-9"])
    mutual = gpuval.entropy(table) + gpuval.entropy(table, of="pred") - gpuval.joint_entropy(table)
    with pytest.raises(AssertionError, match="off by"):  # the textbook's difference of entropies
        assert_accurate(mutual, "information_of_1e-9", "mutual_info_score", (), "textbook")


# ---- every measure, on every table ---------------------------------------------------------------


def check_all(table: str, of: Any, where: str) -> None:
    built = {}
    for is_kappa, counts in ((False, TABLES[table]), (True, square(TABLES[table]))):
        dense = Contingency.from_counts(of(np.asarray(counts, dtype=np.int64)))
        built[is_kappa] = {"dense": dense, "listed": dense.listed()}
    for name, options in MEASURES:
        for layout, contingency in built[name == "cohen_kappa_score"].items():
            value = without_labels(getattr(gpuval, name)(contingency, **dict(options)))
            assert_accurate(value, table, name, options, f"{where}, {layout}")


@pytest.mark.by_default
@pytest.mark.parametrize("table", TABLES)
def test_numpy(table):
    check_all(table, np.asarray, "NumPy")


@pytest.mark.parametrize("table", TABLES)
def test_torch(table):
    check_all(table, torch.asarray, "PyTorch")


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_jax_compiled(module):
    """A batch of the tables, padded to one size; XLA may contract and reorder what it compiles."""
    size = 9
    tables = {name: table for name, table in TABLES.items() if max(len(table), len(table[0])) <= size}
    assert len(TABLES) - len(tables) == 2
    batch = np.zeros((len(tables), size, size), dtype=np.int64)
    for k, table in enumerate(tables.values()):
        batch[k, : len(table), : len(table[0])] = table
    few = {"base": (None,), "beta": (0, 1, 2, 1 + 1e-9, 20)}  # compiling is what takes the time
    measures = [
        (name, options)
        for name, options in MEASURES
        if name in module.__all__ and name not in ON_HOST
        if all(value in few.get(key, (value,)) for key, value in options)
    ]

    def scores(counts: Any) -> list[Any]:
        table = Contingency.from_counts(counts)
        return [without_labels(getattr(gpuval, name)(table, **dict(options))) for name, options in measures]

    with jax.enable_x64(True):
        values = jax.jit(scores, compiler_options=as_users_do())(jnp.asarray(batch))
        for (name, options), value in zip(measures, values, strict=True):
            parts = np.stack(value, -1) if isinstance(value, tuple) else np.asarray(value)
            assert parts.dtype == np.float64
            for k, table in enumerate(tables):
                n_classes, n_clusters = len(TABLES[table]), len(TABLES[table][0])
                sizes = {"classes": n_classes, "clusters": n_clusters, "best_classes": n_clusters}
                part = parts[k][: sizes[of]] if (of := declared(getattr(gpuval, name)).values) in sizes else parts[k]
                assert_accurate(part, table, name, options, "JAX")


@pytest.mark.parametrize("table", ["skewed", "giant", "information_of_1e-9"])
def test_jax_on_the_host(table):
    with jax.enable_x64(True):
        contingency = Contingency.from_counts(jnp.asarray(TABLES[table]))
        for name, options in MEASURES:
            if name in ON_HOST:
                value = without_labels(getattr(gpuval, name)(contingency, **dict(options)))
                assert_accurate(value, table, name, options, "JAX")


# ---- 10^5 x 10^5 clusters ------------------------------------------------------------------------

GROUPS = 10**5
SIZES = [180_003, 99_500, 120_000, 1_000, 7, 150_000, 180_011, 90_001, 12_345, 240_133]
MOVED = [1, 40_000, 3, 0, 2, 1_000, 999, 3_000, 6_000, 100_000]
"""Class i has size SIZES[i mod 10]; all of it but MOVED[i mod 10] is in cluster i, and that is in cluster i + 1."""


@cache
def wide_cells() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    i = np.arange(GROUPS)
    size, moved = np.resize(SIZES, GROUPS), np.resize(MOVED, GROUPS)
    counts = np.concatenate([size - moved, moved])
    class_of, cluster_of = np.concatenate([i, i]), np.concatenate([i, (i + 1) % GROUPS])
    filled = counts > 0
    counts, class_of, cluster_of = (x[filled] for x in (counts, class_of, cluster_of))
    order = np.lexsort((cluster_of, class_of))
    return counts[order], class_of[order], cluster_of[order]


@cache
def wide_values() -> dict[tuple[str, Options], Any]:
    """The definitions once more, summed over the ten kinds of cells that there are."""
    times = GROUPS // len(SIZES)
    kept = [size - moved for size, moved in zip(SIZES, MOVED, strict=True)]
    arrived = [MOVED[-1], *MOVED[:-1]]
    clusters = [k + m for k, m in zip(kept, arrived, strict=True)]
    n = times * sum(SIZES)
    kinds = [*zip(kept, SIZES, clusters, strict=True), *zip(MOVED, SIZES, [*clusters[1:], clusters[0]], strict=True)]
    cells = [(k, a, b) for k, a, b in kinds if k]
    assert all(k > m for k, m in zip(kept, arrived, strict=True))
    assert all(k > m for k, m in zip(kept, MOVED, strict=True))
    same, moved = times * sum(kept), times * sum(MOVED)

    def total(terms: Any) -> Any:
        return times * sum(terms, mp.zero)

    both = times * sum(comb(k, 2) for k, _, _ in cells)
    true, pred = (times * sum(comb(s, 2) for s in side) for side in (SIZES, clusters))
    everything = comb(n, 2)
    excess = both * everything - true * pred
    true_only, pred_only = true - both, pred - both
    differing = true_only + pred_only
    neither = everything - both - differing
    root = mp.sqrt(mp.mpf(true) * pred)

    h_true, h_pred = (total(-mp.mpf(s) / n * mp.log(mp.mpf(s) / n) for s in side) for side in (SIZES, clusters))
    mutual = total(mp.mpf(k) / n * mp.log(mp.mpf(n) * k / (a * b)) for k, a, b in cells)
    joint = h_true + h_pred - mutual
    expected = times**2 * sum(
        many * more * expected_cell(a, b, n)
        for a, many in Counter(SIZES).items()
        for b, more in Counter(clusters).items()
    )
    averages = {
        "min": min(h_true, h_pred),
        "geometric": mp.sqrt(h_true * h_pred),
        "arithmetic": (h_true + h_pred) / 2,
        "max": max(h_true, h_pred),
        "joint": joint,
    }
    values: dict[tuple[str, Options], Any] = {
        ("rand_score", ()): Fraction(both + neither, everything),
        ("adjusted_rand_score", ()): Fraction(2 * excess, (true + pred) * everything - 2 * true * pred),
        ("fowlkes_mallows_score", ()): both / root,
        ("adjusted_fowlkes_mallows_score", ()): (both / root - root / everything) / (1 - root / everything),
        ("pair_precision_score", ()): Fraction(both, pred),
        ("pair_recall_score", ()): Fraction(both, true),
        ("pair_f_score", ()): Fraction(2 * both, true + pred),
        ("pair_jaccard_score", ()): Fraction(both, both + differing),
        ("mirkin_distance", ()): 2 * differing,
        ("mirkin_distance", (("normalized", True),)): Fraction(2 * differing, n**2),
        ("hubert_gamma_score", ()): excess / (root * mp.sqrt(mp.mpf(everything - true) * (everything - pred))),
        ("mcnemar_index", ()): (true_only - pred_only) / mp.sqrt(differing),
        ("adjusted_wallace_score", ()): Fraction(excess, true * (everything - pred)),
        ("entropy", ()): h_true,
        ("joint_entropy", ()): joint,
        ("conditional_entropy", ()): h_true - mutual,
        ("mutual_info_score", ()): mutual,
        ("expected_mutual_info", ()): expected,
        ("homogeneity_score", ()): mutual / h_true,
        ("completeness_score", ()): mutual / h_pred,
        ("v_measure_score", ()): 2 * mutual / (h_true + h_pred),
        ("variation_of_information", ()): h_true + h_pred - 2 * mutual,
        ("normalized_variation_of_information", ()): 1 - mutual / joint,
        ("normalized_information_distance", ()): 1 - mutual / averages["max"],
        ("purity_score", ()): Fraction(same, n),
        ("inverse_purity_score", ()): Fraction(same, n),
        ("f_measure_score", ()): Fraction(times, GROUPS)
        * sum(Fraction(2 * k, a + b) for k, a, b in zip(kept, SIZES, clusters, strict=True)),
        ("bcubed_precision_score", ()): Fraction(times, n) * sum(Fraction(k * k, b) for k, _, b in cells),
        ("bcubed_recall_score", ()): Fraction(times, n) * sum(Fraction(k * k, a) for k, a, _ in cells),
        ("element_centric_score", ()): Fraction(times, n) * sum(Fraction(k * k, max(a, b)) for k, a, b in cells),
        ("clustering_accuracy", ()): Fraction(same, n),
        ("classification_error_distance", ()): Fraction(moved, n),
        ("cluster_edit_distance", ()): 2 * moved,
        ("van_dongen_distance", ()): Fraction(moved, n),
        ("normalized_pivoted_accuracy", ()): (Fraction(same, n) - Fraction(1, GROUPS)) / (1 - Fraction(1, GROUPS)),
        ("gini_index", ()): 1 - Fraction(times, n**2) * sum(a * a for a in SIZES),
    }
    for method, average in averages.items():
        values["normalized_mutual_info_score", (("average_method", method),)] = mutual / average
        if method != "joint":
            score = (mutual - expected) / (average - expected)
            values["adjusted_mutual_info_score", (("average_method", method),)] = score
    for beta in (0.5, 1.5, 2.0, 3.0):
        unit = 1 - mp.power(2, 1 - mp.mpf(beta))
        powers = [total(mp.power(mp.mpf(s) / n, beta) for s in x) for x in (SIZES, clusters, [k for k, _, _ in cells])]
        of_true, of_pred, of_joint = powers
        option = (("beta", beta),)
        values["beta_entropy", option] = (1 - of_true) / unit
        values["beta_joint_entropy", option] = (1 - of_joint) / unit
        values["beta_conditional_entropy", option] = (of_pred - of_joint) / unit
        values["beta_mutual_info", option] = (1 - of_true - of_pred + of_joint) / unit
        values["beta_entropy_distance", option] = (of_true + of_pred - 2 * of_joint) / unit
    for name, together in (("precision", true), ("recall", pred)):
        by_chance = Fraction(GROUPS + (n - GROUPS) * Fraction(together, everything), n)
        gain = values[f"bcubed_{name}_score", ()] - by_chance
        values[f"adjusted_bcubed_{name}_score", ()] = gain / (1 - by_chance)
    recalls = Fraction(times, GROUPS) * sum(Fraction(k, a) for k, a in zip(kept, SIZES, strict=True))
    chance = Fraction(1, GROUPS)
    values["normalized_clustering_accuracy", ()] = (recalls - chance) / (1 - chance)
    shared = times * sum(Fraction(k, max(a, b)) for k, a, b in zip(kept, SIZES, clusters, strict=True))
    ranked = zip(sorted(SIZES), sorted(clusters), strict=True)
    by_chance = Fraction(times * sum(min(a, b) for a, b in ranked), n)
    values["pair_sets_index", ()] = (shared - by_chance) / (GROUPS - by_chance)
    values["simplified_pair_sets_index", ()] = (shared - 1) / (GROUPS - 1)
    return {key: real(value) for key, value in values.items()}


@pytest.mark.parametrize("library", [np.asarray, torch.asarray], ids=["numpy", "torch"])
def test_many_clusters(library):
    table = Contingency.from_cells(*map(library, wide_cells()), (GROUPS, GROUPS))
    assert int(table.total) == sum(SIZES) * GROUPS // len(SIZES)
    assert int(table.total) > N // 2
    for (name, options), wanted in wide_values().items():
        value = float(getattr(gpuval, name)(table, **dict(options)))
        assert is_accurate(value, wanted), f"{name}{dict(options)}: {value!r}, exactly {mp.nstr(wanted, 20)}"


@pytest.mark.parametrize("library", [np.asarray, torch.asarray], ids=["numpy", "torch"])
@pytest.mark.parametrize("pair", [(0, 1), (0, 3)], ids=["of two classes", "of one class"])
def test_bcubed_of_single_samples_and_one_pair(pair, library):
    """Nearly all of what the sums of all cells tell is what they would by chance.

    The recall is 1e-4, of which this leaves 2e-9: the last digit of the recall, in which versions of NumPy differ, is
    more than the relative error.
    """
    last_digits = {"adjusted_bcubed_precision_score": 0.0, "adjusted_bcubed_recall_score": np.spacing(1e-4)}
    n = 30_001
    true, pred = np.arange(n) % 3, np.arange(n)
    pred[pair[1]] = pred[pair[0]]
    counts = [np.bincount(pred[true == i], minlength=n).tolist() for i in range(3)]
    for name, rounding in last_digits.items():
        value = float(getattr(gpuval, name)(library(true), library(pred)))
        wanted = real(ORACLES[name](counts))
        assert is_accurate(value, wanted, rounding=rounding), f"{name}: {value!r}, exactly {mp.nstr(wanted, 20)}"


# ---- no silent overflow --------------------------------------------------------------------------


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64])
def test_narrow_counts(dtype):
    """Counts whose margins, and whose squares, their own type does not hold."""
    top = min(int(np.iinfo(dtype).max), 2**31)
    counts = [[top, top - 1, 1], [0, top, top], [top, 3, top - 2]]
    table = Contingency.from_counts(np.asarray(counts, dtype=dtype))
    both, true_only, pred_only, neither = exact_pairs(counts)
    assert gpuval.pair_confusion_matrix(table).tolist() == [
        [2 * neither, 2 * pred_only],
        [2 * true_only, 2 * both],
    ]
    assert table.class_sizes.tolist() == [sum(row) for row in counts]
    for name in ("adjusted_rand_score", "mutual_info_score", "clustering_accuracy", "purity_score"):
        assert is_accurate(float(getattr(gpuval, name)(table)), real(ORACLES[name](counts)))


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16])
@pytest.mark.parametrize("library", [np.asarray, torch.asarray], ids=["numpy", "torch"])
def test_narrow_labels(dtype, library):
    """200,000 samples whose labels take one or two bytes: the number of a cell does not fit there, nor does a count."""
    rng = np.random.default_rng(5)
    low, high = (0, 200) if dtype is np.uint8 else (-100, 100)
    true, pred = (rng.integers(low, high, 200_000).astype(dtype) for _ in range(2))
    counts = [[0] * 200 for _ in range(200)]
    for i, j in zip((true.astype(int) - low).tolist(), (pred.astype(int) - low).tolist(), strict=True):
        counts[i][j] += 1
    labels = library(true), library(pred)
    assert gpuval.contingency_matrix(*labels).tolist() == counts
    both, true_only, pred_only, neither = exact_pairs(counts)
    assert gpuval.pair_confusion_matrix(*labels).tolist() == [
        [2 * neither, 2 * pred_only],
        [2 * true_only, 2 * both],
    ]


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16])
def test_narrow_weights(dtype):
    weights = np.full(1000, np.iinfo(dtype).max, dtype=dtype)
    labels = np.repeat([0, 1], 500), np.tile([0, 1], 500)
    total = 250 * int(np.iinfo(dtype).max)
    assert gpuval.contingency_matrix(*labels, sample_weight=weights).tolist() == [[total] * 2] * 2


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.float32])
def test_narrow_sparse_counts(dtype):
    """The sums of rows, columns and duplicates are wider than the entries."""
    largest = 127
    dense = np.full((40, 40), largest, dtype=dtype)
    twice = sparse.coo_array((np.full(2, largest, dtype=dtype), ([0, 0], [0, 0])), shape=(1, 1))
    assert Contingency.from_counts(sparse.csr_array(dense)).total == 1600 * largest
    assert Contingency.from_counts(twice).total == 2 * largest


@pytest.mark.parametrize("table", [name for name, table in TABLES.items() if sum(map(sum, table)) > 3 * 10**9])
def test_pairs_beyond_64_bits(table):
    counts = TABLES[table]
    matrix = gpuval.pair_confusion_matrix(Contingency.from_counts(counts))
    both, true_only, pred_only, neither = exact_pairs(counts)
    assert matrix.tolist() == [[2 * neither, 2 * pred_only], [2 * true_only, 2 * both]]
    assert matrix.dtype == object
    assert all(type(x) is int for x in matrix.ravel())
    n = sum(map(sum, counts))
    assert matrix.sum() == n * (n - 1)
    with pytest.raises(OverflowError, match="does not fit int64"):
        gpuval.pair_confusion_matrix(Contingency.from_counts(torch.tensor(counts)))


def test_the_largest_pairs_of_64_bits():
    """Around the root of 2^63, where the answer changes from int64 to Python integers."""
    root = 3_037_000_499
    for n, dtype in ((root, np.int64), (root + 1, object)):
        counts = [[n - 2, 1], [0, 1]]
        both, true_only, pred_only, neither = exact_pairs(counts)
        matrix = gpuval.pair_confusion_matrix(Contingency.from_counts(counts))
        assert matrix.dtype == dtype
        assert matrix.tolist() == [[2 * neither, 2 * pred_only], [2 * true_only, 2 * both]]


def test_scores_grow_smoothly():
    """No jump at any power of two: the score of a table and of its multiples is nearly the same."""
    counts = np.asarray([[5, 1, 0], [2, 7, 1], [0, 1, 9]])
    for name in ("adjusted_rand_score", "rand_score", "fowlkes_mallows_score", "adjusted_mutual_info_score"):
        scores = [float(getattr(gpuval, name)(Contingency.from_counts(counts << shift))) for shift in range(12, 29)]
        assert all(abs(x - y) < 1e-3 for x, y in pairwise(scores))


# ---- the expected loss, of which the adjusted mutual information is made -------------------------


def expected_loss(a: int, b: int, n: int) -> Any:
    """``E[K log(b / K)]`` from the expected mutual information of the cell, in more digits than cancel."""
    if a in (0, n) or b <= 1:  # K is 0, or b
        return mp.zero
    return real(Fraction(a * b, n)) * mp.log(real(Fraction(n, a))) - n * expected_cell(a, b, n)


def sizes() -> list[tuple[int, int, int]]:
    rng = random.Random(7)
    small = [(a, b, n) for n in (1, 2, 3, 7) for a in range(n + 1) for b in range(n + 1)]
    large = [(int(n ** rng.random()), int(n ** rng.random()), n) for n in (10**3, 10**6, 10**10) for _ in range(40)]
    nearly_all = [(n - x, n - y, n) for x, y, n in large[::3]] + [(n - x, y, n) for x, y, n in large[1::3]]
    return small + large + nearly_all


def test_expected_loss():
    a, b, n = np.asarray(sizes(), dtype=np.float64).T
    _, of_b = mean_deviance_and_loss(a, b, n, np.asarray(False), np)
    _, of_a = mean_deviance_and_loss(b, a, n, np.asarray(True), np)
    for value, other, (x, y, m) in zip(of_b, of_a, sizes(), strict=True):
        wanted = expected_loss(x, y, m)
        for got in (value, other):
            assert abs(mp.mpf(got) - wanted) <= 1e-13 * wanted, f"{(x, y, m)}: {got!r}, exactly {mp.nstr(wanted, 20)}"
