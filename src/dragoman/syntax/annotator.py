"""A parser of yours as an annotator."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from os import fspath
from pathlib import Path
from typing import ClassVar

from dragoman.errors import DataError
from dragoman.options import option
from dragoman.syntax.parser import Parser
from dragoman.text.annotate.base import Annotator, Need, TokenLines

__all__ = ["ParserAnnotator"]

_COLUMNS = {"pos": "upos", "feats": "feats", "xpos": "xpos", "deprel": "relations"}


@dataclass(frozen=True)
class ParserAnnotator(Annotator[str]):
    """Parts of speech, morphological features or relations by a parser that `dragoman parser train` made."""

    name: ClassVar[str] = "parser"
    layers: ClassVar[tuple[str, ...]] = tuple(_COLUMNS)

    model: str = option("", text="the parser's folder; required")
    give: str = option("pos", choices=layers, text="the layer wanted")

    def __post_init__(self) -> None:
        if not fspath(self.model):
            raise DataError("The annotator parser needs a model folder: parser:model=FOLDER.")

    def needs(self) -> list[Need]:
        """The model."""
        path = fspath(self.model)
        return [Need(f"the parser {path}", f"dragoman parser train TREEBANK -m {path}", Path(path).is_dir)]

    def _annotate(self, token_lines: TokenLines) -> list[list[str]]:
        parses = _parser(fspath(self.model)).annotate(token_lines, trees=self.give == "deprel")
        names = getattr(parses.labels, "deprel" if self.give == "deprel" else _COLUMNS[self.give])
        values = [names[i] for i in getattr(parses, _COLUMNS[self.give]).tolist()]
        bounds = parses.offsets.tolist()
        return [values[begin:end] for begin, end in pairwise(bounds)]


@lru_cache(maxsize=4)
def _parser(folder: str) -> Parser:
    return Parser.load(folder)
