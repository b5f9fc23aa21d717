"""The architecture as checks: what imports what, what is loaded, where arrays are created, and what is public."""

import ast
import importlib
import inspect
import io
import re
import subprocess
import sys
import tokenize
from collections import Counter
from pathlib import Path

import pytest

import gpuval
import gpuval.anndata
import gpuval.plots
from gpuval import intervals, multilabel, ranking

PACKAGE = Path(gpuval.__file__).parent

LAYERS = [
    {"_index", "numerics", "display"},
    {"engines"},
    {"inputs"},
    {"table", "geometry"},
    {"streaming"},
    {"measures"},
    {"metrics"},
    {"registry"},
    {"results"},
    {"inference"},
    {"evaluation"},
    {"intervals", "multilabel", "ranking", "sweeps"},
    {"plots"},
    {"reporting"},
    {"", "anndata", "torchmetrics"},
    {"cli"},
    {"__main__"},
]
"""Packages import from layers above theirs in this list only, and from their own parts; "" is ``gpuval`` itself."""

MOST_LINES = 400
"""Lines of code in a module: those with more than a comment or a docstring."""

DEEPEST = 4
"""Names in the path of a module: of ``gpuval.table.resampling.draws`` there are four."""
DEEPER = {"engines.cuda.arithmetic"}
"""Packages whose modules lie one deeper."""

FEWEST_MODULES = 3
"""In a folder: fewer stand beside it."""

NAMESPACES = {"intervals": intervals, "multilabel": multilabel, "ranking": ranking}
"""The packages of ``gpuval`` with public names of their own."""

OPTIONAL = (
    *("cupy", "torch", "jax", "dask", "pandas", "polars", "scipy", "sklearn", "click", "rich", "anndata", "h5py"),
    "matplotlib",
)


def modules():
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = list(path.relative_to(PACKAGE).with_suffix("").parts)
        if parts[-1] == "__init__":
            parts.pop()
        yield ".".join(parts), ast.parse(path.read_text(encoding="utf-8"))


MODULES = dict(modules())
LEVEL = {package: level for level, layer in enumerate(LAYERS) for package in layer}


def package_of(module):
    return module.partition(".")[0]


