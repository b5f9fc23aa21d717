"""The command ``gpuval``, also as ``python -m gpuval``, with a message if its libraries are not installed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

from gpuval.cli.terminal import show


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    arguments
        The arguments after the name of the command; by default ``sys.argv[1:]``.

    Returns
    -------
    int
        The exit code: 0 on success; 2 after a mistake of the user, which one line on stderr explains; 1 if the output
        cannot be written; 130 after an interrupt.
    """
    try:
        return _run(arguments)
    except KeyboardInterrupt:  # also while libraries are loaded
        return 130


def _run(arguments: Sequence[str] | None) -> int:
    try:
        import_module("click")
        import_module("rich")
    except ImportError:
        message = 'the command line needs click and rich: pip install "gpuval[cli]"'
        show(f"gpuval: {message}\n")
        return 2
    from gpuval.cli.program import run

    return run(arguments)


if __name__ == "__main__":
    sys.exit(main())
