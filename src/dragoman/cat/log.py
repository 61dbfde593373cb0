"""The edit log: what each segment cost, slowest first, and what that says of the whole project.

After MateCat (Federico et al., COLING 2014): seconds per word of the source; post-editing effort, which is how much of
the suggestion was changed, in per cent; segments quicker than a quarter of a second a word, or slower than thirty, say
nothing of translating and are left out of the averages, which are weighted by words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.cat.effort import hters
from dragoman.cat.segments import plain
from dragoman.cat.work import SegmentWork, fold_work
from dragoman.report import Column, Result, Table
from dragoman.spreadsheets import spreadsheet_cell
from dragoman.store.translating.history import Logged

__all__ = ["EditLog", "EditedSegment", "edit_log"]

_FASTEST, _SLOWEST = 0.25, 30.0  # seconds a word; both themselves are outside
_DAY = 8 * 3600.0  # seconds
_N_SUGGESTIONS = 3


@dataclass(frozen=True)
class EditedSegment:
    """A segment that was worked on."""

    segment: int
    place: int
    job: int | None
    user: str | None
    words: int
    seconds: float
    effort: int | None  # in per cent of the suggestion; None if there was none
    edits: int  # words of the suggestion changed, shifts counting one
    hter: float | None
    source: str
    target: str
    state: str
    suggestion: Mapping[str, Any] | None
    suggestions: tuple[Mapping[str, Any], ...]
    keys: int
    clicks: int
    typed_words: int | None  # None if the record of keys is not whole
    pauses: int
    pause_seconds: float

    @property
    def seconds_per_word(self) -> float:
        """Time to edit by words of the source."""
        return self.seconds / self.words

    @property
    def is_valid(self) -> bool:
        """Whether the time is one of translating."""
        return _FASTEST < self.seconds_per_word < _SLOWEST

    @property
    def origin(self) -> str | None:
        """MT or TM, of the suggestion that was edited."""
        return None if self.suggestion is None else str(self.suggestion.get("kind", ""))


@dataclass(frozen=True)
class EditLog(Result):
    """The segments that were worked on, slowest first."""

    kind: ClassVar[str] = "edit log"

    segments: tuple[EditedSegment, ...]

    def tables(self) -> list[Table]:
        """One row per segment."""
        columns = [
            *map(Column, ("segment", "place", "user", "state", "words")),
            Column("seconds", digits=1),
            Column("seconds_per_word", digits=2),
            Column("valid"),
            *map(Column, ("origin", "match", "effort", "edits")),
            Column("hter", digits=3),
            *map(Column, ("keys", "clicks", "typed_words", "pauses")),
            Column("pause_seconds", digits=1),
            *(Column(name, is_text=True) for name in ("source", "suggestion", "target")),
        ]
        return [Table.of("Edit log", columns, [_row(each) for each in self.segments])]

    def meta(self) -> dict[str, Any]:
        """What holds of the whole."""
        return self.totals()

    def totals(self) -> dict[str, Any]:
        """Averages weighted by words; rates of keys and mouse actions per hundred characters, WSR per hundred words."""
        words = sum(each.words for each in self.segments)
        valid = [each for each in self.segments if each.is_valid]
        pace = _ratio(sum(each.seconds for each in valid), sum(each.words for each in valid))
        rated = [each for each in self.segments if each.effort is not None]
        with_origin = [each for each in self.segments if each.suggestions]
        typed = [each for each in self.segments if each.typed_words is not None]
        chars = sum(len(plain(each.target)) for each in self.segments)
        keys, clicks = (sum(getattr(each, name) for each in self.segments) for name in ("keys", "clicks"))
        hters = [(each.hter, len(each.target.split())) for each in self.segments if each.hter is not None]
        return {
            "segments": len(self.segments),
            "words": words,
            "valid_segments": len(valid),
            "valid_words": sum(each.words for each in valid),
            "too_slow_words": _share(self.segments, lambda each: each.seconds_per_word >= _SLOWEST, words),
            "too_fast_words": _share(self.segments, lambda each: each.seconds_per_word <= _FASTEST, words),
            "seconds_per_word": pace,
            "words_per_day": None if not pace else _DAY / pace,
            "effort": _ratio(sum(each.words * (each.effort or 0) for each in rated), sum(e.words for e in rated)),
            "top_mt": _ratio(sum(each.suggestions[0].get("kind") == "MT" for each in with_origin), len(with_origin)),
            "top_tm": _ratio(sum(each.suggestions[0].get("kind") == "TM" for each in with_origin), len(with_origin)),
            "ksr": _ratio(100 * keys, chars),
            "mar": _ratio(100 * clicks, chars),
            "ksmr": _ratio(100 * (keys + clicks), chars),
            "wsr": _ratio(
                100 * sum(each.typed_words or 0 for each in typed), sum(len(each.target.split()) for each in typed)
            ),
            "hter": _ratio(sum(value * n for value, n in hters), sum(n for _, n in hters)),
            "pauses": sum(each.pauses for each in self.segments),
            "pause_seconds": sum(each.pause_seconds for each in self.segments),
        }

    def csv(self) -> str:
        """MateCat's table: separated by semicolons, a line for each segment."""
        head = [
            *("Job ID", "Segment ID", "Suggestion Source", "Words", "Match percentage", "Time-to-edit"),
            *("Post-editing effort", "Segment", "Suggestion", "Translation", "ID translator"),
        ]
        for k in range(1, _N_SUGGESTIONS + 1):
            head += [f"Suggestion{k}-{what}" for what in ("source", "translation", "match", "origin")]
        lines = [head, *(_csv_row(each) for each in self.segments)]
        return "".join(";".join(map(_quoted, line)) + "\n" for line in lines)


