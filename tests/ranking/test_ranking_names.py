"""Names of measures of rankings: full and short ones, "@10", functions, mappings, and what is no measure."""

import functools
import inspect
import re
import typing

import pytest

import gpuval
from gpuval import ranking
from gpuval.ranking import RankingAccumulator, evaluate
from gpuval.ranking.names import READER

FIELD = {
    "precision": ranking.precision_at_n,
    "recall": ranking.recall_at_n,
    "hit_rate": ranking.hit_rate,
    "AP": ranking.average_precision_score,
    "MAP": ranking.average_precision_score,
    "RR": ranking.reciprocal_rank_score,
    "MRR": ranking.reciprocal_rank_score,
    "CG": ranking.cumulative_gain,
    "DCG": ranking.dcg_score,
    "nDCG": ranking.ndcg_score,
}
"""What search and recommendation call these measures."""


@pytest.mark.parametrize("name", FIELD)
def test_names_of_the_field_in_any_case(name):
    measure = FIELD[name]
    for written in (name, name.lower(), name.upper(), measure.__name__, measure.__name__.upper()):
        assert READER.read(written) == {measure.__name__: (measure, {})}
        assert READER.read([f"{written}@10"]) == {f"{measure.__name__}@10": (measure, {"n": 10})}


def test_every_measure_is_found():
    public = {name: x for name, x in vars(ranking).items() if hasattr(x, "formula")}
    assert dict(READER.measures) == public
    assert set(FIELD.values()) <= set(public.values())
    assert list(READER.measures) == sorted(public)


def test_short_names_are_lower_case_and_no_full_ones():
    assert all(x == x.lower() for x in READER.shorts)
    assert set(READER.shorts).isdisjoint([*READER.measures, "all"])
    assert set(READER.shorts) == {x.lower() for x in FIELD} - {"hit_rate"} | {"err", "auc"}


def test_several_measures_each_once():
    found = READER.read(["ndcg@10", "NDCG_SCORE@10", "ndcg@010", "ndcg", ranking.ndcg_score])
    assert found == {"ndcg_score@10": (ranking.ndcg_score, {"n": 10}), "ndcg_score": (ranking.ndcg_score, {})}
    assert list(READER.read(x for x in ("map", "mrr"))) == ["average_precision_score", "reciprocal_rank_score"]


def test_all_and_the_default():
    assert READER.read("ALL") == {name: (x, {}) for name, x in READER.measures.items()}
    usual = ["map", "mrr", "ndcg@10", "precision@10", "recall@10", "hit_rate@10"]
    assert list(READER.read(None).items()) == list(READER.read(usual).items())


def test_a_mapping_keeps_its_names():
    found = READER.read({"nDCG": "ndcg@5", "again": "ndcg@5", 3: ranking.hit_rate})
    assert found == {
        "nDCG": (ranking.ndcg_score, {"n": 5}),
        "again": (ranking.ndcg_score, {"n": 5}),
        3: (ranking.hit_rate, {}),
    }


def test_functions():
    def of_users(ranked):
        return ranked.n_queries

    assert READER.read(of_users) == {"of_users": (of_users, {})}
    partial = functools.partial(ranking.ndcg_score, gain="exponential", n=3, on_undefined="skip")
    ((name, asked),) = READER.read([partial]).items()
    assert name == "ndcg_score(gain='exponential', n=3, on_undefined='skip')"
    assert asked == (ranking.ndcg_score, {"gain": "exponential", "n": 3, "on_undefined": "skip"})
    assert asked.is_ours
    other = functools.partial(of_users, 3)
    assert READER.read([other]) == {"of_users(3)": (other, {})}
    assert not READER.read([other])["of_users(3)"].is_ours


MUST_BE = "metrics must be names of measures of rankings"


