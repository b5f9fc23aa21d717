"""Training and evaluation in several processes: each sees a share of the samples, all get the scores of all.

torchrun --nproc-per-node 2 examples/many_processes_torch.py [--epochs 3]
"""

from __future__ import annotations

import argparse
import os

import torch
import torch.distributed as dist
from sklearn.datasets import load_digits
from torch import nn
from torch.nn.parallel import DistributedDataParallel

import gpuval


def main(arguments: list[str] | None = None) -> None:
    """Train on a share of the digits. The first process prints the scores of all digits."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=3)
    asked = parser.parse_args(arguments)
    rank = dist.get_rank()
    device = torch.device("cuda" if dist.get_backend() == "nccl" else "cpu")
    torch.manual_seed(0)
    digits = load_digits()
    share = slice(rank, None, dist.get_world_size())  # shares may have different lengths
    data = torch.tensor(digits.data[share] / 16, dtype=torch.float32, device=device)
    labels = torch.tensor(digits.target[share], device=device)

    model = DistributedDataParallel(nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10)).to(device))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    accumulator = gpuval.Accumulator(n_classes=10, n_clusters=10, like=labels)
    for epoch in range(asked.epochs):
        accumulator.reset()
        for part, target in zip(data.split(128), labels.split(128), strict=True):
            scores = model(part)
            loss = nn.functional.cross_entropy(scores, target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            accumulator.update(target, scores.argmax(1))
        table = accumulator.all_reduce().table
        nmi, ari = gpuval.normalized_mutual_info_score(table), gpuval.adjusted_rand_score(table)
        if rank == 0:
            print(f"epoch {epoch}: {int(table.total)} samples, NMI {float(nmi):.4f}, ARI {float(ari):.4f}", flush=True)


if __name__ == "__main__":
    local = int(os.environ["LOCAL_RANK"])  # set by torchrun
    on_gpus = torch.cuda.device_count() >= int(os.environ["LOCAL_WORLD_SIZE"])
    if on_gpus:
        torch.cuda.set_device(local)
    dist.init_process_group("nccl" if on_gpus else "gloo")
    main()
    dist.destroy_process_group()
    if not on_gpus:  # threads of Gloo may abort a process whose interpreter ends: pytorch/pytorch#179291
        os._exit(0)
