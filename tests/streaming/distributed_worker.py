"""The processes of ``test_distributed``: ``python distributed_worker.py SCENARIO PROCESSES FOLDER``."""

import importlib
import math
import os
import re
import sys
from datetime import timedelta
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import torch
import torch.distributed as dist

import gpuval
import gpuval.intervals
import gpuval.multilabel
import gpuval.ranking
from gpuval import Accumulator, Contingency, InternalAccumulator
from gpuval.intervals import IntervalAccumulator
from gpuval.multilabel import MultilabelAccumulator
from gpuval.numerics.stable import unit_of_sums
from gpuval.ranking import RankingAccumulator

SIZE = {"n_classes": 50, "n_clusters": 40}


def some(rank, n=10_000):
    rng = np.random.default_rng(rank)
    return rng.integers(0, 50, n), rng.integers(0, 40, n)


def assert_same(accumulator, columns, size, **options):
    """The table and the scores are those of one call on all samples, to the last bit."""
    whole = Contingency.from_labels(*columns, **size, **options)
    table = accumulator.table
    for found, wanted in zip(table.triples(), whole.triples(), strict=True):
        np.testing.assert_array_equal(np.asarray(found), np.asarray(wanted))
    for name in ("adjusted_rand_score", "v_measure_score"):
        assert float(getattr(gpuval, name)(table)) == float(getattr(gpuval, name)(whole))


def together(parts):
    return [np.concatenate(x) for x in zip(*parts, strict=True)]


def sizes(rank, world):
    """Different lengths, and one process that has seen nothing."""
    parts = [some(r, 1000 * r) for r in range(world)]
    for library in (torch.asarray, np.asarray):
        accumulator = Accumulator(**SIZE)
        if rank:
            accumulator.update(*map(library, parts[rank]))
        for _ in range(2):  # it can be asked again, as nothing of the others stays here
            assert_same(accumulator.all_reduce(), together(parts), SIZE)
        assert int(accumulator.table.total) == 1000 * rank


def weights(rank, world):
    """Real ones in one process only."""
    parts = [(*some(r, 500), np.full(500, 0.25 if r == 1 else 1.0)) for r in range(world)]
    for sizes in (SIZE, {}):
        accumulator = Accumulator(**sizes)
        true, pred, weight = map(torch.asarray, parts[rank])
        accumulator.update(true, pred, *([weight] if rank == 1 else []))
        *columns, weight = together(parts)
        table = accumulator.all_reduce().table
        whole = Contingency.from_labels(*columns, sample_weight=weight, **sizes)
        np.testing.assert_array_equal(table.to_array(), whole.to_array())
        found, wanted = (float(gpuval.adjusted_rand_score(x)) for x in (table, whole))
        assert abs(found - wanted) < 1e-14


def heavy(rank, world):
    """Real weights, one of which outweighs all others, in a cell that the processes share."""
    exact = 2 * (1e8 * 0.25 * (world - 1) + 0.25 * 0.25 * math.comb(world - 1, 2) + 0.5 * 0.5 * math.comb(world, 2))
    for sizes in (SIZE, {}):
        accumulator = Accumulator(**sizes)
        weight = torch.tensor([1e8 if rank == 0 else 0.25, 0.5])
        accumulator.update(torch.tensor([0, 1]), torch.tensor([0, 1]), weight.to(torch.float64))
        found = float(gpuval.pair_confusion_matrix(accumulator.all_reduce().table)[1, 1])
        assert abs(found - exact) < 1e-12 * exact, (sizes, found, exact)
        accumulator.update(torch.tensor([2]), torch.tensor([2]), torch.tensor([1e8 if rank == 0 else 0.25]))
        pairs = gpuval.pair_confusion_matrix(accumulator.all_reduce().table)
        doubled = 2 * exact - 2 * 0.5 * 0.5 * math.comb(world, 2)
        assert abs(float(pairs[1, 1]) - doubled) < 1e-12 * doubled


def growing(rank, world):
    """Label sets that have nothing in common, from 10^6 samples; one process is empty."""
    parts = [tuple(x + 1000 * r for x in some(r, 10**6 if r else 0)) for r in range(world)]
    for library in (np.asarray, torch.asarray):
        accumulator = Accumulator()
        if rank:
            accumulator.update(*map(library, parts[rank]))
        assert_same(accumulator.all_reduce(), together(parts), {})


