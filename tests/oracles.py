"""Exact definitions of every measure of a contingency table, to compare the library with.

They are slow and plain, and neither import nor resemble the library. An oracle takes a table of
counts as a list of rows of Python integers (rows are classes, columns are clusters; empty rows and
columns are allowed; a tuple of tuples where many measures have the same table) and gives a
`Fraction` where the value is rational, a 60-digit `mpf` where it is not, and a list of them for the
measures with one value per cluster. `ORACLES` holds them by public name; the options are those of the public functions.

Two rules are common to all of them:

- the same partition twice, whatever it is (also empty), is worth 1 to every normalised score:
  these are `@score`, the others `@oracle`;
- 0/0 anywhere else is 0, and nothing but 0 may ever be divided by 0: that is `ratio`.
"""

import math
from collections import Counter, deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cache, lru_cache, wraps
from itertools import combinations, permutations

import mpmath

mp = mpmath.mp.clone()  # a context of our own: the precision of other users of mpmath stays as it is
mp.dps = 60

Table = Sequence[Sequence[int]]
Partition = frozenset[frozenset[int]]
F = Fraction
NAN = math.nan
"""No value: equal to itself in lists, which look for the same object first."""

ORACLES: dict[str, Callable] = {}


def oracle(function: Callable) -> Callable:
    """Register a definition under its own name."""
    ORACLES[function.__name__] = function
    return function


def score(function: Callable) -> Callable:
    """Register a normalised score: 1 for the same partition twice, its own definition otherwise."""

    @wraps(function)
    def one_for_the_same_partition(table, **options):
        return F(1) if same_partition(table) else function(table, **options)

    return oracle(one_for_the_same_partition)


def of_table(function: Callable) -> Callable:
    """Remember what a part of several definitions finds of a table; of a table of lists it is found each time."""
    remembered = lru_cache(maxsize=10_000)(function)

    @wraps(function)
    def found(table, **options):
        return (remembered if type(table) is tuple else function)(table, **options)

    return found


# ---- labels and tables ---------------------------------------------------------------------------


def table_of(labels_true: Sequence[Hashable], labels_pred: Sequence[Hashable]) -> Table:
    """Count the samples of every (class, cluster), both in sorted order."""
    samples = Counter(zip(labels_true, labels_pred, strict=True))
    return [[samples[i, j] for j in sorted(set(labels_pred))] for i in sorted(set(labels_true))]


class WeightedTable(list):
    """A table of samples with real weights, and what its cells do not tell: how much their pairs weigh.

    A pair of two samples weighs the product of their weights.
    """

    def __init__(
        self, labels_true: Sequence[Hashable], labels_pred: Sequence[Hashable], weights: Iterable[float]
    ) -> None:
        samples = list(zip(labels_true, labels_pred, map(F, weights), strict=True))
        clusters = sorted({pred for _, pred, _ in samples})
        rows = [{j: F(0) for j in clusters} for _ in sorted({true for true, _, _ in samples})]
        for row, label in zip(rows, sorted({true for true, _, _ in samples}), strict=True):
            for true, pred, weight in samples:
                row[pred] += weight * (true == label)
        super().__init__(list(row.values()) for row in rows)
        weighs: Counter[tuple[bool, bool]] = Counter()
        for (i, j, w), (k, m, x) in combinations(samples, 2):
            weighs[i == k, j == m] += w * x
        self.pairs = tuple(weighs[kind] + F(0) for kind in ((True, True), (True, False), (False, True), (False, False)))


def agreement_table_of(labels_true: Sequence[Hashable], labels_pred: Sequence[Hashable]) -> Table:
    """Count over the sorted union of both label sets: the square table of Cohen's kappa."""
    samples = Counter(zip(labels_true, labels_pred, strict=True))
    labels = sorted({*labels_true, *labels_pred})
    return [[samples[i, j] for j in labels] for i in labels]


def table_for(name: str, labels_true: Sequence[Hashable], labels_pred: Sequence[Hashable]) -> Table:
    """Build the table that the oracle of this name takes."""
    build = agreement_table_of if name == "cohen_kappa_score" else table_of
    return build(labels_true, labels_pred)


def all_partitions(n: int) -> Iterator[tuple[int, ...]]:
    """Every partition of n items, once each, as a label vector (a restricted growth string)."""
    if n == 0:
        yield ()
        return
    for head in all_partitions(n - 1):
        for label in range(len(set(head)) + 1):
            yield (*head, label)


@of_table
def transposed(table: Table) -> Table:
    """Swap the roles of classes and clusters."""
    kind = tuple if type(table) is tuple else list
    return kind(kind(column) for column in zip(*table, strict=True))


@of_table
def class_sizes(table: Table) -> list[int]:
    """Give the row sums of the non-empty classes."""
    return [sum(row) for row in table if sum(row) > 0]


@of_table
def cluster_sizes(table: Table) -> list[int]:
    """Give the column sums of the non-empty clusters."""
    return class_sizes(transposed(table))


@of_table
def cells(table: Table) -> list[tuple[int, int, int]]:
    """List every non-empty cell: its count, the size of its class, the size of its cluster."""
    a, b = [sum(row) for row in table], [sum(column) for column in transposed(table)]
    return [(count, a[i], b[j]) for i, row in enumerate(table) for j, count in enumerate(row) if count > 0]


@of_table
def total(table: Table) -> int:
    """Count the samples."""
    return sum(map(sum, table))


@of_table
def same_partition(table: Table) -> bool:
    """Tell whether the non-empty cells pair the non-empty classes and clusters one to one."""
    return len(cells(table)) == len(class_sizes(table)) == len(cluster_sizes(table))


# ---- numbers -------------------------------------------------------------------------------------


def real(x):
    """Convert an integer, float or fraction to 60 digits."""
    return mp.mpf(x.numerator) / x.denominator if isinstance(x, Fraction) else mp.mpf(x)


def ratio(p, q):
    """Divide, exactly where both are rational, with 0/0 = 0."""
    if q == 0:
        if p != 0:
            raise ZeroDivisionError(f"{p}/0 is not 0/0")
        return F(0)
    if isinstance(p, int | Fraction) and isinstance(q, int | Fraction):
        return F(p) / q
    return real(p) / real(q)


@lru_cache(maxsize=10_000)
def log(x: Fraction, base=None):
    """Take the logarithm of a fraction, natural unless a base is given; log(1) is exactly 0."""
    return mp.log(real(x)) / (1 if base is None else mp.log(real(base)))


def root(x):
    """Take the square root of a rational number."""
    return mp.sqrt(real(x))


def mean(values: Iterable):
    """Average, with an empty average being 0."""
    values = list(values)
    return ratio(sum(values), len(values))


