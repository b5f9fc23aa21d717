"""How many kernels, copies and waits each public function takes on CuPy arrays, as the driver counts them.

``python tests/cupy_on_cpu/launches.py`` prints the table of ``benchmarks/results``.
"""

from __future__ import annotations

import inspect
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[1]))

import cupy_on_cpu
import gpuval
from gpuval import intervals, multilabel, ranking

Call = Callable[[], Any]
N, D, N_NEIGHBORS = 300, 4, 9
SIZES = {"n_classes": 5, "n_clusters": 5, "n_labels": 5, "n_batches": 3, "n_categories": 3}
"""What a function is told of its arrays, so that it need not look."""

NOT_COUNTED = {
    *("compare_many_scores", "compare_scores", "report", "stability"),  # several evaluations
    *("repeat_clustering", "gap_statistic", "prediction_strength"),  # mostly the user's function
    *("integration_scores", "random_tables"),  # of neighbours that are found on the host, and of sizes there
}
_OTHER = inspect.Parameter("other", inspect.Parameter.KEYWORD_ONLY)
LEFT_OUT = {
    "gpuval.compare": {"X"},
    "gpuval.evaluate": {"X"},
    "gpuval.cohen_kappa_score": {"labels"},
    "gpuval.kbet_samples": {"labels", "n_labels"},
    "gpuval.kbet_score": {"labels", "n_labels"},
    "gpuval.isolated_labels_score": {"n_clusters"},
}
"""Optional arguments that stay away."""


def arguments(xp: Any) -> dict[str, Any]:
    """By the names of parameters: what functions are given, as arrays of a library."""
    rng = np.random.default_rng(1)
    true, pred, batch = (rng.permutation(np.arange(N) % k) for k in (5, 4, 3))
    X, low = rng.normal(size=(N, D)), rng.random(N)
    rankings = (np.argsort(rng.random((10, 30)), axis=1) for _ in range(2))
    arrays = {
        "labels_true": true,
        "labels_pred": pred,
        "labels": true,
        "X": X,
        "X_before": X,
        "X_after": X + 1,
        "batch": np.where(true == 0, 0, batch),  # a label of one batch is isolated
        "covariate": batch,
        **dict(zip(("first", "second"), rankings, strict=True)),
        "y_true": rng.integers(0, 2, (N, 3)),
        "y_score": rng.random((N, 3)),
        "y_pred": rng.integers(0, 2, (N, 3)),
        "true_intervals": np.stack([low, low + 0.5], axis=1),
        "pred_intervals": np.stack([low + 0.1, low + 0.3], axis=1),
        **dict(zip(("x", "y"), rng.integers(0, 20, (2, 10, 30)), strict=True)),
        "finer": true,
        "coarser": true // 2,
        "mask": low < 0.5,
    }
    found = {name: xp.asarray(x) for name, x in arrays.items()}
    others = 1 + np.argsort(rng.random((N, N - 1)), axis=1)[:, :N_NEIGHBORS]  # without the sample itself
    neighbors = (np.arange(N)[:, None] + others) % N, np.sort(rng.random((N, N_NEIGHBORS)), axis=1)
    graph = rng.random(2 * N), rng.integers(0, N, 2 * N), np.arange(0, 2 * N + 1, 2)
    tuples = {"graph": graph, "neighbors": neighbors}
    return found | {
        **{name: tuple(map(xp.asarray, x)) for name, x in tuples.items()},
        "labelings": [found["labels_pred"], found["batch"]],
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
            full_name = f"{module.__name__}.{name}"
            own = inspect.signature(function).parameters
            away = LEFT_OUT.get(full_name, set())
            if own.get("metrics") is not None and own["metrics"].default is None:
                away = away | {"metrics"}
            if "y_score" in own:
                away = away | {"y_pred"}
            if "mask" in own and own["mask"].default is None:
                away = away | {"mask"}
            given = {x: arrays[x] for x in own if x in arrays and x not in away}
            sizes = {x: SIZES[x] for x in own if x in SIZES and x not in away} if module is gpuval else {}
            yield full_name, False, _call(function, given)
            if sizes:
                yield full_name, True, _call(function, given | sizes)
            if name == "evaluate" and module is gpuval:
                yield f"{full_name} with X", True, _call(function, given | sizes | {"X": arrays["X"]})


def _call(function: Callable[..., Any], given: dict[str, Any]) -> Call:
    labelings = given.get("labelings", ())
    if inspect.signature(function).parameters.get("labelings", _OTHER).kind is not _OTHER.VAR_POSITIONAL:
        return lambda: function(**given)
    return lambda: function(*labelings, **{name: x for name, x in given.items() if name != "labelings"})


def counted(call: Call) -> Counter[str]:
    """What a call takes of the device when its kernels are compiled."""
    call()
    cupy_on_cpu.forget()
    call()
    of_cupy = sum(not x.startswith("gpuval::") for x in cupy_on_cpu.launched())
    return cupy_on_cpu.counts() + Counter({"of CuPy": of_cupy})


COLUMNS = "launches", "of CuPy", "copies to the device", "copies to the host", "waits", "copies on the device", "fills"


def table(xp: Any) -> str:
    """The table, in Markdown."""
    rows = [f"| function | sizes are given | {' | '.join(COLUMNS)} |", f"| --- | --- |{' --- |' * len(COLUMNS)}"]
    for name, sized, call in calls(xp):
        found = counted(call)
        cells = name, "yes" if sized else "", *(str(found[x]) for x in COLUMNS)
        rows.append(f"| {' | '.join(cells)} |")
    return "\n".join(rows)


if __name__ == "__main__":
    cupy_on_cpu.install()
    import cupy

    print(table(cupy))
