"""Everything that label vectors and weights may be, and what tables do: against a count of pairs in plain Python."""

import array
import datetime as dt
import enum
import importlib
import math
import re
import tracemalloc
from collections import Counter, deque
from decimal import Decimal
from fractions import Fraction

import dask.array as da
import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
import torch
from backends import BACKENDS
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import gpuval
from gpuval import Contingency, contingency_matrix
from gpuval.engines.backends import NUMPY, backend_of, is_dask, to_host
from gpuval.engines.cells import DenseCells, ListedCells
from gpuval.inputs.codes import Codes
from gpuval.inputs.labels import read_labels

LAYOUTS = ("dense", "cells")


def values(labels):
    """The labels of a side of a table as a list."""
    return list(labels) if isinstance(labels, range) else to_host(labels).tolist()


def cells_of(table):
    """The non-empty cells by their labels."""
    classes, clusters, counts = values(table.classes), values(table.clusters), to_host(table.counts)
    if isinstance(table.cells, ListedCells):
        rows, columns = (to_host(x).tolist() for x in (table.cells.class_of, table.cells.cluster_of))
    else:
        rows, columns = (x.tolist() for x in np.nonzero(counts))
        counts = counts[rows, columns]
    found = [(classes[i], clusters[j]) for i, j in zip(rows, columns, strict=True)]
    assert len(set(found)) == len(found)
    return dict(zip(found, counts.tolist(), strict=True))


def pairs_of(labels_true, labels_pred, weights=None):
    """The oracle: how many samples have each pair of labels."""
    count = Counter()
    for pair, weight in zip(zip(labels_true, labels_pred, strict=True), weights or [1] * len(labels_true), strict=True):
        count[pair] += weight
    return {pair: n for pair, n in count.items() if n}


def check(table, labels_true, labels_pred, weights=None, order=sorted):
    """Raise unless ``table`` is that of the labels, in all its fields."""
    table = table.compact()
    expected = pairs_of(labels_true, labels_pred, weights)
    classes, clusters = (order({pair[side] for pair in expected}) for side in (0, 1))
    assert values(table.classes) == classes
    assert values(table.clusters) == clusters
    assert cells_of(table) == expected
    full = np.array([[expected.get((i, j), 0) for j in clusters] for i in classes]).reshape(len(classes), len(clusters))
    np.testing.assert_array_equal(to_host(table.to_array()), full)
    np.testing.assert_array_equal(to_host(table.class_sizes), full.sum(axis=1))
    np.testing.assert_array_equal(to_host(table.cluster_sizes), full.sum(axis=0))
    assert to_host(table.total) == full.sum()


def check_labels(held_true, held_pred, labels_true, labels_pred, order=sorted, **options):
    """Check the tables of labels as they are held, in every layout and either way round."""
    for layout in (None, *LAYOUTS):
        table = Contingency.from_labels(held_true, held_pred, layout=layout, **options)
        check(table, labels_true, labels_pred, order=order)
        check(
            Contingency.from_labels(held_pred, held_true, layout=layout, **options),
            labels_pred,
            labels_true,
            order=order,
        )


def test_the_check_can_fail():
    table = Contingency.from_labels([0, 0, 1], [0, 1, 1])
    check(table, [0, 0, 1], [0, 1, 1])
    with pytest.raises(AssertionError):
        check(table, [0, 1, 1], [0, 1, 1])
    with pytest.raises(AssertionError):
        check(table, ["0", "0", "1"], [0, 1, 1])


# What labels may be

INTEGERS = [3, 1, 3, 0, 1, 7, 3]
OTHER = [2, 2, 2, 0, 5, 5, 0]
STRINGS = ["b", "a", "b", "cc", "a", "", "b"]

HOLDERS = {
    "list": list,
    "tuple": tuple,
    "deque": deque,
    "Series": pd.Series,
    "Series of objects": lambda x: pd.Series(x, dtype=object),
    "Index": pd.Index,
    "categorical Series": lambda x: pd.Series(x, dtype="category"),
    "Categorical": pd.Categorical,
    "Categorical with unused categories": lambda x: pd.Categorical(x).add_categories(["zz", "unused"]),
    "CategoricalIndex": pd.CategoricalIndex,
    "NumPy objects": lambda x: np.array(x, dtype=object),
    "NumPy, not contiguous": lambda x: np.repeat(np.array(x), 2)[::2],
    "masked array, nothing masked": np.ma.array,
    "polars": pl.Series,
    "pyarrow": pa.array,
    "pyarrow chunks": lambda x: pa.chunked_array([x[:2], x[2:]]),
    "pyarrow dictionary": lambda x: pa.array(x).dictionary_encode(),
}
OF_INTEGERS = {
    "array": lambda x: array.array("i", x),
    "memoryview": lambda x: memoryview(array.array("q", x)),
    "list of NumPy scalars": lambda x: list(np.array(x)),
    "list of torch scalars": lambda x: list(torch.tensor(x)),
    **{f"pandas {t}": lambda x, t=t: pd.Series(x, dtype=t) for t in ("uint8", "Int64", "UInt8", "float32", "Float64")},
    **{
        f"pandas {t}": lambda x, t=t: pd.Series(x, dtype=t)
        for t in ("int64[pyarrow]", "double[pyarrow]", "Sparse[int]")
    },
    "pandas array": lambda x: pd.array(x, dtype="Int32"),
    "nullable Index": lambda x: pd.Index(x, dtype="Int64"),
    **{f"polars {t}": lambda x, t=t: pl.Series(x, dtype=t) for t in (pl.Int8, pl.UInt64, pl.Int128, pl.Float32)},
    "polars decimals": lambda x: pl.Series(x, dtype=pl.Decimal(10, 2)),
    "polars objects": lambda x: pl.Series(x, dtype=pl.Object),
}
OF_STRINGS = {
    "NumPy U": np.array,
    "NumPy StringDType": lambda x: np.array(x, dtype=np.dtypes.StringDType()),
    **{f"pandas {t}": lambda x, t=t: pd.Series(x, dtype=t) for t in ("string", "string[pyarrow]", "str")},
    "polars Categorical": lambda x: pl.Series(x, dtype=pl.Categorical),
    "polars Enum": lambda x: pl.Series(x, dtype=pl.Enum(["", "a", "b", "cc", "unused"])),
}


@pytest.mark.parametrize("hold", (HOLDERS | OF_INTEGERS).values(), ids=(HOLDERS | OF_INTEGERS).keys())
def test_integers_in_any_vector(hold):
    check_labels(hold(INTEGERS), OTHER, INTEGERS, OTHER)
    check_labels(hold(INTEGERS), hold(OTHER), INTEGERS, OTHER)
    check_labels(hold(INTEGERS[:1]), hold(OTHER[:1]), INTEGERS[:1], OTHER[:1])


@pytest.mark.parametrize("hold", (HOLDERS | OF_STRINGS).values(), ids=(HOLDERS | OF_STRINGS).keys())
def test_strings_in_any_vector(hold):
    check_labels(hold(STRINGS), OTHER, STRINGS, OTHER)
    check_labels(hold(STRINGS), hold(STRINGS[::-1]), STRINGS, STRINGS[::-1])


BOOLEANS = [True, False, False, True, True, True, False]
OF_BOOLEANS = {
    name: HOLDERS[name] for name in ("list", "Series", "Series of objects", "Index", "Categorical", "polars", "pyarrow")
} | {
    "NumPy": np.array,
    **{f"pandas {t}": lambda x, t=t: pd.Series(x, dtype=t) for t in ("boolean", "bool[pyarrow]")},
}


@pytest.mark.parametrize("hold", OF_BOOLEANS.values(), ids=OF_BOOLEANS.keys())
def test_booleans_in_any_vector(hold):
    check_labels(hold(BOOLEANS), OTHER, BOOLEANS, OTHER)


def test_bytes():
    labels = [b"b", b"a", b"b", b"cc", b"a", b"", b"b"]
    for held in (labels, np.array(labels), pl.Series(labels)):
        check_labels(held, OTHER, labels, OTHER)


def test_ranges_and_generators():
    check_labels(range(3, 10), OTHER, list(range(3, 10)), OTHER)
    check(Contingency.from_labels((x for x in INTEGERS), dict(enumerate(OTHER)).values()), INTEGERS, OTHER)


def by_type(labels):
    return sorted(labels, key=lambda x: (type(x).__name__, x))


@pytest.mark.parametrize("hold", [list, pd.Series, pd.Categorical, lambda x: np.array(x, dtype=object)])
def test_labels_of_several_types_stay_apart(hold):
    labels = [10, "1", 9, 1, "a", "1", "10"]
    order = (lambda _: list(pd.Categorical(labels).categories)) if hold is pd.Categorical else by_type
    table = Contingency.from_labels(hold(labels), [0] * 7)
    assert values(table.classes) == order(set(labels))
    assert cells_of(table) == pairs_of(labels, [0] * 7)


def test_text_and_bytes_stay_apart():
    assert cells_of(Contingency.from_labels(["a", b"a", "a"], [0, 0, 0])) == {("a", 0): 2, (b"a", 0): 1}


def test_labels_that_have_no_order():
    class Plain:
        pass

    first, second = Plain(), Plain()
    labels = [first, second, first, 2]
    assert cells_of(Contingency.from_labels(labels, [0, 0, 1, 1])) == pairs_of(labels, [0, 0, 1, 1])


def test_tuples_and_intervals_are_labels():
    labels = [(1, 2), (1, 3), (1, 2)]
    for held in (pd.Series(labels), pd.MultiIndex.from_tuples(labels), np.fromiter(labels, dtype=object)):
        check(Contingency.from_labels(held, [0, 0, 1]), labels, [0, 0, 1])
    binned = pd.cut(pd.Series([0.1, 0.9, 0.2]), 2)
    check(Contingency.from_labels(binned, [0, 0, 1]), list(binned), [0, 0, 1])


