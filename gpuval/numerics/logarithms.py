"""Sums of reciprocals of logarithms, for any number of terms in a fixed number of steps."""

from __future__ import annotations

from typing import Any

from gpuval.numerics import Array

_LN_2 = 0.6931471805599453

LOGARITHMS_FROM = 128
"""From this number on the expansion of :func:`reciprocal_logarithms` has all digits of a float."""

_GAMMA = 0.5772156649015329
"""Euler's constant."""
_REST = -0.24323834289098076
"""What the sum of 1/ln(m) over m = 2..n has beyond its expansion for large n: the limit of the difference."""
_TERMS = 128
"""So many terms of the series of li have all digits for every integer of 64 bits."""


def reciprocal_logarithms(n: Array, backend: Any) -> Array:
    """The sum of 1/log2(m) over the integers m from 2 to n, for real n of ``LOGARITHMS_FROM`` or more.

    By the formula of Euler and Maclaurin the sum of f(m) = 1/ln(m) is li(n) + f(n)/2 + f'(n)/12 - f'''(n)/720 + ... and
    a constant. With u = ln(n), li(n) is the sum of ln(u), Euler's constant, and u^k/(k k!) over k >= 1, in which
    nothing cancels.
    """
    u = backend.xp.log(n)

    def step(state: tuple[Array, ...]) -> tuple[Array, ...]:
        k, power, total = state
        power = power * u / k
        return k + 1, power, total + power / k

    one = backend.xp.ones_like(u)
    li = backend.repeated(step, (one, one, backend.xp.log(u) + _GAMMA), _TERMS)[2]
    v = 1 / u
    first, third = -v * v / n, -v * v * (2 + 6 * v + 6 * v * v) / (n * n * n)
    return _LN_2 * (li + _REST + v / 2 + first / 12 - third / 720)
