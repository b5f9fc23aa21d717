"""Wrong calls: each raises one error, of this type and with all of this message, before any work on a device.

A message says which argument it is about, what it must be, what it was, and, where that is not plain, what to do.
"""

import array_api_strict as strict
import dask.array as da
import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
import polars as pl
import pytest
import torch
from scipy import sparse
from wrong_calls import assert_raises, wrong_calls

import gpuval
from gpuval import Contingency

LABELS = [0, 0, 1, 1]
NUMPY = np.array(LABELS)
TORCH = torch.tensor(LABELS)
META = torch.empty(4, dtype=torch.int64, device="meta")
JAX = jnp.asarray(LABELS)
STRICT = strict.asarray(LABELS)
STRICT_1 = strict.asarray(LABELS, device=strict.Device("device1"))
SOFT = np.eye(3)
ONE_HOT = torch.eye(4, dtype=torch.int64)
SPARSE = TORCH.to_sparse()
NESTED = torch.nested.nested_tensor([TORCH, TORCH], layout=torch.jagged)
FLOAT8 = torch.ones(4).to(torch.float8_e4m3fn)
KEYS = jax.random.split(jax.random.key(0), 4)
HUGE = np.array([2**63, 1, 1, 1], np.uint64)
MASKED = np.ma.array([1, 1, 2, 3], mask=[True, False, False, True])
DASK = da.from_array(NUMPY, chunks=2)
MILLION = {"n_classes": 10**6, "n_clusters": 10**6}

FOUND = Contingency.from_labels(LABELS, LABELS)
GIVEN = Contingency.from_counts([[1, 0], [0, 1]])
BATCH = Contingency.from_counts(np.ones((3, 2, 2), int))


def series(labels, index):
    return pd.Series(labels, index=list(index))


def weighted(weights, labels=LABELS):
    return gpuval.adjusted_rand_score(labels, labels, sample_weight=weights)


def sized(**size):
    return gpuval.adjusted_rand_score(LABELS, LABELS, **size)


def jitted(function, **options):
    return lambda x: function(x, x, n_classes=2, n_clusters=2, **options)


