"""Bitexts as one file with a pair a line: tab-separated, or JSON objects."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

from dragoman.data.bitext import Bitext, Pair, PairSource
from dragoman.data.formats.base import Format
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, iter_lines, write_lines
from dragoman.notation import parse_json
from dragoman.options import check_options, option

__all__ = ["BitextJsonl", "BitextTsv", "lost_languages"]


def lost_languages(value: Bitext) -> list[str]:
    """The languages that a bitext has, for a format that has no place for them."""
    return [name for name in ("source_lang", "target_lang") if getattr(value, name)]


@dataclass(frozen=True)
class BitextTsv(Format):
    """A pair a line, separated by a tab; nothing is quoted, so neither tab nor line break can be inside a text.

    `columns` says where source and target stand: numbers as `cut -f` counts them, or names, and then the first line
    must be a header. Lines with more columns are refused unless `extra` is `ignore`.
    """

    name: ClassVar[str] = "bitext-tsv"
    holds: ClassVar[type] = Bitext
    suffixes: ClassVar[tuple[str, ...]] = (".tsv",)

    source_lang: str | None = option(None, text="BCP 47 tag of the source")
    target_lang: str | None = option(None, text="BCP 47 tag of the target")
    columns: tuple[int | str, int | str] = option((1, 2), text="source and target, by number from 1 or by name")
    extra: Literal["error", "ignore"] = option(
        "error", choices=("error", "ignore"), text="what to do with more columns"
    )

    def __post_init__(self) -> None:
        check_options(self)
        # Options that come as text name a column 2 as "2".
        columns = tuple(int(c) if isinstance(c, str) and c.isascii() and c.isdigit() else c for c in self.columns)
        object.__setattr__(self, "columns", columns)
        if len(columns) != 2:
            raise DataError(f"A pair has two columns, source and target; got columns={self.columns}.")
        for column in self.columns:
            if isinstance(column, int) and column < 1:
                raise DataError(f"Columns are counted from 1 on, got {column}.")
        if self.columns[0] == self.columns[1]:
            raise DataError(f"Source and target cannot both be column {self.columns[0]}.")

    @property
    def has_header(self) -> bool:
        """Whether the first line names the columns."""
        return any(isinstance(column, str) for column in self.columns)

    def read(self, path: StrPath) -> Bitext:
        """The bitext; the file is opened when it is iterated."""
        return Bitext((_TsvPairs(os.fspath(path), self),), self.source_lang, self.target_lang)

    def write(self, value: Bitext, path: StrPath) -> None:
        """Write the pairs as two columns, with a header if `columns` are names."""
        if not self.has_header and self.columns != (1, 2):
            raise DataError(f"Pairs are written as columns 1 and 2; columns={self.columns} is for reading.")
        write_lines(path, self._lines(value))

    def _lines(self, value: Bitext) -> Iterator[str]:
        if self.has_header:
            yield f"{self.columns[0]}\t{self.columns[1]}"
        for number, (src, tgt) in enumerate(value, start=1):
            if "\t" in src or "\t" in tgt or "\n" in src or "\n" in tgt:
                text = src if "\t" in src or "\n" in src else tgt
                raise DataError(
                    f"Pair {number} of {value.label} has a tab or line break inside ({text[:60]!r}), which TSV cannot "
                    "hold. Write JSONL or TMX."
                )
            yield f"{src}\t{tgt}"

    def loses(self, value: Bitext) -> list[str]:
        """The languages."""
        return lost_languages(value)


@dataclass(frozen=True)
class _TsvPairs(PairSource):
    path: str
    form: BitextTsv

    @property
    def label(self) -> str:
        return self.path

    def pairs(self) -> Iterator[Pair]:
        lines = enumerate(iter_lines(self.path), start=1)
        src, tgt, width = self._places(lines)
        for number, line in lines:
            fields = line.split("\t")
            if len(fields) < width or (len(fields) > width and self.form.extra == "error"):
                few = len(fields) < width
                cure = "Is it tab-separated?" if few else "Choose with columns=…, and extra='ignore' for the rest."
                raise FormatError(
                    f"the line has {len(fields)} column{'s' * (len(fields) != 1)}, not {width}. {cure}",
                    path=self.path,
                    line=number,
                )
            yield fields[src], fields[tgt]

    def _places(self, lines: Iterator[tuple[int, str]]) -> tuple[int, int, int]:
        """Where source and target stand, from 0, and how many columns a line must have."""
        columns = self.form.columns
        header = next(lines, (1, ""))[1].split("\t") if self.form.has_header else []
        for column in columns:
            if isinstance(column, str) and header.count(column) != 1:
                times = "twice" if column in header else "not"
                raise FormatError(
                    f"the header has the column {column!r} {times}; it has {', '.join(map(repr, header))}.",
                    path=self.path,
                    line=1,
                )
        src, tgt = (header.index(column) if isinstance(column, str) else column - 1 for column in columns)
        return src, tgt, len(header) if header else max(src, tgt) + 1


@dataclass(frozen=True)
class BitextJsonl(Format):
    """A JSON object a line, with the source in the field `src` and the target in `tgt`.

    Other names can be given, with dots for objects inside (`translation.de`). Further fields are read over.
    """

    name: ClassVar[str] = "bitext-jsonl"
    holds: ClassVar[type] = Bitext
    suffixes: ClassVar[tuple[str, ...]] = (".jsonl",)

    source_lang: str | None = option(None, text="BCP 47 tag of the source")
    target_lang: str | None = option(None, text="BCP 47 tag of the target")
    src: str = option("src", text="field of the source; dots lead into objects")
    tgt: str = option("tgt", text="field of the target")

    def read(self, path: StrPath) -> Bitext:
        """The bitext; the file is opened when it is iterated."""
        return Bitext((_JsonlPairs(os.fspath(path), self),), self.source_lang, self.target_lang)

    def write(self, value: Bitext, path: StrPath) -> None:
        """Write one object a pair."""
        write_lines(path, (json.dumps(self._record(pair), ensure_ascii=False) for pair in value))

    def _record(self, pair: Pair) -> dict[str, Any]:
        record: dict[str, Any] = {}
        for field, text in zip((self.src, self.tgt), pair, strict=True):
            *outer, last = field.split(".")
            inner = record
            for key in outer:
                inner = inner.setdefault(key, {})
            inner[last] = text
        return record

    def loses(self, value: Bitext) -> list[str]:
        """The languages."""
        return lost_languages(value)


@dataclass(frozen=True)
class _JsonlPairs(PairSource):
    path: str
    form: BitextJsonl

    @property
    def label(self) -> str:
        return self.path

    def pairs(self) -> Iterator[Pair]:
        src, tgt = self.form.src.split("."), self.form.tgt.split(".")
        for number, line in enumerate(iter_lines(self.path), start=1):
            record = parse_json(line, path=self.path, line=number)
            yield self._text(record, src, number), self._text(record, tgt, number)

    def _text(self, record: Any, keys: list[str], number: int) -> str:
        value = record
        for depth, key in enumerate(keys):
            if not isinstance(value, dict) or key not in value:
                fields = ", ".join(map(repr, value)) if isinstance(value, dict) else "no object"
                field = ".".join(keys[: depth + 1])
                raise FormatError(
                    f"the object has no field {field!r}, but {fields}. Name the fields with src=… and tgt=….",
                    path=self.path,
                    line=number,
                )
            value = value[key]
        if not isinstance(value, str):
            kind = "null" if value is None else type(value).__name__
            raise FormatError(f"the field {'.'.join(keys)!r} holds {kind}, not text.", path=self.path, line=number)
        return value
