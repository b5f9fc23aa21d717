"""A mapping from the names of measures to their results."""

from __future__ import annotations

from typing import Any

from gpuval.display.mappings import Value
from gpuval.evaluation.results.scores import ByMeasure
from gpuval.inputs.options import needed
from gpuval.table.labels import pandas_index


class ResultsByName(ByMeasure[Value]):
    """Results by the names of their measures, each with ``to_dict()``; prints as a table."""

    def to_pandas(self) -> Any:
        """The numbers as a pandas DataFrame with a row for each measure (copies to the host)."""
        with needed("to_pandas()", "pandas"):
            import pandas as pd

        rows = [result.to_dict() for result in self.values()]  # type: ignore[attr-defined]
        return pd.DataFrame(rows, index=pandas_index(pd, list(self), tupleize_cols=False))
