"""Models of words and of smaller or coarser units: morphemes, roots and endings, word classes, parts of speech."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Self

from dragoman.align.base import Aligner
from dragoman.align.ibm import Ibm1
from dragoman.align.text import LONGEST
from dragoman.artifact import Artifact, Manifest
from dragoman.errors import DataError
from dragoman.lm import KneserNey, LanguageModel, WordClasses, cluster_words
from dragoman.options import Recipe, option
from dragoman.text import MorphemeModel, MorphemeRecipe
from dragoman.text.layers import annotate_once, make_annotator

__all__ = ["UnitModels", "UnitRecipe", "tag_spans", "to_pieces"]

_ROOT = 4  # letters of a root
_SPAN = 4  # tags that make a unit of the lexicon (Popović 2012)
_SIDES = ("source", "target")


@dataclass(frozen=True)
class UnitRecipe(Recipe):
    """How to make models of units: an n-gram model of each side, and IBM model 1 in both directions.

    `morpheme` cuts words as Popović (2012) does, by morphemes learnt from each side. `piece` cuts a word behind its
    fourth letter: a root and an ending, in any language, from nothing. `class` are word classes by exchange, a stand-in
    for parts of speech; `tag` are parts of speech by annotators; the lexicon is of runs of four of these.
    """

    unit: str = option("piece", choices=("piece", "class", "morpheme", "tag", "word"), text="what words become")
    source_pos: str = option("", text="tag: annotator of the source (hanta+lang=de)")
    target_pos: str = option("", text="tag: annotator of the target")
    order: int = option(6, low=1, high=9, text="order of the language models")
    n_classes: int = option(40, low=2, high=1000, text="word classes of a side")
    rounds: int = option(8, low=1, high=100, text="rounds of the search for classes")

    def train(self, sources: Sequence[str], targets: Sequence[str], *, n_threads: int = 1) -> UnitModels:
        """Learn the models of a tokenised bitext."""
        self.check()
        if self.unit == "tag" and not (self.source_pos and self.target_pos):
            raise DataError("Models of parts of speech need an annotator of each side: source_pos and target_pos.")
        tables: dict[str, WordClasses | MorphemeModel] = {}
        for side, lines in zip(_SIDES, (sources, targets), strict=True):
            if self.unit == "class":
                tables[side] = cluster_words(lines, self.n_classes, max_rounds=self.rounds, n_threads=n_threads)
            elif self.unit == "morpheme":
                tables[side] = MorphemeRecipe().train(map(str.lower, lines), n_threads=n_threads)
        mapped = [
            self.mapped(side, lines, tables.get(side), n_threads)
            for side, lines in zip(_SIDES, (sources, targets), strict=True)
        ]
        models = {
            side: KneserNey(order=self.order).train(lines, n_threads=n_threads)
            for side, lines in zip(_SIDES, mapped, strict=True)
        }
        ibm1 = Ibm1().train(*(_of_lexicon(self.unit, lines) for lines in mapped), n_threads=n_threads)
        return UnitModels(self, tables, models, ibm1, data=ibm1.data)

    def mapped(
        self, side: str, lines: Sequence[str], table: WordClasses | MorphemeModel | None, n_threads: int = 1
    ) -> list[str]:
        """Tokenised lines of a side as lines of units."""
        if self.unit == "word":
            return [line.lower() for line in lines]
        if self.unit == "tag":
            annotator = make_annotator(self.source_pos if side == "source" else self.target_pos, ("xpos", "pos"))
            return [" ".join(map(str, tags)) for tags in annotate_once(annotator, [line.split() for line in lines])]
        if isinstance(table, WordClasses):
            return table.map_lines(lines)
        if table is not None:
            return table.cut([line.lower() for line in lines], n_threads=n_threads)
        return [to_pieces(line) for line in lines]


class UnitModels(Artifact):
    """Language models and IBM model 1 of units."""

    kind: ClassVar[str] = "unit models"
    format: ClassVar[int] = 1

    def __init__(
        self,
        recipe: UnitRecipe,
        tables: Mapping[str, WordClasses | MorphemeModel],
        models: Mapping[str, LanguageModel],
        ibm1: Aligner,
        *,
        data: Mapping[str, str] | None = None,
    ) -> None:
        self.recipe: UnitRecipe = recipe
        self.tables = dict(tables)  # side → what makes units of its words; empty where letters are counted
        self.models = dict(models)
        self.ibm1 = ibm1
        self.data = dict(data or {})

    @property
    def sizes(self) -> tuple[int, ...]:
        """N-grams of the target's model, by length."""
        return self.models["target"].n_ngrams

    def units(self, side: str, lines: Sequence[str]) -> list[str]:
        """Tokenised lines of a side as lines of units."""
        return self.recipe.mapped(side, lines, self.tables.get(side))

    def spans(self, side: str, lines: Sequence[str]) -> list[str]:
        """The units of the lexicon; of a line that has more than an aligner takes, the first."""
        return _of_lexicon(self.recipe.unit, self.units(side, lines))

    def _write(self, folder: Path) -> None:
        for side in _SIDES:
            self.models[side].save(folder / f"{side}-lm")
            table = self.tables.get(side)
            if isinstance(table, WordClasses):
                table.write(folder / f"{side}.classes")
            elif table is not None:
                table.save(folder / f"{side}-morphemes")
        self.ibm1.save(folder / "ibm1")

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        recipe = UnitRecipe.from_dict(manifest.recipe)
        tables: dict[str, WordClasses | MorphemeModel] = {}
        for side in _SIDES:
            if recipe.unit == "class":
                tables[side] = WordClasses.read(folder / f"{side}.classes")
            elif recipe.unit == "morpheme":
                tables[side] = MorphemeModel.load(folder / f"{side}-morphemes")
        models = {side: LanguageModel.load(folder / f"{side}-lm") for side in _SIDES}
        return cls(recipe, tables, models, Aligner.load(folder / "ibm1"), data=manifest.data)


def to_pieces(line: str) -> str:
    """Words as a root of four letters and an ending, `work +ing`."""
    pieces = []
    for word in line.split():
        pieces.append(word[:_ROOT].lower())
        if len(word) > _ROOT:
            pieces.append("+" + word[_ROOT:].lower())
    return " ".join(pieces)


def tag_spans(tag_lines: Sequence[str]) -> list[str]:
    """Runs of four tags as units of a lexicon; a line of fewer tags is one run."""
    spans = []
    for line in tag_lines:
        tags = line.split()
        last = max(1, len(tags) - _SPAN + 1) if tags else 0
        spans.append(" ".join("_".join(tags[at : at + _SPAN]) for at in range(last)))
    return spans


def _of_lexicon(unit: str, lines: Sequence[str]) -> list[str]:
    units = tag_spans(lines) if unit in ("class", "tag") else lines
    return [line if line.count(" ") < LONGEST else " ".join(line.split(" ")[:LONGEST]) for line in units]
