"""What is in a file of judgements: the kind, who judged, what was judged, what was left blank, what is odd."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from dragoman.data.judgements.base import JudgementFile, Judgements
from dragoman.data.judgements.kinds import JUDGEMENT_KINDS, JudgementKind
from dragoman.data.judgements.reading import concatenated, read_judgements
from dragoman.data.judgements.spans import ERROR_SPANS, looks
from dragoman.errors import FormatError, MendedInput
from dragoman.files import StrPath
from dragoman.report import Result, Table

__all__ = ["JudgementSummary", "find_oddities", "summarise_judgements"]


@dataclass(frozen=True)
class JudgementSummary(Result):
    """Counts of a table of judgements, by language pair where it has languages."""

    kind: ClassVar[str] = "judgement-summary"

    judgement_kind: str
    rows: tuple[tuple[str | None, int, int, int, int, int], ...]
    files: tuple[JudgementFile, ...]

    def tables(self) -> list[Table]:
        """A row a language pair, then the files."""
        columns = ["kind", "pair", "judgements", "annotators", "systems", "segments", "blanks"]
        mended = any(file.mended for file in self.files)
        files = [
            (file.path, file.format, file.rows, file.dropped, *([file.mended] if mended else [])) for file in self.files
        ]
        return [
            Table.of("Judgements", columns, [(self.judgement_kind, *row) for row in self.rows]),
            Table.of("Files", ["file", "format", "rows", "dropped", *(["mended"] if mended else [])], files),
        ]

    def meta(self) -> dict[str, Any]:
        """Where the judgements come from."""
        return {"files": [file.to_dict() for file in self.files]}


def summarise_judgements(judgements: Judgements) -> JudgementSummary:
    """How many judgements there are, by how many annotators, of how many systems and segments, how many blank."""
    kind: type[JudgementKind] = JudgementKind
    if judgements.kind in JUDGEMENT_KINDS:
        kind = JUDGEMENT_KINDS.get(judgements.kind)
    rows: list[tuple[str | None, int, int, int, int, int]] = [_counts(None, judgements, kind)]
    if {"source_lang", "target_lang"} <= set(judgements.columns):
        languages = zip(judgements["source_lang"], judgements["target_lang"], strict=True)
        pairs = [pair for pair in dict.fromkeys(languages) if None not in pair]
        if pairs:
            rows = [
                _counts(f"{source}-{target}", judgements.where(source_lang=source, target_lang=target), kind)
                for source, target in pairs
            ]
    return JudgementSummary(judgements.kind, tuple(rows), judgements.files)


def _counts(
    pair: str | None, judgements: Judgements, kind: type[JudgementKind]
) -> tuple[str | None, int, int, int, int, int]:
    def different(name: str) -> int:
        return len(set(judgements.coded(name)[1]) - {None}) if name in judgements.columns else 0

    place = next((name for name in ("segment", "excerpt") if name in judgements.columns), "sentence")
    n_systems, n_blanks = len(kind.systems(judgements)), kind.blanks(judgements)
    judged = looks(judgements) if judgements.kind == ERROR_SPANS.kind else judgements
    return pair, len(judged), different("annotator"), n_systems, different(place), n_blanks


def find_oddities(
    paths: Sequence[StrPath],
    *,
    format: str | None = None,  # noqa: A002 - the word of the command line
) -> tuple[Judgements, list[tuple[str, Literal["error", "warning", "note"], str]]]:
    """The good rows of files, and what is odd about them: (check, severity, what)."""
    oddities: list[tuple[str, Literal["error", "warning", "note"], str]] = []
    tables = []
    with warnings.catch_warnings(record=True) as mended:
        warnings.simplefilter("always", MendedInput)
        for path in paths:
            try:
                tables.append(read_judgements(path, format=format))
            except FormatError as error:
                if error.line is None or error.line <= 1:
                    raise  # not even the head can be read
                tables.append(read_judgements(path, format=format, on_bad="drop"))
                oddities.append(("wrong-rows", "error", f"{tables[-1].n_dropped} rows are wrong; the first: {error}"))
    oddities += [("mended-rows", "error", str(each.message)) for each in mended]
    judgements = tables[0]
    if len(tables) > 1:
        judgements = concatenated(tables)
    twice = len(judgements) - len(judgements.latest())
    if twice:
        oddities.append(
            ("repeated-keys", "warning", f"{twice} rows are replaced by later ones of the same annotator and item.")
        )
    if "annotator" in judgements.columns:
        single = [str(name) for name, n in Counter(judgements["annotator"]).items() if n == 1 and name is not None]
        if single:
            some = ", ".join(single[:5]) + (" …" if len(single) > 5 else "")
            oddities.append(("single-judgement", "note", f"{len(single)} annotators have one judgement only: {some}"))
    summary = summarise_judgements(judgements)
    for pair, n, annotators, systems, segments, blanks in summary.rows:
        where = f" {pair}" if pair else ""
        oddities.append(
            (
                "content",
                "note",
                f"{summary.judgement_kind}{where}: {n} judgements by {annotators} annotators of {systems} systems on "
                f"{segments} segments, {blanks} blank.",
            )
        )
    return judgements, oddities
