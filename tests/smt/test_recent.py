"""A suggestion and the prediction that follows it share one search, until the engine learns."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from dragoman.data.bitext import Bitext
from dragoman.engines import Request
from dragoman.smt import Engine, EngineRecipe
from dragoman.smt.hypergraph import SearchGraph
from dragoman.smt.recent import RecentSearches
from dragoman.smt.recipe import Tuning, changed
from dragoman.smt.training import train_engine

SOURCE = "Where is the station?"
ASKED = Request(n_best=3, alignment=True, confidence=True)


@pytest.fixture(scope="module")
def folder(bitext: Bitext, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("recent")
    recipe = EngineRecipe(source_lang="en", target_lang="de", tune=Tuning(method="none"))
    train_engine(bitext, changed(recipe, ["index.use=only"]), work=folder / "work", output=folder / "engine")
    return folder / "engine"


@pytest.fixture
def learner(folder: Path, tmp_path: Path) -> Engine:
    return Engine.load(shutil.copytree(folder, tmp_path / "engine"))


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was searched for."""
    done: list[str] = []
    graphs = Engine.graphs

    def counted(self: Engine, lines: Any, **given: Any) -> list[SearchGraph]:
        done.extend(lines)
        return graphs(self, lines, **given)

    monkeypatch.setattr(Engine, "graphs", counted)
    return done


def test_a_line_alone_is_told_what_it_is_told_among_others(engine: Engine, book: dict[str, list[str]]) -> None:
    lines = [*book["en"][540:560], "", "Xylophon 17"]
    assert [engine.translations([line], ASKED)[0] for line in lines] == engine.translations(lines, ASKED)


def test_suggestion_and_prediction_search_once(learner: Engine, searches: list[str]) -> None:
    (translation,) = learner.translations([SOURCE], Request(alignment=True, confidence=True))
    assert learner.completer(SOURCE).complete("")[0].text == translation.text
    learner.completer(SOURCE)
    assert len(searches) == 1


def test_what_is_learnt_or_forgotten_is_searched_anew(learner: Engine, searches: list[str], tmp_path: Path) -> None:
    known = learner.n_pairs
    source = "I like gazumpwurst."
    first = learner.translations([source], ASKED)
    learner.learn("gazumpwurst", "Quarkauflauf")
    assert "Quarkauflauf" in learner.completer(source).complete("")[0].text
    Engine.load(tmp_path / "engine").rollback(known)  # in another process
    learner.refresh()
    assert learner.translations([source], ASKED) == first
    assert len(searches) == 3


def test_the_oldest_search_goes_first(engine: Engine) -> None:
    graph = engine.graph("the station")
    recent, made = RecentSearches(most=2), []

    def search(key: str) -> SearchGraph:
        return recent.graph(key, lambda: made.append(key) or graph)  # type: ignore[func-returns-value]

    for key in "abacab":
        assert search(key) is graph
    assert made == ["a", "b", "c", "b"]  # c took the place of b, which was asked for longer ago than a


def test_any_pair_is_aligned_by_the_aligner_of_what_is_learnt(learner: Engine, engine: Engine) -> None:
    found = learner.align("Where is the station?", "Zum Bahnhof, bitte!")
    assert found is not None
    pairs = {(found.source_tokens[i], found.target_tokens[j]) for i, j in found.links}
    assert ("station", "Bahnhof") in pairs
    assert engine.align("Where is the station?", "Zum Bahnhof!") is None  # it has a table, and no aligner
