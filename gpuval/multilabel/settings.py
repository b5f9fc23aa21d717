"""The settings of an accumulator of labels, which two accumulators must share to be merged."""

from __future__ import annotations

import math
import reprlib
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuval.engines.backends import is_array, to_host
from gpuval.inputs.options import as_number, check_flag, check_size
from gpuval.inputs.selection import read_ignored, standard_labels
from gpuval.measures.means import MeasureSettings
from gpuval.measures.requests import Metrics
from gpuval.measures.result import OnUndefined
from gpuval.multilabel._inputs import MeasureSetup
from gpuval.multilabel.arrays import What
from gpuval.multilabel.names import (
    DEFAULT_AVERAGES_OF_BATCHES,
    READER,
    Averages,
    MultilabelRequest,
    read_averages,
)

_MOST_BINS = 1 << 20


@dataclass(frozen=True)
class MultilabelSettings(MeasureSettings):
    """Measures and averages, and what of labels and scores is the same in all batches."""

    measures: dict[str, MultilabelRequest]
    averages: tuple[str, ...]
    n_bins: int | None
    score_range: tuple[float, float]
    threshold: float | tuple[float, ...]
    at_least_one: bool
    ignore_labels: tuple[Any, ...]
    n_classes: int | None

    @classmethod
    def read(
        cls,
        metrics: Metrics,
        averages: Averages,
        *,
        n_bins: Any = None,
        score_range: Any = (0.0, 1.0),
        threshold: Any = 0.5,
        at_least_one: Any = False,
        ignore_labels: Any = None,
        n_classes: Any = None,
        on_undefined: OnUndefined | None = None,
    ) -> MultilabelSettings:
        """Check what was given; None stands for the default."""
        asked = READER.read(metrics)
        check_flag("at_least_one", at_least_one)
        return cls(
            asked,
            on_undefined,
            read_averages(averages, asked, DEFAULT_AVERAGES_OF_BATCHES),
            None if n_bins is None else _read_bins(n_bins),
            _read_range(score_range),
            _read_threshold(threshold),
            bool(at_least_one),
            tuple(standard_labels(read_ignored(ignore_labels))),
            None if n_classes is None else check_size(n_classes, "n_classes"),
        )

    def names_of_kind(self, kind: str) -> list[str]:
        """The names of the measures of one kind."""
        return [name for name, one in self.measures.items() if one.definition.kind == kind]

    @property
    def has_bins(self) -> bool:
        """Whether areas under curves are found of bins of scores."""
        return self.n_bins is not None and bool(self.names_of_kind("curves"))

    @property
    def keeps_rows(self) -> bool:
        """Whether they are found of all scores."""
        return self.n_bins is None and bool(self.names_of_kind("curves"))

    @property
    def of_samples(self) -> list[str]:
        """The names of the measures of which the mean over the samples is asked for."""
        is_asked = "samples" in self.averages
        return [name for name, one in self.measures.items() if is_asked and "samples" in one.definition.averages]

    @property
    def kinds(self) -> tuple[What, ...]:
        """What predictions are read as."""
        return tuple(dict.fromkeys(one.reads for one in self.measures.values()))

    def wanted(self, name: str) -> MeasureSetup:
        """A measure, and what 0/0 is of it."""
        return self.measures[name].wanted(self.on_undefined)


def _read_bins(n_bins: Any) -> int:
    if isinstance(n_bins, bool) or not isinstance(n_bins, int | np.integer):
        raise TypeError(f"n_bins must be an integer, or None to keep all scores, got {n_bins!r}")
    if n_bins < 1:
        raise ValueError(f"n_bins must be at least 1, got {n_bins}")
    if n_bins > _MOST_BINS:
        raise ValueError(
            f"n_bins must be at most {_MOST_BINS}, as each bin takes 16 bytes for each class, got {n_bins}; without "
            "n_bins areas are exact"
        )
    return int(n_bins)


def _read_range(score_range: Any) -> tuple[float, float]:
    must_be = "score_range must be two finite numbers, the lower first"
    if not (isinstance(score_range, tuple | list) and len(score_range) == 2):
        raise TypeError(f"{must_be}, got {score_range!r}")
    low, high = (as_number("score_range", x) for x in score_range)
    if not -math.inf < low < high < math.inf:
        raise ValueError(f"{must_be}, got {score_range!r}")
    if high / 2 - low / 2 < sys.float_info.min:  # as bins are found of halves, whose difference is always finite
        raise ValueError(f"score_range must be at least {2 * sys.float_info.min:.1e} wide, got {score_range!r}")
    return low, high


def _read_threshold(threshold: Any) -> float | tuple[float, ...]:
    """A number, or one for each class; how many classes there are is not known yet."""
    if is_array(threshold):
        threshold = to_host(threshold).tolist()
    is_one = not hasattr(threshold, "__len__") or isinstance(threshold, str)
    if not is_one and (not isinstance(threshold, list | tuple) or not threshold):
        got = " ".join(reprlib.repr(threshold).split())  # of a Series in one line
        raise TypeError(f"threshold must be a number, or a list of one for each class, got {got}")
    given = [threshold] if is_one else threshold
    numbers = tuple(as_number("threshold", x) for x in given)
    if any(x != x for x in numbers):
        raise ValueError(f"threshold must not be NaN, got {threshold!r}")
    return numbers[0] if is_one else numbers
