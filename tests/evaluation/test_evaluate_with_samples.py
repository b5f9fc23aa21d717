"""External and internal measures of one call: ``X=`` of ``evaluate`` and ``compare``."""

import math
from functools import partial

import numpy as np
import pytest
from only_for import only_for

import gpuval
from gpuval import INTERNAL_METRICS, METRICS, Contingency
from gpuval.registry.internal import DEFAULT_INTERNAL_METRICS

RANDOM = np.random.default_rng(0)
N = 120
X = RANDOM.normal(size=(N, 3)) + 4 * (np.arange(N) % 3)[:, None]
TRUE = np.asarray(["a", "b", "c"])[np.arange(N) % 3]
TRUE[5] = "d"
GOOD = np.arange(N) % 3
BAD = RANDOM.integers(0, 4, N)
ONE = np.zeros(N, dtype=int)
BATCH = np.arange(N) // 40
LABELINGS = {"good": GOOD, "bad": BAD, "one": ONE}
USUAL = DEFAULT_INTERNAL_METRICS


def sklearn_scores(X, labels):
    from sklearn import metrics

    return {name: getattr(metrics, name)(X, labels) for name in USUAL}


def test_the_default_has_both():
    found = gpuval.evaluate(TRUE, GOOD, X=X)
    assert list(found) == [*gpuval.evaluate(TRUE, GOOD), *USUAL]
    assert {name: found[name] for name in USUAL} == pytest.approx(sklearn_scores(X, GOOD), rel=1e-10)
    assert dict(gpuval.evaluate(TRUE, GOOD)) == {name: found[name] for name in gpuval.evaluate(TRUE, GOOD)}


def test_all_has_all():
    assert list(gpuval.evaluate(TRUE, GOOD, "all", X=X)) == [*METRICS, *INTERNAL_METRICS]
    assert set(INTERNAL_METRICS).isdisjoint(METRICS)


def test_every_internal_measure_of_one_number_is_there():
    several = {"silhouette_samples", "silhouette_scores"}
    functions = (getattr(gpuval, name) for name in gpuval.__all__)
    internal = {x.__name__ for x in functions if getattr(x, "__module__", "").startswith("gpuval.metrics.internal.")}
    assert internal - several == set(INTERNAL_METRICS)


@pytest.mark.parametrize("name", INTERNAL_METRICS)
def test_each_is_what_the_function_gives(name):
    found = gpuval.compare(TRUE, LABELINGS, [name], X=X)
    for labeling in ("good", "bad"):
        assert found[labeling][name] == pytest.approx(INTERNAL_METRICS[name](X, LABELINGS[labeling]), rel=1e-12)


def test_the_order_is_the_one_asked_for():
    asked = ["asw", "ari", partial(gpuval.silhouette_score, metric="cosine"), "VI", gpuval.davies_bouldin_score, "CH"]
    found = gpuval.evaluate(TRUE, GOOD, asked, X=X)
    assert list(found) == [
        "silhouette_score",
        "adjusted_rand_score",
        "silhouette_score(metric='cosine')",
        "variation_of_information",
        "davies_bouldin_score",
        "calinski_harabasz_score",
    ]
    assert found["silhouette_score(metric='cosine')"] == pytest.approx(
        gpuval.silhouette_score(X, GOOD, metric="cosine"), rel=1e-12
    )
    assert found["asw"] == found["silhouette_score"]


def test_a_mapping_names_them():
    found = gpuval.compare(TRUE, LABELINGS, {"width": "asw", "rand": "ari", "by me": lambda table: table.total}, X=X)
    assert list(found["good"]) == ["width", "rand", "by me"]
    assert found["good"]["width"] == pytest.approx(sklearn_scores(X, GOOD)["silhouette_score"], rel=1e-10)
    assert found["good"]["by me"] == N


def test_a_clustering_of_one_cluster_has_no_internal_score():
    found = gpuval.compare(TRUE, LABELINGS, X=X)
    assert all(math.isnan(found["one"][name]) for name in USUAL)
    assert found["one"]["ari"] == 0
    assert found["one"].counts == {"n_classes": 4, "n_clusters": 1, "n_samples": N, "n_dropped": 0}


def test_both_are_of_the_samples_that_count_in_both():
    found = gpuval.compare(TRUE, LABELINGS, X=X, ignore_labels=["d", 1])
    for name, labels in LABELINGS.items():
        keep = (TRUE != "d") & (labels != 1)
        if name != "one":
            expected = sklearn_scores(X[keep], labels[keep])
            assert {x: found[name][x] for x in USUAL} == pytest.approx(expected, rel=1e-10)
        assert found[name].counts["n_samples"] == keep.sum()
        assert found[name].counts["n_dropped"] == N - keep.sum()


