"""Reads --embedding: a key of obsm, or columns of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gpuval.cli.files.columns import LabelFile
from gpuval.evaluation._common.columns import beside, matching_columns


def embedding_names(
    texts: Sequence[str], labels: LabelFile, columns: Sequence[str], others: Mapping[str, str]
) -> list[str]:
    """The key, or the columns, those of a pattern in file order.

    ``others`` are the columns of other options, and which options these are: a pattern leaves them out, and no other
    text may be one of them.
    """
    if labels.has_keys:
        if len(texts) > 1:
            raise ValueError(f"--embedding must be one key of obsm in {labels.name}, got {', '.join(map(repr, texts))}")
        return [_key(texts[0], labels)]
    found: list[str] = []
    for text in texts:
        found += matching_columns(text, "--embedding", columns, others, labels.name, labels.notes)
        if text in columns and text in others:
            raise ValueError(f"--embedding must be columns of coordinates, got {text!r}, which {others[text]} has")
    return list(dict.fromkeys(found))


def _key(text: str, labels: LabelFile) -> str:
    """The key that a text stands for: "pca" for "X_pca", too, as in scanpy."""
    keys = labels.keys()
    found = next((key for key in (text, f"X_{text}") if key in keys), None)
    if found is None:
        raise ValueError(f"--embedding must be a key of obsm in {labels.name}, got {text!r}{beside(text, keys)}")
    return found
