"""Quality control while a campaign runs, for any protocol: who reads what they judge, by the answers so far.

Five things are looked at, each where the protocol has it: degraded copies against their originals, items shown twice,
items whose answer is known, agreement with the others, and time. The first and the fourth are tests; two errors are
kept apart, as in `spot_random`: not to be better than chance is no proof of carelessness unless the others are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import fmean, median
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.data.judgements import Judgements
from dragoman.errors import DataError
from dragoman.human.chance_agreement import Floats
from dragoman.human.counting import not_counted_answers
from dragoman.human.marked import Marked, marked_answers, marks_table
from dragoman.human.protocol import Assignment, Protocol
from dragoman.human.reliability import below_others, spot_random
from dragoman.report import Column, Result, Sentence, Table, joined
from dragoman.rng import Stream
from dragoman.stats.arrays import check_level
from dragoman.stats.multiple import adjust

__all__ = ["AnnotatorQuality", "QualityReport", "leave_out", "quality_of_annotators"]

_FASTEST = 3.0  # seconds for an item, median
_FAR_BELOW = 0.25  # of the others' median time
_LONGEST_RUN = 8  # of one and the same answer
_EXACT = 14  # differences whose signs are flipped in all ways
_FLIPS = 20_000
_AT_ONCE = 1 << 16  # flips: what fits into a processor's cache
_HALF = np.uint64(1 << 63)  # half of all draws are below it


@dataclass(frozen=True)
class AnnotatorQuality:
    """One annotator, by the answers so far. None where there is nothing to tell it from."""

    annotator: str
    answered: int
    assigned: int
    n_controls: int  # degraded copies judged together with their originals
    control_gap: float | None  # original less copy, mean
    p_control: float | None  # of such a gap, signs flipped at random
    p_control_below: float | None  # of a gap so far below the others', corrected
    n_repeats: int
    repeat_error: float | None  # share of comparisons that changed; for single outputs the mean distance
    n_gold: int
    gold_right: int
    agreement: float | None  # with the others: share of comparisons, r for single outputs
    agreement_verdict: str  # above chance, at chance, undecided
    seconds: float | None  # the median
    longest_run: int
    flags: tuple[str, ...]
    verdict: str  # careful, careless, contradictory, undecided
    reason: str
    counts: bool = True  # whether rankings use the answers
    why_not: str = ""


@dataclass(frozen=True)
class QualityReport(Result):
    """All annotators, the doubtful ones first, with whether the ranking uses their answers: `counting` decides."""

    kind: ClassVar[str] = "annotator-quality"

    annotators: tuple[AnnotatorQuality, ...]
    protocol: str
    alpha: float
    n_answers: int

    @property
    def careless(self) -> tuple[str, ...]:
        """The annotators whom the tests call careless."""
        return tuple(each.annotator for each in self.annotators if each.verdict == "careless")

    def tables(self) -> list[Table]:
        """One row for each annotator."""
        columns = [
            Column("annotator"),
            Column("verdict"),
            Column("counts"),
            Column("answered"),
            Column("assigned"),
            Column("n_controls", "controls"),
            Column("control_gap", "gap", 2),
            Column("p_control", "p", alpha=0.05),
            Column("n_repeats", "repeats"),
            Column("repeat_error", "repeat error", 3),
            Column("n_gold", "gold"),
            Column("gold_right", "right"),
            Column("agreement", digits=3),
            Column("seconds", digits=1),
            Column("reason"),
            Column("why_not", "not counted because"),
            Column("flags"),
        ]
        names = [column.name for column in columns]
        rows = [
            [values[name] if name != "flags" else joined(values[name], "{first}; {rest}") for name in names]
            for values in map(asdict, self.annotators)
        ]
        note = Sentence(
            "gap: what originals get above their degraded copies; p: of such a gap by chance. Careless: not above "
            "chance (α = {alpha:g}) where the others are (corrected by holm), or more gold wrong than right. "
            "Flags ask for a look. counts: whether the ranking uses the answers; nothing is deleted.",
            alpha=self.alpha,
        )
        return [Table.of("Annotators", columns, rows, note=note)]

    def meta(self) -> dict[str, Any]:
        """The level and how much was looked at."""
        return {
            "protocol": self.protocol,
            "alpha": self.alpha,
            "answers": self.n_answers,
            "careless": list(self.careless),
            "not_counted": [each.annotator for each in self.annotators if not each.counts],
        }


def quality_of_annotators(
    protocol: Protocol,
    assignments: Iterable[Assignment],
    answers: Mapping[tuple[str, str], Mapping[str, Any]],
    *,
    alpha: float = 0.05,
    least_gold: int = 5,
    left_out: Mapping[str, str] | None = None,
) -> QualityReport:
    """Every annotator's record. `answers` holds the last answer of each annotator to each item, in the order made.

    Answers to items that nobody was assigned are left aside. Whoever met `least_gold` items of gold and failed more
    than half of them is careless, as in WMT 2013. `left_out` says whose answers do not count, and why, where it is
    known already; else the answers decide (`not_counted_answers`).
    """
    check_level(alpha, "alpha")
    assignments = list(assignments)
    marked = marked_answers(protocol, assignments, answers)
    if left_out is None:
        left_out = not_counted_answers(protocol, assignments, answers)
    people = sorted(marked)
    gaps = {name: _control_gaps(marked[name]) for name in people}
    below = _below_others(gaps)
    verdicts = _agreement(marked, alpha)
    times = {name: _seconds(marked[name]) for name in people}
    lines = []
    for name in people:
        own = marked[name]
        others = [value for other, value in times.items() if other != name and value is not None]
        record = _Record(
            gaps=gaps[name],
            p_control=_flip_p(gaps[name]),
            p_below=below.get(name),
            gold=[each.is_gold_right for each in own if each.is_gold_right is not None],
            agreement=verdicts.get(name, (None, "undecided")),
            counts=name not in left_out,
        )
        errors = _repeat_errors(own)
        run = _longest_run(own)
        verdict, reason = _verdict(record, alpha, least_gold)
        lines.append(
            AnnotatorQuality(
                annotator=name,
                answered=len(own),
                assigned=marked.assigned[name],
                n_controls=len(record.gaps),
                control_gap=fmean(record.gaps) if record.gaps else None,
                p_control=record.p_control,
                p_control_below=record.p_below,
                n_repeats=len(errors),
                repeat_error=fmean(errors) if errors else None,
                n_gold=len(record.gold),
                gold_right=sum(record.gold),
                agreement=record.agreement[0],
                agreement_verdict=record.agreement[1],
                seconds=times[name],
                longest_run=run,
                flags=_flags(times[name], others, run, len(own)),
                verdict=verdict,
                reason=reason,
                counts=name not in left_out,
                why_not=left_out.get(name, ""),
            )
        )
    order = ("careless", "contradictory", "undecided", "careful")
    lines.sort(key=lambda each: (order.index(each.verdict), each.annotator))
    return QualityReport(tuple(lines), protocol.name, alpha, sum(map(len, marked.values())))


def leave_out(judgements: Judgements, annotators: Iterable[str]) -> Judgements:
    """The judgements without those of some annotators; the table itself stays as it is."""
    names = set(annotators)
    return judgements.take([n for n, name in enumerate(judgements["annotator"]) if name not in names])


@dataclass(frozen=True)
class _Record:
    gaps: list[float]
    p_control: float | None
    p_below: float | None
    gold: list[bool]
    agreement: tuple[float | None, str]
    counts: bool


def _verdict(record: _Record, alpha: float, least_gold: int) -> tuple[str, str]:
    against, favour = [], []
    if record.p_control is not None and record.p_control <= alpha:
        favour.append(Sentence("degraded copies are judged worse"))
    elif record.p_below is not None and record.p_below <= alpha:
        against.append(Sentence("degraded copies are not judged worse ({n})", n=len(record.gaps)))
    n_gold = len(record.gold)
    if n_gold >= least_gold and 2 * sum(record.gold) < n_gold:
        wrong = n_gold - sum(record.gold)
        against.append(Sentence("{wrong} of {n} known answers are wrong", wrong=wrong, n=n_gold))
    if record.agreement[1] == "at chance":
        against.append(Sentence("agrees with the others no better than chance"))
    elif record.agreement[1] == "above chance":
        favour.append(Sentence("agrees with the others"))
    if favour and not against and not record.counts:
        against.append(Sentence("the ranking does not use the answers"))
    if against and favour:
        but = Sentence("but {what}", what=favour[0])
        return "contradictory", joined((*against, but, *favour[1:]), "{first}; {rest}")
    if against or favour:
        return ("careless" if against else "careful"), joined(against or favour, "{first}; {rest}")
    return "undecided", Sentence("too few answers that could tell")


def _flags(seconds: float | None, others: Sequence[float], run: int, n: int) -> tuple[str, ...]:
    flags = []
    if seconds is not None and seconds < _FASTEST:
        flags.append(Sentence("under {seconds:g} s an item", seconds=_FASTEST))
    elif seconds is not None and others and seconds < _FAR_BELOW * median(others):
        flags.append(Sentence("much quicker than the others"))
    if run >= _LONGEST_RUN and 2 * run > n:
        flags.append(Sentence("the same answer {n} times running", n=run))
    return tuple(flags)


def _control_gaps(own: Sequence[Marked]) -> list[float]:
    """What originals get above their degraded copies: on one screen, or in two items of one content."""
    originals = {each.item.content: each.marks.get("text") for each in own if each.item.type == "TGT"}
    gaps = []
    for each in own:
        if each.item.type != "BAD":
            continue
        if each.item.places:
            pairs = (each.item.expected or {}).get("order", [])
            gaps += [
                each.marks[better] - each.marks[worse] for better, worse in pairs if {better, worse} <= set(each.marks)
            ]
        else:
            original, copy = originals.get(each.item.content), each.marks.get("text")
            if original is not None and copy is not None:
                gaps.append(original - copy)
    return gaps


def _flip_p(gaps: Sequence[float]) -> float | None:
    """P of a sum of gaps as large, their signs flipped at random: exactly for few, else by draws that do not change."""
    if not gaps:
        return None
    values: Floats = np.asarray(gaps, dtype=np.float64)
    n = len(values)
    if n <= _EXACT:
        signs = 1.0 - 2.0 * ((np.arange(2**n)[:, None] >> np.arange(n)) & 1)
        return float(_reached(signs, values) / len(signs))
    draws = Stream(0, f"flips of {n}")
    rows = max(1, _AT_ONCE // n)
    reached = 0
    for start in range(0, _FLIPS, rows):
        drawn = draws.bits(min(rows, _FLIPS - start) * n, start=start * n).reshape(-1, n)
        reached += _reached(1.0 - 2.0 * (drawn < _HALF), values)
    return (reached + 1) / (_FLIPS + 1)


def _reached(signs: NDArray[np.floating[Any]], values: Floats) -> int:
    return int(np.count_nonzero(signs @ values >= values.sum() - 1e-9))


def _below_others(gaps: Mapping[str, list[float]]) -> dict[str, float]:
    """For each annotator with controls, p of a mean gap so far below the others', corrected for their number."""
    below = {}
    for name, own in gaps.items():
        others = [gap for other, values in gaps.items() if other != name for gap in values]
        if own and others:
            p = below_others(np.asarray(own, dtype=np.float64), np.asarray(others, dtype=np.float64))
            if p is not None:
                below[name] = p
    return dict(zip(below, adjust(list(below.values()), "holm").tolist(), strict=True))


