"""Wrong calls of the measures of rankings: each raises one error, of this type and with all of this message."""

import re
from decimal import Decimal

import array_api_strict as strict
import dask.array as da
import jax
import jax.numpy as jnp
import numpy as np
import pandas as pd
import polars as pl
import pytest
import torch
from backends import as_on_a_device
from scipy import sparse
from wrong_calls import assert_raises, wrong_calls

from gpuval import ranking

Y, S, Q = [1, 0, 1], [0.3, 0.2, 0.1], ["a", "a", "b"]
Y2, S2 = np.asarray([[1, 0, 1], [0, 1, 0]]), np.asarray([[0.3, 0.2, 0.1], [0.1, 0.5, 0.2]])
NAN = float("nan")
LOG = pd.DataFrame({"user": ["u", "u", "v"], "clicked": [1, 0, 1], "score": [0.1, 0.2, 0.3], "title": ["x", "y", "z"]})
LOG = LOG.astype({"user": object, "title": object})  # what text is by default depends on the version of pandas
NAMED = pd.DataFrame(Y2, index=["x", "y"])
TORCH, TORCH_S = torch.asarray(Y2), torch.asarray(S2)
META = torch.ones(3, device="meta")
STRICT = strict.asarray(Y, device=strict.Device("CPU_DEVICE"))
ELSEWHERE = strict.asarray(S, device=strict.Device("device1"))
RANKED = ranking.Ranked.from_scores(Y, S)
NAMES = {"Decimal": Decimal, "jax": jax, "jnp": jnp, "da": da, "pl": pl, "sparse": sparse}

