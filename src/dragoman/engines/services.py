"""Engines of others over HTTP: LibreTranslate's, DeepL's and Google's shapes of question and answer.

A batch that fails is tried again where that can help (a busy service says when), and then named by its segments. Keys
are read from the environment, by the name of a variable: they are in no specification, log or error.
"""

from __future__ import annotations

import json
import os
import time
import urllib.error
import urllib.request
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.engines.results import Candidate, Request, Translation
from dragoman.engines.roles import PLAIN, Translates
from dragoman.errors import DataError, DragomanError
from dragoman.options import check_options, option

__all__ = ["DeepL", "Google", "LibreTranslate", "Service", "ServiceError"]

_MOST_BYTES = 64 << 20  # of an answer
_LONGEST_WAIT = 60.0  # seconds, whatever a service asks for
_AGAIN = frozenset((408, 425, 429, 500, 502, 503, 504))


class ServiceError(DragomanError):
    """A service did not translate: it cannot be reached, refuses, or answers with something else."""


class _Refusal(Exception):
    """Why a request came to nothing, and after how many seconds it may be made again; None: it is no use."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


@dataclass(frozen=True)
class Service(Translates):
    """A service that translates from one language into another."""

    name: ClassVar[str]

    url: str = option("", positional=True, text="address of the service")
    source: str = option("", text="language translated from")
    target: str = option("", text="language translated into")
    key: str = option("", text="name of the environment variable that holds the key")
    batch: int = option(20, low=1, high=1000, text="segments of a request")
    timeout: float = option(30.0, low=0.01, text="seconds to wait for an answer")
    retries: int = option(4, low=0, high=20, text="further tries where a service is busy or away")

    def __post_init__(self) -> None:
        check_options(self)
        missing = [name for name in ("url", "source", "target") if not getattr(self, name)]
        if missing:
            raise DataError(
                f"The engine {self.name} needs {' and '.join(missing)}: {self.name}:URL,source=de,target=en."
            )
        if not self.url.startswith(("http://", "https://")):
            raise DataError(f"The address of the engine {self.name} is http:// or https://, got {self.url!r}.")
        if self.key and self.key not in os.environ:
            raise DataError(
                f"The environment variable {self.key}, which is to hold the key of {self.name}, is not set."
            )

    @property
    def languages(self) -> tuple[str, str]:
        """As they were given."""
        return self.source, self.target

    def translations(
        self,
        lines: Sequence[str],
        request: Request = PLAIN,  # noqa: ARG002, it tells nothing but translations
        *,
        n_threads: int = 1,  # noqa: ARG002
    ) -> list[Translation]:
        """The translation of each line; empty lines are not sent."""
        texts = list(lines)
        places = [place for place, line in enumerate(texts) if line.strip()]
        for start in range(0, len(places), self.batch):
            some = places[start : start + self.batch]
            answers = self._asked([texts[place] for place in some], f"segments {some[0] + 1} to {some[-1] + 1}")
            for place, answer in zip(some, answers, strict=True):
                texts[place] = answer
        return [Translation(line, (Candidate(text),)) for line, text in zip(lines, texts, strict=True)]

    @abstractmethod
    def _question(self, lines: Sequence[str]) -> tuple[str, Mapping[str, Any]]:
        """The path behind the address, and the body."""

    @abstractmethod
    def _answers(self, content: Any) -> list[Any]:
        """The translations in an answer; whatever goes wrong here says that the answer is no translation."""

    def _headers(self, key: str) -> dict[str, str]:  # noqa: ARG002
        return {}

    def _asked(self, lines: Sequence[str], what: str) -> list[str]:
        for number in range(self.retries + 1):
            try:
                return self._once(lines)
            except _Refusal as refusal:
                if refusal.wait is None or number == self.retries:
                    tries = f" after {number + 1} tries" if number else ""
                    raise ServiceError(
                        f"{self.name} at {self.url} did not translate {what}{tries}: {refusal}."
                    ) from None
                time.sleep(min(max(refusal.wait, 0.5 * 2**number), _LONGEST_WAIT))
        raise AssertionError("a last try returns or raises")

    def _once(self, lines: Sequence[str]) -> list[str]:
        path, body = self._question(lines)
        headers = {"Content-Type": "application/json", "User-Agent": "dragoman"}
        headers |= self._headers(os.environ.get(self.key, "") if self.key else "")
        data = json.dumps(body).encode()
        question = urllib.request.Request(self.url.rstrip("/") + path, data, headers)  # noqa: S310, http(s) was checked
        try:
            with urllib.request.urlopen(question, timeout=self.timeout) as answer:  # noqa: S310
                content = answer.read(_MOST_BYTES + 1)
        except urllib.error.HTTPError as error:
            wait = _seconds(error.headers.get("Retry-After")) if error.code in _AGAIN else None
            raise _Refusal(f"it answers {error.code} {error.reason}{_told(error)}", wait) from None
        except (urllib.error.URLError, OSError) as error:
            reason = getattr(error, "reason", error)
            raise _Refusal(f"it cannot be reached ({reason})", 0.0) from None
        if len(content) > _MOST_BYTES:
            raise _Refusal(f"its answer is larger than {_MOST_BYTES >> 20} MiB")
        try:
            answers = self._answers(json.loads(content))
        except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
            raise _Refusal(f"its answer is no translation: {content[:80]!r}") from None
        if len(answers) != len(lines) or not all(isinstance(each, str) for each in answers):
            raise _Refusal(f"it was asked for {len(lines)} translations and answers with {len(answers)}")
        return [" ".join(each.split("\n")) for each in answers]


def _seconds(text: str | None) -> float:
    return float(text) if text and text.isascii() and text.isdigit() else 0.0


def _told(error: urllib.error.HTTPError) -> str:
    """What a service says of an error, if it is short and text."""
    try:
        content = json.loads(error.read(10_000))
        said = content.get("error") or content.get("message")
        said = said.get("message") if isinstance(said, dict) else said
    except (ValueError, AttributeError, OSError, RecursionError):
        return ""
    return f": {said[:200]}" if isinstance(said, str) else ""


@dataclass(frozen=True)
class LibreTranslate(Service):
    """A server of LibreTranslate's, own or public, asked over HTTP: `libretranslate:http://localhost:5000,source=de,target=en`."""

    name: ClassVar[str] = "libretranslate"

    def _question(self, lines: Sequence[str]) -> tuple[str, Mapping[str, Any]]:
        key = {"api_key": os.environ[self.key]} if self.key else {}
        body = {"q": list(lines), "source": self.source, "target": self.target, "format": "text"}
        return "/translate", {**body, **key}

    def _answers(self, content: Any) -> list[Any]:
        return list(content["translatedText"])


