"""A table as a tree of arrays: through ``jax.jit``, ``scan``, ``vmap`` and ``psum``, and through PyTorch's trees."""

import copy
import importlib.util
import pickle
import subprocess
import sys
import threading
import time
import zipfile
from dataclasses import fields

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from compiling import output_on_devices

import gpuval
from gpuval import Contingency, multilabel, ranking
from gpuval.engines.backends import pytrees
from gpuval.table.table import Table

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
    assert scores.tolist() == pytest.approx([float(gpuval.v_measure_score(true, pred)) for pred in preds], abs=1e-15)


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


MESH = """
import jax, jax.numpy as jnp, numpy as np, gpuval
from gpuval import intervals, multilabel, ranking
from jax.sharding import Mesh, PartitionSpec as P
jax.config.update("jax_enable_x64", True)
mesh = Mesh(jax.devices(), ("samples",))
rng, n, size = np.random.default_rng(0), 12, {"n_classes": 4, "n_clusters": 3}
true, pred, X = np.tile(np.arange(n) % 4, (4, 1)), rng.integers(0, 3, (4, n)), rng.normal(size=(4, n, 2))
near, apart = np.tile((np.arange(n)[:, None] + [1, 2, 3]) % n, (4, 1, 1)), np.sort(rng.random((4, n, 3)))
targets, weights, starts = near.reshape(4, -1), np.ones((4, 3 * n)), np.tile(np.arange(0, 3 * n + 1, 3), (4, 1))
labels, scores, ends = rng.integers(0, 2, (4, 6, 9)), rng.random((4, 6, 9)), np.sort(rng.random((4, n, 2)))

def of_each(function):  # the function of the arrays of each device, which vary over the mesh
    own = lambda *x: jax.tree.map(lambda y: jnp.asarray(y)[None], function(*(y[0] for y in x)))
    return jax.jit(jax.shard_map(own, mesh=mesh, in_specs=P("samples"), out_specs=P("samples")))

def of_tables(a, b):
    table, scores = gpuval.Contingency.from_labels(a, b, **size), {}
    for name in gpuval.METRICS:
        scores[name] = getattr(gpuval, name)(table)
    return scores

def of_samples(x, b):
    return {name: metric(x, b, n_clusters=3) for name, metric in gpuval.INTERNAL_METRICS.items()}

def of_neighbors(i, d, b):
    neighbors, k = gpuval.Neighbors.from_knn(i, d, has_self=False), {"n_batches": 3}
    return gpuval.ilisi_score(neighbors, b, **k), gpuval.kbet_score(neighbors, b, **k)

def of_graph(d, i, s, b):
    names = "modularity_score", "coverage_score", "performance_score", "conductance_scores"
    return [getattr(gpuval, x)((d, i, s), b, n_labels=3) for x in names]

def connected(d, i, s, b):
    return gpuval.graph_connectivity_score((d, i, s), b, n_labels=3)

def begun(start):
    def scanned(a, b):
        added = lambda table, batch: (table + gpuval.Contingency.from_labels(*batch, **size), None)
        batches = a.reshape(3, -1), b.reshape(3, -1)
        return gpuval.adjusted_rand_score(jax.lax.scan(added, start(a), batches)[0])
    return scanned

traced = [
    (of_tables, true, pred), (of_samples, X, pred), (of_neighbors, near, apart, pred),
    (of_graph, weights, targets, starts, pred), (ranking.evaluate, labels, scores),
    (multilabel.evaluate, labels, scores), (intervals.jaccard_score, ends, ends),
]
for function, *arrays in traced:
    jax.eval_shape(of_each(function), *arrays)
    print("traced")
computed = [
    (lambda x, b: gpuval.dbcv_score(x, b, n_clusters=3), X, pred),
    (connected, weights, targets, starts, pred),
    (begun(lambda a: gpuval.Contingency.empty(4, 3, like=a)), true, pred),
    (begun(lambda a: gpuval.Contingency.from_labels(a[:0], a[:0], **size)), true, pred),
]
wanted = [
    lambda i: gpuval.dbcv_score(X[i], pred[i]),
    lambda i: gpuval.graph_connectivity_score((weights[i], targets[i], starts[i]), pred[i], n_labels=3),
    *[lambda i: gpuval.adjusted_rand_score(true[i], pred[i])] * 2,
]
for (function, *arrays), value in zip(computed, wanted):
    np.testing.assert_allclose(of_each(function)(*arrays), [value(i) for i in range(4)], rtol=1e-12)
    print("equal")
"""


def test_all_measures_of_each_device_of_a_mesh():
    """Inside jax.shard_map as it is by default, where the carry of a loop must vary over the mesh from the start."""
    assert output_on_devices(MESH) == ["traced"] * 7 + ["equal"] * 4


