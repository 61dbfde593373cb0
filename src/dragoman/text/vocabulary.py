"""Vocabularies: words ↔ int32 ids, in the native core, with a file form that is used as it lies on disk."""

from __future__ import annotations

import mmap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman import _core
from dragoman.errors import DataError, FormatError, ModelError, UnknownName
from dragoman.files import StrPath, atomic_path, iter_lines, open_writer
from dragoman.text.tokens import TokenBatch, TokenIds

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

__all__ = ["Merged", "Pruned", "Vocabulary"]

_DIGITS = 18  # of a count in a word list: what int64 holds for certain


class Vocabulary:
    """Words ↔ ids 0, 1, 2 … in the order in which they were first met, whatever the number of threads.

    A growing vocabulary takes in what it meets. A frozen one maps unknown words to `unk`, or refuses them with
    `DataError` if it has none. `counted` ones remember how often each word was met while growing.

    >>> vocabulary = Vocabulary(unk="<unk>")
    >>> vocabulary.ids(["a", "rose", "is", "a", "rose"]).tolist()
    [1, 2, 3, 1, 2]
    >>> vocabulary.freeze().ids(["a", "tulip"]).tolist()
    [1, 0]
    """

    core: _core.text.Vocabulary  # what kernels take

    def __init__(self, words: Iterable[str] = (), *, unk: str | None = None, counted: bool = False) -> None:
        self.core = _core.text.Vocabulary(counted=counted)
        if unk is not None:
            self.core.name_unk(unk)
        self.core.declare(list(words))

    @classmethod
    def _of(cls, core: _core.text.Vocabulary) -> Vocabulary:
        vocabulary = cls.__new__(cls)
        vocabulary.core = core
        return vocabulary

    def __len__(self) -> int:
        return len(self.core)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.core.find(word) >= 0

    def __iter__(self) -> Iterator[str]:
        return iter(self.words())

    def __repr__(self) -> str:
        state = "frozen" if self.frozen else "growing"
        return f"<Vocabulary of {len(self)} words, {state}, unk={self.unk!r}, counted={self.counted}>"

    @property
    def frozen(self) -> bool:
        """True if new words no longer enter."""
        return self.core.frozen

    @property
    def counted(self) -> bool:
        """True if it knows how often each word was met."""
        return self.core.counted

    @property
    def unk_id(self) -> int | None:
        """The id that unknown words get once the vocabulary is frozen."""
        return None if self.core.unk < 0 else self.core.unk

    @property
    def unk(self) -> str | None:
        """The word for the unknown."""
        return None if self.unk_id is None else self.core.word(self.unk_id)

    @property
    def counts(self) -> NDArray[np.int64]:
        """How often each word was met, by id."""
        self._check_counted()
        return self.core.counts()

    def get(self, word: str) -> int | None:
        """The id of a word, or None; the vocabulary stays as it is."""
        number = self.core.find(word)
        return None if number < 0 else number

    def find(self, words: Sequence[str]) -> list[int]:
        """The ids of words, -1 for those that are not there; the vocabulary stays as it is."""
        ids: list[int] = self.core.find_words(words).tolist()
        return ids

    def id(self, word: str) -> int:
        """The id of a word that must be there; the vocabulary stays as it is."""
        number = self.core.find(word)
        if number < 0:
            raise UnknownName(
                f"The vocabulary of {len(self)} words has no word {word!r}. Ask with get() if it may lack."
            )
        return number

    def word(self, number: int) -> str:
        """The word with this id."""
        return self.core.word(number)

    def words(self) -> list[str]:
        """All words, in the order of their ids."""
        return self.core.words()

    def ids(self, words: Sequence[str], *, n_threads: int = 1) -> NDArray[np.int32]:
        """The ids of words, each string being one word whatever it holds; new ones enter a growing vocabulary."""
        return self.core.encode_words(words, n_threads=n_threads)

    def encode(self, batch: TokenBatch, *, n_threads: int = 1) -> TokenIds:
        """The tokens of lines as ids; new ones enter a growing vocabulary."""
        return TokenIds(*self.core.encode_batch(batch.core, n_threads=n_threads))

    def decode(self, tokens: TokenIds) -> list[str]:
        """The lines that these ids stand for, words separated by single spaces."""
        return self.core.decode(tokens.ids, tokens.offsets)

    def freeze(self) -> Vocabulary:
        """Let no further word in, from now on; returns the same vocabulary."""
        self.core.freeze()
        return self

    def thawed(self) -> Vocabulary:
        """A growing copy."""
        return self._of(self.core.thawed())

    def merge(self, *others: Vocabulary) -> Merged:
        """One vocabulary of all words: first the own ones, with their ids, then what each of the others adds.

        The result is growing and counted if this one is; counts add up, which needs counted others.
        """
        unks = {vocabulary.unk for vocabulary in (self, *others)} - {None}
        if len(unks) > 1:
            names = ", ".join(sorted(map(repr, unks)))
            raise DataError(f"Vocabularies with different words for the unknown cannot be merged: {names}.")
        if self.counted and not all(other.counted for other in others):
            raise DataError("A counted vocabulary can be merged only with counted ones. Count them all, or none.")
        merged = self.core.thawed()
        # The own words absorbed into an empty vocabulary: each keeps its id.
        own = _core.text.Vocabulary().absorb(self.core)
        return Merged(self._of(merged), (own, *(merged.absorb(other.core) for other in others)))

    def pruned(self, min_count: int) -> Pruned:
        """The words met at least `min_count` times, and `unk`, in the same order; the result is growing.

        Words that are gone are mapped to `unk`, which takes over their counts, or to -1 where there is none.
        """
        self._check_counted()
        core, mapping = self.core.pruned(min_count)
        return Pruned(self._of(core), mapping)

    def save(self, path: StrPath) -> None:
        """Write the vocabulary as one file that `load` maps into memory. The file is whole or not there."""
        with atomic_path(path) as temporary:
            temporary.write_bytes(self.core.serialised())

    @classmethod
    def load(cls, path: StrPath) -> Vocabulary:
        """A frozen vocabulary on a saved file, mapped, not read: processes that use one file share its memory.

        The file is checked (form, version, size, checksum); what is wrong raises `ModelError`.
        """
        file = Path(path)
        if not file.is_file():
            raise ModelError(f"There is no vocabulary file {file}.")
        with file.open("rb") as stream:
            if not file.stat().st_size:
                raise ModelError(f"{file}: the file is empty. Build the vocabulary again or copy it again.")
            content = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
        try:
            return cls._of(_core.text.Vocabulary.on_file(content))
        except DataError as error:
            raise ModelError(f"{file}: {error}") from None

    def write_words(self, path: StrPath) -> None:
        """Write the words as text, one a line in the order of their ids, with a tab and the count if counted."""
        counts = self.counts.tolist() if self.counted else None
        with open_writer(path) as stream:
            for number, word in enumerate(self.words()):
                if not word or any(char in word for char in "\t\n\r") or word.startswith("\ufeff"):
                    raise DataError(
                        f"Word {number} cannot stand in a word list: {word[:60]!r}. Use save(), which takes any word."
                    )
                stream.write(f"{word}\t{counts[number]}\n" if counts else f"{word}\n")

    @classmethod
    def read_words(cls, path: StrPath, *, unk: str | None = None) -> Vocabulary:
        """A growing vocabulary from a word list: one word a line, or word, tab and count on every line.

        If the list holds `unk`, it keeps its place there; otherwise it comes first.
        """
        import numpy as np

        words: dict[str, int] = {}
        counts: list[int] = []
        for line, text in enumerate(iter_lines(path), start=1):
            word, tab, count = text.partition("\t")
            if not word:
                raise FormatError("the line has no word. Delete it.", path=path, line=line)
            if word in words:
                raise FormatError(f"{word!r} stands already on line {words[word]}.", path=path, line=line)
            if bool(tab) != bool(counts) and words:
                raise FormatError("counts must stand on every line or on none.", path=path, line=line)
            if tab and not (count.isascii() and count.isdigit() and len(count) <= _DIGITS):
                raise FormatError(
                    f"the count is {count!r}; expected a whole number of at most {_DIGITS} digits.",
                    path=path,
                    line=line,
                )
            words[word] = line
            if tab:
                counts.append(int(count))
        core = _core.text.Vocabulary(counted=bool(counts))
        if unk is not None and unk not in words:
            core.name_unk(unk)
        core.declare(list(words), np.array(counts, dtype=np.int64) if counts else None)
        if unk is not None:
            core.name_unk(unk)
        return cls._of(core)

    def _check_counted(self) -> None:
        if not self.counted:
            raise DataError("The vocabulary has no counts. Make it with counted=True, then read the text.")


@dataclass(frozen=True)
class Merged:
    """What `Vocabulary.merge` gives: `maps[k][i]` is the new id of word `i` of vocabulary `k`, the own one first."""

    vocabulary: Vocabulary
    maps: tuple[NDArray[np.int32], ...]


@dataclass(frozen=True)
class Pruned:
    """What `Vocabulary.pruned` gives: `map[i]` is the new id of the old word `i`."""

    vocabulary: Vocabulary
    map: NDArray[np.int32]
