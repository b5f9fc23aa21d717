"""The result of ``pairwise``: the scores of all pairs of labelings, with their names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuval.display.label_tables import MOST_ROWS, label_text, matrix_of_labels
from gpuval.display.safe_text import shortened
from gpuval.display.text_tables import WIDTH
from gpuval.engines.backends import to_host
from gpuval.engines.backends.trees import as_tree
from gpuval.evaluation.results.directions import Direction
from gpuval.evaluation.results.scores import index_of_names
from gpuval.inputs.options import needed
from gpuval.numerics import Array, NDArray

__all__ = ["PairwiseScores"]


@as_tree
@dataclass(frozen=True, eq=False, repr=False)
class PairwiseScores:
    """The score of each pair of labelings: the result of :func:`pairwise`. It prints as a table, with the names.

    NumPy functions take it as the array of the scores. For JAX and PyTorch it is a tree of that one array.

    Attributes
    ----------
    names
        The names of the labelings, in their order; for a sequence of labelings, numbers from 0 on.
    scores
        An array of shape (n_labelings, n_labelings), in the library and on the device of the labels. The score in row i
        and column j takes labeling i as the truth and labeling j as the prediction.
    metric
        The name of the measure.
    direction
        Which scores of the measure are the better ones: "higher", "lower", or "" where none are, and of your own
        functions.

    Examples
    --------
    >>> import gpuval
    >>> labelings = {"coarse": [0, 0, 0, 1], "fine": [0, 1, 2, 3], "other": [1, 1, 1, 0]}
    >>> found = gpuval.pairwise(labelings, "purity")
    >>> found
    purity_score
            coarse    fine   other
    coarse  1.0000  1.0000  1.0000
    fine    0.5000  1.0000  0.5000
    other   1.0000  1.0000  1.0000
    >>> float(found.scores[1, 0])
    0.5
    """

    names: tuple[Any, ...]
    scores: Array
    metric: str
    direction: Direction = ""

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray:
        """The scores as a NumPy array (copied to the host, if they are not there)."""
        return np.array(to_host(self.scores), dtype=dtype, copy=copy)

    def to_pandas(self) -> Any:
        """The scores as a pandas DataFrame with the names as index and columns (copies to the host)."""
        with needed("to_pandas()", "pandas"):
            import pandas as pd

        index = index_of_names(pd, self.names)
        return pd.DataFrame(to_host(self.scores), index=index, columns=index, copy=True)

    def __repr__(self) -> str:
        metric, names = shortened(label_text(self.metric), WIDTH), self.names[:MOST_ROWS]
        try:
            scores = to_host(self.scores[: len(names), : len(names)]).tolist()
            return f"{metric}\n{matrix_of_labels(names, names, scores, (len(self.names), len(self.names)))}"
        except Exception:  # inside a compiled graph, and of a tree of something else than an array
            return f"PairwiseScores(names={self.names!r}, scores={self.scores!r}, metric={self.metric!r})"
