"""Links to files of the repository that are no pages: the role ``repo``, and links of what pages include."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.docutils import ReferenceRole

ROOT = Path(__file__).parents[2]
URL = "https://github.com/gpuval/gpuval"

_LINK = re.compile(r"\]\(([\w-]*[./][\w./-]*)(#[^)\s]*)?\)")
_LINK_OUT = re.compile(r"\]\((\.\./[\w./-]+)(#[^)\s]*)?\)")

logger = logging.getLogger(__name__)


class RepositoryRole(ReferenceRole):
    """A link to a file or a folder, as in ``{repo}`examples/dask_zarr.py```; a warning if it does not exist."""

    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        """The link, with the path as code unless another text is given."""
        if not (ROOT / self.target).exists():
            logger.warning("no such file in the repository: %s", self.target, location=self.get_location())
        text = nodes.inline("", self.title) if self.has_explicit_title else nodes.literal("", self.title)
        return [nodes.reference("", "", text, refuri=url_of(ROOT / self.target))], []


def url_of(path: Path) -> str:
    """Where the repository shows a file or a folder."""
    path = path.resolve()
    return f"{URL}/{'tree' if path.is_dir() else 'blob'}/main/{path.relative_to(ROOT).as_posix()}".rstrip("/")


def _redirect_links_of_includes(app: Sphinx, relative_path: Path, parent: str, content: list[str]) -> None:
    """Make links of an included file, which are relative to it, lead to pages or to the repository."""
    source = (Path(app.srcdir) / relative_path).resolve()
    content[0] = _LINK.sub(lambda link: _redirected(source, link), content[0])


def _redirect_links_of_pages(app: Sphinx, page: str, content: list[str]) -> None:
    """Make links of a page to files that are no pages lead to the repository."""
    source = Path(app.env.doc2path(page))
    content[0] = _LINK_OUT.sub(lambda link: _redirected(source, link), content[0])


def _redirected(source: Path, link: re.Match[str]) -> str:
    target, anchor = (source.parent / link[1]).resolve(), link[2] or ""
    if not target.exists() or not target.is_relative_to(ROOT):
        logger.warning("%s links to %s, which does not exist in the repository", source.name, link[1])
        return link[0]
    if target.parent == ROOT / "docs" and target.suffix == ".md":
        return f"](/{target.name}{anchor})"
    return f"]({url_of(target)}{anchor})"


def setup(app: Sphinx) -> dict[str, Any]:
    """Add the role and the change of links."""
    app.add_role("repo", RepositoryRole())
    app.connect("include-read", _redirect_links_of_includes)
    app.connect("source-read", _redirect_links_of_pages)
    return {"parallel_read_safe": True}
