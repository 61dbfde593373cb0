"""Files damaged at random, the same ones every time: what is done to a file depends on its name and the round alone."""

from __future__ import annotations

import os
import random
import re
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

from dragoman.errors import DragomanError

# What readers have stumbled over: numbers without end, nesting, marks, characters that are none.
TOKENS = (
    b"9" * 5000,
    b"1" + b"0" * 30,
    b"4294967296",
    b"-1",
    b"1e400",
    b"nan",
    b"-0.0",
    b"\xc2\xb2",
    b"\xd9\xa3",
    b"[" * 5000,
    b'{"a":' * 3000,
    b"(" * 2000,
    b"\xff\xfe",
    b"\x80",
    b"\xed\xa0\x80",
    b"\\ud800",
    b"\x00",
    b"\r",
    b"\xe2\x80\xa8",
    b"\xef\xbb\xbf",
    b'"',
    b"'",
    b"\t",
    b",",
    b"|||",
    b"|",
    b"=",
    b"-",
    b"<",
    b"&#0;",
    b"&lol;",
    b"\x0b",
    b"]]>",
    b"null",
    b"{}",
    b"[]",
    b'""',
    b"%s",
    b"../",
    b"\n\n",
    b"\n",
    b" ",
    b"true",
)
_NUMBER = re.compile(rb"[0-9]+")


def mutant(content: bytes, name: str, round_: int) -> bytes:
    """The file with one to three things done to it."""
    chance = random.Random(f"{name} {round_}")
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        content = chance.choice(_ACTS)(content, chance)
    return content


def _flip(content: bytes, chance: random.Random) -> bytes:
    if not content:
        return content
    at = chance.randrange(len(content))
    return content[:at] + bytes([content[at] ^ (1 << chance.randrange(8))]) + content[at + 1 :]


def _overwrite(content: bytes, chance: random.Random) -> bytes:
    width = chance.choice((1, 2, 4, 8))
    if len(content) < width:
        return content
    at = chance.randrange(len(content) - width + 1) // width * width
    value = chance.choice((0, 1, 2 ** (8 * width) - 1, 2 ** (8 * width - 1) - 1, 2 ** (8 * width - 1), 77))
    return content[:at] + value.to_bytes(width, "little") + content[at + width :]


def _cut_out(content: bytes, chance: random.Random) -> bytes:
    begin = chance.randrange(len(content) + 1)
    return content[:begin] + content[begin + chance.choice((1, 2, 8, 100)) :]


def _cut_off(content: bytes, chance: random.Random) -> bytes:
    return content[: chance.randrange(len(content) + 1)]


def _insert(content: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(content) + 1)
    return content[:at] + chance.choice(TOKENS) + content[at:]


def _renumber(content: bytes, chance: random.Random) -> bytes:
    numbers = list(_NUMBER.finditer(content))
    if not numbers:
        return _insert(content, chance)
    number = chance.choice(numbers)
    return content[: number.start()] + chance.choice(TOKENS) + content[number.end() :]


def _lines(content: bytes, chance: random.Random) -> bytes:
    """Lines or cells repeated, dropped or swapped."""
    end = chance.choice((b"\n", b"\n", b"\t", b",", b" "))
    parts = content.split(end)
    one, other = chance.randrange(len(parts)), chance.randrange(len(parts))
    match chance.randrange(3):
        case 0:
            parts.insert(other, parts[one])
        case 1:
            del parts[one]
        case _:
            parts[one], parts[other] = parts[other], parts[one]
    return end.join(parts)


_ACTS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _flip,
    _overwrite,
    _cut_out,
    _cut_off,
    _insert,
    _renumber,
    _renumber,
    _lines,
    _lines,
)


class Trial:
    """Readings of damaged files: each ends well or in an error of Dragoman's; everything else is a finding."""

    def __init__(self) -> None:
        self.n_read = 0
        self.n_refused = 0
        self.findings: dict[str, str] = {}  # where it was raised → which mutant

    def attempt(self, what: str, read: Callable[[], object]) -> None:
        """Read once."""
        try:
            read()
            self.n_read += 1
        except DragomanError:
            self.n_refused += 1
        except Exception as error:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            own = [each for each in traceback.extract_tb(error.__traceback__) if "dragoman" in each.filename][-1]
            where = f"{type(error).__name__} at {Path(own.filename).name}:{own.lineno} ({frame.name})"
            self.findings.setdefault(where, f"{what}: {str(error)[:80]}")

    def check(self) -> None:
        """Fail with all findings."""
        told = "\n".join(f"{where}: {what}" for where, what in self.findings.items())
        assert not self.findings, f"{len(self.findings)} ways to a traceback:\n{told}"


def rounds(n: int) -> Iterator[int]:
    """The rounds of a run: DRAGOMAN_FUZZ times as many as `n`, and another beginning with DRAGOMAN_FUZZ_FROM."""
    first = int(os.environ.get("DRAGOMAN_FUZZ_FROM", "0"))
    return iter(range(first, first + n * int(os.environ.get("DRAGOMAN_FUZZ", "1"))))
