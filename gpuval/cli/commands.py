"""The commands: the group ``gpuval``, and its ``evaluate``, ``report`` and ``demo``."""

from __future__ import annotations

import shlex
import sys
import textwrap
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from gpuval import __version__
from gpuval.cli.columns import ColumnRequest, check_any_labels, column_options, notes_about, read_named_columns
from gpuval.cli.completion import complete_columns, complete_embeddings
from gpuval.cli.destination import destination, page_destination
from gpuval.cli.files import is_anndata, open_labels
from gpuval.cli.formats import FORMS_FOR_PEOPLE, render
from gpuval.cli.measures import list_metrics
from gpuval.cli.options import (
    check_intervals,
    confidence_option,
    examples,
    format_option,
    metrics_option,
    output_option,
    page_confidence_option,
    page_option,
    resamples_option,
    seed_option,
)
from gpuval.cli.pages import give_report, report_of_columns
from gpuval.cli.requests import MetricsRequest, WhatToScore, metric_names
from gpuval.cli.runs import stability
from gpuval.cli.scoring import score_columns
from gpuval.cli.terminal import Steps, errors_as_messages, own_command, say, show, terminal_width

# The command ``evaluate``: scores of the columns of a file.


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
    named: ColumnRequest,
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
    if not named.true and confidence is not None:
        raise click.UsageError("--confidence needs --true: internal scores have no intervals")
    with errors_as_messages(), Steps() as steps:
        wanted = named.metrics(metrics)
        _check_level(confidence, wanted)
        target = destination(output, form, named.file)
        columns = read_named_columns(named, steps)
        beside = named.weight, named.by, named.groups
        unit = "cell" if is_anndata(named.file) else "sample"
        asked = WhatToScore(wanted, columns.ignored, *beside, confidence, n_resamples, seed, columns.samples, unit)
        found = score_columns(columns.frame, columns.trues, columns.names, named.preds, asked, steps)
        left_out = columns.all_left_out(found.left_out)
        check_any_labels(found.scores, left_out)
        notes = notes_about(named, columns, left_out, found.notes)
    for note in notes:
        say(note)
    target.write(render(found.scores, target.form, target.paper, found.best, named.by, found.emphasis))


def _check_level(confidence: float | None, wanted: MetricsRequest) -> None:
    if confidence is not None and not wanted.has_external:
        raise ValueError("--confidence needs an external measure among --metrics: internal scores have no intervals")


