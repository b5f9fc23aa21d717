"""Rewrites errors about arguments of the library as errors about options of the command line."""

from __future__ import annotations

import re

from gpuval.cli.scoring.scored import Embedding, WhatToScore


def said_of_options(message: str, asked: WhatToScore) -> str:
    """A message that begins with an argument, of the option, and with places in X as they are in the file."""
    names = {"groups": f"--groups {asked.groups!r}", "by": f"--by {asked.by!r}", "sample_weight": "--weight"}
    if asked.samples is not None:
        names["X"] = f"--embedding {asked.samples.name!r}"
        message = _with_place_in_file(message, asked.samples)
    subject, _, rest = message.partition(" ")
    rest = rest.replace(" where by is ", f" where --by {asked.by!r} is ")
    return f"{names.get(subject, subject)} {rest}"


def _with_place_in_file(message: str, samples: Embedding) -> str:
    """A message about a number of X, with its row counted from 1, as all rows of files, and its column by its name."""
    found = re.fullmatch(r"(X must .* in row )(\d+), column (\d+)", message)
    if found is None:
        return message
    column = int(found[3])
    name = repr(samples.columns[column]) if samples.columns else column + 1
    return f"{found[1]}{int(found[2]) + 1}, column {name}"
