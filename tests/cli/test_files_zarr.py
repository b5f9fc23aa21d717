"""Stores of Zarr, of both versions: columns of obs, and nothing that leads elsewhere or runs code."""

import functools
import json
import os
import pickle
import shutil
from contextlib import nullcontext

import anndata
import h5py
import numcodecs
import numpy as np
import pandas as pd
import pytest
import zarr
from command_line import refused, run, write_zarr
from hypothesis import given, settings
from hypothesis import strategies as st

import gpuval
from gpuval.cli.files import open_labels
from gpuval.reporting import figures

LABELS = {
    "truth": pd.Categorical(list("xyxyzz")),
    "text": list("pqpqrr"),
    "a": [0, 1, 0, 1, 2, 1],
    "flag": [True, False, True, True, False, False],
    "gaps": pd.array([1, None, 1, 2, 2, 2], dtype="Int64"),
    "maybe": pd.array([True, None, False, True, False, False], dtype="boolean"),
    "weight": [1.0, 2.0, 1.0, 1.0, 0.5, 3.0],
}
VERSIONS = pytest.mark.parametrize("version", [2, 3])


@pytest.fixture(scope="module")
def copied(tmp_path_factory):
    """Puts a copy of the cells at a path; of each kind they are written once, as that takes long."""
    folder = tmp_path_factory.mktemp("cells")

    @functools.cache
    def written(kind):
        obs = pd.DataFrame(LABELS, index=list("abcdef"))
        X, X_pca = np.ones((6, 2), dtype=np.float32), np.arange(12.0).reshape(6, 2)
        cells = anndata.AnnData(X, obs=obs, obsm={"X_pca": X_pca})
        path = folder / kind
        cells.write_h5ad(path) if kind == "h5ad" else write_zarr(cells, path, int(kind[-1]))
        return path

    def copied(kind, path):
        copy = shutil.copy if kind == "h5ad" else shutil.copytree
        return copy(written(kind), path)

    return copied


@pytest.fixture
def store(copied, tmp_path):
    return lambda version, name="cells.zarr": copied(f"zarr{version}", tmp_path / name)


def attributes_of(path, version):
    return path / ("zarr.json" if version == 3 else ".zattrs")


def changed(file, change):
    """Change what a file of metadata says."""
    content = json.loads(file.read_text())
    change(content)
    file.write_text(json.dumps(content))


def evaluate(path, *options, pred="a"):
    return "evaluate", path, "--true", "truth", "--pred", pred, "--metrics", "ari", *options


@VERSIONS
def test_columns(version, store):
    labels = open_labels(store(version))
    assert labels.columns() == list(LABELS)
    assert labels.unfit(list(LABELS)) == {}
    assert labels.keys() == ["X_pca"]
    read = labels.read([x for x in LABELS if x != "weight"], "weight")
    for name, values in LABELS.items():
        expected = pd.Series(values).astype("string")
        assert read[name].astype("string").fillna("-").tolist() == expected.fillna("-").tolist(), name


INDEXES = {
    "text": pd.Index(list("abcdef")),
    "categories": pd.CategoricalIndex(list("abcdef")),
    "nullable text": pd.Index(pd.array(list("abcdef"), dtype="string")),
}


@pytest.mark.parametrize("kind", ["h5ad", "zarr"])
@pytest.mark.parametrize("index", INDEXES)
def test_cells_of_all_kinds_of_names(index, kind, tmp_path):
    cells = anndata.AnnData(obs=pd.DataFrame(LABELS, index=INDEXES[index]), obsm={"X_pca": np.ones((6, 2))})
    path = tmp_path / f"cells.{kind}"
    with anndata.settings.override(allow_write_nullable_strings=True):
        cells.write_h5ad(path) if kind == "h5ad" else write_zarr(cells, path, 3)
    labels = open_labels(path)
    assert labels.read(["truth", "a"])["a"].tolist() == LABELS["a"]
    assert labels.embedding(["X_pca"]).shape == (6, 2)


@VERSIONS
def test_scores_are_those_of_the_library(version, store):
    code, out, err = run(
        *evaluate(store(version), "--weight", "weight", "--ignore", "y", "--format", "json", pred="text")
    )
    assert (code, err) == (0, "")
    frame = pd.DataFrame(LABELS)
    kept = frame[frame["truth"] != "y"]
    expected = gpuval.adjusted_rand_score(kept["truth"], kept["text"], sample_weight=kept["weight"])
    assert json.loads(out)["text"]["adjusted_rand_score"] == pytest.approx(float(expected), rel=1e-12)


