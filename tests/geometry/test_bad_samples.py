"""Wrong calls of the internal measures: each raises one error, of this type and with all of this message."""

import anndata
import array_api_strict as strict
import dask.array as da
import dask.dataframe as dd
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
from gpuval import InternalAccumulator

LABELS = [0, 0, 1, 1]
X = np.asarray([[0.0, 1.0], [2.0, 3.0], [4.0, 6.0], [5.0, 9.0]])
TORCH = torch.asarray(X)
META = torch.empty(4, 2, device="meta")
JAX = jnp.asarray(X)
STRICT = strict.asarray(X)
STRICT_1 = strict.asarray(X, device=strict.Device("device1"))
D = np.asarray([[0.0, 1, 5, 6], [1, 0, 4, 5], [5, 4, 0, 2], [6, 5, 2, 0]])


NAMED_X = pd.DataFrame(X, index=list("abcd"))
NAMED = pd.Series(LABELS, index=list("abcd"))
NAMED_D = pd.DataFrame(D, index=list("abcd"), columns=list("abcd"))
VIEW = anndata.AnnData(X, pd.DataFrame(index=list("abcd")), obsm={"pca": NAMED_X})[list("abcd")]


def changed(value, place=(1, 1), x=X):
    x = x.copy()
    x[place] = value
    return x


def misplaced(form, part, value, x=X):
    """A sparse matrix, the second number of a part of which leads elsewhere."""
    x = sparse.csr_matrix(x).asformat(form)
    getattr(x, part)[1] = value
    return x


def moments():
    accumulator = InternalAccumulator(2)
    accumulator.update(X, LABELS)
    return accumulator.moments


def of(d):
    return lambda start, stop: d[start:stop]


def updated(*first, **settings):
    accumulator = InternalAccumulator(**settings)
    accumulator.update(*first)
    return accumulator


