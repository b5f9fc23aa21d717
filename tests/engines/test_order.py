"""Positions by code, and within a code from the largest value on: as Python's sort of tuples finds them."""

import numpy as np
import pytest
from backends import BACKENDS, N

from gpuval.engines import engine_of
from gpuval.engines.host import order as of_host


def expected(codes, values):
    """The positions by code, by value from the largest on, and by themselves."""
    return sorted(range(len(codes)), key=lambda i: (codes[i], -values[i], i))


def lists(random, lengths, is_shuffled):
    """Codes that occur so often, one after the other or in any order."""
    codes = np.repeat(np.arange(len(lengths)), lengths)
    return random.permutation(codes) if is_shuffled else codes


def values_of(random, kind, n):
    """Distinct floats; or few distinct ones, or integers, so that many are equal."""
    if kind == "distinct":
        return random.permutation(n) / 8 - 2
    return random.integers(-2, 3, n) / (1 if kind == "integers" else 4)


def of_kind(random, kind, n):
    values = values_of(random, kind, n)
    return values.astype(np.int64) if kind == "integers" else values


def check(found, codes, values, is_stable):
    """An order with equal values in any order has the same codes and values in the same places, each position once."""
    found, exact = found.tolist(), expected(codes.tolist(), values.tolist())
    if is_stable:
        assert found == exact
    assert sorted(found) == list(range(len(codes)))
    assert codes[found].tolist() == codes[exact].tolist()
    assert values[found].tolist() == values[exact].tolist()


KINDS = ["distinct", "ties", "integers"]

LENGTHS = {
    "rows": [20] * 3,
    "one": [N],
    "ragged, with empty ones": [0, 17, 1, 0, 30, 12, 0],
    "each once": [1] * N,
}
"""How often the codes of N samples occur."""


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", LENGTHS)
def test_order_on_every_backend(backend, name, kind):
    random = np.random.default_rng(0)
    for is_shuffled in (False, True):
        codes, values = lists(random, LENGTHS[name], is_shuffled), of_kind(random, kind, N)
        for is_stable in (False, True):
            order = engine_of(backend.array(codes)).order_within(
                backend.array(codes), backend.array(values), is_stable=is_stable
            )
            check(backend.numpy(order), codes, values, is_stable)


