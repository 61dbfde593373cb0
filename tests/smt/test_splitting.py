"""Engines whose words are in pieces: compounds as parts, words as morphemes, whole again in the output."""

from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.parts import InProcess
from dragoman.smt import Engine, EngineRecipe
from dragoman.smt.pairs import TokenisedPairs, load_pairs, save_pairs
from dragoman.smt.recipe import changed
from dragoman.smt.splitting import Splitter
from dragoman.smt.training import train_engine
from dragoman.smt.training_pieces import learn_compounds, split_pairs
from dragoman.smt.training_plan import plan_training
from dragoman.text.compounds import MARK, CompoundRecipe
from dragoman.text.morphemes import MorphemeRecipe

PLAIN = ["tune.method=none", "classes.number=0", "features=", "align.method=diagonal"]


def recipe(*settings: str) -> EngineRecipe:
    return changed(EngineRecipe(source_lang="en", target_lang="de"), [*PLAIN, *settings])


@pytest.fixture(scope="module")
def small(book: dict[str, list[str]]) -> Bitext:
    return Bitext.from_lines(book["en"][:200], book["de"][:200], source_lang="en", target_lang="de")


def test_an_engine_merges_the_compounds_that_it_translates_into(small: Bitext, tmp_path: Path) -> None:
    asked = recipe("compounds.side=target", "compounds.evidence=corpus", "compounds.least=1", "compounds.shortest=3")
    done = train_engine(small, asked, work=tmp_path / "work", output=tmp_path / "engine")
    marked = [word for word in done.engine.models.target.words() if word.endswith(MARK)]
    assert marked
    lines = [source for source, _ in small][:60]
    output = done.engine.translate(lines)
    assert not any(MARK in line for line in output)
    loaded = Engine.load(tmp_path / "engine")
    assert loaded.translate(lines) == output
    assert loaded.target.cased(["Der Hauptbahnhof ist hier."]) == done.engine.target.cased(
        ["Der Hauptbahnhof ist hier."]
    )


def test_morphemes_are_joined_in_the_output_and_lost_marks_dropped(small: Bitext, tmp_path: Path) -> None:
    done = train_engine(small, recipe("morphemes.side=target", "morphemes.words=300"), work=tmp_path)
    engine = done.engine
    pieces = engine.target.cased(["Die Bahnhöfe schließen früh."])
    assert "@+" in pieces[0]
    assert engine.target.restore(pieces) == ["Die Bahnhöfe schließen früh."]
    assert engine.target.restore(["Bahn@+ ."]) == ["Bahn."]
    assert not any("@+" in line for line in engine.translate([source for source, _ in small][:40]))


def test_parts_of_a_training_give_the_bytes_of_the_whole(small: Bitext, tmp_path: Path) -> None:
    asked = recipe("compounds.side=both", "morphemes.side=target")

    def contents(work: Path) -> dict[str, bytes]:
        return {str(path.relative_to(work)): path.read_bytes() for path in work.rglob("*") if path.is_file()}

    train_engine(small, asked, work=tmp_path / "whole")
    train_engine(small, asked, work=tmp_path / "parts", pool=InProcess(), part=60)
    assert contents(tmp_path / "parts") == contents(tmp_path / "whole")


def test_without_pieces_nothing_is_planned_and_nothing_redone(small: Bitext, tmp_path: Path) -> None:
    names = [step.name for step in plan_training(small, recipe(), work=tmp_path).steps]
    assert names == ["tokens", "truecase", "clean", "align", "lm", "phrases"]
    cut = [step.name for step in plan_training(small, recipe("compounds.side=source"), work=tmp_path).steps]
    assert cut == ["tokens", "truecase", "pieces", "clean", "align", "lm", "phrases"]


def test_a_mixed_language_model_and_pruning_see_pieces_too(
    small: Bitext, book: dict[str, list[str]], tmp_path: Path
) -> None:
    dev = TestSet(srcs=book["en"][540:560], refs={"ref": book["de"][540:560]})
    asked = recipe("compounds.side=target", "prune.method=prune", "prune.tuner=none")
    assert train_engine(small, asked, work=tmp_path, dev=dev, report=False).engine.translate(["Good morning."])


def test_pairs_are_kept_with_what_cut_them(tmp_path: Path) -> None:
    pairs = TokenisedPairs(["Regen Wald Regenwald"] * 3, ["rain forest rain forest"] * 3)
    cut = split_pairs(pairs, changed(EngineRecipe(source_lang="de", target_lang="en"), ["compounds.side=source"]))
    assert cut.source == ["Regen Wald Regen Wald"] * 3
    save_pairs(cut, tmp_path)
    loaded = load_pairs(tmp_path)
    assert loaded.source == cut.source
    assert loaded.splitters[0].cut(["Regenwald"]) == ["Regen Wald"]
    assert not loaded.splitters[1]


def test_compounds_and_morphemes_go_together() -> None:
    compounds = CompoundRecipe(least=1).train(["Regen Wald singen"])
    morphemes = MorphemeRecipe().train_words({"regen": 3, "regens": 2, "singen": 2, "wald": 9, "walds": 3})
    splitter = Splitter(compounds, morphemes, marked=True)
    lines = ["der Regenwald singt .", "", "Regenwald"]
    assert splitter.join(splitter.cut(lines)) == lines


def test_a_dictionary_needs_pairs() -> None:
    with pytest.raises(DataError, match="every pair has an empty side"):
        learn_compounds(CompoundRecipe(), ["Regenwald", ""], ["", "x"])
    with pytest.raises(DataError, match="source"):
        learn_compounds(CompoundRecipe(), ["Regenwald"], [])
