"""Scores of measures (a number, an array, or a tuple of these), and how they are printed and compared."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from gpuval.display.mappings import NamedResults, Shown, ShownTable, Value
from gpuval.display.numbers import number_text
from gpuval.display.safe_text import shown_name
from gpuval.engines.backends import is_array, to_host
from gpuval.evaluation.clustering.registry import SHORT_INTERNAL_NAMES, SHORT_NAMES
from gpuval.table.labels import pandas_index


class ByMeasure(NamedResults[Any, Value]):
    """What there is of each measure, by the name that it has; a short name finds that of its measure, too."""

    def __init__(self, found: Mapping[Any, Value]) -> None:
        self._found: dict[Any, Value] = dict(found)

    def __getitem__(self, name: Any) -> Value:
        full = name if name in self._found else self._full(name)
        return self._found[full if full in self._found else name]

    def _full(self, name: Any) -> Any:
        if not isinstance(name, str):
            return name
        short = name.lower()
        return SHORT_NAMES.get(short) or SHORT_INTERNAL_NAMES.get(short, name)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)

    def _tables(self) -> Sequence[Shown]:
        rows = [[shown_name(name), in_one_line(found)] for name, found in self.items()]
        return [ShownTable(["", ""], rows, left=(0, 1))]


def is_number(x: Any) -> bool:
    """Whether ``x`` is a number of Python or NumPy."""
    return isinstance(x, float | int) or (isinstance(x, np.generic) and x.dtype.kind in "biuf")


def is_score(x: Any) -> bool:
    """Whether ``x`` is what a measure may give."""
    if isinstance(x, tuple):
        return all(map(is_score, x))
    return is_number(x) or is_array(x)


def parts(scores: Mapping[Any, Any]) -> Iterator[tuple[Any, Any]]:
    """The scores by their names, and those of a tuple by ``name.part``: a field of a named one, else its place."""
    for name, score in scores.items():
        if isinstance(score, tuple):
            fields = getattr(score, "_fields", range(len(score)))
            yield from parts({f"{name}.{field}": x for field, x in zip(fields, score, strict=True)})
        else:
            yield name, score


def plain(score: Any) -> Any:
    """A score as a Python number, or nested lists of them (a copy to the host)."""
    return to_host(score).tolist() if _is_of_a_library(score) else score


def known(score: Any) -> Any:
    """A score as a number of Python or an array of NumPy; itself where it has no value yet, as inside jax.jit."""
    if not _is_of_a_library(score):
        return score
    try:
        host = to_host(score)
    except (TypeError, RuntimeError):  # those of jax.jit and of torch.func.vmap
        return score
    return host if host.ndim else host.item()


def printed(score: Any) -> str:
    """A score in one line: as :func:`number_text` writes it, if it is a float."""
    value = known(score)
    return number_text(value) if isinstance(value, float) else in_one_line(value)


def rounded(x: Any) -> str:
    """A number for people: three decimals, or three digits where that is more."""
    number = float(plain(x))
    return f"{number:.3f}" if number == 0 or 1e-3 <= abs(number) < 1e6 or number != number else f"{number:.3g}"


def equal(x: Any, y: Any) -> bool:
    """Whether two scores are the same, wherever they are; NaN equals itself only."""
    if isinstance(x, tuple) and isinstance(y, tuple):
        return len(x) == len(y) and all(map(equal, x, y))
    return x is y or bool(plain(x) == plain(y))


def index_of_names(pd: Any, names: Iterable[Any], levels: Sequence[str] = ()) -> Any:
    """Names as an index of pandas; ``levels`` say what they are, and several that each name has a part of each.

    Tuples are its levels if all names are tuples of one length; else pandas would keep no more than the first parts.
    """
    names = list(names)
    lengths = {len(name) if isinstance(name, tuple) else 0 for name in names}
    if len(levels) > 1 or (len(lengths) == 1 and lengths != {0}):
        parts_of_names = list(zip(*names, strict=True)) or [() for _ in levels]
        columns = [pandas_index(pd, list(part), tupleize_cols=False) for part in parts_of_names]
        return pd.MultiIndex.from_arrays(columns, names=levels if len(levels) == len(columns) else None)
    index = pandas_index(pd, names, tupleize_cols=False)
    return index.rename(levels[0]) if len(levels) == 1 else index


def in_one_line(x: Any) -> str:
    """What is written of it, with a space wherever there are more, or a new line."""
    return " ".join(str(x).split())


def _is_of_a_library(x: Any) -> bool:
    return isinstance(x, np.generic) or is_array(x)
