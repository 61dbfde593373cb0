"""Who can be relied on: each annotator against their own controls, no expert needed.

DA-TIME: a consistent judge scores an output higher than its degraded copy. The test is one-sided and paired, on raw
scores; whoever does not pass is left out with all judgements. DA-SCALE compared the differences of degraded pairs with
those of repeats instead (Welch, Mann–Whitney). One task has ten pairs, which is weak evidence: not to pass it is not to
be careless, and the reason given says so.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from dragoman.errors import DataError, UnknownName
from dragoman.human.direct_assessment.assessments import BAD, CHK, REF, TGT, TYPES, Assessments, Floats
from dragoman.report import Column, Sentence, Table, joined
from dragoman.stats import paired_test, rank_sum_test, welch_test
from dragoman.stats.arrays import check_level

__all__ = ["WORKER_TESTS", "WorkerReport", "judge_workers", "worker_table"]

_PAIRED = ("t", "wilcoxon", "sign", "randomisation")
_UNPAIRED = ("welch", "mann-whitney")
WORKER_TESTS = (*_PAIRED, *_UNPAIRED, "none")

# Flags ask for a look, they exclude nobody (the tool that came with DA-TIME).
_FASTEST = 3.0  # seconds per item: 300 for a task of 100
_LONGEST_RUN = 8  # of one and the same score
_LEAST_REFERENCE = 90.0  # what a reference gets for adequacy against itself
_FEW_PAIRS = 20  # two tasks


@dataclass(frozen=True)
class WorkerReport:
    """An annotator's record. `p` is of the test that decides; `p_repeat` of equal means for repeats (two-sided t)."""

    annotator: str
    kept: bool
    reason: str
    n: int
    n_pairs: int
    p: float | None
    statistic: float | None
    mean: float
    sd: float | None
    means: tuple[float | None, ...]  # by type, in the order of TYPES
    n_repeats: int
    repeat_difference: float | None  # mean of |first − repeat|
    p_repeat: float | None
    seconds: float | None  # mean per item
    longest_run: int
    flags: tuple[str, ...]


def judge_workers(
    assessments: Assessments, *, test: str = "t", alpha: float = 0.05, attribute: str = "adequacy", seed: int = 1
) -> list[WorkerReport]:
    """The record of every annotator, and who is kept.

    `test`: t, wilcoxon, sign and randomisation compare degraded copies with their originals; welch and
    mann-whitney compare those differences with the differences of repeats; none keeps everyone. Where nobody saw a
    degraded copy there is nothing to judge by, and everyone is kept. An annotator with fewer than two pairs, or with
    differences that do not vary, is not.
    """
    if test not in WORKER_TESTS:
        raise UnknownName(f"No test of annotators is called {test!r}. Known: {', '.join(WORKER_TESTS)}.")
    check_level(alpha, "alpha")
    degraded, repeats = assessments.pairs(BAD), assessments.pairs(CHK)
    reports = []
    for number, name in enumerate(assessments.annotators):
        rows = assessments.annotator == number
        bad = assessments.annotator[degraded.control] == number
        again = assessments.annotator[repeats.control] == number
        score = assessments.score
        gains = score[degraded.original[bad]] - score[degraded.control[bad]]
        moves = score[repeats.original[again]] - score[repeats.control[again]]
        if test == "none" or not len(degraded):
            verdict = _Verdict(
                True, Sentence("no test was asked for" if test == "none" else "no degraded copies to judge by")
            )
        else:
            verdict = _verdict(
                score[degraded.original[bad]], score[degraded.control[bad]], np.abs(moves), test, alpha, seed
            )
        reports.append(_report(assessments, name, rows, verdict, gains, moves, attribute))
    return reports


@dataclass(frozen=True)
class _Verdict:
    kept: bool
    reason: str
    p: float | None = None
    statistic: float | None = None


