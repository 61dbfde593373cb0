"""How far a search goes: limits that trade quality for time."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman import _core
from dragoman.errors import DataError
from dragoman.options import Recipe, filled, option

__all__ = ["SearchLimits"]


@dataclass(frozen=True)
class SearchLimits(Recipe):
    """Limits of the decoder's search."""

    pop_limit: int = option(400, low=1, text="hypotheses taken from the cubes of each stack")
    distortion_limit: int = option(6, low=0, text="source words that a jump may skip; 0 translates in order")
    options_per_phrase: int = option(20, low=1, text="translations tried for one source phrase, the best ones")
    drop_unknown: bool = option(False, choices=(False, True), text="leave out words without a translation")

    hierarchy: str = option(
        "approximate",
        choices=("approximate", "two-reducing", "star-reducing"),
        text="how hierarchical orientation finds the block before: from covered words, or by a parser",
    )
    itg: bool = option(False, choices=(False, True), text="only orders that an inversion transduction grammar builds")
    walls: bool = option(False, choices=(False, True), text="reorder nothing across punctuation (Koehn & Haddow 2009)")
    distortion_exponent: float = option(1.0, low=0.0, text="power of the distance that a jump costs")
    grow: bool = option(
        False, choices=(False, True), text="grammars: find parts only when wholes ask for them (cube growing)"
    )
    future: tuple[str, ...] = option(
        (), text="feature=factor: in estimates of what is still to come its weight is multiplied, as lm=0.7"
    )

    def future_factors(self) -> dict[str, float]:
        """Of features whose weight differs in estimates, by how much."""
        factors = {}
        for each in self.future:
            name, _, text = each.partition("=")
            try:
                factors[name] = float(text)
            except ValueError:
                raise DataError(f"{each!r} is no weight for estimates; write feature=factor, as lm=0.7.") from None
        return factors

    def core(self) -> _core.phrase.DecodeOptions:
        """The limits as the decoder takes them."""
        self.check()
        return filled(_core.phrase.DecodeOptions(), self)
