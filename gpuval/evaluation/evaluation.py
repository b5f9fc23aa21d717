"""``evaluate``, ``compare`` and ``pairwise``: several measures, several labelings, and all pairs of labelings."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, overload

from gpuval.engines.backends import backend_if_array, backend_of
from gpuval.inputs.containers import read_again
from gpuval.inputs.labels import labelings_by_name
from gpuval.inputs.selection import LabelsToIgnore, read_ignored
from gpuval.measures.requests import Metric, Metrics, name_of
from gpuval.metrics.external._metric import as_table
from gpuval.numerics import Array
from gpuval.registry.families import measure_of
from gpuval.registry.requests import Building, ScoreExtras, check_one_labeling, read_metric
from gpuval.results.evaluations import Comparison, Evaluation, PairwiseScores, TableMeasures
from gpuval.results.references import References, best_evaluation
from gpuval.results.scores import is_number, number_given
from gpuval.table.contingency import Contingency
from gpuval.table.labelings import Labeling, read_labelings, table_of
from gpuval.table.reading import use_table
from gpuval.table.table import Table

__all__ = ["compare", "evaluate", "pairwise"]


@overload
def evaluate(
    labels_true: Any,
    labels_pred: Any = ...,
    metrics: Metrics = ...,
    *,
    sample_weight: Any = ...,
    ignore_labels: Any = ...,
    n_classes: int | None = ...,
    n_clusters: int | None = ...,
    confidence_level: float | None = ...,
    groups: Any = ...,
    by: None = ...,
    n_resamples: int = ...,
    random_state: Any = ...,
    X: Any = ...,
    progress: bool = ...,
) -> Evaluation: ...


@overload
def evaluate(
    labels_true: Any,
    labels_pred: Any = ...,
    metrics: Metrics = ...,
    *,
    sample_weight: Any = ...,
    ignore_labels: Any = ...,
    n_classes: int | None = ...,
    n_clusters: int | None = ...,
    confidence_level: float | None = ...,
    groups: Any = ...,
    by: Any,
    n_resamples: int = ...,
    random_state: Any = ...,
    X: Any = ...,
    progress: bool = ...,
) -> Comparison: ...


def evaluate(
    labels_true: Any,
    labels_pred: Any = None,
    metrics: Metrics = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
    confidence_level: float | None = None,
    groups: Any = None,
    by: Any = None,
    n_resamples: int = 999,
    random_state: Any = None,
    X: Any = None,
    progress: bool = False,
) -> Evaluation | Comparison:
    """Compute several measures of one clustering at once.

    Start here: give the true labels and the clusters of the samples, and you get the measures that are reported most.
    The table that counts the samples of each class in each cluster is built only once for all measures.

    Parameters
    ----------
    labels_true, labels_pred
        Two label vectors of one length, the true classes and the predicted clusters; or a :class:`Contingency` as the
        first argument, in place of both. Several references, each of which is valid, may be given as ``labels_true``:
        a mapping from names to label vectors (a dictionary, a pandas or polars DataFrame). Each score is then that of
        the reference which fits best by its measure, as in the benchmarks of genieclust.
    metrics
        One measure or several. A measure is a name, full or short (see Notes), in upper or lower case; or a function
        that takes a :class:`Contingency` and returns a number, an array, or a tuple of these. A mapping gives the
        measures new names. "all" stands for all of ``METRICS``. By default, the dozen measures that are reported most.

        With ``X``, internal measures can be added: names of ``INTERNAL_METRICS``, the functions themselves, or a
        ``functools.partial`` of one, such as ``functools.partial(silhouette_score, metric="cosine")``. The default then
        also has the silhouette and the scores of Caliński and Harabasz and of Davies and Bouldin; and "all" stands for
        all of ``METRICS`` and ``INTERNAL_METRICS``, of which some compute the distances of all pairs of samples.

        If the weights are not integers, the default and "all" leave out the measures that are defined only for counts:
        ``adjusted_mutual_info_score``, ``expected_mutual_info``, ``standardized_rand_score`` and the adjusted BCubed
        scores.
    sample_weight, ignore_labels, n_classes, n_clusters
        As for :meth:`Contingency.from_labels`.
    confidence_level
        A number between 0 and 1, such as 0.95: each score then gets a confidence interval of this level. The interval
        is that of :func:`bootstrap`, with its defaults, for measures of pairs and of matching and for your own
        functions; and that of :func:`jackknife` for measures of information, overlap and matching, and for all
        measures with ``groups``. It is cut at the ends of the range of the measure. Do not trust any of them for fewer
        than about 5 samples for each cell of the table, nor for labels that were made from the same data. Your own
        functions are called with tables of NumPy; a function that returns several numbers gets no interval. This step
        runs on the host: the counts of the table are transferred.
    groups
        The group of each sample, such as its donor, shape (n_samples,). Intervals then say how much the scores would
        vary with other groups, instead of with other samples of the same groups (five groups or more are needed, see
        :func:`jackknife`). If the samples of a value of ``by``
        all belong to one group, their intervals are NaN, and a warning says so.
    by
        A value for each sample, such as its batch, shape (n_samples,). The samples of each value are evaluated
        separately. The values are sorted; those of a pandas categorical are in the order of its categories, whether it
        is ordered or not. All tables are counted at once, and then scored on the host; your own functions are called
        with tables of NumPy.
    n_resamples, random_state
        As for :func:`bootstrap`.
    X
        The samples, shape (n_samples, n_features), real and finite, of any type that :func:`silhouette_score` takes.
        Needed for internal measures, which use the samples that count in both label vectors. A clustering for which a
        measure is not defined, such as one of a single cluster, has NaN. Internal scores get no intervals. With ``X``,
        ``labels_true`` may be None, for internal measures alone. Labels may be on the host while samples are on a
        device. With several references, the samples that count in all of them are used.
    progress
        Whether to show a progress bar (tqdm) for internal measures that compute the distances of all pairs of samples.

    Returns
    -------
    Evaluation
        A mapping from names to scores, each in the library and on the device of the labels. It prints as a table. The
        names are the full names of the measures, however they were asked for, or the keys of a mapping; a measure that
        is named twice appears once. With ``confidence_level`` it has ``intervals``. With several references
        ``references`` names the reference of each score, and ``by_reference`` has the evaluation with each of them;
        scores that are not better one way, such as an entropy, are of the reference that fits best by the leading
        measure of the verdict, or by the first measure that is better one way. Finding these copies the scores to the
        host, so several references are an error inside ``jax.jit``.

        With ``by`` it is a :class:`Comparison` instead, with an evaluation for each value, in their order; booleans are
        in the order False, True. Values without a sample that counts are left out, and a warning names them.

    Raises
    ------
    TypeError, ValueError
        For a name that no measure has, for no measures, and for two functions with one name; for a function that does
        not take a table or does not return scores; for a measure of counts, asked for by its name, if weights are
        fractions; for an internal measure without ``X``, or, asked for by its name, with weights if it counts each
        sample once; for an external measure without ``labels_true``; and for samples that :func:`silhouette_score`
        refuses. For several references if no measure is better one way.

        With a level, for everything that :func:`bootstrap` raises. For ``groups`` without a level. For ``groups`` or
        ``by`` together with a table, with ``n_classes`` or ``n_clusters``, with Dask labels, with missing values, or
        with weights that do not count samples (fractions, and real numbers other than 0 and 1).

    Notes
    -----
    The short names of measures:

    ============  ===================================
    short         measure
    ============  ===================================
    ari, ar       adjusted_rand_score
    ri, r         rand_score
    fmi, fm       fowlkes_mallows_score
    afmi, afm     adjusted_fowlkes_mallows_score
    jaccard       pair_jaccard_score
    mi            mutual_info_score
    emi           expected_mutual_info
    nmi           normalized_mutual_info_score
    ami           adjusted_mutual_info_score
    homogeneity   homogeneity_score
    completeness  completeness_score
    v, v_measure  v_measure_score
    vi            variation_of_information
    nvi           normalized_variation_of_information
    nid           normalized_information_distance
    purity        purity_score
    bcubed        bcubed_f_score
    ecs           element_centric_score
    acc           clustering_accuracy
    npa           normalized_pivoted_accuracy
    nca           normalized_clustering_accuracy
    psi           pair_sets_index
    spsi          simplified_pair_sets_index
    kappa         cohen_kappa_score
    ============  ===================================

    Cohen's kappa compares the names of the labels, so both sides must have some names in common; else it raises an
    error. "all" does not stand for it.

    And those of internal measures, which need ``X``:

    ===============  =======================
    short            measure
    ===============  =======================
    asw, silhouette  silhouette_score
    ch               calinski_harabasz_score
    db               davies_bouldin_score
    wcss             inertia
    dunn             dunn_index
    dbcv             dbcv_score
    ===============  =======================

    Examples
    --------
    >>> import gpuval
    >>> scores = gpuval.evaluate([0, 0, 1, 1], [0, 0, 1, 2])
    >>> float(scores["purity_score"])
    1.0
    >>> float(gpuval.evaluate([0, 0, 1, 1], [0, 0, 0, 0])["adjusted_rand_score"])
    0.0
    >>> gpuval.evaluate([0, 0, 1, 1], [0, 0, 1, 2], {"ARI": "ari", "samples": lambda table: table.total})
    ARI      0.571
    samples      4

    With the samples. Their silhouette is 1, because each cluster is a single point, far from the other one:

    >>> X = [[0.0], [0.0], [8.0], [8.0]]
    >>> gpuval.evaluate([0, 0, 1, 1], [0, 0, 1, 1], ["ari", "asw"], X=X)
    adjusted_rand_score  1.000
    silhouette_score     1.000
    >>> gpuval.evaluate(None, [0, 1, 0, 1], ["asw"], X=X)
    silhouette_score  −0.500

    Two references, of which each score names the one that fits best:

    >>> references = {"fine": [0, 0, 1, 1, 2, 2], "coarse": [0, 0, 0, 0, 1, 1]}
    >>> gpuval.evaluate(references, [1, 1, 1, 1, 0, 0], ["ari", "nmi"])
    adjusted_rand_score           1.000 coarse
    normalized_mutual_info_score  1.000 coarse
    >>> gpuval.evaluate(references, [0, 0, 1, 1, 2, 3], ["ari", "homogeneity", "completeness"])
    adjusted_rand_score  0.762 fine
    homogeneity_score    1.000 fine
    completeness_score   0.826 fine

    With confidence intervals, and for each batch separately:

    >>> labels = [0, 0, 0, 1, 1, 1, 2, 2] * 9, [0, 0, 0, 1, 1, 2, 2, 2] * 9
    >>> gpuval.evaluate(*labels, ["nmi", "vi"], confidence_level=0.95)
    normalized_mutual_info_score  0.779 0.70–0.86
    variation_of_information      0.477 0.31–0.64
    >>> gpuval.evaluate(*labels, ["nmi", "vi"], by=["one", "other"] * 36)
    36 samples, 3 classes
           normalized_mutual_info_score  variation_of_information ↓
    one    1.000                         0.000
    other  0.667                         0.693
    """
    check_one_labeling(labels_pred)
    building = Building(sample_weight, ignore_labels, n_classes, n_clusters)
    extras = ScoreExtras(confidence_level, groups, by, n_resamples, random_state)
    if X is None:
        truths = References.read(labels_true)
        return _evaluate_labels(TableMeasures.read(metrics), truths, labels_pred, building, extras)
    from gpuval.evaluation.with_samples import SampleRequest  # only now: it loads much

    if isinstance(labels_true, Contingency):
        raise TypeError("X must be given with labels, got a table, which does not know them")
    labels_pred = read_again(labels_pred)
    asked = SampleRequest.read(metrics, X, labels_true, building, extras, progress)
    external, measures = None, asked.measures.table_measures
    if asked.truths.vectors:
        external = _evaluate_labels(measures, asked.truths, labels_pred, asked.building, asked.extras)
    return asked.evaluation(labels_pred, external)


def _evaluate_labels(
    measures: TableMeasures, truths: References, labels_pred: Any, building: Building, extras: ScoreExtras
) -> Evaluation | Comparison:
    """What :func:`evaluate` gives without samples."""
    if truths.names is not None:
        name = "labels_pred"
        comparison = _compare_labelings(measures, truths, [name], {name: labels_pred}, building, extras)
        if extras.by is None:
            return comparison[name]
        return Comparison({value: x for (_, value), x in comparison.items()}, None, ("by",), comparison.subject)
    labels_true = truths.first
    if extras.is_anything():
        from gpuval.inference.with_intervals import full_evaluation  # only now: most draw nothing

        return full_evaluation(measures, labels_true, labels_pred, building, extras)
    n_given = number_given(labels_true, building.sample_weight)
    if not (_is_of_host(labels_true) and measures.are_formulas):
        return measures.evaluate(as_table(labels_true, labels_pred, *building), n_given)

    def use(table: Table, like: Array | None) -> Evaluation:
        return measures.evaluate(Contingency.from_table(table), n_given, like)

    return use_table(use, labels_true, labels_pred, *building)


def compare(
    labels_true: Any,
    labelings: Any,
    metrics: Metrics = None,
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_classes: int | None = None,
    n_clusters: int | None = None,
    confidence_level: float | None = None,
    groups: Any = None,
    by: Any = None,
    n_resamples: int = 999,
    random_state: Any = None,
    margin: float = 0.005,
    X: Any = None,
    progress: bool = False,
) -> Comparison:
    """Compute several measures of many clusterings against one set of true labels.

    Use it to choose between methods, or between settings of one method. The true labels are encoded only once.

    Parameters
    ----------
    labels_true
        The true labels, shape (n_samples,); or several references by their names, as for :func:`evaluate`.
    labelings
        The clusterings: a mapping from names to label vectors (a dictionary, a pandas or polars DataFrame), or a
        sequence of label vectors.
    metrics
        As for :func:`evaluate`.
    sample_weight, ignore_labels, n_classes, n_clusters
        As for :meth:`Contingency.from_labels`.
    confidence_level, groups, n_resamples, random_state
        As for :func:`evaluate`: each score gets a confidence interval, and the comparison says which labeling is the
        best, and which others cannot be told apart from it.
    margin
        A difference to the best labeling that is smaller does not matter, be it more than noise or not: with millions
        of samples almost any difference is. A number, 0 or more.
    by
        A value for each sample, as for :func:`evaluate`: each labeling is evaluated for each value, in their order.
    X, progress
        As for :func:`evaluate`: each labeling gets internal scores, too. The silhouettes of all labelings are computed
        in one pass over the distances. ``labels_true`` may then be None.

    Returns
    -------
    Comparison
        A mapping from names to evaluations; with ``by``, from (name, value). It prints as a table, and has
        ``to_pandas()``.

        Its ``best`` says which labeling has the best score, for each measure that has a better direction; with ``by``,
        its names are (measure, value). With ``confidence_level`` it also says how far external scores are ahead of
        each other one, and which labelings cannot be told apart from the best. Differences get intervals by the
        jackknife. They are paired: both scores are of the same samples, those that are ignored in neither labeling, and
        these scores tell which of the two is ahead. If there are no such samples, ``best`` does not contain the
        measure. :func:`compare_many_scores` compares all the labelings with each other. With several references each
        labeling is compared by the score of the one that fits it best.

    Raises
    ------
    TypeError, ValueError
        For no labelings, for a labeling that is not a label vector, and for everything that :func:`evaluate` raises.
        With ``confidence_level``, ``groups`` or ``by``, also for Dask labels, and for ``n_classes`` or ``n_clusters``.

    Examples
    --------
    >>> import gpuval
    >>> comparison = gpuval.compare([0, 0, 1, 1], {"good": [1, 1, 0, 0], "bad": [0, 1, 0, 1]})
    >>> float(comparison["good"]["adjusted_rand_score"])
    1.0
    >>> float(comparison["bad"]["adjusted_rand_score"])
    -0.5

    With a level, it says which labeling is the best, and by how much:

    >>> truth, labelings = [0, 0, 0, 1, 1, 1] * 9, {"few": [0, 0, 0, 0, 1, 1] * 9, "many": [0, 0, 1, 2, 3, 3] * 9}
    >>> comparison = gpuval.compare(truth, labelings, ["homogeneity"], confidence_level=0.95)
    >>> comparison
    2 labelings: 54 samples, 2 classes, 95 % intervals
          clusters  homogeneity_score
    few          2  0.46 0.27–0.65
    many         4  1.00 1.00–1.00
    >>> comparison.best
    homogeneity_score
      many (1.000) is ahead of few (0.459) by 0.541 [0.343, 0.738], p < 0.001
    """
    building = Building(sample_weight, ignore_labels, n_classes, n_clusters)
    extras = ScoreExtras(confidence_level, groups, by, n_resamples, random_state, margin)
    if X is None:
        measures = TableMeasures.read(metrics)
        truths = References.read(labels_true)
        return _compare_labelings(measures, truths, *labelings_by_name(labelings), building, extras)
    from gpuval.evaluation.with_samples import SampleRequest

    asked = SampleRequest.read(metrics, X, labels_true, building, extras, progress)
    names, vectors = labelings_by_name(labelings)
    external, measures = None, asked.measures.table_measures
    if asked.truths.vectors:
        external = _compare_labelings(measures, asked.truths, names, vectors, asked.building, asked.extras)
    return asked.comparison(names, vectors, external)


def _compare_labelings(
    measures: TableMeasures,
    truths: References,
    names: Sequence[Any],
    vectors: Mapping[str, Any],
    building: Building,
    extras: ScoreExtras,
) -> Comparison:
    """What :func:`compare` gives without samples."""
    if extras.is_anything():
        from gpuval.inference.with_intervals import full_comparison

        return full_comparison(measures, truths, names, vectors, building, extras)
    n_true, n_given = len(truths.vectors), number_given(truths.first, building.sample_weight)
    sides = read_labelings({**truths.vectors, **vectors}, *building, n_true=n_true)
    found = {}
    for name, labeling in zip(names, sides[n_true:], strict=True):
        evaluations = [measures.evaluate(table_of(truth, labeling), n_given) for truth in sides[:n_true]]
        found[name] = best_evaluation(truths.names, dict(enumerate(evaluations)), measures.voices)
    return Comparison(found, subject=truths.subject, voices=measures.voices)


def pairwise(
    labelings: Any,
    metric: Metric = "adjusted_rand_score",
    *,
    sample_weight: Any = None,
    ignore_labels: Any = None,
) -> PairwiseScores:
    """Compute one measure for all pairs of labelings.

    Use it to see which clusterings agree with each other, without true labels. Each labeling is encoded once, and each
    pair is counted once.

    Parameters
    ----------
    labelings
        A mapping from names to label vectors (a dictionary, a pandas or polars DataFrame), or a sequence of label
        vectors.
    metric
        The name of a measure, full or short as for :func:`evaluate`, or a function that takes a :class:`Contingency`
        and returns a number.
    sample_weight, ignore_labels
        As for :meth:`Contingency.from_labels`; labels to ignore are no mapping, as no side is the true one.

    Returns
    -------
    PairwiseScores
        The ``scores``, an array of shape (n_labelings, n_labelings) in the library and on the device of the labels; the
        ``names`` of the labelings; and ``to_pandas()``. The score in row i and column j takes labeling i as the truth
        and labeling j as the prediction. NumPy functions take the object as the array of the scores.

    Raises
    ------
    TypeError, ValueError
        For no labelings, for a labeling that is not a label vector, for a name that no measure has, and for a function
        that does not return one number.

    Examples
    --------
    >>> import gpuval
    >>> gpuval.pairwise({"one": [0, 0, 1, 1], "same": [1, 1, 0, 0], "other": [0, 1, 0, 1]})
    adjusted_rand_score
              one    same   other
    one     1.000   1.000  -0.500
    same    1.000   1.000  -0.500
    other  -0.500  -0.500   1.000
    >>> gpuval.pairwise([[0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 0, 1]], "rand_score").scores.round(2)
    array([[1.  , 1.  , 0.33],
           [1.  , 1.  , 0.33],
           [0.33, 0.33, 1.  ]])
    """
    function = read_metric(metric, "metric must be the name of a measure", "a function of a table")
    names, vectors = labelings_by_name(labelings)
    ignored = (
        ignore_labels if isinstance(ignore_labels, LabelsToIgnore) else read_ignored(ignore_labels)
    )  # without sides
    sides: list[Labeling] = read_labelings(vectors, sample_weight, ignored, None, None)
    rows: list[list[Any]] = [[None] * len(sides) for _ in sides]
    for i, first in enumerate(sides):
        for j in range(i, len(sides)):
            table = table_of(first, sides[j])
            rows[i][j] = _one_number(function, table)
            rows[j][i] = rows[i][j] if i == j else _one_number(function, table.transposed())
    xp, measure = backend_of(rows[0][0]).xp, measure_of(function)
    scores = xp.stack([xp.stack(row) for row in rows])
    return PairwiseScores(tuple(names), scores, name_of(function), "" if measure is None else measure.better)


def _is_of_host(labels: Any) -> bool:
    """Whether labels, which are no table, are of the host: their table, too, is scored in NumPy."""
    if isinstance(labels, Contingency):
        return False
    backend = backend_if_array(labels)
    return backend is None or backend.lies_on_host(labels)


def _one_number(function: Callable[..., Any], table: Contingency) -> Array:
    """The score of a table, as an array of the library and on the device of its counts."""
    score = function(table)
    if is_number(score):
        return backend_of(table.counts).from_host(score, table.counts)
    if getattr(score, "shape", None) != ():
        raise TypeError(f"metric must give one number for a table, got {type(score).__name__} from {name_of(function)}")
    return score
