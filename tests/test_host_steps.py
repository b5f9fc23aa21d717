"""Each measure crosses to the host no more often than its documentation says."""

from __future__ import annotations

import sys

import array_api_strict
import numpy as np
import pytest
import torch
from properties import SCORES

import gpuval
from gpuval import _namespace

RNG = np.random.default_rng(2)
TRUE, PRED = RNG.integers(0, 4, 50), RNG.integers(0, 4, 50)
LIBRARIES = {
    "torch": torch.asarray,
    "strict": lambda x: array_api_strict.asarray(x, device=array_api_strict.Device("device1")),
}


@pytest.fixture
def crossings(monkeypatch):
    """The number of calls of the one door, from wherever they come."""
    calls = []
    door = _namespace.to_host

    def counted(x):
        if not _namespace.is_numpy(x):
            calls.append(x)
        return door(x)

    for name, module in list(sys.modules.items()):
        if name.split(".")[0] == "gpuval" and getattr(module, "to_host", None) is door:
            monkeypatch.setattr(module, "to_host", counted)
    return calls


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("row", SCORES, ids=str)
def test_crossings(row, library, crossings):
    true, pred = (LIBRARIES[library](x) for x in (TRUE, PRED))
    row.of_labels(true, pred, n_classes=4, n_clusters=4)
    assert len(crossings) <= row.host_steps
    crossings.clear()
    row.of_labels(true, pred)
    assert len(crossings) <= 1 + row.host_steps + row.host_steps_found


@pytest.mark.parametrize("row", SCORES, ids=str)
def test_what_crosses_is_documented(row):
    doc = getattr(gpuval, row.name).__doc__
    assert ("host step" in doc) == bool(row.host_steps or row.host_steps_found)


def test_a_crossing_is_counted(crossings):
    gpuval.Contingency.from_labels(torch.asarray(TRUE), torch.asarray(PRED))
    assert len(crossings) == 1
    gpuval.clustering_accuracy(torch.asarray(TRUE), torch.asarray(PRED), n_classes=4, n_clusters=4)
    assert len(crossings) > 1
