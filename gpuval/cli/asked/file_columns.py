"""The argument and the options of commands that read labels: a file and its columns."""

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
    ignore_true: Sequence[str]
    ignore_pred: Sequence[str]
    weight: str | None
    by: str | None
    groups: str | None
    separator: str | None

    def check(self) -> None:
        """Check that there is something to evaluate clusters by."""
        if self.true is None and not self.embeddings:
            raise click.UsageError("missing option '--true', or '--embedding' for internal measures alone")
        if self.true is None and self.ignore_true:
            raise click.UsageError("--ignore-true needs '--true', the column whose labels it names")

    @property
    def ignored(self) -> dict[str, Sequence[str]]:
        """The texts of the labels to ignore, by their options."""
        return {"--ignore": self.ignore, "--ignore-true": self.ignore_true, "--ignore-pred": self.ignore_pred}

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
    column_option(
        "--true",
        "The column of the true labels. With --embedding it may be left out, to compute only internal measures.",
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
    click.option(
        "--delimiter",
        "separator",
        metavar="CHARACTER",
        callback=read_separator,
        help="The character between the fields of a text file, such as ';' or 'tab'. By default a tab in .tsv, and a "
        "comma in other files.",
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
