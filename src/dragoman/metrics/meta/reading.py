"""Score files of metrics and people: one's own tables, those of the WMT metrics tasks, WMT rankings.

A table has a header line and tabs, commas or blanks between cells. *Long*: a column `score` (or `human`), `system`, and
where they apply `metric`, `segment` (from 1; a column `SID` counts from 0, as WMT's direct assessments do) and `pair`
(or `LP`). *Wide*: `system`, perhaps `segment` and `pair`, and one column for each metric. What `dragoman score --form
tsv` writes is long. A file without a header is WMT's (metric, pair, test set, system, perhaps segment, score) or
mt-metrics-eval's (system and score; of segments in their order, one system after the other).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import fspath
from typing import Any, cast

from dragoman.data.assemble import metric_name
from dragoman.data.comparisons import judged_pairs
from dragoman.data.formats.base import FORMATS
from dragoman.data.formats.csv import split_rows
from dragoman.data.judgements import Judgements, Value, read_judgements
from dragoman.data.judgements.reading import judgement_formats
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, read_lines, read_text
from dragoman.metrics.meta.inputs import Entry, HumanRankings, MetaLevel
from dragoman.notation import whole_number
from dragoman.spreadsheets import plain_cell
from dragoman.text.languages import pair_among

__all__ = [
    "REFERENCES",
    "ScoreFile",
    "assessments_of",
    "rankings_of",
    "read_judged",
    "read_rankings",
    "read_score_file",
]

# Reference translations that stood among the systems in WMT's rankings of 2010 to 2012.
REFERENCES = ("_ref",)

_NO_SCORE = {"", "none", "n/a", "na", "nan", "-", "–"}
_ROLES = {
    "metric": "metric",
    "scorer": "metric",
    "lp": "pair",
    "pair": "pair",
    "testset": "test_set",
    "test_set": "test_set",
    "system": "system",
    "sys": "system",
    "segment": "segment",
    "seg": "segment",
    "sid": "sid",
    "score": "score",
    "human": "score",
    "signature": "other",
    "low": "other",
    "high": "other",
}
_WMT = {
    5: ("metric", "pair", "test_set", "system", "score"),
    6: ("metric", "pair", "test_set", "system", "segment", "score"),
}
_MOST_SEGMENTS = 10_000_000


@dataclass(frozen=True)
class ScoreFile:
    """What stood in a score file: language pair ("" if none is named) → metric → system → score or scores."""

    path: str
    level: MetaLevel
    scores: Mapping[str, Mapping[str, Mapping[str, Entry]]]
    n_scores: int
    test_sets: tuple[str, ...] = ()


def read_score_file(argument: StrPath) -> ScoreFile:
    """Read `PATH` or `NAME=PATH`; the name is the metric's where the file does not say."""
    text = fspath(argument)
    name, equals, path = text.partition("=")
    if not equals or "/" in name:
        name, path = "", text
    default = name or metric_name(path)
    rows = _rows(path)
    number, header = next(rows, (1, []))
    roles = [_ROLES.get(cell.strip().lower(), "") for cell in header]
    if "system" in roles:
        table = _Table(path, header, roles, default)
        table.check()
    elif len(header) == 2 and _is_score_or_none(header[1]):
        table = _Table(path, ["system", "score"], ["system", "score"], default, in_order=True)
        table.add(number, header)
    elif len(header) in _WMT and _is_score(header[-1]):
        table = _Table(path, list(_WMT[len(header)]), list(_WMT[len(header)]), default)
        table.add(number, header)
    else:
        raise FormatError(
            "expected a header line with the column 'system', or the columns of WMT (metric, pair, test set, system, "
            f"perhaps segment, score) or of mt-metrics-eval (system, score); got {' '.join(header)[:60]!r}.",
            path=path,
            line=1,
        )
    for number, cells in rows:
        table.add(number, cells)
    return table.result()


