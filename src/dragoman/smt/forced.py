"""Pruning by use: phrase pairs that training text does not need when it is translated again by its own table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self

import numpy as np

from dragoman import _core
from dragoman.errors import DataError
from dragoman.options import Recipe, filled, option
from dragoman.report import Column, Result, Table
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.phrase_table import PhraseTable
from dragoman.smt.weights import default_weights
from dragoman.text.vocabulary import Vocabulary

__all__ = ["ForcedDecoding", "Pruning", "copied_words"]

METHODS = ("none", "prune", "reestimate")


@dataclass(frozen=True)
class ForcedDecoding(Recipe):
    """Leave-one-out forced decoding (Wuebker, Hwang & Quirk, WMT 2012).

    Each training pair is translated again by phrases whose probabilities lack its own counts; what none of its best
    derivations uses is pruned. Which are the best a margin says, or, as in the paper, their number: long sentences have
    more derivations that hardly differ than any number holds, short ones so few that bad ones are among them.
    `reestimate` also sets phrase probabilities by how often they were used, in the `n_best` best.
    """

    method: str = option("none", choices=METHODS, text="prune the phrase table by forced decoding, or not")
    margin: float = option(
        0.5,
        low=0,
        text="prune: keep phrases of all derivations at most so far below the best, as a share of what a phrase pair "
        "costs that only this sentence pair has; 0: of the n_best best",
    )
    n_best: int = option(100, low=1, text="derivations of each sentence pair that count, if no margin says which")
    leave_one_out: bool = option(
        True, choices=(False, True), text="take a pair's own counts out while it is translated"
    )
    artificial: bool = option(True, choices=(False, True), text="insert and leave out words where no phrase helps")
    restore: int = option(3, low=0, text="translations restored to a word that would be left without any")
    floor: float = option(-20.0, high=0, text="log probability of a phrase pair that only this sentence pair has")
    tuner: str = option(
        "mira:rounds=3",
        text="of the weights that text is translated again with, on the tuning set with a bigram model; none: untuned",
    )
    distortion_limit: int = option(12, low=0, text="source words that a jump may skip")
    pop_limit: int = option(100, low=1, text="hypotheses taken from the cubes of each stack")
    scale: float = option(1.0, low=0, text="reestimate: of scores when derivations share a count; 0: all alike")
    power: float = option(0.5, low=0, text="reestimate: of a count in one sentence pair; 0: 1 for all that was used")
    discount: float = option(0.2, low=0, text="reestimate: added to the sum that p(source | target) is divided by")

    def prune(
        self, table: PhraseTable, text: AlignedText, *, weights: Mapping[str, float] | None = None, n_threads: int = 1
    ) -> tuple[PhraseTable, Pruning]:
        """The part of an extracted table that its text needs, and what was found on the way.

        `weights` are an engine's, of which those of language models are not used.
        """
        self.check()
        if not table.counted or len(table.features) != 4:
            raise DataError(
                "Leaving one out needs the counts of an extracted table; this one was combined of several. Prune the "
                "tables before they are combined."
            )
        use = self._use(table, text, weights or {}, n_threads)
        if self.method == "reestimate":
            core = _core.phrase.reestimate(table.core, use, self.restore, self.discount)
        else:
            core = _core.phrase.prune_unused(table.core, use, self.restore)
        pruned = PhraseTable(core, table.source, table.target, table.recipe, data=table.data)
        return pruned, Pruning.of(use, table, pruned, self)

    def _use(
        self, table: PhraseTable, text: AlignedText, weights: Mapping[str, float], n_threads: int
    ) -> _core.phrase.ForcedUse:
        orientation = _core.phrase.Orientation[table.orientation]
        names = _core.phrase.Engine.make([(table.core, 4)], [], orientation).names()
        # Weights of the paper's weak training are near those that an untuned engine has.
        vector = [weights.get(name, own) for name, own in default_weights(names).items()]
        limits = filled(_core.phrase.DecodeOptions(), self)
        longest = int(getattr(table.recipe, "longest", 7))
        # Weights mean something in proportion alone, and so does a difference of scores.
        whole = -self.floor * (abs(vector[0]) + abs(vector[2]))
        margin = self.margin * whole if self.method != "reestimate" else 0.0
        options = filled(_core.phrase.ForcedOptions(), self, margin=margin, longest=longest, n_threads=n_threads)
        return _core.phrase.forced_use(
            table.core,
            4,
            orientation,
            text.source.ids,
            text.source.offsets,
            text.target.ids,
            text.target.offsets,
            text.links,
            text.link_offsets,
            copied_words(table.source, table.target),
            np.array(vector, dtype=np.float32),
            limits,
            options,
        )


class Prunable(Protocol):
    """A table of phrases or of rules."""

    def __len__(self) -> int:
        """How many."""

    @property
    def n_sources(self) -> int:
        """Different source sides of them."""


@dataclass(frozen=True)
class Pruning(Result):
    """What forced decoding found, and how much of the table is left."""

    kind: ClassVar[str] = "pruning"

    n_pairs: int  # sentence pairs
    n_reached: int  # translated again
    n_whole: int  # of these, without artificial phrases
    n_before: int  # phrase pairs
    n_left: int
    n_sources_before: int  # source phrases
    n_sources_left: int
    recipe: dict[str, Any]
    what: str = "phrases"  # or rules

    @classmethod
    def of(
        cls,
        use: _core.phrase.ForcedUse,
        before: Prunable,
        left: Prunable,
        recipe: ForcedDecoding,
        *,
        what: str = "phrases",
    ) -> Self:
        """What a use of a table left of it."""
        return cls(
            n_pairs=use.n_pairs,
            n_reached=use.n_reached,
            n_whole=use.n_whole,
            n_before=len(before),
            n_left=len(left),
            n_sources_before=before.n_sources,
            n_sources_left=left.n_sources,
            recipe=recipe.to_dict(),
            what=what,
        )

    def tables(self) -> list[Table]:
        """Sentence pairs and phrase pairs, before and behind."""
        pairs, sources = ("phrase pairs", "source phrases") if self.what == "phrases" else ("rules", "source sides")
        rows = [
            ("sentence pairs translated again", self.n_reached, self.n_pairs, _share(self.n_reached, self.n_pairs)),
            ("without artificial phrases", self.n_whole, self.n_pairs, _share(self.n_whole, self.n_pairs)),
            (f"{pairs} left", self.n_left, self.n_before, _share(self.n_left, self.n_before)),
            (
                f"{sources} left",
                self.n_sources_left,
                self.n_sources_before,
                _share(self.n_sources_left, self.n_sources_before),
            ),
        ]
        return [Table.of("Forced decoding", ["what", "n", "of", Column("share", digits=3)], rows)]

    def meta(self) -> dict[str, Any]:
        """The recipe."""
        return {"recipe": self.recipe}


def _share(n: int, total: int) -> float | None:
    return n / total if total else None


def copied_words(source: Vocabulary, target: Vocabulary) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """For each source word the target word that is spelt like it, or -1."""
    return target.core.find_words(source.words())
