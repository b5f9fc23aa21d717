"""``gpuval.report``: what a page says is what the library finds."""

import csv
import io
import json
import os
import re
import stat
import subprocess
import sys
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pandas as pd
import pytest
from report_cells import CELLS, LEIDEN, PCA, PHASE, TRUTH
from report_pages import Page

import gpuval
from gpuval.display.colors import CATEGORIES
from gpuval.inputs.selection import LabelsToIgnore
from gpuval.plots import SilhouetteDisplay
from gpuval.plots._axes import name_on_plot

USUAL = (
    *("adjusted_rand_score", "adjusted_mutual_info_score", "normalized_mutual_info_score", "homogeneity_score"),
    *("completeness_score", "v_measure_score", "fowlkes_mallows_score", "clustering_accuracy", "purity_score"),
    *("bcubed_f_score", "f_measure_score", "variation_of_information"),
)
FEW = {"metrics": ["ari", "ami"], "n_resamples": 99}
A, B = [0, 0, 0, 1, 1, 1, 2, 2] * 9, [0, 0, 1, 1, 1, 2, 2, 2] * 9


@pytest.fixture(scope="module")
def of_cells():
    options = {"unit": "cell", "title": "Cells", "about": {"file": "cells.csv"}}
    return gpuval.report(TRUTH, LEIDEN, X=PCA, by=PHASE, **options)


@pytest.fixture(scope="module")
def of_few():
    return gpuval.report(TRUTH, LEIDEN, **FEW)


@pytest.fixture(scope="module")
def of_one():
    return gpuval.report(A, [B], **FEW)


def table_of(page, caption):
    """The heads of a table, and its cells by the names of their rows."""
    (place,) = (i for i, x in enumerate(page.captions) if x.startswith(caption))
    head, *rows = page.tables[place][page.has_spans[place] :]
    return [x.strip() for x in head], {name.strip(): [x.strip() for x in cells] for name, *cells in rows}


def numbers_in(cell):
    return [float(x) for x in re.findall(r"\d+\.\d+", cell.replace("\N{MINUS SIGN}", "-"))]


def csv_of(page, place=0):
    heads, *rows = csv.reader(io.StringIO(page.csv[place]))
    return {row[0]: dict(zip(heads, row, strict=True)) for row in rows}


def test_several_references_and_the_one_that_fits_best():
    references = {"fine": A, "coarse": [x > 0 for x in A]}
    labelings = {"two": [x > 0 for x in B], "three": B}
    page = Page(gpuval.report(references, labelings, by=[0, 1, 2] * 24, details=list(labelings), **FEW).html)
    comparison = gpuval.compare(references, labelings, FEW["metrics"])
    lead = {name: x.chosen.lead for name, x in comparison.items()}
    assert lead == {"two": "coarse", "three": "fine"}
    heads, rows = table_of(page, "Scores of each labeling")
    assert {name: row[heads.index("reference") - 1] for name, row in rows.items()} == lead
    numbers = csv_of(page)
    for name, scores in comparison.items():
        for measure in scores:
            assert numbers[name][f"{measure}.reference"] == scores.references[measure]
            assert float(numbers[name][measure]) == float(scores[measure])
    for name in labelings:
        assert f"Each class of {lead[name]} in {name}" in page.headings
    sizes = [len(table) for i, table in enumerate(page.tables) if page.captions[i].startswith("Each class, and")]
    assert sizes == [3, 4]  # a head, and the classes of the one that fits


def test_scores_are_those_of_compare(of_cells):
    """All of them with all digits in the CSV, and in the table of all measures as they are read."""
    expected = gpuval.compare(TRUTH, LEIDEN, [*USUAL, "nca"], confidence_level=0.95, random_state=0)
    inside = gpuval.compare(TRUTH, LEIDEN, ["asw", "ch", "db"], X=PCA)
    page = Page(of_cells.html)
    found = csv_of(page)
    assert set(found) == set(LEIDEN)
    for labeling, cells in found.items():
        assert (int(cells["clusters"]), cells["cells"]) == (LEIDEN[labeling].nunique(), "700")
        for name, score in {**expected[labeling], **inside[labeling]}.items():
            assert float(cells[name]) == pytest.approx(float(score), abs=1e-12)
        for name, x in expected[labeling].intervals.items():
            ends = float(cells[f"{name}.low"]), float(cells[f"{name}.high"])
            assert ends == pytest.approx((float(x.low), float(x.high)), abs=1e-12)
    head, rows = table_of(page, "All measures")
    assert head == ["measure", "family", *LEIDEN]
    assert len(rows) == len(expected["leiden_0.1"]) + len(inside["leiden_0.1"])
    for name, (_, *cells) in rows.items():
        for labeling, cell in zip(LEIDEN, cells, strict=True):
            exact = float(found[labeling][name.split(" ")[-1]])
            n_decimals = len(cell.split(" ")[0].partition(".")[2])
            assert float(cell.split(" ")[0]) == pytest.approx(exact, abs=0.5001 * 10.0**-n_decimals)


def test_the_columns_are_voices_trade_offs_and_scores_without_labels(of_cells):
    head, rows = table_of(Page(of_cells.html), "Scores of each labeling")
    names = ["labeling", "clusters", "AMIeach cell", "ARIeach pair", "NCAeach class", "compl.", "homog."]
    assert head == [*names, "silh.", "CH", "DB \N{DOWNWARDS ARROW}"]
    assert set(rows) == set(LEIDEN)


