"""Frame studies out of judgements of the kind `semantic-frames`, and back: stored as rows, scored as studies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from dragoman.data.frames import (
    ActionLink,
    Filler,
    FillerLink,
    Frame,
    FrameAnnotation,
    FrameStudy,
    ReferenceFrames,
    Strength,
)
from dragoman.data.judgements import Judgements
from dragoman.data.judgements import frame_json as stored
from dragoman.data.judgements.semantic_frames import FRAMES
from dragoman.errors import DataError
from dragoman.files import StrPath

__all__ = ["judgements_of", "linked_annotation", "read_frames", "study_of", "write_frames"]

_REFERENCE = "00"  # the version of a reference in the release of 2013
# What the tool left behind where no strength was chosen counts as none.
_STRENGTHS: dict[str, Strength | None] = {"full": "full", "partial": "partial", "undefined": None, "null": None}


def read_frames(path: StrPath, *, systems: Mapping[str, str] | None = None) -> FrameStudy:
    """The study in a folder of tables or a file of semantic frames; `systems` names versions (`{"01": "phrase"}`)."""
    from dragoman.data.judgements.hmeant import HmeantFolder
    from dragoman.data.judgements.reading import read_judgements

    # A folder that lacks a table is told so by its own reader.
    table = HmeantFolder().read(path) if Path(path).is_dir() else read_judgements(path, kind="semantic-frames")
    return study_of(table, systems=systems, name=Path(path).name)


def write_frames(study: FrameStudy, folder: StrPath) -> None:
    """Write a study as a folder of tables that `read_frames` reads back equal; ids are numbered anew."""
    from dragoman.data.judgements.hmeant import HmeantFolder

    HmeantFolder().write(judgements_of(study), folder)


def study_of(judgements: Judgements, *, systems: Mapping[str, str] | None = None, name: str = "") -> FrameStudy:
    """The study that rows of semantic frames make up. Copies of a reference go with the outputs they were made for."""
    if judgements.schema.kind != FRAMES.kind:
        raise DataError(f"These are judgements of kind {judgements.schema.kind!r}; expected {FRAMES.kind!r}.")
    names = dict(systems or {})
    rows = {str(row["item"]): row for row in judgements.latest().rows()}
    versions = {str(row["version"]) for row in rows.values()}
    unknown = sorted(set(names) - versions)
    if unknown:
        raise DataError(f"No annotation is of version {', '.join(unknown)}. Known: {', '.join(sorted(versions))}.")
    frames = {item: stored.parse_frames(str(row["frames"])) for item, row in rows.items()}
    annotations, references = [], []
    texts: dict[tuple[str, str, str | None], tuple[str, ...]] = {}
    for item, row in rows.items():
        annotator, lang, segment = str(row["annotator"]), str(row["language"]), f"{row['unit']}.{row['number']}"
        version = str(row["version"])
        system = names.get(version, version)
        if row["text"] is not None:
            words = tuple(str(row["text"]).split(" ")) if row["text"] else ()
            texts[lang, segment, None if row["is_reference"] else system] = words
        if row["is_reference"]:
            if version == _REFERENCE:
                references.append(ReferenceFrames(annotator, lang, segment, _frames(frames[item])))
            continue
        if row["reference"] not in frames:
            raise DataError(f"The annotation {item!r} names the reference {row['reference']!r}, which is not there.")
        ref = _frames(frames[str(row["reference"])])
        annotations.append(_annotation(annotator, lang, segment, system, ref, frames[item]))
    provenance: dict[str, str | int] = {
        "source": name,
        "n_annotations": len(annotations),
        "n_references": len(references),
    }
    return FrameStudy(tuple(annotations), tuple(references), texts, provenance)


def linked_annotation(
    annotator: str,
    lang: str,
    segment: str,
    system: str,
    reference: Sequence[stored.Frame],
    output: Sequence[stored.Frame],
) -> FrameAnnotation:
    """One annotator's frames of a reference and an output, with the links between them checked."""
    return _annotation(annotator, lang, segment, system, _frames(reference), output)


def _annotation(
    annotator: str, lang: str, segment: str, system: str, ref: tuple[Frame, ...], output: Sequence[stored.Frame]
) -> FrameAnnotation:
    return FrameAnnotation(annotator, lang, segment, system, ref, _frames(output), *_links(output))


def _frames(frames: Sequence[stored.Frame]) -> tuple[Frame, ...]:
    return tuple(
        Frame(each.head, tuple(Filler(role.type.lower(), role.start, role.end) for role in each.roles))
        for each in frames
    )


def _links(frames: Sequence[stored.Frame]) -> tuple[tuple[ActionLink, ...], tuple[FillerLink, ...]]:
    actions, fillers = [], []
    for f, frame in enumerate(frames):
        if frame.link is not None:
            actions.append(ActionLink(frame.link.frame, f, _STRENGTHS[frame.link.type]))
        for r, role in enumerate(frame.roles):
            if role.link is not None and role.link.role is not None:
                fillers.append(FillerLink((role.link.frame, role.link.role), (f, r), _STRENGTHS[role.link.type]))
    return tuple(actions), tuple(fillers)


def judgements_of(study: FrameStudy) -> Judgements:
    """The rows of a study: a row for each annotated reference, and two for each output, its copy of it and its own."""
    rows: list[dict[str, Any]] = []

    def add(
        each: FrameAnnotation | ReferenceFrames, version: str, reference: str | None, frames: Any, text: Any
    ) -> str:
        unit, dot, number = each.segment.rpartition(".")
        if not dot:
            raise DataError(f"A segment is written as unit.number in these tables; got {each.segment!r}.")
        rows.append(
            {
                "annotator": each.annotator,
                "item": str(len(rows)),
                "sentence": f"{each.lang}.{each.segment}.{version}",
                "language": each.lang,
                "unit": unit,
                "number": number,
                "version": version,
                "is_reference": reference is None,
                "text": None if text is None else " ".join(text),
                "reference": reference,
                "frames": stored.frames_json(frames),
            }
        )
        return str(rows[-1]["item"])

    for each in study.references:
        text = study.texts.get((each.lang, each.segment, None))
        add(each, _REFERENCE, None, [_stored(frame) for frame in each.frames], text)
    for output in study.annotations:
        text = study.texts.get((output.lang, output.segment, None))
        copied = add(output, output.system, None, [_stored(frame) for frame in output.ref], text)
        actions = {link.hyp: stored.Link(link.ref, None, link.strength or "undefined") for link in output.action_links}
        fillers = {link.hyp: stored.Link(*link.ref, link.strength or "undefined") for link in output.filler_links}
        own = [_stored(frame, actions.get(f), f, fillers) for f, frame in enumerate(output.hyp)]
        add(output, output.system, copied, own, study.texts.get((output.lang, output.segment, output.system)))
    return Judgements.of(FRAMES, rows)


def _stored(
    frame: Frame,
    link: stored.Link | None = None,
    place: int = 0,
    fillers: Mapping[tuple[int, int], stored.Link] | None = None,
) -> stored.Frame:
    roles = [
        stored.Role(filler.role.upper(), filler.start, filler.end, (fillers or {}).get((place, n)))
        for n, filler in enumerate(frame.fillers)
    ]
    return stored.Frame(frame.action, tuple(roles), link)
