"""Who judges what next, while a campaign runs, and when it is enough.

Pure functions of the plan and the answers so far. The next task is the one that is expected to tell most about systems
that are not told apart yet: where outputs are compared, TrueSkill's abilities and their uncertainty say which (as WMT
2014's matching did: large variance, near abilities); where they are scored, means and their standard errors do.

Looking at the data again and again finds differences that are not there. So the plan allows a fixed number of looks,
and the level of each is its share of α.

Two questions are kept apart. *Enough* is a word about the ranking: the systems are told apart, or a difference that
matters would have shown. *Stop* is a word about the work: nothing more is to be expected from this plan. A plan that is
done and too small stops, and is not enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from statistics import NormalDist
from typing import Any, ClassVar

import numpy as np

from dragoman._core import rank as core
from dragoman.data.comparisons import compare_pairwise
from dragoman.errors import DataError
from dragoman.human.counting import not_counted_answers
from dragoman.human.draws import Draws
from dragoman.human.marked import marked_answers, marks_table
from dragoman.human.protocol import LESSON, Assignment, Protocol, Task
from dragoman.ranking.online import Played
from dragoman.ranking.power_curve import sign_p
from dragoman.report import Column, Result, Sentence, Table
from dragoman.rng import Stream
from dragoman.stats.arrays import check_level

__all__ = ["Choice", "PairStanding", "Standing", "next_task", "standing"]

_LOOKS = 10  # how often the plan allows a decision
_POWER = 0.8  # the chance with which the rest of the campaign should tell a pair apart
# A difference that matters, in standard deviations of judgements. It is what 500 judgements of a system show with that
# chance (0.23): the number that the tool of DA-TIME advises, so that both say the same.
_MATTERS = 0.25
_ORDERS = 20  # random orders over which abilities are averaged
_PRIOR = 0.5  # the standard deviation of an ability before any judgement
_Answers = Mapping[tuple[str, str], Mapping[str, Any]]


@dataclass(frozen=True)
class PairStanding:
    """Two systems: how sure their order is, and what it would take."""

    first: str
    second: str
    p: float
    told_apart: bool
    times: float | None  # times the present judgements, to tell them apart with a good chance; None: beyond any number
    smallest: float | None = None  # difference that would have shown with a good chance, in standard deviations

    @property
    def is_settled(self) -> bool:
        """Whether they are told apart, or would be if their difference mattered."""
        return self.told_apart or (self.smallest is not None and self.smallest <= _MATTERS)


@dataclass(frozen=True)
class Standing(Result):
    """How the systems stand, whether that is enough, and whether to go on."""

    kind: ClassVar[str] = "campaign-standing"

    systems: tuple[tuple[str, float | None, float | None, int], ...]  # name, ability or mean, its uncertainty, n
    pairs: tuple[PairStanding, ...]
    share_done: float
    alpha: float
    alpha_now: float
    target: float
    enough: bool  # the systems are told apart, or would be
    stop: bool  # nothing more is to be expected from the plan
    reason: str

    def tables(self) -> list[Table]:
        """Systems, then pairs, the least certain first."""
        columns = [Column("system"), Column("value", digits=3), Column("uncertainty", digits=3), Column("n")]
        pairs = [
            Column("first"),
            Column("second"),
            Column("p", alpha=0.05),
            Column("told_apart", "told apart"),
            Column("times", "times as many", 1),
            Column("smallest", "smallest shown", 2),
        ]
        rows = [
            (each.first, each.second, each.p, each.told_apart, each.times, each.smallest)
            for each in sorted(self.pairs, key=lambda each: -each.p)
        ]
        return [
            Table.of("Systems so far", columns, self.systems, note=self.reason),
            Table.of("Pairs so far", pairs, rows, note=self._pairs_note()),
        ]

    def _pairs_note(self) -> str:
        return Sentence(
            "Two-sided, each at p ≤ {level:g}. times as many: judgements that would tell a pair apart with a chance of "
            "{power:.0%}, if its difference is what it seems; smallest shown: the difference, in standard deviations "
            "of judgements, that these judgements show with that chance.",
            level=self.alpha_now,
            power=_POWER,
        )

    def meta(self) -> dict[str, Any]:
        """The decision and its levels."""
        return {
            "enough": self.enough,
            "stop": self.stop,
            "reason": self.reason,
            "share_done": self.share_done,
            "alpha": self.alpha,
            "alpha_now": self.alpha_now,
            "target": self.target,
        }


@dataclass(frozen=True)
class Choice:
    """The next task of an annotator, or why there is none."""

    task: Task | None
    reason: str
    stop: bool = False  # for everybody


def standing(
    protocol: Protocol,
    assignments: Iterable[Assignment],
    answers: _Answers,
    *,
    alpha: float = 0.05,
    target: float = 0.8,
    excluded: Iterable[str] = (),
) -> Standing:
    """How the systems stand by the answers so far, and whether they are enough.

    Enough is: the share `target` of all pairs of systems is told apart, or would be if they differed by what matters.
    When the plan is done, or its rest is unlikely to tell more of them apart, it is time to stop, enough or not.
    Answers of the `excluded` do not count, nor direct assessments that the analysis does not trust.
    """
    check_level(alpha, "alpha")
    check_level(target, "target")
    planned = list(assignments)
    left_out = set(excluded)
    left_out |= not_counted_answers(
        protocol, planned, {key: answer_of for key, answer_of in answers.items() if key[0] not in left_out}
    ).keys()
    planned = [each for each in planned if each.annotator not in left_out]
    trusted = {key: answer for key, answer in answers.items() if key[0] not in left_out}
    total = sum(1 for each in planned for item in each.task.items if item.type == "TGT")
    marked = marked_answers(protocol, planned, trusted)
    done = sum(each.item.type == "TGT" for own in marked.values() for each in own)
    share = done / total if total else 0.0
    look = min(_LOOKS, int(share * _LOOKS))
    level = alpha / _LOOKS
    names = sorted({system for each in planned for item in each.task.items for system, _ in item.contents if system})
    table = marks_table(marked)
    if table is None:
        outcome = _Found(names)
    elif table.schema.kind == "relative-ranking":
        outcome = _by_comparisons(names, table)
    else:
        outcome = _by_scores(names, table)
    pairs = tuple(
        PairStanding(
            a, b, outcome.p[a, b], outcome.p[a, b] <= level, outcome.times(a, b, level), outcome.smallest(a, b, level)
        )
        for a, b in combinations(names, 2)
    )
    enough, stop, reason = _decision(pairs, share, look, level, target)
    systems = tuple((name, outcome.value.get(name), outcome.spread.get(name), outcome.n.get(name, 0)) for name in names)
    return Standing(systems, pairs, share, alpha, level, target, enough, stop, reason)


def _decision(
    pairs: Sequence[PairStanding], share: float, look: int, level: float, target: float
) -> tuple[bool, bool, str]:
    """Whether it is enough, whether to stop, and both in words."""
    if not pairs:
        return False, False, Sentence("There is only one system: nothing to tell apart.")
    n_apart = sum(each.told_apart for each in pairs)
    reason = Sentence(
        "{apart} of {pairs} pairs of systems are told apart, each at p ≤ {level:g}, by {share:.0%} of the plan",
        apart=n_apart,
        pairs=len(pairs),
        level=level,
        share=share,
    )
    if look < 1:
        first = "{said}; not enough data yet: the first decision is due after {share:.0%}."
        return False, False, Sentence(first, said=reason, share=1 / _LOOKS)
    if n_apart >= target * len(pairs):
        return True, True, Sentence("{said}: the target of {target:.0%} is reached.", said=reason, target=target)
    if sum(each.is_settled for each in pairs) >= target * len(pairs):
        settled = (
            "{said}; of the others a difference of {least:g} standard deviations would have shown with a chance of "
            "{power:.0%}."
        )
        return True, True, Sentence(settled, said=reason, least=_MATTERS, power=_POWER)
    too_small = Sentence("they may be equally good, or the plan is too small for their difference")
    if share >= 1:
        too_little = "{said}: everything was judged, and it is too little to tell the others apart; {why}."
        return False, True, Sentence(too_little, said=reason, why=too_small)
    room = 1 / share  # times the present judgements, when the plan is done
    hopeful = [each for each in pairs if not each.told_apart and each.times is not None and each.times <= room]
    if not hopeful:
        hopeless = "{said}: the rest of the plan would hardly tell more of them apart; {why}."
        return False, True, Sentence(hopeless, said=reason, why=too_small)
    return False, False, Sentence("{said}; the rest of the plan may tell {n} more apart.", said=reason, n=len(hopeful))


class _Found:
    """Values, uncertainties and tests of systems; nothing is known before the first judgement."""

    def __init__(self, names: Sequence[str]) -> None:
        self.value: dict[str, float] = {}
        self.spread: dict[str, float] = {}
        self.n: dict[str, int] = {}
        self.p = dict.fromkeys(combinations(names, 2), 1.0)
        self.effect: dict[tuple[str, str], float] = {}  # z of the difference now; grows with √n
        self.error: dict[tuple[str, str], float] = {}  # of the difference, in standard deviations of judgements
        self.decided: dict[tuple[str, str], int] = {}  # comparisons without ties

    def times(self, a: str, b: str, level: float) -> float | None:
        """How many times the present judgements give the wanted power, if the difference is what it seems."""
        z = abs(self.effect.get((a, b), 0.0))
        if z < 1e-6:
            return None
        return (_reach(level) / z) ** 2

    def smallest(self, a: str, b: str, level: float) -> float | None:
        """The difference that has the wanted power now, in standard deviations of judgements."""
        if (a, b) in self.error:
            return _reach(level) * self.error[a, b]
        n = self.decided.get((a, b), 0)
        lead = _reach(level) / sqrt(n) if n else 1.0  # share of wins less share of losses
        # Of two outputs whose quality is normal, one is better with P = Φ(d/√2), d in standard deviations of one.
        return sqrt(2) * NormalDist().inv_cdf((1 + lead) / 2) if lead < 1 else None


def _reach(level: float) -> float:
    """How many standard errors a difference must have to be found with the wanted power."""
    return NormalDist().inv_cdf(1 - level / 2) + NormalDist().inv_cdf(_POWER)


def _by_comparisons(names: Sequence[str], table: Any) -> _Found:
    outcome = _Found(names)
    comparisons = compare_pairwise(table)
    systems = list(comparisons.systems)
    outcome.n = dict.fromkeys(systems, 0)
    for side in (comparisons.first, comparisons.second):
        for number, count in enumerate(np.bincount(side, minlength=len(systems)).tolist()):
            outcome.n[systems[number]] += count
    options = core.TrueSkillOptions(sd=_PRIOR, beta=1.0, tau=0.0, p_draw=0.25)
    played = Played.of(comparisons, "judgement")
    key = Stream(0, "dynamic orders").key
    runs = core.trueskill_runs(*played.arrays(), "shuffled", _ORDERS, key, options=options).mean(axis=0)
    wins = comparisons.wins()
    for i, name in enumerate(systems):
        outcome.value[name], outcome.spread[name] = float(runs[0, i]), sqrt(float(runs[1, i]))
    for i, j in combinations(range(len(systems)), 2):
        a, b = sorted((systems[i], systems[j]))
        won, lost = int(wins[i, j]), int(wins[j, i])
        outcome.p[a, b] = float(sign_p(np.array([won]), np.array([lost]))[0])
        outcome.effect[a, b] = (won - lost) / sqrt(won + lost) if won + lost else 0.0
        outcome.decided[a, b] = won + lost
    return outcome


def _by_scores(names: Sequence[str], table: Any) -> _Found:
    """Means of outputs, and z of their differences; annotators' habits are evened out first."""
    outcome = _Found(names)
    codes, people = table.coded("annotator")
    score = table.numbers("score")
    for number in range(len(people)):
        own = codes == number
        spread = float(score[own].std())
        score[own] = (score[own] - score[own].mean()) / (spread if spread > 0 else 1.0)
    outputs: dict[str, dict[Any, list[float]]] = {}
    for system, segment, value in zip(table["system"], table["segment"], score.tolist(), strict=True):
        outputs.setdefault(str(system), {}).setdefault(segment, []).append(value)
    for system, by in outputs.items():
        means = np.array([sum(values) / len(values) for values in by.values()])
        outcome.n[system] = len(means)
        outcome.value[system] = float(means.mean())
        outcome.spread[system] = float(means.std(ddof=1) / sqrt(len(means))) if len(means) > 1 else 1.0
    for a, b in combinations(sorted(outputs), 2):
        error = sqrt(outcome.spread[a] ** 2 + outcome.spread[b] ** 2)
        is_known = error > 0 and min(outcome.n[a], outcome.n[b]) > 1
        z = (outcome.value[a] - outcome.value[b]) / error if is_known else 0.0
        if is_known:
            outcome.error[a, b] = error
        outcome.effect[a, b] = z
        outcome.p[a, b] = 2 * (1 - NormalDist().cdf(abs(z)))
    return outcome


