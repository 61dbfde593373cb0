"""Tables of pivots: phrases of a language with their translations in another one, as metrics look meanings up."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.artifact import Artifact, Manifest, read_manifest
from dragoman.cache import digest_of
from dragoman.errors import DataError, FormatError, ModelError
from dragoman.files import StrPath, iter_lines, write_lines
from dragoman.metrics.meteor_words import NORMALISED_LANGUAGES, cut_lines
from dragoman.options import Recipe, option
from dragoman.text.languages import base_language
from dragoman.text.layers import TAG_LAYERS
from dragoman.text.vocabulary import Vocabulary

__all__ = ["PivotSettings", "PivotTable", "open_pivots", "resource_digest"]

_WORDS, _KINDS, _ARRAYS = "words.vocabulary", "pivot.tsv", "phrases.npz"


@dataclass(frozen=True)
class PivotSettings(Recipe):
    """How a bitext becomes a table of pivots."""

    lang: str = option("en", text="language of the text")
    pivot_lang: str = option("fr", text="language of its translation, the pivot")
    longest: int = option(4, low=1, high=7, text="words of a phrase")
    least: float = option(
        0.1, low=0, high=1, text="translations of this probability and less are left out, but the best"
    )
    punctuation: str = option("drop", choices=("drop", "keep"), text="what becomes of tokens without letter or digit")
    method: str = option("sampler:samplers=1", text="how words are aligned: an aligner, perhaps with options")
    lemma: str = option("own", text="of the pivot's words: own (the stem), or an annotator (simplemma+lang=fr)")
    pos: str = option("own", text="of the pivot's words: own (endings of words), or an annotator (hanta+lang=de)")
    function_words: str = option(
        "own", text="of the pivot: own (Dragoman's lists), none, or an annotator (function-words+file=FILE)"
    )

    def check(self) -> Self:
        """The settings themselves if they are sound."""
        super().check()
        asked = [name for name in (self.lemma, self.pos) if name in {"lemma", "stem", *TAG_LAYERS}]
        if asked:
            raise DataError(
                f"{asked[0]!r} is a layer; a table of pivots takes an annotator by its name (hanta+lang=de)."
            )
        return self

    def words(self, lines: Sequence[str], lang: str) -> list[list[str]]:
        """The words of lines in small letters, cut as METEOR cuts them where it has rules for the language."""
        language = base_language(lang)
        token_lines = cut_lines(lines, "keep" if language in NORMALISED_LANGUAGES else "lower", language)
        if self.punctuation == "keep":
            return token_lines
        return [[word for word in words if any(map(str.isalnum, word))] for words in token_lines]


class PivotTable(Artifact):
    """Phrases with their counts, and the translations of each with their probabilities.

    The tokens of translations are kinds of words: a word, its lemma, its part of speech, and whether it is a function
    word. Phrases rise by the ids of their words.
    """

    kind: ClassVar[str] = "pivot table"
    format: ClassVar[int] = 1

    recipe: PivotSettings

    def __init__(
        self,
        words: Vocabulary,
        kinds: Sequence[tuple[str, str, str, bool]],
        arrays: Mapping[str, NDArray[Any]],
        recipe: PivotSettings,
        *,
        seed: int | None = None,
        data: Mapping[str, str] | None = None,
    ) -> None:
        self.words = words
        self.kinds = tuple(kinds)
        self.arrays = dict(arrays)
        self.recipe = recipe
        self.seed = seed
        self.data = dict(data or {})
        self.core = _core.metrics.PivotTable(**self.arrays, n_kinds=len(self.kinds))

    def __len__(self) -> int:
        return len(self.core)

    def __repr__(self) -> str:
        return f"<PivotTable of {len(self):,} phrases, {self.recipe.lang} by way of {self.recipe.pivot_lang}>"

    @cached_property
    def flags(self) -> NDArray[np.uint8]:
        """Whether each kind of word is a function word."""
        return np.array([flag for *_, flag in self.kinds], dtype=np.uint8)

    def _write(self, folder: Path) -> None:
        self.words.save(folder / _WORDS)
        write_lines(folder / _KINDS, ["\t".join([*names, str(int(flag))]) for *names, flag in self.kinds])
        np.savez_compressed(folder / _ARRAYS, allow_pickle=False, **self.arrays)

    @classmethod
    def _read(cls, folder: Path, manifest: Manifest) -> Self:
        with np.load(folder / _ARRAYS, allow_pickle=False) as stored:
            arrays = {name: stored[name] for name in stored.files}
        kinds = []
        for number, line in enumerate(iter_lines(folder / _KINDS), start=1):
            cells = line.split("\t")
            if len(cells) != 4:
                raise FormatError("expected word, lemma, tag and 0 or 1.", path=folder / _KINDS, line=number)
            kinds.append((cells[0], cells[1], cells[2], cells[3] == "1"))
        try:
            recipe = PivotSettings.from_dict(manifest.recipe)
            return cls(Vocabulary.load(folder / _WORDS), kinds, arrays, recipe, seed=manifest.seed, data=manifest.data)
        except DataError as error:
            raise ModelError(f"{folder}: {error}") from None


def open_pivots(folder: str) -> PivotTable:
    """The table of a folder, the same one for all who ask until the folder changes."""
    return _opened(folder, resource_digest(folder))


@lru_cache(maxsize=8)
def _opened(folder: str, digest: str) -> PivotTable:  # noqa: ARG001 - part of the key
    return PivotTable.load(folder)


def resource_digest(path: StrPath) -> str:
    """What a file or a model folder holds, in a few characters: of a folder, what its manifest promises."""
    if Path(path).is_file():
        return digest_of(Path(path).read_bytes())[:12]
    return digest_of(json.dumps(sorted(read_manifest(path).files.items())).encode())[:12]