def test_categories_may_be_continuous_as_somebody_named_them():
    resolutions = pd.Categorical([0.5, 1.5, 0.5])
    table = Contingency.from_labels(resolutions, [0, 1, 1])
    check(table, [0.5, 1.5, 0.5], [0, 1, 1])
    check(table + table, [0.5, 1.5, 0.5] * 2, [0, 1, 1] * 2)
    check(Contingency.from_labels(resolutions, [0, 1, 1], ignore_labels=0.5), [1.5], [1])


def test_categories_keep_their_order():
    held = pd.Categorical(["low", "high", "low"], categories=["low", "mid", "high"], ordered=True)
    assert values(Contingency.from_labels(held, [0, 0, 0]).classes) == ["low", "high"]
    held = pl.Series(["low", "high", "low"], dtype=pl.Enum(["low", "mid", "high"]))
    assert values(Contingency.from_labels(held, [0, 0, 0]).classes) == ["low", "high"]
    held = pa.array(["low", "high", "low"]).dictionary_encode().to_pandas()
    assert values(Contingency.from_labels(held, [0, 0, 0]).classes) == ["low", "high"]


def test_the_codes_of_a_categorical_are_used_as_they_are(monkeypatch):
    def refuse(*_args, **_options):
        raise AssertionError("the labels themselves were looked at")

    held = pd.Categorical(STRINGS)
    for name in ("pandas.factorize", "pandas.Categorical.__array__", "gpuval.inputs.labels.factorized"):
        monkeypatch.setattr(name, refuse)
    for labels in (held, pd.Series(held), pd.CategoricalIndex(held)):
        data = read_labels(labels, "labels").data
        assert data.dtype == np.int8
        assert np.shares_memory(data, held.codes) or not isinstance(labels, pd.Categorical)
        assert gpuval.adjusted_rand_score(labels, labels) == 1.0
    with pytest.raises(AssertionError, match="looked at"):
        read_labels(np.array(STRINGS), "labels")


# Arrays of every library

DTYPES = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64", "bool")


def fits(backend, dtype):
    size = np.dtype(dtype).itemsize
    return size < 8 or (backend.has_float64 if dtype == "float64" else backend.has_int64)


def test_every_dtype(backend):
    size = {} if backend.finds_sizes else {"n_classes": 8, "n_clusters": 8}
    for dtype in filter(lambda x: fits(backend, x), DTYPES):
        true, pred = (np.array(x, dtype=dtype) for x in (INTEGERS, OTHER))
        for options in (size, {"n_classes": 8, "n_clusters": 8}):
            table = Contingency.from_labels(backend.of(true), backend.of(pred), **options)
            check(table, true.tolist(), pred.tolist())
            assert type(table.counts) is type(backend.of(true))
            assert backend_of(table.counts).device(table.counts) == backend_of(backend.of(true)).device(
                backend.of(true)
            )


def test_two_dtypes_at_once(backend):
    size = {} if backend.finds_sizes else {"n_classes": 8, "n_clusters": 8}
    true, pred = backend.of(np.array(INTEGERS, np.uint8)), backend.of(np.array(OTHER, np.float32))
    check(Contingency.from_labels(true, pred, **size), INTEGERS, OTHER)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision(dtype):
    for held in (torch.tensor(INTEGERS).to(getattr(torch, dtype)), jnp.asarray(INTEGERS).astype(dtype)):
        check(Contingency.from_labels(held, held), INTEGERS, INTEGERS)
    check(Contingency.from_labels(np.array(INTEGERS, np.float16), INTEGERS), INTEGERS, INTEGERS)


@pytest.mark.parametrize("name", ["numpy", "strict", "torch", "jax-x64", "jax", "strict-no-float64"])
@pytest.mark.parametrize(
    "labels",
    [
        [-3, -1, -3, -2, -1, -3],
        [-128, 127, 0, -128, 127, 5],
        [1000, 5, 1000, 999_999, 5, 5],
        [-(2**31), 2**31 - 1, 7, -(2**31), 7, 0],
        [-(2**63), 2**63 - 1, 7, -(2**63), 7, 0],
        [2**63 - 1, 2**63 - 3, 2**63 - 1, 2**63 - 2, 2**63 - 2, 2**63 - 2],
        [-(2**63), -(2**63) + 2, -(2**63) + 1, -(2**63), -(2**63), -(2**63)],
        [0, 2**64 - 1, 2**63, 2**63 - 1, 2**64 - 1, 0],
        [2**64 - 1, 2**64 - 3, 2**64 - 2, 2**64 - 1, 2**64 - 1, 2**64 - 1],
        [2**32 - 1, 2**31, 2**32 - 2, 2**32 - 1, 2**31, 2**31],
    ],
    ids=str,
)
def test_any_values(name, labels):
    backend = BACKENDS[name]
    other = [0, 0, 1, 1, 2, 2]
    with backend.mode():
        dtypes = [x for x in DTYPES[:8] if np.iinfo(x).min <= min(labels) and max(labels) <= np.iinfo(x).max]
        for dtype in filter(lambda x: fits(backend, x) and (name, x) != ("torch", "uint64"), dtypes):
            held, beside = backend.of(np.array(labels, dtype)), backend.of(np.array(other))
            check_labels(held, beside, labels, other)
            for layout in (None, *LAYOUTS):
                check(Contingency.from_labels(held, held, layout=layout), labels, labels)
            left = Contingency.from_labels(held, beside, ignore_labels=labels[0])
            assert int(backend.numpy(left.total)) == sum(
                labels[0] not in pair for pair in zip(labels, other, strict=True)
            )


def test_unsigned_labels_of_torch_below_2_to_the_63():
    labels = [2**63 - 1, 0, 2**63 - 1, 5, 5, 0, 1]
    check_labels(torch.tensor(labels, dtype=torch.uint64), torch.tensor(OTHER), labels, OTHER)


def test_integers_in_lists_are_not_rounded():
    labels = [2**63 + 1, 2**63, -1, 2**63, 2**70, 2**70 + 1, True]
    assert np.asarray(labels[:3]).dtype == float
    check_labels(labels, OTHER, labels, OTHER)
    check_labels(labels[:3], OTHER[:3], labels[:3], OTHER[:3])


def test_no_samples(backend):
    for held in (np.array([], np.int32), np.array([], np.float32), np.array([], bool)):
        for options in ({}, {"n_classes": 2, "n_clusters": 2}):
            table = Contingency.from_labels(backend.of(held), backend.of(held), **options)
            assert to_host(table.total) == to_host(table.n_classes) == to_host(table.n_clusters) == 0


@pytest.mark.parametrize("hold", [list, tuple, np.array, pd.Series, pl.Series, pd.Categorical, pa.array])
def test_no_samples_on_the_host(hold):
    for layout in (None, *LAYOUTS):
        check(Contingency.from_labels(hold([]), hold([]), layout=layout), [], [])
    check(Contingency.from_labels(np.array([], "U3"), np.array([], object)), [], [])


class Cell(str, enum.Enum):  # noqa: UP042 - as much code has it: str() of it is not its text
    A = "aaa1"
    B = "aaa2"


class Name(str):
    """Text of a type of its own."""


class Raw(bytes):
    """Bytes of a type of their own."""


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 7


class Plain(enum.Enum):
    A = 1
    B = 2


@pytest.mark.parametrize(
    "labels",
    [
        [Cell.A, Cell.B, Cell.A],
        ["aaa1", Cell.B, Cell.A],
        [Name("a"), Name("b"), Name("a")],
        [Name("a"), "a", "b"],
        [Raw(b"a"), Raw(b"a\0"), b"a"],
        [np.str_("a"), "b", np.str_("b")],
        [np.bytes_(b"a"), b"b", b"a"],
        [Level.LOW, Level.HIGH, 7],
        [np.int8(3), np.uint64(3), True],
        [1, Level.LOW, 2**70],
        ["a", "a\0", "a\0\0"],
        ["", "\0", ""],
        [b"a", b"a\0", b"a"],
        ["\ud800", "'\\ud800'", "a"],
        ["e\u0301", "\u00e9", "e"],
        ["a" * 70, "a" * 71, "a" * 70 + "\0"],
        [Decimal(1), Fraction(1), 2],
    ],
    ids=repr,
)
@pytest.mark.parametrize("hold", [list, tuple, lambda x: np.fromiter(x, object), lambda x: pd.Series(x, dtype=object)])
def test_labels_are_what_python_tells_apart(labels, hold):
    other = [50, 50, 51]
    check(Contingency.from_labels(hold(labels), other), labels, other)
    rest = [(x, y) for x, y in zip(labels, other, strict=True) if x != labels[0]]
    table = Contingency.from_labels(hold(labels), other, ignore_labels=[labels[0]])
    check(table, [x for x, _ in rest], [y for _, y in rest])


def test_members_of_an_enumeration_are_labels():
    labels = [Plain.A, Plain.B, Plain.A]
    for hold in (list, pd.Series, pd.Categorical, lambda x: np.array(x, dtype=object)):
        table = Contingency.from_labels(hold(labels), [0, 0, 1])
        assert cells_of(table) == pairs_of(labels, [0, 0, 1])
    assert gpuval.adjusted_rand_score([Cell.A, Cell.B, Cell.A, Cell.B], [0, 1, 0, 1]) == 1
    held = pd.Categorical.from_codes([0, 1, 0], categories=pd.Index([Cell.A, Cell.B], dtype=object))
    check(Contingency.from_labels(held, [0, 0, 1]), [Cell.A, Cell.B, Cell.A], [0, 0, 1])


