"""The Dockerfile and the compose file: clean, agreeing with the package, and their steps run where no Docker is."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import tomllib
import urllib.request
from pathlib import Path
from typing import Any

import pytest
import yaml

from dragoman import __version__
from dragoman.cli.serve import serve
from tests.conftest import ROOT
from tests.docs.test_examples import check_dragoman
from tests.packaging.dockerfile import instructions, problems
from tests.packaging.environments import Environment

DOCKERFILE = (ROOT / "Dockerfile").read_text(encoding="utf-8")
STEPS = instructions(DOCKERFILE)


@pytest.fixture(scope="module")
def compose() -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text(encoding="utf-8"))
    return loaded


def test_the_dockerfile_is_clean() -> None:
    assert problems(DOCKERFILE, ROOT) == []


def test_the_lint_finds_what_is_wrong() -> None:
    wrong = "FROM python\nCOPY nothing here\nRUN apt-get install g++\nRUN pip install x\nCMD dragoman serve\n"
    told = "\n".join(problems(wrong, ROOT))
    for said in (
        "1: the image has no version",
        "2: nothing is not there",
        "3: apt-get without --no-install",
        "as root",
    ):
        assert said in told
    for said in ("4: pip without --no-cache-dir", "5: CMD starts a shell", "there is no HEALTHCHECK"):
        assert said in told


def test_what_is_copied_is_not_ignored_and_nothing_else_is_sent() -> None:
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    sent = {line.removeprefix("!") for line in lines if line.startswith("!")}
    copied = {
        name for each in STEPS if each.word == "COPY" and "--from" not in each.text for name in each.text.split()[:-1]
    }
    assert lines[0] == "*"
    assert sent == copied


def test_the_extras_exist_and_both_stages_agree() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    named = [each.text.split("[")[1].split("]")[0].split(",") for each in STEPS if each.text.startswith("pip ")]
    assert len(named) == 2
    assert named[0] == named[1]
    assert set(named[0]) <= set(extras)


def test_services_are_pinned_and_wait_for_each_other(compose: dict[str, Any]) -> None:
    services = compose["services"]
    assert services["server"]["image"] == f"dragoman:{__version__}"
    assert services["database"]["image"].startswith("postgres:16")
    assert services["server"]["depends_on"]["database"]["condition"] == "service_healthy"
    assert "healthcheck" in services["database"]
    kept = {volume.partition(":")[0] for volume in services["database"]["volumes"]}
    assert kept <= set(compose["volumes"])
    assert all(port.startswith("127.0.0.1:") for port in services["server"]["ports"])  # the world comes by a proxy
    assert "database" in services["server"]["environment"]["DRAGOMAN_DB"]


def test_no_password_is_written_down(compose: dict[str, Any]) -> None:
    for service in compose["services"].values():
        for name, value in service.get("environment", {}).items():
            assert "PASSWORD" not in name or value.startswith("${POSTGRES_PASSWORD:?"), name


def test_the_commands_are_ours(compose: dict[str, Any]) -> None:
    (entry,) = [each.words() for each in STEPS if each.word == "ENTRYPOINT"]
    (default,) = [each.words() for each in STEPS if each.word == "CMD"]
    assert entry == ["dragoman"]
    check_dragoman(default)
    check_dragoman([word.partition(":-")[2].rstrip("}") or word for word in compose["services"]["server"]["command"]])


@pytest.mark.slow
def test_the_steps_run_without_docker(tmp_path: Path) -> None:
    """Both `pip` steps, the second without a compiler; then the server, asked by the health check."""
    wheel, install = (each.text for each in STEPS if each.text.startswith("pip "))
    environment = Environment(tmp_path / "env")
    wheels = tmp_path / "wheels"
    offline = "--no-deps --no-build-isolation --quiet"  # what others wrote is here already
    environment.build([*shlex.split(wheel.replace("/wheels", str(wheels)))[1:], *offline.split()])
    environment.install(*shlex.split(install.replace("/wheels", str(wheels)))[2:])
    (default,) = [each.words() for each in STEPS if each.word == "CMD"]
    command = [*default, "--port", "0", "--json"]
    words = [str(environment.bin / "dragoman"), *(word.replace("0.0.0.0", "127.0.0.1") for word in command)]
    with subprocess.Popen(
        words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment.variables
    ) as server:
        try:
            assert server.stdout is not None
            opening = json.loads(server.stdout.readline())["rows"][0]
            (check,) = [each.text.partition(" CMD ")[2] for each in STEPS if each.word == "HEALTHCHECK"]
            code = json.loads(check)[2].replace("http://127.0.0.1:8000", opening["address"])
            done = _tried(environment, code)
            assert done.returncode == 0, done.stderr
            with urllib.request.urlopen(f"{opening['address']}/health") as answer:
                assert json.load(answer)["version"] == __version__
        finally:
            server.terminate()


def _tried(environment: Environment, code: str) -> subprocess.CompletedProcess[str]:
    """The check as Docker repeats it until the server is there."""
    command = [
        str(environment.bin / "python"),
        "-c",
        f"import time\nfor _ in range(100):\n try: {code}; break\n"
        " except OSError: time.sleep(0.3)\nelse: raise SystemExit('unhealthy')",
    ]
    return subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "PATH": ""})


def test_addresses_behind_a_proxy_come_from_the_environment(compose: dict[str, Any]) -> None:
    environment = compose["services"]["server"]["environment"]
    assert {"DRAGOMAN_URL", "DRAGOMAN_PROXIES"} <= set(environment)
    options = {each.name: each for each in serve.params}
    assert options["proxies"].envvar == "DRAGOMAN_PROXIES"
    assert options["url"].envvar == "DRAGOMAN_URL"
    words = ["serve", "--host", "0.0.0.0"]
    context = serve.make_context("serve", words[1:])
    assert context.params["proxies"] == ""


def test_proxies_of_the_environment_reach_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRAGOMAN_PROXIES", "172.16.0.0/12")
    monkeypatch.setenv("DRAGOMAN_URL", "https://judge.example.org")
    given = serve.make_context("serve", []).params
    assert (given["proxies"], given["url"]) == ("172.16.0.0/12", "https://judge.example.org")
    assert serve.make_context("serve", ["--proxies", "10.0.0.1"]).params["proxies"] == "10.0.0.1"
