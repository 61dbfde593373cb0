"""Rules packed for translation: a trie of their source sides, mapped as it lies on disk, with its vocabularies."""

from __future__ import annotations

import json
import math
import mmap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.artifact import Artifact, Manifest
from dragoman.errors import DataError, FormatError, ModelError
from dragoman.files import StrPath, iter_blocks
from dragoman.options import Recipe, option
from dragoman.smt.grammar.formats import RULE_FORMATS, MosesRules
from dragoman.smt.grammar.rules import Gap, Labels, Rule
from dragoman.smt.phrase_table import UNKNOWN, PhrasePair
from dragoman.text.vocabulary import Vocabulary

__all__ = ["RulePacking", "RuleTable"]

_TABLE, _SOURCE, _TARGET = "rules.bin", "source.vocabulary", "target.vocabulary"
_LAYOUT, _COUNTS = "layout.json", "counts.npy"
_LOWEST = -100.0  # of a logarithm: that of nothing
_DIGITS = 6  # of a probability whose logarithm is kept in 32 bits
_BLOCK = 4096  # rules that are written as lines before they are read


@dataclass(frozen=True)
class RulePacking(Recipe):
    """How rules are packed."""

    quantised: bool = option(False, choices=(False, True), text="scores in 256 bins each, a byte a score")
    named: tuple[str, ...] = option((), text="a sparse feature of the rules that becomes a score, as it stands")


