"""Means of intervals batch by batch: any batches, in any order, are one call."""

import copy
import functools
import io
import json
import pickle
import re
from fractions import Fraction
from math import inf, nan

import interval_oracles as oracles
import numpy as np
import pytest
from backends import BACKENDS, as_on_a_device, jax_values_refused, transfers_to_host
from interval_cases import MASK, PAIRS, UNDEFINED, WEIGHTS, arrays, values
from interval_oracles import CALLS

from gpuval import intervals
from gpuval.engines.backends import to_host
from gpuval.evaluation.intervals.names import INTERVAL_MEASURES
from gpuval.intervals import IntervalAccumulator, inclusion_score, jaccard_score, ochiai_score

BATCHES = (slice(0, 10), slice(10, 20), slice(20, 30))
PAIRS = (*UNDEFINED, *PAIRS)[:30]
WEIGHTS, MASK = WEIGHTS[:30], MASK[:30]
"""Three batches of one shape, as JAX compiles for each."""

SYMMETRIC = [f"{x}_score" for x in ("jaccard", "simpson", "braun_blanquet", "sorensen", "kulczynski", "ochiai")]

ASKED = {
    call: functools.partial(getattr(intervals, name), **options) if options else name
    for call, (name, options) in CALLS.items()
}
"""Every measure, and inclusion with all of its options."""


def held_by_dask():
    import dask.array as da  # which machines that have little but a GPU lack

    return da.ones((4, 2))


def filled(backend, accumulator, batches=(0, 1, 2), weighed=True):
    true, pred = arrays(PAIRS)
    for i in batches:
        part = BATCHES[i]
        more = {"mask": np.asarray(MASK[part]), "sample_weight": np.asarray(WEIGHTS[part])} if weighed else {}
        given = (backend.array(x[part]) for x in (true, pred))
        accumulator.update(*given, **{name: backend.array(x) for name, x in more.items()})
    return accumulator


def mean(call, weighed, undefined):
    """By definition; a sample without a value has this one, or is left out."""
    weights = [Fraction(w) * m for w, m in zip(WEIGHTS, MASK, strict=True)] if weighed else [1] * len(PAIRS)
    found = [(undefined if x is None else x, w) for x, w in zip(values(call, PAIRS), weights, strict=True)]
    kept = [(x, w) for x, w in found if x is not None]
    return sum(x * w for x, w in kept) / sum(w for _, w in kept)


VALUE = {"zero": 0, "one": 1, "skip": None}
"""What a sample without a value is by ``on_undefined``."""


def numbers(accumulator):
    return {name: float(np.asarray(x)) for name, x in accumulator.scores.items()}


@pytest.mark.parametrize("weighed", [False, True])
@pytest.mark.parametrize("undefined", VALUE)
def test_batches_are_one_call(backend, undefined, weighed):
    accumulator = filled(backend, IntervalAccumulator(ASKED, on_undefined=undefined), weighed=weighed)
    assert list(accumulator.scores) == list(CALLS)
    for call, score in accumulator.scores.items():
        backend.assert_close(score, mean(call, weighed, VALUE[undefined]), call)
        backend.assert_at_home(score, backend.array(arrays(PAIRS)[0]))


def test_there_are_samples_without_a_value():
    assert sum(x is None for x in values("jaccard_score", PAIRS)) == len(UNDEFINED)
    assert any(WEIGHTS[i] * MASK[i] for i in range(len(UNDEFINED)))
    assert np.isnan(list(numbers(filled(BACKENDS["numpy"], IntervalAccumulator())).values())).all()


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
    assert set(INTERVAL_MEASURES) == set(oracles.ORACLES)


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


# ---- sums ------------------------------------------------------------------------------------------


def test_nothing_of_a_batch_is_kept(backend):
    accumulator = IntervalAccumulator(SYMMETRIC, on_undefined="skip")
    for _ in range(3):
        filled(backend, accumulator)
        kept = [x for x in vars(accumulator).values() if hasattr(x, "shape")]
        assert sorted(tuple(x.shape) for x in kept) == [(0,), (2, 2, 6)]
        assert all(getattr(x, "base", None) is None or x.base.size <= 24 for x in kept)


