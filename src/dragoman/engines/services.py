"""Engines of others over HTTP: LibreTranslate's, DeepL's and Google's shapes of question and answer.

A batch that fails is tried again where that can help (a busy service says when), and then named by its segments. What a
service has answered is kept on disk where a folder is named, so that a run that was stopped goes on.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from dragoman.cache import ContentFolder, digest_of
from dragoman.engines.endpoint import Endpoint, Refusal, ServiceError, answer_folder
from dragoman.engines.results import Candidate, Request, Translation
from dragoman.engines.roles import PLAIN, Translates
from dragoman.errors import DataError
from dragoman.options import check_options, option

__all__ = ["DeepL", "Google", "LibreTranslate", "Service", "ServiceError", "one_line"]


@dataclass(frozen=True)
class Service(Translates):
    """A service that translates from one language into another."""

    name: ClassVar[str]
    required: ClassVar[tuple[str, ...]] = ("url", "source", "target")

    url: str = option("", positional=True, text="address of the service")
    source: str = option("", text="language translated from")
    target: str = option("", text="language translated into")
    key: str = option("", text="name of the environment variable that holds the key")
    batch: int = option(20, low=1, high=1000, text="segments of a request")
    timeout: float = option(30.0, low=0.01, text="seconds to wait for an answer")
    retries: int = option(4, low=0, high=20, text="further tries where a service is busy or away")
    rate: float = option(0.0, low=0.0, text="requests a minute at most; 0: no limit")
    cache: str = option("yes", text="folder that keeps answers, so that nothing is asked twice; yes: Dragoman's; no")

    def __post_init__(self) -> None:
        check_options(self)
        missing = [name for name in self.required if not getattr(self, name)]
        if missing:
            more = ",".join(f"{name}=…" for name in self.required[1:])
            raise DataError(f"The engine {self.name} needs {' and '.join(missing)}: {self.name}:URL,{more}.")
        _ = self.endpoint  # which looks at the address and the key

    @cached_property
    def endpoint(self) -> Endpoint:
        """Where it is."""
        return Endpoint(self.name, self.url, self.key, self.timeout, self.retries, self.rate)

    @cached_property
    def answers(self) -> ContentFolder | None:
        """Where answers are kept."""
        return answer_folder(self.cache)

    @property
    def languages(self) -> tuple[str, str]:
        """As they were given."""
        return self.source, self.target

    def translations(
        self,
        lines: Sequence[str],
        request: Request = PLAIN,
        *,
        n_threads: int = 1,  # noqa: ARG002
    ) -> list[Translation]:
        """The translation of each line; empty lines and those whose answer is kept are not sent."""
        texts = list(lines)
        waiting = []
        for place, line in enumerate(lines):
            kept = self._kept(line, request) if line.strip() else line
            if kept is None:
                waiting.append(place)
            else:
                texts[place] = kept
        for start in range(0, len(waiting), self.batch):
            some = waiting[start : start + self.batch]
            for place, answer in zip(some, self._asked(lines, some, request), strict=True):
                texts[place] = answer
        return [Translation(line, (Candidate(text),)) for line, text in zip(lines, texts, strict=True)]

    @abstractmethod
    def _translated(self, lines: Sequence[str], request: Request) -> list[str]:
        """The translations of a batch; a `Refusal` if there are none."""

    def _asked(self, lines: Sequence[str], places: Sequence[int], request: Request) -> list[str]:
        """The translations of some of the lines, which are kept; where they are no good, those of each half."""
        some = [lines[place] for place in places]
        try:
            answers = self._translated(some, request)
        except Refusal as refusal:
            if not refusal.lie or len(places) == 1:
                raise refusal.error(str(self.endpoint), "translate", places[0], places[-1]) from None
            half = len(places) // 2
            parts = places[:half], places[half:]
            return [answer for part in parts for answer in self._asked(lines, part, request)]
        for line, answer in zip(some, answers, strict=True):
            self._keep(line, request, answer)
        return answers

    def _circumstances(self, line: str, request: Request) -> tuple[str, ...]:  # noqa: ARG002, for subclasses
        """What an answer depends on beside the line."""
        return self.name, self.url, self.source, self.target

    def _entry(self, line: str, request: Request) -> str:
        return digest_of("\0".join((*self._circumstances(line, request), line)).encode("utf-8", "surrogatepass"))

    def _kept(self, line: str, request: Request) -> str | None:
        entry = self.answers and self.answers.load(self._entry(line, request))
        return entry[1].decode() if entry else None

    def _keep(self, line: str, request: Request, answer: str) -> None:
        if self.answers is not None:
            self.answers.store(self._entry(line, request), answer.encode())


def one_line(text: str) -> str:
    """An answer as a line of text, whatever breaks and halves of characters a service puts into it."""
    return " ".join(text.encode("utf-8", "replace").decode().splitlines()).strip()


@dataclass(frozen=True)
class _Translator(Service):
    """A service that is asked for translations alone."""

    @abstractmethod
    def _question(self, lines: Sequence[str]) -> tuple[str, Mapping[str, Any]]:
        """The path behind the address, and the body."""

    @abstractmethod
    def _answers(self, content: Any) -> list[Any]:
        """The translations in an answer; whatever goes wrong here says that the answer is no translation."""

    def _headers(self, key: str) -> dict[str, str]:  # noqa: ARG002
        return {}

    def _translated(self, lines: Sequence[str], request: Request) -> list[str]:  # noqa: ARG002
        path, body = self._question(lines)

        def read(content: Any) -> list[str]:
            answers = self._answers(content)
            if len(answers) != len(lines) or not all(isinstance(each, str) for each in answers):
                raise Refusal(f"it was asked for {len(lines)} translations and answers with {len(answers)}", lie=True)
            return [one_line(each) for each in answers]

        return self.endpoint.ask(path, body, self._headers(self.endpoint.secret), read)


@dataclass(frozen=True)
class LibreTranslate(_Translator):
    """A server of LibreTranslate's, own or public, asked over HTTP: `libretranslate:http://localhost:5000,source=de,target=en`."""

    name: ClassVar[str] = "libretranslate"

    def _question(self, lines: Sequence[str]) -> tuple[str, Mapping[str, Any]]:
        key = {"api_key": self.endpoint.secret} if self.key else {}
        body = {"q": list(lines), "source": self.source, "target": self.target, "format": "text"}
        return "/translate", {**body, **key}

    def _answers(self, content: Any) -> list[Any]:
        return list(content["translatedText"])


@dataclass(frozen=True)
class DeepL(_Translator):
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
class Google(_Translator):
    """Google's service, version 2 of its interface: `google:https://translation.googleapis.com,source=de,target=en,key=GOOGLE_KEY`."""

    name: ClassVar[str] = "google"

    def _headers(self, key: str) -> dict[str, str]:
        return {"X-Goog-Api-Key": key, "X-API-Key": key} if key else {}

    def _question(self, lines: Sequence[str]) -> tuple[str, Mapping[str, Any]]:
        body = {"q": list(lines), "source": self.source, "target": self.target, "format": "text"}
        return "/language/translate/v2", body

    def _answers(self, content: Any) -> list[Any]:
        return [each["translatedText"] for each in content["data"]["translations"]]