def test_text_that_pandas_takes_for_one_label():
    labels = ["a", "a\0", "b", "a"]
    assert len(pd.factorize(pd.Series(labels, dtype=object))[1]) == 2
    for dtype in ("str", "string[python]", "string[pyarrow]", object):
        check(Contingency.from_labels(pd.Series(labels, dtype=dtype), [0, 0, 1, 1]), labels, [0, 0, 1, 1])
        missing = pd.Series([*labels, None], dtype=dtype)
        table = Contingency.from_labels(missing, [0, 0, 1, 1, 1], ignore_labels=None if dtype is None else [None])
        check(table, labels, [0, 0, 1, 1])
    held = pd.Categorical.from_codes([0, 1], categories=pd.Index(["a", "b"]))
    assert cells_of(Contingency.from_labels(held, ["a", "a\0"])) == {("a", "a"): 1, ("b", "a\0"): 1}


@pytest.mark.parametrize("labels", [["x" * 20_000, *["a", "b"] * 2000], [None, "x" * 20_000, *["a", "b"] * 2000]])
def test_one_long_label_does_not_make_the_others_long(labels):
    tracemalloc.start()
    try:
        table = Contingency.from_labels(labels, [0] * len(labels), ignore_labels=[None])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5e6, f"{peak / 1e6:.0f} MB"
    assert cells_of(table) == {("x" * 20_000, 0): 1, ("a", 0): 2000, ("b", 0): 2000}
    different = [f"{i}" for i in range(4000)] + ["x" * 20_000]
    tracemalloc.start()
    try:
        Contingency.from_labels(different, [0] * len(different))
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 5e6, f"{peak / 1e6:.0f} MB"


def test_tensors_among_other_objects_are_no_labels():
    """Their hash is their place in memory: equal ones would be two labels."""
    for held in ([torch.tensor(1), None, torch.tensor(1)], [torch.tensor(1), "a", "a"]):
        for labels in (held, np.fromiter(held, object)):
            with pytest.raises(TypeError, match=r"labels_true must hold hashable labels, got tensor\(1\)"):
                Contingency.from_labels(labels, [0, 0, 1], ignore_labels=[None])


# Subclasses


class OfPandas(pd.Series):
    @property
    def _constructor(self):
        return OfPandas


class OfMasked(np.ma.MaskedArray):
    pass


class OfNumPy(np.ndarray):
    pass


class OfPolars(pl.Series):
    pass


class OfTorch(torch.Tensor):
    pass


class OfDask(da.Array):
    pass


class OfList(list):
    pass


def of_dask(x):
    whole = da.from_array(np.array(x), chunks=3)
    return OfDask(whole.dask, whole.name, whole.chunks, dtype=whole.dtype)


SUBCLASSES = {
    "pandas": OfPandas,
    "polars": OfPolars,
    "NumPy": lambda x: np.array(x).view(OfNumPy),
    "masked": lambda x: OfMasked(x, mask=[False] * len(x)),
    "torch": lambda x: torch.tensor(x).as_subclass(OfTorch),
    "parameter": lambda x: torch.nn.Parameter(torch.tensor(x), requires_grad=False),
    "Dask": of_dask,
    "list": OfList,
}


@pytest.mark.parametrize("hold", SUBCLASSES.values(), ids=SUBCLASSES.keys())
def test_subclasses_are_what_they_are_made_from(hold):
    table = Contingency.from_labels(hold(INTEGERS), hold(OTHER))
    assert cells_of(table.compact()) == pairs_of(INTEGERS, OTHER)
    weighted = Contingency.from_labels(hold(INTEGERS), hold(OTHER), sample_weight=hold(OTHER))
    assert cells_of(weighted.compact()) == pairs_of(INTEGERS, OTHER, OTHER)


def test_subclasses_keep_their_index_their_mask_and_their_nulls():
    first, second = OfPandas([0, 0, 1], index=list("abc")), OfPandas([0, 1, 1], index=list("acb"))
    for one, other in ((first, second), (first, pd.Series(second)), (pd.Series(first), second)):
        with pytest.raises(ValueError, match="must have the same index, got 'b' and 'c' at position 1"):
            gpuval.rand_score(one, other)
    held = OfMasked([0, 0, 1, 1], mask=[True, False, False, False])
    with pytest.raises(ValueError, match=r"labels_true must not have missing labels .* got 1 of 4"):
        gpuval.rand_score(held, [0, 0, 1, 1])
    check(Contingency.from_labels(held, [5, 6, 7, 8], ignore_labels=[None]), [0, 1, 1], [6, 7, 8])
    check(Contingency.from_labels(OfPolars([0, None, 1]), [5, 6, 7], ignore_labels=[None]), [0, 1], [5, 7])


def test_masked_weights():
    for kind in (np.ma.MaskedArray, OfMasked):
        weights = kind([1.0, 2.0, 0.5], mask=[False] * 3)
        check(
            Contingency.from_labels([0, 0, 1], [0, 1, 1], sample_weight=weights), [0, 0, 1], [0, 1, 1], [1.0, 2.0, 0.5]
        )
        masked = kind([1, 2, 3], mask=[False, True, True])
        message = r"sample_weight must not have masked values, got 2 of 3; sample_weight.filled\(0\) leaves those"
        with pytest.raises(ValueError, match=message):
            Contingency.from_labels([0, 0, 1], [0, 1, 1], sample_weight=masked)
        check(Contingency.from_labels([0, 0, 1], [0, 1, 1], sample_weight=masked.filled(0)), [0], [0], [1])


def test_masked_times_are_no_labels():
    held = np.ma.array(np.array(DAYS, "datetime64[ns]"), mask=[True, False, False, False, False])
    with pytest.raises(
        TypeError, match=r"must hold integers, booleans, strings or objects, got dtype datetime64\[ns\]"
    ):
        Contingency.from_labels(held, [0] * 5, ignore_labels=[None])


# What goes together


def test_series_with_an_index():
    first, second = pd.Series(INTEGERS, index=list("abcdefg")), pd.Series(OTHER, index=list("abcdefg"))
    check(Contingency.from_labels(first, second), INTEGERS, OTHER)
    check(Contingency.from_labels(first, np.array(OTHER)), INTEGERS, OTHER)
    check(Contingency.from_labels(first, pl.Series(OTHER)), INTEGERS, OTHER)
    check(Contingency.from_labels(first, OTHER, sample_weight=second), INTEGERS, OTHER, OTHER)
    missing = pd.Index([1.0, np.nan, 2.0, 3.0, 4.0, 5.0, 6.0])
    check(Contingency.from_labels(first.set_axis(missing), second.set_axis(missing.copy())), INTEGERS, OTHER)


# Labels to ignore


def kept(labels_true, labels_pred, ignore, weights=None):
    """The samples without an ignored label, dropped by hand."""
    weights = weights or [1] * len(labels_true)
    rows = [
        row
        for row in zip(labels_true, labels_pred, weights, strict=True)
        if not any(x is None or x != x or x is pd.NA if y is None else x == y for x in row[:2] for y in ignore)
    ]
    return tuple(map(list, zip(*rows, strict=True))) if rows else ([], [], [])


HOLES = [-1, 1, 3, -1, 1, 300, 3]
EDGES = [2, -2, 2, 0, 5, 5, -2]


@pytest.mark.parametrize(
    ("ignore", "meant"),
    [
        (-1, [-1]),
        ([-1, -2], [-1, -2]),
        ((3, 5), [3, 5]),
        ({-1, 300}, [-1, 300]),
        (np.int8(-1), [-1]),
        (np.array([-1, 5]), [-1, 5]),
        (np.array(-1), [-1]),
        (torch.tensor([-1, 5]), [-1, 5]),
        ([torch.tensor(-1)], [-1]),
        (-1.0, [-1]),
        (True, [1]),
        (0.5, []),
        (None, []),
        ([None], []),
        ([float("nan"), 10**400, -(2**70), 2**64, float("inf"), 1j, Decimal("inf"), Fraction(1, 3)], []),
        ([Decimal("NaN"), Decimal("1e99999"), Fraction(10**400), np.longdouble("1e400"), np.bool_(False)], [0]),
        ([], []),
        ([Decimal(-1), Fraction(10, 2), 300 + 0j, np.float32(-2), np.longdouble(0)], [-1, 5, 300, -2, 0]),
        ([-1, -2, 0, 1, 5, 300], [-1, -2, 0, 1, 5, 300]),
    ],
)
@pytest.mark.parametrize("name", ["numpy", "strict", "torch", "jax"])
def test_ignored_labels(name, ignore, meant):
    backend = BACKENDS[name]
    with backend.mode():
        true, pred = (backend.of(np.array(x, np.int32)) for x in (HOLES, EDGES))
        a, b, _ = kept(HOLES, EDGES, meant)
        for layout in (None, *LAYOUTS):
            check(Contingency.from_labels(true, pred, ignore_labels=ignore, layout=layout), a, b)
        weights = [1, 2, 3, 4, 5, 6, 7]
        a, b, w = kept(HOLES, EDGES, meant, weights)
        held = backend.of(np.array(weights, np.int32))
        check(Contingency.from_labels(true, pred, ignore_labels=ignore, sample_weight=held), a, b, w)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "uint64", "bool", "float16", "float32"])
