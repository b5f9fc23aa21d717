"""Runs the command line in this process, on what is no terminal or on one."""

import contextlib
import io
import os
import sys
import warnings
from unittest import mock

from gpuval.__main__ import main


class Terminal(io.StringIO):
    """A stream of a terminal; ``encoding`` is that of its letters."""

    encoding = "utf-8"

    def isatty(self):
        return True


class AsciiTerminal(Terminal):
    encoding = "ascii"


def run(*arguments):
    """The exit code, what was written, and what was said."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([str(x) for x in arguments])
    return code, out.getvalue(), err.getvalue()


def written(*arguments):
    """What is written by a command line that is right, and says nothing."""
    code, out, err = run(*arguments)
    assert (code, err) == (0, ""), err
    return out


def refused(*arguments):
    """The one line that a wrong command line ends with, without what stands before it."""
    code, out, err = run(*arguments)
    assert (code, out) == (2, ""), (code, out, err)
    assert err.startswith("gpuval: ")
    assert err.count("\n") == 1
    return err.removeprefix("gpuval: ").removesuffix("\n")


def on_a_terminal(width, *arguments, stream=Terminal):
    """The lines that are written on a terminal of as many columns, without what makes them bold."""
    out = stream()
    with mock.patch.dict(os.environ, {"COLUMNS": str(width), "TERM": "xterm"}), mock.patch.object(sys, "stdout", out):
        assert main([str(x) for x in arguments]) == 0
    return out.getvalue().replace("\x1b[1m", "").replace("\x1b[0m", "").splitlines()


def write_zarr(cells, path, version):
    """Write an AnnData as a store of version 2 or 3."""
    import anndata

    before = anndata.settings.zarr_write_format
    with warnings.catch_warnings(action="ignore"):  # one of the two versions is not liked by each version of anndata
        try:
            anndata.settings.zarr_write_format = version
            cells.write_zarr(path)
        finally:
            anndata.settings.zarr_write_format = before
