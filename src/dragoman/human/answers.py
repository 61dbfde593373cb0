"""Answers checked: they come from browsers, crowd platforms and scripts, so anything may stand in them."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from dragoman.errors import DataError
from dragoman.human.protocol import Item

__all__ = ["Answer", "opened"]

_DEEPEST = 8
_LONGEST = 20_000  # characters of one text
_MOST = 5_000  # values in one answer
_LARGEST = 2**63 - 1  # what judgements can hold
_BAD = re.compile("[\x00\ud800-\udfff]")


def opened(item: Item, answer: object, *known: str) -> Answer:
    """The answer to an item, once it is known to be an object with no other than these fields and `seconds`."""
    if not isinstance(answer, Mapping):
        raise DataError(f"The answer to item {item.id} is {_short(answer)}; expected an object.")
    strange = sorted(str(name) for name in answer if name not in known and name != "seconds")
    if strange:
        expected = ", ".join((*known, "seconds"))
        raise DataError(f"The answer to item {item.id} has {', '.join(strange)[:60]}; expected {expected}.")
    opening = Answer(item, answer)
    for number, (value, depth) in enumerate(_values(answer)):
        if depth > _DEEPEST or number > _MOST:
            raise opening.wrong("is larger than any honest answer")
        if isinstance(value, str) and len(value) > _LONGEST:
            raise opening.wrong(f"has a text of {len(value):,} characters; expected at most {_LONGEST:,}")
        if isinstance(value, str) and _BAD.search(value):
            raise opening.wrong("has a text with characters that cannot be stored (NUL or half a surrogate pair)")
        if isinstance(value, int) and abs(value) > _LARGEST:
            raise opening.wrong("has a number beyond 64 bits")
    opening.number("seconds", 0, None, required=False)
    return opening


def _values(value: Any, depth: int = 0) -> Iterator[tuple[Any, int]]:
    yield value, depth
    if depth <= _DEEPEST:
        inner = [*value.keys(), *value.values()] if isinstance(value, Mapping) else value
        if isinstance(inner, list | tuple):
            for each in inner:
                yield from _values(each, depth + 1)


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "…"


class Answer:
    """The fields of an answer, each checked when it is asked for."""

    def __init__(self, item: Item, values: Mapping[str, Any], where: str = "") -> None:
        self.item = item
        self.values = values
        self.where = where

    def wrong(self, problem: str) -> DataError:
        """The error that says what is wrong with this answer."""
        return DataError(f"The answer to item {self.item.id} {problem}{self.where}.")

    def get(self, name: str) -> Any:
        """A field as it is; None if it is absent."""
        return self.values.get(name)

    def number(
        self, name: str, low: float, high: float | None, *, whole: bool = False, required: bool = True
    ) -> float | None:
        """A number of a range, or nothing where it may be left out."""
        value = self.get(name)
        noun = "a whole number" if whole else "a number"
        expected = f"{noun} from {low:g} on" if high is None else f"{noun} from {low:g} to {high:g}"
        if value is None:
            if required:
                raise self.wrong(f"has no {name}; expected {expected}")
            return None
        is_number = type(value) is int or (type(value) is float and not whole and math.isfinite(value))
        if not is_number or value < low or (high is not None and value > high):
            raise self.wrong(f"has the {name} {_short(value)}; expected {expected}")
        return value  # type: ignore[no-any-return]

    def one_of(self, name: str, values: Collection[str], *, required: bool = True) -> str | None:
        """One of these words."""
        value = self.get(name)
        if value is None and not required:
            return None
        if not isinstance(value, str) or value not in values:
            what = f"no {name}" if value is None else f"the {name} {_short(value)}"
            raise self.wrong(f"has {what}; expected {', '.join(values)}")
        return value

    def text(self, name: str, *, required: bool = True, longest: int = _LONGEST) -> str | None:
        """A text that is not empty."""
        value = self.get(name)
        if value is None and not required:
            return None
        if not isinstance(value, str) or (required and not value.strip()):
            raise self.wrong(f"has {'no' if not value else 'the wrong'} {name}; expected text")
        if len(value) > longest:
            raise self.wrong(f"has a {name} of {len(value):,} characters; expected at most {longest:,}")
        return value

    def truth(self, name: str) -> bool:
        """True or false; absent is false."""
        value = self.get(name)
        if value is not None and type(value) is not bool:
            raise self.wrong(f"has the {name} {_short(value)}; expected true or false")
        return bool(value)

    def objects(self, name: str, *known: str) -> list[Answer]:
        """A list of objects with no other than these fields; absent is an error."""
        values = self.get(name)
        if not isinstance(values, list | tuple):
            raise self.wrong(f"has {'no' if values is None else 'the wrong'} {name}; expected a list")
        entries = []
        for number, value in enumerate(values, start=1):
            if not isinstance(value, Mapping):
                raise self.wrong(f"has {_short(value)} among its {name}; expected objects")
            inner = Answer(self.item, value, f" ({name}, number {number})")
            strange = sorted(str(key) for key in value if key not in known)
            if strange:
                raise inner.wrong(f"has {', '.join(strange)[:60]}; expected {', '.join(known)}")
            entries.append(inner)
        return entries

    def table(self, name: str, names: Collection[str]) -> Mapping[str, Any]:
        """An object whose keys are among these."""
        value = self.get(name)
        if not isinstance(value, Mapping):
            raise self.wrong(f"has {'no' if value is None else 'the wrong'} {name}; expected an object")
        strange = sorted(str(key) for key in value if key not in names)
        if strange:
            raise self.wrong(f"has {', '.join(strange)[:60]} in its {name}; expected {', '.join(names)}")
        return value
