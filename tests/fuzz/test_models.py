"""Damaged models whose manifests were made right again: each loads, or is refused; none leads out of its arrays."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dragoman.artifact import MANIFEST
from tests.fuzz.models import SavedModel, saved_models
from tests.fuzz.mutator import Trial, mutant, rounds
from tests.fuzz.sealing import reseal
from tests.fuzz.structure import restructured


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> list[SavedModel]:
    return list(saved_models(tmp_path_factory.mktemp("models")))


def damage(model: SavedModel, name: Path, content: bytes, round_: int, folder: Path) -> None:
    """A copy of a model with one file damaged, and manifests that fit: its bytes in even rounds, else one value."""
    shutil.copytree(model.folder, folder)
    change = restructured if round_ % 2 else mutant
    (folder / name).write_bytes(change(content, f"{model.name}/{name}", round_))
    if name.name != MANIFEST:
        reseal(folder)


# Numbers of another size overflow, and NumPy leaves a damaged archive open.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("n", [2, pytest.param(100, marks=pytest.mark.slow)])
def test_damaged_models_are_used_or_refused(models: list[SavedModel], tmp_path: Path, n: int) -> None:
    trial = Trial()
    for model in models:
        model.use(copied(model, tmp_path / "whole"))
        for file in model.files():
            folder = tmp_path / "damaged"
            name = file.relative_to(model.folder)
            for round_ in rounds(n):
                damage(model, name, file.read_bytes(), round_, folder)
                what = f"{model.name}/{name}, round {round_}"
                (tmp_path / "now").write_text(what)  # what to look at after a crash
                trial.attempt(what, lambda: model.use(folder))  # noqa: B023 - called at once
                shutil.rmtree(folder)
    assert trial.n_read
    assert trial.n_refused
    trial.check()


def copied(model: SavedModel, folder: Path) -> Path:
    """A copy of a model, since some that are used write into their folder."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(model.folder, folder)
    return folder
