"""Completion of a command line: measures, columns of a file, and keys of its embeddings.

Of files no more is read than their headers, and what cannot be read is not completed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem, add_completion_class

from gpuval.cli.commands.shells import BashWords, FishWords
from gpuval.cli.files.columns import LabelFile
from gpuval.display.safe_text import visible

add_completion_class(BashWords, "bash")
add_completion_class(FishWords, "fish")


def _quiet(
    find: Callable[[click.Context, str], Sequence[str]], written: Callable[[str], str] = str
) -> Callable[[click.Context, click.Parameter, str], list[CompletionItem[Any]]]:
    """A completion that finds nothing where it fails, and gives no names that steer a terminal.

    Names are compared as they are ``written``: those of measures are in lower case.
    """

    def complete(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem[Any]]:
        try:
            found = find(context, incomplete)
        except Exception:  # whatever is wrong with a file: a shell shows no messages
            return []
        start = written(incomplete)
        return [CompletionItem(x) for x in found if written(x).startswith(start) and visible(x) == x]

    return complete


def _metrics(context: click.Context, incomplete: str) -> list[str]:
    from gpuval.evaluation.clustering.registry import METRICS, OF_SAME_NAMES, SHORT_INTERNAL_NAMES, SHORT_NAMES

    names = [*METRICS, *OF_SAME_NAMES, *SHORT_NAMES, "all"]
    if context.params.get("embeddings"):
        from gpuval.evaluation.clustering.samples.internal_metrics import INTERNAL_METRICS

        names += [*INTERNAL_METRICS, *SHORT_INTERNAL_NAMES]
    before, comma, _ = incomplete.rpartition(",")
    return [f"{before}{comma}{name}" for name in sorted(names)]


def _measures(context: click.Context, incomplete: str) -> list[str]:
    from gpuval.cli.commands.families import all_measures

    return list(all_measures())


def _columns(context: click.Context, incomplete: str) -> list[str]:
    return _labels(context).columns()


def _embeddings(context: click.Context, incomplete: str) -> list[str]:
    labels = _labels(context)
    return labels.keys() if labels.has_keys else labels.columns()


def _labels(context: click.Context) -> LabelFile:
    """The file of the command line, which is no argument yet where the option before the cursor lacks its value."""
    from gpuval.cli.files import open_labels

    given = str(context.params.get("file") or context.args[0])
    path = Path(os.path.expandvars(given)).expanduser()  # a shell gives the words as they are typed
    if not (path.is_file() or path.is_dir()):  # what is read once is not read for this
        raise ValueError("no file")
    return open_labels(path, context.params.get("separator"))


complete_metrics = _quiet(_metrics, str.lower)
complete_measures = _quiet(_measures, str.lower)
complete_columns = _quiet(_columns)
complete_embeddings = _quiet(_embeddings)