# Every result that is a tree


def trees_of(library):
    """An object of each class that is a tree, made of arrays of a library."""
    true, pred = map(library, some(20))
    X = library(np.random.default_rng(0).normal(size=(20, 2)))
    scores = library(np.random.default_rng(1).normal(size=(4, 5)))
    relevance, neighbors = library(some(20)[0].reshape(4, 5)), library((np.arange(20)[:, None] + [1, 2]) % 20)
    labels = library(some(20)[0].reshape(5, 4) % 2)
    knn = gpuval.Neighbors.from_knn(neighbors, library(np.ones((20, 2))))
    graph = gpuval.Neighbors.from_connectivities(
        (
            library(np.ones(40)),
            library(np.sort((np.arange(20)[:, None] + [1, 2]) % 20).ravel()),
            library(np.arange(0, 41, 2)),
        )
    )
    dense, listed = (Contingency.from_labels(true, pred, layout=layout) for layout in ("dense", "cells"))
    found = [
        *(dense, listed, dense.cells, listed.cells, knn, knn.knn, graph, graph.graph),
        Table(*(getattr(dense, x.name) for x in fields(Table))),
        gpuval.evaluate(true, pred, ["ari", "nmi", "silhouette"], X=X),
        gpuval.compare(true, {"a": true, "b": pred}, ["ari"]),
        gpuval.pairwise([true, pred], "ari"),
        ranking.Ranked.from_scores(relevance, scores),
        ranking.evaluate(relevance, scores, metrics=["map", "mrr"]),
        multilabel.LabelCounts.from_labels(labels, labels),
        multilabel.evaluate(labels, labels, metrics=["recall", "hamming_loss"]),
    ]
    assert {type(x) for x in found} == set(pytrees._classes)
    return found


def flat(x):
    """The arrays of a tree, with where they are, and its structure: by JAX, as PyTorch finds the same arrays."""
    leaves, structure = jax.tree_util.tree_flatten(x)
    alike, _ = torch.utils._pytree.tree_flatten(x)
    assert [type(x) for x in alike if x is not None] == [type(x) for x in leaves]
    return [(type(x), str(x.dtype), str(getattr(x, "device", None)), x.tolist()) for x in leaves], structure


@pytest.mark.parametrize("library", [np.asarray, torch.asarray, jnp.asarray])
def test_copies_are_the_same_trees(library):
    for result in trees_of(library):
        for copied in (copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))):
            assert type(copied(result)) is type(result)
            assert flat(copied(result)) == flat(result)


LOADED = """
import pickle, sys
{early}
results = pickle.load(sys.stdin.buffer)
{late}
for flatten in (lambda x: jax.tree_util.tree_leaves(x), lambda x: torch.utils._pytree.tree_leaves(x)):
    print([sum(leaf is not None for leaf in flatten(x)) for x in results])
"""


@pytest.mark.parametrize("late", [False, True])
def test_a_process_that_loads_results_has_trees(late):
    imports = "import jax, torch"
    program = LOADED.format(early="" if late else imports, late=imports if late else "")
    results = trees_of(np.asarray)
    ran = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(results), capture_output=True)
    wanted = str([len(jax.tree_util.tree_leaves(x)) for x in results])
    assert ran.stdout.decode().splitlines() == [wanted, wanted], ran.stderr.decode()


MADE_UP = {
    "made_up/__init__.py": "import time\ntime.sleep(0.1)\nready = True",
    "made_up/trees.py": """
import sys
was_ready, known = hasattr(sys.modules["made_up"], "ready"), set()
def register_pytree_node(cls, *functions): known.add(cls)
""",
    "beside.py": "",
}


@pytest.fixture
def made_up(tmp_path, monkeypatch):
    """A library with trees, in an archive with another module: so both have the same loader."""
    with zipfile.ZipFile(tmp_path / "made_up.zip", "w") as archive:
        for name, text in MADE_UP.items():
            archive.writestr(name, text)
    monkeypatch.syspath_prepend(tmp_path / "made_up.zip")
    monkeypatch.setattr(pytrees, "_TREES", {"made_up": "made_up.trees"})
    monkeypatch.setattr(pytrees, "_known", set())
    yield
    for name in ("made_up", "made_up.trees", "beside"):
        sys.modules.pop(name, None)


class Wrapper:
    """Finds what another finder finds."""

    def __init__(self, finder):
        self.finder = finder

    def find_spec(self, *asked):
        return self.finder.find_spec(*asked)


class Fixed:
    """A loader without attributes of its own."""

    __slots__ = ()

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        name = module.__name__.replace(".", "/")
        exec(MADE_UP.get(f"{name}.py") or MADE_UP[f"{name}/__init__.py"], vars(module))


