"""What items play reaches those who hold them, and nobody else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from dragoman.human.manifest import read_manifest
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging.campaigns import create_campaign
from dragoman.store.judging.membership import add_member
from dragoman.store.people.accounts import add_user
from dragoman.web import Settings, create_app
from tests.web.client import PASSWORD, Client

EXAMPLE = Path(__file__).parents[2] / "examples" / "comprehension"


def test_speech_is_heard_by_whoever_holds_the_item(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "heard"
    shutil.copytree(EXAMPLE, folder)
    manifest = folder / "manifest.toml"
    text = manifest.read_text(encoding="utf-8")
    manifest.write_text('audio = "{system}-{segment}.wav"\n' + text, encoding="utf-8")
    read = read_manifest("heard/manifest.toml")  # from another folder, as a command may name it
    for system in read.test_set.systems:
        for segment in range(1, len(read.test_set) + 1):
            (folder / f"{system}-{segment}.wav").write_bytes(f"RIFF {system} {segment}".encode())
    store = Store(tmp_path / "house.db")
    store.migrate()
    with store.write() as connection:
        create_campaign(connection, read, actor=COMMAND_LINE)
        for person in ("ann", "out"):
            add_user(connection, person, "annotator", PASSWORD, actor=COMMAND_LINE)
        add_member(connection, read.name, "ann", actor=COMMAND_LINE)
    app = create_app(store, Settings(requests_per_minute=10_000))
    ann, out = Client(app, "ann"), Client(app, "out")
    base = f"/api/v1/campaigns/{read.name}"
    items = [each["item"] for each in ann.get(f"{base}/work").json()["items"]]
    media = ann.get(f"{base}/items/{items[0]}").json()["shown"]["audio"]
    heard = ann.get(f"{base}/media/{media}")
    assert (heard.status_code, heard.content[:5]) == (200, b"RIFF ")
    assert ann.get(f"{base}/media/f00").status_code == 404
    assert out.get(f"{base}/media/{media}").status_code == 404
    store.close()
