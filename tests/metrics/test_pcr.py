"""Principal component regression beside its definition, on every backend, and worked values."""

from __future__ import annotations

import functools
from fractions import Fraction
from itertools import product

import internal_cases as cases
import internal_oracles as oracles
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from backends import BACKENDS
from internal_cases import off_by
from only_for import only_for

import gpuval

X6 = [[0.0, 0], [2, 1], [1, 3], [5, 2], [7, 3], [6, 1]]
TWO, THREE = [0, 0, 0, 1, 1, 1], [0, 0, 1, 1, 2, 2]
LONG = [0.0, 1, 2, 3, 4, 6.5]
AMONG = ("normal", "far", "tight", "outlier", "duplicates", "collinear", "one_mean", "one_feature", "singles", "tiny")


def covariate_of(case, kind):
    """The clusters of a case for categories, and a quantity that goes with the first feature."""
    X, labels = cases.case(case)
    if kind == "categorical":
        return labels
    return np.round(8 * (X[:, 0] / abs(X[:, 0]).max() + np.random.default_rng(4).normal(size=len(X)))) / 8


def exact(case, kind, bits, n_components=None, weights=None):
    return by_definition(case, kind, bits, n_components, None if weights is None else (str(weights.dtype), *weights))


@functools.cache  # all backends have the same cases
def by_definition(case, kind, bits, n_components, given):
    weights = None if given is None else np.asarray(given[1:], given[0])
    X = cases.case(case, bits)[0]
    covariate = covariate_of(case, kind)
    if weights is not None and weights.dtype.kind == "i":
        X, covariate = oracles.repeated(X, covariate.tolist(), weights)
        weights = None
    return float(oracles.principal_component_regression(X, list(covariate), kind, n_components, weights))


def sizes(backend, kind, covariate):
    if kind == "continuous":
        return [{}]
    given = {"n_categories": int(max(covariate)) + 1}
    return [{}, given] if backend.finds_sizes else [given]


@pytest.mark.by_default(once=True)
@pytest.mark.parametrize("kind", ["categorical", "continuous"])
@only_for(lambda backend, kind: kind != "continuous" or backend.finds_sizes)  # see test_quantities_of_fixed_shapes
def test_values(backend, kind):
    bits = 64 if backend.has_float64 else 32
    for case in ("normal", "far") if backend.compiles else AMONG:
        X, covariate = cases.case(case, bits)[0], covariate_of(case, kind)
        given, beside = backend.of(X), backend.array(covariate)
        for size in sizes(backend, kind, covariate):
            found = gpuval.pcr_score(given, beside, kind=kind, **size)
            backend.assert_at_home(found, given)
            assert off_by(float(backend.numpy(found)), exact(case, kind, bits)) <= (1e-12 if bits == 64 else 1e-5), case


def test_quantities_of_fixed_shapes():
    backend = BACKENDS["strict-fixed-shapes"]
    with backend.mode():
        found = gpuval.pcr_score(backend.array(X6), backend.array(LONG), kind="continuous")
    assert float(found) == pytest.approx(float(oracles.principal_component_regression(X6, LONG, "continuous")))


@pytest.mark.parametrize("kind", ["categorical", "continuous"])
@only_for(lambda backend: backend.finds_sizes)
def test_some_components(backend, kind):
    bits = 64 if backend.has_float64 else 32
    for case in ("normal",) if backend.compiles else ("normal", "far", "collinear", "many_features"):
        X, covariate = cases.case(case, bits)[0], covariate_of(case, kind)
        for n_components in (1, 3):
            found = gpuval.pcr_score(backend.of(X), backend.array(covariate), kind=kind, n_components=n_components)
            backend.assert_at_home(found, backend.of(X))
            expected = exact(case, kind, bits, n_components)
            bound = (
                1e-11 if bits == 64 else 1e-4
            )  # of the directions, which are as well known as their variances differ
            assert off_by(float(backend.numpy(found)), expected) <= bound, (case, n_components, float(found), expected)


def test_all_components_are_no_decomposition():
    """The same as of as many as there are features, by any rotation of these."""
    X, labels = cases.case("normal")
    rotation, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(X.shape[1],) * 2))
    whole = gpuval.pcr_score(X, labels)
    assert gpuval.pcr_score(X, labels, n_components=X.shape[1]) == whole
    assert gpuval.pcr_score(X @ rotation, labels) == pytest.approx(whole, rel=1e-12)
    by_hand = oracles.principal_component_regression(X, labels.tolist(), "categorical", X.shape[1])
    assert whole == pytest.approx(float(by_hand), rel=1e-12)


