"""Relative ranking as a protocol: WMT 2012–2014's five outputs of three consecutive segments; and two outputs alone."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.judgements import Schema, Value
from dragoman.data.judgements.ranking import ranking_schema
from dragoman.human.answers import opened
from dragoman.human.draws import Draws
from dragoman.human.protocol import Assignment, Item
from dragoman.human.side_by_side import SideBySide
from dragoman.human.simulated import seconds_of
from dragoman.options import option

__all__ = ["Pairwise", "Ranking"]

_MOST = 5  # outputs on a screen, and ranks
_NEAR = 6.0  # invented judges hold outputs that differ by less for equal
_UNKNOWN = "und"  # BCP 47 for a language that is not known


class _Ranks(SideBySide):
    """What the two have in common: their judgements are relative rankings."""

    schema: ClassVar[Schema] = ranking_schema(_MOST)

    @abstractmethod
    def ranks(self, item: Item, answer: Mapping[str, Any]) -> dict[str, int | None]:
        """The rank of each place, 1 for the best; None for one that was left blank."""

    def record(self, assignment: Assignment, item: Item, answer: Mapping[str, Any]) -> list[dict[str, Value]]:
        """One ranking, in the order of the places; controls and lessons give none."""
        self.check(item, answer)
        if item.type not in self.recorded:
            return []
        source_lang, target_lang = item.langs
        row: dict[str, Value] = {
            "annotator": assignment.annotator,
            "item": item.id,
            "source_lang": source_lang or _UNKNOWN,
            "target_lang": target_lang or _UNKNOWN,
            "segment": item.segment,
            "doc": item.doc,
        }
        ranks = self.ranks(item, answer)
        for number, (place, system) in enumerate(item.places.items(), start=1):
            row |= {f"system{number}": system, f"rank{number}": ranks[place]}
        return [self.schema.check(row)]

    def marks(self, item: Item, answer: Mapping[str, Any]) -> dict[str, float]:
        """Ranks turned round: the best has the highest."""
        return {place: -float(rank) for place, rank in self.ranks(item, answer).items() if rank is not None}


@dataclass(frozen=True)
class Ranking(_Ranks):
    """Relative ranking: up to five outputs of a segment from best to worst, three consecutive segments at a time.

    Ties are allowed. On control screens a degraded copy stands beside its original.
    """

    name: ClassVar[str] = "ranking"
    screen: ClassVar[str] = "ranking"

    blanks: bool = option(False, text="whether outputs may be left without a rank")

    def ask(self) -> dict[str, Any]:
        """The scale."""
        return {
            "low": 1,
            "high": _MOST,
            "ties": True,
            "blanks": self.blanks,
            "beside": self.against,
            "question": self.question,
        }

    def check(self, item: Item, answer: Mapping[str, Any]) -> None:
        """An answer has `ranks`: for every place of the screen a whole number from 1 to 5."""
        opening = opened(item, answer, "ranks")
        ranks = opening.table("ranks", tuple(item.places))
        for place in item.places:
            rank = ranks.get(place)
            if rank is None and self.blanks:
                continue
            if rank is None:
                raise opening.wrong(f"has no rank for {place}; every output gets one")
            if type(rank) is not int or not 1 <= rank <= _MOST:
                raise opening.wrong(
                    f"has the rank {str(rank)[:40]!r} for {place}; expected a whole number, 1 to {_MOST}"
                )

    def ranks(self, item: Item, answer: Mapping[str, Any]) -> dict[str, int | None]:
        """As they were given."""
        return {place: answer["ranks"].get(place) for place in item.places}

    def simulate(self, item: Item, draws: Draws, care: float) -> dict[str, Any]:
        """Outputs in the order of what they deserve, near ones tied; or any ranks."""
        qualities, careful = self.opinion(item, draws, care)
        if careful:
            ranks = {
                place: 1 + sum(other > own + _NEAR for other in qualities.values()) for place, own in qualities.items()
            }
        else:
            ranks = {place: 1 + draws.below(_MOST) for place in qualities}
        return {"ranks": ranks, "seconds": seconds_of(draws, careful, typical=40)}


@dataclass(frozen=True)
class Pairwise(_Ranks):
    """Pairwise preference: two outputs of a segment, and which is better; neither, if ties are allowed.

    The judgements are relative rankings of two, so every ranking method can use them.
    """

    name: ClassVar[str] = "pairwise"
    screen: ClassVar[str] = "pairwise"

    outputs: int = option(2, text="outputs on a screen: two")
    consecutive: int = option(1, text="segments that follow each other, of one document")
    runs: int = option(20, text="such runs of segments in a task; controls come on top")
    ties: bool = option(True, text="whether neither may be better")

    @property
    def most(self) -> int:
        """Two."""
        return 2

    def ask(self) -> dict[str, Any]:
        """Whether there are ties."""
        return {"ties": self.ties, "beside": self.against, "question": self.question}

    def check(self, item: Item, answer: Mapping[str, Any]) -> None:
        """An answer has a `choice`: A, B or tie."""
        opened(item, answer, "choice").one_of("choice", (*item.places, *(("tie",) if self.ties else ())))

    def ranks(self, item: Item, answer: Mapping[str, Any]) -> dict[str, int | None]:
        """1 and 2, or both 1."""
        chosen = answer["choice"]
        return {place: 1 if chosen in (place, "tie") else 2 for place in item.places}

    def simulate(self, item: Item, draws: Draws, care: float) -> dict[str, Any]:
        """The output that deserves more; or any."""
        qualities, careful = self.opinion(item, draws, care)
        best = max(qualities, key=lambda place: qualities[place])
        is_near = self.ties and max(qualities.values()) - min(qualities.values()) < _NEAR
        return {"choice": "tie" if is_near else best, "seconds": seconds_of(draws, careful, typical=20)}
