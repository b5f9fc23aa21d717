"""A progress bar for measures that take long, if one was asked for."""

from __future__ import annotations

from threading import Lock
from types import TracebackType
from typing import Any

from gpuval.inputs.options import require_extra

_ROUNDING = 1e-6
"""What shares of samples may be short of whole ones."""


def import_tqdm() -> Any:
    """The bar of tqdm; raises an ImportError without it."""
    with require_extra("progress=True", "progress"):
        from tqdm.auto import tqdm
    return tqdm


class Progress:
    """A bar of tqdm, or nothing; a context, within which it is advanced."""

    def __init__(self, total: int, shown: bool, unit: str = "samples") -> None:
        self._bar: Any = None
        self._whole, self._share = self, 1.0
        self._total, self._done, self._told = total, 0.0, 0
        if not shown:
            return
        self._lock = Lock()
        self._bar = import_tqdm()(total=total, unit=f" {unit}", unit_scale=True)

    def advance(self, samples: float) -> None:
        """Tell of samples that are done, or of shares of them: the bar is told of whole ones."""
        if self._whole is not self:
            self._whole.advance(samples * self._share)
        elif self._bar is not None:
            with self._lock:  # several threads tell of theirs
                self._done += samples
                whole = int(self._done + _ROUNDING) - self._told
                if whole:
                    self._bar.update(whole)
                    self._told += whole

    def part(self, share: float) -> Progress:
        """The same for a share of what is done: its samples count as that share."""
        part = Progress(0, shown=False)
        part._whole, part._share = self, share
        return part

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._bar is not None:
            if kind is None and self._told < self._total:  # samples that do not count are done, too
                self._bar.update(self._total - self._told)
            self._bar.close()
