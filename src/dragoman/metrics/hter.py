"""HTER: TER against a post-edit (Snover et al., AMTA 2006), and the words that the post-editor changed.

Values and tags are those of the WMT quality-estimation tasks; the tests reproduce all that MLQE-PE publishes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from dragoman.data import check_parallel
from dragoman.metrics.references import check_lines
from dragoman.metrics.ter import Ter
from dragoman.metrics.traces import Trace, ter_trace
from dragoman.report import Column, Result, Table

__all__ = ["Hter", "Tag", "WordTags", "hter"]

Tag = Literal["OK", "BAD"]


@dataclass(frozen=True)
class WordTags:
    """Which words of a translation its post-editor kept, and before which words something was missing."""

    words: tuple[Tag, ...]
    gaps: tuple[Tag, ...]  # one more than there are words: before the first, between them, behind the last

    def interleaved(self) -> tuple[Tag, ...]:
        """Gap, word, gap, word, …, gap: the line of a WMT tag file."""
        return tuple(tag for pair in zip(self.gaps[:-1], self.words, strict=True) for tag in pair) + self.gaps[-1:]


@dataclass(frozen=True)
class Hter(Result):
    """HTER of each segment and the tags of its words."""

    kind: ClassVar[str] = "hter"

    values: tuple[float, ...]  # edits per word of the post-edit, not above 1
    edits: tuple[int, ...]
    lengths: tuple[int, ...]  # words of the post-edits
    tags: tuple[WordTags, ...]
    signature: str

    @property
    def corpus(self) -> float:
        """All edits per word of all post-edits; 1 if there are edits but no words. Not cut at 1."""
        edits, length = sum(self.edits), sum(self.lengths)
        return edits / length if length else float(edits > 0)

    def tables(self) -> list[Table]:
        """One row per segment, counted from 1."""
        columns = [Column("segment"), Column("hter", digits=4), Column("edits"), Column("length"), Column("bad_words")]
        cells = zip(self.values, self.edits, self.lengths, self.tags, strict=True)
        rows = [
            (number, value, edits, length, tags.words.count("BAD"))
            for number, (value, edits, length, tags) in enumerate(cells, start=1)
        ]
        return [Table.of("HTER", columns, rows)]

    def meta(self) -> dict[str, Any]:
        """The corpus value and how it was made."""
        return {"corpus": self.corpus, "signature": self.signature, "n_segments": len(self.values)}


def hter(hyps: Sequence[str], post_edits: Sequence[str], *, case_sensitive: bool = False, n_threads: int = 1) -> Hter:
    """HTER of tokenised translations against their post-edits, with a tag for each word and each gap.

    Tags come from an alignment without shifts that ignores case unless `case_sensitive`; a word that is aligned with
    itself is OK, one that differs, if only in case, is BAD, and so is a gap where the post-editor inserted words.
    """
    check_lines("hyps", hyps)
    check_lines("post_edits", post_edits)
    check_parallel({"hyps": hyps, "post_edits": post_edits})
    metric = Ter(case_sensitive=case_sensitive)
    stats = metric.stats(hyps, [post_edits], n_threads=n_threads)
    still = ter_trace(hyps, [post_edits], case_sensitive=case_sensitive, shifts=False, n_threads=n_threads)
    return Hter(
        values=tuple(min(1.0, value / 100) for value in metric.values(stats).tolist()),
        edits=tuple(map(int, stats[:, 0].tolist())),
        lengths=tuple(map(int, stats[:, 1].tolist())),
        tags=tuple(_tags(hyp.split(), ref.split(), t) for hyp, ref, t in zip(hyps, post_edits, still, strict=True)),
        signature=f"H{metric.label}|{metric.signature()}",
    )


def _tags(hyp: list[str], ref: list[str], trace: Trace) -> WordTags:
    """The tags of a segment; `hyp` and `ref` are its words as they are written."""
    words: list[Tag] = ["BAD"] * len(hyp)
    gaps: list[Tag] = ["OK"] * (len(hyp) + 1)
    behind = 0
    for step in trace.steps():
        if step.hyp is None:
            gaps[behind] = "BAD"
            continue
        behind = step.hyp + 1
        if step.operation == "match" and step.ref is not None and hyp[step.hyp] == ref[step.ref]:
            words[step.hyp] = "OK"
    return WordTags(tuple(words), tuple(gaps))
