"""The command line in processes that need not import anything: forks of one that has, which is ``python forked.py``.

`forked_client.py` stands for ``python -m gpuval``. It sends its arguments, folder, environment and open files to that
process, and ends as the fork does. What is tested of the start of Python, of missing packages, of closed streams or of
their encodings needs a real process; so does what may hang, as a fork goes on when its client is killed.
"""

import atexit
import fcntl
import functools
import gc
import importlib
import json
import os
import pkgutil
import select
import shlex
import signal
import socket
import subprocess
import sys
import traceback
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).parent.parent
AS_MODULE = ROOT / "gpuval" / "__main__.py"
CLIENT = Path(__file__).with_name("forked_client.py")
PACKAGES = (
    *("cli", "engines.host", "evaluation", "inference", "intervals", "metrics", "multilabel", "plots", "ranking"),
    *("registry", "reporting", "results"),
)
LIBRARIES = ("anndata", "matplotlib.figure", "pandas", "pyarrow.csv", "pyarrow.parquet", "scipy.stats", "zarr")
WITHOUT_THREADS = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",
}
"""A fork has no threads of libraries, so that these must not have started any."""
IN_NEW_PROCESS = "import sys; del sys.argv[0]; from gpuval.__main__ import main; sys.exit(main())"


def program() -> str:
    """What stands for ``python -m gpuval`` in a line of a shell."""
    return shlex.join([*command(), str(AS_MODULE)])


@functools.cache
def command() -> list[str]:
    """What runs gpuval, if the path by which it is called comes next, and its arguments."""
    if not sys.platform.startswith("linux"):
        return [sys.executable, "-c", IN_NEW_PROCESS]
    environment = os.environ | WITHOUT_THREADS | {"PYTHONPATH": str(ROOT)}
    server = subprocess.Popen(
        [sys.executable, __file__], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    atexit.register(server.communicate)  # closes its standard input, and waits for its end
    assert server.stdout is not None
    address = server.stdout.readline().strip()
    assert address, "the process that forks did not start; stderr says why"
    return [sys.executable, "-I", "-S", str(CLIENT), address]


def serve() -> None:
    """Fork for each client, until nobody holds the standard input open."""
    for package in PACKAGES:
        path = importlib.import_module(f"gpuval.{package}").__path__
        for module in pkgutil.walk_packages(path, f"gpuval.{package}."):
            importlib.import_module(module.name)
    for name in LIBRARIES:
        importlib.import_module(name)
    assert len(os.listdir("/proc/self/task")) == 1
    gc.freeze()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # no fork is waited for
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listening:
        listening.bind("")  # Linux gives it a name, after NUL
        listening.listen()
        print(listening.getsockname()[1:].decode(), flush=True)
        while 0 not in select.select([listening, 0], [], [])[0]:
            client, _ = listening.accept()
            with client:
                if os.fork() == 0:
                    be_what_is_asked_for(client)


def be_what_is_asked_for(client: socket.socket) -> None:
    code, answer = 1, client.fileno()
    try:
        sent, files, _, _ = socket.recv_fds(client, 1 << 20, 100)
        arguments, folder, environment, numbers = json.loads(sent)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        answer, *files = (fcntl.fcntl(x, fcntl.F_DUPFD_CLOEXEC, 200) for x in (client.fileno(), *files))
        os.closerange(0, 200)
        for file, number in zip(files, numbers, strict=True):
            os.dup2(file, number)
            os.close(file)
        sys.stdin, sys.stdout = os.fdopen(0), os.fdopen(1, "w")
        sys.stderr = os.fdopen(2, "w", buffering=1, errors="backslashreplace")
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environment)
        sys.argv = arguments
        from gpuval.__main__ import main

        code = main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:
        traceback.print_exc()
    try:
        for stream in (sys.stdout, sys.stderr):
            with suppress(AttributeError, OSError, ValueError):  # none, full or closed, which main has told
                stream.flush()
        os.write(answer, bytes([code]))
    finally:
        os._exit(0)


if __name__ == "__main__":
    serve()
