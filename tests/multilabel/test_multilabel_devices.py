"""Measures of several labels where values are not looked at: nothing is transferred, and all can be compiled."""

from __future__ import annotations

from functools import partial

import jax
import jax.numpy as jnp
import multilabel_oracles as oracles
import numpy as np
import pytest
import torch
from backends import BACKENDS, as_on_a_device, jax_values_refused, transfers_to_host
from multilabel_cases import (
    MASK,
    MATRICES,
    MEASURES,
    OF_LABELS,
    OF_NUMBERS,
    OF_ONE_SCORE,
    OF_SCORES,
    Q_LABELS,
    SHAPE,
    WEIGHTS,
    exact,
    floats,
    given,
    predicted,
)
from torch.utils import _pytree

from gpuval import multilabel
from gpuval.multilabel import LabelCounts, balanced_accuracy_score, f_score, log_loss

ON_DEVICES = ("torch", "jax", "strict")
OF_PROBABILITIES = [name for name in OF_ONE_SCORE if getattr(multilabel, name).definition.reads == "probabilities"]
LABELS, SCORES = np.asarray(MATRICES["ties"][0]), floats(MATRICES["ties"][1])
PREDICTED = np.asarray(predicted(MATRICES["ties"][1]))
INNER = (SCORES + 1) / 4


CALLS = (
    ("precision_score", "geometric"),
    ("f_score", "macro_of_means"),
    ("f_score", "samples"),
    ("hamming_loss", None),
    ("roc_auc_score", "weighted"),
    ("average_precision_score", "micro"),
    ("mean_absolute_error", "macro"),
)
"""Each way through the library once: to compile all measures with all averages takes minutes."""


# Transfers


@pytest.mark.parametrize("name", ON_DEVICES)
def test_nothing_leaves_the_device(name):
    backend = BACKENDS[name]
    with backend.mode():
        labels, scores, predictions = (backend.array(x) for x in (LABELS, SCORES, PREDICTED))
        options = {"sample_weight": backend.array(WEIGHTS), "mask": backend.of(np.asarray(MASK)), "ignore_labels": -1}
        true, pred = (backend.array(x) for x in Q_LABELS)
        thresholds = backend.array([0.25, 0.5, 0.75, 1.0])
        with transfers_to_host() as copied, jax_values_refused():
            for measure, average in CALLS:
                arrays = labels, predictions if measure in OF_LABELS else scores
                getattr(multilabel, measure)(*arrays)
                getattr(multilabel, measure)(*arrays, average=average, on_undefined="skip", **options)
            for measure in OF_PROBABILITIES:
                getattr(multilabel, measure)(labels, scores, **options)
            log_loss(labels, scores, form="binary", from_logits=True)
            for definition in oracles.BALANCED:
                balanced_accuracy_score(labels, predictions, definition=definition, **options)
            for measure in OF_LABELS:
                getattr(multilabel, measure)(true, pred, n_classes=3)
            counts = LabelCounts.from_labels(labels, predictions) + LabelCounts.from_labels(labels, predictions)
            f_score(counts, average="macro_of_means")
            multilabel.predicted_labels(scores, 0.25, at_least_one=True)
            multilabel.predicted_labels(scores, thresholds)
        assert copied == []


def test_thresholds_on_the_host(backend):
    scores = backend.array(SCORES)
    found = multilabel.predicted_labels(scores, [0.25, 0.5, 0.75, 1.0])
    np.testing.assert_array_equal(backend.back(found), SCORES >= [0.25, 0.5, 0.75, 1.0])


# JAX


@pytest.mark.by_default
def test_jit():
    @jax.jit
    def values(labels, scores, predictions, weights):
        return [
            getattr(multilabel, name)(
                labels, predictions if name in OF_LABELS else scores, average=average, sample_weight=weights
            )
            for name, average in CALLS
        ]

    with jax.enable_x64(True):
        found = values(*(jnp.asarray(x) for x in (LABELS, SCORES, PREDICTED, np.asarray(WEIGHTS))))
        for (name, average), x in zip(CALLS, found, strict=True):
            BACKENDS["jax-x64"].assert_close(x, exact(name, "ties", average, is_weighted=True), f"{name} {average}")


