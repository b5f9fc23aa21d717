"""scib-metrics' Benchmarker on AnnData of 700 cells, as it was saved, beside integration_scores of the same AnnData."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("anndata")

from benchmarks.neighbors import __main__ as command
from benchmarks.neighbors import benchmarker, benchmarker_speed, scib

FRAMES, SAVED = benchmarker.saved_frames()
SCORES = [*scib.BIO, "BRAS", "iLISI", "KBET", "Graph connectivity", "PCR comparison"]
EQUAL = [score for score in SCORES if score not in benchmarker.NOT_EQUAL]


@pytest.fixture(scope="module", params=["louvain", "drawn"])
def both(request):
    return benchmarker.own_frame(benchmarker.annotated(), request.param), FRAMES[request.param]


def test_the_versions_are_named():
    assert SAVED["versions"]["scib-metrics"] == "0.5.10"
    assert SAVED["command"] == "python -m benchmarks.neighbors benchmarker --save"


def test_the_same_scores_where_the_definitions_agree(both):
    ours, theirs = both
    assert [
        *("Isolated labels", "Silhouette label", "cLISI"),
        *("BRAS", "iLISI", "Graph connectivity", "PCR comparison"),
    ] == EQUAL
    for embedding in benchmarker.EMBEDDINGS:
        apart = (ours.loc[embedding, EQUAL] - theirs.loc[embedding, EQUAL]).astype(float).abs()
        assert (apart <= scib.CLOSE).all(), apart.max()


def test_the_same_layout(both):
    ours, theirs = both
    assert ours.columns.tolist() == theirs.columns.tolist()
    assert ours.index.tolist() == theirs.index.tolist()
    assert ours.index.name == theirs.index.name
    assert ours.loc["Metric Type"].tolist() == theirs.loc["Metric Type"].tolist()


def test_the_same_means_of_the_same_scores(both):
    """Theirs are those of the scores in their frame, by the groups and shares that ours have, too."""
    for frame in both:
        for embedding in benchmarker.EMBEDDINGS:
            row, kinds = frame.loc[embedding], frame.loc["Metric Type"]
            means = {
                group: np.mean(row[kinds == group].astype(float)) for group in ("Bio conservation", "Batch correction")
            }
            for group, mean in means.items():
                assert row[group] == pytest.approx(mean, abs=1e-6)
            total = 0.6 * means["Bio conservation"] + 0.4 * means["Batch correction"]
            assert row["Total"] == pytest.approx(total, abs=1e-6)


# ---- the command ---------------------------------------------------------------------------------


def test_the_command(capsys):
    assert command.main(["benchmarker"]) == 0
    told = capsys.readouterr().out
    assert "scib-metrics 0.5.10" in told
    assert told.count("| equal |") == 4 * len(EQUAL)
    assert told.count("| X_centred | drawn |") == len(SCORES) + 3


def test_a_wrong_score_is_told(monkeypatch, capsys):
    frame = FRAMES["louvain"].copy()
    frame.loc["X_pca", "cLISI"] += 2e-5
    monkeypatch.setattr(benchmarker, "own_frame", lambda adata, batch: frame)
    assert command.main(["benchmarker"]) == 1
    assert "NOT EQUAL" in capsys.readouterr().out


def test_what_is_missing_is_told(monkeypatch, capsys):
    monkeypatch.setattr(benchmarker, "find_spec", lambda name: None)
    with pytest.raises(SystemExit):
        command.main(["benchmarker", "--save"])
    told = (
        "benchmarker needs scib_metrics and anndata and sklearn: pip install scib-metrics==0.5.10 anndata scikit-learn"
    )
    assert told in capsys.readouterr().err


def test_what_is_missing_for_the_times_is_told(monkeypatch, capsys):
    monkeypatch.setattr(benchmarker, "find_spec", lambda name: None)
    with pytest.raises(SystemExit):
        command.main(["benchmarker-speed"])
    assert "pip install scib-metrics==0.5.10 anndata scikit-learn" in capsys.readouterr().err


def test_the_parts_that_are_timed_are_those_of_the_call():
    """Each measure by itself gives what the whole call gives."""
    import gpuval.anndata

    adata = benchmarker_speed.annotated(600)
    found = benchmarker_speed.exact(adata.obsm["X_corrected"], 90)
    whole = gpuval.anndata.integration_scores(
        adata,
        "batch",
        "cell_type",
        "X_corrected",
        neighbors={"X_corrected": found},
        unintegrated="X_pca",
        connection="strong",
    )["X_corrected"]
    names = dict(zip(benchmarker_speed.PARTS, ["Isolated labels", "", *SCORES[3:]], strict=True))
    for part, call in benchmarker_speed.own_parts(adata, found).items():
        score = call()
        if names[part]:
            assert float(score) == pytest.approx(float(whole[names[part]]), rel=1e-12), part
