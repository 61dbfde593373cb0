"""Where text breaks rules: patterns of tokens, agreement along dependencies, words that hang on the wrong ones."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dragoman.qe.checks.rules import Agreement, Attachment, Pattern, Rule
from dragoman.qe.features.batch import SideTokens
from dragoman.qe.resources.parses import Flags, Parsed, Places, values_of

__all__ = ["Hits", "find"]


@dataclass(frozen=True)
class Hits:
    """Places where a rule is broken, as places of tokens of the whole text; and how often it could have been."""

    first: Places
    last: Places
    chances: Places  # the line of each place that was looked at


def find(rule: Rule, tokens: SideTokens, parsed: Parsed | None, feature: str = "") -> Hits:
    """What breaks a rule; rules about dependencies say nothing without parses. Of an agreement a `feature` alone."""
    if isinstance(rule, Pattern):
        return _pattern(rule, tokens)
    if parsed is None:
        nothing = np.zeros(0, dtype=np.int64)
        return Hits(nothing, nothing, nothing)
    return _agreement(rule, parsed, feature) if isinstance(rule, Agreement) else _attachment(rule, parsed)


def _pattern(rule: Pattern, tokens: SideTokens) -> Hits:
    n = len(tokens.ids)
    width = len(rule.tokens)
    starts = max(0, n - width + 1)
    small, inverse = np.unique([word.lower() for word in tokens.words], return_inverse=True)
    folded = inverse[tokens.ids] if len(small) else np.zeros(0, dtype=np.int64)
    hit = tokens.sentence[:starts] == tokens.sentence[width - 1 :] if n >= width else np.zeros(0, dtype=bool)
    chances = tokens.sentence[:starts][hit]
    for shift, test in enumerate(rule.tokens):
        if test.form:
            form = re.compile(test.form, 0 if test.case else re.IGNORECASE)
            fits = np.array([form.fullmatch(word) is not None for word in tokens.words], dtype=bool)
            hit = hit & fits[tokens.ids[shift : shift + starts]] if starts else hit
        if test.same and starts:
            hit = hit & (folded[shift : shift + starts] == folded[shift + test.same : shift + test.same + starts])
    if rule.unless and starts:
        excused = tokens.by_word(lambda word: word.lower() in rule.unless).astype(bool)
        hit = hit & ~excused[tokens.ids[:starts]]
    first = np.flatnonzero(hit)
    return Hits(first, first + width - 1, chances)


def _agreement(rule: Agreement, parsed: Parsed, feature: str) -> Hits:
    heads = parsed.tree()
    coordinated = parsed.parents_of(parsed.related("conj"))
    fits = np.ones(len(heads), dtype=bool)
    if rule.heads:
        fits &= parsed.tagged(*rule.heads)
    if rule.head_forms:
        fits &= parsed.having("VerbForm", *rule.head_forms)
    if rule.head_has:
        fits &= parsed.parents_of(parsed.relations.where(lambda name: name in rule.head_has))
    own = parsed.relations.where(lambda name: name in rule.relations) & (heads >= 0) & ~coordinated
    words = np.flatnonzero(own)
    words = words[fits[heads[words]] & ~coordinated[heads[words]]]
    if rule.finite:
        words, others = _with_verbs(parsed, words)
    else:
        others = heads[words]
    wrong = np.zeros(len(words), dtype=bool)
    compared = np.zeros(len(words), dtype=bool)
    for name in rule.features:
        if feature and name != feature:
            continue
        values = _values(parsed, name)
        both = (values[words] != 0) & (values[others] != 0)
        compared |= both
        wrong |= both & ((values[words] & values[others]) == 0)
    first, last = np.minimum(words, others)[wrong], np.maximum(words, others)[wrong]
    return Hits(first, last, parsed.sentence[words[compared]])


def _with_verbs(parsed: Parsed, subjects: Places) -> tuple[Places, Places]:
    """Subjects with the finite verbs of their predicates, which may be several."""
    heads = parsed.tree()
    finite = parsed.tagged("VERB", "AUX") & (parsed.having("VerbForm", "Fin") | ~parsed.having("VerbForm"))
    helping = finite & parsed.related("aux", "cop", "auxpass") & (heads >= 0)
    direct = subjects[finite[heads[subjects]]]
    # Auxiliaries and subjects of one predicate meet.
    verbs = np.flatnonzero(helping)
    verbs = verbs[np.argsort(heads[verbs], kind="stable")]
    begin = np.searchsorted(heads[verbs], heads[subjects], side="left")
    end = np.searchsorted(heads[verbs], heads[subjects], side="right")
    many = end - begin
    place = np.repeat(begin, many) + np.arange(int(many.sum())) - np.repeat(np.cumsum(many) - many, many)
    return np.concatenate([direct, np.repeat(subjects, many)]), np.concatenate([heads[direct], verbs[place]])


def _values(parsed: Parsed, feature: str) -> NDArray[np.int64]:
    """The values of a feature as bits; 0: nothing is said."""
    bit_of: dict[str, int] = {}

    def bits(feats: str) -> int:
        return sum(1 << bit_of.setdefault(value, len(bit_of)) for value in sorted(values_of(feats, feature)))

    return parsed.feats.map(bits)


def _attachment(rule: Attachment, parsed: Parsed) -> Hits:
    heads = parsed.tree()
    words = np.flatnonzero(parsed.tagged(*rule.tags))
    right: Flags = np.zeros(len(words), dtype=bool)
    inside = heads[words] >= 0
    right[inside] = parsed.tagged(*rule.heads)[heads[words[inside]]]
    wrong = words[~right]
    return Hits(wrong, wrong, parsed.sentence[words])