def test_jit_of_one_label_for_each_sample():
    @jax.jit
    def values(true, pred):
        return [getattr(multilabel, name)(true, pred, n_classes=3) for name in OF_LABELS[:3]]

    with jax.enable_x64(True):
        found = values(*map(jnp.asarray, Q_LABELS))
        for name, x in zip(OF_LABELS, found, strict=False):
            BACKENDS["jax-x64"].assert_close(x, oracles.value(name, *oracles.of_vectors(*Q_LABELS)), name)


@pytest.mark.parametrize(
    ("name", "options"),
    [*((name, {}) for name in OF_PROBABILITIES), ("log_loss", {"form": "binary"}), ("log_loss", {"from_logits": True})],
)
def test_jit_of_probabilities(name, options):
    measure = partial(getattr(multilabel, name), **options)
    with jax.enable_x64(True):
        found = jax.jit(measure)(jnp.asarray(LABELS), jnp.asarray(INNER))
        np.testing.assert_allclose(found, measure(LABELS, INNER), rtol=1e-14)


def test_jax_vmap():
    with jax.enable_x64(True):
        several = [jnp.stack([jnp.asarray(x), jnp.asarray(x[::-1])]) for x in (LABELS, SCORES, PREDICTED)]
        for name, average in CALLS:
            arrays = several[0], several[2 if name in OF_LABELS else 1]
            found = jax.vmap(partial(getattr(multilabel, name), average=average))(*arrays)
            wanted = np.asarray([exact(name, "ties", average)] * 2, dtype=float)
            np.testing.assert_allclose(found, wanted, rtol=1e-14, err_msg=name)


def test_counts_are_a_tree():
    with jax.enable_x64(True):
        for arrays in ((jnp.asarray(LABELS), jnp.asarray(PREDICTED)), (LABELS, PREDICTED)):
            counts = LabelCounts.from_labels(*arrays)
            leaves, structure = jax.tree_util.tree_flatten(counts)
            others, other_structure = _pytree.tree_flatten(counts)
            of_jax, of_torch = jax.tree_util.tree_unflatten, _pytree.tree_unflatten
            for again in (of_jax(structure, leaves), of_torch(others, other_structure)):
                assert isinstance(again, LabelCounts)
                assert again.n_classes == 4
                BACKENDS["jax-x64"].assert_close(f_score(again), exact("f_score", "ties", "macro"))
            BACKENDS["jax-x64"].assert_close(jax.jit(f_score)(counts), exact("f_score", "ties", "macro"))
        parts = [x.reshape(2, 3, 4) for x in map(jnp.asarray, (LABELS, PREDICTED))]

        def of_all(labels, predictions):
            return f_score(jax.lax.psum(LabelCounts.from_labels(labels, predictions), "parts"))

        found = jax.vmap(of_all, axis_name="parts")(*parts)
        np.testing.assert_allclose(found, [float(exact("f_score", "ties", "macro"))] * 2, rtol=1e-14)


# PyTorch


@pytest.fixture
def fresh():
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


def test_torch_compile(fresh):
    def values(labels, scores, predictions, weights):
        return [
            getattr(multilabel, name)(
                labels, predictions if name in OF_LABELS else scores, average=average, sample_weight=weights
            )
            for name, average in CALLS
        ]

    arrays = [torch.asarray(x) for x in (LABELS, SCORES, PREDICTED, np.asarray(WEIGHTS))]
    found = torch.compile(values, fullgraph=True, backend="eager")(*arrays)
    for (name, average), x in zip(CALLS, found, strict=True):
        BACKENDS["torch-host"].assert_close(x, exact(name, "ties", average, is_weighted=True), f"{name} {average}")


def test_torch_compile_of_others(fresh):
    def values(labels, scores, predictions):
        counts = LabelCounts.from_labels(labels, predictions)
        return (
            balanced_accuracy_score(counts + counts),
            log_loss(labels, scores, form="binary"),
            multilabel.predicted_labels(scores, at_least_one=True),
        )

    arrays = [torch.asarray(x) for x in (LABELS, SCORES, PREDICTED)]
    with as_on_a_device():
        compiled = torch.compile(values, fullgraph=True, backend="aot_eager")(*arrays)
        for x, y in zip(compiled, values(*arrays), strict=True):
            torch.testing.assert_close(x, y, rtol=1e-14, atol=0)


