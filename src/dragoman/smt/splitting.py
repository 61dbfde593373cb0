"""Words in pieces inside an engine: compounds as their parts, words as morphemes; put together again in its output."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dragoman.artifact import Manifest, read_manifest
from dragoman.errors import ModelError
from dragoman.options import Recipe, option
from dragoman.smt.simpler_verbs import SimplerVerbs
from dragoman.text.compounds import CompoundModel, CompoundRecipe
from dragoman.text.morphemes import MorphemeModel, MorphemeRecipe

__all__ = ["NO_SPLITTER", "WHOLE", "CompoundSection", "MorphemeSection", "Splitter", "Splitters"]

SIDES = ("none", "source", "target", "both")
_MORPH = "@+"  # behind a morpheme that the next one belongs to
_FIRST = "▁"  # what a morpheme model writes before the first morpheme of a word
_MOST_WORDS = 1_000_000  # whose morphemes are remembered


@dataclass(frozen=True)
class CompoundSection(Recipe):
    """Compounds as their parts: on the source side as words, on the target side marked, and merged in the output."""

    side: str = option("none", choices=SIDES, text="whose compounds are cut")
    evidence: str = option(
        "bitext", choices=("corpus", "bitext"), text="parts are words of the text, or proven by their translations, too"
    )
    shortest: int = option(4, low=1, high=100, text="letters of a part")
    least: int = option(3, low=1, text="how often a part must be a word of the text")
    most: int = option(4, low=2, high=10, text="parts of a compound")

    def recipe(self, lang: str) -> CompoundRecipe:
        """What is learnt of the compounds of a language."""
        return CompoundRecipe(lang=lang, shortest=self.shortest, least=self.least, most=self.most)


@dataclass(frozen=True)
class MorphemeSection(Recipe):
    """Words as morphemes, the last of each without a mark (the SFU's system of WMT 2012); joined in the output."""

    side: str = option("none", choices=SIDES, text="whose words are cut")
    words: int = option(0, low=0, text="learn from so many of the most frequent words; 0: from all")
    corpus_weight: float = option(
        1.0, low=1e-6, high=1e6, text="weight of words against lexicon: the higher, the fewer"
    )
    counting: str = option("types", choices=("types", "log", "tokens"), text="how often a word counts")

    def train(self, lines: Sequence[str]) -> MorphemeModel:
        """Morphemes of the words of tokenised lines that have letters alone."""
        counts = Counter(word for line in lines for word in line.split() if word.isalpha())
        kept = dict(counts.most_common(self.words or None))
        recipe = MorphemeRecipe(counting=self.counting, corpus_weight=self.corpus_weight)
        return recipe.train_words(kept)


@dataclass(frozen=True, eq=False)
class Splitter:
    """What cuts the words of one side: compounds first, then what is left into morphemes; before both, verbs."""

    compounds: CompoundModel | None = None
    morphemes: MorphemeModel | None = None
    marked: bool = False  # compounds can be merged again
    verbs: SimplerVerbs | None = None  # finite ones lose person and number
    _pieces: dict[str, str] = field(default_factory=dict, repr=False)  # of words met

    def __bool__(self) -> bool:
        return self.compounds is not None or self.morphemes is not None or self.verbs is not None

    def cut(self, lines: Sequence[str]) -> list[str]:
        """Tokenised lines in pieces."""
        if self.verbs:
            lines = self.verbs.cut(lines)
        if self.compounds:
            lines = self.compounds.split(lines, marked=self.marked)
        return self._cut_words(lines, self.morphemes) if self.morphemes else list(lines)

    def join(self, lines: Sequence[str]) -> list[str]:
        """Lines of pieces as words; the mark of a morpheme that none follows is dropped."""
        if self.morphemes:
            lines = [f"{line} ".replace(f"{_MORPH} ", "").rstrip(" ") if _MORPH in line else line for line in lines]
        lines = self.compounds.merge(lines) if self.compounds and self.marked else list(lines)
        return self.verbs.join(lines) if self.verbs else lines

    def _cut_words(self, lines: Sequence[str], model: MorphemeModel) -> list[str]:
        if len(self._pieces) > _MOST_WORDS:
            self._pieces.clear()
        words = dict.fromkeys(word for line in lines for word in line.split(" ") if word.isalpha())
        new = [word for word in words if word not in self._pieces]
        for word, pieces in zip(new, model.cut(new), strict=True):
            self._pieces[word] = pieces.removeprefix(_FIRST).replace(" ", f"{_MORPH} ")
        return [" ".join([self._pieces.get(word, word) for word in line.split(" ")]) for line in lines]

    def save(self, folder: Path, name: str) -> None:
        """Write the models as folders `compounds.NAME`, `morphemes.NAME` and those of verbs."""
        if self.verbs:
            self.verbs.save(folder, name)
        for kind, model in (("compounds", self.compounds), ("morphemes", self.morphemes)):
            if model is not None:
                model.save(folder / f"{kind}.{name}")

    @classmethod
    def load(cls, folder: Path, name: str) -> Splitter:
        """What `save` wrote of a side, in a folder whose checksums have been checked; the target's can be merged."""
        compounds, morphemes = folder / f"compounds.{name}", folder / f"morphemes.{name}"
        return cls(
            CompoundModel._read(compounds, _manifest(compounds, CompoundModel.kind)) if compounds.is_dir() else None,
            MorphemeModel._read(morphemes, _manifest(morphemes, MorphemeModel.kind)) if morphemes.is_dir() else None,
            name == "target",
            SimplerVerbs.load(folder, name),
        )


Splitters = tuple[Splitter, Splitter]
NO_SPLITTER = Splitter()
WHOLE: Splitters = (NO_SPLITTER, NO_SPLITTER)  # words stay as they are


def _manifest(folder: Path, kind: str) -> Manifest:
    manifest = read_manifest(folder)
    if manifest.kind != kind:
        raise ModelError(f"{folder} is a {manifest.kind}, not a {kind}. Train the engine again or copy it whole.")
    return manifest
