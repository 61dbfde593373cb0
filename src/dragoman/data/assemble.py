"""Test sets put together from line files, as they are named on the command line: `PATH`, `NAME=PATH` or `-`."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from os import fspath
from typing import Any

from dragoman.data.parallel import UnequalLengths
from dragoman.data.testset import TestSet
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, plain_name, read_lines
from dragoman.text.lines import TextLines, read_text_lines, read_text_streams

__all__ = ["LineFile", "assemble", "metric_name", "read_labels", "read_system", "read_systems", "system_name"]

# `.txt`, `.out`, `.en`, `.pt-BR`: a suffix that says nothing of the system. `.v2` or `.online-A` does.
_PLAIN_SUFFIX = re.compile(r"\.[a-z]{2,3}(-[A-Z]{2}|-[A-Z][a-z]{3})?$")
# The form and the level of a file of scores: `.json`, `.tsv`, `.seg.score`. What stands before is the metric's name.
_SCORES_SUFFIX = re.compile(r"(?<=.)(\.(seg|sys))?(\.(jsonl?|tsv|csv|txt|scores?))?$")


@dataclass(frozen=True)
class LineFile:
    """The lines of a file and what they are called: a system's output or a reference."""

    name: str
    path: str
    lines: TextLines


def read_system(argument: StrPath) -> LineFile:
    """Read the lines of `NAME=PATH`, `PATH` or `-` (standard input).

    Without a name the file gives it: `runs/atlas.en.gz` is `atlas`. What stands before a `=` is a name unless it has a
    slash in it, so `./lr=0.1.txt` is a path.
    """
    name, path = _name_and_path(argument)
    return LineFile(name, path, read_text_lines(path))


def _name_and_path(argument: StrPath) -> tuple[str, str]:
    text = fspath(argument)
    name, equals, path = text.partition("=")
    if not equals or "/" in name:
        name, path = "", text
    if not path:
        raise DataError(f"{text!r} names no file; expected NAME=PATH.")
    if "=" in path and not os.path.exists(path):  # noqa: PTH110 - pathlib stumbles over names too long for a file
        mark, meant = "/" if path == text else "=", text.rpartition("=")[0]
        raise DataError(f"There is no file {path}. If {meant!r} is to be the name: a name has no {mark!r} in it.")
    if not name:
        name = "stdin" if path == "-" else system_name(path)
    return name, path


def system_name(path: StrPath) -> str:
    """What the file of a system is called where nobody says: `runs/atlas.v2.en.gz` is `atlas.v2`."""
    return _PLAIN_SUFFIX.sub("", plain_name(path))


def metric_name(path: StrPath) -> str:
    """What the metric of a file of scores is called where nobody says: `wmt22.comet-da.json` is `wmt22.comet-da`."""
    return _SCORES_SUFFIX.sub("", plain_name(path), count=1)


def read_systems(arguments: Sequence[StrPath], *, kind: str = "systems", n_threads: int = 1) -> tuple[LineFile, ...]:
    """Read several such files; two of one name are refused, and standard input is read once."""
    _check_standard_input(arguments)
    paths: dict[str, str] = {}
    for name, path in map(_name_and_path, arguments):
        if name in paths:
            raise DataError(
                f"Two {kind} are called {name!r}: {paths[name]} and {path}. Name them apart with NAME=PATH."
            )
        paths[name] = path
    texts = read_text_streams(list(paths.values()), n_threads=n_threads)
    return tuple(LineFile(name, path, lines) for (name, path), lines in zip(paths.items(), texts, strict=True))


def assemble(
    *,
    srcs: StrPath | None = None,
    refs: Sequence[StrPath] = (),
    systems: Sequence[StrPath] = (),
    docs: StrPath | None = None,
    name: str = "",
    source_lang: str | None = None,
    target_lang: str | None = None,
    layers: Sequence[str] = (),
    n_threads: int = 1,
) -> TestSet:
    """A test set from line files: one source, references and systems as `PATH` or `NAME=PATH`.

    `docs` has a document's name on each line, or is a `documents.tsv` with the columns segment, doc, domain, origlang.
    `layers` says which annotators make what layers of it (`lemma=simplemma:lang=de`).
    Files of different lengths are refused with the count of each; so is an empty file.
    """
    annotators = _layers(layers, source_lang, target_lang)
    _check_standard_input([*([srcs] if srcs else []), *refs, *systems, *([docs] if docs else [])])
    source = None if srcs is None else read_system(srcs)
    ref_files = read_systems(refs, kind="references", n_threads=n_threads)
    system_files = read_systems(systems, n_threads=n_threads)
    labels = {} if docs is None else _labels(docs)
    files = [*([source] if source else []), *ref_files, *system_files]
    for file in files:
        if not file.lines:
            raise FormatError("the file is empty; expected one segment a line.", path=file.path)
    try:
        return TestSet(
            name=name,
            source_lang=source_lang,
            target_lang=target_lang,
            srcs=source.lines if source else None,
            refs={file.name: file.lines for file in ref_files},
            systems={file.name: file.lines for file in system_files},
            layers=annotators,
            **labels,
        )
    except UnequalLengths as error:
        paths = {"srcs": source.path if source else "", **dict.fromkeys(labels, fspath(docs or ""))}
        paths |= {f"refs[{file.name}]": file.path for file in ref_files}
        raise error.renamed(paths | {f"systems[{file.name}]": file.path for file in system_files}) from None


def _layers(specs: Sequence[str], source_lang: str | None, target_lang: str | None) -> dict[str, str]:
    if not specs:
        return {}
    from dragoman.text.layers import read_layers  # who asks for none need not wait for the annotators

    return read_layers(specs, source_lang=source_lang, target_lang=target_lang)


def _check_standard_input(arguments: Sequence[StrPath]) -> None:
    if sum(fspath(argument).rpartition("=")[2] == "-" for argument in arguments) > 1:
        raise DataError("Standard input (-) can be read once; it was given twice.")


def read_labels(path: StrPath) -> TestSet:
    """What is known of the segments of a test set, without their text."""
    return TestSet(**_labels(path))


def _labels(path: StrPath) -> dict[str, Any]:
    if plain_name(path).endswith(".tsv"):
        from dragoman.data.formats.testset_lines import read_documents

        return {**read_documents(path)}
    return {"docs": read_lines(path)}
