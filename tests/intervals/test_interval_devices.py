"""Intervals on devices: nothing is transferred, what is wrong gives NaN, all compiles, and gradients are finite."""

from __future__ import annotations

from math import nan

import interval_oracles as oracles
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from backends import BACKENDS, jax_values_refused, transfers_to_host
from interval_cases import DEGENERATE, MASK, PAIRS, UNDEFINED, WEIGHTS, arrays, values
from interval_oracles import CALLS

from gpuval import intervals
from gpuval.intervals import jaccard_score

MEASURES = {name: getattr(intervals, name) for name in oracles.ORACLES}
ON_DEVICES = ("torch", "jax", "strict")
COUNTED = [w * m for w, m in zip(WEIGHTS, MASK, strict=True)]


FEW = ("jaccard_score", "ochiai_score", "inclusion_score pred 2")
"""Calls with all that formulas are made of, where each takes long to compile."""


def of_all(true, pred, calls=CALLS, **more):
    """What each call gives."""
    asked = {call: CALLS[call] for call in calls}
    return {call: MEASURES[name](true, pred, **options, **more) for call, (name, options) in asked.items()}


@pytest.mark.parametrize("name", ON_DEVICES)
def test_nothing_leaves_the_device(name):
    backend = BACKENDS[name]
    with backend.mode():
        given = [backend.array(x) for x in arrays()]
        more = {"mask": backend.array(MASK), "sample_weight": backend.array(WEIGHTS)}
        with transfers_to_host() as copied, jax_values_refused():
            of_all(*given)
            of_all(*given, **more, on_undefined="skip", return_per_sample=True)
            of_all(*given, mask=np.asarray(MASK), sample_weight=WEIGHTS)
        assert copied == []


MISTAKES = [(nan, 1), (1, nan), (nan, nan), (4, 1), (np.inf, -np.inf), (np.inf, 0)]


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("name", ON_DEVICES)
def test_a_mistake_makes_the_score_nan(name, side):
    backend = BACKENDS[name]
    pairs = [*DEGENERATE[:3], *([((0, 4), (0, 4))] * len(MISTAKES)), *DEGENERATE[3:]]
    given = arrays(pairs)
    given[side][3 : 3 + len(MISTAKES)] = MISTAKES
    with backend.mode():
        for way in ("nan", "zero", "one", "skip"):
            for score, of_samples in of_all(
                *map(backend.array, given), return_per_sample=True, on_undefined=way
            ).values():
                assert np.isnan(backend.numpy(score))
                assert np.flatnonzero(np.isnan(backend.numpy(of_samples))).tolist() == [3, 4, 5, 6, 7, 8]


@pytest.mark.parametrize("weights", [(1, -1), (1, nan), (1, np.inf), (0, 0), (1e300, 1e300)])
@pytest.mark.parametrize("name", ["torch", "strict"])
def test_wrong_weights_make_the_score_nan(name, weights):
    backend = BACKENDS[name]
    with backend.mode():
        given = [backend.array(x) for x in arrays(DEGENERATE[:2])]
        assert np.isnan(backend.numpy(jaccard_score(*given, sample_weight=backend.array(np.asarray(weights, float)))))
        assert np.isnan(backend.numpy(jaccard_score(*given, mask=backend.array([False, False]))))


def test_no_values_are_needed():
    """On the meta device, on which tensors have a shape and a type alone."""
    given = [torch.ones(5, 2, device="meta") for _ in range(2)]
    for score, of_samples in of_all(*given, return_per_sample=True).values():
        assert (score.device.type, score.dtype) == ("meta", torch.float64)
        assert of_samples.shape == (5,)


# Compiled


@pytest.mark.by_default(once=True)
@pytest.mark.parametrize("x64", [True, False])
def test_jit(x64):
    @jax.jit
    def scores(true, pred, mask, weights):
        return of_all(true, pred, mask=mask, sample_weight=weights), of_all(true, pred, return_per_sample=True)

    with jax.enable_x64(x64):
        backend = BACKENDS["jax-x64" if x64 else "jax"]
        weighed, plain = scores(*(backend.array(x) for x in (*arrays(), MASK, WEIGHTS)))
        for call, score in weighed.items():
            backend.assert_close(score, oracles.mean(values(call), COUNTED), call)
            backend.assert_close(plain[call].score, oracles.mean(values(call)), call)
            backend.assert_close(plain[call].sample_scores, values(call), call)


def test_jit_of_integers_without_64_bits():
    with jax.enable_x64(False):
        pairs = [((2**31 - 4, 2**31 - 1), (2**31 - 3, 2**31 - 2)), ((-(2**31), 2**31 - 1), (-(2**31), 0))]
        given = [jnp.asarray(np.asarray(x, dtype=np.int32)) for x in zip(*pairs, strict=True)]
        for call, found in jax.jit(lambda *x: of_all(*x, return_per_sample=True))(*given).items():
            BACKENDS["jax"].assert_close(found.sample_scores, values(call, pairs), call)


def test_vmap():
    """Of the samples, each as a vector, and of several matrices."""
    true, pred = arrays()
    with jax.enable_x64(True):
        for call, found in jax.vmap(of_all)(jnp.asarray(true), jnp.asarray(pred)).items():
            BACKENDS["jax-x64"].assert_close(found, values(call), call)
        several = [jnp.stack([jnp.asarray(x)] * 2) for x in (true, pred)]
        found = jax.vmap(jaccard_score)(*several)
        BACKENDS["jax-x64"].assert_close(found, [oracles.mean(values("jaccard_score"))] * 2)
    for call, found in torch.func.vmap(of_all)(torch.asarray(true), torch.asarray(pred)).items():
        BACKENDS["torch"].assert_close(found, values(call), call)


