"""Engines of others over HTTP: asked in their dialect, refused with a name, a place and a reason."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import cast

import pytest

from dragoman.engines import Translates, capabilities, load_engine
from dragoman.engines.services import ServiceError
from dragoman.errors import DataError
from dragoman.testing.engines import check_engine
from tests.engines.service import FakeService

NAMES = ["libretranslate", "deepl", "google"]
LINES = ["Guten Tag", "", "Wo ist der Bahnhof?", "  "]


@pytest.fixture
def service() -> Iterator[FakeService]:
    with FakeService() as running:
        yield running


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    seconds: list[float] = []
    monkeypatch.setattr("dragoman.engines.endpoint.time.sleep", seconds.append)
    return seconds


def opened(name: str, service: FakeService, **options: object) -> Translates:
    options.setdefault("cache", "no")
    more = "".join(f",{key}={value}" for key, value in options.items())
    return cast("Translates", load_engine(f"{name}:{service.url},source=de,target=en{more}"))


@pytest.mark.parametrize("name", NAMES)
def test_a_service_keeps_the_contract_of_engines(name: str, service: FakeService) -> None:
    engine = opened(name, service)
    assert capabilities(engine) == ("translates",)
    check_engine(engine, LINES)
    assert engine.translate(LINES) == ["GUTEN TAG", "", "WO IST DER BAHNHOF?", "  "]


@pytest.mark.parametrize("name", NAMES)
def test_batches_are_as_large_as_asked_and_empty_lines_are_not_sent(name: str, service: FakeService) -> None:
    engine = opened(name, service, batch=2)
    assert engine.translate(["a", "", "b", "c"]) == ["A", "", "B", "C"]
    assert [len(body.get("q", body.get("text"))) for *_, body in service.requests] == [2, 1]


@pytest.mark.parametrize("name", NAMES)
def test_the_key_comes_from_the_environment_and_is_in_no_error(
    name: str, service: FakeService, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_KEY", "s3cr3t")
    engine = opened(name, service, key="SOME_KEY", retries=0)
    engine.translate(["a"])
    _, headers, body = service.requests[0]
    assert "s3cr3t" in json.dumps([headers, body])
    service.faults = [(403, b'{"error": "no"}', {})]
    with pytest.raises(ServiceError) as caught:
        engine.translate(["a"])
    assert "s3cr3t" not in str(caught.value) + repr(engine)
    monkeypatch.delenv("SOME_KEY")
    with pytest.raises(DataError, match="environment variable SOME_KEY"):
        opened(name, service, key="SOME_KEY")


def test_a_busy_service_is_asked_again_when_it_says(service: FakeService, waits: list[float]) -> None:
    service.faults = [(429, b"", {"Retry-After": "7"}), (503, b"", {})]
    assert opened("libretranslate", service).translate(["a"]) == ["A"]
    assert waits == [7.0, 1.0]


def test_patience_ends(service: FakeService, waits: list[float]) -> None:
    service.faults = [(500, b"", {"Retry-After": "99999"})] * 3
    with pytest.raises(ServiceError, match=r"segment 1 after 3 tries: it answers 500"):
        opened("libretranslate", service, retries=2).translate(["a"])
    assert waits == [60.0, 60.0]


def test_the_segments_that_failed_are_named(service: FakeService) -> None:
    engine = opened("deepl", service, batch=2)
    service.faults = [(200, engine_answer("A", "B"), {}), (400, b'{"message": "too rude"}', {})]
    with pytest.raises(ServiceError, match=r"did not translate segments 4 to 5: it answers 400 .*: too rude\."):
        engine.translate(["a", "b", "", "c", "d"])


def engine_answer(*texts: str) -> bytes:
    return json.dumps({"translations": [{"text": text} for text in texts]}).encode()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"<html>", "not what was asked for: b'<html>'"),
        (b"{}", "not what was asked for"),
        (b"[]", "not what was asked for"),
        (b"\xff", "not what was asked for"),
        (b"[" * 100_000, "not what was asked for"),
        (engine_answer("A", "B"), "asked for 1 translations and answers with 2"),
        (b'{"translations": [{"text": null}]}', "asked for 1"),
    ],
)
def test_a_lying_service_is_found_out(service: FakeService, content: bytes, message: str) -> None:
    service.faults = [(200, content, {})]
    with pytest.raises(ServiceError, match=message):
        opened("deepl", service).translate(["a"])


def test_a_dead_service_is_named(waits: list[float]) -> None:
    with FakeService() as service:
        engine = opened("google", service, retries=1)
    with pytest.raises(ServiceError, match=r"after 2 tries: it cannot be reached"):
        engine.translate(["a"])
    assert waits == [0.5]


def test_a_slow_service_costs_its_time(service: FakeService, monkeypatch: pytest.MonkeyPatch) -> None:
    given_up = threading.Event()
    monkeypatch.setattr(service, "answer", lambda _: given_up.wait(60) and b"{}")
    with pytest.raises(ServiceError, match=r"cannot be reached .*timed out"):
        opened("google", service, retries=0, timeout=0.2).translate(["a"])
    given_up.set()


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("deepl:", "needs url and source and target"),
        ("deepl:http://x,source=de", "needs target"),
        ("google:ftp://x,source=de,target=en", "is http:// or https://"),
        ("libretranslate:http://x,source=de,target=en,batch=0", "batch"),
    ],
)
def test_what_is_missing_is_named(spec: str, message: str) -> None:
    with pytest.raises(DataError, match=message):
        load_engine(spec)
