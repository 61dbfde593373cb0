"""The factors of a tuple model, each a net of its own (Le, Allauzen & Yvon 2012; LIMSI at WMT 2012, eq. 3 and 4).

h(x) are the n − 1 tokens before x in its stream; unit i has the source s_i and the target t_i. Either two factors
together give the probability of a pair with its units:

- eq. 3: `translation`, p(t | h(t), h(s of the next unit)), and `reordering`, p(s | h(s), h(t of this unit));
- eq. 4: `back-translation`, p(s | h(s), h(t of the next unit)), and `back-reordering`, p(t | h(t), h(s of this unit)).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.lm.nets import Examples, OutputWords, window
from dragoman.smt.nets.streams import Streams
from dragoman.text.tokens import TokenIds

__all__ = ["FACTORS", "EncodedStreams", "Factor"]


@dataclass(frozen=True, eq=False)
class EncodedStreams:
    """Streams as numbers of words, source first."""

    texts: tuple[TokenIds, TokenIds]
    sizes: tuple[NDArray[np.int64], NDArray[np.int64]]
    pair_of: NDArray[np.int64]  # by unit

    @classmethod
    def of(cls, streams: Streams, words: tuple[OutputWords, OutputWords], *, n_threads: int = 1) -> EncodedStreams:
        """The streams by the numbers of these words; a stream's last token is its end."""
        source, target = (
            each.encode(lines, n_threads=n_threads)
            for each, lines in zip(words, (streams.source, streams.target), strict=True)
        )
        pair_of = np.repeat(np.arange(len(streams)), streams.n_units)
        return cls((source, target), (streams.source_sizes, streams.target_sizes), pair_of)


@dataclass(frozen=True)
class Factor:
    """Which side is predicted, and whether the other side's window has this unit in it."""

    side: int  # 0: source, 1: target
    with_unit: bool

    def examples(self, streams: EncodedStreams, n_words: tuple[int, int], size: int, ahead: int = 0) -> Examples:
        """Every token of the side after `size` tokens of its own stream, then `size` of the other's and `ahead` more.

        Inputs are numbered: words of the side, its padding, words of the other, its padding.
        """
        own, other = streams.texts[self.side], streams.texts[1 - self.side]
        base = n_words[self.side] + 1
        unit_of = np.repeat(np.arange(len(streams.pair_of)), streams.sizes[self.side])
        pair_of = streams.pair_of[unit_of]
        ends = np.cumsum(streams.sizes[1 - self.side])
        until = ends if self.with_unit else ends - streams.sizes[1 - self.side]
        own_lines, other_lines = ((each.offsets[pair_of], each.offsets[pair_of + 1]) for each in (own, other))
        before = window(own.ids, own_lines, np.arange(len(own.ids)), size, base - 1)
        padding = base + n_words[1 - self.side]
        beside = window(other.ids + np.int32(base), other_lines, until[unit_of], size, padding, ahead=ahead)
        return Examples(np.ascontiguousarray(np.hstack([before, beside])), np.asarray(own.ids, dtype=np.int32))


FACTORS = {
    "translation": Factor(1, with_unit=True),
    "reordering": Factor(0, with_unit=False),
    "back-translation": Factor(0, with_unit=True),
    "back-reordering": Factor(1, with_unit=False),
}