WRONG = """
# Shapes

ndcg_score(Y, S[:2])
    ValueError: y_score must have the shape of y_true, (3,), got (2,)
ndcg_score(Y, [S])
    ValueError: y_score must have the shape of y_true, (3,), got (1, 3)
ndcg_score(Y2, S2[:1])
    ValueError: y_score must have the shape of y_true, (2, 3), got (1, 3)
ndcg_score(LOG["clicked"], LOG[["score"]])
    ValueError: y_score must have the shape of y_true, (3,), got (3, 1)
ndcg_score(np.ones((2, 2, 2)), np.ones((2, 2, 2)))
    ValueError: y_true must be of one dimension, or of two, (n_queries, n_documents), got shape (2, 2, 2)
ndcg_score(np.asarray(1), np.asarray(0.5))
    ValueError: y_true must be of one dimension, or of two, (n_queries, n_documents), got shape ()
ndcg_score([[1, 0], [1]], [[0.1, 0.2], [0.3]])
    ValueError: y_true must have rows of one length, got rows of different lengths; give vectors with the query
    of each document (queries=), or pad the rows and give mask=
ndcg_score(Y2, [[0.1, 0.2], [0.3]])
    ValueError: y_score must have rows of one length, got rows of different lengths; give vectors with the query
    of each document (queries=), or pad the rows and give mask=
ndcg_score([], [])
    ValueError: y_true must have at least one document, got shape (0,)
ndcg_score(Y2[:0], S2[:0])
    ValueError: y_true must have at least one document, got shape (0, 3)

# Values

ndcg_score(Y, [0.1, NAN, 0.3])
    ValueError: y_score must hold numbers, got nan at position 1
ndcg_score(Y2, np.where(S2 == 0.5, NAN, S2))
    ValueError: y_score must hold numbers, got nan at row 1, column 1
ndcg_score(TORCH, torch.asarray(np.where(S2 == 0.5, NAN, S2)))
    ValueError: y_score must hold numbers, got nan at row 1, column 1
ndcg_score([1, -1, 0], S)
    ValueError: y_true must be finite and not negative, got -1 at position 1; ignore_relevance= leaves documents
    out
ndcg_score([1, NAN, 0], S)
    ValueError: y_true must be finite and not negative, got nan at position 1; ignore_relevance= leaves
    documents out
ndcg_score(np.where(Y2 == 1, np.inf, 0), S2)
    ValueError: y_true must be finite and not negative, got inf at row 0, column 0; ignore_relevance= leaves
    documents out
ndcg_score([-0.3, 0.2, 0.1], Y)
    ValueError: y_true must be finite and not negative, got -0.3 at position 0; y_true holds the relevances,
    y_score the scores: exchange them if they are the other way round
ndcg_score([1, -1, 0], [3, 2, 1])
    ValueError: y_true must be finite and not negative, got -1 at position 1; ignore_relevance= leaves documents
    out
ndcg_score([1.0, NAN, 0.0], [True, False, True])
    ValueError: y_true must be finite and not negative, got nan at position 1; ignore_relevance= leaves
    documents out
dcg_score([2000, 1, 2], S, gain="exponential")
    ValueError: y_true must have relevances so small that floats of 64 bits hold dcg_score, got up to 2000
ndcg_score(pd.Series([1, 0, None], dtype="Int64"), S)
    ValueError: y_true must be finite and not negative, got nan at position 2; ignore_relevance= leaves
    documents out

# Types

ndcg_score(None, S)
    TypeError: y_true must be a vector, or a matrix with a row for each query, got None
ndcg_score(1, S)
    TypeError: y_true must be a vector, or a matrix with a row for each query, got int
ndcg_score(Y, 0.5)
    TypeError: y_score must be a vector, or a matrix with a row for each query, got float
ndcg_score("clicked", "score", "user")
    TypeError: y_true must be a vector, or a matrix with a row for each query, got str
ndcg_score({"u": 1}, S)
    TypeError: y_true must be a vector, or a matrix with a row for each query, got dict
ndcg_score(Y, (x for x in S))
    TypeError: y_score must be a vector, or a matrix with a row for each query, got generator
ndcg_score([1, None, 0], S)
    ValueError: y_true must be finite and not negative, got nan at position 1; ignore_relevance= leaves documents out
ndcg_score([1, 10**400, 0], S)
    ValueError: y_true must hold integers that fit in 64 bits, or in 64-bit floats if it also holds missing or other
    numbers, got 100000000000000000...0000000000000000000
ndcg_score(Y, [Decimal("1e400"), Decimal("1e401"), 0])
    ValueError: y_score must hold integers that fit in 64 bits, or in 64-bit floats if it also holds missing or other
    numbers, got Decimal('1E+400')
ndcg_score(Y, [2**64, 2**64 + 1, 0])
    ValueError: y_score must hold integers that fit in 64 bits, or in 64-bit floats if it also holds missing or other
    numbers, got 18446744073709551617
ndcg_score(Y, np.asarray([np.timedelta64(3, "s"), 2, 3], dtype=object))
    TypeError: y_score must hold numbers, got np.timedelta64(3,'s') at position 0
ndcg_score(Y, ["a", "b", "c"])
    TypeError: y_score must hold numbers, got dtype <U1
ndcg_score(Y, [1j, 2, 3])
    TypeError: y_score must hold numbers, got dtype complex128
ndcg_score(Y, np.asarray([1, 2, 3], dtype="m8[D]"))
    TypeError: y_score must hold numbers, got dtype timedelta64[D]
ndcg_score(np.ma.masked_array(Y, [0, 1, 0]), S)
    TypeError: y_true must have no masked values, got 1 of 3; give mask=~y_true.mask
ndcg_score(Y, S, mask=np.ma.masked_array([True] * 3, [0, 1, 0]))
    TypeError: mask must have no masked values, got 1 of 3; give mask.filled(False)
ndcg_score(sparse.csr_matrix(Y2), S2)
    TypeError: y_true must be a vector, or a matrix with a row for each query, got scipy.csr_matrix; give
    y_true.toarray()
ndcg_score(torch.nested.nested_tensor([torch.ones(2), torch.ones(3)], layout=torch.jagged), TORCH_S)
    TypeError: y_true must be a dense tensor, got a nested one; torch.cat(y_true.unbind()) joins it
ndcg_score(TORCH, TORCH_S.to_sparse())
    TypeError: y_score must be a dense tensor, got one of layout torch.sparse_coo; give y_score.to_dense()

# Data frames

ndcg_score(LOG, S)
    TypeError: y_true must hold numbers, got 'u' at row 0, column 0
ndcg_score(LOG["title"], LOG["score"])
    TypeError: y_true must hold numbers, got 'x' at position 0
ndcg_score(pd.Series([1, 0, None], dtype=object), S)
    ValueError: y_true must be finite and not negative, got nan at position 2; ignore_relevance= leaves documents out
ndcg_score(pd.DataFrame({"a": [1, 0], "b": [True, pd.NA]}), S2[:, :2])
    ValueError: y_true must be finite and not negative, got nan at row 1, column 1; ignore_relevance= leaves documents
    out
ndcg_score(pd.Series(["1", "0", "1"], dtype="category"), S)
    TypeError: y_true must hold real numbers, got dtype category
ndcg_score(LOG["clicked"].groupby(LOG["user"]), LOG["score"])
    TypeError: y_true must be a frame that is in memory, got SeriesGroupBy
ndcg_score(pl.DataFrame({"a": [1, 0], "b": ["x", "y"]}), S2[:, :2])
    TypeError: y_true must hold real numbers, got dtype String in column 'b'
ndcg_score(Y, pl.Series(["a", "b", "c"]))
    TypeError: y_score must hold real numbers, got dtype String
ndcg_score(pl.LazyFrame({"a": Y}), S)
    TypeError: y_true must be a frame that is in memory, got LazyFrame; collect it
ndcg_score(LOG["clicked"], pd.Series(S, index=list("abc")))
    ValueError: y_true and y_score must have the same index, got 0 and 'a' at position 0; align the Series, or
    pass their .to_numpy()
ndcg_score(LOG["clicked"], LOG["score"], LOG["user"].set_axis(list("abc")))
    ValueError: y_true and queries must have the same index, got 0 and 'a' at position 0; align the Series, or
    pass their .to_numpy()

# Queries

ndcg_score(Y, S, Q[:2])
    ValueError: queries must have the query of each document (3), got 2
ndcg_score(LOG["clicked"], LOG["score"], "user")
    TypeError: queries must have the query of each document, got 'user' alone
ndcg_score(Y, S, LOG)
    ValueError: queries must be one-dimensional, got a DataFrame of shape (3, 4); give one of its columns
ndcg_score(Y, S, Y2)
    ValueError: queries must be one-dimensional, got shape (2, 3); a matrix y_true has a row for each query, and
    needs no queries
ndcg_score(Y, S, [[0], [0], [1]])
    ValueError: queries must be one-dimensional, got shape (3, 1); give its only column, queries[:, 0]
ndcg_score(Y2, S2, [0, 1])
    ValueError: queries must be left out where y_true has a row for each query, got y_true of shape (2, 3)
ndcg_score(Y, S, ["a", None, "b"])
    ValueError: queries must not have missing values (NaN, None), got 1 of 3; leave those documents out
ndcg_score(Y, S, [0, NAN, 1])
    ValueError: queries must not have missing values (NaN, None), got 1 of 3; leave those documents out
ndcg_score(Y, Q, S)
    TypeError: y_score must hold numbers, got dtype <U1
ndcg_score(Y, Y, S)
    ValueError: queries must hold whole numbers, text or objects, got 0.3; scores come before queries
ndcg_score(Y, S, da.from_array(np.asarray([0, 0, 1])))
    TypeError: queries must be in memory here, got dask.Array; compute it
ndcg_score(Y, S, pd.to_datetime(["2020-01-01"] * 3).as_unit("ns"))
    TypeError: queries must hold integers, booleans, strings or objects, got dtype datetime64[ns]; convert them
ndcg_score(Y, S, Q, mask=[True, True, False])
    ValueError: y_true must have a document that counts for each query, got none for query 'b'; with
    n_relevant= or ideal= it scores 0, with the weight 0 (sample_weight=) it does not count
ndcg_score(Y, S, [5, 5, 7], mask=[True, True, False])
    ValueError: y_true must have a document that counts for each query, got none for query 7; with
    n_relevant= or ideal= it scores 0, with the weight 0 (sample_weight=) it does not count
ndcg_score(Y, S, [0, 0, 2], n_queries=3)
    ValueError: y_true must have a document that counts for each query, got none for query 1; with
    n_relevant= or ideal= it scores 0, with the weight 0 (sample_weight=) it does not count

# The number of queries

ndcg_score(Y, S, n_queries=2)
    ValueError: n_queries must be given with queries=, got 2 without
ndcg_score(Y2, S2, n_queries=2)
    ValueError: n_queries must be given with queries=, got 2 without
ndcg_score(Y, S, [0, 0, 1], n_queries=1)
    ValueError: queries must lie in [0, n_queries) = [0, 1), got 1
ndcg_score(Y, S, [0, 0, -1], n_queries=2)
    ValueError: queries must lie in [0, n_queries) = [0, 2), got -1
ndcg_score(Y, S, [0, 0, 1], n_queries=2.0)
    TypeError: n_queries must be a positive integer, got 2.0
ndcg_score(Y, S, [0, 0, 1], n_queries=0)
    ValueError: n_queries must be a positive integer, got 0
ndcg_score(Y, S, [0, 0, 1], n_queries=True)
    TypeError: n_queries must be a positive integer, got True
ndcg_score(Y, S, [0, 0, 1], n_queries=2**40)
    ValueError: n_queries must be at most 2**36, got 1099511627776; number the queries from 0
ndcg_score(Y, S, Q, n_queries=2)
    TypeError: queries must hold integers in [0, n_queries) where n_queries= is given, got 'a'
jax.jit(ndcg_score)(jnp.asarray(Y), jnp.asarray(S), jnp.asarray([0, 0, 1]))
    TypeError: n_queries must be given inside jax.jit or jax.vmap, where the queries are not known yet
ndcg_score(META, META, META)
    TypeError: n_queries must be given on the meta device, where the queries have no values

# Masks, weights and numbers of relevant documents

ndcg_score(Y, S, mask=[1.0, 0.0, 1.0])
    TypeError: mask must hold booleans and none missing, got dtype float64
ndcg_score(Y, S, mask=[1, 0, 1])
    TypeError: mask must hold booleans and none missing, got dtype int64
ndcg_score(Y, S, mask=[True, False])
    ValueError: mask must have the shape of y_true, (3,), got (2,)
ndcg_score(Y2, S2, mask=[[True] * 3, [False] * 3])
    ValueError: y_true must have a document that counts for each query, got none for query 1; with
    n_relevant= or ideal= it scores 0, with the weight 0 (sample_weight=) it does not count
ndcg_score(Y2, S2, sample_weight=[1, 2, 3])
    ValueError: sample_weight must have a weight for each query (2), got 3
ndcg_score(Y, S, Q, sample_weight=[1, 1, 1])
    ValueError: sample_weight must have a weight for each query (2), got 3
ndcg_score(Y2, S2, sample_weight=[1, -2])
    ValueError: sample_weight must be finite and not negative, got -2
ndcg_score(Y2, S2, sample_weight=[1, NAN])
    ValueError: sample_weight must be finite and not negative, got nan
ndcg_score(Y2, S2, sample_weight=[0, 0])
    ValueError: sample_weight must be above 0 for at least one query, got none of 2
ndcg_score(Y2, S2, sample_weight=["a", "b"])
    TypeError: sample_weight must hold real numbers and none missing, got dtype <U1
ndcg_score(Y2, S2, sample_weight=2)
    TypeError: sample_weight must be a vector (array, Series or sequence), got int
ndcg_score(Y, S, Q, sample_weight={"a": 1, "b": 2})
    TypeError: sample_weight must be a vector (array, Series or sequence), got dict
ndcg_score(Y, S, Q, sample_weight=pd.Series({"b": 1, "a": 2}))
    ValueError: sample_weight must have the queries as its index, in their order, got 'b' and 'a' at position 0;
    reindex it, or give sample_weight.to_numpy()
ndcg_score(NAMED, S2, n_relevant=pd.Series({"y": 2, "x": 2}))
    ValueError: n_relevant must have the queries as its index, in their order, got 'y' and 'x' at position 0;
    reindex it, or give n_relevant.to_numpy()
recall_at_n(Y, S, Q, n_relevant={"a": 1, "c": 2})
    ValueError: n_relevant must have every query, got none called 'b'
recall_at_n(Y, S, [7, 7, 9], n_relevant={"7": 1, "9": 2})
    ValueError: n_relevant must have every query, got none called 7
recall_at_n(Y, S, Q, n_relevant=pd.Series([1, 1, 1], index=["a", "b", "a"]))
    ValueError: n_relevant must have each query once, got 'a' twice
recall_at_n([1, 0, 1, 1], [4, 3, 2, 1], [0, 0, 1, 3], n_relevant=pd.Series([3, 2, 1], index=[0, 1, 2]))
    ValueError: n_relevant must have every query, got none called 3
recall_at_n(Y, S, Q, n_relevant=pd.Series([2, 1], index=[0, 1]))
    ValueError: n_relevant must have every query, got none called 'a'
ndcg_score(Y, S, Q, sample_weight=pd.Series([2, 1], index=[0, 1]))
    ValueError: sample_weight must have the queries as its index, in their order, got 0 and 'a' at position 0;
    reindex it, or give sample_weight.to_numpy()
recall_at_n(Y, S, Q, n_relevant={})
    ValueError: n_relevant must have at least one query, got none
recall_at_n(Y, S, Q, n_relevant={"a": 1, "b": 0, "c": 2})
    ValueError: n_relevant must be at least the number of relevant documents in each list, got 0 for query 'b',
    whose list has 1
ndcg_score([3, 0], n_relevant=3)
    ValueError: ideal= must be given for ndcg_score in place of n_relevant=, where relevances are not only 0 and 1:
    those of the relevant documents that a list lacks are not known, got n_relevant 3 for query 0 and relevances up to 3
ranking.evaluate([3, 0, 1], None, Q, n_relevant={"a": 1, "b": 2}, metrics=["map", "ndcg@10"])
    ValueError: ideal= must be given for ndcg_score in place of n_relevant=, where relevances are not only 0 and 1:
    those of the relevant documents that a list lacks are not known, got n_relevant 2 for query 'b' and relevances
    up to 3
ndcg_score(Y, S, n_relevant=3, ideal=[1, 1, 1])
    TypeError: n_relevant= cannot be given with ideal=, which says how many documents are relevant
ndcg_score([3, 2], ideal=[3, 1, 1])
    ValueError: ideal must have the relevances of all relevant documents of a query, also of those in its list, got 3,
    1, 1 for query 0, whose list has 1 more
ndcg_score(Y, S, Q, ideal={"a": [1], "b": []})
    ValueError: ideal must have the relevances of all relevant documents of a query, also of those in its list, got none
    for query 'b', whose list has 1 more
ndcg_score(Y, S, ideal=[1, -1, 1])
    ValueError: ideal must be finite and not negative, got -1 at row 0, column 1; ignore_relevance= leaves documents out
ndcg_score(Y2, S2, ideal=[1, 1])
    ValueError: ideal must have a row of relevances for each query, got shape (2,)
ndcg_score(Y2, S2, ideal=[[1, 1], [1], [1]])
    ValueError: ideal must have a row for each query (2), got 3
ndcg_score(TORCH, TORCH_S, ideal=[[1, 1]])
    ValueError: ideal must have a row for each query (2), got 1
ndcg_score(Y2, S2, ideal=[[1, 1], [[1]]])
    ValueError: ideal must have a list of relevances for each query, got one of shape (1, 1)
ndcg_score(Y2, S2, ideal=[[1, 1], 1])
    TypeError: ideal must be a vector, or a matrix with a row for each query, got int
ndcg_score(Y2, S2, ideal={"x": [1, 1]})
    TypeError: ideal must be the relevances of the relevant documents of each query, got {'x': [1, 1]}; a mapping from
    names goes with queries= and without n_queries=
ndcg_score(Y, S, [0, 0, 0], ideal={0: [1, 1]}, n_queries=1)
    TypeError: ideal must be the relevances of the relevant documents of each query, got {0: [1, 1]}; a mapping from
    names goes with queries= and without n_queries=
ndcg_score(Y2, S2, ideal="1")
    TypeError: ideal must be the relevances of the relevant documents of each query, got '1'
ndcg_score(Y2, S2, ideal=[["a"], ["b"]])
    TypeError: ideal must hold numbers, got dtype <U1
average_precision_score(Y, S, divisor="hits")
    ValueError: divisor must be one of 'cutoff', 'relevant', 'found', got 'hits'
average_overlap([1, 2], ["1", "2"])
    TypeError: first and second must hold items of one kind, as numbers and text are never equal, got numbers and
    text, such as '2'; convert one of them
average_overlap([1, 2, -1], [1, 2, -1], ignore_items="-1")
    TypeError: ignore_items must be of a kind that first or second holds, got '-1'
ndcg_score(NAMED, S2, sample_weight=pd.Series({"y": 1, "x": 2}))
    ValueError: sample_weight must have the queries as its index, in their order, got 'y' and 'x' at position 0;
    reindex it, or give sample_weight.to_numpy()
recall_at_n(Y2, S2, n_relevant=[1, 1])
    ValueError: n_relevant must be at least the number of relevant documents in each list, got 1 for query 0,
    whose list has 2
recall_at_n(Y, S, Q, n_relevant=[1, 0])
    ValueError: n_relevant must be at least the number of relevant documents in each list, got 0 for query 'b',
    whose list has 1
recall_at_n(Y2, S2, n_relevant=-1)
    ValueError: n_relevant must be at least the number of relevant documents in each list, got -1 for query 0,
    whose list has 2
recall_at_n(Y2, S2, n_relevant=1.5)
    TypeError: n_relevant must be an integer, or one for each query, got 1.5
recall_at_n(Y2, S2, n_relevant=[2.0, 1.0])
    TypeError: n_relevant must hold integers, got dtype float64
recall_at_n(Y2, S2, n_relevant=[2, None])
    TypeError: n_relevant must hold integers, got None at position 1
recall_at_n(Y2, S2, n_relevant=[2, 1, 1])
    ValueError: n_relevant must have a number for each query (2), got 3
recall_at_n(Y2, S2, n_relevant=np.asarray([2, 1.5], dtype=object))
    TypeError: n_relevant must hold integers, got dtype float64
recall_at_n(Y2, S2, n_relevant=[[2, 1]])
    ValueError: n_relevant must be one number, or one for each query, got shape (1, 2)
recall_at_n(Y2, S2, n_relevant="2")
    TypeError: n_relevant must be an integer, or one for each query, got '2'
ndcg_score(Y2, S2, ignore_relevance="unknown")
    TypeError: ignore_relevance must be a number or several numbers, got 'unknown'
ndcg_score(Y2, S2, ignore_relevance=[[0]])
    TypeError: ignore_relevance must be a number or several numbers, got [0]
ndcg_score(Y2, S2, ignore_relevance=np.asarray([[0, 1]]))
    TypeError: ignore_relevance must be a number or several numbers, got array([0, 1])
ndcg_score(TORCH, TORCH_S, ignore_relevance=torch.tensor([[0, 1]]))
    TypeError: ignore_relevance must be a number or several numbers, got tensor([0, 1])
ndcg_score(Y2, S2, ignore_relevance=Decimal("-1e400"))
    ValueError: ignore_relevance must hold integers that fit in 64 bits, or in 64-bit floats if it also holds missing or
    other numbers, got Decimal('-1E+400')
ndcg_score(Y2, S2, ignore_relevance=[0, 1])
    ValueError: y_true must have a document that counts for each query, got none for query 0; with
    n_relevant= or ideal= it scores 0, with the weight 0 (sample_weight=) it does not count

# Libraries and devices

ndcg_score(TORCH, S2)
    TypeError: y_true and y_score must be of one array library, got torch.Tensor and numpy.ndarray; convert one
    of them: torch.tensor(y_score, device=y_true.device)
ndcg_score(Y2, TORCH_S)
    TypeError: y_true and y_score must be of one array library, got numpy.ndarray and torch.Tensor; convert one
    of them: torch.tensor(y_true, device=y_score.device)
ndcg_score(TORCH, jnp.asarray(S2))
    TypeError: y_true and y_score must be of one array library, got torch.Tensor and jax.Array; convert one of
    them: torch.from_dlpack(y_score)
ndcg_score(TORCH, TORCH_S, sample_weight=jnp.asarray([1.0, 2.0]))
    TypeError: y_true and sample_weight must be of one array library, got torch.Tensor and jax.Array; convert
    one
ndcg_score(Y, S, torch.asarray([0, 0, 1]))
    TypeError: y_true and queries must be of one array library, got list and torch.Tensor; convert one
ndcg_score(TORCH, TORCH_S.to("meta"))
    ValueError: y_true and y_score must be on one device, got cpu and meta; what is on the meta device has no
    values
ndcg_score(STRICT, ELSEWHERE)
    ValueError: y_true and y_score must be on one device, got array_api_strict.Device('CPU_DEVICE') and
    array_api_strict.Device('device1'); move one of them: y_score.to_device(y_true.device)
ndcg_score(STRICT, STRICT, sample_weight=ELSEWHERE[:1])
    ValueError: y_true and sample_weight must be on one device, got array_api_strict.Device('CPU_DEVICE') and
    array_api_strict.Device('device1'); move one of them: sample_weight.to_device(y_true.device)

# Options

ndcg_score(Y, S, n=0)
    ValueError: n must be a positive integer, got 0
precision_at_n(Y, S, n=-3)
    ValueError: n must be a positive integer, got -3
recall_at_n(Y, S, n=1.5)
    TypeError: n must be a positive integer, got 1.5
hit_rate(Y, S, n=True)
    TypeError: n must be a positive integer, got True
reciprocal_rank_score(Y, S, n="3")
    TypeError: n must be a positive integer, got '3'
cumulative_gain(Y, S, n=[1, 2])
    TypeError: n must be a positive integer, got [1, 2]
dcg_score(Y, S, n=2**50)
    ValueError: n must be at most 2**36, got 1125899906842624
dcg_score(Y, S, gain="quadratic")
    ValueError: gain must be one of 'linear', 'exponential', got 'quadratic'
dcg_score(Y, S, discount="ln")
    ValueError: discount must be one of 'log2', 'jarvelin', got 'ln'
ndcg_score(Y, S, ties="mean")
    ValueError: ties must be one of 'average', 'stable', got 'mean'
ndcg_score(Y, S, ties=True)
    ValueError: ties must be one of 'average', 'stable', got True
ndcg_score(Y, S, on_undefined="raise")
    ValueError: on_undefined must be one of 'zero', 'one', 'nan', 'skip', got 'raise'
ndcg_score(Y, S, on_undefined=0)
    ValueError: on_undefined must be one of 'zero', 'one', 'nan', 'skip', got 0
ndcg_score(Y, S, return_per_query=1)
    TypeError: return_per_query must be True or False, got 1
average_precision_score(Y, S, gain="linear")
    TypeError: average_precision_score() got an unexpected keyword argument 'gain'; its own options are n, divisor
average_precision_score(Y, S, top_k=3)
    TypeError: average_precision_score() got an unexpected keyword argument 'top_k'; it is called n here
ndcg_score(Y, S, k=3)
    TypeError: ndcg_score() got an unexpected keyword argument 'k'; it is called n here
ndcg_score(Y, S, log_base=2)
    TypeError: ndcg_score() got an unexpected keyword argument 'log_base'; it is called discount here
average_precision_score(Y, S, log_base=2)
    TypeError: average_precision_score() got an unexpected keyword argument 'log_base'; its own options are n, divisor
ndcg_score(Y, S, ignore_ties=True)
    TypeError: ndcg_score() got an unexpected keyword argument 'ignore_ties'; it is called ties here
ndcg_score(Y, S, indexes=[0, 0, 1])
    TypeError: ndcg_score() got an unexpected keyword argument 'indexes'; it is called queries here
ndcg_score(Y, S, empty_target_action="neg")
    TypeError: ndcg_score() got an unexpected keyword argument 'empty_target_action'; it is called on_undefined
    here
ndcg_score(RANKED, S)
    TypeError: y_score= cannot be given with a Ranked: give it to Ranked.from_scores
ndcg_score(RANKED, ties="stable")
    TypeError: ties= cannot be given with a Ranked: give it to Ranked.from_scores
ndcg_score(RANKED, n_queries=2)
    TypeError: n_queries= cannot be given with a Ranked: give it to Ranked.from_scores
Ranked.from_scores(RANKED)
    TypeError: y_true must be a vector, or a matrix with a row for each query, got gpuval.Ranked
Ranked.from_scores(Y, S, ties="mean")
    ValueError: ties must be one of 'average', 'stable', got 'mean'

# Many measures

ranking.evaluate(Y, S, metrics="ndgc")
    ValueError: metrics must be names of measures of rankings, got 'ndgc'; did you mean ndcg?
ranking.evaluate(Y, S, metrics="ndcg@0")
    ValueError: metrics must be names of measures of rankings, with @ and a positive integer where only the
    first n count, got 'ndcg@0'
ranking.evaluate(Y, S, metrics=[])
    ValueError: metrics must have at least one measure, got none
ranking.evaluate(Y, S, metrics={"x": lambda ranked: "a"})
    TypeError: metrics must give a number, an array, or a tuple of these for a ranking, got str from 'x'
ranking.evaluate(Y, S, on_undefined="raise")
    ValueError: on_undefined must be one of 'zero', 'one', 'nan', 'skip', got 'raise'
ranking.evaluate(Y, S, return_per_query="yes")
    TypeError: return_per_query must be True or False, got 'yes'
ranking.evaluate(RANKED, S)
    TypeError: y_score= cannot be given with a Ranked: give it to Ranked.from_scores
ranking.evaluate(Y, S[:2])
    ValueError: y_score must have the shape of y_true, (3,), got (2,)
"""


