"""The files of WMT's quality-estimation tasks: one name, a suffix for each stream.

`dev.src`, `dev.mt`, `dev.pe` hold tokenised text, `dev.hter` a score a line, `dev.tags` the tags of gaps and words in
turn. Word labels of WMT 2014 stand in one table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from dragoman.data import TestSet, check_parallel
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, iter_lines, read_lines, write_lines
from dragoman.metrics.hter import Tag, WordTags

__all__ = [
    "LEVELS",
    "QEData",
    "read_label_lines",
    "read_labels",
    "read_qe",
    "read_scores",
    "read_tags",
    "write_qe",
    "write_scores",
]

LEVELS = ("error", "level-1", "binary")  # the columns of labels of WMT 2014
_TAGS = ("OK", "BAD")


@dataclass(frozen=True)
class QEData:
    """A test set of one system, whose outputs were judged: post-edits (its reference), scores, tags of their words."""

    text: TestSet
    scores: tuple[float, ...] | None = None
    tags: tuple[WordTags, ...] | None = None

    def __post_init__(self) -> None:
        check_parallel({**self.text.streams(), "scores": self.scores, "tags": self.tags})
        for number, (output, tags) in enumerate(zip(self.outputs, self.tags or (), strict=False), start=1):
            if len(output.split()) != len(tags.words):
                raise DataError(f"Sentence {number} has {len(output.split())} words and {len(tags.words)} word tags.")

    @classmethod
    def of(
        cls,
        sources: Sequence[str] | None = None,
        outputs: Sequence[str] | None = None,
        post_edits: Sequence[str] | None = None,
        scores: Sequence[float] | None = None,
        tags: Sequence[WordTags] | None = None,
    ) -> QEData:
        """From streams, of which those that are not known are None."""
        systems = {} if outputs is None else {"mt": outputs}
        refs = {} if post_edits is None else {"pe": post_edits}
        return cls(TestSet(srcs=sources, systems=systems, refs=refs)).having(scores, tags)

    def having(self, scores: Sequence[float] | None, tags: Sequence[WordTags] | None = None) -> QEData:
        """The same text with these scores and tags."""
        return QEData(self.text, None if scores is None else tuple(scores), None if tags is None else tuple(tags))

    def has(self, *suffixes: str) -> bool:
        """Whether there are sources (`src`), outputs (`mt`), post-edits (`pe`)."""
        there = {"src": self.text.srcs is not None, "mt": bool(self.text.systems), "pe": bool(self.text.refs)}
        return all(there[suffix] for suffix in suffixes)

    @property
    def sources(self) -> Sequence[str]:
        """The sources; none where they are not known."""
        return self.text.srcs or ()

    @property
    def outputs(self) -> Sequence[str]:
        """The outputs; none where they are not known."""
        return next(iter(self.text.systems.values()), ())

    @property
    def post_edits(self) -> Sequence[str]:
        """The corrected outputs; none where they are not known."""
        return cast("Sequence[str]", next(iter(self.text.refs.values()), ()))


def read_qe(stem: StrPath) -> QEData:
    """Whatever stands at `stem.src`, `.mt`, `.pe`, `.hter`, `.tags`; at least one file must be there."""
    readers = {"src": read_lines, "mt": read_lines, "pe": read_lines, "hter": read_scores, "tags": read_tags}
    paths = {suffix: Path(f"{stem}.{suffix}") for suffix in readers}
    if not any(path.is_file() for path in paths.values()):
        raise DataError(f"There is no file {stem}.src, .mt, .pe, .hter or .tags.")
    streams: list[Any] = [read(path) if (path := paths[suffix]).is_file() else None for suffix, read in readers.items()]
    try:
        return QEData.of(*streams)
    except DataError as error:
        raise DataError(f"{stem}: {error}") from None


def write_qe(data: QEData, stem: StrPath) -> list[Path]:
    """Write the streams that are known, as `read_qe` reads them; the files written."""
    texts = {"src": data.sources, "mt": data.outputs, "pe": data.post_edits}
    streams: dict[str, Iterable[str]] = {suffix: lines for suffix, lines in texts.items() if data.has(suffix)}
    if data.scores is not None:
        streams["hter"] = map(_score_line, data.scores)
    if data.tags is not None:
        streams["tags"] = (" ".join(tags.interleaved()) for tags in data.tags)
    for suffix, lines in streams.items():
        write_lines(f"{stem}.{suffix}", lines)
    return [Path(f"{stem}.{suffix}") for suffix in streams]


def read_scores(path: StrPath) -> list[float]:
    """A score a line. An empty line or what is no number raises with file and line."""
    scores = []
    for number, line in enumerate(iter_lines(path), start=1):
        try:
            score = float(line)
        except ValueError:
            score = math.nan
        if not math.isfinite(score):
            raise FormatError(f"expected a score, found {line[:40]!r}.", path=path, line=number)
        scores.append(score)
    return scores


def write_scores(path: StrPath, scores: Iterable[float]) -> None:
    """A score a line."""
    write_lines(path, map(_score_line, scores))


def _score_line(score: float) -> str:
    return f"{score:.6f}"


def read_tags(path: StrPath) -> list[WordTags]:
    """OK and BAD for gap, word, gap, …, gap of each line."""
    tagged = []
    for number, line in enumerate(iter_lines(path), start=1):
        tags = line.split()
        wrong = [tag for tag in tags if tag not in _TAGS]
        if wrong:
            raise FormatError(f"expected OK or BAD, found {wrong[0]!r}.", path=path, line=number)
        if len(tags) % 2 == 0:
            raise FormatError(
                f"{len(tags)} tags; gaps and words in turn are an odd number. Are the gaps left out?",
                path=path,
                line=number,
            )
        checked = cast("list[Tag]", tags)
        tagged.append(WordTags(words=tuple(checked[1::2]), gaps=tuple(checked[::2])))
    return tagged


def read_labels(path: StrPath, level: str = "binary") -> dict[str, list[str]]:
    """The labels of the words of each segment from a table of WMT 2014's task 2, at one of the three levels.

    A line is segment, number of the word from 0, word, error, level-1 label, OK or BAD, between tabs. A segment whose
    words are not numbered in turn raises.
    """
    if level not in LEVELS:
        raise DataError(f"No level of labels is called {level!r}. Known: {', '.join(LEVELS)}.")
    return _word_column(path, 3 + LEVELS.index(level))


def read_words(path: StrPath) -> dict[str, list[str]]:
    """The words of each segment from such a table."""
    return _word_column(path, 2)


def _word_column(path: StrPath, column: int) -> dict[str, list[str]]:
    by_segment: dict[str, list[str]] = {}
    for number, line in enumerate(iter_lines(path), start=1):
        cells = line.split("\t")
        if len(cells) != 6:
            raise FormatError(f"expected 6 cells, found {len(cells)}.", path=path, line=number)
        words = by_segment.setdefault(cells[0], [])
        if cells[1] != str(len(words)):
            raise FormatError(
                f"segment {cells[0]}: expected word {len(words)}, found {cells[1][:20]!r}.", path=path, line=number
            )
        words.append(cells[column])
    return by_segment


def read_label_lines(path: StrPath) -> list[list[str]]:
    """Labels between blanks, a sentence a line."""
    return [line.split() for line in read_lines(path)]
