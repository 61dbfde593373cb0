"""A review sheet of crowd translators: the signs by which careless and dishonest work shows.

The signs are those of Post, Callison-Burch & Osborne (WMT 2012, §3.2): empty translations, time, place, comparison with
the other translations of the same segments and with a gloss made from a dictionary; and pasting from known machine
translation. They chose by eye; the score here puts the sheet into an order to look at, worst first.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any, ClassVar

import numpy as np

from dragoman.data.crowd import TRANSLATIONS, Votes
from dragoman.data.judgements import Judgements
from dragoman.errors import DataError
from dragoman.human.analysing import Analysis
from dragoman.human.crowd.votes import check_kind
from dragoman.human.parts import PartsAnalysis
from dragoman.human.provenance import files_of
from dragoman.report import Column, Figure, Result, Sentence, Table

__all__ = ["Worker", "WorkerReview", "analyse_translations", "monotone_gloss", "review_workers"]

_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Worker:
    """One translator. Shares run from 0 to 1; None where there was nothing to tell it from."""

    name: str
    score: float
    n: int  # segments given to them
    empty: float  # share left empty
    related: float | None  # to the others' translations of the same segments: 0 by chance, 1 like the median worker
    copied: float | None  # share word for word the same as an earlier translation by another
    machine: float | None  # share all but the same as known machine translation
    hasty: float | None  # share of tasks done faster than anybody types
    seconds: float | None  # the median time per task
    gloss: float | None  # likeness to a gloss, beyond chance, in chrF points
    elsewhere: float | None  # share of rows where the stated country is not that of the address
    votes: float | None  # their mean share of the votes, times the number of translations: 1 is what chance gives


@dataclass(frozen=True)
class WorkerReview(Result):
    """Translators, the most doubtful first."""

    kind: ClassVar[str] = "crowd-workers"

    workers: tuple[Worker, ...]
    settings: Mapping[str, Any]

    def tables(self) -> list[Table]:
        """One row per translator."""
        names = ["score", "empty", "related", "copied", "machine", "hasty", "seconds", "gloss", "elsewhere", "votes"]
        columns: list[Column | str] = ["worker", "n"]
        columns += [Column(name, digits=0 if name == "seconds" else 2) for name in names]
        rows = [(w.name, w.n, *(getattr(w, name) for name in names)) for w in self.workers]
        note = Sentence(
            "score: related × (1 − empty) × (1 − copied) × (1 − machine) × (1 − hasty), what is unknown left out; the "
            "lowest deserve a look. Time, gloss, place and votes are shown for it and do not enter."
        )
        return [Table.of("Crowd translators", columns, rows, note=note)]

    def figures(self) -> list[Figure]:
        """The scores."""
        return [Figure("Crowd translators", "bar", self.tables()[0], x="worker", y="score")]

    def meta(self) -> dict[str, Any]:
        """Thresholds and counts."""
        return dict(self.settings)


@dataclass(frozen=True)
class _Line:
    worker: str
    segment: str
    text: str
    submitted: float | None


def review_workers(
    translations: Judgements,
    *,
    machine: Mapping[str, str] | None = None,
    glosses: Mapping[str, str] | None = None,
    votes: Votes | None = None,
    min_words: int = 4,
    same_as_machine: float = 90.0,
    seconds_per_segment: float = 3.0,
) -> WorkerReview:
    """Review all translators of a table of crowd translations.

    `machine` and `glosses` hold, by segment, machine translations and glosses (see `monotone_gloss`). Translations of
    fewer than `min_words` words are neither copied nor pasted: short ones are the same by nature. A line is pasted if
    its chrF against the machine's is at least `same_as_machine`; a task is hasty if it took less than
    `seconds_per_segment` for each of its segments.
    """
    check_kind(translations, TRANSLATIONS.kind)
    latest = translations.latest()
    if not len(latest):
        raise DataError("There are no translations to review.")
    lines = [
        _Line(str(r["annotator"]), str(r["segment"]), str(r["text"] or "").strip(), _number(r["submitted"]))
        for r in latest.rows()
    ]
    by_worker: dict[str, list[_Line]] = {}
    for line in lines:
        by_worker.setdefault(line.worker, []).append(line)
    full = [line for line in lines if line.text]
    related = _related(full)
    copied = _copied(full, min_words)
    pasted = _pasted(full, machine, min_words, same_as_machine)
    hasty, seconds = _times(latest, seconds_per_segment)
    gloss = _gloss(full, glosses)
    elsewhere = _elsewhere(latest)
    won = _won(votes)
    workers = []
    for name, own in by_worker.items():
        empty = sum(not line.text for line in own) / len(own)
        factors = [0.0 if empty == 1 else related.get(name), 1 - empty]
        factors += [
            None if share is None else 1 - share for share in (copied.get(name), pasted.get(name), hasty.get(name))
        ]
        score = float(np.prod([factor for factor in factors if factor is not None]))
        workers.append(
            Worker(
                name=name,
                score=score,
                n=len(own),
                empty=empty,
                related=related.get(name),
                copied=copied.get(name),
                machine=pasted.get(name),
                hasty=hasty.get(name),
                seconds=seconds.get(name),
                gloss=gloss.get(name),
                elsewhere=elsewhere.get(name),
                votes=won.get(name),
            )
        )
    workers.sort(key=lambda worker: (worker.score, worker.name))
    settings = {
        "files": files_of(translations),
        "n_translations": len(lines),
        "n_workers": len(workers),
        "min_words": min_words,
        "same_as_machine": same_as_machine,
        "seconds_per_segment": seconds_per_segment,
        "likeness": "chrF",
    }
    return WorkerReview(tuple(workers), settings)


def _likeness(hyps: Sequence[str], refs: Sequence[str]) -> list[float]:
    from dragoman.metrics.specs import make_metric

    scores: list[float] = make_metric("chrf").segments(hyps, [refs]).tolist() if hyps else []
    return scores


def _related(lines: Sequence[_Line]) -> dict[str, float]:
    """Likeness to the others' translations, between chance (0) and the median worker (1).

    A translation's likeness is its median over the others' of the segment, so that one cheat among three does not
    pull the honest down; chance is the likeness to translations of other segments.
    """
    by_segment: dict[str, list[_Line]] = {}
    for line in lines:
        by_segment.setdefault(line.segment, []).append(line)
    pairs = [
        (a, b) for group in by_segment.values() for a in group for b in group if a is not b and a.worker != b.worker
    ]
    if not pairs or len(by_segment) < 2:
        return {}
    alike = _likeness([a.text for a, _ in pairs], [b.text for _, b in pairs])
    far = _far_segments(list(by_segment))
    others = [by_segment[far[a.segment]] for a, _ in pairs]
    strangers = [group[n % len(group)].text for n, group in enumerate(others)]
    chance = fmean(_likeness([a.text for a, _ in pairs], strangers))
    per_line: dict[tuple[str, str], list[float]] = {}
    for (a, _), value in zip(pairs, alike, strict=True):
        per_line.setdefault((a.worker, a.segment), []).append(value)
    per_worker: dict[str, list[float]] = {}
    for (worker, _), values in per_line.items():
        per_worker.setdefault(worker, []).append(median(values))
    means = {worker: fmean(values) for worker, values in per_worker.items()}
    usual = median(means.values()) - chance
    if usual <= 0:
        return {}
    return {worker: min(1.0, max(0.0, (mean - chance) / usual)) for worker, mean in means.items()}


def _far_segments(segments: Sequence[str]) -> dict[str, str]:
    """For every segment another one, half the list away: what its translations have in common is chance."""
    half = len(segments) // 2
    return dict(zip(segments, [*segments[half:], *segments[:half]], strict=True))


def _copied(lines: Sequence[_Line], min_words: int) -> dict[str, float]:
    """The share of lines that say what another's earlier line says. Without times nobody knows who copied whom."""
    first: dict[tuple[str, str], _Line] = {}
    for line in lines:
        if line.submitted is not None:
            key = (line.segment, _folded(line.text))
            earlier = first.get(key)
            if earlier is None or earlier.submitted is None or line.submitted < earlier.submitted:
                first[key] = line
    shares: dict[str, list[bool]] = {}
    for line in lines:
        if line.submitted is not None and len(_WORD.findall(line.text)) >= min_words:
            origin = first[line.segment, _folded(line.text)]
            shares.setdefault(line.worker, []).append(origin.worker != line.worker)
    return {worker: sum(own) / len(own) for worker, own in shares.items()}


