"""Definitions of the measures of samples and their clusters, slow and plain, in 60 digits.

They are loops over samples, in the order in which the papers say it, and neither import nor resemble the library. Sums,
and sums of products, are exact until they are rounded once (``fsum`` and ``fdot`` of mpmath: the quickest way). The
numbers of the samples are taken exactly as they are: those of float32 as they stand in float32. A sample with the label
None does not count.

Weights have two meanings. Integers are copies: ``repeated`` makes them, and the definitions then know of no weights.
Real ones are shares: a mean is a weighted one, and a sample's own weight is not among those it is compared with.
"""

from __future__ import annotations

import functools
from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np
from oracles import mp

Number = Any
Matrix = list[list[Number]]
Label = Hashable

METRICS = ("euclidean", "sqeuclidean", "cosine", "correlation", "cityblock")


def exact(X: Any) -> Matrix:
    """Samples, or precomputed distances, as numbers that have lost nothing."""
    return [[mp.mpf(x) for x in row] for row in np.asarray(X).tolist()]


def repeated(X: Any, labels: Sequence[Label], weights: Sequence[int]) -> tuple[Any, list[Label]]:
    """Each sample as many times as it weighs."""
    rows = [i for i, weight in enumerate(weights) for _ in range(weight)]
    return np.asarray(X)[rows], [labels[i] for i in rows]


# ---- distances -----------------------------------------------------------------------------------


def distance(x: Sequence[Number], y: Sequence[Number], metric: str) -> Number:
    """The distance of two samples."""
    if metric == "correlation":
        return distance(about_their_mean(x), about_their_mean(y), "cosine")
    apart = [a - b for a, b in zip(x, y, strict=True)] if metric != "cosine" else []
    if metric == "cityblock":
        return mp.fsum(apart, absolute=True)
    if metric == "sqeuclidean":
        return mp.fsum(apart, squared=True)
    if metric == "euclidean":
        return mp.sqrt(mp.fsum(apart, squared=True))
    assert metric == "cosine"
    lengths = mp.sqrt(mp.fsum(x, squared=True) * mp.fsum(y, squared=True))
    return 1 - mp.fdot(x, y) / lengths if lengths else mp.mpf(1)


def about_their_mean(x: Sequence[Number]) -> list[Number]:
    """The features less their mean, times their number: of floats nothing is rounded, and equal ones give 0."""
    total = mp.fsum(x)
    return [len(x) * a - total for a in x]


def distances(X: Any, metric: str) -> Matrix:
    """All of them; 0 from each sample to itself. The same samples, as all backends have them, get the same matrix."""
    return _distances(tuple(map(tuple, np.asarray(X).tolist())), metric)


@functools.lru_cache(maxsize=32)
def _distances(X: tuple[tuple[float, ...], ...], metric: str) -> Matrix:
    rows = exact(X)
    if metric == "correlation":
        rows, metric = [about_their_mean(x) for x in rows], "cosine"
    found = [[mp.mpf(0)] * len(rows) for _ in rows]
    for i, x in enumerate(rows):
        for j in range(i):
            found[i][j] = found[j][i] = distance(x, rows[j], metric)
    return found


def members(labels: Sequence[Label]) -> dict[Label, list[int]]:
    """The samples of each cluster."""
    found: dict[Label, list[int]] = {}
    for i, label in enumerate(labels):
        if label is not None:
            found.setdefault(label, []).append(i)
    return found


# ---- silhouettes ---------------------------------------------------------------------------------


def mean(values: Sequence[Number], weights: Sequence[Number] | None = None) -> Number:
    """The mean of some values, each with its weight."""
    if weights is None:
        return mp.fsum(values) / len(values)
    return mp.fdot(zip(weights, values, strict=True)) / mp.fsum(weights)


