"""The oracles against definitions of another kind, worked values, and other libraries."""

import math
from collections import Counter
from fractions import Fraction
from itertools import combinations, permutations, product

import genieclust.compare_partitions as genie
import igraph
import numpy as np
import pytest
import sklearn.metrics as sk
from only_for import only_for
from oracles import (
    DEGENERATE,
    DEGENERATE_OPTION_VALUES,
    DEGENERATE_VALUES,
    ORACLES,
    VARIANTS,
    agreement_table_of,
    all_partitions,
    best_matching,
    best_matching_proved,
    best_matching_tried,
    blocks,
    class_sizes,
    cluster_sizes,
    edit_distances_by_search,
    expected_cell_plain,
    expected_cell_windowed,
    mp,
    pairs,
    pairs_by_looking,
    ratio,
    real,
    same_partition,
    table_for,
    table_of,
    transposed,
)
from peers import GENIECLUST, IGRAPH, of_sklearn
from properties import MEASURES

F = Fraction


def listed(value) -> list:
    return value if isinstance(value, list) else [value]


def assert_close(value, expected, tolerance, what="value") -> None:
    """Compare numbers or lists of numbers, in 60 digits; an exact value is compared as it is."""
    assert len(listed(value)) == len(listed(expected)), f"{what}: {value} is not {expected}"
    for x, y in zip(listed(value), listed(expected), strict=True):
        if not (math.isnan(x) and math.isnan(y)):
            assert abs(real(x) - real(y)) <= tolerance, f"{what}: {value} is not {expected}"


def variant_name(variant) -> str:
    name, options = variant
    return name + "".join(f"-{key}={value}" for key, value in options.items())


# ---- the tools -----------------------------------------------------------------------------------


@pytest.mark.parametrize(("n", "bell"), list(enumerate([1, 1, 2, 5, 15, 52, 203])))
def test_all_partitions_are_all_and_different(n, bell):
    found = {blocks(labels) for labels in all_partitions(n)}
    assert len(found) == len(list(all_partitions(n))) == bell


def test_tables():
    assert table_of("aabc", [7, 7, 3, 3]) == [[0, 2], [1, 0], [1, 0]]
    assert agreement_table_of([0, 0, 5], [0, 2, 2]) == [[1, 1, 0], [0, 0, 0], [0, 1, 0]]
    assert table_of([], []) == []


@pytest.mark.parametrize(
    ("table", "same"),
    [
        ([], True),
        ([[0, 0], [0, 0]], True),
        ([[3]], True),
        ([[0, 3], [1, 0]], True),
        ([[0, 0, 3], [0, 0, 0], [0, 2, 0]], True),
        ([[1, 1]], False),
        ([[1], [1]], False),
        ([[1, 1], [1, 0]], False),
    ],
)
def test_same_partition(table, same):
    assert same_partition(table) is same


def test_only_0_over_0_is_0():
    assert ratio(0, 0) == 0
    with pytest.raises(ZeroDivisionError):
        ratio(1, 0)


# ---- pairs, one by one ---------------------------------------------------------------------------


@pytest.mark.parametrize("n", range(7))
def test_pairs_of_the_table_are_the_pairs_looked_at(n):
    partitions = list(all_partitions(n))
    for labels_true, labels_pred in product(partitions, repeat=2):
        counted = pairs(table_of(labels_true, labels_pred))
        assert counted == pairs_by_looking(labels_true, labels_pred)


def pair_set(labels) -> set:
    places = range(len(labels))
    return {(s, t) for s in places for t in places if s < t and labels[s] == labels[t]}


def correlation(x: set, y: set, everything: set):
    """Pearson's correlation of two indicator vectors."""
    xs, ys = [p in x for p in everything], [p in y for p in everything]
    mean_x, mean_y = F(sum(xs), len(xs)), F(sum(ys), len(ys))
    covariance = sum((u - mean_x) * (v - mean_y) for u, v in zip(xs, ys, strict=True))
    variances = sum((u - mean_x) ** 2 for u in xs) * sum((v - mean_y) ** 2 for v in ys)
    return real(covariance) / mp.sqrt(real(variances)) if variances else 0


def share(part: set, whole: set) -> Fraction:
    return F(len(part), len(whole)) if whole else F(0)


