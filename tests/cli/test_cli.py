"""The command line: what it reads, what it writes, and the one line it says when it cannot."""

import contextlib
import csv
import gzip
import io
import json
import os
import re
import subprocess
import sys
import threading
import tracemalloc
import warnings

import anndata
import h5py
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import zarr
from command_line import write_zarr
from hypothesis import given, settings
from hypothesis import strategies as st

import gpuval
from gpuval.__main__ import main
from gpuval.cli import columns, commands
from gpuval.cli.files import open_labels
from gpuval.cli.files.text import Quotes
from gpuval.cli.formats import as_json, as_markdown
from gpuval.cli.terminal import Paper
from gpuval.reporting import figures

METRICS = ["adjusted_rand_score", "normalized_mutual_info_score"]
COUNTS = ["n_classes", "n_clusters", "n_samples", "n_dropped"]
TRUTH = ["B", "B", "T", "T", "NA", "NA", "B", "T"]
LABELS = {
    "cell": list("abcdefgh"),
    "truth": TRUTH,
    "leiden_1.0": [0, 0, 1, 1, 2, 2, 1, 3],
    "leiden_0.5": [0, 0, 1, 1, 1, 1, 0, 1],
    "db": [-1, 5, 1, 1, 2, 2, 1, -1],
    "weight": [1.0, 0.5, 2.0, 1.0, 1.0, 3.0, 1.0, 0.25],
}
COLUMNS = ["cell", "truth", "leiden_1.0", "leiden_0.5", "db", "weight"]


@pytest.fixture
def frame():
    return pd.DataFrame(LABELS)


@pytest.fixture
def labels(tmp_path, frame):
    path = tmp_path / "labels.csv"
    frame.to_csv(path, index=False)
    return path


@pytest.fixture
def ran(capsys):
    """Run the command line in this process."""

    def ran(*arguments):
        code = main([str(x) for x in arguments])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return ran


@pytest.fixture
def scored(ran):
    """Evaluate, and read the scores back."""

    def scored(file, *arguments, true="truth", pred="leiden_*", note=""):
        options = ["--true", true, "--pred", pred, "--metrics", ",".join(METRICS)]
        code, out, err = ran("evaluate", file, *options, *arguments, "--format", "json")
        assert (code, err) == (0, note)
        return without_counts(json.loads(out))

    return scored


def without_counts(found):
    return {name: {metric: x for metric, x in values.items() if metric not in COUNTS} for name, values in found.items()}


@pytest.fixture
def refused(ran):
    """Run into an error, and give its line without what stands before it."""

    def refused(*arguments):
        code, out, err = ran(*arguments)
        assert (code, out) == (2, "")
        assert err.startswith("gpuval: ")
        assert err.count("\n") == 1
        return err.removeprefix("gpuval: ").removesuffix("\n")

    return refused


def expected(frame, *names, **options):
    truth = frame["truth"]
    found = gpuval.compare(truth, {x: frame[x] for x in names}, METRICS, **options)
    return {name: dict(scores) for name, scores in found.items()}


def evaluate(file, *options):
    return "evaluate", file, "--true", "truth", *options


def shell(*arguments, **options):
    """Run the command line in a process of its own."""
    command = [sys.executable, "-m", "gpuval", *map(str, arguments)]
    options = {"encoding": "utf-8", "env": environment()} | options
    return subprocess.run(command, capture_output=True, **options)


# What it reads.

WRITERS = {
    "labels.csv": lambda frame, path: frame.to_csv(path, index=False),
    "labels.CSV": lambda frame, path: frame.to_csv(path, index=False),
    "labels.csv.gz": lambda frame, path: frame.to_csv(path, index=False),
    "labels.tsv": lambda frame, path: frame.to_csv(path, index=False, sep="\t"),
    "labels.tsv.gz": lambda frame, path: frame.to_csv(path, index=False, sep="\t"),
    "labels.parquet": lambda frame, path: frame.to_parquet(path),
}


@pytest.mark.parametrize("name", WRITERS)
def test_every_format_gives_the_scores_of_the_library(name, tmp_path, frame, scored):
    WRITERS[name](frame, tmp_path / name)
    assert scored(tmp_path / name) == expected(frame, "leiden_1.0", "leiden_0.5")


def test_only_the_columns_asked_for_are_read(labels, tmp_path, frame):
    frame.to_parquet(tmp_path / "labels.parquet")
    for path in (labels, tmp_path / "labels.parquet"):
        read = open_labels(path).read(["db", "truth"], "weight")
        assert list(read) == ["db", "truth", "weight"]


def test_labels_in_text_stay_as_they_are_written(tmp_path, scored):
    path = tmp_path / "labels.csv"
    path.write_text('truth,a,b\nNA,01,"x, y"\nnan,1,z\nNone,1.0,"x\ny"\nx,x,x\n')
    each = dict.fromkeys(METRICS, 1.0)
    note = f"gpuval: {path}: rows read 4, line ends inside quotes 1; is a quote missing?\n"
    assert scored(path, pred="?", note=note) == {"a": each, "b": each}
    assert set(open_labels(path).read(["truth"])["truth"]) == {"NA", "nan", "None", "x"}


@pytest.mark.parametrize(
    ("labels", "read"),
    [
        (["10", "9", "-1"], [-1, 9, 10]),
        (["10.0", "9.0", "-1.0"], [-1, 9, 10]),
        (["1", "01", "2"], ["01", "1", "2"]),
        (["1", "1.0", "2"], ["1", "1.0", "2"]),
        (["01", "02", "03"], ["01", "02", "03"]),
        (["1", "1.5", "2"], ["1", "1.5", "2"]),
        (["1", "x", "2"], ["1", "2", "x"]),
        (["1_0", "2", "3"], ["1_0", "2", "3"]),
        ([str(2**60), str(2**60 + 1), "0"], [0, 2**60, 2**60 + 1]),
    ],
)
def test_whole_numbers_in_text(labels, read, tmp_path):
    path = tmp_path / "labels.csv"
    path.write_text("truth,a\n" + "".join(f"x,{label}\n" for label in labels))
    assert sorted(open_labels(path).read(["a"])["a"]) == read


@pytest.mark.parametrize("name", ["labels.csv", "labels.parquet"])
def test_scores_do_not_depend_on_the_order_of_the_rows(name, tmp_path, frame, scored):
    found = []
    for i in range(5):
        WRITERS[name](frame.sample(frac=1, random_state=i), tmp_path / name)
        found.append(scored(tmp_path / name, "--pred", "db"))
    assert all(scores[x] == found[0][x] for scores in found for x in scores)


@pytest.mark.parametrize(
    "text",
    [
        "\ufefftruth,a\nx,0\ny,1\n",
        "truth,a\r\nx,0\r\ny,1\r\n",
        "\n\ntruth , a\n\nx,0\n\ny,1",
        '"truth","a"\n"x","0"\n"y","1"\n',
        'truth,"a"\nr1,x,0\nr2,y,1\n',  # R's write.table(sep = ",")
        ",truth,a\nr1,x,0\nr2,y,1\n",  # R's write.csv, DataFrame.to_csv
        "truth,,a,\nx,,0,\ny,,1,\n",
        "truth,a\nx,0, \ny,1, \n",
    ],
)
def test_text_as_other_programs_write_it(text, tmp_path, scored):
    (tmp_path / "labels.csv").write_text(text, encoding="utf-8", newline="")
    read = open_labels(tmp_path / "labels.csv").read(["truth", "a"])
    assert read.astype(str).to_dict("list") == {"truth": ["x", "y"], "a": ["0", "1"]}
    assert scored(tmp_path / "labels.csv", pred="a") == {"a": dict.fromkeys(METRICS, 1.0)}


BLANKS = "gpuval: {}: blanks around labels are left out, such as those of {!r} in column {!r}\n"


@pytest.mark.parametrize(("name", "separator"), [("a.csv", ", "), ("a.csv", " , "), ("a.tsv", " \t  ")])
def test_blanks_around_labels(name, separator, tmp_path, ran):
    """They made other classes of the same name, and nothing of what --ignore names."""
    rows = ["B|-1|x|1.5", "B|0|x|2", "T|0|x|1", "T|1|y|1", "T|1|y|0.5"]
    scores = []
    for place, lines in enumerate(
        (["cell_type|leiden|batch|w", *rows], ["cell_type|leiden|batch|w", "B |-1 |x|1.5", *rows[1:]])
    ):
        path = tmp_path / name
        text = "\n".join(lines)
        path.write_text(text.replace("|", separator if place else separator.strip(" ")) + "\n")
        options = ["--pred", "l*", "--ignore", "-1", "--weight", "w", "--by", "batch", "--metrics", "ari"]
        code, out, err = ran("evaluate", path, "--true", "cell_type", *options, "--format", "csv")
        assert code == 0
        assert [line.split(",")[:6] for line in out.splitlines()[1:]] == [
            ["leiden", "x", "2", "1", "2", "1"],
            ["leiden", "y", "1", "1", "2", "0"],
        ]
        scores.append(out)
        assert err.startswith(f"gpuval: {path}: blanks around labels are left out, such as those of 'B ") == bool(place)
    assert scores[0] == scores[1]


