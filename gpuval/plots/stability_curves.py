"""How stable the settings of a clustering method are, such as resolutions: scores of runs, clusters, pairs, samples."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping
from typing import Any, Literal, Self

import numpy as np

from gpuval.display.tables import label_text
from gpuval.engines.backends import is_dask, to_host
from gpuval.inputs.features import as_array
from gpuval.inputs.options import check_option
from gpuval.numerics import NDArray
from gpuval.plots._axes import Axes, name_on_plot
from gpuval.plots._stability_drawing import Curve, Dots, Level, draw_curves, draw_dots, draw_samples
from gpuval.plots._sweep_parts import JACCARD, name_of_line, numbers_in_names, texts_of_numbers
from gpuval.plots.sweep import SweepDisplay
from gpuval.registry.families import measure_named
from gpuval.results.columns import head_of_column
from gpuval.results.scores import ByMeasure
from gpuval.results.settings import AMBIGUOUS, DISSOLVED, RECOVERED, Stability

__all__ = ["StabilityDisplay", "plot_stability"]

StabilityKind = Literal["curve", "clusters", "pairs", "consensus", "cells"]

_KINDS = ("curve", "clusters", "pairs", "consensus", "cells")
_MOST_CURVES = 10


class StabilityDisplay:
    """The stability of settings; :func:`plot_stability` draws it.

    Parameters
    ----------
    found
        What :func:`gpuval.stability` returns.
    metrics
        The measures whose scores are drawn: names that ``found`` has; by default all.

    Attributes
    ----------
    found, metrics
        The parameters; the measures as a list of their names in ``found``.
    settings
        The settings in the order of the plot: by their numbers, if they differ by a number only.
    numbers
        These numbers; None if they differ by something else.
    axis_name
        What the settings are called.
    ax_, figure_
        The axes and their figure, set by :meth:`plot`.

    Examples
    --------
    >>> import gpuval.plots
    >>> two = [[0, 0, 0, 0, 1, 1, 1, 1], [1, 1, 1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1, 1, 0]]
    >>> four = [[0, 0, 1, 1, 2, 2, 3, 3], [0, 1, 0, 1, 2, 3, 2, 3], [0, 1, 1, 0, 2, 3, 3, 2]]
    >>> display = gpuval.plots.StabilityDisplay(gpuval.stability({"k=4": four, "k=2": two}))
    >>> display.settings, display.numbers, display.axis_name
    (['k=2', 'k=4'], [2.0, 4.0], 'k')
    """

    ax_: Axes
    figure_: Any

    def __init__(self, found: Stability, metrics: Any = None) -> None:
        if not isinstance(found, Stability):
            raise TypeError(f"found must be what gpuval.stability returns, got {type(found).__name__}")
        if not found:
            raise ValueError("found must have at least one setting, got none")
        self.found = found
        self.metrics = _metrics_of(next(iter(found.values())).scores, metrics)
        settings = list(found)
        self.numbers, shared = numbers_in_names(settings)
        self.axis_name = "setting" if shared == "labeling" else shared
        order = range(len(settings)) if self.numbers is None else np.argsort(self.numbers, kind="stable").tolist()
        self.settings = [settings[i] for i in order]
        if self.numbers is not None:
            self.numbers = [self.numbers[i] for i in order]

    def plot(
        self,
        ax: Any = None,
        *,
        kind: StabilityKind = "curve",
        coordinates: Any = None,
        setting: Any = None,
        width: float | None = None,
    ) -> Self:
        """Draw one of the pictures.

        Parameters
        ----------
        ax
            The matplotlib Axes to draw on; by default those of a new figure.
        kind, coordinates, setting
            As in :func:`plot_stability`.
        width
            The width of a new figure in inches.

        Returns
        -------
        StabilityDisplay
            This object, with ``ax_`` and ``figure_``.
        """
        check_option("kind", kind, _KINDS)
        if kind != "cells" and (coordinates is not None or setting is not None):
            raise ValueError(f"coordinates and setting must be given with kind='cells' alone, got kind={kind!r}")
        if kind == "curve":
            self.ax_ = self._sweep().plot(ax, width=width).ax_
        elif kind == "consensus":
            self.ax_ = draw_curves(self._curves(), AMBIGUOUS, self._name_of_curves(), ax, width)
        elif kind == "cells":
            self.ax_ = self._draw_cells(coordinates, setting, ax, width)
        else:
            of_clusters = kind == "clusters"
            dots = [self._clusters(x) if of_clusters else self._pairs(x) for x in self.settings]
            levels = [Level(RECOVERED, "above: recovered"), Level(DISSOLVED, "up to it: dissolved")]
            name = JACCARD if of_clusters else f"{self._name(self.metrics[0])} of pairs of runs"
            about = f"{name_on_plot(self.axis_name, 40)}" + " (area of a dot: samples of a cluster)" * of_clusters
            self.ax_ = draw_dots(self._ticks(), dots, levels if of_clusters else [], (about, name), ax, width)
        self.figure_ = self.ax_.figure
        return self

    def _ticks(self) -> list[Any]:
        return self.settings if self.numbers is None else texts_of_numbers(self.numbers)

    def _name(self, metric: Any) -> str:
        return name_of_line(metric, measure_named(metric))

    def _sweep(self) -> SweepDisplay:
        """The mean scores as lines."""
        found, settings = self.found, self.settings

        def lines(field: str) -> dict[Any, list[float]]:
            return {x: [getattr(found[setting].scores[x], field) for setting in settings] for x in self.metrics}

        counts = [found[setting].n_clusters[0] for setting in settings]
        best = {x: found.best[x] for x in self.metrics if x in found.best}
        expected = {x: values for x, values in lines("expected").items() if not np.isnan(values).all()}
        return SweepDisplay(
            settings,
            lines("mean"),
            numbers=self.numbers,
            low=lines("low"),
            high=lines("high"),
            expected=expected,
            directions={metric: x.direction for metric, x in best.items()},
            best_sets={metric: [settings.index(name) for name in x.best_set] for metric, x in best.items()},
            line_names={x: self._name(x) for x in self.metrics},
            short_names={x: head_of_column(x, measure_named(x)) for x in self.metrics},
            n_clusters=[int(x) if x == int(x) else x for x in counts],
            axis_name=self.axis_name,
            score_name="agreement of runs",
            confidence_level=found.confidence_level,
        )

    def _clusters(self, setting: Any) -> Dots:
        columns = self.found[setting].clusters.columns()
        return Dots(columns["jaccard"], columns["sizes"], [label_text(x) for x in columns["cluster"].tolist()])

    def _pairs(self, setting: Any) -> Dots:
        scores = self.found[setting].scores[self.metrics[0]]
        pairs = scores.pairs[np.triu_indices(len(scores.pairs), 1)]
        return Dots(pairs, None, (), scores.mean, scores.low, scores.high, scores.expected)

    def _curves(self) -> list[Curve]:
        known = [x for x in self.settings if not math.isnan(self.found[x].ambiguous)]
        places = np.linspace(0, len(known) - 1, min(len(known), _MOST_CURVES)).round().astype(int).tolist()
        chosen = [known[i] for i in places]
        ticks = dict(zip(self.settings, self._ticks(), strict=True))
        return [Curve(name_on_plot(ticks[x]), *self.found[x].together, self.found[x].ambiguous) for x in chosen]

    def _name_of_curves(self) -> str:
        n = len(self.settings)
        return "share of runs with two samples together" + f" ({_MOST_CURVES} of {n} settings)" * (n > _MOST_CURVES)

    def _draw_cells(self, coordinates: Any, setting: Any, ax: Any, width: float | None) -> Axes:
        if coordinates is None:
            raise TypeError("coordinates must be given with kind='cells', got None")
        chosen = self._most_stable() if setting is None else setting
        if not isinstance(chosen, Hashable) or chosen not in self.found:
            raise ValueError(f"setting must be one of {self.settings!r}, got {setting!r}")
        places = _read_places(coordinates)
        consistency = to_host(self.found[chosen].consistency)
        if len(places) != len(consistency):
            raise ValueError(
                f"coordinates must have a row for each of the {len(consistency)} samples, got {len(places)}"
            )
        is_known = np.isfinite(consistency)
        if not is_known.any():
            raise ValueError(f"setting must have two runs or more, got {chosen!r}, of which no consistency is known")
        columns = [*getattr(coordinates, "columns", ())]
        axis_names = (str(columns[0]), str(columns[1])) if len(columns) == 2 else ("", "")
        title = f"Consistency of each sample at {name_on_plot(chosen)}"
        return draw_samples(places[is_known], consistency[is_known], title, axis_names, ax, width)

    def _most_stable(self) -> Any:
        best = self.found.best.get(self.metrics[0])
        return self.settings[0] if best is None else best.name


def plot_stability(
    found: Stability,
    kind: StabilityKind = "curve",
    *,
    metrics: Any = None,
    coordinates: Any = None,
    setting: Any = None,
    ax: Any = None,
) -> Axes:
    """Plot how stable the settings of a clustering method are, such as resolutions or numbers of clusters.

    Settings go by their numbers, if they differ by a number only.

    Parameters
    ----------
    found
        What :func:`gpuval.stability` returns.
    kind
        What is drawn:

        - "curve": the mean scores over the pairs of runs, a line for each measure; bands are intervals, thin dashed
          lines are what chance gives, a ring is the most stable setting. Filled markers are settings that are not told
          apart from it, hollow ones are less stable, or have a single cluster, which is always stable. Bars below are
          the numbers of clusters;
        - "clusters": a dot for each cluster of each setting, at its mean Jaccard index with the most similar clusters
          of the runs, as large as it has samples. Lines are at 1/2, up to which a cluster is dissolved, and at 3/4,
          above which it is recovered; clusters below that have their names. Hollow ones have fewer than 20 samples;
        - "pairs": a dot for each pair of runs by the first measure, with the mean, its interval, and what chance gives;
        - "consensus": for each setting the share of pairs of samples that are together in at most so many of the runs.
          Pairs between 0.1 and 0.9 are ambiguous: their share is how much the curve rises there, the PAC in the legend.
          Of more than 10 settings, evenly chosen ones are drawn;
        - "cells": each sample in the plane, the stronger in colour the less consistently it was clustered.
    metrics
        The measures whose scores are drawn: a name or several that ``found`` has. By default all.
    coordinates
        The places of the samples for "cells", such as those of a UMAP: shape (n_samples, 2).
    setting
        The setting for "cells"; by default the most stable one.
    ax
        The matplotlib Axes to draw on; by default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Raises
    ------
    TypeError, ValueError
        If ``found`` is not what :func:`gpuval.stability` returns; if it does not have such measures, or such a setting;
        if coordinates are missing or not as described; if ``kind`` is none of these.

    See Also
    --------
    plot_tree : How clusters split from one setting to the next: ``plot_tree(found)`` has the colours of stability.
    plot_agreement : The agreement of all runs with each other.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("Agg")
    >>> import gpuval.plots
    >>> two = [[0, 0, 0, 0, 1, 1, 1, 1], [1, 1, 1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1, 1, 0]]
    >>> four = [[0, 0, 1, 1, 2, 2, 3, 3], [0, 1, 0, 1, 2, 3, 2, 3], [0, 1, 1, 0, 2, 3, 3, 2]]
    >>> found = gpuval.stability({2: two, 4: four})
    >>> ax = gpuval.plots.plot_stability(found)
    >>> ax.get_xlabel(), ax.get_ylabel()
    ('setting', 'agreement of runs, 95 % intervals')
    >>> matplotlib.pyplot.close(ax.figure)
    >>> ax = gpuval.plots.plot_stability(found, "consensus")
    >>> [text.get_text() for text in ax.get_legend().get_texts()]
    ['2  PAC 0.250', '4  PAC 0.429']
    >>> matplotlib.pyplot.close(ax.figure)
    """
    return StabilityDisplay(found, metrics).plot(ax, kind=kind, coordinates=coordinates, setting=setting).ax_


def _metrics_of(scores: Mapping[Any, Any], metrics: Any) -> list[Any]:
    """The names of measures in a result."""
    if metrics is None:
        return list(scores)
    known = ByMeasure({name: name for name in scores})
    asked = [metrics] if isinstance(metrics, str) or not isinstance(metrics, Iterable) else list(metrics)
    if not asked or any(not isinstance(x, Hashable) or x not in known for x in asked):
        raise ValueError(f"metrics must be measures that found has, {list(scores)!r}, got {metrics!r}")
    return list(dict.fromkeys(known[x] for x in asked))


def _read_places(coordinates: Any) -> NDArray:
    in_memory = np.asarray(coordinates) if is_dask(coordinates) else coordinates
    places = np.asarray(to_host(as_array(in_memory, "coordinates")), dtype=float)
    if places.ndim != 2 or places.shape[1] != 2 or not np.isfinite(places).all():
        raise ValueError(f"coordinates must be finite numbers in two columns, got shape {places.shape}")
    return places