WRONG = """
# Shapes

adjusted_rand_score(np.array(1), LABELS)
    ValueError: labels_true must be one-dimensional, got shape ()
adjusted_rand_score(LABELS, 1)
    TypeError: labels_pred must be a vector of labels, got the scalar 1
adjusted_rand_score(LABELS, np.int64(1))
    TypeError: labels_pred must be a vector of labels, got the scalar np.int64(1)
adjusted_rand_score(np.zeros((2, 2), int), LABELS)
    ValueError: labels_true must be one-dimensional, got shape (2, 2); for one-hot rows or scores of classes give
    labels.argmax(axis=1), for soft labels use Contingency.from_memberships, for a table of counts
    Contingency.from_counts
adjusted_rand_score([[0, 1], [1, 0]], LABELS)
    ValueError: labels_true must be one-dimensional, got shape (2, 2); for one-hot rows or scores of classes give
    labels.argmax(axis=1), for soft labels use Contingency.from_memberships, for a table of counts
    Contingency.from_counts
adjusted_rand_score(TORCH, torch.zeros(2, 2, 2))
    ValueError: labels_pred must be one-dimensional, got shape (2, 2, 2)
adjusted_rand_score([[0], [1, 2]], LABELS)
    ValueError: labels_true must be one-dimensional, got rows of different lengths
adjusted_rand_score(pd.DataFrame({"a": LABELS, "b": LABELS}), LABELS)
    ValueError: labels_true must be one-dimensional, got a DataFrame of shape (4, 2); give one of its columns, or
    compare() all of them
adjusted_rand_score(LABELS, [0, 1])
    ValueError: labels_pred must have as many samples as labels_true (4), got 2
adjusted_rand_score(TORCH, TORCH[:3])
    ValueError: labels_pred must have as many samples as labels_true (4), got 3
adjusted_rand_score(range(4), (x for x in range(3)))
    ValueError: labels_pred must have as many samples as labels_true (4), got 3
entropy(np.zeros((2, 2), int))
    ValueError: labels must be one-dimensional, got shape (2, 2); for one-hot rows or scores of classes give
    labels.argmax(axis=1), for soft labels use Contingency.from_memberships, for a table of counts
    Contingency.from_counts

adjusted_rand_score(ONE_HOT, TORCH)
    ValueError: labels_true must be one-dimensional, got shape (4, 4); for one-hot rows or scores of classes give
    labels.argmax(axis=1), for soft labels use Contingency.from_memberships, for a table of counts
    Contingency.from_counts
adjusted_rand_score(LABELS, np.array([[0], [0], [1], [1]]))
    ValueError: labels_pred must be one-dimensional, got shape (4, 1); give its only column, labels_pred[:, 0]
adjusted_rand_score(LABELS, np.array([[0, 0, 1, 1]]))
    ValueError: labels_pred must be one-dimensional, got shape (1, 4); give its only row, labels_pred[0]
adjusted_rand_score(LABELS, pd.DataFrame({"a": LABELS}))
    ValueError: labels_pred must be one-dimensional, got a DataFrame of shape (4, 1); give one of its columns, or
    compare() all of them
weighted(pd.DataFrame({"w": [1, 1, 1, 1]}))
    ValueError: sample_weight must be one-dimensional, got a DataFrame of shape (4, 1); give one of its columns
adjusted_rand_score([("a", 1), ("a", 1), ("b", 2), ("b", 2)], LABELS)
    ValueError: labels_true must be one-dimensional, got shape (4, 2); if each tuple is one label, give a pandas
    Series of them

# No vectors

adjusted_rand_score(None, LABELS)
    TypeError: labels_true must be a vector of labels, got None
adjusted_rand_score(LABELS)
    TypeError: labels_pred must be a vector of labels, got None
adjusted_rand_score("abcd", LABELS)
    TypeError: labels_true must be a vector of labels, got the scalar 'abcd'
adjusted_rand_score(LABELS, b"abcd")
    TypeError: labels_pred must be a vector of labels, got the scalar b'abcd'
adjusted_rand_score({0: 1, 1: 0}, LABELS)
    TypeError: labels_true must be a vector (array, Series or sequence), got dict
adjusted_rand_score(LABELS, {0, 1})
    TypeError: labels_pred must be a vector (array, Series or sequence), got set
adjusted_rand_score(frozenset([0]), LABELS)
    TypeError: labels_true must be a vector (array, Series or sequence), got frozenset
adjusted_rand_score(len, LABELS)
    TypeError: labels_true must be a vector (array, Series or sequence), got builtin_function_or_method
adjusted_rand_score(list, LABELS)
    TypeError: labels_true must be a vector (array, Series or sequence), got type
adjusted_rand_score(pd.NaT, LABELS)
    TypeError: labels_true must be a vector (array, Series or sequence), got pandas.NaTType
adjusted_rand_score(sparse.csr_matrix([[1, 0]]), LABELS)
    TypeError: labels_true must be a vector (array, Series or sequence), got scipy.csr_matrix
adjusted_rand_score(LABELS, sparse.coo_array([1, 0, 1, 1]))
    TypeError: labels_pred must be a vector (array, Series or sequence), got scipy.coo_array
adjusted_rand_score(LABELS, pl.DataFrame({"a": LABELS}))
    TypeError: labels_pred must be a vector (array, Series or sequence), got polars.DataFrame; give one of its
    columns, or compare() all of them
adjusted_rand_score(LABELS, pl.LazyFrame({"a": LABELS}))
    TypeError: labels_pred must be a vector (array, Series or sequence), got polars.LazyFrame; collect it, and give
    one of its columns, or compare() all of them
adjusted_rand_score(LABELS, FOUND)
    TypeError: labels_pred must be a vector (array, Series or sequence), got gpuval.Contingency
entropy(None)
    TypeError: labels must be a vector of labels, got None

# Arrays that hold no labels, or not in places

adjusted_rand_score(SPARSE, TORCH)
    TypeError: labels_true must be a dense tensor, got one of layout torch.sparse_coo; give labels_true.to_dense()
adjusted_rand_score(TORCH, torch.eye(4).to_sparse())
    TypeError: labels_pred must be a dense tensor, got one of layout torch.sparse_coo; give labels_pred.to_dense()
adjusted_rand_score(NESTED, TORCH)
    TypeError: labels_true must be a dense tensor, got a nested one; torch.cat(labels_true.unbind()) joins it
entropy(SPARSE)
    TypeError: labels must be a dense tensor, got one of layout torch.sparse_coo; give labels.to_dense()
compare(TORCH, {"a": SPARSE})
    TypeError: labelings['a'] must be a dense tensor, got one of layout torch.sparse_coo; give
    labelings['a'].to_dense()
adjusted_rand_score(FLOAT8, TORCH)
    TypeError: labels_true must hold integers or booleans, got dtype torch.float8_e4m3fn; give
    labels_true.to(torch.int64)
adjusted_rand_score(TORCH, FLOAT8, n_classes=2, n_clusters=2)
    TypeError: labels_pred must hold integers or booleans, got dtype torch.float8_e4m3fn; give
    labels_pred.to(torch.int64)
adjusted_rand_score(META, META)
    TypeError: labels_true must have values unless n_classes and n_clusters are given, got a tensor on the meta device;
    give both
entropy(META)
    TypeError: labels must have values unless n_classes and n_clusters are given, got a tensor on the meta device; give
    both
compare(META, [META])
    TypeError: labels_true must have values unless n_classes and n_clusters are given, got a tensor on the meta device;
    give both
clustering_accuracy(META, META, n_classes=2, n_clusters=2)
    TypeError: a value is needed on the host, and a tensor on the meta device has none
adjusted_rand_score(KEYS, JAX)
    TypeError: labels_true must hold integers or booleans, got dtype key<fry>; convert them
adjusted_rand_score(KEYS[0], JAX)
    ValueError: labels_true must be one-dimensional, got shape ()
weighted(SPARSE, TORCH)
    TypeError: sample_weight must be a dense tensor, got one of layout torch.sparse_coo; give
    sample_weight.to_dense()
weighted(NESTED, TORCH)
    TypeError: sample_weight must be a dense tensor, got a nested one; torch.cat(sample_weight.unbind()) joins it
weighted(KEYS, JAX)
    TypeError: sample_weight must hold real numbers and none missing, got dtype key<fry>
weighted(HUGE)
    ValueError: sample_weight must add up to less than 2**39 if they are integers, got at least 9223372036854775810;
    scale the weights
weighted(torch.tensor(HUGE), TORCH)
    ValueError: sample_weight must add up to less than 2**39 if they are integers, got at least 9223372036854775810;
    scale the weights
weighted(MASKED)
    ValueError: sample_weight must not have masked values, got 2 of 4; sample_weight.filled(0) leaves those samples
    out
adjusted_rand_score(MASKED, LABELS)
    ValueError: labels_true must not have missing labels (NaN, None), got 2 of 4; ignore_labels=[None] drops those
    samples
Contingency.from_counts(SPARSE.to_dense().reshape(2, 2).to_sparse())
    TypeError: counts must be a dense tensor, got one of layout torch.sparse_coo; give counts.to_dense()
Contingency.from_counts(NESTED)
    TypeError: counts must be a dense tensor, got a nested one; torch.cat(counts.unbind()) joins it
Contingency.from_counts(KEYS.reshape(2, 2))
    TypeError: counts must hold real numbers, got dtype key<fry>
Contingency.from_counts(np.array([[2**63, 1]], np.uint64))
    ValueError: counts must add up to less than 2**39 if they are integers, got 9223372036854775809; give them as
    floats
Contingency.from_memberships(torch.eye(3).to_sparse(), torch.eye(3))
    TypeError: memberships_true must be a dense tensor, got one of layout torch.sparse_coo; give
    memberships_true.to_dense()

# Two libraries, devices or indexes

adjusted_rand_score(["a", "b", "b", "b"], TORCH)
    TypeError: labels_true and labels_pred must be of one array library, got list and torch.Tensor; convert one of
    them: labels_pred.cpu().numpy()
adjusted_rand_score(JAX, pd.Series([0, None, 1, 1], dtype="Int64"))
    TypeError: labels_true and labels_pred must be of one array library, got jax.Array and pandas.Series; convert
    one of them: numpy.asarray(labels_true)
adjusted_rand_score(JAX, TORCH)
    TypeError: labels_true and labels_pred must be of one array library, got jax.Array and torch.Tensor; convert one
    of them: jax.numpy.from_dlpack(labels_pred)
adjusted_rand_score(STRICT, TORCH)
    TypeError: labels_true and labels_pred must be of one array library, got array_api_strict.Array and
    torch.Tensor; convert one of them: array_api_strict.from_dlpack(labels_pred)
adjusted_rand_score(DASK, NUMPY)
    TypeError: labels_true and labels_pred must be of one array library, got dask.Array and numpy.ndarray; hold both
    in Dask (dask.array.from_array), or neither (.compute())
adjusted_rand_score(NUMPY, TORCH)
    TypeError: labels_true and labels_pred must be of one array library, got numpy.ndarray and torch.Tensor; convert
    one of them: torch.tensor(labels_true, device=labels_pred.device)
adjusted_rand_score(TORCH, JAX)
    TypeError: labels_true and labels_pred must be of one array library, got torch.Tensor and jax.Array; convert one
    of them: torch.from_dlpack(labels_pred)
adjusted_rand_score(LABELS, TORCH)
    TypeError: labels_true and labels_pred must be of one array library, got list and torch.Tensor; convert one of
    them: torch.tensor(labels_true, device=labels_pred.device)
adjusted_rand_score(STRICT, NUMPY)
    TypeError: labels_true and labels_pred must be of one array library, got array_api_strict.Array and
    numpy.ndarray; convert one of them: array_api_strict.asarray(labels_pred, device=labels_true.device)
adjusted_rand_score(pd.Series(LABELS), JAX)
    TypeError: labels_true and labels_pred must be of one array library, got pandas.Series and jax.Array; convert
    one of them: jax.numpy.asarray(labels_true.to_numpy())
adjusted_rand_score(pl.Series(LABELS), TORCH)
    TypeError: labels_true and labels_pred must be of one array library, got polars.Series and torch.Tensor; convert
    one of them: torch.tensor(labels_true.to_numpy(), device=labels_pred.device)
adjusted_rand_score(STRICT, STRICT_1)
    ValueError: labels_true and labels_pred must be on one device, got array_api_strict.Device('CPU_DEVICE') and
    array_api_strict.Device('device1'); move one of them: labels_pred.to_device(labels_true.device)
adjusted_rand_score(TORCH, META)
    ValueError: labels_true and labels_pred must be on one device, got cpu and meta; what is on the meta device has
    no values
adjusted_rand_score(series(LABELS, "abcd"), series(LABELS, "abdc"))
    ValueError: labels_true and labels_pred must have the same index, got 'c' and 'd' at position 2; align the
    Series, or pass their .to_numpy()
adjusted_rand_score(series(LABELS, "abcd"), pd.Series(LABELS))
    ValueError: labels_true and labels_pred must have the same index, got 'a' and 0 at position 0; align the Series,
    or pass their .to_numpy()

# Values that are no labels

adjusted_rand_score([0.5, 1, 1, 0], LABELS)
    ValueError: labels_true must hold whole numbers, got 0.5; continuous values are no labels
adjusted_rand_score(TORCH, torch.tensor([0, 0.25, 1, 1]))
    ValueError: labels_pred must hold whole numbers, got 0.25; continuous values are no labels
adjusted_rand_score(np.array([0.5, "a", "a", "b"], object), LABELS)
    ValueError: labels_true must hold whole numbers, got 0.5; continuous values are no labels
adjusted_rand_score([0.5, 1, -1, 0], LABELS, ignore_labels=-1)
    ValueError: labels_true must hold whole numbers, got 0.5; continuous values are no labels
adjusted_rand_score([0, np.inf, 1, 1], LABELS)
    ValueError: labels_true must hold whole numbers, got inf; continuous values are no labels
adjusted_rand_score([0, -(2.0**60), 1, 1], LABELS)
    ValueError: labels_true must be below 9007199254740992 if they are float64, which rounds larger labels, got
    -1.152921504606847e+18; give integers
adjusted_rand_score(TORCH, torch.tensor([0, 1, 2, 3e7]))
    ValueError: labels_pred must be below 16777216 if they are torch.float32, which rounds larger labels, got
    30000000.0; give integers
adjusted_rand_score(TORCH, torch.tensor([0, 1, 2, 2**63], dtype=torch.uint64))
    ValueError: labels_pred must be below 2**63 in PyTorch, which cannot compare larger ones, got dtype
    torch.uint64; pass labels.view(torch.int64)
adjusted_rand_score([0, np.nan, 1, 1], LABELS)
    ValueError: labels_true must not have missing labels (NaN, None), got 1 of 4; ignore_labels=[None] drops those
    samples
adjusted_rand_score(torch.tensor([0, float("nan"), 1, float("nan")]), TORCH)
    ValueError: labels_true must not have missing labels (NaN, None), got 2 of 4; ignore_labels=[None] drops those
    samples
adjusted_rand_score(LABELS, ["a", None, "b", "b"])
    ValueError: labels_pred must not have missing labels (NaN, None), got 1 of 4; ignore_labels=[None] drops those
    samples
adjusted_rand_score(pd.Series([0, 1, None, None], dtype="Int64"), LABELS)
    ValueError: labels_true must not have missing labels (NaN, None), got 2 of 4; ignore_labels=[None] drops those
    samples
adjusted_rand_score(LABELS, pd.Categorical(["a", "b", None, "a"]))
    ValueError: labels_pred must not have missing labels (NaN, None), got 1 of 4; ignore_labels=[None] drops those
    samples
adjusted_rand_score(pl.Series([0, 1, None, 1]), LABELS)
    ValueError: labels_true must not have missing labels (NaN, None), got 1 of 4; ignore_labels=[None] drops those
    samples
adjusted_rand_score(LABELS, [1, pd.NA, 1, 1])
    ValueError: labels_pred must not have missing labels (NaN, None), got 1 of 4; ignore_labels=[None] drops those
    samples
adjusted_rand_score([1j, 0, 0, 0], LABELS)
    TypeError: labels_true must hold integers, booleans, strings or objects, got dtype complex128; convert them
adjusted_rand_score(TORCH, torch.zeros(4, dtype=torch.complex64))
    TypeError: labels_pred must hold integers or booleans, got dtype torch.complex64; convert them
adjusted_rand_score(np.zeros(4, "datetime64[D]"), LABELS)
    TypeError: labels_true must hold integers, booleans, strings or objects, got dtype datetime64[D]; convert them
adjusted_rand_score(pd.Series(np.zeros(4, "datetime64[ns]")), LABELS)
    TypeError: labels_true must hold integers, booleans, strings or objects, got dtype datetime64[ns]; convert them
adjusted_rand_score(LABELS, pl.Series(LABELS).cast(pl.Date))
    TypeError: labels_pred must hold integers, booleans, strings or objects, got dtype Date; convert them
adjusted_rand_score(pl.Series([[0]] * 4), LABELS)
    TypeError: labels_true must hold integers, booleans, strings or objects, got dtype List(Int64); convert them
adjusted_rand_score([{}, {}, {}, {}], LABELS)
    TypeError: labels_true must hold hashable labels, got {}; give a string or a number for each
adjusted_rand_score(LABELS, pd.Series([[0], [0], [1], [1]]))
    TypeError: labels_pred must hold hashable labels, got [0]; give a string or a number for each
adjusted_rand_score(LABELS, LABELS, ignore_labels=[[1]])
    TypeError: ignore_labels must be one label or a sequence of labels, got [1] as one of them

# Weights

weighted([1, 1, -1, 1])
    ValueError: sample_weight must be finite and not negative, got -1
weighted([1, 1, np.nan, 1])
    ValueError: sample_weight must be finite and not negative, got nan
weighted([1, 1, np.inf, 1])
    ValueError: sample_weight must be finite and not negative, got inf
weighted(torch.tensor([1, 1, -1.0, 1]), TORCH)
    ValueError: sample_weight must be finite and not negative, got -1.0
weighted(torch.tensor([1, 1, float("nan"), 1]), TORCH)
    ValueError: sample_weight must be finite and not negative, got nan
weighted([1j, 1, 1, 1])
    TypeError: sample_weight must hold real numbers and none missing, got dtype complex128
weighted(["1", "1", "1", "1"])
    TypeError: sample_weight must hold real numbers and none missing, got dtype <U1
weighted([1, None, 1, 1])
    TypeError: sample_weight must hold real numbers and none missing, got dtype object
weighted(pd.Series([1, None, 1, 1], dtype="Int64"))
    TypeError: sample_weight must hold real numbers and none missing, got dtype Int64
weighted(pd.Categorical([1, 1, 1, 1]))
    TypeError: sample_weight must hold real numbers and none missing, got dtype category
weighted("abcd")
    TypeError: sample_weight must be a vector (array, Series or sequence), got str
weighted(2.0)
    TypeError: sample_weight must be a vector (array, Series or sequence), got float
weighted({0: 1})
    TypeError: sample_weight must be a vector (array, Series or sequence), got dict
weighted([[1, 1, 1, 1]])
    ValueError: sample_weight must be one-dimensional, got shape (1, 4); give its only row, sample_weight[0]
weighted([1, 1])
    ValueError: sample_weight must have as many samples as labels_true (4), got 2
weighted([2**61, 2**61, 0, 0])
    ValueError: sample_weight must add up to less than 2**39 if they are integers, got 4611686018427387904; scale
    the weights
weighted(torch.tensor([2**61, 2**61, 0, 0]), TORCH)
    ValueError: sample_weight must add up to less than 2**39 if they are integers, got 4611686018427387904; scale
    the weights
weighted(np.ones(4), TORCH)
    TypeError: labels_true and sample_weight must be of one array library, got torch.Tensor and numpy.ndarray;
    convert one of them: torch.tensor(sample_weight, device=labels_true.device)
weighted(strict.ones(4), STRICT_1)
    ValueError: labels_true and sample_weight must be on one device, got array_api_strict.Device('device1') and
    array_api_strict.Device('CPU_DEVICE'); move one of them: sample_weight.to_device(labels_true.device)
weighted(pd.Series([1, 1, 1, 1]), series(LABELS, "abcd"))
    ValueError: labels_true and sample_weight must have the same index, got 'a' and 0 at position 0; align the
    Series, or pass their .to_numpy()
adjusted_rand_score(LABELS, series(LABELS, "abcd"), sample_weight=pd.Series([1, 1, 1, 1]))
    ValueError: labels_pred and sample_weight must have the same index, got 'a' and 0 at position 0; align the
    Series, or pass their .to_numpy()
entropy(LABELS, sample_weight=[1, 1, 1, -1])
    ValueError: sample_weight must be finite and not negative, got -1

# Nothing left, and labels to ignore that cannot be there

adjusted_rand_score([0, 0], [1, 1], ignore_labels=[0])
    ValueError: ignore_labels must leave at least one sample of labels_true and labels_pred, got none left of 2;
    ignore fewer labels
adjusted_rand_score([None, None], [1, 1], ignore_labels=[None])
    ValueError: ignore_labels must leave at least one sample of labels_true and labels_pred, got none left of 2;
    ignore fewer labels
entropy([0, 0], ignore_labels=0)
    ValueError: ignore_labels must leave at least one sample of labels, got none left of 2; ignore fewer labels
weighted([0, 0, 0, 0])
    ValueError: sample_weight must be above 0 for at least one sample of labels_true and labels_pred, got none of 4;
    give those that count a weight above 0
adjusted_rand_score(LABELS, LABELS, ignore_labels=0, sample_weight=[1, 1, 0, 0])
    ValueError: sample_weight must be above 0 for at least one sample of labels_true and labels_pred that ignore_labels
    leaves, got none of 4; give those that count a weight above 0
compare(LABELS, {"a": LABELS}, ignore_labels=[0, 1])
    ValueError: ignore_labels must leave at least one sample of labels_true and labelings['a'], got none left of 4;
    ignore fewer labels
pairwise([[0, 1], [1, 0]], ignore_labels=0)
    ValueError: ignore_labels must leave at least one sample of labelings[0] and labelings[1], got none left of 2;
    ignore fewer labels
match_labels(TORCH, TORCH, ignore_labels=[0, 1], n_classes=2, n_clusters=2)
    ValueError: 4 samples or cells could not be counted: labels outside [0, 2) x [0, 2), or values that are negative,
    not finite, or too large in sum, or no sample was left to count
adjusted_rand_score(LABELS, LABELS, ignore_labels="0")
    TypeError: ignore_labels must be of a type that labels_true or labels_pred could hold, got '0' of type str;
    their labels are numbers
adjusted_rand_score(["a", "b", "b", "b"], ["c", "d", "d", "d"], ignore_labels=[None, -1])
    TypeError: ignore_labels must be of a type that labels_true or labels_pred could hold, got -1 of type int; their
    labels are text
adjusted_rand_score(LABELS, LABELS, ignore_labels=TORCH.to_sparse())
    TypeError: ignore_labels must be a dense tensor, got one of layout torch.sparse_coo; give ignore_labels.to_dense()
adjusted_rand_score(LABELS, LABELS, ignore_labels=jax.random.key(0))
    TypeError: ignore_labels must hold integers, booleans or real numbers, got dtype key<fry>
pairwise([LABELS, LABELS, LABELS], ignore_labels=b"0")
    TypeError: ignore_labels must be of a type that labelings[0] or labelings[1] or the others could hold, got b'0'
    of type bytes; their labels are numbers

# The size of the table

sized(n_classes=10**30, n_clusters=2)
    ValueError: n_classes must be at most 2**36, got 1000000000000000000000000000000; number the labels from 0
entropy(TORCH, n_classes=10**30)
    ValueError: n_classes must be at most 2**36, got 1000000000000000000000000000000; number the labels from 0
Contingency.from_labels(TORCH, TORCH, **MILLION).to_array()
    ValueError: n_classes x n_clusters must be at most 2**36 cells in a dense table, got 1000000 x 1000000; number
    the labels without gaps, or list the cells (layout='cells')
Contingency.from_labels(JAX, JAX, **MILLION).to_array()
    ValueError: n_classes x n_clusters must be at most 2**36 cells in a dense table, got 1000000 x 1000000; number
    the labels without gaps, or list the cells (layout='cells')
Contingency.from_labels(LABELS, LABELS, **MILLION, layout="dense")
    ValueError: n_classes x n_clusters must be at most 2**36 cells in a dense table, got 1000000 x 1000000; number
    the labels without gaps, or list the cells (layout='cells')
Contingency.from_labels(LABELS, LABELS, **MILLION).to_array()
    ValueError: n_classes x n_clusters must be at most 2**36 cells in a dense table, got 1000000 x 1000000; number
    the labels without gaps, or list the cells (layout='cells')
sized(n_classes=2.0, n_clusters=2)
    TypeError: n_classes must be a positive integer, got 2.0
sized(n_classes=True, n_clusters=2)
    TypeError: n_classes must be a positive integer, got True
sized(n_classes=2, n_clusters="2")
    TypeError: n_clusters must be a positive integer, got '2'
sized(n_classes=0, n_clusters=2)
    ValueError: n_classes must be a positive integer, got 0
sized(n_classes=2, n_clusters=-1)
    ValueError: n_clusters must be a positive integer, got -1
sized(n_classes=2)
    ValueError: n_classes and n_clusters must be given together, got n_classes=2 and n_clusters=None
sized(n_clusters=2)
    ValueError: n_classes and n_clusters must be given together, got n_classes=None and n_clusters=2
sized(n_classes=1, n_clusters=2)
    ValueError: labels_true must lie in [0, n_classes) = [0, 1), got 1
sized(n_classes=2, n_clusters=1)
    ValueError: labels_pred must lie in [0, n_clusters) = [0, 1), got 1
adjusted_rand_score([-1, 0, 0, 0], LABELS, n_classes=2, n_clusters=2)
    ValueError: labels_true must lie in [0, n_classes) = [0, 2), got -1
adjusted_rand_score(["a", "b", "b", "b"], LABELS, n_classes=2, n_clusters=2)
    TypeError: labels_true must hold integers in [0, n_classes) when n_classes= is given, got the label 'a'
adjusted_rand_score(LABELS, pd.Categorical([5, 1, 1, 1]), n_classes=2, n_clusters=2)
    ValueError: labels_pred must lie in [0, n_clusters) = [0, 2), got 5
adjusted_rand_score([0.5, 0, 0, 0], LABELS, n_classes=2, n_clusters=2)
    ValueError: labels_true must hold whole numbers, got 0.5; continuous values are no labels
entropy([0, 1, 2], n_classes=2)
    ValueError: labels must lie in [0, n_classes) = [0, 2), got 2
entropy([0, 1, 2], n_classes=0)
    ValueError: n_classes must be a positive integer, got 0
clustering_accuracy(torch.tensor([0, 5, -1, 1]), TORCH, n_classes=2, n_clusters=2)
    ValueError: 2 samples or cells could not be counted: labels outside [0, 2) x [0, 2), or values that are negative,
    not finite, or too large in sum, or no sample was left to count
contingency_matrix(torch.tensor([0, 5, 1, 1]), TORCH, n_classes=2, n_clusters=2)
    ValueError: 1 samples or cells could not be counted: labels outside [0, 2) x [0, 2), or values that are negative,
    not finite, or too large in sum, or no sample was left to count
Contingency.from_labels(LABELS, LABELS, layout="sparse")
    ValueError: layout must be 'dense', 'cells' or None, got 'sparse'
Contingency.from_labels(LABELS, LABELS, layout=["dense"])
    ValueError: layout must be 'dense', 'cells' or None, got ['dense']

# Options of measures

normalized_mutual_info_score(LABELS, LABELS, average_method="mean")
    ValueError: average_method must be one of 'min', 'geometric', 'arithmetic', 'max', 'joint', got 'mean'
adjusted_mutual_info_score(LABELS, LABELS, average_method="joint")
    ValueError: average_method must be one of 'min', 'geometric', 'arithmetic', 'max', got 'joint'
adjusted_mutual_info_score(LABELS, LABELS, average_method=None)
    ValueError: average_method must be one of 'min', 'geometric', 'arithmetic', 'max', got None
entropy(FOUND, of="labels_true")
    ValueError: of must be one of 'true', 'pred', got 'labels_true'
pair_inclusion_score(LABELS, LABELS, of="both")
    ValueError: of must be one of 'true', 'pred', got 'both'
conditional_entropy(LABELS, LABELS, given="clusters")
    ValueError: given must be one of 'true', 'pred', got 'clusters'
wallace_score(LABELS, LABELS, given=1)
    ValueError: given must be one of 'true', 'pred', got 1
sokal_sneath_score(LABELS, LABELS, variant=3)
    ValueError: variant must be one of 1, 2, got 3
pair_inclusion_score(LABELS, LABELS, variant="1")
    ValueError: variant must be one of 1, 2, got '1'
f_measure_score(LABELS, LABELS, average="micro")
    ValueError: average must be one of 'macro', 'weighted', got 'micro'
v_measure_score(LABELS, LABELS, beta=-1)
    ValueError: beta must be finite and not negative, got -1
pair_f_score(LABELS, LABELS, beta=float("nan"))
    ValueError: beta must be finite and not negative, got nan
bcubed_f_score(LABELS, LABELS, beta=float("inf"))
    ValueError: beta must be finite and not negative, got inf
beta_entropy(LABELS, beta="1")
    TypeError: beta must be a number, got '1'
beta_mutual_info(LABELS, LABELS, beta=None)
    TypeError: beta must be a number, got None
v_measure_score(LABELS, LABELS, beta=1j)
    TypeError: beta must be a number, got 1j
beta_entropy(LABELS, beta=np.array([2.0]))
    TypeError: beta must be a number, got array([2.])
entropy(LABELS, base=0)
    ValueError: base must be a finite number above 1, or None for nats, got 0
joint_entropy(LABELS, LABELS, base=1)
    ValueError: base must be a finite number above 1, or None for nats, got 1
mutual_info_score(LABELS, LABELS, base=-2)
    ValueError: base must be a finite number above 1, or None for nats, got -2
entropy(LABELS, base=float("nan"))
    ValueError: base must be a finite number above 1, or None for nats, got nan
entropy(LABELS, base=float("inf"))
    ValueError: base must be a finite number above 1, or None for nats, got inf
entropy(LABELS, base="2")
    TypeError: base must be a number, got '2'
entropy(LABELS, base=[2])
    TypeError: base must be a number, got [2]
entropy(LABELS, base=np.array([2]))
    TypeError: base must be a number, got array([2])
entropy(LABELS, base=0.5)
    ValueError: base must be a finite number above 1, or None for nats, got 0.5
variation_of_information(LABELS, LABELS, base=np.int64(1))
    ValueError: base must be a finite number above 1, or None for nats, got np.int64(1)
cohen_kappa_score(LABELS, LABELS, weights="cubic")
    ValueError: weights must be None, 'linear', 'quadratic' or a matrix of costs, got 'cubic'
cohen_kappa_score(LABELS, LABELS, weights=[[0, 1, 2]])
    ValueError: weights must have a row and a column for each of the 2 labels, got shape (1, 3)
cohen_kappa_score(LABELS, LABELS, weights=[["a", "b"], ["c", "d"]])
    TypeError: weights must hold real numbers, got dtype <U1
cohen_kappa_score(LABELS, LABELS, weights=[[0], [1, 2]])
    ValueError: weights must be a table, got rows of different lengths
cohen_kappa_score(LABELS, LABELS, weights=[[0, 1], [-1, 0]])
    ValueError: weights must be finite and not negative, got -1
cohen_kappa_score(LABELS, LABELS, weights=[[0, 1], [np.nan, 0]])
    ValueError: weights must be finite and not negative, got nan
cohen_kappa_score(LABELS, LABELS, weights=np.array([[0, np.inf], [1, 0]]))
    ValueError: weights must be finite and not negative, got inf
cohen_kappa_score(TORCH, TORCH, n_classes=2, n_clusters=2, weights=[[0, 1], [-0.5, 0]])
    ValueError: weights must be finite and not negative, got -0.5
cohen_kappa_score(LABELS, LABELS, n_classes=3, n_clusters=2, weights=[[0, 1], [1, 0]])
    ValueError: weights must have a row and a column for each of the 3 labels, got shape (2, 2)
cohen_kappa_score(LABELS, LABELS, weights={})
    TypeError: weights must be a table (array, nested lists or DataFrame), got dict
cohen_kappa_score(["a", "a", "b", "b"], LABELS)
    TypeError: cohen_kappa_score needs labels of one kind on both sides, which can be sorted together, got 'a' and 0
contingency_matrix(LABELS, LABELS, eps=1, sparse=True)
    ValueError: eps must be None when sparse=True, got 1: it would fill every cell
contingency_matrix(LABELS, LABELS, eps="1")
    TypeError: eps must be a number, got '1'
adjusted_rand_score(LABELS, LABELS, weight=LABELS)
    TypeError: adjusted_rand_score() got an unexpected keyword argument 'weight'; it has no options of its own
v_measure_score(LABELS, LABELS, betta=2)
    TypeError: v_measure_score() got an unexpected keyword argument 'betta'; its own options are beta
entropy(LABELS, bas=2)
    TypeError: entropy() got an unexpected keyword argument 'bas'; its own options are base
adjusted_mutual_info_score(LABELS, LABELS, sample_weight=[0.5, 1, 1, 1])
    ValueError: the adjusted and the expected mutual information need a table of counts, got one of real
    weights or fractions: their null model permutes samples; use weights of an integer type
standardized_rand_score(LABELS, LABELS, sample_weight=[0.5, 1, 1, 1])
    ValueError: the moments of pair counts and the standardized Rand score need a table of counts, got one of real
    weights or fractions: their null model permutes samples; use weights of an integer type
pair_count_moments(LABELS, LABELS, sample_weight=[0.5, 1, 1, 1])
    ValueError: the moments of pair counts and the standardized Rand score need a table of counts, got one of real
    weights or fractions: their null model permutes samples; use weights of an integer type
standardized_mutual_info_score(LABELS, LABELS, sample_weight=[0.5, 1, 1, 1])
    ValueError: the adjusted and the expected mutual information need a table of counts, got one of real
    weights or fractions: their null model permutes samples; use weights of an integer type
standardized_mutual_info_score(LABELS, LABELS, method="normal")
    ValueError: method must be one of 'auto', 'exact', 'sampling', got 'normal'
standardized_mutual_info_score(LABELS, LABELS, n_resamples=0)
    ValueError: n_resamples must be at least 1, got 0
standardized_mutual_info_score(LABELS, LABELS, random_state=-1)
    ValueError: random_state must be a seed or a generator of NumPy, and seeds must not be negative, got -1
expected_mutual_info(Contingency.from_counts(torch.tensor([[0.5, 1.0]])))
    ValueError: the adjusted and the expected mutual information need a table of counts, got one of real
    weights or fractions: their null model permutes samples; use weights of an integer type
adjusted_bcubed_f_score(LABELS, LABELS, sample_weight=[0.5, 1, 1, 1])
    ValueError: adjusted BCubed scores need a table of counts, got one of real weights or fractions: of weights it is
    not known what each sample with itself weighs; use weights of an integer type
class_adjusted_wallace_scores(LABELS, LABELS, sample_weight=[0.5, 1, 1, 1])
    ValueError: adjusted scores of each class or cluster need a table of counts, got one of real weights or fractions:
    of weights it is not known what each one's pairs weigh; use weights of an integer type
cluster_adjusted_wallace_scores(Contingency.from_memberships(np.full((2, 2), 0.5), np.full((2, 2), 0.5)))
    ValueError: adjusted scores of each class or cluster need a table of counts, got one of real weights or fractions:
    of weights it is not known what each one's pairs weigh; use weights of an integer type
prediction_strength_score(LABELS, LABELS, sample_weight=[0.5, 1, 1, 1])
    ValueError: prediction strengths need a table of counts, got one of real weights or fractions: of weights it is not
    known what the pairs of a class weigh; use weights of an integer type

# A table in place of the labels

adjusted_rand_score(FOUND, LABELS)
    TypeError: labels_pred must be left out when a table is given, got list
adjusted_rand_score(FOUND, sample_weight=LABELS)
    TypeError: sample_weight= cannot be given with a table: give it to Contingency.from_labels
adjusted_rand_score(FOUND, ignore_labels=-1)
    TypeError: ignore_labels= cannot be given with a table: give it to Contingency.from_labels
adjusted_rand_score(FOUND, n_classes=2, n_clusters=2)
    TypeError: n_classes= cannot be given with a table: give it to Contingency.from_labels
entropy(FOUND, sample_weight=LABELS)
    TypeError: sample_weight= cannot be given with a table: give it to Contingency.from_labels
evaluate(FOUND, LABELS)
    TypeError: labels_pred must be left out when a table is given, got list
evaluate(FOUND, n_clusters=2)
    TypeError: n_clusters= cannot be given with a table: give it to Contingency.from_labels
compare(FOUND, [LABELS])
    TypeError: labels_true must be a vector (array, Series or sequence), got gpuval.Contingency
match_labels(BATCH)
    ValueError: a single table is needed here, got a batch of shape (3,)
normalizing_permutation(BATCH)
    ValueError: a single table is needed here, got a batch of shape (3,)
BATCH.listed()
    ValueError: a single table is needed to list its cells, got a batch of shape (3,)
BATCH.compact()
    ValueError: a single table is needed to leave out empty rows and columns, got a batch of shape (3,)
BATCH.to_pandas()
    ValueError: a single table is needed for a DataFrame, got a batch of shape (3,)

# Many measures, many labelings

evaluate(LABELS, LABELS, "adjusted_rand")
    ValueError: metrics must be names of measures, got 'adjusted_rand'; did you mean adjusted_rand_score?
evaluate(LABELS, LABELS, ["nonsense"])
    ValueError: metrics must be names of measures, got 'nonsense'; gpuval.METRICS has them all
evaluate(LABELS, LABELS, "match_labels")
    ValueError: metrics must be names of measures, got 'match_labels'; match_labels gives more than one number:
    gpuval.match_labels(labels_true, labels_pred)
evaluate(LABELS, LABELS, "silhouette_score")
    ValueError: metrics must be names of measures, got 'silhouette_score'; silhouette_score needs samples:
    gpuval.silhouette_score(X, labels), or gpuval.evaluate(..., X=X)
evaluate(LABELS, LABELS, "asw")
    ValueError: metrics must be names of measures, got 'asw'; silhouette_score needs samples:
    gpuval.silhouette_score(X, labels), or gpuval.evaluate(..., X=X)
evaluate(LABELS, LABELS, [])
    ValueError: metrics must have at least one measure, got none
evaluate(LABELS, {"a": LABELS})
    TypeError: labels_pred must be one vector of labels, got dict; gpuval.compare(labels_true, labelings) takes many
evaluate(LABELS, LABELS, [None])
    TypeError: metrics must be names of measures or functions of a table, got None
evaluate(LABELS, LABELS, 5)
    TypeError: metrics must be a name or a function of a table, or a sequence or mapping of these, got 5
evaluate(LABELS, LABELS, ["expected_mutual_info"], sample_weight=[0.5, 1, 1, 1])
    ValueError: the adjusted and the expected mutual information need a table of counts, got one of real
    weights or fractions: their null model permutes samples; use weights of an integer type
compare(LABELS, [LABELS], "adjusted_mutual_info_score", sample_weight=[0.25, 1, 1, 1])
    ValueError: the adjusted and the expected mutual information need a table of counts, got one of real
    weights or fractions: their null model permutes samples; use weights of an integer type
evaluate(LABELS, LABELS, {"mine": 1})
    TypeError: metrics must be names of measures or functions of a table, got 1
compare(LABELS, [LABELS], "nonsense")
    ValueError: metrics must be names of measures, got 'nonsense'; gpuval.METRICS has them all
compare(LABELS, {})
    ValueError: labelings must have at least one label vector, got none
compare(LABELS, pd.DataFrame({"a": LABELS}).filter(like="b"))
    ValueError: labelings must have at least one label vector, got a DataFrame without columns
compare(LABELS, LABELS)
    TypeError: labelings[0] must be a vector of labels, got the scalar 0
compare(LABELS, 5)
    TypeError: labelings must be a mapping or a sequence of label vectors, got int
compare(LABELS, "ab")
    TypeError: labelings must be a mapping or a sequence of label vectors, got str
compare(LABELS, {1, 2})
    TypeError: labelings must be a mapping or a sequence of label vectors, got set
compare(LABELS, np.zeros((4, 2), int))
    TypeError: labelings must be a mapping or a sequence of label vectors, got ndarray of shape (4, 2); give its
    columns, list(labelings.T)
compare(LABELS, {"a": None})
    TypeError: labelings['a'] must be a vector of labels, got None
compare(LABELS, {"a": [0]})
    ValueError: labelings['a'] must have as many samples as labels_true (4), got 1
compare(TORCH, [TORCH, NUMPY])
    TypeError: labels_true and labelings[1] must be of one array library, got torch.Tensor and numpy.ndarray;
    convert one of them: torch.tensor(labelings[1], device=labels_true.device)
compare(None, [LABELS])
    TypeError: labels_true must be a vector of labels, got None
compare(LABELS, [LABELS], sample_weight=[1, 1, -1, 1])
    ValueError: sample_weight must be finite and not negative, got -1
compare(LABELS, [LABELS], n_classes=2)
    ValueError: n_classes and n_clusters must be given together, got n_classes=2 and n_clusters=None
compare(LABELS, [pd.Series(LABELS), series(LABELS, "abcd")])
    ValueError: labelings[0] and labelings[1] must have the same index, got 0 and 'a' at position 0; align the
    Series, or pass their .to_numpy()
pairwise([])
    ValueError: labelings must have at least one label vector, got none
pairwise(5)
    TypeError: labelings must be a mapping or a sequence of label vectors, got int
pairwise([LABELS, [0]])
    ValueError: labelings[1] must have as many samples as labelings[0] (4), got 1
pairwise([LABELS, LABELS], "rand")
    ValueError: metric must be the name of a measure, got 'rand'; gpuval.METRICS has them all
pairwise([LABELS, LABELS], None)
    TypeError: metric must be the name of a measure or a function of a table, got None
pairwise([LABELS, LABELS], ["rand_score"])
    TypeError: metric must be the name of a measure or a function of a table, got ['rand_score']
pairwise([LABELS, LABELS], match_labels)
    TypeError: metric must give one number for a table, got LabelMatching from match_labels
match_labels(LABELS, LABELS).relabel([[0]])
    ValueError: labels_pred must be one-dimensional, got shape (1, 1); give its only column, labels_pred[:, 0]

# Ready tables

gpuval.compare([0], pd.DataFrame([[0, 1]], columns=["a", "a"]))
    ValueError: labelings must have columns of different names, got 'a' twice
Contingency.from_counts([[1, -1]])
    ValueError: counts must be finite and not negative, got -1
Contingency.from_counts([[1, np.nan]])
    ValueError: counts must be finite and not negative, got nan
Contingency.from_counts([[1, np.inf]])
    ValueError: counts must be finite and not negative, got inf
Contingency.from_counts([[1e61, 0.5]])
    ValueError: counts must add up to 0, or 2**-200 to 2**200, got 1e+61; scale them
Contingency.from_counts([[1e-61, 0.0]])
    ValueError: counts must add up to 0, or 2**-200 to 2**200, got 1e-61; scale them
Contingency.from_counts(pd.crosstab([0, 1], [1, 1], margins=True))
    ValueError: counts must not have margins, got ['All', 'All'] at the ends; use margins=False
Contingency.from_counts(pd.crosstab([0, 1], [1, 2], margins=True, margins_name="Sum"))
    ValueError: counts must not have margins, got ['Sum', 'Sum'] at the ends; use margins=False
Contingency.from_counts(pd.crosstab([0, 1], [1, 2], margins=True, normalize="index"))
    ValueError: counts must not have margins, got ['All', 2] at the ends; use margins=False
Contingency.from_counts(pd.crosstab(pd.Series([0, 1, None]), pd.Series([1, 2, 2]), dropna=False))
    ValueError: counts must not have missing labels, got one in the index; build it with dropna=True
Contingency.from_counts(pd.DataFrame([[1, 2], [3, 4]], index=["a", "a"]))
    ValueError: counts must have each label once, got 'a' twice in the index
Contingency.from_counts(np.ma.masked_equal([[1, 2], [3, 4]], 2))
    ValueError: counts must not have masked cells, got 1 of them; fill them first
expected_mutual_info(LABELS, LABELS, sample_weight=[2.0, 2.0, 2.0, 2.0])
    ValueError: the adjusted and the expected mutual information need a table of counts, got one of real
    weights or fractions: their null model permutes samples; use weights of an integer type
cohen_kappa_score([0, 1], [0, 1], weights=[[5, 1], [1, 0]])
    ValueError: weights must be 0 on the diagonal, where the labels agree, got 5
Contingency.from_counts(pd.DataFrame([[1, None]], dtype="Int64"))
    ValueError: counts must be finite and not negative, got nan
Contingency.from_counts([1, 2])
    ValueError: counts must have at least two dimensions, got shape (2,)
Contingency.from_counts(3)
    ValueError: counts must have at least two dimensions, got shape ()
Contingency.from_counts([["a"]])
    TypeError: counts must hold real numbers, got dtype <U1
Contingency.from_counts([[1j]])
    TypeError: counts must hold real numbers, got dtype complex128
Contingency.from_counts([[1], [1, 2]])
    ValueError: counts must be a table, got rows of different lengths
Contingency.from_counts(None)
    TypeError: counts must be a table (array, nested lists or DataFrame), got NoneType
Contingency.from_counts({})
    TypeError: counts must be a table (array, nested lists or DataFrame), got dict
Contingency.from_counts(FOUND)
    TypeError: counts must be a table (array, nested lists or DataFrame), got Contingency
Contingency.from_counts(pd.Series([1, 2]))
    ValueError: counts must have at least two dimensions, got shape (2,)
Contingency.from_counts(pd.DataFrame({"a": ["x"]}))
    TypeError: counts must hold real numbers, got dtype object
Contingency.from_counts(sparse.csr_matrix([[1, -1]]))
    ValueError: counts must be finite and not negative, got -1
Contingency.from_counts(sparse.csr_matrix([[1j]]))
    TypeError: counts must hold real numbers, got dtype complex128
Contingency.from_counts(sparse.coo_array([1, 2]))
    ValueError: counts must have two dimensions, got shape (2,)
Contingency.from_counts([[2**61, 2**61]])
    ValueError: counts must add up to less than 2**39 if they are integers, got 4611686018427387904; give them as floats
match_labels(Contingency.from_counts(torch.tensor([[1, -1]])))
    ValueError: 1 samples or cells could not be counted: labels outside [0, 1) x [0, 2), or values that are negative,
    not finite, or too large in sum, or no sample was left to count
clustering_accuracy(Contingency.from_counts(torch.tensor([[2**61, 2**61]])))
    ValueError: 1 samples or cells could not be counted: labels outside [0, 1) x [0, 2), or values that are negative,
    not finite, or too large in sum, or no sample was left to count
Contingency.from_memberships([1, 2], SOFT)
    ValueError: memberships_true must have the shape (n_samples, n_groups), got (2,)
Contingency.from_memberships(SOFT, np.ones((3, 2, 2)))
    ValueError: memberships_pred must have the shape (n_samples, n_groups), got (3, 2, 2)
Contingency.from_memberships(SOFT, SOFT[:2])
    ValueError: memberships_pred must have as many samples as memberships_true (3), got 2
Contingency.from_memberships(SOFT, -SOFT)
    ValueError: memberships_pred must be finite and not negative, got -1.0
Contingency.from_memberships(SOFT * np.nan, SOFT)
    ValueError: memberships_true must be finite and not negative, got nan
Contingency.from_memberships([["a"]] * 3, SOFT)
    TypeError: memberships_true must hold real numbers, got dtype <U1
Contingency.from_memberships(None, SOFT)
    TypeError: memberships_true must be a table (array, nested lists or DataFrame), got NoneType
Contingency.from_memberships(SOFT, [[1], [1, 2], [3]])
    ValueError: memberships_pred must be a table, got rows of different lengths
Contingency.from_memberships(SOFT, torch.eye(3))
    TypeError: memberships_true and memberships_pred must be of one array library, got numpy.ndarray and
    torch.Tensor; convert one of them: torch.tensor(memberships_true, device=memberships_pred.device)
Contingency.from_memberships(torch.eye(3), torch.eye(3, device="meta"))
    ValueError: memberships_true and memberships_pred must be on one device, got cpu and meta; what is on the meta
    device has no values
Contingency.from_memberships(SOFT, SOFT, sample_weight=[1, 1])
    ValueError: sample_weight must have as many samples as memberships_true (3), got 2
Contingency.from_memberships(SOFT, SOFT, sample_weight=[1, 1, -1])
    ValueError: sample_weight must be finite and not negative, got -1
FOUND + Contingency.from_labels(TORCH, TORCH)
    TypeError: tables must be of one array library to be added, got numpy and torch
Contingency.from_labels(STRICT, STRICT) + Contingency.from_labels(STRICT_1, STRICT_1)
    ValueError: tables must be on one device to be added, got array_api_strict.Device('CPU_DEVICE') and
    array_api_strict.Device('device1')
GIVEN + Contingency.from_counts(np.ones((3, 3), int))
    ValueError: tables of given size must have the same size to be added, got (2, 2) and (3, 3)
BATCH + Contingency.from_counts(np.ones((2, 2, 2), int))
    ValueError: tables of given size must have the same size to be added, got (3, 2, 2) and (2, 2, 2)
GIVEN + FOUND
    ValueError: tables must both be of given size, or both be sized by their labels, to be added: give n_classes=
    and n_clusters= for both
FOUND + GIVEN
    ValueError: tables must both be of given size, or both be sized by their labels, to be added: give n_classes=
    and n_clusters= for both

# Inside jax.jit

jax.jit(adjusted_rand_score)(JAX, JAX)
    TypeError: n_classes and n_clusters must be given inside jax.jit or jax.vmap, where the labels are not known yet
jax.jit(entropy)(JAX)
    TypeError: n_classes must be given inside jax.jit or jax.vmap, where the labels are not known yet
jax.jit(lambda w: adjusted_rand_score(JAX, JAX, sample_weight=w))(JAX)
    TypeError: n_classes and n_clusters must be given inside jax.jit or jax.vmap, where the weights are not known yet
jax.jit(jitted(match_labels))(JAX)
    TypeError: match_labels looks at values on the host, and inside jax.jit, jax.vmap, jax.grad and torch.func.vmap
    there are none: return the table from there, and score it outside
jax.jit(jitted(contingency_matrix))(JAX)
    TypeError: contingency_matrix looks at values on the host, and inside jax.jit, jax.vmap, jax.grad and
    torch.func.vmap there are none: return the table from there, and score it outside
jax.jit(jitted(Contingency.from_labels, layout="cells"))(JAX)
    TypeError: layout must be 'dense' or None, not 'cells', inside jax.jit or jax.vmap, where the labels are not known
    yet
jax.jit(lambda x: jitted(Contingency.from_labels)(x).listed())(JAX)
    TypeError: a table cannot list its cells inside jax.jit or jax.vmap: their number is not known yet
jax.jit(lambda x: jitted(Contingency.from_labels)(x).compact())(JAX)
    TypeError: this function needs a value on the host, and inside jax.jit, jax.vmap and jax.grad it is not known yet:
    give the sizes (n_classes=, n_clusters=, n_queries=), if it takes them, or call it outside
jax.jit(lambda x: compare(x, [x]))(JAX)
    TypeError: this function needs a value on the host, and inside jax.jit, jax.vmap and jax.grad it is not known yet:
    give the sizes (n_classes=, n_clusters=, n_queries=), if it takes them, or call it outside
jax.jit(lambda x: jitted(adjusted_rand_score, ignore_labels=x)(x))(JAX)
    TypeError: this function needs a value on the host, and inside jax.jit, jax.vmap and jax.grad it is not known yet:
    give the sizes (n_classes=, n_clusters=, n_queries=), if it takes them, or call it outside
jax.jit(lambda x: jitted(adjusted_rand_score, sample_weight=np.ones(4))(x))(JAX)
    TypeError: labels_true and sample_weight must be of one array library, got jax.Array and numpy.ndarray; convert
    one of them: jax.numpy.asarray(sample_weight)
jax.jit(lambda x: adjusted_rand_score(x, NUMPY, n_classes=2, n_clusters=2))(JAX)
    TypeError: labels_true and labels_pred must be of one array library, got jax.Array and numpy.ndarray; convert
    one of them: jax.numpy.asarray(labels_pred)

# Types and shapes are checked first: META has no values to look at

adjusted_rand_score(META, META[:3])
    ValueError: labels_pred must have as many samples as labels_true (4), got 3
adjusted_rand_score(META, META[:, None])
    ValueError: labels_pred must be one-dimensional, got shape (4, 1); give its only column, labels_pred[:, 0]
adjusted_rand_score(META, META.to(torch.complex64))
    TypeError: labels_pred must hold integers or booleans, got dtype torch.complex64; convert them
adjusted_rand_score(META, META, sample_weight=META[1:])
    ValueError: sample_weight must have as many samples as labels_true (4), got 3
adjusted_rand_score(META, META, sample_weight=META.to(torch.complex64))
    TypeError: sample_weight must hold real numbers and none missing, got dtype torch.complex64
adjusted_rand_score(META, META, sample_weight=TORCH)
    ValueError: labels_true and sample_weight must be on one device, got meta and cpu; what is on the meta device
    has no values
adjusted_rand_score(META, META, n_classes=2)
    ValueError: n_classes and n_clusters must be given together, got n_classes=2 and n_clusters=None
adjusted_rand_score(META, META, n_classes=2, n_clusters=0)
    ValueError: n_clusters must be a positive integer, got 0
adjusted_rand_score(META, META, ignore_labels=[[1]])
    TypeError: ignore_labels must be one label or a sequence of labels, got [1] as one of them
adjusted_rand_score(META, META, beta=1)
    TypeError: adjusted_rand_score() got an unexpected keyword argument 'beta'; it has no options of its own
Contingency.from_labels(META, META, layout="csr")
    ValueError: layout must be 'dense', 'cells' or None, got 'csr'
entropy(META[None])
    ValueError: labels must be one-dimensional, got shape (1, 4); give its only row, labels[0]
evaluate(META, META, "nonsense")
    ValueError: metrics must be names of measures, got 'nonsense'; gpuval.METRICS has them all
compare(META, {"a": META[:3]})
    ValueError: labelings['a'] must have as many samples as labels_true (4), got 3
pairwise([META, TORCH])
    ValueError: labelings[0] and labelings[1] must be on one device, got meta and cpu; what is on the meta device
    has no values
Contingency.from_counts(META)
    ValueError: counts must have at least two dimensions, got shape (4,)
Contingency.from_memberships(META[:, None], META[:3, None])
    ValueError: memberships_pred must have as many samples as memberships_true (4), got 3
"""
"""Each call, and below it the type of its error and all of its message."""