def imported(tree):
    """The gpuval modules that a module imports, wherever in it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [(alias.name, "") for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"a relative import: {ast.unparse(node)}"
            names = [(node.module or "", alias.name) for alias in node.names]
        else:
            continue
        for module, name in names:
            if module.split(".")[0] == "gpuval" and (module, name) != ("gpuval", "__version__"):
                inside = module.removeprefix("gpuval").lstrip(".")
                longer = f"{inside}.{name}".lstrip(".")
                yield longer if longer in MODULES else inside


def upward_imports(name, tree):
    """Imports of another package that is not of a lower layer."""
    own = package_of(name)
    return [x for x in imported(tree) if package_of(x) != own and LEVEL[package_of(x)] >= LEVEL[own]]


def cycle(graph):
    """Modules of which each imports the next, and the last the first; None if there are none."""
    done, path = set(), []

    def search(node):
        if node in path:
            return path[path.index(node) :]
        if node in done:
            return None
        path.append(node)
        found = next((x for other in sorted(graph.get(node, ())) if (x := search(other))), None)
        path.pop()
        done.add(node)
        return found

    return next((x for node in sorted(graph) if (x := search(node))), None)


def test_every_package_has_a_layer():
    assert {package_of(x) for x in MODULES} == set(LEVEL)
    assert sum(map(len, LAYERS)) == len(LEVEL)


def offenders(wrong_of):
    """The modules in which a rule is broken, each with what breaks it."""
    return {name: wrong for name, tree in MODULES.items() if (wrong := wrong_of(name, tree))}


def test_imports_go_one_way():
    assert offenders(upward_imports) == {}


def test_an_import_of_the_wrong_way_is_found():
    assert upward_imports("inputs.labels", ast.parse("def f():\n    from gpuval.table.contingency import f")) != []
    assert upward_imports("table.pairs", ast.parse("from gpuval.geometry import points")) != []
    assert upward_imports("evaluation.evaluation", ast.parse("from gpuval import evaluate")) != []


def test_a_relative_import_is_found():
    with pytest.raises(AssertionError, match=r"from \.table import contingency"):
        list(imported(ast.parse("def f():\n    from .table import contingency")))


def test_no_modules_import_one_another():
    # A package's __init__ imports its parts, and they what it offers without them: that is no cycle of modules.
    graph = {name: {x for x in imported(tree) if not name.startswith(x + ".")} for name, tree in MODULES.items()}
    assert cycle(graph) is None


def test_modules_that_import_one_another_are_found():
    assert cycle({"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}) == ["a", "b", "c"]
    assert cycle({"a": {"b", "c"}, "b": {"c"}}) is None


def siblings(graph):
    """What imports what where two paths part: two modules of one folder, a module and a folder, or two folders."""
    found = {}
    for name, others in graph.items():
        for other in others:
            own, its = name.split("."), other.split(".")
            same = next((i for i, (x, y) in enumerate(zip(own, its, strict=False)) if x != y), None)
            if same is not None:
                found.setdefault(".".join(own[: same + 1]), set()).add(".".join(its[: same + 1]))
    return found


def test_no_folders_import_one_another():
    assert cycle(siblings({name: set(imported(tree)) for name, tree in MODULES.items() if name})) is None


def test_folders_that_import_one_another_are_found():
    graph = {"table.a.x": {"table.b.y"}, "table.b.z": {"table.a.w"}}
    assert cycle(graph) is None
    assert cycle(siblings(graph)) == ["table.a", "table.b"]
    assert cycle(siblings({"table.a.x": {"table.b"}, "table.b": {"table.a.y"}})) == ["table.a", "table.b"]
    assert cycle(siblings({"table.a.x": {"table.b"}, "table.b": {"table.c"}, "table.a": {"table.a.x"}})) is None


def too_deep(name):
    return name.count(".") + 2 > DEEPEST + (name.rpartition(".")[0] in DEEPER)


def test_modules_are_not_deep():
    assert [name for name in MODULES if too_deep(name)] == []


def test_a_deep_module_is_found():
    assert too_deep("table.resampling.chance.halves")
    assert not too_deep("table.resampling.draws")
    assert not too_deep("engines.cuda.arithmetic.lazy")


def small_folders(names, folders):
    """Those of the folders in which there are few modules and folders."""
    inside = Counter(name.rpartition(".")[0] for name in names if name)
    return {folder for folder in folders if inside[folder] < FEWEST_MODULES}


def test_folders_are_not_small():
    assert small_folders(MODULES, {name for name in MODULES if file_of(name).name == "__init__.py"}) == set()


def test_a_small_folder_is_found():
    names = ["table", "table.a", "table.b", "inputs.a", "inputs.b", "inputs.c", "data"]
    assert small_folders(names, {"table", "inputs", "data"}) == {"table", "data"}


def names_of_two_files(paths):
    """The names that several of the files bear: pytest imports the modules of tests by these alone."""
    return {name for name, times in Counter(path.name for path in paths).items() if times > 1}


def test_each_file_of_tests_has_a_name_of_its_own():
    assert names_of_two_files(Path(__file__).parent.rglob("*.py")) == {
        "conftest.py"
    }  # which pytest knows by its folder


def test_a_name_of_two_files_is_found():
    assert names_of_two_files([Path("a/test_x.py"), Path("b/test_x.py"), Path("b/test_y.py")]) == {"test_x.py"}


def lines_of_code(text):
    """The lines of a module that hold more than comments and docstrings."""
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    lines = {line for x in tokens if x.type not in skipped for line in range(x.start[0], x.end[0] + 1)}
    for x in ast.walk(ast.parse(text)):
        if isinstance(x, ast.Expr) and isinstance(x.value, ast.Constant) and isinstance(x.value.value, str):
            lines -= set(range(x.lineno, x.end_lineno + 1))
    return len(lines)


def file_of(module):
    path = PACKAGE.joinpath(*module.split("."))
    return path / "__init__.py" if path.is_dir() else path.with_suffix(".py")


def test_modules_are_short():
    lengths = {name: lines_of_code(file_of(name).read_text(encoding="utf-8")) for name in MODULES}
    assert {name for name, length in lengths.items() if length > MOST_LINES} == set()


def test_a_long_module_is_found():
    assert lines_of_code('"""One\n\ntwo."""\n\n# three\n' + "x = 1  # four\n" * 10) == 10


# Who knows what of the array libraries.


def test_only_one_module_knows_array_api_compat():
    def knows(tree):
        return any(
            "array_api_compat" in ast.unparse(x) for x in ast.walk(tree) if isinstance(x, ast.Import | ast.ImportFrom)
        )

    assert [name for name, tree in MODULES.items() if knows(tree)] == ["engines.backends.base"]


OF_LIBRARIES = re.compile(
    r"is_numpy|is_torch|is_jax|is_cupy|xp is np|xp is not np|cupy|sys\.modules|library_of\([^)]*\) [!=]="
    r"|\b(?:import|from) (?:torch|jax)\b"
)

KNOW_LIBRARIES = {
    "numerics.exact": "takes arrays and their namespace, and knows no backends; two functions of NumPy are shorter",
    "numerics.stable": "the same: on NumPy a look at a value spares a pass",
    "inputs.options": "the one place where the libraries of users' objects, such as pandas, are asked for",
    "inputs.labels": "the texts of messages, which name the functions of libraries",
    "inputs.containers": "the texts of messages: an array of JAX is called by its public name",
    "streaming.processes": "processes add up by torch.distributed, whatever the library of the tables is",
    "torchmetrics.clustering": "its classes are modules of PyTorch",
    "torchmetrics.means": "the same",
    "torchmetrics.multilabel": "the same",
    "torchmetrics.samples": "the same",
    "torchmetrics.base": "the same",
}
"""Modules outside of ``engines`` that speak of libraries, and why; this list may only get shorter."""


def words_of_libraries(tree):
    """What a module says of libraries, but in its docstrings."""
    return OF_LIBRARIES.findall(without_docstrings(tree))


def without_docstrings(tree):
    class Removed(ast.NodeTransformer):
        def visit_Expr(self, node):
            return None if isinstance(node.value, ast.Constant) else node

    return ast.unparse(ast.fix_missing_locations(Removed().visit(ast.parse(ast.unparse(tree)))))


def test_no_module_but_engines_asks_for_a_library():
    found = {name for name, tree in MODULES.items() if package_of(name) != "engines" and words_of_libraries(tree)}
    assert found <= set(KNOW_LIBRARIES)
    assert set(KNOW_LIBRARIES) <= found  # an exception that is not needed any more


def test_a_library_that_is_asked_for_is_found():
    assert words_of_libraries(ast.parse("def f(x):\n    return 1 if xp is np else 2"))
    assert words_of_libraries(ast.parse("def f(x):\n    return library_of(x) == 'jax'"))
    for name in ("cupy", "torch", "torch.distributed", "jax.numpy as jnp"):
        assert words_of_libraries(ast.parse(f"def f():\n    import {name}"))
    for name in ("torch", "torch.nn", "jax"):
        assert words_of_libraries(ast.parse(f"from {name} import Tensor"))
    assert not words_of_libraries(ast.parse('def f(x):\n    """Arrays of cupy."""\n    return 1'))


KINDS = tuple(
    f"engines.{x.parent.name}"
    for x in sorted((PACKAGE / "engines").glob("*/__init__.py"))
    if x.parent.name != "backends"
)
"""The packages of engines."""


def of_engines(name, tree):
    """Imports of one engine by name, or, of metrics, of more than the choice of one and the backends."""
    inside = [x for x in imported(tree) if package_of(x) == "engines"]
    own = next((kind for kind in KINDS if name.startswith(kind)), None)
    wrong = [x for x in inside if x.startswith(KINDS) and name != "engines" and (own is None or not x.startswith(own))]
    if package_of(name) in {"measures", "metrics", *NAMESPACES}:
        allowed = ("engines", "engines.backends", "engines.backends.pytrees", "engines.cells", "engines.engine")
        wrong += [x for x in inside if x not in allowed]
    return wrong


def test_engines_are_chosen_in_one_place():
    assert offenders(of_engines) == {}


def test_an_engine_that_is_called_by_name_is_found():
    assert KINDS == ("engines.cuda", "engines.host")
    assert of_engines("table.building", ast.parse("from gpuval.engines.host.counting import joint_counts"))
    assert of_engines("engines.cuda.engine", ast.parse("from gpuval.engines.host import information"))
    assert of_engines("metrics.external.overlap", ast.parse("from gpuval.engines import dask_blocks"))
    assert not of_engines("engines", ast.parse("from gpuval.engines.cuda.engine import Cuda"))


def engines_by_the_page():
    """Of each method of an engine, by CONTRIBUTING's table, whether ``Host`` and ``Cuda`` have their own."""
    page = (PACKAGE.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = [x.strip("| ").split(" | ") for x in page.partition("| asked of an engine |")[2].splitlines()[2:]]
    return {
        name: tuple(cell != "as `Engine`" for cell in row[2:])
        for row in rows[: rows.index([""])]
        for name in re.findall(r"`(\w+)`", row[0])
    }


def test_the_page_says_which_engine_has_what():
    from gpuval.engines.cuda.engine import Cuda
    from gpuval.engines.engine import Engine
    from gpuval.engines.host.engine import Host

    asked = {name for name in vars(Engine) if not name.startswith("_")} - {"where_valid"}
    assert engines_by_the_page() == {name: (name in vars(Host), name in vars(Cuda)) for name in asked}


ONE_INTERFACE = {
    "order_within": "what rankings ask, and how the host and the libraries without a sort answer",
    "concordance": "what areas under curves ask, and how the host and all others answer",
    "precisions": "the same",
    "evaluate": "the function, and the command of this name",
    "integration_scores": "of arrays, and of AnnData",
    "report": "of labels, of AnnData, and the command of this name",
    "stability": "of labels, of AnnData, and the command of this name",
    "average_precision_score": "of documents, where tied ones have the mean over their orders, and of labels",
}
"""Names that several modules have for one thing."""


def names_in_several(modules):
    """The public functions and classes that several modules have at their top level."""
    found = {}
    for name, tree in modules.items():
        for node in tree.body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, set()).add(name)
    return {name for name, where in found.items() if len(where) > 1}


