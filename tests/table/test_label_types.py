"""Labels of tables that add up: none goes through a type that rounds it or comes round to another."""

from __future__ import annotations

import dask.array as da
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from backends import BACKENDS

from gpuval import Accumulator, Contingency
from gpuval.engines.backends import to_host

BIG = 2**60
FAR = {
    "one above another": (("uint64", [0, BIG]), ("uint64", [BIG + 1])),
    "both kinds": (("uint64", [0, BIG]), ("int64", [BIG + 1])),
    "the other way": (("int64", [0, BIG + 1]), ("uint64", [BIG])),
    "above int64": (("uint64", [2**64 - 1, 2**64 - 2]), ("uint64", [5])),
    "above int64, and signed": (("uint64", [2**64 - 1, 0]), ("int64", [5, 0])),
    "small types": (("uint8", [255]), ("int8", [-1])),
    "nothing first": (("int64", []), ("uint64", [2**64 - 1, 0])),
}
MIXED = {
    "numpy": (np.asarray, FAR),
    "strict": (BACKENDS["strict"].of, FAR),
    "jax-x64": (jnp.asarray, FAR),
    "torch": (lambda x: torch.asarray(x), {name: x for name, x in FAR.items() if max(x[0][1] + x[1][1]) < 2**63}),
    "jax": (
        jnp.asarray,
        {
            "above int32": (("uint32", [2**32 - 1]), ("int32", [5])),
            "above int32, one type": (("uint32", [2**32 - 1]), ("uint32", [2**32 - 2, 0])),
            "above int32, in a range": (("uint32", [2**32 - 1, 2**32 - 2]), ("uint32", [5])),
            "above int32, with gaps": (("uint32", [2**31, 2**31 + 2, 2**32 - 1]), ("uint32", [2**31 - 1, 2**31 + 1])),
            "small types": FAR["small types"],
        },
    ),
}
CASES = [(library, case) for library, (_, cases) in MIXED.items() for case in cases]


def parts(library, case):
    of, cases = MIXED[library]
    return [of(np.asarray(labels, dtype=dtype)) for dtype, labels in cases[case]]


def counts_of(labels):
    return {label: labels.count(label) for label in sorted(labels)}


def found_in(table):
    classes, clusters, counts = (to_host(x).tolist() for x in table.triples())
    assert set(clusters) <= {0}
    assert list(map(int, classes)) == sorted(classes)
    return dict(zip(classes, counts, strict=True))


@pytest.fixture(params=CASES, ids=lambda x: f"{x[0]}-{x[1]}")
def case(request):
    with jax.enable_x64(request.param[0] != "jax"):
        yield (
            parts(*request.param),
            counts_of([label for _, labels in MIXED[request.param[0]][1][request.param[1]] for label in labels]),
        )


def zeros(x):
    return x - x if x.shape[0] < 1 or not str(x.dtype).endswith("uint64") else x != x


def tables_of(batches):
    return [Contingency.from_labels(x, zeros(x)) for x in batches]


def test_tables_that_add_up(case):
    batches, wanted = case
    assert found_in(sum(tables_of(batches))) == wanted
    assert found_in(sum(tables_of(batches[::-1]))) == wanted
    transposed = [table.transposed() for table in tables_of(batches)]
    assert found_in(sum(transposed).transposed()) == wanted


def test_batches_of_an_accumulator(case):
    batches, wanted = case
    for order in (batches, batches[::-1]):
        accumulator, merged = Accumulator(), Accumulator()
        for x in order:
            accumulator.update(x, zeros(x))
            part = Accumulator()
            part.update(x, zeros(x))
            merged.merge(part)
        loaded = Accumulator()
        loaded.load_state_dict(accumulator.state_dict())
        host = Accumulator(like=np.zeros(1))
        host.load_state_dict(accumulator.state_dict())
        back = Accumulator(like=batches[0])
        back.load_state_dict(host.state_dict())
        for one in (accumulator, merged, loaded, host, back):
            assert found_in(one.table) == wanted


def test_labels_that_no_integer_type_holds():
    """NumPy has objects for them; others refuse the sum, and stay as they were."""
    high, low = np.asarray([2**64 - 1, 0], np.uint64), np.asarray([-1, -(2**62)])
    table = sum(Contingency.from_labels(x, [0, 0]) for x in (high, low))
    assert found_in(table) == {-(2**62): 1, -1: 1, 0: 1, 2**64 - 1: 1}
    for library, x64 in (("jax", True), ("jax", False), ("strict", True)):
        with jax.enable_x64(x64):
            of = MIXED[library][0]
            first = of(high) if x64 else of(np.asarray([2**32 - 1, 0], np.uint32))
            second = of(low) if x64 else of(np.asarray([-1, 0], np.int32))
            accumulator = Accumulator()
            accumulator.update(first, first != first)
            with pytest.raises(ValueError, match=r"must be integers of one type, got -\d+ and \d+, and .* has no"):
                accumulator.update(second, second != second)
            assert found_in(accumulator.table) == {0: 1, 2 ** (64 if x64 else 32) - 1: 1}


def test_blocks_of_dask():
    """A block of labels in a row, and one of labels far apart."""
    labels = np.asarray([BIG, BIG + 1, 0, 2**63], np.uint64)
    held = da.from_array(labels, chunks=2)
    table = Contingency.from_labels(held, da.zeros(4, dtype=np.int64, chunks=2))
    assert found_in(table) == {0: 1, BIG: 1, BIG + 1: 1, 2**63: 1}


def test_checkpoints_of_labels_that_another_library_cannot_hold():
    for labels, error, message in (
        (
            np.asarray([2**64 - 1], np.uint64),
            ValueError,
            r"labels must be below 2\*\*63 in PyTorch, got 18446744",
        ),
        (["a"], TypeError, "labels must be integers in torch, got dtype"),
    ):
        accumulator, other = Accumulator(), Accumulator(like=torch.zeros(1))
        accumulator.update(labels, [0])
        with pytest.raises(error, match=message):
            other.load_state_dict(accumulator.state_dict())
        assert int(other.unchecked_table.total) == 0


def test_the_smallest_integer_does_not_pass_for_a_small_one():
    """Its absolute value is negative, and it would come round to 0."""
    with jax.enable_x64(False):
        accumulator, narrow = Accumulator(), Accumulator(like=jnp.zeros(1))
        accumulator.update(np.asarray([-(2**63), 5]), [0, 0])
        with pytest.raises(ValueError, match=r"2\*\*31 .*got -9223372036854775808"):
            narrow.load_state_dict(accumulator.state_dict())
