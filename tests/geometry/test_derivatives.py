"""Derivatives of silhouettes by samples and weights on the CPU, against those of the plain definition by autograd."""

from __future__ import annotations

import tracemalloc

import numpy as np
import pytest
import torch
from backends import as_on_a_device

import gpuval
from gpuval.geometry.distances import derivatives
from gpuval.geometry.points import read_points
from gpuval.geometry.progress import Progress
from gpuval.metrics.internal.silhouette import silhouettes

RNG = np.random.default_rng(3)
N, D, K = 40, 3, 4
LABELS = RNG.permutation(np.arange(N) % K)
X = RNG.normal(size=(N, D)) + 2 * RNG.normal(size=(K, D))[LABELS]
X[1] = X[0]  # equal samples, and equal features
X[2, 0] = X[3, 0]
WEIGHTS = RNG.random(N)
WEIGHTS[5] = 0.0
SLOPES = torch.asarray(RNG.normal(size=N))
METRICS = ("euclidean", "sqeuclidean", "cosine", "correlation", "cityblock")


def plain_distances(x, metric):
    if metric == "correlation":
        return plain_distances(x - x.mean(dim=1, keepdim=True), "cosine")
    if metric == "cosine":
        lengths = torch.linalg.vector_norm(x.detach(), dim=1)
        unit = x[lengths > 0] / torch.linalg.vector_norm(x[lengths > 0], dim=1, keepdim=True)
        found = torch.ones((len(x), len(x)), dtype=x.dtype)
        found[torch.outer(lengths > 0, lengths > 0)] = (1 - unit @ unit.T).ravel()
        return found
    apart = x[:, None] - x[None, :]
    if metric == "cityblock":
        return apart.abs().sum(dim=2)
    squares = (apart**2).sum(dim=2)
    if metric == "sqeuclidean":
        return squares
    return torch.where(squares > 0, torch.where(squares > 0, squares, 1.0).sqrt(), 0.0)


def plain(x, labels, weights, metric, between="nearest"):
    """The silhouettes by their definition; 0 for samples that do not count."""
    distances, found = plain_distances(x, metric), []
    for i, label in enumerate(labels):
        sums = {}
        for cluster in {int(c) for c in labels if c >= 0}:
            inside = torch.asarray((labels == cluster) & (np.arange(len(labels)) != i))
            sums[cluster] = ((weights * distances[i])[inside].sum(), weights[inside].sum())
        if label < 0 or weights[i] == 0:
            found.append(x.new_zeros(()))
            continue
        own, mass = sums.pop(int(label))
        means = torch.stack([total / weight for total, weight in sums.values()])
        if between == "mean_other":
            b = sum(total for total, _ in sums.values()) / sum(weight for _, weight in sums.values())
        else:
            b = means.min() if between == "nearest" else means.max()
        a = own / mass
        found.append((b - a) / torch.maximum(a, b))
    return torch.stack(found)


def ours(x, labels, weights, metric, between="nearest", rows=None):
    points = read_points(x, torch.asarray(labels), sample_weight=weights, ignore_labels=-1 if -1 in labels else None)
    with Progress(N, False) as bar:
        return silhouettes(points, metric, between, rows, bar)


def gradients(function, weighted, *arguments, slopes=SLOPES, samples=X):
    """The derivatives of a weighted sum of silhouettes by the samples, and by the weights if there are such."""
    x = torch.tensor(samples, requires_grad=True)
    weights = torch.tensor(WEIGHTS, requires_grad=True) if weighted else None
    found = function(x, weights, *arguments)
    counted = torch.isfinite(slopes) & (slopes != 0)
    (torch.where(counted, slopes, 0.0) * torch.where(counted, found, 0.0)).sum().backward()
    return [x.grad.numpy()] + ([weights.grad.numpy()] if weighted else [])


def assert_same(found, expected, rtol=1e-9):
    for x, y in zip(found, expected, strict=True):
        np.testing.assert_allclose(x, y, rtol=rtol, atol=rtol * np.abs(y).max())


@pytest.fixture
def _small_tiles(monkeypatch):
    for name, size in (("_SIDE", 7), ("_SMALL", 12), ("_AT_ONCE", 3), ("_SORTED", 30)):
        monkeypatch.setattr(derivatives, name, size)


