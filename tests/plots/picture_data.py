"""What the pictures show: the same samples each time, by arithmetic and seeded draws."""

from __future__ import annotations

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
