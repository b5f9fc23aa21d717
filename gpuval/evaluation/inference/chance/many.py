"""Many labelings against one truth, which is permuted once for all of them.

The samples that have the same labels in all labelings are a group. Of a random table of the classes and these groups,
the table of each labeling is a sum: of the groups of each of its clusters.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from gpuval.engines.cells import DenseCells, ListedCells
from gpuval.evaluation.inference.chance.null_scores import (
    as_good_as,
    mean_and_deviation,
    statistic_of,
    tails_of,
)
from gpuval.evaluation.inference.chance.pearson import check_squares
from gpuval.evaluation.inference.chance.results import PermutationTest, PermutationTests
from gpuval.evaluation.inference.chance.testing import tested
from gpuval.evaluation.inference.comparison.p_values import false_discoveries
from gpuval.evaluation.inference.direction import direction_of
from gpuval.evaluation.inference.reading import CountedLabels, read_with_groups
from gpuval.evaluation.inference.scoring import Functions, scores_of, scores_of_all
from gpuval.evaluation.results.scores import plain
from gpuval.inputs.labels import named_labelings
from gpuval.metrics.external.standardized import standardized_rand_score
from gpuval.numerics import NDArray
from gpuval.numerics.threads import parallel_map
from gpuval.table.contingency import Contingency
from gpuval.table.resampling.chance.null_statistics import null_statistics
from gpuval.table.resampling.chance.null_tables import CellSums, NullModel, cell_sums, joined_sums
from gpuval.table.resampling.joint import JointCells, joint_cells
from gpuval.table.table import Table


def labelings_tested(
    functions: Functions,
    labels_true: Any,
    labelings: Any,
    n_resamples: int,
    random: np.random.Generator,
    sample_weight: Any,
    ignore_labels: Any,
) -> PermutationTests:
    """The test of each labeling by one measure, with p-values for all of them together."""
    if len(functions) > 1:
        raise ValueError(f"metrics must be one measure for several labelings, got {len(functions)}")
    function = next(iter(functions.values()))
    names, vectors = named_labelings(labelings)
    read = read_with_groups({"labels_true": labels_true, **vectors}, None, sample_weight, ignore_labels, "labelings")
    joint = joint_cells(read)
    tables = [joint.table(0, i + 1)[0] for i in range(len(names))]
    check_squares(tables[0])
    scores = [scores_of_all({"": function}, table)[""] for table in tables]
    sums, null = _drawn(function, joint, tables, n_resamples, random)
    tests = [
        tested(CountedLabels(table, read[0].vector.data), score, own, tails_of(function, table, of_own, score, own))
        for table, score, own, of_own in zip(tables, scores, null, sums, strict=True)
    ]
    standard = [
        _standardized(function, table, of_own, score, own)
        for table, score, own, of_own in zip(tables, scores, null, sums, strict=True)
    ]
    counted = CountedLabels(tables[0], read[0].vector.data)
    return _for_all(dict(zip(names, tests, strict=True)), standard, counted)


def _for_all(
    tests: dict[Any, PermutationTest], standard: list[tuple[float, NDArray]], counted: CountedLabels
) -> PermutationTests:
    """The tests with p-values of all labelings: of the largest standardised score, and by false discoveries."""
    largest = np.max([np.where(np.isnan(drawn), -np.inf, drawn) for _, drawn in standard], axis=0)
    p_values = np.asarray([float(plain(test.p_value)) for test in tests.values()])
    found = {}
    for (name, test), (z, _), p, adjusted in zip(
        tests.items(), standard, p_values, false_discoveries(p_values), strict=True
    ):
        of_all = p if np.isnan(z) else (1 + as_good_as(largest, z)) / (len(largest) + 1)
        found[name] = replace(
            test, family_wise_p_value=counted.back(of_all), false_discovery_p_value=counted.back(adjusted)
        )
    return PermutationTests(found)


def _standardized(
    function: Callable[..., Any], table: Contingency, sums: CellSums, score: float, null: NDArray
) -> tuple[float, NDArray]:
    """How much better than their mean a score and those of random tables are, in standard deviations.

    Of measures that go by pairs it is that of the pairs, of which mean and deviation are known: so ties are ties. Mean
    and deviation are those of the scores that are not infinite; these are beyond any number of deviations.
    """
    if statistic_of(function) == "pairs":
        return float(standardized_rand_score(table)), np.asarray(standardized_rand_score(null_statistics(table, sums)))
    sign = -1 if direction_of(function) == "lower" else 1
    others = null[~np.isinf(null)]
    mean, deviation = mean_and_deviation(others) if len(others) else (np.nan, np.nan)
    of_table, of_null = (np.where(np.isinf(x), x, (x - mean) / (deviation or np.nan)) for x in (score, null))
    return sign * float(of_table), sign * of_null


def _drawn(
    function: Callable[..., Any],
    joint: JointCells,
    tables: list[Contingency],
    n_resamples: int,
    random: np.random.Generator,
) -> tuple[list[CellSums], list[NDArray]]:
    """For each labeling the sums over the cells of its random tables, and their scores."""
    groups, group_of = np.unique(np.stack(joint.codes[1:]), axis=1, return_inverse=True)
    sizes = np.zeros(groups.shape[1], dtype=np.int64)
    np.add.at(sizes, group_of.reshape(-1), joint.counts)
    model = NullModel(tables[0].class_sizes, sizes)

    def of_chunk(chunk: tuple[np.random.Generator, int]) -> list[list[tuple[CellSums, NDArray]]]:
        found: list[list[tuple[CellSums, NDArray]]] = [[] for _ in tables]
        for _, drawn in model.batches(*chunk, with_tables=True):
            assert drawn is not None
            for place, (table, cluster_of) in enumerate(zip(tables, groups, strict=True)):
                own = _of_labeling(drawn, cluster_of, table)
                found[place].append((_sums_of_batch(own), scores_of({"": function}, [own])[""]))
        return found

    parts = parallel_map(of_chunk, model.chunks(n_resamples, random))
    by_labeling = [[x for part in parts for x in part[place]] for place in range(len(tables))]
    return [joined_sums(sums for sums, _ in own) for own in by_labeling], [
        np.concatenate([scores for _, scores in own]) for own in by_labeling
    ]


def _of_labeling(drawn: Contingency, cluster_of: NDArray, like: Contingency) -> Contingency:
    """The table, or the batch, of classes and clusters, of one of classes and groups of samples."""
    cells, shape = drawn.cells, (like.shape[0], like.shape[1])
    made: DenseCells | ListedCells
    if isinstance(cells, DenseCells):
        order = np.argsort(cluster_of, kind="stable")
        starts = np.searchsorted(cluster_of[order], np.arange(shape[1]))  # joint cells have no cluster without one
        made = DenseCells(np.add.reduceat(cells.counts[..., order], starts, axis=-1))
    else:
        flat, place = np.unique(cells.class_of * shape[1] + cluster_of[cells.cluster_of], return_inverse=True)
        counts = np.zeros(len(flat), dtype=np.int64)
        np.add.at(counts, place, cells.counts)
        made = ListedCells(counts, *np.divmod(flat, shape[1]), shape)
    return Contingency.from_table(Table.of(made, like.classes, like.clusters, fixed=True, scales=like.scales))


def _sums_of_batch(table: Contingency) -> CellSums:
    cells = table.cells
    counts = cells.counts.reshape(1, -1, 1) if isinstance(cells, ListedCells) else cells.counts.transpose(2, 1, 0)
    return cell_sums(counts)
