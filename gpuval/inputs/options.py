"""Checks of options and of sizes, and the error for an optional library that is not installed."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from types import FrameType, MappingProxyType
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of
from gpuval.numerics import Array


def check_option(name: str, value: Any, allowed: tuple[Any, ...]) -> None:
    """Check that an option has one of the allowed values; a NumPy scalar counts as the Python value."""
    value = value.item() if isinstance(value, np.generic) else value
    if not any(value is x or (type(value) is type(x) and value == x) for x in allowed):
        raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, got {value!r}")


def check_known_options(
    options: dict[str, Any],
    formula: Callable[..., Any],
    common: Mapping[str, str] = MappingProxyType({}),
    others: tuple[str, ...] = (),
    hints: Mapping[str, str] = MappingProxyType({}),
) -> None:
    """Check that a measure has these options; every option of its formula is a keyword with a default.

    ``common`` maps names of other libraries to the names here. ``others`` are options that the measure has in addition
    to those of its formula. ``hints`` say what to do in place of an option that does not exist.
    """
    known = formula.__kwdefaults__ or {}
    for name in options:
        if name not in known:
            hint = hints.get(name)
            if common.get(name) in {*known, *others}:
                hint = f"it is called {common[name]} here"
            raise option_error(formula.__name__, name, known, hint)


def option_error(function: str, name: str, known: Iterable[str], hint: str | None = None) -> TypeError:
    """The error for an option that a function does not have, with what to do in its place, or the options it has."""
    names = ", ".join(known)
    takes = f"its own options are {names}" if names else "it has no options of its own"
    return TypeError(f"{function}() got an unexpected keyword argument {name!r}; {hint or takes}")


def check_flag(name: str, value: Any) -> None:
    """Check that an option is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(f"{name} must be True or False, got {value!r}")


def check_not_negative(name: str, value: Any) -> float:
    """Check that an option is a finite number, 0 or more."""
    number = as_number(name, value)
    if not 0 <= number < math.inf:
        raise ValueError(f"{name} must be finite and not negative, got {value!r}")
    return number


def check_probability(name: str, value: Any) -> float:
    """Check that an option is a number above 0 and below 1."""
    number = as_number(name, value)
    if not 0 < number < 1:
        raise ValueError(f"{name} must be above 0 and below 1, got {value!r}")
    return number


def as_number(name: str, value: Any) -> float:
    """An option that must be a real number, as a float; an integer beyond the range of floats becomes infinite."""
    try:
        if getattr(value, "shape", ()) != ():  # NumPy would take any array of one element
            raise TypeError
        return float(value.__float__())
    except (AttributeError, TypeError, ValueError):  # among them strings, which float() would read
        raise TypeError(f"{name} must be a number, got {value!r}") from None
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def generator(random_state: Any) -> np.random.Generator:
    """A random number generator: from a seed, or the given one."""
    must_be = "random_state must be a seed or a generator of NumPy"
    if isinstance(random_state, bool):  # NumPy would take it for 0 or 1
        raise TypeError(f"{must_be}, got {random_state!r}")
    try:
        return np.random.default_rng(random_state)
    except TypeError:
        raise TypeError(f"{must_be}, got {random_state!r}") from None
    except ValueError:
        raise ValueError(f"{must_be}, and seeds must not be negative, got {random_state!r}") from None