def edit_log(
    events: Sequence[Logged],
    segments: Sequence[Mapping[str, Any]],
    *,
    jobs: Sequence[tuple[int, str, str, int, int]] = (),
    similarity: Callable[[str, str], float],
) -> EditLog:
    """The edit log from the events of a project and its segments as they stand.

    `jobs` are (number, user, role, first, last); `similarity` is the memories' fuzzy score, from 0 to 1.
    """
    work = fold_work(events)
    rows = [row for row in segments if _was_worked_on(work.get(row["id"]))]
    chosen = [_chosen(work[row["id"]]) for row in rows]
    finals = [plain(row["target"] or "") for row in rows]
    scores = hters([plain(str((each or {}).get("text", ""))) for each in chosen], finals)
    edited = []
    for row, suggestion, final, (value, edits) in zip(rows, chosen, finals, scores, strict=True):
        own = work[row["id"]]
        effort = None
        if suggestion is not None:
            effort = min(100, max(0, round(100 * (1 - similarity(plain(str(suggestion["text"])), final)))))
        edited.append(
            EditedSegment(
                segment=row["id"],
                place=row["place"],
                job=next((job[0] for job in jobs if job[1] == own.user and job[3] <= row["place"] <= job[4]), None),
                user=own.user,
                words=row["words"],
                seconds=own.milliseconds / 1000,
                effort=effort,
                edits=edits if suggestion is not None else 0,
                hter=value if suggestion is not None else None,
                source=row["source"],
                target=row["target"] or "",
                state=row["state"],
                suggestion=suggestion,
                suggestions=tuple(own.suggestions[:_N_SUGGESTIONS]),
                keys=own.keys,
                clicks=own.clicks,
                typed_words=own.draft.typed_words if own.draft.is_record_of(row["target"] or "") else None,
                pauses=own.pauses,
                pause_seconds=own.pause_milliseconds / 1000,
            )
        )
    return EditLog(tuple(sorted(edited, key=lambda each: (-each.seconds_per_word, each.place))))


def _was_worked_on(own: SegmentWork | None) -> bool:
    return own is not None and (own.user is not None or own.milliseconds > 0)


def _chosen(own: SegmentWork) -> Mapping[str, Any] | None:
    """The suggestion that was edited; one without a text is none."""
    return own.suggestion if own.suggestion is not None and isinstance(own.suggestion.get("text"), str) else None


def _ratio(part: float, whole: float) -> float | None:
    return part / whole if whole else None


def _share(segments: Sequence[EditedSegment], holds: Callable[[EditedSegment], bool], words: int) -> float | None:
    return _ratio(sum(each.words for each in segments if holds(each)), words)


def _row(each: EditedSegment) -> tuple[Any, ...]:
    suggestion = each.suggestion or {}
    return (
        *(each.segment, each.place, each.user, each.state, each.words),
        *(each.seconds, each.seconds_per_word, each.is_valid),
        *(each.origin, _number(suggestion.get("score")), each.effort, each.edits, each.hter),
        *(each.keys, each.clicks, each.typed_words, each.pauses, each.pause_seconds),
        *(each.source, suggestion.get("text"), each.target),
    )


def _csv_row(each: EditedSegment) -> list[str]:
    suggestion = each.suggestion or {}
    cells: list[Any] = [
        *(each.job, each.segment, suggestion.get("name"), each.words, _number(suggestion.get("score"))),
        *(round(1000 * each.seconds), each.effort, each.source, suggestion.get("text"), each.target, each.user),
    ]
    for k in range(_N_SUGGESTIONS):
        other = each.suggestions[k] if k < len(each.suggestions) else {}
        cells += [other.get("source"), other.get("text"), _number(other.get("score")), other.get("kind")]
    return ["" if cell is None else spreadsheet_cell(cell) if isinstance(cell, str) else str(cell) for cell in cells]


def _number(value: Any) -> float | int | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _quoted(cell: str) -> str:
    return '"' + cell.replace('"', '""') + '"' if re.search(r'[";\r\n]', cell) else cell
