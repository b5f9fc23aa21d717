"""Reads --ignore: which labels a text stands for, and which samples have them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpuval.cli.files.columns import Frame, Series
from gpuval.cli.files.text import whole_number
from gpuval.inputs.selection import LabelsToIgnore

Label = str | int | None
"""A label; None for a missing one."""


@dataclass
class IgnoreOptions(LabelsToIgnore):
    """The labels to ignore on each side, and the options that name some."""

    options: tuple[str, ...] = ()

    @classmethod
    def from_texts(cls, ignored: Mapping[str, Sequence[str]]) -> IgnoreOptions:
        """What the texts of each option stand for: those of --ignore on both sides."""
        true, pred = (_labels_of_texts([*ignored["--ignore"], *ignored[x]]) for x in ("--ignore-true", "--ignore-pred"))
        return cls(true, pred, tuple(option for option, texts in ignored.items() if texts))

    @property
    def that_leave(self) -> str:
        """What is said of samples that are not ignored."""
        return f"that {' and '.join(self.options)} {'leave' if len(self.options) > 1 else 'leaves'}"


def _meanings_of(text: str) -> list[Label]:
    """The labels that a text stands for: itself, a whole number, a missing label."""
    if text == "":
        return [None]
    if text.lower() == "nan":
        return [None, text]
    number = whole_number(text)
    return [text] if number is None else [number, f"{number}", f"{number}.0"]


def _labels_of_texts(texts: Sequence[str]) -> tuple[Label, ...]:
    """The labels that several texts stand for."""
    return tuple(label for text in texts for label in _meanings_of(text))


def has_label(column: Series, labels: Sequence[Label]) -> Any:
    """Whether each sample has one of the labels."""
    has_one = column.isin([x for x in labels if x is not None]).to_numpy()
    return has_one | column.isna().to_numpy() if None in labels else has_one


def absent(frame: Frame, names: Sequence[str], texts: Sequence[str]) -> list[str]:
    """The texts that stand for no label of the columns: more often a slip of the pen than a lucky file."""
    return [text for text in texts if not any(has_label(frame[name], _meanings_of(text)).any() for name in names)]
