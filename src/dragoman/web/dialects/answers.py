"""What every dialect asks for: texts of any length, from one language into another, perhaps with tags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.cat.markup import coded, written
from dragoman.cat.segments import Code
from dragoman.cat.translating import carried
from dragoman.engines import Candidate, Request
from dragoman.errors import DataError
from dragoman.text import SentenceSplitter
from dragoman.text.languages import base_language
from dragoman.web.models.engines import Engines
from dragoman.web.models.shelf import MOST_CHARACTERS, MOST_TEXTS

__all__ = ["Answer", "answers_of"]


@dataclass(frozen=True)
class Answer:
    """The translation of a text, and other translations of it."""

    text: str
    source_lang: str
    target_lang: str
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Piece:
    """A sentence of a text, and the space behind it."""

    source: str
    codes: tuple[Code, ...]
    space: str


def answers_of(
    engines: Engines, texts: Sequence[str], source: str | None, target: str, *, has_tags: bool = False, n_best: int = 1
) -> list[Answer]:
    """The translations of texts; a text may have several lines and sentences, which are translated one by one.

    `source` is None where the service is to find out: the engine into the target language says it.
    """
    if len(texts) > MOST_TEXTS or any(len(text) > MOST_CHARACTERS for text in texts):
        raise DataError(f"A request has at most {MOST_TEXTS} texts of {MOST_CHARACTERS} characters each.")
    name, langs = engines.between(source, target)
    pieces = [_pieces(text, langs[0], has_tags) for text in texts]
    flat = [piece for each in pieces for piece in each]
    details = engines.details(name)
    request = Request(n_best if "n-best" in details else 1, alignment="alignment" in details)

    def ask(lines: Sequence[str]) -> list[Sequence[Candidate]]:
        return [each.candidates for each in engines.translate(list(lines), request, engine=name)[1]]

    said = iter(carried([(each.source, each.codes) for each in flat], ask, n_best=n_best))
    return [_answer(each, [next(said).texts for _ in each], langs, has_tags) for each in pieces]


def _answer(pieces: Sequence[_Piece], lists: Sequence[Sequence[str]], langs: tuple[str, str], has_tags: bool) -> Answer:
    most = max((len(each) for each in lists), default=1)
    versions: dict[str, None] = {}
    for rank in range(max(most, 1)):
        texts = [each[min(rank, len(each) - 1)] if each else "" for each in lists]
        if has_tags:
            texts = [written(text, piece.codes) for text, piece in zip(texts, pieces, strict=True)]
        versions["".join(text + piece.space for text, piece in zip(texts, pieces, strict=True))] = None
    best, *others = versions
    return Answer(best, *langs, tuple(others))


def _pieces(text: str, lang: str, has_tags: bool) -> list[_Piece]:
    """The sentences of a text; a line with tags is one, for a sentence may end within a pair of them."""
    pieces: list[_Piece] = []
    lines = text.splitlines(keepends=True)
    bodies = [line.rstrip() for line in lines]
    sentences = [[body] for body in bodies] if has_tags else SentenceSplitter(base_language(lang)).split(bodies)
    for line, body, parts in zip(lines, bodies, sentences, strict=True):
        read = [coded(part) if has_tags else (part, ()) for part in parts or [""]]
        pieces += [_Piece(*each, " ") for each in read[:-1]]
        pieces.append(_Piece(*read[-1], line[len(body) :]))
    return pieces
