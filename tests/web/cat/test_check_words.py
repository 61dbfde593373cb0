"""What checks say, in the languages of the pages."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

import dragoman
from dragoman.web.catalogue import LANGUAGES, words_in
from tests.web.cat.conftest import API, make_key
from tests.web.cat.test_api import rows
from tests.web.client import Client

CHECKS = Path(dragoman.__file__).parent / "cat" / "checks"


def patterns() -> set[str]:
    """The patterns of all findings; none is a text of its own."""
    found = set()
    for path in CHECKS.glob("*.py"):
        calls = [node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)]
        for call in calls:
            if isinstance(call.func, ast.Name) and call.func.id == "Sentence":
                assert isinstance(call.args[0], ast.Constant)
                found.add(str(call.args[0].value))
            if isinstance(call.func, ast.Attribute) and call.func.attr == "finding":
                assert not isinstance(call.args[0], ast.Constant | ast.JoinedStr), ast.unparse(call)
    return found


@pytest.mark.parametrize("lang", [lang for lang in LANGUAGES if lang != "en"])
def test_every_finding_is_said_in_every_language(lang: str) -> None:
    assert len(patterns()) > 25
    assert patterns() <= set(words_in(lang).sentences)


def test_findings_are_said_in_the_language_of_the_page_and_ignored_by_their_english_name(
    light_app: FastAPI, project: int
) -> None:
    ada = Client(light_app, "ada")
    segment = rows(ada, project)[0]["id"]
    where = f"{API}/projects/{project}/segments/{segment}"

    def findings(lang: str) -> dict[str, dict[str, Any]]:
        told = ada.post(f"{where}/checks", params={"lang": lang}, json={"target": "the the dog 5"}).json()["findings"]
        return {each["check"]: each for each in told}

    german, english = findings("de"), findings("en")
    assert {name: each["message"] for name, each in german.items()} == {
        name: each["said"] for name, each in english.items()
    }
    assert german["end-mark"]["message"] == "The source ends with '.', the translation has no mark at its end."
    said = german["end-mark"]["said"].replace("\u2068", "").replace("\u2069", "")
    assert said == "Der Ausgangstext endet mit '.', die Übersetzung hat kein Zeichen am Ende."
    assert german["numbers"]["said"].startswith("Der Ausgangstext hat keine solchen Zahlen: ")
    ignored = {"key": make_key(), "check": "numbers", "message": german["numbers"]["message"], "reason": "So it is."}
    assert ada.post(f"{where}/ignored", json=ignored).status_code == 201
    assert "numbers" not in findings("ar")
