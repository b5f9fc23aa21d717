"""How many digits numbers have, and the marks beside them: the same in tables, sentences, plots and reports.

A score has no digits that are noise, but for one to sort by. All scores of a column have the same number of decimals.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Sequence

FEWEST_DECIMALS, USUAL_DECIMALS, MOST_DECIMALS = 2, 3, 4
"""Of scores from -1 to 1; the usual number is that of scores without intervals."""

_SIGNIFICANT = 3
"""Digits of the median of other scores."""

_LEAST, _LARGE, _MANY = 1e-3, 1e10, 6
"""Scores that are all nearer to 0 have digits like large ones; larger ones, and those of more decimals, have a power of
ten."""

MINUS, TO = "\N{MINUS SIGN}", "\N{EN DASH}"
"""What stands before a negative number, and between the ends of an interval."""

_FULL, _REST = "\N{FULL BLOCK}", "\N{LIGHT SHADE}"

_UNBROKEN = "\N{NO-BREAK SPACE}"

HIGHEST, TIED, BEHIND, CAUTION, NONE = (
    "\N{BLACK CIRCLE}",
    "\N{ALMOST EQUAL TO}",
    "\N{BLACK DOWN-POINTING TRIANGLE}",
    "\N{WHITE UP-POINTING TRIANGLE}",
    TO,
)
"""The marks of the best score, of one that is not told apart from it, of one that is behind, of what is to be read with
caution, and of no value."""

ABOUT_TIED = "not told apart from it"
BEST_IN_COMMON = "best of the samples in common"
"""What is said of marks below a table; the second where labelings are of different samples: the highest score may be of
other ones."""

_IN_ASCII = str.maketrans(
    {HIGHEST: "*", TIED: "=", BEHIND: "v", CAUTION: "!", TO: "-", MINUS: "-", _UNBROKEN: " "}
    | {_FULL: "#", _REST: ".", "\N{HORIZONTAL ELLIPSIS}": "~", "\N{DOWNWARDS ARROW}": "v", "\N{UPWARDS ARROW}": "^"}
    | dict.fromkeys("“”", '"')
)
"""One letter for one, so that columns stay below each other."""


def in_ascii(text: str) -> str:
    """A text of ours for what has no letters but those of ASCII: with other marks."""
    return text.translate(_IN_ASCII)


def for_terminal(text: str) -> str:
    """A text as the terminal can show it: with marks of ASCII, and other letters escaped, where it cannot show all."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"  # None where text is kept in memory
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return in_ascii(text).encode(encoding, "backslashreplace").decode(encoding)
    except LookupError:  # an encoding that Python does not know
        pass
    return text


def decimals(values: Iterable[float], low: Iterable[float] = (), high: Iterable[float] = ()) -> int:
    """How many decimals the scores of a column have, or those of all columns from -1 to 1 of a table together.

    Scores from -1 to 1 have one more than their noise leaves: ``1 + ceil(-log10(w))``, where 2 w is the median width of
    their intervals, at least 2 and at most 4; without intervals 3. Of other scores the median has 3 digits, and so it
    has where all are nearer to 0 than 0.001 and have no intervals.

    Examples
    --------
    >>> decimals([0.62714, 0.60725], [0.60, 0.57], [0.66, 0.63])
    3
    >>> decimals([222.1, 258.4, 244.0]), decimals([1.32, 0.81, 1.07]), decimals([0.0000123])
    (0, 2, 7)
    """
    known = [abs(x) for x in values if math.isfinite(x) and x]
    widths = [b - a for a, b in zip(low, high, strict=True) if 0 < b - a < math.inf]
    if known and not is_bounded(known) and (max(known) > 1 or not widths):
        return max(0, _SIGNIFICANT - 1 - math.floor(math.log10(_median(known))))
    if not widths:
        return USUAL_DECIMALS
    return min(max(1 + math.ceil(-math.log10(_median(widths) / 2)), FEWEST_DECIMALS), MOST_DECIMALS)


