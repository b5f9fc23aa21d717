"""The bar of tqdm: as many samples as there are, whatever is measured; an error where there is no tqdm."""

from __future__ import annotations

import sys
import threading
import tomllib
from pathlib import Path
from types import ModuleType
from typing import ClassVar

import numpy as np
import pytest
from backends import BACKENDS
from internal_cases import BY_METRIC
from internal_oracles import METRICS

import gpuval
from gpuval.geometry import extremes
from gpuval.geometry.distances import tiles
from gpuval.geometry.distances.products import ProductsOfGroups
from gpuval.geometry.means import pairs

RNG = np.random.default_rng(0)
X, LABELS = RNG.normal(size=(60, 3)), np.arange(60) % 4
D = np.sqrt(((X[:, None, :] - X[None, :, :]) ** 2).sum(axis=2))

CALLS = {
    **{f"{measure.__name__}-{x}": x for measure in BY_METRIC for x in (*METRICS, "precomputed")},
    "silhouette_batch-euclidean": "euclidean",
}


class Bar:
    """What is called of a bar."""

    made: ClassVar[list[Bar]] = []

    def __init__(self, total, **options):
        self.total, self.options, self.updates, self.closed = total, options, [], False
        self.made.append(self)

    def update(self, n):
        assert not self.closed
        self.updates.append(n)

    def close(self):
        self.closed = True


@pytest.fixture(autouse=True)
def bars(monkeypatch):
    package, auto = ModuleType("tqdm"), ModuleType("tqdm.auto")
    package.auto, auto.tqdm = auto, Bar
    monkeypatch.setitem(sys.modules, "tqdm", package)
    monkeypatch.setitem(sys.modules, "tqdm.auto", auto)
    monkeypatch.setattr(tiles, "_ON_HOST", (16, 1024))
    monkeypatch.setattr(pairs, "_WHOLE", ())
    monkeypatch.setattr(pairs, "_SIZE", 16)
    Bar.made = []
    return Bar


def called(call, progress, of=np.asarray, **options):
    function = getattr(gpuval, call.partition("-")[0])
    others = [of(np.arange(60) % 3)] if "batch" in call else []
    given = D if CALLS[call] == "precomputed" else X
    return function(of(given), of(LABELS), *others, metric=CALLS[call], progress=progress, **options)


@pytest.mark.parametrize("where", ["numpy", "torch"])
@pytest.mark.parametrize("call", CALLS)
def test_it_comes_to_its_end(call, where):
    backend = BACKENDS[where]
    with backend.mode():
        shown, hidden = (backend.numpy(called(call, progress, backend.array)) for progress in (True, False))
    np.testing.assert_array_equal(shown, hidden)
    (bar,) = Bar.made
    assert bar.total == 60
    assert sum(bar.updates) == pytest.approx(60)
    assert min(bar.updates) >= 0
    assert bar.closed
    assert bar.options == {"unit": " samples", "unit_scale": True}


@pytest.mark.parametrize("metric", ["euclidean", "cityblock", "sqeuclidean", "cosine"])
def test_of_bounds_too(monkeypatch, metric):
    monkeypatch.setattr(extremes, "_PAIR", 0)
    gpuval.dunn_index(X, LABELS, metric=metric, progress=True)
    assert sum(Bar.made[0].updates) == pytest.approx(60)


def test_of_cosines_with_samples_of_zeros():
    samples = np.where(np.arange(60)[:, None] % 7, X, 0)
    gpuval.dunn_index(samples, LABELS, metric="cosine", progress=True)
    assert sum(Bar.made[0].updates) == pytest.approx(60)


def test_it_has_several_steps():
    gpuval.silhouette_score(X, LABELS, progress=True)
    assert len(Bar.made[0].updates) > 3
    assert all(isinstance(n, int) and n > 0 for n in Bar.made[0].updates)


def test_of_a_sample():
    for call in ("silhouette_score-euclidean", "silhouette_label-euclidean", "silhouette_batch-euclidean"):
        called(call, True, sample_size=20)
        assert (Bar.made[-1].total, sum(Bar.made[-1].updates)) == (20, 20)


def test_samples_that_do_not_count_are_done_too():
    gpuval.silhouette_score(X, LABELS, ignore_labels=2, progress=True)
    assert Bar.made[0].total == sum(Bar.made[0].updates)


def test_no_bar_unless_it_is_asked_for():
    for call in CALLS:
        called(call, False)
    assert Bar.made == []


def test_it_is_closed_by_an_error(monkeypatch):
    monkeypatch.setattr(ProductsOfGroups, "tile", lambda *_: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        gpuval.silhouette_score(X, LABELS, progress=True)
    assert Bar.made[0].closed


@pytest.mark.parametrize("call", CALLS)
def test_without_tqdm(monkeypatch, call):
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.raises(ImportError) as raised:
        called(call, True)
    assert str(raised.value) == 'progress=True needs tqdm: pip install "gpuval[progress]"'
    called(call, False)


def test_what_the_error_says_can_be_installed():
    """The extra that it names is one of the package, and it brings tqdm."""
    project = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())["project"]
    assert any(x.startswith("tqdm") for x in project["optional-dependencies"]["progress"])


@pytest.mark.parametrize("function", [gpuval.silhouette_samples, gpuval.dunn_index])
@pytest.mark.parametrize("after", [1, 3])
def test_an_interrupt_leaves_nothing_behind(monkeypatch, function, after):
    """A key is pressed between two tiles: it is raised as it is, the bar is closed, and no thread goes on."""
    monkeypatch.setattr("gpuval.numerics.parallel.allowed_threads", lambda: 3)
    monkeypatch.setattr("gpuval.geometry.distances.precomputed.DistanceMatrix.height", 5)
    before, calls = set(threading.enumerate()), []

    def blocks(start, stop):
        calls.append((start, stop))
        if len(calls) > after:
            raise KeyboardInterrupt
        return D[start:stop]

    with pytest.raises(KeyboardInterrupt):
        function(blocks, LABELS, metric="precomputed", progress=True)
    assert Bar.made[0].closed
    assert set(threading.enumerate()) <= before
    assert len(calls) < 12  # and what was not begun is not done either
    found = function(D, LABELS, metric="precomputed")
    np.testing.assert_array_equal(found, function(lambda start, stop: D[start:stop], LABELS, metric="precomputed"))