def _folded(text: str) -> str:
    return " ".join(_WORD.findall(text.casefold()))


def _pasted(
    lines: Sequence[_Line], machine: Mapping[str, str] | None, min_words: int, threshold: float
) -> dict[str, float]:
    if machine is None:
        return {}
    comparable = [line for line in lines if line.segment in machine and len(_WORD.findall(line.text)) >= min_words]
    likeness = _likeness([line.text for line in comparable], [machine[line.segment] for line in comparable])
    shares: dict[str, list[bool]] = {}
    for line, value in zip(comparable, likeness, strict=True):
        shares.setdefault(line.worker, []).append(value >= threshold)
    return {worker: sum(own) / len(own) for worker, own in shares.items()}


def _times(table: Judgements, seconds_per_segment: float) -> tuple[dict[str, float], dict[str, float]]:
    """The share of hasty tasks and the median time, by worker; rows without a task or a time tell nothing."""
    tasks: dict[tuple[str, str], list[float]] = {}
    for row in table.rows():
        if row["task"] is not None and row["seconds"] is not None:
            tasks.setdefault((str(row["annotator"]), str(row["task"])), []).append(float(row["seconds"]))
    hasty: dict[str, list[bool]] = {}
    times: dict[str, list[float]] = {}
    for (worker, task), seconds in tasks.items():
        if min(seconds) != max(seconds):
            raise DataError(
                f"The task {task!r} of {worker} took {min(seconds):g} and {max(seconds):g} seconds; the time is "
                "that of the whole task and the same in all its rows."
            )
        hasty.setdefault(worker, []).append(seconds[0] < seconds_per_segment * len(seconds))
        times.setdefault(worker, []).append(seconds[0])
    return {w: sum(own) / len(own) for w, own in hasty.items()}, {w: median(own) for w, own in times.items()}


