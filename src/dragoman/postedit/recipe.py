"""What training a post-editor is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from dragoman.errors import DataError
from dragoman.learn import LEARNERS
from dragoman.options import Recipe, option

__all__ = ["PostEditRecipe"]


@dataclass(frozen=True)
class PostEditRecipe(Recipe):
    """How to learn which changes a rule-based engine's output needs, and which of them to make."""

    source_lang: str = option("", text="BCP 47 tag of the language translated from")
    target_lang: str = option("", text="BCP 47 tag of the language translated into")
    base: str = option("", text="engine whose output is post-edited, as -m takes it: apertium:spa-eng")
    shortest: int = option(1, low=1, high=20, text="least tokens of what is replaced; PROMT took 3")
    longest: int = option(6, low=1, high=20, text="most tokens of what is replaced, on either side")
    least_count: int = option(2, low=1, text="how often a change must have been met")
    least_share: float = option(0.05, low=0, high=1, text="least share of a phrase's uses that were so changed")
    most_changed: float = option(0.55, low=0, high=1, text="share of the lines that may be changed")
    learner: str = option("boosting:n_trees=100,depth=4,rate=0.1,min_leaf=30", text="who learns what a change is worth")
    most_examples: int = option(25_000, low=100, text="changes to learn their worth from, evenly spread")
    lm_order: int = option(4, low=1, high=9, text="order of the language model")
    n_folds: int = option(3, low=2, high=20, text="folds: worth and bar are learnt on lines that phrases have not seen")
    seed: int = option(1, low=0, text="of aligners and learners")

    def check(self) -> Self:
        """Return the recipe if it keeps its rules."""
        super().check()
        if self.shortest > self.longest:
            raise DataError(f"What is replaced has {self.shortest} tokens at least and {self.longest} at most.")
        LEARNERS.make(self.learner)
        return self