def text(rank, world):
    """Also of more bytes than letters, of none, and of none at all in one process."""
    names = np.array(["", "B cell", "T-Zelle", "Жук", "細胞"], dtype=object)
    parts = [tuple(names[x % 5] for x in some(r, 100 * r)) for r in range(world)]
    accumulator = Accumulator()
    if rank:
        accumulator.update(*parts[rank])
    table, whole = accumulator.all_reduce().table, Contingency.from_labels(*together(parts))
    np.testing.assert_array_equal(table.to_array(), whole.to_array())
    assert table.classes.tolist() == whole.classes.tolist()


def ordered(rank, world):
    """Grades in an order of their own, of which one process has no sample, and one does not declare it."""
    grades = ["low", "mid", "high", "top"]
    kinds = [pd.CategoricalDtype(grades, ordered=True), pd.CategoricalDtype([3, 1, 2, 5], ordered=True)]
    for kind in kinds:
        names = kind.categories.to_numpy()
        parts = [tuple(names[x % 3] for x in some(r, 100 * r)) for r in range(world)]
        accumulator = Accumulator()
        if rank:
            accumulator.update(*(x if rank == 2 else pd.Series(x).astype(kind) for x in parts[rank]))
        table = accumulator.all_reduce().table
        assert table.scales == (tuple(names.tolist()),) * 2
        whole = (pd.Series(x).astype(kind) for x in together(parts))
        found, expected = (gpuval.cohen_kappa_score(*x, weights="quadratic") for x in ((table,), whole))
        assert float(found) == pytest.approx(expected, rel=1e-12)


def objects(rank, world):
    """Integers that are held as objects, in one process."""
    accumulator = Accumulator()
    accumulator.update(pd.Series([7, -rank], dtype=object) if rank == 1 else np.asarray([7, -rank]), [0, rank])
    table = accumulator.all_reduce().table
    assert np.asarray(table.classes).tolist() == [-3, -2, -1, 0, 7]
    assert table.to_array().tolist() == [[0, 0, 0, 1], [0, 0, 1, 0], [0, 1, 0, 0], [1, 0, 0, 0], [4, 0, 0, 0]]


def booleans(rank, world):
    accumulator = Accumulator()
    accumulator.update(torch.asarray([True, rank > 1]), torch.asarray([0, rank]))
    table = accumulator.all_reduce().table
    assert table.to_array().tolist() == [[1, 1, 0, 0], [4, 0, 1, 1]]


def metric(rank, world):
    """torchmetrics synchronises the tables when the score is read, and goes on with its own afterwards."""
    from gpuval.torchmetrics import ClusteringMetric

    parts = [some(r, 100 * (r + 1)) for r in range(world)]
    true, pred = map(torch.asarray, parts[rank])
    for options in ({}, {"ignore_labels": [3]}, {"ignore_labels": {"true": [3, 1]}}):
        one = ClusteringMetric("adjusted_rand_score", **SIZE, **options)
        one.update(pred, true)
        expected = float(gpuval.adjusted_rand_score(*together(parts), **SIZE, **options))
        assert float(one.compute()) == expected
        expected = float(gpuval.adjusted_rand_score(*parts[rank], **options))
        assert abs(float(one(pred, true)) - expected) < 1e-13
    one = ClusteringMetric("adjusted_rand_score", **SIZE, dist_sync_on_step=True)
    for _ in range(2):
        assert float(one(pred, true)) == float(gpuval.adjusted_rand_score(*together(parts), **SIZE))
    assert int(one.counts.sum()) == 200 * (rank + 1)


def metric_different(rank, world):
    """Other labels to ignore are the same error in each process, and nothing changes in any."""
    from gpuval.torchmetrics import ClusteringMetric

    true, pred = map(torch.asarray, some(rank, 100))
    for on_step in (False, True):
        one = ClusteringMetric("adjusted_rand_score", **SIZE, ignore_labels=rank, dist_sync_on_step=on_step)
        one.update(pred, true)
        before = [x.clone() for x in one.metric_state.values()]
        with pytest.raises(ValueError, match="ignore_labels must be the same in all processes, got different ones"):
            _ = one(pred, true) if on_step else one.compute()
        assert all(map(torch.equal, one.metric_state.values(), before))


def metric_of_nothing(rank, world):
    """A process without samples has the score of the others; if none has any, all warn and have NaN."""
    from gpuval.torchmetrics import ClusteringMetric

    parts = [some(r, 100 * r) for r in range(world)]
    one = ClusteringMetric("adjusted_rand_score", **SIZE)
    one.update(*map(torch.asarray, reversed(parts[rank])))
    assert float(one.compute()) == float(gpuval.adjusted_rand_score(*together(parts), **SIZE))
    one.reset()
    one.update(*map(torch.asarray, some(0, 0)))
    assert math.isnan(float(one.compute()))


