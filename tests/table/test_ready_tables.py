"""Tables that are there already: in any form, with and without margins, large counts, odd tensors, sums of tables."""

from __future__ import annotations

import itertools

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from known_tables import assert_same_tables, check, values
from packages import pd, pl
from scipy import sparse

import gpuval
from gpuval import Contingency
from gpuval.engines.backends import to_host
from gpuval.engines.cells import SparseCells

# Margins


@pytest.mark.parametrize("labels", [[0, 1], [False, True], ["All", "None"]], ids=str)
def test_all_small_tables_are_taken(labels):
    """Those of equal counts end in the sums of the others, as margins do; only names of text can be margins."""
    for counts in itertools.product(range(3), repeat=4):
        frame = pd.DataFrame(np.reshape(counts, (2, 2)), index=labels, columns=["x", "y"])
        assert Contingency.from_counts(frame).to_array().tolist() == frame.to_numpy().tolist()
        if labels[1] != "None":
            frame.columns = labels
            assert Contingency.from_counts(frame).to_array().tolist() == frame.to_numpy().tolist()


def test_a_label_that_is_all():
    """A sample in each of two classes and two clusters: the last ones are no sums."""
    frame = pd.crosstab(["a", "a", "All"], ["a", "All", "All"])
    assert Contingency.from_counts(frame.loc[["a", "All"], ["a", "All"]]).to_array().tolist() == [[1, 1], [0, 1]]
    only = pd.DataFrame([[1, 0], [0, 1]], index=["a", "All"], columns=["x", "y"])
    assert Contingency.from_counts(only).to_array().tolist() == [[1, 0], [0, 1]]


LABELINGS = {
    "integers": ([0, 0, 1, 2], [5, 6, 6, 6]),
    "text": (["a", "b", "b", "c"], ["x", "x", "y", "y"]),
    "one class": ([0, 0], [0, 0]),
}


def crosstab_of(case, **options):
    if case == "categories":
        return pd.crosstab(pd.Categorical(["b", "a", "b"]), pd.Categorical(["x", "y", "y"]), **options)
    return pd.crosstab(*LABELINGS[case], **options)


@pytest.mark.parametrize("case", [*LABELINGS, "categories"])
@pytest.mark.parametrize("normalize", [False, "all", "index", "columns"])
def test_margins_are_refused(case, normalize):
    without = crosstab_of(case, normalize=normalize)
    for held in (lambda frame: frame, lambda frame: frame.astype(object)):
        frame = held(crosstab_of(case, margins=True, normalize=normalize))
        with pytest.raises(ValueError, match=r"counts must not have margins, got .*'All'.*; use margins=False"):
            Contingency.from_counts(frame)
        found = Contingency.from_counts(held(without))
        np.testing.assert_array_equal(found.to_array(), without.to_numpy())
        assert found.counts.dtype == (np.float64 if normalize else np.int64)


def test_margins_of_another_name():
    """After labels that are no text they are refused; after text they might be a class, which is said."""
    with pytest.raises(ValueError, match="must not have margins, got \\['Total', 'Total'\\]"):
        Contingency.from_counts(crosstab_of("integers", margins=True, margins_name="Total"))
    frame = crosstab_of("text", margins=True, margins_name="Total")
    with pytest.warns(UserWarning, match="'Total', are the sums of the others: .* use margins=False") as record:
        table = Contingency.from_counts(frame)
    assert int(table.total) == 4 * 4
    assert record[0].filename == __file__  # whose line is to be changed


def test_several_levels_of_labels():
    frame = pd.crosstab([pd.Series([0, 1]), pd.Series(["a", "b"])], pd.Series([1, 2]))
    assert list(Contingency.from_counts(frame).classes) == [(0, "a"), (1, "b")]


# Large counts

TOO_LARGE = {
    "uint64": lambda: np.asarray([[2**63, 1]], np.uint64),
    "a list": lambda: [[2**64, 1]],
    "SciPy": lambda: sparse.csr_array(np.asarray([[2**63, 1]], np.uint64)),
    "columns of uint64": lambda: pd.DataFrame({0: np.asarray([2**63], np.uint64), 1: np.asarray([1])}),
    "nullable": lambda: pd.DataFrame([[2**63, 1]], dtype="UInt64"),
}


@pytest.mark.parametrize("case", TOO_LARGE)
def test_large_counts_are_not_called_negative(case):
    total = 2**64 + 1 if case == "a list" else 2**63 + 1
    with pytest.raises(ValueError, match=rf"counts must add up to less than .*got {total}; give them as floats"):
        Contingency.from_counts(TOO_LARGE[case]())


