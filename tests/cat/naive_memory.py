"""A memory by its definition: every unit is compared with every query."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from rapidfuzz.distance import Levenshtein

from dragoman.cat.memory import MemoryUnit, Query

ALONE = ("CJK UNIFIED", "HIRAGANA", "THAI")


def naive_tokens(text: str) -> list[tuple[str, str]]:
    """Form and kind of each token of text in the alphabets of these tests."""
    cut: list[tuple[str, str]] = []
    joins = False
    for char in text:
        if char.isspace():
            joins = False
        elif "\ue000" <= char <= "\uf8ff":
            cut.append(("\ue000", "code"))
            joins = False
        elif unicodedata.category(char)[0] in "LMN":
            alone = unicodedata.name(char, "").startswith(ALONE)
            if joins and not alone:
                cut[-1] = (cut[-1][0] + char, "word")
            else:
                cut.append((char, "word"))
            joins = not alone
        else:
            cut.append((char, "mark"))
            joins = False
    return [(form.lower(), kind) for form, kind in cut]


def naive_score(query: Query, unit: MemoryUnit) -> float:
    if unit.source == query.source:
        known = None not in (query.previous, query.next)
        return 1.01 if known and (query.previous, query.next) == (unit.previous, unit.next) else 1.0
    sides = [naive_tokens(text) for text in (query.source, unit.source)]
    words = [[form for form, kind in side if kind == "word"] for side in sides]
    forms = [[form for form, _ in side] for side in sides]
    if (words[0] and words[0] == words[1]) or (not words[0] and forms[0] == forms[1]):
        return 0.99
    longer = max(map(len, forms))
    return (longer - Levenshtein.distance(*forms)) / longer


def naive_matches(query: Query, units: Sequence[MemoryUnit], most: int, threshold: float) -> list[tuple[int, float]]:
    if not naive_tokens(query.source):
        return []
    scored = sorted(((naive_score(query, unit), unit.id, unit.target) for unit in units), reverse=True)
    best: dict[str, tuple[int, float]] = {}
    for score, number, target in scored:
        if score > 0 and score >= threshold / 100:
            best.setdefault(target, (number, 100 * score))
    return list(best.values())[:most]
