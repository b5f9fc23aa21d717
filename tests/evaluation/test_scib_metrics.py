"""Cells of blood: what scib-metrics says of them, as the table of the benchmark has it, beside what we say.

The values are those of ``python -m benchmarks.neighbors scib``, with the versions that are in the file; scib-metrics
itself is not needed here.
"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
import torch

import gpuval
from benchmarks.neighbors import __main__ as command
from benchmarks.neighbors import scib

TABLE = Path(scib.ROOT / "benchmarks" / "results" / "2026-11-23-neighbors.md").read_text(encoding="utf-8")
RECORDED = {
    (batches, score): (float(ours), float(theirs), why)
    for batches, score, ours, theirs, _, why in re.findall(
        r"^\| (-|louvain|drawn) \| (.+?) \| (\S+) \| (\S+) \| (\S+) \| (.+) \|$", TABLE, re.MULTILINE
    )
}
EQUAL = {key: theirs for key, (_, theirs, why) in RECORDED.items() if why == "equal"}


@pytest.fixture(scope="module")
def ours():
    return scib.own_scores()


def test_the_versions_are_named():
    assert "scib-metrics 0.5.10, jax " in TABLE
    assert "- command: `python -m benchmarks.neighbors scib`" in TABLE


def test_equal_where_the_definitions_agree(ours):
    of_their_clusters = {("-", "NMI of their clusters"), ("-", "ARI of their clusters")}
    found = {key: ours[key] for key in EQUAL if key not in of_their_clusters}
    assert len(found) == 19
    wrong = {key: (value, EQUAL[key]) for key, value in found.items() if not abs(value - EQUAL[key]) <= scib.CLOSE}
    assert wrong == {}
    assert {score for _, score in found} >= {
        *("Isolated labels", "Silhouette label", "cLISI", "BRAS", "iLISI", "PCR comparison", "PCR"),
        *("KBET, all cells at once", scib.STRONG),
    }


def test_what_differs_has_its_reason_and_is_as_recorded(ours):
    others = set(RECORDED) - set(EQUAL)
    assert {score for _, score in others} == set(scib.WHY)
    for key in others:
        assert RECORDED[key][2] == scib.WHY[key[1]]
        if not key[1].startswith("KMeans") and key[1] not in scib.MEANS:  # other starts in other versions of SciPy
            assert ours[key] == pytest.approx(RECORDED[key][0], abs=1e-6)


def test_the_drawn_batches_have_no_isolated_label():
    X, labels, batches = scib.cells()
    assert np.isnan(gpuval.isolated_labels_score(labels, batches["drawn"], X=X, on_degenerate="nan"))


def test_tensors_of_32_bits():
    X, labels, batches = scib.cells()
    X, codes, batch = torch.asarray(X), torch.asarray(np.unique(labels, return_inverse=True)[1]), batches["louvain"]
    assert X.dtype == torch.float32
    indices, distances = (torch.asarray(x) for x in scib.search(X.numpy()))
    before = torch.asarray(scib.unintegrated(X.numpy(), batch))
    found = gpuval.integration_scores(
        X, torch.asarray(batch), codes, neighbors=(indices, distances), unintegrated=before, connection="strong"
    )
    for score in ("Isolated labels", "BRAS", "iLISI", "PCR comparison"):
        assert float(found[score]) == pytest.approx(EQUAL["louvain", score], abs=scib.CLOSE)
    for score, key in (
        ("cLISI", "cLISI"),
        ("Silhouette label", "Silhouette label"),
        ("Graph connectivity", scib.STRONG),
    ):
        assert float(found[score]) == pytest.approx(EQUAL["-", key], abs=scib.CLOSE)


# ---- the command ---------------------------------------------------------------------------------


def test_a_row():
    row = scib.Row("-", "cLISI", 0.5, 0.5 + 2e-6)
    assert str(row) == "| - | cLISI | 0.5000000 | 0.5000020 | -2.0e-06 | equal |"
    wrong = scib.Row("-", "cLISI", 0.5, 0.6)
    assert wrong.is_wrong
    assert str(wrong).endswith("| NOT EQUAL |")
    assert scib.Row("-", "cLISI", np.nan, 0.6).is_wrong
    assert not scib.Row("-", "cLISI", np.nan, 0.6, "no label is isolated").is_wrong


def test_what_is_missing_is_told(monkeypatch, capsys):
    monkeypatch.setattr(scib, "find_spec", lambda name: None)
    with pytest.raises(SystemExit):
        command.main(["scib"])
    told = "error: scib needs scib_metrics and sklearn: pip install scib-metrics==0.5.10 scikit-learn"
    assert told in capsys.readouterr().err


def test_the_exit_code_tells_of_wrong_rows(monkeypatch, capsys):
    monkeypatch.setattr(scib, "absent", lambda: None)
    monkeypatch.setattr(scib, "lines", lambda found: iter(map(str, found)))
    for theirs, code in ((0.5, 0), (0.6, 1)):
        monkeypatch.setattr(scib, "rows", lambda theirs=theirs: [scib.Row("-", "cLISI", 0.5, theirs)])
        assert command.main(["scib"]) == code
    assert "NOT EQUAL" in capsys.readouterr().out
