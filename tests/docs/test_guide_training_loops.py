"""What the pages about training loops and many processes say of their cells."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import sklearn.metrics as sk
import torch
from guide_pages import DOCS, blocks, cells, ran

import gpuval

LOOPS, PROCESSES = "training-loops.md", "many-processes.md"


def test_the_compiled_step_is_one_graph():
    """The block that is no cell, without the C++ compiler that PyTorch's own backend calls."""
    _, code = blocks(LOOPS, "python")
    assert "torch.compile(fullgraph=True)" in code
    names = dict(ran(LOOPS).names)
    step = code.replace("fullgraph=True", 'fullgraph=True, backend="eager"')
    labels, assigned = names["labels"].cpu(), names["assigned"].cpu()
    names |= {"labels": labels, "assigned": assigned}
    exec(compile(step, LOOPS, "exec"), names)
    ari, acc = names["step"](labels, assigned)
    assert float(ari) == pytest.approx(sk.adjusted_rand_score(labels, assigned), abs=1e-12)
    assert float(acc) == pytest.approx(float(gpuval.clustering_accuracy(labels.numpy(), assigned.numpy())), abs=1e-12)


def test_the_gradient_is_that_of_softmax():
    """NMI does not change if the same number is added to the logits of a row; steps along the gradient raise it."""
    names = ran(LOOPS).names
    gradient = names["logits"].grad
    assert gradient.abs().sum() > 0
    assert gradient.sum(1).abs().max() < 1e-12

    def score(logits):
        table = gpuval.Contingency.from_memberships(names["true"], logits.softmax(1))
        return float(gpuval.normalized_mutual_info_score(table))

    logits = names["logits"].detach()
    assert score(logits - 0.1 * gradient) > score(logits)


def test_matching_has_no_gradient():
    logits = torch.zeros(4, 2, dtype=torch.float64, requires_grad=True)
    soft = gpuval.Contingency.from_memberships(torch.eye(2, dtype=torch.float64)[[0, 0, 1, 1]], logits.softmax(1))
    assert not gpuval.clustering_accuracy(soft).requires_grad


def test_a_silhouette_has_a_gradient():
    X = torch.randn(20, 2, dtype=torch.float64, generator=torch.Generator().manual_seed(0)).requires_grad_()
    gpuval.silhouette_score(X, torch.arange(20) % 2).backward()
    assert X.grad.abs().sum() > 0


def test_the_scan_has_the_score_of_all_batches():
    _, shown = ran(LOOPS).that_has(LOOPS, "# two batches")
    expected = sk.adjusted_rand_score([0, 0, 1, 2, 2, 1], [1, 1, 0, 2, 2, 0])
    assert float(shown) == pytest.approx(expected, abs=1e-6)


def test_labels_outside():
    run = ran(LOOPS)
    _, shown = run.that_has(LOOPS, "outside, clusters =")
    assert np.isnan(float(shown))
    outside, clusters = run.names["outside"], run.names["clusters"]
    with pytest.raises(ValueError, match="labels_true must lie in"):
        gpuval.adjusted_rand_score(outside.numpy(), clusters.numpy(), n_classes=2, n_clusters=2)
    score = jax.jit(lambda a, b: gpuval.adjusted_rand_score(a, b, n_classes=2, n_clusters=2))
    assert np.isnan(float(score(jnp.asarray(outside.numpy()), jnp.asarray(clusters.numpy()))))
    accumulator = gpuval.Accumulator(n_classes=2, n_clusters=2)
    accumulator.update(outside, clusters)
    with pytest.raises(ValueError, match="labels_true range from 0 to 2"):
        _ = accumulator.table
    _, ignored = run.that_has(LOOPS, "ignore_labels=-1")
    assert float(ignored) == 1


def test_before_the_first_batch():
    accumulator = gpuval.Accumulator(n_classes=2, n_clusters=2)
    with pytest.warns(UserWarning, match="no samples"):
        assert np.isnan(float(gpuval.adjusted_rand_score(accumulator.table)))


