"""Which tests are collected: of each tier, and of each function; and that each of them checks something."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
import tiers
from only_for import cases_to_run, only_for

BACKENDS = ["numpy", *(f"b{i}" for i in range(8))]


def item(function, *, backend=None, **choice):
    """A case of pytest, as far as its tier depends on it; ``choice`` has the places of its other parameters."""
    indices = choice if backend is None else {**choice, "backend": 0}
    params = {name: SimpleNamespace(name=backend) if name == "backend" else at for name, at in indices.items()}
    return SimpleNamespace(
        nodeid=f"{function}[{backend}-{choice}]" if params else function,
        originalname=function,
        callspec=SimpleNamespace(params=params, indices=indices),
        get_closest_marker={}.get,
    )


def planned(choice, backends=BACKENDS):
    """The backends that a choice of the other parameter of a test runs on by default."""
    found = tiers.by_default([item("test_it", backend=backend, row=choice) for backend in backends])
    return [x.callspec.params["backend"].name for x in found]


def test_each_choice_runs_on_numpy_and_one_more():
    of_each = [planned(choice) for choice in range(200)]
    assert {len(x) for x in of_each} == {2}
    assert {x[0] for x in of_each} == {"numpy"}
    assert {x[1] for x in of_each} == set(BACKENDS[1:])
    assert [planned(choice) for choice in range(200)] == of_each
    assert planned(0, BACKENDS[1:3]) == BACKENDS[1:3]
    assert planned(0, BACKENDS[1:2]) == BACKENDS[1:2]


def test_all_runs_that_has_no_other_parameter_or_no_backend():
    cases = [item("test_it", backend=x) for x in BACKENDS] + [item("test_other", row=i) for i in range(3)]
    assert tiers.by_default(cases) == cases


def names(items):
    return [item.nodeid for item in items]


def test_of_a_slow_function_run_as_many_cases_as_fit_into_its_share(monkeypatch):
    cases = {name: [item(name, row=i) for i in range(20)] for name in ("quick", "slow", "slower", "marked", "long")}
    for case in cases["marked"]:
        case.get_closest_marker = {"by_default": SimpleNamespace(kwargs={})}.get
    seconds = {"slow": tiers.SHARE / 5, "slower": tiers.LONGEST, "marked": 9.0, "long": tiers.LONGEST + 0.1}
    monkeypatch.setattr(tiers, "slow", lambda: seconds)
    items = [case for of_one in cases.values() for case in of_one]
    found = tiers.by_default(items)
    numbers = {name: sum(case in found for case in of_one) for name, of_one in cases.items()}
    assert numbers == {"quick": 20, "slow": 5, "slower": 1, "marked": 20, "long": 0}
    assert names(found) == [x for x in names(items) if x in names(found)]
    assert names(tiers.by_default(items[::-1])) == names(found)[::-1]  # the same, whatever their order


def test_what_is_marked_may_run_once_on_each_backend():
    cases = [item("test_it", backend=backend, row=i) for backend in BACKENDS for i in range(4)]
    others = [item("test_without_backends", row=i) for i in range(4)]
    for case in cases + others:
        case.get_closest_marker = {"by_default": SimpleNamespace(kwargs={"once": True})}.get
    assert tiers.by_default(others) == others[:1]
    found = tiers.by_default(cases)
    assert [case.callspec.params["backend"].name for case in found] == BACKENDS
    assert {case.callspec.params["row"] for case in found} == set(range(4))


def test_the_list_has_what_takes_longer_than_its_share():
    shares = {"a[1]": 1, "a[2]": 3, "b[1]": 0.5, "b[2]": 0.5, "c": 1, "d": 1.5}
    seconds = {name: share * tiers.SHARE for name, share in shares.items()}
    assert tiers.list_of(seconds) == {"a": 2 * tiers.SHARE, "d": 1.5 * tiers.SHARE}


def test_what_is_wrong_with_the_list_is_told():
    seconds = {"a[1]": 2.0, "a[2]": 2.1, "a[3]": 1.9, "b": 9.0, "c": 4.9, "d[1]": 9.0, "d[2]": 0.1, "d[3]": 0.1}
    seconds |= {"e[1]": 21.0, "e[2]": 0.1, "e[3]": 0.1}
    assert tiers.complaints({"seconds": seconds, "memory": 1}, {"a": 2, "b": 9, "e": 8}) == []
    assert tiers.complaints({"seconds": seconds, "memory": 2_600_000_000}, {"b": 9, "c": 5, "gone": 1}) == [
        "a takes 6.0 s and is not in slow.txt",
        "e takes 21.2 s and is not in slow.txt",
        "gone is in slow.txt and was not run",
        "a process held 2.60 GB, more than 2.50",
    ]


def test_what_is_long_goes_by_the_functions_of_the_list():
    seconds = {"a[1]": 9.0, "b[1]": 6.0, "c[1]": 6.0, "d[1]": 6.0}
    assert tiers.complaints({"seconds": seconds, "memory": 1}, {"b": 3, "c": 3, "d": 6}) == []
    said = ["a takes 9.0 s and is not in slow.txt"]
    for named in ({"b": 6, "c": 6, "d": 3}, {"b": 9, "c": 9, "d": 9}):
        assert tiers.complaints({"seconds": seconds, "memory": 1}, named) == said


def test_the_record_is_that_of_all_runs(tmp_path, monkeypatch):
    monkeypatch.setattr(tiers, "CACHE", tmp_path)
    for folder, record in {".": {"seconds": {"a": 1}, "memory": 3}, "part": {"seconds": {"b": 2}, "memory": 4}}.items():
        path = tmp_path / folder / "v" / tiers.RECORD
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(record))
    assert tiers.recorded() == {"seconds": {"a": 1, "b": 2}, "memory": 4}


def test_the_tiers_are_parts_of_all():
    """A test that is named runs in any tier. JAX, which takes long to import, is not among the backends."""

    def collected(*options):
        ran = subprocess.run(
            [sys.executable, "-m", "pytest", "--collect-only", "-q", "--backends=numpy,strict,torch", *options],
            capture_output=True,
            text=True,
            cwd=Path(__file__).parent.parent,
        )
        return {line for line in ran.stdout.splitlines() if "::" in line}

    file = "tests/inputs/test_options.py"
    full, default, rest = (collected(file, *tier) for tier in (["--full"], [], ["--rest"]))
    assert full == default | rest
    assert not default & rest
    assert default
    one = min(rest)
    assert collected(one) == {one}


CHECKING_BLOCKS = {"pytest.raises", "pytest.warns"}


def is_check(node):
    """Whether a node asserts, expects an error, or calls what does.

    A statement that only calls a function, but no method, is taken for a check: ``check(x)`` or ``CHECKS[name](x)``.
    """
    if isinstance(node, ast.withitem):
        return isinstance(node.context_expr, ast.Call) and ast.unparse(node.context_expr.func) in CHECKING_BLOCKS
    if isinstance(node, ast.Call) and any(ast.unparse(word) == "check=True" for word in node.keywords):
        return True  # a program that must not fail
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        called = node.value.func
        return not isinstance(called, ast.Attribute) or called.attr.startswith("assert_")
    return isinstance(node, ast.Assert)


def may_end_unchecked(statements):
    """Whether a path through the ``if``s of a test skips it, returns nothing, or ends, before any check.

    Of other statements, such as loops, all checks count, whether they are reached or not.
    """
    for i, statement in enumerate(statements):
        if isinstance(statement, ast.If):
            ways = ([*way, *statements[i + 1 :]] for way in (statement.body, statement.orelse))
            return any(may_end_unchecked(way) for way in ways)
        if isinstance(statement, ast.With) and not any(map(is_check, statement.items)):
            return may_end_unchecked([*statement.body, *statements[i + 1 :]])
        if isinstance(statement, ast.Return):
            return statement.value is None  # else a picture that is compared
        if ast.unparse(statement).startswith("pytest.skip("):
            return True
        if any(map(is_check, ast.walk(statement))):
            return False
    return True


def unchecked_tests(tree):
    """The tests of a module that may end before they have checked anything."""
    tests = (x for x in ast.walk(tree) if isinstance(x, ast.FunctionDef) and x.name.startswith("test_"))
    return [x.name for x in tests if may_end_unchecked(x.body)]


def test_each_test_checks_something():
    """Where a test is not for all parameters, ``only_for`` says so; see also ``hypothesis.assume``."""
    paths = Path(__file__).parent.rglob("test_*.py")
    trees = {path.name: ast.parse(path.read_text(encoding="utf-8")) for path in paths}
    assert {name: found for name, tree in trees.items() if (found := unchecked_tests(tree))} == {}


@pytest.mark.parametrize(
    ("body", "is_found"),
    [
        ("if not backend.sorts:\n  return\n assert True", True),
        ("x = 1\n if x:\n  pytest.skip('no')\n assert True", True),
        ("with mode():\n  if x:\n   return\n  assert True", True),
        ("if x:\n  assert True", True),
        ("monkeypatch.setattr(a, 'b', 1)", True),
        ("if x:\n  assert True\n  return\n assert False", False),
        ("assert x\n if y:\n  return\n assert y", False),
        ("if x:\n  y = 1\n check(y)", False),
        ("with pytest.raises(ValueError):\n  f()", False),
        ("for x in y:\n  if x:\n   continue\n  np.testing.assert_allclose(x, 1)", False),
        ("subprocess.run(program, check=True)", False),
    ],
)
def test_a_test_that_may_check_nothing_is_found(body, is_found):
    assert unchecked_tests(ast.parse(f"def test_it(x):\n {body}")) == ["test_it"] * is_found


def case_of(nodeid, *conditions, **params):
    """A case of a test, as pytest collects it."""
    marks = [only_for(condition).mark for condition in conditions]
    return SimpleNamespace(nodeid=nodeid, callspec=SimpleNamespace(params=params), iter_markers=lambda name: marks)


def test_a_case_that_a_test_is_not_for_is_taken_out():
    conditions = (lambda x: x > 1), (lambda y, x: x != y)
    cases = [case_of(f"test_it[{x}-{y}]", *conditions, x=x, y=y) for x in (1, 2, 3) for y in (2, 3)]
    left = [case.nodeid for case in cases_to_run(cases, some_must_be=True)]
    assert left == ["test_it[2-3]", "test_it[3-2]"]
    plain = [case_of("test_it[1]", x=1), case_of("test_it")]
    assert cases_to_run(plain, some_must_be=True) == plain


def test_a_test_of_which_no_case_is_left_is_an_error():
    cases = [case_of(f"tests/test_file.py::test_it[{x}]", lambda x: x > 3, x=x) for x in (1, 2)]
    assert cases_to_run(cases, some_must_be=False) == []
    with pytest.raises(pytest.UsageError) as raised:
        cases_to_run(cases, some_must_be=True)
    assert str(raised.value) == "only_for leaves no case of tests/test_file.py::test_it"


@pytest.mark.parametrize("some_must_be", [True, False])
def test_a_condition_of_what_is_no_parameter_is_an_error(some_must_be):
    with pytest.raises(pytest.UsageError) as raised:
        cases_to_run([case_of("test_it[1]", lambda x, y: x, x=1, z=2)], some_must_be=some_must_be)
    assert str(raised.value) == "only_for must ask for parameters of test_it, which are x, z; got y"
    with pytest.raises(pytest.UsageError, match=r"which are x; got none$"):
        cases_to_run([case_of("test_it[1]", lambda: True, x=1)], some_must_be=some_must_be)


def test_cases_are_taken_out_when_tests_are_collected(tmp_path):
    """With the project's own conftest.py; what is taken out is not counted at all."""
    (tmp_path / "test_them.py").write_text(
        "import pytest\nfrom only_for import only_for\n"
        "@only_for(lambda backend: backend.name != 'torch')\ndef test_it(backend): assert True\n"
    )

    def collected(backends):
        options = [f"--backends={backends}"] * (backends is not None)
        tests = Path(__file__).parent
        program = [sys.executable, "-m", "pytest", "-c", tests.parent / "pyproject.toml", "-p", "conftest", "-q"]
        ran = subprocess.run(
            [*program, "--collect-only", *options, tmp_path / "test_them.py"],
            capture_output=True,
            text=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join([str(tests), os.environ.get("PYTHONPATH", "")])},
        )
        return ran.stdout

    both, none = collected("numpy,torch"), collected("torch")
    assert "::test_it[numpy]" in both
    assert "test_it[torch]" not in both
    assert "1 test collected" in both
    assert "no tests collected" in none
