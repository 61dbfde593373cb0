"""Sentences from deep trees: prepositions and conjunctions from formemes, endings from agreement, articles, order.

What a node keeps is its lemma, its formeme and its grammatemes. Case comes from the formeme, gender and number of
attributes from their noun. Punctuation is lost but for the sign at the end.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from dragoman.deep.formemes import scheme_of
from dragoman.deep.forms import Forms, learn_forms
from dragoman.deep.links import LabelledTree, labelled_trees, lemma_of
from dragoman.deep.trees import DeepNode, relation_of
from dragoman.text.conllu import NOTHING, Sentence, Word

__all__ = ["Abstract", "Synthesiser", "abstract", "learn_synthesis"]

_AGREEING = frozenset({"Gender", "Number", "Case", "Animacy"})
_STOPS = frozenset(".?!")
_Small = tuple[str, str, tuple[tuple[str, str], ...]]  # a function word: lemma, part of speech, features


@dataclass(frozen=True)
class Abstract:
    """A node without its form: what synthesis may look at."""

    lemma: str
    upos: str
    formeme: str
    grammatemes: Mapping[str, str]  # features without those that formeme and agreement give
    definite: str = ""  # Def, Ind, or nothing
    is_denied: bool = False
    before: tuple[_Small, ...] = ()  # auxiliaries, particles, clitics, each side of the word
    after: tuple[_Small, ...] = ()
    parent: int = -1  # place of the parent; -1: none
    is_subject: bool = False
    is_conjunct: bool = False
    coordinator: str = ""  # the word that joins a conjunct to those before it

    @property
    def front(self) -> list[str]:
        """The words in front that the formeme names."""
        _, _, rest = self.formeme.partition(":")
        head, sign, _ = rest.rpartition("+")
        return head.split("_") if sign else []


def abstract(labelled: LabelledTree) -> list[Abstract]:
    """The nodes of a deep tree without their forms."""
    tree = labelled.tree
    return [
        _abstract(node, formeme, -1 if not node.parent else tree.places[node.parent])
        for node, formeme in zip(tree.nodes, labelled.formemes, strict=True)
    ]


def _abstract(node: DeepNode, formeme: str, parent: int) -> Abstract:
    word = node.word
    drop = {"Case"} if word.upos in {"NOUN", "PROPN", "PRON"} else set()
    if formeme.startswith("adj:"):
        drop = set(_AGREEING)
    feats = {name: value for name, value in word.features.items() if name not in drop}
    front = set(formeme.partition(":")[2].rpartition("+")[0].split("_"))
    small = [each for each in node.functions if each.form.lower() not in front and not _is_article(each)]
    small = [each for each in small if not _denies(each) and relation_of(each) not in {"cc", "punct"}]
    return Abstract(
        lemma_of(word) if word.lemma == NOTHING else "_".join(word.lemma.split()),
        word.upos,
        formeme,
        feats,
        next((each.features.get("Definite", "Def") for each in node.functions if _is_article(each)), ""),
        any(map(_denies, node.functions)),
        tuple(_small(each) for each in small if each.id < word.id),
        tuple(_small(each) for each in small if each.id > word.id),
        parent,
        relation_of(word) in {"nsubj", "csubj"},
        relation_of(word) == "conj",
        next((lemma_of(each) for each in node.functions if relation_of(each) == "cc"), ""),
    )


def _is_article(word: Word) -> bool:
    return word.upos == "DET" and word.features.get("PronType") == "Art"


def _denies(word: Word) -> bool:
    return word.features.get("Polarity") == "Neg"


def _small(word: Word) -> _Small:
    return lemma_of(word), word.upos, tuple(sorted(word.features.items()))


@dataclass(frozen=True, eq=False)
class Synthesiser:
    """Makes sentences of one language, with what its treebanks taught."""

    language: str
    forms: Forms
    articles: Mapping[str, str]  # lemma by definiteness
    negation: str
    genders: Mapping[tuple[str, str], str]  # of nouns

    def sentence(self, nodes: Sequence[Abstract], stop: str = ".") -> list[str]:
        """The words of a sentence, its sign at the end."""
        if not nodes:
            return []
        below: dict[int, list[int]] = defaultdict(list)
        for place, node in enumerate(nodes):
            below[node.parent].append(place)
        features = self._agreement(nodes, below)
        words: dict[int, list[str]] = {}
        for place in reversed(_from_the_top(below)):  # children before parents, however deep the tree
            words[place] = self._words(place, nodes, below[place], words, features[place])
        line = self.forms.joined([word for root in below[-1] for word in words[root]])
        if line and line[0][:1].islower():
            line[0] = line[0][0].upper() + line[0][1:]
        return [*line, stop] if stop else line

    def _words(
        self,
        place: int,
        nodes: Sequence[Abstract],
        children: Sequence[int],
        words: dict[int, list[str]],
        features: dict[str, str],
    ) -> list[str]:
        """The words of a subtree: its coordinator, the words in front and the article stand before all of it."""
        node = nodes[place]
        shared = node.is_conjunct and node.parent >= 0 and node.front == nodes[node.parent].front
        line = [node.coordinator] if node.coordinator else []
        line += [] if shared else node.front
        if node.definite and (article := self.articles.get(node.definite)):
            kind = {"Definite": node.definite, "PronType": "Art"}
            agreeing = {name: value for name, value in features.items() if name in _AGREEING}
            line.append(self.forms.form(article, "DET", kind | agreeing))
        for child in children:
            line += words.pop(child) if child < place else []
        if node.is_denied:
            line.append(self.negation)
        line += [self._small_form(each, features) for each in node.before]
        line.append(self.forms.form(node.lemma, node.upos, features))
        line += [self._small_form(each, features) for each in node.after]
        for child in children:
            line += words.pop(child) if child > place else []
        return line

    def _small_form(self, small: _Small, features: Mapping[str, str]) -> str:
        lemma, upos, feats = small
        values = dict(feats)
        if upos == "AUX" and "Person" in values and "Number" in features:
            values["Number"] = features["Number"]
        return self.forms.form(lemma, upos, values)

    def _agreement(self, nodes: Sequence[Abstract], below: Mapping[int, list[int]]) -> list[dict[str, str]]:
        """The features of each word, with those that formemes and other words give."""
        names = {number: case for case, number in (scheme_of(self.language).cases or {}).items()}
        features = [dict(node.grammatemes) for node in nodes]
        for node, feats in zip(nodes, features, strict=True):
            case = names.get(node.formeme.partition(":")[2].rpartition("+")[2])
            if case is not None:
                feats["Case"] = case
            elif node.formeme == "n:attr" and names and node.parent >= 0:
                feats["Case"] = features[node.parent].get("Case", "Nom")
            if node.upos == "NOUN" and (gender := self.genders.get((node.lemma.lower(), node.upos))):
                feats["Gender"] = gender
        for place, (node, feats) in enumerate(zip(nodes, features, strict=True)):
            if node.formeme in {"adj:attr", "adj:poss"} and node.parent >= 0:
                feats.update({name: value for name, value in features[node.parent].items() if name in _AGREEING})
            elif node.formeme == "adj:compl":
                subject = next((child for child in below[place] if nodes[child].is_subject), None)
                agreeing = {} if subject is None else features[subject]
                feats.update({name: agreeing[name] for name in ("Gender", "Number") if name in agreeing})
        return features


def _from_the_top(below: Mapping[int, list[int]]) -> list[int]:
    order = list(below.get(-1, []))
    for place in order:
        order += below.get(place, [])
    return order


def learn_synthesis(sentences: Iterable[Sentence], language: str) -> Synthesiser:
    """What synthesis needs to know of a language: forms, articles, negation, genders."""
    trees = list(sentences)
    articles: dict[str, Counter[str]] = defaultdict(Counter)
    denials: Counter[str] = Counter()
    genders: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for word in (word for tree in trees for word in tree.words):
        feats = word.features
        if _is_article(word):
            articles[feats.get("Definite", "Def")][lemma_of(word)] += 1
        if _denies(word) and word.upos in {"PART", "ADV"}:
            denials[word.form.lower()] += 1
        if word.upos == "NOUN" and "Gender" in feats:
            genders[lemma_of(word), word.upos][feats["Gender"]] += 1
    return Synthesiser(
        language,
        learn_forms(trees),
        {kind: _most(counts) for kind, counts in articles.items()},
        _most(denials),
        {key: _most(counts) for key, counts in genders.items()},
    )


def _most(counts: Counter[str]) -> str:
    return max(sorted(counts), key=counts.__getitem__) if counts else ""


def final_stop(sentence: Sentence) -> str:
    """The sign that ends a sentence, or none."""
    last = [word.form for word in sentence.words if word.upos == "PUNCT"][-1:]
    return last[0] if last and last[0] in _STOPS else ""


def without_forms(sentences: Sequence[Sentence], language: str) -> list[list[Abstract]]:
    """The deep trees of sentences as synthesis sees them."""
    return [abstract(each) for each in labelled_trees(sentences, language)]


def moved(nodes: Sequence[Abstract], order: Sequence[int]) -> list[Abstract]:
    """The nodes in another order, their parents' places with them."""
    places = {old: new for new, old in enumerate(order)}
    return [replace(nodes[old], parent=places.get(nodes[old].parent, -1)) for old in order]
