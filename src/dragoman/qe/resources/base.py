"""What features look things up in, declared once: a feature names those it needs by these names."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from hashlib import sha256
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from dragoman.align.aligner import Aligner
from dragoman.errors import DataError, UnknownName
from dragoman.lm import LanguageModel
from dragoman.qe.resources.bag_nets import BagNet
from dragoman.qe.resources.confidence import WordConfidence
from dragoman.qe.resources.indicators import PhraseIndicators
from dragoman.qe.resources.lexicon import LexicalTable
from dragoman.qe.resources.ngrams import NgramCounts
from dragoman.qe.resources.parses import SentenceParser
from dragoman.qe.resources.projection import ProjectedDependencies
from dragoman.qe.resources.quartiles import ListQuartiles
from dragoman.qe.resources.sequences import SequenceModels
from dragoman.qe.resources.similarity import GoodText
from dragoman.qe.resources.tags import TagLexicon
from dragoman.qe.resources.topics import TopicModel
from dragoman.qe.resources.traces import TraceIndex
from dragoman.qe.resources.triggers import Triggers
from dragoman.qe.resources.unaligned import UnalignedRates
from dragoman.qe.resources.units import UnitModels
from dragoman.qe.resources.word_bayes import WordBayes
from dragoman.qe.resources.word_lexicon import WordLexicon
from dragoman.syntax import Grammar
from dragoman.text.languages import base_language

__all__ = ["HeldOut", "Resources", "digest", "present"]

T = TypeVar("T")
_FACTS = (
    "held_out",
    "languages",
    "fingerprint",
    "read_sources",
    "given",
)  # what is known of the resources, no resource itself


@dataclass(frozen=True, eq=False)
class Resources:
    """The resources at hand; those that are not there are None."""

    source_lm: LanguageModel | None = None
    target_lm: LanguageModel | None = None
    ngrams: NgramCounts | None = None  # of the source side of the corpus
    lexicon: LexicalTable | None = None  # p(target word | source word)
    target_ngrams: NgramCounts | None = None
    inverse_lexicon: LexicalTable | None = None  # p(source word | target word)
    source_backward_lm: LanguageModel | None = None  # of the words from right to left
    target_backward_lm: LanguageModel | None = None
    ibm1: Aligner | None = None  # IBM model 1 in both directions
    aligner: Aligner | None = None
    source_corpus: tuple[str, ...] | None = None
    target_corpus: tuple[str, ...] | None = None
    pieces: UnitModels | None = None  # roots and endings
    classes: UnitModels | None = None  # word classes, which stand in for parts of speech
    output_lm: LanguageModel | None = None  # of translations like those to judge, not of good text
    confidence: WordConfidence | None = None
    indicators: PhraseIndicators | None = None
    quartiles: ListQuartiles | None = None  # of agreement with n-best lists, in the training data
    trace: TraceIndex | None = None  # what an engine did with the very sentences that are asked about
    dwl: WordLexicon | None = None  # p(target word | source sentence); this and what follows: see `EXTRAS`
    hashed_net: BagNet | None = None
    source_5_lm: LanguageModel | None = None  # of order 5
    source_backward_5_lm: LanguageModel | None = None
    source_good_text: GoodText | None = None
    target_backward_5_lm: LanguageModel | None = None
    target_good_text: GoodText | None = None
    topics: TopicModel | None = None
    triggers: Triggers | None = None
    unaligned: UnalignedRates | None = None
    word_bayes: WordBayes | None = None
    word_net: BagNet | None = None
    source_parser: SentenceParser | None = None  # a trained parser, or parses of the very text
    target_parser: SentenceParser | None = None
    source_grammar: Grammar | None = None  # of constituents
    target_grammar: Grammar | None = None
    source_tag_lm: LanguageModel | None = None  # of parts of speech
    target_tag_lm: LanguageModel | None = None
    source_morph_lm: LanguageModel | None = None  # of parts of speech with their morphology
    target_morph_lm: LanguageModel | None = None
    source_tag_ngrams: NgramCounts | None = None
    target_tag_ngrams: NgramCounts | None = None
    source_tag_lexicon: TagLexicon | None = None  # the tags of words
    target_tag_lexicon: TagLexicon | None = None
    tag_ibm1: Aligner | None = None  # IBM model 1 of runs of four tags
    morph_ibm1: Aligner | None = None
    sequences: SequenceModels | None = None  # of outputs and of their post-edits
    projected: ProjectedDependencies | None = None
    wide_source_1: NgramCounts | None = None  # further corpora of the source language, as they were given
    wide_source_2: NgramCounts | None = None
    wide_source_3: NgramCounts | None = None
    wide_source_4: NgramCounts | None = None
    wide_target_1: NgramCounts | None = None
    wide_target_2: NgramCounts | None = None
    wide_target_3: NgramCounts | None = None
    wide_target_4: NgramCounts | None = None
    held_out: HeldOut | None = None
    languages: str = ""
    fingerprint: str = ""  # of all files, once they lie in a folder
    read_sources: frozenset[bytes] = frozenset()  # digests of those whose post-edits were read, where no parts are kept
    given: str = ""  # of what was given beside them for the text at hand, such as its parses

    def missing(self, needs: tuple[str, ...]) -> list[str]:
        """Which of the needed ones are not there."""
        known = [field.name for field in fields(self) if field.name not in _FACTS]
        unknown = sorted(set(needs) - set(known))
        if unknown:
            raise DataError(f"No resource is called {unknown[0]!r}. Known: {', '.join(known)}.")
        return [name for name in needs if getattr(self, name) is None]

    def are_empty(self) -> bool:
        """True if there is nothing to look things up in."""
        return all(getattr(self, field.name) is None for field in fields(self) if field.name not in _FACTS)

    def language(self, side: str) -> str:
        """The language of a side, without its region, as far as `languages` says; else nothing."""
        source, _, target = self.languages.partition("-")
        name = source if side == "source" else target
        try:
            return base_language(name) if name else ""
        except UnknownName:  # a pair may be called anything
            return ""


class HeldOut:
    """For sentences that the resources were built from: resources built without them.

    A language model that has read a sentence's post-edit knows whether its translation was corrected. Features of such
    sentences are therefore computed from resources that have seen all but their part of the text.
    """

    def __init__(self, parts: Sequence[str], parts_of: dict[bytes, int], load: Callable[[str], Resources]) -> None:
        self.parts = tuple(parts)
        self._part_of = parts_of
        self._load = load
        self._loaded: tuple[str, Resources] | None = None

    def part_of(self, sources: Sequence[str]) -> NDArray[np.int64]:
        """The part that each sentence was in, -1 for one that the resources have not seen."""
        return np.array([self._part_of.get(digest(source), -1) for source in sources], dtype=np.int64)

    def without(self, part: int) -> Resources:
        """The resources built without a part; one part is kept in memory at a time."""
        name = self.parts[part]
        if self._loaded is None or self._loaded[0] != name:
            self._loaded = (name, self._load(name))
        return self._loaded[1]


def digest(source: str) -> bytes:
    """What a source sentence is known by: its words."""
    return sha256(" ".join(source.split()).encode()).digest()[:8]


def present(resource: T | None, name: str) -> T:
    """The resource, which must be there."""
    if resource is None:
        raise DataError(f"A feature needs the resource {name}, which is not there.")
    return resource
