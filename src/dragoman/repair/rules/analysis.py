"""Rules that mend the analysis: they change no word."""

from __future__ import annotations

from typing import ClassVar

from dragoman.repair.pairs import Pair
from dragoman.repair.rules.base import NOMINAL, Fix, Kind, Rule

__all__ = [
    "AuxiliaryChildren",
    "NounNumber",
    "PrepositionWithoutChildren",
    "PrepositionalCase",
    "ReflexiveTantum",
    "TargetTree",
]


_VERBAL = frozenset({"VERB", "AUX"})
_BREAKS = frozenset(",;:.!?()")


class _Analysis(Rule):
    kind: ClassVar[Kind] = "analysis"

    def applies(self, pair: Pair, place: int) -> list[Fix]:
        """Nothing: the analysis is mended before the rules that change words."""
        del pair, place
        return []


class TargetTree(_Analysis):
    """A word that no link leads to hangs where a parser of the target language hangs it.

    DEPFIX's parser has features of linked source words; here what links project stands first. A subject is one only if
    the source says so: of such words, the parser gives the head alone.
    """

    name: ClassVar[str] = "target-tree"
    order: ClassVar[int] = 0

    def analyse(self, pair: Pair) -> None:
        """Give words without a head one, if the repairer has such a parser."""
        if pair.tree is None:
            return
        for node, word in zip(pair.nodes, pair.tree.words, strict=True):
            if node.head is None and not node.links and word.head:
                node.head = word.head - 1
                node.relation = "" if word.deprel.startswith("nsubj") else word.deprel


class PrepositionalCase(_Analysis):
    """A noun behind a preposition has a case that the preposition takes, if its form can."""

    name: ClassVar[str] = "prepositional-case"
    order: ClassVar[int] = 1

    def analyse(self, pair: Pair) -> None:
        """Drop the readings in other cases."""
        for place, node in enumerate(pair.nodes):
            before = pair.preposition(place) if node.may_be(NOMINAL) else None
            if before is None:
                continue
            cases = pair.grammar.cases(pair.nodes[before].form)
            fitting = tuple(each for each in node.readings if each.upos in NOMINAL and each.feats.get("Case") in cases)
            node.readings = fitting or node.readings


class ReflexiveTantum(_Analysis):
    """A reflexive particle hangs on its verb; one that is written as a preposition may be that instead (Czech *se*).

    Verbs that are never without the particle (*dívat se*, to look) stand in the grammar: beside one, it is no
    preposition, whatever it is linked to.
    """

    name: ClassVar[str] = "reflexive-tantum"
    order: ClassVar[int] = 2

    def analyse(self, pair: Pair) -> None:
        """Give particles a head, and the relation that tells what they are."""
        for place, node in enumerate(pair.nodes):
            if node.form.lower() not in pair.grammar.words.get("reflexive", ()):
                continue
            verbs = [n for n in _clause(pair, place) if pair.nodes[n].must_be(_VERBAL)]
            tantum = [n for n in verbs if _is_tantum(pair, n)]
            noun = pair.noun_after(place) if self._may_be_preposition(pair, place) else None
            if tantum:
                node.head, node.relation = min(tantum, key=lambda n: abs(n - place)), "expl:pv"
            elif noun is not None:
                node.head, node.relation = noun, "case"
            elif verbs:
                node.head, node.relation = min(verbs, key=lambda n: abs(n - place)), "expl"

    def _may_be_preposition(self, pair: Pair, place: int) -> bool:
        """Whether the source has a preposition there, or else the sound and the case of what follows ask for one."""
        form, noun = pair.nodes[place].form.lower(), pair.noun_after(place)
        cases = pair.grammar.cases(form)
        if not cases or noun is None:
            return False
        if pair.nodes[place].links:
            return any(word.upos == "ADP" for word in pair.source_words(place))
        vocalised = [before for other, before in pair.grammar.vocalised.values() if other == form]
        follows = pair.nodes[place + 1].form.lower()
        readings = [each for each in pair.nodes[noun].readings if each.upos in NOMINAL]
        is_in_case = bool(readings) and all(each.feats.get("Case") in cases for each in readings)
        return is_in_case and any(before.match(follows) for before in vocalised)


class NounNumber(_Analysis):
    """A noun that may be singular or plural has the number of the word that it is linked to."""

    name: ClassVar[str] = "noun-number"
    order: ClassVar[int] = 3

    def analyse(self, pair: Pair) -> None:
        """Drop the readings in the other number."""
        for place, node in enumerate(pair.nodes):
            words = [word for word in pair.source_words(place) if word.upos in NOMINAL]
            numbers = {word.features.get("Number") for word in words}
            if len(numbers) != 1 or not node.must_be(NOMINAL):
                continue
            fitting = tuple(each for each in node.readings if each.feats.get("Number") in numbers)
            node.readings = fitting or node.readings


class PrepositionWithoutChildren(_Analysis):
    """A preposition that no link brought to its noun hangs on the noun that follows it."""

    name: ClassVar[str] = "preposition-without-children"
    order: ClassVar[int] = 4

    def analyse(self, pair: Pair) -> None:
        """Give such a preposition a head."""
        for place, node in enumerate(pair.nodes):
            if node.head is None and pair.is_preposition(place):
                noun = pair.noun_after(place)
                if noun is not None:
                    node.head, node.relation = noun, "case"


class AuxiliaryChildren(_Analysis):
    """What hangs on an auxiliary hangs on its full verb."""

    name: ClassVar[str] = "auxiliary-children"
    order: ClassVar[int] = 6

    def analyse(self, pair: Pair) -> None:
        """Hang such nodes higher."""
        for node in pair.nodes:
            above = None if node.head is None else pair.nodes[node.head]
            if above is not None and above.relation.startswith("aux") and above.head is not None:
                node.head = above.head


def _clause(pair: Pair, place: int) -> list[int]:
    """The places around one up to the next sign that parts clauses."""
    breaks = [n for n, node in enumerate(pair.nodes) if node.form in _BREAKS]
    begin = max((n + 1 for n in breaks if n < place), default=0)
    end = min((n for n in breaks if n > place), default=len(pair.nodes))
    return list(range(begin, end))


def _is_tantum(pair: Pair, place: int) -> bool:
    stems = tuple(pair.grammar.words.get("tantum", ()))
    prefix = str(pair.grammar.words.get("negation", ""))
    form = pair.nodes[place].form.lower()
    return bool(stems) and (form.startswith(stems) or (bool(prefix) and form.removeprefix(prefix).startswith(stems)))
