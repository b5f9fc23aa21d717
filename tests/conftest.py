"""The choice of backends: ``--backends=numpy,torch`` runs on those; a backend that is chosen and missing is a failure.

Tests on a GPU are marked ``gpu``; they run with ``-m gpu``, or where ``--backends`` names theirs. With ``-m gpu`` files
without such a test are not read, nor doctests, as what they import may be missing on a machine that has a GPU.

Cases that a test is not for (``tests/only_for.py``) are not collected: they are neither skipped nor deselected.
"""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import Generator, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from backends import BACKENDS, Backend
from compiling import BUILDS, PROGRAMS, compile_quickly, keep_programs_in, share_context
from hypothesis import settings
from memory import Memory
from on_a_gpu import is_read, never_read
from only_for import cases_to_run

MEMORY = Memory()

settings.register_profile("same", deadline=None, derandomize=True)
settings.register_profile("new", deadline=None)
settings.load_profile("same")
"""Hypothesis tries the same examples each time, as a change should be judged by itself, and not by chance;
``--hypothesis-profile=new`` tries others."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--backends", help=f"backends to test, separated by commas, of: {', '.join(BACKENDS)}")
    if find_spec("pytest_mpl") is None:  # on a machine that has little but a GPU, where no picture is compared
        parser.addoption("--mpl", action="store_true", help="nothing, as pytest-mpl is not installed")


def asked_for(config: pytest.Config) -> list[str] | None:
    asked = config.getoption("--backends")
    if asked is None:
        return None
    names = asked.split(",")
    unknown = [name for name in names if name not in BACKENDS]
    if unknown:
        raise pytest.UsageError(f"--backends must be names out of {', '.join(BACKENDS)}, got {', '.join(unknown)}")
    return names


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "backend" not in metafunc.fixturenames:
        return
    chosen = [BACKENDS[name] for name in asked_for(metafunc.config) or BACKENDS]
    if metafunc.config.option.markexpr == "gpu":
        chosen = [x for x in chosen if x.gpu]
    params = [pytest.param(x, id=x.name, marks=[pytest.mark.gpu] if x.gpu else []) for x in chosen]
    metafunc.parametrize("backend", params, indirect=True)


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makeitem(collector: pytest.Collector) -> Generator[None, object, object]:
    """Take out the cases that a test is not for; where only some backends run, that may be all of them."""
    found = yield
    if not isinstance(found, list):
        return found
    config = collector.config
    return cases_to_run(found, some_must_be=asked_for(config) is None and config.option.markexpr != "gpu")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Spare Python's collector of garbage what stays until the end: modules and tests, which are a million objects."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if unread := never_read(items):
        raise pytest.UsageError(f"-m gpu would leave out {', '.join(map(str, unread))}: see tests/on_a_gpu.py")
    if "gpu" in config.option.markexpr:
        return
    asked = asked_for(config) or []

    def wanted(item: pytest.Item) -> bool:
        backend = getattr(item, "callspec", None) and item.callspec.params.get("backend")
        return item.get_closest_marker("gpu") is None or (backend is not None and backend.name in asked)

    dropped = [item for item in items if not wanted(item)]
    if dropped:
        config.hook.pytest_deselected(items=dropped)
        items[:] = [item for item in items if wanted(item)]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    is_left_out = config.option.markexpr == "gpu" and collection_path.suffix == ".py" and not is_read(collection_path)
    return is_left_out or None


@pytest.fixture
def backend(request: pytest.FixtureRequest) -> Iterator[Backend]:
    chosen: Backend = request.param
    try:
        chosen.require()
    except (ImportError, RuntimeError) as error:
        pytest.fail(f"the backend {chosen} was asked for and is missing: {error}", pytrace=False)
    with chosen.mode():
        yield chosen


def pytest_configure(config: pytest.Config) -> None:
    """Let all processes of the run share what is compiled, and compile quickly where nothing runs on a GPU."""
    compute_in_one_thread()
    if config.option.markexpr == "gpu":
        config.option.doctestmodules = False
    elif not os.environ.get(BUILDS):
        os.environ[BUILDS] = _folder(config, "gpuval-emulator-")
    chosen = [BACKENDS[name] for name in asked_for(config) or BACKENDS]
    if not any("jax" in backend.modules for backend in chosen):
        return
    if not hasattr(config, "workerinput"):  # the first process, from which the others have their environment
        if "gpu" not in config.option.markexpr and (asked_for(config) is None or not any(x.gpu for x in chosen)):
            compile_quickly()
        if not os.environ.get(PROGRAMS):
            keep_programs_in(_folder(config, "gpuval-programs-"))
    share_context()  # imports JAX, which reads the environment


def compute_in_one_thread() -> None:
    """Of PyTorch, which reads this when it is imported: for small arrays its threads wait longer than they compute."""
    os.environ.setdefault("MKL_NUM_THREADS", "1")


def _folder(config: pytest.Config, prefix: str) -> str:
    """A new one, which is gone after the run."""
    folder = tempfile.mkdtemp(prefix=prefix)
    config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))
    return folder


def pytest_runtest_logfinish() -> None:
    """Keep what the libraries have compiled from growing without end."""
    MEMORY.bound()
