"""Areas under curves of which only the weights of positive and negative entries by bin of their scores are known.

Both have shape (k, n_bins), for k classes, in bins of rising scores: integers, if entries weigh whole numbers, which
then are as many entries of one score; else real numbers. What is said to hold always holds but for rounding.
"""

from __future__ import annotations

from gpuval.engines.backends import Backend, backend_of
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio


def auc_of_bins(positives: Array, negatives: Array) -> tuple[Array, Array]:
    """The area under the ROC curve with the pairs of one bin as ties, and the largest error; NaN without pairs.

    A pair of one bin counts 1/2 here, and 0, 1/2 or 1 if the scores are known: so the exact area differs by at most
    half of the weight of such pairs, divided by that of all pairs, always.
    """
    backend = backend_of(positives)
    h, m, below = (_real(x, backend) for x in (positives, negatives, _weight_below(negatives, backend)))
    all_pairs = backend.sum(h, -1) * backend.sum(m, -1)
    half = backend.sum(h * m, -1) / 2
    value, error = backend.sum(h * below, -1) + half, half
    nan = float("nan")
    return ratio(value, all_pairs, backend.xp, nan), ratio(error, all_pairs, backend.xp, nan)


def average_precision_of_bins(positives: Array, negatives: Array) -> tuple[Array, Array, Array]:
    """The average precision with one threshold for each bin, and the least and the largest; NaN without positives.

    Of a bin with the weights h and m, and the weights H and M above it, the positive entries have at most H + h
    true and at least M false ones that score as high: each has at most the precision (H + h)/(H + h + M).

    With c = M + m, the j-th of them has at least H + j true and at most c false ones: f(H + j) with f(x) = x/(x + c) is
    its least precision. As f is concave, that is not below the mean of f from H + j - 1/2 to H + j + 1/2, and the sum
    over j is at least the integral of f from H + 1/2 to H + h + 1/2, h - c log(1 + h/(H + c + 1/2)). With real
    weights, of which each may be small, it is as f rises at least the integral from H to H + h.
    """
    backend = backend_of(positives)
    xp = backend.xp
    h, m = _real(positives, backend), _real(negatives, backend)
    h_above, m_above = (_real(_weight_above(x, backend), backend) for x in (positives, negatives))
    true, false = h_above + h, m_above + m
    step = 0.0 if backend.kind(positives) == "real" else 0.5
    mean = h * ratio(true, true + false, xp)
    least = h - false * xp.log1p(ratio(h, h_above + false + step, xp))
    most = h * ratio(true, true + m_above, xp)
    total = backend.sum(h, -1)
    value, lower, upper = (ratio(backend.sum(x, -1), total, xp, float("nan")) for x in (mean, least, most))
    return value, lower, upper


def _weight_below(weights: Array, backend: Backend) -> Array:
    """The weight of the bins below each."""
    return backend.xp.concat(
        [backend.xp.zeros_like(weights[..., :1]), backend.cumulative_sum(weights)[..., :-1]], axis=-1
    )


def _weight_above(weights: Array, backend: Backend) -> Array:
    """The weight of the bins above each."""
    xp = backend.xp
    return xp.flip(_weight_below(xp.flip(weights, axis=-1), backend), axis=-1)


def _real(x: Array, backend: Backend) -> Array:
    return backend.as_real(x, x)
