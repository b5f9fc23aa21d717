"""scikit-learn's own tests of its measures of one ranking, with our functions in place of its own.

A private copy of its test module is loaded, in which its functions are replaced by ours under its names of options. The
tests that call them are then collected here.
"""

from __future__ import annotations

import functools
import importlib.util
from collections import Counter
from collections.abc import Callable, Mapping
from types import FunctionType, ModuleType
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
import sklearn.metrics
import sklearn.metrics._ranking

from gpuval import ranking

# ---- scikit-learn's names ------------------------------------------------------------------------


def _options(k: int | None, ignore_ties: bool) -> dict[str, Any]:
    return {"n": k, "ties": "stable" if ignore_ties else "average"}


def ndcg_score(y_true: Any, y_score: Any, *, k: Any = None, sample_weight: Any = None, ignore_ties: Any = False) -> Any:
    return ranking.ndcg_score(y_true, y_score, sample_weight=sample_weight, **_options(k, ignore_ties))


def dcg_score(
    y_true: Any, y_score: Any, *, k: Any = None, log_base: Any = 2, sample_weight: Any = None, ignore_ties: Any = False
) -> Any:
    """Take the base of the logarithm, by which all values are scaled alike."""
    score = ranking.dcg_score(y_true, y_score, sample_weight=sample_weight, **_options(k, ignore_ties))
    return score * np.log2(log_base)


def _dcg_sample_scores(y_true: Any, y_score: Any, k: Any = None, log_base: Any = 2, ignore_ties: Any = False) -> Any:
    found = ranking.dcg_score(y_true, y_score, return_per_query=True, **_options(k, ignore_ties))
    return found.query_scores * np.log2(log_base)


def _ndcg_sample_scores(y_true: Any, y_score: Any, k: Any = None, ignore_ties: Any = False) -> Any:
    return ranking.ndcg_score(y_true, y_score, return_per_query=True, **_options(k, ignore_ties)).query_scores


def average_precision_score(y_true: Any, y_score: Any, *, pos_label: Any = 1, **options: Any) -> Any:
    """Take the label of what is relevant; a matrix is one of scikit-learn's samples and classes, by its columns."""
    return ranking.average_precision_score(np.asarray(y_true) == pos_label, y_score, **options)


ADAPTED = {
    f.__name__: f for f in (ndcg_score, dcg_score, _dcg_sample_scores, _ndcg_sample_scores, average_precision_score)
}

# ---- where its tests do not hold -----------------------------------------------------------------

TIES = "tied documents are worth the mean over their orders (scikit-learn: all of them at the last of their ranks)"
STABLE = 'with ties="stable" the first that is given is the first (scikit-learn: the last)'
MESSAGE = "our messages name the argument, what it must be and what was received"
ONE_DOCUMENT = "a list of one document has a value, which is 1 if that is relevant (scikit-learn: an error)"
OF_CLASSES = (
    "its matrices are of samples and classes, and its labels of classes; here they are of queries and documents"
)

EXCEPTIONS = {
    "test_precision_recall_curve_toydata": TIES,
    "test_average_precision_constant_values": TIES,
    "test_dcg_ties": STABLE,
    "test_ndcg_negative_ndarray_error": MESSAGE,
    "test_ndcg_error_single_document": ONE_DOCUMENT,
    "test_average_precision_score_binary_pos_label_errors": OF_CLASSES,
    "test_average_precision_score_multilabel_pos_label_errors": OF_CLASSES,
    "test_average_precision_score_multiclass_pos_label_errors": OF_CLASSES,
    "test_multiclass_ranking_metrics_raise_for_incorrect_shape_of_y_score": OF_CLASSES,
}
"""Every test of scikit-learn's that fails with our functions, and the decision behind it."""

# ---- loading -------------------------------------------------------------------------------------

CALLS: Counter[str] = Counter()


def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Count the calls of ``function``."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        CALLS[name] += 1
        return function(*args, **kwargs)

    return call


def replacements() -> dict[str, Callable[..., Any]]:
    return {name: counted(name, function) for name, function in ADAPTED.items()}


def load(functions: Mapping[str, Callable[..., Any]]) -> ModuleType:
    """A copy of the test module of scikit-learn's that has seen nothing but ``functions``."""
    spec = importlib.util.find_spec("sklearn.metrics.tests.test_ranking")
    assert spec is not None
    assert spec.loader is not None
    copy = importlib.util.module_from_spec(spec)
    public = {name: f for name, f in functions.items() if not name.startswith("_")}
    private = {name: f for name, f in functions.items() if name.startswith("_")}
    with patch.multiple(sklearn.metrics, **public), patch.multiple(sklearn.metrics._ranking, **private):
        spec.loader.exec_module(copy)
    return copy


