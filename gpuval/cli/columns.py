"""The file and the columns that a command line names: its options, what they stand for, and checks of what is read."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import click

from gpuval.cli.completion import complete_columns, complete_embeddings
from gpuval.cli.files import open_labels
from gpuval.cli.files.columns import Frame, LabelFile, Matrix, Series
from gpuval.cli.ignored_labels import IgnoreOptions, absent
from gpuval.cli.options import column_option, delimiter_option
from gpuval.cli.requests import Embedding, MetricsRequest, metric_names
from gpuval.cli.terminal import Steps
from gpuval.inputs.columns import check_column, find_columns, name_hints
from gpuval.reporting.coordinates import Coordinates, axis_names, first_columns, key_to_draw


@dataclass(frozen=True)
class ColumnRequest:
    """The file and the columns, as the command line names them."""

    file: Path
    true: Sequence[str]
    """Each is a column, or several with commas between them."""
    preds: Sequence[str]
    embeddings: Sequence[str]
    ignore: Sequence[str]
    ignore_true: Sequence[str]
    ignore_pred: Sequence[str]
    weight: str | None
    by: str | None
    groups: str | None
    separator: str | None
    pred_option: ClassVar[str] = "--pred"
    """What has the columns of clusters."""

    def check(self) -> None:
        """Check that there is something to evaluate clusters by."""
        if not self.true and not self.embeddings:
            raise click.UsageError("missing option '--true', or '--embedding' for internal measures alone")
        if not self.true and self.ignore_true:
            raise click.UsageError("--ignore-true needs '--true', the column whose labels it names")

    @property
    def ignored(self) -> dict[str, Sequence[str]]:
        """The texts of the labels to ignore, by their options."""
        return {"--ignore": self.ignore, "--ignore-true": self.ignore_true, "--ignore-pred": self.ignore_pred}

    def metrics(self, texts: Sequence[str]) -> MetricsRequest:
        """The measures that the texts of --metrics ask for, of what there is."""
        return metric_names(
            texts,
            has_truth=bool(self.true),
            has_samples=bool(self.embeddings),
            has_weights=self.weight is not None,
        )


_OPTIONS = (
    click.argument("file", type=click.Path(path_type=Path, allow_dash=True)),
    click.option(
        "--true",
        multiple=True,
        metavar="COLUMN",
        shell_complete=complete_columns,
        help="The column of the true labels. Several columns, repeated or as a,b, are references that are all valid: "
        "each score is of the one that fits best. With --embedding it may be left out, to compute only internal "
        "measures.",
    ),
    click.option(
        "--pred",
        "preds",
        required=True,
        multiple=True,
        metavar="COLUMN",
        shell_complete=complete_columns,
        help="The column of the clusters, or a pattern for several columns, such as 'leiden_*'; may be repeated. A "
        "pattern leaves out columns without labels (continuous values, or missing labels), and whole numbers that look "
        "like counts, such as n_genes; stderr says which and why.",
    ),
    click.option(
        "--embedding",
        "embeddings",
        multiple=True,
        metavar="KEY",
        shell_complete=complete_embeddings,
        help="The coordinates of the samples, which add internal measures, such as silhouettes: in .h5ad and .zarr a "
        "key of obsm (X_pca, or pca for short), in other files columns of numbers, by a pattern such as 'PC_*'; may be "
        "repeated. Internal scores have no intervals.",
    ),
    click.option(
        "--ignore",
        multiple=True,
        metavar="LABEL",
        help="Drop the samples with this label, among the true labels or the clusters; may be repeated. -1 stands for "
        "the number and the text. NaN stands for a missing label and the text, '' only for a missing label.",
    ),
    click.option(
        "--ignore-true",
        multiple=True,
        metavar="LABEL",
        help="The same for the true labels alone, as for a reference that calls noise 0: clusters called 0 are kept.",
    ),
    click.option(
        "--ignore-pred",
        multiple=True,
        metavar="LABEL",
        help="The same for the clusters alone, such as noise, -1.",
    ),
    column_option("--weight", "The column of the weights of the samples."),
    column_option(
        "--by",
        "Score the samples of each value of this column, such as a batch, separately. Values without samples that "
        "count are left out; stderr says which.",
    ),
    column_option(
        "--groups",
        "The column of the group of each sample, such as its donor: intervals then say how much scores would vary with "
        "other groups, instead of other samples of the same groups.",
    ),
    delimiter_option,
)


def column_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The argument and the options that name columns of a file; the command takes them together, as ``named``."""

    @functools.wraps(command)
    def with_columns(*arguments: Any, **given: Any) -> Any:
        own = {x.name: given.pop(x.name) for x in fields(ColumnRequest)}
        return command(*arguments, named=ColumnRequest(**own), **given)

    for option in reversed(_OPTIONS):
        with_columns = option(with_columns)
    return with_columns


