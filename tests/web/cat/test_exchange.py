"""Memories, terms and whole projects, in and out."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from fastapi import FastAPI

from dragoman.cat.packages import Package
from tests.web.cat.conftest import API, LETTER
from tests.web.cat.test_api import rows, save
from tests.web.client import Client

TMX = """<?xml version="1.0" encoding="UTF-8"?>
<tmx version="1.4"><header creationtool="x" creationtoolversion="1" segtype="sentence" o-tmf="x" adminlang="en"
srclang="de" datatype="plaintext"/><body>
<tu><tuv xml:lang="de"><seg>Der Hund schläft.</seg></tuv><tuv xml:lang="en"><seg>The dog sleeps.</seg></tuv></tu>
</body></tmx>
"""


def test_a_memory_comes_in_is_used_and_goes_out(light_app: FastAPI, project: int) -> None:
    manager, ada = Client(light_app, "the-manager"), Client(light_app, "ada")
    body = {"name": "office", "source_lang": "de", "target_lang": "en", "shared": True}
    assert ada.post(f"{API}/memories", json=body).status_code == 403
    assert manager.post(f"{API}/memories", json=body).status_code == 201
    wanted = {"memory": "office", "name": "old.tmx"}
    assert ada.post(f"{API}/memories/tmx", params=wanted, content=TMX.encode()).status_code == 404
    taken = manager.post(f"{API}/memories/tmx", params=wanted, content=TMX.encode())
    assert taken.json()["rows"][0]["added"] == 1, taken.text
    again = manager.post(f"{API}/memories/tmx", params=wanted, content=TMX.encode())
    assert again.status_code == 409
    base = f"{API}/projects/{project}"
    chosen = [{"name": "Letters", "writes": True}, {"name": "office", "penalty": 1}]
    assert manager.request("PATCH", base, json={"memories": chosen}).status_code == 200
    first = rows(ada, project)[0]["id"]
    (match,) = ada.get(f"{base}/segments/{first}/suggestions").json()["suggestions"]
    assert (match["name"], match["text"], match["score"], match["repairs"]) == ("office", "The dog sleeps.", 99, [])
    asked = {"memory": "office", "unit": match["unit"]}
    (unit,) = ada.get(f"{API}/memories/units", params=asked).json()["rows"]
    assert (unit["origin"], unit["user"], unit["target"]) == ("old.tmx", "the-manager", "The dog sleeps.")
    whole = ada.get(f"{API}/memories/tmx", params={"memory": "office"})
    assert whole.status_code == 403, "who works with a shared memory looks things up, and does not take the whole"
    assert ada.post(f"{API}/memories/tmx", params=wanted, content=TMX.encode()).status_code == 403
    assert [row["name"] for row in ada.get(f"{API}/memories").json()["rows"]] == ["Letters", "office"]
    out = manager.get(f"{API}/memories/tmx", params={"memory": "office"})
    assert "<seg>The dog sleeps.</seg>" in out.text
    assert ada.delete(f"{API}/memories/units", params=asked).status_code == 403
    assert manager.delete(f"{API}/memories/units", params=asked).status_code == 200
    assert ada.get(f"{base}/segments/{first}/suggestions").json()["suggestions"] == []


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (gzip.compress(TMX.encode(), mtime=0), "is packed; send it unpacked"),
        (b"<tmx", "bad.tmx"),
        (TMX.replace('"de"', '"fr"').encode(), "bad.tmx has no unit in de and en"),
    ],
)
def test_memories_that_cannot_be_read_are_named(light_app: FastAPI, project: int, content: bytes, reason: str) -> None:
    manager = Client(light_app, "the-manager")
    wanted = {"memory": "Letters", "name": "bad.tmx"}
    answer = manager.post(f"{API}/memories/tmx", params=wanted, content=content)
    assert (answer.status_code, reason in answer.json()["message"]) == (422, True), answer.text
    assert "/tmp" not in answer.text


def test_terms_come_and_go_as_files(light_app: FastAPI, project: int) -> None:
    manager, ada = Client(light_app, "the-manager"), Client(light_app, "ada")
    base = f"{API}/projects/{project}/glossary"
    table = b"source\ttarget\tstatus\tnote\nHund\tdog\tpreferred\tm.\nHund\thound\tforbidden\t\n"
    assert ada.post(f"{base}/file", params={"name": "t.tsv"}, content=table).status_code == 403
    taken = manager.post(f"{base}/file", params={"name": "t.tsv"}, content=table)
    assert taken.json() == {"id": 2}, taken.text
    assert [(each["target"], each["status"]) for each in ada.get(base).json()["terms"]] == [
        ("dog", "preferred"),
        ("hound", "forbidden"),
    ]
    tbx = ada.get(f"{base}/file").content
    assert manager.put(base, json={"terms": []}).status_code == 200
    assert manager.post(f"{base}/file", params={"name": "t.tbx"}, content=tbx).json() == {"id": 2}
    wrong = manager.post(f"{base}/file", params={"name": "t.tbx"}, content=b"no terms")
    assert (wrong.status_code, "/tmp" in wrong.text) == (422, False), wrong.text


def test_a_project_is_handed_on(light_app: FastAPI, project: int, change: Callable[..., dict[str, Any]]) -> None:
    manager, ada = Client(light_app, "the-manager"), Client(light_app, "ada")
    first = rows(ada, project)[0]["id"]
    save(ada, project, change(first, "The dog.", state="translated"))
    manager.put(f"{API}/projects/{project}/glossary", json={"terms": [{"source": "Hund", "target": "dog"}]})
    package = manager.get(f"{API}/projects/{project}/package").content
    assert manager.post(f"{API}/packages", content=package).status_code == 409  # its name is taken
    made = manager.post(f"{API}/packages", params={"name": "Again"}, content=package)
    assert made.status_code == 201, made.text
    other = made.json()["id"]
    before, behind = rows(manager, project), rows(manager, other)
    kept = ("place", "unit", "source", "target", "state", "codes", "file", "words")
    assert [[row[name] for name in kept] for row in behind] == [[row[name] for name in kept] for row in before]
    assert manager.get(f"{API}/projects/{other}/glossary").json()["terms"][0]["target"] == "dog"
    (file,) = manager.get(f"{API}/projects/{other}/files").json()["rows"]
    path = f"{API}/projects/{other}/files/{file['id']}"
    assert manager.get(f"{path}/original").content == LETTER.encode()
    assert manager.get(f"{path}/translated").content == LETTER.replace("Der Hund schläft.", "The dog.").encode()
    own = manager.get(f"{API}/projects/{other}").json()["memories"]
    assert own == [{"name": "Again", "penalty": 0, "writes": True}]
    assert manager.get(f"{API}/projects/{other}/concordance", params={"text": "Hund"}).json()["rows"][0]["unit"] > 1
    assert manager.get(f"{API}/projects/{other}/jobs").json()["rows"] == []
    third = manager.post(f"{API}/packages", params={"name": "Third", "assign": True}, content=package).json()["id"]
    jobs = manager.get(f"{API}/projects/{third}/jobs").json()["rows"]
    assert [(job["user"], job["role"], job["last"]) for job in jobs] == [
        ("ada", "translator", 3),
        ("ben", "reviewer", 5),
    ]
    hers = Package.from_bytes(ada.get(f"{API}/projects/{project}/package").content)
    assert (hers.memories, hers.jobs) == ({}, ())  # they are the managers'
    assert manager.post(f"{API}/packages", content=b"PK no").status_code == 422
    odd = replace(Package.from_bytes(package), name="Odd", settings={"n_suggestions": "many"}).to_bytes()
    refused = manager.post(f"{API}/packages", content=odd)
    assert (refused.status_code, "n_suggestions is 'many', which no project has" in refused.text) == (422, True)
    assert ada.post(f"{API}/packages", content=package).status_code == 403
