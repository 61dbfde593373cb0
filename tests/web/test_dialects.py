"""The server in the words of other services, asked by their own clients where there are any."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from fastapi import FastAPI

from dragoman.data.bitext import Bitext
from dragoman.engines import Translates, load_engine, need
from dragoman.samples import phrasebook
from dragoman.smt import Engine, EngineRecipe
from dragoman.smt.training import train_engine
from dragoman.store import Store
from dragoman.web import Settings, create_app
from tests.web.client import Client
from tests.web.house import fill
from tests.web.running import Running

TEXT = "Where is the station?"


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    book, folder = phrasebook(), tmp_path_factory.mktemp("engine")
    bitext = Bitext.from_lines(book["en"][:540], book["de"][:540], source_lang="en", target_lang="de")
    recipe = EngineRecipe.from_dict({"index": {"use": "only"}})
    train_engine(bitext, recipe, work=folder / "work", output=folder / "engine")
    return folder / "engine"


@pytest.fixture
def client(light_store: Store, model: Path) -> Client:
    app: FastAPI = create_app(light_store, Settings(engines=(f"en-de={model}",), requests_per_minute=10**6))
    return Client(app, "the-manager")


@pytest.fixture
def secret(client: Client) -> str:
    answer = client.post("/api/v1/tokens", json={"name": "x", "scopes": ["translate"]})
    return str(answer.json()["rows"][0]["secret"])


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, model: Path) -> Iterator[tuple[str, str]]:
    """A running server's address, and a token."""
    folder = tmp_path_factory.mktemp("server")
    with closing(Store(folder / "server.db")) as store:
        store.migrate()
        fill(store)
    with Running(str(folder / "server.db"), "--engine", f"en-de={model}", log=folder / "log") as running:
        import httpx

        from tests.web.client import PASSWORD

        with httpx.Client(base_url=running.address) as browser:
            answer = browser.post("/api/v1/session", json={"name": "the-manager", "password": PASSWORD})
            headers = {"X-CSRF-Token": answer.json()["csrf"]}
            answer = browser.post("/api/v1/tokens", json={"name": "x", "scopes": ["translate"]}, headers=headers)
        yield running.address, answer.json()["rows"][0]["secret"]


def expected(model: Path, *texts: str) -> list[str]:
    return Engine.load(model).translate(texts)


def test_the_deepl_client_works_unchanged(server: tuple[str, str], model: Path) -> None:
    deepl = pytest.importorskip("deepl", reason="the client of DeepL is not installed")
    translator = deepl.Translator(server[1], server_url=f"{server[0]}/deepl/")
    results = translator.translate_text([TEXT, "Good morning! " + TEXT], source_lang="EN", target_lang="DE")
    first, second = expected(model, TEXT, "Good morning!")
    assert [each.text for each in results] == [first, f"{second} {first}"]
    assert results[0].detected_source_lang == "EN"
    tagged = translator.translate_text("Where is <b>the station</b>?", target_lang="DE", tag_handling="xml")
    assert tagged.text.count("<b>") == tagged.text.count("</b>") == 1
    assert [each.code for each in translator.get_source_languages()] == ["EN"]
    assert not translator.get_usage().any_limit_reached
    with pytest.raises(deepl.DeepLException, match="No engine translates from EN into FR"):
        translator.translate_text(TEXT, source_lang="EN", target_lang="FR")
    with pytest.raises(deepl.AuthorizationException):
        deepl.Translator("wrong", server_url=f"{server[0]}/deepl/").translate_text(TEXT, target_lang="DE")


def test_the_libretranslate_client_works_unchanged(server: tuple[str, str], model: Path) -> None:
    package = pytest.importorskip("libretranslatepy", reason="the client of LibreTranslate is not installed")
    service = package.LibreTranslateAPI(f"{server[0]}/libretranslate", server[1])
    assert service.translate(TEXT, "en", "de") == expected(model, TEXT)[0]
    assert service.languages() == [{"code": "en", "name": "English", "targets": ["de"]}]


