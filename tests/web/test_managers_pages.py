"""The managers' pages over HTTP: from the form to the published ranking, and what is refused on the way."""

from __future__ import annotations

import io
import json
import re
import zipfile
from typing import Any

import pytest
from fastapi import FastAPI

from dragoman.store import Store
from tests.web.client import Client
from tests.web.house import CAMPAIGN, FILES, MANIFEST, SYSTEMS
from tests.web.judges import fill_campaign

NASTY = "<script>alert('x')</script>"


def packed(files: dict[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return stream.getvalue()


WIZARD = {
    "by": "wizard",
    "name": "new-birds",
    "protocol": "da",
    "source_lang": "de",
    "target_lang": "en",
    "annotators": "ada\nben\n",
    "redundancy": "2",
    "title": NASTY,
    "options": "section_size = 2\ncontrols = {bad = 0.5}",
}
LINES = [
    ("sources", ("source.de", FILES["source.de"])),
    ("references", ("A.en", FILES["reference.en"])),
    ("systems", ("kestrel.en", FILES["one.en"])),
    ("systems", ("wagtail.en", FILES["two.en"])),
]


def test_a_campaign_from_the_wizard_is_paused_until_its_coverage_was_seen(app: FastAPI) -> None:
    manager = Client(app, "the-manager")
    made = manager.post("/campaigns", data=WIZARD, files=LINES)
    assert (made.status_code, made.headers.get("location")) == (303, "/campaigns/new-birds"), made.text
    page = manager.get("/campaigns/new-birds").text
    assert NASTY not in page
    assert "&lt;script&gt;" in page
    assert "paused" in page
    assert re.search(r'>kestrel</bdi></td>(<td class="number"><bdi dir="ltr">(20|2)</bdi></td>){3}', page)
    assert manager.get("/campaigns/new-birds.json").json()["meta"]["state"] == "paused"
    manager.post("/campaigns/new-birds/state", data={"state": "open"})
    assert manager.get("/campaigns/new-birds.json").json()["meta"]["state"] == "open"
    assert manager.post("/campaigns/new-birds/state", data={"state": "gone"}).status_code == 422


XML = """<?xml version="1.0" encoding="UTF-8"?>
<dataset id="birds"><doc id="d" origlang="de"><src lang="de"><p><seg id="1">Eins</seg><seg id="2">Zwei</seg></p></src>
<hyp system="kestrel" lang="en"><p><seg id="1">One</seg><seg id="2">Two</seg></p></hyp></doc></dataset>"""
MTME = {
    "wmt/sources/de-en.txt": FILES["source.de"],
    "wmt/references/de-en.A.txt": FILES["reference.en"],
    "wmt/system-outputs/de-en/kestrel.txt": FILES["one.en"],
    "wmt/system-outputs/de-en/wagtail.txt": FILES["two.en"],
}
BATCHES = [
    {
        "items": [
            {
                "itemID": 1,
                "itemType": "TGT",
                "documentID": "d",
                "sourceText": "Eins",
                "targetText": "One",
                "targetID": "kestrel",
                "isCompleteDocument": False,
            },
            {
                "itemID": 2,
                "itemType": "BAD",
                "documentID": "d",
                "sourceText": "Eins",
                "targetText": "Un",
                "targetID": "kestrel",
                "isCompleteDocument": False,
            },
        ],
        "task": {"sourceLanguage": "deu", "targetLanguage": "eng"},
    }
]
PEARMUT = {"campaign_id": "c", "info": {}, "data": [[[{"src": "Eins", "tgt": {"kestrel": "One", "wagtail": "Un"}}]]]}


@pytest.mark.parametrize(
    ("name", "content", "n"),
    [
        ("set.xml", XML.encode(), 1),
        ("wmt.zip", packed(MTME), 2),
        ("batches.json", json.dumps(BATCHES).encode(), 1),
        ("campaign.json", json.dumps(PEARMUT).encode(), 2),
        ("inner.zip", packed({"x/set.xml": XML}), 1),
    ],
)
def test_whole_test_sets(app: FastAPI, name: str, content: bytes, n: int) -> None:
    manager = Client(app, "the-manager")
    form = {**WIZARD, "protocol": "pairwise" if n == 2 else "mqm", "options": ""}
    made = manager.post("/campaigns", data=form, files=[("test_set", (name, content))])
    assert made.status_code == 303, re.findall(r'role="alert"[^>]*>([^<]*)', made.text)


def test_a_manifest_by_paste_or_in_an_archive(app: FastAPI) -> None:
    manager = Client(app, "the-manager")
    text = MANIFEST.replace('"birds"', '"pasted"')
    files = [("files", (name, content)) for name, content in FILES.items()]
    made = manager.post("/campaigns", data={"by": "manifest", "manifest": text}, files=files)
    assert made.headers.get("location") == "/campaigns/pasted"
    inside = {f"top/{name}": content for name, content in FILES.items()}
    inside["top/manifest.toml"] = MANIFEST.replace('"birds"', '"packed"')
    inside["__MACOSX/top/._x"] = "clutter"
    made = manager.post("/campaigns", data={"by": "manifest"}, files=[("files", ("a.zip", packed(inside)))])
    assert made.headers.get("location") == "/campaigns/packed", made.text


@pytest.mark.parametrize(
    ("data", "files", "message"),
    [
        ({"by": "manifest"}, [], "There is no manifest: paste one"),
        ({"by": "manifest"}, [("files", ("a.zip", packed({"../x": "y"})))], "cannot name a file of an upload"),
        ({"by": "manifest"}, [("files", ("a.zip", packed({"/etc/x": "y"})))], "cannot name a file of an upload"),
        ({"by": "manifest"}, [("files", ("a.zip", packed({"a\\..\\..\\x": "y"})))], "cannot name a file of an upload"),
        (
            {"by": "manifest"},
            [("files", ("a.zip", b"PK\x03\x04 nothing"))],
            "a.zip is no zip archive, or a damaged one",
        ),
        ({"by": "manifest"}, [("files", ("a.zip", packed({"m.toml": "0" * (129 << 20)})))], "bytes are taken"),
        ({"by": "manifest"}, [("files", ("m.toml", b"\xff\xfe"))], "m.toml is not in UTF-8"),
        ({**WIZARD, "annotators": " "}, LINES, "Say how many annotators"),
        ({**WIZARD, "protocol": "tarot"}, LINES, "tarot"),
        ({**WIZARD, "redundancy": "many"}, LINES, "redundancy is"),
        ({**WIZARD, "name": "new"}, LINES, "cannot name a campaign on a server"),
        ({**WIZARD, "name": CAMPAIGN}, LINES, "There is a campaign called"),
        (WIZARD, [*LINES, ("test_set", ("x.xml", XML))], "Send a whole test set, or files of lines"),
        (WIZARD, [*LINES, ("sources", ("x.de", "x"))], "There is one source, but 2 files"),
        (WIZARD, [*LINES, ("systems", ("wagtail.en", "x"))], "Two of the files for systems have the same name"),
        (WIZARD, [("test_set", ("x.xml", XML)), ("test_set", ("y.xml", XML))], "is one file or one archive, but 2"),
    ],
)
def test_wrong_uploads_are_named(app: FastAPI, data: dict[str, str], files: Any, message: str) -> None:
    manager = Client(app, "the-manager")
    answer = manager.post("/campaigns", data=data, files=files or None)
    assert answer.status_code >= 400
    assert message in answer.text.replace("&#39;", "'")
    assert [row["name"] for row in manager.get("/campaigns.json").json()["rows"]] == [CAMPAIGN]


def test_from_invitation_to_published_ranking(app: FastAPI, store: Store) -> None:
    manager = Client(app, "the-manager")
    base = f"/campaigns/{CAMPAIGN}"
    invited = manager.post(f"{base}/invites", data={"hours": "5", "max_uses": "3"})
    assert re.search(r'value="http://localhost/join/[\w.-]+"', invited.text)
    assert "Nobody takes part" not in invited.text
    assert manager.get(f"{base}/people.json").json()["kind"] == "campaign-progress"
    manager.post(f"{base}/invites/1/withdraw")
    early = manager.get(f"{base}/ranking").text
    assert "Not enough data yet." in early
    fill_campaign(app, store, CAMPAIGN, {"ada": 1.0, "ben": 0.0})
    quality = manager.get(f"{base}/quality").text
    assert "careless" in quality or "undecided" in quality
    assert manager.get(f"{base}/quality.json").json()["kind"] == "annotator-quality"
    manager.post(f"{base}/members/ben/exclude", data={"reason": "clicks", "renew": ""})
    assert ">excluded</span>" in manager.get(f"{base}/quality").text
    rows = manager.get(f"{base}/answers.json", params={"annotator": "ben"}).json()
    assert rows["rows"]
    assert not any(row["counts"] for row in rows["rows"])
    manager.post(f"{base}/members/ben/include")
    assert ">excluded</span>" not in manager.get(f"{base}/quality").text
    # Whose tasks go to others has nothing left to be judged by, but stays on the page.
    manager.post(f"{base}/members/ben/exclude", data={"reason": "clicks", "renew": "yes"})
    page = manager.get(f"{base}/quality").text
    assert ">excluded</span>" in page
    assert f"{base}/members/ben/include" in page
    manager.post(f"{base}/members/ben/include")
    assert ">excluded</span>" not in manager.get(f"{base}/quality").text
    assert manager.get(f"{base}/ranking.json").json()["meta"]["simulated"] is False
    manager.post(f"{base}/publish")
    link = re.search(r"http://localhost(/published/[\w-]+)", manager.get(f"{base}/ranking").text)
    assert link is not None
    guest = Client(app)
    page = guest.get(link[1])
    assert page.status_code == 200
    assert page.headers["x-robots-tag"] == "noindex"
    for name in SYSTEMS:
        assert name in page.text
    told = page.text + guest.get(f"{link[1]}.json").text + guest.get(f"/api/v1{link[1]}").text
    assert not re.search(r"\b(ada|ben|chloe)\b", told)
    assert {"cluster", "rank_low", "rank_high"} <= set(guest.get(f"{link[1]}.json").json()["rows"][0])
    manager.post(f"{base}/withdraw")
    assert guest.get(link[1]).status_code == 404
    assert manager.post(f"{base}/withdraw").status_code == 404
    manager.post(f"{base}/publish")
    assert guest.get(link[1]).status_code == 404
    audit = manager.get(f"{base}/audit.json").json()["rows"]
    actions = [row["action"] for row in audit]
    for action in ("ranking published", "ranking withdrawn", "annotator excluded", "annotator included", "invite made"):
        assert action in actions


def test_the_browser_of_answers_and_decisions(app: FastAPI, store: Store) -> None:
    manager, viewer = Client(app, "the-manager"), Client(app, "the-viewer")
    base = f"/campaigns/{CAMPAIGN}"
    assert "Nobody has answered yet." in viewer.get(f"{base}/answers").text
    fill_campaign(app, store, CAMPAIGN, {"ada": 1.0, "ben": 0.0})
    first = viewer.get(f"{base}/answers.json", params={"limit": 7}).json()
    assert len(first["rows"]) == 7
    second = viewer.get(f"{base}/answers.json", params={"limit": 7, "offset": 7}).json()
    assert not {(r["item"], r["annotator"]) for r in first["rows"]} & {
        (r["item"], r["annotator"]) for r in second["rows"]
    }
    some = viewer.get(f"{base}/answers.json", params={"system": SYSTEMS[0], "kind": "BAD", "annotator": "ada"}).json()
    assert {(row["system"], row["type"], row["annotator"]) for row in some["rows"]} == {(SYSTEMS[0], "BAD", "ada")}
    assert some["meta"]["total"] < first["meta"]["total"]
    one = viewer.get(f"{base}/answers.json", params={"segment": 3}).json()
    assert {row["segment"] for row in one["rows"]} == {3}
    page = viewer.get(f"{base}/answers", params={"limit": 7, "offset": 7, "annotator": "ada"}).text
    assert "offset=0&amp;limit=7" in page
    disputes = viewer.get(f"{base}/disputes.json").json()["rows"]
    assert disputes[0]["people"] == 2
    assert [row["spread"] for row in disputes] == sorted((row["spread"] for row in disputes), reverse=True)
    item = disputes[0]["item"]
    client = Client(app, "ada")
    event = {"key": "again", "item": item, "answer": {"score": 11}}
    client.post(f"/api/v1{base}/answers", json={"events": [event]})
    history = viewer.get(f"{base}/answers/{item}.json").json()
    assert [(row["annotator"], row["revision"]) for row in history["rows"]] == [("ada", 1), ("ada", 2), ("ben", 1)]
    assert (
        "decide" not in viewer.get(f"{base}/answers/{item}").text.casefold().split("<main")[1].split("h-decisions")[0]
    )
    assert manager.post(f"{base}/answers/{item}/decide", data={"key": "d", "answer": "70"}).status_code == 422
    assert (
        manager.post(f"{base}/answers/{item}/decide", data={"key": "d", "answer": '{"score": 700}'}).status_code == 422
    )
    for _ in range(2):
        done = manager.post(
            f"{base}/answers/{item}/decide", data={"key": "d", "answer": '{"score": 70}', "note": NASTY}
        )
        assert done.status_code == 303
    page = manager.get(f"{base}/answers/{item}").text
    assert NASTY not in page
    decisions = viewer.get(f"{base}/answers/{item}.json").json()["meta"]["decisions"]
    assert [each["by"] for each in decisions] == ["the-manager"]
    assert viewer.get(f"{base}/disputes.json").json()["rows"][0]["decided"] in (True, False)
    assert viewer.get(f"{base}/answers/nothing").status_code == 404


def test_accounts(app: FastAPI) -> None:
    manager = Client(app, "the-manager")
    form = {"name": "dora", "password": "a long password", "languages": "en, de"}
    assert manager.post("/people", data=form).status_code == 303
    rows = {row["name"]: row for row in manager.get("/people.json").json()["rows"]}
    assert (rows["dora"]["role"], rows["dora"]["languages"]) == ("annotator", "de, en")
    again = manager.post("/people", data=form)
    assert (again.status_code, "There is an account called" in again.text) == (409, True)
    wrong = manager.post(f"/campaigns/{CAMPAIGN}/members", data={"user": "nobody"})
    assert (wrong.status_code, "There is no account called" in wrong.text) == (404, True)
    assert manager.post(f"/campaigns/{CAMPAIGN}/members", data={"user": "dora"}).status_code == 303
    assert Client(app, "the-admin").get("/audit").status_code == 200


@pytest.mark.parametrize("lang", ["en", "de", "es", "ar"])
def test_every_page_in_every_language(app: FastAPI, store: Store, lang: str) -> None:
    fill_campaign(app, store, CAMPAIGN, {"ada": 1.0}, tasks=1)
    admin = Client(app, "the-admin")
    pages = ["", "/people", "/quality", "/ranking", "/answers", "/disputes", "/exports", "/audit"]
    for path in [
        "/campaigns",
        "/campaigns/new",
        "/people",
        "/audit",
        *(f"/campaigns/{CAMPAIGN}{page}" for page in pages),
    ]:
        page = admin.get(path, params={"lang": lang})
        assert page.status_code == 200, path
        assert f'<html lang="{lang}"' in page.text
        twin = admin.get(f"{path}.json")
        assert set(twin.json()) == {"kind", "rows", "meta"}, path
