"""Permutation tests: whether scores are better than those of labels that are independent of each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from gpuval.engines.backends import outside_of_graphs
from gpuval.engines.cells import DenseCells, SparseCells
from gpuval.inference.inputs import (
    Functions,
    TableWithGroups,
    read_asked,
    read_counted,
    read_with_groups,
    scores_of,
    scores_of_all,
)
from gpuval.inference.intervals import false_discoveries
from gpuval.inference.null_scores import (
    Tails,
    as_good_as,
    check_squares,
    mean_and_deviation,
    mean_and_deviation_by_moments,
    p_value_of_pairs,
    random_table_scores,
    statistic_of,
    tails_of,
    z_score,
)
from gpuval.inputs.labels import labelings_by_name
from gpuval.inputs.options import check_count, check_option, generator
from gpuval.measures.requests import Metrics
from gpuval.metrics.external.standardized import standardized_rand_score
from gpuval.numerics import NDArray
from gpuval.numerics.parallel import parallel_map
from gpuval.registry.families import direction_of
from gpuval.registry.requests import are_labelings
from gpuval.results.inferences import PermutationTest, PermutationTests
from gpuval.results.scores import plain
from gpuval.table.contingency import Contingency
from gpuval.table.resampling.joint import JointCells, joint_cells
from gpuval.table.resampling.permuted_tables import CellSums, NullModel, cell_sums, join_sums, null_statistics
from gpuval.table.table import Table

__all__ = ["permutation_test"]


@outside_of_graphs
def permutation_test(
    metrics: Metrics,
    labels_true: Any,
    labels_pred: Any = None,
    *,
    n_resamples: int = 999,
    method: Literal["sampling", "moments"] = "sampling",
    random_state: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
    **options: Any,
) -> PermutationTest | PermutationTests:
    """Permutation test of a score: how likely is a score as good as this, or better, by chance.

    Use it to tell whether two labelings have anything in common. The null hypothesis is that they are independent,
    given the sizes of their groups: every permutation of one of them is equally likely. Let M be ``n_resamples``, the
    number of random tables with these sizes (:func:`random_tables`), and b the number of them whose score is as good or
    better. Then p = (b + 1) / (M + 1) ([1]_). So p is at least 1 / (M + 1) and never 0; and under the null hypothesis p
    is at most alpha with a probability of at most alpha, whatever M is.

    All measures are tested with the same tables. With fixed sizes of the groups, many measures rise and fall together,
    and have the same p-value: all measures of pairs except ``mcnemar_index`` depend only on the number of pairs that
    are together in both labelings, and all entropies only on the mutual information.

    Do not use it for labels that were made from the same data, because they are dependent by construction. It says
    little for large n: with 10^5 samples, nearly any two labelings are significantly dependent, and z, or an interval
    (:func:`bootstrap`), says more.

    Parameters
    ----------
    metrics
        One measure, as a name (full or short, see :func:`evaluate`) or as a function that takes a :class:`Contingency`
        of NumPy and returns a number, where higher is better; or several measures, as for :func:`evaluate`.
    labels_true, labels_pred
        Two label vectors, shape (n_samples,); or a :class:`Contingency` of counts as ``labels_true``, in place of both.
        With one measure, ``labels_pred`` may hold several labelings: a mapping from names to label vectors, or a list
        or tuple of label vectors, whose names are then 0, 1, ... All of them are compared with the same permuted
        ``labels_true``, and get p-values that are adjusted for the number of labelings, too.
    n_resamples
        The number of random tables that are drawn.
    method
        "sampling"; or "moments", for measures that depend only on the number of pairs that are together in both
        labelings. "moments" draws nothing. It approximates the distribution of this number by the gamma distribution
        with the same mean, variance and skewness (Pearson's type III; [2]_). Its p-value approximates the mid-p-value;
        the error is a few percent of p at p = 0.01, and larger for very unequal sizes and for smaller p.
    random_state
        A seed, or a NumPy generator. The same seed gives the same p-values on every backend and any number of cores.
    sample_weight, ignore_labels, n_classes, n_clusters
        As for :meth:`Contingency.from_labels`. Weights must be of an integer type; each counts that many samples.
    **options
        Options of the measure, if there is only one.

    Returns
    -------
    PermutationTest or PermutationTests
        The test of one measure; or, for several measures, a mapping from their names to tests. p is 1 if all tables
        with these sizes are equally good: if a labeling has one single group, or groups of single samples. NaN if a
        function returns NaN. An infinite score is better, or worse, than all that are finite.

        For several labelings it is a mapping from their names to tests. They also have the probability that the best of
        all the labelings, measured in standard deviations, is as good by chance ([3]_), and p-values that are adjusted
        for the false discovery rate ([4]_). This function runs on the host: the counts of the table are transferred,
        and tables are drawn and scored there.

    Raises
    ------
    TypeError, ValueError
        For everything that :func:`evaluate` raises; for weights that are not counts; for a measure without a better
        direction; for "moments" with a measure that does not depend only on pairs; and for several measures together
        with several labelings.

    References
    ----------
    .. [1] B. Phipson and G. K. Smyth, "Permutation p-values should never be zero: calculating exact p-values when
       permutations are randomly drawn", Statistical Applications in Genetics and Molecular Biology 9, 2010.
    .. [2] P. W. Mielke and K. J. Berry, "Permutation methods: a distance function approach", 2nd edition, 2007.
    .. [3] P. H. Westfall and S. S. Young, "Resampling-based multiple testing", 1993.
    .. [4] Y. Benjamini and Y. Hochberg, "Controlling the false discovery rate: a practical and powerful approach to
       multiple testing", Journal of the Royal Statistical Society B 57, 1995.

    Examples
    --------
    >>> import gpuval
    >>> true, pred = [0, 0, 0, 1, 1, 1, 1, 2, 2, 2], [0, 0, 1, 1, 1, 1, 2, 2, 2, 2]
    >>> test = gpuval.permutation_test("ari", true, pred, random_state=0)
    >>> bool(test.p_value < 0.05)
    True
    >>> float(gpuval.permutation_test("ari", true, [0] * 10).p_value)
    1.0
    >>> list(gpuval.permutation_test("ari", true, {"good": pred, "bad": [0, 1] * 5}, random_state=0))
    ['good', 'bad']
    """
    check_option("method", method, ("sampling", "moments"))
    asked, random = read_asked(metrics, options), generator(random_state)
    n_resamples = check_count("n_resamples", n_resamples)
    building = sample_weight, ignore_labels, n_classes, n_clusters
    is_some = metrics is None or (isinstance(metrics, str) and metrics.lower() == "all")
    functions = _check_functions(asked.functions, method, is_some)
    if are_labelings(labels_pred):
        if method == "moments":
            raise ValueError("method must be 'sampling' for several labelings, got 'moments'")
        if n_classes is not None or n_clusters is not None:
            raise TypeError("n_classes= and n_clusters= cannot be given with several labelings, which are looked at")
        return _test_labelings(functions, labels_true, labels_pred, n_resamples, random, sample_weight, ignore_labels)
    counted = read_counted("the permutation test", labels_true, labels_pred, None, *building)
    counted = replace(counted, table=counted.table.compact())  # so that a seed gives the same, however it was built
    if method == "moments":
        tests = _test_by_moments(functions, counted)
    else:
        tests = _test_by_tables(functions, counted, n_resamples, random)
    return next(iter(tests.values())) if asked.is_one else tests


# Permutation tests of one table: which functions can be tested, and how.


def _check_functions(
    functions: dict[Any, Callable[..., Any]], method: str, is_some: bool
) -> dict[Any, Callable[..., Any]]:
    """The functions that can be tested; one of another kind is an error, unless they stand for all or for the default.

    Parameters
    ----------
    functions
        By their names.
    method
        "sampling" or "moments".
    is_some
        Whether nobody has named each of them.
    """
    testable = {name: function for name, function in functions.items() if direction_of(function)}
    if method == "moments":
        testable = {name: function for name, function in testable.items() if statistic_of(function) == "pairs"}
    wrong = next((name for name in functions if name not in testable), None)
    if wrong is None or is_some:
        return testable
    if not direction_of(functions[wrong]):
        raise ValueError(f"metrics must be measures of which some scores are better than others, got {wrong!r}")
    raise ValueError(
        f"metrics must go by the pairs together in both partitions for method='moments', got {wrong!r}; "
        "use method='sampling'"
    )


def _test_by_tables(
    functions: Functions, counted: TableWithGroups, n_resamples: int, random: np.random.Generator
) -> PermutationTests:
    """The tests of functions by random tables."""
    table = counted.table
    check_squares(table)
    scores = scores_of_all(functions, table)
    sums, null = random_table_scores(functions, table, n_resamples, random)
    return PermutationTests(
        {
            name: _test_score(
                counted, scores[name], null[name], tails_of(function, table, sums, scores[name], null[name])
            )
            for name, function in functions.items()
        }
    )


def _test_score(counted: TableWithGroups, score: float, null: NDArray, tails: Tails) -> PermutationTest:
    """The test of one score by those of random tables."""
    mean, deviation = mean_and_deviation(null)
    numbers = score, tails.p_value, tails.mid_p_value, z_score(score, mean, deviation), mean, deviation
    return PermutationTest(*map(counted.back, numbers), len(null))  # type: ignore[call-arg]


def _test_by_moments(functions: Functions, counted: TableWithGroups) -> PermutationTests:
    """The tests of functions that go by pairs, by moments."""
    table = counted.table
    check_squares(table)
    p = p_value_of_pairs(table)
    found = {}
    for name, score in scores_of_all(functions, table).items():
        mean, deviation = mean_and_deviation_by_moments(functions[name], table)
        numbers = score, p, p, z_score(score, mean, deviation), mean, deviation
        found[name] = PermutationTest(*map(counted.back, numbers), 0)  # type: ignore[call-arg]
    return PermutationTests(found)


# Many labelings against one truth, which is permuted once for all of them.
#
# The samples that have the same labels in all labelings are a group. Of a random table of the classes and these groups,
# the table of each labeling is a sum: of the groups of each of its clusters.


def _test_labelings(
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
    names, vectors = labelings_by_name(labelings)
    read = read_with_groups({"labels_true": labels_true, **vectors}, None, sample_weight, ignore_labels, "labelings")
    joint = joint_cells(read)
    tables = [joint.table(0, i + 1)[0] for i in range(len(names))]
    check_squares(tables[0])
    scores = [scores_of_all({"": function}, table)[""] for table in tables]
    sums, null = _random_scores(function, joint, tables, n_resamples, random)
    tests = [
        _test_score(
            TableWithGroups(table, read[0].vector.data), score, own, tails_of(function, table, of_own, score, own)
        )
        for table, score, own, of_own in zip(tables, scores, null, sums, strict=True)
    ]
    standard = [
        _z_scores(function, table, of_own, score, own)
        for table, score, own, of_own in zip(tables, scores, null, sums, strict=True)
    ]
    counted = TableWithGroups(tables[0], read[0].vector.data)
    return _adjust_p_values(dict(zip(names, tests, strict=True)), standard, counted)


def _adjust_p_values(
    tests: dict[Any, PermutationTest], standard: list[tuple[float, NDArray]], counted: TableWithGroups
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


def _z_scores(
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


def _random_scores(
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

    def score_chunk(chunk: tuple[np.random.Generator, int]) -> list[list[tuple[CellSums, NDArray]]]:
        found: list[list[tuple[CellSums, NDArray]]] = [[] for _ in tables]
        for _, drawn in model.batches(*chunk, with_tables=True):
            assert drawn is not None
            for place, (table, cluster_of) in enumerate(zip(tables, groups, strict=True)):
                own = _labeling_table(drawn, cluster_of, table)
                found[place].append((_sums_of_batch(own), scores_of({"": function}, [own])[""]))
        return found

    parts = parallel_map(score_chunk, model.chunks(n_resamples, random))
    by_labeling = [[x for part in parts for x in part[place]] for place in range(len(tables))]
    return [join_sums(sums for sums, _ in own) for own in by_labeling], [
        np.concatenate([scores for _, scores in own]) for own in by_labeling
    ]


def _labeling_table(drawn: Contingency, cluster_of: NDArray, like: Contingency) -> Contingency:
    """The table, or the batch, of classes and clusters, of one of classes and groups of samples."""
    cells, shape = drawn.cells, (like.shape[0], like.shape[1])
    made: DenseCells | SparseCells
    if isinstance(cells, DenseCells):
        order = np.argsort(cluster_of, kind="stable")
        starts = np.searchsorted(cluster_of[order], np.arange(shape[1]))  # joint cells have no cluster without one
        made = DenseCells(np.add.reduceat(cells.counts[..., order], starts, axis=-1))
    else:
        flat, place = np.unique(cells.class_of * shape[1] + cluster_of[cells.cluster_of], return_inverse=True)
        counts = np.zeros(len(flat), dtype=np.int64)
        np.add.at(counts, place, cells.counts)
        made = SparseCells(counts, *np.divmod(flat, shape[1]), shape)
    return Contingency.from_table(Table.of(made, like.classes, like.clusters, fixed=True, scales=like.scales))


def _sums_of_batch(table: Contingency) -> CellSums:
    cells = table.cells
    counts = cells.counts.reshape(1, -1, 1) if isinstance(cells, SparseCells) else cells.counts.transpose(2, 1, 0)
    return cell_sums(counts)