# Reads and checks the columns that a command line names.


class ReadColumns(NamedTuple):
    """What was read."""

    frame: Frame
    trues: Sequence[str]
    """The columns of true labels."""
    names: Sequence[str]
    """The columns of clusters."""
    unfit: Mapping[str, str]
    """What columns hold that are no labels by their type."""
    samples: Embedding | None
    coordinates: Coordinates | None
    """Where a page draws the samples."""
    ignored: IgnoreOptions
    notes: Sequence[str]
    """What is to be said of the file."""

    def all_left_out(self, others: Mapping[str, str]) -> dict[str, str]:
        """Why columns are left out that a pattern matches: these, and others."""
        return {name: f"has {what}" for name, what in self.unfit.items()} | dict(others)


def read_named_columns(asked: ColumnRequest, steps: Steps, coordinates: Sequence[str] | None = None) -> ReadColumns:
    """Read what is named, and nothing else; for a page also the coordinates that are named, or that are made for it."""
    steps.begin("opening")
    labels = open_labels(asked.file, asked.separator, steps.advance)
    columns = labels.columns()
    others: dict[str, str] = {}
    trues = list(dict.fromkeys(x for text in asked.true for x in ([text] if text in columns else text.split(","))))
    beside_trues = {"--weight": asked.weight, "--by": asked.by, "--groups": asked.groups}
    for option, name in [*(("--true", x) for x in trues), *beside_trues.items()]:
        if name is not None:
            check_column(name, option, columns, labels.name, labels.notes)
            others.setdefault(name, option)
    of_samples = []
    if asked.embeddings:
        of_samples = _embedding_names(asked.embeddings, labels, columns, dict.fromkeys(asked.preds, "--pred") | others)
    others |= {} if labels.has_keys else dict.fromkeys(of_samples, "--embedding")
    drawn = _coordinate_names(coordinates, of_samples, labels, columns, others)
    others |= {} if labels.has_keys else {x: "--coordinates" for x in drawn if x not in others}
    matches = [find_columns(x, asked.pred_option, columns, others, labels.name, labels.notes) for x in asked.preds]
    names = list(dict.fromkeys(name for found in matches for name in found))
    beside = [name for name in (*trues, asked.by, asked.groups) if name is not None]
    unfit = labels.unfit([*beside, *names])
    check_fit([*beside, *asked.preds], unfit)
    fit = [name for name in names if name not in unfit]
    steps.begin("reading", labels.n_bytes)
    frame = labels.read([*beside, *fit], asked.weight)
    samples = None
    if asked.embeddings:
        steps.begin("reading the embedding", labels.n_bytes)
        X = labels.embedding(of_samples)
        samples = Embedding(", ".join(asked.embeddings), X, () if labels.has_keys else of_samples)
    drawn_at = None
    if drawn and samples is not None and list(drawn) == list(of_samples[: len(drawn)]):
        drawn_at = _coordinates(samples.X, drawn)
    elif drawn:
        steps.begin("reading coordinates", labels.n_bytes)
        drawn_at = _coordinates(labels.embedding(drawn), drawn)
    ignored = IgnoreOptions.from_texts(asked.ignored)
    return ReadColumns(frame, trues, fit, unfit, samples, drawn_at, ignored, labels.notes)


def notes_about(
    asked: ColumnRequest, columns: ReadColumns, left_out: Mapping[str, str], others: Sequence[str]
) -> list[str]:
    """What there is to say of the columns that were read: of the file, of columns left out, and of labels to ignore."""
    trues = columns.trues
    sides = {"--ignore": [*trues, *columns.names], "--ignore-true": trues, "--ignore-pred": columns.names}
    return [
        *columns.notes,
        *(f"{asked.pred_option} leaves out column {name!r}, which {why}" for name, why in left_out.items()),
        *others,
        *(
            f"{option} {text!r} drops nothing: no label is that"
            for option, texts in asked.ignored.items()
            for text in absent(columns.frame, sides[option], texts)
        ),
    ]


