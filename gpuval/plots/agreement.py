"""A heatmap of how much each pair of labelings agrees, with similar labelings next to each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from gpuval.engines.backends import is_array, to_host
from gpuval.evaluation.evaluation import pairwise
from gpuval.inputs.labels import labelings_by_name
from gpuval.inputs.options import check_option
from gpuval.measures.measure import Direction
from gpuval.measures.requests import Metric
from gpuval.numerics import NDArray
from gpuval.plots._agreement_drawing import AgreementDrawing
from gpuval.plots._axes import Axes, name_on_plot
from gpuval.plots._sweep_parts import numbers_in_names
from gpuval.results.evaluations import PairwiseScores

__all__ = ["AgreementDisplay", "plot_agreement"]

_MOST_IN_BEST_ORDER = 500
"""Up to how many labelings the leaves are ordered optimally: the time grows with the cube of their number."""


class AgreementDisplay:
    """A heatmap of the scores of all pairs of labelings; :func:`plot_agreement` draws it.

    Make one with :meth:`from_labelings` or :meth:`from_pairwise`, which put similar labelings next to each other.

    Parameters
    ----------
    scores
        Shape (n_labelings, n_labelings), in the order of the plot. Row i, column j is the score with labeling i as the
        truth and labeling j as the prediction.
    names
        The names of the labelings.
    metric
        The name of the measure.
    direction
        Which scores are the better ones: "higher", "lower", or "" if that is not known.
    has_truth
        Whether the first labeling is the truth, which is set apart.
    tree
        How the others were clustered, if they were, shape (n - 1, 4) for n of them: as
        ``scipy.cluster.hierarchy.linkage`` gives it, of labelings by their places in the plot.

    Attributes
    ----------
    scores, names, metric, direction, has_truth, tree
        The parameters; scores as a NumPy array, names as a list.
    ax_, figure_
        The axes and their figure, set by :meth:`plot`.

    Examples
    --------
    >>> import gpuval.plots
    >>> labelings = {"one": [0, 0, 1, 1], "other": [0, 1, 0, 1], "same": [1, 1, 0, 0]}
    >>> gpuval.plots.AgreementDisplay.from_labelings(labelings).names
    ['other', 'same', 'one']
    """

    ax_: Axes
    figure_: Any

    def __init__(
        self,
        scores: Any,
        names: Sequence[Any],
        *,
        metric: str,
        direction: Direction = "",
        has_truth: bool = False,
        tree: NDArray | None = None,
    ) -> None:
        self.scores = np.asarray(scores, dtype=float)
        check_option("direction", direction, ("higher", "lower", ""))
        self.names, self.metric, self.direction = list(names), metric, direction
        self.has_truth, self.tree = has_truth, tree
        n = len(self.names)
        if self.scores.shape != (n, n) or not n:
            raise ValueError(
                f"scores must have a row and a column for each of at least one labeling, shape {(n, n)}, got shape "
                f"{self.scores.shape}"
            )

    @classmethod
    def from_labelings(
        cls,
        labelings: Any,
        metric: Metric = "ari",
        *,
        truth: Any = None,
        sample_weight: Any = None,
        ignore_labels: Any = None,
    ) -> Self:
        """Score all pairs of labelings with :func:`gpuval.pairwise`, and put them in order.

        Parameters
        ----------
        labelings, metric, sample_weight, ignore_labels
            As in :func:`gpuval.pairwise`.
        truth
            As in :func:`plot_agreement`.

        Returns
        -------
        AgreementDisplay
            The display, not drawn yet.

        Examples
        --------
        >>> import gpuval.plots
        >>> gpuval.plots.AgreementDisplay.from_labelings([[0, 0, 1], [0, 1, 1]], "vi").metric
        'variation_of_information'
        """
        scores = pairwise(labelings, metric, sample_weight=sample_weight, ignore_labels=ignore_labels)
        return cls.from_pairwise(scores, truth=truth)

    @classmethod
    def from_pairwise(cls, scores: PairwiseScores, *, truth: Any = None) -> Self:
        """Put labelings in order.

        Parameters
        ----------
        scores
            The result of :func:`gpuval.pairwise`.
        truth
            As in :func:`plot_agreement`.

        Returns
        -------
        AgreementDisplay
            The display, not drawn yet.

        Examples
        --------
        >>> import gpuval.plots
        >>> scores = gpuval.pairwise({"one": [0, 0, 1, 1], "other": [0, 1, 0, 1], "same": [1, 1, 0, 0]})
        >>> gpuval.plots.AgreementDisplay.from_pairwise(scores).scores[0]
        array([ 1. , -0.5, -0.5])
        """
        if not isinstance(scores, PairwiseScores):
            raise TypeError(f"scores must be what gpuval.pairwise gives, got {type(scores).__name__}")
        values = to_host(scores.scores).astype(float)
        if values.ndim != 2:
            raise ValueError(f"scores must be a matrix, got shape {values.shape}")
        names = list(scores.names)
        if truth is not None and truth not in names:
            raise ValueError(f"truth must be the name of one of the {len(names)} labelings, got {truth!r}")
        first = [] if truth is None else [names.index(truth)]
        rest = [i for i in range(len(names)) if i not in first]
        numbers, _ = numbers_in_names([names[i] for i in rest])
        tree = None
        if numbers is not None:
            order = [rest[i] for i in np.argsort(numbers, kind="stable").tolist()]
        else:
            places, tree = cluster_labelings(values[np.ix_(rest, rest)], falls=scores.direction == "lower")
            order = [rest[i] for i in places.tolist()]
        order = first + order
        return cls(
            values[np.ix_(order, order)],
            [names[i] for i in order],
            metric=scores.metric,
            direction=scores.direction,
            has_truth=truth is not None,
            tree=tree,
        )

    def plot(self, ax: Any = None, *, width: float | None = None) -> Self:
        """Draw the heatmap.

        Parameters
        ----------
        ax
            The matplotlib Axes to draw on; by default those of a new figure.
        width
            The width of a new figure in inches, from 2.8 to 13; by default it depends on the number of labelings.

        Returns
        -------
        AgreementDisplay
            This object, with ``ax_`` and ``figure_``.
        """
        self.ax_ = AgreementDrawing(self.scores, self.names, self.has_truth, self.tree).draw(
            ax, width, name_on_plot(self.metric, 60), self.direction
        )
        self.figure_ = self.ax_.figure
        return self


def plot_agreement(
    scores: Any,
    *,
    metric: Metric | None = None,
    truth: Any = None,
    ax: Any = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
) -> Axes:
    """Plot the scores of all pairs of labelings as a heatmap, with similar labelings next to each other.

    If the measure is symmetric, each pair is one cell, below the diagonal, and each labeling has its name once, on the
    diagonal: its row is to the left of it, its column below it. Otherwise rows are the labelings as the truth, columns
    the labelings as the prediction. Up to 16 labelings have numbers, if the cells have room for them.

    Labelings whose names differ by a number, such as ``leiden_0.5``, are in the order of these numbers. Others are
    ordered by a hierarchical clustering with average linkage, which is drawn below. The distance of two labelings is 1
    minus the mean of their scores in both directions, or that mean itself if lower scores are better. The leaves are
    ordered so that neighbours are as similar as possible, for up to 500 labelings. Pairs without a score are hatched,
    and count as the least similar ones.

    The scale begins at the smallest score, rounded down to a tenth, and ends at 1.

    Parameters
    ----------
    scores
        The result of :func:`gpuval.pairwise`. Or labelings, for which it is called: a mapping from names to label
        vectors (a dictionary, or a DataFrame of pandas or polars), or a sequence of label vectors.
    metric
        With labelings: the name of a measure, or a function of a table, as in :func:`gpuval.pairwise`; by default
        "ari".
    truth
        The name of the labeling that is the truth, if one is: it is the first, and set apart from the others.
    ax
        The matplotlib Axes to draw on; by default those of a new figure, whose size depends on the number of labelings.
    sample_weight
        With labelings: weights, shape (n_samples,), not negative.
    ignore_labels
        With labelings: one label or several. A sample with such a label in one of two labelings does not count for that
        pair.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Raises
    ------
    TypeError, ValueError
        As :func:`gpuval.pairwise` does for labelings and measures; if a measure, weights or labels to ignore are given
        together with scores; if other arguments are not as described above.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import gpuval.plots
    >>> ax = gpuval.plots.plot_agreement({"one": [0, 0, 1, 1], "other": [0, 1, 0, 1], "same": [1, 1, 0, 0]})
    >>> [text.get_text() for text in ax.texts[:3]]
    ['other', 'same', 'one']
    >>> matplotlib.pyplot.close(ax.figure)
    """
    if isinstance(scores, PairwiseScores):
        for name, given in (("metric", metric), ("sample_weight", sample_weight), ("ignore_labels", ignore_labels)):
            if given is not None:
                raise TypeError(f"{name} must not be given together with scores, got {_option_text(given)}")
        return AgreementDisplay.from_pairwise(scores, truth=truth).plot(ax).ax_
    if is_array(scores):
        raise TypeError(
            "scores must be what gpuval.pairwise gives, or a mapping or a sequence of label vectors, got "
            f"{type(scores).__name__} of shape {tuple(scores.shape)}"
        )
    labelings_by_name(scores, "scores")
    display = AgreementDisplay.from_labelings(
        scores,
        "ari" if metric is None else metric,
        truth=truth,
        sample_weight=sample_weight,
        ignore_labels=ignore_labels,
    )
    return display.plot(ax).ax_


def _option_text(option: Any) -> str:
    """An option in a message; of a vector, which may be long, its type."""
    return repr(option) if isinstance(option, str | int | float) else type(option).__name__


def cluster_labelings(scores: NDArray, *, falls: bool = False) -> tuple[NDArray, NDArray | None]:
    """The order that puts similar labelings next to each other, by the scores of all pairs, and the tree it is from.

    The leaves of the tree are the places in this order; there is none of fewer than 3 labelings. With ``falls``, scores
    are distances: lower scores mean more similar labelings.
    """
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    n = len(scores)
    if n < 3:
        return np.arange(n), None
    values = np.where(np.isfinite(scores), scores, np.nan)
    known = np.isfinite(values).astype(float)
    pairs = known + known.T
    mean = np.divide(np.nan_to_num(values) + np.nan_to_num(values.T), pairs, out=np.zeros((n, n)), where=pairs > 0)
    largest = max(1.0, float(np.nanmax(values, initial=-np.inf)))
    distances = np.maximum(mean if falls else largest - mean, 0.0)
    distances[pairs == 0] = distances[pairs > 0].max(initial=1.0)
    np.fill_diagonal(distances, 0.0)
    tree = linkage(squareform(distances, checks=False), "average", optimal_ordering=n <= _MOST_IN_BEST_ORDER)
    order: NDArray = leaves_list(tree).astype(np.int64)
    place_of = np.arange(2.0 * n - 1)
    place_of[order] = np.arange(n)
    tree[:, :2] = place_of[tree[:, :2].astype(np.int64)]
    return order, tree
