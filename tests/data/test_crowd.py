from __future__ import annotations

from pathlib import Path

import pytest

from dragoman.data.crowd import VOTES, VotedSegment, Votes, read_documents, read_votes, votes_of
from dragoman.data.judgements import Judgements
from dragoman.data.judgements.crowd import CROWD_VOTES
from dragoman.errors import DataError, FormatError


def test_votes_are_read(tmp_path: Path) -> None:
    (tmp_path / "votes.xx").write_text("1_2\t4\tc\t3\ta b\t1\n1_3\t3\td\t2\n")
    votes = read_votes(tmp_path / "votes.xx")
    assert votes.segments == (VotedSegment("1_2", ("c", "a b"), (3, 1)), VotedSegment("1_3", ("d",), (2,), 1))
    assert (len(votes), dict(votes.provenance)) == (2, {"file": "votes.xx", "n_segments": 2})
    (tmp_path / "votes.xx").write_text("1\t2\ta\t2\n2\t1\ta\n")
    with pytest.raises(FormatError, match=r"votes\.xx:2: the line has 3 cells"):
        read_votes(tmp_path / "votes.xx")


def rows(**changed: object) -> Judgements:
    row = {"item": "1/1", "segment": "1", "candidate": 1, "text": "a", "votes": 2, "n_votes": 2} | changed
    return Judgements.of(CROWD_VOTES, [row])


def test_votes_out_of_rows() -> None:
    assert votes_of(rows(annotator="x")).segments == (VotedSegment("1", ("a",), (2,), 0, ("x",)),)
    assert votes_of(rows(n_votes=None)).segments[0].n_absent == 0
    two = rows(votes=1, n_votes=1).append(rows(item="1/2", candidate=2, votes=1, n_votes=1).rows())
    with pytest.raises(DataError, match="The segment '1' lists 2 votes, but 1 were cast"):
        votes_of(two)
    with pytest.raises(DataError, match="A translation of the segment '1' has no count of votes"):
        votes_of(rows(votes=None))
    with pytest.raises(DataError, match="of kind 'crowd-choice'; expected 'crowd-votes'"):
        votes_of(Judgements.of(VOTES))


def test_winners() -> None:
    assert VotedSegment("1", ("a", "b", "c"), (2, 1, 2)).winners == (0, 2)
    assert VotedSegment("1", ("a", "b"), (0, 0)).winners == (0, 1)


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(DataError, match="The segment '1' has no translations to vote for"):
        VotedSegment("1", (), ())
    with pytest.raises(DataError, match="2 translations, 1 counts of votes and 0 translators"):
        VotedSegment("1", ("a", "b"), (1,))
    with pytest.raises(DataError, match="a negative number of votes"):
        VotedSegment("1", ("a",), (-1,))
    with pytest.raises(DataError, match="The segment '1' is there twice"):
        Votes((VotedSegment("1", ("a",), (1,)),) * 2)


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
