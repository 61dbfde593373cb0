"""The screens of the translator's workbench, over what `dragoman demo` leaves (`tools/screenshots.py --workbench`)."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

__all__ = ["GUIDE", "SCREENS", "made_workbench", "served_workbench"]

FIELD = ".pane textarea[lang]"
REVIEWED = "Two colleagues from sale are ill, and without them we can decide nothing."

# Pictures that the guides show: the file's name, the screen, its width in pixels and how much of its height.
GUIDE = {
    "workbench-project": ("cat-project", 1280, 800),
    "workbench-log": ("cat-log", 1280, 800),
    "workbench-replay": ("cat-replay", 1280, 720),
    "editor": ("cat-editor", 1280, 1000),
    "editor-review": ("cat-review", 1180, 1080),
    "editor-phone": ("cat-review", 390, 800),
}


def made_workbench(folder: Path, password: str) -> tuple[Any, str]:
    """The demo's database with people who can sign in, and a second project; the engine's folder."""
    from dragoman.cat.projects import import_file, new_project
    from dragoman.demo import run_demo
    from dragoman.store.audit import COMMAND_LINE
    from dragoman.store.database import Store
    from dragoman.store.people.accounts import add_user
    from dragoman.store.translating.jobs import add_job

    demo = folder / "demo"
    run_demo(demo)
    store = Store(demo / "demo.db")
    with store.write() as connection:
        root = add_user(connection, "root", "admin", password, actor=COMMAND_LINE)
        for name in ("ada", "ben"):
            add_user(connection, name, "annotator", password, actor=COMMAND_LINE)
        project = new_project(
            connection, "reply", "de", "en", actor=COMMAND_LINE, owner=root, engine="de-en", memories=[_MEMORY]
        )
        name, text = "letter.html", (demo / "letter.html").read_bytes()
        import_file(connection, project, name, text, actor=COMMAND_LINE)
        add_job(connection, project.id, "ada", actor=COMMAND_LINE)
        add_job(connection, project.id, "ben", role="reviewer", actor=COMMAND_LINE)
    return store, str(demo / "engine")


_MEMORY = {"name": "letter", "penalty": 0, "writes": False}


@contextmanager
def served_workbench(store: Any, engine: str, folder: Path) -> Iterator[str]:
    """A server with the engine in a thread; its address."""
    import uvicorn

    from dragoman.web import Settings, create_app

    settings = Settings(
        requests_per_minute=10**6, login_tries=1000, engines=(f"de-en={engine}",), learning=str(folder / "learning")
    )
    options: dict[str, Any] = {"log_level": "error", "timeout_graceful_shutdown": 1}
    server = uvicorn.Server(uvicorn.Config(create_app(store, settings), host="127.0.0.1", port=0, **options))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


def _open(page: Any, place: int) -> None:
    page.click(f".row[data-place='{place}'] .place")
    page.wait_for_selector(f".row.active[data-place='{place}'] .suggestions li")


def _decline(page: Any) -> None:
    page.wait_for_selector(".pane .suggestions li")
    if page.is_visible("#consent"):
        page.click("#consent button[value=no]")
        page.wait_for_selector("#consent", state="hidden")


def _write(page: Any) -> None:
    """A segment that is being written, with its prediction."""
    _decline(page)
    _open(page, 8)
    page.keyboard.press("Control+a")
    page.keyboard.type("Thank")
    page.wait_for_selector(".ghost")


def _with(*keys: str) -> Callable[[Any], None]:
    def prepare(page: Any) -> None:
        _decline(page)
        for key in keys:
            page.keyboard.press(key)
        page.wait_for_timeout(300)

    return prepare


def _set(name: str) -> Callable[[Any], None]:
    def prepare(page: Any) -> None:
        _decline(page)
        page.click("#open-settings")
        if name:
            page.set_checked(f"#settings [name={name}]", checked=True)
            page.keyboard.press("Escape")
            page.keyboard.press("Control+1")

    return prepare


def _review(page: Any) -> None:
    """A segment under review: a comment, an error, the versions."""
    _decline(page)
    _open(page, 2)
    if page.input_value(FIELD) != REVIEWED:
        page.focus(FIELD)
        page.keyboard.press("Control+a")
        page.keyboard.insert_text(REVIEWED)
        page.keyboard.press("Control+Enter")
        page.wait_for_selector("#save-state[data-state=saved]")
        _open(page, 2)
    page.click(".pane summary:has-text('Comments')")
    if not page.locator(".comments li").count():
        page.fill(".comment-form textarea", "“from sales”, please.")
        page.click(".comment-form button")
        page.wait_for_selector(".comments li")
    if not page.locator("details[data-part=errors][open]").count():
        page.click("details[data-part=errors] summary")
    if not page.locator(".errors li").count():
        page.focus(".marker[lang=en]")
        for key in ["ArrowRight"] * 4:
            page.keyboard.press(key)
        page.select_option(".marking select", "fluency/grammar")
        page.click(".marking .kind-minor")
        page.wait_for_selector(".errors li")
    page.wait_for_timeout(800)


def _look_up(page: Any) -> None:
    _decline(page)
    page.keyboard.press("Alt+k")
    page.fill("#look-up", "the")
    page.keyboard.press("Enter")
    page.wait_for_selector(".hit")


def _play(page: Any) -> None:
    page.wait_for_selector("#replay:not([hidden])")
    page.locator("#slider").fill("40")


def _nothing(page: Any) -> None:
    page.wait_for_timeout(200)


# Name, address, who looks, and what is done before.
SCREENS: list[tuple[str, str, str, Callable[[Any], None]]] = [
    ("cat-list", "/cat", "root", _nothing),
    ("cat-new", "/cat/new", "root", _nothing),
    ("cat-project", "/cat/projects/2", "root", _nothing),
    ("cat-analysis", "/cat/projects/2/analysis", "root", _nothing),
    ("cat-log", "/cat/projects/1/log", "root", _nothing),
    ("cat-replay", "/cat/projects/1/replay", "root", _play),
    ("cat-consent", "/cat/projects/2/edit", "ada", _nothing),
    ("cat-editor", "/cat/projects/2/edit", "ada", _write),
    ("cat-keys", "/cat/projects/2/edit", "ada", _with("Alt+h")),
    ("cat-rules", "/cat/projects/2/edit", "ada", _with("Alt+l")),
    ("cat-settings", "/cat/projects/2/edit", "root", _set("")),
    ("cat-split", "/cat/projects/2/edit", "ada", _with("Control+1", "Alt+s")),
    ("cat-pen", "/cat/projects/2/edit", "ada", _set("pen")),
    ("cat-look-up", "/cat/projects/2/edit", "ada", _look_up),
    ("cat-review", "/cat/projects/2/edit", "ben", _review),
]
