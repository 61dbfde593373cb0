"""TESLA-CELAB: characters instead of words, for scripts that do not separate words (Liu & Ng, ACL 2012)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any, ClassVar, Self

import numpy as np

from dragoman import _core
from dragoman.errors import DataError
from dragoman.metrics.base import MeanReference, Rows, mean_rows
from dragoman.metrics.meteor import runs
from dragoman.metrics.references import References, ScoredText
from dragoman.metrics.words import Ids, encode_lines, make_tokeniser
from dragoman.options import option
from dragoman.text import Vocabulary
from dragoman.text.languages import base_language
from dragoman.text.layers import make_annotator

__all__ = ["Celab"]

_ORDER = 4  # tokens of the longest span


@dataclass(frozen=True, eq=False)
class _Characters:
    """A text as ids of its tokens, and the words of the dictionary that occur in it."""

    systems: list[Ids]
    streams: list[Ids]
    dictionary: dict[str, Any]


@dataclass(frozen=True)
class Celab(MeanReference):
    """TESLA-CELAB: the share of all spans of one to four characters that the best links between the two texts cover.

    Spans are linked if they are equal or synonymous, piece by piece; how far each link is used is the solution of a
    linear program, in which a span of the reference counts four times as much as one of the hypothesis. Synonyms are
    read from a dictionary of the user's: without one the metric is the paper's CELAB⁻, as its signature says.
    """

    name: ClassVar[str] = "celab"
    label_pattern: ClassVar[str] = "TESLA-CELAB"
    quick: ClassVar[bool] = False

    lang: str = option("zh", positional=True, text="language of the text")
    tokeniser: str = option("zh", text="what counts as a character: zh leaves Latin words and numbers whole; char")
    synonyms: str = option(
        "none",
        layers=("synsets",),
        text="none, the layer synsets, or an annotator (thesaurus+file=cilin.txt+lang=zh)",
    )

    def check(self) -> Self:
        """The metric itself if its options are sound."""
        super().check()
        make_tokeniser(self.tokeniser)
        if self.synonyms not in {"none", "synsets"}:
            lang = getattr(make_annotator(self.synonyms, ("synsets",)), "lang", self.lang)
            if base_language(lang) != base_language(self.lang):
                raise DataError(
                    f"TESLA-CELAB's synonyms={self.synonyms} are of {lang!r}, but the text is in {self.lang!r}."
                )
        return self

    def prepare(self, text: ScoredText, n_threads: int) -> _Characters:
        """All lines as ids of one vocabulary, and the dictionary's words among their spans."""
        vocabulary = Vocabulary()

        def ids(lines: Any) -> Ids:
            return encode_lines(lines, self.tokeniser, lowercase=False, vocabulary=vocabulary, n_threads=n_threads)

        systems = [ids(lines) for lines in text.systems]
        streams = [ids(text.refs.lines(number)) for number in range(len(text.refs.streams))]
        return _Characters(systems, streams, self._dictionary([*systems, *streams], vocabulary))

    def reference_rows(self, prepared: _Characters, refs: References, number: int, n_threads: int) -> Rows:  # noqa: ARG002
        """A segment's score against one of the references, and 1."""
        ref = prepared.streams[number]
        scores = [
            _core.metrics.celab(*hyp, *ref, **prepared.dictionary, n_threads=n_threads) for hyp in prepared.systems
        ]
        return mean_rows(100.0 * np.stack(scores))

    def _dictionary(self, texts: list[Ids], vocabulary: Vocabulary) -> dict[str, Any]:
        """The spans that are words of the dictionary, with the numbers of their sets."""
        spans: list[tuple[int, ...]] = []
        sets: list[list[int]] = []
        if self.synonyms != "none":
            words, candidates, numbers = vocabulary.words(), list(_spans(texts)), Vocabulary()
            annotator = make_annotator(self.synonyms, ("synsets",))
            texts_of = ["".join(words[token] for token in span) for span in candidates]
            for span, names in zip(candidates, annotator.annotate([texts_of])[0], strict=True):
                if names:
                    spans.append(span)
                    sets.append(sorted(numbers.ids(list(names)).tolist()))
        return {**runs("phrase", spans, "phrases"), **runs("class", sets, "classes")}


def _spans(texts: list[Ids]) -> dict[tuple[int, ...], None]:
    """The distinct runs of up to four tokens of all lines."""
    lines = (ids[a:b].tolist() for ids, offsets in texts for a, b in pairwise(offsets.tolist()))
    spans = (tuple(line[i : i + n]) for line in lines for n in range(1, _ORDER + 1) for i in range(len(line) - n + 1))
    return dict.fromkeys(chain(spans))
