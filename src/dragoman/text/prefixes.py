"""Non-breaking prefixes: the abbreviations after which a full stop does not end a sentence, per language.

A list is a tuple of words as Moses writes them: `Mr`, or `No #NUMERIC_ONLY#` for an abbreviation that counts as one
only in front of a number. The files in `prefixes/` hold one word a line; `#` opens a comment.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path

from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, iter_lines

__all__ = ["PREFIX_LANGUAGES", "language_of", "prefixes_of", "read_prefixes"]

_FOLDER = Path(__file__).with_name("prefixes")
_NUMERIC_ONLY = "#NUMERIC_ONLY#"

PREFIX_LANGUAGES: tuple[str, ...] = tuple(sorted(path.stem for path in _FOLDER.glob("*.txt")))
"""The languages whose abbreviations the package carries; the others use the English ones, as in Moses."""


def language_of(tag: str) -> str:
    """The language that the rules go by: `pt-BR` is `pt`. What is no language tag raises."""
    if tag in PREFIX_LANGUAGES:
        return tag
    from dragoman.text.languages import base_language

    return base_language(tag)


@cache
def prefixes_of(lang: str) -> tuple[str, ...]:
    """The abbreviations of a language, or the English ones where it has no list of its own."""
    language = language_of(lang)
    return read_prefixes(_FOLDER / f"{language if language in PREFIX_LANGUAGES else 'en'}.txt")


def check_prefixes(prefixes: Sequence[str] | str | None, lang: str) -> tuple[str, ...]:
    """The abbreviations that an option names: those given, those of the file at a path, or those of the language."""
    if prefixes is None:
        return prefixes_of(lang)
    if isinstance(prefixes, str):
        return read_prefixes(prefixes)
    return tuple(check_prefix(entry) for entry in prefixes)


def read_prefixes(path: StrPath) -> tuple[str, ...]:
    """The abbreviations in a file: one a line, comments behind `#`, `#NUMERIC_ONLY#` kept."""
    words = []
    for number, line in enumerate(iter_lines(path), start=1):
        word = line.strip()
        if not word or (word.startswith("#") and not word.startswith(_NUMERIC_ONLY)):
            continue
        try:
            words.append(check_prefix(word))
        except DataError as error:
            raise FormatError(str(error), path=path, line=number) from error
    return tuple(dict.fromkeys(words))


def check_prefix(entry: str) -> str:
    """The entry with one blank before its mark; an entry that no word could equal is refused."""
    word, mark, rest = entry.partition(_NUMERIC_ONLY)
    word = word.rstrip()
    if not word or rest or re.search(r"\s", word):
        raise DataError(
            f"{entry!r} is no abbreviation. Write one word, without its full stop: Mr, or No {_NUMERIC_ONLY}."
        )
    return f"{word} {_NUMERIC_ONLY}" if mark else word