def who_leads(page, frame):
    """The measure that comes first in the verdict, the table, its order and the groups."""
    head, rows = table_of(page, "Scores of each labeling")
    voices = next(rows[0] for rows in page.tables if rows[0][0] == "highest by one of them")
    in_order = [
        name
        for name, key in (("AMI", "adjusted_mutual_info_score"), ("ARI", "adjusted_rand_score"))
        if list(rows) == list(frame[key].sort_values(ascending=False).index)
    ]
    by_group = next(x for x in page.headings if x.endswith("by phase"))
    return {re.sub("each .*", "", head[2]), *in_order, by_group.split(" ")[0], voices[1].removeprefix("each cell")}


def test_one_measure_leads_everywhere(of_cells):
    """Verdict, order of the table, groups and details are by the same measure."""
    frame = of_cells.scores.to_pandas()
    assert who_leads(Page(of_cells.html), frame) == {"AMI"}
    assert f"Each class in {of_cells.scores.verdict.lead}" in Page(of_cells.html).headings
    assert len(who_leads(Page(of_cells.html.replace("AMI by phase", "ARI by phase")), frame)) == 2


def beyond_range(page, low, high):
    """The ends of intervals in the CSV of groups that no score can have."""
    _, *rows = csv.reader(io.StringIO(page.csv[1]))
    return [x for row in rows for x in row[5:7] if x and not low <= float(x) <= high]


def test_no_interval_ends_beyond_the_range_of_its_measure(of_cells):
    assert beyond_range(Page(of_cells.html), -1, 1) == []
    assert beyond_range(Page(of_cells.html), 0.5, 1) != []


def test_trade_offs_and_measures_beside_the_voices_have_no_sign(of_cells):
    _, rows = table_of(Page(of_cells.html), "Scores of each labeling")
    signs = re.compile("[●≈▼△]")
    assert not any(signs.search(cell) for cells in rows.values() for cell in cells[4:])
    assert any(signs.search(cell) for cells in rows.values() for cell in cells[1:4])
    named = gpuval.report(TRUTH, LEIDEN, metrics=["homogeneity", "purity", "ami", "completeness"])
    head, rows = table_of(Page(named.html), "Scores of each labeling")
    of_one_side = [i for i, x in enumerate(head[1:]) if x in ("homog.", "purity", "compl.")]
    assert len(of_one_side) == 3
    assert not any(signs.search(cells[i]) for cells in rows.values() for i in of_one_side)


def test_the_verdict_is_that_of_the_comparison(of_cells):
    verdict = of_cells.scores.verdict
    page = Page(of_cells.html)
    assert page.summary[: len(verdict.sentences)] == list(verdict.sentences)
    assert page.summary == of_cells.summary
    assert repr(of_cells).replace("\n  ", " ") == "\n".join(f"- {x}" for x in of_cells.summary)
    place = next(i for i, rows in enumerate(page.tables) if rows[0][0] == "highest by one of them")
    names = [row[0].rpartition(" ")[0].rpartition(" ")[0] for row in page.tables[place][1:]]
    assert names[: len(set(names))] == names
    assert {x.best for x in verdict.voices} <= {name.strip() for name in names}


def test_gaps_are_to_the_highest(of_cells):
    page = Page(of_cells.html)
    place = next(i for i, rows in enumerate(page.tables) if rows[0][0] == "highest by one of them")
    frame = of_cells.scores.to_pandas()
    for row in page.tables[place][1:]:
        name = row[0].split(" ")[0]
        for voice, cell in zip(of_cells.scores.verdict.voices, row[1:], strict=True):
            sign, text = cell.split(" ")
            gap = frame[voice.name][name] - frame[voice.name].max()
            if sign == "●":
                assert gap == 0
            else:
                assert float(text.replace("\N{MINUS SIGN}", "-")) == pytest.approx(gap, abs=6e-4)
                assert sign == ("≈" if name in voice.best_set else "▼")


def test_groups_have_their_sizes_and_scores(of_cells):
    page = Page(of_cells.html)
    lead = of_cells.scores.verdict.voices[0]
    expected = gpuval.compare(TRUTH, LEIDEN, [lead.name], by=PHASE, confidence_level=0.95, random_state=0)
    heading, *rows = csv.reader(io.StringIO(page.csv[1]))
    assert heading[:4] == ["group", "cells", "classes", "labeling"]
    for group, n, n_classes, labeling, score, low, high in rows:
        of_group = group == PHASE
        assert (int(n), int(n_classes)) == (of_group.sum(), TRUTH[of_group].nunique())
        x = expected[labeling, group]
        assert float(score) == pytest.approx(float(x[lead.name]), abs=1e-12)
        ends = x.intervals[lead.name]
        assert (float(low), float(high)) == pytest.approx((float(ends.low), float(ends.high)), abs=1e-12)
        assert -1 <= float(low) <= float(high) <= 1
    assert [x.split(":")[0] for x in page.titles if " labelings for " in x] == [
        f"AMI of 7 labelings for “{value}”, {n} cells · {TRUTH[value == PHASE].nunique()} classes"
        for value, n in PHASE.value_counts().items()
    ]
    assert "1 group has too few cells to compare: G2M (17)." in of_cells.summary


def test_every_class_has_its_size_and_small_ones_a_sign(of_cells):
    _, rows = table_of(Page(of_cells.html), "Each class")
    for name, n in TRUTH.value_counts().items():
        assert rows[name][0] == f"{'△ ' * (n < 20)}{n}"


