"""Files of AnnData with one changed element, byte or attribute of one of their arrays, by a number."""

import faulthandler
import functools
import os
import resource
import shutil
import sys
import warnings
from contextlib import nullcontext
from pathlib import Path

import anndata
import h5py
import numpy as np
import pandas as pd
import scipy.sparse as sp
import zarr
from command_line import run, write_zarr

N = 24
NUMBERS = [-1, 0, 1, 2, 3, 127, 128, 255, -128, 1 << 15, 1 << 20, 1 << 30, (1 << 31) - 1, -(1 << 31), 1 << 62]
FLOATS = [np.nan, np.inf, -np.inf, 1e300, -1e-300, 0.5]
TEXTS = ["", "a", "\x1b", "é", "../a", "/obs", "csr_matrix", "categorical", "truth", "x" * 3000]
SHAPES = [[N], [N, -1], [1 << 20, 3], [N, 1 << 20], [0, 3], [3, N], [N + 1, 3], [N, 2]]
COMMANDS = [
    ["evaluate", "--true", "truth", "--pred", "*", "--embedding", "sparse", "--metrics", "ari,asw,ch"],
    ["evaluate", "--true", "truth", "--pred", "*", "--embedding", "columns", "--metrics", "ari,db", "--by", "batch"],
    ["evaluate", "--pred", "a", "--pred", "gaps", "--embedding", "frame", "--metrics", "asw", "--ignore", "1"],
    ["evaluate", "--true", "text", "--pred", "*", "--embedding", "X_pca", "--metrics", "nmi,asw", "--weight", "weight"],
]


def write(path):
    """A small file, or store, with columns and embeddings of all kinds."""
    random = np.random.default_rng(5)
    codes = np.arange(N)
    X = random.normal(size=(N, 3)) + codes[:, None] % 3
    names = [f"c{i}" for i in codes]
    obs = pd.DataFrame(
        {
            "truth": pd.Categorical.from_codes(codes % 3, list("xyz")),
            "batch": pd.Categorical.from_codes(codes // 3 % 2, ["p", "q"]),
            "text": np.asarray(["u", "v"], dtype=object)[codes // 2 % 2],
            "a": codes % 4,
            "gaps": pd.array([None, *(codes[1:] % 3).tolist()], dtype="Int64"),
            "weight": random.random(N),
        },
        index=names,
    )
    frame = pd.DataFrame(X, index=names, columns=list("pqr"))
    obsm = {"X_pca": X, "sparse": sp.csr_matrix(X), "columns": sp.csc_matrix(X), "frame": frame}
    cells = anndata.AnnData(obs=obs, obsm=obsm)
    if path.suffix == ".h5ad":
        cells.write_h5ad(path)
        return
    write_zarr(cells, path, 3 if "3" in path.stem else 2)
    for name in set(os.listdir(path)) - {"obs", "obsm"}:  # what no command reads
        if (path / name).is_dir():
            shutil.rmtree(path / name)


def _opened(path):
    if path.suffix == ".h5ad":
        return h5py.File(path, "a")
    return nullcontext(zarr.open_group(str(path), mode="r+", use_consolidated=False))


@functools.cache
def _places(good):
    """The places of all groups and arrays of a file that is not changed, sorted."""

    def inside(group, place):
        for name in sorted(group):
            yield (at := f"{place}/{name}")
            if hasattr(group[name], "keys"):
                yield from inside(group[name], at)

    with _opened(good) as file:
        return [x for name in ("obs", "obsm") for x in (name, *inside(file[name], name))]


def _change(path, places, seed):
    """Change one element or byte of an array, or an attribute; say which."""
    random = np.random.default_rng(seed)
    with _opened(path) as file, warnings.catch_warnings(action="ignore"):
        place = places[random.integers(len(places))]
        node = file[place]
        if hasattr(node, "keys") or random.random() < 0.25:
            return _change_attribute(node, place, random)
        flat = np.array(node[...])
        at = int(random.integers(flat.size))
        flat = flat.reshape(-1)
        if flat.dtype.kind in "OUT":
            flat[at] = TEXTS[random.integers(len(TEXTS))]
        elif random.random() < 0.5:
            given = NUMBERS if flat.dtype.kind in "iub" else FLOATS
            flat[at : at + 1] = np.asarray([given[random.integers(len(given))]]).astype(flat.dtype)
        else:
            octets = flat.view(np.uint8)
            octets[random.integers(octets.size)] = random.integers(256)
        node[...] = flat.reshape(node.shape)
        return f"{place}[{at}] = {flat[at]!r}"


def _change_attribute(node, place, random):
    names = sorted(node.attrs)
    if not names:
        return f"{place}: nothing"
    name = names[random.integers(len(names))]
    given = [*NUMBERS, *TEXTS, *SHAPES] if name != "shape" else SHAPES
    value = given[random.integers(len(given))]
    if random.random() < 0.2:
        del node.attrs[name]
        return f"{place}.{name} is gone"
    node.attrs[name] = value
    return f"{place}.{name} = {value!r}"


def _change_byte(path, seed):
    """Change one byte of one of the files of a store."""
    random = np.random.default_rng(seed)
    files = sorted(x for name in ("obs", "obsm") for x in (path / name).rglob("*") if x.is_file())
    file = files[random.integers(len(files))]
    content = bytearray(file.read_bytes())
    at = int(random.integers(len(content)))
    content[at] = random.integers(256)
    file.write_bytes(content)
    return f"byte {at} of {file.relative_to(path)}"


def changed(good, path, seed):
    """A copy of a good file with the change of a number, and what it is."""
    if path.is_dir():
        shutil.rmtree(path)
    shutil.copytree(good, path) if good.is_dir() else shutil.copy(good, path)
    return _change_byte(path, seed) if good.is_dir() and seed % 3 == 0 else _change(path, _places(good), seed)


def outcome(path, seed):
    """What a command makes of a file: a score or a message; anything else is an error."""
    command, *options = COMMANDS[seed % len(COMMANDS)]
    code, out, err = run(command, path, *options, "--format", "json")
    lines = err.splitlines()
    assert all(line.startswith("gpuval: ") and "Traceback" not in line for line in lines), err
    if code == 0:
        return "score"
    assert (code, out, len(lines)) == (2, "", 1), (code, out, err)
    return "message"


if (
    __name__ == "__main__"
):  # python tests/cli/changed_arrays.py FOLDER FIRST LAST: the outcome of each number, a line each
    folder, first, last = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))
    warnings.simplefilter("ignore")
    kinds = "good.h5ad", "good2.zarr", "good3.zarr"
    for kind in kinds:
        write(folder / kind)
    for seed in range(first, last):
        good = folder / kinds[seed // len(COMMANDS) % len(kinds)]
        faulthandler.dump_traceback_later(30, exit=True)
        said = changed(good, folder / f"changed{good.suffix}", seed)
        print(seed, good.name, said.encode("unicode_escape").decode()[:100], end=": ", flush=True)
        print(outcome(folder / f"changed{good.suffix}", seed), flush=True)
