"""MEANT: how much of who did what to whom a translation keeps, by semantic frames (Lo, Tumuluru & Wu, WMT 2012)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.cache import digest_of
from dragoman.data.frames import ROLES, Frame, parse_frame_values
from dragoman.errors import DataError
from dragoman.files import read_bytes
from dragoman.metrics.base import MeanReference, Rows, mean_rows
from dragoman.metrics.contexts import CONTEXT_MEASURES, SIMILARITIES, ContextVectors, WordSimilarity, dice, exact
from dragoman.metrics.references import References, ScoredText
from dragoman.metrics.words import make_tokeniser
from dragoman.options import option
from dragoman.text.layers import annotate_once, make_annotator

__all__ = ["FrameMatcher", "FramedSentence", "Meant"]

_LAYERS = ("frames",)
_MOST_WORDS = 2000  # of a line: matching takes the square of its frames
_TINY = 1e-9


@dataclass(frozen=True)
class FramedSentence:
    """The words of a sentence and its frames."""

    words: tuple[str, ...]
    frames: tuple[Frame, ...]

    def filler(self, frame: int, number: int) -> tuple[str, ...]:
        """The words of a filler."""
        each = self.frames[frame].fillers[number]
        return self.words[each.start : each.end]


@dataclass(frozen=True)
class FrameMatcher:
    """Which frames and fillers of two sentences belong together, and what they are worth."""

    similarity: WordSimilarity
    pairs: str = "aligned"
    align_by: str = "action"
    weights: tuple[float, ...] = (1.0,) * (1 + len(ROLES))  # of actions, then of the roles
    backoff: bool = False

    def score(self, hyp: FramedSentence, ref: FramedSentence) -> float:
        """The harmonic mean of precision and recall, from 0 to 1; 0 where no frames match."""
        if not hyp.frames and not ref.frames and self.backoff:
            return self.phrase(hyp.words, ref.words)
        shares = [self.share(hyp, h, ref, r) for h, r in self.matched(hyp, ref)]
        precision = _mean([share[0] for share in shares])
        recall = _mean([share[1] for share in shares])
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0

    def matched(self, hyp: FramedSentence, ref: FramedSentence) -> list[tuple[int, int]]:
        """The pairs of frames, each by its number, whose similarities have the greatest sum."""
        alike = [[self.frame(hyp, h, ref, r) for r in range(len(ref.frames))] for h in range(len(hyp.frames))]
        return best_pairs(np.array(alike).reshape(len(hyp.frames), len(ref.frames)))

    def frame(self, hyp: FramedSentence, h: int, ref: FramedSentence, r: int) -> float:
        """How alike two frames are, for matching them: by their actions, or by their fillers as well."""
        action = self.action(hyp, h, ref, r)
        if self.align_by == "action":
            return action
        most = max(len(hyp.frames[h].fillers), len(ref.frames[r].fillers))
        values = [value for _, _, value in self.fillers(hyp, h, ref, r)]
        values = [action, *values, *[0.0] * (most - len(values))]  # nothing is like a filler without a partner
        if self.align_by == "mean":
            return sum(values) / len(values)
        return float(1.0 / max(-np.log(np.clip(values, _TINY, 1.0)).sum(), _TINY))  # of surprises

    def action(self, hyp: FramedSentence, h: int, ref: FramedSentence, r: int) -> float:
        """How alike the actions of two frames are."""
        return self.similarity(hyp.words[hyp.frames[h].action], ref.words[ref.frames[r].action])

    def fillers(self, hyp: FramedSentence, h: int, ref: FramedSentence, r: int) -> list[tuple[int, int, float]]:
        """The pairs of fillers of two frames whose similarities have the greatest sum, with these."""
        ours, theirs = range(len(hyp.frames[h].fillers)), range(len(ref.frames[r].fillers))
        alike = [[self.phrase(hyp.filler(h, i), ref.filler(r, j)) for j in theirs] for i in ours]
        table = np.array(alike).reshape(len(ours), len(theirs))
        return [(i, j, float(table[i, j])) for i, j in best_pairs(table)]

    def share(
        self, hyp: FramedSentence, h: int, ref: FramedSentence, r: int
    ) -> tuple[tuple[float, int], tuple[float, int]]:
        """What two frames have in common by what each has, and the words it covers: for precision, and for recall."""
        ours, theirs = hyp.frames[h], ref.frames[r]
        value = self.weights[0] * self.action(hyp, h, ref, r)
        for i, j, alike in self.fillers(hyp, h, ref, r):
            if ours.fillers[i].role == theirs.fillers[j].role:
                value += self._weight(ours.fillers[i].role) * alike
        return (self._over(value, ours), ours.n_tokens), (self._over(value, theirs), theirs.n_tokens)

    def phrase(self, ours: Sequence[str], theirs: Sequence[str]) -> float:
        """How alike two phrases are: over all pairs of words, or over those that are most alike, one to one."""
        if not ours or not theirs:
            return 0.0
        table = np.array([[self.similarity(a, b) for b in theirs] for a in ours])
        return float(table.mean()) if self.pairs == "all" else 2.0 * linked_sum(table) / (len(ours) + len(theirs))

    def _over(self, value: float, frame: Frame) -> float:
        total = self.weights[0] + sum(self._weight(filler.role) for filler in frame.fillers)
        return value / total if total else 0.0

    def _weight(self, role: str) -> float:
        return self.weights[1 + ROLES.index(role)]


def best_pairs(table: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Rows and columns matched one to one so that the sum is greatest; what is 0 is left alone."""
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(table, maximize=True)
    return [(i, j) for i, j in zip(rows.tolist(), columns.tolist(), strict=True) if table[i, j] > 0]


