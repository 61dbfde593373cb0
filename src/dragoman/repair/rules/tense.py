"""Rules of tense: what the source says with auxiliaries, Czech says with one form."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from dragoman.repair.grammar import Features
from dragoman.repair.lexicon import Analysis
from dragoman.repair.pairs import Pair
from dragoman.repair.rules.base import NOMINAL, Fix, Kind, Rule, alternatives
from dragoman.text.conllu import Word

__all__ = ["PastContinuous", "PerfectAuxiliary", "PresentContinuous", "Tense", "denied_copula"]

_VERBS = frozenset({"VERB", "AUX"})
_NEAR = 4  # tokens from an auxiliary to its verb


class _OfTense(Rule):
    kind: ClassVar[Kind] = "translation"


class _Continuous(_OfTense):
    """A continuous tense of the source has no auxiliary: what a copula tells goes to the infinitive behind it."""

    def applies(self, pair: Pair, place: int) -> list[Fix]:
        """A form of the infinitive that says all of it; the copula goes."""
        copula, denied = _copula(pair, place)
        verb = next((n for n in range(place + 1, _end(pair, place)) if _is_infinitive(pair, n)), None)
        if not copula or verb is None or not any(_is_continuous(word) for word in pair.source_words(verb)):
            return []
        forms = alternatives(pair, verb, pair.nodes[verb].readings, self.fits(copula))[:1]
        if not forms:
            return []
        between = " ".join(each.form for each in pair.nodes[place + 1 : verb])
        negation = str(pair.grammar.words.get("negation", "")) if denied else ""
        new = " ".join(filter(None, [between, negation + forms[0][0].lower()]))
        reason = f"no auxiliary in {self.tense}; {new}"
        return [Fix(place, "", reason, pair.nodes[verb].form, sure=True, also=((verb, new),))]

    tense: ClassVar[str]

    def fits(self, copula: list[Features]) -> Callable[[Features], bool]:
        """Which forms of the verb say what one of the copula's readings says."""
        raise NotImplementedError


class PresentContinuous(_Continuous):
    """*není experimentovat* (is not experimenting): person, number and negation go to the verb, *neexperimentuje*."""

    name: ClassVar[str] = "present-continuous"
    order: ClassVar[int] = 10
    tense: ClassVar[str] = "the present"

    def fits(self, copula: list[Features]) -> Callable[[Features], bool]:
        """Finite forms of the same person and number."""
        return lambda feats: (
            feats.get("VerbForm") == "Fin" and any(_same(feats, each, ("Person", "Number")) for each in copula)
        )


class PastContinuous(_Continuous):
    """*byla experimentovat* (was experimenting): gender, number and negation go to the verb, *experimentovala*."""

    name: ClassVar[str] = "past-continuous"
    order: ClassVar[int] = 10
    tense: ClassVar[str] = "the past"

    def fits(self, copula: list[Features]) -> Callable[[Features], bool]:
        """Participles of the past of the same gender and number."""
        return lambda feats: (
            _is_past(feats) and any(_is_past(each) and _same(feats, each, ("Gender", "Number")) for each in copula)
        )


class PerfectAuxiliary(_OfTense):
    """*has worked* has no auxiliary either: *má* before the participle goes, where it is linked to *has*."""

    name: ClassVar[str] = "perfect-auxiliary"
    order: ClassVar[int] = 10

    def applies(self, pair: Pair, place: int) -> list[Fix]:
        """Nothing in its place: the participle alone is the third person."""
        node = pair.nodes[place]
        readings = [each for each in node.readings if _lexeme(pair, each.lexeme) == pair.grammar.words.get("perfect")]
        if not any(each.feats.get("Person") == "3" for each in readings):
            return []
        verbs = {word.head for word in pair.source_words(place) if word.upos == "AUX" and word.deprel == "aux"}
        for other in range(place + 1, _end(pair, place)):
            participle = pair.nodes[other]
            linked = any(word.id in verbs for word in pair.source_words(other))
            if linked and participle.readings and all(_is_past(each.feats) for each in participle.readings):
                return [Fix(place, "", "no auxiliary in the past", participle.form, sure=True)]
        return []