def test_a_label_that_the_dtype_does_not_have_is_not_there(dtype):
    """It is a number that others of the kind could be; what is no number is a slip."""
    labels = np.array([0, 1, 1, 0]).astype(dtype)
    expected = labels.tolist()
    for held in (labels, torch.from_numpy(labels)):
        for ignore in (-1, 255 if dtype == "int8" else 256, 70_000, 2**64, 1e300, 10**400, Decimal("1e400"), 0.5, -0.5):
            check(Contingency.from_labels(held, held, ignore_labels=ignore), expected, expected)


OF_ONE_KIND = {
    int: {
        "list": [0, 1, 1],
        "NumPy": np.array([0, 1, 1]),
        "NumPy floats": np.array([0.0, 1.0, 1.0]),
        "NumPy booleans": np.array([False, True, True]),
        "torch": torch.tensor([0, 1, 1]),
        "JAX": jnp.asarray([0, 1, 1]),
        "pandas": pd.Series([0, 1, 1]),
        "pandas Int64": pd.Series([0, 1, 1], dtype="Int64"),
        "Categorical": pd.Categorical([0, 1, 1]),
        "polars": pl.Series([0, 1, 1]),
        "Dask": da.from_array(np.array([0, 1, 1]), chunks=2),
    },
    str: {
        "list": ["0", "1", "1"],
        "long list": ["0", "1" * 1000, "1" * 1000],
        "NumPy": np.array(["0", "1", "1"]),
        "pandas": pd.Series(["0", "1", "1"], dtype="string"),
        "Categorical": pd.Categorical(["0", "1", "1"]),
        "polars": pl.Series(["0", "1", "1"]),
    },
    bytes: {"list": [b"0", b"1", b"1"], "NumPy": np.array([b"0", b"1", b"1"])},
}
SLIPS = [0, Decimal(0), np.int8(0), "0", np.str_("0"), b"0", dt.date(2020, 1, 1), np.timedelta64(0, "ns")]


@pytest.mark.parametrize(
    ("kind", "labels"),
    [
        pytest.param(kind, x, id=f"{kind.__name__} {name}")
        for kind, held in OF_ONE_KIND.items()
        for name, x in held.items()
    ],
)
def test_labels_to_ignore_of_a_type_that_no_vector_could_hold_are_a_slip(kind, labels):
    for ignore in SLIPS:
        is_number = isinstance(ignore, int | Decimal | np.int8)
        if isinstance(ignore, kind) or (kind is int and is_number):
            for given in (ignore, [ignore], (ignore, None)):
                assert Contingency.from_labels(labels, labels, ignore_labels=given).total == 2
            continue
        what = rf"could hold, got {re.escape(repr(ignore))} of type {type(ignore).__name__}; their labels are "
        for given in (ignore, [None, ignore]):
            with pytest.raises(
                TypeError, match=f"ignore_labels must be of a type that labels_true or labels_pred {what}"
            ):
                gpuval.adjusted_rand_score(labels, labels, ignore_labels=given)
        with pytest.raises(TypeError, match=f"ignore_labels must be of a type that labels {what}"):
            gpuval.entropy(labels, ignore_labels=ignore)
        if is_dask(labels):
            continue
        with pytest.raises(TypeError, match=rf"of a type that labels_true or labelings\['x'\] {what}"):
            gpuval.compare(labels, {"x": labels}, ignore_labels=ignore)
        with pytest.raises(TypeError, match=rf"labelings\[0\] or labelings\[1\] or the others {what}"):
            gpuval.pairwise([labels] * 3, ignore_labels=ignore)


def test_labels_to_ignore_may_be_of_every_type_that_one_of_the_vectors_could_hold():
    numbers, text, mixed = [0, 1, -1], ["a", "noise", "b"], np.array(["a", "b", "c"], dtype=object)
    ignore = [-1, "noise", None]
    check(Contingency.from_labels(numbers, text, ignore_labels=ignore), [0], ["a"])
    check(Contingency.from_labels(numbers, mixed, ignore_labels=ignore), [0, 1], ["a", "b"])
    check(Contingency.from_labels(mixed, mixed, ignore_labels=[0, b"0"]), list("abc"), list("abc"))
    gpuval.compare(numbers, {"numbers": numbers, "text": text}, "rand_score", ignore_labels=ignore)
    for nothing in ([], np.array([], dtype=np.int64), pd.Series([], dtype="Int64")):
        assert Contingency.from_labels(nothing, nothing, ignore_labels=["noise", None]).total == 0


def test_ignored_floats():
    labels = [0.5, 1.0, math.nan, 2.0, math.inf, 1.0, -0.25]
    for held in (np.array(labels), torch.tensor(labels), jnp.asarray(labels), pd.Series(labels), labels):
        table = Contingency.from_labels(held, held, ignore_labels=[0.5, math.nan, math.inf, -0.25])
        check(table, [1, 2, 1], [1, 2, 1])


MISSING = {
    "list": lambda x: x,
    "NumPy objects": lambda x: np.array(x, dtype=object),
    "object Series": lambda x: pd.Series(x, dtype=object),
    "Categorical": pd.Categorical,
    "polars": pl.Series,
    "pyarrow": pa.array,
    "NA": lambda x: [pd.NA if y is None else y for y in x],
    "NaT": lambda x: [pd.NaT if y is None else y for y in x],
    "NaN": lambda x: np.array([math.nan if y is None else y for y in x], dtype=object),
    "masked": lambda x: np.ma.array([x[0] if y is None else y for y in x], mask=[y is None for y in x]),
}
MISSING_INTEGERS = MISSING | {
    **{f"pandas {t}": lambda x, t=t: pd.Series(x, dtype=t) for t in ("Int64", "Float64", "float", "int64[pyarrow]")},
    "polars floats": lambda x: pl.Series(x, dtype=pl.Float64),
    "nullable Index": lambda x: pd.Index(x, dtype="Int64"),
}
MISSING_STRINGS = MISSING | {
    **{f"pandas {t}": lambda x, t=t: pd.Series(x, dtype=t) for t in ("string", "string[pyarrow]", "str")},
    "polars Categorical": lambda x: pl.Series(x, dtype=pl.Categorical),
    "polars Enum": lambda x: pl.Series(x, dtype=pl.Enum(["a", "b", "unused"])),
}
MISSING_BOOLEANS = {name: MISSING[name] for name in ("list", "object Series", "Categorical", "polars", "pyarrow")} | {
    f"pandas {t}": lambda x, t=t: pd.Series(x, dtype=t) for t in ("boolean", "bool[pyarrow]")
}


@pytest.mark.parametrize(
    ("labels", "hold"),
    [
        pytest.param(labels, hold, id=f"{type(labels[0]).__name__} {name}")
        for labels, holders in (
            ([1, None, 2, 1, None], MISSING_INTEGERS),
            (["a", None, "b", "a", None], MISSING_STRINGS),
            ([True, None, False, True, None], MISSING_BOOLEANS),
        )
        for name, hold in holders.items()
    ],
)
def test_missing_labels(labels, hold):
    other = [0, 1, 1, 2, 2]
    with pytest.raises(ValueError, match=r"labels_true must not have missing labels .*got 2 of 5"):
        Contingency.from_labels(hold(labels), other)
    with pytest.raises(ValueError, match="labels_pred must not have missing labels"):
        Contingency.from_labels(other, hold(labels), ignore_labels=[7])
    a, b, w = kept(labels, other, [None], [5, 4, 3, 2, 1])
    for ignore in ([None], math.nan, pd.NA, [pd.NaT], [None, -1]):
        check(Contingency.from_labels(hold(labels), other, ignore_labels=ignore), a, b)
        check(Contingency.from_labels(other, hold(labels), ignore_labels=ignore), b, a)
    options = {"ignore_labels": [None], "sample_weight": [5, 4, 3, 2, 1]}
    check(Contingency.from_labels(hold(labels), other, **options), a, b, w)


@pytest.mark.parametrize("hold", (HOLDERS | OF_STRINGS).values(), ids=(HOLDERS | OF_STRINGS).keys())
def test_ignored_strings(hold):
    for ignore, meant in (("cc", ["cc"]), (["", "b"], ["", "b"]), ("unknown", []), (np.array(["a"]), ["a"])):
        a, b, _ = kept(STRINGS, STRINGS[::-1], meant)
        check(Contingency.from_labels(hold(STRINGS), hold(STRINGS[::-1]), ignore_labels=ignore), a, b)


DAYS = ["2020-01-01", "2020-01-02", "2020-01-03", "2020-01-02", "2020-01-01"]
OF_TIMES = {
    "days": pd.to_datetime(DAYS),
    "seconds": pd.to_datetime(DAYS).as_unit("s"),
    "of a zone": pd.to_datetime(DAYS).tz_localize("Europe/Paris"),
    "durations": pd.to_timedelta([1, 2, 3, 2, 1], unit="D"),
    "periods": pd.PeriodIndex(DAYS, freq="D"),
    "intervals": pd.IntervalIndex.from_tuples([(0, 1), (1, 2), (2, 3), (1, 2), (0, 1)]),
    "floats": pd.Index([5.0, 7.0, 9.0, 7.0, 5.0]),
    "nullable integers": pd.Index([5, 7, 9, 7, 5], dtype="Int64"),
}


@pytest.mark.parametrize("labels", OF_TIMES.values(), ids=OF_TIMES.keys())
@pytest.mark.parametrize("hold", [pd.Categorical, lambda x: pd.Series(pd.Categorical(x)), lambda x: x.astype(object)])
def test_ignored_categories_of_any_kind(labels, hold):
    plain = list(labels)
    first, second = plain[0], plain[1]
    check(Contingency.from_labels(hold(labels), [0, 1, 1, 0, 0]), plain, [0, 1, 1, 0, 0])
    for ignore in (first, [first], labels[:1], np.asarray(labels[:1]), np.asarray(labels)[0], [np.asarray(labels)[0]]):
        table = Contingency.from_labels(hold(labels), [0, 1, 1, 0, 0], ignore_labels=ignore)
        check(table, plain[1:4], [1, 1, 0])
    both = Contingency.from_labels(hold(labels), hold(labels), ignore_labels=[first, second, None])
    check(both, plain[2:3], plain[2:3])


