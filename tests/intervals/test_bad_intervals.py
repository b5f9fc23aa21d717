"""Wrong calls of the measures of intervals: each raises one error, of this type and with all of this message."""

import array_api_strict as strict
import dask.array as da
import jax.numpy as jnp
import numpy as np
import pandas as pd
import polars as pl
import pytest
import torch
from scipy import sparse
from wrong_calls import assert_raises, wrong_calls

from gpuval import intervals

T, P = [[0, 4], [2, 3], [5, 9]], [[1, 7], [2, 3], [5, 6]]
TRUE, PRED = np.asarray(T, dtype=float), np.asarray(P, dtype=float)
NAN, INF = float("nan"), float("inf")
FRAME = pd.DataFrame(TRUE, columns=["start", "end"], index=["a", "b", "c"])
LARGE = pd.DataFrame({"start": [2**53 + 1, None], "end": [2**53 + 2, 9]}, dtype="Int64")
NAMED = pd.DataFrame({"start": [0.0, 1.0], "end": pd.Series(["x", "y"], dtype=object)})
TORCH, TORCH_P = torch.asarray(TRUE), torch.asarray(PRED)
STRICT = strict.asarray(TRUE, device=strict.Device("CPU_DEVICE"))
ELSEWHERE = strict.asarray(PRED, device=strict.Device("device1"))
MASKED = np.ma.MaskedArray(TRUE, TRUE == 9)
BLOCKS = da.from_array(TRUE, chunks=(2, 2))
BLOCKS_P = da.from_array(PRED, chunks=(2, 2))
NAMES = {"da": da, "jnp": jnp, "pl": pl, "sparse": sparse}

