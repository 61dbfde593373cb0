"""Transfer of deep trees: lemma and formeme of each node translated on an unchanged tree.

Candidates come from linked nodes of parallel trees. Which go together is decided by a hidden tree Markov model: a
node's label is emitted by the source's and depends on its parent's; the best labels of all nodes are found from the
leaves up (Dušek et al., WMT 2012, after Žabokrtský & Popel 2009).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from dragoman.deep.context import ContextModels, Example, context_of, learn_context
from dragoman.deep.links import Links, labelled_trees, link_words, linked_nodes
from dragoman.deep.roundtrip import bleu_of, written
from dragoman.deep.synthesis import Abstract, Synthesiser, abstract, final_stop, learn_synthesis, moved, without_forms
from dragoman.errors import DataError, UnknownName
from dragoman.report import Column, Result, Table
from dragoman.text.conllu import Sentence

__all__ = ["DICTIONARIES", "TransferModel", "TransferredTrees", "learn_transfer"]

DICTIONARIES = ("maxent", "counts")
NO_MODELS = ContextModels({})
_CANDIDATES = 4  # lemmas and formemes of a node, each
_CONTEXT = 0.5  # weight of the models of the context beside counts
_UNSEEN = 1e-4
_SURE_SIDE = 0.6  # share of a formeme's nodes that stand on one side of their parents, to be put there
_COPIED = ("Number",)  # grammatemes that go over as they are

Lexeme = tuple[str, str]  # lemma and part of speech
Manner = tuple[tuple[tuple[str, str], ...], tuple[Any, ...], tuple[Any, ...]]  # of a verb: features, function words
Label = tuple[Lexeme, str]


@dataclass(frozen=True)
class TransferredTrees(Result):
    """Translations of deep trees."""

    kind: ClassVar[str] = "transferred trees"

    lines: tuple[str, ...]
    references: tuple[str, ...] | None
    bleu: float | None
    bleu_of_words: float | None
    known: float  # nodes whose lemma the dictionary has, in per cent

    def answer(self) -> str:
        """How far the dictionary goes, and BLEU."""
        start = f"The dictionary has {self.known:.1f} % of the nodes' lemmas"
        return (
            f"{start}."
            if self.bleu is None
            else f"{start}; BLEU {self.bleu:.2f}, {self.bleu_of_words:.2f} without punctuation."
        )

    def tables(self) -> list[Table]:
        """Line by line."""
        references: Sequence[str | None] = self.references or [None] * len(self.lines)
        columns = [Column("line"), Column("translation", is_text=True), Column("reference", is_text=True)]
        rows = [(n, a, b) for n, (a, b) in enumerate(zip(self.lines, references, strict=True), start=1)]
        return [Table.of("Transfer", columns, rows)]

    def meta(self) -> dict[str, Any]:
        """Figures."""
        return {"bleu": self.bleu, "bleu_of_words": self.bleu_of_words, "known": self.known, "lines": len(self.lines)}


@dataclass(frozen=True, eq=False)
class TransferModel:
    """What parallel trees taught: dictionaries, a model of trees, sides, and the synthesis of the target language."""

    languages: tuple[str, str]
    lexemes: Mapping[Lexeme, Counter[Lexeme]]
    formemes: Mapping[str, Counter[str]]
    manners: Mapping[Hashable, Counter[Manner]]  # of verbs, by the source's and the formeme
    definite: Mapping[Hashable, Counter[str]]
    below: Mapping[str, Counter[str]]  # formemes by the parent's part of speech
    sides: Mapping[tuple[str, str], tuple[int, int]]  # of a formeme below a part of speech: left, right
    synthesiser: Synthesiser
    lexeme_models: ContextModels = NO_MODELS
    formeme_models: ContextModels = NO_MODELS

    def translate(self, trees: Sequence[Sentence], references: Sequence[Sentence] | None = None) -> TransferredTrees:
        """Sentences of the target language; with references, BLEU."""
        if references is not None and len(references) != len(trees):
            raise DataError(f"Trees and references must be as many, got trees={len(trees)}, refs={len(references)}.")
        if not trees:
            raise DataError("There is no tree to transfer.")
        deep = without_forms(trees, self.languages[0])
        made = [
            self.synthesiser.sentence(self.transfer(nodes), final_stop(tree))
            for nodes, tree in zip(deep, trees, strict=True)
        ]
        every = [node for nodes in deep for node in nodes]
        known = 100 * sum(_lexeme(node) in self.lexemes for node in every) / max(1, len(every))
        lines = tuple(map(" ".join, made))
        if references is None:
            return TransferredTrees(lines, None, None, None, known)
        texts = [written(sentence) for sentence in references]
        return TransferredTrees(lines, tuple(map(" ".join, texts)), *bleu_of(made, texts), known)

    def transfer(self, nodes: Sequence[Abstract]) -> list[Abstract]:
        """The nodes of a tree in the target language, in its order."""
        labels = self._best_labels(nodes)
        targets = [self._target(node, label) for node, label in zip(nodes, labels, strict=True)]
        return moved(targets, self._order(targets))

    def _best_labels(self, nodes: Sequence[Abstract]) -> list[Label]:
        """Viterbi over the tree: the best labels below each label of a node, from the leaves up."""
        options = [self._options(nodes, place) for place in range(len(nodes))]
        best: list[dict[Label, float]] = [dict(each) for each in options]
        choice: list[dict[str, Label]] = [{} for _ in nodes]
        depth = _depths(nodes)
        for place in sorted(range(len(nodes)), key=lambda n: -depth[n]):
            parent = nodes[place].parent
            if parent < 0:
                continue
            for upos in {label[0][1] for label, _ in options[parent]}:
                label = max(best[place], key=lambda each: best[place][each] + self._transition(upos, each[1]))
                choice[place][upos] = label
                gain = best[place][label] + self._transition(upos, label[1])
                for other in best[parent]:
                    best[parent][other] += gain if other[0][1] == upos else 0.0
        labels: list[Label] = [((("", ""), ""))] * len(nodes)
        for place in sorted(range(len(nodes)), key=depth.__getitem__):
            parent = nodes[place].parent
            if parent < 0:
                labels[place] = max(best[place], key=best[place].__getitem__)
            else:
                labels[place] = choice[place][labels[parent][0][1]]
        return labels

    def _options(self, nodes: Sequence[Abstract], place: int) -> list[tuple[Label, float]]:
        """Labels of a node with log p; a lemma that the dictionary lacks is itself."""
        node, context = nodes[place], context_of(nodes, place)
        lexeme = _lexeme(node)
        lexeme_p, formeme_p = (
            self.lexeme_models.shares(lexeme, context),
            self.formeme_models.shares(node.formeme, context),
        )
        lexemes = _shares(self.lexemes.get(lexeme), (node.lemma, node.upos), lexeme_p)
        formemes = _shares(self.formemes.get(node.formeme), _plain(node.formeme), formeme_p)
        return [
            ((word, formeme), math.log(p) + math.log(q) + (0.0 if _fits(word[1], formeme) else math.log(_UNSEEN)))
            for word, p in lexemes
            for formeme, q in formemes
        ]

    def _transition(self, upos: str, formeme: str) -> float:
        counts = self.below.get(upos)
        share = counts[formeme] / counts.total() if counts else 0.0
        return math.log(share + _UNSEEN)

    def _target(self, node: Abstract, label: Label) -> Abstract:
        (lemma, upos), formeme = label
        kept = {name: node.grammatemes[name] for name in _COPIED if name in node.grammatemes}
        target = replace(node, lemma=lemma, upos=upos, formeme=formeme, grammatemes=kept, before=(), after=())
        if formeme.startswith("v:"):
            manners = self.manners.get((_manner(node), formeme)) or self.manners.get(formeme)
            if manners:
                feats, before, after = manners.most_common(1)[0][0]
                target = replace(target, grammatemes=dict(feats), before=before, after=after)
        elif formeme.startswith("n:"):
            counts = self.definite.get((node.definite, formeme)) or self.definite.get(node.definite)
            target = replace(target, definite=counts.most_common(1)[0][0] if counts else node.definite)
        if node.coordinator:
            words = self.lexemes.get((node.coordinator, "CCONJ"))
            target = replace(target, coordinator=words.most_common(1)[0][0][0] if words else node.coordinator)
        return target

    def _order(self, nodes: Sequence[Abstract]) -> list[int]:
        """Places in the target language's order: formemes that mostly stand on one side of their parent go there."""
        below: dict[int, list[int]] = defaultdict(list)
        for place, node in enumerate(nodes):
            below[node.parent].append(place)
        order: list[int] = []
        waiting: list[tuple[int, bool]] = [(place, False) for place in reversed(below[-1])]
        while waiting:
            place, is_word = waiting.pop()
            if is_word:
                order.append(place)
                continue
            left = [child for child in below[place] if self._is_left(nodes, child, place)]
            right = [child for child in below[place] if child not in left]
            parts = [*((n, False) for n in left), (place, True), *((n, False) for n in right)]
            waiting += reversed(parts)
        return order

    def _is_left(self, nodes: Sequence[Abstract], child: int, place: int) -> bool:
        left, right = self.sides.get((nodes[child].formeme, nodes[place].upos), (0, 0))
        if left + right and max(left, right) / (left + right) >= _SURE_SIDE:
            return left > right
        return child < place


