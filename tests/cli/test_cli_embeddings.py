"""--embedding: the scores of the library with X=, out of every kind of file."""

import csv
import io
import json
import os
from contextlib import nullcontext

import anndata
import h5py
import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
import zarr
from command_line import refused, run, write_zarr, written

import gpuval
from gpuval.cli.catalogue import entry_named

_RANDOM = np.random.default_rng(2)
N = 60
FRAME = pd.DataFrame(
    {
        "truth": _RANDOM.choice(["B", "T", "NK"], N),
        "a": _RANDOM.integers(0, 4, N),
        "b": _RANDOM.integers(0, 3, N),
        "batch": _RANDOM.choice(["x", "y"], N),
        "count": _RANDOM.integers(1, 4, N),
    }
)
X = _RANDOM.normal(size=(N, 3)).round(3)
X[FRAME["a"] == 0] += 4
X.setflags(write=False)  # all tests are of it
COUNTS = ["n_classes", "n_clusters", "n_samples", "n_dropped"]
NAMES = "ari,asw,db"
BOTH = [entry_named(name).name for name in NAMES.split(",")]


def cells():
    obs = FRAME.set_index(pd.Index([f"c{i}" for i in range(N)])).astype({"truth": "category", "batch": "category"})
    beside = {
        "X_pca": X.copy(),
        "sparse": sp.csr_matrix(X),
        "frame": pd.DataFrame(X, index=obs.index, columns=list("pqr")),
        "half": X[:, :1].astype(np.float32),
    }
    return anndata.AnnData(np.ones((N, 2), dtype=np.float32), obs=obs, obsm=beside)


def with_columns():
    return FRAME.assign(**{f"PC_{i}": X[:, i] for i in range(3)})