# The command ``report``: a page about the columns of a file.


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
@click.option(
    "--coordinates",
    multiple=True,
    metavar="KEY",
    shell_complete=complete_embeddings,
    help="Where the samples are drawn: in .h5ad and .zarr a key of obsm, by default that of a UMAP, of a t-SNE or of a "
    "drawn graph; in other files two columns. Else the first two of --embedding.",
)
@click.option("--title", metavar="TEXT", help="The title of the page.")
@page_option
def report(
    named: ColumnRequest,
    metrics: tuple[str, ...],
    confidence: float | None,
    n_resamples: int,
    seed: int,
    details: tuple[str, ...],
    coordinates: tuple[str, ...],
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
        columns = read_named_columns(named, steps, coordinates)
        level = confidence if named.true else None
        beside = named.weight, named.by, named.groups
        unit = "cell" if is_anndata(named.file) else "sample"
        asked = WhatToScore(wanted, columns.ignored, *beside, level, n_resamples, seed, columns.samples, unit)
        about = {"file": str(named.file)} | ({} if columns.samples is None else {"embedding": columns.samples.name})
        ignored = " ".join(f"{option} {text!r}" for option, texts in named.ignored.items() for text in texts)
        about |= {"options of labels": ignored} if ignored else {}
        found, notes = report_of_columns(named, columns, asked, details, about, title, steps)
    for note in notes:
        say(note)
    give_report(found, target)


# The command ``demo``: scores of the cells that come with gpuval.

_CREDIT = """\
700 cells of 10x Genomics' PBMC 68k (Zheng et al. 2017, Nature Communications 8:14049), the subset
distributed with scanpy (BSD-3-Clause; Wolf, Angerer and Theis 2018): {} against bulk_labels
"""


@click.command(
    short_help="Try it: score the clusters of 700 blood cells.",
    epilog=examples(
        "demo",
        "demo --report",
        "demo --report -o report.html",
        "demo --metrics all --format markdown",
        "demo --confidence 0.95 -o scores.csv",
    ),
)
@click.option(
    "--report",
    "as_page",
    is_flag=True,
    help="Make a page about these cells, clustered at several resolutions, as 'gpuval report' does for other files. It "
    "is opened in a browser, or written into --output.",
)
@metrics_option
@confidence_option
@resamples_option
@seed_option
@format_option
@output_option
@click.pass_context
def demo(
    context: click.Context,
    as_page: bool,
    metrics: tuple[str, ...],
    confidence: float | None,
    n_resamples: int,
    seed: int,
    form: str | None,
    output: Path | None,
) -> None:
    """Score clusters of 700 blood cells against their cell types. The cells come with gpuval."""
    data = files("gpuval") / "data" / "pbmc68k_reduced.csv"
    if as_page:
        if form is not None:
            raise click.UsageError("--format cannot be given with --report, which is a page of HTML")
        _report(data, metrics, confidence, n_resamples, seed, output)
        return
    check_intervals(context)
    with errors_as_messages(), as_file(data) as path, Steps() as steps:
        asked = WhatToScore(metric_names(metrics), level=confidence, n_resamples=n_resamples, seed=seed, unit="cell")
        target = destination(output, form)
        frame = open_labels(path).read(["bulk_labels", "louvain"])
        found = score_columns(frame, ["bulk_labels"], ["louvain"], ["louvain"], asked, steps)
    write_credit("louvain")
    target.write(render(found.scores, target.form, target.paper, found.best))
    if target.form in FORMS_FOR_PEOPLE:
        sys.stdout.flush()
        _write_next(data)


def _report(
    data: Traversable,
    metrics: tuple[str, ...],
    confidence: float | None,
    n_resamples: int,
    seed: int,
    output: Path | None,
) -> None:
    """Make the page of the cells, which 'gpuval report' would make of a file like theirs."""
    with errors_as_messages(), as_file(data) as path, Steps() as steps:
        named = ColumnRequest(
            file=path,
            true=["bulk_labels"],
            preds=["leiden_*"],
            embeddings=["PC_*"],
            ignore=(),
            ignore_true=(),
            ignore_pred=(),
            weight=None,
            by="phase",
            groups=None,
            separator=None,
        )
        wanted = named.metrics(metrics)
        target = page_destination(output)
        columns = read_named_columns(named, steps, ())
        level = 0.95 if confidence is None else confidence
        beside = named.weight, named.by, named.groups
        asked = WhatToScore(wanted, columns.ignored, *beside, level, n_resamples, seed, columns.samples, "cell")
        about = {"cells": _CREDIT.rpartition(":")[0].replace("\n", " "), "embedding": "PC_*"}
        found, _ = report_of_columns(named, columns, asked, (), about, "700 blood cells", steps)
    write_credit("leiden_*")
    give_report(found, target)


def write_credit(clusters: str) -> None:
    """Say whose labels they are, and which are scored."""
    credit = _CREDIT.format(clusters)
    width = terminal_width(sys.stderr)
    lines = textwrap.wrap(credit, width, break_long_words=False, break_on_hyphens=False)
    show(credit if len(lines) == 1 else "".join(f"{line}\n" for line in lines))


def _write_next(data: object) -> None:
    """Say what may be run next, as it stands."""
    lines = ["demo --report", "demo --confidence 0.95", "metrics adjusted_rand_score"]
    if isinstance(data, Path):
        lines.append(f"evaluate {shlex.quote(str(data))} --true bulk_labels --pred louvain --metrics ari,nmi")
    lines.append("evaluate --help")
    show("\nNext:\n" + "".join(f"  {own_command()} {line}\n" for line in lines))


# The command ``gpuval``, which contains all other commands.

_COMPLETION = """

\b
To complete commands, measures and columns by Tab, run this, or put it into the start-up file of your shell:
  bash  eval "$(_GPUVAL_COMPLETE=bash_source gpuval)"
  zsh   eval "$(_GPUVAL_COMPLETE=zsh_source gpuval)"
  fish  _GPUVAL_COMPLETE=fish_source gpuval | source"""


@click.group(
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=examples(
        "demo",
        "metrics",
        "evaluate cells.h5ad --true cell_type --pred 'leiden_*' --metrics all",
        "report cells.h5ad --true cell_type --pred 'leiden_*' --embedding X_pca -o report.html",
        "stability runs.csv --runs 'leiden_*'",
        more=_COMPLETION,
    ),
)
@click.version_option(__version__, message="gpuval %(version)s")
@click.pass_context
def commands(context: click.Context) -> None:
    """Score clusterings: against true labels, or by the coordinates of the samples."""
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (evaluate, report, stability, demo, list_metrics):
    commands.add_command(command)
