"""The kernels of the package as instances: for which types their templates are compiled and run in tests."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

from gpuval.engines.cuda.kernels import plain_kernels

WIDTHS = ["u8", "u16", "u32", "u64"]
PAIRS = [*((a, a) for a in WIDTHS), ("u8", "u32"), ("u16", "u64"), ("u32", "u16"), ("u64", "u8")]
"""Every width on either side, twice; the wider one on the left and on the right."""


def instances(pairs: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """All kernels by their files; those of two label vectors for these pairs of widths."""
    both = [", ".join(pair) for pair in pairs]
    return {
        "joint": [
            *(f"gpuval::joint_shared<{pair}, {w}>" for pair in both for w in ("gpuval::One", "u64", "double")),
            *(f"gpuval::joint_global<{pair}>" for pair in both),
            *(f"gpuval::joint_global_sums<{pair}, {w}>" for pair in both for w in ("gpuval::One", "u64", "double")),
        ],
        "cached": [f"gpuval::joint_cached<{pair}>" for pair in both],
        "listed": [f"gpuval::list_cells<{pair}>" for pair in both],
        "limits": [f"gpuval::{name}<{pair}>" for pair in both for name in ("limits", "furthest")],
        "keys": [
            *(f"gpuval::{name}<{pair}>" for pair in both for name in ("bucket_sizes", "deal_keys")),
            *(f"gpuval::keys_of<{pair}, {key}>" for pair in both for key in ("u32", "u64")),
        ],
        "runs": [f"gpuval::{name}<{key}>" for name in ("count_runs", "write_runs") for key in ("u32", "u64")],
        "distances": [
            *(f"gpuval::cluster_means<{', '.join(x)}>" for x in itertools.product(*KINDS, ("gpuval::One", "double"))),
            *(f"gpuval::cluster_extremes<{', '.join(x)}>" for x in itertools.product(*KINDS)),
        ],
        "trees": [f"gpuval::{name}<{x}>" for name in ("core_distances", "trees", "separations") for x in KINDS[1]],
        **{file: list(plain_kernels(file)) for file in ("margins", "pairs", "information", "expected", "overlaps")},
    }


KINDS = ("float", "double"), ("gpuval::Euclidean", "gpuval::Cityblock")
"""The types and the distances of the kernels of points."""