# Each measure from the sets x and y of the pairs that are together in each partition, and the set
# of all pairs; only asked of partitions that differ.
FROM_PAIR_SETS = {
    ("rand_score", ()): lambda x, y, e: 1 - share(x ^ y, e),
    ("fowlkes_mallows_score", ()): lambda x, y, e: mp.sqrt(real(share(x & y, x) * share(x & y, y))),
    ("pair_precision_score", ()): lambda x, y, e: share(x & y, y),
    ("pair_recall_score", ()): lambda x, y, e: share(x & y, x),
    ("pair_f_score", ()): lambda x, y, e: ratio(2 * len(x & y), len(x) + len(y)),
    ("pair_f_score", (("beta", 2),)): lambda x, y, e: ratio(
        5 * len(x & y), 5 * len(x & y) + 4 * len(x - y) + len(y - x)
    ),
    ("pair_jaccard_score", ()): lambda x, y, e: share(x & y, x | y),
    ("pair_kulczynski_score", ()): lambda x, y, e: (share(x & y, x) + share(x & y, y)) / 2,
    ("pair_ochiai_score", ()): lambda x, y, e: ratio(len(x & y), mp.sqrt(len(x) * len(y))),
    ("pair_simpson_score", ()): lambda x, y, e: share(x & y, min(x, y, key=len)),
    ("pair_braun_blanquet_score", ()): lambda x, y, e: share(x & y, max(x, y, key=len)),
    ("pair_inclusion_score", ()): lambda x, y, e: share(x & y, x),
    ("pair_inclusion_score", (("of", "pred"),)): lambda x, y, e: share(x & y, y),
    ("pair_inclusion_score", (("variant", 2),)): lambda x, y, e: ratio(len(x & y), len(x) + len(x - y)),
    ("pair_inclusion_score", (("of", "pred"), ("variant", 2))): lambda x, y, e: ratio(len(x & y), len(y) + len(y - x)),
    ("mirkin_distance", ()): lambda x, y, e: 2 * len(x ^ y),
    ("hubert_gamma_score", ()): correlation,
    ("rogers_tanimoto_score", ()): lambda x, y, e: F(len(e - (x ^ y)), len(e - (x ^ y)) + 2 * len(x ^ y)),
    ("russell_rao_score", ()): lambda x, y, e: share(x & y, e),
    ("sokal_sneath_score", ()): lambda x, y, e: F(len(x & y), len(x & y) + 2 * len(x ^ y)),
    ("sokal_sneath_score", (("variant", 2),)): lambda x, y, e: F(
        2 * len(e - (x ^ y)), 2 * len(e - (x ^ y)) + len(x ^ y)
    ),
    ("mcnemar_index", ()): lambda x, y, e: (len(x) - len(y)) / mp.sqrt(len(x ^ y)),
    ("wallace_score", ()): lambda x, y, e: share(x & y, x),
    ("wallace_score", (("given", "pred"),)): lambda x, y, e: share(x & y, y),
}


@pytest.mark.parametrize("variant", FROM_PAIR_SETS, ids=lambda v: variant_name((v[0], dict(v[1]))))
@pytest.mark.parametrize("n", [2, 4, 5])
def test_pair_measures_are_those_of_the_sets_of_pairs(variant, n):
    name, options = variant
    everything = pair_set([0] * n)
    for labels_true, labels_pred in product(list(all_partitions(n)), repeat=2):
        if labels_true != labels_pred:
            value = ORACLES[name](table_of(labels_true, labels_pred), **dict(options))
            expected = FROM_PAIR_SETS[variant](pair_set(labels_true), pair_set(labels_pred), everything)
            assert_close(value, expected, 1e-50)


# ---- expectations over all permutations ----------------------------------------------------------


def one_of_each_shape(n):
    """One partition for each multiset of block sizes."""
    return list({tuple(sorted(Counter(p).values())): p for p in all_partitions(n)}.values())


def all_deals(labels_true, labels_pred):
    """The tables of all rearrangements of the predicted labels, with how many give each."""
    return Counter(tuple(map(tuple, table_of(labels_true, rearranged))) for rearranged in permutations(labels_pred))


