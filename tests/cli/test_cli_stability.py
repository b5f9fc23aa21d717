"""``gpuval stability``: what it writes is what the library finds, for all kinds of files and forms."""

import csv
import io
import json
import math

import anndata
import numpy as np
import pandas as pd
import pytest
from command_line import AsciiTerminal, on_a_terminal, refused, run, write_zarr, written

import gpuval

RUNS = {
    ("0.4", "1"): "00001111",
    ("0.4", "2"): "11110000",
    ("0.4", "3"): "0000111 ",
    ("1.0", "1"): "00112233",
    ("1.0", "2"): "01012323",
    ("1.0", "3"): "01102332",
}
"""Blanks are samples that a run left out."""
FRAME = pd.DataFrame({f"leiden_{setting}_{run}": list(x) for (setting, run), x in RUNS.items()}).replace(" ", None)
ALL = "--runs", "leiden_*"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("files")
    FRAME.to_csv(folder / "a.csv", index=False)
    FRAME.to_csv(folder / "a.tsv", index=False, sep="\t")
    FRAME.to_parquet(folder / "a.parquet")
    cells = anndata.AnnData(obs=FRAME.astype("category").set_index(FRAME.index.astype(str)))
    cells.write_h5ad(folder / "a.h5ad")
    write_zarr(cells, folder / "a.zarr", 3)
    return folder


@pytest.fixture(scope="module")
def found():
    return gpuval.stability(FRAME, random_state=0)


def plain(numbers):
    return {x: None if isinstance(y, float) and math.isnan(y) else y for x, y in numbers.items()}


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "h5ad", "zarr"])
def test_json_is_what_the_library_finds(ending, folder, found):
    out = json.loads(written("stability", folder / f"a.{ending}", *ALL, "--format", "json"))
    labels = {"least_stable_cluster", "reference"}
    for setting, numbers in found.to_dict().items():
        written_numbers = out["settings"][str(setting)]
        for name, number in plain(numbers).items():
            if name in labels:
                assert str(written_numbers[name]) == str(number)
            else:
                assert written_numbers[name] == pytest.approx(number, nan_ok=True), name
    assert out["sentence"] == found.sentence()
    assert out["best"]["element_centric_score"]["setting"] == found.best["ecs"].name
    jaccard = [row["jaccard"] for row in out["clusters"]["1.0"]]
    assert jaccard == pytest.approx(found[1.0].clusters.jaccard.tolist())
    assert out["confidence_level"] == 0.95


def words(text):
    """The words of a table and of what stands below it, each once, wherever lines and tables end."""
    return {word for word in text.split() if word.strip("\N{BOX DRAWINGS LIGHT HORIZONTAL}")}


def test_the_table_is_that_of_the_library(folder, found):
    out = written("stability", folder / "a.csv", *ALL)
    assert words(out) == words(repr(found))
    assert out.splitlines()[0].split()[:3] == ["setting", "clusters", "ECS"]


@pytest.mark.parametrize("width", [50, 90])
@pytest.mark.parametrize("options", [[], ["--clusters"]])
def test_the_table_is_as_wide_as_the_terminal(width, options, folder):
    lines = on_a_terminal(width, "stability", folder / "a.csv", *ALL, *options)
    assert max(map(len, lines)) <= width
    whole = written("stability", folder / "a.csv", *ALL, *options)
    assert words(whole) - words("\n".join(lines)) <= {"by", "chance", "least", "stable", "cluster", "n_absent"}


def test_signs_that_a_terminal_lacks_are_those_of_ascii(folder):
    assert "\n".join(on_a_terminal(80, "stability", folder / "a.csv", *ALL, stream=AsciiTerminal)).isascii()


@pytest.mark.parametrize("form", ["table", "markdown"])
def test_clusters_have_the_columns_of_csv(form, folder, found):
    out = written("stability", folder / "a.csv", *ALL, "--clusters", "--format", form)
    assert out.splitlines()[0].replace("|", " ").split() == list(found.records("clusters")[0])
    for text in (found.sentence(), *found.notes):
        assert f"\n\n{text}\n" in out


def test_csv_has_a_row_for_each_setting_and_for_each_cluster(folder, found, tmp_path):
    rows = list(csv.DictReader(io.StringIO(written("stability", folder / "a.csv", *ALL, "--format", "csv"))))
    assert [row["setting"] for row in rows] == ["0.4", "1.0"]
    assert [float(row["ambiguous"]) for row in rows] == [x.ambiguous for x in found.values()]
    path = tmp_path / "clusters.csv"
    assert written("stability", folder / "a.csv", *ALL, "--clusters", "-o", path) == ""
    frame = pd.read_csv(path, dtype={"setting": str, "cluster": str})
    assert frame["jaccard"].tolist() == pytest.approx(found.to_pandas("clusters")["jaccard"].tolist())
    assert set(frame["setting"]) == {"0.4", "1.0"}


