"""Every measure on every backend beside its definition, on samples that are hard in some way."""

from __future__ import annotations

import internal_cases as cases
import internal_oracles as oracles
import jax
import numpy as np
import pytest
from backends import BACKENDS
from internal_cases import CASES, OF_CENTRES, OF_ONE_SHAPE, off_by
from only_for import only_for

import gpuval
from gpuval.geometry import extremes
from gpuval.geometry.distances import products, tiles
from gpuval.geometry.distances.precomputed import DistanceMatrix
from gpuval.geometry.means import pairs
from gpuval.geometry.moments import sums
from gpuval.metrics.internal import centres

METRICS = (*oracles.METRICS, "precomputed")
EXACT = {64: 1e-12, 32: 1e-5}

DIRECTIONS = {"far": 1e4, "tight": 1e6}
"""How much the directions of samples are nearer to each other than the numbers that tell them."""


def allowed(backend, case, metric, bits):
    """A cosine distance is as exact as the directions are, which are known to the digits of a number.

    Those of correlations are known better: the mean that is taken from the features is not among them.
    """
    eps = {True: 2.0**-52, False: 2.0**-23}[backend.has_float64]
    known = {"cosine": DIRECTIONS, "correlation": {"tight": DIRECTIONS["tight"]}}.get(metric)
    return max(EXACT[bits], 0.0 if known is None else 8 * eps * known.get(case, 1.0))


def sizes(backend, k):
    """The ways to give the number of clusters that the backend has."""
    return [{}, {"n_clusters": k}] if backend.finds_sizes else [{"n_clusters": k}]


def cases_for(backend, among=tuple(CASES)):
    """Those that the backend takes no new compilation for."""
    return [case for case in among if case in OF_ONE_SHAPE or not backend.compiles]


def wrong_of_distances(backend, case, metric, bits, ways=sizes):
    """The scores of a case that are not exact, with what they should be."""
    X = cases.precomputed(case, bits) if metric == "precomputed" else cases.case(case, bits)[0]
    labels = cases.case(case)[1]
    given, of_each = backend.of(X), backend.array(labels)
    bound, wrong = allowed(backend, case, metric, bits), []
    for size in ways(backend, int(labels.max()) + 1):
        found = gpuval.silhouette_samples(given, of_each, metric=metric, **size)
        backend.assert_at_home(found, given, labels.shape)
        found, expected = backend.numpy(found), cases.silhouettes(case, metric, bits)
        worst = np.argmax(abs(found - expected))
        if not abs(found - expected)[worst] <= bound:
            wrong.append((case, size, f"silhouette of sample {worst}", float(found[worst]), float(expected[worst])))
        for name, measure in (("silhouette", gpuval.silhouette_score), ("dunn", gpuval.dunn_index)):
            score = measure(given, of_each, metric=metric, **size)
            backend.assert_at_home(score, given)
            score, expected = float(backend.numpy(score)), cases.exact(case, name, metric, bits)
            if not off_by(score, expected) <= bound:
                wrong.append((case, size, name, score, expected))
    return wrong


def wrong_of_centres(backend, case, name, bits):
    X, labels = cases.case(case, bits)
    given, of_each = backend.of(X), backend.array(labels)
    expected, wrong = cases.exact(case, name, None, bits), []
    for size in sizes(backend, int(labels.max()) + 1):
        score = OF_CENTRES[name](given, of_each, **size)
        backend.assert_at_home(score, given)
        if not off_by(float(backend.numpy(score)), expected) <= EXACT[bits]:
            wrong.append((case, size, name, float(backend.numpy(score)), expected))
    return wrong


def wrong_of_all(find, backend, what, bits, among=tuple(CASES)):
    return [x for case in cases_for(backend, among) for x in find(backend, case, what, bits)]


@pytest.mark.by_default(once=True)
@pytest.mark.parametrize("metric", METRICS)
def test_distances(backend, metric):
    assert wrong_of_all(wrong_of_distances, backend, metric, 64 if backend.has_float64 else 32) == []


@pytest.mark.by_default
@pytest.mark.parametrize("name", OF_CENTRES)
def test_centres(backend, name):
    assert wrong_of_all(wrong_of_centres, backend, name, 64 if backend.has_float64 else 32) == []


WIDE = [BACKENDS[name] for name in ("numpy", "strict", "torch")]


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("wide", WIDE, ids=str)
def test_distances_of_single_precision(wide, metric):
    """The exact score is that of the numbers as float32 has them."""
    with wide.mode():
        assert wrong_of_all(wrong_of_distances, wide, metric, 32) == []


@pytest.mark.parametrize("name", OF_CENTRES)
@pytest.mark.parametrize("wide", WIDE, ids=str)
def test_centres_of_single_precision(wide, name):
    with wide.mode():
        assert wrong_of_all(wrong_of_centres, wide, name, 32) == []


# ---- tiles ---------------------------------------------------------------------------------------