def test_each_class_and_each_cluster(of_cells):
    page = Page(of_cells.html)
    labels = LEIDEN[of_cells.scores.verdict.lead]
    _, rows = table_of(page, "Each class")
    assert {name: int(cells[0].split(" ")[-1]) for name, cells in rows.items()} == TRUTH.value_counts().to_dict()
    shares = pd.crosstab(TRUTH, labels, normalize="index").max(axis=1)
    assert [float(x[2].rstrip("\u00a0%")) for x in rows.values()] == pytest.approx(
        [100 * shares[name] for name in rows], abs=1
    )
    _, rows = table_of(page, "Each cluster")
    assert {int(name): int(cells[0].split(" ")[-1]) for name, cells in rows.items()} == labels.value_counts().to_dict()
    precision = gpuval.cluster_precision(TRUTH, labels).to_pandas()["score"]
    assert [float(x[2].rstrip("\u00a0%")) for x in rows.values()] == pytest.approx(
        [100 * precision[int(name)] for name in rows], abs=1
    )


def decimals_in(cell):
    """How many decimals the first number of a cell has."""
    found = re.search(r"\d\.(\d+)", cell)
    return len(found[1]) if found else 0


def uneven_columns(head, rows):
    """The columns whose numbers do not have one number of decimals, or have more than four."""
    columns = {name: {decimals_in(cells[i]) for cells in rows.values()} for i, name in enumerate(head[1:])}
    return [name for name, found in columns.items() if len(found) > 1 or max(found) > 4]


def test_one_number_of_decimals_for_each_column(of_cells):
    for caption in ("Scores of each labeling", "Each class", "Each cluster"):
        head, rows = table_of(Page(of_cells.html), caption)
        assert uneven_columns(head[:6], {name: cells[:5] for name, cells in rows.items()}) == []
    assert uneven_columns(["", "n", "F"], {"a": ["5", "0.62"], "b": ["5", "0.6247"]}) == ["F"]


WORDS_OF_TESTS = re.compile(r"\b(best|ahead|noise|told apart)\b")


def test_without_intervals_nothing_is_called_best(of_cells):
    """Nor ahead, nor within noise: without intervals nobody knows."""
    found = gpuval.report(TRUTH, LEIDEN, by=PHASE, confidence_level=None)
    page = Page(found.html)
    names = [x.replace("best F", "").replace("1 is best", "") for x in page.texts]
    assert [x for x in names if WORDS_OF_TESTS.search(x)] == []
    assert "≈" not in "".join(page.texts)
    assert "▼" not in "".join(page.texts)
    assert any(WORDS_OF_TESTS.search(x) for x in Page(of_cells.html).texts)


def groups_with_marks(page, fewest):
    """The small groups in which something is said to be the highest, or has an interval."""
    found = []
    for title in page.titles:
        if " labelings for " in title:
            n = int(re.search(r", ([\d,]+) ", title)[1].replace(",", ""))
            is_marked = "highest" in title or "noise" in title
            found += [title] * (n < fewest and is_marked)
    return found


def test_small_groups_have_no_marks(of_cells):
    page = Page(of_cells.html)
    assert groups_with_marks(page, 30) == []
    assert groups_with_marks(page, 600) != []  # of larger groups something is said
    small = [x for x in page.titles if re.search(r"(^|, )17 cells", x)]
    assert len(small) == 1
    assert "too few to compare" in small[0]


def test_the_demo_is_small(of_cells):
    assert len(of_cells.html.encode()) <= 700_000


def test_many_samples_are_pixels():
    """The pictures of several widths are one, and what is too much for a tree is not drawn."""
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 20, 210_000)
    X = rng.normal(size=(210_000, 2)) + truth[:, None]
    mixed = {
        f"k{i}": np.where(rng.random(len(truth)) < i / 9, rng.integers(0, 60, len(truth)), truth) for i in range(9)
    }
    found = gpuval.report(truth, mixed, coordinates=X, metrics=["ami"], confidence_level=None)
    assert len(found.html) < 3_000_000
    assert len(re.findall('<image [^>]*height="1"', found.html)) == 2  # k0 is the same partition as the classes
    assert len(re.findall('<use href="#figure[0-9]*-picture', found.html)) == 9
    assert "ribbons" not in found.html
    assert found.html.count("<path") < 20_000


def test_facts(of_cells):
    facts = Page(of_cells.html).facts
    assert (facts["samples"], facts["true labels"]) == ("700", "bulk_labels (10 classes)")
    assert (facts["file"], facts["by"], facts["X (samples x features)"]) == ("cells.csv", "phase", "700 x 10")
    assert facts["labelings"] == ", ".join(LEIDEN)
    assert facts["gpuval"] == gpuval.__version__
    assert facts["numpy"] == np.__version__
    assert facts["silhouettes"] == "of all samples"


def test_sections(of_cells):
    assert Page(of_cells.html).headings == [
        *("Scores", "From one labeling to the next", "AMI by phase", "leiden_0.1 in the embedding"),
        *("Each class in leiden_0.1", "Classes and clusters of leiden_0.1", "Silhouettes of leiden_0.1"),
        *("Agreement of all pairs", "Data, settings and versions"),
    ]


