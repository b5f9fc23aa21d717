"""Names of measures of labels: full and short ones, F by its beta, functions, mappings, averages, and what is none."""

import functools
import re

import pytest

from gpuval import multilabel, ranking
from gpuval.measures.requests import measure_texts
from gpuval.multilabel.names import (
    DEFAULT_AVERAGES,
    READER,
    read_averages,
    score_names,
)

FIELD = {
    "precision": multilabel.precision_score,
    "recall": multilabel.recall_score,
    "F1": multilabel.f_score,
    "ROC_AUC": multilabel.roc_auc_score,
    "AUC": multilabel.roc_auc_score,
    "AP": multilabel.average_precision_score,
    "Hamming": multilabel.hamming_loss,
    "MSE": multilabel.mean_squared_error,
    "Brier": multilabel.mean_squared_error,
    "MAE": multilabel.mean_absolute_error,
    "log_loss": multilabel.log_loss,
    "MPR": multilabel.mean_probability_rate,
    "MAPR": multilabel.macro_average_probability_rate,
    "balanced_accuracy": multilabel.balanced_accuracy_score,
}
"""What the field calls these measures."""


@pytest.mark.parametrize("name", FIELD)
def test_names_of_the_field_in_any_case(name):
    measure = FIELD[name]
    own = "f1" if name == "F1" else measure.__name__.removesuffix("_score")
    for written in (name, name.lower(), name.upper(), measure.__name__, measure.__name__.upper(), own, measure):
        assert READER.read(written) == {own: (measure, {})}


def test_every_measure_is_found():
    public = {name: x for name, x in vars(multilabel).items() if hasattr(x, "definition")}
    assert dict(READER.measures) == public
    assert set(FIELD.values()) == set(public.values())
    assert list(READER.read("ALL").values()) == [(public[name], {}) for name in sorted(public)]


def test_the_default():
    usual = ["precision", "recall", "f1", "roc_auc", "average_precision", "hamming_loss"]
    assert list(READER.read(None).items()) == list(READER.read(usual).items())
    assert list(READER.read(None)) == usual


@pytest.mark.parametrize(("name", "beta"), [("f2", 2), ("F0.5", 0.5), ("f10", 10), ("f0", 0)])
def test_f_of_any_beta(name, beta):
    assert READER.read(name) == {name.lower(): (multilabel.f_score, {"beta": beta})}
    assert READER.read(f"{name}_score") == READER.read(name)
    partial = functools.partial(multilabel.f_score, beta=beta)
    assert READER.read([name, partial]) == READER.read(partial) == READER.read(name)


def test_functions_with_options():
    partial = functools.partial
    found = READER.read(
        [
            partial(multilabel.log_loss, form="binary", eps=0),
            partial(multilabel.f_score, beta=1, on_undefined="skip"),
            partial(multilabel.log_loss, form="categorical"),  # as it is by default
        ]
    )
    assert found == {
        "log_loss(form='binary', eps=0.0)": (multilabel.log_loss, {"form": "binary", "eps": 0}),
        "f1(on_undefined='skip')": (multilabel.f_score, {"on_undefined": "skip"}),
        "log_loss": (multilabel.log_loss, {}),
    }
    assert found["f1(on_undefined='skip')"].on_undefined("one") == "skip"
    assert found["log_loss"].on_undefined("one") == "one"
    assert found["log_loss"].on_undefined(None) == "nan"
    assert measure_texts(found)[1] == "f1(on_undefined='skip'): f_score(on_undefined='skip')"


def test_a_mapping_keeps_its_names():
    found = READER.read({"Area": "auc", "again": "auc"})
    assert found == {"Area": (multilabel.roc_auc_score, {}), "again": (multilabel.roc_auc_score, {})}


def test_averages():
    asked = READER.read(["f1", "auc", "log_loss"])
    assert read_averages(None, asked) == DEFAULT_AVERAGES
    assert read_averages(["micro", "geometric", "micro"], asked) == ("micro", "geometric")
    assert read_averages("macro", asked) == ("macro",)
    assert read_averages(None, READER.read("log_loss")) == ()
    assert score_names(asked, ("micro", "geometric")) == {
        "f1_micro": ("f1", "micro"),
        "f1_geometric": ("f1", "geometric"),
        "roc_auc_micro": ("roc_auc", "micro"),
        "log_loss": ("log_loss", None),
    }


