"""Writes a page into ``docs/benchmarks`` for each file of results, which it includes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"


def write_pages(folder: Path) -> None:
    """Pages are named without the date, so that their addresses stay."""
    folder.mkdir(exist_ok=True)
    kept = set()
    for path in sorted(RESULTS.glob("*.md")):
        name = "gpu" if path.stem == "README" else re.sub(r"^\d{4}-\d\d-\d\d-", "", path.stem)
        page = folder / f"{name}.md"
        page.write_text(f"```{{include}} /../benchmarks/results/{path.name}\n```\n", encoding="utf-8")
        kept.add(page)
    for page in set(folder.glob("*.md")) - kept:
        page.unlink()


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages before Sphinx looks for documents."""
    app.connect("builder-inited", lambda app: write_pages(Path(app.srcdir) / "benchmarks"))
    return {"parallel_read_safe": True}
