"""The phrase tables of a training: one for each text, pruned if asked for, and what they become together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.held_out import held_out_sides
from dragoman.smt.pairs import Linked, TokenisedPairs, clean_pairs, encode
from dragoman.smt.phrase_table import UNKNOWN, PhraseTable
from dragoman.smt.preparation import TextSide
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.work import PlannedStep, fingerprint
from dragoman.text import Truecaser
from dragoman.text.tokens import TokenIds, join_rows
from dragoman.text.vocabulary import Vocabulary

__all__ = ["TableSteps", "TrainingText", "part_sizes", "read_parts", "table_steps"]


@dataclass(frozen=True)
class TrainingText:
    """The sentence pairs of several texts, one behind the other."""

    sources: list[str]
    targets: list[str]
    sizes: tuple[int, ...]  # pairs of each text

    def fingerprint(self) -> str:
        """What they hold, as one hash; of one text, that of its lines."""
        lines = [line for pair in zip(self.sources, self.targets, strict=True) for line in pair]
        if len(self.sizes) == 1:
            return fingerprint(lines)
        ends = np.cumsum([0, *self.sizes]).tolist()
        return fingerprint(fingerprint(lines[2 * a : 2 * b]) for a, b in pairwise(ends))


def read_parts(bitexts: Sequence[Bitext]) -> TrainingText:
    """All pairs of bitexts; one without any is refused."""
    sources: list[str] = []
    targets: list[str] = []
    sizes = []
    for bitext in bitexts:
        before = len(sources)
        for batch in bitext.batches():
            sources += batch.srcs
            targets += batch.tgts
        if len(sources) == before:
            raise DataError(f"There is nothing to train on: {bitext.label} has no sentence pairs.")
        sizes.append(len(sources) - before)
    return TrainingText(sources, targets, tuple(sizes))


def part_sizes(cased: TokenisedPairs, sizes: Sequence[int], recipe: EngineRecipe) -> list[int]:
    """How many pairs of each of several texts are left after cleaning."""
    ends = np.cumsum([0, *sizes]).tolist()
    left = [
        len(clean_pairs(TokenisedPairs(cased.source[a:b], cased.target[a:b]), recipe).source) for a, b in pairwise(ends)
    ]
    if 0 in left:
        raise DataError(f"None of the sentence pairs of text {left.index(0) + 1} is left after cleaning.")
    return left


def table_steps(recipe: EngineRecipe, align: str, n_parts: int, dev: str) -> list[PlannedStep]:
    """The steps to the engine's phrase table, which the last one gives; `align` is the key of the links' step."""
    settings = recipe.to_dict()
    steps: list[PlannedStep] = []
    for part in range(1, n_parts + 1):
        name = "phrases" if part == 1 else f"phrases-{part}"
        more = {} if n_parts == 1 else {"text": part}
        steps.append(PlannedStep(name, "extract and score phrases", {**settings["phrases"], **more}, (align,), 8))
        if recipe.prune.method != "none":
            key = steps[-1].key
            steps.append(PlannedStep(_pruned(name), "prune phrases by their use", settings["prune"], (key,), 60))
    if n_parts > 1:
        keys = [step.key for step in steps if step.name.startswith("prune" if recipe.prune.method != "none" else "phr")]
        needs_dev = recipe.tables.mode == "interpolated" and not recipe.tables.weights
        if needs_dev and not dev:
            raise DataError(
                "Interpolation sets its weights on a tuning set. Name one, or give weights: "
                f"--set tables.weights={'+'.join(['0.5'] * n_parts)}."
            )
        inputs = (*keys, dev) if needs_dev else tuple(keys)
        steps.append(PlannedStep("tables", "make one table of several", settings["tables"], inputs, 4))
    return steps


def _pruned(name: str) -> str:
    return name.replace("phrases", "prune")


class TableSteps:
    """Makes the engine's phrase table."""

    def __init__(self, recipe: EngineRecipe, step: Callable[..., Any], n_threads: int) -> None:
        self.recipe = recipe
        self.step = step
        self.n_threads = n_threads

    def make(
        self,
        linked: Linked,
        sizes: Sequence[int],
        clean: TokenisedPairs,
        casers: tuple[Truecaser | None, Truecaser | None],
        dev: TestSet | None,
    ) -> PhraseTable:
        """One table for each text, of so many pairs, and what the recipe makes of them."""
        ends = np.cumsum([0, *sizes]).tolist()
        tables = []
        for part, (begin, end) in enumerate(pairwise(ends), start=1):
            name = "phrases" if part == 1 else f"phrases-{part}"
            text = linked.text if len(sizes) == 1 else _between(linked.text, begin, end, ends[-1])
            table = self._table(name, partial(self._extract, text, linked))
            if self.recipe.prune.method != "none":
                table = self._table(_pruned(name), partial(self._prune, table, text))
            tables.append(table)
        if len(tables) == 1:
            return tables[0]
        return self._table("tables", lambda: self._combined(tables, clean, casers, dev))

    def _extract(self, text: AlignedText, linked: Linked) -> PhraseTable:
        return self.recipe.phrases.extract(text, linked.source, linked.target, n_threads=self.n_threads)

    def _prune(self, table: PhraseTable, text: AlignedText) -> PhraseTable:
        return self.recipe.prune.prune(table, text, n_threads=self.n_threads)[0]

    def _table(self, name: str, make: Callable[[], PhraseTable]) -> PhraseTable:
        table: PhraseTable = self.step(
            name,
            make=make,
            save=lambda table, folder: table.save(folder / "phrases"),
            load=lambda folder: PhraseTable.load(folder / "phrases", verify=True),
            outcome=lambda table: f"{len(table)} pairs of {table.n_sources} phrases",
        )
        return table

    def _combined(
        self,
        tables: Sequence[PhraseTable],
        clean: TokenisedPairs,
        casers: tuple[Truecaser | None, Truecaser | None],
        dev: TestSet | None,
    ) -> PhraseTable:
        pairs = None
        if dev and self.recipe.tables.mode == "interpolated" and not self.recipe.tables.weights:
            pairs = self._held_out(clean, casers, dev)
        return self.recipe.tables.combine(tables, pairs=pairs)

    def _held_out(
        self, clean: TokenisedPairs, casers: tuple[Truecaser | None, Truecaser | None], dev: TestSet
    ) -> PhraseTable:
        """The phrase pairs of the tuning set, aligned by what the recipe's aligner learnt from the text."""
        recipe = self.recipe
        srcs, refs = held_out_sides(dev)
        langs, texts = (recipe.source_lang, recipe.target_lang), (srcs, refs.lines(0))
        sides = [
            TextSide(lang, recipe.text, caser).prepare(lines, n_threads=self.n_threads)
            for lang, caser, lines in zip(langs, casers, texts, strict=True)
        ]
        aligner = recipe.align.train(clean.source, clean.target, n_threads=self.n_threads)
        alignment = aligner.align(*sides, symmetrisation=recipe.align.symmetrisation, n_threads=self.n_threads)
        source, target = Vocabulary(unk=UNKNOWN), Vocabulary(unk=UNKNOWN)
        text = AlignedText(encode(source, sides[0]), encode(target, sides[1]), alignment.links, alignment.offsets)
        whole = replace(recipe.phrases, smoothing="none", significance="none", translations_per_phrase=0)
        return whole.extract(text, source, target, n_threads=self.n_threads)


def _between(text: AlignedText, begin: int, end: int, n_pairs: int) -> AlignedText:
    """Some of the pairs of a text of `n_pairs`, which may stand there several times, once for each aligner."""
    copies = [(first + begin, first + end) for first in range(0, len(text), n_pairs)]
    source = [_slice(text.source.ids, text.source.offsets, *copy) for copy in copies]
    target = [_slice(text.target.ids, text.target.offsets, *copy) for copy in copies]
    links = [_slice(text.links, text.link_offsets, *copy) for copy in copies]
    return AlignedText(TokenIds(*join_rows(source)), TokenIds(*join_rows(target)), *join_rows(links))


def _slice(
    values: NDArray[Any], offsets: NDArray[np.int64], begin: int, end: int
) -> tuple[NDArray[Any], NDArray[np.int64]]:
    return values[offsets[begin] : offsets[end]], offsets[begin : end + 1]
