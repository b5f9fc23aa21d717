"""What is timed, and what belongs to it outside of the clock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Call:
    """A call that is timed, alone.

    ``reset`` goes before each turn, so that what the call keeps of batches does not grow without end; ``read`` makes
    the value of what the call has returned.
    """

    run: Callable[[], Any]
    reset: Callable[[], object] = lambda: None
    read: Callable[[Any], Any] = lambda returned: returned

    def value(self) -> Any:
        """Run once from the beginning, and read the value."""
        self.reset()
        return self.read(self.run())
