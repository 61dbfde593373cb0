"""A result as page and as JSON; the language of the interface; words that exist in every language."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

pytest.importorskip("fastapi")

import httpx
from fastapi import FastAPI, Request

from dragoman.errors import UnknownName
from dragoman.report import Result, Table
from dragoman.web import rendering
from dragoman.web.catalogue import LANGUAGES, PLURALS, choose_language, words_in
from dragoman.web.rendering import show

WEB = Path(rendering.__file__).parent
NASTY = "<script>alert('x')</script>"


@dataclass(frozen=True)
class Campaigns(Result):
    kind: ClassVar[str] = "campaigns"
    rows: tuple[tuple[Any, ...], ...] = ()

    def tables(self) -> list[Table]:
        return [Table.of("", ["name", "title", "protocol", "source", "target", "done", "total", "task"], self.rows)]


class Visitor:
    """A browser's part of the conversation: asks for pages and keeps cookies."""

    def __init__(self, app: FastAPI) -> None:
        self.app = app
        self.cookies = httpx.Cookies()

    def get(self, path: str, **more: Any) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(
                transport=transport, base_url="http://localhost", cookies=self.cookies
            ) as client:
                answer = await client.get(path, **more)
                self.cookies.update(client.cookies)
                return answer

        return asyncio.run(ask())


def client(user: Any = None, *, done: int = 3) -> Visitor:
    app = FastAPI()
    rows = (("news", NASTY, "da", "de", "en", done, 10, None),)

    @app.get("/")
    @app.get("/index.json")
    def home(request: Request) -> Any:
        request.state.user = user
        return show(request, "home.html", Campaigns(rows))

    @app.get("/login")
    def login(request: Request) -> Any:
        return show(request, "login.html", {"name": NASTY, "next": "/", "message": "No."}, status=401)

    @app.get("/error/{status}")
    def error(request: Request, status: int) -> Any:
        return show(request, "error.html", {"status": status, "kind": "data", "message": NASTY}, status=status)

    return Visitor(app)


def test_a_page_and_its_twin_say_the_same() -> None:
    page = client().get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert "script-src 'self'" in page.headers["content-security-policy"]
    assert "3 of 10 done" in page.text
    twin = client().get("/index.json")
    assert twin.json()["rows"][0]["done"] == 3
    assert twin.json()["kind"] == "campaigns"


@pytest.mark.parametrize(("done", "word"), [(0, "Begin"), (3, "Continue"), (10, "Look again")])
def test_work_is_begun_taken_up_or_looked_at_again(done: int, word: str) -> None:
    assert re.findall(r'href="/campaigns/news/work">\s*([\w ]+?)\s*<', client(done=done).get("/").text) == [word]


@pytest.mark.parametrize("path", ["/", "/login", "/error/404", "/error/403", "/error/429", "/error/500", "/error/400"])
@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_page_speaks_every_language_and_shows_markup_as_text(path: str, lang: str) -> None:
    page = client(SimpleNamespace(name=NASTY, role="admin", services=("translate", "score", "quality"))).get(
        path, params={"lang": lang}
    )
    assert f'<html lang="{lang}" dir="{"rtl" if lang == "ar" else "ltr"}">' in page.text
    assert "<script>" not in page.text
    assert "style=" not in page.text
    assert not re.search(r"\son\w+=", page.text)


def test_the_language_asked_for_is_kept() -> None:
    browser = client()
    assert "Meine Arbeit" in browser.get("/", params={"lang": "de"}).text
    assert "Meine Arbeit" in browser.get("/").text
    assert "Mi trabajo" in browser.get("/", params={"lang": "es"}, headers={"accept-language": "ar"}).text
    assert "Mi trabajo" in browser.get("/", params={"lang": "xx"}).text  # an unknown wish is none
    assert browser.get("/index.json", params={"lang": "de"}).cookies["dragoman_lang"] == "de"


