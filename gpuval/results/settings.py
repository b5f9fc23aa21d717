"""How stable the settings of a clustering method are: what :func:`gpuval.stability` returns, and how it prints."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple

import numpy as np

from gpuval.display.digits import HIGHEST, TIED, TO, decimals, interval_text, score_text, share_text
from gpuval.display.tables import Paragraph, Printable, ResultMapping, TextTable, columns_of_labels
from gpuval.display.text import readable_name, visible
from gpuval.engines.backends import to_host
from gpuval.inputs.options import check_option, require_extra
from gpuval.numerics import Array, NDArray
from gpuval.registry.families import measure_named
from gpuval.results.inferences import BestLabeling, BestLabelings
from gpuval.results.texts import about_level
from gpuval.table.contingency import Contingency
from gpuval.table.labels import labels_on_host, pandas_index

__all__ = ["ClusterStability", "RunScores", "SettingStability", "Stability"]

AMBIGUOUS = 0.1, 0.9
"""Pairs of samples that are together in more than the first and at most the second share of runs are ambiguous."""

DISSOLVED, RECOVERED = 0.5, 0.75
"""A cluster whose best match in a run has a Jaccard index of at most this is dissolved there; above that, recovered."""


@dataclass(frozen=True, eq=False, repr=False)
class RunScores:
    """How much the runs of one setting agree by one measure.

    Attributes
    ----------
    mean
        The mean score over all pairs of runs, each over the samples that both have. A float.
    standard_error
        How much the mean would vary with other runs on the same data: by the jackknife, which leaves out one run after
        the other. NaN for fewer than three runs.
    low, high
        The ends of the confidence interval, by the quantiles of Student's distribution.
    expected
        What two random labelings with clusters of these sizes have on average; NaN where that is not known.
    pairs
        The score of each pair of runs, shape (n_runs, n_runs), of NumPy; NaN on the diagonal, and for runs without
        common samples.
    with_whole
        The mean score of the runs with the labels of all samples; NaN if there are none.
    ahead
        How sure it is that this setting is the best: the share of draws of runs, with replacement, in which its mean is
        better than those of all other settings with more than one cluster. NaN if it was not compared.
    """

    mean: float
    standard_error: float
    low: float
    high: float
    expected: float
    pairs: NDArray
    with_whole: float = math.nan
    ahead: float = math.nan

    def __repr__(self) -> str:
        n = decimals([self.mean], [self.low], [self.high])
        interval = interval_text(self.low, self.high, n)
        return score_text(self.mean, n) + f" [{interval}]" * bool(interval)


@dataclass(frozen=True, eq=False, repr=False)
class ClusterStability:
    """How stable each cluster of one labeling is in the other runs of its setting. It prints as a table.

    Attributes
    ----------
    clusters
        The labels of the clusters, sorted, shape (n_clusters,); the other arrays have this shape, too, and lie in the
        library and on the device of the labels.
    sizes
        How many samples each cluster has.
    consistency
        The mean over its samples of their element-centric consistency; from above 0 to 1, which is best.
    jaccard
        The Jaccard index of the cluster with the most similar cluster of a run, averaged over the runs; from 0 to 1,
        which is best.
    dissolved
        The share of runs in which that index is at most 1/2. Lower is better.
    recovered
        The share of runs in which it is above 3/4. Higher is better.
    n_absent
        In how many runs no sample of the cluster was drawn: these count in no mean.
    consensus
        How often two samples of the cluster are together, averaged over its pairs; NaN for a cluster of one sample.
    silhouettes
        The mean over its samples of :func:`gpuval.co_clustering_silhouettes`; from -1 to 1, which is best.
    """

    clusters: Any
    sizes: Array
    consistency: Array
    jaccard: Array
    dissolved: Array
    recovered: Array
    n_absent: Array
    consensus: Array
    silhouettes: Array

    def columns(self) -> dict[str, NDArray]:
        """The columns by their names, of NumPy (copies to the host)."""
        names = [field.name for field in fields(self) if field.name != "clusters"]
        return {"cluster": labels_on_host(self.clusters), **{name: to_host(getattr(self, name)) for name in names}}

    def records(self) -> list[dict[str, Any]]:
        """The rows of :meth:`to_pandas` as dictionaries of Python values (copies to the host)."""
        columns = self.columns()
        rows = zip(*(column.tolist() for column in columns.values()), strict=True)
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def to_pandas(self) -> Any:
        """A pandas DataFrame with a row for each cluster (copies to the host)."""
        with require_extra("to_pandas()", "pandas"):
            import pandas as pd

        columns = self.columns()
        index = pandas_index(pd, columns.pop("cluster"), name="cluster", tupleize_cols=False)
        return pd.DataFrame(columns, index=index)

    def least(self) -> tuple[Any, float]:
        """The cluster with the lowest Jaccard index, and that index; (None, NaN) if none is known."""
        columns = self.columns()
        jaccard = columns["jaccard"]
        if not len(jaccard) or np.isnan(jaccard).all():
            return None, math.nan
        place = int(np.nanargmin(jaccard))
        return columns["cluster"][place], float(jaccard[place])

    def often_dissolved(self) -> list[Any]:
        """The clusters that dissolve in more than half of the runs."""
        columns = self.columns()
        return [x for x, share in zip(columns["cluster"].tolist(), columns["dissolved"], strict=True) if share > 0.5]

    def __repr__(self) -> str:
        columns = self.columns()
        shown = ["cluster", "sizes", "jaccard", "dissolved", "recovered", "consistency", "consensus"]
        return columns_of_labels(shown, [columns[name] for name in shown])


@dataclass(frozen=True, eq=False, repr=False)
class SettingStability:
    """How stable the clusterings of one setting are. It prints as a table of its clusters.

    Attributes
    ----------
    n_runs
        How many runs there are.
    n_distinct
        How many different partitions these are, for runs that left no sample out; a partition that occurs twice is one.
        None if a run left samples out.
    n_clusters
        The number of clusters of the runs: the median, the smallest and the largest.
    scores
        A mapping from the names of the measures to :class:`RunScores`.
    inconsistency
        The inconsistency coefficient, :func:`gpuval.inconsistency_coefficient`: from 1, which is best, up to the number
        of runs.
    ambiguous
        The share of pairs of samples that are together in more than 0.1 and at most 0.9 of the runs,
        :func:`gpuval.proportion_of_ambiguous_pairs`: from 0, which is best, to 1.
    ambiguous_standard_error
        Its standard error by the draw of pairs; 0 if all pairs were looked at.
    together
        How often pairs of samples are together: the distinct shares of runs, ascending, and the share of the pairs that
        have at most this. Two arrays of NumPy.
    consistency
        The element-centric consistency of each sample, shape (n_samples,), from above 0 to 1, which is best; in the
        library and on the device of the labels.
    silhouette
        The mean silhouette of co-clustering of the reference. It judges labels by runs of the same procedure, so do not
        choose by it alone. NaN for more than 2,000 clusters.
    reference
        The name of the run whose clusters are described; None for labels of all samples that are no run.
    labels
        The labels of the reference, as they were given.
    clusters
        How stable each cluster of the reference is: a :class:`ClusterStability`.
    """

    n_runs: int
    n_distinct: int | None
    n_clusters: tuple[float, int, int]
    scores: Mapping[str, RunScores]
    inconsistency: float
    ambiguous: float
    ambiguous_standard_error: float
    together: tuple[NDArray, NDArray]
    consistency: Array
    silhouette: float
    reference: Any
    labels: Any
    clusters: ClusterStability

    @property
    def is_one_cluster(self) -> bool:
        """Whether half of the runs or more have a single cluster, which is perfectly stable and says nothing."""
        return self.n_clusters[0] <= 1

    def numbers(self) -> dict[str, Any]:
        """What is known of it, as Python numbers by their names (copies to the host)."""
        least, jaccard = self.clusters.least()
        found: dict[str, Any] = {"n_runs": self.n_runs}
        found |= dict(zip(("n_clusters", "fewest_clusters", "most_clusters"), self.n_clusters, strict=True))
        for name, scores in self.scores.items():
            of_measure = {"": scores.mean, "_low": scores.low, "_high": scores.high, "_expected": scores.expected}
            of_measure |= {"_standard_error": scores.standard_error, "_with_whole": scores.with_whole}
            of_measure |= {"_ahead": scores.ahead}
            found |= {name + end: number for end, number in of_measure.items()}
        found |= {"inconsistency": self.inconsistency, "ambiguous": self.ambiguous, "silhouette": self.silhouette}
        found |= {"reference": self.reference, "least_stable_cluster": least, "least_jaccard": jaccard}
        return found | {"n_often_dissolved": len(self.clusters.often_dissolved())}

    def __repr__(self) -> str:
        return repr(self.clusters)


class Stability(ResultMapping[Any, SettingStability]):
    """A mapping from settings to how stable their clusterings are: the result of :func:`gpuval.stability`.

    It prints as a table, and below it what is sure and what is not.

    Attributes
    ----------
    best
        For each measure the most stable setting, as a :class:`BestLabeling` with the differences to all others, their
        intervals and p-values. Settings with a single cluster are left out, since these are always stable, and those
        with fewer than three runs, of which no interval is known.
    overlaps
        A mapping from each two neighbouring settings to the :class:`Contingency` of their reference labels.
    confidence_level
        That of all intervals.
    notes
        What else a reader should know, such as runs that are all the same.

    Examples
    --------
    >>> import gpuval
    >>> two = [[0, 0, 0, 0, 1, 1, 1, 1], [1, 1, 1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1, 1, 0]]
    >>> four = [[0, 0, 1, 1, 2, 2, 3, 3], [0, 1, 0, 1, 2, 3, 2, 3], [0, 1, 1, 0, 2, 3, 3, 2]]
    >>> found = gpuval.stability({2: two, 4: four})
    >>> found[2].scores["ecs"].mean > found[4].scores["ecs"].mean
    True
    """

    def __init__(
        self,
        settings: Mapping[Any, SettingStability],
        best: BestLabelings,
        overlaps: Mapping[tuple[Any, Any], Contingency],
        confidence_level: float,
        notes: Sequence[str] = (),
    ) -> None:
        self._settings: dict[Any, SettingStability] = dict(settings)
        self.best = best
        self.overlaps = dict(overlaps)
        self.confidence_level = confidence_level
        self.notes = tuple(notes)

    def __getitem__(self, setting: Any) -> SettingStability:
        return self._settings[setting]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._settings)

    def __len__(self) -> int:
        return len(self._settings)

    @property
    def labels(self) -> dict[Any, Any]:
        """The reference labels of each setting, for example for :func:`gpuval.plots.plot_tree`."""
        return {setting: found.labels for setting, found in self.items()}

    def sentence(self, metric: str | None = None) -> str:
        """What is sure by one measure, the first one if none is named, and what is not."""
        scores: Mapping[str, RunScores] = next(iter(self.values())).scores
        name = next(iter(scores)) if metric is None else metric
        if name not in scores:
            raise ValueError(f"metric must be one of {', '.join(scores)}, got {metric!r}")
        if name not in self.best:
            return "To compare settings, two of them need three runs and more than one cluster."
        return _sentence(self, name)

    def to_dict(self) -> dict[Any, dict[str, Any]]:
        """The numbers of each setting as Python numbers (copies to the host)."""
        return {setting: found.numbers() for setting, found in self.items()}

    def records(self, of: Literal["settings", "clusters", "overlaps"] = "settings") -> list[dict[str, Any]]:
        """The rows of :meth:`to_pandas` as dictionaries of Python values (copies to the host)."""
        check_option("of", of, ("settings", "clusters", "overlaps"))
        if of == "settings":
            return [{"setting": setting, **numbers} for setting, numbers in self.to_dict().items()]
        if of == "clusters":
            return [{"setting": setting, **row} for setting, found in self.items() for row in found.clusters.records()]
        return [edge._asdict() for edge in _edges(self.overlaps)]

    def to_pandas(self, of: Literal["settings", "clusters", "overlaps"] = "settings") -> Any:
        """A pandas DataFrame (copies to the host).

        Parameters
        ----------
        of
            What has a row: each of the "settings", each of their "clusters", or each of the "overlaps" of a cluster
            with one of the next setting, as in a clustree: how many samples both have, their share of the cluster
            (``share``) and of that of the next setting (``share_of_next``).
        """
        records = self.records(of)
        with require_extra("to_pandas()", "pandas"):
            import pandas as pd

        names = list(records[0]) if records else ["setting", *_Edge._fields[1:]]
        columns = {name: pandas_index(pd, [row[name] for row in records], tupleize_cols=False) for name in names}
        frame = pd.DataFrame(columns)
        return frame.set_index("setting") if of == "settings" else frame

    def _tables(self) -> Sequence[Printable]:
        said = [self.about_table(), self.sentence(), *self.notes]
        return [settings_table(self), *(Paragraph(text) for text in said if text)]

    def about_table(self) -> str:
        """What the marks of the table mean, and the level of its intervals; empty if it has neither."""
        marks = [f"{HIGHEST} the most stable", f"{TIED} as stable within noise"] if self.best else []
        has_intervals = any(not math.isnan(x.low) for found in self.values() for x in found.scores.values())
        return "; ".join([", ".join(marks)] * bool(marks) + about_level(self.confidence_level) * has_intervals)


class _Edge(NamedTuple):
    setting: Any
    next_setting: Any
    cluster: Any
    next_cluster: Any
    n_samples: int
    share: float
    share_of_next: float


def _edges(overlaps: Mapping[tuple[Any, Any], Contingency]) -> Iterator[_Edge]:
    """The cells that are not empty."""
    for (first, second), table in overlaps.items():
        rows, columns, counts = (labels_on_host(x) for x in table.triples())
        sizes = [
            dict(zip(labels_on_host(names).tolist(), to_host(x).tolist(), strict=True))
            for names, x in ((table.classes, table.class_sizes), (table.clusters, table.cluster_sizes))
        ]
        for a, b, n in zip(rows.tolist(), columns.tolist(), counts.tolist(), strict=True):
            if n:
                yield _Edge(first, second, a, b, n, n / sizes[0][a], n / sizes[1][b])


# How it prints.


def settings_table(found: Stability) -> TextTable:
    """A row for each setting, with its marks."""
    names = list(dict.fromkeys(name for setting in found.values() for name in setting.scores))
    heads = ["setting", "clusters"]
    for place, name in enumerate(names):
        heads += [_head(name), *(["by chance"] if place == 0 else [])]
    heads += ["IC \N{DOWNWARDS ARROW}", "PAC \N{DOWNWARDS ARROW}", "least stable cluster"]
    n_decimals = {name: decimals_of_runs(found, name) for name in names}
    rows = []
    for setting, x in found.items():
        row = [readable_name(setting), clusters_text(x.n_clusters)]
        for place, name in enumerate(names):
            scores, n = x.scores[name], n_decimals[name]
            interval = interval_text(scores.low, scores.high, n)
            row.append(f"{score_text(scores.mean, n)} {_mark(found, name, setting)} {interval}".rstrip())
            row += [score_text(scores.expected, n)] if place == 0 else []
        least, jaccard = x.clusters.least()
        weakest = "" if least is None else f"{visible(readable_name(least))} ({score_text(jaccard, 2)})"
        rows.append([*row, score_text(x.inconsistency, 3), score_text(x.ambiguous, 3), weakest])
    of_scores = [place for place, head in enumerate(heads) if head in map(_head, names)]
    return TextTable(heads, rows, left=(0, *of_scores, len(heads) - 1))


def decimals_of_runs(found: Stability, name: str) -> int:
    """How many decimals the mean scores of one measure have."""
    scores = [x.scores[name] for x in found.values()]
    return decimals([x.mean for x in scores], [x.low for x in scores], [x.high for x in scores])


def _head(name: str) -> str:
    measure = measure_named(name)
    return name if measure is None else measure.short_head


def _mark(found: Stability, name: str, setting: Any) -> str:
    """The mark of the best setting, and of those that are not told apart from it."""
    best = found.best.get(name)
    if best is None or setting not in best.best_set:
        return " "
    return HIGHEST if setting == best.name else TIED


def clusters_text(n_clusters: tuple[float, int, int]) -> str:
    """The median number of clusters of runs, and the ends if these differ.

    Examples
    --------
    >>> clusters_text((8.0, 7, 9)), clusters_text((3.0, 3, 3)), clusters_text((2.5, 2, 3))
    ('8 (7–9)', '3', '2.5 (2–3)')
    """
    median, fewest, most = n_clusters
    return f"{median:g}" + f" ({fewest}{TO}{most})" * (fewest != most)


_MOST_NAMED = 5
"""Names in one sentence; of more, the first ones and how many there are."""


def _sentence(found: Stability, name: str) -> str:
    """Which settings are as stable as the most stable one, the finest of these, and what dissolves in finer ones."""
    best = found.best[name]
    scores, title = found[best.name].scores[name], _title(name)
    score = f"{title} {scores!r}" + f", by chance {score_text(scores.expected, 2)}" * (not math.isnan(scores.expected))
    as_stable = best.best_set
    n_ranked = 1 + len(best.gaps or ())
    said = [f"{_name(best.name)} is the most stable of {n_ranked} settings with more than one cluster ({score})"]
    if len(as_stable) == 1 and not math.isnan(scores.ahead):
        said[0] += f", ahead of all others in {share_text(scores.ahead)} of draws of its runs"
    said.append(_what_is_as_stable(best, n_ranked))
    finest = max(as_stable, key=lambda setting: found[setting].n_clusters[0])
    if len(as_stable) > 1:
        said.append(f"The finest of these is {_name(finest)}, with {clusters_text(found[finest].n_clusters)} clusters")
    said += _what_dissolves(found, finest)
    return ". ".join(said) + "."


def _what_is_as_stable(best: BestLabeling, n_ranked: int) -> str:
    """Which other settings may be as stable as the best one."""
    others, n_others = best.best_set[1:], n_ranked - 1
    margin = f"{best.margin:g}" if best.margin else ""
    all_others = "The other is" if n_others == 1 else "All others are"
    if not others:
        return f"{all_others} less stable by more than noise" + f", and by {margin} or more" * bool(margin)
    who = all_others if len(others) == n_others else f"{joined_names(others)} {'is' if len(others) == 1 else 'are'}"
    return f"{who} as stable within noise" + f", or within {margin}" * bool(margin)


def _what_dissolves(found: Stability, finest: Any) -> list[str]:
    """Which clusters dissolve of a setting, and of those that are finer."""
    n_clusters = found[finest].n_clusters[0]
    finer = [setting for setting, x in found.items() if setting == finest or x.n_clusters[0] > n_clusters]
    dissolved = {setting: found[setting].clusters.often_dissolved() for setting in finer}
    parts = [
        f"{'cluster' if len(names) == 1 else 'clusters'} {joined_names(names)} of setting {_name(setting)}"
        for setting, names in dissolved.items()
        if names
    ]
    n_more = len(parts) - _MOST_NAMED
    more = f", and some of {n_more} more settings" * (n_more > 0)
    return [f"Dissolved in more than half of the runs: {'; '.join(parts[:_MOST_NAMED])}{more}"] if parts else []


def _title(name: str) -> str:
    measure = measure_named(name)
    return name if measure is None else measure.sentence_name


def _name(setting: Any) -> str:
    return visible(readable_name(setting))


def joined_names(names: Sequence[Any]) -> str:
    """Several names, the last one after "and"."""
    shown = [_name(name) for name in names[:_MOST_NAMED]]
    n_more = len(names) - len(shown)
    if n_more:
        return f"{', '.join(shown)} and {n_more} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
