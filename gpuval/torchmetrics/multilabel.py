"""A metric of torchmetrics for labels: it keeps counts, sums and bins; for exact areas all scores."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Unpack

from gpuval.engines.backends import move_to
from gpuval.inputs.options import check_size, require_extra
from gpuval.measures.requests import Metrics
from gpuval.measures.result import OnUndefined, as_result
from gpuval.multilabel.batches import state_of_batch
from gpuval.multilabel.names import Averages, score_names
from gpuval.multilabel.scoring import StateScores
from gpuval.multilabel.settings import MultilabelSettings
from gpuval.multilabel.state import MultilabelState, ScoreRows, check_types_of_scores, shapes_of, sum_of_states
from gpuval.numerics import Array
from gpuval.torchmetrics.base import MetricOptions

with require_extra("gpuval.torchmetrics", "torchmetrics"):
    import torch
    from torchmetrics.utilities.distributed import gather_all_tensors

    from gpuval.engines.backends.torch import TORCH
    from gpuval.torchmetrics.base import MetricOfMeasures, as_host_array, reduce_sums

__all__ = ["MultilabelMetric"]

_ROWS = ("scores", "labels", "weights")

_TYPES = (
    torch.bool,
    torch.uint8,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.bfloat16,
    torch.float16,
    torch.float32,
    torch.float64,
)
"""The types of scores, of floats the wider ones last."""


def _any_of(parts: torch.Tensor) -> torch.Tensor:
    return parts.any(dim=0)


_STATES: dict[str, tuple[torch.dtype, Any]] = {
    "counts": (torch.int64, "sum"),
    "support": (torch.int64, "sum"),
    "bins": (torch.int64, "sum"),
    "broken": (torch.bool, _any_of),
}
"""The types of states, and how processes reduce them; others are compensated sums of floats."""


class MultilabelMetric(MetricOfMeasures):
    """Metric of torchmetrics for matrices of labels and predicted scores, with one measure or several.

    It keeps what :class:`gpuval.multilabel.MultilabelAccumulator` keeps, and processes add this up: counts and sums for
    each class. For areas under curves, it keeps how many scores are in each of ``n_bins`` bins; without ``n_bins``, all
    labels and scores, so that the areas are exact and memory grows. Scores are used as they are. (torchmetrics applies
    a sigmoid to a batch that has a score outside of [0, 1].) A score that is equal to the threshold is a predicted
    label, but not in torchmetrics.

    Parameters
    ----------
    metrics, averages
        The measures and averages, as :class:`gpuval.multilabel.MultilabelAccumulator` takes them. The name of one
        measure, such as "f1", with the name of one average, such as "macro", gives one score. Anything else gives a
        dictionary of scores by names such as "f1_macro". They are read once, here.
    n_classes
        The number of classes. The states have one number for each.
    n_bins, score_range, threshold, at_least_one, ignore_labels, on_undefined
        As for :class:`gpuval.multilabel.MultilabelAccumulator`. torchmetrics has ``thresholds`` for ``n_bins``,
        ``threshold``, ``ignore_index`` for ``ignore_labels``, and ``zero_division`` for ``on_undefined``; it has no
        ``score_range`` and no ``at_least_one``.
    **options
        Options of ``torchmetrics.Metric``, such as ``dist_sync_on_step``.

    Raises
    ------
    TypeError, ValueError
        For measures and averages that do not exist. ``update`` raises them for everything that the measures raise;
        their messages say ``y_true`` for ``target`` and ``y_score`` for ``preds``.

    Examples
    --------
    >>> import torch
    >>> from gpuval.torchmetrics import MultilabelMetric
    >>> metric = MultilabelMetric("f1", "macro", n_classes=2)
    >>> metric.update(torch.tensor([[0.9, 0.2], [0.4, 0.3]]), torch.tensor([[1, 0], [0, 1]]))
    >>> metric.compute()
    tensor(0.5000, dtype=torch.float64)
    >>> metric.update(torch.tensor([[0.3, 0.8], [0.1, 0.6]]), torch.tensor([[1, 1], [0, 0]]))
    >>> round(float(metric.compute()), 4)
    0.5833
    """

    scores: Any
    labels: Any
    weights: Any
    n_batches: torch.Tensor
    real_support: torch.Tensor

    def __init__(
        self,
        metrics: Metrics = None,
        averages: Averages = None,
        *,
        n_classes: int,
        n_bins: int | None = None,
        score_range: tuple[float, float] = (0.0, 1.0),
        threshold: Any = 0.5,
        at_least_one: bool = False,
        ignore_labels: Any = None,
        on_undefined: OnUndefined | None = None,
        **options: Unpack[MetricOptions],
    ) -> None:
        super().__init__(**options)
        self._given_settings = settings = MultilabelSettings.read(
            metrics,
            averages,
            n_bins=n_bins,
            score_range=score_range,
            threshold=threshold,
            at_least_one=at_least_one,
            ignore_labels=ignore_labels,
            n_classes=check_size(n_classes, "n_classes"),
            on_undefined=on_undefined,
        )
        self._names_of_scores = score_names(settings.measures, settings.averages)
        self._is_one = isinstance(metrics, str) and len(self._names_of_scores) == 1
        self._add_settings(settings.as_dict())
        real = TORCH.widest(torch.zeros(1, device=self.device)).float
        for name, shape in shapes_of(settings, self.n_classes).items():
            dtype, reduced = _STATES.get(name, (real, reduce_sums))
            self.add_state(name, torch.zeros(shape, dtype=dtype, device=self.device), dist_reduce_fx=reduced)
        of_kinds = torch.zeros(2, dtype=torch.int64, device=self.device)  # of one label for each sample, and others
        self.add_state("n_batches", of_kinds, dist_reduce_fx="sum")
        if settings.keeps_rows:
            for name in _ROWS:
                self.add_state(name, [], dist_reduce_fx="cat")

    @property
    def n_classes(self) -> int:
        """The number of classes."""
        return self._given_settings.n_classes or 0

    def update(self, preds: Array, target: Array, *, mask: Any = None, sample_weight: Any = None) -> None:
        """Add a batch of samples, which may be empty.

        Nothing is copied to the host; invalid values on a device make scores NaN.

        Parameters
        ----------
        preds
            The scores, shape (n_samples, n_classes), or (n_samples,) for one class. With several classes, a vector
            holds the predicted class of each sample. They come first, as everywhere in torchmetrics.
        target
            The true labels: a matrix of 0 and 1; or a vector of 0 and 1, for one class, or of the class of each sample.
        mask
            Which labels are known: booleans of the shape of ``target``. Labels where it is False do not count.
        sample_weight
            The weight of each sample, shape (n_samples,), not negative.
        """
        self._check_given(preds, target)
        are_labels = preds.ndim == target.ndim == 1 and self.n_classes > 1
        of_scores = [name for kind in ("sums", "curves") for name in self._given_settings.names_of_kind(kind)]
        if are_labels and of_scores:
            raise ValueError(
                f"preds must have a score for each of the {self.n_classes} classes, needed by {', '.join(of_scores)}, "
                f"got shape {tuple(preds.shape)}"
            )
        predicted = {"y_score": None, "y_pred": preds} if are_labels else {"y_score": preds, "y_pred": None}
        held = state_of_batch(self._given_settings, target, **predicted, mask=mask, sample_weight=sample_weight)
        state = dict(held.state)
        rows = state.pop("rows", ())
        with TORCH.lasting():
            own = {name: getattr(self, name) for name in state}
            found = sum_of_states(own, {name: move_to(x, self.settings) for name, x in state.items()})
            found["n_batches"] = self.n_batches + (torch.arange(2, device=target.device) == int(not are_labels))
            for one in rows:
                found |= self._with_rows(one)
        for name, x in found.items():
            setattr(self, name, x)

    def compute(self) -> Any:
        """The score of all samples so far, or a dictionary of several scores; NaN if there was no batch."""
        given = torch.zeros(0, device=self.settings.device)
        scoring = StateScores(self._given_settings, self._label_state(given))
        found = {name: as_result(scoring.value(*place), given) for name, place in self._names_of_scores.items()}
        scores = {name: x.where(self.n_batches.any(), math.nan) for name, x in found.items()}
        return next(iter(scores.values())) if self._is_one else scores

    def _measures(self) -> list[Callable[..., Any]]:
        return [one.measure for one in self._given_settings.measures.values()]

    def extra_repr(self) -> str:
        """The measures and the settings, for the printed form of the metric."""
        settings = self._given_settings
        given = {
            "n_classes": settings.n_classes,
            "n_bins": settings.n_bins,
            "ignore_labels": settings.ignore_labels or None,
            "on_undefined": settings.on_undefined,
        }
        measures = self._titles[0] if self._is_one else f"[{', '.join(self._titles)}]"
        return ", ".join([measures, *(f"{name}={x!r}" for name, x in given.items() if x is not None)])

    # Within

    @property
    def _titles(self) -> list[str]:
        return list(self._names_of_scores)

    def _with_rows(self, rows: ScoreRows) -> dict[str, list[torch.Tensor]]:
        """The states of rows with others: vectors, and weights in any case, as the processes of all must agree."""
        scores, labels = move_to(rows.scores, self.settings), move_to(rows.labels, self.settings)
        self._check_types([scores])
        weights = torch.ones(len(scores), dtype=self.real_support.dtype, device=scores.device)
        if rows.weights is not None:
            weights = move_to(rows.weights, self.settings).to(weights.dtype)
        new = scores.reshape(-1), labels.reshape(-1), weights
        return {name: [*getattr(self, name), x] for name, x in zip(_ROWS, new, strict=True)}

    def _reduce_states(self, incoming_state: dict[str, Any]) -> None:
        if self._given_settings.keeps_rows:
            self._check_types(incoming_state.get("scores", []))
        super()._reduce_states(incoming_state)

    def _check_types(self, scores: Sequence[torch.Tensor]) -> None:
        """Check that scores can be put beside those before."""
        for own, new in zip(self.scores[:1], scores, strict=False):
            check_types_of_scores(own, new, "preds")

    def _label_state(self, given: torch.Tensor) -> MultilabelState:
        """What is known of all samples: of NumPy, where it lies on the host."""
        names = shapes_of(self._given_settings, self.n_classes)
        state: dict[str, Any] = {name: as_host_array(getattr(self, name)) for name in names}
        if self._given_settings.keeps_rows:
            state["rows"] = (self._rows(),)
        asked = self._given_settings.measures.values()
        is_multiclass = any(one.definition.of_one_label for one in asked) and not bool(self.n_batches[1])
        return MultilabelState(state, range(self.n_classes), is_multiclass, given)

    def _rows(self) -> ScoreRows:
        """All rows, with weights if these are not all 1."""
        known = [getattr(self, name) for name in _ROWS]
        like = self.settings
        nothing = torch.zeros(0, device=like.device), like[:0], torch.zeros(0, device=like.device)
        scores, labels, weights = (
            x if isinstance(x, torch.Tensor) else torch.cat(x) if x else empty
            for x, empty in zip(known, nothing, strict=True)
        )
        shape = (-1, self.n_classes)
        return ScoreRows(
            as_host_array(scores.reshape(shape)),
            as_host_array(labels.reshape(shape)),
            None if bool((weights == 1).all()) else as_host_array(weights),
        )

    def _sync_dist(self, dist_sync_fn: Callable[..., Any] = gather_all_tensors, process_group: Any = None) -> None:
        """Put the states of all processes together; those of rows in one type, also where there are none."""
        if self._given_settings.keeps_rows:
            self._agree_on_types(lambda x: dist_sync_fn(x, group=process_group or self.process_group))
        super()._sync_dist(dist_sync_fn, process_group)

    def _agree_on_types(self, gathered: Callable[[torch.Tensor], list[torch.Tensor]]) -> None:
        """Have rows of the types that those of all processes have."""
        own = [torch.cat(x) if x else None for x in (self.scores, self.labels, self.weights)]
        number = -1 if own[0] is None else _TYPES.index(own[0].dtype)
        of_all = [int(x) for x in gathered(torch.tensor(number, device=self.settings.device))]
        types = {_TYPES[x] for x in of_all if x >= 0}
        if len(types) > 1 and not all(x.is_floating_point for x in types):
            raise TypeError(f"preds must have one dtype in all processes, got {' and '.join(sorted(map(str, types)))}")
        together = _TYPES[max(of_all)] if types else torch.float32
        for name, x, dtype in zip(_ROWS, own, (together, torch.uint8, self.real_support.dtype), strict=True):
            empty = torch.zeros(0, dtype=dtype, device=self.settings.device)
            setattr(self, name, [empty if x is None else x.to(dtype)])