def test_many_small_batches_lose_no_digits():
    """In 32 bits 2^24 + 1 = 2^24: the sum of weights of more samples than that would stand still."""
    backend = BACKENDS["strict-no-float64"]
    accumulator = IntervalAccumulator("jaccard")
    same, apart, one = (backend.array(x) for x in ([[0, 1]], [[2, 3]], np.asarray([1.0])))
    accumulator.update(same, same, sample_weight=backend.array(np.asarray([2.0**24])))
    for _ in range(100):
        accumulator.update(same, apart, sample_weight=one)
    wanted = Fraction(2**24, 2**24 + 100)
    assert abs(float(backend.numpy(accumulator.scores["jaccard_score"])) - wanted) < 2**-23
    assert 1 - wanted > 2**-18  # it would be 1, if the sum stood still


def test_merge(backend):
    first, second = (filled(backend, IntervalAccumulator(ASKED, on_undefined="skip"), x) for x in ([0], [1, 2]))
    empty = IntervalAccumulator(ASKED, on_undefined="skip")
    empty.merge(first)
    empty.merge(IntervalAccumulator(ASKED, on_undefined="skip"))
    empty.merge(second)
    for call, score in empty.scores.items():
        backend.assert_close(score, mean(call, True, None), call)


def test_reset_and_copies():
    backend = BACKENDS["numpy"]
    accumulator = filled(backend, IntervalAccumulator(on_undefined="skip"), [0])
    copies = [copy.copy(accumulator), copy.deepcopy(accumulator), pickle.loads(pickle.dumps(accumulator))]
    whole = numbers(filled(backend, accumulator, [1, 2]))
    for one in copies:
        assert numbers(one) != whole
        assert numbers(filled(backend, one, [1, 2])) == whole
    accumulator.reset()
    assert numbers(filled(backend, accumulator)) == whole


def test_what_it_says_of_itself():
    accumulator = IntervalAccumulator(["jaccard", "simpson"])
    assert repr(accumulator) == "IntervalAccumulator([jaccard_score, simpson_score])"
    accumulator.update([0, 4], [1, 7])
    assert repr(accumulator) == "IntervalAccumulator([jaccard_score, simpson_score], numpy)"


# ---- on a device -----------------------------------------------------------------------------------


def test_an_update_reads_no_value():
    import torch
    from torch_operations import TorchOperations

    accumulator = IntervalAccumulator(ASKED)
    with as_on_a_device(), transfers_to_host() as copied, TorchOperations() as called:
        found = filled(BACKENDS["torch"], accumulator).scores
    assert called.counter
    assert called.waits == 0
    assert not copied
    assert all(type(x) is torch.Tensor for x in found.values())
    with as_on_a_device(), transfers_to_host() as copied:
        to_host(found["jaccard_score"])
    assert copied  # so it would be seen


def test_an_update_of_jax_reads_no_value():
    backend = BACKENDS["jax"]
    with backend.mode(), jax_values_refused(), transfers_to_host() as copied:
        _ = filled(backend, IntervalAccumulator()).scores
    assert not copied


@pytest.mark.parametrize("name", ["torch", "jax"])
def test_what_is_wrong_on_a_device_is_nan(name):
    backend = BACKENDS[name]
    with backend.mode():
        for wrong in (
            {"true_intervals": [[4.0, 1.0]]},
            {"pred_intervals": [[nan, 1.0]]},
            {"sample_weight": [-1.0]},
            {"sample_weight": [nan]},
        ):
            given = {"true_intervals": [[0.0, 4.0]], "pred_intervals": [[1.0, 7.0]]}
            accumulator = IntervalAccumulator(["jaccard", "ochiai"], on_undefined="skip")
            accumulator.update(**{x: backend.array(np.asarray(y)) for x, y in given.items()})
            accumulator.update(**{x: backend.array(np.asarray(y)) for x, y in (given | wrong).items()})
            assert all(np.isnan(backend.numpy(x)) for x in accumulator.scores.values()), wrong