def silhouettes(
    D: Matrix, labels: Sequence[Label], weights: Sequence[float] | None = None, between: str = "nearest"
) -> list[Number]:
    """The silhouette of each sample (Rousseeuw 1987, page 56); None for samples that do not count.

    ``between`` is what a cluster of its own is compared with: the other cluster that is "nearest" in the mean, the one
    that is "furthest", or all samples of other clusters, "mean_other" (Rautenstrauch and Ohler 2025).
    """
    w = [mp.mpf(1)] * len(labels) if weights is None else [mp.mpf(x) for x in weights]
    labels = [None if w[i] == 0 else label for i, label in enumerate(labels)]
    clusters = members(labels)
    found: list[Number] = []
    for i, label in enumerate(labels):
        if label is None:
            found.append(None)
            continue
        own = [j for j in clusters[label] if j != i]
        others = {other: rows for other, rows in clusters.items() if other != label}
        if not own or not others:
            found.append(mp.mpf(0))
            continue
        a = mean([D[i][j] for j in own], [w[j] for j in own])
        if between == "mean_other":
            rows = [j for rows in others.values() for j in rows]
            b = mean([D[i][j] for j in rows], [w[j] for j in rows])
        else:
            means = [mean([D[i][j] for j in rows], [w[j] for j in rows]) for rows in others.values()]
            b = min(means) if between == "nearest" else max(means)
        larger = max(a, b)
        found.append((b - a) / larger if larger else mp.mpf(0))
    return found


def silhouette(D: Matrix, labels: Sequence[Label], weights: Sequence[float] | None = None) -> Number:
    """The mean of the silhouettes."""
    values = silhouettes(D, labels, weights)
    rows = [i for i, value in enumerate(values) if value is not None]
    w = None if weights is None else [mp.mpf(weights[i]) for i in rows]
    return mean([values[i] for i in rows], w)


def silhouettes_by_label(
    D: Matrix, labels: Sequence[Label], batch: Sequence[Label], between: str = "nearest"
) -> dict[Label, list[Number]]:
    """The silhouettes of the batches among the cells of each label alone.

    Labels of one batch, and labels each of whose cells is of a batch of its own, have none.
    """
    found: dict[Label, list[Number]] = {}
    for label, rows in members(labels).items():
        batches = [batch[i] for i in rows]
        has_none = len(set(batches)) == 1 or len(set(batches)) == len(rows)
        found[label] = [] if has_none else silhouettes([[D[i][j] for j in rows] for i in rows], batches, None, between)
    return found


def silhouette_batch(
    D: Matrix, labels: Sequence[Label], batch: Sequence[Label], rescale: bool = True, between: str = "nearest"
) -> Number | None:
    """For each label the mean over its cells of what |s| of the batches is short of 1; then the mean over labels.

    Labels of which no cell has a silhouette are left out; None if all are.
    """
    by_label = silhouettes_by_label(D, labels, batch, between).values()
    means = [mean([1 - abs(s) if rescale else abs(s) for s in values]) for values in by_label if values]
    return mean(means) if means else None


# ---- centres and scatters ------------------------------------------------------------------------


def centre(rows: Sequence[Sequence[Number]], weights: Sequence[Number]) -> list[Number]:
    """The mean of some samples."""
    return [mean(column, weights) for column in zip(*rows, strict=True)]


def _clusters(
    X: Any, labels: Sequence[Label], weights: Sequence[float] | None
) -> list[tuple[list[list[Number]], list[Number]]]:
    rows = exact(X)
    w = [mp.mpf(1)] * len(rows) if weights is None else [mp.mpf(x) for x in weights]
    labels = [None if w[i] == 0 else label for i, label in enumerate(labels)]
    return [([rows[i] for i in of], [w[i] for i in of]) for of in members(labels).values()]


def calinski_harabasz(X: Any, labels: Sequence[Label], weights: Sequence[float] | None = None) -> Number:
    """(B / (k - 1)) / (W / (n - k)); n is how many samples there are, whatever they weigh; 1 if W = 0."""
    clusters = _clusters(X, labels, weights)
    k, n = len(clusters), sum(len(rows) for rows, _ in clusters)
    everywhere = centre([x for rows, _ in clusters for x in rows], [x for _, w in clusters for x in w])
    between, within = mp.mpf(0), mp.mpf(0)
    for rows, w in clusters:
        m = centre(rows, w)
        between += sum(w) * distance(m, everywhere, "sqeuclidean")
        within += mp.fdot((weight, distance(x, m, "sqeuclidean")) for x, weight in zip(rows, w, strict=True))
    return (between / (k - 1)) / (within / (n - k)) if within else mp.mpf(1)


