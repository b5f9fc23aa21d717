"""Scores of labels that grow batch by batch: for loops, streams and checkpoints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from gpuval.engines.backends import library_of
from gpuval.evaluation.multilabel.batches import held_of_batch
from gpuval.evaluation.multilabel.checkpoints import read_held, stored_held
from gpuval.evaluation.multilabel.exchange import held_by_all
from gpuval.evaluation.multilabel.names import Averages, MultilabelMetrics, score_names
from gpuval.evaluation.multilabel.result import MultilabelScores
from gpuval.evaluation.multilabel.scoring import Scoring
from gpuval.evaluation.multilabel.settings import MultilabelSettings
from gpuval.evaluation.multilabel.state import Held, check_goes_together, number_of
from gpuval.metrics._common.options import OnUndefined
from gpuval.metrics.multilabel.label_counts import LabelCounts
from gpuval.numerics import Array
from gpuval.streaming.checkpoints import check_settings
from gpuval.streaming.checks import check_beside, check_same_settings
from gpuval.streaming.processes import is_distributed

__all__ = ["MultilabelAccumulator"]


class MultilabelAccumulator:
    """The scores of the labels of all batches so far.

    What is kept depends on what is asked for:

    - of measures of predicted labels four counts for each class: exact integers, or sums of the weights;
    - of measures whose terms add up (errors, log loss, mean probabilities) three sums for each class and measure;
    - of the average "samples" two sums for each measure, as a sample is in one batch;
    - of areas under curves (:func:`roc_auc_score`, :func:`average_precision_score`) all labels and scores, so that they
      are exact and **memory grows with the batches**, by a byte and a score for each entry; or with ``n_bins`` how many
      positive and negative entries have a score in each bin, for each class, so that it does not. Then the scores of
      one bin are taken for tied, and :attr:`errors` says how far the exact areas are at most from these.

    Sums of reals are of the widest float, and compensated: what rounding leaves of an addition is added up beside them.
    ``update`` waits for nothing on a device for matrices, or with ``n_classes``; what is wrong there makes the scores
    NaN. Elsewhere it is an error, and what is refused changes nothing. One thread at a time may update it.

    Parameters
    ----------
    metrics
        Names of measures of :mod:`gpuval.multilabel`, full or short, in any case; or such functions, or a
        ``functools.partial`` of one with options of its formula; a mapping names them anew, and "all" stands for all.
        By default "precision", "recall", "f1", "roc_auc", "average_precision" and "hamming_loss".
    averages
        Names of averages; by default those of "macro", "weighted" and "micro" that some measure has. "samples" is for
        matrices, whose rows samples are.
    n_bins
        How many bins scores are counted in, for areas under curves, up to 2^20: each takes 16 bytes for each class. By
        default none, and all scores are kept.
    score_range
        The lowest and the highest score of the bins, which are equally wide; scores outside of them are in the first
        and in the last. Any two finite numbers.
    threshold, at_least_one
        As for :func:`predicted_labels`, which gives the predicted labels of batches without them.
    ignore_labels
        One value of ``y_true`` or several, such as -1, of labels that do not count.
    n_classes
        The number of classes, if it is to be checked. Vectors ``y_true`` and ``y_pred`` with one label for each sample
        have labels from 0 to below it; without it all batches must have the same labels.
    on_undefined
        What 0/0 is: "zero", "one", "nan", or "skip", to leave it out of means. By default what each measure has.

    Raises
    ------
    TypeError, ValueError
        For metrics or averages that there are not, and other settings; in ``update``, for what the measures raise, and
        a batch of another library, on another device, or of other classes.

    Examples
    --------
    >>> from gpuval.multilabel import MultilabelAccumulator
    >>> accumulator = MultilabelAccumulator(["f1", "auc"], ["macro", "micro"])
    >>> accumulator.update([[1, 0], [0, 1]], [[0.9, 0.2], [0.4, 0.3]])
    >>> accumulator.update([[1, 1], [0, 0]], [[0.3, 0.8], [0.1, 0.6]])
    >>> accumulator.scores
               f1  roc_auc  support
    0      0.6667   0.7500        2
    1      0.5000   0.7500        2
    macro  0.5833   0.7500
    micro  0.5714   0.7500
    >>> accumulator.counts.false_negatives.tolist()
    [1, 1]

    The same in bins, and how far the exact areas are at most from these:

    >>> binned = MultilabelAccumulator("auc", "macro", n_bins=4)
    >>> binned.update([[1, 0], [0, 1]], [[0.9, 0.2], [0.4, 0.3]])
    >>> binned.update([[1, 1], [0, 0]], [[0.3, 0.8], [0.1, 0.6]])
    >>> float(binned.scores["roc_auc_macro"]), float(binned.errors["roc_auc_macro"])
    (0.8125, 0.0625)
    """

    def __init__(
        self,
        metrics: MultilabelMetrics = None,
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
        self._names = score_names(self._settings.asked, self._settings.averages)
        self._held: Held | None = None

    def update(
        self, y_true: Any, y_score: Any = None, y_pred: Any = None, *, mask: Any = None, sample_weight: Any = None
    ) -> None:
        """Add a batch of samples, of which there may be none, as in a process that is left without any.

        Parameters
        ----------
        y_true
            The labels, as measures take them: a matrix of 0 and 1, shape (n_samples, n_classes); or a vector, of one
            class, of the class of each sample with a matrix ``y_score``, or of one label of any kind for each sample
            with a vector ``y_pred`` and no scores.
        y_score
            The scores, shape (n_samples, n_classes), or (n_samples,) for one class: those that all measures take.
        y_pred
            The predicted labels, of the same shape; by default those of which ``y_score`` reaches the threshold.
        mask
            Which labels are known, booleans of the shape of ``y_true``: the others do not count.
        sample_weight
            Weights, shape (n_samples,), not negative; those of an integer type count as that many samples.
        """
        held = held_of_batch(self._settings, y_true, y_score, y_pred, mask, sample_weight)
        self._add(held, "y_true")

    def merge(self, other: MultilabelAccumulator) -> None:
        """Add the samples of another accumulator with the same settings; it stays as it is."""
        if not isinstance(other, MultilabelAccumulator):
            raise TypeError(f"other must be a MultilabelAccumulator, got {type(other).__name__}")
        check_same_settings(self._settings.described(), other._settings.described())
        if other._held is not None:
            self._add(other._held, "other")

    def all_reduce(self, group: Any = None) -> MultilabelAccumulator:
        """The samples of all processes of ``torch.distributed``, in a new accumulator; this one stays as it is.

        Without a process group, as in a run of one process, it is this one itself. Else each process has to call it,
        also one that has no samples. Sums are exchanged, and labels and scores where these are kept.

        Parameters
        ----------
        group
            The process group; None for all processes.

        Returns
        -------
        MultilabelAccumulator
            The same in each process, of the library and on the device of this one (of PyTorch, if it has no samples).
        """
        if group is None and not is_distributed():
            return self
        given = None if self._held is None else self._held.given
        return self._with(held_by_all(self._settings, self._held, given, group))

    def reset(self) -> None:
        """Forget all samples."""
        self._held = None

    @property
    def scores(self) -> MultilabelScores:
        """The scores of all samples so far, as :func:`evaluate` gives them.

        Raises ValueError if there are none.
        """
        held = self._known("scores are")
        return self._read(held, Scoring(self._settings, held).value, list(self._settings.asked))

    @property
    def errors(self) -> MultilabelScores:
        """How far the exact scores are at most from those that are found of bins, but for rounding; they are positive.

        It has the names of the areas under curves, and their classes; others, which are exact, are not in it. Without
        ``n_bins`` it is empty. Raises ValueError if there are no samples.
        """
        held = self._known("errors are")
        names = self._settings.of_kind("curves") if self._settings.has_bins else []
        return self._read(held, Scoring(self._settings, held).error, names, are_errors=True)

    @property
    def counts(self) -> LabelCounts:
        """How often each class is predicted, rightly and wrongly: what measures of predicted labels take.

        Raises ValueError if there are no samples, or no measure of predicted labels was asked for.
        """
        if not self._settings.of_kind("counts"):
            raise ValueError(
                f"metrics must have a measure of predicted labels for counts, got {', '.join(self._settings.asked)}"
            )
        held = self._known("counts are")
        return Scoring(self._settings, held).counts().like(held.given)

    def state_dict(self) -> dict[str, Any]:
        """Everything that is needed to continue later: the settings, and copies of the arrays in their own library.

        Arrays of NumPy are stored as :meth:`gpuval.Accumulator.state_dict` stores them.
        """
        return self._settings.described() | ({} if self._held is None else stored_held(self._held))

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Continue from ``state``, which :meth:`state_dict` returned.

        Raises TypeError or ValueError, and changes nothing, if ``state`` is the state of another accumulator or not a
        state.
        """
        check_settings(state, self._settings.described())
        self._held = read_held(state, self._settings) if "given" in state else None

    def __repr__(self) -> str:
        where = "" if self._held is None else f", {self._held.n_classes} classes, {library_of(self._held.given)}"
        return f"MultilabelAccumulator([{', '.join(self._names)}]{where})"

    # Within

    def _add(self, held: Held, name: str) -> None:
        """Add what is known of other samples, the argument ``name``."""
        if self._held is not None:
            check_beside(self._held.given, held.given, name, library_of(held.given))
        if not held.n_classes:
            return
        if self._held is not None:
            check_goes_together(self._held, held, name)
            held = self._held.with_samples_of(held)
        self._held = held

    def _known(self, what: str) -> Held:
        if self._held is None:
            raise ValueError(f"an accumulator must have had an update before its {what} read, got none")
        return self._held

    def _with(self, held: Held | None) -> MultilabelAccumulator:
        """An accumulator with the same settings."""
        other = MultilabelAccumulator.__new__(MultilabelAccumulator)
        other._settings, other._names, other._held = self._settings, self._names, held
        return other

    def _read(
        self, held: Held, value: Callable[[str, str | None], Array], measures: list[str], *, are_errors: bool = False
    ) -> MultilabelScores:
        """A table of some measures; of errors without the mean over the samples, which is exact."""
        asked = {name: self._settings.asked[name] for name in measures}
        names = {name: place for name, place in self._names.items() if place[0] in asked}
        if are_errors:
            names = {name: place for name, place in names.items() if place[1] != "samples"}
        support, classes = number_of(held.state, "support"), held.columns or held.classes
        return MultilabelScores.of_measures(asked, names, value, support, classes, held.given)
