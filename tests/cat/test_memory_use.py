"""What is made of matches: codes, edits, repair, fragments."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dragoman.cat.memory import Match, MemoryIndex, MemoryUnit, Query, fragments, repair, word_edits
from dragoman.cat.memory.codes import as_in, in_order

TEXTS = st.text("ab \ue000\ue001\ue002\ue005", max_size=12)


@given(TEXTS)
def test_codes_are_put_in_order_and_back(text: str) -> None:
    assert as_in(text, in_order(text)) == text
    assert in_order(in_order(text)) == in_order(text)


def test_a_match_has_the_codes_of_the_query() -> None:
    """A segment may have the third and fourth code of its unit; its match uses them, too."""
    index = MemoryIndex([MemoryUnit(1, "a \ue000b\ue001", "\ue000B\ue001 A \ue004", "\ue003 before", "")])
    (match,) = index.matches(Query("a \ue002b\ue003", "\ue000 before", ""))
    assert match.score == 101
    assert (match.source, match.target) == ("a \ue002b\ue003", "\ue002B\ue003 A \ue004")
    assert repair("a \ue002b\ue003", match).target == "\ue002B\ue003 A "


def test_edits_are_shown_by_word() -> None:
    match, text = "The old house is red.", "the house was red and tall"
    shown = [(e.kind, match[slice(*e.match)], text[slice(*e.text)]) for e in word_edits(match, text)]
    assert shown == [
        ("same", "The", "the"),
        ("left_out", "old", ""),
        ("same", "house", "house"),
        ("changed", "is", "was"),
        ("same", "red", "red"),
        ("added", "", "and"),
        ("changed", ".", "tall"),
    ]


@given(st.text("ab .", max_size=15), st.text("ab .", max_size=15))
def test_edits_cover_both_texts_in_order(match: str, text: str) -> None:
    edits = word_edits(match, text)
    for side, whole in (("match", match), ("text", text)):
        spans = [getattr(edit, side) for edit in edits]
        assert spans == sorted(spans)
        assert "".join(whole[slice(*span)] for span in spans).replace(" ", "") == whole.replace(" ", "")


@pytest.mark.parametrize(
    ("source", "unit", "target", "wanted"),
    [
        ("Page 7 of 12", "Page 3 of 12", "Seite 3 von 12", "Seite 7 von 12"),
        ("It costs 1,250.50 euros", "It costs 3,100.75 euros", "Es kostet 3.100,75 Euro", "Es kostet 1.250,50 Euro"),
        ("3 and 2", "2 and 3", "2 und 3", "3 und 2"),
        ("5 of 5", "4 of 4", "4 von 4", "5 von 5"),
        ("5 of 6", "4 of 4", "4 von 4", "4 von 4"),
        ("Take 5", "Take 4", "Nimm vier", "Nimm vier"),
        ("Take 5", "Take", "Nimm", "Nimm"),
        ("\ue000Take\ue001 it\ue002", "Take it", "Nimm es", "\ue000Nimm es\ue001\ue002"),
        ("Take it", "Take \ue000 it", "Nimm \ue000es", "Nimm es"),
    ],
)
def test_numbers_and_codes_are_repaired(source: str, unit: str, target: str, wanted: str) -> None:
    made = repair(source, Match(1, 80, unit, target))
    assert made.target == wanted
    assert bool(made.changes) == (target != wanted)


def test_fragments_are_translated_by_what_their_units_share() -> None:
    pairs = [
        ("press the red button now", "jetzt den roten Knopf drücken"),
        ("where is the red button", "wo ist der rote Knopf"),
        ("hold the red button down", "den roten Knopf halten"),
        ("open the window", "das Fenster öffnen"),
        ("press the key", "die Taste drücken"),
        ("the window is open", "das Fenster ist offen"),
    ]
    index = MemoryIndex(MemoryUnit(n, *pair) for n, pair in enumerate(pairs))
    found = fragments(index, "Clean the window, then the red button.")
    assert [(each.source, each.target, each.confidence) for each in found] == [
        ("the window", "das Fenster", 1.0),
        ("the red button", "Knopf", 1.0),
    ]
    assert "Clean the window, then"[found[0].begin : found[0].end] == "the window"
    assert fragments(index, "nothing alike") == []
