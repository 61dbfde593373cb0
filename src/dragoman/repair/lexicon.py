"""Which forms belong together: the analyses of a form, and the other forms of its lexeme.

Words of an annotated text (CoNLL-U) are known by what it says. Other words are cut by the grammar's paradigms; which
cuts are right is told by plain text: a stem with a paradigm is believed in as far as the text has its forms.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from dragoman.errors import ModelError
from dragoman.repair.grammar import Features, Grammar, Paradigm
from dragoman.syntax.inflection import InflectionRecipe, Inflector, Slot
from dragoman.text.conllu import NOTHING, Sentence

__all__ = ["Analysis", "Lexeme", "Lexicon", "learn_lexicon"]

_SHARE = 0.75  # of the best lexeme's evidence that another must have to count for the same form
_MISSING = 1.0  # weight of forms that a text of this size should have and has not
_SHORTEST = 2  # letters of a stem
_USUAL, _OFTEN = 40, 5  # sets of features that a kind of word is inflected to, and lexemes that must have them
_MARGIN = 1.0  # by which the way to inflect must be ahead of the next
_INFLECTED = frozenset({"NOUN", "ADJ", "VERB"})
_OPEN = frozenset({"NOUN", "ADJ", "VERB", "AUX", "DET", "PROPN", "NUM"})


@dataclass(frozen=True)
class Analysis:
    """One reading of a form: the lexeme it is a form of, and which."""

    lexeme: int
    upos: str
    feats: Features

    def agrees(self, other: Features, names: Iterable[str]) -> bool:
        """Whether features of these names have equal values, where both have one."""
        return all(self.feats.get(name, value) == value for name in names if (value := other.get(name)) is not None)


@dataclass(frozen=True)
class Lexeme:
    """A word with its forms: `(form, features)`."""

    name: str
    upos: str
    forms: tuple[tuple[str, Features], ...]


@dataclass(frozen=True, eq=False)
class Lexicon:
    """Lexemes, and how often text has each form. Forms are in lower case."""

    lexemes: tuple[Lexeme, ...]
    counts: Mapping[str, int]

    @cached_property
    def _readings(self) -> dict[str, tuple[Analysis, ...]]:
        readings: dict[str, list[Analysis]] = defaultdict(list)
        for number, lexeme in enumerate(self.lexemes):
            for form, feats in lexeme.forms:
                readings[form].append(Analysis(number, lexeme.upos, feats))
        return {form: tuple(each) for form, each in readings.items()}

    def analyses(self, form: str) -> tuple[Analysis, ...]:
        """The readings of a form; none for a word that is not known."""
        return self._readings.get(form.lower(), ())

    def others(self, analysis: Analysis) -> tuple[tuple[str, Features], ...]:
        """All forms of the lexeme of a reading, itself among them."""
        return self.lexemes[analysis.lexeme].forms

    def name(self, analysis: Analysis) -> str:
        """The lexeme of a reading, by its name."""
        return self.lexemes[analysis.lexeme].name

    def write(self, path: Path) -> None:
        """One lexeme a line, the counts of forms first."""
        with path.open("w", encoding="utf-8") as stream:
            stream.write(json.dumps(dict(self.counts), ensure_ascii=False) + "\n")
            for each in self.lexemes:
                forms = [[form, "|".join(f"{a}={b}" for a, b in feats.items())] for form, feats in each.forms]
                stream.write(json.dumps([each.name, each.upos, forms], ensure_ascii=False) + "\n")

    @classmethod
    def read(cls, path: Path) -> Lexicon:
        """What `write` wrote."""
        first, *lines = path.read_text(encoding="utf-8").splitlines()
        lexemes = []
        for line in lines:
            name, upos, forms = json.loads(line)
            if not all(isinstance(text, str) for text in (name, upos, *(cell for row in forms for cell in row))):
                raise ModelError(f"{path} has a lexeme that is no text: {line[:60]!r}. Train the repairer again.")
            lexemes.append(Lexeme(name, upos, tuple((form, _features(feats)) for form, feats in forms)))
        counts = json.loads(first)
        if not isinstance(counts, dict) or not all(isinstance(n, int) for n in counts.values()):
            raise ModelError(f"{path} does not begin with the counts of forms. Train the repairer again.")
        return cls(tuple(lexemes), counts)


@lru_cache(maxsize=4096)
def _features(text: str) -> Features:
    return dict(pair.split("=", 1) for pair in text.split("|") if pair)


def learn_lexicon(grammar: Grammar, token_lines: Iterable[Sequence[str]], treebank: Iterable[Sentence] = ()) -> Lexicon:
    """Lexemes from plain text by the grammar's paradigms, and from annotated text if there is any."""
    counts = Counter(token.lower() for tokens in token_lines for token in tokens if token.isalpha())
    for word in {*grammar.base_prepositions, *grammar.words.get("uninflected", ())}:
        counts.pop(word, None)
    annotated = _annotated(grammar, treebank)
    counts.update({form: n for form, n in annotated.counts.items() if form not in counts})
    candidates = _candidates(grammar, counts)
    best: dict[str, float] = {}
    for lexeme, evidence in candidates:
        for form in {form for form, _ in lexeme.forms}:
            if form in counts and evidence > best.get(form, 0.0):
                best[form] = evidence
    lexemes = list(annotated.lexemes)
    for lexeme, evidence in candidates:
        # A lexeme counts if it is among the best for one of its frequent forms; it then reads only such forms.
        kept = tuple(
            (form, feats) for form, feats in lexeme.forms if form not in best or evidence >= _SHARE * best[form]
        )
        if any(form in counts for form, _ in kept):
            lexemes.append(Lexeme(lexeme.name, lexeme.upos, kept))
    return Lexicon(tuple(lexemes), dict(counts))


