"""A project translated before anybody opens it, as drafts: by memories, by what files propose, then by an engine.

Only empty segments are filled, a few in each transaction: what ends it early leaves what was done, and the next run
goes on with what is still empty. Every draft has the inline codes of its source, and says in `origin` where it comes
from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

from dragoman.cat.checking import glossary_of, memories_of
from dragoman.cat.memory import Match, MemoryShelf, Query, repair
from dragoman.cat.projects import codes_of
from dragoman.cat.segments import Alternative, plain
from dragoman.cat.settings import DEFAULTS
from dragoman.cat.suggestions import Suggestion, file_proposal, machine_translations, memory_match
from dragoman.cat.translating import fitted
from dragoman.engines import Translates
from dragoman.engines.endpoint import ServiceError
from dragoman.errors import DataError
from dragoman.report import Column, Progress, Table
from dragoman.report.result import Result
from dragoman.store import Store
from dragoman.store.translating.filling import Fill, Filled, fill_segments, open_segments
from dragoman.store.translating.projects import Project
from dragoman.store.translating.segments import neighbours_of, progress_of

__all__ = ["STEP", "Pretranslation", "Pretranslator", "Step"]

STEP = 20  # segments of a transaction, and for which an engine is taken from others at once
_KINDS = ("TM", "file", "MT")

Engine = Callable[[], AbstractContextManager[Translates]]


class Step(NamedTuple):
    """What was done at once: which segments were filled, and the place to go on behind; None at the end."""

    filled: list[Filled]
    after: int | None


@dataclass(frozen=True)
class Pretranslation(Result):
    """Segments and words that were filled, by where their drafts come from, and those that are empty still."""

    kind: ClassVar[str] = "pretranslation"

    rows: tuple[tuple[str, int, int], ...]

    def tables(self) -> list[Table]:
        """A row for each kind of origin."""
        columns = [Column("origin"), Column("segments"), Column("words")]
        return [Table.of("Pretranslation", columns, self.rows)]


@dataclass(frozen=True)
class Pretranslator:
    """Fills the empty segments of a project. `engine` lends one for the time of a step; without, there are memories."""

    store: Store
    project: Project
    shelf: MemoryShelf
    engine: Engine | None = None
    engine_name: str = ""
    least: float | None = None  # per cent of a match that is taken; None: what machine translation is worth
    user_id: int | None = None  # in whose name

    def __post_init__(self) -> None:
        if not 0 <= self.bar <= 101:
            raise DataError(f"Matches of {self.bar:g} per cent or more are asked for; take 0 to 101.")

    @property
    def bar(self) -> float:
        """Per cent of a match that is taken."""
        return float(self._mt_score if self.least is None else self.least)

    @property
    def _mt_score(self) -> float:
        return float(self.project.settings.get("mt_score", DEFAULTS["mt_score"]))

    def run(self, progress: Progress | None = None) -> Pretranslation:
        """Fill all; `progress` hears after each step."""
        filled: Counter[str] = Counter()
        words: Counter[str] = Counter()
        total, _ = self._empty()
        for number, step in enumerate(self._steps(), start=1):
            for each in step.filled:
                filled[each.origin["kind"]] += 1
                words[each.origin["kind"]] += each.words
            if progress is not None:
                progress(min(total, number * STEP), total, "translating")
        rows = [(kind, filled[kind], words[kind]) for kind in _KINDS]
        return Pretranslation((*rows, ("empty", *self._empty())))

    def _empty(self) -> tuple[int, int]:
        """Segments and words that nobody has translated."""
        with self.store.read() as connection:
            states = progress_of(connection, self.project.id).states
        return next((n, words) for state, n, words in states if state == "new")

    def _steps(self) -> Iterator[Step]:
        after: int | None = 0
        while after is not None:
            step = self.step(after)
            yield step
            after = step.after

    def step(self, after: int = 0) -> Step:
        """Fill the next few empty segments behind a place."""
        with self.store.read() as connection:
            rows = open_segments(connection, self.project.id, after=after, limit=STEP)
            around = [neighbours_of(connection, self.project.id, row.place) for row in rows]
            memories = memories_of(connection, self.project)
        if not rows:
            return Step([], None)
        queries = [Query(row.source, *near) for row, near in zip(rows, around, strict=True)]
        matches = self.shelf.matches_of(memories, queries, most=1, threshold=self.bar)
        found: list[Suggestion | None] = [
            _match(row.source, best[0]) if best else self._proposal(row)
            for row, best in zip(rows, matches, strict=True)
        ]
        found = self._with_engine(rows, found)
        fills = [
            _fill(row, each) for row, each in zip(rows, found, strict=True) if each is not None and each.text.strip()
        ]
        filled = self.store.together(
            lambda connection: fill_segments(connection, self.project.id, fills, user_id=self.user_id)
        )
        return Step(filled, rows[-1].place if len(rows) == STEP else None)

    def _proposal(self, row: Any) -> Suggestion | None:
        """The best that the file proposes, if it is good enough. One of unknown worth is not."""
        proposed = [
            file_proposal(row.source, Alternative(**each), file=row.file, score=-1) for each in row.alternatives
        ]
        best = max(proposed, key=lambda each: each.score, default=None)
        return best if best is not None and best.score >= self.bar else None

    def _with_engine(self, rows: Sequence[Any], found: Sequence[Suggestion | None]) -> list[Suggestion | None]:
        missing = [row for row, each in zip(rows, found, strict=True) if each is None]
        if self.engine is None or not missing:
            return list(found)
        texts = [(row.source, codes_of(row.codes)) for row in missing]
        with self.engine() as engine:
            try:
                said = iter(
                    machine_translations(
                        engine, self.engine_name, texts, glossary_of(self.project), score=self._mt_score
                    )
                )
            except ServiceError as error:
                raise error.at([row.place - 1 for row in missing]) from None
        return [next(said) if each is None else each for each in found]


def _match(source: str, match: Match) -> Suggestion:
    """A match; one that lacks codes of the source without any, so that they are put in by their places."""
    found = memory_match(source, match)
    return replace(found, text=plain(found.text)) if repair(source, match).is_recoded else found


def _fill(row: Any, suggestion: Suggestion) -> Fill:
    text = fitted(row.source, codes_of(row.codes), suggestion.text)
    origin = {"kind": suggestion.kind, "name": suggestion.name, "score": suggestion.score, "text": text}
    return Fill(row.id, text, origin)