def narrow(rank, world):
    """JAX without 64 bits in one process: what does not fit is an error there, and nobody waits for it."""
    import jax.numpy as jnp

    accumulator = Accumulator()
    accumulator.update(*([jnp.asarray([0, 1])] * 2 if rank == 0 else [np.asarray([0, 2**40])] * 2))
    if rank == 0:
        with pytest.raises(ValueError, match="less than 2"):
            accumulator.all_reduce()
    else:
        assert int(accumulator.all_reduce().table.total) == 2 * world
    floats = Accumulator(1, 1)
    if rank == 0:
        floats.update(jnp.asarray([0]), jnp.asarray([0]), jnp.asarray([17825793]))
    else:
        floats.update([0], [0], [0.0])
    assert rank == 0 or float(floats.all_reduce().table.total) == 17825793
    if rank == 0:
        floats.all_reduce()
    empty = Accumulator(like=torch.zeros(1))
    if rank:
        empty = Accumulator()
        empty.update(["a"], [rank])
    assert int(empty.all_reduce().table.total) == world - 1


def nothing(rank, world):
    for sizes in (SIZE, {}):
        assert int(Accumulator(**sizes).all_reduce().table.total) == 0


def none_left(rank, world):
    """Of one process it is fine; of all of them it is told in each, also in those that had nothing."""
    for sizes in (SIZE, {}):
        accumulator = Accumulator(**sizes, ignore_labels=0)
        if rank:
            accumulator.update([0, 0], [1, rank])
        total = accumulator.all_reduce()
        assert np.isnan(float(gpuval.adjusted_rand_score(total.unchecked_table)))
        with pytest.raises(ValueError, match=f"got none left of {2 * world - 2}"):
            _ = total.table
        if rank == 1:
            accumulator.update([3], [1])
        assert int(accumulator.all_reduce().table.total) == 1


def unsigned(rank, world):
    """Labels that int64 holds are exchanged; larger ones are an error in every process, and come round to nothing."""
    import jax
    import jax.numpy as jnp

    with jax.enable_x64(True):
        for library in (np.asarray, jnp.asarray):
            accumulator = Accumulator()
            accumulator.update(library(np.asarray([2**62 + rank, 0], np.uint64)), library(np.asarray([0, 0])))
            found = accumulator.all_reduce().table.triples()[0]
            assert np.asarray(found).tolist() == [0, *range(2**62, 2**62 + world)]
            accumulator.reset()
            accumulator.update(library(np.asarray([2**64 - 1, 0], np.uint64)), library(np.asarray([0, 0])))
            with pytest.raises(TypeError, match=r"must be integers below 2\*\*63, or text, in all processes"):
                accumulator.all_reduce()


def outside(rank, world):
    """What one process could not count is told in all of them."""
    from backends import as_on_a_device

    with as_on_a_device():
        accumulator = Accumulator(**SIZE)
        accumulator.update(torch.asarray([rank, 60 if rank == 2 else 0]), torch.asarray([-rank, 0]))
        total = accumulator.all_reduce()
        with pytest.raises(ValueError, match=f"got 4 samples .* from 0 to 60, labels_pred from {1 - world} to 0"):
            _ = total.table


def different(rank, world):
    """Different sizes, or kinds of labels, are an error in every process."""
    for accumulator, error, word in (
        (Accumulator(2, 2 + (rank == 1)), ValueError, "n_classes and n_clusters must be the same in all processes"),
        (Accumulator(*((2, 2) if rank == 1 else ())), ValueError, "(-1, -1), (2, 2)"),
    ):
        with pytest.raises(error, match=re.escape(word)):
            accumulator.all_reduce()
    with pytest.raises(ValueError, match="ignore_labels must be the same in all processes"):
        Accumulator(2, 2, ignore_labels=rank).all_reduce()
    with pytest.raises(ValueError, match="ignore_labels must be the same in all processes"):
        Accumulator(2, 2, ignore_labels={"true": 0} if rank else 0).all_reduce()
    swapped = Accumulator()  # which is no error: another order of bytes in one process
    swapped.update(np.array([5, 10**12], dtype=">i8" if rank == 1 else "<i8"), np.array([0, 1]))
    assert swapped.all_reduce().table.to_array().tolist() == [[world, 0], [0, world]]
    mixed = Accumulator()
    mixed.update(["a"] if rank == 1 else [1], [0])
    with pytest.raises(TypeError, match=r"or text, in all processes, got integer and text"):
        mixed.all_reduce()
    objects = Accumulator()
    objects.update(np.array([(1, 2), None], dtype=object)[:1] if rank == 1 else ["a"], [0])
    with pytest.raises(TypeError, match="got text and other"):
        objects.all_reduce()


