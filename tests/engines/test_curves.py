"""Pairs in order and precisions of columns of scores: as their definitions give them, pair by pair, in fractions."""

import tracemalloc
from fractions import Fraction
from math import inf, nan

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from backends import BACKENDS, jax_values_refused, transfers_to_host
from hypothesis import assume, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from only_for import only_for

from gpuval.engines import curves as anywhere
from gpuval.engines import engine_of
from gpuval.engines.backends import NUMPY, backend_of
from gpuval.engines.host import curves as of_host

N = 24
WEIGHTS = np.arange(N) % 5 / 4
"""Some are 0, and all sums of products of two are exact in 32 bits."""
LOW, HIGH, N_BINS = -1.0, 1.0, 5


# Definitions, one entry at a time


def chosen(scores, positives, negatives, weights):
    """The scores of the positive and of the negative entries of a column, each with its weight, as fractions."""
    weights = [1] * len(scores) if weights is None else weights.tolist()
    entries = list(zip(scores.tolist(), map(Fraction, weights), positives, negatives, strict=True))
    return [(s, w) for s, w, p, _ in entries if p], [(s, w) for s, w, _, q in entries if q]


def pairs_of(positives, negatives):
    return sum(v * w * (Fraction(s > t) + Fraction(s == t, 2)) for s, v in positives for t, w in negatives)


def precisions_of(positives, negatives):
    found = Fraction(0)
    for score, weight in positives:
        true, false = (sum(w for s, w in side if s >= score) for side in (positives, negatives))
        found += weight * Fraction(true, true + false) if weight else 0
    return found


def weight_of(side):
    return sum(w for _, w in side)


def expected(scores, positives, negatives, weights):
    """What an engine finds, each a list over the columns: pairs, sums of precisions, weights of both kinds."""
    sides = [chosen(*columns, weights) for columns in zip(scores.T, positives.T, negatives.T, strict=True)]
    return [
        [function(*x) for x in sides]
        for function in (pairs_of, precisions_of, lambda p, _: weight_of(p), lambda _, q: weight_of(q))
    ]


def found(scores, positives, negatives, weights=None):
    """The same of an engine."""
    engine = engine_of(*(x for x in (scores, positives, negatives, weights) if x is not None))
    pairs, n_positives, n_negatives = engine.concordance(scores, positives, negatives, weights)
    sums, again = engine.precisions(scores, positives, negatives, weights)
    return pairs, sums, n_positives, n_negatives, again


def check(backend, scores, positives, negatives, weights=None):
    given = [backend.of(x) for x in (scores, positives, negatives)]
    values = found(*given, None if weights is None else backend.array(weights))
    of_entries = None if weights is None else np.repeat(weights, len(scores) // len(weights))
    pairs, sums, n_positives, n_negatives = expected(scores, positives, negatives, of_entries)
    exact = [pairs, sums, n_positives, n_negatives, n_positives]
    names = ["pairs", "precisions", "positives", "negatives", "positives again"]
    for value, numbers, what in zip(values, exact, names, strict=True):
        backend.assert_close(value, numbers, what)
        backend.assert_at_home(value, given[0], (scores.shape[1],))


# Columns


def labels():
    """Positive and negative entries of seven columns, of which some have no positive, no negative, or neither."""
    random = np.random.default_rng(0)
    positives, counts = random.random((N, 7)) < 0.4, random.random((N, 7)) < 0.8
    positives[:, 2], positives[:, 3], counts[:, 4], counts[:, 5] = False, True, False, True
    return positives & counts, ~positives & counts


def scores_of(kind):
    random = np.random.default_rng(1)
    scores = random.permutation(N * 7).reshape(N, 7) / 8 - 9
    if kind != "distinct":
        scores = random.integers(-3, 4, (N, 7)) / 4
    if kind == "infinite":
        scores = np.where(np.abs(scores) > 0.4, np.copysign(inf, scores), scores)
    if kind == "zeros":
        scores = np.where(scores > 0, 0.0, np.where(scores > -0.4, -0.0, scores))
    scores[:, 5] = 0.5
    return scores


KINDS = ("distinct", "ties", "infinite", "zeros")


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["", "weights"])
@pytest.mark.parametrize("kind", KINDS)
def test_columns_on_every_backend(backend, kind, weights):
    positives, negatives = labels()
    scores = np.where(positives | negatives, scores_of(kind), nan).astype(np.float32)
    check(backend, scores, positives, negatives, weights)


