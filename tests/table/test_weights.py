"""Real weights and soft memberships: what they mean to pairs, what only depends on proportions, and how large."""

from __future__ import annotations

from functools import cache
from itertools import product

import jax
import numpy as np
import pytest
from backends import BACKENDS, SIZE
from compiling import COMPILERS
from hypothesis import example, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from known_tables import one_hot
from only_for import only_for
from oracles import ORACLES, VARIANTS, WeightedTable, mp, real
from properties import MEASURES, without_labels
from scipy import sparse

import gpuval
from gpuval import Accumulator, Contingency
from gpuval.metrics.external import (
    agreement,
    beta_entropies,
    element_centric,
    information,
    matching,
    overlap,
    pair_counting,
)

POWER = {
    "mirkin_distance": 2,
    "mcnemar_index": 1,
    "van_dongen_distance-normalized=False": 1,
    "cluster_edit_distance": 1,
}
"""How the measures that are not relative to the number of samples grow with it."""

OF_REALS = {str(row): row for row in MEASURES if row.values == "one" and not row.needs_counts}

ROWS = np.arange(20) % 17
TRUE, PRED = (np.concatenate([ROWS, ROWS + 1, ROWS + 1]) % size for size in (8, 7))
"""Three parts of 20 samples, each of all classes and clusters, and of 17 cells, one of which the first has alone."""
WEIGHTS = np.resize([0.5, 0.25, 1.5, 2.0, 0.125, 1.0, 0.75, 3.0, 0.375], 60)
WEIGHTS[[17, 38]] = 0.0  # in cells with others
PARTS = slice(0, 20), slice(20, 40), slice(40, 60)


@cache
def pairs_of_labels(*weights):
    """Those of ``TRUE`` and ``PRED``."""
    return pairs_by_definition(one_hot(TRUE, 8), one_hot(PRED, 7), weights)


def pairs_by_definition(u, v, w):
    """The weights of the ordered pairs of two samples, in scikit-learn's order, from the memberships of each."""
    matrix = np.zeros((2, 2))
    for i in range(len(w)):
        for j in range(len(w)):
            if i != j:
                true, pred = u[i] @ u[j], v[i] @ v[j]
                all_true, all_pred = u[i].sum() * u[j].sum(), v[i].sum() * v[j].sum()
                kinds = [
                    [(all_true - true) * (all_pred - pred), (all_true - true) * pred],
                    [true * (all_pred - pred), true * pred],
                ]
                matrix += w[i] * w[j] * np.asarray(kinds)
    return matrix


def assert_pairs(table, expected, backend, rtol=1e-13):
    found = backend.numpy(gpuval.pair_confusion_matrix(table))
    np.testing.assert_allclose(found, expected, rtol=rtol if backend.has_float64 else 1e-5)


# ---- what they mean ------------------------------------------------------------------------------


def test_a_pair_weighs_the_product_of_its_weights(backend):
    expected = pairs_of_labels(*WEIGHTS)
    true, pred, weights = (backend.array(x) for x in (TRUE, PRED, WEIGHTS))
    tables = [Contingency.from_labels(true, pred, sample_weight=weights, **SIZE)]
    if backend.finds_sizes:
        tables.append(Contingency.from_labels(true, pred, sample_weight=weights))
    if backend.lists_cells:
        tables.append(Contingency.from_labels(true, pred, sample_weight=weights, layout="cells"))
    for table in tables:
        for way in (table, table.transposed().transposed()):
            assert_pairs(way, expected, backend)
        assert_pairs(table.transposed(), expected.T, backend)


@cache
def soft_samples():
    rng = np.random.default_rng(5)
    return rng.dirichlet(np.ones(8), 60), rng.random((60, 7)), rng.random(60)


@cache
def pairs_of_soft_samples():
    """Of the samples, and of the same twice over."""
    once = soft_samples()
    return pairs_by_definition(*once), pairs_by_definition(*(np.concatenate([x, x]) for x in once))


