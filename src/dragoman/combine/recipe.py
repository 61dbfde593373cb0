"""What may be chosen of a combination."""

from __future__ import annotations

from dataclasses import dataclass

from dragoman import _core
from dragoman.options import Recipe, option
from dragoman.smt.tune.base import TUNERS

__all__ = ["ALIGNMENTS", "CombineRecipe"]

ALIGNMENTS = {
    "iter": _core.combine.Method.shifts,
    "iterp": _core.combine.Method.shifts,
    "ihmm": _core.combine.Method.hmm,
    "itg": _core.combine.Method.inversions,
    "hmm": _core.combine.Method.links,
}


@dataclass(frozen=True)
class CombineRecipe(Recipe):
    """How outputs are aligned, what a path through their networks is scored by, and how its weights are tuned.

    `iter` aligns each output to the network so far by edits and shifts of blocks (TER), `iterp` also matches synonyms
    and shifts only what is alike (TER-plus), `ihmm` is a hidden Markov model of likeness and distance, `itg` allows
    nested inversions and matches synonyms, `hmm` learns a word aligner from all pairs of outputs and is the only one
    that aligns to the skeleton alone (Rosti et al., WMT 2012).
    """

    align: str = option("ihmm", choices=tuple(ALIGNMENTS), text="how an output is aligned")
    lang: str = option("", text="language of the outputs, for tokens and stems; none: they are tokenised already")
    tuner: str = option("mira:rounds=6", of=TUNERS, text="how weights are tuned")
    metric: str = option("bleu:tokeniser=none", text="what is tuned for")
    synonyms: str = option("", text="folder of WordNet's files, for iterp and itg; none: where they usually are")
    inputs_order: int = option(3, low=0, high=9, text="order of a language model of the outputs themselves; 0: none")
    beam: int = option(12, low=1, text="partial translations kept behind each link")
    n_best: int = option(60, low=2, text="candidates of each segment in a round of tuning")
    stem_cost: float = option(0.2, low=0, high=1, text="of replacing a word by another form of it")
    kin_cost: float = option(0.2, low=0, high=1, text="of replacing a word by a synonym")
    shift_cost: float = option(1.0, low=0, text="of moving a block of words")
    longest_shift: int = option(10, low=1, text="words of a block")
    farthest_shift: int = option(50, low=1, text="words that a block jumps over at most")
    semantic: float = option(0.3, low=0, high=1, text="α of ihmm, the share of meaning by way of the source")
    surface: float = option(3.0, low=0, text="ρ of ihmm, how fast likeness falls with spelling")
    jump: float = option(2.0, low=0, text="κ of ihmm, the exponent of a jump's weight")
    p_null: float = option(0.2, low=1e-6, high=0.999, text="of ihmm: how probable a word without a link is")
    inversion: float = option(1.0, low=0, text="of itg: cost of putting two blocks in the other order")
    most_items: int = option(1000, low=0, text="of itg: spans looked at before shifts are taken; 0: all")

    @property
    def has_kin(self) -> bool:
        """Whether synonyms match."""
        return self.align in ("iterp", "itg")

    def core(self) -> _core.combine.BuildOptions:
        """What the kernel takes."""
        return _core.combine.BuildOptions(
            ALIGNMENTS[self.align],
            stem_cost=self.stem_cost,
            kin_cost=self.kin_cost,
            semantic=self.semantic,
            surface=self.surface,
            shift_cost=self.shift_cost,
            longest_shift=self.longest_shift,
            farthest_shift=self.farthest_shift,
            all_alike=self.align == "iterp",
            jump=self.jump,
            p_null=self.p_null,
            inversion=self.inversion,
            most_items=self.most_items,
        )
