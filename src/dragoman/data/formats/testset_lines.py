"""A test set as a folder of line files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from dragoman.data.formats.base import Format
from dragoman.data.formats.gather import built, check_replaceable, check_writable
from dragoman.data.formats.tables import TsvFormat
from dragoman.data.parallel import check_parallel
from dragoman.data.records import Records
from dragoman.data.testset import TestSet
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, atomic_folder, plain_name, read_lines, write_lines

__all__ = ["DOCUMENTS", "TestSetLines", "read_documents"]

DOCUMENTS = "documents.tsv"

_FILE = re.compile(r"(source|reference-.+?|systems/.+?)(?:\.([A-Za-z0-9-]+))?")
_FIELDS = {"doc": "docs", "domain": "domains", "origlang": "origlangs"}


@dataclass(frozen=True)
class TestSetLines(Format):
    """A folder of line files: `source.LANG`, `reference-NAME.LANG`, `systems/NAME.LANG`, `documents.tsv`.

    The suffix is the language, `.txt` where it is not known; any file may be compressed. `documents.tsv` has a header
    and the columns `segment` (from 1), `doc`, `domain`, `origlang`; an empty cell is a missing domain or language.
    References and systems come in the order of their names; other files in the folder are left alone. The set is
    called after the folder.
    """

    name: ClassVar[str] = "testset-lines"
    holds: ClassVar[type] = TestSet

    @classmethod
    def recognises(cls, path: StrPath) -> bool:
        """A folder with at least a source, a reference or a system in it."""
        folder = Path(path)
        return folder.is_dir() and any(_FILE.fullmatch(name) for name in _text_files(folder))

    def read(self, path: StrPath) -> TestSet:
        """The files of the folder as one test set."""
        folder = Path(path)
        if not folder.is_dir():
            raise DataError(
                f"{folder} is a file; a folder was expected." if folder.exists() else f"There is no folder {folder}."
            )
        files = {name: file for name, file in _text_files(folder).items() if _FILE.fullmatch(name)}
        if not files:
            raise FormatError("the folder has no source.LANG, reference-NAME.LANG or systems/NAME.LANG.", path=folder)
        lines = {name: read_lines(folder / file) for name, file in files.items()}
        labels = read_documents(folder / DOCUMENTS) if (folder / DOCUMENTS).is_file() else {}
        try:
            named = {files[name]: stream for name, stream in lines.items()}
            check_parallel({**named, DOCUMENTS: next(iter(labels.values()), None)})
        except DataError as error:
            raise FormatError(str(error), path=folder) from None
        sources = [name for name in lines if _parts(name)[0] == "source"]
        if len(sources) > 1:
            raise FormatError(f"there are two sources, {sources[0]} and {sources[1]}.", path=folder)
        return built(
            folder,
            name=folder.resolve().name,
            source_lang=_language(folder, sources),
            target_lang=_language(folder, [name for name in lines if name not in sources]),
            srcs=lines[sources[0]] if sources else None,
            refs=_streams(lines, "reference-"),
            systems=_streams(lines, "systems/"),
            **labels,
        )

    def write(self, value: TestSet, path: StrPath) -> None:
        """Write the folder, replacing an older one if nothing but a test set is in it."""
        folder = Path(path)
        check_writable(value, self.name)
        for name, lines in value.refs.items():
            if None in lines:
                raise DataError(
                    f"Reference {name!r} lacks segment {lines.index(None) + 1}; a line file cannot say so. "
                    "Write testset-jsonl or testset-tsv instead."
                )
        check_replaceable(folder, lambda name: name == DOCUMENTS or _FILE.fullmatch(name) is not None)
        source, target = value.source_lang or "txt", value.target_lang or "txt"
        with atomic_folder(folder) as new:
            if value.srcs is not None:
                write_lines(new / f"source.{source}", value.srcs)
            for name, ref in value.refs.items():
                write_lines(new / f"reference-{name}.{target}", (line or "" for line in ref))
            if value.systems:
                (new / "systems").mkdir()
            for name, hyps in value.systems.items():
                write_lines(new / "systems" / f"{name}.{target}", hyps)
            _write_documents(value, new / DOCUMENTS)

    def loses(self, value: TestSet) -> list[str]:
        """A language that no file carries in its name."""
        lost = ["source_lang"] if value.source_lang and value.srcs is None else []
        return lost + (["target_lang"] if value.target_lang and not value.refs and not value.systems else [])


def read_documents(path: StrPath) -> dict[str, list[Any]]:
    """The columns of a `documents.tsv` as fields of a test set: `docs`, `domains`, `origlangs`."""
    records = TsvFormat().read(path)
    unknown = sorted(set(records.columns) - {"segment", *_FIELDS})
    if unknown:
        raise FormatError(f"column {unknown[0]!r} is none of segment, doc, domain, origlang.", path=path, line=1)
    for number, segment in enumerate(records.column("segment") if "segment" in records.columns else (), start=1):
        if segment != str(number):
            raise FormatError(f"segment {segment!r} stands where {number} should.", path=path, line=number + 1)
    if "doc" in records.columns and "" in records.column("doc"):
        raise FormatError("the document has no name.", path=path, line=records.column("doc").index("") + 2)
    return {
        _FIELDS[name]: [cell or None for cell in records.column(name)] for name in records.columns if name in _FIELDS
    }


def _write_documents(value: TestSet, path: Path) -> None:
    columns = {column: getattr(value, field) for column, field in _FIELDS.items() if getattr(value, field) is not None}
    if columns:
        segments = [str(number) for number in range(1, len(value) + 1)]
        rows = zip(segments, *columns.values(), strict=True)
        TsvFormat().write(Records(["segment", *columns], list(rows)), path)


def _text_files(folder: Path) -> dict[str, str]:
    """The files of the folder and of `systems/`: path without compression suffix → path, sorted."""
    files: dict[str, str] = {}
    for place in (folder, folder / "systems"):
        for file in sorted(place.iterdir() if place.is_dir() else ()):
            if file.name.startswith(".") or not file.is_file():
                continue
            name = file.with_name(plain_name(file)).relative_to(folder).as_posix()
            if name in files and _FILE.fullmatch(name):
                raise FormatError(f"{files[name]} and {file.relative_to(folder)} are the same stream.", path=folder)
            files[name] = file.relative_to(folder).as_posix()
    return files


def _streams(lines: Mapping[str, list[str]], prefix: str) -> dict[str, list[str]]:
    return {_parts(name)[0].removeprefix(prefix): lines[name] for name in lines if name.startswith(prefix)}


def _language(folder: Path, names: list[str]) -> str | None:
    languages = {language: name for name in reversed(names) if (language := _parts(name)[1]) is not None}
    if len(languages) > 1:
        shown = ", ".join(sorted(languages.values()))
        raise FormatError(f"the files of one side are in different languages: {shown}.", path=folder)
    return next(iter(languages), None)


def _parts(name: str) -> tuple[str, str | None]:
    """`systems/atlas` and `en` of `systems/atlas.en`."""
    match = _FILE.fullmatch(name)
    stem, suffix = match.groups() if match else (name, None)
    return stem, None if suffix == "txt" else suffix
