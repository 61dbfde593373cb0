"""A backup never depends on a report: the archive of a campaign at every stage of it, and with reports that fail."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI

from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging.exports import export_campaign
from dragoman.store.judging.restoring import restore_archive
from tests.web.client import Client
from tests.web.house import CAMPAIGN
from tests.web.judges import fill_campaign

BASE = f"/api/v1/campaigns/{CAMPAIGN}"


def test_the_archive_after_each_of_the_first_answers(light_app: FastAPI, light_store: Store) -> None:
    """Few answers give means without intervals; the figure draws the means."""
    people = [Client(light_app, "ada"), Client(light_app, "ben")]
    work = [[each["item"] for each in person.get(f"{BASE}/work").json()["items"]] for person in people]
    manager = Client(light_app, "the-manager")
    for number in range(9):
        for person, items in zip(people, work, strict=True):
            event = {"key": f"k{number}", "item": items[number], "answer": {"score": 10 * number}}
            assert person.post(f"{BASE}/answers", json={"events": [event]}).json()["refused"] == []
        sheet = manager.get(f"{BASE}/export/archive")
        assert sheet.status_code == 200, sheet.text
        with zipfile.ZipFile(io.BytesIO(sheet.content)) as archive:
            assert len(archive.read("data/answers.jsonl").splitlines()) == 2 * (number + 1)
            assert b"<html" in archive.read("index.html")
            assert "left_out" not in json.loads(archive.read("archive.json"))


@pytest.mark.parametrize(
    ("broken", "where", "words"),
    [
        ("dragoman.store.judging.archive.JudgementTable", "archive.json", "judgements.csv"),
        ("dragoman.store.judging.archive.campaign_judgements", "archive.json", "judgements.csv"),
        ("dragoman.store.judging.archive.archive_page", "archive.json", "index.html"),
        ("dragoman.store.judging.archive_page.analyse_campaign", "index.html", "Left out: ZeroDivisionError: no luck"),
        ("dragoman.store.judging.archive_page.campaign_quality", "index.html", "Left out: ZeroDivisionError: no luck"),
        ("dragoman.store.judging.archive_page.campaign_progress", "index.html", "Left out: ZeroDivisionError: no luck"),
        ("dragoman.report.pages.draw_chart", "index.html", "The figures: no luck"),
    ],
)
def test_what_cannot_be_computed_is_left_out_and_said(
    light_app: FastAPI,
    light_store: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    broken: str,
    where: str,
    words: str,
) -> None:
    def fail(*_: Any, **__: Any) -> None:
        raise ZeroDivisionError("no luck")

    fill_campaign(light_app, light_store, CAMPAIGN, {"ada": 1.0, "ben": 1.0}, tasks=1)
    monkeypatch.setattr(broken, fail)
    with light_store.read() as connection:
        content = export_campaign(connection, CAMPAIGN, "archive").content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert words in archive.read(where).decode()
        n_answers = len(archive.read("data/answers.jsonl").splitlines())
    other = Store(tmp_path / "other.db")
    other.migrate()
    assert restore_archive(other, content, actor=COMMAND_LINE).counts["answers"] == n_answers
    other.close()
