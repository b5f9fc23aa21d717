"""The command ``demo``: scores of the cells that come with gpuval."""

from __future__ import annotations

import shlex
import sys
import textwrap
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from pathlib import Path

import click

from gpuval.cli.asked.file_columns import AskedColumns
from gpuval.cli.asked.metrics import metric_names
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
from gpuval.cli.files import open_labels
from gpuval.cli.messages import errors_as_messages, own_command
from gpuval.cli.output.destination import destination, page_destination
from gpuval.cli.output.formats import FORMS_FOR_PEOPLE, rendered
from gpuval.cli.scoring.columns import score_columns
from gpuval.cli.scoring.pages import give_report, report_of_columns
from gpuval.cli.scoring.reading import read_named_columns
from gpuval.cli.scoring.scored import WhatToScore
from gpuval.cli.stderr import show
from gpuval.cli.steps import Steps
from gpuval.cli.terminal import terminal_width

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
        asked = WhatToScore(metric_names(metrics), level=confidence, n_resamples=n_resamples, seed=seed)
        target = destination(output, form)
        frame = open_labels(path).read(["bulk_labels", "louvain"])
        found = score_columns(frame, "bulk_labels", ["louvain"], ["louvain"], asked, steps)
    write_credit("louvain")
    target.write(rendered(found.scores, target.form, target.paper))
    if target.form in FORMS_FOR_PEOPLE:
        sys.stdout.flush()
        write_next(data)


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
        named = AskedColumns(
            file=path,
            true="bulk_labels",
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
        columns = read_named_columns(named, steps)
        level = 0.95 if confidence is None else confidence
        beside = named.weight, named.by, named.groups
        asked = WhatToScore(wanted, columns.ignored, *beside, level, n_resamples, seed, columns.samples)
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


def write_next(data: object) -> None:
    """Say what may be run next, as it stands."""
    lines = ["demo --report", "demo --confidence 0.95", "metrics adjusted_rand_score"]
    if isinstance(data, Path):
        lines.append(f"evaluate {shlex.quote(str(data))} --true bulk_labels --pred louvain --metrics ari,nmi")
    lines.append("evaluate --help")
    show("\nNext:\n" + "".join(f"  {own_command()} {line}\n" for line in lines))
