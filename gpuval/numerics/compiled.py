"""Compiled code of SciPy, loaded without the packages around it, which takes longer to load than to use.

It is private to SciPy. Where another SciPy has none of that name, or it does something else, public functions or NumPy
do the work, and a test says so.

The loop that adds to a table, sample by sample, lets go of the interpreter's lock meanwhile. NumPy's own loops for
this, ``np.bincount`` and ``np.add.at``, hold it: threads would wait for one another. SciPy's is the one behind
``coo_array.toarray``, which copies, checks and clears so much besides that it is no faster than NumPy's.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np

from gpuval.numerics import NDArray, parallel
from gpuval.numerics.parallel import STEP, highest, parallel_map, slices

PART = 1 << 18
"""Samples that a thread adds before it takes others: an interrupt waits for no more than these."""

State = TypeVar("State")
Loop = Callable[..., None]


def add_pairs_into(table: NDArray, rows: NDArray, columns: NDArray, values: NDArray) -> None:
    """Add ``values[i]`` to ``table[rows[i], columns[i]]`` for each i. All must lie within, which is not checked.

    ``table`` and ``values``, of which there are as many as rows, or more, are int64 and contiguous; ``rows`` and
    ``columns`` are both int32 or both int64, and contiguous.
    """
    loop = compiled_loop()
    if loop is None:
        places = np.multiply(rows, table.shape[1], dtype=np.int64)
        np.add.at(table.reshape(-1), np.add(places, columns, out=places, dtype=np.int64), values[: len(places)])
    else:
        loop(*table.shape, len(rows), rows, columns, values, table.reshape(-1), 0)


def add_on_threads(
    make: Callable[[], State], add: Callable[[State, slice], None], parts: Sequence[slice], n_threads: int
) -> list[State]:
    """Add all parts on so many threads: the states, one of each thread, which ``make`` makes and ``add`` adds to."""
    n_threads = min(n_threads, max(1, len(parts)))
    idle = [make() for _ in range(n_threads)]

    def work(part: slice) -> None:
        state = idle.pop()  # no more threads are at work than there are states
        add(state, part)
        idle.append(state)

    parallel_map(work, parts, n_threads)
    return idle


def integer_sums(values: NDArray, codes: NDArray, size: int) -> NDArray:
    """The sums of int64 ``values`` by as many int64 codes, as int64: on all cores.

    A code outside of [0, ``size``) is an IndexError. Codes are copied before they are checked: another thread may write
    to them before they are used.
    """
    n_threads = max(1, min(parallel.allowed_threads(), len(codes) // max(1, size))) if compiled_loop() else 1
    first_row = np.zeros(min(len(codes), STEP), dtype=np.int64)

    def add(sums: NDArray, part: slice) -> None:
        for step in slices(part.stop, STEP, part.start):
            own = codes[step].copy()
            if highest(own) >= size:
                raise IndexError("a code is outside of the sums")
            add_pairs_into(sums, first_row[: len(own)], own, values[step])

    sums, *others = add_on_threads(
        lambda: np.zeros((1, size), dtype=np.int64), add, slices(len(codes), PART), n_threads
    )
    for other in others:
        sums += other
    whole: NDArray = sums[0]
    return whole


@functools.cache
def compiled_loop() -> Loop | None:
    """SciPy's loop; None if there is none that counts a small table right."""
    try:
        loop: Loop = load_alone("scipy.sparse._sparsetools").coo_todense
        counts, ones = np.zeros((2, 3), dtype=np.int64), np.ones(4, dtype=np.int64)
        for kind in (np.int32, np.int64):
            loop(2, 3, 4, np.asarray([0, 1, 1, 0], kind), np.asarray([2, 0, 0, 2], kind), ones, counts.reshape(-1), 0)
    except Exception:  # whatever another SciPy makes of such a call
        return None
    return loop if counts.tolist() == [[0, 0, 4], [4, 0, 0]] else None


def load_alone(name: str) -> Any:
    """A compiled module by its name, without the packages that it lies in."""
    from importlib.machinery import ExtensionFileLoader, ModuleSpec, PathFinder  # only now: few labels do without it
    from importlib.util import module_from_spec

    spec, folders, parts = None, None, name.split(".")
    for i in range(1, len(parts) + 1):
        spec = PathFinder.find_spec(".".join(parts[:i]), folders)
        folders = spec.submodule_search_locations if spec else []
    if spec is None or spec.origin is None:
        raise ImportError(f"{name} is not there")
    # Under a name of its own: an import of the package then finds nothing half loaded.
    loader = ExtensionFileLoader(f"{__name__}.{parts[-1]}", spec.origin)
    module = module_from_spec(ModuleSpec(loader.name, loader, origin=spec.origin))
    loader.exec_module(module)
    return module
