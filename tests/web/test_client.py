"""The client for programs, against a real server: what it gets, and how it hears no."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from dragoman.client import Busy, Client, ServerFailed, TokenRefused, Unreachable, WrongRequest
from dragoman.data.bitext import Bitext
from dragoman.errors import DataError
from dragoman.samples import phrasebook
from dragoman.smt import EngineRecipe
from dragoman.smt.training import train_engine
from dragoman.store import Store
from dragoman.store.audit import COMMAND_LINE
from dragoman.store.people.accounts import add_user
from dragoman.store.people.tokens import make_token
from tests.web.house import CHEAP
from tests.web.running import Running

REFS = {"r": ["The cat sat on the mat.", "It rains."]}
SYSTEMS = {"a": ["The cat sat on the mat.", "It rains."], "b": ["A cat sits on a mat.", "Rain falls."]}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Address and a token for translating and scoring."""
    folder = tmp_path_factory.mktemp("client")
    book = phrasebook()
    bitext = Bitext.from_lines(book["en"][:200], book["de"][:200], source_lang="en", target_lang="de")
    train_engine(bitext, EngineRecipe(), work=folder / "work", output=folder / "engine")
    store = Store(folder / "house.db")
    store.migrate()
    with store.write() as connection:
        user = add_user(connection, "ada", "manager", CHEAP, actor=COMMAND_LINE)
        token = make_token(connection, user, name="x", scopes=["translate", "score"], actor=COMMAND_LINE)
    store.close()
    with Running(str(folder / "house.db"), "--engine", f"en-de={folder / 'engine'}", log=folder / "log") as running:
        yield running.address, token.secret


@pytest.fixture
def client(server: tuple[str, str]) -> Client:
    return Client(*server)


def test_it_translates(client: Client) -> None:
    assert client.engines() == ["en-de"]
    (one,) = client.translate(["Where is the station?"], nbest=3, alignment=True, confidence=True)
    assert one.source == "Where is the station?"
    assert one.text == one.candidates[0].text
    assert len(one.candidates) > 1
    assert len(one.candidates[0].confidence) == len(one.candidates[0].target_tokens)
    assert one.candidates[0].alignment


def test_it_scores_and_compares(client: Client) -> None:
    scored = client.score(SYSTEMS, REFS, metrics=["bleu"])
    assert {row["system"]: round(row["score"]) for row in scored.rows}["a"] == 100
    compared = client.compare(SYSTEMS, REFS, metrics=["bleu"], trials=50)
    assert compared.rows[0]["baseline"] == "a"


def test_every_no_has_its_type(client: Client, server: tuple[str, str]) -> None:
    with pytest.raises(TokenRefused, match="nobody's") as refused:
        Client(server[0], "drg_wrong").engines()
    assert (refused.value.status, refused.value.kind) == (401, "NotSignedIn")
    with pytest.raises(TokenRefused, match="scope quality"):
        client.quality(["x"], ["y"])
    with pytest.raises(WrongRequest, match="nowhere") as wrong:
        client.translate(["x"], engine="nowhere")
    assert wrong.value.status == 404
    with pytest.raises(WrongRequest, match="metrics"):
        client.score(SYSTEMS, REFS, metrics=["none-such"])


def test_nobody_there(tmp_path: Path) -> None:
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))  # taken, but nobody listens
        with pytest.raises(Unreachable, match="Is the server running"):
            Client(f"http://127.0.0.1:{held.getsockname()[1]}").engines()


def test_what_cannot_be_sent_is_not_sent() -> None:
    with pytest.raises(DataError, match="a, segment 2: a line break inside"):
        Client("http://127.0.0.1:1").score({"a": ["x", "y\nz"]}, REFS)
    with pytest.raises(DataError, match="begins with http"):
        Client("file:///etc/passwd")


@pytest.mark.parametrize(
    ("status", "kind"), [(429, Busy), (503, Busy), (500, ServerFailed), (502, ServerFailed), (413, WrongRequest)]
)
def test_answers_of_proxies_have_types_too(status: int, kind: type) -> None:
    import io
    from email.message import Message
    from urllib.error import HTTPError

    from dragoman.client import _refused

    headers = Message()
    headers["Retry-After"] = "7"
    error = _refused(HTTPError("http://x", status, "No", headers, io.BytesIO(b"<html>")))
    assert type(error) is kind
    assert (error.status, error.retry_after) == (status, 7)
