"""Protocols that show several outputs of one segment: what they share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from typing import Any, ClassVar

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.human.direct_assessment.degraders import DEGRADERS
from dragoman.human.draws import Draws
from dragoman.human.known import check_entry
from dragoman.human.material import Material, check_choice, check_neighbours
from dragoman.human.placing import check_shares, even, placed
from dragoman.human.protocol import Item, Protocol, Task
from dragoman.human.simulated import deserved, is_careful
from dragoman.options import option

__all__ = ["SideBySide", "screens_of"]


def screens_of(systems: Sequence[str], segments: int, size: int, count: int, draws: Draws) -> list[list[list[str]]]:
    """For each segment `count` screens of `size` different systems, so that all are shown and meet about equally often.

    In a segment no system is shown more than once more often than another; whose turn it is, is made good by the next
    segments. A screen takes the systems that have met each other least.
    """
    shown: Counter[str] = Counter()
    met: Counter[tuple[str, str]] = Counter()
    pages = []
    for _ in range(segments):
        least, more = divmod(size * count, len(systems))
        turn = {name: draws.bits() for name in systems}
        extra = set(sorted(systems, key=lambda name: (shown[name], turn[name]))[:more])
        left = {name: least + (name in extra) for name in systems}
        screens = []
        for rest in range(count, 0, -1):
            # Whoever must stand on all screens that are left goes first; then all can be placed.
            screen = [name for name in systems if left[name] == rest]
            while len(screen) < size:
                free = [name for name in systems if left[name] and name not in screen]
                screen.append(min(free, key=lambda name: (sum(met[name, other] for other in screen), turn[name])))
            for name in screen:
                left[name] -= 1
                shown[name] += 1
                met.update((name, other) for other in screen if other != name)
            screens.append(screen)
        pages.append(screens)
    return pages


@dataclass(frozen=True)
class SideBySide(Protocol):
    """Several outputs of a segment on a screen, a few consecutive segments at a time."""

    invites: ClassVar[tuple[str, ...]] = ("source", "reference", "both")

    against: str = option("source", text="what is shown beside: source, reference or both")
    outputs: int = option(5, text="outputs on a screen; fewer where there are fewer systems")
    screens: int = option(0, text="screens for a segment; 0: as many as it takes to show every system")
    consecutive: int = option(3, text="segments that follow each other, of one document")
    runs: int = option(4, text="such runs of segments in a task; controls come on top")
    context: int = option(1, text="neighbouring segments shown on either side")
    neighbours: str = option("beside", text="whose neighbours: of what stands beside, outputs of the system, or both")
    repeats: float = option(0.1, text="share of a task's screens that are shown again")
    degraded: float = option(0.1, text="share of a task's screens shown once more with an output and a degraded copy")
    degrader: str = option("delete", text="how outputs are made worse")

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("against", self.against, self.invites)
        check_shares(repeats=self.repeats, degraded=self.degraded)
        DEGRADERS.get(self.degrader)
        limits = {"outputs": 2, "screens": 0, "consecutive": 1, "runs": 1, "context": 0}
        for name, least in limits.items():
            if getattr(self, name) < least:
                raise DataError(f"{name} is {getattr(self, name)}; expected at least {least}.")
        check_neighbours(self.neighbours, self.context)
        if self.outputs > self.most:
            raise DataError(f"outputs is {self.outputs}; a screen of {self.name} has room for {self.most}.")

    @property
    def most(self) -> int:
        """Outputs for which a screen has room."""
        return 5

    def tasks(self, test_set: TestSet, *, seed: int) -> list[Task]:
        """Runs of consecutive segments in random order, cut into tasks of about one size."""
        if len(test_set.systems) < 2:
            raise DataError("Outputs are compared with each other; the test set has one system only.")
        material = Material(test_set, self.against, self.context, self.degrader, self.neighbours)
        draws = Draws(seed, "screens")
        size = min(self.outputs, len(test_set.systems))
        count = self.screens or -(-len(test_set.systems) // size)
        dealt = screens_of(list(test_set.systems), len(test_set), size, count, draws)
        blocks = [
            [self._screen(material, "TGT", segment, dealt[segment - 1][number], draws) for segment in run]
            for run in self._runs(test_set)
            for number in range(count)
        ]
        blocks = draws.shuffled(blocks)
        sizes = even(len(blocks), self.runs)
        tasks, start = [], 0
        for number, n_blocks in enumerate(sizes, start=1):
            own = Draws(seed, f"task/{number}")
            items = self._placed(material, blocks[start : start + n_blocks], own)
            start += n_blocks
            tasks.append(Task(f"task-{number:0{len(str(len(sizes)))}}", items))
        return tasks

    def _runs(self, test_set: TestSet) -> list[list[int]]:
        """The segments of each document, cut into runs; only the last run of a document may be shorter."""
        spans = list(test_set.documents().values()) or [range(len(test_set))]
        step = self.consecutive
        return [[n + 1 for n in span[first : first + step]] for span in spans for first in range(0, len(span), step)]

    def _placed(self, material: Material, blocks: list[list[Item]], draws: Draws) -> tuple[Item, ...]:
        return placed(
            blocks,
            repeats=self.repeats,
            degraded=self.degraded,
            again=lambda item: self._screen(material, "CHK", item.segment, list(item.places.values()), draws),
            worse=lambda item: self._trap(material, item, draws),
            draws=draws,
        )

    def _screen(
        self,
        material: Material,
        kind: str,
        segment: int,
        systems: Sequence[str],
        draws: Draws,
        *,
        worse: tuple[str, str] | None = None,
        in_place_of: str = "",
        better: tuple[str, str] | None = None,
        hint: str = "",
    ) -> Item:
        """A screen. `worse` is a system whose degraded copy stands there as well, with its text.

        The copy has the neighbours of the system `in_place_of` which it stands: two outputs with the same neighbours
        would be known for a control. `better` names two systems of which the first is known to be better.
        """
        cards = [(system, material.output(system, segment), False) for system in systems]
        if worse is not None:
            cards.append((*worse, True))
        cards = draws.shuffled(cards)
        places = ascii_uppercase[: len(cards)]
        expected = None
        if worse is not None:
            is_pair = [card[0] == worse[0] for card in cards]
            copy = next(n for n, card in enumerate(cards) if card[2])
            original = next(n for n, own in enumerate(is_pair) if own and n != copy)
            expected = {"order": [[places[original], places[copy]]]}
        elif better is not None:
            names = [system for system, _, _ in cards]
            expected = {"order": [[places[names.index(system)] for system in better]]}
        return Item(
            id=draws.name(),
            type=kind,
            system="",
            segment=segment,
            doc=material.doc(segment),
            shown={
                **material.around(segment),
                "outputs": [
                    {"place": place, "text": text} | material.beside_output(in_place_of if is_copy else system, segment)
                    for place, (system, text, is_copy) in zip(places, cards, strict=True)
                ],
                **({"hint": hint} if hint else {}),
            },
            places=dict(zip(places, (system for system, _, _ in cards), strict=True)),
            langs=material.langs,
            expected=expected,
        )

    def _trap(self, material: Material, item: Item, draws: Draws) -> Item | None:
        """The screen with a degraded copy of one output in place of another; nothing if none can be degraded."""
        systems = list(item.places.values())
        for system in draws.shuffled(systems):
            text = material.degraded(material.output(system, item.segment), item.segment, draws)
            if text is not None:
                others = [name for name in systems if name != system]
                out = draws.one_of(others)
                rest = [name for name in systems if name != out]
                return self._screen(material, "BAD", item.segment, rest, draws, worse=(system, text), in_place_of=out)
        return None

    def special(self, test_set: TestSet, kind: str, entry: Mapping[str, Any], draws: Draws) -> Item:
        """A segment on which one system is known to be better than another: `segment`, `better`, `worse`; a `hint`."""
        check_entry(kind, entry, test_set, {"segment": int, "better": str, "worse": str}, {"hint": str})
        pair = (entry["better"], entry["worse"])
        for system in pair:
            test_set.system(system)
        material = Material(test_set, self.against, self.context, self.degrader, self.neighbours)
        others = [name for name in test_set.systems if name not in pair]
        shown = [*pair, *draws.sample(others, max(0, min(self.outputs - 2, len(others))))]
        return self._screen(material, kind, entry["segment"], shown, draws, better=pair, hint=entry.get("hint", ""))

    def opinion(self, item: Item, draws: Draws, care: float) -> tuple[dict[str, float], bool]:
        """What an invented judge thinks of the outputs, 0–100 by place, and whether with care."""
        careful = is_careful(draws, care)
        orders = (item.expected or {}).get("order", [])
        copies = {worse for _, worse in orders if item.type == "BAD"}
        qualities = {
            place: quality
            for pair in orders
            if item.type == "GOLD"
            for place, quality in zip(pair, (100.0, 0.0), strict=True)
        }
        opinion = {}
        for place, system in item.places.items():
            noise = 8 * draws.normal()
            true = deserved(system, item.segment, "BAD" if place in copies else "TGT")
            opinion[place] = qualities.get(place, true) + noise if careful else 100 * draws.share()
        return opinion, careful
