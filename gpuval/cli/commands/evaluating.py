"""The command ``evaluate``: scores of the columns of a file."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from gpuval.cli.asked.columns import check_fit
from gpuval.cli.asked.embedding import embedding_names
from gpuval.cli.asked.ignored_labels import absent, meanings_of
from gpuval.cli.asked.metrics import AskedMetrics, metric_names
from gpuval.cli.asked.options import (
    check_intervals,
    column_option,
    confidence_option,
    format_option,
    metrics_option,
    output_option,
    read_separator,
    resamples_option,
    seed_option,
)
from gpuval.cli.commands.completion import complete_columns, complete_embeddings
from gpuval.cli.commands.examples import examples
from gpuval.cli.files import open_labels
from gpuval.cli.messages import errors_as_messages, say
from gpuval.cli.output.destination import destination
from gpuval.cli.output.formats import rendered
from gpuval.cli.scoring.columns import score_columns
from gpuval.cli.scoring.report import Embedding, Report, WhatToScore
from gpuval.cli.steps import Steps
from gpuval.evaluation._common.columns import check_column, matching_columns


@click.command(
    short_help="Score columns of labels in a file.",
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
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@column_option("--true", "The true labels. With --embedding they may be left out, for internal measures alone.")
@click.option(
    "--pred",
    "preds",
    required=True,
    multiple=True,
    metavar="COLUMN",
    shell_complete=complete_columns,
    help="Clusters: a column, or a pattern of columns such as 'leiden_*'; may be repeated. A pattern leaves out "
    "columns that are no labels (continuous values, labels that are missing), and stderr says which and why.",
)
@click.option(
    "--embedding",
    "embeddings",
    multiple=True,
    metavar="KEY",
    shell_complete=complete_embeddings,
    help="Where the samples are, for internal measures too, such as silhouettes: a key of obsm in .h5ad and .zarr "
    "(X_pca, or pca for short), else columns of numbers, by a pattern such as 'PC_*' or repeated. Internal scores have "
    "no intervals.",
)
@click.option(
    "--ignore",
    multiple=True,
    metavar="LABEL",
    help="Drop the samples with this label on either side; may be repeated. -1 is the number as "
    "well as the text. NaN is a missing label as well as the text, '' a missing label only.",
)
@column_option("--weight", "Sample weights.")
@column_option(
    "--by",
    "Score the samples of each value of this column, such as a batch, apart. Values without samples that count are "
    "left out, and stderr says which.",
)
@column_option(
    "--groups",
    "The group of each sample, such as its donor: intervals are of other groups, not of other samples of these.",
)
@click.option(
    "--delimiter",
    "separator",
    metavar="CHARACTER",
    callback=read_separator,
    help="What separates the fields of a text, where it is not the tab of .tsv or the comma of others: ';', 'tab', ...",
)
@metrics_option
@confidence_option
@resamples_option
@seed_option
@format_option
@output_option
@click.pass_context
def evaluate(
    context: click.Context,
    file: Path,
    true: str | None,
    preds: tuple[str, ...],
    embeddings: tuple[str, ...],
    ignore: tuple[str, ...],
    weight: str | None,
    by: str | None,
    groups: str | None,
    separator: str | None,
    metrics: tuple[str, ...],
    confidence: float | None,
    n_resamples: int,
    seed: int,
    form: str | None,
    output: Path | None,
) -> None:
    """Score columns of clusters in FILE against a column of true labels, or by an embedding.

    FILE is .csv or .tsv (also .gz), .parquet, or the .h5ad or .zarr of AnnData, whose columns are
    those of obs. Only what is named is read. - is standard input: text, also compressed, as from any
    other pipe.

    In text, which is in UTF-8, labels are what is written, and only an empty field is a missing
    label: NA, None and nan are labels like any other. Blank lines are no rows.

    The exit code is 0, 2 after a mistake (one line on stderr says which), 1 where the output cannot
    be written, and 130 after an interrupt.
    """
    check_intervals(context)
    _check_truth(true, embeddings, confidence)
    with errors_as_messages(), Steps() as steps:
        wanted = metric_names(
            metrics, has_truth=true is not None, has_samples=bool(embeddings), has_weights=weight is not None
        )
        _check_level(confidence, wanted)
        target = destination(output, form, file)
        steps.begin("opening")
        labels = open_labels(file, separator, steps.advance)
        columns = labels.columns()
        others: dict[str, str] = {}
        for option, name in {"--true": true, "--weight": weight, "--by": by, "--groups": groups}.items():
            if name is not None:
                check_column(name, option, columns, labels.name, labels.notes)
                others.setdefault(name, option)
        of_samples = []
        if embeddings:
            of_samples = embedding_names(embeddings, labels, columns, dict.fromkeys(preds, "--pred") | others)
        others |= {} if labels.has_keys else dict.fromkeys(of_samples, "--embedding")
        asked_for = [matching_columns(x, "--pred", columns, others, labels.name, labels.notes) for x in preds]
        names = list(dict.fromkeys(name for found in asked_for for name in found))
        beside = [name for name in (true, by, groups) if name is not None]
        unfit = labels.unfit([*beside, *names])
        check_fit([*beside, *preds], unfit)
        fit = [name for name in names if name not in unfit]
        steps.begin("reading", labels.n_bytes)
        frame = labels.read([*beside, *fit], weight)
        samples = None
        if embeddings:
            steps.begin("reading the embedding", labels.n_bytes)
            X = labels.embedding(of_samples)
            samples = Embedding(", ".join(embeddings), X, () if labels.has_keys else of_samples)
        ignored = [label for text in ignore for label in meanings_of(text)]
        asked = WhatToScore(wanted, ignored, weight, by, groups, confidence, n_resamples, seed, samples)
        found = score_columns(frame, true, fit, preds, asked, steps)
        left_out = {name: f"has {what}" for name, what in unfit.items()} | dict(found.left_out)
        _check_any_scores(found, left_out)
        absent_labels = absent(frame, [name for name in (true, *fit) if name is not None], ignore)
    notes = [
        *labels.notes,
        *(f"--pred leaves out column {name!r}, which {why}" for name, why in left_out.items()),
        *found.notes,
        *(f"--ignore {label!r} drops nothing: no label is that" for label in absent_labels),
    ]
    for note in notes:
        say(note)
    target.write(rendered(found.scores, target.form, target.paper, found.best, by))


def _check_truth(true: str | None, embeddings: Sequence[str], confidence: float | None) -> None:
    if true is not None:
        return
    if not embeddings:
        raise click.UsageError("missing option '--true', or '--embedding' for internal measures alone")
    if confidence is not None:
        raise click.UsageError("--confidence needs --true: internal scores have no intervals")


def _check_level(confidence: float | None, wanted: AskedMetrics) -> None:
    if confidence is not None and wanted.external is not None and not len(wanted.external):
        raise ValueError("--confidence needs a measure of true labels among --metrics: internal scores have none")


def _check_any_scores(found: Report, left_out: dict[str, str]) -> None:
    if not found.scores:
        reasons: Sequence[str] = [f"column {name!r} {why}" for name, why in list(left_out.items())[:3]]
        raise ValueError(f"--pred matches no column of labels: {'; '.join(reasons)}")
