"""The contingency table as a plain matrix."""

from __future__ import annotations

from math import inf
from typing import Any

from gpuval.engines.backends import to_host
from gpuval.engines.cells import SparseCells
from gpuval.inputs.options import check_flag, check_not_negative
from gpuval.measures.measure import measure
from gpuval.metrics.external.agreement import AGREEMENT
from gpuval.table.labels import frame_of_counts
from gpuval.table.table import Table

__all__ = ["contingency_matrix"]


@measure(
    AGREEMENT,
    better="",
    range=(-inf, inf),
    exchanged="transposed",
    reads_names=True,
    host_steps=1,
    in_library=True,
    values="matrix",
)
def contingency_matrix(
    table: Table, *, eps: float | None = None, sparse: bool = False, dtype: Any = None, as_frame: bool = False
) -> Any:
    """Contingency table as a matrix: how many samples each class shares with each cluster.

    Entry (i, j) is the number of samples of class i in cluster j. As in scikit-learn, rows are the classes and columns
    the clusters that occur, in sorted order. With ``n_classes=`` and ``n_clusters=`` all of them are kept. On a device
    this is a host step, a copy of data to the CPU: it finds out which labels occur, or checks that all samples could be
    counted.

    Parameters
    ----------
    eps
        A number to add to every cell. The result is then of the widest floating-point type of the device.
    sparse
        Whether to return a SciPy matrix in CSR format, on the host.
    dtype
        The type of the counts. The default is the widest integer type, or a floating-point type if the weights have
        one.
    as_frame
        Whether to return a pandas DataFrame, on the host. The classes are its index and the clusters are its columns.

    Returns
    -------
    array of shape (n_classes, n_clusters)
        The counts. Exchanging the arguments transposes the matrix.

    Raises
    ------
    TypeError, ValueError
        ``sparse`` is given together with ``eps`` or ``as_frame``, or ``as_frame`` is given for a batch of tables.

    Examples
    --------
    >>> from gpuval import contingency_matrix
    >>> contingency_matrix([0, 0, 1, 1], [1, 1, 0, 0])
    array([[0, 2],
           [2, 0]])
    >>> contingency_matrix([0, 0, 1, 1], ["a", "b", "a", "b"])
    array([[1, 1],
           [1, 1]])
    >>> contingency_matrix([0, 0, 1, 1], ["a", "b", "a", "b"], as_frame=True).loc[0].to_dict()
    {'a': 1, 'b': 1}
    """
    check_flag("as_frame", as_frame)
    if sparse and as_frame:
        raise ValueError("as_frame must be False when sparse=True, got True: a frame has all cells")
    if eps is not None and sparse:
        raise ValueError(f"eps must be None when sparse=True, got {eps!r}: it would fill every cell")
    if eps is not None:
        eps = check_not_negative("eps", eps)
    table.check_valid()
    table = table.occurring()
    if sparse:
        return _as_csr(table, dtype)
    counts = table.dense().counts
    counts = table.xp.astype(counts, dtype or counts.dtype)  # a copy, which may be written into
    if eps is not None:
        counts = (table.real(counts) if table.backend.kind(counts) == "integer" else counts) + eps
    if not as_frame:
        return counts
    return frame_of_counts(counts, table.classes, table.clusters, "as_frame=True")


def _as_csr(table: Table, dtype: Any) -> Any:
    from scipy.sparse import csr_matrix

    listed = table.listed().cells
    assert isinstance(listed, SparseCells)
    counts, class_of, cluster_of = (to_host(x) for x in (listed.counts, listed.class_of, listed.cluster_of))
    return csr_matrix((counts, (class_of, cluster_of)), shape=listed.shape, dtype=dtype or counts.dtype)