def test_a_name_stands_for_one_thing():
    assert names_in_several(MODULES) == set(ONE_INTERFACE)


def test_a_name_of_two_things_is_found():
    twice = {"inputs.a": ast.parse("def read(): ..."), "table.b": ast.parse("class read: ...")}
    assert names_in_several(twice) == {"read"}


# What names begin with: a function that acts is a verb, and one that returns is the noun of what it returns.

WORDS = {"apart", "asked", "beside", "counted", "found", "given", "held", "kept", "lacking", "leading", "told"}
"""Which tell neither."""


def first_word(name):
    """The first word of a name, in small letters: of ``_GivenLabels`` and ``given_labels`` "given"."""
    return re.match(r"[A-Z]?[a-z0-9]*", name.lstrip("_"))[0].lower()


def names_of_words(module, tree):
    """A module, and the functions and classes in it, that begin with such words."""
    definitions = ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef
    names = [module.rpartition(".")[2], *(x.name for x in ast.walk(tree) if isinstance(x, definitions))]
    return [name for name in names if first_word(name) in WORDS]


def test_names_say_what_they_are_of():
    assert offenders(names_of_words) == {}


def test_a_name_of_such_a_word_is_found():
    text = "class GivenLabels:\n    def _kept(self): ...\ndef counts():\n    def found(): ..."
    assert set(names_of_words("table.held_sums", ast.parse(text))) == {"held_sums", "GivenLabels", "_kept", "found"}


