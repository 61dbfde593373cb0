"""Features of parts of speech: counts and shares, rare runs, words with several tags, tags that both sides have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from dragoman.options import option
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import Batch, SideTokens, least, once, shares
from dragoman.qe.features.sides import ON, ON_TEXT, SIDES, between, needs_of
from dragoman.qe.resources.ngrams import NgramCounts
from dragoman.qe.resources.parses import COARSE, UPOS
from dragoman.qe.resources.tags import TagLexicon
from dragoman.stats.arrays import Floats

__all__ = ["TAG_GROUPS", "CommonTags", "RarestTags", "TagAmbiguity", "TagCount", "UnknownCommon", "tag_tokens"]

_FELICE = "Felice & Specia, WMT 2012, §3"
_RUBINO = "Rubino et al., WMT 2012, §3"
_MEHDAD = "Mehdad et al., WMT 2012, §3"
# Content and function words as Felice & Specia group them; `link`: prepositions and conjunctions (Rubino et al.).
TAG_GROUPS = {
    "content": "NOUN+PROPN+VERB+ADJ",
    "function": "DET+PRON+ADP+ADV",
    "noun": "NOUN+PROPN",
    "verb": "VERB+AUX",
    "pronoun": "PRON",
    "link": "ADP+CCONJ+SCONJ",
}
RELATIONS = (
    "acl",
    "advcl",
    "advmod",
    "amod",
    "appos",
    "aux",
    "case",
    "cc",
    "ccomp",
    "compound",
    "conj",
    "cop",
    "csubj",
    "det",
    "expl",
    "fixed",
    "flat",
    "iobj",
    "mark",
    "nmod",
    "nsubj",
    "nummod",
    "obj",
    "obl",
    "parataxis",
    "punct",
    "root",
    "xcomp",
)


@once
def tag_tokens(batch: Batch, side: str, kind: str = "tag") -> SideTokens:
    """The tags of a side in place of its words."""
    return SideTokens(batch.parses(side).lines(kind), batch.n_threads)


@dataclass(frozen=True)
class OfParses(Feature):
    """Base of features that ask parses of a side or of both."""

    needs: ClassVar[tuple[str, ...]] = ("target_parser",)

    on: str = option("target", choices=ON, text=ON_TEXT)

    def needed(self) -> tuple[str, ...]:
        """The parsers of the sides."""
        return needs_of(self.on, "parser")


@dataclass(frozen=True)
class TagCount(OfParses):
    """Words of a part of speech, or of a group of them: their number or their share of the words.

    `content` are nouns, verbs and adjectives, `function` determiners, pronouns, prepositions and adverbs, `noun` has
    proper names, `verb` auxiliaries with it, `link` are prepositions and conjunctions. A multiword token is of all its
    words' parts of speech.
    """

    name: ClassVar[str] = "tag-count"
    paper: ClassVar[str] = f"{_FELICE}; {_RUBINO} (shares of tags)"

    tag: str = option("content", choices=(*TAG_GROUPS, *UPOS), text="a group, or a tag of Universal Dependencies")
    per: str = option("", choices=("", "length"), text="divided by the length")

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence."""

        def of(side: str) -> Floats:
            parsed = batch.parses(side)
            tagged = parsed.count(parsed.tagged(TAG_GROUPS.get(self.tag, self.tag)))
            return shares(tagged, np.diff(parsed.offsets)) if self.per else tagged

        return between(self.on, of)


