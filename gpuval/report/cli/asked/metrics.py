"""The measures that --metrics asks for: told apart, and checked before a file is opened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

_MUST_BE = "--metrics must be names of measures"


class AskedMetrics(NamedTuple):
    """The measures that are asked for, by their full names."""

    external: Literal["all"] | Sequence[str] | None = None
    """Those of a table of labels; None for the usual ones."""
    internal: Sequence[str] = ()
    """Those of samples and labels."""
    in_order: Sequence[str] = ()
    """All of them in the order in which they are named; none, if they are not named one by one."""


def metric_names(
    texts: Sequence[str], *, has_truth: bool = True, has_samples: bool = False, has_weights: bool = False
) -> AskedMetrics:
    """The measures that the texts of --metrics ask for, of what there is: true labels, samples, weights."""
    names = [name for text in texts for x in text.split(",") if (name := x.strip())]
    if texts and not names:
        raise ValueError("--metrics must name at least one measure")
    if not texts or "all" in map(str.lower, names):
        external: Literal["all"] | Sequence[str] | None = "all" if texts else None
        internal = _usual_of_samples(bool(texts), has_weights) if has_samples else ()
        return AskedMetrics(external if has_truth else (), internal)
    full = list(dict.fromkeys(map(_full_name, names)))
    return _checked(full, has_truth, has_samples, has_weights)


def _full_name(name: str) -> str:
    from gpuval.report.clustering.registry import SHORT_INTERNAL_NAMES, full_name  # only now: it loads the measures
    from gpuval.report.clustering.samples.internal_metrics import INTERNAL_METRICS

    key = SHORT_INTERNAL_NAMES.get(name.lower(), name.lower())
    return key if key in INTERNAL_METRICS else full_name(name, _MUST_BE)


def _usual_of_samples(all_of_them: bool, has_weights: bool) -> list[str]:
    from gpuval.report.clustering.samples.internal_metrics import DEFAULT_INTERNAL_METRICS, INTERNAL_METRICS

    names = INTERNAL_METRICS if all_of_them else DEFAULT_INTERNAL_METRICS
    return [name for name in names if _takes_weights(name) or not has_weights]


def _takes_weights(name: str) -> bool:
    from gpuval.report.clustering.samples.internal_metrics import OPTIONS

    return "sample_weight" in OPTIONS[name]


def _checked(names: Sequence[str], has_truth: bool, has_samples: bool, has_weights: bool) -> AskedMetrics:
    from gpuval.report.clustering.registry import METRICS

    external = [name for name in names if name in METRICS]
    internal = [name for name in names if name not in METRICS]
    if internal and not has_samples:
        raise ValueError(f"--metrics {internal[0]} needs samples: give their coordinates by --embedding")
    if external and not has_truth:
        raise ValueError(f"--metrics {external[0]} needs true labels: give their column by --true")
    without_weights = next((name for name in internal if has_weights and not _takes_weights(name)), None)
    if without_weights is not None:
        raise ValueError(f"--metrics {without_weights} counts each sample once: leave out --weight")
    return AskedMetrics(external, internal, names)