@pytest.mark.parametrize("library", [torch.asarray, jnp.asarray])
def test_large_counts_on_a_device(library):
    with jax.enable_x64(True):
        table = Contingency.from_counts(library(np.asarray([[2**63, 1]], np.uint64)))
        assert np.isnan(float(gpuval.rand_score(table)))


def test_columns_of_several_integer_types_stay_integers():
    frame = pd.DataFrame({0: np.asarray([2], np.uint64), 1: np.asarray([1])})
    assert Contingency.from_counts(frame).is_integer


# Odd tensors

ODD = {
    "sparse": (lambda: torch.eye(2).to_sparse(), "must be a dense tensor, got one of layout torch.sparse_coo; give"),
    "compressed": (
        lambda: torch.eye(2).to_sparse_csr(),
        "got one of layout torch.sparse_csr; give",
    ),
    "meta": (lambda: torch.eye(2, device="meta"), "must have values, got a tensor on the device meta"),
    "nested": (
        lambda: torch.nested.nested_tensor([torch.ones(2)], layout=torch.jagged),
        "must be a dense tensor, got a nested one",
    ),
    "quantized": (lambda: torch.quantize_per_tensor(torch.eye(2), 1.0, 0, torch.quint8), "must hold real numbers"),
    "keys": (lambda: jax.random.split(jax.random.key(0), (2, 2)), "must hold real numbers.*got dtype key"),
}


@pytest.mark.parametrize("case", ODD)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_arrays_that_cannot_be_read(case):
    made, message = ODD[case]
    with pytest.raises(TypeError, match=f"counts .*{message}"):
        Contingency.from_counts(made())
    with pytest.raises(TypeError, match=f"memberships_true .*{message}"):
        Contingency.from_memberships(made(), made())
    if case != "meta" and case != "quantized":
        with pytest.raises(TypeError, match=f"sample_weight .*{message}"):
            Contingency.from_memberships(
                torch.eye(2), torch.eye(2), sample_weight=made()[0] if case == "keys" else made()
            )


def test_floats_of_8_bits():
    counts = torch.asarray([[1.0, 2.0], [0.0, 3.0]]).to(torch.float8_e4m3fn)
    assert Contingency.from_counts(counts).to_array().tolist() == [[1, 2], [0, 3]]


def test_memberships_of_which_none_counts():
    for weights in ([0, 0], [0.0, 0.0]):
        with pytest.raises(ValueError, match="sample_weight must be above 0 for at least one sample, got none of 2"):
            Contingency.from_memberships(np.eye(2), np.eye(2), sample_weight=weights)
        table = Contingency.from_memberships(torch.eye(2), torch.eye(2), sample_weight=torch.asarray(weights))
        assert np.isnan(float(gpuval.adjusted_rand_score(table)))
    nothing = np.zeros((0, 2))
    assert Contingency.from_memberships(nothing, nothing, sample_weight=np.zeros(0)).total == 0


# Sums, frames and permutations

PAIRS = [([0, 0, 1, 2], [0, 0, 1, 1]), ([0, 0, 0, 4], [3, 3, 9, 7]), ([2, 2], [0, 5])]


def test_sum_of_tables():
    tables = [Contingency.from_labels(["a", "b"], [i, i]) for i in range(3)]
    assert sum(tables).to_array().tolist() == [[1, 1, 1], [1, 1, 1]]
    assert sum(tables[:1]).to_array().tolist() == [[1], [1]]
    for other in (1, 0.0, None):
        with pytest.raises(TypeError, match="unsupported operand"):
            other + tables[0]


@pytest.mark.parametrize("library", [np.asarray, torch.asarray])
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_a_permutation_orders_the_columns_of_a_frame(library, pair):
    """Also of a table of a device, which has rows and columns without samples between the others."""
    from backends import as_on_a_device

    with as_on_a_device():
        table = Contingency.from_labels(*map(library, pair))
        order = np.asarray(gpuval.normalizing_permutation(table))
        confusion = np.asarray(gpuval.normalized_confusion_matrix(table))
        frame = table.to_pandas()
    inside = order < frame.shape[1]
    ordered = frame.iloc[:, order[inside]]
    assert ordered.to_numpy().tolist() == confusion[:, inside].tolist()
    assert not confusion[:, ~inside].any()
    best = max(
        sum(pair_count for pair_count in np.diag(np.pad(frame.to_numpy(), ((0, 3), (0, 3)))[:, list(way)]))
        for way in itertools.permutations(range(frame.shape[1] + 3), frame.shape[0])
    )
    assert np.trace(confusion) == best
    assert frame.loc[list(dict.fromkeys(pair[0])), list(dict.fromkeys(pair[1]))].to_numpy().sum() == len(pair[0])
    for i, j, n in zip(*(np.asarray(x).tolist() for x in gpuval.match_labels(table)), strict=True):
        assert frame.loc[i, j] == n