def _verdict(original: Floats, degraded: Floats, moves: Floats, test: str, alpha: float, seed: int) -> _Verdict:
    gains = original - degraded
    n = len(gains)
    statistic: float | None
    if n < 2:
        return _Verdict(False, Sentence("insufficient evidence: {n} of at least 2 degraded pairs", n=n))
    if test in _UNPAIRED:
        if len(moves) < 2:
            return _Verdict(False, Sentence("insufficient evidence: {n} of at least 2 repeats", n=len(moves)))
        compare = welch_test if test == "welch" else rank_sum_test
        outcome = compare(gains, moves, sides=1)
        p, statistic = outcome.p, outcome.statistic
    else:
        if np.ptp(gains) == 0 and test == "t":  # the tool: undefined, hence not kept
            same = "all {n} degraded copies differ from their originals by the same {gain:+g}"
            return _Verdict(False, Sentence(same, n=n, gain=float(gains[0])))
        options = {"seed": seed} if test == "randomisation" else {}
        compared = paired_test(test, sides=1, **options).compare(_rows(original), _rows(degraded), _mean)
        p, statistic = compared.p, compared.statistic
    if p < alpha:
        return _Verdict(True, Sentence("degraded copies are scored lower"), p, statistic)
    if gains.mean() <= 0:
        return _Verdict(False, Sentence("degraded copies are not scored lower"), p, statistic)
    weak = (
        "insufficient evidence: degraded copies are {gain:.1f} lower in {n} pairs"
        if n < _FEW_PAIRS
        else "no reliable difference: degraded copies are {gain:.1f} lower in {n} pairs"
    )
    return _Verdict(False, Sentence(weak, gain=float(gains.mean()), n=n), p, statistic)


def _rows(scores: Floats) -> Floats:
    return np.column_stack([scores, np.ones(len(scores))])


def _mean(totals: Floats) -> Floats:
    means: Floats = totals[:, 0] / totals[:, 1]
    return means


def _report(
    assessments: Assessments,
    name: str,
    rows: np.ndarray[tuple[int], np.dtype[np.bool_]],
    verdict: _Verdict,
    gains: Floats,
    moves: Floats,
    attribute: str,
) -> WorkerReport:
    score, types = assessments.score[rows], assessments.type[rows]
    tasks = _task_times(assessments.take(rows))
    means = tuple(float(score[types == kind].mean()) if (types == kind).any() else None for kind in range(len(TYPES)))
    run = _longest_run(score)
    p_repeat = None
    if len(moves) >= 2:
        p_repeat = paired_test("t").compare(_rows(moves), _rows(np.zeros(len(moves))), _mean).p
    return WorkerReport(
        annotator=name,
        kept=verdict.kept,
        reason=verdict.reason,
        n=len(score),
        n_pairs=len(gains),
        p=verdict.p,
        statistic=verdict.statistic,
        mean=float(score.mean()),
        sd=float(score.std(ddof=1)) if len(score) > 1 else None,
        means=means,
        n_repeats=len(moves),
        repeat_difference=float(np.abs(moves).mean()) if len(moves) else None,
        p_repeat=p_repeat,
        seconds=sum(each.seconds for each in tasks) / sum(each.n for each in tasks) if tasks else None,
        longest_run=run,
        flags=_flags(means, _fastest(tasks), run, attribute, is_rejected=bool(assessments.is_rejected[rows].any())),
    )


@dataclass(frozen=True)
class _TaskTime:
    """The time that an annotator spent on a task: as recorded, else from opening to submission."""

    n: int
    seconds: float
    opened: float
    closed: float


def _task_times(own: Assessments) -> list[_TaskTime]:
    """The tasks of an annotator whose time is known."""
    times = []
    for task in np.unique(own.task).tolist():
        rows = own.task == task
        opened, closed = float(own.start[rows].min()), float(own.end[rows].max())
        work = float(own.seconds[rows].sum())
        if np.isnan(work):
            work = closed - opened
        if not np.isnan(work):
            times.append(_TaskTime(int(rows.sum()), work, opened, closed))
    return times