class Tense(_OfTense):
    """A finite verb of the source in the past, or with *will*, has no translation in the other tense."""

    name: ClassVar[str] = "tense"
    order: ClassVar[int] = 10

    def applies(self, pair: Pair, place: int) -> list[Fix]:
        """Forms of the past for a present, of the future for a past; the third person alone, which has no auxiliary."""
        words = [word for word in pair.source_words(place) if word.upos == "VERB"]
        readings = pair.nodes[place].readings
        if len(words) != 1 or not pair.nodes[place].must_be({"VERB"}) or _has_auxiliary(pair, place):
            return []
        auxiliaries = [word.form.lower() for word in pair.source if word.head == words[0].id and word.upos == "AUX"]
        if not auxiliaries and words[0].features.get("Tense") == "Past" and words[0].features.get("VerbForm") == "Fin":
            is_present = all(each.feats.get("Person") == "3" for each in readings)
            return self._past(pair, place, words[0]) if is_present else []
        if auxiliaries in (["will"], ["'ll"]) and all(_is_past(each.feats) for each in readings):
            return self._future(pair, place, words[0])
        return []

    def _past(self, pair: Pair, place: int, word: Word) -> list[Fix]:
        numbers = {each.feats.get("Number") for each in pair.nodes[place].readings}
        subjects = _subjects(pair, place)

        def fits(feats: Features) -> bool:
            agrees = not subjects or any(each.agrees(feats, ("Gender", "Number")) for each in subjects)
            return _is_past(feats) and feats.get("Number") in numbers and agrees

        forms = alternatives(pair, place, pair.nodes[place].readings, fits)
        return [Fix(place, form, "Tense=Past", word.form) for form, _ in forms]

    def _future(self, pair: Pair, place: int, word: Word) -> list[Fix]:
        node, future = pair.nodes[place], pair.grammar.words.get("future", {})
        numbers = {str(each.feats.get("Number")) for each in _subjects(pair, place) or node.readings}

        def is_present(feats: Features) -> bool:  # of a perfective verb, it is the future
            return feats.get("Person") == "3" and feats.get("Number") in numbers

        forms = [form for form, _ in alternatives(pair, place, node.readings, is_present)]
        infinitives = alternatives(pair, place, node.readings, lambda feats: feats.get("VerbForm") == "Inf")
        forms += [f"{future[n]} {form.lower()}" for n in sorted(numbers & set(future)) for form, _ in infinitives]
        return [Fix(place, form, "Tense=Fut", word.form) for form in forms]


def denied_copula(pair: Pair, form: str) -> str:
    """A denied form of the copula without its negation; Czech *není* is irregular and stands in the grammar."""
    return str(pair.grammar.words.get("denied", {}).get(form.lower(), ""))


def _copula(pair: Pair, place: int) -> tuple[list[Features], bool]:
    """The readings of a form of the copula, and whether it is denied; none of another word."""
    form, readings = pair.nodes[place].form.lower(), pair.nodes[place].readings
    prefix, name = str(pair.grammar.words.get("negation", "")), pair.grammar.words.get("copula")
    if not readings:
        plain = denied_copula(pair, form) or (form.removeprefix(prefix) if prefix and form.startswith(prefix) else "")
        readings = pair.lexicon.analyses(plain)
    if not readings or any(_lexeme(pair, each.lexeme) != name for each in readings):
        return [], False
    return [each.feats for each in readings], bool(prefix) and form.startswith(prefix)


def _subjects(pair: Pair, place: int) -> list[Analysis]:
    """The readings of a verb's subject as one."""
    subjects = [n for n in pair.children(place, "nsubj") if pair.nodes[n].must_be(NOMINAL)]
    return [each for n in subjects for each in pair.nodes[n].readings if each.feats.get("Case", "Nom") == "Nom"]


def _lexeme(pair: Pair, number: int) -> str:
    """The paradigm of a lexeme that has one of its own, such as *být*."""
    return pair.lexicon.lexemes[number].name.partition("+")[2]


def _end(pair: Pair, place: int) -> int:
    return min(len(pair.nodes), place + _NEAR)


def _is_infinitive(pair: Pair, place: int) -> bool:
    readings = pair.nodes[place].readings
    return bool(readings) and all(each.feats.get("VerbForm") == "Inf" for each in readings)


def _is_continuous(word: Word) -> bool:
    return word.features.get("VerbForm") in {"Ger", "Part"}


def _is_past(feats: Features) -> bool:
    return feats.get("VerbForm") == "Part" and feats.get("Tense") == "Past"


def _same(one: Features, other: Features, names: tuple[str, ...]) -> bool:
    return all(one.get(name) == other.get(name) for name in names)


def _has_auxiliary(pair: Pair, place: int) -> bool:
    """Whether an auxiliary or another verb stands near: the form may then belong to a chain of verbs."""
    near = range(max(0, place - _NEAR + 1), _end(pair, place))
    return any(pair.nodes[n].may_be(_VERBS) or _copula(pair, n)[0] for n in near if n != place)