NAMES = {
    *("cells", "class_sizes", "classes", "cluster_sizes", "clusters", "counts", "fixed", "given", "invalid"),
    *("from_cells", "from_counts", "from_labels", "from_memberships", "compact", "dense", "listed", "transposed"),
    *("check_valid", "is_integer", "n_classes", "n_clusters", "real", "self_pairs", "to_array", "to_pandas", "triples"),
    *("empty", "total", "xp"),
}
"""What completion shows of a table; what formulas need beside these is not for users."""


def test_the_names_of_a_table_are_those_for_users():
    table = Contingency.from_labels([0, 1], [0, 1])
    assert {name for name in dir(table) if not name.startswith("_")} == NAMES
    assert all(hasattr(table, name) for name in NAMES)


# In any form


def test_from_counts(backend):
    counts = np.array([[3, 0, 1], [0, 0, 0], [2, 0, 4]], np.int32)
    table = Contingency.from_counts(backend.of(counts))
    np.testing.assert_array_equal(to_host(table.counts), counts)
    assert to_host(table.class_sizes).tolist() == [4, 0, 6]
    assert to_host(table.n_classes) == to_host(table.n_clusters) == 2
    compact = table.compact()
    assert values(compact.classes) == values(compact.clusters) == [0, 2]
    assert to_host(compact.counts).tolist() == [[3, 1], [2, 4]]


def test_from_nested_lists_and_booleans():
    assert Contingency.from_counts([[1, 2], [3, 4]]).total == 10
    assert Contingency.from_counts(((True, False), (True, True))).total == 3
    assert Contingency.from_counts([[], []]).total == 0
    assert Contingency.from_counts(pl.DataFrame({"x": [1, 2], "y": [3, 4]})).total == 10
    assert Contingency.from_counts(np.ones((5, 4, 3), int)).total.tolist() == [12] * 5


@pytest.mark.parametrize("form", ["bsr", "coo", "csc", "csr", "dia", "dok", "lil"])
@pytest.mark.parametrize("kind", ["array", "matrix"])
def test_from_sparse(form, kind):
    counts = np.array([[3, 0, 1, 0], [0, 0, 0, 0], [2, 0, 4, 0]])
    held = getattr(sparse, f"{form}_{kind}")(counts)
    table = Contingency.from_counts(held)
    assert isinstance(table.cells, SparseCells)
    np.testing.assert_array_equal(table.to_array(), counts)
    assert_same_tables(table.dense(), Contingency.from_counts(counts))
    assert Contingency.from_counts(held.astype(float)).counts.dtype == np.float64


def test_from_sparse_with_duplicates_and_explicit_zeros():
    entries = [1, 2, 0, 4, 5]
    rows, columns = [0, 0, 1, 2, 0], [1, 1, 1, 0, 0]
    coo = sparse.coo_array((entries, (rows, columns)), shape=(3, 2))
    csr = sparse.csr_array((entries, [1, 1, 0, 1, 0], [0, 3, 4, 5]), shape=(3, 2))
    for held in (coo, csr, coo.tocsc()):
        table = Contingency.from_counts(held)
        np.testing.assert_array_equal(table.to_array(), held.toarray())
        assert table.counts.min() > 0
        assert table.counts.shape == (np.count_nonzero(held.toarray()),)
    assert Contingency.from_counts(sparse.csr_array((3, 2), dtype=int)).total == 0


def test_from_a_crosstab():
    true, pred = ["b", "a", "b", "c"], [10, 20, 10, 20]
    table = Contingency.from_counts(pd.crosstab(pd.Series(true), pd.Series(pred)))
    check(table, true, pred)
    assert gpuval.match_labels(table).classes.tolist() == ["a", "b"]
    again = Contingency.from_counts(pd.crosstab(pd.Series(["z", "a"]), pd.Series([20, 30])))
    check(table + again, [*true, "z", "a"], [*pred, 20, 30])
    check(table + Contingency.from_labels(["z"], [5]), [*true, "z"], [*pred, 5])
