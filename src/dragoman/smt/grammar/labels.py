"""What spans of a parsed sentence are called: the non-terminals of labelled grammars.

A labeller says of one parse which spans have a label. It does not know the other side, rules or counts; what may be a
rule or a gap besides is decided where labels are used. `X` is the label of a span that has none.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from dragoman.errors import DataError
from dragoman.options import option
from dragoman.registry import Registry
from dragoman.smt.grammar.parses import LineParse
from dragoman.smt.grammar.span_trees import SpanTree, constituent_spans, heads_of, projected_spans
from dragoman.text.conllu import NOTHING, Sentence, Word
from dragoman.text.trees import Tree

__all__ = ["DEFAULT", "LABELLERS", "Constituents", "HeadTags", "Labeller", "Samt", "Spans", "label_by_parts"]

DEFAULT = "X"

Spans = Mapping[tuple[int, int], str]  # labels by first word and the word behind the last, from 0

LABELLERS: Registry[Labeller] = Registry(
    "span labeller",
    {
        "ccg": "dragoman.smt.grammar.ccg_labels:ChartCategories",
        "ccg-best": "dragoman.smt.grammar.ccg_labels:DerivationCategories",
        "constituents": "dragoman.smt.grammar.labels:Constituents",
        "heads": "dragoman.smt.grammar.labels:HeadTags",
        "samt": "dragoman.smt.grammar.labels:Samt",
    },
)


class Labeller(ABC):
    """Names spans of a parse."""

    side: ClassVar[str]  # whose parse its paper labels rules by: source or target

    def learn(self, parses: Sequence[LineParse]) -> Labeller:  # noqa: ARG002
        """The labeller that knows what the parses of a whole text tell it; itself, if it looks at one alone."""
        return self

    @abstractmethod
    def spans(self, parse: LineParse, longest: int) -> Spans:
        """The labelled spans of at most `longest` words; none without a parse."""


@dataclass(frozen=True)
class Constituents(Labeller):
    """The label of the constituent that is the span, the topmost of several; dependencies are made constituents."""

    side: ClassVar[str] = "target"

    def spans(self, parse: LineParse, longest: int) -> Spans:
        """The constituents of at most `longest` words."""
        labels = topmost_labels(parse)
        return {span: label for span, label in labels.items() if span[1] - span[0] <= longest}


@dataclass(frozen=True)
class Samt(Labeller):
    r"""Labels of syntax-augmented translation (Zollmann & Venugopal 2006).

    The first of: a constituent A; two adjacent ones, A+B; A/B, an A that lacks a B at its right; A\B, an A that lacks a
    B at its left; three adjacent ones, A+B+C. Of several, the smallest A and the leftmost cut.
    """

    side: ClassVar[str] = "target"

    def spans(self, parse: LineParse, longest: int) -> Spans:
        """The spans of at most `longest` words that have such a label."""
        labels = topmost_labels(parse)
        n_words = max((end for _, end in labels), default=0)
        ends: list[list[int]] = [[] for _ in range(n_words + 1)]  # of constituents that begin at a word
        begins: list[list[int]] = [[] for _ in range(n_words + 1)]  # of constituents that end behind a word
        for begin, end in sorted(labels):
            ends[begin].append(end)
            begins[end].append(begin)
        for each in begins:
            each.reverse()
        chosen = {}
        for begin in range(n_words):
            for end in range(begin + 1, min(n_words, begin + longest) + 1):
                label = labels.get((begin, end)) or _of_parts(labels, ends, begins, begin, end)
                if label:
                    chosen[begin, end] = label
        return chosen


def _of_parts(
    labels: Spans, ends: Sequence[Sequence[int]], begins: Sequence[Sequence[int]], begin: int, end: int
) -> str | None:
    for cut in ends[begin]:
        if cut < end and (cut, end) in labels:
            return f"{labels[begin, cut]}+{labels[cut, end]}"
    for more in ends[begin]:
        if more > end and (end, more) in labels:
            return f"{labels[begin, more]}/{labels[end, more]}"
    for less in begins[end]:
        if less < begin and (less, begin) in labels:
            return f"{labels[less, end]}\\{labels[less, begin]}"
    for cut in ends[begin]:
        if cut >= end:
            break
        for second in ends[cut]:
            if second < end and (second, end) in labels:
                return f"{labels[begin, cut]}+{labels[cut, second]}+{labels[second, end]}"
    return None


@dataclass(frozen=True)
class HeadTags(Labeller):
    """The parts of speech of the span's heads, the words whose governors stand outside of it (Li et al. 2012).

    Or their relations to these governors, or both: `NOUN:nsubj`.
    """

    side: ClassVar[str] = "source"

    tags: str = option(
        "xpos", choices=("upos", "xpos", "deprel", "both"), text="what heads are called by; upos where there is no xpos"
    )
    most: int = option(4, low=1, high=20, text="a span with more heads has no label")

    def spans(self, parse: LineParse, longest: int) -> Spans:
        """Every span of at most `longest` words that has few enough heads."""
        if parse is None:
            return {}
        parse = dependencies(parse, "Labels of heads")
        heads = heads_of(parse)
        tags = [label_name(self._tag(word)) for word in parse.words]
        chosen = {}
        for begin in range(len(heads)):
            for end in range(begin + 1, min(len(heads), begin + longest) + 1):
                tops = [tags[word] for word in range(begin, end) if not begin <= heads[word] < end]
                if len(tops) <= self.most:
                    chosen[begin, end] = "-".join(tops)
        return chosen

    def _tag(self, word: Word) -> str:
        relation = word.deprel.partition(":")[0]
        if self.tags == "deprel":
            return relation
        tag = word.upos if self.tags == "upos" or word.xpos == NOTHING else word.xpos
        return f"{tag}:{relation}" if self.tags == "both" else tag


def label_by_parts(labels: Spans, begin: int, end: int) -> list[str]:
    """The labels that cover a span from left to right, each as far as it reaches (Mehay & Brew 2012).

    None of them if a stretch cannot be covered.
    """
    if (begin, end) in labels:
        return [labels[begin, end]]
    for cut in range(end - 1, begin, -1):
        if (begin, cut) in labels:
            rest = label_by_parts(labels, cut, end)
            return [labels[begin, cut], *rest] if rest else []
    return []


def topmost_labels(parse: LineParse) -> dict[tuple[int, int], str]:
    """The labels of constituents; of those over the same words the outermost."""
    tree = spans_of_parse(parse)
    labels: dict[tuple[int, int], str] = {}
    for label, begin, end in zip(tree.labels, tree.begins, tree.ends, strict=True):
        labels.setdefault((begin, end), label_name(label))
    return labels


def spans_of_parse(parse: LineParse) -> SpanTree:
    """Constituents as they are, or made from dependencies."""
    if parse is None:
        return SpanTree((), (), (), ())
    return projected_spans(parse) if isinstance(parse, Sentence) else constituent_spans(parse)


def dependencies(parse: Sentence | Tree, what: str) -> Sentence:
    """The parse, if it is of dependencies."""
    if isinstance(parse, Tree):
        raise DataError(f"{what} need dependencies, found a tree of constituents. Give parses in CoNLL-U.")
    return parse


def label_name(label: str) -> str:
    """The label as rule tables can write it, where square brackets and `|||` mean something."""
    return label.translate(_WRITABLE) or DEFAULT


_WRITABLE = str.maketrans({"[": "{", "]": "}", "|": "!", " ": "_", "\t": "_"})
