"""Judgements of every kind, drawn at random, for the contract tests: each strategy keeps to what a format can hold."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from dragoman.data.judgements import DIRECT_ASSESSMENT, JUDGEMENT_KINDS, Field, Judgements, Schema, ranking_schema
from dragoman.data.judgements.crowd import CROWD_VOTES
from dragoman.data.judgements.frame_json import LINK_TYPES, ROLE_TYPES, Frame, Link, Role, frames_json
from dragoman.data.judgements.scales import EFFORT
from dragoman.data.judgements.semantic_frames import FRAMES
from dragoman.data.judgements.spans import ERROR_SPANS, marked

ITEM_TYPE = st.sampled_from(["TGT", "REF", "BAD", "CHK"])
LANGUAGE = st.sampled_from(["de", "en", "pt-BR", "zh-Hans"])
SCORE = st.none() | st.floats(0, 100, allow_nan=False)
Text = st.SearchStrategy[str]


def rows_of(*strategies: st.SearchStrategy[dict[str, Any]], least: int = 0) -> st.SearchStrategy[list[dict[str, Any]]]:
    return st.lists(st.one_of(*strategies), min_size=least, max_size=4)


@st.composite
def rankings(
    draw: st.DrawFn,
    text: Text,
    *,
    system: Text,
    full: bool = False,
    numbered: bool = True,
    documents: bool = True,
    least: int = 0,
) -> Judgements:
    """Screens of one width; with `full` no place is empty."""
    width = draw(st.integers(2, 6))
    rows = []
    items = draw(st.lists(text, unique=True, min_size=4, max_size=4))
    for n in range(draw(st.integers(least, 4))):
        systems: list[str | None] = draw(st.lists(system, min_size=width, max_size=width, unique=True))  # type: ignore[arg-type]
        row: dict[str, Any] = {
            "annotator": draw(text),
            "item": str(n + 1) if numbered else items[n],
            "source_lang": draw(LANGUAGE),
            "target_lang": draw(LANGUAGE),
            "segment": draw(st.integers(-3, 3000)),
        }
        if documents:
            row["doc"] = draw(st.none() | text.filter(lambda doc: doc not in ("-1", "")))
            row["doc_segment"] = draw(st.none() | st.integers(0, 9))
        for place, name in enumerate(systems, start=1):
            is_there = full or draw(st.booleans())
            row[f"system{place}"] = name if is_there else None
            row[f"rank{place}"] = draw(st.none() | st.integers(1, 5)) if is_there else None
        rows.append(row)
    return Judgements.of(ranking_schema(width), rows)


def cell_of(field: Field, text: Text) -> st.SearchStrategy[Any]:
    """Any value that a field can hold."""
    low, high = field.low, field.high
    values: st.SearchStrategy[Any] = {
        "text": text,
        "truth": st.booleans(),
        "whole": st.integers(-9 if low is None else int(low), 9 if high is None else int(high)),
        "number": st.floats(low, high, allow_nan=False, allow_infinity=False),
    }[field.type]
    return values if field.required else st.none() | values


@st.composite
def plain(draw: st.DrawFn, schema: Schema, text: Text) -> Judgements:
    """Rows whose fields do not depend on each other."""
    row = st.fixed_dictionaries({field.name: cell_of(field, text) for field in schema.fields})
    return Judgements.of(schema, draw(st.lists(row, max_size=4)))


@st.composite
def scores(draw: st.DrawFn, text: Text) -> Judgements:
    """Direct assessments as Appraise has them."""
    has_documents = draw(st.booleans())
    rows = []
    for n in range(draw(st.integers(1, 4))):
        start = draw(st.none() | st.floats(0, 1e6))
        end = None if start is None else start + draw(st.integers(0, 50))
        rows.append(
            {
                "annotator": draw(text),
                "item": str(n + 1),
                "type": draw(ITEM_TYPE),
                "segment": draw(st.integers(0, 3000)),
                "system": draw(text.filter(lambda name: "+" not in name)),
                "score": draw(SCORE),
                "source_lang": draw(st.none() | LANGUAGE),
                "target_lang": draw(st.none() | LANGUAGE),
                "doc": draw(st.none() | text.filter(bool)) if has_documents else None,
                "is_document": draw(st.booleans()) if has_documents else None,
                "start": start,
                "end": end,
                "seconds": None if start is None or end is None else end - start,
            }
        )
    if has_documents and all(row["doc"] is None for row in rows):
        rows[0]["is_document"] = True
    return Judgements.of(DIRECT_ASSESSMENT, rows)


@st.composite
def span(draw: st.DrawFn, text: str) -> tuple[int | None, int | None]:
    if draw(st.booleans()):
        return None, None
    start, end = sorted(draw(st.tuples(st.integers(0, len(text)), st.integers(0, len(text)))))
    return start, end


def can_be_marked(text: str) -> bool:
    return marked(text, None, None) == text if "<v>" not in text and "</v>" not in text else False


@st.composite
def marked_errors(draw: st.DrawFn, text: Text) -> Judgements:
    """Errors as an MQM table has them: texts, perhaps a span in each."""
    counts: dict[tuple[str, str, int], int] = {}
    rows = []
    for _ in range(draw(st.integers(0, 4))):
        annotator, system = draw(st.sampled_from("ab")), draw(text)
        segment = draw(st.integers(1, 2))
        counts[annotator, system, segment] = counts.get((annotator, system, segment), 0) + 1
        source, target = draw(text.filter(can_be_marked)), draw(text.filter(can_be_marked))
        source_span, target_span = draw(span(source)), draw(span(target))
        rows.append(
            {
                "annotator": annotator,
                "system": system,
                "segment": segment,
                "item": f"{system}/{segment}.{counts[annotator, system, segment]}",
                "doc": draw(st.none() | text.filter(bool)),
                "doc_segment": draw(st.none() | st.integers(0, 9)),
                "source": source,
                "source_start": source_span[0],
                "source_end": source_span[1],
                "target": target,
                "start": target_span[0],
                "end": target_span[1],
                "category": draw(st.none() | text.filter(bool)),
                "severity": draw(st.none() | text.filter(bool)),
            }
        )
    return Judgements.of(ERROR_SPANS, rows)


@st.composite
def scored_errors(draw: st.DrawFn, text: Text) -> Judgements:
    """Errors with scores as Appraise's ESA has them: no texts, every output with a segment of its own."""
    rows = []
    for n in range(1, draw(st.integers(1, 3)) + 1):
        output = {
            "annotator": draw(text),
            "system": draw(text),
            "segment": n,
            "type": draw(ITEM_TYPE),
            "score": draw(SCORE),
            "doc": draw(st.none() | text.filter(bool)),
            "source_lang": draw(st.none() | LANGUAGE),
            "target_lang": draw(st.none() | LANGUAGE),
            "seconds": draw(st.none() | st.floats(0, 100)),
        }
        n_errors = draw(st.integers(0, 2))
        for number in range(1, max(1, n_errors) + 1):
            error: dict[str, Any] = {}
            if n_errors:
                error = {"category": draw(st.none() | text), "severity": draw(st.none() | text)}
                if draw(st.booleans()):
                    error["is_omission"] = True
                else:
                    error["start"] = draw(st.integers(0, 9))
                    error["end"] = error["start"] + draw(st.integers(1, 9))
            rows.append({**output, "item": f"{n}.{number}", **error})
    return Judgements.of(ERROR_SPANS, rows)


