"""The command ``stability``: how stable the settings are whose runs are columns of a file."""

from __future__ import annotations

import json
import math
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gpuval.cli.columns import ColumnRequest, check_any_labels, notes_about, read_named_columns
from gpuval.cli.completion import complete_columns, complete_metrics
from gpuval.cli.destination import Destination, destination
from gpuval.cli.files.columns import Series
from gpuval.cli.formats import FORMS, csv_of_rows, escape_markdown, markdown_table, sentences_below
from gpuval.cli.options import delimiter_option, examples, output_option, seed_option
from gpuval.cli.requests import metric_names
from gpuval.cli.scoring import as_given, why_no_labels
from gpuval.cli.tables import table_that_fits
from gpuval.cli.terminal import Steps, errors_as_messages, say
from gpuval.display.text import number_text, visible_json
from gpuval.inputs.columns import texts_of_nothing
from gpuval.measures.result import rename_arguments

if TYPE_CHECKING:
    from gpuval.results.settings import Stability


@click.command(
    short_help="Say how stable the runs of each setting are.",
    epilog=examples(
        "stability runs.csv --runs 'leiden_*'",
        "stability runs.csv --runs 'leiden_*' --names 'leiden_{setting}_{run}' --metrics ami,ecs -o stability.csv",
        "stability runs.h5ad --runs 'leiden_*' --clusters --format csv",
    ),
)
@click.argument("file", type=click.Path(path_type=Path, allow_dash=True))
@click.option(
    "--runs",
    required=True,
    multiple=True,
    metavar="COLUMN",
    shell_complete=complete_columns,
    help="The column of a run, or a pattern for several columns, such as 'leiden_*'; may be repeated. A missing label "
    "is a sample that the run left out. A pattern leaves out columns that are no labels; stderr says which and why.",
)
@click.option(
    "--names",
    metavar="PATTERN",
    help="Where the setting and the run stand in the names of the columns, such as 'leiden_{setting}_{run}'. A column "
    "that ends behind the setting has labels of all samples, which are no run. By default the columns begin alike and "
    "end in _setting_run.",
)
@click.option(
    "--metrics",
    multiple=True,
    metavar="NAMES",
    shell_complete=complete_metrics,
    help="The measures of agreement of two runs: full or short names, separated by commas; may be repeated. The first "
    "one decides which setting is the most stable. By default ecs,ari.",
)
@click.option(
    "--reference",
    metavar="RUN",
    help="The run of each setting whose clusters are described, or 'medoid', the one that is the most similar to all "
    "others. By default the labels of all samples where a setting has such, else the medoid.",
)
@click.option(
    "--ignore",
    multiple=True,
    metavar="LABEL",
    help="Leave samples with this label out of their run, such as noise, -1; may be repeated. '' is a missing label, "
    "which is left out anyway.",
)
@click.option(
    "--confidence",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    metavar="LEVEL",
    help="The level of the intervals: how scores would vary with other runs on the same samples.",
)
@click.option(
    "--margin",
    type=click.FloatRange(0),
    default=0.0,
    show_default=True,
    help="Settings that are less stable than the best one by less than this are taken as good as it, such as 0.01.",
)
@seed_option
@click.option("--clusters", is_flag=True, help="Show each cluster of each setting, instead of the settings.")
@delimiter_option
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    help="The format of the output. By default the one of the extension of --output, else a table. For people: table "
    "and markdown, which also say what is sure. For programs: csv has a row per setting, with --clusters per cluster; "
    "json has settings, clusters, and the best settings with those that are not told apart from them. Both have all "
    "digits.",
)
@output_option
def stability(
    file: Path,
    runs: tuple[str, ...],
    names: str | None,
    metrics: tuple[str, ...],
    reference: str | None,
    ignore: tuple[str, ...],
    confidence: float,
    margin: float,
    seed: int,
    clusters: bool,
    separator: str | None,
    form: str | None,
    output: Path | None,
) -> None:
    """Say how stable each setting of a clustering method is, whose runs are columns of FILE.

    Cluster the same samples several times with each setting, such as a resolution or a number of
    clusters: on random subsamples, or with other seeds. A setting is stable if its runs agree. The
    output says which setting is the most stable, which others cannot be told apart from it, and
    which clusters dissolve. The default measures are the element-centric score (ECS) and the
    adjusted Rand index (ARI); beside the former is what clusters of these sizes have by chance. IC
    is the inconsistency coefficient, PAC the proportion of ambiguous pairs. FILE is any file that
    'gpuval evaluate' reads.
    """
    with errors_as_messages(), Steps() as steps:
        target = destination(output, form, file)
        chosen = metric_names(metrics, has_samples=True)
        if chosen.in_order and chosen.internal:
            raise ValueError(f"--metrics must compare labels with labels, got {chosen.internal[0]!r} of samples")
        nothing: dict[str, Any] = dict.fromkeys(["true", "embeddings", "ignore_true", "ignore_pred"], ())
        nothing |= dict.fromkeys(["weight", "by", "groups"])
        asked = _RunsRequest(file, preds=runs, ignore=ignore, separator=separator, **nothing)
        columns, notes = _read(asked, steps)
        steps.begin("comparing runs")
        found, warned = _stability(
            columns,
            names=names,
            metrics=chosen.in_order or chosen.external or ("ecs", "ari"),
            reference=reference,
            confidence_level=confidence,
            margin=margin,
            random_state=seed,
        )
        text = _render(found, target, of_clusters=clusters)
    for note in [*notes, *warned]:
        say(note)
    target.write(text)


