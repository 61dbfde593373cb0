"""Features of dependency trees: their shape, their phrases and subjects, relations that both sides have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from dragoman.options import option
from dragoman.qe.features.base import Feature
from dragoman.qe.features.batch import Batch, least, means, most, once, shares
from dragoman.qe.features.sides import SIDES, between
from dragoman.qe.features.tags import RELATIONS, OfParses
from dragoman.qe.resources.lexicon import LexicalTable
from dragoman.qe.resources.parses import Flags, Parsed
from dragoman.stats.arrays import Floats

__all__ = ["ParseConfidence", "Phrases", "RelationMatch", "Subjects", "TreeShape"]

_FELICE = "Felice & Specia, WMT 2012, §3"


@dataclass(frozen=True)
class TreeShape(OfParses):
    """The shape of the dependency tree.

    `depth` is the number of words on the longest way from the root, `width` the most words at one depth, `leaves` the
    share of words that nothing hangs on, `distance` the mean number of words from a word to its head, `longest` the
    most, `left` the share of words that stand before their head, `crossing` the share of dependencies that another one
    crosses.
    """

    name: ClassVar[str] = "tree-shape"
    paper: ClassVar[str] = f"{_FELICE} (depth, width); the others are usual measures of trees"

    value: str = option(
        "depth",
        choices=("depth", "width", "leaves", "distance", "longest", "left", "crossing"),
        text="what of the tree",
    )

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence; 0 for an empty one."""
        return between(self.on, lambda side: _shape(batch.parses(side), self.value))


def _shape(parsed: Parsed, value: str) -> Floats:
    n = len(parsed)
    heads = parsed.tree()
    if value == "depth":
        return most(parsed.depths, parsed.sentence, n)
    if value == "width":
        deepest = int(parsed.depths.max(initial=0)) + 1
        levels = np.bincount(parsed.sentence * deepest + parsed.depths, minlength=n * deepest)
        return np.asarray(levels.reshape(n, deepest).max(axis=1, initial=0), dtype=np.float64)
    if value == "leaves":
        leaf = ~parsed.parents_of(heads >= 0)
        return shares(parsed.count(leaf), np.diff(parsed.offsets))
    bound = np.flatnonzero(heads >= 0)
    away = np.abs(heads[bound] - bound).astype(np.float64)
    line = parsed.sentence[bound]
    if value == "longest":
        return most(away, line, n)
    if value == "crossing":
        return means(_crossing(parsed, bound), line, n)
    return means(away if value == "distance" else bound < heads[bound], line, n)


def _crossing(parsed: Parsed, bound: NDArray[np.int64]) -> Flags:
    """Which dependencies another one of the sentence crosses."""
    heads = parsed.heads
    low, high = np.minimum(bound, heads[bound]), np.maximum(bound, heads[bound])
    crossed = np.zeros(len(bound), dtype=bool)
    line = parsed.sentence[bound]
    edges = np.searchsorted(line, np.arange(len(parsed) + 1))
    for first, last in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        a, b = low[first:last, np.newaxis], high[first:last, np.newaxis]
        inside = (a < low[first:last]) & (low[first:last] < b) & (b < high[first:last])
        crossed[first:last] = inside.any(axis=1) | inside.any(axis=0)
    return crossed


@dataclass(frozen=True)
class Phrases(OfParses):
    """Number of phrases, as dependencies show them.

    `np`: nouns, names and pronouns that are no part of a name or compound; `pp`: words with a preposition
    (`case`); `vp`: verbs that are no auxiliaries, and predicates with a copula.
    """

    name: ClassVar[str] = "phrases"
    paper: ClassVar[str] = f"{_FELICE} (NP, VP, PP; there from constituents)"

    kind: str = option("np", choices=("np", "pp", "vp"), text="which phrases")

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence."""

        def of(side: str) -> Floats:
            parsed = batch.parses(side)
            if self.kind == "np":
                return parsed.count(parsed.tagged("NOUN+PROPN+PRON") & ~parsed.related("flat", "compound", "fixed"))
            if self.kind == "pp":
                return parsed.count(parsed.parents_of(parsed.related("case") & parsed.tagged("ADP")))
            return parsed.count(_predicates(parsed))

        return between(self.on, of)


def _predicates(parsed: Parsed) -> Flags:
    verbs = parsed.tagged("VERB+AUX") & ~parsed.related("aux", "cop", "auxpass")
    return verbs | parsed.parents_of(parsed.related("cop"))


@dataclass(frozen=True)
class Subjects(OfParses):
    """Subjects of finite clauses: pronouns, other words, or none at all; their number, or their share of the clauses.

    A clause is a finite verb, or a predicate with a finite auxiliary or copula; its subject is what has the relation
    `nsubj`, `csubj` or `expl` to it. Where a treebank marks no verb forms, every verb is taken as finite.
    """

    name: ClassVar[str] = "subjects"
    paper: ClassVar[str] = f"{_FELICE} (explicit and implicit subjects; there from what stands before the verb)"

    kind: str = option("pronoun", choices=("pronoun", "other", "none"), text="what the subject is")
    per: str = option("", choices=("", "clause"), text="divided by the number of clauses")

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence."""

        def of(side: str) -> Floats:
            parsed = batch.parses(side)
            finite = parsed.tagged("VERB+AUX") & (parsed.having("VerbForm", "Fin") | ~parsed.having("VerbForm"))
            helped = parsed.parents_of(finite & parsed.related("aux", "cop", "auxpass"))
            clauses = _predicates(parsed) & (finite | helped)
            subject = parsed.related("nsubj", "csubj", "nsubjpass") | parsed.relations.where(
                lambda name: name == "expl"
            )
            pronoun = parsed.parents_of(subject & parsed.tagged("PRON"))
            chosen = {
                "pronoun": clauses & pronoun,
                "other": clauses & ~pronoun & parsed.parents_of(subject),
                "none": clauses & ~parsed.parents_of(subject),
            }[self.kind]
            subjects = parsed.count(chosen)
            return shares(subjects, parsed.count(clauses)) if self.per else subjects

        return between(self.on, of)