def test_torch_vmap():
    several = [torch.stack([torch.asarray(x), torch.asarray(x[::-1].copy())]) for x in (LABELS, SCORES, PREDICTED)]
    for name in MEASURES:
        arrays = several[0], several[2 if name in OF_LABELS else 1]
        found = torch.func.vmap(getattr(multilabel, name))(*arrays)
        wanted = [float(getattr(multilabel, name)(*given(name, "ties", BACKENDS["numpy"])))] * 2
        np.testing.assert_allclose(found, wanted, rtol=1e-14, err_msg=name)


# Gradients

SLOPES = {
    "mean_squared_error": 2 * (INNER - LABELS) / LABELS.size,
    "mean_absolute_error": np.where(LABELS == 1, -1, 1) / LABELS.size,
    "log_loss": -LABELS / INNER / len(LABELS),
    "mean_probability_rate": LABELS / len(LABELS),
    "macro_average_probability_rate": LABELS / LABELS.sum(axis=0) / 4,
}
"""The derivatives by the scores, by hand."""


@pytest.mark.parametrize("name", SLOPES)
def test_gradients(name):
    assert LABELS.any(axis=0).all()
    measure = getattr(multilabel, name)
    for on_a_device in (False, True):
        scores = torch.asarray(INNER).requires_grad_()
        with BACKENDS["torch" if on_a_device else "torch-host"].mode():
            measure(torch.asarray(LABELS), scores).backward()
        np.testing.assert_allclose(scores.grad, SLOPES[name], rtol=1e-13)
    with jax.enable_x64(True):
        slope = jax.grad(lambda x: measure(jnp.asarray(LABELS), x))(jnp.asarray(INNER))
        np.testing.assert_allclose(slope, SLOPES[name], rtol=1e-13)


@pytest.mark.parametrize("form", ["categorical", "binary"])
def test_gradients_of_logits(form):
    """The probabilities without the labels, for one label a sample; also for logits far apart."""
    labels, logits = np.eye(3)[[0, 2, 1, 1]], np.asarray([[1.0, -2, 0.5], [0, 0, 0], [900, -900, 0], [3, 3, -1]])
    if form == "categorical":
        shifted = np.exp(logits - logits.max(axis=1, keepdims=True))
        wanted = (shifted / shifted.sum(axis=1, keepdims=True) - labels) / 4
    else:
        wanted = (1 / (1 + np.exp(-np.clip(logits, -700, 700))) - labels) / 12
    scores = torch.asarray(logits).requires_grad_()
    log_loss(torch.asarray(labels), scores, form=form, from_logits=True).backward()
    np.testing.assert_allclose(scores.grad, wanted, rtol=1e-12, atol=1e-15)
    with jax.enable_x64(True):
        slope = jax.grad(lambda x: log_loss(jnp.asarray(labels), x, form=form, from_logits=True))(jnp.asarray(logits))
        np.testing.assert_allclose(slope, wanted, rtol=1e-12, atol=1e-15)


@pytest.mark.parametrize("name", OF_SCORES)
def test_what_counts_pairs_has_no_gradient(name):
    scores = torch.asarray(SCORES).requires_grad_()
    found = getattr(multilabel, name)(torch.asarray(LABELS), scores)
    assert not found.requires_grad
    BACKENDS["torch-host"].assert_close(found, exact(name, "ties", "macro"))


def test_masked_scores_have_the_slope_0():
    mask = np.asarray(MASK)
    for name in (*OF_NUMBERS, "log_loss"):
        scores = torch.asarray(np.where(mask, INNER, np.nan)).requires_grad_()
        getattr(multilabel, name)(torch.asarray(LABELS), scores, mask=torch.asarray(mask)).backward()
        found = scores.grad.numpy()
        assert np.isfinite(found).all(), name
        assert (found[~mask] == 0).all(), name


def test_shapes_of_one_row_and_one_class():
    """No dimension of 1 is dropped or added."""
    with as_on_a_device():
        for shape in ((1, 4), (6, 1)):
            labels, scores = LABELS[: shape[0], : shape[1]], SCORES[: shape[0], : shape[1]]
            for name in MEASURES:
                arrays = torch.asarray(labels), torch.asarray((scores >= 0.5) * 1 if name in OF_LABELS else scores)
                assert getattr(multilabel, name)(*arrays, average=None).shape == (shape[1],)
                assert getattr(multilabel, name)(*arrays, average="samples").shape == ()
    assert LABELS.shape == SHAPE


