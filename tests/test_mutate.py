"""The faults of ``mutate.py`` are still faults of the code as it is."""

from __future__ import annotations

import ast

import pytest
from mutate import FAULTS, HERE, with_fault


def test_there_are_enough_faults_each_with_a_name_of_its_own():
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 40


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_each_fault_can_be_made_and_is_known_to_tests(fault):
    text = with_fault(fault, HERE)  # an error unless the old text occurs once
    if fault.file.endswith(".py"):
        ast.parse(text)
    for test in fault.tests.split():
        path, _, function = test.partition("[")[0].partition("::")
        text = (HERE / "tests" / path).read_text()
        assert not function or f"def {function}(" in text
