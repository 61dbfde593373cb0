"""The contract of features, and the table of those we have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, Self

from dragoman.errors import DataError
from dragoman.options import changed_options, check_options, option
from dragoman.qe.features.batch import Batch
from dragoman.qe.features.encoder_sets import encoder_set
from dragoman.qe.features.sets import BASELINE17, FEATURE_SETS, SURFACE
from dragoman.qe.recipes import WMT12
from dragoman.registry import Registry
from dragoman.stats.arrays import Floats

__all__ = ["BASELINE17", "FEATURES", "FEATURE_SETS", "SURFACE", "Feature", "feature_set", "make_feature"]


@dataclass(frozen=True)
class Feature(ABC):
    """A number for each sentence. Its docstring is its definition; options are the fields of the subclass.

    `compat="wmt12"` computes what the feature files of WMT 2012 hold, quirks and all.
    """

    name: ClassVar[str]
    paper: ClassVar[str]
    level: ClassVar[Literal["word", "sentence", "document"]] = "sentence"
    side: ClassVar[Literal["source", "target", "both"]] = "both"
    needs: ClassVar[tuple[str, ...]] = ()  # names in `RESOURCES`

    compat: str = option("", choices=("", WMT12), text="`wmt12`: as in the released feature files, quirks and all")

    def needed(self) -> tuple[str, ...]:
        """The resources it needs with these options; `needs` are those of the defaults."""
        return self.needs

    def check(self) -> Self:
        """The feature itself if its options are sound."""
        check_options(self)
        return self

    @abstractmethod
    def values(self, batch: Batch) -> Floats:
        """The feature of every sentence of a batch: float64 (sentences,)."""

    def spec(self) -> str:
        """Its name and the options that differ from their defaults, as `FEATURES.make` reads them."""
        return ":".join(filter(None, (self.name, ",".join(sorted(changed_options(self))))))


FEATURES: Registry[Feature] = Registry(
    "quality feature",
    {
        "aligned": "dragoman.qe.features.alignment:AlignedRuns",
        "alignment-score": "dragoman.qe.features.alignment:AlignmentScore",
        "backoff": "dragoman.qe.features.models:BackOff",
        "bag-net": "dragoman.qe.features.associations:BagNetMatch",
        "checks": "dragoman.qe.features.checked:Checks",
        "common-tags": "dragoman.qe.features.tags:CommonTags",
        "confidence": "dragoman.qe.features.learnt:Confidence",
        "constituents": "dragoman.qe.features.constituents:Constituents",
        "copied": "dragoman.qe.features.patterns:Copied",
        "corpus-distance": "dragoman.qe.features.distance:CorpusDistance",
        "crossings": "dragoman.qe.features.alignment:Crossings",
        "decoder-phrases": "dragoman.qe.features.decoder:DecoderPhrases",
        "decoder-score": "dragoman.qe.features.decoder:DecoderScore",
        "deictics": "dragoman.qe.features.checked:Deictics",
        "dwl": "dragoman.qe.features.associations:WordLexiconScore",
        "encoder-value": "dragoman.qe.features.encoded:EncoderValue",
        "forced-decoding": "dragoman.qe.features.decoder:ForcedDecoding",
        "frequency": "dragoman.qe.features.models:Frequency",
        "ibm1": "dragoman.qe.features.lexical:Ibm1Score",
        "idf-ratio": "dragoman.qe.features.alignment:IdfRatio",
        "known-words": "dragoman.qe.features.corpus:KnownWords",
        "last-mark": "dragoman.qe.features.patterns:LastMark",
        "length-ratio": "dragoman.qe.features.patterns:LengthRatio",
        "lexical-match": "dragoman.qe.features.lexical:LexicalMatch",
        "link-shape": "dragoman.qe.features.alignment:LinkShapes",
        "link-tags": "dragoman.qe.features.linked_tags:LinkTags",
        "lm": "dragoman.qe.features.models:LMScore",
        "matching": "dragoman.qe.features.patterns:Matching",
        "misspelt": "dragoman.qe.features.spelling:Misspelt",
        "multi-level-match": "dragoman.qe.features.models:Coverage",
        "mutual-information": "dragoman.qe.features.associations:MutualInformation",
        "names": "dragoman.qe.features.names:Names",
        "names-kept": "dragoman.qe.features.names:NamesKept",
        "nbest-confidence": "dragoman.qe.features.nbest:ListConfidence",
        "nbest-distance": "dragoman.qe.features.nbest:ListDistance",
        "nbest-diversity": "dragoman.qe.features.nbest:ListDiversity",
        "nbest-list": "dragoman.qe.features.nbest:ListNumbers",
        "nbest-lm": "dragoman.qe.features.nbest:ListLM",
        "nbest-network": "dragoman.qe.features.nbest:WordNetwork",
        "nbest-quartile": "dragoman.qe.features.nbest:ConfidenceQuartile",
        "ngram-precision": "dragoman.qe.features.models:NgramMatch",
        "ngram-quartile": "dragoman.qe.features.corpus:NgramQuartile",
        "ngram-seen": "dragoman.qe.features.models:NgramSeen",
        "node-count": "dragoman.qe.features.constituents:NodeCount",
        "numbers-kept": "dragoman.qe.features.patterns:Numbers",
        "okapi": "dragoman.qe.features.similarity:Okapi",
        "output-contrast": "dragoman.qe.features.learnt:OutputContrast",
        "padded-match": "dragoman.qe.features.similarity:PaddedMatch",
        "padded-multi-level": "dragoman.qe.features.similarity:PaddedLevels",
        "parse-confidence": "dragoman.qe.features.syntax:ParseConfidence",
        "phrase-indicators": "dragoman.qe.features.learnt:Indicators",
        "phrase-match": "dragoman.qe.features.phrase_matches:PhraseMatch",
        "phrases": "dragoman.qe.features.syntax:Phrases",
        "projected-dependencies": "dragoman.qe.features.contrast:Projected",
        "rare-translations": "dragoman.qe.features.translations:RareTranslations",
        "rarest-tags": "dragoman.qe.features.tags:RarestTags",
        "relation-match": "dragoman.qe.features.syntax:RelationMatch",
        "repeats": "dragoman.qe.features.patterns:Repeats",
        "replaced-words": "dragoman.qe.features.entailment:ReplacedWords",
        "search-graph": "dragoman.qe.features.decoder:SearchNumbers",
        "search-spread": "dragoman.qe.features.decoder:SearchSpread",
        "sequence-contrast": "dragoman.qe.features.contrast:SequenceContrast",
        "source-length": "dragoman.qe.features.surface:SourceLength",
        "source-lm": "dragoman.qe.features.corpus:SourceLM",
        "source-punctuation": "dragoman.qe.features.surface:SourcePunctuation",
        "source-word-length": "dragoman.qe.features.surface:SourceWordLength",
        "subjects": "dragoman.qe.features.syntax:Subjects",
        "tag-ambiguity": "dragoman.qe.features.tags:TagAmbiguity",
        "tag-count": "dragoman.qe.features.tags:TagCount",
        "target-length": "dragoman.qe.features.surface:TargetLength",
        "target-lm": "dragoman.qe.features.corpus:TargetLM",
        "target-punctuation": "dragoman.qe.features.surface:TargetPunctuation",
        "target-repetition": "dragoman.qe.features.surface:TargetRepetition",
        "topic": "dragoman.qe.features.associations:Topic",
        "topic-distance": "dragoman.qe.features.associations:TopicDistance",
        "translation-entropy": "dragoman.qe.features.lexical:Entropy",
        "translations": "dragoman.qe.features.translations:Translations",
        "tree-shape": "dragoman.qe.features.syntax:TreeShape",
        "type-token": "dragoman.qe.features.patterns:TypeToken",
        "unaligned-content": "dragoman.qe.features.entailment:UnalignedContent",
        "unbalanced": "dragoman.qe.features.patterns:Balance",
        "unit-ibm1": "dragoman.qe.features.lexical:UnitIbm1",
        "unit-lm": "dragoman.qe.features.lexical:UnitLM",
        "unknown": "dragoman.qe.features.models:Unknown",
        "unknown-common": "dragoman.qe.features.tags:UnknownCommon",
        "wide": "dragoman.qe.features.wide:Wide",
        "word-bayes": "dragoman.qe.features.learnt:WordBayesShare",
        "word-length": "dragoman.qe.features.patterns:WordLength",
    },
)


_INSIDE = ("glass-box", "shadow")  # sets that are nothing without a trace


def make_feature(spec: str) -> Feature:
    """The feature that a specification names: `source-length`, `ngram-quartile:length=2,quartile=4`."""
    return FEATURES.make(spec).check()


def feature_set(
    features: str | Sequence[str], *, compat: str = "", lacking: Collection[str] = ()
) -> tuple[Feature, ...]:
    """The features of sets' names and of specifications, each once, all in one manner of computing if asked.

    Sets of papers leave out what needs one of the `lacking` resources: without an engine's trace they have what text
    gives, without a dictionary no spelling, and so on. A feature that is asked for by its own name, and the sets
    `glass-box` and `shadow`, are never left out. `encoder:FOLDER` is the set of all that an encoder gives.
    """
    names = (features,) if isinstance(features, str) else tuple(features)
    double = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if double is not None:
        raise DataError(f"The feature {double!r} is there twice.")
    specs = []
    for name in names:
        own = FEATURE_SETS.get(name) or _of_encoder(name) or (name,)
        lenient = lacking and name in FEATURE_SETS and name not in _INSIDE
        specs += [s for s in own if not (lenient and set(make_feature(s).needed()) & set(lacking))]
    if compat:
        specs = [f"{spec}{',' if ':' in spec else ':'}compat={compat}" for spec in specs]
    return tuple({feature.spec(): feature for feature in map(make_feature, specs)}.values())


def _of_encoder(name: str) -> tuple[str, ...]:
    """The features of `encoder:FOLDER`; none if the name is another."""
    if not name.startswith("encoder:"):
        return ()
    return encoder_set(name.removeprefix("encoder:"))