def davies_bouldin(X: Any, labels: Sequence[Label], weights: Sequence[float] | None = None) -> Number:
    """The mean over clusters of the largest (s_i + s_j) / |m_i - m_j|; clusters with one mean have none."""
    clusters = _clusters(X, labels, weights)
    means = [centre(rows, w) for rows, w in clusters]
    radii = [mean([distance(x, m, "euclidean") for x in rows], w) for m, (rows, w) in zip(means, clusters, strict=True)]
    largest = []
    for i, m in enumerate(means):
        likeness = [mp.mpf(0)]
        for j, other in enumerate(means):
            apart = distance(m, other, "euclidean")
            if i != j and apart > mp.mpf(10) ** -50 * max(map(abs, m)):  # what 60 digits leave of 0
                likeness.append((radii[i] + radii[j]) / apart)
        largest.append(max(likeness))
    return mean(largest)


# ---- the Dunn index ------------------------------------------------------------------------------


def dunn(D: Matrix, labels: Sequence[Label]) -> Number:
    """The smallest distance between clusters over the largest within one; infinity for x/0, and 0 for 0/0."""
    counted = [i for i, label in enumerate(labels) if label is not None]
    between = min(D[i][j] for i in counted for j in counted if labels[i] != labels[j])
    within = max(D[i][j] for i in counted for j in counted if labels[i] == labels[j])
    if within:
        return between / within
    return mp.inf if between else mp.mpf(0)


# ---- sums of squares -----------------------------------------------------------------------------


def inertias(X: Any, labels: Sequence[Label], weights: Sequence[float] | None = None) -> dict[Label, Number]:
    """Of each label the sum of the squared distances of its samples to their mean."""
    found = {}
    for label in members(labels):
        only = [x if x == label else None for x in labels]
        for rows, w in _clusters(X, only, weights):
            m = centre(rows, w)
            found[label] = mp.fdot((weight, distance(x, m, "sqeuclidean")) for x, weight in zip(rows, w, strict=True))
    return found


def inertia(X: Any, labels: Sequence[Label], weights: Sequence[float] | None = None) -> Number:
    """The sum over the labels."""
    return sum(inertias(X, labels, weights).values(), mp.mpf(0))


def ball_hall(X: Any, labels: Sequence[Label], weights: Sequence[float] | None = None) -> Number:
    """The mean over the clusters of the mean square."""
    masses = [sum(w) for _, w in _clusters(X, labels, weights)]
    return mean([x / mass for x, mass in zip(inertias(X, labels, weights).values(), masses, strict=True)])


def hartigan(X: Any, labels: Sequence[Label], weights: Sequence[float] | None = None) -> Number:
    """ln(B / W): infinite where one of both is 0, and 0 where both are."""
    clusters = _clusters(X, labels, weights)
    m = centre([x for rows, _ in clusters for x in rows], [x for _, w in clusters for x in w])
    between = sum(sum(w) * distance(centre(rows, w), m, "sqeuclidean") for rows, w in clusters)
    within = inertia(X, labels, weights)
    if between and within:
        return mp.log(between / within)
    return mp.inf if between else -mp.inf if within else mp.mpf(0)


def xie_beni(
    X: Any, labels: Sequence[Label], weights: Sequence[float] | None = None, separation: str = "centres"
) -> Number:
    """The mean square over the least square between two centres, or between two samples of different clusters."""
    clusters = _clusters(X, labels, weights)
    places = [[centre(*x)] if separation == "centres" else x[0] for x in clusters]
    pairs = [(x, y) for i, some in enumerate(places) for x in some for others in places[:i] for y in others]
    apart = min(_squared_unless_one(x, y) for x, y in pairs)
    mass = sum(sum(w) for _, w in clusters)
    return inertia(X, labels, weights) / mass / apart if apart else mp.inf


