"""Register dataclasses and mappings of arrays as pytrees, so that ``jax.jit`` and PyTorch take them as arguments.

Neither library is imported for it. One that is imported later is told when its import ends.
"""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import partial
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, TypeVar

Class = TypeVar("Class", bound=type)
Flatten = Callable[[Any], tuple[list[Any], Any]]
Unflatten = Callable[[Any, Any], Any]

_TREES = {"jax": "jax.tree_util", "torch": "torch.utils._pytree"}
"""The modules in which libraries register trees."""

_NO_ARRAYS = (bool, range, str, tuple)
"""Types of fields that are no part of the tree, but of what it must look like."""

_classes: list[type] = []
_known: set[tuple[str, type]] = set()
_lock = threading.Lock()


def as_tree(cls: Class) -> Class:
    """Decorate a class to tell JAX and PyTorch, now or when they are imported, that its objects are trees.

    It is a dataclass, or a mapping that is made of a dictionary.

    A class may have a method ``for_tree``: what it gives, of the same class, is taken apart in place of an object.
    """
    _classes.append(cls)
    for library in _TREES:
        _register(library, cls)
    return cls


def _register(library: str, *classes: type) -> None:
    if sys.modules.get(library) is None:
        return
    try:
        importlib.import_module(library)  # waits, if another thread is importing it; the next import would not
        register = importlib.import_module(_TREES[library]).register_pytree_node
    except Exception:  # of a module of another's, which has this name, or of a library that cannot be imported
        return
    with _lock:
        for cls in classes:
            if (library, cls) not in _known:
                _known.add((library, cls))
                flatten, unflatten = _of_fields(cls) if is_dataclass(cls) else _of_mapping(cls)
                reverse = partial(_with_arrays_first, unflatten)
                register(cls, flatten, unflatten if library == "jax" else reverse)


def _with_arrays_first(unflatten: Unflatten, arrays: Any, rest: Any) -> Any:
    return unflatten(rest, arrays)


class _Imports(MetaPathFinder):
    """Where Python looks for modules first: it finds none, but sees which is imported, and then tells the library."""

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if name not in _TREES:
            return None
        others = sys.meta_path[sys.meta_path.index(self) + 1 :]
        spec = next((x for finder in others if (x := finder.find_spec(name, path, target)) is not None), None)
        if spec is not None and spec.loader is not None:
            spec.loader.exec_module = partial(_executed, spec.loader.exec_module)  # type: ignore[method-assign]
        return spec


def _executed(execute: Callable[[ModuleType], None], module: ModuleType) -> None:
    execute(module)
    _register(module.__name__, *_classes)


sys.meta_path.insert(0, _Imports())


def _of_fields(cls: Any) -> tuple[Flatten, Unflatten]:
    for_tree = getattr(cls, "for_tree", lambda x: x)

    def flatten(x: Any) -> tuple[list[Any], Any]:
        x = for_tree(x)
        values = {field.name: getattr(x, field.name) for field in fields(cls)}
        rest = tuple((name, value) for name, value in values.items() if isinstance(value, _NO_ARRAYS))
        arrays = {name: value for name, value in values.items() if not isinstance(value, _NO_ARRAYS)}
        return list(arrays.values()), (tuple(arrays), rest)

    def unflatten(rest: Any, arrays: Any) -> Any:
        names, others = rest
        return cls(**dict(zip(names, arrays, strict=True)), **dict(others))

    return flatten, unflatten


def _of_mapping(cls: Any) -> tuple[Flatten, Unflatten]:
    def flatten(x: Any) -> tuple[list[Any], Any]:
        directions = tuple(x.directions.items()) if hasattr(x, "directions") else None
        return list(x.values()), (tuple(x), directions)

    def unflatten(rest: Any, values: Any) -> Any:
        names, directions = rest
        found = dict(zip(names, values, strict=True))
        return cls(found) if directions is None else cls(found, directions=dict(directions))

    return flatten, unflatten
