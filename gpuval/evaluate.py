"""Many measures of one table, many labelings against one truth, and all pairs of labelings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from gpuval import (
    _namespace as ns,
)
from gpuval import (
    beta_entropies,
    information,
    matching,
    overlap,
    pair_counting,
)
from gpuval._labelings import Labeling, read_labelings, table_of
from gpuval._metric import as_table
from gpuval._namespace import Array
from gpuval.contingency import Contingency

__all__ = ["METRICS", "Comparison", "Evaluation", "compare", "evaluate", "pairwise"]

_NOT_ONE_NUMBER = {
    "cluster_f_score",
    "cluster_precision",
    "cluster_recall",
    "homogeneity_completeness_v_measure",
    "match_labels",
    "normalized_confusion_matrix",
    "normalizing_permutation",
    "pair_confusion_matrix",
}

METRICS: Mapping[str, Callable[..., Any]] = {
    name: getattr(module, name)
    for module in (pair_counting, information, beta_entropies, overlap, matching)
    for name in module.__all__
    if name not in _NOT_ONE_NUMBER
}
"""Every measure of clusterings that is one number, by its name (so not kappa, which compares the labels themselves)."""

DEFAULT_METRICS = (
    "adjusted_rand_score",
    "adjusted_mutual_info_score",
    "normalized_mutual_info_score",
    "homogeneity_score",
    "completeness_score",
    "v_measure_score",
    "fowlkes_mallows_score",
    "clustering_accuracy",
    "purity_score",
    "bcubed_f_score",
    "f_measure_score",
    "variation_of_information",
)

_OF_COUNTS = ("adjusted_mutual_info_score", "expected_mutual_info")
"""Measures that are defined for tables of counts only."""

Metric = str | Callable[..., Any]
Metrics = str | Iterable[Metric] | Mapping[str, Metric] | None


class Evaluation(Mapping[str, Any]):
    """Scores by the name of their measure; prints as a table.

    Examples
    --------
    >>> import gpuval
    >>> gpuval.evaluate([0, 0, 1, 1], [1, 1, 0, 0], ["adjusted_rand_score", "purity_score"])
    adjusted_rand_score  1.0000
    purity_score         1.0000
    """

    def __init__(self, scores: Mapping[str, Any]) -> None:
        self._scores = dict(scores)

    def __getitem__(self, name: str) -> Any:
        return self._scores[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._scores)

    def __len__(self) -> int:
        return len(self._scores)

    def __repr__(self) -> str:
        width = max(map(len, self), default=0)
        return "\n".join(f"{name:<{width}}  {_printed(score)}" for name, score in self.items())

    def to_dict(self) -> dict[str, Any]:
        """The scores as Python numbers (copies to the host)."""
        return {name: ns.to_host(score).tolist() for name, score in self.items()}

    def to_pandas(self) -> Any:
        """The scores as a pandas Series (copies to the host)."""
        import pandas as pd

        return pd.Series(self.to_dict(), name="score")


class Comparison(Mapping[str, Evaluation]):
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

    def __init__(self, evaluations: Mapping[str, Evaluation]) -> None:
        self._evaluations = dict(evaluations)

    def __getitem__(self, name: str) -> Evaluation:
        return self._evaluations[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._evaluations)

    def __len__(self) -> int:
        return len(self._evaluations)

    def __repr__(self) -> str:
        metrics = list(next(iter(self.values()), ()))
        rows = [["", *metrics]]
        rows += [[str(name), *(_printed(x) for x in scores.values())] for name, scores in self.items()]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        return "\n".join(
            "  ".join(
                [
                    row[0].ljust(widths[0]),
                    *(x.rjust(w) for x, w in zip(row[1:], widths[1:], strict=True)),
                ]
            )
            for row in rows
        )

    def to_pandas(self) -> Any:
        """The scores as a pandas DataFrame: a row for each labeling, a column for each measure (copies to the host)."""
        import pandas as pd

        return pd.DataFrame.from_dict({name: scores.to_dict() for name, scores in self.items()}, orient="index")


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
        Names of measures, or functions of a table; a mapping names them anew; "all" stands for all of ``METRICS``. By
        default the dozen that is reported most. Where the weights are not integers, the default and "all" are without
        ``adjusted_mutual_info_score`` and ``expected_mutual_info``, which are defined for counts.
    sample_weight, ignore_labels, n_classes, n_clusters
        As for :meth:`Contingency.from_labels`.

    Returns
    -------
    Evaluation
        A mapping from names to scores, each in the library and on the device of the labels.

    Raises
    ------
    ValueError
        A name that no measure has; a measure of counts, by its name, where weights are fractions.

    Examples
    --------
    >>> import gpuval
    >>> scores = gpuval.evaluate([0, 0, 1, 1], [0, 0, 1, 2])
    >>> float(scores["purity_score"])
    1.0
    >>> float(gpuval.evaluate([0, 0, 1, 1], [0, 0, 0, 0])["adjusted_rand_score"])
    0.0
    """
    found, by_name = _chosen(metrics)
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

    Examples
    --------
    >>> import gpuval
    >>> comparison = gpuval.compare([0, 0, 1, 1], {"good": [1, 1, 0, 0], "bad": [0, 1, 0, 1]})
    >>> float(comparison["good"]["adjusted_rand_score"])
    1.0
    >>> float(comparison["bad"]["adjusted_rand_score"])
    -0.5
    """
    found, by_name = _chosen(metrics)
    named = _named(labelings)
    truth, *others = read_labelings(
        {
            "labels_true": labels_true,
            **{f"labelings[{name!r}]": labels for name, labels in named.items()},
        },
        sample_weight,
        ignore_labels,
        n_classes,
        n_clusters,
    )
    return Comparison(
        {name: _evaluated(table_of(truth, other), found, by_name) for name, other in zip(named, others, strict=True)}
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
        The name of a measure, or a function of a table.
    sample_weight, ignore_labels
        As for :meth:`Contingency.from_labels`.

    Returns
    -------
    array of shape (n_labelings, n_labelings)
        Row i, column j: the score with labeling i as the truth and labeling j as the prediction.

    Examples
    --------
    >>> import gpuval
    >>> gpuval.pairwise([[0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 0, 1]])
    array([[ 1. ,  1. , -0.5],
           [ 1. ,  1. , -0.5],
           [-0.5, -0.5,  1. ]])
    """
    score = _found(metric, "metric must be the name of a measure", "a function of a table")
    named = _named(labelings)
    sides: list[Labeling] = read_labelings(
        {f"labelings[{name!r}]": labels for name, labels in named.items()},
        sample_weight,
        ignore_labels,
        None,
        None,
    )
    if not sides:
        raise ValueError("labelings must have at least one label vector, got none")
    rows: list[list[Any]] = [[None] * len(sides) for _ in sides]
    for i, first in enumerate(sides):
        for j in range(i, len(sides)):
            table = table_of(first, sides[j])
            rows[i][j] = _one_number(score(table), metric)
            rows[j][i] = rows[i][j] if i == j else score(table.transposed())
    xp = ns.namespace(rows[0][0])
    return xp.stack([xp.stack([xp.asarray(x) for x in row]) for row in rows])


