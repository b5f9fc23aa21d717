"""The clusterer of a sweep: a function, an estimator of scikit-learn or a name; and the labels that it returns."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.backends import to_host
from gpuval.inputs.codes import as_integers
from gpuval.inputs.labels import read_labels
from gpuval.inputs.options import require_extra
from gpuval.inputs.strings import as_python, is_hashable
from gpuval.numerics import NDArray
from gpuval.sweeps.rows import read_rows

_LEIDEN = {"scanpy.leiden": ("scanpy", "scanpy"), "rapids.leiden": ("rapids_singlecell", "rapids-singlecell")}
"""The names of clusterers: the module of each, and the package that has it."""

_OPTIONS = {"scanpy.leiden": {"flavor": "igraph", "n_iterations": 2, "directed": False}, "rapids.leiden": {}}
"""What is given to Leiden: in scanpy, what it advises and will have as its defaults."""

_REPRESENTATION = "X_pca"

_SEEDS = ("seed", "random_state")
"""The names of arguments that take a seed."""

_INTEGER = "0|-?[1-9][0-9]{0,17}"
"""How text is written that is an integer, such as the labels of Leiden."""


class Clusterer(NamedTuple):
    """A clusterer, with the samples that it takes and its settings."""

    fit: Callable[[Any, Any, int], Any]
    """Of samples, a setting and a seed: the labels."""
    X: Any
    settings: tuple[Any, ...]


def read_clusterer(fit: Any, X: Any, settings: Any) -> Clusterer:
    """Check the clusterer and its settings."""
    if isinstance(fit, str):
        return Clusterer(_leiden(fit), _representation(X), _read_settings(settings))
    X = read_rows(X)
    if isinstance(fit, type):
        raise TypeError(f"fit must be a function or an estimator, got the class {fit.__name__}; give {fit.__name__}()")
    if hasattr(fit, "fit_predict") and hasattr(fit, "get_params"):
        parameter = "n_clusters"
        if isinstance(settings, Mapping):
            if len(settings) != 1:
                raise ValueError(f"settings must name one parameter of the estimator, got {list(settings)}")
            ((parameter, settings),) = settings.items()
        if hasattr(X, "obsm"):
            raise TypeError('X must be an array for an estimator, got AnnData; give adata.obsm["X_pca"] or another one')
        return Clusterer(_estimator(fit, parameter), X, _read_settings(settings))
    if not callable(fit):
        raise TypeError(
            f"fit must be a function, an estimator with fit_predict or one of {', '.join(map(repr, _LEIDEN))}, got "
            f"{type(fit).__name__}"
        )
    return Clusterer(_function(fit), X, _read_settings(settings))


def _read_settings(settings: Any) -> tuple[Any, ...]:
    if isinstance(settings, str | bytes | Mapping) or not isinstance(settings, Iterable):
        raise TypeError(f"settings must be a sequence of values, got {settings!r}")
    found = tuple(map(as_python, settings))
    if not all(map(is_hashable, found)):
        raise TypeError(f"settings must be hashable, such as numbers, strings and tuples, got {found!r}")
    if not found or len(set(found)) < len(found):
        raise ValueError(f"settings must be one or more values, each once, got {list(found)}")
    return found


def _function(fit: Callable[..., Any]) -> Callable[[Any, Any, int], Any]:
    """A function that takes a seed, or none: in an argument of that name, or in a third one without a default."""
    try:
        parameters = inspect.signature(fit).parameters.values()
    except (TypeError, ValueError):  # of a function of C
        return fit
    positional = [x for x in parameters if x.kind in (x.POSITIONAL_ONLY, x.POSITIONAL_OR_KEYWORD)]
    takes_any = any(x.kind is x.VAR_POSITIONAL for x in parameters)
    required = sum(x.default is x.empty for x in positional)
    if required > 3 or (len(positional) < 2 and not takes_any):
        raise TypeError(f"fit must take (X, setting, seed) or (X, setting), got {inspect.signature(fit)}")
    if required == 3 or (takes_any and len(positional) < 3):
        return fit
    name = next((x.name for x in parameters if x.name in _SEEDS and x not in positional[:2]), None)
    if name is None:
        return lambda X, setting, _: fit(X, setting)
    return lambda X, setting, seed: fit(X, setting, **{name: seed})


def _estimator(estimator: Any, parameter: str) -> Callable[[Any, Any, int], Any]:
    with require_extra("an estimator as fit", "integration"):
        from sklearn.base import clone

    names = estimator.get_params()
    if parameter not in names:
        raise ValueError(
            f"settings must be of a parameter of {type(estimator).__name__}, got {parameter!r}; name one as "
            "{'parameter': values}"
        )
    seeds = [name for name in names if name.rpartition("__")[2] == "random_state" and name != parameter]

    def fit(X: Any, setting: Any, seed: int) -> Any:
        return clone(estimator).set_params(**{parameter: setting}, **dict.fromkeys(seeds, seed)).fit_predict(X)

    return fit


def _leiden(name: str) -> Callable[[Any, Any, int], Any]:
    if name not in _LEIDEN:
        raise ValueError(f"fit must be one of {', '.join(map(repr, _LEIDEN))} if it is a name, got {name!r}")
    module, package = _LEIDEN[name]
    try:
        library = import_module(module)
    except ImportError as error:
        raise ImportError(f"fit={name!r} needs {package}: pip install {package}", name=module) from error
    with require_extra(f"fit={name!r}", "anndata"):
        from anndata import AnnData

    def fit(X: Any, setting: Any, seed: int) -> Any:
        cells = AnnData(X)
        library.pp.neighbors(cells, use_rep="X", random_state=seed)
        library.tl.leiden(cells, resolution=setting, random_state=seed, key_added="leiden", **_OPTIONS[name])
        return cells.obs["leiden"]

    return fit


def _representation(X: Any) -> Any:
    if not hasattr(X, "obsm"):
        raise TypeError(f"X must be AnnData if fit is a name, got {type(X).__name__}")
    if _REPRESENTATION not in X.obsm:
        raise ValueError(f"X must have obsm[{_REPRESENTATION!r}] if fit is a name, got {sorted(X.obsm)}")
    return read_rows(X.obsm[_REPRESENTATION])


def compact_labels(labels: Any, n_rows: int, where: str, function: str = "fit") -> NDArray:
    """The labels that a function of the user returns, as integers in few bytes.

    Text that is not of integers is numbered in sorted order.
    """
    vector = as_integers(
        read_labels(labels, f"the labels of {function} ({where})"),
        "must not be missing (NaN, None), got {count} of {size}; write noise as a label of its own, such as -1",
    )
    if vector.size != n_rows:
        raise ValueError(f"{function} must return a label for each of the {n_rows} rows, got {vector.size} ({where})")
    codes = to_host(vector.data)
    if vector.values is not None and all(re.fullmatch(_INTEGER, str(x)) for x in vector.values):
        codes = np.asarray([int(x) for x in vector.values], dtype=np.int64)[codes]
    ends = (int(codes.min()), int(codes.max())) if n_rows else (0, 0)
    kinds = (np.int16, np.int32, np.int64)
    return codes.astype(next((x for x in kinds if np.iinfo(x).min <= ends[0] and ends[1] <= np.iinfo(x).max), np.int64))