WRONG = """
# Shapes

jaccard_score(T, P[:2])
    ValueError: pred_intervals must have as many samples as true_intervals (3), got 2
jaccard_score([0, 4], P)
    ValueError: pred_intervals must have as many samples as true_intervals (1), got 3
jaccard_score([0, 4, 5], [1, 7, 8])
    ValueError: true_intervals must have a start and an end of each interval, shape (n_samples, 2), or (2,) for one
    sample, got shape (3,)
jaccard_score(TRUE.T, PRED.T)
    ValueError: true_intervals must have a start and an end of each interval, shape (n_samples, 2), or (2,) for one
    sample, got shape (2, 3); give true_intervals.T
jaccard_score(TRUE[:, 0], PRED[:, 0])
    ValueError: true_intervals must have a start and an end of each interval, shape (n_samples, 2), or (2,) for one
    sample, got shape (3,)
jaccard_score(TRUE[None], PRED[None])
    ValueError: true_intervals must have a start and an end of each interval, shape (n_samples, 2), or (2,) for one
    sample, got shape (1, 3, 2)
jaccard_score(3, 4)
    TypeError: true_intervals must be a vector, or a matrix with a row for each sample, got int
jaccard_score(np.asarray(3), np.asarray(4))
    ValueError: true_intervals must have a start and an end of each interval, shape (n_samples, 2), or (2,) for one
    sample, got shape ()
jaccard_score([], [])
    ValueError: true_intervals must have a start and an end of each interval, shape (n_samples, 2), or (2,) for one
    sample, got shape (0,)
jaccard_score(TRUE[:0], PRED[:0])
    ValueError: true_intervals must have at least one interval, got none
jaccard_score(TORCH[:0], TORCH_P[:0])
    ValueError: true_intervals must have at least one interval, got none
jaccard_score([[0, 4], [1]], [[0, 4], [1, 2]])
    ValueError: true_intervals must have rows of one length, got rows of different lengths; each has a start and an
    end
jaccard_score(T, P, mask=[True, False])
    ValueError: mask must have as many samples as true_intervals (3), got 2
jaccard_score(T, P, mask=[[True, False, True]])
    ValueError: mask must be one-dimensional, got shape (1, 3); give its only row, mask[0]
jaccard_score(T, P, sample_weight=[1, 2])
    ValueError: sample_weight must have as many samples as true_intervals (3), got 2
jaccard_score(T, P, sample_weight=[[1, 2, 3]])
    ValueError: sample_weight must be one-dimensional, got shape (1, 3); give its only row, sample_weight[0]
jaccard_score([[[0, 4]]], [[[1, 7]]])
    ValueError: true_intervals must have a start and an end of each interval, shape (n_samples, 2), or (2,) for one
    sample, got shape (1, 1, 2)

# Values

jaccard_score(T, [[1, 7], [3, 2], [5, 6]])
    ValueError: pred_intervals must have no end below its start, got [3, 2] in row 1; mask= leaves samples out
jaccard_score([[0, 4], [2, 3], [INF, -INF]], P)
    ValueError: true_intervals must have no end below its start, got [inf, -inf] in row 2; mask= leaves samples out
jaccard_score(TORCH, torch.flip(TORCH_P, (1,)))
    ValueError: pred_intervals must have no end below its start, got [7.0, 1.0] in row 0; mask= leaves samples out
jaccard_score(jnp.asarray([0, 4]), jnp.asarray([7, 1]))
    ValueError: pred_intervals must have no end below its start, got [7, 1] in row 0; mask= leaves samples out
jaccard_score([[0, NAN]], [[1, 7]])
    ValueError: true_intervals must hold numbers, got nan at row 0, column 1; mask= leaves samples out
jaccard_score([[0, 4]], [[NAN, 7]])
    ValueError: pred_intervals must hold numbers, got nan at row 0, column 0; mask= leaves samples out
jaccard_score(pd.DataFrame({"start": [0, 1], "end": [4, None]}), P[:2])
    ValueError: true_intervals must hold numbers, got nan at row 1, column 1; mask= leaves samples out
jaccard_score(T, P, sample_weight=[1, -1, 1])
    ValueError: sample_weight must be finite and not negative, got -1
jaccard_score(T, P, sample_weight=[1, NAN, 1])
    ValueError: sample_weight must be finite and not negative, got nan
jaccard_score(T, P, sample_weight=[0, 0, 0])
    ValueError: sample_weight must be above 0 for at least one sample, got none of 3
jaccard_score(T, P, mask=[False, False, False])
    ValueError: mask must leave at least one sample, got none left of 3
jaccard_score(T, P, mask=[True, False, False], sample_weight=[0, 1, 1])
    ValueError: sample_weight must be above 0 for at least one sample that mask leaves, got none of 3

# Types

jaccard_score(None, P)
    TypeError: true_intervals must be a vector, or a matrix with a row for each sample, got None
jaccard_score(T, "1-7")
    TypeError: pred_intervals must be a vector, or a matrix with a row for each sample, got str
jaccard_score([["a", "b"]], [[1, 7]])
    TypeError: true_intervals must hold integers or real numbers, got dtype <U1
jaccard_score([[0, None]], [[1, 7]])
    ValueError: true_intervals must hold numbers, got nan at row 0, column 1; mask= leaves samples out
jaccard_score([[0, 4j]], [[1, 7]])
    TypeError: true_intervals must hold integers or real numbers, got dtype complex128
jaccard_score([[False, True]], [[0, 1]])
    TypeError: true_intervals must hold integers or real numbers, got dtype bool
jaccard_score([[0, 10**400]], [[1, 7]])
    ValueError: true_intervals must hold integers that fit in 64 bits, or in 64-bit floats if it also holds missing or
    other numbers, got 100000000000000000...0000000000000000000
jaccard_score(LARGE, LARGE, mask=np.asarray([True, False]))
    ValueError: true_intervals must hold integers that fit in 64 bits, or in 64-bit floats if it also holds missing or
    other numbers, got 9007199254740993
jaccard_score(pl.DataFrame({"start": [2**53 + 1, None], "end": [2**53 + 2, 9]}), P[:2])
    ValueError: true_intervals must hold integers that fit in 64 bits, or in 64-bit floats if it also holds missing or
    other numbers, got 9007199254740993
jaccard_score([[0.5, 2**53 + 1]], [[1, 7]])
    ValueError: true_intervals must hold integers that fit in 64 bits, or in 64-bit floats if it also holds missing or
    other numbers, got 9007199254740993
jaccard_score(T, [[1.0, 7], [2, 3], [2**53 + 1, 2**60]])
    ValueError: pred_intervals must hold integers that fit in 64 bits, or in 64-bit floats if it also holds missing or
    other numbers, got 9007199254740993
jaccard_score([[0, 2**53 + 1]], [[0.0, 1.0]])
    ValueError: true_intervals must hold integers from -2^53 to 2^53 if the other intervals are floats, as these do not
    hold all larger ones, got 9007199254740993; mask= leaves samples out
jaccard_score(NAMED, P[:2])
    TypeError: true_intervals must hold numbers, got 'x' at row 0, column 1
jaccard_score(pl.DataFrame(NAMED.to_dict("list")), P[:2])
    TypeError: true_intervals must hold real numbers, got dtype String in column 'end'
jaccard_score(np.asarray([["2020-01-01", "2020-01-02"]], dtype="datetime64[D]"), P[:1])
    TypeError: true_intervals must hold integers or real numbers, got dtype datetime64[D]
jaccard_score(MASKED, P)
    TypeError: true_intervals must have no masked values, got 1 of 6; give true_intervals.data, and
    mask=~true_intervals.mask.any(axis=1)
jaccard_score(sparse.csr_array(TRUE), P)
    TypeError: true_intervals must be a vector, or a matrix with a row for each sample, got scipy.csr_array; give
    true_intervals.toarray()
jaccard_score(T, P, mask=[1, 0, 1])
    TypeError: mask must hold booleans and none missing, got dtype int64
jaccard_score(T, P, mask="all")
    TypeError: mask must be a vector (array, Series or sequence), got str
jaccard_score(T, P, mask=["yes", "no", "no"])
    TypeError: mask must hold booleans and none missing, got dtype <U3
jaccard_score(T, P, mask=True)
    TypeError: mask must be a vector (array, Series or sequence), got bool
jaccard_score(T, P, mask=pd.Series([True, None, False], dtype="boolean"))
    TypeError: mask must hold booleans and none missing, got dtype boolean
jaccard_score(T, P, mask=np.ma.MaskedArray([True] * 3, [True, False, False]))
    TypeError: mask must hold booleans and none missing, got dtype bool
jaccard_score(T, P, sample_weight=["a", "b", "c"])
    TypeError: sample_weight must hold real numbers and none missing, got dtype <U1

# Places

jaccard_score(TORCH, PRED)
    TypeError: true_intervals and pred_intervals must be of one array library, got torch.Tensor and numpy.ndarray;
    convert one of them: torch.tensor(pred_intervals, device=true_intervals.device)
jaccard_score(STRICT, ELSEWHERE)
    ValueError: true_intervals and pred_intervals must be on one device, got array_api_strict.Device('CPU_DEVICE')
    and array_api_strict.Device('device1'); move one of them: pred_intervals.to_device(true_intervals.device)
jaccard_score(TORCH, TORCH_P, mask=jnp.asarray([True, False, True]))
    TypeError: true_intervals and mask must be of one array library, got torch.Tensor and jax.Array; convert one
jaccard_score(STRICT, STRICT, sample_weight=ELSEWHERE[:, 0])
    ValueError: true_intervals and sample_weight must be on one device, got array_api_strict.Device('CPU_DEVICE')
    and array_api_strict.Device('device1'); move one of them: sample_weight.to_device(true_intervals.device)
jaccard_score(FRAME, FRAME.reset_index(drop=True))
    ValueError: true_intervals and pred_intervals must have the same index, got 'a' and 0 at position 0; align the
    Series, or pass their .to_numpy()
jaccard_score(FRAME, PRED, sample_weight=pd.Series([1, 2, 3]))
    ValueError: true_intervals and sample_weight must have the same index, got 'a' and 0 at position 0; align the
    Series, or pass their .to_numpy()
jaccard_score(FRAME, FRAME[["end", "start"]])
    ValueError: true_intervals and pred_intervals must have the same columns in one order, got 'start' and 'end' at
    position 0; reorder them, or pass pred_intervals.to_numpy()

# Options

jaccard_score(T, P, on_undefined="raise")
    ValueError: on_undefined must be one of 'zero', 'one', 'nan', 'skip', got 'raise'
jaccard_score(T, P, return_per_sample="yes")
    TypeError: return_per_sample must be True or False, got 'yes'
jaccard_score(T, P, reduction="none")
    TypeError: jaccard_score() got an unexpected keyword argument 'reduction'; it has no options of its own
ochiai_score(T, P, variant=2)
    TypeError: ochiai_score() got an unexpected keyword argument 'variant'; it has no options of its own
inclusion_score(T, P, of="both")
    ValueError: of must be one of 'true', 'pred', got 'both'
inclusion_score(T, P, variant=3)
    ValueError: variant must be one of 1, 2, got 3
inclusion_score(T, P, form=2)
    TypeError: inclusion_score() got an unexpected keyword argument 'form'; its own options are of, variant

# Dask

jaccard_score(BLOCKS, PRED)
    TypeError: true_intervals and pred_intervals must be of one array library, got dask.Array and numpy.ndarray;
    hold both in Dask (dask.array.from_array), or neither (.compute())
jaccard_score(BLOCKS[0], BLOCKS_P[0])
    ValueError: true_intervals must have a start and an end of each interval, shape (n_samples, 2), got shape (2,)
jaccard_score(BLOCKS, BLOCKS_P[:2])
    ValueError: pred_intervals must have as many samples as true_intervals (3), got 2
jaccard_score(BLOCKS[:0], BLOCKS_P[:0])
    ValueError: true_intervals must have at least one interval, got none
jaccard_score(BLOCKS, BLOCKS_P, return_per_sample=True)
    TypeError: return_per_sample must be False where Dask holds the intervals, as blocks give sums alone: compute
    them
jaccard_score(BLOCKS, -BLOCKS_P)
    ValueError: pred_intervals must have no end below its start, got [-5.0, -6.0] in row 0; mask= leaves samples out
    (in a block of Dask, whose rows are counted from 0)
jaccard_score(BLOCKS, BLOCKS_P, mask=da.zeros(3, dtype=bool, chunks=2))
    ValueError: mask must leave at least one sample, got none left of 3
jaccard_score(BLOCKS, BLOCKS_P, sample_weight=da.zeros(3, chunks=2))
    ValueError: sample_weight must be above 0 for at least one sample, got none of 3
jaccard_score(BLOCKS, BLOCKS_P, mask=[True, False, True])
    TypeError: true_intervals and mask must be of one array library, got dask.Array and builtins.list; hold both in
    Dask (dask.array.from_array), or neither (.compute())
jaccard_score(T, P, mask=da.ones(3, dtype=bool))
    TypeError: mask must be in memory here, got dask.Array; compute it
jaccard_score(T, P, sample_weight=da.ones(3))
    TypeError: sample_weight must be in memory here, got dask.Array; compute it
"""


@pytest.mark.parametrize(("call", "error"), wrong_calls(WRONG))
def test_a_wrong_call_raises_one_clear_error(call, error):
    assert_raises(call, error, globals() | NAMES | {name: getattr(intervals, name) for name in intervals.__all__})


def test_all_are_read():
    lines = [line for line in WRONG.splitlines() if line and not line.startswith(("#", " "))]
    assert lines == [call for call, _ in wrong_calls(WRONG)]
    assert len({error for _, error in wrong_calls(WRONG)}) > 55