def test_gradients_and_inference_mode_are_not_kept():
    import torch

    for place in (as_on_a_device, torch.no_grad, torch.enable_grad):
        with place():
            accumulator = IntervalAccumulator("jaccard")
            true, pred = torch.tensor([[0.0, 4.0]]), torch.tensor([[0.0, 2.0]], requires_grad=True)
            accumulator.update(true, pred * 1, sample_weight=torch.ones(1, requires_grad=True))
            assert not getattr(accumulator._sums, "requires_grad", False)
            with torch.inference_mode():
                accumulator.update(torch.tensor([[0.0, 4.0]]), torch.tensor([[0.0, 4.0]]))
            accumulator.update(true, true)
            assert accumulator._given.untyped_storage().nbytes() == 0
            assert numbers(accumulator) == {"jaccard_score": pytest.approx(5 / 6, abs=1e-15)}


def test_inside_of_jax():
    import jax

    x = jax.numpy.asarray([[0.0, 4.0]])
    inside = IntervalAccumulator("jaccard")

    def loss(pred):
        inside.update(x, pred, sample_weight=pred[:, 1])
        return pred.sum()

    jax.grad(loss)(x)
    assert numbers(inside) == {"jaccard_score": 1.0}
    message = (
        "an accumulator cannot be updated inside jax.jit or jax.vmap: return the values of the samples from there "
        "(return_per_sample=True)"
    )
    for given in (lambda y: (x, y), lambda y: (y, x)):
        with pytest.raises(TypeError, match=f"^{re.escape(message)}"):
            jax.jit(lambda y, given=given: inside.update(*given(y)))(x)
    with pytest.raises(TypeError, match=f"^{re.escape(message)}"):
        jax.jit(lambda w: inside.update(x, x, sample_weight=w))(x[:, 1])
    assert numbers(inside) == {"jaccard_score": 1.0}


@pytest.mark.parametrize("place", [as_on_a_device, BACKENDS["torch-host"].mode])
def test_an_update_is_compiled(place):
    """Also where the sums lie in NumPy outside of the graph."""
    import torch

    true, pred = arrays(PAIRS)
    with place():
        accumulator = IntervalAccumulator(ASKED, on_undefined="skip")
        step = torch.compile(lambda x, y: accumulator.update(x, y), backend="eager")
        for part in BATCHES:
            step(torch.asarray(true[part]), torch.asarray(pred[part]))
        wanted = [float(mean(call, False, None)) for call in CALLS]
        assert list(numbers(accumulator).values()) == pytest.approx(wanted, abs=1e-14)


# ---- checkpoints -----------------------------------------------------------------------------------


def pickled(x):
    return pickle.loads(pickle.dumps(x))


def through_torch(state):
    import torch

    file = io.BytesIO()
    torch.save(state, file)
    return torch.load(io.BytesIO(file.getvalue()), weights_only=True)


@pytest.mark.parametrize("name", ["numpy", "torch", "torch-host", "jax", "strict"])
def test_a_state_goes_on(name):
    backend = BACKENDS[name]
    ways = {"numpy": [pickled, through_torch, lambda x: json.loads(json.dumps(x))], "strict": [copy.deepcopy]}
    ways |= {"torch": [pickled, through_torch], "torch-host": [pickled, through_torch]}
    with backend.mode():
        whole, half = (filled(backend, IntervalAccumulator(ASKED, on_undefined="skip"), x) for x in ([0, 1, 2], [0, 1]))
        for through in ways.get(name, [pickled]):
            other = IntervalAccumulator(ASKED, on_undefined="skip")
            other.load_state_dict(through(half.state_dict()))
            found, wanted = filled(backend, other, [2]).scores, whole.scores
            for x, y in zip(found.values(), wanted.values(), strict=True):
                assert float(backend.numpy(x)) == float(backend.numpy(y))
                assert type(x) is type(y)
        other.load_state_dict(IntervalAccumulator(ASKED, on_undefined="skip").state_dict())
        with pytest.raises(ValueError, match=r"^an accumulator must have had an update before its scores are read"):
            _ = other.scores


