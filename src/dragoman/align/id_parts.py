"""Sentence pairs as ids in parts: the words of each, merged in the order in which the whole text has them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np

from dragoman import _core
from dragoman.align.text import PairIds
from dragoman.parts import Cut, Workshop, read_cut
from dragoman.text.tokens import TokenIds
from dragoman.text.vocabulary import Vocabulary

__all__ = ["SIDES", "encode_in_parts", "encode_part", "pair_ids"]

SIDES = ("source", "target")
_WORDS = "words.vocabulary"


def encode_in_parts(
    shop: Workshop, cuts: Sequence[Mapping[str, Cut]], unk: str | None = None
) -> tuple[list[Path], tuple[Path, Path]]:
    """The folders of parts as ids, and the files of the vocabularies of both sides of the whole."""

    def words(side: str) -> Path:
        parts = shop.map(find_words, [{"cut": cut[side], "unk": unk} for cut in cuts])
        return shop.one(merge_words, parts=list(map(str, parts))) / _WORDS

    source, target = shop.together(*(partial(words, side) for side in SIDES))
    names = [str(source), str(target)]
    return shop.map(encode_part, [{**cut, "vocabularies": names} for cut in cuts]), (source, target)


def find_words(folder: Path, cut: Cut, unk: str | None) -> None:
    """The words of a part, in the order in which they are met."""
    words = Vocabulary(unk=unk)
    _encoded(words, cut)
    words.save(folder / _WORDS)


def merge_words(folder: Path, parts: Sequence[str]) -> None:
    """The words of all parts, in the order in which the whole text has them."""
    first, *others = (Vocabulary.load(Path(part) / _WORDS) for part in parts)
    first.merge(*others).vocabulary.save(folder / _WORDS)


def encode_part(folder: Path, source: Cut, target: Cut, vocabularies: Sequence[str]) -> None:
    """A part as ids."""
    for side, words, cut in zip(SIDES, vocabularies, (source, target), strict=True):
        ids = _encoded(Vocabulary.load(words), cut)
        np.save(folder / f"{side}.ids.npy", ids.ids)
        np.save(folder / f"{side}.offsets.npy", ids.offsets)


def _encoded(words: Vocabulary, cut: Cut) -> TokenIds:
    return TokenIds(*words.core.encode(read_cut(cut), _core.text.surface_tokeniser("none"), n_threads=1))


def pair_ids(ids: str, first: int = 0) -> PairIds:
    """The pairs of a part, before which so many came."""
    source, target = (
        TokenIds(np.load(Path(ids) / f"{side}.ids.npy"), np.load(Path(ids) / f"{side}.offsets.npy")) for side in SIDES
    )
    return PairIds.checked(source, target, first=first)