WRITERS = {
    "cells.csv": lambda path: with_columns().to_csv(path, index=False),
    "cells.tsv.gz": lambda path: with_columns().to_csv(path, index=False, sep="\t"),
    "cells.parquet": lambda path: with_columns().to_parquet(path),
    "cells.h5ad": lambda path: cells().write_h5ad(path),
    "v2.zarr": lambda path: write_zarr(cells(), path, 2),
    "v3.zarr": lambda path: write_zarr(cells(), path, 3),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    for name, write in WRITERS.items():
        write(folder / name)
    return folder


def key_of(name):
    return "X_pca" if name.endswith(("h5ad", "zarr")) else "PC_*"


def scored(path, *options, metrics=NAMES, pred=("a", "b")):
    preds = [x for name in pred for x in ("--pred", name)]
    out = written(
        "evaluate", path, *preds, *([] if metrics is None else ["--metrics", metrics]), *options, "--format", "json"
    )
    return json.loads(out)


def without_counts(found):
    return {name: {x: y for x, y in values.items() if x not in COUNTS} for name, values in found.items()}


def of_library(metrics, frame=FRAME, x=X, true="truth", **options):
    truth = None if true is None else frame[true]
    found = gpuval.compare(truth, {name: frame[name] for name in ("a", "b")}, metrics, X=x, **options)
    return {name: {metric: float(y) for metric, y in scores.items()} for name, scores in found.items()}


@pytest.mark.parametrize("name", WRITERS)
def test_every_file_gives_the_scores_of_the_library(name, folder):
    found = scored(folder / name, "--true", "truth", "--embedding", key_of(name))
    assert without_counts(found) == {
        labeling: pytest.approx(scores, rel=1e-12) for labeling, scores in of_library(BOTH).items()
    }
    assert all(list(values) == [*COUNTS, *BOTH] for values in found.values())
    assert found["a"]["n_clusters"] == 4


@pytest.mark.parametrize("name", ["cells.h5ad", "v2.zarr", "v3.zarr"])
@pytest.mark.parametrize("key", ["sparse", "frame", "half"])
def test_every_kind_of_embedding(key, name, folder):
    x = {"sparse": X, "frame": X, "half": X[:, :1].astype(np.float32)}[key]
    found = scored(folder / name, "--true", "truth", "--embedding", key)
    for labeling, scores in of_library(BOTH, x=x).items():
        assert without_counts(found)[labeling] == pytest.approx(scores, rel=1e-5)


def test_the_default_has_three_internal_measures_more(folder):
    usual = list(scored(folder / "cells.csv", "--true", "truth", metrics=None)["a"])
    more = list(scored(folder / "cells.csv", "--true", "truth", "--embedding", "PC_*", metrics=None)["a"])
    assert more == [*usual, "silhouette_score", "calinski_harabasz_score", "davies_bouldin_score"]


def test_all_are_all(folder):
    found = scored(folder / "cells.csv", "--true", "truth", "--embedding", "PC_*", metrics="all")
    assert list(found["a"]) == [*COUNTS, *gpuval.METRICS, *gpuval.INTERNAL_METRICS]
    found = scored(folder / "cells.csv", "--embedding", "PC_*", metrics="all")
    assert list(found["a"]) == [*COUNTS[1:], *gpuval.INTERNAL_METRICS]


def test_scores_are_in_the_order_asked_for(folder):
    options = ["--true", "truth", "--embedding", "PC_*"]
    assert list(scored(folder / "cells.csv", *options, metrics="db,nmi,asw,ari")["a"]) == [
        *COUNTS,
        "davies_bouldin_score",
        "normalized_mutual_info_score",
        "silhouette_score",
        "adjusted_rand_score",
    ]


def test_without_true_labels(folder):
    found = scored(folder / "cells.h5ad", "--embedding", "X_pca", "--ignore", "0", metrics="asw,ch")
    for name in "ab":
        kept = FRAME[name] != 0
        expected = gpuval.silhouette_score(X[kept], FRAME[name][kept])
        assert found[name]["silhouette_score"] == pytest.approx(float(expected), rel=1e-12)
        n_clusters, n_kept = FRAME[name][kept].nunique(), int(kept.sum())
        assert [found[name][x] for x in COUNTS[1:]] == [n_clusters, n_kept, N - n_kept]
        assert "n_classes" not in found[name]


def test_a_pattern_without_true_labels_leaves_out_what_is_no_labels(folder):
    code, out, err = run(
        "evaluate", folder / "cells.h5ad", "--pred", "[ab]", "--embedding", "X_pca", "--metrics", "asw"
    )
    assert (code, err) == (0, "")
    path = folder / "more.csv"
    with_columns().assign(mito=0.5).to_csv(path, index=False)
    code, out, err = run(
        "evaluate", path, "--pred", "[am]*", "--embedding", "PC_*", "--metrics", "asw", "--format", "csv"
    )
    assert code == 0
    assert "leaves out column 'mito', which holds continuous values" in err
    assert [row["labeling"] for row in csv.DictReader(io.StringIO(out))] == ["a"]


def test_samples_are_those_that_count_in_both(folder):
    found = scored(folder / "cells.csv", "--true", "truth", "--embedding", "PC_*", "--ignore", "NK", "--ignore", "1")
    for name in "ab":
        kept = (FRAME["truth"] != "NK") & (FRAME[name] != 1)
        wanted = gpuval.evaluate(FRAME["truth"][kept], FRAME[name][kept], BOTH, X=X[kept])
        assert without_counts(found)[name] == pytest.approx(dict(wanted), rel=1e-12)


def test_weights(folder):
    options = ["--true", "truth", "--embedding", "PC_*", "--weight", "count"]
    found = scored(folder / "cells.csv", *options, metrics="ari,asw")
    wanted = of_library(BOTH[:2], sample_weight=FRAME["count"])
    assert without_counts(found) == {name: pytest.approx(scores, rel=1e-12) for name, scores in wanted.items()}
    message = refused("evaluate", "no.csv", *options, "--pred", "a", "--metrics", "dunn")
    assert message == "--weight must not be given for dunn_index, which counts each sample once"
    assert "dunn_index" not in scored(folder / "cells.csv", *options, metrics="all")["a"]


@pytest.mark.parametrize("true", [["--true", "truth"], []])
def test_each_value_apart(true, folder):
    metrics = NAMES if true else "asw,db"
    found = scored(folder / "cells.csv", *true, "--embedding", "PC_*", "--by", "batch", metrics=metrics)
    for value, part in FRAME.groupby("batch"):
        wanted = of_library(BOTH if true else BOTH[1:], part, X[part.index], true="truth" if true else None)
        for name, scores in wanted.items():
            assert without_counts(found[name])[value] == pytest.approx(scores, rel=1e-12)
            assert found[name][value]["n_samples"] == len(part)


def test_internal_scores_have_no_intervals(folder):
    options = ["--true", "truth", "--embedding", "PC_*", "--confidence", "0.9", "--resamples", "19"]
    found = scored(folder / "cells.csv", *options)
    for scores in found.values():
        assert set(scores["adjusted_rand_score"]) == {"score", "low", "high"}
        assert isinstance(scores["silhouette_score"], float)
    out = written("evaluate", folder / "cells.csv", "--pred", "a", *options, "--metrics", NAMES, "--format", "csv")
    header = out.splitlines()[0].split(",")[5:]
    assert header == [BOTH[0], f"{BOTH[0]}.low", f"{BOTH[0]}.high", *BOTH[1:]]
    for form in ("table", "markdown"):
        text = written("evaluate", folder / "cells.csv", "--pred", "?", *options, "--metrics", NAMES, "--format", form)
        assert "silhouette_score" in text
        assert "silhouette_score:" not in text


def test_an_undefined_score_is_nan(folder, tmp_path):
    with_columns().assign(one=1).to_csv(tmp_path / "a.csv", index=False)
    assert (
        scored(tmp_path / "a.csv", "--embedding", "PC_*", metrics="asw", pred=["one"])["one"]["silhouette_score"]
        is None
    )
    assert "–" in written("evaluate", tmp_path / "a.csv", "--embedding", "PC_*", "--metrics", "asw", "--pred", "one")


def test_patterns_of_labels_leave_out_the_embedding(tmp_path):
    with_columns().assign(**{f"PC_{i}": X[:, i].round() for i in range(3)}).to_parquet(tmp_path / "a.parquet")
    options = ["--true", "truth", "--embedding", "PC_*", "--by", "batch", "--weight", "count"]
    assert list(scored(tmp_path / "a.parquet", *options, metrics="asw", pred=["*"])) == ["a", "b"]


def test_patterns_of_the_embedding_leave_out_other_columns(tmp_path):
    with_columns().assign(truth=0, batch=1).to_csv(tmp_path / "a.csv", index=False)
    options = ["--true", "truth", "--by", "batch", "--weight", "count", "--embedding", "*"]
    found = scored(tmp_path / "a.csv", *options, metrics="ch")
    expected = gpuval.calinski_harabasz_score(X, FRAME["a"], sample_weight=FRAME["count"])
    assert found["a"]["1"]["calinski_harabasz_score"] == pytest.approx(float(expected), rel=1e-12)


@pytest.mark.parametrize("name", ["cells.csv", "cells.parquet"])
def test_columns_of_an_embedding_may_be_named_one_by_one(name, folder):
    expected = scored(folder / name, "--embedding", "PC_*", metrics="asw")
    named = [x for i in (0, 1, 2) for x in ("--embedding", f"PC_{i}")]
    assert scored(folder / name, *named, metrics="asw") == expected
    assert scored(folder / name, "--embedding", "PC_[01]", "--embedding", "PC_*", metrics="asw") == expected
    assert scored(folder / name, *named[:2], metrics="asw") != expected


@pytest.mark.parametrize("name", ["cells.h5ad", "v3.zarr"])
def test_one_key_alone_is_an_embedding(name, folder):
    message = refused("evaluate", folder / name, "--pred", "a", "--embedding", "X_pca", "--embedding", "half")
    assert message == f"--embedding must be one key of obsm in {folder / name}, got 'X_pca', 'half'"


@pytest.mark.parametrize("option", ["--weight", "--by", "--groups"])
def test_no_other_option_takes_two_columns(option, folder):
    options = ["--pred", "a", "--confidence", "0.9", option, "truth", option, "batch"]
    assert refused("evaluate", folder / "cells.csv", *options) == (
        f"invalid value for '{option}': it must be one column, got 'truth', 'batch'; see gpuval evaluate --help"
    )


def test_one_column_may_be_an_embedding(folder):
    found = scored(folder / "cells.parquet", "--embedding", "PC_1", metrics="asw")
    expected = gpuval.silhouette_score(X[:, 1:2], FRAME["a"])
    assert found["a"]["silhouette_score"] == pytest.approx(float(expected), rel=1e-12)


# What is wrong is said, and first of all that which needs no file.


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--true", "t", "--metrics", "asw"], "--embedding must be given for silhouette_score, got"),
        (["--true", "t", "--metrics", "ari,Dunn"], "--embedding must be given for dunn_index, got"),
        (["--embedding", "k", "--metrics", "asw,ari"], "--true must be given for adjusted_rand_score, got"),
        (
            ["--embedding", "k", "--metrics", "silhouete"],
            "--metrics must be names of measures, got 'silhouete'; did you",
        ),
        (
            ["--embedding", "k", "--metrics", "kappa"],
            "--true must be given for cohen_kappa_score, got None",
        ),
        (
            ["--true", "t", "--metrics", "silhouette_samples"],
            (
                "--metrics must be names of measures, got 'silhouette_samples'; silhouette_samples needs samples: "
                "gpuval.silhouette_samples(X, labels)"
            ),
        ),
        (["--embedding", "k", "--confidence", "0.9"], "--confidence needs --true: internal scores have no intervals"),
        (
            ["--true", "t", "--embedding", "k", "--confidence", "0.9", "--metrics", "asw"],
            "--confidence needs an external measure",
        ),
        (["--metrics", "asw"], "missing option '--true', or '--embedding' for internal measures alone"),
    ],
)
def test_what_needs_no_file_is_checked_first(options, message):
    assert refused("evaluate", "no such file.csv", "--pred", "a", *options).startswith(message)


