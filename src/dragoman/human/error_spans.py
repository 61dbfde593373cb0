"""Error spans analysed: what errors cost each system, which errors they are, how far annotators mark the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, ClassVar

from dragoman.data.judgements import Field, Judgements, Row, Schema
from dragoman.data.judgements.spans import ERROR_SPANS
from dragoman.errors import DataError
from dragoman.human.analysing import Analysis
from dragoman.human.direct_assessment.assessments import Assessments
from dragoman.human.proposal_effects import ProposalEffects, proposal_effects
from dragoman.human.protocol import item_of
from dragoman.human.scales import ScaleAnalysis, ScaleScores, scale_scores
from dragoman.report import Column, Figure, Section, Sentence, Table, page
from dragoman.report.result import Result
from dragoman.stats.arrays import check_level

__all__ = ["MQM_CATEGORIES", "SEVERITIES", "MarkedAlike", "SpanAnalysis", "analyse_spans", "penalty", "span_outputs"]

# Freitag et al. (TACL 2021): what an error costs, and the hierarchy of categories.
_NO_ERROR = "no-error"  # severity and category of an output without one, in WMT's releases
SEVERITIES: Mapping[str, float] = {"neutral": 0, "minor": 1, "major": 5}
MQM_CATEGORIES: Mapping[str, tuple[str, ...]] = {
    "accuracy": ("addition", "omission", "mistranslation", "untranslated text"),
    "fluency": ("punctuation", "spelling", "grammar", "register", "inconsistency", "character encoding"),
    "terminology": ("inappropriate for context", "inconsistent use"),
    "style": ("awkward",),
    "locale convention": (
        "address format",
        "currency format",
        "date format",
        "name format",
        "telephone format",
        "time format",
    ),
    "non-translation": (),
    "source error": (),
    "other": (),
}
_NON_TRANSLATION = 25.0
_MINOR_PUNCTUATION = 0.1

_OUTPUTS = Schema(
    "error-scores",
    (
        Field("annotator"),
        Field("item"),
        Field("segment", "whole"),
        Field("system"),
        Field("doc", required=False),
        Field("type", required=False),
        Field("source_lang", required=False),
        Field("target_lang", required=False),
        Field("mqm", "number"),
        Field("score", "number", required=False),
        Field("seconds", "number", required=False),
    ),
)


def penalty(severity: str | None, category: str | None, severities: Mapping[str, float] = SEVERITIES) -> float:
    """What an error costs. A major non-translation costs 25, minor punctuation 0.1 (Freitag et al. 2021)."""
    if severity is None or severity.lower() == _NO_ERROR:
        return 0.0
    name = (category or "").lower()
    if severity.lower() == "major" and name.startswith("non-translation"):
        return _NON_TRANSLATION
    if severity.lower() == "minor" and name == "fluency/punctuation":
        return _MINOR_PUNCTUATION
    costs = {key.lower(): cost for key, cost in severities.items()}
    if severity.lower() not in costs:
        raise DataError(f"No cost is known for the severity {severity!r}. Known: {', '.join(severities)}.")
    return float(costs[severity.lower()])


@dataclass(frozen=True)
class MarkedAlike:
    """Two annotators on the outputs that both looked at: how much of what they marked is the same."""

    first: str
    second: str
    outputs: int
    marked_first: int  # characters
    marked_second: int
    marked_both: int

    @property
    def f1(self) -> float | None:
        """The harmonic mean of the shares of either's marked characters that the other marked, too."""
        marked = self.marked_first + self.marked_second
        return 2 * self.marked_both / marked if marked else None


@dataclass(frozen=True)
class SpanAnalysis(Analysis):
    """Systems by what their errors cost, and by the score where there is one; the errors; agreement on places."""

    kind: ClassVar[str] = "span-analysis"

    scales: ScaleAnalysis
    errors: tuple[tuple[str, str, str, int], ...]  # system, severity, category, how many
    alike: tuple[MarkedAlike, ...]
    severities: Mapping[str, float]
    proposals: ProposalEffects | None = None  # where a model had proposed errors

    def tables(self) -> list[Table]:
        """Systems first."""
        systems, *others = self.scales.tables()
        kinds = Table.of(
            "Errors",
            ["system", "severity", "category", "errors"],
            [(system, severity, category or None, n) for system, severity, category, n in self.errors],
            note=Sentence("Omissions and marks of the source are counted, too."),
        )
        columns = [
            Column("first", is_person=True),
            Column("second", is_person=True),
            Column("outputs"),
            Column("f1", "F1 of characters", 3),
        ]
        alike = Table.of(
            "Marked alike",
            columns,
            [(each.first, each.second, each.outputs, each.f1) for each in self.alike],
            note=Sentence("Characters of the output that both marked, against those that either did."),
        )
        proposed = [] if self.proposals is None else self.proposals.tables()
        return [systems, kinds, alike, *proposed, *others]

    def figures(self) -> list[Figure]:
        """Systems with their intervals, a figure for each scale: costs and scores have no axis in common."""
        return self.scales.figures(apart=True)

    def segment_scores(self) -> Result:
        """The outputs' scores, where there is one scale only."""
        return self.scales.segment_scores()

    def meta(self) -> dict[str, Any]:
        """What an error costs, and the judgements."""
        return {**self.scales.meta(), "severities": dict(self.severities)}

    def html(self, *, title: str = "") -> str:
        """The whole analysis as one page."""
        text = "mqm is minus what the errors of an output cost; the best possible is 0."
        return page(title or "Analysis of error spans", [Section.of("Systems, errors, annotators", self, text=text)])


