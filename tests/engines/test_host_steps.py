"""No measure copies to the host more often than its documentation says, nor makes the host wait in another way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import array_api_strict
import numpy as np
import pytest
import torch
from backends import BACKENDS, Backend, transfers_to_host
from properties import MEASURES, Row
from torch_operations import TorchOperations

import gpuval
from gpuval import Contingency
from gpuval.engines.backends import backend_of, to_host

ROWS = {str(row): row for row in MEASURES}
SIZE = {"n_classes": 5, "n_clusters": 4}
WATCHED = ("torch", "strict")


@pytest.fixture(params=WATCHED)
def watched(request) -> Iterator[Backend]:
    with BACKENDS[request.param].mode():
        yield BACKENDS[request.param]


@pytest.fixture
def on_torch() -> Iterator[Backend]:
    with BACKENDS["torch"].mode():
        yield BACKENDS["torch"]


@pytest.fixture
def transfers() -> Iterator[list]:
    """What has been copied to the host, by anything that is not on the host already."""
    with transfers_to_host() as copied:
        yield copied


def samples(backend: Backend) -> tuple[Any, Any]:
    """Labels without gaps."""
    rng = np.random.default_rng(4)
    return backend.array(rng.permutation(np.arange(40) % 5)), backend.array(rng.permutation(np.arange(40) % 4))


# ---- how often -----------------------------------------------------------------------------------


@pytest.mark.parametrize("row", ROWS)
def test_transfers_with_the_size_given(row, watched, transfers):
    ROWS[row].of_labels(*samples(watched), **SIZE)
    assert len(transfers) == ROWS[row].host_steps


@pytest.mark.parametrize("row", ROWS)
def test_transfers_with_the_size_found(row, watched, transfers):
    """One for the size of the table, and those of the measure."""
    ROWS[row].of_labels(*samples(watched))
    assert len(transfers) == 1 + ROWS[row].host_steps + ROWS[row].host_steps_found


@pytest.mark.parametrize("row", ROWS)
def test_transfers_of_listed_cells(row, watched, transfers):
    table = Contingency.from_labels(*samples(watched), layout="cells")
    transfers.clear()
    ROWS[row].of_table(table)
    assert len(transfers) <= ROWS[row].host_steps + ROWS[row].host_steps_found


@pytest.mark.parametrize("building", [{"ignore_labels": [3]}, {"sample_weight": 2}, {"sample_weight": 0.5}])
def test_options_of_the_table_cost_no_transfer(building, watched, transfers):
    true, pred = samples(watched)
    if "sample_weight" in building:
        building = {"sample_weight": watched.array(np.full(40, building["sample_weight"]))}
    gpuval.adjusted_rand_score(true, pred, **building, **SIZE)
    assert len(transfers) == 0
    gpuval.adjusted_rand_score(true, pred, **building)
    assert len(transfers) == 1


def test_many_measures_of_one_table_find_its_size_once(watched, transfers):
    names = [row.name for row in MEASURES if row.values == "one" and row.jits and row.host_steps_found == 0]
    gpuval.evaluate(*samples(watched), names)
    assert len(transfers) == 1


def test_numpy_goes_through_no_other_library(transfers):
    with TorchOperations() as operations:
        for row in ROWS.values():
            row.of_labels(*samples(BACKENDS["numpy"]))
    assert not transfers
    assert not operations.counter


# ---- no other way to wait ------------------------------------------------------------------------


@pytest.mark.parametrize("row", [name for name, row in ROWS.items() if row.jits])
def test_nothing_waits_for_the_device_with_the_size_given(row, on_torch):
    true, pred = samples(on_torch)
    with TorchOperations() as operations:
        ROWS[row].of_labels(true, pred, **SIZE)
    assert operations.waits == 0, operations.counter
    assert operations.counter


@pytest.mark.parametrize("building", [{"ignore_labels": [3]}, {"sample_weight": 2}, {"sample_weight": 0.5}])
def test_options_of_the_table_do_not_wait_for_the_device(building, on_torch):
    true, pred = samples(on_torch)
    if "sample_weight" in building:
        building = {"sample_weight": torch.full((40,), building["sample_weight"])}
    with TorchOperations() as operations:
        gpuval.adjusted_rand_score(true, pred, **building, **SIZE)
    assert operations.waits == 0, operations.counter


@pytest.mark.parametrize("row", ROWS)
def test_no_products_of_integer_matrices(row, on_torch):
    """CUDA has none: a test on a CPU would pass."""
    true, pred = samples(on_torch)
    with TorchOperations() as operations:
        ROWS[row].of_labels(true, pred)
        ROWS[row].of_labels(true, pred, **SIZE)
    assert operations.counter["integer products"] == 0


# ---- the counters can fail -----------------------------------------------------------------------


def leaking(table: Contingency) -> Any:
    return backend_of(table.counts).from_host(to_host(table.total), table.counts)


def test_a_transfer_is_counted(watched, transfers):
    table = Contingency.from_labels(*samples(watched), **SIZE)
    leaking(table)
    leaking(table)
    assert len(transfers) == 2


def test_a_measure_that_leaks_is_found_out(watched, transfers, monkeypatch):
    from gpuval.metrics.external._metric import table_measure

    monkeypatch.setitem(ROWS, "rand_score", replace(ROWS["rand_score"], function=table_measure(leaking)))
    with pytest.raises(AssertionError):
        test_transfers_with_the_size_given("rand_score", watched, transfers)


@pytest.mark.parametrize("other", [torch.asarray, BACKENDS["strict"].of])
def test_a_measure_of_numpy_by_another_library_is_found_out(other, transfers, monkeypatch):
    from gpuval.metrics.external._metric import table_measure

    through_another = table_measure(lambda table: to_host(other(table.total)))
    monkeypatch.setitem(ROWS, "rand_score", replace(ROWS["rand_score"], function=through_another))
    with pytest.raises(AssertionError):
        test_numpy_goes_through_no_other_library(transfers)


@pytest.mark.parametrize(
    "wait",
    [
        lambda x: float(x[0]),
        lambda x: bool(x[0] > 1),
        lambda x: x[x > 1],
        lambda x: x.index_put_((x > 1,), torch.tensor([7, 8])),
        lambda x: x.index_put((x > 1,), torch.tensor([7, 8])),
        lambda x: x.__setitem__(x > 1, torch.tensor([7, 8])),
        lambda x: x.repeat_interleave(x),
        lambda x: x.masked_select(x > 1),
        lambda x: torch.equal(x, x),
        lambda x: torch.allclose(x, x),
        lambda x: torch.is_nonzero(x[0]),
        torch.bincount,
        torch.nonzero,
        torch.unique,
        torch.unique_consecutive,
    ],
)
def test_a_hidden_wait_is_found_out(wait: Callable[[torch.Tensor], Any]):
    with TorchOperations() as operations:
        wait(torch.arange(4))
    assert operations.waits > 0


def test_what_waits_for_nothing_is_told_apart():
    x = torch.arange(4)
    with TorchOperations() as operations:
        x[torch.tensor([2, 3])] = torch.tensor([7, 8])
        x[x > 7] = 0
        x.repeat_interleave(torch.tensor([1, 2, 0, 1]), output_size=4)
        torch.where(x > 1, x, 0)
    assert operations.waits == 0, operations.counter


def test_a_product_of_integers_is_found_out():
    with TorchOperations() as operations:
        torch.dot(torch.arange(3), torch.arange(3))
        torch.ones(2, 2, dtype=torch.int64) @ torch.ones(2, 2, dtype=torch.int64)
        torch.ones(2, 2) @ torch.ones(2, 2)
    assert operations.counter["integer products"] == 2, operations.counter


def test_the_second_device_refuses_hidden_copies():
    x = BACKENDS["strict"].array([1, 2])
    assert x.device == array_api_strict.Device("device1")
    with pytest.raises(RuntimeError, match="device1"):
        np.asarray(x)


def test_what_is_declared_without_host_step_says_none():
    """The words of the documentation and the declared number agree."""

    def says(row: Row) -> bool:
        return "host step" in " ".join((row.function.__doc__ or "").split())

    assert [str(row) for row in MEASURES if says(row) != bool(row.host_steps or row.host_steps_found)] == []