@dataclass(frozen=True)
class RarestTags(Feature):
    """Frequency in a tagged corpus of the least frequent run of tags of a length; −1 if there is no such run.

    `below` makes a yes or no of it: 1 if the frequency is lower (the paper: 5-grams below 10).
    """

    name: ClassVar[str] = "rarest-tags"
    paper: ClassVar[str] = f"{_RUBINO} (grammaticality, after Wagner et al. 2007)"
    needs: ClassVar[tuple[str, ...]] = ("target_parser", "target_tag_ngrams")

    on: str = option("target", choices=SIDES, text="of which side")
    length: int = option(3, low=2, high=7, text="tags of a run")
    below: int = option(0, low=0, text="1 if the frequency is lower than this, else 0; 0: the frequency itself")
    log: bool = option(False, choices=(False, True), text="ln(1 + frequency)")

    def needed(self) -> tuple[str, ...]:
        """Parser and counts of the side."""
        return needs_of(self.on, "parser", "tag_ngrams")

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence."""
        name = f"{self.on}_tag_ngrams"
        counts = batch.resources.ask(name, NgramCounts)
        tokens = tag_tokens(batch, self.on)
        frequency, sentence = counts.frequencies(tokens.ids_in(counts.vocabulary), tokens.offsets, self.length)
        rarest = least(frequency.astype(np.float64), sentence, len(batch), empty=-1.0)
        there = rarest >= 0
        if self.below:
            return np.asarray(there & (rarest < self.below), dtype=np.float64)
        return np.where(there, np.log1p(np.maximum(rarest, 0.0)), -1.0) if self.log else rarest


@dataclass(frozen=True)
class TagAmbiguity(Feature):
    """Share of a side's words that have several tags in a tagged corpus (`several`), or none (`unknown`)."""

    name: ClassVar[str] = "tag-ambiguity"
    paper: ClassVar[str] = _RUBINO
    needs: ClassVar[tuple[str, ...]] = ("target_tag_lexicon",)

    on: str = option("target", choices=SIDES, text="of which side")
    value: str = option("several", choices=("several", "unknown"), text="words with several tags, or with none")

    def needed(self) -> tuple[str, ...]:
        """The lexicon of the side."""
        return needs_of(self.on, "tag_lexicon")

    def values(self, batch: Batch) -> Floats:
        """Shares of each sentence."""
        (name,) = self.needed()
        lexicon = batch.resources.ask(name, TagLexicon)
        tokens = batch.tokens(self.on)
        several = self.value == "several"
        chosen = tokens.by_word(lambda word: lexicon.of(word) > 1 if several else lexicon.of(word) == 0)
        return shares(tokens.sums(chosen), tokens.lengths)


@dataclass(frozen=True)
class UnknownCommon(Feature):
    """Words of the translation that its corpus has not, proper names left out: their number or share.

    The corpus' words stand for the spell checker of the paper, the tagger's proper names for its named entities.
    """

    name: ClassVar[str] = "unknown-common"
    paper: ClassVar[str] = f"{_FELICE} (unknown words)"
    side: ClassVar[Literal["target"]] = "target"
    needs: ClassVar[tuple[str, ...]] = ("target_ngrams", "target_parser")

    share: bool = option(False, choices=(False, True), text="divided by the length")

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence."""
        tokens, parsed = batch.tokens("target"), batch.parses("target")
        words = batch.resources.ask("target_ngrams", NgramCounts).vocabulary
        strange = tokens.by_word(lambda word: any(map(str.isalpha, word)) and word not in words).astype(bool)
        lower = tokens.by_word(lambda word: word.lower() not in words).astype(bool)
        chosen = (strange & lower)[tokens.ids] & ~parsed.tagged("PROPN") if len(tokens.ids) else np.zeros(0, dtype=bool)
        unknown = parsed.count(chosen)
        return shares(unknown, tokens.lengths) if self.share else unknown


@dataclass(frozen=True)
class CommonTags(Feature):
    """What source and target have in common of tags or relations: Σ min(in source, in target), or of one of them.

    Tags are the twelve of Petrov et al. (2012), relations those of Universal Dependencies without their subtypes.
    """

    name: ClassVar[str] = "common-tags"
    paper: ClassVar[str] = f"{_MEHDAD} (SSyn, Syn)"
    needs: ClassVar[tuple[str, ...]] = ("source_parser", "target_parser")

    over: str = option("tag", choices=("tag", "relation"), text="tags, or labels of dependencies")
    one: str = option("", choices=("", *COARSE, *RELATIONS), text="of this tag or relation alone")
    per: str = option("", choices=("", *SIDES), text="divided by the number on a side")

    def values(self, batch: Batch) -> Floats:
        """The value of each pair."""
        counts = {side: _label_counts(batch, self.over, side) for side in SIDES}
        names = tuple(COARSE) if self.over == "tag" else RELATIONS
        columns = [names.index(self.one)] if self.one in names else [] if self.one else list(range(len(names)))
        common = np.minimum(counts["source"], counts["target"])[:, columns].sum(axis=1)
        return shares(common, counts[self.per][:, columns].sum(axis=1)) if self.per else common


@once
def _label_counts(batch: Batch, over: str, side: str) -> NDArray[np.float64]:
    """(sentences, labels)."""
    parsed = batch.parses(side)
    if over == "tag":
        return np.column_stack([parsed.count(parsed.tagged(*tags.split("+"))) for tags in COARSE.values()])
    return np.column_stack([parsed.count(parsed.related(relation)) for relation in RELATIONS])