@pytest.fixture(params=["rows", "columns", "parts", "searched", "merged"])
def way(request, monkeypatch):
    """The ways of the host: columns together as rows, or one by one, by searches or merges of parts."""
    for name, value in {
        "rows": {"_ENTRIES": 2 * N},
        "columns": {"_FEW": 0},
        "parts": {"_FEW": 0, "_PART": 3, "_CHUNK": 5, "_COPIED": 0, "_LINE": 2, "_MANY": 0},
        "searched": {"_FEW": 0, "_PART": 4, "_RARE": 0},
        "merged": {"_FEW": 0, "_PART": 4, "_RARE": N},
    }[request.param].items():
        assert hasattr(of_host, name)
        monkeypatch.setattr(of_host, name, value)


@pytest.mark.parametrize("weights", [None, WEIGHTS], ids=["", "weights"])
@pytest.mark.parametrize("kind", KINDS)
def test_all_ways_of_the_host(way, kind, weights):
    positives, negatives = labels()
    scores = np.where(positives | negatives, scores_of(kind), nan)
    for order in "CF":
        check(BACKENDS["numpy"], *(np.asarray(x, order=order) for x in (scores, positives, negatives)), weights)


def all_in_one_column(kind):
    matrices = scores_of(kind), *labels()
    return [x.reshape(-1, 1) for x in matrices]


@pytest.mark.parametrize("kind", KINDS)
def test_a_weight_for_several_entries(backend, kind):
    """A weight is that of the seven entries of a row, one after the other, if all rows are one column."""
    scores, positives, negatives = all_in_one_column(kind)
    check(backend, scores.astype(np.float32), positives, negatives, WEIGHTS)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_weight_for_several_entries_by_all_ways_of_the_host(way, kind, dtype):
    scores, positives, negatives = all_in_one_column(kind)
    check(BACKENDS["numpy"], scores.astype(dtype), positives, negatives, WEIGHTS)


def test_blocks_of_columns(backend, monkeypatch):
    positives, negatives = labels()
    monkeypatch.setattr(anywhere, "_BLOCK", 3 * N)
    monkeypatch.setattr(of_host, "_ENTRIES", 3 * N)
    check(backend, scores_of("ties").astype(np.float32), positives, negatives)


def test_one_sample(backend):
    positives = np.asarray([[True, False, False]])
    negatives = np.asarray([[False, True, False]])
    check(backend, np.float32([[1.0, 2.0, nan]]), positives, negatives)


# Types


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "int16", "int32", "float16", "float32"])
@only_for(lambda backend, dtype: dtype != "float16" or "array_api_strict" not in backend.modules)  # no standard type
def test_types_that_all_have(backend, dtype):
    positives, negatives = labels()
    check(backend, (scores_of("ties") * 8 + 16 * (dtype != "bool")).astype(dtype), positives, negatives)


def test_integers_that_floats_cannot_tell_apart(backend):
    positives, negatives = labels()
    steps = np.random.default_rng(2).integers(0, 24, positives.shape)
    bits = 64 if backend.has_int64 else 32
    for first, kind in ((1 << (bits - 3), "int"), (-1 << (bits - 1), "int"), ((1 << (bits - 1)) - 12, "uint")):
        scores = np.asarray([first + x for x in steps.reshape(-1).tolist()], dtype=f"{kind}{bits}")
        check(backend, scores.reshape(steps.shape), positives, negatives)


def test_half_precision_of_16_bits():
    """Of bfloat16, which NumPy lacks, and JAX gives as a type of its own."""
    positives, negatives = labels()
    scores = scores_of("ties")
    exact = [[float(y) for y in x] for x in expected(scores, positives, negatives, None)]
    others = [torch.asarray(x) for x in (positives, negatives)]
    values = found(torch.asarray(scores).to(torch.bfloat16), *others)
    np.testing.assert_allclose(np.asarray(values[:4]), exact, rtol=1e-14)
    values = found(jnp.asarray(scores, dtype=jnp.bfloat16), *map(jnp.asarray, (positives, negatives)))
    np.testing.assert_allclose(np.asarray(values[:4]), exact, rtol=1e-6)


