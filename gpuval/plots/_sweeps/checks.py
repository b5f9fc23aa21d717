"""What a display of a sweep must be given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from gpuval.inputs.options import check_option
from gpuval.numerics import NDArray


def check_lines(names: Sequence[Any], scores: Mapping[Any, NDArray], *more: tuple[str, Mapping[Any, NDArray]]) -> None:
    """Check that each line has a number for each name, and that what there is more, such as ends, is of these lines."""
    if not names or not scores:
        raise ValueError(f"scores must be of at least one labeling, got {len(scores)} of {len(names)}")
    for argument, lines in (("scores", scores), *more):
        for line, values in lines.items():
            _check_line(argument, line, scores)
            if values.shape != (len(names),):
                raise ValueError(
                    f"{argument} must be one for each of the {len(names)} names, got shape {values.shape} of {line!r}"
                )


def check_ends(low: Mapping[Any, NDArray], high: Mapping[Any, NDArray]) -> None:
    """Check that intervals have both ends."""
    if low.keys() != high.keys():
        raise ValueError(f"low and high must be of the same lines, got {list(low)!r} and {list(high)!r}")


def check_numbers(names: Sequence[Any], numbers: Sequence[float]) -> None:
    """Check that there is a finite number for each name."""
    if len(numbers) != len(names):
        raise ValueError(f"numbers must be one for each of the {len(names)} names, got {len(numbers)}")
    if not np.isfinite(numbers).all():
        raise ValueError(f"numbers must be finite, got {numbers!r}")


def check_directions(directions: Mapping[Any, str], scores: Mapping[Any, NDArray]) -> None:
    """Check that directions are of lines, and known."""
    for line, direction in directions.items():
        _check_line("directions", line, scores)
        check_option(f"directions[{line!r}]", direction, ("higher", "lower", ""))


def _check_line(argument: str, line: Any, scores: Mapping[Any, NDArray]) -> None:
    if line not in scores:
        raise ValueError(f"{argument} must be of lines that scores has, {list(scores)!r}, got {line!r}")
