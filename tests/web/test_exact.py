"""Exports are exact: what looks like a formula to a spreadsheet program is a translation like any other."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from fastapi import FastAPI

from dragoman.human.manifest import read_manifest
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging.campaigns import create_campaign
from dragoman.store.judging.membership import add_member
from tests.web.client import Client

EXAMPLE = Path(__file__).parents[2] / "examples" / "crowd-translation" / "manifest.toml"
TEXTS = ('=HYPERLINK("http://evil.example","x")', "+1", "-1 Grad", "@SUM(A1)", '"quoted", and so on', "'=1+1")


@pytest.mark.parametrize("form", ["csv", "tsv"])
def test_formulae_stay_as_they_were_written(app: FastAPI, store: Store, form: str) -> None:
    with store.write() as connection:
        name = create_campaign(connection, read_manifest(EXAMPLE), actor=COMMAND_LINE).name
        add_member(connection, name, "ada", actor=COMMAND_LINE)
    ada, base = Client(app, "ada"), f"/api/v1/campaigns/{name}"
    items = [each["item"] for each in ada.get(f"{base}/work").json()["items"]][: len(TEXTS)]
    events = [{"key": item, "item": item, "answer": {"text": text}} for item, text in zip(items, TEXTS, strict=True)]
    assert ada.post(f"{base}/answers", json={"events": events}).json()["refused"] == []
    exported = Client(app, "the-viewer").get(f"{base}/export/{form}?raw=true").text
    rows = csv.reader(io.StringIO(exported)) if form == "csv" else [line.split("\t") for line in exported.splitlines()]
    # A quote that stands before a formula is doubled, so that a table tells by itself what was escaped.
    assert {*TEXTS[:-1], f"'{TEXTS[-1]}"} <= {cell for row in rows for cell in row}