def is_bounded(values: Iterable[float]) -> bool:
    """Whether the known values are from -1 to 1, and not all of them next to 0: they may share their decimals."""
    known = [abs(x) for x in values if math.isfinite(x)]
    return not any(x > 1 for x in known) and (not any(known) or max(known) >= _LEAST)


def _decimals_of_ends(decimals: int) -> int:
    """How many decimals the ends of the intervals of scores have: one less, but at least 2 where the scores have 2."""
    return max(decimals - 1, min(decimals, FEWEST_DECIMALS))


def _median(numbers: Sequence[float]) -> float:
    return sorted(numbers)[len(numbers) // 2]


def score_text(x: float, decimals: int) -> str:
    """A number with these decimals; a power of ten where these are many, or the number is large.

    Examples
    --------
    >>> score_text(-0.0221, 3), score_text(0.00001, 3), score_text(22100.4, 0), score_text(1.234e-8, 10)
    ('−0.022', '0.000', '22,100', '1.23e−08')
    """
    if math.isnan(x):
        return NONE
    is_plain = decimals <= _MANY and (abs(x) < _LARGE or math.isinf(x))
    text = f"{x:,.{decimals}f}" if is_plain else f"{x:.{_SIGNIFICANT - 1}e}"
    if not float(text.replace(",", "")):  # no -0
        text = text.removeprefix("-")
    return text.replace("-", MINUS)


def interval_text(low: float, high: float, decimals: int) -> str:
    """The ends of an interval of a score with these decimals; empty if none is known.

    Examples
    --------
    >>> interval_text(0.5963, 0.6581, 3), interval_text(-0.1, 0.2, 3), interval_text(float("nan"), 1, 3)
    ('0.60–0.66', '−0.10–0.20', '')
    """
    if math.isnan(low) or math.isnan(high):
        return ""
    return TO.join(score_text(x, _decimals_of_ends(decimals)) for x in (low, high))


def gap_text(gap: float, decimals: int) -> str:
    """How far a score is from another one, with its sign.

    Examples
    --------
    >>> gap_text(-0.0221, 3), gap_text(0.0221, 3), gap_text(0.0, 3)
    ('−0.022', '+0.022', '0.000')
    """
    text = score_text(gap, decimals)
    return f"+{text}" if gap > 0 and text.strip("0.,") else text


def share_text(share: float) -> str:
    """A share in whole percent.

    Examples
    --------
    >>> [share_text(x).replace("\N{NO-BREAK SPACE}", " ") for x in (0.34, 0.004, 0.999, 1.0, 0.0)]
    ['34 %', '<1 %', '99 %', '100 %', '0 %']
    """
    if 0 < share < 0.01:
        return f"<1{_UNBROKEN}%"
    return f"{min(share, 0.99) if share < 1 else share:.0%}".replace("%", f"{_UNBROKEN}%")


def bar_text(share: float, width: int = 10) -> str:
    """A bar of letters that is filled as far as a share from 0 to 1 goes; empty if that is not known.

    Examples
    --------
    >>> bar_text(0.62), bar_text(0.0), bar_text(1.2), bar_text(float("nan"))
    ('██████░░░░', '░░░░░░░░░░', '██████████', '')
    """
    if math.isnan(share):
        return ""
    n_full = round(width * min(max(share, 0.0), 1.0))
    return _FULL * n_full + _REST * (width - n_full)


def count_text(number: float) -> str:
    """A count, or what samples weigh, with commas between thousands.

    Examples
    --------
    >>> count_text(20000), count_text(12.345678), count_text(12345.6)
    ('20,000', '12.35', '12,346')
    """
    return f"{number:,}" if isinstance(number, int) else f"{number:,.4g}" if number < 9999.5 else f"{number:,.0f}"


def p_text(p_value: float) -> str:
    """A p-value with its name.

    Examples
    --------
    >>> p_text(0.0312), p_text(0.0000002), p_text(1.0)
    ('p = 0.031', 'p < 0.001', 'p = 1')
    """
    return "p < 0.001" if p_value < 0.001 else f"p = {p_value:.2g}"
