from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.data.crowd import VotedSegment, Votes, read_documents, read_votes, write_votes
from dragoman.errors import DataError, FormatError


def test_votes_are_read_and_written_most_first(tmp_path: Path) -> None:
    votes = Votes((VotedSegment("1_2", ("a b", "c"), (1, 3)), VotedSegment("1_3", ("d",), (2,), 1)))
    write_votes(votes, tmp_path / "votes.gz")
    again = read_votes(tmp_path / "votes.gz")
    assert again.segments == (VotedSegment("1_2", ("c", "a b"), (3, 1)), votes.segments[1])
    assert (len(again), again.segments[1].n_absent) == (2, 1)
    assert dict(again.provenance) == {"file": "votes", "n_segments": 2}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1\t2\ta\t2\n2\t1\ta\n", r":2: expected segment, number of votes, and pairs .*; got 3 cells"),
        ("1\t2\n", r":1: expected segment, number of votes, and pairs"),
        ("1\t2\ta\tx\n", r":1: a number of votes is 'x'; expected a whole number from 0 on"),
        ("1\t-2\ta\t1\n", r":1: a number of votes is '-2'"),
        ("1\t1\ta\t2\n", r":1: 2 votes are listed, but 1 were cast"),
        ("1\t1\ta\t1\n1\t1\ta\t1\n", r":2: the segment '1' stands on line 1 too"),
    ],
)
def test_a_wrong_line_is_named(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "votes").write_text(text)
    with pytest.raises(FormatError, match=message):
        read_votes(tmp_path / "votes")


def test_winners() -> None:
    assert VotedSegment("1", ("a", "b", "c"), (2, 1, 2)).winners == (0, 2)
    assert VotedSegment("1", ("a", "b"), (0, 0)).winners == (0, 1)


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="The segment '1' has no translations to vote for"):
        VotedSegment("1", (), ())
    with pytest.raises(DataError, match="2 translations, 1 counts of votes and 0 translators"):
        VotedSegment("1", ("a", "b"), (1,))
    with pytest.raises(DataError, match="a negative number of votes"):
        VotedSegment("1", ("a",), (-1,))
    with pytest.raises(DataError, match="The segment '1' is there twice"):
        Votes((VotedSegment("1", ("a",), (1,)),) * 2)
    with pytest.raises(DataError, match="has weighted votes; this layout holds whole numbers"):
        write_votes(Votes((VotedSegment("1", ("a",), (0.5,)),)), tmp_path / "v")
    with pytest.raises(DataError, match="has a tab, which parts the cells"):
        write_votes(Votes((VotedSegment("1", ("a\tb",), (1,)),)), tmp_path / "v")


def test_documents(tmp_path: Path) -> None:
    (tmp_path / "d").write_text("3\tx\tMain Page\tMISC\n4\ty\n")
    with pytest.raises(FormatError, match=r"d:2: expected document, title, English title and category, by tabs; got 2"):
        read_documents(tmp_path / "d")
    (tmp_path / "d").write_text("3\tx\tMain Page\tMISC\n")
    assert [(d.name, d.category, d.english_title) for d in read_documents(tmp_path / "d")] == [
        ("3", "MISC", "Main Page")
    ]
    (tmp_path / "d").write_text("3\tx\tMain Page\tMISC\n\ty\tY\tNOT FOUND\n")
    with pytest.raises(FormatError, match="d:2: the document has no id; give it one, or drop such lines"):
        read_documents(tmp_path / "d")
    assert len(read_documents(tmp_path / "d", unnamed="drop")) == 1
