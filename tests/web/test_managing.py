"""The managers' interface: creating, changing, progress, judgements, exports, adjudication; health and measures."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest
from fastapi import FastAPI

from dragoman.data.judgements import read_judgements
from dragoman.store import Store
from dragoman.web import Settings, create_app
from tests.web.client import Client
from tests.web.house import CAMPAIGN, FILES, MANIFEST

BASE = f"/api/v1/campaigns/{CAMPAIGN}"
NEW = {"manifest": MANIFEST.replace('"birds"', '"more-birds"'), "files": FILES}


def test_a_campaign_from_an_upload(app: FastAPI) -> None:
    manager = Client(app, "the-manager")
    made = manager.post(
        "/api/v1/campaigns", json={**NEW, "title": "Birds", "instructions": "Read.\nJudge.", "code": "X"}
    )
    assert made.status_code == 201, made.text
    assert [(row["system"], row["least"], row["most"]) for row in made.json()["rows"]] == [
        ("kestrel-nine", 2, 2),
        ("wagtail-two", 2, 2),
    ]
    again = manager.post("/api/v1/campaigns", json=NEW)
    assert (again.status_code, again.json()["kind"]) == (409, "Conflict")
    rows = {row["name"]: row for row in manager.get("/api/v1/campaigns").json()["rows"]}
    row = rows["more-birds"]
    assert (row["title"], row["state"], row["tasks"], row["finished"], row["judged"]) == ("Birds", "open", 8, 0, 0)
    assert row["items"] == 8 * 20
    assert Client(app, "ada").get("/api/v1/campaigns/more-birds/work").json()["instructions"] == "Read.\nJudge."


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"files": {}}, r"source\.de.*"),
        ({"manifest": "name = "}, r"manifest\.toml:1: this is no TOML"),
        ({"manifest": "protocol = 'da'"}, "manifest.toml: test_set is missing"),
        ({"manifest": NEW["manifest"].replace("source.de", "/etc/passwd")}, "'/etc/passwd' leads out of the upload"),
        ({"manifest": NEW["manifest"].replace("source.de", "../../x")}, "leads out of the upload"),
        ({"manifest": NEW["manifest"].replace("one.en", "x=/etc/passwd")}, "leads out of the upload"),
        ({"manifest": NEW["manifest"].replace("one.en", "x=-")}, "leads out of the upload"),
        ({"manifest": NEW["manifest"].replace('["ada", "ben", "chloe"]', "1000000000")}, "may ask for 10,000"),
        ({"files": {"../x": "y"}}, "cannot name a file of an upload"),
        ({"files": {"/etc/x": "y"}}, "cannot name a file of an upload"),
        ({"files": {"a": "y", "a/b": "y"}}, "cannot name a file beside the others"),
        ({"media": {"a": "*"}}, "is not in base 64"),
        ({"media": {"..": base64.b64encode(b"x").decode()}}, "cannot name a file of an upload"),
        ({"manifest": NEW["manifest"].replace('"more-birds"', '"x.json"')}, "cannot name a campaign on a server"),
        ({"manifest": NEW["manifest"].replace("seed = 7", f"seed = {1 << 63}")}, "."),
        ({"return_url": "javascript:alert(1)"}, "return_url"),
    ],
)
def test_wrong_uploads_are_named_and_leave_nothing(light_app: FastAPI, change: dict[str, Any], message: str) -> None:
    import re

    manager = Client(light_app, "the-manager")
    answer = manager.post("/api/v1/campaigns", json={**NEW, **change})
    assert answer.status_code == 422, answer.text
    assert re.search(message, answer.json()["message"]), answer.json()["message"]
    assert "/tmp" not in answer.json()["message"]
    assert len(manager.get("/api/v1/campaigns").json()["rows"]) == 1


def test_who_has_nothing_to_judge_is_said_after_the_plan_too(light_app: FastAPI) -> None:
    """Documents that fit in one task, planned for three people: two of them get it."""
    text = MANIFEST.replace('"birds"', '"small"').replace('protocol = "da"', 'protocol = "da"\nlevel = "document"')
    text = text.replace("section_size = 2\ncontrols = {bad = 0.5}", "section_size = 100") + 'docs = "docs.txt"\n'
    files = {**FILES, "docs.txt": "one\n" * len(FILES["one.en"].splitlines())}
    manager = Client(light_app, "the-manager")
    made = manager.post("/api/v1/campaigns", json={"manifest": text, "files": files})
    assert made.status_code == 201, made.text
    (idle,) = made.json()["meta"]["idle"]
    said = f"nothing to judge for {idle}: plan smaller tasks"
    assert said in manager.get("/campaigns/small").text


def test_progress_judgements_exports_and_analysis(app: FastAPI, tmp_path: Any) -> None:
    viewer = Client(app, "the-viewer")
    for name, score in (("ada", 40), ("ben", 70)):
        client = Client(app, name)
        items = client.get(f"{BASE}/work").json()["items"]
        events = [
            {"key": f"{n}", "item": item["item"], "answer": {"score": score + n % 9}, "active_seconds": 6}
            for n, item in enumerate(items)
        ]
        assert not client.post(f"{BASE}/answers", json={"events": events}).json()["refused"]
    progress = viewer.get(BASE).json()
    rows = {row["annotator"]: row for row in progress["rows"]}
    assert rows["ada"]["judged"] == rows["ada"]["items"]
    assert rows["ada"]["percent"] == 100.0
    assert rows["ada"]["minutes"] == pytest.approx(0.1 * rows["ada"]["items"])
    assert progress["meta"]["judged"] == sum(row["judged"] for row in rows.values())
    told = viewer.get(f"{BASE}/judgements?limit=3&offset=1").json()
    assert len(told["rows"]) == 3
    assert told["meta"]["total"] == progress["meta"]["judged"]
    for form in ("csv", "tsv", "jsonl"):
        sheet = viewer.get(f"{BASE}/export/{form}")
        assert sheet.headers["content-disposition"] == f'attachment; filename="{CAMPAIGN}.{form}"'
        if form == "jsonl":
            assert [json.loads(line) for line in sheet.text.splitlines()][1:4] == told["rows"]
        else:
            path = tmp_path / f"x.{form}"
            path.write_bytes(sheet.content)
            assert len(read_judgements([path])) == told["meta"]["total"]
    unknown = viewer.get(f"{BASE}/export/xls")
    assert (unknown.status_code, "Known: csv" in unknown.text) == (404, True)
    assert viewer.get(f"{BASE}/analysis").json()["kind"] == "direct-assessment"
    assert viewer.get(f"{BASE}/quality").json()["kind"] == "annotator-quality"
    assert viewer.get(f"{BASE}/standing").json()["meta"]["enough"] in (True, False)


def test_members_exclusion_and_adjudication(app: FastAPI) -> None:
    manager, viewer = Client(app, "the-manager"), Client(app, "the-viewer")
    assert manager.post(f"{BASE}/members", json={"name": "the-annotator", "max_tasks": 1}).status_code == 201
    assert Client(app, "the-annotator").get(f"{BASE}/work").json()["progress"]["total"] == 20
    assert manager.put(f"{BASE}/members/ben/exclusion", json={"reason": "clicks", "renew": True}).status_code == 200
    assert {row["annotator"]: row["excluded"] for row in viewer.get(BASE).json()["rows"]}["ben"] is True
    assert manager.delete(f"{BASE}/members/ben/exclusion").status_code == 200
    assert manager.put(f"{BASE}/members/nobody/exclusion", json={}).status_code == 404
    assert manager.put(f"{BASE}/members/the-viewer/exclusion", json={}).status_code == 404
    item = Client(app, "ada").get(f"{BASE}/work").json()["items"][0]["item"]
    decision = {"key": "d1", "item": item, "answer": {"score": 33}, "note": "both were hasty"}
    for _ in range(2):
        assert manager.post(f"{BASE}/adjudications", json=decision).status_code == 201
    assert manager.post(f"{BASE}/adjudications", json={**decision, "key": "d2", "answer": {}}).status_code == 422
    assert manager.post(f"{BASE}/adjudications", json={**decision, "key": "d2", "item": "f00"}).status_code == 404
    rows = viewer.get(f"{BASE}/adjudications").json()["rows"]
    assert [(row["item"], row["by"], row["answer"]) for row in rows] == [(item, "the-manager", '{"score": 33}')]
    actions = {row["action"] for row in manager.get(f"{BASE}/audit").json()["rows"]}
    assert actions == {"campaign created", "member added", "annotator excluded", "annotator included", "adjudicated"}


def test_health_measures_and_description(app: FastAPI, store: Store) -> None:
    client = Client(app)
    assert client.get("/health").json()["database"] == store.dialect
    client.get("/api/v1/campaigns/x")
    text = Client(app, "the-admin").get("/metrics").text
    assert 'dragoman_requests_total{method="GET",route="/health",status="200"} 1' in text
    assert 'route="/api/v1/campaigns/{name}",status="401"} 1' in text
    assert 'le="+Inf"} 1' in text
    assert "dragoman_users 6" in text
    description = client.get("/api/v1/openapi.json").json()
    assert description["openapi"].startswith("3.1")
    assert "/api/v1/campaigns/{name}/answers" in description["paths"]


def test_measures_of_all_workers_are_summed(light_store: Store, tmp_path: Any) -> None:
    settings = Settings(metrics_folder=str(tmp_path))
    apps = [create_app(light_store, settings) for _ in range(2)]
    (tmp_path / "99999.json").write_text('{"dragoman_answers_saved_total": 5}')
    apps[0].state.measures.count("answers_saved", 2)
    assert "dragoman_answers_saved_total 7" in Client(apps[0], "the-admin").get("/metrics").text


def test_a_database_that_is_away_is_said(light_app: FastAPI, light_store: Store) -> None:
    from pathlib import Path

    client = Client(light_app, "ada")
    with light_store.write() as connection:
        connection.exec_driver_sql("ALTER TABLE answers RENAME TO gone")
    light_store.close()
    answer = client.post(f"{BASE}/answers", json={"events": []})
    assert (answer.status_code, answer.json()["kind"]) == (503, "Unavailable")
    assert "Nothing was saved" in answer.json()["message"]
    assert int(answer.headers["retry-after"]) > 0
    assert Path(str(light_store.url.database)).is_file()


def test_our_faults_are_answered_with_a_number(light_app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise ZeroDivisionError("secret detail")

    monkeypatch.setattr("dragoman.store.judging.work.my_campaigns", broken)
    client = Client(light_app, "ada")
    answer = client.get("/api/v1/work", headers={"X-Request-ID": "n-17"})
    assert answer.status_code == 500
    assert "n-17" in answer.json()["message"]
    assert "secret" not in answer.text