def test_markdown_says_what_the_table_means(folder, found):
    out = written("stability", folder / "a.csv", *ALL, "--format", "markdown")
    assert out.startswith("| setting | clusters |")
    for text in (found.about_table(), found.sentence(), *found.notes):
        assert f"\n\n{text}\n" in out


def test_options(folder):
    options = ["--metrics", "ami,ecs", "--confidence", "0.5", "--reference", "2", "--ignore", "3", "--format", "json"]
    out = json.loads(written("stability", folder / "a.csv", *ALL, *options))
    own = {column: FRAME[column].where(FRAME[column] != "3", None) for column in FRAME}
    found = gpuval.stability(own, metrics=["ami", "ecs"], confidence_level=0.5, reference="2")
    for setting, numbers in found.to_dict().items():
        for end in ("", "_low", "_high"):
            name = f"adjusted_mutual_info_score{end}"
            assert out["settings"][str(setting)][name] == pytest.approx(numbers[name])
        assert out["settings"][str(setting)]["reference"] == "2"


def test_names_say_where_the_setting_stands(tmp_path):
    columns = {f"run{i}_k{k}": np.arange(8) * k // 8 for i in "ab" for k in (2, 4)}
    pd.DataFrame(columns).to_csv(tmp_path / "a.csv", index=False)
    lines = ["stability", tmp_path / "a.csv", "--runs", "run*", "--names", "run{run}_k{setting}", "--format", "json"]
    assert list(json.loads(written(*lines))["settings"]) == ["2", "4"]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_pattern_leaves_out_what_are_no_labels(ending, tmp_path):
    frame = FRAME.assign(leiden_umap=np.arange(8) / 4)
    frame.to_csv(tmp_path / "a.csv", index=False)
    frame.to_parquet(tmp_path / "a.parquet")
    code, out, err = run("stability", tmp_path / f"a.{ending}", *ALL)
    assert code == 0
    assert "1.0" in out
    assert err == "gpuval: --runs leaves out column 'leiden_umap', which holds continuous values, such as 0.25\n"


@pytest.mark.parametrize("noise", ["text", -1])
def test_noise_and_names_of_nothing_are_noted_unless_they_are_ignored(noise, tmp_path):
    labels = {"text": ["a", "a", "b", "-1", "NA"], -1: [0, 0, 1, -1, 2]}[noise]
    pd.DataFrame({f"x_2_{run}": labels for run in range(3)}).to_parquet(tmp_path / "a.parquet")
    lines = ["stability", tmp_path / "a.parquet", "--runs", "x_*"]
    shown = "-1" if noise == -1 else "'-1'"
    of_noise = (
        f"gpuval: runs have the label {shown}, which counts as a cluster; if it stands for noise, --ignore -1 leaves "
        "these samples out, which makes settings with much noise look more stable\n"
    )
    of_nothing = (
        "gpuval: runs have the label 'NA', which counts as a cluster; --ignore NA takes it for a sample left out\n"
    )
    has_nothing = noise != -1
    assert run(*lines)[2] == of_nothing * has_nothing + of_noise
    assert run(*lines, "--ignore", "-1")[2] == of_nothing * has_nothing
    if has_nothing:
        assert run(*lines, "--ignore", "NA")[2] == of_noise


WRONG = [
    (["--runs", "leiden_*_1"], "--runs must have two runs or more of a setting, got no more than one of each"),
    (["--runs", "louvain_*"], "--runs must be columns of"),
    ([*ALL, "--names", "leiden_{run}"], "--names must contain {setting} and {run} once each"),
    ([*ALL, "--names", "louvain_{setting}_{run}"], "--names must fit all columns, got 'louvain_{setting}_{run}'"),
    ([*ALL, "--metrics", "homogeneity"], "--metrics must be symmetric"),
    ([*ALL, "--metrics", "foo"], "--metrics must be names of measures, got 'foo'; 'gpuval metrics' lists them all"),
    ([*ALL, "--metrics", "silhouette"], "--metrics must compare labels with labels, got 'silhouette_score' of samples"),
    ([*ALL, "--metrics", ","], "--metrics must name at least one measure"),
    ([*ALL, "--reference", "9"], "--reference must be 'medoid', or the name of a run of each setting, got '9'; the"),
    ([*ALL, "--format", "html"], "invalid value for '--format'"),
    ([], "missing option '--runs'"),
]


@pytest.mark.parametrize(("options", "message"), WRONG)
def test_mistakes_are_explained_in_one_line(options, message, folder):
    assert refused("stability", folder / "a.csv", *options).startswith(message)


def test_a_label_to_ignore_that_is_not_there_is_noted(folder):
    assert run("stability", folder / "a.csv", *ALL, "--ignore", "noise")[2] == (
        "gpuval: --ignore 'noise' drops nothing: no label is that\n"
    )
