"""Means of intervals batch by batch: the measures and their options, and what is refused."""

import functools
import re
from math import inf, nan

import interval_oracles as oracles
import numpy as np
import pytest

from gpuval.intervals import IntervalAccumulator, inclusion_score, jaccard_score, ochiai_score
from gpuval.intervals.accumulator import READER


def held_by_dask():
    import dask.array as da  # which machines that have little but a GPU lack

    return da.ones((4, 2))


SYMMETRIC = [f"{x}_score" for x in ("jaccard", "simpson", "braun_blanquet", "sorensen", "kulczynski", "ochiai")]


def numbers(accumulator):
    return {name: float(np.asarray(x)) for name, x in accumulator.scores.items()}


def test_the_default_and_names():
    accumulator = IntervalAccumulator()
    accumulator.update([0, 4], [1, 7])
    assert list(accumulator.scores) == SYMMETRIC
    wanted = [float(oracles.of_sample(name, (0, 4), (1, 7))) for name in SYMMETRIC]
    assert list(numbers(accumulator).values()) == pytest.approx(wanted, abs=1e-15)
    for name in ("jaccard", "Jaccard_Score", jaccard_score, ["JACCARD"], functools.partial(jaccard_score)):
        one = IntervalAccumulator(name)
        one.update([0, 4], [1, 7])
        assert list(numbers(one).values()) == [pytest.approx(3 / 7, abs=1e-15)]
    assert set(READER.measures) == set(oracles.ORACLES)


def test_options_of_each_measure():
    of_pred = functools.partial(inclusion_score, of="pred")
    accumulator = IntervalAccumulator([inclusion_score, of_pred])
    accumulator.update([[0, 4]], [[1, 7]])
    assert numbers(accumulator) == {"inclusion_score": 0.75, "inclusion_score(of='pred')": 0.5}
    asked = {"own": functools.partial(jaccard_score, on_undefined="one"), "common": "jaccard"}
    accumulator = IntervalAccumulator(asked, on_undefined="zero")
    accumulator.update([[0, inf]], [[1, inf]])
    assert numbers(accumulator) == {"own": 1.0, "common": 0.0}


def test_integers_keep_their_digits():
    """Which floats of 64 bits do not hold: of 2^60 and 2^60 + 3, and one length in common of 3 and 2."""
    accumulator = IntervalAccumulator("jaccard")
    accumulator.update([[2**60, 2**60 + 3]], [[2**60 + 1, 2**60 + 3]])
    accumulator.update([[0.0, 3.0]], [[0.0, 1.0]])  # floats may follow
    assert numbers(accumulator) == {"jaccard_score": 0.5}  # (2/3 + 1/3)/2


def test_a_batch_of_which_nothing_counts():
    accumulator = IntervalAccumulator("jaccard")
    accumulator.update(np.zeros((0, 2)), np.zeros((0, 2)))
    accumulator.update([[0, 4]], [[1, 7]], mask=[False])
    accumulator.update([[0, 4]], [[1, 7]], sample_weight=[0.0])
    assert np.isnan(numbers(accumulator)["jaccard_score"])
    accumulator.update([[0, 4]], [[0, 2]])
    assert numbers(accumulator) == {"jaccard_score": 0.5}
    accumulator.update([[3, 1], [0, 4]], [[0, nan], [0, 4]], mask=[False, True])  # any intervals where it is False
    assert numbers(accumulator) == {"jaccard_score": 0.75}


# ---- what is refused -------------------------------------------------------------------------------


MUST_BE = "metrics must be names or functions of measures of gpuval.intervals"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: IntervalAccumulator("jacard"), ValueError, f"{MUST_BE}, got 'jacard'; did you mean jaccard?"),
        (
            lambda x: IntervalAccumulator(["jaccard", "iou"]),
            ValueError,
            (
                f"{MUST_BE}, got 'iou'; there are braun_blanquet, inclusion, jaccard, kulczynski, mean_inclusion, "
                "ochiai, simpson, sorensen"
            ),
        ),
        (lambda x: IntervalAccumulator([]), ValueError, "metrics must have at least one measure, got none"),
        (
            lambda x: IntervalAccumulator(3),
            TypeError,
            "metrics must be a name, or a sequence or mapping of names and functions of gpuval.intervals, got 3",
        ),
        (lambda x: IntervalAccumulator([3]), TypeError, f"{MUST_BE}, got 3"),
        (lambda x: IntervalAccumulator(np.mean), TypeError, f"{MUST_BE}, got mean of numpy"),
        (
            lambda x: IntervalAccumulator(functools.partial(jaccard_score, [0, 4])),
            TypeError,
            f"{MUST_BE}, got jaccard_score([0, 4]); give the options of jaccard_score alone, by their names",
        ),
        (
            lambda x: IntervalAccumulator(functools.partial(jaccard_score, mask=[True])),
            TypeError,
            "mask= must be given to update, got it with jaccard_score in metrics",
        ),
        (
            lambda x: IntervalAccumulator(functools.partial(jaccard_score, return_per_sample=True)),
            TypeError,
            "return_per_sample must be False in metrics, as sums alone are kept, got it with jaccard_score",
        ),
        (
            lambda x: IntervalAccumulator(functools.partial(ochiai_score, of="true")),
            TypeError,
            "ochiai_score() got an unexpected keyword argument 'of'; it has no options of its own",
        ),
        (
            lambda x: IntervalAccumulator(functools.partial(inclusion_score, of="both")),
            ValueError,
            "of must be one of 'true', 'pred', got 'both'",
        ),
        (
            lambda x: IntervalAccumulator(functools.partial(inclusion_score, on_undefined=0)),
            ValueError,
            "on_undefined must be one of 'zero', 'one', 'nan', 'skip', got 0",
        ),
        (
            lambda x: x.update([[0, 4]], [[0, 4], [1, 2]]),
            ValueError,
            "pred_intervals must have as many samples as true_intervals (1), got 2",
        ),
        (
            lambda x: x.update([[0, 4], [3, 1]], [[0, 4], [1, 2]]),
            ValueError,
            "true_intervals must have no end below its start, got [3, 1] in row 1; mask= leaves samples out",
        ),
        (
            lambda x: x.update([[0, 4]], [[0, 4]], sample_weight=[-1]),
            ValueError,
            "sample_weight must be finite and not negative, got -1",
        ),
        (
            lambda x: x.update(held_by_dask(), np.ones((4, 2))),
            TypeError,
            "true_intervals must be in memory here, got dask.Array; compute it",
        ),
    ],
)
def test_whole_messages(call, error, message):
    accumulator = IntervalAccumulator("jaccard")
    accumulator.update([[0, 4]], [[0, 2]])
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        call(accumulator)
    assert numbers(accumulator) == {"jaccard_score": 0.5}


def test_a_measure_twice_is_one():
    assert repr(IntervalAccumulator(["jaccard", jaccard_score])) == "IntervalAccumulator([jaccard_score])"
