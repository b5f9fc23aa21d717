"""Several columns of true labels, of which each score is of the one that fits best."""

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest
from command_line import run

import gpuval

TRUTHS = {"fine": list("aabbccdd") * 9, "coarse, of two": list("xxxxyyyy") * 9}
CLUSTERS = {"k2": [0, 0, 0, 0, 1, 1, 1, 0] * 9, "k4": [0, 0, 1, 1, 2, 2, 3, 2] * 9}
FRAME = pd.DataFrame(TRUTHS | CLUSTERS | {"batch": ["one", "two", "two"] * 24, "mixed": TRUTHS["fine"]})
REPEATED = ["--true", "fine", "--true", "coarse, of two"]


@pytest.fixture
def labels(tmp_path):
    FRAME.to_csv(tmp_path / "labels.csv", index=False)
    return tmp_path / "labels.csv"


def _json(*arguments):
    code, out, err = run("evaluate", *arguments, "--format", "json")
    assert code == 0, err
    return json.loads(out)


def _expected(metrics, **options):
    return gpuval.compare(TRUTHS, CLUSTERS, metrics, **options)


def test_scores_and_references_are_those_of_the_library(labels):
    metrics = ["ari", "homogeneity", "completeness", "vi"]
    found = _json(labels, *REPEATED, "--pred", "k*", "--metrics", ",".join(metrics))
    for name, scores in _expected(metrics).items():
        assert found[name]["reference"] == scores.references["ari"]
        assert found[name]["n_classes"] == scores.counts["n_classes"]
        assert {x: found[name][x] for x in scores} == pytest.approx(dict(scores))
        assert {x: found[name][f"{x}.reference"] for x in scores} == dict(scores.references)
    assert found["k2"]["adjusted_rand_score.reference"] == "coarse, of two"
    assert found["k4"]["adjusted_rand_score.reference"] == "fine"


def test_columns_between_commas_are_the_same_as_repeated_ones(tmp_path):
    file = tmp_path / "labels.csv"
    FRAME.rename(columns={"coarse, of two": "coarse"}).to_csv(file, index=False)
    of_list = _json(file, "--true", "fine,coarse", "--pred", "k2")
    assert of_list == _json(file, "--true", "fine", "--true", "coarse", "--pred", "k2")
    code, _, err = run("evaluate", file, "--true", "fine,course", "--pred", "k2")
    assert code == 2
    assert "--true must be a column of" in err
    assert "'course'" in err


def test_intervals_and_values_of_by(labels):
    options = "--pred", "k*", "--metrics", "ari,vi", "--confidence", "0.9", "--seed", "3"
    expected = _expected(["ari", "vi"], confidence_level=0.9, random_state=3, by=FRAME["batch"])
    found = _json(labels, *REPEATED, *options, "--by", "batch")
    for (name, value), scores in expected.items():
        for metric, estimate in scores.intervals.items():
            assert found[name][value][metric]["low"] == pytest.approx(float(estimate.low))
            assert found[name][value][f"{metric}.reference"] == scores.references[metric]
    code, out, _ = run("evaluate", labels, *REPEATED, *options)
    assert code == 0
    assert "Of 2 references, k4 fits “fine” best." in " ".join(out.split())


def test_what_people_and_programs_see(labels):
    code, out, _ = run("evaluate", labels, *REPEATED, "--pred", "k2", "--metrics", "ari,completeness")
    lines = {line.split("  ")[0]: line.split("  ")[-1].strip() for line in out.splitlines()}
    assert code == 0
    assert lines["reference"] == "coarse, of two"
    completeness = gpuval.completeness_score(TRUTHS["fine"], CLUSTERS["k2"])
    assert lines["completeness_score"] == f"{completeness:.3f} (fine)"
    code, out, _ = run("evaluate", labels, *REPEATED, "--pred", "k*", "--metrics", "ari", "--format", "csv")
    rows = {row["labeling"]: row for row in csv.DictReader(io.StringIO(out))}
    assert rows["k4"]["adjusted_rand_score.reference"] == rows["k4"]["reference"] == "fine"


def test_columns_that_hold_no_labels_for_one_reference_are_left_out(labels):
    options = "--metrics", "kappa", "--format", "json"
    code, out, err = run("evaluate", labels, *REPEATED, "--pred", "mixed", *options)
    assert code == 2
    assert "column 'mixed' has no label in common with column 'coarse, of two'" in err
    code, out, err = run("evaluate", labels, "--true", "fine", "--pred", "mix*", *options)
    assert (code, json.loads(out)["mixed"]["cohen_kappa_score"]) == (0, 1.0)


def test_a_page(labels, tmp_path):
    page = tmp_path / "page.html"
    code, out, err = run("report", labels, *REPEATED, "--pred", "k*", "-o", page)
    assert code == 0, err
    assert "Of 2 references" in " ".join(out.split())
    text = page.read_text()
    assert "Clusterings against the best of 2 references" in text
    assert text.count("coarse, of two") > 2


def test_internal_scores_beside_several_references(tmp_path):
    rng = np.random.default_rng(0)
    frame = FRAME.assign(PC_1=rng.normal(size=72), PC_2=rng.normal(size=72))
    frame.to_csv(tmp_path / "labels.csv", index=False)
    found = _json(
        *(tmp_path / "labels.csv", *REPEATED, "--pred", "k2", "--embedding", "PC_*", "--metrics", "asw,ari"),
    )
    assert list(found["k2"])[4:] == [
        "reference",
        "silhouette_score",
        "adjusted_rand_score",
        "adjusted_rand_score.reference",
    ]
    alone = _json(tmp_path / "labels.csv", *REPEATED, "--pred", "k2", "--embedding", "PC_*", "--metrics", "asw")
    assert list(alone["k2"]) == ["n_clusters", "n_samples", "n_dropped", "silhouette_score"]
    X = frame[["PC_1", "PC_2"]].to_numpy()
    assert found["k2"]["silhouette_score"] == pytest.approx(float(gpuval.silhouette_score(X, CLUSTERS["k2"])))