class _RunsRequest(ColumnRequest):
    """Columns of labels alone."""

    pred_option = "--runs"


def _read(asked: ColumnRequest, steps: Steps) -> tuple[dict[str, Series], list[str]]:
    """The columns of the runs, with the labels to ignore missing; and what there is to say of them."""
    read = read_named_columns(asked, steps)
    reasons = {name: why_no_labels(read.frame[name]) for name in read.names if name not in asked.preds}
    left_out = read.all_left_out({name: reason for name, reason in reasons.items() if reason is not None})
    columns = {name: as_given(read.frame[name], read.ignored.pred) for name in read.names if name not in left_out}
    check_any_labels(columns, left_out, asked.pred_option)
    others = [
        f"runs have the label {text!r}, which counts as a cluster; --ignore {text} takes it for a sample left out"
        for text in texts_of_nothing(columns.values())
    ]
    return columns, notes_about(asked, read, left_out, others)


_CALLED = {
    "labelings must": "--runs must",
    "names must": "--names must",
    "got None and columns": "got columns",
    "metrics must": "--metrics must",
    "reference must": "--reference must",
    "the name of a run of each setting, or a mapping from settings to labels": "or the name of a run of each setting",
}
"""What options are called in Python."""
_NOISE = {"labelings have": "runs have", "ignore_labels='-1'": "--ignore -1", "ignore_labels=-1": "--ignore -1"}


def _stability(columns: Mapping[str, Series], *, names: str | None, **options: Any) -> tuple[Stability, list[str]]:
    """The stability of the settings, and what is said of their labels."""
    from gpuval.sweeps.runs import titles_of_runs  # only now: it loads the measures
    from gpuval.sweeps.settings import stability as stability_of_labels

    with rename_arguments(**_CALLED):
        titles = titles_of_runs(columns, names, lambda column: f"column {column!r}")
    with warnings.catch_warnings(record=True) as caught, rename_arguments(**titles, **_CALLED):
        warnings.simplefilter("always", UserWarning)
        found = stability_of_labels(columns, names=names, **options)
    notes = [str(x.message) for x in caught if x.category is UserWarning]
    for in_python, here in _NOISE.items():
        notes = [note.replace(in_python, here) for note in notes]
    return found, notes


# The forms of the result.


def _render(found: Stability, target: Destination, *, of_clusters: bool) -> str:
    if target.form == "json":
        return _as_json(found)
    records = found.records("clusters" if of_clusters else "settings")
    if target.form == "csv":
        return csv_of_rows(list(records[0]), [[str(setting), *row] for setting, *row in map(dict.values, records)])
    from gpuval.results.settings import settings_table

    paper = target.paper
    heads, rows, left = settings_table(found)
    said = [found.about_table(), found.sentence(), *found.notes]
    if of_clusters:
        cells = [list(row.values()) for row in records]
        rows = [[*map(str, row[:2]), *map(number_text, row[2:])] for row in cells]
        heads, left, said = list(records[0]), (0, 1), said[1:]
    heads, *rows = [
        [paper.cut(paper.printable(paper.with_marks(cell)), paper.width // 2) for cell in row] for row in [heads, *rows]
    ]
    below = "".join(sentences_below([text], "", paper) for text in said if text)
    if target.form == "markdown":
        escaped = [[escape_markdown(cell) for cell in row] for row in [heads, *rows]]
        return markdown_table(escaped[0], escaped[1:], left) + escape_markdown(below)
    widths = [max(map(len, column)) * (place in left) for place, column in enumerate(zip(*rows, strict=True))]
    heads, *rows = [[x.ljust(width) for x, width in zip(row, widths, strict=True)] for row in [heads, *rows]]
    return table_that_fits(heads, rows, 1 + of_clusters, paper) + below


def _as_json(found: Stability) -> str:
    """An object of the settings, their clusters and the best settings, with null for what is not known."""
    best = {
        name: {
            "setting": x.name,
            "not_told_apart": x.best_set[1:],
            "gaps": {
                other: {"difference": gap.difference, "low": gap.low, "high": gap.high, "p_value": gap.p_value}
                for other, gap in (x.gaps or {}).items()
            },
        }
        for name, x in found.best.items()
    }
    whole = {
        "settings": found.to_dict(),
        "clusters": {setting: x.clusters.records() for setting, x in found.items()},
        "best": best,
        "sentence": found.sentence(),
        "notes": found.notes,
        "confidence_level": found.confidence_level,
    }
    return visible_json(json.dumps(_plain(whole), indent=2, ensure_ascii=False)) + "\n"


def _plain(x: Any) -> Any:
    """A value of JSON: null for what is not finite."""
    if isinstance(x, dict):
        return {str(name): _plain(value) for name, value in x.items()}
    if isinstance(x, list | tuple):
        return list(map(_plain, x))
    value = x.item() if hasattr(x, "item") else x
    return None if isinstance(value, float) and not math.isfinite(value) else value