@pytest.mark.usefixtures("_small_tiles")
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("between", ["nearest", "mean_other", "furthest"])
@pytest.mark.parametrize("metric", METRICS)
def test_those_of_the_definition(metric, between, weighted):
    """With samples that do not count, and with equal ones."""
    labels = np.where(np.arange(N) % 9 == 8, -1, LABELS)
    slopes = torch.where(torch.asarray((labels >= 0) & (WEIGHTS > 0)), SLOPES, 0.0)

    def by_definition(x, weights):
        return plain(x, labels, torch.ones(N, dtype=x.dtype) if weights is None else weights, metric, between)

    found = gradients(lambda x, w: ours(x, labels, w, metric, between), weighted, slopes=slopes)
    expected = gradients(by_definition, weighted, slopes=slopes)
    if weighted:
        expected[1][WEIGHTS == 0] = 0  # such samples do not count
    assert_same(found, expected)
    assert min(np.abs(x).max() for x in expected) > 1e-2


@pytest.mark.parametrize("metric", METRICS)
def test_of_some_rows(metric):
    rows = [3, 1, 39, 17, 20]
    slopes = torch.zeros(N, dtype=torch.float64)
    slopes[rows] = SLOPES[rows]

    def of_rows(x, weights):
        return torch.zeros(N, dtype=x.dtype).index_put(
            (torch.tensor(rows),), ours(x, LABELS, weights, metric, rows=torch.tensor(rows))
        )

    expected = gradients(lambda x, w: plain(x, LABELS, w, metric), True, slopes=slopes)
    expected[1][WEIGHTS == 0] = 0
    assert_same(gradients(of_rows, True, slopes=slopes), expected)


def test_weights_of_samples_without_a_length():
    """By the weights: these samples have no cosine with others, so that theirs are at a jump."""
    samples = np.where(np.arange(N)[:, None] % 7 == 0, 0.0, X)
    found, expected = (
        gradients(function, True, samples=samples)[1]
        for function in (
            lambda x, w: ours(x, LABELS, w, "cosine"),
            lambda x, w: plain(x, LABELS, w, "cosine"),
        )
    )
    expected[WEIGHTS == 0] = 0
    assert_same([found], [expected])


@pytest.mark.parametrize("bits", [32, 64])
def test_near_samples(bits):
    """A product of matrices would leave few digits of the direction from one to the other."""
    rng = np.random.default_rng(8)
    n = 60 if bits == 64 else 2100
    labels = np.arange(n) % 3
    samples = rng.normal(size=(n, 2)).astype(f"float{bits}")
    nearness = 1e-9 if bits == 64 else 1e-5
    samples[3::6] = samples[::6] + nearness * rng.normal(size=samples[::6].shape).astype(samples.dtype)
    x = torch.tensor(samples, requires_grad=True)
    gpuval.silhouette_score(x, torch.asarray(labels)).backward()
    other = torch.tensor(samples.astype(np.float64), requires_grad=True)
    distances = plain_distances(other, "euclidean")
    hits = torch.asarray(np.eye(3)[labels])
    means = distances @ hits
    sizes = hits.sum(dim=0)
    a = (means * hits).sum(dim=1) / (sizes[labels] - 1)
    b = torch.where(hits > 0, torch.inf, means / sizes).min(dim=1).values
    ((b - a) / torch.maximum(a, b)).mean().backward()
    assert_same([x.grad.numpy()], [other.grad.numpy()], rtol=1e-12 if bits == 64 else 1e-5)


@pytest.mark.parametrize("metric", METRICS)
def test_pytorch_finds_no_distances(metric, monkeypatch):
    def refused(*_):
        raise AssertionError("distances of PyTorch")

    monkeypatch.setattr("gpuval.engines.backends.torch.TorchBackend.pairwise", refused)
    for dtype in (torch.float32, torch.bfloat16, torch.float16):
        x = torch.asarray(X).to(dtype).requires_grad_()
        gpuval.silhouette_score(x, torch.asarray(LABELS), metric=metric).backward()
        assert x.grad.dtype == dtype
        assert x.grad.abs().max() > 0
    with pytest.raises(AssertionError, match="distances of PyTorch"):
        torch.func.grad(lambda x: gpuval.silhouette_score(x, torch.asarray(LABELS), n_clusters=K))(torch.asarray(X))


