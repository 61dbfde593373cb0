"""What tells a pair that translates from one that does not: numbers of a pair, by models of a good bitext."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman.align.base import ALIGNERS, Aligner
from dragoman.align.text import LONGEST
from dragoman.corpus.profiles import Profiles
from dragoman.corpus.select.base import word_counts
from dragoman.lm import KneserNey, LanguageModel
from dragoman.stats.arrays import Floats

__all__ = ["SHAPES", "SIX", "PairModels", "shape_features"]

# Of CMU's system at WMT 2012, all higher for better pairs.
SIX = ("source lm", "target lm", "forward", "backward", "source linked", "target linked")
# Beside them, of KIT's: how unlike in shape the sides are.
SHAPES = ("length ratio", "characters", "digits", "punctuation")


@dataclass(frozen=True, eq=False)
class PairModels:
    """Language models of both sides and a word aligner."""

    languages: tuple[LanguageModel, LanguageModel]
    aligner: Aligner

    @classmethod
    def of(
        cls, sources: Sequence[str], targets: Sequence[str], *, order: int, aligner: str, n_threads: int
    ) -> PairModels:
        """Learnt from good pairs that are cut into words, none of them empty."""
        sides = short(sources), short(targets)
        source, target = (KneserNey(order=order).train(lines, n_threads=n_threads) for lines in sides)
        return cls((source, target), ALIGNERS.make(aligner).train(*sides, n_threads=n_threads))

    def save(self, folder: Path) -> None:
        """Write all models into a folder."""
        for number, model in enumerate(self.languages):
            model.save(folder / f"model{number}")
        self.aligner.save(folder / "aligner")

    @classmethod
    def load(cls, folder: Path) -> PairModels:
        """What `save` wrote."""
        source, target = (LanguageModel.load(folder / f"model{number}") for number in range(2))
        return cls((source, target), Aligner.load(folder / "aligner"))

    def six(self, sources: Sequence[str], targets: Sequence[str], n_threads: int) -> Floats:
        """CMU's six scores, a row a pair: language models per word and sentence's end, alignments per link, links.

        The forced alignment of IBM model 4 there is that of `aligner` here, with the probability of all alignments.
        """
        sides = short(sources), short(targets)
        n_source, n_target = map(word_counts, sides)
        found = self.aligner.align(*sides, symmetrisation="union", n_threads=n_threads)
        forward = _linked(found.forward, found.target.offsets)  # target words that come from a source word
        backward = _linked(found.backward, found.source.offsets)
        columns = [
            self.languages[0].score(sides[0], n_threads=n_threads) / (n_source + 1),
            self.languages[1].score(sides[1], n_threads=n_threads) / (n_target + 1),
            found.log_p_forward / np.maximum(forward, 1),
            found.log_p_backward / np.maximum(backward, 1),
            backward / n_source,
            forward / n_target,
        ]
        return np.stack(columns, axis=1).astype(np.float64)


def shape_features(srcs: Sequence[str], tgts: Sequence[str], n_threads: int) -> Floats:
    """Differences of length (logarithms of ratios), digits and punctuation."""
    source, target = (Profiles.of(lines, n_threads=n_threads) for lines in (srcs, tgts))
    ratios = [np.abs(np.log((source[key] + 1.0) / (target[key] + 1.0))) for key in ("tokens", "characters")]
    differences = [np.abs(source[key] - target[key]) / (1.0 + source["tokens"]) for key in ("digits", "punctuation")]
    return np.stack([*ratios, *differences], axis=1).astype(np.float64)


def short(lines: Sequence[str]) -> list[str]:
    """Of lines with more words than an aligner takes, the first; what has no word becomes one, as no word would."""
    plain = (" ".join(line.split()[:LONGEST]) if line.count(" ") >= LONGEST else line.strip() for line in lines)
    return [line or _NOTHING for line in plain]


_NOTHING = "<nothing>"


def _linked(links: NDArray[np.int32], offsets: NDArray[np.int64]) -> Floats:
    """How many words of each sentence have a link."""
    sums = np.concatenate([[0], np.cumsum(links >= 0)])
    counts: Floats = (sums[offsets[1:]] - sums[offsets[:-1]]).astype(np.float64)
    return counts
