"""What is known of a change before it is made: counts, neighbours, the source's words, the language model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from dragoman.lm import LanguageModel
from dragoman.postedit.edit_table import BESIDE, EditTable, Phrase, Uses, beside
from dragoman.postedit.gain import Edit, edited
from dragoman.postedit.tokens import Words
from dragoman.stats.arrays import Floats

__all__ = ["EVIDENCE", "Evidence", "gather"]

EVIDENCE = (
    "changes",  # how often the phrase was so changed
    "uses",  # how often it was met
    "share",  # of its uses that were so changed
    "kept",  # share that was left as it is
    "left",  # share behind the same word
    "right",  # share before the same word
    "source",  # largest share with one of the source's words
    "least source",  # smallest
    "source uses",  # most uses with one of them
    "removed",  # tokens that go
    "added",  # tokens that come
    "longer by",
    "at start",
    "place",  # from 0 to 1
    "line",  # tokens of the whole line
    "lm",  # change of log10 p of the line
    "lm by word",  # the same, as if each word were worth as much as the others of the line
    "lm line",  # log10 p of the line as it is, by word
)


@dataclass(frozen=True, eq=False)
class Evidence:
    """The changes that fit some lines, with a row of `EVIDENCE` for each."""

    line: tuple[int, ...]  # of each change, which line it is of
    edits: tuple[Edit, ...]
    rows: Floats  # (changes, EVIDENCE)

    def __len__(self) -> int:
        """The number of changes."""
        return len(self.edits)


def gather(
    table: EditTable,
    lm: LanguageModel,
    lines: Sequence[Words],
    sources: Sequence[Mapping[int, frozenset[str]]],
    *,
    n_threads: int = 1,
) -> Evidence:
    """What is known of every change that fits a line. One that takes away a word copied from the source fits none."""
    numbers, edits, rows = [], [], []
    for number, (line, words) in enumerate(zip(lines, sources, strict=True)):
        for edit, phrase, uses in table.matches(line):
            if not _takes_copies(line, words, edit):
                numbers.append(number)
                edits.append(edit)
                rows.append(_counts(line, words, edit, phrase, uses))
    before = lm.score([" ".join(line) for line in lines], n_threads=n_threads)
    after = lm.score(
        [" ".join(edited(lines[n], [edit])) for n, edit in zip(numbers, edits, strict=True)], n_threads=n_threads
    )
    old = before[numbers] if numbers else np.zeros(0)
    by_word = old / np.array([len(lines[n]) + 1 for n in numbers])
    longer = np.array([len(words) - (end - begin) for begin, end, words in edits])
    models = np.column_stack([after - old, after - old - longer * by_word, by_word])
    counts = np.array(rows, dtype=np.float64).reshape(len(rows), len(EVIDENCE) - models.shape[1])
    return Evidence(tuple(numbers), tuple(edits), np.hstack([counts, models]))


def _takes_copies(line: Words, sources: Mapping[int, frozenset[str]], edit: Edit) -> bool:
    """Whether a word with a capital that stands in the source just so, a name most often, would be gone."""
    begin, end, words = edit
    return any(
        line[place] in sources.get(place, ()) and line[place] not in words and not line[place].islower()
        for place in range(begin, end)
        if any(char.isalpha() for char in line[place])
    )


def _counts(
    line: Words, sources: Mapping[int, frozenset[str]], edit: Edit, phrase: Phrase, uses: Uses
) -> tuple[float, ...]:
    begin, end, words = edit
    share = uses.count / phrase.uses.count
    shares: list[list[float]] = []
    words_beside = beside(line, sources, begin, end)
    for kind, each in enumerate(words_beside):
        of, among = uses.beside[kind], phrase.uses.beside[kind]
        shares.append([(of[word] + share) / (among[word] + 1) for word in each] or [share])
    left, right, source = (shares[BESIDE.index(name)] for name in ("left", "right", "source"))
    source_uses = [phrase.uses.beside[2][word] for word in words_beside[2]]
    return (
        uses.count,
        phrase.uses.count,
        share,
        phrase.kept / phrase.uses.count,
        left[0],
        right[0],
        max(source),
        min(source),
        max(source_uses, default=0),
        end - begin,
        len(words),
        len(words) - (end - begin),
        begin == 0,
        begin / len(line),
        len(line),
    )
