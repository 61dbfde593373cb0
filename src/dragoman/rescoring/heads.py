"""How probable a candidate's words are below their heads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.errors import DataError
from dragoman.lm.heads import HeadsModel
from dragoman.options import option
from dragoman.rescoring.base import RescoringFeature
from dragoman.rescoring.cutting import cut_texts
from dragoman.rescoring.lists import CandidateLists
from dragoman.stats.arrays import Floats
from dragoman.syntax import Parser

__all__ = ["HeadsLanguageModel"]


@dataclass(frozen=True)
class HeadsLanguageModel(RescoringFeature):
    """The logarithm, base 10, of a candidate's parse by a language model along heads (Graham & van Genabith 2010)."""

    name: ClassVar[str] = "heads-lm"

    parser: str = option("", positional=True, text="the parser's folder, of dragoman syntax parser train")
    model: str = option("", text="the model's folder, of dragoman lm heads")
    cut: str = option("none", text="tokeniser that the parser knows the words of, or a phrase engine's folder")

    def check(self) -> HeadsLanguageModel:
        """Raise where the parser or the model is not named."""
        if not (self.parser and self.model):
            raise DataError("The rescoring feature 'heads-lm' needs a parser and a model: heads-lm:PARSER,model=MODEL.")
        super().check()
        return self

    def scores(self, lists: CandidateLists, *, n_threads: int = 1) -> Floats:
        """Of whole trees; a candidate without words is the end alone."""
        parser, model = Parser.load(self.parser), HeadsModel.load(self.model)
        tokens = [text.split() for text in cut_texts(lists, self.cut, n_threads=n_threads)]
        if not tokens:
            return np.zeros((0, 1))
        return model.score(parser.parse(tokens, n_threads=n_threads), n_threads=n_threads).reshape(-1, 1)
