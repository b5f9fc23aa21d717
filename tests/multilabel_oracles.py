"""Measures of several labels a sample by definition, to compare the library with.

They are slow and plain, and neither import nor resemble the library. Labels and predictions are rows of numbers: a row
for a sample, a number for a class. A measure is a function of one column: of its entries, each a label (0 or 1), a
prediction or a score, and a weight. It gives a `Fraction` where the value is rational, else a 60-digit `mpf`, and None
where it is 0/0. `COLUMNS` holds them by public name; `value` finds the columns that an average speaks of, and their
mean.

Measures that are no mean over columns are functions of all rows: `balanced_accuracy_score`, `log_loss`,
`mean_probability_rate` and `macro_average_probability_rate`.
"""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from oracles import NAN, mp, real

F = Fraction
Rows = Sequence[Sequence[Any]]


class Entry(NamedTuple):
    """What is known of a sample and a class, what is said of it, and what it weighs."""

    label: Fraction
    given: Fraction | float
    weight: Fraction


Column = list[Entry]
COLUMNS: dict[str, Callable[..., Any]] = {}


def of_column(function: Callable[..., Any]) -> Callable[..., Any]:
    """Register the definition of a measure of one column."""
    COLUMNS[function.__name__] = function
    return function


def ratio(p: Any, q: Any) -> Any:
    """The quotient, or None for 0/0."""
    assert q != 0 or p == 0
    return None if q == 0 else p / q


def weight(entries: Iterable[Entry]) -> Fraction:
    return sum((x.weight for x in entries), F(0))


# ---- columns -------------------------------------------------------------------------------------


def entries(y: Rows, a: Rows, mask: Any = None, weights: Any = None) -> list[list[Entry | None]]:
    """The entries of each sample by class; None for those that are not known."""
    weights = [1] * len(y) if weights is None else weights
    mask = [[True] * len(row) for row in y] if mask is None else mask
    return [
        [Entry(F(label), number(given), F(w)) if known else None for label, given, known in zip(*rows, strict=True)]
        for *rows, w in zip(y, a, mask, weights, strict=True)
    ]


def number(x: Any) -> Any:
    """A fraction, or an infinite float."""
    return float(x) if x in (float("inf"), -float("inf")) else F(x)


def known(column: Iterable[Entry | None]) -> Column:
    return [x for x in column if x is not None]


def by_class(y: Rows, a: Rows, mask: Any = None, weights: Any = None) -> list[Column]:
    return [known(column) for column in zip(*entries(y, a, mask, weights), strict=True)]


def of_all(y: Rows, a: Rows, mask: Any = None, weights: Any = None) -> Column:
    return known(x for row in entries(y, a, mask, weights) for x in row)


def by_sample(y: Rows, a: Rows, mask: Any = None) -> list[Column]:
    """Each row as a column, in which all entries weigh the same."""
    return [known(row) for row in entries(y, a, mask)]


# ---- measures of a column ------------------------------------------------------------------------


def counts(column: Column) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """TP, FP, FN and TN."""
    return tuple(weight(x for x in column if (x.label, x.given) == kind) for kind in ((1, 1), (0, 1), (1, 0), (0, 0)))


@of_column
def precision_score(column):
    tp, fp, _, _ = counts(column)
    return ratio(tp, tp + fp)


@of_column
def recall_score(column):
    tp, _, fn, _ = counts(column)
    return ratio(tp, tp + fn)


@of_column
def f_score(column, beta=1):
    """The share of the correct ones, where beta^2 wrong negatives count as much as one wrong positive."""
    if beta in (0, float("inf")):
        return precision_score(column) if beta == 0 else recall_score(column)
    tp, fp, fn, _ = counts(column)
    square = F(beta) ** 2
    return ratio((1 + square) * tp, (1 + square) * tp + square * fn + fp)


@of_column
def hamming_loss(column):
    return ratio(weight(x for x in column if x.label != x.given), weight(column))


@of_column
def mean_squared_error(column):
    return ratio(sum(x.weight * (x.label - x.given) ** 2 for x in column), weight(column))


