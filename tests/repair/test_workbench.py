"""A repairer as an engine, and as a check of what translators write."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from dragoman.cat.checks import CHECKS, Pair, check_pairs
from dragoman.engines import ENGINES, Candidate, Request, Role, Translates, Translation, base, load_engine, need
from dragoman.engines.roles import PLAIN
from dragoman.errors import DataError
from dragoman.registry import Registry
from dragoman.repair import RepairRecipe, train_repairer
from dragoman.syntax import Parser
from dragoman.testing.engines import check_engine
from tests.repair.language import SOURCE, bitext

WRONG = "Muž v modrý tričku hraje."


class Clumsy(Translates):
    """An engine that breaks agreement."""

    @property
    def languages(self) -> tuple[str, str]:
        """English to Czech."""
        return "en", "cs"

    def translations(self, lines: Sequence[str], request: Request = PLAIN, *, n_threads: int = 1) -> list[Translation]:
        """Always the same."""
        return [Translation(line, (Candidate(WRONG if line.strip() else ""),)) for line in lines]


@pytest.fixture(scope="module")
def folder(parser: Parser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    recipe = RepairRecipe(order=3, aligner="ibm1", base="clumsy:")
    return train_repairer(*bitext(), parser, recipe).save(tmp_path_factory.mktemp("engine") / "model")


@pytest.fixture
def clumsy(monkeypatch: pytest.MonkeyPatch) -> None:
    wider: Registry[Role] = Registry("engine", {**ENGINES._own, "clumsy": f"{Clumsy.__module__}:Clumsy"})
    monkeypatch.setattr(base, "ENGINES", wider)


@pytest.mark.usefixtures("clumsy")
def test_a_repairer_with_an_engine_is_an_engine(folder: Path) -> None:
    engine = need(load_engine(f"repair:{folder}"), Translates)
    assert engine.languages == ("en", "cs")
    assert engine.translate([SOURCE, ""]) == ["Muž v modrém tričku hraje.", ""]
    check_engine(engine, [SOURCE, "A woman plays."])


def test_without_an_engine_it_says_so(parser: Parser) -> None:
    alone = train_repairer(*bitext(), parser, RepairRecipe(order=3, aligner="ibm1"))
    with pytest.raises(DataError, match="Train it with --base"):
        need(alone, Translates)


def test_the_check_names_the_form_and_its_place(folder: Path) -> None:
    check = CHECKS.make(f"grammar:model={folder}")
    wrong, right, empty = check_pairs(
        [Pair(SOURCE, WRONG), Pair(SOURCE, "Muž v modrém tričku hraje."), Pair("", "")], [check]
    )
    (finding,) = wrong
    assert finding.message == "A rule of grammar (noun-attribute) asks for “modrém” in the place of “modrý”."
    assert [WRONG[a:b] for a, b in finding.target] == ["modrý"]
    assert right == empty == []
    assert check_pairs([Pair(SOURCE, WRONG)], [CHECKS.make("grammar")]) == [[]]
