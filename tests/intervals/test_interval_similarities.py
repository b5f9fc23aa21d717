"""Measures of intervals are what their definitions say, on every backend and of numbers of every kind."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from math import inf, nan, sqrt

import interval_oracles as oracles
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from interval_cases import DEGENERATE, MASK, PAIRS, UNDEFINED, WEIGHTS, N, arrays, values
from interval_oracles import CALLS
from only_for import only_for
from packages import pd, pl

from gpuval import intervals
from gpuval.intervals import inclusion_score, jaccard_score, simpson_score

MEASURES = {name: getattr(intervals, name) for name in oracles.ORACLES}
LARGEST = float(np.finfo(np.float64).max)


def found(call, true, pred, **more):
    name, options = CALLS[call]
    return MEASURES[name](true, pred, **options, **more)


def assert_values(backend, pairs, *of):
    """Compare the values of samples with their definitions; ``of`` make the array of each side."""
    given = [make(x) for make, x in zip(of, zip(*pairs, strict=True), strict=True)]
    for call in CALLS:
        got = found(call, *given, return_per_sample=True).sample_scores
        backend.assert_close(got, [nan if x is None else x for x in values(call, pairs)], call)
        backend.assert_at_home(got, given[0], (len(pairs),))


# Worked values

BY_HAND = {
    "jaccard_score": 3 / 7,
    "simpson_score": 3 / 4,
    "braun_blanquet_score": 1 / 2,
    "sorensen_score": 3 / 5,
    "kulczynski_score": 5 / 8,
    "ochiai_score": 0.612372435695794,
    "inclusion_score": 3 / 4,
    "inclusion_score true 1": 3 / 4,
    "inclusion_score true 2": 3 / 5,
    "inclusion_score pred 1": 1 / 2,
    "inclusion_score pred 2": 1 / 3,
    "mean_inclusion_score": 5 / 8,
    "mean_inclusion_score geometric": 0.612372435695794,
    "mean_inclusion_score harmonic": 3 / 5,
}
"""Of [0, 4] and [1, 7]: of lengths 4 and 6, with 3 in common and 7 in all."""


@pytest.mark.parametrize("call", BY_HAND)
def test_worked_values(call):
    name, options = CALLS[call]
    assert found(call, [0, 4], [1, 7]) == pytest.approx(BY_HAND[call], abs=1e-12)
    assert found(call, [[0, 4]], [[1, 7]]) == pytest.approx(BY_HAND[call], abs=1e-12)
    assert float(oracles.of_sample(name, (0, 4), (1, 7), **options)) == pytest.approx(BY_HAND[call], abs=1e-12)


EDGES = [
    # Simpson, Kulczynski, Ochiai, Sørensen, Braun-Blanquet, Jaccard
    ([2, 2], [2, 2], [1, 1, 1, 1, 1, 1]),
    ([2, 2], [0, 4], [0, 0, 0, 0, 0, 0]),
    ([0, 4], [4, 9], [0, 0, 0, 0, 0, 0]),
    ([0, 4], [1, 3], [1, 3 / 4, sqrt(1 / 2), 2 / 3, 1 / 2, 1 / 2]),
    ([-inf, inf], [-inf, inf], [1, 1, 1, 1, 1, 1]),
    ([0, inf], [-1, 3], [3 / 4, 3 / 8, 0, 0, 0, 0]),
    ([0, inf], [1, inf], [nan] * 6),
    ([-inf, 0], [0, inf], [nan] * 6),
]


@pytest.mark.parametrize(("true", "pred", "wanted"), EDGES)
def test_edges(true, pred, wanted):
    names = [*oracles.OF_LENGTHS, "jaccard_score"]
    for pair in ((true, pred), (pred, true)):
        assert [float(MEASURES[name](*pair)) for name in names] == pytest.approx(wanted, abs=1e-15, nan_ok=True)


# Definitions


@pytest.mark.by_default
@pytest.mark.parametrize("call", CALLS)
def test_definitions(backend, call):
    given = [backend.array(x) for x in arrays()]
    score, of_samples = found(call, *given, return_per_sample=True)
    backend.assert_close(of_samples, values(call), call)
    backend.assert_at_home(of_samples, given[0], (N,))
    backend.assert_at_home(score, given[0])
    backend.assert_close(score, oracles.mean(values(call)), call)
    assert backend.numpy(found(call, *given)) == backend.numpy(score)


GIVEN = {
    "squares": (lambda x: x**2, lambda y: y**0.5),
    "harmonic": (lambda x: 1 / x, lambda y: 1 / y),
}


@pytest.mark.parametrize("name", GIVEN)
def test_means_by_given_functions(backend, name):
    """Zeros among the shares, too, where 1/x is infinite."""
    true, pred = (backend.array(x) for x in arrays())
    weights = backend.array(WEIGHTS)
    pair = GIVEN[name]
    exact = [oracles.of_sample("mean_inclusion_score", *x, mean=name) for x in PAIRS[:N]]
    given = {"sample_weight": weights, "mean": pair, "return_per_sample": True}
    with np.errstate(divide="ignore"):  # in which array-api-strict computes, whose arrays are not of the host
        score, of_samples = intervals.mean_inclusion_score(true, pred, **given)
    backend.assert_close(of_samples, exact)
    backend.assert_close(score, oracles.mean(exact, WEIGHTS))


def test_given_functions_inside_of_compiled_ones_and_accumulators():
    pair = GIVEN["squares"]
    exact = sqrt((9 / 16 + 1 / 4) / 2)
    compiled = jax.jit(lambda x, y: intervals.mean_inclusion_score(x, y, mean=pair))
    assert float(compiled(jnp.asarray([0.0, 4.0]), jnp.asarray([1.0, 7.0]))) == pytest.approx(exact, rel=1e-6)
    guess = torch.tensor([1.0, 7.0], dtype=torch.float64, requires_grad=True)
    intervals.mean_inclusion_score(torch.tensor([0.0, 4.0], dtype=torch.float64), guess, mean=pair).backward()
    assert torch.isfinite(guess.grad).all()
    assert guess.grad.abs().sum() > 0
    accumulator = intervals.IntervalAccumulator({"own": partial(intervals.mean_inclusion_score, mean=pair)})
    accumulator.update([0, 4], [1, 7], sample_weight=[3])
    accumulator.update([0, 4], [4, 7])
    assert float(accumulator.scores["own"]) == pytest.approx(3 * exact / 4, rel=1e-14)
    assert "0x" not in repr(intervals.IntervalAccumulator(partial(intervals.mean_inclusion_score, mean=pair)))


@pytest.mark.parametrize(
    ("mean", "kind", "message"),
    [
        ("cubic", ValueError, "mean must be one of 'arithmetic', 'geometric', 'harmonic', got 'cubic'"),
        (2, TypeError, "mean must be one of 'arithmetic', 'geometric', 'harmonic', or two functions, got 2"),
        (
            (lambda x: 1.0, lambda y: y),
            TypeError,
            "mean must have functions that give an array of the shape of theirs, (1,), got float",
        ),
        (
            (lambda x: x, lambda y: y[:0]),
            TypeError,
            "mean must have functions that give an array of the shape of theirs, (1,), got shape (0,)",
        ),
    ],
)
def test_what_is_no_mean(mean, kind, message):
    with pytest.raises(kind) as error:
        intervals.mean_inclusion_score([0, 4], [1, 7], mean=mean)
    assert str(error.value) == message


@pytest.mark.parametrize("weighs", [False, True])
@pytest.mark.parametrize("masks", [False, True])
def test_weights_masks_and_what_is_undefined(backend, weighs, masks):
    """The same, whether mask and weights lie beside the intervals or on the host."""
    pairs = [*PAIRS[: N - len(UNDEFINED)], *UNDEFINED]
    weights, mask = WEIGHTS if weighs else (1,) * N, MASK if masks else (True,) * N
    counted = [w * m for w, m in zip(weights, mask, strict=True)]
    given = [backend.array(x) for x in arrays(pairs)]
    for of in (backend.array, np.asarray):
        more = {"sample_weight": of(weights)} if weighs else {}
        more |= {"mask": of(mask)} if masks else {}
        for call in ("jaccard_score", "simpson_score"):
            exact = values(call, pairs)
            for way in ("nan", "zero", "one", "skip"):
                score, of_samples = found(call, *given, **more, on_undefined=way, return_per_sample=True)
                backend.assert_close(score, oracles.mean(exact, counted, way), f"{call} {way}")
                fill = {"zero": 0, "one": 1}.get(way, nan)
                wanted = [(fill if x is None else x) if kept else nan for x, kept in zip(exact, mask, strict=True)]
                backend.assert_close(of_samples, wanted, f"{call} {way}")


def test_without_a_sample_that_is_defined_there_is_no_mean(backend):
    given = [backend.array(x) for x in arrays(UNDEFINED)]
    for way, wanted in {"nan": nan, "skip": nan, "zero": 0, "one": 1}.items():
        backend.assert_close(jaccard_score(*given, on_undefined=way), wanted, way)


def test_what_does_not_count_may_be_anything(backend):
    """Also where values are looked at: a NaN, and an end below its start."""
    true, pred = arrays(DEGENERATE[:4])
    true[1], pred[2] = (nan, 0), (3, 1)
    given = backend.array(true), backend.array(pred)
    wanted = (Fraction(3, 7) + 3 * Fraction(1, 2)) / 4
    mask, weights = backend.array([True, False, False, True]), backend.array([1.0, 0, 0, 3])
    backend.assert_close(jaccard_score(*given, sample_weight=weights), wanted)
    backend.assert_close(jaccard_score(*given, sample_weight=weights, mask=mask), wanted)
    backend.assert_close(jaccard_score(*given, mask=mask), (Fraction(3, 7) + Fraction(1, 2)) / 2)
    of_samples = backend.numpy(jaccard_score(*given, mask=mask, return_per_sample=True).sample_scores)
    assert np.isnan(of_samples).tolist() == [False, True, True, False]


# Numbers


def test_no_length_overflows(backend):
    largest = LARGEST if backend.has_float64 else float(np.finfo(np.float32).max)
    quarter = largest / 4
    pairs = [
        ((-largest, largest), (-largest, 0.0)),
        ((-largest, largest), (0.0, largest)),
        ((-largest, largest), (-quarter, 3 * quarter)),
        ((-largest, 2 * quarter), (-3 * quarter, largest)),
        ((quarter, largest), (-largest, 2 * quarter)),
        ((-largest, largest), (-1.0, 1.0)),
        ((-2 * quarter, largest), (-quarter, largest)),
        ((-largest, 2 * quarter), (-largest, quarter)),
        ((0.0, 1.0), (-largest, 0.5)),
        ((-inf, largest), (-largest, largest)),
        ((-largest, -largest), (-largest, largest)),
        ((-largest, largest), (-largest, largest)),
    ]
    assert_values(backend, pairs, backend.array, backend.array)


def test_small_lengths_keep_their_digits():
    """Those below the smallest normal float, also beside the largest, of which a common unit would leave nothing."""
    tiny = 5e-324
    cases = {
        ((0, 2 * tiny), (tiny, 3 * tiny)): Fraction(1, 3),
        ((1, 1 + 2**-52), (1, 1 + 2**-51)): Fraction(1, 2),
    }
    for (true, pred), wanted in cases.items():
        assert jaccard_score(true, pred) == pytest.approx(float(wanted), rel=1e-15)
    assert simpson_score([0, tiny], [-LARGEST, LARGEST]) == 1
    assert inclusion_score([-tiny, tiny], [0, LARGEST]) == 0.5


LARGE = {
    "int64": [
        ((2**62, 2**62 + 3), (2**62 + 1, 2**62 + 5)),
        ((-(2**62) - 1, 2**62 + 1), (2**62, 2**62 + 1)),
        ((-(2**63), 2**63 - 1), (-(2**63), 0)),
        ((-(2**63), 1 - 2**63), (-(2**63), 3 - 2**63)),
        ((-(2**63), 2**63 - 1), (-5, 5)),
        ((-3, -1), (-2, 7)),
    ],
    "uint64": [
        ((2**64 - 4, 2**64 - 1), (2**64 - 3, 2**64 - 1)),
        ((0, 2**64 - 1), (0, 2**63)),
        ((2**62, 2**62 + 3), (2**62 + 1, 2**62 + 5)),
        ((2**63 - 1, 2**63 + 1), (2**63, 2**63 + 7)),
        ((7, 9), (2, 8)),
        ((0, 0), (0, 5)),
    ],
    "int32": [
        ((-(2**31), 2**31 - 1), (-(2**31), 0)),
        ((2**31 - 4, 2**31 - 1), (2**31 - 3, 2**31 - 2)),
        ((-(2**31), 1 - 2**31), (-(2**31), 3 - 2**31)),
        ((-7, 12), (-1000, 5)),
        ((-1, 1), (0, 1)),
        ((3, 3), (3, 3)),
    ],
    "uint32": [
        ((0, 2**32 - 1), (5, 2**31)),
        ((2**32 - 4, 2**32 - 1), (2**32 - 3, 2**32 - 2)),
        ((2**31, 2**31 + 2), (2**31 - 1, 2**31 + 1)),
        ((7, 9), (2, 8)),
        ((0, 1), (0, 3)),
        ((3, 3), (0, 5)),
    ],
    "int8": [((-128, 127), (-128, 0)), ((-7, 9), (2, 8)), ((0, 1), (0, 3)), ((3, 3), (3, 3)), ((0, 1), (0, 2))],
    "uint8": [((250, 255), (1, 253)), ((0, 255), (0, 5)), ((7, 9), (2, 8)), ((3, 3), (3, 3)), ((0, 1), (0, 2))],
}
"""Pairs of integers of each type, whose differences wrap in it, or which floats do not tell apart."""


def has_integers(backend, dtype):
    """Whether a backend has this type of integers."""
    if np.dtype(dtype).itemsize == 8:
        return backend.has_int64
    return dtype != "uint32" or backend.name != "strict-no-x64"


def integers_of(backend, dtype):
    """What makes an array of integers."""
    return lambda x: backend.of(np.asarray(x, dtype=dtype))


@pytest.mark.parametrize("dtype", LARGE)
@only_for(has_integers)
def test_integers_are_exact(backend, dtype):
    assert_values(backend, LARGE[dtype], *[integers_of(backend, dtype)] * 2)


@pytest.mark.parametrize("dtypes", [("uint64", "uint8"), ("uint32", "uint64"), ("int32", "uint8"), ("int8", "int64")])
@only_for(lambda backend, dtypes: all(has_integers(backend, dtype) for dtype in dtypes))
def test_integers_of_two_types(backend, dtypes):
    largest = [int(np.iinfo(x).max) for x in dtypes]
    low = min(largest) - 9
    pairs = [
        ((low, low + 3), (low + 1, low + 5)),
        ((0, largest[0]), (0, largest[1])),
        ((1, 1), (1, 1)),
        ((0, 3), (1, 2)),
    ]
    of = [integers_of(backend, x) for x in dtypes]
    assert_values(backend, pairs, *of)


@only_for(lambda backend: backend.has_int64)
def test_uint64_beside_integers_with_a_sign(backend):
    """No type holds both, and floats round them: nothing is in a type that does not hold it."""
    pairs = [
        ((2**53, 2**53 + 2), (2**53 + 1, 2**53 + 3)),
        ((2**63 - 2, 2**63 + 2), (2**63 - 5, 2**63 - 1)),
        ((0, 2**64 - 1), (-(2**63), 2**63 - 1)),
        ((2**63, 2**64 - 2**62), (0, 2**63 - 2**62)),
        ((0, 0), (-5, 0)),
        ((0, 5), (-3, 5)),
        ((1, 3), (-2, 2)),
    ]
    assert_values(backend, pairs, integers_of(backend, "uint64"), integers_of(backend, "int64"))
    swapped = [(pred, true) for true, pred in pairs]
    assert_values(backend, swapped, integers_of(backend, "int64"), integers_of(backend, "uint64"))


@pytest.mark.parametrize("dtype", ["float16", "float32", "int16"])
@only_for(lambda backend, dtype: dtype != "float16" or not backend.name.startswith("strict"))  # no standard type
def test_narrow_numbers_are_found_in_the_widest_float(backend, dtype):
    """Thirds and the like have all the digits that the widest float has; integers stand beside floats."""
    pairs = [((0, 7), (1, 11)), ((-3, 4), (-2, 9.5))]
    assert_values(backend, pairs, lambda x: backend.of(np.asarray(x, dtype=dtype)), backend.array)


# What users have

LATER = [[2**53, 2**53 + 2]], [[2**53 + 1, 2**53 + 3]]
"""Of the length 2, with 1 in common and 3 in all; as floats the second begins where the first does."""


def frame_of(rows, kinds):
    return pd.DataFrame({name: pd.array([x], dtype=kind) for name, x, kind in zip("ab", rows[0], kinds, strict=True)})


def polars_of(rows, kinds):
    return pl.DataFrame({name: pl.Series([x], dtype=kind) for name, x, kind in zip("ab", rows[0], kinds, strict=True)})


FROM = {
    "lists beside uint64": (list, lambda x: np.asarray(x, dtype=np.uint64)),
    "lists of arrays": (lambda x: [np.uint64(x[0][0]), np.int64(x[0][1])], lambda x: np.asarray(x[0])),
    "objects": (lambda x: np.asarray(x, dtype=object), lambda x: np.asarray(x, dtype=np.uint64)),
    "pandas": (lambda x: frame_of(x, ("Int64", "Int64")), lambda x: frame_of(x, ("UInt64", "UInt64"))),
    "columns of pandas": (lambda x: frame_of(x, ("Int64", "UInt64")), lambda x: frame_of(x, ("uint64", "int64"))),
    "polars": (lambda x: polars_of(x, (pl.Int64, pl.Int64)), lambda x: polars_of(x, (pl.UInt64, pl.UInt64))),
    "columns of polars": (lambda x: polars_of(x, (pl.UInt64, pl.Int64)), list),
    "torch": (torch.tensor, lambda x: torch.tensor(x, dtype=torch.uint64)),
}


@pytest.mark.parametrize("kind", FROM)
def test_integers_that_floats_do_not_hold(kind):
    for first, second in (LATER, LATER[::-1]):
        true, pred = (of(x) for of, x in zip(FROM[kind], (first, second), strict=True))
        assert float(jaccard_score(true, pred)) == pytest.approx(1 / 3, rel=1e-15)
        accumulator = intervals.IntervalAccumulator(["jaccard"])
        accumulator.update(true, pred)
        assert float(accumulator.scores["jaccard_score"]) == pytest.approx(1 / 3, rel=1e-15)


def test_integers_beside_floats_that_do_not_hold_them():
    """What floats hold is exact beside them, and all else is an error; of a sample that counts."""
    assert jaccard_score([[0, 2**53]], [[0.0, 2.0**52]]) == 1 / 2
    with pytest.raises(
        ValueError, match=r"^true_intervals must hold integers from -2\^53 to 2\^53 if the other interv"
    ):
        jaccard_score([[0, 2**53 + 1]], [[0.0, 1.0]])
    two = [[0, 2**53 + 1], [0, 4]]
    assert jaccard_score(two, [[0.0, 1.0], [0.0, 1.0]], mask=[False, True]) == 1 / 4
    assert jaccard_score(two, [[0.0, 1.0], [0.0, 1.0]], sample_weight=[0, 1]) == 1 / 4
    compiled = torch.compile(jaccard_score, fullgraph=True, backend="aot_eager")  # values are not looked at
    assert torch.isnan(compiled(torch.tensor(two), torch.zeros(2, 2)))


def test_lists_frames_and_one_sample():
    true = pd.DataFrame({"start": [0.0, 2.0], "end": [4.0, 2.5]}, index=["a", "b"])
    pred = pd.DataFrame({"from": [1, 2], "to": [7, 3]}, index=["a", "b"])
    wanted = float((Fraction(3, 7) + Fraction(1, 2)) / 2)
    weighted = float((Fraction(3, 7) + 3 * Fraction(1, 2)) / 4)
    assert jaccard_score(true, pred) == pytest.approx(wanted, rel=1e-15)
    assert jaccard_score(true, pred, sample_weight=pd.Series([1, 3], index=["a", "b"])) == pytest.approx(weighted)
    assert jaccard_score(true, pred, mask=pd.Series([True, False], index=["a", "b"])) == pytest.approx(3 / 7, rel=1e-15)
    as_polars = [pl.DataFrame({x: frame[x].to_numpy() for x in frame.columns}) for frame in (true, pred)]
    assert jaccard_score(*as_polars) == pytest.approx(wanted, rel=1e-15)
    large = [pd.DataFrame({"start": [2**53 + x], "end": [2**53 + 2]}, dtype="Int64") for x in (1, 0)]
    assert jaccard_score(*large) == 1 / 2
    pairs = [[(0, 4), (2, Fraction(5, 2))], [(1, 7), (2, 3)]]
    assert jaccard_score(*pairs) == pytest.approx(wanted, rel=1e-15)
    one = jaccard_score((0, 4), (1, 7), return_per_sample=True)
    assert (type(one.score), one.sample_scores.shape) == (np.float64, (1,))
    assert jaccard_score(np.asarray([0, 4]), [[1, 7]]) == one.score


def test_missing_ends_of_samples_that_are_left_out():
    true = np.asarray([[0, None], [0, 4]], dtype=object)
    assert intervals.jaccard_score(true, [[1, 7], [2, 4]], mask=[False, True]) == 2 / 4