@of_column
def mean_absolute_error(column):
    return ratio(sum(x.weight * abs(x.label - x.given) for x in column), weight(column))


@of_column
def roc_auc_score(column):
    """The pairs of a positive and a negative where the positive has the larger score; half of those with equal ones."""
    won = pairs = F(0)
    for p in column:
        for n in column:
            if (p.label, n.label) == (1, 0):
                pairs += p.weight * n.weight
                won += p.weight * n.weight * (F(p.given > n.given) + F(p.given == n.given) / 2)
    return ratio(won, pairs)


@of_column
def average_precision_score(column):
    """The precision of all entries at or above each threshold, by the recall that is won there."""
    positives = weight(x for x in column if x.label == 1)
    if positives == 0:
        return None
    total = before = F(0)
    for threshold in sorted({x.given for x in column}, reverse=True):
        above = [x for x in column if x.given >= threshold]
        tp = weight(x for x in above if x.label == 1)
        if tp > before:
            total += (tp - before) / positives * (tp / weight(above))
        before = tp
    return total


@of_column
def binary_log_loss(column, eps=F(0)):
    """The mean of -y log a - (1 - y) log(1 - a), where a is at least eps and at most 1 - eps."""
    losses = [x.weight * _log(clipped(x.given, eps) if x.label else 1 - clipped(x.given, eps)) for x in column]
    total = weight(column)
    return None if total == 0 else -sum(losses, mp.mpf(0)) / real(total)


def clipped(a, eps):
    return min(max(F(a), F(eps)), 1 - F(eps))


def _log(x):
    return mp.log(real(x)) if x else -mp.inf


# ---- averages ------------------------------------------------------------------------------------

FILLS = {"zero": F(0), "one": F(1), "nan": NAN, "skip": NAN}


def filled(x: Any, on_undefined: str) -> Any:
    return FILLS[on_undefined] if x is None else x


def mean(values: Sequence[Any], weights: Sequence[Any] | None = None, on_undefined: str = "zero") -> Any:
    """The weighted mean; None, or an undefined one, as the option says; those of weight 0 do not count."""
    weights = [1] * len(values) if weights is None else weights
    pairs = [(filled(x, on_undefined), F(w)) for x, w in zip(values, weights, strict=True) if w]
    if on_undefined == "skip":
        pairs = [(x, w) for x, w in pairs if x is not NAN]
    if any(x is NAN for x, _ in pairs):
        return NAN
    if not pairs:
        return filled(None, on_undefined)
    total = sum(w for _, w in pairs)
    if all(isinstance(x, Fraction) for x, _ in pairs):
        return sum(x * w for x, w in pairs) / total
    return sum((real(x) * real(w) for x, w in pairs), mp.mpf(0)) / real(total)


def geometric_mean(values: Sequence[Any], on_undefined: str = "zero") -> Any:
    found = [filled(x, on_undefined) for x in values]
    if on_undefined == "skip":
        found = [x for x in found if x is not NAN]
    if not found or any(x is NAN for x in found):
        return NAN
    product = mp.mpf(1)
    for x in found:
        product *= real(x)
    return mp.root(product, len(found)) if product else F(0)


def value(
    name: str,
    y: Rows,
    a: Rows,
    average: str | None = "macro",
    *,
    mask: Any = None,
    weights: Any = None,
    on_undefined: str = "zero",
    **options: Any,
) -> Any:
    """The value of a measure of columns, or those of the classes."""
    measure = COLUMNS[name]
    classes = by_class(y, a, mask, weights)
    values = [measure(column, **options) for column in classes]
    if average is None:
        return [filled(x, on_undefined) for x in values]
    if average == "macro":
        return mean(values, on_undefined=on_undefined)
    if average == "weighted":
        return mean(values, [weight(x for x in column if x.label == 1) for column in classes], on_undefined)
    if average == "micro":
        return filled(measure(of_all(y, a, mask, weights), **options), on_undefined)
    if average == "samples":
        return mean([measure(row, **options) for row in by_sample(y, a, mask)], weights, on_undefined)
    if average == "geometric":
        return geometric_mean(values, on_undefined)
    assert (name, average) == ("f_score", "macro_of_means")
    return f_of_means(classes, on_undefined, **options)


