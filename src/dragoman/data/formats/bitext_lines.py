"""Bitexts as two files of lines, the commonest form of all."""

from __future__ import annotations

import os
import re
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from dragoman.data.bitext import Bitext
from dragoman.data.formats.base import Format
from dragoman.data.formats.bitext_tables import lost_languages
from dragoman.errors import DataError
from dragoman.files import StrPath, open_writer, plain_name
from dragoman.options import option

__all__ = ["BitextLines"]

_BOM = "\ufeff"
_COMPRESSION = ("", ".gz", ".xz", ".zst")
_LANGUAGE = re.compile("[A-Za-z]{2,3}([-_][A-Za-z0-9]+)*")


@dataclass(frozen=True)
class BitextLines(Format):
    """Two files, one sentence a line.

    The path is a prefix: `train` with the languages `de` and `en` means `train.de` and `train.en`, or their compressed
    kin (`train.de.gz`); `train.gz` writes compressed files. With `target` given, the path is the source file itself.
    """

    name: ClassVar[str] = "bitext-lines"
    holds: ClassVar[type] = Bitext

    source_lang: str | None = option(None, text="BCP 47 tag of the source")
    target_lang: str | None = option(None, text="BCP 47 tag of the target")
    target: str | None = option(None, text="the file of the target side; the path is then the source file")

    @classmethod
    def recognises(cls, path: StrPath) -> bool:
        """Whether `path` is the prefix of two or more files that are named after languages."""
        stem, _ = _cut(path)
        folder = Path(stem).parent
        if not folder.is_dir():
            return False
        names = (plain_name(file) for file in folder.iterdir() if file.is_file())
        start = Path(stem).name + "."
        return len({name for name in names if name.startswith(start) and _LANGUAGE.fullmatch(name, len(start))}) > 1

    def read(self, path: StrPath) -> Bitext:
        """The bitext; its files are found now and opened when it is iterated."""
        if self.target is not None:
            src, tgt = os.fspath(path), self.target
        else:
            source_lang, target_lang = self._languages(path, None)
            src, tgt = _find(path, source_lang), _find(path, target_lang)
        return Bitext.from_files(src, tgt, source_lang=self.source_lang, target_lang=self.target_lang)

    def write(self, value: Bitext, path: StrPath) -> None:
        """Write both files; they appear together, when all pairs are through."""
        if self.target is not None:
            names = os.fspath(path), self.target
        else:
            stem, suffix = _cut(path)
            names = tuple(f"{stem}.{lang}{suffix}" for lang in self._languages(path, value))  # type: ignore[assignment]
        with ExitStack() as stack:
            streams = [stack.enter_context(open_writer(name)) for name in names]
            for batch in value.batches():
                for stream, lines in zip(streams, (batch.srcs, batch.tgts), strict=True):
                    block = "\n".join(lines) + "\n"
                    if block.count("\n") != len(lines) or "\r\n" in block:
                        raise _not_a_line(batch.start, lines, value)
                    if batch.start == 0 and block.startswith(_BOM):
                        stream.write(_BOM)  # readers drop the first one; the second is the text's own
                    stream.write(block)

    def loses(self, value: Bitext) -> list[str]:
        """The languages, if the files have names of their own."""
        return lost_languages(value) if self.target is not None else []

    def _languages(self, path: StrPath, value: Bitext | None) -> tuple[str, str]:
        source = self.source_lang or (value.source_lang if value else None)
        target = self.target_lang or (value.target_lang if value else None)
        if not source or not target:
            raise DataError(
                f"Two files belong to the prefix {os.fspath(path)}; name both languages (source_lang, target_lang), "
                "or the file of the target side (target)."
            )
        if source == target:
            raise DataError(
                f"Source and target are both {source!r}; under the prefix {os.fspath(path)} they need two names."
            )
        return source, target


def _not_a_line(start: int, lines: list[str], value: Bitext) -> DataError:
    place, text = next((n, line) for n, line in enumerate(lines) if "\n" in line or line.endswith("\r"))
    return DataError(
        f"Pair {start + place + 1} of {value.label} has a line break inside ({text[:60]!r}) and does not fit on a "
        "line. Write TMX or JSONL, or read TMX with line_breaks='space'."
    )


def _cut(path: StrPath) -> tuple[str, str]:
    """The prefix and its compression suffix."""
    name = os.fspath(path)
    suffix = next((suffix for suffix in _COMPRESSION if suffix and name.endswith(suffix)), "")
    return name.removesuffix(suffix), suffix


def _find(path: StrPath, lang: str) -> str:
    stem, asked = _cut(path)
    candidates = [f"{stem}.{lang}{suffix}" for suffix in ((asked,) if asked else _COMPRESSION)]
    names = [name for name in candidates if Path(name).is_file()]
    if not names and Path(stem).is_dir():
        raise DataError(f"{stem} is a directory; name the prefix that two files in it share.")
    if not names:
        raise DataError(f"There is no file {candidates[0]}" + ("." if asked else ", nor .gz, .xz or .zst of it."))
    if len(names) > 1:
        raise DataError(f"Which one? There are {' and '.join(names)}. Name the files, or move one away.")
    return names[0]