@pytest.fixture
def small_tiles(monkeypatch):
    """So small that clusters and samples cross them."""
    monkeypatch.setattr(tiles, "_ON_HOST", (8, 16))
    monkeypatch.setattr(
        tiles, "_side_on_device", lambda like: 8 if isinstance(like, jax.Array) else 16
    )  # JAX: all of one shape
    monkeypatch.setattr(pairs, "_WHOLE", ())
    monkeypatch.setattr(pairs, "_SIZE", 8)
    monkeypatch.setattr(pairs, "_COLUMNS", 16)
    monkeypatch.setattr(DistanceMatrix, "height", 7)
    monkeypatch.setattr(sums, "_CELLS", (64, 64, 64))
    monkeypatch.setattr(sums, "_WORTH_THREADS", 0)
    monkeypatch.setattr(sums, "_ENTRIES", 16)
    monkeypatch.setattr(centres, "_CELLS", 8)


@pytest.mark.usefixtures("small_tiles")
@pytest.mark.parametrize("metric", METRICS)
@only_for(lambda backend, metric: not backend.compiles or metric == "cityblock")
def test_distances_in_many_tiles(backend, metric):
    among = ("far",) if backend.compiles else ("singles", "tiny", "far", "some_are_zero")
    bits = 64 if backend.has_float64 else 32
    for case in among:  # tiles are the same whether the number of clusters is given or found: one case has both
        ways = sizes if case == "singles" or backend.compiles else lambda backend, k: sizes(backend, k)[-1:]
        assert wrong_of_distances(backend, case, metric, bits, ways) == []


@pytest.mark.usefixtures("small_tiles")
@pytest.mark.parametrize("name", OF_CENTRES)
def test_centres_in_many_blocks(backend, name):
    among = ("singles", "tiny", "far")
    assert wrong_of_all(wrong_of_centres, backend, name, 64 if backend.has_float64 else 32, among) == []


@pytest.mark.usefixtures("small_tiles")
@pytest.mark.parametrize("bits", [64, 32])
@pytest.mark.parametrize("metric", METRICS)
def test_what_is_left_out_is_no_extreme(monkeypatch, metric, bits):
    """The way on the host that bounds distances, for which these samples are too few else."""
    monkeypatch.setattr(extremes, "_PAIR", 0)
    monkeypatch.setattr(extremes, "_CELLS", 50)
    assert wrong_of_all(wrong_of_distances, BACKENDS["numpy"], metric, bits) == []


@pytest.mark.parametrize("metric", ["euclidean", "cityblock"])
@pytest.mark.parametrize("seed", range(25))
def test_what_is_left_out_is_no_extreme_of_many(monkeypatch, seed, metric):
    """More samples than the definitions are patient for: the extremes of all distances, by differences."""
    rng = np.random.default_rng(seed)
    n, d, k = int(rng.integers(50, 700)), int(rng.integers(1, 6)), int(rng.integers(2, 9))
    labels = rng.integers(0, k, n)
    X = rng.normal(size=(n, d)) * rng.choice([0.1, 1, 3], (k, 1))[labels]
    X += rng.choice([0, 1, 10]) * rng.normal(size=(k, d))[labels]
    monkeypatch.setattr(extremes, "_PAIR", 0)
    apart = abs(X[:, None, :] - X[None, :, :])
    far = apart.sum(axis=2) if metric == "cityblock" else np.sqrt((apart**2).sum(axis=2))
    same = labels[:, None] == labels
    expected = far[~same].min() / far[same].max()
    assert float(gpuval.dunn_index(X, labels, metric=metric)) == pytest.approx(expected, rel=1e-12)


@pytest.mark.usefixtures("small_tiles")
def test_small_tiles_are_many(monkeypatch):
    """That the tiles are small, and seen: a tile whose distances are wrong changes the scores."""
    seen = {products.ProductsOfGroups: [], products.Products: []}

    def spied(kind, tile):
        def of(self, prepared, columns):
            found = tile(self, prepared, columns)
            seen[kind].append(found.shape)
            return found if len(seen[kind]) != 3 else found + 1

        return of

    for kind in seen:
        monkeypatch.setattr(kind, "tile", spied(kind, kind.tile))
    wrong = wrong_of_distances(BACKENDS["numpy"], "tiny", "euclidean", 64)
    for shapes, rows, columns in zip(seen.values(), (8, 8), (8, 16), strict=True):
        assert len(shapes) > 30
        assert max(shape[0] for shape in shapes) == rows
        assert max(shape[1] for shape in shapes) == columns
    assert [what for _, _, what, _, _ in wrong if what.startswith("silhouette of")]


# ---- single cells --------------------------------------------------------------------------------