# Creations of arrays say on which device.

CREATIONS = {"arange", "asarray", "empty", "eye", "full", "linspace", "ones", "zeros"}
OF_ONE_LIBRARY = {"engines.backends.cupy", "engines.backends.jax"} | {
    f"engines.cuda.{x}" for x in ("tabulate", "statistics", "arithmetic.fusion", "arithmetic.texts")
}
"""Modules that see arrays of one library, whose creations take the device from elsewhere."""


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


def test_creations_name_the_device():
    found = offenders(lambda _, tree: creations_without_device(tree))
    assert found.pop("streaming.accumulator") == ["xp.zeros(1)"]  # where a device is yet to be known
    assert set(found) == OF_ONE_LIBRARY


def test_a_creation_without_device_is_found():
    assert creations_without_device(ast.parse("xp.zeros(3, dtype=xp.int64)")) == ["xp.zeros(3, dtype=xp.int64)"]
    assert creations_without_device(ast.parse("xp.zeros(3, device=d)")) == []


# Products of matrices keep all digits: a backend makes them.

PRODUCTS = re.compile(r"\b(?:xp|jnp|torch)(?:\.linalg)?\.(?:matmul|dot|vecdot|tensordot|einsum|inner|cdist)\(")


def products_of_libraries(tree):
    return PRODUCTS.findall(without_docstrings(tree))


