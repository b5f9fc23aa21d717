"""A table as a tree of arrays: through ``jax.jit``, ``scan``, ``vmap`` and ``psum``, and through PyTorch's trees."""

import subprocess
import sys

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from compiling import output_on_devices

import gpuval
from gpuval import Contingency

SIZE = {"n_classes": 4, "n_clusters": 3}


def some(n, seed=0):
    rng = np.random.default_rng(seed)
    return rng.integers(0, 4, n), rng.integers(0, 3, n)


@pytest.fixture(autouse=True)
def wide():
    with jax.enable_x64(True):
        yield


def tables(library):
    true, pred = map(library, some(50))
    return [
        Contingency.from_labels(true, pred, **SIZE),
        Contingency.from_labels(true, pred, layout="cells"),
        Contingency.from_labels(true, pred, sample_weight=library(np.arange(50) / 4), **SIZE),
        Contingency.from_labels(library(some(50)[0] * 10**9), pred),
    ]


@pytest.mark.parametrize("i", range(4))
def test_there_and_back(i):
    for library, tree in ((jnp.asarray, jax.tree_util), (torch.asarray, torch.utils._pytree)):
        table = tables(library)[i]
        leaves, structure = tree.tree_flatten(table)
        assert {type(x) for x in leaves if x is not None} == {type(table.counts)}
        back = (
            tree.tree_unflatten(structure, leaves) if tree is jax.tree_util else tree.tree_unflatten(leaves, structure)
        )
        assert isinstance(back, Contingency)
        assert float(gpuval.v_measure_score(back)) == float(gpuval.v_measure_score(table))
        assert (back.fixed, type(back.cells)) == (table.fixed, type(table.cells))


def test_a_tree_of_text_labels_has_its_labels():
    table = Contingency.from_labels(["a", "b", "a"], ["x", "x", "y"])
    leaves, structure = jax.tree_util.tree_flatten(table)
    assert jax.tree_util.tree_unflatten(structure, leaves).classes.tolist() == ["a", "b"]


def test_a_table_is_an_argument_and_a_result_of_jit():
    true, pred = map(jnp.asarray, some(60))
    build = jax.jit(lambda a, b: Contingency.from_labels(a, b, **SIZE))
    table = build(true, pred)
    assert isinstance(table, Contingency)
    assert int(table.total) == 60
    score = jax.jit(gpuval.adjusted_rand_score)
    assert float(score(table)) == pytest.approx(gpuval.adjusted_rand_score(*some(60)), abs=1e-15)
    assert float(score(tables(jnp.asarray)[1])) == pytest.approx(gpuval.adjusted_rand_score(*some(50)), abs=1e-15)


def test_a_scan_adds_batches_up():
    true, pred = (jnp.asarray(x).reshape(6, 10) for x in some(60))

    @jax.jit
    def epoch(true, pred):
        empty = Contingency.from_labels(true[0, :0], pred[0, :0], **SIZE)
        return jax.lax.scan(
            lambda table, batch: (table + Contingency.from_labels(*batch, **SIZE), gpuval.rand_score(table)),
            empty,
            (true, pred),
        )

    table, scores = epoch(true, pred)
    assert scores.shape == (6,)
    np.testing.assert_array_equal(table.to_array(), Contingency.from_labels(*some(60), **SIZE).to_array())


def test_a_batch_of_tables_by_vmap():
    true, preds = jnp.asarray(some(40)[0]), jnp.stack([jnp.asarray(some(40, seed)[1]) for seed in range(3)])
    batch = jax.vmap(lambda pred: Contingency.from_labels(true, pred, **SIZE))(preds)
    scores = gpuval.v_measure_score(batch)
    assert scores.tolist() == [float(gpuval.v_measure_score(true, pred)) for pred in preds]


def test_new_data_of_the_same_shape_compiles_nothing():
    traced = []

    @jax.jit
    def score(a, b):
        traced.append(1)
        return gpuval.adjusted_mutual_info_score(a, b, **SIZE)

    @jax.jit
    def of_table(table):
        traced.append(2)
        return gpuval.v_measure_score(table)

    for seed in range(4):
        true, pred = map(jnp.asarray, some(30, seed))
        score(true, pred)
        of_table(Contingency.from_labels(true, pred, **SIZE))
    assert traced == [1, 2]
    score(*map(jnp.asarray, some(31)))
    assert traced == [1, 2, 1]  # of another shape it does


def test_new_data_of_the_same_shape_compiles_nothing_in_torch():
    torch._dynamo.reset()
    score = torch.compile(lambda a, b: gpuval.v_measure_score(a, b, **SIZE), fullgraph=True, backend="eager")
    with torch._dynamo.config.patch(error_on_recompile=True):
        for seed in range(4):
            true, pred = some(30, seed)
            found = score(torch.asarray(true), torch.asarray(pred))
            assert float(found) == pytest.approx(gpuval.v_measure_score(true, pred), abs=1e-14)
        with pytest.raises(Exception, match=r"[Rr]ecompil"):
            score(*map(torch.asarray, some(31)))


PSUM = """
import jax, jax.numpy as jnp, numpy as np, gpuval
from jax.sharding import Mesh, PartitionSpec as P
jax.config.update("jax_enable_x64", True)
mesh = Mesh(jax.devices(), ("samples",))
rng = np.random.default_rng(0)
true, pred = rng.integers(0, 4, 80), rng.integers(0, 3, 80)
size = {"n_classes": 4, "n_clusters": 3}

def table(a, b):
    return jax.lax.psum(gpuval.Contingency.from_labels(a, b, **size), "samples")

whole = jax.jit(jax.shard_map(table, mesh=mesh, in_specs=P("samples"), out_specs=P()))(true, pred)
assert len(jax.devices()) == 4
np.testing.assert_array_equal(whole.to_array(), gpuval.Contingency.from_labels(true, pred, **size).to_array())
assert abs(float(gpuval.adjusted_rand_score(whole)) - gpuval.adjusted_rand_score(true, pred)) < 1e-15
assert int(whole.invalid) == 0
print("equal")
"""


def test_psum_over_a_mesh():
    """On four devices that XLA makes of the CPU."""
    assert output_on_devices(PSUM) == ["equal"]


def test_a_library_that_is_imported_later_is_told():
    program = (
        "import gpuval; gpuval.Contingency.from_labels([0], [0]); import jax; "
        "table = gpuval.Contingency.from_labels([0, 1], [0, 1]); print(len(jax.tree_util.tree_leaves(table)))"
    )
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert int(ran.stdout) > 1, ran.stderr
