"""Everything that label vectors and weights may be: against a count of pairs in plain Python."""

import array
import datetime as dt
import enum
import math
import re
import tracemalloc
from collections import deque
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
from known_tables import (
    INTEGERS,
    LAYOUTS,
    NO_SAMPLE,
    NO_WEIGHT,
    OTHER,
    STRINGS,
    assert_same_tables,
    cells_of,
    check,
    check_labels,
    labelings,
    pairs_of,
    values,
)

import gpuval
from gpuval import Contingency
from gpuval.engines.backends import is_dask, to_host
from gpuval.inputs.labels import read_labels
from gpuval.inputs.selection import read_ignored, read_ignored_numbers


def test_the_check_can_fail():
    table = Contingency.from_labels([0, 0, 1], [0, 1, 1])
    check(table, [0, 0, 1], [0, 1, 1])
    with pytest.raises(AssertionError):
        check(table, [0, 1, 1], [0, 1, 1])
    with pytest.raises(AssertionError):
        check(table, ["0", "0", "1"], [0, 1, 1])


# What labels may be

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
    for name in ("pandas.factorize", "pandas.Categorical.__array__", "gpuval.inputs.labels.factorize_vector"):
        monkeypatch.setattr(name, refuse)
    for labels in (held, pd.Series(held), pd.CategoricalIndex(held)):
        data = read_labels(labels, "labels").data
        assert data.dtype == np.int8
        assert np.shares_memory(data, held.codes) or not isinstance(labels, pd.Categorical)
        assert gpuval.adjusted_rand_score(labels, labels) == 1.0
    with pytest.raises(AssertionError, match="looked at"):
        read_labels(np.array(STRINGS), "labels")


# Arrays of every library


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_half_precision(dtype):
    for held in (torch.tensor(INTEGERS).to(getattr(torch, dtype)), jnp.asarray(INTEGERS).astype(dtype)):
        check(Contingency.from_labels(held, held), INTEGERS, INTEGERS)
    check(Contingency.from_labels(np.array(INTEGERS, np.float16), INTEGERS), INTEGERS, INTEGERS)


def test_unsigned_labels_of_torch_below_2_to_the_63():
    labels = [2**63 - 1, 0, 2**63 - 1, 5, 5, 0, 1]
    check_labels(torch.tensor(labels, dtype=torch.uint64), torch.tensor(OTHER), labels, OTHER)


def test_integers_in_lists_are_not_rounded():
    labels = [2**63 + 1, 2**63, -1, 2**63, 2**70, 2**70 + 1, True]
    assert np.asarray(labels[:3]).dtype == float
    check_labels(labels, OTHER, labels, OTHER)
    check_labels(labels[:3], OTHER[:3], labels[:3], OTHER[:3])


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


def test_masked_labels_to_ignore_are_missing_ones():
    """As masked labels are, whatever value a mask hides."""
    labels, masked = [0, 5, 1, 0, 5], np.ma.array([5, 0], mask=[False, True])
    check(Contingency.from_labels(labels, labels, ignore_labels=masked), [0, 1, 0], [0, 1, 0])
    for hidden in ([np.ma.masked], np.ma.masked, masked[1:]):
        check(Contingency.from_labels(labels, labels, ignore_labels=hidden), labels, labels)
    assert read_ignored_numbers(masked, "ignore_labels") == (None, 5)
    first, second = read_ignored(masked.astype("M8[D]"))
    assert first == np.datetime64("1970-01-06")
    assert np.isnat(second)


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


NOTHING_LEFT = {"all ignored": np.full(7, -1), "all missing": np.full(7, math.nan)}


# Nothing left


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
    for labels in (*labelings().values(), *NOTHING_LEFT.values()):
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


@given(small_labels, st.sampled_from([None, *LAYOUTS]), st.sampled_from(["numpy", "torch", "strict"]))
@settings(max_examples=300)
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


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 2), st.just(0.0) | st.floats(1e-60, 1e6)), min_size=1, max_size=20
    ).filter(lambda rows: any(weight for _, _, weight in rows))
)
@settings(max_examples=200)
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


def test_objects_that_are_ignored_may_be_anything():
    """No code is wanted for the label "a", and the fraction is no label."""
    sizes = {"n_classes": 2, "n_clusters": 2}
    labels = np.asarray(["a", 0, 1, 1], dtype=object)
    assert gpuval.adjusted_rand_score(labels, [0, 0, 1, 1], ignore_labels="a", **sizes) == 1
    labels = np.asarray([0.5, 1, 2, 2], dtype=object)
    found = gpuval.compare([0, 0, 1, 1], {"labels": labels}, ignore_labels=0.5, metrics="ari")
    assert found["labels"]["ari"] == 1
