"""METEOR's alignments as the comparison shows them."""

from __future__ import annotations

from dragoman.data.testset import TestSet
from dragoman.metrics import ComparisonRecipe, compare
from dragoman.metrics.meteor_alignment import WordMatch, shown_alignment, shown_gaps

HYP, REF = ["the", "dog", "barks", "loudly", "today"], ["today", "the", "dogs", "bark"]
MATCHES = [
    WordMatch("exact", (4, 5), (0, 1)),
    WordMatch("exact", (0, 1), (1, 2)),
    WordMatch("stem", (1, 2), (2, 3)),
    WordMatch("stem", (2, 3), (3, 4)),
]


def test_chunks_stand_in_brackets_and_what_is_not_written_alike_is_explained() -> None:
    shown = shown_alignment(HYP, REF, MATCHES)
    assert shown == "[the dog~dogs (stem) barks~bark (stem)] loudly [today]"
    assert shown_alignment(HYP, REF, []) == " ".join(HYP)
    assert shown_alignment([], REF, []) == ""
    assert shown_gaps(REF, MATCHES[:2]) == "dogs bark"


def test_the_comparison_shows_how_meteor_aligns_where_systems_differ_most() -> None:
    refs = ["the dogs bark today", "a man is sleeping", "same", "x y"]
    systems = {
        "a": ["today the dog barks", "a man sleeps", "same", ""],
        "b": ["the dogs bark today", "men", "same", "x y"],
    }
    comparison = compare(
        TestSet(systems=systems, refs={"A": refs}, target_lang="en"), ComparisonRecipe(metrics=("meteor:lang=en",))
    )
    [table] = comparison.segment_tables
    rows = {(row["segment"], row["system"]): row for row in table.records()}
    assert (3, "a") not in rows  # there they are equal
    assert rows[1, "b"]["alignment"] == "[the dogs bark today]"
    assert rows[1, "a"]["alignment"] == "[today] [the dog~dogs (stem) barks~bark (stem)]"
    assert rows[4, "a"] == rows[4, "a"] | {"alignment": "", "lacking": "x y"}
    assert "dog~dogs (stem)" in comparison.html()


def test_metrics_with_nothing_to_show_show_nothing() -> None:
    systems = {"a": ["a b", "c d"], "b": ["a c", "c d"]}
    test_set = TestSet(systems=systems, refs={"A": ["a b", "c d"]})
    assert compare(test_set, ComparisonRecipe(metrics=("bleu",))).segment_tables == ()
