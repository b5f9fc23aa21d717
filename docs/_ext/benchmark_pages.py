"""Writes a page into ``docs/benchmarks`` for each file of results, which it includes; and draws how times grow."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from benchmarks import pictures, published
from benchmarks.growth import PICTURES

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


def draw_pictures(folder: Path) -> None:
    """Draw what ``docs/benchmarks.md`` shows, for light and for dark pages."""
    run = published.read(published.GROWTH)
    for picture in PICTURES:
        lines = published.lines_of(run, picture)
        for name in ("light", "dark"):
            drawn = pictures.draw(picture.along, lines, dark=name == "dark")
            (folder / f"growth-{picture.name}-{name}.svg").write_text(drawn, encoding="utf-8")


def _write(app: Sphinx) -> None:
    folder = Path(app.srcdir) / "benchmarks"
    write_pages(folder)
    draw_pictures(folder)


def setup(app: Sphinx) -> dict[str, Any]:
    """Write the pages and draw before Sphinx looks for documents."""
    app.connect("builder-inited", _write)
    return {"parallel_read_safe": True}
