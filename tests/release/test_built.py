"""What is built of this tree: the files of the wheel and of the sdist, and the wheel's metadata."""

import re
import subprocess
import sys
import tarfile
import zipfile
from email import message_from_string
from pathlib import PurePosixPath

import pytest
from extras import EXTRAS, PROJECT, PYPROJECT, ROOT
from packaging.requirements import Requirement
from pathspec import GitIgnoreSpec

import gpuval

LARGEST_WHEEL, LARGEST_SDIST = 1.35e6, 5.2e6
"""Bytes."""

HOOKS = "import sys, hatchling.build as b; b.build_wheel(sys.argv[1]); b.build_sdist(sys.argv[1])"
"""What pip and build call, in this environment rather than in one of their own."""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    """A folder with the wheel and the sdist of this tree."""
    folder = tmp_path_factory.mktemp("dist")
    ran = subprocess.run([sys.executable, "-c", HOOKS, str(folder)], cwd=ROOT, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    return folder


@pytest.fixture(scope="module")
def wheel(built):
    (path,) = built.glob("*.whl")
    with zipfile.ZipFile(path) as opened:
        yield opened


@pytest.fixture(scope="module")
def metadata(wheel):
    return message_from_string(wheel.read(f"gpuval-{gpuval.__version__}.dist-info/METADATA").decode())


@pytest.fixture(scope="module")
def sdist(built):
    """The files of the sdist, by their paths in the tree."""
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as opened:
        assert {name.partition("/")[0] for name in opened.getnames()} == {f"gpuval-{gpuval.__version__}"}
        return {member.name.partition("/")[2]: member for member in opened.getmembers() if member.isfile()}


def files_of(folder):
    """All files of a folder but those that git ignores, as they are made by a build or a run."""
    ignored = GitIgnoreSpec.from_lines((ROOT / ".gitignore").read_text(encoding="utf-8").splitlines())
    paths = {path.relative_to(ROOT).as_posix() for path in (ROOT / folder).rglob("*") if path.is_file()}
    return paths - set(ignored.match_files(paths))


# Files.


def test_the_wheel_has_the_package_and_nothing_else(wheel):
    names = set(wheel.namelist())
    info = f"gpuval-{gpuval.__version__}.dist-info"
    assert {name.partition("/")[0] for name in names} == {"gpuval", info}
    assert {name for name in names if name.startswith("gpuval/")} == files_of("gpuval")
    assert f"{info}/licenses/LICENSE" in names


def test_the_files_of_the_package_are_of_these_kinds():
    """A new kind of file is one that somebody thought of."""
    kinds = {PurePosixPath(name).suffix for name in files_of("gpuval")}
    assert kinds - {".pyi"} == {".py", ".typed", ".cu", ".cuh", ".csv", ".md", ".css", ".js", ".jinja"}
    assert (ROOT / "gpuval" / "py.typed").read_bytes() == b""


def test_the_sdist_has_what_is_tested(sdist):
    listed = PYPROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["only-include"]
    expected = {name for x in listed for name in (files_of(x) if (ROOT / x).is_dir() else {x})}
    always = {".gitignore", "LICENSE", "PKG-INFO", "pyproject.toml"}
    assert set(sdist) == expected | always
    assert {"tests", "docs", "benchmarks", "examples", ".ci", ".github", "conda", "gpuval"} <= set(listed)


def test_scripts_of_the_sdist_can_be_run(sdist):
    assert all(sdist[f".ci/{name}"].mode & 0o100 for name in ("build", "run", "site", "test_wheel", "versions"))


def test_their_sizes(built):
    sizes = {path.suffix: path.stat().st_size for path in built.iterdir()}
    assert sizes[".whl"] < LARGEST_WHEEL
    assert sizes[".gz"] < LARGEST_SDIST


# Metadata.


def test_the_wheel_brings_three_packages(metadata):
    requirements = [Requirement(x) for x in metadata.get_all("Requires-Dist")]
    without_extra = {x.name for x in requirements if x.marker is None or x.marker.evaluate({"extra": ""})}
    assert without_extra == {"numpy", "array-api-compat", "scipy"}
    assert set(metadata.get_all("Provides-Extra")) == set(EXTRAS)


def test_the_version_is_in_one_place(metadata):
    assert metadata["Version"] == gpuval.__version__
    assert "version" in PROJECT["dynamic"]


def test_the_license_is_an_expression(metadata):
    assert (metadata["License-Expression"], metadata["License-File"]) == ("BSD-3-Clause", "LICENSE")
    assert not any(x.startswith("License") for x in metadata.get_all("Classifier"))


def test_the_urls(metadata):
    urls = dict(x.split(", ") for x in metadata.get_all("Project-URL"))
    assert set(urls) == {"Homepage", "Documentation", "Source", "Issues", "Changelog"}
    assert all(url.startswith(("https://gpuval.github.io/gpuval/", urls["Source"])) for url in urls.values())


# The README, as the package index shows it.

LINK = re.compile(r"""(?:\]\(|\b(?:src|srcset|href)=["'])([^)\s"']+)""")
CODE = re.compile(r"```.*?```", re.DOTALL)


def links(text):
    return LINK.findall(CODE.sub("", text))


def test_no_link_of_the_readme_is_relative(metadata):
    assert metadata["Description-Content-Type"] == "text/markdown"
    shown = links(metadata.get_payload())
    assert shown
    assert [x for x in shown if not x.startswith(("https://", "#"))] == []


def test_links_of_the_readme_are_to_files_of_the_tree(metadata):
    repository = re.compile(
        r"https://(?:github\.com/gpuval/gpuval/blob|raw\.githubusercontent\.com/gpuval/gpuval)/main/"
    )
    paths = [repository.sub("", x).partition("#")[0] for x in links(metadata.get_payload()) if repository.match(x)]
    assert paths
    assert [x for x in paths if not (ROOT / x).exists()] == []


def test_only_links_of_the_readme_change(metadata):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = metadata.get_payload()
    assert CODE.findall(shown) == CODE.findall(readme)
    assert LINK.sub("", shown).split() == LINK.sub("", readme).split()


@pytest.mark.parametrize(
    ("link", "expected"),
    [
        ("[a](docs/a.md#b)", "[a](https://github.com/gpuval/gpuval/blob/main/docs/a.md#b)"),
        ("[a](CONTRIBUTING.md)", "[a](https://github.com/gpuval/gpuval/blob/main/CONTRIBUTING.md)"),
        ('<a href="docs/a.md">', '<a href="https://github.com/gpuval/gpuval/blob/main/docs/a.md">'),
        ("![a](docs/a.png)", "![a](https://raw.githubusercontent.com/gpuval/gpuval/main/docs/a.png)"),
        ('<img src="docs/a.png">', '<img src="https://raw.githubusercontent.com/gpuval/gpuval/main/docs/a.png">'),
        (
            "[![a](docs/a.png)](docs/a.md)",
            (
                "[![a](https://raw.githubusercontent.com/gpuval/gpuval/main/docs/a.png)]"
                "(https://github.com/gpuval/gpuval/blob/main/docs/a.md)"
            ),
        ),
        ("[a](https://b.org/c)", "[a](https://b.org/c)"),
        ("[a](#b)", "[a](#b)"),
        ("[a](mailto:b@c.org)", "[a](mailto:b@c.org)"),
    ],
)
def test_what_becomes_of_a_link(link, expected):
    hook = PYPROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    for x in hook["substitutions"]:
        link = re.sub(x["pattern"], x["replacement"], link)
    assert link == expected