@pytest.mark.parametrize("kind", ["categorical", "continuous"])
@pytest.mark.parametrize("weights", ["copies", "shares"])
@only_for(lambda backend: backend.finds_sizes and not backend.compiles)
def test_weights(backend, kind, weights):
    bits, random = 64 if backend.has_float64 else 32, np.random.default_rng(3)
    for case, n_components in product(("normal", "far"), (None, 2)):
        X, covariate = cases.case(case, bits)[0], covariate_of(case, kind)
        w = random.integers(0, 4, len(X)) if weights == "copies" else random.random(len(X)).round(3)
        given = backend.of(X), backend.array(covariate)
        found = gpuval.pcr_score(*given, kind=kind, n_components=n_components, sample_weight=backend.array(w))
        expected = exact(case, kind, bits, n_components, w)
        assert off_by(float(backend.numpy(found)), expected) <= (1e-11 if bits == 64 else 1e-4), case


# ---- worked values -------------------------------------------------------------------------------


def test_two_batches_by_hand():
    """Means (1, 4/3) and (6, 2): between 5^2 + (2/3)^2 by 6/4, whole 229/6 + 32/3; Calinski-Harabasz is 229/16."""
    expected = Fraction(229, 293)
    assert gpuval.pcr_score(X6, TWO) == pytest.approx(float(expected), rel=1e-15)
    assert float(oracles.principal_component_regression(X6, TWO)) == float(expected)
    ratio = float(gpuval.calinski_harabasz_score(X6, TWO))
    assert 1 / (1 + 4 / ratio) == pytest.approx(float(expected), rel=1e-14)


def test_codes_of_batches_are_no_quantity():
    """Three batches: scib-metrics' default takes their codes for a quantity, and explains less (0.6655, not 0.7235)."""
    rng = np.random.default_rng(8)
    X = rng.normal(size=(30, 2)) + rng.normal(size=(3, 2), scale=3)[np.arange(30) % 3]
    batch = np.arange(30) % 3
    of_codes = gpuval.pcr_score(X, batch, kind="continuous")
    by_name = gpuval.pcr_score(X, batch)
    assert of_codes < by_name - 0.01
    for same in (batch * 7 - 3, np.asarray(["x", "z", "y"])[batch], batch.astype(float), (2 - batch).tolist()):
        assert gpuval.pcr_score(X, same) == pytest.approx(by_name, rel=1e-14)
    assert gpuval.pcr_score(X, batch % 2) == pytest.approx(gpuval.pcr_score(X, batch % 2, kind="continuous"), rel=1e-12)


def test_a_line_by_hand():
    """z = 1, 2, 3, 4 about 2.5: the first feature has the product 12 and the second 2, of 5 sum z^2, 36 and 4."""
    found = gpuval.pcr_score([[0, 0], [0, 2], [6, 0], [6, 2]], [1, 2, 3, 4], kind="continuous")
    assert found == pytest.approx((12**2 + 2**2) / 5 / 40, rel=1e-15)


# ---- edges ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["categorical", "continuous"])
@pytest.mark.parametrize("value", [0.0, 0.1, 1e8 + 0.3, 1e300])
@only_for(lambda backend: backend.finds_sizes and not backend.compiles)
@only_for(lambda backend, value: value <= 1e9 or backend.has_float64)
def test_cells_that_are_all_equal_have_nothing_to_explain(backend, kind, value):
    X = backend.array(np.full((7, 3), value))
    for n_components in (None, 2):
        for batch in (np.arange(7) % 2, np.arange(7) % 3):
            found = gpuval.pcr_score(X, backend.array(batch), kind=kind, n_components=n_components)
            assert float(backend.numpy(found)) == 0


@pytest.mark.parametrize("kind", ["categorical", "continuous"])
@only_for(lambda backend: backend.finds_sizes and not backend.compiles)
def test_one_value_explains_nothing(backend, kind):
    X = backend.array(np.random.default_rng(0).normal(size=(9, 3)) + 5)
    for value in (1, 3):
        found = gpuval.pcr_score(X, backend.array(np.full(9, value)), kind=kind)
        assert float(backend.numpy(found)) == 0
    if kind == "continuous":
        assert float(backend.numpy(gpuval.pcr_score(X, backend.array(np.full(9, 0.1)), kind=kind))) == 0


