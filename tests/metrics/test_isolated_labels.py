"""Isolated labels beside their definitions, on every backend, and worked values."""

from __future__ import annotations

import functools
from fractions import Fraction

import internal_oracles as oracles
import numpy as np
import pytest
from backends import BACKENDS
from internal_cases import off_by
from only_for import only_for
from packages import pd

import gpuval

S = [[2, 1, 0], [2, 2, 1], [0, 0, 4]]
"""Cells of three labels in three clusters."""
S_LABELS = [i for i, row in enumerate(S) for n in row for _ in range(n)]
S_CLUSTERS = [j for row in S for j, n in enumerate(row) for _ in range(n)]

RNG = np.random.default_rng(6)
N, K, B = 40, 5, 3
LABELS = RNG.permutation(np.arange(N) % K)
BATCH = RNG.integers(0, B, N)
BATCH[LABELS == 1] = [0, 1, 0, 1, 0, 1, 1, 1]
BATCH[LABELS == 3] = [1, 2, 2, 1, 1, 1, 1, 2]
BATCH[LABELS == 4] = [0, 1, 2, 0, 1, 2, 0, 1]
X = RNG.normal(size=(N, 4)) + 1.5 * RNG.normal(size=(K, 4))[LABELS]
SWEEP = {f"{k}": np.where(RNG.random(N) < 0.7, (LABELS * k) // K, RNG.integers(0, k, N)) for k in (2, 4, 7)}
SIZES = {"n_labels": K, "n_batches": B}


@functools.cache
def distances(bits=64):
    return oracles.distances(X.astype(f"f{bits // 8}"), "euclidean")


def exact_silhouettes(label, others, bits, labels=tuple(LABELS.tolist())):
    """The mean silhouette of the cells of a label."""
    given = labels if others == "apart" else [None if x is None else x == label for x in labels]
    values = oracles.silhouettes(distances(bits), given)
    return oracles.mean([values[i] for i, x in enumerate(labels) if x == label])


def score_of(backend, by, **options):
    labels, batch = backend.array(LABELS), backend.array(BATCH)
    if by == "clusterings":
        sweep = {name: backend.array(x) for name, x in SWEEP.items()}
        return gpuval.isolated_labels_score(labels, batch, clusterings=sweep, **options)
    given = backend.of(X if backend.has_float64 else X.astype(np.float32))
    return gpuval.isolated_labels_score(labels, batch, X=given, **options)


def ways(backend, by):
    sizes = SIZES | ({"n_clusters": 7} if by == "clusterings" else {})
    return [{}, sizes] if backend.finds_sizes else [sizes]


# ---- worked values -------------------------------------------------------------------------------


def test_f_of_each_label_by_hand():
    """a = 3, 5, 4 and b = 4, 3, 5: 4/7, 4/8, 8/9; each label is in one batch of three."""
    found = gpuval.isolated_labels_score(S_LABELS, S_LABELS, clusterings=S_CLUSTERS, return_per_label=True)
    expected = [Fraction(4, 7), Fraction(1, 2), Fraction(8, 9)]
    assert found.label_scores.tolist() == [float(x) for x in expected]
    assert found.score == pytest.approx(float(sum(expected) / 3), rel=1e-15)
    assert found.labels.tolist() == [0, 1, 2]
    assert found.label_batches.tolist() == [1, 1, 1]
    assert [float(oracles.best_f(S_LABELS, S_CLUSTERS, x)) for x in range(3)] == [float(x) for x in expected]


def test_silhouettes_by_hand():
    """0 and 1 of label 0, 4 and 6 of label 1: silhouettes 4/5, 3/4, 3/7, 7/11, and label 1 is in one batch."""
    cells, labels, batch = [[0.0], [1.0], [4.0], [6.0]], [0, 0, 1, 1], ["x", "y", "x", "x"]
    s = (Fraction(3, 7) + Fraction(7, 11)) / 2
    for others in ("apart", "together"):
        found = gpuval.isolated_labels_score(labels, batch, X=cells, others=others, return_per_label=True)
        assert found.score == pytest.approx(float((s + 1) / 2), rel=1e-15)
        assert (found.labels.tolist(), found.label_batches.tolist()) == ([1], [1])
        plain = gpuval.isolated_labels_score(labels, batch, X=cells, others=others, rescale=False)
        assert plain == pytest.approx(float(s), rel=1e-15)


def test_others_apart_and_together():
    """Of three labels on a line: to the nearest of the others, and to all of them."""
    cells, labels, batch = [[0.0], [2.0], [3.0], [9.0]], [0, 0, 1, 2], [0, 0, 0, 1]
    options = {"X": cells, "rescale": False, "most_batches": 1, "return_per_label": True}
    apart = gpuval.isolated_labels_score(labels, batch, **options)
    together = gpuval.isolated_labels_score(labels, batch, others="together", **options)
    assert apart.label_scores[0] == pytest.approx(float((Fraction(1, 3) - Fraction(1, 2)) / 2), rel=1e-15)
    assert together.label_scores[0] == pytest.approx(float((Fraction(2, 3) + Fraction(1, 2)) / 2), rel=1e-15)


# ---- on every backend ----------------------------------------------------------------------------


@pytest.mark.by_default
@pytest.mark.parametrize("most", [None, 2, 3])
def test_by_clusterings(backend, most):
    isolated = oracles.isolated_labels(LABELS.tolist(), BATCH.tolist(), most)
    assert isolated == {None: [1, 3], 2: [1, 3], 3: list(range(K))}[most]
    best = [max(oracles.best_f(LABELS.tolist(), x.tolist(), label) for x in SWEEP.values()) for label in isolated]
    for size in ways(backend, "clusterings"):
        found = score_of(backend, "clusterings", most_batches=most, **size)
        backend.assert_at_home(found, backend.array(LABELS))
        backend.assert_close(found, oracles.mean(best))


@pytest.mark.by_default
@pytest.mark.parametrize("others", ["apart", "together"])
def test_by_silhouettes(backend, others):
    bits = 64 if backend.has_float64 else 32
    for most in (None,) if backend.compiles else (None, 3):
        isolated = oracles.isolated_labels(LABELS.tolist(), BATCH.tolist(), most)
        expected = oracles.mean([exact_silhouettes(x, others, bits) for x in isolated])
        for size in ways(backend, "X"):
            found = score_of(backend, "X", others=others, most_batches=most, **size)
            backend.assert_at_home(found, backend.of(X if backend.has_float64 else X.astype(np.float32)))
            assert off_by(float(backend.numpy(found)), float((1 + expected) / 2)) <= (1e-12 if bits == 64 else 1e-5)


@pytest.mark.by_default
@pytest.mark.parametrize("by", ["X", "clusterings"])
@only_for(lambda backend: backend.finds_sizes)
def test_of_each_label(backend, by):
    for size in ways(backend, by):
        found = score_of(backend, by, return_per_label=True, **size)
        like = backend.array(LABELS)
        assert type(found.labels) is type(like)
        assert backend.numpy(found.labels).tolist() == [1, 3]
        assert backend.numpy(found.label_batches).tolist() == [2, 2]
        whole = float(backend.numpy(score_of(backend, by, **size)))
        assert float(backend.numpy(found.score)) == whole == pytest.approx(backend.numpy(found.label_scores).mean())
        for name, code in ((1, 0), (3, 1)):
            if by == "X":
                expected = float((1 + exact_silhouettes(name, "apart", 64 if backend.has_float64 else 32)) / 2)
            else:
                best = (oracles.best_f(LABELS.tolist(), x.tolist(), name) for x in SWEEP.values())
                expected = float(max(best))
            close = 1e-12 if backend.has_float64 else 1e-5
            assert backend.numpy(found.label_scores)[code] == pytest.approx(expected, rel=close)


@pytest.mark.parametrize("by", ["X", "clusterings"])
@only_for(lambda backend: backend.finds_sizes and not backend.compiles)
def test_what_is_ignored_does_not_count(backend, by):
    """A label, and a batch: nothing of such cells is in the sizes of labels and clusters."""
    rows = (LABELS != 1) & (BATCH != 1)
    isolated = oracles.isolated_labels(LABELS[rows].tolist(), BATCH[rows].tolist())
    labels = [x if keep else None for x, keep in zip(LABELS.tolist(), rows, strict=True)]
    shifted = {name: x + 50 for name, x in SWEEP.items()}
    if by == "X":
        bits = 64 if backend.has_float64 else 32
        exact = [(1 + exact_silhouettes(x, "apart", bits, tuple(labels))) / 2 for x in isolated]
        options = {"X": backend.of(np.where(rows[:, None], X, np.nan).astype(f"f{bits // 8}"))}
    else:
        exact = [max(oracles.best_f(labels, x.tolist(), label) for x in SWEEP.values()) for label in isolated]
        options = {"clusterings": {name: backend.array(x) for name, x in shifted.items()}}
    named = backend.array(LABELS), backend.array(BATCH + 10)
    found = gpuval.isolated_labels_score(*named, ignore_labels=[1, 11], **options)
    backend.assert_close(found, oracles.mean(exact))


@only_for(lambda backend: not backend.compiles)
def test_ignored_with_the_numbers_given(backend):
    rows = BATCH != 1
    isolated = oracles.isolated_labels(LABELS[rows].tolist(), BATCH[rows].tolist())
    for by in ("X", "clusterings"):
        found = gpuval.isolated_labels_score(
            backend.array(LABELS),
            backend.array(np.where(rows, BATCH, -7)),
            ignore_labels=-7,
            **(ways(backend, by)[-1] | given_as(backend, by)),
        )
        labels = [x if keep else None for x, keep in zip(LABELS.tolist(), rows, strict=True)]
        if by == "X":
            bits = 64 if backend.has_float64 else 32
            exact = [(1 + exact_silhouettes(x, "apart", bits, tuple(labels))) / 2 for x in isolated]
        else:
            exact = [max(oracles.best_f(labels, x.tolist(), label) for x in SWEEP.values()) for label in isolated]
        assert off_by(float(backend.numpy(found)), float(oracles.mean(exact))) <= (
            1e-12 if backend.has_float64 else 1e-5
        )


def given_as(backend, by):
    if by == "X":
        return {"X": backend.of(X if backend.has_float64 else X.astype(np.float32))}
    return {"clusterings": [backend.array(x) for x in SWEEP.values()]}


@pytest.mark.parametrize("by", ["X", "clusterings"])
def test_nothing_leaves_a_device(by):
    import jax
    from backends import jax_values_refused, transfers_to_host

    expected = float(score_of(BACKENDS["numpy"], by))
    for name in ("torch", "jax", "strict"):
        backend = BACKENDS[name]
        with backend.mode():
            size = ways(backend, by)[-1]
            score_of(backend, by, **size)
            with transfers_to_host() as copied, jax_values_refused():
                found = score_of(backend, by, **size)
            assert copied == []
            assert float(found) == pytest.approx(expected, rel=1e-5)
    with BACKENDS["jax-x64"].mode():
        backend = BACKENDS["jax-x64"]
        names, size = ("labels", "batch"), ways(backend, by)[-1]
        compiled = jax.jit(
            lambda labels, batch, given: gpuval.isolated_labels_score(labels, batch, **{by: given}, **size)
        )
        found = compiled(backend.array(LABELS), backend.array(BATCH), given_as(backend, by)[by])
        assert float(found) == pytest.approx(expected, rel=1e-12)
        assert names


@pytest.mark.parametrize("by", ["X", "clusterings"])
@pytest.mark.parametrize("broken", ["labels", "batch"])
@only_for(lambda backend: not backend.compiles)
def test_labels_beyond_the_numbers(backend, by, broken):
    given = {"labels": LABELS.copy(), "batch": BATCH.copy()}
    given[broken][3] = 9
    arguments = {name: backend.array(x) for name, x in given.items()}
    call = functools.partial(
        gpuval.isolated_labels_score, **arguments, **given_as(backend, by), **ways(backend, by)[-1]
    )
    if backend.name == "numpy" or (backend.name == "torch-host" and by == "X"):
        number = {"labels": "n_labels", "batch": "n_batches"}[broken]
        with pytest.raises(ValueError, match=rf"^{broken} must lie in \[0, {number}\)"):
            call()
        return
    assert np.isnan(float(backend.numpy(call())))


# ---- kinds of labels -----------------------------------------------------------------------------


def test_labels_of_any_kind():
    names, batches = np.asarray(["p", "q", "r", "s", "t"]), np.asarray(["one", "two", "three"])
    wanted = score_of(BACKENDS["numpy"], "clusterings", return_per_label=True)
    frame = pd.DataFrame({"type": pd.Categorical(names[LABELS], [*"pqrstu"]), "batch": batches[BATCH]} | SWEEP)
    for labels, batch in (
        (frame["type"], frame["batch"]),
        (names[LABELS].tolist(), batches[BATCH].tolist()),
        (LABELS * 10**12, BATCH - 5),
    ):
        sweep = frame[list(SWEEP)] if isinstance(labels, pd.Series) else list(SWEEP.values())
        found = gpuval.isolated_labels_score(labels, batch, clusterings=sweep, return_per_label=True)
        assert found.score == wanted.score
        assert found.label_scores.tolist() == wanted.label_scores.tolist()
        expected = ["q", "s"] if labels is not frame["type"] and isinstance(labels, list) else None
        assert found.labels.tolist() in ([expected] if expected else [["q", "s"], [10**12, 3 * 10**12]])
        by_cells = gpuval.isolated_labels_score(labels, batch, X=X)
        assert by_cells == pytest.approx(score_of(BACKENDS["numpy"], "X"), rel=1e-13)


def test_one_clustering_is_one_of_a_sweep():
    one = SWEEP["4"]
    expected = gpuval.isolated_labels_score(LABELS, BATCH, clusterings=[one])
    for given in (one, one.tolist(), tuple(one.tolist()), pd.Series(one), one.astype(str).tolist(), {"a": one}):
        assert gpuval.isolated_labels_score(LABELS, BATCH, clusterings=given) == expected


# ---- clusters that are ignored -----------------------------------------------------------------


def plain_f(labels, batch, sweep, noise):
    """The mean of the largest F1 of each isolated label, by their definitions; cells without a cluster do not count."""
    best = []
    for label in oracles.isolated_labels(labels, batch):
        values = [Fraction(0)]
        for clusters in sweep:
            kept = [(x, y) for x, y in zip(labels, clusters, strict=True) if y != noise]
            own = sum(x == label for x, _ in kept)
            for cluster in {y for _, y in kept}:
                both = sum(pair == (label, cluster) for pair in kept)
                values.append(Fraction(2 * both, own + sum(y == cluster for _, y in kept)))
        best.append(max(values))
    return oracles.mean(best)


@pytest.mark.parametrize(
    ("labels", "batch", "sweep", "expected"),
    [
        ([0, 0, 0, 1, 1, 1], [0, 1, 0, 0, 0, 0], [[0, 1, 2, -1, -1, -1]], 0),
        ([0, 0, 0, 1, 1, 1], [0, 1, 0, 0, 0, 0], [[0, 0, 0, -1, -1, -1]], 0),
        ([0, 0, 1, 1, 2, 2], [0, 1, 0, 0, 0, 1], [[-1, -1, 0, 0, 1, 1]], 1),
        ([0, 0, 0, 1, 1, 1], [0, 1, 0, 0, 0, 0], [[-1] * 6, [0, 0, 0, 0, 1, 1]], Fraction(4, 5)),
        ([0, 0, 0, 1, 1, 1], [0, 1, 0, 0, 0, 0], [[-1] * 6], 0),
    ],
)
@only_for(lambda backend: not backend.compiles)
def test_labels_of_which_a_clustering_has_no_cell(backend, labels, batch, sweep, expected):
    """Their F1 there is 0, and those of other labels stay their own; also where a clustering is nothing but noise."""
    assert plain_f(labels, batch, sweep, -1) == expected
    sizes = {"n_labels": 3, "n_batches": 2, "n_clusters": 3}
    for options in [{}, sizes] if backend.finds_sizes else [sizes]:
        found = gpuval.isolated_labels_score(
            backend.array(np.asarray(labels)),
            backend.array(np.asarray(batch)),
            clusterings=[backend.array(np.asarray(x)) for x in sweep],
            ignore_labels=-1,
            **options,
        )
        backend.assert_close(found, Fraction(expected))


def test_each_label_keeps_its_f():
    labels, batch = ["B"] * 3 + ["T"] * 3, [0, 1, 0, 0, 0, 0]
    found = gpuval.isolated_labels_score(
        labels, batch, clusterings=[[0, 0, 0, -1, -1, -1]], ignore_labels=-1, most_batches=2, return_per_label=True
    )
    assert dict(zip(found.labels.tolist(), found.label_scores.tolist(), strict=True)) == {"B": 1.0, "T": 0.0}
    assert found.label_batches.tolist() == [2, 1]


@only_for(lambda backend: not backend.compiles)
def test_sweeps_with_noise(backend):
    """NumPy, devices and given sizes agree with the definitions, whatever noise takes from a clustering."""
    sizes = {"n_labels": 6, "n_batches": 3, "n_clusters": 4}
    compared = 0
    for seed in range(25):
        random = np.random.default_rng(seed)
        n = int(random.integers(6, 30))
        labels, batch = random.integers(0, 6, n), random.integers(0, 3, n)
        sweep = [np.where(random.random(n) < 0.6, -1, random.integers(0, 4, n)) for _ in range(3)]
        if not oracles.isolated_labels(labels.tolist(), batch.tolist()):
            continue
        compared += 1
        expected = plain_f(labels.tolist(), batch.tolist(), [x.tolist() for x in sweep], -1)
        for options in [{}, sizes] if backend.finds_sizes else [sizes]:
            found = gpuval.isolated_labels_score(
                backend.array(labels),
                backend.array(batch),
                clusterings=[backend.array(x) for x in sweep],
                ignore_labels=-1,
                **options,
            )
            backend.assert_close(found, expected)
    assert compared > 20


def test_many_labels_with_noise():
    """So many labels and clusters that tables list their cells."""
    random = np.random.default_rng(1)
    n = 400
    labels, batch = np.arange(n) // 2, random.integers(0, 2, n)
    clusters = np.where(random.random(n) < 0.5, -1, random.permutation(n) // 2)
    expected = plain_f(labels.tolist(), batch.tolist(), [clusters.tolist()], -1)
    found = gpuval.isolated_labels_score(labels, batch, clusterings=clusters, ignore_labels=-1)
    assert off_by(found, float(expected)) <= 1e-12


def test_dask_labels_with_noise():
    import dask.array as da

    arrays = (da.from_array(np.asarray(x)) for x in ([0, 0, 0, 1, 1, 1], [0, 1, 0, 0, 0, 0], [0, 1, 2, -1, -1, -1]))
    labels, batch, clusters = arrays
    assert gpuval.isolated_labels_score(labels, batch, clusterings=[clusters], ignore_labels=-1) == 0


@only_for(lambda backend: not backend.compiles)
def test_where_no_cell_counts(backend):
    """All are ignored, or there is none: an error, or NaN, as of cells."""
    sizes = {"n_labels": 2, "n_batches": 2, "n_clusters": 2}
    for values, ignored in (([0, 0, 1, 1], [0, 1]), ([], None)):
        x = backend.array(np.asarray(values, dtype=np.int64))
        for options in [{}, sizes] if backend.finds_sizes else [sizes]:
            how = {"clusterings": [x], "ignore_labels": ignored, **options}
            assert np.isnan(float(backend.numpy(gpuval.isolated_labels_score(x, x, on_degenerate="nan", **how))))
            if not options or backend.name == "numpy":
                with pytest.raises(ValueError) as raised:
                    gpuval.isolated_labels_score(x, x, **how)
                assert str(raised.value) == (
                    "labels and batch must have at least one cell that counts, got none; on_degenerate='nan' gives NaN"
                )


# ---- edges ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["X", "clusterings"])
@only_for(lambda backend: backend.finds_sizes and not backend.compiles)
def test_where_all_labels_are_in_all_batches_none_is_isolated(backend, by):
    batch = np.zeros(N, int)
    for label in range(K):
        batch[np.flatnonzero(label == LABELS)[:3]] = [0, 1, 2]
    for values in (batch, np.zeros(N, int)):
        arguments = backend.array(LABELS), backend.array(values)
        options = given_as(backend, by)
        with pytest.raises(ValueError) as raised:
            gpuval.isolated_labels_score(*arguments, **options)
        n = len(set(values.tolist()))
        assert str(raised.value) == (
            f"batch must have a value that some label has no cells of, got {n} batch{'es' * (n > 1)} with cells of all "
            "labels, of which none is isolated; most_batches= says which are, on_degenerate='nan' gives NaN"
        )
        assert np.isnan(backend.numpy(gpuval.isolated_labels_score(*arguments, on_degenerate="nan", **options)))
        nothing = gpuval.isolated_labels_score(*arguments, on_degenerate="nan", return_per_label=True, **options)
        assert [x.shape[0] for x in nothing[1:]] == [0, 0, 0]
        size = ways(backend, by)[-1]
        assert np.isnan(backend.numpy(gpuval.isolated_labels_score(*arguments, **options, on_degenerate="nan", **size)))
        every = gpuval.isolated_labels_score(*arguments, most_batches=3, return_per_label=True, **options)
        assert backend.numpy(every.labels).tolist() == list(range(K))


def test_no_label_in_so_few_batches():
    with pytest.raises(
        ValueError, match=r"^most_batches must be at least the number of batches of one label \(2\), got 1"
    ):
        gpuval.isolated_labels_score(LABELS, BATCH, X=X, most_batches=1)
    assert np.isnan(gpuval.isolated_labels_score(LABELS, BATCH, X=X, most_batches=1, on_degenerate="nan"))


@pytest.mark.parametrize("labels", [[0] * 4, [0, 1, 2, 3]])
def test_silhouettes_that_are_none(labels):
    batch = [0, 1, 0, 1]
    with pytest.raises(ValueError, match="Number of labels is"):
        gpuval.isolated_labels_score(labels, batch, X=X[:4])
    nothing = gpuval.isolated_labels_score(labels, batch, X=X[:4], on_degenerate="nan", return_per_label=True)
    assert np.isnan(nothing.score)
    assert nothing.labels.tolist() == []


# ---- scib-metrics --------------------------------------------------------------------------------


def test_all_labels_for_isolated_is_what_scib_metrics_has():
    """Its mean over all labels, where all are in all batches, is that of ``most_batches``."""
    batch = np.zeros(N, int)
    batch[np.asarray([np.flatnonzero(label == LABELS)[0] for label in range(K)])] = 1
    expected = oracles.mean([(1 + exact_silhouettes(x, "apart", 64)) / 2 for x in range(K)])
    found = gpuval.isolated_labels_score(LABELS, batch, X=X, most_batches=2)
    assert off_by(found, float(expected)) <= 1e-12
