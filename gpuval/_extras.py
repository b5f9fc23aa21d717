"""Libraries that gpuval does without until something needs them: where one is missing, the extra that brings it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needed(use: str, extra: str) -> Iterator[None]:
    """Around an import: raise an ImportError that tells what it is for, and the extra of gpuval that installs it."""
    try:
        yield
    except ImportError as error:
        raise missing(error, use, extra) from error


def missing(error: ImportError, use: str, extra: str) -> ImportError:
    """What to raise where ``use`` failed with ``error``, and ``extra`` would help."""
    library = (error.name or "another library").partition(".")[0]
    reason = "" if isinstance(error, ModuleNotFoundError) else f", whose import fails ({error})"
    return ImportError(f'{use} needs {library}{reason}: pip install "gpuval[{extra}]"', name=error.name)
