"""With the size of the table given, every measure without a host step is one graph of torch.compile."""

from __future__ import annotations

import re

import numpy as np
import pytest
import torch
from properties import MEASURES, SCORES, by_module, scores_of
from torch._dynamo.testing import CompileCounter

import gpuval
from gpuval import Contingency

SIZE = {"n_classes": 5, "n_clusters": 4}
TRACED = by_module(row for row in MEASURES if row.jits)
"""The rows without a host step, by module, since each trace of a table takes its time."""


@pytest.fixture(autouse=True)
def _fresh():
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


def whole(function, backend="eager"):
    """One graph or an error. Of the backends "eager" only traces, and "aot_eager" also lowers."""
    return torch.compile(function, fullgraph=True, backend=backend)


def samples(seed=12, n=40):
    rng = np.random.default_rng(seed)
    return [torch.asarray(rng.integers(0, 4, n)) for _ in range(3)]


def assert_same(found, expected, what="the value"):
    assert type(found) is type(expected), what
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        for name in expected:
            assert_same(found[name], expected[name], name)
    elif isinstance(expected, tuple | list):
        assert len(found) == len(expected), what
        for x, y in zip(found, expected, strict=True):
            assert_same(x, y, what)
    else:
        torch.testing.assert_close(
            found, expected, rtol=1e-13, atol=2e-14, equal_nan=True, msg=lambda text: f"{what}: {text}"
        )


# ---- every measure -------------------------------------------------------------------------------


@pytest.mark.parametrize("module", TRACED)
def test_the_measures_of_labels_are_one_graph(module):
    """With each of their options."""

    def scores(true, pred):
        return scores_of(TRACED[module], true, pred, **SIZE)

    true, pred, _ = samples()
    assert_same(whole(scores)(true, pred), scores(true, pred))


def test_no_measure_is_left_out():
    without = {row.name for row in MEASURES if row.jits}
    traced = {row.name for rows in TRACED.values() for row in rows}
    assert traced >= without
    assert len(traced) > 40


# ---- what builds the table -----------------------------------------------------------------------


def test_weights_and_ignored_labels():
    def scores(true, pred, weights):
        return [
            gpuval.adjusted_rand_score(true, pred, sample_weight=weights, **SIZE),
            gpuval.adjusted_rand_score(true, pred, sample_weight=weights / 4, **SIZE),
            gpuval.adjusted_rand_score(true, pred, ignore_labels=3, **SIZE),
            gpuval.adjusted_rand_score(true, pred, ignore_labels={"true": 3, "pred": [0, 1]}, **SIZE),
            gpuval.v_measure_score(true, pred, sample_weight=weights, ignore_labels=[0, 3], **SIZE),
        ]

    assert_same(whole(scores)(*samples()), scores(*samples()))


def test_labels_of_every_type():
    def scores(true, pred):
        types = (torch.bool, torch.uint8, torch.uint16, torch.int32, torch.float32)
        return [gpuval.rand_score(true.to(dtype), pred, **SIZE) for dtype in types]

    true, pred, _ = samples()
    assert_same(whole(scores)(true, pred), scores(true, pred))


def test_samples_that_weigh_1_have_an_adjusted_mutual_information():
    """What is an error where the weights can be seen is NaN in a graph, which must not look at them."""

    def score(true, pred, weights):
        return gpuval.adjusted_mutual_info_score(true, pred, sample_weight=weights, **SIZE)

    true, pred, weights = samples()
    weights = (weights > 0).to(torch.float64)
    compiled = whole(score)
    assert_same(compiled(true, pred, weights), score(true, pred, weights.to(torch.int64)))
    assert torch.isnan(compiled(true, pred, weights / 4 + 0.1))


def test_several_blocks_of_the_quadrature(monkeypatch):
    """The expected mutual information of a table that is done in blocks."""
    monkeypatch.setattr("gpuval.table.information._BLOCK", 1500)
    true, pred, _ = samples()

    def score(true, pred):
        return gpuval.adjusted_mutual_info_score(true, pred, **SIZE)

    assert_same(whole(score)(true, pred), score(true, pred))


def test_labels_outside_of_the_table_are_nan():
    true, pred, _ = samples()

    def score(true, pred):
        return gpuval.adjusted_rand_score(true, pred, **SIZE)

    compiled = whole(score)
    assert torch.isnan(compiled(true + 2, pred))
    assert_same(compiled(true, pred), score(true, pred))


def test_tables_of_counts_batches_and_sums():
    def scores(counts):
        table = Contingency.from_counts(counts)
        return [gpuval.adjusted_rand_score(table), gpuval.v_measure_score(table + table.transposed().transposed())]

    counts = torch.arange(24).reshape(2, 3, 4) % 7
    assert_same(whole(scores)(counts), scores(counts))


@pytest.mark.by_default
def test_evaluate():
    def scores(true, pred):
        return dict(gpuval.evaluate(true, pred, ["rand_score", "purity_score"], **SIZE))

    true, pred, _ = samples()
    assert_same(whole(scores)(true, pred), scores(true, pred))


