"""Forms of lemmas: what a treebank has, and for other words the change of ending that words like them have."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from dragoman.deep.links import lemma_of
from dragoman.text.conllu import MultiwordToken, Sentence, Word

__all__ = ["Forms", "feature_text", "learn_forms"]

_LONGEST = 4  # letters at the end of a lemma that tell how it changes


def feature_text(feats: dict[str, str]) -> str:
    """Features as CoNLL-U writes them."""
    return "|".join(f"{name}={feats[name]}" for name in sorted(feats))


@dataclass(frozen=True, eq=False)
class Forms:
    """Forms by lemma, part of speech and features; endings of lemmas that tell how others change."""

    known: dict[tuple[str, str, str], Counter[str]] = field(default_factory=dict)
    loose: dict[tuple[str, str], Counter[tuple[str, str]]] = field(default_factory=dict)  # (form, features) of a lemma
    scripts: dict[tuple[str, str, str], Counter[tuple[int, str]]] = field(default_factory=dict)
    contractions: dict[tuple[str, str], str] = field(default_factory=dict)

    def form(self, lemma: str, upos: str, feats: dict[str, str]) -> str:
        """The form of a lemma; of a word never seen so, the nearest: its change of ending, or its form in most."""
        text, key = feature_text(feats), lemma.lower()
        exact = self.known.get((key, upos, text))
        if exact:
            return exact.most_common(1)[0][0]
        near = self._nearest(key, upos, feats)
        for size in range(min(_LONGEST, len(key)), 0, -1):
            scripts = self.scripts.get((key[-size:], upos, text))
            if scripts and near[1] < len(feats):
                cut, ending = scripts.most_common(1)[0][0]
                return lemma[: len(lemma) - cut] + ending
        return near[0] or lemma

    def _nearest(self, lemma: str, upos: str, feats: dict[str, str]) -> tuple[str, int]:
        """The form of the lemma whose features are most like these, and how many are."""
        wanted = {f"{name}={value}" for name, value in feats.items()}
        best = ("", -1, 0)
        for (form, text), count in self.loose.get((lemma, upos), Counter()).items():
            has = set(text.split("|")) - {""}
            best = max(best, (form, len(wanted & has) - len(has - wanted), count), key=lambda each: each[1:])
        return best[0], best[1]

    def joined(self, forms: list[str]) -> list[str]:
        """Neighbours that the language writes as one word (Spanish de el → del), joined."""
        words: list[str] = []
        for form in forms:
            one = self.contractions.get((words[-1].lower(), form.lower())) if words else None
            if one is None:
                words.append(form)
            else:
                words[-1] = one.capitalize() if words[-1][:1].isupper() else one
        return words


def learn_forms(sentences: Iterable[Sentence]) -> Forms:
    """Count the forms of a treebank, and which neighbours are written as one."""
    forms = Forms(defaultdict(Counter), defaultdict(Counter), defaultdict(Counter), {})
    apart: Counter[tuple[str, str]] = Counter()
    together: Counter[tuple[str, str]] = Counter()
    names: dict[tuple[str, str], str] = {}
    for sentence in sentences:
        words = sentence.words
        for word in words:
            _count(forms, word)
        covered = {}
        for row in sentence.rows:
            if isinstance(row, MultiwordToken) and row.last == row.first + 1:
                key = (words[row.first - 1].form.lower(), words[row.first].form.lower())
                together[key] += 1
                names[key] = row.form.lower()
                covered[row.first] = True
        for one, other in pairwise(words):
            if one.id not in covered:
                apart[one.form.lower(), other.form.lower()] += 1
    forms.contractions.update({key: names[key] for key, n in together.items() if n > 1 and n > apart[key]})
    return forms


def _count(forms: Forms, word: Word) -> None:
    lemma, form = lemma_of(word), word.form if word.upos == "PROPN" else _lowered(word)
    text = feature_text(word.features)
    forms.known[lemma, word.upos, text][form] += 1
    forms.loose[lemma, word.upos][form, text] += 1
    low = form.lower()
    same = next((n for n, (a, b) in enumerate(zip(lemma, low, strict=False)) if a != b), min(len(lemma), len(low)))
    for size in range(1, min(_LONGEST, len(lemma)) + 1):
        if len(lemma) - same <= size:
            forms.scripts[lemma[-size:], word.upos, text][len(lemma) - same, low[same:]] += 1


def _lowered(word: Word) -> str:
    """Without the capital of a sentence's start; German nouns keep theirs."""
    is_own = word.upos in {"NOUN", "PROPN"} and word.lemma[:1].isupper()
    return word.form if is_own or not word.form.istitle() else word.form.lower()
