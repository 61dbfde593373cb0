"""Damaged models whose manifests were made right again: each loads, or is refused; none leads out of its arrays."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.fuzz.models import SavedModel, saved_models
from tests.fuzz.mutator import Trial, mutant, rounds
from tests.fuzz.sealing import reseal


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> list[SavedModel]:
    return list(saved_models(tmp_path_factory.mktemp("models")))


# Numbers of another size overflow, and NumPy leaves a damaged archive open.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("n", [4, pytest.param(100, marks=pytest.mark.slow)])
def test_damaged_models_are_used_or_refused(models: list[SavedModel], tmp_path: Path, n: int) -> None:
    trial = Trial()
    for model in models:
        model.use(model.folder)
        for file in model.files():
            folder = tmp_path / "damaged"
            name = file.relative_to(model.folder)
            for round_ in rounds(n):
                shutil.copytree(model.folder, folder)
                what = f"{model.name}/{name}, round {round_}"
                (folder / name).write_bytes(mutant(file.read_bytes(), f"{model.name}/{name}", round_))
                reseal(folder)
                (tmp_path / "now").write_text(what)  # what to look at after a crash
                trial.attempt(what, lambda: model.use(folder))  # noqa: B023 - called at once
                shutil.rmtree(folder)
    assert trial.n_read
    assert trial.n_refused
    trial.check()
