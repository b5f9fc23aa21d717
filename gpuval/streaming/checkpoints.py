"""Checkpoints, and what batches and processes must have in common: all is checked before anything changes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from gpuval.engines.backends import backend_of, detach, is_array, library_of, to_host
from gpuval.inputs.codes import Scale
from gpuval.numerics import Array, NDArray
from gpuval.table.self_pairs import N_SELF_PAIRS
from gpuval.table.table import Table

State = Mapping[str, Any]
_PARTS = "dtype", "shape", "values"

# Writing


def checkpoint_array(x: Array, like: Array | None = None) -> Any:
    """An array in the form that a checkpoint has: a copy, in the library of ``like`` if that is given.

    A NumPy array becomes a mapping with its dtype, its shape and a list of its values.
    ``torch.load(weights_only=True)`` and text formats can read this, and cannot read NumPy arrays.
    """
    backend = backend_of(x)
    library = backend if like is None else backend_of(like)
    if library.on_host:
        host = to_host(x)
        return dict(zip(_PARTS, (_name_of(host.dtype), list(host.shape), host.reshape(-1).tolist()), strict=True))
    return backend.copied(x) if library is backend else library.from_host(backend.copied(x), like)


def _name_of(dtype: np.dtype[Any]) -> str:
    return "T" if dtype.kind == "T" else dtype.str


# Reading


def check_settings(state: Any, settings: Mapping[str, Any]) -> None:
    """Check that a state was saved by an accumulator with these settings."""
    if not isinstance(state, Mapping):
        raise TypeError(f"state must be a mapping, as state_dict() gives it, got {type(state).__name__}")
    for name, own in settings.items():
        if name not in state or state[name] != own:
            raise ValueError(f"state must be of an accumulator with the same {name}={own}, got {state.get(name)}")


def has_samples(state: State, parts: Sequence[str], others: Sequence[str] = ()) -> bool:
    """Whether a state is of samples: then it must have all ``parts``, and it may have ``others``.

    That of an accumulator without samples has none of these.
    """
    if not any(name in state for name in (*parts, *others)):
        return False
    check_names(state, parts)
    return True


def check_names(state: State, names: Iterable[str]) -> None:
    """Check that a state has all these entries."""
    for name in names:
        if name not in state:
            raise ValueError(f"state must have {name}, got {', '.join(map(str, state))}")


def read_number(state: State, name: str) -> int:
    """A number of samples, from a state."""
    value = state[name]
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"state must have {name} as an integer, got {type(value).__name__}")
    if value < 0:
        raise ValueError(f"state must have {name} that is not negative, got {value}")
    return int(value)


def read_array(state: State, name: str, shape: tuple[int, ...] | None = None) -> Array:
    """An array of any library, or one of NumPy as :func:`checkpoint_array` has it; ``shape`` is checked if given."""
    x = state[name]
    if isinstance(x, Mapping) and set(x) == set(_PARTS):
        x = _array_from_parts(x, name)
    if not (is_array(x) or isinstance(x, np.generic)):
        raise TypeError(f"state must have {name} as an array, got {type(x).__name__}")
    if shape is not None and tuple(x.shape) != shape:
        raise ValueError(f"state must have {name} of shape {shape}, got {tuple(x.shape)}")
    return x


def _array_from_parts(parts: Mapping[str, Any], name: str) -> NDArray:
    """The NumPy array with a dtype, a shape and a list of values."""
    try:
        dtype = np.dtypes.StringDType() if parts["dtype"] == "T" else np.dtype(parts["dtype"])
        if dtype.kind == "O":  # not made of the list at once: its values may be lists or tuples themselves
            flat = np.fromiter(parts["values"], dtype=object, count=len(parts["values"]))
        else:
            flat = np.asarray(parts["values"], dtype=dtype)
        return flat.reshape(tuple(parts["shape"]))
    except (TypeError, ValueError, OverflowError) as error:
        raise ValueError(
            f"state must have {name} with a dtype, a shape and values that fit together: {error}"
        ) from None


def read_reals(
    state: State, name: str, shape: tuple[int, ...], least: float = -np.inf, *, must_be_finite: bool = True
) -> Array:
    """An array of numbers, each at least ``least``, in its own library and on its own device.

    Those of a device may be NaN or infinite, as samples are there, whose values are not looked at.
    """
    host = _host(state, name, shape, "iuf")
    is_fine = _are_finite(host, least) if must_be_finite else not (host < least).any()
    if not is_fine:
        rules = ["finite"] * must_be_finite + [f"at least {least}"] * (least > -np.inf)
        wanted = " and ".join(rules)
        raise ValueError(f"state must have {name} of numbers that are {wanted}, got {host.min()} to {host.max()}")
    return read_array(state, name)


def read_cell_counts(state: State, shape: tuple[int, ...], *, are_right: bool = True) -> NDArray:
    """The counts as NumPy integers or floats of 64 bits; of any value, if it is known that they are not right."""
    x = _host(state, "counts", shape, "iuf")
    if are_right and not _are_finite(x, 0):
        raise ValueError(f"state must have counts that are finite and not negative, got {x.min()}")
    if x.dtype == np.uint64 and x.size and int(x.max()) >= 1 << 63:
        raise ValueError(f"state must have counts below 2**63, got {x.max()}")
    return np.ascontiguousarray(x, dtype=np.float64 if x.dtype.kind == "f" else np.int64)


def read_scales(state: State, classes: Array, clusters: Array) -> tuple[Scale, Scale]:
    """The declared order of the labels of each side, after a check that it has all of them."""
    found = []
    for place, labels in enumerate((classes, clusters)):
        scale = state["scales"][place]
        if scale and not {*scale}.issuperset(to_host(labels).tolist()):
            raise ValueError(f"state must have scales with all labels of each side, got {scale}")
        found.append(None if scale is None else tuple(scale))
    return found[0], found[1]


def read_integers(state: State, name: str, shape: tuple[int, ...]) -> NDArray:
    """An array of integers as NumPy integers of 64 bits."""
    return _host(state, name, shape, "i").astype(np.int64)


def read_self_pairs(state: State, counts: NDArray, *, are_right: bool = True) -> NDArray | None:
    """The self-pairs of real counts; None for integers, which have none."""
    if (state["self_pairs"] is None) != (counts.dtype.kind == "i"):
        kind = "None with integer counts" if counts.dtype.kind == "i" else "an array with real counts"
        raise ValueError(f"state must have self_pairs as {kind}, got {type(state['self_pairs']).__name__}")
    if state["self_pairs"] is None:
        return None
    x = _host(state, "self_pairs", (N_SELF_PAIRS,), "f")
    if are_right and not _are_finite(x, 0):
        raise ValueError(f"state must have self_pairs that are finite and not negative, got {x.min()}")
    return x


def _are_finite(x: NDArray, least: float) -> bool:
    """Whether all numbers are finite, and at least ``least``."""
    return bool(np.all(np.isfinite(x) & (x >= least)))


def _host(state: State, name: str, shape: tuple[int, ...], kinds: str) -> NDArray:
    x = to_host(read_array(state, name, shape))
    if x.dtype.kind not in kinds:
        wanted = "numbers" if "f" in kinds and "i" in kinds else "floats" if "f" in kinds else "integers"
        raise ValueError(f"state must have {name} of {wanted}, got dtype {x.dtype}")
    return x


# Checks of an accumulator: its table, and what batches and other processes must have in common with it.


def check_beside(own: Array, new: Array, name: str, kind: str) -> None:
    """Check that a batch is of the library and on the device of the accumulator; ``kind`` is the type of the batch."""
    backend = backend_of(own)
    if backend is not backend_of(new):
        raise TypeError(f"{name} must be of the array library of the accumulator ({library_of(own)}), got {kind}")
    if not backend.are_together(own, new):
        raise ValueError(
            f"{name} must be on the device of the accumulator ({backend.device(own)}), got {backend.device(new)}"
        )


def constants(arguments: Iterable[Any], instead: str) -> list[Any]:
    """The arguments of an update as constants to derivatives.

    Inside ``jax.jit`` and ``jax.vmap`` it raises TypeError, which says what to do ``instead``: there values are not
    known, or what is computed of them is not, and sums are kept longer than the trace.
    """
    found = [detach(x) for x in arguments]
    if any(backend_of(x).makes_tracers(x) for x in found if is_array(x)):
        raise TypeError(f"an accumulator cannot be updated inside jax.jit or jax.vmap: {instead}")
    return found


def check_ignored_by_all(digests: Iterable[int]) -> None:
    """Check that all processes ignore the same labels, by a digest of these from each process."""
    if len(set(digests)) > 1:
        raise ValueError("ignore_labels must be the same in all processes, got different ones")


class NoneLeftError(ValueError):
    """There were samples, but labels to ignore or weights left none of them."""


def check_counted(table: Table, given: Any, sums: Any = None) -> bool:
    """Raise if samples could not be counted, or if some were given and none is left: one transfer.

    It returns whether there are samples.
    """
    backend, given = table.backend, 0 if given is None else given
    if (total := backend.host_view(table.total)) is not None:
        count = 0 if table.invalid is None else int(to_host(table.invalid))
        is_any, given, bounds = (
            bool(total != 0),
            int(given),
            [] if sums is None else to_host(sums.label_bounds).tolist(),
        )
    else:
        xp, wide = table.xp, backend.widest(table.counts).int
        invalid = xp.zeros_like(table.total, dtype=wide) if table.invalid is None else xp.astype(table.invalid, wide)
        found = xp.astype(table.total != 0, wide)
        known = xp.stack([invalid, found, found * 0 + given])
        known = known if sums is None else xp.concat([known, sums.label_bounds])
        count, is_any, given, *bounds = to_host(known).tolist()
    if count and sums is not None:
        raise sums.error(count, bounds)
    table.check_valid(count)
    if given and not is_any:
        raise NoneLeftError(
            f"ignore_labels and sample_weight must leave at least one sample, got none left of {given}; ignore "
            "fewer labels, or give samples a weight above 0"
        )
    return bool(is_any)


def check_same_settings(own: Mapping[str, Any], others: Mapping[str, Any]) -> None:
    """Check that two accumulators that are merged have the same settings."""
    for name, setting in own.items():
        if setting != others[name]:
            raise ValueError(f"accumulators must have the same {name} to be merged, got {setting} and {others[name]}")
