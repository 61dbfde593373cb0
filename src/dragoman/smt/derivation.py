"""Derivations: which rule stands in which gap of which other, read off a path of a graph whose arcs have many tails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dragoman.engines.results import Part, Step
from dragoman.smt.hypergraph import FIRST_GAP, NO_PHRASE, GraphPath, SearchGraph, is_gap

__all__ = ["Derivation", "derivation_of"]


@dataclass(frozen=True)
class Derivation:
    """A rule where it was applied, and the derivations in its gaps, in the order of the tails."""

    arc: int
    source: tuple[int, int]
    words: tuple[str | int, ...]  # what it says; a number is that of the derivation that stands there
    gaps: tuple[Derivation, ...]

    @property
    def size(self) -> int:
        """How many target words it has, those of its gaps included."""
        return sum(self.gaps[each].size if isinstance(each, int) else 1 for each in self.words)

    def rule(self, source: Sequence[str]) -> str:
        """Both sides; gaps are counted as they stand in the source."""
        order = sorted(range(len(self.gaps)), key=lambda each: self.gaps[each].source)
        number = {gap: place for place, gap in enumerate(order, start=1)}
        left, at = [], self.source[0]
        for gap in order:
            begin, end = self.gaps[gap].source
            left += [*source[at:begin], f"[{number[gap]}]"]
            at = max(at, end)
        left += source[at : self.source[1]]
        right = [f"[{number[each]}]" if isinstance(each, int) else each for each in self.words]
        return f"{' '.join(left)} → {' '.join(right)}"

    def steps(self, source: Sequence[str], scores: Sequence[float], *, depth: int = 0, at: int = 0) -> list[Step]:
        """The rule and those in its gaps, each before its own; `scores` are by arc, `at` is its first target word."""
        deeper: list[Step] = []
        begin = at
        for each in self.words:
            if isinstance(each, int):
                deeper += self.gaps[each].steps(source, scores, depth=depth + 1, at=at)
                at += self.gaps[each].size
            else:
                at += 1
        return [Step(depth, self.source, (begin, at), self.rule(source), scores[self.arc]), *deeper]

    def runs(self, *, at: int = 0) -> list[tuple[int, tuple[int, int], tuple[int, int]]]:
        """Target words that stand together and come from one rule: its arc, its source span, their places."""
        runs: list[tuple[int, tuple[int, int], tuple[int, int]]] = []
        begin = at
        for each in self.words:
            if not isinstance(each, int):
                at += 1
                continue
            if at > begin:
                runs.append((self.arc, self.source, (begin, at)))
            runs += self.gaps[each].runs(at=at)
            at += self.gaps[each].size
            begin = at
        return [*runs, (self.arc, self.source, (begin, at))] if at > begin else runs

    def parts(self, scores: Sequence[Sequence[tuple[str, float]]]) -> list[Part]:
        """The translation in parts, from left to right: what a rule adds stands where it says its first word."""
        told: set[int] = set()
        parts = []
        for arc, source, target in self.runs():
            parts.append(Part(source, target, () if arc in told else tuple(scores[arc])))
            told.add(arc)
        # Rules that say nothing themselves, as glue does.
        silent = [Part(each.source, (0, 0), tuple(scores[each.arc])) for each in self.every() if each.arc not in told]
        return [*silent, *parts]

    def every(self) -> list[Derivation]:
        """It and all in its gaps."""
        return [self, *(each for gap in self.gaps for each in gap.every())]


def derivation_of(graph: SearchGraph, path: GraphPath) -> Derivation:
    """The derivation that a path stands for: its arcs stand behind those of their tails, which are in their order."""
    core = graph.core
    tails, ends = core.arc_tails, core.tail_offsets
    phrases, table = core.arc_phrases, core.phrases
    word_ends = [*table[:, 2].tolist()[1:], len(core.words)]
    waiting: list[Derivation] = []
    for arc in path.arcs:
        own = tails[ends[arc] : ends[arc + 1]]
        n_gaps = int(np.count_nonzero(own))  # node 0 is the beginning, of which nothing is derived
        gaps = tuple(waiting[len(waiting) - n_gaps :])
        del waiting[len(waiting) - n_gaps :]
        number = int(phrases[arc])
        if number == NO_PHRASE:
            source = (gaps[0].source[0], gaps[-1].source[1]) if gaps else (0, 0)
            words: list[int] = []
        else:
            source = (int(table[number, 0]), int(table[number, 1]))
            words = core.words[int(table[number, 2]) : word_ends[number]].tolist()
        waiting.append(Derivation(arc, source, _with_gaps(words, n_gaps, graph), gaps))
    return waiting[-1]


def _with_gaps(words: Sequence[int], n_gaps: int, graph: SearchGraph) -> tuple[str | int, ...]:
    """The words of a phrase and its gaps; of one without gaps its parts come first, in their order."""
    said: list[str | int] = [word - FIRST_GAP if is_gap(word) else graph.vocabulary[word] for word in words]
    return tuple(said) if any(isinstance(each, int) for each in said) else (*range(n_gaps), *said)