class FindsFixed:
    def find_spec(self, name, *asked):
        return importlib.util.spec_from_loader(name, Fixed(), is_package=True) if name.startswith("made_up") else None


FINDERS = {
    "plain": lambda finders: finders,
    "wrapped": lambda finders: list(map(Wrapper, finders)),
    "fixed": lambda finders: [finders[0], FindsFixed(), *finders[1:]],
}


@pytest.mark.parametrize("finders", FINDERS)
def test_an_import_tells_of_the_classes_and_is_as_any_other(finders, made_up, monkeypatch):
    own = next(x for x in sys.meta_path if isinstance(x, pytrees._Imports))
    monkeypatch.setattr(sys, "meta_path", FINDERS[finders]([own, *(x for x in sys.meta_path if x is not own)]))
    given = importlib.util.find_spec("made_up").loader
    module = importlib.import_module("made_up")
    assert module.trees.known == set(pytrees._classes)
    importlib.import_module("beside")
    assert type(module.__loader__) is type(module.__spec__.loader) is type(module.trees.__loader__)
    assert finders == "fixed" or given.get_source("made_up") == module.__loader__.get_source("made_up")
    assert importlib.reload(module).trees.known == set(pytrees._classes)


def test_a_class_waits_for_an_import_in_another_thread(made_up, monkeypatch):
    monkeypatch.setattr(pytrees, "_classes", [])
    thread = threading.Thread(target=importlib.import_module, args=["made_up"])
    thread.start()
    while "made_up" not in sys.modules:
        time.sleep(0.001)
    cls = pytrees.as_tree(type("Own", (dict,), {}))
    assert sys.modules["made_up.trees"].was_ready
    assert cls in sys.modules["made_up.trees"].known
    thread.join()


# One structure for all tables of given size

SIZES = (4, 3), (300, 300)
"""Of a few cells, and of so many that few samples are listed on the host."""
WAYS = {"plain": {}, "ignored": {"ignore_labels": 2}, "copies": {"sample_weight": np.arange(20)}}


def made_in_every_way(size, **building):
    """Tables of one size and one kind of counts, from inside of jax.jit and from outside."""
    true, pred = map(jnp.asarray, some(20))
    size = dict(zip(("n_classes", "n_clusters"), size, strict=True))
    accumulator = gpuval.Accumulator(*size.values(), like=true)
    accumulator.update(true, pred)
    return [
        Contingency.from_labels(true, pred, **size, **building),
        Contingency.from_labels(true, pred, **size, layout="dense"),
        jax.jit(lambda a, b: Contingency.from_labels(a, b, **size, **building))(true, pred),
        Contingency.empty(*size.values(), like=true),
        jax.jit(lambda a: Contingency.empty(*size.values(), like=a))(true),
        Contingency.from_counts(jnp.ones(tuple(size.values()), dtype=int)),
        accumulator.table,
        accumulator.unchecked_table,
        Contingency.from_labels(*some(20), **size),  # of NumPy
    ]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("size", SIZES)
def test_all_tables_of_given_size_are_of_one_structure(size, way):
    tables = made_in_every_way(size, **{name: jnp.asarray(x) for name, x in WAYS[way].items()})
    (structure,) = {jax.tree_util.tree_structure(table) for table in tables}
    assert structure != jax.tree_util.tree_structure(Contingency.from_labels(*some(20)))
    types = {tuple((x.shape, str(x.dtype)) for x in jax.tree_util.tree_leaves(table)) for table in tables}
    assert len(types) == 1


CARRIED = [((4, 3), "plain"), ((4, 3), "ignored"), ((4, 3), "shares"), ((300, 300), "plain"), ((300, 300), "shares")]


@pytest.mark.parametrize(("size", "way"), CARRIED)
def test_a_table_from_outside_is_a_carry(size, way):
    """Of a step, which is traced once, and of every loop; and it may be closed over."""
    names = dict(zip(("n_classes", "n_clusters"), size, strict=True))
    ways = {**WAYS, "shares": {"sample_weight": np.arange(20) / 8}}
    building = {**names, **{name: jnp.asarray(x) for name, x in ways[way].items()}}
    true, pred = (jnp.stack([jnp.asarray(some(20, seed)[i]) for seed in range(4)]) for i in range(2))
    host = sum(Contingency.from_labels(*some(20, seed), **names, **ways[way]) for seed in range(4))
    wanted, score = host.to_array(), float(gpuval.adjusted_rand_score(host))
    traced = []

    def added(table, a, b):
        traced.append(1)
        return table + Contingency.from_labels(a, b, **building)

    def check(table):
        np.testing.assert_allclose(table.to_array(), wanted, rtol=1e-15)
        assert float(gpuval.adjusted_rand_score(table)) == pytest.approx(score, abs=1e-14)

    step, first = jax.jit(added), Contingency.from_labels(true[0], pred[0], **building)
    empty = Contingency.empty(*size, like=true, real_weights=way == "shares")
    for table, start in ((first, 1), (empty, 0)):
        for i in range(start, 4):
            table = step(table, true[i], pred[i])
        check(table)
    assert len(traced) == 1
    check(jax.lax.scan(lambda carry, batch: (added(carry, *batch), None), empty, (true, pred))[0])
    check(jax.lax.fori_loop(1, 4, lambda i, carry: added(carry, true[i], pred[i]), first))
    check(jax.lax.cond(True, lambda x: x, lambda x: added(x, true[0], pred[0]), table))
    check(jax.jit(lambda x: table + x)(Contingency.empty(*size, like=true, real_weights=way == "shares")))
    inside = jax.jit(lambda x: gpuval.adjusted_rand_score(first) + x)(0.0)
    assert float(inside) == pytest.approx(float(gpuval.adjusted_rand_score(first)), abs=1e-14)