def next_task(
    protocol: Protocol,
    tasks: Sequence[Task],
    taken: Mapping[str, Sequence[str]],
    answers: _Answers,
    annotator: str,
    *,
    seed: int,
    alpha: float = 0.05,
    target: float = 0.8,
    excluded: Iterable[str] = (),
) -> Choice:
    """The task that an annotator should do next; the same answers give the same choice.

    `tasks` is all work of the plan, `taken` says who has which task already, done or not: nobody gets a task twice, no
    task goes to more than `redundancy` annotators, a lesson comes first. There is no next task when nothing is left
    for this annotator, or when the whole campaign stops.
    """
    names = {task.name for task in tasks}
    strange = sorted(set(taken) - names)
    if strange:
        raise DataError(f"There is no task {strange[0]!r} in the plan.")
    for task in tasks:
        if task.name == LESSON and annotator not in taken.get(LESSON, ()):
            return Choice(task, "The tutorial comes first.")
    work = [task for task in tasks if task.name != LESSON]
    # What the excluded had is to be done by others. The budget is the whole plan, however much of it was dealt so far.
    left_out = set(excluded)
    held = {task.name: [who for who in taken.get(task.name, ()) if who not in left_out] for task in work}
    hands = [Assignment(who, task) for task in work for who in held[task.name]]
    open_ = [
        Assignment(f"\x00{number}", task)
        for task in work
        for number in range(protocol.redundancy - len(held[task.name]))
    ]
    now = standing(protocol, [*hands, *open_], answers, alpha=alpha, target=target)
    if now.stop:
        return Choice(None, now.reason, stop=True)
    free = [
        task
        for task in work
        if annotator not in taken.get(task.name, ()) and len(held[task.name]) < protocol.redundancy
    ]
    if not free:
        return Choice(None, f"There is no task left for {annotator}.")
    draws = Draws(seed, f"next of {annotator} after {len(answers)}")
    turn = {task.name: draws.bits() for task in free}
    gain = {task.name: _gain(task, now) for task in free}
    # What tells equally much goes first to where somebody has begun already: agreement needs pairs of annotators.
    best = max(free, key=lambda task: (round(gain[task.name], 9), len(held[task.name]), -turn[task.name]))
    return Choice(best, f"Expected to tell most about systems that are not told apart yet. {now.reason}")


def _gain(task: Task, now: Standing) -> float:
    """What a task is expected to tell, by item: uncertainty where systems are near and not told apart."""
    value = {name: (0.0 if mean is None else mean) for name, mean, _, _ in now.systems}
    spread = {name: (_PRIOR if sd is None else sd) for name, _, sd, _ in now.systems}
    is_clear = {frozenset((each.first, each.second)): each.told_apart for each in now.pairs}
    total, n = 0.0, 0
    for item in task.items:
        shown = sorted({system for system, _ in item.contents if system})
        if item.type != "TGT" or not shown:
            continue
        n += 1
        pairs = (
            combinations(shown, 2) if len(shown) > 1 else [(shown[0], other) for other in value if other != shown[0]]
        )
        for a, b in pairs:
            if not is_clear.get(frozenset((a, b)), False):
                error = sqrt(spread[a] ** 2 + spread[b] ** 2) or 1.0
                own = spread[a] ** 2 + (spread[b] ** 2 if len(shown) > 1 else 0.0)
                total += own * float(np.exp(-abs(value[a] - value[b]) / error))
    return total / max(1, n)
