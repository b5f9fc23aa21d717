"""The calls of a clusterer: on threads, with a progress bar, and kept in a folder, from which they are taken again."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from gpuval.display.files import write_whole
from gpuval.display.text import readable_name, visible
from gpuval.geometry.progress import Progress
from gpuval.inputs.options import check_count
from gpuval.numerics import NDArray
from gpuval.numerics.parallel import parallel_map

Item = TypeVar("Item")
Result = TypeVar("Result")


class Call(NamedTuple):
    """One call of the clusterer; a run of None is the one of all samples."""

    run: int | None
    place: int
    """Of the setting."""
    setting: Any

    def __str__(self) -> str:
        run = "all samples" if self.run is None else f"run {self.run}"
        return f"{run}, setting {visible(readable_name(self.setting))}"


def read_jobs(n_jobs: Any) -> int | None:
    """How many threads; None for all cores."""
    return None if n_jobs == -1 and not isinstance(n_jobs, bool) else check_count("n_jobs", n_jobs)


def make_calls(
    function: Callable[[Item], Result], items: Sequence[Item], n_threads: int | None, progress: bool, unit: str
) -> list[Result]:
    """What the function returns for each item, in their order."""
    with Progress(len(items), progress, unit) as bar:

        def one(item: Item) -> Result:
            result = function(item)
            bar.advance(1)
            return result

        return parallel_map(one, items, n_threads)


@contextmanager
def call_named(where: object) -> Iterator[None]:
    """Around a call of the user's function: an error of it says first which call it was."""
    try:
        yield
    except Exception as error:
        if len(error.args) == 1 and isinstance(error.args[0], str):
            error.args = (f"{where}: {error.args[0]}",)
        else:
            error.add_note(f"This was {where}.")
        raise


class CallFolder:
    """A folder with the labels of calls that are done, each in a file; None keeps nothing."""

    def __init__(self, path: str | os.PathLike[str] | None) -> None:
        self._path = None if path is None else Path(path)
        self._manifest: dict[str, Any] = {}
        if self._path is not None and (self._path / "calls.json").exists():
            self._manifest = json.loads((self._path / "calls.json").read_text(encoding="utf-8"))

    @property
    def seed(self) -> int | None:
        """The seed of the calls that are there, if there are any."""
        return self._manifest.get("seed of random_state")

    def check(self, manifest: dict[str, Any]) -> None:
        """Check that the calls in the folder are of the same arguments; note these if it is empty."""
        if self._path is None:
            return
        if not self._manifest:
            self._path.mkdir(parents=True, exist_ok=True)
            write_whole(self._path / "calls.json", json.dumps(manifest, indent=1))
        for name in manifest if self._manifest else ():
            if self._manifest.get(name) != manifest[name]:
                raise ValueError(
                    f"folder must be empty or hold calls of the same arguments, got {name} "
                    f"{self._manifest.get(name)!r} there and {manifest[name]!r} here"
                )

    def read(self, call: Call) -> NDArray | None:
        """The labels of a call that is done."""
        file = self._file(call)
        if file is None or not file.exists():
            return None
        with np.load(file) as stored:
            labels: NDArray = stored["labels"]
        return labels

    def write(self, call: Call, labels: NDArray) -> None:
        """Keep the labels of a call; the file is there only when all is written."""
        file = self._file(call)
        if file is not None:
            part = file.with_suffix(f".{os.getpid()}.part")
            with part.open("wb") as stream:
                np.savez_compressed(stream, labels=labels)
            part.replace(file)

    def _file(self, call: Call) -> Path | None:
        run = "all" if call.run is None else f"run-{call.run}"
        return self._path and self._path / f"{run}-setting-{call.place}.npz"
