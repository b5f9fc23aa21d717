"""Scores as a table in ``adata.uns`` that AnnData files can hold."""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gpuval.inputs.containers import type_of
from gpuval.inputs.options import level_of_user, require_extra
from gpuval.results.evaluations import Comparison, Evaluation
from gpuval.results.scores import COUNTS
from gpuval.results.settings import Stability

_LABELING = "labeling"
_NO_NAMES = ("", ".", "..", "_index")
"""Names that columns in files cannot have."""


ENDS = ("low", "high")
"""What a table has of an interval."""


def check_key_added(
    adata: Any, key_added: Any, metrics: Iterable[Any] = (), by: str | None = None, fields: Sequence[str] = ()
) -> None:
    """Check that a table of these measures, and fields of each, can be put into ``adata.uns[key_added]``."""
    if key_added is None:
        return
    if not isinstance(key_added, str):
        raise TypeError(f"key_added must be a key of adata.uns, a text, got {type_of(key_added)}")
    if _column(key_added) != key_added or key_added in _NO_NAMES:
        raise ValueError(f"key_added must be a name that files can have, without a slash, got {key_added!r}")
    if getattr(adata, "is_view", False):
        raise ValueError(
            "key_added must not be given for a view of an AnnData, because writing into a view copies all of it; give "
            "adata.copy(), or the object that it is a view of"
        )
    taken = {_LABELING, *COUNTS, *_NO_NAMES}
    for name in metrics:
        columns = [_column(name), *(_column(f"{name}.{field}") for field in fields)]
        if wrong := [column for column in columns if column in taken]:
            raise ValueError(
                f"metrics must have different names, which columns of adata.uns[{key_added!r}] can have, got "
                f"{wrong[0]!r}; give a mapping from other names to measures"
            )
        taken.update(columns)
    if by is not None and _column(by) in taken:
        raise ValueError(
            f"by must be a column whose name no other column of adata.uns[{key_added!r}] has, got {by!r}; rename it in "
            "adata.obs"
        )


def score_table(comparison: Comparison, by: str | None) -> Any:
    """A row for each labeling, or for each labeling and value of ``by``, whose names and texts are plain."""
    with require_extra("key_added=", "anndata"):
        import pandas as pd

    labelings = [_text(name if by is None else name[0]) for name in comparison]
    texts = {} if by is None else {_column(by): [_text(value) for _, value in comparison]}
    rows = [_numbers(evaluation) for evaluation in comparison.values()]
    columns = {
        name: [row.get(name, math.nan) for row in rows] for name in dict.fromkeys(x for row in rows for x in row)
    }
    held = {name: _to_one_type(values) for name, values in columns.items() if not _has_lists(values)}
    if len(held) < len(columns):
        others = ", ".join(repr(name) for name in columns if name not in held)
        warnings.warn(f"adata.uns has no scores that are several numbers: {others}", stacklevel=level_of_user())
    return pd.DataFrame(texts | held, index=pd.Index(labelings, name=_LABELING))


def plain_names(frame: Any) -> Any:
    """A frame of numbers whose names of rows and columns are plain texts."""
    return frame.rename(index=_text, columns=_column)


def stability_tables(found: Stability) -> dict[str, Any]:
    """The settings and their clusters as frames whose names, and labels, are plain texts; and what is said."""
    settings, clusters = found.to_pandas(), found.to_pandas("clusters")
    for frame in settings, clusters:
        for name in frame.columns.intersection(_TEXTS):
            frame[name] = ["" if x is None else _text(x) for x in frame[name]]
    texts = {"sentence": found.sentence(), "notes": "\n".join(found.notes)}
    return {"settings": plain_names(settings), "clusters": plain_names(clusters), **texts}


_TEXTS = ["setting", "cluster", "reference", "least_stable_cluster"]
"""The columns of these frames that have labels, and names of settings and of runs."""


def _numbers(evaluation: Evaluation) -> Mapping[str, Any]:
    """The counts, and the scores with the ends of their intervals, and with their references."""
    numbers = evaluation.numbers(*ENDS, "reference")
    return dict(evaluation.counts or {}) | {_column(name): x for name, x in numbers.items()}


def _has_lists(values: list[Any]) -> bool:
    return any(isinstance(x, list) for x in values)


def _to_one_type(values: list[Any]) -> list[Any]:
    """Texts; integers if all are and fit in 64 bits; else floats, as NaN is among them."""
    if any(isinstance(x, str) for x in values):
        return [_text(x) if isinstance(x, str) else "" for x in values]
    if all(isinstance(x, int) and abs(x) < 1 << 63 for x in values):
        return list(map(int, values))
    return list(map(float, values))


def _column(name: Any) -> str:
    """A name as one of a column in files, which take a slash for the border of two names."""
    return _text(name).replace("/", "|")


def _text(value: Any) -> str:
    """A value as text that files can hold: what is no Unicode, and characters of code 0, are escapes."""
    return str(value).encode(errors="backslashreplace").decode().replace("\0", "\\x00")
