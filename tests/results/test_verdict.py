"""What a comparison says in words: one fixture for each case, with its sentences, and what holds for all of them."""

import dataclasses
import itertools
import re

import pytest
from hostile_text import check_line

from gpuval.display.text import text_width
from gpuval.registry.families import OF_EVALUATIONS, measure_named
from gpuval.results.inferences import BestLabeling
from gpuval.results.verdict import LONGEST_SENTENCE, MOST_VOICES, Caution, Subject, Voice, judge, judge_internal

KEYS = {
    "AMI": "adjusted_mutual_info_score",
    "ARI": "adjusted_rand_score",
    "NCA": "normalized_clustering_accuracy",
}
HALF = 0.03
"""The half-width of all intervals: scores have three decimals, and the ends of their intervals two."""
SUBJECT = Subject("bulk_labels", "cell")
MARGIN = 0.005


def voice(key, scores, behind=(), *, compared=True, **more):
    """What a measure says of labelings with these scores, of which those ``behind`` are told apart from the best."""
    measure = measure_named(key)
    sign = -1 if measure.better == "lower" else 1
    best = max(scores, key=lambda name: sign * scores[name])
    gaps = {name: x - scores[best] for name, x in scores.items() if name != best}
    if compared:
        best_set = (best, *(name for name in gaps if name not in behind))
        ends = {x: (gap - HALF, gap + HALF) for x, gap in gaps.items() if x not in behind}
        ends |= {x: (gap - abs(gap) / 2, gap + abs(gap) / 2) for x, gap in gaps.items() if x in behind}
        intervals = {name: (x - HALF, x + HALF) for name, x in scores.items()}
    else:
        best_set, ends, intervals = (best, *(name for name, gap in gaps.items() if not gap)), {}, {}
    facts = {"title": measure.sentence_name, "counts": measure.counts, "corrected": measure.adjusted} | more
    return Voice(
        key, facts["title"], facts["counts"], measure.better, best, best_set, scores, gaps, intervals, ends,
        facts["corrected"],
    )  # fmt: skip


def voices(compared=True, **of_measures):
    """Voices by their short names, each with its scores and with what is behind."""
    return [voice(KEYS[name], *given, compared=compared) for name, given in of_measures.items()]


