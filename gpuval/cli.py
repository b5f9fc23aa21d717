"""The command line: label columns of a file in, a table of scores out.

A mistake of the user is one line on stderr and exit code 2, never a traceback.
"""

from __future__ import annotations

import csv
import json
import math
import shutil
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from fnmatch import fnmatchcase
from importlib.resources import as_file, files
from io import StringIO
from pathlib import Path
from typing import Any, Literal

import click

from gpuval import __version__, _files
from gpuval._files import Frame, Series

Scores = Mapping[str, Mapping[str, float]]
"""The scores of every labeling: labeling -> metric -> number."""

Metrics = Literal["all"] | list[str] | None

_UNLIMITED = 1 << 20
"""The width of what is no terminal."""

_CREDIT = """\
700 cells of 10x Genomics' PBMC 68k (Zheng et al. 2017, Nature Communications 8:14049), the subset
distributed with scanpy (BSD-3-Clause; Wolf, Angerer and Theis 2018): louvain against bulk_labels
"""


# Running: every way out of a command, as an exit code.


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; where nobody reads on, click exits quietly with 1."""
    try:
        _escape_what_cannot_be_written()
        code = commands.main(arguments, prog_name="gpuval", standalone_mode=False)
    except click.ClickException as error:
        return _fail(error)
    except (click.Abort, KeyboardInterrupt):
        return 130
    return code if isinstance(code, int) else 0


def _escape_what_cannot_be_written() -> None:
    """Show a label in letters that the output does not have as escapes, and do not end there."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def _fail(error: click.ClickException) -> int:
    message = " ".join(error.format_message().split())
    if isinstance(error, click.UsageError):
        command = error.ctx.command_path if error.ctx else "gpuval"
        message = f"{message[:1].lower()}{message[1:].rstrip('.')}; see {command} --help"
    click.echo(f"gpuval: {message}", err=True)
    return 2


@contextmanager
def _mistakes_in_one_line() -> Iterator[None]:
    """Turn what the library says of its input into a message of the command line."""
    try:
        yield
    except (ValueError, TypeError, ImportError) as error:
        raise click.ClickException(str(error)) from error


# The commands.


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


_metrics_option = click.option(
    "--metrics",
    multiple=True,
    metavar="NAMES",
    help="Measures, with commas between them, or 'all'; may be repeated. 'gpuval metrics' lists them.",
)
_format_option = click.option(
    "--format",
    "form",
    type=click.Choice(["table", "json", "csv", "markdown"]),
    default="table",
    show_default=True,
    help="json (labeling, metric, number) and csv (a row per labeling) have all digits.",
)


