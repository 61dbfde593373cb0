"""Rules that text is checked by. They are data: a file a language (`rules/es.json`), one for all (`rules/any.json`)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

from dragoman.errors import FormatError

__all__ = ["CHECKS", "Agreement", "Attachment", "Pattern", "Rule", "Rules", "TokenTest", "read_rules", "rules_of"]

# What rules may be called. Several rules share a name: the papers count, say, all wrong forms of small words together.
CHECKS = (
    "word-repeat",
    "double-punctuation",
    "word-form",
    "split-contraction",
    "subject-verb",
    "noun-phrase",
    "dangling-determiner",
)
FEATURES = ("Number", "Gender", "Person")
_ANY = "any"


@dataclass(frozen=True)
class TokenTest:
    """What a token of a pattern must be."""

    form: str = ""  # a regular expression for the whole token
    case: bool = False  # does case matter?
    same: int = 0  # −1: the token is that before it, whatever its case


@dataclass(frozen=True)
class Pattern:
    """Tokens in a row that should not be there."""

    name: str
    text: str  # what is wrong, for people
    tokens: tuple[TokenTest, ...]
    write: str = ""  # what should stand there, where that is one word
    unless: tuple[str, ...] = ()  # first tokens, in small letters, that are right


@dataclass(frozen=True)
class Agreement:
    """Words with a relation that must have a value in common, where both have one.

    The other word is the head of the relation, or the finite verb of the head: itself or its auxiliary or copula. Heads
    may have to have a tag, a verb form, or dependents with a relation. Nothing is said where either word has a
    coordinated one: two singulars are a plural.
    """

    name: str
    text: str
    relations: tuple[str, ...]
    features: tuple[str, ...]
    finite: bool = False
    heads: tuple[str, ...] = ()
    head_forms: tuple[str, ...] = ()
    head_has: tuple[str, ...] = ()


@dataclass(frozen=True)
class Attachment:
    """Words with a tag that must hang on a word with one of some tags."""

    name: str
    text: str
    tags: tuple[str, ...]
    heads: tuple[str, ...]


Rule = Pattern | Agreement | Attachment


@dataclass(frozen=True)
class Rules:
    """The rules of a language, and its words that point: `now`, `here`, `this`."""

    rules: tuple[Rule, ...]
    deictics: frozenset[str]

    def called(self, name: str) -> tuple[Rule, ...]:
        """The rules of a name, or all."""
        return tuple(rule for rule in self.rules if name in ("all", rule.name))


@lru_cache(maxsize=64)
def rules_of(language: str) -> Rules:
    """The rules of all languages and those of one; a language without a file has none of its own."""
    folder = files("dragoman.qe") / "checks" / "rules"
    parts = [folder / f"{_ANY}.json"]
    own = folder / f"{language}.json"
    if language and language != _ANY and own.is_file():
        parts.append(own)
    return read_rules({part.name: json.loads(part.read_text(encoding="utf-8")) for part in parts})


def read_rules(parts: Mapping[str, Any]) -> Rules:
    """Rules from what such files hold, by their names."""
    rules: list[Rule] = []
    deictics: set[str] = set()
    unless = {name: tuple(words) for part in parts.values() for name, words in part.get("except", {}).items()}
    for file, part in parts.items():
        strange = sorted(set(part) - {"about", "deictics", "except", "patterns", "agreement", "attachment"})
        if strange:
            raise FormatError(f"rules have no {strange[0]!r}.", path=file)
        try:
            rules += [_pattern(entry, unless) for entry in part.get("patterns", ())]
            rules += [_agreement(entry) for entry in part.get("agreement", ())]
            rules += [Attachment(**_lists(entry)) for entry in part.get("attachment", ())]
        except (KeyError, TypeError) as error:
            raise FormatError(f"a rule is not as rules are: {error}.", path=file) from None
        deictics |= set(part.get("deictics", ()))
    wrong = [rule.name for rule in rules if rule.name not in CHECKS]
    if wrong:
        raise FormatError(f"no check is called {wrong[0]!r}. Known: {', '.join(CHECKS)}.", path=", ".join(parts))
    return Rules(tuple(rules), frozenset(deictics))


def _pattern(entry: Mapping[str, Any], unless: Mapping[str, tuple[str, ...]]) -> Pattern:
    tokens = tuple(TokenTest(**test) for test in entry["tokens"])
    rest = {key: value for key, value in entry.items() if key != "tokens"}
    return Pattern(**rest, tokens=tokens, unless=unless.get(entry["name"], ()))


def _agreement(entry: Mapping[str, Any]) -> Agreement:
    rest = _lists({key: value for key, value in entry.items() if key != "with"})
    if entry["with"] not in ("head", "finite verb"):
        raise KeyError(f"with {entry['with']!r}")
    return Agreement(**rest, finite=entry["with"] == "finite verb")


def _lists(entry: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in entry.items()}