@pytest.mark.parametrize(("call", "error"), wrong_calls(WRONG))
def test_a_wrong_call_raises_one_clear_error(call, error):
    assert_raises(call, error, globals() | NAMES | {name: getattr(ranking, name) for name in ranking.__all__})


def test_all_are_read():
    lines = [line for line in WRONG.splitlines() if line and not line.startswith(("#", " "))]
    assert lines == [call for call, _ in wrong_calls(WRONG)]
    assert len({error for _, error in wrong_calls(WRONG)}) > 80


# What users have works as it is: means of the lists 0 1 of u and 1 of v, by hand


def test_columns_of_a_click_log():
    assert ranking.reciprocal_rank_score(LOG["clicked"], LOG["score"], LOG["user"]) == 0.75
    weights = pd.Series({"u": 3, "v": 1})
    assert ranking.reciprocal_rank_score(LOG["clicked"], LOG["score"], LOG["user"], sample_weight=weights) == 0.625
    by_title = LOG.sample(frac=1, random_state=0)
    assert ranking.reciprocal_rank_score(by_title["clicked"], by_title["score"], by_title["user"]) == 0.75
    table = pl.DataFrame(LOG.to_dict("list"))
    assert ranking.reciprocal_rank_score(table["clicked"], table["score"], table["user"]) == 0.75