def test_a_collapsed_clustering():
    _, silhouette = ran(LOOPS).that_has(LOOPS, "on_degenerate")
    assert np.isnan(float(silhouette))
    for score in (
        *(gpuval.adjusted_rand_score, gpuval.adjusted_mutual_info_score),
        *(gpuval.normalized_mutual_info_score, gpuval.v_measure_score),
    ):
        assert score([0, 0, 1, 1], [0, 0, 0, 0]) == 0
    with pytest.raises(ValueError, match="more than one cluster"):
        gpuval.silhouette_score([[0.0], [1.0], [2.0]], [0, 0, 0])


def test_the_checkpoint():
    assert bool(ran(LOOPS).shown[-1])


def test_tables_of_parts_have_the_score_of_the_whole():
    run = ran(PROCESSES)
    whole = sk.adjusted_rand_score(run.names["true"], run.names["pred"])
    assert [float(x) for x in run.shown[0]] == pytest.approx([whole] * 2, abs=1e-12)
    for text in ("all_reduce()", "first.merge(other)"):
        assert float(run.that_has(PROCESSES, text)[1]) == pytest.approx(whole, abs=1e-12)
    assert np.asarray(run.that_has(PROCESSES, "psum")[1]) == pytest.approx([whole] * 4, abs=1e-6)
    dask = run.that_has(PROCESSES, "dask.array")[1]
    assert float(dask["adjusted_rand_score"]) == pytest.approx(whole, abs=1e-12)


def test_different_labels_add_up():
    _, table = ran(PROCESSES).that_has(PROCESSES, '["NK", "T"]')
    assert table.classes.tolist() == ["B", "NK", "T"]
    assert table.to_array().tolist() == [[1, 0, 0], [0, 0, 1], [0, 2, 0]]


def test_the_mean_of_scores_of_parts_is_something_else():
    true, pred = np.asarray([0, 0, 1, 1]), np.asarray([0, 0, 0, 0])
    of_parts = [gpuval.adjusted_rand_score(true[part], pred[part]) for part in (slice(2), slice(2, 4))]
    assert np.mean(of_parts) == 1
    assert gpuval.adjusted_rand_score(true, pred) == 0


def test_the_cell_runs_in_two_processes_of_which_one_has_no_batch(tmp_path):
    (cell,) = (x for x in cells(PROCESSES) if "all_reduce()" in x)
    program = f"""
import numpy as np, torch, torch.distributed as dist, gpuval
dist.init_process_group("gloo")
rank = dist.get_rank()
true, pred = (np.asarray(x)[: None if rank == 0 else 0] for x in ([0, 0, 1, 1, 2], [3, 3, 4, 4, 4]))
{cell.replace("gpuval.adjusted_rand_score(", "score = gpuval.adjusted_rand_score(")}
open(f"{tmp_path}/{{rank}}", "w").write(repr(float(score)))
dist.destroy_process_group()
"""
    path = tmp_path / "program.py"
    # No batch: `split` of no labels gives one batch of none, which adds nothing.
    path.write_text(textwrap.dedent(program), encoding="utf-8")
    command = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", str(path)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": str(DOCS.parent)}
    ran_ = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300, check=False)
    assert ran_.returncode == 0, ran_.stderr
    expected = sk.adjusted_rand_score([0, 0, 1, 1, 2], [3, 3, 4, 4, 4])
    found = [float((tmp_path / str(rank)).read_text()) for rank in range(2)]
    assert found == pytest.approx([expected] * 2, abs=1e-12)


def test_the_command_of_torchrun_is_that_of_the_example():
    (code,) = blocks(PROCESSES, "sh")
    example = (DOCS.parent / "examples" / "many_processes_torch.py").read_text(encoding="utf-8")
    assert code.strip() in example
