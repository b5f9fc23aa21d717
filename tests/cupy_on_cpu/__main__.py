"""Run the tests of CuPy's arrays without a GPU: ``python tests/cupy_on_cpu``, with what pytest is to be given."""

import sys
from pathlib import Path

import pytest

sys.path[0] = str(Path(__file__).parents[1])  # modules here have names of others
sys.exit(pytest.main(["-p", "cupy_on_cpu.plugin", "-m", "gpu", "--backends=cupy", *sys.argv[1:]]))
