"""What rounding, units and samples that do not count must not change; and what is refused rather than misread."""

from __future__ import annotations

import functools

import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
import polars
import pytest
import torch
from backends import BACKENDS, transfers_to_host
from compiling import as_users_do
from internal_cases import calls_of

import gpuval
from gpuval.metrics.internal import centres, dunn, silhouette

RNG = np.random.default_rng(7)
X, LABELS = RNG.normal(size=(60, 3)), np.arange(60) % 3
EVERY = {
    call: functools.partial(getattr(gpuval, call.partition("-")[0]), **options)
    for call, options in calls_of(
        [centres, silhouette, dunn], ("euclidean", "sqeuclidean", "cosine", "cityblock")
    ).items()
}
MEASURES = {call: measure for call, measure in EVERY.items() if np.isclose(measure(2 * X, LABELS), measure(X, LABELS))}
"""All that no unit changes."""


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("n", [60, 61])
def test_compiled_in_32_bits(name, n):
    """A cluster is not compared with itself, whatever a compiler makes of the distance."""
    x, y = RNG.normal(size=(n, 2)).astype(np.float32), np.arange(n) % 3
    with jax.enable_x64(False):
        compiled = jax.jit(lambda a, b: MEASURES[name](a, b, n_clusters=3), compiler_options=as_users_do())
        found = compiled(jnp.asarray(x), jnp.asarray(y))
    assert float(found) == pytest.approx(float(MEASURES[name](x, y)), rel=2e-4, abs=2e-5)


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("unit", [1e-200, 1e-120, 1e120, 1e200])
def test_the_unit_does_not_matter(name, unit):
    assert float(MEASURES[name](X * unit, LABELS)) == pytest.approx(float(MEASURES[name](X, LABELS)), rel=1e-11)


@pytest.mark.parametrize("unit", [2.0**-1074, 2.0**-600, 2.0**600, 2.0**1018])
def test_no_rows_hide_the_unit(unit):
    """Zeros in every eighth row; the others are whole numbers below 32, which have all digits in each unit."""
    whole, labels, quantity = RNG.integers(-31, 32, size=(64, 3)).astype(float), np.arange(64) % 3, RNG.normal(size=64)
    whole[::8] = 0
    others = {
        "pcr": gpuval.pcr_score,
        "pcr of a quantity": lambda x, _: gpuval.pcr_score(x, quantity, kind="continuous"),
    }
    for name, measure in (MEASURES | others).items():
        assert float(measure(whole * unit, labels)) == pytest.approx(float(measure(whole, labels)), rel=1e-11), name


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("odd", [np.nan, np.inf, 1e300, np.finfo(float).max])
def test_what_does_not_count_may_be_anything(name, odd):
    samples, labels = X * 1e-10, LABELS.copy()
    samples[5], labels[5] = odd, -1
    kept = labels >= 0
    wanted = float(MEASURES[name](samples[kept], labels[kept]))
    weights = kept.astype(int)
    for backend in (BACKENDS["numpy"], BACKENDS["torch"]):
        with backend.mode():
            x, y = backend.array(samples), backend.array(labels)
            assert float(MEASURES[name](x, y, ignore_labels=-1)) == pytest.approx(wanted, rel=1e-11)
            if not name.startswith("dunn"):
                found = MEASURES[name](x, backend.array(LABELS), sample_weight=backend.array(weights))
                assert float(found) == pytest.approx(wanted, rel=1e-11)


def test_cosines_of_samples_of_any_length():
    lengths = np.tile([1e200, 1.0, 1e-200], 20)[:, None]
    for name in ("silhouette_score-cosine", "dunn_index-cosine"):
        assert MEASURES[name](X * lengths, LABELS) == pytest.approx(MEASURES[name](X, LABELS), rel=1e-11)


@pytest.mark.parametrize("place", [[0.1, 0.3], [1 / 3, 7e5], [2.7, 1e-9]])
def test_equal_samples(place):
    """Two clusters at one place, of 3 and of 7 samples, and one far from both."""
    samples = np.asarray([place] * 10 + [[9.7, 0.3]] * 5)
    labels = np.repeat([0, 1, 2], [3, 7, 5])
    for metric in ("euclidean", "sqeuclidean", "cityblock"):
        found = gpuval.silhouette_samples(samples, labels, metric=metric)
        np.testing.assert_array_equal(found, [0] * 10 + [1] * 5)
    assert gpuval.calinski_harabasz_score(samples, labels) == 1
    assert gpuval.davies_bouldin_score(samples, labels) == pytest.approx(0, abs=1e-9)