class _Table:
    """The scores of one file as they come in."""

    def __init__(self, path: str, header: list[str], roles: list[str], default: str, *, in_order: bool = False) -> None:
        self.in_order = in_order  # a further score of a system is of its next segment
        self.path, self.header, self.roles, self.default = path, header, roles, default
        self.place = {role: n for n, role in enumerate(roles) if role and role != "other"}
        self.wide = [n for n, role in enumerate(roles) if not role] if "score" not in roles else []
        self.segments = "sid" if "sid" in roles else "segment" if "segment" in roles else None
        self.scores: dict[str, dict[str, dict[str, dict[int, float]]]] = {}
        self.test_sets: dict[str, None] = {}
        self.n_scores = 0

    def check(self) -> None:
        """Refuse a header from which scores cannot be told."""
        twice = sorted({role for role in self.roles if role and role != "other" and self.roles.count(role) > 1})
        if twice:
            raise FormatError(f"two columns say the {' and the '.join(twice)}.", path=self.path, line=1)
        if "score" not in self.roles and not self.wide:
            raise FormatError("there is no column of scores.", path=self.path, line=1)
        if "score" not in self.roles and "metric" in self.roles:
            raise FormatError(
                "there is a column 'metric' but none 'score'; a table has one row or one column a metric.",
                path=self.path,
                line=1,
            )

    def add(self, number: int, cells: list[str]) -> None:
        """One row."""
        if len(cells) != len(self.header):
            raise FormatError(
                f"the line has {len(cells)} cells for {len(self.header)} columns.", path=self.path, line=number
            )
        system = cells[self.place["system"]].strip()
        if not system:
            raise FormatError("the system has no name.", path=self.path, line=number)
        pair = cells[self.place["pair"]].strip() if "pair" in self.place else ""
        if "test_set" in self.place:
            self.test_sets[cells[self.place["test_set"]].strip()] = None
        own = self.scores.get(pair, {}).get(self.default, {}).get(system, {}) if self.in_order else {}
        segment = len(own) + 1 if self.in_order else self._segment(number, cells)
        if self.wide:
            columns = [(self.header[n].strip(), cells[n]) for n in self.wide]
        else:
            metric = cells[self.place["metric"]].strip() if "metric" in self.place else self.default
            columns = [(metric, cells[self.place["score"]])]
        for metric, cell in columns:
            own = self.scores.setdefault(pair, {}).setdefault(metric, {}).setdefault(system, {})
            if segment in own:
                where = f" for segment {segment}" if self.segments else ""
                raise FormatError(f"{metric} has a second score of {system!r}{where}.", path=self.path, line=number)
            own[segment] = self._score(number, cell)

    def _segment(self, number: int, cells: list[str]) -> int:
        if self.segments is None:
            return 1
        cell = cells[self.place[self.segments]].strip()
        first = 0 if self.segments == "sid" else 1
        segment = whole_number(cell)
        if segment is None or not first <= segment <= _MOST_SEGMENTS:
            raise FormatError(
                f"the segment is {cell[:40]!r}; expected a whole number from {first} on.", path=self.path, line=number
            )
        return segment + 1 - first

    def _score(self, number: int, cell: str) -> float:
        if cell.strip().lower() in _NO_SCORE:
            return math.nan
        if not _is_score(cell):
            raise FormatError(f"the score is {cell!r}; expected a number, or nothing.", path=self.path, line=number)
        self.n_scores += 1
        return float(cell)

    def result(self) -> ScoreFile:
        """The scores, as one number or as lists of one length with None where a segment has none."""
        if not self.n_scores:
            raise FormatError("there is no score in the file.", path=self.path)
        if self.in_order:
            self._check_blocks()
        every = (
            segment for pair in self.scores.values() for own in pair.values() for of in own.values() for segment in of
        )
        n = max(every)
        scores: dict[str, dict[str, dict[str, Entry]]] = {}
        for pair, metrics in self.scores.items():
            scores[pair] = {
                metric: {system: self._entry(entries, n) for system, entries in systems.items()}
                for metric, systems in metrics.items()
            }
        level: MetaLevel = "seg" if self.segments else "sys"
        return ScoreFile(self.path, level, scores, self.n_scores, tuple(self.test_sets))

    def _check_blocks(self) -> None:
        """Scores in their order are of segments if a system has several; then every system has as many."""
        counts = {system: len(entries) for system, entries in self.scores[""][self.default].items()}
        if max(counts.values()) > 1:
            self.segments = "segment"
            few, most = min(counts, key=lambda system: counts[system]), max(counts.values())
            if counts[few] < most:
                raise FormatError(
                    f"{few!r} has {counts[few]} scores, others have {most}; every segment needs a line.", path=self.path
                )

    def _entry(self, entries: Mapping[int, float], n: int) -> Entry:
        if not self.segments:
            return None if math.isnan(entries[1]) else entries[1]
        return [entries.get(segment, math.nan) for segment in range(1, n + 1)]


