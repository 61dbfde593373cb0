"""Values that no honest client sends: each is the caller's mistake (422), none is the server's (500)."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
from fastapi import FastAPI

from dragoman.cat.reading import TooManySegments
from dragoman.store import Store
from dragoman.web import Settings, create_app
from dragoman.web.campaigns.uploads import planned_upload, read_upload
from tests.web.client import Client
from tests.web.house import CAMPAIGN, FILES, MANIFEST

BASE = f"/api/v1/campaigns/{CAMPAIGN}"
JSON = {"Content-Type": "application/json"}
DIGITS = "9" * 5000
DEEP = "[" * 100_000 + "]" * 100_000
OTHER = MANIFEST.replace('"birds"', '"other"')


@pytest.mark.parametrize(
    ("moment", "message"),
    [
        ('"0001-01-01T00:00:00+23:59"', "before the year 1"),
        ('"9999-12-31T23:59:59-23:59"', "after 9999"),
        ("1e30", "valid datetime"),
        ("1" + "0" * 30, "valid datetime"),
    ],
)
@pytest.mark.parametrize("field", ["started", "ended"])
def test_moments_that_no_clock_shows(light_app: FastAPI, field: str, moment: str, message: str) -> None:
    ada = Client(light_app, "ada")
    item = ada.get(f"{BASE}/work").json()["items"][0]["item"]
    event = f'{{"key": "k", "item": "{item}", "answer": {{"score": 5}}, "{field}": {moment}}}'
    answer = ada.post(f"{BASE}/answers", content=f'{{"events": [{event}]}}', headers=JSON)
    assert (answer.status_code, message in answer.json()["message"]) == (422, True), answer.text


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (DEEP, "nested too deeply"),
        (f'{{"max_tasks": {DEEP}}}', "nested too deeply"),
        (f'{{"max_tasks": {DIGITS}}}', "too many digits"),
        (f'{{"max_tasks": 1{"0" * 30}}}', "max_tasks"),
        (b"\xff{", "UTF-8"),
        ("{", "JSON"),
    ],
)
@pytest.mark.parametrize("path", [f"{BASE}/invites", f"{BASE}/members", f"{BASE}/adjudications", "/api/v1/restore"])
def test_bodies_that_cannot_be_read(light_app: FastAPI, path: str, text: str | bytes, message: str) -> None:
    answer = Client(light_app, "the-manager").post(path, content=text, headers=JSON)
    assert (answer.status_code, answer.json()["kind"]) == (422, "DataError")
    assert message in answer.json()["message"]


def test_a_length_of_thousands_of_digits(light_app: FastAPI) -> None:
    answer = Client(light_app, "the-manager").post(
        f"{BASE}/invites", content=b"{}", headers=JSON | {"Content-Length": DIGITS}
    )
    assert (answer.status_code, answer.json()["kind"]) == (413, "TooLarge")


MANIFESTS = [
    (OTHER.replace("seed = 7", f"seed = {DIGITS}"), "5000 digits|digits"),
    (OTHER.replace('["ada", "ben", "chloe"]', DIGITS), "digits"),
    (OTHER + "\nx = " + "[" * 3000 + "]" * 3000, "deep"),
    (OTHER + "\nx = " + "{a = " * 3000 + "1" + "}" * 3000, "deep"),
    (OTHER + "\n[" + ".".join(["a"] * 3000) + "]\n", "deep"),
    (OTHER.replace("seed = 7", f"seed = 1{'0' * 30}"), "beyond 64 bits"),
    (OTHER.replace("redundancy = 2", "redundancy = 1000000000"), "different annotators"),
    (OTHER.replace("seed = 7", 'seed = 7\ntitle = "a\\u0000b"'), "title"),
    (OTHER.replace("seed = 7", 'seed = 7\ninstructions = "a\\u0000b"'), "instructions"),
    (OTHER.replace('source_lang = "de"', f'source_lang = "{"d" * 300}"'), "lang"),
    (OTHER.replace('"ada"', f'"{"a" * 300}"'), "aaaa"),
]


@pytest.mark.parametrize(("manifest", "message"), MANIFESTS)
def test_manifests_that_mean_harm(app: FastAPI, manifest: str, message: str) -> None:
    manager = Client(app, "the-manager")
    answer = manager.post("/api/v1/campaigns", json={"manifest": manifest, "files": FILES})
    assert answer.status_code == 422, answer.text
    assert any(word in answer.json()["message"] for word in message.split("|")), answer.text


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"annotators": DIGITS}, "New campaign"),
        ({"redundancy": DIGITS}, "redundancy is"),
        ({"redundancy": "²"}, "redundancy is"),
        ({"options": "x = " + "[" * 3000}, "deep"),
    ],
)
def test_forms_that_mean_harm(light_app: FastAPI, fields: dict[str, str], message: str) -> None:
    honest = {
        "by": "wizard",
        "name": "form",
        "protocol": "da",
        "annotators": "3",
        "source_lang": "de",
        "target_lang": "en",
    }
    files = [
        ("sources", ("s.de", FILES["source.de"].encode())),
        ("references", ("r.en", FILES["reference.en"].encode())),
        ("systems", ("a.en", FILES["one.en"].encode())),
        ("systems", ("b.en", FILES["two.en"].encode())),
    ]
    answer = Client(light_app, "the-manager").post("/campaigns", data=honest | fields, files=files)
    assert answer.status_code == 422, answer.text
    assert message in answer.text


def test_options_too_large_to_calculate_with(light_app: FastAPI) -> None:
    texts: dict[str, Any] = {"systems": [{"name": "a", "text": "x\n"}], "refs": [{"name": "r", "text": "x\n"}]}
    body = texts | {"metrics": [f"chrf:beta={'9' * 180}"]}
    answer = Client(light_app, "the-manager").post("/api/v1/score", json=body)
    assert (answer.status_code, "too large" in answer.json()["message"]) == (422, True), answer.text


@pytest.mark.parametrize("key", ["name", "version", "memories", "jobs"])
@pytest.mark.parametrize("text", ["a\ud800b", "a\0b"])
def test_packages_with_what_is_no_character(app: FastAPI, key: str, text: str) -> None:
    manager = Client(app, "the-manager")
    project = manager.post("/api/v1/cat/projects", json={"name": "p", "source_lang": "de", "target_lang": "en"}).json()
    content = manager.get(f"/api/v1/cat/projects/{project['id']}/package").content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(parts["manifest.json"]) | {"name": "other"}
    manifest[key] = {str: text, int: text, list: [text], dict: {text: text}}[type(manifest[key])]
    if key == "jobs":
        manifest[key] = [{"user": text, "role": "translator", "first": 1, "last": 1}]
    changed = io.BytesIO()
    with zipfile.ZipFile(changed, "w") as archive:
        for name, part in (parts | {"manifest.json": json.dumps(manifest).encode()}).items():
            archive.writestr(name, part)
    answer = manager.post("/api/v1/cat/packages", params={"assign": True}, content=changed.getvalue())
    # A job for somebody who is not here is left out; SQLite can look for such a name.
    assert answer.status_code == 422 or (key, answer.status_code) == ("jobs", 201), answer.text


@pytest.mark.parametrize("absent", ["Input.src", "Input.sid_0", "Input.tst_0", "Answer.scores"])
def test_a_batch_of_mechanical_turk_without_a_column(light_app: FastAPI, absent: str) -> None:
    row = {
        "HITId": "h",
        "WorkerId": "w",
        "Input.src": "de",
        "Input.trg": "en",
        "Input.item": "ad",
        "Input.rid_0": "r",
        "Input.sys_id_0": "s",
        "Input.sid_0": "1",
        "Input.tst_0": "SYSTEM",
        "Answer.scores": "0_r_50",
    }
    del row[absent]
    text = ",".join(row) + "\n" + ",".join(row.values()) + "\n"
    body = {"judgements": [{"name": "batch.csv", "text": text}]}
    answer = Client(light_app, "the-manager").post("/api/v1/ranking", json=json.loads(json.dumps(body)))
    assert answer.status_code == 422, answer.text
    assert (absent if absent.startswith("Input") else "Answer.") in answer.json()["message"]


LINES = {"a": "".join(f"Sentence {number}.\n" for number in range(20))}
LARGE = """name = "large"
protocol = "da"
annotators = {annotators}
redundancy = {redundancy}
section_size = 2
controls = {{}}
[test_set]
srcs = "a"
refs = {{r = "a"}}
systems = {{{systems}}}
source_lang = "de"
target_lang = "en"
"""


@pytest.mark.parametrize(
    ("n_systems", "redundancy", "message"),
    [
        (1, 1, ""),
        (3, 1, "The test set has 100 lines, a file counted as often as it is named"),
        (1, 46, "The campaign asks for 920 judgements; this server takes at most 900"),
    ],
)
def test_campaigns_that_are_small_to_send_and_much_to_plan(
    light_store: Store, n_systems: int, redundancy: int, message: str
) -> None:
    """A file named for many systems, or judgements by thousands of people: others wait while the plan is kept."""
    app = create_app(light_store, Settings(requests_per_minute=10**6, import_segments=90))
    manager = Client(app, "the-manager")
    systems = ", ".join(f'system{number} = "a"' for number in range(n_systems))
    manifest = LARGE.format(annotators=redundancy, redundancy=redundancy, systems=systems)
    told = manager.post("/api/v1/campaigns", json={"manifest": manifest, "files": LINES})
    page = manager.post("/campaigns", data={"manifest": manifest}, files={"files": ("a", LINES["a"].encode())})
    if not message:
        assert told.status_code == 201, told.text
        return
    assert (told.status_code, told.json()["kind"]) == (422, "TooManySegments"), told.text
    assert message in told.json()["message"]
    assert page.status_code == 422
    assert message in page.text


def test_plans_of_uploads_are_limited() -> None:
    manifest = LARGE.format(annotators=15, redundancy=15, systems='system = "a"')
    with read_upload(manifest, LINES) as declared:
        assert len(planned_upload(declared, most=35).assignments) == 15
        with pytest.raises(TooManySegments, match="35 items and tasks given to people; this server takes at most 34"):
            planned_upload(declared, most=34)
