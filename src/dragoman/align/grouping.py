"""Terms of several words as one token each while words are linked (Okita et al., CLIA 2010).

Both sides' terms are grouped where they stand in a pair, words are linked, and the links of a group become links of all
its words. What is known of a term, that its two sides go together, is given to training as one of the paper's priors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.align.glossary import Glossary, Priors, Span
from dragoman.align.text import Anchors
from dragoman.data.parallel import check_parallel
from dragoman.errors import UnknownName

__all__ = ["PRIORS", "GroupedSide", "GroupedText", "group_terms"]

# none: groups alone; anchors: prior model I, in each pair a term goes with its partner and with nothing else; counts:
# prior model II, a term goes with its partner anywhere, as if it had been linked as often as they meet.
PRIORS = ("none", "anchors", "counts")

_JOINT = "_"

Links = tuple[NDArray[np.uint16], NDArray[np.int64]]  # links (n, 2), and the offsets of the pairs


@dataclass(frozen=True, eq=False)
class GroupedSide:
    """One side of a bitext with its terms as tokens."""

    lines: list[str]
    starts: NDArray[np.int64]  # by token of all lines, the place of its first word in the line as it was
    sizes: NDArray[np.int64]  # its words
    offsets: NDArray[np.int64]  # of the lines, in tokens

    @classmethod
    def of(cls, lines: Sequence[str], spans: Sequence[Sequence[Span]]) -> GroupedSide:
        """The lines with their spans, which do not overlap, as one token each."""
        grouped, starts, sizes, offsets = [], [], [], [0]
        for line, terms in zip(lines, spans, strict=True):
            words = line.split()
            ends = {span.start: span.stop for span in terms}
            tokens, at = [], 0
            while at < len(words):
                end = ends.get(at, at + 1)
                tokens.append(_JOINT.join(words[at:end]))
                starts.append(at)
                sizes.append(end - at)
                at = end
            grouped.append(" ".join(tokens))
            offsets.append(offsets[-1] + len(tokens))
        return cls(grouped, np.array(starts, np.int64), np.array(sizes, np.int64), np.array(offsets, np.int64))

    def token(self, line: int, word: int) -> int:
        """The place of the token that has a word of a line."""
        begin, end = self.offsets[line], self.offsets[line + 1]
        return int(np.searchsorted(self.starts[begin:end], word, side="right")) - 1

    def words_of(self, links: NDArray[np.int32], other: GroupedSide) -> NDArray[np.int32]:
        """One direction's links, by token, as links by word: to the first word of the other side's token."""
        pair = np.repeat(np.arange(len(self.lines)), np.diff(self.offsets))
        linked = links >= 0
        words = np.full(len(links), -1, np.int32)
        words[linked] = other.starts[other.offsets[pair[linked]] + links[linked]]
        return np.repeat(words, self.sizes)


@dataclass(frozen=True, eq=False)
class GroupedText:
    """A bitext with terms as tokens, and what is known of them."""

    source: GroupedSide
    target: GroupedSide
    terms: tuple[tuple[tuple[int, int], ...], ...]  # by pair, tokens of the two sides that are a term
    prior: str

    @property
    def n_terms(self) -> int:
        """How many pairs of terms were met."""
        return sum(map(len, self.terms))

    def anchors(self) -> Anchors | None:
        """Prior model I: links that are known."""
        return self.terms if self.prior == "anchors" else None

    def priors(self) -> Priors | None:
        """Prior model II: how often the two tokens of a term meet."""
        if self.prior != "counts":
            return None
        sides = [[line.split() for line in side.lines] for side in (self.source, self.target)]
        counts = Counter((sides[0][n][s], sides[1][n][t]) for n, terms in enumerate(self.terms) for s, t in terms)
        return Priors(tuple((s, t, float(n)) for (s, t), n in counts.items()))

    def ungrouped(self, links: NDArray[np.uint16], offsets: NDArray[np.int64]) -> Links:
        """Links of tokens as links of all their words, sorted within each pair."""
        pair = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
        s, t = (side.offsets[pair] + links[:, n] for n, side in enumerate((self.source, self.target)))
        wide, high = self.target.sizes[t], self.source.sizes[s]
        n_links = wide * high
        which = np.repeat(np.arange(len(links)), n_links)
        k = np.arange(len(which)) - np.repeat(np.cumsum(n_links) - n_links, n_links)
        words = np.stack(
            [self.source.starts[s][which] + k // wide[which], self.target.starts[t][which] + k % wide[which]]
        )
        order = np.lexsort((words[1], words[0], pair[which]))
        counts = np.bincount(pair[which], minlength=len(offsets) - 1)
        return words[:, order].T.astype(np.uint16), np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)


def group_terms(srcs: Sequence[str], tgts: Sequence[str], glossary: Glossary, *, prior: str = "anchors") -> GroupedText:
    """Group the glossary's terms wherever both of their sides stand in a pair."""
    check_parallel({"srcs": srcs, "tgts": tgts})
    if prior not in PRIORS:
        raise UnknownName(f"No prior of terms is called {prior!r}. Known: {', '.join(PRIORS)}.")
    spans = glossary.spans(srcs, tgts)
    source, target = (
        GroupedSide.of(lines, [[s[n] for s in each] for each in spans]) for n, lines in enumerate((srcs, tgts))
    )
    terms = tuple(
        tuple((source.token(n, s.start), target.token(n, t.start)) for s, t in each) for n, each in enumerate(spans)
    )
    return GroupedText(source, target, terms, prior)
