"""French tokens as they match English ones best (the CMU-Avenue system, WMT 2012).

A subject behind its verb is cut off (*puis-je* → *puis -je*, *a-t-il* → *a -t-il*), *aujourd'hui* and other hyphenated
words stay whole, decimal commas become points.
"""

from __future__ import annotations

import re

__all__ = ["join_french", "split_french", "without_accents"]

_SUBJECTS = "je|tu|il|elle|on|ce|nous|vous|ils|elles"
_INVERTED = re.compile(rf"([^\W\d_]+)(-t-(?:ils?|elles?|on)|-(?:{_SUBJECTS}))", re.IGNORECASE)
_BEHIND = re.compile(rf" (-(?:t-)?(?:{_SUBJECTS}))(?= |$)", re.IGNORECASE)
# Nouns that look like a verb with its subject.
_WHOLE = {"rendez-vous", "chez-nous", "chez-vous", "chez-elle", "chez-elles", "en-dira-t-on", "dira-t-on"}
_TODAY = re.compile(r"\b(aujourd)(['’]) (hui)\b", re.IGNORECASE)
_DECIMAL_COMMA = re.compile(r"(?<!\S)(\d+),(\d+)(?!\S)")
_DECIMAL_POINT = re.compile(r"(?<!\S)(\d+)\.(\d+)(?!\S)")
_LIGATURES = str.maketrans(
    {"œ": "oe", "Œ": "Oe", "æ": "ae", "Æ": "Ae", "ß": "ss", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L"}
)


def split_french(line: str) -> str:
    """A line of Moses' French tokens with these rules applied."""
    line = _TODAY.sub(r"\1\2\3", line)
    line = _DECIMAL_COMMA.sub(r"\1.\2", line)
    return " ".join([_cut(token) if "-" in token else token for token in line.split(" ")])


def _cut(token: str) -> str:
    verb = _INVERTED.fullmatch(token)
    return f"{verb[1]} {verb[2]}" if verb and token.lower() not in _WHOLE else token


def join_french(line: str) -> str:
    """The rules undone in a line of tokens: subjects behind their verbs, decimal commas."""
    return _DECIMAL_POINT.sub(r"\1,\2", _BEHIND.sub(r"\1", line))


def without_accents(word: str) -> str:
    """The letters of a word without accents, ligatures as letters: *mosaïque* → *mosaique*, *cœur* → *coeur*."""
    from unicodedata import combining, normalize

    letters = normalize("NFD", word.translate(_LIGATURES))
    return normalize("NFC", "".join(letter for letter in letters if not combining(letter)))