@pytest.mark.parametrize(
    ("field", "label"),
    [
        (" 7", 7),
        ("7 ", 7),
        (' "7"', 7),
        ('" 7 "', 7),
        (' "T cell"', "T cell"),
        (' "a ""b"""', 'a "b"'),
        ("\xa0T  cell\t", "T  cell"),
        (' "', '"'),
        ("  ", None),
        ('" "', None),
    ],
)
def test_a_field_without_the_blanks_around_it(field, label, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(f"a, b\nx,{field}\nx,\n", encoding="utf-8")
    labels = open_labels(path)
    read = labels.read(["b"])["b"].astype(object)
    assert [None if pd.isna(x) else x for x in read] == [label, None]
    assert len(labels.notes) == 1
    path.write_text(f"{field},a\n1,2\n", encoding="utf-8")
    assert open_labels(path).columns()[0] == ("(column 1)" if label is None else str(label))


def test_blanks_in_pipes_and_reports(tmp_path, ran, monkeypatch):
    text = "truth, a\n" + "x , -1\nx, 0\ny, 1\ny , 1\n" * 3
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    code, out, err = ran(*evaluate("-", "--pred", "a", "--ignore", "-1", "--metrics", "ari", "--format", "csv"))
    assert (code, err) == (0, BLANKS.format("standard input", "x ", "truth"))
    assert out.splitlines()[1] == "a,2,2,9,3,1.0"
    (tmp_path / "a.csv").write_text(text)
    asked = evaluate(tmp_path / "a.csv", "--pred", "a", "--ignore", "-1", "--confidence", "none")
    code, out, err = ran("report", *asked[1:], "-o", tmp_path / "a.html")
    assert (code, err) == (0, BLANKS.format(tmp_path / "a.csv", "x ", "truth"))
    assert "ARI 1.000" in out


def test_large_integers_beside_missing_ones_stay_apart(tmp_path, frame):
    path = tmp_path / "labels.parquet"
    pd.DataFrame({"truth": pd.array([2**60, 2**60 + 1, None], dtype="Int64")}).to_parquet(path)
    read = open_labels(path).read(["truth"])["truth"]
    assert read.nunique() == 2
    assert read.isna().tolist() == [False, False, True]


def test_the_index_of_a_parquet_file_is_no_column(tmp_path, frame):
    frame.iloc[::-1].to_parquet(tmp_path / "labels.parquet")
    assert open_labels(tmp_path / "labels.parquet").columns() == list(frame)


# .h5ad, in the three layouts that /obs has had.


def write_element(frame, path):
    obs = frame.set_index("cell").astype({"truth": "category", "leiden_0.5": "category"})
    anndata.AnnData(np.ones((len(frame), 2), dtype=np.float32), obs=obs).write_h5ad(path)


def write_pointers(frame, path):
    with h5py.File(path, "w") as file:
        obs = file.create_group("obs")
        obs.attrs.update({"_index": "cell", "encoding-type": "dataframe", "encoding-version": "0.1.0"})
        obs.attrs["column-order"] = np.array([x for x in frame if x != "cell"], dtype=object)
        for name in frame:
            if frame[name].dtype != object or name == "cell":
                obs[name] = frame[name].to_numpy()
                continue
            coded = frame[name].astype("category").cat
            obs[name] = coded.codes.to_numpy()
            obs[f"__categories/{name}"] = coded.categories.to_numpy()
            obs[name].attrs["categories"] = obs[f"__categories/{name}"].ref


def write_compound(frame, path):
    coded = frame["truth"].astype("category").cat
    columns = {"index": frame["cell"].to_numpy("S"), "truth": coded.codes.to_numpy()}
    columns |= {name: frame[name].to_numpy() for name in frame if name not in ("cell", "truth")}
    columns["text"] = frame["truth"].to_numpy("S")
    obs = np.empty(len(frame), dtype=[(name, x.dtype) for name, x in columns.items()])
    for name, values in columns.items():
        obs[name] = values
    with h5py.File(path, "w") as file:
        file["obs"] = obs
        file["uns/truth_categories"] = coded.categories.to_numpy("S")


LAYOUTS = pytest.mark.parametrize("write", [write_element, write_pointers, write_compound])


@LAYOUTS
def test_h5ad(write, tmp_path, frame, scored):
    write(frame, tmp_path / "cells.h5ad")
    columns = open_labels(tmp_path / "cells.h5ad").columns()
    assert columns == [*list(frame)[1:], "text"][: len(columns)]
    assert scored(tmp_path / "cells.h5ad") == expected(frame, "leiden_1.0", "leiden_0.5")
    assert set(open_labels(tmp_path / "cells.h5ad").read(["truth"])["truth"]) == set(TRUTH)


def test_text_of_the_compound_layout(tmp_path, frame, scored):
    write_compound(frame, tmp_path / "cells.h5ad")
    assert scored(tmp_path / "cells.h5ad", pred="text") == {"text": dict.fromkeys(METRICS, 1.0)}


@LAYOUTS
def test_h5ad_is_read_without_its_matrix(write, tmp_path, frame, scored):
    path = tmp_path / "cells.h5ad"
    write(frame, path)
    with h5py.File(path, "a") as file:
        for name in ("X", "obsm", "layers", "uns/neighbors"):
            if name in file:
                del file[name]
            file[name] = h5py.ExternalLink("nowhere.h5", "/nothing")
    assert scored(path) == expected(frame, "leiden_1.0", "leiden_0.5")


NULLABLE = {
    "nullable-string-array": pd.array(["x", "y", "z"], dtype="string"),
    "nullable-integer": pd.array([7, -1, 12], dtype="Int64"),
    "nullable-boolean": pd.array([True, False], dtype="boolean"),
}


def open_zarr(path):
    return contextlib.nullcontext(zarr.open_group(path, use_consolidated=False))


@pytest.fixture
def nullable(tmp_path, frame):
    """Write columns whose categories are of a type of pandas' own, as some versions of anndata do, and give both."""

    def nullable(kind, name):
        codes = frame["leiden_1.0"].to_numpy() % len(NULLABLE[kind])
        obs = frame.set_index("cell").assign(full=codes, some=[-1, *codes[1:]])
        coded = {x: pd.Categorical.from_codes(obs[x], NULLABLE[kind].tolist()) for x in ("full", "some")}
        cells = anndata.AnnData(obs=obs[["truth"]].assign(**coded))
        path = tmp_path / name
        cells.write_h5ad(path) if name.endswith(".h5ad") else write_zarr(cells, path, 3)
        with h5py.File(path, "a") if name.endswith(".h5ad") else open_zarr(path) as file:
            for column in coded:
                del file["obs"][column]["categories"]
                with (
                    anndata.settings.override(allow_write_nullable_strings=True),
                    warnings.catch_warnings(action="ignore"),  # of how arrays of Zarr will be stored one day
                ):
                    anndata.io.write_elem(file["obs"][column], "categories", NULLABLE[kind])
                assert file["obs"][column]["categories"].attrs["encoding-type"] == kind
        return path, obs

    return nullable


@pytest.mark.parametrize("kind", NULLABLE)
@pytest.mark.parametrize("name", ["cells.h5ad", "cells.zarr"])
def test_categories_of_nullable_types(name, kind, nullable, tmp_path, ran, scored, monkeypatch):
    path, obs = nullable(kind, name)
    found = scored(path, "--ignore", "", pred="[fs]*")
    assert found == {x: expected(obs[obs[x] >= 0], x)[x] for x in ("full", "some")}
    assert scored(path, true="full", pred="truth") == {"truth": pytest.approx(found["full"], rel=1e-14)}
    code, out, err = ran(*evaluate(path, "--pred", "truth", "--by", "full", "--format", "json"))
    assert (code, err) == (0, "")
    sizes = {str(NULLABLE[kind][code]): int(count) for code, count in obs["full"].value_counts().items()}
    assert {value: x["n_samples"] for value, x in json.loads(out)["truth"].items()} == sizes
    page = tmp_path / "report.html"
    monkeypatch.setattr(figures, "as_svg", lambda *_, **__: "")  # drawing takes long, and labels are text by then
    asked = evaluate(path, "--pred", "[fs]*", "--ignore", "", "--metrics", "ari", "--confidence", "none")
    code, out, err = ran("report", *asked[1:], "-o", page)
    assert (code, err) == (0, "")
    assert "full" in page.read_text("utf-8")


# What the options mean.


def test_columns_are_in_the_order_asked_for_each_once_and_those_of_a_pattern_in_file_order(labels, scored):
    assert list(scored(labels, "--pred", "leiden_1.0", "--pred", "*_0.5", pred="d?")) == [
        "db",
        "leiden_1.0",
        "leiden_0.5",
    ]
    assert list(scored(labels, pred="leiden_0.5")) == ["leiden_0.5"]
    assert list(scored(labels, "--pred", "leiden_*", pred="leiden_0.5")) == ["leiden_0.5", "leiden_1.0"]
    assert list(scored(labels, "--pred", "db", pred="leiden_*")) == ["leiden_1.0", "leiden_0.5", "db"]


def test_patterns_leave_out_the_truth_and_the_weights(labels, scored):
    found = scored(labels, "--weight", "weight", pred="*")
    assert list(found) == ["cell", "leiden_1.0", "leiden_0.5", "db"]
    assert scored(labels, pred="truth") == {"truth": dict.fromkeys(METRICS, 1.0)}


def test_a_column_may_be_called_like_a_pattern(tmp_path, frame, scored):
    frame.rename(columns={"db": "db[1]", "cell": "db1"}).to_csv(tmp_path / "a.csv", index=False)
    assert list(scored(tmp_path / "a.csv", pred="db[1]")) == ["db[1]"]


def test_weights(labels, tmp_path, frame, scored):
    frame.to_parquet(tmp_path / "labels.parquet")
    weighted = expected(frame, "db", sample_weight=frame["weight"].to_numpy())
    assert weighted != expected(frame, "db")
    for path in (labels, tmp_path / "labels.parquet"):
        assert scored(path, "--weight", "weight", pred="db") == weighted
    assert scored(labels, "--weight", "leiden_0.5", pred="leiden_0.5").keys() == {"leiden_0.5"}


@pytest.mark.parametrize("name", ["labels.csv", "labels.parquet"])
@pytest.mark.parametrize("dtype", ["int64", "float64", "str", "category"])
@pytest.mark.parametrize("label", ["-1", "-1.0"])
def test_ignored_numbers(label, dtype, name, tmp_path, frame, scored):
    frame["db"] = frame["db"].astype(dtype)
    WRITERS[name](frame, tmp_path / name)
    kept = frame[LABELS_DB_KEPT]
    assert scored(tmp_path / name, "--ignore", label, pred="db") == expected(kept, "db")


LABELS_DB_KEPT = [x != -1 for x in LABELS["db"]]


def test_labels_ignored_on_either_side(labels, frame, scored):
    kept = frame[(frame["db"] != -1) & (frame["truth"] != "NA")]
    assert scored(labels, "--ignore", "-1", "--ignore=NA", pred="db") == expected(kept, "db")


def test_labels_ignored_on_one_side(tmp_path, scored, ran, refused):
    """Noise of the reference is called 0, as a cluster is."""
    path = tmp_path / "noise.csv"
    frame = pd.DataFrame({"truth": [0, 1, 1, 2, 2, 1, 2], "a": [1, 1, 1, 2, 2, 0, 0], "b": [1, 1, 1, 2, 2, 0, -1]})
    frame.to_csv(path, index=False)
    kept = frame[frame["truth"] != 0]
    found = scored(path, "--ignore-true", "0", pred="a")
    assert found == expected(kept, "a")
    assert found["a"]["adjusted_rand_score"] == pytest.approx(8 / 33, abs=1e-15)
    assert scored(path, "--ignore", "0", pred="a")["a"]["adjusted_rand_score"] == 1
    both = scored(path, "--ignore-true", "0", "--ignore-pred", "-1", "--pred", "b", pred="a")
    assert both == expected(kept, "a") | expected(kept[kept["b"] != -1], "b")
    more = ["--ignore", "-1", "--ignore-true", "0", "--confidence", "0.9", "--format", "json"]
    code, out, _ = ran(*evaluate(path, "--pred", "?", "--metrics", METRICS[0], *more))
    assert code == 0
    assert json.loads(out)["b"][METRICS[0]]["score"] == both["b"][METRICS[0]]
    note = (
        "gpuval: --ignore-true '-1' drops nothing: no label is that\n"
        "gpuval: --ignore-pred '2.5' drops nothing: no label is that\n"
    )
    scored(path, "--ignore-true", "-1", "--ignore-pred", "2.5", note=note, pred="b")
    message = refused("evaluate", path, "--pred", "a", "--embedding", "b", "--ignore-true", "0")
    assert message.startswith("--ignore-true needs '--true', the column whose labels it names")


def test_kappa_of_columns_that_have_names_in_common(tmp_path, ran, refused):
    """The raters agree in 20 of 30 cases, where 10 are expected; in the part v they have no name in common."""
    path = tmp_path / "raters.csv"
    first, second = ["a", "b", "b", "a", "c", "c"] * 5, ["a", "b", "a", "a", "c", "b"] * 5
    parts = ["u", "u", "v", "u", "u", "u"] * 5
    pd.DataFrame({"truth": first, "a": second, "b": [0, 1, 2] * 10, "part": parts}).to_csv(path, index=False)
    asked = "--metrics", "kappa", "--format", "json"
    code, out, _ = ran(*evaluate(path, "--pred", "a", *asked))
    assert (code, json.loads(out)["a"]["cohen_kappa_score"]) == (0, pytest.approx(1 / 2, rel=1e-14))
    code, out, note = ran(*evaluate(path, "--pred", "?", *asked))
    lack = "has no label in common with column 'truth', and cohen_kappa_score compares their names"
    assert (code, list(json.loads(out)), note) == (0, ["a"], f"gpuval: --pred leaves out column 'b', which {lack}\n")
    assert refused(*evaluate(path, "--pred", "b", *asked)) == f"column 'b' {lack}"
    code, out, _ = ran(*evaluate(path, "--pred", "a", "--by", "part", "--metrics", "kappa", "--format", "csv"))
    assert code == 0
    assert [float(line.split(",")[-1]) for line in out.splitlines()[1:]] == [pytest.approx(12 / 17), 0]


def test_missing_labels_ignored_on_one_side(tmp_path, scored, refused):
    path = tmp_path / "gaps.csv"
    path.write_text("truth,a\n,x\nu,x\nu,x\nv,y\nv,y\nu,z\n")
    assert scored(path, "--ignore-true", "NaN", pred="a") == expected(pd.read_csv(path).dropna(), "a")
    missing = "column 'truth' has no label in 1 of 6 rows; --ignore NaN drops those samples"
    assert refused(*evaluate(path, "--pred", "a", "--ignore-pred", "NaN")) == missing


def test_labels_are_ignored_for_each_labeling_apart(labels, frame, scored):
    found = scored(labels, "--ignore", "5", "--pred", "db")
    assert found["leiden_1.0"] == expected(frame, "leiden_1.0")["leiden_1.0"]
    assert found["db"] == expected(frame[frame["db"] != 5], "db")["db"]


@pytest.mark.parametrize("name", ["labels.csv", "labels.parquet"])
@pytest.mark.parametrize(("label", "n_kept"), [("", 6), ("NaN", 6), ("nan", 5)])
def test_ignored_missing_labels(label, n_kept, name, tmp_path, scored):
    labels = pd.DataFrame({"truth": list("xxyyzzz"), "a": ["p", None, "q", "q", "nan", "r", "s"]})
    WRITERS[name](labels, tmp_path / name)
    kept = labels[labels["a"].notna() & ((labels["a"] != "nan") | (n_kept == 6))]
    assert len(kept) == n_kept
    assert scored(tmp_path / name, "--ignore", label, pred="a") == expected(kept, "a")


@pytest.mark.parametrize("values", [[True, True, False], [True, None, False]])
def test_booleans_are_called_true_and_false(values, tmp_path, scored):
    path = tmp_path / "labels.parquet"
    pd.DataFrame({"truth": values, "a": [1, 0, 2]}, dtype=object).to_parquet(path)
    read = open_labels(path).read(["truth", "a"])
    assert read["truth"].dropna().tolist() == [str(x) for x in values if x is not None]
    missing = ["--ignore", "NaN"] if None in values else []
    assert scored(path, "--ignore", "True", *missing, pred="a") == {"a": dict.fromkeys(METRICS, 1.0)}


def test_a_label_that_does_not_occur_is_noted(labels, frame, scored):
    note = "gpuval: --ignore 'unknwon' drops nothing: no label is that\n"
    assert scored(labels, "--ignore", "unknwon", note=note).keys() == {"leiden_1.0", "leiden_0.5"}


def test_metrics_by_comma_by_repetition_all_and_none(labels, ran):
    def names(*options):
        code, out, err = ran(*evaluate(labels, "--pred", "db"), "--format", "json", *options)
        assert (code, err) == (0, "")
        return list(json.loads(out)["db"])

    usual = list(gpuval.compare(TRUTH, {"a": TRUTH})["a"])
    assert names() == [*COUNTS, *usual]
    assert names("--metrics", "all") == [*COUNTS, *gpuval.METRICS]
    assert names("--metrics", ", ".join(METRICS)) == [*COUNTS, *METRICS]
    assert names("--metrics", METRICS[1], "--metrics", METRICS[0]) == [*COUNTS, *METRICS[::-1]]


# What it writes.


@pytest.fixture
def results(frame):
    return expected(frame, "leiden_1.0", "leiden_0.5", "db")


@pytest.fixture
def written(labels, ran):
    def written(form, *preds):
        options = [x for pred in preds for x in ("--pred", pred)]
        metrics = ["--metrics", ",".join(METRICS)]
        code, out, err = ran(*evaluate(labels, *options, *metrics, "--format", form))
        assert (code, err) == (0, "")
        return out

    return written


def test_json_has_all_digits(written, results):
    assert without_counts(json.loads(written("json", "*_*", "db"))) == results


def test_csv_is_the_data_frame_of_the_library(written, results, frame):
    rows = list(csv.DictReader(io.StringIO(written("csv", "*_*", "db"))))
    assert list(rows[0]) == ["labeling", *COUNTS, *METRICS]
    assert [row.pop("labeling") for row in rows] == list(results)
    assert [[row.pop(x) for x in COUNTS] for row in rows] == [
        ["3", "4", "8", "0"],
        ["3", "2", "8", "0"],
        ["3", "4", "8", "0"],
    ]
    assert [{name: float(x) for name, x in row.items()} for row in rows] == list(results.values())
    comparison = gpuval.compare(frame["truth"], {x: frame[x] for x in results}, METRICS)
    text = io.StringIO(written("csv", "*_*", "db"))
    read = pd.read_csv(text, index_col=0, dtype=str)[METRICS].astype(float)
    pd.testing.assert_frame_equal(read, comparison.to_pandas(), check_names=False, check_exact=True)


SHOWN_COUNTS = [
    ["n_classes", "3", "3", "3"],
    ["n_clusters", "4", "2", "4"],
    ["n_samples", "8", "8", "8"],
    ["n_dropped", "0", "0", "0"],
]


def shown(results):
    return [[name, "higher", *(f"{scores[name]:.3f}" for scores in results.values())] for name in METRICS]


def test_table_has_a_row_per_metric(written, results):
    header, rule, *rows, note = written("table", "*_*", "db").splitlines()
    assert header.split() == ["metric", "better", *results]
    assert set(rule) <= set("─-")
    assert [row.replace("●", "").split() for row in rows] == SHOWN_COUNTS + shown(results)
    assert note == "● highest"


def test_table_of_one_labeling(written, results):
    out = written("table", "db")
    assert out.splitlines()[0].split() == ["metric", "better", "db"]
    assert len(out.splitlines()) == 2 + len(COUNTS) + len(METRICS)


def test_markdown(written, results):
    def cells(line):
        return [x.strip() for x in line.strip("|").split("|")]

    header, rule, *rows = map(cells, written("markdown", "*_*", "db").splitlines())
    assert header == ["metric", "better", *results]
    assert [x.strip("-") for x in rule] == ["", "", ":", ":", ":"]
    assert [[x.strip("*● ") for x in row if x] for row in rows] == SHOWN_COUNTS + shown(results)
    best = gpuval.compare(LABELS["truth"], {x: LABELS[x] for x in results}, METRICS).best
    found = [[name for name, x in zip(results, row[2:], strict=True) if x.startswith("**")] for row in rows[4:]]
    assert found == [[best[x].name] for x in METRICS]


def test_markdown_escapes_bars():
    assert as_markdown({"a|b": {"purity_score": 0.5}}, None, Paper()).splitlines() == [
        "| metric       | better |  a\\|b |",
        "| ------------ | ------ | ----: |",
        "| purity_score | higher | 0.500 |",
    ]


def test_json_stays_json_where_a_score_is_no_number():
    written = as_json({"a": {"x": float("nan"), "y": np.float64(0.1)}})
    assert json.loads(written) == {"a": {"x": None, "y": 0.1}}


class Terminal(io.StringIO):
    def isatty(self):
        return True


# Intervals, and each value of a column apart.

_RANDOM = np.random.default_rng(3)
MANY = {
    "truth": [f"type {x}" for x in _RANDOM.integers(0, 3, 60)],
    "leiden_a": _RANDOM.integers(0, 4, 60),
    "leiden_b": _RANDOM.integers(0, 3, 60),
    "batch": _RANDOM.choice(["x", "y"], 60),
    "donor": _RANDOM.integers(0, 5, 60),
    "count": _RANDOM.integers(1, 3, 60),
}
LEIDEN = ["leiden_a", "leiden_b"]
DRAWN = ["--confidence", "0.9", "--seed", "4", "--resamples", "19"]
OF_LIBRARY = {"confidence_level": 0.9, "random_state": 4, "n_resamples": 19}


@pytest.fixture
def many(tmp_path):
    path = tmp_path / "many.csv"
    pd.DataFrame(MANY).to_csv(path, index=False)
    return path


@pytest.fixture
def said(many, ran):
    def said(form, *options):
        wanted = ["--pred", "leiden_*", "--metrics", ",".join(METRICS), "--format", form]
        code, out, err = ran(*evaluate(many, *wanted, *options))
        assert (code, err) == (0, "")
        return out

    return said


def of_library(**options):
    frame = pd.DataFrame(MANY)
    return gpuval.compare(frame["truth"], frame[LEIDEN], METRICS, **OF_LIBRARY | options)


def ends(estimate):
    return {"score": estimate.score, "low": estimate.low, "high": estimate.high}


def test_intervals_in_json(said):
    wanted = of_library(groups=MANY["donor"])
    found = json.loads(said("json", *DRAWN, "--groups", "donor"))
    assert without_counts(found) == {
        name: {metric: ends(x) for metric, x in scores.intervals.items()} for name, scores in wanted.items()
    }
    assert [scores["n_samples"] for scores in found.values()] == [60, 60]


def test_intervals_in_csv(said):
    wanted = of_library().to_pandas()
    read = pd.read_csv(io.StringIO(said("csv", *DRAWN)), index_col=0, dtype=str).drop(columns=COUNTS)
    pd.testing.assert_frame_equal(read.astype(wanted.dtypes), wanted, check_names=False, check_exact=True)


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_intervals_for_people(form, said):
    wanted = of_library()
    lines = said(form, *DRAWN).splitlines()
    for metric in METRICS:
        (row,) = (line for line in lines if metric in line)
        numbers = [float(x.replace("−", "-")) for x in re.findall(r"−?\d\.\d+", row)]
        all_ends = [x for scores in wanted.values() for x in ends(scores.intervals[metric]).values()]
        assert numbers == pytest.approx(all_ends, abs=0.005)
    verdict = wanted.verdict
    mark = "- " if form == "markdown" else ""
    sentences = [" ".join(verdict.sentences), *(f"△ {x.text}" for x in verdict.cautions)]
    assert lines[-len(sentences) - 1 :] == ["", *(f"{mark}{x}" for x in sentences)]
    assert "noise" not in said(form)


def test_intervals_leave_out_what_is_ignored_and_count_weights(said):
    frame = pd.DataFrame(MANY)
    found = json.loads(said("json", *DRAWN, "--ignore", "type 1", "--ignore", "0", "--weight", "count"))
    for name in LEIDEN:
        kept = frame[(frame["truth"] != "type 1") & (frame[name] != 0)]
        wanted = gpuval.evaluate(kept["truth"], kept[name], METRICS, sample_weight=kept["count"], **OF_LIBRARY)
        for metric in METRICS:
            assert found[name][metric] == pytest.approx(ends(wanted.intervals[metric]), rel=1e-12)
        assert found[name]["n_samples"] == len(kept)


@pytest.mark.parametrize("level", [None, 0.9])
def test_each_value_apart(level, said):
    options = DRAWN if level else []
    found = json.loads(said("json", "--by", "batch", *options))
    frame = pd.DataFrame(MANY)
    assert {name: list(values) for name, values in found.items()} == {name: ["x", "y"] for name in LEIDEN}
    for value, part in frame.groupby("batch"):
        wanted = gpuval.compare(part["truth"], part[LEIDEN], METRICS, **OF_LIBRARY | {"confidence_level": level})
        for name, scores in wanted.items():
            written = {x: found[name][value][x] for x in METRICS}
            assert written == ({x: ends(y) for x, y in scores.intervals.items()} if level else dict(scores))
            assert found[name][value]["n_samples"] == len(part)
        if level:
            sentence = f"{METRICS[0]}: {wanted.best['ari'].sentence()}"
            told = sentence if len(part) >= 30 else "too few samples, or a single class, to tell which is the best"
            assert f"{value}: {told}" in said("table", "--by", "batch", *options).splitlines()
    rows = list(csv.reader(io.StringIO(said("csv", "--by", "batch", *options))))
    assert [row[:2] for row in rows] == [["labeling", "batch"], *([name, value] for name in LEIDEN for value in "xy")]
    assert len({len(row) for row in rows}) == 1
    for form in ("table", "markdown"):
        header = said(form, "--by", "batch", *options).splitlines()[0]
        assert all(f"{name}, {value}" in header for name in LEIDEN for value in "xy")


def test_a_value_with_one_class_has_scores_alone(tmp_path, ran):
    """As in the report: neither intervals nor marks nor a sentence, however many samples it has."""
    frame = pd.DataFrame({"truth": ["b", *"ab" * 50, *"a" * 100], "batch": [*["x"] * 101, *["y"] * 100]})
    frame = frame.assign(leiden_a=np.arange(201) % 5, leiden_b=frame["truth"] + frame.index.map(str).str[-1])
    path = tmp_path / "cells.csv"
    frame.to_csv(path, index=False)
    code, out, err = ran(*evaluate(path, "--pred", "leiden_*", "--by", "batch", "--metrics", "ami", *DRAWN))
    assert (code, err) == (0, "")
    (row,) = (line for line in out.splitlines() if line.startswith("adjusted_mutual_info_score "))
    of_x, of_y = re.findall(r"(?<!–)−?\d\.\d+(?:–−?\d\.\d+)?", row)[1:3]
    assert ("–" in of_x, "–" in of_y) == (True, False)
    assert "y: too few samples, or a single class, to tell which is the best" in out.splitlines()
    assert "y: adj" not in out
    assert re.search(r"x: adjusted_mutual_info_score: .* is ahead of leiden_a \(−0\.018\) by", out)


def test_labelings_of_few_samples_are_not_the_best_of_a_value(tmp_path, ran):
    """In y the best labeling lacks most labels, in z all do; one labeling alone is compared with none."""
    names, batch = pd.Series([f"t{x % 4}" for x in range(600)]), np.repeat(["x", "y", "z"], 200)
    place, in_z = np.arange(600), batch == "z"
    frame = pd.DataFrame({"truth": names, "batch": batch})
    frame["leiden_a"] = names.where(place % 3 > 0, "t0").where(~in_z | (place % 10 == 0))
    frame["leiden_b"] = names.where(place < 220)
    frame["leiden_c"] = names.where(place % 20 != 1, "t0").where(~in_z | (place % 10 == 1))
    path = tmp_path / "cells.csv"
    frame.to_csv(path, index=False)
    asked = ["--by", "batch", "--metrics", "ari", "--ignore", "NaN"]
    for level in ([], DRAWN):
        code, out, _ = ran(*evaluate(path, "--pred", "leiden_*", *asked, *level))
        assert code == 0
        marked = re.findall(r"^(leiden_\w) +(\w) .*[●≈]", out, re.M)
        assert marked == [("leiden_b", "x"), ("leiden_c", "y")]
    lines = [x for x in out.splitlines() if x[:3] in ("x: ", "y: ", "z: ")]
    assert [x.split(" is ")[0].partition(" (")[0] for x in lines[:2]] == [
        "x: adjusted_rand_score: leiden_b",
        "y: adjusted_rand_score: leiden_c",
    ]
    assert lines[2:] == ["z: too few samples, or a single class, to tell which is the best"]
    code, out, _ = ran(*evaluate(path, "--pred", "leiden_b", *asked, *DRAWN))
    assert code == 0
    assert "to tell which is the best" not in out


def test_values_are_in_the_order_of_their_categories(tmp_path, ran):
    frame = pd.DataFrame(MANY)
    days = pd.Categorical.from_codes(np.arange(len(frame)) % 3, ["day1", "day2", "day10"], ordered=True)
    obs = frame[["truth", *LEIDEN]].assign(day=days)
    anndata.AnnData(obs=obs.set_index(obs.index.astype(str))).write_h5ad(tmp_path / "a.h5ad")
    options = ["--pred", "leiden_*", "--by", "day", *DRAWN, "--format", "json"]
    code, out, err = ran(*evaluate(tmp_path / "a.h5ad", *options))
    assert (code, err) == (0, "")
    for name, values in json.loads(out).items():
        assert list(values) == ["day1", "day2", "day10"]
        for value, scores in values.items():
            here = days == value
            assert scores[METRICS[0]]["score"] == gpuval.METRICS[METRICS[0]](frame["truth"][here], frame[name][here])


def test_weights_of_each_value(said):
    options = "json", "--by", "batch", "--weight", "count"
    found, plain = json.loads(said(*options, *DRAWN)), json.loads(said(*options))
    for value, part in pd.DataFrame(MANY).groupby("batch"):
        weighted = {"sample_weight": part["count"]}
        wanted = gpuval.compare(part["truth"], part[LEIDEN], METRICS, **weighted)
        for name in wanted:
            assert {x: plain[name][value][x] for x in METRICS} == {x: float(y) for x, y in wanted[name].items()}
        wanted = gpuval.compare(part["truth"], part[LEIDEN], METRICS, **OF_LIBRARY, **weighted)
        for name, scores in wanted.items():
            assert {x: found[name][value][x] for x in METRICS} == {x: ends(y) for x, y in scores.intervals.items()}


def test_a_value_of_one_group_has_no_interval(tmp_path, ran):
    """As of the library: a score, and ends that are not known, and stderr says why."""
    frame = pd.DataFrame(MANY)
    frame["donor"] = frame["donor"].where(frame["batch"] == "x", 7)
    frame.to_csv(tmp_path / "a.csv", index=False)
    options = ["--pred", "leiden_*", "--metrics", "ari,nmi", "--by", "batch", "--groups", "donor", *DRAWN]
    code, out, err = ran(*evaluate(tmp_path / "a.csv", *options, "--format", "json"))
    said = "--groups 'donor' must have at least two values for an interval, which is NaN where --by 'batch' is 'y'"
    assert (code, err) == (0, f"gpuval: {said}\n")
    alone = frame[frame["batch"] == "x"]
    grouped = gpuval.compare(alone["truth"], alone[LEIDEN], ["ari", "nmi"], groups=alone["donor"], **OF_LIBRARY)
    rest = frame[frame["batch"] == "y"]
    for name, scores in without_counts(json.loads(out)).items():
        for metric, estimate in grouped[name].intervals.items():
            assert scores["x"][metric] == pytest.approx(ends(estimate), rel=1e-12)
            score = gpuval.METRICS[metric](rest["truth"], rest[name])
            assert scores["y"][metric] == {"score": pytest.approx(score), "low": None, "high": None}


@pytest.mark.parametrize("options", [["--by", "umap"], [*DRAWN, "--groups", "umap"]])
def test_batches_and_donors_are_no_continuous_values_in_text_either(options, tmp_path, refused):
    pd.DataFrame(MANY).assign(umap=np.linspace(0.25, 0.75, 60)).to_csv(tmp_path / "a.csv", index=False)
    said = refused(*evaluate(tmp_path / "a.csv", "--pred", "leiden_*", *options))
    assert said == f"{options[-2]} 'umap' must hold whole numbers or text, got 0.25"


def test_the_demo_draws_for_intervals_only(refused):
    assert refused("demo", "--seed", "1").startswith("--seed needs --confidence")
    assert refused("demo", "--resamples", "9").startswith("--resamples needs --confidence")


def test_patterns_leave_out_batches_and_donors(tmp_path, ran):
    frame = pd.DataFrame(MANY)[["truth", *LEIDEN, "batch", "donor"]]
    frame.to_parquet(tmp_path / "a.parquet")
    options = ["--pred", "*", "--by", "batch", "--groups", "donor", *DRAWN, "--format", "json"]
    code, out, err = ran(*evaluate(tmp_path / "a.parquet", *options))
    assert (code, err) == (0, "")
    assert list(json.loads(out)) == LEIDEN


def test_the_demo_has_intervals(ran):
    code, out, _ = ran("demo", "--confidence", "0.95", "--metrics", "ari,nmi", "--resamples", "99")
    again = ran("demo", "--confidence", "0.95", "--metrics", "ari,nmi", "--resamples", "99")[1]
    assert code == 0
    assert out == again
    row = next(line for line in out.splitlines() if line.startswith("adjusted_rand_score"))
    assert re.fullmatch(r"0\.415 0\.\d\d–0\.\d\d", " ".join(row.split()[2:]))


def test_values_without_samples_that_count_are_left_out(tmp_path, ran, refused):
    """As the library does, and told once, with intervals and internal scores, too."""
    frame = pd.DataFrame(MANY).assign(PC_0=np.arange(60.0))
    frame["truth"] = frame["truth"].where(frame["batch"] == "x", "apart")
    frame["leiden_b"] = frame["leiden_b"].where(frame["donor"] != 0, 9)
    frame["zero"] = (frame["batch"] == "x").astype(int)
    frame.to_parquet(tmp_path / "a.parquet")

    def scored(*options):
        code, out, err = ran(*evaluate(tmp_path / "a.parquet", "--pred", "leiden_?", *options, "--format", "json"))
        assert code == 0
        return {name: list(values) for name, values in json.loads(out).items()}, err

    lacks = "has values without samples that count, which have no scores:"
    embedding = ["--embedding", "PC_0", "--metrics", "ari,ch"]
    for more in ([], DRAWN, embedding):
        of_x = {name: ["x"] for name in LEIDEN}
        told = f"gpuval: --by 'batch' {lacks} 'y'\n"
        assert scored("--by", "batch", "--ignore", "apart", *more) == (of_x, told)
        assert scored("--by", "batch", "--weight", "zero", *more) == (of_x, told)
        found, said = scored("--by", "donor", "--ignore", "9", *more)
        assert found == {"leiden_a": list("01234"), "leiden_b": list("1234")}
        assert said == f"gpuval: --by 'donor' {lacks} '0' for 'leiden_b'\n"
    alone = ["--pred", "leiden_a", *embedding[:2], "--metrics", "ch", "--by", "batch", "--weight", "zero"]
    code, out, err = ran("evaluate", tmp_path / "a.parquet", *alone, "--format", "json")
    assert (code, list(json.loads(out)["leiden_a"]), err) == (0, ["x"], told)
    types = [x for name in ("type 0", "type 1", "type 2", "apart") for x in ("--ignore", name)]
    message = refused(*evaluate(tmp_path / "a.parquet", "--pred", "leiden_a", "--by", "batch", *types))
    assert message == "column 'leiden_a' has no sample that --ignore leaves"


def test_a_pattern_leaves_out_columns_without_samples_that_count(tmp_path, ran, refused):
    path = tmp_path / "a.csv"
    path.write_text("truth,a,b\nx,0,-1\ny,1,-1\n")
    code, out, err = ran(*evaluate(path, "--pred", "?", "--ignore", "-1", "--format", "json"))
    assert (code, list(json.loads(out))) == (0, ["a"])
    assert err == "gpuval: --pred leaves out column 'b', which has no sample that --ignore leaves\n"
    message = refused(*evaluate(path, "--pred", "[b]", "--ignore", "-1"))
    assert message == "--pred matches no column of labels: column 'b' has no sample that --ignore leaves"


LACKS_A_VALUE = "must have a value in every row, got none in 1 of 60; fill these in, or take the rows out of the file"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--confidence", "95"], "invalid value for '--confidence': 95.0 is not in the range 0<x<1"),
        (["--confidence", "0"], "invalid value for '--confidence': 0.0 is not in the range 0<x<1"),
        (["--confidence", "nan"], "confidence_level must be between 0 and 1, got nan"),
        (["--confidence", "x"], "invalid value for '--confidence': 'x' is not a valid float"),
        ([*DRAWN, "--resamples", "0"], "invalid value for '--resamples': 0 is not in the range x>=1"),
        ([*DRAWN, "--seed", "-1"], "invalid value for '--seed': -1 is not in the range x>=0"),
        (["--groups", "donor"], "--groups needs --confidence"),
        (["--resamples", "99"], "--resamples needs --confidence"),
        (["--seed", "0"], "--seed needs --confidence"),
        (["--by", "batsh"], "--by must be a column of "),
        ([*DRAWN, "--groups", "x"], "--groups must be a column of "),
        ([*DRAWN, "--groups", "one"], "--groups 'one' must have at least two values, got 1"),
        (["--by", "some"], f"--by 'some' {LACKS_A_VALUE}"),
        ([*DRAWN, "--groups", "some"], f"--groups 'some' {LACKS_A_VALUE}"),
        (["--by", "umap"], "--by 'umap' must hold whole numbers or text, got 0.25"),
        ([*DRAWN, "--groups", "umap"], "--groups 'umap' must hold whole numbers or text, got 0.25"),
        ([*DRAWN, "--weight", "umap"], "an interval needs a table of counts, got one of real weights"),
    ],
)
def test_wrong_options_of_intervals(options, message, tmp_path, refused):
    frame = pd.DataFrame(MANY)
    frame["some"] = [None, *["a"] * 59]
    frame["one"] = "a"
    frame["umap"] = np.linspace(0.25, 0.75, 60)
    frame.to_parquet(tmp_path / "a.parquet")
    said = refused(*evaluate(tmp_path / "a.parquet", "--pred", "leiden_a", "--metrics", "ari", *options))
    assert said.startswith(message)


