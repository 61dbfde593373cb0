"""What files propose for their segments, among the suggestions."""

from __future__ import annotations

import pytest
from fastapi import FastAPI

from tests.web.cat.conftest import API, make_key
from tests.web.cat.test_api import rows
from tests.web.client import Client

FILE = """<xliff version="1.2"><file source-language="de" target-language="en" datatype="plaintext" original="a"><body>
<trans-unit id="1"><source>Der <g id="1">Hund</g> schläft. Es regnet.</source>
 <alt-trans match-quality="75%" origin="archive"><source>Der <g id="1">Hund</g> bellt. Es regnet.</source>
  <target>The <g id="1">dog</g> barks. It rains.</target></alt-trans>
 <alt-trans><source>Der <g id="1">Hund</g> schläft. Es schneit.</source>
  <target>The <g id="1">dog</g> sleeps. It snows.</target></alt-trans>
 <alt-trans><target>The <g id="1">hound</g> sleeps. It rains.</target></alt-trans>
 <alt-trans match-quality="20%"><target>Hardly.</target></alt-trans>
</trans-unit></body></file></xliff>"""


def test_alternatives_of_a_file_are_suggested_with_origin_and_quality(app: FastAPI) -> None:
    """On both databases. A unit with proposals stays whole; who cuts it has none for its parts."""
    manager = Client(app, "the-manager")
    body = {"name": "Dogs", "source_lang": "de", "target_lang": "en"}
    base = f"{API}/projects/{manager.post(f'{API}/projects', json=body).json()['id']}"
    assert manager.post(f"{base}/files", params={"name": "dogs.xlf"}, content=FILE.encode()).status_code == 201
    project = int(base.rpartition("/")[2])
    (row,) = rows(manager, project)
    assert "alternatives" not in row
    told = manager.get(f"{base}/segments/{row['id']}/suggestions").json()["suggestions"]
    assert [(each["kind"], each["name"], each["score"], each["text"]) for each in told] == [
        ("file", "dogs.xlf", pytest.approx(800 / 9), "The \ue000dog\ue001 sleeps. It snows."),  # a token of nine
        ("file", "dogs.xlf", 85, "The \ue000hound\ue001 sleeps. It rains."),  # where machine translation would stand
        ("file", "archive", 75, "The \ue000dog\ue001 barks. It rains."),
    ]
    assert [each["kind"] for each in told[2]["edits"]] == ["same", "changed", "same"]
    cut = {"key": make_key(), "at": row["source"].index("Es")}
    second = manager.post(f"{base}/segments/{row['id']}/split", json=cut).json()["id"]
    for segment in (row["id"], second):
        assert manager.get(f"{base}/segments/{segment}/suggestions").json()["suggestions"] == []
    joined = manager.post(f"{base}/segments/{row['id']}/merge", json={"key": make_key()})
    assert joined.status_code == 200
