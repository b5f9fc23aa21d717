"""What the pictures show: the same samples each time, by arithmetic and seeded draws."""

from __future__ import annotations

import math

import numpy as np

import gpuval

CELL_TYPES = ("B cell", "CD4 T", "CD8 T", "NK", "monocyte", "dendritic", "platelet", "plasma")


def clusterings(n_classes, n_clusters, seed=0, n_samples=None):
    """Labels of classes of falling sizes, and of clusters of which some are halves, and some are two classes in one."""
    random = np.random.default_rng(seed)
    n_samples = n_samples or 200 * n_classes
    sizes = 1.0 / np.arange(2, n_classes + 2) ** 0.7
    true = random.choice(n_classes, n_samples, p=sizes / sizes.sum())
    at = true * n_clusters / n_classes + random.choice([0.0, 0.49], n_samples) * (n_clusters > n_classes)
    strays = random.random(n_samples) < 0.12
    pred = np.where(strays, random.integers(0, n_clusters, n_samples), at.astype(int))
    names = np.array(
        [CELL_TYPES[i] if i < len(CELL_TYPES) and n_classes <= 8 else f"cell type {i}" for i in range(n_classes)]
    )
    return names[random.permutation(n_classes)][true], random.permutation(n_clusters)[pred]


def sweep(n_labelings, by=False, named="leiden_{:.1f}", **options):
    """A comparison of labelings that split ever more of the truth, the best of which is in the middle."""
    random = np.random.default_rng(1)
    true = random.integers(0, 12, 3000)
    labelings = {}
    for i, number in enumerate(np.linspace(0.2, 3.0, n_labelings)):
        k = max(2, round(12 * number / 1.2))
        at = true * k / 12 + random.random(3000) * max(0.0, k / 12 - 0.4)
        wrong = random.random(3000) < 0.05 + 0.04 * random.random()
        name = named.format(number) if "{" in named else f"{named} {'abcdefghij'[i % 10]}{'klmnop'[i // 10 % 6]}-{i}x"
        labelings[name] = np.where(wrong, random.integers(0, k, 3000), at.astype(int))
    batches = np.array(["Paris", "Rome", "Oslo", "Bern"])[random.integers(0, 4, 3000)] if by is True else by
    more = {} if by is False else {"by": batches}
    return gpuval.compare(true, labelings, ["ari", "ami", "homogeneity", "completeness", "vi"], **more, **options)


def similar_labelings(n, n_samples=1200):
    """Labelings of three families."""
    random = np.random.default_rng(2)
    families = [random.integers(0, 8, n_samples) for _ in range(3)]
    found = {}
    for i in range(n):
        labels = families[i % 3].copy()
        wrong = random.random(n_samples) < 0.1 + 0.5 * random.random()
        labels[wrong] = random.integers(0, 8, wrong.sum())
        found[f"{('leiden', 'k-means', 'Louvain')[i % 3]} {i}"] = labels
    return found


def blobs(k, per_cluster=60, seed=3):
    """Samples about k centres, some near each other, and their clusters."""
    random = np.random.default_rng(seed)
    centres = random.normal(0, 3.0, (k, 4))
    sizes = np.maximum(per_cluster * random.random(k) * 2, 6).astype(int)
    labels = np.repeat(np.arange(k), sizes)
    X = centres[labels] + random.normal(0, 0.9, (len(labels), 4))
    return X, np.array([f"cluster {i}" for i in range(k)])[labels]


def labelings_of(n_levels=5, n_samples=3000, n_classes=9, seed=0, most=None):
    """Classes, and labelings that split ever more of them."""
    random = np.random.default_rng(seed)
    sizes = 1.0 / np.arange(2, n_classes + 2) ** 0.7
    true = random.choice(n_classes, n_samples, p=sizes / sizes.sum())
    labelings = {}
    for i, k in enumerate(np.linspace(3, most or 1.6 * n_classes, n_levels).astype(int)):
        at = (true + random.random(n_samples) * 0.5) * k / (n_classes + 1)
        wrong = random.random(n_samples) < 0.05
        labelings[f"leiden_{0.2 * (i + 1):.1f}"] = np.where(wrong, random.integers(0, k, n_samples), at.astype(int))
    return np.array([f"type {i}" for i in range(n_classes)])[true], labelings