def test_names_of_queries_on_the_host_beside_tensors():
    clicked, score = torch.asarray([1, 0, 1]), torch.asarray([0.1, 0.2, 0.3])
    for queries in (["u", "u", "v"], LOG["user"], np.asarray([5, 5, 7])):
        found = ranking.reciprocal_rank_score(clicked, score, queries)
        assert isinstance(found, torch.Tensor)
        assert float(found) == 0.75


def test_frames_with_a_row_for_each_query():
    weights = pd.Series({"x": 1, "y": 3})
    scores = ranking.evaluate(NAMED, pd.DataFrame(S2, index=["x", "y"]), metrics="precision@2", sample_weight=weights)
    assert scores["precision@2"] == 0.5
    weights = weights.reset_index(drop=True)  # positions, which are the order
    assert ranking.precision_at_n(Y2, [[0.3, 0.1, 0.2], [0.1, 0.5, 0.2]], n=2, sample_weight=weights) == 0.625


def test_numbers_of_polars_with_missing_ones():
    relevance = pl.Series([True, None, False])
    assert ranking.reciprocal_rank_score(relevance, [0.1, 0.9, 0.5], ignore_relevance=NAN) == 0.5


def test_names_with_a_number_of_queries_on_a_device():
    message = "queries must hold integers in [0, n_queries) where n_queries= is given, got 'a'"
    with as_on_a_device(), pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        ranking.ndcg_score(torch.asarray(Y), torch.asarray(S), Q, n_queries=2)