def test_backends_make_the_products_of_matrices():
    found = {name for name, tree in MODULES.items() if products_of_libraries(tree)}
    assert found == {"engines.backends.base", "engines.backends.jax", "engines.backends.torch"}


def test_a_product_of_a_library_is_found():
    assert products_of_libraries(ast.parse("def f(x):\n    return backend.xp.matmul(x, x)"))
    assert products_of_libraries(ast.parse("jnp.einsum('ij,jk->ik', x, y)"))
    assert not products_of_libraries(ast.parse("backend.matmul(x, np.dot(y, y))"))


# Functions that wait for the device: array_api_compat has CuPy assign by masks for them, whose size is asked for.

WAIT = {"clip", "sign"}


def calls_that_wait(tree):
    """Calls such as ``xp.clip(...)``; ``np.`` is the host, by its name."""
    calls = [x.func for x in ast.walk(tree) if isinstance(x, ast.Call) and isinstance(x.func, ast.Attribute)]
    return [ast.unparse(x) for x in calls if x.attr in WAIT and ast.unparse(x.value) not in ("np", "numpy")]


def test_no_call_waits_for_the_device():
    assert offenders(lambda _, tree: calls_that_wait(tree)) == {}


def test_a_call_that_waits_is_found():
    assert calls_that_wait(ast.parse("backend.xp.clip(x, 0, 1)")) == ["backend.xp.clip"]
    assert calls_that_wait(ast.parse("np.sign(x)")) == []


# What an import loads.


def loaded_by(statement):
    program = f"import sys; {statement}; print(' '.join(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return set(ran.stdout.split())


def libraries_loaded_by(statement):
    return {name.partition(".")[0] for name in loaded_by(statement)}


def test_the_import_loads_nothing():
    loaded = loaded_by("import gpuval")
    assert {x for x in loaded if x.startswith("gpuval")} == {"gpuval", "gpuval._index"}
    assert {x.partition(".")[0] for x in loaded}.isdisjoint({*OPTIONAL, "numpy", "array_api_compat"})


def test_a_loaded_library_is_found():
    assert "scipy" in libraries_loaded_by("import gpuval, scipy.optimize")


def test_a_score_of_numpy_labels_loads_no_optional_library():
    program = "import gpuval; gpuval.evaluate([0, 0, 1], [0, 1, 1], 'all')"
    assert libraries_loaded_by(program).isdisjoint(OPTIONAL)


FOR_A_SCORE = """
    engines engines.backends engines.backends.base engines.backends.numpy engines.backends.pytrees
    engines.backends.segments engines.cells engines.engine engines.host engines.host.counting engines.host.engine
    inputs inputs.codes inputs.containers inputs.counts inputs.labels inputs.options inputs.samples
    inputs.selection inputs.strings
    _index measures measures.documents measures.measure measures.result
    metrics metrics.external metrics.external._metric metrics.external.pair_counting
    numerics numerics.compiled numerics.exact numerics.parallel numerics.stable
    table table.building table.contingency table.labels table.pairs table.reading table.self_pairs
    table.statistic table.table
"""
"""The modules that a first score of pairs needs: each costs a user who asks for no more."""


def test_a_score_loads_what_it_needs():
    loaded = loaded_by("import gpuval; gpuval.adjusted_rand_score([0, 0, 1], [0, 1, 1])")
    assert {x.removeprefix("gpuval.") for x in loaded if x.startswith("gpuval.")} == set(FOR_A_SCORE.split())


def test_a_score_of_arrays_loads_little_beside_numpy():
    score = "import numpy as np, gpuval; gpuval.adjusted_rand_score(np.arange(9) % 2, np.arange(9) % 3)"
    others = {x.partition(".")[0] for x in loaded_by(score) - loaded_by("import numpy")}
    others -= {"unicodedata"}  # Python loads it where it compiles a source with names of characters
    assert others == {"gpuval", "__future__", "_queue", "copy", "dataclasses", "threading"}


def test_the_command_line_loads_what_it_needs(tmp_path):
    """Of SciPy only a compiled module, under a name of ours, and no measures of samples, which nobody asks for."""
    (tmp_path / "labels.csv").write_text("a,b\n0,0\n0,1\n1,1\n1,0\n2,2\n2,0\n")
    arguments = ["evaluate", str(tmp_path / "labels.csv"), "--true", "a", "--pred", "b", "-o", str(tmp_path / "x.csv")]
    loaded = loaded_by(f"from gpuval.__main__ import main; main({arguments})")
    assert "gpuval.numerics.compiled._lsap" in loaded
    assert loaded.isdisjoint({"scipy", "array_api_compat", "anndata", "h5py", "zarr", "matplotlib", "rich.console"})
    for package in ("inference", "geometry", "metrics.internal", "evaluation.internal_scores", "sweeps", "plots"):
        assert not [x for x in loaded if x.startswith(f"gpuval.{package}")]


