"""Source text as a lattice of alternatives: words as they stand, compounds as their parts, lemmas of these.

Each reading of the text is a layer, and a word carries the layer it is of: `sein`, `SPL.sein` and `LEM.sein` are three
words, each with phrases of its own, and a sentence is read by whichever phrases suit it (Wuebker & Ney, WMT 2012).
Layers meet where words of the text end; what lies inside a word belongs to one layer alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Self

from dragoman.artifact import Artifact, Manifest, read_manifest
from dragoman.errors import DataError, ModelError
from dragoman.files import read_lines, write_lines
from dragoman.options import Recipe, option
from dragoman.smt.constraints import Constraints, Lattice
from dragoman.text.annotate.base import Annotator, check_needs
from dragoman.text.compounds import CompoundModel
from dragoman.text.layers import make_annotator, read_layers

__all__ = ["MARKS", "AlternativeSection", "Alternatives", "LayeredLine"]

SURFACE, SPLIT, LEMMA = "surface", "split", "lemma"
MARKS = {SURFACE: "", SPLIT: "SPL.", LEMMA: "LEM."}
FULL, SLIM = "full", "slim"
_COMPOUNDS, _LANGUAGE = "compounds", "language.txt"


@dataclass(frozen=True)
class AlternativeSection(Recipe):
    """Which layers a source text is read in, beside its words as they stand."""

    layers: str = option(
        "", text="split (compounds as their parts), lemma, or split+lemma; nothing: words as they stand"
    )
    lattice: str = option(
        FULL, choices=(FULL, SLIM), text="every layer for every word, or only where it differs from those before"
    )
    lemmas: str = option("simplemma", text="who gives lemmas, an annotator of the layer lemma: simplemma, hanta")
    features: bool = option(True, choices=(False, True), text="weights for phrases and for words of each layer")
    forced: bool = option(
        False, choices=(False, True), text="phrase probabilities by forced decoding of the training text as lattices"
    )
    weights: str = option(
        "", text="forced: an engine of the same layers, whose weights are used; nothing: untuned ones"
    )
    batch: int = option(5000, low=1, text="forced: sentence pairs whose own counts are left out together")
    n_best: int = option(20, low=1, text="forced: derivations of a pair that count, all alike")

    def __bool__(self) -> bool:
        return bool(self.layers)

    def check(self) -> Self:
        """The section, if its layers are known."""
        super().check()
        unknown = [name for name in self.names[1:] if name not in (SPLIT, LEMMA)]
        if unknown or len(set(self.names)) < len(self.names):
            raise DataError(f"The layers are split, lemma or split+lemma, not {self.layers!r}.")
        if self.forced and not self:
            raise DataError("Forced decoding of lattices needs layers: set alternatives.layers=split+lemma.")
        return self

    @property
    def names(self) -> list[str]:
        """All layers, words as they stand first."""
        named = [name.strip() for name in self.layers.split("+") if name.strip()]
        return [SURFACE, *sorted(named, key=lambda name: list(MARKS).index(name) if name in MARKS else -1)]

    @property
    def feature_names(self) -> list[str]:
        """The features of layers: for each, whether a phrase is of it, and with how many words."""
        return [name for layer in self.names for name in (f"layer.{layer}", f"layer.{layer}-words")]


@dataclass(frozen=True, slots=True)
class LayeredLine:
    """A line's words, each as its pieces in every layer, without their marks."""

    layers: tuple[str, ...]
    words: tuple[tuple[tuple[str, ...], ...], ...]  # by word, then by layer

    def line(self, layer: str) -> str:
        """The line in one layer, as phrases know it."""
        place, mark = self.layers.index(layer), MARKS[layer]
        return " ".join([mark + piece for word in self.words for piece in word[place]])

    def lattice(self, kind: str = FULL, *, number_arcs: bool = False) -> tuple[Lattice, list[int]]:
        """The layers as a lattice, and the node before each word and behind the last.

        Links name words of the line; with `number_arcs` they name arcs, which tells layers apart.
        """
        arcs: list[tuple[int, int, str, float]] = []
        places: list[int] = []
        copies: list[str] = []
        nodes = [0]
        for place, word in enumerate(self.words):
            begin = nodes[-1]
            ways = [(layer, word[i]) for i, layer in enumerate(self.layers) if kind == FULL or _differs(word, i)]
            end = begin + 1 + sum(len(pieces) - 1 for _, pieces in ways)
            inside = begin + 1
            rows: list[tuple[int, int, str, str]] = []
            for layer, pieces in ways:
                way = [begin, *range(inside, inside + len(pieces) - 1), end]
                inside += len(pieces) - 1
                rows += [(way[i], way[i + 1], MARKS[layer] + piece, piece) for i, piece in enumerate(pieces)]
            for a, b, token, copy in sorted(rows, key=lambda row: row[:2]):
                places.append(len(arcs) if number_arcs else place)
                arcs.append((a, b, token, 0.0))
                copies.append(copy)
            nodes.append(end)
        return Lattice(tuple(arcs), tuple(places), tuple(copies)), nodes


