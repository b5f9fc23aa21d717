"""Deep embedded clustering in JAX, as in deep_clustering_torch.py. One compiled function runs and scores an epoch.

python examples/deep_clustering_jax.py [--epochs 10] [--pretrain 20] [--small]
"""

from __future__ import annotations

import argparse
import itertools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits

import gpuval

CLASSES, BATCH = 10, 256
SIZE = {"n_classes": CLASSES, "n_clusters": CLASSES}
Parameters = Any


def network(key: Array, widths: list[int]) -> Parameters:
    """Random weights and zero biases of linear layers with these widths."""
    keys = jax.random.split(key, len(widths))
    pairs = itertools.pairwise(widths)
    return [
        (jax.random.normal(k, (a, b)) * jnp.sqrt(2 / a), jnp.zeros(b)) for k, (a, b) in zip(keys, pairs, strict=False)
    ]


def apply(layers: Parameters, x: Array) -> Array:
    """Linear layers with ReLU between them."""
    *first, (weight, bias) = layers
    for w, b in first:
        x = jax.nn.relu(x @ w + b)
    return x @ weight + bias


def assignments(code: Array, centres: Array) -> Array:
    """Soft assignments: how near each code is to each centre, by Student's t; the sum over the centres is 1."""
    near = 1 / (1 + ((code[:, None] - centres) ** 2).sum(-1))
    return near / near.sum(1, keepdims=True)


def sharpened(shares: Array) -> Array:
    """The targets of the assignments: their squares, divided by the cluster sizes, so that sure ones count more."""
    weight = shares**2 / shares.sum(0)
    return weight / weight.sum(1, keepdims=True)


def stepped(parameters: Parameters, gradients: Parameters, rate: float) -> Parameters:
    """One step of gradient descent."""
    return jax.tree.map(lambda x, g: x - rate * g, parameters, gradients)


@jax.jit
def pretrained(parameters: Parameters, batches: Array) -> Parameters:
    """Train the autoencoder to reconstruct its input, for one epoch."""

    def loss(parameters: Parameters, part: Array) -> Array:
        return ((apply(parameters[1], apply(parameters[0], part)) - part) ** 2).mean()

    def step(parameters: Parameters, part: Array) -> tuple[Parameters, None]:
        return stepped(parameters, jax.grad(loss)(parameters, part), 0.2), None

    return jax.lax.scan(step, parameters, batches)[0]


@jax.jit
def epoch(parameters: Parameters, data: Array, labels: Array, order: Array) -> tuple[Parameters, dict[str, Array]]:
    """An epoch of clustering, and its scores. It is compiled once, and the loop carries the table on the device."""
    target = sharpened(assignments(apply(parameters[0], data), parameters[1]))

    def loss(parameters: Parameters, rows: Array) -> tuple[Array, Array]:
        shares = assignments(apply(parameters[0], data[rows]), parameters[1])
        return (target[rows] * (jnp.log(target[rows]) - jnp.log(shares))).sum() / len(rows), shares.argmax(1)

    def step(carry: Any, rows: Array) -> tuple[Any, None]:
        parameters, table = carry
        gradients, clusters = jax.grad(loss, has_aux=True)(parameters, rows)
        table = table + gpuval.Contingency.from_labels(labels[rows], clusters, **SIZE)
        return (stepped(parameters, gradients, 0.05), table), None

    empty = gpuval.Contingency.from_labels(labels[:0], labels[:0], **SIZE)
    (parameters, table), _ = jax.lax.scan(step, (parameters, empty), order)
    scores = {
        "NMI": gpuval.normalized_mutual_info_score(table),
        "ARI": gpuval.adjusted_rand_score(table),
        "purity": gpuval.purity_score(table),
    }
    return parameters, scores


def main(arguments: list[str] | None = None) -> dict[str, float]:
    """Train, print a line for each epoch, and return the last scores."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--pretrain", type=int, default=20)
    parser.add_argument("--small", action="store_true", help="a narrow network")
    asked = parser.parse_args(arguments)
    digits = load_digits()
    data, labels = jnp.asarray(digits.data / 16, dtype=jnp.float32), jnp.asarray(digits.target)
    widths = [64, 32, 10] if asked.small else [64, 500, 500, 2000, 10]
    keys = jax.random.split(jax.random.key(0), 2)
    both = [network(keys[0], widths), network(keys[1], widths[::-1])]
    rng = np.random.default_rng(0)

    def order() -> Array:
        return jnp.asarray(rng.permutation(len(data))[: len(data) // BATCH * BATCH].reshape(-1, BATCH))

    for _ in range(asked.pretrain):
        both = pretrained(both, data[order()])
    codes = np.asarray(apply(both[0], data))
    centres = jnp.asarray(KMeans(CLASSES, n_init=4, random_state=0).fit(codes).cluster_centers_)
    parameters, scores = [both[0], centres], {}
    for number in range(asked.epochs):
        parameters, found = epoch(parameters, data, labels, order())
        scores = {name: float(value) for name, value in found.items()}
        print(f"epoch {number}:", ", ".join(f"{name} {value:.4f}" for name, value in scores.items()), flush=True)
    return scores


if __name__ == "__main__":
    main()
