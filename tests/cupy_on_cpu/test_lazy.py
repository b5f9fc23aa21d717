"""Arrays whose arithmetic waits: they give what NumPy gives, by few kernels, and are never returned."""

import math

import cupy
import numpy as np
import pytest

import gpuval
from cupy_on_cpu.arrays import lazy_parts
from gpuval.engines import lazily, without_waiting
from gpuval.engines.backends import backend_of
from gpuval.engines.cuda.arithmetic import texts
from gpuval.engines.cuda.arithmetic.lazy import Lazy

pytestmark = pytest.mark.gpu

KINDS = ["bool", "int32", "int64", "float32", "float64"]

SHAPES = [(), (7,), (3, 1), (3, 5), (2, 3, 5), (3, 0)]


def drawn(rng, shape, kind):
    values = rng.integers(-3, 4, shape) * (0.5 if kind.startswith("float") else 1)
    return np.asarray(values).astype(kind)


@pytest.fixture
def launched(monkeypatch):
    """The texts of the kernels that have been launched."""
    found, compiled = [], texts.kernel_of_text

    def kernel(text, name):
        found.append(text)
        return compiled(text, name)

    monkeypatch.setattr(texts, "kernel_of_text", kernel)
    return found


def as_lazy(x):
    return lazily(cupy.asarray(x))


def same(found, wanted):
    wanted = np.asarray(wanted)
    assert isinstance(found, Lazy)
    assert found.shape == wanted.shape
    assert found.dtype == wanted.dtype
    found = without_waiting(found)
    assert isinstance(found, cupy.ndarray)
    np.testing.assert_array_equal(found.get(), wanted)


OPERATORS = {
    "bool": "x & y; x | y; x ^ y; x == y; ~x; x + y; x & True",
    "whole": "x + y; x - 2; 3 * x; x * y; x & y; x | 1; x ^ y; x >> 1; x << 2; -x; ~x; x / 2; x // 2; x % 3; x < y",
    "real": "x + y; 2 - x; x * y; x / 4; 1 / y; -x; x <= y; 0.25 > x; x == y; x**2; 2.0**x; x // 0.5",
}


@pytest.mark.parametrize("kind", KINDS)
def test_operators(kind):
    """Also of two shapes, which are broadcast, and where nothing of it waits."""
    rng = np.random.default_rng(1)
    group = {"b": "bool", "i": "whole", "f": "real"}[np.dtype(kind).kind]
    for shape, other in [((), ()), ((7,), (7,)), ((3, 1), (1, 5)), ((3, 5), (5,)), ((2, 3, 5), (3, 1)), ((0,), (1,))]:
        x, y = drawn(rng, shape, kind), drawn(rng, other, kind)
        for text in OPERATORS[group].split("; "):
            with np.errstate(all="ignore"):
                wanted = eval(text, {"x": x, "y": y})
            same(eval(text, {"x": as_lazy(x), "y": as_lazy(y)}), wanted)


@pytest.mark.parametrize("kinds", [("int64", "float64"), ("float32", "float64"), ("bool", "int64"), ("int32", "int64")])
def test_operators_of_two_types(kinds):
    rng = np.random.default_rng(2)
    x, y = (drawn(rng, (3, 5), kind) for kind in kinds)
    for text in ("x + y", "y - x if x.dtype != 'bool' else y", "x * y", "x < y", "x == y"):
        same(eval(text, {"x": as_lazy(x), "y": as_lazy(y)}), eval(text, {"x": x, "y": y}))


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_functions(kind):
    """A kernel finds what CuPy finds; numbers that are not finite, too."""
    x = cupy.asarray(np.asarray([0, 0.1, 1, 2.5, -1, -0.0, np.nan, np.inf, -np.inf], dtype=kind))
    y = x[::-1]
    xp, own = backend_of(as_lazy(x)).xp, backend_of(x).xp
    with np.errstate(all="ignore"):
        for name in (
            "sqrt",
            "exp",
            "expm1",
            "log",
            "log1p",
            "log2",
            "floor",
            "ceil",
            "abs",
            "isnan",
            "isfinite",
            "isinf",
        ):
            same(getattr(xp, name)(as_lazy(x)), getattr(own, name)(x).get())
        for name in ("minimum", "maximum", "logaddexp"):
            same(getattr(xp, name)(as_lazy(x), as_lazy(y)), getattr(own, name)(x, y).get())
    for wanted in KINDS:
        finite = cupy.asarray([0.0, 0.5, -2.25, 3.0], dtype=kind)
        same(xp.astype(as_lazy(finite), wanted), finite.get().astype(wanted))
        same(xp.astype(as_lazy(finite) + 0, wanted), finite.get().astype(wanted))