@pytest.mark.parametrize("name", ["cells.h5ad", "v2.zarr", "v3.zarr"])
def test_a_key_without_its_first_letter(name, folder):
    """As scanpy calls it."""
    assert scored(folder / name, "--embedding", "pca", metrics="asw") == scored(
        folder / name, "--embedding", "X_pca", metrics="asw"
    )


@pytest.mark.parametrize("name", ["cells.h5ad", "v2.zarr", "v3.zarr"])
def test_a_wrong_key(name, folder):
    message = refused("evaluate", folder / name, "--pred", "a", "--embedding", "X_pcs", "--metrics", "asw")
    start = f"--embedding must be a key of obsm in {folder / name}, got 'X_pcs' (did you mean 'X_pca'?); it has "
    assert message.startswith(start)
    assert sorted(message.removeprefix(start).split(", ")) == ["'X_pca'", "'frame'", "'half'", "'sparse'"]


@pytest.mark.parametrize("name", ["cells.csv", "cells.parquet"])
def test_wrong_columns(name, folder):
    command = ["evaluate", folder / name, "--pred", "a", "--metrics", "asw", "--embedding"]
    assert refused(*command, "UMAP*").startswith(
        f"--embedding must be columns of {folder / name}, got 'UMAP*', which matches none; it has 'truth', "
    )
    got = "'NK'" if FRAME["truth"][0] == "NK" else repr(FRAME["truth"][0])
    message = refused(*command, "truth")
    assert message in (
        f"column 'truth' must hold numbers, got {got} in row 1",
        "column 'truth' must hold numbers, got values of type string",
        "column 'truth' must hold numbers, got values of type large_string",
    )