# Properties

MATRICES = st.tuples(st.integers(1, 12), st.integers(1, 3)).flatmap(
    lambda shape: st.tuples(
        arrays(np.int64, shape, elements=st.integers(-3, 3)), *[arrays(bool, shape, elements=st.booleans())] * 2
    )
)


@given(MATRICES)
def test_only_the_order_counts(matrices):
    scores, positives, counts = matrices
    entries = positives & counts, ~positives & counts
    plain = found(scores, *entries)
    for rising in (np.exp, lambda x: np.arctan(x) - 1e6, lambda x: x**3 * 10**15, lambda x: np.where(x > 2, inf, x)):
        values = found(rising(scores), *entries)
        # Tied scores may come in any order, in which the precisions are added up.
        np.testing.assert_allclose(values, plain, rtol=1e-14)


@given(MATRICES)
def test_exchanged_labels_and_reversed_scores(matrices):
    """A pair in order becomes one that is not, and the other way round; both at once change nothing."""
    scores, positives, counts = matrices
    p, q = positives & counts, ~positives & counts
    pairs, _, n_p, n_q, _ = found(scores, p, q)
    exchanged, reversed_, both = (found(*x)[0] for x in ((scores, q, p), (-scores, p, q), (-scores, q, p)))
    assert (n_p * n_q - exchanged).tolist() == pairs.tolist()
    assert exchanged.tolist() == reversed_.tolist()
    assert both.tolist() == pairs.tolist()


@given(MATRICES, st.lists(st.integers(0, 3), min_size=12, max_size=12))
def test_whole_weights_are_repetitions(matrices, weights):
    scores, positives, counts = matrices
    weights = np.asarray(weights[: len(scores)])
    entries = scores, positives & counts, ~positives & counts
    repeated = found(*(np.repeat(x, weights, axis=0) for x in entries))
    for x, y in zip(found(*entries, weights), repeated, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-14)


# Many samples


