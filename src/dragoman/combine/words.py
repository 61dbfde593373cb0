"""The words of several systems' outputs: numbers, and what is known of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.errors import NotAvailable, UnknownName
from dragoman.text.base import TOKENISERS
from dragoman.text.detokenise import MosesDetokeniser
from dragoman.text.layers import make_annotator
from dragoman.text.tokens import TokenIds
from dragoman.text.vocabulary import Vocabulary
from dragoman.text.wordnet import open_synonyms

__all__ = ["Cutter", "cut_systems", "word_facts"]


@dataclass(frozen=True)
class Cutter:
    """Between text and tokens of a language; without one, lines are tokens with spaces between them."""

    lang: str = ""

    def tokens(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """The tokens of each line, joined by spaces."""
        spec = f"moses:lang={self.lang},escape=no" if self.lang else "none"
        return TOKENISERS.make(spec).tokenise(list(lines), n_threads=n_threads)

    def text(self, lines: Sequence[str], *, n_threads: int = 1) -> list[str]:
        """The text that tokens make."""
        if not self.lang:
            return list(lines)
        return MosesDetokeniser(self.lang, unescape=False).detokenise(list(lines), n_threads=n_threads)


def cut_systems(systems: Sequence[Sequence[str]], vocabulary: Vocabulary, *, n_threads: int = 1) -> TokenIds:
    """Numbers of the tokens of several systems' lines, segment by segment: list i · systems + s."""
    lines = [line for segment in zip(*systems, strict=True) for line in segment]
    return TOKENISERS.make("none").encode(lines, vocabulary, n_threads=n_threads)


def word_facts(words: Sequence[str], lang: str, *, with_kin: bool, synonyms: str = "") -> _core.combine.Facts:
    """Stems, synonyms and letters of words by number. A language without a stemmer has words' lower case as stems."""
    stems = Vocabulary().ids(list(_stems(words, lang)))
    kin = _kin(words, lang, synonyms) if with_kin else [()] * len(words)
    letters = [tuple(map(ord, word)) for word in words]
    return _core.combine.Facts(stems, *_rows(kin), *_rows(letters))


def _stems(words: Sequence[str], lang: str) -> Sequence[str]:
    try:
        annotator = make_annotator(f"snowball+lang={lang}", ("stem",))
    except UnknownName:
        return [word.lower() for word in words]
    return [str(stem) for stem in annotator.annotate([list(words)])[0]]


def _kin(words: Sequence[str], lang: str, place: str) -> list[tuple[int, ...]]:
    try:
        database = open_synonyms(place or None, lang or "en")
    except NotAvailable:
        if place:
            raise
        return [()] * len(words)
    numbers: dict[str, int] = {}
    return [
        tuple(sorted(numbers.setdefault(name, len(numbers)) for name in set(database.synset_ids(word.lower()))))
        if word.isalpha()
        else ()
        for word in words
    ]


def _rows(lists: Sequence[Sequence[int]]) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    values = np.array([value for each in lists for value in each], dtype=np.int32)
    return values, np.concatenate([[0], np.cumsum([len(each) for each in lists])]).astype(np.int64)