@st.composite
def efforts(draw: st.DrawFn) -> Judgements:
    judges, segments = draw(st.integers(1, 3)), draw(st.integers(0, 3))
    weighted = draw(st.booleans())
    rows = [
        {
            "annotator": f"judge{judge}",
            "item": str(segment),
            "segment": segment,
            "system": "mt",
            "effort": draw(st.none() | st.integers(1, 5)),
            "weight": draw(st.none() | st.floats(0, 1)) if weighted else None,
        }
        for segment in range(1, segments + 1)
        for judge in range(1, judges + 1)
    ]
    return Judgements.of(EFFORT, rows)


@st.composite
def votes(draw: st.DrawFn, text: Text) -> Judgements:
    rows = []
    for segment in draw(st.lists(text, unique=True, max_size=3)):
        n_votes = draw(st.integers(0, 5))
        rows += [
            {
                "item": f"{segment}/{place}",
                "segment": segment,
                "doc": segment.rpartition("_")[0] or None,
                "candidate": place,
                "text": draw(text),
                "votes": draw(st.integers(0, n_votes)),
                "n_votes": n_votes,
            }
            for place in range(1, draw(st.integers(1, 4)) + 1)
        ]
    return Judgements.of(CROWD_VOTES, rows)


@st.composite
def frames(draw: st.DrawFn, n_tokens: int, reference: tuple[Frame, ...] | None = None) -> tuple[Frame, ...]:
    found = []
    used: set[tuple[int, int | None]] = set()

    def link(targets: list[tuple[int, int | None]]) -> Link | None:
        free = [target for target in targets if target not in used]
        if not free or draw(st.booleans()):
            return None
        chosen = draw(st.sampled_from(free))
        used.add(chosen)
        return Link(*chosen, draw(st.sampled_from(LINK_TYPES)))

    other = reference or ()
    for _ in range(draw(st.integers(0, 2))):
        roles = []
        for _ in range(draw(st.integers(0, 2))):
            start = draw(st.integers(0, n_tokens - 1))
            end = draw(st.integers(start + 1, n_tokens))
            at = link([(n, m) for n, frame in enumerate(other) for m in range(len(frame.roles))])
            roles.append(Role(draw(st.sampled_from(ROLE_TYPES)), start, end, at))
        found.append(
            Frame(draw(st.integers(0, n_tokens - 1)), tuple(roles), link([(n, None) for n in range(len(other))]))
        )
    return tuple(found)


@st.composite
def annotations(draw: st.DrawFn, word: Text) -> Judgements:
    """A reference, its annotation, a copy of it for an output, and the annotation of the output."""
    sentence = st.lists(word, min_size=1, max_size=5).map(" ".join)
    rows = []
    for number in range(draw(st.integers(0, 2))):
        reference, output = draw(sentence), draw(sentence)
        place = {"annotator": draw(word), "language": "en", "unit": "00", "number": f"{number:02}"}
        of_reference = draw(frames(len(reference.split(" "))))
        of_output = draw(frames(len(output.split(" ")), of_reference))
        for n, (version, text, is_reference, found) in enumerate(
            [
                ("00", reference, True, of_reference),
                ("01", reference, True, of_reference),
                ("01", output, False, of_output),
            ]
        ):
            rows.append(
                {
                    **place,
                    "item": str(3 * number + n),
                    "sentence": f"{number}-{version}",
                    "version": version,
                    "is_reference": is_reference,
                    "text": text,
                    "frames": frames_json(found),
                    "reference": None if is_reference else str(3 * number + 1),
                }
            )
    return Judgements.of(FRAMES, rows)


def any_kind(text: Text, word: Text) -> st.SearchStrategy[Judgements]:
    """Judgements of any kind, texts never empty."""
    text = text.filter(bool)
    free = ["adequacy-fluency", "direct-assessment", "post-editing-effort"]
    return st.one_of(
        *(plain(JUDGEMENT_KINDS.get(name).schema, text) for name in free),
        rankings(text, system=text),
        marked_errors(text),
        votes(text),
        annotations(word),
    )
