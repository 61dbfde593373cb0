"""From trees to rules: nodes that know their ancestors, phrases written child by child (Klein & Manning 2003).

A phrase with more than two children becomes a chain of pairs through hidden symbols that remember the phrase and the
last children, but no more: what was seen of one phrase serves others that were not seen. Probabilities of a symbol are
mixed with those of the same symbol with fewer ancestors, then with fewer remembered children (Witten & Bell 1991).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dragoman.syntax.bracketed import ROOT
from dragoman.text.trees import Tree

__all__ = ["CountedTrees", "RuleSet", "State"]


class State(NamedTuple):
    """A symbol: a phrase or a part of speech, or what is left of a phrase behind some of its children."""

    label: str
    above: tuple[str, ...]  # labels of its ancestors, the nearest first
    past: tuple[str, ...] | None = None  # the last children; None for a whole phrase

    @property
    def coarse(self) -> str:
        """Its name in the coarse grammar."""
        return self.label if self.past is None else "@" + self.label

    def __str__(self) -> str:
        name = "^".join((self.label, *self.above))
        return name if self.past is None else f"@{name}|{','.join(self.past)}"


class Template(NamedTuple):
    """What a symbol becomes: its next child, and the one behind it (`last`), or more (`is_open`)."""

    child: str
    last: str | None
    is_open: bool


@dataclass(frozen=True, eq=False)
class RuleSet:
    """Rules as the kernel takes them: symbols by number, scores in natural logarithms."""

    states: tuple[State, ...]
    binary: NDArray[np.int32]  # (n, 3): parent, left, right
    binary_scores: NDArray[np.float64]
    unary: NDArray[np.int32]  # (n, 2): parent, child
    unary_scores: NDArray[np.float64]


class CountedTrees:
    """What was seen in cleaned trees, and the rules that follow from it."""

    def __init__(self, trees: Iterable[Tree], *, vertical: int, horizontal: int) -> None:
        self.vertical, self.horizontal = vertical, horizontal
        self.seen: dict[State, Counter[Template]] = defaultdict(Counter)
        self.n_states: Counter[State] = Counter()
        self.words: list[list[tuple[str, State]]] = []  # of each tree: its words and their tags
        for tree in trees:
            self._count(tree)

    def _count(self, tree: Tree) -> None:
        children = tree.children()
        above: list[tuple[str, ...]] = [() for _ in tree.labels]
        words: list[tuple[str, State]] = []
        for node, label in enumerate(tree.labels):
            below = children[node]
            if not below:
                continue
            state = State(label, above[node])
            self.n_states[state] += 1
            if not children[below[0]]:
                words.append((tree.labels[below[0]], state))
                continue
            ancestors = (label, *above[node])[: self.vertical - 1]
            for child in below:
                above[child] = ancestors
            names = [tree.labels[child] for child in below]
            for place in range(max(1, len(names) - 1)):
                if place:
                    state = State(label, above[node], self._past(names[:place]))
                    self.n_states[state] += 1
                left = len(names) - place
                last = names[place + 1] if left == 2 else None
                self.seen[state][Template(names[place], last, left > 2)] += 1
        self.words.append(words)

    def _past(self, names: list[str]) -> tuple[str, ...]:
        return tuple(names[-self.horizontal :]) if self.horizontal else ()

    def fine(self, *, smoothing: float, least: float) -> RuleSet:
        """Rules of the symbols as they were counted; those less likely than `least` are left out unless seen."""
        numbers = {state: number for number, state in enumerate(self.n_states)}
        pooled = self._pooled()
        binary: list[tuple[int, int, int]] = []
        binary_scores: list[float] = []
        unary: list[tuple[int, int]] = []
        unary_scores: list[float] = []
        for state, number in numbers.items():
            if state not in self.seen:  # a part of speech
                continue
            for template, p in self._mixed(state, pooled, smoothing).items():
                if p < least and template not in self.seen[state]:
                    continue
                ancestors = (state.label, *state.above)[: self.vertical - 1]
                first = numbers.get(State(template.child, ancestors))
                if template.is_open:
                    past = self._past([*(state.past or ()), template.child])
                    second = numbers.get(State(state.label, state.above, past))
                elif template.last is not None:
                    second = numbers.get(State(template.last, ancestors))
                else:
                    second = -1
                if first is None or second is None:  # never seen below these ancestors
                    continue
                if second < 0:
                    unary.append((number, first))
                    unary_scores.append(log(p))
                else:
                    binary.append((number, first, second))
                    binary_scores.append(log(p))
        return RuleSet(
            tuple(numbers), _symbols(binary, 3), np.array(binary_scores), _symbols(unary, 2), np.array(unary_scores)
        )

    def _pooled(self) -> dict[State, Counter[Template]]:
        """Counts without ancestors, and with ever fewer children remembered."""
        pooled: dict[State, Counter[Template]] = defaultdict(Counter)
        for state, templates in self.seen.items():
            for wider in _wider(state):
                pooled[wider].update(templates)
        return pooled

    def _mixed(self, state: State, pooled: dict[State, Counter[Template]], smoothing: float) -> dict[Template, float]:
        """P(template | state): the widest counts first, each narrower one on top of it."""
        mixed: dict[Template, float] = {}
        for counts in [*(pooled[wider] for wider in reversed(list(_wider(state)))), self.seen[state]]:
            total, weight = counts.total(), smoothing * len(counts) if mixed else 0.0
            mixed = {
                template: (counts[template] + weight * mixed.get(template, 0.0)) / (total + weight)
                for template in (mixed or counts)
            }
        return mixed

    def coarse(self) -> tuple[tuple[str, ...], RuleSet]:
        """Names of the coarse symbols, and their rules by relative frequency."""
        whole: Counter[tuple[str, ...]] = Counter()
        totals: Counter[str] = Counter()
        for state, templates in self.seen.items():
            for template, count in templates.items():
                rule = [state.coarse, template.child]
                if template.is_open:
                    rule.append("@" + state.label)
                elif template.last is not None:
                    rule.append(template.last)
                whole[tuple(rule)] += count
                totals[state.coarse] += count
        names = tuple(dict.fromkeys(state.coarse for state in self.n_states))
        numbers = {name: number for number, name in enumerate(names)}
        binary = [rule for rule in whole if len(rule) == 3]
        unary = [rule for rule in whole if len(rule) == 2]

        def scores(rules: Sequence[tuple[str, ...]]) -> NDArray[np.float64]:
            return np.array([log(whole[rule] / totals[rule[0]]) for rule in rules], dtype=np.float64)

        return names, RuleSet(
            (),
            _symbols([tuple(map(numbers.__getitem__, rule)) for rule in binary], 3),
            scores(binary),
            _symbols([tuple(map(numbers.__getitem__, rule)) for rule in unary], 2),
            scores(unary),
        )


def _wider(state: State) -> Iterator[State]:
    """The state with less and less context, the nearest first."""
    for n_above in range(len(state.above) - 1, -1, -1):
        yield State(state.label, state.above[:n_above], state.past)
    past = state.past or ()
    for n_past in range(len(past) - 1, 0, -1):
        yield State(state.label, (), past[-n_past:])


def _symbols(rows: Sequence[tuple[int, ...]], width: int) -> NDArray[np.int32]:
    return np.array(rows, dtype=np.int32).reshape(-1, width)


def root_of(states: tuple[State, ...]) -> int:
    """The number of the first symbol of all trees."""
    return states.index(State(ROOT, ()))
