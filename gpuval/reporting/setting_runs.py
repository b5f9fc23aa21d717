"""The section of a report about several runs of each setting: which settings are stable, and which clusters."""

from __future__ import annotations

import math
from typing import Any

from gpuval.display.digits import HIGHEST, TIED, interval_text, score_text
from gpuval.display.names import short_names
from gpuval.measures.measure import ARROW
from gpuval.registry.families import measure_named
from gpuval.reporting.figures import Figures
from gpuval.reporting.sections import Closed, CsvOnPage, Section, TableOnPage, Text
from gpuval.reporting.sentences import name_text
from gpuval.reporting.tables import EMPTY, Bar, Cell, Head, PageTable, Row, csv_text, sort_key
from gpuval.results.columns import head_of_column
from gpuval.results.settings import RunScores, SettingStability, Stability, clusters_text, decimals_of_runs
from gpuval.results.verdict import FEWEST_OF_CLASS

_WIDEST_SETTING = 28
_CSV = "stability.csv"


def stability_section(found: Stability, figures: Figures, units: str) -> Section:
    """What is sure about the settings, their scores, and two pictures."""
    curve = (
        "Line or dot: the mean agreement of two runs of a setting; band: its interval; dashes: what random clusters of "
        "the same sizes have; ring: the most stable; hollow: less stable, or a single cluster; bars: numbers of "
        "clusters."
    )
    clusters = (
        f"Dot: a cluster, as large as it has {units}, at its Jaccard index with the most similar clusters of the runs; "
        f"hollow: under {FEWEST_OF_CLASS} {units}. Above the upper line it is recovered, up to the lower one dissolved."
    )
    sentence = found.sentence()
    return Section(
        "stability",
        "How stable the settings are",
        [
            *map(Text, [sentence, *found.notes]),
            TableOnPage(_table(found), _CSV),
            figures.stability(found, "curve", curve, f"Agreement of the runs of {len(found)} settings. {sentence}"),
            figures.stability(found, "clusters", clusters, f"Stability of the clusters of {len(found)} settings"),
            Closed("All numbers", [CsvOnPage(_CSV, _csv(found))]),
        ],
        link="Stability",
    )


def _table(found: Stability) -> PageTable:
    measures = list(next(iter(found.values())).scores)
    heads = [Head("setting", is_number=False), Head("clusters", kind="count")]
    for metric in measures:
        head = head_of_column(metric, measure_named(metric))
        heads.append(Head(head, about=name_text(metric), kind="voice" if _ends(found, metric) else "score"))
    heads += [
        Head("by chance", about=f"{heads[2].text} of random clusters of the same sizes"),
        Head(f"IC {ARROW}", about="inconsistency coefficient: 1 is best", better="lower"),
        Head(f"PAC {ARROW}", about="share of ambiguous pairs: 0 is best", better="lower"),
        Head("least stable cluster", is_number=False, kind="words"),
    ]
    names = [name_text(setting) for setting in found]
    rows = [
        Row(short, _cells(found, setting, measures), about=name if name != short else "")
        for setting, name, short in zip(found, names, short_names(names, _WIDEST_SETTING), strict=True)
    ]
    said = found.about_table()
    note = f"{said} over runs, as bars of one scale per column." if said else ""
    return PageTable("Stability of each setting", heads, rows, note=note, kind="scores")


def _cells(found: Stability, setting: Any, measures: list[Any]) -> list[Cell]:
    x: SettingStability = found[setting]
    first = x.scores[measures[0]]
    least, jaccard = x.clusters.least()
    weakest = EMPTY if least is None else Cell(name_text(least), sort_key(jaccard), score_text(jaccard, 2))
    return [
        Cell(clusters_text(x.n_clusters), x.n_clusters[0]),
        *(_score(found, setting, metric) for metric in measures),
        _number(first.expected, decimals_of_runs(found, measures[0])),
        _number(x.inconsistency, 3),
        _number(x.ambiguous, 3),
        weakest,
    ]


def _number(number: float, n_decimals: int) -> Cell:
    return EMPTY if math.isnan(number) else Cell(score_text(number, n_decimals), sort_key(number))


def _score(found: Stability, setting: Any, metric: Any) -> Cell:
    x: RunScores = found[setting].scores[metric]
    if math.isnan(x.mean):
        return EMPTY
    best, n_decimals = found.best.get(metric), decimals_of_runs(found, metric)
    mark, fill = "", ""
    if best is not None and setting in best.best_set:
        mark, fill = (HIGHEST, "best") if setting == best.name else (TIED, "tie")
    cell = Cell(score_text(x.mean, n_decimals), sort_key(x.mean), mark=mark, fill=fill)
    if math.isnan(x.low) or (ends := _ends(found, metric)) is None:
        return cell
    low, high = ends
    bar = Bar(*((y - low) / (high - low) if high > low else 0.5 for y in (x.low, x.high, x.mean)))
    return cell._replace(beside=interval_text(x.low, x.high, n_decimals), bar=bar)


def _ends(found: Stability, metric: Any) -> tuple[float, float] | None:
    """The lowest and the highest end of the intervals of a measure; None if there are none."""
    known = [x.scores[metric] for x in found.values() if not math.isnan(x.scores[metric].low)]
    return (min(x.low for x in known), max(x.high for x in known)) if known else None


def _csv(found: Stability) -> str:
    records = found.records()
    return csv_text(list(records[0]), [["" if x is None else x for x in row.values()] for row in records])