@commands.command(
    short_help="Score columns of labels in a file.",
    epilog=_examples(
        "evaluate labels.csv --true cell_type --pred louvain",
        "evaluate cells.h5ad --true cell_type --pred 'leiden_*' --format csv",
        "evaluate labels.parquet --true y --pred hdbscan --ignore -1",
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
    help="Clusters: a column, or a pattern of columns such as 'leiden_*'; may be repeated.",
)
@click.option(
    "--ignore",
    multiple=True,
    metavar="LABEL",
    help="Drop the samples with this label on either side; may be repeated. -1 is the number as "
    "well as the text. NaN is a missing label as well as the text, '' a missing label only.",
)
@click.option("--weight", metavar="COLUMN", help="Sample weights.")
@_metrics_option
@_format_option
def evaluate(
    file: Path,
    true: str,
    preds: tuple[str, ...],
    ignore: tuple[str, ...],
    weight: str | None,
    metrics: tuple[str, ...],
    form: str,
) -> None:
    """Score columns of clusters in FILE against a column of true labels.

    FILE is .csv or .tsv (also .gz), .parquet, or the .h5ad of AnnData, whose columns are those of
    obs. Only the columns that are named are read.

    In .csv and .tsv files labels are what is written, and only an empty field is a missing label:
    NA, None and nan are labels like any other.
    """
    with _mistakes_in_one_line():
        labels = _files.open_labels(file)
        columns = labels.columns()
        _check_column(true, "--true", columns, file)
        if weight is not None:
            _check_column(weight, "--weight", columns, file)
        names = _matched(preds, columns, {true, weight}, file)
        frame = labels.read([true, *names], weight)
        scores = _scores(frame, true, names, _split(metrics), ignore, weight)
    _write(scores, form)


@commands.command(
    short_help="Score the clusters of 700 blood cells.",
    epilog=_examples("demo", "demo --metrics all --format markdown"),
)
@_metrics_option
@_format_option
def demo(metrics: tuple[str, ...], form: str) -> None:
    """Score the clusters of 700 blood cells, which come with gpuval, against their types."""
    data = files("gpuval") / "data" / "pbmc68k_reduced.csv"
    with _mistakes_in_one_line(), as_file(data) as path:
        frame = _files.open_labels(path).read(["bulk_labels", "louvain"])
        scores = _scores(frame, "bulk_labels", ["louvain"], _split(metrics))
    click.echo(_CREDIT, err=True)
    _write(scores, form)


@commands.command("metrics", short_help="List the measures.")
def list_metrics() -> None:
    """List the measures, with what each of them says."""
    import gpuval

    formatter = click.HelpFormatter(width=_width())
    formatter.write_dl([(name, _summary(score)) for name, score in gpuval.METRICS.items()], 40)
    click.echo(formatter.getvalue(), nl=False)


def _summary(score: Any) -> str:
    return next(iter((score.__doc__ or "").strip().splitlines()), "")


# What the options mean.


def _split(metrics: Sequence[str]) -> Metrics:
    """Name the measures that are asked for; None for the usual ones."""
    if not metrics:
        return None
    names = [name for text in metrics for x in text.split(",") if (name := x.strip())]
    if not names:
        raise ValueError("--metrics must name at least one measure")
    return "all" if "all" in names else list(dict.fromkeys(names))


def _check_column(name: str, option: str, columns: Sequence[str], file: Path) -> None:
    if name in columns:
        return
    close = " or ".join(map(repr, get_close_matches(name, columns)))
    hint = f" (did you mean {close}?)" if close else ""
    raise ValueError(f"{option} {name!r} is no column of {file}{hint}; it has {_listed(columns)}")


def _listed(columns: Sequence[str], limit: int = 12) -> str:
    more = f", ... ({len(columns)} in all)" if len(columns) > limit else ""
    return ", ".join(columns[:limit]) + more


def _matched(patterns: Sequence[str], columns: Sequence[str], others: set[str | None], file: Path) -> list[str]:
    """Find the columns that are named, in file order; a pattern leaves out ``others``."""
    found: set[str] = set()
    for pattern in patterns:
        if pattern in columns:
            found.add(pattern)
            continue
        matches = {x for x in columns if x not in others and fnmatchcase(x, pattern)}
        if not matches:
            _check_column(pattern, "--pred", columns, file)
        found |= matches
    return [name for name in columns if name in found]


def _meanings(text: str) -> list[str | int | None]:
    """List the labels that a LABEL stands for: a text, a whole number, a missing label (None)."""
    if text == "":
        return [None]
    if text.lower() == "nan":
        return [None, text]
    number = _files.whole_number(text)
    return [text] if number is None else [number, f"{number}", f"{number}.0"]


def _is_among(column: Series, labels: Sequence[str | int | None]) -> Any:
    found = column.isin([x for x in labels if x is not None]).to_numpy()
    return found | column.isna().to_numpy() if None in labels else found


def _weights(column: Series) -> Any:
    """Read a column as weights, and show the first cell that is none."""
    import pandas as pd

    given = column.astype(object) if hasattr(column.dtype, "categories") else column
    weights = pd.to_numeric(given, errors="coerce")
    is_good = weights.between(0, math.inf, inclusive="left").fillna(False).to_numpy(dtype=bool)
    if not is_good.all():
        row = int(is_good.argmin())
        cell = "nothing" if pd.isna(given.iloc[row]) else str(given.iloc[row])
        raise ValueError(f"--weight {column.name!r} must hold finite numbers from 0 up, got {cell} in row {row + 1}")
    if not weights.any():
        raise ValueError(f"--weight {column.name!r} must not be 0 everywhere")
    return weights.to_numpy()


# Scoring.


def _scores(
    frame: Frame,
    true: str,
    preds: Sequence[str],
    metrics: Metrics,
    ignore: Sequence[str] = (),
    weight: str | None = None,
) -> Scores:
    import gpuval

    ignored = [label for text in ignore for label in _meanings(text)]
    _check_missing(frame, [true, *preds], ignored)
    if ignored:
        _check_left(frame, true, preds, ignored)
        _note_absent(frame, [true, *preds], ignore)
        ignored = [x for x in ignored if any(_is_among(frame[name], [x]).any() for name in (true, *preds))]
    scores: Scores = gpuval.compare(
        frame[true],
        {name: frame[name] for name in preds},
        metrics,
        sample_weight=None if weight is None else _weights(frame[weight]),
        ignore_labels=ignored or None,
    )
    return scores


def _check_missing(frame: Frame, names: Sequence[str], ignored: Sequence[str | int | None]) -> None:
    for name in () if None in ignored else names:
        count = int(frame[name].isna().sum())
        if count:
            raise ValueError(
                f"column {name!r} has no label in {count} of {len(frame)} rows; --ignore NaN drops those samples"
            )


def _check_left(frame: Frame, true: str, preds: Sequence[str], ignored: Sequence[str | int | None]) -> None:
    """Check that samples are left: nothing against nothing scores 1, and nobody means that."""
    is_dropped = _is_among(frame[true], ignored)
    for name in preds:
        if (is_dropped | _is_among(frame[name], ignored)).all():
            raise ValueError(f"--ignore leaves no sample of {name!r}")


def _note_absent(frame: Frame, names: Sequence[str], ignore: Sequence[str]) -> None:
    """Say which labels do not occur: more often a slip of the pen than a lucky file."""
    for text in ignore:
        if not any(_is_among(frame[name], _meanings(text)).any() for name in names):
            click.echo(f"gpuval: --ignore {text!r} drops nothing: no label is that", err=True)


# Writing.


def _write(scores: Scores, form: str) -> None:
    {
        "table": _write_table,
        "json": _write_json,
        "csv": _write_csv,
        "markdown": _write_markdown,
    }[form](scores)


def _write_json(scores: Scores) -> None:
    numbers = {
        labeling: {name: float(x) if math.isfinite(x) else None for name, x in values.items()}
        for labeling, values in scores.items()
    }
    click.echo(json.dumps(numbers, indent=2, ensure_ascii=False))


def _write_csv(scores: Scores) -> None:
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["labeling", *_metrics_of(scores)])
    writer.writerows([name, *map(float, values.values())] for name, values in scores.items())
    click.echo(text.getvalue(), nl=False)


