"""From one file format to another, and the format guessed where it is not named."""

from __future__ import annotations

from collections.abc import Sized
from contextlib import suppress
from dataclasses import dataclass
from os import fspath
from pathlib import Path
from typing import Any, ClassVar

from dragoman.data.formats.base import FORMATS, Format
from dragoman.data.records import Records
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.files import StrPath, iter_lines, plain_name
from dragoman.notation import parse_json
from dragoman.report.result import Result
from dragoman.report.table import Table

__all__ = ["Conversion", "convert", "guess_formats", "read_test_set", "write_test_set"]

_FOLDER = "testset-lines"  # what a test set becomes when the target has no suffix
_NOUNS = {
    "Bitext": "a bitext",
    "Judgements": "judgements",
    "Records": "a table",
    "TestSet": "a test set",
    "tuple": "lines of text",
}
_TABLE_KEYS = ("source", "ref:", "sys:")


@dataclass(frozen=True)
class Conversion(Result):
    """What was converted into what, how many items it has, and what the new format has no place for."""

    kind: ClassVar[str] = "conversion"

    source: str
    target: str
    from_format: str
    to_format: str
    holds: str  # TestSet, Bitext, Records …
    n_items: int | None  # segments, rows or lines; None where counting would mean reading it all again
    lost: tuple[str, ...] = ()  # by the new format, then by the reader of the old one
    passed_over: tuple[str, ...] = ()  # those of the reader

    def tables(self) -> list[Table]:
        """One row."""
        row = (self.source, self.target, self.from_format, self.to_format, self.n_items, ", ".join(self.lost) or None)
        notes = []
        if unwritten := [each for each in self.lost if each not in self.passed_over]:
            notes.append(f"{self.to_format} has no place for: {', '.join(unwritten)}.")
        if self.passed_over:
            notes.append(f"Passed over in the {self.from_format}: {', '.join(self.passed_over)}.")
        note = " ".join(notes)
        return [Table.of("", ["input", "output", "from", "to", "items", "lost"], [row], note=note)]

    def meta(self) -> dict[str, Any]:
        """The type that both formats hold."""
        return {"holds": self.holds}


def convert(
    source: StrPath, target: StrPath, *, from_format: str | None = None, to_format: str | None = None
) -> Conversion:
    """Read `source` and write it to `target` in another format that holds the same type.

    A format may be given with options, `mtme:pair=en-de`; one that is not named is told by the file's name. A `.tsv` or
    `.jsonl` is a test set if its columns say so, else a plain table. The target is written whole or not at all.
    """
    possible = [
        (reader, writer)
        for reader in ([from_format] if from_format else guess_formats(source) or ["lines"])
        for writer in ([to_format] if to_format else _target_formats(target))
        if _go_together(_class(reader), _class(writer))
    ]
    if not possible:
        raise _impossible(source, target, from_format, to_format)
    reader_name, writer_name = min(possible, key=lambda pair: _preference(pair[0], source))
    reader, writer = FORMATS.make(reader_name), FORMATS.make(writer_name)
    for each in (reader, writer):
        each.ready()
    value = reader.read(source)
    lost, passed_over = tuple(writer.loses(value)), tuple(reader.passes_over(source) if fspath(source) != "-" else ())
    writer.write(value, target)
    return Conversion(
        source=fspath(source),
        target=fspath(target),
        from_format=reader_name,
        to_format=writer_name,
        holds=reader.holds.__name__,
        n_items=len(value) if isinstance(value, Sized) else None,
        lost=(*lost, *passed_over),
        passed_over=passed_over,
    )


def guess_formats(path: StrPath, *, holds: type | None = None) -> list[str]:
    """The formats that `path` may have, judged by its name, or for a folder by what is in it."""
    return [name for name, entry in _entries(holds).items() if entry.recognises(path)]


