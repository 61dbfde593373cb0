"""Notes name a few and count the rest."""

from __future__ import annotations

from dragoman.qe.notes import empty_note, listed, read_note


def test_a_long_list_is_cut_and_counted() -> None:
    assert listed([]) == ""
    assert listed(["a", "b"]) == "a, b"
    assert listed(range(1, 12)) == "1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11"
    assert listed(range(1, 13)) == "1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 2 more"
    assert listed("abcd", most=2) == "a, b and 2 more"


def test_there_is_no_note_where_there_is_nothing_to_say() -> None:
    assert (read_note(()), empty_note(())) == ("", "")