@pytest.fixture
def fresh():
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


@pytest.mark.parametrize("compiler", ["eager", "aot_eager"])
def test_torch_compile(fresh, compiler):
    def scores(true, pred, mask, weights):
        weighed = of_all(true, pred, FEW, mask=mask, sample_weight=weights, on_undefined="skip")
        return weighed, of_all(true, pred, FEW, return_per_sample=True)

    given = [torch.asarray(np.asarray(x)) for x in (*arrays(), MASK, WEIGHTS)]
    weighed, plain = torch.compile(scores, fullgraph=True, backend=compiler)(*given)
    backend = BACKENDS["torch-host"]
    for call, score in weighed.items():
        backend.assert_close(score, oracles.mean(values(call), COUNTED), call)
        backend.assert_close(plain[call].score, oracles.mean(values(call)), call)
        backend.assert_close(plain[call].sample_scores, values(call), call)


def test_torch_compile_of_integers(fresh):
    pairs = [((-(2**63), 2**63 - 1), (-(2**63), 0)), ((2**62, 2**62 + 3), (2**62 + 1, 2**62 + 5))]
    given = [torch.asarray(np.asarray(x)) for x in zip(*pairs, strict=True)]
    compiled = torch.compile(jaccard_score, fullgraph=True, backend="aot_eager")
    found = compiled(*given, return_per_sample=True).sample_scores
    BACKENDS["torch-host"].assert_close(found, values("jaccard_score", pairs))


# Gradients


def slopes(call, true, pred, **more):
    """The derivatives of a score by the ends of the true and the predicted intervals, by PyTorch and by JAX."""
    name, options = CALLS[call]
    tensors = [torch.asarray(np.asarray(x, dtype=float), dtype=torch.float64).requires_grad_() for x in (true, pred)]
    MEASURES[name](*tensors, **options, **more).backward()
    with jax.enable_x64(True):
        given = [jnp.asarray(np.asarray(x, dtype=float)) for x in (true, pred)]
        by_jax = jax.grad(lambda *x: MEASURES[name](*x, **options, **more), argnums=(0, 1))(*given)
    by_torch = [x.grad.numpy() for x in tensors]
    for x, y in zip(by_torch, by_jax, strict=True):
        np.testing.assert_allclose(x, y, rtol=1e-12, atol=1e-15)
    return np.stack(by_torch)


@pytest.mark.parametrize("call", CALLS)
def test_a_gradient_is_the_slope_of_the_definition(call):
    """By central differences of exact values; the ends are in general position, so that there is a derivative."""
    name, options = CALLS[call]
    step = oracles.Fraction(1, 2**20)
    for pair in (((0, 4), (1, 7)), ((1, 7), (0, 4)), ((0, 9), (2, 5)), ((2, 5), (0, 9)), ((0, 2), (3, 7))):
        found = slopes(call, *pair)
        for side in (0, 1):
            for end in (0, 1):
                shifted = [[list(x) for x in pair] for _ in range(2)]
                shifted[0][side][end] += step
                shifted[1][side][end] -= step
                up, down = (oracles.of_sample(name, *map(tuple, x), **options) for x in shifted)
                assert found[side, end] == pytest.approx(float((up - down) / (2 * step)), abs=1e-9), (pair, side, end)


@pytest.mark.parametrize("call", CALLS)
def test_gradients_are_finite(call):
    """Also of points, infinite intervals, those that differ and are infinite, and what is left out."""
    pairs = [*PAIRS, *UNDEFINED, ((0, 1), (-1e308, 1e308)), ((-1.5e308, 1.5e308), (-1.7e308, 0))]
    true, pred = arrays(pairs)
    assert np.isfinite(slopes(call, true, pred, on_undefined="zero")).all()
    true[0], pred[1] = (nan, nan), (3, 1)
    mask = np.arange(len(pairs)) > 1
    found = slopes(call, true, pred, mask=mask, on_undefined="skip")
    assert np.isfinite(found).all()
    assert not found[:, :2].any()


def test_where_nothing_is_in_common_or_all_is_the_gradient_is_0():
    for pair in (((0, 1), (2, 3)), ((0, 1), (0, 1)), ((0, 0), (0, 3))):
        for call in CALLS:
            assert not slopes(call, *pair).any(), (pair, call)


def test_a_step_along_the_gradient_is_better():
    true, pred = torch.asarray([[0.0, 4.0], [2, 3]]), torch.asarray([[1.0, 7], [2.5, 5]], requires_grad=True)
    before = jaccard_score(true, pred)
    (slope,) = torch.autograd.grad(before, pred)
    assert jaccard_score(true, pred.detach() + 0.1 * slope) > before


def test_values_on_the_host_are_looked_at_though_a_gradient_is_asked_for():
    true, pred = torch.asarray([[0.0, 4.0]]), torch.asarray([[7.0, 1.0]], requires_grad=True)
    message = r"^pred_intervals must have no end below its start, got \[7.0, 1.0\] in row 0"
    with pytest.raises(ValueError, match=message):
        jaccard_score(true, pred)
