"""What the page about intervals and tests says of its cells, and of the simulations that it quotes."""

from __future__ import annotations

import re

import numpy as np
import pytest
from guide_pages import DOCS, PAGES, ran

import gpuval

PAGE = "statistics.md"
TEXT = (DOCS / PAGE).read_text(encoding="utf-8")
RESULTS = (DOCS.parent / "benchmarks" / "results" / "2026-11-23-inference.md").read_text(encoding="utf-8")
OF_GROUPS = (DOCS.parent / "benchmarks" / "results" / "2026-11-25-groups.md").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def names():
    return ran(PAGE).names


def test_which_method_for_which_measure(names):
    measures = {
        "bca": ["adjusted_rand_score", "rand_score", "fowlkes_mallows_score"],
        "jackknife": [
            *("normalized_mutual_info_score", "adjusted_mutual_info_score", "v_measure_score", "beta_entropy"),
            *("purity_score", "f_measure_score", "bcubed_f_score", "clustering_accuracy"),
        ],
    }
    labels = names["cell_type"], names["sweep"]["leiden_0.4"]
    for method, of_method in measures.items():
        known = [x for x in of_method if x in gpuval.METRICS]
        assert len(known) > 2
        intervals = gpuval.evaluate(*labels, known, confidence_level=0.95, n_resamples=99, random_state=0).intervals
        assert {name: interval.method for name, interval in intervals.items()} == dict.fromkeys(known, method)


def test_donors_make_intervals_wider(names):
    assert names["of_donors"].standard_error > 2 * names["score"].standard_error


def test_intervals_overlap_and_the_difference_is_not_zero(names):
    many, found = names["many"], names["found"]
    first, second = many.scores["leiden_0.1"], many.scores["leiden_0.4"]
    assert first.low < second.high
    assert found.low > 0


def test_no_interval_contradicts_its_p_value(names):
    many = names["many"]
    assert len(many) == 21
    for difference in many.values():
        assert (difference.p_value <= 0.05) == (not difference.low <= 0 <= difference.high)


def test_agreement_by_more_than_chance(names):
    test = names["test"]
    assert abs(test.score) < 0.1
    assert test.p_value == pytest.approx(1 / (999 + 1))
    expected = gpuval.standardized_rand_score(names["cell_type"], names["cells"]["phase"])
    assert ran(PAGE).printed[-1] == f"{expected:.1f} standard deviations\n"


def test_the_short_way_marks_the_best():
    printed, _ = ran(PAGE).that_has(PAGE, "# the short way")
    (row,) = (line for line in printed.splitlines() if line.startswith("leiden_0.1"))
    assert re.findall("[●≈]", row) == ["≈", "●"]  # of AMI and ARI


def test_the_smallest_p_value_is_that_of_all_pairs(names):
    many, gaps = names["many"], names["scores"].best["ari"].gaps
    order = list(many.scores)
    first = order.index(many.best)
    of_all_pairs = {name: many.p_family_wise[first, order.index(name)] for name in gaps}
    smallest = min(gaps, key=lambda name: gaps[name].p_value)
    assert gaps[smallest].p_value == pytest.approx(of_all_pairs[smallest])
    assert all(gaps[name].p_value <= of_all_pairs[name] * (1 + 1e-9) for name in gaps)


@pytest.mark.parametrize(
    ("population", "interval", "quoted"),
    [
        ("20 donors", "ARI, bca, of samples", "in 45 % of the data"),
        ("3 x 3, ARI 0.90", "ARI, jackknife", "in 86 % of the data sets"),
        ("3 x 3, ARI 0.90", "ARI, bca, distinct pairs", "(BCa) in 96 %"),
        ("50 x 50, ARI 0.25", "ARI, bca, distinct pairs", "too wide (98 %)"),
    ],
)
def test_quoted_shares_are_those_of_the_simulations(population, interval, quoted):
    row = re.search(rf"^\| {re.escape(population)} \| \d+ \| {re.escape(interval)} \|.*\| ([\d.]+) \+-", RESULTS, re.M)
    share = int(re.search(r"\d+(?= %)", quoted)[0])
    assert abs(100 * float(row[1]) - share) <= 0.5
    assert quoted in re.sub(r"\s+", " ", PAGES[PAGE])


def test_quoted_shares_are_those_of_few_groups():
    rows = re.findall(r"^\| (\d+) donors, [^|]+\| \d+ \| (\w+), (\w+) \|.*\| ([\d.]+) \+-", OF_GROUPS, re.M)
    assert {(name, method) for _, name, method, _ in rows} == {
        *((name, "jackknife") for name in ("ARI", "NMI", "AMI")),
        *((name, "bca") for name in ("ARI", "NMI")),
    }

    def ends(method, counts):
        shares = [float(x) for n, _, of, x in rows if of == method and int(n) in counts]
        return f"{min(shares):.2f} to {max(shares):.2f}"

    assert f"in {ends('jackknife', range(5, 31))} of the data sets" in _words(gpuval.jackknife.__doc__)
    low, high = (round(100 * float(x)) for x in ends("jackknife", range(5, 31)).split(" to "))
    assert f"in {low} to {high} %" in _words(PAGES[PAGE])
    few, more = ends("bca", (5, 6, 8)), ends("bca", (10, 15, 30))
    assert f"in {few} of the data sets with 5 to 8 groups, and in {more}" in _words(gpuval.bootstrap.__doc__)


def test_quoted_family_wise_errors():
    text = (DOCS.parent / "benchmarks" / "results" / "2026-11-28-best.md").read_text(encoding="utf-8")
    shares = [float(x) for x in re.findall(r"^\| \d+ (?:samples|groups) \|.*\| ([\d.]+) \+-", text, re.M)]
    quoted = f"in {min(shares):.2f} to {max(shares):.2f} of the data sets"
    assert quoted in _words(gpuval.compare_many_scores.__doc__)


def _words(text):
    return re.sub(r"\s+", " ", text)


def test_the_number_of_simulations():
    assert "Of 2,000 data sets" in RESULTS
    assert "2,000 simulated data sets" in PAGES[PAGE]


def test_a_perfect_score_has_no_width():
    estimate = gpuval.bootstrap("ari", [0, 0, 1, 1], [1, 1, 0, 0], random_state=0)
    assert estimate.low == estimate.high == 1


def test_a_reference_made_from_the_clusters_is_found_dependent():
    labels = np.arange(60) % 3
    assert gpuval.permutation_test("ari", labels, labels, random_state=0).p_value == pytest.approx(0.001)
