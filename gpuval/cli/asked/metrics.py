"""Reads --metrics: splits external and internal measures, and checks them before a file is opened."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from gpuval.cli.messages import own_command
from gpuval.metrics._common.naming import called

_CALLED = {
    "metrics must": "--metrics must",
    "labels_true must": "--true must",
    "X must": "--embedding must",
    "sample_weight must": "--weight must",
}
"""What options are called in Python: with the word behind them, as calls that messages show have other ones."""


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
    from gpuval.evaluation.clustering.samples.asked import read_external_and_internal  # only now: it loads the measures

    names = [name for text in texts for x in text.split(",") if (name := x.strip())]
    if texts and not names:
        raise ValueError("--metrics must name at least one measure")
    given: Literal["all"] | Sequence[str] | None = "all" if "all" in map(str.lower, names) else names or None
    lists = {"gpuval.METRICS has them all": f"'{own_command()} metrics' lists them all"}
    with called(**_CALLED, **lists):
        asked = read_external_and_internal(given, has_truth=has_truth, has_weights=has_weights, has_samples=has_samples)
    if asked.are_named:
        return AskedMetrics(list(asked.external), list(asked.internal), asked.names)
    return AskedMetrics(given if has_truth else (), list(asked.internal))