@dataclass(frozen=True)
class DeepL(Service):
    """DeepL's service, version 2 of its interface: `deepl:https://api-free.deepl.com,source=de,target=en-GB,key=DEEPL_KEY`."""

    name: ClassVar[str] = "deepl"

    def _headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"DeepL-Auth-Key {key}"} if key else {}

    def _question(self, lines: Sequence[str]) -> tuple[str, Mapping[str, Any]]:
        langs = {"source_lang": self.source.upper(), "target_lang": self.target.upper()}
        return "/v2/translate", {"text": list(lines), **langs}

    def _answers(self, content: Any) -> list[Any]:
        return [each["text"] for each in content["translations"]]


@dataclass(frozen=True)
class Google(Service):
    """Google's service, version 2 of its interface: `google:https://translation.googleapis.com,source=de,target=en,key=GOOGLE_KEY`."""

    name: ClassVar[str] = "google"

    def _headers(self, key: str) -> dict[str, str]:
        return {"X-Goog-Api-Key": key, "X-API-Key": key} if key else {}

    def _question(self, lines: Sequence[str]) -> tuple[str, Mapping[str, Any]]:
        body = {"q": list(lines), "source": self.source, "target": self.target, "format": "text"}
        return "/language/translate/v2", body

    def _answers(self, content: Any) -> list[Any]:
        return [each["translatedText"] for each in content["data"]["translations"]]
