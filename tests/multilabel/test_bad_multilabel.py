"""Wrong calls of the measures of several labels: each raises one error, of this type and with all of this message."""

import array_api_strict as strict
import dask.array as da
import jax.numpy as jnp
import numpy as np
import pandas as pd
import polars as pl
import pytest
import torch
from backends import as_on_a_device
from scipy import sparse
from wrong_calls import assert_raises, wrong_calls

from gpuval import multilabel
from gpuval.multilabel import LabelCounts

Y = np.asarray([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]])
S = np.asarray([[0.75, 0, 0.25], [0, 0.5, 0.25], [0.25, 1, 0.25], [0, 0.25, 0.75]])
P = (S >= 0.5).astype(int)
TRUE, PRED = ["cat", "dog", "cat"], ["cat", "cat", "dog"]
NAN = float("nan")
NAMED = pd.DataFrame(Y, columns=["a", "b", "c"])
TORCH, TORCH_S = torch.asarray(Y), torch.asarray(S)
STRICT = strict.asarray(Y, device=strict.Device("CPU_DEVICE"))
ELSEWHERE = strict.asarray(S, device=strict.Device("device1"))
COUNTS = LabelCounts.from_labels(Y, P)
NAMES = {"da": da, "jnp": jnp, "pl": pl, "sparse": sparse}

