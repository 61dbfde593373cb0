"""The recipes after papers in `examples/recipes`: each is read, checked, plans its engines, and runs."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

import pytest

from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.errors import NotAvailable
from dragoman.files import iter_lines
from dragoman.reorder import ReorderRecipe, learn_order
from dragoman.smt import EngineRecipe
from dragoman.smt.experiments import climb_ladder, plan_ladder, read_rungs
from dragoman.syntax import Parser, ParserRecipe
from dragoman.text.conllu import read_conllu
from tests.qe.parsed import tiny_parser

FOLDER = Path(__file__).parents[2] / "examples" / "recipes"
RECIPES = sorted(path.stem for path in FOLDER.glob("*.toml"))
ORDERS = {  # what the recipes ask for: folder → languages, method, tags
    "de-en.short": ("de", "en", "short", "xpos"),
    "de-en.order": ("de", "en", "short+long", "xpos"),
    "de.clauses": ("de", "en", "clauses", "upos"),
    "de-en.tags": ("de", "en", "short+long", "upos"),
    "de-en.trees": ("de", "en", "short+long+tree", "upos"),
    "en-ja.order": ("en", "ja", "tree", "upos"),
}
PARSERS = {"de": "de_pud-ud-test", "en": "en_partut-ud-dev", "cs": "cs_cltt-ud-dev"}
PARTS = {"small-enja": ("train", "test"), "multi30k": ("train", "test_2016_flickr")}
N_PAIRS, N_TEST = 120, 3


def first_lines(data: Path, part: int, lang: str, target: str) -> list[str]:
    corpus = "small-enja" if target == "ja" else "multi30k"
    path = data / corpus / f"{PARTS[corpus][part]}.{lang}.gz"
    return list(islice(iter_lines(path), N_TEST if part else N_PAIRS))


@pytest.fixture(scope="session")
def models(data_folder: Path, made_once: Callable[..., Path]) -> Path:
    """The parsers and orders that the recipes name, learnt from next to nothing."""
    quick = ParserRecipe(runs=1, epochs=1, tag_epochs=1, folds=2, lemmas=True)

    def learn(folder: Path) -> None:
        for lang, name in PARSERS.items():
            sentences = list(islice(read_conllu(data_folder / "ud" / f"{name}.conllu.gz"), 80))
            quick.train(sentences).save(folder / f"parser-{lang}")
        for name, (source, target, method, tags) in ORDERS.items():
            srcs, tgts = (first_lines(data_folder, 0, lang, target) for lang in (source, target))
            parser = Parser.load(folder / f"parser-{source}")
            learn_order(srcs, tgts, recipe=ReorderRecipe(method=method, tags=tags), parser=parser, save=folder / name)

    return made_once("paper-recipes", learn)


@pytest.mark.realdata
@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_climbs_its_whole_ladder(
    name: str, models: Path, data_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(models)
    recipe = EngineRecipe.read(FOLDER / f"{name}.toml")
    source, target = recipe.source_lang, recipe.target_lang
    srcs, tgts = (first_lines(data_folder, 0, lang, target) for lang in (source, target))
    test = TestSet(
        srcs=first_lines(data_folder, 1, source, target), refs={"ref": first_lines(data_folder, 1, target, target)}
    )
    bitext = Bitext.from_lines(srcs, tgts, source_lang=source, target_lang=target)
    rungs = read_rungs(FOLDER / f"{name}.toml", bitexts=[bitext])
    ladder = climb_ladder(rungs, {"test": test}, work=tmp_path / "work")
    assert [rung.rung for rung in ladder.rungs] == [rung.trial.name for rung in rungs]
    assert all(0 < rung.chrf < 100 for rung in ladder.rungs)


@pytest.mark.parametrize("name", ["w12-cub", "sfu12", "upm12", "zeman12", "kit12-compounds"])
def test_a_recipe_plans_its_ladder(
    name: str, bitext: Bitext, dev: TestSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for lang in ("cs", "en"):
        tiny_parser(tmp_path / f"parser-{lang}")
    rungs = read_rungs(FOLDER / f"{name}.toml", bitexts=[bitext], dev=dev)
    assert len(rungs) > 1
    assert plan_ladder(rungs, dev, work=tmp_path / "work").tables()


def test_a_tagger_that_is_not_there_is_named_before_any_work(
    bitext: Bitext, dev: TestSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotAvailable, match=r"needs the parser parser-cs.*dragoman syntax parser train"):
        plan_ladder(read_rungs(FOLDER / "w12-cub.toml", bitexts=[bitext], dev=dev), dev, work=tmp_path)
