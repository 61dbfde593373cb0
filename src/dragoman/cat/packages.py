"""A translation project in one file, to be handed on: a zip with its files, segments, memories and glossaries.

manifest.json        schema, version, names, languages, who works on what; what follows with check sums
files/…              the original files, byte for byte
segments.jsonl       one segment a line: file, unit, place, source, target, state
memories/….tmx       translation memories
glossaries/….tsv     terms
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import pairwise
from typing import Any, get_args

from dragoman.cat.files.base import FILE_FORMATS, FileFormat
from dragoman.cat.files.zips import MOST_UNPACKED, Archive
from dragoman.cat.segmentation import join
from dragoman.cat.segments import Segment, State, Target, Unit
from dragoman.errors import DataError, FormatError
from dragoman.notation import parse_json
from dragoman.store.judging.zips import zipped

__all__ = ["PACKAGE_VERSION", "Package", "PackageFile", "PackageJob", "PackageMemory", "PackageSegment", "check_name"]

PACKAGE_VERSION = 1
_SCHEMA = "dragoman-translation-package"


@dataclass(frozen=True)
class PackageFile:
    """A file of a project as it was given, and the specification of its format (`csv:source=en,target=de`)."""

    name: str
    content: bytes
    format: str

    def form(self) -> FileFormat:
        """Its format."""
        return FILE_FORMATS.make(self.format)

    def units(self) -> list[Unit]:
        """What it has for translation."""
        return self.form().units(self.content, name=self.name)


@dataclass(frozen=True)
class PackageSegment:
    """A segment of a file's unit, and how far its translation is."""

    file: str
    unit: str
    begin: int
    end: int
    source: str
    target: str | None = None
    state: State = "new"


@dataclass(frozen=True)
class PackageJob:
    """Segments of somebody, by their places, both included."""

    user: str
    role: str
    first: int
    last: int


@dataclass(frozen=True)
class PackageMemory:
    """How a project uses one of its memories."""

    penalty: float = 0
    writes: bool = False  # confirmed segments go there


@dataclass(frozen=True)
class Package:
    """A project: everything that another server or a translator at home needs to go on."""

    name: str
    source_lang: str
    target_lang: str
    files: tuple[PackageFile, ...]
    segments: tuple[PackageSegment, ...] = ()
    memories: Mapping[str, bytes] = field(default_factory=dict)  # TMX by name
    glossaries: Mapping[str, bytes] = field(default_factory=dict)  # TSV by name
    settings: Mapping[str, Any] = field(default_factory=dict)  # of whoever made it, as JSON can say it
    uses: Mapping[str, PackageMemory] = field(default_factory=dict)  # of memories, by name
    jobs: tuple[PackageJob, ...] = ()

    def to_bytes(self) -> bytes:
        """The package as a zip; the same project gives the same bytes."""
        entries = {f"files/{check_name(each.name)}": each.content for each in self.files}
        if len(entries) < len(self.files):
            raise DataError("Two files of the project have one name; rename one of them.")
        entries |= {f"memories/{check_name(name)}.tmx": content for name, content in self.memories.items()}
        entries |= {f"glossaries/{check_name(name)}.tsv": content for name, content in self.glossaries.items()}
        manifest = {
            "schema": _SCHEMA,
            "version": PACKAGE_VERSION,
            "name": self.name,
            "source_lang": self.source_lang,
            "target_lang": self.target_lang,
            "files": [{"name": each.name, "format": each.format} for each in self.files],
            "memories": list(self.memories),
            "glossaries": list(self.glossaries),
            "settings": dict(self.settings),
            "uses": {name: asdict(each) for name, each in self.uses.items()},
            "jobs": [asdict(each) for each in self.jobs],
            "sha256": {name: hashlib.sha256(content).hexdigest() for name, content in sorted(entries.items())},
        }
        lines = [json.dumps(asdict(each), ensure_ascii=False) for each in self.segments]
        entries["manifest.json"] = json.dumps(manifest, ensure_ascii=False, indent=1).encode()
        entries["segments.jsonl"] = "".join(f"{line}\n" for line in lines).encode()
        return zipped(entries)

    @classmethod
    def from_bytes(cls, content: bytes, *, name: str = "package.zip") -> Package:
        """The project in a package. A newer one, a damaged one or none raises `FormatError` with the reason."""
        archive = Archive.of(content, name, most_bytes=MOST_UNPACKED)
        manifest = _manifest(archive)
        entries = {each: _entry(archive, each, digest) for each, digest in manifest["sha256"].items()}
        files = tuple(
            PackageFile(each["name"], _of(archive, entries, f"files/{check_name(each['name'])}"), each["format"])
            for each in manifest["files"]
        )
        return cls(
            manifest["name"],
            manifest["source_lang"],
            manifest["target_lang"],
            files,
            tuple(_segments(archive, {each.name for each in files})),
            {each: _of(archive, entries, f"memories/{check_name(each)}.tmx") for each in manifest["memories"]},
            {each: _of(archive, entries, f"glossaries/{check_name(each)}.tsv") for each in manifest["glossaries"]},
            manifest["settings"],
            {name: _use(archive, each) for name, each in manifest["uses"].items()},
            tuple(_job(archive, each) for each in manifest["jobs"]),
        )

    def translated(self, file: str) -> bytes:
        """A file with the targets of its segments; a unit stays as it was until all its segments have one."""
        original = next((each for each in self.files if each.name == file), None)
        if original is None:
            raise DataError(f"The project has no file {file!r}. It has {', '.join(each.name for each in self.files)}.")
        by_unit: dict[str, list[PackageSegment]] = {}
        for segment in self.segments:
            if segment.file == file:
                by_unit.setdefault(segment.unit, []).append(segment)
        targets = {
            unit.key: _target(unit, by_unit[unit.key])
            for unit in original.units()
            if unit.translate and unit.key in by_unit and all(each.target for each in by_unit[unit.key])
        }
        langs = (self.source_lang, self.target_lang)
        return original.form().fill(original.content, targets, langs=langs, name=file)