def test_missing_labels_can_be_ignored():
    true = [None if x == "d" else x for x in TRUE]
    with pytest.raises(ValueError, match="labels_true must not have missing labels"):
        gpuval.evaluate(true, GOOD, X=X)
    found = gpuval.evaluate(true, GOOD, X=X, ignore_labels=[None])
    keep = TRUE != "d"
    assert {x: found[x] for x in USUAL} == pytest.approx(sklearn_scores(X[keep], GOOD[keep]), rel=1e-10)


def test_by_takes_the_samples_apart():
    labelings = {"good": GOOD, "bad": BAD}
    found = gpuval.compare(TRUE, labelings, ["ari", *USUAL], X=X, by=BATCH, ignore_labels=["d"])
    assert list(found) == [(name, batch) for name in labelings for batch in range(3)]
    for (name, batch), scores in found.items():
        keep = (TRUE != "d") & (batch == BATCH)
        expected = sklearn_scores(X[keep], labelings[name][keep])
        assert {x: scores[x] for x in USUAL} == pytest.approx(expected, rel=1e-10)
        assert scores.counts["n_samples"] + scores.counts["n_dropped"] == 40
    of_one = gpuval.evaluate(TRUE, GOOD, ["asw"], X=X, by=BATCH == 1)
    assert list(of_one) == [False, True]
    assert all(type(x) is bool for x in of_one)
    assert of_one[True]["asw"] == pytest.approx(gpuval.silhouette_score(X[40:80], GOOD[40:80]), rel=1e-12)


@pytest.mark.parametrize("name", INTERNAL_METRICS)
@pytest.mark.parametrize("kind", ["array", "list", "sparse", "distances"])
@only_for(lambda name, kind: kind != "distances" or name in ("silhouette_score", "dunn_index"))
@only_for(lambda name, kind: kind != "sparse" or name != "dbcv_score")
def test_samples_that_do_not_count_are_no_noise(name, kind):
    """A part of the samples has the score that it has by itself, of each measure, whatever X is."""
    from scipy.sparse import csr_matrix
    from scipy.spatial.distance import cdist

    options = {"metric": "precomputed"} if kind == "distances" else {}
    measure = partial(INTERNAL_METRICS[name], **options)
    given = {"array": X, "list": X.tolist(), "sparse": csr_matrix(X), "distances": cdist(X, X)}[kind]
    by_name = {"score": measure}
    for batch, scores in gpuval.evaluate(TRUE, BAD, by_name, X=given, by=BATCH, ignore_labels=["d"]).items():
        keep = np.flatnonzero((TRUE != "d") & (batch == BATCH))
        part = cdist(X[keep], X[keep]) if kind == "distances" else X[keep]
        assert scores["score"] == pytest.approx(measure(part, BAD[keep]), rel=1e-9)
    keep = TRUE != "d"
    part = cdist(X[keep], X[keep]) if kind == "distances" else X[keep]
    found = gpuval.compare(TRUE, {"bad": BAD, "good": GOOD}, by_name, X=given, ignore_labels=["d"])
    assert found["bad"]["score"] == pytest.approx(measure(part, BAD[keep]), rel=1e-9)
    sizes = {"n_classes": 4, "n_clusters": 4}
    found = gpuval.evaluate(np.where(keep, GOOD, 3), BAD, by_name, X=given, ignore_labels=[3], **sizes)
    both = keep & (BAD != 3)
    part = cdist(X[both], X[both]) if kind == "distances" else X[keep] if name == "dbcv_score" else X[both]
    if name == "dbcv_score":  # what the labeling itself ignores is noise
        assert found["score"] == pytest.approx(measure(part, BAD[keep], ignore_labels=3), rel=1e-9)
    else:
        assert found["score"] == pytest.approx(measure(part, BAD[both]), rel=1e-9)


def test_weights_of_a_part():
    weights = RANDOM.integers(1, 4, N)
    found = gpuval.evaluate(TRUE, BAD, ["ch"], X=X, by=BATCH, sample_weight=weights, ignore_labels="d")
    for batch, scores in found.items():
        keep = (TRUE != "d") & (batch == BATCH)
        expected = gpuval.calinski_harabasz_score(X[keep], BAD[keep], sample_weight=weights[keep])
        assert scores["ch"] == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("dtype", ["M8[D]", "M8[ns]", "m8[ns]"])
