"""What an attacker would try: forged requests, traversal, bombs, markup, fixed sessions, endless headers."""

from __future__ import annotations

import asyncio
import base64
import gzip
import json
import re
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI

from dragoman.errors import DataError
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.people.services import give_services
from dragoman.web import Settings, create_app
from dragoman.web.app import ROUTERS
from dragoman.web.campaigns.uploads import read_upload
from dragoman.web.guard import policy_of
from tests.web.client import PASSWORD, Client, run_async
from tests.web.house import CAMPAIGN, FILES, MANIFEST
from tests.web.test_guard import NAMES

EXAMPLES = Path(__file__).parents[2] / "examples"

NASTY = "<img src=x onerror=alert(1)><script>alert(1)</script>"
WRITING = sorted(
    {
        (method, route.path)
        for router in ROUTERS
        for route in router.routes
        for method in getattr(route, "methods", ())  # a socket has none
        if method not in ("GET", "HEAD") and policy_of(route) is not None
    }
)


@pytest.fixture(scope="module")
def admin(sqlite_template: Any, tmp_path_factory: pytest.TempPathFactory) -> Client:
    import shutil

    path = tmp_path_factory.mktemp("attacks") / "house.db"
    shutil.copy(sqlite_template, path)
    return Client(create_app(Store(path), Settings(requests_per_minute=10**6)), "the-admin")


@pytest.mark.parametrize(("method", "path"), WRITING)
def test_every_writing_route_refuses_forged_requests(admin: Client, method: str, path: str) -> None:
    """Of an admin's browser: no token, another token, a form of another site, a request from another site."""
    where = re.sub(r"\{(\w+)\}", lambda found: NAMES.get(found.group(1), "x"), path)
    forged: list[dict[str, Any]] = [
        {"json": {}, "headers": {"X-CSRF-Token": ""}},
        {"json": {}, "headers": {"X-CSRF-Token": "0" * 43}},
        {"data": {"x": "y"}, "headers": {"X-CSRF-Token": b"\xc3\xa9"}},
        {"content": b"{}", "headers": {"X-CSRF-Token": "", "Content-Type": "text/plain"}},
        {"json": {}, "headers": {"Origin": "https://evil.example"}},
        {"json": {}, "headers": {"Sec-Fetch-Site": "cross-site"}},
    ]
    for more in forged:
        answer = admin.request(method, where, **more)
        assert answer.status_code == 403, (more, answer.text)


def test_a_session_cannot_be_fixed(light_app: FastAPI) -> None:
    """A token that was planted before the login is none after it."""
    client = Client(light_app)
    client.cookies.set("dragoman_session", "planted", domain="localhost", path="/")
    answer = client.post("/api/v1/session", json={"name": "ada", "password": PASSWORD})
    token = re.search(r"dragoman_session=([^;]+)", answer.headers["set-cookie"])
    assert token is not None
    assert token[1] != "planted"
    thief = Client(light_app)
    thief.cookies.set("dragoman_session", "planted", domain="localhost", path="/")
    assert thief.get("/api/v1/session").status_code == 401


@pytest.mark.parametrize(
    ("url", "scheme", "secure"),
    [
        ("", "http", False),
        ("", "https", True),
        ("https://judge.example.org", "http", True),
        ("http://x", "http", False),
    ],
)
def test_cookies_are_secure_behind_tls(light_store: Store, url: str, scheme: str, secure: bool) -> None:
    app = create_app(light_store, Settings(url=url))

    async def ask() -> list[httpx.Response]:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=f"{scheme}://localhost") as client:
            body = {"name": "ada", "password": PASSWORD}
            return [await client.get("/login"), await client.post("/api/v1/session", json=body)]

    for answer in run_async(ask()):
        cookie = answer.headers["set-cookie"]
        assert ("Secure" in cookie) == secure
        assert "HttpOnly" in cookie
        assert "samesite=lax" in cookie.lower()


