"""What one chooses of a net over n-grams: its size, and how it is trained."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from dragoman.errors import DataError
from dragoman.options import Recipe, option

__all__ = ["NetRecipe"]

_LINE = 16  # floats that the core works on at a time


@dataclass(frozen=True)
class NetRecipe(Recipe):
    """A net that predicts a word from the words before it (Schwenk 2007; Le et al., NAACL 2012)."""

    order: int = option(5, low=2, high=20, text="length of the n-grams: the predicted word and those before it")
    projection: int = option(128, low=_LINE, text="width of a projected word, a multiple of 16")
    hidden: int = option(192, low=_LINE, text="width of the hidden layer, a multiple of 16")
    hidden2: int = option(0, low=0, text="width of a second hidden layer, a multiple of 16; 0: none")
    min_count: int = option(2, low=1, text="words met less often are <unk>")
    shortlist: int = option(200, low=0, text="so many of the most frequent words are output classes of their own")
    classes: int = option(100, low=1, text="classes of all other words")
    update: str = option("adagrad", choices=("adagrad", "sgd"), text="a rate for each weight, or one for all")
    rate: float = option(0.05, low=0.0, text="of learning, at first; halved when an epoch brings nothing")
    patience: int = option(2, low=1, text="training ends with so many epochs that brought nothing")
    epochs: int = option(10, low=1, text="at most so many")
    batch: int = option(128, low=1, text="n-grams of a step")
    dropout: float = option(0.2, low=0.0, high=0.9, text="share of the units that a step leaves out")
    decay: float = option(0.0, low=0.0, text="of the weights at each step, as a share of the rate")
    sample: float = option(1.0, low=0.0001, high=1.0, text="share of the n-grams that an epoch sees, drawn anew")

    def check(self) -> Self:
        """Return the recipe if its options keep their rules and its widths can be had."""
        super().check()
        for name in ("projection", "hidden", "hidden2"):
            width = getattr(self, name)
            if width % _LINE:
                raise DataError(f"The {name} must be a multiple of {_LINE}, got {width}.")
        return self