def _differs(word: Sequence[tuple[str, ...]], layer: int) -> bool:
    """Whether a slim lattice has a layer of a word: the first always, the last if it is new, others if none has it."""
    return layer == 0 or all(word[layer] != other for i, other in enumerate(word) if i == 0 or i > layer)


class Alternatives(Artifact):
    """Reads lines in layers."""

    kind: ClassVar[str] = "alternatives"
    format: ClassVar[int] = 1

    recipe: AlternativeSection

    def __init__(self, recipe: AlternativeSection, lang: str, compounds: CompoundModel | None = None) -> None:
        if SPLIT in recipe.names and compounds is None:
            raise DataError("The layer split needs a model of compounds: dragoman compounds learn.")
        self.recipe = recipe
        self.lang = lang
        self.compounds = compounds if SPLIT in recipe.names else None
        self.data: dict[str, str] = {}

    @cached_property
    def _lemmas(self) -> Annotator[Any]:
        spec = read_layers([f"source.lemma={self.recipe.lemmas}"], source_lang=self.lang)["source.lemma"]
        annotator = make_annotator(spec, ("lemma",))
        check_needs([annotator])
        return annotator

    def read(self, token_lines: Sequence[str]) -> list[LayeredLine]:
        """Lines of tokens in all layers."""
        names = tuple(self.recipe.names)
        tokens = [line.split() for line in token_lines]
        cut = self.compounds.words if self.compounds else None
        parts = [[tuple(cut(word)) if cut else (word,) for word in line] for line in tokens]
        layers: dict[str, list[list[tuple[str, ...]]]] = {
            SURFACE: [[(word,) for word in line] for line in tokens],
            SPLIT: parts,
        }
        if LEMMA in names:
            layers[LEMMA] = self._lemmatised(parts)
        return [
            LayeredLine(names, tuple(zip(*(layers[name][i] for name in names), strict=True)))
            for i in range(len(tokens))
        ]

    def _lemmatised(self, parts: Sequence[Sequence[tuple[str, ...]]]) -> list[list[tuple[str, ...]]]:
        """The lemmas of all parts; one with a space in it, which phrases cannot know, stays as it is."""
        flat = [[piece for pieces in line for piece in pieces] for line in parts]
        lines: list[list[tuple[str, ...]]] = []
        for line, own, found in zip(parts, flat, self._lemmas.annotate(flat), strict=True):
            lemmas = iter([str(b) if str(b) and " " not in str(b) else a for a, b in zip(own, found, strict=True)])
            lines.append([tuple(next(lemmas) for _ in pieces) for pieces in line])
        return lines

    def asked(
        self, token_lines: Sequence[str], constraints: Sequence[Constraints | None] | None
    ) -> list[Constraints | None]:
        """What is asked of each line, with its lattice; terms and walls name nodes then. Lattices are left alone."""
        own: list[Constraints | None] = []
        given = constraints or [None] * len(token_lines)
        for line, asked in zip(self.read(token_lines), given, strict=True):
            if not line.words or (asked and asked.lattice):
                own.append(asked)
                continue
            lattice, nodes = line.lattice(self.recipe.lattice)
            whole = asked or Constraints()
            outside = [each for each in (*(t.end for t in whole.terms), *whole.walls) if each >= len(nodes)]
            if outside:
                raise DataError(f"A term or a wall is asked for at word {outside[0]} of {len(line.words)}.")
            terms = tuple(replace(each, begin=nodes[each.begin], end=nodes[each.end]) for each in whole.terms)
            walls = tuple(nodes[each] for each in whole.walls)
            own.append(replace(whole, lattice=lattice, terms=terms, walls=walls))
        return own

    def _write(self, folder: Path) -> None:
        write_lines(folder / _LANGUAGE, [self.lang])
        if self.compounds is not None:
            self.compounds.save(folder / _COMPOUNDS)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        own = folder / _COMPOUNDS
        compounds = CompoundModel._read(own, read_manifest(own)) if own.is_dir() else None
        langs = read_lines(folder / _LANGUAGE)
        if len(langs) != 1:
            raise ModelError(f"{folder / _LANGUAGE} has {len(langs)} lines, not the name of one language. Train again.")
        return cls(AlternativeSection.from_dict(manifest.recipe), langs[0], compounds)
