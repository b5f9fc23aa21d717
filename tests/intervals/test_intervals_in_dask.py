"""Intervals that Dask holds: sums add up block by block, and are those of one call."""

import dask
import dask.array as da
import dask.dataframe as dd
import interval_oracles as oracles
import numpy as np
import pandas as pd
import pytest
from interval_cases import MASK, PAIRS, UNDEFINED, WEIGHTS, arrays, values
from interval_oracles import CALLS

from gpuval import intervals
from gpuval.intervals import jaccard_score


def in_blocks(x, *sizes):
    return da.from_array(np.asarray(x), chunks=sizes)


@pytest.mark.parametrize("sizes", [(1, 2), (5, 1), (100, 2)])
@pytest.mark.parametrize("scheduler", ["threads", "synchronous"])
def test_blocks_are_one_call(scheduler, sizes):
    """Blocks hold whole rows in the end; in some no sample counts."""
    true, pred = arrays()
    counted = [w * m for w, m in zip(WEIGHTS, MASK, strict=True)]
    with dask.config.set(scheduler=scheduler):
        given = in_blocks(true, *sizes), in_blocks(pred, 3, 2)
        more = {"mask": in_blocks(MASK, 2), "sample_weight": in_blocks(WEIGHTS, 7)}
        for call, (name, options) in CALLS.items():
            measure = getattr(intervals, name)
            found = measure(*given, **options)
            assert type(found) is np.float64
            assert found == pytest.approx(float(oracles.mean(values(call))), rel=1e-14)
            found = measure(*given, **options, **more)
            assert found == pytest.approx(float(oracles.mean(values(call), counted)), rel=1e-14)


def test_what_is_undefined():
    pairs = [*UNDEFINED, *PAIRS[:2]]
    given = [in_blocks(x, 2, 2) for x in arrays(pairs)]
    for way in ("zero", "one", "skip"):
        wanted = oracles.mean(values("jaccard_score", pairs), None, way)
        assert jaccard_score(*given, on_undefined=way) == pytest.approx(float(wanted), rel=1e-14)
    assert np.isnan(jaccard_score(*given))
    assert np.isnan(jaccard_score(*(x[:3] for x in given), on_undefined="skip"))


def test_delayed_parts_and_frames():
    true, pred = arrays()
    wanted = pytest.approx(float(oracles.mean(values("jaccard_score"))), rel=1e-14)
    parts = [[dask.delayed(np.asarray)(x[i : i + 10]) for i in range(0, len(x), 10)] for x in (true, pred)]
    assert jaccard_score(*parts) == wanted
    frames = [dd.from_pandas(pd.DataFrame(x, columns=["start", "end"]), npartitions=3) for x in (true, pred)]
    assert jaccard_score(*frames) == wanted