def check_any_labels(found: object, left_out: Mapping[str, str], option: str = ColumnRequest.pred_option) -> None:
    """Check that a column of clusters is left."""
    if not found:
        reasons: Sequence[str] = [f"column {name!r} {why}" for name, why in list(left_out.items())[:3]]
        raise ValueError(f"{option} matches no column of labels: {'; '.join(reasons)}")


# Reads --embedding: a key of obsm, or columns of numbers.


def _coordinate_names(
    texts: Sequence[str] | None,
    of_samples: Sequence[str],
    labels: LabelFile,
    columns: Sequence[str],
    others: Mapping[str, str],
) -> Sequence[str]:
    """The key, or the two columns, of --coordinates; else what is made to be drawn, or the first of --embedding."""
    if texts is None:
        return []
    if not texts:
        key = key_to_draw(labels.keys())
        return of_samples[: 1 if labels.has_keys else 2] if key is None else [key]
    found = _embedding_names(texts, labels, columns, others, "--coordinates")
    if not labels.has_keys and len(found) != 2:
        raise ValueError(f"--coordinates must be two columns, got {', '.join(map(repr, found))}")
    return found


def _coordinates(X: Matrix, names: Sequence[str]) -> Coordinates | None:
    """The first two columns of a matrix, called by its key or by the names of its columns."""
    found = first_columns(X)
    return None if found is None else found._replace(names=axis_names(names))


def _embedding_names(
    texts: Sequence[str],
    labels: LabelFile,
    columns: Sequence[str],
    others: Mapping[str, str],
    option: str = "--embedding",
) -> list[str]:
    """The key, or the columns, those of a pattern in file order.

    ``others`` are the columns of other options, and which options these are: a pattern leaves them out, and no other
    text may be one of them.
    """
    if labels.has_keys:
        if len(texts) > 1:
            raise ValueError(f"{option} must be one key of obsm in {labels.name}, got {', '.join(map(repr, texts))}")
        return [_key(texts[0], labels, option)]
    found: list[str] = []
    for text in texts:
        found += find_columns(text, option, columns, others, labels.name, labels.notes)
        if text in columns and text in others:
            raise ValueError(f"{option} must be columns of coordinates, got {text!r}, which {others[text]} has")
    return list(dict.fromkeys(found))


def _key(text: str, labels: LabelFile, option: str) -> str:
    """The key that a text stands for: "pca" for "X_pca", too, as in scanpy."""
    keys = labels.keys()
    found = next((key for key in (text, f"X_{text}") if key in keys), None)
    if found is None:
        raise ValueError(f"{option} must be a key of obsm in {labels.name}, got {text!r}{name_hints(text, keys)}")
    return found


# Checks that named columns hold labels, or weights.


def check_fit(named: Sequence[str], unfit: Mapping[str, str]) -> None:
    """Check that no column that is named holds something else than labels."""
    for name, what in unfit.items():
        if name in named:
            raise ValueError(f"column {name!r} has {what}; labels are whole numbers, text, booleans or categories")


def weights_of_column(column: Series) -> Any:
    """The weights in a column; an error shows the first cell that is none."""
    import pandas as pd

    if column.dtype.kind in "mM":
        raise ValueError(f"--weight {column.name!r} must hold numbers, got values of type {column.dtype}")
    given = column.astype(object) if hasattr(column.dtype, "categories") else column
    weights = pd.to_numeric(given, errors="coerce")
    is_good = weights.between(0, math.inf, inclusive="left").fillna(False).to_numpy(dtype=bool)
    if not is_good.all():
        row = int(is_good.argmin())
        cell = "nothing" if pd.isna(given.iloc[row]) else str(given.iloc[row])
        raise ValueError(f"--weight {column.name!r} must hold finite numbers from 0 up, got {cell} in row {row + 1}")
    if not weights.any():
        raise ValueError(f"--weight {column.name!r} must not be 0 everywhere")
    return weights.to_numpy()
