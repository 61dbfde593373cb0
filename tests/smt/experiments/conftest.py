"""The phrasebook as an experiment's data, with a recipe that trains in no time."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.files import write_lines
from dragoman.samples import phrasebook
from dragoman.smt import EngineRecipe
from dragoman.smt.recipe import changed

SMALL = ["classes.number=0", "search.pop_limit=30", "tune.method=none", "lm.order=3", "phrases.longest=4"]
TRAINED, TESTED = slice(0, 400), slice(400, 460)


@pytest.fixture(scope="session")
def small() -> EngineRecipe:
    return changed(EngineRecipe(source_lang="de", target_lang="en"), SMALL)


@pytest.fixture(scope="session")
def text() -> Bitext:
    book = phrasebook()
    return Bitext.from_lines(book["de"][TRAINED], book["en"][TRAINED], source_lang="de", target_lang="en")


@pytest.fixture(scope="session")
def test_text() -> TestSet:
    book = phrasebook()
    return TestSet(srcs=book["de"][TESTED], refs={"ref": book["en"][TESTED]})


@pytest.fixture(scope="session")
def folder(made_once: Callable[..., Path]) -> Path:
    """Files NAME.LANG of the phrasebook, and a work directory that the tests share."""

    def write(folder: Path) -> None:
        for lang, lines in phrasebook().items():
            write_lines(folder / f"train.{lang}", lines[TRAINED])
            write_lines(folder / f"test.{lang}", lines[TESTED])

    return made_once("experiments", write)
