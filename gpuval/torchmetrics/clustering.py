"""A metric of torchmetrics for clusterings: it keeps and synchronises only a table of classes and clusters."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable
from typing import Any, Unpack, cast

from gpuval.evaluation.evaluation import evaluate
from gpuval.inputs.containers import dense
from gpuval.inputs.counts import check_has_values
from gpuval.inputs.options import check_size, require_extra
from gpuval.inputs.samples import Samples, read_samples
from gpuval.inputs.selection import LabelsToIgnore
from gpuval.measures.requests import Metrics
from gpuval.measures.result import as_result
from gpuval.numerics import Array
from gpuval.registry.requests import read_metrics
from gpuval.streaming.checkpoints import NoneLeftError, check_counted, check_ignored_by_all, read_cell_counts
from gpuval.streaming.fixed_sums import LabelBuffer
from gpuval.streaming.processes import digest_of
from gpuval.streaming.sums import Sums
from gpuval.table.building import from_samples
from gpuval.table.contingency import Contingency
from gpuval.table.reading import host_table
from gpuval.table.table import Table
from gpuval.torchmetrics.base import MetricOptions

with require_extra("gpuval.torchmetrics", "torchmetrics"):
    import torch
    from torchmetrics.utilities import rank_zero_warn
    from torchmetrics.utilities.data import _squeeze_if_scalar

    from gpuval.engines.backends.torch import TORCH
    from gpuval.torchmetrics.base import MetricOfSums

__all__ = ["ClusteringMetric"]


def _state(name: str) -> Any:
    """A state of a metric, which others read when the labels that wait have been counted, and may hold from then on.

    So the next update goes on with copies, unless all that read it were the other metrics of a compute group.
    """
    own = f"_state_{name}"

    def read(metric: ClusteringMetric) -> torch.Tensor:
        metric._share()
        state: torch.Tensor = vars(metric)[own]
        return state

    def write(metric: ClusteringMetric, state: torch.Tensor) -> None:
        # A module's own way takes longer than a small batch.
        vars(metric).update({own: state.contiguous(), "_is_shared": True, "_is_follower": False, "_holders": [1]})

    return property(read, write)


class _UpdateCount(int):
    """The number of updates of a metric, which knows the metric.

    torchmetrics makes a compute group by writing the states of its first metric, and after them the number of its
    updates, into the others. So they learn from this number which metric is the first.
    """

    metric: ClusteringMetric

    def __reduce__(self) -> Any:
        return int, (int(self),)


def _the_same(digests: torch.Tensor) -> torch.Tensor:
    """The number that stands for the labels to ignore, which must be one in all processes."""
    check_ignored_by_all(digests.tolist())
    return digests[0]


class ClusteringMetric(MetricOfSums):
    """Metric of torchmetrics for predicted clusters against known classes, with one measure or several.

    It keeps only the table that counts the samples of each class in each cluster, of shape (n_classes, n_clusters). So
    its memory does not grow with the samples, and processes add up tables instead of exchanging labels. (The clustering
    metrics of torchmetrics itself keep every label.) In a ``MetricCollection``, metrics with the same sizes and the
    same ``ignore_labels`` form one compute group, which counts only once.

    Parameters
    ----------
    metrics
        The measures, as :func:`gpuval.evaluate` takes them. The name of one measure, full or short, or a function of a
        :class:`gpuval.Contingency` gives one score. A sequence or mapping of these, or "all", gives a dictionary of
        scores. They are read once, here.
    n_classes, n_clusters
        The size of the table: labels are integers from 0 to ``n_classes - 1``, and from 0 to ``n_clusters - 1``.
    ignore_labels
        One label or several. Samples with such a class or such a cluster do not count. A mapping names the side:
        ``{"true": 0}`` ignores the class 0, and keeps the cluster 0.
    real_weights
        Whether weights may be fractions. The table then holds floats.
    **options
        Options of ``torchmetrics.Metric``, such as ``dist_sync_on_step``.

    Raises
    ------
    TypeError, ValueError
        For a name that no measure has, and for sizes that are not positive integers. ``update`` and ``compute`` raise
        them for everything that :class:`gpuval.Accumulator` raises.

    Examples
    --------
    >>> import torch
    >>> from gpuval.torchmetrics import ClusteringMetric
    >>> metric = ClusteringMetric("adjusted_rand_score", n_classes=2, n_clusters=2)
    >>> metric.update(torch.tensor([0, 0, 1, 1]), torch.tensor([1, 1, 0, 0]))
    >>> metric.compute()
    tensor(1., dtype=torch.float64)
    >>> metric.reset()
    >>> metric(torch.tensor([0, 0, 0, 0]), torch.tensor([1, 1, 0, 0]))
    tensor(0., dtype=torch.float64)
    """

    counts = _state("counts")
    invalid = _state("invalid")
    furthest = _state("furthest")
    given = _state("given")
    self_pairs = _state("self_pairs")
    ignored: torch.Tensor
    _state_counts: torch.Tensor
    _of_batch = False
    """Whether a score is that of a batch, within ``forward``."""
    _is_shared = True
    """Whether others may hold the states, among them metrics of the same compute group."""
    _is_follower = False
    """Whether the states are those of the first metric of a compute group, which alone is updated."""
    _holders: list[int]
    """How often states were handed out or taken over since they were copied, but for those of the compute group: 0 if
    nobody else holds them. It is a list, as all metrics of a group have the same number."""

    def __init__(
        self,
        metrics: Metrics = "adjusted_rand_score",
        *,
        n_classes: int,
        n_clusters: int,
        ignore_labels: Any = None,
        real_weights: bool = False,
        **options: Unpack[MetricOptions],
    ) -> None:
        super().__init__(**options)
        self._functions, _ = read_metrics(metrics)
        self._are_formulas = all(getattr(f, "formula", None) is not None for f in self._functions.values())
        self._is_one = callable(metrics) or (isinstance(metrics, str) and metrics.lower() != "all")
        self.metrics = metrics if metrics is None or isinstance(metrics, str) else self._functions
        self.ignore_labels, self.real_weights = ignore_labels, real_weights
        self._to_ignore = LabelsToIgnore.read(ignore_labels)  # once: an iterator has nothing for a second batch
        self._may_wait = ignore_labels is None and not real_weights
        sizes = check_size(n_classes, "n_classes"), check_size(n_clusters, "n_clusters")
        sums = Sums.of_nothing(*sizes, torch.zeros(1, device=self.device))
        if real_weights:
            sums.be_real()
        # The first one, as an error when it is reduced is to leave the others as they are. It also tells those that
        # ignore other labels apart: metrics of a collection whose states are equal are taken for one group.
        ignored = torch.tensor(digest_of(self._to_ignore.standard_form().as_setting()), device=self.device)
        self.add_state("ignored", ignored, dist_reduce_fx=_the_same)
        for name in self._names:
            reduced = "min" if name == "furthest" else "sum"
            self.add_state(name, cast(torch.Tensor, sums.arrays()[name]), dist_reduce_fx=reduced)

    def update(self, preds: Array, target: Array, sample_weight: Array | None = None) -> None:
        """Add a batch. Nothing is copied to the host, and memory does not grow.

        Parameters
        ----------
        preds
            The clusters, shape (n_samples,); they come first, as everywhere in torchmetrics.
        target
            The classes, shape (n_samples,).
        sample_weight
            Weights, shape (n_samples,), not negative; integers, unless ``real_weights=True``.
        """
        samples, sums = self._read(preds, target, sample_weight), self._sums()
        sums.add_samples(samples)
        arrays = sums.arrays()
        for name in self._names:
            setattr(self, f"_state_{name}", arrays[name])

    @torch.compiler.disable  # type: ignore[untyped-decorator]  # a graph leaves out the labels that wait
    def forward(self, preds: Array, target: Array, sample_weight: Array | None = None) -> Any:
        """Add a batch and return the score of this batch alone: NaN if no sample of it counts.

        A batch that is refused changes nothing. The arguments are those of ``update``.
        """
        batch = (preds, target) if sample_weight is None else (preds, target, sample_weight)
        if self._is_synced or self.dist_sync_on_step:  # an error, or the score of what all processes have
            return self._forward_of_all(*batch)
        with torch.no_grad():
            score = self._score_of_batch(self._read(*batch))
        if self._is_shared:  # compiled code, too: each metric of a group adds the batch
            self._go_on_with_copies()
        self.update(*batch)
        self._forward_cache = score if self._are_formulas else _squeeze_if_scalar(score)
        return self._forward_cache

    @torch.compiler.disable  # type: ignore[untyped-decorator]
    def compute(self) -> Any:
        """The score of all samples so far, or a dictionary of several scores.

        One transfer from the device tells whether all samples were counted. NaN, with a warning, if there were no
        samples. Raises ValueError if some samples could not be counted, or if there were samples and none of them
        counts.
        """
        sums = self._sums()
        table = sums.table()
        try:
            if check_counted(table, sums.copy_given(), sums):
                return self._score_of(table)
        except NoneLeftError:
            if not self._of_batch:
                raise
        if not self._of_batch:
            rank_zero_warn(f"{self} has had no samples: its value is NaN", UserWarning)
        return self._nothing()

    def _measures(self) -> Iterable[Callable[..., Any]]:
        return self._functions.values()

    def extra_repr(self) -> str:
        """The measures and the settings, for the printed form of the metric."""
        n_classes, n_clusters = self._sizes
        ignored = "" if self.ignore_labels is None else f", ignore_labels={self.ignore_labels!r}"
        real = ", real_weights=True" if self.real_weights else ""
        measures = self._titles[0] if self._is_one else f"[{', '.join(self._titles)}]"
        return f"{measures}, n_classes={n_classes}, n_clusters={n_clusters}{ignored}{real}"

    # Within

    @property
    def _titles(self) -> list[str]:
        return [str(name) for name in self._functions]

    @property
    def _sizes(self) -> tuple[int, int]:
        n_classes, n_clusters = self._state_counts.shape
        return n_classes, n_clusters

    def _read(self, preds: Array, target: Array, sample_weight: Array | None = None) -> Samples:
        """A batch, after the checks that need no look at the values."""
        if not (isinstance(preds, torch.Tensor) and isinstance(target, torch.Tensor)):
            kinds = f"{type(preds).__name__} and {type(target).__name__}"
            raise TypeError(f"preds and target must be tensors of PyTorch, got {kinds}")
        for name, x in (("preds", preds), ("target", target)):
            check_has_values(dense(x, name), name)
        samples = read_samples(target, preds, sample_weight, self._to_ignore)
        if samples.weights is not None and samples.weights.dtype.is_floating_point and not self.real_weights:
            dtype = samples.weights.dtype
            raise TypeError(f"sample_weight must be of an integer type without real_weights=True, got {dtype}")
        return samples

    def _forward_of_all(self, *batch: Array) -> Any:
        self._share()
        before = dict(vars(self))
        self._go_on_with_copies()
        self._of_batch = True
        try:
            return super().forward(*batch)
        except BaseException:
            vars(self).update(before)
            raise
        finally:
            self._of_batch = False

    def _score_of_batch(self, samples: Samples) -> Any:
        """The score of samples by themselves, found in NumPy where they lie on the host."""
        like = samples.true.data
        table = host_table(samples, *self._sizes) if self._are_formulas else None
        is_seen = table is not None
        if table is None:
            table = from_samples(samples, *self._sizes)
        try:
            is_any = check_counted(table, None)
        except ValueError:
            sums = Sums.of_nothing(*self._sizes, like)
            sums.add_samples(samples)
            check_counted(sums.table(), None, sums)  # which says what the labels are
            raise
        return self._score_of(table, like if is_seen else None) if is_any else self._nothing()

    def _score_of(self, table: Table, like: Array | None = None) -> Any:
        """The score of a table, or a dictionary of several; in the library of ``like``, if it is given."""
        if self._is_one:
            (function,) = self._functions.values()
            return as_result(function(Contingency.from_table(table)), like)
        scores = evaluate(Contingency.from_table(table), metrics=self.metrics)
        return {name: as_result(score, like) for name, score in scores.items()}

    def _nothing(self) -> Any:
        nothing = torch.full((), math.nan, dtype=torch.float64, device=self._state_counts.device)
        return nothing if self._is_one else dict.fromkeys(self._functions, nothing)

    @property
    def _names(self) -> tuple[str, ...]:
        """The states that :class:`Sums` holds."""
        return ("counts", "invalid", "furthest", "given", *(["self_pairs"] if self.real_weights else []))

    def _check_state(self, state: dict[str, Any]) -> None:
        """Check that states, all or some, are those of a metric with the same settings."""
        super()._check_state(state)
        if "counts" in state:
            read_cell_counts(state, self._sizes)
        if "ignored" in state and int(state["ignored"]) != int(self.ignored):
            raise ValueError(
                f"state must be of a metric with the same ignore_labels={self.ignore_labels!r}, got that of one with "
                "others"
            )

    # Updates: what torchmetrics does around each takes as long as a small batch

    def _wrap_update(self, update: Callable[..., None]) -> Callable[..., None]:
        wrapped = super()._wrap_update(update)

        @functools.wraps(update)
        def wrapper(*args: Any, **options: Any) -> None:
            if not torch.compiler.is_compiling() and self._is_shared and (self._is_follower or self._holders[0]):
                self._go_on_with_copies()
            if len(args) == 2 and not options and self._wait(*args):
                self.__dict__["_computed"] = None
                self.__dict__["_updates"] += 1
            else:
                wrapped(*args, **options)

        return wrapper

    @property
    def _update_count(self) -> int:
        count = super()._update_count
        if not torch.compiler.is_compiling():
            count = _UpdateCount(count)
            count.metric = self
        return count

    @_update_count.setter
    def _update_count(self, count: int) -> None:
        self._updates, self._has_been_traced = int(count), False
        if isinstance(count, _UpdateCount):
            self._follow(count.metric)

    def _follow(self, first: ClusteringMetric) -> None:
        """Become another metric of the compute group of ``first``, if all states are those of that one."""
        own = [f"_state_{name}" for name in self._names]
        if self is not first and all(vars(self)[name] is vars(first)[name] for name in own):
            first._holders[0] -= len(own)  # one reading of each, by which this metric got them
            vars(self).update(_holders=first._holders, _is_follower=True)

    def _wait(self, preds: Any, target: Any) -> bool:
        """Have a batch of labels on the host wait, to be counted with others; False if it is anything else."""
        if not (self._may_wait and type(preds) is type(target) is torch.Tensor):
            return False
        labels = TORCH.host_labels(target, preds)
        if labels is None:
            return False
        waiting = _label_queue(counts := self._state_counts)
        if waiting is None:
            if not counts.is_cpu or counts.is_inference():
                return False
            waiting = vars(counts)["gpuval_waiting"] = LabelBuffer()
        return waiting.take(*labels) or self._sums().add_at_once(target, preds)

    def _share(self) -> None:
        """Have others hold the states: all samples are in them, and nothing else hangs on them."""
        vars(self)["_is_shared"] = True
        self._holders[0] += 1
        if not torch.compiler.is_compiling() and _label_queue(self._state_counts) is not None:
            self._sums().count_waiting()
            del vars(self._state_counts)["gpuval_waiting"]

    def _go_on_with_copies(self) -> None:
        """Leave the states to those who hold them, too."""
        for name in self._names:
            vars(self)[f"_state_{name}"] = getattr(self, name).clone()
        vars(self).update(_is_shared=False, _is_follower=False, _holders=[0])

    def __getstate__(self) -> dict[str, Any]:
        self._share()
        return super().__getstate__()

    def _sums(self) -> Sums:
        """The states as sums, with the labels that wait."""
        own: dict[str, torch.Tensor] = {name: getattr(self, f"_state_{name}") for name in self._names}
        waiting = None
        if not torch.compiler.is_compiling():
            waiting = _label_queue(own["counts"])
            for name, x in own.items():
                if x.is_inference():  # torchmetrics has copied it in inference mode: it must outlive that
                    with torch.inference_mode(False):
                        own[name] = x.clone()
                    setattr(self, f"_state_{name}", own[name])
        sums = Sums(own["counts"], own["invalid"], own["furthest"], own["given"], own.get("self_pairs"))
        sums.waiting = waiting
        return sums


def _label_queue(counts: Any) -> LabelBuffer | None:
    """The labels that wait to be counted into a tensor: its attribute, as metrics of one compute group share states."""
    return getattr(counts, "gpuval_waiting", None)
