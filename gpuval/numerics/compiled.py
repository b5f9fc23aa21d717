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
from typing import Any, NamedTuple, TypeVar

import numpy as np

from gpuval.numerics import NDArray, parallel
from gpuval.numerics.parallel import STEP, highest, parallel_map, slices

PART = 1 << 18
"""Samples that a thread adds before it takes others: an interrupt waits for no more than these."""

State = TypeVar("State")


class Loops(NamedTuple):
    """Loops of SciPy's sparse arrays.

    ``add`` (``coo_todense``) adds samples to a table, ``deal`` (``coo_tocsr``) puts them into rows, ``turn``
    (``csr_tocsc``) puts rows into columns, and ``merge`` (``csr_sum_duplicates``) adds up equal neighbours in a row.
    """

    add: Callable[..., None]
    deal: Callable[..., None]
    turn: Callable[..., None]
    merge: Callable[..., None]


def add_pairs_into(table: NDArray, rows: NDArray, columns: NDArray, values: NDArray) -> None:
    """Add ``values[i]`` to ``table[rows[i], columns[i]]`` for each i. All must lie within, which is not checked.

    ``table`` and ``values``, of which there are as many as rows, or more, are int64 and contiguous; ``rows`` and
    ``columns`` are both int32 or both int64, and contiguous.
    """
    loops = compiled_loops()
    if loops is None:
        places = np.multiply(rows, table.shape[1], dtype=np.int64)
        np.add.at(table.reshape(-1), np.add(places, columns, out=places, dtype=np.int64), values[: len(places)])
    else:
        loops.add(*table.shape, len(rows), rows, columns, values, table.reshape(-1), 0)


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
    n_threads = max(1, min(parallel.allowed_threads(), len(codes) // max(1, size))) if compiled_loops() else 1
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


def list_cells(loops: Loops, x: NDArray, y: NDArray, rows: int, columns: int) -> tuple[NDArray, NDArray, NDArray]:
    """The pairs of ``x[i]`` and ``y[i]`` that occur: where those of each row begin, their columns, and their counts.

    Samples are put into columns, and then, in the order of these, into rows: the time grows with the number of samples,
    rows and columns, and no sample is compared with another one. ``x`` and ``y`` are both int32 or both int64, and
    contiguous, and are overwritten; all must lie within ``rows`` and ``columns``, which is not checked. Where rows
    begin, ``rows + 1`` places, and the columns are of the same type; counts are int64.
    """
    n, moved = len(x), np.ones(len(x), dtype=np.int8)  # loops move a value along, here onto itself, as all are 1
    row_of, first_of_column, first_of_row = (np.empty(size, dtype=x.dtype) for size in (n, columns + 1, rows + 1))
    loops.deal(columns, rows, n, y, x, moved, first_of_column, row_of, moved)
    loops.turn(columns, rows, first_of_column, row_of, moved, first_of_row, y, moved)
    counts = np.ones(n, dtype=np.int64)
    loops.merge(rows, columns, first_of_row, y, counts)
    n_cells = int(first_of_row[rows])
    counts.resize(n_cells, refcheck=False)  # a view would keep the memory of all samples
    return first_of_row, y[:n_cells], counts


@functools.cache
def compiled_loops() -> Loops | None:
    """SciPy's loops; None if one is not there, or does not count a small table right."""
    try:
        tools = load_alone("scipy.sparse._sparsetools")
        loops = Loops(tools.coo_todense, tools.coo_tocsr, tools.csr_tocsc, tools.csr_sum_duplicates)
        for kind in (np.int32, np.int64):
            rows, columns = np.asarray([[1, 0, 1, 0], [0, 2, 0, 1]], kind)
            counts = np.zeros((2, 3), dtype=np.int64)
            loops.add(2, 3, 4, rows, columns, np.ones(4, dtype=np.int64), counts.reshape(-1), 0)
            cells = [x.tolist() for x in list_cells(loops, rows, columns, 2, 3)]
            if counts.tolist() != [[0, 1, 1], [2, 0, 0]] or cells != [[0, 2, 3], [1, 2, 0], [1, 1, 2]]:
                return None
    except Exception:  # whatever another SciPy makes of such a call
        return None
    return loops


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
