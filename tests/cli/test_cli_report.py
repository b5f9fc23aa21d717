"""``gpuval report`` and ``gpuval demo --report``: the page that the library makes, of columns of files."""

import re

import anndata
import numpy as np
import pandas as pd
import pytest
from command_line import refused, run, write_zarr
from report_pages import Page

import gpuval

N = 90
FEW = ("--metrics", "ari,ami", "--resamples", "19")


@pytest.fixture(scope="module")
def frame():
    random = np.random.default_rng(0)
    kinds = random.choice(["B", "T", "NK"], N)
    found = pd.DataFrame({"cell_type": kinds, "batch": random.choice(["one", "two"], N), "donor": np.arange(N) % 9})
    for share in (0.5, 1.0):
        found[f"leiden_{share}"] = np.where(random.random(N) < share / 2, random.integers(0, 4, N), (kinds == "B") * 1)
    return found.assign(leiden_score=random.random(N), weight=random.integers(1, 4, N))


@pytest.fixture(scope="module")
def folder(frame, tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    X = np.random.default_rng(1).normal(size=(N, 3))
    frame.assign(PC_1=X[:, 0], PC_2=X[:, 1], PC_3=X[:, 2]).to_csv(folder / "cells.csv", index=False)
    obs = frame.set_index(frame.index.astype(str))
    cells = anndata.AnnData(np.zeros((N, 1), dtype=np.float32), obs=obs, obsm={"X_pca": X})
    cells.write_h5ad(folder / "cells.h5ad")
    write_zarr(cells, folder / "cells.zarr", 3)
    return folder


@pytest.fixture(autouse=True)
def shown(monkeypatch, tmp_path):
    """What a browser would have been asked to show."""
    found = []
    monkeypatch.setattr("webbrowser.open", found.append)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    return found


def page_of(path):
    own = r"\d{4}-\d\d-\d\d \d\d:\d\d UTC|<h3>About</h3>\n<dl>\n.*?</dl>\n"
    return re.sub(r"\n+", "\n", re.sub(own, "", path.read_text("utf-8"), flags=re.DOTALL))


def test_the_page_says_which_labels_are_ignored(folder, frame, tmp_path):
    """As on the command line, and not what they are made on the way; those of one side are no clusters."""
    path = tmp_path / "report.html"
    asked = ["report", folder / "cells.csv", "--true", "cell_type", "--pred", "leiden_1.0", *FEW, "-o", path]
    code, _, err = run(*asked, "--ignore-true", "B", "--ignore", 3)
    assert (code, err) == (0, "")
    facts = Page(path.read_text("utf-8")).facts
    assert facts["options of labels"] == "--ignore '3' --ignore-true 'B'"
    kept = (frame["cell_type"] != "B") & (frame["leiden_1.0"] != 3)
    assert facts["samples"] == f"{int(kept.sum())} of {N}"


@pytest.fixture(scope="module")
def of_the_library(folder, frame):
    """Makes the page of the library, whose axes and samples have these names, and says what it shows of it."""
    return lambda axes, unit: library_page(folder, frame, axes, unit)


def library_page(folder, frame, axes, unit):
    path = folder / "library.html"
    X = np.random.default_rng(1).normal(size=(N, 3))
    columns = frame.astype(str)
    found = gpuval.report(
        columns["cell_type"],
        columns[["leiden_0.5", "leiden_1.0"]],
        X=X,
        coordinates=pd.DataFrame(X[:, :2], columns=axes),
        by=columns["batch"],
        metrics=["ari", "asw"],
        n_resamples=19,
        unit=unit,
        output=path,
    )
    return page_of(path), f"{found!r}\n"


@pytest.mark.parametrize(
    ("name", "key"), [("cells.csv", "PC_*"), ("cells.h5ad", "X_pca"), ("cells.h5ad", "pca"), ("cells.zarr", "X_pca")]
)
def test_the_page_is_that_of_the_library(name, key, folder, of_the_library, tmp_path):
    path = tmp_path / "report.html"
    asked = ["report", folder / name, "--true", "cell_type", "--pred", "leiden_*", "--embedding", key, "--by", "batch"]
    code, out, err = run(*asked, "--metrics", "ari,asw", "--resamples", 19, "-o", path)
    assert code == 0
    assert "--pred leaves out column 'leiden_score', which" in err
    unit = "sample" if name == "cells.csv" else "cell"
    axes = ["PC_1", "PC_2"] if name == "cells.csv" else ["X_pca 1", "X_pca 2"]
    assert (page_of(path), out) == of_the_library(axes, unit)


def test_without_a_file_a_browser_shows_it(folder, shown):
    code, out, err = run("report", folder / "cells.csv", "--true", "cell_type", "--pred", "leiden_0.5", *FEW)
    assert code == 0
    assert out.startswith("- leiden_0.5 agrees with “cell_type”: ARI ")
    (address,) = shown
    assert err == f"gpuval: the report is {address.removeprefix('file://')}\n"


def test_a_pipe_has_the_page_alone(folder):
    code, out, err = run("report", folder / "cells.csv", "--true", "cell_type", "--pred", "leiden_0.5", *FEW, "-o", "-")
    assert (code, err) == (0, "")
    assert out.startswith("<!DOCTYPE html>")
    assert out.endswith("</html>\n")


def test_details_title_weights_and_groups(folder, frame, tmp_path):
    path = tmp_path / "report.html"
    options = ["--details", "leiden_1*", "--title", "Cells <b>", "--weight", "weight", "--groups", "donor", *FEW]
    code, _, _ = run("report", folder / "cells.csv", "--true", "cell_type", "--pred", "leiden_*", *options, "-o", path)
    assert code == 0
    html = path.read_text("utf-8")
    assert "<h1>Cells &lt;b&gt;</h1>" in html
    assert re.findall("Each class in (leiden[^<]*(?:<wbr>[^<]*)*)</h2>", html) == ["leiden_<wbr>1.0"]
    ari = gpuval.adjusted_rand_score(frame["cell_type"], frame["leiden_1.0"], sample_weight=frame["weight"])
    assert "ARI · adjusted_rand_score</th><td" in html
    assert f",{float(ari)!r}," in html


def test_ignored_labels(folder, frame, tmp_path):
    path = tmp_path / "report.html"
    asked = ["--true", "cell_type", "--pred", "leiden_0.5", "--ignore", "B", "--ignore", "no", *FEW, "-o", path]
    code, _, err = run("report", folder / "cells.csv", *asked)
    assert (code, err) == (0, "gpuval: --ignore 'no' drops nothing: no label is that\n")
    n = int((frame["cell_type"] != "B").sum())
    assert f"<dt>samples</dt><dd>{n} of {N}</dd>" in path.read_text("utf-8")


def test_coordinates(folder, tmp_path):
    """Two columns, or a key; columns that are drawn are no labels."""
    path = tmp_path / "report.html"
    asked = ["--true", "cell_type", "--pred", "leiden_0.5", "--metrics", "ari", "--confidence", "none", "-o", path]
    assert run("report", folder / "cells.csv", *asked, "--coordinates", "PC_2", "--coordinates", "PC_3")[0] == 0
    assert {x[:-1].strip() for x in Page(path.read_text("utf-8")).svg_texts if x.endswith("→")} == {"PC_2", "PC_3"}
    assert run("report", folder / "cells.h5ad", *asked, "--coordinates", "pca")[0] == 0
    axes = {x[:-1].strip() for x in Page(path.read_text("utf-8")).svg_texts if x.endswith("→")}
    assert axes == {"X_pca 1", "X_pca 2"}
    said = refused("report", folder / "cells.csv", *asked[:4], "--coordinates", "PC_*")
    assert said == "--coordinates must be two columns, got 'PC_1', 'PC_2', 'PC_3'"
    said = refused("report", folder / "cells.h5ad", *asked[:4], "--coordinates", "no")
    assert re.match("--coordinates must be a key of obsm in .*cells.h5ad, got 'no'", said)


def test_no_intervals(folder, tmp_path):
    path = tmp_path / "report.html"
    asked = ["--true", "cell_type", "--pred", "leiden_*", "--confidence", "none", "--metrics", "ari", "-o", path]
    assert run("report", folder / "cells.csv", *asked)[0] == 0
    assert 'class="beside"' not in path.read_text("utf-8")


def test_internal_measures_alone(folder, tmp_path):
    path = tmp_path / "report.html"
    asked = ["--pred", "leiden_*", "--embedding", "PC_*", "-o", path]
    code, out, _ = run("report", folder / "cells.csv", *asked)
    assert code == 0
    assert "Highest silhouette: leiden_" in out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((), "missing option '--true', or '--embedding' for internal measures alone"),
        (("--true", "cell_type", "--metrics", "no"), "--metrics must be names of measures, got 'no'"),
        (("--true", "cell_type", "--confidence", "2"), "invalid value for '--confidence': 2.0 is not in the range"),
        (("--true", "cell_type", "--confidence", "x"), "invalid value for '--confidence': 'x' is not a valid float"),
        (("--true", "cell_type", "--confidence", "none", "--groups", "donor"), "--groups needs --confidence"),
        (("--true", "no"), "--true must be a column of "),
        (("--true", "cell_type", "--details", "no"), "--details must be a column of --pred, got 'no'"),
        (("--true", "cell_type", "-o", "no/such/report.html"), "--output 'no/such/report.html' cannot be written"),
        (
            ("--true", "cell_type", "--weight", "leiden_score"),
            "--weight must count samples where there are intervals, got real weights or fractions; use weights of an",
        ),
    ],
)
def test_mistakes(options, message, folder):
    assert refused("report", folder / "cells.csv", "--pred", "leiden_*", *options).startswith(message)