def learn_transfer(
    first: Sequence[Sentence],
    second: Sequence[Sentence],
    languages: tuple[str, str],
    *,
    more: Sequence[Sentence] = (),
    links: Links | None = None,
    dictionary: str = "maxent",
    method: str = "sampler",
    seed: int = 1,
    n_threads: int = 1,
) -> TransferModel:
    """Learn from parallel trees; `more` trees of the target language teach forms, sides and trees.

    `dictionary` is one of `DICTIONARIES`: shares of counts, or these mixed with maximum-entropy models of the context.
    """
    if dictionary not in DICTIONARIES:
        raise UnknownName(f"There is no dictionary {dictionary!r}. Known: {', '.join(DICTIONARIES)}.")
    if links is None:
        links = link_words(first, second, method=method, seed=seed, n_threads=n_threads)
    here, there = labelled_trees(first, languages[0]), labelled_trees(second, languages[1])
    sources, targets = [abstract(each) for each in here], [abstract(each) for each in there]
    lexemes: dict[Lexeme, Counter[Lexeme]] = defaultdict(Counter)
    formemes: dict[str, Counter[str]] = defaultdict(Counter)
    manners: dict[Hashable, Counter[Manner]] = defaultdict(Counter)
    definite: dict[Hashable, Counter[str]] = defaultdict(Counter)
    words: list[Example] = []
    uses: list[Example] = []
    for n, a, b in linked_nodes(here, there, links):
        source, target = sources[n][a], targets[n][b]
        if dictionary == "maxent":
            context = context_of(sources[n], a)
            words.append(Example(_lexeme(source), context, (target.lemma, target.upos)))
            uses.append(Example(source.formeme, context, target.formeme))
        lexemes[_lexeme(source)][target.lemma, target.upos] += 1
        formemes[source.formeme][target.formeme] += 1
        if target.formeme.startswith("v:"):
            for key in ((_manner(source), target.formeme), target.formeme):
                manners[key][_manner(target)] += 1
        elif target.formeme.startswith("n:"):
            for kind in ((source.definite, target.formeme), source.definite):
                definite[kind][target.definite] += 1
    for arcs, one, other in zip(links, first, second, strict=True):
        for a, b in arcs:  # coordinators are no nodes, but they are translated, too
            if one.words[a].upos == other.words[b].upos == "CCONJ":
                lexemes[one.words[a].form.lower(), "CCONJ"][other.words[b].form.lower(), "CCONJ"] += 1
    below, sides = _tree_model([*targets, *without_forms(more, languages[1])])
    synthesiser = learn_synthesis([*second, *more], languages[1])
    models = learn_context(words, seed=seed), learn_context(uses, seed=seed)
    return TransferModel(languages, lexemes, formemes, manners, definite, below, sides, synthesiser, *models)


