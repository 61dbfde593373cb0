"""What a bitext says of words and their translations: lexical tables, links, units, associations, topics."""

from __future__ import annotations

from typing import Any

from dragoman.align.ibm import Diagonal, Ibm1
from dragoman.metrics.units import UnitModels, UnitRecipe
from dragoman.qe.resources.bag_nets import BagNet, BagNetRecipe
from dragoman.qe.resources.declared import Derived, Group, Resource, aligner
from dragoman.qe.resources.lexicon import LexicalTable
from dragoman.qe.resources.material import Material
from dragoman.qe.resources.phrase_tables import PhraseTables, PhraseTablesRecipe
from dragoman.qe.resources.topics import TopicModel, TopicRecipe
from dragoman.qe.resources.triggers import TriggerRecipe, Triggers
from dragoman.qe.resources.unaligned import UnalignedRates, UnalignedRecipe
from dragoman.qe.resources.word_lexicon import WordLexicon, WordLexiconRecipe

__all__ = ["LEXICAL_TABLES", "NETS", "PHRASE_TABLES", "TOPICS", "TRIGGERS", "UNALIGNED", "UNITS", "WORD_LEXICON"]


def _lexical_tables(text: Material) -> dict[str, Any]:
    return {
        "ibm1": Ibm1().train(text.sources, text.targets, n_threads=text.n_threads),
        "aligner": Diagonal().train(text.sources, text.targets, n_threads=text.n_threads),
    }


def _units(text: Material) -> dict[str, Any]:
    return {
        name: UnitRecipe(unit=unit).train(text.sources, text.targets, n_threads=text.n_threads)
        for name, unit in (("pieces", "piece"), ("classes", "class"), ("morphemes", "morpheme"))
    }


def _word_lexicon(text: Material) -> dict[str, Any]:
    return {"dwl": WordLexiconRecipe().train(text.sources, text.targets, n_threads=text.n_threads)}


def _triggers(text: Material) -> dict[str, Any]:
    return {"triggers": TriggerRecipe().train(text.sources, text.targets, n_threads=text.n_threads)}


def _topics(text: Material) -> dict[str, Any]:
    topics = TopicRecipe().train(text.sources, text.targets)
    # Topics have no order of their own: those of a part are put into the order of the whole.
    return {"topics": topics.like(text.whole["topics"]) if "topics" in text.whole else topics}


def _nets(text: Material) -> dict[str, Any]:
    like = text.judged if len(text.judged[0]) else None
    return {
        "hashed_net": BagNetRecipe(encoding="hashed").train(text.sources, text.targets),
        "word_net": BagNetRecipe(encoding="words").train(text.sources, text.targets, like=like),
    }


def _unaligned(text: Material) -> dict[str, Any]:
    recipe = UnalignedRecipe()
    return {"unaligned": recipe.train(text.built["aligner"], text.sources, text.targets, n_threads=text.n_threads)}


def _phrase_tables(text: Material) -> dict[str, Any]:
    return {
        "phrase_tables": PhraseTablesRecipe().train(
            text.built["aligner"],
            text.sources,
            text.targets,
            languages=text.languages,
            names=text.names,
            n_threads=text.n_threads,
        )
    }


LEXICAL_TABLES = Group(
    "lexical-tables",
    (
        aligner("ibm1", "IBM model 1 in both directions"),
        aligner("aligner", "word aligner in both directions"),
        Derived(
            "lexicon",
            "p(target word | source word), of ibm1 or a file",
            of="ibm1",
            make=lambda ibm1: LexicalTable.of_lexicon(ibm1.lexicon("forward")),
        ),
        Derived(
            "inverse_lexicon",
            "p(source word | target word)",
            of="ibm1",
            make=lambda ibm1: LexicalTable.of_lexicon(ibm1.lexicon("backward")),
        ),
    ),
    _lexical_tables,
)
UNITS = Group(
    "units",
    (
        Resource("pieces", "models of roots and endings", UnitModels),
        Resource("classes", "models of word classes, which stand in for parts of speech", UnitModels),
        Resource("morphemes", "models of morphemes learnt from each side", UnitModels),
    ),
    _units,
)
WORD_LEXICON = Group(
    "dwl", (Resource("dwl", "p(target word | source sentence)", WordLexicon),), _word_lexicon, extra=True
)
NETS = Group(
    "nets",
    (
        Resource("hashed_net", "net from the source's words to the target's, hashed", BagNet),
        Resource("word_net", "the same of the most frequent words", BagNet),
    ),
    _nets,
    extra=True,
)
PHRASE_TABLES = Group(
    "phrase-tables",
    (Resource("phrase_tables", "phrases and their translations at four levels", PhraseTables),),
    _phrase_tables,
    extra=True,
)
TOPICS = Group("topics", (Resource("topics", "topics of both sides", TopicModel),), _topics, extra=True)
TRIGGERS = Group(
    "triggers", (Resource("triggers", "mutual information of pairs of words", Triggers),), _triggers, extra=True
)
UNALIGNED = Group(
    "unaligned", (Resource("unaligned", "how often each word has no link", UnalignedRates),), _unaligned, extra=True
)