def test_the_graph_keeps_no_distances():
    n, kept = 600, []
    x = torch.asarray(RNG.normal(size=(n, D))).requires_grad_()

    def seen(tensor):
        kept.append(tensor.numel())
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(seen, lambda tensor: tensor):
        gpuval.silhouette_score(x, torch.arange(n) % K)
    assert n * D in kept
    assert max(kept) == n * D


def test_memory_is_that_of_tiles(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "1")  # each thread has its tiles
    n = 4000
    x, labels = torch.asarray(RNG.normal(size=(n, 2))).requires_grad_(), torch.arange(n) % 2
    tracemalloc.start()
    gpuval.silhouette_score(x, labels).backward()
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert 1 << 20 < peak < n * n * 8 / 4


def test_gradients_of_several_scores_at_once():
    def score(x):
        return gpuval.silhouette_samples(x, torch.asarray(LABELS))

    one_by_one, at_once = (
        torch.autograd.functional.jacobian(score, torch.asarray(X), vectorize=vectorize) for vectorize in (False, True)
    )
    assert one_by_one.abs().max() > 1e-2
    assert torch.equal(one_by_one, at_once)


@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")
@pytest.mark.parametrize("metric", METRICS)
def test_what_has_no_derivative_says_so(metric):
    labels = torch.asarray(LABELS)
    x = torch.tensor(X, requires_grad=True)
    (slope,) = torch.autograd.grad(gpuval.silhouette_score(x, labels, metric=metric), x, create_graph=True)
    with pytest.raises(NotImplementedError, match="first derivatives, and no second"):
        slope.sum().backward()
    with torch.autograd.forward_ad.dual_level(), pytest.raises(NotImplementedError, match="forward mode"):
        gpuval.silhouette_score(torch.autograd.forward_ad.make_dual(x.detach(), x.detach()), labels, metric=metric)


@pytest.mark.parametrize("changed", ["samples", "labels"])
def test_what_changes_before_the_gradient_is_found_is_an_error(changed):
    given = {"samples": torch.asarray(X.copy()).requires_grad_(), "labels": torch.asarray(LABELS.copy())}
    score = gpuval.silhouette_score(*given.values())
    with torch.no_grad():
        given[changed] += 1
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        score.backward()


def test_samples_that_are_not_finite_have_no_score():
    x = torch.tensor(X)
    x[3, 1] = torch.nan
    assert torch.isnan(gpuval.silhouette_score(x.requires_grad_(), torch.asarray(LABELS), n_clusters=K))


# On a device, where it is autograd that goes through the distances: tile by tile, each of which is found once more.


@pytest.fixture
def _on_a_device(monkeypatch):
    for module in ("tiles", "centres"):
        monkeypatch.setattr(f"gpuval.geometry.means.{module}.size_of_tile", lambda like: (9, 9))
    with as_on_a_device():
        yield


@pytest.mark.usefixtures("_on_a_device")
@pytest.mark.parametrize("metric", METRICS)
def test_on_a_device(metric):
    labels = np.where(np.arange(N) % 9 == 8, -1, LABELS)
    slopes = torch.where(torch.asarray((labels >= 0) & (WEIGHTS > 0)), SLOPES, 0.0)
    found = gradients(lambda x, w: ours(x, labels, w, metric), True, slopes=slopes)
    expected = gradients(lambda x, w: plain(x, labels, w, metric), True, slopes=slopes)
    expected[1][WEIGHTS == 0] = 0
    assert_same(found, expected)


@pytest.mark.usefixtures("_on_a_device")
@pytest.mark.parametrize("metric", ["euclidean", "cityblock"])
def test_on_a_device_the_graph_keeps_no_distances(metric):
    n, kept = 200, []
    x = torch.asarray(RNG.normal(size=(n, D))).requires_grad_()
    with torch.autograd.graph.saved_tensors_hooks(lambda tensor: kept.append(tensor.numel()) or tensor, lambda x: x):
        gpuval.silhouette_score(x, torch.arange(n) % K, metric=metric).backward()
    assert sum(kept) < n * n / 2


@pytest.mark.usefixtures("_on_a_device")
def test_transforms_on_a_device():
    labels = torch.asarray(LABELS)
    x = torch.tensor(X, requires_grad=True)
    gpuval.silhouette_score(x, labels, n_clusters=K).backward()
    found = torch.func.grad(lambda x: gpuval.silhouette_score(x, labels, n_clusters=K))(torch.asarray(X))
    assert_same([found.numpy()], [x.grad.numpy()], rtol=1e-12)