WRONG = """
# Shapes

roc_auc_score(Y, S[:3])
    ValueError: y_score must have the shape of y_true, (4, 3), got (3, 3)
roc_auc_score(Y, S[:, 0])
    ValueError: y_score must have the shape of y_true, (4, 3), got (4,)
roc_auc_score(Y[:, 0], S[:3])
    ValueError: y_score must have a row for each sample of y_true (4), got 3
roc_auc_score(Y[:, 0], S[:3, 0])
    ValueError: y_score must have the shape of y_true, (4,), got (3,)
precision_score(Y, P[:3])
    ValueError: y_pred must have the shape of y_true, (4, 3), got (3, 3)
precision_score(Y, P.T)
    ValueError: y_pred must have the shape of y_true, (4, 3), got (3, 4)
precision_score(TRUE, PRED[:2])
    ValueError: y_pred must have as many samples as y_true (3), got 2
precision_score(Y, TRUE)
    ValueError: y_true and y_pred must both be vectors, or both matrices, got a matrix and a vector
precision_score(Y[:, 0], P)
    ValueError: y_true and y_pred must both be vectors, or both matrices, got a vector and a matrix
f_score(np.ones((2, 2, 2)), np.ones((2, 2, 2)))
    ValueError: y_true must be of one dimension, or of two, (n_samples, n_classes), got shape (2, 2, 2)
roc_auc_score(np.ones((2, 2, 2)), np.ones((2, 2, 2)))
    ValueError: y_true must be of one dimension, or of two, (n_samples, n_classes), got shape (2, 2, 2)
roc_auc_score([[1, 0], [1]], [[0.1, 0.2], [0.3]])
    ValueError: y_true must have rows of one length, got rows of different lengths; give sets where rows hold labels
roc_auc_score(Y[:2], [[0.1, 0.2, 0.3], [0.3]])
    ValueError: y_score must have rows of one length, got rows of different lengths
precision_score([[1, 0], [1]], [[1, 0], [1]])
    ValueError: y_true must have rows of one length, got rows of different lengths; give sets where rows hold labels
roc_auc_score(Y[:0], S[:0])
    ValueError: y_true must have at least one sample and one class, got shape (0, 3)
roc_auc_score(Y[:, :0], S[:, :0])
    ValueError: y_true must have at least one sample and one class, got shape (4, 0)
precision_score(Y[:0], P[:0])
    ValueError: y_true must have at least one sample and one class, got shape (0, 3)
precision_score([], [])
    ValueError: y_true must have at least one sample, got none

# Values

roc_auc_score(Y, np.where(S == 0.5, NAN, S))
    ValueError: y_score must not hold NaN, got nan at row 1, column 1
roc_auc_score(TORCH, torch.asarray(np.where(S == 0.5, NAN, S)))
    ValueError: y_score must not hold NaN, got nan at row 1, column 1
average_precision_score([0, 1], [0.5, NAN])
    ValueError: y_score must not hold NaN, got nan at position 1
log_loss(Y, S + 0.5)
    ValueError: y_score must hold probabilities, from 0 to 1, got 1.25 at row 0, column 0; log_loss(from_logits=True)
    takes logits
log_loss(Y, -S)
    ValueError: y_score must hold probabilities, from 0 to 1, got -0.75 at row 0, column 0; log_loss(from_logits=True)
    takes logits
log_loss(Y, np.where(S == 0.5, np.inf, S), from_logits=True)
    ValueError: y_score must be finite, got inf at row 1, column 1
mean_squared_error(Y, np.where(S == 0.5, np.inf, S))
    ValueError: y_score must be finite, got inf at row 1, column 1
mean_absolute_error(Y, np.where(S == 0.5, NAN, S))
    ValueError: y_score must be finite, got nan at row 1, column 1
roc_auc_score(2 * Y, S)
    ValueError: y_true must hold 0 and 1, got 2 at row 0, column 0; give y_true == label where a class has another
    label than 1, and sets where rows hold labels
roc_auc_score([-1, 1], [0.1, 0.2])
    ValueError: y_true must hold 0 and 1, got -1 at position 0; give ignore_labels= or mask= where a label is not
    known
roc_auc_score([0.0, NAN], [0.1, 0.2])
    ValueError: y_true must hold 0 and 1, got nan at position 1; give ignore_labels= or mask= where a label is not
    known
roc_auc_score([0.5, 1.0], [0.1, 0.2])
    ValueError: y_true must hold 0 and 1, got 0.5 at position 0; labels come before what is
    predicted
roc_auc_score([1, 2], [0.1, 0.2])
    ValueError: y_true must hold 0 and 1, got 2 at position 1; give y_true == label where a class has another label
    than 1
roc_auc_score([0, 1, 3, 2], S)
    ValueError: y_true must hold the class of each sample, from 0 to below 3, got 3 at position 2
roc_auc_score([0, -1, 1, 2], S)
    ValueError: y_true must hold the class of each sample, from 0 to below 3, got -1 at position 1; give
    ignore_labels= or mask= where a label is not known
roc_auc_score([0.0, 1.0, 1.5, 2.0], S)
    ValueError: y_true must hold the class of each sample, from 0 to below 3, got 1.5 at position 2
roc_auc_score([0, 1, None, 2], S)
    ValueError: y_true must hold the class of each sample, from 0 to below 3, got nan at position 2; give
    ignore_labels= or mask= where a label is not known
roc_auc_score([False, True, True, True], S)
    TypeError: y_true must hold the class of each sample, as integers from 0, where y_score is a matrix, got dtype bool;
    give a matrix of labels, or integers
roc_auc_score(["a", "b", "c", "a"], S)
    TypeError: y_true must hold numbers, got dtype <U1; text goes with predicted labels, y_pred=; with scores give
    y_true == label
precision_score(Y, S)
    ValueError: y_pred must hold 0 and 1, got 0.75 at row 0, column 0; gpuval.multilabel.predicted_labels(y_score)
    makes labels of scores
precision_score(3 * Y, P)
    ValueError: y_true must hold 0 and 1, got 3 at row 0, column 0; give y_true == label where a class has another
    label than 1, and sets where rows hold labels
precision_score(np.where(Y == 1, 1.0, NAN), P)
    ValueError: y_true must hold 0 and 1, got nan at row 0, column 1; give ignore_labels= or mask= where a label is
    not known
precision_score([0, 1, 1], [0.2, 0.7, 0.9])
    ValueError: y_pred must hold whole numbers, got 0.2; continuous values are no labels
precision_score(TRUE, [0, 1, 0])
    TypeError: LabelCounts needs labels of one kind on both sides, which can be sorted together, got 'cat' and 0
precision_score(TRUE, ["cat", None, "dog"])
    ValueError: y_pred must not have missing labels (NaN, None), got 1 of 3; ignore_labels=[None] drops those
    samples

# Types

roc_auc_score(None, S)
    TypeError: y_true must be a vector, or a matrix with a row for each sample, got None
roc_auc_score(Y, None)
    TypeError: y_score must be a vector, or a matrix with a row for each sample, got None
roc_auc_score(Y, 0.5)
    TypeError: y_score must be a vector, or a matrix with a row for each sample, got float
roc_auc_score("labels", "scores")
    TypeError: y_true must be a vector, or a matrix with a row for each sample, got str
precision_score(Y)
    TypeError: y_pred must be a vector, or a matrix with a row for each sample, got None
precision_score(None, P)
    TypeError: y_true must be a vector, or a matrix with a row for each sample, got None
roc_auc_score(Y, [["a", "b", "c"]] * 4)
    TypeError: y_score must hold numbers, got dtype <U1; give predicted labels as y_pred=, which f_score and others take
roc_auc_score(Y, S * 1j)
    TypeError: y_score must hold numbers, got dtype complex128
roc_auc_score(np.ma.masked_array(Y, Y == 0), S)
    TypeError: y_true must have no masked values, got 7 of 12; give mask=~y_true.mask
roc_auc_score(Y, np.ma.masked_array(S, Y == 0))
    TypeError: y_score must have no masked values, got 7 of 12; give mask=~y_score.mask
predicted_labels(sparse.csr_matrix(S))
    TypeError: y_score must be dense for predicted_labels, got scipy.csr_matrix; evaluate(y_true, y_score, threshold=)
    takes sparse scores
roc_auc_score(da.from_array(Y), da.from_array(S))
    TypeError: y_true must be in memory for roc_auc_score, which compares the scores of all samples, got one that Dask
    holds: compute y_true and y_score, or give blocks to a MultilabelAccumulator(n_bins=...)
precision_score(da.from_array(Y), P)
    TypeError: y_true and y_pred must be of one array library, got dask.Array and numpy.ndarray; hold both in Dask
    (dask.array.from_array), or neither (.compute())
log_loss(da.from_array(Y), da.from_array(S + 0.5))
    ValueError: y_score must hold probabilities, from 0 to 1, got 1.25 at row 0, column 0; log_loss(from_logits=True)
    takes logits (in a block of Dask, whose rows are counted from 0)
hamming_loss(da.from_array(Y), da.from_array(P), sample_weight=da.zeros(4))
    ValueError: sample_weight must be above 0 for at least one sample, got none of 4
f_score(da.from_array(Y), da.from_array(P), mask=da.zeros((4, 3), dtype=bool))
    ValueError: mask must leave at least one label of y_true, got none left of 4 samples
f_score(da.from_array(Y), da.from_array(P), ignore_labels=[0, 1])
    ValueError: ignore_labels must leave at least one label of y_true, got none left of 4 samples
mean_squared_error(da.from_array(Y), da.from_array(S), mask=da.ones((4, 3), dtype=bool), ignore_labels=[0, 1])
    ValueError: mask and ignore_labels must leave at least one label of y_true, got none left of 4 samples
predicted_labels(TORCH_S.to_sparse())
    TypeError: y_score must be dense for predicted_labels, got torch.Tensor; evaluate(y_true, y_score, threshold=) takes
    sparse scores
f_score([{1, 2}, {-1}], [{1}, {2}], ignore_labels=-1)
    TypeError: ignore_labels must be left out where y_true has label sets, as a set does not say which labels are not
    known; a sparse matrix may hold -1 there
roc_auc_score([{1}, {2}], [[0.1, 0.2], [0.3, 0.4]])
    ValueError: y_true must have labels from 0 to below the number of classes (2), got 2 at position 1

# Data frames

roc_auc_score(NAMED, pd.DataFrame(S, columns=["b", "a", "c"]))
    ValueError: y_true and y_score must have the same columns in one order, got 'a' and 'b' at position 0; reorder
    them, or pass y_score.to_numpy()
roc_auc_score(NAMED, pd.DataFrame(S, columns=["a", "b", "c"], index=[3, 2, 1, 0]))
    ValueError: y_true and y_score must have the same index, got 0 and 3 at position 0; align the Series, or pass
    their .to_numpy()
precision_score(NAMED, pd.DataFrame(P, columns=["a", "c", "b"]))
    ValueError: y_true and y_pred must have the same columns in one order, got 'b' and 'c' at position 1; reorder
    them, or pass y_pred.to_numpy()
roc_auc_score(NAMED, pl.DataFrame({"a": ["x"] * 4, "b": [0.1] * 4, "c": [0.2] * 4}))
    TypeError: y_score must hold real numbers, got dtype String in column 'a'
roc_auc_score(pl.LazyFrame({"a": [1]}), [[1.0]])
    TypeError: y_true must be a frame that is in memory, got LazyFrame; collect it

# Masks and weights

roc_auc_score(Y, S, mask=Y)
    TypeError: mask must hold booleans and none missing, got dtype int64
roc_auc_score(Y, S, mask=[True, False, True, True])
    ValueError: mask must have the shape of y_true, (4, 3), got (4,)
precision_score(Y, P, mask=np.ones((4, 2), dtype=bool))
    ValueError: mask must have the shape of y_true, (4, 3), got (4, 2)
precision_score(TRUE, PRED, mask=[True, True, False])
    TypeError: mask must be left out where y_true has one label for each sample; give ignore_labels=
roc_auc_score(Y, S, sample_weight=[1, 2, 3])
    ValueError: sample_weight must have a weight for each sample (4), got 3
roc_auc_score(Y, S, sample_weight=[1, 2, 3, -1])
    ValueError: sample_weight must be finite and not negative, got -1
roc_auc_score(Y, S, sample_weight=[1, 2, 3, NAN])
    ValueError: sample_weight must be finite and not negative, got nan
roc_auc_score(Y, S, sample_weight=[0, 0, 0, 0])
    ValueError: sample_weight must be above 0 for at least one sample, got none of 4
roc_auc_score(Y, S, sample_weight=np.ones((4, 2)))
    ValueError: sample_weight must be one-dimensional, got shape (4, 2)
roc_auc_score(Y, S, sample_weight="ones")
    TypeError: sample_weight must be a vector (array, Series or sequence), got str
roc_auc_score(Y, S, sample_weight=["a", "b", "c", "d"])
    TypeError: sample_weight must hold real numbers and none missing, got dtype <U1
precision_score(Y, P, sample_weight=[1, 2, 3, np.inf])
    ValueError: sample_weight must be finite and not negative, got inf
precision_score(TRUE, PRED, sample_weight=[1, 2])
    ValueError: sample_weight must have as many samples as y_true (3), got 2
precision_score(TRUE, PRED, sample_weight=[0, 0, 0])
    ValueError: sample_weight must be above 0 for at least one sample of y_true and y_pred, got none of 3; give those
    that count a weight above 0
precision_score(TRUE, PRED, sample_weight=[1j, 0, 0])
    TypeError: sample_weight must hold real numbers and none missing, got dtype complex128
roc_auc_score(Y, S, ignore_labels="unknown")
    TypeError: ignore_labels must be a number or several numbers, got 'unknown'
roc_auc_score(Y, S, mask=np.zeros((4, 3), dtype=bool))
    ValueError: mask must leave at least one label of y_true, got none left of 4 samples

# Libraries

roc_auc_score(TORCH, S)
    TypeError: y_true and y_score must be of one array library, got torch.Tensor and numpy.ndarray; convert one of
    them: torch.tensor(y_score, device=y_true.device)
roc_auc_score(Y, TORCH_S)
    TypeError: y_true and y_score must be of one array library, got numpy.ndarray and torch.Tensor; convert one of
    them: torch.tensor(y_true, device=y_score.device)
roc_auc_score(TORCH, jnp.asarray(S))
    TypeError: y_true and y_score must be of one array library, got torch.Tensor and jax.Array; convert one of
    them: torch.from_dlpack(y_score)
roc_auc_score(TORCH, TORCH_S, sample_weight=jnp.ones(4))
    TypeError: y_true and sample_weight must be of one array library, got torch.Tensor and jax.Array; convert one
roc_auc_score(TORCH, TORCH_S, mask=jnp.ones((4, 3), dtype=bool))
    TypeError: y_true and mask must be of one array library, got torch.Tensor and jax.Array; convert one
roc_auc_score(TORCH, TORCH_S.to("meta"))
    ValueError: y_true and y_score must be on one device, got cpu and meta; what is on the meta device has no
    values
roc_auc_score(STRICT, ELSEWHERE)
    ValueError: y_true and y_score must be on one device, got array_api_strict.Device('CPU_DEVICE') and
    array_api_strict.Device('device1'); move one of them: y_score.to_device(y_true.device)

# Options

roc_auc_score(Y, S, average="binary")
    ValueError: average must be one of 'macro', 'weighted', 'micro', 'samples', None, got 'binary'; average=None
    gives the value of each class
roc_auc_score(Y, S, average="geometric")
    ValueError: average must be one of 'macro', 'weighted', 'micro', 'samples', None, got 'geometric'
precision_score(Y, P, average="macro_of_means")
    ValueError: average must be one of 'macro', 'weighted', 'micro', 'samples', 'geometric', None, got
    'macro_of_means'
precision_score(TRUE, PRED, average="samples")
    ValueError: average must be another than 'samples' without matrices, whose rows the samples are
precision_score(COUNTS, average="samples")
    ValueError: average must be another than 'samples' without matrices, whose rows the samples are
mean_squared_error(Y, S, average="geometric")
    ValueError: average must be one of 'macro', 'weighted', 'micro', 'samples', None, got 'geometric'
log_loss(Y, S, average="macro")
    TypeError: log_loss() got an unexpected keyword argument 'average'; its own options are form, from_logits, eps
balanced_accuracy_score(Y, P, average="macro")
    TypeError: balanced_accuracy_score() got an unexpected keyword argument 'average'; its own options are definition,
    adjusted
roc_auc_score(Y, S, on_undefined="raise")
    ValueError: on_undefined must be one of 'zero', 'one', 'nan', 'skip', got 'raise'
precision_score(Y, P, on_undefined=0)
    ValueError: on_undefined must be one of 'zero', 'one', 'nan', 'skip', got 0
precision_score(Y, P, zero_division=0)
    TypeError: precision_score() got an unexpected keyword argument 'zero_division'; it is called on_undefined here
f_score(Y, P, zero_division="warn")
    TypeError: f_score() got an unexpected keyword argument 'zero_division'; it is called on_undefined here
precision_score(Y, P, num_classes=3)
    TypeError: precision_score() got an unexpected keyword argument 'num_classes'; it is called n_classes here
precision_score(Y, P, ignore_index=-1)
    TypeError: precision_score() got an unexpected keyword argument 'ignore_index'; it is called ignore_labels here
precision_score(Y, P, threshold=0.5)
    TypeError: precision_score() got an unexpected keyword argument 'threshold'; predicted_labels(y_score,
    threshold) makes labels of scores
precision_score(Y, P, labels=[0, 1])
    TypeError: precision_score() got an unexpected keyword argument 'labels'; the classes are the columns, or the
    sorted labels
precision_score(Y, P, pos_label=1)
    TypeError: precision_score() got an unexpected keyword argument 'pos_label'; average=None gives the value of
    each class
average_precision_score(Y, S, pos_label=1)
    TypeError: average_precision_score() got an unexpected keyword argument 'pos_label'; average=None gives the
    value of each class
roc_auc_score(Y, S, labels=[0, 1, 2])
    TypeError: roc_auc_score() got an unexpected keyword argument 'labels'; the classes are the columns, or the
    sorted labels
roc_auc_score(Y, S, thresholds=100)
    TypeError: roc_auc_score() got an unexpected keyword argument 'thresholds'; all scores are thresholds;
    MultilabelAccumulator(n_bins=...) has some of them
roc_auc_score(Y, S, multi_class="ovo")
    TypeError: roc_auc_score() got an unexpected keyword argument 'multi_class'; each class is one against all
    others
roc_auc_score(Y, S, max_fpr=0.5)
    TypeError: roc_auc_score() got an unexpected keyword argument 'max_fpr'; the whole curve counts
log_loss(Y, S, normalize=False)
    TypeError: log_loss() got an unexpected keyword argument 'normalize'; the mean over the samples times their
    number is the sum
precision_score(Y, P, num_labels=3)
    TypeError: precision_score() got an unexpected keyword argument 'num_labels'; it is called n_classes here
mean_squared_error(Y, S, multioutput="raw_values")
    TypeError: mean_squared_error() got an unexpected keyword argument 'multioutput'; it is called average here
roc_auc_score(Y, S, beta=2)
    TypeError: roc_auc_score() got an unexpected keyword argument 'beta'; it has no options of its own
f_score(Y, P, beta=-1)
    ValueError: beta must be finite and not negative, got -1
f_score(Y, P, beta=NAN)
    ValueError: beta must be finite and not negative, got nan
f_score(Y, P, beta="1")
    TypeError: beta must be a number, got '1'
f_score(Y, P, beta=None)
    TypeError: beta must be a number, got None
balanced_accuracy_score(Y, P, definition="mean")
    ValueError: definition must be one of 'recall', 'min_precision_recall', 'min_recall_specificity',
    'mean_recall_specificity', got 'mean'
balanced_accuracy_score(Y, P, adjusted=1)
    TypeError: adjusted must be True or False, got 1
balanced_accuracy_score(Y, P, adjusted=True, definition="min_precision_recall")
    ValueError: adjusted must be False for definition='min_precision_recall', got True
log_loss(Y, S, form="multilabel")
    ValueError: form must be one of 'categorical', 'binary', got 'multilabel'
log_loss(Y, S, eps=-1)
    ValueError: eps must be finite and not negative, got -1
log_loss(Y, S, eps=0.6)
    ValueError: eps must be "auto", or from 0 to below 0.5, got 0.6
log_loss(Y, S, eps="tiny")
    TypeError: eps must be a number, got 'tiny'
log_loss(Y, S, from_logits="yes")
    TypeError: from_logits must be True or False, got 'yes'
precision_score(Y, P, n_classes=3)
    TypeError: n_classes must be left out where y_true is a matrix, whose columns are the classes; of rows with the
    labels of a sample make sets
precision_score(TRUE, PRED, n_classes=2)
    TypeError: y_true must hold integers in [0, n_classes) when n_classes= is given, got the label 'cat'
precision_score([0, 1, 2], [0, 1, 1], n_classes=2)
    ValueError: y_true must lie in [0, n_classes) = [0, 2), got 2
precision_score([0, 1, 2], [0, 1, 1], n_classes=0)
    ValueError: n_classes must be a positive integer, got 0
precision_score([0, 1, 2], [0, 1, 1], n_classes=2.0)
    TypeError: n_classes must be a positive integer, got 2.0

# Labels of scores

predicted_labels(np.where(S == 0.5, NAN, S))
    ValueError: y_score must not hold NaN, got 1 of 12
predicted_labels(S, [0.5, 0.5])
    ValueError: threshold must be a number, or one for each class (3), got shape (2,)
predicted_labels(S, "half")
    TypeError: threshold must be a number, got 'half'
predicted_labels(S, NAN)
    ValueError: threshold must not be NaN, got nan
predicted_labels(S, threshold=[[0.5]])
    ValueError: threshold must be a number, or one for each class (3), got shape (1, 1)
predicted_labels(S, at_least_one=1)
    TypeError: at_least_one must be True or False, got 1
predicted_labels(S[0], at_least_one=True)
    ValueError: y_score must be a matrix of some classes for at_least_one=True, got shape (3,)
predicted_labels(np.zeros((3, 0)), at_least_one=True)
    ValueError: y_score must be a matrix of some classes for at_least_one=True, got shape (3, 0)
predicted_labels(S, [NAN, 0.5, 0.5])
    ValueError: threshold must not hold NaN, got 1 of 3
balanced_accuracy_score(Y, P, adjusted=True)
    ValueError: adjusted must be False unless each sample has one label, of vectors or of a table, got True
f_score(Y, P, beta=np.array([1, 2]))
    TypeError: beta must be a number, got array([1, 2])
predicted_labels(pd.DataFrame(S, columns=["a", "b", "c"]), pd.Series([0.5, 0.6, 0.7], index=["c", "a", "b"]))
    ValueError: threshold must have the columns of y_score as its index, in their order, got 'c' and 'a' at position 0;
    reorder it, or pass threshold.to_numpy()
predicted_labels(pd.DataFrame(S, columns=[2, 0, 1]), pd.Series([0.5, 0.6, 0.7]))
    ValueError: threshold must have the columns of y_score as its index, in their order, got 0 and 2 at position 0;
    reorder it, or pass threshold.to_numpy()
predicted_labels(["a", "b"])
    TypeError: y_score must hold numbers, got dtype <U1
predicted_labels(S, None)
    TypeError: threshold must be a number, got None

# Counts

precision_score(COUNTS, P)
    TypeError: y_pred= cannot be given with a LabelCounts: give it to LabelCounts.from_labels
precision_score(COUNTS, sample_weight=[1, 2, 3, 4])
    TypeError: sample_weight= cannot be given with a LabelCounts: give it to LabelCounts.from_labels
roc_auc_score(COUNTS, S)
    TypeError: y_true must be a vector, or a matrix with a row for each sample, got gpuval.LabelCounts
LabelCounts.from_counts([1, -2], [1, 2], [1, 2])
    ValueError: true_positives must be finite and not negative, got -2
LabelCounts.from_counts([1, NAN], [1, 2], [1, 2])
    ValueError: true_positives must be finite and not negative, got nan
LabelCounts.from_counts([[1, 2]], [[1, 2]], [[1, 2]])
    ValueError: true_positives must have a number for each class, shape (n_classes,), got [[1, 2]]
LabelCounts.from_counts([], [], [])
    ValueError: true_positives must have at least one class, got none
LabelCounts.from_counts([2**62, 2**62], [1, 2], [1, 2])
    ValueError: true_positives must add up to at most 2.31e+18, got 9.22e+18; scale all counts
LabelCounts.from_counts([1, 2], [1e308, 1], [1, 2])
    ValueError: false_positives must add up to at most 4.49e+307, got 1e+308; scale all counts
LabelCounts.from_counts(jnp.asarray([1, 2]), jnp.asarray([1, 2]), jnp.asarray([1, 2**30]))
    ValueError: false_negatives must add up to at most 5.37e+08, got 1.07e+09; scale all counts
LabelCounts.from_counts([1, 2], [1, 2], [1])
    ValueError: false_negatives must have as many classes as true_positives (2), got 1
LabelCounts.from_counts(1, 2, 3)
    ValueError: true_positives must have a number for each class, shape (n_classes,), got 1
LabelCounts.from_counts(["a"], ["b"], ["c"])
    TypeError: true_positives must hold numbers, got dtype <U1
LabelCounts.from_counts(torch.ones(2), np.ones(2), np.ones(2))
    TypeError: true_positives and false_positives must be of one array library, got torch.Tensor and numpy.ndarray;
    convert one of them: torch.tensor(false_positives, device=true_positives.device)
LabelCounts.from_contingency([[1, 2], [3, 4]])
    TypeError: table must be a Contingency, got list
LabelCounts.from_counts(None, [1], [1])
    TypeError: true_positives must be given, a number for each class, got None
f_score(LabelCounts.from_counts([1], [1]))
    ValueError: false_negatives must be given to LabelCounts.from_counts for this measure, got None
precision_score(LabelCounts.from_counts([1], None, [1]))
    ValueError: false_positives must be given to LabelCounts.from_counts for this measure, got None
precision_score(LabelCounts.from_counts([1], [1]), average="weighted")
    ValueError: false_negatives must be given to LabelCounts.from_counts for average="weighted", got None
hamming_loss(LabelCounts.from_counts([1], [1], [1]))
    ValueError: true_negatives must be given to LabelCounts.from_counts for this measure, got None
balanced_accuracy_score(LabelCounts.from_counts([1], [1], [1]), definition="mean_recall_specificity")
    ValueError: true_negatives must be given to LabelCounts.from_counts for this measure, got None
COUNTS + LabelCounts.from_labels(Y[:, :2], P[:, :2])
    ValueError: counts must be of the same classes to be added, got [0, 1, 2] and [0, 1]; give n_classes= for
    labels from 0, or add up tables (Contingency) first
COUNTS + LabelCounts.from_labels(TORCH, TORCH)
    TypeError: counts must be of one array library to be added, got numpy and torch
LabelCounts.from_labels(TRUE, PRED) + LabelCounts.from_labels(["ant"], ["ant"])
    ValueError: counts must be of the same classes to be added, got ['cat', 'dog'] and ['ant']; give n_classes= for
    labels from 0, or add up tables (Contingency) first
"""


