"""Parsers and taggers of yours as annotators."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from os import fspath
from pathlib import Path
from typing import Any, ClassVar

from dragoman.artifact import MANIFEST, checksum
from dragoman.data.frames import Frame, frame_values
from dragoman.errors import DataError
from dragoman.options import option
from dragoman.syntax.frame_files import read_framed_sentences
from dragoman.syntax.names import NameTagger
from dragoman.syntax.parser import Parser
from dragoman.syntax.predicates import sentence_frames
from dragoman.text.annotate.base import Annotator, Need, TokenLines

__all__ = ["FrameAnnotator", "NameAnnotator", "ParserAnnotator"]

_COLUMNS = {"pos": "upos", "feats": "feats", "xpos": "xpos", "deprel": "relations", "dependencies": "relations"}
_FRAMES = "frames"
_LEMMA = "lemma"


@dataclass(frozen=True)
class ParserAnnotator(Annotator[Any]):
    """Parts of speech, morphological features, relations by a parser that `dragoman syntax parser train` made.

    `dependencies` are a word's head, as its place in the line from 0, −1 for roots, and the relation to it; `frames`
    who does what to whom, by rules over the tree.
    """

    name: ClassVar[str] = "parser"
    layers: ClassVar[tuple[str, ...]] = (*_COLUMNS, _LEMMA, _FRAMES)

    model: str = option("", positional=True, text="the parser's folder; required")
    give: str = option("pos", choices=layers, text="the layer wanted")

    def __post_init__(self) -> None:
        if not fspath(self.model):
            raise DataError("The annotator parser needs a model folder: parser:model=FOLDER.")

    def needs(self) -> list[Need]:
        """The model."""
        path = fspath(self.model)
        return [Need(f"the parser {path}", f"dragoman syntax parser train TREEBANK -m {path}", Path(path).is_dir)]

    def fingerprint(self) -> str:
        """The model's manifest, which has the checksums of its files."""
        return f"{self.signature()} {checksum(Path(self.model) / MANIFEST)}"

    def _annotate(self, token_lines: TokenLines) -> list[list[Any]]:
        if self.give == _FRAMES:
            sentences = _parser(fspath(self.model)).parse(token_lines)
            return [frame_values(sentence_frames(each), len(each.words)) if each else [] for each in sentences]
        if self.give == _LEMMA:
            return self._lemmas(token_lines)
        trees = _COLUMNS[self.give] == "relations"
        parses = _parser(fspath(self.model)).annotate(token_lines, trees=trees)
        names = getattr(parses.labels, "deprel" if trees else _COLUMNS[self.give])
        values: list[Any] = [names[i] for i in getattr(parses, _COLUMNS[self.give]).tolist()]
        if self.give == "dependencies" and parses.heads is not None:
            values = list(zip((parses.heads - 1).tolist(), values, strict=True))
        bounds = parses.offsets.tolist()
        return [values[begin:end] for begin, end in pairwise(bounds)]

    def _lemmas(self, token_lines: TokenLines) -> list[list[str]]:
        parses = _parser(fspath(self.model)).annotate(token_lines, trees=False)
        if parses.lemmas is None:
            raise DataError(
                f"The parser {fspath(self.model)} has learnt no lemmas. Train it again: dragoman syntax parser train … "
                "--lemmas."
            )
        return [list(parses.lemmas[begin:end]) for begin, end in pairwise(parses.offsets.tolist())]


@dataclass(frozen=True)
class FrameAnnotator(Annotator[str]):
    """Semantic frames from a file that a role labeller, or people, wrote: looked up by the words of a sentence.

    CoNLL-2005 or CoNLL-2009 columns, CoNLL-U trees (by rules), or a folder of a frame study. Sentences of references
    and of all outputs may stand in one file, in any order.
    """

    name: ClassVar[str] = "frames"
    layers: ClassVar[tuple[str, ...]] = (_FRAMES,)

    path: str = option("", positional=True, text="the file, or the folder of a study; required")
    annotator: str | None = option(None, text="whose frames to take of a study; by default the first one's")

    def __post_init__(self) -> None:
        if not fspath(self.path):
            raise DataError("The annotator frames needs a file: frames:path=FILE.")

    def needs(self) -> list[Need]:
        """The file."""
        return [Need(f"the file {fspath(self.path)}", "your role labeller, writing columns", Path(self.path).exists)]

    def fingerprint(self) -> str:
        """The content of the file, or of the study's tables."""
        path = Path(self.path)
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        return " ".join([self.signature(), *(checksum(each) for each in files if each.is_file())])

    def _annotate(self, token_lines: TokenLines) -> list[list[str]]:
        by_words: dict[tuple[str, ...], Sequence[Frame]] = {(): ()}
        for words, frames in read_framed_sentences(self.path, annotator=self.annotator):
            by_words.setdefault(words, frames)
        for number, tokens in enumerate(token_lines, start=1):
            if tuple(tokens) not in by_words:
                raise DataError(
                    f"{fspath(self.path)} has no frames of the {len(tokens)} words of line {number}: "
                    f"{' '.join(tokens[:8])!r}. Cut text as the file does (meant:tokeniser=none)."
                )
        return [frame_values(by_words[tuple(tokens)], len(tokens)) for tokens in token_lines]


@dataclass(frozen=True)
class NameAnnotator(Annotator[str]):
    """Names of persons, places … (`B-PER`, `I-PER`, `O`) by a tagger that `dragoman syntax names train` made."""

    name: ClassVar[str] = "names"
    layers: ClassVar[tuple[str, ...]] = ("names",)

    model: str = option("", positional=True, text="the tagger's folder; required")

    def __post_init__(self) -> None:
        if not fspath(self.model):
            raise DataError("The annotator names needs a model folder: names:model=FOLDER.")

    def needs(self) -> list[Need]:
        """The model."""
        path = fspath(self.model)
        return [Need(f"the name tagger {path}", f"dragoman syntax names train FILE -m {path}", Path(path).is_dir)]

    def _annotate(self, token_lines: TokenLines) -> list[list[str]]:
        return _name_tagger(fspath(self.model)).label(token_lines)


@lru_cache(maxsize=4)
def _parser(folder: str) -> Parser:
    return Parser.load(folder)


@lru_cache(maxsize=4)
def _name_tagger(folder: str) -> NameTagger:
    return NameTagger.load(folder)
