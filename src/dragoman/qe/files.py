"""The files of WMT's quality-estimation tasks: one name, a suffix for each stream.

`dev.src`, `dev.mt`, `dev.pe` hold tokenised text, `dev.hter` a score a line, `dev.tags` the tags of gaps and words in
turn. Word labels of WMT 2014 stand in one table.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from dragoman.data import check_parallel
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
    """Sources and outputs with what is known of their quality; streams that are not known are None."""

    sources: tuple[str, ...] | None = None
    outputs: tuple[str, ...] | None = None
    post_edits: tuple[str, ...] | None = None
    scores: tuple[float, ...] | None = None
    tags: tuple[WordTags, ...] | None = None

    def __post_init__(self) -> None:
        check_parallel({name: getattr(self, name) for name in self.__dataclass_fields__})
        if self.tags is None or self.outputs is None:
            return
        for number, (output, tags) in enumerate(zip(self.outputs, self.tags, strict=True), start=1):
            if len(output.split()) != len(tags.words):
                raise DataError(f"Sentence {number} has {len(output.split())} words and {len(tags.words)} word tags.")

    def __len__(self) -> int:
        """The number of sentences."""
        return check_parallel({name: getattr(self, name) for name in self.__dataclass_fields__})


def read_qe(stem: StrPath) -> QEData:
    """Whatever stands at `stem.src`, `.mt`, `.pe`, `.hter`, `.tags`; at least one file must be there."""
    found = {suffix: Path(f"{stem}.{suffix}") for suffix in ("src", "mt", "pe", "hter", "tags")}
    there = {suffix: path for suffix, path in found.items() if path.is_file()}
    if not there:
        raise DataError(f"There is no file {stem}.src, .mt, .pe, .hter or .tags.")

    def text(suffix: str) -> tuple[str, ...] | None:
        return tuple(read_lines(there[suffix])) if suffix in there else None

    try:
        return QEData(
            sources=text("src"),
            outputs=text("mt"),
            post_edits=text("pe"),
            scores=tuple(read_scores(there["hter"])) if "hter" in there else None,
            tags=tuple(read_tags(there["tags"])) if "tags" in there else None,
        )
    except FormatError:
        raise
    except DataError as error:
        raise DataError(f"{stem}: {error}") from None


def write_qe(data: QEData, stem: StrPath) -> list[Path]:
    """Write the streams that are known, as `read_qe` reads them; the files written."""
    streams = {
        "src": data.sources,
        "mt": data.outputs,
        "pe": data.post_edits,
        "hter": None if data.scores is None else [f"{score:.6f}" for score in data.scores],
        "tags": None if data.tags is None else [" ".join(tags.interleaved()) for tags in data.tags],
    }
    written = []
    for suffix, lines in streams.items():
        if lines is not None:
            written.append(Path(f"{stem}.{suffix}"))
            write_lines(written[-1], lines)
    return written


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
    write_lines(path, (f"{score:.6f}" for score in scores))


def read_tags(path: StrPath) -> list[WordTags]:
    """OK and BAD for gap, word, gap, …, gap of each line."""
    found = []
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
        found.append(WordTags(words=tuple(checked[1::2]), gaps=tuple(checked[::2])))
    return found


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
    found: dict[str, list[str]] = {}
    for number, line in enumerate(iter_lines(path), start=1):
        cells = line.split("\t")
        if len(cells) != 6:
            raise FormatError(f"expected 6 cells, found {len(cells)}.", path=path, line=number)
        words = found.setdefault(cells[0], [])
        if cells[1] != str(len(words)):
            raise FormatError(
                f"segment {cells[0]}: expected word {len(words)}, found {cells[1][:20]!r}.", path=path, line=number
            )
        words.append(cells[column])
    return found


def read_label_lines(path: StrPath) -> list[list[str]]:
    """Labels between blanks, a sentence a line."""
    return [line.split() for line in read_lines(path)]