def test_an_evaluation_of_labels_loads_nothing_of_samples():
    loaded = loaded_by("import gpuval; gpuval.evaluate([0, 0, 1], [0, 1, 1])")
    assert not [x for x in loaded if x.startswith(("gpuval.geometry", "gpuval.metrics.internal"))]


# How many calls a score takes.

MOST_CALLS = {"adjusted_rand_score": 70, "normalized_mutual_info_score": 90}
"""Python calls within the package, of two label vectors of NumPy."""


COUNTED = """
import os, sys
import numpy as np
import gpuval

score, rng = getattr(gpuval, "{name}"), np.random.default_rng(0)
labels = rng.integers(0, 10, 1000), rng.integers(0, 12, 1000)
score(*labels)
root, calls = os.path.dirname(gpuval.__file__), 0

def watch(frame, event, _):
    global calls
    calls += event == "call" and frame.f_code.co_filename.startswith(root)

sys.setprofile(watch)
{call}
sys.setprofile(None)
print(calls)
"""
"""In a process of its own: each optional library that is loaded is asked whether the labels are its own."""


def calls_in_the_package(name, call="score(*labels)"):
    program = COUNTED.format(name=name, call=call)
    return int(subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout)


@pytest.mark.parametrize("name", MOST_CALLS)
def test_a_score_takes_few_calls(name):
    assert calls_in_the_package(name) <= MOST_CALLS[name]


def test_more_calls_are_found():
    once = calls_in_the_package("adjusted_rand_score")
    assert once > 50
    assert calls_in_the_package("adjusted_rand_score", "score(*labels); score(*labels)") == 2 * once


# What is public.


def star_imports(tree):
    """The modules of which type checkers see all public names."""
    return {
        node.module.removeprefix("gpuval.")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"
    }


FAMILIES = [x for x in gpuval._NAMES if x != "table.contingency"]
"""The modules whose public names are their ``__all__``; the other one has one."""

OF_NAMESPACES = {name: sorted(star_imports(MODULES[name])) for name in NAMESPACES}
"""The modules whose public names are those of each namespace."""
IN_NAMESPACES = [module for modules in OF_NAMESPACES.values() for module in modules]


def read_elsewhere(module):
    """The names of a module that other modules of ``gpuval`` import."""
    return {
        alias.name
        for tree in MODULES.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == f"gpuval.{module}"
        for alias in node.names
    }


@pytest.mark.parametrize("name", [*FAMILIES, *IN_NAMESPACES])
def test_all_is_what_a_module_defines(name):
    module = importlib.import_module(f"gpuval.{name}")
    defined = {
        key
        for key, value in vars(module).items()
        if key.islower() and not key.startswith("_") and getattr(value, "__module__", None) == module.__name__
    }
    public = {x for x in module.__all__ if x.islower() and callable(getattr(module, x))}
    assert public <= defined
    assert defined - public <= read_elsewhere(name)  # what is neither public nor asked for is private, by its name
    assert module.__all__ == sorted(module.__all__, key=lambda x: (not x.isupper(), not x[0].isupper(), x))


def has_measures(name, tree):
    """Whether a module has measures for users: it stands in ``metrics``, or has public names in a namespace."""
    is_namespace = package_of(name) in NAMESPACES and name not in NAMESPACES
    has_names = any(isinstance(x, ast.Assign) and ast.unparse(x.targets[0]) == "__all__" for x in tree.body)
    return (name.startswith("metrics.") and "._" not in name) or (is_namespace and has_names)


def test_every_measure_is_in_a_family():
    modules = {name: tree for name, tree in MODULES.items() if file_of(name).name != "__init__.py"}
    assert {name for name, tree in modules.items() if has_measures(name, tree)} <= {*FAMILIES, *IN_NAMESPACES}


def test_a_module_of_measures_is_found():
    assert has_measures("ranking.gains", ast.parse("__all__ = ['dcg_score']"))
    assert has_measures("metrics.graph", ast.parse(""))
    assert not has_measures("ranking.documents", ast.parse(""))
    assert not has_measures("ranking", ast.parse("__all__ = []"))