def test_ignored_times_of_several_libraries():
    held = pd.Categorical([*pd.to_datetime(DAYS), None])
    for ignore in (
        dt.datetime(2020, 1, 1),
        np.datetime64("2020-01-01"),
        np.datetime64("2020-01-01", "ns"),
        np.array("2020-01-01", "datetime64[D]"),
        np.array(["2020-01-01"], "datetime64[us]"),
        [np.array("2020-01-01", "datetime64[ns]")],
    ):
        missing = [*ignore, None] if isinstance(ignore, list | np.ndarray) and np.ndim(ignore) else [ignore, None]
        table = Contingency.from_labels(held, [0, 1, 1, 0, 0, 0], ignore_labels=missing)
        check(table, pd.to_datetime(DAYS[1:4]).tolist(), [1, 1, 0])
    days = pd.Categorical(pd.to_timedelta([1, 2, 2], unit="D"))
    for ignore in (dt.timedelta(1), np.timedelta64(1, "D"), np.timedelta64(24, "h"), pd.Timedelta("1D")):
        check(Contingency.from_labels(days, [0, 1, 1], ignore_labels=ignore), [pd.Timedelta("2D")] * 2, [1, 1])


def test_integers_with_holes_fit_a_given_size():
    a, b = [1, 0, 1], [0, 1, 1]
    for held in (pd.array([1, None, 0, 1], dtype="Int64"), [1, None, 0, 1], pd.Categorical([1, None, 0, 1])):
        table = Contingency.from_labels(held, [0, 0, 1, 1], ignore_labels=[None], n_classes=3, n_clusters=2)
        assert table.to_array().shape == (3, 2)
        check(table, a, b)


LABELINGS = {
    "integers": np.array([0, 0, 1, 1, 2, 2, -1]),
    "strings": np.array(list("aabbcc?")),
    "categories": pd.Categorical(["x", "y", None, "x", "y", "z", "x"]),
    "far apart": np.array([10**12, 10**12, 10**12 + 1, -1, 5, 5, 5]),
    "floats": np.array([0.0, 0.0, 1.0, math.nan, 1.0, -1.0, 3.0]),
    "booleans": np.array([True, False, True, True, False, False, True]),
}
IGNORED = [-1, None, "?"]
NOTHING_LEFT = {"all ignored": np.full(7, -1), "all missing": np.full(7, math.nan)}


def of_pair(options, first, second):
    """The options of one call: a label to ignore of a type that neither vector has would be an error there."""
    if options.get("ignore_labels") is not IGNORED:
        return options
    are_text = [x is LABELINGS["strings"] or x is LABELINGS["categories"] for x in (first, second)]
    return options | {"ignore_labels": [None] + [-1] * (not all(are_text)) + ["?"] * any(are_text)}


SCORES = [
    "adjusted_rand_score",
    "v_measure_score",
    "homogeneity_score",
    "clustering_accuracy",
    "adjusted_mutual_info_score",
]


# Nothing left


NO_SAMPLE = "ignore_labels must leave at least one sample of labels_true and labels_pred, got none left of 4"
NO_WEIGHT = "sample_weight must be above 0 for at least one sample of labels_true and labels_pred"
NOTHING = [
    ({"ignore_labels": [0, 1]}, NO_SAMPLE),
    ({"sample_weight": [0, 0, 0, 0]}, f"{NO_WEIGHT}, got none of 4"),
    ({"sample_weight": [0.0, 0.0, 0.0, 0.0]}, f"{NO_WEIGHT}, got none of 4"),
    ({"ignore_labels": [0, 1], "sample_weight": [1, 2, 3, 4]}, NO_SAMPLE),
    ({"ignore_labels": 0, "sample_weight": [4, 0, 0, 4]}, f"{NO_WEIGHT} that ignore_labels leaves, got none of 4"),
]


@pytest.mark.parametrize(("options", "message"), NOTHING)
def test_nothing_left_is_an_error_or_not_a_number(options, message, backend):
    """An error where values are looked at; with both sizes given, on a device, the score is NaN."""
    labels = backend.array([0, 1, 1, 0])
    if "sample_weight" in options:
        options = options | {"sample_weight": backend.array(options["sample_weight"])}
    sizes = {"n_classes": 2, "n_clusters": 2}
    given = [sizes] if not backend.finds_sizes else [{}, sizes]
    for size in given:
        if size and backend.name != "numpy":
            table = Contingency.from_labels(labels, labels, **options, **size)
            assert (int(backend.numpy(table.given)), int(backend.numpy(table.total))) == (4, 0)
            assert math.isnan(backend.numpy(gpuval.adjusted_rand_score(table)))
            assert math.isnan(backend.numpy(gpuval.adjusted_rand_score(labels, labels, **options, **size)))
            alone = {name: x for name, x in size.items() if name == "n_classes"}
            assert math.isnan(backend.numpy(gpuval.entropy(labels, **options, **alone)))
            found = gpuval.compare(labels, [labels], "rand_score", **options, **size)
            assert math.isnan(backend.numpy(found[0]["rand_score"]))
            continue
        for layout in (None, *LAYOUTS) if backend.lists_cells else (None,):
            with pytest.raises(ValueError, match=message):
                Contingency.from_labels(labels, labels, layout=layout, **options, **size)
        of_one = message.replace("labels_true and labels_pred", "labels")
        with pytest.raises(ValueError, match=of_one):
            gpuval.entropy(labels, **options, **({"n_classes": 2} if size else {}))
        for function in (
            gpuval.contingency_matrix,
            gpuval.cohen_kappa_score,
            gpuval.evaluate,
            gpuval.clustering_accuracy,
        ):
            with pytest.raises(ValueError, match=message):
                function(labels, labels, **options, **size)
        of_two = message.replace("labels_true and labels_pred", r"labels_true and labelings\['x'\]")
        with pytest.raises(ValueError, match=of_two):
            gpuval.compare(labels, {"x": labels}, **options, **size)
        of_pair = message.replace("labels_true and labels_pred", r"labelings\[0\] and labelings\[0\]")
        with pytest.raises(ValueError, match=of_pair):
            gpuval.pairwise([labels, labels], **options)


def test_no_samples_to_begin_with_leave_nothing(backend):
    none, sizes = backend.array(np.zeros(0, np.int64)), {"n_classes": 2, "n_clusters": 2}
    for options in ({"ignore_labels": [0, 1]}, {"sample_weight": none}, {"ignore_labels": 1, "sample_weight": none}):
        for size in [{}, sizes] if backend.finds_sizes else [sizes]:
            assert backend.numpy(gpuval.adjusted_rand_score(none, none, **options, **size)) == 1
            found = gpuval.compare(none, [none], "rand_score", **options, **size)
            assert backend.numpy(found[0]["rand_score"]) == 1


def test_labels_that_leave_nothing_together():
    """Each of them keeps some, and no two the same."""
    first, second, third = [0, 0, 1, 1], [1, 1, 0, 0], [0, 1, 1, 0]
    for hold in (np.array, torch.tensor, list, lambda x: pd.Categorical([None if y == 0 else y for y in x])):
        labelings = {"first": hold(first), "second": hold(second), "third": hold(third)}
        missing = [0, None]
        gpuval.compare(labelings["first"], {"third": labelings["third"]}, "rand_score", ignore_labels=missing)
        with pytest.raises(ValueError, match=r"at least one sample of labels_true and labelings\['second'\]"):
            gpuval.compare(labelings["first"], labelings, "rand_score", ignore_labels=missing)
        with pytest.raises(ValueError, match=r"of labelings\['first'\] and labelings\['second'\]"):
            gpuval.pairwise(labelings, ignore_labels=missing)
        with (
            BACKENDS["torch"].mode(),
            pytest.raises(ValueError, match=r"of labelings\['first'\] and labelings\['second'"),
        ):
            gpuval.pairwise(labelings, ignore_labels=missing)


@pytest.mark.parametrize("truth", NOTHING_LEFT.values(), ids=NOTHING_LEFT.keys())
def test_labelings_of_which_nothing_is_left(truth):
    message = r"ignore_labels must leave at least one sample of labels_true and labelings\["
    for labels in (*LABELINGS.values(), *NOTHING_LEFT.values()):
        for weights in (None, [1, 2, 3, 0, 5, 6, 7]):
            for true, pred in ((truth, labels), (labels, truth)):
                with pytest.raises(ValueError, match=message):
                    gpuval.compare(true, [pred], ignore_labels=[-1, None], sample_weight=weights)


def test_inside_jit_nothing_left_is_not_a_number():
    size = {"n_classes": 2, "n_clusters": 2}
    score = jax.jit(lambda x, w: gpuval.rand_score(x, x, ignore_labels=0, sample_weight=w, **size))
    assert math.isnan(score(jnp.zeros(3, int), jnp.ones(3, int)))
    assert math.isnan(score(jnp.ones(3, int), jnp.zeros(3, int)))
    assert score(jnp.ones(3, int), jnp.ones(3, int)) == 1
    one = jax.jit(lambda x: gpuval.entropy(x, ignore_labels=0, n_classes=2))
    assert math.isnan(one(jnp.zeros(3, int)))
    assert one(jnp.asarray([0, 1])) == 0


