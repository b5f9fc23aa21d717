"""Results with some numbers for each setting: a mapping from settings to the first of them, which prints as a table."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gpuval.display.digits import decimals as decimals_of
from gpuval.display.digits import score_text
from gpuval.display.tables import Paragraph, Printable, ResultMapping, TextTable
from gpuval.display.text import readable_name, visible
from gpuval.inputs.options import require_extra
from gpuval.numerics import NDArray
from gpuval.results.scores import index_of_names, is_number


class SettingCurve(ResultMapping[Any, float]):
    """Numbers of each setting by their names, in order of the settings, if these are numbers."""

    settings: tuple[Any, ...]

    @property
    @abstractmethod
    def columns(self) -> Mapping[str, NDArray]:
        """The numbers by their names, the main one first; each of shape (n_settings,)."""

    @abstractmethod
    def sentence(self) -> str:
        """What is said below the table."""

    def __getitem__(self, setting: Any) -> float:
        if setting not in self.settings:
            raise KeyError(setting)
        return float(next(iter(self.columns.values()))[self.settings.index(setting)])

    def __iter__(self) -> Iterator[Any]:
        return iter(self.settings)

    def __len__(self) -> int:
        return len(self.settings)

    def _tables(self) -> Sequence[Printable]:
        numbers = {name: column.tolist() for name, column in self.columns.items()}
        digits = {name: decimals_of(column) for name, column in numbers.items()}
        rows = [
            [visible(readable_name(x)), *(score_text(column[place], digits[name]) for name, column in numbers.items())]
            for place, x in enumerate(self.settings)
        ]
        heads = ["setting", *(name.replace("_", " ") for name in numbers)]
        return [TextTable(heads, rows), Paragraph(self.sentence())]

    def to_dict(self) -> dict[Any, dict[str, float]]:
        """For each setting its numbers by their names, as Python numbers."""
        rows = zip(*(column.tolist() for column in self.columns.values()), strict=True)
        return {x: dict(zip(self.columns, row, strict=True)) for x, row in zip(self.settings, rows, strict=True)}

    def to_pandas(self) -> Any:
        """A pandas DataFrame with a row for each setting."""
        with require_extra("to_pandas()", "pandas"):
            import pandas as pd

        return pd.DataFrame(dict(self.columns), index=index_of_names(pd, self.settings, ["setting"]))


def are_numbers(settings: Sequence[Any]) -> bool:
    """Whether settings have an order by themselves."""
    return all(is_number(x) and not isinstance(x, bool) and x == x for x in settings)
