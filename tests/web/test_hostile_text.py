"""What people type and how files are called, in a real browser: it is shown as text, and nothing of it runs."""

from __future__ import annotations

import io
import re
import shutil
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn

from dragoman.store import Store
from dragoman.web import Settings, create_app
from tests.web.client import PASSWORD
from tests.web.house import FILES, MANIFEST
from tests.web.test_access import sideways

HIT = "window.hit=1"
MARKUP = f"<img src=x onerror='{HIT}'><script>{HIT}</script><svg onload={HIT}>\"'></title></textarea><b>{{{{7*7}}}}"
OVERRIDE = "\u202e\u2067gnp.exe"  # what follows runs backwards, and nothing ends it
FORMULA = "=cmd|' /C calc'!A0"
TITLE = f"{MARKUP[:150]} {OVERRIDE}"
REASON = f"{FORMULA} {MARKUP} \x07\x1b[31m\x85 {OVERRIDE} ".ljust(2000, "W")
NOTE = f"{FORMULA} {MARKUP} \x07\x1b[31m ../../etc/passwd {OVERRIDE} ".ljust(10_000, "W")
# A slash cannot be in them, and the desk takes no = in a name.
FILE_NAMES = ["<img src onerror><script>window.hit++.en", f"{OVERRIDE}.en", "+cmd|' !A0.en", "@SUM(A1).en"]
BASE = "/api/v1/campaigns/nasty"
PAGES = ["", "/people", "/quality", "/ranking", "/answers", "/disputes", "/exports", "/audit"]
FOREIGN = """() => [...document.querySelectorAll('[onerror], [onload], img, svg, script')]
    .filter((e) => !e.closest('figure') && !(e.getAttribute('src') || '').startsWith('/static/'))
    .map((e) => e.outerHTML.slice(0, 90)).filter((html) => /hit|src=.?x|onload/.test(html))"""
# A text whose direction is overridden must not turn around what stands beside it.
LEAKS = """() => {
    const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        if (!node.textContent.includes('\\u202e') || node.parentElement.closest('textarea, script, option')) continue
        let box = node.parentElement
        while (getComputedStyle(box).display === 'inline' && getComputedStyle(box).unicodeBidi === 'normal') {
            box = box.parentElement
        }
        const text = node.textContent.trim(), ends = /gnp\\.exe( W*)?$|gnp.*(sing|yard)/.test(text)
        if (!ends || box.textContent.trim() !== text) found.push(box.outerHTML.slice(0, 60) + text.slice(-60))
    }
    return found
}"""


@dataclass(frozen=True)
class House:
    """The address of a server, and an item that was judged and decided."""

    address: str
    item: str


@contextmanager
def signed_in(address: str, name: str) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=address, timeout=60) as client:
        body = {"name": name, "password": PASSWORD}
        client.headers["X-CSRF-Token"] = client.post("/api/v1/session", json=body).json()["csrf"]
        yield client


def fill_with_hostility(address: str) -> str:
    """A campaign in which everything that can be typed was; the item on which a manager decided."""
    files = {name: text.replace("bird", MARKUP).replace("Bird", OVERRIDE) for name, text in FILES.items()}
    manifest = MANIFEST.replace('"birds"', '"nasty"', 1)
    with ExitStack() as stack:
        people = (signed_in(address, name) for name in ("the-manager", "ada", "ben"))
        manager, ada, ben = map(stack.enter_context, people)
        body = {"manifest": manifest, "files": files, "title": TITLE, "instructions": NOTE}
        for bad in ("\x07", "a\nb", "x" * 201):
            assert manager.post("/api/v1/campaigns", json={**body, "title": bad}).status_code == 422
        assert manager.post("/api/v1/campaigns", json=body).status_code == 201
        for name in ("ada", "ben"):
            manager.post(f"{BASE}/members", json={"name": name}).raise_for_status()
        for person in (ada, ben):
            items = [item["item"] for item in person.get(f"{BASE}/work").json()["items"]]
            events = [{"key": f"k{n}", "item": item, "answer": {"score": 5 * n}} for n, item in enumerate(items[:5])]
            assert len(person.post(f"{BASE}/answers", json={"events": events}).json()["saved"]) == 5
        decision = {"key": "d", "item": items[0], "answer": {"score": 50}, "note": NOTE}
        assert manager.post(f"{BASE}/adjudications", json=decision).status_code == 201
        assert manager.put(f"{BASE}/members/ada/exclusion", json={"reason": REASON}).status_code == 200
        return str(items[0])


