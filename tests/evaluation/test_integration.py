"""The scores of an integration: each that of its measure, their means, and what is said of those without a value."""

from __future__ import annotations

import math
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from only_for import only_for
from packages import pd
from wrong_calls import assert_raises, wrong_calls

import gpuval
from gpuval import IntegrationScores, integration_scores
from gpuval.evaluation.k_means import k_means

RNG = np.random.default_rng(3)
N, K, B = 240, 4, 3
SHARES = {2: 0.9, 4: 0.7, 7: 0.6}
"""Of clusterings of so many clusters how many cells go by their label."""
CODES = RNG.permutation(np.arange(N) % K)
LABEL = np.asarray(["B", "DC", "NK", "T"])[CODES]
BATCH = RNG.integers(0, B, N)
BATCH[CODES == 2] %= 2  # a label that one batch is without
BEFORE = RNG.normal(size=(N, 6)) + 2.5 * RNG.normal(size=(K, 6))[CODES] + 2 * RNG.normal(size=(B, 6))[BATCH]
X = BEFORE[:, :4] - 1.5 * RNG.normal(size=(B, 4))[BATCH]
FAR = np.sqrt(((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2))
INDICES = np.argsort(FAR, axis=1, kind="stable")[:, :90]
DISTANCES = np.take_along_axis(FAR, INDICES, axis=1)
NEIGHBORS = gpuval.Neighbors.from_knn(INDICES, DISTANCES)
SWEEP = {f"{k}": np.where(RNG.random(N) < share, CODES * k // K, RNG.integers(0, k, N)) for k, share in SHARES.items()}

BIO = ("Isolated labels", "KMeans NMI", "KMeans ARI", "Silhouette label", "cLISI")
CORRECTION = ("BRAS", "iLISI", "KBET", "Graph connectivity", "PCR comparison")
"""The names of scib-metrics 0.5.10, ``benchmark/_core.py``, ``metric_name_cleaner``, in the order of its fields."""


def scores(**options):
    return integration_scores(X, BATCH, LABEL, **{"neighbors": NEIGHBORS, "unintegrated": BEFORE} | options)


# ---- each score ----------------------------------------------------------------------------------


def test_each_is_that_of_its_measure():
    found = scores()
    clusters = k_means(X, K, 0)
    expected = {
        "Isolated labels": gpuval.isolated_labels_score(LABEL, BATCH, X=X),
        "KMeans NMI": gpuval.normalized_mutual_info_score(LABEL, clusters),
        "KMeans ARI": gpuval.adjusted_rand_score(LABEL, clusters),
        "Silhouette label": gpuval.silhouette_label(X, LABEL),
        "cLISI": gpuval.clisi_score(NEIGHBORS, LABEL),
        "BRAS": gpuval.silhouette_batch(X, LABEL, BATCH, metric="cosine", between_cluster_distances="mean_other"),
        "iLISI": gpuval.ilisi_score(NEIGHBORS, BATCH),
        "KBET": gpuval.kbet_score(NEIGHBORS.nearest(49), BATCH, labels=LABEL),
        "Graph connectivity": gpuval.graph_connectivity_score(NEIGHBORS.nearest(14), LABEL),
        "PCR comparison": gpuval.pcr_comparison_score(BEFORE, X, BATCH),
    }
    assert tuple(expected) == (*BIO, *CORRECTION)
    for name, value in expected.items():
        assert found[name] == pytest.approx(float(value), rel=1e-13), name
        assert type(found[name]) is np.float64
    assert found.left_out == {}


def test_names_and_groups_are_those_of_scib_metrics():
    found = scores()
    assert found.groups == {"Bio conservation": BIO, "Batch correction": CORRECTION}
    assert list(found) == [*BIO, *CORRECTION, "Bio conservation", "Batch correction", "Total"]
    assert len(found) == 13


def test_means_and_total():
    found = scores()
    bio, batch = (sum(found[name] for name in names) / 5 for names in (BIO, CORRECTION))
    assert found["Bio conservation"] == pytest.approx(bio, rel=1e-15)
    assert found["Batch correction"] == pytest.approx(batch, rel=1e-15)
    assert found["Total"] == pytest.approx(0.6 * bio + 0.4 * batch, rel=1e-15)


def test_options():
    strong = scores(connection="strong")
    direct = gpuval.graph_connectivity_score(NEIGHBORS.nearest(14), LABEL, connection="strong")
    assert strong["Graph connectivity"] == pytest.approx(float(direct), rel=1e-15)
    few = scores(n_neighbors=(5, 9, 20))
    for name, direct in (
        ("Graph connectivity", gpuval.graph_connectivity_score(NEIGHBORS.nearest(5), LABEL)),
        ("KBET", gpuval.kbet_score(NEIGHBORS.nearest(9), BATCH, labels=LABEL)),
        ("iLISI", gpuval.ilisi_score(NEIGHBORS.nearest(20), BATCH)),
    ):
        assert few[name] == pytest.approx(float(direct), rel=1e-13)
    level = scores(alpha=0.5)
    direct = gpuval.kbet_score(NEIGHBORS.nearest(49), BATCH, labels=LABEL, alpha=0.5)
    assert level["KBET"] == pytest.approx(float(direct), rel=1e-15)
    every = scores(most_batches=3)["Isolated labels"]
    direct = gpuval.isolated_labels_score(LABEL, BATCH, X=X, most_batches=3)
    assert every == pytest.approx(float(direct), rel=1e-15)


def test_scores_of_each_label():
    found = scores().by_label
    assert list(found) == ["Isolated labels", "Silhouette label", "cLISI", "BRAS", "KBET", "Graph connectivity"]
    direct = {
        "Isolated labels": gpuval.isolated_labels_score(LABEL, BATCH, X=X, return_per_label=True),
        "Silhouette label": gpuval.silhouette_label(X, LABEL, return_per_label=True),
        "cLISI": gpuval.clisi_score(NEIGHBORS, LABEL, return_per_label=True),
        "KBET": gpuval.kbet_score(NEIGHBORS.nearest(49), BATCH, labels=LABEL, return_per_label=True),
        "Graph connectivity": gpuval.graph_connectivity_score(NEIGHBORS.nearest(14), LABEL, return_per_label=True),
    }
    for name, expected in direct.items():
        assert list(found[name]) == expected.labels.tolist(), name
        np.testing.assert_allclose([*found[name].values()], expected.label_scores, rtol=1e-13)
    assert list(found["Isolated labels"]) == ["NK"]
    assert list(found["BRAS"]) == ["B", "DC", "NK", "T"]
    assert all(type(x) is float for values in found.values() for x in values.values())
    assert pd.DataFrame(found).shape == (K, 6)


def test_clusterings_that_are_given():
    """Of several that with the largest NMI, whose ARI may be none of the largest."""
    nmi = {name: gpuval.normalized_mutual_info_score(LABEL, x) for name, x in SWEEP.items()}
    best = max(nmi, key=nmi.get)
    for given in (SWEEP, list(SWEEP.values()), pd.DataFrame(SWEEP)):
        found = scores(clusterings=given)
        assert found.groups["Bio conservation"][1:3] == ("Clustering NMI", "Clustering ARI")
        assert found["Clustering NMI"] == nmi[best]
        assert found["Clustering ARI"] == gpuval.adjusted_rand_score(LABEL, SWEEP[best])
    assert len({*nmi.values()}) == len(nmi)


def test_one_clustering_that_is_given():
    one = SWEEP["4"]
    expected = scores(clusterings=[one])
    for given in (one, one.tolist(), pd.Series(one), torch.asarray(one)):
        labels = (torch.asarray(x) for x in (BATCH, CODES)) if isinstance(given, torch.Tensor) else (BATCH, LABEL)
        found = integration_scores(X, *labels, neighbors=NEIGHBORS, unintegrated=BEFORE, clusterings=given)
        assert float(found["Clustering ARI"]) == expected["Clustering ARI"]
        assert float(found["Clustering NMI"]) == expected["Clustering NMI"]


def test_numbers_of_neighbours_in_any_sequence():
    expected = scores(n_neighbors=(5, 9, 20)).to_dict()
    for given in ([5, 9, 20], np.asarray([5, 9, 20]), pd.Series([5, 9, 20]), torch.asarray([5, 9, 20])):
        assert scores(n_neighbors=given).to_dict() == expected


@pytest.mark.parametrize("kind", ["frame", "mapping", "one"])
def test_the_index_of_clusterings_is_that_of_the_labels(kind):
    names = [f"c{i}" for i in range(N)]
    label, sweep = pd.Series(LABEL, names), pd.DataFrame(SWEEP, names)

    def scored(sweep):
        given = {"frame": sweep, "mapping": {"4": sweep["4"]}, "one": sweep["4"]}[kind]
        return integration_scores(X, BATCH, label, neighbors=NEIGHBORS, clusterings=given)

    assert scored(sweep)["Clustering NMI"] <= scores(clusterings=SWEEP)["Clustering NMI"]
    name = {"frame": "clusterings['2']", "mapping": "clusterings['4']", "one": "clusterings"}[kind]
    with pytest.raises(ValueError) as raised:
        scored(sweep.iloc[::-1])
    assert str(raised.value) == (
        f"label and {name} must have the same index, got 'c0' and 'c239' at position 0; align the Series, or pass "
        "their .to_numpy()"
    )


def test_tensors_give_tensors():
    given = (torch.asarray(x) for x in (X, BATCH, CODES))
    neighbors = gpuval.Neighbors.from_knn(torch.asarray(INDICES), torch.asarray(DISTANCES))
    found = integration_scores(*given, neighbors=neighbors, unintegrated=torch.asarray(BEFORE))
    for name, value in scores().items():
        assert type(found[name]) is torch.Tensor, name
        assert float(found[name]) == pytest.approx(value, rel=1e-9), name
    mixed = integration_scores(torch.asarray(X), BATCH, LABEL, neighbors=NEIGHBORS)
    assert {type(x) for x in mixed.values()} == {torch.Tensor}


@only_for(lambda backend: backend.lists_cells and (backend.has_float64 or not backend.compiles))
def test_arrays_of_any_library(backend):
    """Also where labels and neighbours are on the host, and where the device has no 64 bits."""
    arrays = backend.array(X), backend.array(BATCH), backend.array(CODES)
    options = {"neighbors": NEIGHBORS, "unintegrated": backend.array(BEFORE)}
    for given in (arrays, (arrays[0], BATCH, LABEL)):
        found = integration_scores(*given, **options)
        for name, value in scores().items():
            backend.assert_at_home(found[name], arrays[0])
            assert float(backend.numpy(found[name])) == pytest.approx(value, abs=1e-9 if backend.has_float64 else 1e-4)


def test_labels_and_neighbours_of_any_kind():
    expected = scores().to_dict()
    frame = pd.DataFrame({"type": pd.Categorical(LABEL), "batch": BATCH.astype(str)}, index=[f"c{i}" for i in range(N)])
    cells = pd.DataFrame(X, index=frame.index)
    for neighbors in (NEIGHBORS, (INDICES, DISTANCES), (INDICES[:, 1:], DISTANCES[:, 1:])):
        found = integration_scores(
            cells, frame["batch"], frame["type"], neighbors=neighbors, unintegrated=pd.DataFrame(BEFORE, frame.index)
        )
        for name, value in found.to_dict().items():
            assert value == pytest.approx(expected[name], rel=1e-9), name


# ---- without a value -----------------------------------------------------------------------------


def test_without_the_cells_before():
    found = scores(unintegrated=None)
    assert found.left_out == {"PCR comparison": "needs the cells before the integration: unintegrated="}
    assert math.isnan(found["PCR comparison"])
    whole = scores()
    assert found["Batch correction"] == pytest.approx(sum(whole[name] for name in CORRECTION[:4]) / 4, rel=1e-15)
    assert found["Bio conservation"] == whole["Bio conservation"]


def test_where_no_label_is_isolated():
    batch = BATCH.copy()
    batch[np.flatnonzero(CODES == 2)[0]] = 2
    found = integration_scores(X, batch, LABEL, neighbors=NEIGHBORS, unintegrated=BEFORE)
    assert found.left_out == {"Isolated labels": "no label is isolated: all are in all batches"}
    assert found["Bio conservation"] == pytest.approx(sum(found[name] for name in BIO[1:]) / 4, rel=1e-15)


@pytest.mark.parametrize("clusterings", [None, {"one": np.zeros(N, dtype=int)}])
def test_one_label_says_nothing_of_clusters(clusterings):
    """Which any cells have: NMI and ARI are left out, and no mean is perfect for them."""
    found = integration_scores(
        X, np.arange(N) % 2, np.zeros(N, dtype=int), clusterings=clusterings, neighbors=NEIGHBORS
    )
    for name in ("NMI", "ARI"):
        name = f"{'KMeans' if clusterings is None else 'Clustering'} {name}"
        assert math.isnan(found[name])
        assert found.left_out[name] == "needs two labels"
    assert math.isnan(found["Bio conservation"])


def test_labels_of_one_cell_each():
    """Each is in one batch of two, so all are isolated: what they have not is a silhouette."""
    found = integration_scores(X, np.arange(N) % 2, np.arange(N), neighbors=NEIGHBORS, unintegrated=BEFORE)
    assert found.left_out["Isolated labels"] == "needs two labels, and a label of two cells"
    assert found.left_out["Silhouette label"] == "needs two labels, and a label of two cells"


def test_labels_without_neighbours_of_their_own():
    """Each label has many cells of both batches, but no cell a neighbour of its label: kBET tests none."""
    codes = np.arange(12) % 2
    indices = np.asarray([[j for j in range(12) if j % 2 != i % 2][:3] for i in range(12)])
    found = integration_scores(
        X[:12], np.arange(12) // 6, codes, neighbors=(indices, np.ones((12, 3))), n_neighbors=(3, 3, 3)
    )
    assert found.left_out["KBET"] == (
        "needs a label with cells of two batches, and enough neighbours of this label for a test"
    )


def test_one_batch_has_no_correction():
    found = integration_scores(X, ["x"] * N, LABEL, neighbors=NEIGHBORS)
    assert {"Isolated labels", "BRAS", "iLISI", "KBET", "PCR comparison"} == set(found.left_out)
    assert found["Batch correction"] == found["Graph connectivity"]
    with_cells_before = integration_scores(X, ["x"] * N, LABEL, neighbors=NEIGHBORS, unintegrated=BEFORE)
    assert with_cells_before["Batch correction"] == found["Batch correction"]
    assert math.isnan(with_cells_before["PCR comparison"])
    for scores in (found, with_cells_before):
        assert scores.left_out["PCR comparison"] == scores.left_out["iLISI"] == "needs two batches"


def test_one_label():
    found = integration_scores(X, BATCH, ["B"] * N, neighbors=NEIGHBORS, unintegrated=BEFORE)
    assert {"Isolated labels", "Silhouette label", "cLISI", "KMeans NMI", "KMeans ARI"} == set(found.left_out)


# ---- searches ------------------------------------------------------------------------------------


def nearest(cells, k):
    return INDICES[:, :k], DISTANCES[:, :k]


def test_the_search_is_exact_by_default():
    expected = scores()
    for options in ({}, {"neighbors": "exact"}):
        found = integration_scores(X, BATCH, LABEL, unintegrated=BEFORE, **options)
        for name, value in expected.items():
            assert found[name] == pytest.approx(value, rel=1e-9), name


def test_a_function_that_searches():
    asked = []

    def search(cells, k):
        asked.append((cells.shape, k))
        return nearest(cells, k)

    assert scores(neighbors=search).to_dict() == scores().to_dict()
    few = scores(neighbors=search, n_neighbors=(2, 7, 5))
    assert few.to_dict() == scores(n_neighbors=(2, 7, 5)).to_dict()
    assert asked == [(X.shape, 90), (X.shape, 8)]


def test_a_search_of_tensors_on_the_host():
    found = integration_scores(torch.asarray(X, requires_grad=True), torch.asarray(BATCH), torch.asarray(CODES))
    assert float(found["cLISI"]) == pytest.approx(float(scores()["cLISI"]), rel=1e-9)


def test_a_search_by_name_is_not_on_a_device():
    from backends import as_on_a_device

    with (
        as_on_a_device(),
        pytest.raises(TypeError, match=r"^neighbors must not be the name .* if X is on a device, got 'exact'; "),
    ):
        integration_scores(torch.asarray(X), torch.asarray(BATCH), torch.asarray(CODES))


def test_a_search_finds_itself_as_a_neighbour_or_not():
    without = scores(neighbors=lambda cells, k: (INDICES[:, 1:], DISTANCES[:, 1:]))
    assert without.to_dict() == scores().to_dict()


AT_FEW_PLACES = {
    "the place of the label": np.eye(K)[CODES],
    "one place": np.ones((N, 3)),
    "the origin": np.zeros((N, 20)),
    "a place or none": np.where(np.arange(N)[:, None] < 200, 1.0, X),
}


@pytest.mark.parametrize("places", AT_FEW_PLACES)
def test_a_search_where_many_cells_are_at_one_place(places):
    """It finds the first of the cells of a place for all of these: few cells are among their own."""
    cells = AT_FEW_PLACES[places]
    far = np.sqrt(((cells[:, None, :] - cells[None, :, :]) ** 2).sum(axis=2))
    indices = np.argsort(far, axis=1, kind="stable")[:, :40]
    found = indices, np.take_along_axis(far, indices, axis=1)
    n_own = (indices == np.arange(N)[:, None]).any(axis=1).sum()
    assert 0 < n_own < N
    options = {"unintegrated": BEFORE, "n_neighbors": (5, 20, 39)}
    expected = integration_scores(
        cells, BATCH, LABEL, neighbors=gpuval.Neighbors.from_knn(*found, has_self=True), **options
    )
    by_function = integration_scores(cells, BATCH, LABEL, neighbors=lambda cells, k: found, **options)
    assert by_function.to_dict() == pytest.approx(expected.to_dict(), nan_ok=True)
    exact = integration_scores(cells, BATCH, LABEL, **options)
    assert exact.left_out == expected.left_out
    assert exact["cLISI"] == pytest.approx(expected["cLISI"], abs=0.3)  # others of equal cells are among its neighbours


def test_neighbours_of_places_that_are_given_as_a_matrix():
    graph = pytest.importorskip("sklearn.neighbors").kneighbors_graph
    cells = np.ones((N, 3))
    found = integration_scores(
        cells, BATCH, LABEL, neighbors=lambda cells, k: graph(cells, k, mode="distance", include_self=True)
    )
    assert 0 <= found["cLISI"] <= 1


@pytest.mark.parametrize("factor", [2.0**532, 2.0**700, 2.0**-600])
def test_the_exact_search_of_cells_whose_squares_are_no_floats(factor):
    found, expected = (integration_scores(cells, BATCH, LABEL) for cells in (X * factor, X))
    for name in ("cLISI", "iLISI", "KBET", "Graph connectivity"):
        assert found[name] == pytest.approx(expected[name], rel=1e-9), name
    narrow = integration_scores((X * 2.0**90).astype(np.float32), BATCH, LABEL)
    assert narrow["iLISI"] == pytest.approx(expected["iLISI"], rel=1e-4)


@pytest.mark.parametrize("factor", [2.0**532, 2.0**100, 1.0, 2.0**-600])
def test_pynndescent_is_given_cells_that_have_squares_in_32_bits(monkeypatch, factor):
    given = []

    class NNDescent:
        def __init__(self, cells, **options):
            given.append(cells)
            self.neighbor_graph = nearest(cells, options["n_neighbors"])

    monkeypatch.setitem(sys.modules, "pynndescent", SimpleNamespace(NNDescent=NNDescent))
    integration_scores(X * factor, BATCH, LABEL, neighbors="pynndescent")
    cells = given[0].astype(np.float32)
    ratio = cells[0, 0] / X[0, 0]
    assert math.frexp(float(np.abs(cells).max()))[1] in range(-40, 42)
    np.testing.assert_allclose(cells, X * ratio, rtol=1e-6)


TOLD_BEFORE = {
    "connection": ({"connection": "strnog"}, r"^connection must be one of 'weak', 'strong', got 'strnog'$"),
    "alpha": ({"alpha": 2}, r"^alpha must be above 0 and below 1, got 2$"),
    "alpha, no number": ({"alpha": "a"}, r"^alpha must be a number, got 'a'$"),
    "most_batches": ({"most_batches": "a"}, r"^most_batches must be a positive integer, got 'a'$"),
    "few most_batches": ({"most_batches": 1}, r"^most_batches must be at least the number of batches of one label"),
    "random_state": ({"random_state": "a"}, r"^random_state must be a seed or a generator of NumPy, got 'a'$"),
    "clusterings": ({"clusterings": [CODES[:3]]}, r"^clusterings\[0\] must have as many samples as label"),
    "unintegrated": ({"unintegrated": np.full((N, 2), np.nan)}, r"^unintegrated must be finite, got nan in row 0"),
    "shape": ({"unintegrated": BEFORE[:, 0]}, r"^unintegrated must be two-dimensional"),
    "number": ({"unintegrated": BEFORE[:9]}, r"^batch must have as many samples as unintegrated \(9\), got 240$"),
    "library": ({"unintegrated": torch.asarray(BEFORE)}, r"^unintegrated and X must be of one array library"),
    "cells": ({"X": X + np.where(np.arange(N) == 2, np.inf, 0)[:, None]}, r"^X must be finite, got inf in row 2, "),
}


@pytest.mark.parametrize("case", TOLD_BEFORE)
def test_what_is_wrong_is_told_before_a_search(case):
    def search(cells, k):
        raise AssertionError("it was called")

    options, message = TOLD_BEFORE[case]
    with pytest.raises((TypeError, ValueError), match=message):
        integration_scores(**{"X": X, "batch": BATCH, "label": LABEL, "neighbors": search} | options)


@pytest.mark.parametrize(
    ("library", "options"), [("tqdm.auto", {"progress": True, "neighbors": None}), ("sklearn.neighbors", {})]
)
def test_what_is_not_installed_is_told_before_other_work(monkeypatch, library, options):
    monkeypatch.setitem(sys.modules, library, None)
    monkeypatch.setattr("gpuval.evaluation.integration.scores_of_embedding", None)
    with pytest.raises(ImportError, match=r'needs .*: pip install "gpuval\[(progress|integration)\]"$'):
        integration_scores(X, BATCH, LABEL, **{"neighbors": "exact"} | options)


# ---- what is shown -------------------------------------------------------------------------------


def test_the_table():
    shown = repr(IntegrationScores({"a": 0.5, "longer": math.nan}, {"b": 0.25}, {"longer": "needs more"}))
    assert shown.splitlines() == [
        "Bio conservation  0.500  █████░░░░░",
        "  a               0.500  █████░░░░░",
        "  longer              –  needs more",
        "Batch correction  0.250  ██░░░░░░░░",
        "  b               0.250  ██░░░░░░░░",
        "Total             0.400  ████░░░░░░",
    ]


def test_a_group_without_a_score_has_no_mean():
    found = IntegrationScores({"a": math.nan}, {"b": 1.0}, {"a": "is missing"})
    assert math.isnan(found["Bio conservation"])
    assert math.isnan(found["Total"])
    assert found["Batch correction"] == 1


def test_a_frame_of_several_embeddings():
    series = scores().to_pandas()
    assert list(series.index) == list(scores())
    frame = pd.DataFrame({"one": series, "other": scores(unintegrated=None).to_pandas()})
    assert frame.shape == (13, 2)
    assert math.isnan(frame.loc["PCR comparison", "other"])
    assert all(type(x) is float for x in scores().to_dict().values())


# ---- k-means -------------------------------------------------------------------------------------


def test_k_means_is_as_good_as_that_of_scikit_learn():
    from sklearn.cluster import KMeans  # only here: a machine with a GPU may have none

    for k in (2, 4, 9):
        clusters = k_means(X, k, 0)
        inertia = sum(((X[clusters == x] - X[clusters == x].mean(axis=0)) ** 2).sum() for x in range(k))
        assert inertia <= 1.02 * KMeans(k, n_init=10, random_state=0).fit(X).inertia_
        assert len(set(clusters.tolist())) == k


def test_k_means_by_its_seed():
    assert np.array_equal(k_means(X, 9, 1), k_means(X, 9, 1))
    assert np.array_equal(k_means(X, 9, 1), k_means(X, 9, np.random.default_rng(1)))
    before = X.copy()
    k_means(X, 3, None)
    assert np.array_equal(X, before)


def test_k_means_far_from_the_origin_and_of_equal_cells():
    clusters = k_means((X + 1e6).astype(np.float64), K, 0)
    assert gpuval.adjusted_rand_score(clusters, k_means(X, K, 0)) == 1
    assert set(k_means(np.ones((7, 2)), 3, 0).tolist()) <= {0, 1, 2}


@pytest.mark.parametrize("factor", [1e300, 1e200, 1e160, 1e153, 1e-160, 1e-300])
def test_k_means_of_numbers_whose_squares_are_no_floats(factor):
    # by powers of two, which change no digit
    factor = 2.0 ** round(math.log2(factor))
    assert np.array_equal(k_means(X * factor, K, 0), k_means(X, K, 0))


def test_k_means_of_the_largest_floats():
    largest = np.finfo(np.float64).max
    cells = np.asarray([[-largest, 1.0], [-largest, 2.0], [largest, 1.0], [largest, 2.0]] * 3)
    clusters = k_means(cells, 2, 0)
    assert gpuval.adjusted_rand_score(cells[:, 0] > 0, clusters) == 1


def test_scores_of_huge_cells():
    factor = 2.0**532
    found = integration_scores(X * factor, BATCH, LABEL, neighbors=NEIGHBORS, unintegrated=BEFORE * factor)
    for name, value in scores().items():
        assert found[name] == pytest.approx(value, rel=1e-9), name


# ---- bad input -----------------------------------------------------------------------------------

ADATA = type("AnnData", (), {"obsm": {"X_pca": X}, "shape": X.shape, "__len__": lambda self: N})()

GRAPH = gpuval.Neighbors.from_connectivities((np.ones(N), np.arange(N), np.arange(N + 1)))

WRONG = """
integration_scores(X, BATCH, LABEL[:9], neighbors=NEIGHBORS)
    ValueError: batch must have as many samples as label (9), got 240
integration_scores(X[:9], BATCH, LABEL, neighbors=NEIGHBORS)
    ValueError: label must have as many samples as X (9), got 240
integration_scores(X[:, 0], BATCH, LABEL, neighbors=NEIGHBORS)
    ValueError: X must be two-dimensional, (n_samples, n_features), got shape (240,); X[:, None] makes it one feature
integration_scores(X, BATCH, X[:, 0], neighbors=NEIGHBORS)
    ValueError: label must hold whole numbers, got FIRST; continuous values are no labels
integration_scores(X, [None] + [1] * 239, LABEL, neighbors=NEIGHBORS)
    ValueError: batch must not have missing labels (NaN, None), got 1 of 240
integration_scores(X, BATCH, [None] + [*LABEL[1:]], neighbors=NEIGHBORS)
    ValueError: label must not have missing labels (NaN, None), got 1 of 240
integration_scores(X, BATCH, LABEL, neighbors=NEIGHBORS, clusterings=[[None] + [1] * 239])
    ValueError: clusterings[0] must not have missing labels (NaN, None), got 1 of 240
integration_scores(X, BATCH, LABEL, neighbors=NEIGHBORS, clusterings=np.stack([CODES, CODES], axis=1))
    TypeError: clusterings must be a mapping or a sequence of label vectors, got ndarray of shape (240, 2); give its
    columns, list(clusterings.T)
integration_scores(np.ma.masked_equal(X, X[0, 0]), BATCH, LABEL, neighbors=NEIGHBORS)
    TypeError: X must have no masked values, got 1 of 960
integration_scores(X[:0], [], [], neighbors=NEIGHBORS)
    ValueError: X must have at least one cell, got shape (0, 4)
integration_scores(ADATA, BATCH, LABEL, neighbors=NEIGHBORS)
    TypeError: X must be an array of samples and features, got AnnData; give what is to be measured, such as
    adata.obsm["X_pca"]
integration_scores(X, BATCH, LABEL, neighbors=NEIGHBORS, n_neighbors=np.asarray([5, 9]))
    TypeError: n_neighbors must be three numbers, for the graph connectivity, kBET and LISI, got array([5, 9])
integration_scores(X, BATCH, LABEL, neighbors=NEIGHBORS, n_neighbors=np.asarray([5.0, 9.0, 20.0]))
    TypeError: n_neighbors must be a positive integer, got 5.0
integration_scores(X, BATCH, LABEL, neighbors=NEIGHBORS.nearest(20))
    ValueError: neighbors must have 89 nearest neighbours of each cell, without itself, got 20; a smaller n_neighbors is
    possible, and changes the scores
integration_scores(X[:60], BATCH[:60], LABEL[:60])
    ValueError: X must have more than 89 cells to search for the 89 nearest neighbours of each, got 60; a smaller
    n_neighbors is possible, and changes the scores
integration_scores(X, BATCH, LABEL, neighbors=([[1, 2], [0, 2], [0, 1]], [[1.0, 2]] * 3))
    ValueError: neighbors must have as many samples as X (240), got 3
integration_scores(X, BATCH, LABEL, neighbors="exakt")
    ValueError: neighbors must be one of 'exact', 'pynndescent', got 'exakt'
integration_scores(X, BATCH, LABEL, neighbors=(INDICES, DISTANCES[:, :5]))
    ValueError: neighbors.distances must have the shape of neighbors.indices (240, 90), got (240, 5)
integration_scores(X, BATCH, LABEL, neighbors=lambda cells, k: (np.full((N, k), -1), DISTANCES))
    ValueError: neighbors.indices must be from 0 to below the number of samples (240), got -1 (21600 of 21600 entries
    are not); in some searches -1 stands for a neighbour that was not found
integration_scores(X, BATCH, LABEL, neighbors=gpuval.Neighbors.from_knn(INDICES))
    ValueError: neighbors must have distances for LISI, got indices alone
integration_scores(X, BATCH, LABEL, neighbors=GRAPH)
    ValueError: neighbors must have nearest neighbours, got a graph of connectivities only
integration_scores(X, BATCH, LABEL, neighbors=3)
    TypeError: neighbors must be a Neighbors, a pair (indices, distances), a sparse matrix, or an object with the
    attributes indices and distances, or distances and connectivities (such as AnnData's obsp), got int
integration_scores(X, BATCH, LABEL, neighbors=NEIGHBORS, n_neighbors=15)
    TypeError: n_neighbors must be three numbers, for the graph connectivity, kBET and LISI, got 15
integration_scores(X, BATCH, LABEL, neighbors=NEIGHBORS, n_neighbors=(0, 1, 1))
    ValueError: n_neighbors must be a positive integer, got 0
integration_scores(X, BATCH, LABEL, neighbors=NEIGHBORS, connection="both")
    ValueError: connection must be one of 'weak', 'strong', got 'both'
integration_scores(X, BATCH, LABEL, neighbors=NEIGHBORS, clusterings=[CODES[:3]])
    ValueError: clusterings[0] must have as many samples as label (240), got 3
integration_scores(X, BATCH, LABEL, neighbors=NEIGHBORS, unintegrated=X[:9])
    ValueError: batch must have as many samples as unintegrated (9), got 240
integration_scores(X, BATCH, LABEL, neighbors=NEIGHBORS, unintegrated=np.where(X == X[0, 0], np.nan, X))
    ValueError: unintegrated must be finite, got nan in row 0, column 0
integration_scores(np.where(X == X[0, 0], np.nan, X), BATCH, LABEL, neighbors=NEIGHBORS)
    ValueError: X must be finite, got nan in row 0, column 0
integration_scores(X, BATCH, LABEL, neighbors=NEIGHBORS, random_state="a")
    TypeError: random_state must be a seed or a generator of NumPy, got 'a'
integration_scores(X, BATCH, LABEL, neighbors=NEIGHBORS, most_batches=1)
    ValueError: most_batches must be at least the number of batches of one label (2), got 1; on_degenerate='nan' gives
    NaN
"""


@pytest.mark.parametrize(("call", "error"), wrong_calls(WRONG))
def test_a_wrong_call_raises_one_clear_error(call, error):
    first = next(x for x in X[:, 0].tolist() if x % 1)
    assert_raises(call, error.replace("FIRST", repr(first)), globals())