def test_a_report_is_the_same_each_time(of_few):
    again = gpuval.report(TRUTH, LEIDEN, **FEW)
    without_time = [re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", "", x.html) for x in (of_few, again)]
    assert without_time[0] == without_time[1]


def test_details():
    found = gpuval.report(TRUTH, LEIDEN, details=["leiden_2.0", "leiden_0.1"], **FEW)
    shown = [x for x in Page(found.html).headings if x.startswith("Each class")]
    assert shown == ["Each class in leiden_2.0", "Each class in leiden_0.1"]
    assert "Each class in 1" in Page(gpuval.report(A, {0: A, 1: B}, details=1, **FEW).html).headings
    for wrong in ("leiden_9", ["leiden_9"], 3, [3]):
        with pytest.raises(
            ValueError, match=r"^details must be names of labelings, got .*, and there are 'leiden_0.1'"
        ):
            gpuval.report(TRUTH, LEIDEN, details=wrong, **FEW)


def test_internal_measures_alone():
    found = gpuval.report(None, LEIDEN, X=PCA, by=PHASE)
    assert found.summary == [
        *found.scores.verdict.sentences,
        "1 group has too few samples to compare: G2M (17).",
        "Almost one partition (ARI over 0.98): leiden_0.2 and leiden_0.4.",
    ]
    page = Page(found.html)
    assert page.headings == [
        *("Scores", "From one labeling to the next", "Silhouette by phase", "leiden_0.2 in the embedding"),
        *("Silhouettes of leiden_0.2", "Agreement of all pairs", "Data, settings and versions"),
    ]
    head, rows = table_of(page, "Scores of each labeling")
    assert head == ["labeling", "clusters", "silh.", "CH", "DB \N{DOWNWARDS ARROW}"]
    assert {name for name, cells in rows.items() if cells[1].startswith("●")} == {"leiden_0.2", "leiden_0.4"}
    assert "true labels" not in page.facts


def test_silhouettes_of_some_samples():
    found = gpuval.report(TRUTH, LEIDEN, X=PCA, metrics=["ari", "asw"], sample_size=200, n_resamples=9)
    whole = gpuval.silhouette_scores(PCA, LEIDEN)
    drawn = [float(x["asw"]) for x in found.scores.values()]
    assert drawn == pytest.approx(gpuval.silhouette_scores(PCA, LEIDEN, sample_size=200, random_state=0), abs=1e-12)
    assert 1e-6 < abs(drawn - whole).max() < 0.1
    assert "Silhouettes are computed for 200 samples, drawn at random" in found.html
    assert Page(found.html).facts["silhouettes"] == "of 200 samples, drawn at random"


@pytest.mark.parametrize("random_state", [7, None, np.random.default_rng(7)], ids=["seed", "none", "generator"])
def test_the_plot_is_of_the_silhouettes_whose_mean_the_table_has(random_state, monkeypatch):
    plotted, made = [], SilhouetteDisplay.from_samples

    def recorded(*given, **options):
        plotted.append(made(*given, **options))
        return plotted[-1]

    monkeypatch.setattr(SilhouetteDisplay, "from_samples", recorded)
    one = {"a": LEIDEN["leiden_0.4"]}
    found = gpuval.report(None, one, X=PCA, metrics=["asw"], sample_size=50, random_state=random_state)
    assert [x.mean for x in plotted] == pytest.approx([float(found.scores["a"]["asw"])], abs=1e-12)


def test_silhouettes_of_some_samples_where_labelings_ignore_others():
    labelings = {"all": LEIDEN["leiden_0.4"], "some": LEIDEN["leiden_0.7"].where(LEIDEN["leiden_0.7"] != 0)}
    found = gpuval.report(None, labelings, X=PCA, metrics=["asw"], sample_size=200, ignore_labels=[None])
    kept = labelings["some"].notna()
    expected = gpuval.silhouette_score(PCA[kept], labelings["some"][kept], sample_size=200, random_state=0)
    assert float(found.scores["some"]["asw"]) == pytest.approx(float(expected), abs=1e-12)


def test_ignored_labels_and_what_is_dropped():
    truth = TRUTH.where(TRUTH != "Dendritic")
    found = gpuval.report(truth, LEIDEN, ignore_labels=[None], **FEW)
    n = int(truth.notna().sum())
    assert Page(found.html).facts["samples"] == f"{n} of 700"
    assert "Dendritic" not in found.html


@pytest.mark.parametrize("ignored", [-1, {"pred": -1}])
def test_a_label_to_ignore_that_some_labelings_can_hold(ignored):
    """Also where parts of the page are of labels that cannot hold it; what a caller has read is checked each time."""
    text = {f"text {i}": [f"c{(place * i) % 7}" for place in range(72)] for i in range(1, 61)}
    labelings = {"exact": list(map(str, A)), "numbers": [-1, 0, *[0] * 70], **text}
    X = [[float(i), float(i % 5)] for i in range(72)]
    options = {"ignore_labels": LabelsToIgnore.read(ignored), "confidence_level": None}
    found = gpuval.report(list(map(str, A)), labelings, X=X, metrics=["ari", "asw"], **options)
    assert found.scores.verdict.lead == "exact"
    assert found.scores["numbers"].counts["n_samples"] == 71
    with pytest.raises(TypeError, match=r"^ignore_labels.* must be of a type that"):
        gpuval.report(list(map(str, A)), text, **options)


def test_names_that_do_not_equal_themselves():
    nan = float("nan")
    by, of_tuple = [0, 1] * 36, {nan: "ari", 2: "ari", 2.5: "nmi"}
    found = gpuval.report(A, {nan: A, "b": B}, by=by, metrics=of_tuple, confidence_level=None)
    assert "nan is the same partition as the classes." in Page(found.html).paragraphs
    tied = gpuval.report(A, {nan: A, "b": A}, metrics=["ari"], confidence_level=None)
    _, rows = table_of(Page(tied.html), "Scores of each labeling")
    assert {name: cells[1] for name, cells in rows.items()} == {"nan": "● 1.000", "b": "● 1.000"}


def test_ignored_labels_of_one_side():
    """All that the page says is without them; pairs of labelings, which have no true side, are of all samples."""
    truth = TRUTH.astype(str).replace("Dendritic", "0")
    labelings = LEIDEN.astype(str)
    kept = truth != "0"
    found = gpuval.report(truth, labelings, ignore_labels={"true": iter(["0"])}, **FEW)
    expected = gpuval.report(truth[kept], labelings[kept], **FEW)
    assert [x for x in found.summary if "ignored" not in x] == expected.summary
    assert "Up to 240 of 700 samples are ignored." in found.summary
    assert table_of(Page(found.html), "Each class") == table_of(Page(expected.html), "Each class")
    facts = Page(found.html).facts
    assert facts["samples"] == f"{int(kept.sum())} of 700"
    assert facts["ignored labels"] == "0 (true labels)"
    for ignored, said in (
        ([None, "0"], "missing ones, 0"),
        ({"true": "0", "pred": [None]}, "0 (true labels); missing ones (labelings)"),
    ):
        assert Page(gpuval.report(truth, labelings, ignore_labels=ignored, **FEW).html).facts["ignored labels"] == said


def test_weights():
    weights = np.where(np.arange(700) % 2, 2, 0)
    found = gpuval.report(TRUTH, LEIDEN, sample_weight=weights, **FEW)
    expected = gpuval.compare(TRUTH, LEIDEN, ["ari"], sample_weight=weights)
    assert float(found.scores["leiden_1.0"]["ari"]) == float(expected["leiden_1.0"]["ari"])
    with pytest.raises(
        ValueError, match=r"^sample_weight must count samples .* or confidence_level=None for no intervals$"
    ):
        gpuval.report(TRUTH, LEIDEN, sample_weight=weights / 3, **FEW)
    found = gpuval.report(TRUTH, LEIDEN, sample_weight=weights / 3, confidence_level=None, metrics=["ari"])
    expected = gpuval.compare(TRUTH, LEIDEN, ["ari"], sample_weight=weights / 3)
    assert float(found.scores["leiden_1.0"]["ari"]) == pytest.approx(float(expected["leiden_1.0"]["ari"]), abs=1e-12)
    assert "intervals" not in Page(found.html).facts


def test_one_labeling():
    found = gpuval.report(TRUTH, CELLS["louvain"], **FEW)
    assert found.summary[0].startswith("louvain agrees with “bulk_labels”: ARI 0.415")
    assert Page(found.html).headings == [
        *("Scores", "Each class in louvain", "Classes and clusters of louvain", "Data, settings and versions"),
    ]
    series = pytest.importorskip("polars").Series("louvain", CELLS["louvain"].to_numpy())
    assert gpuval.report(TRUTH.to_numpy(), series, **FEW).summary[0].startswith("louvain agrees with the true labels")


def test_lists_and_other_libraries():
    torch = pytest.importorskip("torch")
    jnp = pytest.importorskip("jax.numpy")
    pl = pytest.importorskip("polars")
    expected = gpuval.report(A, [A, B], **FEW).summary
    assert expected[0].startswith("labeling 0 agrees best, however you count: ARI 1.00, ahead of labeling 1 by")
    for of in (np.asarray, torch.as_tensor, jnp.asarray):
        assert gpuval.report(of(A), [of(A), of(B)], **FEW).summary == expected
    named = gpuval.report(pl.Series("kind", A), pl.DataFrame({"x": A, "y": B}), **FEW)
    assert named.summary[0].startswith("x agrees best, however you count: ARI 1.00, ahead of y by")


def test_samples_of_torch():
    torch = pytest.importorskip("torch")
    found = gpuval.report(torch.as_tensor(A), [torch.as_tensor(B)], X=torch.rand(72, 3), **FEW | {"metrics": ["asw"]})
    assert "Silhouettes of the samples" in found.html


def test_a_collapsed_labeling():
    found = gpuval.report(TRUTH, {"one": np.zeros(700, int), "each": np.arange(700)}, X=PCA)
    assert Page(found.html).headings[0] == "Scores"


def test_three_hundred_labels_and_forty_labelings():
    random = np.random.default_rng(0)
    truth = random.integers(0, 300, 3000)
    labelings = {
        f"k{i}": np.where(random.random(3000) < i / 50, random.integers(0, 300, 3000), truth) for i in range(40)
    }
    found = gpuval.report(truth, labelings, metrics=["ari"], n_resamples=9)
    assert len(found.html) < 1_500_000
    _, rows = table_of(Page(found.html), "Each class")
    assert len(rows) == 300


def test_many_values_of_by():
    by = np.arange(700) % 100
    page = Page(gpuval.report(TRUTH, LEIDEN, by=by, **FEW).html)
    _, rows = table_of(page, "ARI of each group")
    assert len(rows) == 40
    assert "60 smaller groups are only in the CSV." in page.paragraphs
    assert page.csv[1].count("\n") == 1 + 100 * LEIDEN.shape[1]


def test_notes_are_in_the_page():
    truth = TRUTH.where(PHASE != "G2M")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = gpuval.report(truth, LEIDEN, by=PHASE, ignore_labels=[None], **FEW)
    assert "'G2M'" in Page(found.html).facts["1."]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"labels_true": None}, "labels_true must be given without X, got None"),
        ({"metrics": ["asw"]}, r"X must be given for silhouette_score, got None"),
        ({"metrics": ["no"]}, "metrics must be names of measures, got 'no'"),
        ({"labels_true": [], "labelings": {"p": []}}, "labelings must have at least one sample, got none"),
        ({"by": [None] * 72}, r"by must not have missing labels \(NaN, None\), got 72 of 72$"),
        ({"labelings": {}}, "labelings must have at least one label vector, got none"),
        ({"labelings": {"x": A[1:]}}, r"labelings\['x'\] must have as many samples as labels_true"),
        ({"title": 3}, "title must be a text, got int"),
        ({"output": 3}, "output must be the path of a file, got int"),
        ({"about": ["x"]}, "about must be a mapping from names to texts, got list"),
        ({"confidence_level": 95}, "confidence_level must be between 0 and 1, got 95"),
        ({"n_resamples": 0}, "n_resamples must be"),
        ({"sample_size": 0.5, "X": np.ones((72, 2))}, "sample_size must be an integer, got 0.5"),
        ({"sample_size": np.array([3, 4]), "X": np.ones((72, 2))}, r"sample_size must be an integer, got array\(\["),
        ({"sample_size": "few", "X": np.ones((72, 2))}, "sample_size must be a number, 'auto' or None, got 'few'"),
        ({"sample_size": 1, "X": np.ones((72, 2))}, "sample_size must be at least 2, got 1"),
        (
            {"output": "no/such/folder/report.html"},
            "output must be a file that can be written, got 'no/such/folder/report.html': there is no folder",
        ),
        ({"by": A[1:]}, "by must have as many"),
    ],
)
def test_errors_name_the_argument(change, message):
    arguments = {"labels_true": A, "labelings": {"x": A, "y": B}, **FEW, **change}
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        gpuval.report(arguments.pop("labels_true"), arguments.pop("labelings"), **arguments)


