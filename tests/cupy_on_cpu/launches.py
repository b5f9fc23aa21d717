"""How many kernels, copies and waits each public function takes on CuPy arrays, as the driver counts them.

``python tests/cupy_on_cpu/launches.py`` prints the table of ``benchmarks/results``.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import cupy_on_cpu
import numpy as np

import gpuval
from gpuval import intervals, multilabel, ranking

Call = Callable[[], Any]
N, D = 300, 4
SIZES = {"n_classes": 5, "n_clusters": 5, "n_labels": 5, "n_batches": 3, "n_categories": 3}
"""What a function is told of its arrays, so that it need not look."""

NOT_COUNTED = {
    *("compare_many_scores", "compare_scores", "report"),  # several evaluations
    *("integration_scores", "random_tables"),  # of neighbors that are found on the host, and of sizes there
}


def arguments(xp: Any) -> dict[str, Any]:
    """By the names of parameters: what functions are given, as arrays of a library."""
    rng = np.random.default_rng(1)
    true, pred, batch = (rng.permutation(np.arange(N) % k) for k in (5, 4, 3))
    X, low = rng.normal(size=(N, D)), rng.random(N)
    given = {
        "labels_true": true,
        "labels_pred": pred,
        "labels": true,
        "X": X,
        "X_before": X,
        "X_after": X + 1,
        "batch": batch,
        "covariate": batch,
        "first": np.argsort(rng.random((10, 30)), axis=1),
        "second": np.argsort(rng.random((10, 30)), axis=1),
        "y_true": rng.integers(0, 2, (N, 3)),
        "y_score": rng.random((N, 3)),
        "y_pred": rng.integers(0, 2, (N, 3)),
        "true_intervals": np.stack([low, low + 0.5], axis=1),
        "pred_intervals": np.stack([low + 0.1, low + 0.3], axis=1),
    }
    graph = rng.random(2 * N), rng.integers(0, N, 2 * N), np.arange(0, 2 * N + 1, 2)
    neighbors = rng.integers(0, N, (N, 9)), np.sort(rng.random((N, 9)), axis=1)
    arrays = {name: xp.asarray(x) for name, x in given.items()}
    return arrays | {
        "graph": tuple(map(xp.asarray, graph)),
        "neighbors": tuple(map(xp.asarray, neighbors)),
        "labelings": [arrays["labels_pred"], arrays["batch"]],
        "metrics": ["adjusted_rand_score"],
    }


def calls(xp: Any) -> Iterator[tuple[str, bool, Call]]:
    """Each public function by its name, whether it is told the sizes of what it is given, and a call of it."""
    arrays = arguments(xp)
    for module in (gpuval, ranking, multilabel, intervals):
        for name in module.__all__:
            function = getattr(module, name)
            if not inspect.isfunction(function) or name in NOT_COUNTED:
                continue
            parameters = inspect.signature(function).parameters
            given = {x: arrays[x] for x in parameters if x in arrays and not _is_left_out(x, parameters)}
            sizes = {x: SIZES[x] for x in parameters if x in SIZES} if module is gpuval else {}
            full_name = name if module is gpuval else f"{module.__name__.partition('.')[2]}.{name}"
            yield full_name, False, lambda function=function, given=given: function(**given)
            if sizes:
                yield full_name, True, lambda function=function, given=given, sizes=sizes: function(**given, **sizes)


def _is_left_out(name: str, parameters: Any) -> bool:
    """What has a default, and is not needed beside what else a function takes."""
    if name == "metrics":
        return parameters[name].default is None
    if name == "X":
        return "labels_true" in parameters
    return name == "y_pred" and "y_score" in parameters or name == "labels" and "batch" in parameters and parameters[name].default is None


def counted(call: Call) -> Counter[str]:
    """What a call takes of the device when its kernels are compiled and its constants are there."""
    for _ in range(2):
        cupy_on_cpu.forget()
        call()
        found = cupy_on_cpu.counts()
    return found + Counter({"kernels of CuPy": sum(not x.startswith("gpuval::") for x in cupy_on_cpu.launched())})