@pytest.mark.parametrize("name", ["adjusted_rand_score", "adjusted_fowlkes_mallows_score"])
def test_pair_scores_are_adjusted_by_their_expectation(name):
    """(index - expected)/(max - expected), the expectation being taken over all permutations."""
    plain, largest = {
        "adjusted_rand_score": (
            lambda table: pairs(table)[0],
            lambda table: (2 * pairs(table)[0] + pairs(table)[1] + pairs(table)[2]) / F(2),
        ),
        "adjusted_fowlkes_mallows_score": (
            ORACLES["fowlkes_mallows_score"].__wrapped__,
            lambda table: F(1),
        ),
    }[name]
    for shapes in product(one_of_each_shape(5), repeat=2):
        deals = all_deals(*shapes)
        expected = sum(real(plain(list(t))) * c for t, c in deals.items()) / deals.total()
        for cells in deals:
            table = list(map(list, cells))
            gain, room = real(plain(table)) - expected, real(largest(table)) - expected
            if same_partition(table):
                assert ORACLES[name](table) == 1
            elif abs(room) < 1e-50:
                assert abs(gain) < 1e-50
                assert ORACLES[name](table) == 0
            else:
                assert_close(ORACLES[name](table), gain / room, 1e-50)


@pytest.mark.parametrize("alpha", [F(1, 2), F(9, 10)])
def test_element_centric_similarity_is_that_of_page_ranks(alpha):
    """Of each sample: the walk that goes on with probability alpha, to a sample of its group, and else back to it."""

    def page_ranks(labels):
        walk = np.asarray([[float(x == y) for y in labels] for x in labels])
        walk /= walk.sum(axis=1, keepdims=True)
        return float(1 - alpha) * np.linalg.inv(np.eye(len(labels)) - float(alpha) * walk)

    for true, pred in product(list(all_partitions(5)), repeat=2):
        apart = np.abs(page_ranks(true) - page_ranks(pred)).sum(axis=1)
        value = np.mean(1 - apart / (2 * float(alpha)))
        assert_close(ORACLES["element_centric_score"](table_of(true, pred)), value, 1e-13)


@pytest.mark.parametrize("name", ["precision", "recall"])
def test_bcubed_is_adjusted_by_its_expectation(name):
    for shapes in product(one_of_each_shape(5), repeat=2):
        deals = all_deals(*shapes)
        tables = [list(map(list, cells)) for cells in deals]
        plain = [ORACLES[f"bcubed_{name}_score"].__wrapped__(table) for table in tables]
        expected = sum(x * c for x, c in zip(plain, deals.values(), strict=True)) / deals.total()
        for table, x in zip(tables, plain, strict=True):
            adjusted = ORACLES[f"adjusted_bcubed_{name}_score"](table)
            assert adjusted == (1 if same_partition(table) else ratio(x - expected, 1 - expected))
            group, sizes = {"precision": ("cluster", cluster_sizes), "recall": ("class", class_sizes)}[name]
            of_each = ORACLES[f"{group}_adjusted_wallace_scores"](table)
            weights = [size - 1 for size in sizes(table)]
            if sum(weights):
                mean = sum(w * value for w, value in zip(weights, of_each, strict=True) if w)
                assert adjusted == F(mean, sum(weights))


@pytest.mark.parametrize("given", ["true", "pred"])
def test_wallace_is_adjusted_by_its_expectation(given):
    for shapes in product(one_of_each_shape(5), repeat=2):
        deals = all_deals(*shapes)
        tables = [list(map(list, cells)) for cells in deals]
        plain = [ORACLES["wallace_score"].__wrapped__(table, given=given) for table in tables]
        expected = sum(w * c for w, c in zip(plain, deals.values(), strict=True)) / deals.total()
        for table, w in zip(tables, plain, strict=True):
            adjusted = ORACLES["adjusted_wallace_score"](table, given=given)
            assert adjusted == (1 if same_partition(table) else ratio(w - expected, 1 - expected))


