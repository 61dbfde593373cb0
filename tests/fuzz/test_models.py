"""Damaged models whose manifests were made right again: each is used, or is refused; none ends the process."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from dragoman.artifact import MANIFEST, read_manifest
from tests.conftest import ROOT
from tests.fuzz.apart import attempt_apart
from tests.fuzz.kinds import kinds_of_artifacts
from tests.fuzz.models import FAMILIES, Seed
from tests.fuzz.mutator import Trial, mutant, rounds
from tests.fuzz.sealing import reseal_above
from tests.fuzz.structure import restructured

# Kinds whose seeds are trained for other tests, too: a net takes seconds.
ELSEWHERE = {"neural engine": "tests/neural/test_damaged.py"}
Models = Callable[[str, bool], list["SavedModel"]]


@dataclass(frozen=True)
class SavedModel:
    """A seed's folder, and the files in it in an order of its own."""

    seed: Seed
    folder: Path
    files: tuple[Path, ...]


@dataclass(frozen=True)
class Damage:
    """One change to one file of a model: its bytes in even rounds, else one value."""

    model: SavedModel = field(repr=False)
    file: Path
    round_: int

    def __str__(self) -> str:
        return f"{self.model.seed.name}/{self.file}, round {self.round_}"

    def apply(self, folder: Path) -> None:
        """Make the damaged copy, with manifests that fit."""
        shutil.copytree(self.model.folder, folder)
        change = restructured if self.round_ % 2 else mutant
        content = change((folder / self.file).read_bytes(), f"{self.model.seed.name}/{self.file}", self.round_)
        (folder / self.file).write_bytes(content)
        reseal_above(folder / self.file, folder)


@pytest.fixture(scope="module")
def models(made_once: Callable[[str, Callable[[Path], object]], Path]) -> Models:
    """The saved models of a family."""

    def of(family: str, nightly: bool) -> list[SavedModel]:
        return [saved(seed) for seed in FAMILIES[family]() if nightly or not seed.nightly]

    def saved(seed: Seed) -> SavedModel:
        folder = made_once(f"fuzz-{seed.name}", lambda folder: seed.make(folder / "model")) / "model"
        files = seed.files(folder)
        random.Random(seed.name).shuffle(files)
        return SavedModel(seed, folder, tuple(files))

    return of


def damages(model: SavedModel, n: int) -> Iterator[Damage]:
    """So many changes, of bytes and of a value in one file after the other."""
    for round_ in rounds(n):
        yield Damage(model, model.files[round_ // 2 % len(model.files)], round_)


# Numbers of another size overflow, NumPy leaves a damaged archive open, and JAX has threads when a process is parted.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("n", [6, pytest.param(250, marks=pytest.mark.slow)])
@pytest.mark.parametrize("family", FAMILIES)
def test_damaged_models_are_used_or_refused(
    models: Models, family: str, n: int, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    trial, folder, cases = Trial(), tmp_path / "damaged", []
    damaged = models(family, n > 6 or "DRAGOMAN_FUZZ" in os.environ)
    for model in damaged:
        shutil.copytree(model.folder, folder)  # some that are used write into their folder
        model.seed.use(folder)
        shutil.rmtree(folder)
        cases += damages(model, n)

    def attempt(own: Trial, case: Damage) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        case.apply(folder)
        own.attempt(str(case), lambda: case.model.seed.use(folder))

    attempt_apart(trial, cases, attempt, tmp_path)
    for name, value in (("changes", len(cases)), ("models", len(damaged)), ("used", trial.n_read)):
        record_property(name, value)
    assert trial.n_read
    assert trial.n_refused
    trial.check()


def test_every_kind_of_model_is_damaged(models: Models) -> None:
    """A class that is saved as a folder has a seed in `tests/fuzz/models`; a new one needs a line there."""
    made = {
        read_manifest(model.folder).kind
        for family in FAMILIES
        for model in models(family, False)
        if (model.folder / MANIFEST).is_file()
    }
    kinds = {kind: name for name, kind in kinds_of_artifacts().items()}
    assert {"language model", "translation engine", "word quality model", *ELSEWHERE} <= kinds.keys()
    assert all((ROOT / path).is_file() for path in ELSEWHERE.values())
    lacking = {kinds[kind] for kind in kinds.keys() - made - ELSEWHERE.keys()}
    assert not lacking, f"no seed in tests/fuzz/models makes {', '.join(sorted(lacking))}"
    assert made <= kinds.keys()