SUMS = {"dtype": "<f8", "shape": [2, 2, 1], "values": [1.0, 2.0, 0.0, 0.0]}


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (None, TypeError, "state must be a mapping, as state_dict() gives it, got NoneType"),
        (
            {"metrics": ["iou"]},
            ValueError,
            "state must be of an accumulator with the same metrics=['jaccard_score: jaccard_score()'], got ['iou']",
        ),
        (
            {"on_undefined": "skip"},
            ValueError,
            "state must be of an accumulator with the same on_undefined=None, got skip",
        ),
        ({"sums": {**SUMS, "shape": [4, 1]}}, ValueError, "state must have sums of shape (2, 2, 1), got (4, 1)"),
        ({"sums": {**SUMS, "dtype": "<i8"}}, ValueError, "state must have sums of floats, got dtype int64"),
        ({"given": np.ones(3)}, ValueError, "state must have given of shape (0,), got (3,)"),
    ],
)
def test_a_state_that_is_broken_changes_nothing(change, error, message):
    accumulator = IntervalAccumulator("jaccard")
    accumulator.update([[0, 4]], [[0, 2]])
    state = None if change is None else accumulator.state_dict() | change
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        accumulator.load_state_dict(state)
    assert numbers(accumulator) == {"jaccard_score": 0.5}


# ---- what is refused -------------------------------------------------------------------------------


def test_batches_that_do_not_go_together():
    import torch

    accumulator = IntervalAccumulator("jaccard")
    accumulator.update([[0, 4]], [[0, 2]])
    message = "true_intervals must be of the array library of the accumulator (numpy), got torch"
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        accumulator.update(torch.tensor([[0, 4]]), torch.tensor([[0, 4]]))
    strict = BACKENDS["strict"]
    on_device = IntervalAccumulator("jaccard")
    on_device.update(*[strict.array([[0, 4]])] * 2)
    with pytest.raises(ValueError, match=r"^true_intervals must be on the device of the accumulator \(.*\), got "):
        on_device.update(*[BACKENDS["strict-fixed-shapes"].array([[0, 4]])] * 2)
    message = "other must be of the array library of the accumulator (numpy), got array_api_strict"
    with pytest.raises(TypeError, match=f"^{re.escape(message)}$"):
        accumulator.merge(on_device)
    assert numbers(accumulator) == {"jaccard_score": 0.5}


MUST_BE = "metrics must be names or functions of measures of gpuval.intervals"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda x: x.merge(3), TypeError, "other must be an IntervalAccumulator, got int"),
        (
            lambda x: x.merge(IntervalAccumulator("jaccard", on_undefined="skip")),
            ValueError,
            "accumulators must have the same on_undefined to be merged, got None and skip",
        ),
        (
            lambda x: x.merge(IntervalAccumulator("ochiai")),
            ValueError,
            (
                "accumulators must have the same metrics to be merged, got ['jaccard_score: jaccard_score()'] and "
                "['ochiai_score: ochiai_score()']"
            ),
        ),
        (
            lambda x: IntervalAccumulator("jaccard").scores,
            ValueError,
            "an accumulator must have had an update before its scores are read, got none",
        ),
        (
            lambda x: IntervalAccumulator(on_undefined="none"),
            ValueError,
            "on_undefined must be one of 'zero', 'one', 'nan', 'skip', got 'none'",
        ),
        (lambda x: IntervalAccumulator("jacard"), ValueError, f"{MUST_BE}, got 'jacard'; did you mean jaccard?"),
        (
            lambda x: IntervalAccumulator(["jaccard", "iou"]),
            ValueError,
            (
                f"{MUST_BE}, got 'iou'; there are braun_blanquet, inclusion, jaccard, kulczynski, ochiai, simpson, "
                "sorensen"
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


def test_one_process_is_itself():
    accumulator = IntervalAccumulator()
    assert accumulator.all_reduce() is accumulator
    with pytest.raises(RuntimeError, match=r"^torch\.distributed must be initialised before all_reduce"):
        accumulator.all_reduce(group=object())