@pytest.mark.parametrize(
    ("metrics", "error", "message"),
    [
        ("ndgc", ValueError, f"{MUST_BE}, got 'ndgc'; did you mean ndcg?"),
        (
            ["Hits_Rate"],
            ValueError,
            f"{MUST_BE}, got 'Hits_Rate'; did you mean hit_rate?",
        ),
        ("zzz", ValueError, f"{MUST_BE}, got 'zzz'; there are {', '.join(READER.measures)}"),
        (["all"], ValueError, f"{MUST_BE}, got 'all'; \"all\" is given alone, not as one of several"),
        (
            "ndcg@ten",
            ValueError,
            f"{MUST_BE}, with @ and a positive integer where only the first n count, got 'ndcg@ten'",
        ),
        ("ndcg@0", ValueError, f"{MUST_BE}, with @ and a positive integer where only the first n count, got 'ndcg@0'"),
        ("map@", ValueError, f"{MUST_BE}, with @ and a positive integer where only the first n count, got 'map@'"),
        ([], ValueError, "metrics must have at least one measure, got none"),
        ({}, ValueError, "metrics must have at least one measure, got none"),
        (
            7,
            TypeError,
            "metrics must be a name, or a sequence or mapping of names and functions of a Ranked, got 7",
        ),
        (
            b"map",
            TypeError,
            "metrics must be a name, or a sequence or mapping of names and functions of a Ranked, got b'map'",
        ),
        ([7], TypeError, f"{MUST_BE} or functions of a Ranked, got 7"),
        (
            [lambda x: 1, lambda x: 2],
            ValueError,
            (
                "metrics must be functions of different names, got '<lambda>' twice; give a mapping from names to "
                "functions"
            ),
        ),
        (
            functools.partial(ranking.hit_rate, [1, 0]),
            TypeError,
            (
                f"{MUST_BE} or functions of a Ranked, got hit_rate([1, 0]); give the options of hit_rate alone, by "
                "their names"
            ),
        ),
        (
            functools.partial(ranking.hit_rate, gain="linear"),
            TypeError,
            "hit_rate() got an unexpected keyword argument 'gain'; its own options are n",
        ),
        (
            functools.partial(ranking.hit_rate, mask=[[True]]),
            TypeError,
            (
                "mask= must be given with the ranking, to evaluate, to Ranked.from_scores, or to an accumulator or its "
                "update, got it with hit_rate in metrics"
            ),
        ),
        (
            functools.partial(ranking.hit_rate, return_per_query=True),
            TypeError,
            "return_per_query= must be given to evaluate, for all measures, got it with hit_rate in metrics",
        ),
        (
            functools.partial(ranking.expected_reciprocal_rank, max_relevance=-1),
            ValueError,
            "max_relevance must be finite and not negative, got -1",
        ),
        (functools.partial(ranking.hit_rate, n=0), ValueError, "n must be a positive integer, got 0"),
        (
            functools.partial(ranking.hit_rate, on_undefined="none"),
            ValueError,
            "on_undefined must be one of 'zero', 'one', 'nan', 'skip', got 'none'",
        ),
    ],
)
def test_what_is_no_measure(metrics, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        READER.read(metrics)


@pytest.mark.parametrize(
    "option",
    [x for x in inspect.signature(ranking.hit_rate).parameters if x not in ("n", "on_undefined")],
)
def test_options_of_the_ranking_are_none_of_one_measure(option):
    partial = functools.partial(ranking.ndcg_score, **{option: 1})
    for takes_metrics in (
        lambda x: evaluate([1, 0], metrics=[x]),
        RankingAccumulator,
        pytest.importorskip("gpuval.torchmetrics").RankingMetric,
    ):
        with pytest.raises(TypeError, match=f"^{option}= must be given .*to evaluate, .* got it with ndcg_score in"):
            takes_metrics(partial)


@pytest.mark.parametrize("name", ["adjusted_rand_score", "silhouette_score", "modularity_score"])
def test_measures_of_clusterings_are_none_of_rankings(name):
    function = getattr(gpuval, name)
    for metric in (function, functools.partial(function, n_clusters=2)):
        with pytest.raises(TypeError) as error:
            READER.read(metric)
        assert str(error.value) == (
            f"{MUST_BE} or functions of a Ranked, got {name}, which takes no Ranked; call it by itself"
        )


CHOICES = [
    (name, option)
    for name, measure in READER.measures.items()
    for option, hint in typing.get_type_hints(measure.formula).items()
    if typing.get_origin(hint) is typing.Literal
]
"""The options of measures that have few values."""


def test_some_options_have_few_values():
    assert {("dcg_score", "gain"), ("dcg_score", "discount"), ("cumulative_gain", "gain")} <= set(CHOICES)


@pytest.mark.parametrize(("name", "option"), CHOICES)
def test_options_with_few_values_are_checked_when_they_are_read(name, option):
    with pytest.raises(ValueError, match=f"^{option} must be one of .*, got 'other'$"):
        RankingAccumulator([functools.partial(READER.measures[name], **{option: "other"})])