DEPENDS = (
    "It depends on what should count: Y (5 clusters) if each pair does (ARI), X (13) if each class does (NCA). By "
    "cells (AMI) neither is behind."
)
FEW = {"X": 13, "Y": 5, "Z": 20}
SUBJECT_OF_FEW = SUBJECT._replace(n_clusters=FEW)
CASES = {
    "one": (
        voices(AMI=({"X": 0.61}, ()), ARI=({"X": 0.43}, ()), NCA=({"X": 0.5}, ())),
        SUBJECT,
        ["X agrees with “bulk_labels”: AMI 0.610 (0.58–0.64), ARI 0.430 (0.40–0.46), NCA 0.500 (0.47–0.53)."],
    ),
    "chance": (
        voices(AMI=({"X": 0.02, "Y": 0.01}, ()), ARI=({"X": 0.01, "Y": 0.02}, ())),
        SUBJECT,
        ["No labeling can be told apart from chance agreement with “bulk_labels”."],
    ),
    "clear": (
        voices(
            AMI=({"X": 0.627, "Y": 0.605, "Z": 0.5}, ("Y", "Z")),
            ARI=({"X": 0.5, "Y": 0.3, "Z": 0.4}, ("Y", "Z")),
            NCA=({"X": 0.5, "Y": 0.3, "Z": 0.4}, ("Y", "Z")),
        ),
        SUBJECT,
        ["X agrees best, however you count: AMI 0.627, ahead of Y by 0.022 (0.011–0.033)."],
    ),
    "tied": (
        voices(
            AMI=({"X": 0.627, "Y": 0.605, "Z": 0.6}, ()),
            ARI=({"X": 0.5, "Y": 0.3, "Z": 0.4}, ("Y", "Z")),
        ),
        SUBJECT,
        ["X is highest, however you count; Y and Z cannot be told apart from it by AMI."],
    ),
    "nearest": (
        voices(
            AMI=({"X": 0.607, "Y": 0.627, "Z": 0.5}, ("Z",)),
            ARI=({"X": 0.407, "Y": 0.3, "Z": 0.459}, ("Y",)),
            NCA=({"X": 0.559, "Y": 0.387, "Z": 0.393}, ("Y", "Z")),
        ),
        SUBJECT_OF_FEW,
        [
            "No labeling is best by all three ways to count.",
            "X (13 clusters) comes nearest: behind by 0.020 in AMI and 0.052 in ARI, both within noise.",
            "AMI alone cannot choose between 2 of the 3.",
        ],
    ),
    "several": (
        voices(
            AMI=({"X": 0.6, "Y": 0.59, "Z": 0.58, "W": 0.1}, ("W",)),
            ARI=({"X": 0.3, "Y": 0.31, "Z": 0.3, "W": 0.1}, ("W",)),
        ),
        SUBJECT._replace(n_clusters={"X": 9, "Y": 7, "Z": 8, "W": 2}),
        ["3 labelings cannot be told apart: X, Y and Z. Y has the fewest clusters (7)."],
    ),
    "all": (
        voices(AMI=({"X": 0.6, "Y": 0.59}, ()), ARI=({"X": 0.3, "Y": 0.31}, ())),
        SUBJECT,
        ["The data do not tell these 2 labelings apart."],
    ),
    "depends": (
        voices(
            AMI=({"X": 0.61, "Y": 0.6, "Z": 0.5}, ("Z",)),
            ARI=({"X": 0.3, "Y": 0.459, "Z": 0.2}, ("X", "Z")),
            NCA=({"X": 0.559, "Y": 0.3, "Z": 0.2}, ("Y", "Z")),
        ),
        SUBJECT_OF_FEW,
        [DEPENDS],
    ),
}
DEPENDS_ON_ALL = voices(
    AMI=({"X": 0.61, "Y": 0.5, "Z": 0.5}, ("Y", "Z")),
    ARI=({"X": 0.3, "Y": 0.459, "Z": 0.2}, ("X", "Z")),
    NCA=({"X": 0.3, "Y": 0.3, "Z": 0.5}, ("X", "Y")),
)


@pytest.mark.parametrize("case", CASES)
def test_the_sentences_of_each_case(case):
    given, subject, sentences = CASES[case]
    found = judge(given, subject, MARGIN)
    assert found.case == case
    assert list(found.sentences) == sentences
    assert found.headline == sentences[0]
    assert found.voices == tuple(given)
    assert found.lead == ("Y" if case == "depends" else "X")


def test_another_sentence_is_seen(monkeypatch):
    """The check above fails if the doubt is left out."""
    monkeypatch.setattr("gpuval.results.verdict._Wording._nearest", lambda self: (["X agrees best."], "X"))
    with pytest.raises(AssertionError):
        test_the_sentences_of_each_case("nearest")


def test_it_depends_on_each_of_three():
    found = judge(DEPENDS_ON_ALL, SUBJECT_OF_FEW, MARGIN)
    ways = "X (13 clusters) if each cell does (AMI), Y (5) if each pair does (ARI), Z (20) if each class does (NCA)"
    assert found.sentences == (f"It depends on what should count: {ways}.",)
    assert (found.case, found.core, found.lead) == ("depends", (), "X")