def _gloss(lines: Sequence[_Line], glosses: Mapping[str, str] | None) -> dict[str, float]:
    comparable = [line for line in lines if glosses is not None and line.segment in glosses]
    far = _far_segments(list(dict.fromkeys(line.segment for line in comparable)))
    if glosses is None or len(far) < 2:
        return {}
    texts = [glosses[line.segment] for line in comparable]
    chance = fmean(_likeness([line.text for line in comparable], [glosses[far[line.segment]] for line in comparable]))
    shares: dict[str, list[float]] = {}
    for line, value in zip(comparable, _likeness([line.text for line in comparable], texts), strict=True):
        shares.setdefault(line.worker, []).append(value - chance)
    return {worker: fmean(values) for worker, values in shares.items()}


def _elsewhere(table: Judgements) -> dict[str, float]:
    marks: dict[str, list[bool]] = {}
    for row in table.rows():
        if row["said_country"] is not None and row["seen_country"] is not None:
            marks.setdefault(str(row["annotator"]), []).append(row["said_country"] != row["seen_country"])
    return {worker: sum(own) / len(own) for worker, own in marks.items()}


def _won(votes: Votes | None) -> dict[str, float]:
    wins: dict[str, list[float]] = {}
    for each in votes.segments if votes is not None else ():
        total = sum(each.votes)
        if total and each.translators:
            for translator, own in zip(each.translators, each.votes, strict=True):
                wins.setdefault(translator, []).append(own / total * len(each.votes))
    return {worker: fmean(shares) for worker, shares in wins.items()}


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def monotone_gloss(source: str, dictionary: Mapping[str, str], *, longest: int = 4) -> str:
    """A word-for-word rendering in source order: at each place the longest entry of the dictionary, else the word.

    Words are parted by white space; entries are looked up as they stand, then in lower case.
    """
    words = source.split()
    out: list[str] = []
    place = 0
    while place < len(words):
        for size in range(min(longest, len(words) - place), 0, -1):
            phrase = " ".join(words[place : place + size])
            entry = dictionary.get(phrase) or dictionary.get(phrase.lower())
            if entry is not None:
                out.append(entry)
                place += size
                break
        else:
            out.append(words[place])
            place += 1
    return " ".join(out)


def analyse_translations(judgements: Judgements) -> Analysis:
    """The review sheet of the translators, by what can be told from the translations alone."""
    return PartsAnalysis("crowd-translation", {"Translators": review_workers(judgements)})
