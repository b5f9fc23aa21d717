"""What the docstrings of measures have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

Function = TypeVar("Function", bound=Callable[..., object])

SAMPLES = """\
    X
        The samples, shape (n_samples, n_features), real and finite: an array of any library, a data frame, nested
        sequences, or a sparse matrix of SciPy or CuPy, of which no more than a tile is dense at a time.
"""
DISTANCE = """\
    metric
        The distance of two samples; see :func:`silhouette_samples`.
    absent
        The distance of samples for which sparse precomputed distances have no entry; see :func:`silhouette_samples`.
"""
LABELS = """\
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes: beside
        X, or on the host. Of all that is given, what has an index (of pandas) must have the same one.
"""
WEIGHTS = """\
    sample_weight
        Weights, shape (n_samples,), not negative. One of an integer type counts as that many samples; of real ones only
        the proportions matter.
"""
IGNORED = """\
    ignore_labels
        One label or several, such as that of noise; samples with such a label do not count, not even as neighbours.
"""
SIZE = """\
    n_clusters
        The number of clusters, for labels from 0 to below it: with it nothing leaves the device to find it out, and
        what is wrong with the labels there makes the score NaN.
"""
COMMON = f"""\
{IGNORED}{SIZE}\
    on_degenerate
        What to do with fewer than 2 clusters, or with as many as samples: "raise" a ValueError, or return "nan". On a
        device, with ``n_clusters`` given, it is NaN in any case.
"""
PROGRESS = """\
    progress
        Whether to show a bar, of tqdm.
"""
HEADER = "    Parameters\n    ----------\n"


def documented(*parameters: str) -> Callable[[Function], Function]:
    """Put common parameters first into the docstring of a function; "" stands for its own, if any, which come there."""

    def with_parameters(function: Function) -> Function:
        if function.__doc__ is None:  # python -OO keeps none
            return function
        before, _, rest = function.__doc__.partition("    Returns\n")
        before, _, own = before.partition(HEADER)
        own = own.rstrip("\n ")
        texts = [own + "\n" * bool(own) if text == "" else text for text in parameters]
        function.__doc__ = f"{before}{HEADER}{''.join(texts)}\n    Returns\n{rest}"
        return function

    return with_parameters
