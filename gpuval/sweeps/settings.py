"""How stable the settings of a clustering method are: the public function."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from typing import Any

from gpuval.geometry.progress import Progress
from gpuval.inference.best import check_margin
from gpuval.inference.intervals import check_level
from gpuval.inputs.options import check_count, generator, level_of_user
from gpuval.measures.measure import declared
from gpuval.registry.families import direction_of
from gpuval.registry.requests import read_metrics
from gpuval.results.inferences import BestLabelings
from gpuval.results.settings import SettingStability, Stability, joined_names
from gpuval.sweeps.agreement import compare_runs, mean_of_pairs
from gpuval.sweeps.differences import SettingScores, best_setting, shares_ahead
from gpuval.sweeps.runs import Reader, settings_of, with_reference
from gpuval.sweeps.summary import choose_reference, have_samples_in_common, setting_stability, with_share
from gpuval.table.contingency import Contingency
from gpuval.table.labelings import Labeling, table_of

__all__ = ["stability"]


def stability(
    labelings: Any,
    *,
    names: str | None = None,
    metrics: Any = ("ecs", "ari"),
    reference: Any = None,
    ignore_labels: Any = None,
    confidence_level: float = 0.95,
    margin: float = 0.0,
    n_pairs: int = 1_000_000,
    n_resamples: int = 999,
    random_state: Any = None,
    progress: bool = False,
) -> Stability:
    """How stable the clusterings of each setting are, such as each resolution or number of clusters.

    Cluster the same data several times with each setting, on random subsamples or with other seeds
    (:func:`repeat_clustering` does it), and give all labels. A setting is stable if its runs agree. The result says
    which setting is the most stable, with an interval, which others cannot be told apart from it, and which clusters
    dissolve.

    Parameters
    ----------
    labelings
        - a mapping from (setting, run) to label vectors of shape (n_samples,), or a pandas DataFrame with such columns,
        - a mapping from settings to several label vectors each: a sequence, a matrix of integers of shape (n_runs,
          n_samples), a mapping or a DataFrame,
        - a mapping or a data frame (pandas, polars, Arrow) whose columns have names that ``names`` describes,
        - what :func:`repeat_clustering` returns.

        Labels are of any kind that :meth:`Contingency.from_labels` takes, except those of Dask. A missing label (NaN,
        None) is a sample that the run left out: two runs are compared over the samples that both have. The label -1 of
        noise is a cluster like any other, unless ``ignore_labels`` says something else: leaving noise out can make an
        unstable method look stable. A run that is None, as in (setting, None), has labels of all samples that are no
        run, such as those that you will publish. Settings are sorted if all are numbers, also where these are written
        as text. Runs of the same name belong together in all settings: they have the same subsample, or the same seed.
    names
        Where the setting and the run stand in the names of columns, such as ``"leiden_{setting}_{run}"``. A column that
        ends behind the setting has labels of all samples. The default fits columns that begin alike and end in
        ``_setting_run``.
    metrics
        Measures of agreement of two runs, which must be symmetric: a name, or a sequence of names or functions, as for
        :func:`evaluate`. The first one decides which setting is the most stable.
    reference
        Of which labels the clusters are described: ``"medoid"``, the run that is the most similar to all others by the
        element-centric score; the name of a run; or a mapping from settings to label vectors. The default is the labels
        of all samples where a setting has such, else the medoid.
    ignore_labels
        One label or several; samples that have it are left out of their run, too.
    confidence_level
        The level of the intervals, between 0 and 1. They are about other runs on these samples, not about other
        samples, donors or laboratories.
    margin
        Settings that are less stable than the best one by less than this are taken as good as it, be that noise or not.
        With many runs, or with runs that are all the same, differences of 0.01 are more than noise, and rarely matter.
    n_pairs
        How many pairs of samples are drawn for the share of ambiguous pairs, where it would take too long to look at
        all of them.
    n_resamples
        How many times runs are drawn for the share of draws in which a setting is ahead.
    random_state
        A seed or a generator of NumPy, for both kinds of draws.
    progress
        Whether to show a progress bar (tqdm).

    Returns
    -------
    Stability
        A mapping from settings to :class:`SettingStability`; prints as a table, and says what is sure.

    Raises
    ------
    TypeError, ValueError
        Labels are not as described above, or of other lengths; names of columns do not fit; no setting has two runs; a
        measure is not symmetric; there is no such reference.

    Notes
    -----
    The mean score of a setting is over all pairs of its runs. Pairs that share a run are not independent, so its
    standard error is that of the jackknife over runs ([1]_), and intervals use Student's distribution with one degree
    of freedom less than there are runs. It takes three runs to have an interval. Our advice is 20 runs for a curve
    over settings, and 50 or more to judge single clusters.

    Which settings are as good as the best is decided by the differences of means, for runs of the same names with the
    same run left out of both; the p-values are for all differences together (:class:`BestLabeling`).

    Stability alone does not find the right number of clusters. A single cluster is perfectly stable, so settings with
    one cluster are not ranked; too few clusters are often stable, also in data without any structure. So the sentence
    below the table names the finest of the settings that cannot be told apart from the most stable one.

    Memory grows with the number of samples times the number of runs, never with its square.

    References
    ----------
    .. [1] B. Efron and C. Stein, "The jackknife estimate of variance", Annals of Statistics 9, 1981.

    Examples
    --------
    Three runs of two settings; those of "coarse" agree:

    >>> import gpuval
    >>> coarse = [[0, 0, 0, 0, 1, 1, 1, 1], [1, 1, 1, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 1, 1, 1]]
    >>> fine = [[0, 0, 1, 1, 2, 2, 3, 3], [0, 1, 0, 1, 2, 3, 2, 3], [0, 1, 1, 0, 2, 3, 3, 2]]
    >>> found = gpuval.stability({"coarse": coarse, "fine": fine})
    >>> found["coarse"].scores["ecs"].mean, found["fine"].scores["ecs"].mean
    (1.0, 0.5)
    >>> found["fine"].scores["ari"].mean < 0
    True
    """
    level, margin, random = check_level(confidence_level), check_margin(margin), generator(random_state)
    n_draws, n_pairs = check_count("n_resamples", n_resamples), check_count("n_pairs", n_pairs)
    functions = _symmetric_measures(metrics)
    settings, reader = with_reference(settings_of(labelings, names), reference), Reader.of(ignore_labels)
    reference = None if isinstance(reference, Mapping) or hasattr(reference, "columns") else reference
    if all(len(x.runs) < 2 for x in settings):
        raise ValueError(
            "labelings must have two runs or more of a setting, got no more than one of each; cluster again with other "
            "seeds, or on subsamples"
        )
    found: dict[Any, SettingStability] = {}
    scores: dict[Any, dict[Any, SettingScores]] = {name: {} for name in functions}
    overlaps: dict[tuple[Any, Any], Contingency] = {}
    before: tuple[Any, Labeling] | None = None
    with Progress(len(settings), progress, "settings") as bar:
        for given in settings:
            read = reader.read(given)
            agreement = compare_runs(read.runs, functions)
            of_reference = choose_reference(reference, given.setting, read, agreement.similarity)
            found[given.setting] = setting_stability(read, agreement, of_reference, functions, level, n_pairs, random)
            for name, pairs in agreement.scores.items():
                scores[name][given.setting] = SettingScores(read.names, pairs, mean_of_pairs(pairs))
            if before is not None and have_samples_in_common(before[1], of_reference.labeling):
                overlaps[before[0], given.setting] = table_of(before[1], of_reference.labeling)
            before = given.setting, of_reference.labeling
            bar.advance(1)
    ranked = {setting for setting, x in found.items() if not x.is_one_cluster and x.n_runs > 2}
    best = {}
    for name, function in functions.items():
        of_ranked = {x: y for x, y in scores[name].items() if x in ranked and not math.isnan(y.mean.mean)}
        best[name] = best_setting(of_ranked, function, level, margin)
        for setting, share in shares_ahead(of_ranked, direction_of(function), n_draws, random).items():
            found[setting] = with_share(found[setting], name, share)
    if reader.noise is not None:
        warnings.warn(
            f"labelings have the label {reader.noise!r}, which counts as a cluster; if it stands for noise, "
            f"ignore_labels={reader.noise!r} leaves these samples out, which makes settings with much noise look more "
            "stable",
            stacklevel=level_of_user(),
        )
    known = BestLabelings({name: x for name, x in best.items() if x is not None})
    return Stability(found, known, overlaps, level, _notes(found))


def _symmetric_measures(metrics: Any) -> dict[Any, Callable[..., Any]]:
    """The measures by their names; of those of users it is not known whether they are symmetric."""
    functions, _ = read_metrics(metrics)
    for name, function in functions.items():
        measure = declared(function)
        if measure is not None and measure.exchanged != "same":
            raise ValueError(f"metrics must be symmetric, as no run is the true one, got {name!r}")
    return functions


def _notes(found: Mapping[Any, SettingStability]) -> list[str]:
    """What a reader should know beside the numbers."""
    notes = []
    same = [setting for setting, x in found.items() if x.n_distinct == 1 and x.n_runs > 1 and not x.is_one_cluster]
    if same:
        notes.append(
            f"All runs of {joined_names(same)} are the same partition: other seeds change nothing, so use subsamples."
        )
    single = [setting for setting, x in found.items() if x.is_one_cluster]
    if single:
        notes.append(f"{joined_names(single)}: a single cluster, which is always stable and is not ranked.")
    if any(x.reference is not None and x.n_distinct is None for x in found.values()):
        notes.append(
            "The clusters are those of a run that left samples out; labels of all samples, of one more clustering, are "
            "better to describe and to publish."
        )
    return notes
