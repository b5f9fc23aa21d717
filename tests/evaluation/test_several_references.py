"""Several reference partitions: the best score of each measure, whose it is, and differences between labelings."""

from fractions import Fraction

import numpy as np
import pytest

import gpuval
from gpuval import compare, evaluate
from gpuval.inputs.codes import encode

FOUND = [0, 0, 1, 1, 2, 2]
COARSER, FINER, OTHER = [0, 0, 0, 0, 1, 1], [0, 1, 2, 3, 4, 5], [0, 1, 0, 1, 0, 1]
REFERENCES = {"coarser": COARSER, "finer": FINER}

RNG = np.random.default_rng(4)
FINE = RNG.integers(0, 6, 240)
TRUTHS = {"fine": FINE, "coarse": FINE // 2}


def _noisy(labels, share):
    return np.where(RNG.random(len(labels)) < share, RNG.integers(0, labels.max() + 1, len(labels)), labels)


LABELINGS = {"three": _noisy(FINE // 2, 0.1), "six": _noisy(FINE, 0.2), "mixed": _noisy(FINE // 2, 0.4)}


def test_each_measure_takes_the_reference_that_fits_it_best_with_its_sides_in_order(backend):
    references = {name: backend.array(x) for name, x in REFERENCES.items()}
    scores = evaluate(references, backend.array(FOUND), ["homogeneity", "completeness", "vi", "purity"])
    # Clusters lie within the coarser classes, and finer classes lie within clusters: with sides exchanged, the other.
    assert {name: scores.references[name] for name in ("homogeneity", "completeness", "purity")} == {
        "homogeneity": "coarser",
        "completeness": "finer",
        "purity": "coarser",
    }
    # H(found | coarser) = 2/3 ln 2 is less than H(finer | found) = ln 2.
    assert scores.references["vi"] == "coarser"
    tolerance = 1e-12 if backend.has_float64 else 1e-6
    expected = [1.0, 1.0, 2 / 3 * np.log(2), 1.0]
    assert [float(x) for x in scores.values()] == pytest.approx(expected, abs=tolerance)
    assert float(scores.by_reference["finer"]["purity"]) == pytest.approx(0.5)


def test_several_references_of_a_benchmark_as_frames():
    import pandas as pd
    import polars as pl

    names = {"two": OTHER, "three": FOUND}
    for frame in (pd.DataFrame, pl.DataFrame, dict):
        comparison = compare(frame(REFERENCES | {"other": OTHER}), frame(names), ["ari"])
        assert [x.references["ari"] for x in comparison.values()] == ["other", "coarser"]
        # Of 15 pairs 3 are together in both, 3 in the clusters and 7 in the classes: 3 - 21/15 over 5 - 21/15.
        assert float(comparison["three"]["ari"]) == pytest.approx(float(Fraction(3 * 15 - 21, 5 * 15 - 21)))
        assert comparison.best["ari"].name == "two"
        assert list(comparison.by_reference) == ["coarser", "finer", "other"]
        assert float(comparison.by_reference["coarser"]["three"]["ari"]) == float(comparison["three"]["ari"])
    lone = compare({"only": OTHER}, names, ["ari"])
    assert [x.references["ari"] for x in lone.values()] == ["only", "only"]
    assert compare(OTHER, names, ["ari"])["two"].references is None


def test_equal_scores_are_of_the_leading_reference_or_the_first_and_unknown_ones_of_none():
    renamed = {"one": OTHER, "same": [5 - x for x in OTHER]}
    assert evaluate(renamed, OTHER, ["ari"]).references["ari"] == "one"
    # Both are homogeneous; the leading measure prefers the second one, and so do equal scores.
    scores = evaluate({"coarser": COARSER, "equal": FOUND}, FOUND, ["homogeneity", "ari"])
    assert [float(x) for x in scores.values()] == [1.0, 1.0]
    assert set(scores.references.values()) == {"equal"}
    classes = {"one": [0] * 6, "three": FOUND}  # the index of a single class is not a number
    scores = evaluate(classes, COARSER, ["standardized_rand_score"])
    assert np.isfinite(scores["standardized_rand_score"])
    assert scores.references["standardized_rand_score"] == "three"


def test_scores_without_a_better_end_are_of_the_reference_of_the_leading_measure():
    measures = {"classes": lambda table: float(table.shape[0]), "ARI": "ari"}
    scores = evaluate(REFERENCES, FOUND, measures)
    assert (scores["classes"], scores.references["classes"], scores.counts["n_classes"]) == (2.0, "coarser", 2)
    with pytest.raises(ValueError, match=r"^metrics must have a measure of agreement of which higher or lower"):
        evaluate(REFERENCES, FOUND, {"classes": measures["classes"]})


def test_intervals_and_pairs_of_samples_are_those_of_the_references_that_fit():
    comparison = compare(TRUTHS, LABELINGS, ["ari", "nmi"], confidence_level=0.9, random_state=0)
    for name, x in comparison.items():
        for measure, reference in x.references.items():
            alone = evaluate(TRUTHS[reference], LABELINGS[name], [measure], confidence_level=0.9, random_state=0)
            assert float(alone[measure]) == float(x[measure])
            estimate, own = x.intervals[measure], alone.intervals[measure]
            assert (estimate.low, estimate.high) == (own.low, own.high)
    assert [comparison[x].references["ari"] for x in LABELINGS] == ["coarse", "fine", "coarse"]


def test_a_difference_leaves_the_same_sample_out_of_two_references():
    lead = compare(TRUTHS, LABELINGS, ["nmi"], confidence_level=0.9).best["nmi"]
    assert lead.name == "three"

    def difference(kept):
        first, second = (
            gpuval.normalized_mutual_info_score(TRUTHS[reference][kept], LABELINGS[name][kept])
            for reference, name in (("coarse", "three"), ("fine", "six"))
        )
        return float(first) - float(second)

    n = len(FINE)
    without = np.asarray([difference(np.arange(n) != left_out) for left_out in range(n)])
    gap = lead.gaps["six"]
    assert float(gap.difference) == pytest.approx(difference(np.full(n, True)))
    assert float(gap.standard_error) == pytest.approx(np.sqrt((n - 1) * without.var()), rel=1e-6)


def test_ignored_labels_values_of_by_and_groups():
    truths = {"fine": np.where(np.arange(240) < 40, -1, FINE), "coarse": FINE // 2}
    by, donors = np.arange(240) % 2, np.arange(240) % 8
    comparison = compare(
        truths, LABELINGS, ["ari"], ignore_labels={"true": -1}, by=by, groups=donors, confidence_level=0.9
    )
    for (name, value), x in comparison.items():
        of_both = {}
        for reference, truth in truths.items():
            part = (by == value) & (truth != -1)
            of_both[reference] = float(gpuval.adjusted_rand_score(truth[part], LABELINGS[name][part]))
        assert float(x["ari"]) == max(of_both.values())
        assert of_both[x.references["ari"]] == max(of_both.values())
    by_value = evaluate(truths, LABELINGS["six"], ["ari"], ignore_labels={"true": -1}, by=by)
    assert [float(x["ari"]) for x in by_value.values()] == [float(comparison["six", value]["ari"]) for value in (0, 1)]


def test_internal_scores_are_of_samples_that_count_in_each_reference():
    X = np.column_stack([FINE + RNG.normal(size=240), RNG.normal(size=240)])
    truths = {"fine": np.where(FINE == 5, -1, FINE), "coarse": np.where(FINE < 1, -1, FINE // 2)}
    found = evaluate(truths, LABELINGS["six"], ["ari", "asw"], X=X, ignore_labels={"true": -1})
    kept = (FINE != 5) & (FINE >= 1)
    expected = gpuval.silhouette_score(X[kept], LABELINGS["six"][kept])
    assert float(found["asw"]) == pytest.approx(float(expected))
    assert list(found.references) == ["adjusted_rand_score"]


def test_frames_against_frames_are_read_once(monkeypatch):
    import pandas as pd

    encoded = []

    def spy(vector, *rest):
        encoded.append(vector.name)
        return encode(vector, *rest)

    monkeypatch.setattr("gpuval.table.labelings.encode", spy)
    for level in (None, 0.9):
        encoded.clear()
        compare(pd.DataFrame(TRUTHS), pd.DataFrame(LABELINGS), ["ari"], confidence_level=level)
        assert sorted(encoded) == sorted(
            [f"labels_true['{x}']" for x in TRUTHS] + [f"labelings['{x}']" for x in LABELINGS]
        )


def test_values_of_by_are_in_order_and_what_a_reference_lacks_is_told():
    references = {"first": list("xxxyzz"), "second": list("yyzzyy")}
    with pytest.warns(UserWarning, match=r"which have no scores: 'A' for 'labels_pred against first'$"):
        found = evaluate(references, FOUND, ["ari"], ignore_labels={"true": "x"}, by=["A"] * 3 + ["B"] * 3)
    assert [(value, x.references["ari"]) for value, x in found.items()] == [("A", "second"), ("B", "first")]


def test_internal_measures_alone_fit_no_reference():
    X = np.arange(12.0).reshape(6, 2)
    found = evaluate(REFERENCES, FOUND, ["asw"], X=X)
    assert found.references is None
    both = evaluate(REFERENCES, FOUND, ["asw", "ari"], X=X)
    assert list(both.to_dict()) == ["silhouette_score", "adjusted_rand_score", "adjusted_rand_score.reference"]
    assert compare(REFERENCES, {"found": FOUND}, ["asw", "ari"], X=X).to_pandas().shape == (1, 3)


def test_scores_without_values_tell_no_reference():
    import jax
    import torch

    def score(*labels):
        return evaluate(dict(zip("ab", labels[:2], strict=True)), labels[2], ["ari"], n_classes=6, n_clusters=3)["ari"]

    labels = [np.asarray(x) for x in (COARSER, FINER, FOUND)]
    message = r"^labels_true must be a single labeling inside "
    with pytest.raises(TypeError, match=message + r"jax\.jit"):
        jax.jit(score)(*map(jax.numpy.asarray, labels))
    with pytest.raises(TypeError, match=message + r"torch\.func\.vmap"):
        torch.func.vmap(score)(*(torch.tensor(x)[None] for x in labels))


def test_tables_of_arrow():
    import pyarrow as pa

    found = compare(pa.table(REFERENCES), pa.table({"found": FOUND}), ["ari"])
    assert found["found"] == compare(REFERENCES, {"found": FOUND}, ["ari"])["found"]


def test_labels_of_dask():
    import dask.array as da

    chunked = {name: da.from_array(x, chunks=100) for name, x in TRUTHS.items()}
    scores = evaluate(chunked, da.from_array(LABELINGS["three"], chunks=100), ["ari"], n_classes=6, n_clusters=3)
    assert scores.references["ari"] == "coarse"
    assert float(scores["ari"]) == float(gpuval.adjusted_rand_score(TRUTHS["coarse"], LABELINGS["three"]))


def test_what_is_shown():
    scores = evaluate(REFERENCES, FOUND, ["homogeneity", "completeness"])
    assert repr(scores) == "homogeneity_score   1.000 coarser\ncompleteness_score  1.000 finer"
    assert scores.to_dict()["completeness_score.reference"] == "finer"
    assert scores.to_pandas()["reference"].tolist() == ["coarser", "finer"]
    comparison = compare(REFERENCES, {"found": FOUND, "other": OTHER}, ["homogeneity", "completeness"])
    assert repr(comparison) == (
        "2 labelings against the best of 2 references: 6 samples\n"
        "       clusters  reference  homogeneity_score  completeness_score\n"
        "found         3    coarser  1.000              1.000 (finer)\n"
        "other         2      finer  0.387              1.000"
    )
    assert comparison.to_pandas()["completeness_score.reference"].tolist() == ["finer", "finer"]
    assert "1.000 (finer)</td>" in comparison._repr_html_()
    verdict = compare(TRUTHS, LABELINGS, ["ari"]).verdict
    assert verdict.sentences[1] == "Of 2 references, three fits “coarse” best."


@pytest.mark.parametrize(
    ("references", "message"),
    [
        ({}, r"^labels_true must have at least one label vector, got none"),
        (
            {"short": FOUND[1:], "whole": FOUND},
            r"^labels_true\['whole'\] must have as many samples as .*'short'\] \(5\)",
        ),
        ({"missing": [None, *FOUND[1:]]}, r"^labels_true\['missing'\] must .*missing"),
        ({"matrix": [FOUND, FOUND]}, r"^labels_true\['matrix'\] must be one-dimensional, got shape \(2, 6\)"),
        ([FOUND, FOUND], r"^labels_true must be one-dimensional, got shape \(2, 6\).*"),
    ],
    ids=["none", "length", "missing", "matrix", "list"],
)
def test_bad_references(references, message):
    for labelings in (FOUND, {"found": FOUND}):
        function = compare if isinstance(labelings, dict) else evaluate
        with pytest.raises((TypeError, ValueError), match=message):
            function(references, labelings)