def f_beta(precision, recall, beta):
    """Combine by the weighted harmonic mean (1 + beta^2) P R / (beta^2 P + R)."""
    squared = F(beta) ** 2
    return ratio((1 + squared) * precision * recall, squared * precision + recall)


# ---- pair counting -------------------------------------------------------------------------------


def pairs_by_looking(labels_true: Sequence, labels_pred: Sequence) -> tuple[int, int, int, int]:
    """Look at every pair of samples: (both, true_only, pred_only, neither)."""
    seen = [
        (labels_true[s] == labels_true[t], labels_pred[s] == labels_pred[t])
        for s, t in combinations(range(len(labels_true)), 2)
    ]
    return (
        seen.count((True, True)),
        seen.count((True, False)),
        seen.count((False, True)),
        seen.count((False, False)),
    )


@of_table
def pairs(table: Table) -> tuple[int, int, int, int]:
    """Count the same four numbers from the table."""
    if isinstance(table, WeightedTable):
        return table.pairs
    both = sum(math.comb(count, 2) for row in table for count in row)
    together_true = sum(math.comb(size, 2) for size in class_sizes(table))
    together_pred = sum(math.comb(size, 2) for size in cluster_sizes(table))
    true_only, pred_only = together_true - both, together_pred - both
    return both, true_only, pred_only, math.comb(total(table), 2) - both - true_only - pred_only


def together(table: Table, side: str) -> int:
    """Count the pairs that are together on the side `true` or `pred`."""
    both, true_only, pred_only, _ = pairs(table)
    return both + {"true": true_only, "pred": pred_only}[side]


def other(side: str) -> str:
    """Name the opposite side."""
    return {"true": "pred", "pred": "true"}[side]


@score
def rand_score(table):
    both, true_only, pred_only, neither = pairs(table)
    return ratio(both + neither, both + true_only + pred_only + neither)


@score
def adjusted_rand_score(table):
    both = pairs(table)[0]
    A, B, everything = together(table, "true"), together(table, "pred"), sum(pairs(table))
    expected = ratio(A * B, everything)
    return ratio(both - expected, F(A + B, 2) - expected)


@score
def fowlkes_mallows_score(table):
    return ratio(pairs(table)[0], root(together(table, "true") * together(table, "pred")))


@score
def adjusted_fowlkes_mallows_score(table):
    # (FM - E)/(1 - E) with FM = both/sqrt(A B) and E = sqrt(A B)/all, times all sqrt(A B)
    both = pairs(table)[0]
    A, B, everything = together(table, "true"), together(table, "pred"), sum(pairs(table))
    return ratio(both * everything - A * B, everything * root(A * B) - A * B)


@score
def pair_precision_score(table):
    both, _, pred_only, _ = pairs(table)
    return ratio(both, both + pred_only)


@score
def pair_recall_score(table):
    both, true_only, _, _ = pairs(table)
    return ratio(both, both + true_only)


@score
def pair_f_score(table, *, beta=1):
    return f_beta(pair_precision_score(table), pair_recall_score(table), beta)


@score
def pair_jaccard_score(table):
    both, true_only, pred_only, _ = pairs(table)
    return ratio(both, both + true_only + pred_only)


@score
def pair_kulczynski_score(table):
    return (pair_precision_score(table) + pair_recall_score(table)) / 2


@score
def pair_ochiai_score(table):
    return root(pair_precision_score(table) * pair_recall_score(table))


@score
def pair_simpson_score(table):
    return ratio(pairs(table)[0], min(together(table, "true"), together(table, "pred")))


@score
def pair_braun_blanquet_score(table):
    return ratio(pairs(table)[0], max(together(table, "true"), together(table, "pred")))


@score
def pair_inclusion_score(table, *, of="true", variant=1):
    both, A = pairs(table)[0], together(table, of)
    return ratio(both, {1: A, 2: 2 * A - both}[variant])


@oracle
def mirkin_distance(table, *, normalized=False):
    _, true_only, pred_only, _ = pairs(table)
    return ratio(2 * (true_only + pred_only), total(table) ** 2 if normalized else 1)


@score
def hubert_gamma_score(table):
    both, true_only, pred_only, neither = pairs(table)
    A, B = both + true_only, both + pred_only
    return ratio(
        both * neither - true_only * pred_only,
        root(A * (pred_only + neither) * B * (true_only + neither)),
    )


@score
def rogers_tanimoto_score(table):
    both, true_only, pred_only, neither = pairs(table)
    return ratio(both + neither, both + neither + 2 * (true_only + pred_only))


@oracle  # the share of pairs together in both: not 1 for the same partition twice
def russell_rao_score(table):
    return ratio(pairs(table)[0], sum(pairs(table)))


@score
def sokal_sneath_score(table, *, variant=1):
    both, true_only, pred_only, neither = pairs(table)
    different = true_only + pred_only
    if variant == 1:
        return ratio(both, both + 2 * different)
    return {2: ratio(both + neither, both + neither + F(different, 2))}[variant]


@oracle  # a test statistic: no difference is 0/0
def mcnemar_index(table):
    _, true_only, pred_only, _ = pairs(table)
    return ratio(true_only - pred_only, root(true_only + pred_only))


@score
def wallace_score(table, *, given="true"):
    return ratio(pairs(table)[0], together(table, given))


@score
def adjusted_wallace_score(table, *, given="true"):
    # (W - E)/(1 - E) with W = both/A and E = B/all, times A all
    A, B = together(table, given), together(table, other(given))
    both, everything = pairs(table)[0], sum(pairs(table))
    return ratio(both * everything - A * B, A * (everything - B))


def adjusted_pairs_of_rows(table):
    """(W_i - E)/(1 - E) of each non-empty row i, W_i the share of its pairs that are in one column; NaN without a pair.

    E is the share of all pairs that are in one column.
    """
    everything = math.comb(total(table), 2)
    expected = ratio(sum(math.comb(size, 2) for size in cluster_sizes(table)), everything)
    values = []
    for row in table:
        own = math.comb(sum(row), 2)
        if own == 0:
            values += [NAN] * sum(row)  # one sample, or none
        elif same_partition(table):
            values.append(F(1))
        else:
            values.append(ratio(F(sum(math.comb(count, 2) for count in row), own) - expected, 1 - expected))
    return values


@oracle
def class_adjusted_wallace_scores(table):
    return adjusted_pairs_of_rows(table)


@oracle
def cluster_adjusted_wallace_scores(table):
    return adjusted_pairs_of_rows(transposed(table))


@oracle
def prediction_strength_scores(table):
    pairs = [math.comb(sum(row), 2) for row in table for _ in range(min(sum(row), 1))]
    kept = [sum(math.comb(count, 2) for count in row) for row in table if sum(row) > 0]
    return [F(x, y) if y else NAN for x, y in zip(kept, pairs, strict=True)]