OTHERS = {"--true": "PC_0", "--weight": "count", "--by": "batch", "--groups": "batch", "--pred": "PC_2"}


@pytest.mark.parametrize("option", OTHERS)
@pytest.mark.parametrize("name", ["cells.csv", "cells.parquet"])
def test_columns_of_other_options_are_no_embedding(name, option, folder):
    column = OTHERS[option]
    options = {"--true": "truth", "--pred": "a", option: column}
    given = [x for pair in options.items() for x in pair]
    if option == "--groups":
        given += ["--confidence", "0.9"]
    message = refused("evaluate", folder / name, *given, "--embedding", column)
    assert message == f"--embedding must be columns of coordinates, got {column!r}, which {option} has"
    message = refused("evaluate", folder / name, *given, "--embedding", f"{column[:-1]}[{column[-1]}]")
    assert message.endswith(f"which matches no more than {column!r}")


def test_a_column_of_two_options_is_no_embedding(folder):
    options = ["--true", "count", "--by", "count", "--pred", "count", "--embedding", "count"]
    message = refused("evaluate", folder / "cells.csv", *options)
    assert message == "--embedding must be columns of coordinates, got 'count', which --true has"


@pytest.mark.parametrize("name", ["a.csv", "a.parquet"])
@pytest.mark.parametrize(("cell", "message"), [(None, "got nothing in row 3"), (np.inf, "--embedding 'PC_*' must be")])
def test_cells_that_are_no_numbers(cell, message, name, tmp_path):
    frame = with_columns()
    frame.loc[2, "PC_1"] = cell
    if name.endswith("csv"):
        frame.to_csv(tmp_path / name, index=False)
    else:
        frame.astype({"PC_1": "Float64"} if cell is None else {}).to_parquet(tmp_path / name)
    said = refused("evaluate", tmp_path / name, "--pred", "a", "--embedding", "PC_*", "--metrics", "asw")
    assert message in said
    assert "PC_" in said


