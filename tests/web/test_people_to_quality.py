"""From people who post-edit to a server that estimates: a campaign's export is all that training asks for."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from click.testing import CliRunner
from fastapi import FastAPI

from dragoman.cli.campaign import campaign
from dragoman.cli.qe import qe
from dragoman.qe import QEModel
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.judging.campaigns import create_campaign
from dragoman.store.judging.membership import add_member
from dragoman.web import Settings, create_app
from tests.human.protocol_examples import example
from tests.web.client import Client
from tests.web.judges import fill_campaign

NAME = example("post-editing").name
ASKED = {"sources": ["Guten Abend, Frau Brandt!"], "outputs": ["Good evening, Mrs Brandt!"]}


def test_the_export_feeds_training_and_the_model_takes_text_as_it_is(
    light_app: FastAPI, light_store: Store, tmp_path: Path
) -> None:
    texts = example("post-editing").test_set
    outputs = list(texts.systems["cobalt"])
    outputs[3] = ""  # engines fail now and then; a table can still be written
    with light_store.write() as connection:
        declared = replace(example("post-editing"), test_set=replace(texts, systems={"cobalt": tuple(outputs)}))
        create_campaign(connection, declared, actor=COMMAND_LINE)
        for name in ("ada", "ben"):
            add_member(connection, NAME, name, actor=COMMAND_LINE)
    fill_campaign(light_app, light_store, NAME, {"ada": 1.0, "ben": 1.0})
    table, model = tmp_path / "post-edits.csv", tmp_path / "estimator"
    house = str(tmp_path / "house.db")
    wrote = CliRunner().invoke(campaign, ["export", NAME, "-o", str(table), "--db", house])
    assert wrote.exit_code == 0, wrote.output
    trained = CliRunner().invoke(qe, ["train", "--data", str(table), "-m", str(model), "-f", "surface"])
    assert trained.exit_code == 0, trained.output
    assert "The target text is not in tokens. It is cut by 13a" in trained.stderr
    own = QEModel.load(model).predict(ASKED["sources"], ASKED["outputs"])
    server = create_app(light_store, Settings(quality=(f"own={model}",), requests_per_minute=10**6))
    told = Client(server, "the-manager").post("/v1/quality", json=ASKED).json()
    assert [each["score"] for each in told["estimates"]] == list(own.scores)
    in_tokens = {"sources": ["Guten Abend , Frau Brandt !"], "outputs": ["Good evening , Mrs Brandt !"]}
    again = Client(server, "the-manager").post("/v1/quality", json=in_tokens).json()
    assert again["estimates"][0]["score"] == told["estimates"][0]["score"]