def f_of_means(classes: list[Column], on_undefined: str, beta: Any = 1) -> Any:
    """F of the macro mean of precision and that of recall: 0 if both are 0."""
    p = mean([precision_score(x) for x in classes], on_undefined=on_undefined)
    r = mean([recall_score(x) for x in classes], on_undefined=on_undefined)
    if p is NAN or r is NAN:
        return NAN
    square = F(beta) ** 2
    return ratio((1 + square) * p * r, square * p + r) or F(0)


# ---- measures of all rows ------------------------------------------------------------------------


def balanced_accuracy_score(y, a, definition="recall", *, adjusted=False, mask=None, weights=None, on_undefined="skip"):
    """The mean over the classes of a value of each; adjusted it is 0 where the k classes are found by chance."""
    values = [BALANCED[definition](x) for x in by_class(y, a, mask, weights)]
    score = mean(values, on_undefined=on_undefined)
    if not adjusted:
        return score
    chance = F(1, sum(x is not None for x in values))
    return NAN if chance == 1 else (score - chance) / (1 - chance)


def specificity(column):
    _, fp, _, tn = counts(column)
    return ratio(tn, tn + fp)


def min_precision_recall(column):
    """0/0 where the class neither occurs nor is predicted; where only one is so the other is 0."""
    values = [x for x in (precision_score(column), recall_score(column)) if x is not None]
    return min(values) if values else None


def _of_both(combine):
    """Of recall and specificity, where both are defined."""

    def combined(column):
        values = [recall_score(column), specificity(column)]
        return None if None in values else combine(values)

    return combined


BALANCED = {
    "recall": recall_score,
    "min_precision_recall": min_precision_recall,
    "min_recall_specificity": _of_both(min),
    "mean_recall_specificity": _of_both(lambda x: sum(x) / 2),
}


def log_loss(y, a, *, eps=F(0), mask=None, weights=None):
    """The mean over the samples of -sum of y log a, where a is at least eps and at most 1 - eps."""
    weights = [1] * len(y) if weights is None else weights
    total = mp.mpf(0)
    for row in entries(y, a, mask, weights):
        for x in known(row):
            if x.label and x.weight:
                total -= real(x.weight) * _log(clipped(x.given, eps))
    return total / real(sum(map(F, weights)))


def mean_probability_rate(y, a, *, weights=None):
    """The mean over the samples of what is given to the classes that they have."""
    weights = [F(1)] * len(y) if weights is None else list(map(F, weights))
    given = [sum(F(p) for label, p in zip(*rows, strict=True) if label) for rows in zip(y, a, strict=True)]
    return sum(w * x for w, x in zip(weights, given, strict=True)) / sum(weights)


def macro_average_probability_rate(y, a, *, mask=None, weights=None, on_undefined="skip"):
    """The mean over the classes of what is given to them on average where they are there."""
    values = []
    for column in by_class(y, a, mask, weights):
        own = [x for x in column if x.label]
        values.append(ratio(sum(x.weight * x.given for x in own), weight(own)))
    return mean(values, on_undefined=on_undefined)


def predicted_labels(a, threshold=F(1, 2), *, at_least_one=False):
    """Which scores reach the threshold of their class, or else are the largest of their row."""
    thresholds = threshold if isinstance(threshold, list | tuple) else [threshold] * len(a[0])
    return [
        [int(x >= (min(F(c), max(row)) if at_least_one else c)) for x, c in zip(row, thresholds, strict=True)]
        for row in a
    ]


# ---- one label a sample --------------------------------------------------------------------------


def indicators(labels: Sequence[Any], classes: Sequence[Any]) -> list[list[int]]:
    """The matrix of one label a sample."""
    return [[int(label == x) for x in classes] for label in labels]


def of_vectors(true: Sequence[Any], pred: Sequence[Any]) -> tuple[list[list[int]], list[list[int]]]:
    """Both matrices, with a column for each label of either."""
    classes = sorted({*true, *pred})
    return indicators(true, classes), indicators(pred, classes)