def test_a_wrong_output_is_told_before_anything_is_computed(monkeypatch):
    monkeypatch.setattr("gpuval.reporting.building.score_labelings", lambda *_: pytest.fail("computed"))
    with pytest.raises(ValueError, match=r"^output must be"):
        gpuval.report(A, [B], output="no/such/folder/report.html")


def test_files(tmp_path):
    path = tmp_path / "report.html"
    found = gpuval.report(A, [B], output=path, **FEW)
    assert path.read_text(encoding="utf-8") == found.html
    path.write_text("before")
    assert found.save(str(path)) == path
    assert path.read_text(encoding="utf-8") == found.html
    assert list(tmp_path.iterdir()) == [path]


def test_a_browser_is_asked_to_show_it(monkeypatch, of_one):
    shown = []
    monkeypatch.setattr("webbrowser.open", shown.append)
    path = of_one.open()
    assert shown == [path.as_uri()]
    assert path.read_text(encoding="utf-8") == of_one.html
    path.unlink()


def test_a_notebook_shows_the_page(of_one):
    frame = of_one._repr_html_()
    assert frame.startswith("<div><iframe srcdoc=")
    assert "<script>" not in frame


LOADED = """
import json, sys
import gpuval
gpuval.report([0, 0, 1, 1] * 9, [[0, 1, 1, 1] * 9], metrics=["ari"], n_resamples=9)
import matplotlib
print(json.dumps([sorted({x.partition(".")[0] for x in sys.modules}), "matplotlib.pyplot" in sys.modules]))
"""