@VERSIONS
def test_only_what_is_named_is_there(version, store):
    path = store(version)
    for name in ("X", "var", "uns", "obs/weight", "obs/gaps", "obsm"):
        shutil.rmtree(path / name)
    assert run(*evaluate(path))[0] == 0


@VERSIONS
def test_consolidated_metadata_are_no_way_around(version, store):
    """What says of itself that all is there, beside what is there."""
    path = store(version)
    shutil.rmtree(path / "obs" / "a")
    assert refused(*evaluate(path)) == f"cannot read {path} as .zarr: column 'a': there is no 'a' in 'obs'"


def test_codes_beside_the_name_of_their_categories(store):
    """As AnnData wrote them before 0.8."""
    path = store(2)
    shutil.rmtree(path / "obs" / "truth")
    obs = zarr.open_group(str(path / "obs"), mode="a", zarr_format=2)
    obs.create_array("truth", data=np.array([0, 1, 0, 1, 2, 2], dtype="i1"))
    group = obs.create_group("__categories")
    group.create_array("truth", data=np.array(["x", "y", "z"], dtype="U1"))
    obs["truth"].attrs["categories"] = "__categories/truth"
    assert open_labels(path).read(["truth"])["truth"].tolist() == list("xyxyzz")


@VERSIONS
@pytest.mark.parametrize("part", ["obs", "obs/a", "obs/truth/codes"])
def test_links_to_folders(part, version, store):
    check_link(store(version), part, store(version, "other.zarr"))


@VERSIONS
def test_links_to_files(version, store):
    check_link(store(version), f"obs/a/{'c/0' if version == 3 else '0'}", store(version, "other.zarr"))


def check_link(path, part, other):
    """Nothing is read of a store of which one part is a link to that of another store."""
    place = path / part
    shutil.rmtree(place) if place.is_dir() else place.unlink()
    place.symlink_to(other / part)
    column = "truth" if "truth" in part else "a"
    message = refused(*evaluate(path, pred=column))
    assert message.startswith(f"cannot read {path} as .zarr: ")
    assert message.endswith(f"{place.name!r} is a link, which is not followed; copy what it leads to into the store")


@VERSIONS
def test_a_store_may_be_reached_by_a_link(version, store, tmp_path):
    (tmp_path / "link.zarr").symlink_to(store(version))
    assert run(*evaluate(tmp_path / "link.zarr"))[0] == 0


@VERSIONS
@pytest.mark.parametrize("name", ["../obsm/X_pca", "..", "a/../../obs/a"])
def test_names_that_lead_out(name, version, store):
    path = store(version)

    def add(content):
        (content["attributes"] if version == 3 else content)["column-order"].append(name)

    changed(attributes_of(path / "obs", version), add)
    assert refused(*evaluate(path, pred=name)).endswith(f"column {name!r}: {name!r} leads out of the store")


