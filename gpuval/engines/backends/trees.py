"""Register dataclasses and mappings of arrays as pytrees, so that ``jax.jit`` and PyTorch take them as arguments.

Only libraries that are already imported are used.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

Flatten = Callable[[Any], tuple[list[Any], Any]]
Unflatten = Callable[[Any, Any], Any]

_known: set[tuple[str, type]] = set()

_NO_ARRAYS = (bool, range, str, tuple)
"""Types of fields that are no part of the tree, but of what it must look like."""


def register(*classes: type) -> None:
    """Tell JAX and PyTorch, where they are loaded and do not know yet, that these classes are trees.

    Each is a dataclass, or a mapping that is made of a dictionary.

    A class may have a method ``for_tree``: what it gives, of the same class, is taken apart in place of an object.
    """
    if "torch" in sys.modules and sys.modules["torch"].compiler.is_compiling():
        return  # it cannot trace this; a table that goes into compiled code was registered when it was made
    for name in ("jax", "torch"):
        if name in sys.modules:
            for cls in classes:
                if (name, cls) not in _known:
                    _known.add((name, cls))
                    _register(name, cls)


def _register(library: str, cls: type) -> None:
    flatten, unflatten = _of_fields(cls) if is_dataclass(cls) else _of_mapping(cls)
    if library == "jax":
        sys.modules["jax"].tree_util.register_pytree_node(cls, flatten, unflatten)
    else:
        from torch.utils._pytree import register_pytree_node

        register_pytree_node(cls, flatten, lambda arrays, rest: unflatten(rest, arrays))


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
