"""Parsers and taggers of yours as annotators."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from os import fspath
from pathlib import Path
from typing import Any, ClassVar

from dragoman.artifact import MANIFEST, checksum
from dragoman.errors import DataError
from dragoman.options import option
from dragoman.syntax.names import NameTagger
from dragoman.syntax.parser import Parser
from dragoman.text.annotate.base import Annotator, Need, TokenLines

__all__ = ["NameAnnotator", "ParserAnnotator"]

_COLUMNS = {"pos": "upos", "feats": "feats", "xpos": "xpos", "deprel": "relations", "dependencies": "relations"}


@dataclass(frozen=True)
class ParserAnnotator(Annotator[Any]):
    """Parts of speech, morphological features, relations by a parser that `dragoman syntax parser train` made.

    `dependencies` are a word's head, as its place in the line from 0, −1 for roots, and the relation to it.
    """

    name: ClassVar[str] = "parser"
    layers: ClassVar[tuple[str, ...]] = tuple(_COLUMNS)

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
        trees = _COLUMNS[self.give] == "relations"
        parses = _parser(fspath(self.model)).annotate(token_lines, trees=trees)
        names = getattr(parses.labels, "deprel" if trees else _COLUMNS[self.give])
        values: list[Any] = [names[i] for i in getattr(parses, _COLUMNS[self.give]).tolist()]
        if self.give == "dependencies" and parses.heads is not None:
            values = list(zip((parses.heads - 1).tolist(), values, strict=True))
        bounds = parses.offsets.tolist()
        return [values[begin:end] for begin, end in pairwise(bounds)]


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
