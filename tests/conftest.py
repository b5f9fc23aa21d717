"""The choice of tests, by tier (``--full``: all of them; see ``tiers``) and by backend.

``--backends=numpy,torch`` runs on those; a backend that is chosen and missing is a failure.

Tests on a GPU are marked ``gpu``; they run with ``-m gpu``, or where ``--backends`` names theirs. With ``-m gpu`` files
without such a test are not read, nor doctests, as what they import may be missing on a machine that has a GPU.

Cases that a test is not for (``tests/only_for.py``) are not collected: they are neither skipped nor deselected.
"""

from __future__ import annotations

import gc
import os
import time
from collections.abc import Generator, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import tiers
from backends import BACKENDS, Backend
from compiling import BUILDS, PROGRAMS, compile_quickly, keep_programs_in, kept, seconds_compiling, share_context
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
    parser.addoption("--full", action="store_true", help="run all tests, also those that take long")
    parser.addoption("--rest", action="store_true", help="run the tests of --full that do not run by default")
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
    asked, marks = asked_for(metafunc.config), metafunc.config.option.markexpr
    chosen = [BACKENDS[name] for name in asked or BACKENDS]
    if asked is None and "gpu" not in marks:
        chosen = [x for x in chosen if not x.gpu]
    if marks == "gpu":
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
    """Spare Python's collector of garbage what stays until the end: modules and tests, which are a million objects.

    Graphs and programs stay long, too: it looks at all that is old a tenth as often as by default.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.set_threshold(*gc.get_threshold()[:2], 100)
        gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if unread := never_read(items):
        raise pytest.UsageError(f"-m gpu would leave out {', '.join(map(str, unread))}: see tests/on_a_gpu.py")
    if "gpu" in config.option.markexpr:
        return
    asked = asked_for(config) or []

    def is_asked_for(item: pytest.Item) -> bool:
        backend = getattr(item, "callspec", None) and item.callspec.params.get("backend")
        return item.get_closest_marker("gpu") is None or (backend is not None and backend.name in asked)

    wanted = [item for item in items if is_asked_for(item)]
    if not config.option.full:
        named = tuple(_node_id(argument, config) for argument in config.args if "::" in argument)
        default = {item.nodeid for item in tiers.by_default(wanted)}
        wanted = [x for x in wanted if x.nodeid.startswith(named) or (x.nodeid in default) != config.option.rest]
    if len(wanted) < len(items):
        places = set(map(id, wanted))
        config.hook.pytest_deselected(items=[item for item in items if id(item) not in places])
        items[:] = wanted


def _node_id(argument: str, config: pytest.Config) -> str:
    """What a test that is named by an argument is called, however the path to its file is written."""
    path, colons, test = argument.partition("::")
    file = (config.invocation_params.dir / path).resolve()
    if file.is_relative_to(config.rootpath):
        path = file.relative_to(config.rootpath).as_posix()
    return path + colons + test


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
    """Let all processes share what is compiled, also with the next run, and compile quickly where no GPU computes."""
    compute_in_one_thread()
    hold_freed_memory_once()
    if config.option.markexpr == "gpu":
        config.option.doctestmodules = False
    elif not os.environ.get(BUILDS):
        os.environ[BUILDS] = kept("emulator")
    chosen = [BACKENDS[name] for name in asked_for(config) or BACKENDS]
    if not any("jax" in backend.modules for backend in chosen):
        return
    if not hasattr(config, "workerinput"):  # the first process, from which the others have their environment
        if "gpu" not in config.option.markexpr and (asked_for(config) is None or not any(x.gpu for x in chosen)):
            compile_quickly()
        if not os.environ.get(PROGRAMS):
            keep_programs_in(kept("jax"))
    share_context()  # imports JAX, which reads the environment


def compute_in_one_thread() -> None:
    """Processes that this one starts: for small arrays, threads of PyTorch and NumPy wait longer than they compute."""
    for name in ("MKL", "OPENBLAS"):
        os.environ.setdefault(f"{name}_NUM_THREADS", "1")


def hold_freed_memory_once() -> None:
    """Not once for each thread of those that compile; the allocator of glibc reads this when a worker starts."""
    os.environ.setdefault("MALLOC_ARENA_MAX", "1")


def pytest_runtest_logfinish() -> None:
    """Keep what the libraries have compiled from growing without end."""
    MEMORY.bound()


# ---- what tests take -----------------------------------------------------------------------------

SECONDS: dict[str, float] = {}
"""What each case took by itself, of processor time, in this process; in the first one of a run also in its workers."""
MEMORIES: list[int] = []
"""The most that each process of tests held after a test, in bytes."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    before = _own_time()
    try:
        return (yield)
    finally:
        SECONDS[item.nodeid] = round(max(0.0, _own_time() - before), 3)


def _own_time() -> float:
    """Processor time of this process and of those that ended, without what was compiled for later tests, too."""
    ended = os.times()
    return time.process_time() + ended.children_user + ended.children_system - seconds_compiling()


def pytest_sessionfinish(session: pytest.Session) -> None:
    output = getattr(session.config, "workeroutput", None)
    if output is not None:  # a worker of xdist, which tells the first process
        output.update(seconds=SECONDS, memory=MEMORY.most)
        return
    if not MEMORIES:
        MEMORIES.append(MEMORY.most)
    cache = getattr(session.config, "cache", None)
    # Not of tests in a browser, which may run beside others and would write the same file.
    if cache is not None and "not browser" in session.config.option.markexpr:
        earlier = cache.get(tiers.RECORD, {"seconds": {}, "memory": 0})
        seconds, memory = earlier["seconds"] | SECONDS, max(earlier["memory"], *MEMORIES)
        cache.set(tiers.RECORD, {"seconds": seconds, "memory": memory})


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A worker of xdist has ended."""
    output = getattr(node, "workeroutput", {"seconds": {}, "memory": 0})
    SECONDS.update(output["seconds"])
    MEMORIES.append(output["memory"])


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    tier = "all" if config.option.full else "those not run by default" if config.option.rest else "the default tier"
    memory = f"; a process held up to {max(MEMORIES) / 1e9:.1f} GB" if any(MEMORIES) else ""
    terminalreporter.write_line(f"tests: {tier} (--full runs all){memory}")