WITHOUT_INTERVALS = {
    "one": (voices(False, AMI=({"X": 0.61},)), ["X against “bulk_labels”: AMI 0.610."]),
    "clear": (
        voices(False, AMI=({"X": 0.61, "Y": 0.5},), ARI=({"X": 0.61, "Y": 0.5},)),
        ["X is highest, however you count: AMI 0.610."],
    ),
    "tied": (
        voices(False, AMI=({"X": 0.61, "Y": 0.61},), ARI=({"X": 0.61, "Y": 0.5},)),
        ["X is highest, however you count; Y is equal to it by AMI."],
    ),
    "nearest": (
        voices(False, AMI=({"X": 0.61, "Y": 0.61, "Z": 0.5},), ARI=({"X": 0.4, "Y": 0.61, "Z": 0.5},)),
        ["Y is highest, or equal to the highest, by both ways to count."],
    ),
    "several": (
        voices(False, AMI=({"X": 0.61, "Y": 0.61, "Z": 0.5},), ARI=({"Y": 0.61, "X": 0.61, "Z": 0.5},)),
        ["2 labelings have equal scores: X and Y."],
    ),
    "all": (
        voices(False, AMI=({"X": 0.61, "Y": 0.61},), ARI=({"X": 0.5, "Y": 0.5},)),
        ["These 2 labelings have equal scores."],
    ),
    "depends": (
        voices(False, AMI=({"X": 0.61, "Y": 0.5},), ARI=({"X": 0.3, "Y": 0.4},)),
        ["It depends on what should count: X if each cell does (AMI), Y if each pair does (ARI)."],
    ),
}
ONLY_OF_COMPARED = re.compile(r"\b(best|ahead|noise|significan\w*)\b", re.IGNORECASE)


@pytest.mark.parametrize("case", WITHOUT_INTERVALS)
def test_without_intervals_nothing_is_called_the_best(case):
    given, sentences = WITHOUT_INTERVALS[case]
    found = judge(given, SUBJECT, MARGIN)
    assert found.case == case
    assert list(found.sentences) == sentences
    found = judge(given, SUBJECT._replace(class_sizes={"a": 900, "b": 5, "c": 5}, n_clusters={"X": 1}), MARGIN)
    assert not ONLY_OF_COMPARED.search(repr(found))
    assert "▼" not in repr(found)


def test_the_words_are_seen_where_they_are():
    said = [repr(judge(given, subject, MARGIN)) for given, subject, _ in CASES.values()]
    assert any(map(ONLY_OF_COMPARED.search, said))
    assert not any("ignifican" in text for text in said)  # not told apart is not the same as equal


def test_without_true_labels():
    bests = {
        "silhouette": BestLabeling("X", 0.2, "higher"),
        "Calinski-Harabasz": BestLabeling("Y", 55.02, "higher"),
        "Davies-Bouldin": BestLabeling("Z", 1.5, "lower"),
    }
    found = judge_internal(bests, 3)
    assert found.case == "internal"
    assert found.sentences == (
        "Highest silhouette: X; highest Calinski-Harabasz: Y; lowest Davies-Bouldin: Z.",
        "These measure the shape of clusters, and not whether they are true.",
    )
    assert (found.lead, found.voices, found.core, found.labelings) == ("X", (), (), ())
    alone = judge_internal({name: dataclasses.replace(x, name="X") for name, x in bests.items()}, 1)
    assert (alone.case, alone.lead) == ("internal", "X")
    assert alone.headline == "X: silhouette 0.200, Calinski-Harabasz 55.0, Davies-Bouldin 1.50."
    nothing = judge_internal({}, 1)
    assert (nothing.case, nothing.lead) == ("nothing", None)
    assert nothing.sentences == ("None of these measures says which labeling to take.",)
    assert not ONLY_OF_COMPARED.search(repr(found) + repr(nothing))


def test_the_best_scores_of_measures_that_go_down():
    given = [voice("variation_of_information", {"X": 0.5, "Y": 0.9}, compared=False, title="VI")]
    assert judge(given, SUBJECT, MARGIN).headline == "X is lowest: VI 0.500."
    both = [*given, *voices(False, AMI=({"X": 0.61, "Y": 0.5},))]
    assert judge(both, SUBJECT, MARGIN).headline == "X is first by both measures: VI 0.500."
    apart = [voice("variation_of_information", {"X": 0.5, "Y": 0.9}, ("Y",), title="VI")]
    said = "X agrees best: VI 0.500, ahead of Y by 0.400 (0.200–0.600)."
    assert judge(apart, SUBJECT, MARGIN).headline == said


# What is beside the sentences