@dataclass(frozen=True)
class _Annotated:
    lexemes: tuple[Lexeme, ...]
    counts: Mapping[str, int]


def _annotated(grammar: Grammar, treebank: Iterable[Sentence]) -> _Annotated:
    forms: dict[tuple[str, str, str], dict[tuple[str, str], None]] = defaultdict(dict)
    counts: Counter[str] = Counter()
    sentences = list(treebank)
    for word in (word for sentence in sentences for word in sentence.words):
        feats = grammar.features(word.features)
        # The prefix of negation is a rule's.
        if word.lemma == NOTHING or word.upos not in _OPEN or feats.get("Polarity") == "Neg" or not word.form.isalpha():
            continue
        gender = feats.get("Gender", "") if word.upos in {"NOUN", "PROPN"} else ""
        text = "|".join(f"{name}={value}" for name, value in sorted(word.features.items()))
        forms[word.lemma, word.upos, gender][word.form.lower(), text] = None
        counts[word.form.lower()] += 1
    if counts:
        _inflect(forms, InflectionRecipe(runs=1, least=1).train(sentences))
    lexemes = tuple(
        Lexeme(lemma, upos, tuple((form, grammar.features(_features(text))) for form, text in each))
        for (lemma, upos, _), each in forms.items()
    )
    return _Annotated(lexemes, counts)


def _inflect(forms: dict[tuple[str, str, str], dict[tuple[str, str], None]], inflector: Inflector) -> None:
    """Complete lexemes by forms that the treebank lacks, with features that others of their kind have often."""
    often: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for (_, upos, gender), each in forms.items():
        often[upos, gender].update({text for _, text in each})
    slots, owners = [], []
    for key, each in forms.items():
        seen = {text for _, text in each}
        usual = [text for text, n in often[key[1:]].most_common(_USUAL) if n >= _OFTEN and text not in seen]
        slots += [Slot(key[0], key[1], text or NOTHING) for text in usual if key[1] in _INFLECTED]
        owners += [key for _ in usual if key[1] in _INFLECTED]
    for key, slot, form in zip(owners, slots, inflector.inflect(slots, least_margin=_MARGIN), strict=True):
        if form.by != "left":
            forms[key][form.form.lower(), "" if slot.feats == NOTHING else slot.feats] = None


def _candidates(grammar: Grammar, counts: Mapping[str, int]) -> list[tuple[Lexeme, float]]:
    """Stems with paradigms and how far the text speaks for each."""
    found = []
    for paradigm in grammar.paradigms:
        endings = list(dict.fromkeys(ending for ending, _ in paradigm.endings))
        rows = []
        usual: Counter[str] = Counter()
        for stem in dict.fromkeys(paradigm.only) if paradigm.only else _stems(paradigm, counts):
            forms = {ending: grammar.form(stem, ending) for ending in endings}
            seen = [ending for ending in endings if forms[ending] in counts]
            if len({forms[ending] for ending in seen}) > 1 or (
                seen and paradigm.only
            ):  # one form tells nothing of the others
                rows.append((stem, forms, seen))
                usual.update(seen)
        for stem, forms, seen in rows:
            times = [counts[form] for form in {forms[ending] for ending in seen}]
            # Captions have no second person: what hardly any stem of the paradigm has is not missed.
            missed = sum(usual[ending] for ending in endings if forms[ending] not in counts) / len(rows)
            evidence = sum(map(math.log1p, times)) - _MISSING * missed * math.log1p(sum(times))
            if paradigm.only or evidence > 0:
                lexeme = Lexeme(
                    f"{stem}+{paradigm.name}",
                    paradigm.upos,
                    tuple((forms[ending], dict(feats)) for ending, feats in paradigm.endings),
                )
                found.append((lexeme, math.inf if paradigm.only else evidence))
    return found


def _stems(paradigm: Paradigm, counts: Mapping[str, int]) -> dict[str, None]:
    stems: dict[str, None] = {}
    for word in counts:
        for ending in paradigm.plain:
            stem = word if ending == "0" else word.removesuffix(ending) if word.endswith(ending) else ""
            if len(stem) >= _SHORTEST:
                stems[stem] = None
    return stems