def test_a_proxy_may_hand_on_another_host(light_store: Store) -> None:
    app = create_app(light_store, Settings(url="https://judge.example.org"))
    client = Client(app, "ada")
    path = f"/api/v1/campaigns/{CAMPAIGN}/answers"
    own = client.post(path, json={"events": []}, headers={"Origin": "https://judge.example.org"})
    assert own.status_code != 403
    assert client.post(path, json={"events": []}, headers={"Origin": "https://judge.example.com"}).status_code == 403


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/static/%2fetc%2fpasswd",
        "/static/..%5capp.py",
        "/static/%00",
    ],
)
def test_static_files_lead_nowhere_else(light_app: FastAPI, path: str) -> None:
    answer = Client(light_app).get(path)
    assert answer.status_code in (400, 404)
    assert "dragoman" not in answer.text.lower() or "<html" in answer.text


@pytest.mark.parametrize("name", ["../x", "/etc/x", "a/../../x", "x\x00", "..", "a\\..\\x", "manifest.toml", "-"])
def test_uploads_stay_in_their_folder(name: str) -> None:
    with pytest.raises(DataError, match="cannot name a file"), read_upload(MANIFEST, {**FILES, name: "x"}):
        pass


@pytest.mark.parametrize("value", ["/etc/passwd", "../secret", "~/x", "-", "a=/etc/passwd", "a=../x"])
def test_manifests_reach_no_files_of_the_server(value: str) -> None:
    with (
        pytest.raises(DataError, match="leads out of the upload"),
        read_upload(MANIFEST.replace('"one.en"', json.dumps(value)), FILES),
    ):
        pass


def test_recordings_are_none_of_the_servers_files(light_app: FastAPI) -> None:
    # The name of a system stands in the path of its recordings: "{system}/secret" was a file beside the upload.
    declared = (EXAMPLES / "comprehension" / "manifest.toml").read_text(encoding="utf-8")
    declared = 'audio = "{system}/secret"\n' + declared.replace(
        'systems = ["interpreter.en", "system.en"]', 'systems = {".." = "x.en"}'
    )
    text = (EXAMPLES / "comprehension" / "system.en").read_text(encoding="utf-8")
    answer = Client(light_app, "the-manager").post(
        "/api/v1/campaigns", json={"manifest": declared, "files": {"x.en": text}}
    )
    assert answer.status_code == 422
    assert "cannot name a system" in answer.json()["message"]


def test_bombs_are_not_unpacked(light_app: FastAPI) -> None:
    bomb = base64.b64encode(gzip.compress(b"\0" * 5_000_000)).decode()
    files = {name: text for name, text in FILES.items() if name != "one.en"}
    body = {"manifest": MANIFEST.replace('"birds"', '"b2"', 1), "files": files, "media": {"one.en": bomb}}
    answer = Client(light_app, "the-manager").post("/api/v1/campaigns", json=body)
    assert answer.status_code == 422
    assert answer.json()["message"] == "one.en is packed; send it unpacked."


@pytest.mark.parametrize(
    "content",
    [
        b"[" * 100_000,
        b'{"events":' + b"[" * 5000 + b"]" * 5000 + b"}",
        b'{"a":' * 50_000,
        b"\xff\xfe",
        b"9" * 10_000,
        b'{"events":[{"key":"k","item":"i","answer":{"x":' + b"[" * 900 + b"]" * 900 + b"}}]}",
        b'{"events":[{"key":"k","item":"i","answer":{"score":1e999}}]}',
        b'{"events":[{"key":"k","item":"i","answer":{"score":' + b"9" * 4000 + b"}}]}",
    ],
    ids=range(8),
)
def test_strange_json_breaks_nothing(light_app: FastAPI, content: bytes) -> None:
    client = Client(light_app, "ada")
    items = client.get(f"/api/v1/campaigns/{CAMPAIGN}/work").json()["items"]
    content = content.replace(b'"i"', json.dumps(items[0]["item"]).encode())
    answer = client.post(
        f"/api/v1/campaigns/{CAMPAIGN}/answers", content=content, headers={"Content-Type": "application/json"}
    )
    assert answer.status_code < 500, answer.text
    if answer.status_code == 200:
        assert answer.json()["saved"] == []