@pytest.mark.parametrize("name", ["libretranslate", "deepl", "google"])
def test_our_own_engines_of_services_understand_the_server(
    server: tuple[str, str], model: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DRAGOMAN_TOKEN", server[1])
    engine = load_engine(f"{name}:{server[0]}/{name},source=en,target=de,key=DRAGOMAN_TOKEN")
    assert need(engine, Translates).translate([TEXT, "", "Good morning!"])[::2] == expected(
        model, TEXT, "Good morning!"
    )


def test_libretranslate_takes_json_lists_html_and_tells_alternatives(client: Client, secret: str, model: Path) -> None:
    body = {"q": [TEXT, ""], "source": "auto", "target": "de", "alternatives": 2, "api_key": secret}
    reply = Client(client.app).post("/libretranslate/translate", json=body).json()
    assert reply["translatedText"] == [expected(model, TEXT)[0], ""]
    assert len(reply["alternatives"][0]) == 2
    assert reply["detectedLanguage"][0]["language"] == "en"
    body = {"q": "Where is the <i>station</i>?", "source": "en", "target": "de", "format": "html"}
    text = client.post("/libretranslate/translate", json=body).json()["translatedText"]
    assert text.count("<i>") == text.count("</i>") == 1


def test_google_answers_with_its_own_shapes(client: Client, secret: str, model: Path) -> None:
    program = Client(client.app)
    path = f"/google/language/translate/v2?key={secret}"
    reply = program.post(path, json={"q": TEXT, "source": "en", "target": "de", "format": "text"}).json()
    assert reply == {"data": {"translations": [{"translatedText": expected(model, TEXT)[0]}]}}
    reply = program.get(path, params={"key": secret, "q": TEXT, "target": "de"}).json()
    assert reply["data"]["translations"][0]["detectedSourceLanguage"] == "en"
    reply = program.get(f"/google/language/translate/v2/languages?key={secret}&target=en").json()
    assert {"language": "de", "name": "German"} in reply["data"]["languages"]
    reply = program.post(path, json={"q": TEXT, "source": "en", "target": "xx"})
    assert reply.status_code == 404
    assert reply.json()["error"]["code"] == 404


def test_casmacat_tells_tokens_links_and_confidence_and_takes_corrections(client: Client) -> None:
    query = {"q": TEXT, "source": "en", "target": "de", "nbest": 3, "wpp": 1, "align": 1}
    reply = client.get("/casmacat/translate", params=query).json()["data"]["translations"][0]
    spans = reply["tokenization"]
    assert [TEXT[a:b] for a, b in spans["src"]] == ["Where", "is", "the", "station", "?"]
    assert len(reply["wpp"]) == len(spans["tgt"])
    assert len(reply["nbest"]) == 3
    assert all(s < len(spans["src"]) and t < len(spans["tgt"]) for s, t in reply["alignment"])
    pair = {"q": "Where is the zoo?", "t": "Wo ist der Zoo?", "source": "en", "target": "de"}
    before = client.post("/casmacat/update", json=pair).json()["data"]["pairs"]
    assert client.post("/casmacat/update", json=pair).json()["data"]["pairs"] == before + 1


def test_casmacat_carries_what_is_not_language(client: Client) -> None:
    source = "Where is {{ n }}s <b>station</b>, %d?"
    query = {"q": source, "source": "en", "target": "de", "nbest": 3, "wpp": 1, "align": 1}
    reply = client.get("/casmacat/translate", params=query).json()["data"]["translations"][0]
    for row in reply["nbest"]:
        text, spans = row["translatedText"], row["tokenization"]
        assert all(text.count(unit) == 1 for unit in ("{{ n }}s", "<b>", "</b>", "%d")), text
        assert len(row["wpp"]) == len(spans["tgt"])
        assert all(s < len(spans["src"]) and t < len(spans["tgt"]) for s, t in row["alignment"])
        unit = [source[a:b] for a, b in spans["src"]].index("%d")
        assert [text[a:b] for a, b in (spans["tgt"][t] for s, t in row["alignment"] if s == unit)] == ["%d"]


@pytest.mark.parametrize(
    ("path", "body", "status", "where"),
    [
        ("/libretranslate/translate", {"q": "x"}, 422, "error"),
        ("/deepl/v2/translate", {"text": ["x"]}, 422, "message"),
        ("/deepl/v2/translate", {"text": ["x" * 6000], "target_lang": "DE"}, 422, "message"),
        ("/libretranslate/translate", {"q": "x", "target": "fr"}, 404, "error"),
    ],
)
def test_what_is_wrong_is_said_where_the_clients_look(
    client: Client, path: str, body: dict[str, object], status: int, where: str
) -> None:
    answer = client.post(path, json=body)
    assert answer.status_code == status, answer.text
    assert isinstance(answer.json()[where], str)


def test_lines_and_sentences_of_a_text_stay_where_they_are(client: Client, model: Path) -> None:
    one, two = expected(model, "Good morning!", TEXT)
    body = {"q": f"Good morning! {TEXT}\n\n{TEXT}\n", "source": "en", "target": "de"}
    text = client.post("/libretranslate/translate", json=body).json()["translatedText"]
    assert text == f"{one} {two}\n\n{two}\n"


def test_what_is_not_language_is_the_same_at_every_door(client: Client) -> None:
    """None of these is cut where a sentence or a line seems to end in it."""
    icu = "{n, plural, one {One house. Two houses.} other {# houses. Good morning.}}"
    link = '<a\nhref="x. Y">Where</a> is `a. B`?'
    for text, units in ((icu, ("{n, plural, one {", "} other {# ")), (link, ('<a\nhref="x. Y">', "</a>", "`a. B`"))):
        body = {"q": text, "source": "en", "target": "de", "format": "text"}
        libre = client.post("/libretranslate/translate", json=body).json()["translatedText"]
        google = client.post("/google/language/translate/v2", json=body).json()
        deepl = client.post("/deepl/v2/translate", json={"text": [text], "target_lang": "DE"}).json()
        for said in (
            libre,
            google["data"]["translations"][0]["translatedText"],
            deepl["translations"][0]["text"],
        ):
            assert all(unit in said for unit in units), said
    kept = '<pre>x = 1;\n y</pre><script>if (a < b) where is the station;</script><a\nb="c>d">'
    page = f"<p>Good morning!</p>{kept}Where</a>"
    libre = client.post("/libretranslate/translate", json={"q": page, "target": "de", "format": "html"}).json()
    google = client.post("/google/language/translate/v2", json={"q": page, "target": "de"}).json()
    deepl = client.post(
        "/deepl/v2/translate", json={"text": [page], "target_lang": "DE", "tag_handling": "html"}
    ).json()
    assert kept in libre["translatedText"]
    assert kept in google["data"]["translations"][0]["translatedText"]
    assert kept in deepl["translations"][0]["text"]


@pytest.mark.parametrize(
    "charset", ["", "; charset=UTF-8", "; charset=iso-8859-1", '; charset="UTF-8"; x=y', "; charset=iso-8859-1; x=y"]
)
def test_forms_with_raw_letters_are_read_in_their_character_set(client: Client, secret: str, charset: str) -> None:
    """As curl -d sends them: nothing is escaped."""
    text = "Überall wächst Grün & zzyzx"
    encoding = "iso-8859-1" if "iso" in charset else "utf-8"
    headers = {"Content-Type": f"application/x-www-form-urlencoded{charset}", "Authorization": f"Bearer {secret}"}
    raw = f"text={text.replace('&', '%26')}&target_lang=DE&show_billed_characters=1".encode(encoding)
    told = client.post("/deepl/v2/translate", content=raw, headers=headers)
    assert told.status_code == 200, told.text
    assert told.json()["translations"][0]["billed_characters"] == len(text)
    assert "Überall" in told.json()["translations"][0]["text"]  # a word that the engine does not know stays
    also = client.post(
        "/libretranslate/translate",
        content=f"q={text.replace('&', '%26')}&target=de&api_key={secret}".encode(encoding),
        headers={"Content-Type": headers["Content-Type"]},
    )
    assert "Überall" in also.json()["translatedText"]


@pytest.mark.parametrize(("known", "status"), [(True, 200), (False, 401)])
def test_forms_of_parts_bring_the_key_too(client: Client, secret: str, known: bool, status: int) -> None:
    fields = {"q": "Über", "source": "en", "target": "de", "api_key": secret if known else "nobodys"}
    program = Client(client.app)
    told = program.post("/libretranslate/translate", files={name: (None, text) for name, text in fields.items()})
    assert (told.status_code, "translatedText" in told.json()) == (status, known), told.text


def test_forms_in_another_character_set_than_they_say_are_refused(client: Client, secret: str) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Authorization": f"DeepL-Auth-Key {secret}"}
    told = client.post("/deepl/v2/translate", content="text=Grün&target_lang=DE".encode("latin-1"), headers=headers)
    assert told.status_code == 422
    assert "The form is not in utf-8" in told.json()["message"]


@pytest.mark.parametrize("charset", ["idna", "punycode", "unicode_escape", "rot13", "zlib", "no-such"])
def test_forms_in_no_character_set_are_refused(client: Client, secret: str, charset: str) -> None:
    headers = {
        "Content-Type": f"application/x-www-form-urlencoded; charset={charset}",
        "Authorization": f"Bearer {secret}",
    }
    told = client.post("/libretranslate/translate", content=b"q=a&target=de", headers=headers)
    assert told.status_code == 422
    assert f"The form is not in {charset}" in told.json()["error"]


def test_addresses_in_another_character_set_are_refused_not_garbled(client: Client) -> None:
    for path in ("/google/language/translate/v2?target=de&q=", "/casmacat/translate?target=de&q="):
        assert client.get(f"{path}%C3%9Cberall").status_code == 200
        told = client.get(f"{path}%DCberall")
        assert told.status_code == 422
        assert "not in UTF-8" in told.json()["error"]["message"]
