"""scikit-learn's own tests of its measures of labels and scores of classes, with our functions in place of its own.

A private copy of each of its test modules is loaded in which these functions are ours, under its names of options. The
tests that call them are then collected here, with those of their parameters that are ours. What an error says is ours:
where they ask for an error with a message, any message will do, and a TypeError where they have a ValueError. Nor is a
warning asked for: what 0/0 gives is said by ``on_undefined``.
"""

from __future__ import annotations

import functools
import importlib.util
import inspect
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from math import isnan
from types import FunctionType, ModuleType
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
import sklearn.metrics
from sklearn.utils._testing import ignore_warnings

from gpuval import multilabel
from gpuval.multilabel import LabelCounts

# ---- scikit-learn's names ------------------------------------------------------------------------


def precision_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: Any = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    arguments = of_labels(y_true, y_pred, labels, pos_label, average, sample_weight, zero_division)
    return of_one_class(average, multilabel.precision_score(*arguments[0], **arguments[1]))


def recall_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: Any = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    arguments = of_labels(y_true, y_pred, labels, pos_label, average, sample_weight, zero_division)
    return of_one_class(average, multilabel.recall_score(*arguments[0], **arguments[1]))


def fbeta_score(
    y_true: Any,
    y_pred: Any,
    *,
    beta: Any,
    labels: Any = None,
    pos_label: Any = 1,
    average: Any = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    arguments = of_labels(y_true, y_pred, labels, pos_label, average, sample_weight, zero_division)
    return of_one_class(average, multilabel.f_score(*arguments[0], beta=beta, **arguments[1]))


def f1_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: Any = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    options = {"labels": labels, "pos_label": pos_label, "average": average, "zero_division": zero_division}
    return fbeta_score(y_true, y_pred, beta=1, sample_weight=sample_weight, **options)


def precision_recall_fscore_support(
    y_true: Any,
    y_pred: Any,
    *,
    beta: Any = 1.0,
    labels: Any = None,
    pos_label: Any = 1,
    average: Any = None,
    warn_for: Any = (),
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """Four measures of one call; the last, of no average alone, are the samples of each class."""
    options = {"labels": labels, "pos_label": pos_label, "average": average, "zero_division": zero_division}
    given = (y_true, y_pred)
    precision = precision_score(*given, sample_weight=sample_weight, **options)
    recall = recall_score(*given, sample_weight=sample_weight, **options)
    f = fbeta_score(*given, beta=beta, sample_weight=sample_weight, **options)
    counts = counted_labels(y_true, y_pred, labels, sample_weight)
    return precision, recall, f, None if average else counts.true_positives + counts.false_negatives


def balanced_accuracy_score(y_true: Any, y_pred: Any, *, sample_weight: Any = None, adjusted: bool = False) -> Any:
    return multilabel.balanced_accuracy_score(y_true, y_pred, sample_weight=sample_weight, adjusted=adjusted)


def hamming_loss(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> Any:
    return multilabel.hamming_loss(y_true, y_pred, sample_weight=sample_weight)


def roc_auc_score(
    y_true: Any,
    y_score: Any,
    *,
    average: Any = "macro",
    sample_weight: Any = None,
    max_fpr: Any = None,
    multi_class: str = "raise",
    labels: Any = None,
) -> Any:
    assert max_fpr in (None, 1), "the area under a part of the curve is not offered"
    assert multi_class != "ovo", "one class against one other is not offered"
    options = {"average": of_columns(average, y_score), "sample_weight": sample_weight}
    return multilabel.roc_auc_score(as_columns(y_true, labels), y_score, **options)


def average_precision_score(
    y_true: Any, y_score: Any, *, average: Any = "macro", pos_label: Any = 1, sample_weight: Any = None
) -> Any:
    """Take the label of the positives; without any the value is 0."""
    y_true = np.asarray(y_true) == pos_label if np.ndim(y_score) == 1 else as_columns(y_true, None)
    options = {"average": of_columns(average, y_score), "sample_weight": sample_weight, "on_undefined": "zero"}
    return multilabel.average_precision_score(y_true, y_score, **options)


def log_loss(
    y_true: Any, y_proba: Any, *, normalize: bool = True, sample_weight: Any = None, labels: Any = None
) -> Any:
    """Take ``normalize``, without which the loss is a sum over the samples."""
    loss = multilabel.log_loss(as_columns(y_true, labels), y_proba, sample_weight=sample_weight)
    return loss if normalize else loss * (len(y_true) if sample_weight is None else np.sum(sample_weight))


ADAPTED = {
    f.__name__: f
    for f in (
        average_precision_score,
        balanced_accuracy_score,
        f1_score,
        fbeta_score,
        hamming_loss,
        log_loss,
        precision_recall_fscore_support,
        precision_score,
        recall_score,
        roc_auc_score,
    )
}


def of_labels(
    y_true: Any, y_pred: Any, labels: Any, pos_label: Any, average: Any, sample_weight: Any, zero_division: Any
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Our arguments for theirs: labels of some classes, or the class of the positives, are those rows of the counts."""
    options = {"average": None if average == "binary" else average, "on_undefined": on_undefined(zero_division)}
    if average == "binary":
        return (counted_labels(y_true, y_pred, [pos_label], sample_weight),), options
    if labels is None:
        return (y_true, y_pred), {"sample_weight": sample_weight, **options}
    if average == "samples":
        return (y_true[:, labels], y_pred[:, labels]), {"sample_weight": sample_weight, **options}
    return (counted_labels(y_true, y_pred, labels, sample_weight),), options


def of_one_class(average: Any, values: Any) -> Any:
    return values[0] if average == "binary" else values


def on_undefined(zero_division: Any) -> str:
    """NaN is the value of a class, and is left out of means."""
    if zero_division == "warn":
        return "zero"
    return "skip" if isnan(zero_division) else {0: "zero", 1: "one"}[zero_division]


def counted_labels(y_true: Any, y_pred: Any, labels: Any, sample_weight: Any) -> LabelCounts:
    """The counts of these labels; those of vectors that have none of one are 0."""
    counts = LabelCounts.from_labels(y_true, y_pred, sample_weight=sample_weight)
    if labels is None:
        return counts
    places, wanted = places_of(counts.classes), np.asarray(labels).tolist()

    def of(values: Any) -> Any:
        return np.asarray([values[places[x]] if x in places else 0 for x in wanted])

    return LabelCounts.from_counts(of(counts.true_positives), of(counts.false_positives), of(counts.false_negatives))


def of_columns(average: Any, y_score: Any) -> Any:
    """The average, which is not asked for of one class."""
    return "macro" if np.ndim(y_score) == 1 else average


def as_columns(y_true: Any, labels: Any) -> Any:
    """A matrix as it is; for a vector the places of its labels among all, or these: -1 for one that is not there."""
    y_true = np.asarray(y_true)
    if y_true.ndim != 1:
        return y_true
    places = places_of(np.unique(y_true).tolist() if labels is None else np.asarray(labels).tolist())
    return np.asarray([places.get(x, -1) for x in y_true.tolist()], dtype=int)


def places_of(labels: Any) -> dict[Any, int]:
    return {label: place for place, label in enumerate(labels)}


# ---- where its tests do not hold -----------------------------------------------------------------

ONE_AGAINST_ONE = "one class against one other is not offered, nor the area under a part of the curve"
LABELS = "labels= of classes is not offered: the classes are the columns"
ALL_AVERAGES = "one class against the rest is what its average says, for every average"
NUMPY_SCALAR = "a score of NumPy arrays or lists is a NumPy float scalar, which is a Python float by inheritance"
COLUMN = "a column of labels is a matrix of one class, no vector"
INFINITE = "scores are only compared: an infinite one is larger, or smaller, than all others"
POS_LABEL = "pos_label and average='binary' are not offered: a class is a value of average=None"
LAST_DIGIT = "it asks for all bits of one way to find the value"
SETS = "rows of labels are label sets, and need not be made a matrix"

EXCEPTIONS = {
    "test_average_precision_score_binary_pos_label_errors": POS_LABEL,
    "test_average_precision_score_multiclass_pos_label_errors": POS_LABEL,
    "test_average_precision_score_multilabel_pos_label_errors": POS_LABEL,
    "test_metrics_pos_label_error_str": POS_LABEL,
    "test_multiclass_ranking_metrics_raise_for_incorrect_shape_of_y_score": POS_LABEL,
    "test_prf_average_binary_data_non_binary": POS_LABEL,
    "test_multiclass_ovo_roc_auc_toydata": ONE_AGAINST_ONE,
    "test_multiclass_ovo_roc_auc_toydata_binary": ONE_AGAINST_ONE,
    "test_partial_roc_auc_score": ONE_AGAINST_ONE,
    "test_perfect_imperfect_chance_multiclass_roc_auc[ovo]": ONE_AGAINST_ONE,
    "test_roc_auc_score_multiclass_labels_error[ovo]": ONE_AGAINST_ONE,
    "test_roc_auc_score_multiclass_labels_error[ovr-Number of classes]": LABELS,
    "test_roc_auc_score_multiclass_labels_error[ovr-Number of given labels, 4]": LABELS,
    "test_roc_auc_score_multiclass_labels_error[ovr-Parameter 'labels' must be ordered]": LABELS,
    "test_log_loss": LABELS,
    "test_precision_recall_f_extra_labels": LABELS,
    "test_roc_auc_score_multiclass_error": ALL_AVERAGES,
    "test_returned_value_consistency": NUMPY_SCALAR,
    "test_format_invariance_with_1d_vectors": COLUMN,
    "test_balanced_accuracy_score[y_true2]": LAST_DIGIT,
    "test_raise_value_error_multilabel_sequences": SETS,
    **{
        f"test_continuous_inf_nan_input[y_true{i}-y_score{i}-{name}]": INFINITE
        for i in (0, 3)
        for name in ("average_precision_score", "roc_auc_score")
    },
}
"""Every test of scikit-learn's that fails with our functions, or those cases of it whose names have a part in brackets,
and the decision behind it."""

RAISED = {COLUMN: (AssertionError, ValueError)}
"""What the tests fail with, where it is no assertion of theirs."""

OF_WARNINGS = "only that there is a warning, or what it says"
OF_SCORERS = "of objects that call a measure, not of its value"
OF_LIBRARIES = "arrays of two libraries in one call are an error; test_multilabel.py has every measure on every library"

NOT_RUN = {
    "test_symmetry_consistency": "the lists of the test module itself",
    "test_averaging_binary_multilabel_all_zeroes": "a private helper",
    "test_log_loss_y_pred_deprecation": "the end of a name of an argument",
    **dict.fromkeys(
        (
            "test_balanced_accuracy_score_unseen",
            "test_fscore_warnings",
            "test_log_loss_not_probabilities_warning",
            "test_log_loss_warnings",
            "test_precision_recall_f_unused_pos_label",
            "test_precision_warnings",
            "test_prf_warnings",
            "test_recall_warnings",
        ),
        OF_WARNINGS,
    ),
    **dict.fromkeys(
        (
            "test_check_scoring_and_check_multimetric_scoring",
            "test_check_scoring_and_check_multimetric_scoring_errors",
            "test_classification_metric_division_by_zero_nan_validation",
            "test_custom_scorer_pickling",
            "test_curve_scorer",
            "test_curve_scorer_pos_label",
            "test_get_scorer_multimetric",
            "test_invalid_default_pos_label_ignored_on_multiclass",
            "test_make_scorer_repr",
            "test_metadata_kwarg_conflict",
            "test_multiclass_roc_proba_scorer_label",
            "test_multimetric_scorer_calls_method_once_classifier_no_decision",
            "test_raises_on_score_list",
            "test_repr_partial",
            "test_scorer_no_op_multiclass_select_proba",
            "test_scorer_select_proba_error",
            "test_scoring_is_not_metric",
        ),
        OF_SCORERS,
    ),
    **dict.fromkeys(
        (
            "test_array_api_classification_mixed_string_numeric_input",
            "test_array_api_classification_string_input",
            "test_array_api_compliance",
            "test_mixed_array_api_namespace_input_compliance",
        ),
        OF_LIBRARIES,
    ),
}
"""Tests that say nothing of the functions."""

# ---- loading -------------------------------------------------------------------------------------

MODULES = ("test_classification", "test_ranking", "test_common", "test_score_objects")
CALLS: Counter[str] = Counter()


class Marks:
    """The marks of pytest, without one that is scikit-learn's own."""

    def __getattr__(self, name: str) -> Any:
        return (lambda test: test) if name == "thread_unsafe" else getattr(pytest.mark, name)


class AnyMessage:
    """pytest, whose ``raises`` takes every message, and a TypeError for any error; and ``warns`` no warning, too."""

    mark = Marks()

    def __getattr__(self, name: str) -> Any:
        return getattr(pytest, name)

    @staticmethod
    def raises(expected: Any, *, match: Any = None) -> Any:
        kinds = expected if isinstance(expected, tuple) else (expected,)
        return pytest.raises((*kinds, TypeError))

    @staticmethod
    def warns(expected: Any = Warning, *, match: Any = None) -> Any:
        return ignore_warnings(category=expected)


def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Count the calls of ``function``."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        CALLS[name] += 1
        return function(*args, **kwargs)

    return call


def replacements() -> dict[str, Callable[..., Any]]:
    return {name: counted(name, function) for name, function in ADAPTED.items()}


def load(name: str, functions: Mapping[str, Callable[..., Any]]) -> ModuleType:
    """A copy of a test module of scikit-learn's that has seen nothing but ``functions``."""
    spec = importlib.util.find_spec(f"sklearn.metrics.tests.{name}")
    assert spec is not None
    assert spec.loader is not None
    copy = importlib.util.module_from_spec(spec)
    with patch.multiple(sklearn.metrics, **functions), patch.dict(sys.modules, {"pytest": AnyMessage()}):
        spec.loader.exec_module(copy)
    for key, value in vars(copy).items():
        if isinstance(value, set) and value <= metrics_of(copy).keys():
            setattr(copy, key, {x for x in value if is_ours(x, copy)})
    return copy


def metrics_of(module: ModuleType) -> dict[str, Any]:
    """The measures of which a test module speaks by name."""
    return getattr(module, "ALL_METRICS", {})


def is_ours(x: Any, module: ModuleType) -> bool:
    """Whether a function, the name of one, a part of one or a scorer by one is ours, and has its options."""
    if isinstance(x, tuple | list):
        return any(is_ours(y, module) for y in x)
    if isinstance(x, str):
        x = metrics_of(module).get(x)
    x = getattr(x, "_score_func", x)
    options = getattr(x, "keywords", {})
    x = getattr(x, "func", x)
    is_offered = "max_fpr" not in options and options.get("multi_class") != "ovo"
    return is_offered and getattr(x, "__name__", None) in ADAPTED and x.__module__ == __name__


def ours_alone(test: FunctionType, module: ModuleType) -> tuple[FunctionType, bool]:
    """The test with only those of its parameters that are ours, where any are; and whether any are."""
    marks, takes_ours = [], False
    for mark in getattr(test, "pytestmark", []):
        if mark.name == "parametrize":
            names, values = mark.args[0], list(mark.args[1])
            kept = [x for x in values if is_ours(x, module)]
            takes_ours |= bool(kept)
            ids = [name_of(x) for x in kept] if kept else mark.kwargs.get("ids")
            mark = pytest.mark.parametrize(names, kept or values, ids=ids).mark
        marks.append(mark)
    test.pytestmark = marks
    return test, takes_ours


def name_of(x: Any) -> str:
    """The name of a parameter that is ours."""
    if isinstance(x, tuple | list):
        return "-".join(map(name_of, x))
    if hasattr(x, "func"):
        return "-".join([x.func.__name__, *(f"{key}={value}" for key, value in x.keywords.items())])
    x = getattr(x, "_score_func", x)
    return getattr(x, "__name__", str(x))


def calls_ours(test: FunctionType, module: ModuleType, seen: frozenset[str] = frozenset()) -> bool:
    """Whether a function of the test module names one of ours, or another that does."""
    names = set(names_in(test.__code__)) - seen
    others = (vars(module).get(name) for name in names)
    return bool(names & set(ADAPTED)) or any(
        calls_ours(x, module, seen | names)
        for x in others
        if isinstance(x, FunctionType) and x.__module__ == module.__name__
    )


def names_in(code: Any) -> Iterator[str]:
    """The names in a function and in those within it."""
    yield from code.co_names
    for x in code.co_consts:
        if hasattr(x, "co_names"):
            yield from names_in(x)


SETS = ("MULTILABELS_METRICS", "METRICS_WITH_AVERAGING", "ALL_METRICS")
"""The names under which a test finds the measures itself."""


def collect(module: ModuleType) -> dict[str, FunctionType]:
    """The tests of a module that call one of our functions, by name."""
    found = {}
    for name, test in vars(module).items():
        if name.startswith("test_") and name not in NOT_RUN:
            test, takes_ours = ours_alone(test, module)
            parameters = [mark.args[0] for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]
            finds_ours = not any("name" in x for x in parameters) and set(SETS) & set(names_in(test.__code__))
            if takes_ours or finds_ours or calls_ours(test, module):
                found[name] = calling_ours(test)
    return found


def calling_ours(test: FunctionType) -> FunctionType:
    """The test, which must now also call one of our functions."""

    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        CALLS.clear()
        test(*args, **kwargs)
        assert CALLS, "no function of ours was called"

    return run


LOADED = {name: load(name, replacements()) for name in MODULES}
OF_MODULES = {name: collect(module) for name, module in LOADED.items()}
THEIRS = {name: test for tests in OF_MODULES.values() for name, test in tests.items()}
globals().update(THEIRS)
string_labeled_classification_problem = LOADED["test_score_objects"].string_labeled_classification_problem


@pytest.fixture
def global_random_seed() -> int:
    return 42


@pytest.fixture(autouse=True)
def _exceptions_fail(request: pytest.FixtureRequest) -> None:
    """Expect the tests in ``EXCEPTIONS`` to fail, every parameter of them; where one passes, that is an error."""
    for key, reason in EXCEPTIONS.items():
        if is_case(request.node.name, key):
            raised = RAISED.get(reason, (AssertionError, pytest.fail.Exception))
            request.applymarker(pytest.mark.xfail(reason=reason, raises=raised, strict=True))


def is_case(name: str, key: str) -> bool:
    """Whether this is the test, and a case with the part of its name that stands in brackets."""
    (test, _, case), (wanted, _, part) = name.partition("["), key.partition("[")
    return test == wanted and part.removesuffix("]") in case


# ---- that it is ours, and that it matters --------------------------------------------------------


def test_none_of_theirs_is_left():
    for module in LOADED.values():
        for name in set(ADAPTED) & set(vars(module)):
            assert vars(module)[name].__module__ == __name__
    for name in ADAPTED:
        assert any(name in vars(module) for module in LOADED.values())


def test_every_function_is_called_by_some_test():
    for name in ADAPTED:
        assert any(name in names_in(inspect.unwrap(test).__code__) for test in THEIRS.values()), name


def test_no_two_modules_have_a_test_of_one_name():
    assert sum(map(len, OF_MODULES.values())) == len(THEIRS)


def test_the_exceptions_are_tests_of_theirs():
    assert {key.partition("[")[0] for key in EXCEPTIONS} <= set(THEIRS)
    for name in NOT_RUN:
        assert any(hasattr(module, name) for module in LOADED.values()), name


@pytest.mark.parametrize(
    ("name", "wrong", "module", "test", "arguments"),
    [
        ("average_precision_score", 0.5, "test_ranking", "test_precision_recall_curve", (True,)),
        (
            "balanced_accuracy_score",
            0.5,
            "test_classification",
            "test_balanced_accuracy_score",
            ([0, 0, 1], [0, 1, 1]),
        ),
        ("f1_score", 0.5, "test_classification", "test_zero_precision_recall", ()),
        ("fbeta_score", 0.5, "test_classification", "test_precision_recall_f1_score_multilabel_1", ()),
        ("hamming_loss", 0.5, "test_classification", "test_multilabel_hamming_loss", ()),
        ("log_loss", 0.5, "test_classification", "test_log_loss", ()),
        (
            "precision_recall_fscore_support",
            ([0.5] * 4, [0.5] * 4, [0.5] * 4, [1] * 4),
            "test_classification",
            "test_precision_recall_f1_score_multilabel_2",
            (),
        ),
        ("precision_score", 0.5, "test_classification", "test_precision_recall_f_binary_single_class", ()),
        ("recall_score", 0.5, "test_classification", "test_zero_precision_recall", ()),
        ("roc_auc_score", 0.5, "test_ranking", "test_roc_curve", (True,)),
    ],
)
def test_a_wrong_function_fails(name, wrong, module, test, arguments):
    functions = replacements()
    functions[name] = lambda *args, **kwargs: wrong
    with pytest.raises(AssertionError):
        vars(load(module, functions))[test](*arguments)


def test_a_test_that_calls_nothing_fails():
    with pytest.raises(AssertionError, match="no function of ours"):
        calling_ours(lambda: None)()
