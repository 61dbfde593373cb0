"""What earlier versions made opens today and answers as it did: models, databases, packages, archives, plug-ins.

The fixtures of a version are made once, by `python -m tests.upgrade.making`, and stay as they are.
"""

from __future__ import annotations

import json
import shutil
import tarfile
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest

from dragoman import __version__
from dragoman.store import Store
from dragoman.web import Settings, create_app
from tests.fuzz.kinds import kinds_of_artifacts
from tests.upgrade.asking import (
    HERE,
    VERSIONS,
    Step,
    agree,
    ask,
    expected,
    installed,
    python,
    restored,
    run,
    run_beside,
)
from tests.upgrade.making.office import PASSWORD
from tests.web.client import Client

# Kinds of models of which no version has a fixture, and why. One that is new has none before its version is released.
WITHOUT: dict[str, str] = {}
NEEDS = {"neural": "ctranslate2"}  # to be asked
LARGEST = 3_000_000  # bytes of a version's fixtures

Unpacked = Callable[[str, str], Path]


def steps_of(name: str) -> list[object]:
    """The recorded steps of every version, each a case with a name."""
    return [
        pytest.param(version, step, id=f"{version}-{step.get('model', step['run'].partition(' --db')[0])}")
        for version in VERSIONS
        for step in expected(version)[name]
    ]


def check(step: Step, found: object) -> None:
    assert agree(step["gives"], found), f"{step['run']}\nthen: {step['gives']}\nnow:  {found}"


@pytest.mark.parametrize(("version", "step"), steps_of("models"))
def test_models_answer_as_they_did(unpacked: Unpacked, version: str, step: Step) -> None:
    if (needed := NEEDS.get(step["model"])) and find_spec(needed) is None:
        pytest.skip(f"{needed} is not installed")
    check(step, ask(step["run"], unpacked(version, "models")))


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def opened(request: pytest.FixtureRequest, unpacked: Unpacked, tmp_path_factory: pytest.TempPathFactory) -> Opened:
    """`opened(version)`: the answers, a folder and the address of a database that was brought up to date."""
    known: dict[str, tuple[list[Step], Path, str]] = {}

    def database(version: str) -> tuple[list[Step], Path, str]:
        if version not in known:
            folder, name = tmp_path_factory.mktemp("office"), request.param
            if name == "sqlite":
                db = str(shutil.copy(unpacked(version, name) / "office.db", folder))
            else:
                db = restored(unpacked(version, name) / "office.sql", request.getfixturevalue("cluster"))
            run(["campaign", "migrate", "--db", db], folder)
            known[version] = expected(version)[name], folder, db
        return known[version]

    return database


Opened = Callable[[str], tuple[list[Step], Path, str]]
COMMANDS = {version: [step["run"] for step in expected(version)["sqlite"]] for version in VERSIONS}


@pytest.mark.parametrize(
    ("version", "number"),
    [
        pytest.param(version, number, id=f"{version}-{command.partition(' --db')[0]}")
        for version, commands in COMMANDS.items()
        for number, command in enumerate(commands)
    ],
)
def test_databases_answer_as_they_did(opened: Opened, version: str, number: int) -> None:
    steps, folder, db = opened(version)
    check(steps[number], ask(steps[number]["run"], folder, {"db": db}))


@pytest.mark.parametrize("version", VERSIONS)
def test_people_of_a_database_sign_in_and_find_their_work(opened: Opened, version: str) -> None:
    store = Store(opened(version)[2])
    app = create_app(store, Settings(requests_per_minute=10**6, desk_seconds=600))
    ada = Client(app)
    assert ada.post("/api/v1/session", json={"name": "ada", "password": PASSWORD}).status_code == 200
    work = ada.get("/api/v1/campaigns/sample-mqm/work").json()["items"]
    assert sum(each["done"] for each in work) == 3
    segments = ada.get("/api/v1/cat/projects/1/segments").json()["segments"]
    assert [each["target"] for each in segments][:3] == ["The dog sleeps.", "It does not rain today.", "We go home."]
    store.close()


@pytest.mark.parametrize("version", VERSIONS)
def test_files_answer_as_they_did(unpacked: Unpacked, version: str, tmp_path: Path) -> None:
    """One after the other: what a package or an archive brings is asked of the new database."""
    folder = shutil.copytree(unpacked(version, "files"), tmp_path / "files")
    for step in expected(version)["files"]:
        check(step, ask(step["run"], folder, {"db": str(folder / "new.db")}))


@pytest.mark.parametrize("version", VERSIONS)
def test_a_plugin_passes_unchanged(unpacked: Unpacked, version: str, tmp_path: Path) -> None:
    folder = shutil.copytree(unpacked(version, "plugin"), tmp_path / "plugin")
    site = installed(folder / "plugin")
    for step in expected(version)["plugin"]:
        check(step, ask(step["run"], folder, runs=partial(run_beside, site)))
    told = python(["-m", "pytest", "-q", "-p", "no:cacheprovider", "plugin/tests"], site, folder)
    assert "5 passed" in told


def kinds_of(version: str) -> Iterator[str]:
    """What the manifests in an archive of models say."""
    with tarfile.open(HERE / version / "models.tar.xz") as archive:
        for member in archive:
            if member.name.endswith("/manifest.json") and (stream := archive.extractfile(member)) is not None:
                yield json.load(stream)["kind"]


def test_every_kind_of_model_has_a_fixture() -> None:
    """A new kind gets a model in `making/models.toml`, and a reason here until its version is released."""
    made = {kind for version in VERSIONS for kind in kinds_of(version)}
    kinds = {kind: name for name, kind in kinds_of_artifacts().items()}
    assert len(kinds) >= 60
    lacking = {kinds[kind] for kind in kinds.keys() - made - WITHOUT.keys()}
    assert not lacking, f"no fixture and no reason: {', '.join(sorted(lacking))}"
    assert not WITHOUT.keys() & made


def test_fixtures_are_small_and_of_released_versions() -> None:
    assert "0.1.0" in VERSIONS
    for version in VERSIONS:
        assert sum(path.stat().st_size for path in (HERE / version).iterdir()) < LARGEST


def test_answers_agree_only_if_nothing_is_lost() -> None:
    assert agree([1, "a", 0.5], [1, "new", "a", 0.5 + 1e-9])
    assert not agree([1, "a", 0.5], [1, 0.5, "a"])
    assert not agree([1, 0.5], [1, 0.51])
    assert agree(["x 0.12345678912 y"], ["x 0.12345678913 y"])
    assert not agree(["x 0.1234"], ["x 0.1235"])
    assert not agree(["x 0.5 y"], ["x 0.5 z"])
    assert not agree(["x"], ["x", "y"])


@pytest.mark.slow
def test_fixtures_of_the_version_at_hand_can_be_made(tmp_path: Path) -> None:
    """What the next version will make: by the same command, in a process of its own."""
    python(["-m", "tests.upgrade.making", str(tmp_path / __version__)], HERE.parents[1], HERE.parents[1])
    assert {path.name for path in (tmp_path / __version__).iterdir()} >= {"expected.json", "models.tar.xz"}