def test_blocks_of_dask_may_be_empty_and_all_of_them_not():
    labels = da.from_array(np.array([0, 0, 1, 0]), chunks=2)
    assert gpuval.rand_score(labels, labels, ignore_labels=0) == 1
    assert gpuval.entropy(labels, ignore_labels=0) == 0
    weights = da.from_array(np.zeros(4), chunks=2)
    for options, message in (
        ({"ignore_labels": [0, 1]}, NO_SAMPLE),
        ({"sample_weight": weights}, f"{NO_WEIGHT}, got none of 4"),
        ({"ignore_labels": [0, 1], "n_classes": 2, "n_clusters": 2}, NO_SAMPLE),
    ):
        with pytest.raises(ValueError, match=message):
            gpuval.rand_score(labels, labels, **options)
        with pytest.raises(
            ValueError, match=message.replace("labels_true and labels_pred", r"labels_true and labelings\[0\]")
        ):
            gpuval.compare(labels, [labels], **options)
        options.pop("n_clusters", None)
        with pytest.raises(ValueError, match=message.replace("labels_true and labels_pred", "labels")):
            gpuval.entropy(labels, **options)
    none = da.from_array(np.zeros(0, int), chunks=1)
    assert gpuval.rand_score(none, none, ignore_labels=0) == 1


# Weights

small_labels = st.lists(st.tuples(st.integers(0, 3), st.integers(-2, 1), st.integers(0, 3)), max_size=12)


def assert_same_tables(one, other):
    """Raise unless two tables are the same, bit for bit."""
    for name in ("counts", "class_sizes", "cluster_sizes", "total", "n_classes", "n_clusters"):
        a, b = to_host(getattr(one, name)), to_host(getattr(other, name))
        assert a.dtype == b.dtype
        np.testing.assert_array_equal(a, b)
    assert values(one.classes) == values(other.classes)
    assert values(one.clusters) == values(other.clusters)


@given(small_labels, st.sampled_from([None, *LAYOUTS]), st.sampled_from(["numpy", "torch", "strict"]))
@settings(max_examples=300, deadline=None)
def test_integer_weights_are_repetitions_bit_for_bit(rows, layout, name):
    backend = BACKENDS[name]
    true, pred, weights = (np.array([row[i] for row in rows], dtype=np.int64) for i in range(3))
    repeated = [backend.of(np.repeat(x, weights)) for x in (true, pred)]
    held = [backend.of(x) for x in (true, pred)]
    if len(weights) and not weights.any():
        with pytest.raises(ValueError, match="sample_weight must be above 0 for at least one sample"):
            Contingency.from_labels(*held, sample_weight=backend.of(weights), layout=layout)
        return
    one = Contingency.from_labels(*held, sample_weight=backend.of(weights), layout=layout)
    other = Contingency.from_labels(*repeated, layout=layout)
    assert_same_tables(one.compact().dense(), other.compact().dense())
    for score in ("adjusted_rand_score", "adjusted_mutual_info_score", "v_measure_score", "clustering_accuracy"):
        a, b = (to_host(getattr(gpuval, score)(table.compact())) for table in (one, other))
        assert a == b, score


@pytest.mark.parametrize("layout", LAYOUTS)
def test_weights(layout, backend):
    if layout == "cells" and not backend.lists_cells:
        return
    size = {} if backend.finds_sizes else {"n_classes": 8, "n_clusters": 8}
    true, pred = backend.array(INTEGERS), backend.array(OTHER)
    for weights in (
        [1, 0, 2, 3, 0, 0, 1],
        [0.5, 0.25, 2.0, 0.0, 1.5, 0.0, 8.0],
        [True, False, True, True, False, True, True],
    ):
        held = backend.of(np.array(weights, None if isinstance(weights[0], bool) else np.float32))
        table = Contingency.from_labels(true, pred, sample_weight=held, layout=layout, **size)
        check(table, INTEGERS, OTHER, weights)
        assert table.is_integer == isinstance(weights[0], bool)


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 2), st.just(0.0) | st.floats(1e-60, 1e6)), min_size=1, max_size=20
    ).filter(lambda rows: any(weight for _, _, weight in rows))
)
@settings(max_examples=200, deadline=None)
def test_float_weights_against_fractions(rows):
    true, pred, weights = (list(x) for x in zip(*rows, strict=True))
    exact = pairs_of(true, pred, [Fraction(w) for w in weights])
    for layout in LAYOUTS:
        found = cells_of(Contingency.from_labels(true, pred, sample_weight=weights, layout=layout))
        assert found.keys() == exact.keys()
        for pair, n in found.items():
            assert abs(Fraction(n) - exact[pair]) <= exact[pair] * Fraction(20, 2**52)


def test_a_class_without_weight_does_not_occur():
    true, pred, weights = [0, 0, 1, 2, 2], [5, 6, 6, 7, 7], [1, 2, 0, 1, 3]
    for layout in LAYOUTS:
        for hold in (np.array, torch.tensor):
            table = Contingency.from_labels(hold(true), hold(pred), sample_weight=hold(weights), layout=layout)
            check(table, true, pred, weights)
            assert int(table.n_classes) == 2
    held = pd.Categorical(true), pred
    assert values(Contingency.from_labels(*held, sample_weight=weights).classes) == [0, 2]
    without = [[x for x, w in zip(y, weights, strict=True) if w] for y in (true, pred, weights)]
    one = Contingency.from_labels(true, pred, sample_weight=weights, n_classes=3, n_clusters=8)
    other = Contingency.from_labels(*without[:2], sample_weight=without[2])
    for name, score in gpuval.METRICS.items():
        np.testing.assert_allclose(score(one), score(other), rtol=1e-14, err_msg=name)


def test_sums_that_would_overflow_are_errors():
    for hold in (np.array, torch.tensor):
        with pytest.raises(ValueError, match="sample_weight must add up to less than 2"):
            Contingency.from_labels(hold([0, 1]), hold([0, 1]), sample_weight=hold([2**61, 2**61]))
    table = Contingency.from_labels(
        torch.tensor([0, 1]),
        torch.tensor([0, 1]),
        sample_weight=torch.tensor([2**62, 2**62]),
        n_classes=2,
        n_clusters=2,
    )
    assert math.isnan(gpuval.adjusted_rand_score(table))
    assert cells_of(Contingency.from_labels([0, 1], [0, 1], sample_weight=[2**38, 2**37])) == {
        (0, 0): 2**38,
        (1, 1): 2**37,
    }


# Large tables


def test_a_hundred_thousand_classes_and_clusters_fit():
    size, n = 100_000, 1_000_000
    rng = np.random.default_rng(0)
    true = rng.permutation(np.repeat(rng.integers(-(2**62), 2**62, size), n // size))
    pred = rng.integers(0, size, n)
    tracemalloc.start()
    try:
        table = Contingency.from_labels(true, pred)
        score = gpuval.adjusted_rand_score(table)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 400e6, f"{peak / 1e6:.0f} MB"
    assert isinstance(table.cells, ListedCells)
    assert abs(score) < 1e-3
    pairs, counts = np.unique(np.stack([true, pred], axis=1), axis=0, return_counts=True)
    np.testing.assert_array_equal(table.counts, counts)
    np.testing.assert_array_equal(np.asarray(table.classes)[table.cells.class_of], pairs[:, 0])
    np.testing.assert_array_equal(np.asarray(table.clusters)[table.cells.cluster_of], pairs[:, 1])
    np.testing.assert_array_equal(table.class_sizes, np.full(size, n // size))


def test_codes_whose_product_overflows():
    true, pred = [3, 3, 1, 0, 1, 3], [1, 1, 2, 0, 2, 0]
    codes = [Codes(np.array(x), 2**40, range(2**40)) for x in (true, pred)]
    from gpuval.engines.standard import listed_cells

    for weights in (None, np.array([1, 2, 3, 4, 5, 6])):
        cells, _ = listed_cells(*(x.codes for x in codes), (2**40, 2**40), weights, NUMPY)
        found = zip(cells.class_of.tolist(), cells.cluster_of.tolist(), strict=True)
        expected = pairs_of(true, pred, None if weights is None else weights.tolist())
        assert dict(zip(found, cells.counts.tolist(), strict=True)) == expected


# Adding tables

any_labels = st.one_of(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 2))),
    st.lists(st.tuples(st.sampled_from(["a", "bb", "ccc"]), st.integers(-(2**63), 2**63 - 1))),
    st.lists(st.tuples(st.one_of(st.integers(0, 2), st.sampled_from("ab")), st.booleans())),
)


@given(any_labels, st.data())
@settings(max_examples=300, deadline=None)
def test_parts_add_up_to_the_whole(rows, data):
    borders = sorted(data.draw(st.lists(st.integers(0, len(rows)), max_size=3)))
    parts = [rows[i:j] for i, j in zip([0, *borders], [*borders, len(rows)], strict=True)]
    layouts = [data.draw(st.sampled_from([None, *LAYOUTS])) for _ in parts]
    tables = [
        Contingency.from_labels([x for x, _ in part], [y for _, y in part], layout=layout)
        for part, layout in zip(parts, layouts, strict=True)
    ]
    total = tables[0]
    for table in tables[1:]:
        total = total + table
    whole = Contingency.from_labels([x for x, _ in rows], [y for _, y in rows])
    assert cells_of(total) == cells_of(whole)
    assert values(total.classes) == values(whole.classes)
    assert values(total.clusters) == values(whole.clusters)
    np.testing.assert_array_equal(total.to_array(), whole.to_array())


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3))), st.integers(0, 9))
@settings(max_examples=100, deadline=None)
def test_parts_of_given_size_add_up_to_the_whole(rows, border):
    for hold in (np.array, torch.tensor):
        whole, first, second = (
            Contingency.from_labels(*hold([*part, (0, 0)])[: len(part)].T, n_classes=3, n_clusters=4)
            for part in (rows, rows[:border], rows[border:])
        )
        assert_same_tables(first + second, whole)


