"""Texts that the docstrings of many measures share, and the signatures and docstrings of public measures."""

from __future__ import annotations

import functools
import inspect
import re
import textwrap
from collections.abc import Callable
from typing import TypeVar

Function = TypeVar("Function", bound=Callable[..., object])

_dedent = functools.cache(textwrap.dedent)
"""Many measures have the same texts."""

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
PER_LABEL = """\
    return_per_label
        Whether to return the value of each cluster, too. The result prints as a table, and has ``to_pandas()``.
"""
PROGRESS = """\
    progress
        Whether to show a progress bar (by tqdm).
"""
HEADER, RETURNS = "Parameters\n----------\n", "Returns\n-------\n"


def publish(
    score: Function,
    formula: Callable[..., object],
    parameters: tuple[str, ...],
    first: tuple[inspect.Parameter, ...] = (),
    returned: object = inspect.Signature.empty,
) -> Function:
    """Give the public function of a formula its signature and its docstring.

    The options of the formula, which are keywords, stand before the keywords that all measures of the family have, and
    behind ``first``. ``parameters`` are the texts of :func:`document_parameters`, and ``returned`` is the annotation of
    what it returns.
    """
    keyword = inspect.Parameter.KEYWORD_ONLY
    own = [x for x in inspect.signature(formula).parameters.values() if x.kind is keyword]
    signature = inspect.signature(score, follow_wrapped=False)
    common = [x for x in signature.parameters.values() if x.kind is not x.VAR_KEYWORD]
    keywords = [x for x in common if x.kind is keyword]
    by_place = [x for x in common if x.kind is not keyword]
    parameters_in_order = [*by_place, *first, *own, *keywords]
    score.__signature__ = inspect.Signature(parameters_in_order, return_annotation=returned)  # type: ignore[attr-defined]
    return document_parameters(*parameters)(score)


def document_parameters(*parameters: str) -> Callable[[Function], Function]:
    """Insert the texts of common parameters into a docstring; "" marks the place of the function's own parameters."""

    def with_parameters(function: Function) -> Function:
        if function.__doc__ is None:  # python -OO keeps none
            return function
        document = inspect.cleandoc(function.__doc__)  # Python 3.13 and later have done that already
        before, _, rest = document.partition(RETURNS)
        before, _, own = before.partition(HEADER)
        own = own.rstrip("\n ")
        texts = [own + "\n" * bool(own) if text == "" else _dedent(text) for text in parameters]
        function.__doc__ = f"{before}{HEADER}{''.join(texts)}\n{RETURNS}{rest}"
        return function

    return with_parameters


def document_by_name(function: Function, *texts: str) -> Function:
    """Describe each parameter of a function: by its own docstring, or else by texts of common parameters."""
    if function.__doc__ is None:
        return function
    before, _, rest = inspect.cleandoc(function.__doc__).partition(RETURNS)
    before, _, own = before.partition(HEADER)
    entries: dict[str, str] = {}
    for text in (*texts, own.strip()):
        for entry in re.split(r"^(?=\S)", textwrap.dedent(text), flags=re.MULTILINE):
            entries[entry.partition("\n")[0]] = entry.rstrip() + "\n"
    described = "".join(entries[name] for name in inspect.signature(function).parameters)
    function.__doc__ = f"{before}{HEADER}{described}\n{RETURNS}{rest}"
    return function
