"""Packages and bilingual files with a value changed and fitting check sums: each comes in whole, or is refused."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable

import pytest

from dragoman.cat import FILE_FORMATS, Package, PackageFile, PackageSegment
from dragoman.cat.packages import PackageJob, PackageMemory
from dragoman.cat.packing import give_jobs, unpack
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from tests.cat.files.samples import OPTIONS, SAMPLES, TMX, XLIFF
from tests.cat.test_packages import entries, packed
from tests.fuzz.markup import remarked
from tests.fuzz.mutator import Trial, rounds
from tests.fuzz.structure import restructured
from tests.fuzz.test_translation_files import read_and_fill

MARKUP = ("html", "tmx", "xliff", "xliff2")  # of which three hold both languages
TEXT = b"One. Two.\nThree.\n"


class _Undone(Exception):
    """What ends a transaction of which nothing is to stay."""


def project() -> Package:
    """A package with all it can have."""
    files = (PackageFile("a.xlf", XLIFF, "xliff"), PackageFile("sub/b.txt", TEXT, "text"))
    segments = (
        PackageSegment("a.xlf", "1/1", 0, 5, "Hello", "Hallo", "translated"),
        *(PackageSegment("sub/b.txt", *each) for each in (("1", 0, 4, "One."), ("1", 5, 9, "Two."))),
    )
    known = {(file.name, unit.key): unit for file in files for unit in file.units()}
    whole = [each for each in segments if (each.file, each.unit) in known]
    return Package(
        "Demo",
        "en",
        "de",
        files,
        tuple(whole),
        {"main": TMX, "other": TMX},
        {"terms": b"cat\tKatze\n"},
        {"mt_score": 70, "repetitions": "empty"},
        {"main": PackageMemory(5, True)},
        (PackageJob("ada", "translator", 1, 1),),
    )


def damaged_package(content: bytes, round_: int) -> bytes:
    """An entry of a package changed by what it holds; the manifest's check sums fit."""
    parts = entries(content)
    chance = random.Random(f"package {round_}")
    name = chance.choice(("manifest.json", "manifest.json", "segments.jsonl", "segments.jsonl", *sorted(parts)))
    change: Callable[[bytes, str, int], bytes] = remarked if name.endswith((".xlf", ".tmx")) else restructured
    parts[name] = change(parts[name], name, round_)
    if name != "manifest.json":
        manifest = json.loads(parts["manifest.json"])
        manifest["sha256"] = {each: hashlib.sha256(parts[each]).hexdigest() for each in manifest["sha256"]}
        parts["manifest.json"] = json.dumps(manifest).encode()
    return packed(parts)


def bring_in(light_store: Store, content: bytes) -> None:
    """Make a project of a package, fill its files, and leave nothing behind."""
    package = Package.from_bytes(content)
    try:
        with light_store.write() as connection:
            made = unpack(connection, package, actor=COMMAND_LINE)
            give_jobs(connection, made, package, actor=COMMAND_LINE)
            raise _Undone
    except _Undone:
        pass
    for file in package.files:
        package.translated(file.name)


@pytest.mark.parametrize("n", [150, pytest.param(4000, marks=pytest.mark.slow)])
def test_packages_with_a_changed_value(light_store: Store, n: int) -> None:
    whole, trial = project().to_bytes(), Trial()
    assert len(Package.from_bytes(whole).segments) == 3
    bring_in(light_store, whole)
    for round_ in rounds(n):
        damaged = damaged_package(whole, round_)
        trial.attempt(f"package, round {round_}", lambda damaged=damaged: bring_in(light_store, damaged))  # type: ignore[misc]
    assert trial.n_read
    assert trial.n_refused
    trial.check()


@pytest.mark.parametrize("n", [150, pytest.param(4000, marks=pytest.mark.slow)])
def test_bilingual_files_with_a_changed_element(n: int) -> None:
    trial = Trial()
    for name in MARKUP:
        form, content = FILE_FORMATS.make(OPTIONS.get(name, name)), SAMPLES[name]
        for round_ in rounds(n):
            damaged = remarked(content, name, round_)
            trial.attempt(f"{name}, round {round_}", lambda form=form, damaged=damaged: read_and_fill(form, damaged))  # type: ignore[misc]
    assert trial.n_read
    assert trial.n_refused
    trial.check()
