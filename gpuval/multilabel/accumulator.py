"""Scores of labels that are updated batch by batch: for loops, streams and checkpoints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from gpuval.engines.backends import backend_of, fields_of, is_array, library_of
from gpuval.measures.requests import Metrics
from gpuval.measures.result import OnUndefined
from gpuval.multilabel.batches import state_of_batch
from gpuval.multilabel.counts import LabelCounts
from gpuval.multilabel.evaluation import MultilabelScores
from gpuval.multilabel.exchange import gather_state
from gpuval.multilabel.names import Averages, score_names
from gpuval.multilabel.scoring import StateScores
from gpuval.multilabel.settings import MultilabelSettings
from gpuval.multilabel.state import MultilabelState, check_goes_together, checkpoint_entries, number_of, read_state
from gpuval.numerics import Array
from gpuval.streaming.checkpoints import check_beside, check_same_settings, check_settings
from gpuval.streaming.processes import is_distributed

__all__ = ["MultilabelAccumulator"]


class MultilabelAccumulator:
    """Scores of labels over many batches.

    Use it in an evaluation loop, where not all samples are in memory at once: call ``update`` for each batch, then read
    ``scores``. What it keeps depends on the measures:

    - for measures of predicted labels: four counts for each class, exact integers or sums of weights;
    - for measures whose terms add up (errors, log loss, mean probabilities): three sums for each class and measure;
    - for the average "samples": two sums for each measure, because each sample is in only one batch;
    - for areas under curves (:func:`roc_auc_score`, :func:`average_precision_score`): all labels and scores, so that
      the areas are exact. Then **memory grows with the batches**, by a byte and a score for each entry. With ``n_bins``
      it does not grow: for each class and each bin, it keeps how many positive and negative entries have a score in the
      bin. Sparse scores need ``n_bins``. The scores in one bin then count as tied, and :attr:`errors` is an upper
      bound of the difference to the exact areas.

    Sums of real numbers are in the widest float, and compensated: the rounding error of each addition is also summed,
    next to them. ``update`` waits for nothing on a device if labels are matrices or ``n_classes`` is given; invalid
    values there make the scores NaN. Otherwise invalid values are an error, and a batch that is refused changes
    nothing. Only one thread at a time may call ``update``.

    Parameters
    ----------
    metrics
        Names of measures of :mod:`gpuval.multilabel`, full or short, in upper or lower case; or the functions
        themselves, or a ``functools.partial`` of one with its options. A mapping gives the measures new names; "all"
        stands for all measures. By default "precision", "recall", "f1", "roc_auc", "average_precision" and
        "hamming_loss".
    averages
        Names of averages; by default those of "macro", "weighted" and "micro" that at least one of the measures has.
        "samples" needs matrices, whose rows are the samples.
    n_bins
        The number of bins for the scores, for areas under curves, up to 2^20; each bin takes 16 bytes for each class.
        By default there are no bins, and all scores are kept.
    score_range
        The lowest score of the first bin and the highest score of the last one: any two finite numbers. All bins have
        the same width. Scores outside of the range are counted in the first or in the last bin.
    threshold, at_least_one
        How scores become predicted labels in batches without ``y_pred``, as for :func:`predicted_labels`.
    ignore_labels
        One value of ``y_true`` or several, such as -1. Labels with such a value do not count.
    n_classes
        The number of classes. For matrices it is only checked. Vectors ``y_true`` and ``y_pred`` with one label for
        each sample, and label sets, must then hold integers from 0 to ``n_classes - 1``; without it, all batches must
        have the same labels.
    on_undefined
        The value where a formula is 0/0: "zero", "one", "nan", or "skip", which leaves it out of means. By default each
        measure uses its own default.

    Raises
    ------
    TypeError, ValueError
        For measures or averages that do not exist, and for invalid settings. ``update`` raises them for everything that
        the measures raise, and for a batch of another library, on another device, or of other classes.

    Examples
    --------
    >>> from gpuval.multilabel import MultilabelAccumulator
    >>> accumulator = MultilabelAccumulator(["f1", "auc"], ["macro", "micro"])
    >>> accumulator.update([[1, 0], [0, 1]], [[0.9, 0.2], [0.4, 0.3]])
    >>> accumulator.update([[1, 1], [0, 0]], [[0.3, 0.8], [0.1, 0.6]])
    >>> accumulator.scores
              f1  roc_auc  support
    0      0.667    0.750        2
    1      0.500    0.750        2
    macro  0.583    0.750
    micro  0.571    0.750
    >>> accumulator.counts.false_negatives.tolist()
    [1, 1]

    The same with bins, and the largest possible difference to the exact area:

    >>> binned = MultilabelAccumulator("auc", "macro", n_bins=4)
    >>> binned.update([[1, 0], [0, 1]], [[0.9, 0.2], [0.4, 0.3]])
    >>> binned.update([[1, 1], [0, 0]], [[0.3, 0.8], [0.1, 0.6]])
    >>> float(binned.scores["roc_auc_macro"]), float(binned.errors["roc_auc_macro"])
    (0.8125, 0.0625)
    """

    def __init__(
        self,
        metrics: Metrics = None,
        averages: Averages = None,
        *,
        n_bins: int | None = None,
        score_range: tuple[float, float] = (0.0, 1.0),
        threshold: Any = 0.5,
        at_least_one: bool = False,
        ignore_labels: Any = None,
        n_classes: int | None = None,
        on_undefined: OnUndefined | None = None,
    ) -> None:
        self._settings = MultilabelSettings.read(
            metrics,
            averages,
            n_bins=n_bins,
            score_range=score_range,
            threshold=threshold,
            at_least_one=at_least_one,
            ignore_labels=ignore_labels,
            n_classes=n_classes,
            on_undefined=on_undefined,
        )
        self._names = score_names(self._settings.measures, self._settings.averages)
        self._label_state: MultilabelState | None = None

    def update(
        self, y_true: Any, y_score: Any = None, y_pred: Any = None, *, mask: Any = None, sample_weight: Any = None
    ) -> None:
        """Add a batch of samples. It may be empty, as in a process for which no samples are left.

        Parameters
        ----------
        y_true
            The true labels, as measures take them: a matrix of 0 and 1, shape (n_samples, n_classes), dense or sparse;
            or label sets; or a vector: of 0 and 1, for one class; of the class of each sample, with a matrix
            ``y_score``; or of one label of any type for each sample, with a vector ``y_pred`` and no scores.
        y_score
            The scores, shape (n_samples, n_classes), or (n_samples,) for one class. They must be valid for all the
            measures.
        y_pred
            The predicted labels, of the same shape; by default those whose ``y_score`` reaches the threshold.
        mask
            Which labels are known: booleans of the shape of ``y_true``. Labels where it is False do not count.
        sample_weight
            The weight of each sample, shape (n_samples,), not negative. An integer weight counts as that many samples.
        """
        held = state_of_batch(self._settings, y_true, y_score, y_pred, mask, sample_weight)
        self._add(held, "y_true")

    def merge(self, other: MultilabelAccumulator) -> None:
        """Add the samples of another accumulator with the same settings, which is not changed."""
        if not isinstance(other, MultilabelAccumulator):
            raise TypeError(f"other must be a MultilabelAccumulator, got {type(other).__name__}")
        check_same_settings(self._settings.as_dict(), other._settings.as_dict())
        if other._label_state is not None:
            self._add(other._label_state, "other")

    def all_reduce(self, group: Any = None) -> MultilabelAccumulator:
        """Combine the samples of all processes of ``torch.distributed`` in a new accumulator; this one is not changed.

        Without a process group, as in a run of one process, the result is this accumulator itself. Otherwise each
        process has to call this method, also a process that has no samples. Sums are exchanged, and labels and scores
        where they are kept.

        Parameters
        ----------
        group
            The process group; None for all processes.

        Returns
        -------
        MultilabelAccumulator
            The same in each process, in the library and on the device of this accumulator (of PyTorch, if it has no
            samples).
        """
        if group is None and not is_distributed():
            return self
        given = None if self._label_state is None else self._label_state.given
        return self._with(gather_state(self._settings, self._label_state, given, group))

    def reset(self) -> None:
        """Forget all samples."""
        self._label_state = None

    @property
    def scores(self) -> MultilabelScores:
        """The scores of all samples so far, as :func:`evaluate` returns them.

        Raises ValueError if there are none.
        """
        held = self._known("scores are")
        return self._read(held, StateScores(self._settings, held).value, list(self._settings.measures))

    @property
    def errors(self) -> MultilabelScores:
        """Upper bounds of the differences between the exact scores and those from bins, apart from rounding.

        They are not negative. Only the areas under curves are in it, and their classes; all other scores are exact.
        Without ``n_bins`` it is empty. Raises ValueError if there are no samples.
        """
        held = self._known("errors are")
        names = self._settings.names_of_kind("curves") if self._settings.has_bins else []
        return self._read(held, StateScores(self._settings, held).error, names, are_errors=True)

    @property
    def counts(self) -> LabelCounts:
        """The counts of true and false positives and negatives of each class, which measures of predicted labels take.

        Raises ValueError if there are no samples, or if none of the measures is one of predicted labels.
        """
        if not self._settings.names_of_kind("counts"):
            raise ValueError(
                f"metrics must have a measure of predicted labels for counts, got {', '.join(self._settings.measures)}"
            )
        held = self._known("counts are")
        counts = StateScores(self._settings, held).counts()
        return replace(counts, **{name: _copy(x) for name, x in fields_of(counts).items()}).like(held.given)

    def state_dict(self) -> dict[str, Any]:
        """Everything that is needed to continue later: the settings, and copies of the arrays in their own library.

        Arrays of NumPy are stored as :meth:`gpuval.Accumulator.state_dict` stores them.
        """
        return self._settings.as_dict() | ({} if self._label_state is None else checkpoint_entries(self._label_state))

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue from ``state``, which :meth:`state_dict` returned.

        Raises TypeError or ValueError, and changes nothing, if ``state`` is the state of another accumulator or not a
        state.
        """
        check_settings(state, self._settings.as_dict())
        self._label_state = read_state(state, self._settings)

    def __repr__(self) -> str:
        where = (
            ""
            if self._label_state is None
            else f", {self._label_state.n_classes} classes, {library_of(self._label_state.given)}"
        )
        return f"MultilabelAccumulator([{', '.join(self._names)}]{where})"

    # Within

    def _add(self, held: MultilabelState, name: str) -> None:
        """Add what is known of other samples, the argument ``name``."""
        if self._label_state is not None:
            check_beside(self._label_state.given, held.given, name, library_of(held.given))
        if not held.n_classes:
            return
        if self._label_state is not None:
            check_goes_together(self._label_state, held, name)
            held = self._label_state.with_samples_of(held)
        self._label_state = held

    def _known(self, what: str) -> MultilabelState:
        if self._label_state is None:
            raise ValueError(f"an accumulator must have had an update before its {what} read, got none")
        return self._label_state

    def _with(self, held: MultilabelState | None) -> MultilabelAccumulator:
        """An accumulator with the same settings."""
        other = MultilabelAccumulator.__new__(MultilabelAccumulator)
        other._settings, other._names, other._label_state = self._settings, self._names, held
        return other

    def _read(
        self,
        held: MultilabelState,
        value: Callable[[str, str | None], Array],
        measures: list[str],
        *,
        are_errors: bool = False,
    ) -> MultilabelScores:
        """A table of some measures; of errors without the mean over the samples, which is exact."""
        asked = {name: self._settings.measures[name] for name in measures}
        names = {name: place for name, place in self._names.items() if place[0] in asked}
        if are_errors:
            names = {name: place for name, place in names.items() if place[1] != "samples"}
        support, classes = _copy(number_of(held.state, "support")), held.columns or held.classes
        return MultilabelScores.of_measures(asked, names, value, support, classes, held.given)


def _copy(x: Any) -> Any:
    """An array in memory of its own, as users may write into it; anything else as it is."""
    return backend_of(x).copied(x) if is_array(x) else x