@pytest.mark.parametrize("options", [["--ignore", "0"], ["--by", "batch"], []])
@pytest.mark.parametrize("name", ["cells.csv", "cells.parquet", "cells.h5ad"])
def test_the_row_of_a_number_is_that_of_the_file(name, options, tmp_path):
    """Counted from 1, as in all messages about files, whichever samples are scored; its column by its name."""
    row = int(np.flatnonzero((FRAME["a"] != 0) & (FRAME["batch"] == "y"))[3])
    frame, in_obsm = with_columns(), cells()
    frame.loc[row, "PC_1"] = in_obsm.obsm["X_pca"][row, 1] = np.inf
    write = {"cells.csv": frame.to_csv, "cells.parquet": frame.to_parquet, "cells.h5ad": in_obsm.write_h5ad}[name]
    write(tmp_path / name)
    key, column = ("X_pca", "2") if name == "cells.h5ad" else ("PC_*", "'PC_1'")
    for metric in ("asw", "ch"):
        said = refused(*("evaluate", tmp_path / name, "--pred", "a", "--embedding", key, "--metrics", metric, *options))
        assert said == f"--embedding {key!r} must be finite, got inf in row {row + 1}, column {column}"


def replaced(path, key, value):
    with h5py.File(path, "a") as file:
        del file[f"obsm/{key}"]
        file[f"obsm/{key}"] = value


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (X[:9], "it has 9 rows for 60 samples"),
        (X[:, 0], "it must be a matrix of numbers, got values of type float64, shape (60,)"),
        (np.full((N, 2), b"x"), "it must be a matrix of numbers, got values of type "),
        (h5py.ExternalLink("other.h5", "/X"), "'X_pca' is a link to another file, which is not followed"),
        (h5py.SoftLink("/obsm/X_pca"), "the links to 'X_pca' lead in a circle"),
    ],
)
def test_obsm_that_is_no_embedding(value, message, tmp_path):
    path = tmp_path / "cells.h5ad"
    cells().write_h5ad(path)
    replaced(path, "X_pca", value)
    said = refused("evaluate", path, "--pred", "a", "--embedding", "X_pca", "--metrics", "asw")
    assert said.startswith(f"cannot read {path} as .h5ad: obsm 'X_pca': {message}")


