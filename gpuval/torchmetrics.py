"""Measures as metrics of torchmetrics: a table of classes and clusters is all that they hold and synchronise."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, cast

from gpuval.inputs.containers import dense
from gpuval.inputs.counts import check_has_values
from gpuval.inputs.limits import check_size
from gpuval.inputs.options import needed
from gpuval.inputs.samples import read_samples
from gpuval.inputs.selection import read_ignored
from gpuval.numerics import Array
from gpuval.report.arguments import Metrics, read_metrics
from gpuval.report.evaluation import evaluate
from gpuval.streaming.checkpoints import read_array, stored_counts
from gpuval.streaming.processes import digest_of
from gpuval.streaming.sums import NoneLeftError, Sums, check_counted
from gpuval.table.contingency import Contingency

with needed("gpuval.torchmetrics", "torchmetrics"):
    import torch
    import torchmetrics

__all__ = ["ClusteringMetric"]


class ClusteringMetric(torchmetrics.Metric):
    """One measure, or several, of the clusters that are predicted for known classes.

    torchmetrics' own clustering metrics keep every label; this one keeps a table of ``n_classes`` x ``n_clusters``. So
    its memory does not grow with the samples, and processes add up tables rather than exchange labels. Metrics with the
    same sizes and the same labels to ignore are one compute group of a ``MetricCollection``.

    Parameters
    ----------
    metrics
        As :func:`gpuval.evaluate` takes them: the name of a measure, full or short, for its score; or a sequence or
        mapping of names and functions of a table, or "all", for a dictionary of scores. They are read once, here.
    n_classes, n_clusters
        The size of the table: labels are integers from 0 to below it.
    ignore_labels
        One label or several; samples with such a label on either side do not count.
    real_weights
        Whether weights may be fractions: then the table is one of floats.
    options
        Options of ``torchmetrics.Metric``, such as ``dist_sync_on_step``.

    Raises
    ------
    TypeError, ValueError
        For a name that is no measure, sizes that are not positive integers, and in ``update`` and ``compute`` what
        :class:`gpuval.Accumulator` raises.

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

    full_state_update = False
    counts: torch.Tensor
    invalid: torch.Tensor
    furthest: torch.Tensor
    self_pairs: torch.Tensor
    given: torch.Tensor
    _of_batch = False
    """Whether a score is that of a batch, within ``forward``."""

    def __init__(
        self,
        metrics: Metrics = "adjusted_rand_score",
        *,
        n_classes: int,
        n_clusters: int,
        ignore_labels: Any = None,
        real_weights: bool = False,
        **options: Any,
    ) -> None:
        super().__init__(**options)
        functions, _ = read_metrics(metrics)
        self.metrics = metrics if metrics is None or isinstance(metrics, str) else functions
        self.ignore_labels, self.real_weights = ignore_labels, real_weights
        sizes = check_size(n_classes, "n_classes"), check_size(n_clusters, "n_clusters")
        sums = Sums.of_nothing(*sizes, torch.zeros(1, device="cpu"))
        if real_weights:
            sums.be_real()
        for name in self._names:
            self.add_state(
                name, cast(torch.Tensor, sums.arrays()[name]), dist_reduce_fx="min" if name == "furthest" else "sum"
            )
        # Metrics whose states are equal are taken for one group: those that ignore other labels are not.
        self.add_state("ignored", torch.tensor(digest_of(read_ignored(ignore_labels))), dist_reduce_fx="max")

    def update(self, preds: Array, target: Array, sample_weight: Array | None = None) -> None:
        """Add a batch: nothing is copied to the host, and memory does not grow.

        Parameters
        ----------
        preds
            The clusters, shape (n_samples,); first, as everywhere in torchmetrics.
        target
            The classes, shape (n_samples,).
        sample_weight
            Weights, shape (n_samples,), not negative; integers, unless ``real_weights=True``.
        """
        if not (isinstance(preds, torch.Tensor) and isinstance(target, torch.Tensor)):
            kinds = f"{type(preds).__name__} and {type(target).__name__}"
            raise TypeError(f"preds and target must be tensors of PyTorch, got {kinds}")
        sums = self._sums()
        if sample_weight is None and self.ignore_labels is None and sums.add_at_once(target, preds):
            return
        for name, x in (("preds", preds), ("target", target)):
            check_has_values(dense(x, name), name)
        samples = read_samples(target, preds, sample_weight, self.ignore_labels)
        if samples.weights is not None and samples.weights.dtype.is_floating_point and not self.real_weights:
            dtype = samples.weights.dtype
            raise TypeError(f"sample_weight must be of an integer type without real_weights=True, got {dtype}")
        sums.add_samples(samples)
        for name in self._names:
            setattr(self, name, sums.arrays()[name])

    def forward(self, *args: Any, **options: Any) -> Any:
        """Add a batch, and return its score: NaN if no sample of it is left. One that is refused changes nothing."""
        before = dict(vars(self))
        self._of_batch = True
        try:
            return super().forward(*args, **options)
        except BaseException:
            vars(self).update(before)
            raise
        finally:
            self._of_batch = False

    def compute(self) -> Any:
        """The score of all samples so far, or a dictionary of several; one transfer tells whether all were counted.

        Raises ValueError if some could not be, or if there were samples and none is left.
        """
        is_one = isinstance(self.metrics, str) and self.metrics.lower() != "all"
        sums = self._sums()
        table = Contingency.from_table(sums.table())
        try:
            check_counted(table, self.given, sums)
        except NoneLeftError:
            if not self._of_batch:
                raise
            nothing = torch.full((), math.nan, dtype=torch.float64, device=self.counts.device)
            return nothing if is_one else dict.fromkeys(read_metrics(self.metrics)[0], nothing)
        scores = evaluate(table, metrics=self.metrics)
        return next(iter(scores.values())) if is_one else dict(scores)

    @property
    def _names(self) -> tuple[str, ...]:
        """The states that :class:`Sums` holds."""
        return ("counts", "invalid", "furthest", "given", *(["self_pairs"] if self.real_weights else []))

    def _apply(self, fn: Callable[[torch.Tensor], torch.Tensor], *args: Any, **options: Any) -> Any:
        """Go to another device, and to no other type: sums are to stay exact."""

        def moved(x: torch.Tensor) -> torch.Tensor:
            y = fn(x)
            return y if y.dtype == x.dtype else x.to(y.device)

        return super()._apply(moved, *args, **options)

    def _load_from_state_dict(self, state_dict: dict[str, Any], prefix: str, *args: Any) -> None:
        names = [name for name in self._names if f"{prefix}{name}" in state_dict]
        state = {name: state_dict[f"{prefix}{name}"] for name in names}
        for name in names:
            own = getattr(self, name)
            if read_array(state, name, tuple(own.shape)).dtype != own.dtype:
                raise ValueError(f"state must have {name} of {own.dtype}, got {state[name].dtype}")
        if "counts" in state:
            stored_counts(state, tuple(self.counts.shape))
        super()._load_from_state_dict(state_dict, prefix, *args)
        for name in names:  # what is loaded is the state's own memory
            setattr(self, name, state[name].clone())

    def _sums(self) -> Sums:
        for name in () if torch.compiler.is_compiling() else self._names:
            if getattr(self, name).is_inference():  # torchmetrics has copied it in inference mode: it must outlive that
                with torch.inference_mode(False):
                    setattr(self, name, getattr(self, name).clone())
        return Sums(
            self.counts, self.invalid, self.furthest, self.given, self.self_pairs if self.real_weights else None
        )
