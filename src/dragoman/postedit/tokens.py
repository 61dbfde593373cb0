"""Lines as tokens that know where a space was, so that joining them again gives the line, byte by byte.

A mark `￭` at the beginning or the end of a token says that no space stands there. Models read all numbers as one word;
what must neither be lost nor doubled is *guarded*.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dragoman.text.languages import base_language

__all__ = ["GLUE", "NUMBER", "Words", "cut", "guarded", "joined", "masked", "sentence_start"]

Words = tuple[str, ...]

GLUE = "￭"
NUMBER = "0"  # what every number is read as
_CODE = r"https?://\S+|www\.\S+|(?<![\w.+-])[\w.+-]+@[\w-]+\.[\w.]+|</?\w[^<>]*>|&#?\w+;|\$?\{+[^{}\s]+\}+|%(?:\(\w+\)|\d+\$)?[.\d]*[sdfi]\b"
_NUMERAL = r"\d+(?:[.,:]\d+)*"
_TOKEN = re.compile(rf"{_CODE}|{_NUMERAL}|['’]\w+|\w+(?:-\w+)*|[^\w\s]")
_NUMBER = re.compile(_NUMERAL)
_WHOLE_CODE = re.compile(_CODE)
_OPENERS = frozenset("([{“„«¿¡$£€#")
_EITHER = frozenset("\"'`‘")  # an opener where a space stands before it and none behind
_PRONOUNS = frozenset({"I"})  # a capital that makes no name
_NOUNS_IN_CAPITALS = frozenset({"de", "lb"})


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    glued: bool  # to what is before it
    opens: bool  # what is behind it


def cut(line: str) -> Words:
    """The tokens of a line."""
    tokens: list[str] = []
    for piece in _pieces(line):
        is_free = bool(tokens) and tokens[-1].endswith(GLUE)
        tokens.append(GLUE * (piece.glued and not is_free) + piece.text + GLUE * piece.opens)
    return tuple(tokens)


def _pieces(line: str) -> Iterable[_Piece]:
    end = 0
    for match in _TOKEN.finditer(line):
        text, glued = match[0], match.start() == end > 0
        has_next = match.end() < len(line) and not line[match.end()].isspace()
        opens = has_next and (text in _OPENERS or (text in _EITHER and not glued))
        yield _Piece(text, glued, opens)
        end = match.end()


def joined(tokens: Iterable[str]) -> str:
    """The line of tokens; runs of white space have become one space."""
    parts: list[str] = []
    is_glued = True
    for token in tokens:
        text = token.removeprefix(GLUE) or token
        parts.append("" if is_glued or text != token else " ")
        is_glued = text.endswith(GLUE) and len(text) > 1
        parts.append(text.removesuffix(GLUE) if is_glued else text)
    return "".join(parts)


def masked(tokens: Sequence[str]) -> Words:
    """Tokens as models read them: every number is one word; codes are left."""
    return tuple(token if _WHOLE_CODE.search(token) else _NUMBER.sub(NUMBER, token) for token in tokens)


def guarded(tokens: Iterable[str], lang: str) -> Counter[str]:
    """What must be there as often afterwards: codes, numbers, names.

    A name is a word with a capital letter; not so in languages that write every noun with one, but for words with
    several capitals or a digit.
    """
    nouns = base_language(lang) in _NOUNS_IN_CAPITALS if lang else False
    bare = [token.strip(GLUE) for token in tokens]
    return Counter(each for each in bare if _is_guarded(each, nouns))


def _is_guarded(token: str, nouns_in_capitals: bool) -> bool:
    if any(char.isdigit() for char in token) or _WHOLE_CODE.fullmatch(token):
        return True
    capitals = sum(char.isupper() for char in token)
    return capitals > 1 if nouns_in_capitals else token[:1].isupper() and token not in _PRONOUNS


def sentence_start(tokens: Words, small: frozenset[str]) -> Words:
    """The tokens with the first word in small letters, where it has its capital from standing there alone."""
    at = next((n for n, token in enumerate(tokens) if token.strip(GLUE)[:1].isalpha()), None)
    if at is None or tokens[at].strip(GLUE) not in small:
        return tokens
    return (*tokens[:at], tokens[at].lower(), *tokens[at + 1 :])