def _squared_unless_one(x: Sequence[Number], y: Sequence[Number]) -> Number:
    """The square of the distance of two places; 0 for what 60 digits leave of 0."""
    found = distance(x, y, "sqeuclidean")
    return found if found > mp.mpf(10) ** -100 * max(map(abs, [*x, *y])) ** 2 else mp.mpf(0)


def xie_beni_of_samples(X: Any, labels: Sequence[Label], weights: Sequence[float] | None = None) -> Number:
    """As the R package clusterCrit has it."""
    return xie_beni(X, labels, weights, "samples")


def pbm(X: Any, labels: Sequence[Label], weights: Sequence[float] | None = None) -> Number:
    """((E_1 / E_K) D / K)^2; infinity for E_K = 0, and 0 where D is 0, too."""
    clusters = _clusters(X, labels, weights)

    def from_centre(rows: Matrix, w: Sequence[Number]) -> Number:
        m = centre(rows, w)
        return mp.fdot((weight, distance(x, m, "euclidean")) for x, weight in zip(rows, w, strict=True))

    means = [centre(rows, w) for rows, w in clusters]
    of_one = from_centre([x for rows, _ in clusters for x in rows], [x for _, w in clusters for x in w])
    of_clusters = sum(from_centre(rows, w) for rows, w in clusters)
    apart = max(distance(x, y, "euclidean") for x in means for y in means)
    if not of_clusters:
        return mp.inf if apart else mp.mpf(0)
    return (of_one / of_clusters * apart / len(clusters)) ** 2


# ---- density-based validation --------------------------------------------------------------------


def dbcv_of_labels(D: Matrix, labels: Sequence[Label], n_features: int) -> dict[Label, Number]:
    """The validity of each cluster of two samples or more (Moulavi et al. 2014); 0 of a single one.

    The spanning tree is Prim's: it begins with the first sample, and of all edges from a sample u in it to another v
    takes the least by (length, v, u).
    """
    clusters = {label: rows for label, rows in members(labels).items() if len(rows) > 1}
    if len(clusters) < 2:
        return dict.fromkeys(clusters, mp.mpf(0))
    core: dict[int, Number] = {}
    inner: dict[Label, list[int]] = {}
    sparseness: dict[Label, Number] = {}

    def reach(i: int, j: int) -> Number:
        return max(D[i][j], core[i], core[j])

    for label, rows in clusters.items():
        for i in rows:
            powers = [D[i][j] ** -n_features for j in rows if j != i and D[i][j] != 0]
            core[i] = (mp.fsum(powers) / (len(rows) - 1)) ** (mp.mpf(-1) / n_features) if powers else mp.mpf(0)
        tree, edges = [rows[0]], []
        while len(tree) < len(rows):
            length, v, u = min((reach(u, v), v, u) for u in tree for v in rows if v not in tree)
            tree.append(v)
            edges.append((u, v, length))
        ends = [i for u, v, _ in edges for i in (u, v)]
        inner[label] = [i for i in rows if ends.count(i) > 1] or rows
        between_inner = [length for u, v, length in edges if ends.count(u) > 1 and ends.count(v) > 1]
        sparseness[label] = max(between_inner or [length for _, _, length in edges])
    found = {}
    for label, some in inner.items():
        strangers = [j for other, rows in inner.items() if other != label for j in rows]
        separation = min(reach(i, j) for i in some for j in strangers)
        larger = max(separation, sparseness[label])
        found[label] = (separation - sparseness[label]) / larger if larger else mp.mpf(0)
    return found


def dbcv(D: Matrix, labels: Sequence[Label], n_features: int) -> Number:
    """Their mean, each cluster by its share of all samples, with those that do not count."""
    found = dbcv_of_labels(D, labels, n_features)
    sizes = {label: len(rows) for label, rows in members(labels).items()}
    return sum((sizes[label] * value for label, value in found.items()), mp.mpf(0)) / max(1, len(labels))


# ---- principal component regression --------------------------------------------------------------


