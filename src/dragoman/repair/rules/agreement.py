"""Rules of agreement: subject and predicate, noun and attribute, preposition and noun.

A place is wrong only if no readings of the words fit each other. Where two words contradict each other, either may be
the wrong one: both ways to mend it are proposed, and what the language model believes in is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from dragoman.repair.grammar import Features
from dragoman.repair.lexicon import Analysis
from dragoman.repair.pairs import Pair
from dragoman.repair.rules.base import NOMINAL, Fix, Kind, Rule, fixes_of

__all__ = [
    "InfinitiveAuxiliary",
    "NounAttribute",
    "PassiveAuxiliary",
    "PrepositionNoun",
    "RelativePronoun",
    "SubjectCase",
    "SubjectParticiple",
    "SubjectPredicate",
]

_ATTRIBUTES = frozenset({"ADJ", "DET", "NUM"})
_SUBJECTS = ("nsubj", "nsubj:pass")
_QUANTITIES = ("nummod", "conj", "cc", "det:numgov")


class _Agreement(Rule):
    kind: ClassVar[Kind] = "agreement"


class RelativePronoun(_Agreement):
    """A relative pronoun has the gender and number of the noun before its clause."""

    name: ClassVar[str] = "relative-pronoun"
    order: ClassVar[int] = 7

    def applies(self, pair: Pair, place: int) -> list[Fix]:
        """Forms of the pronoun that agree with the closest noun before it."""
        node = pair.nodes[place]
        stem = pair.grammar.words.get("relative")
        if not stem or not node.form.lower().startswith(stem) or not node.readings:
            return []
        before = [n for n in range(max(0, place - 4), place) if pair.nodes[n].must_be(NOMINAL)]
        if not before or not any(word.upos in {"PRON", "DET", "SCONJ"} for word in pair.source_words(place)):
            return []
        noun, names = before[-1], pair.grammar.agreement["participle"]
        readings = pair.nodes[noun].readings
        if any(mine.agrees(other.feats, names) for mine in node.readings for other in readings):
            return []
        cases = {each.feats.get("Case") for each in node.readings}

        def fits(feats: Features) -> bool:
            return feats.get("Case") in cases and any(each.agrees(feats, names) for each in readings)

        return fixes_of(pair, place, node.readings, fits, names=names, because=noun)


class SubjectCase(_Agreement):
    """The subject stands in the nominative, if the source confirms that it is one."""

    name: ClassVar[str] = "subject"
    order: ClassVar[int] = 8

    def applies(self, pair: Pair, place: int) -> list[Fix]:
        """Nominatives of a subject that is none."""
        node = pair.nodes[place]
        if node.relation not in _SUBJECTS or not node.must_be(NOMINAL) or pair.preposition(place) is not None:
            return []
        if any(each.feats.get("Case", "Nom") == "Nom" for each in node.readings) or _quantified(pair, place):
            return []
        numbers = {word.features.get("Number") for word in pair.source_words(place) if word.upos in NOMINAL}

        def fits(feats: Features) -> bool:
            return feats.get("Case") == "Nom" and (feats.get("Number") in numbers or not numbers)

        return fixes_of(pair, place, node.readings, fits, names=("Case", "Number"), because=node.head)


class _SubjectVerb(_Agreement):
    names: ClassVar[str]  # of the features, in the grammar's [agreement]

    def applies(self, pair: Pair, place: int) -> list[Fix]:
        """Forms of the verb that agree with its subject."""
        node = pair.nodes[place]
        readings = [each for each in node.readings if self.is_verb(each)]
        if not readings or len(readings) < len(node.readings):
            return []
        subjects = [n for n in pair.children(self.governor(pair, place), "nsubj") if pair.nodes[n].must_be(NOMINAL)]
        if len(subjects) != 1 or _quantified(pair, subjects[0]):
            return []
        nominatives = [each for each in pair.nodes[subjects[0]].readings if each.feats.get("Case", "Nom") == "Nom"]
        names = pair.grammar.agreement[self.names]
        wanted = [{**each.feats, "Person": "3"} for each in nominatives]
        if not wanted or any(mine.agrees(feats, names) for mine in readings for feats in wanted):
            return []
        tenses = {each.feats.get("Tense") for each in readings}

        def fits(feats: Features) -> bool:
            candidate = Analysis(0, "", feats)
            same = feats.get("Tense") in tenses and feats.get("Voice") == readings[0].feats.get("Voice")
            return same and self.is_verb_form(feats) and any(candidate.agrees(each, names) for each in wanted)

        return fixes_of(pair, place, readings, fits, names=names, because=subjects[0])

    def governor(self, pair: Pair, place: int) -> int:
        """The word that the subject hangs on: the verb itself, as a rule."""
        del pair
        return place

    def is_verb(self, reading: Analysis) -> bool:
        """Whether the rule is about such a form."""
        return reading.upos in {"VERB", "AUX"} and self.is_verb_form(reading.feats)

    def is_verb_form(self, feats: Features) -> bool:
        """Whether the rule is about forms of such features."""
        raise NotImplementedError


class InfinitiveAuxiliary(_SubjectVerb):
    """The auxiliary of an infinitive has the gender and number of the subject, which hangs on the infinitive."""

    name: ClassVar[str] = "infinitive-auxiliary"
    order: ClassVar[int] = 9
    names: ClassVar[str] = "participle"

    def governor(self, pair: Pair, place: int) -> int:
        """The infinitive behind the auxiliary; without one, no word that could have a subject."""
        near = range(place + 1, min(len(pair.nodes), place + 4))
        return next((n for n in near if _is_infinitive(pair.nodes[n].readings)), len(pair.nodes))

    def is_verb(self, reading: Analysis) -> bool:
        """A participle of an auxiliary."""
        return reading.upos == "AUX" and self.is_verb_form(reading.feats)

    def is_verb_form(self, feats: Features) -> bool:
        """A participle."""
        return feats.get("VerbForm") == "Part"


class SubjectPredicate(_SubjectVerb):
    """A finite verb has the number and person of its subject, whose relation the source confirms."""

    name: ClassVar[str] = "subject-predicate"
    order: ClassVar[int] = 11
    names: ClassVar[str] = "predicate"

    def is_verb_form(self, feats: Features) -> bool:
        """A finite form; some treebanks tell it by person alone."""
        return feats.get("VerbForm", "Fin" if "Person" in feats else "") == "Fin"


class SubjectParticiple(_SubjectVerb):
    """A participle has the number and gender of its subject, whose relation the source confirms."""

    name: ClassVar[str] = "subject-participle"
    order: ClassVar[int] = 12
    names: ClassVar[str] = "participle"

    def is_verb_form(self, feats: Features) -> bool:
        """A participle."""
        return feats.get("VerbForm") == "Part"


class PassiveAuxiliary(_Agreement):
    """The auxiliary of a passive has the gender and number of the participle."""

    name: ClassVar[str] = "passive-auxiliary"
    order: ClassVar[int] = 14

    def applies(self, pair: Pair, place: int) -> list[Fix]:
        """Forms of the auxiliary that agree with a passive participle beside it."""
        node = pair.nodes[place]
        if not node.must_be({"AUX"}) or place + 1 >= len(pair.nodes):
            return []
        participles = [each for each in pair.nodes[place + 1].readings if each.feats.get("Voice") == "Pass"]
        names = pair.grammar.agreement["participle"]
        if not participles or len(participles) < len(pair.nodes[place + 1].readings):
            return []
        if any(mine.agrees(each.feats, names) for mine in node.readings for each in participles):
            return []
        tense = node.readings[0].feats.get("Tense")

        def fits(feats: Features) -> bool:
            return feats.get("Tense") == tense and any(each.agrees(feats, names) for each in participles)

        return fixes_of(pair, place, node.readings, fits, names=names, because=place + 1)


class PrepositionNoun(_Agreement):
    """A noun behind a preposition stands in a case that the preposition takes."""

    name: ClassVar[str] = "preposition-noun"
    order: ClassVar[int] = 15

    def applies(self, pair: Pair, place: int) -> list[Fix]:
        """Forms of the noun, in the same number, in such a case."""
        node = pair.nodes[place]
        before = pair.preposition(place) if node.must_be(NOMINAL) else None
        if before is None:
            return []
        cases = pair.grammar.cases(pair.nodes[before].form)
        if any(each.feats.get("Case") in cases for each in node.readings):
            return []

        def fits(feats: Features) -> bool:
            return feats.get("Case") in cases

        return fixes_of(pair, place, node.readings, fits, names=("Case", "Number"), because=before)


class NounAttribute(_Agreement):
    """An attribute before its noun has the noun's gender, number and case."""

    name: ClassVar[str] = "noun-attribute"
    order: ClassVar[int] = 17

    def applies(self, pair: Pair, place: int) -> list[Fix]:
        """Forms of the attribute that agree with the noun, and forms of the noun that agree with its attributes."""
        node = pair.nodes[place]
        noun = pair.noun_of(place) if node.must_be(_ATTRIBUTES) else None
        if noun is None or not pair.nodes[noun].must_be(NOMINAL):
            return []
        names = pair.grammar.agreement["attribute"]
        readings = pair.nodes[noun].readings
        if any(mine.agrees(other.feats, names) for mine in node.readings for other in readings):
            return []

        degrees = {each.feats.get("Degree") for each in node.readings}

        def attribute_fits(feats: Features) -> bool:
            return feats.get("Degree") in degrees and any(each.agrees(feats, names) for each in readings)

        def noun_fits(feats: Features) -> bool:
            return (
                noun > place
                and all(
                    any(each.agrees(feats, names) for each in pair.nodes[other].readings)
                    for other in _attributes_before(pair, noun)
                )
                and self._case_fits(pair, noun, feats)
            )

        mended = fixes_of(pair, place, node.readings, attribute_fits, names=names, because=noun)
        return mended + fixes_of(pair, noun, readings, noun_fits, names=names, because=place)

    def _case_fits(self, pair: Pair, noun: int, feats: Features) -> bool:
        before = pair.preposition(noun)
        return before is None or feats.get("Case") in pair.grammar.cases(pair.nodes[before].form)


def _is_infinitive(readings: Sequence[Analysis]) -> bool:
    return bool(readings) and all(each.feats.get("VerbForm") == "Inf" for each in readings)


def _attributes_before(pair: Pair, noun: int) -> Iterator[int]:
    for place in range(noun - 1, -1, -1):
        if not pair.nodes[place].must_be(_ATTRIBUTES):
            return
        yield place


def _quantified(pair: Pair, place: int) -> bool:
    """Whether a subject is counted or joined with another: its predicate then agrees otherwise."""
    below = {pair.nodes[n].relation for n in pair.children(place)}
    before = pair.nodes[place - 1] if place else None
    return bool(below & set(_QUANTITIES)) or (before is not None and before.may_be({"NUM"}))
