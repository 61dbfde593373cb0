"""The recipes of papers whose systems reorder: each is one, and its rungs change something."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.data.bitext import Bitext
from dragoman.smt.experiments.ladders import read_rungs

RECIPES = Path(__file__).parents[2] / "examples" / "recipes"


@pytest.mark.parametrize("name", ["kit-wmt09", "kit12", "w12-rwth", "w12-germ"])
def test_the_recipes_are_ladders(name: str) -> None:
    text = Bitext.from_lines(["a"], ["b"], source_lang="de", target_lang="en")
    rungs = read_rungs(RECIPES / f"{name}.toml", bitexts=[text])
    assert len(rungs) >= 3
    assert any(rung.trial.recipe.reorder for rung in rungs)
