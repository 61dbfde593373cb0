"""The recipes after papers in `examples/recipes`: each is read, checked, and plans its engines."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.errors import NotAvailable
from dragoman.smt.experiments import plan_ladder, read_rungs
from tests.qe.parsed import tiny_parser

FOLDER = Path(__file__).parents[2] / "examples" / "recipes"
RECIPES = ("w12-cub", "sfu12", "upm12", "zeman12", "kit12-compounds")


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_plans_its_ladder(
    name: str, bitext: Bitext, dev: TestSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    tiny_parser(tmp_path / "parser-cs")
    rungs = read_rungs(FOLDER / f"{name}.toml", bitexts=[bitext], dev=dev)
    assert len(rungs) > 1
    assert plan_ladder(rungs, dev, work=tmp_path / "work").tables()


def test_a_tagger_that_is_not_there_is_named_before_any_work(
    bitext: Bitext, dev: TestSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotAvailable, match=r"needs the parser parser-cs.*dragoman syntax parser train"):
        plan_ladder(read_rungs(FOLDER / "w12-cub.toml", bitexts=[bitext], dev=dev), dev, work=tmp_path)
