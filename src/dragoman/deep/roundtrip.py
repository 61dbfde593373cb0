"""There and back: sentences of deep trees beside the sentences that the trees were made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.deep.synthesis import final_stop, learn_synthesis, without_forms
from dragoman.errors import DataError
from dragoman.metrics.bleu import Bleu
from dragoman.report import Column, Result, Table
from dragoman.text.conllu import Sentence

__all__ = ["RoundTrip", "bleu_of", "round_trip", "written"]

_PLAIN = Bleu(tokeniser="none")


@dataclass(frozen=True)
class RoundTrip(Result):
    """What came back, beside what it was."""

    kind: ClassVar[str] = "round trip"

    lines: tuple[str, ...]
    originals: tuple[str, ...]
    bleu: float
    bleu_of_words: float  # without punctuation, which deep trees do not keep

    def answer(self) -> str:
        """Both figures."""
        return f"BLEU {self.bleu:.2f} against the sentences, {self.bleu_of_words:.2f} without punctuation."

    def tables(self) -> list[Table]:
        """Line by line."""
        columns = [Column("line"), Column("original", is_text=True), Column("back", is_text=True)]
        rows = [(n, a, b) for n, (a, b) in enumerate(zip(self.originals, self.lines, strict=True), start=1)]
        return [Table.of("There and back", columns, rows)]

    def shown_tables(self) -> list[Table]:
        """People see the first five lines."""
        (table,) = self.tables()
        return [
            Table.of(table.title, list(table.columns), table.rows[:5], note=f"The first of {len(self.lines)} lines.")
        ]

    def meta(self) -> dict[str, Any]:
        """Both figures."""
        return {"bleu": self.bleu, "bleu_of_words": self.bleu_of_words, "lines": len(self.lines)}


def round_trip(sentences: Sequence[Sentence], learn: Sequence[Sentence], language: str) -> RoundTrip:
    """Make sentences of the deep trees of sentences; forms are learnt from other trees."""
    if not sentences:
        raise DataError("There is no tree to go there and back.")
    synthesiser = learn_synthesis(learn, language)
    made = [
        synthesiser.sentence(nodes, final_stop(sentence))
        for nodes, sentence in zip(without_forms(sentences, language), sentences, strict=True)
    ]
    originals = [written(sentence) for sentence in sentences]
    return RoundTrip(tuple(map(" ".join, made)), tuple(map(" ".join, originals)), *bleu_of(made, originals))


def written(sentence: Sentence) -> list[str]:
    """The tokens of a sentence as the text has them."""
    return [token.form for token in sentence.tokens]


def bleu_of(made: Sequence[Sequence[str]], originals: Sequence[Sequence[str]]) -> tuple[float, float]:
    """BLEU of tokens, and of tokens that are words."""
    sides = [[" ".join(each) for each in side] for side in (made, originals)]
    words = [[" ".join(filter(_is_word, each)) for each in side] for side in (made, originals)]
    return tuple(_PLAIN.corpus_value(a, [b]) for a, b in (sides, words))  # type: ignore[return-value]


def _is_word(token: str) -> bool:
    return any(char.isalnum() for char in token)
