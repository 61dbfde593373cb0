"""Forms of lemmas: what a treebank has, what is learnt of inflection for other words, and words written as one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from dragoman.deep.links import lemma_of
from dragoman.syntax.inflection import InflectionRecipe, Inflector, Slot
from dragoman.text.conllu import NOTHING, MultiwordToken, Sentence, Word

__all__ = ["Forms", "learn_forms"]

_OPEN = frozenset({"ADJ", "NOUN", "VERB"})  # words of other kinds are not inflected as their likes are


@dataclass(frozen=True, eq=False)
class Forms:
    """Forms of lemmas, known and inflected."""

    known: Mapping[tuple[str, str], Counter[tuple[str, str]]]  # (form, features) of a lemma in lower case
    inflector: Inflector
    contractions: Mapping[tuple[str, str], str]

    def form(self, lemma: str, upos: str, feats: Mapping[str, str]) -> str:
        """The form of a lemma: the treebank's, else an inflected one, else the known one that is most like it."""
        wanted = {f"{name}={value}" for name, value in feats.items()}
        best, likeness = "", (-1, 0)
        for (form, text), count in self.known.get((lemma.lower(), upos), Counter()).items():
            has = set(text.split("|")) - {NOTHING}
            alike = (len(wanted & has) - len(has - wanted), count)
            best, likeness = (form, alike) if alike > likeness else (best, likeness)
        if best and (likeness[0] == len(wanted) or upos not in _OPEN):
            return best
        slot = Slot(lemma, upos, "|".join(sorted(wanted)) or NOTHING)
        (inflected,) = self.inflector.inflect([slot])
        return inflected.form if inflected.by != "left" and slot.tag in self.inflector.tags else best or lemma

    def joined(self, forms: Sequence[str]) -> list[str]:
        """Neighbours that the language writes as one word (Spanish de el → del), joined."""
        words: list[str] = []
        for form in forms:
            one = self.contractions.get((words[-1].lower(), form.lower())) if words else None
            if one is None:
                words.append(form)
            else:
                words[-1] = one.capitalize() if words[-1][:1].isupper() else one
        return words


def learn_forms(sentences: Sequence[Sentence]) -> Forms:
    """Forms and inflection of a treebank, and which neighbours it writes as one."""
    known: dict[tuple[str, str], Counter[tuple[str, str]]] = defaultdict(Counter)
    apart: Counter[tuple[str, str]] = Counter()
    together: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for sentence in sentences:
        words = sentence.words
        for word in words:
            known[lemma_of(word), word.upos][_lowered(word), word.feats] += 1
        firsts = set()
        for row in sentence.rows:
            if isinstance(row, MultiwordToken) and row.last == row.first + 1:
                together[_pair(words[row.first - 1], words[row.first])][row.form.lower()] += 1
                firsts.add(row.first)
        apart.update(_pair(one, other) for one, other in pairwise(words) if one.id not in firsts)
    contractions = {
        pair: counts.most_common(1)[0][0]
        for pair, counts in together.items()
        if counts.total() > 1 and counts.total() > apart[pair]
    }
    return Forms(known, InflectionRecipe(least=1, runs=1).train(sentences), contractions)


def _pair(one: Word, other: Word) -> tuple[str, str]:
    return one.form.lower(), other.form.lower()


def _lowered(word: Word) -> str:
    """Without the capital of a sentence's start; names and German nouns keep theirs."""
    is_own = word.upos == "PROPN" or (word.upos == "NOUN" and word.lemma[:1].isupper())
    return word.form if is_own or not word.form.istitle() else word.form.lower()
