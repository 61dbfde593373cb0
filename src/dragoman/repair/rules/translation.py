"""Rules for structures that engines mistranslate: they look at the source above all."""

from __future__ import annotations

from typing import ClassVar

from dragoman.repair.grammar import Features
from dragoman.repair.pairs import Pair
from dragoman.repair.rules.base import NOMINAL, Fix, Kind, Rule, fixes_of
from dragoman.repair.rules.tense import denied_copula

__all__ = ["By", "LoneReflexive", "Negation", "Of", "VerbBySourceSubject"]

_PERSONS = {  # of English: person, number (you has both), gender
    "i": ("1", "Sing", None),
    "you": ("2", None, None),
    "he": ("3", "Sing", "Masc+Anim"),
    "she": ("3", "Sing", "Fem"),
    "it": ("3", "Sing", None),
    "we": ("1", "Plur", None),
    "they": ("3", "Plur", None),
}
_NEGATIONS = frozenset({"not", "n't", "never"})


class _Translation(Rule):
    kind: ClassVar[Kind] = "translation"


class _CaseForPreposition(_Translation):
    """A preposition of the source that is no word of the translation is said by a case."""

    preposition: ClassVar[str]

    def applies(self, pair: Pair, place: int) -> list[Fix]:
        """Forms in the case that says it, below a verb or below a noun."""
        node, cases = pair.nodes[place], pair.grammar.translation.get(self.preposition)
        if cases is None or not node.must_be(NOMINAL) or node.head is None or pair.preposition(place) is not None:
            return []
        linked = {link for other in pair.nodes for link in other.links}
        asks = any(
            word.form.lower() == self.preposition
            and word.head == mine.id
            and word.id - 1 not in linked - set(node.links)
            for mine in pair.source_words(place)
            for word in pair.source
        )
        above = pair.nodes[node.head]
        kind = "verb" if above.must_be({"VERB", "AUX"}) else "noun" if above.must_be(NOMINAL) else ""
        case = cases.get(kind)
        if not asks or case is None or any(each.feats.get("Case") == case for each in node.readings):
            return []
        numbers = {each.feats.get("Number") for each in node.readings}

        def fits(feats: Features) -> bool:
            return feats.get("Case") == case and feats.get("Number") in numbers

        return fixes_of(pair, place, node.readings, fits, names=("Case",), because=node.head)


class By(_CaseForPreposition):
    """English *by*: the instrumental below a verb (built by David), the genitive below a noun (songs by David)."""

    name: ClassVar[str] = "by"
    order: ClassVar[int] = 5
    preposition: ClassVar[str] = "by"


class Of(_CaseForPreposition):
    """English *of* below a noun: the genitive (pictures of Rudolf)."""

    name: ClassVar[str] = "of"
    order: ClassVar[int] = 16
    preposition: ClassVar[str] = "of"


class VerbBySourceSubject(_Translation):
    """Where the source's subject is a pronoun, the verb has its person and number, and its gender if it tells one."""

    name: ClassVar[str] = "verb-by-source-subject"
    order: ClassVar[int] = 13

    def applies(self, pair: Pair, place: int) -> list[Fix]:
        """Forms of the verb that agree with the pronoun."""
        node = pair.nodes[place]
        if not node.must_be({"VERB", "AUX"}) or any(
            pair.nodes[n].relation.startswith("nsubj") for n in pair.children(place)
        ):
            return []
        heads = {word.id for word in pair.source_words(place) if word.upos in {"VERB", "AUX"}}
        pronouns = [w.form.lower() for w in pair.source if w.head in heads and w.deprel.startswith("nsubj")]
        if len(pronouns) != 1 or pronouns[0] not in _PERSONS:
            return []
        person, number, gender = _PERSONS[pronouns[0]]
        values = {"Person": person, "Number": number, "Gender": gender}
        wanted = {name: value for name, value in values.items() if value is not None}
        finite = {"Fin", "Part"}
        if any(each.agrees(wanted, wanted) or each.feats.get("VerbForm") not in finite for each in node.readings):
            return []
        tenses = {each.feats.get("Tense") for each in node.readings}

        def fits(feats: Features) -> bool:
            agrees = all(feats.get(name, value) == value for name, value in wanted.items())
            return agrees and feats.get("Tense") in tenses and feats.get("VerbForm") in finite

        fixes = fixes_of(pair, place, node.readings, fits, names=tuple(wanted))
        return [Fix(each.place, each.form, f"{each.wanted}, as “{pronouns[0]}”", "") for each in fixes]


class Negation(_Translation):
    """A verb that the source denies is denied."""

    name: ClassVar[str] = "negation"
    order: ClassVar[int] = 17

    def applies(self, pair: Pair, place: int) -> list[Fix]:
        """The verb with the prefix of negation, if text has such a form."""
        node, prefix = pair.nodes[place], pair.grammar.words.get("negation")
        if not prefix or not node.must_be({"VERB", "AUX"}):
            return []
        heads = {word.id for word in pair.source_words(place) if word.upos in {"VERB", "AUX"}}
        denies = [w.form.lower() for w in pair.source if w.head in heads and _is_negation(w.form)]
        denies += [pair.source[i - 1].form for i in heads if pair.source[i - 1].form.lower().endswith("n't")]
        if not denies or any(_denies(pair, other.form) for other in pair.nodes):
            return []
        form = prefix + node.form.lower()
        return [Fix(place, form, "negation", denies[0], sure=form in pair.lexicon.counts)]


class LoneReflexive(_Translation):
    """A reflexive particle that belongs to no verb or adjective goes."""

    name: ClassVar[str] = "lone-reflexive"
    order: ClassVar[int] = 18

    def applies(self, pair: Pair, place: int) -> list[Fix]:
        """Nothing in its place, where no word of the line can have it."""
        node = pair.nodes[place]
        if node.form.lower() not in pair.grammar.words.get("reflexive", ()) or node.links or node.relation:
            return []
        if any(not each.must_be(NOMINAL) for n, each in enumerate(pair.nodes) if n != place and each.form.isalpha()):
            return []
        return [Fix(place, "", "no verb that the particle could belong to", "")]


def _is_negation(form: str) -> bool:
    return form.lower() in _NEGATIONS


def _denies(pair: Pair, form: str) -> bool:
    """Whether a word of the translation denies: a listed one, or a verb that is known without the prefix."""
    word, prefix = form.lower(), pair.grammar.words.get("negation", "")
    if word in pair.grammar.words.get("negative", ()) or denied_copula(pair, word):
        return True
    return word.startswith(prefix) and any(
        each.upos in {"VERB", "AUX", "ADJ"} for each in pair.lexicon.analyses(word.removeprefix(prefix))
    )