def test_times_of_numpy_as_objects_stay_what_they_are(dtype):
    """As numbers or dates of Python they would not be the same keys everywhere."""
    times = np.arange(3).astype(dtype)
    by = np.fromiter(times[BATCH], dtype=object, count=N)
    found = gpuval.compare(TRUE, {"bad": BAD}, ["ari", "ch"], X=X, by=by)
    expected = gpuval.compare(TRUE, {"bad": BAD}, ["ari", "ch"], X=X, by=BATCH)
    assert [value for _, value in found] == list(times)
    for batch in range(3):
        assert dict(found["bad", times[batch]]) == dict(expected["bad", batch])
    assert found.to_pandas(counts=True)["n_dropped"].tolist() == [0, 0, 0]


def test_the_levels_of_names_are_known():
    assert gpuval.evaluate(TRUE, GOOD, ["ari", "asw"], X=X, by=BATCH).levels == ("by",)
    assert gpuval.compare(TRUE, LABELINGS, ["asw"], X=X, by=BATCH).levels == ("labeling", "by")
    assert gpuval.compare(None, LABELINGS, ["asw"], X=X, by=BATCH).levels == ("labeling", "by")
    assert gpuval.compare(None, LABELINGS, ["asw"], X=X).levels == ("labeling",)


def test_counts_of_a_part_without_a_truth():
    found = gpuval.compare(None, {"bad": BAD}, ["ch"], X=X, by=BATCH, ignore_labels=3)
    for (_, batch), scores in found.items():
        inside = BAD[batch == BATCH]
        n_kept = int((inside != 3).sum())
        assert scores.counts == {"n_clusters": 3, "n_samples": n_kept, "n_dropped": 40 - n_kept}
    found = gpuval.evaluate(None, BAD, ["ch"], X=X, n_clusters=6)
    assert found.counts == {"n_clusters": 4, "n_samples": N, "n_dropped": 0}


def test_no_large_array_is_kept_for_counts():
    import pickle

    labels = np.arange(10_000)
    found = gpuval.evaluate(labels, labels, ["purity"], n_classes=200_000, n_clusters=200_000)
    assert found.counts == {"n_classes": 10_000, "n_clusters": 10_000, "n_samples": 10_000, "n_dropped": 0}
    assert len(pickle.dumps(found)) < 5000


def test_a_value_whose_samples_are_all_ignored_is_left_out_and_told_once():
    labels = np.where(BATCH == 2, -1, GOOD)
    options = {"X": X, "by": BATCH, "ignore_labels": -1}
    with pytest.warns(UserWarning, match="^by has values without samples that count, .*: 2 for 'some'$") as told:
        found = gpuval.compare(TRUE, {"some": labels, "good": GOOD}, ["ari", "asw"], **options)
    assert len(told) == 1
    assert [key for key in found if key[0] == "some"] == [("some", 0), ("some", 1)]
    assert ("good", 2) in found
    with pytest.warns(UserWarning, match="^by has values without samples that count, .*: 2$") as told:
        alone = gpuval.compare(None, {"some": labels}, ["asw"], **options)
    assert len(told) == 1
    assert list(alone) == [("some", 0), ("some", 1)]


@pytest.mark.parametrize("truth", [None, TRUE])
def test_a_value_whose_samples_weigh_nothing_is_left_out_and_told_once(truth):
    labels = np.where((BATCH == 1) & (np.arange(N) % 2 == 0), -1, GOOD)
    weights = np.where(BATCH == 2, 0, 1 + np.arange(N) % 3)
    weights[(BATCH == 1) & (labels != -1)] = 0
    options = {"X": X, "by": BATCH, "ignore_labels": -1, "sample_weight": weights}
    with pytest.warns(UserWarning, match="^by has values without samples that count, .*: 1 for 'some'; 2$") as told:
        found = gpuval.compare(truth, {"some": labels, "good": GOOD}, ["asw", "ch"], **options)
    assert len(told) == 1
    assert list(found) == [("some", 0), ("good", 0), ("good", 1)]
    of_0 = BATCH == 0
    expected = gpuval.silhouette_score(X[of_0], GOOD[of_0], sample_weight=weights[of_0])
    assert found["good", 0]["asw"] == pytest.approx(expected, rel=1e-12)