def principal_component_regression(
    X: Any,
    covariate: Sequence[Any],
    kind: str = "categorical",
    n_components: int | None = None,
    weights: Sequence[float] | None = None,
) -> Number:
    """sum_c v_c R_c^2 / sum_c v_c over the principal components c; 0 for 0/0. Cells of the value None do not count.

    Each component is the projection of the cells on an eigenvector of their covariance, and R^2 is what a regression of
    its coordinates leaves less of their variance: on the means of the categories, or on a line.
    """
    w = [mp.mpf(1)] * len(covariate) if weights is None else [mp.mpf(x) for x in weights]
    rows = [i for i, value in enumerate(covariate) if value is not None and w[i] != 0]
    points = exact(X)
    cells, w, z = [points[i] for i in rows], [w[i] for i in rows], [covariate[i] for i in rows]
    explained = whole = mp.mpf(0)
    for along in _principal_components(tuple(map(tuple, cells)), tuple(w))[:n_components]:
        explained += _explained(along, z, w, kind)
        whole += mp.fdot(w, [x * x for x in along])
    largest = max(map(abs, centre(cells, w)))
    return explained / whole if whole > mp.mpf(10) ** -50 * max(1, largest) else mp.mpf(0)


@functools.cache  # for all covariates and numbers of components: to find the eigenvectors takes longest
def _principal_components(cells: tuple[tuple[Number, ...], ...], w: tuple[Number, ...]) -> list[list[Number]]:
    """The coordinates of the cells along each component, that of the largest variance first."""
    middle = centre(cells, w)
    apart = [[a - b for a, b in zip(x, middle, strict=True)] for x in cells]
    if len(apart) < len(middle):  # in axes of the space that they span, which are a rotation away
        apart = mp.qr(mp.matrix(apart).T, mode="skinny")[1].T.tolist()
    columns = list(zip(*apart, strict=True))
    weighted = [[v * a for v, a in zip(w, column, strict=True)] for column in columns]
    variances, directions = mp.eigsy(mp.matrix([[mp.fdot(x, y) for y in columns] for x in weighted]))
    in_order = sorted(range(len(columns)), key=lambda c: -variances[c])
    return [[mp.fdot(x, directions.column(c)) for x in apart] for c in in_order]


def _explained(along: Sequence[Number], z: Sequence[Any], w: Sequence[Number], kind: str) -> Number:
    """The scatter of the fitted values about the mean, which is 0."""
    if kind == "categorical":
        groups = members(z).values()
        return sum(sum(w[i] for i in of) * mean([along[i] for i in of], [w[i] for i in of]) ** 2 for of in groups)
    z = [mp.mpf(x) for x in z]
    middle = mean(z, w)
    about = [v * (x - middle) for v, x in zip(w, z, strict=True)]
    spread = mp.fdot(about, [x - middle for x in z])
    product = mp.fdot(about, along)
    return product**2 / spread if spread else mp.mpf(0)


def isolated_labels(labels: Sequence[Label], batch: Sequence[Label], most_batches: int | None = None) -> list[Label]:
    """The labels that are in the fewest batches, or in no more than some."""
    counted = [(x, y) for x, y in zip(labels, batch, strict=True) if x is not None and y is not None]
    number = {x: len({z for y, z in counted if y == x}) for x, _ in counted}
    most = min(number.values()) if most_batches is None else most_batches
    return sorted(x for x in number if number[x] <= most)


def best_f(labels: Sequence[Label], clusters: Sequence[Label], label: Label) -> Number:
    """The largest F1 of a label against one cluster: of precision and recall, 0 where nothing is shared."""
    found = mp.mpf(0)
    of_label = [i for i, x in enumerate(labels) if x == label and clusters[i] is not None]
    for rows in members([y if x is not None else None for x, y in zip(labels, clusters, strict=True)]).values():
        shared = mp.mpf(len(set(rows) & set(of_label)))
        if shared:
            precision, recall = shared / len(rows), shared / len(of_label)
            found = max(found, 2 * precision * recall / (precision + recall))
    return found
