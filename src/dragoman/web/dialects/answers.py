"""What every dialect asks for: texts of any length, from one language into another, perhaps with tags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.cat.markup import coded, written
from dragoman.cat.segmentation import SentenceRules
from dragoman.cat.translating import carried
from dragoman.engines import Candidate, Request
from dragoman.errors import DataError
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


def answers_of(
    engines: Engines, texts: Sequence[str], source: str | None, target: str, *, has_tags: bool = False, n_best: int = 1
) -> list[Answer]:
    """The translations of texts; a text may have several lines and sentences, which are translated one by one.

    `source` is None where the service is to find out: the engine into the target language says it.
    """
    if len(texts) > MOST_TEXTS or any(len(text) > MOST_CHARACTERS for text in texts):
        raise DataError(f"A request has at most {MOST_TEXTS} texts of {MOST_CHARACTERS} characters each.")
    name, langs = engines.between(source, target)
    segments = [coded(text) if has_tags else (text, ()) for text in texts]
    details = engines.details(name)
    request = Request(n_best if "n-best" in details else 1, alignment="alignment" in details)

    def ask(lines: Sequence[str]) -> list[Sequence[Candidate]]:
        return [each.candidates for each in engines.translate(list(lines), request, engine=name)[1]]

    # A sentence may end within a pair of tags, and a line break between tags is a blank.
    rules = None if has_tags else SentenceRules(base_language(langs[0]))
    answers = []
    for (_, codes), said in zip(segments, carried(segments, ask, n_best=n_best, sentences=rules), strict=True):
        versions = [written(text, codes) for text in said.texts] if has_tags else [*said.texts]
        answers.append(Answer(next(iter(versions), ""), *langs, tuple(versions[1:])))
    return answers
