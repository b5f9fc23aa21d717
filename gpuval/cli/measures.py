"""The command ``metrics``: a list of all measures, or the text of one."""

from __future__ import annotations

import inspect
import json
import re
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

import click

from gpuval.cli.catalogue import Entry, all_measures, entry_named
from gpuval.cli.completion import complete_measures
from gpuval.cli.terminal import UNLIMITED, errors_as_messages, terminal_width

_WIDEST = 100
"""Columns of a paragraph, however wide the terminal is."""


@click.command("metrics", short_help="List all measures, or explain one of them.")
@click.argument("name", required=False, shell_complete=complete_measures)
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="json is a list of objects with the name, the family, the short names, which scores are better, the option "
    "that 'gpuval evaluate' needs for the measure (null if it is only for Python), and a summary.",
)
def list_metrics(name: str | None, form: str) -> None:
    """List the measures by families, with their short names and which scores are better.

    With NAME, the full or short name of a measure, explain it: its formula, arguments, range and sources.
    """
    with errors_as_messages():
        measures = list(all_measures().values()) if name is None else [entry_named(name)]
    if form == "json":
        click.echo(json.dumps([_as_dict(x) for x in measures], indent=2, ensure_ascii=False))
    elif name is None:
        click.echo(_listing(measures, terminal_width(sys.stdout)), nl=False)
    else:
        click.echo(_document(measures[0], terminal_width(sys.stdout)), nl=False)


def _as_dict(entry: Entry) -> dict[str, Any]:
    return {
        "name": entry.name,
        "family": entry.family,
        "short": list(entry.short),
        "better": entry.measure.better or None,
        "needs": entry.needs,
        "summary": entry.summary,
    }


_NEEDS = {"": "", "--embedding": "with --embedding", None: "in Python only"}
"""What is said of a measure of which ``gpuval evaluate`` needs something."""


def _listing(measures: list[Entry], width: int) -> str:
    parts = []
    for family in dict.fromkeys(x.family for x in measures):
        inside = [x for x in measures if x.family == family]
        needs = {x.needs for x in inside}
        title = family + (f" ({_NEEDS[inside[0].needs]})" if len(needs) == 1 and needs != {""} else "")
        formatter = click.HelpFormatter(width=width)
        rows = [(_title(x), _summary(x, is_told=len(needs) > 1)) for x in inside]
        formatter.indent()
        formatter.write_dl(rows, 44)
        parts.append(f"{title}\n{formatter.getvalue()}")
    return "\n".join(parts)


def _title(entry: Entry) -> str:
    return f"{entry.name} ({', '.join(entry.short)})" if entry.short else entry.name


def _summary(entry: Entry, *, is_told: bool) -> str:
    said = [f"{entry.measure.better} is better"] if entry.measure.better else []
    said += [_NEEDS[entry.needs]] if is_told and _NEEDS[entry.needs] else []
    return f"{entry.summary} ({'; '.join(said)})" if said else entry.summary


def _document(entry: Entry, width: int) -> str:
    """The text of a measure, with how it is called, for a terminal of this width."""
    call = f"gpuval.{entry.name}({', '.join(_arguments(entry))})"
    facts = [f"family: {entry.family}"]
    facts += [f"short: {', '.join(entry.short)}"] if entry.short else []
    facts += [f"better: {entry.measure.better}"] if entry.measure.better else []
    facts += [
        {"": "gpuval evaluate: --metrics", None: "in Python only"}.get(
            entry.needs, "gpuval evaluate: --metrics, with --embedding"
        )
    ]
    text = _plain(inspect.getdoc(entry.measure.function) or "")
    if width < UNLIMITED:
        text = "\n".join(_wrap_text(text, min(width, _WIDEST)))
        call = textwrap.fill(call, width, subsequent_indent="    ", break_long_words=False)
    lines = [call, *(f"  {fact}" for fact in facts), "", text]
    return "".join(f"{line}\n" for line in lines)


def _arguments(entry: Entry) -> Iterator[str]:
    """The arguments without their types; after a star, those that are given by name."""
    parameters = inspect.signature(entry.measure.function).parameters.values()
    had_star = False
    for x in parameters:
        if x.kind is x.KEYWORD_ONLY and not had_star:
            had_star = True
            yield "*"
        had_star |= x.kind is x.VAR_POSITIONAL
        yield str(x.replace(annotation=x.empty))


def _plain(text: str) -> str:
    """A docstring without the marks of reStructuredText."""
    text = re.sub(r":\w+:`~?([^`]+)`", r"\1", text).replace("``", "")
    return re.sub(r"^\.\. (?=\[)", "", re.sub(r"\](_)(?!\w)", "]", text), flags=re.MULTILINE)


def _wrap_text(text: str, width: int) -> Iterator[str]:
    """The lines of a text, of which paragraphs are filled anew; code, tables and headings stay as they are."""
    for block in re.split(r"(\n(?:[ \t]*\n)+)", text):
        is_fixed = re.search(r"^\s*(>>>|=+ |-+$)", block, re.MULTILINE) is not None and "\n" in block
        lines = block.strip("\n").split("\n")
        if not block.strip():
            yield ""
        elif not is_fixed:
            yield from _fill(lines, width)
        elif re.fullmatch(r"-+", lines[1] if len(lines) > 1 else "") and not any(">>>" in x for x in lines):
            yield from lines[:2]
            yield from _fill(lines[2:], width)
        else:
            yield from lines


def _fill(lines: list[str], width: int) -> Iterator[str]:
    """Lines of one indentation together as a paragraph; a source begins with its number, and its lines hang."""
    paragraphs: list[list[str]] = []
    for line in lines:
        before = paragraphs[-1] if paragraphs else [""]
        hangs = before[0].startswith("[") and line.startswith(" ")
        goes_on = _indent(line) == _indent(before[0]) and not line.startswith("[")
        if paragraphs and (hangs or goes_on):
            before.append(line)
        else:
            paragraphs.append([line])
    for paragraph in paragraphs:
        space = " " * _indent(paragraph[0])
        yield from textwrap.wrap(
            " ".join(x.strip() for x in paragraph),
            width,
            initial_indent=space,
            subsequent_indent="    " if paragraph[0].startswith("[") else space,
            break_long_words=False,
            break_on_hyphens=False,
        )


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