@pytest.mark.parametrize("side", ["true", "pred"])
def test_adjusted_wallace_scores_of_groups_are_adjusted_by_their_expectation_and_average_to_that_of_all(side):
    name, sizes = {"true": ("class", class_sizes), "pred": ("cluster", cluster_sizes)}[side]

    def share_of_each(table):
        """Of the pairs of each group, the share that is together in the other partition: looked at one by one."""
        rows = table if side == "true" else transposed(table)
        samples = [[j for j, count in enumerate(row) for _ in range(count)] for row in rows]
        together = [[x == y for x, y in combinations(own, 2)] for own in samples]
        return [F(sum(x), len(x)) if x else math.nan for x in together]

    for shapes in product(one_of_each_shape(5), repeat=2):
        deals = all_deals(*shapes)
        tables = [list(map(list, cells)) for cells in deals]
        plain = [share_of_each(table) for table in tables]
        numbers = sizes(tables[0])
        expected = [
            sum(shares[i] * times for shares, times in zip(plain, deals.values(), strict=True)) / deals.total()
            for i in range(len(numbers))
        ]
        for table, shares in zip(tables, plain, strict=True):
            values = ORACLES[f"{name}_adjusted_wallace_scores"](table)
            for value, own, share, by_chance in zip(values, numbers, shares, expected, strict=True):
                if own == 1:
                    assert math.isnan(value)
                else:
                    assert value == (1 if same_partition(table) else ratio(share - by_chance, 1 - by_chance))
            all_pairs = [math.comb(own, 2) for own in numbers]
            if sum(all_pairs):
                parts = [w * x for w, x in zip(all_pairs, values, strict=True) if w]
                assert F(sum(parts), sum(all_pairs)) == ORACLES["adjusted_wallace_score"](table, given=side)


def test_expected_mutual_info_is_the_average_over_all_permutations():
    for shapes in product(one_of_each_shape(6), repeat=2):
        deals = all_deals(*shapes)
        average = sum(ORACLES["mutual_info_score"](list(cells)) * c for cells, c in deals.items()) / deals.total()
        assert_close(ORACLES["expected_mutual_info"](table_of(*shapes)), average, 1e-50)


def test_adjusted_mutual_info_has_no_other_vanishing_denominator():
    """Only one cluster or only singletons make the norm equal to the expectation."""
    for shapes in product(one_of_each_shape(6), repeat=2):
        table = table_of(*shapes)
        entropies = [ORACLES["entropy"](table, of=side) for side in ("true", "pred")]
        room = min(entropies) - ORACLES["expected_mutual_info"](table)
        gain = ORACLES["mutual_info_score"](table) - ORACLES["expected_mutual_info"](table)
        if {len(table), len(table[0])} & {1, 6}:
            assert abs(gain) < 1e-50
        else:
            assert room > 1e-3


@pytest.mark.parametrize(
    ("a", "b", "n"),
    [(2, 3, 250), (199, 249, 250), (120, 130, 250), (400, 900, 1200), (1, 1, 5000)],
)
def test_windowed_expectation_is_the_plain_one(a, b, n):
    assert_close(expected_cell_windowed(a, b, n), expected_cell_plain(a, b, n), 1e-50)


@pytest.mark.parametrize("stride", [2, 5, 11])
def test_strides_do_not_matter(stride):
    """A standard deviation of 60: every 15th overlap is enough, as the default has it."""
    a, b, n = 20_000, 30_000, 60_000
    every = expected_cell_windowed(a, b, n, 1)
    assert_close(expected_cell_windowed(a, b, n, stride), every, 1e-50)
    assert_close(expected_cell_windowed(a, b, n), every, 1e-50)


def test_a_stride_too_long_is_noticed():
    with pytest.raises(ArithmeticError, match="add up to"):
        expected_cell_windowed(20_000, 30_000, 60_000, 40)


def test_expected_mutual_info_of_very_many_samples():
    """E[MI] -> (r - 1)(m - 1)/(2 n) for large n."""
    table = [[2 * 10**9, 3 * 10**9], [10**9, 4 * 10**9]]
    expected = ORACLES["expected_mutual_info"](table)
    assert_close(expected * 2 * 10**10, 1, 1e-8)


# ---- identities ----------------------------------------------------------------------------------

SYMMETRIC = {row.name for row in MEASURES if row.symmetric}

MIRRORED = [
    *((row.name, row.options, *row.exchanged) for row in MEASURES if isinstance(row.exchanged, tuple)),
    ("entropy", {"of": "true"}, "entropy", {"of": "pred"}),  # of one side: exchanged, it is that of the other
    ("gini_index", {"of": "true"}, "gini_index", {"of": "pred"}),
]

SKEWED = [[5, 1, 0, 0], [2, 7, 3, 0], [0, 1, 4, 1]]
SQUARE = [[5, 1, 0], [2, 7, 3], [1, 1, 4]]


