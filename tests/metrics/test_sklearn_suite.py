"""scikit-learn's own tests of its measures of clusterings, with our functions in place of its own.

A private copy of each of its test modules is loaded while `sklearn.metrics.cluster` holds our functions, so that all
that the modules import, put into their dictionaries and give to their parameters is ours. Its tests are then collected
here.
"""

from __future__ import annotations

import ast
import functools
import importlib.util
import inspect
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
import sklearn.metrics.cluster
import sklearn.metrics.cluster._supervised
import sklearn.metrics.cluster._unsupervised
from scipy.sparse import issparse

import gpuval
from gpuval.measures.measure import measures_in
from gpuval.metrics.internal._measure import INTERNAL

# ---- scikit-learn's names ------------------------------------------------------------------------


def mutual_info_score(labels_true: Any, labels_pred: Any, *, contingency: Any = None) -> Any:
    """Take a ready table by scikit-learn's keyword, in whose place we take it first."""
    if contingency is None:
        return gpuval.mutual_info_score(labels_true, labels_pred)
    return gpuval.mutual_info_score(gpuval.Contingency.from_counts(contingency))


def expected_mutual_information(contingency: Any, n_samples: int) -> Any:
    """Take the table under scikit-learn's name of the function, with the number of samples that it asks for."""
    table = gpuval.Contingency.from_counts(contingency)
    assert table.total == n_samples
    return gpuval.expected_mutual_info(table)


def _entropy(labels: Any) -> float:
    """Give a Python float for arrays of any library."""
    return float(gpuval.entropy(labels))


def silhouette_samples(X: Any, labels: Any, *, metric: Any = "euclidean", **options: Any) -> Any:
    """Say of sparse distances that those without an entry are 0, as they are in scikit-learn."""
    absent = 0 if metric == "precomputed" and issparse(X) else None
    return gpuval.silhouette_samples(X, labels, metric=metric, absent=absent, **options)


ADAPTED = {f.__name__: f for f in (mutual_info_score, expected_mutual_information, _entropy, silhouette_samples)}
SHARED = {x.name for x in measures_in(gpuval)} & {*sklearn.metrics.cluster.__all__}
DROP_IN = sorted(SHARED - {*ADAPTED, "entropy"})
"""What takes the arguments that scikit-learn's function of this name takes."""

# ---- where its tests do not hold -----------------------------------------------------------------

MESSAGE = "our messages name the argument, what it must be and what was received"
NUMPY_SCALAR = "a score of NumPy arrays or lists is a NumPy float scalar, which is a Python float by inheritance"
NO_SAMPLES = "the entropy of no samples is 0 (scikit-learn: 1)"

STRICT = "array_api_strict-CPU_DEVICE-float64"
BESIDE = "labels lie beside the samples, or on the host; scikit-learn takes samples on the host with labels elsewhere"

EXCEPTIONS = {
    "test_error_messages_on_wrong_input": MESSAGE,
    "test_contingency_matrix_sparse": MESSAGE,
    "test_inf_nan_input": MESSAGE,
    "test_returned_value_consistency": NUMPY_SCALAR,
    "test_entropy": NO_SAMPLES,
    "test_entropy_array_api": NO_SAMPLES,
    **{
        f"test_array_api_compliance[{name}_score-check_array_api_unsupervised_metric-{STRICT}]": BESIDE
        for name in ("calinski_harabasz", "davies_bouldin")
    },
}
"""Every test of scikit-learn's that fails with our functions, or one case of it, and the decision behind it."""

NOT_OF_MEASURES = {
    "test_generalized_average": "a private helper",
    "test_check_clustering_error": "a private helper",
    "test_public_entropy_deprecation": "the end of a public name",
    "test_symmetric_non_symmetric_union": "the lists of the test module itself",
    "test_silhouette_reduce": "a private helper",
}
"""Tests that call none of the functions."""

# ---- loading -------------------------------------------------------------------------------------

MODULES = ("test_supervised", "test_common", "test_unsupervised")
CALLS: Counter[str] = Counter()