def linked_sum(table: NDArray[np.float64]) -> float:
    """The sum of the links of competitive linking: the best pair first, each row and column once (Melamed 1997)."""
    order = np.argsort(-table, axis=None, kind="stable")
    n_columns = table.shape[1]
    rows: set[int] = set()
    columns: set[int] = set()
    total = 0.0
    for place in order.tolist():
        row, column = divmod(place, n_columns)
        if row not in rows and column not in columns:
            rows.add(row)
            columns.add(column)
            total += float(table[row, column])
            if len(rows) == min(table.shape):
                break
    return total


def _mean(shares: Sequence[tuple[float, int]]) -> float:
    """The mean of the frames' shares, each weighing as many words as its frame covers."""
    n_words = sum(n for _, n in shares)
    return sum(share * n for share, n in shares) / n_words if n_words else 0.0


@dataclass(frozen=True)
class Meant(MeanReference):
    """MEANT: frames of reference and hypothesis matched by their actions, fillers by their words, F of what is alike.

    Frames come as the layer `frames`: from a parser (`--layer frames=parser:FOLDER`), by light rules over its trees, or
    from a file that any semantic role labeller, or a person, wrote (`--layer frames=frames:FILE`). A hypothesis without
    frames scores 0, as in the paper; `backoff` compares whole sentences where neither side has any.
    """

    name: ClassVar[str] = "meant"
    label_pattern: ClassVar[str] = "MEANT"
    quick: ClassVar[bool] = False

    tokeniser: str = option("13a", text="how lines are cut into words: a name, perhaps with options (moses+lang=de)")
    frames: str = option("frames", layers=_LAYERS, text="the layer frames, or an annotator (parser+model=FOLDER)")
    similarity: str = option(
        "dice", choices=SIMILARITIES, text="of words: by letters (dice), exact, or by contexts (minmax-mi, cosine)"
    )
    corpus: str | None = option(None, text="text file that the contexts of minmax-mi and cosine are counted in")
    window: int = option(3, low=1, high=20, text="words to each side that are a word's context")
    pairs: str = option(
        "aligned", choices=("aligned", "all"), text="words of two fillers: linked one to one, or all with all, the mean"
    )
    align_by: str = option(
        "action", choices=("action", "mean", "surprise"), text="frames are matched by actions, or by fillers as well"
    )
    weights: tuple[float, ...] = option((), text=f"of actions and of {', '.join(ROLES)}; all 1 by default")
    backoff: bool = option(False, text="compare whole sentences where neither has a frame")

    def check(self) -> Self:
        """The metric itself if its options are sound."""
        super().check()
        make_tokeniser(self.tokeniser)
        if self.frames not in _LAYERS:
            make_annotator(self.frames, _LAYERS)
        if self.weights and (len(self.weights) != 1 + len(ROLES) or min(self.weights) < 0 or not any(self.weights)):
            raise DataError(f"MEANT has {1 + len(ROLES)} weights from 0 on, not all 0; got {len(self.weights)}.")
        if (self.similarity in CONTEXT_MEASURES) != (self.corpus is not None):
            cure = "needs no corpus; leave it out." if self.corpus else "counts contexts in a text: corpus=FILE."
            raise DataError(f"MEANT's similarity {self.similarity} {cure}")
        if self.corpus is not None and not Path(self.corpus).is_file():
            raise DataError(f"There is no text {self.corpus} to count contexts in: corpus=FILE, a line a sentence.")
        return self

    def signature_options(self) -> dict[str, Any]:
        """The options, and what the text of contexts holds."""
        options = super().signature_options() | {"weights": self.weights or None}
        if self.corpus is not None:
            options["text"] = digest_of(read_bytes(self.corpus))[:12]
        return options

    def matcher(self) -> FrameMatcher:
        """What compares two sentences."""
        similarity: WordSimilarity = dice if self.similarity == "dice" else exact
        if self.corpus is not None:
            facts = Path(self.corpus).stat()
            similarity = _contexts(self.corpus, facts.st_mtime_ns, self.tokeniser, self.window, self.similarity)
        weights = self.weights or (1.0,) * (1 + len(ROLES))
        return FrameMatcher(similarity, self.pairs, self.align_by, weights, self.backoff)

    def prepare(
        self, text: ScoredText, n_threads: int
    ) -> tuple[list[list[FramedSentence]], list[list[FramedSentence]]]:
        """The frames of all lines: of the systems, and of the references."""
        streams = [text.refs.lines(number) for number in range(len(text.refs.streams))]
        systems = [self.framed(lines, n_threads) for lines in text.systems]
        return systems, [self.framed(lines, n_threads) for lines in streams]

    def framed(self, lines: Sequence[str], n_threads: int) -> list[FramedSentence]:
        """The words and frames of lines."""
        _core.text.check_lines(list(lines))  # lone surrogates
        token_lines = [line.split() for line in make_tokeniser(self.tokeniser).tokenise(lines, n_threads=n_threads)]
        for number, tokens in enumerate(token_lines, start=1):
            if len(tokens) > _MOST_WORDS:
                raise DataError(
                    f"Segment {number} has {len(tokens)} words; MEANT takes {_MOST_WORDS}. Cut it into sentences."
                )
        values = annotate_once(make_annotator(self.frames, _LAYERS), token_lines)
        return [
            FramedSentence(tuple(tokens), parse_frame_values(each))
            for tokens, each in zip(token_lines, values, strict=True)
        ]

    def reference_rows(
        self,
        prepared: tuple[list[list[FramedSentence]], list[list[FramedSentence]]],
        refs: References,  # noqa: ARG002
        number: int,
        n_threads: int,  # noqa: ARG002
    ) -> Rows:
        """A segment's score against one of the references, and 1."""
        systems, streams = prepared
        matcher, ref = self.matcher(), streams[number]
        scores = [[matcher.score(ours, theirs) for ours, theirs in zip(lines, ref, strict=True)] for lines in systems]
        return mean_rows(100.0 * np.array(scores, dtype=np.float64).reshape(len(systems), len(ref)))


@lru_cache(maxsize=4)
def _contexts(path: str, changed: int, tokeniser: str, window: int, measure: str) -> ContextVectors:  # noqa: ARG001
    """The context vectors of a text, counted once as long as it does not change."""
    return ContextVectors.of_file(path, make_tokeniser(tokeniser), window=window, measure=measure)