class RuleTable(Artifact):
    """The rules of a grammar by their source sides, each with scores: natural logarithms, none below -100.

    What named features say stands as it is behind them. `labels` are the names, source and target, of what is filled
    by a rule and fills a gap. Rules of one source side keep the order in which they came.
    """

    kind: ClassVar[str] = "rule table"
    format: ClassVar[int] = 1

    core: _core.chart.RuleTable  # what kernels take
    source: Vocabulary
    target: Vocabulary
    orientation = "none"

    def __init__(
        self,
        core: _core.chart.RuleTable,
        source: Vocabulary,
        target: Vocabulary,
        recipe: RulePacking | None = None,
        *,
        names: tuple[Sequence[str], Sequence[str]],
        features: Sequence[str] | None = None,
        counts: NDArray[np.int64] | None = None,
        data: Mapping[str, str] | None = None,
    ) -> None:
        """`names`: of labels, of each side, by the numbers that the core has for them; `counts`: of source words."""
        self.core = core
        self.source, self.target = source.freeze(), target.freeze()
        self.recipe: RulePacking = recipe or RulePacking()
        self.names = tuple(names[0]), tuple(names[1])
        self.labels: tuple[Labels, ...] = tuple((names[0][s], names[1][t]) for s, t in core.labels)
        self.features = _feature_names(core.n_scores, self.recipe) if features is None else tuple(features)
        self.counts = counts
        self.data = dict(data or {})
        if len(self.features) != core.n_scores:
            raise DataError(f"The rules have {core.n_scores} scores and {len(self.features)} names for them.")
        if counts is not None and len(counts) != len(source):
            raise DataError(f"There are {len(counts)} counts for {len(source)} source words.")

    def __len__(self) -> int:
        """The number of rules."""
        return len(self.core)

    def __repr__(self) -> str:
        return f"<RuleTable of {len(self):,} rules of {self.n_sources:,} source sides>"

    @property
    def n_rules(self) -> int:
        """The number of rules."""
        return len(self.core)

    @property
    def n_sources(self) -> int:
        """The number of different source sides, whatever their rules are called."""
        return self.core.n_sources

    def count(self, word: str) -> int:
        """How often a source word was met in training; without counts, whether a rule translates it alone."""
        number = self.source.get(word)
        if number is None:
            return 0
        return int(self.translates(word)) if self.counts is None else int(self.counts[number])

    def translates(self, word: str) -> bool:
        """Whether a rule translates a source word alone; it may be in rules with others and have none of its own."""
        number = self.source.get(word)
        first, last = (0, 0) if number is None else self.core.find([number])
        return bool(first < last)

    def rules(self, source: Sequence[str | Labels]) -> list[Rule]:
        """The rules of a source side, whose symbols are words and gaps by their labels."""
        symbols = [self._symbol(each) for each in source]
        if None in symbols:
            return []
        numbers = [each for each in symbols if each is not None]
        first, last = self.core.find(numbers)
        side = self._source_side(numbers)
        return [self._rule(side, number) for number in range(first, last)]

    def matching(self, source: Sequence[str | None]) -> list[Rule]:
        """The rules of the source sides that have these words, and gaps of any label where `None` stands."""
        sides: list[tuple[str | Labels, ...]] = [()]
        for symbol in source:
            choices: Sequence[str | Labels] = self.labels if symbol is None else [symbol]
            sides = [(*side, choice) for side in sides for choice in choices if self._begins((*side, choice))]
        return [rule for side in sides for rule in self.rules(side)]

    def _begins(self, source: Sequence[str | Labels]) -> bool:
        symbols = [self._symbol(each) for each in source]
        return None not in symbols and self.core.begins([each for each in symbols if each is not None])

    def translations(self, tokens: str) -> list[PhrasePair]:
        """The rules without gaps of a phrase, as pairs of a phrase table, the most probable first."""
        numbers = [self.source.get(word) for word in tokens.split()]
        if not numbers or None in numbers:
            return []
        first, last = self.core.find([number for number in numbers if number is not None])
        pairs = []
        for number in range(first, last):
            _, symbols, links, scores = self.core.rule(number)
            words = " ".join(self.target.word(each) for each in symbols)
            pairs.append(PhrasePair(tokens, words, tuple(links), tuple(scores)))
        return sorted(pairs, key=lambda pair: -pair.scores[2]) if len(self.features) > 2 else pairs

    def __iter__(self) -> Iterator[Rule]:
        """All rules, those of one source side together."""
        symbols, offsets, ranges = self.core.sides()
        for begin, end, (first, last) in zip(offsets[:-1], offsets[1:], ranges, strict=True):
            side = self._source_side(symbols[begin:end].tolist())
            for number in range(first, last):
                yield self._rule(side, number)

    def _symbol(self, symbol: str | Labels) -> int | None:
        if isinstance(symbol, str):
            return self.source.get(symbol)
        return -1 - self.labels.index(symbol) if symbol in self.labels else None

    def _source_side(self, numbers: Sequence[int]) -> tuple[str | Gap, ...]:
        places = {place: k for k, place in enumerate(i for i, each in enumerate(numbers) if each < 0)}
        return tuple(
            Gap(places[i], self.labels[-1 - each]) if each < 0 else self.source.word(each)
            for i, each in enumerate(numbers)
        )

    def _rule(self, side: tuple[str | Gap, ...], number: int) -> Rule:
        label, symbols, links, scores = self.core.rule(number)
        gaps = [each for each in side if isinstance(each, Gap)]
        target = tuple(gaps[-1 - each] if each < 0 else self.target.word(each) for each in symbols)
        n = len(scores) - len(self.recipe.named)
        named = tuple(zip(self.recipe.named, scores[n:], strict=True))
        return Rule(
            side,
            target,
            self.labels[label],
            tuple(map(_probability, scores[:n])),
            tuple(links),
            named=named,
        )

    @classmethod
    def read_rules(
        cls,
        path: StrPath,
        *,
        format: str = "moses",  # noqa: A002 - what it is called everywhere
        quantised: bool = False,
        named: Sequence[str] = (),
        features: Sequence[str] | None = None,
        counts: Mapping[str, int] | None = None,
        vocabularies: tuple[Vocabulary, Vocabulary] | None = None,
        data: Mapping[str, str] | None = None,
        n_threads: int = 1,
    ) -> Self:
        """The table of a file of rules, which is read once, in blocks; a second thread reads ahead.

        `named` features become scores besides those without names. `counts` tells how often source words were met.
        `vocabularies`, growing ones, of source and target keep the numbers of their words.
        """
        if format not in RULE_FORMATS:
            raise DataError(f"There is no format {format!r} of rules. Known: {', '.join(RULE_FORMATS)}.")
        reader = _Reader(vocabularies, named)
        if format == "moses":
            for block in _ahead(iter_blocks(path)) if n_threads > 1 else iter_blocks(path):
                reader.add(block, path)
        else:
            reader.add_rules(RULE_FORMATS[format]().read(path))
        return cls._of(reader, RulePacking(quantised, tuple(named)), features, counts, data)

    @classmethod
    def of_rules(
        cls,
        rules: Iterable[Rule],
        *,
        quantised: bool = False,
        named: Sequence[str] = (),
        features: Sequence[str] | None = None,
        counts: Mapping[str, int] | None = None,
        vocabularies: tuple[Vocabulary, Vocabulary] | None = None,
    ) -> Self:
        """The table of rules; see `read_rules`."""
        reader = _Reader(vocabularies, named)
        reader.add_rules(rules)
        return cls._of(reader, RulePacking(quantised, tuple(named)), features, counts, None)

    @classmethod
    def _of(
        cls,
        reader: _Reader,
        recipe: RulePacking,
        features: Sequence[str] | None,
        counts: Mapping[str, int] | None,
        data: Mapping[str, str] | None,
    ) -> Self:
        core = reader.rules.finish(reader.source.core, reader.target.core, quantised=recipe.quantised)
        met = None
        if counts is not None:
            met = np.array([counts.get(word, 0) for word in reader.source.words()], dtype=np.int64)
        return cls(
            core,
            reader.source,
            reader.target,
            recipe,
            names=reader.rules.label_names,
            features=features,
            counts=met,
            data=data,
        )

    def _write(self, folder: Path) -> None:
        (folder / _TABLE).write_bytes(self.core.serialised())
        self.source.save(folder / _SOURCE)
        self.target.save(folder / _TARGET)
        layout = {"features": list(self.features), "source": list(self.names[0]), "target": list(self.names[1])}
        (folder / _LAYOUT).write_text(json.dumps(layout, ensure_ascii=False) + "\n", encoding="utf-8")
        if self.counts is not None:
            np.save(folder / _COUNTS, self.counts)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        file = folder / _TABLE
        with file.open("rb") as stream:
            if not file.stat().st_size:
                raise ModelError(f"{file}: the file is empty. Build the table again or copy it again.")
            content = memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))
        source, target = Vocabulary.load(folder / _SOURCE), Vocabulary.load(folder / _TARGET)
        layout = json.loads((folder / _LAYOUT).read_text(encoding="utf-8"))
        names = tuple(layout["source"]), tuple(layout["target"])
        counts = np.load(folder / _COUNTS, allow_pickle=False) if (folder / _COUNTS).is_file() else None
        try:
            core = _core.chart.RuleTable.on_file(content)
        except DataError as error:
            raise ModelError(f"{file}: {error}") from None
        sizes = (core.n_source_words, core.n_target_words, core.n_source_labels, core.n_target_labels, core.n_scores)
        if sizes != (len(source), len(target), len(names[0]), len(names[1]), len(layout["features"])):
            raise ModelError(f"{file} does not fit the vocabularies, labels and features beside it. Build it again.")
        if counts is not None and (counts.ndim != 1 or len(counts) != len(source) or counts.dtype != np.int64):
            raise ModelError(f"{folder / _COUNTS} does not fit the vocabulary beside it. Build it again.")
        recipe = RulePacking.from_dict(manifest.recipe)
        return cls(
            core, source, target, recipe, names=names, features=layout["features"], counts=counts, data=manifest.data
        )


