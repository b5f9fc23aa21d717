"""Texts that the docstrings of many measures share, and the decorator that inserts them."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from typing import TypeVar

Function = TypeVar("Function", bound=Callable[..., object])

SAMPLES = """\
    X
        The samples, shape (n_samples, n_features): real, finite numbers in an array of any library, a data frame,
        nested sequences, or a sparse matrix of SciPy or CuPy. A sparse matrix is made dense only tile by tile.
"""
SAMPLES_IN_BLOCKS = """\
    X
        The samples, shape (n_samples, n_features), real and finite: an array of any library (if it is of Dask, the
        labels are, too), a data frame, nested sequences, or a sparse matrix of SciPy or CuPy.
"""
SAMPLES_OR_MOMENTS = f"""\
{SAMPLES_IN_BLOCKS.rstrip()} Or the ``moments`` of an
        :class:`InternalAccumulator`, instead of samples and labels.
"""
DISTANCE = """\
    metric
        The distance between two samples; :func:`silhouette_samples` lists the choices.
    absent
        The distance between two samples for which a sparse matrix of precomputed distances has no entry; see
        :func:`silhouette_samples`.
"""
LABELS = """\
    labels
        The cluster of each sample, shape (n_samples,), of any kind that :meth:`Contingency.from_labels` takes, on the
        device of X or on the host. All arguments that have a pandas index must have the same one.
"""
WEIGHTS = """\
    sample_weight
        The weight of each sample, shape (n_samples,), not negative. A sample with an integer weight counts as that many
        samples. Of floating-point weights, only the proportions matter.
"""
IGNORED = """\
    ignore_labels
        One label or several, for example the label of noise. Samples with such a label are left out completely: they
        are no neighbours of other samples either.
"""
SIZE = """\
    n_clusters
        The number of clusters, if the labels are integers from 0 to n_clusters - 1. With it, no data are copied from
        the device to find out the number. Invalid labels on a device then give NaN in place of an error.
"""
COMMON = f"""\
{IGNORED}{SIZE}\
    on_degenerate
        What to do if there are fewer than 2 clusters, or as many as samples: ``"raise"`` a ValueError, or return
        ``"nan"``. On a device, if ``n_clusters`` is given, the score is NaN in both cases.
"""
PROGRESS = """\
    progress
        Whether to show a progress bar (by tqdm).
"""
HEADER, RETURNS = "Parameters\n----------\n", "Returns\n-------\n"


def document_parameters(*parameters: str) -> Callable[[Function], Function]:
    """Insert the texts of common parameters into a docstring; "" marks the place of the function's own parameters."""

    def with_parameters(function: Function) -> Function:
        if function.__doc__ is None:  # python -OO keeps none
            return function
        document = inspect.cleandoc(function.__doc__)  # Python 3.13 and later have done that already
        before, _, rest = document.partition(RETURNS)
        before, _, own = before.partition(HEADER)
        own = own.rstrip("\n ")
        texts = [own + "\n" * bool(own) if text == "" else textwrap.dedent(text) for text in parameters]
        function.__doc__ = f"{before}{HEADER}{''.join(texts)}\n{RETURNS}{rest}"
        return function

    return with_parameters
