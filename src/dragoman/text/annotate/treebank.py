"""Annotations that the user has in a CoNLL-U file, matched to the text by order and checked token by token."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest
from os import fspath
from pathlib import Path
from typing import Any, ClassVar

from dragoman.errors import DataError, FormatError
from dragoman.options import option
from dragoman.text.annotate.base import Annotator, Need, TokenLines
from dragoman.text.conllu import NOTHING, MultiwordToken, Sentence, iter_conllu
from dragoman.text.merging import merge_multiword_tokens

__all__ = ["ConlluAnnotator"]

_COLUMNS = {"pos": "upos", "xpos": "xpos", "lemma": "lemma", "feats": "feats", "deprel": "deprel"}


@dataclass(frozen=True)
class ConlluAnnotator(Annotator[Any]):
    """Lemmas, parts of speech, features or relations from a CoNLL-U file that some parser wrote for this very text.

    The n-th line of text is the n-th sentence of the file, and its tokens must be the same; if not, the error names the
    line of the file. A multiword token (`au` = `à` + `le`) gets the values of its words, joined: `ADP+DET`.
    `dependencies` are a word's head, as its place in the line from 0, −1 for roots, and the relation to it.
    """

    name: ClassVar[str] = "conllu"
    layers: ClassVar[tuple[str, ...]] = ("pos", "xpos", "lemma", "feats", "deprel", "dependencies")
    of_text: ClassVar[bool] = True

    path: str = option("", positional=True, text="the CoNLL-U file; required")
    give: str = option("pos", choices=layers, text="the layer wanted")
    unit: str = option("token", choices=("token", "word"), text="tokens as written, or the words they stand for")

    def __post_init__(self) -> None:
        if not fspath(self.path):
            raise DataError("The annotator conllu needs a file: conllu:path=FILE.")

    def needs(self) -> list[Need]:
        """The file."""
        return [Need(f"the file {fspath(self.path)}", "your parser, writing CoNLL-U", Path(self.path).is_file)]

    def _annotate(self, token_lines: TokenLines) -> list[list[Any]]:
        values = []
        last = 0
        for number, (tokens, sentence) in enumerate(zip_longest(token_lines, iter_conllu(self.path)), start=1):
            if tokens is None:
                raise FormatError(
                    f"the file goes on with sentence {number}, but the text has {number - 1} lines.",
                    path=self.path,
                    line=sentence.line,
                )
            if sentence is None:
                raise FormatError(
                    f"the file ends after {number - 1} sentences, but the text has {len(token_lines)} lines.",
                    path=self.path,
                    line=last,
                )
            last = _last_line(sentence)
            values.append(list(self._values(list(tokens), sentence, number)))
        return values

    def _values(self, tokens: list[str], sentence: Sentence, number: int) -> Iterator[Any]:
        units = sentence.words if self.unit == "word" else sentence.tokens
        first = sentence.line or 0
        if len(units) != len(tokens):
            raise FormatError(
                f"sentence {number} has {len(units)} {self.unit}s, but line {number} of the text has {len(tokens)}.",
                path=self.path,
                line=first,
            )
        places = {id(row): first + place for place, row in enumerate(sentence.rows)}
        arcs = (sentence if self.unit == "word" else merge_multiword_tokens(sentence)).words
        for unit, arc, token in zip(units, arcs, tokens, strict=True):
            line = places[id(unit)]
            if unit.form != token:
                raise FormatError(
                    f"sentence {number} has {unit.form!r} where line {number} of the text has {token!r}.",
                    path=self.path,
                    line=line,
                )
            if self.give == "dependencies":
                if arc.head is None:
                    raise FormatError(f"{token!r} has no head.", path=self.path, line=line)
                yield arc.head - 1, arc.deprel
                continue
            inner = (
                [word for word in sentence.words if unit.first <= word.id <= unit.last]
                if isinstance(unit, MultiwordToken)
                else [unit]
            )
            values = [str(getattr(word, _COLUMNS[self.give])) for word in inner]
            # A literal underscore is its own lemma; elsewhere _ says that there is nothing.
            if self.give != "feats" and NOTHING in values and token != NOTHING:
                raise FormatError(f"{token!r} has no {self.give}.", path=self.path, line=line)
            yield "+".join(values)


def _last_line(sentence: Sentence) -> int:
    return (sentence.line or 0) + len(sentence.rows) - 1
