"""The command line: label columns of a file in, a table of scores out.

A mistake of the user is one line on stderr and exit code 2, never a traceback; the code is 1 where the output cannot be
written, and 130 after an interrupt.
"""

from __future__ import annotations

import math
import sys
import textwrap
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from difflib import get_close_matches
from fnmatch import fnmatchcase
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from gpuval import __version__
from gpuval.report import files as _files
from gpuval.report import show as _show
from gpuval.report.files.columns import Frame, Series
from gpuval.report.files.text import whole_number
from gpuval.report.show import Scores

if TYPE_CHECKING:
    from gpuval.table.contingency import Contingency

Metrics = Literal["all"] | list[str] | None

_LONGEST = 2000
"""Letters of a message, which may name columns: a damaged file has names of any length."""

_CREDIT = """\
700 cells of 10x Genomics' PBMC 68k (Zheng et al. 2017, Nature Communications 8:14049), the subset
distributed with scanpy (BSD-3-Clause; Wolf, Angerer and Theis 2018): louvain against bulk_labels
"""


# Running: every way out of a command, as an exit code.


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code; where nobody reads on, click exits quietly with 1."""
    if sys.stdout is None:
        _say("cannot write: standard output is closed")
        return 1
    try:
        _escape_what_cannot_be_written()
        with warnings.catch_warnings(action="ignore"):  # what libraries say of old files is no help here
            code = commands.main(arguments, prog_name="gpuval", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        return _fail(error)
    except (click.Abort, KeyboardInterrupt):
        return 130
    except OSError as error:  # of the output: those of the input have become messages
        with suppress(OSError):  # what could not be written is not tried again at the end of the process
            sys.stdout.close()
        _say(f"cannot write: {error.strerror or error}")
        return 1
    return code if isinstance(code, int) else 0


def _escape_what_cannot_be_written() -> None:
    """Show a label in letters that the output does not have as escapes, and do not end there."""
    reconfigure = getattr(sys.stdout, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")


def _fail(error: click.ClickException) -> int:
    message = error.format_message()
    if isinstance(error, click.UsageError):
        command = error.ctx.command_path if error.ctx else "gpuval"
        message = f"{message[:1].lower()}{message[1:].rstrip('.')}; see {command} --help"
    _say(message)
    return 2


def _say(message: str) -> None:
    """Write one line on stderr, if it is there; a message that nobody can read changes no exit code."""
    line = _show.visible(" ".join(message.split()))
    with suppress(OSError):
        click.echo(f"gpuval: {line if len(line) <= _LONGEST else line[:_LONGEST] + ' ...'}", err=True)


@contextmanager
def _mistakes_in_one_line() -> Iterator[None]:
    """Turn what the library says of its input into a message of the command line."""
    try:
        yield
    except MemoryError:
        raise click.ClickException("there is not enough memory") from None
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
    help="json is an object per labeling, csv a row per labeling, both with all digits: n_classes, n_clusters, "
    "n_samples (those that count), n_dropped (those that --ignore drops), and the metrics by their names. In table "
    "(where there is room) and markdown 'better' says whether higher or lower scores are the better ones. Control "
    "characters in names of columns are written as escapes, and csv has an apostrophe before names that a "
    "spreadsheet would compute.",
)


def _separator(context: click.Context, parameter: click.Parameter, text: str | None) -> str | None:
    if text is None:
        return None
    separator = {"tab": "\t", "\\t": "\t"}.get(text.lower(), text)
    if len(separator) != 1 or not separator.isascii() or separator in '"\r\n\0':
        raise click.BadParameter("it must be one ASCII character, such as ';', or 'tab', and no quote.")
    return separator


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
@click.option(
    "--delimiter",
    "separator",
    metavar="CHARACTER",
    callback=_separator,
    help="What separates the fields of a .csv or .tsv file, where it is not the comma or the tab: ';', 'tab', ...",
)
@_metrics_option
@_format_option
def evaluate(
    file: Path,
    true: str,
    preds: tuple[str, ...],
    ignore: tuple[str, ...],
    weight: str | None,
    separator: str | None,
    metrics: tuple[str, ...],
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
    with _mistakes_in_one_line():
        chosen = _resolved(_split(metrics))
        labels = _files.open_labels(file, separator)
        columns = labels.columns()
        for name, option in [(true, "--true"), (weight, "--weight")]:
            if name is not None:
                _check_column(name, option, columns, file, labels.notes)
        names = _matched(preds, columns, {true, weight}, file, labels.notes)
        unfit = labels.unfit([true, *names])
        _check_fit([true, *preds], unfit)
        fit = [name for name in names if name not in unfit]
        frame = labels.read([true, *fit], weight)
        ignored = [label for text in ignore for label in _meanings(text)]
        scores, no_labels = _scores(frame, true, fit, preds, chosen, ignored, weight)
        left_out = {name: f"has {what}" for name, what in unfit.items()} | no_labels
        if not scores:
            reasons = "; ".join(f"column {name!r} {why}" for name, why in list(left_out.items())[:3])
            raise ValueError(f"--pred matches no column of labels: {reasons}")
        absent = _absent(frame, [true, *fit], ignore)
    notes = [
        *labels.notes,
        *(f"--pred leaves out column {name!r}, which {why}" for name, why in left_out.items()),
        *(f"--ignore {label!r} drops nothing: no label is that" for label in absent),
    ]
    for note in notes:
        _say(note)
    _show.write(scores, form)


@commands.command(
    short_help="Score the clusters of 700 blood cells.",
    epilog=_examples("demo", "demo --metrics all --format markdown"),
)
@_metrics_option
@_format_option
def demo(metrics: tuple[str, ...], form: str) -> None:
    """Score the clusters of 700 blood cells, which come with gpuval, against their types."""
    data = files("gpuval.report") / "data" / "pbmc68k_reduced.csv"
    with _mistakes_in_one_line(), as_file(data) as path:
        chosen = _resolved(_split(metrics))
        frame = _files.open_labels(path).read(["bulk_labels", "louvain"])
        scores, _ = _scores(frame, "bulk_labels", ["louvain"], ["louvain"], chosen)
    _write_credit()
    _show.write(scores, form)


def _write_credit() -> None:
    width = _show.width_of(sys.stderr)
    lines = textwrap.wrap(_CREDIT, width, break_long_words=False, break_on_hyphens=False)
    with suppress(OSError):
        click.echo(_CREDIT if len(lines) == 1 else "".join(f"{line}\n" for line in lines), err=True)


@commands.command("metrics", short_help="List the measures.")
def list_metrics() -> None:
    """List the measures, with what each of them says, and which scores are the better ones."""
    from gpuval.report.registry import METRICS

    formatter = click.HelpFormatter(width=_show.width_of(sys.stdout))
    formatter.write_dl([(name, _summary(name, score)) for name, score in METRICS.items()], 40)
    click.echo(formatter.getvalue(), nl=False)


def _summary(name: str, score: Any) -> str:
    text = next(iter((score.__doc__ or "").strip().splitlines()), "")
    direction = _show.better(name)
    return f"{text} ({direction} is better)" if direction else text


# What the options mean.


def _split(metrics: Sequence[str]) -> Metrics:
    """Name the measures that are asked for; None for the usual ones."""
    if not metrics:
        return None
    names = [name for text in metrics for x in text.split(",") if (name := x.strip())]
    if not names:
        raise ValueError("--metrics must name at least one measure")
    return "all" if "all" in map(str.lower, names) else list(dict.fromkeys(names))


def _resolved(metrics: Metrics) -> Metrics:
    """Find the full names of the measures, before a file is read."""
    from gpuval.report.registry import full_name

    if not isinstance(metrics, list):
        return metrics
    return list(dict.fromkeys(full_name(name, "--metrics must be names of measures") for name in metrics))


def _check_column(name: str, option: str, columns: Sequence[str], file: Path, notes: Sequence[str]) -> None:
    if name in columns:
        return
    close = " or ".join(map(repr, get_close_matches(name, columns)))
    hint = f" (did you mean {close}?)" if close else ""
    has = "; ".join([f"it has {_listed(columns)}", *notes])
    raise ValueError(f"{option} {name!r} is no column of {file}{hint}; {has}")


def _listed(columns: Sequence[str], limit: int = 12) -> str:
    more = f", ... ({len(columns)} in all)" if len(columns) > limit else ""
    return ", ".join(columns[:limit]) + more


def _matched(
    patterns: Sequence[str], columns: Sequence[str], others: set[str | None], file: Path, notes: Sequence[str]
) -> list[str]:
    """Find the columns that are named, in file order; a pattern leaves out ``others``."""
    found: set[str] = set()
    for pattern in patterns:
        if pattern in columns:
            found.add(pattern)
            continue
        matches = {x for x in columns if x not in others and fnmatchcase(x, pattern)}
        if not matches and any(fnmatchcase(x, pattern) for x in columns):
            raise ValueError(f"--pred {pattern!r} matches no column of {file} but that of --true or --weight")
        if not matches:
            _check_column(pattern, "--pred", columns, file, notes)
        found |= matches
    return [name for name in columns if name in found]


def _check_fit(named: Sequence[str], unfit: Mapping[str, str]) -> None:
    for name, what in unfit.items():
        if name in named:
            raise ValueError(f"column {name!r} has {what}; labels are whole numbers, text, booleans or categories")


def _meanings(text: str) -> list[str | int | None]:
    """List the labels that a LABEL stands for: a text, a whole number, a missing label (None)."""
    if text == "":
        return [None]
    if text.lower() == "nan":
        return [None, text]
    number = whole_number(text)
    return [text] if number is None else [number, f"{number}", f"{number}.0"]


def _is_among(column: Series, labels: Sequence[str | int | None]) -> Any:
    found = column.isin([x for x in labels if x is not None]).to_numpy()
    return found | column.isna().to_numpy() if None in labels else found


def _weights(column: Series) -> Any:
    """Read a column as weights, and show the first cell that is none."""
    import pandas as pd

    if column.dtype.kind in "mM":
        raise ValueError(f"--weight {column.name!r} must hold numbers, got values of type {column.dtype}")
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


class _NoLabelsError(ValueError):
    """Why a column holds no labels: a sentence without its subject, the column."""


def _scores(
    frame: Frame,
    true: str,
    preds: Sequence[str],
    named: Sequence[str],
    metrics: Metrics,
    ignored: Sequence[str | int | None] = (),
    weight: str | None = None,
) -> tuple[Scores, dict[str, str]]:
    """Score the columns ``preds``; of those that hold no labels, and are not ``named`` one by one, say why not."""
    from gpuval.report import evaluation

    weights = None if weight is None else _weights(frame[weight])
    scores: dict[str, dict[str, float]] = {}
    left_out = {}
    _checked(frame[true], _check_missing, ignored)
    for name in preds:
        if name in named:
            table, n_samples = _checked(frame[name], _table, frame[true], ignored, weights)
        else:
            try:
                _check_text(frame[name])
                table, n_samples = _table(frame[name], frame[true], ignored, weights)
            except _NoLabelsError as error:
                left_out[name] = str(error)
                continue
        counts = int(table.n_classes), int(table.n_clusters), n_samples, len(frame) - n_samples
        scores[name] = dict(zip(_show.COUNTS, counts, strict=True)) | dict(evaluation.evaluate(table, metrics=metrics))
    return scores, left_out


def _checked(column: Series, check: Callable[..., Any], *others: Any) -> Any:
    """Name the column in an error about it."""
    try:
        return check(column, *others)
    except _NoLabelsError as error:
        raise ValueError(f"column {column.name!r} {error}") from None


def _check_missing(column: Series, ignored: Sequence[str | int | None]) -> None:
    count = 0 if None in ignored else int(column.isna().sum())
    if count:
        raise _NoLabelsError(f"has no label in {count} of {len(column)} rows; --ignore NaN drops those samples")


def _check_text(column: Series) -> None:
    """Check that a text is not numbers that are measured: clusters may be called 1.1 and 1.2, if one says so."""
    import pandas as pd

    categories = column.cat.categories if hasattr(column.dtype, "categories") else None
    if categories is None or pd.api.types.infer_dtype(categories) != "string":
        return
    numbers = pd.to_numeric(categories, errors="coerce")
    is_whole = numbers % 1 == 0
    if not (numbers.isna().any() or is_whole.all()):
        example = categories[is_whole.argmin()]
        raise _NoLabelsError(f"holds continuous values, such as {example}; give its full name to take them for labels")


def _table(pred: Series, true: Series, ignored: Sequence[str | int | None], weights: Any) -> tuple[Contingency, int]:
    """Count the samples that are not dropped, and say how many these are."""
    from gpuval.table.contingency import Contingency

    _check_missing(pred, ignored)
    if ignored:
        is_kept = ~(_is_among(true, ignored) | _is_among(pred, ignored))
        if not is_kept.any():  # nothing against nothing scores 1, and nobody means that
            raise ValueError(f"--ignore leaves no sample of {pred.name!r}")
        true, pred, weights = true[is_kept], pred[is_kept], None if weights is None else weights[is_kept]
    if weights is not None and not weights.any():
        raise ValueError(f"--weight must not be 0 for all samples of {pred.name!r} that --ignore leaves")
    try:
        return Contingency.from_labels(true, pred, sample_weight=weights), len(pred)
    except (TypeError, ValueError) as error:
        subject, _, rest = str(error).partition(" ")
        if subject == "labels_pred":
            raise _NoLabelsError(rest) from None
        names = {"labels_true": f"column {true.name!r}", "sample_weight": "--weight"}
        raise ValueError(f"{names.get(subject, subject)} {rest}") from None


def _absent(frame: Frame, names: Sequence[str], ignore: Sequence[str]) -> list[str]:
    """List the labels to ignore that do not occur: more often a slip of the pen than a lucky file."""
    return [x for x in ignore if not any(_is_among(frame[name], _meanings(x)).any() for name in names)]
