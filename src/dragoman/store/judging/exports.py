"""Judgements of a campaign as files. `FORMS` is the table that further forms are added to."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import sqlalchemy as sa

from dragoman.data import FORMATS
from dragoman.data.formats.mtme import pair_name
from dragoman.data.formats.mtme_scores import Scores, write_scores
from dragoman.data.judgements import Judgements
from dragoman.data.judgements.own import JudgementTable
from dragoman.data.judgements.records import JudgementLines, JudgementParquet
from dragoman.errors import DataError, UnknownName
from dragoman.files import write_lines
from dragoman.human.direct_assessment.analysis import DirectAnalysis
from dragoman.human.direct_assessment.scores import SegmentScore
from dragoman.human.error_spans import SpanAnalysis
from dragoman.human.parts import PartsAnalysis
from dragoman.human.protocol import Protocol
from dragoman.human.scales import ScaleAnalysis
from dragoman.report import Column, Table
from dragoman.report.result import Result
from dragoman.store.judging.appraise import APPRAISE_PROTOCOLS, appraise_campaign
from dragoman.store.judging.archive import write_archive
from dragoman.store.judging.campaigns import Campaign, find_campaign, material_of
from dragoman.store.judging.pearmut import PEARMUT_PROTOCOLS, pearmut_campaign, pearmut_lines
from dragoman.store.judging.results import campaign_judgements
from dragoman.store.judging.zips import zipped

__all__ = ["FORMS", "ExportForms", "Form", "Sheet", "export_campaign", "list_forms"]


@dataclass(frozen=True)
class Form:
    """A form of export: its file's suffix, its media type, what it is, and for which kinds of judgement.

    `kinds` is empty for all; else a kind has the name of the file format that holds it, or "" for one of our own.
    """

    suffix: str
    media_type: str
    text: str
    write: Callable[[_Content, Path], None]
    kinds: dict[str, str] | None = None
    protocols: Collection[str] | None = None  # where not every protocol of those kinds fits

    def fits(self, protocol: Protocol) -> bool:
        """Whether what a protocol asks has a place in it."""
        is_held = self.kinds is None or protocol.schema.kind in self.kinds
        return is_held and (self.protocols is None or protocol.name in self.protocols)


@dataclass(frozen=True)
class _Content:
    """What is exported, and where it comes from."""

    connection: sa.Connection
    campaign: Campaign
    form: str
    excluded: bool
    raw: bool = False  # cells as they are, also those that spreadsheets take for formulas
    changed: Judgements | None = None  # what takes the place of the campaign's own

    @cached_property
    def judgements(self) -> Judgements:
        """What was said; made when a form asks for it, which the archive does not."""
        if self.changed is not None:
            return self.changed
        return campaign_judgements(self.connection, self.campaign.name, excluded=self.excluded)


@dataclass(frozen=True)
class Sheet:
    """An export as a file to hand out."""

    name: str
    media_type: str
    content: bytes


def _by_format(content: _Content, path: Path) -> None:
    kinds = FORMS[content.form].kinds
    if kinds is None:
        JudgementTable(raw=content.raw).write(_without_empty(content.judgements), path)
    else:
        FORMATS.make(kinds[content.judgements.kind]).write(content.judgements, path)


def _without_empty(judgements: Judgements) -> Judgements:
    """Empty texts are missing ones in a table, which cannot tell the two apart: an output may well be empty."""
    rows = [{name: None if cell == "" else cell for name, cell in row.items()} for row in judgements.rows()]
    return Judgements.of(judgements.schema, rows)


def _lines(content: _Content, path: Path) -> None:
    if len(content.judgements):
        JudgementLines().write(content.judgements, path)
    else:
        write_lines(path, [])


def _pearmut(content: _Content, path: Path) -> None:
    write_lines(path, pearmut_lines(content.connection, content.campaign, content.judgements))


def _pearmut_campaign(content: _Content, path: Path) -> None:
    path.write_text(pearmut_campaign(content.connection, content.campaign), encoding="utf-8")


def _appraise_campaign(content: _Content, path: Path) -> None:
    path.write_bytes(appraise_campaign(content.connection, content.campaign))


def _appraise(content: _Content, path: Path) -> None:
    """Appraise marks the output alone: an error that is marked in the source alone is an omission there."""
    content = replace(content, changed=_changed(content.judgements, _in_output))
    _by_format(content, path)


def _in_output(row: dict[str, Any]) -> dict[str, Any]:
    if row.get("source_start") is None or row["start"] is not None:
        return row
    return row | {"is_omission": True}


def _mqm(content: _Content, path: Path) -> None:
    """MQM in the words of WMT's releases: severities with a capital, `No-error` twice, numbers within documents.

    Outputs of systems, each once: a table without types would add up what was marked when an output was shown again.
    """
    docs = _docs(content)
    first: dict[str, int] = {}
    for number, doc in enumerate(docs, start=1):
        first.setdefault(doc, number)

    def worded(row: dict[str, Any]) -> dict[str, Any]:
        segment = int(row["segment"])
        doc = docs[segment - 1] if docs else content.campaign.name
        place = {"doc": doc, "doc_segment": segment - first.get(doc, 1) + 1}
        if row["severity"] is None:
            return row | place | {"severity": "No-error", "category": "No-error"}
        return row | place | {"severity": str(row["severity"]).capitalize(), "category": row["category"] or "Other"}

    first_showings = [row for row in content.judgements.rows() if row["type"] in (None, "TGT")]
    once = Judgements.of(content.judgements.schema, first_showings)
    _by_format(replace(content, changed=_changed(once, worded)), path)


def _docs(content: _Content) -> list[str]:
    try:
        _, test_set = material_of(content.connection, content.campaign)
    except DataError:
        return []  # a campaign of an earlier Dragoman
    return list(test_set.docs or ())


def _changed(judgements: Judgements, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Judgements:
    if "severity" not in judgements.columns:
        return judgements
    return Judgements.of(judgements.schema, [change(dict(row)) for row in judgements.rows()])


def _parquet(content: _Content, path: Path) -> None:
    JudgementParquet().write(content.judgements, path)


def _mtme(content: _Content, path: Path) -> None:
    """Texts and human scores in the layout of mt-metrics-eval; an output that nobody judged has none."""
    _, test_set = material_of(content.connection, content.campaign)
    pair = pair_name(test_set)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / content.campaign.name
        FORMATS.make("mtme").write(test_set, folder)
        for scorer, scored in _scorers(content).items():
            for label, column in ((scorer, "raw"), (f"{scorer}_z", "z")):
                by_system: dict[str, list[float | None]] = {each: [None] * len(test_set) for each in test_set.systems}
                for each in scored:
                    by_system[each.system][each.segment - 1] = getattr(each, column)
                means = {system: [_mean(scores)] for system, scores in by_system.items()}
                write_scores(Scores(label, "seg", by_system), folder, pair)
                write_scores(Scores(label, "sys", means), folder, pair)
        files = {str(file.relative_to(name)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}
    path.write_bytes(zipped(files))


def _scorers(content: _Content) -> dict[str, tuple[SegmentScore, ...]]:
    """The scores of outputs by what gave them: the protocol, or each of its scales."""
    analysis = content.campaign.protocol.analyse(content.judgements)
    if isinstance(analysis, SpanAnalysis):
        analysis = analysis.scales
    if isinstance(analysis, PartsAnalysis):
        analysis = next((part for part in analysis.parts.values() if isinstance(part, ScaleAnalysis)), analysis)
    name = content.campaign.protocol.name.upper().replace("-", "_")
    if isinstance(analysis, ScaleAnalysis):
        return {f"{name}_{scale.name}".replace("-", "_"): scale.segments for scale in analysis.scales}
    if isinstance(analysis, DirectAnalysis):
        return {name: analysis.segments}
    raise DataError(f"An analysis of the kind {analysis.kind!r} has no scores of single outputs.")


def _mean(scores: list[float | None]) -> float | None:
    numbers = [score for score in scores if score is not None]
    return sum(numbers) / len(numbers) if numbers else None


def _archive(content: _Content, path: Path) -> None:
    path.write_bytes(write_archive(content.connection, content.campaign.name))


_ZIP = "application/zip"
_CSV = "text/csv; charset=utf-8"
_TSV = "text/tab-separated-values; charset=utf-8"
_SCORED = dict.fromkeys(("direct-assessment", "adequacy-fluency", "post-editing-effort", "error-spans"), "")

FORMS: dict[str, Form] = {
    "csv": Form(".csv", _CSV, "own table: all fields of the judgements", _by_format),
    "tsv": Form(".tsv", _TSV, "own table, with tabs", _by_format),
    "jsonl": Form(".jsonl", "application/jsonl", "own table, an object a line", _lines),
    "parquet": Form(".parquet", "application/vnd.apache.parquet", "own table with types (extra parquet)", _parquet),
    "wmt": Form(
        ".csv", _CSV, "WMT's relative rankings, a screen a row", _by_format, {"relative-ranking": "wmt-ranking"}
    ),
    "wmt-pairs": Form(
        ".pairwise.csv",
        _CSV,
        "WMT's relative rankings from 2015 on, a pair a row",
        _by_format,
        {"relative-ranking": "pairwise-ranking"},
    ),
    "appraise": Form(
        ".csv",
        _CSV,
        "as Appraise exports it",
        _appraise,
        {"direct-assessment": "appraise-da", "error-spans": "appraise-esa"},
    ),
    "appraise-campaign": Form(
        ".appraise.zip",
        _ZIP,
        "the campaign itself, for Appraise to load: manifest and batches",
        _appraise_campaign,
        dict.fromkeys(("direct-assessment", "error-spans", "relative-ranking"), ""),
        APPRAISE_PROTOCOLS,
    ),
    "appraise-xml": Form(
        ".xml", "application/xml", "Appraise's ranking tasks", _by_format, {"relative-ranking": "appraise-ranking"}
    ),
    "pearmut": Form(
        ".pearmut.jsonl",
        "application/jsonl",
        "annotations as Pearmut keeps them",
        _pearmut,
        {"direct-assessment": "", "error-spans": ""},
        PEARMUT_PROTOCOLS,
    ),
    "pearmut-campaign": Form(
        ".pearmut.json",
        "application/json",
        "the campaign itself, for Pearmut to load",
        _pearmut_campaign,
        {"direct-assessment": "", "error-spans": ""},
        PEARMUT_PROTOCOLS,
    ),
    "mqm": Form(".tsv", _TSV, "MQM table, errors marked by <v> … </v>", _mqm, {"error-spans": "mqm"}),
    "mtme": Form(".zip", _ZIP, "folder of mt-metrics-eval: texts and human scores", _mtme, _SCORED),
    "archive": Form(
        ".archive.zip", _ZIP, "everything, to be looked at anywhere and restored: plan, answers, judgements", _archive
    ),
}


@dataclass(frozen=True)
class ExportForms(Result):
    """The forms in which a campaign's judgements can be had."""

    kind: ClassVar[str] = "export-forms"

    campaign: str
    judged: str
    forms: tuple[tuple[str, str, str, bool], ...]  # form, suffix, what it is, whether it fits

    def tables(self) -> list[Table]:
        """One row per form."""
        columns = [Column("form"), Column("suffix"), Column("text", "what it is"), Column("fits")]
        return [Table.of(f"Exports of {self.campaign}", columns, self.forms)]

    def meta(self) -> dict[str, Any]:
        """The kind of judgement."""
        return {"campaign": self.campaign, "judged": self.judged}


