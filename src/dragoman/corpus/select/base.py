"""The contract of selection scores, and the table of those we have: what is worth taking first out of a pool.

A score of your own is a frozen dataclass that derives from `SelectionScore`; name it in an entry point of the group
`dragoman.selection_score`, or hand it to `select` as it is.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.corpus.select.texts import TextBatch, Texts
from dragoman.errors import DataError
from dragoman.options import Recipe, option, write_spec
from dragoman.registry import Registry
from dragoman.stats.arrays import Floats
from dragoman.text import TOKENISERS
from dragoman.text.casing import lowercase

__all__ = ["SELECTION_SCORES", "ReasonedScorer", "Scorer", "SelectionScore", "SidePair", "word_counts"]

Scorer = Callable[[TextBatch], Floats]  # a score for each pair of a batch, higher to be taken first
SidePair = tuple[int, int]  # a side of the text to be like, and the side of the pool that is compared with it

SELECTION_SCORES: Registry[SelectionScore] = Registry(
    "selection score",
    {
        "infrequent": "dragoman.corpus.select.infrequent:Infrequent",
        "model1": "dragoman.corpus.select.model1:Model1Score",
        "moore-lewis": "dragoman.corpus.select.moore_lewis:MooreLewis",
        "noise": "dragoman.corpus.select.noise:Noise",
        "noise-svm": "dragoman.corpus.select.noise:NoiseSvm",
        "perplexity": "dragoman.corpus.select.moore_lewis:PlainPerplexity",
        "retrieve": "dragoman.corpus.select.retrieve:Retrieve",
        "test-like": "dragoman.corpus.select.likeness:LikeTest",
    },
)


class ReasonedScorer(ABC):
    """A scorer whose number is the worst of several: it can say which."""

    reasons: tuple[str, ...]

    @abstractmethod
    def explained(self, batch: TextBatch) -> tuple[Floats, NDArray[np.int8]]:
        """The scores, and for each the place of its reason."""

    def __call__(self, batch: TextBatch) -> Floats:
        """The scores alone."""
        return self.explained(batch)[0]


@dataclass(frozen=True)
class SelectionScore(Recipe, ABC):
    """How to score the lines or pairs of a pool by a text that they shall be like."""

    name: ClassVar[str]
    needs_pairs: ClassVar[bool] = False  # looks at both sides together
    in_parts: ClassVar[bool] = False  # has `learn` and `open`, so that several workers can score a pool

    side: Literal["both", "source", "target"] = option(
        "both", choices=("both", "source", "target"), text="side of the pool that is looked at"
    )
    tokeniser: str = option("13a", text="cuts lines into words, which are then lower-cased")

    @abstractmethod
    def start(self, like: Texts | None, pool: Texts, *, seed: int, n_threads: int) -> Scorer:
        """Learn what is needed, and give what scores the batches of this pool, which come in order.

        Scores are finite, or −∞ for what is not to be taken; they depend neither on batches nor on `n_threads`.
        """

    def learn(self, folder: Path, like: Texts | None, pool: Texts, *, seed: int, n_threads: int) -> None:
        """Write what `start` learns into a folder."""
        raise NotImplementedError

    def open(self, folder: Path, *, n_threads: int) -> Scorer:
        """What scores batches of the pool, in any order, by what `learn` wrote: as that of `start` does."""
        raise NotImplementedError

    def anywhere(self) -> Self:
        """The same, with names of files that do not depend on where a worker was started."""
        return self

    def signature(self) -> str:
        """The name, followed by the options that differ from their defaults."""
        return write_spec(self)

    def cut(self, lines: Sequence[str], n_threads: int = 1) -> list[str]:
        """Lines as models see them: words in small letters between single spaces."""
        cut = TOKENISERS.make(self.tokeniser).tokenise(list(lines), n_threads=n_threads)
        return lowercase(cut, n_threads=n_threads)

    def cut_side(self, texts: Texts, side: int, n_threads: int = 1) -> Iterator[str]:
        """All lines of a side, cut; those without a word are left out."""
        for batch in texts.batches():
            yield from filter(None, map(str.strip, self.cut(batch.sides[side], n_threads)))

    def wanted(self, like: Texts | None) -> Texts:
        """The text to be like, which must be there."""
        if like is None:
            raise DataError(f"The score {self.name} must know what the selection shall be like; name a text (--like).")
        return like

    def compared_sides(self, like: Texts, pool: Texts) -> list[SidePair]:
        """Which side is compared with which. One text to be like stands for the source, unless `side` says target."""
        if self.needs_pairs and (like.n_sides, pool.n_sides) != (2, 2):
            one = like if like.n_sides == 1 else pool
            raise DataError(f"The score {self.name} looks at pairs, and {one.label} is one text; name both sides.")
        if like.n_sides > pool.n_sides:
            raise DataError(f"{like.label} are two sides, {pool.label} is one; name the side that it shall be like.")
        if pool.n_sides == 1 or like.n_sides == 1:
            return [(0, 1 if self.side == "target" and pool.n_sides == 2 else 0)]
        return [(side, side) for side in self.pool_sides(pool)]

    def pool_sides(self, pool: Texts) -> list[int]:
        """The sides of a pool that are looked at."""
        return [0] if pool.n_sides == 1 else {"both": [0, 1], "source": [0], "target": [1]}[self.side]


def word_counts(lines: Sequence[str]) -> Floats:
    """Words of lines that are cut; at least 1."""
    return np.array([line.count(" ") + 1 for line in lines], dtype=np.float64)
