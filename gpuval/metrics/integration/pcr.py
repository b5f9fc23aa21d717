"""Principal component regression (PCR): how much of the variance of cells a covariate explains."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, get_args

import numpy as np

from gpuval.engines import lazily
from gpuval.engines.backends import backend_of, is_array, is_dask, library_of, to_host
from gpuval.geometry.blocks import InMemory, read_clusters
from gpuval.geometry.moments import (
    Moments,
    combine_lengths,
    lengths_of,
    read_for_moments,
    scatter_matrix,
    sums_of_products,
)
from gpuval.geometry.points import Points, colocate_labels, to_device_of
from gpuval.inputs.containers import as_data
from gpuval.inputs.features import as_float, exact_floats
from gpuval.inputs.labels import Vector, check_indexes, check_one_dimensional
from gpuval.inputs.options import check_option
from gpuval.measures.documents import WEIGHTS, document_parameters
from gpuval.measures.measure import measure
from gpuval.measures.result import as_result, rename_arguments
from gpuval.metrics.integration import INTEGRATION
from gpuval.numerics import Array
from gpuval.numerics.stable import ratio, root

__all__ = ["pcr_comparison_score", "pcr_score"]

Kind = Literal["categorical", "continuous"]

_ROUNDINGS = 64
"""Unit roundoffs of the whole that a sum of differences may be off by."""

_NONE_LEFT = "X must have at least one cell that counts, got none"

_COVARIATE = """\
    covariate
        The value of each cell, such as its batch, shape (n_cells,): on the device of the cells, or on the host. If both
        have an index, it must be the same.
    kind
        "categorical": values are names of groups, even if they are numbers, such as the codes of batches.
        "continuous": values are quantities, such as a number of genes, and the regression is linear in them.
    n_components
        The number of principal components to use, those with the largest variance. By default all, which needs no
        decomposition. With fewer, the samples must be in memory, and n_features^2 numbers more are.
"""
_HOW = f"""\
{WEIGHTS}\
    ignore_labels
        One value or several of a categorical covariate; cells with such a value do not count.
    n_categories
        The number of categories, if values are integers from 0 to below it. Nothing is then copied from a device to
        find the number, and errors in the values there make the score NaN.