def group(rank, world):
    """Of two processes among all."""
    pair = dist.new_group([1, 2])
    if rank in (1, 2):
        accumulator = Accumulator(**SIZE)
        accumulator.update(*some(rank))
        assert_same(accumulator.all_reduce(pair), together([some(1), some(2)]), SIZE)


def samples(rank, n=500):
    rng = np.random.default_rng(100 + rank)
    labels = rng.integers(0, 5, n)
    return rng.normal(size=(n, 3)) + 10 * rank + labels[:, None], labels


def internal(rank, world):
    """Moments of samples: one process is empty, the others have different lengths, far from each other."""
    parts = [samples(r, 100 * r) for r in range(world)]
    expected = float(gpuval.calinski_harabasz_score(*together(parts)))
    for library in (torch.asarray, np.asarray):
        accumulator = InternalAccumulator(5)
        if rank:
            accumulator.update(*map(library, parts[rank]))
        for _ in range(2):  # it can be asked again, as nothing of the others stays here
            moments = accumulator.all_reduce().moments
            assert abs(float(gpuval.calinski_harabasz_score(moments)) / expected - 1) < 1e-12
        assert rank == 0 or int(accumulator.moments.n_counted) == 100 * rank
        if rank:
            assert type(moments.like) is type(library(0.0)) or library is np.asarray


def internal_weights(rank, world):
    """Real ones in one process, copies in another, labels that are ignored in all of them."""
    parts = [(*samples(r), np.full(500, 0.25 if r == 1 else 1.0)) for r in range(world)]
    accumulator = InternalAccumulator(5, ignore_labels=3)
    X, labels, weights = parts[rank]
    accumulator.update(X, labels, *([weights] if rank == 1 else []))
    X, labels, weights = together(parts)
    expected = gpuval.calinski_harabasz_score(X, labels, sample_weight=weights, ignore_labels=3)
    found = gpuval.calinski_harabasz_score(accumulator.all_reduce().moments)
    assert abs(float(found) / float(expected) - 1) < 1e-12


def internal_nothing(rank, world):
    with pytest.raises(ValueError, match="must have samples before"):
        _ = InternalAccumulator(5).all_reduce().moments


def internal_outside(rank, world):
    """What one process could not read makes the score NaN in all of them."""
    from backends import as_on_a_device

    with as_on_a_device():
        accumulator = InternalAccumulator(5)
        X, labels = map(torch.asarray, samples(rank))
        accumulator.update(X, labels + (rank == 2))
        assert np.isnan(float(gpuval.calinski_harabasz_score(accumulator.all_reduce().moments)))


def internal_different(rank, world):
    """Different settings, or features, are an error in every process."""
    for accumulator, width, word in (
        (InternalAccumulator(), 2, "n_clusters must be given, and the same in all processes, got None"),
        (InternalAccumulator(2 + (rank == 1)), 2, "n_clusters must be given, and the same in all processes, got 2, 3"),
        (InternalAccumulator(2, ignore_labels=rank), 2, "ignore_labels must be the same in all processes"),
        (
            InternalAccumulator(2),
            2 + (rank == 1),
            "X must have the same number of features in all processes, got [2, 3]",
        ),
    ):
        accumulator.update(np.ones((3, width)), [0, 1, 1])
        with pytest.raises(ValueError, match=re.escape(word)):
            accumulator.all_reduce()


def internal_goes_on(rank, world):
    """The sum takes further batches: in a process that had no samples, those of PyTorch."""
    parts, more = [samples(r, 100 * r) for r in range(world)], samples(world)
    expected = float(gpuval.calinski_harabasz_score(*together([*parts, more])))
    for library in (torch.asarray, np.asarray):
        accumulator = InternalAccumulator(5)
        if rank:
            accumulator.update(*map(library, parts[rank]))
        total = accumulator.all_reduce()
        total.update(*map(library if rank else torch.asarray, more))
        assert abs(float(gpuval.calinski_harabasz_score(total.moments)) / expected - 1) < 1e-12


