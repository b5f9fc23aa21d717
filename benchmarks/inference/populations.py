"""Populations of which the true score is known, and samples of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import xlogy

from benchmarks.workloads import NDArray


class Population(NamedTuple):
    """The share of each class and cluster, shape (n_classes, n_clusters), and how many samples a data set has."""

    name: str
    shares: NDArray
    n_samples: int


def noisy(sizes: list[float], noise: float) -> NDArray:
    """Clusters that are the classes, but for a share of samples whose cluster is drawn without a look at the class."""
    p = np.asarray(sizes)
    return (1 - noise) * np.diag(p) + noise * np.outer(p, p)


def equal(n_groups: int, score: float) -> NDArray:
    """Classes of equal sizes, with so much noise that the adjusted Rand index is ``score``: (1 - noise)^2."""
    return noisy([1 / n_groups] * n_groups, 1 - score**0.5)


POPULATIONS = (
    Population("3 x 3, ARI 0.36", equal(3, 0.36), 100),
    Population("3 x 3, ARI 0.90", equal(3, 0.90), 100),
    Population("20 x 20, ARI 0.36", equal(20, 0.36), 200),
    Population("50 x 50, ARI 0.25", equal(50, 0.25), 200),
    Population("4 x 4, sizes 0.6 0.25 0.1 0.05", noisy([0.6, 0.25, 0.1, 0.05], 0.4), 200),
)


def adjusted_rand(shares: NDArray) -> float:
    """The adjusted Rand index of a population: pairs are of two samples that are drawn from it."""
    both, true, pred = ((x**2).sum() for x in (shares, shares.sum(axis=1), shares.sum(axis=0)))
    return float((both - true * pred) / ((true + pred) / 2 - true * pred))


def normalized_information(shares: NDArray) -> float:
    """NMI of a population; AMI, too, as what is expected by chance is nothing there."""
    true, pred, joint = (-xlogy(x, x).sum() for x in (shares.sum(axis=1), shares.sum(axis=0), shares))
    return float((true + pred - joint) / ((true + pred) / 2))


class Donors(NamedTuple):
    """Donors that differ: each has its own share of noise, and its own sizes of classes (a Dirichlet distribution)."""

    n_donors: int = 20
    n_samples: int = 100
    n_classes: int = 4
    concentration: float = 2.0
    """Of the Dirichlet distribution: how alike the donors are."""
    noise: tuple[float, float] = (0.05, 0.75)

    def shares(self) -> NDArray:
        """The population: E[1 - noise] diag(E p) + E[noise] E[p p^T], with p of the Dirichlet distribution."""
        k, alpha, noise = self.n_classes, self.concentration, sum(self.noise) / 2
        products = (alpha**2 + np.eye(k) * alpha) / (k * alpha * (k * alpha + 1))
        return (1 - noise) * np.eye(k) / k + noise * products

    def drawn(self, random: np.random.Generator) -> tuple[NDArray, NDArray, NDArray]:
        """The true label, the predicted one and the donor of each sample."""
        labels, k = [], self.n_classes
        for _ in range(self.n_donors):
            shares = noisy(list(random.dirichlet([self.concentration] * k)), random.uniform(*self.noise))
            labels.append(np.repeat(np.arange(k * k), random.multinomial(self.n_samples, shares.reshape(-1))))
        true, pred = np.divmod(np.concatenate(labels), k)
        return true, pred, np.repeat(np.arange(self.n_donors), self.n_samples)