@pytest.mark.parametrize(
    "variant",
    [v for v in VARIANTS if v[0] in SYMMETRIC and v[1].get("beta", 0) in (0, 1, 2)],
    ids=variant_name,
)
def test_symmetric(variant):
    """Where beta is the weight of one side, its reciprocal is that of the other (of 0: a very large one)."""
    name, options = variant
    exchanged = options
    if "beta" in options and (name.endswith("_f_score") or name == "v_measure_score"):
        exchanged = {**options, "beta": 1 / Fraction(options["beta"] or Fraction(1, 10**60))}
    table = SQUARE if name == "cohen_kappa_score" else SKEWED
    value = ORACLES[name](table, **options)
    assert_close(ORACLES[name](transposed(table), **exchanged), value, 1e-55)


@pytest.mark.parametrize("mirror", MIRRORED, ids=lambda mirror: variant_name(mirror[:2]))
def test_mirrored(mirror):
    name, options, other, other_options = mirror
    value = ORACLES[name](SKEWED, **options)
    assert_close(ORACLES[other](transposed(SKEWED), **other_options), value, 1e-55)


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
def test_empty_rows_and_columns_do_not_matter(variant):
    name, options = variant
    padded = [[0, 5, 1, 0, 0], [0] * 5, [0, 2, 7, 0, 3], [0, 1, 1, 0, 4], [0] * 5]
    if name == "cohen_kappa_score":  # there a label is a place on a scale
        padded = [[*row, 0] for row in SQUARE] + [[0] * 4]
    assert ORACLES[name](padded, **options) == ORACLES[name](SQUARE, **options)


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
@only_for(lambda variant: hasattr(ORACLES[variant[0]], "__wrapped__"))
def test_the_definition_itself_gives_1_for_the_same_partition(variant):
    """The rule for degenerate inputs must not hide a wrong formula."""
    name, options = variant
    assert_close(ORACLES[name].__wrapped__([[5, 0, 0], [0, 1, 0], [0, 0, 3]], **options), 1, 1e-50)


def test_information_identities():
    H, J = ORACLES["entropy"], ORACLES["joint_entropy"]
    true, pred, joint = H(SKEWED), H(SKEWED, of="pred"), J(SKEWED)
    assert_close(ORACLES["mutual_info_score"](SKEWED), true + pred - joint, 1e-55)
    assert_close(ORACLES["conditional_entropy"](SKEWED), joint - pred, 1e-55)
    assert_close(ORACLES["variation_of_information"](SKEWED), 2 * joint - true - pred, 1e-55)
    v_measure = ORACLES["v_measure_score"](SKEWED)
    assert_close(ORACLES["normalized_mutual_info_score"](SKEWED), v_measure, 1e-55)


@pytest.mark.parametrize("beta", [0, 0.5, 1 - 1e-9, 1, 1 + 1e-9, 2, 3.5])
def test_beta_identities(beta):
    true, pred = (ORACLES["beta_entropy"](SKEWED, beta=beta, of=of) for of in ("true", "pred"))
    joint = ORACLES["beta_joint_entropy"](SKEWED, beta=beta)
    assert_close(ORACLES["beta_conditional_entropy"](SKEWED, beta=beta), joint - pred, 1e-40)
    assert_close(ORACLES["beta_mutual_info"](SKEWED, beta=beta), true + pred - joint, 1e-40)
    distance = ORACLES["beta_entropy_distance"](SKEWED, beta=beta)
    assert_close(distance, 2 * joint - true - pred, 1e-40)


def test_beta_1_is_the_limit_in_bits():
    bits = ORACLES["entropy"](SKEWED, base=2)
    assert ORACLES["beta_entropy"](SKEWED, beta=1) == bits
    for step in (1e-9, -1e-9):
        near = ORACLES["beta_entropy"](SKEWED, beta=1 + step)
        assert 1e-11 < abs(near - bits) < 1e-8
        nearer = ORACLES["beta_entropy"](SKEWED, beta=1 + F(step) / 10)
        assert_close((nearer - bits) / (near - bits), F(1, 10), 1e-6)


def test_beta_2_is_twice_gini():
    gini = ORACLES["gini_index"](SKEWED)
    assert_close(ORACLES["beta_entropy"](SKEWED, beta=2), 2 * gini, 1e-55)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("mirkin_distance", {}),
        ("variation_of_information", {}),
        ("normalized_variation_of_information", {}),
        ("normalized_information_distance", {}),
        ("van_dongen_distance", {}),
        ("classification_error_distance", {}),
        ("cluster_edit_distance", {}),
        ("beta_entropy_distance", {"beta": 1}),
        ("beta_entropy_distance", {"beta": 2}),
        ("beta_entropy_distance", {"beta": 3.5}),
    ],
)
def test_distances_are_metrics(name, options):
    partitions = list(all_partitions(4))
    d = {(p, q): real(ORACLES[name](table_of(p, q), **options)) for p, q in product(partitions, repeat=2)}
    assert all((d[p, q] == 0) == (p == q) for p, q in d)
    assert all(d[p, s] <= d[p, q] + d[q, s] + mp.mpf(10) ** -50 for p, q, s in product(partitions, repeat=3))


