"""Exports are read back by our own readers, archives restored; damaged and hostile ones are refused by name."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from dragoman.data import FORMATS
from dragoman.data.formats.mtme_scores import find_scores, read_scores
from dragoman.data.judgements import Judgements, read_judgements
from dragoman.errors import DataError
from dragoman.human.manifest import read_manifest
from dragoman.web import Settings, Store, create_app
from dragoman.web.accounts import add_user, find_user
from dragoman.web.archive import restore_archive, write_archive
from dragoman.web.audit import COMMAND_LINE
from dragoman.web.browsing import browse_answers
from dragoman.web.campaigns import create_campaign, find_campaign, material_of
from dragoman.web.deciding import adjudicate
from dragoman.web.exports import FORMS, export_campaign, list_forms
from dragoman.web.membership import add_member, exclude
from dragoman.web.refusals import Conflict
from dragoman.web.results import campaign_judgements, campaign_progress
from dragoman.web.state import campaign_quality
from tests.web.client import PASSWORD, Client
from tests.web.house import CAMPAIGN
from tests.web.judges import fill_campaign

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = {"da": "sample-da", "esa": "sample-esa", "mqm": "sample-mqm", "ranking": "sample-ranking",
         "pairwise": "sample-pairwise", "comprehension": "sample-comprehension"}  # fmt: skip


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, FastAPI]]:
    """A house with some examples, a part of each judged."""
    store = Store(tmp_path_factory.mktemp("full") / "house.db")
    store.migrate()
    app = create_app(store, Settings(requests_per_minute=100_000))
    with store.write() as connection:
        add_user(connection, "root", "admin", PASSWORD, actor=COMMAND_LINE)
        for name in ("vera", "walt"):
            add_user(connection, name, "annotator", PASSWORD, actor=COMMAND_LINE)
        for folder, name in NAMES.items():
            create_campaign(connection, read_manifest(EXAMPLES / folder / "manifest.toml"), actor=COMMAND_LINE)
            for person in ("vera", "walt"):
                add_member(connection, name, person, actor=COMMAND_LINE)
    for name in NAMES.values():
        fill_campaign(app, store, name, {"vera": 1.0, "walt": 0.6}, tasks=2)
    yield store, app
    store.close()


def exported(store: Store, name: str, form: str, folder: Path) -> tuple[Path, Judgements]:
    with store.read() as connection:
        sheet = export_campaign(connection, name, form)
        told = campaign_judgements(connection, name)
    path = folder / sheet.name
    path.write_bytes(sheet.content)
    return path, told


def same(found: Judgements, told: Judgements, *names: str, types: tuple[str, ...] = ()) -> None:
    """The same judgements, in any order, as far as these fields go."""
    rows = [row for row in told.rows() if not types or row["type"] in types]
    assert sorted(tuple(map(str, (row[n] for n in names))) for row in found.rows()) == sorted(
        tuple(map(str, (row[n] for n in names))) for row in rows
    )
    assert len(found)


def test_own_tables(full: tuple[Store, FastAPI], tmp_path: Path) -> None:
    for form in ("csv", "tsv", "jsonl"):
        path, told = exported(full[0], "sample-esa", form, tmp_path)
        if form == "jsonl":
            assert [json.loads(line) for line in path.read_text().splitlines()] == list(map(dict, told.rows()))
        else:
            assert read_judgements([path]) == told


def test_parquet(full: tuple[Store, FastAPI], tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    path, told = exported(full[0], "sample-da", "parquet", tmp_path)
    found = FORMATS.make("parquet").read(path)
    assert [dict(zip(found.columns, row, strict=True)) for row in found.rows] == list(map(dict, told.rows()))


@pytest.mark.parametrize("name", ["sample-ranking", "sample-pairwise"])
def test_rankings(full: tuple[Store, FastAPI], tmp_path: Path, name: str) -> None:
    path, told = exported(full[0], name, "wmt", tmp_path)
    found = FORMATS.make("wmt-ranking").read(path)
    ranked = [each for each in told.columns if each.startswith(("system", "rank"))]
    same(found, told, "annotator", "segment", *[each for each in ranked if each in found.columns])


def test_appraise(full: tuple[Store, FastAPI], tmp_path: Path) -> None:
    path, told = exported(full[0], "sample-da", "appraise", tmp_path)
    found = FORMATS.make("appraise-da").read(path)
    same(found, told, "annotator", "system", "segment", "type", "score", "target_lang")
    path, told = exported(full[0], "sample-esa", "appraise", tmp_path)
    found = FORMATS.make("appraise-esa").read(path)
    same(found, told, "annotator", "system", "segment", "severity", "start", "end", "score")


def test_pearmut(full: tuple[Store, FastAPI], tmp_path: Path) -> None:
    path, told = exported(full[0], "sample-esa", "pearmut", tmp_path)
    found = FORMATS.make("pearmut").read(path)
    same(found, told, "annotator", "system", "severity", "start", "end", "score", "target", types=("TGT",))
    path, told = exported(full[0], "sample-da", "pearmut", tmp_path)
    same(FORMATS.make("pearmut").read(path), told, "annotator", "system", "score", types=("TGT",))


def test_mqm(full: tuple[Store, FastAPI], tmp_path: Path) -> None:
    path, told = exported(full[0], "sample-mqm", "mqm", tmp_path)
    found = FORMATS.make("mqm").read(path)
    same(found, told, "annotator", "system", "segment", "severity", "category", "start", "end", "target")


def test_metrics_eval(full: tuple[Store, FastAPI], tmp_path: Path) -> None:
    path, told = exported(full[0], "sample-esa", "mtme", tmp_path)
    with zipfile.ZipFile(path) as archive:
        archive.extractall(tmp_path)
    folder = tmp_path / "sample-esa"
    test_set = FORMATS.make("mtme").read(folder)
    with full[0].read() as connection:
        _, original = material_of(connection, find_campaign(connection, "sample-esa"))
    assert dict(test_set.systems) == dict(original.systems)
    files = find_scores(folder, "de-en")
    assert {file.name for file in files} >= {"de-en.ESA_mqm.seg.score", "de-en.ESA_score.sys.score"}
    scores = read_scores(folder / "human-scores" / "de-en.ESA_score.seg.score")
    scores.check(test_set)
    judged = {(row["system"], row["segment"]) for row in told.rows()}
    given = {
        (system, n) for system, row in scores.by_system.items() for n, each in enumerate(row, 1) if each is not None
    }
    assert given <= judged
    assert given


def test_what_does_not_fit_is_said(full: tuple[Store, FastAPI]) -> None:
    with full[0].read() as connection:
        with pytest.raises(DataError, match=r"mqm has no place for direct-assessment judgements\. Fitting: csv, tsv"):
            export_campaign(connection, "sample-da", "mqm")
        fits = {row["form"]: row["fits"] for row in list_forms(connection, "sample-da").to_dict()["rows"]}
    assert fits["appraise"]
    assert not fits["wmt"]
    client = Client(full[1], "root")
    for form in [form for form, good in fits.items() if good and form != "parquet"]:
        answer = client.get(f"/api/v1/campaigns/sample-da/export/{form}")
        assert answer.status_code == 200, answer.text
        assert FORMS[form].suffix in answer.headers["content-disposition"]


def said(store: Store, name: str) -> Any:
    with store.read() as connection:
        rows = browse_answers(connection, name, limit=500).to_dict()["rows"]
        progress = campaign_progress(connection, name).to_dict()["rows"]
        return (
            [{key: row[key] for key in row if key != "received"} for row in rows], progress,
            campaign_judgements(connection, name), campaign_quality(connection, name),
        )  # fmt: skip


@pytest.mark.parametrize("name", ["sample-da", "sample-mqm", "sample-comprehension"])
def test_an_archive_brings_everything_back(full: tuple[Store, FastAPI], store: Store, name: str) -> None:
    with full[0].write() as connection:
        exclude(connection, name, "walt", reason="clicks", actor=COMMAND_LINE)
        row = browse_answers(connection, name).to_dict()["rows"][0]
        user = find_user(connection, "root")
        told = json.loads(str(row["answer"]))
        adjudicate(connection, name, str(row["item"]), told, user=user, key="k", note="so", actor=COMMAND_LINE)
    with full[0].read() as connection:
        content = write_archive(connection, name)
        assert write_archive(connection, name) == content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert {"index.html", "judgements.csv", "manifest.toml", "archive.json"} <= set(archive.namelist())
        assert b"argon2" not in content
        assert b"<html" in archive.read("index.html")
    with store.write() as connection:
        done = restore_archive(connection, content, actor=COMMAND_LINE)
        assert set(done.accounts) >= {"vera", "walt"}
    before, after = said(full[0], name), said(store, name)
    assert before == after
    with store.read() as connection:
        assert find_campaign(connection, name).state == "paused"
        again = write_archive(connection, name)
    with zipfile.ZipFile(io.BytesIO(again)) as one, zipfile.ZipFile(io.BytesIO(content)) as two:
        assert one.read("data/answers.jsonl").count(b"\n") == two.read("data/answers.jsonl").count(b"\n")
        assert one.read("manifest.toml") == two.read("manifest.toml")
    with store.write() as connection, pytest.raises(Conflict, match="restore it by another name"):
        restore_archive(connection, content, actor=COMMAND_LINE)
    with store.write() as connection:
        assert restore_archive(connection, content, actor=COMMAND_LINE, name="twin").campaign == "twin"


def changed(content: bytes, path: str, text: bytes | None) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(stream, "w") as new:
        for entry in old.infolist():
            if entry.filename != path:
                new.writestr(entry.filename, old.read(entry))
        if text is not None:
            new.writestr(path, text)
    return stream.getvalue()


def test_damaged_archives_are_refused_and_leave_nothing(store: Store, app: FastAPI) -> None:
    fill_campaign(app, store, CAMPAIGN, {"ada": 1.0}, tasks=1)
    with store.read() as connection:
        content = write_archive(connection, CAMPAIGN)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        answers = archive.read("data/answers.jsonl")
        campaign = json.loads(archive.read("data/campaign.jsonl"))
        members = archive.read("data/members.jsonl")
    cases = [
        (b"no zip", "This is no zip archive"),
        (changed(content, "archive.json", None), "The archive has no archive.json"),
        (changed(content, "archive.json", b'{"archive": 99}'), "written by another version"),
        (changed(content, "data/items.jsonl", b"[]\n"), "line 1: this is no JSON object"),
        (changed(content, "data/items.jsonl", b""), "The archive is damaged"),
        (changed(content, "data/campaign.jsonl", b""), "The archive is damaged"),
        (changed(content, "data/answers.jsonl", answers.replace(b'"score": ', b'"score": 9')), "expected"),
        (changed(content, "data/answers.jsonl", answers + answers), "its parts do not fit each other"),
        (changed(content, "data/campaign.jsonl", json.dumps(campaign | {"name": "../x"}).encode()), "cannot name"),
        (changed(content, "data/campaign.jsonl", json.dumps(campaign | {"name": "new"}).encode()), "cannot name"),
        (changed(content, "data/campaign.jsonl", json.dumps(campaign | {"name": "b", "return_url": "javascript:x"})
                 .encode()), "no address"),
        (changed(content, "data/members.jsonl", members.replace(b"ada", b"the-admin")), "account of this name here is"),
    ]  # fmt: skip
    for damaged, message in cases:
        with pytest.raises((DataError, Conflict), match=message), store.write() as connection:
            restore_archive(connection, damaged, actor=COMMAND_LINE, name=None if message == "cannot name" else "other")
    manager = Client(app, "the-manager")
    assert len(manager.get("/campaigns.json").json()["rows"]) == 1
    sent = manager.post("/campaigns/restore", data={"name": "other"}, files={"archive": ("a.zip", b"nothing")})
    assert (sent.status_code, "This is no zip archive" in sent.text) == (422, True)
    sent = manager.post("/campaigns/restore", data={"name": "other"}, files={"archive": ("a.zip", content)})
    assert sent.headers.get("location") == "/campaigns/other"
    wrong = manager.post("/api/v1/restore", json={"archive": "*"})
    assert "not in base 64" in wrong.text
