"""A chat model as an engine: segments in batches, with terms and examples from the translator's own work."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from dragoman.cat.chat_prompt import ChatPrompt, Pair
from dragoman.cat.memory.index import MemoryIndex, MemoryUnit
from dragoman.cat.term_files import read_glossary
from dragoman.cat.terms import Glossary
from dragoman.engines.chat import ChatModel
from dragoman.engines.results import Request
from dragoman.engines.services import Service, one_line
from dragoman.errors import DataError
from dragoman.options import option
from dragoman.text.languages import language_name

__all__ = ["ChatEngine"]


@dataclass(frozen=True)
class ChatEngine(ChatModel, Service):
    """A chat model behind an address of OpenAI's shape: `chat:url=http://localhost:8000/v1,model=NAME,source=de,target=en`.

    A batch whose answer is not what was asked for is asked for again in halves, down to the segment that it is about.
    """

    name: ClassVar[str] = "chat"
    required: ClassVar[tuple[str, ...]] = ("url", "model", "source", "target")
    details = frozenset({"glossary"})

    prompt: str = option("", text="TOML file with the prompt; by default the one that comes with Dragoman")
    memory: str = option("", text="TMX file of what was translated before: the most alike are given as examples")
    examples: int = option(3, low=0, high=100, text="examples for a segment at most")
    least: float = option(50.0, low=0.0, high=100.0, text="per cent that an example's source is alike")
    terms: str = option("", text="glossary: .tbx, .tsv or .csv")

    def __post_init__(self) -> None:
        Service.__post_init__(self)
        if self._prompt.answer == "text" and self.batch != 1:
            raise DataError("A prompt that is answered by text asks for one segment at a time: batch=1.")
        _ = self._glossary, self._memory  # files that cannot be read are told before any work

    @cached_property
    def _prompt(self) -> ChatPrompt:
        return ChatPrompt.read(self.prompt or None)

    @cached_property
    def _glossary(self) -> Glossary:
        return read_glossary(self.terms, *self.languages) if self.terms else Glossary(())

    @cached_property
    def _memory(self) -> MemoryIndex:
        if not self.memory:
            return MemoryIndex()
        from dragoman.cat.memory.exchange import read_tmx  # which needs the store

        units = list(read_tmx(self.memory, *self.languages))
        if not units:
            raise DataError(f"{self.memory} has nothing from {self.source} into {self.target}.")
        return MemoryIndex(MemoryUnit(number, unit.source, unit.target) for number, unit in enumerate(units, start=1))

    def _terms_of(self, line: str, request: Request) -> list[Pair]:
        """The terms of the request and of the glossary in a line."""
        asked = [(said, wanted) for said, wanted in request.glossary if said in line]
        hits = [(line[hit.begin : hit.end], hit.terms[0]) for hit in self._glossary.look_up(line)]
        return asked + [(said, term.target) for said, term in hits if term.status != "forbidden"]

    def _examples_of(self, line: str) -> list[Pair]:
        matches = self._memory.matches(line, most=self.examples, threshold=self.least)
        return [(match.source, match.target) for match in matches]

    def _translated(self, lines: Sequence[str], request: Request) -> list[str]:
        terms = [pair for line in lines for pair in self._terms_of(line, request)]
        examples = [pair for line in lines for pair in self._examples_of(line)]
        unique = (list(dict.fromkeys(pairs)) for pairs in (terms, examples))
        langs = language_name(self.source), language_name(self.target)
        messages = self._prompt.messages(langs, lines, *unique)

        def read(text: str) -> list[str]:
            return [one_line(each) for each in self._prompt.translations(text, len(lines))]

        return self.ask(messages, read, insist=len(lines) == 1)

    def _kept(self, line: str, request: Request) -> str | None:
        answer = super()._kept(line, request)
        if answer is not None:
            self.bill.add_kept()
        return answer

    def _circumstances(self, line: str, request: Request) -> tuple[str, ...]:
        given: list[Any] = [self._prompt.digest(), self._terms_of(line, request), self._examples_of(line)]
        settings = json.dumps([self.model, self.temperature, *given])
        return (*super()._circumstances(line, request), settings)