def internal_one_cluster(rank, world):
    """What is an error of the moments of one process is the same error of those of all."""
    accumulator = InternalAccumulator(5)
    if rank:
        accumulator.update(samples(rank)[0], np.zeros(500, dtype=int))
    moments = accumulator.all_reduce().moments
    with pytest.raises(ValueError, match=r"Number of labels is 1\."):
        gpuval.calinski_harabasz_score(moments)
    assert np.isnan(float(gpuval.calinski_harabasz_score(moments, on_degenerate="nan")))


def internal_group(rank, world):
    pair = dist.new_group([1, 2])
    if rank in (1, 2):
        accumulator = InternalAccumulator(5)
        accumulator.update(*samples(rank))
        expected = gpuval.calinski_harabasz_score(*together([samples(1), samples(2)]))
        found = gpuval.calinski_harabasz_score(accumulator.all_reduce(pair).moments)
        assert abs(float(found) / float(expected) - 1) < 1e-12


def rows(rank, n):
    """Relevances and scores of some queries, no two of them tied."""
    rng = np.random.default_rng(200 + rank)
    return rng.integers(0, 3, (n, 6)), rng.permuted(np.tile(np.arange(6.0), (n, 1)), axis=1)


def ranked(rank, world):
    """Sums over queries: one process is empty, the others have different numbers of queries."""
    metrics, parts = ["map", "ndcg@3", "mrr"], [rows(r, 20 * r) for r in range(world)]
    for undefined in (None, "skip"):
        for library in (torch.asarray, np.asarray):
            accumulator = RankingAccumulator(metrics, on_undefined=undefined)
            if rank:
                accumulator.update(*map(library, parts[rank]))
            whole = RankingAccumulator(metrics, on_undefined=undefined)
            whole.update(*together(parts))
            for _ in range(2):  # it can be asked again, as nothing of the others stays here
                total = accumulator.all_reduce()
                for found, wanted in zip(total.scores.values(), whole.scores.values(), strict=True):
                    assert abs(float(found) - float(wanted)) < 1e-14
                    assert isinstance(found, torch.Tensor if library is torch.asarray or not rank else np.float64)
            more = rows(world, 7)
            total.update(*map(library if rank else torch.asarray, more))
            whole.update(*more)
            found, wanted = (float(x.scores["average_precision_score"]) for x in (total, whole))
            assert abs(found - wanted) < 1e-14


def ranked_nothing(rank, world):
    with pytest.raises(ValueError, match="must have had an update before its scores are read"):
        _ = RankingAccumulator("map").all_reduce().scores


def ranked_different(rank, world):
    """Different settings are an error in every process."""
    message = "metrics, ties, ignore_relevance, on_undefined must be the same in all processes, got different ones"
    for settings in ({"metrics": "map" if rank else "mrr"}, {"metrics": "map", "ignore_relevance": rank}):
        accumulator = RankingAccumulator(**settings)
        accumulator.update(*rows(rank, 2))
        with pytest.raises(ValueError, match=f"^{message}$"):
            accumulator.all_reduce()


def ranking_metric(rank, world):
    """torchmetrics synchronises the sums when the score is read, and goes on with its own afterwards."""
    from gpuval.torchmetrics import RankingMetric

    parts = [rows(r, 10 * (r + 1)) for r in range(world)]
    target, preds = map(torch.asarray, parts[rank])
    whole, own = (float(gpuval.ranking.average_precision_score(*x)) for x in (together(parts), parts[rank]))
    one = RankingMetric("map")
    one.update(preds, target)
    assert abs(float(one.compute()) - whole) < 1e-14
    assert abs(float(one(preds, target)) - own) < 1e-14
    assert abs(float(one.compute()) - whole) < 1e-14
    one = RankingMetric("map", dist_sync_on_step=True)
    for _ in range(2):
        assert abs(float(one(preds, target)) - whole) < 1e-14
    weight = one.sums[0, 1, 0] / unit_of_sums(one.sums, torch)
    assert float(weight) == 20 * (rank + 1)  # its own queries, and not those of all
    one = RankingMetric("map", ties="stable" if rank else "average")
    one.update(preds, target)
    before = one.sums.clone()
    message = "metrics, ties, ignore_relevance and on_undefined must be the same in all processes, got different ones"
    with pytest.raises(ValueError, match=f"^{message}$"):
        one.compute()
    assert torch.equal(one.sums, before)


LABELED = ["f1", "hamming_loss", "auc", "ap", "mse", "log_loss", "balanced_accuracy"]
AVERAGES = ["macro", "weighted", "micro", "samples"]
SKIP = {"on_undefined": "skip"}