def test_counts(tmp_path, ran):
    path = tmp_path / "a.csv"
    path.write_text("truth,a,b\nx,0,0\nx,1,-1\ny,2,-1\nz,3,1\nu,4,5\n")
    options = ["--pred", "?", "--ignore", "-1", "--ignore", "u", "--metrics", METRICS[0]]
    _, out, _ = ran(*evaluate(path, *options, "--format", "json"))
    counts = {name: [values[x] for x in COUNTS] for name, values in json.loads(out).items()}
    assert counts == {"a": [3, 4, 4, 1], "b": [2, 2, 2, 3]}
    _, out, _ = ran(*evaluate(path, *options, "--format", "csv"))
    assert [line.split(",")[:5] for line in out.splitlines()] == [
        ["labeling", *COUNTS],
        ["a", "3", "4", "4", "1"],
        ["b", "2", "2", "2", "3"],
    ]


def test_which_way_is_better(labels, ran):
    metrics = ["--metrics", "adjusted_rand_score,variation_of_information,entropy"]
    _, out, _ = ran(*evaluate(labels, "--pred", "db", *metrics))
    assert [line.split()[1:-1] for line in out.splitlines()[-3:]] == [["higher"], ["lower"], []]


# What reaches a terminal.

NAMES = {"\x1b[31mred": r"\x1b[31mred", "\x1b]0;own\x07ed": r"\x1b]0;own\x07ed", "a\u202eb\x9b": r"a\u202eb\x9b"}