MANY = {
    "rows": np.full(300, 20),
    "rows of the size of a block": np.full(3, of_host._BLOCK // 4),
    "ragged": np.tile(np.arange(60), 20),
    "longer than a block": np.asarray([of_host._BLOCK + 5, 0, 7]),
    "few of each length": np.arange(100),
    "more than 16 bits": np.tile([1, 0, 2], 30_000),
}
"""Enough for the ways of the host: rows, rows of each length, and one sort of all."""


@pytest.mark.parametrize("is_stable", [False, True])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", MANY)
def test_order_on_the_host(name, kind, is_stable):
    random = np.random.default_rng(1)
    for is_shuffled in (False, True):
        codes = lists(random, MANY[name], is_shuffled)
        values = of_kind(random, kind, len(codes))
        check(of_host.order_within(codes, values, is_stable=is_stable), codes, values, is_stable)


@pytest.mark.parametrize("name", LENGTHS)
def test_order_without_values_on_every_backend(backend, name):
    """The positions by code, in their order within a code."""
    codes = lists(np.random.default_rng(6), LENGTHS[name], is_shuffled=True)
    order = engine_of(backend.array(codes)).order_within(backend.array(codes), None, is_stable=True)
    assert backend.numpy(order).tolist() == expected(codes.tolist(), [0] * N)


@pytest.mark.parametrize("n", [0, 1, 2, 3, 1023, 1025])
def test_order_without_positions_of_any_number(n):
    """Also of none, and beside the powers of 2 to which they are filled up."""
    backend, random = BACKENDS["strict-no-x64"], np.random.default_rng(9)
    codes, values = random.integers(0, 1 + n // 10, n), random.integers(0, 5, n) / 4
    with backend.mode():
        x, y = backend.array(codes), backend.array(values)
        found = backend.numpy(engine_of(x).order_within(x, y, is_stable=True)).tolist()
        counts = backend.numpy(engine_of(x).backend.count(x, 1 + n // 10)).tolist()
    assert found == expected(codes.tolist(), values.tolist())
    assert counts == [codes.tolist().count(i) for i in range(1 + n // 10)]


@pytest.mark.parametrize("name", MANY)
def test_order_on_the_host_without_codes(name):
    """Those that never fall need not be given, if it is known how often each occurs."""
    random, lengths = np.random.default_rng(8), np.asarray(MANY[name])
    codes = np.repeat(np.arange(len(lengths)), lengths)
    values = of_kind(random, "ties", len(codes))
    check(of_host.order_within(None, values, lengths, is_stable=True), codes, values, is_stable=True)
    assert of_host.order_within(None, None, lengths, is_stable=True).tolist() == list(range(len(codes)))


@pytest.mark.parametrize("name", LENGTHS)
def test_the_largest_first_on_every_backend(backend, name):
    random = np.random.default_rng(4)
    codes, values = lists(random, LENGTHS[name], is_shuffled=False), of_kind(random, "ties", N)
    x, y, z = map(backend.array, (values, codes, np.asarray(LENGTHS[name])))
    found = backend.numpy(engine_of(x).largest_first(x, y, z))
    assert found.tolist() == values[expected(codes.tolist(), values.tolist())].tolist()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", MANY)
def test_the_largest_first_on_the_host(name, kind):
    random = np.random.default_rng(5)
    codes = lists(random, MANY[name], is_shuffled=False)
    values = of_kind(random, kind, len(codes))
    found = of_host.largest_first(values, np.asarray(MANY[name]))
    assert found.tolist() == values[expected(codes.tolist(), values.tolist())].tolist()


@pytest.mark.parametrize("name", LENGTHS)
def test_totals_of_runs_on_every_backend(backend, name):
    lengths = LENGTHS[name]
    codes, values = np.repeat(np.arange(len(lengths)), lengths), np.arange(N) / 4
    x, y, z = map(backend.array, (values, codes, np.asarray(lengths)))
    found = backend.numpy(engine_of(x).backend.total_of_runs(x, y, z)).tolist()
    ends = np.cumsum(lengths).tolist()
    assert found == [sum(i / 4 for i in range(end - n, end)) for n, end in zip(lengths, ends, strict=True)]


@pytest.mark.parametrize(
    "dtype", [np.uint8, np.int16, np.uint16, np.int32, np.int64, np.uint64, np.float16, np.float32]
)
def test_values_of_all_types(dtype):
    random = np.random.default_rng(2)
    codes = lists(random, MANY["rows"], is_shuffled=True)
    values = random.integers(0, 200, len(codes)).astype(dtype)
    check(of_host.order_within(codes, values, is_stable=True), codes, values, is_stable=True)


def test_integers_that_floats_cannot_tell_apart():
    values = (1 << 60) + np.arange(N)[::-1]
    codes = np.zeros(N, dtype=np.int64)
    for name in ("numpy", "torch"):
        x, y = BACKENDS[name].array(codes), BACKENDS[name].array(values)
        assert BACKENDS[name].numpy(engine_of(x).order_within(x, y, is_stable=False)).tolist() == list(range(N))


@pytest.mark.parametrize("dtype", [np.uint8, np.int16, np.uint32, np.uint64])
def test_codes_of_all_types(dtype):
    random = np.random.default_rng(3)
    codes = lists(random, [40] * 200, is_shuffled=True)
    values = of_kind(random, "ties", len(codes))
    check(of_host.order_within(codes.astype(dtype), values, is_stable=True), codes, values, is_stable=True)


def test_infinities_are_first_and_last():
    values = np.asarray([0.0, -np.inf, np.inf, 1.0] * 500)
    codes = np.repeat(np.arange(500), 4)
    found = of_host.order_within(codes, values, is_stable=False)
    assert values[found].tolist() == [np.inf, 1.0, 0.0, -np.inf] * 500


@pytest.mark.parametrize("wrong", [[1, 0, 2], [2, 1, 0], [0, 0, 2]])
def test_a_wrong_order_is_found(wrong):
    codes, values = np.asarray([0, 0, 1]), np.asarray([5.0, 5.0, 9.0])
    check(np.asarray([0, 1, 2]), codes, values, is_stable=True)
    with pytest.raises(AssertionError):
        check(np.asarray(wrong), codes, values, is_stable=True)