def test_no_more_is_loaded_than_is_needed():
    ran = subprocess.run([sys.executable, "-c", LOADED], capture_output=True, text=True, check=True)
    loaded, has_pyplot = json.loads(ran.stdout)
    assert {"torch", "jax", "pandas", "anndata", "click", "rich", "dask"}.isdisjoint(loaded)
    assert not has_pyplot


def test_settings_of_matplotlib_are_left_alone(of_one):
    import matplotlib as mpl

    with mpl.rc_context({"text.usetex": True, "figure.facecolor": "red", "font.size": 30}):
        before = dict(mpl.rcParams)
        found = gpuval.report(A, [B], **FEW)
        assert dict(mpl.rcParams) == before
    assert found.html.count("<svg") == of_one.html.count("<svg")


# Words.


def test_lower_may_be_better():
    found = gpuval.report(TRUTH, LEIDEN, metrics=["vi"])
    _, rows = table_of(Page(found.html), "Scores of each labeling")
    assert list(rows) == list(found.scores.to_pandas()["variation_of_information"].sort_values().index)


def half_of_purity(table):
    return gpuval.purity_score(table) / 2


@pytest.mark.parametrize(
    ("metrics", "ends"),
    [
        (["vi"], {"lowest"}),
        (["ami"], {"highest"}),
        (["ami", "vi"], {"highest", "lowest"}),
        ({"ari": half_of_purity}, set()),
    ],
)
def test_the_best_score_is_called_by_its_end(metrics, ends):
    """A function of a user has neither end, and keeps the name that the user gave it."""
    labelings, by = {"x": A * 3, "y": B * 3}, [0, 1] * 108
    html = gpuval.report(A * 3, labelings, metrics=metrics, by=by, n_resamples=9).html
    assert set(re.findall(r"\b(?:highest|lowest)\b", re.sub(r"(?s)<(style|script).*?</\1>", "", html))) == ends
    assert ("Ari by" in html, "ARI by" in html) == ("ari" in metrics, False)


def test_scores_that_are_not_known():
    X = np.random.default_rng(0).normal(size=(72, 2))
    for labelings in ({"a": [0] * 72, "b": [0] * 72}, {"a": list(range(72)), "b": [0] * 72}):
        found = gpuval.report(None, labelings, X=X)
        assert found.summary[0] == "None of these measures says which labeling to take."
        assert "Silhouettes of" not in found.html
    found = gpuval.report(A, {"each": list(range(72)), "b": B}, X=X, details="each")
    assert "Silhouettes of" not in found.html


def test_labelings_without_a_common_sample():
    halves = {"start": [*B[:36], *["-"] * 36], "end": [*["-"] * 36, *B[36:]]}
    found = gpuval.report(A, halves, ignore_labels=["-"], unit="cell")
    assert found.summary[:2] == [
        "None of these measures says which labeling to take.",
        "Not compared, as the labeling with the best score has no cell in common with others.",
    ]


def test_labelings_that_are_compared_by_common_samples():
    """As many samples count in each, but not the same ones."""
    labelings = {"first": [*B[:54], *["-"] * 18], "last": [*["-"] * 18, *B[18:]]}
    found = gpuval.report(A, labelings, ignore_labels=["-"], n_resamples=9)
    assert "● best of the samples in common" in found.html
    assert "● best of the samples in common" not in gpuval.report(A, {"x": B, "y": A}, n_resamples=9).html