def test_without_a_truth_there_are_internal_scores_alone():
    found = gpuval.compare(None, LABELINGS, X=X)
    assert list(found["good"]) == list(USUAL)
    assert {x: found["good"][x] for x in USUAL} == pytest.approx(sklearn_scores(X, GOOD), rel=1e-10)
    assert found["bad"].counts == {"n_clusters": 4, "n_samples": N, "n_dropped": 0}
    found = gpuval.evaluate(None, BAD, ["dunn"], X=X, ignore_labels=3)
    assert found.counts == {"n_clusters": 3, "n_samples": (BAD != 3).sum(), "n_dropped": (BAD == 3).sum()}


def test_intervals_are_of_external_scores():
    found = gpuval.compare(TRUE, LABELINGS, ["ari", "asw"], X=X, confidence_level=0.9, random_state=0)
    assert list(found["good"].intervals) == ["adjusted_rand_score"]
    assert {name: x.difference is not None for name, x in found.best.items()} == {
        "adjusted_rand_score": True,
        "silhouette_score": False,
    }
    assert found["good"].counts["n_clusters"] == 3


@pytest.mark.parametrize("by", [None, BATCH])
@pytest.mark.parametrize("metrics", [["ari", "asw", "acc"], ["ch", "ari", "db", "vi"], ["acc", "db"]])
def test_the_best_are_in_the_order_of_the_columns(metrics, by):
    """Those with an interval, and those without."""
    options = {"confidence_level": 0.9, "n_resamples": 49, "random_state": 0}
    found = gpuval.compare(TRUE, LABELINGS, metrics, X=X, by=by, **options)
    columns = list(next(iter(found.values())))
    assert len(columns) == len(metrics)
    expected = columns if by is None else [(x, value) for x in columns for value in (0, 1, 2)]
    assert list(found.best) == expected
    assert list(found.best) == list(gpuval.compare(TRUE, LABELINGS, metrics, X=X, by=by).best)


def test_weights_are_those_of_the_samples():
    weights = RANDOM.integers(1, 4, N)
    repeated = np.repeat(np.arange(N), weights)
    found = gpuval.evaluate(TRUE, BAD, ["ari", "ch", "db"], X=X, sample_weight=weights)
    expected = gpuval.evaluate(TRUE[repeated], BAD[repeated], ["ari", "ch", "db"], X=X[repeated])
    assert dict(found) == pytest.approx(dict(expected), rel=1e-9)
    assert found.counts["n_samples"] == weights.sum()
    assert "n_dropped" not in found.counts
    by_default = gpuval.evaluate(TRUE, BAD, "all", X=X, sample_weight=weights)
    assert {"dunn_index", "dbcv_score"}.isdisjoint(by_default)


def test_what_can_be_read_once():
    """Beside samples everything has two readers."""
    labels = {"labels_true": TRUE, "labels_pred": BAD}
    beside = {"by": np.arange(N) % 2, "sample_weight": np.arange(N) % 3, "ignore_labels": [1]}
    expected = gpuval.evaluate(**labels, metrics=["ari", "ch"], X=X, **beside)
    given = {name: iter(x) for name, x in (labels | beside).items()}
    assert gpuval.evaluate(**given, metrics=iter(["ari", "ch"]), X=X) == expected
    truth, labeling, given = iter(TRUE), iter(BAD), {name: iter(x) for name, x in beside.items()}
    found = gpuval.compare(truth, {"a": labeling}, iter(["ari", "ch"]), X=X, **given)
    assert found == {("a", value): scores for value, scores in expected.items()}
    options = {"metrics": ["ari", "ch"], "X": X, "confidence_level": None}
    page = gpuval.report(iter(TRUE), {"a": iter(BAD)}, **{name: iter(x) for name, x in beside.items()}, **options)
    expected = gpuval.report(TRUE, {"a": BAD}, **beside, **options)
    assert (page.summary, page.scores) == (expected.summary, expected.scores)


def test_frames_sparse_matrices_and_lists():
    import pandas as pd
    from scipy.sparse import csr_matrix

    expected = dict(gpuval.evaluate(TRUE, GOOD, ["ari", "ch"], X=X))
    for given in (X.tolist(), csr_matrix(X), pd.DataFrame(X)):
        assert dict(gpuval.evaluate(TRUE, GOOD, ["ari", "ch"], X=given)) == pytest.approx(expected, rel=1e-9)
    frame, labels = pd.DataFrame(X, index=range(N)), pd.Series(GOOD, index=range(1, N + 1))
    with pytest.raises(ValueError, match="index"):
        gpuval.evaluate(pd.Series(TRUE, index=range(1, N + 1)), labels, X=frame)


