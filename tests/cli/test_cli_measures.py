"""``gpuval metrics``: every public measure, by any of its names, and its text."""

import inspect
import json
import re

import pytest
from command_line import on_a_terminal, refused, written

import gpuval
from gpuval.cli.catalogue import all_measures, entry_named
from gpuval.display.text import text_width
from gpuval.registry.families import SHORT_NAMES
from gpuval.registry.internal import SHORT_INTERNAL_NAMES

NO_MEASURES = {
    *("bootstrap", "jackknife", "compare", "compare_scores", "compare_many_scores", "evaluate", "pairwise"),
    *("permutation_test", "random_tables", "integration_scores", "report", "predicted_labels"),
    *("is_refinement", "partition_join", "partition_meet", "partition_sum", "partition_trace"),
    *("cluster_edit_operations", "stability", "repeat_clustering", "gap_statistic", "prediction_strength"),
}
"""Public functions that are of measures, and none themselves."""


def public():
    """The measures by the names that a user calls them by, told by the public modules."""
    found = {}
    for module in (gpuval, gpuval.ranking, gpuval.multilabel, gpuval.intervals):
        prefix = module.__name__.removeprefix("gpuval").lstrip(".")
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isfunction(value) and name not in NO_MEASURES:
                found[f"{prefix}.{name}".lstrip(".")] = value
    return found


def test_every_public_measure_is_in_a_family():
    assert {name: x.measure.function for name, x in all_measures().items()} == public()


def test_the_listing_has_every_measure_once_below_its_family():
    out = written("metrics")
    listed = re.findall(r"^  ([\w.]+)(?= |$)", out, re.MULTILINE)
    assert sorted(listed) == sorted(public())
    titles = [line for line in out.splitlines() if line and not line.startswith(" ")]
    assert titles[:3] == ["pairs of samples", "clusters found again", "information"]
    assert "edges of a graph and labels (in Python only)" in titles
    assert len(titles) == len({x.family for x in all_measures().values()})


def test_each_line_says_what_there_is_to_say():
    out = written("metrics")
    lines = {line.split()[0]: line for line in out.splitlines() if line.startswith("  ")}
    for name in [*gpuval.METRICS, *gpuval.INTERNAL_METRICS]:
        line = lines[name]
        assert (getattr(gpuval, name).__doc__ or "").strip().splitlines()[0] in line
        better = getattr(gpuval, name).measure.better
        assert (f"{better} is better" in line) == bool(better)
        assert ("with --embedding" in line) == (name in gpuval.INTERNAL_METRICS)
        assert "in Python only" not in line
    for short, name in {**SHORT_NAMES, **SHORT_INTERNAL_NAMES}.items():
        assert re.search(rf"[( ]{short}[,)]", lines[name])
    assert "in Python only" in lines["match_labels"]


def test_the_listing_in_json():
    found = {x["name"]: x for x in json.loads(written("metrics", "--format", "json"))}
    assert found.keys() == public().keys()
    assert found["silhouette_score"]["needs"] == "--embedding"
    assert found["adjusted_rand_score"] == {
        "name": "adjusted_rand_score",
        "family": "pairs of samples",
        "short": ["ari", "ar"],
        "better": "higher",
        "needs": "",
        "summary": gpuval.adjusted_rand_score.__doc__.splitlines()[0],
    }
    assert {name for name, x in found.items() if x["needs"] == ""} == {*gpuval.METRICS, "cohen_kappa_score"}
    assert {name for name, x in found.items() if x["needs"] == "--embedding"} == set(gpuval.INTERNAL_METRICS)
    assert found["ranking.ndcg_score"]["needs"] is None


@pytest.mark.parametrize("width", [60, 80, 200])
def test_the_listing_fits_a_terminal(width):
    lines = on_a_terminal(width, "metrics")
    assert max(map(text_width, lines)) <= width


@pytest.mark.parametrize("name", public())
def test_the_text_of_every_measure(name):
    out = written("metrics", name)
    call, *_ = out.splitlines()
    assert call.startswith(f"gpuval.{name}(")
    for parameter in inspect.signature(public()[name]).parameters:
        assert parameter in call
    doc = inspect.getdoc(public()[name])
    words = re.sub(r":\w+:`~?([^`]+)`", r"\1", doc).replace("``", "").replace("]_", "]").split()
    assert [x for x in words if x != ".."] == [x for x in out.partition("\n\n")[2].split() if x != ".."]
    assert "``" not in out
    assert not re.search(r":\w+:`|\[\d\]_|^\.\. ", out, re.MULTILINE)


@pytest.mark.parametrize("name", ["ari", "asw", "ndcg_score", "f_measure_score", "multilabel.log_loss", "kbet_score"])
@pytest.mark.parametrize("width", [60, 80])
def test_the_text_fits_a_terminal_and_keeps_its_words(width, name):
    lines = on_a_terminal(width, "metrics", name)
    code = [line for line in lines if ">>>" in line]
    assert max(len(line) for line in lines if line not in code) <= width
    assert "\n".join(lines).split() == written("metrics", name).split()
    at = lines.index("Parameters")
    assert set(lines[at + 1]) == {"-"}
    assert len(code) >= 2


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("ari", "adjusted_rand_score"),
        ("ARI", "adjusted_rand_score"),
        ("asw", "silhouette_score"),
        ("kappa", "cohen_kappa_score"),
        ("modularity_score", "modularity_score"),
        ("ndcg", "ranking.ndcg_score"),
        ("ndcg_score", "ranking.ndcg_score"),
        ("ranking.ap", "ranking.average_precision_score"),
        ("multilabel.auc", "multilabel.roc_auc_score"),
        ("brier", "multilabel.mean_squared_error"),
        ("gpuval.ranking.hit_rate", "ranking.hit_rate"),
        ("sorensen", "intervals.sorensen_score"),
        ("jaccard", "pair_jaccard_score"),
        ("intervals.jaccard", "intervals.jaccard_score"),
        ("kbet_samples", "kbet_samples"),
    ],
)
def test_names(given, name):
    assert entry_named(given).name == name
    assert written("metrics", given) == written("metrics", name)


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("f1", "did you mean pair_f_score or bcubed_f_score or f_measure_score?"),
        ("auc", "did you mean ranking.concordance_ratio or multilabel.roc_auc_score?"),
        (
            "average_precision_score",
            "did you mean ranking.average_precision_score or multilabel.average_precision_score?",
        ),
        ("adjusted_rand_scor", "did you mean adjusted_rand_score or "),
        ("pair_f_scores", "did you mean pair_f_score or pair_recall_score or pair_ochiai_score?"),
        ("lisi", "did you mean ilisi_score or clisi_score or lisi_samples?"),
        ("all", "did you mean wallace_score or cluster_recall or ball_hall_index?"),  # of 13 that have it inside
        ("zzz", "got 'zzz'; 'gpuval metrics' lists them all"),
        ("evaluate", "got 'evaluate'; 'gpuval metrics' lists them all"),
        ("", "got ''; 'gpuval metrics' lists them all"),
        ("\x1b[31m", "31m'; 'gpuval metrics' lists them all"),
    ],
)
def test_names_of_several_measures_or_of_none(given, hint):
    message = refused("metrics", given)
    assert message.startswith("NAME must be the name of a measure, got ")
    assert hint in message
    assert message.endswith("'gpuval metrics' lists them all")


def test_precision_is_of_many():
    message = refused("metrics", "precision")
    for name in (
        "pair_precision_score",
        "bcubed_precision_score",
        "ranking.precision_at_n",
        "multilabel.precision_score",
    ):
        assert name in message
