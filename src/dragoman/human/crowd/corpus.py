"""A training bitext out of a crowd's translations: all, the voted ones, or one by chance (Post et al., WMT 2012)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from dragoman.data.bitext import Bitext
from dragoman.data.crowd import Votes
from dragoman.errors import DataError
from dragoman.human.crowd.votes import select_translations
from dragoman.options import Recipe, option
from dragoman.report import Result, Table

__all__ = ["CrowdCorpus", "CrowdText"]


@dataclass(frozen=True)
class CrowdCorpus(Recipe):
    """Which of a segment's translations become pairs."""

    choose: str = option(
        "all", choices=("all", "voted", "best", "random"), text="all, those with a vote, the best, or one by chance"
    )
    least: float = option(0.0, low=0.0, text="votes that a translation needs at least")

    def make(
        self, votes: Votes, sources: Mapping[str, str], *, dictionary: Iterable[tuple[str, str]] = (), seed: int = 1
    ) -> CrowdText:
        """The pairs of segments whose source is known, in the order of the votes, then the dictionary's entries.

        A source is repeated for each of its translations, as the paper trains on them; empty ones are left out.
        """
        self.check()
        pairs = [
            (sources[segment], text)
            for segment, text, n_votes in self._chosen(votes, seed)
            if segment in sources and text.strip() and sources[segment].strip() and n_votes >= self.least
        ]
        if not pairs:
            raise DataError(
                f"None of {len(votes)} voted segments has a source among {len(sources)}. The names of segments must be "
                "those of the votes, as 20_145."
            )
        entries = [(source, target) for source, target in dictionary if source.strip() and target.strip()]
        met = sum(each.segment in sources for each in votes.segments)
        return CrowdText([*pairs, *entries], len(votes), met, len(pairs), len(entries), self.choose, seed)

    def _chosen(self, votes: Votes, seed: int) -> list[tuple[str, str, float]]:
        if self.choose in ("best", "random"):
            chosen = select_translations(votes, how="votes" if self.choose == "best" else "random", seed=seed)
            return list(zip(chosen.segments, chosen.texts, chosen.votes, strict=True))
        return [
            (each.segment, text, n)
            for each in votes.segments
            for text, n in zip(each.translations, each.votes, strict=True)
            if self.choose == "all" or n > 0
        ]


@dataclass(frozen=True)
class CrowdText(Result):
    """The pairs, and what they are made of."""

    kind: ClassVar[str] = "crowd corpus"

    pairs: list[tuple[str, str]] = field(repr=False)
    n_segments: int
    n_met: int  # segments whose source is known
    n_translations: int
    n_entries: int  # of the dictionary
    choose: str
    seed: int

    def bitext(self, source_lang: str | None = None, target_lang: str | None = None) -> Bitext:
        """The pairs as training text."""
        return Bitext.from_pairs(self.pairs, source_lang=source_lang, target_lang=target_lang)

    def tables(self) -> list[Table]:
        """A row for translations and one for the dictionary."""
        rows = [
            ("translations", self.n_segments, self.n_met, self.n_translations),
            ("dictionary", None, None, self.n_entries),
        ]
        note = f"Chosen: {self.choose}" + (f", ties and draws by seed {self.seed}." if self.choose != "all" else ".")
        return [Table.of("Crowd corpus", ["part", "segments", "with_source", "pairs"], rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """The choice and the seed."""
        return {"choose": self.choose, "seed": self.seed, "pairs": len(self.pairs)}