def test_the_rows_and_cells_beside_the_sentences():
    given, subject, _ = CASES["nearest"]
    found = judge(given, subject, MARGIN)
    assert found.core == ("X",)
    assert found.labelings == ("X", "Y", "Z")
    assert [[found.cell(name, x) for x in given] for name in found.labelings] == [
        ["≈ −0.020", "≈ −0.052", "● 0.559"],
        ["● 0.627", "▼ −0.159", "▼ −0.172"],
        ["▼ −0.127", "● 0.459", "▼ −0.166"],
    ]
    lines = repr(found).splitlines()
    assert [line.split() for line in lines[-4:]] == [
        ["AMI", "ARI", "NCA"],
        ["X", "≈", "−0.020", "≈", "−0.052", "●", "0.559"],
        ["Y", "●", "0.627", "▼", "−0.159", "▼", "−0.172"],
        ["Z", "▼", "−0.127", "●", "0.459", "▼", "−0.166"],
    ]
    written = found.to_dict()
    assert written["case"] == "nearest"
    assert written["sentences"] == list(found.sentences)
    assert written["voices"][KEYS["AMI"]]["best_set"] == ["Y", "X"]


def test_many_that_are_not_told_apart_are_counted():
    names = [f"n{place}" for place in range(9)]
    scores = {name: 0.6 - place / 1000 for place, name in enumerate(names)} | {"far": 0.1}
    found = judge(voices(AMI=(scores, ("far",)), ARI=(dict(reversed(scores.items())), ("far",))), SUBJECT, MARGIN)
    others = "n1, n2, n3 and 5 more cannot be told apart from it by AMI and ARI"
    assert found.headline == f"n0 is highest, however you count; {others}."
    assert found.labelings == ("n0",)  # more than four would be no few


def test_gaps_below_the_margin_are_no_noise():
    given = voices(
        AMI=({"X": 0.624, "Y": 0.627, "Z": 0.5}, ("Z",)),
        ARI=({"X": 0.5, "Y": 0.3, "Z": 0.4}, ("Y", "Z")),
    )
    given[0] = Voice(**{**vars(given[0]), "gap_intervals": {"X": (-0.004, -0.001), "Z": (-0.2, -0.1)}})
    found = judge(given, SUBJECT, MARGIN)
    assert found.sentences[1] == "X comes nearest: behind by 0.003 in AMI, under 0.005."


def test_a_gap_that_is_not_known_is_not_said():
    """Where two labelings have few samples in common, these may have no score."""
    given = voices(
        AMI=({"X": 0.607, "Y": 0.627, "Z": 0.5}, ("Z",)),
        ARI=({"X": 0.407, "Y": 0.3, "Z": 0.3}, ("Y", "Z")),
    )
    gaps = {name: x for name, x in given[0].gaps.items() if name != "X"}
    given[0] = Voice(**{**vars(given[0]), "gaps": gaps})
    found = judge(given, SUBJECT, MARGIN)
    assert found.sentences[:2] == ("No labeling is best by both ways to count.", "X comes nearest.")
    assert found.cell("X", given[0]) == "≈"


# Imbalance, and cautions

SIZES = {"Dendritic": 240, "B": 95, "T": 90, "NK": 80, "rare": 19, "one": 1, "none": 0}


def imbalance(given, sizes):
    said = judge(given, SUBJECT._replace(class_sizes=sizes), MARGIN).sentences
    return [x for x in said if x.startswith("The classes are imbalanced")]


def test_imbalanced_classes():
    given = CASES["clear"][0]
    n, squares = 525, 240**2 + 95**2 + 90**2 + 80**2 + 19**2 + 1
    assert n**2 / squares < 0.75 * 6  # the number of classes that would weigh as much, of those with samples
    assert (round(240 / n * 100), round(240**2 / squares * 100)) == (46, 71)
    (said,) = imbalance(given, SIZES)
    assert said.replace("\N{NO-BREAK SPACE}", " ") == (
        "The classes are imbalanced: Dendritic is 46 % of the cells, and 71 % of the pairs that ARI counts. "
        "Read AMI first, then NCA for rare classes."
    )
    for some, end in (
        (voices(ARI=({"X": 0.6, "Y": 0.1}, ("Y",))), "of the pairs that ARI counts."),
        (voices(ARI=({"X": 0.6, "Y": 0.1}, ("Y",)), AMI=({"X": 0.6, "Y": 0.1}, ("Y",))), "Read AMI first."),
        (voices(ARI=({"X": 0.6, "Y": 0.1}, ("Y",)), NCA=({"X": 0.6, "Y": 0.1}, ("Y",))), "pairs that ARI counts."),
    ):
        (said,) = imbalance(some, SIZES)
        assert said.endswith(end)


