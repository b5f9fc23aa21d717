"""Tests of some cases only: the others are taken out when tests are collected, so that all that pass have checked."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import pytest


def only_for(condition: Callable[..., bool]) -> pytest.MarkDecorator:
    """A decorator of tests: of their cases only those are there for which ``condition`` holds.

    It takes parameters of the test by their names, such as ``lambda backend: backend.finds_sizes``. Of several
    conditions all must hold.
    """
    return pytest.mark.only_for.with_args(condition)


def cases_to_run(cases: Sequence[pytest.Item], *, some_must_be: bool) -> list[pytest.Item]:
    """The cases of one test function for which its conditions hold; an error if there must be some and are none."""
    left = [case for case in cases if all(holds(mark.args[0], case) for mark in case.iter_markers("only_for"))]
    if some_must_be and cases and not left:
        raise pytest.UsageError(f"only_for leaves no case of {_function_of(cases[0])}")
    return left


def holds(condition: Callable[..., bool], case: pytest.Item) -> bool:
    """Whether a condition holds for the parameters of a case."""
    callspec = getattr(case, "callspec", None)
    given: dict[str, Any] = {} if callspec is None else callspec.params
    asked = list(inspect.signature(condition).parameters)
    if not asked or (unknown := [name for name in asked if name not in given]):
        raise pytest.UsageError(
            f"only_for must ask for parameters of {_function_of(case)}, which are {', '.join(given) or 'none'}; "
            f"got {', '.join(unknown) if asked else 'none'}"
        )
    return bool(condition(**{name: given[name] for name in asked}))


def _function_of(case: pytest.Item) -> str:
    return case.nodeid.partition("[")[0]
