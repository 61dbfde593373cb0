"""What people upload, read in processes of its own before any transaction begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from starlette.requests import Request

from dragoman.cat.files.base import Langs
from dragoman.cat.memory import read_tmx
from dragoman.cat.packages import Package
from dragoman.cat.packing import PreparedPackage, as_file, check_parts, glossary_rows, package_parts, prepared
from dragoman.cat.reading import ReadFile, ReadLimits, batches, read_file_in_parts
from dragoman.store.translating.memories import NewUnit
from dragoman.web.lanes import Lane, while_there
from dragoman.web.limited import Limited, never
from dragoman.web.settings import Settings

__all__ = ["Imports", "Reader"]

T = TypeVar("T")

_ADVICE = "Cut the document into smaller ones, or import it with the command line: dragoman cat import"


@dataclass(frozen=True)
class Reader:
    """Reads what somebody sent, as long as they are there."""

    limited: Limited
    segments: int
    characters: int
    gone: Callable[[], bool] = never

    def file(self, name: str, content: bytes, langs: Langs) -> ReadFile:
        """A document to translate."""
        format_name, *parts = self.limited.parts(_file, name, content, langs, self._most, gone=self.gone)
        return ReadFile(name, format_name, [row for part in parts for row in part])

    def memory(self, name: str, content: bytes, langs: Langs) -> list[NewUnit]:
        """The units of a TMX file."""
        parts = self.limited.parts(_memory, name, content, langs, self._most, gone=self.gone)
        return [unit for part in parts for unit in part]

    def glossary(self, name: str, content: bytes, langs: Langs) -> list[dict[str, str]]:
        """The terms of a file."""
        return list(self.limited.value(_glossary, name, content, langs, self._most, gone=self.gone))

    def package(self, content: bytes) -> PreparedPackage:
        """A translation package with what is in its files."""
        package, *parts = self.limited.parts(_package, content, self._most, gone=self.gone)
        return prepared(package, parts)

    @property
    def _most(self) -> tuple[int, int]:
        return self.segments, self.characters


class Imports:
    """Lets a few people at a time import, each as long as they wait for it."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self.lane = Lane(
            "imports", settings.import_jobs, most=4 * settings.import_jobs, seconds=settings.import_seconds
        )

    def reader(self, gone: Callable[[], bool] = never) -> Reader:
        """Reads with the limits of this server."""
        limited = Limited(self._settings.import_seconds, self._settings.import_memory, _ADVICE)
        return Reader(limited, self._settings.import_segments, self._settings.import_characters, gone)

    async def run(self, request: Request, work: Callable[[Reader], T]) -> T:
        """What `work` makes of a request with a reader; its process ends when whoever asked leaves."""
        return await while_there(request, self.lane, lambda gone: work(self.reader(gone)))


def _file(name: str, content: bytes, langs: Langs, most: tuple[int, int]) -> Iterator[Any]:
    return read_file_in_parts(name, content, langs, limits=ReadLimits(*most))


def _memory(name: str, content: bytes, langs: Langs, most: tuple[int, int]) -> Iterator[Sequence[NewUnit]]:
    with as_file(name, content) as path:
        yield from batches(read_tmx(path, *langs, limits=ReadLimits(*most)))


def _glossary(name: str, content: bytes, langs: Langs, most: tuple[int, int]) -> list[dict[str, str]]:
    return glossary_rows(content, name, langs, ReadLimits(*most))


def _package(content: bytes, most: tuple[int, int]) -> Iterator[Any]:
    package = Package.from_bytes(content)
    check_parts(package)
    yield prepared(package, ()).package
    yield from package_parts(package, ReadLimits(*most))
