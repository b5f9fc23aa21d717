"""Measures of ranked lists by definition, to compare the library with.

They are slow and plain, and neither import nor resemble the library. A definition takes the relevances of one list in
their order, as fractions, and gives a `Fraction` where the value is rational, else a 60-digit `mpf`; None where the
list has no relevant document. `ORACLES` holds them by public name; the options are those of the public functions.

`of_scores` is the mean over all orders that scores leave open, `of_queries` the mean over queries.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from oracles import NAN, mp, ratio, real

F = Fraction
Relevances = Sequence[Fraction]

ORACLES: dict[str, Callable[..., Any]] = {}


def oracle(function: Callable[..., Any]) -> Callable[..., Any]:
    """Register a definition: None where there is no relevant document, in the list or outside of it."""

    def defined(relevances: Relevances, n_relevant: int | None = None, ideal: Any = None, **options: Any) -> Any:
        if n_relevant is None:
            n_relevant = sum(x > 0 for x in (relevances if ideal is None else ideal))
        if ideal is not None and function.__name__ == "ndcg_score":
            options["ideal"] = [F(x) for x in ideal]
        return function(relevances, n_relevant, **options) if n_relevant else None

    ORACLES[function.__name__] = defined
    return defined


# One list


@oracle
def precision_at_n(relevances, n_relevant, n=None):
    """Relevant ones of the first n, by n; by the length of the list if all of it is asked for."""
    return F(sum(x > 0 for x in relevances[:n]), len(relevances) if n is None else n)


@oracle
def recall_at_n(relevances, n_relevant, n=None):
    return F(sum(x > 0 for x in relevances[:n]), n_relevant)


@oracle
def hit_rate(relevances, n_relevant, n=None):
    return F(any(x > 0 for x in relevances[:n]))


@oracle
def average_precision_score(relevances, n_relevant, n=None, divisor="cutoff"):
    """The precision at each rank of a relevant document, by as many as there could be, by all, or by those found."""
    total = F(0)
    for k, x in enumerate(relevances[:n], 1):
        if x > 0:
            total += F(sum(y > 0 for y in relevances[:k]), k)
    hits = sum(x > 0 for x in relevances[:n])
    most = n_relevant if n is None else min(n, n_relevant)
    return ratio(total, {"cutoff": most, "relevant": n_relevant, "found": hits}[divisor])


@oracle
def reciprocal_rank_score(relevances, n_relevant, n=None):
    return next((F(1, k) for k, x in enumerate(relevances[:n], 1) if x > 0), F(0))


@oracle
def cumulative_gain(relevances, n_relevant, n=None, gain="linear"):
    return sum((_gain(x, gain) for x in relevances[:n]), F(0))


@oracle
def dcg_score(relevances, n_relevant, n=None, gain="linear", discount="log2"):
    return _discounted(relevances, n, gain, discount)


@oracle
def ndcg_score(relevances, n_relevant, n=None, gain="linear", discount="log2", ideal=None):
    """By that of the ideal; without one, the list has all relevant documents, or all have the relevance 1."""
    if ideal is None:
        missing = n_relevant - sum(x > 0 for x in relevances)
        assert not missing or set(relevances) <= {0, 1}
        ideal = [*relevances, *[F(1)] * missing]
    best = _discounted(sorted(ideal, reverse=True), n, gain, discount)
    return ratio(_discounted(relevances, n, gain, discount), best)


def _discounted(relevances, n, gain, discount):
    return sum((real(_gain(x, gain)) / _discount(k, discount) for k, x in enumerate(relevances[:n], 1)), mp.mpf(0))


def _gain(x, gain):
    if gain == "linear":
        return x
    return F(2) ** x.numerator - 1 if x.denominator == 1 else mp.mpf(2) ** real(x) - 1


def _discount(rank, discount):
    """The logarithm to base 2 of the rank and 1; of Järvelin and Kekäläinen: of the rank, from rank 2 on."""
    return mp.log(rank + 1, 2) if discount == "log2" else max(mp.mpf(1), mp.log(rank, 2))


# Several orders


def orders(relevances: Sequence[Any], scores: Sequence[Any] | None) -> Iterator[list[Fraction]]:
    """The relevances in every order in which no score is above a larger one."""
    if scores is None:
        yield [F(x) for x in relevances]
        return
    groups = [
        [F(x) for x, score in zip(relevances, scores, strict=True) if score == level]
        for level in sorted(set(scores), reverse=True)
    ]
    for order in product(*map(permutations, groups)):
        yield [x for group in order for x in group]


def of_orders(name: str, relevances: Sequence[Any], scores: Sequence[Any] | None, **options: Any) -> list[Any]:
    """The value of a measure for every order that scores leave open."""
    return [ORACLES[name](order, **options) for order in orders(relevances, scores)]


def of_scores(name: str, relevances: Sequence[Any], scores: Sequence[Any] | None, **options: Any) -> Any:
    """The mean over all orders that scores leave open; None if there is no value."""
    values = of_orders(name, relevances, scores, **options)
    return None if values[0] is None else sum(values[1:], values[0]) / len(values)


def stable(relevances: Sequence[Any], scores: Sequence[Any]) -> list[Fraction]:
    """The relevances by score, tied ones as they are given."""
    return [F(relevances[i]) for i in sorted(range(len(scores)), key=lambda i: -scores[i])]


# Several queries


def of_queries(values: Sequence[Any], weights: Sequence[Any] | None = None, on_undefined: str = "zero") -> Any:
    """The weighted mean over the queries of their values; of those without one (None), as the option says."""
    weights = [1] * len(values) if weights is None else weights
    pairs = [(x, F(w)) for x, w in zip(filled(values, on_undefined), weights, strict=True) if w]
    if on_undefined == "skip":
        pairs = [(x, w) for x, w in pairs if x is not NAN]
    if not pairs or any(x is NAN for x, _ in pairs):
        return NAN
    return sum((real(x) * real(w) for x, w in pairs), mp.mpf(0)) / real(sum(w for _, w in pairs))


def filled(values: Sequence[Any], on_undefined: str) -> list[Any]:
    """The values of queries, with what the option says for those that have none."""
    return [{"zero": F(0), "one": F(1)}.get(on_undefined, NAN) if x is None else x for x in values]