MUST_BE = "metrics must be names or functions of measures of gpuval.multilabel"
SHOWN = ", ".join("f1" if name == "f_score" else name.removesuffix("_score") for name in READER.measures)


@pytest.mark.parametrize(
    ("metrics", "error", "message"),
    [
        ("recal", ValueError, f"{MUST_BE}, got 'recal'; did you mean recall?"),
        ("zzz", ValueError, f"{MUST_BE}, got 'zzz'; there are {SHOWN}"),
        ("f", ValueError, f"{MUST_BE}, got 'f'; did you mean f1?"),
        ("f-1", ValueError, f"{MUST_BE}, got 'f-1'; did you mean f1?"),
        (["all"], ValueError, f"{MUST_BE}, got 'all'; \"all\" is given alone, not as one of several"),
        ([], ValueError, "metrics must have at least one measure, got none"),
        ({}, ValueError, "metrics must have at least one measure, got none"),
        (7, TypeError, "metrics must be a name, or a sequence or mapping of names and functions of measures, got 7"),
        (
            b"f1",
            TypeError,
            "metrics must be a name, or a sequence or mapping of names and functions of measures, got b'f1'",
        ),
        ([7], TypeError, f"{MUST_BE}, got 7"),
        (
            "F1_macro",
            ValueError,
            f"{MUST_BE}, got 'F1_macro'; give the name of the measure alone, and averages='macro'",
        ),
        ({3: "f1"}, TypeError, "metrics must be a mapping from names that are strings, got 3"),
        (
            {"support": "f1"},
            ValueError,
            "metrics must have other names than 'support', the column of how many samples have each class",
        ),
        (len, TypeError, f"{MUST_BE}, got len of builtins"),
        (
            ranking.average_precision_score,
            TypeError,
            (
                f"{MUST_BE}, got average_precision_score of gpuval.ranking.retrieval; did you mean "
                "gpuval.multilabel.average_precision_score?"
            ),
        ),
        (
            functools.partial(multilabel.f_score, [1, 0]),
            TypeError,
            f"{MUST_BE}, got f_score([1, 0]); give the options of f_score alone, by their names",
        ),
        (
            functools.partial(multilabel.f_score, average="micro"),
            TypeError,
            "average= must be given as averages=, for all measures, got it with f_score in metrics",
        ),
        (
            functools.partial(multilabel.recall_score, zero_division=1),
            TypeError,
            "recall_score() got an unexpected keyword argument 'zero_division'; it is called on_undefined here",
        ),
        (functools.partial(multilabel.f_score, beta=-1), ValueError, "beta must be finite and not negative, got -1"),
        (
            functools.partial(multilabel.log_loss, form="ternary"),
            ValueError,
            "form must be one of 'categorical', 'binary', got 'ternary'",
        ),
        (
            functools.partial(multilabel.f_score, on_undefined="none"),
            ValueError,
            "on_undefined must be one of 'zero', 'one', 'nan', 'skip', got 'none'",
        ),
    ],
)
def test_what_is_no_measure(metrics, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        READER.read(metrics)


@pytest.mark.parametrize("option", ["y_true", "y_pred", "mask", "sample_weight", "ignore_labels", "n_classes"])
def test_what_goes_with_the_labels_is_no_option_of_one_measure(option):
    message = (
        f"{option}= must be given with the labels, to evaluate, or to an accumulator or its update, got it with "
        "f_score in metrics"
    )
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        READER.read(functools.partial(multilabel.f_score, **{option: 1}))


@pytest.mark.parametrize(
    ("averages", "error", "message"),
    [
        (3, TypeError, "averages must be a name or a sequence of names, got 3"),
        (
            ["macro", "binary"],
            ValueError,
            (
                "averages must be one of 'macro', 'weighted', 'micro', 'samples', 'geometric', 'macro_of_means', got "
                "'binary'"
            ),
        ),
        ("geometric", ValueError, "averages must be such as one of metrics has, got 'geometric' for roc_auc, log_loss"),
    ],
)
def test_what_is_no_average(averages, error, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        read_averages(averages, READER.read(["auc", "log_loss"]))


def test_each_score_has_a_name_of_its_own():
    asked = READER.read({"f1": "f1", "f1_macro": "balanced_accuracy"})
    message = "metrics must have names that give each score its own, got 'f1_macro' twice"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        score_names(asked, ("macro",))
