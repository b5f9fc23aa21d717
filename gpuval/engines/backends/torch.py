"""PyTorch: sums by code are scatters of fixed shape, which neither synchronize nor break a compiled graph."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

import numpy as np
import torch

from gpuval.engines.backends.base import OF_GIVEN_SIZES, Axes, Backend, Kind, Widest, namespace_of_torch
from gpuval.numerics import NDArray

_forward: Any = torch.autograd.forward_ad
_jit: Any = torch.jit
_functorch: Any = torch._C._functorch
_dispatch: Any = torch.utils._python_dispatch

_KINDS: dict[str, Kind] = {f"{sign}int{bits}": "integer" for sign in ("", "u") for bits in (8, 16, 32, 64)}

_WHOLE_GRAPHS = "torch.compile(fullgraph=True) or torch.export"

_WIDEST = Widest(torch.int64, torch.float64, True)
_WIDEST_OF_MPS = Widest(torch.int64, torch.float32, False)
"""On MPS, GPUs of Apple, PyTorch lists float64 among the types, and refuses to compute with it."""

_INTEGERS = frozenset((torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8))
"""Types of integers that PyTorch can compare."""


class TorchBackend(Backend):
    """PyTorch. array_api_compat is asked for the namespace alone: torch.compile warns of the cache of its functions."""

    compares_unsigned = False

    def kind(self, x: torch.Tensor) -> Kind:
        if x.dtype.is_floating_point:
            return "real"
        return "bool" if x.dtype is torch.bool else _KINDS.get(str(x.dtype).removeprefix("torch."), "other")

    def widest(self, x: torch.Tensor) -> Widest:
        return _WIDEST if x.device.type != "mps" else _WIDEST_OF_MPS

    def in_32_bits(self, x: torch.Tensor) -> torch.Tensor:
        if x.dtype is torch.bfloat16 and self.lies_on_host(x):
            with suppress(RuntimeError):  # inside torch.func.vmap there is no memory to read
                bits = x.view(torch.int16).numpy()
                return torch.from_numpy(
                    (bits.astype(np.uint32) << 16).view(np.float32)
                )  # the first half of such floats
        return x.to(torch.float32)

    def is_unsigned(self, x: torch.Tensor) -> bool:
        return str(x.dtype).startswith("torch.uint")

    def comparable(self, x: torch.Tensor) -> torch.Tensor:
        if x.dtype in (torch.uint16, torch.uint32, torch.uint64):
            return x.to(torch.int64)
        return x.to(torch.uint8) if x.dtype is torch.bool else x

    def sortable(self, x: torch.Tensor) -> torch.Tensor:
        if x.dtype is torch.uint64:
            return x.to(torch.int64) ^ -(1 << 63)  # whose upper half wraps to negative numbers
        return self.comparable(x)

    def can_compare(self, x: torch.Tensor) -> bool:
        return not (x.dtype.is_floating_point and x.dtype.itemsize == 1)

    def storage(self, x: torch.Tensor) -> str:
        return "nested" if x.is_nested else str(x.layout).removeprefix("torch.")

    def compressed_rows(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        if x.layout is torch.sparse_csr:
            return x.values(), x.col_indices(), x.crow_indices()
        to_pairs: Any = x.to_sparse_coo  # which has no types
        x = (x if x.layout is torch.sparse_coo else to_pairs()).coalesce()
        rows, columns = x.indices()
        ends = self.count(rows, x.shape[0]).cumsum(0)
        return x.values(), columns, torch.cat([ends.new_zeros(1), ends])

    def has_values(self, x: torch.Tensor) -> bool:
        return x.device.type != "meta"

    def pairwise(self, x: torch.Tensor, y: torch.Tensor, metric: str) -> torch.Tensor:
        p = 1.0 if metric == "cityblock" else 2.0
        found = torch.cdist(x, y, p=p, compute_mode="donot_use_mm_for_euclid_dist")
        return found * found if metric == "sqeuclidean" else found

    def device(self, x: torch.Tensor) -> Any:
        return x.device

    def is_on_gpu(self, x: torch.Tensor) -> bool:
        if x.device.type != "cuda" or self.is_compiling() or _is_recorded():
            return False
        with suppress(RuntimeError):  # inside torch.func.vmap there is no memory to read
            x.data_ptr()
            return True
        return False

    def free_bytes(self, x: torch.Tensor) -> int | None:
        return int(torch.cuda.mem_get_info(x.device)[0]) if x.device.type == "cuda" else None

    def is_compiling(self) -> bool:
        return bool(torch.compiler.is_compiling())

    def is_known(self, x: torch.Tensor) -> bool:
        return not (self.is_compiling() or _functorch.is_batchedtensor(x))

    def check_known(self, x: torch.Tensor, required: str, what: str) -> None:
        if self.is_compiling():
            break_graph(f"{required} inside {_WHOLE_GRAPHS}, where the {what} are not known yet")
        if _functorch.is_batchedtensor(x):
            raise TypeError(f"{required} inside torch.func.vmap, where the {what} are those of a batch")

    def host_step(
        self,
        function: Callable[..., NDArray],
        of: str,
        arrays: tuple[torch.Tensor, ...],
        flags: Mapping[str, float],
        shape: tuple[int, ...],
    ) -> torch.Tensor:
        from gpuval.engines.backends.torch_operations import host_step  # only now: it is for torch.compile alone

        return host_step(function, of, arrays, flags, shape, self.widest(arrays[0]).float)

    def is_differentiated(self, x: torch.Tensor) -> bool:
        if not x.dtype.is_floating_point:
            return False
        return x.requires_grad or _forward.unpack_dual(x).tangent is not None

    def without_gradient(self, x: torch.Tensor) -> torch.Tensor:
        return x.detach()

    def with_derivative(
        self,
        found: Callable[[], tuple[tuple[NDArray, ...], Callable[..., tuple[NDArray, ...]]]],
        arrays: tuple[torch.Tensor, ...],
        *others: torch.Tensor,
    ) -> tuple[torch.Tensor, ...]:
        from gpuval.engines.backends.torch_operations import with_derivative  # only now: few scores have a gradient

        return with_derivative(found, arrays, others)

    def recompute(self, function: Callable[[], Any], *arrays: torch.Tensor | None) -> Any:
        is_kept = torch.is_grad_enabled() and any(x is not None and x.requires_grad for x in arrays)
        if not is_kept or self.is_compiling() or _is_recorded() or _functorch.peek_interpreter_stack() is not None:
            return function()
        from torch.utils.checkpoint import checkpoint  # only now: few scores have a gradient

        return checkpoint(function, use_reentrant=False, preserve_rng_state=False)

    @contextmanager
    def lasting(self) -> Iterator[None]:
        with torch.inference_mode(False), torch.no_grad():
            yield

    def to_host(self, x: torch.Tensor) -> NDArray:
        if self.is_compiling():  # else its tracer goes on into NumPy, and stops later at something that means nothing
            break_graph(
                f"this function needs a value on the host, and inside {_WHOLE_GRAPHS} it is not known yet: "
                + OF_GIVEN_SIZES
            )
        if x.device.type == "meta":
            raise TypeError("a value is needed on the host, and a tensor on the meta device has none")
        if _functorch.is_batchedtensor(x):
            raise TypeError(
                "this function needs a value on the host, and inside torch.func.vmap there is one for each element of "
                f"the batch: {OF_GIVEN_SIZES}"
            )
        x = x.detach().cpu()
        in_numpy = not x.dtype.is_floating_point or x.dtype in (torch.float64, torch.float32, torch.float16)
        return np.asarray(x if in_numpy else x.float())

    def lies_on_host(self, x: torch.Tensor) -> bool:
        return x.device.type == "cpu" and not (self.is_compiling() or _is_recorded() or self.is_differentiated(x))

    def host_view(self, x: torch.Tensor) -> NDArray | None:
        if self.lies_on_host(x):
            with suppress(RuntimeError, TypeError):  # no memory to share inside torch.func.vmap; no bfloat16 in NumPy
                return np.asarray(x.numpy())
        return None

    def host_labels(self, x: torch.Tensor, y: torch.Tensor) -> tuple[NDArray, NDArray] | None:
        shape = x.shape
        if not (x.is_cpu and y.is_cpu and x.dtype in _INTEGERS and y.dtype in _INTEGERS):
            return None
        if len(shape) != 1 or shape[0] == 0 or shape != y.shape or self.is_compiling() or _is_recorded():
            return None
        try:
            return x.numpy(), y.numpy()
        except (RuntimeError, TypeError):  # no memory to share inside torch.func.vmap
            return None

    def from_host(self, x: Any, like: torch.Tensor) -> torch.Tensor:
        x = np.asarray(x)
        x = x if x.flags.writeable else x.copy()  # no tensor refuses to be written into
        made: torch.Tensor = self.xp.asarray(x, dtype=self._dtype_from(x, like), device=like.device)
        return made

    @contextmanager
    def entered(self, like: torch.Tensor) -> Iterator[None]:
        import cupy

        pointer = torch.cuda.current_stream(like.device).cuda_stream
        with (
            cupy.cuda.Device(like.device.index),
            cupy.cuda.Stream.from_external(_Pointer(pointer)),
            cupy.cuda.using_allocator(_memory_for_cupy()),
        ):
            yield

    def to_cupy(self, x: torch.Tensor) -> Any:
        import cupy

        x = x.detach().contiguous()
        if x.dtype is torch.bool:  # as bytes, which DLPack has in all its versions
            return cupy.from_dlpack(_export_to_cupy(x.view(torch.uint8))).view(bool)
        return cupy.from_dlpack(_export_to_cupy(x))

    def from_cupy(self, x: Any, like: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = self.xp.from_dlpack(x)
        return found

    def cumulative_sum(self, x: torch.Tensor) -> torch.Tensor:
        return x.cumsum(-1, dtype=x.dtype)

    def cumulative_max(self, x: torch.Tensor) -> torch.Tensor:
        return x.cummax(-1).values

    def sum(self, x: torch.Tensor, axis: Axes = None) -> torch.Tensor:
        found: torch.Tensor = self.xp.sum(x, axis=axis, dtype=x.dtype)
        return found

    def count(self, codes: torch.Tensor, size: int) -> torch.Tensor:
        # torch.bincount would read the size of its result back to the host.
        return self.total(torch.ones_like(codes, dtype=torch.int64), codes, size)

    def total(self, values: torch.Tensor, codes: torch.Tensor, size: int) -> torch.Tensor:
        return values.new_zeros(size).scatter_add(0, codes.to(torch.int64), values)

    def add(self, sums: torch.Tensor, values: torch.Tensor, codes: torch.Tensor) -> torch.Tensor:
        return sums.scatter_add_(0, codes.to(torch.int64), values)

    def largest(self, values: torch.Tensor, codes: torch.Tensor, size: int) -> torch.Tensor:
        return values.new_zeros(size).scatter_reduce(0, codes.to(torch.int64), values, "amax")


def break_graph(reason: str) -> None:
    """Go on outside of the graph that torch.compile makes; if that is to be a whole one, its error gives the reason."""
    torch._dynamo.graph_break(msg=reason)
    if torch.compiler.is_exporting():  # of which a part knows no breaks
        raise TypeError(reason)


class _Pointer:
    """A stream as other libraries take it."""

    def __init__(self, pointer: int) -> None:
        self.pointer = pointer

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.pointer


@functools.cache
def _memory_for_cupy() -> Any:
    """PyTorch's memory for CuPy: two pools would compete, and only PyTorch's own goes with a CUDA graph it captures."""
    import cupy

    def allocate(size: int, device: int) -> int:
        stream: int = cupy.cuda.get_current_stream().ptr
        return int(torch.cuda.caching_allocator_alloc(size, device, stream))

    is_ending = sys.is_finalizing  # at the end of a process the names of a module are gone, those of a function are not

    def free(pointer: int, device: int) -> None:
        if not is_ending():
            give_back: Any = torch.cuda.caching_allocator_delete
            give_back(pointer)

    return cupy.cuda.PythonFunctionAllocator(allocate, free).malloc


def _export_to_cupy(x: torch.Tensor) -> Any:
    """A tensor for CuPy, which works on its stream already: else PyTorch would record an event and wait for it."""
    return x.__dlpack__(stream=-1)


def _is_recorded() -> bool:
    """Whether torch.jit.trace or a dispatch mode (make_fx) records operations: they see those of PyTorch only."""
    return bool(_jit.is_tracing() or _dispatch.is_in_torch_dispatch_mode())


TORCH = TorchBackend(namespace_of_torch())