def test_on_every_library(backend):
    """Labels beside the samples, or on the host; scores are where the samples are."""
    with backend.mode():
        samples, good = backend.of(X.astype(np.float32)), backend.array(GOOD)
        sizes = {} if backend.finds_sizes else {"n_classes": 3, "n_clusters": 3}
        expected = sklearn_scores(X, GOOD)
        for labels in (good, GOOD):
            found = gpuval.evaluate(labels, labels, ["ari", *USUAL], X=samples, **sizes)
            assert {x: float(found[x]) for x in USUAL} == pytest.approx(expected, rel=1e-4)
            assert float(found["ari"]) == 1
        scores = [found["silhouette"]]
        if backend.finds_sizes:
            parts = gpuval.evaluate(good, good, ["silhouette", "dunn_index"], X=samples, by=backend.array(BATCH))
            ignored = gpuval.evaluate(good, good, ["silhouette"], X=samples, ignore_labels=0)
            scores += [*(score for part in parts.values() for score in part.values()), ignored["silhouette"]]
        for score in scores:
            backend.assert_at_home(score, samples)


@pytest.mark.parametrize("name", INTERNAL_METRICS)
@pytest.mark.parametrize("kind", ["array", "list", "sparse", "torch"])
@only_for(lambda name, kind: kind != "sparse" or name != "dbcv_score")
def test_the_row_of_a_number_that_is_not_finite_is_one_of_those_given(name, kind):
    """Whichever samples are scored, and not one of those that do not count."""
    from scipy.sparse import csr_matrix

    wrong = X.copy()
    wrong[77, 1], wrong[5, 0] = np.inf, np.nan  # a sample of the second batch; one that is ignored
    given = {"array": wrong, "list": wrong.tolist(), "sparse": csr_matrix(wrong)}
    samples = pytest.importorskip("torch").asarray(wrong) if kind == "torch" else given[kind]
    for options in ({}, {"by": BATCH}):
        with pytest.raises(ValueError, match=r"^X must be finite, got inf in row 77, column 1$") as raised:
            gpuval.compare(TRUE, {"good": GOOD, "bad": BAD}, [name], X=samples, ignore_labels="d", **options)
        assert raised.type is ValueError


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (np.nan, "hold finite distances, got nan in row 192 or after"),
        (-1, "hold distances, which are not negative, got -1.0 in row 192 or after"),
        (None, "without an entry for samples 200 and 202,"),
    ],
)
def test_so_is_the_row_of_distances(value, message):
    from scipy.sparse import csr_matrix

    distances = np.abs(np.subtract.outer(np.arange(300.0), np.arange(300.0)))
    distances[3] = np.nan  # of a sample that is ignored
    distances[200, 202] = np.nan if value is None else value
    given = csr_matrix(np.nan_to_num(distances)) if value is None else distances
    labels, half = np.arange(300) // 2 % 3, np.arange(300) % 2
    truth = np.where(np.arange(300) == 3, 9, labels)
    measure = partial(gpuval.silhouette_score, metric="precomputed")
    with pytest.raises(ValueError, match=f"^X must .*{message}"):
        gpuval.evaluate(truth, labels, [measure], X=given, by=half, ignore_labels=9)


