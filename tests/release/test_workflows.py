"""The workflows of GitHub run the scripts of .ci, with no more rights than they need."""

import os
import re
import subprocess

import pytest
import yaml
from extras import PROJECT, ROOT

SCRIPTS = {"build", "run", "site", "test_wheel", "versions"}
WORKFLOWS = {
    path.stem: yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)  # `on` is a word here, not "true"
    for path in sorted((ROOT / ".github" / "workflows").glob("*.yml"))
}
JOBS = {f"{name}/{job}": found for name, workflow in WORKFLOWS.items() for job, found in workflow["jobs"].items()}
STEPS = [step for job in JOBS.values() for step in job["steps"]]


def scripts_of(workflow):
    """The scripts of .ci that a workflow runs, by its jobs."""
    return {
        job: re.findall(r"\.ci/\w+(?: all)?", " ".join(step.get("run", "") for step in found["steps"]))
        for job, found in WORKFLOWS[workflow]["jobs"].items()
    }


def test_each_workflow_runs_the_scripts():
    built = [".ci/build", ".ci/test_wheel"]
    assert scripts_of("tests") == {"all": [".ci/run"], "versions": built, "bounds": [".ci/versions"]}
    assert scripts_of("docs") == {"build": [".ci/site"], "deploy": []}
    assert scripts_of("publish") == {"test": [".ci/run"], "build": [".ci/build", ".ci/test_wheel all"], "publish": []}
    assert set(WORKFLOWS) == {"tests", "docs", "publish"}


@pytest.mark.parametrize("name", sorted(SCRIPTS))
def test_a_script_is_one_of_bash_that_starts(name):
    path = ROOT / ".ci" / name
    assert os.access(path, os.X_OK)
    assert path.read_text(encoding="utf-8").startswith("#!/usr/bin/env bash\n")
    subprocess.run(["bash", "-n", str(path)], check=True)


def test_when_they_run():
    assert WORKFLOWS["tests"]["on"] == {"push": {"branches": ["main"]}, "pull_request": ""}
    assert WORKFLOWS["docs"]["on"] == {"push": {"branches": ["main"]}, "workflow_dispatch": ""}
    assert WORKFLOWS["publish"]["on"] == {"release": {"types": ["published"]}}


def test_their_rights():
    assert all(workflow["permissions"] == {"contents": "read"} for workflow in WORKFLOWS.values())
    more = {name: job["permissions"] for name, job in JOBS.items() if "permissions" in job}
    assert more == {
        "docs/deploy": {"pages": "write", "id-token": "write"},
        "publish/publish": {"id-token": "write"},
    }
    assert not re.search(r"\bsecrets\b|password|token:", str(STEPS))


def test_what_is_published_was_tested():
    job = JOBS["publish/publish"]
    assert set(job["needs"]) == {"test", "build"}
    assert job["environment"]["name"] == "pypi"
    assert all("run" not in step for step in job["steps"])  # nothing else has the right to publish


@pytest.mark.parametrize("name", JOBS)
def test_a_job_ends_and_its_actions_have_versions(name):
    assert 0 < int(JOBS[name]["timeout-minutes"]) <= 120
    for step in JOBS[name]["steps"]:
        assert re.fullmatch(r"[\w-]+/[\w-]+@(v\d+|release/v\d+)", step.get("uses", "any/action@v1"))


def test_the_versions_of_python_are_those_of_the_classifiers():
    told = re.findall(r"Python :: (3\.\d+)'", str(PROJECT["classifiers"]))
    assert JOBS["tests/versions"]["strategy"]["matrix"]["python"] == told
    assert PROJECT["requires-python"] == f">={told[0]}"