def evaluations_of_formulas(name, tree):
    """What modules of formulas import of what evaluates them: a formula is read without it."""
    decorators = (ast.unparse(y) for x in tree.body if isinstance(x, ast.FunctionDef) for y in x.decorator_list)
    if not any(x.startswith("measure(") for x in decorators):
        return []
    own = package_of(name)
    return [x for x in imported(tree) if package_of(x) != own and LEVEL[package_of(x)] >= LEVEL["metrics"]]


def test_formulas_know_nothing_of_evaluations():
    assert offenders(evaluations_of_formulas) == {}


def test_a_formula_that_knows_of_evaluations_is_found():
    text = "from gpuval.registry import families\n@measure(RANKINGS)\ndef hit_rate(lists): ..."
    assert evaluations_of_formulas("ranking.gains", ast.parse(text)) == ["registry.families"]
    assert not evaluations_of_formulas("ranking.evaluation", ast.parse("from gpuval.registry import families"))


def test_the_package_exports_all_that_is_public():
    public = set()
    for name in FAMILIES:
        public |= set(importlib.import_module(f"gpuval.{name}").__all__)
    assert set(gpuval.__all__) == public | {"Contingency", "METRICS"}
    assert all(hasattr(gpuval, name) for name in gpuval.__all__)


@pytest.mark.parametrize("name", NAMESPACES)
def test_a_namespace_exports_all_that_is_public(name):
    namespace = NAMESPACES[name]
    public = [x for module in OF_NAMESPACES[name] for x in importlib.import_module(f"gpuval.{module}").__all__]
    assert namespace.__all__ == sorted(public, key=lambda x: (not x[0].isupper(), x))
    assert all(hasattr(namespace, x) for x in namespace.__all__)
    assert getattr(gpuval, name) is namespace
    assert name in dir(gpuval)


def test_no_module_has_the_name_of_a_public_function():
    # ``import gpuval.name`` would put the module in the place of the function.
    public = {name for module in (gpuval, *NAMESPACES.values()) for name in module.__all__}
    assert not {name.rpartition(".")[2] for name in MODULES} & public


def test_names_are_those_of_their_modules():
    for module, names in gpuval._NAMES.items():
        assert list(names) == importlib.import_module(f"gpuval.{module}").__all__, module
    assert set(gpuval.__all__) < set(dir(gpuval))


def test_a_wrong_name_is_told():
    with pytest.raises(AttributeError, match="module 'gpuval' has no attribute 'rand_scores'"):
        gpuval.rand_scores


FUNCTIONS = {
    f"{module.__name__}.{name}": getattr(module, name)
    for module in (gpuval, *NAMESPACES.values())
    for name in module.__all__
    if name.islower() and callable(getattr(module, name))
}
FUNCTIONS["gpuval.anndata.evaluate"] = gpuval.anndata.evaluate
for _name in gpuval.plots.__all__:
    _object = getattr(gpuval.plots, _name)
    if _name.islower():
        FUNCTIONS[f"gpuval.plots.{_name}"] = _object
    else:
        for _way in (x for x in vars(_object) if x.startswith("from_")):
            FUNCTIONS[f"gpuval.plots.{_name}.{_way}"] = getattr(_object, _way)
FUNCTIONS["gpuval.ranking.Ranked.from_scores"] = ranking.Ranked.from_scores
for _name in ("from_labels", "from_contingency", "from_counts"):
    FUNCTIONS[f"gpuval.multilabel.LabelCounts.{_name}"] = getattr(multilabel.LabelCounts, _name)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_docstrings_have_their_sections(name):
    function = FUNCTIONS[name]
    doc = inspect.getdoc(function)
    sections = re.findall(r"^(\w+)\n-+$", doc, re.MULTILINE)
    assert {"Parameters", "Returns", "Examples"} <= set(sections)
    order = ["Parameters", "Returns", "Raises", "Notes", "References", "Examples"]
    assert sections == sorted(sections, key=order.index)
    assert doc.count(">>> ") >= 2
    parameters = doc.split("Parameters\n")[1].split("Returns\n")[0]
    for parameter in inspect.signature(function).parameters:
        assert re.search(rf"^(\*\*?)?(\w+, )*{parameter}(, \w+)*$", parameters, re.MULTILINE), parameter