def test_a_category_for_each_cell_explains_all():
    X = np.random.default_rng(0).normal(size=(9, 3))
    assert gpuval.pcr_score(X, np.arange(9)) == 1
    assert gpuval.pcr_score([[1.0, 2.0]], [0]) == 0


@pytest.mark.parametrize("unit", [2.0**-500, 2.0**-1000, 2.0**500, 2.0**1000])
def test_any_unit(unit):
    X, labels = cases.case("normal")
    for options in ({}, {"n_components": 2}, {"kind": "continuous"}):
        expected = gpuval.pcr_score(X, labels, **options)
        assert gpuval.pcr_score(X * unit, labels, **options) == pytest.approx(expected, rel=1e-12)
    z = covariate_of("normal", "continuous")
    expected = gpuval.pcr_score(X, z, kind="continuous")
    assert gpuval.pcr_score(X, z * unit, kind="continuous") == pytest.approx(expected, rel=1e-12)


def test_a_quantity_far_from_zero():
    X = np.random.default_rng(1).normal(size=(50, 2))
    z = np.round(1024 * np.random.default_rng(2).random(50)) / 1024
    expected = gpuval.pcr_score(X, z, kind="continuous")
    assert gpuval.pcr_score(X, z + 2.0**40, kind="continuous") == pytest.approx(expected, rel=1e-12)


@only_for(lambda backend: backend.finds_sizes and not backend.compiles)
def test_what_is_ignored_does_not_count(backend):
    X, labels = cases.case("normal", 64 if backend.has_float64 else 32)
    rows = labels != 2
    expected = float(backend.numpy(gpuval.pcr_score(backend.of(X[rows]), backend.array(labels[rows]))))
    X = np.where(rows[:, None], X, np.nan).astype(X.dtype)
    close = 1e-12 if backend.has_float64 else 1e-5
    for size in ({}, {"n_categories": 4}):
        for n_components, wanted in ((None, expected), (5, expected)):
            given = backend.of(X), backend.array(labels)
            found = gpuval.pcr_score(*given, ignore_labels=2, n_components=n_components, **size)
            assert float(backend.numpy(found)) == pytest.approx(wanted, rel=close)
    kept = backend.of(np.nan_to_num(X))
    few = gpuval.pcr_score(kept, backend.array(labels), ignore_labels=2, n_components=2)
    alone = gpuval.pcr_score(backend.of(X[rows]), backend.array(labels[rows]), n_components=2)
    assert float(backend.numpy(few)) == pytest.approx(float(backend.numpy(alone)), rel=10 * close)


@pytest.mark.parametrize("labels", [[0, 1, 5, 0], [0, 1, -1, 0]])
def test_categories_beyond_the_number_are_nan_on_a_device(backend, labels):
    X = backend.array(np.arange(8.0).reshape(4, 2))
    if backend.name in ("numpy", "torch-host", "jax-x64"):  # whose values are looked at
        with pytest.raises(ValueError, match=r"^covariate must lie in \[0, n_categories\) = \[0, 3\), got (5|-1)"):
            gpuval.pcr_score(X, backend.array(labels), n_categories=3)
        return
    assert np.isnan(float(backend.numpy(gpuval.pcr_score(X, backend.array(labels), n_categories=3))))


def test_nothing_leaves_a_device():
    import jax
    from backends import jax_values_refused, transfers_to_host

    X, labels = cases.case("normal")
    for name in ("torch", "jax", "strict"):
        backend = BACKENDS[name]
        with backend.mode():
            given = backend.array(X), backend.array(labels)
            with transfers_to_host() as copied, jax_values_refused():
                gpuval.pcr_score(*given, n_categories=4)
                gpuval.pcr_score(*given, n_categories=4, n_components=2)
                gpuval.pcr_comparison_score(given[0], *given, n_categories=4)
            assert copied == []
    with BACKENDS["jax-x64"].mode():
        given = jax.numpy.asarray(X), jax.numpy.asarray(labels)
        for options in ({"n_categories": 4}, {"n_categories": 4, "n_components": 2}, {"kind": "continuous"}):
            compiled = jax.jit(lambda x, z, options=options: gpuval.pcr_score(x, z, **options))
            assert float(compiled(*given)) == pytest.approx(float(gpuval.pcr_score(X, labels, **options)), rel=1e-12)


