"""Tables and accumulators beside plain dictionaries of counts, through any sequence of what a user may do with them."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    invariant,
    multiple,
    rule,
    run_state_machine_as_test,
)
from known_tables import triples_of

import gpuval
from gpuval import Accumulator, Contingency

LABELS = st.integers(0, 3)
PAIRS = st.lists(st.tuples(LABELS, LABELS), max_size=5)
DTYPES = st.sampled_from([np.int64, np.int32, np.uint8, np.uint64])
WEIGHTS = st.sampled_from([None, "integer", "real"])
IGNORED = 3
REFUSED = {
    "fractions": lambda of: (of(np.asarray([0.5, 1.0])), of(np.asarray([0, 1]))),
    "lengths": lambda of: (of(np.asarray([0, 1])), of(np.asarray([0]))),
    "two dimensions": lambda of: (of(np.asarray([[0, 1]])), of(np.asarray([[0, 1]]))),
    "weights": lambda of: (of(np.asarray([0, 1])), of(np.asarray([0, 1])), of(np.asarray([1, 2, 3]))),
    "library": lambda of: ([0, 1], torch.asarray([0, 1])),
    "no labels": lambda of: (None, of(np.asarray([0, 1]))),
}
"""Batches that are refused on every device; fractions only where sizes are found, or on the host."""


def written(*arrays: Any) -> None:
    for x in arrays:
        try:
            x[...] = 77
        except (TypeError, ValueError):  # of JAX, or of NumPy and not to be written into
            continue


class Tables(RuleBasedStateMachine):
    """Pairs of a table and its dictionary; and of an accumulator, its dictionary and how many samples it was given."""

    of: Any = staticmethod(np.asarray)
    shift = 0
    sizes: tuple[int, ...] = ()

    tables = Bundle("tables")
    accumulators = Bundle("accumulators")

    def __init__(self) -> None:
        super().__init__()
        self.accumulated: list[list[Any]] = []
        self.seen: list[tuple[Contingency, dict[Any, Any]]] = []

    def batch(self, pairs: Any, dtype: Any, weights: Any) -> tuple[tuple[Any, ...], Counter[Any]]:
        """Arrays of pairs, and what they weigh; labels are far from 0 where sizes are found."""
        first, second = (np.asarray([x[i] for x in pairs], dtype=np.int64) for i in (0, 1))
        shift = self.shift if np.dtype(dtype).itemsize == 8 else 0
        columns = [self.of((x + shift).astype(dtype)) for x in (first, second)]
        amounts = [1] * len(pairs)
        if weights:
            amounts = [(i * 7) % 3 / (1 if weights == "integer" else 4) for i in range(1, len(pairs) + 1)]
            columns.append(self.of(np.asarray(amounts, dtype=np.int64 if weights == "integer" else np.float64)))
        counts: Counter[Any] = Counter()
        for (a, b), n in zip(pairs, amounts, strict=True):
            counts[a + shift, b + shift] += n
        return tuple(columns), Counter({pair: n for pair, n in counts.items() if n})

    def keep(self, table: Contingency, counts: dict[Any, Any]) -> tuple[Contingency, dict[Any, Any]]:
        assert triples_of(table) == counts
        self.seen.append((table, counts))
        return table, counts

    # Tables

    @rule(target=tables, pairs=PAIRS, dtype=DTYPES, weights=WEIGHTS, layout=st.sampled_from([None, "dense", "cells"]))
    def from_labels(self, pairs, dtype, weights, layout):
        columns, counts = self.batch(pairs, dtype, weights)
        if pairs and not counts:
            return multiple()
        weight = columns[2] if weights else None
        sizes = dict(zip(("n_classes", "n_clusters"), self.sizes, strict=False))
        table = Contingency.from_labels(*columns[:2], sample_weight=weight, layout=layout, **sizes)
        written(*columns)
        return self.keep(table, dict(counts))

    @rule(target=tables, one=tables, other=tables)
    def add(self, one, other):
        return self.keep(one[0] + other[0], dict(Counter(one[1]) + Counter(other[1])))

    @rule(target=tables, several=st.lists(tables, min_size=1, max_size=3))
    def add_up(self, several):
        total: Counter[Any] = Counter()
        for _, counts in several:
            total += Counter(counts)
        return self.keep(sum(table for table, _ in several), dict(total))

    @rule(
        target=tables,
        one=tables,
        way=st.sampled_from(
            [
                Contingency.dense,
                Contingency.listed,
                lambda table: table if table.fixed else table.compact(),
                lambda table: table.transposed().transposed(),
                copy.copy,
                copy.deepcopy,
                lambda table: pickle.loads(pickle.dumps(table)),
            ]
        ),
    )
    def otherwise(self, one, way):
        return self.keep(way(one[0]), one[1])

    @rule(one=tables)
    def transpose(self, one):
        assert triples_of(one[0].transposed()) == {(b, a): n for (a, b), n in one[1].items()}

    @rule(one=tables)
    def write(self, one):
        table = one[0]
        scores = dict(gpuval.evaluate(table, metrics=["purity_score", "rand_score", "clustering_accuracy"]))
        written(*table.triples(), table.to_array(), gpuval.contingency_matrix(table), *scores.values())
        frame = table.to_pandas()
        assert frame.to_numpy().sum() == sum(one[1].values())
        frame.iloc[:, :] = 77
        if isinstance(table.counts, np.ndarray):
            written(*vars(table.cells).values(), table.class_sizes, table.cluster_sizes, table.classes, table.clusters)

    # Accumulators

    @rule(target=accumulators, ignore=st.sampled_from([None, IGNORED]))
    def begin(self, ignore):
        self.accumulated.append([Accumulator(*self.sizes, ignore_labels=ignore), Counter(), 0, ignore])
        return len(self.accumulated) - 1

    @rule(i=accumulators, pairs=PAIRS, dtype=DTYPES, weights=WEIGHTS)
    def update(self, i, pairs, dtype, weights):
        accumulator, _, _, ignore = self.accumulated[i]
        columns, counts = self.batch(pairs, dtype, weights)
        assert accumulator.update(*columns) is None
        written(*columns)
        self.accumulated[i][1] += Counter({pair: n for pair, n in counts.items() if ignore not in pair})
        self.accumulated[i][2] += len(pairs)

    @rule(i=accumulators, kind=st.sampled_from(sorted(REFUSED)))
    def refuse(self, i, kind):
        if kind == "fractions" and self.sizes and self.of is not np.asarray:
            return
        with pytest.raises((TypeError, ValueError)):
            self.accumulated[i][0].update(*REFUSED[kind](self.of))

    @rule(i=accumulators, name=st.sampled_from(["counts", "samples", "self_pairs", "invalid", "given"]))
    def refuse_a_state(self, i, name):
        accumulator = self.accumulated[i][0]
        state = accumulator.state_dict()
        if state.get("counts") is None:
            return
        for broken in ("text", [1], np.full((9, 9), -1)):
            with pytest.raises((TypeError, ValueError), match=f"state must have {name}"):
                accumulator.load_state_dict({**state, name: broken})

    @rule(i=accumulators, j=accumulators)
    def merge(self, i, j):
        one, other = self.accumulated[i], self.accumulated[j]
        if one[3] != other[3]:
            with pytest.raises(ValueError, match="ignore the same labels"):
                one[0].merge(other[0])
            return
        counts, given = one[1] + other[1], one[2] + other[2]
        one[0].merge(other[0])
        one[1:3] = counts, given

    @rule(i=accumulators, j=accumulators)
    def load(self, i, j):
        one, other = self.accumulated[i], self.accumulated[j]
        if one[3] != other[3]:
            with pytest.raises(ValueError, match="same ignore_labels"):
                one[0].load_state_dict(other[0].state_dict())
            return
        state = other[0].state_dict()
        one[0].load_state_dict(state)
        written(*(x for x in state.values() if hasattr(x, "shape")))
        one[1:3] = Counter(other[1]), other[2]

    @rule(target=accumulators, i=consumes(accumulators), way=st.sampled_from([copy.deepcopy, pickle]))
    def travel(self, i, way):
        one = self.accumulated[i]
        other = pickle.loads(pickle.dumps(one[0])) if way is pickle else way(one[0])
        self.accumulated.append([other, Counter(one[1]), *one[2:]])
        return len(self.accumulated) - 1

    @rule(i=accumulators)
    def reset(self, i):
        self.accumulated[i][0].reset()
        self.accumulated[i][1:3] = Counter(), 0

    @rule(target=tables, i=accumulators)
    def read(self, i):
        accumulator, counts, given, _ = self.accumulated[i]
        unchecked = accumulator.unchecked_table
        written(*unchecked.triples(), unchecked.to_array())
        if given and not counts:
            with pytest.raises(ValueError, match=f"got none left of {given}"):
                _ = accumulator.table
            assert np.isnan(float(gpuval.adjusted_rand_score(unchecked)))
            return multiple()
        if not given:
            with pytest.warns(UserWarning, match="has had no samples"):
                nothing = accumulator.table
            assert triples_of(nothing) == {}
            assert np.isnan([float(gpuval.adjusted_rand_score(x)) for x in (nothing, unchecked)]).all()
            return multiple()
        assert float(gpuval.adjusted_rand_score(unchecked)) == float(gpuval.adjusted_rand_score(accumulator.table))
        return self.keep(accumulator.table, dict(counts))

    @invariant()
    def what_was_seen_stays(self):
        for table, counts in self.seen:
            assert triples_of(table) == counts
        for accumulator, counts, *_ in self.accumulated:
            assert triples_of(accumulator.unchecked_table) == dict(counts)


def of_torch(x: np.ndarray) -> Any:
    return torch.asarray(x.copy())


MACHINES = {
    "numpy growing": (np.asarray, 2**60, (), 80),
    "numpy sized": (np.asarray, 0, (4, 4), 80),
    "torch growing": (of_torch, 2**60, (), 80),
    "torch sized": (of_torch, 0, (4, 4), 80),
    "jax growing": (jnp.asarray, 2**60, (), 2),
    "jax sized": (jnp.asarray, 0, (4, 4), 3),
    "numpy large": (np.asarray, 0, (300, 300), 20),
    "torch large": (of_torch, 0, (300, 300), 20),
    "jax large": (jnp.asarray, 0, (300, 300), 2),
}
"""The library, what is added to labels, the size of tables, and how many sequences are tried."""


def run(name: str, **options: Any) -> None:
    of, shift, sizes, examples = MACHINES[name]
    machine = type("Machine", (Tables,), {"of": staticmethod(of), "shift": shift, "sizes": sizes})
    chosen = settings(
        max_examples=examples,
        stateful_step_count=15,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
        **options,
    )
    with jax.enable_x64(True):
        run_state_machine_as_test(machine, settings=chosen)


@pytest.mark.parametrize("name", MACHINES)
def test_any_sequence(name):
    run(name)


def test_the_machine_can_fail(monkeypatch):
    """With tables that share what they give out, as they once did."""
    monkeypatch.setattr("gpuval.table.table._protect", lambda *_: None)
    with pytest.raises(AssertionError):
        run("numpy growing", phases=[Phase.generate], report_multiple_bugs=False)
