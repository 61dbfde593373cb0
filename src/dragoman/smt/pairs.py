"""Sentence pairs on their way from tokens to an aligned bitext."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from dragoman import _core
from dragoman.files import read_lines, write_lines
from dragoman.smt.aligned_text import AlignedText
from dragoman.smt.phrase_table import UNKNOWN
from dragoman.smt.recipe import EngineRecipe
from dragoman.smt.splitting import WHOLE, Splitter, Splitters
from dragoman.smt.word_alignment import repeated
from dragoman.text import Truecaser, TruecaseRecipe
from dragoman.text.tokens import TokenIds
from dragoman.text.truecase import NothingCased
from dragoman.text.vocabulary import Vocabulary

__all__ = [
    "Linked",
    "TokenisedPairs",
    "align_pairs",
    "clean_pairs",
    "clean_places",
    "encode",
    "load_casers",
    "load_pairs",
    "save_pairs",
    "true_case",
]


@dataclass(frozen=True)
class TokenisedPairs:
    """Sentence pairs as tokenised lines, with what gave their sides true case, where anything did, and cut them."""

    source: list[str]
    target: list[str]
    casers: tuple[Truecaser | None, Truecaser | None] = (None, None)
    splitters: Splitters = WHOLE

    @property
    def outcome(self) -> str:
        """How many tokens there are, for people."""
        sizes = (sum(line.count(" ") + 1 for line in side if line) for side in (self.source, self.target))
        return " and ".join(f"{size} tokens" for size in sizes)


@dataclass(frozen=True)
class Linked:
    """An aligned bitext with its vocabularies."""

    text: AlignedText
    source: Vocabulary
    target: Vocabulary

    def save(self, folder: Path) -> None:
        """Write links and vocabularies; the text is that of the step before."""
        np.save(folder / "links.npy", self.text.links)
        np.save(folder / "offsets.npy", self.text.link_offsets)
        self.source.save(folder / "source.vocabulary")
        self.target.save(folder / "target.vocabulary")

    @classmethod
    def load(cls, pairs: TokenisedPairs, folder: Path) -> Linked:
        """What `save` wrote, with the text it belongs to."""
        source, target = Vocabulary.load(folder / "source.vocabulary"), Vocabulary.load(folder / "target.vocabulary")
        links, offsets = np.load(folder / "links.npy"), np.load(folder / "offsets.npy")
        copies = (len(offsets) - 1) // len(pairs.source)  # one for each method of alignment
        ids = [
            repeated(encode(words, lines), copies) for words, lines in ((source, pairs.source), (target, pairs.target))
        ]
        return cls(AlignedText(ids[0], ids[1], links, offsets), source, target)


def encode(vocabulary: Vocabulary, lines: Sequence[str], n_threads: int = 1) -> TokenIds:
    """Tokenised lines as ids."""
    return TokenIds(*vocabulary.core.encode(lines, _core.text.surface_tokeniser("none"), n_threads=n_threads))


def align_pairs(pairs: TokenisedPairs, recipe: EngineRecipe, n_threads: int) -> Linked:
    """The words of both sides linked."""
    source, target = Vocabulary(unk=UNKNOWN), Vocabulary(unk=UNKNOWN)
    ids = encode(source, pairs.source, n_threads), encode(target, pairs.target, n_threads)
    aligned = recipe.align.align_lines(pairs.source, pairs.target, ids, n_threads=n_threads)
    return Linked(aligned, source, target)


def true_case(tokens: TokenisedPairs, recipe: EngineRecipe, n_threads: int) -> TokenisedPairs:
    """Both sides in true case, by truecasers learnt from them; a side without any case stays as it is."""
    if not recipe.text.truecase:
        return tokens
    sides = []
    for lines, lang in ((tokens.source, recipe.source_lang), (tokens.target, recipe.target_lang)):
        caser = _caser(lines, lang, n_threads)
        sides.append((caser.apply(lines, n_threads=n_threads) if caser else lines, caser))
    (source, source_caser), (target, target_caser) = sides
    return TokenisedPairs(source, target, (source_caser, target_caser))


def _caser(lines: list[str], lang: str, n_threads: int) -> Truecaser | None:
    try:
        return TruecaseRecipe().train(lines, lang=lang, n_threads=n_threads)
    except NothingCased:  # a script without capitals, or a few words
        return None


def clean_places(pairs: TokenisedPairs, recipe: EngineRecipe) -> NDArray[np.int64]:
    """Where the pairs are that the recipe lets pass: not empty, not too long, not too unlike in length."""
    lengths = np.array([(s.count(" ") + 1, t.count(" ") + 1) for s, t in zip(pairs.source, pairs.target, strict=True)])
    filled = np.array([bool(s) and bool(t) for s, t in zip(pairs.source, pairs.target, strict=True)])
    longer, shorter = lengths.max(axis=1), lengths.min(axis=1)
    keep = filled & (longer <= recipe.clean.longest) & (longer <= recipe.clean.ratio * shorter)
    return np.flatnonzero(keep)


def clean_pairs(pairs: TokenisedPairs, recipe: EngineRecipe) -> TokenisedPairs:
    """The pairs that the recipe lets pass (see `clean_places`)."""
    places = clean_places(pairs, recipe).tolist()
    return TokenisedPairs([pairs.source[i] for i in places], [pairs.target[i] for i in places])


def save_pairs(pairs: TokenisedPairs, folder: Path) -> None:
    """Write both sides, their truecasers and what cut their words."""
    write_lines(folder / "source.txt", pairs.source)
    write_lines(folder / "target.txt", pairs.target)
    for name, caser, splitter in zip(("source", "target"), pairs.casers, pairs.splitters, strict=True):
        if caser:
            caser.save(folder / f"truecaser.{name}")
        splitter.save(folder, name)


def load_pairs(folder: Path) -> TokenisedPairs:
    """What `save_pairs` wrote."""
    sides = [read_lines(folder / f"{name}.txt") for name in ("source", "target")]
    splitters = Splitter.load(folder, "source"), Splitter.load(folder, "target")
    return TokenisedPairs(sides[0], sides[1], load_casers(folder), splitters)


def load_casers(folder: Path) -> tuple[Truecaser | None, Truecaser | None]:
    """The truecasers that `save_pairs` wrote."""
    casers = [
        Truecaser.load(folder / f"truecaser.{name}") if (folder / f"truecaser.{name}").is_dir() else None
        for name in ("source", "target")
    ]
    return casers[0], casers[1]