def _agreement(marked: Mapping[str, Sequence[Marked]], alpha: float) -> dict[str, tuple[float | None, str]]:
    """Each annotator's agreement with the others, and whether it is chance; nothing where nobody shares an item."""
    table = marks_table(marked)
    if table is None:
        return {}
    try:
        lines = spot_random(table, alpha=alpha).annotators
    except DataError:  # nothing was judged by two: there is nobody to compare with, which is no error of a live view
        return {}
    return {each.annotator: (each.value, each.verdict) for each in lines}


def _repeat_errors(own: Sequence[Marked]) -> list[float]:
    """How far second answers are from first ones, comparison by comparison or output by output."""
    first = {(each.item.segment, each.systems): each for each in own if each.item.type == "TGT"}
    errors = []
    for each in own:
        before = first.get((each.item.segment, each.systems))
        if each.item.type != "CHK" or before is None:
            continue
        if each.item.places:
            errors += [float(a != b) for a, b in zip(before.outcomes(), each.outcomes(), strict=True)]
        elif "text" in each.marks and "text" in before.marks:
            errors.append(abs(each.marks["text"] - before.marks["text"]))
    return errors


def _seconds(own: Sequence[Marked]) -> float | None:
    times = [each.seconds for each in own if each.seconds is not None]
    return median(times) if times else None


def _longest_run(own: Sequence[Marked]) -> int:
    """Answers of the same marks one after the other; answers without marks break a run."""
    longest = run = 0
    last: object = None
    for each in own:
        now = tuple(sorted(each.marks.items())) or None
        run = run + 1 if now is not None and now == last else int(now is not None)
        longest, last = max(longest, run), now
    return longest
