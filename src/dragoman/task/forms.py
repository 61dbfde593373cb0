"""The forms in which a system's output may come: a line a segment, a `tstset` of SGM, or the XML of WMT since 2021."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from dragoman.data.assemble import assemble
from dragoman.data.formats.sgm import SgmFormat
from dragoman.data.formats.wmt_xml import WmtXmlFormat
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.files import read_lines
from dragoman.report import Sentence
from dragoman.task.manifest import TranslationTrack
from dragoman.text.languages import parse_pair

__all__ = ["LINES", "SubmittedOutput", "form_of", "read_output"]

LINES = "lines"
_SGM, _XML = "sgm", "xml"
_ROOTS = {"mteval": _SGM, "tstset": _SGM, "srcset": _SGM, "refset": _SGM, "dataset": _XML}
_HEAD = 4096  # bytes in which the first element begins
_PROLOGUE = re.compile(r"\ufeff?\s*(?:<\?[^>]*>\s*|<!--[^>]*-->\s*|<!DOCTYPE[^>\[]*(?:\[[^\]]*\]\s*)?>\s*)*", re.I)
_ELEMENT = re.compile(r"<([A-Za-z]+)[\s>]")


@dataclass(frozen=True)
class SubmittedOutput:
    """The lines of an output, the form in which they came, and what of it does not fit the test set."""

    form: str
    lines: tuple[str, ...]
    problems: tuple[str, ...] = ()


def form_of(content: bytes) -> str:
    """The form of an output by its first element; text that begins with no element of a test set is lines."""
    head = content[:_HEAD].decode("utf-8", "replace")
    start = _PROLOGUE.match(head)
    element = _ELEMENT.match(head, start.end() if start else 0)
    if element is None:
        return _XML if head.lstrip("\ufeff \t\r\n").startswith("<?xml") else LINES
    return _ROOTS.get(element[1].lower(), LINES)


def read_output(path: Path, form: str, track: TranslationTrack) -> SubmittedOutput:
    """An output of a track, in the order of its test set; damaged files raise with their line."""
    if form == LINES:
        return SubmittedOutput(form, tuple(read_lines(path)))
    test_set = SgmFormat().read_closed(path) if form == _SGM else WmtXmlFormat().read(path)
    if len(test_set.systems) != 1:
        n = len(test_set.systems)
        raise DataError(Sentence("The file has the outputs of {n} systems; submit each by itself.", n=n))
    (lines,) = test_set.systems.values()
    order, problems = _order(test_set, track)
    lines = tuple(lines[place] for place in order)
    problems += _of_another_pair(test_set, track)
    if test_set.srcs is not None and not problems:
        problems += _of_another_source([test_set.srcs[place] for place in order], track)
    broken = next((n for n, line in enumerate(lines, start=1) if "\n" in line or "\r" in line), None)
    if broken is not None:
        problems.append(Sentence("Segment {n} has a line break; a segment is one line.", n=broken))
    return SubmittedOutput(form, lines, tuple(problems))


def _order(test_set: TestSet, track: TranslationTrack) -> tuple[list[int], list[str]]:
    """The places of the segments in the order of the test set's documents, where both name theirs."""
    as_they_come = list(range(len(test_set)))
    known = _documents(track)
    if known is None or test_set.docs is None:
        return as_they_come, []
    spans = test_set.documents()
    strange = next((doc for doc in spans if doc not in known), None)
    if strange is not None:
        return as_they_come, [Sentence("The document {doc} is not of the test set.", doc=repr(strange[:80]))]
    for doc, wanted in known.items():
        n = len(spans.get(doc, ()))
        if n != wanted:
            counts = {"doc": repr(doc), "n": n, "wanted": wanted}
            return as_they_come, [Sentence("Segments of document {doc}: {n:,}, of the test set: {wanted:,}.", **counts)]
    return [place for doc in known for place in spans[doc]], []


def _documents(track: TranslationTrack) -> dict[str, int] | None:
    """How many segments each document of a track has; None where nobody said."""
    if track.documents is None:
        return None
    source = assemble(srcs=track.source, docs=track.documents)
    return {doc: len(span) for doc, span in source.documents().items()}


def _of_another_pair(test_set: TestSet, track: TranslationTrack) -> list[str]:
    """Languages that the file tells and the track does not have; names of languages written out are passed over."""
    told = (test_set.source_lang, test_set.target_lang)
    for wanted, lang in zip(parse_pair(track.pair), told, strict=True):
        tag = (lang or "").partition("-")[0].lower()
        if len(tag) == 2 and tag != wanted.partition("-")[0].lower():
            return [Sentence("The file says that it is of {lang}; the track is {pair}.", lang=tag, pair=track.pair)]
    return []


def _of_another_source(sources: Sequence[str], track: TranslationTrack) -> list[str]:
    wanted = read_lines(track.source)
    if len(wanted) != len(sources):
        return []  # said by the number of segments
    pairs = enumerate(zip(sources, wanted, strict=True), start=1)
    strange = next((n for n, (told, line) in pairs if told.split() != line.split()), None)
    if strange is None:
        return []
    return [Sentence("The source of segment {n} is not that of the test set; are the segments in order?", n=strange)]