def test_a_soft_pair_is_together_as_much_as_its_samples_share_groups(backend):
    u, v, w = soft_samples()
    once, twice = pairs_of_soft_samples()
    table = Contingency.from_memberships(*(backend.array(x) for x in (u, v)), sample_weight=backend.array(w))
    for found, expected in (
        (table, once),
        (table.transposed(), once.T),
        (table + table.transposed().transposed(), twice),
    ):
        assert_pairs(found, expected, backend, rtol=1e-12)


@pytest.mark.parametrize("row", OF_REALS)
def test_hard_memberships_are_labels(row):
    table = Contingency.from_memberships(one_hot(TRUE, 8), one_hot(PRED, 7))
    expected = OF_REALS[row].of_table(Contingency.from_labels(TRUE, PRED, **SIZE))
    assert OF_REALS[row].of_table(table) == pytest.approx(expected, rel=1e-13, abs=1e-15)


@pytest.mark.parametrize("weight", [1.0, 0.5, 3.0, 1e-30, 1e30])
@pytest.mark.parametrize("row", OF_REALS)
def test_equal_weights_are_no_weights(row, weight):
    """All measures of proportions; those in samples or pairs grow as they do."""
    measure = OF_REALS[row]
    expected = float(measure.of_labels(TRUE, PRED)) * weight ** POWER.get(row, 0)
    found = measure.of_labels(TRUE, PRED, sample_weight=np.full(len(TRUE), weight))
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-14)


def test_the_rows_that_grow_are_rows():
    assert set(POWER) < set(OF_REALS)


@pytest.mark.parametrize("row", OF_REALS)
def test_bounds_hold_for_real_weights(row):
    measure = OF_REALS[row]
    low = -1.0 if row == "adjusted_rand_score" else measure.range[0]
    for true, pred, weights in cases_of_real_weights():
        value = float(measure.of_labels(true, pred, sample_weight=weights))
        slack = 1e-9
        assert low - slack <= value <= measure.range[1] + slack, (true, pred, weights)


def test_the_bound_of_the_rand_index_with_weights():
    """With w the weight of the sample that is beside each of two others: -2 w^2 / (2 w (w + 1))."""
    for w in (1.0, 4.0, 1e8):
        value = gpuval.adjusted_rand_score([0, 0, 1], [0, 1, 0], sample_weight=[w, 1.0, 1.0])
        assert value == pytest.approx(-w / (w + 1), rel=1e-14)


@cache
def cases_of_real_weights():
    """Found once for all measures."""
    found = []

    @settings(max_examples=25)
    @given(st.integers(1, 9).flatmap(weighted_labelings))
    def collect(case):
        found.append(case)

    collect()
    return found


def weighted_labelings(n):
    labels = arrays(np.int64, n, elements=st.integers(0, 3))
    weights = arrays(np.float64, n, elements=st.floats(0, 2, allow_subnormal=False).map(lambda x: x if x > 1e-6 else 0))
    return st.tuples(labels, labels, weights.filter(lambda w: w.sum() > 0))


