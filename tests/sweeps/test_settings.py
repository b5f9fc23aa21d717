"""`gpuval.stability`: the worked values, how runs are given, and what is said of the settings."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
import torch
from backends import is_close
from only_for import only_for
from packages import pd
from run_cases import COARSE, FINE, LEFT

import gpuval
from gpuval.sweeps.agreement import expected_similarity, jackknife_error, mean_of_pairs, means_of_draws

F = Fraction
NAN = float("nan")
MEASURES = ("element_centric_score", "ari", "ami")
MEANS = {
    "COARSE": (F(17, 27), 0.355634641657307604, 0.396081215410555218),
    "FINE": (F(31, 54), F(17, 162), 0.111373411413363736),
    "LEFT": (F(1379, 2160), F(35, 132), 0.293640470906863961),
}
ERRORS = {
    "COARSE": (0.17665540766980475, 0.387620825456409884, 0.361551008064429189),
    "FINE": (0.0925925925925925926, 0.0617283950617283951, None),
    "LEFT": (0.177475509815754973, 0.414503106408041448, None),
}
"""Of the mean over pairs of runs, for each measure; None is not among the worked values."""
CASES = {"COARSE": COARSE, "FINE": FINE, "LEFT": LEFT}


def arrays(runs, backend):
    """Runs as arrays; one that leaves samples out is of floats."""
    return [backend.array([NAN if x is None else x for x in run]) for run in runs]


def found_of(name, backend, **options):
    return gpuval.stability({name: arrays(CASES[name], backend)}, metrics=MEASURES, **options)[name]


@only_for(lambda backend: backend.finds_sizes)
@pytest.mark.parametrize("name", CASES)
def test_means_over_pairs_of_runs_have_the_worked_values(name, backend):
    found = found_of(name, backend)
    for measure, mean, error in zip(MEASURES, MEANS[name], ERRORS[name], strict=True):
        scores = found.scores[measure]
        assert is_close(scores.mean, mean, float64=backend.has_float64), measure
        assert error is None or is_close(scores.standard_error, error, float64=backend.has_float64), measure


@only_for(lambda backend: backend.finds_sizes)
def test_samples_and_clusters_have_the_worked_values(backend):
    coarse, left = found_of("COARSE", backend), found_of("LEFT", backend, reference=0)
    consistency = [F(7, 9), F(7, 9), F(1, 2), F(23, 36), F(23, 36), F(4, 9)]
    backend.assert_close(coarse.consistency, consistency)
    backend.assert_at_home(coarse.consistency, backend.array(COARSE[0]), (6,))
    backend.assert_close(coarse.clusters.consistency, [F(37, 54), F(31, 54)])
    of_pairs = (coarse.ambiguous, F(7, 15)), (left.ambiguous, F(8, 15)), (found_of("FINE", backend).ambiguous, F(7, 15))
    for value, exact in (*of_pairs, (coarse.silhouette, F(11, 20)), (left.silhouette, F(443, 960))):
        assert is_close(value, exact, float64=backend.has_float64)
    backend.assert_close(left.consistency, [F(25, 36), F(8, 9), F(4, 9), F(7, 12), F(25, 36), F(5, 9)])
    expected = {"jaccard": F(7, 9), "dissolved": 0, "recovered": F(1, 3), "n_absent": 0}
    for field, value in expected.items():
        assert np.allclose(backend.numpy(getattr(left.clusters, field)), float(value), atol=1e-6), field


def test_the_medoid_is_the_run_that_is_the_most_similar_to_the_others():
    found = gpuval.stability({name: [list(run) for run in runs] for name, runs in CASES.items()})
    assert [found[name].reference for name in CASES] == [0, 0, 2]


def test_what_chance_gives_is_the_mean_over_all_permutations():
    pairs = [(COARSE[0], COARSE[1], F(47, 90)), (COARSE[0], COARSE[2], F(23, 45)), (COARSE[1], COARSE[2], F(17, 36))]
    for first, second, expected in pairs:
        assert expected_similarity(*map(np.bincount, (first, second))) == pytest.approx(float(expected), rel=1e-14)
    assert expected_similarity(np.array([1]), np.array([1])) == 1
    found = gpuval.stability({0: [list(x) for x in COARSE]})[0].scores["ecs"]
    assert (found.mean - found.expected) / (1 - found.expected) == pytest.approx(69 / 269, rel=1e-12)


def test_differences_leave_the_same_run_out_of_both_settings():
    found = gpuval.stability({x: [list(run) for run in CASES[x]] for x in ("COARSE", "FINE")}, metrics=MEASURES)
    ecs, ari = found.best["ecs"].difference, found.best["ari"].difference
    assert ecs.difference == pytest.approx(1 / 18, rel=1e-12)
    assert ecs.standard_error == pytest.approx(0.195104699126902571, rel=1e-12)
    assert ari.difference == pytest.approx(0.250696370052369333, rel=1e-12)
    assert ari.standard_error == pytest.approx(0.397398754854720625, rel=1e-12)
    reordered = {("COARSE", i): list(COARSE[i]) for i in range(3)} | {("FINE", i): list(FINE[i]) for i in (2, 0, 1)}
    assert gpuval.stability(reordered).best["ecs"].difference.standard_error == ecs.standard_error
    apart = {("COARSE", f"a{i}"): list(run) for i, run in enumerate(COARSE)}
    apart |= {("FINE", f"b{i}"): list(run) for i, run in enumerate(FINE)}
    of_others = gpuval.stability(apart).best["ecs"].difference
    errors = ERRORS["COARSE"][0], ERRORS["FINE"][0]
    assert of_others.standard_error == pytest.approx(np.hypot(*errors), rel=1e-12)


def test_runs_that_only_one_setting_has_are_not_left_out_of_both():
    rng, groups = np.random.default_rng(1), np.arange(90) % 3
    keys = [(setting, run) for setting in (1, 2) for run in range(6)]
    runs = {key: np.where(rng.random(90) < 0.1 * (key[1] + 1), rng.integers(0, 3, 90), groups) for key in keys}
    found = gpuval.stability({key: runs[key] for key in keys[:-1]}).best["ecs"].difference
    of_both = gpuval.stability({key: runs[key] for key in keys if key[1] < 5}).best["ecs"].difference
    assert found.standard_error == of_both.standard_error


def test_settings_that_are_equal_share_the_draws():
    found = gpuval.stability({x: np.array(COARSE) + x for x in (1, 2, 3, 4)}, metrics="ari", random_state=0)
    assert [x.scores["ari"].ahead for x in found.values()] == pytest.approx([0.25] * 4)


def test_draws_of_runs_never_compare_a_run_with_its_copy():
    times = np.array([np.bincount(draw, minlength=3) for draw in product(range(3), repeat=3)])
    scores = [gpuval.pairwise([list(x) for x in runs], "ecs").scores for runs in (COARSE, FINE)]
    first, second = (means_of_draws(x, times) for x in scores)
    assert (int((first > second).sum()), int((first < second).sum()), int(np.isnan(first).sum())) == (12, 12, 3)
    assert np.nanmean(first) == pytest.approx(17 / 27, rel=1e-12)


def test_a_jackknife_over_runs_is_that_of_its_definition():
    scores = np.random.default_rng(2).random((6, 6))
    scores = np.triu(scores, 1) + np.triu(scores, 1).T
    np.fill_diagonal(scores, NAN)
    scores[1, 4] = scores[4, 1] = NAN  # no samples in common
    found, everything = mean_of_pairs(scores), set(range(6))
    without = [np.nanmean(scores[np.ix_(sorted(everything - {r}), sorted(everything - {r}))]) for r in range(6)]
    assert found.mean == pytest.approx(np.nanmean(scores), rel=1e-14)
    assert found.standard_error == pytest.approx(np.sqrt(5 / 6 * ((without - np.mean(without)) ** 2).sum()), rel=1e-12)
    assert np.isnan(jackknife_error(mean_of_pairs(scores[:2, :2]).without))


def test_runs_of_many_samples_agree_with_the_public_functions():
    rng = np.random.default_rng(5)
    runs = [rng.integers(0, 7, 300).astype(float) for _ in range(5)]
    for run in runs[1:]:
        run[rng.random(300) < 0.2] = NAN
    found = gpuval.stability({7: runs}, reference=0)[7]
    of_pairs = gpuval.pairwise(runs, "ecs", ignore_labels=[None]).scores
    is_pair = ~np.eye(5, dtype=bool)
    assert found.scores["ecs"].mean == pytest.approx(of_pairs[is_pair].mean(), rel=1e-12)
    consistency = gpuval.element_centric_consistency(runs, ignore_labels=[None])
    assert np.allclose(found.consistency, consistency, rtol=1e-12, equal_nan=True)
    assert found.ambiguous == gpuval.proportion_of_ambiguous_pairs(runs)
    assert np.allclose(found.clusters.consensus, gpuval.cluster_consensus_scores(runs[0], runs[1:]).scores)
    assert found.inconsistency == pytest.approx(float(gpuval.inconsistency_coefficient(runs)), rel=1e-12)
    jaccard = [gpuval.class_jaccard_scores(runs[0], run, ignore_labels=[None]).scores for run in runs[1:]]
    assert np.allclose(found.clusters.jaccard, np.mean(jaccard, axis=0), rtol=1e-12)


# How runs are given.


def test_all_forms_of_runs_give_the_same_result():
    as_pairs = {(x, run): list(labels) for x, runs in ((1, COARSE), (2, FINE)) for run, labels in enumerate(runs)}
    named = {f"leiden_{setting}.0_{run}": labels for (setting, run), labels in as_pairs.items()}
    forms = {
        "pairs": as_pairs,
        "several": {1: [list(x) for x in COARSE], 2: [list(x) for x in FINE]},
        "matrices": {1: np.array(COARSE), 2: np.array(FINE)},
        "mappings": {1: dict(enumerate(map(list, COARSE))), 2: dict(enumerate(map(list, FINE)))},
        "columns of pairs": pd.DataFrame(as_pairs),
        "names": pd.DataFrame(named),
    }
    numbers = {form: gpuval.stability(runs, random_state=0).to_dict() for form, runs in forms.items()}
    first = numbers.pop("pairs")
    for form, found in numbers.items():
        assert list(found) == [1, 2], form
        for setting in found:
            same = {key: value for key, value in found[setting].items() if key != "reference"}
            assert same == {key: first[setting][key] for key in same}, form


def test_settings_that_are_numbers_are_in_their_order_also_as_text():
    runs = {f"res_{x}_{run}": [0, 0, 1, 1] for x in ("10", "0.4", "2") for run in range(2)}
    assert list(gpuval.stability(runs, names="res_{setting}_{run}")) == [0.4, 2, 10]
    words = {("b", 0): [0, 0, 1], ("b", 1): [0, 1, 1], ("a", 0): [0, 0, 1], ("a", 1): [0, 1, 1]}
    assert list(gpuval.stability(words)) == ["b", "a"]


def test_labels_of_all_samples_are_the_reference_and_no_run():
    whole = [0, 0, 0, 1, 1, 2]
    named = {f"k_2_{run}": list(labels) for run, labels in enumerate(LEFT)} | {"k_2": whole}
    found = gpuval.stability(named, names="k_{setting}_{run}")[2]
    assert found.n_runs == 4
    assert found.reference is None
    assert found.labels == whole
    scores = [gpuval.element_centric_score(whole, list(run), ignore_labels=[None]) for run in LEFT]
    assert found.scores["ecs"].with_whole == pytest.approx(np.mean(scores), rel=1e-12)
    same = gpuval.stability({2: [list(x) for x in LEFT]}, reference={2: whole})[2]
    assert np.array_equal(same.clusters.jaccard, found.clusters.jaccard)
    as_text = gpuval.stability({"2": [list(x) for x in LEFT]}, reference={2: whole})["2"]
    assert np.array_equal(as_text.clusters.jaccard, found.clusters.jaccard)
    medoid = gpuval.stability({(2, None): whole} | {(2, i): list(x) for i, x in enumerate(LEFT)}, reference="medoid")
    assert medoid[2].reference == 2


def test_runs_of_repeat_clustering_leave_out_what_was_not_drawn():
    X = np.repeat(np.arange(4.0), 10)[:, None] + np.linspace(0, 0.1, 40)[:, None]
    runs = gpuval.repeat_clustering(lambda X, width: X[:, 0] // width, X, [1, 2], n_runs=4, random_state=0)
    found = gpuval.stability(runs)
    assert [found[x].scores["ari"].mean for x in (1, 2)] == [1.0, 1.0]
    assert [found[x].n_clusters for x in (1, 2)] == [(4.0, 4, 4), (2.0, 2, 2)]
    assert found[1].clusters.sizes.tolist() == [10, 10, 10, 10]  # of the labels of all samples


def test_a_setting_whose_calls_all_failed_is_left_out():
    def fit(X, k):
        if k == 3:
            raise ZeroDivisionError
        return np.arange(len(X)) % k

    with pytest.warns(RuntimeWarning, match="calls of fit failed"):
        runs = gpuval.repeat_clustering(fit, np.zeros((9, 1)), [2, 3], n_runs=3, on_error="skip", random_state=0)
    assert list(gpuval.stability(runs)) == [2]


def test_a_column_of_all_samples_may_look_like_a_run():
    columns = {f"leiden_my_res_{run}": [0, 0, 1] for run in range(3)} | {"leiden_my_res": [0, 1, 1]}
    found = gpuval.stability(columns, names="leiden_{setting}_{run}")
    assert list(found) == ["my_res"]
    assert found["my_res"].labels == [0, 1, 1]


# What is said.


def blobs_of_runs(n_runs=8, n=200, seed=0):
    """Runs that find two of four groups (each time the same two), all four, and halves of them at random."""
    rng = np.random.default_rng(seed)
    groups = np.arange(n) % 4
    two = [np.where(rng.random(n) < 0.02, 1 - groups // 2, groups // 2) for _ in range(n_runs)]
    four = [np.where(rng.random(n) < 0.02, (groups + 1) % 4, groups) for _ in range(n_runs)]
    eight = [groups + 4 * rng.integers(0, 2, n) for _ in range(n_runs)]
    return {1: [np.zeros(n, dtype=int)] * n_runs, 2: two, 4: four, 8: eight}


def test_the_finest_setting_that_is_as_stable_is_named_and_what_dissolves():
    found = gpuval.stability(blobs_of_runs(), metrics="ari")
    best = found.best["ari"]
    assert 1 not in (best.name, *best.gaps)
    assert 8 not in best.best_set
    said = found.sentence()
    assert "Dissolved in more than half of the runs: clusters 0, 1, 2, 3, 4 and 3 more of setting 8." in said
    assert f"{best.name} is the most stable of 3 settings with more than one cluster" in said.replace("\n", " ")
    assert found.notes == ("1: a single cluster, which is always stable and is not ranked.",)
    assert said.split(" ")[0] in repr(found)
    with_margin = gpuval.stability(blobs_of_runs(), metrics="ari", margin=0.9).best["ari"]
    assert set(with_margin.best_set) == {2, 4, 8}
    shares = [found[x].scores["ari"].ahead for x in (2, 4, 8)]
    assert sum(shares) == pytest.approx(1)
    assert shares[2] == 0
    assert np.isnan(found[1].scores["ari"].ahead)


def test_runs_that_are_all_the_same_are_said_to_be():
    found = gpuval.stability({0.5: [[0, 0, 1, 1]] * 3, 1: [[0, 0, 1, 2], [0, 1, 1, 2], [0, 1, 2, 2]]})
    assert found[0.5].n_distinct == 1
    assert found[1].n_distinct == 3
    assert any("All runs of 0.5 are the same partition" in note for note in found.notes)


@pytest.mark.parametrize(("runs", "mean"), [([[0, 0, 0]] * 3, 1.0), ([[0, 1, 2]] * 3, 1.0)])
def test_one_cluster_and_single_samples_are_perfectly_stable(runs, mean):
    found = gpuval.stability({0: runs})[0]
    assert [x.mean for x in found.scores.values()] == [mean, mean]
    assert found.scores["ecs"].standard_error == 0
    assert found.inconsistency == 1


def test_one_run_is_not_known_and_two_have_no_interval():
    found = gpuval.stability({"one": [[0, 0, 1, 1]], "two": [[0, 0, 1, 1], [0, 1, 1, 1]]})
    assert np.isnan([found["one"].scores["ecs"].mean, found["one"].inconsistency, found["one"].ambiguous]).all()
    two = found["two"].scores["ecs"]
    assert not np.isnan(two.mean)
    assert np.isnan([two.standard_error, two.low, two.high]).all()
    assert found.sentence() == "To compare settings, two of them need three runs and more than one cluster."
    assert "one" in repr(found)
    with pytest.raises(ValueError, match="metric must be one of element_centric_score, adjusted_rand_score, got 'foo'"):
        found.sentence("foo")


def test_runs_without_common_samples_are_not_known():
    found = gpuval.stability({0: [[0, 1, None, None], [None, None, 0, 1]]})[0]
    assert np.isnan([found.scores["ecs"].mean, found.silhouette, *found.consistency]).all()
    assert found.ambiguous == 0  # each of the two pairs that a run has is apart there


def test_a_cluster_that_a_run_did_not_draw_is_absent_and_counts_in_no_mean():
    found = gpuval.stability({0: [[0, 0, 1, 1, 2], [0, 0, 1, 1, None], [0, 0, 1, 0, None]]}, reference=0)[0]
    assert found.clusters.n_absent.tolist() == [0, 0, 2]
    assert np.allclose(found.clusters.jaccard, [(1 + 2 / 3) / 2, (1 + 1 / 2) / 2, NAN], equal_nan=True)
    assert found.clusters.least() == (1, 0.75)


def test_noise_is_a_cluster_unless_it_is_said_to_be_left_out():
    runs = {0: [[0, 0, 1, -1], [0, 0, 1, 1], [0, 0, -1, 1]]}
    with pytest.warns(UserWarning, match="labelings have the label -1, which counts as a cluster"):
        as_cluster = gpuval.stability(runs)
    assert as_cluster[0].n_clusters == (3.0, 2, 3)
    left_out = gpuval.stability(runs, ignore_labels=-1)
    assert left_out[0].n_clusters == (2.0, 2, 2)
    assert left_out[0].scores["ecs"].mean == 1
    with pytest.warns(UserWarning, match="labelings have the label '-1'"):
        gpuval.stability({0: [["0", "-1"], ["1", "0"]]})


def test_frames_have_a_row_for_each_setting_cluster_and_overlap():
    found = gpuval.stability({"a": [list(x) for x in COARSE], "b": [list(x) for x in FINE]}, reference=0)
    assert found.to_pandas().index.tolist() == ["a", "b"]
    assert found.to_pandas("clusters")[["setting", "cluster", "sizes"]].to_numpy().tolist() == [
        ["a", 0, 3],
        ["a", 1, 3],
        ["b", 0, 2],
        ["b", 1, 2],
        ["b", 2, 2],
    ]
    tree = gpuval.stability({"a": [list(COARSE[0])] * 2, "b": [list(COARSE[1])] * 2}).to_pandas("overlaps")
    assert tree.to_numpy().tolist() == [
        ["a", "b", 0, 0, 2, 2 / 3, 1.0],
        ["a", "b", 0, 1, 1, 1 / 3, 1 / 4],
        ["a", "b", 1, 1, 3, 1.0, 3 / 4],
    ]


# What is wrong.

TWO = {(0, 0): [0, 0, 1], (0, 1): [0, 1, 1]}
WRONG = {
    "no runs": ({0: [[0, 1, 1]]}, {}, "labelings must have two runs or more of a setting"),
    "one vector": ({"a": [0, 1, 1], "b": [0, 0, 1]}, {}, "names must say where the setting and the run stand"),
    "lengths": ({(0, 0): [0, 1], (0, 1): [0, 1, 1]}, {}, "labelings"),
    "lengths of settings": (TWO | {(1, 0): [0, 1], (1, 1): [0, 1]}, {}, "write None or NaN for a sample"),
    "names without a run": (TWO, {"names": "leiden_{setting}"}, r"names must contain \{setting\} and \{run\}"),
    "names that do not fit": ({"x_1_1": [0, 1], "y": [0, 1]}, {"names": "x_{setting}_{run}"}, "does not fit 'y'"),
    "a measure that is not symmetric": (TWO, {"metrics": "homogeneity"}, "metrics must be symmetric"),
    "an unknown run": (TWO, {"reference": "seven"}, "got 'seven'; the runs of 0 are 0, 1"),
    "no reference": (TWO, {"reference": {1: [0, 0, 1]}}, "reference must have labels of each setting, 0, got 1"),
    "only labels of all samples": (TWO | {(1, None): [0, 0, 1]}, {}, "got none of 1"),
    "a run without labels": (TWO | {(0, 2): [None] * 3}, {}, r"labelings\[0, 2\] must have labels, got none"),
    "samples in rows": ({1: np.zeros((9, 3), dtype=int)}, {}, r"shape \(n_runs, n_samples\), got \(9, 3\)"),
    "numbers alone": ({1: [0, 1, 1], 2: [0, 1, 1]}, {}, "several label vectors for each setting, got one for 1"),
    "pairs": (TWO, {"n_pairs": 0}, "n_pairs must be"),
    "a level": (TWO, {"confidence_level": 1.5}, "confidence_level must be between 0 and 1"),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_said(what):
    runs, options, message = WRONG[what]
    with pytest.raises(ValueError, match=message):
        gpuval.stability(runs, **options)


def test_settings_have_the_same_samples_in_one_library():
    one, other = (pd.Series([0, 0, 1], index=list(order)) for order in ("abc", "cba"))
    with pytest.raises(ValueError, match="must have the same index"):
        gpuval.stability({1: [one, one], 2: [other, other]})
    with pytest.raises(ValueError, match="must have the same index"):
        gpuval.stability({1: [one, one]}, reference={1: other})
    with pytest.raises(TypeError, match="of one array library"):
        gpuval.stability({1: [torch.tensor([0, 1])] * 2, 2: [np.array([0, 1])] * 2})


def test_labels_of_dask_and_what_is_no_mapping_are_refused():
    from packages import da

    with pytest.raises(TypeError, match="must be in memory, got data of Dask"):
        gpuval.stability({(0, 0): da.zeros(3, dtype=int), (0, 1): [0, 1, 1]})
    with pytest.raises(TypeError, match="labelings must be a mapping from"):
        gpuval.stability([[0, 1], [1, 0]])
