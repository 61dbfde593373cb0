"""Error spans that a model proposes before people mark any: read, made from word labels, and kept by output."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from dragoman.data.judgements import Judgements, Row, read_judgements
from dragoman.data.judgements.spans import ERROR_SPANS
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.files import StrPath
from dragoman.report import Column, Result, Table

__all__ = ["Proposals", "ProposedSpans", "as_json", "moved", "proposals_from_labels", "read_proposals"]

Proposals = Mapping[tuple[str, int], tuple[Mapping[str, Any], ...]]  # by system and segment
_GOOD = "OK"
_NAME = "model"


@dataclass(frozen=True)
class ProposedSpans(Result):
    """Spans that a model proposes, as judgements, and how many they are."""

    kind: ClassVar[str] = "proposed-spans"

    judgements: Judgements

    def tables(self) -> list[Table]:
        """One row per system."""
        counts: dict[str, list[int]] = {}
        seen: set[tuple[Any, Any]] = set()
        for row in self.judgements.rows():
            own = counts.setdefault(str(row["system"]), [0, 0, 0, 0])
            place = row["system"], row["segment"]
            if place not in seen:
                seen.add(place)
                own[0] += 1
                own[1] += row["start"] is None
            if row["start"] is not None and row["end"] is not None:
                own[2] += 1
                own[3] += int(row["end"]) - int(row["start"])
        columns: list[Column | str] = ["system", "outputs", Column("faultless"), "spans", "characters"]
        return [Table.of("Proposed error spans", columns, [(name, *own) for name, own in counts.items()])]

    def meta(self) -> dict[str, Any]:
        """How many rows there are."""
        return {"n": len(self.judgements)}


def read_proposals(
    proposed: StrPath | Sequence[Mapping[str, Any]], test_set: TestSet, severities: Sequence[str]
) -> dict[tuple[str, int], Any]:
    """The proposed spans of every output, from a file of error spans in any known format, or from rows.

    An output for which the model proposes nothing has a row without a span: outputs without a row raise, because
    silence and no errors are not the same.
    """
    if isinstance(proposed, list | tuple):
        judgements = Judgements.of(ERROR_SPANS, [ERROR_SPANS.check(dict(row)) for row in proposed])
    else:
        judgements = read_judgements(proposed, kind=ERROR_SPANS.kind)  # type: ignore[arg-type]
    known = {name.lower(): name for name in severities}
    named: dict[tuple[str, int], list[Row]] = {}
    texted: dict[tuple[str, int], list[Row]] = {}
    for row in judgements.rows():
        segment = int(row["segment"] or 0)
        named.setdefault((str(row["system"]), segment), []).append(row)
        if row["target"] is not None:
            texted.setdefault((str(row["target"]), segment), []).append(row)
    proposals = {}
    for system, texts in test_set.systems.items():
        for segment, text in enumerate(texts, start=1):
            # A system may have another name in the campaign; its outputs are the same.
            rows = named.get((system, segment)) or texted.get((text, segment), [])
            if not rows and text.strip():
                raise DataError(
                    f"The proposals say nothing of segment {segment} of {system}; give every output a row, one without "
                    "a span where the model finds no error."
                )
            spans = [_span(row, text, known) for row in rows if row["start"] is not None and row["end"] is not None]
            once = {(span["start"], span["end"]): span for span in spans}
            proposals[system, segment] = tuple(span for _, span in sorted(once.items()))
    return proposals


def _span(row: Row, text: str, known: Mapping[str, str]) -> dict[str, Any]:
    where = f"A proposal for segment {row['segment']} of {row['system']}"
    if row["target"] is not None and row["target"] != text:
        raise DataError(f"{where} is of another text: {str(row['target'])[:60]!r}.")
    start, end = int(row["start"] or 0), int(row["end"] or 0)
    if not start < end <= len(text):
        raise DataError(f"{where} marks characters {start} to {end}; the output has {len(text)}.")
    severity = known.get(str(row["severity"]).lower())
    if severity is None:
        raise DataError(
            f"{where} has the severity {row['severity']!r}; the campaign knows {', '.join(known.values())}."
        )
    return {"start": start, "end": end, "severity": severity}


def proposals_from_labels(
    test_set: TestSet, labels: Mapping[str, Sequence[str]], *, severity: str = "major"
) -> ProposedSpans:
    """Spans from the labels of words, a line a segment for each system, as `dragoman qe words predict --tags` writes.

    Words are those between blanks, and neighbours that are not OK are one span. `BAD` has the given severity; any other
    label is the severity itself.
    """
    rows: list[dict[str, Any]] = []
    for system, lines in labels.items():
        texts = test_set.system(system)
        if len(lines) != len(texts):
            raise DataError(f"There are {len(lines)} lines of labels for {len(texts)} outputs of {system}.")
        for segment, (text, line) in enumerate(zip(texts, lines, strict=True), start=1):
            words, tags = _places(text), line.split()
            if len(words) != len(tags):
                raise DataError(f"Segment {segment} of {system} has {len(words)} words and {len(tags)} labels.")
            common = {"annotator": _NAME, "segment": segment, "system": system, "target": text or None}
            spans = _joined(words, [severity if tag == "BAD" else tag for tag in tags])
            rows += [
                common | span | {"item": f"{system}/{segment}.{number}"} for number, span in enumerate(spans, start=1)
            ] or [common | {"item": f"{system}/{segment}.1"}]
    return ProposedSpans(Judgements.of(ERROR_SPANS, [ERROR_SPANS.check(row) for row in rows]))


def _places(text: str) -> list[tuple[int, int]]:
    places, end = [], 0
    for word in text.split():
        start = text.index(word, end)
        end = start + len(word)
        places.append((start, end))
    return places


def _joined(words: Sequence[tuple[int, int]], tags: Sequence[str]) -> list[dict[str, Any]]:
    spans: list[dict[str, Any]] = []
    before = _GOOD
    for (start, end), tag in zip(words, tags, strict=True):
        if tag != _GOOD and tag == before:
            spans[-1]["end"] = end
        elif tag != _GOOD:
            spans.append({"start": start, "end": end, "severity": tag})
        before = tag
    return spans


def moved(spans: Sequence[Mapping[str, Any]], before: str, after: str) -> tuple[Mapping[str, Any], ...]:
    """The spans of a text in another that was made from it: those whose words are still there, in order."""
    kept: list[Mapping[str, Any]] = []
    end = 0
    for span in spans:
        words = before[span["start"] : span["end"]]
        start = after.find(words, end)
        if start >= 0:
            end = start + len(words)
            kept.append({**span, "start": start, "end": end})
    return tuple(kept)


def as_json(spans: Sequence[Mapping[str, Any]]) -> str:
    """Proposals as a judgement keeps them."""
    return json.dumps([dict(span) for span in spans], ensure_ascii=False)
