"""Resources that are built when they are asked for: each costs time or room, and not every feature needs it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dragoman.align.aligner import Aligner
from dragoman.artifact import Artifact
from dragoman.errors import DataError, UnknownName
from dragoman.lm import KneserNey, LanguageModel
from dragoman.metrics.hter import WordTags
from dragoman.qe.resources.bag_nets import BagNet, BagNetRecipe
from dragoman.qe.resources.lexicon import LexicalTable
from dragoman.qe.resources.similarity import GoodText, GoodTextRecipe
from dragoman.qe.resources.topics import TopicModel, TopicRecipe
from dragoman.qe.resources.triggers import TriggerRecipe, Triggers
from dragoman.qe.resources.unaligned import UnalignedRates, UnalignedRecipe
from dragoman.qe.resources.word_bayes import WordBayes, WordBayesRecipe
from dragoman.qe.resources.word_lexicon import WordLexicon, WordLexiconRecipe

__all__ = ["EXTRAS", "EXTRA_ARTIFACTS", "Material", "build_extras", "check_extras", "extras_for"]

EXTRA_ARTIFACTS: dict[str, type[Artifact]] = {
    "dwl": WordLexicon,
    "hashed_net": BagNet,
    "source_5_lm": LanguageModel,
    "source_backward_5_lm": LanguageModel,
    "source_good_text": GoodText,
    "target_backward_5_lm": LanguageModel,
    "target_good_text": GoodText,
    "topics": TopicModel,
    "triggers": Triggers,
    "unaligned": UnalignedRates,
    "word_bayes": WordBayes,
    "word_net": BagNet,
}


@dataclass(frozen=True)
class Material:
    """What extras are built from."""

    sources: Sequence[str]
    targets: Sequence[str]
    source_text: Sequence[str]  # with further text of the language
    target_text: Sequence[str]
    judged: tuple[Sequence[str], Sequence[str]]  # sources and outputs
    tags: Sequence[WordTags]
    made: Mapping[str, Any]  # the other resources
    whole: Mapping[str, Any]  # what was built from all of the text, when a part is held out
    n_threads: int


def _dwl(text: Material) -> dict[str, Artifact]:
    return {"dwl": WordLexiconRecipe().train(text.sources, text.targets, n_threads=text.n_threads)}


def _triggers(text: Material) -> dict[str, Artifact]:
    return {"triggers": TriggerRecipe().train(text.sources, text.targets, n_threads=text.n_threads)}


def _topics(text: Material) -> dict[str, Artifact]:
    found = TopicRecipe().train(text.sources, text.targets)
    return {"topics": found.like(text.whole["topics"]) if "topics" in text.whole else found}


def _nets(text: Material) -> dict[str, Artifact]:
    like = text.judged if len(text.judged[0]) else None
    return {
        "hashed_net": BagNetRecipe(encoding="hashed").train(text.sources, text.targets),
        "word_net": BagNetRecipe(encoding="words").train(text.sources, text.targets, like=like),
    }


def _good_text(text: Material) -> dict[str, Artifact]:
    return {
        "source_good_text": GoodTextRecipe().train(text.source_text),
        "target_good_text": GoodTextRecipe().train(text.target_text),
    }


def _long_models(text: Material) -> dict[str, Artifact]:
    lines = {
        "source_5_lm": text.source_text,
        "source_backward_5_lm": _backward(text.source_text),
        "target_backward_5_lm": _backward(text.target_text),
    }
    return {name: KneserNey(order=5).train(list(each), n_threads=text.n_threads) for name, each in lines.items()}


def _unaligned(text: Material) -> dict[str, Artifact]:
    aligner: Aligner = text.made["aligner"]
    return {"unaligned": UnalignedRecipe().train(aligner, text.sources, text.targets, n_threads=text.n_threads)}


def _word_bayes(text: Material) -> dict[str, Artifact]:
    if not len(text.tags):
        raise DataError("word-bayes is learnt from post-edited translations, .src .mt and .pe; there are none.")
    lexicon = LexicalTable.of_lexicon(text.made["ibm1"].lexicon("forward"))
    return {"word_bayes": WordBayesRecipe().train(*text.judged, text.tags, lexicon)}


# What may be asked for → the resources it gives, and how.
EXTRAS: dict[str, tuple[tuple[str, ...], Callable[[Material], dict[str, Artifact]]]] = {
    "dwl": (("dwl",), _dwl),
    "good-text": (("source_good_text", "target_good_text"), _good_text),
    "long-models": (("source_5_lm", "source_backward_5_lm", "target_backward_5_lm"), _long_models),
    "nets": (("hashed_net", "word_net"), _nets),
    "topics": (("topics",), _topics),
    "triggers": (("triggers",), _triggers),
    "unaligned": (("unaligned",), _unaligned),
    "word-bayes": (("word_bayes",), _word_bayes),
}


def check_extras(names: Sequence[str]) -> tuple[str, ...]:
    """The names, each once and in order; `all` is every one of them."""
    unknown = [name for name in names if name not in EXTRAS and name != "all"]
    if unknown:
        raise UnknownName(f"No further resource is called {unknown[0]!r}. Known: all, {', '.join(EXTRAS)}.")
    return tuple(EXTRAS) if "all" in names else tuple(name for name in EXTRAS if name in names)


def extras_for(needs: Iterable[str]) -> tuple[str, ...]:
    """What must be asked for to have these resources."""
    wanted = set(needs)
    return tuple(name for name, (gives, _) in EXTRAS.items() if wanted & set(gives))


def build_extras(names: Sequence[str], text: Material) -> dict[str, Artifact]:
    """The resources asked for."""
    found: dict[str, Artifact] = {}
    for name in names:
        found.update(EXTRAS[name][1](text))
    return found


def _backward(lines: Sequence[str]) -> list[str]:
    return [" ".join(reversed(line.split())) for line in lines]