@pytest.fixture
def steering(tmp_path):
    path = tmp_path / "a.csv"
    rows = "".join(f"{i % 2},{i % 3},{i % 2},{i % 3}\n" for i in range(6))
    path.write_text(",".join(["truth", *NAMES]) + "\n" + rows, encoding="utf-8")
    return path


@pytest.mark.parametrize("form", ["table", "csv", "markdown"])
def test_names_that_steer_a_terminal_are_escaped(form, steering, ran):
    code, out, err = ran(*evaluate(steering, "--pred", "*", "--format", form))
    assert (code, err) == (0, "")
    assert all(shown in out for shown in NAMES.values())
    assert not set("\x1b\x07\x9b\u202e") & set(out)


def test_json_escapes_and_keeps_names(steering, ran):
    _, out, _ = ran(*evaluate(steering, "--pred", "*", "--format", "json"))
    assert list(json.loads(out)) == list(NAMES)
    assert not set("\x1b\x07\x9b\u202e") & set(out)


def test_messages_escape_names(steering, refused):
    message = refused(*evaluate(steering, "--pred", "nothing"))
    assert message.endswith("it has " + ", ".join(f"'{x}'" for x in ["truth", *NAMES.values()]))
    assert "\\x1b" in refused(*evaluate("\x1b[2J.csv", "--pred", "a"))


