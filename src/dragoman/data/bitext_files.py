"""Bitexts as they are named on the command line: two files, one file of a format, or a prefix."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from os import fspath

from dragoman.data.bitext import Bitext
from dragoman.data.convert import guess_formats
from dragoman.data.formats.base import FORMATS, Format
from dragoman.data.formats.bitext_lines import BitextLines
from dragoman.errors import DataError, UnknownName
from dragoman.files import StrPath, plain_name
from dragoman.text.languages import LANGUAGE_NAMES, parse_language, parse_pair

__all__ = ["language_of_file", "read_bitext", "write_bitext"]


def language_of_file(path: StrPath) -> str | None:
    """The language that the suffix of a file names, if it names one: `train.de.gz` → `de`."""
    suffix = plain_name(path).rpartition(".")[2]
    try:
        tag = parse_language(suffix)
    except UnknownName:
        return None
    # The registry knows thousands of languages, some of them called txt, out or log.
    return tag if tag.partition("-")[0] in LANGUAGE_NAMES else None


def read_bitext(paths: Sequence[StrPath], *, format: str | None = None, pair: str | None = None) -> Bitext:  # noqa: A002
    """The bitext of two files of lines, or of one path in a format that holds bitexts.

    The format is told by the name unless it is given (with options, `bitext-tsv:columns=3+4`). Languages are those of
    `pair`, else those that the files name.
    """
    source, target = parse_pair(pair) if pair else (None, None)
    if len(paths) == 2 and format is None:
        src, tgt = paths
        if not pair:
            source, target = language_of_file(src), language_of_file(tgt)
        return Bitext.from_files(src, tgt, source_lang=source, target_lang=target)
    if len(paths) != 1:
        raise DataError(f"A bitext is two files of lines or one file of a format; got {len(paths)} paths.")
    form = _bitext_format(paths[0], format)
    languages = {"source_lang": source, "target_lang": target} if pair else {}
    bitext: Bitext = replace(form, **languages).read(paths[0])
    return bitext


def write_bitext(bitext: Bitext, path: StrPath) -> None:
    """Write a bitext in the format that the suffix of `path` says; without one, as two files under that prefix."""
    names = [name for name in guess_formats(path, holds=Bitext) if FORMATS.get(name).is_named_by(path)]
    form = FORMATS.get(names[0])() if names else BitextLines()
    form.write(bitext, path)


def _bitext_format(path: StrPath, name: str | None) -> Format:
    if name is None:
        names = guess_formats(path, holds=Bitext)
        if not names:
            bitexts = ", ".join(each for each in FORMATS.names() if FORMATS.get(each).holds is Bitext)
            raise DataError(f"{fspath(path)} is no bitext by its name. Name two files, or a format of: {bitexts}.")
        name = names[0]
    form = FORMATS.make(name)
    if form.holds is not Bitext or "source_lang" not in {field.name for field in fields(form)}:
        raise DataError(f"The format {form.name} does not hold a bitext.")
    return form