def read_test_set(path: StrPath, format: str | None = None) -> TestSet:  # noqa: A002 - the word of the command line
    """Read a test set in any of its formats; the format is told by the name unless it is given."""
    name = format or _only_format(path, guess_formats(path, holds=TestSet))
    return _test_set_format(name).read(path)  # type: ignore[no-any-return]


def write_test_set(test_set: TestSet, path: StrPath, format: str | None = None) -> None:  # noqa: A002
    """Write a test set, in the format that the suffix of `path` says (without one, as a folder of line files)."""
    names = [name for name in _target_formats(path) if name in _entries(TestSet)]
    _test_set_format(format or _only_format(path, names)).write(test_set, path)


def _entries(holds: type | None) -> dict[str, type[Format]]:
    entries = {}
    for name in FORMATS.names():
        # Another package's format that cannot be imported must not stop ours; asked for by name, it says why.
        with suppress(ImportError):
            entries[name] = FORMATS.get(name)
    return {name: entry for name, entry in entries.items() if holds is None or entry.holds is holds}


def _only_format(path: StrPath, names: list[str]) -> str:
    if names:
        return names[0]
    if fspath(path) != "-" and not Path(path).exists() and not Path(path).suffix:
        raise DataError(f"There is no file or folder {fspath(path)}.")
    test_sets = ", ".join(_entries(TestSet))
    raise DataError(f"Cannot tell the format of {fspath(path)} by its name. Name one of: {test_sets}.")


def _test_set_format(name: str) -> Format:
    entry = _class(name)
    if entry.holds is not TestSet:
        names = ", ".join(_entries(TestSet))
        raise DataError(f"The format {name} holds {_noun(entry.holds)}, not a test set. Known: {names}.")
    return FORMATS.make(name)


def _target_formats(path: StrPath) -> list[str]:
    """The formats for a file to be written, by its suffix alone: what stands there now does not matter."""
    names = [name for name, entry in _entries(None).items() if entry.is_named_by(path)]
    if not names and not Path(plain_name(path)).suffix and fspath(path) != "-":
        return [_FOLDER]
    return names or ["lines"]


def _go_together(reader: type[Format], writer: type[Format]) -> bool:
    """Whether what one reads the other can write: the same type, and of judgements the same kind."""
    kinds = {getattr(each, "kind", "") for each in (reader, writer)} - {""}
    return reader.holds is writer.holds and writer.writable and len(kinds) < 2


def _preference(reader: str, source: StrPath) -> int:
    """The order in which to take readers that a name allows: what shows itself, a plain table, others."""
    if _class(reader).holds.__name__ == "Judgements":
        return 0  # recognised by its first lines, and the target is called a file of judgements
    if reader in {"testset-tsv", "testset-jsonl"}:
        return 0 if _shows_test_set(source) else 3
    return 1 if _class(reader).holds in {Records, tuple} else 2


def _shows_test_set(source: StrPath) -> bool:
    first = next(iter_lines(source), "")
    try:
        columns = list(parse_json(first)) if first.startswith("{") else first.split("\t")
    except ValueError:
        return False
    return any(column.startswith(_TABLE_KEYS) for column in columns)


def _impossible(source: StrPath, target: StrPath, from_format: str | None, to_format: str | None) -> DataError:
    readers = [from_format] if from_format else guess_formats(source) or ["lines"]
    writers = [to_format] if to_format else _target_formats(target)
    lines = []
    for reader in readers:
        holds = _class(reader).holds
        others = [name for name, entry in _entries(holds).items() if entry.writable]
        lines.append(f"{reader} holds {_noun(holds)} and converts to {', '.join(others)}")
    targets = " or ".join(f"{name} ({_noun(_class(name).holds)})" for name in writers)
    return DataError(f"Cannot convert {fspath(source)} to {targets}: {'; '.join(lines)}.")


def _class(spec: str) -> type[Format]:
    return FORMATS.get(spec.partition(":")[0])


def _noun(holds: type) -> str:
    return _NOUNS.get(holds.__name__, holds.__name__)
