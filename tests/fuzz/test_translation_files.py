"""Damaged files for translation: each is read and filled, or refused with an error of Dragoman's."""

from __future__ import annotations

import pytest

from dragoman.cat import FILE_FORMATS, FileFormat, Package, PackageFile, PackageSegment, Target, default_srx, read_srx
from tests.cat.files.samples import DOCX_PARTS, OPTIONS, SAMPLES, TMX, XLIFF, zipped
from tests.fuzz.mutator import Trial, mutant, rounds


def read_and_fill(form: FileFormat, content: bytes) -> None:
    units = [unit for unit in form.units(content) if unit.translate]
    if form.fill(content, {}) != content:
        raise AssertionError("bytes moved without a target")
    filled = form.fill(content, {unit.key: Target(f"x{unit.source}") for unit in units}, langs=("en", "de"))
    form.units(filled)


@pytest.mark.parametrize("n", [8, pytest.param(1000, marks=pytest.mark.slow)])
def test_damaged_files_are_read_or_refused(n: int) -> None:
    trial = Trial()
    for name, content in SAMPLES.items():
        form = FILE_FORMATS.make(OPTIONS.get(name, name))
        for round_ in rounds(n):
            damaged = mutant(content, name, round_)
            trial.attempt(f"{name}, round {round_}", lambda form=form, damaged=damaged: read_and_fill(form, damaged))  # type: ignore[misc]
    assert trial.n_read
    assert trial.n_refused
    trial.check()


@pytest.mark.parametrize("n", [20, pytest.param(1000, marks=pytest.mark.slow)])
def test_damaged_parts_of_documents_packages_and_rules(n: int) -> None:
    trial = Trial()
    docx = FILE_FORMATS.make("docx")
    body = DOCX_PARTS["word/document.xml"].encode()
    rules = default_srx().to_bytes()[-3000:]
    segment = PackageSegment("a.xlf", "1/1", 0, 5, "Hello", "Hallo", "translated")
    package = Package("a", "en", "de", (PackageFile("a.xlf", XLIFF, "xliff"),), (segment,), {"m": TMX}).to_bytes()
    for round_ in rounds(n):
        damaged = mutant(body, "body", round_).decode("utf-8", "replace")
        content = zipped({**DOCX_PARTS, "word/document.xml": damaged})
        trial.attempt(f"docx, round {round_}", lambda content=content: read_and_fill(docx, content))  # type: ignore[misc]
        trial.attempt(f"srx, round {round_}", lambda: read_srx(mutant(rules, "srx", round_)))  # noqa: B023
        trial.attempt(f"package, round {round_}", lambda: Package.from_bytes(mutant(package, "package", round_)))  # noqa: B023
    trial.check()
