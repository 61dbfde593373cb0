"""Photograph every screen of the server, to look at them: wide and narrow, light and dark, in some languages.

    .venv/bin/python tools/screenshots.py OUT [--only ranking] [--lang en --lang ar] [--width 390]
    .venv/bin/python tools/screenshots.py docs/pictures --pictures
    .venv/bin/python tools/screenshots.py OUT --workbench      # the translator's workbench, over the demo
    .venv/bin/python tools/screenshots.py docs/guides/images --guide  # the pictures that the guides show

A server of its own is started over a database with every example campaign, one of them filled by invented judges. Each
screen is `OUT/<screen>-<language>-<width>-<scheme>.png`; `OUT/index.html` shows them side by side. Nothing is compared:
what is odd is for eyes to find. `--pictures` takes those of the README instead, from what the demo leaves.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path
from typing import Any

from workbench_screens import GUIDE, SCREENS, made_workbench, served_workbench

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
TEST_SET = ROOT / "src" / "dragoman" / "samples" / "testset"
PASSWORD = "a password for pictures"
TALLEST = 3000  # pixels

# What is pressed on a screen before it is photographed, so that its states are seen.
KEYS = {
    "da": ["7"],
    "ranking": ["1", "2", "2"],
    "pairwise": ["a"],
    "scales": ["4"],
    "vote": ["2"],
    "spans": ["t", "ArrowRight", "ArrowRight", "Shift+ArrowRight", "2", "Escape", "ArrowRight", "ArrowRight"],
    "frames": ["r", "ArrowRight", "ArrowRight", "f", "ArrowLeft", "1", "t", "ArrowRight", "f"],
    "questions": [],
    "post-edit": ["3"],
    "translate": [],
}
ARABIC = {
    "source.en": "Our train to Vienna leaves tomorrow at 7:15.\nPlease be on time.\nThe hotel has a garden.\n",
    "one.ar": "يغادر قطارنا إلى Wien Hbf غدًا الساعة 7:15.\nيُرجى الحضور في الموعد.\nللفندق حديقة.\n",
    "two.ar": "قطارنا إلى فيينا يغادر غدًا في 7.15.\nكن في الوقت من فضلك.\nالفندق عنده حديقة كبيرة جدًا.\n",
}
ARABIC_MANIFEST = """
name = "arabic-{protocol}"
title = "من الإنجليزية إلى العربية"
protocol = "{protocol}"
annotators = ["nora"]
{options}
[test_set]
source_lang = "en"
target_lang = "ar"
srcs = "source.en"
systems = {{one = "one.ar", two = "two.ar"}}
"""
# What a manager types and sees goes to the desk's pages, too.
DESK = {
    "score": {"systems": ["systems/atlas.en", "systems/ember.en"], "refs": ["reference-A.en"]},
    "compare": {"systems": ["systems/atlas.en", "systems/ember.en"], "refs": ["reference-A.en"]},
    "ranking": {"judgements": ["judgements/ranking.csv"]},
}


def made_house(folder: Path) -> tuple[Any, list[str]]:
    """A database with every example, and the names of its campaigns; the first is filled."""
    from dragoman.human.manifest import read_manifest
    from dragoman.store.audit import COMMAND_LINE
    from dragoman.store.database import Store
    from dragoman.store.judging.campaigns import create_campaign
    from dragoman.store.judging.deciding import adjudicate
    from dragoman.store.judging.membership import add_member
    from dragoman.store.people.accounts import add_user, grant_languages
    from dragoman.store.people.invites import make_invite
    from dragoman.web.rehearsal import rehearse

    own = folder / "filled"
    shutil.copytree(TEST_SET, own)
    filled = own / "campaign.toml"
    filled.write_text(filled.read_text(encoding="utf-8").replace("sample-da", "filled"), encoding="utf-8")
    done = rehearse(filled, folder / "house.db", {"carla": 1.0, "anton": 0.9, "rudi": 0.0})
    manifests = sorted(EXAMPLES.glob("*/*.toml"))
    for protocol, options in (("mqm", ""), ("ranking", ""), ("esa", "")):
        own = folder / f"arabic-{protocol}"
        own.mkdir()
        for name, text in ARABIC.items():
            (own / name).write_text(text, encoding="utf-8")
        path = own / "manifest.toml"
        path.write_text(ARABIC_MANIFEST.format(protocol=protocol, options=options), encoding="utf-8")
        manifests.append(path)
    store = Store(folder / "house.db")
    names = [done.campaign]
    with store.write() as connection:
        root = add_user(connection, "root", "admin", PASSWORD, actor=COMMAND_LINE)
        add_user(connection, "nora", "annotator", PASSWORD, actor=COMMAND_LINE)
        grant_languages(connection, "nora", ["en", "ar"], actor=COMMAND_LINE)
        for path in manifests:
            manifest = read_manifest(path)
            create_campaign(connection, manifest, actor=COMMAND_LINE)
            add_member(connection, manifest.name, "nora", actor=COMMAND_LINE)
            names.append(manifest.name)
        make_invite(connection, secret=store.secret, address="http://here", campaign=names[0], actor=COMMAND_LINE)
        from dragoman.store.judging.browsing import disputed_items

        item = disputed_items(connection, names[0]).items[0][0]
        adjudicate(connection, names[0], item, {"score": 40}, user=root, key="k", note="read twice", actor=COMMAND_LINE)
    return store, names


@contextmanager
def served(store: Any, **settings: Any) -> Iterator[str]:
    """A server in a thread; its address."""
    import uvicorn

    from dragoman.web import Settings, create_app

    app = create_app(store, Settings(requests_per_minute=10**6, login_tries=1000, **settings))
    server = uvicorn.Server(uvicorn.Config(app, host="127.0.0.1", port=0, log_level="error", ws="auto"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    server.should_exit = True
    thread.join()


def paths_of(store: Any, names: list[str]) -> list[tuple[str, str, str]]:
    """Every page: what it is called in files, its address, and who looks at it ('' for a guest)."""
    from dragoman.store.audit import COMMAND_LINE
    from dragoman.store.judging.browsing import disputed_items
    from dragoman.store.judging.publishing import find_publication
    from dragoman.store.people.invites import make_invite

    with store.write() as connection:
        link = make_invite(connection, secret=store.secret, address="", campaign=names[1], actor=COMMAND_LINE).link
        crowd = (
            make_invite(
                connection, secret=store.secret, address="", campaign=names[1], platform="prolific", actor=COMMAND_LINE
            ).link.partition("?")[0]
            + "?PROLIFIC_PID=worker1"
        )
        public = find_publication(connection, names[0], address="").link
        item = disputed_items(connection, names[0]).items[0][0]
    base, empty = f"/campaigns/{names[0]}", f"/campaigns/{names[1]}"
    pages = ["people", "quality", "ranking", "answers", "disputes", "exports", "audit"]
    return [
        ("login", "/login", ""),
        ("join", link, ""),
        ("join-crowd", crowd, ""),
        ("published", str(public), ""),
        ("error-404", "/nothing/here", ""),
        ("error-withdrawn", "/published/0123456789012345678901234", ""),
        ("home", "/", "nora"),
        ("home-empty", "/", "root"),
        ("account", "/account", "nora"),
        ("error-403", "/audit", "nora"),
        ("campaigns", "/campaigns", "root"),
        ("new", "/campaigns/new", "root"),
        ("overview", base, "root"),
        ("overview-empty", empty, "root"),
        ("ranking-empty", f"{empty}/ranking", "root"),
        ("quality-empty", f"{empty}/quality", "root"),
        *((page, f"{base}/{page}", "root") for page in pages),
        ("item", f"{base}/answers/{item}", "root"),
        ("accounts", "/people", "root"),
        ("account-of", "/people/nora", "root"),
        ("house-audit", "/audit", "root"),
        *((f"desk-{page}", f"/{page}", "nora") for page in (*DESK, "meta", "translate", "quality")),
        *((f"desk-{page}-done", f"/{page}", "nora") for page in DESK),
        ("patterns", "/patterns", "root"),
        *((f"work-{name}", f"/campaigns/{name}/work", "nora") for name in names[1:]),
        ("work-help", f"/campaigns/{names[1]}/work", "nora"),
    ]


def prepare(page: Any, name: str) -> None:
    """Bring a page into the state that is worth a look."""
    if name.startswith("work-"):
        page.wait_for_selector("#screen .screen")
        screen = page.evaluate(
            "() => fetch(location.pathname.replace('/campaigns', '/api/v1/campaigns'))"
            ".then((answer) => answer.json()).then((work) => work.screen)"
        )
        for key in ["?"] if name == "work-help" else KEYS.get(screen, []):
            page.keyboard.press(key)
    elif name.endswith("-done"):
        for slot, files in DESK[name.split("-")[1]].items():
            page.set_input_files(f"#f-{slot}", [str(TEST_SET / file) for file in files])
        page.click("#desk button.primary")
        page.wait_for_selector("#result table")


def photograph(browser: Any, address: str, cookies: dict[str, Any], out: Path, pages: Any, asked: Any) -> None:
    """Every page in every language, width and scheme; a page is loaded once for each language and width."""
    for lang in asked.lang:
        for width in asked.width:
            for name, path, who in pages:
                context = browser.new_context(
                    viewport={"width": width, "height": 900}, locale=lang, storage_state=cookies[who]
                )
                context.set_default_timeout(120_000)  # ms
                page = context.new_page()
                page.goto(address + path)
                prepare(page, name)
                for scheme in ("light", "dark"):
                    page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                    height = min(TALLEST, page.evaluate("document.documentElement.scrollHeight"))
                    clip = {"x": 0, "y": 0, "width": width, "height": height}
                    page.screenshot(path=out / f"{name}-{lang}-{width}-{scheme}.png", full_page=True, clip=clip)
                wide = page.evaluate("document.documentElement.scrollWidth")
                if wide > width:
                    print(f"{name} in {lang} at {width}: {wide} pixels wide")
                context.close()


def pictures(browser: Any, folder: Path, out: Path) -> None:
    """The three of the README: a report, a judge's screen, the translator's editor."""
    from dragoman.demo import run_demo
    from dragoman.human.manifest import read_manifest
    from dragoman.store.audit import COMMAND_LINE
    from dragoman.store.database import Store
    from dragoman.store.judging.campaigns import create_campaign
    from dragoman.store.judging.membership import add_member
    from dragoman.store.people.local import LOCAL_NAME, make_local

    demo = run_demo(folder)
    assert demo.campaign is not None
    store = Store(demo.campaign.database)
    with store.write() as connection:
        make_local(connection)
        create_campaign(connection, read_manifest(EXAMPLES / "esa" / "manifest.toml"), actor=COMMAND_LINE)
        add_member(connection, "sample-esa", LOCAL_NAME, actor=COMMAND_LINE)
    with served(store, local=True, engines=(f"de-en={folder}/engine",)) as address:
        pages = {
            "report": ((folder / "comparison.html").as_uri(), "main, body"),
            "judging": (f"{address}/campaigns/sample-esa/work", "#screen .screen"),
            "editor": (f"{address}/cat/projects/1/edit", "[contenteditable], textarea"),
        }
        for name, (where, selector) in pages.items():
            page = browser.new_page(viewport={"width": 1360, "height": 850}, locale="en")
            page.set_default_timeout(120_000)  # ms
            page.goto(where)
            page.wait_for_selector(selector)
            page.wait_for_timeout(5000)  # ms, until suggestions are there
            for key in KEYS["spans"] if name == "judging" else []:
                page.keyboard.press(key)
            page.screenshot(path=out / f"{name}.png")
            page.close()
    store.close()


def index(out: Path) -> None:
    """A page with all pictures."""
    cells = [
        f'<figure><img src="{escape(path.name)}" loading="lazy"><figcaption>{escape(path.stem)}</figcaption></figure>'
        for path in sorted(out.glob("*.png"))
    ]
    style = "body{display:flex;flex-wrap:wrap;gap:1rem}img{max-width:30rem;border:1px solid #999}"
    text = f'<!doctype html><meta charset="utf-8"><title>Screens</title><style>{style}</style>{"".join(cells)}'
    (out / "index.html").write_text(text, encoding="utf-8")


def shrink(path: Path) -> None:
    """A picture in 128 colours: half the bytes, and nobody sees it."""
    from PIL import Image

    colours = Image.open(path).convert("RGB").quantize(128, dither=Image.Dither.NONE)
    colours.save(path, optimize=True)


def photograph_workbench(browser: Any, folder: Path, asked: Any) -> None:
    """The screens of the workbench, or with `guide` the pictures that the guides show."""
    store, engine = made_workbench(folder, PASSWORD)
    shown = {name: (path, who, prepare) for name, path, who, prepare in SCREENS}
    every = [(name, name, lang, width, None) for lang in asked.lang for width in asked.width for name in shown]
    guide = [(file, name, "en", width, height) for file, (name, width, height) in GUIDE.items()]
    with served_workbench(store, engine, folder) as address:
        for file, name, lang, width, height in guide if asked.guide else every:
            if asked.only and not any(each in name for each in asked.only):
                continue
            path, who, prepare = shown[name]
            context = browser.new_context(viewport={"width": width, "height": height or 900}, locale=lang)
            body = json.dumps({"name": who, "password": PASSWORD})
            context.request.post(f"{address}/api/v1/session", data=body, headers={"Content-Type": "application/json"})
            page = context.new_page()
            page.goto(address + path)
            prepare(page)
            page.evaluate("scrollTo(0, innerWidth < 600 ? (document.querySelector('.pane')?.offsetTop ?? 0) : 0)")
            for scheme in ("light",) if asked.guide else ("light", "dark"):
                page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
                target = asked.out / (f"{file}.png" if asked.guide else f"{name}-{lang}-{width}-{scheme}.png")
                page.screenshot(path=target, full_page=not asked.guide)
                if asked.guide:
                    shrink(target)
            wide = page.evaluate("document.documentElement.scrollWidth")
            if wide > width:
                print(f"{name} in {lang} at {width}: {wide} pixels wide")
            context.close()
    store.close()


def main() -> None:
    """Take the pictures that were asked for."""
    from playwright.sync_api import sync_playwright

    parser = argparse.ArgumentParser(description="Photograph every screen of the server.")
    parser.add_argument("out", type=Path)
    parser.add_argument("--only", action="append", help="only screens with this in their name")
    parser.add_argument("--lang", action="append", choices=["en", "de", "es", "ar"])
    parser.add_argument("--width", action="append", type=int)
    parser.add_argument("--pictures", action="store_true", help="the three pictures of the README, and no others")
    parser.add_argument("--workbench", action="store_true", help="the translator's workbench instead")
    parser.add_argument("--guide", action="store_true", help="only the pictures that the guides show")
    asked = parser.parse_args()
    asked.lang, asked.width = asked.lang or ["en", "ar"], asked.width or [1280, 390]
    asked.out.mkdir(parents=True, exist_ok=True)
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        if asked.workbench or asked.guide or asked.pictures:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
            if asked.pictures:
                pictures(browser, Path(folder), asked.out)
            else:
                photograph_workbench(browser, Path(folder), asked)
            browser.close()
            return
        store, names = made_house(Path(folder))
        pages = [each for each in paths_of(store, names) if not asked.only or any(o in each[0] for o in asked.only)]
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        with served(store) as address:
            cookies: dict[str, Any] = {"": None}
            for who in ("root", "nora"):
                context = browser.new_context()
                body = json.dumps({"name": who, "password": PASSWORD})
                context.request.post(
                    f"{address}/api/v1/session", data=body, headers={"Content-Type": "application/json"}
                )
                cookies[who] = context.storage_state()
                context.close()
            photograph(browser, address, cookies, asked.out, pages, asked)
        browser.close()
        store.close()
    index(asked.out)


if __name__ == "__main__":
    main()