def test_counts_may_be_numbers_of_numpy():
    """As a function of trees gives them that adds up the classes."""
    counts = LabelCounts.from_labels([[1, 0], [1, 1], [0, 1]], [[1, 0], [0, 1], [1, 1]])
    whole = jax.tree_util.tree_map(np.sum, counts)
    assert isinstance(whole.true_positives, np.int64)
    assert float(f_score(whole, average=None)) == 3 / 4
    with pytest.raises(TypeError, match="list is not a supported array type"):
        f_score(LabelCounts([1], [2], [3], [4], range(1)))


def test_counts_are_the_carry_of_a_scan():
    labels, predictions = jnp.asarray(LABELS), jnp.asarray(SCORES >= 0.5)

    def add(counts, batch):
        return counts + LabelCounts.from_labels(*batch), None

    batches = jnp.stack([labels, labels]), jnp.stack([predictions, predictions])
    found, _ = jax.lax.scan(add, LabelCounts.from_labels(labels, predictions), batches)
    once = LabelCounts.from_labels(LABELS, SCORES >= 0.5)
    assert found.true_positives.tolist() == (3 * once.true_positives).tolist()
    assert found.false_negatives.tolist() == (3 * once.false_negatives).tolist()


def test_a_threshold_that_is_traced():
    found = jax.jit(multilabel.predicted_labels)(jnp.asarray(SCORES), 0.5)
    assert found.tolist() == (SCORES >= 0.5).tolist()


@pytest.mark.parametrize("value", [5.0, float("nan"), float("inf")])
def test_a_logit_that_does_not_count_is_not_in_the_softmax(value):
    """Of the first sample two classes are left: log(1 + e), and of the second log(1 + exp(2) + exp(-5)) less 2."""
    labels = np.asarray([[1, 0, 0], [0, 1, 0]])
    logits, mask = np.asarray([[1.0, 2.0, value], [3.0, 1.0, -4.0]]), np.asarray([[True, True, False], [True] * 3])
    expected = (np.log(1 + np.e) + np.log(1 + np.exp(2) + np.exp(-5))) / 2
    options = {"from_logits": True, "mask": mask}
    tensors = torch.asarray(labels), torch.asarray(logits)
    assert abs(multilabel.log_loss(labels, logits, **options) - expected) < 1e-14
    assert abs(multilabel.log_loss(*tensors, **options | {"mask": torch.asarray(mask)}).item() - expected) < 1e-14
    with_gradient = tensors[0], tensors[1].requires_grad_()
    found = multilabel.log_loss(*with_gradient, **options | {"mask": torch.asarray(mask)})
    found.backward()
    assert abs(found.item() - expected) < 1e-14
    assert with_gradient[1].grad[0, 2] == 0
    assert torch.isfinite(with_gradient[1].grad).all()


def test_eps_of_half_precision_is_that_of_32_bits():
    expected = -np.log(np.finfo(np.float32).eps)
    for dtype in (torch.float16, torch.bfloat16, torch.float32):
        for needs_gradient in (False, True):
            scores = torch.tensor([0.0, 1.0], dtype=dtype, requires_grad=needs_gradient)
            assert abs(multilabel.log_loss(torch.tensor([1, 0]), scores).item() - expected) < 1e-6


def test_counts_that_are_given_where_values_are_not_looked_at():
    """Of 32 bits, which hold 2^31 - 1: what is wrong makes a class NaN, and too many in all every class."""

    @jax.jit
    def precisions(right, wrong):
        return multilabel.precision_score(LabelCounts.from_counts(right, wrong, wrong), average=None)

    def found(right, wrong):
        return np.asarray(precisions(jnp.asarray(right), jnp.asarray(wrong))).tolist()

    with jax.enable_x64(False):
        assert found([2**29 - 200, 150], [2**29 - 200, 50]) == [0.5, 0.75]
        assert np.isnan(found([-1, 3], [1, 1])[0])
        assert found([-1, 3], [1, 1])[1] == 0.75
        assert np.isnan(found([2**30, 2**30], [1, 1])).all()


def test_counts_of_labels_can_be_given_back():
    """Of 300 million entries in 32 bits, where the sum of a kind may be as large as the integers."""
    with jax.enable_x64(False):
        left = jnp.full(300, 10**6)
        counts = LabelCounts.from_counts(0 * left, 0 * left, 0 * left, left)
        assert counts.true_negatives.tolist() == left.tolist()
