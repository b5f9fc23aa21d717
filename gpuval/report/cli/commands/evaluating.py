"""The commands: ``evaluate`` for the columns of a file, ``demo`` for the labels that come with gpuval, ``metrics``."""

from __future__ import annotations

import sys
import textwrap
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import click

from gpuval import __version__
from gpuval.report.cli.columns import check_column, check_fit, matching_columns
from gpuval.report.cli.formats import write
from gpuval.report.cli.ignored_labels import absent, meanings_of
from gpuval.report.cli.messages import errors_as_messages, say
from gpuval.report.cli.options import (
    check_intervals,
    confidence_option,
    format_option,
    metric_names,
    metrics_option,
    read_separator,
    resamples_option,
    seed_option,
)
from gpuval.report.cli.scoring import WhatToScore, score_columns
from gpuval.report.cli.stderr import show
from gpuval.report.cli.terminal import terminal_width
from gpuval.report.files import open_labels
from gpuval.report.results.directions import better

_CREDIT = """\
700 cells of 10x Genomics' PBMC 68k (Zheng et al. 2017, Nature Communications 8:14049), the subset
distributed with scanpy (BSD-3-Clause; Wolf, Angerer and Theis 2018): louvain against bulk_labels
"""


def _examples(*lines: str) -> str:
    return "\n".join(["\b", "Examples:", *(f"  gpuval {line}" for line in lines)])