WRONG = """
# Shapes

silhouette_score([1.0, 2.0, 3.0, 4.0], LABELS)
    ValueError: X must be two-dimensional, (n_samples, n_features), got shape (4,); X[:, None] makes it one feature
calinski_harabasz_score(X[None], LABELS)
    ValueError: X must be two-dimensional, (n_samples, n_features), got shape (1, 4, 2)
dunn_index(np.float64(3), LABELS)
    TypeError: X must be an array of samples and features, got float64
davies_bouldin_score(X[:, :0], LABELS)
    ValueError: X must have at least one feature, got shape (4, 0)
davies_bouldin_score([], LABELS)
    ValueError: X must be two-dimensional, (n_samples, n_features), got shape (0,); X[:, None] makes it one feature
silhouette_score([[1.0], [1.0, 2.0], [3.0], [4.0]], LABELS)
    ValueError: X must have the same number of features in each row, got rows of different lengths
silhouette_samples(X[:3], LABELS)
    ValueError: labels must have as many samples as X (3), got 4
dunn_index(sparse.csr_array(X), LABELS[:3])
    ValueError: labels must have as many samples as X (4), got 3
dunn_index(X, [LABELS])
    ValueError: labels must be one-dimensional, got shape (1, 4); give its only row, labels[0]
silhouette_score(TORCH, np.asarray([LABELS] * 2))
    ValueError: labels must be one-dimensional, got shape (2, 4); of one-hot rows or of logits, give the argmax(axis=1)
silhouette_label(X, np.eye(2)[LABELS])
    ValueError: labels must be one-dimensional, got shape (4, 2); of one-hot rows or of logits, give the argmax(axis=1)
davies_bouldin_score(TORCH, torch.randn(4, 3))
    ValueError: labels must be one-dimensional, got shape (4, 3); of one-hot rows or of logits, give the argmax(axis=1)
updated(X, pd.get_dummies(pd.Series(LABELS)))
    ValueError: labels must be one-dimensional, got a DataFrame of shape (4, 2); give one of its columns
silhouette_samples(X, np.asarray(LABELS)[:, None])
    ValueError: labels must be one-dimensional, got shape (4, 1); give its only column, labels[:, 0]
silhouette_score(X, [[0], [0], [1], [1]])
    ValueError: labels must be one-dimensional, got shape (4, 1); give its only column, labels[:, 0]
silhouette_score(X, np.zeros((4, 1, 2)))
    ValueError: labels must be one-dimensional, got shape (4, 1, 2)
silhouette_score(LABELS, X)
    ValueError: X must come before labels, got X of one dimension and labels of two; exchange them
silhouette_samples(LABELS, X.tolist())
    ValueError: X must come before labels, got X of one dimension and labels of two; exchange them
silhouette_label(["a", "a", "b", "b"], pd.DataFrame(X))
    ValueError: X must come before labels, got X of one dimension and labels of two; exchange them
dunn_index(pd.Series(["a", "a", "b", "b"]), pl.DataFrame(X))
    ValueError: X must come before labels, got X of one dimension and labels of two; exchange them
davies_bouldin_score(torch.asarray(LABELS), TORCH)
    ValueError: X must come before labels, got X of one dimension and labels of two; exchange them
calinski_harabasz_score(tuple(LABELS), sparse.csr_array(X))
    ValueError: X must come before labels, got X of one dimension and labels of two; exchange them
calinski_harabasz_score(da.from_array(np.asarray(LABELS)), da.from_array(X))
    ValueError: X must come before labels, got X of one dimension and labels of two; exchange them
davies_bouldin_score(da.from_array(np.asarray(LABELS)), da.from_array(X))
    ValueError: X must come before labels, got X of one dimension and labels of two; exchange them
silhouette_score(LABELS, D, metric="precomputed")
    ValueError: X must come before labels, got X of one dimension and labels of two; exchange them
silhouette_batch(LABELS, X, LABELS)
    ValueError: X must come before labels, got X of one dimension and labels of two; exchange them
updated(LABELS, X)
    ValueError: X must come before labels, got X of one dimension and labels of two; exchange them
silhouette_batch(X, LABELS, LABELS[:2])
    ValueError: batch must have as many samples as X (4), got 2
silhouette_batch(X, LABELS[:2], LABELS)
    ValueError: labels must have as many samples as X (4), got 2
silhouette_batch(X, LABELS, [LABELS])
    ValueError: batch must be one-dimensional, got shape (1, 4); give its only row, batch[0]

# What is no array of numbers

silhouette_score(None, LABELS)
    TypeError: X must be an array of samples and features, got NoneType
calinski_harabasz_score("samples", LABELS)
    TypeError: X must be an array of samples and features, got str
davies_bouldin_score(3.5, LABELS)
    TypeError: X must be an array of samples and features, got float
dunn_index({"a": [1, 2]}, LABELS)
    TypeError: X must be an array of samples and features, got dict
dunn_index({1, 2}, LABELS)
    TypeError: X must be an array of samples and features, got set
silhouette_score(X.astype(str), LABELS)
    TypeError: X must hold real numbers, got dtype <U32; convert them
silhouette_score([["a", "b"]] * 4, LABELS)
    TypeError: X must hold real numbers, got dtype <U1; convert them
silhouette_score(X + 1j, LABELS)
    TypeError: X must hold real numbers, got dtype complex128; convert them
silhouette_score(TORCH + 1j, LABELS)
    TypeError: X must hold real numbers, got dtype complex128; convert them
silhouette_score(X.astype(object), LABELS)
    TypeError: X must hold real numbers, got dtype object; convert them
silhouette_score([[1.0, None]] * 4, LABELS)
    TypeError: X must hold real numbers, got dtype object; convert them
silhouette_score(pd.DataFrame({"a": ["x", "y", "z", "z"]}), LABELS)
    TypeError: X must hold real numbers, got dtype object in column 'a'
calinski_harabasz_score(X.astype("datetime64[s]"), LABELS)
    TypeError: X must hold real numbers, got dtype datetime64[s]; convert them
calinski_harabasz_score(sparse.csr_array(X + 1j), LABELS)
    TypeError: X must hold real numbers, got dtype complex128; convert them
silhouette_score(TORCH.to_sparse(), LABELS)
    TypeError: X must be dense, or a sparse matrix of SciPy or CuPy, got a tensor of torch.sparse_coo
silhouette_score(pd.Series([1.0, 2, 3, 4]), LABELS)
    ValueError: X must be two-dimensional, (n_samples, n_features), got shape (4,); X[:, None] makes it one feature
silhouette_score(X, None)
    TypeError: labels must be a vector of labels, got None
calinski_harabasz_score(X)
    TypeError: labels must be given with samples; without labels, X must be the moments of an InternalAccumulator, got
    ndarray
silhouette_batch(X, LABELS, None)
    TypeError: batch must be a vector of labels, got None

# Numbers that are none

silhouette_score(changed(np.nan), LABELS)
    ValueError: X must be finite, got nan in row 1, column 1
silhouette_samples(changed(np.inf, (3, 0)), LABELS)
    ValueError: X must be finite, got inf in row 3, column 0
dunn_index(changed(-np.inf, (0, 1)), LABELS)
    ValueError: X must be finite, got -inf in row 0, column 1
calinski_harabasz_score(changed(np.nan, (2, 1)), LABELS)
    ValueError: X must be finite, got nan in row 2, column 1
calinski_harabasz_score(changed(np.inf, (2, 1)), LABELS)
    ValueError: X must be finite, got inf in row 2, column 1
davies_bouldin_score(changed(np.nan, (2, 1)), LABELS)
    ValueError: X must be finite, got nan in row 2, column 1
silhouette_score(changed(np.nan, (2, 1)), LABELS, metric="sqeuclidean")
    ValueError: X must be finite, got nan in row 2, column 1
silhouette_score(changed(np.nan, (2, 1)), LABELS, metric="cosine")
    ValueError: X must be finite, got nan in row 2, column 1
silhouette_score(changed(np.inf, (2, 1)), LABELS, metric="cosine")
    ValueError: X must be finite, got inf in row 2, column 1
silhouette_score(changed(np.nan, (2, 1)), LABELS, metric="cityblock")
    ValueError: X must be finite, got nan in row 2, column 1
dunn_index(changed(np.nan, (2, 1)), LABELS, metric="sqeuclidean")
    ValueError: X must be finite, got nan in row 2, column 1
dunn_index(changed(np.nan, (2, 1)), LABELS, metric="cosine")
    ValueError: X must be finite, got nan in row 2, column 1
dunn_index(changed(np.nan, (2, 1)), LABELS, metric="cityblock")
    ValueError: X must be finite, got nan in row 2, column 1
silhouette_score(torch.asarray(changed(np.nan, (2, 1))), LABELS)
    ValueError: X must be finite, got nan in row 2, column 1
silhouette_score(strict.asarray(changed(np.nan, (2, 1))), LABELS)
    ValueError: X must be finite, got nan in row 2, column 1
silhouette_score(strict.asarray(changed(np.nan, (2, 1))), LABELS, metric="cosine")
    ValueError: X must be finite, got nan in row 2, column 1
dunn_index(strict.asarray(changed(np.nan, (2, 1))), LABELS, metric="cosine")
    ValueError: X must be finite, got nan in row 2, column 1
dunn_index(strict.asarray(changed(np.nan, (2, 1))), LABELS, metric="sqeuclidean")
    ValueError: X must be finite, got nan in row 2, column 1
calinski_harabasz_score(strict.asarray(changed(np.nan, (2, 1))), LABELS)
    ValueError: X must be finite, got nan in row 2, column 1
silhouette_score(pd.DataFrame({"a": [1.0, None, 2.0, 3.0]}), LABELS)
    ValueError: X must be finite, got nan in row 1, column 0
silhouette_score(sparse.csr_array(changed(np.nan, (2, 1))), LABELS)
    ValueError: X must be finite, got nan in row 2, column 1
calinski_harabasz_score(sparse.csr_array(changed(np.inf, (2, 1))), LABELS)
    ValueError: X must be finite, got inf in row 2, column 1
silhouette_label(changed(np.nan, (2, 1)), LABELS)
    ValueError: X must be finite, got nan in row 2, column 1
silhouette_batch(changed(np.nan, (2, 1)), [0, 0, 0, 0], [0, 0, 1, 1])
    ValueError: X must be finite, got nan in row 2, column 1

silhouette_score(torch.nested.nested_tensor([TORCH[0], TORCH[1]], layout=torch.jagged), LABELS)
    TypeError: X must be dense, or a sparse matrix of SciPy or CuPy, got a nested tensor

# Two libraries, devices or indexes

silhouette_score(X, TORCH[:, 0].to(torch.int64).to("meta"))
    TypeError: labels must be of the array library of X, or on the host, got numpy and torch; convert one of them:
    torch.tensor(X, device=labels.device)
dunn_index(TORCH, strict.asarray(LABELS))
    TypeError: labels must be of the array library of X, or on the host, got torch and array_api_strict; convert one
    of them: torch.from_dlpack(labels)
calinski_harabasz_score(STRICT, strict.asarray(LABELS, device=strict.Device("device1")))
    ValueError: labels must be on the device of X, or on the host, got array_api_strict.Device('CPU_DEVICE') and
    array_api_strict.Device('device1'); move one of them: labels.to_device(X.device)
davies_bouldin_score(STRICT_1, strict.asarray(LABELS))
    ValueError: labels must be on the device of X, or on the host, got array_api_strict.Device('device1') and
    array_api_strict.Device('CPU_DEVICE'); move one of them: labels.to_device(X.device)
silhouette_score(STRICT, torch.asarray(LABELS).to("meta"))
    TypeError: labels must be of the array library of X, or on the host, got array_api_strict and torch; convert one
    of them: array_api_strict.from_dlpack(labels)
silhouette_score(X, LABELS, sample_weight=torch.ones(4))
    TypeError: labels and sample_weight must be of one array library, got list and torch.Tensor; convert one of
    them: torch.tensor(labels, device=sample_weight.device)

silhouette_batch(NAMED_X, LABELS, NAMED[::-1])
    ValueError: X and batch must have the same index, got 'a' and 'd' at position 0; align the Series, or pass their
    .to_numpy()
silhouette_batch(X, NAMED, NAMED[::-1])
    ValueError: labels and batch must have the same index, got 'a' and 'd' at position 0; align the Series, or pass
    their .to_numpy()
silhouette_batch(TORCH, NAMED, NAMED[::-1])
    ValueError: labels and batch must have the same index, got 'a' and 'd' at position 0; align the Series, or pass
    their .to_numpy()
silhouette_batch(NAMED_X, NAMED[::-1], LABELS)
    ValueError: X and labels must have the same index, got 'a' and 'd' at position 0; align the Series, or pass their
    .to_numpy()
silhouette_score(NAMED_X, LABELS, sample_weight=NAMED[::-1])
    ValueError: X and sample_weight must have the same index, got 'a' and 'd' at position 0; align the Series, or pass
    their .to_numpy()
calinski_harabasz_score(X, NAMED, sample_weight=NAMED[::-1])
    ValueError: labels and sample_weight must have the same index, got 'a' and 'd' at position 0; align the Series, or
    pass their .to_numpy()
davies_bouldin_score(NAMED_X, LABELS, sample_weight=NAMED[::-1])
    ValueError: X and sample_weight must have the same index, got 'a' and 'd' at position 0; align the Series, or pass
    their .to_numpy()
dunn_index(NAMED_X, NAMED[::-1])
    ValueError: X and labels must have the same index, got 'a' and 'd' at position 0; align the Series, or pass their
    .to_numpy()
silhouette_label(NAMED_X, NAMED[::-1])
    ValueError: X and labels must have the same index, got 'a' and 'd' at position 0; align the Series, or pass their
    .to_numpy()
silhouette_samples(NAMED_X, NAMED[:3])
    ValueError: labels must have as many samples as X (4), got 3
updated(NAMED_X, LABELS, NAMED[::-1])
    ValueError: X and sample_weight must have the same index, got 'a' and 'd' at position 0; align the Series, or pass
    their .to_numpy()
silhouette_score(VIEW.obsm["pca"], NAMED[::-1])
    ValueError: X and labels must have the same index, got 'a' and 'd' at position 0; align the Series, or pass their
    .to_numpy()
calinski_harabasz_score(dd.from_pandas(NAMED_X, 1), dd.from_pandas(NAMED[::-1], 1, sort=False))
    ValueError: X and labels must have the same index, got 'a' and 'd' at position 0; align the Series, or pass their
    .to_numpy() (in a block of Dask, whose rows are counted from 0)

# Held by Dask

silhouette_score(da.from_array(X), da.from_array(np.asarray(LABELS)))
    TypeError: X must be in memory here, got dask.Array: of the internal measures, only those that need nothing but
    cluster centres, such as davies_bouldin_score and inertia, take Dask arrays; compute the array, or a sample of it
dunn_index(da.from_array(X), LABELS)
    TypeError: X must be in memory here, got dask.Array: of the internal measures, only those that need nothing but
    cluster centres, such as davies_bouldin_score and inertia, take Dask arrays; compute the array, or a sample of it
silhouette_samples(da.from_array(D), LABELS, metric="precomputed")
    TypeError: X must be in memory here, got dask.Array: of the internal measures, only those that need nothing but
    cluster centres, such as davies_bouldin_score and inertia, take Dask arrays; compute the array, or a sample of it
dbcv_score(da.from_array(X), da.from_array(np.asarray(LABELS)))
    TypeError: X must be in memory here, got dask.Array: of the internal measures, only those that need nothing but
    cluster centres, such as davies_bouldin_score and inertia, take Dask arrays; compute the array, or a sample of it
xie_beni_index(da.from_array(X), da.from_array(np.asarray(LABELS)), separation="samples")
    TypeError: X must be in memory with separation='samples', got samples held by Dask; compute them, or take
    separation='centres'
inertia(da.from_array(X), LABELS)
    TypeError: X and labels must be of one array library, got dask.Array and builtins.list; hold both in Dask
    (dask.array.from_array), or neither (.compute())
calinski_harabasz_score(da.from_array(X), LABELS)
    TypeError: X and labels must be of one array library, got dask.Array and builtins.list; hold both in Dask
    (dask.array.from_array), or neither (.compute())
calinski_harabasz_score(X, da.from_array(np.asarray(LABELS)))
    TypeError: X and labels must be of one array library, got numpy.ndarray and dask.Array; hold both in Dask
    (dask.array.from_array), or neither (.compute())
calinski_harabasz_score(da.from_array(X[:, 0]), da.from_array(np.asarray(LABELS)))
    ValueError: X must be two-dimensional, (n_samples, n_features), got shape (4,)
davies_bouldin_score(da.from_array(X), da.from_array(np.asarray(LABELS[:3])))
    ValueError: labels must have as many samples as X (4), got 3

# Weights

silhouette_score(X, LABELS, sample_weight=[1, 2, 3])
    ValueError: sample_weight must have as many samples as labels (4), got 3
silhouette_score(X, LABELS, sample_weight=[1, 2, 3, -1])
    ValueError: sample_weight must be finite and not negative, got -1
calinski_harabasz_score(X, LABELS, sample_weight=[1.0, 2.0, np.nan, 1.0])
    ValueError: sample_weight must be finite and not negative, got nan
davies_bouldin_score(X, LABELS, sample_weight=[1.0, np.inf, 1.0, 1.0])
    ValueError: sample_weight must be finite and not negative, got inf
silhouette_score(X, LABELS, sample_weight=np.ones((4, 1)))
    ValueError: sample_weight must be one-dimensional, got shape (4, 1); give its only column, sample_weight[:, 0]
silhouette_score(X, LABELS, sample_weight=["a", "b", "c", "d"])
    TypeError: sample_weight must hold real numbers and none missing, got dtype <U1

# Options

silhouette_score(X, LABELS, metric="chebyshev")
    ValueError: metric must be one of 'euclidean', 'l2', 'sqeuclidean', 'cosine', 'correlation', 'cityblock',
    'manhattan', 'l1', 'precomputed', got 'chebyshev'
dunn_index(X, LABELS, metric=None)
    ValueError: metric must be one of 'euclidean', 'l2', 'sqeuclidean', 'cosine', 'correlation', 'cityblock',
    'manhattan', 'l1', 'precomputed', got None
silhouette_samples(X, LABELS, metric=["l1"])
    ValueError: metric must be one of 'euclidean', 'l2', 'sqeuclidean', 'cosine', 'correlation', 'cityblock',
    'manhattan', 'l1', 'precomputed', got ['l1']
silhouette_batch(X, LABELS, LABELS, metric="precomputed")
    ValueError: metric must be one of 'euclidean', 'l2', 'sqeuclidean', 'cosine', 'correlation', 'cityblock',
    'manhattan', 'l1', got 'precomputed'
silhouette_score(X, LABELS, absent=1)
    ValueError: absent must be None unless X is sparse and metric='precomputed', got 1.0
dunn_index(sparse.csr_array(X), LABELS, metric="cosine", absent=0)
    ValueError: absent must be None unless X is sparse and metric='precomputed', got 0.0
silhouette_batch(X, LABELS, LABELS, between_cluster_distances="mean")
    ValueError: between_cluster_distances must be one of 'nearest', 'mean_other', 'furthest', got 'mean'
silhouette_score(X, LABELS, on_degenerate="zero")
    ValueError: on_degenerate must be one of 'raise', 'nan', got 'zero'
silhouette_batch(X, LABELS, LABELS, on_degenerate="zero")
    ValueError: on_degenerate must be one of 'raise', 'nan', got 'zero'
silhouette_score(X, LABELS, n_clusters=0)
    ValueError: n_clusters must be a positive integer, got 0
dunn_index(X, LABELS, n_clusters=2.0)
    TypeError: n_clusters must be a positive integer, got 2.0
calinski_harabasz_score(X, LABELS, n_clusters=1)
    ValueError: labels must lie in [0, n_clusters) = [0, 1), got 1
davies_bouldin_score(X, ["a", "a", "b", "b"], n_clusters=2)
    TypeError: labels must hold integers in [0, n_clusters) when n_clusters= is given, got the label 'a'
silhouette_score(X, [0, 0, 0.5, 1])
    ValueError: labels must hold whole numbers, got 0.5; continuous values are no labels
silhouette_score(X, [0, 0, np.nan, 1])
    ValueError: labels must not have missing labels (NaN, None), got 1 of 4; ignore_labels=[None] drops those samples
silhouette_batch(X, LABELS, [0, None, 1, 1])
    ValueError: batch must not have missing labels (NaN, None), got 1 of 4; ignore_labels=[None] drops those samples
silhouette_score(X, LABELS, ignore_labels="1")
    TypeError: ignore_labels must be of a type that labels could hold, got '1' of type str; their labels are numbers
updated(X, ["a", "a", "b", "b"], ignore_labels=-1)
    TypeError: ignore_labels must be of a type that labels could hold, got -1 of type int; their labels are text
silhouette_batch(X, LABELS, LABELS, ignore_labels="1")
    TypeError: ignore_labels must be of a type that labels or batch could hold, got '1' of type str; their labels are
    numbers
silhouette_score(X, LABELS, ignore_labels=[[1]])
    TypeError: ignore_labels must be one label or a sequence of labels, got [1] as one of them
silhouette_score(X, LABELS, sample_size=2.5)
    TypeError: sample_size must be an integer, got 2.5
silhouette_score(X, LABELS, sample_size=True)
    TypeError: sample_size must be an integer, got True
silhouette_score(X, LABELS, sample_size=1)
    ValueError: sample_size must be from 2 to the number of samples (4), got 1
silhouette_score(X, LABELS, sample_size=5)
    ValueError: sample_size must be from 2 to the number of samples (4), got 5
silhouette_score(X, LABELS, sample_size=3, stratified=True)
    ValueError: sample_size must be at least 4 (two of each cluster) with stratified=True, got 3
silhouette_score(X, LABELS, sample_size=2, random_state=-1)
    ValueError: random_state must be a seed or a generator of NumPy, and seeds must not be negative, got -1
silhouette_score(X, LABELS, sample_size=2, random_state=[1, -1])
    ValueError: random_state must be a seed or a generator of NumPy, and seeds must not be negative, got [1, -1]
silhouette_score(X, LABELS, sample_size=2, random_state=True)
    TypeError: random_state must be a seed or a generator of NumPy, got True
silhouette_score(X, LABELS, sample_size=2, random_state=1.5)
    TypeError: random_state must be a seed or a generator of NumPy, got 1.5
silhouette_label(X, LABELS, sample_size=True)
    TypeError: sample_size must be an integer, got True
silhouette_label(X, LABELS, sample_size=2.0)
    TypeError: sample_size must be an integer, got 2.0
silhouette_label(X, LABELS, sample_size=1)
    ValueError: sample_size must be from 2 to the number of samples (4), got 1
silhouette_label(X, LABELS, sample_size=5)
    ValueError: sample_size must be from 2 to the number of samples (4), got 5
silhouette_label(X, LABELS, sample_size=3, stratified=True)
    ValueError: sample_size must be at least 4 (two of each cluster) with stratified=True, got 3
silhouette_label(X, LABELS, stratified=True)
    ValueError: sample_size must be given with stratified=True, got None
silhouette_label(X, LABELS, sample_size=2, random_state=-1)
    ValueError: random_state must be a seed or a generator of NumPy, and seeds must not be negative, got -1
silhouette_batch(X, [0, 0, 0, 0], LABELS, sample_size=False)
    TypeError: sample_size must be an integer, got False
silhouette_batch(X, [0, 0, 0, 0], LABELS, sample_size="2")
    TypeError: sample_size must be an integer, got '2'
silhouette_batch(X, [0, 0, 0, 0], LABELS, sample_size=1)
    ValueError: sample_size must be from 2 (two cells of each label that has a score) to 4 (all cells of these labels),
    got 1
silhouette_batch(X, [0, 0, 0, 1], [0, 0, 1, 1], sample_size=4)
    ValueError: sample_size must be from 2 (two cells of each label that has a score) to 3 (all cells of these labels),
    got 4
silhouette_batch(X, [0, 0, 0, 0], LABELS, sample_size=2, random_state=-1)
    ValueError: random_state must be a seed or a generator of NumPy, and seeds must not be negative, got -1
silhouette_batch(X, [0, 0, 0, 0], LABELS, random_state="a")
    TypeError: random_state must be a seed or a generator of NumPy, got 'a'
silhouette_batch(X, [0, 0, 7, 7], LABELS)
    ValueError: batch must have at least 2 values, and fewer values than cells, among the cells of one label or more,
    got no
    such label among 2; on_degenerate='nan' gives NaN instead

# Distances that are given

silhouette_label(D, LABELS, metric="precomputed", absent=2)
    ValueError: absent must be None unless X is sparse and metric='precomputed', got 2.0
silhouette_samples(of(D), LABELS, metric="precomputed", absent=2)
    ValueError: absent must be None unless X is sparse and metric='precomputed', got 2.0
silhouette_score(sparse.csr_array(D), LABELS, metric="precomputed", absent=np.inf)
    ValueError: absent must be finite and not negative, got inf
silhouette_score(sparse.csr_array(D), LABELS, metric="precomputed", absent=-1)
    ValueError: absent must be finite and not negative, got -1
dunn_index(sparse.csr_array(D), LABELS, metric="precomputed", absent=np.nan)
    ValueError: absent must be finite and not negative, got nan
dunn_index(sparse.csr_array(D), LABELS, metric="precomputed", absent="far")
    TypeError: absent must be a number, got 'far'
silhouette_score(sparse.csr_array(np.where(D < 5, D, 0)), LABELS, metric="precomputed")
    ValueError: X must hold the distance of any two samples with metric='precomputed', got a sparse matrix without an
    entry for samples 0 and 2, as a graph of neighbours is; give all distances (those of 0 as entries, too), or by
    absent= the distance of samples without an entry
silhouette_score(pd.DataFrame(D, index=list("abcd")), LABELS, metric="precomputed")
    ValueError: X must have the same index as columns with metric='precomputed', got 'a' and 0 at position 0; align
    them (X.loc[:, X.index]), or pass X.to_numpy()
dunn_index(NAMED_D.loc[list("badc")], LABELS, metric="precomputed")
    ValueError: X must have the same index as columns with metric='precomputed', got 'b' and 'a' at position 0; align
    them (X.loc[:, X.index]), or pass X.to_numpy()
silhouette_samples(NAMED_D, NAMED[::-1], metric="precomputed")
    ValueError: X and labels must have the same index, got 'a' and 'd' at position 0; align the Series, or pass their
    .to_numpy()
silhouette_score(NAMED_D, LABELS, sample_weight=NAMED[::-1], metric="precomputed")
    ValueError: X and sample_weight must have the same index, got 'a' and 'd' at position 0; align the Series, or pass
    their .to_numpy()
silhouette_score(X, LABELS, metric="precomputed")
    ValueError: X must be square, (n_samples, n_samples), with metric='precomputed', got shape (4, 2)
dunn_index(sparse.csr_array(X), LABELS, metric="precomputed")
    ValueError: X must be square, (n_samples, n_samples), with metric='precomputed', got shape (4, 2)
dunn_index(D, LABELS[:3], metric="precomputed")
    ValueError: labels must have as many samples as X (4), got 3
silhouette_score(changed(0.5, (2, 2), D), LABELS, metric="precomputed")
    ValueError: X must hold the distance 0 of each sample to itself: the precomputed distance matrix contains non-zero
    elements on the diagonal, got 0.5
dunn_index(changed(-3.0, (2, 1), D), LABELS, metric="precomputed")
    ValueError: X must hold distances, which are not negative, got -3.0 in row 0 or after
silhouette_score(changed(np.nan, (2, 1), D), LABELS, metric="precomputed")
    ValueError: X must hold finite distances, got nan in row 0 or after
silhouette_score(changed(np.inf, (2, 1), D), LABELS, metric="precomputed")
    ValueError: X must hold finite distances, got inf in row 0 or after
silhouette_score(of(changed(np.nan, (2, 1), D)), LABELS, metric="precomputed")
    ValueError: X must hold finite distances, got nan in row 0 or after
silhouette_score(strict.asarray(changed(-1.0, (2, 1), D)), LABELS, metric="precomputed")
    ValueError: X must hold distances, which are not negative, got -1.0 in row 0 or after
silhouette_score(sparse.csr_array(changed(-1.0, (2, 1), D)), LABELS, metric="precomputed")
    ValueError: X must hold distances, which are not negative, got -1.0 in row 0 or after
dunn_index(D.astype(int) + np.eye(4, dtype=int), LABELS, metric="precomputed")
    ValueError: X must hold the distance 0 of each sample to itself: the precomputed distance matrix contains non-zero
    elements on the diagonal, got 1.0
silhouette_score(of(D[:, :3]), LABELS, metric="precomputed")
    ValueError: X must return blocks of shape (stop - start, n_samples) = (4, 4) if it is a function of start and stop,
    got (4, 3)
dunn_index(lambda start, stop: D, LABELS + [1], metric="precomputed")
    ValueError: X must return blocks of shape (stop - start, n_samples) = (5, 5) if it is a function of start and stop,
    got (4, 4)
dunn_index(lambda start, stop: D[0], LABELS, metric="precomputed")
    ValueError: X must return blocks of shape (stop - start, n_samples) = (4, 4) if it is a function of start and stop,
    got (4,)
dunn_index(lambda start, stop: None, LABELS, metric="precomputed")
    TypeError: X must be an array of samples and features, got NoneType
silhouette_score(D.astype(str), LABELS, metric="precomputed")
    TypeError: X must hold real numbers, got dtype <U32; convert them

# Moments

davies_bouldin_score(moments(), None)
    TypeError: X must be samples, got moments: they do not hold the mean distances to the centres
calinski_harabasz_score(moments(), LABELS)
    TypeError: labels cannot be given to calinski_harabasz_score with moments; give it where the samples are
    accumulated
calinski_harabasz_score(moments(), sample_weight=[1, 1, 1, 1])
    TypeError: sample_weight cannot be given to calinski_harabasz_score with moments; give it where the samples are
    accumulated
calinski_harabasz_score(moments(), ignore_labels=0)
    TypeError: ignore_labels cannot be given to calinski_harabasz_score with moments; give it where the samples are
    accumulated
calinski_harabasz_score(moments(), n_clusters=2)
    TypeError: n_clusters cannot be given to calinski_harabasz_score with moments; give it where the samples are
    accumulated
inertia(moments(), LABELS)
    TypeError: labels cannot be given to inertia with moments; give it where the samples are accumulated
ball_hall_index(moments(), sample_weight=[1, 1, 1, 1])
    TypeError: sample_weight cannot be given to ball_hall_index with moments; give it where the samples are
    accumulated
hartigan_index(moments(), ignore_labels=0)
    TypeError: ignore_labels cannot be given to hartigan_index with moments; give it where the samples are
    accumulated
xie_beni_index(moments(), n_clusters=2)
    TypeError: n_clusters cannot be given to xie_beni_index with moments; give it where the samples are accumulated
xie_beni_index(moments(), separation="samples")
    TypeError: X must be samples with separation='samples', got moments: they do not hold distances between samples
pbm_index(moments(), LABELS)
    TypeError: X must be samples, got moments: they do not hold the distances to the centres
inertia(X)
    TypeError: labels must be given with samples; without labels, X must be the moments of an InternalAccumulator, got
    ndarray

# Centres and densities

inertia(X[:, 0], LABELS)
    ValueError: X must be two-dimensional, (n_samples, n_features), got shape (4,); X[:, None] makes it one feature
inertia(X, LABELS[:3])
    ValueError: labels must have as many samples as X (4), got 3
inertia(changed(np.nan), LABELS)
    ValueError: X must be finite, got nan in row 1, column 1
ball_hall_index(X, LABELS, sample_weight=[1.0, -2.0, 1.0, 1.0])
    ValueError: sample_weight must be finite and not negative, got -2.0
ball_hall_index(X, LABELS, n_clusters=1)
    ValueError: labels must lie in [0, n_clusters) = [0, 1), got 1
hartigan_index(X, [0, 0, 0, 0])
    ValueError: labels must have more than one cluster, and one with two samples: Number of labels is 1. Valid values
    are 2 to n_samples - 1 (inclusive), with n_samples = 4; on_degenerate='nan' gives NaN instead
xie_beni_index(X, LABELS, separation="means")
    ValueError: separation must be one of 'centres', 'samples', got 'means'
pbm_index(X, [0, 1, 2, 3])
    ValueError: labels must have more than one cluster, and one with two samples: Number of labels is 4. Valid values
    are 2 to n_samples - 1 (inclusive), with n_samples = 4; on_degenerate='nan' gives NaN instead
pbm_index(X, LABELS, on_degenerate="zero")
    ValueError: on_degenerate must be one of 'raise', 'nan', got 'zero'
dbcv_score(X, LABELS, metric="chebyshev")
    ValueError: metric must be one of 'euclidean', 'l2', 'sqeuclidean', 'cosine', 'correlation', 'cityblock',
    'manhattan', 'l1', 'precomputed', got 'chebyshev'
dbcv_score(D, LABELS, metric="precomputed")
    ValueError: n_features must be given with metric='precomputed', because distances do not show it, got
    None
dbcv_score(D, LABELS, metric="precomputed", n_features=0)
    ValueError: n_features must be a positive integer, got 0
dbcv_score(D, LABELS, metric="precomputed", n_features=1.5)
    TypeError: n_features must be a positive integer, got 1.5
dbcv_score(X, LABELS, n_features=2)
    ValueError: n_features must be None unless metric='precomputed', got 2
dbcv_score(X, LABELS, absent=2.0)
    ValueError: absent must be None unless X is sparse and metric='precomputed', got 2.0
dbcv_score(D[:, :3], LABELS, metric="precomputed", n_features=2)
    ValueError: X must be square, (n_samples, n_samples), with metric='precomputed', got shape (4, 3)
dbcv_score(changed(-1.0, (1, 2), D), LABELS, metric="precomputed", n_features=2)
    ValueError: X must hold distances, which are not negative, got -1.0 in row 0 or after
dbcv_score(strict.asarray(changed(np.nan, (1, 2), D)), LABELS, metric="precomputed", n_features=2)
    ValueError: X must hold finite distances, got nan in row 0 or after
dbcv_score(changed(np.inf), LABELS)
    ValueError: X must be finite, got inf in row 1, column 1
dbcv_score(X, LABELS[:3])
    ValueError: labels must have as many samples as X (4), got 3
dbcv_score(X, LABELS, ignore_labels="noise")
    TypeError: ignore_labels must be of a type that labels could hold, got 'noise' of type str; their labels are numbers
jax.jit(lambda x, y: dbcv_score(x, y, n_clusters=2, return_per_label=True))(JAX, jnp.asarray(LABELS))
    TypeError: return_per_label must be False inside jax.jit or jax.vmap, where the labels are not known yet
jax.jit(lambda x, y: inertia(x, y, n_clusters=2, return_per_label=True))(JAX, jnp.asarray(LABELS))
    TypeError: return_per_label must be False inside jax.jit or jax.vmap, where the labels are not known yet
jax.jit(lambda x, y: dbcv_score(x, y))(JAX, jnp.asarray(LABELS))
    TypeError: n_clusters must be given inside jax.jit or jax.vmap, where the labels are not known yet
InternalAccumulator().moments
    ValueError: an accumulator must have samples before its moments are read, got no update
InternalAccumulator(n_clusters=0)
    ValueError: n_clusters must be a positive integer, got 0
updated(X, LABELS).update(X[:, :1], LABELS)
    ValueError: X must have as many features in each batch (2), got 1
updated(X, LABELS).update(TORCH, LABELS)
    TypeError: X must be of the array library of the accumulator (numpy), got torch
updated(STRICT, LABELS).update(STRICT_1, LABELS)
    ValueError: X must be on the device of the accumulator (array_api_strict.Device('CPU_DEVICE')), got
    array_api_strict.Device('device1')
updated(X, LABELS, n_clusters=2).update(X, [0, 1, 2, 0])
    ValueError: labels must lie in [0, n_clusters) = [0, 2), got 2
updated(X, LABELS).merge(3)
    TypeError: other must be an InternalAccumulator, got int
updated(X, LABELS, n_clusters=2).merge(InternalAccumulator())
    ValueError: accumulators must have the same n_clusters and ignore_labels to be merged, got 2, () and None, ()
updated(X, LABELS).load_state_dict(updated(X, LABELS, n_clusters=2).state_dict())
    ValueError: state must be of an accumulator with the same n_clusters=None, got 2
updated(X, LABELS, ignore_labels=1).load_state_dict({"n_clusters": None})
    ValueError: state must be of an accumulator with the same ignore_labels=[1], got None
InternalAccumulator().load_state_dict(None)
    TypeError: state must be a mapping, as state_dict() gives it, got NoneType
InternalAccumulator().load_state_dict({"n_clusters": None, "ignore_labels": [], "masses": 0})
    ValueError: state must have places, got n_clusters, ignore_labels, masses

# Indices that lead out of a sparse matrix

silhouette_score(misplaced("csr", "indices", 2), LABELS)
    ValueError: the column indices of X must be from 0 to below the number of columns (2), got 2
calinski_harabasz_score(misplaced("csr", "indices", -1), LABELS)
    ValueError: the column indices of X must be from 0 to below the number of columns (2), got -1
updated(misplaced("csc", "indices", 2**30), LABELS)
    ValueError: the row indices of X must be from 0 to below the number of rows (4), got 1073741824
dunn_index(misplaced("coo", "row", -7), LABELS)
    ValueError: the row indices of X must be from 0 to below the number of rows (4), got -7
inertia(misplaced("lil", "rows", [2, 5]), LABELS)
    ValueError: the column indices of X must be from 0 to below the number of columns (2), got 5
xie_beni_index(misplaced("csr", "indptr", 9), LABELS)
    ValueError: indptr of X must rise from 0 to the number of entries (7), got 0 to 7 with falls between
silhouette_score(misplaced("csr", "indices", 2**30, D), LABELS, metric="precomputed")
    ValueError: the column indices of X must be from 0 to below the number of columns (4), got 1073741824
Contingency.from_counts(misplaced("csc", "indptr", 2**30))
    ValueError: indptr of counts must rise from 0 to the number of entries (7), got 0 to 7 with falls between
Neighbors.from_connectivities(misplaced("csc", "indices", -9, D))
    ValueError: the row indices of graph must be from 0 to below the number of rows (4), got -9

# Inside jax.jit

jax.jit(lambda x: silhouette_score(x, jnp.asarray(LABELS)))(JAX)
    TypeError: n_clusters must be given inside jax.jit or jax.vmap, where the labels are not known yet
jax.jit(lambda x, y: silhouette_score(x, y))(JAX, jnp.asarray(LABELS))
    TypeError: n_clusters must be given inside jax.jit or jax.vmap, where the labels are not known yet
jax.jit(lambda x: updated(x, LABELS))(JAX)
    TypeError: an accumulator cannot be updated inside jax.jit or jax.vmap: return the samples and the labels from there
"""
"""Each call, and below it the type of its error and all of its message."""


