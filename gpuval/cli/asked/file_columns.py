"""Which columns of which file: the argument and the options of commands that read labels."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import click

from gpuval.cli.asked.metrics import AskedMetrics, metric_names
from gpuval.cli.asked.options import column_option, read_separator
from gpuval.cli.commands.completion import complete_columns, complete_embeddings


@dataclass(frozen=True)
class AskedColumns:
    """The file and the columns, as the command line names them."""

    file: Path
    true: str | None
    preds: Sequence[str]
    embeddings: Sequence[str]
    ignore: Sequence[str]
    weight: str | None
    by: str | None
    groups: str | None
    separator: str | None

    def check(self) -> None:
        """Check that there is something to evaluate clusters by."""
        if self.true is None and not self.embeddings:
            raise click.UsageError("missing option '--true', or '--embedding' for internal measures alone")

    def metrics(self, texts: Sequence[str]) -> AskedMetrics:
        """The measures that the texts of --metrics ask for, of what there is."""
        return metric_names(
            texts,
            has_truth=self.true is not None,
            has_samples=bool(self.embeddings),
            has_weights=self.weight is not None,
        )


_OPTIONS = (
    click.argument("file", type=click.Path(path_type=Path, allow_dash=True)),
    column_option("--true", "The true labels. With --embedding they may be left out, for internal measures alone."),
    click.option(
        "--pred",
        "preds",
        required=True,
        multiple=True,
        metavar="COLUMN",
        shell_complete=complete_columns,
        help="Clusters: a column, or a pattern of columns such as 'leiden_*'; may be repeated. A pattern leaves out "
        "columns that are no labels (continuous values, labels that are missing), and stderr says which and why.",
    ),
    click.option(
        "--embedding",
        "embeddings",
        multiple=True,
        metavar="KEY",
        shell_complete=complete_embeddings,
        help="Where the samples are, for internal measures too, such as silhouettes: a key of obsm in .h5ad and .zarr "
        "(X_pca, or pca for short), else columns of numbers, by a pattern such as 'PC_*' or repeated. Internal scores "
        "have no intervals.",
    ),
    click.option(
        "--ignore",
        multiple=True,
        metavar="LABEL",
        help="Drop the samples with this label on either side; may be repeated. -1 is the number as "
        "well as the text. NaN is a missing label as well as the text, '' a missing label only.",
    ),
    column_option("--weight", "Sample weights."),
    column_option(
        "--by",
        "Score the samples of each value of this column, such as a batch, apart. Values without samples that count are "
        "left out, and stderr says which.",
    ),
    column_option(
        "--groups",
        "The group of each sample, such as its donor: intervals are of other groups, not of other samples of these.",
    ),
    click.option(
        "--delimiter",
        "separator",
        metavar="CHARACTER",
        callback=read_separator,
        help="What separates the fields of a text, where it is not the tab of .tsv or the comma of others: ';', 'tab', "
        "...",
    ),
)


def column_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The argument and the options that name columns of a file; the command takes them together, as ``named``."""

    @functools.wraps(command)
    def with_columns(*arguments: Any, **given: Any) -> Any:
        own = {x.name: given.pop(x.name) for x in fields(AskedColumns)}
        return command(*arguments, named=AskedColumns(**own), **given)

    for option in reversed(_OPTIONS):
        with_columns = option(with_columns)
    return with_columns