def check_name(name: str) -> str:
    """A name that stays inside the folder that it is written to."""
    parts = name.split("/")
    if (
        not name
        or "\\" in name
        or "\0" in name
        or name.startswith("/")
        or any(each in {"", ".", ".."} for each in parts)
    ):
        raise DataError(f"{name[:80]!r} is no name of a file in a project: use plain names, folders with /.")
    return name


_ORDER: Sequence[State] = ("rejected", "new", "draft", "translated", "approved")


def _target(unit: Unit, segments: Sequence[PackageSegment]) -> Target:
    """The target of a unit; it is as far as the least of its segments."""
    ordered = sorted(segments, key=lambda each: each.begin)
    places = [Segment(each.unit, each.begin, each.end, each.source) for each in ordered]
    text = join(unit, places, [each.target or "" for each in ordered])
    return Target(text, min((each.state for each in ordered), key=_ORDER.index))


_FIELDS: dict[str, type] = {
    "name": str,
    "source_lang": str,
    "target_lang": str,
    "files": list,
    "memories": list,
    "glossaries": list,
    "settings": dict,
    "uses": dict,
    "jobs": list,
    "sha256": dict,
}
_NEW: dict[str, Any] = {"uses": {}, "jobs": []}  # which packages that were made earlier lack


def _manifest(archive: Archive) -> dict[str, Any]:
    if "manifest.json" not in archive.names():
        raise archive.error("it is no translation package: it has no manifest.json")
    manifest = parse_json(archive.read("manifest.json"), path=f"{archive.name}/manifest.json")
    if not isinstance(manifest, dict) or manifest.get("schema") != _SCHEMA:
        raise archive.error("it is no translation package of Dragoman's: its manifest has another schema")
    version = manifest.get("version")
    if version != PACKAGE_VERSION:
        raise archive.error(
            f"it is a package of version {version}, this Dragoman reads version {PACKAGE_VERSION}. Export it with this "
            "version, or update"
        )
    manifest = _NEW | manifest
    wrong = [key for key, kind in _FIELDS.items() if not isinstance(manifest.get(key), kind)]
    wrong += ["files"] * (not wrong and not all(_is_file(each) for each in manifest["files"]))
    wrong += [key for key in ("memories", "glossaries") if not wrong and not _are_texts(manifest[key])]
    wrong += ["name"] * (not wrong and not manifest["name"].isprintable())
    if wrong:
        raise archive.error(f"its manifest has no valid {', '.join(wrong)}")
    return manifest


def _is_file(each: Any) -> bool:
    return isinstance(each, dict) and all(isinstance(each.get(key), str) for key in ("name", "format"))


def _are_texts(values: list[Any]) -> bool:
    return all(isinstance(each, str) for each in values)


def _use(archive: Archive, row: Any) -> PackageMemory:
    fits = isinstance(row, dict) and row.keys() == {"penalty", "writes"}
    if not fits or type(row["penalty"]) not in (int, float) or not 0 <= row["penalty"] <= 100:
        raise archive.error(f"its manifest has no valid uses: {str(row)[:80]!r}")
    return PackageMemory(float(row["penalty"]), row["writes"] is True)


def _job(archive: Archive, row: Any) -> PackageJob:
    kinds = {"user": str, "role": str, "first": int, "last": int}
    if not isinstance(row, dict) or {name: type(value) for name, value in row.items()} != kinds:
        raise archive.error(f"its manifest has no valid jobs: {str(row)[:80]!r}")
    return PackageJob(**row)


def _entry(archive: Archive, name: str, digest: str) -> bytes:
    content = archive.read(name)
    if hashlib.sha256(content).hexdigest() != digest:
        raise archive.error(f"its entry {name!r} is not what was packed: the check sum differs")
    return content


def _of(archive: Archive, entries: Mapping[str, bytes], name: str) -> bytes:
    if name not in entries:
        raise archive.error(f"its manifest has no check sum for {name!r}")
    return entries[name]


def _segments(archive: Archive, files: set[str]) -> list[PackageSegment]:
    path = f"{archive.name}/segments.jsonl"
    segments = []
    places = []
    for number, line in enumerate(archive.read("segments.jsonl").decode("utf-8", "replace").split("\n"), start=1):
        if not line:
            continue
        row = parse_json(line, path=path, line=number)
        try:
            segment = PackageSegment(**row)
        except TypeError:
            raise FormatError("this is no segment: it has other fields.", path=path, line=number) from None
        if not _is_segment(segment):
            raise FormatError(f"the segment has a wrong state, text or place: {line[:80]!r}.", path=path, line=number)
        if segment.file not in files:
            raise FormatError(f"the segment is of a file {segment.file!r}, which is not here.", path=path, line=number)
        segments.append(segment)
        places.append((segment.file, segment.unit, segment.begin, segment.end, number))
    for one, other in pairwise(sorted(places)):
        if one[:2] == other[:2] and (one[2] == other[2] or one[3] > other[2]):
            first, second = sorted((one[-1], other[-1]))
            raise FormatError(f"the segment has text of the one in line {first}.", path=path, line=second)
    return segments


def _is_segment(segment: PackageSegment) -> bool:
    has_place = type(segment.begin) is type(segment.end) is int and 0 <= segment.begin <= segment.end
    texts = (
        segment.file,
        segment.unit,
        segment.source,
        segment.state,
        "" if segment.target is None else segment.target,
    )
    return has_place and _are_texts(list(texts)) and segment.state in get_args(State)
