"""What a rule is: it looks at a place of a pair and proposes other forms there, with a reason."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import ClassVar, Literal

from dragoman.registry import Registry
from dragoman.repair.grammar import Features
from dragoman.repair.lexicon import Analysis
from dragoman.repair.pairs import Pair

__all__ = ["NOMINAL", "RULES", "Fix", "Kind", "Rule", "alternatives", "fixes_of", "rules_in_order"]

Kind = Literal["analysis", "agreement", "translation", "other"]
NOMINAL = frozenset({"NOUN", "PROPN"})


@dataclass(frozen=True)
class Fix:
    """Another form at a place; an empty one drops the token. `sure`: the language model is not asked."""

    place: int
    form: str
    wanted: str  # the features or the word that the rule asks for
    because: str  # the word that asks for it
    sure: bool = False
    also: tuple[tuple[int, str], ...] = ()  # what else changes with it: places and forms


class Rule(ABC):
    """One rule. Rules of analysis narrow readings and propose nothing; the others do not change the pair."""

    name: ClassVar[str]
    kind: ClassVar[Kind]
    order: ClassVar[int]  # DEPFIX's

    def analyse(self, pair: Pair) -> None:
        """Mend readings or heads, for the rules behind; most rules do nothing here."""
        del pair

    @abstractmethod
    def applies(self, pair: Pair, place: int) -> list[Fix]:
        """What would mend the place; nothing where it is right, or where the rule cannot tell."""

    def explain(self, pair: Pair, fix: Fix) -> str:
        """The reason of a fix in a sentence."""
        old = pair.nodes[fix.place].form
        what = f"“{old}” is left out" if not fix.form else f"“{old}” becomes “{fix.form}”"
        because = f" because of “{fix.because}”" if fix.because else ""
        return f"{what}: {fix.wanted}{because}"


RULES: Registry[Rule] = Registry(
    "repair rule",
    {
        "target-tree": "dragoman.repair.rules.analysis:TargetTree",
        "prepositional-case": "dragoman.repair.rules.analysis:PrepositionalCase",
        "reflexive-tantum": "dragoman.repair.rules.analysis:ReflexiveTantum",
        "noun-number": "dragoman.repair.rules.analysis:NounNumber",
        "preposition-without-children": "dragoman.repair.rules.analysis:PrepositionWithoutChildren",
        "by": "dragoman.repair.rules.translation:By",
        "auxiliary-children": "dragoman.repair.rules.analysis:AuxiliaryChildren",
        "relative-pronoun": "dragoman.repair.rules.agreement:RelativePronoun",
        "subject": "dragoman.repair.rules.agreement:SubjectCase",
        "infinitive-auxiliary": "dragoman.repair.rules.agreement:InfinitiveAuxiliary",
        "present-continuous": "dragoman.repair.rules.tense:PresentContinuous",
        "past-continuous": "dragoman.repair.rules.tense:PastContinuous",
        "perfect-auxiliary": "dragoman.repair.rules.tense:PerfectAuxiliary",
        "tense": "dragoman.repair.rules.tense:Tense",
        "subject-predicate": "dragoman.repair.rules.agreement:SubjectPredicate",
        "subject-participle": "dragoman.repair.rules.agreement:SubjectParticiple",
        "verb-by-source-subject": "dragoman.repair.rules.translation:VerbBySourceSubject",
        "passive-auxiliary": "dragoman.repair.rules.agreement:PassiveAuxiliary",
        "preposition-noun": "dragoman.repair.rules.agreement:PrepositionNoun",
        "of": "dragoman.repair.rules.translation:Of",
        "noun-attribute": "dragoman.repair.rules.agreement:NounAttribute",
        "negation": "dragoman.repair.rules.translation:Negation",
        "lone-reflexive": "dragoman.repair.rules.translation:LoneReflexive",
        "vocalisation": "dragoman.repair.rules.surface:Vocalisation",
        "lost-tokens": "dragoman.repair.rules.surface:LostTokens",
        "capital": "dragoman.repair.rules.surface:Capital",
    },
)


def rules_in_order(without: Collection[str] = (), only: Collection[str] = ()) -> list[Rule]:
    """The rules but for some, or only some; an unknown name raises with the known ones."""
    for name in (*without, *only):
        RULES.get(name)
    names = [name for name in RULES.names() if name not in without and (not only or name in only)]
    return sorted((RULES.make(name) for name in names), key=lambda rule: rule.order)


def alternatives(
    pair: Pair, place: int, readings: Iterable[Analysis], fits: Callable[[Features], bool]
) -> list[tuple[str, Features]]:
    """Other forms of the lexemes of readings whose features fit, each once, written as the form at the place.

    Forms that no text has are there only if none of the others is.
    """
    old = pair.nodes[place].form
    forms: dict[str, Features] = {}
    for reading in readings:
        for form, feats in pair.lexicon.others(reading):
            if form != old.lower() and form not in forms and fits(feats):
                forms[form] = feats
    attested = {form: feats for form, feats in forms.items() if form in pair.lexicon.counts}
    return [(form.capitalize() if old[:1].isupper() else form, feats) for form, feats in (attested or forms).items()]


def fixes_of(
    pair: Pair,
    place: int,
    readings: Iterable[Analysis],
    fits: Callable[[Features], bool],
    *,
    names: Collection[str],
    because: int | None = None,
) -> list[Fix]:
    """Fixes for all such forms; `names` are the features that the reason tells."""
    word = "" if because is None else pair.nodes[because].form
    return [
        Fix(place, form, ", ".join(f"{name}={feats[name]}" for name in names if name in feats), word)
        for form, feats in alternatives(pair, place, readings, fits)
    ]