# ---- matching ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(30))
def test_proved_matching_is_the_one_found_by_trying_all(seed):
    rng = np.random.default_rng(seed)
    rows, columns = sorted(rng.integers(1, 8, 2).tolist())
    top = int(rng.choice([1, 3, 100, 10**10]))
    weights = rng.integers(0, top, (rows, columns), endpoint=True).tolist()
    weights = [[F(w, 1 + i) for w in row] for i, row in enumerate(weights)]
    tried = best_matching_tried(weights)
    assert best_matching_proved(weights) == tried
    assert best_matching(transposed(weights)) == tried


def test_large_matching():
    n = 40
    weights = [[(i * j) % 41 for j in range(1, n + 1)] for i in range(1, n + 1)]
    assert best_matching(weights) == 40 * n  # every row has its 40 in a column of its own


@pytest.mark.parametrize("n", range(7))
def test_edit_distance_is_twice_the_samples_outside_the_best_matching(n):
    for labels_true in all_partitions(n):
        distances = edit_distances_by_search(labels_true)
        for labels_pred in all_partitions(n):
            value = ORACLES["cluster_edit_distance"](table_of(labels_true, labels_pred))
            assert value == distances[blocks(labels_pred)]


# ---- worked values -------------------------------------------------------------------------------


def test_simovici():
    labels_true = (1, 3, 2, 2, 3, 1, 2, 2, 3, 1, 3, 2)
    labels_pred = (2, 3, 2, 1, 3, 1, 3, 2, 3, 1, 3, 1)
    table = table_of(labels_true, labels_pred)
    assert table == [[2, 1, 0], [2, 2, 1], [0, 0, 4]]
    assert ORACLES["cluster_precision"](table) == [F(2, 4), F(2, 3), F(4, 5)]
    assert ORACLES["purity_score"](table) == F(2, 3)
    assert ORACLES["cluster_recall"](table) == [F(2, 5), F(2, 5), F(4, 4)]
    assert ORACLES["cluster_f_score"](table) == [F(4, 9), F(1, 2), F(8, 9)]
    assert ORACLES["f_measure_score"](table) == F(11, 18)
    assert ORACLES["element_centric_score"](table) == F(19, 36)
    assert ORACLES["adjusted_bcubed_precision_score"](table) == F(487, 2115)
    assert ORACLES["adjusted_bcubed_recall_score"](table) == F(619, 2115)
    assert ORACLES["adjusted_bcubed_f_score"](table) == F(301453, 1169595)
    assert ORACLES["class_adjusted_wallace_scores"](table) == [F(3, 47), F(-29, 235), 1]
    assert ORACLES["cluster_adjusted_wallace_scores"](table) == [F(3, 47), F(3, 47), F(103, 235)]


def test_clusters_found_again():
    """The example of Tibshirani and Walther's measure, and of Hennig's, in R's fpc."""
    table = table_of((0, 0, 0, 0, 1, 1, 1, 2, 2, 2), (0, 0, 0, 1, 1, 1, 1, 1, 2, 2))
    for name in ("class_jaccard_scores", "cluster_jaccard_scores"):
        assert ORACLES[name](table) == [F(3, 4), F(3, 5), F(2, 3)]
    assert ORACLES["prediction_strength_scores"](table) == [F(1, 2), 1, F(1, 3)]
    assert ORACLES["prediction_strength_scores"](transposed(table)) == [1, F(3, 10), 1]
    assert ORACLES["prediction_strength_score"](table) == F(1, 3)


def test_genieclust_note():
    table = [[12, 37, 1], [40, 0, 0], [0, 0, 30]]
    assert ORACLES["clustering_accuracy"](table) == F(37 + 40 + 30, 120)
    recalls = F(74, 100) + 1 + 1
    assert ORACLES["normalized_clustering_accuracy"](table) == (recalls - 1) / 2


