"""What may be chosen of quality estimation: features, resources, training, decisions, reports."""

from __future__ import annotations

from dataclasses import dataclass, replace

from dragoman.files import StrPath
from dragoman.learn.base import LEARNERS, Learner
from dragoman.learn.selectors.base import SELECTORS
from dragoman.options import Recipe, option
from dragoman.qe.tasks import SCORE_TASKS

__all__ = [
    "AUTO",
    "WMT12",
    "DecisionRecipe",
    "FeatureRecipe",
    "QERecipe",
    "ReportRecipe",
    "ResourceRecipe",
    "TextRecipe",
]

WMT12 = "wmt12"
AUTO = "auto"  # a tokeniser that is chosen when the text is seen

_MODEL = "a model's folder, copied into the resources: a {} of the {} language"
_DICTIONARY = "a Hunspell dictionary (.aff, .dic) of the {} language, copied into the resources"


@dataclass(frozen=True)
class TextRecipe(Recipe):
    """How text is cut into tokens before anything is asked of it."""

    source_tokeniser: str = option("none", text="how to cut the source")
    target_tokeniser: str = option("none", text="how to cut the output")

    @property
    def tokenisers(self) -> tuple[str, str]:
        """Of the source and of the output."""
        return self.source_tokeniser, self.target_tokeniser


@dataclass(frozen=True)
class FeatureRecipe(TextRecipe):
    """Which features of translations are computed, and how."""

    features: tuple[str, ...] = option(
        ("surface",), text="a set (surface, baseline17, black-box, …) or a feature with options"
    )
    compat: str = option("", choices=("", WMT12), text="`wmt12`: as in the released files, quirks and all")
    languages: str = option("", text="the pair, such as en-de; resources of another one are refused")
    check_languages: bool = option(True, text="do the resources know the text's words?")


@dataclass(frozen=True)
class ResourceRecipe(Recipe):
    """What resources are built beside those that a bitext or post-edited translations give of themselves.

    Text and n-grams of one language, `wide` or not, are files; parsers, grammars and taggers are folders of trained
    ones.
    """

    n_parts: int = option(5, low=2, text="parts of the post-edited translations; all is built again without each")
    source_text: StrPath | None = option(None, text="further text of the source language, for models and counts")
    target_text: StrPath | None = option(None, text="further text of the target language, for models and counts")
    source_wide: tuple[StrPath, ...] = option(
        (), text="a further corpus of the source language, counted by itself: text, or .tsv of n-grams and counts"
    )
    target_wide: tuple[StrPath, ...] = option((), text="the same of the target language")
    also: tuple[str, ...] = option(
        (),
        text="also build dwl, good-text, long-models, nets, phrase-tables, topics, triggers, unaligned, word-bayes, "
        "or all",
    )
    source_parser: StrPath | None = option(None, text=_MODEL.format("parser of dependencies", "source"))
    target_parser: StrPath | None = option(None, text=_MODEL.format("parser of dependencies", "target"))
    source_grammar: StrPath | None = option(None, text=_MODEL.format("grammar of constituents", "source"))
    target_grammar: StrPath | None = option(None, text=_MODEL.format("grammar of constituents", "target"))
    source_names: StrPath | None = option(None, text=_MODEL.format("tagger of names", "source"))
    target_names: StrPath | None = option(None, text=_MODEL.format("tagger of names", "target"))
    source_dictionary: StrPath | None = option(None, text=_DICTIONARY.format("source"))
    target_dictionary: StrPath | None = option(None, text=_DICTIONARY.format("target"))
    languages: str = option("", text="the pair, such as en-de: written down, and compared when resources are used")


@dataclass(frozen=True)
class QERecipe(TextRecipe):
    """How scores of sentences are learnt: from which features, by which learner.

    Unless named, features are the richest set that the resources allow: `black-box` where they know post-edits,
    `black-box+syntax` where they have parsers of both sides, too, the 17 of the WMT baselines where they are of a
    bitext, and those of the text alone where there are none. `ridge` learns from the many, `svr` from the few.
    """

    source_tokeniser: str = option(AUTO, text="how to cut the source; auto: by 13a, unless it is in tokens already")
    target_tokeniser: str = option(AUTO, text="how to cut the output; auto: by 13a, unless it is in tokens already")
    features: tuple[str, ...] = option(
        (), text="a set or a feature [black-box with post-edits, baseline17 with a bitext]"
    )
    learner: str | None = option(None, of=LEARNERS, text="how to learn [ridge for the set black-box, else svr]")
    select: tuple[str, ...] = option((), of=SELECTORS, text="how to select features, one after the other")
    nested: int | None = option(None, low=2, text="folds of nested cross-validation, for honest figures")
    task: str = option("hter", choices=tuple(SCORE_TASKS), text="what is scored")

    def make_learner(self, features: tuple[str, ...] = ()) -> Learner:
        """The learner, with selectors and folds as chosen here; without a name, the one that suits the features."""
        many = any(name.startswith("black-box") for name in features)
        learner = LEARNERS.make(self.learner or ("ridge" if many else "svr"))
        return replace(learner, select=self.select or learner.select, nested=self.nested or learner.nested)


@dataclass(frozen=True)
class DecisionRecipe(Recipe):
    """What is good enough and what is beyond repair, and how often decisions may be wrong."""

    good: float | None = option(None, text="score good enough to publish [hter .1, effort 4]")
    bad: float | None = option(None, text="score bad enough to translate anew [hter .7, effort 2]")
    risk: float = option(0.1, text="share of wrong decisions, at most")
    confidence: float = option(0.9, text="that the risk is kept")


@dataclass(frozen=True)
class ReportRecipe(DecisionRecipe):
    """How models are measured on text with known scores."""

    leave_out_read: bool = option(False, text="leave out sentences whose post-edits a model has read")
    n_worst: int = option(10, low=1, text="worst cases that are shown")
    trials: int = option(1000, low=1, text="bootstrap samples")
