"""JSON, TOML and whole numbers in text that others wrote.

Python's own parsers answer some files with something else than "this is no JSON": too deep a nesting with
`RecursionError`, a number of 5,000 digits with a bare `ValueError`, one of 30 digits with a value that no array and no
database holds. Here each of these is bad input like any other.
"""

from __future__ import annotations

import json
import math
import re
import tomllib
from collections.abc import Iterable
from os import PathLike
from typing import Any

from dragoman.errors import DataError, FormatError

__all__ = ["count_of", "finite_number", "finite_numbers", "list_of_texts", "parse_json", "parse_toml", "whole_number"]

_DEEPEST = 100  # lists and objects inside each other; our own files have a dozen at most
_DIGITS = 18  # what 64 bits hold for certain
_LARGEST = 2**64 - 1
_PLACE = re.compile(r" \(at line (\d+), column \d+\)| \(at end of document\)")

# A key of so many parts, which Python's parser follows in quadratic time before its depth could be looked at.
_LONG_KEY = re.compile(r"(?:\A|[\[{,\n])[ \t]*(?:[\w\"'-]++[ \t]*+\.[ \t]*+){100}")

_Path = str | PathLike[str]


def parse_json(text: str | bytes, *, path: _Path | None = None, line: int | None = None, finite: bool = False) -> Any:
    """The value that a JSON text spells; `finite` refuses NaN and the infinities, which JSON has not.

    What cannot be read, is nested too deeply or has a whole number beyond 64 bits raises `FormatError` at `path` and
    `line`, or `DataError` without a path.
    """
    try:
        value = (_FINITE if finite else _ANY).decode(text if isinstance(text, str) else text.decode("utf-8"))
        _check_depth(value, brackets=_count(text))
    except RecursionError:
        raise _error(f"this is no JSON: {_too_deep()}.", path, line) from None
    except ValueError as error:
        raise _error(f"this is no JSON: {error}.", path, line) from None
    return value


def parse_toml(text: str, *, path: _Path | None = None) -> dict[str, Any]:
    """The table that a TOML text spells, with the same promises; the line of a mistake is named where TOML tells it."""
    if _LONG_KEY.search(text) is not None:
        raise _error(f"this is no TOML: {_too_deep()}.", path, None)
    try:
        values = tomllib.loads(text)
        _check_depth(values, brackets=_DEEPEST + 1)  # keys with dots nest without brackets
        _check_numbers(values)
    except RecursionError:
        raise _error(f"this is no TOML: {_too_deep()}.", path, None) from None
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        what = str(error) if place is None or path is None else str(error)[: place.start()]
        line = int(place[1]) if place and place[1] else len(text.splitlines()) or 1
        raise _error(f"this is no TOML: {what}.", path, line) from None
    except ValueError as error:  # a number too long to be read
        raise _error(f"this is no TOML: {error}.", path, None) from None
    return values


def whole_number(text: str) -> int | None:
    """The whole number from 0 on that ASCII digits spell, at most 18 of them; `None` if the text is anything else."""
    return int(text) if len(text) <= _DIGITS and text.isascii() and text.isdigit() else None


def list_of_texts(value: object) -> tuple[str, ...]:
    """The items of a list that JSON or TOML gave; `TypeError` unless it is one and each is a text."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise TypeError(f"expected a list of texts, got {str(value)[:60]}")
    return tuple(value)


def finite_number(value: object) -> float:
    """The number that JSON or TOML gave, as it is; `TypeError` unless it is one, and finite."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError(f"expected a finite number, got {str(value)[:60]}")
    return value


def finite_numbers(value: object) -> dict[str, float]:
    """The finite numbers that an object of JSON, or a table of TOML, has by name; else `TypeError`."""
    if not isinstance(value, dict):
        raise TypeError(f"expected numbers by name, got {str(value)[:60]}")
    return {name: finite_number(each) for name, each in value.items()}


def count_of(value: object) -> int:
    """The whole number from 0 on that JSON or TOML gave; else `TypeError`."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise TypeError(f"expected a whole number from 0 on, got {str(value)[:60]}")
    return value


def _error(message: str, path: _Path | None, line: int | None) -> DataError:
    return DataError(message) if path is None else FormatError(message, path=path, line=line)


def _too_deep() -> str:
    return f"lists or objects stand more than {_DEEPEST} deep inside each other"


def _check_depth(value: Any, *, brackets: int) -> None:
    if brackets <= _DEEPEST:
        return
    level = [value]
    for _ in range(_DEEPEST):
        level = [inner for outer in level for inner in _inside(outer) if isinstance(inner, list | dict)]
        if not level:
            return
    raise ValueError(_too_deep())


def _check_numbers(value: Any) -> None:
    """TOML's parser makes its numbers itself, so that they are looked at afterwards."""
    if isinstance(value, list | dict):
        for inner in _inside(value):
            _check_numbers(inner)
    elif type(value) is int and abs(value) > _LARGEST:
        raise ValueError(_too_long(len(str(value))))


def _inside(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _count(text: str | bytes) -> int:
    if isinstance(text, str):
        return text.count("[") + text.count("{")
    return text.count(b"[") + text.count(b"{")


def _whole(text: str) -> int:
    if len(text) <= _DIGITS:
        return int(text)
    if len(text) > _DIGITS + 3 or abs(int(text)) > _LARGEST:
        raise ValueError(_too_long(len(text.lstrip("-"))))
    return int(text)


def _too_long(digits: int) -> str:
    return f"a whole number of {digits} digits is beyond 64 bits"


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is no number of JSON's")


_ANY = json.JSONDecoder(parse_int=_whole)
_FINITE = json.JSONDecoder(parse_int=_whole, parse_constant=_refuse)
