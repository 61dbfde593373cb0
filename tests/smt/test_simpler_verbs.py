"""Engines whose target verbs have no person and number until they are inflected in the output."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.data.bitext import Bitext
from dragoman.errors import DataError
from dragoman.samples import sample_path
from dragoman.smt import Engine, EngineRecipe
from dragoman.smt.recipe import changed
from dragoman.smt.training import train_engine
from dragoman.syntax.parser import ParserRecipe
from dragoman.text.conllu import read_conllu

PLAIN = ["tune.method=none", "classes.number=0", "features=", "align.method=diagonal", "lm.order=3"]


@pytest.fixture(scope="module")
def parser(tmp_path_factory: pytest.TempPathFactory) -> Path:
    recipe = ParserRecipe(lemmas=True, epochs=2, runs=1, folds=2)
    return recipe.train(read_conllu(sample_path("treebank.es.conllu"))).save(tmp_path_factory.mktemp("es") / "parser")


def recipe(*settings: str) -> EngineRecipe:
    return changed(EngineRecipe(source_lang="en", target_lang="es"), [*PLAIN, *settings])


def test_w12_upc_verbs_are_made_simpler_translated_and_inflected(parser: Path, tmp_path: Path) -> None:
    targets = [" ".join(word.form for word in each.words) for each in read_conllu(sample_path("treebank.es.conllu"))]
    text = Bitext.from_lines(targets, targets, source_lang="en", target_lang="es")  # "English" that is the Spanish
    asked = recipe(f"verbs.parser={parser}", "verbs.epochs=3", "text.truecase=no")
    engine = train_engine(text, asked, work=tmp_path / "work", output=tmp_path / "engine").engine
    simple = [word for word in engine.models.target.words() if word.startswith(("VERB|", "AUX|"))]
    assert simple
    assert not any("Person=" in word or "Number=" in word for word in simple)
    output = engine.translate(targets)
    assert not any("[" in line for line in output)
    assert Engine.load(tmp_path / "engine").translate(targets) == output
    # What is made simpler and inflected again has its words back, but for verbs whose person is guessed wrong.
    splitter = engine.target.splitter
    tokens = engine.target.tokenise(targets)
    cut = splitter.cut(tokens)
    assert cut != tokens
    pairs = zip(" ".join(splitter.join(cut)).split(), " ".join(tokens).split(), strict=True)
    n_wrong = sum(a != b for a, b in pairs)
    assert n_wrong < 0.2 * sum(word in simple for line in cut for word in line.split())


def test_what_verbs_need_is_named(parser: Path, tmp_path: Path) -> None:
    text = Bitext.from_lines(["a"], ["b"], source_lang="en", target_lang="es")
    with pytest.raises(DataError, match="There is no parser nowhere"):
        train_engine(text, recipe("verbs.parser=nowhere"), work=tmp_path)
    bare = ParserRecipe(epochs=1, runs=1, folds=2).train(read_conllu(sample_path("treebank.es.conllu")))
    bare.save(tmp_path / "bare")
    with pytest.raises(DataError, match="has learnt no lemmas"):
        train_engine(text, recipe(f"verbs.parser={tmp_path / 'bare'}"), work=tmp_path / "work")
    with pytest.raises(DataError, match=r"Factors are of whole words.*leave out \[verbs\]"):
        recipe("factors.setup=tF-FaL", "factors.target=L=snowball:lang=es", f"verbs.parser={parser}")
