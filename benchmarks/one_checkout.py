"""A process of ``benchmarks.against``: it has the gpuval of one checkout, and times a call of it when it is asked to.

The folder of the checkout and the call are its arguments. It writes a line of JSON when it is ready, with the value of
the call, and one for each line that it reads, with the seconds of a turn.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from pathlib import Path
from typing import Any, TextIO


def main() -> None:
    """Import the checkout's gpuval, and everything else from beside this file."""
    checkout, described = sys.argv[1:]
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print is no answer
    try:
        sys.path.insert(0, checkout)
        import gpuval

        if not Path(gpuval.__file__).is_relative_to(checkout):
            raise ImportError(f"gpuval is that of {gpuval.__file__}")
        sys.path[0] = str(Path(__file__).parent.parent)
        _serve(answers, *json.loads(described))
    except Exception as error:  # whatever a checkout raises is its answer
        _answer(answers, error=traceback.format_exception_only(error)[-1].strip().splitlines()[0])


def _serve(answers: TextIO, fields: dict[str, Any], measure: str, name: str) -> None:
    import numpy as np

    from benchmarks.backends import BACKENDS
    from benchmarks.timing import turn
    from benchmarks.workloads import Workload

    workload, backend = Workload(**fields), BACKENDS[name]
    with backend.mode():
        call = backend.call(measure, backend.labels(workload.labels(workload.codes())), workload)
        value = np.asarray(backend.host(call.value()), dtype=np.float64)
        _answer(answers, value=value.ravel().tolist())
        for _ in sys.stdin:
            _answer(answers, seconds=turn(call))


def _answer(answers: TextIO, **answer: Any) -> None:
    answers.write(json.dumps(answer) + "\n")
    answers.flush()


if __name__ == "__main__":
    main()
