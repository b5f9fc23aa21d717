"""Columns of hostile names and labels: the table in adata.uns comes back from files as it was."""

import anndata
import numpy as np
import pandas as pd
import pytest
from hostile_text import label_sets

from gpuval.anndata import evaluate

pytestmark = [
    pytest.mark.filterwarnings("ignore:zarr v3 autosharding:UserWarning"),
    pytest.mark.filterwarnings("ignore:Writing zarr v2 data:UserWarning"),
    pytest.mark.filterwarnings("ignore:Consolidated metadata"),
]

N_CELLS = 8


def text_of_files(text):
    """Text of Unicode without NUL, of which the table says that it has no other."""
    return text.encode(errors="backslashreplace").decode().replace("\0", "\\x00")


@pytest.mark.parametrize("ending", ["h5ad", "zarr"])
@pytest.mark.parametrize("number", range(10))
def test_tables_in_files(number, ending, tmp_path):
    columns, names = {}, []
    for labels in label_sets(5000 + number, 30):
        while labels[0] in columns:
            labels[0] += "_"
        columns[labels[0]] = np.resize(np.asarray(labels, dtype=object), N_CELLS)
        names.append(labels[0])
    truth, by, *clusterings = names
    # Objects: the text type of pandas 3 does not hold text that is no Unicode.
    obs = pd.DataFrame(dict(enumerate(columns.values())), index=[f"c{i}" for i in range(N_CELLS)], dtype=object)
    obs.columns = pd.Index(names, dtype=object)
    adata = anndata.AnnData(obs=obs)
    values = list(dict.fromkeys(columns[by]))
    taken = by.replace("/", "|") in ("", ".", "..", "_index")
    by = None if taken or number % 2 else by
    metrics = dict.fromkeys([f"{name}/{place}" for place, name in enumerate(clusterings[:5])], "rand_score")
    found = evaluate(adata, truth, clusterings, by=by, metrics=metrics, key_added="gpuval")
    table = adata.uns["gpuval"]
    path = tmp_path / f"cells.{ending}"
    getattr(anndata.AnnData(uns={"gpuval": table}), f"write_{ending}")(path)
    read = getattr(anndata, f"read_{ending}")(path).uns["gpuval"]
    pd.testing.assert_frame_equal(read, table, check_column_type=False, check_index_type=False)
    expected = [text_of_files(name if by is None else name[0]) for name in found]
    assert read.index.tolist() == expected
    assert len(expected) == len(clusterings) * (1 if by is None else len(values))
    if by is not None:
        assert set(read[text_of_files(by).replace("/", "|")]) == set(map(text_of_files, values))
    assert {text_of_files(name).replace("/", "|") for name in metrics} <= set(read.columns)
