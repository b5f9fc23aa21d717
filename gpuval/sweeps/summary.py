"""What is known of one setting: how much its runs agree, and how stable the clusters of one of them are."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.backends import backend_of, to_host
from gpuval.inference.intervals import clip_interval, student
from gpuval.inputs.strings import is_hashable
from gpuval.numerics import Array, NDArray
from gpuval.registry.families import measure_of, range_of
from gpuval.results.scores import ByMeasure, plain
from gpuval.results.settings import AMBIGUOUS, RunScores, SettingStability
from gpuval.sweeps.agreement import Agreement, inconsistency, mean_of_pairs
from gpuval.sweeps.clusters import stability_of_clusters
from gpuval.sweeps.runs import SettingLabelings
from gpuval.table.co_clustering import pair_frequencies, silhouettes_of_co_clustering
from gpuval.table.contingency import Contingency
from gpuval.table.labelings import Labeling, samples_of_both, table_of
from gpuval.table.labels import labels_at

# The labels of a setting whose clusters are described.


class Reference(NamedTuple):
    """The labeling whose clusters are described."""

    labeling: Labeling
    run: Any
    """The name of the run; None if it is no run."""
    place: int | None
    """Its place among the runs."""


def choose_reference(reference: Any, setting: Any, read: SettingLabelings, similarity: NDArray) -> Reference:
    """The labels that ``reference`` stands for in one setting; None: those of all samples, or the medoid."""
    if reference is None and read.whole is not None:
        return Reference(read.whole, None, None)
    if reference is None or (isinstance(reference, str) and reference == "medoid"):
        place = _medoid(similarity)
    elif is_hashable(reference) and reference in read.names:
        place = read.names.index(reference)
    else:
        some = ", ".join(map(repr, read.names[:_MOST_NAMED])) + ", ..." * (len(read.names) > _MOST_NAMED)
        raise ValueError(
            f"reference must be 'medoid', the name of a run of each setting, or a mapping from settings to labels, got "
            f"{reference if is_hashable(reference) else type(reference).__name__!r}; the runs of {setting!r} are {some}"
        )
    return Reference(read.runs[place], read.names[place], place)


_MOST_NAMED = 5


def _medoid(similarity: NDArray) -> int:
    """The run with the largest mean similarity to the others, the first one of equal ones."""
    known = ~np.isnan(similarity)
    sums, numbers = np.where(known, similarity, 0.0).sum(axis=1), known.sum(axis=1)
    means = sums / np.maximum(numbers, 1)
    return int(np.argmax(means >= means.max() - _ROUNDING))


_ROUNDING = 1e-12


# What is known of a setting.


def setting_stability(
    read: SettingLabelings,
    agreement: Agreement,
    reference: Reference,
    functions: Mapping[Any, Callable[..., Any]],
    level: float,
    n_pairs: int,
    random: np.random.Generator,
) -> SettingStability:
    """How much the runs of a setting agree, and how stable the clusters of the reference are in the others."""
    frequencies = pair_frequencies(read.runs, n_pairs, random)
    others = [run for place, run in enumerate(read.runs) if place != reference.place]
    silhouettes = _silhouettes(reference.labeling, others, agreement.consistency)
    n_clusters = [_number_of_clusters(run) for run in read.runs]
    ambiguous, error = frequencies.ambiguous(*AMBIGUOUS) if len(read.runs) > 1 else (math.nan, math.nan)
    whole = read.whole
    tables = [table_of(whole, run) for run in read.runs if have_samples_in_common(whole, run)] if whole else []
    leaves_out = any(run.n_kept < run.vector.size for run in read.runs)
    return SettingStability(
        n_runs=len(read.runs),
        n_distinct=None if leaves_out else _n_distinct(agreement.similarity),
        n_clusters=(float(np.median(n_clusters)), min(n_clusters), max(n_clusters)),
        scores=ByMeasure(
            {name: _run_scores(name, function, agreement, tables, level) for name, function in functions.items()}
        ),
        inconsistency=inconsistency(agreement.similarity),
        ambiguous=ambiguous,
        ambiguous_standard_error=error,
        together=(frequencies.values, np.cumsum(frequencies.counts) / max(frequencies.n_pairs, 1)),
        consistency=agreement.consistency,
        silhouette=_mean_of_known(silhouettes),
        reference=reference.run,
        labels=_labels_of_samples(reference.labeling),
        clusters=stability_of_clusters(reference.labeling, others, agreement.consistency, silhouettes),
    )


def _silhouettes(reference: Labeling, runs: Sequence[Labeling], like: Array) -> Array:
    """The silhouettes of co-clustering; NaN of no runs, and of very many clusters, which would take long."""
    if runs and max(x.encoded.size for x in (reference, *runs)) <= _MOST_CLUSTERS:
        return silhouettes_of_co_clustering(reference, runs)
    return backend_of(like).xp.full_like(like, float("nan"))


_MOST_CLUSTERS = 2_000


def _run_scores(
    name: Any, function: Callable[..., Any], agreement: Agreement, tables: Sequence[Contingency], level: float
) -> RunScores:
    """With ``tables`` of the runs and the labels of all samples, if there are such."""
    pairs = agreement.scores[name]
    mean = mean_of_pairs(pairs)
    error = mean.standard_error
    interval = clip_interval(range_of(function), mean.mean, *student(mean.mean, error, level, len(mean.without)))
    with_whole = [float(plain(function(table))) for table in tables]
    whole = float(np.mean(with_whole)) if tables else math.nan
    measure = measure_of(function)
    expected = 0.0 if measure is not None and measure.adjusted else math.nan
    if measure is not None and measure.name == "element_centric_score":
        expected = mean_of_pairs(agreement.expected).mean
    return RunScores(mean.mean, error, *interval, expected, pairs, whole)


def with_share(found: SettingStability, name: Any, share: float) -> SettingStability:
    """The same with the share of draws in which the setting is ahead by one measure."""
    scores = {key: replace(x, ahead=share) if key == name else x for key, x in found.scores.items()}
    return replace(found, scores=ByMeasure(scores))


def _n_distinct(similarity: NDArray) -> int:
    """How many different partitions there are: two with the element-centric score 1 are the same."""
    is_same = similarity > 1 - _SAME
    return sum(not is_same[place, :place].any() for place in range(len(similarity)))


_SAME = 1e-9
"""One sample in another cluster changes an element-centric score by about one divided by the number of samples."""


def _mean_of_known(values: Array) -> float:
    backend = backend_of(values)
    xp = backend.xp
    is_known = ~xp.isnan(values)
    total, number = xp.sum(xp.where(is_known, values, 0.0)), backend.count_true(is_known)
    return float(plain(total)) / int(plain(number)) if int(plain(number)) else math.nan


def have_samples_in_common(first: Labeling, second: Labeling) -> bool:
    """Whether there is a sample that neither leaves out."""
    both = samples_of_both(first, second)
    return both is None or bool(to_host(backend_of(both).xp.any(both)))


def _number_of_clusters(run: Labeling) -> int:
    codes = run.encoded
    backend = backend_of(codes.codes)
    sizes = backend.count(codes.places, codes.size + codes.has_spare)[: codes.size]
    return int(plain(backend.count_true(sizes > 0)))


def _labels_of_samples(labeling: Labeling) -> Any:
    """The labels as they were given; of a run that drew some of the samples an array that is masked at the others."""
    if labeling.vector.given is not None:
        return labeling.vector.given
    codes = labeling.encoded
    is_absent = codes.codes == codes.size
    return np.ma.MaskedArray(labels_at(codes.values, np.where(is_absent, 0, codes.codes)), mask=is_absent)
