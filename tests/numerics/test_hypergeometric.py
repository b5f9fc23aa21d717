"""The mean deviance of a hypergeometric count, against exact weights and 60-digit logarithms."""

import math
from fractions import Fraction
from functools import cache
from itertools import chain

import array_api_compat.torch as torch_xp
import array_api_strict
import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from compiling import as_users_do
from hypergeometric_oracles import exact, phi, variance_of
from oracles import expected_cell, mp

from gpuval.numerics.hypergeometric import NODES, _nodes, _stirling_square, mean_deviance_and_loss, nodes_for
from gpuval.numerics.stable import deviance

RTOL = 1e-14
"""Asked for is 1e-13."""


# --- Oracles -------------------------------------------------------------------------------------


def expected_deviance(a, b, n, xp, **kwargs):
    return mean_deviance_and_loss(a, b, n, xp.asarray(True), xp, device=getattr(a, "device", None), **kwargs)[0]


def definition(a, b, n):
    """Every k, weighted with its binomial coefficients."""
    if n == 0:
        return mp.mpf(0)
    mu = mp.mpf(a * b) / n
    ks = range(max(0, a + b - n), min(a, b) + 1)
    weights = [math.comb(a, k) * math.comb(n - a, b - k) for k in ks]
    assert sum(weights) == math.comb(n, b)
    if len(ks) == 1:
        return mp.mpf(0)  # K = mu: the logarithm of 1
    return sum(w * phi(k, mu) for k, w in zip(ks, weights, strict=True)) / sum(weights)


STIRLING_2 = [[1]]
for _i in range(1, 25):
    _last = [*STIRLING_2[-1], 0]
    STIRLING_2.append([0] + [j * _last[j] + _last[j - 1] for j in range(1, _i + 1)])


def by_moments(a, b, n, terms=16):
    """
    The exact central moments m_j in ``sum (-1)^j m_j / (j (j-1) mu^(j-1))``, for large means.

    It converges within mu of mu, and beyond even mu / 2 lies less than exp(-0.1 mu) < exp(-2000).
    Each two terms are smaller by a factor of about mu > 20000, so the last one bounds the error.
    """
    mu = Fraction(a * b, n)
    factorial = [Fraction(1)]
    for j in range(terms):
        factorial.append(factorial[-1] * Fraction((a - j) * (b - j), n - j))
    raw = [sum(s * f for s, f in zip(row, factorial, strict=False)) for row in STIRLING_2[: terms + 1]]
    total = last = Fraction(0)
    for j in range(2, terms + 1):
        central = sum(math.comb(j, i) * raw[i] * (-mu) ** (j - i) for i in range(j + 1))
        last = (-1) ** j * central / (j * (j - 1) * mu ** (j - 1))
        total += last
    assert abs(last) < abs(total) * Fraction(1, 10**17), "the mean is too small for this oracle"
    return mp.mpf(total.numerator) / total.denominator


def check(values, expected, pairs, rtol=RTOL):
    """Compare with the oracle's 60-digit values; an oracle's 0 must be met exactly."""
    assert len(values) == len(expected) == len(pairs)
    for value, wanted, pair in zip(values, expected, pairs, strict=True):
        error = abs(mp.mpf(float(value)) - wanted)
        assert error <= rtol * wanted, f"{pair}: {value} is off by {float(error / wanted)}"


def on_numpy(pairs, **kwargs):
    a, b, n = np.asarray(pairs, dtype=np.float64).T
    return expected_deviance(a, b, n, np, **kwargs)


# --- Sizes ---------------------------------------------------------------------------------------


def mixed_pairs(count=2500):
    """Sizes log-uniform in 1..n, n in 1..10^10, and their complements (whose K starts above 0)."""
    rng = np.random.default_rng(0)
    pairs = []
    while len(pairs) < count:
        n = int(10 ** rng.uniform(0, 10))
        a, b = (min(n, int(n ** rng.uniform())) for _ in range(2))
        a, b = (n - x if rng.uniform() < 0.3 else x for x in (a, b))
        if variance_of(a, b, n) < 3000:
            pairs.append((a, b, n))
    return pairs


def power_law_pairs():
    sizes = sorted({int(10**6 / rank**1.2) for rank in range(1, 40)})
    n = sum(sizes)
    return [(a, b, n) for a in sizes for b in sizes if variance_of(a, b, n) < 3000]


