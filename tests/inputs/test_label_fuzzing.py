"""Label vectors of every kind against a dictionary of counts: the table is that, or an error names the argument."""

import datetime as dt
import enum
import math
from collections import Counter, deque
from decimal import Decimal
from fractions import Fraction

import array_api_strict as strict
import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
import polars as pl
import pytest
import torch
from hypothesis import HealthCheck, assume, example, given, reject, settings
from hypothesis import strategies as st

import gpuval
from gpuval import Contingency
from gpuval.engines.backends import is_array, to_host
from gpuval.engines.cells import SparseCells

FIXED = settings(
    max_examples=400,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


class Cell(str, enum.Enum):  # noqa: UP042 - as much code has it: str() of it is not its text
    A = "a"
    B = "b\0"


class Level(enum.IntEnum):
    ONE = 1
    TWO = 2


class Plain(enum.Enum):
    A = 1
    B = "a"


class Name(str):
    """Text of a type of its own."""


class Raw(bytes):
    """Bytes of a type of their own."""


class Number(int):
    """An integer of a type of its own."""


class OfPandas(pd.Series):
    pass


class OfMasked(np.ma.MaskedArray):
    pass


class OfNumPy(np.ndarray):
    pass


# Labels

texts = st.text(st.sampled_from("ab\0 '\\e\u0301\u00e9\U0001f600\ud800"), max_size=4) | st.sampled_from(
    ["a" * 3000, "a" * 3000 + "\0", "a" * 64, "NaN", "None", "1", "1.0", ""]
)
raws = st.binary(max_size=3)
integers = st.integers(-3, 3) | st.sampled_from(
    [2**31, -(2**31), 2**53, 2**53 + 1, 2**63 - 1, -(2**63), 2**63, 2**64, 10**30]
)
floats = st.sampled_from([0.0, -0.0, 1.0, -2.0, 0.5, 2.0**53, 2.0**60, 1e300, math.inf, 5e-324])
missing = st.sampled_from([None, math.nan, pd.NA, pd.NaT, np.float32("nan"), Decimal("NaN")])
scalars = st.sampled_from(
    [np.int8(1), np.uint64(2**64 - 1), np.float32(1), np.float64(0.5), np.bool_(True), np.str_("a"), np.bytes_(b"a")]
)
odd = st.sampled_from(
    [
        Cell.A, Cell.B, Level.ONE, Level.TWO, Plain.A, Plain.B, Name("a"), Name("b\0"), Raw(b"a"), Number(1),
        Decimal(1), Decimal("0.5"), Fraction(1, 2), Fraction(2), 1j, 1 + 0j, (1, 2), (1,), ("a",), frozenset([1]),
        dt.date(2020, 1, 1), dt.timedelta(1), pd.Timestamp("2020-01-01"), np.datetime64("2020-01-01"), Ellipsis, int,
    ]
)  # fmt: skip
broken = st.sampled_from([[], [1], {}, {1}, Decimal("sNaN"), np.zeros(1), torch.tensor(1), slice(1), bytearray(b"a")])

HOLDERS = {
    "list": list,
    "tuple": tuple,
    "deque": deque,
    "generator": iter,
    "objects": lambda x: np.fromiter(x, dtype=object, count=len(x)),
    "subclass of objects": lambda x: np.fromiter(x, dtype=object, count=len(x)).view(OfNumPy),
    "NumPy": np.array,
    "masked": lambda x: np.ma.array(x, mask=[i % 3 == 1 for i in range(len(x))]),
    "subclass of masked": lambda x: OfMasked(np.array(x), mask=[i % 3 == 1 for i in range(len(x))]),
    "pandas": pd.Series,
    "subclass of pandas": OfPandas,
    "pandas objects": lambda x: pd.Series(x, dtype=object),
    "Index": lambda x: pd.Index(x, tupleize_cols=False),
    "Categorical": pd.Categorical,
    "Categorical Series": lambda x: pd.Series(pd.Categorical(x)),
    **{
        dtype: lambda x, dtype=dtype: pd.Series(x, dtype=dtype)
        for dtype in ("Int64", "UInt8", "Float64", "boolean", "string[python]", "string[pyarrow]", "int64[pyarrow]")
    },
    "polars": pl.Series,
    "polars Categorical": lambda x: pl.Series(x, dtype=pl.Categorical),
    "polars objects": lambda x: pl.Series(x, dtype=pl.Object),
    "NumPy StringDType": lambda x: np.array(x, dtype=np.dtypes.StringDType()),
    **{
        f"NumPy {dtype}": lambda x, dtype=dtype: np.array(x).astype(dtype)
        for dtype in ("int8", "uint16", "float16", "longdouble", "bool", ">i4", "U2", ">U3", "S2")
    },
    "torch": torch.tensor,
    "torch int8": lambda x: torch.tensor(x, dtype=torch.int8),
    "torch bfloat16": lambda x: torch.tensor(x, dtype=torch.bfloat16),
    "JAX": lambda x: jnp.asarray(np.array(x)),
    "strict": lambda x: strict.asarray(np.array(x)),
}


def held_in(labels, holder):
    """A container of the labels, and what it holds, as Python has it; None if it cannot hold them."""
    try:
        held = HOLDERS[holder](labels)
    except (Exception, pl.exceptions.PanicException):  # whatever a library says of what it does not hold
        return None
    if isinstance(held, torch.Tensor):
        return held, held.double().tolist() if held.is_floating_point() else held.tolist()
    if isinstance(held, pl.Series):
        return held, held.to_list()
    if isinstance(held, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(held)
        return held, [None if mask[i] else x for i, x in enumerate(held.data.tolist())] if held.ndim == 1 else []
    if holder in ("JAX", "strict"):
        return held, np.asarray(held).tolist()
    if holder in ("list", "tuple", "deque", "generator", "objects", "subclass of objects"):
        return held, labels
    if held.dtype == np.longdouble and held.ndim == 1:  # whose numbers are not those of Python by hash
        return held, [int(x) if np.isfinite(x) and x % 1 == 0 else float(x) for x in held]
    return held, held.tolist()


def is_missing(label):
    if label is None or label is pd.NA or label is pd.NaT:
        return True
    return isinstance(label, float | np.floating | Decimal) and math.isnan(label)


def plain(label):
    """The label, as a number if it is one of PyTorch, which is only equal to itself as a key."""
    return label.item() if isinstance(label, torch.Tensor) else label


def counts_of(labels, other, ignored=()):
    """The oracle: how many samples have each pair of labels, of those without a missing or ignored one."""
    pairs = zip(map(plain, labels), other, strict=True)
    return dict(Counter((x, y) for x, y in pairs if not is_missing(x) and not any(x == z or y == z for z in ignored)))


def cells_of(table):
    classes, clusters = (
        list(x) if isinstance(x, range) else to_host(x).tolist() for x in (table.classes, table.clusters)
    )
    counts = to_host(table.counts)
    if isinstance(table.cells, SparseCells):
        places = zip(to_host(table.cells.class_of).tolist(), to_host(table.cells.cluster_of).tolist(), strict=True)
        found = [(classes[i], clusters[j], n) for (i, j), n in zip(places, counts.tolist(), strict=True)]
    else:
        found = [(classes[i], clusters[j], counts[i, j]) for i, j in np.argwhere(counts).tolist()]
    cells = {(x, y): int(n) for x, y, n in found}
    assert len(cells) == len(found)
    return cells


def like(held, other):
    """Other labels, in the library of the first."""
    if isinstance(held, torch.Tensor):
        return torch.tensor(other)
    if isinstance(held, jax.Array):
        return jnp.asarray(other)
    return strict.asarray(other) if is_array(held) and not isinstance(held, np.ndarray) else other


def check(labels, holder, *, must_be_read=False, ignored=()):
    found = held_in(labels, holder)
    if found is None:
        reject()
    held, meant = found
    other = [100 + i % 2 for i in range(len(meant))]
    try:
        table = Contingency.from_labels(held, like(held, other), ignore_labels=[None, *ignored])
    except (TypeError, ValueError) as error:
        message = str(error)
        if must_be_read and "at least one sample" not in message:
            raise
    else:
        assert cells_of(table) == counts_of(meant, other, ignored), (held, meant)
        return
    assert message.startswith(("labels_true must", "ignore_labels must"))
    assert "at least one sample" not in message or counts_of(meant, other, ignored) == {}


READ_TEXT = ("list", "tuple", "deque", "generator", "objects", "pandas objects", "pandas", "Index", "polars", "NumPy")
READ_NUMBERS = (*READ_TEXT, "Int64", "torch", "JAX", "strict", "masked", "Categorical", "subclass of pandas")


@FIXED
@given(st.lists(texts, max_size=8), st.sampled_from(READ_TEXT))
@example(["a", "a\0"], "pandas")
@example(["a", "a\0"], "list")
@example(["\ud800", "'\\ud800'"], "pandas objects")
@example(["a" * 3000, "a" * 3000 + "\0", "a"], "tuple")
def test_text_is_read_as_it_is(labels, holder):
    check(labels, holder, must_be_read=True)


@FIXED
@given(st.lists(raws, max_size=8), st.sampled_from(["list", "tuple", "objects", "pandas objects", "polars", "NumPy"]))
def test_bytes_are_read_as_they_are(labels, holder):
    check(labels, holder, must_be_read=True)


@FIXED
@given(st.lists(st.integers(-(2**63), 2**63 - 1) | st.integers(-3, 3), max_size=8), st.sampled_from(READ_NUMBERS))
def test_integers_are_read_as_they_are(labels, holder):
    check(labels, holder, must_be_read=True)


one_kind = st.one_of(
    *(st.lists(x | missing, min_size=1, max_size=8) for x in (texts, raws, integers, floats, st.booleans()))
)


@FIXED
@given(one_kind, st.sampled_from(list(HOLDERS)))
def test_labels_of_one_kind_and_missing_ones(labels, holder):
    check(labels, holder)


any_label = texts | raws | integers | floats | missing | scalars | odd | st.booleans()


@FIXED
@given(st.lists(any_label, min_size=1, max_size=6), st.sampled_from(list(HOLDERS)))
@example([1e300, np.float32(1), ""], "list")
@example([np.int8(1), b"a"], "list")
@example([0, 2**63, np.True_], "list")
def test_any_labels(labels, holder):
    check(labels, holder)


@FIXED
@given(st.lists(any_label | broken, min_size=1, max_size=4), broken, st.sampled_from(list(HOLDERS)))
@example([0], torch.tensor(1), "Categorical")
def test_what_can_be_no_label(labels, label, holder):
    check([*labels, label], holder)


exact = texts | raws | integers | st.sampled_from([Cell.A, Level.ONE, Plain.A, Decimal(1), Fraction(2), 1 + 0j, (1, 2)])


@FIXED
@given(st.lists(exact | missing, min_size=1, max_size=6), st.lists(exact, max_size=3), st.sampled_from(list(HOLDERS)))
@example([1, 2**53], [2**53 + 1], "Float64")
def test_any_labels_are_ignored(labels, ignored, holder):
    check(labels, holder, ignored=ignored)


@pytest.mark.parametrize(("dtype", "first"), [("float16", 2**11), ("float32", 2**24), ("float64", 2**53)])
def test_no_label_is_ignored_that_another_is_rounded_to(dtype, first):
    labels = np.asarray([1, 2, first], dtype=dtype)
    with pytest.raises(ValueError, match=f"^labels_true must be below {first} if they are {dtype}"):
        Contingency.from_labels(labels, [0, 1, 1], ignore_labels=[first + 1])


@FIXED
@given(
    st.lists(st.integers(0, 3) | floats | missing | scalars | odd | broken, min_size=1, max_size=5),
    st.sampled_from(list(HOLDERS)),
)
def test_weights_are_numbers_or_an_error_names_them(weights, holder):
    found = held_in(weights, holder)
    assume(found is not None)
    held, meant = found
    labels = like(held, [i % 2 for i in range(len(meant))])
    try:
        total = float(Contingency.from_labels(labels, labels, sample_weight=held).total)
    except (TypeError, ValueError) as error:
        message = str(error)
    else:
        assert math.isclose(total, math.fsum(map(float, meant)), rel_tol=1e-6)
        return
    assert "sample_weight must" in message


def test_a_wrong_table_is_found_out(monkeypatch):
    check(["a", "b", "a"], "list", must_be_read=True)
    monkeypatch.setattr(gpuval.Contingency, "from_labels", lambda x, y, **_: Contingency.from_counts([[1, 2], [3, 4]]))
    with pytest.raises(AssertionError):
        check(["a", "b", "a"], "list")


def test_an_error_that_names_no_argument_is_found_out(monkeypatch):
    def fail(*_args, **_options):
        raise ValueError("something went wrong")

    monkeypatch.setattr(gpuval.Contingency, "from_labels", fail)
    with pytest.raises(AssertionError):
        check(["a", "b", "a"], "list")
