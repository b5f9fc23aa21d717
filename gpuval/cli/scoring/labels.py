"""Checks that a column holds labels, and builds the table of two columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from gpuval.cli.asked.ignored_labels import IgnoredByOptions, Label, has_label
from gpuval.cli.files.columns import Frame, Series
from gpuval.evaluation._common.columns import why_measured

if TYPE_CHECKING:
    from gpuval.table.contingency import Contingency


class NoLabelsError(ValueError):
    """Why a column holds no labels: a sentence without its subject, the column."""


class NothingLeftError(NoLabelsError):
    """No sample counts."""


def about_column(column: Series, function: Callable[..., Any], *others: Any) -> Any:
    """Call the function of the column and others; an error says which column it is about."""
    try:
        return function(column, *others)
    except NoLabelsError as error:
        raise type(error)(f"column {column.name!r} {error}") from None


def check_labels(column: Series, ignored: Sequence[Label]) -> None:
    """Check that each sample has a label, unless those without one are ignored, and that none is bytes."""
    check_text(column)
    count = 0 if None in ignored else int(column.isna().sum())
    if count:
        raise NoLabelsError(f"has no label in {count} of {len(column)} rows; --ignore NaN drops those samples")


def check_text(column: Series) -> None:
    """Check that values are no bytes, which are left only where they are no text."""
    from pandas.api.types import infer_dtype

    values = column.cat.categories if hasattr(column.dtype, "categories") else column
    if infer_dtype(values) == "bytes":
        example = next(x for x in values if isinstance(x, bytes) and x.decode(errors="replace").encode() != x)
        raise NoLabelsError(f"has text that is not in UTF-8, such as {example!r}")


def check_values(frame: Frame, option: str, name: str | None) -> None:
    """Check that each sample has a value in the column that an option names, which says what it belongs to."""
    if name is None:
        return
    values = frame[name]
    about_column(values, check_text)
    count = int(values.isna().sum())
    if count:
        raise ValueError(
            f"{option} {name!r} must have a value in every row, got none in {count} of {len(frame)}; fill these in, or "
            "take the rows out of the file"
        )
    example = next(iter(values[values % 1 != 0]), None) if values.dtype.kind == "f" else _measured_number(values)
    if example is not None:
        raise ValueError(f"{option} {name!r} must hold whole numbers or text, got {example}")


def check_not_measured(column: Series) -> None:
    """Check that a column is none of measured numbers, in text, too, or of counts: a pattern takes what it fits.

    Clusters may be called 1.1 and 1.2, or 100 and 200, if their column is named in full.
    """
    example = _measured_number(column)
    if example is not None:
        raise NoLabelsError(f"holds continuous values, such as {example}; give its full name to take them for labels")
    reason = why_measured(column)
    if reason is not None:
        raise NoLabelsError(reason)


def _measured_number(column: Series) -> str | None:
    """The first category of a column of texts that is no whole number, if all of them are numbers; else None."""
    import pandas as pd

    categories = column.cat.categories if hasattr(column.dtype, "categories") else None
    if categories is None or pd.api.types.infer_dtype(categories) != "string":
        return None
    numbers = pd.to_numeric(categories, errors="coerce")
    is_whole = numbers % 1 == 0
    return None if numbers.isna().any() or is_whole.all() else categories[is_whole.argmin()]


def table_of_columns(pred: Series, true: Series, ignored: IgnoredByOptions, weights: Any) -> tuple[Contingency, int]:
    """The table of the samples that count, and how many these are."""
    from gpuval.table.contingency import Contingency

    check_labels(pred, ignored.pred)
    is_counted = ~(has_label(true, ignored.true) | has_label(pred, ignored.pred)) if ignored else None
    if is_counted is not None and not is_counted.any():  # nothing against nothing scores 1, and nobody means that
        raise NothingLeftError(f"has no sample {ignored.that_leave}")
    if weights is not None:
        is_counted = weights > 0 if is_counted is None else is_counted & (weights > 0)
        if not is_counted.any():
            raise NothingLeftError(f"has no sample{f' {ignored.that_leave}' if ignored else ''} of a --weight above 0")
    if is_counted is not None:
        true, pred, weights = true[is_counted], pred[is_counted], None if weights is None else weights[is_counted]
    try:
        return Contingency.from_labels(true, pred, sample_weight=weights), len(pred)
    except (TypeError, ValueError) as error:
        subject, _, rest = str(error).partition(" ")
        if subject == "labels_pred" or pred.name == true.name:
            raise NoLabelsError(rest) from None
        names = {"labels_true": f"column {true.name!r}", "sample_weight": "--weight"}
        raise ValueError(f"{names.get(subject, subject)} {rest}") from None


def as_given(column: Series, ignored: Sequence[Label]) -> Series:
    """A column with the labels that are ignored missing, as the library takes them."""
    return column.astype("category").where(~has_label(column, ignored)) if ignored else column
