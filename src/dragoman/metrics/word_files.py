"""Files about words that the breakdowns take: counts in training data, and an annotated reference."""

from __future__ import annotations

import re

from dragoman.errors import FormatError
from dragoman.files import StrPath, iter_lines
from dragoman.metrics.buckets import Tagged
from dragoman.notation import whole_number
from dragoman.text.conllu import iter_conllu

__all__ = ["read_counts", "read_tags"]

_SEGMENT = re.compile(r"#\s*segment\s*=\s*([0-9]{1,9})\s*")


def read_counts(path: StrPath) -> dict[str, int]:
    """Counts of words from lines `word<TAB>count`."""
    counts: dict[str, int] = {}
    for number, line in enumerate(iter_lines(path), start=1):
        word, tab, cell = line.rpartition("\t")
        count = whole_number(cell)
        if not tab or count is None:
            raise FormatError(f"expected a word, a tab and a count; found {line[:80]!r}.", path=path, line=number)
        if word in counts:
            raise FormatError(f"{word!r} is counted a second time.", path=path, line=number)
        counts[word] = count
    return counts


def read_tags(path: StrPath, n_segments: int) -> Tagged:
    """The words of each segment with their universal parts of speech, from CoNLL-U.

    A comment `# segment = 7` says which segment a sentence belongs to, and a segment may have several sentences;
    without such comments the sentences are the segments, in order.
    """
    tagged: list[list[tuple[str, str]] | None] = [None] * n_segments
    for number, sentence in enumerate(iter_conllu(path), start=1):
        named = [match[1] for comment in sentence.comments if (match := _SEGMENT.fullmatch(comment))]
        segment = int(named[0]) if named else number
        if not 1 <= segment <= n_segments:
            raise FormatError(
                f"the sentence belongs to segment {segment}, but there are {n_segments} segments.",
                path=path,
                line=sentence.line,
            )
        words = tagged[segment - 1] or []
        tagged[segment - 1] = [*words, *((word.form, word.upos) for word in sentence.words)]
    return tagged