def test_clusters_that_do_not_occur_take_no_time():
    wanted = gpuval.davies_bouldin_score(X, LABELS)
    assert gpuval.davies_bouldin_score(X, LABELS * 500_000, n_clusters=1_000_001) == pytest.approx(wanted, rel=1e-13)


def test_labels_on_the_host_and_a_size_need_no_look():
    backend = BACKENDS["strict"]
    with backend.mode():
        samples = backend.array(X)
        for name, measure in MEASURES.items():
            with transfers_to_host() as copied:
                found = measure(samples, LABELS, n_clusters=3)
            assert not copied, name
            assert float(backend.numpy(found)) == pytest.approx(float(measure(X, LABELS)), rel=1e-11)
        with transfers_to_host() as copied:
            gpuval.silhouette_score(samples, LABELS)
        assert copied  # it would have been seen


def test_half_precision():
    for dtype in (torch.bfloat16, torch.float16):
        half = torch.asarray(X).to(dtype)
        for measure in MEASURES.values():
            assert float(measure(half, torch.asarray(LABELS))) == pytest.approx(
                float(measure(half.to(torch.float64).numpy(), LABELS)), rel=1e-4, abs=1e-5
            )


def test_frames_of_several_types():
    whole = RNG.integers(0, 9, 60)
    plain = np.column_stack([whole, X[:, 0], whole > 4]).astype(float)
    mixed = pd.DataFrame({"a": pd.array(whole, dtype="Int64"), "b": pd.array(X[:, 0], dtype="Float64"), "c": whole > 4})
    wanted = gpuval.silhouette_score(plain, LABELS)
    assert gpuval.silhouette_score(mixed, LABELS) == wanted
    assert gpuval.silhouette_score(polars.DataFrame({"a": whole, "b": X[:, 0], "c": whole > 4}), LABELS) == wanted


@pytest.mark.parametrize(
    ("samples", "error", "text"),
    [
        (np.ma.masked_greater(X, 1), TypeError, "X must have no masked values, got "),
        (pd.DataFrame(X, index=np.arange(60) + 1), ValueError, "X and labels must have the same index, got 1 and 0"),
        (polars.DataFrame(X).lazy(), TypeError, "X must be a frame that is in memory, got LazyFrame"),
    ],
    ids=["mask", "index", "lazy"],
)
def test_what_is_not_misread(samples, error, text):
    with pytest.raises(error, match=text):
        gpuval.silhouette_score(samples, pd.Series(LABELS))


@pytest.mark.parametrize(
    ("options", "error", "text"),
    [
        ({"stratified": True}, ValueError, "sample_size must be given with stratified=True, got None"),
        (
            {"sample_size": 9, "random_state": "a"},
            TypeError,
            "random_state must be a seed or a generator of NumPy, got 'a'",
        ),
        ({"sample_size": 9, "random_state": -1}, ValueError, "seeds must not be negative, got -1"),
        ({"sample_size": 9, "random_state": [2, -1]}, ValueError, r"seeds must not be negative, got \[2, -1\]"),
    ],
)
def test_estimates_that_are_not_meant(options, error, text):
    with pytest.raises(error, match=text):
        gpuval.silhouette_score(X, LABELS, **options)


def test_an_accumulator_that_begins_with_nothing():
    """Its origin is that of the first samples that count."""
    far = X + 2.0**30
    accumulator = gpuval.InternalAccumulator(ignore_labels=-1)
    accumulator.update(X[:5], np.full(5, -1))
    accumulator.update(far, LABELS)
    assert gpuval.calinski_harabasz_score(accumulator.moments) == pytest.approx(
        gpuval.calinski_harabasz_score(far - 2.0**30, LABELS), rel=1e-12
    )


@pytest.mark.parametrize("name", ["numpy", "strict", "torch", "jax-x64"])
def test_a_weight_that_is_much_larger_than_the_others(name):
    """The mean distance of the first sample to the two light ones of its cluster is 2, and to the others 6."""
    samples, weights = np.asarray([[0.0], [1.0], [3.0], [5.0], [6.0], [7.0]]), [1, 1e-17, 1e-17, 1, 1, 1]
    backend = BACKENDS[name]
    with backend.mode():
        x, y, w = (backend.array(given) for given in (samples, np.asarray([0, 0, 0, 1, 1, 1]), np.asarray(weights)))
        found = backend.numpy(gpuval.silhouette_samples(x, y, sample_weight=w))
    np.testing.assert_allclose(found, [2 / 3, 0.8, 0, 0.7, 5 / 6, 11 / 14], rtol=1e-12)