@pytest.mark.parametrize("charset", ["punycode", "undefined", "idna", "base64", "no-such"])
@pytest.mark.parametrize("path", ["/cat/projects", "/translate", "/score", "/libretranslate/translate"])
def test_forms_of_parts_in_no_character_set_are_refused(admin: Client, path: str, charset: str) -> None:
    headers = {"Content-Type": f"multipart/form-data; boundary=b; charset={charset}"}
    content = b'--b\r\nContent-Disposition: form-data; name="q"\r\n\r\n\xff. x\r\n--b--\r\n'
    told = admin.post(path, content=content, headers=headers)
    assert told.status_code == 415, told.text
    assert charset in told.text
    headers = {"Content-Type": f"multipart/form-data; boundary=b; charset=utf-8; Charset={charset}"}
    assert admin.post(path, content=content, headers=headers).status_code == 415  # the last counts, too


def test_uploaded_files_do_nothing_when_they_are_opened(light_app: FastAPI) -> None:
    """Whatever is not a page of ours is shown in a sandbox: JSON, media, downloads."""
    client = Client(light_app, "ada")
    for path in ("/api/v1/session", f"/api/v1/campaigns/{CAMPAIGN}/media/x", "/health", "/static/icon.svg"):
        headers = client.get(path).headers
        assert "sandbox" in headers["content-security-policy"], path
        assert headers["x-content-type-options"] == "nosniff"
    for path in ("/", "/score", "/translate", "/login", "/nothing"):
        policy = client.get(path).headers.get("content-security-policy", "")
        assert "sandbox" not in policy or path == "/login"  # somebody who is signed in is sent on
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy


def test_no_secret_of_any_request_is_logged(light_store: Store) -> None:
    """Passwords in wrong places, tokens, texts, file contents: what goes wrong is logged without them."""
    import logging

    from dragoman.web.logs import JsonFormatter

    lines: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(JsonFormatter().format(record))

    keeper, logger = Keep(), logging.getLogger("dragoman.web")
    logger.addHandler(keeper)
    logger.setLevel("DEBUG")
    secret = "hunter2-hunter2-hunter2"
    try:
        app = create_app(light_store, Settings())
        client = Client(app, "the-admin")
        client.post("/api/v1/session", json={"name": secret, "password": secret})
        client.post("/api/v1/session", json={"name": "ada", "password": [secret]})
        client.post("/api/v1/password", json={"old": secret, "new": secret})
        client.post("/api/v1/users", json={"name": "z", "role": "viewer", "password": secret})
        client.get(f"/join/{secret}?x={secret}")
        client.post("/api/v1/score", json={"systems": [{"name": "a", "text": secret}], "refs": []})
        client.get(f"/?token={secret}", headers={"Authorization": f"Bearer {secret}"})
        light_store.close()
        app.state.desk.do = _broken
        client.post("/api/v1/score", json={"systems": [{"name": "a", "text": secret}], "refs": []})
        told = [client.cookies["dragoman_session"], str(client.csrf)]
    finally:
        logger.removeHandler(keeper)
        logger.setLevel("NOTSET")
    text = "\n".join(lines)
    assert len(lines) >= 9
    assert "ValueError" in text  # the fault itself is told
    for each in (secret, *told):
        assert each not in text


def _broken(job: object) -> None:
    raise ValueError("a fault of ours")


def test_a_fault_tells_the_person_its_number_only(light_app: FastAPI) -> None:
    light_app.state.desk.do = _broken
    client = Client(light_app, "the-viewer")
    body = {"systems": [{"name": "a", "text": "x"}], "refs": [{"name": "r", "text": "x"}]}
    answer = client.post("/api/v1/score", json=body, headers={"X-Request-ID": "n-1"})
    assert answer.status_code == 500
    assert answer.json()["message"] == "This is our fault. Tell the organisers this number: n-1."


class Wire:
    """The end of a connection that a protocol writes to."""

    def __init__(self) -> None:
        self.sent = b""
        self.closed = False

    def write(self, data: bytes) -> None:
        self.sent += data

    def close(self) -> None:
        self.closed = True

    def is_closing(self) -> bool:
        return self.closed

    def get_extra_info(self, name: str) -> Any:
        return None


def connection(seconds: float) -> tuple[Any, Wire]:
    protocol, wire = new_protocol(seconds), Wire()
    protocol.connection_made(wire)
    return protocol, wire


def new_protocol(seconds: float) -> Any:
    from uvicorn.config import Config
    from uvicorn.server import ServerState

    from dragoman.web.heads import LimitedProtocol

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body"})

    class Hasty(LimitedProtocol):
        most_seconds = seconds

    config = Config(app, http=Hasty, ws="none", log_config=None)
    config.load()
    return Hasty(config, ServerState(), {})