@pytest.mark.parametrize("score", ["fowlkes_mallows_score", "pair_recall_score", "adjusted_rand_score"])
def test_weighted_single_samples_share_no_pairs(score, backend):
    """Not even those of rounding, which a square root would make much of."""
    weights = backend.array(np.random.default_rng(3).random(64))
    singles, halves, one = (backend.array(x) for x in (np.arange(64), np.arange(64) // 2, np.zeros(64, np.int64)))
    size = {"n_classes": 64, "n_clusters": 64}
    for other in (halves, one):
        assert backend.numpy(getattr(gpuval, score)(singles, other, sample_weight=weights, **size)) == 0.0
    assert backend.numpy(getattr(gpuval, score)(singles, singles, sample_weight=weights, **size)) == 1.0


def test_a_table_of_whole_floats_counts_samples():
    counts = np.asarray([[3, 0, 2], [1, 4, 0]])
    for name in ("adjusted_rand_score", "mirkin_distance", "adjusted_mutual_info_score"):
        score = getattr(gpuval, name)
        assert score(Contingency.from_counts(counts * 1.0)) == pytest.approx(
            score(Contingency.from_counts(counts)), rel=1e-14
        )


def test_a_table_of_fractions_is_of_any_number_of_samples():
    """Its pairs are drawn with replacement: the limit of counts in these proportions."""
    shares = np.asarray([[0.3, 0.0, 0.2], [0.1, 0.4, 0.0]])
    many = np.asarray([[3, 0, 2], [1, 4, 0]]) * 10**9
    for name in ("adjusted_rand_score", "rand_score", "fowlkes_mallows_score"):
        limit = ORACLES[name](many.tolist())
        assert getattr(gpuval, name)(Contingency.from_counts(shares)) == pytest.approx(float(limit), abs=1e-8)


@cache
def weighted_beside_one_cluster(backend):
    """Classes, clusters and their weighted tables, one side of which is a single group; built once for a backend."""
    found = []
    groups, size = (PRED, SIZE) if backend.compiles else (TRUE, {"n_classes": 8, "n_clusters": 8})
    for w in weights_whose_sums_differ(backend.has_float64)[: 2 if backend.compiles else 4]:
        weights = backend.array(w)
        for true, pred in ((TRUE, np.zeros_like(groups)), (np.zeros_like(TRUE), groups)):
            labels = backend.array(true), backend.array(pred)
            tables = [Contingency.from_labels(*labels, sample_weight=weights, **size)]
            if backend.lists_cells:
                tables.append(Contingency.from_labels(*labels, sample_weight=weights, layout="cells"))
            found.append((true, pred, tables))
    return found


def sum_both_ways(groups, weights):
    """The sum of the sums of groups: as NumPy adds up, and one after the other."""
    sums = np.zeros(8, weights.dtype)
    np.add.at(sums, groups, weights)
    return sums.sum(), np.add.accumulate(sums)[-1]


@cache
def weights_whose_sums_differ(float64):
    """Weights whose sums of 8 groups add up to more one way than the other, or to less; those of 7 differ, too."""
    rng, kind = np.random.default_rng(1), np.float64 if float64 else np.float32
    found = {True: [], False: []}
    while min(map(len, found.values())) < 3:
        w = rng.random(60).astype(kind)
        of_eight, of_seven = (sum_both_ways(groups, w) for groups in (TRUE, PRED))
        if of_eight[0] != of_eight[1] and of_seven[0] != of_seven[1]:
            found[bool(of_eight[0] > of_eight[1])].append(w)
    return [w for both in zip(found[True], found[False], strict=False) for w in both]


@cache
def without_weights(row, true, pred):
    """What a measure gives for labels without weights."""
    return OF_REALS[row].of_labels(np.asarray(true), np.asarray(pred))


@pytest.mark.parametrize("row", [name for name, row in OF_REALS.items() if row.jits])
def test_one_cluster_tells_nothing(row, backend):
    """Exactly what it is without weights, where sums in different orders might leave a rounding to be divided by."""
    for true, pred, tables in weighted_beside_one_cluster(backend):
        if without_weights(row, tuple(true), tuple(pred)) == 0:
            for table in tables:
                assert backend.numpy(OF_REALS[row].of_table(table)) == 0


@pytest.mark.parametrize("compiled", COMPILERS)
@pytest.mark.parametrize("shape", [(40, 7), (100, 50), (1000, 1)])
def test_one_group_is_the_total_in_a_graph(shape, compiled):
    """To the last bit, in whichever order a compiler adds up."""
    rng = np.random.default_rng(0)
    with jax.enable_x64(True):

        def sums(counts):
            table = Contingency.from_counts(counts)
            return table.total, table.class_sizes[0], table.cluster_sizes[0]

        graph = jax.jit(sums, compiler_options=COMPILERS[compiled]())
        for _ in range(20):
            counts = np.zeros((2, *shape))
            counts[0, 0, :], counts[1, :, 0] = rng.random(shape[1]), rng.random(shape[0])
            total, one_class, _ = graph(counts[0])
            assert float(total) == float(one_class)
            total, _, one_cluster = graph(counts[1])
            assert float(total) == float(one_cluster)


def test_weights_of_memberships_mean_what_those_of_labels_do(backend):
    """Integers repeat the samples, real ones weigh pairs, and negative ones are refused."""
    u, v = one_hot(TRUE, 8), one_hot(PRED, 7)
    for weights in (np.arange(60) % 4, (np.arange(60) % 4) / 4):
        table = Contingency.from_memberships(backend.array(u), backend.array(v), sample_weight=backend.array(weights))
        labels = Contingency.from_labels(TRUE, PRED, sample_weight=weights)
        assert_pairs(table, gpuval.pair_confusion_matrix(labels), backend)
    if backend.name != "numpy":
        for sign in (-1.0, 1.0):  # also where the products are positive
            table = Contingency.from_memberships(
                backend.array(sign * u), backend.array(v), sample_weight=backend.array(np.full(60, -1.0))
            )
            assert np.isnan(backend.numpy(gpuval.rand_score(table)))


def test_counts_in_floats_are_counts_for_the_null_model(backend):
    """Weights of 0 and 1, and whole tables; of a batch inside jit, each table by itself."""
    expected = float(gpuval.adjusted_mutual_info_score(TRUE[:40], PRED[:40]))
    weights = backend.array((np.arange(60) < 40) * 1.0)
    labels = backend.array(TRUE), backend.array(PRED)
    found = gpuval.adjusted_mutual_info_score(*labels, sample_weight=weights, **SIZE)
    assert backend.numpy(found) == pytest.approx(expected, rel=1e-12 if backend.has_float64 else 1e-4)
    if backend.name == "jax-x64":
        batch = backend.array([[[1.0, 0.0], [2.0, 3.0]], [[1.5, 0.2], [2.0, 3.0]]])
        scores = jax.jit(lambda x: gpuval.adjusted_mutual_info_score(Contingency.from_counts(x)))(batch)
        assert np.isnan(np.asarray(scores)).tolist() == [False, True]


@only_for(lambda backend: backend.lists_cells)
def test_matching_of_listed_real_weights(backend):
    labels = backend.array(np.arange(400))
    weights = backend.array(np.random.default_rng(0).random(400) + 0.5)
    table = Contingency.from_labels(labels, labels, sample_weight=weights, layout="cells")
    assert backend.numpy(gpuval.clustering_accuracy(table)) == pytest.approx(1.0, rel=1e-6)
    assert backend.numpy(gpuval.normalized_clustering_accuracy(table)) == 1.0


def test_duplicates_of_a_sparse_matrix_are_added_before_they_are_judged():
    halves = sparse.coo_array(([0.5, 0.5, 2.0, 3.0], ([0, 0, 0, 1], [0, 0, 1, 1])))
    for name in ("adjusted_rand_score", "mirkin_distance"):
        score = getattr(gpuval, name)
        assert score(Contingency.from_counts(halves)) == score(Contingency.from_counts(halves.toarray()))


def test_a_matrix_of_numpy_is_a_table():
    counts = np.asarray([[3, 1], [0, 2]])
    held = Contingency.from_counts(sparse.csr_matrix(counts).todense())
    assert gpuval.rand_score(held) == gpuval.rand_score(Contingency.from_counts(counts))


def test_batches_of_empty_tables():
    found = gpuval.clustering_accuracy(Contingency.from_counts(np.zeros((2, 0, 3), np.int64)))
    assert found.tolist() == [1.0, 1.0]


def test_batches_of_different_shapes_do_not_add():
    tables = [Contingency.from_counts(np.ones((*batch, 2, 2), np.int64)) for batch in ((3, 2), (3,))]
    with pytest.raises(ValueError, match="must have the same size to be added"):
        tables[0] + tables[1]


@only_for(lambda backend: backend.finds_sizes)
def test_samples_that_weigh_nothing_fill_no_cell(backend):
    """Nor a class or a cluster, where the size is found."""
    true, pred, weights = np.asarray([0, 0, 1, 4, 4, 7]), np.asarray([2, 2, 3, 5, 6, 6]), [0.5, 1.5, 0.0, 0.0, 2.0, 1.0]
    columns = [backend.array(x) for x in (true, pred, weights)]
    for layout in (None, "cells") if backend.lists_cells else (None,):
        table = Contingency.from_labels(*columns[:2], sample_weight=columns[2], layout=layout)
        assert backend.numpy(gpuval.contingency_matrix(table)).tolist() == [[2, 0], [0, 2], [0, 1]]


# ---- added up ------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [{}, SIZE, {**SIZE, "layout": "cells"}])
@only_for(lambda size, backend: size == SIZE or backend.lists_cells)
def test_tables_of_weights_add_up(size, backend):
    true, pred, weights = (backend.array(x) for x in (TRUE, PRED, WEIGHTS))
    whole = Contingency.from_labels(true, pred, sample_weight=weights, **size)
    parts = [Contingency.from_labels(true[part], pred[part], sample_weight=weights[part], **size) for part in PARTS]
    assert_pairs(parts[0] + parts[1] + parts[2], backend.numpy(gpuval.pair_confusion_matrix(whole)), backend)


def test_counts_and_weights_add_up(backend):
    """A sample that is counted is one that weighs 1."""
    ones = np.concatenate([np.ones(20), WEIGHTS[20:40], np.zeros(20)])
    true, pred, weights = (backend.array(x) for x in (TRUE, PRED, WEIGHTS))
    parts = [
        Contingency.from_labels(true[:20], pred[:20], **SIZE),
        Contingency.from_labels(true[20:40], pred[20:40], sample_weight=weights[20:40], **SIZE),
    ]
    for table in (parts[0] + parts[1], parts[1] + parts[0]):
        assert_pairs(table, pairs_of_labels(*ones), backend)


# ---- one weight that outweighs all others --------------------------------------------------------

OF_PAIRS = [(name, options) for name, options in VARIANTS if name in pair_counting.__all__]
OF_SIZES = [
    (name, options)
    for module in (information, beta_entropies, overlap, element_centric, matching, agreement)
    for name, options in VARIANTS
    if name in module.__all__
    and not getattr(gpuval, name).measure.needs_counts
    and not isinstance(options.get("weights"), list)  # costs for labels of another table
]
DOMINATED = ([0, 1, 1, 1, 2, 2], [0, 1, 1, 2, 2, 1]), ([0, 0, 1, 1, 2, 2], [0, 0, 1, 2, 1, 0])
"""The heavy sample is the first: in a cell of its own, or in one with another."""
OTHERS = [0.3, 0.7, 0.9, 0.4, 1.1]
BOX = {"n_classes": 3, "n_clusters": 3}
OF_ALL_PAIRS = [("adjusted_rand_score", {}), ("mcnemar_index", {}), ("mirkin_distance", {"normalized": True})]
"""With the numbers of pairs, all that measures of pairs read of a table."""


OF_PARTS = np.concatenate([np.arange(-1, 19) % 16, ROWS, ROWS])
IN_PARTS = [np.where(np.arange(60) == 0, 0, 1 + OF_PARTS % size) for size in (7, 6)]
DOMINATED_IN_PARTS = IN_PARTS, [x[[1, 0, *range(2, 60)]] for x in IN_PARTS]
"""The same of 60 samples in three parts, of 17 cells each: in a class and a cluster of its own, or with others."""


@cache
def beside_a_heavy_sample(which, heavy, float64):
    """Labels, weights, and what is exact of them."""
    labels, weights = DOMINATED_IN_PARTS[which], np.resize(OTHERS, 60)
    weights[0] = heavy + 0.5
    return *labels, weights, WeightedTable(*labels, weights if float64 else weights.astype(np.float32).tolist())


def spread(labels_true, labels_pred, weights, places):
    """The samples at these places of 60, between others that weigh nothing."""
    labels = np.arange(60) % 2
    found = 7 * labels, 6 * labels, np.zeros(60)
    for held, column in zip(found, (labels_true, labels_pred, weights), strict=True):
        held[places] = column
    return found


def is_near(found, exact, scale=1.0, float64=True):
    """To 1e-12 of the value or 1e-14, of ``scale`` where the measure has a unit; without 64 bits to 1e-5."""
    exact = real(exact)
    error, size = abs(mp.mpf(float(found)) - exact), abs(exact)
    if not float64:
        return error <= 1e-5 * max(scale, size)
    return error <= max(1e-12 * size, 1e-14 * scale)


def check_measures(variants, table, exact, backend):
    """Compare the measures of a table with exact ones of its samples, which keep them for the next backend."""
    known = vars(exact).setdefault("known", {})
    differing = exact.pairs[1] + exact.pairs[2]
    for name, options in variants:
        found = np.ravel(backend.numpy(without_labels(getattr(gpuval, name)(table, **options))))
        call = f"{name}({options})"
        if call not in known:
            known[call] = ORACLES[name](exact, **options)
        expected = known[call] if isinstance(known[call], list | tuple) else [known[call]]
        scale = float(mp.sqrt(real(differing))) if name == "mcnemar_index" else 1.0
        for x, y in zip(found, expected, strict=True):
            assert is_near(x, y, scale, backend.has_float64), f"{call}: got {x!r}, must be {float(y)!r}"


def check_pairs(table, exact, backend):
    """Compare the numbers of pairs, and what measures make of them, with exact ones."""
    both, true_only, pred_only, neither = exact.pairs
    found = np.ravel(backend.numpy(gpuval.pair_confusion_matrix(table)))
    for x, y in zip(found, (neither, pred_only, true_only, both), strict=True):
        assert is_near(x, 2 * y, float64=backend.has_float64), f"got {x!r} pairs, must be {float(2 * y)!r}"
    check_measures(OF_ALL_PAIRS, table, exact, backend)


def ways_of(backend, *columns):
    """Tables of the same samples, built in all ways."""
    true, pred, weights = map(backend.array, columns)
    yield Contingency.from_labels(true, pred, sample_weight=weights, **SIZE)
    parts = [[x[part] for part in PARTS] for x in (true, pred, weights)]
    first, *rest = [Contingency.from_labels(a, b, sample_weight=w, **SIZE) for a, b, w in zip(*parts, strict=True)]
    yield sum(rest, first)
    for sizes in (SIZE, {"n_classes": 8, "n_clusters": 300}, {}):  # of the second, a batch is much less than the table
        if sizes or backend.lists_cells:
            accumulators = [Accumulator(**sizes) for _ in range(2)]
            for i, batch in enumerate(zip(*parts, strict=True)):
                accumulators[i % 2].update(*batch)
            loaded = Accumulator(**sizes, like=true)
            loaded.load_state_dict(accumulators[0].state_dict())
            loaded.merge(accumulators[1])
            yield loaded.table
    if backend.finds_sizes:
        yield Contingency.from_labels(true, pred, sample_weight=weights)
    if backend.lists_cells:
        listed = [
            Contingency.from_labels(a, b, sample_weight=w, layout="cells") for a, b, w in zip(*parts, strict=True)
        ]
        yield sum(listed[1:], listed[0])
        yield Contingency.from_labels(true, pred, sample_weight=weights, layout="cells")


def test_pairs_beside_a_heavy_sample(backend):
    """However the table was built; in one test, since what is compiled for one weight does for all."""
    for which, heavy in product(range(len(DOMINATED_IN_PARTS)), (1e4, 1e6, 3e6, 1e8)):
        *columns, exact = beside_a_heavy_sample(which, heavy, backend.has_float64)
        whole, *others = ways_of(backend, *columns)
        check_measures(OF_PAIRS, whole, exact, backend)
        for table in (whole, *others):
            check_pairs(table, exact, backend)


@pytest.mark.parametrize("layout", ["dense", "cells"])
@pytest.mark.parametrize("heavy", [1e4, 1e8, 1e12])
@pytest.mark.parametrize("labels", DOMINATED)
def test_all_measures_beside_a_heavy_sample(labels, heavy, layout):
    weights = [heavy + 0.5, *OTHERS]
    columns = (np.asarray(x) for x in (*labels, weights))
    table = Contingency.from_labels(*(x := tuple(columns))[:2], sample_weight=x[2], layout=layout)
    check_measures([*OF_PAIRS, *OF_SIZES], table, WeightedTable(*labels, weights), BACKENDS["numpy"])


HEAVY_CELL = [0, 0, 0, 1, 0, 1, 1], [1, 0, 1, 0, 0, 0, 1]
"""The last sample is most of a cell, whose class and cluster have most of the others; the second is outside of both."""


def test_pairs_of_weights_of_all_magnitudes(backend):
    weight = st.one_of(
        st.floats(-8, 8).map(lambda x: 10.0**x), st.sampled_from([0.0, 1e-8, 1.0, 1e4, 1e8]), st.floats(0.25, 1.5)
    )
    labels = st.lists(st.integers(0, 2), min_size=7, max_size=7)
    weights_of_parts = st.lists(weight, min_size=7, max_size=7).filter(lambda w: min(sum(w[:3]), sum(w[3:])) > 1e-2)

    @settings(max_examples=8 if backend.compiles or "strict" in backend.name else 40)
    @given(labels, labels, weights_of_parts)
    @example(*HEAVY_CELL, [1.0, 1e-5, 1.0, 1.0, 0.0, 0.1, 1e5])
    @example(*HEAVY_CELL, [1.0, 1e-8, 1.0, 1.0, 0.0, 0.1, 1e8])
    def near(true, pred, weights):
        if not backend.has_float64:
            weights = np.float32(weights).tolist()
        exact = WeightedTable(true, pred, weights)
        a, b, w = map(backend.array, spread(true, pred, weights, [0, 1, 2, 20, 21, 22, 23]))
        whole = Contingency.from_labels(a, b, sample_weight=w, **SIZE)
        parts = [Contingency.from_labels(a[x], b[x], sample_weight=w[x], **SIZE) for x in PARTS[:2]]
        check_measures(OF_PAIRS, whole, exact, backend)
        check_pairs(parts[0] + parts[1], exact, backend)

    near()


def test_tables_that_are_only_summed_have_the_pairs_between_them():
    """As jax.lax.psum does, by the difference; also where a table is added to such a sum."""
    backend = BACKENDS["jax-x64"]
    with backend.mode():
        columns = [np.asarray(x) for x in (*DOMINATED[0], [3.5, *OTHERS])]

        def table(part):
            true, pred, weights = (backend.array(x[part]) for x in columns)
            return Contingency.from_labels(true, pred, sample_weight=weights, **BOX)

        parts = slice(0, 3), slice(2, 6), slice(1, 4)
        summed = jax.tree.map(lambda x, y: x + y, table(parts[0]), table(parts[1]))
        for found, used in ((summed, parts[:2]), (summed + table(parts[2]), parts)):
            true, pred, weights = (np.concatenate([x[part] for part in used]).tolist() for x in columns)
            check_measures(OF_PAIRS, found, WeightedTable(true, pred, weights), backend)


def test_single_samples_of_memberships_share_no_pairs_beside_a_heavy_one():
    """The difference is made by the cell: a cell of one sample has none, whatever others weigh."""
    eye = np.eye(4)
    u, v = eye[[0, 1, 1, 2]], eye[[0, 1, 1, 3]]
    for heavy in (1e4, 1e8, 1e12):
        weights = np.asarray([heavy, 0.3, 0.7, 0.9])
        found = gpuval.pair_confusion_matrix(Contingency.from_memberships(u, v, sample_weight=weights))
        assert found[1, 1] == pytest.approx(2 * 0.3 * 0.7, rel=1e-12)


def test_a_checkpoint_of_another_shape_is_refused():
    for sizes in ({}, BOX):
        accumulator = Accumulator(**sizes)
        accumulator.update(np.asarray([0, 1]), np.asarray([1, 0]), np.asarray([0.5, 1.5]))
        state = accumulator.state_dict()
        state["self_pairs"] = np.ones(4)
        with pytest.raises(ValueError, match=r"state must have self_pairs of shape \(6,\), got \(4,\)"):
            Accumulator(**sizes).load_state_dict(state)


# ---- how large -----------------------------------------------------------------------------------


@pytest.mark.parametrize("total", [2**39 - 1, 2**39 - 2**20])
@only_for(lambda backend: backend.has_int64 and backend.has_float64)
def test_integers_are_exact_up_to_the_limit(total, backend):
    """Also as weights; a step of one sample above it is refused (below)."""
    counts = [[total // 2 - 5, 3, 0], [1, total // 3, 7], [0, 2, 0]]
    counts[2][2] = total - sum(map(sum, counts))
    cells = [(i, j) for i in range(3) for j in range(3)]
    true, pred = (backend.array([cell[side] for cell in cells]) for side in (0, 1))
    weights = backend.array(np.ravel(counts))
    for name in ("adjusted_rand_score", "rand_score", "mirkin_distance", "hubert_gamma_score", "v_measure_score"):
        exact = ORACLES[name](counts)
        score = getattr(gpuval, name)
        backend.assert_close(score(Contingency.from_counts(backend.array(counts))), exact, name)
        backend.assert_close(score(true, pred, sample_weight=weights, n_classes=3, n_clusters=3), exact, name)


LIMITS = {
    "integers": (2**39, 2**37 + 1),
    "integers that wrap": (2**62, None),
    "large reals": (1e100, 5e59),
    "small reals": (1e-100, None),
}
"""What is too much, and what four times is."""


@pytest.mark.parametrize("limit", LIMITS)
@only_for(lambda backend: backend.has_int64 and backend.has_float64)
def test_what_adds_up_to_too_much_is_refused(limit, backend):
    """An error on NumPy; NaN on a device, where the values are not looked at."""
    too_large, quarter = LIMITS[limit]
    labels, one = backend.array([0, 1]), backend.array([0, 0])
    size = {"n_classes": 2, "n_clusters": 2}

    def refused(make):
        if backend.name == "numpy":
            with pytest.raises(ValueError, match="must add up to"):
                gpuval.rand_score(make())
        else:
            assert np.isnan(backend.numpy(gpuval.rand_score(make())))

    zero = too_large * 0
    refused(lambda: Contingency.from_counts(backend.array([[too_large, too_large], [zero, zero]])))
    weights = backend.array([too_large, too_large])
    refused(lambda: Contingency.from_labels(labels, one, sample_weight=weights, **size))
    if backend.finds_sizes:
        with pytest.raises(ValueError, match="sample_weight must add up to"):
            gpuval.rand_score(labels, one, sample_weight=weights)
    if quarter is not None:
        part = Contingency.from_counts(backend.array([[quarter, zero], [zero, zero]]))
        refused(lambda: part + part + part + part)


def test_32_bits_are_not_added_beyond_their_range():
    backend = BACKENDS["jax"]
    with backend.mode():
        part = Contingency.from_counts(backend.array([[2**29, 0], [0, 3]]))
        assert np.isfinite(backend.numpy(gpuval.rand_score(part)))
        assert np.isnan(backend.numpy(gpuval.rand_score(part + part)))


@only_for(lambda backend: backend.name != "numpy")  # an error there
def test_one_broken_table_of_a_batch_breaks_no_other(backend):
    counts = np.asarray([[[3, 0], [0, 2]], [[3, -1], [0, 2]], [[1, 1], [1, 1]]])
    scores = backend.numpy(gpuval.rand_score(Contingency.from_counts(backend.array(counts))))
    assert np.isnan(scores[1])
    assert np.isfinite(scores[[0, 2]]).all()
    each = backend.numpy(gpuval.cluster_precision(Contingency.from_counts(backend.array(counts))).scores)
    assert np.isnan(each).tolist() == [[False] * 2, [True] * 2, [False] * 2]
