"""What parses show of a word: its part of speech, that of its source word and of its head, its relation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dragoman.options import option
from dragoman.qe.features.batch import Batch
from dragoman.qe.features.tags import tag_tokens
from dragoman.qe.words.features import Neighbours, Symbols, WordFeature, moved
from dragoman.qe.words.link_features import partners_of
from dragoman.stats.arrays import Floats

__all__ = ["HeadTag", "Relation", "Tag", "TagConfidence", "TagPair"]

_FBK = "FBK-UPV-UEdin, WMT 2014 (POS)"
_LIG = "LIG, WMT 2014 (syntactic features)"
_NONE = "∅"


def _tags(batch: Batch, side: str, kind: str = "tag") -> list[str]:
    tokens = tag_tokens(batch, side, kind)
    return [tokens.words[number] for number in tokens.ids.tolist()]


@dataclass(frozen=True)
class Tag(Neighbours):
    """The part of speech of the word, or of the source word that it is linked to; ∅ without a link.

    `length` gives the run of tags that ends with the word and begins so many places before it.
    """

    name: ClassVar[str] = "tag"
    paper: ClassVar[str] = f"{_FBK}; {_LIG}"
    needs: ClassVar[tuple[str, ...]] = ("target_parser",)

    kind: str = option("tag", choices=("tag", "morph"), text="part of speech, or with its morphology")
    side: str = option("target", choices=("target", "source"), text="of the word, or of its source word")
    length: int = option(1, low=1, high=4, text="tags of the run that ends with the word")

    def needed(self) -> tuple[str, ...]:
        """The parser, and of source words the links."""
        return ("target_parser",) if self.side == "target" else ("source_parser", "aligner")

    def own(self, batch: Batch) -> Symbols:
        """The tags."""
        tags = _tags(batch, self.side, self.kind)
        runs = tags
        for shift in range(1, self.length):
            before = moved(tags, batch.tokens(self.side).offsets, -shift)
            runs = [f"{earlier or _NONE} {later}" for earlier, later in zip(before, runs, strict=True)]
        if self.side == "target":
            return runs
        return [_NONE if place < 0 else runs[place] for place in partners_of(batch).tolist()]


@dataclass(frozen=True)
class TagPair(WordFeature):
    """The parts of speech of the word and of the source word that it is linked to."""

    name: ClassVar[str] = "tag-pair"
    paper: ClassVar[str] = _FBK
    needs: ClassVar[tuple[str, ...]] = ("source_parser", "target_parser", "aligner")

    def column(self, batch: Batch) -> Symbols:
        """Both tags."""
        sources = Tag(side="source").own(batch)
        return [f"{tag} {source}" for tag, source in zip(_tags(batch, "target"), sources, strict=True)]


@dataclass(frozen=True)
class Relation(Neighbours):
    """The relation of the word to its head."""

    name: ClassVar[str] = "relation"
    paper: ClassVar[str] = _LIG
    needs: ClassVar[tuple[str, ...]] = ("target_parser",)

    def own(self, batch: Batch) -> Symbols:
        """The relations."""
        return batch.parses("target").relations.list()


@dataclass(frozen=True)
class HeadTag(Neighbours):
    """The part of speech of the word's head, with the word's own and the relation if asked; ∅ for the root."""

    name: ClassVar[str] = "head-tag"
    paper: ClassVar[str] = _LIG
    needs: ClassVar[tuple[str, ...]] = ("target_parser",)

    with_relation: bool = option(False, choices=(False, True), text="together with the word's own tag and relation")

    def own(self, batch: Batch) -> Symbols:
        """The tags of the heads."""
        parsed = batch.parses("target")
        tags = parsed.tags.list()
        heads = [_NONE if head < 0 else tags[head] for head in parsed.tree().tolist()]
        if not self.with_relation:
            return heads
        return [" ".join(each) for each in zip(tags, parsed.relations.list(), heads, strict=True)]


@dataclass(frozen=True)
class TagConfidence(Neighbours):
    """How sure the parser is of the word's part of speech, or of its head; NaN where parses come from files."""

    name: ClassVar[str] = "tag-confidence"
    paper: ClassVar[str] = "after Avramidis, WMT 2012 (confidence of the parse)"
    needs: ClassVar[tuple[str, ...]] = ("target_parser",)

    of: str = option("tags", choices=("tags", "tree"), text="of parts of speech, or of heads")

    def own(self, batch: Batch) -> Floats:
        """The probabilities."""
        parsed = batch.parses("target")
        confidences = parsed.tag_confidences if self.of == "tags" else parsed.arc_confidences
        return np.full(len(parsed.heads), np.nan) if confidences is None else confidences.astype(np.float64)