def test_pairs_are_exact():
    """To the last one: the scores rise, but for two of them, of which the positive one is below the negative one."""
    n = 1 << 22
    scores = np.arange(n, dtype=np.float32)[:, None]
    positives = scores >= n // 2
    scores[[n // 2 - 1, n // 2]] = scores[[n // 2, n // 2 - 1]]
    pairs, n_positives, n_negatives = engine_of(scores).concordance(scores, positives, ~positives, None)
    assert int(pairs[0]) == (n // 2) ** 2 - 1
    assert (n_positives[0], n_negatives[0]) == (n // 2, n // 2)


@pytest.mark.parametrize("x64", [False, True])
def test_sums_of_many_in_jax(x64):
    """Without 64 bits the pairs would overflow integers, and one by one floats would lose half their digits."""
    random, n = np.random.default_rng(3), 1 << 18
    scores = random.integers(0, 1000, (n, 1)).astype(np.float32)
    positives = random.random((n, 1)) < scores / 2000 + 0.1
    exact = found(scores, positives, ~positives)
    with jax.enable_x64(x64):
        values = jax.jit(found)(*map(jnp.asarray, (scores, positives, ~positives)))
        for value, number in zip(values, exact, strict=True):
            np.testing.assert_allclose(np.asarray(value), number, rtol=1e-12 if x64 else 1e-6)


def test_memory_of_the_host():
    """Beside the arrays that are given, what is sorted takes no more than half as much again as the scores."""
    random, n, k = np.random.default_rng(4), 1 << 18, 20
    for dtype in (np.float64, np.float32):
        scores = random.normal(size=(n, k)).astype(dtype)
        positives = random.random((n, k)) < 0.5
        negatives = ~positives
        for name in ("concordance", "precisions"):
            find = getattr(engine_of(scores), name)
            find(scores[:, :1], positives[:, :1], negatives[:, :1], None)
            tracemalloc.start()
            try:
                find(scores, positives, negatives, None)
                assert tracemalloc.get_traced_memory()[1] < 1.5 * scores.nbytes
            finally:
                tracemalloc.stop()


@pytest.mark.parametrize(("dtype", "bound"), [("float64", 3.5), ("float32", 4.5)])
@pytest.mark.parametrize("name", ["concordance", "precisions"])
def test_memory_of_the_host_with_weights(name, dtype, bound):
    """Scores and positions take 2 to 3 times the scores while they are sorted, and weights no more than positions."""
    random, n, k = np.random.default_rng(4), 1 << 18, 8
    scores, weights = random.normal(size=(n * k, 1)).astype(dtype), random.random(n)
    positives = random.random((n * k, 1)) < 0.2
    negatives = ~positives
    find = getattr(engine_of(scores), name)
    find(scores[:2], positives[:2], negatives[:2], weights[:2])
    tracemalloc.start()
    try:
        find(scores, positives, negatives, weights)
        assert tracemalloc.get_traced_memory()[1] < bound * scores.nbytes
    finally:
        tracemalloc.stop()


# Bins


def bins_of(scores):
    """The bin of each score, in fractions."""
    return [
        min(max((Fraction(x) - Fraction(LOW)) * N_BINS // Fraction(HIGH - LOW), 0), N_BINS - 1) if abs(x) < inf
        else (N_BINS - 1) * (x > 0)
        for x in scores
    ]  # fmt: skip


@pytest.mark.parametrize("weights", [None, WEIGHTS, (WEIGHTS * 4).astype(np.int64)], ids=["", "real", "whole"])
@pytest.mark.parametrize("kind", ["distinct", "infinite"])
def test_bins_on_every_backend(backend, kind, weights):
    positives, negatives = labels()
    scores = np.where(positives | negatives, scores_of(kind), nan).astype(np.float32)
    matrices = [backend.of(x) for x in (scores, positives, negatives)]
    given = None if weights is None else backend.array(weights)
    values = engine_of(*matrices).binned(*matrices, given, N_BINS, LOW, HIGH)
    for value, entries in zip(values, (positives, negatives), strict=True):
        exact = np.zeros((7, N_BINS))
        for i, j in zip(*np.nonzero(entries), strict=True):
            exact[j, bins_of([scores[i, j].item()])[0]] += 1 if weights is None else weights[i]
        assert backend.numpy(value).tolist() == exact.tolist()
        is_whole = weights is None or weights.dtype.kind == "i"
        assert backend.numpy(value).dtype.kind == ("i" if is_whole else "f")


def test_bins_by_all_ways_of_the_host(way):
    positives, negatives = labels()
    scores = np.where(positives | negatives, scores_of("distinct"), nan)
    exact = anywhere.histograms(anywhere.ScoreColumns(scores, positives, negatives, None), N_BINS, LOW, HIGH, NUMPY)
    values = engine_of(scores).binned(scores, positives, negatives, None, N_BINS, LOW, HIGH)
    for x, y in zip(values, exact, strict=True):
        assert x.tolist() == y.tolist()
        assert x.shape == (7, N_BINS)


def test_a_batch_of_no_samples_adds_nothing(backend):
    none = [backend.of(np.zeros((0, 2), dtype=x)) for x in (np.float32, bool, bool)]
    for value in engine_of(*none).binned(*none, None, 3, LOW, HIGH):
        assert backend.numpy(value).tolist() == [[0, 0, 0]] * 2


@given(
    st.lists(st.floats(allow_nan=False), min_size=2, max_size=30),
    st.lists(st.floats(-1.7e308, 1.7e308), min_size=2, max_size=2, unique=True),
    st.integers(1, 1000),
)
def test_bins_never_fall_where_scores_rise(scores, ends, n_bins):
    low, high = sorted(ends)
    assume(low / 2 != high / 2)
    bins = NUMPY.bin_of(np.sort(scores), n_bins, low, high)
    assert (np.diff(bins) >= 0).all()
    assert ((bins >= 0) & (bins < n_bins)).all()
    of_ends = NUMPY.bin_of(np.asarray([-inf, low, high, inf]), n_bins, low, high)
    assert of_ends.tolist() == [0, 0, n_bins - 1, n_bins - 1]


# In graphs, and on devices


def all_found(scores, positives, negatives, weights):
    engine = engine_of(scores)
    return *found(scores, positives, negatives, weights), *engine.binned(
        scores, positives, negatives, weights, 3, -1, 1
    )


def given_to(of):
    positives, negatives = labels()
    return [of(x) for x in (scores_of("ties").astype(np.float32), positives, negatives, WEIGHTS)]


@pytest.mark.parametrize("name", ["torch", "jax", "strict", "strict-no-x64"])
def test_nothing_leaves_the_device(name):
    backend = BACKENDS[name]
    with backend.mode():
        matrices = given_to(backend.array)[:3]
        with transfers_to_host() as copied, jax_values_refused():
            all_found(*matrices, None)
        assert copied == []


def test_jit_and_vmap_of_jax():
    with jax.enable_x64(True):
        matrices = given_to(jnp.asarray)
        for weights in (None, matrices[3]):
            plain = all_found(*matrices[:3], weights)
            compiled = jax.jit(all_found)(*matrices[:3], weights)
            for x, y in zip(compiled, plain, strict=True):
                np.testing.assert_allclose(x, y, rtol=1e-14)
        batch = [jnp.stack([x, x[::-1]]) for x in matrices]
        for x, y in zip(jax.vmap(all_found)(*batch), plain, strict=True):
            np.testing.assert_allclose(x, [y, y], rtol=1e-14)


def test_compiled_and_mapped_by_torch():
    matrices = given_to(torch.asarray)
    torch._dynamo.reset()
    for weights in (None, matrices[3]):
        plain = all_found(*matrices[:3], weights)
        compiled = torch.compile(all_found, fullgraph=True, backend="aot_eager")(*matrices[:3], weights)
        for x, y in zip(compiled, plain, strict=True):
            torch.testing.assert_close(x, y, rtol=1e-14, atol=0)
    batch = [torch.stack([x, x.flip(0)]) for x in matrices]
    for x, y in zip(torch.func.vmap(all_found)(*batch), plain, strict=True):
        torch.testing.assert_close(x, torch.stack([y, y]), rtol=1e-14, atol=0)
    torch._dynamo.reset()


def test_scores_with_a_gradient():
    """They are found, and constants: a sort has no derivative."""
    scores, *others = given_to(torch.asarray)
    for x, y in zip(all_found(scores.clone().requires_grad_(), *others), all_found(scores, *others), strict=True):
        torch.testing.assert_close(x, y, rtol=1e-14, atol=0)
        assert not x.requires_grad


# What backends find of rows


@pytest.mark.parametrize("dtype", ["int32", "float32"])
def test_the_largest_value_so_far(backend, dtype):
    for shape in ((3, N), (2, 1), (2, 0)):
        values = np.random.default_rng(5).integers(-9, 9, shape).astype(dtype)
        x = backend.of(values)
        largest = backend.numpy(backend_of(x).cumulative_max(x))
        assert largest.tolist() == [[max(row[: i + 1]) for i in range(len(row))] for row in values.tolist()]


def test_the_order_of_rows(backend):
    values = np.random.default_rng(6).integers(-9, 9, (5, N)).astype(np.float32)
    x = backend.of(values)
    order = backend.numpy(backend_of(x).order_of_rows(x))
    assert np.sort(order, axis=1).tolist() == [list(range(N))] * 5
    assert np.take_along_axis(values, order, axis=1).tolist() == [sorted(x, reverse=True) for x in values.tolist()]


# The checks can fail


def test_the_definitions_of_few_entries():
    """By hand: of four pairs two are in order and one is tied; 2 of 4 entries that score 2 or more are positive."""
    positives, negatives = [(3, 1), (2, 1)], [(2, 1), (2.5, 1)]
    assert pairs_of(positives, negatives) == Fraction(5, 2)
    assert precisions_of(positives, negatives) == 1 + Fraction(2, 4)


def test_a_wrong_number_of_pairs_is_found(monkeypatch):
    positives, negatives = labels()
    monkeypatch.setattr(of_host, "_up_to", lambda positives, negatives, below: below)
    monkeypatch.setattr(of_host, "_FEW", 0)
    check(BACKENDS["numpy"], scores_of("distinct")[:, :5], positives[:, :5], negatives[:, :5])
    with pytest.raises(AssertionError, match="pairs"):
        check(BACKENDS["numpy"], scores_of("ties"), positives, negatives)