def test_inside_jit():
    import jax

    def scores(X, true, pred):
        return gpuval.evaluate(true, pred, ["ari", "ch"], X=X, n_classes=3, n_clusters=3)

    found = jax.jit(scores)(jax.numpy.asarray(X), jax.numpy.asarray(GOOD), jax.numpy.asarray(GOOD))
    assert float(found["ari"]) == 1
    assert float(found["ch"]) == pytest.approx(sklearn_scores(X, GOOD)["calinski_harabasz_score"], rel=1e-4)
    assert found.counts is None


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: gpuval.evaluate(TRUE, GOOD, ["asw"]),
            r"needs samples: gpuval.silhouette_score\(X, labels\), or gpuval.evaluate\(..., X=X\)",
        ),
        (
            lambda: gpuval.evaluate(None, GOOD, X=X, metrics=["ari", "nmi", "asw"]),
            "labels_true must be given for adjus",
        ),
        (lambda: gpuval.evaluate(None, GOOD, X=X, confidence_level=0.9), "confidence_level must be None without label"),
        (lambda: gpuval.compare(None, LABELINGS, X=X, groups=BATCH), "groups must be None without labels_true"),
        (lambda: gpuval.evaluate(TRUE, GOOD, X=X[:7]), r"labels_pred must have as many samples as X \(7\), got 120"),
        (lambda: gpuval.compare(TRUE, LABELINGS, X=X[:7]), r"labelings\['good'\] must have as many samples as X \(7\)"),
        (lambda: gpuval.evaluate(TRUE, GOOD, ["ari"], X=X[:7]), r"labels_pred must have as many samples as X \(7\)"),
        (lambda: gpuval.evaluate(TRUE, GOOD, ["ari"], X="nonsense"), "X must"),
        (
            lambda: gpuval.evaluate(TRUE, GOOD, X=X[:7], ignore_labels="d"),
            r"labels_pred must have as many samples as X",
        ),
        (lambda: gpuval.evaluate(TRUE, GOOD, [partial(gpuval.dunn_index)]), "dunn_index needs samples"),
        (lambda: gpuval.evaluate(None, GOOD, ["asw"], X=X, n_classes=3), "n_classes must be None without labels_true"),
        (
            lambda: gpuval.evaluate(TRUE, GOOD, [partial(gpuval.silhouette_score, ignore_labels=1)], X=X),
            r"metrics must not have ignore_labels= in silhouette_score\(ignore_labels=1\); it is an argument",
        ),
        (lambda: gpuval.evaluate(TRUE, GOOD, X=X, metrics=["foo"]), "metrics must be names of measures, got 'foo'"),
        (lambda: gpuval.evaluate(TRUE, GOOD, X=X, metrics=[]), "metrics must have at least one measure, got none"),
        (
            lambda: gpuval.evaluate(TRUE, GOOD, X=X, metrics=["dunn"], sample_weight=np.ones(N)),
            "sample_weight must not be given for dunn_index, which counts each sample once",
        ),
        (lambda: gpuval.evaluate(TRUE, GOOD, X=np.full_like(X, np.nan)), "X must be finite"),
        (
            lambda: gpuval.evaluate(TRUE, GOOD, X=X, metrics=["asw", partial(gpuval.silhouette_score), "silhouette"]),
            "",
        ),
        (lambda: gpuval.evaluate(Contingency.from_labels(TRUE, GOOD), X=X), "X must be given with labels, got a table"),
    ],
)
def test_wrong_calls(call, message):
    if not message:
        assert list(call()) == ["silhouette_score", "silhouette_score()"]
        return
    with pytest.raises((TypeError, ValueError), match=message):
        call()


def sweep_of(n=120):
    random = np.random.default_rng(0)
    X = random.normal(size=(n, 3))
    labelings = {k: np.minimum((X[:, 0] > 0) + random.integers(0, k, n), k - 1) for k in (2, 3, 5)}
    return X, labelings


SAMPLED = partial(gpuval.silhouette_score, sample_size=40, random_state=3)


def test_silhouettes_of_drawn_samples_are_those_of_each_labeling():
    X, labelings = sweep_of()
    found = gpuval.compare(None, labelings, {"asw": SAMPLED}, X=X)
    for name, labels in labelings.items():
        assert float(found[name]["asw"]) == pytest.approx(float(SAMPLED(X, labels)), abs=1e-12)


def test_silhouettes_of_drawn_samples_take_one_pass(monkeypatch):
    from gpuval.evaluation import internal_scores

    X, labelings = sweep_of()
    expected = gpuval.compare(None, labelings, {"asw": SAMPLED}, X=X)
    monkeypatch.setattr(internal_scores.InternalMeasure, "__call__", lambda *_, **__: pytest.fail("one by one"))
    assert gpuval.compare(None, labelings, {"asw": SAMPLED}, X=X) == expected


@pytest.mark.parametrize("by", [None, np.arange(120) % 2])
def test_silhouettes_of_drawn_samples_where_labels_are_ignored(by):
    X, labelings = sweep_of()
    truth = np.where(np.arange(120) < 10, -1, np.arange(120) % 3)
    alike = gpuval.compare(truth, labelings, {"asw": SAMPLED}, X=X, ignore_labels=[-1], by=by)
    other = {**labelings, 5: np.where(np.arange(120) % 10 == 9, -1, labelings[5])}
    apart = gpuval.compare(truth, other, {"asw": SAMPLED}, X=X, ignore_labels=[-1], by=by)
    for found, some in ((alike, labelings), (apart, other)):
        for key, scores in found.items():
            name, value = key if by is not None else (key, None)
            kept = (truth != -1) & (some[name] != -1) & (True if by is None else by == value)
            assert float(scores["asw"]) == pytest.approx(float(SAMPLED(X[kept], some[name][kept])), abs=1e-12)