def test_parts_of_an_embedding_in_another_file(tmp_path):
    path = tmp_path / "cells.h5ad"
    cells().write_h5ad(path)
    with h5py.File(path, "a") as file:
        del file["obsm/sparse/data"]
        file["obsm/sparse/data"] = h5py.ExternalLink("other.h5", "/X")
    said = refused("evaluate", path, "--pred", "a", "--embedding", "sparse", "--metrics", "asw")
    assert "'data' is a link to another file" in said


def test_obsm_in_another_file(tmp_path):
    path = tmp_path / "cells.h5ad"
    cells().write_h5ad(path)
    with h5py.File(path, "a") as file:
        del file["obsm"]
        file["obsm"] = h5py.ExternalLink("other.h5", "/")
    said = refused("evaluate", path, "--pred", "a", "--embedding", "X_pca", "--metrics", "asw")
    assert "'obsm' is a link to another file, which is not followed" in said
    with h5py.File(path, "a") as file:
        del file["obsm"]
    said = refused("evaluate", path, "--pred", "a", "--embedding", "X_pca", "--metrics", "asw")
    assert said == f"--embedding must be a key of obsm in {path}, got 'X_pca'; it has none"


@pytest.mark.parametrize("name", ["cells.h5ad", "v3.zarr"])
@pytest.mark.parametrize(
    ("part", "place", "value", "message"),
    [
        ("indices", 5, 1 << 30, "the column indices of the matrix must be from 0 to below the number of columns (3), "),
        (
            "indices",
            5,
            -1,
            "the column indices of the matrix must be from 0 to below the number of columns (3), got -1",
        ),
        ("indptr", 5, -3, "indptr of the matrix must rise from 0 to the number of entries (180), got 0 to 180 with "),
        ("indptr", N, 177, "indptr of the matrix must rise from 0 to the number of entries (180), got 0 to 177"),
    ],
)
def test_a_sparse_embedding_that_leads_elsewhere(part, place, value, message, name, tmp_path):
    path = tmp_path / name
    WRITERS[name](path)
    with h5py.File(path, "a") if name.endswith("h5ad") else nullcontext(zarr.open_group(str(path))) as file:
        file[f"obsm/sparse/{part}"][place] = value
    said = refused("evaluate", path, "--pred", "a", "--embedding", "sparse", "--metrics", "asw")
    assert said.startswith(f"cannot read {path} as {path.suffix}: obsm 'sparse': {message}")


@pytest.mark.parametrize("name", ["cells.h5ad", "v3.zarr"])
@pytest.mark.parametrize(
    ("order", "message"),
    [
        (["p", "."], "it must hold its column '.', got none"),
        (["../X_pca"], "it must hold its column '../X_pca', got none"),
        ("pqr", "its column-order must be a list of names, got 'pqr'"),
    ],
)
def test_columns_of_a_frame_that_lead_elsewhere(order, message, name, tmp_path):
    path = tmp_path / name
    WRITERS[name](path)
    with h5py.File(path, "a") if name.endswith("h5ad") else nullcontext(zarr.open_group(str(path))) as file:
        file["obsm/frame"].attrs["column-order"] = order
    said = refused("evaluate", path, "--pred", "a", "--embedding", "frame", "--metrics", "asw")
    assert said == f"cannot read {path} as {path.suffix}: obsm 'frame': {message}"


def test_nothing_else_is_read(folder, monkeypatch):
    """A store of which the matrix and the other embeddings are gone."""
    path = folder / "v3.zarr"
    for name in ("X", "obsm/half/c"):
        os.rename(path / name, folder / name.replace("/", "_"))
    try:
        assert scored(path, "--embedding", "X_pca", metrics="asw").keys() == {"a", "b"}
    finally:
        for name in ("X", "obsm/half/c"):
            os.rename(folder / name.replace("/", "_"), path / name)
