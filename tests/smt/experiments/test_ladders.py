"""Ladders that users write."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.errors import DataError, FormatError
from dragoman.smt import EngineRecipe
from dragoman.smt.experiments import climb_ladder, plan_ladder, read_rungs
from dragoman.smt.training import train_engine

LADDER = """
source_lang = "de"
target_lang = "en"
[tune]
method = "none"
[classes]
number = 0
[phrases]
longest = 1
[search]
pop_limit = 30

[[rung]]
name = "+ longer phrases"
[rung.phrases]
longest = 4

[[rung]]
name = "+ bilingual model"
[[rung.models]]
name = "pairs"
kind = "bilingual"
order = 3

[[rung]]
name = "in order"
base = "+ longer phrases"
[rung.search]
distortion_limit = 0
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "ladder.toml"
    path.write_text(LADDER, encoding="utf-8")
    return path


def test_rungs_change_the_one_above_or_their_base(file: Path, text: Bitext) -> None:
    rungs = read_rungs(file, bitexts=[text])
    recipes = {rung.trial.name: rung.trial.recipe for rung in rungs}
    assert list(recipes) == ["baseline", "+ longer phrases", "+ bilingual model", "in order"]
    assert [recipe.phrases.longest for recipe in recipes.values()] == [1, 4, 4, 4]
    assert [len(recipe.models) for recipe in recipes.values()] == [0, 0, 1, 0]
    assert [rung.base for rung in rungs] == [None, None, None, "+ longer phrases"]
    assert recipes["in order"].search.distortion_limit == 0
    assert recipes["in order"].search.pop_limit == 30


def test_a_ladder_says_what_each_rung_adds_and_does_nothing_twice(
    file: Path, text: Bitext, test_text: TestSet, tmp_path: Path
) -> None:
    rungs = read_rungs(file, bitexts=[text])
    work = tmp_path / "work"
    plan = plan_ladder(rungs, test_text, work=work)
    assert [row[4] for row in plan.rows] == ["to do"] * 4
    assert plan.rows[0][3] == 0
    assert plan.rows[1][3] == plan.rows[1][1] - 1  # but for the phrases, all is shared
    ladder = climb_ladder(rungs, {"test": test_text}, work=work)
    scores = {rung.rung: rung.bleu for rung in ladder.rungs}
    assert ladder.rungs[0].delta is None
    assert ladder.rungs[1].delta == pytest.approx(scores["+ longer phrases"] - scores["baseline"], abs=1e-9)
    assert ladder.rungs[3].delta == pytest.approx(scores["in order"] - scores["+ longer phrases"], abs=1e-9)
    assert [column.name for column in ladder.tables()[0].columns][-1] == "base"
    assert [row[4] for row in plan_ladder(rungs, test_text, work=work).rows] == ["done"] * 4
    engine = train_engine(text, rungs[1].trial.recipe, work=tmp_path / "elsewhere").engine
    assert test_text.srcs is not None
    alone = engine.translate(test_text.srcs)
    (files,) = [
        path for path in work.glob("translation-*/translation.txt") if path.read_text("utf-8").splitlines() == alone
    ]
    files.write_text("damaged\n" * (len(alone) - 1), encoding="utf-8")
    assert climb_ladder(rungs, {"test": test_text}, work=work).rungs == ladder.rungs  # made again


@pytest.mark.parametrize(
    ("text_of_rungs", "message"),
    [
        ("", "needs rungs"),
        ("[rung]\nname = 'x'", "two brackets"),
        ("[[rung]]\n[rung.phrases]\nlongest = 4", "needs a name"),
        ("[[rung]]\nname = 'x'", "nothing is changed"),
        (
            "[[rung]]\nname = 'x'\nbase = 'y'\n[rung.phrases]\nlongest = 4",
            "no rung above is called 'y'. Known: baseline",
        ),
        ("[[rung]]\nname = 'baseline'\n[rung.phrases]\nlongest = 4", "name of a rung above"),
        ("[[rung]]\nname = 'x'\n[rung.phrases]\nlongset = 4", r"\[\[rung\]\] 1: .*longset"),
        ("[[rung]]\nname = 'x'\n[rung.fhrases]\nlongest = 4", r"\[\[rung\]\] 1: .*fhrases"),
        ("[[rung]]\nname = 'x'\ncorpus = 3", "two brackets"),
    ],
)
def test_a_wrong_ladder_is_named(text_of_rungs: str, message: str, tmp_path: Path, text: Bitext) -> None:
    path = tmp_path / "ladder.toml"
    path.write_text(text_of_rungs, encoding="utf-8")
    with pytest.raises(FormatError, match=message):
        read_rungs(path, bitexts=[text])


def test_a_rung_may_bring_text(file: Path, folder: Path) -> None:
    path = folder / "with-text.toml"
    corpus = "[[rung]]\nname = '+ text'\n[[rung.corpus]]\nsrc = 'test.de'\ntgt = 'test.en'\n"
    path.write_text(f"{LADDER}{corpus}[[corpus]]\nsrc = 'train.de'\ntgt = 'train.en'\n", encoding="utf-8")
    rungs = read_rungs(path)
    assert [len(rung.trial.text.bitexts) for rung in rungs] == [1, 1, 1, 1, 2]
    path.write_text(LADDER, encoding="utf-8")
    with pytest.raises(DataError, match="no sentence pairs to train on"):
        read_rungs(path, recipe=EngineRecipe.read(path))
