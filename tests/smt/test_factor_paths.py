"""Factored setups of several steps and alternative paths: phrases put together from the tables of the steps."""

from __future__ import annotations

from itertools import product
from math import log
from pathlib import Path

import numpy as np
import pytest

from dragoman.data.bitext import Bitext
from dragoman.errors import DataError
from dragoman.parts import InProcess
from dragoman.smt import Engine, EngineRecipe
from dragoman.smt.factor_paths import FactoredPhrases
from dragoman.smt.factor_setup import FactoredSetup
from dragoman.smt.factors import FactorWords
from dragoman.smt.recipe import changed
from dragoman.smt.training import train_engine

PLAIN = ["tune.method=none", "classes.number=0", "features=", "align.method=diagonal", "lm.order=3"]
SOURCE, TARGET = "factors.source=L=snowball:lang=en", "factors.target=L=snowball:lang=de"


@pytest.fixture(scope="module")
def small(book: dict[str, list[str]]) -> Bitext:
    return Bitext.from_lines(book["en"][:200], book["de"][:200], source_lang="en", target_lang="de")


def recipe(*settings: str) -> EngineRecipe:
    return changed(EngineRecipe(source_lang="en", target_lang="de"), [*PLAIN, *settings])


@pytest.fixture(scope="module")
def stems(small: Bitext, tmp_path_factory: pytest.TempPathFactory) -> tuple[Engine, Path]:
    """tL-L+gL-F, with where it is saved."""
    folder = tmp_path_factory.mktemp("stems")
    asked = recipe("factors.setup=tL-L+gL-F", SOURCE, TARGET)
    return train_engine(small, asked, work=folder / "work", output=folder / "engine").engine, folder / "engine"


def test_two_paths_that_are_the_same_translate_as_one(small: Bitext, tmp_path: Path) -> None:
    lines = [source for source, _ in small][:60]
    plain = train_engine(small, recipe("text.related=no"), work=tmp_path).engine
    twice = train_engine(small, recipe("factors.setup=tF-F:tF-F"), work=tmp_path).engine
    assert twice.translate(lines) == plain.translate(lines)
    scores = [engine.decode(engine.source.prepare(lines)).scores.tolist() for engine in (plain, twice)]
    assert scores[1] == pytest.approx(scores[0], abs=1e-3)


def test_an_assembled_translation_shows_every_step_one_of_its_own(stems: tuple[Engine, Path]) -> None:
    phrases = stems[0].models.paths
    assert phrases is not None
    table, words = phrases.tables["tL-L"], FactorWords(("F", "L"))
    whole = [word for word in phrases.target.words() if len(word) > 1]
    for phrase in ("hotel", "the hotel", "i", "room"):
        assembled = {pair.target: pair.scores for pair in phrases.translations(phrase)}
        stem = " ".join(column for line in phrases.recipe.values("source", [phrase], ["F", "L"])[0] for column in line)
        naive: dict[str, tuple[float, ...]] = {}
        for pair in table.translations(stem):
            spellings = [[word for word in whole if words.value(word, "L") == each] for each in pair.target.split()]
            for spelling in product(*spellings):
                generated = sum(float(phrases.generated["gL-F"][phrases.target.id(word)]) for word in spelling)
                naive[" ".join(spelling)] = (*pair.scores[:4], generated, *pair.scores[4:10])
        assert assembled
        assert assembled.keys() <= naive.keys()
        for target, scores in assembled.items():
            assert scores == pytest.approx(naive[target], rel=1e-5)
        ranks = {target: scores[2] + scores[4] for target, scores in naive.items()}
        best = max(ranks, key=lambda target: ranks[target])
        assert ranks[best] == pytest.approx(max(scores[2] + scores[4] for scores in assembled.values()))


def test_generation_is_a_distribution_over_forms(stems: tuple[Engine, Path]) -> None:
    phrases = stems[0].models.paths
    assert phrases is not None
    words = FactorWords(("F", "L"))
    sums: dict[str, float] = {}
    for word, log_p in zip(phrases.target.words(), phrases.generated["gL-F"].tolist(), strict=True):
        if len(word) > 1:
            sums[words.value(word, "L")] = sums.get(words.value(word, "L"), 0.0) + float(np.exp(log_p))
    assert list(sums.values()) == pytest.approx([1.0] * len(sums), abs=1e-5)
    assert min(phrases.generated["gL-F"]) < log(0.6)  # some stem has several forms


def test_what_is_saved_translates_the_same_on_any_number_of_threads(small: Bitext, stems: tuple[Engine, Path]) -> None:
    engine, folder = stems
    lines = [source for source, _ in small][:30]
    output = engine.translate(lines)
    assert not any("￨" in line for line in output)
    assert Engine.load(folder).translate(lines) == output
    paths = engine.models.paths
    assert paths is not None
    tables = []
    for n_threads in (1, 2, 7):
        fresh = FactoredPhrases(paths.recipe, paths.tables, paths.generated, paths.target)
        tables.append(fresh.sample([line.lower() for line in lines], n_threads=n_threads).table.serialised())
    assert tables[0] == tables[1] == tables[2]


def test_a_form_that_was_never_seen_is_translated_by_its_stem(small: Bitext, tmp_path: Path) -> None:
    known = {word for source, _ in small for word in source.lower().split()}
    new, old = "rooms", "room"
    assert old in known
    assert new not in known
    both = train_engine(small, recipe("factors.setup=tF-F:tL-F", SOURCE), work=tmp_path).engine
    alone = train_engine(small, recipe("text.related=no"), work=tmp_path).engine
    assert alone.translate([new]) == [new.capitalize()]
    assert both.translate([new]) != [new.capitalize()]
    assert both.translate([old]) == alone.translate([old])


def test_a_path_generates_what_only_others_give() -> None:
    paths = FactoredSetup.parse("tL-L+tT-T+gLaT-F:tF-F").paths(0)
    assert ["+".join(map(str, path)) for path in paths] == ["tL-L+tT-T+gLaT-F", "tF-F+gF-LaT"]


def test_parts_and_lattices_are_refused(small: Bitext, stems: tuple[Engine, Path], tmp_path: Path) -> None:
    from dragoman.smt.constraints import Constraints, Lattice

    with pytest.raises(DataError, match="phrases of several steps are not extracted in parts"):
        train_engine(small, recipe("factors.setup=tF-F:tF-F"), work=tmp_path, pool=InProcess(), part=60)
    lattice = Constraints(lattice=Lattice(((0, 1, "a", 0.0),)))
    with pytest.raises(DataError, match="does not take lattices"):
        stems[0].decode(["a"], constraints=[lattice])
