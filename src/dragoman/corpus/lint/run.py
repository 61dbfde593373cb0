"""Running the checks, and what they found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

from dragoman.corpus.lint.base import CHECKS, SEVERITIES, Check, Finding, Material, Severity, TextStream
from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.report import Column, Result, Table

__all__ = ["LintReport", "lint", "lint_judgements"]

_RUN = 50_000  # pairs of a bitext that are looked at together


@dataclass(frozen=True)
class LintReport(Result):
    """Findings, the gravest first. `counts` are of all; `findings` holds at most `limit` for each check and stream."""

    kind: ClassVar[str] = "lint"

    findings: tuple[Finding, ...]
    counts: Mapping[str, int]  # by check
    severities: Mapping[str, int]
    skipped: Mapping[str, str]  # check → why it was not made
    segments: int
    streams: int
    limit: int | None = field(default=None)

    def __post_init__(self) -> None:
        for name in ("counts", "severities", "skipped"):
            object.__setattr__(self, name, MappingProxyType(dict(getattr(self, name))))

    @property
    def is_clean(self) -> bool:
        """True if nothing was found but notes."""
        return not self.severities["error"] and not self.severities["warning"]

    def tables(self) -> list[Table]:
        """The findings, then how often each check found something."""
        rows = [(f.check, f.severity, f.stream, f.segment, f.detail) for f in self.findings]
        total = sum(self.counts.values())
        shown = "" if len(rows) == total else f"{len(rows)} of {total} findings are shown. "
        passed_over = "".join(f"Not looked for: {name} ({why}). " for name, why in self.skipped.items())
        summary = ", ".join(f"{count} {name}{'s' * (count != 1)}" for name, count in self.severities.items())
        note = f"{summary} in {self.segments} segments of {self.streams} streams. {shown}{passed_over}".rstrip()
        severe = Column("severity", tones={"error": "bad", "warning": "beware"})
        columns: list[Column | str] = ["check", severe, "stream", "segment", Column("detail", is_text=True)]
        severity = {f.check: f.severity for f in self.findings}
        counts = [(name, severity[name], count) for name, count in self.counts.items() if count]
        by_check = [Table.of("Findings by check", ["check", severe, "findings"], counts)] if counts else []
        return [Table.of("Lint", columns, rows, note=note), *by_check]

    def meta(self) -> dict[str, Any]:
        """All counts, and what was not looked for."""
        return {
            "counts": dict(self.counts),
            "severities": dict(self.severities),
            "skipped": dict(self.skipped),
            "segments": self.segments,
            "streams": self.streams,
            "limit": self.limit,
        }


def lint(
    data: TestSet | Bitext, *, checks: Sequence[Check | str] | None = None, limit: int | None = None, n_threads: int = 1
) -> LintReport:
    """Look a test set or a bitext over with all checks, or with those named.

    A bitext is looked at in runs of 50,000 pairs: duplicates, typical lengths and the habits of a stream are those of a
    run, and what is said of a whole stream is said once.
    """
    if limit is not None and limit < 1:
        raise DataError(f"At least one finding a check is shown, got limit={limit}.")
    chosen = [CHECKS.make(each) if isinstance(each, str) else each for each in checks or CHECKS.names()]
    tally = _Tally(limit)
    segments = n_streams = 0
    for start, material in _materials(data, n_threads):
        segments += len(material)
        n_streams = len(material.streams)
        for check in chosen:
            why = check.skipped(material)
            if why is None:
                tally.looked.add(check.name)
                for finding in check.find(material):
                    tally.add(finding, start)
            else:
                tally.skipped.setdefault(check.name, why)
    return tally.report(chosen, segments=segments, streams=n_streams)


def lint_judgements(
    paths: Sequence[StrPath],
    *,
    format: str | None = None,  # noqa: A002 - the word of the command line
) -> LintReport:
    """Look files of judgements over: what is wrong with their rows, what is odd, and what there is."""
    from dragoman.data.judgements.summary import find_oddities

    judgements, oddities = find_oddities(paths, format=format)
    names = ", ".join(Path(path).name for path in paths)
    order = {severity: number for number, severity in enumerate(SEVERITIES)}
    findings = [Finding(check, severity, names, None, detail) for check, severity, detail in oddities]
    severities = Counter(finding.severity for finding in findings)
    return LintReport(
        findings=tuple(sorted(findings, key=lambda finding: order[finding.severity])),
        counts=Counter(finding.check for finding in findings),
        severities={severity: severities[severity] for severity in SEVERITIES},
        skipped={},
        segments=len(judgements),
        streams=len(paths),
    )


def _materials(data: TestSet | Bitext, n_threads: int) -> Iterator[tuple[int, Material]]:
    """What the checks are shown, each with the place of its first segment."""
    if isinstance(data, Bitext):
        for batch in data.batches(_RUN):
            srcs = TextStream("source", batch.srcs, lang=data.source_lang, n_threads=n_threads)
            tgts = TextStream("target", batch.tgts, lang=data.target_lang, n_threads=n_threads)
            yield batch.start, Material(srcs, (tgts,))
        return

    def stream(name: str, lines: Sequence[str | None], lang: str | None) -> TextStream:
        return TextStream(name, lines, lang=lang, n_threads=n_threads)

    source = None if data.srcs is None else stream("srcs", data.srcs, data.source_lang)
    refs = [stream(f"refs[{name}]", lines, data.target_lang) for name, lines in data.refs.items()]
    systems = [stream(f"systems[{name}]", lines, data.target_lang) for name, lines in data.systems.items()]
    yield 0, Material(source, (*refs, *systems))


class _Tally:
    """Findings as they come, those beyond the limit only counted."""

    def __init__(self, limit: int | None) -> None:
        self.looked: set[str] = set()
        self.skipped: dict[str, str] = {}
        self._limit = limit
        self._kept: list[Finding] = []
        self._counts: Counter[str] = Counter()
        self._severities: Counter[Severity] = Counter()
        self._in_stream: Counter[tuple[str, str]] = Counter()
        self._said: set[tuple[str, str]] = set()  # of whole streams

    def add(self, finding: Finding, start: int) -> None:
        place = (finding.check, finding.stream)
        if finding.segment is None:
            if place in self._said and start > 0:
                return
            self._said.add(place)
        else:
            finding = replace(finding, segment=finding.segment + start)
        self._counts[finding.check] += 1
        self._severities[finding.severity] += 1
        self._in_stream[place] += 1
        if self._limit is None or self._in_stream[place] <= self._limit:
            self._kept.append(finding)

    def report(self, checks: Sequence[Check], *, segments: int, streams: int) -> LintReport:
        order = {severity: number for number, severity in enumerate(SEVERITIES)}
        return LintReport(
            findings=tuple(sorted(self._kept, key=lambda finding: order[finding.severity])),
            counts={check.name: self._counts[check.name] for check in checks if check.name in self.looked},
            severities={severity: self._severities[severity] for severity in SEVERITIES},
            skipped={name: why for name, why in self.skipped.items() if name not in self.looked},
            segments=segments,
            streams=streams,
            limit=self._limit,
        )
