"""The contract of features, and the table of those we have."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, Literal, Self

from dragoman.artifact import check_options, option
from dragoman.qe.features.batch import Batch
from dragoman.registry import Registry
from dragoman.stats.arrays import Floats

__all__ = ["BASELINE17", "FEATURES", "FEATURE_SETS", "SURFACE", "Feature", "feature_set", "make_feature"]

WMT12 = "wmt12"


@dataclass(frozen=True)
class Feature(ABC):
    """A number for each sentence. Its docstring is its definition; options are the fields of the subclass.

    `compat="wmt12"` computes what the feature files of WMT 2012 hold, quirks and all.
    """

    name: ClassVar[str]
    paper: ClassVar[str]
    level: ClassVar[Literal["word", "sentence", "document"]] = "sentence"
    side: ClassVar[Literal["source", "target", "both"]]
    needs: ClassVar[tuple[str, ...]] = ()  # fields of `Resources`

    compat: str = option("", choices=("", WMT12), text="`wmt12`: as in the released feature files, quirks and all")

    def check(self) -> Self:
        """The feature itself if its options are sound."""
        check_options(self)
        return self

    @abstractmethod
    def values(self, batch: Batch) -> Floats:
        """The feature of every sentence of a batch: float64 (sentences,)."""

    def spec(self) -> str:
        """Its name and the options that differ from their defaults, as `FEATURES.make` reads them."""
        changed = [f"{f.name}={getattr(self, f.name)}" for f in fields(self) if getattr(self, f.name) != f.default]
        return ":".join(filter(None, (self.name, ",".join(sorted(changed)))))


FEATURES: Registry[Feature] = Registry(
    "quality feature",
    {
        "known-words": "dragoman.qe.features.corpus:KnownWords",
        "ngram-quartile": "dragoman.qe.features.corpus:NgramQuartile",
        "rare-translations": "dragoman.qe.features.translations:RareTranslations",
        "source-length": "dragoman.qe.features.surface:SourceLength",
        "source-lm": "dragoman.qe.features.corpus:SourceLM",
        "source-punctuation": "dragoman.qe.features.surface:SourcePunctuation",
        "source-word-length": "dragoman.qe.features.surface:SourceWordLength",
        "target-length": "dragoman.qe.features.surface:TargetLength",
        "target-lm": "dragoman.qe.features.corpus:TargetLM",
        "target-punctuation": "dragoman.qe.features.surface:TargetPunctuation",
        "target-repetition": "dragoman.qe.features.surface:TargetRepetition",
        "translations": "dragoman.qe.features.translations:Translations",
    },
)

# The baseline of WMT 2012 to 2014, in the order of the released files.
BASELINE17 = (
    "source-length",
    "target-length",
    "source-word-length",
    "source-lm",
    "target-lm",
    "target-repetition",
    "translations",
    "rare-translations",
    "ngram-quartile",
    "ngram-quartile:quartile=4",
    "ngram-quartile:length=2",
    "ngram-quartile:length=2,quartile=4",
    "ngram-quartile:length=3",
    "ngram-quartile:length=3,quartile=4",
    "known-words",
    "source-punctuation",
    "target-punctuation",
)
# Those of them that need no resource.
SURFACE = (
    "source-length",
    "target-length",
    "source-word-length",
    "target-repetition",
    "source-punctuation",
    "target-punctuation",
)
FEATURE_SETS = {"baseline17": BASELINE17, "surface": SURFACE}


def make_feature(spec: str) -> Feature:
    """The feature that a specification names: `source-length`, `ngram-quartile:length=2,quartile=4`."""
    return FEATURES.make(spec).check()


def feature_set(features: str | Sequence[str], *, compat: str = "") -> tuple[Feature, ...]:
    """The features of a set's name or of specifications, all in one manner of computing if `compat` names one."""
    specs = FEATURE_SETS.get(features, (features,)) if isinstance(features, str) else tuple(features)
    if compat:
        specs = tuple(f"{spec}{',' if ':' in spec else ':'}compat={compat}" for spec in specs)
    return tuple(make_feature(spec) for spec in specs)
