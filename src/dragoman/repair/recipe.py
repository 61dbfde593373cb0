"""What to choose about repairing."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman.align import ALIGNERS
from dragoman.options import Recipe, option

__all__ = ["RepairRecipe"]


@dataclass(frozen=True)
class RepairRecipe(Recipe):
    """How to learn a repairer from a bitext."""

    grammar: str = option("cs", text="the target language, or a TOML file of one's own")
    aligner: str = option("diagonal", of=ALIGNERS, text="what links the words of source and translation")
    order: int = option(4, low=1, high=9, text="of the language model that is asked before a form is changed")
    gain: float = option(0.5, low=0, high=100, text="log10 by which the model must like the new form better")
    base: str = option("", text="the engine whose output is mended: with it, the repairer is an engine itself")
    seed: int = option(1, low=0, text="of chance in the aligner")
