"""Error spans as protocols: ESA (spans with severities, then a score) and MQM (spans with severities and kinds)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

from dragoman.data.judgements import Judgements, Schema, Value
from dragoman.data.judgements.spans import ERROR_SPANS
from dragoman.errors import DataError
from dragoman.human.analysing import Analysis
from dragoman.human.answers import Answer, opened
from dragoman.human.direct_assessment.protocol import SQM_LABELS
from dragoman.human.draws import Draws
from dragoman.human.error_spans import MQM_CATEGORIES, SEVERITIES, penalty
from dragoman.human.material import Material
from dragoman.human.outputs import OutputProtocol
from dragoman.human.protocol import Assignment, Item
from dragoman.options import option

__all__ = ["Esa", "Mqm"]

_SPAN = ("start", "end", "source_start", "source_end", "is_omission", "severity", "category")


@dataclass(frozen=True)
class _ErrorSpans(OutputProtocol):
    """What ESA and MQM have in common."""

    screen: ClassVar[str] = "spans"
    schema: ClassVar[Schema] = ERROR_SPANS
    invites: ClassVar[tuple[str, ...]] = ("source", "both")  # errors are marked in the source, too
    typical_seconds: ClassVar[float] = 60.0

    against: str = option("source", text="what is shown beside: source or both")
    severities: Mapping[str, float] = field(
        default_factory=lambda: dict(SEVERITIES), metadata={"text": "how grave an error may be, and what it costs"}
    )
    categories: Mapping[str, Sequence[str]] = field(
        default_factory=dict, metadata={"text": "kinds of error with their finer kinds; empty: not asked for"}
    )
    source_spans: bool = option(True, text="whether the source may be marked, too")
    omissions: bool = option(True, text="whether something may be marked as left out")
    max_spans: int = option(0, text="most errors of an output; 0: no limit")

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.severities or not all(
            type(cost) in (int, float) and cost >= 0 for cost in self.severities.values()
        ):
            raise DataError(f"severities is {dict(self.severities)!r}; expected names with what an error costs.")
        wrong = [name for name, finer in self.categories.items() if not isinstance(finer, list | tuple)]
        if wrong:
            raise DataError(
                f"categories has {wrong[0]!r} without a list; write {wrong[0]} = [] if it has no finer kinds."
            )
        if self.max_spans < 0:
            raise DataError(f"max_spans is {self.max_spans}; expected 0 or more.")

    def shown(self, material: Material, segment: int, text: str) -> dict[str, Any]:
        """The source is always there: errors are marked in it, too."""
        if material.test_set.srcs is None:
            raise DataError("The test set has no source, which this plan shows.")
        return {"source": material.test_set.srcs[segment - 1], **super().shown(material, segment, text)}

    @property
    def names(self) -> tuple[str, ...]:
        """The categories as an answer names them."""
        return tuple(
            name for kind, finer in self.categories.items() for name in (kind, *(f"{kind}/{each}" for each in finer))
        )

    def ask(self) -> dict[str, Any]:
        """Severities, categories and what may be marked."""
        return {
            "severities": [{"name": name, "weight": cost} for name, cost in self.severities.items()],
            "categories": [{"name": name, "subcategories": list(finer)} for name, finer in self.categories.items()],
            "source_spans": self.source_spans,
            "omissions": self.omissions,
            "max_spans": self.max_spans,
            "score": self.score_scale(),
            "beside": self.against,
            "question": self.question,
        }

    def score_scale(self) -> dict[str, Any] | None:
        """The scale of the score at the end, if one is asked for."""
        return None

    def check(self, item: Item, answer: Mapping[str, Any]) -> None:
        """Spans inside their texts with known severities and categories; a score if one is asked for."""
        has_score = self.score_scale() is not None
        opening = opened(item, answer, "spans", *(("score",) if has_score else ()))
        spans = opening.objects("spans", *_SPAN, "proposal")
        if self.max_spans and len(spans) > self.max_spans:
            raise opening.wrong(f"has {len(spans)} spans; expected at most {self.max_spans}")
        for span in spans:
            self._check_span(item, span)
        self.check_origin(item, spans)
        if has_score:
            opening.number("score", 0, 100)

    def check_origin(self, item: Item, spans: Sequence[Answer]) -> None:  # noqa: ARG002 - for those with proposals
        """Nothing was proposed, so no span comes from a proposal."""
        for span in spans:
            if span.get("proposal") is not None:
                raise span.wrong("has a proposal, but nothing was proposed")

    def _check_span(self, item: Item, span: Answer) -> None:
        span.one_of("severity", tuple(self.severities))
        if self.names:
            span.one_of("category", self.names)
        elif span.get("category") is not None:
            raise span.wrong("has a category, but none is asked for")
        in_target = _place(span, "", len(item.shown["text"]))
        in_source = _place(span, "source_", len(item.shown["source"]))
        is_omission = span.truth("is_omission")
        if in_source and not self.source_spans:
            raise span.wrong("marks the source, which is not asked for")
        if is_omission and not self.omissions:
            raise span.wrong("marks an omission, which is not asked for")
        if is_omission and in_target:
            raise span.wrong("marks an omission at a place of the output; what is left out has none")
        if not (is_omission or in_target or in_source):
            raise span.wrong("marks no place of the output or the source, and no omission")

    def rows(self, assignment: Assignment, item: Item, answer: Mapping[str, Any]) -> list[dict[str, Value]]:
        """A row for each error; one without a span where there is none."""
        common = self.place(assignment, item) | {
            "source": item.shown["source"] or None,  # an empty output is no text: tables cannot tell the two apart
            "target": item.shown["text"] or None,
            "score": answer.get("score"),
            "seconds": answer.get("seconds"),
        }
        spans = answer["spans"]
        if not spans:
            return [common]
        return [
            common | {name: span.get(name) for name in _SPAN} | {"item": f"{item.id}.{number}"}
            for number, span in enumerate(spans, start=1)
        ]

    def marks(self, item: Item, answer: Mapping[str, Any]) -> dict[str, float]:  # noqa: ARG002 - the contract
        """What the errors cost, negative."""
        return {"text": -sum(self.cost(span) for span in answer["spans"])}

    def cost(self, span: Mapping[str, Any]) -> float:
        """What an error costs."""
        return penalty(span["severity"], span.get("category"), self.severities)

    def invented(self, item: Item, quality: float, draws: Draws, careful: bool) -> dict[str, Any]:  # noqa: ARG002
        """More and graver errors in worse outputs; where they stand is chance."""
        text = item.shown["text"]
        grave = max(self.severities, key=lambda name: self.severities[name])
        light = min(self.severities, key=lambda name: self.severities[name])
        spans: list[dict[str, Any]] = []
        for _ in range(min(self.max_spans or 6, round((100 - quality) / 20))):
            span: dict[str, Any] = {"severity": grave if draws.share() < (100 - quality) / 120 else light}
            if self.names:
                span["category"] = draws.one_of(self.names)
            if text:
                start = draws.below(len(text))
                span |= {"start": start, "end": min(len(text), start + 1 + draws.below(12))}
            elif self.omissions:
                span["is_omission"] = True
            else:
                continue
            spans.append(span)
        score = {} if self.score_scale() is None else {"score": round(quality)}
        return {"spans": spans} | score

    def analyse(self, judgements: Judgements, *, seed: int = 1) -> Analysis:
        """What errors cost each system, which errors they are, how far annotators mark the same."""
        from dragoman.human.error_spans import analyse_spans

        return analyse_spans(judgements, severities=self.severities, seed=seed)


def _place(span: Answer, prefix: str, length: int) -> bool:
    """Whether a span marks one side; what it marks there must be inside."""
    start, end = (span.number(f"{prefix}{name}", 0, length, whole=True, required=False) for name in ("start", "end"))
    if (start is None) != (end is None):
        raise span.wrong(f"has {prefix}start {start} and {prefix}end {end}; a span has both")
    if start is not None and end is not None and start >= end:
        raise span.wrong(f"has {prefix}start {start}, not before {prefix}end, {end}")
    return start is not None


@dataclass(frozen=True)
class Esa(_ErrorSpans):
    """Error span annotation (Kocmi et al. 2024): errors marked with a severity, then a score from 0 to 100.

    Source and output are marked together where an error links them; omissions have no place in the output.
    """

    name: ClassVar[str] = "esa"
    scale: ClassVar[tuple[float, float] | None] = (0, 100)

    severities: Mapping[str, float] = field(
        default_factory=lambda: {"minor": 1, "major": 5},
        metadata={"text": "how grave an error may be, and what it costs"},
    )

    def score_scale(self) -> dict[str, Any] | None:
        """From 0 to 100, with the labels of SQM."""
        return {"low": 0, "high": 100, "labels": [dict(label) for label in SQM_LABELS]}

    def marks(self, item: Item, answer: Mapping[str, Any]) -> dict[str, float]:  # noqa: ARG002 - the contract
        """The score."""
        return {"text": float(answer["score"])}


@dataclass(frozen=True)
class Mqm(_ErrorSpans):
    """Multidimensional quality metrics (Freitag et al. 2021): errors marked with a severity and a category.

    The default typology is that of WMT's expert evaluations; a manifest may bring its own.
    """

    name: ClassVar[str] = "mqm"

    categories: Mapping[str, Sequence[str]] = field(
        default_factory=lambda: {name: list(finer) for name, finer in MQM_CATEGORIES.items()},
        metadata={"text": "kinds of error with their finer kinds; empty: not asked for"},
    )