@pytest.mark.parametrize(("call", "error"), wrong_calls(WRONG))
def test_a_wrong_call_raises_one_clear_error(call, error):
    assert_raises(call, error, globals() | {"jax": jax, "pl": pl, "sparse": sparse, "pd": pd, "da": da, "dd": dd})


def test_all_are_read():
    lines = [line for line in WRONG.splitlines() if line and not line.startswith(("#", " "))]
    assert lines == [call for call, _ in wrong_calls(WRONG)]
    assert len({error for _, error in wrong_calls(WRONG)}) > 70


@pytest.mark.parametrize(
    "fault", ["metric='x'", "labels=LABELS[:3]", "sample_weight=torch.ones(3, device='meta')", "on_degenerate='x'"]
)
def test_what_can_be_told_without_values_is(fault):
    """META has no values: a look at one would be another error."""
    options = eval(f"dict({fault})")
    options = {"labels": torch.zeros(4, dtype=torch.int64, device="meta"), "n_clusters": 2} | options
    with pytest.raises((TypeError, ValueError)) as raised:
        gpuval.silhouette_score(META, **options)
    assert str(raised.value).startswith(fault.partition("=")[0])


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("call", [gpuval.silhouette_score, lambda X, y: gpuval.InternalAccumulator().update(X, y)])
def test_rows_of_different_lengths_in_a_tensor(call):
    ragged = torch.nested.nested_tensor([torch.ones(2), torch.ones(3)])
    with pytest.raises(TypeError, match=r"^X must be dense, or a sparse matrix of SciPy or CuPy, got a nested tensor$"):
        call(ragged, [0, 1])
