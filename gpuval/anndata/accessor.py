"""The functions of ``gpuval.anndata`` as methods: ``adata.gpuval.evaluate(...)``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, TypeVar

from gpuval.anndata.evaluation import evaluate, report
from gpuval.anndata.integration import integration_scores
from gpuval.anndata.runs import stability
from gpuval.inputs.options import require_extra

with require_extra("gpuval.anndata", "anndata"):
    import anndata
    from anndata import AnnData

_NAME = "gpuval"

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def _method(function: Callable[Concatenate[Any, Arguments], Result]) -> Callable[Concatenate[Any, Arguments], Result]:
    """A function of an AnnData as a method of its accessor, with the same signature and docstring."""

    @functools.wraps(function)
    def method(accessor: Any, /, *arguments: Arguments.args, **options: Arguments.kwargs) -> Result:
        return function(accessor.adata, *arguments, **options)

    return method


class AnnDataAccessor:
    """The methods of ``adata.gpuval``: the functions of ``gpuval.anndata``, called with this object.

    Parameters
    ----------
    adata
        The AnnData object.
    """

    def __init__(self, adata: AnnData) -> None:
        self.adata = adata

    evaluate = _method(evaluate)
    integration_scores = _method(integration_scores)
    report = _method(report)
    stability = _method(stability)


def register_accessor() -> None:
    """Give all AnnData objects the accessor, once."""
    if not hasattr(AnnData, _NAME):
        anndata.register_anndata_namespace(_NAME)(AnnDataAccessor)
        # What anndata registers keeps the accessor in the object: copy.copy would take it along, and it would go on to
        # evaluate the original. A property makes a new one each time.
        setattr(AnnData, _NAME, property(AnnDataAccessor))
