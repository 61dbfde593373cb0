"""A client of a Dragoman server, for programs: a token, plain lists in, typed answers and typed errors out.

>>> from dragoman.client import Client
>>> client = Client("http://127.0.0.1:8000", token="drg_…")
>>> client.translate(["Where is the station?"])[0].text  # doctest: +SKIP
'Wo ist am Bahnhof?'
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from dragoman.errors import DataError, DragomanError

__all__ = [
    "Answer",
    "Busy",
    "Candidate",
    "Client",
    "Estimate",
    "Refused",
    "ServerFailed",
    "TokenRefused",
    "Translation",
    "Unreachable",
    "WrongRequest",
]

Texts = Mapping[str, Sequence[str]]  # segments by the name of a system or reference


class Unreachable(DragomanError):
    """Nobody answers at the address, or not in time."""


class Refused(DragomanError):
    """The server's no: its status, the kind of error and its words."""

    def __init__(self, message: str, *, status: int, kind: str, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind
        self.retry_after = retry_after  # seconds, where the server names them


class TokenRefused(Refused):
    """The token is wrong, over or withdrawn, or its scopes do not cover this."""


class WrongRequest(Refused):
    """What was sent is wrong: texts, names, options, size."""


class Busy(Refused):
    """The server has too much to do; ask again after `retry_after` seconds."""


class ServerFailed(Refused):
    """The fault is the server's."""


@dataclass(frozen=True)
class Candidate:
    """One translation. Alignment and confidence are of tokens, and there if they were asked for."""

    text: str
    score: float | None = None
    source_tokens: tuple[str, ...] = ()
    target_tokens: tuple[str, ...] = ()
    alignment: tuple[tuple[int, int], ...] = ()
    confidence: tuple[float, ...] = ()
    sentence_confidence: float | None = None


@dataclass(frozen=True)
class Translation:
    """A text and its translations, best first; `text` is the best."""

    source: str
    text: str
    candidates: tuple[Candidate, ...]


@dataclass(frozen=True)
class Estimate:
    """How good a translation is, within which interval, and what to do with it."""

    source: str
    output: str
    score: float
    low: float
    high: float
    decision: str | None


@dataclass(frozen=True)
class Answer:
    """A result as `--json` prints it: a kind, a row for each line of the table, and what holds for all."""

    kind: str
    rows: list[dict[str, Any]]
    meta: dict[str, Any]


class Client:
    """Speaks to one server. `token` may be left out where the server is `dragoman serve --local`."""

    def __init__(self, address: str, token: str | None = None, *, timeout: float = 120.0) -> None:
        if urlsplit(address).scheme not in ("http", "https"):
            raise DataError(f"{address!r} is no address of a server; it begins with http:// or https://.")
        self.address = address.rstrip("/")
        self.timeout = timeout  # seconds
        self._token = token

    def engines(self) -> list[str]:
        """The names of the server's engines, the default first."""
        rows = self._ask("GET", "/v1/engines")["engines"]
        return [each["name"] for each in sorted(rows, key=lambda row: not row["default"])]

    def translate(
        self,
        texts: Sequence[str],
        *,
        engine: str | None = None,
        nbest: int = 1,
        alignment: bool = False,
        confidence: bool = False,
        glossary: Sequence[tuple[str, str]] = (),
    ) -> list[Translation]:
        """Translate texts, a segment each."""
        body = {"texts": list(texts), "nbest": nbest, "alignment": alignment, "confidence": confidence}
        body |= {"engine": engine, "glossary": [list(pair) for pair in glossary]}
        told = self._ask("POST", "/v1/translate", body)
        return [
            Translation(each["source"], each["text"], tuple(_candidate(one) for one in each["candidates"]))
            for each in told["translations"]
        ]

    def score(self, systems: Texts, references: Texts, *, metrics: Sequence[str] = ("bleu", "chrf")) -> Answer:
        """Score systems against references, as `dragoman score` does."""
        return self._table("/v1/score", systems, references, {"metrics": list(metrics)})

    def compare(
        self,
        systems: Texts,
        references: Texts,
        *,
        metrics: Sequence[str] = ("bleu", "chrf"),
        test: str = "bootstrap",
        trials: int = 1000,
        seed: int = 12345,
    ) -> Answer:
        """Test systems against the first, as `dragoman compare` does."""
        options = {"metrics": list(metrics), "test": test, "trials": trials, "seed": seed}
        return self._table("/v1/compare", systems, references, options)

    def quality(self, sources: Sequence[str], outputs: Sequence[str], *, model: str | None = None) -> list[Estimate]:
        """Estimate how good translations are, without references."""
        body = {"sources": list(sources), "outputs": list(outputs), "model": model, "explain": 0}
        told = self._ask("POST", "/v1/quality", body)["estimates"]
        return [
            Estimate(each["source"], each["output"], each["score"], each["low"], each["high"], each.get("decision"))
            for each in told
        ]

    def _table(self, path: str, systems: Texts, references: Texts, options: dict[str, Any]) -> Answer:
        body = {"systems": _files(systems), "refs": _files(references), **options}
        return Answer(**self._ask("POST", path, body))

    def _ask(self, method: str, path: str, body: object = None) -> Any:
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        data = None if body is None else json.dumps(body).encode()
        request = Request(self.address + path, data=data, headers=headers, method=method)  # noqa: S310 - checked above
        try:
            with urlopen(request, timeout=self.timeout) as answer:  # noqa: S310
                return json.load(answer)
        except HTTPError as error:
            with error:
                raise _refused(error) from None
        except (URLError, TimeoutError, HTTPException, ConnectionError) as error:
            reason = getattr(error, "reason", error)
            raise Unreachable(f"No answer from {self.address}: {reason}. Is the server running?") from error
        except ValueError as error:
            raise Unreachable(f"{self.address} answers, but not as a Dragoman server does.") from error


def _files(texts: Texts) -> list[dict[str, str]]:
    for name, segments in texts.items():
        for number, segment in enumerate(segments, start=1):
            if "\n" in segment or "\r" in segment:
                raise DataError(f"{name}, segment {number}: a line break inside a segment; replace it by a space.")
    return [{"name": name, "text": "".join(f"{each}\n" for each in segments)} for name, segments in texts.items()]


def _candidate(told: Mapping[str, Any]) -> Candidate:
    return Candidate(
        told["text"],
        told.get("score"),
        tuple(told.get("source_tokens", ())),
        tuple(told.get("target_tokens", ())),
        tuple((first, second) for first, second in told.get("alignment", ())),
        tuple(told.get("confidence", ())),
        told.get("sentence_confidence"),
    )


def _refused(error: HTTPError) -> Refused:
    """The error that the server's answer tells."""
    try:
        told = json.load(error)
        message, kind = str(told["message"]), str(told["kind"])
    except (ValueError, TypeError, KeyError):  # of a proxy before the server, say
        message, kind = f"The answer is {error.code} {error.reason}.", "Refusal"
    after = error.headers.get("Retry-After", "")
    if error.code in (401, 403):
        told_as: type[Refused] = TokenRefused
    elif error.code in (429, 503):
        told_as = Busy
    else:
        told_as = WrongRequest if error.code < 500 else ServerFailed
    return told_as(message, status=error.code, kind=kind, retry_after=int(after) if after.isdecimal() else None)
