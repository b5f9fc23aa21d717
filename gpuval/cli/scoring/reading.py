"""Reads and checks the columns that a command line names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from gpuval.cli.asked.columns import check_fit
from gpuval.cli.asked.embedding import embedding_names
from gpuval.cli.asked.file_columns import AskedColumns
from gpuval.cli.asked.ignored_labels import IgnoredByOptions, absent
from gpuval.cli.files import open_labels
from gpuval.cli.files.columns import Frame
from gpuval.cli.scoring.scored import Embedding
from gpuval.cli.steps import Steps
from gpuval.evaluation._common.columns import check_column, matching_columns


class ReadColumns(NamedTuple):
    """What was read."""

    frame: Frame
    names: Sequence[str]
    """The columns of clusters."""
    unfit: Mapping[str, str]
    """What columns hold that are no labels by their type."""
    samples: Embedding | None
    ignored: IgnoredByOptions
    notes: Sequence[str]
    """What is to be said of the file."""

    def all_left_out(self, others: Mapping[str, str]) -> dict[str, str]:
        """Why columns are left out that a pattern matches: these, and others."""
        return {name: f"has {what}" for name, what in self.unfit.items()} | dict(others)


def read_named_columns(asked: AskedColumns, steps: Steps) -> ReadColumns:
    """Read what is named, and nothing else."""
    steps.begin("opening")
    labels = open_labels(asked.file, asked.separator, steps.advance)
    columns = labels.columns()
    others: dict[str, str] = {}
    named = {"--true": asked.true, "--weight": asked.weight, "--by": asked.by, "--groups": asked.groups}
    for option, name in named.items():
        if name is not None:
            check_column(name, option, columns, labels.name, labels.notes)
            others.setdefault(name, option)
    of_samples = []
    if asked.embeddings:
        of_samples = embedding_names(asked.embeddings, labels, columns, dict.fromkeys(asked.preds, "--pred") | others)
    others |= {} if labels.has_keys else dict.fromkeys(of_samples, "--embedding")
    matches = [matching_columns(x, "--pred", columns, others, labels.name, labels.notes) for x in asked.preds]
    names = list(dict.fromkeys(name for found in matches for name in found))
    beside = [name for name in (asked.true, asked.by, asked.groups) if name is not None]
    unfit = labels.unfit([*beside, *names])
    check_fit([*beside, *asked.preds], unfit)
    fit = [name for name in names if name not in unfit]
    steps.begin("reading", labels.n_bytes)
    frame = labels.read([*beside, *fit], asked.weight)
    samples = None
    if asked.embeddings:
        steps.begin("reading the embedding", labels.n_bytes)
        X = labels.embedding(of_samples)
        samples = Embedding(", ".join(asked.embeddings), X, () if labels.has_keys else of_samples)
    return ReadColumns(frame, fit, unfit, samples, IgnoredByOptions.of_texts(asked.ignored), labels.notes)


def notes_about(
    asked: AskedColumns, columns: ReadColumns, left_out: Mapping[str, str], others: Sequence[str]
) -> list[str]:
    """What there is to say of the columns that were read: of the file, of columns left out, and of labels to ignore."""
    true = [] if asked.true is None else [asked.true]
    sides = {"--ignore": [*true, *columns.names], "--ignore-true": true, "--ignore-pred": columns.names}
    return [
        *columns.notes,
        *(f"--pred leaves out column {name!r}, which {why}" for name, why in left_out.items()),
        *others,
        *(
            f"{option} {text!r} drops nothing: no label is that"
            for option, texts in asked.ignored.items()
            for text in absent(columns.frame, sides[option], texts)
        ),
    ]


def check_any_labels(found: object, left_out: Mapping[str, str]) -> None:
    """Check that a column of clusters is left."""
    if not found:
        reasons: Sequence[str] = [f"column {name!r} {why}" for name, why in list(left_out.items())[:3]]
        raise ValueError(f"--pred matches no column of labels: {'; '.join(reasons)}")
