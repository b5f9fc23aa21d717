"""What is declared of the measures that take no table: which scores are better, and between which ends they lie.

Of measures of tables this is in ``metrics/test_declared_properties.py``, where the tables are all that there are.
"""

import inspect
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest

import gpuval
from gpuval.cli.catalogue import all_measures
from gpuval.measures.measure import Measure

RNG = np.random.default_rng(0)
N = 48
LABELS = np.arange(N) % 3
BATCH = np.where(LABELS == 2, 0, np.arange(N) // 3 % 2)
"""Two labels are in both batches, and one, which is isolated, in one alone."""
SPREAD = RNG.normal(size=(N, 3))
BY_LABEL, BY_BATCH = (SPREAD + 20.0 * np.stack([x, 0 * x, 0 * x], axis=1) for x in (LABELS, BATCH))
"""Samples where labels lie apart and batches are mixed, and the other way round."""
CLASSES = RNG.random((20, 4)) < 0.4
CLASSES[:4] = np.eye(4)


def of_cells(X):
    """What measures of samples and of graphs take."""
    distances = np.linalg.norm(X[:, None] - X[None], axis=-1)
    indices = np.argsort(distances, axis=1)[:, :12]
    neighbors = gpuval.Neighbors.from_knn(indices, np.take_along_axis(distances, indices, axis=1))
    return {"X": X, "X_before": BY_BATCH, "X_after": X, "neighbors": neighbors, "graph": neighbors}


SAME = {"labels": LABELS, "batch": BATCH, "covariate": BATCH}
TRUE = {"y_true": [[3, 2, 1, 0, 0]]}, {"y_true": CLASSES.astype(int)}, {"true_intervals": [[0, 4], [7, 9]]}
ORDER = {"queries": None, "first": [1, 2, 3, 4], "x": [1, 2, 3, 4]}
EQUAL, REVERSED = ({"second": x, "y": x} for x in ([1, 2, 3, 4], [4, 3, 2, 1]))
GOOD = {
    "metrics": SAME | of_cells(BY_LABEL) | {"labelings": [LABELS, LABELS]},
    "ranking": TRUE[0] | {"y_score": [[5, 4, 3, 2, 1]]} | ORDER | EQUAL,
    "multilabel": TRUE[1] | {"y_score": 0.1 + 0.8 * CLASSES, "y_pred": CLASSES.astype(int)},
    "intervals": TRUE[2] | {"pred_intervals": [[0, 3], [7, 9]]},
}
BAD = {
    "metrics": SAME | of_cells(BY_BATCH) | {"labelings": [LABELS, BATCH]},
    "ranking": TRUE[0] | {"y_score": [[1, 2, 3, 4, 5]]} | ORDER | REVERSED,
    "multilabel": TRUE[1] | {"y_score": 0.9 - 0.8 * CLASSES, "y_pred": 1 - CLASSES},
    "intervals": TRUE[2] | {"pred_intervals": [[3, 9], [5, 6]]},
}
"""By the package of a measure its arguments: those for which it is good, and others for which it is bad."""


def with_flags(measure: Measure) -> Iterator[Measure]:
    """A measure, and the same with each flag that changes what is declared the other way."""
    yield measure
    parameters = inspect.signature(measure.function).parameters
    flags = {x for fact in measure.by_options.values() for x in inspect.signature(fact).parameters}
    for name in sorted(flags):
        if isinstance(parameters[name].default, bool):
            yield measure.with_options({name: not parameters[name].default})


MEASURES = {
    f"{name} {dict(row.options) or ''}".strip(): row
    for name, entry in all_measures().items()
    if not (entry.measure.family.of_two and entry.measure.function.__module__.startswith("gpuval.metrics"))
    for row in with_flags(entry.measure)
}


def value(row: Measure, data: dict) -> float:
    """The score; of several the mean. Measures of rankings look at the first document alone, if they can."""
    arguments = data[row.function.__module__.split(".")[1]]
    parameters = inspect.signature(row.function).parameters.values()
    given = {x.name: arguments[x.name] for x in parameters if x.kind is not x.KEYWORD_ONLY or x.name == "X"}
    if row.options.get("adjusted"):  # which is of one label for each sample
        given = {name: np.argmax(x, axis=1) for name, x in given.items()}
    if any(x.name == "n" for x in parameters) and "y_true" in given:
        given["n"] = 1
    found = row.function(**given, **row.options)
    return float(np.mean(getattr(found, "label_scores", getattr(found, "scores", found))))


def assert_direction(row: Measure) -> None:
    """The good one is better than the bad one."""
    good, bad = value(row, GOOD), value(row, BAD)
    assert good > bad if row.better == "higher" else good < bad, (good, bad)


@pytest.mark.parametrize("name", MEASURES)
def test_which_scores_are_better(name):
    row = MEASURES[name]
    if row.better:
        assert_direction(row)
        with pytest.raises(AssertionError):
            assert_direction(replace(row, better={"higher": "lower", "lower": "higher"}[row.better]))
    else:
        assert row.name == "lisi_samples"  # few are better of labels of cells, and many of batches


@pytest.mark.parametrize("name", MEASURES)
def test_scores_lie_between_the_ends(name):
    low, high = MEASURES[name].range
    for data in (GOOD, BAD):
        assert low <= value(MEASURES[name], data) <= high
    assert low < high
