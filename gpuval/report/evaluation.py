"""Many measures of one table, many labelings against one truth, and all pairs of labelings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from gpuval.engines.backends import backend_of, is_dask
from gpuval.inputs.options import needed
from gpuval.metrics._metric import as_table
from gpuval.numerics import Array
from gpuval.report.chosen import Metric, Metrics, chosen, found_measure, name_of
from gpuval.report.labelings import Labeling, read_labelings, table_of
from gpuval.report.names import METRICS, SHORT_NAMES
from gpuval.report.scores import equal, is_number, is_score, parts, plain, printed
from gpuval.table.contingency import Contingency

__all__ = ["METRICS", "Comparison", "Evaluation", "compare", "evaluate", "pairwise"]

_OF_COUNTS = ("adjusted_mutual_info_score", "expected_mutual_info")
"""Measures that are defined for tables of counts only."""


class Evaluation(Mapping[Any, Any]):
    """Scores by the name of their measure; prints as a table.

    The names are the full ones of the measures, or those that a mapping gave them; a short name finds the score of its
    measure, too. Two evaluations are equal if they have the same names and the same scores, wherever these are. Where a
    measure gives a tuple of scores, what is printed and ``to_dict()`` have an entry ``name.part`` for each part.

    Examples
    --------
    >>> import gpuval
    >>> scores = gpuval.evaluate([0, 0, 1, 1], [1, 1, 0, 0], ["adjusted_rand_score", "purity_score"])
    >>> scores
    adjusted_rand_score  1.0000
    purity_score         1.0000
    >>> float(scores["ari"])
    1.0
    """

    def __init__(self, scores: Mapping[Any, Any]) -> None:
        self._scores = dict(scores)

    def __getitem__(self, name: Any) -> Any:
        full = SHORT_NAMES.get(name.lower()) if isinstance(name, str) and name not in self._scores else None
        return self._scores[full if full in self._scores else name]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        return set(self) == set(other) and all(equal(score, other[name]) for name, score in self.items())

    def __repr__(self) -> str:
        shown = [(str(name), printed(score)) for name, score in parts(self)]
        width = max((len(name) for name, _ in shown), default=0)
        return "\n".join(f"{name:<{width}}  {score}" for name, score in shown) or "Evaluation({})"

    def to_dict(self) -> dict[Any, Any]:
        """The scores as Python numbers, and arrays as nested lists (copies to the host)."""
        return {name: plain(score) for name, score in parts(self)}

    def to_pandas(self) -> Any:
        """The scores as a pandas Series, of what ``to_dict()`` has (copies to the host)."""
        with needed("to_pandas()", "pandas"):
            import pandas as pd

        scores = self.to_dict()
        return pd.Series(list(scores.values()), index=_index(pd, scores), name="score")


class Comparison(Mapping[Any, Evaluation]):
    """The evaluation of each labeling by its name; prints as a table with a row for each labeling.

    Examples
    --------
    >>> import gpuval
    >>> labelings = {"good": [1, 1, 0, 0], "bad": [0, 1, 0, 1]}
    >>> gpuval.compare([0, 0, 1, 1], labelings, ["adjusted_rand_score", "purity_score"])
          adjusted_rand_score  purity_score
    good               1.0000        1.0000
    bad               -0.5000        0.5000
    """

    def __init__(self, evaluations: Mapping[Any, Evaluation]) -> None:
        self._evaluations: dict[Any, Evaluation] = dict(evaluations)

    def __getitem__(self, name: Any) -> Evaluation:
        return self._evaluations[name]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._evaluations)

    def __len__(self) -> int:
        return len(self._evaluations)

    def __repr__(self) -> str:
        shown = [{str(part): printed(score) for part, score in parts(scores)} for scores in self.values()]
        metrics = list(dict.fromkeys(part for row in shown for part in row))
        rows = [["", *metrics]]
        rows += [[str(name), *(row.get(x, "") for x in metrics)] for name, row in zip(self, shown, strict=True)]
        first, *others = (max(map(len, column)) for column in zip(*rows, strict=True))
        lines = (
            "  ".join([name.ljust(first), *(x.rjust(width) for x, width in zip(scores, others, strict=True))])
            for name, *scores in rows
        )
        return "\n".join(lines) if self else "Comparison({})"

    def to_pandas(self) -> Any:
        """The scores as a pandas DataFrame (copies to the host).

        A row for each labeling, and a column for each entry of an evaluation's ``to_dict()``.
        """
        with needed("to_pandas()", "pandas"):
            import pandas as pd

        rows = [scores.to_dict() for scores in self.values()]
        metrics = list(dict.fromkeys(metric for row in rows for metric in row))
        cells = [[row.get(metric) for metric in metrics] for row in rows]
        return pd.DataFrame(cells, index=_index(pd, self), columns=_index(pd, metrics))


def evaluate(
    labels_true: Any,
    labels_pred: Any = None,
    metrics: Metrics = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Evaluation:
    """Evaluate many measures of one table, which is built once.

    Parameters
    ----------
    labels_true, labels_pred
        Two label vectors, or a :class:`Contingency` in place of both.
    metrics
        Names of measures, full or short (below), in any case; or functions of a table that give a number, an array, or
        a tuple of these. A mapping names them anew; "all" stands for all of ``METRICS``. By default the dozen that is
        reported most. Where the weights are not integers, the default and "all" are without
        ``adjusted_mutual_info_score`` and ``expected_mutual_info``, which are defined for counts.
    sample_weight, ignore_labels, n_classes, n_clusters
        As for :meth:`Contingency.from_labels`.

    Returns
    -------
    Evaluation
        A mapping from names to scores, each in the library and on the device of the labels. The names are the full
        ones of the measures, however they were asked for, or the keys of a mapping; a measure that is named twice is
        there once.

    Raises
    ------
    TypeError, ValueError
        A name that no measure has, no measures, or two functions of one name; a function that gives something else than
        scores; a measure of counts, by its name, where weights are fractions.

    Notes
    -----
    The short names of measures:

    ============  ===================================
    short         measure
    ============  ===================================
    ri            rand_score
    ari           adjusted_rand_score
    fmi           fowlkes_mallows_score
    afmi          adjusted_fowlkes_mallows_score
    jaccard       pair_jaccard_score
    mi            mutual_info_score
    nmi           normalized_mutual_info_score
    ami           adjusted_mutual_info_score
    emi           expected_mutual_info
    vi            variation_of_information
    nvi           normalized_variation_of_information
    nid           normalized_information_distance
    homogeneity   homogeneity_score
    completeness  completeness_score
    v             v_measure_score
    v_measure     v_measure_score
    purity        purity_score
    bcubed        bcubed_f_score
    acc           clustering_accuracy
    npa           normalized_pivoted_accuracy
    nca           normalized_clustering_accuracy
    psi           pair_sets_index
    spsi          simplified_pair_sets_index
    ============  ===================================

    Examples
    --------
    >>> import gpuval
    >>> scores = gpuval.evaluate([0, 0, 1, 1], [0, 0, 1, 2])
    >>> float(scores["purity_score"])
    1.0
    >>> float(gpuval.evaluate([0, 0, 1, 1], [0, 0, 0, 0])["adjusted_rand_score"])
    0.0
    >>> gpuval.evaluate([0, 0, 1, 1], [0, 0, 1, 2], {"ARI": "ari", "samples": lambda table: table.total})
    ARI      0.5714
    samples  4
    """
    found, by_name = chosen(metrics)
    _check_one_labeling(labels_pred)
    table = as_table(labels_true, labels_pred, sample_weight, ignore_labels, n_classes, n_clusters)
    return _evaluated(table, found, by_name)


def compare(
    labels_true: Any,
    labelings: Any,
    metrics: Metrics = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
) -> Comparison:
    """Evaluate many labelings against one truth, which is encoded once.

    Parameters
    ----------
    labels_true
        The reference labels.
    labelings
        A mapping from names to label vectors (a dictionary, a pandas or polars DataFrame), or a sequence of label
        vectors.
    metrics
        As for :func:`evaluate`.
    sample_weight, ignore_labels, n_classes, n_clusters
        As for :meth:`Contingency.from_labels`.

    Returns
    -------
    Comparison
        A mapping from names to evaluations, with ``to_pandas()``.

    Raises
    ------
    TypeError, ValueError
        No labelings, or what is no label vector among them; and as :func:`evaluate`.

    Examples
    --------
    >>> import gpuval
    >>> comparison = gpuval.compare([0, 0, 1, 1], {"good": [1, 1, 0, 0], "bad": [0, 1, 0, 1]})
    >>> float(comparison["good"]["adjusted_rand_score"])
    1.0
    >>> float(comparison["bad"]["adjusted_rand_score"])
    -0.5
    """
    found, by_name = chosen(metrics)
    names, vectors = _named(labelings)
    truth, *others = read_labelings(
        {"labels_true": labels_true, **vectors}, sample_weight, ignore_labels, n_classes, n_clusters
    )
    return Comparison(
        {name: _evaluated(table_of(truth, other), found, by_name) for name, other in zip(names, others, strict=True)}
    )


def pairwise(
    labelings: Any,
    metric: Metric = "adjusted_rand_score",
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
) -> Array:
    """Evaluate a measure of all pairs of labelings; each labeling is encoded once, and each pair counted once.

    Parameters
    ----------
    labelings
        A mapping from names to label vectors (a dictionary, a pandas or polars DataFrame), or a sequence of label
        vectors.
    metric
        The name of a measure, full or short as for :func:`evaluate`, or a function of a table that gives a number.
    sample_weight, ignore_labels
        As for :meth:`Contingency.from_labels`.

    Returns
    -------
    array of shape (n_labelings, n_labelings)
        Row i, column j: the score with labeling i as the truth and labeling j as the prediction; in the library and on
        the device of the labels.

    Raises
    ------
    TypeError, ValueError
        No labelings, or what is no label vector among them; a name that no measure has, or a function that gives
        something else than one number.

    Examples
    --------
    >>> import gpuval
    >>> gpuval.pairwise([[0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 0, 1]])
    array([[ 1. ,  1. , -0.5],
           [ 1. ,  1. , -0.5],
           [-0.5, -0.5,  1. ]])
    """
    score = found_measure(metric, "metric must be the name of a measure", "a function of a table")
    _, vectors = _named(labelings)
    sides: list[Labeling] = read_labelings(vectors, sample_weight, ignore_labels, None, None)
    rows: list[list[Any]] = [[None] * len(sides) for _ in sides]
    for i, first in enumerate(sides):
        for j in range(i, len(sides)):
            table = table_of(first, sides[j])
            rows[i][j] = _one_number(score, table)
            rows[j][i] = rows[i][j] if i == j else _one_number(score, table.transposed())
    xp = backend_of(rows[0][0]).xp
    return xp.stack([xp.stack(row) for row in rows])


def _index(pd: Any, names: Iterable[Any]) -> Any:
    """Names as an index of pandas: tuples of one length are its levels, others would lose what is beyond the first."""
    names = list(names)
    lengths = {len(name) if isinstance(name, tuple) else 0 for name in names}
    return pd.Index(names, tupleize_cols=len(lengths) == 1)


def _evaluated(table: Contingency, measures: Mapping[Any, Callable[..., Any]], by_name: bool) -> Evaluation:
    table = table.with_none_left_invalid()  # once, so that measures share what they find of it
    left_out = () if by_name or table.is_integer else _OF_COUNTS
    return Evaluation({name: _score(f, name, table) for name, f in measures.items() if name not in left_out})


def _score(function: Callable[..., Any], name: Any, table: Contingency) -> Any:
    score = function(table)
    if not is_score(score):
        raise TypeError(
            f"metrics must give a number, an array, or a tuple of these for a table, got {type(score).__name__} from "
            f"{name!r}"
        )
    return score


def _one_number(function: Callable[..., Any], table: Contingency) -> Array:
    """The score of a table, as an array of the library and on the device of its counts."""
    score = function(table)
    if is_number(score):
        return backend_of(table.counts).from_host(score, table.counts)
    if getattr(score, "shape", None) != ():
        raise TypeError(f"metric must give one number for a table, got {type(score).__name__} from {name_of(function)}")
    return score


def _check_one_labeling(labels_pred: Any) -> None:
    first: Any = labels_pred[0] if isinstance(labels_pred, list | tuple) and len(labels_pred) else None
    is_held = is_dask(labels_pred)  # in partitions
    is_listed = isinstance(first, list) or (not is_held and len(getattr(first, "shape", ())) == 1)
    if is_listed or isinstance(labels_pred, Mapping) or hasattr(labels_pred, "columns"):
        what = f"{type(labels_pred).__name__} of vectors" if is_listed else type(labels_pred).__name__
        raise TypeError(
            f"labels_pred must be one vector of labels, got {what}; gpuval.compare(labels_true, labelings) takes many"
        )


def _named(labelings: Any) -> tuple[list[Any], dict[str, Any]]:
    """The names of labelings, and their label vectors by what messages call them."""
    named = _items(labelings)
    if not named:
        what = f"a {type(labelings).__name__} without columns" if hasattr(labelings, "columns") else "none"
        raise ValueError(f"labelings must have at least one label vector, got {what}")
    vectors = {f"labelings[{name!r}]": labels for name, labels in named.items()}
    if len(vectors) < len(named):
        repeated = next(x for x, times in Counter(map(repr, named)).items() if times > 1)
        raise ValueError(f"labelings must have names that differ in writing, got {repeated} twice")
    return list(named), vectors


def _items(labelings: Any) -> dict[Any, Any]:
    if isinstance(labelings, Mapping):
        return dict(labelings)
    if type(labelings).__name__ == "LazyFrame":
        raise TypeError("labelings must be a mapping or a sequence of label vectors, got LazyFrame; collect() it")
    if hasattr(labelings, "columns"):
        repeated = [name for name, times in Counter(labelings.columns).items() if times > 1]
        if repeated:
            raise ValueError(f"labelings must have columns of different names, got {repeated[0]!r} twice")
        return {name: labelings[name] for name in labelings.columns}
    if isinstance(labelings, Sequence) and not isinstance(labelings, str | bytes):
        return dict(enumerate(labelings))
    raise TypeError(f"labelings must be a mapping or a sequence of label vectors, got {type(labelings).__name__}")