def test_balanced_classes_need_no_sentence():
    given = CASES["clear"][0]
    equal = dict.fromkeys("abcd", 10)
    assert imbalance(given, equal) == []
    assert imbalance(given, {"a": 10}) == []
    assert imbalance(given, {}) == []
    assert imbalance(voices(AMI=({"X": 0.6, "Y": 0.1}, ("Y",))), SIZES) == []  # none counts pairs


def cautions(given, **of_subject):
    return [tuple(x) for x in judge(given, SUBJECT._replace(**of_subject), MARGIN).cautions]


def test_cautions():
    given = CASES["clear"][0]
    assert cautions(given) == []
    assert cautions(given, class_sizes=SIZES) == [("classes", "2 classes have under 20 cells: rare (19) and one (1).")]
    assert cautions(given, class_sizes={"a": 50, "b": 3}) == [("classes", "1 class has under 20 cells: b (3).")]
    many = dict.fromkeys("abcdefghij", 50)
    assert cautions(given, class_sizes=many, n_clusters={"X": 4, "Y": 5, "Z": 30}) == [
        ("clusters", "Far fewer clusters than the 10 classes: X (4).")
    ]
    assert cautions(given, n_ignored=12345, n_samples=20000) == [
        ("ignored", "Up to 12,345 of 20,000 cells are ignored.")
    ]
    scores = {f"n{place}": 0.6 - place / 100 for place in range(20)}
    luck = [("luck", "The highest of 20 labelings is partly the luckiest.")]
    assert cautions(voices(AMI=(scores, tuple(scores)[1:]))) == luck
    assert cautions(voices(False, AMI=(scores,))) == []
    scores.popitem()
    assert cautions(voices(AMI=(scores, tuple(scores)[1:]))) == []


def test_at_most_five_cautions_in_their_order():
    subject = SUBJECT._replace(class_sizes=SIZES, n_clusters={"X": 1, "Y": 9, "Z": 9}, n_ignored=3)
    more = [Caution(about, about) for about in ("silhouettes", "alike", "donors", "groups")]
    found = judge(CASES["clear"][0], subject, MARGIN, more).cautions
    assert [x.about for x in found] == ["groups", "classes", "clusters", "donors", "alike"]


# Names


def renamed(given, names):
    """Voices of labelings with other names."""

    def of(x):
        return {names[name]: value for name, value in x.items()}

    for x in given:
        yield Voice(**{
            **vars(x), "best": names[x.best], "best_set": tuple(names[name] for name in x.best_set),
            "scores": of(x.scores), "gaps": of(x.gaps), "intervals": of(x.intervals),
            "gap_intervals": of(x.gap_intervals),
        })  # fmt: skip


ALL_GIVEN = [
    *((given, subject) for given, subject, _ in CASES.values()),
    *((given, SUBJECT) for given, _ in WITHOUT_INTERVALS.values()),
    (DEPENDS_ON_ALL, SUBJECT_OF_FEW),
]
NAMES = {
    "numbers": [0, 1.5, -2, 10],
    "numbers as text": ["0", "1.5", "10", "7"],
    "tuples": [("leiden", 0.5), ("leiden", 1.0), (), ("x",)],
    "hostile": ["\x1b[31m", "<script>\n", "\u202egnp", "$x$ `y`"],
    "unseen": ["", " ", "\u200b", None],
    "wide": ["漢" * 80, "🧬" * 80, "e\u0301" * 80, "x" * 10_000],
    "not equal to itself": [float("nan"), "nan", None, 0],
}


