"""A chat model as an engine: what it is told, what is counted and kept, and what it may do wrong."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from dragoman.cat.chat import ChatEngine
from dragoman.cat.suggestions import machine_translations
from dragoman.cat.terms import Glossary
from dragoman.cli.main import group
from dragoman.engines import Completes, Request, capabilities, load_engine, need
from dragoman.engines.endpoint import _TURNS, ServiceError
from dragoman.errors import DataError, DragomanError
from dragoman.testing.engines import check_engine
from dragoman.web.models.engines import Engines
from tests.engines.service import FakeService, chat_answer, chat_reply

LINES = ["Guten Tag", "", "Wo ist der Bahnhof?", "  ", "Ja", "Nein"]
TMX = """<?xml version="1.0"?>
<tmx version="1.4"><header srclang="de" segtype="sentence" adminlang="en" datatype="plaintext" o-tmf="x"
creationtool="x" creationtoolversion="1"/><body><tu>
<tuv xml:lang="de"><seg>Wo ist der Bahnsteig?</seg></tuv><tuv xml:lang="en"><seg>Where is the platform?</seg></tuv>
</tu></body></tmx>"""


@pytest.fixture
def service() -> Iterator[FakeService]:
    with FakeService() as running:
        yield running


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    seconds: list[float] = []
    monkeypatch.setattr("dragoman.engines.endpoint.time.sleep", seconds.append)
    return seconds


def spec(service: FakeService, **options: object) -> str:
    values = {"model": "tiny", "source": "de", "target": "en", "cache": "no", **options}
    return f"chat:url={service.url}/v1," + ",".join(f"{key}={value}" for key, value in values.items())


def opened(service: FakeService, **options: object) -> ChatEngine:
    engine = load_engine(spec(service, **options))
    assert isinstance(engine, ChatEngine)
    return engine


def told(service: FakeService, number: int = -1) -> str:
    """All that a request said to the model."""
    return "\n".join(each["content"] for each in service.requests[number][2]["messages"])


def test_it_keeps_the_contract_of_engines(service: FakeService) -> None:
    engine = opened(service)
    assert capabilities(engine) == ("translates",)
    check_engine(engine, LINES)
    assert engine.translate(LINES) == ["GUTEN TAG", "", "WO IST DER BAHNHOF?", "  ", "JA", "NEIN"]
    path, _, body = service.requests[0]
    assert path == "/v1/chat/completions"
    assert (body["model"], body["temperature"]) == ("tiny", 0.0)
    assert "from German into English" in told(service)
    with pytest.raises(
        DataError, match=r"engine chat lacks the role 'completes'; it has: translates. .* neural, phrase"
    ):
        need(engine, Completes)


def test_terms_and_examples_of_a_segment_are_told(service: FakeService, tmp_path: Path) -> None:
    (tmp_path / "memory.tmx").write_text(TMX)
    (tmp_path / "terms.tsv").write_text("Bahnhof\tstation\nTag\tday\tforbidden\n")
    engine = opened(service, memory=tmp_path / "memory.tmx", terms=tmp_path / "terms.tsv", batch=1)
    engine.translate(LINES)
    assert "platform" not in told(service, 0)
    assert "day" not in told(service, 0)
    assert "- Wo ist der Bahnsteig? → Where is the platform?" in told(service, 1)
    assert "- Bahnhof → station" in told(service, 1)
    engine.translations(["Guten Tag"], Request(glossary=(("Tag", "afternoon"), ("Nacht", "night"))))
    assert "- Tag → afternoon" in told(service)
    assert "night" not in told(service)


def test_a_prompt_is_a_file(service: FakeService, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prompt = tmp_path / "prompt.toml"
    prompt.write_text('answer = "text"\nsystem = ""\nuser = "Say {\\"a\\": 1} in {target}: {segments}"\n')
    monkeypatch.setattr(service, "answer", lambda body: chat_reply(body["messages"][0]["content"] + "\n!"))
    assert opened(service, prompt=prompt, batch=1).translate(["Ja {source}"]) == [
        'Say {"a": 1} in English: Ja {source} !'
    ]
    assert len(service.requests[0][2]["messages"]) == 1
    with pytest.raises(DataError, match="one segment at a time: batch=1"):
        opened(service, prompt=prompt)
    for text, message in [
        ("ansver = 'text'", r"prompt.toml: a prompt has no part 'ansver'; its parts: system, user"),
        ("answer = 'xml'", r"prompt.toml: the answer is 'json' or 'text', got 'xml'"),
        ("system = 3", r"prompt.toml: the part 'system' is no text"),
        ("term = '{sayd}'", r"prompt.toml: the part 'term' has no \{sayd\}; known: \{said\}, \{translation\}"),
        ("user = 'translate'", r"prompt.toml: the part 'user' lacks \{segments\}"),
        ("user = ", r"prompt.toml:1: this is no TOML"),
    ]:
        prompt.write_text(text)
        with pytest.raises(DataError, match=message):
            opened(service, prompt=prompt)


def test_what_was_answered_is_kept_and_what_it_depended_on_is_looked_at(service: FakeService, tmp_path: Path) -> None:
    engine = opened(service, cache=tmp_path, batch=2)
    first = engine.translate(LINES)
    assert len(service.requests) == 2
    again = opened(service, cache=tmp_path, batch=3)
    assert again.translate(LINES) == first
    assert len(service.requests) == 2
    assert str(again.bill) == "requests: 0; tokens: 0 in, 0 out; answers that were on disk: 4"
    again.translations(LINES, Request(glossary=(("Tag", "day"),)))
    assert len(service.requests) == 3  # the line with the term alone
    opened(service, cache=tmp_path, model="other").translate(LINES[:1])
    opened(service, cache=tmp_path, target="fr").translate(LINES[:1])
    assert len(service.requests) == 5


def test_nothing_done_before_a_failure_is_lost(service: FakeService, tmp_path: Path) -> None:
    lines = [f"Satz {number}" for number in range(150)]
    answers = iter(range(100))
    whole = service.answer

    def failing(body: Any) -> bytes:
        if next(answers) == 9:
            service.faults.append((401, b'{"error": {"message": "no credit"}}', {}))
        return whole(body)

    service.answer = failing  # type: ignore[method-assign]
    text, out = tmp_path / "text", tmp_path / "out"
    text.write_text("\n".join(lines) + "\n")
    engine = spec(service, cache=tmp_path / "kept", batch=10, retries=0)
    command = ["translate", str(text), "-m", engine, "--threads", "1", "-o", str(out)]
    done = CliRunner().invoke(group, command)
    assert done.exit_code != 0
    assert isinstance(done.exception, ServiceError)
    # 64 lines go to the engine at a time, ten in a request: the eleventh begins thirty lines behind the first 64
    assert re.search(
        r"did not translate segments 95 to 104: it answers 401 Unauthorized: no credit\.", str(done.exception)
    )
    assert not out.exists()
    n_before = len(service.requests)
    done = CliRunner().invoke(group, command)
    assert done.exit_code == 0, done.output
    assert out.read_text().splitlines() == [line.upper() for line in lines]
    sent = [json.loads(told(service, k).rpartition("\n\n")[2]) for k in range(n_before, len(service.requests))]
    assert sum(map(len, sent)) == 150 - 94


def test_tokens_and_cost_are_counted(service: FakeService, tmp_path: Path) -> None:
    engine = opened(service, batch=2, price_in=2.5, price_out=10)
    engine.translate(["a", "b", "c"])
    assert (engine.bill.n_requests, engine.bill.tokens_in, engine.bill.tokens_out) == (2, 200, 20)
    assert engine.bill.cost == pytest.approx((200 * 2.5 + 20 * 10) / 1e6)
    text = tmp_path / "text"
    text.write_text("a\nb\n")
    done = CliRunner().invoke(group, ["translate", str(text), "-m", spec(service, price_in=1000, price_out=1000)])
    assert done.stdout == "A\nB\n"
    assert done.stderr == "Engine: requests: 1; tokens: 100 in, 10 out; cost: 0.1100\n"


def test_the_key_is_sent_and_told_nobody(service: FakeService, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_KEY", "s3cr3t")
    engine = opened(service, key="SOME_KEY", retries=0)
    engine.translate(["a"])
    assert service.requests[0][1]["Authorization"] == "Bearer s3cr3t"
    said = [repr(engine), str(engine.bill), repr(engine.endpoint), spec(service, key="SOME_KEY")]
    for fault in (
        (401, b'{"error": {"message": "the key s3cr3t is wrong"}}', {}),
        (200, b"s3cr3t", {}),
        (302, b"", {"Location": f"{service.url}/elsewhere"}),
    ):
        service.faults = [fault]
        with pytest.raises(ServiceError) as caught:
            engine.translate(["a"])
        said += [str(caught.value), repr(caught.value)]
    assert not [text for text in said if "s3cr3t" in text]
    assert {path for path, *_ in service.requests} == {"/v1/chat/completions"}  # no redirection was followed
    monkeypatch.setenv("SOME_KEY", "s3c\nr3t")
    with pytest.raises(ServiceError, match="look at the address and the key") as caught:
        engine.translate(["a"])
    assert "r3t" not in str(caught.value)


def test_a_busy_model_is_asked_again_when_it_says(service: FakeService, waits: list[float]) -> None:
    service.faults = [(429, b"", {"Retry-After": "7"}), (529, b"", {}), (503, b"", {})]
    with pytest.raises(ServiceError, match=r"segment 1 after 2 tries: it answers 529"):
        opened(service).translate(["a"])
    assert waits == [7.0]
    assert opened(service).translate(["a"]) == ["A"]


def test_no_more_is_asked_in_a_minute_than_allowed(service: FakeService, waits: list[float]) -> None:
    _TURNS._next.clear()
    opened(service, rate=30, batch=1).translate(["a", "b", "c"])
    assert [round(each) for each in waits] == [2, 4]  # nobody slept: turns are two seconds apart


LIES = [
    (chat_reply("Gerne! Here you are"), "its answer is no JSON: 'Gerne! Here you are'"),
    (chat_reply('["A"]'), "asked for 1 translations and answers with 1"),
    (chat_reply('{"1": "A", "2": "B", "3": "C"}'), "asked for 1 translations and answers with 3"),
    (chat_reply('{"1": " "}'), "a translation is empty or no text"),
    (chat_reply('{"1": null}'), "a translation is empty or no text"),
    (chat_reply('{"1": "A'), "its answer is no JSON"),
    (chat_reply('{"1": "A"}', "length"), "its answer was cut off at its limit of tokens"),
    (chat_reply(""), "its answer is empty"),
    (chat_reply(None), "its answer is empty"),
    (b'{"choices": []}', "not what was asked for"),
    (b"<html>", "not what was asked for: b'<html>'"),
    (b"", "not what was asked for: b''"),
    (chat_reply('{"1": "A"}')[:50], "not what was asked for"),
]


@pytest.mark.parametrize(("lie", "message"), LIES, ids=[message for _, message in LIES])
def test_a_lying_model_is_found_out_at_the_segment(
    lie: bytes, message: str, service: FakeService, waits: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(body: Any) -> bytes:
        return lie if "Nein" in body["messages"][-1]["content"] else chat_answer(body)

    monkeypatch.setattr(service, "answer", answer)
    with pytest.raises(ServiceError, match=rf"did not translate segment 6 after 2 tries: .*{re.escape(message)}"):
        opened(service, retries=1).translate(LINES)
    sizes = [len(json.loads(told(service, k).rpartition("\n\n")[2])) for k in range(len(service.requests))]
    assert sizes == [4, 2, 2, 1, 1, 1]  # halves, and the culprit twice
    service.faults = [(200, lie, {})]
    assert opened(service, retries=1).translate(["Ja"]) == ["JA"]  # it is better the second time


def test_an_answer_between_fences_is_one(service: FakeService) -> None:
    service.faults = [(200, chat_reply('```json\n{"1": "A\\nB\\ud800"}\n```'), {})]
    assert opened(service).translate(["a"]) == ["A B?"]


def test_a_dead_model_is_named(waits: list[float]) -> None:
    with FakeService() as service:
        engine = opened(service, retries=1)
    with pytest.raises(
        ServiceError, match=r"chat at http\S+ did not translate segment 2 after 2 tries: it cannot be reached"
    ):
        engine.translate(["", "a"])
    assert waits == [0.5]


def test_a_slow_model_costs_its_time(service: FakeService, monkeypatch: pytest.MonkeyPatch) -> None:
    given_up = threading.Event()
    monkeypatch.setattr(service, "answer", lambda _: given_up.wait(60) and b"{}")
    with pytest.raises(ServiceError, match=r"segments 1 to 2: it cannot be reached .*timed out"):
        opened(service, retries=0, timeout=0.2).translate(["a", "b"])
    given_up.set()


def test_segments_of_the_workbench_are_named_by_their_places(service: FakeService) -> None:
    glossary = Glossary((), "de", "en")
    segments: list[tuple[str, tuple[()]]] = [("Ja", ()), ("Nein", ())]
    found = machine_translations(opened(service), "chat", segments, glossary, score=70)
    assert [each.text for each in found] == ["JA", "NEIN"]
    service.faults = [(400, b"", {})]
    with pytest.raises(ServiceError, match="segments 1 to 2"):
        machine_translations(opened(service), "chat", segments, glossary, score=70)


def test_the_server_translates_with_it(service: FakeService) -> None:
    engines = Engines([f"talk={spec(service)}"])
    engines.check()
    name, (said,) = engines.translate(["Guten Tag"], Request(glossary=(("Tag", "day"),)))
    assert (name, said.text) == ("talk", "GUTEN TAG")
    assert "- Tag → day" in told(service)
    assert engines.described("talk") == (("de", "en"), ("translates",), ["glossary"])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("chat:", "needs url and model and source and target"),
        ("chat:url=http://x,source=de,target=en", "needs model"),
        ("chat:url=ftp://x,model=m,source=de,target=en", "is http:// or https://"),
        ("chat:url=http://x,model=m,source=de,target=en,key=NO_SUCH_KEY", "environment variable NO_SUCH_KEY"),
        ("chat:url=http://x,model=m,source=de,target=en,memory=nowhere.tmx", "nowhere.tmx"),
        ("chat:url=http://x,model=m,source=de,target=en,terms=nowhere.tsv", "nowhere.tsv"),
    ],
)
def test_what_is_missing_is_named(text: str, message: str) -> None:
    with pytest.raises((DragomanError, OSError), match=message):
        load_engine(text)