def _write_markdown(scores: Scores) -> None:
    header = ["metric", *(name.replace("|", "\\|") for name in scores)]
    rows = _rows(scores)
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    for name, *numbers in [header, rule, *rows]:
        cells = [x.rjust(width) for x, width in zip(numbers, widths[1:], strict=True)]
        click.echo(f"| {' | '.join([name.ljust(widths[0]), *cells])} |")


def _write_table(scores: Scores) -> None:
    """Write a column per labeling, in as many tables as it takes on a narrow terminal."""
    from rich.console import Console

    console = Console(width=_width(), markup=False, emoji=False, highlight=False)
    rest = list(scores)
    while rest:
        count = _fitting(rest, scores, console)
        with console.capture() as capture:
            console.print(_table({name: scores[name] for name in rest[:count]}))
        rest = rest[count:]
        click.echo(capture.get(), nl=bool(rest))


def _width() -> int:
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else _UNLIMITED


def _fitting(names: Sequence[str], scores: Scores, console: Any) -> int:
    """Count the labelings that fit beside one another; at least one."""
    from rich.measure import Measurement

    options = console.options.update(max_width=_UNLIMITED)
    for count in range(len(names), 1, -1):
        table = _table({name: scores[name] for name in names[:count]})
        if Measurement.get(console, options, table).maximum <= console.width:
            return count
    return 1


def _table(scores: Scores) -> Any:
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, header_style="bold")
    table.add_column("metric", overflow="fold")
    for labeling in scores:
        table.add_column(labeling, justify="right", overflow="fold")
    for row in _rows(scores):
        table.add_row(*row)
    return table


def _metrics_of(scores: Scores) -> list[str]:
    return list(next(iter(scores.values())))


def _rows(scores: Scores) -> list[list[str]]:
    """Write a row per metric for people: its name, and the number of every labeling."""
    return [[name, *(_shown(values[name]) for values in scores.values())] for name in _metrics_of(scores)]


def _shown(x: float) -> str:
    """Write six decimals, aligned in a column; a power of ten where these would show nothing."""
    is_plain = x == 0 or not math.isfinite(x) or 1e-4 <= abs(x) < 1e6
    return f"{x + 0.0:.6f}" if is_plain else f"{x:.5e}"
