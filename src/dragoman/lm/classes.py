"""Word classes, and language models over them: p(word | past) = p(class | past classes) · p(word | class)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.artifact import Artifact, Manifest
from dragoman.errors import DataError, FormatError
from dragoman.files import StrPath, read_lines, write_lines
from dragoman.lm.model import KneserNey, LanguageModel, ScoredTokens
from dragoman.options import option
from dragoman.report import Result, Table
from dragoman.report.terminal import PLAIN, Screen
from dragoman.text.vocabulary import Vocabulary

__all__ = ["ClassKneserNey", "ClassModel", "WordClasses", "cluster_words"]

_SPECIAL = ("<unk>", "<s>", "</s>")


@dataclass(frozen=True)
class WordClasses(Result):
    """The class of every word: clusters, parts of speech, whatever a table says."""

    kind: ClassVar[str] = "word-classes"

    classes: Mapping[str, str]  # word → name of its class

    def __post_init__(self) -> None:
        wrong = next((name for name in set(self.classes.values()) if len(name.split()) != 1 or name in _SPECIAL), None)
        if wrong is not None:
            raise DataError(f"{wrong!r} is no name of a word class: it must be one word and not <unk>, <s> or </s>.")

    def map_lines(self, lines: Iterable[str]) -> list[str]:
        """Tokenised lines with every word replaced by its class, `<unk>` if it has none."""
        find = self.classes.get
        return [" ".join([find(word, "<unk>") for word in line.split()]) for line in lines]

    @classmethod
    def read(cls, path: StrPath) -> Self:
        """From lines of word, tab, class (what mkcls writes, too)."""
        classes: dict[str, str] = {}
        for number, line in enumerate(read_lines(path), start=1):
            word, tab, name = line.partition("\t")
            if not tab or len(word.split()) != 1 or len(name.split()) != 1:
                raise FormatError(f"expected a word, a tab and its class, got {line[:60]!r}.", path=path, line=number)
            if word in classes:
                raise FormatError(f"{word!r} has a class already, {classes[word]!r}.", path=path, line=number)
            classes[word] = name
        return cls(classes)

    def write(self, path: StrPath) -> None:
        """One word, tab, class a line."""
        write_lines(path, (f"{word}\t{name}" for word, name in self.classes.items()))

    def tables(self) -> list[Table]:
        """One row for each word."""
        return [Table.of("Word classes", ["word", "class"], self.classes.items())]

    def render(self, form: str = "text", *, raw: bool = False, screen: Screen = PLAIN) -> str:
        """As text, what `write` writes: the form that `read` and other tools take."""
        if form == "text":
            return "".join(f"{word}\t{name}\n" for word, name in self.classes.items())
        return super().render(form, raw=raw, screen=screen)


def cluster_words(
    lines: Sequence[str], n_classes: int = 50, *, max_rounds: int = 20, n_threads: int = 1
) -> WordClasses:
    """Word classes that make the bigrams of tokenised lines most probable, by exchange (Martin, Liermann & Ney 1998).

    Classes are numbered from 1. The result depends on the text alone: words begin dealt out by frequency.
    """
    if isinstance(lines, str):
        raise DataError("Expected lines of text, got one str. Pass a sequence of lines.")
    if n_classes < 1 or max_rounds < 1:
        raise DataError(f"Clustering needs at least one class and one round, got {n_classes} and {max_rounds}.")
    words = Vocabulary((), unk=None)
    ids, offsets = words.core.encode(lines, _core.text.surface_tokeniser("none"), n_threads=n_threads)
    n_words = len(words)
    if not n_words:
        raise DataError("There is no word to find a class for.")
    numbers, _, _ = _core.lm.cluster(ids, offsets, n_words=n_words, n_classes=n_classes, max_rounds=max_rounds)
    return WordClasses({word: str(number + 1) for word, number in zip(words, numbers.tolist(), strict=True)})


@dataclass(frozen=True)
class ClassKneserNey(KneserNey):
    """How to estimate a language model over word classes from tokenised text."""

    add: float = option(0.0, low=0.0, text="added to the count of every word within its class")

    def fit(self, lines: Sequence[str], classes: WordClasses, *, n_threads: int = 1) -> ClassModel:
        """Estimate p(class | past classes) as a Kneser–Ney model, and p(word | class) from counts.

        Words without a class are `<unk>`, and so are those of a class that the text lacks. A word of the table that the
        text lacks has the count `add`; with 0, the default, it is left out.
        """
        if isinstance(lines, str):
            raise DataError("Expected lines of text, got one str. Pass a sequence of lines.")
        counts = Counter(word for line in lines for word in line.split())
        seen = {classes.classes[word] for word in counts if word in classes.classes}
        members = {
            word: counts[word] + self.add
            for word, name in classes.classes.items()
            if name in seen and counts[word] + self.add > 0
        }
        totals = dict.fromkeys(seen, 0.0)
        for word, count in members.items():
            totals[classes.classes[word]] += count
        log_p = {word: float(np.log10(n / totals[classes.classes[word]])) for word, n in members.items()}
        table = WordClasses({word: classes.classes[word] for word in members})
        of_classes = KneserNey(**{each.name: getattr(self, each.name) for each in fields(KneserNey)})
        return ClassModel(of_classes.train(table.map_lines(lines), n_threads=n_threads), table, log_p, self)


class ClassModel(Artifact):
    """A language model over word classes. Words without a class are scored as `<unk>`."""

    kind: ClassVar[str] = "class language model"
    format: ClassVar[int] = 1

    model: LanguageModel  # over classes
    classes: WordClasses
    log_p: Mapping[str, float]  # word → log10 p(word | class)

    def __init__(
        self, model: LanguageModel, classes: WordClasses, log_p: Mapping[str, float], recipe: ClassKneserNey
    ) -> None:
        self.model = model
        self.classes = classes
        self.log_p = dict(log_p)
        self.recipe = recipe
        self.data = dict(model.data)

    @cached_property
    def _members(self) -> _core.lm.Members:
        """What scoring asks of words; a decoder, which sees classes alone, never does."""
        words, classes = list(self.classes.classes), list(self.classes.classes.values())
        log_p = np.asarray([self.log_p[word] for word in words], dtype=np.float32)
        return _core.lm.Members.make(self.model.core, words, classes, log_p)

    def __repr__(self) -> str:
        return f"<ClassModel of order {self.order}: {len(self.classes.classes):,} words>"

    @property
    def order(self) -> int:
        """The length of the longest n-grams of classes."""
        return self.model.order

    def words(self) -> list[str]:
        """The vocabulary: `<unk>`, `<s>`, `</s>`, then the words that have a class."""
        return [*_SPECIAL, *self.classes.classes]

    def score_tokens(
        self, lines: Sequence[str], *, bos: bool = True, eos: bool = True, n_threads: int = 1
    ) -> ScoredTokens:
        """log10 p(class | past classes) + log10 p(word | class), token by token."""
        if isinstance(lines, str):
            raise DataError("Expected lines of text, got one str. Pass a sequence of lines.")
        log_p, n_matched, unknown, offsets = self.model.core.score_lines(
            lines, bos=bos, eos=eos, n_threads=n_threads, members=self._members
        )
        return ScoredTokens(log_p, n_matched, unknown.view(np.bool_), offsets, ends=eos)

    def score(
        self, lines: Sequence[str], *, bos: bool = True, eos: bool = True, n_threads: int = 1
    ) -> NDArray[np.float64]:
        """log10 of the probability of each line, as a whole sentence unless `bos` or `eos` says otherwise."""
        scored = self.score_tokens(lines, bos=bos, eos=eos, n_threads=n_threads)
        sums = np.concatenate([[0.0], np.cumsum(scored.log_p.astype(np.float64))])
        return np.diff(sums[scored.offsets])

    def _write(self, folder: Path) -> None:
        self.model.save(folder / "classes")
        rows = (f"{word}\t{name}\t{self.log_p[word]!r}" for word, name in self.classes.classes.items())
        write_lines(folder / "words.tsv", rows)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        rows = [line.split("\t") for line in read_lines(folder / "words.tsv")]
        classes = WordClasses({word: name for word, name, _ in rows})
        log_p = {word: float(value) for word, _, value in rows}
        return cls(LanguageModel.load(folder / "classes"), classes, log_p, ClassKneserNey.from_dict(manifest.recipe))
