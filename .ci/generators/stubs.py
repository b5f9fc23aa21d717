"""The stubs of the public modules: what type checkers and editors read instead of the code.

A decorator turns a formula into a measure, and type checkers cannot follow that. So a stub declares the measure, with
the signature and the docstring that it has at runtime. It imports everything else from the module that defines it.
"""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType, NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import gpuval
from gpuval.intervals._measure import IntervalMeasure
from gpuval.measures import label_scores
from gpuval.metrics.external._metric import LabelingMetric, Metric
from gpuval.metrics.internal import _measure as internal_measure
from gpuval.multilabel._inputs import LabelMeasure
from gpuval.ranking._measure import RankingMeasure
from gpuval.ranking.correlations import RankCorrelation

ROOT = Path(__file__).parents[2]

MEASURES = (Metric, LabelingMetric, IntervalMeasure, LabelMeasure, RankingMeasure, RankCorrelation)
COMMON = {name: hint for measure in MEASURES for name, hint in get_type_hints(measure.__call__).items()}
COMMON["y_pred"] = Any  # labels or scores; the protocol has only scores
"""The types of the parameters that decorators add."""

LEFT_OUT = re.compile(r"\n(Raises|Notes|Examples)\n-+\n.*?(?=\nReferences\n|\nExamples\n|\nNotes\n|\Z)", re.DOTALL)
"""Sections of a docstring that stubs leave out, because with them they would take twice the space in the wheel."""


def stub(_: str, path: str) -> str:
    """The text of the stub of a module, which stands beside its code."""
    module = import_module(path.removesuffix("/__init__.pyi").replace("/", "."))
    imports, declarations = {"from typing import Any, Literal"}, []
    for name in module.__all__:
        public = getattr(module, name)
        if inspect.isfunction(public) and is_decorated(public):
            declarations.append(declaration(public, imports))
        else:
            imports.add(f"from {home(name, public)} import {name} as {name}")
    if module is gpuval:
        imports |= {f"from gpuval import {name} as {name}" for name in gpuval._NAMESPACES}
        declarations.insert(0, "__version__: str")
    imports -= {line.rpartition(" as ")[0] for line in imports}  # public names are imported once
    document = f'"""{docstring(module)}"""\n\n# Written by .ci/generate.py.\n'
    return formatted("\n".join([document, *sorted(imports), f"__all__ = {module.__all__}", *declarations]))


def docstring(module: ModuleType) -> str:
    """The docstring of a module as its file has it now, even if it was written after the module was loaded."""
    text = Path(inspect.getfile(module)).read_text(encoding="utf-8")
    return ast.get_docstring(ast.parse(text), clean=False) or ""


def is_decorated(function: Any) -> bool:
    """Whether the source of a function begins with a decorator."""
    return inspect.getsource(inspect.unwrap(function)).startswith("@")


def home(name: str, public: Any) -> str:
    """The module that a public name is imported from."""
    return public.__module__ if hasattr(public, "__module__") else f"gpuval.{gpuval._MODULE_OF[name]}"


def declaration(function: Any, imports: set[str]) -> str:
    """The declaration of a function; the imports that its types need are added to ``imports``."""
    signature = inspect.signature(function)
    names = vars(label_scores) | vars(internal_measure) | vars(import_module(function.__module__))
    parameters, kind = [], None
    for x in signature.parameters.values():
        if x.kind is x.KEYWORD_ONLY and kind is not x.KEYWORD_ONLY:
            parameters.append("*")
        kind = x.kind
        default = "" if x.default is x.empty else f" = {x.default!r}"
        stars = "**" if x.kind is x.VAR_KEYWORD else ""
        parameters.append(f"{stars}{x.name}: {shown(type_of(x, function, names), imports)}{default}")
    returned = signature.return_annotation
    hint = Any if returned is signature.empty else resolved(returned, names)
    document = summary(inspect.getdoc(function))
    return f"def {function.__name__}({', '.join(parameters)}) -> {shown(hint, imports)}:\n{document}"


def type_of(parameter: inspect.Parameter, function: Any, names: dict[str, Any]) -> Any:
    """The type of a parameter: that of the formula, or of what its decorator adds."""
    if parameter.annotation is not parameter.empty:
        return resolved(parameter.annotation, names)
    if parameter.name == "average":
        return Literal[function.definition.averages]
    return COMMON[parameter.name]


def resolved(annotation: Any, names: dict[str, Any]) -> Any:
    """A type that may be written as a string, by the names that it knows."""
    return eval(annotation, names) if isinstance(annotation, str) else annotation


def shown(hint: Any, imports: set[str]) -> str:
    """The text of a type, with the values of a ``Literal`` in place of its alias."""
    if hint is Any:
        return "Any"
    if get_origin(hint) is Literal:
        return f"Literal[{', '.join(map(repr, get_args(hint)))}]"
    if get_origin(hint) in (Union, UnionType):
        return " | ".join(shown(x, imports) for x in get_args(hint))
    if isinstance(hint, list):  # the parameters of a Callable
        return f"[{', '.join(shown(x, imports) for x in hint)}]"
    if hint in (None, NoneType):
        return "None"
    if hint is ...:
        return "..."
    if hint.__module__ != "builtins":
        imports.add(f"from {hint.__module__} import {hint.__name__}")
    inner = ", ".join(shown(x, imports) for x in get_args(hint))
    return f"{hint.__name__}[{inner}]" if inner else hint.__name__


def summary(document: str) -> str:
    """What an editor shows of a docstring: what the function is, its parameters, and what it returns."""
    text = LEFT_OUT.sub("", document).rstrip()
    lines = [f"    {line}".rstrip() for line in text.splitlines()]
    quotes = 'r"""' if "\\" in text else '"""'
    return "\n".join([f"    {quotes}{lines[0].lstrip()}", *lines[1:], '    """'])


def formatted(text: str) -> str:
    """Text of a stub as Ruff formats it."""
    for command in (["check", "--select=I", "--fix-only"], ["format"]):
        ruff = [sys.executable, "-m", "ruff", *command, "--quiet", "--stdin-filename=gpuval/_.pyi", "-"]
        text = subprocess.run(ruff, cwd=ROOT, input=text, capture_output=True, text=True, check=True).stdout
    return text
