"""Metrics of torchmetrics for clusters without known classes: of samples, by their moments, and of graphs."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any, Unpack

from gpuval.engines.backends import move_to
from gpuval.geometry.moments import Moments
from gpuval.geometry.neighbors.neighbors import read_neighbors
from gpuval.inputs.options import check_size, require_extra
from gpuval.inputs.selection import read_ignored, standard_labels
from gpuval.measures.measure import Measure, find_measures
from gpuval.measures.requests import MeasureRequest, Metrics, MetricsReader, is_all, measure_texts
from gpuval.numerics import Array
from gpuval.numerics.stable import add_sums, means_of, sums_for_means
from gpuval.streaming.internal_accumulator import InternalAccumulator, moments_length, pack_moments, unpack_moments
from gpuval.torchmetrics.base import MetricOptions

with require_extra("gpuval.torchmetrics", "torchmetrics"):
    import torch

    from gpuval.engines.backends.torch import TORCH
    from gpuval.torchmetrics.base import MetricOfMeasures, as_host_array

__all__ = ["GraphMetric", "InternalMetric"]


class _FunctionReader(MetricsReader[MeasureRequest]):
    """Reads measures of the arguments of one update: ``example`` are such, with which options are tried."""

    elsewhere = dict.fromkeys(
        ("X", "graph", "labels", "sample_weight", "ignore_labels", "n_clusters", "n_labels"),
        "to the metric or its update",
    ) | {"return_per_label": "to the measure itself, as a metric has one number of each"}
    kind = MeasureRequest

    def __init__(self, title: str, measures: Iterable[Measure], default: str, example: tuple[Any, ...]) -> None:
        super().__init__(measures)
        self.requirement = f"metrics must be names or functions of measures of {title}"
        self.functions = f"measures of {title}"
        self.default, self._example = (default,), example

    def read_options(self, options: dict[str, Any], measure: Any) -> dict[str, Any]:
        measure(*self._example, **options)  # which raises for options that there are not
        return options


_TWO_PAIRS = [0, 0, 1, 1]
_OF_MOMENTS = _FunctionReader(
    "InternalMetric",
    (x for x in find_measures("metrics.internal") if getattr(x.function, "takes_moments", False)),
    "calinski_harabasz_score",
    ([[0.0], [1.0], [3.0], [5.0]], _TWO_PAIRS),
)
_OF_GRAPHS = _FunctionReader(
    "GraphMetric",
    (x for x in find_measures("metrics.graph") if x.values == "one"),
    "modularity_score",
    (torch.ones((4, 4), device="cpu").to_sparse(), _TWO_PAIRS),
)


class _MetricOfFunctions(MetricOfMeasures):
    """A metric of measures that are functions of the arguments of one update, or of what is kept of all."""

    _functions: dict[Any, Callable[..., Any]]
    _given: dict[str, Any]

    def _read(self, metrics: Metrics, reader: _FunctionReader, given: dict[str, Any]) -> None:
        """Read the measures, and add the state of the settings: these, and what else was ``given`` and is not None."""
        requests = reader.read(metrics)
        self._functions = {name: _defined(one) for name, one in requests.items()}
        self._is_one = callable(metrics) or (isinstance(metrics, str) and not is_all(metrics))
        self._given = {name: x for name, x in given.items() if x is not None}
        self._add_settings({"metrics": measure_texts(requests)} | given)

    def _scores(self, values: list[Any]) -> Any:
        """What ``compute`` returns of the values of the measures."""
        return values[0] if self._is_one else dict(zip(self._functions, values, strict=True))

    def _measures(self) -> Iterable[Callable[..., Any]]:
        return self._functions.values()

    def extra_repr(self) -> str:
        """The measures and the settings, for the printed form of the metric."""
        measures = self._titles[0] if self._is_one else f"[{', '.join(self._titles)}]"
        return ", ".join([measures, *(f"{name}={x!r}" for name, x in self._given.items())])

    @property
    def _titles(self) -> list[str]:
        return [str(name) for name in self._functions]

    def _check_device(self, name: str, x: Any) -> None:
        """Check that an argument is a tensor on the device of the metric."""
        if not isinstance(x, torch.Tensor):
            raise TypeError(f"{name} must be a tensor of PyTorch, got {type(x).__name__}")
        if x.device != self.settings.device:
            raise ValueError(
                f"{name} must be on the device of the metric ({self.settings.device}), got {x.device}; move the metric "
                f"there by .to({str(x.device)!r})"
            )


class InternalMetric(_MetricOfFunctions):
    """Metric of torchmetrics for samples and their clusters, without known classes, with one measure or several.

    It keeps only the moments of the clusters, as :class:`gpuval.InternalAccumulator` does: their masses, centres and
    spreads. So its memory does not grow with the samples, and processes exchange only moments. (The internal metrics of
    torchmetrics itself keep all samples.) Measures that need distances between samples, such as the silhouette, cannot
    be found from moments.

    Parameters
    ----------
    metrics
        The measures: "calinski_harabasz_score", "inertia", "ball_hall_index", "hartigan_index" or "xie_beni_index". One
        name, full or short, or one function, also in ``functools.partial``, gives one score. A sequence or mapping of
        these, or "all", gives a dictionary of scores. They are read once, here.
    n_clusters
        The number of clusters: labels are integers from 0 to ``n_clusters - 1``.
    n_features
        The number of features of each sample.
    ignore_labels
        One label or several. Samples with such a label do not count.
    **options
        Options of ``torchmetrics.Metric``, such as ``dist_sync_on_step``.

    Raises
    ------
    TypeError, ValueError
        For measures that moments do not tell, and for sizes that are not positive integers. ``update`` raises what
        :meth:`gpuval.InternalAccumulator.update` raises.

    Examples
    --------
    >>> import torch
    >>> from gpuval.torchmetrics import InternalMetric
    >>> metric = InternalMetric("ch", n_clusters=2, n_features=2)
    >>> metric.update(torch.tensor([[0.0, 0.0], [6.0, 0.0]]), torch.tensor([0, 1]))
    >>> metric.update(torch.tensor([[0.0, 2.0], [6.0, 2.0]]), torch.tensor([0, 1]))
    >>> round(float(metric.compute()), 12)
    18.0
    >>> metric.reset()
    >>> metric(torch.tensor([[0.0, 0.0], [0.0, 2.0], [0.0, 0.0], [0.0, 2.0]]), torch.tensor([0, 0, 1, 1]))
    tensor(0., dtype=torch.float64)
    """

    moments: torch.Tensor

    def __init__(
        self,
        metrics: Metrics = "calinski_harabasz_score",
        *,
        n_clusters: int,
        n_features: int,
        ignore_labels: Any = None,
        **options: Unpack[MetricOptions],
    ) -> None:
        super().__init__(**options)
        self._ignored = standard_labels(read_ignored(ignore_labels))
        self._shape = check_size(n_clusters, "n_clusters"), check_size(n_features, "n_features")
        sizes = dict(zip(("n_clusters", "n_features"), self._shape, strict=True))
        self._read(metrics, _OF_MOMENTS, sizes | {"ignore_labels": list(self._ignored) or None})
        like = torch.zeros(1, device=self.device)
        nothing = torch.zeros(moments_length(*self._shape), dtype=TORCH.widest(like).float, device=self.device)
        self.add_state("moments", nothing, dist_reduce_fx=functools.partial(_reduce_moments, shape=self._shape))

    def update(self, X: Array, labels: Array, sample_weight: Array | None = None) -> None:
        """Add a batch of samples. Nothing is copied to the host, and memory does not grow.

        Parameters
        ----------
        X
            The samples, shape (n_samples, n_features): a tensor on the device of the metric.
        labels
            The cluster of each sample, shape (n_samples,).
        sample_weight
            The weight of each sample, shape (n_samples,), not negative.
        """
        self._check_device("X", X)
        if X.ndim == 2 and X.shape[1] != self._shape[1]:
            raise ValueError(f"X must have n_features={self._shape[1]} features, got {X.shape[1]}")
        batch = InternalAccumulator(self._shape[0], ignore_labels=list(self._ignored))
        batch.update(X, labels, sample_weight)
        with TORCH.lasting():
            packed = move_to(pack_moments(batch.moments), self.moments)
            self.moments = _reduce_moments(torch.stack([self.moments, packed]), self._shape)

    def compute(self) -> Any:
        """The score of all samples so far, or a dictionary of several scores.

        NaN where a score is not defined: if there are fewer than 2 clusters, or as many as samples. Measures that are
        defined for any number of clusters are 0 without samples. Labels and samples that a device could not check make
        scores NaN, too.
        """
        moments = _unpack(self.moments, self._shape)
        return self._scores([function(moments) for function in self._functions.values()])


class GraphMetric(_MetricOfFunctions):
    """Metric of torchmetrics for partitions of graphs: the mean over graphs of one measure or several.

    Each update takes one whole graph, as edges between batches would be lost. For each measure only two numbers are
    kept, the sum of the scores of the graphs and their number, and processes add up these.

    Parameters
    ----------
    metrics
        The measures: "modularity_score", "coverage_score", "performance_score" or "graph_connectivity_score". One name
        or one function, also in ``functools.partial``, gives one score. A sequence or mapping of these, or "all", gives
        a dictionary of scores. They are read once, here.
    ignore_labels
        One label or several. Samples with such a label do not count, and neither do their edges.
    **options
        Options of ``torchmetrics.Metric``, such as ``dist_sync_on_step``.

    Raises
    ------
    TypeError, ValueError
        For ``metrics`` that are no measures of graphs. ``update`` raises what :func:`gpuval.modularity_score` raises.

    Examples
    --------
    >>> import torch
    >>> from gpuval.torchmetrics import GraphMetric
    >>> path = torch.tensor([[0.0, 1, 0, 0], [1, 0, 1, 0], [0, 1, 0, 1], [0, 0, 1, 0]]).to_sparse()
    >>> metric = GraphMetric("coverage_score")
    >>> metric.update(path, torch.tensor([0, 0, 0, 0]))
    >>> metric.update(path, torch.tensor([0, 1, 0, 1]))
    >>> metric.compute()
    tensor(0.5000, dtype=torch.float64)
    """

    sums: torch.Tensor

    def __init__(
        self, metrics: Metrics = "modularity_score", *, ignore_labels: Any = None, **options: Unpack[MetricOptions]
    ) -> None:
        super().__init__(**options)
        self._ignored = standard_labels(read_ignored(ignore_labels))
        self._read(metrics, _OF_GRAPHS, {"ignore_labels": list(self._ignored) or None})
        self._add_sums(len(self._functions))

    def update(self, graph: Any, labels: Array, *, n_labels: int | None = None) -> None:
        """Add the scores of one graph.

        Parameters
        ----------
        graph
            The edges between the samples, in any form that :func:`gpuval.modularity_score` takes. One number is copied
            from a device, which tells whether they are valid; none of a :class:`gpuval.Neighbors`.
        labels
            The label of each sample, shape (n_samples,): a tensor on the device of the metric.
        n_labels
            The number of labels, if they are the integers from 0 to ``n_labels - 1``. Then no labels are copied from a
            device to find the number, and errors in the labels or the graph there make the score NaN.
        """
        self._check_device("labels", labels)
        with TORCH.lasting(), torch.no_grad():
            read = read_neighbors(graph, "graph", reads_distances=False)  # once for all measures
            options = {"ignore_labels": list(self._ignored) or None, "n_labels": n_labels}
            scores = [function(read, labels, **options) for function in self._functions.values()]
            values = [move_to(score, self.sums).to(self.sums.dtype) for score in scores]
            self.sums = add_sums(self.sums, sums_for_means(((x, 1.0) for x in values), TORCH.xp), TORCH.xp)

    def compute(self) -> Any:
        """The mean of the scores of all graphs so far, or a dictionary of several; NaN if there was no graph."""
        return self._scores(list(means_of(self.sums, TORCH.xp)))


def _defined(request: MeasureRequest) -> Callable[..., Any]:
    """A measure that is NaN where it is not defined, unless its own options say what it is there."""
    measure, options = request
    nan = {"on_degenerate": "nan"} if "on_degenerate" in inspect.signature(measure).parameters else {}
    return functools.partial(measure, **nan | options)


def _reduce_moments(parts: torch.Tensor, shape: tuple[int, int]) -> torch.Tensor:
    """The moments of the samples of all processes, or batches."""
    with TORCH.lasting():
        total = functools.reduce(lambda x, y: x + y, (_unpack(part, shape) for part in parts))
        packed: torch.Tensor = move_to(pack_moments(total), parts)
        return packed


def _unpack(packed: torch.Tensor, shape: tuple[int, int]) -> Moments:
    return unpack_moments(packed, *shape, like=as_host_array(packed), given=packed[:0])
