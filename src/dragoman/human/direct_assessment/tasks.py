"""Tasks of direct assessment: 100 items, of which 30 watch over the other 70 (DA-TIME §4.1 and Table 2).

Ten sections of ten; section i and section i + 5 are partners. Each holds seven outputs, and of three different outputs
of its partner a degraded copy, a repeat and the reference. Only within a section is the order left to chance, so at
least 40 items lie between a control and its original.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.human.direct_assessment.degraders import Degrader, Words
from dragoman.human.draws import Draws
from dragoman.human.material import Material
from dragoman.human.protocol import Item, Task

__all__ = ["CONTROLS", "N_SECTIONS", "TaskMaker", "system_order"]

N_SECTIONS = 10
CONTROLS = {"bad": "BAD", "repeat": "CHK", "reference": "REF"}  # what a manifest calls it → type of item

_Content = tuple[str, int]  # system and segment, counted from 1


def system_order(test_set: TestSet, draws: Draws) -> list[_Content]:
    """All outputs in random order, each round of the systems whole: any stretch has about the same share of each.

    A system's share of any stretch differs from another's by two at most.
    """
    places = [draws.shuffled(range(1, len(test_set) + 1)) for _ in test_set.systems]
    order: list[_Content] = []
    for segments in zip(*places, strict=True):
        order += draws.shuffled(list(zip(test_set.systems, segments, strict=True)))
    return order


@dataclass(frozen=True)
class TaskMaker:
    """Makes the tasks of a test set. `counts` says how many of each control are in a section."""

    material: Material
    reference: Sequence[str | None] | None  # for items of type REF
    degrader: Degrader
    counts: dict[str, int]  # type of control → how many in a section
    section_size: int
    seed: int

    @property
    def test_set(self) -> TestSet:
        """What is judged."""
        return self.material.test_set

    @property
    def n_originals(self) -> int:
        """Outputs in a section that are no controls."""
        return self.section_size - sum(self.counts.values())

    def tasks(self, order: Sequence[_Content], *, rest: str) -> list[Task]:
        """The tasks. What is left after the last whole task starts another one, filled up from the beginning."""
        size = self.n_originals * N_SECTIONS
        if len(order) < size:
            raise DataError(
                f"A task holds {size} different outputs, but the test set has {len(order)} "
                f"({len(self.test_set.systems)} systems × {len(self.test_set)} segments). Use a smaller section_size."
            )
        n_tasks = len(order) // size
        if rest == "fill" and len(order) % size:
            n_tasks += 1
        n_filled = max(0, n_tasks * size - len(order))
        full = [*order, *order[:n_filled]]
        width = len(str(n_tasks))
        tasks = []
        for number in range(n_tasks):
            draws = Draws(self.seed, f"task/{number}")
            start = number * size
            contents = [(content, start + i >= len(order)) for i, content in enumerate(full[start : start + size])]
            tasks.append(Task(f"task-{number + 1:0{width}}", self._items(contents, draws)))
        return tasks

    def _items(self, contents: Sequence[tuple[_Content, bool]], draws: Draws) -> tuple[Item, ...]:
        per = self.n_originals
        sections = [contents[start : start + per] for start in range(0, len(contents), per)]
        items: list[Item] = []
        for number, section in enumerate(sections):
            partner = sections[(number + N_SECTIONS // 2) % N_SECTIONS]
            own = [self._item("TGT", content, draws, is_filler=filler) for content, filler in section]
            own += self._controls([content for content, _ in partner], draws)
            items += draws.shuffled(own)
        return tuple(items)

    def _controls(self, originals: Sequence[_Content], draws: Draws) -> list[Item]:
        """The controls whose originals stand in the partner section, each with an original of its own."""
        free = draws.shuffled(originals)
        controls: list[Item] = []
        for _ in range(self.counts.get("BAD", 0)):  # first, because not every output can be degraded
            for content in free:
                worse = self._degraded(content, draws)
                if worse is not None:
                    controls.append(self._item("BAD", content, draws, text=worse))
                    free.remove(content)
                    break
            else:
                system, segment = free[0]
                raise DataError(
                    f"None of {len(free)} outputs of a section can be degraded by {self.degrader.name!r}, among them "
                    f"segment {segment} of {system}: they are too short. Leave short segments out of the test set."
                )
        for kind in ("CHK", "REF"):
            controls += [self._item(kind, free.pop(0), draws) for _ in range(self.counts.get(kind, 0))]
        return controls

    def _degraded(self, content: _Content, draws: Draws) -> str | None:
        system, segment = content
        cut = Words.of(self.test_set.systems[system][segment - 1], self.test_set.target_lang)
        # Words for a replacement come from the references of a few other segments, not all: a plan stays linear.
        pool = []
        if self.degrader.needs_pool and self.reference is not None:
            for other in draws.sample(range(len(self.reference)), min(8, len(self.reference))):
                line = self.reference[other]
                if other != segment - 1 and line is not None:
                    pool.append(Words.of(line, self.test_set.target_lang).words)
        worse = self.degrader.degrade(cut.words, draws, lang=self.test_set.target_lang, pool=pool)
        return None if worse is None else cut.glue.join(worse)

    def _item(
        self, kind: str, content: _Content, draws: Draws, *, text: str | None = None, is_filler: bool = False
    ) -> Item:
        system, segment = content
        if kind == "REF":
            text = None if self.reference is None else self.reference[segment - 1]
        elif text is None:
            text = self.test_set.systems[system][segment - 1]
        if text is None:
            raise DataError(f"Segment {segment} has no reference to show.")
        # The reference is not to be known by the neighbours of the system in whose place it stands.
        near = self.material.beside_output(None if kind == "REF" else system, segment)
        return Item(
            id=draws.name(),
            type=kind,
            system=system,
            segment=segment,
            doc=None if self.test_set.docs is None else self.test_set.docs[segment - 1],
            shown={"text": text, **self.material.around(segment), **near},
            is_filler=is_filler,
            langs=(self.test_set.source_lang, self.test_set.target_lang),
        )