def calls_ours(function: Callable[..., Any], module: ModuleType) -> bool:
    """Whether a function of the test module names one of ours, or another that does."""
    names = function.__code__.co_names
    others = (getattr(module, name, None) for name in names)
    return bool(set(names) & set(ADAPTED)) or any(
        calls_ours(x, module) for x in others if isinstance(x, FunctionType) and x.__module__ == module.__name__
    )


def parameters(test: Any) -> list[list[Any]]:
    """The values of the parameters of a test."""
    return [list(mark.args[1]) for mark in getattr(test, "pytestmark", []) if mark.name == "parametrize"]


def is_ours(x: Any) -> bool:
    return getattr(x, "__name__", None) in ADAPTED


def ours_alone(test: FunctionType) -> FunctionType:
    """The test with only those of its parameters that are ours, where they are functions."""
    marks = []
    for mark in getattr(test, "pytestmark", []):
        if mark.name == "parametrize":
            names, values = mark.args[0], list(mark.args[1])
            kept = [x for x in values if is_ours(x)] or values
            mark = pytest.mark.parametrize(names, kept, **mark.kwargs).mark
        marks.append(mark)
    test.pytestmark = marks
    return test


def collect(module: ModuleType) -> dict[str, FunctionType]:
    """The tests of a module that call one of our functions, by name."""
    found = {}
    for name, test in vars(module).items():
        if name.startswith("test_"):
            takes_ours = any(is_ours(x) for values in parameters(test) for x in values)
            if takes_ours or calls_ours(test, module):
                found[name] = calling_ours(ours_alone(test))
    return found


def calling_ours(test: FunctionType) -> FunctionType:
    """The test, which must now also call one of our functions."""

    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        CALLS.clear()
        test(*args, **kwargs)
        assert CALLS, "no function of ours was called"

    return run


LOADED = load(replacements())
THEIRS = collect(LOADED)
globals().update(THEIRS)


@pytest.fixture(autouse=True)
def _exceptions_fail(request: pytest.FixtureRequest) -> None:
    """Expect the tests in ``EXCEPTIONS`` to fail, every parameter of them; where one passes, that is an error."""
    reason = EXCEPTIONS.get(request.node.originalname)
    if reason:
        raised = (AssertionError, pytest.fail.Exception)
        request.applymarker(pytest.mark.xfail(reason=reason, raises=raised, strict=True))


# ---- that it is ours, and that it matters --------------------------------------------------------


def test_none_of_theirs_is_left():
    for name in ADAPTED:
        assert vars(LOADED)[name].__module__ == __name__


def test_every_function_is_called_by_some_test():
    for name in ADAPTED:
        assert any(calls_ours_by_name(test, name) for test in THEIRS.values()), name


def calls_ours_by_name(test: FunctionType, name: str) -> bool:
    """Whether a test, or a helper that it names, names this function."""
    names = test.__wrapped__.__code__.co_names
    helpers = [x for x in (getattr(LOADED, other, None) for other in names) if isinstance(x, FunctionType)]
    return name in names or any(name in x.__code__.co_names for x in helpers)


def test_the_exceptions_are_tests_of_theirs():
    assert set(EXCEPTIONS) < set(THEIRS)


@pytest.mark.parametrize(
    ("name", "wrong", "test", "arguments"),
    [
        ("ndcg_score", 0.5, "test_ndcg_invariant", ()),
        ("dcg_score", 0.5, "test_ndcg_toy_examples", (True,)),
        ("_dcg_sample_scores", np.ones(100), "test_dcg_score", ()),
        ("_ndcg_sample_scores", np.full(100, 0.5), "test_ndcg_score", ()),
        ("average_precision_score", 0.5, "test_precision_recall_curve", (True,)),
    ],
)
def test_a_wrong_function_fails(name, wrong, test, arguments):
    functions = replacements()
    functions[name] = lambda *args, **kwargs: wrong
    with pytest.raises(AssertionError):
        vars(load(functions))[test](*arguments)


def test_a_test_that_calls_nothing_fails():
    with pytest.raises(AssertionError, match="no function of ours"):
        calling_ours(lambda: None)()
