"""array-api-strict without the slow ways of its checks, which take most of its time: it refuses what it did before.

It makes a dtype anew for each array, and looks for it in tuples, comparing it with one dtype after another.
"""

from __future__ import annotations

import functools
import sys
from abc import ABC
from types import ModuleType
from typing import Any

import numpy as np

NUMBERS = (bool, int, float)
MOST_NUMBERS = 10_000
"""How many numbers are kept as arrays."""


def quicken_strict() -> None:
    """Have all of its modules take what follows in place of their own."""
    from array_api_strict import _array_object, _data_type_functions, _devices, _dtypes

    array = _array_object.Array
    array._new = classmethod(_quick_new(array._new))
    array._check_allowed_dtypes = _quick_check(array._check_allowed_dtypes)
    array._promote_scalar = _quick_promotion(array._promote_scalar)
    _dtypes.DType.__eq__ = _quick_comparison(_dtypes.DType.__eq__)
    _array_object.set_array_api_strict_flags = _only_given_flags(_array_object.set_array_api_strict_flags)
    _data_type_functions.iinfo = functools.cache(_data_type_functions.iinfo)  # as scalars are checked; xp.iinfo stays
    _array_object.SupportsIndex = Index
    _devices._map_supported = functools.cache(_devices._map_supported)
    quick_result_type = functools.cache(_dtypes._result_type)
    for module in _modules():
        _hash_groups(vars(module), _dtypes.DType)
        if hasattr(module, "_result_type"):
            module._result_type = quick_result_type
    for groups in (_dtypes._dtype_categories, _devices._kind_to_dtypes):
        _hash_groups(groups, _dtypes.DType)


class Index(ABC):
    """What ``typing.SupportsIndex`` is, which goes through the attributes of each object that is looked at."""

    @classmethod
    def __subclasshook__(cls, other: type) -> bool:
        return hasattr(other, "__index__")


def _modules() -> list[ModuleType]:
    return [module for name, module in sys.modules.items() if name.startswith("array_api_strict._")]


def _hash_groups(groups: dict[str, Any], dtype: type) -> None:
    """Sets in place of tuples of dtypes."""
    for name, group in list(groups.items()):
        if isinstance(group, tuple) and group and all(isinstance(x, dtype) for x in group):
            groups[name] = frozenset(group)


def _quick_new(new: Any) -> Any:
    """An array of a device and dtype that there was before is made without a look at them."""
    seen: dict[tuple[str, np.dtype], tuple[Any, Any]] = {}

    @functools.wraps(new.__func__)
    def quick(cls: type, x: Any, /, device: Any) -> Any:
        key = (device and device._device, x.dtype)
        if key not in seen:
            first = new(x, device)
            seen[key] = first._dtype, first._device
            return first
        array = object.__new__(cls)
        array._array = x if isinstance(x, np.ndarray) else np.asarray(x)
        array._dtype, array._device = seen[key]
        return array

    return quick


def _quick_check(check: Any) -> Any:
    """Arrays of two dtypes that an operator has allowed before are allowed, and so is a number beside a dtype."""
    allowed: set[tuple[np.dtype, np.dtype | type, str, str]] = set()

    @functools.wraps(check)
    def quick(self: Any, other: Any, category: str, operator: str) -> Any:
        if type(other) in NUMBERS:
            beside = (self._array.dtype, type(other), category, operator)
            if beside in allowed:
                return self._promote_scalar(other)  # which refuses integers that are too large
            array = check(self, other, category, operator)
            allowed.add(beside)
            return array
        if type(other) is not type(self):
            return check(self, other, category, operator)
        pair = (self._array.dtype, other._array.dtype, category, operator)
        if pair not in allowed:
            check(self, other, category, operator)
            allowed.add(pair)
        return other

    return quick


def _quick_promotion(promote: Any) -> Any:
    """A number that was an array of a dtype and device before is the same array again, which nothing may write to."""
    seen: dict[tuple[str, type, np.dtype, str], Any] = {}

    @functools.wraps(promote)
    def quick(self: Any, scalar: Any) -> Any:
        if type(scalar) not in NUMBERS:
            return promote(self, scalar)
        key = (repr(scalar), type(scalar), self._array.dtype, self._device._device)  # repr tells 0.0 from -0.0
        array = seen.get(key)
        if array is None:
            array = promote(self, scalar)
            array._array.flags.writeable = False
            if len(seen) < MOST_NUMBERS:
                seen[key] = array
        return array

    return quick


def _quick_comparison(equal: Any) -> Any:
    """Two dtypes are compared without a look at what else the other may be."""

    @functools.wraps(equal)
    def quick(self: Any, other: object) -> bool:
        return self._np_dtype == other._np_dtype if type(other) is type(self) else equal(self, other)

    return quick


def _only_given_flags(set_flags: Any) -> Any:
    """A look at the flags sets none."""

    @functools.wraps(set_flags)
    def quick(**flags: Any) -> None:
        if any(value is not None for value in flags.values()):
            set_flags(**flags)

    return quick
