"""A bilingual n-gram model: how probable a pair of sentences is as a sequence of tuples (see `unfolding`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman.align import Aligner
from dragoman.align.base import ALIGNERS
from dragoman.artifact import Artifact, Manifest
from dragoman.data.parallel import check_parallel
from dragoman.errors import DataError
from dragoman.lm import KneserNey, LanguageModel
from dragoman.options import Recipe, option
from dragoman.report import Column, Result, Table
from dragoman.smt.unfolding import Fit, Tuple, unfold
from dragoman.smt.word_alignment import SYMMETRISATIONS

__all__ = ["TupleModel", "TupleRecipe", "UnfoldedPairs", "shown_tuples", "tuple_token"]

_LM, _ALIGNER = "lm", "aligner"
_WORD, _SIDE = "▁", "‖"  # between the words of a side, and between the sides of a tuple


@dataclass(frozen=True)
class TupleRecipe(Recipe):
    """How tuples are cut out of a bitext, and how many of them one depends on."""

    order: int = option(4, low=1, high=9, text="length of the longest n-grams of tuples")
    method: str = option("ibm1", of=ALIGNERS, text="the aligner whose links units are made of")
    symmetrisation: str = option("grow-diag-final-and", choices=SYMMETRISATIONS, text="how both directions become one")
    seed: int = option(1, low=0, text="of aligners that draw")

    def train(self, srcs: Sequence[str], tgts: Sequence[str], *, n_threads: int = 1) -> TupleModel:
        """Align tokenised pairs, unfold them and estimate the n-gram model (modified Kneser–Ney)."""
        self.check()
        check_parallel({"srcs": srcs, "tgts": tgts})
        full = [place for place, both in enumerate(zip(srcs, tgts, strict=True)) if all(line.split() for line in both)]
        if not full:
            raise DataError("There is no pair with words on both sides; there are no tuples to count.")
        left, right = ([lines[place] for place in full] for lines in (srcs, tgts))
        aligner = ALIGNERS.make(self.method).train(left, right, seed=self.seed, n_threads=n_threads)
        units = unfolded(aligner, self.symmetrisation, left, right, n_threads=n_threads)
        model = KneserNey(order=self.order).train(map(_line, units), n_threads=n_threads)
        marks = {
            name: sha256("\n".join(lines).encode()).hexdigest() for name, lines in (("source", left), ("target", right))
        }
        return TupleModel(self, aligner, model, data=marks)


class TupleModel(Artifact):
    """Scores pairs of sentences by their tuples: `TupleModel.load("tuples").score(srcs, tgts)`."""

    kind: ClassVar[str] = "tuple model"
    format: ClassVar[int] = 1
    recipe: TupleRecipe

    def __init__(
        self, recipe: TupleRecipe, aligner: Aligner, model: LanguageModel, *, data: Mapping[str, str] | None = None
    ) -> None:
        self.recipe = recipe
        self.aligner = aligner
        self.model = model
        self.data = dict(data or {})

    def units(self, srcs: Sequence[str], tgts: Sequence[str], *, n_threads: int = 1) -> list[list[Tuple]]:
        """The tuples of tokenised pairs, all of which have words on both sides."""
        return unfolded(self.aligner, self.recipe.symmetrisation, srcs, tgts, n_threads=n_threads)

    def score(self, srcs: Sequence[str], tgts: Sequence[str], *, n_threads: int = 1) -> NDArray[np.float64]:
        """log10 of the joint probability of each pair: the product over its tuples and its end."""
        units = self.units(srcs, tgts, n_threads=n_threads)
        return np.asarray(self.model.score([_line(each) for each in units], n_threads=n_threads), dtype=np.float64)

    def _write(self, folder: Path) -> None:
        self.model.save(folder / _LM)
        self.aligner.save(folder / _ALIGNER)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        recipe = TupleRecipe.from_dict(manifest.recipe)
        return cls(recipe, Aligner.load(folder / _ALIGNER), LanguageModel.load(folder / _LM), data=manifest.data)


def unfolded(
    aligner: Aligner, symmetrisation: str, srcs: Sequence[str], tgts: Sequence[str], *, n_threads: int = 1
) -> list[list[Tuple]]:
    """Pairs aligned and unfolded; target words without a link go where the aligner's lexicon likes them better."""
    alignment = aligner.align(srcs, tgts, symmetrisation=symmetrisation, n_threads=n_threads)
    fit = lexical_fit(aligner)
    ends = alignment.offsets.tolist()
    return [
        unfold(src.split(), tgt.split(), map(tuple, alignment.links[begin:end].tolist()), fit=fit)
        for src, tgt, begin, end in zip(srcs, tgts, ends[:-1], ends[1:], strict=True)
    ]


@dataclass(frozen=True)
class UnfoldedPairs(Result):
    """The tuples of sentence pairs."""

    kind: ClassVar[str] = "tuples"

    units: tuple[tuple[Tuple, ...], ...]
    log_p: tuple[float, ...]  # base 10, of each pair

    def tables(self) -> list[Table]:
        """A row for each tuple."""
        rows = [
            (pair, place, " ".join(unit.source), " ".join(unit.target))
            for pair, units in enumerate(self.units, start=1)
            for place, unit in enumerate(units, start=1)
        ]
        columns: list[str | Column] = ["pair", "tuple", Column("source", is_text=True), Column("target", is_text=True)]
        return [Table.of("Tuples", columns, rows)]

    def meta(self) -> dict[str, Any]:
        """The pairs' probabilities."""
        return {"log_p": list(self.log_p)}


def shown_tuples(model: TupleModel, srcs: Sequence[str], tgts: Sequence[str], *, n_threads: int = 1) -> UnfoldedPairs:
    """The tuples of tokenised pairs; a pair without words on a side is named."""
    check_parallel({"srcs": srcs, "tgts": tgts})
    for number, both in enumerate(zip(srcs, tgts, strict=True), start=1):
        if not all(line.split() for line in both):
            raise DataError(f"Pair {number} has no words on one side, so there are no tuples of it; leave it out.")
    units = model.units(srcs, tgts, n_threads=n_threads)
    return UnfoldedPairs(tuple(map(tuple, units)), tuple(model.score(srcs, tgts, n_threads=n_threads).tolist()))


def lexical_fit(aligner: Aligner) -> Fit:
    """The highest probability of a target word given one of the source words."""
    lexicon = aligner.lexicon()
    sources, targets = lexicon.source_vocabulary, lexicon.target_vocabulary
    known = dict(
        zip(zip(lexicon.sources.tolist(), lexicon.targets.tolist(), strict=True), lexicon.p.tolist(), strict=True)
    )

    def fit(word: str, words: tuple[str, ...]) -> float:
        number = targets.get(word)
        return max((known.get((sources.get(each), number), 0.0) for each in words), default=0.0)

    return fit


def tuple_token(unit: Tuple) -> str:
    """A tuple as one token of a language model."""
    return _SIDE.join(_WORD.join(map(_plain, side)) for side in (unit.source, unit.target))


def _plain(word: str) -> str:
    """A word without the marks of tuples."""
    return word.replace(_WORD, "_").replace(_SIDE, "|")


def _line(units: Sequence[Tuple]) -> str:
    return " ".join(map(tuple_token, units))
