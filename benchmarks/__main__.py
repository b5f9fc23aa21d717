"""Print how many times longer scikit-learn takes, and how the import compares with NumPy's."""

from __future__ import annotations

import argparse
import functools
import platform

import numpy as np
import sklearn
from sklearn import metrics

import gpuval
from benchmarks.timing import Ratio, compared, compared_imports

MEASURES = (
    "adjusted_rand_score",
    "v_measure_score",
    "normalized_mutual_info_score",
    "fowlkes_mallows_score",
    "adjusted_mutual_info_score",
)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--smoke", action="store_true", help="few rounds of the small sizes only")
    smoke = parser.parse_args().smoke
    print(f"gpuval {gpuval.__version__}, NumPy {np.__version__}, scikit-learn {sklearn.__version__}, ", end="")
    print(f"Python {platform.python_version()}, {platform.machine()}")
    print("times longer than gpuval: median (quartiles)")
    _show("import numpy", compared_imports("import numpy", "import gpuval", 5 if smoke else 25))
    sizes = ((1_000, 10),) if smoke else ((1_000, 10), (100_000, 100), (1_000_000, 100))
    for n_samples, n_groups in sizes:
        rounds = 20 if smoke else max(5, 200_000 // n_samples)
        for name in MEASURES:
            _show(
                f"{name}, n = {n_samples:,}, {n_groups} x {n_groups}",
                _against_sklearn(name, n_samples, n_groups, rounds),
            )


def _against_sklearn(name: str, n_samples: int, n_groups: int, rounds: int) -> Ratio:
    rng = np.random.default_rng(0)
    labels = rng.integers(0, n_groups, n_samples), rng.integers(0, n_groups, n_samples)
    theirs, ours = (functools.partial(getattr(library, name), *labels) for library in (metrics, gpuval))
    if abs(theirs() - ours()) > 1e-9:
        raise SystemExit(f"{name} differs: {theirs()!r} and {ours()!r}")
    return compared(theirs, ours, rounds)


def _show(what: str, ratio: Ratio) -> None:
    print(f"{what:<60} {ratio.median:8.2f} ({ratio.low:.2f} to {ratio.high:.2f})", flush=True)


main()
