"""Gradients, as a library finds them, and the slopes that they have to be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import numpy as np
import torch


def gradient(score: Callable[[Any], Any], x: Any) -> Any:
    """The derivatives of a score by the numbers of an array of PyTorch or JAX."""
    if not isinstance(x, torch.Tensor):
        return jax.grad(score)(x)
    leaf = x.detach().requires_grad_()
    score(leaf).backward()
    return leaf.grad


def slope(score: Callable[[Any], Any], x: np.ndarray[Any, Any], place: tuple[int, ...], step: float) -> float:
    """The central difference of a score by the number at a place of an array."""
    values = []
    for sign in (1, -1):
        moved = x.astype(np.float64)
        moved[place] += sign * step
        values.append(float(score(moved)))
    return (values[0] - values[1]) / (2 * step)


def slopes(score: Callable[[Any], Any], x: np.ndarray[Any, Any], step: float) -> np.ndarray[Any, Any]:
    """Those by all numbers of an array."""
    return np.asarray([slope(score, x, place, step) for place in np.ndindex(x.shape)]).reshape(x.shape)
