"""Scores of several embeddings side by side: what is shown, and the frame that scib-metrics would have given."""

from __future__ import annotations

import math
from html.parser import HTMLParser

import pytest
from packages import pd

from gpuval import IntegrationComparison, IntegrationScores

NAN = math.nan


def scores(bio, batch, **left_out):
    return IntegrationScores(bio, batch, left_out)


BOTH = IntegrationComparison(
    {
        "X_pca": scores({"cLISI": 1.0, "KMeans NMI": 0.5}, {"iLISI": 0.1, "KBET": 0.2}),
        "X_scVI": scores({"cLISI": 0.8, "KMeans NMI": 0.5}, {"iLISI": 0.7, "KBET": NAN}, KBET="needs neighbours"),
    }
)


def test_a_mapping():
    assert list(BOTH) == ["X_pca", "X_scVI"]
    assert len(BOTH) == 2
    assert BOTH["X_scVI"]["iLISI"] == 0.7
    assert BOTH._ipython_key_completions_() == ["X_pca", "X_scVI"]
    assert repr(IntegrationComparison({})) == "IntegrationComparison({})"
    assert IntegrationComparison({}).to_pandas().shape == (0, 0)


def test_the_table():
    assert repr(BOTH).splitlines() == [
        "                  X_pca  X_scVI",
        "Bio conservation  0.750   0.650",
        "  cLISI           1.000   0.800",
        "  KMeans NMI      0.500   0.500",
        "Batch correction  0.150   0.700",
        "  iLISI           0.100   0.700",
        "  KBET            0.200       –",
        "Total             0.510   0.670",
        "",
        "KBET of X_scVI: needs neighbours",
    ]


def test_reasons_of_all_are_said_once():
    one = scores({"a": NAN}, {"b": 1.0}, a="is missing")
    assert repr(IntegrationComparison({"x": one, "y": one})).splitlines()[-1] == "a: is missing"


def test_the_frame():
    frame = BOTH.to_pandas()
    assert list(frame.columns) == [
        "cLISI",
        "KMeans NMI",
        "iLISI",
        "KBET",
        "Batch correction",
        "Bio conservation",
        "Total",
    ]
    assert frame.index.tolist() == ["X_pca", "X_scVI"]
    assert frame.index.name == "Embedding"
    assert set(frame.dtypes.astype(str)) == {"float64"}
    assert frame.loc["X_scVI"].drop("KBET").tolist() == pytest.approx([0.8, 0.5, 0.7, 0.7, 0.65, 0.67])
    assert math.isnan(frame.loc["X_scVI", "KBET"])
    with_type = BOTH.to_pandas(metric_type=True)
    pd.testing.assert_frame_equal(with_type.drop("Metric Type").astype(float), frame)
    bio, batch, means = ["Bio conservation"] * 2, ["Batch correction"] * 2, ["Aggregate score"] * 3
    assert with_type.loc["Metric Type"].tolist() == [*bio, *batch, *means]


def test_other_scores_in_other_embeddings():
    found = IntegrationComparison({"a": scores({"KMeans NMI": 0.5}, {"b": 1.0}), "c": scores({"d": 0.25}, {"b": 1.0})})
    frame = found.to_pandas()
    assert list(frame.columns)[:3] == ["KMeans NMI", "d", "b"]
    assert math.isnan(frame.loc["c", "KMeans NMI"])
    assert "–" in repr(found)


def test_long_names_of_embeddings_are_shortened_inside():
    names = [f"X_integrated_{'by_some_method_' * 2}{place}_of_all_batches" for place in range(3)]
    head, *_ = blocks = repr(IntegrationComparison(dict.fromkeys(names, BOTH["X_pca"]))).split("\n\n")
    assert len(blocks) == 2
    shown = [name for block in blocks for name in block.split("\n")[0].split()]
    assert [len(name) for name in shown] == [24] * 3
    assert [name[:10] for name in shown] == ["X_integrat"] * 3
    assert all(name.endswith("batches") for name in shown)
    assert len(head.split("\n")[1]) <= 80


class Read(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.bold, self.texts = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)

    def handle_data(self, data):
        self.texts.append(data)
        if self.tags and self.tags[-1] == "b":
            self.bold.append(data)


def test_the_best_of_each_score_is_bold():
    read = Read(BOTH._repr_html_())
    bold = [x for x in read.bold if x.strip() and x[0].isdigit()]
    assert bold == ["0.750", "1.000", "0.500", "0.500", "0.700", "0.700", "0.200", "0.670"]
    alone = IntegrationComparison({"X_pca": BOTH["X_pca"]})
    assert Read(alone._repr_html_()).bold == []


@pytest.mark.parametrize("name", [1, ("scvi", 30), None, NAN, "Metric Type", "Total"])
def test_names_that_are_no_text_or_words_of_the_table(name):
    found = IntegrationComparison({name: BOTH["X_scVI"], "X_pca": BOTH["X_pca"]})
    shown = "scvi, 30" if isinstance(name, tuple) else str(name)
    assert repr(found).split("\n")[0].split() == [*shown.split(), "X_pca"]
    assert repr(found).endswith(f"KBET of {shown}: needs neighbours")
    assert f"KBET of {shown}: needs neighbours" in found._repr_html_()
    frame = found.to_pandas(metric_type=True)
    assert frame["KMeans NMI"].tolist() == [0.5, 0.5, "Bio conservation"]
    assert frame.index[-1] == "Metric Type"


@pytest.mark.parametrize(
    "name", ["<script>alert(1)</script>", "\x1b[31m", "\r\n", "\u202e", "😀" * 50, "x" * 10_000, '"', "&amp;"]
)
def test_hostile_names(name):
    found = IntegrationComparison({name: BOTH["X_scVI"], **{f"{name}{i}": BOTH["X_pca"] for i in range(12)}})
    for line in repr(found).splitlines():
        assert len(line) <= 80
        assert line.isprintable()
    read = Read(found._repr_html_())
    assert set(read.tags) <= {"table", "thead", "tbody", "tr", "th", "td", "b", "div", "span"}
    assert "\x1b" not in found._repr_html_()
