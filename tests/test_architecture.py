"""The architecture as checks: what imports what, what is loaded, where arrays are created, and what is public."""

import ast
import importlib
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import gpuval

PACKAGE = Path(gpuval.__file__).parent

LAYERS = [
    {"_namespace"},
    {"_numerics", "_exact", "_threads", "_symbols", "_pytree", "_extras", "_scores"},
    {
        "_expected",
        "_assignment",
        "_tabulate.numpy",
        "_tabulate.torch",
        "_tabulate.jax",
        "_tabulate.standard",
        "_tabulate.joint",
        "_tabulate.runs",
        "_factorize",
        "_magnitude",
        "_cuda.plan",
    },
    {"_containers", "_conversion"},
    {"_cuda.kernels", "_cuda.door"},
    {"_cuda.count", "_cuda.table", "_cuda.expected", "_cuda.distances", "_cuda.formulas"},
    {"_cuda"},
    {"_tabulate.dask", "_tabulate"},
    {"_layout", "_labels", "_label_types", "_self_pairs"},
    {"_samples", "_cells", "_checkpoints"},
    {"_counts"},
    {"contingency"},
    {"_once", "_running"},
    {"_distributed", "_rests"},
    {"_near", "_fused"},
    {"_metric"},
    {"_pairs", "_entropies"},
    {"_null_model"},
    {"pair_counting", "information", "beta_entropies", "overlap", "matching", "agreement", "tables"},
    {"_labelings", "_names"},
    {"_chosen"},
    {"evaluate", "accumulate"},
    {"internal._matrix", "internal._documents", "internal._progress"},
    {"internal._sparse"},
    {"internal._points", "internal._host", "internal._standard", "internal._cosine"},
    {"internal._kernels", "internal._precomputed", "internal._moments", "internal._sample", "internal._pruned"},
    {"internal._means", "internal._extremes", "internal._dask"},
    {"internal._silhouettes"},
    {"internal.silhouette", "internal.dispersion", "internal.dunn", "internal.accumulate"},
    {"internal.single_cell"},
    {"internal"},
    {""},
    {"_label_file", "_show"},
    {"_text_file", "_parquet_file", "_h5ad_file"},
    {"_files"},
    {"cli", "torchmetrics"},
    {"__main__"},
]
"""Modules import from layers above theirs in this list only, and not from their own; "" is the package itself."""

SAME_LAYER_OF_ITS_PARTS = {"_tabulate", "_cuda"}
"""A folder's ``__init__`` may import what is in the folder."""

OPTIONAL = ("cupy", "torch", "jax", "dask", "pandas", "polars", "scipy", "sklearn", "click", "rich", "anndata", "h5py")


def modules():
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = list(path.relative_to(PACKAGE).with_suffix("").parts)
        if parts[-1] == "__init__":
            parts.pop()
        yield ".".join(parts), ast.parse(path.read_text(encoding="utf-8"))


MODULES = dict(modules())
LEVEL = {module: level for level, layer in enumerate(LAYERS) for module in layer}