def labeled(rank, n, dtype=np.float32):
    """Labels and scores of some samples, many of which are tied."""
    rng = np.random.default_rng(300 + rank)
    return rng.integers(0, 2, (n, 4)), (rng.integers(1, 16, (n, 4)) / 16).astype(dtype)


def assert_scores(found, columns, **options):
    """The scores are those of one call on all samples."""
    whole = gpuval.multilabel.evaluate(*columns, metrics=LABELED, averages=AVERAGES, **SKIP, **options)
    assert list(found) == list(whole)
    for name, score in whole.items():
        assert abs(float(found[name]) - float(score)) < 1e-13, (name, float(found[name]), float(score))


def multilabel(rank, world):
    """Counts, sums, bins or scores: one process is empty, the others have different numbers of samples."""
    parts = [labeled(r, 20 * r, np.float64 if r == 1 else np.float32) for r in range(world)]
    for bins in ({}, {"n_bins": 17, "score_range": (-1 / 32, 33 / 32)}):
        for library in (torch.asarray, np.asarray):
            accumulator = MultilabelAccumulator(LABELED, AVERAGES, **bins, **SKIP)
            if rank:
                for i in (0, 10 * rank):
                    accumulator.update(*(library(x[i : i + 10 * rank]) for x in parts[rank]))
            for _ in range(2):  # it can be asked again, as nothing of the others stays here
                total = accumulator.all_reduce()
                assert_scores(total.scores, together(parts))
                assert total.counts.true_positives.dtype in (np.int64, torch.int64)
                kind = torch.Tensor if library is torch.asarray or not rank else np.float64
                assert isinstance(total.scores["f1_macro"], kind)
            more = labeled(world, 7)
            total.update(*map(library if rank else torch.asarray, more))
            assert_scores(total.scores, together([*parts, more]))
            accumulator.update(*map(library, more), sample_weight=library(np.full(7, 0.5)))
            weighed = together([(*part, np.ones(len(part[0]))) for part in parts] + [(*more, np.full(7, 0.5))] * world)
            found = accumulator.all_reduce().scores
            assert_scores(found, weighed[:2], sample_weight=weighed[2])
        accumulator = MultilabelAccumulator(LABELED, AVERAGES, **bins, **SKIP)
        accumulator.update(*labeled(9, 5), sample_weight=None if rank else np.arange(5))
        columns = together([labeled(9, 5)] * world)
        counted = np.concatenate([np.arange(5)] + [np.ones(5, int)] * (world - 1))
        assert_scores(accumulator.all_reduce().scores, columns, sample_weight=counted)


def multilabel_vectors(rank, world):
    """One label for each sample, from 0 to below the number of classes."""
    accumulator = MultilabelAccumulator("hamming_loss", "micro", n_classes=world)
    accumulator.update([0, 0], y_pred=[rank, 0])
    total = accumulator.all_reduce()
    assert abs(float(total.scores["hamming_loss_micro"]) - (world - 1) / (2 * world)) < 1e-15
    assert total.counts.false_positives.tolist() == [0, *[1] * (world - 1)]
    accumulator = MultilabelAccumulator("f1", "macro")
    accumulator.update(["a", "b"], y_pred=["b", "b"])
    message = (
        "n_classes must be given for one label for each sample in several processes, for labels from 0 to below it, "
        "got None"
    )
    with pytest.raises(ValueError, match=f"^{message}$"):
        accumulator.all_reduce()


def multilabel_nothing(rank, world):
    accumulator = MultilabelAccumulator("f1").all_reduce()
    with pytest.raises(ValueError, match="must have had an update before its scores are read"):
        _ = accumulator.scores
    for n_bins in (None, 4):
        accumulator = MultilabelAccumulator("auc", "macro", n_bins=n_bins, on_undefined="zero")
        accumulator.update(np.zeros((0, 2), dtype=np.int64), np.zeros((0, 2)))
        assert float(accumulator.all_reduce().scores["roc_auc_macro"]) == 0
        if not rank:
            accumulator.update(np.eye(2), np.eye(2))
        assert float(accumulator.all_reduce().scores["roc_auc_macro"]) == 1