def test_edit_distance_slide():
    labels_true, labels_pred = (1, 1, 1, 2, 2, 3), (3, 1, 1, 2, 2, 2)
    differences = [[len(c ^ k) for k in ({1, 2}, {3, 4, 5}, {0})] for c in ({0, 1, 2}, {3, 4}, {5})]
    assert differences == [[1, 6, 2], [4, 1, 3], [3, 2, 2]]
    assert ORACLES["cluster_edit_distance"](table_of(labels_true, labels_pred)) == 4
    assert edit_distances_by_search(labels_true)[blocks(labels_pred)] == 4


@pytest.mark.parametrize(
    ("labels_true", "labels_pred", "value"),
    [
        ([0, 0, 1, 2], [0, 0, 1, 1], F(4, 5)),
        ([0, 1, 2, 3], [0, 0, 1, 1], F(2, 3)),
        ([0, 0, 0, 0], [0, 1, 2, 3], 0),
        ([0, 0, 1, 1], [0, 0, 0, 0], 0),
    ],
)
def test_v_measure(labels_true, labels_pred, value):
    assert_close(ORACLES["v_measure_score"](table_of(labels_true, labels_pred)), value, 1e-55)


def test_entropy_limits():
    uniform = [[7, 0, 0], [0, 7, 0], [0, 0, 7]]
    assert_close(ORACLES["beta_entropy"](uniform, beta=1), mp.log(3) / mp.log(2), 1e-55)
    singletons = table_of(range(9), range(9))
    for beta in (0, 0.5, 2, 3):
        limit = (1 - mp.mpf(9) ** (1 - beta)) / (1 - mp.mpf(2) ** (1 - beta))
        assert_close(ORACLES["beta_entropy"](singletons, beta=beta), limit, 1e-55)


def test_pair_sets_index_below_chance():
    """S = 5/9 + 0/4 against 4/9 + 1/6, E = (6 + 1)/10."""
    table = [[5, 4], [1, 0]]
    similarity, expected = F(4, 9) + F(1, 6), F(6 + 1, 10)
    unclipped = (similarity - expected) / (2 - expected)
    assert unclipped < 0
    assert ORACLES["pair_sets_index"](table, clipped=False) == unclipped
    assert ORACLES["pair_sets_index"](table) == 0
    assert similarity < 1
    assert ORACLES["simplified_pair_sets_index"](table) == 0


def test_kappa_with_costs():
    table = [[20, 5], [10, 15]]  # Cohen's textbook example: kappa 0.4
    assert ORACLES["cohen_kappa_score"](table) == F(2, 5)
    assert ORACLES["cohen_kappa_score"](table, weights=[[0, 1], [1, 0]]) == F(2, 5)
    doubled = ORACLES["cohen_kappa_score"](table, weights=[[0, 2], [1, 0]])
    assert doubled == 1 - F(2 * 5 + 10, 1) / (F(2 * 25 * 20, 50) + F(25 * 30, 50))
    with pytest.raises(ValueError, match="same labels on both sides"):
        ORACLES["cohen_kappa_score"]([[1, 2, 3], [4, 5, 6]])


# ---- degenerate inputs ---------------------------------------------------------------------------


def test_every_oracle_has_degenerate_values():
    assert {name for name, _ in VARIANTS} == set(ORACLES)


@pytest.mark.parametrize("variant", VARIANTS, ids=variant_name)
def test_degenerate_values(variant):
    name, options = variant
    values = DEGENERATE_OPTION_VALUES[name, tuple(options.items())] if options else DEGENERATE_VALUES[name]
    assert set(values) == set(DEGENERATE)
    for case, labels in DEGENERATE.items():
        value = ORACLES[name](table_for(name, *labels), **options)
        assert_close(value, values[case], 1e-50, case)
        if values[case] == 0:  # zeros are reached exactly
            assert value == 0, case


# ---- other libraries -----------------------------------------------------------------------------


def random_labels(seed, square=False):
    """Labels of two partitions that have something to do with each other, without gaps."""
    rng = np.random.default_rng(seed)
    n_classes, n_clusters = rng.integers(2, 8, 2).tolist()
    if square:
        n_clusters = n_classes
    n = int(rng.integers(30, 400))
    labels_true = rng.integers(0, n_classes, n)
    labels_pred = np.where(rng.random(n) < 0.6, labels_true % n_clusters, rng.integers(0, n_clusters, n))
    labels_true[:n_classes] = range(n_classes)
    labels_pred[-n_clusters:] = range(n_clusters)
    return labels_true.tolist(), labels_pred.tolist()