@pytest.mark.parametrize("one", LAYOUTS)
@pytest.mark.parametrize("other", LAYOUTS)
def test_tables_of_given_size_add_up_in_any_layout(one, other):
    size = {"n_classes": 10, "n_clusters": 8}
    a = Contingency.from_labels(INTEGERS, OTHER, layout=one, **size)
    b = Contingency.from_labels(OTHER, INTEGERS, layout=other, **size)
    assert (a + b).to_array().shape == (10, 8)
    check(a + b, INTEGERS + OTHER, OTHER + INTEGERS)
    assert (a + b).fixed


def test_large_tables_of_given_size_add_up_in_their_cells():
    table = Contingency.from_labels(INTEGERS, OTHER, n_classes=10**5, n_clusters=10**5, layout="cells")
    assert cells_of(table + table) == {pair: 2 * n for pair, n in cells_of(table).items()}
    assert (table + table).cells.shape == (10**5, 10**5)


def test_tables_of_arrays_add_up(backend):
    if not backend.lists_cells:
        return
    for first, second in (([5, -3, 5], [4, -3, 9]), ([0, 1, 0], [70_000, 1, -9]), ([], [1, 2, 1])):
        a, b = (Contingency.from_labels(backend.array(x), backend.array([0, 1, 1][: len(x)])) for x in (first, second))
        check(a + b, first + second, [*[0, 1, 1][: len(first)], 0, 1, 1])


def test_tables_of_different_dtypes_add_up():
    a = Contingency.from_labels(np.array([1, 2], np.int8), ["x", "y"])
    b = Contingency.from_labels(np.array([2**64 - 1, 2], np.uint64), pd.Categorical(["long", "y"]))
    c = Contingency.from_labels(["one", 2], ["x", 3], sample_weight=[0.5, 0.25])
    check(a + b, [1, 2, 2**64 - 1, 2], ["x", "y", "long", "y"])
    assert cells_of(a + b + c) == {
        (1, "x"): 1,
        (2, "y"): 2,
        (2**64 - 1, "long"): 1,
        ("one", "x"): 0.5,
        (2, 3): 0.25,
    }
    for backend in map(BACKENDS.get, ("strict", "torch", "jax")):
        with backend.mode():
            x, w = backend.of(np.array([0, 1], np.int32)), backend.of(np.array([0.5, 2.0], np.float32))
            mixed = Contingency.from_labels(x, x) + Contingency.from_labels(x, x, sample_weight=w)
            assert cells_of(mixed) == {(0, 0): 1.5, (1, 1): 3.0}


# Tables that are there already


def test_from_counts(backend):
    counts = np.array([[3, 0, 1], [0, 0, 0], [2, 0, 4]], np.int32)
    table = Contingency.from_counts(backend.of(counts))
    np.testing.assert_array_equal(to_host(table.counts), counts)
    assert to_host(table.class_sizes).tolist() == [4, 0, 6]
    assert to_host(table.n_classes) == to_host(table.n_clusters) == 2
    compact = table.compact()
    assert values(compact.classes) == values(compact.clusters) == [0, 2]
    assert to_host(compact.counts).tolist() == [[3, 1], [2, 4]]


def test_from_nested_lists_and_booleans():
    assert Contingency.from_counts([[1, 2], [3, 4]]).total == 10
    assert Contingency.from_counts(((True, False), (True, True))).total == 3
    assert Contingency.from_counts([[], []]).total == 0
    assert Contingency.from_counts(pl.DataFrame({"x": [1, 2], "y": [3, 4]})).total == 10
    assert Contingency.from_counts(np.ones((5, 4, 3), int)).total.tolist() == [12] * 5


@pytest.mark.parametrize("form", ["bsr", "coo", "csc", "csr", "dia", "dok", "lil"])
@pytest.mark.parametrize("kind", ["array", "matrix"])
def test_from_sparse(form, kind):
    counts = np.array([[3, 0, 1, 0], [0, 0, 0, 0], [2, 0, 4, 0]])
    held = getattr(sparse, f"{form}_{kind}")(counts)
    table = Contingency.from_counts(held)
    assert isinstance(table.cells, ListedCells)
    np.testing.assert_array_equal(table.to_array(), counts)
    assert_same_tables(table.dense(), Contingency.from_counts(counts))
    assert Contingency.from_counts(held.astype(float)).counts.dtype == np.float64


def test_from_sparse_with_duplicates_and_explicit_zeros():
    entries = [1, 2, 0, 4, 5]
    rows, columns = [0, 0, 1, 2, 0], [1, 1, 1, 0, 0]
    coo = sparse.coo_array((entries, (rows, columns)), shape=(3, 2))
    csr = sparse.csr_array((entries, [1, 1, 0, 1, 0], [0, 3, 4, 5]), shape=(3, 2))
    for held in (coo, csr, coo.tocsc()):
        table = Contingency.from_counts(held)
        np.testing.assert_array_equal(table.to_array(), held.toarray())
        assert table.counts.min() > 0
        assert table.counts.shape == (np.count_nonzero(held.toarray()),)
    assert Contingency.from_counts(sparse.csr_array((3, 2), dtype=int)).total == 0


def test_from_a_crosstab():
    true, pred = ["b", "a", "b", "c"], [10, 20, 10, 20]
    table = Contingency.from_counts(pd.crosstab(pd.Series(true), pd.Series(pred)))
    check(table, true, pred)
    assert gpuval.match_labels(table).classes.tolist() == ["a", "b"]
    again = Contingency.from_counts(pd.crosstab(pd.Series(["z", "a"]), pd.Series([20, 30])))
    check(table + again, [*true, "z", "a"], [*pred, 20, 30])
    check(table + Contingency.from_labels(["z"], [5]), [*true, "z"], [*pred, 5])


# Soft memberships


def one_hot(labels, size):
    return np.eye(size)[labels]


def test_one_hot_memberships_are_labels(backend):
    u, v = one_hot(INTEGERS, 8), one_hot(OTHER, 8)
    table = Contingency.from_memberships(backend.array(u), backend.array(v))
    check(table, INTEGERS, OTHER)
    weights = [1, 2, 0, 4, 5, 6, 7]
    weighted = Contingency.from_memberships(
        backend.array(u), backend.array(v), sample_weight=backend.array(np.array(weights))
    )
    check(weighted, INTEGERS, OTHER, weights)
    hard = Contingency.from_labels(INTEGERS, OTHER)
    for name in ("adjusted_rand_score", "v_measure_score"):
        backend.assert_close(getattr(gpuval, name)(table), getattr(gpuval, name)(hard), name)


def soft(rng, n, size):
    u = rng.random((n, size))
    return u / u.sum(axis=1, keepdims=True)


def test_soft_memberships(backend):
    rng = np.random.default_rng(0)
    u, v, w = soft(rng, 30, 3), soft(rng, 30, 4), rng.random(30)
    tolerance = {"rtol": 1e-14 if backend.has_float64 else 1e-5}
    table = Contingency.from_memberships(backend.array(u), backend.array(v))
    np.testing.assert_allclose(to_host(table.counts), u.T @ v, **tolerance)
    table = Contingency.from_memberships(backend.array(u), backend.array(v), sample_weight=backend.array(w))
    np.testing.assert_allclose(to_host(table.counts), (u * w[:, None]).T @ v, **tolerance)


def test_memberships_without_samples_or_groups():
    assert Contingency.from_memberships(np.ones((0, 2)), np.ones((0, 3))).to_array().tolist() == [[0.0] * 3] * 2
    assert Contingency.from_memberships(np.ones((3, 0)), np.ones((3, 2))).to_array().shape == (0, 2)


DIFFERENTIABLE = (
    "adjusted_rand_score",
    "fowlkes_mallows_score",
    "mutual_info_score",
    "normalized_mutual_info_score",
    "v_measure_score",
    "variation_of_information",
    "bcubed_f_score",
    "beta_entropy_distance",
)


def differences(function, u, step=1e-6):
    """The gradient by central differences."""
    gradient = np.zeros_like(u)
    for place in np.ndindex(u.shape):
        shift = np.zeros_like(u)
        shift[place] = step
        gradient[place] = (function(u + shift) - function(u - shift)) / (2 * step)
    return gradient


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_gradients(name):
    score = getattr(gpuval, name)
    rng = np.random.default_rng(1)
    u, v = soft(rng, 12, 7), soft(rng, 12, 8)
    expected = differences(lambda x: score(Contingency.from_memberships(v, x)), u)
    assert np.abs(expected).max() > 1e-4

    tensor = torch.tensor(u, requires_grad=True)
    score(Contingency.from_memberships(torch.tensor(v), tensor)).backward()
    np.testing.assert_allclose(tensor.grad.numpy(), expected, atol=1e-8, rtol=1e-5)

    with jax.enable_x64(True):
        gradient = jax.grad(lambda x: score(Contingency.from_memberships(jnp.asarray(v), x)))(jnp.asarray(u))
        np.testing.assert_allclose(gradient, expected, atol=1e-8, rtol=1e-5)


@pytest.mark.parametrize("name", DIFFERENTIABLE)
def test_gradients_are_finite_where_cells_are_empty(name):
    score = getattr(gpuval, name)
    u, v = one_hot(np.resize(INTEGERS, 12), 8), one_hot(np.resize(OTHER, 12), 7)
    tensor = torch.tensor(u, requires_grad=True)
    score(Contingency.from_memberships(tensor, torch.tensor(v))).backward()
    assert tensor.grad.isfinite().all()
    with jax.enable_x64(True):
        gradient = jax.grad(lambda x: score(Contingency.from_memberships(x, jnp.asarray(v))))(jnp.asarray(u))
        assert np.isfinite(np.asarray(gradient)).all()


