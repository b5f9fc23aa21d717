"""Deep embedded clustering of digits in PyTorch, with ACC, NMI and ARI of every epoch from one table.

    python examples/deep_clustering_torch.py [--epochs 10] [--pretrain 20] [--small]

The network and the loss are those of DEC (Xie, Girshick and Farhadi, ICML 2016). An autoencoder is trained first. Then
samples get soft assignments to centres in its code, and learn to become more sure of them. The data are scikit-learn's
digits, each five times, shifted by a pixel.

The accumulator counts the clusters of each batch on their device. Nothing is copied to the host before the scores are
printed. At the end the script prints the time of the evaluation as a share of an epoch. For comparison it prints the
times of scikit-learn and, if it is installed, of torchmetrics.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
import torch
from sklearn.cluster import KMeans
from sklearn.datasets import load_digits
from torch import Tensor, nn

import gpuval

CLASSES = 10
SCORES = {
    "ACC": gpuval.clustering_accuracy,
    "NMI": gpuval.normalized_mutual_info_score,
    "ARI": gpuval.adjusted_rand_score,
}


def network(widths: list[int]) -> nn.Sequential:
    """Linear layers of these widths, with ReLU between them."""
    layers: list[nn.Module] = []
    for before, after in itertools.pairwise(widths):
        layers += [nn.Linear(before, after), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


def assignments(code: Tensor, centres: Tensor) -> Tensor:
    """Soft assignments: how near each code is to each centre, by Student's t; the sum over the centres is 1."""
    near = 1 / (1 + torch.cdist(code, centres) ** 2)
    return near / near.sum(1, keepdim=True)


def sharpened(shares: Tensor) -> Tensor:
    """The targets of the assignments: their squares, divided by the cluster sizes, so that sure ones count more."""
    weight = shares**2 / shares.sum(0)
    return weight / weight.sum(1, keepdim=True)


def pretrain(encoder: nn.Module, decoder: nn.Module, data: Tensor, epochs: int, batch: int) -> None:
    """Train the autoencoder to reconstruct its input."""
    optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=1e-3)
    for _ in range(epochs):
        for part in data[torch.randperm(len(data), device=data.device)].split(batch):
            loss = nn.functional.mse_loss(decoder(encoder(part)), part)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def main(arguments: list[str] | None = None) -> dict[str, float]:
    """Train, print a line for each epoch, and return the last scores."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--pretrain", type=int, default=20)
    parser.add_argument("--small", action="store_true", help="a narrow network")
    asked = parser.parse_args(arguments)
    torch.manual_seed(0)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    digits = load_digits()
    shifted = [np.roll(digits.images, shift, axis) for shift, axis in ((0, 1), (1, 1), (-1, 1), (1, 2), (-1, 2))]
    data = torch.tensor(np.concatenate(shifted).reshape(-1, 64) / 16, dtype=torch.float32, device=device)
    labels = torch.tensor(np.tile(digits.target, len(shifted)), device=device)
    widths = [64, 32, 10] if asked.small else [64, 500, 500, 2000, 10]
    encoder, decoder = network(widths).to(device), network(widths[::-1]).to(device)
    pretrain(encoder, decoder, data, asked.pretrain, 256)

    with torch.no_grad():
        found = KMeans(CLASSES, n_init=4, random_state=0).fit(encoder(data).cpu().numpy())
    centres = nn.Parameter(torch.tensor(found.cluster_centers_, dtype=torch.float32, device=device))
    optimizer = torch.optim.SGD([*encoder.parameters(), centres], lr=0.05, momentum=0.9)

    accumulator = gpuval.Accumulator(CLASSES, CLASSES, like=labels)
    shares_of_time, scores = [], {}
    batches: list[tuple[Tensor, Tensor]] = []
    for epoch in range(asked.epochs):
        start, evaluating = time.perf_counter(), 0.0
        with torch.no_grad():
            target = sharpened(assignments(encoder(data), centres))
        accumulator.reset()
        batches.clear()
        for rows in torch.randperm(len(data), device=device).split(256):
            shares = assignments(encoder(data[rows]), centres)
            loss = nn.functional.kl_div(shares.log(), target[rows], reduction="batchmean")
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            clusters, classes = shares.argmax(1), labels[rows]
            before = time.perf_counter()
            accumulator.update(classes, clusters)
            evaluating += time.perf_counter() - before
            batches.append((clusters, classes))
        before = time.perf_counter()
        table = accumulator.table
        scores = {name: float(score(table)) for name, score in SCORES.items()}
        now = time.perf_counter()
        shares_of_time.append((evaluating + now - before) / (now - start))
        print(f"epoch {epoch}:", ", ".join(f"{name} {value:.4f}" for name, value in scores.items()), flush=True)

    epoch_time = now - start
    print(f"evaluation took {statistics.median(shares_of_time):.2%} of an epoch (median)")
    for name, seconds in others(batches).items():
        print(f"{name} would take {seconds / epoch_time:.2%} of an epoch for NMI and ARI")
    return scores


def others(batches: list[tuple[Tensor, Tensor]]) -> dict[str, float]:
    """Seconds that other libraries, if they are installed, take for NMI and ARI of all labels of an epoch."""
    calls: dict[str, Callable[[], Any]] = {}
    clusters, labels = (torch.cat(x) for x in zip(*batches, strict=True))

    def by_sklearn() -> None:
        from sklearn import metrics

        a, b = labels.cpu().numpy(), clusters.cpu().numpy()
        metrics.normalized_mutual_info_score(a, b)
        metrics.adjusted_rand_score(a, b)

    def by_torchmetrics() -> None:
        from torchmetrics.clustering import AdjustedRandScore, NormalizedMutualInfoScore

        for metric in (NormalizedMutualInfoScore(), AdjustedRandScore()):
            for batch in batches:
                metric.update(*batch)
            metric.compute()

    calls["scikit-learn"] = by_sklearn
    if find_spec("torchmetrics"):
        calls["torchmetrics"] = by_torchmetrics
    seconds = {}
    for name, call in calls.items():
        call()
        start = time.perf_counter()
        call()
        seconds[name] = time.perf_counter() - start
    return seconds


if __name__ == "__main__":
    main()