def test_names_of_any_length_are_cut(tmp_path, refused, ran):
    path = tmp_path / "a.csv"
    path.write_text(f"truth,{'a' * 100_000}b,c\nx,,0\n")
    message = refused(*evaluate(path, "--pred", "b"))
    assert message == f"--pred must be a column of {path}, got 'b'; it has 'truth', '{'a' * 20}…{'a' * 18}b', 'c'"
    code, _, said = ran(*evaluate(path, "--pred", "*"))
    assert code == 0
    assert 1900 < len(said) < 2100
    assert said.startswith("gpuval: --pred leaves out column 'aaa")
    assert said.endswith("aab', which has no label in 1 of 1 rows; --ignore NaN drops those samples\n")


@pytest.mark.parametrize("name", ["=1+1", "@x", "+x", "-x"])
def test_csv_is_no_formula(name, tmp_path, ran):
    path = tmp_path / "a.csv"
    path.write_text(f"truth,{name}\nx,0\ny,1\n")
    scores = {
        form: ran(*evaluate(path, "--pred", name.replace("-", "?"), "--format", form))[1] for form in ("csv", "json")
    }
    assert [row["labeling"] for row in csv.DictReader(io.StringIO(scores["csv"]))] == [f"'{name}"]
    assert list(json.loads(scores["json"])) == [name]


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_the_credit_breaks_between_words(width, monkeypatch):
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr(sys, "stderr", Terminal())
    commands.write_credit("louvain")
    lines = sys.stderr.getvalue().splitlines()
    assert " ".join(lines).split() == commands._CREDIT.format("louvain").split()
    assert max(map(len, lines)) <= width


# The other commands.


def test_demo(ran):
    code, out, err = ran("demo", "--format", "json", "--metrics", "adjusted_rand_score")
    assert code == 0
    counts = {"n_classes": 10, "n_clusters": 11, "n_samples": 700, "n_dropped": 0}
    assert json.loads(out) == {"louvain": counts | {"adjusted_rand_score": pytest.approx(0.4147795455)}}
    for credit in ("700 cells", "10x Genomics", "Zheng et al. 2017", "scanpy", "BSD-3-Clause"):
        assert credit in err


@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown"])
def test_demo_by_all_measures(form, ran):
    code, out, _ = ran("demo", "--metrics", "all", "--format", form)
    assert code == 0
    assert all(name in out for name in gpuval.METRICS)


def test_directions_are_those_of_the_scores():
    """The same partition twice is better than two that are independent."""
    same = gpuval.Contingency.from_counts([[3, 0, 0], [0, 3, 0], [0, 0, 3]])
    independent = gpuval.Contingency.from_counts([[1, 1, 1], [1, 1, 1], [1, 1, 1]])
    for name, score in gpuval.METRICS.items():
        difference = float(score(same)) - float(score(independent))
        match score.measure.better:
            case "higher":
                assert difference > 0, name
            case "lower":
                assert difference < 0, name
            case _:
                assert "entropy" in name or name in ("expected_mutual_info", "gini_index", "mcnemar_index"), name


def test_help(ran):
    code, out, err = ran("--help")
    assert (code, err) == (0, "")
    assert "gpuval evaluate cells.h5ad --true cell_type --pred 'leiden_*'" in out
    assert ran() == (0, out, "")
    for command in ("evaluate", "demo", "metrics"):
        assert ran(command, "--help")[::2] == (0, "")


def test_help_loads_nothing_heavy():
    code = (
        "import sys; from gpuval.__main__ import main; main(['evaluate', '--help']);"
        "heavy = {'pandas', 'pyarrow', 'anndata', 'h5py', 'rich.console'} & set(sys.modules);"
        "sys.exit(str(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


# What it says when it cannot.


def test_another_separator(tmp_path, scored, refused):
    path = tmp_path / "a.csv"
    path.write_text("truth;a\nx;0\ny;1\n")
    message = refused(*evaluate(path, "--pred", "a"))
    hint = f"{path} seems to be separated by ';': give --delimiter ';'"
    assert message.endswith(f"; {hint}; it has 'truth;a'")
    message = refused("evaluate", path, "--pred", "*", "--embedding", "*")
    assert message.endswith(f"which matches no more than 'truth;a'; {hint}")
    assert scored(path, "--delimiter", ";", pred="a") == {"a": dict.fromkeys(METRICS, 1.0)}
    path.write_text('"truth"\t"a"\n"x"\t0\n')
    assert refused(*evaluate(path, "--pred", "a")).endswith("seems to be separated by 'tab': give --delimiter 'tab'")
    assert scored(path, "--delimiter", "tab", pred="a") == {"a": dict.fromkeys(METRICS, 1.0)}


@pytest.mark.parametrize("separator", ["", ";;", '"', "\n", "é"])
def test_what_separates_nothing(separator, labels, refused):
    message = refused(*evaluate(labels, "--pred", "db", "--delimiter", separator))
    assert message.startswith("invalid value for '--delimiter': it must be one ASCII character")


def test_separators_are_for_text(tmp_path, frame, refused):
    path = tmp_path / "a.parquet"
    frame.to_parquet(path)
    message = refused(*evaluate(path, "--pred", "db", "--delimiter", ";"))
    assert message == f"--delimiter is for .csv and .tsv files, got {path}; leave it out"


MIXED = {"truth": list("xyxyxy"), "a": [0, 1, 2] * 2, "mito": [0.5, 1, 2, 3, 4, 5], "gaps": [1, None] * 3}
GAPS = "has no label in 3 of 6 rows; --ignore NaN drops those samples"


@pytest.mark.parametrize(
    ("name", "mito"),
    [
        ("labels.csv", "holds continuous values, such as 0.5; give its full name to take them for labels"),
        ("labels.parquet", "must hold whole numbers, got 0.5; continuous values are no labels"),
    ],
)
def test_patterns_leave_out_what_is_no_labels(name, mito, tmp_path, scored):
    WRITERS[name](pd.DataFrame(MIXED), tmp_path / name)
    note = "".join(
        f"gpuval: --pred leaves out column {x!r}, which {why}\n" for x, why in [("mito", mito), ("gaps", GAPS)]
    )
    assert list(scored(tmp_path / name, pred="*", note=note)) == ["a"]


@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "a.h5ad", "a.zarr"])
def test_patterns_leave_out_counts_unless_they_are_named(name, tmp_path, scored):
    frame = pd.DataFrame(
        {"truth": list("xyz") * 100, "kmeans": np.arange(300) % 30, "n_genes": np.arange(300) % 99 + 212}
    )
    path = tmp_path / name
    if name in ("a.h5ad", "a.zarr"):
        cells = anndata.AnnData(obs=frame.set_index(frame.index.astype(str)))
        cells.write_h5ad(path) if name == "a.h5ad" else write_zarr(cells, path, 3)
    else:
        WRITERS[f"labels{path.suffix}"](frame, path)
    note = (
        "gpuval: --pred leaves out column 'n_genes', which looks like counts or numbers of samples, as it has 99 "
        "different whole numbers from 212 to 310; give its full name to take them for labels\n"
    )
    assert list(scored(path, pred="*", note=note)) == ["kmeans"]
    assert list(scored(path, "--pred", "n_genes", pred="*")) == ["kmeans", "n_genes"]