def test_a_labeling_with_few_samples_of_a_group_is_not_compared_there():
    truth, by = np.arange(400) % 4, np.repeat(["x", "y"], 200)
    random = np.random.default_rng(0)
    good, poor = (np.where(random.random(400) < share, random.integers(0, 4, 400), truth) for share in (0.1, 0.9))
    labelings = {"good": good, "some": np.where(np.arange(400) < 220, truth, -1), "poor": poor}
    html = gpuval.report(truth, labelings, metrics=["ami"], by=by, ignore_labels=[-1], n_resamples=9).html
    assert re.findall(r">((?:highest|all) \w+(?: within noise)?)<", html) == ["highest some", "highest good"]
    assert "some does not differ" not in html


def test_measures_of_several_numbers():
    metrics = {"hcv": gpuval.homogeneity_completeness_v_measure}
    found = gpuval.report(A, {"x": B, "y": A}, by=[0, 1] * 36, metrics=metrics, confidence_level=None)
    head, _ = table_of(Page(found.html), "Scores of each labeling")
    assert head[2:] == ["hcv.ho…neity", "hcv.co…eness", "hcv.v_…asure"]
    assert set(csv_of(Page(found.html))["x"]) >= {"hcv.homogeneity", "hcv.completeness", "hcv.v_measure"}
    assert "hcv.homogeneity by group" in Page(found.html).headings


def test_internal_scores_are_no_agreement():
    found = gpuval.report(TRUTH, LEIDEN, X=PCA, metrics=["asw", "ari"], n_resamples=9)
    assert found.summary[0].startswith("leiden_0.1 agrees best: ARI 0.459")


def test_parts_of_a_split_are_counted():
    found = gpuval.report(["x"] * 100, {"a": np.repeat(np.arange(10), 10)}, metrics=["ari"], n_resamples=9)
    assert Page(found.html).paragraphs.count(
        "Most of the disagreement between a and the classes (100\u00a0% of the pairs of samples that disagree): "
        "class “x” is split into the clusters “0” (10\u00a0%), “1” (10\u00a0%), “2” (10\u00a0%) and 7 more."
    )


def test_a_split_in_two():
    found = gpuval.report(["x"] * 4 + ["y"] * 4, {"a": [0, 0, 1, 1, 2, 2, 2, 2]}, metrics=["ari"], n_resamples=9)
    said = "class “x” is split in two, the clusters “0” (50\u00a0%) and “1” (50\u00a0%)."
    assert any(said in x for x in Page(found.html).paragraphs)


def test_groups_are_left_out_whole(of_few):
    donor = np.arange(700) % 12
    found = gpuval.report(TRUTH, LEIDEN, groups=donor, **FEW)
    expected = gpuval.compare(
        TRUTH, LEIDEN, FEW["metrics"], groups=donor, confidence_level=0.95, n_resamples=99, random_state=0
    )
    assert found.scores["leiden_1.0"].intervals["ari"].low == expected["leiden_1.0"].intervals["ari"].low
    assert of_few.scores["leiden_1.0"].intervals["ari"].low != expected["leiden_1.0"].intervals["ari"].low


def test_the_silhouettes_drawn_are_those_of_the_table():
    truth = TRUTH.where(TRUTH != "Dendritic")
    found = gpuval.report(truth, LEIDEN[["leiden_0.1"]], X=PCA, metrics=["asw"], ignore_labels=[None], sample_size=None)
    kept = truth.notna()
    expected = gpuval.silhouette_score(PCA[kept], LEIDEN["leiden_0.1"][kept])
    assert float(found.scores["leiden_0.1"]["asw"]) == pytest.approx(float(expected), abs=1e-12)
    assert f"mean {float(expected):.2f}" in Page(found.html).svg_texts


def test_silhouettes_that_nobody_asked_for_are_not_drawn():
    assert (
        "<figcaption>Silhouettes" not in gpuval.report(TRUTH, LEIDEN, X=PCA, metrics=["ari", "ch"], n_resamples=9).html
    )


def test_weights_of_torch_beside_samples():
    torch = pytest.importorskip("torch")
    X, weights = torch.rand(72, 3), torch.arange(72) % 3
    found = gpuval.report(torch.as_tensor(A), {"b": torch.as_tensor(B)}, X=X, sample_weight=weights, sample_size=20)
    expected = gpuval.silhouette_score(X, torch.as_tensor(B), sample_weight=weights, sample_size=20, random_state=0)
    assert float(found.scores["b"]["asw"]) == pytest.approx(float(expected), abs=1e-12)


def test_names_of_what_has_none():
    pl = pytest.importorskip("polars")
    found = gpuval.report(pl.Series(A), {10**400: A, "x": B}, by=pd.Series([0, 1] * 36, name=0), **FEW)
    assert "against true labels" in Page(found.html).paragraphs[0]
    assert "ARI by 0" in Page(found.html).headings
    assert Page(found.html).facts["by"] == "0"


def test_the_truth_has_a_name_of_its_own_among_pairs():
    labelings = {"k": B, "k (true labels)": A[::-1]}
    found = gpuval.report(pd.Series(A, name="k"), labelings, **FEW)
    names = ["k", "k (true labels)", "k (true labels) (true labels)"]
    assert set(map(name_on_plot, names)) <= set(Page(found.html).svg_texts)


def test_what_is_said_about_the_data_is_beside_what_is_known():
    html = gpuval.report(A, [B], about={"samples": 3}, title="", **FEW).html
    assert [html.count(f"<dt>samples</dt><dd>{n}</dd>") for n in (3, 72)] == [1, 1]
    assert "<h1>Clusterings against true labels</h1>" in gpuval.report(A, [B], title="", **FEW).html