# What tables do


def test_the_layouts_are_one_table():
    dense = Contingency.from_labels(STRINGS, OTHER, layout="dense")
    listed = Contingency.from_labels(STRINGS, OTHER, layout="cells")
    assert isinstance(dense.cells, DenseCells)
    assert isinstance(listed.cells, ListedCells)
    assert_same_tables(dense.listed(), listed)
    assert_same_tables(listed.dense(), dense)
    assert dense.dense() is dense
    assert listed.listed() is listed
    assert dense.compact() is dense
    for table in (dense, listed):
        assert_same_tables(table.transposed().dense(), Contingency.from_labels(OTHER, STRINGS, layout="dense"))
        assert_same_tables(table.transposed().listed(), Contingency.from_labels(OTHER, STRINGS, layout="cells"))
        assert_same_tables(table.transposed().transposed(), table)


def test_the_smaller_layout_is_chosen():
    few, many = np.arange(1000) % 7, np.arange(1000)
    assert isinstance(Contingency.from_labels(few, few).cells, DenseCells)
    assert isinstance(Contingency.from_labels(many, many).cells, ListedCells)


def test_to_pandas():
    for layout in LAYOUTS:
        frame = Contingency.from_labels(STRINGS, OTHER, layout=layout).to_pandas()
        expected = pd.crosstab(pd.Series(STRINGS, name="class"), pd.Series(OTHER, name="cluster"))
        pd.testing.assert_frame_equal(frame, expected, check_index_type=False)
    frame = Contingency.from_labels(torch.tensor([0, 0, 1]), torch.tensor([7, 7, 8])).to_pandas()
    assert frame.to_dict() == {7: {0: 2, 1: 0}, 8: {0: 0, 1: 1}}


def test_repr():
    assert repr(Contingency.from_labels(STRINGS, OTHER)) == "Contingency(4 classes x 3 clusters, dense, numpy)"
    listed = Contingency.from_labels(torch.tensor(INTEGERS), torch.tensor(OTHER), layout="cells")
    assert repr(listed) == "Contingency(4 classes x 3 clusters, 6 cells, torch)"
    batch = Contingency.from_counts(jnp.ones((5, 2, 3)))
    assert repr(batch) == "Contingency(2 classes x 3 clusters, dense, jax, batch of (5,))"


def test_contingency_matrix_is_the_count():
    for hold in (list, np.array, pd.Series, pd.Categorical):
        matrix = contingency_matrix(hold(INTEGERS), hold(OTHER))
        expected = pairs_of(INTEGERS, OTHER)
        assert matrix.tolist() == [[expected.get((i, j), 0) for j in sorted(set(OTHER))] for i in sorted(set(INTEGERS))]


# Many labelings


def assert_one_by_one(truth, labelings, scores=SCORES, **options):
    found = gpuval.compare(truth, labelings, scores, **options)
    named = dict(labelings) if hasattr(labelings, "keys") else dict(enumerate(labelings))
    assert list(found) == list(named)
    for name, labels in named.items():
        for score in scores:
            one = getattr(gpuval, score)(truth, labels, **of_pair(options, truth, labels))
            np.testing.assert_array_equal(to_host(found[name][score]), to_host(one), err_msg=f"{name} {score}")


@pytest.mark.parametrize("truth", LABELINGS.values(), ids=LABELINGS.keys())
def test_compare_is_one_by_one(truth):
    assert_one_by_one(truth, LABELINGS, ignore_labels=IGNORED)
    assert_one_by_one(truth, LABELINGS, ignore_labels=IGNORED, sample_weight=[1, 2, 3, 0, 5, 6, 7])
    assert_one_by_one(truth, list(LABELINGS.values()), ignore_labels=IGNORED)


def test_compare_of_a_frame():
    numbers = {name: x for name, x in LABELINGS.items() if name not in ("strings", "categories")}
    frame = pd.DataFrame(numbers, index=list("abcdefg"))
    assert_one_by_one(frame["integers"], frame, ignore_labels=[-1, None])
    assert_one_by_one(LABELINGS["integers"], frame, ignore_labels=[-1, None])
    polars = pl.DataFrame({"x": [0, 0, 1, 1], "y": ["a", "a", "b", "c"]})
    found = gpuval.compare([0, 0, 1, 1], polars, "rand_score")
    assert [float(x["rand_score"]) for x in found.values()] == [1.0, 5 / 6]


NULLABLE = {
    "Int64": [0, 0, 1, 1, 2],
    "boolean": [True, True, False, False, False],
    "string[python]": list("aabbb"),
    "string[pyarrow]": list("aabbb"),
    "category": list("aabcb"),
}


def test_frames_of_nullable_columns():
    names = list("vwxyz")
    columns = {kind: list(labels) for kind, labels in NULLABLE.items()}
    columns |= {f"{kind} with NA": [labels[0], None, *labels[2:]] for kind, labels in NULLABLE.items()}
    dtypes = {name: name.removesuffix(" with NA") for name in columns}
    frame = pd.DataFrame({name: pd.array(x, dtype=dtypes[name]) for name, x in columns.items()}, index=names)
    assert frame.dtypes.astype(str).tolist()[:3] == ["Int64", "boolean", "string"]

    def score(one, other):
        pairs = [(x, y) for x, y in zip(one, other, strict=True) if x is not None and y is not None]
        return gpuval.rand_score(*map(list, zip(*pairs, strict=True)))

    truth = [0, 1, 0, 1, 1]
    for held in (truth, pd.Series(truth, index=names, dtype="Int64")):
        found = gpuval.compare(held, frame, "rand_score", ignore_labels=[None])
        assert {name: x["rand_score"] for name, x in found.items()} == {x: score(truth, columns[x]) for x in columns}
    expected = [[score(one, other) for other in columns.values()] for one in columns.values()]
    np.testing.assert_array_equal(gpuval.pairwise(frame, "rand_score", ignore_labels=[None]), expected)
    whole = frame[list(NULLABLE)]
    np.testing.assert_array_equal(gpuval.pairwise(whole, "rand_score"), [row[:5] for row in expected[:5]])
    for name in list(columns)[5:]:
        with pytest.raises(ValueError, match=rf"labelings\['{re.escape(name)}'\] must not have .*got 1 of 5"):
            gpuval.compare(truth, frame[[name]], "rand_score")


def test_compare_on_devices(backend):
    labelings = {"a": [0, 1, 1, 0, 2], "b": [0, 0, 1, 1, 1]}
    held = {name: backend.array(x) for name, x in labelings.items()}
    scores = ["rand_score", "purity_score"]
    weights = backend.array([1, 2, 3, 1, 0])
    options = {"n_classes": 3, "n_clusters": 3}
    assert_one_by_one(held["a"], held, scores=scores, **options)
    assert_one_by_one(held["a"], held, sample_weight=weights, ignore_labels=1, scores=scores, **options)
    if backend.lists_cells:
        far = {"far": backend.array([70_000, 5, 70_000, -1, 5]), **held}
        assert_one_by_one(held["a"], far, scores=scores)
        assert_one_by_one(far["far"], far, ignore_labels=[-1, 2], sample_weight=weights, scores=scores)
        gone = backend.array([-1] * 5)
        assert_one_by_one(gone, far, scores=scores)
        for options in ({}, {"sample_weight": weights}):
            with pytest.raises(
                ValueError, match=r"at least one sample of labels_true and labelings\[0\], got none left of 5"
            ):
                gpuval.compare(held["a"], [gone], ignore_labels=-1, **options)


@pytest.mark.parametrize("score", ["adjusted_rand_score", "homogeneity_score"])
@pytest.mark.parametrize("weights", [None, [1, 2, 3, 0, 5, 6, 7]])
def test_pairwise_is_one_by_one(score, weights):
    options = {"ignore_labels": IGNORED, "sample_weight": weights}
    measure = getattr(gpuval, score)
    expected = [[measure(x, y, **of_pair(options, x, y)) for y in LABELINGS.values()] for x in LABELINGS.values()]
    for labelings in (LABELINGS, list(LABELINGS.values())):
        np.testing.assert_allclose(gpuval.pairwise(labelings, score, **options), expected, rtol=1e-14)


def test_each_labeling_is_read_and_encoded_once(monkeypatch):
    calls = Counter()

    def counted(original, name):
        def count(*args, **options):
            calls[name] += 1
            return original(*args, **options)

        return count

    for module in map(importlib.import_module, ("gpuval.report.labelings", "gpuval.inputs.samples")):
        for name in ("read_labels", "ignored_samples", "as_integers", "encode"):
            monkeypatch.setattr(module, name, counted(getattr(module, name), name))
    gpuval.compare(LABELINGS["integers"], LABELINGS, ignore_labels=IGNORED)
    assert calls == dict.fromkeys(calls, 1 + len(LABELINGS))
    calls.clear()
    gpuval.pairwise(LABELINGS, ignore_labels=IGNORED)
    assert calls == dict.fromkeys(calls, len(LABELINGS))
    assert len(calls) == 4


def test_ignored_labels_do_not_widen_a_labeling():
    from gpuval.report.labelings import read_labelings

    far = np.array([10**12, 10**12 + 1, -1])
    for labels in (far, torch.tensor(far), far.astype(float), torch.tensor(far).double()):
        (labeling,) = read_labelings({"x": labels}, None, -1, None, None)
        assert labeling.codes.size == 2
        assert values(labeling.codes.values) == [10**12, 10**12 + 1]
