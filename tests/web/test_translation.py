"""Translation over HTTP: the interface, its limits, and the page to try it."""

from __future__ import annotations

import re
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from dragoman.cat.translating import translate_with_codes
from dragoman.data.bitext import Bitext
from dragoman.engines import Request
from dragoman.errors import DataError
from dragoman.samples import phrasebook
from dragoman.smt import Engine, EngineRecipe
from dragoman.smt.training import train_engine
from dragoman.store import Store
from dragoman.testing.file_formats import HostileEngine
from dragoman.web import Settings, create_app
from dragoman.web.models.engines import Engines
from dragoman.web.models.shelf import MOST_TEXTS
from dragoman.web.refusals import Busy
from tests.web.client import Client

TEXTS = ["Where is the station?", "", "<b>Good</b> morning &amp; zzyzx"]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    book, folder = phrasebook(), tmp_path_factory.mktemp("engine")
    bitext = Bitext.from_lines(book["en"][:540], book["de"][:540], source_lang="en", target_lang="de")
    train_engine(bitext, EngineRecipe(), work=folder / "work", output=folder / "engine")
    return folder / "engine"


@pytest.fixture
def app(light_store: Store, model: Path) -> FastAPI:
    engines = (f"en-de={model}", f"other={model}")
    return create_app(light_store, Settings(engines=engines, requests_per_minute=10**6))


@pytest.fixture
def client(app: FastAPI) -> Client:
    return Client(app, "the-manager")


def test_translations_are_those_of_the_engine(client: Client, model: Path) -> None:
    told = client.post("/v1/translate", json={"texts": TEXTS}).json()
    assert told["engine"] == "en-de"
    engine = Engine.load(model)
    assert [each["text"] for each in told["translations"]] == [
        *engine.translate(TEXTS[:2]),
        *translate_with_codes(engine, [(TEXTS[2], ())]),
    ]
    assert [each["source"] for each in told["translations"]] == TEXTS
    assert set(told["translations"][0]["candidates"][0]) == {"text", "score"}
    assert client.post("/v1/translate", json={"texts": []}).json()["translations"] == []


def test_what_is_not_language_goes_around_the_engine(light_store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dragoman.web.models.engines.load_engine", lambda _: HostileEngine("turns"))
    client = Client(create_app(light_store, Settings(engines=("e=x",), requests_per_minute=10**6)), "the-manager")
    texts = ["one two", "{{n}} dogs of <b>%s</b>", "three four"]
    told = client.post("/v1/translate", json={"texts": texts}).json()["translations"]
    assert [each["source"] for each in told] == texts
    assert (told[0]["text"], told[2]["text"]) == ("two one", "four three")
    assert Counter(re.findall(r"\{\{n\}\}|</?b>|%s|\w{2,}", told[1]["text"])) == Counter(
        ["{{n}}", "dogs", "of", "<b>", "%s", "</b>"]
    )
    assert told[1]["candidates"] == [{"text": told[1]["text"]}]
    form = {"csrf_token": client.csrf, "text": texts[1], "nbest": "1", "engine": "e"}
    assert client.post("/translate.json", data=form).json()["rows"][0]["text"] == told[1]["text"]
    assert client.post("/translate", data=form).status_code == 200, "an engine that tells no scores"


def test_line_breaks_stay_where_they_are(client: Client, model: Path) -> None:
    engine = Engine.load(model)
    first, second = engine.translate(["Good morning!", "Where is the station?"])
    text = "Good morning!\r\nWhere is the station?\n"
    told = client.post("/v1/translate", json={"texts": [text, "{x}\n"]}).json()["translations"]
    assert [each["text"] for each in told] == [f"{first}\r\n{second}\n", "{x}\n"]
    body = {"text": text, "prefix": f"{first}\r\n{second[:3]}"}
    assert client.post("/v1/complete", json=body).json()["completions"] == [f"{second[3:]}\n"]


def test_alternatives_links_and_confidence(client: Client) -> None:
    body = {"texts": TEXTS, "engine": "other", "nbest": 5, "alignment": True, "confidence": True}
    told = client.post("/v1/translate", json=body).json()
    assert told["engine"] == "other"
    first = told["translations"][0]["candidates"]
    assert 1 < len(first) <= 5
    assert [each["score"] for each in first] == sorted((each["score"] for each in first), reverse=True)
    for each in first:
        assert len(each["confidence"]) == len(each["target_tokens"])
        assert all(0 <= value <= 1 for value in each["confidence"])
        for source, target in each["alignment"]:
            assert source < len(each["source_tokens"])
            assert target < len(each["target_tokens"])


def test_units_are_tokens_where_links_are_asked_for(client: Client) -> None:
    """Each is one token, whatever it has inside; tags that go around words are in the text alone."""
    text = "Where is <b>the station</b> {{ n }}?\nGood morning, %(x)s!"
    body = {"texts": [text, "Good morning!"], "nbest": 3, "alignment": True, "confidence": True}
    told = client.post("/v1/translate", json=body).json()["translations"]
    for each in told[0]["candidates"]:
        for unit in ("<b>", "</b>", "{{ n }}", "\n", "%(x)s"):
            assert each["text"].count(unit) == 1
        source, target = each["source_tokens"], each["target_tokens"]
        assert source.count("{{ n }}") == source.count("%(x)s") == 1
        assert "<b>" not in source
        assert len(each["confidence"]) == len(target)
        links = {source[s]: target[t] for s, t in each["alignment"]}
        assert (links["{{ n }}"], links["%(x)s"]) == ("{{ n }}", "%(x)s")
        assert 0 <= each["sentence_confidence"] <= 1
    assert told[1]["candidates"][0]["source_tokens"] == ["good", "morning", "!"]


def test_a_glossary_says_what_words_become(client: Client) -> None:
    body = {"texts": ["Where is the station?"], "glossary": [["station", "Zeppelinhafen"]], "confidence": True}
    told = client.post("/v1/translate", json=body).json()["translations"][0]
    assert "Zeppelinhafen" in told["text"]
    assert 0 <= told["candidates"][0]["sentence_confidence"] <= 1


def test_a_translation_is_gone_on_with(client: Client, model: Path) -> None:
    whole = Engine.load(model).translate(["Where is the station?"])[0]
    body = {"text": "Where is the station?", "prefix": whole[:4]}
    told = client.post("/v1/complete", json=body).json()
    assert told["engine"] == "en-de"
    assert whole[:4] + told["completions"][0] == whole
    several = client.post("/v1/complete", json={**body, "prefix": "", "n": 3}).json()["completions"]
    assert len(several) == len(set(several)) > 1


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ({"texts": ["x"] * (MOST_TEXTS + 1)}, 422, "at most 100 items"),
        ({"texts": ["x" * 5001]}, 422, "at most 5000 characters"),
        ({"texts": ["a NUL\0"]}, 422, "texts.0"),
        ({"texts": ["x"], "nbest": 0}, 422, "nbest"),
        ({"texts": ["x"], "engine": "none"}, 404, "There is no engine called 'none'. Known: en-de, other."),
        ({"texts": ["x"], "n_best": 3}, 422, "n_best: Extra inputs are not permitted"),
        ({}, 422, "texts: Field required"),
    ],
)
def test_what_is_wrong_is_said(client: Client, body: dict[str, Any], status: int, message: str) -> None:
    answer = client.post("/v1/translate", json=body)
    assert answer.status_code == status
    assert message in answer.json()["message"]