@dataclass(frozen=True)
class ParseConfidence(OfParses):
    """How sure the parser is of its tags or of its tree: mean or least probability that a word's is right.

    `log` is the mean of the natural logarithms. Parses from files say nothing of that: 1, or 0 for `log`.
    """

    name: ClassVar[str] = "parse-confidence"
    paper: ClassVar[str] = "Avramidis, WMT 2012, §3 (confidence of the parse, there of a PCFG)"

    of: str = option("tree", choices=("tree", "tags"), text="of heads, or of parts of speech")
    value: str = option("mean", choices=("mean", "worst", "log"), text="what of the words' probabilities")

    def values(self, batch: Batch) -> Floats:
        """The value of each sentence; an empty one is sure."""

        def on_side(side: str) -> Floats:
            parsed = batch.parses(side)
            confidences = parsed.tag_confidences if self.of == "tags" else parsed.arc_confidences
            p = np.ones(len(parsed.heads)) if confidences is None else confidences.astype(np.float64)
            if self.value == "worst":
                return least(p, parsed.sentence, len(batch), empty=1.0)
            mean = means(p if self.value == "mean" else np.log(np.maximum(p, 1e-6)), parsed.sentence, len(batch))
            return np.where(np.diff(parsed.offsets) > 0, mean, 0.0 if self.value == "log" else 1.0)

        return between(self.on, on_side)


@dataclass(frozen=True)
class RelationMatch(Feature):
    """Share of a side's dependencies that the other side has, too: same relation, and both words each other's.

    Words are each other's if they are the same, or if the lexical table has the pair with at least `least`.
    `nsubj(loves, John)` matches `nsubj(ama, John)` and not `obj(ama, John)`.
    """

    name: ClassVar[str] = "relation-match"
    paper: ClassVar[str] = "Mehdad et al., WMT 2012, §3 (DR)"
    needs: ClassVar[tuple[str, ...]] = ("source_parser", "target_parser", "lexicon")

    on: str = option("source", choices=SIDES, text="of which side's dependencies")
    relation: str = option("", choices=("", *RELATIONS), text="of this relation alone")
    least: float = option(0.05, low=0, high=1, text="probability from which words are translations of each other")

    def values(self, batch: Batch) -> Floats:
        """The share of each pair."""
        matched = _matched(batch, self.least)
        parsed = batch.parses(self.on)
        chosen = parsed.heads >= 0
        if self.relation:
            chosen &= parsed.related(self.relation)
        return shares(parsed.count(chosen & matched[self.on]), parsed.count(chosen))


@once
def _matched(batch: Batch, least_p: float) -> dict[str, Flags]:
    """The words of each side whose dependency the other side has, too."""
    table = batch.resources.ask("lexicon", LexicalTable)
    parsed = {side: batch.parses(side) for side in SIDES}
    tokens = {side: batch.tokens(side) for side in SIDES}
    relations = {name: place for place, name in enumerate(RELATIONS)}
    keys, edges = {}, {}
    for side in SIDES:
        label = parsed[side].relations.map(lambda name: relations.get(name.partition(":")[0], -1))
        edges[side] = np.flatnonzero((parsed[side].tree() >= 0) & (label >= 0))
        keys[side] = (parsed[side].sentence * len(RELATIONS) + label)[edges[side]]
    order = np.argsort(keys["target"], kind="stable")
    there = edges["target"][order]
    begin, end = (np.searchsorted(keys["target"][order], keys["source"], side=side) for side in ("left", "right"))
    many = end - begin
    first = np.repeat(edges["source"], many)
    second = there[np.repeat(begin, many) + np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)]
    small: dict[str, int] = {}
    folded = {
        side: np.array([small.setdefault(word.lower(), len(small)) for word in tokens[side].words], dtype=np.int64)
        for side in SIDES
    }
    ids = [tokens["source"].ids_in(table.vocabulary), tokens["target"].ids_in(table.target_vocabulary)]

    def each_other(source: NDArray[np.int64], target: NDArray[np.int64]) -> Flags:
        if not len(source):
            return np.zeros(0, dtype=bool)
        same = folded["source"][tokens["source"].ids[source]] == folded["target"][tokens["target"].ids[target]]
        p = table.probabilities(ids[0][source], ids[1][target])
        return np.asarray(same | (p >= max(least_p, 1e-12)))

    match = each_other(first, second) & each_other(parsed["source"].heads[first], parsed["target"].heads[second])
    matched = {}
    for side, places in (("source", first), ("target", second)):
        matched[side] = np.zeros(len(parsed[side].heads), dtype=bool)
        matched[side][places[match]] = True
    return matched
