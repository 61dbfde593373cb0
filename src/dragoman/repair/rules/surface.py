"""Rules of the surface: vocalised prepositions, lost tokens, the first capital."""

from __future__ import annotations

from typing import ClassVar

from dragoman.repair.pairs import Pair
from dragoman.repair.rules.base import NOMINAL, Fix, Kind, Rule

__all__ = ["Capital", "LostTokens", "Vocalisation"]

_STOPS = frozenset(".?!")


class _Surface(Rule):
    kind: ClassVar[Kind] = "other"


class Vocalisation(_Surface):
    """A preposition takes its vocalised form before certain sounds, as English *a* becomes *an*."""

    name: ClassVar[str] = "vocalisation"
    order: ClassVar[int] = 19

    def applies(self, pair: Pair, place: int) -> list[Fix]:
        """The other form, where the language model likes it better."""
        node = pair.nodes[place]
        old = node.form.lower()
        entry = pair.grammar.vocalised.get(old)
        if entry is None or place + 1 >= len(pair.nodes):
            return []
        form, before = entry
        after = pair.nodes[place + 1].form
        if not before.match(after.lower()):
            return []
        return [Fix(place, form.capitalize() if node.form[0].isupper() else form, "vocalised", after)]


class LostTokens(_Surface):
    """The sign at the end of the source and numbers with a linked noun are in the translation, too."""

    name: ClassVar[str] = "lost-tokens"
    order: ClassVar[int] = 19

    def applies(self, pair: Pair, place: int) -> list[Fix]:
        """The token with what was lost beside it."""
        node, fixes = pair.nodes[place], []
        last = pair.source[-1].form if pair.source else ""
        if place == len(pair.nodes) - 1 and last in _STOPS and node.form[-1].isalnum():
            fixes.append(Fix(place, node.form + last, f"the source ends with {last}", "", sure=True))
        forms = {each.form for each in pair.nodes}
        for word in pair.source:
            is_lost = word.form.isdigit() and word.form not in forms and word.deprel == "nummod"
            if is_lost and node.must_be(NOMINAL) and word.head in {mine.id for mine in pair.source_words(place)}:
                linked = any(word.id - 1 in each.links for each in pair.nodes)
                fixes += [] if linked else [Fix(place, f"{word.form} {node.form}", "a number was lost", "", sure=True)]
        return fixes


class Capital(_Surface):
    """The first word has a capital, if the source's has one."""

    name: ClassVar[str] = "capital"
    order: ClassVar[int] = 20

    def applies(self, pair: Pair, place: int) -> list[Fix]:
        """The first word with a capital."""
        node = pair.nodes[place]
        if place or not pair.source or not pair.source[0].form[0].isupper() or not node.form[0].islower():
            return []
        return [Fix(place, node.form[0].upper() + node.form[1:], "the source begins with a capital", "", sure=True)]
