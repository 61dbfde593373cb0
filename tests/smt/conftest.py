"""An engine trained on the phrasebook, once for all tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.samples import phrasebook
from dragoman.smt import Engine, EngineRecipe
from dragoman.smt.training import train_engine


@pytest.fixture(scope="session")
def book() -> dict[str, list[str]]:
    return phrasebook()


@pytest.fixture(scope="session")
def bitext(book: dict[str, list[str]]) -> Bitext:
    return Bitext.from_lines(book["en"][:540], book["de"][:540], source_lang="en", target_lang="de")


@pytest.fixture(scope="session")
def dev(book: dict[str, list[str]]) -> TestSet:
    return TestSet(srcs=book["en"][540:], refs={"ref": book["de"][540:]})


@pytest.fixture(scope="session")
def model(bitext: Bitext, made_once: Callable[..., Path]) -> Path:
    def train(folder: Path) -> None:
        train_engine(bitext, EngineRecipe(), work=folder / "work", output=folder / "engine", n_threads=2)

    return made_once("phrasebook-engine", train) / "engine"


@pytest.fixture(scope="session")
def engine(model: Path) -> Engine:
    return Engine.load(model)