def multilabel_outside(rank, world):
    """What is wrong in one process makes scores NaN in all of them."""
    from backends import as_on_a_device

    with as_on_a_device():
        for options in ({}, {"n_bins": 4}):
            accumulator = MultilabelAccumulator(["f1", "auc", "mse"], AVERAGES, **options)
            labels, scores = map(torch.asarray, labeled(rank, 20))
            if rank == 1:
                labels[3, 2] = 7
            accumulator.update(labels, scores)
            found = accumulator.all_reduce().scores
            assert all(np.isnan(float(x)) for x in found.values())
            assert np.isnan(np.asarray(found.per_class["roc_auc"])).tolist() == [False, False, True, False]


def multilabel_different(rank, world):
    """Different settings, classes or types are an error in every process."""
    import pandas as pd

    own = "metrics, averages, n_bins, score_range, threshold, at_least_one, ignore_labels, n_classes, on_undefined"
    for options, batch, error, message in (
        (
            {"n_bins": 2 + rank},
            labeled(0, 5),
            ValueError,
            f"{own} must be the same in all processes, got different ones",
        ),
        (
            {},
            [x[:, : 4 - (rank == 1)] for x in labeled(0, 5)],
            ValueError,
            "y_true must have as many classes in all processes, got 3, 4",
        ),
        (
            {},
            [x.astype(np.int64 if rank == 1 else np.float32) for x in labeled(0, 5)],
            TypeError,
            "y_score must have one dtype in all processes, got float32 and int64",
        ),
        (
            {},
            [pd.DataFrame(x, columns=list("abcd" if rank else "abdc")) for x in labeled(0, 5)],
            ValueError,
            "y_true must have the same columns in all processes, got different ones",
        ),
    ):
        accumulator = MultilabelAccumulator("auc", **options)
        accumulator.update(*batch)
        with pytest.raises(error, match=f"^{re.escape(message)}$"):
            accumulator.all_reduce()


def multilabel_metric(rank, world):
    """torchmetrics synchronises the states when the score is read, and goes on with its own afterwards."""
    from gpuval.torchmetrics import MultilabelMetric

    parts = [labeled(r, 10 * (r + 1), np.float64 if r else np.float32) for r in range(world)]
    for bins in ({}, {"n_bins": 17, "score_range": (-1 / 32, 33 / 32)}):
        one = MultilabelMetric(LABELED, AVERAGES, n_classes=4, **bins, **SKIP)
        target, preds = map(torch.asarray, parts[rank])
        one.update(preds, target)
        assert_scores(one.compute(), together(parts))
        assert_scores(one(preds, target), parts[rank])
        assert_scores(one.compute(), together([*parts, *parts]))
        alone = MultilabelMetric(LABELED, AVERAGES, n_classes=4, **bins, **SKIP)
        if rank:
            alone.update(preds, target)
        alone._update_count = 1  # without samples torchmetrics would warn
        assert_scores(alone.compute(), together(parts[1:]))
        one = MultilabelMetric(LABELED, AVERAGES, n_classes=4, dist_sync_on_step=True, **bins, **SKIP)
        for _ in range(2):
            assert_scores(one(preds, target), together(parts))
    one = MultilabelMetric("auc", "macro", n_classes=4, on_undefined="skip" if rank else "nan")
    one.update(preds, target)
    before = one.scores
    with pytest.raises(ValueError, match=r"^metrics, averages, .* and on_undefined must be the same in all processes"):
        one.compute()
    assert all(map(torch.equal, one.scores, before))
    one = MultilabelMetric("auc", "macro", n_classes=4)
    one.update(preds > 0 if rank else preds, target)
    message = "preds must have one dtype in all processes, got torch.bool and torch.float32"
    with pytest.raises(TypeError, match=f"^{message}$"):
        one.compute()


def spans(rank, n):
    """True and predicted intervals of some samples."""
    ends = np.sort(np.random.default_rng(300 + rank).normal(size=(2, n, 2)), axis=-1)
    return tuple(ends)


def intervals(rank, world):
    """Sums over samples: one process is empty, the others have different numbers of them."""
    metrics, parts = ["jaccard", "ochiai"], [spans(r, 20 * r) for r in range(world)]
    wanted = [gpuval.intervals.jaccard_score(*together(parts)), gpuval.intervals.ochiai_score(*together(parts))]
    for library in (torch.asarray, np.asarray):
        accumulator = IntervalAccumulator(metrics)
        if rank:
            accumulator.update(*map(library, parts[rank]))
        for _ in range(2):  # it can be asked again, as nothing of the others stays here
            for found, exact in zip(accumulator.all_reduce().scores.values(), wanted, strict=True):
                assert abs(float(found) - float(exact)) < 1e-14
                assert isinstance(found, torch.Tensor if library is torch.asarray or not rank else np.float64)