def test_sparse_cells():
    from scipy import sparse

    X = np.random.default_rng(5).poisson(0.3, (60, 7)).astype(float)
    batch, long = np.arange(60) % 3, np.linspace(0, 1, 60)
    for options in ({"n_components": None}, {"n_components": 3}):
        for covariate, kind in ((batch, "categorical"), (long, "continuous")):
            expected = gpuval.pcr_score(X, covariate, kind=kind, **options)
            found = gpuval.pcr_score(sparse.csr_array(X), covariate, kind=kind, **options)
            assert found == pytest.approx(expected, rel=1e-12)


def test_cells_that_dask_holds():
    import dask.array as da

    X, labels = cases.case("tight")
    held = da.from_array(X, chunks=(9, 5)), da.from_array(labels, chunks=13)
    assert gpuval.pcr_score(*held) == pytest.approx(gpuval.pcr_score(X, labels), rel=1e-12)
    compared = gpuval.pcr_comparison_score(held[0], held[0][:, :2], held[1])
    assert compared == pytest.approx(gpuval.pcr_comparison_score(X, X[:, :2], labels), rel=1e-12)


# ---- before and after ----------------------------------------------------------------------------


@pytest.mark.by_default
@only_for(lambda backend: backend.finds_sizes)
def test_comparison(backend):
    bits = 64 if backend.has_float64 else 32
    for case in ("normal",) if backend.compiles else ("normal", "far", "singles"):
        X, labels = cases.case(case, bits)
        for other in (X[:, :3], X - 0.5 * (X[labels == 0].mean(0)), X * [[1.0, 1, 3, 1, 1]] if X.shape[1] == 5 else X):
            other = other.astype(X.dtype)
            found = gpuval.pcr_comparison_score(backend.of(X), backend.of(other), backend.array(labels))
            backend.assert_at_home(found, backend.of(X))
            before, after = (oracles.principal_component_regression(x, labels.tolist()) for x in (X, other))
            expected = float(max(0, (before - after) / before))
            assert off_by(float(backend.numpy(found)), expected) <= (1e-11 if bits == 64 else 1e-4), case


def test_nothing_explained_before_is_0():
    """The means of both batches are one: 0/0, whatever is explained after."""
    before = [[0.1, 0.2], [0.3, 0.7], [0.1, 0.2], [0.3, 0.7]]
    for after in (before, np.eye(4), [[0], [0], [1], [1]]):
        assert gpuval.pcr_comparison_score(before, after, [0, 0, 1, 1]) == 0
    assert gpuval.pcr_score(before, [0, 0, 1, 1]) == 0


def test_more_explained_after_is_0():
    assert gpuval.pcr_comparison_score(X6, [[x] for x in TWO], TWO) == 0
    assert gpuval.pcr_comparison_score([[x] for x in TWO], X6, TWO) == pytest.approx(64 / 293, rel=1e-14)


# ---- scib-metrics --------------------------------------------------------------------------------


def test_scib_metrics_says_the_same():
    """scib-metrics 0.5.10, JAX of 32 bits: ``principal_component_regression(X, batch, categorical=True)``."""
    assert gpuval.pcr_score(X6, TWO) == pytest.approx(0.78157, abs=1e-6)


def test_quantities_of_any_type():
    """Of half precision in any library, which NumPy may not have; and of integers that floats do not hold."""
    exact = float(oracles.principal_component_regression(X6, [0, 1, 2, 3, 4, 6.5], "continuous"))
    for given in (torch.tensor(LONG, dtype=torch.bfloat16), jnp.asarray(LONG, dtype=jnp.bfloat16)):
        for X in (X6, np.asarray(X6)):
            assert float(gpuval.pcr_score(X, given, kind="continuous")) == pytest.approx(exact, rel=1e-12)
    found = gpuval.pcr_score(torch.tensor(X6), torch.tensor(LONG, dtype=torch.bfloat16), kind="continuous")
    assert float(found) == pytest.approx(exact, rel=1e-6)
    exact = float(oracles.principal_component_regression(X6[:4], [0, 1, 8, 9], "continuous"))
    far = np.asarray([0, 1, 8, 9]) + 2**53
    assert gpuval.pcr_score(X6[:4], far, kind="continuous") == pytest.approx(exact, rel=1e-12)
    far[0] = 0
    with pytest.raises(ValueError, match=r"^covariate must hold integers that are at most 2\^53 from the least"):
        gpuval.pcr_score(X6[:4], far, kind="continuous")
