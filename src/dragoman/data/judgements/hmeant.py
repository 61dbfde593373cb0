"""The annotations of Birch et al. (WMT 2013) as they were released: seven tables in a folder, joined by numbers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NoReturn

from dragoman.data.judgements.base import Judgements
from dragoman.data.judgements.files import JudgementFormat, write_tsv
from dragoman.data.judgements.frame_json import LINK_TYPES, ROLE_TYPES, Frame, Link, Role, frames_json, parse_frames
from dragoman.data.judgements.rows import RowCollector
from dragoman.data.judgements.semantic_frames import FRAMES
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, atomic_folder, read_lines
from dragoman.notation import whole_number

__all__ = ["HmeantFolder"]

_TABLES = {
    "sentences": ("id", "language", "segment", "number", "version", "length"),
    "sentences_text": ("id", "language", "segment", "number", "version", "text"),
    "annotations": ("id", "sentence_id", "annotator", "ref_id"),
    "actions": ("id", "annotation_id", "tokens"),
    "slots": ("id", "action_id", "type", "tokens"),
    "action_aligns": ("id", "ref_action_id", "hypo_action_id", "type"),
    "slot_aligns": ("id", "ref_slot_id", "hypo_slot_id", "type"),
}
_NONE = "NULL"
_REFERENCE = "00"  # the version of a reference
_OPTIONAL = "sentences"  # the same as sentences_text but for lengths, which follow from the texts


@dataclass(frozen=True)
class _Table:
    """The rows of one table by their numbers, with the lines they stand on."""

    path: Path
    rows: dict[str, tuple[int, dict[str, str]]]

    def fail(self, message: str, line: int) -> NoReturn:
        raise FormatError(message, path=self.path, line=line)

    def values(self) -> list[tuple[int, dict[str, str]]]:
        return list(self.rows.values())


@dataclass(frozen=True)
class HmeantFolder(JudgementFormat):
    """Semantic frames and their alignment as released for WMT 2013: a folder of seven tables.

    A row is one annotator's work on one sentence; its frames hold the roles and what they correspond to in the
    annotation of the reference that the row names. That is a copy, made for each output: it goes by the output's
    sentence, and its text is the reference's. Numbers of frames and roles are given anew when it is written.
    """

    name: ClassVar[str] = "hmeant"
    kind: ClassVar[str] = "semantic-frames"

    @classmethod
    def recognises(cls, path: StrPath) -> bool:
        """A folder with the tables."""
        return all(_find(Path(path), name) is not None for name in _TABLES if name != _OPTIONAL)

    @classmethod
    def is_shown_by(cls, head: str, path: StrPath) -> bool:  # noqa: ARG003 - the contract
        """Never: it is no file."""
        return False

    def read(self, path: StrPath) -> Judgements:
        """The annotations in the order of their table; a number that leads nowhere raises with table and line."""
        folder = Path(path)
        if not folder.is_dir():
            raise DataError(f"There is no folder {folder}.")
        tables = {name: _read_table(folder, name) for name in _TABLES if name != _OPTIONAL}
        frames = _frames(tables)
        texts = {
            _place(row): row["text"] for _, row in tables["sentences_text"].values() if row["version"] == _REFERENCE
        }
        collector = RowCollector(folder / "annotations", format=self.name, on_bad=self.on_bad)
        for line, row in tables["annotations"].values():
            sentence = _follow(tables["annotations"], line, row["sentence_id"], tables["sentences_text"])
            is_reference = row["ref_id"] == _NONE
            if not is_reference:
                _follow(tables["annotations"], line, row["ref_id"], tables["annotations"])
            collector.add(
                line,
                {
                    "annotator": row["annotator"],
                    "item": row["id"],
                    "sentence": row["sentence_id"],
                    "language": sentence["language"],
                    "unit": sentence["segment"],
                    "number": sentence["number"],
                    "version": sentence["version"],
                    "is_reference": is_reference,
                    "text": texts.get(_place(sentence)) if is_reference else sentence["text"],
                    "reference": None if is_reference else row["ref_id"],
                    "frames": frames_json(frames.get(row["id"], ())),
                },
            )
        return collector.finish(FRAMES)

    def write_rows(self, value: Judgements, path: StrPath) -> None:
        """The seven tables."""
        tables = _numbered(value)
        with atomic_folder(path) as folder:
            for name, columns in _TABLES.items():
                write_tsv(folder / name, [list(columns), *tables[name]])


def _place(sentence: dict[str, str]) -> tuple[str, str, str]:
    return sentence["language"], sentence["segment"], sentence["number"]


def _find(folder: Path, name: str) -> Path | None:
    return next((path for path in (folder / name, folder / f"{name}.gz") if path.is_file()), None)


def _read_table(folder: Path, name: str) -> _Table:
    path = _find(folder, name)
    if path is None:
        raise DataError(f"{folder}: the folder has no table {name}; expected {', '.join(_TABLES)}.")
    rows: dict[str, tuple[int, dict[str, str]]] = {}
    table = _Table(path, rows)
    for line, text in enumerate(read_lines(path), start=1):
        cells = text.split("\t")
        if line == 1:
            if tuple(cells) != _TABLES[name]:
                table.fail(f"the columns are {', '.join(cells)}; expected {', '.join(_TABLES[name])}.", line)
            continue
        if len(cells) != len(_TABLES[name]):
            table.fail(f"the line has {len(cells)} cells for {len(_TABLES[name])} columns.", line)
        row = dict(zip(_TABLES[name], cells, strict=True))
        if row["id"] in rows:
            table.fail(f"the id {row['id']!r} is there a second time, first on line {rows[row['id']][0]}.", line)
        rows[row["id"]] = (line, row)
    return table


def _follow(table: _Table, line: int, number: str, other: _Table) -> dict[str, str]:
    """The row of another table to which a number leads."""
    if number not in other.rows:
        table.fail(f"{number!r} leads nowhere: {other.path.name} has no such id.", line)
    return other.rows[number][1]


def _tokens(table: _Table, line: int, text: str) -> tuple[int, int]:
    """First token, and one behind the last, of a list `4,5,6`."""
    numbers = [number for cell in text.split(",") if (number := whole_number(cell)) is not None]
    if len(numbers) <= text.count(","):
        table.fail(f"tokens is {text[:60]!r}; expected numbers with commas between them.", line)
    if numbers != [numbers[0] + place for place in range(len(numbers))]:
        table.fail(f"tokens is {text[:60]!r}; expected neighbouring tokens.", line)
    return numbers[0], numbers[-1] + 1


def _links(aligns: _Table, what: str, elements: _Table) -> dict[str, tuple[str, str]]:
    """For each linked element of an output the element of the reference and the type."""
    links: dict[str, tuple[str, str]] = {}
    for line, row in aligns.values():
        for side in ("ref", "hypo"):
            _follow(aligns, line, row[f"{side}_{what}_id"], elements)
        if row["type"] not in LINK_TYPES:
            aligns.fail(f"type is {row['type']!r}; expected {', '.join(LINK_TYPES)}.", line)
        if row[f"hypo_{what}_id"] in links:
            aligns.fail(f"{what} {row[f'hypo_{what}_id']} of the output is linked a second time.", line)
        links[row[f"hypo_{what}_id"]] = (row[f"ref_{what}_id"], row["type"])
    return links


def _frames(tables: dict[str, _Table]) -> dict[str, tuple[Frame, ...]]:
    """The frames of each annotation, links included."""
    actions, slots = tables["actions"], tables["slots"]
    in_annotation: dict[str, list[str]] = {}
    frame_at: dict[str, int] = {}  # action → its place among the frames of its annotation
    for line, row in actions.values():
        _follow(actions, line, row["annotation_id"], tables["annotations"])
        ids = in_annotation.setdefault(row["annotation_id"], [])
        frame_at[row["id"]] = len(ids)
        ids.append(row["id"])
    in_action: dict[str, list[str]] = {}
    role_at: dict[str, int] = {}
    for line, row in slots.values():
        _follow(slots, line, row["action_id"], actions)
        if row["type"] not in ROLE_TYPES:
            slots.fail(f"type is {row['type']!r}; expected {', '.join(ROLE_TYPES)}.", line)
        ids = in_action.setdefault(row["action_id"], [])
        role_at[row["id"]] = len(ids)
        ids.append(row["id"])
    action_links = _links(tables["action_aligns"], "action", actions)
    slot_links = _links(tables["slot_aligns"], "slot", slots)

    def role(number: str) -> Role:
        line, row = slots.rows[number]
        link = None
        if number in slot_links:
            other, kind = slot_links[number]
            link = Link(frame_at[slots.rows[other][1]["action_id"]], role_at[other], kind)
        return Role(row["type"], *_tokens(slots, line, row["tokens"]), link)

    def frame(number: str) -> Frame:
        line, row = actions.rows[number]
        link = None
        if number in action_links:
            other, kind = action_links[number]
            link = Link(frame_at[other], None, kind)
        return Frame(_tokens(actions, line, row["tokens"])[0], tuple(map(role, in_action.get(number, ()))), link)

    return {name: tuple(map(frame, ids)) for name, ids in in_annotation.items()}


def _numbered(value: Judgements) -> dict[str, list[list[str]]]:
    """The tables that hold these judgements, elements numbered from 0."""
    tables: dict[str, list[list[str]]] = {name: [] for name in _TABLES}
    annotations = {str(row["item"]): parse_frames(str(row["frames"])) for row in value.rows()}
    if len(annotations) < len(value):
        raise DataError("Two annotations have the same item, and the tables join by it.")
    action_of: dict[tuple[str, int], str] = {}
    slot_of: dict[tuple[str, int, int], str] = {}
    for item, frames in annotations.items():
        for place, frame in enumerate(frames):
            action_of[item, place] = str(len(action_of))
            tables["actions"].append([action_of[item, place], item, str(frame.head)])
            for n, role in enumerate(frame.roles):
                slot_of[item, place, n] = str(len(slot_of))
                tokens = ",".join(map(str, range(role.start, role.end)))
                tables["slots"].append([slot_of[item, place, n], action_of[item, place], role.type, tokens])
    sentences: dict[str, list[str]] = {}
    for row in value.rows():
        item, reference = str(row["item"]), None if row["reference"] is None else str(row["reference"])
        if reference is not None and reference not in annotations:
            raise DataError(f"The annotation {item!r} names the reference {reference!r}, which is not there.")
        shown = [str(row[name]) for name in ("sentence", "language", "unit", "number", "version")]
        if sentences.setdefault(shown[0], [*shown, ""])[:5] != shown:
            raise DataError(f"The sentence {shown[0]!r} has two languages, units, numbers or versions.")
        if not row["is_reference"] or row["version"] == _REFERENCE:
            sentences[shown[0]][5] = str(row["text"] or "")
        tables["annotations"].append([item, shown[0], str(row["annotator"]), reference or _NONE])
        _add_links(tables, annotations[item], item, reference, action_of, slot_of)
    tables["sentences_text"] = list(sentences.values())
    tables["sentences"] = [[*row[:5], str(len(row[5].split()))] for row in sentences.values()]
    return tables


def _add_links(
    tables: dict[str, list[list[str]]],
    frames: tuple[Frame, ...],
    item: str,
    reference: str | None,
    action_of: dict[tuple[str, int], str],
    slot_of: dict[tuple[str, int, int], str],
) -> None:
    for place, frame in enumerate(frames):
        links: list[tuple[str, Link | None, str]] = [("action_aligns", frame.link, action_of[item, place])]
        links += [("slot_aligns", role.link, slot_of[item, place, n]) for n, role in enumerate(frame.roles)]
        for table, link, number in links:
            if link is None:
                continue
            other = (
                action_of.get((str(reference), link.frame))
                if link.role is None
                else slot_of.get((str(reference), link.frame, link.role))
            )
            if reference is None or other is None:
                raise DataError(f"A link of the annotation {item!r} leads to nothing in its reference.")
            tables[table].append([str(len(tables[table])), other, number, link.type])
