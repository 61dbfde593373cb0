"""Fixes of grammar in the editor: shown where they are, with their reason, and taken by a key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dragoman.cat.checks.grammar import grammar_checks
from dragoman.errors import ModelError
from dragoman.repair import RepairRecipe, train_repairer
from dragoman.syntax import Parser
from tests.repair.conftest import parser
from tests.repair.language import SOURCE, bitext
from tests.web.cat.desks import DoubtfulEngine, Office, Person
from tests.web.test_access import shortcomings

__all__ = ["parser"]

Sit = Callable[..., Person]
WRONG, RIGHT = "Muž v modrý tričku hraje.", "Muž v modrém tričku hraje."


@pytest.fixture(scope="module")
def repairer(parser: Parser, tmp_path_factory: pytest.TempPathFactory) -> Path:
    recipe = RepairRecipe(order=3, aligner="ibm1")
    return train_repairer(*bitext(), parser, recipe).save(tmp_path_factory.mktemp("repairer") / "model")


@pytest.fixture(scope="module")
def office(repairer: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Office]:
    pytest.importorskip("websockets")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dragoman.web.models.engines.load_engine", lambda spec: DoubtfulEngine())
        made = Office(tmp_path_factory.mktemp("office"), repairers=(str(repairer),))
        yield made
        made.close()


def test_a_fix_is_shown_with_its_reason_and_taken_by_a_key(office: Office, sit: Sit) -> None:
    project = office.captions(f"{SOURCE}\n{SOURCE}")
    ada = sit("ada", project)
    ada.type(WRONG)
    fix = ada.page.locator(".fix")
    fix.wait_for()
    assert fix.locator("del").inner_text() == "modrý"
    assert fix.locator("ins").inner_text() == "modrém"
    assert "becomes “modrém”" in fix.inner_text()
    assert "because of “tričku”" in fix.inner_text()
    assert ada.page.locator(".layer .is-fix").inner_text() == "modrý"
    assert shortcomings(ada.page) == []
    ada.press("Alt+y")
    assert ada.text == RIGHT
    ada.page.wait_for_selector(".fix", state="detached")
    assert ada.page.locator(".layer .is-fix").count() == 0
    ada.press("Control+z")
    assert ada.text == WRONG


def test_a_fix_is_taken_by_its_button_and_saved(office: Office, sit: Sit) -> None:
    project = office.captions(SOURCE)
    ada = sit("ada", project)
    ada.type(WRONG)
    ada.page.locator(".fix button").click()
    assert ada.text == RIGHT
    ada.press("Control+Enter")
    office.saved(project, 1, RIGHT, "translated")


def test_other_languages_have_no_such_checks(office: Office) -> None:
    project = office.project()
    segment = office.rows(project)[0]["id"]
    found = office.send("POST", f"{project}/segments/{segment}/checks", {"target": WRONG}, "ada")["findings"]
    assert all(not each["edits"] and each["check"] != "grammar" for each in found)
    captions = office.captions(SOURCE)
    row = office.rows(captions)[0]["id"]
    (each,) = office.send("POST", f"{captions}/segments/{row}/checks", {"target": WRONG}, "ada")["findings"]
    assert (each["check"], each["edits"]) == ("grammar", [[[6, 11], "modrém"]])


def test_a_model_of_another_kind_is_refused_when_the_server_starts(repairer: Path) -> None:
    with pytest.raises(ModelError, match=r"is a parser, not a repairer\. Make one: dragoman repair train"):
        grammar_checks([str(repairer / "parser")])
