"""A file that cannot be written: who downloads it sees which segments are at fault."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa
from fastapi import FastAPI

from dragoman.store import Store
from dragoman.store.translating import tables as work
from tests.web.cat.conftest import API
from tests.web.cat.desks import MANUAL
from tests.web.cat.test_api import rows, save
from tests.web.client import Client

Change = Callable[..., dict[str, Any]]
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


def manual(app: FastAPI) -> int:
    manager = Client(app, "the-manager")
    body = {"name": "Manual", "source_lang": "en", "target_lang": "ar"}
    number = int(manager.post(f"{API}/projects", json=body).json()["id"])
    sent = manager.post(f"{API}/projects/{number}/files", params={"name": "a.xlf"}, content=MANUAL.encode())
    assert sent.status_code == 201, sent.text
    return number


def test_a_browser_gets_a_page_with_links_and_a_program_gets_json(light_app: FastAPI) -> None:
    number = manual(light_app)
    manager = Client(light_app, "the-manager")
    first = rows(manager, number)[0]["id"]
    store: Store = light_app.state.store
    with store.write() as connection:
        broken = sa.update(work.segments).where(work.segments.c.id == first)
        connection.execute(broken.values(target="اضغط \ue000ابدأ", state="translated"))
    (file,) = manager.get(f"{API}/projects/{number}/files").json()["rows"]
    address = f"{API}/projects/{number}/files/{file['id']}/translated"
    page = manager.get(address, headers=BROWSER)
    assert (page.status_code, page.headers["content-type"]) == (422, "text/html; charset=utf-8")
    text = page.text.replace("\u2068", "").replace("\u2069", "")  # around what is filled in
    assert "The file is not written: a.xlf" in text
    assert f'<a href="/cat/projects/{number}/edit#{first}">Segment 1</a>' in text
    assert "is not closed" in page.text
    assert f'href="/cat/projects/{number}"' in page.text
    german = manager.get(address, headers=BROWSER, params={"lang": "de"})
    assert "Die Datei wird nicht geschrieben" in german.text
    told = manager.get(address).json()
    assert (told["status"], told["kind"]) == (422, "NotWritable")
    assert told["message"].startswith("a.xlf cannot be written: segment 1: the code 'g1' is not closed")


def test_a_confirmation_over_http_is_refused_with_the_segment(light_app: FastAPI, change: Change) -> None:
    number = manual(light_app)
    manager = Client(light_app, "the-manager")
    first, second = [row["id"] for row in rows(manager, number)]
    for state in ("translated", "approved"):
        outcomes = save(
            manager, number, change(first, "اضغط \ue000ابدأ", state=state), change(second, "\ue000", state="draft")
        )
        assert [each["saved"] for each in outcomes] == [False, True]
        assert outcomes[0]["message"].startswith("Segment 1 cannot be confirmed: ")
    assert [row["state"] for row in rows(manager, number)] == ["new", "draft"]


def test_a_projects_page_says_what_downloads_have_that_nobody_confirmed(light_app: FastAPI, change: Change) -> None:
    number = manual(light_app)
    manager = Client(light_app, "the-manager")
    page, said = f"/cat/projects/{number}", "Nobody has confirmed some segments"
    assert said not in manager.get(page).text
    save(manager, number, change(rows(manager, number)[1]["id"], "\ue000", state="draft"))
    assert f"{said}, and the translations to download have them as they are. Drafts: 1. Rejected: 0." in (
        manager.get(page).text
    )


def test_a_download_says_which_states_it_has(light_app: FastAPI, change: Change) -> None:
    number = manual(light_app)
    manager = Client(light_app, "the-manager")
    (file,) = manager.get(f"{API}/projects/{number}/files").json()["rows"]
    address = f"{API}/projects/{number}/files/{file['id']}/translated"
    n = len(rows(manager, number))
    told = manager.get(address).headers["Dragoman-Segments"]
    assert told == f"approved=0, translated=0, draft=0, rejected=0, untranslated={n}"
    refused = manager.get(address, params={"refuse_unconfirmed": True})
    assert (refused.status_code, f"a.xlf is not finished: of its segments {n} untranslated" in refused.text) == (
        422,
        True,
    )
