"""How many instructions a warp issues in a turn of a kernel's loop over the samples, read from the cubin of sm_90.

Of NVIDIA's instructions only those are known that jump, load or add atomically: each is 16 bytes, of which the lowest
12 bits are its code.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import cubin

SIZE = 16  # bytes of an instruction
BRANCH, EXIT, LOAD = 0x947, 0x94D, 0x981
ATOMICS = {
    0x38C,
    0x38D,
    0x3A8,
    0x3A9,
    0x98E,
    0x9A3,
    0x9A6,
    0x9A8,
}
"""In shared memory, and beyond it with and without a result."""
BYTES_OF_LOAD = (1, 1, 2, 2, 4, 8, 16)
ALWAYS = 7  # the predicate that is always true


@dataclass(frozen=True)
class Instruction:
    """One of 128 bits."""

    low: int
    high: int

    @property
    def code(self) -> int:
        return self.low & 0xFFF

    @property
    def is_certain(self) -> bool:
        """Whether it is carried out whatever the predicates are."""
        return self.low >> 12 & 0xF == ALWAYS

    @property
    def is_for_divergence(self) -> bool:
        """Whether a branch is one that is taken where the lanes of a warp have not met."""
        return bool(self.high >> 27 & 1)

    @property
    def bytes_loaded(self) -> int:
        return BYTES_OF_LOAD[self.high >> 9 & 7] if self.code == LOAD else 0

    @property
    def jump(self) -> int:
        """How many instructions a branch goes on from the one behind it: 4 times a number of which 8 bits lie apart."""
        upper = (self.high & 0x3FFFF) << 30 | self.low >> 34
        upper -= (upper >> 47) << 48
        return (upper << 8 | self.low >> 16 & 0xFF) * 4 // SIZE


def instructions(image: bytes, name: str) -> list[Instruction]:
    """The instructions of a kernel, by its lowered name."""
    text = cubin.sections(image)[f".text.{name}"][1]
    words = [int.from_bytes(text[i : i + 8], "little") for i in range(0, len(text), 8)]
    return [Instruction(*pair) for pair in zip(words[::2], words[1::2], strict=True)]


def _next(code: list[Instruction], at: int) -> Iterator[int]:
    if code[at].code == BRANCH and not code[at].is_for_divergence:
        yield at + 1 + code[at].jump
    if code[at].code not in (BRANCH, EXIT) or not code[at].is_certain or code[at].is_for_divergence:
        yield at + 1


def _best(code: list[Instruction], start: int, end: int) -> tuple[int, int]:
    """The atomics and the instructions of the way from one place to another that has the most atomics, and is shortest.

    Ways only go on: a loop within is gone through once.
    """
    found: dict[int, tuple[int, int]] = {end: (0, 0)}  # atomics with a minus, instructions
    for at in range(end - 1, start - 1, -1):
        ways = [found[x] for x in _next(code, at) if at < x <= end and x in found]
        if ways:
            atomics, length = min(ways)
            found[at] = atomics - (code[at].code in ATOMICS), length + 1
    return -found[start][0], found[start][1]


def _reached(code: list[Instruction]) -> set[int]:
    """Where the lanes of a warp come that stay together."""
    found, ahead = set(), [0]
    while ahead:
        at = ahead.pop()
        if at not in found:
            found.add(at)
            ahead += _next(code, at)
    return found


def turn(code: list[Instruction]) -> tuple[int, int]:
    """The atomics and the instructions of one turn of the loop that has the widest loads, the largest one around these.

    Of all ways through it the one with the most atomics: each sample is of another cell than the one before it.
    """
    ends = [(at, x) for at in _reached(code) if code[at].code == BRANCH for x in _next(code, at) if x <= at]
    loops = [
        (-x.bytes_loaded, first - end, load)
        for end, first in ends
        for load, x in enumerate(code[first : end + 1], first)
        if x.bytes_loaded
    ]
    if not loops:
        raise ValueError("the kernel has no loop that loads anything")
    _, span, load = min(loops)
    first, end = next((first, end) for end, first in ends if first - end == span and first <= load <= end)
    before, after = _best(code, first, load), _best(code, load, end)
    return before[0] + after[0], before[1] + after[1] + 1