def test_messages_speak_of_options(folder):
    asked = ["--true", "cell_type", "--pred", "leiden_*", "--weight", "leiden_score"]
    assert refused("report", folder / "cells.csv", *asked).endswith(" or --confidence none for no intervals")


def test_the_file_that_is_read_is_not_written_over(folder):
    path = folder / "cells.csv"
    before = path.read_bytes()
    said = refused("report", path, "--true", "cell_type", "--pred", "leiden_*", "-o", path)
    assert said == f"--output {str(path)!r} is the file that is read; give another name"
    assert path.read_bytes() == before


def test_the_demo(shown, tmp_path):
    code, out, err = run("demo", "--report", "--metrics", "ari", "--resamples", 19)
    assert code == 0
    assert out.startswith("- leiden_0.1 agrees best: ARI 0.459, ahead of leiden_0.4 by")
    assert "leiden_* against bulk_labels" in err
    path = tmp_path / shown[0].rpartition("/")[2]
    page = Page(path.read_text("utf-8"))
    assert "<h1>700 blood cells</h1>" in path.read_text("utf-8")
    assert {x[:-1].strip() for x in page.svg_texts if x.endswith("→")} == {"PC_1", "PC_2"}
    said = refused("demo", "--report", "--format", "json")
    assert said.startswith("--format cannot be given with --report")
