"""What the steps share: their parts one by one, what they find, and the clock."""

from __future__ import annotations

import json
import math
import statistics
import time
import traceback
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from benchmarks import device

Call = Callable[[], Any]


class OutOfTimeError(Exception):
    """The seconds of the run are over."""


@dataclass
class Run:
    """A run of a step: how, and what has been found."""

    small: bool = False
    seconds: float = math.inf
    json: Path | None = None
    facts: dict[str, Any] = field(default_factory=dict)
    began: float = field(default_factory=time.perf_counter)

    def all(self, parts: Iterable[Callable[[Run], str | None]]) -> int:
        """Run parts until the time is over, and say of each what it found and how long it took; 1 if one failed."""
        failed = self.facts["failed"] = []
        for part in parts:
            start, is_late = time.perf_counter(), False
            try:
                word = part(self) or "ok"
            except OutOfTimeError:
                word, is_late = "out of time", True
            except Exception as error:
                failed.append(part.__name__)
                word = f"FAILED {_told(error)}"
            print(f"{part.__name__:24} {time.perf_counter() - start:6.1f} s  {word}", flush=True)
            self._write()
            if is_late:
                break
        print(f"{'FAILED: ' + ', '.join(failed) if failed else 'all ok'}; {time.perf_counter() - self.began:.0f} s")
        return int(bool(failed))

    @cached_property
    def device(self) -> device.Device:
        """What is measured."""
        return device.gpu()

    @cached_property
    def bandwidth(self) -> float:
        """Bytes per second that a copy reads and writes."""
        return self.device.bandwidth(device.fewer(1 << 30))

    def labels(self, kind: str, n: int, sizes: tuple[int, int], dtype: str = "int32") -> tuple[Any, Any]:
        """Label vectors on the device."""
        return self.device.labels(kind, device.fewer(n), sizes, dtype)

    def median(self, call: Call, times: int = 5) -> float:
        """Seconds of a call on the device, after a first one that compiles."""
        call()
        return statistics.median(self.device.seconds(call) for _ in range(device.fewer(times, 1)))

    def keep(self, name: str, **numbers: float) -> None:
        """Print numbers and put them into the file; nothing comes after the last second of a run on a GPU."""
        self.facts.setdefault("timings", {})[name] = numbers
        print(f"    {name:46} " + "  ".join(f"{key} {value:.4g}" for key, value in numbers.items()), flush=True)
        self._write()
        if time.perf_counter() - self.began > self.seconds and not device.STANDS_IN:
            raise OutOfTimeError

    def _write(self) -> None:
        if self.json:
            self.json.write_text(json.dumps(self.facts, indent=1) + "\n", encoding="utf-8")


def _told(error: Exception) -> str:
    """An error in a line, with the lines of this project that it came through, the last one first."""
    frames = [x for x in traceback.extract_tb(error.__traceback__) if "gpuval" in x.filename or "gpu_run" in x.filename]
    places = " < ".join(f"{Path(x.filename).name}:{x.lineno}" for x in reversed(frames))
    return f"{type(error).__name__}: {' '.join(str(error).split())[:300]} at {places}"
