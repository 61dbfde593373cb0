"""Translation with tuples: the best path through a lattice of source orders, unit by unit, by beam search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dragoman.lm import LanguageModel
from dragoman.options import Recipe, option
from dragoman.smt.rewriting import OrderLattice
from dragoman.smt.tuple_model import tuple_token
from dragoman.smt.unfolding import Tuple

__all__ = ["TupleHypothesis", "TupleSearch", "search_tuples"]

Inventory = Mapping[tuple[str, ...], Sequence[tuple[str, ...]]]  # source words → what they become, likeliest first


@dataclass(frozen=True)
class TupleSearch(Recipe):
    """Weights of the models, and how much is looked at."""

    beam: int = option(50, low=1, text="hypotheses kept at each node of the lattice")
    lm: float = option(0.6, text="weight of the target language model; that of the tuple model is 1")
    word: float = option(0.3, text="bonus of each target word")
    unit: float = option(0.0, text="bonus of each tuple")


@dataclass(frozen=True)
class TupleHypothesis:
    """Units read so far, and their weighted score."""

    units: tuple[Tuple, ...]
    score: float

    @property
    def words(self) -> tuple[str, ...]:
        """The translation."""
        return tuple(word for unit in self.units for word in unit.target)


def search_tuples(
    source: Sequence[str],
    lattice: OrderLattice,
    inventory: Inventory,
    tuples: LanguageModel,
    target: LanguageModel,
    search: TupleSearch,
) -> list[TupleHypothesis]:
    """Complete hypotheses, best first. A word that no tuple reads is copied."""
    longest = max(map(len, inventory), default=1)
    stacks: list[list[TupleHypothesis]] = [[] for _ in lattice.arcs]
    stacks[0] = [TupleHypothesis((), 0.0)]
    for node, stack in enumerate(stacks[:-1]):
        kept = _recombined(stack, tuples.order, target.order)[: search.beam]
        reaches = _options(source, lattice, node, inventory, longest)
        new = [(end, (*each.units, unit)) for each in kept for end, unit in reaches]
        last = len(lattice.arcs) - 1
        scores = _scores([units for _, units in new], [end == last for end, _ in new], tuples, target, search)
        for (end, units), score in zip(new, scores, strict=True):
            stacks[end].append(TupleHypothesis(units, score))
    return sorted(stacks[-1], key=lambda each: -each.score)[: search.beam]


def _options(
    source: Sequence[str], lattice: OrderLattice, node: int, inventory: Inventory, longest: int
) -> list[tuple[int, Tuple]]:
    """Where units from a node lead to, and the units."""
    found: list[tuple[int, Tuple]] = []
    waiting: list[tuple[int, tuple[int, ...]]] = [(node, ())]
    while waiting:
        at, places = waiting.pop()
        words = tuple(source[place] for place in places)
        found += [(at, Tuple(words, each, places)) for each in inventory.get(words, ())]
        if len(places) == 1 and words not in inventory:
            found.append((at, Tuple(words, words, places)))
        if len(places) < longest and at < len(lattice.arcs) - 1:
            waiting += [(to, (*places, place)) for to, place in lattice.arcs[at]]
    return list(dict.fromkeys(found))


def _scores(
    hypotheses: Sequence[Sequence[Tuple]],
    ended: Sequence[bool],
    tuples: LanguageModel,
    target: LanguageModel,
    search: TupleSearch,
) -> list[float]:
    """Whole scores of hypotheses; the ends of sentences count where they are reached."""
    units = [" ".join(map(tuple_token, each)) for each in hypotheses]
    words = [" ".join(word for unit in each for word in unit.target) for each in hypotheses]
    scores = [search.word * line.count(" ") + search.word * bool(line) for line in words]
    for model, lines, weight in ((tuples, units, 1.0), (target, words, search.lm)):
        for eos in (False, True):
            chosen = [i for i, end in enumerate(ended) if end is eos]
            logs = model.score([lines[i] for i in chosen], eos=eos).tolist() if chosen else []
            for i, log_p in zip(chosen, logs, strict=True):
                scores[i] += weight * log_p
    return [score + search.unit * len(each) for score, each in zip(scores, hypotheses, strict=True)]


def _recombined(stack: Sequence[TupleHypothesis], tuple_order: int, word_order: int) -> list[TupleHypothesis]:
    """Of hypotheses that no continuation can tell apart the best, best first."""
    best: dict[tuple[tuple[Tuple, ...], tuple[str, ...]], TupleHypothesis] = {}
    for each in sorted(stack, key=lambda one: -one.score):
        past = tuple(
            Tuple(unit.source, unit.target) for unit in each.units[max(0, len(each.units) - tuple_order + 1) :]
        )
        words = each.words[max(0, len(each.words) - word_order + 1) :]
        best.setdefault((past, words), each)
    return list(best.values())
