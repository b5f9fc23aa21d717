"""The files of conda agree with pyproject.toml: both environments, and the recipe for conda-forge."""

import re

import pytest
import yaml
from extras import EXTRAS, PROJECT, PYPROJECT, ROOT, brought_by
from packaging.requirements import Requirement

import gpuval

CONDA_NAMES = {
    "torch": "pytorch",
    "cupy-cuda12x": "cupy",
    "cupy-cuda13x": "cupy",
    "igraph": "python-igraph",
}
"""Packages that conda-forge has by another name."""

LEFT_OUT = {
    "nvidia-cuda-nvrtc": "compiles CUDA code in tests; conda's cupy brings it, for the CUDA version of the machine",
}
"""Packages that no environment of conda has, and why."""

LEFT_OUT_EXTRAS = {
    "browser": "opens reports and pages in Chromium, in tests that run only if they are asked for",
    "cupy-on-cpu": "CuPy's wheel, whose tests run in an environment of their own",
    "docs": "builds the site, which CI does",
}
"""The same for all packages of an extra."""

WITHOUT_GPU = {"cupy": None}
WITH_GPU = {"pytorch": None, "pytorch-gpu": ">=2.13", "jaxlib": "* *cuda*"}
"""What differs from the names of pyproject.toml; None takes a package out."""


def conda_requirements(name):
    """The names and bounds of an environment."""
    listed = yaml.safe_load((ROOT / name).read_text(encoding="utf-8"))["dependencies"]
    (by_pip,) = (x["pip"] for x in listed if isinstance(x, dict))
    assert by_pip[0] == "-e ."
    names = [x for x in listed if isinstance(x, str)] + by_pip[1:]
    return dict(x.split(" ", 1) if " " in x else (x, "") for x in names)


def python_requirements():
    """The bounds of all requirements by conda's names: those of the package and of the extras."""
    requirements = [*map(Requirement, PROJECT["dependencies"])]
    requirements += [x for extra in EXTRAS if extra not in LEFT_OUT_EXTRAS for x in brought_by(extra)]
    bounds = {"python": PROJECT["requires-python"], "pip": ""}
    for x in requirements:
        if x.name in LEFT_OUT:
            continue
        name = CONDA_NAMES.get(x.name, x.name)
        assert bounds.setdefault(name, str(x.specifier)) == str(x.specifier), f"two bounds of {name}"
    return bounds


@pytest.mark.parametrize(
    ("name", "differences"), [("conda-env.yml", WITHOUT_GPU), ("conda-env-gpu.yml", WITH_GPU)], ids=["cpu", "gpu"]
)
def test_an_environment_has_what_the_extras_have(name, differences):
    expected = python_requirements() | differences
    assert conda_requirements(name) == {name: bound for name, bound in expected.items() if bound is not None}


def test_the_bounds_of_pytorch_are_one():
    assert WITH_GPU["pytorch-gpu"] == python_requirements()["pytorch"]


# The recipe.

RECIPE = yaml.safe_load((ROOT / "conda" / "recipe.yaml").read_text(encoding="utf-8"))


def of_conda(requirements):
    """Requirements of Python as conda writes them."""
    return [f"{x.name} {x.specifier}" for x in map(Requirement, requirements)]


def test_the_recipe_has_the_requirements_of_the_package():
    python, *others = RECIPE["requirements"]["run"]
    assert python == "python >=${{ python_min }}"
    assert f">={RECIPE['context']['python_min']}" == PROJECT["requires-python"]
    assert others == of_conda(PROJECT["dependencies"])


def test_the_recipe_builds_with_what_pyproject_names():
    python, pip, *others = RECIPE["requirements"]["host"]
    assert (python, pip) == ("python ${{ python_min }}.*", "pip")
    assert others == of_conda(PYPROJECT["build-system"]["requires"])


def test_the_recipe_is_of_this_version_and_its_sdist():
    assert RECIPE["package"] == {"name": PROJECT["name"], "version": "${{ version }}"}
    assert RECIPE["context"]["version"] == gpuval.__version__
    assert RECIPE["source"]["url"].endswith("/g/gpuval/gpuval-${{ version }}.tar.gz")
    assert re.fullmatch("[0-9a-f]{64}", RECIPE["source"]["sha256"])


def test_the_recipe_has_the_command_and_the_license():
    command = [f"{name} = {where}" for name, where in PROJECT["scripts"].items()]
    assert RECIPE["build"]["python"]["entry_points"] == command
    assert RECIPE["about"]["license"] == PROJECT["license"]
    assert [RECIPE["about"]["license_file"]] == PROJECT["license-files"]
    assert RECIPE["about"]["homepage"] == PROJECT["urls"]["Homepage"]
    assert RECIPE["about"]["repository"] == PROJECT["urls"]["Source"]


def test_the_tests_of_the_recipe_run():
    """They need none of the extras."""
    (script,) = (x["script"] for x in RECIPE["tests"] if "script" in x)
    programs = [re.fullmatch('python -c "(.*)"', line)[1] for line in script]
    assert programs
    for program in programs:
        exec(program, {})
    (imports,) = (x["python"]["imports"] for x in RECIPE["tests"] if "python" in x)
    exec("import " + ", ".join(imports), {})
