"""Options that commands share, and what is made of their texts."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from gpuval.cli.commands.completion import complete_columns, complete_metrics
from gpuval.cli.output.formats import FORMS


def column_option(name: str, explanation: str) -> Callable[[Any], Any]:
    """An option that names one column; two of them are an error, where click by itself would take the last."""
    return click.option(
        name, multiple=True, callback=_only_one, metavar="COLUMN", shell_complete=complete_columns, help=explanation
    )


def _only_one(context: click.Context, parameter: click.Parameter, names: tuple[str, ...]) -> str | None:
    if len(names) > 1:
        raise click.BadParameter(f"it must be one column, got {', '.join(map(repr, names))}.")
    return names[0] if names else None


metrics_option = click.option(
    "--metrics",
    multiple=True,
    metavar="NAMES",
    shell_complete=complete_metrics,
    help="Measures, full or short names with commas between them, or 'all'; may be repeated. 'gpuval metrics' lists "
    "them.",
)
format_option = click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    help="By default the one that --output ends in, else a table. json is an object per labeling, csv a row per "
    "labeling, both with all digits: n_classes, n_clusters, n_samples (the rows that count: with labels that --ignore "
    "leaves, and a weight above 0), n_dropped (the others), and the metrics by their names. table and markdown, for "
    "people, have a row per metric, or per labeling where these are many, and say whether higher or lower scores are "
    "the better ones. Control characters in names of columns are written as escapes, and csv has an apostrophe before "
    "names that a spreadsheet would compute.",
)
output_option = click.option(
    "-o",
    "--output",
    "output",
    type=click.Path(path_type=Path, readable=False),
    metavar="FILE",
    help="Write into this file, which is there only when all is written, and not on standard output: .csv, .json, "
    ".md (markdown) or .txt (table), or of any name with --format.",
)

confidence_option = click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="LEVEL",
    help="Intervals beside the scores, at a level such as 0.95: of measures of pairs and matching by the bootstrap, of "
    "others by the jackknife. json has score, low and high of each metric then, csv the columns METRIC.low and "
    "METRIC.high; table and markdown end with which labeling is best, and by how much.",
)
resamples_option = click.option(
    "--resamples",
    "n_resamples",
    type=click.IntRange(min=1),
    default=999,
    show_default=True,
    help="How many tables the bootstrap draws.",
)
seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The seed of what is drawn."
)


def _read_level(context: click.Context, parameter: click.Parameter, text: str) -> float | None:
    """The level of intervals; None for none."""
    if text.lower() == "none":
        return None
    level: Any = text
    return float(click.FloatRange(0, 1, min_open=True, max_open=True).convert(level, parameter, context))


page_confidence_option = click.option(
    "--confidence",
    default="0.95",
    show_default=True,
    metavar="LEVEL",
    callback=_read_level,
    help="The level of the intervals beside scores, or 'none' for no intervals.",
)
page_option = click.option(
    "-o",
    "--output",
    "output",
    type=click.Path(path_type=Path, readable=False),
    metavar="FILE",
    help="Write the page into this file, such as report.html, which is there only when all is written; - is standard "
    "output. Without it a browser shows the page, from a temporary file.",
)

_FOR_INTERVALS = {
    "groups": ("--groups", "groups are drawn for intervals"),
    "n_resamples": ("--resamples", "tables are drawn for intervals"),
    "seed": ("--seed", "it seeds what is drawn for intervals"),
}


def check_intervals(context: click.Context) -> None:
    """Check that no option of intervals was given without --confidence."""
    if context.params["confidence"] is not None:
        return
    for name, (option, why) in _FOR_INTERVALS.items():
        if context.get_parameter_source(name) not in (None, ParameterSource.DEFAULT):
            raise click.UsageError(f"{option} needs --confidence: {why}")


def read_separator(context: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
    """The character that --delimiter stands for."""
    if text is None:
        return None
    separator = {"tab": "\t", "\\t": "\t"}.get(text.lower(), text)
    if len(separator) != 1 or not separator.isascii() or separator in '"\r\n\0':
        raise click.BadParameter("it must be one ASCII character, such as ';', or 'tab', and no quote.")
    return separator