def intervals_different(rank, world):
    """Different settings are an error in every process."""
    accumulator = IntervalAccumulator("jaccard" if rank else "simpson")
    accumulator.update(*spans(rank, 2))
    message = "metrics, on_undefined must be the same in all processes, got different ones"
    with pytest.raises(ValueError, match=f"^{message}$"):
        accumulator.all_reduce()


def interval_metric(rank, world):
    """torchmetrics synchronises the sums when the score is read, and goes on with its own afterwards."""
    from gpuval.torchmetrics import IntervalMetric

    parts = [spans(r, 10 * (r + 1)) for r in range(world)]
    target, preds = map(torch.asarray, parts[rank])
    whole, own = (float(gpuval.intervals.jaccard_score(*x)) for x in (together(parts), parts[rank]))
    one = IntervalMetric("jaccard")
    one.update(preds, target)
    assert abs(float(one.compute()) - whole) < 1e-14
    assert abs(float(one(preds, target)) - own) < 1e-14
    assert abs(float(one.compute()) - whole) < 1e-14
    one = IntervalMetric("jaccard", on_undefined="skip" if rank else "nan")
    one.update(preds, target)
    message = "metrics and on_undefined must be the same in all processes, got different ones"
    with pytest.raises(ValueError, match=f"^{message}$"):
        one.compute()


def internal_metric(rank, world):
    """torchmetrics synchronises the moments when the score is read, and goes on with its own afterwards."""
    from gpuval.torchmetrics import GraphMetric, InternalMetric

    rng = np.random.default_rng(7)
    parts = [(rng.normal(size=(5 * r + 5, 2)), rng.integers(0, 3, 5 * r + 5)) for r in range(world)]
    X, labels = map(torch.asarray, parts[rank])
    whole, own = (float(gpuval.xie_beni_index(*x)) for x in (together(parts), parts[rank]))
    one = InternalMetric("xie_beni_index", n_clusters=3, n_features=2)
    one.update(X, labels)
    assert abs(float(one.compute()) - whole) < 1e-12 * whole
    assert abs(float(one(X, labels)) - own) < 1e-12 * own
    one = InternalMetric("inertia", n_clusters=3, n_features=2, ignore_labels=rank or None)
    one.update(X, labels)
    message = "metrics, n_clusters, n_features and ignore_labels must be the same in all processes, got different ones"
    with pytest.raises(ValueError, match=f"^{message}$"):
        one.compute()
    graphs = GraphMetric("coverage_score")
    for _ in range(rank + 1):  # a graph with one edge
        graphs.update(torch.tensor([[0.0, 1.0], [1.0, 0.0]]).to_sparse(), torch.tensor([0, min(rank, 1)]))
    n = world * (world + 1) // 2
    assert abs(float(graphs.compute()) - 1 / n) < 1e-14


def failing(rank, world):
    """One process raises: the others raise too, as soon as the group says so."""
    accumulator = Accumulator(**SIZE)
    accumulator.update(*some(rank))
    if rank == 1:
        raise KeyError("a fault of its own")
    with pytest.raises(RuntimeError) as raised:
        accumulator.all_reduce()
    print("told:", str(raised.value).splitlines()[0])


def main():
    """Fork the processes, which share what was imported, and print their exit codes."""
    scenario, world, folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    if "metric" in scenario:
        importlib.import_module("gpuval.torchmetrics")  # which takes long
    forked = []
    for rank in range(world):
        process = os.fork()
        if process == 0:
            for stream in (sys.stdout, sys.stderr):
                file = os.open(folder / f"{stream.name.strip('<>')}{rank}", os.O_WRONLY | os.O_CREAT)
                os.dup2(file, stream.fileno())
            run(scenario, rank, world, folder)
            raise AssertionError("run ends its process")
        forked.append(process)
    print(*(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) for process in forked))


def run(scenario, rank, world, folder):
    timeout = timedelta(seconds=5 if scenario == "failing" else 60)
    meeting = f"file://{folder / 'meeting'}"
    dist.init_process_group("gloo", init_method=meeting, rank=rank, world_size=world, timeout=timeout)
    for name in scenario.split(","):
        globals()[name](rank, world)
    if scenario != "failing":
        dist.barrier()  # a process that ends while another still speaks to it may bring that down
    dist.destroy_process_group()
    print("done", flush=True)
    os._exit(0)  # all was asserted; threads of Gloo may abort a process whose interpreter ends (pytorch/pytorch#179291)


if __name__ == "__main__":
    main()
