"""Models of smaller or coarser units than words: roots and endings, word classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

from dragoman.align.aligner import Aligner
from dragoman.align.ibm import Ibm1
from dragoman.artifact import Artifact, Manifest, Recipe, option
from dragoman.lm import KneserNey, LanguageModel, WordClasses, cluster_words

__all__ = ["UnitModels", "UnitRecipe", "to_pieces"]

_ROOT = 4  # letters of a root
_SPAN = 4  # classes that make a unit of the lexicon, as the POS 4-grams of Popović 2012
_SIDES = ("source", "target")


@dataclass(frozen=True)
class UnitRecipe(Recipe):
    """How to make models of units: an n-gram model of each side, and IBM model 1 in both directions.

    `piece` cuts a word behind its fourth letter: a root and an ending, in any language; a stand-in for the morphemes
    of Popović (2012). `class` are word classes by exchange, a stand-in for parts of speech; the lexicon is of runs of
    four classes.
    """

    unit: str = option("piece", choices=("piece", "class"), text="what words become")
    order: int = option(6, low=1, high=9, text="order of the language models")
    n_classes: int = option(40, low=2, high=1000, text="word classes of a side")
    rounds: int = option(8, low=1, high=100, text="rounds of the search for classes")

    def train(self, sources: Sequence[str], targets: Sequence[str], *, n_threads: int = 1) -> UnitModels:
        """Learn the models of a tokenised bitext."""
        self.check()
        classes: dict[str, WordClasses] = {}
        if self.unit == "class":
            for side, lines in zip(_SIDES, (sources, targets), strict=True):
                classes[side] = cluster_words(lines, self.n_classes, max_rounds=self.rounds, n_threads=n_threads)
        mapped = [_mapped(lines, classes.get(side)) for side, lines in zip(_SIDES, (sources, targets), strict=True)]
        models = {
            side: KneserNey(order=self.order).train(lines, n_threads=n_threads)
            for side, lines in zip(_SIDES, mapped, strict=True)
        }
        spans = [_spans(lines) for lines in mapped] if self.unit == "class" else mapped
        ibm1 = Ibm1().train(*spans, n_threads=n_threads)
        return UnitModels(self, classes, models, ibm1, data=ibm1.data)


class UnitModels(Artifact):
    """Language models and IBM model 1 of units."""

    kind: ClassVar[str] = "unit models"
    format: ClassVar[int] = 1

    def __init__(
        self,
        recipe: UnitRecipe,
        classes: Mapping[str, WordClasses],
        models: Mapping[str, LanguageModel],
        ibm1: Aligner,
        *,
        data: Mapping[str, str] | None = None,
    ) -> None:
        self.recipe: UnitRecipe = recipe
        self.classes = dict(classes)
        self.models = dict(models)
        self.ibm1 = ibm1
        self.data = dict(data or {})

    @property
    def sizes(self) -> tuple[int, ...]:
        """N-grams of the target's model, by length."""
        return self.models["target"].n_ngrams

    def units(self, side: str, lines: Sequence[str]) -> list[str]:
        """Tokenised lines of a side as lines of units."""
        return _mapped(lines, self.classes.get(side))

    def spans(self, side: str, lines: Sequence[str]) -> list[str]:
        """The units of the lexicon."""
        units = self.units(side, lines)
        return _spans(units) if self.classes else units

    def _write(self, folder: Path) -> None:
        for side in _SIDES:
            self.models[side].save(folder / f"{side}-lm")
            if side in self.classes:
                self.classes[side].write(folder / f"{side}.classes")
        self.ibm1.save(folder / "ibm1")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        recipe = UnitRecipe.from_dict(manifest.recipe)
        classes = (
            {side: WordClasses.read(folder / f"{side}.classes") for side in _SIDES} if recipe.unit == "class" else {}
        )
        models = {side: LanguageModel.load(folder / f"{side}-lm") for side in _SIDES}
        return cls(recipe, classes, models, Aligner.load(folder / "ibm1"), data=manifest.data)


def to_pieces(line: str) -> str:
    """Words as a root of four letters and an ending, `work +ing`."""
    pieces = []
    for word in line.split():
        pieces.append(word[:_ROOT].lower())
        if len(word) > _ROOT:
            pieces.append("+" + word[_ROOT:].lower())
    return " ".join(pieces)


def _mapped(lines: Sequence[str], classes: WordClasses | None) -> list[str]:
    return [to_pieces(line) for line in lines] if classes is None else classes.map_lines(lines)


def _spans(lines: Sequence[str]) -> list[str]:
    found = []
    for line in lines:
        units = line.split()
        last = max(1, len(units) - _SPAN + 1) if units else 0
        found.append(" ".join("_".join(units[at : at + _SPAN]) for at in range(last)))
    return found