def test_a_pattern_of_nothing_but_other_columns(tmp_path, refused):
    pd.DataFrame(MIXED).to_csv(tmp_path / "a.csv", index=False)
    message = refused(*evaluate(tmp_path / "a.csv", "--pred", "[mg]*"))
    assert message.startswith("--pred matches no column of labels: column 'mito' holds continuous values")


def test_a_column_that_is_named_is_an_error(tmp_path, refused):
    pd.DataFrame(MIXED).to_parquet(tmp_path / "a.parquet")
    assert refused(*evaluate(tmp_path / "a.parquet", "--pred", "*", "--pred", "gaps")) == f"column 'gaps' {GAPS}"
    message = refused("evaluate", tmp_path / "a.parquet", "--true", "mito", "--pred", "a")
    assert message == "column 'mito' must hold whole numbers, got 0.5; continuous values are no labels"


def test_numbers_in_text_may_be_labels(tmp_path, scored):
    path = tmp_path / "a.csv"
    path.write_text("truth,a\nx,1.1\ny,1.2\n")
    assert scored(path, pred="a") == {"a": dict.fromkeys(METRICS, 1.0)}


@pytest.mark.parametrize(
    ("values", "what"),
    [
        ([[1], [2]], "values of type list<element: int64>"),
        ([{"x": 1}, {"x": 2}], "values of type struct<x: int64>"),
        (np.asarray(["2020-01-01", "2020-01-02"], dtype="datetime64[ns]"), "values of type timestamp[ns]"),
    ],
)
def test_types_that_are_no_labels(values, what, tmp_path, scored, refused):
    path = tmp_path / "a.parquet"
    pd.DataFrame({"truth": ["x", "y"], "a": values, "b": [0, 1]}).to_parquet(path)
    assert (
        refused(*evaluate(path, "--pred", "a"))
        == f"column 'a' has {what}; labels are whole numbers, text, booleans or categories"
    )
    assert list(scored(path, pred="?", note=f"gpuval: --pred leaves out column 'a', which has {what}\n")) == ["b"]


def test_a_column_against_itself(tmp_path, scored):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n0,1\n1,1\n2,0\n")
    assert scored(path, true="a", pred="a") == {"a": dict.fromkeys(METRICS, 1.0)}
    assert scored(path, "--pred", "a", "--weight", "a", true="a", pred="a").keys() == {"a"}


def test_metrics_are_checked_before_the_file(refused):
    message = refused(*evaluate("no such file.csv", "--pred", "a", "--metrics", "adjusted_rand"))
    assert message.startswith("--metrics must be names of measures, got 'adjusted_rand'")


def test_weights_that_are_zero_where_samples_are_left(tmp_path, refused):
    path = tmp_path / "a.csv"
    path.write_text("truth,a,w\nx,0,1\ny,1,0\nz,1,0\n")
    message = refused(*evaluate(path, "--pred", "a", "--weight", "w", "--ignore", "x"))
    assert message == "column 'a' has no sample that --ignore leaves of a --weight above 0"


def test_samples_of_weight_0_do_not_count(tmp_path, ran):
    path = tmp_path / "a.csv"
    path.write_text("truth,a,w\nx,0,1\ny,1,0.5\nz,2,0\nz,2,0\nx,-1,0\nx,-1,1\n")
    _, out, _ = ran(*evaluate(path, "--pred", "a", "--weight", "w", "--ignore", "-1", "--format", "json"))
    assert [json.loads(out)["a"][x] for x in COUNTS] == [2, 2, 2, 4]


def test_times_are_no_weights(tmp_path, frame, refused):
    path = tmp_path / "a.parquet"
    frame.assign(weight=pd.Timestamp("2020-01-01")).to_parquet(path)
    message = refused(*evaluate(path, "--pred", "db", "--weight", "weight"))
    assert message.startswith("--weight 'weight' must hold numbers, got values of type datetime64[")


# Text that is damaged, or other than it seems.

ROWS = "".join(f"{i % 3},{i % 4}\n" for i in range(999))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (f'truth,a\n0,0\n1,1\n2,"2\n{ROWS}', "line 4 begins a row with a quote that is never closed"),
        (f'truth,"a\n{ROWS}', "line 1 begins a row with a quote that is never closed"),
        (f'truth,a\n0,"0\n{ROWS * 1100}', "line 2 begins a row of more than 4 MiB; is a quote never closed?"),
        (f'truth,a\n{ROWS}0,"1\n{ROWS}0,"1\n', "line 1001 begins a row with text behind a closing quote; "),
        ('truth,a\nx,0\n"y"z,1\n', "line 3 begins a row with text behind a closing quote; "),
        (f"truth,a\n{'0' * (5 << 20)},0\n", "line 2 begins a row of more than 4 MiB; is a quote never closed?"),
        ("truth,a\nx,0\ny,1,\n", "line 3 must have 2 fields, got 3"),
        ("truth,a\nx,0\n \n", "line 3 must have 2 fields, got 1"),
        ("truth,a\nx,\0\n", "it has NUL bytes, as UTF-16 has; save it in UTF-8"),
    ],
)
def test_damaged_text(text, what, tmp_path, refused):
    path = tmp_path / "a.csv"
    path.write_text(text)
    assert refused(*evaluate(path, "--pred", "a")).startswith(f"cannot read {path} as text: {what}")


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("truth,a\nx,0\n".encode("utf-16"), "it is in UTF-16; save it in UTF-8"),
        ("truth,a\nx,0\n".encode("utf-16-le"), "its header has NUL bytes, as UTF-16 has; save it in UTF-8"),
        ("truth,a,é\nx,0,1\n".encode("latin-1"), "its header is not in UTF-8; save it so"),
        (gzip.compress(b"truth,a\nx,0\n", mtime=0), "it is compressed; call it .csv.gz or .tsv.gz"),
        (b"PK\x03\x04....", "it is a ZIP archive (or a workbook); save it as CSV"),
    ],
)
def test_what_is_no_text(content, what, tmp_path, refused):
    path = tmp_path / "a.csv"
    path.write_bytes(content)
    assert refused(*evaluate(path, "--pred", "a")) == f"cannot read {path} as text: {what}"


def test_letters_of_columns_that_are_not_read(tmp_path, scored):
    path = tmp_path / "a.csv"
    path.write_bytes("truth,a,b\nx,0,é\ny,1,é\n".encode("latin-1"))
    assert scored(path, pred="a") == {"a": dict.fromkeys(METRICS, 1.0)}


@pytest.mark.parametrize("text", ['truth,a\n5" p,0\n6" p,1\n', 'truth,a\n5" p,0\ny,1\n', 'truth,a\n"5"" p",0\ny,1\n'])
def test_quotes_inside_fields(text, tmp_path, scored):
    (tmp_path / "a.csv").write_text(text)
    assert scored(tmp_path / "a.csv", pred="a") == {"a": dict.fromkeys(METRICS, 1.0)}
    assert '5" p' in set(open_labels(tmp_path / "a.csv").read(["truth"])["truth"])


def test_rows_inside_quotes_are_told(tmp_path, scored):
    path = tmp_path / "a.csv"
    path.write_text('truth,a\nx,0\n"y,0\ny,1\ny",1\n')
    note = f"gpuval: {path}: rows read 2, line ends inside quotes 2; is a quote missing?\n"
    assert scored(path, pred="a", note=note) == {"a": dict.fromkeys(METRICS, 1.0)}


def test_separators_at_the_end_of_rows(tmp_path, frame, scored):
    path = tmp_path / "a.csv"
    text = frame.to_csv(index=False).replace("\n", ",\n")
    path.write_text(text)
    assert scored(path) == expected(frame, "leiden_1.0", "leiden_0.5")
    path.write_text(text.replace(",\n", "\n", 1))
    assert scored(path) == expected(frame, "leiden_1.0", "leiden_0.5")


@pytest.mark.parametrize("rows", ["r,x,0\nr,y,1\n", "x,0,\ny,1,5\n", "r,x,0\n,y,1\n"])
def test_a_field_that_the_header_has_not(rows, tmp_path, refused):
    path = tmp_path / "a.csv"
    path.write_text(f"truth,a\n{rows}")
    assert refused(*evaluate(path, "--pred", "a")) == (
        f"{path} has 2 columns in its header and 3 in its rows, of which neither the first are row names (all "
        "different) nor the last empty; give each column a name"
    )


@pytest.mark.parametrize("name", ["a.csv", "a.csv.gz"])
def test_long_fields(name, tmp_path, scored):
    long = "z" * 200_000
    text = f"truth,a,{long}\nx,0,{long}\n{long},1,0\n".encode()
    (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith("gz") else text)
    limit = csv.field_size_limit()
    assert scored(tmp_path / name, pred="a") == {"a": dict.fromkeys(METRICS, 1.0)}
    assert csv.field_size_limit() == limit


def test_files_read_by_two_threads_leave_the_limit_of_fields(tmp_path):
    """The csv module has one for the process: neither file takes it from the other, and none keeps it."""
    path = tmp_path / "a.csv"
    path.write_text("truth,a\nx,0\n")
    limit, begun, may_end, within = csv.field_size_limit(), threading.Event(), threading.Event(), []

    def second():
        with open_labels(path)._rows():
            begun.set()
            may_end.wait(10)
            within.append(csv.field_size_limit())

    thread = threading.Thread(target=second)
    with open_labels(path)._rows():
        thread.start()
        begun.wait(0.2)
        within.append(csv.field_size_limit())
    begun.wait(10)
    may_end.set()
    thread.join()
    assert within[0] == within[1] > limit
    assert csv.field_size_limit() == limit


@pytest.mark.parametrize("start", [b"", b"truth,a\n", b"truth,a\nx,0\n"])
def test_text_without_line_ends_does_not_fill_the_memory(start, tmp_path, refused):
    path = tmp_path / "a.csv.gz"
    path.write_bytes(gzip.compress(start + b"a" * (128 << 20), 1))
    tracemalloc.start()
    message = refused(*evaluate(path, "--pred", "a"))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    line = start.count(b"\n") + 1
    assert (
        message == f"cannot read {path} as text: line {line} begins a row of more than 4 MiB; is a quote never closed?"
    )
    assert peak < 64 << 20


@given(st.lists(st.text('",\nx', max_size=12), max_size=4))
@settings(max_examples=500)
def test_quotes_are_paired_only_where_the_csv_module_agrees(blocks):
    text = "".join(blocks)
    quotes = Quotes(io.BytesIO(text.encode()), ",")
    for block in blocks:
        quotes.read(len(block))
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    n_inside, last = 0, 0
    try:
        for _ in reader:
            n_inside, last = n_inside + reader.line_num - last - 1, reader.line_num
    except csv.Error:
        assert not quotes.are_paired
    else:
        assert not quotes.are_paired or quotes.n_line_ends == n_inside


def test_quotes_that_are_paired_are_found_so():
    for text in ('"a","b"\n"c""d",""\n', '""', '"\n"', 'x,"y"\r\n"z",""""', '\ufeff"a",b\n'):
        quotes = Quotes(io.BytesIO(text.encode()), ",")
        assert quotes.read() == text.encode()
        assert quotes.are_paired


# .h5ad that leads elsewhere.


@pytest.fixture
def h5ad(tmp_path):
    """Write an .h5ad whose columns are truth, of two categories, and a, which is to be changed."""

    def h5ad(change):
        path = tmp_path / "cells.h5ad"
        with h5py.File(tmp_path / "other.h5", "w") as other:
            other["a"] = other["group/a"] = np.arange(6) % 3
        with h5py.File(path, "w") as file:
            obs = file.create_group("obs")
            obs.attrs.update({"_index": "index", "column-order": np.array(["truth", "a"], dtype=object)})
            obs["index"] = np.arange(6)
            obs["truth"] = np.arange(6) % 2
            change(file, obs)
        return path

    return h5ad