@oracle
def prediction_strength_score(table):
    return min((x for x in prediction_strength_scores(table) if x is not NAN), default=NAN)


# ---- information ---------------------------------------------------------------------------------


@lru_cache(maxsize=10_000)
def shannon(sizes: tuple[int, ...], base=None):
    """Entropy of blocks of these sizes."""
    sizes = [size for size in sizes if size > 0]
    return -sum(F(size, sum(sizes)) * log(F(size, sum(sizes)), base) for size in sizes) + mp.zero


def sizes_of(table: Table, side: str) -> list[int]:
    """Give the block sizes of the partition on the side `true` or `pred`."""
    return {"true": class_sizes, "pred": cluster_sizes}[side](table)


def average(x, y, method: str):
    """Average two entropies."""
    if method == "geometric":
        return mp.sqrt(x * y)
    return {"min": min(x, y), "arithmetic": (x + y) / 2, "max": max(x, y)}[method]


@oracle
def entropy(table, *, of="true", base=None):
    return shannon(tuple(sizes_of(table, of)), base)


@oracle
def joint_entropy(table, *, base=None):
    return shannon(tuple(count for count, _, _ in cells(table)), base)


@of_table
@oracle
def conditional_entropy(table, *, given="pred", base=None):
    # H(true|pred) = -sum n_ij/n log(n_ij/b_j)
    if given == "true":
        return conditional_entropy(transposed(table), base=base)
    n = total(table)
    terms = [F(count, n) * log(F(count, b), base) for count, _, b in cells(table)]
    return {"pred": -sum(terms, mp.zero)}[given]


@of_table
@oracle
def mutual_info_score(table, *, base=None):
    n = total(table)
    terms = [F(count, n) * log(F(n * count, a * b), base) for count, a, b in cells(table)]
    return sum(terms, mp.zero)


@of_table
@oracle
def expected_mutual_info(table, *, base=None):
    """Average over all ways to deal the samples out to classes and clusters of these sizes."""
    n = total(table)
    terms = [expected_cell(a, b, n) for a in class_sizes(table) for b in cluster_sizes(table)]
    return sum(terms, mp.zero) / (1 if base is None else mp.log(real(base)))


def expected_cell(a: int, b: int, n: int):
    """Average k/n log(n k/(a b)) over k, the overlap of a and of b random samples of n."""
    return expected_cell_plain(a, b, n) if n <= 200 else expected_cell_windowed(*sorted((a, b)), n)


@lru_cache(maxsize=10_000)
def expected_cell_plain(a: int, b: int, n: int):
    """Average by counting: C(b,k) C(n-b,a-k) of the C(n,a) draws have the overlap k."""
    draws = [(math.comb(b, k) * math.comb(n - b, a - k), k) for k in range(max(1, a + b - n), min(a, b) + 1)]
    return sum((ways * k * log(F(n * k, a * b)) for ways, k in draws), mp.zero) / (n * math.comb(n, a))


@lru_cache(maxsize=10_000)
def log_integer(k: int):
    """Take the logarithm of k."""
    return mp.log(k)


def log_factorial(k: int):
    """Take the logarithm of k!."""
    return mp.loggamma(k + 1)