@pytest.mark.parametrize(("call", "error"), wrong_calls(WRONG))
def test_a_wrong_call_raises_one_clear_error(call, error):
    assert_raises(call, error, globals() | NAMES | {name: getattr(multilabel, name) for name in multilabel.__all__})


def test_all_are_read():
    lines = [line for line in WRONG.splitlines() if line and not line.startswith(("#", " "))]
    assert lines == [call for call, _ in wrong_calls(WRONG)]
    assert len({error for _, error in wrong_calls(WRONG)}) > 80


# Where values are not looked at, nothing is said: the classes concerned are NaN


def on_a_device(name, *arrays, **options):
    with as_on_a_device():
        return getattr(multilabel, name)(*map(torch.asarray, arrays), **options).tolist()


@pytest.mark.parametrize("name", ["roc_auc_score", "average_precision_score", "mean_squared_error"])
def test_wrong_scores_on_a_device(name):
    scores = np.where(S == 0.5, NAN, S)
    first, second, third = on_a_device(name, Y, scores, average=None)
    wanted = on_a_device(name, Y, S, average=None)
    assert (first, third) == (wanted[0], wanted[2])
    assert np.isnan(second)
    assert np.isnan(on_a_device(name, Y, scores))
    assert np.isnan(on_a_device(name, Y, scores, on_undefined="skip"))
    assert on_a_device(name, Y, scores, average=None, mask=torch.asarray(~np.isnan(scores)))[0] == wanted[0]


