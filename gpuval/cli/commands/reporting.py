"""The command ``report``: a page about the columns of a file."""

from __future__ import annotations

from pathlib import Path

import click

from gpuval.cli.asked.file_columns import AskedColumns, column_options
from gpuval.cli.asked.options import (
    metrics_option,
    page_confidence_option,
    page_option,
    resamples_option,
    seed_option,
)
from gpuval.cli.commands.completion import complete_columns
from gpuval.cli.commands.examples import examples
from gpuval.cli.messages import errors_as_messages, say
from gpuval.cli.output.destination import page_destination
from gpuval.cli.scoring.pages import give_report, report_of_columns
from gpuval.cli.scoring.reading import read_named_columns
from gpuval.cli.scoring.scored import WhatToScore
from gpuval.cli.steps import Steps


@click.command(
    "report",
    short_help="Make an HTML page about clusters in a file.",
    epilog=examples(
        "report labels.csv --true cell_type --pred 'leiden_*' -o report.html",
        "report cells.h5ad --true cell_type --pred 'leiden_*' --embedding X_pca --by batch -o report.html",
        "report labels.csv --true cell_type --pred 'leiden_*' --details leiden_1.0 --metrics ari,ami -o report.html",
    ),
)
@column_options
@metrics_option
@page_confidence_option
@resamples_option
@seed_option
@click.option(
    "--details",
    multiple=True,
    metavar="COLUMN",
    shell_complete=complete_columns,
    help="The column, or a pattern of columns, whose classes and clusters are shown one by one; may be repeated. By "
    "default the best column.",
)
@click.option("--title", metavar="TEXT", help="The title of the page.")
@page_option
def report(
    named: AskedColumns,
    metrics: tuple[str, ...],
    confidence: float | None,
    n_resamples: int,
    seed: int,
    details: tuple[str, ...],
    title: str | None,
    output: Path | None,
) -> None:
    """Make a page about the clusters in FILE: a summary in words, scores, plots, and each class and cluster.

    The page is one HTML file that needs no network. Without --output, it is opened in a browser. The summary in words
    is also written on standard output. FILE is any file that 'gpuval evaluate' reads.
    """
    named.check()
    if confidence is None and named.groups is not None:
        raise click.UsageError("--groups needs --confidence: groups are used only for intervals")
    with errors_as_messages(), Steps() as steps:
        wanted = named.metrics(metrics)
        target = page_destination(output, named.file)
        columns = read_named_columns(named, steps)
        level = confidence if named.true is not None else None
        beside = named.weight, named.by, named.groups
        asked = WhatToScore(wanted, columns.ignored, *beside, level, n_resamples, seed, columns.samples)
        about = {"file": str(named.file)} | ({} if columns.samples is None else {"embedding": columns.samples.name})
        ignored = " ".join(f"{option} {text!r}" for option, texts in named.ignored.items() for text in texts)
        about |= {"options of labels": ignored} if ignored else {}
        found, notes = report_of_columns(named, columns, asked, details, about, title, steps)
    for note in notes:
        say(note)
    give_report(found, target)
