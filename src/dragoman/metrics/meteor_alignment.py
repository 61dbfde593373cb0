"""METEOR's alignments of single segments, as people read them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["WordMatch", "shown_alignment", "shown_gaps"]

_MODULES = ("exact", "stem", "synonym", "paraphrase")


@dataclass(frozen=True)
class WordMatch:
    """Words of the hypothesis, `[begin, end)`, that stand for words of the reference."""

    module: str
    hyp: tuple[int, int]
    ref: tuple[int, int]

    @classmethod
    def of(cls, row: Sequence[int]) -> WordMatch:
        """Of a row of the kernel's, behind the number of its pair."""
        module, hyp, n_hyp, ref, n_ref = row
        return cls(_MODULES[module], (hyp, hyp + n_hyp), (ref, ref + n_ref))


def shown_alignment(hyp: Sequence[str], ref: Sequence[str], matches: Sequence[WordMatch]) -> str:
    """The hypothesis with a bracket around each chunk: matched words in the same order on both sides, without a gap.

    What is not matched as it is written shows what it stands for and how: `[the dog~dogs (stem)] barks`.
    """
    parts: list[str] = []
    place, before = 0, None
    for match in sorted(matches, key=lambda each: each.hyp):
        begin, end = match.hyp
        goes_on = before is not None and (before.hyp[1], before.ref[1]) == (begin, match.ref[0])
        if before is not None and not goes_on:
            parts[-1] += "]"
        parts += hyp[place:begin]
        words = " ".join(hyp[begin:end])
        if match.module != "exact":
            words += f"~{' '.join(ref[slice(*match.ref)])} ({match.module})"
        parts.append(words if goes_on else f"[{words}")
        place, before = end, match
    if before is not None:
        parts[-1] += "]"
    return " ".join([*parts, *hyp[place:]])


def shown_gaps(ref: Sequence[str], matches: Sequence[WordMatch]) -> str:
    """The words of the reference that nothing stands for."""
    covered = {place for match in matches for place in range(*match.ref)}
    return " ".join(word for place, word in enumerate(ref) if place not in covered)
