"""The command ``evaluate``: scores of the columns of a file."""

from __future__ import annotations

from pathlib import Path

import click

from gpuval.cli.asked.file_columns import AskedColumns, column_options
from gpuval.cli.asked.metrics import AskedMetrics
from gpuval.cli.asked.options import (
    check_intervals,
    confidence_option,
    format_option,
    metrics_option,
    output_option,
    resamples_option,
    seed_option,
)
from gpuval.cli.commands.examples import examples
from gpuval.cli.messages import errors_as_messages, say
from gpuval.cli.output.destination import destination
from gpuval.cli.output.formats import rendered
from gpuval.cli.scoring.columns import score_columns
from gpuval.cli.scoring.reading import check_any_labels, notes_about, read_named_columns
from gpuval.cli.scoring.scored import WhatToScore
from gpuval.cli.steps import Steps


@click.command(
    short_help="Score clusters in a file, one column or several.",
    epilog=examples(
        "evaluate labels.csv --true cell_type --pred louvain",
        "evaluate cells.h5ad --true cell_type --pred 'leiden_*' -o scores.csv",
        "evaluate cells.zarr --true cell_type --pred 'leiden_*' --embedding X_pca",
        "evaluate labels.csv --pred 'leiden_*' --embedding 'PC_*' --metrics asw,ch,db",
        "evaluate labels.parquet --true y --pred hdbscan --ignore -1",
        "evaluate cells.h5ad --true cell_type --pred 'leiden_*' --confidence 0.95 --groups donor",
        "evaluate - --true cell_type --pred louvain --format json < labels.csv",
    ),
)
@column_options
@metrics_option
@confidence_option
@resamples_option
@seed_option
@format_option
@output_option
@click.pass_context
def evaluate(
    context: click.Context,
    named: AskedColumns,
    metrics: tuple[str, ...],
    confidence: float | None,
    n_resamples: int,
    seed: int,
    form: str | None,
    output: Path | None,
) -> None:
    """Score the clusters in columns of FILE against a column of true labels, or by an embedding.

    FILE is .csv or .tsv (also with .gz), .parquet, or the .h5ad or .zarr of AnnData, whose columns
    are those of obs. Only the named columns are read. - is standard input; it must be text, which
    may be compressed, and so must any other pipe.

    Text must be in UTF-8. Labels are read as they are written, without the blanks around them: only
    an empty field is a missing label, and NA, None and nan are labels like any other. Blank lines
    are skipped.

    The exit code is 0 on success, 2 after a mistake (one line on stderr explains it), 1 if the
    output cannot be written, and 130 after an interrupt.
    """
    check_intervals(context)
    named.check()
    if named.true is None and confidence is not None:
        raise click.UsageError("--confidence needs --true: internal scores have no intervals")
    with errors_as_messages(), Steps() as steps:
        wanted = named.metrics(metrics)
        _check_level(confidence, wanted)
        target = destination(output, form, named.file)
        columns = read_named_columns(named, steps)
        beside = named.weight, named.by, named.groups
        asked = WhatToScore(wanted, columns.ignored, *beside, confidence, n_resamples, seed, columns.samples)
        found = score_columns(columns.frame, named.true, columns.names, named.preds, asked, steps)
        left_out = columns.all_left_out(found.left_out)
        check_any_labels(found.scores, left_out)
        notes = notes_about(named, columns, left_out, found.notes)
    for note in notes:
        say(note)
    target.write(rendered(found.scores, target.form, target.paper, found.best, named.by))


def _check_level(confidence: float | None, wanted: AskedMetrics) -> None:
    if confidence is not None and wanted.external is not None and not len(wanted.external):
        raise ValueError("--confidence needs an external measure among --metrics: internal scores have no intervals")