@pytest.mark.parametrize(("call", "error"), wrong_calls(WRONG))
def test_a_wrong_call_raises_one_clear_error(call, error):
    assert_raises(call, error, globals() | {"jax": jax, "pl": pl, "sparse": sparse})


@pytest.mark.filterwarnings("ignore:The PyTorch API of nested tensors")
def test_nested_tensors_that_have_no_sizes():
    nested = torch.nested.nested_tensor([TORCH, TORCH])
    for call in (lambda: gpuval.rand_score(nested, TORCH), lambda: weighted(nested, TORCH)):
        with pytest.raises(TypeError, match="must be a dense tensor, got a nested one"):
            call()


VECTORS = {
    "list": LABELS,
    "NumPy": NUMPY,
    "pandas": pd.Series(LABELS),
    "Int64": pd.Series(LABELS, dtype="Int64"),
    "polars": pl.Series(LABELS),
    "text": ["a", "a", "b", "b"],
    "Categorical": pd.Categorical(["a", "a", "b", "b"]),
    "torch": TORCH,
    "JAX": JAX,
    "strict": STRICT,
}
ON_THE_HOST = list(VECTORS)[:7]


@pytest.mark.parametrize("first", VECTORS)
@pytest.mark.parametrize("second", VECTORS)
def test_the_conversion_that_a_message_names_is_one(first, second):
    labels_true, labels_pred = VECTORS[first], VECTORS[second]
    if first == second or (first in ON_THE_HOST and second in ON_THE_HOST):
        assert gpuval.adjusted_rand_score(labels_true, labels_pred) == 1
        return
    with pytest.raises(TypeError) as raised:
        gpuval.adjusted_rand_score(labels_true, labels_pred)
    hint = str(raised.value).partition("; convert one of them: ")[2]
    given = {"labels_true": labels_true, "labels_pred": labels_pred}
    (name,) = (x for x in given if hint.startswith(x) or f"({x}" in hint)
    libraries = {"torch": torch, "jax": jax, "numpy": np, "array_api_strict": strict}
    given[name] = eval(hint, libraries | given)
    assert gpuval.adjusted_rand_score(**given) == 1


def test_the_move_that_a_message_names_is_one():
    with pytest.raises(ValueError, match="must be on one device") as raised:
        gpuval.adjusted_rand_score(STRICT, STRICT_1)
    hint = str(raised.value).partition("; move one of them: ")[2]
    moved = eval(hint, {"labels_true": STRICT, "labels_pred": STRICT_1})
    assert gpuval.adjusted_rand_score(STRICT, moved) == 1


def test_the_errors_are_distinct_and_all_are_read():
    assert len({error for _, error in wrong_calls(WRONG)}) > 120
    lines = [line for line in WRONG.splitlines() if line and not line.startswith(("#", " "))]
    assert lines == [call for call, _ in wrong_calls(WRONG)]
