"""Quality estimation over HTTP: the interface, its limits, and its page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi import FastAPI

from dragoman.errors import DataError
from dragoman.learn import LEARNERS
from dragoman.qe import QEModel, learn_scores, read_qe, train_model
from dragoman.qe.features.table import FeatureTable
from dragoman.qe.recipes import QERecipe
from dragoman.store import Store
from dragoman.web import Settings, create_app
from dragoman.web.models.estimators import Estimators
from tests.web.client import Client

SOURCES = ["Das Haus ist klein .", "Der Zug fährt um 7 : 15 Uhr .", "<b>Gut</b>"]
OUTPUTS = ["The house is small .", "Train goes goes goes !", ""]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model of lengths and marks, from sixty sentences whose HTER grows with the length of the output."""
    folder = tmp_path_factory.mktemp("quality")
    outputs = ["so " * (1 + place % 12) + "." for place in range(60)]
    (folder / "train.src").write_text("".join(f"Satz {place} .\n" for place in range(60)), encoding="utf-8")
    (folder / "train.mt").write_text("".join(f"{line}\n" for line in outputs), encoding="utf-8")
    (folder / "train.hter").write_text("".join(f"{(place % 12) / 12}\n" for place in range(60)), encoding="utf-8")
    train_model(read_qe(folder / "train"), QERecipe(features=("surface",), learner="ridge")).save(folder / "model")
    curved = train_model(read_qe(folder / "train"), QERecipe(features=("surface",), learner="m5p", task="hter"))
    curved.save(folder / "curved")
    return folder / "model"


@pytest.fixture
def app(light_store: Store, model: Path) -> FastAPI:
    return create_app(
        light_store,
        Settings(
            quality=(f"lsp={model}", f"other={model}", f"curved={model.parent / 'curved'}"), requests_per_minute=10**6
        ),
    )


@pytest.fixture
def client(app: FastAPI) -> Client:
    return Client(app, "the-manager")


def test_estimates_are_those_of_the_model(client: Client, model: Path) -> None:
    told = client.post("/v1/quality", json={"sources": SOURCES, "outputs": OUTPUTS, "level": 0.9}).json()
    expected = QEModel.load(model).predict(SOURCES, OUTPUTS, level=0.9)
    assert (told["model"], told["task"], told["level"]) == ("lsp", "hter", 0.9)
    for name, values in (("score", expected.scores), ("low", expected.low), ("high", expected.high)):
        assert [each[name] for each in told["estimates"]] == list(values or ())
    assert [each["source"] for each in told["estimates"]] == SOURCES
    decided = QEModel.load(model).decide(SOURCES, OUTPUTS)
    assert [each["decision"] for each in told["estimates"]] == list(decided.decisions)
    explained = QEModel.load(model).explain(SOURCES, OUTPUTS, top=3)
    assert [each["feature"] for each in told["estimates"][1]["reasons"]] == [
        each.feature for each in explained.strongest(1)
    ]
    assert client.post("/v1/quality", json={"sources": [], "outputs": []}).json()["estimates"] == []


def test_reasons_are_left_out_where_nobody_asks(client: Client) -> None:
    told = client.post("/v1/quality", json={"sources": SOURCES, "outputs": OUTPUTS, "explain": 0}).json()
    assert "reasons" not in told["estimates"][0]


@pytest.mark.parametrize(
    ("body", "status", "message"),
    [
        ({"sources": ["a", "b"], "outputs": ["a"]}, 422, "sources=2, outputs=1"),
        ({"sources": ["x"] * 101, "outputs": ["x"] * 101}, 422, "at most 100 items"),
        ({"sources": ["a\nb"], "outputs": ["a"]}, 422, "sources.0"),
        ({"sources": ["a"], "outputs": ["a"], "level": 1}, 422, "level"),
        (
            {"sources": ["a"], "outputs": ["a"], "model": "none"},
            404,
            "There is no quality model called 'none'. Known: lsp, other, curved.",
        ),
        ({"sources": ["a"], "outputs": ["a"], "good": 0.9, "bad": 0.1}, 422, "must be better than"),
    ],
)
def test_what_is_wrong_is_said(client: Client, body: dict[str, Any], status: int, message: str) -> None:
    answer = client.post("/v1/quality", json=body)
    assert answer.status_code == status
    assert message in answer.json()["message"]


def test_models_are_listed_and_asked_for(client: Client, light_store: Store) -> None:
    told = client.get("/v1/quality-models").json()
    assert told == {
        "models": [
            {"name": "lsp", "default": True},
            {"name": "other", "default": False},
            {"name": "curved", "default": False},
        ]
    }
    none = Client(create_app(light_store), "the-viewer")
    answer = none.post("/v1/quality", json={"sources": ["x"], "outputs": ["x"]})
    assert answer.status_code == 404
    assert "start it with --quality NAME=FOLDER" in answer.json()["message"]
    assert "no quality model" in none.get("/quality").text


def test_a_model_of_tables_is_refused_before_the_server_starts(tmp_path: Path) -> None:
    table = FeatureTable(("a",), np.arange(20.0)[:, np.newaxis])
    learn_scores(LEARNERS.make("ridge"), table, [place / 20 for place in range(20)], task="hter").save(tmp_path / "m")
    with pytest.raises(DataError, match="was trained on a table of features"):
        Estimators([f"m={tmp_path / 'm'}"]).check()


def test_the_page_estimates_and_keeps_what_was_typed(client: Client) -> None:
    form = {
        "csrf_token": client.csrf,
        "sources": "\r\n".join(SOURCES) + "\r\n",
        "outputs": "\r\n".join(OUTPUTS[:2]),
        "model": "other",
    }
    wrong = client.post("/quality", data=form)
    assert wrong.status_code == 422
    assert "sources=3, outputs=2" in wrong.text
    assert "&lt;b&gt;Gut" in wrong.text
    told = client.post("/quality.json", data={**form, "outputs": "\r\n".join([*OUTPUTS, ""])}).json()
    assert [row["output"] for row in told["rows"]] == OUTPUTS
    assert told["meta"]["model"] == "other"
    page = client.post("/quality", data={**form, "outputs": "\r\n".join([*OUTPUTS, ""])})
    assert page.text.count("<article") == 3
    assert "<b>Gut" not in page.text


def test_a_model_that_is_no_weighted_sum_gives_no_reasons(client: Client) -> None:
    told = client.post("/v1/quality", json={"sources": SOURCES, "outputs": OUTPUTS, "model": "curved"}).json()
    assert all("reasons" not in each for each in told["estimates"])
    form = {"csrf_token": client.csrf, "sources": "Das Haus", "outputs": "The house", "model": "curved"}
    page = client.post("/quality", data=form)
    assert page.status_code == 200
    assert page.text.count("<article") == 1
