"""An engine with rules that make the same mistakes again and again, and a text that it has translated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.engines import Candidate, Request, Translates, Translation
from dragoman.engines.roles import PLAIN
from dragoman.samples import phrasebook

MISTAKES = {" is ": " finds itself ", " in the ": " within of ", " and ": " as well as ", " of the ": " of all the "}


def distorted(line: str) -> str:
    """A line as the rules would have it."""
    for right, wrong in MISTAKES.items():
        line = line.replace(right, wrong)
    return line


def lines(n: int) -> tuple[list[str], list[str], list[str]]:
    """Sources, outputs of the rules and references of the phrasebook, its subjects mixed."""
    book = phrasebook()
    order = sorted(range(len(book["en"])), key=lambda place: (place % 5, place))[:n]
    srcs, refs = ([book[lang][place] for place in order] for lang in ("de", "en"))
    return srcs, [distorted(line) for line in refs], refs


@dataclass(frozen=True)
class Rules(Translates):
    """Translates the German phrasebook by heart, with the mistakes."""

    @property
    def languages(self) -> tuple[str, str]:
        """German and English."""
        return "de", "en"

    def translations(self, lines: Sequence[str], request: Request = PLAIN, *, n_threads: int = 1) -> list[Translation]:
        """Lines of the phrasebook; others are copied."""
        book = phrasebook()
        known = {source: distorted(target) for source, target in zip(book["de"], book["en"], strict=True)}
        return [Translation(line, (Candidate(known.get(line, line)),)) for line in lines]
