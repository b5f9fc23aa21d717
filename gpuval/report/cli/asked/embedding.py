"""Which embedding --embedding names: a key of obsm, or columns of numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gpuval.report._common.columns import beside, matching_columns
from gpuval.report.files.columns import LabelFile


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
        _check_key(texts[0], labels)
        return list(texts)
    found: list[str] = []
    for text in texts:
        found += matching_columns(text, "--embedding", columns, others, labels.name, labels.notes)
        if text in columns and text in others:
            raise ValueError(f"--embedding must be columns of coordinates, got {text!r}, which {others[text]} has")
    return list(dict.fromkeys(found))


def _check_key(key: str, labels: LabelFile) -> None:
    keys = labels.keys()
    if key not in keys:
        raise ValueError(f"--embedding must be a key of obsm in {labels.name}, got {key!r}{beside(key, keys)}")