class Trap:
    """A pickle of it makes a folder when it is read."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def test_pickles_are_not_read(store, tmp_path):
    path = store(2)
    array = path / "obs" / "a"
    changed(
        array / ".zarray",
        lambda x: x.update(dtype="|O", fill_value=None, compressor=None, filters=[{"id": "pickle", "protocol": 5}]),
    )
    (array / "0").write_bytes(pickle.dumps(Trap(tmp_path / "trapped")))
    assert numcodecs.get_codec({"id": "pickle"}) is not None  # zarr would read it
    message = refused(*evaluate(path))
    assert message.endswith("column 'a': its values are written with 'pickle', which is not read; write it without")
    assert not (tmp_path / "trapped").exists()


def test_codecs_within_shards_are_looked_at(store):
    path = store(3)

    def nest(content):
        inner = [{"name": "bytes"}, {"name": "own.codec"}]
        content["codecs"] = [{"name": "sharding_indexed", "configuration": {"codecs": inner, "chunk_shape": [6]}}]

    changed(path / "obs" / "a" / "zarr.json", nest)
    assert "its values are written with 'own.codec'" in refused(*evaluate(path))


@VERSIONS
def test_values_that_are_only_said_to_be_there(version, store):
    path = store(version)
    file = path / "obs" / "a" / ("zarr.json" if version == 3 else ".zarray")
    changed(file, lambda x: x.update(shape=[10**12]))
    message = refused(*evaluate(path))
    assert "column 'a': it says that it holds 8000000000000 bytes, and has " in message


@VERSIONS
def test_lengths_that_differ(version, store):
    path = store(version)
    file = path / "obs" / "a" / ("zarr.json" if version == 3 else ".zarray")
    changed(file, lambda x: x.update(shape=[5]))
    assert refused(*evaluate(path)).endswith("column 'a' has 5 values for 6 samples")


@VERSIONS
def test_what_is_no_labels(version, store):
    path = store(version)
    obs = zarr.open_group(str(path / "obs"), mode="a", zarr_format=version)
    obs.create_array("square", data=np.zeros((6, 2)))
    obs.create_array("complex", data=np.zeros(6, dtype=complex))
    obs.create_group("group")

    def add(content):
        (content["attributes"] if version == 3 else content)["column-order"] += ["square", "complex", "group"]

    changed(attributes_of(path / "obs", version), add)
    name = "complex128" if version == 3 else "<c16"
    assert open_labels(path).unfit(["a", "square", "complex", "group"]) == {
        "square": "values of shape (6, 2)",
        "complex": f"values of type {name}",
        "group": "an element of type group",
    }


def test_what_is_no_store_of_anndata(tmp_path, store):
    path = tmp_path / "a.zarr"
    path.mkdir()
    assert refused(*evaluate(path)) == f"{path} has no obs: it is no store of AnnData"
    zarr.open_group(str(path), mode="w").create_group("obs")
    assert refused(*evaluate(path)) == f"{path} has an obs without column-order: it is no store of AnnData"
    (tmp_path / "file.zarr").write_text("x")
    message = f"cannot read {tmp_path / 'file.zarr'} as .zarr: it is a file; a store of Zarr is a folder"
    assert refused(*evaluate(tmp_path / "file.zarr")) == message
    (tmp_path / "empty.zarr").touch()
    assert refused(*evaluate(tmp_path / "empty.zarr")) == f"{tmp_path / 'empty.zarr'} is empty"
    store(3).rename(tmp_path / "cells")
    assert refused(*evaluate(tmp_path / "cells")) == f"cannot read {tmp_path / 'cells'}: Is a directory"


@pytest.mark.parametrize("library", ["zarr", "anndata", "pandas"])
def test_without_the_library_of_stores(library, store, monkeypatch):
    import sys

    path = store(3)
    for module in [x for x in sys.modules if x.partition(".")[0] == library]:
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setitem(sys.modules, library, None)
    assert refused(*evaluate(path)) == f'reading .zarr needs {library}: pip install "gpuval[cli]"'


@VERSIONS
def test_damaged_stores(version, store):
    """Bytes of metadata and chunks at random: a score of all rows, or one line."""
    path = store(version)
    files = sorted(x for x in (path / "obs").rglob("*") if x.is_file() and {"a", "truth", "obs"} & set(x.parts))
    files = [x for x in files if x.parent.name in ("obs", "a", "truth", "codes", "categories", "c") or x.name == "0"]

    @settings(max_examples=120)
    @given(st.sampled_from(files), st.integers(0, 10**6), st.binary(max_size=3), st.booleans())
    def test(file, place, new, is_cut):
        before = file.read_bytes()
        at = place % (len(before) + 1)
        file.write_bytes(before[:at] if is_cut else before[:at] + new + before[at + len(new) :])
        try:
            code, out, err = run(*evaluate(path, "--ignore", "nan", "--format", "json"))
            if code == 0:
                found = json.loads(out)["a"]
                assert found["n_samples"] + found["n_dropped"] == 6
            else:
                assert (code, out) == (2, "")
                assert err.startswith("gpuval: ")
                assert err.count("\n") == 1
        finally:
            file.write_bytes(before)

    test()


@VERSIONS
def test_a_large_chunk_of_few_values(version, store):
    """A gibibyte of zeros, which a file of 33 kB holds."""
    path = store(version)

    def change(array):
        chunk = array["chunk_grid"]["configuration"]["chunk_shape"] if version == 3 else array["chunks"]
        chunk[0] = 1 << 27

    changed(path / "obs" / "a" / ("zarr.json" if version == 3 else ".zarray"), change)
    message = "column 'a': it holds 48 bytes in chunks of 1073741824; write it in smaller ones"
    assert refused(*evaluate(path)) == f"cannot read {path} as .zarr: {message}"


LARGE_SHARDS = {"chunks": (1 << 20,), "shards": (1 << 27,)}


@pytest.mark.parametrize(
    ("version", "layout"), [(2, {"chunks": (10_000_000,)}), (3, {"chunks": (10_000_000,)}), (3, LARGE_SHARDS)]
)
@pytest.mark.filterwarnings("ignore")
def test_few_values_in_chunks_for_many(version, layout, store):
    """As programs write that chunk all arrays alike; a shard is read in the chunks within it."""
    path = store(version)
    expected = run(*evaluate(path))
    obs = zarr.open_group(str(path / "obs"), use_consolidated=False)
    del obs["a"]
    array = obs.create_array("a", shape=(6,), dtype="i8", **layout)
    array[...] = np.asarray(LABELS["a"])
    array.attrs.update({"encoding-type": "array", "encoding-version": "0.2.0"})
    assert run(*evaluate(path)) == expected
    assert expected[0] == 0
    if layout is LARGE_SHARDS:  # with a codec around them, they are read whole
        changed(path / "obs" / "a" / "zarr.json", lambda x: x["codecs"].append({"name": "crc32c"}))
        assert "it holds 48 bytes in chunks of 1073741824" in refused(*evaluate(path))


@VERSIONS
def test_what_other_systems_leave_beside_chunks(version, store):
    path = store(version)
    expected = run(*evaluate(path, pred="text"))
    for file in [x for x in (path / "obs").rglob("*") if x.is_file()]:
        for name in (f"._{file.name}", ".DS_Store", f"{file.name}.tmp"):
            (file.parent / name).write_bytes(b"\0" * 99)
    assert run(*evaluate(path, pred="text")) == expected
    assert expected[0] == 0


@VERSIONS
def test_texts_that_are_only_said_to_be_there(version, store):
    """A chunk begins with the number of its texts, all of which are made before one is read."""
    path = store(version)
    chunk = path / "obs" / "text" / "categories" / ("c/0" if version == 3 else "0")
    codec = numcodecs.get_codec({"id": {2: "blosc", 3: "zstd"}[version]})
    chunk.write_bytes(codec.encode(b"\0\0\0\x60" + bytes(codec.decode(chunk.read_bytes()))[4:]))
    message = "column 'text': a chunk must have 3 texts, got 1610612736"
    assert refused(*evaluate(path, pred="text")) == f"cannot read {path} as .zarr: {message}"


@pytest.mark.parametrize("command", ["evaluate", "report"])
def test_nothing_is_written_into_the_store(command, store):
    path = store(3)
    for place in ("zarr.json", "obs/a/c/0", "new.json"):
        options = ["--format", "json"] if command == "evaluate" else []
        message = refused(command, *evaluate(path, *options, "-o", path / "obs" / ".." / place)[1:])
        assert message.endswith("lies in the store that is read; give another folder")
    link = path.with_name("link.zarr")
    link.symlink_to(path)
    assert "lies in the store that is read" in refused(command, *evaluate(link, *options, "-o", path / "new.json")[1:])
    assert run(*evaluate(path))[0] == 0


def test_texts_that_are_compressed_twice(store):
    path = store(3)
    twice = [zarr.codecs.GzipCodec(), zarr.codecs.ZstdCodec()]
    obs = zarr.open_group(str(path), use_consolidated=False)["obs"]
    array = obs.create_array("twice", shape=(6,), dtype=str, compressors=twice)
    array[:] = np.asarray(["u", "v", "v", "u", "w", "u"], dtype=object)
    array.attrs.update({"encoding-type": "string-array", "encoding-version": "0.2.0"})
    assert open_labels(path).read(["twice"])["twice"].tolist() == ["u", "v", "v", "u", "w", "u"]


@pytest.fixture
def written_as(copied):
    """Writes a file whose column "a" is an array as it is."""

    def written_as(array, kind, path):
        copied(kind, path)
        with (
            h5py.File(path, "a")
            if kind == "h5ad"
            else nullcontext(zarr.open_group(str(path), use_consolidated=False)) as file
        ):
            obs = file["obs"]
            del obs["a"]
            if array.dtype.kind == "O":
                obs.create_dataset("a", data=array, dtype=h5py.vlen_dtype("i4"))
            else:
                made = obs.create_dataset("a", data=array) if kind == "h5ad" else obs.create_array("a", data=array)
                made.attrs.update({"encoding-type": "array", "encoding-version": "0.2.0"})

    return written_as


TYPES = {"float16": "f2", "big-endian": ">i4", "big-endian floats": ">f8", "bytes": "S1", "long double": "g"}
KINDS = [(x, kind) for x in TYPES for kind in ("h5ad", "zarr2", "zarr3")[: 1 if x == "long double" else 3]]


@pytest.mark.parametrize(("type_", "kind"), KINDS)
@pytest.mark.filterwarnings("ignore")
def test_types_of_arrays(type_, kind, written_as, tmp_path, monkeypatch):
    """As the same labels of the usual type, by all options that have labels.

    Pictures are not drawn, which takes most of the time of a page: their labels are text by then.
    """
    monkeypatch.setattr(figures, "as_svg", lambda *_, **__: "")
    found = {}
    for name, dtype in {"usual": "U1" if type_ == "bytes" else "i8", "odd": TYPES[type_]}.items():
        path = tmp_path / f"{name}.{kind[:4]}"
        written_as(np.asarray([0, 1, 0, 1, 2, 1]).astype("S1" if type_ == "bytes" else dtype), kind, path)
        if name == "usual" and type_ == "bytes":
            anndata.AnnData(obs=pd.DataFrame(LABELS | {"a": list("010121")}, index=list("abcdef"))).write_h5ad(
                path := tmp_path / "usual.h5ad"
            )
        options = ["--by", "a", "--ignore", "2", "--format", "csv"]
        intervals = ["--groups", "a", "--ignore", "2", "--confidence", "0.9", "--format", "csv"]
        found[name] = [run(*evaluate(path, *some)) for some in (options, intervals)]
        assert run("report", *evaluate(path, "-o", tmp_path / "r.html", "--by", "a")[1:])[0] == 0
    assert [x[0] for x in found["odd"]] == [0, 0]
    assert [x[1].replace(".0,", ",") for x in found["odd"]] == [x[1].replace(".0,", ",") for x in found["usual"]]


def test_lists_are_no_labels(written_as, tmp_path):
    """One column of them does not keep others from a pattern."""
    path = tmp_path / "cells.h5ad"
    lists = np.empty(6, dtype=object)
    lists[:] = [np.arange(i % 3) for i in range(6)]
    written_as(lists, "h5ad", path)
    code, out, err = run(*evaluate(path, "--format", "json", pred="*"))
    assert (code, set(json.loads(out))) == (0, {"text", "flag"})
    assert "--pred leaves out column 'a', which has lists of type int32" in err
    assert refused(*evaluate(path)).startswith("column 'a' has lists of type int32; labels are ")


@pytest.mark.parametrize("kind", ["h5ad", "parquet"])
def test_bytes_that_are_no_text(kind, written_as, tmp_path):
    """One column of them does not keep others from a pattern, and no option takes it."""
    path = tmp_path / f"cells.{kind}"
    labels = np.asarray([b"0", b"\xff", b"0", b"1", b"2", b"1"])
    if kind == "h5ad":
        written_as(labels, kind, path)
    else:
        pd.DataFrame(LABELS | {"a": list(labels)}).to_parquet(path)
    why = "has text that is not in UTF-8, such as b'\\xff'"
    code, out, err = run(*evaluate(path, "--format", "json", pred="*"))
    assert (code, set(json.loads(out))) == (0, {"text", "flag"})
    assert f"--pred leaves out column 'a', which {why}" in err
    for true, pred, by in (("truth", "a", "text"), ("a", "text", "truth"), ("truth", "text", "a")):
        assert refused("evaluate", path, "--true", true, "--pred", pred, "--by", by) == f"column 'a' {why}"


@pytest.mark.parametrize("kind", ["h5ad", "zarr"])
def test_measured_numbers_in_text(kind, tmp_path):
    """They are no labels for patterns and --by, as in CSV and Parquet."""
    path = tmp_path / f"cells.{kind}"
    obs = pd.DataFrame(LABELS | {"score": [f"{x:.2f}" for x in np.linspace(0.1, 0.9, 6)]}, index=list("abcdef"))
    cells = anndata.AnnData(obs=obs)
    cells.write_h5ad(path) if kind == "h5ad" else write_zarr(cells, path, 3)
    assert "column 'score' holds continuous values, such as 0.10" in refused(*evaluate(path, pred="s*"))
    assert refused(*evaluate(path, "--by", "score")) == "--by 'score' must hold whole numbers or text, got 0.10"
