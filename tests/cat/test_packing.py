"""Projects handed on: what a package takes along from the store, and what it brings into another."""

from __future__ import annotations

import gzip
from dataclasses import replace

import pytest

from dragoman.cat.packages import Package, PackageJob, PackageMemory
from dragoman.cat.packing import give_jobs, pack, unpack
from dragoman.cat.projects import export_file, import_file, new_project
from dragoman.errors import DataError
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.people.accounts import find_user
from dragoman.store.refusals import NotFound
from dragoman.store.translating.jobs import add_job, list_jobs
from dragoman.store.translating.memories import NewUnit, add_units, create_memory, find_memory, list_memories, units_of
from dragoman.store.translating.projects import Project, change_project, list_projects
from dragoman.store.translating.segments import list_files

TABLE = b"key,de,en\r\n1,Der Hund,\r\n2,Die Katze,\r\n"
UNITS = [NewUnit("Der \ue000Hund\ue001", "The \ue000dog\ue001", "", "Die Katze"), NewUnit("Ja & nein", "Yes & no")]


def make(store: Store) -> Project:
    """A project with a table whose columns were chosen, two memories, a term, two jobs."""
    with store.write() as connection:
        manager = find_user(connection, "the-manager")
        other = create_memory(connection, "old/stuff", "de", "en", owner=manager, actor=COMMAND_LINE)
        add_units(connection, other, UNITS, origin="a.tmx")
        choice = [{"name": "old/stuff", "penalty": 5, "writes": False}]
        project = new_project(connection, "Pets", "de", "en", actor=COMMAND_LINE, owner=manager, memories=choice)
        import_file(connection, project, "pets.csv", TABLE, actor=COMMAND_LINE)
        add_units(connection, find_memory(connection, "Pets"), UNITS[:1], origin="project Pets")
        add_job(connection, project.id, "ada", first=1, last=1, actor=COMMAND_LINE)
        add_job(connection, project.id, "ben", role="reviewer", actor=COMMAND_LINE)
        terms = [{"source": "Hund", "target": "dog", "status": "preferred", "note": ""}]
        settings = {"repetitions": "empty", "mt_score": 70}
        return change_project(connection, project.id, glossary=terms, settings=settings, actor=COMMAND_LINE)


def test_a_project_comes_back_whole(store: Store) -> None:
    project = make(store)
    with store.read() as connection:
        packed = pack(connection, project, whole=True)
        bare = pack(connection, project)
    assert (bare.memories, bare.uses, bare.jobs) == ({}, {}, ())
    assert packed.jobs == (PackageJob("ada", "translator", 1, 1), PackageJob("ben", "reviewer", 1, 2))
    assert packed.uses == {"Pets": PackageMemory(0, True), "old-stuff": PackageMemory(5, False)}
    package = Package.from_bytes(packed.to_bytes())
    assert package == packed
    with store.write() as connection:
        made = unpack(connection, package, actor=COMMAND_LINE, name="Again")
        assert give_jobs(connection, made, package, actor=COMMAND_LINE) == []
        assert [dict(each) for each in made.memories] == [
            {"name": "Again", "penalty": 0.0, "writes": True},
            {"name": "old-stuff", "penalty": 5.0, "writes": False},
        ]
        own, old = (list(units_of(connection, find_memory(connection, name))) for name in ("Again", "old-stuff"))
        kept = [(unit.source, unit.target, unit.previous, unit.next) for unit in old]
        assert kept == [(unit.source, unit.target, unit.previous, unit.next) for unit in UNITS]
        assert [unit.source for unit in own] == ["Der \ue000Hund\ue001"]
        assert (made.glossary, made.settings) == (project.glossary, project.settings)
        assert [job[1:5] for job in list_jobs(connection, made.id).jobs] == [
            ("ada", "translator", 1, 1),
            ("ben", "reviewer", 1, 2),
        ]
        (file,) = list_files(connection, made.id).files
        assert file[2] == list_files(connection, project.id).files[0][2] == "csv:source=de,target=en"
        assert export_file(connection, made, file[0]) == ("pets.csv", TABLE)


def test_names_that_are_taken_get_a_number_and_people_who_are_not_here_are_named(light_store: Store) -> None:
    project = make(light_store)
    with light_store.write() as connection:
        package = pack(connection, project, whole=True)
        package = replace(package, jobs=(*package.jobs, PackageJob("nobody", "translator", 1, 1)))
        for name, names in (("B", ["B", "old-stuff"]), ("C", ["C", "old-stuff 2"])):
            made = unpack(connection, package, actor=COMMAND_LINE, name=name)
            assert [each["name"] for each in made.memories] == names
            assert give_jobs(connection, made, package, actor=COMMAND_LINE) == ["nobody"]


def test_private_memories_of_others_stay_at_home(light_store: Store) -> None:
    project = make(light_store)
    with light_store.read() as connection:
        package = pack(connection, project, whole=True, user=find_user(connection, "ada"))
    assert package.memories == {}


@pytest.mark.parametrize(
    ("memory", "message"),
    [
        (gzip.compress(b"<tmx/>", mtime=0), "memory.tmx is packed; send it unpacked"),
        (b"<tmx><body><tu>", "memory.tmx:1"),
        (b'<!DOCTYPE tmx [<!ENTITY a "aaaa">]><tmx version="1.4"><body/></tmx>', "declares an entity 'a'"),
    ],
)
def test_a_package_with_a_wrong_memory_leaves_nothing(light_store: Store, memory: bytes, message: str) -> None:
    package = Package("Bad", "de", "en", (), (), {"m": memory})
    with pytest.raises(DataError, match=message) as raised, light_store.write() as connection:
        unpack(connection, package, actor=COMMAND_LINE)
    assert "/tmp" not in str(raised.value)
    with light_store.read() as connection:
        assert list_projects(connection).projects == ()
        assert list_memories(connection).memories == ()
        with pytest.raises(NotFound):
            find_memory(connection, "m")


def test_jobs_that_no_project_can_have_are_refused(light_store: Store) -> None:
    project = make(light_store)
    with light_store.write() as connection:
        package = pack(connection, project, whole=True)
        made = unpack(connection, package, actor=COMMAND_LINE, name="D")
        for job in (PackageJob("ada", "king", 1, 1), PackageJob("ada", "translator", 1, 99)):
            with pytest.raises(DataError):
                give_jobs(connection, made, replace(package, jobs=(job,)), actor=COMMAND_LINE)
