"""What one chooses of nets over tuples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from dragoman.align import ALIGNERS
from dragoman.errors import DataError
from dragoman.lm.nets.recipe import NetRecipe
from dragoman.options import option
from dragoman.smt.nets.factors import FACTORS
from dragoman.smt.nets.streams import UNITS

__all__ = ["TupleNetRecipe"]


@dataclass(frozen=True)
class TupleNetRecipe(NetRecipe):
    """Nets that predict one side of a sentence pair from both, in step by tuples."""

    units: str = option("word", choices=UNITS, text="what is predicted: words, or whole sides of tuples")
    factors: tuple[str, ...] = option(tuple(FACTORS), choices=tuple(FACTORS), text="a net for each")
    ahead: int = option(0, low=0, high=20, text="tokens behind the tuple in the other side's window; LIMSI has none")
    method: str = option("hmm", text="of dragoman align: learns the links where no aligner is given")

    @property
    def n_slots(self) -> int:
        """Tokens of a context, of both sides."""
        return 2 * (self.order - 1) + self.ahead

    def check(self) -> Self:
        """Return the recipe if its options keep their rules and there is a factor."""
        super().check()
        if not self.factors or len(set(self.factors)) < len(self.factors):
            raise DataError(f"The factors must be one or more, each once, got {list(self.factors)}.")
        ALIGNERS.make(self.method).check()
        return self
