"""A system's name never reaches an annotator, nor anything of the others: every byte of every answer is searched."""

from __future__ import annotations

import re

from fastapi import FastAPI

from dragoman.web.app import routes_of
from dragoman.web.logs import JsonFormatter, clean_path
from tests.web.client import PASSWORD, Client
from tests.web.house import CAMPAIGN, SYSTEMS

HIDDEN = (*SYSTEMS, '"BAD"', '"TGT"', '"REF"', '"CHK"', '"is_filler"', '"places"')


def test_no_answer_to_an_annotator_names_a_system_or_another_person(app: FastAPI) -> None:
    ada, ben = Client(app, "ada"), Client(app, "ben")
    base = f"/api/v1/campaigns/{CAMPAIGN}"
    bens = ben.get(f"{base}/work").json()["items"]
    said = {"key": "k", "item": bens[0]["item"], "answer": {"score": 77.125}}
    ben.post(f"{base}/answers", json={"events": [said]})
    seen = b""
    n_answers = 0
    work = ada.get(f"{base}/work")
    mine = [item["item"] for item in work.json()["items"]]
    for item in mine:
        answer = ada.get(f"{base}/items/{item}")
        seen += answer.content + str(answer.headers).encode()
        sent = [
            {"key": item, "item": item, "answer": {"score": 5}},
            {"key": f"{item}:", "item": item, "answer": {}},
            {"key": f"{item}-", "item": item, "answer": {"score": 500, "system": 1}},
        ]
        seen += ada.post(f"{base}/answers", json={"events": sent}).content
    foreign = next((item["item"] for item in bens if item["item"] not in mine), None)
    paths = {
        "name": CAMPAIGN,
        "item": foreign or "f00",
        "user": "ben",
        "media": "m",
        "token": "t",
        "number": "1",
        "form": "csv",
        "protocol": "da",
        "project": "1",
        "segment": "1",
        "file": "1",
    }
    for route in routes_of(app):
        where = re.sub(r"\{(\w+)\}", lambda found: paths[found.group(1)], route.path)
        for method in getattr(route, "methods", ()):  # a socket has none
            if where in ("/api/v1/session", "/logout", "/metrics") or "openapi" in where:
                continue
            answer = ada.request(method, where, **({} if method == "GET" else {"json": {}}))
            n_answers += 1
            seen += answer.content + str(answer.headers).encode()
    assert n_answers > 40
    assert len(seen) > 10_000
    text = seen.decode()
    for word in HIDDEN:
        assert word not in text, word
    assert not re.search(r'"segment":\s*\d', text)
    assert "77.125" not in text
    assert not re.search(r"\bchloe\b", text)
    # Ben stands only where Ada asked for him by name and was turned away.
    assert "'ben'" not in text


def test_injected_markup_stays_text(app: FastAPI) -> None:
    manager = Client(app, "the-manager")
    title = "<script>alert(1)</script>"
    assert manager.request("PATCH", f"/api/v1/campaigns/{CAMPAIGN}", json={"title": title}).status_code == 200
    page = Client(app, "ada").get(f"/campaigns/{CAMPAIGN}/work").text
    assert title not in page
    assert "&lt;script&gt;" in page
    form = Client(app).post("/api/v1/session", json={"name": title, "password": "x"})
    assert form.headers["content-type"] == "application/json"


def test_logs_hold_no_secrets(app: FastAPI, caplog: object) -> None:
    import logging

    lines: list[str] = []

    class Keep(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            lines.append(JsonFormatter().format(record))

    logger = logging.getLogger("dragoman.web")
    keeper = Keep()
    logger.addHandler(keeper)
    logger.setLevel("INFO")
    try:
        client = Client(app, "ada")
        client.get("/join/secret.token-of-mine?PROLIFIC_PID=worker1")
        client.get(f"/api/v1/campaigns/{CAMPAIGN}/next")
        token = client.cookies["dragoman_session"]
    finally:
        logger.removeHandler(keeper)
        logger.setLevel("NOTSET")
    text = "\n".join(lines)
    assert len(lines) == 3
    assert '"user": "ada"' in text
    assert '"path": "/join/…"' in text
    for secret in (PASSWORD, token, str(client.csrf), "secret.token", "worker1", "Bird"):
        assert secret not in text
    assert clean_path("/join/abc/x") == "/join/…/x"
