"""An array library as gpuval needs it: by the Array API standard; the class of a library overrides this.

This is the only module that uses array_api_compat. All other code asks a backend, or uses the standard.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from types import ModuleType
from typing import Any, Literal, NamedTuple

import numpy as np

from gpuval.engines.backends import segments
from gpuval.numerics import Array, NDArray
from gpuval.numerics.stable import root

OF_GIVEN_SIZES = "give the sizes (n_classes=, n_clusters=, n_queries=), if it takes them, or call it outside"
"""What to do about a function that needs a value where there is none yet."""

Kind = Literal["bool", "integer", "real", "other"]
Axes = int | tuple[int, ...] | None

_FEW_STEPS = 256
"""Up to so many steps are taken without asking the device how many are needed: nothing is transferred for them."""

_STANDARD_KINDS: dict[str, Kind] = {"bool": "bool", "integral": "integer", "real floating": "real"}


class Widest(NamedTuple):
    """The widest integer and floating-point dtypes a device has."""

    int: Any
    float: Any
    is_64bit: bool


class Backend:
    """An array library, by what the standard says; there is one object for each library that has been met."""

    on_host = False
    """Whether arrays are NumPy's: they lie on the host, and a look at a value costs nothing."""
    is_writable = True
    """Whether arrays may be written into."""
    compares_unsigned = True
    """Whether unsigned integers wider than 8 bits can be compared and sorted."""

    def __init__(self, xp: ModuleType) -> None:
        self.xp: Any = xp

    # Types

    def kind(self, x: Array) -> Kind:
        """What the dtype of ``x`` is."""
        return next((name for group, name in _STANDARD_KINDS.items() if self.xp.isdtype(x.dtype, group)), "other")

    def widest(self, x: Array) -> Widest:
        """The widest integer and floating-point dtypes that the device of ``x`` has."""
        xp = self.xp
        info = xp.__array_namespace_info__().dtypes(device=self.device(x))
        return Widest(
            xp.int64 if "int64" in info else xp.int32,
            xp.float64 if "float64" in info else xp.float32,
            "float64" in info and "int64" in info,
        )

    def widened(self, x: Array) -> Array:
        """``x`` in its widest dtype, where integers that are too large for it become the largest."""
        xp, wide = self.xp, self.widest(x)
        if self.kind(x) == "real":
            return xp.astype(x, wide.float)
        wider = xp.astype(x, wide.int)
        if not self.is_unsigned(x) or xp.iinfo(x.dtype).max <= xp.iinfo(wide.int).max:
            return wider
        return xp.where(wider < 0, xp.full_like(wider, xp.iinfo(wide.int).max), wider)

    def with_sign(self, x: Array) -> Array:
        """``x``, with unsigned integers as signed ones of the widest type; too large ones become the largest."""
        return self.widened(x) if self.is_unsigned(x) else x

    def as_real(self, x: Array, like: Array, *, copy: bool = False) -> Array:
        """``x`` in the widest floating-point type of the device of ``like``; with ``copy`` in memory of its own.

        Arrays that cannot be written into need no memory of their own.
        """
        return self.xp.astype(x, self.widest(like).float, copy=copy and self.is_writable)

    def in_32_bits(self, x: Array) -> Array:
        """Numbers of half precision as floats of 32 bits."""
        return self.xp.astype(x, self.xp.float32)

    def is_unsigned(self, x: Array) -> bool:
        """Whether ``x`` holds unsigned integers."""
        return bool(self.xp.isdtype(x.dtype, "unsigned integer"))

    def comparable(self, x: Array) -> Array:
        """Labels in a type that can be compared and sorted: booleans, of which that is not sure, as bytes."""
        return self.xp.astype(x, self.xp.uint8) if self.kind(x) == "bool" else x

    def sortable(self, x: Array) -> Array:
        """Numbers in a type that can be sorted, in the same order."""
        return self.comparable(x)

    def can_compare(self, x: Array) -> bool:
        """Whether there are comparisons for the dtype of ``x``."""
        return True

    def equals(self, x: Array, number: int) -> Array:
        """Where integers are a number, which their type holds."""
        return x == number

    def storage(self, x: Array) -> str:
        """How the elements of ``x`` are stored: "strided" is one for each place."""
        return "strided"

    def compressed_rows(self, x: Array) -> tuple[Array, Array, Array]:
        """The data, the columns and the starts of rows of a sparse tensor that is no array of the standard."""
        raise NotImplementedError

    def has_values(self, x: Array) -> bool:
        """Whether ``x`` has values: tensors on the meta device have a shape and a type alone."""
        return True

    def has_positions(self, x: Array) -> bool:
        """Whether there is a sort that gives positions, which the standard has in 64 bits."""
        return bool(self.widest(x).int == self.xp.int64)

    # Places

    def device(self, x: Array) -> Any:
        """The device ``x`` lives on, to be passed as ``device=`` to every creation."""
        import array_api_compat as compat  # only now: NumPy's arrays never ask it

        return compat.device(x)

    def are_together(self, x: Array, y: Array) -> bool:
        """Whether two arrays of the library lie where they can be added."""
        return bool(self.device(x) == self.device(y))

    def zeros_beside(self, shape: tuple[int, ...], dtype: Any, like: Array) -> Array:
        """Zeros that can be added to ``like``."""
        return self.xp.zeros(shape, dtype=dtype, device=self.device(like))

    def arange_beside(self, start: int, stop: int, dtype: Any, like: Array) -> Array:
        """The integers from ``start`` to below ``stop``, which can be compared with ``like``."""
        return self.xp.arange(start, stop, dtype=dtype, device=self.device(like))

    def is_on_gpu(self, x: Array) -> bool:
        """Whether ``x`` lies on one GPU where CuPy can read it now."""
        return False

    def free_bytes(self, x: Array) -> int | None:
        """The free memory of the GPU of ``x``; None where it cannot be asked for, or need not be."""
        return None

    # What is known of values

    def is_traced(self, x: Array) -> bool:
        """Whether ``x`` stands for values that are not known yet (inside ``jax.jit``, ``jax.vmap`` or ``jax.grad``)."""
        return False

    def makes_tracers(self, x: Array) -> bool:
        """Whether what is made of ``x`` here is traced: within ``jax.jit`` also if the values of ``x`` are known."""
        return False

    def is_compiling(self) -> bool:
        """Whether ``torch.compile`` runs, where a look at a value breaks the graph."""
        return False

    def is_known(self, x: Array) -> bool:
        """Whether the values of ``x`` may be looked at: they are those of no trace, of no graph and of no vmap."""
        return not (self.is_traced(x) or self.is_compiling())

    def check_known(self, x: Array, required: str, what: str) -> None:
        """For what looks at ``x``, which is called ``what``: say what is ``required`` where it has no values yet."""
        if self.is_traced(x):
            raise TypeError(f"{required} inside jax.jit or jax.vmap, where the {what} are not known yet")

    def is_differentiated(self, x: Array) -> bool:
        """Whether a tensor has a gradient to find, or a tangent with it, whether or not they are recorded now."""
        return False

    def without_gradient(self, x: Array) -> Array:
        """``x`` as a constant to derivatives."""
        return x

    def with_slopes(
        self, function: Callable[..., Array], slopes: Callable[..., tuple[Array | float, ...]], *arrays: Array
    ) -> Array:
        """``function(*arrays)``; where a derivative of it would be compiled for long, ``slopes(*arrays)`` gives it.

        These are the partial derivatives, and derivatives of them are found of their own steps.
        """
        return function(*arrays)

    @contextmanager
    def lasting(self) -> Iterator[None]:
        """Within, the state of an accumulator is made: outside autograd and inference mode, as it outlives the step."""
        yield

    def host_step(
        self,
        function: Callable[..., NDArray],
        of: str,
        arrays: tuple[Array, ...],
        flags: Mapping[str, float],
        shape: tuple[int, ...],
    ) -> Array:
        """What ``function(of, *arrays, **flags)`` gives of arrays of NumPy, in the widest floats, of this shape.

        It is for values that are not known (:meth:`is_known`): a graph then does not break. The function is one of a
        module, and takes batches of the arrays, with more axes in front.
        """
        raise NotImplementedError

    def with_derivative(
        self,
        found: Callable[[], tuple[tuple[NDArray, ...], Callable[..., tuple[NDArray, ...]]]],
        arrays: tuple[Array, ...],
        *others: Array,
    ) -> tuple[Array, ...]:
        """What a function finds in NumPy of arrays that lie on the host, with a derivative of its own by ``arrays``.

        It gives vectors of the widest floats, and a function: from the derivatives of a score by these to those by the
        arrays. That is called when a gradient is asked for, and has none itself; it is an error, if the arrays or the
        others have been written into by then.
        """
        raise NotImplementedError

    def recompute(self, function: Callable[[], Any], *arrays: Array | None) -> Any:
        """What a function gives of arrays; for their gradient it is called once more, as nothing of it is kept."""
        return function()

    def at_once(self, function: Callable[..., Any], *arrays: Any) -> Any:
        """What a function of a module gives of arrays, or of trees of such; it looks at no value.

        A library that would compile each of its steps by itself compiles it as one.
        """
        return function(*arrays)

    def repeated(self, step: Callable[[tuple[Array, ...]], tuple[Array, ...]], state: Any, times: Any) -> Any:
        """The state, a tuple of arrays, after so many steps of one kind, of which each gives the next state."""
        for _ in range(times):
            state = step(state)
        return state

    def number_of_steps(self, needed: Array, most: int) -> Any:
        """How many steps to repeat of which a number is needed that lies on the device, and never more than ``most``.

        Where that is many, the number is brought to the host.
        """
        return most if most <= _FEW_STEPS else int(self.to_host(needed))

    # Transfers

    def to_host(self, x: Array) -> NDArray:
        """Copy ``x`` to the host as a NumPy array: a synchronisation where ``x`` is on a device."""
        import array_api_compat as compat

        if compat.is_array_api_strict_namespace(self.xp):
            return np.asarray(x.to_device(self.xp.Device("CPU_DEVICE")))
        return np.asarray(x)

    def lies_on_host(self, x: Array) -> bool:
        """Whether ``x`` lies in the host's memory, is known, and no derivative is asked for; nothing waits for it."""
        return False

    def host_view(self, x: Array) -> NDArray | None:
        """A NumPy view of ``x``, if it lies on the host, its values are known, and no derivative is asked for.

        The answer holds for this moment only: a tensor may be in a graph later.
        """
        return None

    def host_labels(self, x: Array, y: Array) -> tuple[NDArray, NDArray] | None:
        """NumPy views of two vectors of integers of one length that lie on the host; None if they are anything else.

        It is what a loop on the host waits for. Nothing is read.
        """
        views = self.host_view(x), self.host_view(y)
        a, b = views
        if a is None or b is None or a.ndim != 1 or a.shape != b.shape or not len(a):
            return None
        return (a, b) if a.dtype.kind in "iu" and b.dtype.kind in "iu" else None

    def from_host(self, x: Any, like: Array) -> Array:
        """Bring a host array or number to the device of ``like``; 64 bits become the widest that it has."""
        x = np.asarray(x)
        return self.xp.asarray(x, dtype=self._dtype_from(x, like), device=self.device(like))

    def _dtype_from(self, x: NDArray, like: Array) -> Any:
        """The dtype of a host array here, if it is not its own."""
        if x.dtype.itemsize != 8 or (wide := self.widest(like)).is_64bit:
            return None
        return {"i": wide.int, "f": wide.float}.get(x.dtype.kind)

    def copied(self, x: Array) -> Array:
        """``x`` in memory of its own."""
        return self.xp.asarray(x, copy=True, device=self.device(x))

    def user_array(self, x: Array) -> Array:
        """An array that users get: a copy, as they could write into it."""
        return self.xp.astype(x, x.dtype)

    # Kernels, for the libraries whose arrays may lie on one GPU

    def entered(self, like: Array) -> AbstractContextManager[Any]:
        """Within, CuPy works on the device and the stream of ``like``, in memory of its library."""
        raise NotImplementedError

    def to_cupy(self, x: Array) -> Any:
        """CuPy's view of an array, without a copy if it is contiguous; within :meth:`entered`."""
        raise NotImplementedError

    def as_cupy(self, *arrays: Array | None) -> AbstractContextManager[tuple[Any, ...]]:
        """Within, CuPy's views of the arrays, and None for None."""
        return self._cupy_views(arrays)

    @contextmanager
    def _cupy_views(self, arrays: tuple[Array | None, ...]) -> Iterator[tuple[Any, ...]]:
        with self.entered(next(x for x in arrays if x is not None)):
            yield tuple(None if x is None else self.to_cupy(x) for x in arrays)

    def from_cupy(self, x: Any, like: Array) -> Array:
        """What CuPy found, on the device of ``like``, as it may be kept; 64 bits become the widest that it has."""
        raise NotImplementedError

    # Products

    def matmul(self, x: Array, y: Array) -> Array:
        """The product of two matrices in the widest float, as exact as this is, whatever users have set elsewhere.

        In 64 bits no library cuts digits off; numbers of 32 bits GPUs multiply by the first 11 bits (TF32) where a
        setting allows it that holds for the whole process.
        """
        return self.xp.matmul(self.as_real(x, x), self.as_real(y, y))

    # Sums in the dtype of what is added (the standard would widen it, to a type that the device may not have)

    def sum(self, x: Array, axis: Axes = None) -> Array:
        """The sum of ``x`` in its own dtype."""
        return self.xp.sum(x, axis=axis, dtype=x.dtype)

    def cumulative_sum(self, x: Array) -> Array:
        """The sums of ``x`` up to each place along its last axis, in its own dtype."""
        return self.xp.cumulative_sum(x, axis=-1, dtype=x.dtype)

    def cumulative_max(self, x: Array) -> Array:
        """The largest value of ``x`` up to each place along its last axis."""
        step = 1
        while step < x.shape[-1]:
            x = self.xp.concat([x[..., :step], self.xp.maximum(x[..., step:], x[..., :-step])], axis=-1)
            step *= 2
        return x

    def count_true(self, x: Array, axis: Axes = None) -> Array:
        """How many elements of ``x`` are true, in the widest integer."""
        return self.sum(self.xp.astype(x, self.widest(x).int), axis)

    # Orders

    def order_within(self, codes: Array, values: Array | None) -> Array:
        """The positions by code, and within a code from the largest value on; equal values stay in their order."""
        if not self.has_positions(codes):
            return segments.order_within(codes, values, self)
        if values is None:
            return self.xp.argsort(codes, stable=True)
        order = self.xp.argsort(values, descending=True, stable=True)
        return self.xp.take(order, self.xp.argsort(self.xp.take(codes, order), stable=True))

    def order_of_rows(self, values: Array) -> Array:
        """The positions in each row of a matrix from its largest value on."""
        if self.has_positions(values):
            return self.xp.flip(self.xp.argsort(values, axis=1, stable=False), axis=1)
        n_rows, n = values.shape
        rows = self.arange_beside(0, n_rows, self.widest(values).int, values)[:, None]
        codes = self.xp.broadcast_to(rows, values.shape)
        order = self.order_within(self.xp.reshape(codes, (-1,)), self.xp.reshape(values, (-1,)))
        return self.xp.reshape(order, values.shape) - rows * n

    # Distances

    def pairwise(self, x: Array, y: Array, metric: str) -> Array:
        """The distances of the rows of x to those of y, by differences: "euclidean", "sqeuclidean" or "cityblock"."""
        total: Any = 0
        for i in range(x.shape[1]):
            total = total + distance_terms(x[:, None, i] - y[None, :, i], metric, self.xp)
        return root(total, self.xp) if metric == "euclidean" else total

    # Loops

    def until_same(self, step: Callable[[Array], Array], x: Array, most: int, looks: bool) -> Array:
        """Take the step until it changes nothing, which it does after ``most`` times in any case.

        That is found out where values may be looked at (``looks``): a transfer each time.
        """
        for _ in range(most):
            before, x = x, step(x)
            if looks and not bool(self.to_host(self.xp.any(x != before))):
                break
        return x

    # Sums by code: codes are in [0, size)

    def count(self, codes: Array, size: int) -> Array:
        """Count how often each code occurs, in the widest integer."""
        return segments.count(codes, size, self)

    def value_of_each(self, values: Array, codes: Array) -> Array:
        """The value of each sample's code: ``values[codes]`` of a vector."""
        return self.xp.take(values, codes)

    def total(self, values: Array, codes: Array, size: int) -> Array:
        """Sum the values of each code, in their own dtype; 0 if it does not occur."""
        return segments.total(values, codes, size, self)

    def bin_of(self, real: Array, n_bins: int, low: float, high: float) -> Array:
        """The bin of each number of the widest floats; it never falls where numbers rise, as no rounded step does."""
        xp = self.xp
        inside = xp.where(real < low, low, xp.where(real > high, high, real))
        share = (inside * 0.5 - low * 0.5) / (high * 0.5 - low * 0.5)  # of halves, whose differences are finite
        bins = xp.astype(share * n_bins, self.widest(real).int)
        return xp.where(bins < n_bins, bins, n_bins - 1)

    def running_total(self, values: Array, codes: Array) -> Array:
        """The sum of the values of each code up to each place, of codes that never fall."""
        return segments.running_total(values, codes, self)

    def total_of_runs(self, values: Array, codes: Array, lengths: Array) -> Array:
        """Sum the values of each code, of codes that never fall and occur as often as ``lengths`` says."""
        return self.total(values, codes, lengths.shape[0])

    def add(self, sums: Array, values: Array, codes: Array) -> Array:
        """Add the values to the sums of their codes: in their memory, if arrays may be written into."""
        sums += self.total(values, codes, sums.shape[0])
        return sums

    def largest(self, values: Array, codes: Array, size: int) -> Array:
        """Find the largest value (>= 0) of each code; 0 if it does not occur."""
        return segments.largest(values, codes, size, self)


def distance_terms(apart: Array, metric: str, xp: Any) -> Array:
    """What each feature adds to a distance, or to its square."""
    return xp.abs(apart) if metric == "cityblock" else apart * apart


def namespace(x: Array) -> ModuleType:
    """The array namespace of ``x``, which follows the standard."""
    import array_api_compat as compat

    return compat.array_namespace(x)


def follows_standard(x: object) -> bool:
    """Whether ``x`` is an array of a library that follows the standard, or that array_api_compat makes follow it."""
    import array_api_compat as compat

    return bool(compat.is_array_api_obj(x)) and not compat.is_pydata_sparse_array(x)


def is_jax(x: object) -> bool:
    """Whether ``x`` is an array or a tracer of JAX."""
    import array_api_compat as compat

    return bool(compat.is_jax_array(x))


def is_cupy(x: object) -> bool:
    """Whether ``x`` is an array of CuPy."""
    import array_api_compat as compat

    return bool(compat.is_cupy_array(x))


def namespace_of_torch() -> ModuleType:
    """PyTorch by the standard."""
    import array_api_compat.torch

    return array_api_compat.torch
