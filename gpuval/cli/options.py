"""Options and examples of commands, and how the values of options are read."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from gpuval.cli.completion import complete_columns, complete_metrics
from gpuval.cli.formats import FORMS


def examples(*lines: str, more: str = "") -> str:
    """Command lines below the help of a command, as they stand: click would fill them. A test runs each of them."""
    return "\n".join(["\b", "Examples:", *(f"  gpuval {line}" for line in lines)]) + more


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
    help="The measures to compute: full or short names, separated by commas, or 'all'; may be repeated. 'gpuval "
    "metrics' lists them. By default, the ones that are reported most.",
)
format_option = click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    help="The format of the output. By default the one of the extension of --output, else a table. For people: table "
    "and markdown have a row per metric, or per labeling if there are many, and say whether higher or lower scores are "
    "better. For programs: json has an object per labeling, csv a row per labeling, both with all digits; they have "
    "n_classes, n_clusters, n_samples (the rows that count: not dropped by --ignore, and with a weight above 0), "
    "n_dropped (the other rows), and the metrics by their names. Control characters in names of columns are escaped, "
    "and csv puts an apostrophe before names that a spreadsheet would compute.",
)
output_option = click.option(
    "-o",
    "--output",
    "output",
    type=click.Path(path_type=Path, readable=False),
    metavar="FILE",
    help="Write into this file instead of standard output. Its extension gives the format: .csv, .json, .md (markdown) "
    "or .txt (table); with --format, any name. The file appears only when it is complete.",
)

confidence_option = click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    metavar="LEVEL",
    help="Add confidence intervals to the scores, of a level such as 0.95: by the bootstrap for measures of pairs and "
    "matching, by the jackknife for others and with --groups. json then has score, low and high of each metric, and "
    "csv the columns METRIC.low and METRIC.high; table and markdown also say which labeling is the "
    "best, and by how much.",
)
resamples_option = click.option(
    "--resamples",
    "n_resamples",
    type=click.IntRange(min=1),
    default=999,
    show_default=True,
    help="The number of random tables that the bootstrap draws.",
)
seed_option = click.option(
    "--seed", type=click.IntRange(min=0), default=0, show_default=True, help="The seed of random numbers."
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
    help="The level of the confidence intervals of the scores, or 'none' for no intervals.",
)
page_option = click.option(
    "-o",
    "--output",
    "output",
    type=click.Path(path_type=Path, readable=False),
    metavar="FILE",
    help="Write the page into this file, such as report.html; - is standard output. The file appears only when it is "
    "complete. Without this option, a browser shows the page from a temporary file.",
)

_FOR_INTERVALS = {
    "groups": ("--groups", "groups are used only for intervals"),
    "n_resamples": ("--resamples", "tables are drawn only for intervals"),
    "seed": ("--seed", "random numbers are used only for intervals"),
}


def check_intervals(context: click.Context) -> None:
    """Check that no option of intervals was given without --confidence."""
    if context.params["confidence"] is not None:
        return
    for name, (option, why) in _FOR_INTERVALS.items():
        if context.get_parameter_source(name) not in (None, ParameterSource.DEFAULT):
            raise click.UsageError(f"{option} needs --confidence: {why}")


def _read_delimiter(context: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
    """The character that --delimiter stands for."""
    if text is None:
        return None
    separator = {"tab": "\t", "\\t": "\t"}.get(text.lower(), text)
    if len(separator) != 1 or not separator.isascii() or separator in '"\r\n\0':
        raise click.BadParameter("it must be one ASCII character other than a quote, such as ';', or the word 'tab'.")
    return separator


delimiter_option = click.option(
    "--delimiter",
    "separator",
    metavar="CHARACTER",
    callback=_read_delimiter,
    help="The character between the fields of a text file, such as ';' or 'tab'. By default a tab in .tsv, and a "
    "comma in other files.",
)
