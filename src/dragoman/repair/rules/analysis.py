"""Rules that mend the analysis: they change no word."""

from __future__ import annotations

from typing import ClassVar

from dragoman.repair.pairs import Pair
from dragoman.repair.rules.base import NOMINAL, Fix, Kind, Rule

__all__ = ["AuxiliaryChildren", "NounNumber", "PrepositionWithoutChildren", "PrepositionalCase"]


class _Analysis(Rule):
    kind: ClassVar[Kind] = "analysis"

    def applies(self, pair: Pair, place: int) -> list[Fix]:
        """Nothing: the analysis is mended before the rules that change words."""
        del pair, place
        return []


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