def _tree_model(
    trees: Sequence[Sequence[Abstract]],
) -> tuple[dict[str, Counter[str]], dict[tuple[str, str], tuple[int, int]]]:
    below: dict[str, Counter[str]] = defaultdict(Counter)
    sides: dict[tuple[str, str], tuple[int, int]] = {}
    for nodes in trees:
        for place, node in enumerate(nodes):
            if node.parent >= 0:
                upos = nodes[node.parent].upos
                below[upos][node.formeme] += 1
                left, right = sides.get((node.formeme, upos), (0, 0))
                is_left = place < node.parent
                sides[node.formeme, upos] = (left + is_left, right + (not is_left))
    return below, sides


def _lexeme(node: Abstract) -> Lexeme:
    return node.lemma.lower(), node.upos


def _manner(node: Abstract) -> Manner:
    return tuple(sorted(node.grammatemes.items())), node.before, node.after


def _plain(formeme: str) -> str:
    """A formeme without the words in front, which are the source language's."""
    kind, sign, rest = formeme.partition(":")
    return f"{kind}{sign}{rest.rpartition('+')[2]}"


def _shares(counts: Counter[Any] | None, otherwise: Any, in_context: Mapping[Any, float]) -> list[tuple[Any, float]]:
    """The likeliest candidates with their shares: of counts, and half of them the context's where it has a model."""
    if not counts:
        return [(otherwise, 1.0)]
    total = counts.total()
    shares = {value: n / total for value, n in counts.items()}
    if in_context:
        shares = {value: (1 - _CONTEXT) * p + _CONTEXT * in_context.get(value, 0.0) for value, p in shares.items()}
    return sorted(shares.items(), key=lambda each: -each[1])[:_CANDIDATES]


def _fits(upos: str, formeme: str) -> bool:
    """Whether a formeme is one of such words at all."""
    kind = formeme.partition(":")[0]
    if kind == "v":
        return upos in {"VERB", "AUX"}
    return upos not in {"VERB", "AUX"} and (kind != "adv" or upos not in {"NOUN", "PROPN"})


def _depths(nodes: Sequence[Abstract]) -> list[int]:
    depths = [-1] * len(nodes)
    for start in range(len(nodes)):
        path = []
        place = start
        while place >= 0 and depths[place] < 0:
            path.append(place)
            place = nodes[place].parent
        depth = depths[place] if place >= 0 else -1
        for each in reversed(path):
            depth += 1
            depths[each] = depth
    return depths
