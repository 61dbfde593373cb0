"""Text of lists as models of tokens know it: cut by a tokeniser, or as a phrase engine cuts and cases it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from dragoman.errors import DataError
from dragoman.options import option
from dragoman.rescoring.base import RescoringFeature
from dragoman.rescoring.lists import CandidateLists
from dragoman.smt import Engine
from dragoman.text import TOKENISERS

__all__ = ["ModelFeature", "cut_sources", "cut_texts"]


@dataclass(frozen=True)
class ModelFeature(RescoringFeature):
    """A feature that asks a model of tokens."""

    model: str = option("", positional=True, text="where the model is: a folder or a file")
    cut: str = option("none", text="tokeniser of the model's text, or a phrase engine's folder to cut and case like it")

    def check(self) -> ModelFeature:
        """Raise where no model is named."""
        if not self.model:
            raise DataError(f"The rescoring feature {self.name!r} needs a model: {self.name}:PATH.")
        super().check()
        return self


def cut_sources(lists: CandidateLists, cut: str, *, n_threads: int = 1) -> list[str]:
    """The source of each candidate as tokens, cut once for each source."""
    tokens = _cutter(cut, 0)(lists.sources, n_threads)
    return [tokens[i] for i in lists.segments.tolist()]


def cut_texts(lists: CandidateLists, cut: str, *, n_threads: int = 1) -> list[str]:
    """Each candidate as tokens."""
    return _cutter(cut, 1)(lists.texts, n_threads)


def _cutter(cut: str, side: int) -> Callable[[Sequence[str], int], list[str]]:
    if Path(cut).is_dir():
        engine = _engine(cut)
        text = engine.target if side else engine.source
        return lambda lines, n_threads: text.cased(lines, n_threads=n_threads)
    tokeniser = TOKENISERS.make(cut)
    return lambda lines, n_threads: tokeniser.tokenise(list(lines), n_threads=n_threads)


@lru_cache(maxsize=1)
def _engine(folder: str) -> Engine:
    return Engine.load(folder)