def _chosen(metrics: Metrics) -> tuple[dict[str, Callable[..., Any]], bool]:
    """The measures that ``metrics`` stands for, and whether it asks for each of them by its name."""
    if metrics is None:
        return {name: METRICS[name] for name in DEFAULT_METRICS}, False
    if isinstance(metrics, str):
        if metrics == "all":
            return dict(METRICS), False
        metrics = (metrics,)
    elif callable(metrics) or not isinstance(metrics, Iterable):
        raise TypeError(
            f"metrics must be a name, or a sequence or mapping of names and functions of a table, got {metrics!r}"
        )
    pairs = metrics.items() if isinstance(metrics, Mapping) else [(_name(m), m) for m in metrics]
    found = {name: _found(m, "metrics must be names of measures", "functions of a table") for name, m in pairs}
    return found, True


def _evaluated(table: Contingency, chosen: Mapping[str, Callable[..., Any]], by_name: bool) -> Evaluation:
    left_out = () if by_name or table.is_integer else _OF_COUNTS
    return Evaluation({name: metric(table) for name, metric in chosen.items() if name not in left_out})


def _name(metric: Metric) -> str:
    if isinstance(metric, str):
        return metric
    return str(getattr(metric, "__name__", metric))


def _found(metric: Metric, requirement: str, otherwise: str) -> Callable[..., Any]:
    if not isinstance(metric, str):
        if not callable(metric):
            raise TypeError(f"{requirement} or {otherwise}, got {metric!r}")
        return metric
    if metric in METRICS:
        return METRICS[metric]
    import difflib  # only now: it takes a while to load, and few names are wrong

    near = difflib.get_close_matches(metric, METRICS)
    hint = f"; did you mean {' or '.join(near)}?" if near else "; gpuval.METRICS has them all"
    raise ValueError(f"{requirement}, got {metric!r}{hint}")


def _one_number(score: Any, metric: Metric) -> Any:
    if not isinstance(score, float) and getattr(score, "shape", None) != ():
        raise TypeError(f"metric must give one number for a table, got {type(score).__name__} from {_name(metric)}")
    return score


def _named(labelings: Any) -> dict[Any, Any]:
    if isinstance(labelings, Mapping):
        return dict(labelings)
    if hasattr(labelings, "columns"):
        repeated = [name for name, times in Counter(labelings.columns).items() if times > 1]
        if repeated:
            raise ValueError(f"labelings must have columns of different names, got {repeated[0]!r} twice")
        return {name: labelings[name] for name in labelings.columns}
    if isinstance(labelings, Sequence) and not isinstance(labelings, str | bytes):
        return dict(enumerate(labelings))
    raise TypeError(f"labelings must be a mapping or a sequence of label vectors, got {type(labelings).__name__}")


def _printed(score: Any) -> str:
    host = ns.to_host(score)
    return f"{float(host):.4f}" if host.ndim == 0 else str(host)
