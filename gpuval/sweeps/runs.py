"""Runs of clustering by their settings: what users give, and the labelings of one setting after the other."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.backends import backend_of, is_array, to_host
from gpuval.inputs.codes import Codes
from gpuval.inputs.containers import type_of
from gpuval.inputs.labels import Vector, check_alike, check_not_dask, labelings_by_name
from gpuval.inputs.selection import read_ignored
from gpuval.registry.requests import are_labelings
from gpuval.results.scores import is_number
from gpuval.sweeps.repetition import Runs
from gpuval.table.labelings import Labeling, read_labelings
from gpuval.table.labels import labels_on_host

_FORMS = (
    "a mapping from (setting, run) to label vectors, a mapping from settings to several label vectors each, columns "
    "that are named by names=, or what repeat_clustering returns"
)
_EXAMPLE = "'leiden_{setting}_{run}'"
_NOISE = (-1, "-1")
_NUMBER = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?(?:[eE][+-]?[0-9]+)?")


class SettingRuns(NamedTuple):
    """The label vectors of one setting, as users give them."""

    setting: Any
    runs: dict[Any, Any]
    """By the names of the runs."""
    whole: Any
    """Labels of all samples that are no run; None if there are none."""
    whole_name: str
    """What messages call these."""


# The forms in which users give runs. They are read as (setting, run, labels), with None for the run of labels that are
# those of all samples, and no run.

_Triples = Iterable[tuple[Any, Any, Any]]


def settings_of(labelings: Any, names: str | None = None) -> list[SettingRuns]:
    """The runs of each setting; the settings are in order if all of them are numbers, or text of numbers."""
    found: dict[Any, SettingRuns] = {}
    for setting, run, labels in _triples(labelings, names):
        of_setting = found.setdefault(setting, SettingRuns(setting, {}, None, f"labelings[{setting!r}]"))
        if run is None:
            found[setting] = of_setting._replace(whole=labels)
        else:
            of_setting.runs[run] = labels
    for setting, runs in found.items():
        if not runs.runs:
            raise ValueError(f"labelings must have runs of each setting, got none of {setting!r}")
    numbers = {setting: number for setting in found if (number := setting_number(setting)) is not None}
    return sorted(found.values(), key=lambda x: numbers[x.setting]) if len(numbers) == len(found) else [*found.values()]


def with_reference(settings: list[SettingRuns], reference: Any) -> list[SettingRuns]:
    """The same with labels of all samples that are given apart, by the settings or by these written as text."""
    if not (isinstance(reference, Mapping) or hasattr(reference, "columns")):
        return settings
    keys, vectors = labelings_by_name(reference, "reference")
    found = dict(zip(keys, vectors.items(), strict=True))
    known = {x.setting for x in settings}
    by_number: dict[Any, Any] = {
        number: x.setting for x in settings if (number := setting_number(x.setting)) is not None
    }
    by_setting = {key if key in known else by_number.get(setting_number(key)): named for key, named in found.items()}
    if None in by_setting or not len(by_setting) == len(found) == len(settings):
        raise ValueError(
            f"reference must have labels of each setting, {_some(x.setting for x in settings)}, got {_some(found)}"
        )
    return [x._replace(whole=by_setting[x.setting][1], whole_name=by_setting[x.setting][0]) for x in settings]


def _triples(labelings: Any, names: str | None) -> _Triples:
    if isinstance(labelings, Runs):
        if names is not None:
            raise ValueError(f"names must be None for what repeat_clustering returns, got {names!r}")
        return _of_repetition(labelings)
    if not (isinstance(labelings, Mapping) or hasattr(labelings, "columns")):
        raise TypeError(f"labelings must be {_FORMS}, got {type_of(labelings)}")
    keys, vectors = labelings_by_name(labelings)
    columns = dict(zip(keys, vectors.values(), strict=True))
    if names is not None:
        return _by_names(columns, names)
    several = {setting: runs for setting, labels in columns.items() if (runs := _several(labels)) is not None}
    if len(several) == len(columns):
        return [(setting, run, labels) for setting, runs in several.items() for run, labels in runs.items()]
    if all(isinstance(key, tuple) and len(key) == 2 for key in columns):
        return [(setting, run, labels) for (setting, run), labels in columns.items()]
    if several or not any(isinstance(key, str) for key in columns):
        one = next(key for key in columns if key not in several)
        raise ValueError(f"labelings must have several label vectors for each setting, got one for {one!r}")
    return _by_names(columns, _common_names(columns))


def _of_repetition(runs: Runs) -> _Triples:
    for setting, run in runs:
        labels, rows = runs.labels_of(setting, run)
        yield setting, run, labels if rows is None else _LabelsOfRows(labels, rows, runs.n_samples)
    has_runs = {setting for setting, _ in runs}  # calls may have failed
    for setting, labels in runs.full.items():
        if setting in has_runs:
            yield setting, None, labels


def _several(runs: Any) -> dict[Any, Any] | None:
    """The label vectors of a setting by the names of their runs; None if it is one vector."""
    if is_array(runs) and len(runs.shape) == 2:
        if runs.shape[0] > runs.shape[1]:
            shape = tuple(runs.shape)
            raise ValueError(f"labelings must have matrices of shape (n_runs, n_samples), got {shape}; give labels.T")
        found = {run: runs[run, :] for run in range(runs.shape[0])}
    elif isinstance(runs, list | tuple) and not runs:
        found = {}
    elif are_labelings(runs):
        keys, vectors = labelings_by_name(runs)
        found = dict(zip(keys, vectors.values(), strict=True))
    else:
        return None
    if not found:
        raise ValueError("labelings must have at least two runs of a setting, got none")
    return found


# Names of columns that say the setting and the run.


def titles_of_runs(columns: Iterable[str], names: str | None, title: Callable[[str], str]) -> dict[str, str]:
    """What messages are to call columns that have runs, instead of by their settings and runs."""
    titles: dict[str, str] = {}
    for setting, runs, whole, whole_name in settings_of({column: column for column in columns}, names):
        titles |= {f"labelings[{setting!r}, {run!r}]": title(column) for run, column in runs.items()}
        if whole is not None:
            titles[whole_name] = title(whole)
    return titles


def _common_names(columns: Mapping[Any, Any]) -> str:
    """The pattern of columns that begin alike and end in the setting and the run."""
    texts = [column if isinstance(column, str) else "" for column in columns]
    beginnings = {parts[0] for text in texts if len(parts := text.rsplit("_", 2)) == 3}
    if len(beginnings) != 1 or not all(text.startswith(f"{next(iter(beginnings))}_") for text in texts):
        raise ValueError(
            f"names must say where the setting and the run stand in the names of the columns, such as {_EXAMPLE}, got "
            f"None and columns that do not all begin alike and end in '_setting_run': {_some(columns)}"
        )
    return f"{beginnings.pop()}_{{setting}}_{{run}}"


def _by_names(columns: Mapping[Any, Any], names: str) -> _Triples:
    """Columns whose names fit ``names``; one with the setting alone has labels of all samples.

    A name that could be both is that of all samples if other columns are runs of that setting. Settings are numbers if
    all of them are such.
    """
    full, short = _patterns(names)
    as_runs = {column: match for column in columns if (match := full.fullmatch(str(column)))}
    as_whole = {column: match for column in columns if short and (match := short.fullmatch(str(column)))}
    unfit = [column for column in columns if column not in as_runs and column not in as_whole]
    if unfit:
        raise ValueError(f"names must fit all columns, got {names!r}, which does not fit {_some(unfit)}")
    have_runs = {match["setting"] for match in as_runs.values()}
    placed: dict[Any, tuple[str, str | None]] = {}
    for column in columns:
        whole = as_whole[column]["setting"] if column in as_whole else ""
        is_run = column in as_runs and whole not in have_runs
        placed[column] = (as_runs[column]["setting"], as_runs[column]["run"]) if is_run else (whole, None)
    numbers = {setting: setting_number(setting) for setting, _ in placed.values()}
    are_numbers = None not in numbers.values() and len(set(numbers.values())) == len(numbers)
    for column, (setting, run) in placed.items():
        yield numbers[setting] if are_numbers else setting, run, columns[column]


def _patterns(names: Any) -> tuple[re.Pattern[str], re.Pattern[str] | None]:
    """The pattern of a setting and a run, and that of a setting alone, which there is if the run stands behind it."""
    if not isinstance(names, str) or names.count("{setting}") != 1 or names.count("{run}") != 1:
        raise ValueError(f"names must contain {{setting}} and {{run}} once each, such as {_EXAMPLE}, got {names!r}")
    braces = {"{setting}": "(?P<setting>.+)", "{run}": "(?P<run>.+?)"}

    def compiled(text: str) -> re.Pattern[str]:
        parts = re.split(r"(\{\w+\})", text)
        return re.compile("".join(braces.get(part, re.escape(part)) for part in parts), re.DOTALL)

    before, after = names.split("{setting}")
    return compiled(names), compiled(before + "{setting}") if "{run}" in after else None


def _some(columns: Iterable[Any]) -> str:
    """The first columns, and how many more there are."""
    names = [repr(column) for column in columns]
    return ", ".join(names[:3]) + f" and {len(names) - 3} more" * (len(names) > 3)


def setting_number(setting: Any) -> int | float | None:
    """A setting as a number, also if it is written as text; None if it is none."""
    if isinstance(setting, str):
        text = _NUMBER.fullmatch(setting)
        return None if text is None else float(setting) if text[1] else int(setting)
    return setting if is_number(setting) and not isinstance(setting, bool) and math.isfinite(setting) else None


# The labelings of a setting, read and encoded.


class _LabelsOfRows(NamedTuple):
    """Labels of the samples in ``rows`` alone, of ``n_samples``: the run left out the others."""

    labels: Any
    rows: Any
    n_samples: int

    def read(self, name: str, ignored: tuple[Any, ...]) -> Labeling:
        """The labeling of all samples."""
        (part,) = read_labelings({name: self.labels}, None, ignored, None, None)
        codes = part.encoded
        among_all = np.full(self.n_samples, codes.size, dtype=np.int64)
        among_all[self.rows] = codes.codes
        spread = Codes(among_all, codes.size, codes.values, has_spare=True, scale=codes.scale)
        keep = among_all < codes.size
        return Labeling(Vector(name, None, among_all), spread, keep, None, ignored, None, part.n_kept)


class SettingLabelings(NamedTuple):
    """The labelings of a setting. The samples that a run left out are those that its labeling does not keep."""

    names: tuple[Any, ...]
    """Of the runs."""
    runs: list[Labeling]
    whole: Labeling | None
    """That of all samples, which is no run, if there is one."""


@dataclass(eq=False)
class Reader:
    """Reads one setting after the other, and checks that all labelings are of the same samples."""

    ignored: tuple[Any, ...]
    first: Vector | None = None
    noise: Any = None
    """The label -1 as it is written, if it occurs: it is a cluster like any other."""

    @classmethod
    def of(cls, ignore_labels: Any) -> Reader:
        """A reader that takes missing labels, and those to ignore, as samples that a run left out."""
        return cls((None, *(x for x in read_ignored(ignore_labels) if x is not None)))

    def read(self, given: SettingRuns) -> SettingLabelings:
        """The labelings of a setting."""
        named = {f"labelings[{given.setting!r}, {run!r}]": labels for run, labels in given.runs.items()}
        if given.whole is not None:
            named[given.whole_name] = given.whole
        check_not_dask(named)
        of_rows = {name: x.read(name, self.ignored) for name, x in named.items() if isinstance(x, _LabelsOfRows)}
        others = {name: labels for name, labels in named.items() if name not in of_rows}
        read = of_rows | dict(zip(others, read_labelings(others, None, self.ignored, None, None), strict=True))
        labelings = [read[name] for name in named]
        for labeling in labelings:
            self._check(labeling)
        whole = labelings.pop() if given.whole is not None else None
        return SettingLabelings(tuple(given.runs), labelings, whole)

    def _check(self, labeling: Labeling) -> None:
        vector, codes = labeling.vector, labeling.encoded
        self.first = vector if self.first is None else self.first
        if vector.size != self.first.size:
            raise ValueError(
                f"labelings must be of the same samples, got {vector.size} labels in {vector.name} and "
                f"{self.first.size} in {self.first.name}; write None or NaN for a sample that a run left out"
            )
        check_alike(self.first, vector)
        if not labeling.n_kept:
            raise ValueError(f"{vector.name} must have labels, got none but missing or ignored ones; leave it out")
        if self.noise is None:
            is_range = isinstance(codes.values, range)
            labels: Sequence[Any] = codes.values if is_range else labels_on_host(codes.values).tolist()
            found = [label for label in _NOISE if label in labels]
            if found and bool(to_host(backend_of(codes.codes).xp.any(codes.codes == labels.index(found[0])))):
                self.noise = found[0]