@pytest.mark.by_default(once=True)
@pytest.mark.parametrize("metric", oracles.METRICS)
@pytest.mark.parametrize("between", ["nearest", "mean_other", "furthest"])
@only_for(lambda backend: backend.finds_sizes)  # those of the groups are found
@only_for(lambda backend, between, metric: not backend.compiles or (metric, between) == ("euclidean", "mean_other"))
def test_single_cells(backend, between, metric):
    bits = 64 if backend.has_float64 else 32
    for case in ("normal",) if backend.compiles else ("normal", "far", "duplicates", "some_are_zero"):
        X, labels = cases.case(case, bits)
        given, of_each, of_batch = backend.of(X), backend.array(labels), backend.array(cases.batches(case))
        bound = allowed(backend, case, metric, bits)
        for rescale in (True, False) if case == "normal" else (True,):  # a step after the score
            options = {"rescale": rescale, "metric": metric}
            found = gpuval.silhouette_batch(given, of_each, of_batch, between_cluster_distances=between, **options)
            backend.assert_at_home(found, given)
            expected = cases.between_batches(case, metric, bits, rescale, between)
            assert off_by(float(backend.numpy(found)), expected) <= bound, (case, float(found), expected)


@pytest.mark.by_default(once=True)
@pytest.mark.parametrize("metric", oracles.METRICS)
@only_for(lambda backend: backend.finds_sizes)  # those of the groups are found
def test_cell_types(backend, metric):
    bits = 64 if backend.has_float64 else 32
    for case in ("normal",) if backend.compiles else ("normal", "far", "duplicates", "some_are_zero"):
        X, labels = cases.case(case, bits)
        given, of_each = backend.of(X), backend.array(labels)
        silhouette = cases.exact(case, "silhouette", metric, bits)
        for rescale, expected in ((True, (1 + silhouette) / 2), (False, silhouette)):
            found = gpuval.silhouette_label(given, of_each, rescale=rescale, metric=metric)
            backend.assert_at_home(found, given)
            bound = allowed(backend, case, metric, bits)
            assert off_by(float(backend.numpy(found)), expected) <= bound, (case, float(found), expected)


# ---- that the checks can fail --------------------------------------------------------------------


def test_a_value_that_is_off_is_found():
    for found, expected in (
        (1 + 1e-11, 1.0),
        (1e9 * (1 + 1e-11), 1e9),
        (np.nan, 0.0),
        (1.0, np.inf),
        (-np.inf, np.inf),
    ):
        assert off_by(found, expected) > EXACT[64]
    assert off_by(np.inf, np.inf) == 0


@pytest.mark.parametrize("case", ["far", "tight"])
def test_the_textbook_s_distances_are_found_out(monkeypatch, case):
    """|x|^2 + |y|^2 - 2 x y without a correction fails these cases."""
    monkeypatch.setattr(products, "_NEAR", {4: 0.0, 8: 0.0})
    monkeypatch.setattr(products.Products, "rows", _uncentred_rows)
    monkeypatch.setattr(products.ProductsOfGroups, "_prepare_columns", _uncentred_columns)
    wrong = wrong_of_distances(BACKENDS["numpy"], case, "euclidean", 64)
    assert {"silhouette", "dunn"} <= {what for _, _, what, _, _ in wrong}


def _uncentred_rows(self, rows):
    x, centre = self._X[rows], np.zeros(self._X.shape[1])
    return x, centre, products.row_factor(x, centre, np.float64)


def _uncentred_columns(self):
    centres = np.zeros((1, self._X.shape[1]))
    return centres, products.column_factor(self._X[self._columns], centres[0], np.float64)


@pytest.mark.parametrize("value", [np.nan, np.inf])
@only_for(lambda backend: backend.name not in ("numpy", "torch-host") and not backend.compiles)
def test_what_is_not_finite_is_nan_where_nothing_is_looked_at(backend, value):
    """With the number of clusters given, on a device: never a score that looks like one, such as 0."""
    rng = np.random.default_rng(0)
    samples, labels = rng.normal(size=(40, 5)), backend.array(np.arange(40) % 4)
    samples[21, 1] = value
    metrics = ["euclidean", "sqeuclidean", "cosine", "cityblock"]
    calls = [(f, {"metric": metric}) for metric in metrics for f in (gpuval.silhouette_score, gpuval.dunn_index)]
    calls += [(gpuval.dbcv_score, {"metric": metric}) for metric in metrics]
    calls += [(gpuval.xie_beni_index, {"separation": x}) for x in ("centres", "samples")]
    of_centres = gpuval.calinski_harabasz_score, gpuval.davies_bouldin_score, gpuval.inertia, gpuval.ball_hall_index
    calls += [(f, {}) for f in (*of_centres, gpuval.hartigan_index, gpuval.pbm_index)]
    with np.errstate(all="ignore"):
        found = {
            (f.__name__, *options.values()): float(
                backend.numpy(f(backend.array(samples), labels, n_clusters=4, **options))
            )
            for f, options in calls
        }
    assert {call: score for call, score in found.items() if not np.isnan(score)} == {}
