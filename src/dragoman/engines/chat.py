"""A chat model behind an address of OpenAI's shape: messages in, a text out, tokens and money counted."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self, TypeVar

from dragoman.cache import ContentFolder, digest_of
from dragoman.engines.bill import Bill
from dragoman.engines.endpoint import Endpoint, Refusal, answer_folder
from dragoman.errors import DataError
from dragoman.options import check_options, option, parse_spec, read_options

__all__ = ["ChatModel", "Message"]

T = TypeVar("T")
Message = dict[str, str]  # role and content

_PATH = "/chat/completions"


@dataclass(frozen=True)
class ChatModel:
    """Where a model answers, and what it is asked with."""

    name: ClassVar[str] = "chat"

    url: str = option("", positional=True, text="address before /chat/completions: https://api.openai.com/v1")
    model: str = option("", text="name of the model there")
    key: str = option("", text="name of the environment variable that holds the key")
    temperature: float = option(0.0, low=0.0, high=2.0, text="0: the likeliest answer")
    most_tokens: int = option(0, low=0, text="of an answer; 0: the service's own limit")
    timeout: float = option(120.0, low=0.01, text="seconds to wait for an answer")
    retries: int = option(4, low=0, high=20, text="further tries where a service is busy or away")
    rate: float = option(0.0, low=0.0, text="requests a minute at most; 0: no limit")
    cache: str = option("yes", text="folder that keeps answers, so that nothing is asked twice; yes: Dragoman's; no")
    price_in: float = option(0.0, low=0.0, text="price of a million tokens of questions")
    price_out: float = option(0.0, low=0.0, text="price of a million tokens of answers")

    def __post_init__(self) -> None:
        check_options(self)
        missing = [name for name in ("url", "model") if not getattr(self, name)]
        if missing:
            raise DataError(f"A chat model needs {' and '.join(missing)}: url=http://localhost:8000/v1,model=NAME.")
        _ = self.endpoint  # which looks at the address and the key

    @classmethod
    def of(cls, options: str) -> Self:
        """The model that options name: `url=http://localhost:8000/v1,model=NAME`."""
        return cls(**read_options(cls, parse_spec(f"chat:{options}")[1], title="The chat model"))

    @cached_property
    def endpoint(self) -> Endpoint:
        """Where it is."""
        return Endpoint(
            self.name, self.url.rstrip("/").removesuffix(_PATH), self.key, self.timeout, self.retries, self.rate
        )

    @cached_property
    def bill(self) -> Bill:
        """What it has cost since it was opened."""
        return Bill(self.price_in, self.price_out)

    @cached_property
    def answers(self) -> ContentFolder | None:
        """Where answers are kept."""
        return answer_folder(self.cache)

    def ask_once(self, messages: Sequence[Message], read: Callable[[str], T]) -> T:
        """What `ask` gives, from what is kept if the same was asked before; a good answer is kept."""
        if self.answers is None:
            return self.ask(messages, read)
        entry = digest_of(json.dumps([self.url, self.model, self.temperature, list(messages)]).encode())
        kept = self.answers.load(entry)
        if kept is not None:
            self.bill.add_kept()
            return read(kept[1].decode("utf-8", "surrogatepass"))
        text, value = self.ask(messages, lambda text: (text, read(text)))
        self.answers.store(entry, text.encode("utf-8", "surrogatepass"))
        return value

    def ask(self, messages: Sequence[Message], read: Callable[[str], T], *, insist: bool = True) -> T:
        """What `read` makes of the model's answer; it raises a `Refusal` for one that is not what was asked for.

        Such an answer, an empty one, and one that was cut off are asked for again if one does `insist`.
        """
        body: dict[str, Any] = {"model": self.model, "messages": list(messages), "temperature": self.temperature}
        if self.most_tokens:
            body["max_tokens"] = self.most_tokens
        secret = self.endpoint.secret
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        return self.endpoint.ask(_PATH, body, headers, lambda content: read(self._text(content)), insist=insist)

    def _text(self, content: Any) -> str:
        choice = content["choices"][0]
        text = choice["message"]["content"]
        usage = content.get("usage") or {}
        self.bill.add(_count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens")))
        if choice.get("finish_reason") == "length":
            raise Refusal("its answer was cut off at its limit of tokens", lie=True)
        if not isinstance(text, str) or not text.strip():
            raise Refusal("its answer is empty", lie=True)
        return text


def _count(value: Any) -> int:
    return value if type(value) is int and value >= 0 else 0
