"""What the tokens of a model are: words, characters, or the tags that words carry."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dragoman.errors import DataError

__all__ = ["LEVELS", "SPACE", "to_level"]

SPACE = "▁"  # U+2581, as subword models write it: a space that is a token itself


def to_level(level: str, lines: Sequence[str]) -> Sequence[str]:
    """Tokenised lines as a model of this level counts them."""
    if isinstance(lines, str):
        raise DataError("Expected lines of text, got one str. Pass a sequence of lines.")
    return lines if level == "word" else [_ONE_LINE[level](line) for line in lines]


def _characters(line: str) -> str:
    return " ".join(SPACE.join(line.split()))


def _tags(line: str) -> str:
    tokens = line.split()
    if bare := next((token for token in tokens if "|" not in token), None):
        raise DataError(f"{bare!r} carries no tag; a model of tags takes tokens as word|tag.")
    return " ".join(token.rpartition("|")[2] or "|" for token in tokens)


_ONE_LINE: dict[str, Callable[[str], str]] = {"char": _characters, "tag": _tags}
LEVELS = ("word", *_ONE_LINE)
