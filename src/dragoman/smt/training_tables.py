"""The phrase tables of a training: one for each text, pruned if asked for, and what they become together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import accumulate, chain, islice, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dragoman.data.bitext import Bitext
from dragoman.data.testset import TestSet
from dragoman.errors import DataError
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.held_out import held_out_sides
from dragoman.smt.pair_weights import PairWeights
from dragoman.smt.pairs import Linked, TokenisedPairs, clean_places, encode
from dragoman.smt.phrase_table import UNKNOWN, PhraseTable
from dragoman.smt.pooling import POOLED
from dragoman.smt.preparation import TextSide
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.splitting import WHOLE, Splitters
from dragoman.smt.weak_tuning import weak_weights
from dragoman.smt.weights import Weights, read_weights, write_weights
from dragoman.smt.work import PlannedStep, fingerprint
from dragoman.text import Truecaser
from dragoman.text.vocabulary import Vocabulary

__all__ = ["CleanParts", "TableSteps", "TrainingText", "clean_parts", "read_parts", "table_steps", "weights_key"]

_POOL = "phrases-all"  # the table of all texts together
_WEIGHTS = "weights.tsv"


@dataclass(frozen=True)
class CleanParts:
    """What cleaning left of the texts: how many pairs of each, and what each of these counts, if that differs."""

    sizes: tuple[int, ...]
    weights: NDArray[np.float32] | None = None


@dataclass(frozen=True)
class TrainingText:
    """The sentence pairs of several texts, one behind the other."""

    sources: list[str]
    targets: list[str]
    sizes: tuple[int, ...]  # pairs of each text
    weights: NDArray[np.float32] | None = None  # what each pair counts in extraction; none: 1

    def fingerprint(self) -> str:
        """What they hold, as one hash; of one text, that of its lines."""

        def lines(begin: int, end: int) -> Iterator[str]:
            both = zip(islice(self.sources, begin, end), islice(self.targets, begin, end), strict=True)
            return chain.from_iterable(both)

        ends = list(accumulate(self.sizes, initial=0))
        prints = (fingerprint(lines(a, b)) for a, b in pairwise(ends))
        return next(prints) if len(self.sizes) == 1 else fingerprint(prints)


def read_parts(bitexts: Sequence[Bitext], weights: Sequence[PairWeights] = ()) -> TrainingText:
    """All pairs of bitexts with what they count, if there are weights for them; one without any pairs is refused."""
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
    parts = zip(weights, bitexts, sizes, strict=True) if weights else ()
    read = [each.read(size, bitext.label) for each, bitext, size in parts]
    return TrainingText(sources, targets, tuple(sizes), np.concatenate(read) if read else None)


def clean_parts(cased: TokenisedPairs, text: TrainingText, recipe: EngineRecipe) -> CleanParts:
    """What cleaning leaves of several texts."""
    places = clean_places(cased, recipe)
    ends = np.searchsorted(places, np.cumsum([0, *text.sizes]))
    left = np.diff(ends).tolist()
    if 0 in left:
        raise DataError(f"None of the sentence pairs of text {left.index(0) + 1} is left after cleaning.")
    return CleanParts(tuple(left), None if text.weights is None else text.weights[places])


def weights_key(text: TrainingText, recipe: EngineRecipe) -> str:
    """What the pairs of a text count, as a hash; empty if all count the same. Who cannot weigh pairs refuses."""
    if text.weights is None:
        return ""
    if recipe.index.use != "none" or recipe.prune.method != "none":
        raise DataError(
            "Weights of sentence pairs count in an extracted phrase table alone; an index and pruning by use count "
            "every pair once. Set index.use=none and prune.method=none."
        )
    return fingerprint(map(str, text.weights.tolist()))


def _names(recipe: EngineRecipe, n_parts: int) -> list[str]:
    """The tables that are extracted: of the first text, of others, of all (the pool)."""
    first, *others = ["phrases", *(f"phrases-{part}" for part in range(2, n_parts + 1))]
    mode, domains = recipe.tables.mode, recipe.tables.domains != "none"
    if n_parts == 1 or mode not in POOLED:
        return [first, *others]
    own = [first] * (domains or mode != "pooled") + others * domains
    return own + [_POOL] * (mode != "pooled-links")


def table_steps(recipe: EngineRecipe, align: str, n_parts: int, dev: str, weights: str = "") -> list[PlannedStep]:
    """The steps to the engine's phrase table, which the last one gives.

    `align` is the key of the links' step, `weights` that of what sentence pairs count.
    """
    settings = recipe.to_dict()
    made_of = (align, *filter(None, [weights]))
    steps: list[PlannedStep] = []
    for name in _names(recipe, n_parts):
        more = {} if n_parts == 1 else {"text": "all" if name == _POOL else _part(name)}
        steps.append(PlannedStep(name, "extract and score phrases", {**settings["phrases"], **more}, made_of, 8))
        if recipe.prune.method != "none":
            key = steps[-1].key
            if dev and recipe.prune.tuner != "none":
                told = {name: settings[name] for name in ("prune", "tune", "search")}
                steps.append(PlannedStep(_weighed(name), "tune weights to prune phrases by", told, (key, dev), 40))
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


def _weighed(name: str) -> str:
    return name.replace("phrases", "weak-weights")


def _part(name: str) -> int:
    """The number of the text that a table is of."""
    return int(name.partition("-")[2] or 1)


class TableSteps:
    """Makes the engine's phrase table."""

    def __init__(
        self, recipe: EngineRecipe, step: Callable[..., Any], n_threads: int, splitters: Splitters = WHOLE
    ) -> None:
        self.recipe = recipe
        self.splitters = splitters  # of the tuning set, where it is looked at
        self.step = step
        self.n_threads = n_threads

    def make(
        self,
        linked: Linked,
        left: CleanParts,
        clean: TokenisedPairs,
        casers: tuple[Truecaser | None, Truecaser | None],
        dev: TestSet | None,
    ) -> PhraseTable:
        """One table for each text, of what is left of it, and what the recipe makes of them."""
        ends = np.cumsum([0, *left.sizes]).tolist()
        whole = linked.text
        if left.weights is not None:
            whole = replace(whole, weights=np.tile(left.weights, len(whole) // ends[-1]))
        tables, pool = [], None
        for name in _names(self.recipe, len(left.sizes)):
            alone = name == _POOL or len(left.sizes) == 1
            text = whole if alone else whole.between(ends[_part(name) - 1], ends[_part(name)], ends[-1])
            table = self._table(name, partial(self._extract, text, linked))
            if self.recipe.prune.method != "none":
                weights = self._weak_weights(name, table, clean, casers, dev)
                table = self._table(_pruned(name), partial(self._prune, table, text, weights))
            if name == _POOL:
                pool = table
            else:
                tables.append(table)
        if len(left.sizes) == 1:
            return tables[0]
        return self._table("tables", lambda: self._combined(tables, pool, clean, casers, dev))

    def _extract(self, text: AlignedText, linked: Linked) -> PhraseTable:
        return self.recipe.phrases.extract(text, linked.source, linked.target, n_threads=self.n_threads)

    def _prune(self, table: PhraseTable, text: AlignedText, weights: Weights) -> PhraseTable:
        return self.recipe.prune.prune(table, text, weights=weights, n_threads=self.n_threads)[0]

    def _weak_weights(
        self,
        name: str,
        table: PhraseTable,
        clean: TokenisedPairs,
        casers: tuple[Truecaser | None, Truecaser | None],
        dev: TestSet | None,
    ) -> Weights:
        """What forced decoding weighs features by; nothing, which is as untuned, without a tuning set."""
        if dev is None or self.recipe.prune.tuner == "none":
            return {}
        weights: Weights = self.step(
            _weighed(name),
            make=lambda: weak_weights(
                table,
                clean.target,
                self.recipe,
                dev,
                casers=casers,
                splitters=self.splitters,
                n_threads=self.n_threads,
            ),
            save=lambda weights, folder: write_weights(folder / _WEIGHTS, weights),
            load=lambda folder: read_weights(folder / _WEIGHTS),
            outcome=lambda weights: f"{len(weights)} weights",
        )
        return weights

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
        pool: PhraseTable | None,
        clean: TokenisedPairs,
        casers: tuple[Truecaser | None, Truecaser | None],
        dev: TestSet | None,
    ) -> PhraseTable:
        pairs = None
        if dev and self.recipe.tables.mode == "interpolated" and not self.recipe.tables.weights:
            pairs = self._held_out(clean, casers, dev)
        return self.recipe.tables.combine(tables or [each for each in (pool,) if each], pairs=pairs, pool=pool)

    def _held_out(
        self, clean: TokenisedPairs, casers: tuple[Truecaser | None, Truecaser | None], dev: TestSet
    ) -> PhraseTable:
        """The phrase pairs of the tuning set, aligned by what the recipe's aligner learnt from the text."""
        recipe = self.recipe
        srcs, refs = held_out_sides(dev)
        langs, texts = (recipe.source_lang, recipe.target_lang), (srcs, refs.lines(0))
        sides = [
            TextSide(lang, recipe.text, caser, splitter=splitter).trained(lines, n_threads=self.n_threads)
            for lang, caser, splitter, lines in zip(langs, casers, self.splitters, texts, strict=True)
        ]
        aligner = recipe.align.train(clean.source, clean.target, n_threads=self.n_threads)
        alignment = aligner.align(*sides, symmetrisation=recipe.align.symmetrisation, n_threads=self.n_threads)
        source, target = Vocabulary(unk=UNKNOWN), Vocabulary(unk=UNKNOWN)
        text = AlignedText(encode(source, sides[0]), encode(target, sides[1]), alignment.links, alignment.offsets)
        whole = replace(recipe.phrases, smoothing="none", significance="none", translations_per_phrase=0)
        return whole.extract(text, source, target, n_threads=self.n_threads)