def test_many_classes_and_many_labelings_are_cut():
    labels = np.arange(1200) // 2
    page = Page(gpuval.report(labels, {"x": labels // 2}, **FEW).html)
    _, rows = table_of(page, "Each class")
    assert len(rows) == 500
    random = np.random.default_rng(0)
    labelings = {f"k{i}": random.integers(0, 3, 72) for i in range(61)}
    found = gpuval.report(A, labelings, metrics=["ari"], confidence_level=None)
    assert "The 40 best of 61 labelings." in found.html


def test_measures_that_are_read_once():
    found = gpuval.report(A, [B], X=np.ones((72, 1)), metrics=iter(["ari", "ch"]), n_resamples=9)
    assert list(found.scores[0]) == ["adjusted_rand_score", "calinski_harabasz_score"]


def test_infinite_scores_are_sorted():
    X = [[0.0, 0.0], [1.0, 1.0]] * 20
    html = gpuval.report(None, {"a": [0, 1] * 20, "b": [0, 0, 1, 1] * 10}, X=X, metrics=["ch", "dunn"]).html
    assert 'data-value="Infinity"' in html
    assert 'data-value="inf"' not in html


def test_threads_leave_settings_as_they_were():
    import matplotlib as mpl

    before, filters = dict(mpl.rcParams), list(warnings.filters)
    with ThreadPoolExecutor(4) as pool:
        pages = [x.html for x in pool.map(lambda _: gpuval.report(A, [B], **FEW), range(4))]
    assert dict(mpl.rcParams) == before
    assert warnings.filters == filters
    assert len({re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC", "", x) for x in pages}) == 1


def test_namespaces_of_xml_are_left_alone():
    from xml.etree import ElementTree as Xml

    gpuval.report(A, [B], **FEW)
    assert Xml.tostring(Xml.fromstring('<a xmlns="http://www.w3.org/2000/svg"/>')).startswith(b"<ns0:a")


def test_warnings_of_others_reach_the_user():
    def warns(table):
        warnings.warn("of a user", RuntimeWarning, stacklevel=1)
        return 0.5

    with pytest.warns(RuntimeWarning, match="of a user"):
        gpuval.report(A, [B], metrics={"mine": warns}, confidence_level=None)


def test_files_keep_what_they_are(tmp_path, of_one):
    private, linked, target = (tmp_path / x for x in ("private.html", "link.html", "target.html"))
    private.touch(0o600)
    target.touch()
    linked.symlink_to(target)
    of_one.save(private)
    of_one.save(linked)
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert linked.is_symlink()
    assert target.read_text(encoding="utf-8") == of_one.html
    before = os.umask(0o077)
    try:
        of_one.save(tmp_path / "new.html")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new.html").stat().st_mode) == 0o600


def test_another_measure_in_the_place_of_drawn_silhouettes():
    found = gpuval.report(None, LEIDEN, X=PCA, by=PHASE, sample_size=100)
    assert "Silhouettes of a random sample are not computed for each value: this is Calinski-Harabasz." in found.html
    found = gpuval.report(None, LEIDEN, X=PCA, by=PHASE, sample_size=100, metrics=["asw"])
    assert "<p>Silhouettes of a random sample are not computed for each value.</p>" in found.html
    assert "not computed for each value" not in gpuval.report(None, LEIDEN, X=PCA, by=PHASE, sample_size=None).html


@pytest.mark.parametrize(("n", "is_drawn"), [(10_000, False), (10_001, True)])
def test_silhouettes_of_many_samples_are_drawn(n, is_drawn):
    random = np.random.default_rng(0)
    X, labels = random.normal(size=(n, 2)), random.integers(0, 3, n)
    found = gpuval.report(None, {"x": labels}, X=X, metrics=["asw"])
    drawn = {"sample_size": 500, "random_state": 0} if is_drawn else {}
    assert float(found.scores["x"]["asw"]) == pytest.approx(
        float(gpuval.silhouette_score(X, labels, **drawn)), abs=1e-12
    )
    assert ("Silhouettes are computed for 500 samples" in found.html) == is_drawn


def test_classes_have_the_users_colours_in_tables_and_figures():
    """In the stacked bars of the table, the embedding, the tree and the confusion matrix; others are grey."""
    in_order = TRUTH.value_counts().index
    colors = {label: f"#34{20 * place:02x}12" for place, label in enumerate(in_order[:-1])}
    found = gpuval.report(TRUTH, LEIDEN, X=PCA, metrics=["ari"], confidence_level=None, colors=colors)
    largest = colors[in_order[0]]
    figures = re.findall(r"<figure.*?</figure>", found.html, re.S)
    assert sum(largest in figure for figure in figures) >= 3
    (rules,) = re.findall(r"<style>(.*?)</style>", found.html, re.S)
    assert largest in rules  # of the stacked bars
    assert CATEGORIES[0].lower() not in rules.lower()


def test_no_colours_are_those_of_the_page():
    pages = [gpuval.report(TRUTH, LEIDEN, metrics=["ari"], confidence_level=None, colors=x).html for x in (None, {})]
    of_time = r"\d{4}-\d\d-\d\d \d\d:\d\d UTC"
    assert re.sub(of_time, "", pages[0]) == re.sub(of_time, "", pages[1])


@pytest.mark.parametrize(
    ("colors", "error", "message"),
    [
        (["#000000"], TypeError, "colors must be a mapping from classes to colours, got list"),
        ({"B": "blue"}, ValueError, "colors must be of the form '#0072b2', got 'blue' for class 'B'"),
    ],
)
def test_wrong_colours(colors, error, message):
    with pytest.raises(error, match=re.escape(message)):
        gpuval.report(TRUTH, LEIDEN, colors=colors)
