"""Adding up accumulators over the processes of ``torch.distributed``: numbers are exchanged, never pickled objects.

First each process sends a header of a few numbers to all others. From the headers, all processes decide the same, also
on errors. So no process waits for an exchange that another one does not take part in.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from gpuval.engines.backends import backend_of, move_to, to_host
from gpuval.inputs.codes import Scale
from gpuval.inputs.options import require_extra
from gpuval.numerics import Array
from gpuval.numerics.stable import rest_of
from gpuval.streaming.checkpoints import check_ignored_by_all
from gpuval.streaming.sums import Sums
from gpuval.table.addition import invalid_of_sum, scale_of_both
from gpuval.table.building import from_triples
from gpuval.table.self_pairs import self_pairs_of_table, sum_of_self_pairs
from gpuval.table.table import Table

_KINDS = {"nothing": 0, "integer": 1, "text": 2, "other": 9}

_IN_JSON = (str, int, float, bool)


class _Header(NamedTuple):
    """The first message of a process: what it has. A size of -1 is not given."""

    n_classes: int
    n_clusters: int
    is_float: bool
    n_cells: int = 0
    kind_true: int = 0
    kind_pred: int = 0
    bytes_true: int = 0
    bytes_pred: int = 0
    scale_true: int = 0
    scale_pred: int = 0
    samples: int = 0
    given: int = 0
    ignored: int = 0
    label_bounds: tuple[int, ...] = (0, 0, 0, 0)

    @property
    def kinds(self) -> tuple[int, int]:
        """The kinds of the labels of the two sides."""
        return self.kind_true, self.kind_pred

    @property
    def sizes(self) -> tuple[int, int]:
        """The number of bytes of the label text of the two sides."""
        return self.bytes_true, self.bytes_pred

    @property
    def scale_sizes(self) -> tuple[int, int]:
        """The number of bytes of the declared order of the labels of the two sides."""
        return self.scale_true, self.scale_pred


class Processes:
    """The processes of a group, and the device on which they exchange numbers."""

    def __init__(self, group: Any, like: Array | None) -> None:
        with require_extra("all_reduce()", "torch"):
            import torch
            import torch.distributed as dist

        if not (dist.is_available() and dist.is_initialized()):
            raise RuntimeError(
                "torch.distributed must be initialised before all_reduce, got no process group: call "
                "torch.distributed.init_process_group first"
            )
        self._dist, self._group = dist, group
        self.size: int = dist.get_world_size(group)
        self.device = torch.device("cpu")
        if dist.get_backend(group) == "nccl":
            self.device = torch.device("cuda", torch.cuda.current_device())
            if isinstance(like, torch.Tensor) and like.device.type == "cuda":
                self.device = like.device

    def headers(self, own: _Header) -> list[_Header]:
        """The headers of all processes, after a check that they fit together."""
        *numbers, label_bounds = own
        found = self.gather(self.tensor(np.asarray([*numbers, *label_bounds], dtype=np.int64)))
        headers = [_Header._make([*row[:-4], tuple(row[-4:])]) for row in (x.tolist() for x in found)]
        sizes = {(header.n_classes, header.n_clusters) for header in headers}
        if len(sizes) > 1:
            raise ValueError(f"n_classes and n_clusters must be the same in all processes, got {sorted(sizes)}")
        check_ignored_by_all(header.ignored for header in headers)
        for side in (0, 1):
            kinds = {header.kinds[side] for header in headers} - {0}
            if len(kinds) > 1 or _KINDS["other"] in kinds:
                names = [name for name, kind in _KINDS.items() if kind in kinds]
                raise TypeError(
                    f"labels must be integers below 2**63, or text, in all processes, got {' and '.join(names)}"
                )
        return headers

    def tensor(self, x: Array, dtype: str = "int64") -> Any:
        """An array as a tensor on the device of the exchange."""
        import torch

        if not isinstance(x, torch.Tensor):
            x = (
                torch.from_numpy(np.array(x, dtype=x.dtype.newbyteorder("=")))
                if backend_of(x).on_host
                else torch.utils.dlpack.from_dlpack(x)
            )
        return x.detach().to(self.device, getattr(torch, dtype))

    def sum(self, x: Any) -> Any:
        """The sum of a tensor over all processes."""
        x = x.clone()
        self._dist.all_reduce(x, group=self._group)
        return x

    def gather(self, x: Any) -> list[Any]:
        """The tensors of all processes; they must have the same shape."""
        import torch

        found = [torch.empty_like(x) for _ in range(self.size)]
        self._dist.all_gather(found, x.contiguous(), group=self._group)
        return found

    def gather_parts(self, x: Any, lengths: Sequence[int]) -> list[Any]:
        """The vectors of all processes, whose lengths are given."""
        import torch

        filled = torch.zeros(max(lengths, default=0), dtype=x.dtype, device=self.device)
        filled[: x.shape[0]] = x
        return [part[:length] for part, length in zip(self.gather(filled), lengths, strict=True)]

    def gather_numbers(self, x: Array, dtype: str, lengths: Sequence[int]) -> list[Any]:
        """The vectors of a given dtype of all processes; they are sent as bytes, because some dtypes cannot be sent."""
        import torch

        kind, numbers = getattr(torch, dtype), self.tensor(x, dtype).reshape(-1)
        sent = torch.empty_like(numbers, memory_format=torch.contiguous_format).copy_(numbers).view(torch.uint8)
        return [part.view(kind) for part in self.gather_parts(sent, [n * kind.itemsize for n in lengths])]


def is_distributed() -> bool:
    """Whether this is one of the processes of ``torch.distributed``."""
    dist = sys.modules.get("torch.distributed")
    return dist is not None and bool(dist.is_available() and dist.is_initialized())


def digest_of(ignored: Any) -> int:
    """A checksum of the labels to ignore, the same in all processes for the same labels."""
    return zlib.crc32(repr(ignored).encode("utf-8", "surrogatepass"))


def add_up_sums(own: Sums, total: Sums, ignored: int, processes: Processes) -> None:
    """Put the sum over all processes into ``total``."""
    own.count_waiting()
    given = int(to_host(own.given))
    bounds = tuple(to_host(own.label_bounds).tolist())
    is_real = backend_of(own.counts).kind(own.counts) == "real"
    headers = processes.headers(
        _Header(*own.shape, is_real, samples=own.samples, given=given, ignored=ignored, label_bounds=bounds)
    )
    is_float = any(header.is_float for header in headers)
    dtype = "float64" if is_float else "int64"
    counts = processes.tensor(own.counts, dtype).reshape(-1)
    parts = [counts, processes.tensor(own.invalid, dtype).reshape(1)]
    if is_float:
        parts.append(processes.tensor(self_pairs_of_table(own.counts, own.self_pairs), dtype))
    packed = processes.sum(_concat(parts))  # all that adds up, in one vector
    if is_float:
        packed = _with_pairs_between(packed, counts, processes)
    lowest = np.asarray([header.label_bounds for header in headers]).min(axis=0)
    samples, given = sum(header.samples for header in headers), sum(header.given for header in headers)
    total.unpack(packed, processes.tensor(lowest), samples, given)


def _with_pairs_between(packed: Any, counts: Any, processes: Processes) -> Any:
    """What was added up, with the pairs of a sample of one process and one of another that share a cell.

    ``counts`` are those of this process, as a vector.
    """
    xp, size = backend_of(counts).xp, counts.shape[0]
    rest = rest_of(counts, packed[:size], processes.sum, xp)
    between = processes.sum((counts * rest).sum())
    sums, self_pairs = packed[: size + 1], packed[size + 1 :]
    return _concat([sums, sum_of_self_pairs(self_pairs, between, processes.size)])


def add_up_tables(
    own: Table | None, samples: int, given: int, ignored: int, like: Array, processes: Processes
) -> tuple[Table | None, int, int]:
    """The table of the samples of all processes, the number of samples that count, and the number that was given.

    The processes may have different labels. The table is None if no process has a sample.
    """
    nothing = np.zeros(0, dtype=np.int64)
    classes, clusters, counts = (nothing, nothing, nothing) if own is None else own.triples()
    scales = (None, None) if own is None else own.scales
    sides = [_Labels(labels, scale, processes) for labels, scale in zip((classes, clusters), scales, strict=True)]
    kinds, sizes = (sides[0].number, sides[1].number), (len(sides[0].text), len(sides[1].text))
    of_scales = len(sides[0].scale), len(sides[1].scale)
    is_real = backend_of(counts).kind(counts) == "real"
    own_sizes = counts.shape[0], *kinds, *sizes, *of_scales
    headers = processes.headers(_Header(-1, -1, is_real, *own_sizes, samples, given, ignored))
    lengths = [header.n_cells for header in headers]
    samples, given = sum(header.samples for header in headers), sum(header.given for header in headers)
    if not sum(lengths):
        return None, samples, given
    dtype = "float64" if any(header.is_float for header in headers) else "int64"

    # All that is exchanged comes first: what could fail after it fails in one process alone.
    codes = [processes.gather_parts(side.codes, lengths) for side in sides]
    texts = [processes.gather_parts(side.text, [x.sizes[i] for x in headers]) for i, side in enumerate(sides)]
    orders = [processes.gather_parts(side.scale, [x.scale_sizes[i] for x in headers]) for i, side in enumerate(sides)]
    all_counts = processes.gather_parts(processes.tensor(counts, dtype), lengths)
    self_pairs = None
    if dtype == "float64":
        known = self_pairs_of_table(counts, None if own is None else own.self_pairs)
        self_pairs = processes.sum(processes.tensor(known, dtype))

    is_text = [any(header.kinds[i] == _KINDS["text"] for header in headers) for i in (0, 1)]
    like = nothing if any(is_text) else like
    rows, columns = (_labels_of(*x, like) for x in zip(codes, texts, is_text, strict=True))
    scales = _scale_of_all(orders[0], rows, lengths), _scale_of_all(orders[1], columns, lengths)
    table = from_triples(rows, columns, move_to(_concat(all_counts), like), scales)
    if self_pairs is not None and table.self_pairs is not None:  # of cells as samples: the pairs between the processes
        between = table.self_pairs[4]
        self_pairs = sum_of_self_pairs(move_to(self_pairs, like), between, processes.size)
    table = replace(table, self_pairs=self_pairs, invalid=invalid_of_sum(table))
    return table, samples, given


class _Labels:
    """The labels of cells in the form in which they are sent: integers, or places in a list of texts in UTF-8.

    Their declared order is sent as JSON.
    """

    def __init__(self, labels: Array, scale: Scale, processes: Processes) -> None:
        text = np.zeros(0, dtype=np.uint8)
        self.kind: str = backend_of(labels).kind(labels) if labels.shape[0] else "nothing"
        if self.kind == "integer" and not _fit_in_int64(labels):
            self.kind = "other"
        if self.kind == "other" and all(
            isinstance(x, int | np.integer) and abs(int(x)) < 1 << 63 for x in labels.tolist()
        ):
            labels, self.kind = labels.astype(np.int64), "integer"
        if self.kind == "other" and all(isinstance(x, str) and "\0" not in x for x in labels.tolist()):
            values, labels = np.unique(labels.astype(str), return_inverse=True)
            encoded = "\0".join(values.tolist()).encode("utf-8", "surrogatepass")
            text, self.kind = np.frombuffer(encoded, dtype=np.uint8), "text"
        if scale and not all(type(x) in _IN_JSON for x in scale):
            self.kind = "other"
        known = self.number != _KINDS["other"]  # else an error comes before they are exchanged
        order = "" if scale is None or not known else json.dumps(scale)
        self.scale = processes.tensor(np.frombuffer(order.encode(), dtype=np.uint8), "uint8")
        self.codes = processes.tensor(labels) if known else None
        self.text = processes.tensor(text, "uint8")

    @property
    def number(self) -> int:
        """The kind, as headers have it."""
        return _KINDS.get(self.kind, _KINDS["other"])


def _scale_of_all(sent: list[Any], labels: Array, lengths: list[int]) -> Scale:
    """The declared order of the labels of all processes, whose labels stand one after the other."""
    scales = [tuple(json.loads(bytes(x.tolist()))) if len(x) else None for x in sent]
    if scales.count(None) == len(scales):
        return None
    ends = np.cumsum(lengths)
    host, scale = to_host(labels), scales[0]
    for own, start, end in zip(scales[1:], ends, ends[1:], strict=False):
        scale = scale_of_both((scale, own), (host[:start], host[start:end]))
    return scale


def _fit_in_int64(labels: Array) -> bool:
    """Whether labels can be exchanged as they are."""
    xp = backend_of(labels).xp
    return xp.iinfo(labels.dtype).max < 1 << 63 or int(to_host(xp.max(labels))) < 1 << 63


def _labels_of(codes: list[Any], texts: list[Any], is_text: bool, like: Array) -> Array:
    """The labels of the cells of all processes, one process after the other."""
    if not is_text:
        return move_to(_concat(codes), like)
    values = [bytes(x.tolist()).decode("utf-8", "surrogatepass").split("\0") for x in texts]
    return np.concatenate([np.asarray(x)[y.cpu().numpy()] for x, y in zip(values, codes, strict=True)])


def _concat(parts: list[Any]) -> Any:
    return backend_of(parts[0]).xp.concat(parts)