def analyse_spans(
    judgements: Judgements,
    *,
    pair: str | None = None,
    severities: Mapping[str, float] = SEVERITIES,
    alpha: float = 0.05,
    level: float = 0.95,
    trials: int = 1000,
    seed: int = 1,
) -> SpanAnalysis:
    """Analyse error spans: a system's score is the mean of its outputs, each the mean of its annotators.

    Degraded copies and references are left out.
    """
    check_level(alpha, "alpha")
    check_level(level)
    if judgements.schema.kind != ERROR_SPANS.kind:
        raise DataError(f"These are judgements of the kind {judgements.schema.kind}, not {ERROR_SPANS.kind}.")
    rows = _rows(judgements)
    outputs = Judgements.of(_OUTPUTS, _outputs(rows, severities))
    if not len(outputs):
        raise DataError("There is no judgement of an output to analyse.")
    scales: list[ScaleScores] = []
    provenance: Mapping[str, Any] = {}
    for name in ("score", "mqm"):  # where people gave a score, it leads; the cost of the marks is beside it
        data = Assessments.of_field(outputs, name, pair=pair)
        if len(data):
            scales.append(scale_scores(name, data, alpha=alpha, level=level, trials=trials, seed=seed))
            provenance = {key: data.provenance[key] for key in ("files", "pair") if key in data.provenance}
    provenance = {**provenance, "errors": sum(row["severity"] is not None for row in rows), "outputs": len(outputs)}
    counts = Counter(
        (str(row["system"]), str(row["severity"]), str(row["category"] or ""))
        for row in rows
        if row["severity"] is not None
    )
    errors = [(*key, n) for key, n in sorted(counts.items(), key=lambda each: (each[0][0], -each[1], each[0]))]
    return SpanAnalysis(
        ScaleAnalysis(judgements.schema.kind, tuple(scales), alpha, level, trials, seed, provenance),
        tuple(errors),
        tuple(_alike(rows)),
        dict(severities),
        proposal_effects(judgements, level=level, trials=trials, seed=seed) if _has_proposals(rows) else None,
    )


def _has_proposals(rows: list[dict[str, Any]]) -> bool:
    return any(row["assisted"] is not None and row["type"] in (None, "TGT") for row in rows)


def span_outputs(judgements: Judgements, severities: Mapping[str, float] = SEVERITIES) -> Judgements:
    """Each output that an annotator looked at, with what its errors cost (`mqm`, negative) and its score."""
    return Judgements.of(_OUTPUTS, _outputs(_rows(judgements), severities))


def _rows(judgements: Judgements) -> list[dict[str, Any]]:
    return [_plain(row) for row in judgements.latest().rows() if row["type"] in (None, "TGT", "CHK")]


def _plain(row: Row) -> dict[str, Any]:
    """A row; what WMT's releases write where there is no error is none."""
    is_none = str(row["severity"]).lower() == _NO_ERROR
    return {**row, "severity": None, "category": None} if is_none else dict(row)


def _outputs(rows: list[dict[str, Any]], severities: Mapping[str, float]) -> Iterator[Row]:
    """Each output that an annotator looked at, with what its errors cost."""
    outputs: dict[tuple[Any, ...], dict[str, Any]] = {}
    names = [each.name for each in _OUTPUTS.fields if each.name not in ("item", "mqm")]
    for row in rows:
        key = (row["annotator"], item_of(str(row["item"])), row["system"], row["segment"])
        own = outputs.setdefault(
            key, {name: row[name] for name in names} | {"item": "/".join(map(str, key[1:])), "mqm": 0.0}
        )
        own["mqm"] -= penalty(row["severity"], row["category"], severities)
    yield from outputs.values()


def _alike(rows: list[dict[str, Any]]) -> Iterator[MarkedAlike]:
    looked: dict[tuple[Any, Any], dict[str, set[int]]] = {}
    for row in rows:
        own = looked.setdefault((row["system"], row["segment"]), {}).setdefault(str(row["annotator"]), set())
        if row["start"] is not None and row["end"] is not None and row["severity"] is not None:
            own.update(range(row["start"], row["end"]))
    totals: dict[tuple[str, str], list[int]] = {}
    for by in looked.values():
        for first, second in combinations(sorted(by), 2):
            total = totals.setdefault((first, second), [0, 0, 0, 0])
            for place, count in enumerate((1, len(by[first]), len(by[second]), len(by[first] & by[second]))):
                total[place] += count
    for (first, second), total in sorted(totals.items()):
        yield MarkedAlike(first, second, *total)
