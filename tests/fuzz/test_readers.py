"""Damaged files in every reader: each is read, or refused with an error of Dragoman's."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.data import FORMATS
from tests.fuzz.mutator import Trial, mutant, rounds
from tests.fuzz.seeds import Seed, seeds

FOLDERS = {"hmeant", "mtme", "testset-lines", "bitext-lines"}  # several files in a folder or side by side


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> list[Seed]:
    return seeds(tmp_path_factory.mktemp("seeds"))


def read_mutants(seed: Seed, folder: Path, trial: Trial, n: int) -> None:
    for name, content in seed.files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(content)
    first = folder / next(iter(seed.files))
    for round_ in rounds(n):
        first.write_bytes(mutant(seed.files[first.name], seed.name, round_))
        trial.attempt(f"{seed.name}, round {round_}", lambda: seed.read(first))


def test_every_format_has_a_seed(whole: list[Seed]) -> None:
    assert set(FORMATS.names()) - {seed.name for seed in whole} <= FOLDERS


def test_whole_files_are_read(whole: list[Seed], tmp_path: Path) -> None:
    for seed in whole:
        folder = tmp_path / seed.name
        for name, content in seed.files.items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(content)
        seed.read(folder / next(iter(seed.files)))


@pytest.mark.parametrize("n", [15, pytest.param(1000, marks=pytest.mark.slow)])
def test_damaged_files_are_read_or_refused(whole: list[Seed], tmp_path: Path, n: int) -> None:
    trial = Trial()
    for seed in whole:
        folder = tmp_path / seed.name
        folder.mkdir()
        read_mutants(seed, folder, trial, n)
    assert trial.n_read
    assert trial.n_refused
    trial.check()
