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
                flatten, unflatten = _dataclass_functions(cls) if is_dataclass(cls) else _mapping_functions(cls)
                reverse = partial(_with_arrays_first, unflatten)
                register(cls, flatten, unflatten if library == "jax" else reverse)


def _with_arrays_first(unflatten: Unflatten, arrays: Any, rest: Any) -> Any:
    return unflatten(rest, arrays)


class _Imports(threading.local):
    """Where Python looks for modules first: it finds what the others find, and gives the libraries another loader."""

    _is_asking = False

    def find_spec(self, name: str, path: Any, target: Any = None) -> ModuleSpec | None:
        if name not in _TREES or self._is_asking:  # by one of the others, which asks all, too
            return None
        self._is_asking = True
        try:
            asked = [x.find_spec for x in sys.meta_path if x is not self and hasattr(x, "find_spec")]
            spec = next((x for find in asked if (x := find(name, path, target)) is not None), None)
        finally:
            self._is_asking = False
        if spec is not None and hasattr(spec.loader, "exec_module"):
            spec.loader = _Loader(name, spec.loader)  # type: ignore[assignment]
        return spec


class _Loader:
    """The loader of a library, which tells it of the classes when its import ends. Then the library has its own one."""

    _given: Any = None

    def __init__(self, library: str, given: Any) -> None:
        self._library = library
        self._given = given

    def __getattr__(self, name: str) -> Any:
        return getattr(self._given, name)

    def exec_module(self, module: ModuleType) -> None:
        for of, name in ((getattr(module, "__spec__", None), "loader"), (module, "__loader__")):
            if getattr(of, name, None) is self:
                setattr(of, name, self._given)
        self._given.exec_module(module)
        _register(self._library, *_classes)


sys.meta_path.insert(0, _Imports())


def _dataclass_functions(cls: Any) -> tuple[Flatten, Unflatten]:
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


def _mapping_functions(cls: Any) -> tuple[Flatten, Unflatten]:
    def flatten(x: Any) -> tuple[list[Any], Any]:
        # a part of the structure: else jax.jit, which compiles once for each, would return the measures of the first
        measures = tuple(x.measures.items()) if hasattr(x, "measures") else None
        return list(x.values()), (tuple(x), measures)

    def unflatten(rest: Any, values: Any) -> Any:
        names, measures = rest
        found = dict(zip(names, values, strict=True))
        return cls(found) if measures is None else cls(found, measures=dict(measures))

    return flatten, unflatten