def imported(tree):
    """The gpuval modules that a module imports, wherever in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [(node.module or "", alias.name) for alias in node.names]
        else:
            continue
        for module, name in names:
            if module.split(".")[0] == "gpuval":
                inside = module.removeprefix("gpuval").lstrip(".")
                longer = f"{inside}.{name}".lstrip(".")
                yield longer if longer in MODULES else inside


def upward_imports(name, tree):
    return [
        other
        for other in imported(tree)
        if LEVEL[other] >= LEVEL[name] and not (name in SAME_LAYER_OF_ITS_PARTS and other.startswith(name + "."))
    ]


def test_every_module_has_a_layer():
    assert set(LEVEL) == set(MODULES)
    assert sum(map(len, LAYERS)) == len(LEVEL)


@pytest.mark.parametrize("name", MODULES)
def test_imports_go_one_way(name):
    assert upward_imports(name, MODULES[name]) == []


def test_an_import_of_the_wrong_way_is_found():
    assert upward_imports("_labels", ast.parse("def f():\n    from gpuval.contingency import Contingency")) != []
    assert upward_imports("overlap", ast.parse("from gpuval import matching")) != []


def test_only_one_module_knows_array_api_compat():
    def knows(tree):
        return any(
            "array_api_compat" in ast.unparse(x) for x in ast.walk(tree) if isinstance(x, ast.Import | ast.ImportFrom)
        )

    assert [name for name, tree in MODULES.items() if knows(tree)] == ["_namespace"]


# Creations of arrays say on which device.

CREATIONS = {"arange", "asarray", "empty", "eye", "full", "linspace", "ones", "zeros"}
HOST_ONLY = (
    {"_assignment", "_files", "_text_file", "_parquet_file", "_h5ad_file", "cli"}
    | {f"_tabulate.{x}" for x in ("numpy", "torch", "jax")}
    | {f"_cuda.{x}" for x in ("count", "table", "expected", "distances", "formulas")}
)
"""Modules that see arrays of NumPy only, or of one library, whose creations take the device from elsewhere."""


def creations_without_device(tree):
    """Calls such as ``xp.zeros(...)`` that name no device; ``np.`` is the host, by its name."""
    found = []
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in CREATIONS):
            continue
        source = ast.unparse(node.func.value)
        if source not in ("np", "numpy") and not any(word.arg == "device" for word in node.keywords):
            found.append(ast.unparse(node))
    return found


@pytest.mark.parametrize("name", sorted(set(MODULES) - HOST_ONLY))
def test_creations_name_the_device(name):
    allowed = {"accumulate": {"xp.zeros(1)"}}  # where a device is yet to be known
    assert set(creations_without_device(MODULES[name])) <= allowed.get(name, set())


def test_a_creation_without_device_is_found():
    assert creations_without_device(ast.parse("xp.zeros(3, dtype=xp.int64)")) == ["xp.zeros(3, dtype=xp.int64)"]
    assert creations_without_device(ast.parse("xp.zeros(3, device=d)")) == []


# What an import loads.


def loaded_by(statement):
    program = f"import sys; {statement}; print(' '.join(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return {name.split(".")[0] for name in ran.stdout.split()}


def test_the_import_loads_no_optional_library():
    assert loaded_by("import gpuval").isdisjoint(OPTIONAL)


def test_a_loaded_library_is_found():
    assert "scipy" in loaded_by("import gpuval, scipy.optimize")


def test_a_score_of_numpy_labels_loads_no_optional_library():
    assert loaded_by("import gpuval; gpuval.evaluate([0, 0, 1], [0, 1, 1], 'all')").isdisjoint(OPTIONAL)


# What is public.


def is_public(name):
    return name not in ("", "internal") and not any(part.startswith("_") for part in name.split("."))


@pytest.mark.parametrize("name", [x for x in MODULES if is_public(x)])
def test_all_is_what_a_module_defines(name):
    if name in ("cli", "contingency"):
        return
    module = importlib.import_module(f"gpuval.{name}")
    defined = {
        key
        for key, value in vars(module).items()
        if key.islower() and not key.startswith("_") and getattr(value, "__module__", None) == module.__name__
    }
    assert defined == {x for x in module.__all__ if x.islower()}
    assert module.__all__ == sorted(module.__all__, key=lambda x: (not x.isupper(), not x[0].isupper(), x))


def test_the_package_exports_all_that_is_public():
    public = set()
    for name in (
        "pair_counting",
        "information",
        "beta_entropies",
        "overlap",
        "matching",
        "agreement",
        "tables",
        "evaluate",
        "accumulate",
        "internal.silhouette",
        "internal.dispersion",
        "internal.dunn",
        "internal.single_cell",
        "internal.accumulate",
    ):
        public |= set(importlib.import_module(f"gpuval.{name}").__all__)
    assert set(gpuval.__all__) == public | {"Contingency"}
    assert all(hasattr(gpuval, name) for name in gpuval.__all__)


FUNCTIONS = [x for x in gpuval.__all__ if callable(getattr(gpuval, x)) and x.islower()]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_docstrings_have_their_sections(name):
    doc = inspect.getdoc(getattr(gpuval, name))
    sections = re.findall(r"^(\w+)\n-+$", doc, re.MULTILINE)
    assert {"Parameters", "Returns", "Examples"} <= set(sections)
    order = ["Parameters", "Returns", "Raises", "Notes", "References", "Examples"]
    assert sections == sorted(sections, key=order.index)
    assert doc.count(">>> ") >= 2
    parameters = doc.split("Parameters\n")[1].split("Returns\n")[0]
    for parameter in inspect.signature(getattr(gpuval, name)).parameters:
        assert re.search(rf"^(\w+, )*{parameter}(, \w+)*$", parameters, re.MULTILINE), parameter