def extreme_pairs():
    return [
        pair
        for n in (1, 2, 3, 10, 101, 10**4, 10**7, 10**10)
        for a in {1, 2, n // 2, n - 1}
        for b in {1, 2, n // 2, n - 1}
        if max(a, b) <= n and variance_of(*(pair := (a, b, n))) < 3000
    ]


def small_mean_pairs():
    """Means from 1e-10 to 100, the heavier tails of a Poisson variable."""
    rng = np.random.default_rng(1)
    pairs = []
    for mean in np.logspace(-10, 2, 300):
        a = max(1, int(rng.uniform(0.1, 1) * math.sqrt(mean * 10**10)))
        pairs.append((a, max(1, int(mean * 10**10 / a)), 10**10))
    return pairs


def switch_pairs():
    """Around the sigmas where the stride leaves 1, 2 and 3; balanced, and nearly Poisson."""
    pairs = []
    for sigma in np.linspace(3, 20, 250):
        for share_a, share_b in ((0.5, 0.5), (0.3, 0.3), (0.1, 0.45), (1e-4, 1e-3)):
            n = sigma**2 / (share_a * share_b * (1 - share_a) * (1 - share_b))
            pairs.append((int(n * share_a), int(n * share_b), int(n)))
    return pairs


def large_pairs():
    """Means from 10^4 to 10^9, whose sigmas go up to 25000."""
    rng = np.random.default_rng(2)
    pairs = [(5 * 10**9, 5 * 10**9, 10**10), (10**10 - 10**5, 10**9, 10**10)]
    while len(pairs) < 500:
        n = int(10 ** rng.uniform(5.5, 10))
        a, b = (int(n * 10 ** rng.uniform(-3, 0)) for _ in range(2))
        if a * b > 2e4 * n:
            pairs.append((a, b, n))
    return pairs


MAKERS = [mixed_pairs, power_law_pairs, extreme_pairs, small_mean_pairs, switch_pairs, large_pairs]


@cache
def cases(maker):
    pairs = maker()
    oracle = by_moments if maker is large_pairs else exact
    return pairs, [oracle(*pair) for pair in pairs]


# --- The oracles and the checker -----------------------------------------------------------------


def test_oracles_agree():
    for n in (5, 12, 37):
        for a in range(n + 1):
            for b in range(n + 1):
                wanted = definition(a, b, n)
                assert abs(exact(a, b, n) - wanted) <= mp.mpf(10) ** -50 * wanted
    for a, b, n in ((3, 4, 20), (50, 60, 200), (1000, 800, 5000), (20_000, 30_000, 10**6)):
        assert abs(n * expected_cell(a, b, n) / exact(a, b, n) - 1) < 1e-30
    for pair in ((10**5, 10**5, 10**6), (3 * 10**4, 9 * 10**4, 10**5)):
        assert abs(by_moments(*pair, terms=24) / exact(*pair) - 1) < 1e-35


def test_checker_rejects_log_gamma():
    """The formula everyone uses, at the sizes of a large data set."""
    a, b, n = 20_000, 30_000, 10**9
    constant = sum(math.lgamma(x + 1) for x in (a, b, n - a, n - b)) - math.lgamma(n + 1)
    value = 0.0
    for k in range(1, 60):
        cells = (k, a - k, b - k, n - a - b + k)
        probability = math.exp(constant - sum(math.lgamma(c + 1) for c in cells))
        value += probability * k * math.log(n * k / (a * b))
    wanted = exact(a, b, n)
    assert 1e-6 < abs(value / wanted - 1) < 1e-4
    with pytest.raises(AssertionError, match="is off by"):
        check([value], [wanted], [(a, b, n)], rtol=1e-13)
    check(on_numpy([(a, b, n)]), [wanted], [(a, b, n)])


def test_checker_rejects_too_few_nodes():
    pair = (100, 100, 1000)
    with pytest.raises(AssertionError, match="is off by"):
        check(on_numpy([pair], nodes=9), [exact(*pair)], [pair], rtol=1e-13)


# --- Values --------------------------------------------------------------------------------------


def test_all_sizes_up_to_twelve():
    pairs = [(a, b, n) for n in range(13) for a in range(n + 1) for b in range(n + 1)]
    check(on_numpy(pairs), [definition(*pair) for pair in pairs], pairs)


@pytest.mark.parametrize("maker", MAKERS)
def test_accuracy(maker):
    pairs, wanted = cases(maker)
    check(on_numpy(pairs), wanted, pairs)


def test_constant_counts_are_exactly_zero():
    for n in (0, 1, 2, 7, 1000, 10**10):
        for other in {0, n // 3, n // 2, n}:
            pairs = [(0, other, n), (other, 0, n), (n, other, n), (other, n, n)]
            assert not np.any(on_numpy(pairs))


@pytest.mark.parametrize("maker", MAKERS)
def test_fewer_nodes_are_enough(maker):
    """Those that each pair needs, and those that it gets where another needs more."""
    pairs, wanted = cases(maker)
    nodes = nodes_for(*np.asarray(pairs, dtype=float).T)
    assert np.all((nodes >= 2) & (nodes <= NODES))
    for n in np.unique(nodes):
        for more in (n, min(n + 7, NODES)):
            chosen = np.flatnonzero(nodes == n)
            some = [pairs[i] for i in chosen]
            check(on_numpy(some, nodes=int(more)), [wanted[i] for i in chosen], some)


def test_how_many_nodes_there_are():
    """No more than a constant times 1 + sigma, and not even that where sigma is large."""
    assert nodes_for(*np.zeros(3)) == 2
    assert nodes_for(20.0, 1e9, 1e9) == 2
    assert nodes_for(1e3, 1e3, 1e6) < 30
    sizes = np.logspace(0, 9, 200)
    a, b = sizes[:, None], sizes[None, :]
    for n in (1e9, 1e10):
        sigma = np.sqrt(a * b / n * (1 - a / n) * (1 - b / n))
        nodes = nodes_for(a, b, n)
        assert np.all(nodes <= 30 * (1 + sigma))
        assert nodes[sigma > 10].max() <= 45


def test_fewer_nodes_are_enough_for_large_sigma():
    for maker in (switch_pairs, large_pairs):
        chosen = [case for case in zip(*cases(maker), strict=True) if variance_of(*case[0]) >= 100]
        pairs, wanted = zip(*chosen, strict=True)
        assert len(pairs) > 100
        check(on_numpy(pairs, nodes=41), wanted, pairs)


def test_broadcasting():
    a, b = np.asarray([[3.0], [5.0]]), np.asarray([0.0, 1.0, 4.0, 9.0])
    table = expected_deviance(a, b, np.asarray(9.0), np)
    assert table.shape == (2, 4)
    pairs = [(x, y, 9) for x in (3, 5) for y in (0, 1, 4, 9)]
    check(table.ravel(), [definition(*pair) for pair in pairs], pairs)
    scalar = expected_deviance(np.asarray(3.0), np.asarray(4.0), np.asarray(9.0), np)
    assert scalar.shape == ()
    assert scalar == table[0, 2]


# --- The pieces, and the bounds that the docstring claims ----------------------------------------


def test_stirling_square():
    for k in [*range(200), *(int(1.2**i) for i in range(29, 126))]:
        root = mp.exp(mp.loggamma(k + 1) + k - (k * mp.log(k) if k else 0))
        wanted = root**2 / (2 * mp.pi)
        assert abs(_stirling_square(np.float64(k)) / wanted - 1) < 5e-16


def test_deviance():
    for k in (0.0, 1.0, 2.0, 7.0, 100.0, 12345.0):
        for ratio in (1e-9, 0.3, 2 / 3, 0.67, 0.9, 1 + 1e-9, 1.1, 1.4, 1.49, 1.51, 3.0, 1e9):
            mu = mp.mpf(float(max(k, 1) / ratio))
            value = deviance(*map(np.asarray, (k, float(mu), float(k - mu))), np)
            wanted = phi(mp.mpf(k), mu)
            assert abs(value - wanted) <= 3e-15 * wanted
    assert deviance(np.asarray(0.0), np.asarray(0.0), np.asarray(0.0), np) == 0


@pytest.mark.parametrize(("nodes", "smallest_variance"), [(NODES, 0), (41, 100)])
def test_stride_is_fine_enough(nodes, smallest_variance):
    """Aliasing is at most exp(-40), for any variance that a reflected mean allows."""
    mean = np.logspace(-3, 10, 20_001)[:, None]
    for ratio in (1.0, 0.9, 0.7, 0.5, 0.4, 0.3, 0.25):
        variance = ratio * mean
        k, _, inside = _nodes(mean, variance, np.full_like(mean, np.inf), nodes, np, None)
        assert inside.all()
        stride = (k[:, 1:2] - k[:, :1])[variance >= smallest_variance]
        v, m = variance[variance >= smallest_variance], mean[variance >= smallest_variance]
        exponent = v * np.minimum(1, 2 * np.sin(np.pi / stride) ** 2)
        exponent = np.where(stride == 2, np.minimum(m, 2 * v), exponent)
        assert np.all((stride == 1) | (exponent >= 40))


def test_strides_that_are_allowed_are_fine_enough():
    rng = np.random.default_rng(11)
    n = np.floor(10 ** rng.uniform(1, 10, 50_000))
    a, b = (np.ceil(n * 10 ** rng.uniform(-6, 0, 50_000)) for _ in range(2))
    small_a, small_b = np.minimum(a, n - a), np.minimum(b, n - b)
    mean = small_a * small_b / n
    variance = mean * (1 - small_a / n) * (n - small_b) / (n - 1)
    nodes = nodes_for(a, b, n)
    for count in np.unique(nodes):
        chosen = nodes == count
        m, v, top = (x[chosen, None] for x in (mean, variance, np.minimum(small_a, small_b)))
        k, _, inside = _nodes(m, v, top, int(count), np, None)
        stride = k[:, 1:2] - k[:, :1]
        exponent = v * np.minimum(1, 2 * np.sin(np.pi / np.maximum(stride, 2)) ** 2)
        exponent = np.where(stride == 2, np.minimum(m, 2 * v), exponent)
        assert np.all((stride <= 1) | (exponent >= np.where(stride == 2, 40, 49.999)) | ~inside[:, 1:2])


@pytest.mark.parametrize("variance", [1e-6, 0.01, 1.0, 20.0, 41.0])
def test_window_leaves_out_nothing(variance):
    """The upper tail of a Poisson variable, the heaviest with this variance."""
    mean = np.asarray([[variance]])
    k, _, _ = _nodes(mean, mean, np.asarray([[np.inf]]), NODES, np, None)
    assert k[0, 0] == 0
    assert k[0, 1] == 1
    k, _, _ = _nodes(
        mean, mean, np.asarray([[np.inf]]), int(nodes_for(*[math.sqrt(variance) * 1e5] * 2, 1e10)), np, None
    )
    last = int(k[0, -1])
    tail = [mp.exp(-variance) * mp.mpf(variance) ** j / mp.factorial(j) for j in range(last + 1, last + 200)]
    left_out = sum(p * phi(last + 1 + i, variance) for i, p in enumerate(tail))
    assert sum(tail) < mp.exp(-39)
    assert left_out < 1e-15 * exact(*(int(math.sqrt(variance) * 1e5),) * 2, 10**10)


# --- Every library -------------------------------------------------------------------------------


def on_torch(columns):
    result = expected_deviance(*map(torch.asarray, columns), torch_xp)
    return result.numpy()


def on_jax(columns):
    function = jax.jit(lambda a, b, n: expected_deviance(a, b, n, jnp), compiler_options=as_users_do())
    return np.asarray(function(*map(jnp.asarray, columns)))


def on_jax_x64(columns):
    with jax.enable_x64(True):
        return on_jax(columns)


def on_strict(columns, name="CPU_DEVICE"):
    device = array_api_strict.Device(name)
    columns = (array_api_strict.asarray(column, device=device) for column in columns)
    result = expected_deviance(*columns, array_api_strict)
    assert result.device == device
    return np.asarray(result.to_device(array_api_strict.Device("CPU_DEVICE")))


def on_second_device(columns):
    return on_strict(columns, "device1")


def on_narrow_device(columns):
    return on_strict(columns, "no_float64")


@pytest.mark.parametrize("run", [on_torch, on_jax_x64, on_strict, on_second_device])
def test_double_precision(run):
    """All sizes in one call: what is compiled is compiled for their number."""
    pairs, wanted = ([*chain(*lists)] for lists in zip(*map(cases, MAKERS), strict=True))
    values = run(np.ascontiguousarray(np.asarray(pairs, dtype=np.float64).T))
    assert values.dtype == np.float64
    check(values, wanted, pairs)


@cache
def single_precision_cases():
    """Sizes that float32 can hold, up to 2^31."""
    pairs = []
    for maker in (mixed_pairs, switch_pairs, extreme_pairs):
        pairs += [p for p in cases(maker)[0] if np.array_equal(np.float32(p), np.asarray(p))]
    rng = np.random.default_rng(3)
    while len(pairs) < 2000:
        n = int(rng.integers(1, 2**24)) << int(rng.integers(0, 8))
        a, b = (int(np.float32(n ** rng.uniform())) for _ in range(2))
        if rng.uniform() < 0.2 and np.float32(n - a) == n - a:
            a = n - a
        if variance_of(a, b, n) < 3000:
            pairs.append((a, b, n))
    large = [(2**30, 2**30, 2**31), (2**29, 2**28, 2**31), (2**31 - 2**27, 2**27, 2**31)]
    return pairs + large, [exact(*p) for p in pairs] + [by_moments(*p) for p in large]


@pytest.mark.parametrize("run", [on_torch, on_jax, on_narrow_device, on_strict])
def test_single_precision(run):
    pairs, wanted = single_precision_cases()
    values = run(np.ascontiguousarray(np.asarray(pairs, dtype=np.float32).T))
    assert values.dtype == np.float32
    check(values, wanted, pairs, rtol=1e-5)