def write_category(obs, codes, categories):
    group = obs.create_group("a")
    group.attrs.update({"encoding-type": "categorical", "encoding-version": "0.2.0", "ordered": False})
    group["codes"], group["categories"] = codes, categories
    for name in ("codes", "categories"):
        group[name].attrs.update({"encoding-type": "array", "encoding-version": "0.2.0"})
    return group


def link(name, target):
    def change(file, obs):
        file[name] = h5py.ExternalLink("other.h5", target)

    return change


def soft(target, **others):
    def change(file, obs):
        obs["a"] = h5py.SoftLink(target)
        for name, value in others.items():
            file[name] = value

    return change


def external_codes(file, obs):
    group = write_category(obs, np.arange(6) % 3, [5, 6, 7])
    del group["codes"]
    group["codes"] = h5py.ExternalLink("other.h5", "/a")


def external_mask(file, obs):
    group = write_category(obs, np.arange(6) % 3, [5, 6, 7])
    del group["categories"]
    anndata.io.write_elem(group, "categories", pd.array([5, 6, 7], dtype="Int64"))
    del group["categories/mask"]
    group["categories/mask"] = h5py.ExternalLink("other.h5", "/a")


def categories_of(kind):
    """A group of categories that is no column of labels, and leads elsewhere."""

    def change(file, obs):
        group = write_category(obs, np.arange(6) % 3, [5, 6, 7])
        del group["categories"]
        group["categories/a"] = h5py.ExternalLink("other.h5", "/a")
        group["categories"].attrs.update({"encoding-type": kind, "encoding-version": "0.1.0"})

    return change


def categories_in_a_circle(file, obs):
    group = write_category(obs, np.arange(6) % 3, [5, 6, 7])
    del group["categories"]
    group["categories"] = group


def external_values(file, obs):
    obs.create_dataset("a", (6,), "i8", external=[("other.bin", 0, 48)])


def virtual_values(file, obs):
    layout = h5py.VirtualLayout((6,), "i8")
    layout[:] = h5py.VirtualSource("other.h5", "a", shape=(6,))
    obs.create_virtual_dataset("a", layout)


def external_categories(file, obs):
    obs["a"] = np.arange(6) % 3
    categories = file.create_dataset("categories", (3,), "i8", external=[("other.bin", 0, 24)])
    obs["a"].attrs["categories"] = categories.ref


LINKED = "is a link to another file, which is not followed; copy it into this one"
OUTSIDE = "column 'a': its values are in another file, which is not opened; copy them into this one"

CIRCLE = "column 'a': the links to 'a' lead in a circle, or are more than 16"


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (link("obs/a", "/a"), f"column 'a': 'a' {LINKED}"),
        (soft("/q", q=h5py.ExternalLink("other.h5", "/a")), f"column 'a': 'q' {LINKED}"),
        (soft("/q/a", q=h5py.ExternalLink("other.h5", "/group")), f"column 'a': 'q' {LINKED}"),
        (external_codes, f"column 'a': 'codes' {LINKED}"),
        (external_mask, f"column 'a': 'mask' {LINKED}"),
        (categories_of("dict"), "column 'a': it holds no values"),
        (categories_of("array"), "column 'a': it holds no values"),
        (categories_in_a_circle, "column 'a': it holds no values"),
        (external_values, OUTSIDE),
        (virtual_values, OUTSIDE),
        (external_categories, OUTSIDE),
        (soft("b", **{"obs/b": h5py.SoftLink("a")}), CIRCLE),
        (soft("/9", **{str(i): h5py.SoftLink("/".join([str(i - 1) if i else "."] * 4)) for i in range(10)}), CIRCLE),
        (
            lambda file, obs: obs.create_dataset("a", (6,), "i1", chunks=(1 << 30,), maxshape=(None,)),
            "column 'a': it holds 6 bytes in chunks of 1073741824; write it in smaller ones",
        ),
        (soft("/nowhere"), "column 'a': there is no 'nowhere' in '/'"),
        (lambda file, obs: None, "column 'a': there is no 'a' in '/obs'"),
        (
            lambda file, obs: write_category(obs, [0, 1, 9, 1, 0, 1], [5, 6]),
            "column 'a': codes need to be between -1 and len(categories)-1",
        ),
        (
            lambda file, obs: obs.create_dataset("a", (10**12,), "i8", chunks=(1000,)),
            "column 'a': it says that it holds 8000000000000 bytes, and has 0 in the file",
        ),
    ],
)
def test_h5ad_that_leads_elsewhere(change, message, h5ad, refused):
    path = h5ad(change)
    assert refused(*evaluate(path, "--pred", "a")) == f"cannot read {path} as .h5ad: {message}"


@pytest.mark.parametrize("n", [3, 7])
def test_h5ad_of_columns_of_other_lengths(n, h5ad, refused):
    path = h5ad(lambda file, obs: obs.update(a=np.arange(n)))
    message = f"cannot read {path} as .h5ad: column 'a' has {n} values for 6 samples"
    assert refused(*evaluate(path, "--pred", "a")) == message


def test_obs_in_another_file(h5ad, refused):
    def change(file, obs):
        del file["obs"]
        file["obs"] = h5py.ExternalLink("other.h5", "/")

    path = h5ad(change)
    assert refused(*evaluate(path, "--pred", "a")) == f"cannot read {path} as .h5ad: 'obs' {LINKED}"


def test_soft_links_inside_the_file(h5ad, scored):
    direct = scored(h5ad(lambda file, obs: obs.update(a=np.arange(6) % 3)), pred="a")
    assert scored(h5ad(soft("/q", q=np.arange(6) % 3)), pred="a") == direct
    assert scored(h5ad(soft("/p/q", p=h5py.SoftLink("/group"), **{"group/q": np.arange(6) % 3})), pred="a") == direct


@pytest.mark.parametrize(
    ("values", "what"),
    [
        (np.zeros((6, 2)), "values of shape (6, 2)"),
        (3, "values of shape ()"),
        (np.zeros(6, dtype=[("x", "i4")]), "values of type [('x', '<i4')]"),
    ],
)
def test_members_of_obs_that_are_no_labels(values, what, h5ad, scored, refused):
    def change(file, obs):
        obs["a"], obs["b"] = values, np.arange(6) % 3
        obs.attrs["column-order"] = np.array(["truth", "a", "b"], dtype=object)

    path = h5ad(change)
    message = refused(*evaluate(path, "--pred", "a"))
    assert message == f"column 'a' has {what}; labels are whole numbers, text, booleans or categories"
    note = f"gpuval: --pred leaves out column 'a', which has {what}\n"
    assert list(scored(path, pred="?", note=note)) == ["b"]


def test_obs_without_columns(tmp_path, h5ad, refused):
    path = h5ad(lambda file, obs: obs.attrs.pop("column-order"))
    assert (
        refused(*evaluate(path, "--pred", "a")) == f"{path} has an /obs without column-order: it is no file of AnnData"
    )
    with h5py.File(path, "w") as file:
        file["obs"] = np.arange(3)
    assert refused(*evaluate(path, "--pred", "a")) == f"{path} has an /obs without columns: it is no file of AnnData"


def test_wrong_columns(labels, refused):
    has = f"it has {', '.join(map(repr, COLUMNS))}"
    assert (
        refused("evaluate", labels, "--true", "Truth", "--pred", "db")
        == f"--true must be a column of {labels}, got 'Truth' (did you mean 'truth'?); {has}"
    )
    assert (
        refused(*evaluate(labels, "--pred", "leiden_0.1")) == f"--pred must be a column of {labels}, got "
        f"'leiden_0.1' (did you mean 'leiden_0.5' or 'leiden_1.0'?); {has}"
    )
    message = refused(*evaluate(labels, "--pred", "xyz*"))
    assert message == f"--pred must be columns of {labels}, got 'xyz*', which matches none; {has}"
    message = refused(*evaluate(labels, "--pred", "tr*"))
    assert (
        message == f"--pred must be columns of {labels} that are given for nothing else, got 'tr*', which matches no "
        "more than 'truth'"
    )
    assert (
        refused(*evaluate(labels, "--pred", "db", "--weight", "www"))
        == f"--weight must be a column of {labels}, got 'www'; {has}"
    )


def test_many_columns_are_cut(tmp_path, refused):
    path = tmp_path / "labels.csv"
    path.write_text(",".join(f"c{i}" for i in range(50)) + "\n" + ",".join("0" * 50) + "\n")
    listed = ", ".join(f"'c{i}'" for i in range(12))
    assert (
        refused(*evaluate(path, "--pred", "c*"))
        == f"--true must be a column of {path}, got 'truth'; it has {listed}, ... (50 in all)"
    )


def test_another_separator_of_many_columns(tmp_path, refused):
    """The header is one name, and longer than a message."""
    path = tmp_path / "a.csv"
    names = [f"a_long_name_of_a_column_{i}" for i in range(200)]
    path.write_text(";".join(["truth", *names]) + "\n" + ";".join("0" * 201) + "\n")
    message = refused(*evaluate(path, "--pred", names[0]))
    assert f"; {path} seems to be separated by ';': give --delimiter ';'; it has 'truth;a_long" in message
    assert len(message) < 500


def test_missing_file_and_directory(tmp_path, refused):
    path = tmp_path / "no.csv"
    assert refused(*evaluate(path, "--pred", "a")) == f"cannot read {path}: No such file or directory"
    assert refused(*evaluate(tmp_path, "--pred", "a")) == f"cannot read {tmp_path}: Is a directory"


def test_no_permission(labels, refused, monkeypatch):
    def denied(*_):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(labels), "open", denied)
    assert refused(*evaluate(labels, "--pred", "db")) == f"cannot read {labels}: Permission denied"


def test_unknown_extension(tmp_path, refused):
    path = tmp_path / "labels.xlsx"
    path.write_text("x")
    assert (
        refused(*evaluate(path, "--pred", "a")) == f"cannot read {path}: its extension must be one "
        "of .csv, .csv.gz, .tsv, .tsv.gz, .parquet, .h5ad, .zarr"
    )


@pytest.mark.parametrize("name", ["a.csv", "a.tsv", "a.csv.gz", "a.parquet", "a.h5ad"])
def test_empty_file(name, tmp_path, refused):
    path = tmp_path / name
    path.write_bytes(b"")
    assert refused(*evaluate(path, "--pred", "a")) == f"{path} is empty"
    if name == "a.csv.gz":
        path.write_bytes(gzip.compress(b"\n"))
        assert refused(*evaluate(path, "--pred", "a")) == f"{path} is empty"


def test_no_rows(tmp_path, frame, refused):
    path = tmp_path / "labels.csv"
    path.write_text("truth,a\n\n")
    assert refused(*evaluate(path, "--pred", "a")) == f"{path} has a header but no rows"
    frame[:0].to_parquet(tmp_path / "labels.parquet")
    write_compound(frame[:0], tmp_path / "cells.h5ad")
    for name in ("labels.parquet", "cells.h5ad"):
        path = tmp_path / name
        assert refused(*evaluate(path, "--pred", "db")) == f"{path} has no rows"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", b"truth,a\nx,0\nT cell, naive,1\n", "as text: line 3 must have 2 fields, got 3"),
        ("a.csv", b"truth,a\nx,0\ny\n", "as text: line 3 must have 2 fields, got 1"),
        ("a.csv", b"truth,a\nx,0\n\xe9,1\n", "as text: it is not in UTF-8; save it so"),
        ("a.csv.gz", b"truth,a\nx,0\n", "as text: Not a gzipped file"),
        ("a.csv.gz", gzip.compress(b"truth,a\nx,0\n", mtime=0)[:-4], "as text: "),
        ("a.parquet", b"PAR1 no PAR1", "as Parquet: "),
        ("a.h5ad", b"\x89HDF no", "as .h5ad: "),
    ],
)
def test_damaged_file(name, content, message, tmp_path, refused):
    path = tmp_path / name
    path.write_bytes(content)
    assert refused(*evaluate(path, "--pred", "a")).startswith(f"cannot read {path} {message}")