@pytest.mark.parametrize("like", [None, np.zeros(1), torch.zeros(1), jnp.zeros(1)])
@pytest.mark.parametrize("real", [False, True])
@pytest.mark.parametrize("size", SIZES)
def test_an_empty_table(like, real, size):
    table = Contingency.empty(*size, like=like, real_weights=real)
    assert type(table.counts) is type(np.zeros(1) if like is None else like)
    assert table.to_array().shape == size
    assert float(table.to_array().sum()) == 0
    types = {
        str(x.dtype).removeprefix("torch.") for x in (table.counts, table.class_sizes, table.cluster_sizes, table.total)
    }
    assert types == {"float64" if real else "int64"}
    library = {type(None): np.asarray, np.ndarray: np.asarray, torch.Tensor: torch.asarray}.get(type(like), jnp.asarray)
    true, pred = map(library, some(30))
    weights = {"sample_weight": library(np.arange(30) / 8)} if real else {}
    batch = Contingency.from_labels(true, pred, n_classes=size[0], n_clusters=size[1], **weights)
    both = table + batch
    np.testing.assert_array_equal(both.to_array(), batch.to_array())
    assert float(gpuval.adjusted_rand_score(both)) == pytest.approx(float(gpuval.adjusted_rand_score(batch)), abs=1e-14)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((0, 2), ValueError, "n_classes must be a positive integer, got 0"),
        ((2, 2.5), TypeError, "n_clusters must be a positive integer, got 2.5"),
        ((2, 2, "cuda"), TypeError, "like must be an array of a supported library, got str"),
        ((2, 2, torch.zeros(1, device="meta")), TypeError, "like must have values"),
    ],
)
def test_what_an_empty_table_cannot_be_made_of(arguments, error, message):
    sizes, like = arguments[:2], dict(zip(("like",), arguments[2:], strict=False))
    with pytest.raises(error, match=message):
        Contingency.empty(*sizes, **like)


# Scores


def test_an_evaluation_is_a_result_of_jit():
    true, pred = map(jnp.asarray, some(40))
    names = ["ari", "nmi", "purity"]
    found = jax.jit(lambda a, b: gpuval.evaluate(a, b, names, **SIZE))(true, pred)
    assert isinstance(found, gpuval.Evaluation)
    wanted = gpuval.evaluate(*some(40), names)
    assert list(found) == list(wanted)
    assert list(found.to_dict().values()) == pytest.approx(list(wanted.to_dict().values()), abs=1e-14)
    compared = jax.jit(lambda a, b: gpuval.compare(a, {"same": a, "other": b}, ["ari"], **SIZE))(true, pred)
    assert float(compared["other"]["ari"]) == pytest.approx(wanted.to_dict()["adjusted_rand_score"], abs=1e-14)
    leaves, structure = torch.utils._pytree.tree_flatten(gpuval.evaluate(*map(torch.asarray, some(40)), names))
    assert len(leaves) == 3
    assert list(torch.utils._pytree.tree_unflatten(leaves, structure)) == list(wanted)


def test_evaluations_are_the_same_tree_if_they_have_the_same_directions():
    """For all others jax.jit, which compiles once for each tree, would return the directions of the first."""
    true, pred = map(jnp.asarray, some(40))
    found = gpuval.evaluate(true, pred, {"adjusted_rand_score": "ari", "own": lambda table: table.total / 8})
    same = gpuval.Evaluation(dict(found))
    assert jax.tree_util.tree_map(lambda x, y: float(x - y), found, same) == {"adjusted_rand_score": 0, "own": 0}
    identity = jax.jit(lambda x: x)
    returned = [identity(gpuval.evaluate(true, pred, {"a": name})).directions["a"] for name in ("ari", "vi")]
    assert returned == ["higher", "lower"]