SKLEARN = {
    variant_name((name, options)): (name, theirs, options) for name, theirs, options in of_sklearn() if name in ORACLES
}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("key", SKLEARN)
def test_scikit_learn(key, seed):
    name, theirs, options = SKLEARN[key]
    labels = random_labels(seed)
    value = ORACLES[name](table_for(name, *labels), **options)
    expected = theirs(*labels, **options)
    assert_close(value, list(expected) if isinstance(expected, tuple) else expected, 1e-9)


def test_scikit_learn_pairs():
    labels = random_labels(0)
    both, true_only, pred_only, neither = pairs(table_of(*labels))
    theirs = sk.cluster.pair_confusion_matrix(*labels)
    assert theirs.tolist() == [[2 * neither, 2 * pred_only], [2 * true_only, 2 * both]]


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("key", GENIECLUST)
def test_genieclust(key, seed):
    table = table_of(*random_labels(seed, square=True))
    assert_close(ORACLES[GENIECLUST[key]](table), genie.compare_partitions(np.array(table))[key], 1e-9)


@pytest.mark.parametrize(
    "table",
    [[[5, 4], [1, 0]], [[5, 4, 1], [1, 0, 3]], [[5, 1], [4, 0], [1, 3]], [[9, 1], [8, 1], [7, 1]]],
)
def test_genieclust_pair_sets_index(table):
    """Below chance, and of different numbers of classes and clusters."""
    counts = np.array(table)
    assert_close(ORACLES["pair_sets_index"](table), genie.pair_sets_index(counts), 1e-9)
    unclipped = ORACLES["pair_sets_index"](table, clipped=False)
    assert_close(unclipped, genie.pair_sets_index(counts, clipped=False), 1e-9)
    simplified = ORACLES["simplified_pair_sets_index"](table)
    assert_close(simplified, genie.pair_sets_index(counts, simplified=True), 1e-9)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("key", IGRAPH)
def test_igraph(key, seed):
    labels = random_labels(seed)
    name, options = IGRAPH[key]
    value = ORACLES[name](table_of(*labels), **options)
    assert_close(value, igraph.compare_communities(*labels, method=key), 1e-9)


# ---- the checks can fail -------------------------------------------------------------------------


def test_the_comparison_can_fail():
    assert_close([F(1, 3), 2], [mp.mpf(1) / 3, 2], 1e-50)
    with pytest.raises(AssertionError):
        assert_close(F(1, 3), 1 / 3, 1e-17)
    with pytest.raises(AssertionError):
        assert_close([1, 2], [1], 1)
    with pytest.raises(AssertionError):
        assert_close(math.nan, 0, 1)


def adjusted_rand_score_among_too_many_pairs(table):
    both, true_only, pred_only, _ = pairs(table)
    A, B, n = both + true_only, both + pred_only, sum(map(sum, table))
    expected = F(2 * A * B, n * n)
    return (both - expected) / (F(A + B, 2) - expected)


@pytest.mark.parametrize(
    ("name", "wrong", "check"),
    [
        (
            "adjusted_rand_score",  # the expectation taken among n^2/2 pairs
            adjusted_rand_score_among_too_many_pairs,
            lambda: test_scikit_learn("adjusted_rand_score", 0),
        ),
        (
            "pair_jaccard_score",  # precision in its place
            lambda table: ORACLES["pair_precision_score"](table),
            lambda: test_pair_measures_are_those_of_the_sets_of_pairs(("pair_jaccard_score", ()), 4),
        ),
        (
            "expected_mutual_info",  # the large-n limit in its place
            lambda table: F((len(table) - 1) * (len(table[0]) - 1), 12),
            test_expected_mutual_info_is_the_average_over_all_permutations,
        ),
        (
            "cluster_edit_distance",  # each move counted once
            lambda table: sum(map(sum, table)) - best_matching(table),
            lambda: test_edit_distance_is_twice_the_samples_outside_the_best_matching(4),
        ),
        (
            "clustering_accuracy",  # purity in its place: not one to one
            lambda table: ORACLES["purity_score"](table),
            lambda: test_degenerate_values(("clustering_accuracy", {})),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_wrong_oracle_is_caught(name, wrong, check, monkeypatch):
    check()
    monkeypatch.setitem(ORACLES, name, wrong)
    with pytest.raises(AssertionError):
        check()