@pytest.mark.parametrize("name", ["precision_score", "recall_score", "f_score", "hamming_loss"])
def test_wrong_labels_on_a_device(name):
    labels = Y + 5 * (np.arange(12).reshape(Y.shape) == 4)
    for arrays in ((labels, P), (P, labels)):
        first, second, third = on_a_device(name, *arrays, average=None)
        assert np.isnan(second)
        assert not np.isnan([first, third]).any()
        for average in ("macro", "micro", "weighted", "samples"):
            assert np.isnan(on_a_device(name, *arrays, average=average)), average


@pytest.mark.parametrize("name", ["log_loss", "mean_probability_rate", "macro_average_probability_rate"])
def test_wrong_probabilities_on_a_device(name):
    for scores in (S + 0.5, S - 0.5, np.where(S == 0.5, NAN, S)):
        assert np.isnan(on_a_device(name, Y, scores))


@pytest.mark.parametrize("weights", [[1, 2, 3, -1], [1.0, NAN, 1.0, 1.0], [0, 0, 0, 0], [1.0, np.inf, 1.0, 1.0]])
def test_wrong_weights_on_a_device(weights):
    weights = torch.asarray(weights)
    for name in ("precision_score", "hamming_loss", "balanced_accuracy_score"):
        assert np.isnan(on_a_device(name, Y, P, sample_weight=weights)), name
    for name in ("roc_auc_score", "average_precision_score", "mean_squared_error", "log_loss", "mean_probability_rate"):
        assert np.isnan(on_a_device(name, Y, S, sample_weight=weights)), name


def test_classes_that_are_not_there_on_a_device():
    assert np.isnan(on_a_device("roc_auc_score", np.asarray([0, 1, 3, 2]), S))
    assert np.isnan(on_a_device("roc_auc_score", np.asarray([0, 1, -1, 2]), S))