@pytest.mark.parametrize("kind", NAMES)
def test_names_of_all_kinds(kind):
    names = dict(zip("XYZW", NAMES[kind], strict=True))
    for given, subject in ALL_GIVEN:
        clusters = {names[name]: n for name, n in subject.n_clusters.items()}
        sizes = dict(zip(NAMES[kind], (9000, 30, 10, 5), strict=True))
        about = subject._replace(truth=NAMES[kind][1], n_clusters=clusters, class_sizes=sizes)
        found = judge(list(renamed(given, names)), about, MARGIN)
        assert found.case == judge(given, subject, MARGIN).case
        assert found.lead in (names["X"], names["Y"], *NAMES[kind])
        for text in (*found.sentences, *(x.text for x in found.cautions), *repr(found).split("\n")):
            check_line(text, 3 * LONGEST_SENTENCE)
        assert max(map(text_width, repr(found).split("\n"))) <= 80
        found.to_dict()


def test_all_measures_that_do_not_tell_are_named():
    given = voices(
        AMI=({"X": 0.627, "Y": 0.605, "Z": 0.6}, ()),
        ARI=({"X": 0.5, "Y": 0.3, "Z": 0.4}, ("Y", "Z")),
        NCA=({"X": 0.5, "Y": 0.49, "Z": 0.3}, ("Z",)),
    )
    tied = "Y and Z cannot be told apart from it by AMI; Y cannot be told apart from it by NCA"
    assert judge(list(given), SUBJECT, MARGIN).headline == f"X is highest, however you count; {tied}."


def test_a_number_has_a_word_before_it():
    names = {"X": 0, "Y": "1.5", "Z": "b2"}
    found = judge(list(renamed(CASES["tied"][0], names)), SUBJECT, MARGIN)
    others = "labeling 1.5 and b2 cannot be told apart from it by AMI"
    assert found.headline == f"labeling 0 is highest, however you count; {others}."


def test_no_sentence_is_too_long():
    """With names of 24 columns, and the longest name of a measure of each kind that may be a voice."""
    usable = [x for x in OF_EVALUATIONS.values() if x.better and not x.is_one_sided and not x.reads_names]
    longest = {kind: max((x.sentence_name for x in usable if x.counts == kind), key=len) for kind in ("sample", "pair")}
    titles = {KEYS["AMI"]: longest["sample"], KEYS["ARI"]: longest["pair"], KEYS["NCA"]: "o" * 24}
    names = {x: x * 24 for x in "XYZW"}
    lengths = []
    for (given, subject), is_long in itertools.product(ALL_GIVEN, (False, True)):
        changed = list(renamed(given, names))
        if is_long:
            changed = [Voice(**{**vars(x), "title": titles[x.name]}) for x in changed]
        sizes = {"class " * 4: 90_000, "b" * 24: 19, "c" * 24: 18, "d" * 24: 17, "e" * 24: 9, "f": 1}
        subject = subject._replace(
            truth="t" * 24, unit="sample", class_sizes=sizes, n_clusters=dict.fromkeys(names.values(), 12_345)
        )
        found = judge(changed, subject, MARGIN)
        lengths += [len(text) for text in (*found.sentences, *(x.text for x in found.cautions))]
    bests = {"Calinski-Harabasz" + "x" * place: BestLabeling("n" * 24, 1, "higher") for place in range(10)}
    lengths += map(len, judge_internal(bests, 2).sentences)
    assert 200 < max(lengths) <= LONGEST_SENTENCE == 240
    assert MOST_VOICES == 3


def test_counts_of_10_000_have_separators():
    given, subject, _ = CASES["nearest"]
    large = {"X": 12_345, "Y": 10_000, "Z": 2}
    found = judge(given, subject._replace(n_clusters=large, class_sizes=dict.fromkeys(range(40_000), 30)), MARGIN)
    assert "X (12,345 clusters) comes nearest" in found.sentences[1]
    assert found.cautions[0].text == "Far fewer clusters than the 40,000 classes: X (12,345), Y (10,000) and Z (2)."
    assert not re.search(r"\d{5}", repr(found))


def test_two_long_names_stay_two():
    first, second = ("x" * 50 + middle + "y" * 50 for middle in "ab")
    said = judge(voices(AMI=({first: 0.6, second: 0.4}, (second,))), SUBJECT, 0.005).headline
    before, after = said.split(" agrees best")
    assert before not in after