# ---- lowered and compiled ------------------------------------------------------------------------


def several(true, pred):
    table = Contingency.from_labels(true, pred, **SIZE)
    return [
        gpuval.adjusted_rand_score(table),
        gpuval.normalized_mutual_info_score(table),
        gpuval.purity_score(table),
        gpuval.bcubed_f_score(table),
    ]


def test_lowered():
    true, pred, _ = samples()
    assert_same(whole(several, "aot_eager")(true, pred), several(true, pred))


# ---- one graph for all labels of a shape ---------------------------------------------------------


def test_other_labels_of_the_same_shape_take_the_same_graph():
    counter = CompileCounter()

    def score(true, pred):
        return gpuval.adjusted_rand_score(true, pred, **SIZE)

    compiled = whole(score, counter)
    for seed in range(3):
        true, pred, _ = samples(seed)
        assert_same(compiled(true, pred), score(true, pred))
    assert counter.frame_count == 1
    compiled(true.to(torch.int32), pred)
    assert counter.frame_count == 2


# ---- gradients -----------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", [gpuval.normalized_mutual_info_score, gpuval.adjusted_rand_score])
def test_a_soft_score_is_a_loss_to_compile(measure):
    """Through memberships: the same value and the same gradient as without a graph."""

    def loss(logits, other):
        return 1 - measure(Contingency.from_memberships(torch.softmax(logits, 1), other))

    rng = np.random.default_rng(3)
    other = torch.softmax(torch.asarray(rng.normal(size=(30, 3))), 1)
    given = rng.normal(size=(30, 4))
    gradients = []
    for function in (loss, whole(loss, "aot_eager")):
        logits = torch.asarray(given.copy()).requires_grad_()
        value = function(logits, other)
        value.backward()
        gradients.append([value.detach(), logits.grad])
    assert gradients[0][1].abs().max() > 1e-6
    assert_same(gradients[1], gradients[0])


# ---- host steps ----------------------------------------------------------------------------------

MATCHED = by_module(row for row in SCORES if not row.jits)


@pytest.mark.parametrize("module", MATCHED)
def test_a_score_with_a_host_step_is_one_graph(module):
    """The step is an operator of it; also of weights."""

    def scores(true, pred, weights):
        rows = MATCHED[module]
        return scores_of(rows, true, pred, **SIZE), scores_of(rows, true, pred, sample_weight=weights / 4, **SIZE)

    given = samples()
    assert_same(whole(scores)(*given), scores(*given))


def test_no_gradient_goes_through_a_host_step():
    """Also where it is lowered, and the other scores of the table have one."""
    other = torch.softmax(torch.arange(20.0).reshape(10, 2) % 7, 1)

    def loss(logits):
        table = Contingency.from_memberships(torch.softmax(logits, 1), other)
        return gpuval.clustering_accuracy(table) + gpuval.normalized_mutual_info_score(table)

    found = []
    for function in (loss, whole(loss, "aot_eager")):
        logits = (torch.arange(30.0).reshape(10, 3) % 5).requires_grad_()
        value = function(logits)
        value.backward()
        found.append([value.detach(), logits.grad])
    assert found[0][1].abs().max() > 1e-6
    assert torch.allclose(found[1][0], found[0][0])
    assert torch.allclose(found[1][1], found[0][1])


def test_a_host_step_of_a_batch_of_tables():
    counts = torch.arange(24).reshape(2, 3, 4) % 7
    scores = whole(lambda x: gpuval.clustering_accuracy(Contingency.from_counts(x)))(counts)
    assert_same(scores, gpuval.clustering_accuracy(Contingency.from_counts(counts)))


def test_a_host_step_of_samples_that_cannot_be_counted_raises():
    """Unless none is counted, which is NaN as without a graph."""
    true, pred, _ = samples()
    compiled = whole(lambda a, b: gpuval.clustering_accuracy(a, b, **SIZE))
    n_outside = int((true + 2 >= 5).sum())
    with pytest.raises(ValueError, match=f"{n_outside} samples or cells could not be counted"):
        compiled(true + 2, pred)
    assert torch.isnan(compiled(true + 9, pred))
    assert torch.isnan(gpuval.clustering_accuracy(true + 9, pred, **SIZE))


@pytest.mark.parametrize("name", ["match_labels", "normalizing_permutation", "pair_confusion_matrix"])
def test_what_is_a_host_step_as_a_whole_breaks_the_graph_once(name):
    counter, measure = CompileCounter(), getattr(gpuval, name)

    def several(true, pred):
        return measure(true + 0, pred, **SIZE)[-1] + 1

    true, pred, _ = samples()
    assert_same(torch.compile(several, backend=counter)(true, pred), several(true, pred))
    assert counter.frame_count <= 2
    with pytest.raises(torch._dynamo.exc.Unsupported, match=f"{name} looks at values on the host: call it outside"):
        whole(several)(true, pred)