"""


@measure(INTEGRATION, needs="samples and a covariate", better="lower")
@document_parameters("", _COVARIATE, _HOW)
def pcr_score(
    X: Any,
    covariate: Any,
    *,
    kind: Kind = "categorical",
    n_components: int | None = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_categories: int | None = None,
) -> Any:
    """Principal component regression (PCR): the share of the variance of the cells that a covariate explains.

    Use it with the batch as the covariate, to measure how strong the batch effect is.

    Let c be a principal component of the cells, v_c its variance, and R_c^2 the share of v_c that a regression on the
    covariate explains. The score is ``sum_c v_c R_c^2 / sum_c v_c`` over the components ([1]_). It ranges from 0 to 1;
    if the covariate is a batch, lower is better.

    Parameters
    ----------
    X
        The cells, shape (n_cells, n_features), real and finite: an array of any library (if it is of Dask, the
        covariate is, too), a data frame, nested sequences, or a sparse matrix of SciPy or CuPy.

    Returns
    -------
    score
        A number in the array library of X, on its device. No unit. It is 0 if all cells are equal, and for a single
        category.

    Raises
    ------
    TypeError, ValueError
        If cells, covariate, weights or options are not as described above, or if no cell is left; the message names the
        argument.

    Notes
    -----
    With all components and a categorical covariate, the score is the scatter between the means of the categories over
    the scatter of all cells: B / (B + W) with the B and W of :func:`calinski_harabasz_score`. With all components and a
    continuous covariate z, it is the sum over the features x of cov(x, z)^2 / var(z), over the sum of var(x). A
    rotation of the features changes neither. With fewer components, the score is not defined if the last component and
    the next one have equal variances.

    If ``n_categories`` is given, no value is copied from the device to the host. Otherwise the range of the categories
    and one number for each check of the input are copied.

    References
    ----------
    .. [1] M. Büttner, Z. Miao, F. A. Wolf, S. A. Teichmann and F. J. Theis, "A test metric for assessing single-cell
       RNA-seq batch correction", Nature Methods 16, 2019.

    Examples
    --------
    >>> import gpuval
    >>> float(gpuval.pcr_score([[0, 0], [0, 2], [6, 0], [6, 2]], [0, 1, 0, 1]))
    0.1
    >>> float(gpuval.pcr_score([[0, 0], [0, 0], [6, 0], [6, 0]], ["x", "x", "y", "y"]))
    1.0
    >>> float(gpuval.pcr_score([[0, 0], [0, 2], [6, 0], [6, 2]], [0, 1, 1, 0]))
    0.0

    Of the first component alone, and of a quantity:

    >>> float(gpuval.pcr_score([[0, 0], [0, 2], [6, 0], [6, 2]], [0, 1, 0, 1], n_components=1))
    0.0
    >>> round(float(gpuval.pcr_score([[0, 0], [0, 2], [6, 0], [6, 2]], [1, 2, 3, 4], kind="continuous")), 12)
    0.74
    """
    building = {"sample_weight": sample_weight, "ignore_labels": ignore_labels, "n_categories": n_categories}
    share = _share(X, covariate, kind, n_components, **building)
    return as_result(share.value, share.given)


@measure(INTEGRATION, needs="samples and a covariate")
@document_parameters("", _COVARIATE, _HOW)
def pcr_comparison_score(
    X_before: Any,
    X_after: Any,
    covariate: Any,
    *,
    kind: Kind = "categorical",
    n_components: int | None = None,
    sample_weight: Any = None,
    ignore_labels: Any = None,
    n_categories: int | None = None,
) -> Any:
    """PCR comparison: how much less of the variance the batch explains after an integration than before.

    Single-cell benchmarks use it to measure how much of a batch effect an integration removed, by principal component
    regression (PCR).

    Let p be the :func:`pcr_score` before the integration, and q the one after it. The score is ``max(0, (p - q) / p)``
    ([1]_). It ranges from 0, if the covariate explains as much as before or more, to 1, if it explains nothing; higher
    is better.

    Parameters
    ----------
    X_before, X_after
        The cells before and after the integration, shapes (n_cells, n_features), in the same order and of the same
        array library, in any form that :func:`pcr_score` takes. Their features may differ.

    Returns
    -------
    score
        A number in the array library of the cells, on the device of X_after. No unit. It is 0 if the covariate
        explained nothing before.

    Raises
    ------
    TypeError, ValueError
        If cells, covariate, weights or options are not as described above, or if no cell is left; the message names the
        argument.

    Notes
    -----
    For what is copied from a device, see :func:`pcr_score`.

    References
    ----------
    .. [1] M. D. Luecken et al., "Benchmarking atlas-level data integration in single-cell genomics", Nature Methods 19,
       2022.

    Examples
    --------
    >>> import gpuval
    >>> before = [[0, 0], [0, 2], [6, 0], [6, 2]]
    >>> float(gpuval.pcr_comparison_score(before, [[0], [0], [6], [6]], [0, 1, 0, 1]))
    1.0
    >>> float(gpuval.pcr_comparison_score(before, before, [0, 1, 0, 1]))
    0.0
    """
    building = {"sample_weight": sample_weight, "ignore_labels": ignore_labels, "n_categories": n_categories}
    check_indexes(X_before=X_before, X_after=X_after)
    shares = []
    for name, X in (("X_before", X_before), ("X_after", X_after)):
        with rename_arguments(X=name):
            shares.append(_share(X, covariate, kind, n_components, **building))
    before, after = shares
    _check_one_library(before.given, after.given)
    xp = backend_of(after.value).xp
    less = before.value - after.value
    return as_result(ratio(xp.where(less < 0, xp.zeros_like(less), less), before.value, xp), after.given)


class _Share(NamedTuple):
    """The share that a covariate explains of the cells, and the array whose library and device the result has."""

    value: Array
    given: Any


class _CovariateEffect(NamedTuple):
    """The samples, if they are in memory, as clusters whose moments these are, and what the covariate explains.

    ``rows`` are vectors whose squares add up to what it explains in each direction, and ``whole`` is the root of the
    scatter of the samples. ``is_between`` says that rows are the scatter of the means of the clusters, which is not in
    that of the samples about these.
    """

    points: Points | None
    moments: Moments
    rows: Array
    whole: Array
    is_between: bool


def _share(X: Any, covariate: Any, kind: Kind, n_components: int | None, **building: Any) -> _Share:
    check_option("kind", kind, get_args(Kind))
    _check_components(n_components)
    find = _effect_of_categories if kind == "categorical" else _effect_of_quantity
    explained = find(X, covariate, n_components, **building)
    moments, n_features = explained.moments, explained.rows.shape[1]
    xp = moments.xp
    if n_components is not None and n_components > n_features:
        raise ValueError(f"n_components must be at most the number of features of X ({n_features}), got {n_components}")
    if n_components in (None, n_features) or explained.points is None:
        part = ratio(combine_lengths(lengths_of(explained.rows)), explained.whole, xp)
        value = part * part
    else:
        value = _share_of_components(explained, explained.points, int(n_components))
    value = xp.where(value > 1, xp.ones_like(value), value)  # by rounding
    is_none = moments.n_counted == 0
    if moments.invalid is not None:
        is_none = is_none | (moments.invalid > 0)
    elif not moments.backend.is_traced(moments.masses) and bool(to_host(is_none)):
        raise ValueError(_NONE_LEFT)
    return _Share(xp.where(is_none, xp.full_like(value, float("nan")), value), moments.like)


def _check_components(n_components: Any) -> None:
    if n_components is None:
        return
    if isinstance(n_components, bool) or not isinstance(n_components, int | np.integer):
        raise TypeError(f"n_components must be a positive integer, got {n_components!r}")
    if n_components < 1:
        raise ValueError(f"n_components must be a positive integer, got {n_components}")


def _share_of_components(explained: _CovariateEffect, points: Points, n_components: int) -> Array:
    """The share of the first components, by a decomposition of the scatter of the samples in all directions."""
    moments, xp = explained.moments, explained.moments.xp
    unit = xp.where(explained.whole == 0, xp.ones_like(explained.whole), explained.whole)
    rows = explained.rows / unit
    scatter = scatter_matrix(points, moments, unit)
    if explained.is_between:
        scatter = scatter + moments.backend.matmul(xp.matrix_transpose(rows), rows)
    variances, directions = xp.linalg.eigh(scatter)
    first = slice(rows.shape[1] - n_components, None)  # variances come in ascending order
    along = moments.backend.matmul(rows, directions[:, first])
    return ratio(xp.sum(along * along), xp.sum(variances[first]), xp)


def _effect_of_categories(
    X: Any,
    covariate: Any,
    n_components: int | None,
    *,
    sample_weight: Any,
    ignore_labels: Any,
    n_categories: int | None,
) -> _CovariateEffect:
    """What the means of categories explain: their differences from the mean of all, weighted by the categories."""
    if n_components is not None:
        _check_in_memory(X, covariate, f"n_components={n_components}")
    reading = {"ignore_labels": ignore_labels, "n_clusters": n_categories, "size_name": "n_categories"}
    try:
        clusters = read_clusters(
            X, covariate, sample_weight=sample_weight, in_any_unit=True, name="covariate", **reading
        )
    except ValueError as error:
        if "continuous values" in str(error):
            raise ValueError(f"{error}; give kind='continuous' if the values are quantities") from None
        raise
    moments = clusters.moments()
    xp, masses, apart = moments.xp, moments.masses, moments.about_mean
    rounding = moments.errors_of_means(moments.means_from_place)
    largest = combine_lengths(xp.where(masses > 0, rounding, xp.zeros_like(rounding)))
    is_one = (lengths_of(apart) <= largest) | (masses == 0)
    rows = root(masses, xp)[:, None] * xp.where(is_one[:, None], xp.zeros_like(apart), apart)
    whole = combine_lengths(xp.stack([combine_lengths(lengths_of(rows)), combine_lengths(moments.spreads)]))
    points = clusters.clustered if isinstance(clusters.clustered, Points) else None
    return _CovariateEffect(points, moments, rows, whole, is_between=True)


def _effect_of_quantity(
    X: Any,
    covariate: Any,
    n_components: int | None,
    *,
    sample_weight: Any,
    ignore_labels: Any,
    n_categories: int | None,
) -> _CovariateEffect:
    """What a linear regression on the covariate explains.

    This is the sum of w z d over the samples, with the weights w, the differences d from the mean of all samples, and
    the values z of the covariate less their mean, in units of their spread.
    """
    for name, value in (("ignore_labels", ignore_labels), ("n_categories", n_categories)):
        if value is not None:
            raise ValueError(f"{name} must be None with kind='continuous', got {value!r}; it is for categories")
    _check_in_memory(X, covariate, "kind='continuous'")
    vector = _read_quantity(covariate)
    check_indexes(X=X, covariate=covariate, sample_weight=sample_weight)
    library = vector.backend
    if is_array(X) and backend_of(X).on_host and not library.on_host and library.host_view(vector.data) is None:
        X = library.from_host(X, vector.data)
    reading = {"sample_weight": sample_weight, "name": "covariate", "in_any_unit": True}
    of_one = library.zeros_beside((vector.size,), library.widest(vector.data).int, vector.data)
    points = read_for_moments(X, of_one, n_clusters=1 if library.is_traced(vector.data) else None, **reading)
    if points.n_clusters != 1:
        raise ValueError(_NONE_LEFT)
    clusters = InMemory(points, in_any_unit=True)
    moments, points, xp = clusters.moments(), clusters.clustered, points.xp
    values, spread = _centre_values(points, _move_vector(vector, X, points))
    along = sums_of_products(points, moments, values)
    whole = combine_lengths(moments.spreads)
    rows = ratio(along, spread, xp)
    noise = _ROUNDINGS * xp.finfo(rows.dtype).eps * whole
    rows = xp.where(lengths_of(rows)[:, None] <= noise, xp.zeros_like(rows), rows)
    return _CovariateEffect(points, moments, rows, whole, is_between=False)


def _read_quantity(covariate: Any) -> Vector:
    name = "covariate"
    data, values = as_data(covariate, name)
    check_one_dimensional(data, name)
    if values is not None or backend_of(data).kind(data) == "other":
        dtype = getattr(covariate, "dtype", data.dtype if values is None else values.dtype)
        raise TypeError(f"{name} must hold real numbers with kind='continuous', got dtype {dtype}")
    is_integer = backend_of(data).kind(data) == "integer"  # of which the range is to be known first
    return Vector(name, covariate, data if is_integer else as_float(data))


def _move_vector(vector: Vector, X: Any, points: Points) -> Array:
    vector = vector.with_data(lazily(vector.data))
    return to_device_of(colocate_labels(vector, None, X, points.codes)[0].data, points.codes)


def _centre_values(points: Points, values: Array) -> tuple[Array, Array]:
    """The values less their mean, in units of about their range, and the root of the sum of their squares.

    Those of samples that do not count are 0. Halves of floats have differences that are floats.
    """
    xp, counted = points.xp, points.codes < points.n_clusters
    values, n_rounded = exact_floats(values[:, None], counted, may_move=True, looks=points.may_sync, name="covariate")
    values = points.backend.as_real(values[:, 0], points.codes)
    if n_rounded is not None:
        values = xp.where(n_rounded > 0, float("nan"), values)
    if points.may_sync and not bool(to_host(xp.all(xp.isfinite(values) | ~counted))):
        host = to_host(xp.where(counted, values, xp.zeros_like(values)))
        place = int(np.flatnonzero(~np.isfinite(host))[0])
        raise ValueError(f"covariate must be finite with kind='continuous', got {float(host[place])} at place {place}")
    if points.n_samples == 0:
        return values, xp.sum(values)
    halves = values / 2
    least = xp.min(xp.where(counted, halves, xp.full_like(halves, float("inf"))))
    above = xp.where(counted, halves - least, xp.zeros_like(halves))
    most = xp.max(above)
    above = ratio(above, most, xp)
    weights = xp.astype(counted, above.dtype) if points.weights is None else points.weights
    weights = xp.where(counted, weights, xp.zeros_like(weights))
    total = xp.sum(weights)
    for _ in range(2):  # the mean of the first differences is what rounding left of it
        above = xp.where(counted, above - ratio(xp.sum(weights * above), total, xp), xp.zeros_like(above))
    above = xp.where(most == 0, xp.zeros_like(above), above)
    return above, root(xp.sum(weights * above * above), xp)


def _check_in_memory(X: Any, covariate: Any, what: str) -> None:
    for name, given in (("X", X), ("covariate", covariate)):
        if is_dask(given):
            raise TypeError(f"{name} must be in memory with {what}, got dask.{type(given).__name__}; compute it")


def _check_one_library(before: Any, after: Any) -> None:
    backend = backend_of(after)
    if backend_of(before) is not backend:
        raise TypeError(
            "X_before and X_after must be of one array library, got "
            f"{library_of(before)} and {library_of(after)}; convert one of them"
        )
    if not backend.are_together(before, after):
        raise ValueError(
            f"X_before and X_after must be on one device, got {backend.device(before)} and {backend.device(after)}; "
            "move one of them"
        )
