"""How far a search goes: limits that trade quality for time."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman import _core
from dragoman.artifact import Recipe, option

__all__ = ["SearchLimits"]


@dataclass(frozen=True)
class SearchLimits(Recipe):
    """Limits of the decoder's search."""

    pop_limit: int = option(400, low=1, text="hypotheses taken from the cubes of each stack")
    distortion_limit: int = option(6, low=0, text="source words that a jump may skip; 0 translates in order")
    options_per_phrase: int = option(20, low=1, text="translations tried for one source phrase, the best ones")
    drop_unknown: bool = option(False, choices=(False, True), text="leave out words without a translation")

    def core(self) -> _core.phrase.DecodeOptions:
        """The limits as the decoder takes them."""
        self.check()
        limits = _core.phrase.DecodeOptions()
        limits.pop_limit = self.pop_limit
        limits.distortion_limit = self.distortion_limit
        limits.options_per_phrase = self.options_per_phrase
        limits.drop_unknown = self.drop_unknown
        return limits
