"""One result, two faces: a page for people in their language, and its `.json` twin for programs.

A page takes its words from a catalogue and its direction from the language. Nothing in it is inline: scripts and
styles are files of ours, so a strict Content-Security-Policy holds, and text that people upload stays text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from dragoman import __version__
from dragoman.report.result import Result
from dragoman.text.languages import text_direction
from dragoman.web.catalogue import LANGUAGES, Words, choose_language, words_in

if TYPE_CHECKING:
    from jinja2 import Environment
    from starlette.requests import Request
    from starlette.responses import Response

__all__ = ["CONTENT_SECURITY_POLICY", "LANGUAGE_COOKIE", "NAVIGATION", "STATIC", "language_of", "show"]

_TEMPLATES = Path(__file__).parent / "templates"
STATIC = Path(__file__).parent / "static"  # what is served at /static
LANGUAGE_COOKIE = "dragoman_lang"
_YEAR = 365 * 24 * 3600  # seconds
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\d\+00:00")

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; "
    "font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)

_READERS = ("admin", "manager", "viewer")  # annotators and translators see their work alone

# What stands in the head of every page: address, key of its name, and the roles that see it (none: everybody), or the
# services of which one must be theirs.
NAVIGATION: list[tuple[str, str, tuple[str, ...]]] = [
    ("/", "site.my_work", ()),
    ("/campaigns", "site.campaigns", _READERS),
    ("/cat", "cat.projects", ()),
    ("/tasks", "tasks.title", ()),
    ("/score", "desk.score", ("score",)),
    ("/compare", "desk.compare", ("score",)),
    ("/ranking", "desk.ranking", ("score",)),
    ("/meta", "desk.meta", ("score",)),
    ("/translate", "desk.translate", ("translate",)),
    ("/quality", "desk.quality", ("quality",)),
    ("/people", "site.people", ("admin", "manager")),
    ("/audit", "site.audit", ("admin",)),
]


def language_of(request: Request) -> str:
    """The language of the interface: asked for (`?lang=`), kept in the cookie, set in the account, or the browser's."""
    user = getattr(request.state, "user", None)
    return choose_language(
        request.query_params.get("lang"),
        request.cookies.get(LANGUAGE_COOKIE),
        getattr(user, "lang", None),
        accept=request.headers.get("accept-language", ""),
    )


def show(
    request: Request, template: str, result: Result | Mapping[str, Any], *, status: int = 200, **more: Any
) -> Response:
    """HTML for people or, where the address ends in `.json`, the same object for programs.

    The template sees `result`; of a `Result` also its `rows` and `meta`, as JSON has them; `user` and `csrf` as the
    request's state has them; `say(key, …)` for words; and what else is given. `?lang=` is remembered in a cookie.
    """
    from starlette.responses import HTMLResponse, JSONResponse

    content = result.to_dict() if isinstance(result, Result) else dict(result)
    response: Response
    if request.path_params.get("format") == "json" or request.url.path.endswith(".json"):
        response = JSONResponse(content, status_code=status)
    else:
        words = words_in(language_of(request))
        text = (
            _environment()
            .get_template(template)
            .render(
                result=result,
                rows=content.get("rows", []),
                meta=content.get("meta", {}),
                words=words,
                say=words,
                lang=words.lang,
                dir=words.dir,
                user=getattr(request.state, "user", None),
                csrf=getattr(request.state, "csrf", ""),
                here=request.url.path,
                languages=_language_links(request, words),
                navigation=_navigation(request),
                **more,
            )
        )
        response = HTMLResponse(text, status_code=status)
        response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
        response.headers["Content-Language"] = words.lang
        response.headers["Vary"] = "Accept-Language, Cookie"
    asked = request.query_params.get("lang")
    if asked in LANGUAGES:
        secure = request.url.scheme == "https"
        response.set_cookie(LANGUAGE_COOKIE, asked, max_age=_YEAR, samesite="lax", httponly=True, secure=secure)
    return response


def _navigation(request: Request) -> list[tuple[str, str, tuple[str, ...]]]:
    """The head of the page: shared tasks where the server has some; only studies for who came by the link of one."""
    has_tasks = bool(getattr(request.app.state, "tasks", None)) if "app" in request.scope else False
    closed = {"/cat", "/tasks"} if getattr(request.state, "by_link", False) else set() if has_tasks else {"/tasks"}
    return [entry for entry in NAVIGATION if entry[0] not in closed]


def _language_links(request: Request, words: Words) -> list[dict[str, Any]]:
    """The same page in the other languages; where a form was answered with what is wrong, the page of the form."""
    from starlette.datastructures import URL

    page = request.url
    if request.method != "GET":
        before = urlsplit(request.headers.get("referer", ""))
        page = URL(before.path if before.netloc == request.headers.get("host") and before.path else "/")
    links = []
    for code, name in LANGUAGES.items():
        query = page.include_query_params(lang=code).query
        links.append({"code": code, "name": name, "href": f"{page.path}?{query}", "here": code == words.lang})
    return links


def _moment(text: str) -> str:
    """A moment as people read it, to the minute; nothing if the text is none."""
    matched = _MOMENT.fullmatch(text)
    return f"{matched[1]}\u00a0{matched[2]}\u00a0UTC" if matched else ""


@cache
def _environment() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from dragoman.report.charts import draw_chart
    from dragoman.web.saying import said

    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals["version"] = __version__
    environment.filters["direction"] = text_direction
    environment.filters["chart"] = draw_chart
    environment.filters["moment"] = _moment
    environment.filters["said"] = said
    return environment