def test_engines_are_listed_and_asked_for(client: Client, light_store: Store) -> None:
    told = client.get("/v1/engines").json()
    assert told == {"engines": [{"name": "en-de", "default": True}, {"name": "other", "default": False}]}
    about = client.get("/v1/engines/other").json()
    assert (about["name"], about["source_lang"], about["target_lang"]) == ("other", "en", "de")
    assert {"translates", "searches"} <= set(about["roles"])
    assert about["details"] == ["alignment", "confidence", "features", "glossary", "n-best"]
    assert client.get("/v1/engines/none").status_code == 404
    none = Client(create_app(light_store), "the-admin")
    assert none.get("/v1/engines").json() == {"engines": []}
    answer = none.post("/v1/translate", json={"texts": ["x"]})
    assert answer.status_code == 404
    assert "start it with --engine NAME=FOLDER" in answer.json()["message"]
    assert "no engine" in none.get("/translate").text
    assert Client(create_app(light_store)).post("/v1/translate", json={"texts": ["x"]}).status_code == 401


def test_many_at_once_get_what_one_gets(model: Path) -> None:
    engines = Engines([f"e={model}"])
    expected = Engine.load(model).translate(TEXTS)
    told: list[list[str]] = []

    def ask() -> None:
        _, found = engines.translate(TEXTS, Request())
        told.append([each.text for each in found])

    threads = [threading.Thread(target=ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told == [expected] * 6


def test_engines_that_cannot_be(tmp_path: Path, model: Path) -> None:
    with pytest.raises(DataError, match="'x' is not NAME=FOLDER"):
        Engines(["x"])
    with pytest.raises(DataError, match="Two engines are called 'a'"):
        Engines(["a=x", "a=y"])
    with pytest.raises(Exception, match="nothing"):
        Engines([f"a={tmp_path / 'nothing'}"]).check()
    busy = Engines([f"a={model}"], wait=0.01)
    with busy._locks["a"], pytest.raises(Busy, match="has too much to do"):
        busy.translate(["x"], Request())


def test_the_page_translates_and_keeps_what_was_typed(client: Client) -> None:
    form = {"csrf_token": client.csrf, "text": "Where is the station?\r\n<b>x</b>", "nbest": "2", "engine": "other"}
    page = client.post("/translate", data=form)
    assert page.status_code == 200
    assert "<b>x" not in page.text
    assert "&lt;b&gt;" in page.text
    assert page.text.count("<article") == 2
    told = client.post("/translate.json", data=form).json()
    assert [row["source"] for row in told["rows"]] == ["Where is the station?", "<b>x</b>"]
    wrong = client.post("/translate", data={**form, "nbest": "many"})
    assert wrong.status_code == 422
    assert "At most 100 lines" in wrong.text
    assert "Where is the station?" in wrong.text


def test_the_page_draws_how_translations_come_about(client: Client) -> None:
    form = {"csrf_token": client.csrf, "text": "Where is the station?\n<b>x</b>", "nbest": "1", "engine": "other"}
    page = client.post("/translate", data={**form, "derivation": "yes"})
    assert page.status_code == 200
    assert page.text.count('class="chart spans"') == 2
    assert 'name="derivation" value="yes" checked' in page.text
    assert "<b>x" not in page.text
    assert 'class="chart spans"' not in client.post("/translate", data=form).text
