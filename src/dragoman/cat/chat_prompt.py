"""What a chat model is told and asked, from a file that people can change."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from importlib.resources import files
from typing import Self

from dragoman.engines.chat import Message
from dragoman.engines.endpoint import Refusal
from dragoman.errors import FormatError
from dragoman.files import StrPath, read_text
from dragoman.notation import parse_toml

__all__ = ["ChatPrompt", "Pair"]

Pair = tuple[str, str]  # a text of the source, and its translation

_NAME = re.compile(r"\{([a-z_]+)\}")
_FENCE = re.compile(r"\s*```[a-z]*\n(.*?)\n?```\s*", re.DOTALL)
_NAMES = {
    "system": {"source", "target", "terms", "examples"},
    "user": {"source", "target", "terms", "examples", "segments"},
    "terms": set(),
    "examples": set(),
    "term": {"said", "translation"},
    "example": {"said", "translation"},
}


@dataclass(frozen=True)
class ChatPrompt:
    """The parts of a prompt as the file has them."""

    system: str
    user: str
    terms: str
    term: str
    examples: str
    example: str
    answer: str = "json"  # or "text"

    @classmethod
    def read(cls, path: StrPath | None = None) -> Self:
        """The prompt of a TOML file, or the one that comes with the package; what it lacks is taken from that."""
        own = files("dragoman.cat.prompts").joinpath("translate.toml").read_text(encoding="utf-8")
        values = parse_toml(own)
        if path is not None:
            values |= _checked(parse_toml(read_text(path), path=path), path)
        return cls(**values)

    def messages(
        self, langs: Pair, lines: Sequence[str], terms: Sequence[Pair] = (), examples: Sequence[Pair] = ()
    ) -> list[Message]:
        """What is sent for some segments."""
        names = {
            "source": langs[0],
            "target": langs[1],
            "terms": _listed(self.terms, self.term, terms),
            "examples": _listed(self.examples, self.example, examples),
            "segments": lines[0] if self.answer == "text" else _numbered(lines),
        }
        texts = {"system": self.system, "user": self.user}
        filled = {role: _filled(text, names).strip() for role, text in texts.items()}
        return [{"role": role, "content": content} for role, content in filled.items() if content]

    def translations(self, text: str, n_segments: int) -> list[str]:
        """The translations in an answer; one that has not exactly these is refused."""
        if self.answer == "text":
            return [text.strip()]
        fence = _FENCE.fullmatch(text)
        try:
            answers = json.loads(fence[1] if fence else text)
        except (ValueError, RecursionError):
            raise Refusal(f"its answer is no JSON: {text[:80]!r}", lie=True) from None
        wanted = [str(number) for number in range(1, n_segments + 1)]
        if not isinstance(answers, dict) or sorted(answers) != sorted(wanted):
            n_answers = len(answers) if isinstance(answers, dict | list) else 1
            raise Refusal(f"it was asked for {n_segments} translations and answers with {n_answers}", lie=True)
        if not all(isinstance(answers[key], str) and answers[key].strip() for key in wanted):
            raise Refusal(f"a translation is empty or no text: {text[:80]!r}", lie=True)
        return [answers[key] for key in wanted]

    def digest(self) -> str:
        """All of it, as what answers depend on."""
        return json.dumps([getattr(self, each.name) for each in fields(self)])


def _checked(values: Mapping[str, object], path: StrPath) -> dict[str, str]:
    checked = {}
    for key, text in values.items():
        if key not in _NAMES and key != "answer":
            raise FormatError(f"a prompt has no part {key!r}; its parts: {', '.join(_NAMES)}, answer.", path=path)
        if not isinstance(text, str):
            raise FormatError(f"the part {key!r} is no text.", path=path)
        if key == "answer" and text not in ("json", "text"):
            raise FormatError(f"the answer is 'json' or 'text', got {text!r}.", path=path)
        names = _NAMES.get(key, set())
        wrong = sorted(set(_NAME.findall(text)) - names)
        if wrong and key != "answer":
            known = ", ".join(f"{{{name}}}" for name in sorted(names)) or "none"
            raise FormatError(f"the part {key!r} has no {{{wrong[0]}}}; known: {known}.", path=path)
        checked[key] = text
    if "segments" not in _NAME.findall(checked.get("user", "{segments}")):
        raise FormatError("the part 'user' lacks {segments}, what is to be translated.", path=path)
    return checked


def _filled(text: str, names: Mapping[str, str]) -> str:
    return _NAME.sub(lambda name: names.get(name[1], name[0]), text)


def _listed(opening: str, line: str, pairs: Sequence[Pair]) -> str:
    """An opening and a line for each pair; nothing if there are none."""
    lines = [_filled(line, {"said": said, "translation": translation}) for said, translation in pairs]
    return opening + "".join(lines) if lines else ""


def _numbered(lines: Sequence[str]) -> str:
    return json.dumps({str(number): line for number, line in enumerate(lines, start=1)}, ensure_ascii=False, indent=1)