class _Reader:
    """A kernel that takes in rules, and the vocabularies that it fills."""

    def __init__(self, vocabularies: tuple[Vocabulary, Vocabulary] | None, named: Sequence[str]) -> None:
        self.source, self.target = vocabularies or (Vocabulary(unk=UNKNOWN), Vocabulary(unk=UNKNOWN))
        self.rules = _core.chart.MosesRules(self.source.core, self.target.core, list(named))

    def add(self, lines: str, path: StrPath) -> None:
        """Take in lines of a file."""
        try:
            self.rules.add(lines)
        except DataError as error:
            raise FormatError(str(error), path=path, line=self.rules.n_lines) from None

    def add_rules(self, rules: Iterable[Rule]) -> None:
        """Take in rules; one that is none raises `DataError` with its number."""
        form = MosesRules()
        waiting: list[str] = []
        for rule in rules:
            waiting.append(form.line(rule) + "\n")
            if len(waiting) == _BLOCK:
                self._add_lines(waiting)
        self._add_lines(waiting)

    def _add_lines(self, lines: list[str]) -> None:
        try:
            self.rules.add("".join(lines))
        except DataError as error:
            raise DataError(f"Rule {self.rules.n_lines}: {error}") from None
        lines.clear()


def _ahead(blocks: Iterator[str]) -> Iterator[str]:
    """The same blocks, the next of which is read while one is used."""
    with ThreadPoolExecutor(1) as reading:
        waiting = reading.submit(next, blocks, None)
        while (block := waiting.result()) is not None:
            waiting = reading.submit(next, blocks, None)
            yield block


def _probability(logarithm: float) -> float:
    return float(f"{math.exp(logarithm):.{_DIGITS}g}") if logarithm > _LOWEST else 0.0


def _feature_names(n_scores: int, recipe: RulePacking) -> tuple[str, ...]:
    return (*(f"table.{i + 1}" for i in range(n_scores - len(recipe.named))), *recipe.named)