@click.group(
    invoke_without_command=True,
    epilog=_examples("demo", "metrics", "evaluate cells.h5ad --true cell_type --pred 'leiden_*' --metrics all"),
)
@click.version_option(__version__, message="gpuval %(version)s")
@click.pass_context
def commands(context: click.Context) -> None:
    """Compare clusterings with true labels, by every external measure."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


@commands.command(
    short_help="Score columns of labels in a file.",
    epilog=_examples(
        "evaluate labels.csv --true cell_type --pred louvain",
        "evaluate cells.h5ad --true cell_type --pred 'leiden_*' --format csv",
        "evaluate labels.parquet --true y --pred hdbscan --ignore -1",
        "evaluate cells.h5ad --true cell_type --pred 'leiden_*' --confidence 0.95 --groups donor",
    ),
)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--true", "true", required=True, metavar="COLUMN", help="The true labels.")
@click.option(
    "--pred",
    "preds",
    required=True,
    multiple=True,
    metavar="COLUMN",
    help="Clusters: a column, or a pattern of columns such as 'leiden_*'; may be repeated. A pattern leaves out "
    "columns that are no labels (continuous values, labels that are missing), and stderr says which and why.",
)
@click.option(
    "--ignore",
    multiple=True,
    metavar="LABEL",
    help="Drop the samples with this label on either side; may be repeated. -1 is the number as "
    "well as the text. NaN is a missing label as well as the text, '' a missing label only.",
)
@click.option("--weight", metavar="COLUMN", help="Sample weights.")
@click.option("--by", metavar="COLUMN", help="Score the samples of each value of this column, such as a batch, apart.")
@click.option(
    "--groups",
    metavar="COLUMN",
    help="The group of each sample, such as its donor: intervals are of other groups, not of other samples of these.",
)
@click.option(
    "--delimiter",
    "separator",
    metavar="CHARACTER",
    callback=read_separator,
    help="What separates the fields of a .csv or .tsv file, where it is not the comma or the tab: ';', 'tab', ...",
)
@metrics_option
@confidence_option
@resamples_option
@seed_option
@format_option
@click.pass_context
def evaluate(
    context: click.Context,
    file: Path,
    true: str,
    preds: tuple[str, ...],
    ignore: tuple[str, ...],
    weight: str | None,
    by: str | None,
    groups: str | None,
    separator: str | None,
    metrics: tuple[str, ...],
    confidence: float | None,
    n_resamples: int,
    seed: int,
    form: str,
) -> None:
    """Score columns of clusters in FILE against a column of true labels.

    FILE is .csv or .tsv (also .gz), .parquet, or the .h5ad of AnnData, whose columns are those of
    obs. Only the columns that are named are read. It must be a file, not a pipe.

    In .csv and .tsv files, which are in UTF-8, labels are what is written, and only an empty field
    is a missing label: NA, None and nan are labels like any other. Blank lines are no rows.

    The exit code is 0, 2 after a mistake (one line on stderr says which), 1 where the output cannot
    be written, and 130 after an interrupt.
    """
    check_intervals(context)
    with errors_as_messages():
        wanted = metric_names(metrics)
        labels = open_labels(file, separator)
        columns = labels.columns()
        for name, option in [(true, "--true"), (weight, "--weight"), (by, "--by"), (groups, "--groups")]:
            if name is not None:
                check_column(name, option, columns, file, labels.notes)
        names = matching_columns(preds, columns, {true, weight, by, groups}, file, labels.notes)
        others = [name for name in (by, groups) if name is not None]
        unfit = labels.unfit([true, *names, *others])
        check_fit([true, *preds, *others], unfit)
        fit = [name for name in names if name not in unfit]
        frame = labels.read([true, *fit, *others], weight)
        ignored = [label for text in ignore for label in meanings_of(text)]
        asked = WhatToScore(wanted, ignored, weight, by, groups, confidence, n_resamples, seed)
        found = score_columns(frame, true, fit, preds, asked)
        left_out = {name: f"has {what}" for name, what in unfit.items()} | dict(found.left_out)
        if not found.scores:
            reasons = "; ".join(f"column {name!r} {why}" for name, why in list(left_out.items())[:3])
            raise ValueError(f"--pred matches no column of labels: {reasons}")
        absent_labels = absent(frame, [true, *fit], ignore)
    notes = [
        *labels.notes,
        *(f"--pred leaves out column {name!r}, which {why}" for name, why in left_out.items()),
        *(f"--ignore {label!r} drops nothing: no label is that" for label in absent_labels),
    ]
    for note in notes:
        say(note)
    write(found.scores, form, found.best, by)


@commands.command(
    short_help="Score the clusters of 700 blood cells.",
    epilog=_examples("demo", "demo --metrics all --format markdown"),
)
@metrics_option
@confidence_option
@resamples_option
@seed_option
@format_option
@click.pass_context
def demo(
    context: click.Context, metrics: tuple[str, ...], confidence: float | None, n_resamples: int, seed: int, form: str
) -> None:
    """Score the clusters of 700 blood cells, which come with gpuval, against their types."""
    check_intervals(context)
    data = files("gpuval.report") / "data" / "pbmc68k_reduced.csv"
    with errors_as_messages(), as_file(data) as path:
        asked = WhatToScore(metric_names(metrics), level=confidence, n_resamples=n_resamples, seed=seed)
        frame = open_labels(path).read(["bulk_labels", "louvain"])
        found = score_columns(frame, "bulk_labels", ["louvain"], ["louvain"], asked)
    _write_credit()
    write(found.scores, form)


def _write_credit() -> None:
    width = terminal_width(sys.stderr)
    lines = textwrap.wrap(_CREDIT, width, break_long_words=False, break_on_hyphens=False)
    show(_CREDIT if len(lines) == 1 else "".join(f"{line}\n" for line in lines))


@commands.command("metrics", short_help="List the measures.")
def list_metrics() -> None:
    """List the measures, with what each of them says, and which scores are the better ones."""
    from gpuval.report.clustering.registry import METRICS

    formatter = click.HelpFormatter(width=terminal_width(sys.stdout))
    formatter.write_dl([(name, _summary(name, score)) for name, score in METRICS.items()], 40)
    click.echo(formatter.getvalue(), nl=False)


def _summary(name: str, score: Any) -> str:
    text = next(iter((score.__doc__ or "").strip().splitlines()), "")
    direction = better(name)
    return f"{text} ({direction} is better)" if direction else text