BOTH = "n_classes and n_clusters must be given inside torch.compile(fullgraph=True) or torch.export"
SIZES = "give the sizes (n_classes=, n_clusters=, n_queries=), if it takes them, or call it outside"
WITHOUT_SIZES = {
    "a score": (gpuval.rand_score, BOTH),
    "a score with a host step": (gpuval.clustering_accuracy, BOTH),
    "labels to ignore": (lambda true, pred: gpuval.rand_score(true, pred, ignore_labels=1), BOTH),
    "a table": (lambda true, pred: Contingency.from_labels(true, pred).total, BOTH),
    "evaluate": (lambda true, pred: dict(gpuval.evaluate(true, pred, ["acc", "nmi"])), BOTH),
    "one side": (lambda true, pred: gpuval.entropy(true), BOTH.replace(" and n_clusters", "")),
    "samples": (
        lambda true, pred: gpuval.davies_bouldin_score(true[:, None].double(), pred),
        BOTH.replace("n_classes and ", ""),
    ),
    "compare": (lambda true, pred: gpuval.compare(true, {"one": pred}, ["nmi"])["one"], SIZES),
}


@pytest.mark.parametrize("call", WITHOUT_SIZES)
def test_without_the_size_is_an_error_that_says_so(call):
    function, message = WITHOUT_SIZES[call]
    true, pred, _ = samples()
    with pytest.raises(
        torch._dynamo.exc.Unsupported, match=re.escape(f"Message: {message}" if message == BOTH else message)
    ):
        whole(function)(true, pred)


@pytest.mark.parametrize("strict", [False, True])
def test_without_the_size_nothing_is_exported(strict):
    class Scored(torch.nn.Module):
        def __init__(self, **sizes):
            super().__init__()
            self.sizes = sizes

        def forward(self, true, pred):
            return gpuval.clustering_accuracy(true, pred, **self.sizes)

    true, pred, _ = samples()
    with pytest.raises((TypeError, torch._dynamo.exc.Unsupported), match=re.escape(BOTH)):
        torch.export.export(Scored(), (true, pred), strict=strict)
    exported = torch.export.export(Scored(**SIZE), (true, pred), strict=strict).module()
    assert_same(exported(true, pred), gpuval.clustering_accuracy(true, pred))


def test_without_fullgraph_a_host_step_breaks_the_graph_and_counts():
    true, pred, _ = samples()

    def total(true, pred):
        return Contingency.from_labels(true, pred).total

    assert_same(torch.compile(total, backend="eager")(true, pred), total(true, pred))


# ---- what changes in a loop ----------------------------------------------------------------------


def step_of_accumulator(**settings):
    accumulator = gpuval.Accumulator(*SIZE.values(), like=torch.zeros(1), **settings)

    def step(true, pred, *weights):
        accumulator.update(true, pred, *weights)
        return gpuval.adjusted_rand_score(accumulator.unchecked_table)

    return accumulator, step


@pytest.mark.parametrize("settings", [{}, {"ignore_labels": 3}, {"ignore_labels": {"true": 3}}])
@pytest.mark.parametrize("weighted", [False, True])
def test_an_accumulator_in_a_step_is_compiled_once(settings, weighted):
    """Once more at most, when the first update has made what later ones find: no Python number is guarded."""
    counter, (accumulator, step) = CompileCounter(), step_of_accumulator(**settings)
    compiled, (eager, same_step) = whole(step, counter), step_of_accumulator(**settings)
    for seed in range(12):
        true, pred, weights = samples(seed)
        given = (true, pred, weights / 4) if weighted else (true, pred)
        assert_same(compiled(*given), same_step(*given))
    assert counter.frame_count <= 2
    np.testing.assert_array_equal(accumulator.table.to_array(), eager.table.to_array())


def test_memberships_in_a_step_are_compiled_once():
    counter, accumulator = CompileCounter(), gpuval.Accumulator(*SIZE.values(), like=torch.zeros(1))
    compiled = whole(lambda u, v: accumulator.update_memberships(u, v), counter)
    for _ in range(12):
        compiled(torch.full((6, 5), 0.2), torch.full((6, 4), 0.25))
    assert counter.frame_count <= 2
    assert float(accumulator.table.total) == pytest.approx(72)


def test_a_reset_in_between_compiles_nothing_more():
    counter, (accumulator, step) = CompileCounter(), step_of_accumulator()
    compiled = whole(step, counter)
    for seed in range(8):
        compiled(*samples(seed)[:2])
        accumulator.update(*samples(seed)[:2])  # outside of the graph
        assert int(accumulator.table.total) == 80
        accumulator.reset()
    assert counter.frame_count <= 3


def test_a_table_of_a_graph_has_the_engine_of_the_moment():
    """While PyTorch traces, values are not known; they are again when the table has been returned."""
    labels = torch.tensor([0, 0, 1, 1]), torch.tensor([0, 1, 1, 1])
    table = torch.compile(lambda *x: Contingency.from_labels(*x, n_classes=2, n_clusters=2), backend="eager")(*labels)
    assert table.engine is Contingency.from_labels(*labels, n_classes=2, n_clusters=2).engine
