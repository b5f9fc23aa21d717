"""Wrong calls of the measures of integration: each raises one error, of this type and with all of this message."""

import array_api_strict as strict
import dask.array as da
import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
import pytest
import torch
from wrong_calls import assert_raises, wrong_calls

import gpuval

LABELS, BATCH = [0, 0, 1, 1], [0, 1, 0, 0]
X = np.asarray([[0.0, 1.0], [2.0, 3.0], [4.0, 6.0], [5.0, 9.0]])
TORCH = torch.asarray(X)
JAX = jnp.asarray(X)
NAMED_X = pd.DataFrame(X, index=list("abcd"))
NAMED = pd.Series(LABELS, index=list("abcd"))
NAN = np.where(X == 3, np.nan, X)
ADATA = type("AnnData", (), {"obsm": {"X_pca": X}, "shape": (4, 2), "__len__": lambda self: 4})()

WRONG = """
# Principal component regression

pcr_score(X, [0.1, 0.2, 0.3, 0.4])
    ValueError: covariate must hold whole numbers, got 0.1; continuous values are no labels; give kind='continuous' if
    the values are quantities
pcr_score(X, [0.0, np.nan, 1.0, 1.0])
    ValueError: covariate must not have missing labels (NaN, None), got 1 of 4; ignore_labels=[None] drops those samples
pcr_score(X, LABELS[:3])
    ValueError: covariate must have as many samples as X (4), got 3
pcr_score(LABELS, X)
    ValueError: X must come before covariate, got X of one dimension and covariate of two; exchange them
pcr_score(X, None)
    TypeError: covariate must be a vector of labels, got None
pcr_score(X, X)
    ValueError: covariate must be one-dimensional, got shape (4, 2); of one-hot rows or of logits, give the
    argmax(axis=1)
pcr_score(NAN, LABELS)
    ValueError: X must be finite, got nan in row 1, column 1
pcr_score(X, LABELS, kind="batch")
    ValueError: kind must be one of 'categorical', 'continuous', got 'batch'
pcr_score(X, LABELS, n_components=0)
    ValueError: n_components must be a positive integer, got 0
pcr_score(X, LABELS, n_components=1.5)
    TypeError: n_components must be a positive integer, got 1.5
pcr_score(X, LABELS, n_components=3)
    ValueError: n_components must be at most the number of features of X (2), got 3
pcr_score(X, LABELS, n_categories=0)
    ValueError: n_categories must be a positive integer, got 0
pcr_score(X, [0, 1, 2, 2], n_categories=2)
    ValueError: covariate must lie in [0, n_categories) = [0, 2), got 2
pcr_score(X, LABELS, sample_weight=[1, 1, 1, -1])
    ValueError: sample_weight must be finite and not negative, got -1
pcr_score(X, LABELS, ignore_labels=[0, 1])
    ValueError: X must have at least one cell that counts, got none
pcr_score(X[:0], [])
    ValueError: X must have at least one cell that counts, got none
pcr_score(X, LABELS, ignore_labels="B")
    TypeError: ignore_labels must be of a type that covariate could hold, got 'B' of type str; their labels are numbers
pcr_score(X, ["a", "b", "a", "b"], kind="continuous")
    TypeError: covariate must hold real numbers with kind='continuous', got dtype <U1
pcr_score(X, [0.1, np.inf, 0.3, 0.4], kind="continuous")
    ValueError: covariate must be finite with kind='continuous', got inf at place 1
pcr_score(X, [[0.1, 0.2, 0.3, 0.4]], kind="continuous")
    ValueError: covariate must be one-dimensional, got shape (1, 4); give its only row, covariate[0]
pcr_score(X, [0.1, 0.2, 0.3], kind="continuous")
    ValueError: covariate must have as many samples as X (4), got 3
pcr_score(X, [0.1, 0.2, 0.3, 0.4], kind="continuous", ignore_labels=0.1)
    ValueError: ignore_labels must be None with kind='continuous', got 0.1; it is for categories
pcr_score(X, [0.1, 0.2, 0.3, 0.4], kind="continuous", n_categories=2)
    ValueError: n_categories must be None with kind='continuous', got 2; it is for categories
pcr_score(X, [0.1, 0.2, 0.3, 0.4], kind="continuous", sample_weight=[0, 0, 0, 0])
    ValueError: X must have at least one cell that counts, got none
pcr_score(da.from_array(X), da.from_array(np.asarray(LABELS)), n_components=1)
    TypeError: X must be in memory with n_components=1, got dask.Array; compute it
pcr_score(X, da.from_array(np.asarray(LABELS)), kind="continuous")
    TypeError: covariate must be in memory with kind='continuous', got dask.Array; compute it
pcr_score(X, torch.asarray(LABELS, device="meta"), n_categories=2)
    TypeError: covariate must be of the array library of X, or on the host, got numpy and torch; convert one of them:
    torch.tensor(X, device=covariate.device)
pcr_score(NAMED_X, NAMED[::-1])
    ValueError: X and covariate must have the same index, got 'a' and 'd' at position 0; align the Series, or pass their
    .to_numpy()
jax.jit(lambda x, z: pcr_score(x, z))(JAX, jnp.asarray(LABELS))
    TypeError: n_categories must be given inside jax.jit or jax.vmap, where the labels are not known yet

pcr_comparison_score(X, X[:3], LABELS)
    ValueError: covariate must have as many samples as X_after (3), got 4
pcr_comparison_score(NAN, X, LABELS)
    ValueError: X_before must be finite, got nan in row 1, column 1
pcr_comparison_score(X, NAN, LABELS)
    ValueError: X_after must be finite, got nan in row 1, column 1
pcr_comparison_score(X, X[:, 0], LABELS)
    ValueError: X_after must be two-dimensional, (n_samples, n_features), got shape (4,); X_after[:, None] makes it one
    feature
pcr_comparison_score(X, X[:, :1], LABELS, n_components=2)
    ValueError: n_components must be at most the number of features of X_after (1), got 2
pcr_comparison_score(X, TORCH, LABELS)
    TypeError: X_before and X_after must be of one array library, got numpy and torch; convert one of them
pcr_comparison_score(NAMED_X, NAMED_X[::-1], LABELS)
    ValueError: X_before and X_after must have the same index, got 'a' and 'd' at position 0; align the Series, or pass
    their .to_numpy()

# Isolated labels

isolated_labels_score(LABELS, BATCH)
    TypeError: exactly one of X and clusterings must be given, got neither
isolated_labels_score(LABELS, BATCH, X=X, clusterings=[LABELS])
    TypeError: exactly one of X and clusterings must be given, got both
isolated_labels_score(LABELS, BATCH[:3], X=X)
    ValueError: batch must have as many samples as X (4), got 3
isolated_labels_score(LABELS[:3], BATCH, X=X)
    ValueError: labels must have as many samples as X (4), got 3
isolated_labels_score(LABELS, BATCH[:3], clusterings=LABELS)
    ValueError: batch must have as many samples as labels (4), got 3
isolated_labels_score(LABELS, BATCH, clusterings={"0.5": LABELS[:3]})
    ValueError: clusterings['0.5'] must have as many samples as labels (4), got 3
isolated_labels_score(LABELS, BATCH, clusterings=[])
    ValueError: clusterings must have at least one label vector, got none
isolated_labels_score(LABELS, BATCH, clusterings=3)
    TypeError: clusterings must be a mapping or a sequence of label vectors, got int
isolated_labels_score(LABELS, BATCH, clusterings=np.asarray([LABELS, LABELS]).T)
    TypeError: clusterings must be a mapping or a sequence of label vectors, got ndarray of shape (4, 2); give its
    columns, list(clusterings.T)
isolated_labels_score(LABELS, BATCH, clusterings=[None, 0, 1, 1])
    ValueError: clusterings must not have missing labels (NaN, None), got 1 of 4; ignore_labels=[None] drops those
    samples
isolated_labels_score(LABELS, [0, 0, 0, 0], clusterings=LABELS)
    ValueError: batch must have a value that some label has no cells of, got 1 batch with cells of all labels, of
    which none is isolated; most_batches= says which are, on_degenerate='nan' gives NaN
isolated_labels_score(LABELS, BATCH, X=ADATA)
    TypeError: X must be an array of samples and features, got AnnData; give what is to be measured, such as
    adata.obsm["X_pca"]
dbcv_score(ADATA, LABELS)
    TypeError: X must be an array of samples and features, got AnnData; give what is to be measured, such as
    adata.obsm["X_pca"]
isolated_labels_score(LABELS, BATCH, clusterings=[LABELS, [0, 0.5, 1, 1]])
    ValueError: clusterings[1] must hold whole numbers, got 0.5; continuous values are no labels
isolated_labels_score(LABELS, [0, None, 1, 1], clusterings=LABELS)
    ValueError: batch must not have missing labels (NaN, None), got 1 of 4; ignore_labels=[None] drops those samples
isolated_labels_score(LABELS, [0, None, 1, 1], X=X)
    ValueError: batch must not have missing labels (NaN, None), got 1 of 4; ignore_labels=[None] drops those samples
isolated_labels_score(LABELS, BATCH, X=X, others="rest")
    ValueError: others must be one of 'apart', 'together', got 'rest'
isolated_labels_score(LABELS, BATCH, X=X, metric="precomputed")
    ValueError: metric must be one of 'euclidean', 'l2', 'sqeuclidean', 'cosine', 'correlation', 'cityblock',
    'manhattan', 'l1', got 'precomputed'
isolated_labels_score(LABELS, BATCH, X=X, most_batches=0)
    ValueError: most_batches must be a positive integer, got 0
isolated_labels_score(LABELS, BATCH, X=X, most_batches=1.0)
    TypeError: most_batches must be a positive integer, got 1.0
isolated_labels_score(LABELS, BATCH, X=X, n_labels=2)
    ValueError: n_labels and n_batches must be given together, got n_labels=2, n_batches=None
isolated_labels_score(LABELS, BATCH, clusterings=LABELS, n_labels=2, n_batches=2)
    ValueError: n_labels, n_batches and n_clusters must be given together, got n_labels=2, n_batches=2, n_clusters=None
isolated_labels_score(LABELS, BATCH, X=X, n_labels=2, n_batches=2, n_clusters=2)
    ValueError: n_clusters must be None with X, got 2: it is for clusterings
isolated_labels_score(LABELS, BATCH, clusterings=LABELS, metric="cosine")
    ValueError: others, rescale and metric must not be given with clusterings: they are for silhouettes
isolated_labels_score(LABELS, [0, 1, 0, 1], clusterings=LABELS)
    ValueError: batch must have a value that some label has no cells of, got 2 batches with cells of all labels, of
    which none is isolated; most_batches= says which are, on_degenerate='nan' gives NaN
isolated_labels_score(LABELS, [0, 1, 0, 1], X=X, most_batches=1)
    ValueError: most_batches must be at least the number of batches of one label (2), got 1; on_degenerate='nan' gives
    NaN
isolated_labels_score(LABELS, BATCH, X=X, on_degenerate="zero")
    ValueError: on_degenerate must be one of 'raise', 'nan', got 'zero'
isolated_labels_score(LABELS, BATCH, X=NAN)
    ValueError: X must be finite, got nan in row 1, column 1
isolated_labels_score(LABELS, BATCH, X=X, ignore_labels="B")
    TypeError: ignore_labels must be of a type that labels or batch could hold, got 'B' of type str; their labels are
    numbers
isolated_labels_score(torch.asarray(LABELS), BATCH, clusterings=LABELS)
    TypeError: labels and batch must be of one array library, got torch.Tensor and list; convert one of them:
    torch.tensor(batch, device=labels.device)
jax.jit(lambda a, b: isolated_labels_score(a, b, X=X))(jnp.asarray(LABELS), jnp.asarray(BATCH))
    TypeError: n_labels must be given inside jax.jit or jax.vmap, where the labels are not known yet
jax.jit(lambda a: isolated_labels_score(a, a, X=X, n_labels=2, n_batches=2, return_per_label=True))(jnp.asarray(LABELS))
    TypeError: return_per_label must be False inside jax.jit or jax.vmap: which labels are isolated is
    not known there
"""
"""Each call, and below it the type of its error and all of its message."""


@pytest.mark.parametrize(("call", "error"), wrong_calls(WRONG))
def test_a_wrong_call_raises_one_clear_error(call, error):
    assert_raises(call, error, globals() | {"jax": jax, "da": da, "strict": strict, "gpuval": gpuval})


def test_all_are_read():
    lines = [line for line in WRONG.splitlines() if line and not line.startswith(("#", " "))]
    assert lines == [call for call, _ in wrong_calls(WRONG)]
    assert len({error for _, error in wrong_calls(WRONG)}) > 50