@pytest.mark.parametrize("kind", KINDS)
def test_where_and_constants(kind):
    rng = np.random.default_rng(3)
    x, y = drawn(rng, (3, 5), kind), drawn(rng, (5,), kind)
    a, b = as_lazy(x), as_lazy(y)
    xp = backend_of(a).xp
    same(xp.where(a != 0, a, b), np.where(x != 0, x, y))
    same(xp.where(a != 0, a, xp.zeros_like(a)), np.where(x != 0, x, np.zeros_like(x)))
    same(xp.where(a != 0, float("nan"), 1.0), np.where(x != 0, np.nan, 1.0))
    same(xp.zeros((2, 3), dtype=kind, device=a.device), np.zeros((2, 3), dtype=kind))
    same(xp.ones((0,), dtype=kind, device=a.device), np.ones((0,), dtype=kind))
    same(xp.full_like(a, 1), np.full_like(x, 1))
    same(xp.arange(3, 9, dtype="int64", device=a.device), np.arange(3, 9))
    same(xp.arange(5, dtype="int64", device=a.device)[:, None] * 2, np.arange(5)[:, None] * 2)
    same(xp.arange(4, 2, dtype="int64", device=a.device), np.arange(0))


@pytest.mark.parametrize("kind", ["bool", "int64", "float64"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_sums_and_extremes(shape, kind):
    """Of an array, of what waits, and of places that do not lie one after the other."""
    rng = np.random.default_rng(4)
    x = drawn(rng, shape, kind)
    twice = np.repeat(x, 2, axis=-1) if x.ndim else x
    strided = cupy.asarray(twice)[..., ::2] if x.ndim else cupy.asarray(x)
    xp = backend_of(as_lazy(x)).xp
    every = [None, *range(x.ndim), *([(0, -1)] if x.ndim > 1 else [])]
    for given, keepdims in [(lazily(strided), True), (as_lazy(x) & True if kind == "bool" else as_lazy(x) + 0, False)]:
        for axis in every:
            options = {"axis": axis, "keepdims": keepdims}
            same(xp.sum(given, **options), x.sum(**options, dtype=None if kind == "float64" else "int64"))
            n = x.size if axis is None else math.prod(x.shape[j] for j in np.atleast_1d(axis))
            for name in ("any", "all") if kind == "bool" else ("max", "min") if n else ():
                same(getattr(xp, name)(given, **options), getattr(np, name)(x, **options))


def test_an_extreme_is_nan_if_a_number_is():
    x = np.array([[1.0, np.nan, 2.0], [3.0, 1.0, -np.inf]])
    xp = backend_of(as_lazy(x)).xp
    for name in ("max", "min"):
        same(getattr(xp, name)(as_lazy(x), axis=1), getattr(np, name)(x, axis=1))


@pytest.mark.parametrize("n", [31, 33, 512, 513, 3000, (1 << 16) + 1])
def test_long_sums(n):
    """By a warp, by a block, and of more by CuPy; of whole numbers, which are exact in any order."""
    x = np.arange(3 * n).reshape(3, n) % 1001
    xp = backend_of(as_lazy(x)).xp
    same(xp.sum(as_lazy(x) * 2, axis=1), x.sum(axis=1) * 2)
    same(xp.sum(as_lazy(x.T) * 2.0, axis=0), x.sum(axis=1) * 2.0)
    same(xp.max(as_lazy(x), axis=1), x.max(axis=1))


@pytest.mark.parametrize("waits", [False, True])
def test_places(waits):
    """Views, elements at places, and arrays one after the other."""
    rng = np.random.default_rng(5)
    x, y = rng.normal(size=(4, 3)), rng.normal(size=(2, 3))
    a, b = (as_lazy(z) * 2 if waits else as_lazy(z * 2) for z in (x, y))
    x, y, places = x * 2, y * 2, np.array([3, 0, 0, 2, 1])
    xp, at = backend_of(a).xp, as_lazy(places) + 0
    for key in [
        np.s_[:],
        np.s_[..., None],
        np.s_[None],
        np.s_[:, None],
        np.s_[0:4],
        np.s_[1],
        np.s_[:, 1:],
        np.s_[::-1],
        np.s_[:, 0],
    ]:
        same(a[key], x[key])
    same(xp.sum(a, axis=1, keepdims=True)[..., 0], x.sum(axis=1))
    same((a[:1] * 1)[0], x[0])
    same(a[:, None, :] - a[None, :, :], x[:, None] - x[None])
    same(a[a > 0], x[x > 0])
    same(a[at], x[places])
    same(a[at, at * 0], x[places, places * 0])
    same(xp.take(a, at, axis=0), x[places])
    same(xp.take(a, at * 0 + 1, axis=1), x[:, places * 0 + 1])
    same(xp.take(xp.take(a, at, axis=0), at, axis=0), x[places][places])
    same(xp.take(xp.sum(a, axis=1), at), x.sum(axis=1)[places])
    same(xp.concat([a, b]), np.concatenate([x, y]))
    same(xp.concat([a, b, a]), np.concatenate([x, y, x]))
    same(xp.concat([a, a], axis=1), np.concatenate([x, x], axis=1))
    same(xp.concat([a, b[:0]]), x)
    same(
        xp.take(xp.concat([a, xp.zeros((1, 3), dtype="float64", device=a.device)]), at + 1, axis=0),
        np.vstack([x, 0 * x[:1]])[places + 1],
    )
    same(xp.stack([a, a + 1]), np.stack([x, x + 1]))
    same(xp.stack([xp.min(a), xp.max(a)]), np.array([x.min(), x.max()]))
    same(xp.reshape(a, (3, 4)), x.reshape(3, 4))
    same(a.T, x.T)


def test_products():
    rng = np.random.default_rng(6)
    x, y, z = rng.integers(0, 9, (3, 40)).astype(float), rng.integers(0, 9, (40, 2)).astype(float), np.arange(40.0)
    backend = backend_of(as_lazy(x))
    same(backend.matmul(as_lazy(x), as_lazy(y)), x @ y)
    same(backend.matmul(as_lazy(x) + 1, as_lazy(z)), (x + 1) @ z)
    long = np.ones((2, 1 << 20))
    same(backend.matmul(as_lazy(long), as_lazy(long.T)), long @ long.T)


def test_what_waits_is_one_kernel(launched):
    """Ten operations are one; a sum of what they give is another, and the last is of that one number."""
    x = as_lazy(np.arange(10.0))
    xp = backend_of(x).xp
    y = xp.where(x > 3, xp.sqrt(x * 2 + 1), -x) / (1 + xp.exp(-x))
    total = xp.sum(y) / 10
    assert not launched
    without_waiting(y)
    without_waiting(total)
    assert len(launched) == 3  # the sum reads y
    assert "sqrt" not in launched[1] + launched[2]


def test_sums_alike_are_one_kernel(launched):
    x = as_lazy(np.arange(12.0).reshape(3, 4))
    xp = backend_of(x).xp
    found = [xp.sum(x * i, axis=1) for i in range(5)]
    assert [y.get().tolist() for y in without_waiting(found)] == [
        (np.arange(12).reshape(3, 4).sum(1) * i).tolist() for i in range(5)
    ]
    assert len(launched) == 1


def test_an_option_is_no_part_of_the_text(launched):
    """Else a sweep would compile a kernel for each value."""
    x = as_lazy(np.arange(10.0))
    for option in (0.1, 0.25, 7.5, float("nan")):
        without_waiting(x * option + option)
    assert len(launched) == 4
    assert len(set(launched)) == 1


def test_each_operation_is_rounded():
    """A product that is added is not joined with the sum, which would round once (fused multiply-add)."""
    x = np.array([1 + 2.0**-30])
    a = as_lazy(x)
    same(a * a - 1 - 2.0**-29, x * x - 1 - 2.0**-29)


def test_much_that_waits():
    """Deep, and of more arrays than a kernel reads; parts are found before."""
    x = np.arange(5.0)
    deep, wide = as_lazy(x), as_lazy(x)
    for i in range(500):
        deep = deep * 0.5 + i
    for i in range(100):
        wide = wide + as_lazy(x * i)
    wanted, total = x, x
    for i in range(500):
        wanted = wanted * 0.5 + i
    for i in range(100):
        total = total + x * i
    same(deep, wanted)
    same(wide, total)


def test_memory_is_given_back_at_once():
    """Nothing waits for the garbage collector: a lazy array is in no cycle."""
    import gc
    import weakref

    gc.disable()
    try:
        kept = cupy.arange(10.0)
        alive = weakref.ref(kept)
        x = lazily(kept)
        y = backend_of(x).xp.sum(x * 2) + 1
        without_waiting(y)
        del kept, x, y
        assert alive() is None
    finally:
        gc.enable()


def test_other_types_do_not_wait():
    x = np.arange(6, dtype="uint8")
    a = as_lazy(x)
    same(a + a, x + x)
    same(backend_of(a).xp.sum(a, dtype="int64"), x.sum(dtype="int64"))
    same(backend_of(a).xp.max(a), x.max())
    same(backend_of(a).xp.take(a, as_lazy(np.array([1, 0]))), x[[1, 0]])


def test_only_arrays_of_cupy_are_made_lazy():
    for x in (np.arange(3), [1], None, 2.0):
        assert lazily(x) is x
    a = as_lazy(np.arange(3))
    assert lazily(a) is a


def test_an_accumulator_keeps_arrays_of_cupy():
    """So that a batch may be written into after it was added."""
    rng = np.random.default_rng(7)
    X, labels = rng.normal(size=(30, 2)), np.arange(30) % 3
    batch = cupy.asarray(X)
    accumulator = gpuval.InternalAccumulator(n_clusters=3)
    for _ in range(2):
        accumulator.update(batch, cupy.asarray(labels))
        batch[...] = cupy.asarray(X + 1)
    assert not [*lazy_parts(accumulator, set())]
    wanted = gpuval.calinski_harabasz_score(np.concatenate([X, X + 1]), np.tile(labels, 2))
    assert float(gpuval.calinski_harabasz_score(accumulator.moments)) == pytest.approx(float(wanted), rel=1e-12)


def test_a_constant_that_is_read_before_what_is_made_of_it():
    """It has fewer elements then than the array that it is read for."""
    x = np.arange(15.0).reshape(3, 5)
    a = as_lazy(x)
    row = backend_of(a).xp.full_like(a[0, :] * 1, 0.5)
    found = a + row
    same(row, np.full(5, 0.5))
    same(found, x + 0.5)


def test_many_numbers():
    """More than a kernel has arguments."""
    x = np.arange(3.0)
    found, wanted = [as_lazy(x)], x
    for i in range(600):
        found.append(as_lazy(x) * (i + 10.5) if i == 0 else found[1] * (i + 10.5))
    while len(found) > 1:
        found = [a + b for a, b in zip(found[::2], found[1::2], strict=False)] + found[len(found) // 2 * 2 :]
    wanted = x + x * 10.5 + sum(x * 10.5 * (i + 10.5) for i in range(1, 600))
    np.testing.assert_allclose(without_waiting(found[0]).get(), wanted, rtol=1e-12)


def test_numbers_beyond_a_type():
    x = np.arange(3, dtype="int32")
    same(as_lazy(x) < 2**40, x < 2**40)
    with pytest.raises(OverflowError):
        as_lazy(x) + 2**40


def test_a_lazy_array_is_no_argument_of_numpy():
    with pytest.raises(TypeError, match="is to be read before"):
        np.asarray(as_lazy(np.arange(3)))


def test_results_are_not_the_arrays_of_a_table():
    """So that they may be written into."""
    counts = np.array([[3, 1], [0, 2]])
    table = gpuval.Contingency.from_counts(cupy.asarray(counts))
    for measure in (gpuval.contingency_matrix, gpuval.pair_confusion_matrix, gpuval.adjusted_rand_score):
        found = measure(table)
        found += 1
        assert table.counts.get().tolist() == counts.tolist()
    assert gpuval.contingency_matrix(table, sparse=True).toarray().tolist() == counts.tolist()


def test_labels_that_are_large_numbers():
    """They stay as CuPy's, while codes are lazy."""
    rng = np.random.default_rng(8)
    X, labels = rng.normal(size=(30, 2)), np.array([0, 10**12, 5])[np.arange(30) % 3]
    found = gpuval.silhouette_label(cupy.asarray(X), cupy.asarray(labels), return_per_label=True)
    assert cupy.asarray(found.labels).get().tolist() == [0, 5, 10**12]
