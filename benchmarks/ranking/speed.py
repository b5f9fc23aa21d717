"""How long measures of rankings take beside torchmetrics, one sort and scikit-learn, and how much memory; medians."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from typing import Any, NamedTuple

import numpy as np

from benchmarks import timing
from benchmarks.calls import Call
from benchmarks.ranking.documents import Flat, flat
from benchmarks.ranking.peers import of_one_query, of_torchmetrics
from gpuval import ranking

HEAD = "| call | beside | ratio | quartiles | ms | aimed at |\n| --- | --- | --- | --- | --- | --- |"
MEMORY_HEAD = "\n| memory of | scores | of the scores | aimed at |\n| --- | --- | --- | --- |"

DOCUMENTS, LONGEST, FEW_SCORES = 50, 200, 10


class Sizes(NamedTuple):
    """Queries beside torchmetrics in each round, and queries beside all else, which torchmetrics scores once."""

    rounds: int
    queries: int


SIZES, SMOKE = Sizes(10_000, 100_000), Sizes(50, 100)


def three(given: Flat | tuple[Any, Any]) -> list[float]:
    """Mean average precision, mean reciprocal rank and nDCG at 10 of one ranking."""
    ranked = ranking.Ranked.from_scores(*given)
    scores = (
        ranking.average_precision_score(ranked),
        ranking.reciprocal_rank_score(ranked),
        ranking.ndcg_score(ranked, n=10),
    )
    return [float(x) for x in scores]


def lines(sizes: Sizes, rounds: int) -> Iterator[str]:
    """A line for each comparison, then the memory."""
    yield HEAD
    yield from _beside_torchmetrics(sizes.rounds, rounds)
    yield from _beside_torchmetrics(sizes.queries, 1)
    random = np.random.default_rng(1)
    same = np.full(sizes.queries, DOCUMENTS)
    ragged = random.integers(1, LONGEST + 1, max(1, sizes.queries * DOCUMENTS * 2 // LONGEST))
    cases = {
        f"flat, {sizes.queries} x {DOCUMENTS}": flat(same),
        f"flat, {len(ragged)} x 1 to {LONGEST}": flat(ragged),
        f"flat, {sizes.queries} x {DOCUMENTS}, {FEW_SCORES} scores": flat(same, FEW_SCORES),
    }
    for name, given in cases.items():
        yield _beside_sort(name, given, given, rounds)
    given = next(iter(cases.values()))
    rows = given.relevance.reshape(-1, DOCUMENTS), given.scores.reshape(-1, DOCUMENTS)
    queries = np.repeat(np.arange(sizes.queries), DOCUMENTS)
    yield _beside_sort(f"rows, {sizes.queries} x {DOCUMENTS}", rows, given._replace(queries=queries), rounds)
    yield from _beside_scikit_learn(rounds)
    yield MEMORY_HEAD
    for name, case in cases.items():
        yield _memory(name, case)
    yield _memory("rows", rows)


def _beside_torchmetrics(n_queries: int, rounds: int) -> Iterator[str]:
    """Three scores of NumPy's arrays and of tensors; all say the same to what torchmetrics has, 32 bits."""
    given = flat(np.full(n_queries, DOCUMENTS))
    what = f"flat, {n_queries} x {DOCUMENTS}"
    if not find_spec("torchmetrics"):
        yield _row(f"torchmetrics: {what}", "gpuval", None, partial(three, given), rounds, "at least 20")
        return
    import torch

    tensors = Flat(*map(torch.as_tensor, given))
    calls = {"torchmetrics": partial(of_torchmetrics, tensors), "gpuval": partial(three, given)}
    calls["gpuval, tensors"] = partial(three, tensors)
    runs = {name: Call(call) for name, call in calls.items()}
    small = Flat(*(x[: 20 * DOCUMENTS] for x in tensors))
    values = [of_torchmetrics(small), three(small)]
    np.testing.assert_allclose(values[0], values[1], atol=1e-5)
    for name in ("gpuval", "gpuval, tensors"):
        runs[name].run()
    seconds = timing.in_turn(runs, 0.0, rounds, timing.PAUSE)
    for name in ("gpuval", "gpuval, tensors"):
        yield _spread(f"torchmetrics: {what}", name, seconds, "torchmetrics", name, "at least 20")


def _beside_sort(name: str, given: Flat | tuple[Any, Any], pairs: Flat, rounds: int) -> str:
    """Three scores beside one sort of the pairs of query and score."""
    sort = partial(np.lexsort, (-pairs.scores, pairs.queries))
    return _row(f"gpuval: {name}", "np.lexsort", partial(three, given), sort, rounds, "at most 3")


def _beside_scikit_learn(rounds: int) -> Iterator[str]:
    """Scores of one list of 10 documents."""
    relevance = np.asarray([0, 3, 0, 0, 1, 0, 0, 0, 2, 0])
    scores = np.random.default_rng(2).random(len(relevance))
    for name in ("average_precision_score", "ndcg_score"):
        ours = partial(getattr(ranking, name), relevance, scores)
        theirs = partial(of_one_query, name, relevance, scores) if find_spec("sklearn") else None
        if theirs is not None:
            np.testing.assert_allclose(float(ours()), theirs(), rtol=1e-12)
        yield _row(f"scikit-learn: {name}, 1 x {len(scores)}", "gpuval", theirs, ours, rounds, "-")


def _row(
    call: str, beside: str, above: Callable[[], Any] | None, below: Callable[[], Any], rounds: int, aim: str
) -> str:
    calls = {"below": Call(below)} if above is None else {"above": Call(above), "below": Call(below)}
    for each in calls.values():
        each.run()
    seconds = timing.in_turn(calls, 0.0, rounds, timing.PAUSE)
    if above is None:
        return f"| {call} | {beside} | not installed | | {_ms(seconds['below'])} | {aim} |"
    return _spread(call, beside, seconds, "above", "below", aim)


def _spread(call: str, beside: str, seconds: timing.Seconds, above: str, below: str, aim: str) -> str:
    found = timing.quotients(seconds, above, below)
    ms = f"{_ms(seconds[above])}, {_ms(seconds[below])}"
    return f"| {call} | {beside} | {found.median:.3g} | {found.low:.3g} to {found.high:.3g} | {ms} | {aim} |"


def _ms(seconds: list[float]) -> str:
    return f"{1000 * timing.spread(seconds).median:.3g}"


def _memory(name: str, given: Flat | tuple[Any, Any]) -> str:
    """What three scores take at most beyond what is given, as a share of the scores, of 64 bits and of 32."""
    relevance, scores, *queries = given
    shares = []
    for dtype in (np.float64, np.float32):
        of_type = scores.astype(dtype)
        tracemalloc.start()
        three(Flat(relevance, of_type, queries[0]) if queries else (relevance, of_type))
        shares.append(tracemalloc.get_traced_memory()[1] / of_type.nbytes)
        tracemalloc.stop()
    return f"| {name} | float64, float32 | {shares[0]:.2f}, {shares[1]:.2f} | at most 4 |"