def test_hdf5_without_obs(tmp_path, refused):
    path = tmp_path / "a.h5ad"
    with h5py.File(path, "w") as file:
        file["X"] = [1.0]
    assert refused(*evaluate(path, "--pred", "a")) == f"{path} has no /obs: it is no file of AnnData"


def test_two_columns_of_one_name(tmp_path, refused):
    path = tmp_path / "a.csv"
    path.write_text("truth,a,a\nx,0,1\n")
    assert refused(*evaluate(path, "--pred", "a")) == f"{path} has more than one column 'a'"


def test_unknown_metric(labels, refused):
    message = refused(*evaluate(labels, "--pred", "db", "--metrics", "adjusted_rand"))
    assert message.startswith(
        "--metrics must be names of measures, got 'adjusted_rand'; did you mean adjusted_rand_score"
    )
    assert refused(*evaluate(labels, "--pred", "db", "--metrics", " ,")) == "--metrics must name at least one measure"
    message = refused(*evaluate(labels, "--pred", "db", "--metrics", "ndcg"))
    assert message == "--metrics must be names of measures, got 'ndcg'; 'gpuval metrics' lists them all"


def test_missing_labels(tmp_path, refused):
    path = tmp_path / "a.csv"
    path.write_text("truth,a\nx,0\ny,\nz,\n")
    assert (
        refused(*evaluate(path, "--pred", "a"))
        == "column 'a' has no label in 2 of 3 rows; --ignore NaN drops those samples"
    )


def test_nothing_left(labels, refused):
    ignored = [x for label in ("0", "1", "NA") for x in ("--ignore", label)]
    left = "column 'leiden_0.5' has no sample that --ignore leaves"
    assert refused(*evaluate(labels, "--pred", "leiden_0.5", *ignored)) == left


ALL_TRUE = [x for label in ("B", "T", "NA") for x in ("--ignore-true", label)]
ALL_PRED = [x for label in ("0", "1") for x in ("--ignore-pred", label)]


@pytest.mark.parametrize(
    ("ignored", "leaves"),
    [
        (ALL_TRUE, "--ignore-true leaves"),
        (ALL_PRED, "--ignore-pred leaves"),
        ([*ALL_PRED, *ALL_TRUE[:2]], "--ignore-true and --ignore-pred leave"),
        ([*ALL_TRUE[2:], "--ignore", "B"], "--ignore and --ignore-true leave"),
    ],
)
def test_nothing_left_by_the_options_that_are_given(ignored, leaves, labels, refused):
    message = refused(*evaluate(labels, "--pred", "leiden_0.5", *ignored))
    assert message == f"column 'leiden_0.5' has no sample that {leaves}"
    message = refused("report", *evaluate(labels, "--pred", "leiden_0.5", *ignored)[1:], "--output", "a.html")
    assert message == f"column 'leiden_0.5' has no sample that {leaves}"


@pytest.mark.parametrize("name", ["labels.csv", "labels.parquet"])
@pytest.mark.parametrize("weight", [None, "a", -1, -0.5, float("inf"), "NA"])
def test_weights_that_are_no_weights(weight, name, tmp_path, frame, refused):
    weights = pd.Series([1.0, weight, *LABELS["weight"][2:]], dtype=object)
    frame["weight"] = weights.astype(str if name.endswith("csv") or isinstance(weight, str) else float)
    if weight is None:
        frame.loc[1, "weight"] = None
    WRITERS[name](frame, tmp_path / name)
    shown = "nothing" if weight is None else str(frame["weight"][1])
    assert (
        refused(*evaluate(tmp_path / name, "--pred", "db", "--weight", "weight"))
        == f"--weight 'weight' must hold finite numbers from 0 up, got {shown} in row 2"
    )


def test_weights_that_are_all_zero(tmp_path, frame, refused):
    frame.assign(weight=0).to_csv(tmp_path / "a.csv", index=False)
    message = refused(*evaluate(tmp_path / "a.csv", "--pred", "db", "--weight", "weight"))
    assert message == "--weight 'weight' must not be 0 everywhere"


def test_nullable_weights(tmp_path, frame, scored, refused):
    path = tmp_path / "cells.h5ad"
    write_element(frame.assign(weight=pd.array([1, 2, 3, 4, 5, 6, 7, 8], dtype="Int64")), path)
    weighted = expected(frame, "db", sample_weight=np.arange(1, 9))
    assert scored(path, "--weight", "weight", pred="db") == weighted
    write_element(frame.assign(weight=pd.array([1, 2, 3, None, 5, 6, 7, 8], dtype="Int64")), path)
    assert (
        refused(*evaluate(path, "--pred", "db", "--weight", "weight"))
        == "--weight 'weight' must hold finite numbers from 0 up, got nothing in row 4"
    )


def test_labels_that_are_no_labels(tmp_path, frame, refused):
    frame.to_parquet(tmp_path / "a.parquet")
    assert (
        refused(*evaluate(tmp_path / "a.parquet", "--pred", "weight"))
        == "column 'weight' must hold whole numbers, got 0.5; continuous values are no labels"
    )


@pytest.mark.parametrize(
    ("arguments", "start", "command"),
    [
        (["evaluate"], "missing argument 'FILE'", "gpuval evaluate"),
        (["evaluate", "a.csv"], "missing option '--pred'", "gpuval evaluate"),
        (["evaluate", "a.csv", "--pred", "a"], "missing option '--true', or '--embedding' for", "gpuval evaluate"),
        (["nothing"], "no such command 'nothing'", "gpuval"),
        (["demo", "--pred", "a"], "no such option", "gpuval demo"),
    ],
)
def test_wrong_usage_is_one_line(arguments, start, command, refused):
    message = refused(*arguments)
    assert message.startswith(start)
    assert message.endswith(f"; see {command} --help")


def test_wrong_format(labels, refused):
    message = refused(*evaluate(labels, "--pred", "db", "--format", "xml"))
    assert message.startswith("invalid value for '--format': 'xml' is not one of 'table', 'json'")


@pytest.mark.parametrize("library", ["click", "rich"])
def test_without_the_extra(library, monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, library, None)
    assert main(["--help"]) == 2
    captured = capsys.readouterr()
    message = 'gpuval: the command line needs click and rich: pip install "gpuval[cli]"\n'
    assert (captured.out, captured.err) == ("", message)


@pytest.mark.parametrize(
    ("name", "kind", "library"),
    [
        ("labels.csv", "text", "pyarrow"),
        ("labels.csv", "text", "pandas"),
        ("labels.parquet", "Parquet", "pyarrow"),
        ("labels.parquet", "Parquet", "pandas"),
        ("cells.h5ad", ".h5ad", "h5py"),
        ("cells.h5ad", ".h5ad", "anndata"),
        ("cells.h5ad", ".h5ad", "pandas"),
    ],
)
def test_without_a_library(name, kind, library, tmp_path, frame, refused, monkeypatch):
    write = WRITERS.get(name, write_element)
    write(frame, tmp_path / name)
    pa.table(frame)  # pyarrow looks for pandas once, and cannot tell that it is hidden afterwards
    for module in [x for x in sys.modules if x.partition(".")[0] == library]:
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setitem(sys.modules, library, None)
    assert (
        refused(*evaluate(tmp_path / name, "--pred", "db"))
        == f'reading {kind} needs {library}: pip install "gpuval[cli]"'
    )


def test_an_interrupt(labels, ran, monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(columns, "open_labels", interrupted)
    code, out, err = ran(*evaluate(labels, "--pred", "db"))
    assert (code, out, err.strip()) == (130, "", "")


@pytest.mark.parametrize("module", ["click", "gpuval.cli.program"])
def test_an_interrupt_while_libraries_are_loaded(module, ran, monkeypatch):
    class Interrupting:
        def find_spec(self, name, *_):
            if name == module:
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, module)
    monkeypatch.setattr(sys, "meta_path", [Interrupting(), *sys.meta_path])
    assert ran("metrics") == (130, "", "")


# As a program.


def test_as_a_program(labels, results):
    metrics = ["--metrics", ",".join(METRICS), "--format", "json"]
    done = shell(*evaluate(labels, "--pred", "*_*", "--pred", "db", *metrics))
    assert (done.returncode, done.stderr) == (0, "")
    assert without_counts(json.loads(done.stdout)) == results


def test_an_error_as_a_program(tmp_path):
    done = shell(*evaluate("no.csv", "--pred", "a"), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "gpuval: cannot read no.csv: No such file or directory\n"


def test_letters_that_the_output_does_not_have(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("truth,größe,β\nx,0,0\ny,1,1\n", encoding="utf-8")
    arguments = evaluate(path, "--pred", "gr*", "--pred", "β", "--format", "markdown")
    done = shell(*arguments, env=environment(PYTHONIOENCODING="latin-1"), encoding="latin-1")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[0].split() == ["|", "metric", "|", "better", "|", "größe", "|", "\\u03b2", "|"]


@pytest.mark.skipif(os.name == "nt", reason="Windows has no such pipes")
@pytest.mark.parametrize("arguments", [["metrics"], ["demo"], ["demo", "--format", "csv"], ["--help"]])
def test_a_closed_pipe_is_quiet(arguments):
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "gpuval", *arguments]
    with os.fdopen(write, "w") as out:
        done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 1
    assert "Error" not in done.stderr


FULL = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="there is no full device")


def in_shell(redirection, *arguments, program=("-m", "gpuval")):
    """Run the command line in a process whose streams a shell has redirected, with their buffers."""
    command = ["sh", "-c", f'exec "$@" {redirection}', "sh", sys.executable, *program, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, env=environment(PYTHONUNBUFFERED=""))


@FULL
@pytest.mark.parametrize("arguments", [["metrics"], ["--help"], ["demo", "--format", "csv"]])
def test_an_output_that_is_full(arguments):
    done = in_shell("> /dev/full", *arguments)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "gpuval: cannot write: No space left on device"
    assert "Traceback" not in done.stderr


@pytest.mark.skipif(os.name == "nt", reason="there is no such shell")
def test_an_output_that_is_closed():
    done = in_shell(">&-", "metrics")
    assert (done.returncode, done.stderr) == (1, "gpuval: cannot write: standard output is closed\n")


@FULL
@pytest.mark.parametrize("redirection", ["2>&-", "2> /dev/full", "<&- 2>&-"])
def test_messages_that_cannot_be_written(redirection):
    done = in_shell(redirection, "nothing")
    assert (done.returncode, done.stdout) == (2, "")
    done = in_shell(redirection, "demo", "--format", "csv", "--metrics", METRICS[0])
    assert (done.returncode, len(done.stdout.splitlines())) == (0, 2)
    without_click = "import sys; sys.modules['click'] = None; from gpuval.__main__ import main; sys.exit(main())"
    done = in_shell(redirection, program=("-c", without_click))
    assert (done.returncode, done.stdout) == (2, "")
    assert in_shell(f"{redirection} > /dev/full", "metrics").returncode == 1


def environment(**more):
    """The environment of this process, with gpuval found from any folder."""
    root = os.path.dirname(os.path.dirname(gpuval.__file__))
    return os.environ | {"PYTHONPATH": root} | more