def _fastest(tasks: list[_TaskTime]) -> float | None:
    """Seconds an item in the fastest task; time with several tasks open at once is shared among them."""
    paces = []
    for task in tasks:
        moments = (task.opened, task.closed)
        at_once = max(sum(other.opened <= moment <= other.closed for other in tasks) for moment in moments)
        paces.append(task.seconds / task.n / max(1, at_once))
    return min(paces, default=None)


def _flags(
    means: tuple[float | None, ...], pace: float | None, run: int, attribute: str, *, is_rejected: bool
) -> tuple[str, ...]:
    """What the tool marks for a look by eye."""
    system, bad, reference = means[TGT], means[BAD], means[REF]
    flags = []
    if system is not None and bad is not None and bad >= system:
        flags.append(Sentence("degraded ≥ system"))
    if system is not None and reference is not None and system >= reference:
        flags.append(Sentence("system ≥ reference"))
    if attribute == "adequacy" and reference is not None and reference < _LEAST_REFERENCE:
        flags.append(Sentence("reference < {least:g}", least=_LEAST_REFERENCE))
    if pace is not None and pace < _FASTEST:
        flags.append(Sentence("under {seconds:g} s an item", seconds=_FASTEST))
    if run > _LONGEST_RUN:
        flags.append(Sentence("{n} equal scores in a row", n=run))
    if is_rejected:
        flags.append(Sentence("a task was rejected"))
    return tuple(flags)


def _longest_run(score: Floats) -> int:
    """The most equal scores one after the other."""
    if not len(score):
        return 0
    changes = np.flatnonzero(np.diff(score) != 0) + 1
    return int(np.diff([0, *changes, len(score)]).max())


def worker_table(reports: list[WorkerReport], *, test: str, alpha: float) -> Table:
    """The annotators, kept ones first as they came."""
    if not reports:
        raise DataError("There are no annotators.")
    columns = [
        Column("annotator"),
        Column("kept"),
        Column("p", alpha=alpha),
        Column("pairs", rank=1),
        Column("n", rank=1),
        Column("mean", digits=1, rank=2),
        Column("sd", digits=1, rank=2),
        Column("system", digits=1),
        Column("degraded", digits=1),
        Column("reference", digits=1),
        Column("repeat", digits=1, rank=1),
        Column("p_repeat", alpha=alpha, rank=2),
        Column("seconds", digits=1, rank=2),
        Column("reason"),
        Column("flags"),
    ]
    rows = [
        (
            each.annotator,
            each.kept,
            each.p,
            each.n_pairs,
            each.n,
            each.mean,
            each.sd,
            each.means[TGT],
            each.means[BAD],
            each.means[REF],
            each.repeat_difference,
            each.p_repeat,
            each.seconds,
            each.reason,
            joined(each.flags, "{first}; {rest}"),
        )
        for each in sorted(reports, key=lambda each: not each.kept)
    ]
    held = [each for each in reports if each.kept and each.p_repeat is not None]
    same = sum(each.p_repeat is not None and each.p_repeat >= alpha for each in held)
    counts = {"kept": sum(each.kept for each in reports), "n": len(reports)}
    if test == "none":
        notes = [Sentence("{kept} of {n} annotators are kept; test none, one-sided.", **counts)]
    else:
        tested = "{kept} of {n} annotators are kept; test {test}, one-sided, α = {alpha:g}."
        notes = [Sentence(tested, **counts, test=test, alpha=alpha)]
    if held:
        repeated = (
            "Of those kept, {same} of {n} give repeats the same mean score. `repeat` is the mean distance between "
            "first and repeated score."
        )
        notes.append(Sentence(repeated, same=same, n=len(held)))
    notes.append(Sentence("Flags ask for a look; they exclude nobody."))
    return Table.of("Annotators", columns, rows, note=joined(notes))
