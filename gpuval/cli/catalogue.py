"""All public measures by families, with their short names, and the measure that a name stands for."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from importlib import import_module
from typing import Any, NamedTuple

from gpuval.cli.terminal import own_command

_EXTERNAL = "metrics.external."
_INTERNAL = "metrics.internal."
_INTEGRATION = "metrics.integration."

_FAMILIES = {
    "pairs of samples": (f"{_EXTERNAL}pair_counting", f"{_EXTERNAL}per_class"),
    "information": (f"{_EXTERNAL}information",),
    "beta-entropies": (f"{_EXTERNAL}beta_entropies",),
    "overlap of sets": (f"{_EXTERNAL}overlap",),
    "element-centric": (f"{_EXTERNAL}element_centric",),
    "one-to-one matching": (f"{_EXTERNAL}matching",),
    "distance from chance, in standard deviations": (f"{_EXTERNAL}standardized",),
    "agreement of label names, and tables": (f"{_EXTERNAL}agreement", f"{_EXTERNAL}tables"),
    "samples and labels (internal)": tuple(f"{_INTERNAL}{x}" for x in ("silhouette", "dunn", "centres", "dbcv")),
    "edges of a graph and labels": ("metrics.graph",),
    "integration of single cells": tuple(
        f"{_INTEGRATION}{x}" for x in ("silhouettes", "isolated_labels", "pcr", "lisi", "kbet")
    ),
    "rankings (documents of queries)": tuple(f"ranking.{x}" for x in ("retrieval", "gains", "stopping", "overlap")),
    "multilabel (several labels of each sample)": tuple(
        f"multilabel.{x}" for x in ("predicted", "losses", "curves", "thresholds")
    ),
    "intervals, such as events in time": ("intervals.similarity",),
}
"""The modules of each family."""

_NAMESPACES = ("ranking", "multilabel", "intervals")


class Measure(NamedTuple):
    """A public measure."""

    name: str
    """As it is called after ``gpuval.``"""
    family: str
    function: Callable[..., Any]
    short: tuple[str, ...]
    needs: str | None
    """The option that ``gpuval evaluate`` needs for it, "" for none; None where it is not one of its measures."""

    @property
    def better(self) -> str:
        """Which scores are the better ones: "higher", "lower", or "", where none are or only its text tells."""
        from gpuval.registry.facts import better

        is_number = self.needs is not None or self.name.endswith(("_score", "_scores", "_batch", "_label"))
        return better(self.name) if is_number and "." not in self.name else ""

    @property
    def summary(self) -> str:
        """The first line of its text."""
        return next(iter((self.function.__doc__ or "").strip().splitlines()), "")


@functools.cache
def all_measures() -> Mapping[str, Measure]:
    """The measures by their names, family by family."""
    from gpuval.registry.families import METRICS, OF_SAME_NAMES
    from gpuval.registry.internal import INTERNAL_METRICS

    shorts = _short_names()
    found = {}
    for family, modules in _FAMILIES.items():
        for path in modules:
            module = import_module(f"gpuval.{path}")
            namespace = path.partition(".")[0]
            prefix = f"{namespace}." if namespace in _NAMESPACES else ""
            for one in module.__all__:
                function = getattr(module, one)
                if isinstance(function, type) or not callable(function):
                    continue
                name = f"{prefix}{one}"
                is_of_table = name in METRICS or name in OF_SAME_NAMES
                needs = "" if is_of_table else "--embedding" if name in INTERNAL_METRICS else None
                short = tuple(x.removeprefix(prefix) for x, full in shorts.items() if full == name)
                found[name] = Measure(name, family, function, short, needs)
    return found


def _short_names() -> dict[str, str]:
    """The full name of each short one; those of namespaces have the namespace before them."""
    from gpuval.intervals.accumulator import INTERVAL_MEASURES
    from gpuval.multilabel.names import SHORT_MULTILABEL_NAMES
    from gpuval.ranking.evaluation import SHORT_RANKING_NAMES
    from gpuval.registry.families import SHORT_INTERNAL_NAMES, SHORT_NAMES

    found = {**SHORT_NAMES, **SHORT_INTERNAL_NAMES}
    found |= {f"ranking.{short}": f"ranking.{full}" for short, full in SHORT_RANKING_NAMES.items()}
    found |= {f"multilabel.{short}": f"multilabel.{full}" for short, full in SHORT_MULTILABEL_NAMES.items()}
    return found | {f"intervals.{name.removesuffix('_score')}": f"intervals.{name}" for name in INTERVAL_MEASURES}


def measure_named(given: str) -> Measure:
    """The measure that a name stands for: a full or a short one, in any case, with or without its namespace."""
    from gpuval.registry.families import AMBIGUOUS_NAMES

    measures, shorts = all_measures(), _short_names()
    key = given.lower().removeprefix("gpuval.")
    key = shorts.get(key, key)
    if key in measures:
        return measures[key]
    places = [f"{namespace}.{key}" for namespace in _NAMESPACES]
    meant = [*AMBIGUOUS_NAMES.get(key, ()), *(shorts.get(x, x) for x in places)]
    meant += [f"{x}_score" for x in places]
    meant = list(dict.fromkeys(x for x in meant if x in measures))
    if len(meant) == 1:
        return measures[meant[0]]
    inside = [x.partition(".")[2] for x in measures if "." in x]
    similar = meant or get_close_matches(key, [*measures, *inside, *shorts])
    similar = similar or get_close_matches(key, [name for name in measures if key and key in name], cutoff=0)
    hint = f"did you mean {' or '.join(similar)}? " if similar else ""
    lists = f"'{own_command()} metrics' lists them all"
    raise ValueError(f"NAME must be the name of a measure, got {given!r}; {hint}{lists}")
