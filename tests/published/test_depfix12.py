"""DEPFIX 2012 (Rosa, Mareček & Dušek, WMT 2012, pp. 362–368): what can be computed again from its tables."""

from __future__ import annotations

import pytest

from dragoman.stats import cohen_kappa

# Table 3, page 366: per cent of sentences, rows annotator A, columns B; better with DEPFIX, better without, indefinite.
MATRIX = ((55, 1, 11), (1, 8, 4), (3, 2, 15))
# Table 2, page 367: evaluated, improved, worsened, indefinite, and the printed percentages.
RULES = {
    "prepositional-case": (5, 3, 2, 0, (60, 40, 0)),
    "noun-number": (11, 5, 5, 1, (45, 45, 9)),
    "preposition-without-children": (6, 3, 3, 0, (50, 50, 0)),
    "by": (13, 10.5, 1, 1.5, (81, 8, 12)),
    "auxiliary-children": (6, 4.5, 0, 1.5, (75, 0, 25)),
    "relative-pronoun": (8, 6, 2, 0, (75, 25, 0)),
    "subject": (18, 13.5, 3, 1.5, (75, 17, 8)),
    "infinitive-auxiliary": (2, 1, 1, 0, (50, 50, 0)),
    "present-continuous": (7, 5.5, 1, 0.5, (79, 14, 7)),
    "subject-predicate": (10, 5.5, 1, 3.5, (55, 10, 35)),
    "subject-participle": (63, 46.5, 9.5, 7, (74, 15, 11)),
    "verb-by-source-subject": (6, 5, 0, 1, (83, 0, 17)),
    "passive-auxiliary": (8, 6, 0.5, 1.5, (75, 6, 19)),
    "preposition-noun": (62, 40, 13, 9, (65, 21, 15)),
    "of": (13, 11.5, 0, 1.5, (88, 0, 12)),
    "noun-attribute": (108, 69.5, 20, 18.5, (64, 19, 17)),
    "lone-reflexive": (7, 4, 1, 2, (57, 14, 29)),
    "vocalisation": (12, 6, 2.5, 3.5, (50, 21, 29)),
}


def test_depfix12_table_3_page_366_kappa_of_the_agreement_matrix() -> None:
    pairs = [(a, b) for a, row in enumerate(MATRIX) for b, count in enumerate(row) for _ in range(count)]
    first, second = zip(*pairs, strict=True)
    coefficient = cohen_kappa(first, second)
    assert len(pairs) == 100
    assert coefficient.value == pytest.approx(0.585, abs=0.0005)


@pytest.mark.parametrize("rule", RULES)
def test_depfix12_table_2_page_367_percentages_of_rules(rule: str) -> None:
    evaluated, *counts, printed = RULES[rule]
    assert sum(counts) == evaluated
    for count, share in zip(counts, printed, strict=True):
        assert 100 * count / evaluated == pytest.approx(share, abs=0.5)


def test_our_rules_bear_the_names_of_the_table() -> None:
    from dragoman.repair import RULES as OURS

    assert set(RULES) <= set(OURS.names())