def read_judged(path: StrPath) -> Judgements | None:
    """The judgements in a file of any known format of them; None if it is none, such as a table of scores."""
    is_known = any(FORMATS.get(name).recognises(path) for name in judgement_formats())
    return read_judgements(path) if is_known else None


def read_rankings(
    path: StrPath, *, pair: str | None = None, leave_out: tuple[str, ...] = REFERENCES
) -> dict[str, HumanRankings] | None:
    """The relative rankings in a file, by language pair; None if the file is something else."""
    judgements = read_judged(path)
    if judgements is None or judgements.kind != "relative-ranking":
        return None
    return rankings_of(judgements, fspath(path), pair=pair, leave_out=leave_out)


def rankings_of(
    judgements: Judgements, path: str, *, pair: str | None, leave_out: tuple[str, ...]
) -> dict[str, HumanRankings]:
    """Relative rankings by language pair, or those of one pair."""
    pairs = judged_pairs(judgements)
    judged = pairs if pair is None else [pair_among(pair, pairs)]
    if None in judged:
        raise DataError(f"{path} has no judgement of {pair!r}. Judged: {', '.join(pairs)}.")
    origin = {"human": path, **_dropped(judgements)}
    return {
        each: HumanRankings.of(judgements, pair=each, leave_out=leave_out, provenance=origin) for each in judged if each
    }


def assessments_of(judgements: Judgements, path: str) -> dict[str, tuple[dict[str, Entry], dict[str, Any]]]:
    """The mean direct assessment of each translation by language pair ("" if none is named) and what went into it.

    Only outputs of systems count (type `TGT` or none), not references, degraded or repeated items, and of two
    attributes adequacy. Scores are means of the raw scores of all annotators: quality control and standardisation come
    before, in the analysis of a campaign.
    """
    by_pair: dict[str, dict[str, dict[int, list[float]]]] = {}
    annotators: dict[str, set[Value]] = {}
    for row in judgements.rows():
        wanted = row["type"] in (None, "TGT") and row.get("attribute") in (None, "adequacy")
        if not wanted or row["score"] is None:
            continue
        pair = "-".join(str(row[side]) for side in ("source_lang", "target_lang") if row.get(side) is not None)
        own = by_pair.setdefault(pair, {}).setdefault(str(row["system"]), {})
        own.setdefault(cast(int, row["segment"]), []).append(float(cast(float, row["score"])))
        annotators.setdefault(pair, set()).add(row["annotator"])
    if not by_pair:
        raise FormatError("no output of a system has a score.", path=path)
    return {
        pair: (
            _by_segment(systems, path),
            {
                "assessments": sum(len(scores) for own in systems.values() for scores in own.values()),
                "annotators": len(annotators[pair]),
                "standardised": False,
                **_dropped(judgements),
            },
        )
        for pair, systems in by_pair.items()
    }


def _by_segment(systems: Mapping[str, Mapping[int, list[float]]], path: str) -> dict[str, Entry]:
    first, last = (choose(segment for own in systems.values() for segment in own) for choose in (min, max))
    if first < 1 or last > _MOST_SEGMENTS:
        raise FormatError(f"the segments go from {first} to {last}; they are counted from 1.", path=path)
    return {
        system: [sum(own[s]) / len(own[s]) if s in own else math.nan for s in range(1, last + 1)]
        for system, own in systems.items()
    }


def _dropped(judgements: Judgements) -> dict[str, int]:
    dropped = sum(file.dropped for file in judgements.files)
    return {"dropped": dropped} if dropped else {}


def _rows(path: StrPath) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table with the lines they begin on; the first line tells what stands between cells."""
    lines = read_lines(path)
    if not lines:
        raise FormatError("the file is empty; a header line was expected.", path=path)
    if "\t" in lines[0]:
        rows = ((number, line.split("\t")) for number, line in enumerate(lines, start=1) if line.strip())
        return ((number, list(map(plain_cell, cells))) for number, cells in rows)
    if "," in lines[0]:
        return ((number, list(map(plain_cell, cells))) for number, cells in split_rows(read_text(path), path))
    return ((number, line.split()) for number, line in enumerate(lines, start=1) if line.strip())


def _is_score_or_none(cell: str) -> bool:
    return cell == "None" or _is_score(cell)


def _is_score(cell: str) -> bool:
    try:
        return math.isfinite(float(cell))
    except ValueError:
        return False
