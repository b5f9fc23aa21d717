"""Makes the report of columns of a file, and writes or opens it."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from gpuval.cli.columns import ColumnRequest, ReadColumns, check_any_labels, notes_about
from gpuval.cli.destination import Destination
from gpuval.cli.requests import WhatToScore, said_of_options
from gpuval.cli.scoring import as_given, frame_weights, tables_of_columns, truth_of_columns
from gpuval.cli.terminal import Steps, say

if TYPE_CHECKING:
    from gpuval.reporting.page import Report


def report_of_columns(
    named: ColumnRequest,
    columns: ReadColumns,
    asked: WhatToScore,
    details: Sequence[str],
    about: Mapping[str, str],
    title: str | None,
    steps: Steps,
) -> tuple[Report, list[str]]:
    """The report of the columns of clusters, and what there is to say on stderr, such as which columns are left out."""
    from gpuval.reporting.building import report

    frame = columns.frame
    left_out: dict[str, str] = {}
    weights = frame_weights(frame, columns.trues, asked)
    steps.begin("reading columns", len(columns.names) * max(1, len(columns.trues)))
    trues: Sequence[str | None] = columns.trues or [None]
    for true in trues:
        for _ in tables_of_columns(frame, true, columns.names, named.preds, asked, weights, left_out):
            steps.advance()
    fit = [name for name in columns.names if name not in left_out]
    labelings = {name: as_given(frame[name], asked.ignored.pred) for name in fit}
    all_left_out = columns.all_left_out(left_out)
    check_any_labels(labelings, all_left_out)
    chosen = _details(details, labelings)
    steps.begin("making the report")
    try:
        found = report(
            truth_of_columns(frame, columns.trues, asked),
            labelings,
            X=None if asked.samples is None else asked.samples.X,
            coordinates=columns.coordinates,
            by=None if named.by is None else frame[named.by],
            groups=None if named.groups is None else frame[named.groups],
            metrics=_metrics(asked, has_truth=bool(columns.trues)),
            sample_weight=weights,
            ignore_labels=[None] if asked.ignored else None,
            confidence_level=asked.level,
            n_resamples=asked.n_resamples,
            random_state=asked.seed,
            details=chosen,
            unit=asked.unit,
            title=title,
            about=about,
        )
    except (TypeError, ValueError) as error:
        message = str(error).replace("confidence_level=None", "--confidence none")
        raise ValueError(said_of_options(message, asked)) from None
    return found, notes_about(named, columns, all_left_out, [])


def _metrics(asked: WhatToScore, *, has_truth: bool) -> Any:
    """The measures as the library takes them."""
    return asked.metrics.in_order or (asked.metrics.external if has_truth else asked.metrics.internal)


def _details(given: Sequence[str], labelings: Mapping[str, Any]) -> list[str] | None:
    from gpuval.inputs.columns import find_columns

    names = list(labelings)
    found = [name for text in given for name in find_columns(text, "--details", names, {}, "--pred", [])]
    return found or None


def give_report(found: Report, target: Destination | None) -> None:
    """Write the page, or show it in a browser where no file is named; and say on stdout what was found."""
    if target is None:
        say(f"the report is {found.open()}")
    else:
        target.write(found.html)
        if target.path is None:
            return
    sys.stdout.write("".join(f"{line}\n" for line in repr(found).splitlines()))