def list_forms(connection: sa.Connection, name: str) -> ExportForms:
    """The forms of export, and which of them fit the campaign's protocol."""
    campaign = find_campaign(connection, name)
    kind = campaign.protocol.schema.kind
    rows = [(key, form.suffix, form.text, form.fits(campaign.protocol)) for key, form in FORMS.items()]
    return ExportForms(name, kind, tuple(rows))


def export_campaign(
    connection: sa.Connection, name: str, form: str, *, excluded: bool = False, raw: bool = False
) -> Sheet:
    """The judgements of a campaign in one of `FORMS`; without those of excluded annotators, unless asked for.

    In our own tables, a cell that a spreadsheet would take for a formula has a quote before it, unless it is `raw`.
    The archive always holds everything.
    """
    if form not in FORMS:
        raise UnknownName(f"There is no export called {form!r}. Known: {', '.join(FORMS)}.")
    chosen = FORMS[form]
    campaign = find_campaign(connection, name)
    protocol = campaign.protocol
    if not chosen.fits(protocol):
        fitting = ", ".join(key for key, each in FORMS.items() if each.fits(protocol))
        what = f"{protocol.schema.kind} judgements"
        if chosen.kinds is None or protocol.schema.kind in chosen.kinds:
            what = f"what {protocol.name} asks"
        raise DataError(f"{form} has no place for {what}. Fitting: {fitting}.")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}{chosen.suffix}"
        chosen.write(_Content(connection, campaign, form, excluded, raw), path)
        return Sheet(path.name, chosen.media_type, path.read_bytes())
