"""Frame annotations on disk: the seven tables of the WMT13 release, plain or compressed.

| table | columns |
| --- | --- |
| `sentences` | id, language, segment, number, version, length; version `00` or `reference` is the reference |
| `sentences_text` | the same with the tokens, by spaces, for the length; may be missing |
| `annotations` | id, sentence_id, annotator, ref_id: the annotation of the reference that an output was linked with |
| `actions` | id, annotation_id, tokens |
| `slots` | id, action_id, type, tokens (by commas) |
| `action_aligns`, `slot_aligns` | id, ref_…_id, hypo_…_id, type |

An annotation of an output points to its own copy of the reference's annotation, made when its linking began.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Literal, TypeVar

from dragoman.data.frames import ActionLink, Filler, FillerLink, Frame, FrameAnnotation, FrameStudy, ReferenceFrames
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, read_lines, write_lines

__all__ = ["read_frames", "write_frames"]

T = TypeVar("T")

_COLUMNS = {
    "sentences": ("id", "language", "segment", "number", "version", "length"),
    "sentences_text": ("id", "language", "segment", "number", "version", "text"),
    "annotations": ("id", "sentence_id", "annotator", "ref_id"),
    "actions": ("id", "annotation_id", "tokens"),
    "slots": ("id", "action_id", "type", "tokens"),
    "action_aligns": ("id", "ref_action_id", "hypo_action_id", "type"),
    "slot_aligns": ("id", "ref_slot_id", "hypo_slot_id", "type"),
}
_REFERENCE = ("00", "reference")
_STRENGTHS: dict[str, Literal["full", "partial"] | None] = {
    "full": "full",
    "partial": "partial",
    "undefined": None,  # the tool's word for a link whose strength was never chosen; `null` stands once for it
    "null": None,
}


@dataclass(frozen=True)
class _Row:
    """A row of a table, with the place it came from."""

    path: Path
    line: int
    cells: Mapping[str, str]

    def __getitem__(self, name: str) -> str:
        return self.cells[name]

    def wrong(self, message: str) -> FormatError:
        return FormatError(message, path=self.path, line=self.line)

    def find(self, table: Mapping[str, T], column: str, what: str) -> T:
        key = self.cells[column]
        if key not in table:
            raise self.wrong(f"{column} is {key!r}, but there is no {what} of that id.")
        return table[key]


def read_frames(folder: StrPath, *, systems: Mapping[str, str] | None = None) -> FrameStudy:
    """The study in a folder of tables; `systems` gives versions their names (`{"01": "phrase"}`)."""
    tables = {name: _read_table(Path(folder), name) for name in _COLUMNS if name != "sentences_text"}
    names = dict(systems or {})
    versions = {row["version"] for row in tables["sentences"].values()}
    unknown = sorted(set(names) - versions)
    if unknown:
        raise DataError(f"{folder} has no version {', '.join(unknown)}. Known: {', '.join(sorted(versions))}.")
    frames = _frames(tables)
    links = _links(tables, frames)
    annotations, references = [], []
    for key, row in tables["annotations"].items():
        sentence = row.find(tables["sentences"], "sentence_id", "sentence")
        lang, segment, version = sentence["language"], _segment(sentence), sentence["version"]
        if row["ref_id"] != "NULL":
            row.find(tables["annotations"], "ref_id", "annotation")
            ref, hyp = frames.of(row["ref_id"]), frames.of(key)
            system = names.get(version, version)
            actions, fillers = links.get(key, ([], []))
            annotations.append(
                FrameAnnotation(row["annotator"], lang, segment, system, ref, hyp, tuple(actions), tuple(fillers))
            )
        elif version in _REFERENCE:
            references.append(ReferenceFrames(row["annotator"], lang, segment, frames.of(key)))
    return FrameStudy(
        tuple(annotations),
        tuple(references),
        _texts(Path(folder), names),
        {"folder": Path(folder).name, "n_annotations": len(annotations)},
    )


class _Frames:
    """The frames of all annotations, and where an action or a filler of the tables stands in them."""

    def __init__(self) -> None:
        self.by_annotation: dict[str, list[tuple[int, list[Filler]]]] = {}
        self.actions: dict[str, tuple[str, int]] = {}  # id → annotation, place of the frame
        self.fillers: dict[str, tuple[str, int, int]] = {}  # id → annotation, place of the frame, place in it

    def of(self, annotation: str) -> tuple[Frame, ...]:
        return tuple(Frame(action, tuple(fillers)) for action, fillers in self.by_annotation.get(annotation, []))


def _frames(tables: Mapping[str, Mapping[str, _Row]]) -> _Frames:
    frames = _Frames()
    for key, row in tables["actions"].items():
        row.find(tables["annotations"], "annotation_id", "annotation")
        tokens = _tokens(row)
        if len(tokens) != 1:
            raise row.wrong(f"an action is one token, got {row['tokens']!r}.")
        mine = frames.by_annotation.setdefault(row["annotation_id"], [])
        frames.actions[key] = row["annotation_id"], len(mine)
        mine.append((tokens[0], []))
    for key, row in tables["slots"].items():
        annotation, place = row.find(frames.actions, "action_id", "action")
        tokens = _tokens(row)
        if tokens != list(range(tokens[0], tokens[-1] + 1)):
            raise row.wrong(f"the tokens of a filler stand side by side, got {row['tokens']!r}.")
        fillers = frames.by_annotation[annotation][place][1]
        frames.fillers[key] = annotation, place, len(fillers)
        try:
            fillers.append(Filler(row["type"].lower(), tokens[0], tokens[-1] + 1))
        except DataError as error:
            raise row.wrong(str(error)) from None
    return frames


def _links(
    tables: Mapping[str, Mapping[str, _Row]], frames: _Frames
) -> dict[str, tuple[list[ActionLink], list[FillerLink]]]:
    links: dict[str, tuple[list[ActionLink], list[FillerLink]]] = {}

    def ends(row: _Row, noun: str, places: Mapping[str, tuple[Any, ...]]) -> tuple[str, tuple[Any, ...], Any]:
        kind = "action" if noun == "action" else "filler"
        annotation, *ref = row.find(places, f"ref_{noun}_id", kind)
        other, *hyp = row.find(places, f"hypo_{noun}_id", kind)
        if tables["annotations"][other]["ref_id"] != annotation:
            raise row.wrong(f"the link joins annotation {other} with {annotation}, which is not its reference.")
        if row["type"] not in _STRENGTHS:
            raise row.wrong(f"type is {row['type']!r}; expected {', '.join(_STRENGTHS)}.")
        return other, (tuple(ref), tuple(hyp)), _STRENGTHS[row["type"]]

    for row in tables["action_aligns"].values():
        owner, (ref, hyp), strength = ends(row, "action", frames.actions)
        links.setdefault(owner, ([], []))[0].append(ActionLink(ref[0], hyp[0], strength))
    for row in tables["slot_aligns"].values():
        owner, (ref, hyp), strength = ends(row, "slot", frames.fillers)
        links.setdefault(owner, ([], []))[1].append(FillerLink(ref, hyp, strength))
    return links


def _texts(folder: Path, names: Mapping[str, str]) -> dict[tuple[str, str, str | None], tuple[str, ...]]:
    if _find(folder, "sentences_text") is None:
        return {}
    return {
        (
            row["language"],
            _segment(row),
            None if row["version"] in _REFERENCE else names.get(row["version"], row["version"]),
        ): tuple(row["text"].split(" ")) if row["text"] else ()
        for row in _read_table(folder, "sentences_text").values()
    }


def _segment(sentence: _Row) -> str:
    return f"{sentence['segment']}.{sentence['number']}"


def _tokens(row: _Row) -> list[int]:
    cells = row["tokens"].split(",")
    if not all(cell.isascii() and cell.isdigit() for cell in cells):
        raise row.wrong(f"tokens are whole numbers from 0 on, joined by commas; got {row['tokens']!r}.")
    return [int(cell) for cell in cells]


def _find(folder: Path, name: str) -> Path | None:
    candidates = [folder / f"{name}{end}" for end in ("", ".gz", ".tsv", ".tsv.gz", ".xz", ".zst")]
    return next((path for path in candidates if path.is_file()), None)


def _read_table(folder: Path, name: str) -> dict[str, _Row]:
    """The rows of one table by their ids."""
    path = _find(folder, name)
    if path is None:
        raise DataError(f"{folder} has no table {name!r} ({name}, {name}.tsv, {name}.gz): a study of frames needs it.")
    columns = _COLUMNS[name]
    lines = read_lines(path)
    if not lines or tuple(lines[0].split("\t")) != columns:
        raise FormatError(f"expected a header line with the columns {', '.join(columns)}, by tabs.", path=path, line=1)
    rows: dict[str, _Row] = {}
    for number, line in enumerate(lines[1:], start=2):
        cells = line.split("\t")
        if len(cells) != len(columns):
            raise FormatError(f"the line has {len(cells)} cells for {len(columns)} columns.", path=path, line=number)
        if cells[0] in rows:
            raise FormatError(f"the id {cells[0]!r} stands on line {rows[cells[0]].line} too.", path=path, line=number)
        rows[cells[0]] = _Row(path, number, dict(zip(columns, cells, strict=True)))
    return rows


def write_frames(study: FrameStudy, folder: StrPath) -> None:
    """Write a study as tables that `read_frames` reads back equal; ids are numbered anew."""
    place = Path(folder)
    place.mkdir(parents=True, exist_ok=True)
    rows: dict[str, list[str]] = {name: ["\t".join(columns)] for name, columns in _COLUMNS.items()}
    sentences: dict[tuple[str, str, str | None], str] = {}
    ids = {name: count() for name in _COLUMNS}

    def add(table: str, *cells: object) -> str:
        key = str(next(ids[table]))
        rows[table].append("\t".join([key, *map(str, cells)]))
        return key

    def sentence(lang: str, segment: str, system: str | None) -> str:
        if (lang, segment, system) not in sentences:
            part, dot, number = segment.rpartition(".")
            if not dot:
                raise DataError(f"A segment is written as part.number in these tables; got {segment!r}.")
            tokens = study.texts.get((lang, segment, system), ())
            head = (lang, part, number, "reference" if system is None else system)
            sentences[lang, segment, system] = add("sentences", *head, len(tokens))
            add("sentences_text", *head, " ".join(tokens))
        return sentences[lang, segment, system]

    def mark(annotation: str, frames: tuple[Frame, ...]) -> tuple[list[str], dict[tuple[int, int], str]]:
        actions, fillers = [], {}
        for number, frame in enumerate(frames):
            actions.append(add("actions", annotation, frame.action))
            for spot, filler in enumerate(frame.fillers):
                tokens = ",".join(map(str, range(filler.start, filler.end)))
                fillers[number, spot] = add("slots", actions[-1], filler.role.upper(), tokens)
        return actions, fillers

    for reference in study.references:
        text = sentence(reference.lang, reference.segment, None)
        mark(add("annotations", text, reference.annotator, "NULL"), reference.frames)
    for each in study.annotations:
        text = sentence(each.lang, each.segment, each.system)
        sentence(each.lang, each.segment, None)
        copied = add("annotations", text, each.annotator, "NULL")
        own = add("annotations", text, each.annotator, copied)
        (ref_actions, ref_fillers), (hyp_actions, hyp_fillers) = mark(copied, each.ref), mark(own, each.hyp)
        for action in each.action_links:
            add("action_aligns", ref_actions[action.ref], hyp_actions[action.hyp], action.strength or "undefined")
        for link in each.filler_links:
            add("slot_aligns", ref_fillers[link.ref], hyp_fillers[link.hyp], link.strength or "undefined")
    for name, lines in _written(rows, bool(study.texts)):
        write_lines(place / f"{name}.tsv", lines)


def _written(rows: Mapping[str, list[str]], has_texts: bool) -> Iterator[tuple[str, list[str]]]:
    return ((name, lines) for name, lines in rows.items() if has_texts or name != "sentences_text")