def check_count(name: str, value: Any, least: int = 1) -> int:
    """Check that an option is an integer of at least so many."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{name} must be an integer, got {value!r}")
    if value < least:
        raise ValueError(f"{name} must be at least {least}, got {value}")
    return int(value)


def beta_weights(beta: float) -> tuple[float, float]:
    """Two weights in the ratio ``beta`` to 1; the larger one is 1, so that no ``beta`` overflows."""
    return (beta, 1.0) if beta <= 1 else (1.0, 1.0 / beta)


def library_if_loaded(library: str) -> Any:
    """A library by its name, if it has been imported; else None, and then no argument can be one of its objects."""
    return sys.modules.get(library)


@contextmanager
def require_extra(use: str, extra: str) -> Iterator[None]:
    """Around an import: raise an ImportError that names what needs the library, and which extra installs it."""
    try:
        yield
    except ImportError as error:
        raise missing(error, use, extra) from error


def missing(error: ImportError, use: str, extra: str) -> ImportError:
    """The ImportError for ``use``, which failed with ``error`` and which ``extra`` would make possible."""
    library = (error.name or "another library").partition(".")[0]
    reason = "" if isinstance(error, ModuleNotFoundError) else f", whose import fails ({error})"
    return ImportError(f'{use} needs {library}{reason}: pip install "gpuval[{extra}]"', name=error.name)


def level_of_user() -> int:
    """The ``stacklevel`` of a warning of the caller that names the line of the user: the first outside of gpuval."""
    frame: FrameType | None = sys._getframe()
    level = 0
    while frame is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "gpuval":
        frame, level = frame.f_back, level + 1
    return level


# How many rows, columns and cells a table may have, and how much it may add up to.
#
# Within the sums that are allowed no formula overflows or underflows. Integers: the limbs of ``numerics.exact`` are
# proven up to 2^39; in 32 bits, sums fit up to 2^30. Reals: the formulas of pairs have fourth powers of the total,
# times shares of it: float64 holds them from 2^-200 to 2^200, float32 from 2^-20 to 2^30.

MOST_CELLS = 1 << 36
"""512 GiB of int64."""


def check_sizes(n_classes: Any, n_clusters: Any) -> tuple[int | None, int | None]:
    """Check the table size that the caller gives: both numbers, or neither."""
    if n_classes is None and n_clusters is None:
        return None, None
    if n_classes is None or n_clusters is None:
        raise ValueError(
            f"n_classes and n_clusters must be given together, got n_classes={n_classes!r} and "
            f"n_clusters={n_clusters!r}"
        )
    return check_size(n_classes, "n_classes"), check_size(n_clusters, "n_clusters")


def check_size(value: Any, name: str, hint: str = "; number the labels from 0") -> int:
    """Check one size that the caller gives; ``hint`` ends the message about one that is too large."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{name} must be a positive integer, got {value!r}")
    if value < 1:
        raise ValueError(f"{name} must be a positive integer, got {value}")
    if value > MOST_CELLS:
        raise ValueError(f"{name} must be at most 2**36, got {value}{hint}")
    return int(value)


def check_dense(n_classes: int, n_clusters: int) -> None:
    """Check that a dense table, which stores every cell, can fit into some memory."""
    if n_classes * n_clusters > MOST_CELLS:
        raise ValueError(
            f"n_classes x n_clusters must be at most 2**36 cells in a dense table, got {n_classes} x {n_clusters}; "
            "number the labels without gaps, or list the cells (layout='cells')"
        )


def out_of_range(x: Array, axes: int | tuple[int, ...] | None = None, like: Array | None = None) -> Array:
    """Whether numbers (>= 0, in their widest type) add up to too much; for reals also whether to too little, but not 0.

    The result is an array of booleans, with the sums taken over ``axes``. The limits are those of the device of
    ``like``, by default of ``x``.
    """
    backend, (low, high) = backend_of(x), _exponents(x, like)
    total = backend.sum(backend.xp.astype(x, backend.widest(x).float), axes)
    if backend.kind(x) == "integer":
        return total >= 2.0**high
    return (total > 2.0**high) | ((total < 2.0**low) & (total != 0))


def sum_range_text(x: Array) -> str:
    """What numbers like ``x`` must add up to, in words."""
    low, high = _exponents(x)
    is_integer = backend_of(x).kind(x) == "integer"
    return f"less than 2**{high} if they are integers" if is_integer else f"0, or 2**{low} to 2**{high}"


def _exponents(x: Array, like: Array | None = None) -> tuple[int, int]:
    """The smallest sum of numbers like ``x`` but 0 (of reals), and the largest, as exponents of 2."""
    like = x if like is None else like
    if not backend_of(like).widest(like).is_64bit:
        return -20, 30
    return (0, 39) if backend_of(x).kind(x) == "integer" else (-200, 200)
