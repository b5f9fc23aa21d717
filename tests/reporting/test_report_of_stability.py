"""A report with the stability of settings: what its section says is what was found."""

import csv
import io

import anndata
import numpy as np
import pandas as pd
import pytest
from report_pages import Page

import gpuval
import gpuval.anndata

TRUTH = np.repeat(list("abcd"), 20)
RANDOM = np.random.default_rng(0)


def runs(k, wrong):
    """Three runs of k clusters, of which so many labels are wrong."""
    codes = np.arange(80) * k // 80
    return [np.where(RANDOM.random(80) < wrong, RANDOM.integers(0, k, 80), codes) for _ in range(3)]


FOUND = gpuval.stability({2: runs(2, 0.02), 4: runs(4, 0.05), 8: [*runs(8, 0.3)[:1], *runs(8, 0.6)]}, random_state=0)
FEW = {"metrics": ["ari"], "n_resamples": 9}


@pytest.fixture(scope="module")
def page():
    labelings = {f"k={k}": labels for k, labels in FOUND.labels.items()}
    return Page(gpuval.report(TRUTH, labelings, stability=FOUND, unit="cell", **FEW).html)


def test_the_section_says_what_is_sure(page):
    assert "How stable the settings are" in page.headings
    assert FOUND.sentence() in " ".join(page.paragraphs)


def test_its_table_has_the_settings_in_their_order(page):
    (place,) = (i for i, x in enumerate(page.captions) if x.startswith("Stability of each setting"))
    heads, *rows = ([x.strip() for x in row] for row in page.tables[place])
    assert heads[:3] == ["setting", "clusters", "ECS"]
    assert [row[0] for row in rows] == ["2", "4", "8"]
    for row, x in zip(rows, FOUND.values(), strict=True):
        n_decimals = len(row[heads.index("by chance")].partition(".")[2])
        assert f"{x.scores['ecs'].mean:.{n_decimals}f}" in row[2]
        assert f"{x.ambiguous:.3f}" in row
    best = next(i for i, setting in enumerate(FOUND) if setting == FOUND.best["ecs"].name)
    assert [i for i, row in enumerate(rows) if "●" in row[2]] == [best]


def test_all_digits_can_be_copied(page):
    (text,) = (x for x in page.csv if x.startswith("setting,"))
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [float(row["inconsistency"]) for row in rows] == [x.inconsistency for x in FOUND.values()]


def test_both_pictures_are_drawn(page):
    texts = " ".join(map(str, page.svg_texts))
    assert "agreement of runs" in texts
    assert "Jaccard index" in texts


def test_what_is_not_known_is_a_dash():
    """Of two runs there is no interval, of one no score."""
    codes = TRUTH == "a"
    found = gpuval.stability({"two $x$": [codes, ~codes], "one": [codes]}, metrics=["ami"])
    page = Page(gpuval.report(TRUTH, [codes], stability=found, **FEW).html)
    (place,) = (i for i, x in enumerate(page.captions) if x.startswith("Stability of each setting"))
    _, two, one = ([x.strip() for x in row] for row in page.tables[place])
    assert (two[0], two[2]) == ("two $x$", "1.000")
    assert one[2:6] == ["–", "0.000", "–", "–"]


def test_the_door_of_anndata_passes_it_on():
    obs = pd.DataFrame({"type": TRUTH, "leiden": FOUND.labels[4].astype(str)})
    adata = anndata.AnnData(obs=obs.set_index(obs.index.astype(str)))
    found = gpuval.anndata.report(adata, "type", "leiden", stability=FOUND, **FEW)
    assert "How stable the settings are" in Page(found.html).headings


def test_other_things_are_no_stability():
    with pytest.raises(TypeError, match=r"^stability must be what gpuval.stability returns, got dict"):
        gpuval.report(TRUTH, [TRUTH], stability={2: 0.5})