def run(story: Callable[[], Any]) -> None:
    run_async(story())


def test_endless_headers_are_cut_off() -> None:
    async def story() -> None:
        protocol, wire = connection(60)
        protocol.data_received(b"GET / HTTP/1.1\r\nHost: x\r\n")
        for n in range(2000):
            if wire.closed:
                break
            protocol.data_received(f"X-{n}: {'a' * 100}\r\n".encode())
        assert wire.sent.startswith(b"HTTP/1.1 431 ")
        assert n < 700
        protocol.connection_lost(None)

    run(story)


def test_a_head_that_does_not_come_is_given_up() -> None:
    async def story() -> None:
        silent, first = connection(0.05)
        slow, second = connection(0.05)
        slow.data_received(b"GET / HT")
        quick, third = connection(0.05)
        quick.data_received(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await asyncio.sleep(0.2)
        assert first.sent.startswith(b"HTTP/1.1 408 ")
        assert second.sent.startswith(b"HTTP/1.1 408 ")
        assert third.sent.startswith(b"HTTP/1.1 204 ")
        assert not third.closed
        quick.data_received(b"GET / HT")
        await asyncio.sleep(0.2)
        assert third.closed  # the second request of a connection has no more time than the first
        for protocol in (silent, slow, quick):
            protocol.connection_lost(None)

    run(story)


def test_answers_do_not_wait_for_acknowledgements() -> None:
    """On a listening socket that names no protocol, as the one that workers share."""

    async def story() -> None:
        made: list[Any] = []

        def make() -> Any:
            made.append(new_protocol(60))
            return made[-1]

        with socket.socket() as listening:
            listening.bind(("127.0.0.1", 0))
            server = await asyncio.get_running_loop().create_server(make, sock=listening)
            reader, writer = await asyncio.open_connection(*listening.getsockname())
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            await reader.readline()
            wire = made[0].transport.get_extra_info("socket")
            assert wire.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
            made[0].transport.close()
            writer.close()
            server.close()

    run(story)


def test_injected_markup_in_a_browser(light_store: Store, open_page: Callable[..., Any], tmp_path: Any) -> None:
    """Titles, instructions, outputs, file names: a real browser shows them as text and runs nothing."""
    import threading

    import uvicorn

    with light_store.write() as connection:
        give_services(connection, "ada", ["score"], actor=COMMAND_LINE)
    app = create_app(light_store, Settings(requests_per_minute=10**6))
    files = {name: text.replace("bird", NASTY) for name, text in FILES.items()}
    body = {
        "manifest": MANIFEST.replace('"birds"', '"nasty"', 1),
        "files": files,
        "title": NASTY,
        "instructions": NASTY,
    }
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, ws="none"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    address = "http://{}:{}".format(*server.servers[0].sockets[0].getsockname())
    try:
        with httpx.Client(base_url=address, timeout=60) as manager:
            session = manager.post("/api/v1/session", json={"name": "the-manager", "password": PASSWORD}).json()
            manager.headers["X-CSRF-Token"] = session["csrf"]
            assert manager.post("/api/v1/campaigns", json=body).status_code == 201
        page = open_page(f"{address}/login")
        dialogs: list[str] = []
        page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        page.fill("#name", "ada")
        page.fill("#password", PASSWORD)
        page.click("main button")
        page.wait_for_url(f"{address}/")
        assert NASTY in page.inner_text("main")
        page.goto(f"{address}/campaigns/nasty/work")
        page.wait_for_selector("#screen .screen")
        assert NASTY in page.inner_text("body")
        nasty = tmp_path / "<img src onerror>.en"
        nasty.write_text(f"{NASTY}\n</textarea><script>alert(3)</script>\n", encoding="utf-8")
        page.goto(f"{address}/score")
        page.set_input_files("#f-systems", str(nasty))
        page.set_input_files("#f-refs", str(nasty))
        page.click("#desk button.primary")
        page.wait_for_selector("#result table")
        assert "<img src" in page.inner_text("#result")
        assert page.locator("img:not([src^='/static/'])").count() == 0
        assert dialogs == []
    finally:
        server.should_exit = True
        thread.join(timeout=30)