@lru_cache(maxsize=10_000)
def expected_cell_windowed(a: int, b: int, n: int, stride: int | None = None):
    """Average for large n, where not every k can be visited.

    Overlaps further from the mean than 16 sigma + 80 have a probability below 1e-50 (Bernstein's
    inequality). Of those nearer, every s-th stands for s of them: by Poisson's summation formula
    that changes the sum of a bell of width sigma by a factor exp(-2 pi^2 (sigma/s)^2), at
    s = sigma/4 less than 1e-130. That the weights of the overlaps visited add up to 1 is checked
    here each time.
    """
    sigma = math.sqrt(F(a * b * (n - a) * (n - b), n * n * (n - 1)))
    if stride is None:
        stride = int(sigma / 4) if sigma >= 40 else 1
    reach = int(16 * sigma) + 80
    low, high = max(0, a + b - n, a * b // n - reach), min(a, b, a * b // n + 1 + reach)
    fixed = sum(map(log_factorial, (a, b, n - a, n - b)), -log_factorial(n))
    weight = weight_sum = value = mp.zero
    for k in range(low, high + 1, stride):
        if stride == 1 and k > low:
            weight = weight * ((a - k + 1) * (b - k + 1)) / (k * (n - a - b + k))
        else:
            overlap_and_rest = (k, a - k, b - k, n - a - b + k)
            weight = stride * mp.exp(fixed - sum(map(log_factorial, overlap_and_rest), mp.zero))
        weight_sum += weight
        if k > 0:
            value += weight * k * (log_integer(n) + log_integer(k) - log_integer(a) - log_integer(b))
    if abs(weight_sum - 1) > mp.mpf(10) ** -40:
        raise ArithmeticError(f"the weights of {a=}, {b=}, {n=} add up to {weight_sum}")
    return value / n


@score
def normalized_mutual_info_score(table, *, average_method="arithmetic"):
    if average_method == "joint":
        return ratio(mutual_info_score(table), joint_entropy(table))
    norm = average(entropy(table, of="true"), entropy(table, of="pred"), average_method)
    return ratio(mutual_info_score(table), norm)


@score
def adjusted_mutual_info_score(table, *, average_method="arithmetic"):
    # With one cluster, or nothing but singletons, on either side every deal has the same mutual
    # information: it is exactly the expected one, and where the denominator vanishes too (0/0)
    # the score is 0 as well.
    if {len(class_sizes(table)), len(cluster_sizes(table))} & {1, total(table)}:
        return F(0)
    expected = expected_mutual_info(table)
    norm = average(entropy(table, of="true"), entropy(table, of="pred"), average_method)
    return (mutual_info_score(table) - expected) / (norm - expected)


@of_table
@score
def homogeneity_score(table):
    if len(class_sizes(table)) == 1:
        return F(1)
    return ratio(mutual_info_score(table), entropy(table, of="true"))


@score
def completeness_score(table):
    return homogeneity_score(transposed(table))


@score
def v_measure_score(table, *, beta=1.0):
    h, c = homogeneity_score(table), completeness_score(table)
    return ratio((1 + F(beta)) * h * c, F(beta) * h + c)


@oracle
def homogeneity_completeness_v_measure(table, *, beta=1.0):
    return [homogeneity_score(table), completeness_score(table), v_measure_score(table, beta=beta)]


@oracle
def variation_of_information(table, *, base=None):
    given_pred = conditional_entropy(table, given="pred", base=base)
    return given_pred + conditional_entropy(table, given="true", base=base)


@oracle
def normalized_variation_of_information(table):
    return ratio(variation_of_information(table), joint_entropy(table))


@oracle
def normalized_information_distance(table):
    return 1 - normalized_mutual_info_score(table, average_method="max")


@lru_cache(maxsize=10_000)
def power(x: Fraction, exponent):
    """Raise a fraction to a power."""
    return mp.power(real(x), real(exponent))


@lru_cache(maxsize=10_000)
def generalized(sizes: tuple[int, ...], beta):
    """Beta-entropy (Havrda-Charvat, Tsallis) of blocks of these sizes; in bits at beta = 1."""
    sizes = tuple(size for size in sizes if size > 0)
    if not sizes:
        return mp.zero
    if beta == 1:
        return shannon(sizes, base=2)
    power_sum = sum(power(F(size, sum(sizes)), beta) for size in sizes)
    return (1 - power_sum) / (1 - mp.power(2, 1 - real(beta)))


@oracle
def beta_entropy(table, *, beta=2, of="true"):
    return generalized(tuple(sizes_of(table, of)), beta)


@oracle
def beta_joint_entropy(table, *, beta=2):
    return generalized(tuple(count for count, _, _ in cells(table)), beta)


@of_table
@oracle
def beta_conditional_entropy(table, *, beta=2, given="pred"):
    # H_b(true|pred) = sum_j (b_j/n)^b H_b(the classes within cluster j)
    if given == "true":
        return beta_conditional_entropy(transposed(table), beta=beta)
    terms = [
        power(F(sum(column), total(table)), beta) * generalized(tuple(column), beta)
        for column in transposed(table)
        if sum(column) > 0
    ]
    return {"pred": sum(terms, mp.zero)}[given]


@oracle
def beta_mutual_info(table, *, beta=2):
    return beta_entropy(table, beta=beta) - beta_conditional_entropy(table, beta=beta)


@oracle
def beta_entropy_distance(table, *, beta=2):
    given_pred = beta_conditional_entropy(table, beta=beta, given="pred")
    return given_pred + beta_conditional_entropy(table, beta=beta, given="true")


@oracle
def gini_index(table, *, of="true"):
    sizes = sizes_of(table, of)
    return 1 - sum(F(size, sum(sizes)) ** 2 for size in sizes) if sizes else F(0)


# ---- overlap of sets -----------------------------------------------------------------------------


@score
def purity_score(table):
    return ratio(sum(max(column) for column in transposed(table)), total(table))


@score
def inverse_purity_score(table):
    return purity_score(transposed(table))


def best_classes(table: Table) -> list[tuple[int, int, int]]:
    """Find the class that overlaps each non-empty cluster most; of classes that tie, the larger.

    Gives (overlap, class size, cluster size) for each cluster.
    """
    sizes = [sum(row) for row in table]
    return [(*max(zip(column, sizes, strict=True)), sum(column)) for column in transposed(table) if sum(column) > 0]


@oracle
def cluster_precision(table):
    return [F(overlap, b) for overlap, _, b in best_classes(table)]


@oracle
def cluster_recall(table):
    return [F(overlap, a) for overlap, a, _ in best_classes(table)]


@oracle
def cluster_f_score(table):
    return [
        f_beta(precision, recall, 1)
        for precision, recall in zip(cluster_precision(table), cluster_recall(table), strict=True)
    ]


@oracle
def class_jaccard_scores(table):
    best = {}
    for i, row in enumerate(table):
        for j, both in enumerate(row):
            if both:
                either = sum(row) + sum(transposed(table)[j]) - both
                best[i] = max(best.get(i, 0), F(both, either))
    return list(best.values())


@oracle
def cluster_jaccard_scores(table):
    return class_jaccard_scores(transposed(table))


@score
def f_measure_score(table, *, average="macro"):
    if average == "macro":
        return mean(cluster_f_score(table))
    columns = transposed(table)
    terms = [  # every class at its weight, with the cluster that suits it best
        F(sum(row), total(table))
        * max(F(2 * n_ij, sum(row) + sum(column)) for n_ij, column in zip(row, columns, strict=True))
        for row in table
        if sum(row) > 0
    ]
    return {"weighted": sum(terms)}[average]


@of_table
@score
def bcubed_precision_score(table):
    return ratio(sum(F(count**2, b) for count, _, b in cells(table)), total(table))


@score
def bcubed_recall_score(table):
    return bcubed_precision_score(transposed(table))


@score
def bcubed_f_score(table, *, beta=1):
    return f_beta(bcubed_precision_score(table), bcubed_recall_score(table), beta)


@score
def adjusted_bcubed_precision_score(table):
    # (P - E)/(1 - E) with E = (m + (n - m) A/all)/n
    n, m = total(table), len(cluster_sizes(table))
    expected = (m + (n - m) * ratio(together(table, "true"), math.comb(n, 2))) / n
    return ratio(bcubed_precision_score(table) - expected, 1 - expected)


@score
def adjusted_bcubed_recall_score(table):
    return adjusted_bcubed_precision_score(transposed(table))


@score
def adjusted_bcubed_f_score(table):
    precision, recall = adjusted_bcubed_precision_score(table), adjusted_bcubed_recall_score(table)
    return F(0) if precision * recall <= 0 else f_beta(precision, recall, 1)


@score
def element_centric_score(table):
    return ratio(sum(F(count**2, max(a, b)) for count, a, b in cells(table)), total(table))


# ---- set matching --------------------------------------------------------------------------------


def best_matching(weights: list[list[Fraction]]) -> Fraction:
    """Find the largest sum of weights over one-to-one matchings of rows and columns.

    Weights are not negative; the smaller side is padded with rows or columns of weight 0. All
    matchings are tried up to 8 by 8; above, the answer comes with a proof that is checked.
    """
    weights = [row for row in weights if any(row)]
    if not weights:
        return F(0)
    if len(weights) > len(weights[0]):
        weights = transposed(weights)
    return best_matching_tried(weights) if len(weights[0]) <= 8 else best_matching_proved(weights)


def best_matching_tried(weights: list[list[Fraction]]) -> Fraction:
    """Try every matching; at most as many rows as columns."""
    scale = math.lcm(*(F(w).denominator for row in weights for w in row))
    scaled = [[int(w * scale) for w in row] for row in weights]
    columns = range(len(weights[0]))
    return F(
        max(
            sum(row[j] for row, j in zip(scaled, chosen, strict=True)) for chosen in permutations(columns, len(scaled))
        ),
        scale,
    )


def best_matching_proved(weights: list[list[Fraction]]) -> Fraction:
    """Match by the Hungarian method in integers, and check the proof it ends with.

    At most as many rows as columns. The proof is duality: prices u of rows and v >= 0 of columns
    with u_i + v_j >= w_ij everywhere bound every matching of all rows from above by their sum, and
    the matching found reaches it.
    """
    rows, columns = len(weights), len(weights[0])
    scale = math.lcm(*(F(w).denominator for row in weights for w in row))
    cost = [[-int(w * scale) for w in row] for row in weights]
    row_price, column_price = [0] * rows, [0] * columns
    row_of: list[int | None] = [None] * columns
    for start in range(rows):  # shortest augmenting path from each row in turn
        distance: list[int | None] = [None] * columns
        before: list[int | None] = [None] * columns
        done: list[int] = []
        row, column, length = start, None, 0
        while True:
            for j in set(range(columns)) - set(done):
                step = length + cost[row][j] - row_price[row] - column_price[j]
                if distance[j] is None or step < distance[j]:
                    distance[j], before[j] = step, column
            column = min(set(range(columns)) - set(done), key=lambda j: distance[j])
            length = distance[column]
            if row_of[column] is None:
                break
            done.append(column)
            row = row_of[column]
        row_price[start] += length
        for j in done:
            row_price[row_of[j]] += length - distance[j]
            column_price[j] -= length - distance[j]
        while column is not None:
            previous = before[column]
            row_of[column] = start if previous is None else row_of[previous]
            column = previous
    found = sum(-cost[row_of[j]][j] for j in range(columns) if row_of[j] is not None)
    # u = -row_price and v = -column_price
    assert sorted(i for i in row_of if i is not None) == list(range(rows))
    assert all(-row_price[i] - column_price[j] >= -cost[i][j] for i in range(rows) for j in range(columns))
    assert all(price <= 0 for price in column_price)
    assert found == -sum(row_price) - sum(column_price)
    return F(found, scale)


def larger_side(table: Table) -> int:
    """Count the non-empty classes or clusters, whichever are more."""
    return max(len(class_sizes(table)), len(cluster_sizes(table)))


@of_table
@score
def clustering_accuracy(table):
    return ratio(best_matching(table), total(table))


@score
def normalized_pivoted_accuracy(table):
    chance = F(1, larger_side(table))
    return (clustering_accuracy(table) - chance) / (1 - chance)


@score
def normalized_clustering_accuracy(table):
    chance = F(1, larger_side(table))
    recalls = [[F(count, sum(row)) for count in row] for row in table if sum(row) > 0]
    return (best_matching(recalls) / len(recalls) - chance) / (1 - chance)


@of_table
def pair_sets_similarity(table: Table) -> Fraction:
    """S of Rezaei and Fränti: the best sum over a matching of n_ij / max(a_i, b_j)."""
    columns = transposed(table)
    return best_matching(
        [
            [ratio(count, max(sum(row), sum(column))) for count, column in zip(row, columns, strict=True)]
            for row in table
        ]
    )


@score
def pair_sets_index(table, *, clipped=True):
    # E pairs the sizes in order, largest with largest: a b / (n max(a, b)) of each
    n = total(table)
    in_order = zip(
        sorted(class_sizes(table), reverse=True),
        sorted(cluster_sizes(table), reverse=True),
        strict=False,
    )
    expected = sum(F(a * b, n * max(a, b)) for a, b in in_order)
    index = (pair_sets_similarity(table) - expected) / (larger_side(table) - expected)
    return max(index, F(0)) if clipped else index


@score
def simplified_pair_sets_index(table, *, clipped=True):
    # E = 1
    index = F(pair_sets_similarity(table) - 1, larger_side(table) - 1)
    return max(index, F(0)) if clipped else index


@oracle
def van_dongen_distance(table, *, normalized=True):
    n = total(table)
    moved = 2 * n - sum(map(max, table)) - sum(map(max, transposed(table))) if n else 0
    return ratio(moved, 2 * n if normalized else 1)


@oracle
def classification_error_distance(table):
    return 1 - clustering_accuracy(table)


@oracle
def cluster_edit_distance(table):
    # equal to `edit_distance_by_search` on every pair of partitions of up to 6 items
    return 2 * (total(table) - best_matching(table))


def blocks(labels: Sequence[Hashable]) -> Partition:
    """Give the partition of a label vector as a set of sets of positions."""
    return frozenset(frozenset(s for s, label in enumerate(labels) if label == chosen) for chosen in set(labels))


@cache
def edits(clusters: Partition, n: int) -> list[Partition]:
    """List what one operation makes of disjoint clusters of some of n objects.

    Put an object that is in no cluster into one, take an object out of a cluster with others, make
    a cluster of one object that is in none, remove a cluster of one object.
    """
    made = []
    for x in range(n):
        home = next((cluster for cluster in clusters if x in cluster), None)
        if home is None:
            made.append(clusters | {frozenset({x})})
            made += [clusters - {cluster} | {cluster | {x}} for cluster in clusters]
        elif len(home) > 1:
            made.append(clusters - {home} | {home - {x}})
        else:
            made.append(clusters - {home})
    return made


def edit_distances_by_search(labels: Sequence[Hashable]) -> dict[Partition, int]:
    """Find the fewest operations from one partition to every other one, by breadth-first search."""
    start = blocks(labels)
    distance = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        for there in edits(here, len(labels)):
            if there not in distance:
                distance[there] = distance[here] + 1
                queue.append(there)
    return distance


# ---- standard deviations from chance -------------------------------------------------------------


def falling(sizes: Iterable[int], k: int) -> int:
    """Add up x (x - 1) ... (x - k + 1) over all sizes."""
    return sum(math.perm(size, k) for size in sizes)


def variance_of_pairs_together(a: list[int], b: list[int]) -> Fraction:
    """Give the variance of the pairs together in both, over all permutations: the textbook form of ordered pairs.

    The square of their number counts pairs of pairs, which are the same, share a sample or are disjoint.
    """
    n = sum(a)
    second = F(0)
    for times, k, ways in (
        (2, 2, lambda x: falling(x, 2)),
        (4, 3, lambda x: falling(x, 3)),
        (1, 4, lambda x: falling(x, 2) ** 2 - 4 * falling(x, 3) - 2 * falling(x, 2)),
    ):
        if n >= k:
            second += F(times * ways(a) * ways(b), math.perm(n, k))
    mean = ratio(falling(a, 2) * falling(b, 2), n * (n - 1))
    return (second - mean**2) / 4


@oracle
def standardized_rand_score(table):
    a, b = class_sizes(table), cluster_sizes(table)
    variance = variance_of_pairs_together(a, b)
    if variance == 0:
        return NAN
    mean = F(falling(a, 2) * falling(b, 2), 2 * math.perm(sum(a), 2))
    return real(pairs(table)[0] - mean) / mp.sqrt(real(variance))


# ---- agreement of two labelings ------------------------------------------------------------------


@oracle
def cohen_kappa_score(table, *, weights=None):
    # 1 - (observed cost)/(expected cost) on a square table with the same labels on both sides
    k, n = len(table), total(table)
    if any(len(row) != k for row in table):
        raise ValueError("the table must have the same labels on both sides")
    costs = {
        None: lambda i, j: int(i != j),
        "linear": lambda i, j: abs(i - j),
        "quadratic": lambda i, j: (i - j) ** 2,
    }
    cost = costs[weights] if weights is None or isinstance(weights, str) else None
    w = [[F(cost(i, j) if cost else weights[i][j]) for j in range(k)] for i in range(k)]
    a, b = [sum(row) for row in table], [sum(column) for column in transposed(table)]
    observed = sum(w[i][j] * table[i][j] * n for i in range(k) for j in range(k))
    expected = sum(w[i][j] * a[i] * b[j] for i in range(k) for j in range(k))
    if expected == 0 and all(table[i][j] == 0 for i in range(k) for j in range(k) if i != j):
        return F(1)  # every sample has the same label twice
    return ratio(expected - observed, expected)


# ---- degenerate inputs ---------------------------------------------------------------------------

DEGENERATE: dict[str, tuple[tuple[int, ...], tuple[int, ...]]] = {
    "empty": ((), ()),
    "one_sample": ((0,), (0,)),
    "identical_one_cluster": ((0, 0, 0, 0), (0, 0, 0, 0)),
    "identical_singletons": ((0, 1, 2, 3), (0, 1, 2, 3)),
    "one_vs_two": ((0, 0, 0, 0), (0, 0, 0, 1)),
    "two_vs_one": ((0, 0, 0, 1), (0, 0, 0, 0)),
    "one_vs_singletons": ((0, 0, 0, 0), (0, 1, 2, 3)),
    "singletons_vs_one": ((0, 1, 2, 3), (0, 0, 0, 0)),
    "two_vs_singletons": ((0, 0, 0, 1), (0, 1, 2, 3)),
    "independent": ((0, 0, 1, 1), (0, 1, 0, 1)),
}


def _cases(*values) -> dict:
    return dict(zip(DEGENERATE, values, strict=True))


def _one(*values) -> dict:
    """1 for the same partition twice, then the values of the six other cases."""
    return _cases(1, 1, 1, 1, *values)


def _zero(*values) -> dict:
    """0 for the same partition twice, then the values of the six other cases."""
    return _cases(0, 0, 0, 0, *values)


_LOG2, _LOG3, _LOG4 = mp.log(2), mp.log(3), mp.log(4)
_H31 = mp.log(4) - mp.mpf(3) / 4 * mp.log(3)  # entropy of blocks of 3 and 1
_BITS31 = 2 - mp.mpf(3) / 4 * mp.log(3) / mp.log(2)  # the same in bits
_HALF, _ROOT_HALF = F(1, 2), 1 / mp.sqrt(2)

# Worked out by hand from the definitions; the values are in the order of the cases above.
DEGENERATE_VALUES: dict[str, dict] = {
    "rand_score": _one(_HALF, _HALF, 0, 0, _HALF, F(1, 3)),
    "adjusted_rand_score": _one(0, 0, 0, 0, 0, -_HALF),
    "fowlkes_mallows_score": _one(_ROOT_HALF, _ROOT_HALF, 0, 0, 0, 0),
    "adjusted_fowlkes_mallows_score": _one(0, 0, 0, 0, 0, -_HALF),
    "pair_precision_score": _one(1, _HALF, 0, 0, 0, 0),
    "pair_recall_score": _one(_HALF, 1, 0, 0, 0, 0),
    "pair_f_score": _one(F(2, 3), F(2, 3), 0, 0, 0, 0),
    "pair_jaccard_score": _one(_HALF, _HALF, 0, 0, 0, 0),
    "pair_kulczynski_score": _one(F(3, 4), F(3, 4), 0, 0, 0, 0),
    "pair_ochiai_score": _one(_ROOT_HALF, _ROOT_HALF, 0, 0, 0, 0),
    "pair_simpson_score": _one(1, 1, 0, 0, 0, 0),
    "pair_braun_blanquet_score": _one(_HALF, _HALF, 0, 0, 0, 0),
    "pair_inclusion_score": _one(_HALF, 1, 0, 0, 0, 0),
    "mirkin_distance": _zero(6, 6, 12, 12, 6, 8),
    "hubert_gamma_score": _one(0, 0, 0, 0, 0, -_HALF),
    "rogers_tanimoto_score": _one(F(1, 3), F(1, 3), 0, 0, F(1, 3), F(1, 5)),
    "russell_rao_score": _cases(0, 0, 1, 0, _HALF, _HALF, 0, 0, 0, 0),
    "sokal_sneath_score": _one(F(1, 3), F(1, 3), 0, 0, 0, 0),
    "mcnemar_index": _zero(mp.sqrt(3), -mp.sqrt(3), mp.sqrt(6), -mp.sqrt(6), mp.sqrt(3), 0),
    "wallace_score": _one(_HALF, 1, 0, 0, 0, 0),
    "adjusted_wallace_score": _one(0, 0, 0, 0, 0, -_HALF),
    "class_adjusted_wallace_scores": _cases(
        [],
        [NAN],
        [1],
        [NAN] * 4,
        [0],
        [0, NAN],
        [0],
        [NAN] * 4,
        [0, NAN],
        [-_HALF, -_HALF],
    ),
    "cluster_adjusted_wallace_scores": _cases(
        [],
        [NAN],
        [1],
        [NAN] * 4,
        [0, NAN],
        [0],
        [NAN] * 4,
        [0],
        [NAN] * 4,
        [-_HALF, -_HALF],
    ),
    "prediction_strength_scores": _cases(
        [], [NAN], [1], [NAN] * 4, [_HALF], [1, NAN], [0], [NAN] * 4, [0, NAN], [0, 0]
    ),
    "prediction_strength_score": _cases(NAN, NAN, 1, NAN, _HALF, 1, 0, NAN, 0, 0),
    "standardized_rand_score": _cases(*[NAN] * 9, -1 / mp.sqrt(2)),
    "entropy": _cases(0, 0, 0, _LOG4, 0, _H31, 0, _LOG4, _H31, _LOG2),
    "joint_entropy": _cases(0, 0, 0, _LOG4, _H31, _H31, _LOG4, _LOG4, _LOG4, _LOG4),
    "conditional_entropy": _zero(0, _H31, 0, _LOG4, 0, _LOG2),
    "mutual_info_score": _cases(0, 0, 0, _LOG4, 0, 0, 0, 0, _H31, 0),
    "expected_mutual_info": _cases(0, 0, 0, _LOG4, 0, 0, 0, 0, _H31, _LOG2 / 3),
    "normalized_mutual_info_score": _one(0, 0, 0, 0, 2 * _H31 / (_H31 + _LOG4), 0),
    "adjusted_mutual_info_score": _one(0, 0, 0, 0, 0, -_HALF),
    "homogeneity_score": _one(1, 0, 1, 0, 1, 0),
    "completeness_score": _one(0, 1, 0, 1, _H31 / _LOG4, 0),
    "v_measure_score": _one(0, 0, 0, 0, 2 * _H31 / (_H31 + _LOG4), 0),
    "homogeneity_completeness_v_measure": _cases(
        [1, 1, 1],
        [1, 1, 1],
        [1, 1, 1],
        [1, 1, 1],
        [1, 0, 0],
        [0, 1, 0],
        [1, 0, 0],
        [0, 1, 0],
        [1, _H31 / _LOG4, 2 * _H31 / (_H31 + _LOG4)],
        [0, 0, 0],
    ),
    "variation_of_information": _zero(_H31, _H31, _LOG4, _LOG4, _LOG3 * 3 / 4, _LOG4),
    "normalized_variation_of_information": _zero(1, 1, 1, 1, 1 - _H31 / _LOG4, 1),
    "normalized_information_distance": _zero(1, 1, 1, 1, 1 - _H31 / _LOG4, 1),
    "gini_index": _cases(0, 0, 0, F(3, 4), 0, F(3, 8), 0, F(3, 4), F(3, 8), _HALF),
    "purity_score": _one(1, F(3, 4), 1, F(1, 4), 1, _HALF),
    "inverse_purity_score": _one(F(3, 4), 1, F(1, 4), 1, _HALF, _HALF),
    "cluster_precision": _cases([], [1], [1], [1] * 4, [1, 1], [F(3, 4)], [1] * 4, [F(1, 4)], [1] * 4, [_HALF, _HALF]),
    "cluster_recall": _cases(
        [],
        [1],
        [1],
        [1] * 4,
        [F(3, 4), F(1, 4)],
        [1],
        [F(1, 4)] * 4,
        [1],
        [F(1, 3)] * 3 + [1],
        [_HALF, _HALF],
    ),
    "cluster_f_score": _cases(
        [],
        [1],
        [1],
        [1] * 4,
        [F(6, 7), F(2, 5)],
        [F(6, 7)],
        [F(2, 5)] * 4,
        [F(2, 5)],
        [_HALF] * 3 + [1],
        [_HALF, _HALF],
    ),
    "class_jaccard_scores": _cases(
        [],
        [1],
        [1],
        [1] * 4,
        [F(3, 4)],
        [F(3, 4), F(1, 4)],
        [F(1, 4)],
        [F(1, 4)] * 4,
        [F(1, 3), 1],
        [F(1, 3), F(1, 3)],
    ),
    "cluster_jaccard_scores": _cases(
        [],
        [1],
        [1],
        [1] * 4,
        [F(3, 4), F(1, 4)],
        [F(3, 4)],
        [F(1, 4)] * 4,
        [F(1, 4)],
        [F(1, 3)] * 3 + [1],
        [F(1, 3), F(1, 3)],
    ),
    "f_measure_score": _one(F(22, 35), F(6, 7), F(2, 5), F(2, 5), F(5, 8), _HALF),
    "bcubed_precision_score": _one(1, F(5, 8), 1, F(1, 4), 1, _HALF),
    "bcubed_recall_score": _one(F(5, 8), 1, F(1, 4), 1, _HALF, _HALF),
    "bcubed_f_score": _one(F(10, 13), F(10, 13), F(2, 5), F(2, 5), F(2, 3), _HALF),
    "adjusted_bcubed_precision_score": _one(0, 0, 0, 0, 0, -_HALF),
    "adjusted_bcubed_recall_score": _one(0, 0, 0, 0, 0, -_HALF),
    "adjusted_bcubed_f_score": _one(0, 0, 0, 0, 0, -_HALF),
    "element_centric_score": _one(F(5, 8), F(5, 8), F(1, 4), F(1, 4), _HALF, _HALF),
    "clustering_accuracy": _one(F(3, 4), F(3, 4), F(1, 4), F(1, 4), _HALF, _HALF),
    "normalized_pivoted_accuracy": _one(_HALF, _HALF, 0, 0, F(1, 3), 0),
    "normalized_clustering_accuracy": _one(_HALF, 0, 0, 0, F(5, 9), 0),
    "pair_sets_index": _one(0, 0, 0, 0, F(5, 21), 0),
    "simplified_pair_sets_index": _one(0, 0, 0, 0, F(1, 9), 0),
    "van_dongen_distance": _zero(F(1, 8), F(1, 8), F(3, 8), F(3, 8), F(1, 4), _HALF),
    "classification_error_distance": _zero(F(1, 4), F(1, 4), F(3, 4), F(3, 4), _HALF, _HALF),
    "cluster_edit_distance": _zero(2, 2, 6, 6, 4, 4),
    "cohen_kappa_score": _one(0, 0, 0, 0, 0, 0),
    "beta_entropy": _cases(0, 0, 0, F(3, 2), 0, F(3, 4), 0, F(3, 2), F(3, 4), 1),
    "beta_joint_entropy": _cases(0, 0, 0, F(3, 2), F(3, 4), F(3, 4), F(3, 2), F(3, 2), F(3, 2), F(3, 2)),
    "beta_conditional_entropy": _zero(0, F(3, 4), 0, F(3, 2), 0, _HALF),
    "beta_mutual_info": _cases(0, 0, 0, F(3, 2), 0, 0, 0, 0, F(3, 4), _HALF),
    "beta_entropy_distance": _zero(F(3, 4), F(3, 4), F(3, 2), F(3, 2), F(3, 4), 1),
}

# The same with options, given as (name, value) pairs.
Options = tuple[tuple[str, object], ...]
DEGENERATE_OPTION_VALUES: dict[tuple[str, Options], dict] = {
    ("pair_f_score", (("beta", 2),)): _one(F(5, 9), F(5, 6), 0, 0, 0, 0),
    ("pair_f_score", (("beta", 0),)): _one(1, _HALF, 0, 0, 0, 0),
    ("pair_inclusion_score", (("variant", 2),)): _one(F(1, 3), 1, 0, 0, 0, 0),
    ("pair_inclusion_score", (("of", "pred"),)): _one(1, _HALF, 0, 0, 0, 0),
    ("pair_inclusion_score", (("of", "pred"), ("variant", 2))): _one(1, F(1, 3), 0, 0, 0, 0),
    ("mirkin_distance", (("normalized", True),)): _zero(F(3, 8), F(3, 8), F(3, 4), F(3, 4), F(3, 8), _HALF),
    ("sokal_sneath_score", (("variant", 2),)): _one(F(2, 3), F(2, 3), 0, 0, F(2, 3), _HALF),
    ("wallace_score", (("given", "pred"),)): _one(1, _HALF, 0, 0, 0, 0),
    ("adjusted_wallace_score", (("given", "pred"),)): _one(0, 0, 0, 0, 0, -_HALF),
    ("entropy", (("of", "pred"),)): _cases(0, 0, 0, _LOG4, _H31, 0, _LOG4, 0, _LOG4, _LOG2),
    ("entropy", (("base", 2),)): _cases(0, 0, 0, 2, 0, _BITS31, 0, 2, _BITS31, 1),
    ("joint_entropy", (("base", 2),)): _cases(0, 0, 0, 2, _BITS31, _BITS31, 2, 2, 2, 2),
    ("conditional_entropy", (("given", "true"),)): _zero(_H31, 0, _LOG4, 0, _LOG3 * 3 / 4, _LOG2),
    ("conditional_entropy", (("base", 2),)): _zero(0, _BITS31, 0, 2, 0, 1),
    ("mutual_info_score", (("base", 2),)): _cases(0, 0, 0, 2, 0, 0, 0, 0, _BITS31, 0),
    ("expected_mutual_info", (("base", 2),)): _cases(0, 0, 0, 2, 0, 0, 0, 0, _BITS31, F(1, 3)),
    ("variation_of_information", (("base", 2),)): _zero(_BITS31, _BITS31, 2, 2, 2 - _BITS31, 2),
    ("normalized_mutual_info_score", (("average_method", "min"),)): _one(0, 0, 0, 0, 1, 0),
    ("normalized_mutual_info_score", (("average_method", "geometric"),)): _one(0, 0, 0, 0, mp.sqrt(_H31 / _LOG4), 0),
    ("normalized_mutual_info_score", (("average_method", "max"),)): _one(0, 0, 0, 0, _H31 / _LOG4, 0),
    ("normalized_mutual_info_score", (("average_method", "joint"),)): _one(0, 0, 0, 0, _H31 / _LOG4, 0),
    ("adjusted_mutual_info_score", (("average_method", "min"),)): _one(0, 0, 0, 0, 0, -_HALF),
    ("adjusted_mutual_info_score", (("average_method", "geometric"),)): _one(0, 0, 0, 0, 0, -_HALF),
    ("adjusted_mutual_info_score", (("average_method", "max"),)): _one(0, 0, 0, 0, 0, -_HALF),
    ("v_measure_score", (("beta", 2.0),)): _one(0, 0, 0, 0, 3 * _H31 / (2 * _LOG4 + _H31), 0),
    ("v_measure_score", (("beta", 0.0),)): _one(0, 0, 0, 0, 1, 0),
    ("beta_entropy", (("beta", 1),)): _cases(0, 0, 0, 2, 0, _BITS31, 0, 2, _BITS31, 1),
    ("beta_entropy", (("beta", 0),)): _cases(0, 0, 0, 3, 0, 1, 0, 3, 1, 1),
    ("beta_entropy", (("of", "pred"),)): _cases(0, 0, 0, F(3, 2), F(3, 4), 0, F(3, 2), 0, F(3, 2), 1),
    ("beta_entropy", (("beta", 1), ("of", "pred"))): _cases(0, 0, 0, 2, _BITS31, 0, 2, 0, 2, 1),
    ("beta_entropy", (("beta", 0), ("of", "pred"))): _cases(0, 0, 0, 3, 1, 0, 3, 0, 3, 1),
    ("beta_joint_entropy", (("beta", 1),)): _cases(0, 0, 0, 2, _BITS31, _BITS31, 2, 2, 2, 2),
    ("beta_joint_entropy", (("beta", 0),)): _cases(0, 0, 0, 3, 1, 1, 3, 3, 3, 3),
    ("beta_conditional_entropy", (("beta", 1),)): _zero(0, _BITS31, 0, 2, 0, 1),
    ("beta_conditional_entropy", (("beta", 0),)): _zero(0, 1, 0, 3, 0, 2),
    ("beta_conditional_entropy", (("given", "true"),)): _zero(F(3, 4), 0, F(3, 2), 0, F(3, 4), _HALF),
    ("beta_conditional_entropy", (("beta", 1), ("given", "true"))): _zero(_BITS31, 0, 2, 0, 2 - _BITS31, 1),
    ("beta_conditional_entropy", (("beta", 0), ("given", "true"))): _zero(1, 0, 3, 0, 2, 2),
    ("beta_mutual_info", (("beta", 1),)): _cases(0, 0, 0, 2, 0, 0, 0, 0, _BITS31, 0),
    ("beta_mutual_info", (("beta", 0),)): _cases(0, 0, 0, 3, 0, 0, 0, 0, 1, -1),
    ("beta_entropy_distance", (("beta", 1),)): _zero(_BITS31, _BITS31, 2, 2, 2 - _BITS31, 2),
    ("beta_entropy_distance", (("beta", 0),)): _zero(1, 1, 3, 3, 2, 4),
    ("gini_index", (("of", "pred"),)): _cases(0, 0, 0, F(3, 4), F(3, 8), 0, F(3, 4), 0, F(3, 4), _HALF),
    ("f_measure_score", (("average", "weighted"),)): _one(F(6, 7), F(26, 35), F(2, 5), F(2, 5), F(5, 8), _HALF),
    ("bcubed_f_score", (("beta", 2),)): _one(F(25, 37), F(25, 28), F(5, 17), F(5, 8), F(5, 9), _HALF),
    ("bcubed_f_score", (("beta", 0),)): _one(1, F(5, 8), 1, F(1, 4), 1, _HALF),
    ("pair_sets_index", (("clipped", False),)): _one(0, 0, 0, 0, F(5, 21), 0),
    ("van_dongen_distance", (("normalized", False),)): _zero(1, 1, 3, 3, 2, 4),
    ("cohen_kappa_score", (("weights", "linear"),)): _one(0, 0, 0, 0, F(1, 11), 0),
    ("cohen_kappa_score", (("weights", "quadratic"),)): _one(0, 0, 0, 0, F(1, 4), 0),
}

# Every measure with every option that has a value above.
VARIANTS: list[tuple[str, dict]] = [
    *((name, {}) for name in DEGENERATE_VALUES),
    *((name, dict(options)) for name, options in DEGENERATE_OPTION_VALUES),
]