def counted(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Count the calls of ``function``."""

    @functools.wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        CALLS[name] += 1
        return function(*args, **kwargs)

    call.__name__ = name
    return call


def replacements() -> dict[str, Callable[..., Any]]:
    functions = {name: getattr(gpuval, name) for name in DROP_IN} | ADAPTED
    return {name: counted(name, function) for name, function in functions.items()}


def compliance() -> ModuleType:
    """scikit-learn's check of a measure of any library's arrays, alone: its module has marks of its own."""
    import sklearn.metrics.tests

    file = Path(sklearn.metrics.tests.__file__).with_name("test_common.py")
    tree = ast.parse(file.read_text())
    kept = [
        node
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom)
        or (isinstance(node, ast.FunctionDef) and node.name == "check_array_api_metric")
    ]
    module = ModuleType("sklearn.metrics.tests.test_common")
    exec(compile(ast.Module(kept, []), str(file), "exec"), vars(module))
    return module


COMPLIANCE = compliance()


def load(name: str, functions: Mapping[str, Callable[..., Any]]) -> ModuleType:
    """A copy of a test module of scikit-learn's that has seen nothing but ``functions``."""
    spec = importlib.util.find_spec(f"sklearn.metrics.cluster.tests.{name}")
    assert spec is not None
    assert spec.loader is not None
    copy = importlib.util.module_from_spec(spec)
    public = {key: f for key, f in functions.items() if hasattr(sklearn.metrics.cluster, key)}
    private = {key: f for key, f in functions.items() if key not in public}
    with (
        patch.dict(sys.modules, {"sklearn.metrics.tests.test_common": COMPLIANCE}),
        patch.multiple(sklearn.metrics.cluster, **public),
        patch.multiple(sklearn.metrics.cluster._supervised, **private),
    ):
        spec.loader.exec_module(copy)
    return copy


def with_lists(test: FunctionType) -> FunctionType:
    """The parameters as lists: some are iterators, which are used up by the first copy."""
    marks = []
    for mark in getattr(test, "pytestmark", []):
        assert mark.name == "parametrize"
        names, values = mark.args
        marks.append(pytest.mark.parametrize(names, list(values), **mark.kwargs).mark)
    test.pytestmark = marks
    return test


def calling_ours(test: FunctionType) -> FunctionType:
    """The test, which must now also call one of our functions."""

    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        CALLS.clear()
        test(*args, **kwargs)
        assert CALLS, "no function of ours was called"

    return run


def collect(module: ModuleType) -> dict[str, FunctionType]:
    """The tests of a module by name."""
    return {
        name: calling_ours(with_lists(value))
        for name, value in vars(module).items()
        if name.startswith("test_") and name not in NOT_OF_MEASURES
    }


LOADED = [load(name, replacements()) for name in MODULES]
THEIRS = {name: test for module in LOADED for name, test in collect(module).items()}
globals().update(THEIRS)


@pytest.fixture(autouse=True)
def _exceptions_fail(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Expect the tests in ``EXCEPTIONS`` to fail, every parameter of them; where one passes, that is an error."""
    monkeypatch.setenv("SCIPY_ARRAY_API", "1")  # else they skip other libraries than NumPy
    reason = EXCEPTIONS.get(request.node.originalname) or EXCEPTIONS.get(request.node.name)
    if reason:
        raised = TypeError if reason is BESIDE else AssertionError
        request.applymarker(pytest.mark.xfail(reason=reason, raises=raised, strict=True))


# ---- that it is ours, and that it matters --------------------------------------------------------


def test_no_measure_of_theirs_is_left():
    ours = replacements()
    helpers = {"_generalized_average", "_silhouette_reduce", "check_clusterings", "entropy"}
    for module in LOADED:
        theirs = {
            name
            for name, value in vars(module).items()
            if callable(value) and getattr(value, "__module__", "").startswith("sklearn.metrics.cluster._")
        }
        assert theirs <= helpers
        assert {name for name in vars(module) if name in ours} - {"entropy"}
    supervised, unsupervised = LOADED[1].SUPERVISED_METRICS, LOADED[1].UNSUPERVISED_METRICS
    assert set(supervised) | set(unsupervised) <= {*ours, "silhouette_manhattan"}
    for name, function in (supervised | unsupervised).items():
        CALLS.clear()
        function(*([[0, 1], [0, 1]] if name in supervised else [[[0], [1], [3]], [0, 0, 1]]))
        assert sum(CALLS.values()) == CALLS[name.replace("manhattan", "score")] == 1


def test_every_function_is_called_by_some_test():
    mentioned = {name for test in THEIRS.values() for name in inspect.unwrap(test).__code__.co_names}
    listed = {f.__name__ for f in LOADED[0].score_funcs} | set(LOADED[1].SUPERVISED_METRICS)
    listed |= set(LOADED[1].UNSUPERVISED_METRICS)
    assert set(replacements()) <= mentioned | listed


def test_the_exceptions_are_tests_of_theirs():
    assert {name.partition("[")[0] for name in EXCEPTIONS} <= set(THEIRS)
    for name in NOT_OF_MEASURES:
        assert any(hasattr(module, name) for module in LOADED)


@pytest.mark.parametrize(
    ("name", "wrong", "module", "test"),
    [
        ("adjusted_mutual_info_score", 0.5, "test_supervised", "test_adjusted_mutual_info_score"),
        ("adjusted_rand_score", 0.5, "test_supervised", "test_adjustment_for_chance"),
        ("calinski_harabasz_score", 1.5, "test_unsupervised", "test_calinski_harabasz_score"),
        ("contingency_matrix", np.zeros((3, 3)), "test_supervised", "test_contingency_matrix"),
        ("davies_bouldin_score", 0.5, "test_unsupervised", "test_davies_bouldin_score"),
        ("_entropy", 0.5, "test_supervised", "test_entropy"),
        ("expected_mutual_information", 2.0, "test_supervised", "test_expected_mutual_info_overflow"),
        ("fowlkes_mallows_score", 0.5, "test_supervised", "test_fowlkes_mallows_score"),
        ("homogeneity_completeness_v_measure", (1, 1, 1), "test_supervised", "test_beta_parameter"),
        ("mutual_info_score", 0.5, "test_supervised", "test_adjusted_mutual_info_score"),
        ("normalized_mutual_info_score", 0.5, "test_supervised", "test_exactly_zero_info_score"),
        ("pair_confusion_matrix", np.zeros((2, 2)), "test_supervised", "test_pair_confusion_matrix"),
        ("rand_score", 0.5, "test_supervised", "test_rand_score"),
        ("silhouette_samples", np.zeros(6), "test_unsupervised", "test_cluster_size_1"),
        ("silhouette_score", 0.5, "test_unsupervised", "test_silhouette_score_integer_precomputed"),
        ("v_measure_score", 0.5, "test_supervised", "test_exactly_zero_info_score"),
    ],
)
def test_a_wrong_function_fails(name, wrong, module, test):
    functions = replacements()
    functions[name] = lambda *args, **kwargs: wrong
    with pytest.raises((AssertionError, pytest.fail.Exception)):
        vars(load(module, functions))[test]()


@pytest.mark.parametrize("name", ["homogeneity_score", "completeness_score"])
def test_a_wrong_metric_fails(name):
    functions = replacements()
    functions[name] = lambda *args, **kwargs: 0.5
    with pytest.raises(AssertionError):
        load("test_common", functions).test_normalized_output(name)


def test_a_test_that_calls_nothing_fails():
    with pytest.raises(AssertionError, match="no function of ours"):
        calling_ours(lambda: None)()


# ---- calling conventions -------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*DROP_IN, "mutual_info_score", "silhouette_samples"])
def test_arguments_by_name(name):
    ours, theirs = getattr(gpuval, name), getattr(sklearn.metrics.cluster, name)
    labels = {"labels_true": [0, 0, 1, 1, 2], "labels_pred": [0, 1, 1, 1, 0]}
    if ours.measure.family is INTERNAL:
        labels = {"X": [[0.0, 1], [2, 3], [4, 6], [9, 9], [1, 1]], "labels": [0, 1, 1, 1, 0]}
    np.testing.assert_allclose(ours(**labels), theirs(**labels), rtol=1e-13)
    np.testing.assert_allclose(ours(*labels.values()), theirs(**labels), rtol=1e-13)


def test_contingency_matrix_takes_their_options():
    labels = [0, 0, 1, 1, 2], [0, 1, 1, 1, 0]
    theirs = sklearn.metrics.cluster.contingency_matrix
    for options in ({"eps": 0.5}, {"dtype": np.int32}, {"dtype": np.float32}, {"sparse": True}):
        ours, wanted = gpuval.contingency_matrix(*labels, **options), theirs(*labels, **options)
        assert ours.dtype == wanted.dtype
        assert type(ours) is type(wanted)
        if "sparse" in options:
            assert ours.format == wanted.format
            ours, wanted = ours.toarray(), wanted.toarray()
        np.testing.assert_array_equal(ours, wanted)


def test_a_ready_table_instead_of_labels():
    labels = [0, 0, 1, 1, 2], [0, 1, 1, 1, 0]
    for sparse in (False, True):
        counts = sklearn.metrics.cluster.contingency_matrix(*labels, sparse=sparse)
        ours = gpuval.mutual_info_score(gpuval.Contingency.from_counts(counts))
        wanted = sklearn.metrics.cluster.mutual_info_score(None, None, contingency=counts)
        np.testing.assert_allclose(ours, wanted, rtol=1e-13)
