"""What the page "Which measure?" says is what its cells compute and what tests of properties prove."""

from __future__ import annotations

import re

import pytest
from guide_pages import PAGES, cells, ran

import gpuval

PAGE = "which-measure.md"
TEXT = PAGES[PAGE]
MEASURES = {name: function.measure for name, function in gpuval.METRICS.items()}
FULL = {
    "ari": "adjusted_rand_score",
    "ami": "adjusted_mutual_info_score",
    "nca": "normalized_clustering_accuracy",
    "psi": "pair_sets_index",
}


def names():
    """The names after all cells of the page."""
    return ran(PAGE).names


def test_all_cells_are_found():
    assert len(cells(PAGE)) == TEXT.count("```{code-cell}") == 12


@pytest.mark.parametrize("target", sorted(set(re.findall(r"\]\(#([^)]+)\)", TEXT))))
def test_links_within_the_page_lead_to_headings(target):
    headings = re.findall(r"^## (.*)$", TEXT, re.MULTILINE)
    assert target in {re.sub(r"[^\w -]", "", x.lower()).replace(" ", "-") for x in headings}


# ---- what the page says of its cells -------------------------------------------------------------


def test_the_first_case_of_the_page_is_that_of_imbalanced_cell_types():
    """It is in the first row, names the measure and the reason, and its code runs by itself."""
    first = next(x for x in TEXT.splitlines() if x.startswith(("| [", "| **")))
    assert "Imbalanced classes" in first
    assert "cell types" in first
    assert "unknown number of clusters" in first
    assert "**AMI**" in first
    assert "](#imbalanced-classes-unknown-number-of-clusters)" in first
    section = TEXT.partition("## Imbalanced classes, unknown number of clusters\n")[2]
    assert cells(PAGE)[0] in section
    exec(cells(PAGE)[0], found := {})
    assert found["scores"].to_pandas().shape == (7, 2)


def test_ari_prefers_fewer_clusters_than_ami_for_the_cells():
    samples, table = names()["cells"], names()["scores"].to_pandas()
    n_clusters = {column: samples[table[FULL[column]].idxmax()].nunique() for column in ("ari", "ami")}
    assert n_clusters == {"ari": 5, "ami": 7}
    assert samples["bulk_labels"].nunique() == 10
    assert samples["bulk_labels"].value_counts(normalize=True).max() == pytest.approx(1 / 3, abs=0.02)
    ami = table[FULL["ami"]].sort_values()
    assert ami.iloc[-1] - ami.iloc[-3] < 0.01  # close to each other


def test_two_t_cell_types_are_lost():
    values = names()["each_type"]["F-score"]
    lost = set(values[values < 0.2].index)
    assert lost == {"CD4+/CD45RA+/CD25- Naive T", "CD4+/CD45RO+ Memory"}
    assert len(values) == 10
    assert values["CD34+"] == 1


def test_of_random_clusters_some_measures_grow_and_those_that_are_corrected_do_not():
    chance = names()["chance"]
    for name in ("adjusted_mutual_info_score", "adjusted_rand_score"):
        assert chance[name].abs().max() < 0.02
    for name in ("v_measure_score", "purity_score", "rand_score"):
        assert chance[name].is_monotonic_increasing
        assert chance[name].iloc[-1] > chance[name].iloc[0] + 0.3
    accuracy = chance["clustering_accuracy"]
    assert not accuracy.is_monotonic_increasing
    assert accuracy.min() > 0.02
    labels = names()["classes"], names()["mix"]("a", "b")
    assert gpuval.v_measure_score(*labels) == pytest.approx(gpuval.normalized_mutual_info_score(*labels), rel=1e-14)


def test_the_weights_of_classes_are_those_of_the_table():
    loss = names()["loss"]
    weights = {name: MEASURES[name].class_weight for name in loss.index}
    assert len(loss) == 8
    for name, times in loss["times"].items():
        assert times == pytest.approx(10 ** weights[name], rel=1e-9)
    assert set(weights.values()) == {0, 1, 2}


def test_ari_prefers_the_clustering_that_loses_rare_types_and_others_do_not():
    two = names()["two"]
    finds, loses = two.loc["finds rare types"], two.loc["loses rare types"]
    assert loses[FULL["ari"]] > finds[FULL["ari"]]
    assert all(finds[FULL[name]] > loses[FULL[name]] for name in ("ami", "nca", "psi"))


def test_accuracy_is_the_share_of_matched_samples():
    assert names()["accuracy"] == 6 / 8


def test_random_clusters_are_pure_but_not_by_the_adjusted_score():
    pure = names()["pure"]
    few, many, split = "random, 5 clusters", "random, 300 clusters", "each type split in two"
    assert pure["purity"][many] > 0.6 > pure["purity"][few]
    assert pure["adjusted Wallace"][[few, many]].abs().max() < 0.05
    assert pure.loc[split].tolist() == [1, 1]


def test_the_triangle_is_broken_by_similarities_and_kept_by_metrics():
    ways = names()["ways"]
    broken = ways["A to C"] > ways["A to B to C"] + 1e-9
    assert broken.to_dict() == {
        "1 - NMI": True,
        "1 - ARI": True,
        "variation of information": False,
        "normalized information distance": False,
    }


def test_what_is_symmetric():
    exchanged = names()["exchanged"]
    same = exchanged["true, clusters"] == exchanged["clusters, true"]
    assert same.to_dict() == {"AMI": True, "purity": False, "homogeneity": False}
    assert all(x.exchanged == "same" for x in MEASURES.values() if x.is_metric)


def test_noise_that_is_left_out_does_not_count():
    assert names()["left_out"] == 1 > names()["counted"]
    assert names()["share"] == pytest.approx(0.3, abs=0.03)


def test_noise_of_the_reference_alone_keeps_the_cluster_of_its_name():
    """8/33, the exact value, is in ``tests/inputs/test_ignored_sides.py``."""
    found = names()
    assert (float(found["both_sides"]), float(found["of_the_reference"])) == pytest.approx((1, 8 / 33), abs=1e-15)


def test_soft_memberships_score_less_than_the_labels_of_the_highest_probability():
    probabilities, truth = names()["probabilities"], names()["truth"]
    labels = truth.argmax(axis=1), probabilities.argmax(axis=1)
    for soft, measure in zip(names()["soft"], (gpuval.adjusted_rand_score, gpuval.v_measure_score), strict=True):
        assert 0 < soft < measure(*labels) == 1
    with pytest.raises(ValueError, match="count"):
        gpuval.adjusted_mutual_info_score(names()["table"])