def islands(n=600, n_classes=6, n_clusters=8, seed=0):
    """Places about centres, their classes, and clusters that are those but for some samples, two of them halves."""
    random = np.random.default_rng(seed)
    centres = random.normal(0, 6, (n_classes, 2))
    sizes = 1.0 / np.arange(1, n_classes + 1) ** 0.7
    true = random.choice(n_classes, n, p=sizes / sizes.sum())
    pred = np.where((true < n_clusters - n_classes) & (random.random(n) < 0.4), true + n_classes, true)
    pred = np.where(random.random(n) < 0.1, random.integers(0, n_clusters, n), pred)
    names = np.array([f"type {'abcdefghijklmnopqrstuvwxyz'[i % 26]}{i // 26 or ''}" for i in range(n_classes)])
    return centres[true] + random.normal(0, 1, (n, 2)), names[true], pred


BIO = ("Isolated labels", "KMeans NMI", "KMeans ARI", "Silhouette label", "cLISI")
BATCH = ("BRAS", "iLISI", "KBET", "Graph connectivity", "PCR comparison")
NAMES = ("scVI", "Harmony", "Scanorama", "BBKNN", "LIGER", "unintegrated")
BIO_VALUES = [
    [0.62, 0.78, 0.71, 0.58, 0.99],
    [0.60, 0.74, 0.62, 0.55, 0.99],
    [0.63, 0.72, 0.60, 0.56, 0.98],
    [0.55, 0.70, 0.55, math.nan, 0.97],
    [0.48, 0.60, 0.44, 0.50, 0.95],
    [0.57, 0.73, 0.58, 0.54, 0.99],
]
BATCH_VALUES = [
    [0.72, 0.38, 0.52, 0.95, 0.71],
    [0.70, 0.44, 0.46, 0.92, 0.66],
    [0.60, 0.21, 0.31, 0.88, 0.52],
    [math.nan, 0.49, 0.40, 0.93, math.nan],
    [0.66, 0.47, 0.50, 0.80, 0.74],
    [0.41, 0.04, 0.09, 0.76, 0.00],
]
NO_COORDINATES = "it gives a graph, no coordinates"


def scores_of(names, bio, batch):
    found = {}
    for name, *values in zip(names, bio, batch, strict=True):
        parts = [dict(zip(keys, map(float, x), strict=True)) for keys, x in zip((BIO, BATCH), values, strict=True)]
        left_out = {key: NO_COORDINATES for part in parts for key, x in part.items() if math.isnan(x)}
        found[name] = gpuval.IntegrationScores(*parts, left_out)
    return found


def integrations(n=6):
    """Scores of ``n`` methods, the last of which is no integration, and the fourth of which has no coordinates."""
    if n == 6:
        return scores_of(NAMES, BIO_VALUES, BATCH_VALUES)
    random = np.random.default_rng(2)
    bio, batch = random.random((n, 5)) * 0.5 + 0.4, random.random((n, 5)) * 0.8 + 0.1
    batch[3:4, 0] = math.nan
    return scores_of([*(f"method {i}" for i in range(n - 1)), "unintegrated"], bio, batch)


def stabilities(n_settings=7, n_runs=8, n_samples=2000):
    """Runs of ever more clusters, of which all but eight are cut anew each time; a fifth of samples is left out."""
    random = np.random.default_rng(4)
    at = random.uniform(0, 8, n_samples)
    runs = {}
    for i in range(n_settings):
        k = 4 + 3 * i
        for run in range(n_runs):
            fixed = np.arange(1, min(k, 8)) * 8 / min(k, 8)
            edges = np.sort([*fixed, *random.uniform(0, 8, max(0, k - 8))])
            labels = np.searchsorted(edges, at + random.normal(0, 0.05, n_samples)).astype(float)
            labels[random.random(n_samples) < 0.2] = np.nan
            runs[round(0.2 + 0.3 * i, 1), run] = labels
    return gpuval.stability(runs, random_state=0)