@pytest.fixture(scope="module")
def house(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    path = tmp_path_factory.mktemp("hostile") / "house.db"
    shutil.copy(sqlite_template, path)
    store = Store(path)
    app = create_app(store, Settings(requests_per_minute=10**6))
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, ws="none"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    address = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    yield House(address, fill_with_hostility(address))
    server.should_exit = True
    thread.join(30)
    store.close()


@pytest.fixture
def page(house: House, open_page: Callable[..., Any]) -> Any:
    """A manager's page."""
    opened = open_page(f"{house.address}/login")
    opened.fill("#name", "the-admin")
    opened.fill("#password", PASSWORD)
    opened.click("main button")
    opened.wait_for_url(f"{house.address}/campaigns")
    return opened


def harmless(page: Any) -> None:
    """Nothing ran, nothing of it became an element, and it turns nothing else around."""
    assert page.evaluate("window.hit") is None
    assert page.evaluate(FOREIGN) == []
    assert page.evaluate(LEAKS) == []


def test_managers_pages(house: House, page: Any) -> None:
    paths = ["/campaigns", "/people", "/people/ada", "/audit", f"/campaigns/nasty/answers/{house.item}"]
    shown = {}
    for path in [*paths, *(f"/campaigns/nasty{each}" for each in PAGES)]:
        assert page.goto(f"{house.address}{path}").status == 200, path
        harmless(page)
        assert sideways(page) == [], path
        shown[path] = page.inner_text("main")
    assert TITLE in shown["/campaigns"]
    assert MARKUP in shown[paths[-1]], "the note of the decision"
    assert "W" * 5_000 in shown[paths[-1]]
    for log in ("/audit", "/campaigns/nasty/audit"):
        assert FORMULA in shown[log]
        assert "\\u0007\\u001b[31m\\u0085 \\u202e\\u2067gnp.exe" in shown[log], "a log shows what nobody could see"


def test_annotators_pages(house: House, open_page: Callable[..., Any]) -> None:
    page = open_page(f"{house.address}/login")
    page.fill("#name", "ben")
    page.fill("#password", PASSWORD)
    page.click("main button")
    page.wait_for_url(f"{house.address}/")
    assert TITLE in page.inner_text("main")
    harmless(page)
    page.goto(f"{house.address}/campaigns/nasty/work")
    page.wait_for_selector("#screen .screen")
    harmless(page)


@pytest.mark.parametrize(
    "name",
    [MARKUP[:80], f"ada{OVERRIDE}", "../../etc/passwd", FORMULA, "ada\x07", "W" * 10_000],
    ids=["markup", "override", "path", "formula", "control", "long"],
)
def test_names_of_accounts(house: House, page: Any, open_page: Callable[..., Any], name: str) -> None:
    """None of them is an account's; whoever tries reads the name as it was typed."""
    with signed_in(house.address, "the-admin") as admin:
        refused = admin.post("/api/v1/users", json={"name": name, "password": PASSWORD, "role": "annotator"})
        assert refused.status_code == 422
        link = admin.post(f"{BASE}/invites", json={}).json()["rows"][0]["link"]
    guest = open_page(house.address + link[link.index("/join/") :])
    guest.evaluate("document.querySelector('#name').removeAttribute('maxlength')")
    guest.fill("#name", name)
    guest.fill("#password", PASSWORD)
    guest.click("main button")
    guest.wait_for_selector("[role=alert]")
    harmless(guest)
    page.goto(f"{house.address}/people")
    assert name not in page.inner_text("main")


def test_names_of_files(house: House, page: Any, tmp_path: Path) -> None:
    for name in FILE_NAMES:
        file = tmp_path / name
        file.write_text("A sentence.\n", encoding="utf-8")
        page.goto(f"{house.address}/score")
        page.set_input_files("#f-systems", str(file))
        page.set_input_files("#f-refs", str(file))
        page.click("#desk button.primary")
        page.wait_for_selector("#result table, [role=alert]")
        harmless(page)
        assert page.locator("[role=alert]").all_inner_texts() == []
        assert name.removesuffix(".en") in page.inner_text("#result")
        with page.expect_download() as waiting:
            page.click("button[name=form][value=csv]")
        assert waiting.value.suggested_filename == "score.csv"
        assert not re.search(r"^[=+@]", Path(waiting.value.path()).read_text(encoding="utf-8"), re.MULTILINE)
    with signed_in(house.address, "the-manager") as manager:
        for path in ("../../etc/passwd", "/etc/passwd", "..\\x", FORMULA, "a\x07.en", "W" * 10_000):
            body = {"manifest": MANIFEST.replace('"birds"', '"other"', 1), "files": {**FILES, path: "x\n"}}
            assert manager.post("/api/v1/campaigns", json=body).status_code == 422, path


def test_downloads_have_plain_names_and_do_nothing(house: House, page: Any, tmp_path: Path) -> None:
    page.goto(f"{house.address}/campaigns/nasty/exports")
    links = page.locator("main a[href*='/export/']")
    hrefs = [links.nth(n).get_attribute("href") for n in range(links.count())]
    assert len(hrefs) > 3
    with signed_in(house.address, "the-admin") as admin:
        for href in hrefs:
            answer = admin.get(href)
            assert answer.status_code == 200, answer.text
            assert re.fullmatch(r'attachment; filename="nasty[a-z.-]+"', answer.headers["Content-Disposition"]), href
        archive = zipfile.ZipFile(io.BytesIO(admin.get(f"{BASE}/export/archive").content))
    assert all(re.fullmatch(r"[\w./-]+", name) and ".." not in name for name in archive.namelist())
    archive.extractall(tmp_path)
    page.goto(f"file://{tmp_path}/index.html")
    harmless(page)
    assert MARKUP[:60] in page.inner_text("body")