def test_the_accounts_language_comes_after_the_cookie_and_before_the_browsers() -> None:
    browser = client(SimpleNamespace(name="ada", role="annotator", lang="ar", services=()))
    assert 'lang="ar"' in browser.get("/", headers={"accept-language": "de"}).text
    browser.cookies.set("dragoman_lang", "es")
    assert "Mi trabajo" in browser.get("/").text


@pytest.mark.parametrize(
    ("accept", "expected"),
    [
        ("", "en"),
        ("fr", "en"),
        ("de", "de"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("fr,es;q=0.2,ar;q=0.7", "ar"),
        ("en;q=0,de;q=0.1", "de"),
        ("de;q=x,es", "es"),
        ("*", "en"),
        (",;q=,", "en"),
        ("AR-EG", "ar"),
    ],
)
def test_the_browser_is_asked_last(accept: str, expected: str) -> None:
    assert choose_language(None, accept=accept) == expected
    assert choose_language("es", accept=accept) == "es"


def test_who_sees_which_pages() -> None:
    assert '/campaigns"' not in client(SimpleNamespace(name="ada", role="annotator", services=())).get("/").text
    assert '/campaigns"' in client(SimpleNamespace(name="ada", role="manager", services=())).get("/").text
    given = client(SimpleNamespace(name="ada", role="annotator", services=("translate",))).get("/").text
    assert ('href="/translate"' in given, 'href="/score"' in given) == (True, False)
    assert "Log out" not in client().get("/").text


def test_values_are_isolated_and_plurals_chosen() -> None:
    assert words_in("en")("home.progress", done=3, total=10) == "3 of 10 done"
    assert [PLURALS["ar"](n) for n in (0, 1, 2, 3, 10, 11, 99, 100, 102, 103, 111)] == [
        "zero",
        "one",
        "two",
        "few",
        "few",
        "many",
        "many",
        "other",
        "other",
        "few",
        "many",
    ]


def test_what_no_catalogue_has_is_named() -> None:
    with pytest.raises(UnknownName, match=r"no text 'home\.nothing'; add it to every file"):
        words_in("en")("home.nothing")
    with pytest.raises(UnknownName, match=r"does not speak 'xx'\. Known: en, de, es, ar"):
        words_in("xx")


def keys(lang: str) -> set[str]:
    return set(words_in(lang).texts)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_all_catalogues_have_the_same_keys_and_values(lang: str) -> None:
    assert keys(lang) == keys("en")
    for key, text in words_in(lang).texts.items():
        english = words_in("en").texts[key]
        assert isinstance(text, str) == isinstance(english, str), key
        forms = {"": text} if isinstance(text, str) else text
        if not isinstance(text, str):
            assert set(text) == {PLURALS[lang](n) for n in range(200)}, key
        wanted = set(re.findall(r"\{(\w+)\}", english if isinstance(english, str) else english["other"]))
        for form in forms.values():
            assert form.strip(), key
            assert set(re.findall(r"\{(\w+)\}", form)) <= wanted, key
        last = text if isinstance(text, str) else text["other"]
        assert set(re.findall(r"\{(\w+)\}", last)) == wanted, key


def used_keys() -> set[str]:
    """Keys that templates (`say("a.b")`) and scripts (`say("a.b")`, `data-say="a.b"`) ask for."""
    found: set[str] = {key for _, key, _ in rendering.NAVIGATION}
    for path in [*(WEB / "templates").rglob("*.html"), *(WEB / "static").rglob("*.js")]:
        found |= set(re.findall(r"""\bsay\(\s*["'`]([\w.-]+)["'`]""", path.read_text(encoding="utf-8")))
    return found


def test_templates_and_scripts_use_only_words_that_exist() -> None:
    used = used_keys()
    assert len(used) > 20
    assert used - keys("en") == set()


def test_templates_scripts_and_style_sheets_have_no_long_lines() -> None:
    """As Python and the core have none; what formatters leave alone is broken by hand."""
    paths = [path for path in WEB.parent.rglob("*") if path.suffix in (".html", ".js", ".css")]
    assert len(paths) > 100
    long = [
        f"{path.relative_to(WEB.parent)}:{number}"
        for path in sorted(paths)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1)
        if len(line) > 120
    ]
    assert long == []
