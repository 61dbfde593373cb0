"""Samples of an eye tracker over HTTP: by consent, once, and back in replay and tables."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import pytest
from fastapi import FastAPI

from dragoman.cat.process_tables import COLUMNS
from dragoman.store import Store
from dragoman.web import create_app
from tests.web.cat.conftest import API, make_project
from tests.web.cat.test_api import rows
from tests.web.client import Client
from tests.web.conftest import PATIENT

BATCH: dict[str, Any] = {
    "key": "g1",
    "at": "2026-05-04T10:00:00Z",
    "samples": [[10 * k, 100, 50] for k in range(20)],
}


@pytest.fixture
def app(light_store: Store) -> FastAPI:
    return create_app(light_store, PATIENT)


def test_gaze_is_kept_by_consent_and_once(app: FastAPI) -> None:
    project = make_project(app)
    ada, base = Client(app, "ada"), f"{API}/projects/{project}"
    first = rows(ada, project)[0]["id"]
    assert ada.post(f"{base}/gaze", json=BATCH).json() == {"kept": 0, "consented": False}
    assert ada.put(f"{base}/consent", json={"given": True}).status_code == 200
    for _ in range(2):
        assert ada.post(f"{base}/gaze", json={**BATCH, "segment": first}).json()["consented"]
    frames = [frame for frame in ada.get(f"{base}/replay").json()["frames"] if frame["kind"] == "gaze"]
    assert [frame["data"]["samples"][1] for frame in frames] == [[10, 100, 50]]
    packed = zipfile.ZipFile(io.BytesIO(ada.get(f"{base}/log.zip").content))
    names = {name.removeprefix("project.") for name in packed.namelist()}
    assert names == set(COLUMNS) - {"au"}  # the project has no engine
    head, look = packed.read("project.fd").decode().splitlines()
    assert dict(zip(head.split("\t"), look.split("\t"), strict=True))["Dur"] == "190"


@pytest.mark.parametrize("samples", [[], [[1, 2]], [[1, 2, "x"]], [[0, 0, 0]] * 10_001])
def test_what_is_no_gaze_is_refused(app: FastAPI, samples: list[Any]) -> None:
    project = make_project(app)
    answer = Client(app, "ada").post(f"{API}/projects/{project}/gaze", json={**BATCH, "samples": samples})
    assert answer.status_code == 422
