"""Files for hosted services and editors: they parse, and what they name exists."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.conftest import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TARGETS = set(re.findall(r"^([\w$()./-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.MULTILINE))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def loaded(path: Path) -> dict[str, Any]:
    document: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return document


def commands(script: str) -> list[list[str]]:
    """The words of each command of a line of shell."""
    plain = re.sub(r"\$\{\{.*?\}\}", "", script)
    return [shlex.split(part) for part in re.split(r"&&|\|\||;|\n", plain) if part.strip()]


def check_commands(script: str) -> None:
    """Targets of `make` are those of the Makefile, scripts that are run exist."""
    for program, *words in commands(script):
        if program == "make":
            named = [word for word in words if "=" not in word and not word.startswith("-")]
            assert {word.replace(".venv", "$(VENV)") for word in named} <= TARGETS, script
        elif program in ("bash", ".venv/bin/python"):
            assert (ROOT / words[0]).is_file(), script


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflows_are_whole(path: Path) -> None:
    workflow = loaded(path)
    assert workflow["name"] == path.stem
    assert True in workflow  # `on`, as YAML reads it
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        assert job["timeout-minutes"] <= 360
        for step in job["steps"]:
            assert ("uses" in step) != ("run" in step)
            if "uses" in step:
                assert re.fullmatch(r"actions/[\w-]+@v\d+", step["uses"])
            else:
                check_commands(step["run"])
        text = json.dumps(job)
        matrix = job.get("strategy", {}).get("matrix", {})
        assert set(re.findall(r"\$\{\{ matrix\.(\w+) \}\}", text)) == set(matrix) - {"include", "exclude"}


def test_scripts_are_tested_file_by_file() -> None:
    """Node takes a folder for a module from version 22 on."""
    script = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))["scripts"]["test"]
    assert script == "node --test tests/js/*.test.mjs"
    assert f"`{script}`" in (ROOT / "docs" / "first-hour.md").read_text(encoding="utf-8")
    assert len(list(ROOT.glob(script.rpartition(" ")[2]))) >= 10


def test_every_python_of_the_package_is_tried() -> None:
    declared = {each.rpartition(" ")[2] for each in PROJECT["classifiers"] if re.search(r":: 3\.\d+$", each)}
    jobs = loaded(ROOT / ".github" / "workflows" / "check.yml")["jobs"]
    assert set(jobs["pythons"]["strategy"]["matrix"]["python"]) == declared
    steps = loaded(ROOT / ".github" / "workflows" / "nightly.yml")["jobs"]["parts"]["steps"]
    (installed,) = [step["with"]["python-version"] for step in steps if "setup-python" in step.get("uses", "")]
    assert set(installed.split()) == declared  # each of them builds a wheel


def test_every_part_of_the_nightly_run_is_hosted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    spec = importlib.util.spec_from_file_location("hosted_nightly", ROOT / "tools" / "nightly.py")
    assert spec is not None
    assert spec.loader is not None
    nightly = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "hosted_nightly", nightly)
    spec.loader.exec_module(nightly)
    hosted = loaded(ROOT / ".github" / "workflows" / "nightly.yml")["jobs"]["parts"]["strategy"]["matrix"]["part"]
    names = [part.name for part in nightly.parts()]
    assert [name for name in names if not name.startswith(tuple(hosted))] == []
    assert [part for part in hosted if not any(name.startswith(part) for name in names)] == []


def test_templates_have_a_name_and_a_purpose() -> None:
    for path in sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.md")):
        _, head, body = path.read_text(encoding="utf-8").split("---\n", 2)
        assert set(yaml.safe_load(head)) == {"name", "about"}, path
        assert body.strip(), path


def test_the_development_container_has_what_the_checks_need() -> None:
    container = json.loads((ROOT / ".devcontainer" / "devcontainer.json").read_text(encoding="utf-8"))
    oldest = PROJECT["requires-python"].removeprefix(">=")
    assert re.fullmatch(rf"mcr\.microsoft\.com/devcontainers/python:{re.escape(oldest)}-\w+", container["image"])
    command = container["postCreateCommand"]
    check_commands(command)
    for package in ("g++", "make", "chromium", "postgresql"):
        assert re.search(rf"\b{re.escape(package)}(?= )", command), package


def test_hooks_are_local_and_their_tools_are_those_of_the_tests() -> None:
    (local,) = loaded(ROOT / ".pre-commit-config.yaml")["repos"]
    assert local["repo"] == "local"
    required = {re.split(r"[<>=\[]", line)[0] for line in PROJECT["optional-dependencies"]["test"]} | {"python"}
    for hook in local["hooks"]:
        program = Path(hook["entry"].split()[0])
        assert program.parent == Path(".venv/bin")
        assert program.name in required
        assert hook["language"] == "system"
